"""Sets of constraints: which cannot hold together, which can, and what follows from them.

A `Theory` declares unknown integers (read with `Local`) and, if wanted, tables and arrays with
values known or not (read with `Table`, `Load`): claims over free numbers, clauses over one position
or over all.

`optimise` finds the greatest or least value of a number, with a solution that attains it; `valid`
says whether a claim follows.  Seeds and orders are fixed: the same question has the same answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

import z3  # type: ignore[import-untyped]

from ..machine import core
from ..machine.machine import Array, Machine
from ..machine.state import State
from . import formulas, terms
from .formulas import Environment
from .solving import RLIMIT, SolverLimit, answered, ask, known, least, new_solver, why_unknown
from .symbolic import unknowns
from .terms import Truth, Value


@dataclass(frozen=True, slots=True)
class Unknown:
    """An unknown integer, low … high."""

    name: str
    low: int
    high: int


@dataclass(frozen=True, slots=True)
class Constraint:
    """A condition with a name, such as the id of the clause that it comes from."""

    name: str
    test: core.Expr


@dataclass(frozen=True, slots=True)
class Theory:
    """What constraints may speak of."""

    variables: tuple[Unknown, ...] = ()
    arrays: tuple[Array, ...] = ()
    values: tuple[int, ...] | None = None
    """The values of all elements of the arrays, in their order.  None: they are unknowns, too, and
    solutions name them `array[index]` after the variables."""
    tables: Mapping[str, tuple[int, ...]] = field(default_factory=dict)


def position(machine: Machine, state: State, *, variables: Iterable[Unknown] = ()) -> Theory:
    """Make a theory in which constraints speak of a position, and of further unknowns."""
    return Theory(tuple(variables), machine.arrays, state.values, machine.tables)


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
    """The constraints contradict each other; `core` is a minimal set of them that does."""

    core: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Follows:
    """The claim holds in every solution; `because` is a minimal set that implies it."""

    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Refuted:
    """The claim fails in this solution, the least of those in which it does."""

    solution: Solution


@dataclass(frozen=True, slots=True)
class NoAnswer:
    """The solver gave up."""

    why: str


def optimise(
    theory: Theory,
    objective: core.Expr,
    constraints: Sequence[Constraint],
    *,
    goal: Literal["max", "min"] = "max",
    rlimit: int = RLIMIT,
) -> Optimum | Impossible | NoAnswer:
    """Find the greatest (or least) value that an expression can have under constraints."""
    claims = _Claims(theory, constraints, rlimit)
    try:
        if not claims.satisfiable(range(len(constraints))):
            return Impossible(claims.names(claims.shrunk(range(len(constraints)))))
        value = formulas.value_of(objective, claims.scope)
        best = claims.best(value, goal)
        claims.solver.add(*claims.switches, claims.formula(terms.equal(value, best)))
        return Optimum(best, claims.solution())
    except SolverLimit as reached:
        return NoAnswer(str(reached))


def valid(
    theory: Theory,
    constraints: Sequence[Constraint],
    claim: core.Expr,
    *,
    rlimit: int = RLIMIT,
) -> Follows | Refuted | Impossible | NoAnswer:
    """Say whether a claim holds in every solution of the constraints; `Impossible`: there is none.

    A claim that is refuted or follows is one about something: the constraints have a solution.
    """
    denied = Constraint("", core.Unary("not", claim))
    claims = _Claims(theory, [*constraints, denied], rlimit)
    everything = range(len(constraints) + 1)
    try:
        if claims.satisfiable(everything):
            claims.solver.add(*claims.switches)
            return Refuted(claims.solution())
        if not claims.satisfiable(range(len(constraints))):
            return Impossible(claims.names(claims.shrunk(range(len(constraints)))))
        because = claims.shrunk(everything, keep=len(constraints))
        return Follows(claims.names(one for one in because if one < len(constraints)))
    except SolverLimit as reached:
        return NoAnswer(str(reached))


class _Claims:
    """Constraints, each behind a switch that an assumption turns on."""

    def __init__(self, theory: Theory, constraints: Sequence[Constraint], rlimit: int) -> None:
        self.context = z3.Context()
        self.constraints = constraints
        self.rlimit = rlimit
        named = {
            one.name: terms.variable(one.name, one.low, one.high, self.context)
            for one in theory.variables
        }
        self.unknowns: dict[str, Value] = dict(named)
        memory: formulas.Memory = {}
        start = 0
        for array in theory.arrays:
            if theory.values is None:
                memory[array.name] = unknowns(array.name, array, self.context)
                self.unknowns.update(zip(element_names(array), memory[array.name], strict=True))
            else:
                memory[array.name] = theory.values[start : start + array.size]
            start += array.size
        arrays = {array.name: array for array in theory.arrays}
        self.scope = Environment(arrays, theory.tables, memory, named)
        self.tests = [formulas.truth_of(one.test, self.scope) for one in constraints]
        self.switches = [z3.Bool(f"switch {i}", self.context) for i in range(len(constraints))]
        self.solver = new_solver(self.context, rlimit=rlimit)
        self.solver.add(*terms.ranged(self.unknowns.values()))
        for switch, test in zip(self.switches, self.tests, strict=True):
            self.solver.add(z3.Implies(switch, self.formula(test)))

    def formula(self, test: Truth) -> z3.BoolRef:
        return terms.formula(test, self.context)

    def names(self, members: Iterable[int]) -> tuple[str, ...]:
        return tuple(self.constraints[one].name for one in sorted(members))

    def satisfiable(self, members: Iterable[int]) -> bool:
        return answered(self.solver, *(self.switches[one] for one in members))

    def blamed(self) -> set[int]:
        """Return the members that the solver used in its last refutation."""
        used = {str(one) for one in self.solver.unsat_core()}
        return {i for i, switch in enumerate(self.switches) if str(switch) in used}

    def shrunk(self, members: Iterable[int], *, keep: int = -1) -> list[int]:
        """Remove members of a contradiction, the last first, until each is needed; `keep` stays."""
        left = sorted(members)
        for one in sorted(left, reverse=True):
            if one == keep or one not in left:
                continue
            tried = [other for other in left if other != one]
            if not self.satisfiable(tried):
                blamed = self.blamed()
                left = [other for other in tried if other in blamed or other == keep]
        return left

    def best(self, value: Value, goal: Literal["max", "min"]) -> int:
        """Find the best value of an objective while all constraints hold."""
        if isinstance(value, int):
            return value
        optimizer = z3.Optimize(ctx=self.context)
        optimizer.set("rlimit", self.rlimit)
        optimizer.add(*terms.ranged(self.unknowns.values()), *map(self.formula, self.tests))
        if goal == "max":
            optimizer.maximize(value.z)
        else:
            optimizer.minimize(value.z)
        if ask(optimizer) != "yes":
            raise SolverLimit(why_unknown())
        return known(optimizer.model(), value)

    def solution(self, members: Iterable[int] = ()) -> Solution:
        """Find the least solution of what the solver asserts and some members."""
        self.solver.push()
        self.solver.add(*(self.switches[one] for one in members))
        found = least(self.solver, list(self.unknowns.values()))
        self.solver.pop()
        if found is None:
            raise SolverLimit("no least solution within the limit")
        return tuple(zip(self.unknowns, found, strict=True))
