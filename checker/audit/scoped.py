"""Scopes as they were explored, and how far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from ...model.machine.machine import Machine
from ...model.machine.state import Move
from ..bench.workbench import Instance
from ..findings.evidence import Shows
from ..findings.results import Explored, Method
from ..packed.coverage import Covered
from ..search.explore import Exploration, Result

BOUND = "a bound of the model"
"""What stopped an exploration that found all states of the model, and not all of the game."""


@dataclass(slots=True)
class Scoped:
    """A scope on the bench: its instance, its exploration, and how far that went."""

    name: str
    instance: Instance
    exploration: Exploration
    explored: Explored

    def __reduce__(self) -> Any:  # noqa: ANN401  (as pickle wants it)
        found = None if self.finished else len(self.exploration.order)
        return _again, (self.name, self.instance, found, self.explored)

    @property
    def whole(self) -> bool:
        """Whether all states of the game were found: no bound of the model cut a play either."""
        return self.explored.complete

    @property
    def finished(self) -> bool:
        """Whether all states of the model were found."""
        return self.exploration.finished

    @property
    def covered(self) -> Covered:
        """What its exploration used of the machine."""
        cover = self.exploration.result().coverage
        assert cover is not None
        return cover

    def shows(self, moves: tuple[Move, ...]) -> Shows:
        """Return a play of the scope, as one that shows something."""
        return Shows(self.instance, self.name, method_of([self]), moves)


def _again(name: str, instance: Instance, found: int | None, explored: Explored) -> Scoped:
    """Explore a scope again where it is unpickled: that takes less time than to send its states."""
    return Scoped(name, instance, instance.explored(found), explored)


def explored(name: str, machine: Machine, result: Result) -> Explored:
    """Sum up the exploration of a scope.

    It is not complete if it was stopped, or if a play met a bound of the model: a pool, a pile or
    what a deck remembers was full, or a window was nested as deep as its `depth`.
    """
    bounds = tuple(dict.fromkeys(duty.prompt for duty in machine.obligations
                                 if duty.is_bound and duty.id in result.notes))
    stopped = result.stopped or (BOUND if bounds else "")
    return Explored(name, result.states, result.transitions, result.depth, result.final,
                    result.complete and not bounds, stopped, bounds)


def method_of(scopes: Iterable[Scoped]) -> Method:
    """Return how far scopes were looked at."""
    return "exhaustive" if all(scope.whole for scope in scopes) else "bounded"


def names_of(scopes: Iterable[Scoped]) -> str:
    """List the names of scopes."""
    return ", ".join(scope.name for scope in scopes)
