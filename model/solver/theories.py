"""Claims about unknown numbers: whether they follow from conditions, and what is most or least.

A `Theory` declares unknown integers (read with `Local`) and, if wanted, arrays of unknowns and
tables (read with `Load`, `Table`).  `optimise` finds the greatest or least value of a number, with
a solution that attains it; `valid` says whether a claim follows.  Seeds and orders are fixed: the
same question has the same answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import z3  # type: ignore[import-untyped]

from ..machine import core
from ..machine.machine import Array
from . import formulas, terms
from .formulas import Environment
from .solving import RLIMIT, SolverLimit, answered, ask, gave_up, known, least, new_solver
from .symbolic import unknowns
from .terms import Value


@dataclass(frozen=True, slots=True)
class IntVariable:
    """An unknown integer, low … high."""

    name: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Theory:
    """What conditions may speak of; solutions name elements of arrays behind the variables."""

    variables: tuple[IntVariable, ...] = ()
    arrays: tuple[Array, ...] = ()
    tables: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def element_names(array: Array) -> list[str]:
    """Name the elements of an array: `life[0]`, or `life` alone if there is but one."""
    found = [""]
    for size in array.dims:
        found = [f"{before},{at}" for before in found for at in range(size)]
    return [f"{array.name}[{index[1:]}]" if index else array.name for index in found]


Solution: TypeAlias = tuple[tuple[str, int], ...]
"""The unknowns by name, in the order in which they are declared."""


@dataclass(frozen=True, slots=True)
class Optimum:
    """The best value of an objective, and the least of the solutions that attain it."""

    value: int
    solution: Solution


@dataclass(frozen=True, slots=True)
class Impossible:
    """The conditions contradict each other."""


@dataclass(frozen=True, slots=True)
class Follows:
    """The claim holds in every solution."""


@dataclass(frozen=True, slots=True)
class Refuted:
    """The claim fails in this solution, the least of those in which it does."""

    solution: Solution


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The solver gave up; `late`: as the time was up."""

    why: str
    late: bool = False


def optimise(
    theory: Theory, objective: core.Expr, conditions: Sequence[core.Expr], *,
    goal: Literal["max", "min"] = "max",
) -> Optimum | Impossible | NoAnswer:
    """Find the greatest (or least) value that an expression can have under conditions."""
    asked = _Asked(theory, conditions)
    try:
        if not answered(asked.solver):
            return Impossible()
        value = formulas.value_of(objective, asked.scope)
        best = asked.best(value, goal)
        asked.solver.add(terms.formula(terms.equal(value, best), asked.context))
        return Optimum(best, asked.solution())
    except SolverLimit as reached:
        return NoAnswer(str(reached), reached.late)


def valid(
    theory: Theory, conditions: Sequence[core.Expr], claim: core.Expr
) -> Follows | Refuted | Impossible | NoAnswer:
    """Say whether a claim holds in every solution of the conditions; `Impossible`: there is none.

    A claim that is refuted or follows is one about something: the conditions have a solution.
    """
    asked = _Asked(theory, conditions)
    try:
        asked.solver.push()
        asked.solver.add(asked.formula(core.Unary("not", claim)))
        if answered(asked.solver):
            return Refuted(asked.solution())
        asked.solver.pop()
        return Follows() if answered(asked.solver) else Impossible()
    except SolverLimit as reached:
        return NoAnswer(str(reached), reached.late)


class _Asked:
    """A theory in which some conditions hold, as a solver knows it."""

    def __init__(self, theory: Theory, conditions: Sequence[core.Expr]) -> None:
        self.context = z3.Context()
        named = {one.name: terms.variable(one.name, one.low, one.high, self.context)
                 for one in theory.variables}
        self.unknowns: dict[str, Value] = dict(named)
        memory: formulas.Memory = {}
        for array in theory.arrays:
            memory[array.name] = unknowns(array.name, array, self.context)
            self.unknowns.update(zip(element_names(array), memory[array.name], strict=True))
        arrays = {array.name: array for array in theory.arrays}
        self.scope = Environment(arrays, theory.tables, memory, named)
        self.asserted = (*terms.ranged(self.unknowns.values()), *map(self.formula, conditions))
        self.solver = new_solver(self.context, rlimit=RLIMIT)
        self.solver.add(*self.asserted)

    def formula(self, test: core.Expr) -> z3.BoolRef:
        return terms.formula(formulas.truth_of(test, self.scope), self.context)

    def best(self, value: Value, goal: Literal["max", "min"]) -> int:
        """Find the best value of an objective while all conditions hold."""
        if isinstance(value, int):
            return value
        optimizer = z3.Optimize(ctx=self.context)
        optimizer.set("rlimit", RLIMIT)
        optimizer.add(*self.asserted)
        if goal == "max":
            optimizer.maximize(value.z)
        else:
            optimizer.minimize(value.z)
        if ask(optimizer) != "yes":
            raise gave_up()
        return known(optimizer.model(), value)

    def solution(self) -> Solution:
        """Find the least solution of what the solver asserts."""
        found = least(self.solver, list(self.unknowns.values()))
        if found is None:
            raise SolverLimit("no least solution within the limit")
        return tuple(zip(self.unknowns, found, strict=True))
