"""The silences of a game as open points: what clauses say that their sentences may not.

Those without a mark come first; one that words or another clause decide is compared as well, and
told as decided.  What is bookkeeping, or assumed of cards, is not asked about.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from ...model.silences.questions import NO_MATTER_OF_THE_BOOK, questions_of, why_marked
from ..judge.results import NotChecked
from .points import Point, says

if TYPE_CHECKING:
    from ...model.game.game import Game
    from ...model.silences.questions import Question
    from ..judge.audit import Audit
    from ..judge.results import Class

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
            audit.not_checked.append(NotChecked(
                f"{point.id}: {point.asks}", f"more than {MOST} readings of silences"))
    return tuple(asked)


def _point(game: Game, question: Question, adopted: str) -> Point:
    clauses = {clause.id: clause for clause in game.clauses}
    first = question.silences[0]
    asks = first.asks or question.aspect.asks
    whys = (why_marked(clauses[silence.clause], silence.aspect) or silence.decided
            for silence in question.silences)
    return Point(
        question.id, "silence", question.clauses,
        f"{says(game, first.about or first.clause)}: {asks}", question.readings, adopted,
        defect=cast("Class", question.aspect.defect),
        decided="; ".join(dict.fromkeys(why for why in whys if why)))


def marked_of(game: Game) -> tuple[int, int]:
    """Return how many silences a game has that are asked about, and how many have a mark."""
    found = [question for question in questions_of(game)
             if question.status not in NO_MATTER_OF_THE_BOOK]
    return (sum(len(question.silences) for question in found),
            sum(len(question.silences) for question in found if question.status != "silent"))
