"""The plays of a finding by the situation they lead to, and what is different in a small game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...checker.findings.results import Evidence, Shown
from ...checker.findings.rows import Outcome
from ...model.game.game import PRINTED, Card, Game, Scope
from ...model.machine.titles import Titles
from ...model.plays.wording import many, say_field, say_value, words_of
from .assumed import assumed_numbers
from .plays import PlayLine, common, play_lines
from .subject import Subject

LONG = 40
"""A play of more moves proves little to a reader: a shorter one is shown in its place."""
ENDING = 8
"""So many lines at the end of a long play are told behind a short one of a smaller game."""
KINDS = 12
"""So many kinds of cards of a smaller game are named."""


@dataclass(frozen=True, slots=True)
class PlayGroup:
    """Plays to one situation: where that is ("" if there is no other), and how they go.

    `shared` are the lines of all of them, `parts` what comes then under each answer; `moves` is
    the length of the longest.  `told` says that the answers of the page are told of this situation,
    and of no smaller game or other one.
    """

    where: str
    shared: tuple[PlayLine, ...]
    parts: tuple[tuple[str, tuple[PlayLine, ...]], ...]
    moves: int
    told: bool = True


def play_groups(
    evidence: Evidence, subject: Subject, answers: Iterable[Outcome] = ()
) -> list[PlayGroup]:
    """Return the plays of a finding by the situation that they lead to, a short way first.

    Of a long one behind a short one only the end is told.  The readings that they are played under
    are called as the `answers` are.
    """
    titles = {each.id: f"“{each.title}”" for each in answers}
    sorts: dict[tuple[str, str], list[Shown]] = {}
    for each in evidence.plays:
        sorts.setdefault((each.scope, each.reading if each.elsewhere else ""), []).append(each)
    smaller = evidence.scope == PRINTED and any(
        each.scope not in ("", PRINTED) for each in evidence.plays)
    least = min((_length(shown) for (_, reading), shown in sorts.items() if not reading), default=0)
    found: list[tuple[tuple[bool, int], PlayGroup]] = []
    for (scope, reading), shown in sorts.items():
        length = _length(shown)
        late = not scope and not reading and least <= LONG < length
        other, number = scope_of(shown[0], evidence), players_of(shown[0])
        where = (f"in another situation, under {titles.get(reading, reading)}" + (
            f", {in_smaller(other, subject, number)}"
            if other not in (evidence.scope, PRINTED) else "")
                 if reading
                 else "in another game, in which more comes of it" if scope == evidence.scope
                 else in_smaller(scope, subject, number) if scope
                 else "it happens in the printed game too" if smaller
                 else in_smaller(evidence.scope, subject, number) if evidence.scope != PRINTED
                 else "")
        where += ", " * bool(where and late) + (
            f"in {many(length, 'move')}, of which these are the last" * late)
        group = replace(_group(where, shown, subject, titles), told=not (scope or reading))
        found.append(((bool(reading), length),
                      replace(group, shared=group.shared[-ENDING:]) if late else group))
    return [group for _, group in sorted(found, key=lambda pair: pair[0])]


def scope_of(shown: Shown, evidence: Evidence) -> str:
    """Return the scope whose game a play is of."""
    settings = shown.play.get("settings", {}) if shown.elsewhere else {}
    return shown.scope or settings.get("scope") or evidence.scope


def players_of(shown: Shown) -> int | None:
    """Return how many play in a play, if it says so: they may be others than its scope sets."""
    number = shown.play.get("settings", {}).get("players")
    return number if isinstance(number, int) else None


def _length(shown: Sequence[Shown]) -> int:
    return max(len(each.play.get("steps", ())) for each in shown)


def _group(
    where: str, shown: Sequence[Shown], subject: Subject, titles: Mapping[str, str]
) -> PlayGroup:
    where, moves = subject.marked(where), _length(shown)
    told = [tuple(replace(line, text=subject.marked(line.text)) for line in play_lines(
        each.play, subject)) for each in shown]
    if len(shown) == 1:
        return PlayGroup(where, told[0], (), moves)
    shared = common([each.play for each in shown])
    return PlayGroup(
        where, tuple(line for line in told[0] if line.first and line.last <= shared),
        tuple((titles.get(each.reading, each.reading or "the rules"), rest)
              for each, lines in zip(shown, told, strict=True)
              if (rest := tuple(_after(lines, shared)))), moves)


def _after(lines: Sequence[PlayLine], shared: int) -> list[PlayLine]:
    """Keep what comes after the moves that all plays share."""
    out: list[PlayLine] = []
    past = shared == 0
    for line in lines:
        if line.first:
            past = line.last > shared
        if past:
            out.append(line)
    return out


# ---------------------------------------------------------------------- smaller games


def in_smaller(scope: str, subject: Subject, players: int | None = None) -> str:
    """Say that a play is of a smaller game, and what is different in it, if that is known.

    `players` is how many play it; None if as many as the scope says.
    """
    game = None if subject.compiled is None else subject.compiled.game
    known = None if game is None else game.scopes.get(scope)
    told = [] if game is None or known is None else list(_different(known, game, players))
    return "in a smaller game" + f" ({'; '.join(told)})" * bool(told)


def _different(scope: Scope, game: Game, players: int | None) -> Iterator[str]:
    """Yield what a scope sets and the printed game has otherwise, with the numbers of that.

    They are those of the mode that the scope is played in.  If the game is that of the scope, what
    the book has is not at hand, and what the scope sets of it is told.
    """
    alone = game.settings.scope == scope.name
    number = players or scope.players
    if number and (scope.players or number != game.players):
        yield many(number, game.player_word)
    modes = [game.variants[name] for name in scope.sets.get("variants", ())]
    if modes:
        yield f"in the mode {' and '.join(f'“{mode.title}”' for mode in modes)}"
    assumed = [] if alone else assumed_numbers(game, (clause.id for clause in game.clauses))
    numbers = {name: each.value for name, each in game.constants.items()
               if each.clause or name in assumed}
    for mode in modes:
        numbers |= {name: value for name, value in mode.constants.items() if name in numbers}
    for name, value in scope.sets.get("constants", {}).items():
        if name in numbers and (alone or numbers[name] != value):
            ours = ", which is assumed" * (name in assumed)
            yield f"{game.titles.of(name)} {value}" + (
                f" instead of {numbers[name]}{ours}" * (not alone))
    for name, value in scope.sets.get("state", {}).items():
        yield f"{game.titles.of(name)} {say_value(value, game.titles)} at the start"
    names = {card.id: card for family in game.families.values() for card in family.cards}
    for family, given in scope.sets.get("cards", {}).items():
        if family in game.families and not alone and all(
                given.get(card.id) == card.copies for card in game.families[family].cards):
            continue
        cards = [_cards(names[name], each, names, game.titles)
                 for name, each in given.items() if name in names]
        there = list(filter(None, cards))
        more = f" and {many(len(there) - KINDS, 'more kind')}" if len(there) > KINDS else ""
        if there:
            kind = words_of(family).removesuffix(" card")
            yield f"{kind} cards: only {', '.join(there[:KINDS])}{more}"


def _cards(
    card: Card, given: Any, names: Mapping[str, Card], titles: Titles  # noqa: ANN401  (plain data)
) -> str:
    """Tell how many of a card there are, and its values that are others than the printed ones."""
    values = dict(given) if isinstance(given, Mapping) else {"copies": given}
    number = int(values.pop("copies", card.copies))
    other = [f"no {titles.of(name)}" if value is False or value in (None, "none") else say_field(
                 titles.of(name), names[value].name if value in names else value, titles)
             for name, value in values.items() if card.attributes.get(name) != value]
    return (f"{number} × " * (number > 1) + card.name + f" ({', '.join(other)})" * bool(other)
            if number else "")
