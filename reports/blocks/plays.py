"""Plays as numbered sentences, from their documents: who does what, and what fails on the way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from ...model.machine.core import TRUE
from ...model.machine.machine import Domain, Edge, Node, Param
from ...model.plays.passes import Opportunities, is_pass, passed, repeated
from ...model.plays.wording import (
    deed,
    entitled,
    many,
    plain_name,
    say_value,
    winners_text,
)
from .subject import Subject

Json = Any

FIRST, LAST, FEW = 4, 25, 4
"""So many lines at the start and at the end of a long play are told; so few are not left out."""
BEFORE = 6
"""So many lines are told before a move in the middle at which something is to be seen."""


BROKEN, CANNOT = "this is broken", "this cannot be done"
"""What is said of a limit, and of what is known by a long expression alone."""
PLAIN = (
    (r" on `[^`]*\([^`]*`", ""),
    (r"^`[^`]*` is not exactly one (.*)$", r"this fits no \1, or several"),
    (r"^`[^`]*` is empty, but one must be chosen$", "there is nothing to choose from"),
    (r"^`([a-z_]+)(?:\[[^`]*)?` would leave [-\d.]+$", r"`\1` would go past its bounds"),
    (r"^`[^`]*` would leave [-\d.]+$", "a number would go past its bounds"),
    (r"^`[^`]*` does not hold when the step ends$", "this is not so when the step ends"),
    (r"^`([^`]* [^`]*)` is held by no component of the game$", r"nothing in the game tells \1"))
"""What duties say of expressions, and how it is told."""


@dataclass(frozen=True, slots=True)
class PlayLine:
    """Some moves of a play in one sentence; `first` and `last` are their numbers, 0 for none.

    `fault`: it tells of something that went wrong.
    """

    first: int
    last: int
    text: str
    fault: bool = False

    @property
    def number(self) -> str:
        """Write the numbers: `3` or `1-3`, nothing for what is no move."""
        if not self.first:
            return ""
        return str(self.first) if self.first == self.last else f"{self.first}-{self.last}"


def play_lines(play: Mapping[str, Json], subject: Subject) -> tuple[PlayLine, ...]:
    """Tell a play; chance moves of the same kind that follow each other are told together.

    So are passes.  Whoever passes after having acted at the same opportunity is done with it.  That
    no rule gives an order is told where that first leaves something open.
    """
    out: list[PlayLine] = _faults(play.get("setup", {}), subject)
    steps: Sequence[Mapping[str, Json]] = play.get("steps", ())
    unstated = next((i for i, step in enumerate(steps)
                     if _is_next(steps, i) and not step.get("only")), -1)
    done = _done(steps, subject)
    number = 0
    while number < len(steps):
        if steps[number].get("only") and not _is_next(steps, number) and not _failed(steps[number]):
            number += 1
            continue
        last = number + 1
        while _same_chance(steps, number, last):
            last += 1
        passes = _passes(steps, number)
        if passes:
            last, text = passes[-1] + 1, _passing(steps, passes, done, subject)
        elif _is_next(steps, number):
            last = number + 2
            text = _sentence(steps[number + 1 : last], subject)
        else:
            text = _sentence(steps[number:last], subject)
        text += _known(steps[number:last], subject)
        if number <= unstated < last:
            text += " (in an order that no rule gives, here and later)"
        out.append(PlayLine(number + 1, last, text))
        out += _faults(steps[last - 1], subject)
        number = last
    if "loop_from" in play:
        after = play["loop_from"]
        where = f"after move {after}" if after else "at the start"
        text = f"now everything is as it was {where}: this can go on for ever"
        out.append(PlayLine(0, 0, text, fault=True))
    result = play.get("result", {})
    if result.get("over"):
        out.append(PlayLine(0, 0, f"the game is over: {winners_text(result.get('winners', ()))}"))
    return tuple(out)


def abridged(lines: Sequence[PlayLine], at: int = 0) -> tuple[PlayLine, ...]:
    """Leave out the middle of a long play but for what leads to a move, and say how many moves.

    The move numbered `at` is shown with those before it; 0 for none.
    """
    if len(lines) <= FIRST + LAST + FEW:
        return tuple(lines)
    start = next(i for i in range(len(lines) - LAST, len(lines)) if lines[i].first)
    there = next((i for i, line in enumerate(lines) if line.first <= at <= line.last), 0)
    kept = {*range(FIRST), *range(start, len(lines))}
    begin = next((i for i in range(max(0, there - BEFORE), there) if lines[i].first), there)
    kept.update(range(begin, there + 2) if there else ())
    made, told = list[PlayLine](), 0
    for number, line in enumerate(lines):
        if number not in kept:
            continue
        if number and number - 1 not in kept:
            made.append(PlayLine(0, 0, f"… {many(line.first - 1 - told, 'move')} …"))
        made.append(line)
        told = max(told, line.last)
    return tuple(made)


def _known(steps: Sequence[Mapping[str, Json]], subject: Subject) -> str:
    """Tell which cards are taken whose place was known, of which no move of chance tells."""
    return "".join(f"; from the top of the {subject.titles.of(deck)}, as was known: "
                   f"{', '.join(cards)}"
                   for step in steps for deck, cards in step.get("off_the_top", {}).items())


def _is_next(steps: Sequence[Mapping[str, Json]], at: int) -> bool:
    """Return whether this only names the player who makes the move after it."""
    if at + 1 >= len(steps) or steps[at].get("by") != "rules" or steps[at].get("event") != "next":
        return False
    return not _failed(steps[at]) and by_player(steps[at + 1])


def by_player(step: Mapping[str, Json]) -> bool:
    """Return whether a player makes a move, and neither chance nor the rules."""
    return str(step.get("by", "")).startswith("player ")


def _is_pass(step: Mapping[str, Json]) -> bool:
    return by_player(step) and is_pass(str(step.get("event", "")), choice=bool(step.get("choice")))


def _passes(steps: Sequence[Mapping[str, Json]], at: int) -> list[int]:
    """Return the numbers of the passes that follow each other from here on."""
    found: list[int] = []
    while at < len(steps):
        move = at + 1 if _is_next(steps, at) else at
        if not _is_pass(steps[move]):
            break
        found.append(move)
        at = move + 1
        if _failed(steps[move]):
            break
    return found


def _done(steps: Sequence[Mapping[str, Json]], subject: Subject) -> frozenset[int]:
    """Return the passes of players who have acted at this opportunity before.

    Without the game, what no clause asks is taken for a window in which players act several times.
    """
    nodes = (plain_name(str(step.get("node", ""))) for step in steps)
    known = Opportunities(
        {node for node in nodes if "/" not in node} if subject.compiled is None else
        repeated(subject.compiled.game.windows))
    return frozenset(
        number for number, step in enumerate(steps)
        if by_player(step) and known.ends(
            str(step["by"]), str(step.get("node", "")), str(step.get("event", "")),
            choice=bool(step.get("choice"))))


def _passing(
    steps: Sequence[Mapping[str, Json]], passes: Sequence[int], done: Collection[int],
    subject: Subject,
) -> str:
    """Tell who passes, those together who pass in the same way."""
    told: list[str] = []
    for (event, over), group in groupby(
            passes, lambda each: (str(steps[each].get("event", "")), each in done)):
        several = list(group)
        names = list(dict.fromkeys(subject.player(str(steps[i].get("by"))) for i in several))
        one = len(names) == 1
        who = names[0] if one else f"{', '.join(names[:-1])} and {names[-1]}"
        text = _sentence([steps[several[0]]], subject) if one else (
            f"{who} {subject.titles.of(event)}")
        told.append(passed(text, who, several=not one) if over else text)
    return "; ".join(told)


def common(plays: Sequence[Mapping[str, Json]]) -> int:
    """Count the moves that plays have in common at their beginning."""
    rows = [[_key(step) for step in play.get("steps", ())] for play in plays]
    count = 0
    while all(len(row) > count for row in rows) and len({row[count] for row in rows}) == 1:
        count += 1
    return count


def _key(step: Mapping[str, Json]) -> str:
    return repr(
        (plain_name(step.get("node", "")), step.get("by"), step.get("event"), step.get("choice"))
    )


def _same_chance(steps: Sequence[Mapping[str, Json]], first: int, last: int) -> bool:
    """Return whether a move can be told together with the ones before it."""
    if last >= len(steps) or steps[first].get("by") != "chance" or _failed(steps[last - 1]):
        return False
    one, other = steps[first], steps[last]
    givers = {step.get("to", {}).get("from") for step in (one, other)}
    return len(givers) == 1 and bool(one.get("choice")) and all(
        one.get(key) == other.get(key) for key in ("node", "by", "event"))


def _sentence(steps: Sequence[Mapping[str, Json]], subject: Subject) -> str:
    step = steps[0]
    event, by = str(step.get("event", "")), str(step.get("by", ""))
    if by == "chance":
        return _chance(steps, subject)
    shown = {name: _said(value, subject) for name, value in step.get("choice", {}).items()}
    if by == "rules":
        shown = entitled(shown, subject.titles)
        if event == "next" and len(shown) == 1:
            return f"{next(iter(shown.values()))} is next here (no rule says who)"
        told = ", ".join(f"{name} {value}" for name, value in shown.items())
        return subject.titles.of(event) + (f": {told}" if told else "")
    return f"{subject.player(by)} {_deed(step, shown, subject)}"


def _said(value: Json, subject: Subject) -> str:
    return say_value(value, subject.titles)


def _deed(step: Mapping[str, Json], shown: Mapping[str, str], subject: Subject) -> str:
    """Say what a player does, with the words that the game uses while it is played."""
    event = str(step.get("event", ""))
    labels = step.get("choice", {})  # by their names in the spec, as the event is
    params = tuple(Param(label, Domain("int", 0, 0), label, TRUE) for label in labels)
    node = Node(0, str(step.get("node", "")), "decide", "", (), ask=str(step.get("asks", "")))
    return deed(node, Edge(0, 0, 0, event, params, (), ()), shown, subject.titles)


def _chance(steps: Sequence[Mapping[str, Json]], subject: Subject) -> str:
    """Tell what chance does, and who gets what, as far as that is known."""
    node, event = str(steps[0].get("node", "")), str(steps[0].get("event", ""))
    places: dict[str, list[str]] = {}
    giver = str(steps[0].get("to", {}).get("from", ""))
    for step in steps:
        value = ", ".join(_said(v, subject) for v in step.get("choice", {}).values())
        places.setdefault(_place(step.get("to", {}), subject), []).append(value)
    drawn = event == "draw" and " from " in node
    each = [_counted(values) + (f" to the {place}" if drawn else f" ({place})") * bool(place)
            for place, values in places.items()]
    if not drawn:
        told = "; ".join(filter(None, each))
        named = subject.titles.of(event) * (len(event) > 1)  # a letter is a name for the spec alone
        if told and not named:
            return f"{told} {'comes' if len(steps) == 1 else 'come'} up"
        return f"chance, {named}: {told}" if told else f"chance: {named}"
    zone = subject.titles.of(plain_name(node).rpartition(" from ")[2]) + (
        f" of {giver}" * bool(giver))
    if len(each) > 1:
        return f"from the {zone} are drawn: {'; '.join(each)}"
    (place, values), = places.items()
    where = f"from the {zone}" + f" to the {place}" * bool(place)
    return f"{_counted(values)} {'is' if len(steps) == 1 else 'are'} drawn {where}"


def _place(to: Mapping[str, str], subject: Subject) -> str:
    """Say where a card has come to; "" if that is not known."""
    if not to:
        return ""
    pool, _, part = to["place"].partition(".")
    titles = subject.titles
    # What a record is named by is all of it: such a card is laid beside others of its kind.
    place = f"{titles.of(part)} of the {titles.of(pool)}" if part and part != "card" else (
        titles.of(pool))
    return place + (f" of {to['of']}" if "of" in to else "")


def _counted(values: Sequence[str]) -> str:
    each = [f"{n} × {value}" if n > 1 else value for value, n in Counter(values).items() if value]
    return " and ".join([", ".join(each[:-1]), each[-1]] if len(each) > 1 else each)


def _failed(outcome: Mapping[str, Json]) -> bool:
    """Return whether something failed, was broken, or never ends after a move."""
    return any(outcome.get(name) for name in ("failed", "broken", "endless"))


def _faults(outcome: Mapping[str, Json], subject: Subject) -> list[PlayLine]:
    """Tell what failed, was broken, or never ends after a move; the same once, with its number."""
    failed = Counter(
        _fault(_in_words(str(one.get("what", "")), subject), str(one.get("clause", "")), subject)
        for one in outcome.get("failed", ()))
    told = [text + f", {times} times" * (times > 1) for text, times in failed.items()]
    told += [_fault(BROKEN, str(clause), subject) for clause in outcome.get("broken", ())]
    if outcome.get("endless"):
        ways = dict.fromkeys(subject.titles.of(plain_name(each)) for each in outcome["endless"])
        told.append(f"the rules go round for ever: {', then '.join(ways)}")
    return [PlayLine(0, 0, text, fault=True) for text in told]


def _fault(what: str, clause: str, subject: Subject) -> str:
    """Say what fails, of which sentence; without the game, of which clause."""
    says, cited = subject.says(clause) or clause, subject.cited(clause)
    return f"here {what}: {says}" + f" ({cited})" * bool(cited)


def _in_words(what: str, subject: Subject) -> str:
    """Write what a duty asks without its expressions; the places that it names, as words."""
    for code, words in PLAIN:
        what = re.sub(code, words, what)
    if re.search(r"`[^`]*[^a-z_`][^`]*`", re.sub(r"\[[^\]`]*\]", "", what)):
        return CANNOT
    return re.sub(r"`([a-z_]+(?:\[[^\]`]*\])?)`", lambda name: f"the {subject.titles.of(name[1])}",
                  what)
