"""What a verification has at hand, and what it has found so far."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from ..search.explore import Exploration
    from ..search.workbench import Instance, Workbench
    from .results import Explored, Finding, Harmless, Holds, Method, NotChecked
    from .symptoms import Mark

SMALL = 30_000
"""States of the largest scope in which readings are compared and clauses taken out."""


@dataclass(slots=True)
class Scoped:
    """A scope on the bench: its instance, its exploration, and how far that went."""

    name: str
    instance: Instance
    exploration: Exploration
    explored: Explored

    @property
    def whole(self) -> bool:
        """Say whether nothing stopped the exploration, nor a bound of the model any play in it.

        The model holds so many records, cards of a pile and windows in windows, and no more.
        """
        beyond = {duty.id for duty in self.instance.compiled.machine.obligations
                  if duty.defect == "capacity"}
        return self.explored.complete and not beyond & self.exploration.tally.notes.keys()


def method_of(scopes: Iterable[Scoped]) -> Method:
    """Say how far scopes were looked at."""
    return "exhaustive" if all(scope.whole for scope in scopes) else "bounded"


def names_of(scopes: Iterable[Scoped]) -> str:
    """List the names of scopes."""
    return ", ".join(scope.name for scope in scopes)


@dataclass(slots=True)
class Audit:
    """One verification; every check adds to it."""

    bench: Workbench
    printed: Instance
    scopes: list[Scoped]
    max_states: int
    seed: int
    say: Callable[[str], None]
    wanted: Callable[[str], bool]
    findings: list[Finding] = field(default_factory=list)
    harmless: list[Harmless] = field(default_factory=list)
    holds: list[Holds] = field(default_factory=list)
    not_checked: list[NotChecked] = field(default_factory=list)
    deadline: float | None = None
    """When to stop asking questions, by the clock `time.monotonic`, which all processes share."""
    left_out: bool = False
    """Whether a scope was not explored at all, for want of time."""
    certify: bool = False
    certificate: str = ""
    """The proofs as SMT-LIB text, if they are to be written."""
    known: tuple[Finding, ...] = ()
    """What was found before the question that is being asked."""
    shown: dict[str, frozenset[Mark]] = field(default_factory=dict)
    """Scope → what its exploration shows (`ways.shown_in` fills it)."""

    @property
    def late(self) -> bool:
        """Say whether the time is up."""
        return self.deadline is not None and time.monotonic() >= self.deadline

    def comparable(self) -> list[Scoped]:
        """Give the scopes that are small enough to be explored again and again, smallest first."""
        small = [s for s in self.scopes if s.explored.complete and s.explored.states <= SMALL]
        if not small:
            small = [min(self.scopes, key=lambda s: s.explored.states)]
        return sorted(small, key=lambda s: (s.explored.states, s.name))

    def reach(self) -> Method:
        """Say how far what is true of all comparable scopes was looked at."""
        return "bounded" if self.left_out else method_of(self.comparable())

    def add(self, finding: Finding) -> None:
        """Add a finding, unless it is known already.

        Also of a class that is not wanted: other checks may build on it.
        """
        if all(f.id != finding.id for f in self.findings):
            self.findings.append(finding)
