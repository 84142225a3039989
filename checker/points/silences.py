"""The silences of a game as open points: what clauses say that their sentences may not.

Those without a mark come first; one that words or another clause decide is compared as well, and
told as decided.  What is bookkeeping, or assumed of cards, is not asked about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from ...model.game.game import Game
from ...model.machine.state import Move, State
from ...model.plays.board import values_by_name
from ...model.plays.moves import describe_move, edge_of
from ...model.silences.questions import (
    NO_MATTER_OF_THE_BOOK,
    SilenceQuestion,
    questions_of,
    why_marked,
)
from ..findings.results import Class
from .points import Point, says

if TYPE_CHECKING:
    from ..audit.audit import Audit
    from ..bench.workbench import Instance

MOST = 80
"""Readings of silences that are compared in one verification, those of unmarked ones first."""


def silences_of(game: Game) -> tuple[Point, ...]:
    """Return the silences of a game as points, in the order in which they are asked about."""
    rulings = {ruling.point: ruling.reading for ruling in game.rulings}
    return tuple(_point(game, question, rulings.get(question.id, question.adopted))
                 for question in questions_of(game)
                 if question.status not in NO_MATTER_OF_THE_BOOK)


def within_bounds(audit: Audit, points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Return as many silences as are asked about; the others are listed as not checked."""
    asked: list[Point] = []
    left = MOST
    for point in points:
        left -= len(point.readings) - 1
        if left >= 0:
            asked.append(point)
        else:
            audit.unchecked(
                f"{point.id}: {point.asks}", f"more than {MOST} readings of silences", "question",
                point=point.id)
    return tuple(asked)


def _point(game: Game, question: SilenceQuestion, adopted: str) -> Point:
    clauses = {clause.id: clause for clause in game.clauses}
    asks = {each.clause: f"{says(game, each.about or each.clause)}: "
            f"{each.asks or question.aspect.asks}" for each in reversed(question.silences)}
    whys: dict[str, dict[str, None]] = {name: {} for name in question.clauses}
    for silence in question.silences:
        if why := why_marked(clauses[silence.clause], silence.aspect) or silence.decided:
            whys[silence.clause][why] = None
    return Point(
        question.id, "silence", question.clauses,
        asks[question.clauses[0]], question.readings, adopted,
        defect=cast("Class", question.aspect.defect),
        decided="; ".join(dict.fromkeys(why for some in whys.values() for why in some)),
        apart=tuple((name, asks[name], "; ".join(some)) for name, some in whys.items())
        if len(asks) > 1 else (), aspect=question.aspect.name)


def has_reading(game: Game, point: str, reading: str) -> bool:
    """Return whether a silence has a reading; in a scope, cards may be missing that it is about."""
    return any(each.id == point and reading in dict(each.readings) for each in questions_of(game))


def of_witness(
    point: Point, played: Sequence[tuple[Instance, Sequence[Move]]],
    cites: Sequence[Sequence[Sequence[str]]],
) -> Point:
    """Return a question about several sentences as it is asked of the one that a witness is about.

    One about one sentence is as it is, and so is one where it is not known of which.  The witness
    is played under two readings; `cites` are the clauses that each move cites, in both.
    """
    if len(point.clauses) < 2:
        return point
    told = next(_parting(played, cites), ())
    first = next((name for name in point.clauses if name in told), None)
    if first is None:
        return point
    _, asks, decided = next((each for each in point.apart if each[0] == first),
                            (first, point.asks, point.decided))
    others = (name for name in point.clauses if name != first)
    return replace(point, clauses=(first, *others), asks=asks, decided=decided, apart=())


def _parting(
    played: Sequence[tuple[Instance, Sequence[Move]]], cites: Sequence[Sequence[Sequence[str]]]
) -> Iterator[frozenset[str]]:
    """Yield the clauses that act where two plays part: those of the move, or of what is legal."""
    states = [instance.interpreter.start().state for instance, _ in played]
    for number in range(len(played[0][1]) + 1):
        here, there = (_seen(instance, state) for (instance, _), state in zip(
            played, states, strict=True))
        known = here[0].keys() & there[0].keys()
        if number and any(here[0][name] != there[0][name] for name in known):
            yield frozenset(name for each in cites for name in each[number - 1])
        elif here[1].keys() != there[1].keys():
            yield frozenset(
                name for mine, other in ((here[1], there[1]), (there[1], here[1]))
                for text, names in mine.items() if text not in other for name in names)
        if number < len(played[0][1]):
            states = [instance.interpreter.step(state, moves[number]).state
                      for (instance, moves), state in zip(played, states, strict=True)]


def _seen(
    instance: Instance, state: State
) -> tuple[Mapping[str, object], Mapping[str, tuple[str, ...]]]:
    """Return the values of a state by name, and its legal moves in words, with their clauses."""
    machine = instance.compiled.machine
    return values_by_name(machine, state), {
        describe_move(machine, state, move): edge_of(machine, state, move).clauses
        for move in instance.interpreter.moves(state)}


def marked_of(game: Game) -> tuple[int, tuple[str, ...]]:
    """Return how many silences a game has that are asked about, and name those without a mark."""
    found = [question for question in questions_of(game)
             if question.status not in NO_MATTER_OF_THE_BOOK]
    return (sum(len(question.silences) for question in found),
            tuple(f"{silence.clause}: {silence.aspect}" for question in found
                  if question.status == "silent" for silence in question.silences))
