"""What is decided between two pauses of a game that is solved, and by whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ...model.rules.context import own
from ..search.labels import Labels
from ..search.worth import Solved

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from ..engine.program import Program
    from ..search.labels import Label

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

    def to(self, number: int) -> tuple[Label, ...]:
        """Return the way to a situation."""
        return tuple(map(self._labels.of_move, self.solved.run.path(number)))

    def amid(self, number: int) -> Amid:
        """Look from a pause before something to the pauses after it."""
        pause, solved = self._pauses[number], self.solved
        assert pause is not None
        deeper = {pause: 1, ("after", pause[1]): -1}
        todo, who, counts = [(number, 1)], set[int | None](), False
        seen = {*todo}
        for here, deep in todo:
            if not deep or len(seen) > MOST_AMID:
                continue
            if len(solved.after[here]) > 1:
                who.add(solved.who[here])
                counts = counts or (solved.who[here] is not None and solved.counts(here))
            if counts and len(who) > 1:
                break
            for then, _ in solved.after[here]:
                rests = self._pauses[then]
                place = then, deep + (deeper.get(rests, 0) if rests else 0)
                if place not in seen:
                    seen.add(place)
                    todo.append(place)
        return Amid(len(who) > 1 and bool(who - {None}), counts)
