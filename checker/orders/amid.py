"""What is decided between two pauses of a game that is solved, and by whom."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from ...model.rules.context import own
from ..engine.program import Program
from ..search.labels import Label, Labels
from ..search.worth import Solved

MOST_AMID = 5_000
"""Situations between two pauses that are looked at."""


class Amid(NamedTuple):
    """What is decided between two pauses.

    `several`: by one player and by another one, or by chance; `counts`: what a player chooses there
    changes what somebody can make sure of.
    """

    several: bool
    counts: bool


class Paused:
    """A solved game that rests before and after something, by number of its situations."""

    def __init__(self, program: Program) -> None:
        self.solved = Solved(program)
        self._labels = Labels(program)
        self._pauses = [self._labels.pause(packed) for packed in self.solved.run.order]

    def before(self, around: Collection[str]) -> Iterator[int]:
        """Yield the situations before some of what it rests around, nearest first."""
        for number, pause in enumerate(self._pauses):
            if pause is not None and pause[0] == "before" and own(pause[1]) in around:
                yield number

    def rests(self, number: int) -> bool:
        """Return whether a situation is no more than a pause."""
        return self._pauses[number] is not None

    def to(self, number: int) -> tuple[Label, ...]:
        """Return the way to a situation."""
        return tuple(map(self._labels.of_move, self.solved.run.path(number)))

    def amid(self, number: int) -> Amid:
        """Look from a pause before something to the pauses after it."""
        pause, solved = self._pauses[number], self.solved
        assert pause is not None
        who, counts = set[int | None](), False
        for here in self._till(number, pause[1]):
            if here is None or (counts and len(who) > 1):
                break
            if len(solved.after[here]) > 1:
                who.add(solved.who[here])
                counts = counts or (solved.who[here] is not None and solved.counts(here))
        return Amid(len(who) > 1 and bool(who - {None}), counts)

    def till_after(self, number: int, name: str = "") -> list[int] | None:
        """List the situations from one to the pauses after something; None if these are too many.

        The one is amid what is named, or else at a pause before it.
        """
        pause = self._pauses[number]
        found = [*self._till(number, pause[1] if pause is not None and not name else name)]
        return None if None in found else [here for here in found if here is not None]

    def _till(self, number: int, name: str) -> Iterator[int | None]:
        """Yield the situations amid something that has begun, and at last None if too many are."""
        deeper = {("before", own(name)): 1, ("after", own(name)): -1}
        todo = [(number, 1)]
        seen = {*todo}
        for here, deep in todo:
            if not deep:
                continue
            if len(seen) > MOST_AMID:
                yield None
                return
            yield here
            for then, _ in self.solved.after[here]:
                rests = self._pauses[then]
                place = then, deep + (deeper.get((rests[0], own(rests[1])), 0) if rests else 0)
                if place not in seen:
                    seen.add(place)
                    todo.append(place)
