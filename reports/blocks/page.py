"""A finding as an editor reads it: what is asked, the answers, the situation, the book, how often.

`page_of` returns the page, of which each format prints every part.  It holds sentences of the game
and figures; ids, expressions, scopes and encodings are for the appendix (`blocks.finding`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...model.plays.documents import is_object
from ...model.plays.moves import many
from .boards import Board, board_of
from .classes import HEADS, words

if TYPE_CHECKING:
    from ...checker.judge.results import Explored, Finding, Frequency, Json, Wins
    from .subject import Subject

NAMED = 6
"""So many assumed cards are named."""
SEATS = 3
"""Of so many seats it is said how often they win."""
IN_MODE = " in its mode"
"""Stands behind the share of games of what only a mode shows."""


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """An answer to what a finding asks, what it comes to in the situation, and who gains by it."""

    title: str
    then: str
    gains: str


@dataclass(frozen=True, slots=True)
class Passage:
    """What a clause stands for: where in the book, in the book's own words if known, in ours."""

    where: str
    own: tuple[str, ...]
    ours: str


@dataclass(frozen=True, slots=True)
class Page:
    """A finding as an editor reads it; what is not known is empty."""

    kind: str
    matters: str
    asks: str
    told: tuple[str, ...]
    answers: tuple[PageAnswer, ...]
    board: Board | None
    passages: tuple[Passage, ...]
    helps: str
    follows: tuple[str, ...]
    assumed: tuple[str, ...]
    often: str
    far: str


def page_of(finding: Finding, subject: Subject, explored: tuple[Explored, ...] = ()) -> Page:
    """Return the page of a finding; without the game, without its paraphrases and its board."""
    position = finding.evidence.position
    board = board_of(position, subject.compiled, focus=subject.focus(finding.clauses)) if (
        is_object(position)) else None
    about = words(finding.cls)
    return Page(
        about.name, matters(finding), finding.title,
        tuple(text for text in (_only_smaller(finding), finding.explanation) if text),
        tuple(PageAnswer(each.title, each.outcome, each.favours) for each in finding.readings),
        board, tuple(_passages(finding, subject)),
        "" if finding.readings else about.helps,
        tuple(f"{each.title} ({each.follows})" for each in _others(finding)),
        assumed(finding, subject),
        "" if finding.frequency is None else how_often(finding.frequency, finding.evidence.mode),
        shown(finding, explored))


def _others(finding: Finding) -> Iterator[Finding]:
    """Yield what follows from a finding and asks something else, each question once."""
    asked = {finding.title}
    for each in finding.consequences:
        if each.title not in asked:
            asked.add(each.title)
            yield each


def matters(finding: Finding) -> str:
    """Say what hangs on a finding, and in which share of printed games it was seen to."""
    part = _part(finding)
    return HEADS[finding.level] + (f" ({part} of games{_own(finding)})" * bool(part))


def share(finding: Finding) -> str:
    """Return the share of printed games that a finding decides, as an interval; "" if unknown.

    What was only seen to come up decides no more games than those in which it did.  Of what only a
    mode shows it is the share of the games in that mode.
    """
    part = _part(finding)
    return part and part + _own(finding)


def _part(finding: Finding) -> str:
    often = finding.frequency
    if often is None or finding.level > 1:
        return ""
    if often.decides_ci95 is None:
        return f"at most {between((often.ci95[1], often.ci95[1]))}"
    return between(often.decides_ci95)


def _own(finding: Finding) -> str:
    return IN_MODE if finding.evidence.mode else ""


def between(interval: tuple[float, float]) -> str:
    """Write an interval of shares in percent, with a figure more where it is small or narrow."""
    narrow = 0 < interval[1] - interval[0] < 0.01
    low, high = (f"{100 * part:.{1 if narrow and 0 < part < 1 else 0}f}" if part >= 0.01
                 else f"{100 * part:.1g}" for part in interval)
    return f"{low} %" if low == high else f"{low} to {high} %"


def how_often(often: Frequency, mode: str = "") -> str:
    """Say how often a finding comes up in play at the printed size, in a mode."""
    games = many(often.plays, "printed game") + (f" {mode}" if mode else "")
    if often.decides is None or often.decides_ci95 is None:
        return (f"It came up in {often.seen:,} of {games} played at random "
                f"({between(often.ci95)}).")
    return (f"Of {games} played at random under two of the answers, "
            f"with the same decisions as far as possible, {often.seen:,} went differently "
            f"({between(often.ci95)}), and {often.decides:,} had another winner "
            f"({between(often.decides_ci95)}).{_who_gains(often)}")


def gains(often: Frequency) -> Iterator[Wins]:
    """Yield the seats that win more or less often under the other answer, beyond all luck.

    Of 95 % intervals of the two shares none holds a part of the other one.
    """
    for one in often.wins:
        first, second = one.adopted_ci95, one.other_ci95
        if first[1] < second[0] or second[1] < first[0]:
            yield one


def _who_gains(often: Frequency) -> str:
    found = sorted(gains(often), key=lambda one: -abs(one.other - one.adopted))
    parts = [f"{one.seat} wins {between(one.adopted_ci95)} of them under the "
             f"first and {between(one.other_ci95)} under the second"
             for one in found[:SEATS]]
    if len(found) > SEATS:
        parts.append(f"for {many(len(found) - SEATS, 'more seat')} it changes, too")
    return f" {'; '.join(parts)}." if parts else ""


def _only_smaller(finding: Finding) -> str:
    if not finding.only_smaller:
        return ""
    lifted = finding.evidence.lifted
    return "This was found in a smaller game only; " + (
        f"in the printed one it is {lifted.removesuffix(' at the printed size')}."
        if lifted.startswith("proved impossible") else
        "in the printed one it was neither seen nor ruled out.")


def shown(finding: Finding, explored: tuple[Explored, ...]) -> str:
    """Say how far a finding was shown, without the names of scopes."""
    evidence = finding.evidence
    sizes = [one.states for one in explored if one.scope == evidence.scope]
    size = f" ({many(sizes[0], 'situation')})" if sizes else ""
    if evidence.kind == "data" and evidence.method != "proof":
        return "It follows from the words alone."
    if evidence.method == "proof":
        return "It is proved for the printed game."
    printed = evidence.scope == "printed"
    mode = f" {evidence.mode}" if evidence.mode else ""
    where = f"in the printed game{mode}" if printed else "in a small game"
    told = {
        "exhaustive": f"It was shown {where}, all of whose situations were looked at{size}",
        "bounded": f"It was shown {where}, as far as its situations were looked at{size}",
        "sampled": f"It was shown {where} by a game played at random, which was then shortened",
    }.get(evidence.method, f"It was not checked {where}")
    if evidence.kind == "coverage":
        told = told.replace("shown", "found", 1).replace("a small game", "small games")
    elif not printed and evidence.at_printed_size:
        told += f"; the printed game has it too{mode and ','}{mode}"
    again = " Each move was made again by the reference interpreter." if evidence.replayed and (
        evidence.plays) else ""
    return f"{told}.{again}"


def assumed(finding: Finding, subject: Subject) -> tuple[str, ...]:
    """Name the cards with assumed values that come up in the plays of a finding, in their order."""
    if subject.compiled is None:
        return ()
    cards = {card.name for family in subject.compiled.game.families.values()
             for card in family.cards if card.assumed}
    named: dict[str, None] = {}
    for each in finding.evidence.plays:
        for step in each.play.get("steps", ()):
            if str(step.get("by", "")).startswith("player "):
                named |= dict.fromkeys(text for text in _texts(step.get("choice")) if text in cards)
    return tuple(named)


def assumed_text(names: tuple[str, ...]) -> str:
    """Say on which assumed cards a finding rests; "" if on none."""
    if not names:
        return ""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ("Values of these cards are assumed, as the book does not print them: "
            f"{', '.join(names[:NAMED])}{more}.")


def _texts(value: Json) -> Iterator[str]:
    """Yield all texts of a choice, names of cards among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, part in value.items():
            yield str(key)
            yield from _texts(part)


def _passages(finding: Finding, subject: Subject) -> Iterator[Passage]:
    """Yield the passages of a finding, those of the book once for each place."""
    for name in dict.fromkeys((*finding.clauses, *finding.evidence.core)):
        where, own, ours = subject.cited(name), subject.own(name), subject.says(name)
        if where or ours:
            yield Passage(where, own, ours)
