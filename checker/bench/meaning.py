"""What answers about a game depend on, so that they are kept for as long as they hold.

Most edits of a spec leave most answers as they are: a mark lowers the rank of a question, a new
question asks nothing of the others.  So an answer is kept under what the game is without its
questions and its marks, and under what its own question changes; not under the bytes of the spec.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, cast

from ...model.game.game import Game
from ...model.silences.questions import questions_of
from ...model.source.tree import to_plain
from .answers import digest
from .workbench import Workbench

MARKS = ("stated", "settled", "assumed", "asked", "draft")
"""What clauses say of themselves that changes no game: who is asked, in which rank, what helps."""
WORDS = ("id", "title", "draft")
"""What a reading has beside what it changes."""


def meaning(bench: Workbench, printed: Game) -> str:
    """Name what a spec says a game is: all of it but open points, marks, and what is not adopted.

    A silence may be played by another answer for its marks, so those answers are named as well.
    """
    spec = cast("dict[str, Any]", to_plain(bench.sections.root))
    points, rulings = spec.pop("open_points", ()), spec.pop("rulings", ())
    taken = {each.point: each.reading for each in printed.rulings}
    adopted = {point["id"]: made for point in points for reading in point["readings"][:1]
               if point["id"] not in taken and (made := _changes(reading))}
    adopted |= {point["id"]: made for point in points for reading in point["readings"]
                if taken.get(point["id"]) == reading["id"] and (made := _changes(reading))}
    declared = {point["id"] for point in points}
    for clause in _clauses(spec, adopted.values()):
        for mark in MARKS:
            clause.pop(mark, None)
    return digest(
        spec, adopted, [each for each in rulings if each["point"] not in declared],
        {each.id: each.adopted for each in questions_of(printed)
         if each.adopted != each.silences[0].written[0]})


def _changes(reading: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in reading.items() if name not in WORDS and value}


def _clauses(spec: dict[str, Any], readings: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield the clauses of a spec, of its modes, and of readings."""
    yield from spec.get("clauses", ())
    for changes in (*(spec.get("variants") or {}).values(), *readings):
        yield from changes.get("add") or ()


def changes_of(bench: Workbench, point: str, readings: Iterable[str]) -> list[dict[str, Any]]:
    """Give what readings of an open point change, as answers to it depend on that."""
    return [bench.changes(point, each) for each in readings]
