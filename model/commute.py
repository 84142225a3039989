"""Does the order of two effects matter?  `first; second` against `second; first`, in every state.

First by what they touch (`footprint`): effects that do not touch each other commute, whatever they
do.  Then by Z3: both orders are run on the same unknown state, and a state is sought after which
they disagree in an element or in an obligation that failed.  The question is asked of all states
within the ranges of the arrays, reachable or not, apart from what the caller assumes; so `Commutes`
is a proof, and `Differs` a reason to look whether play can get there.

A difference comes with its least state (element by element, in the order of the vector) and with
the condition of differing: boxes of states, grown from a least state as far as the orders still
differ everywhere inside, until no state is left (`exact`) or `REGIONS` boxes are found.  This is
what turns "they do not commute" into "only at maximum life".  Cost: a few dozen small queries.

Every state that Z3 finds is replayed by the interpreter's own rules before it is handed out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import z3  # type: ignore[import-untyped]

from . import core, formulas, terms
from .evaluate import Run, execute
from .footprint import footprint
from .formulas import Log, Scope
from .machine import Machine, Param
from .solving import RLIMIT, SolverLimit, answered, ask, least, new_solver
from .state import Arg
from .symbolic import SymbolicMachine, parameters
from .terms import Term, Truth, Value

REGIONS = 8
"""How many boxes may make up the condition under which two orders differ."""

Body: TypeAlias = tuple[core.Stmt, ...]


@dataclass(frozen=True, slots=True)
class Commutes:
    """The order does not matter: the two touch different things, or Z3 proved it."""

    how: Literal["footprint", "solver"]


@dataclass(frozen=True, slots=True)
class Bound:
    """One element of an array (or of a parameter), and the range that it lies in."""

    name: str
    index: tuple[int, ...]
    low: int
    high: int


Region: TypeAlias = tuple[Bound, ...]
"""A box of states: all that is not named is free."""


@dataclass(frozen=True, slots=True)
class Differs:
    """The order matters in this state; `when` says in which others.

    `places` are the elements of the vector in which the results differ, `obligations` those that
    failed in one order only.
    """

    values: tuple[int, ...]
    args: tuple[Arg, ...]
    first_then_second: tuple[int, ...]
    second_then_first: tuple[int, ...]
    places: tuple[int, ...]
    obligations: tuple[int, ...]
    when: tuple[Region, ...]
    exact: bool
    """True if `when` covers all states in which the order matters, not only some."""


@dataclass(frozen=True, slots=True)
class Undecided:
    """The solver gave up."""

    why: str


Verdict: TypeAlias = Commutes | Differs | Undecided


def commute(
    machine: Machine,
    first: Body,
    second: Body,
    *,
    assume: Sequence[core.Expr] = (),
    params: Sequence[Param] = (),
    regions: int = REGIONS,
    rlimit: int = RLIMIT,
) -> Verdict:
    """Decide whether two bodies over a machine's arrays may change places.

    `assume` are conditions on the state before, `params` what both bodies may refer to as locals.
    """
    arrays = {array.name: array for array in machine.arrays}
    one, other = footprint(first, arrays), footprint(second, arrays)
    if not one.disturbs(other) and not other.disturbs(one):
        return Commutes("footprint")
    question = _Question(machine, (first, second), assume, params, rlimit)
    try:
        return question.verdict(regions)
    except SolverLimit as limit:
        return Undecided(str(limit))


class _Question:
    """Both orders on one unknown state."""

    def __init__(
        self,
        machine: Machine,
        bodies: tuple[Body, Body],
        assume: Sequence[core.Expr],
        params: Sequence[Param],
        rlimit: int,
    ) -> None:
        self.symbolic = SymbolicMachine(machine)
        self.context = self.symbolic.context
        self.bodies = bodies
        self.params = tuple(params)
        self.rlimit = rlimit
        scope, self.args, tests = parameters(params, "!", self.symbolic.scope(), self.context)
        tests += [formulas.truth_of(one, scope) for one in assume]
        self.unknowns: tuple[Value, ...] = (
            *self.symbolic.state,
            *(one for arg in self.args for one in arg),
        )
        self.given = [*terms.ranged(self.unknowns), terms.formula(terms.both(*tests), self.context)]
        self.differ = terms.formula(self.difference(scope), self.context)
        named = terms.names_in([self.differ, *self.given[-1:]])
        self.relevant = [
            (number, one)
            for number, one in enumerate(self.unknowns)
            if isinstance(one, Term) and one.z.decl().name() in named
        ]

    def difference(self, scope: Scope) -> Truth:
        """Say that the two orders disagree."""
        (memory, noted), (turned, noted_turned) = (
            self.after(scope, order) for order in (self.bodies, self.bodies[::-1])
        )
        tests = [
            terms.negation(terms.equal(a, b))
            for name in memory
            for a, b in zip(memory[name], turned[name], strict=True)
        ]
        for number in sorted({number for _, number in (*noted, *noted_turned)}):
            here, there = (
                terms.either(*(test for test, one in log if one == number))
                for log in (noted, noted_turned)
            )
            agree = terms.equal(terms.number(here), terms.number(there))
            tests.append(terms.negation(agree))
        return terms.either(*tests)

    def after(
        self, scope: Scope, order: tuple[Body, ...]
    ) -> tuple[formulas.Memory, list[tuple[Truth, int]]]:
        """Run both bodies in an order."""
        log, now = Log(), scope
        for body in order:
            ran = formulas.run(body, now, True, log)  # noqa: FBT003  (always reached)
            now = formulas.with_memory(scope, ran.memory)
        return now.memory, log.notes

    def solver(self, *tests: z3.BoolRef) -> z3.Solver:
        """Make a solver that knows what is given."""
        solver = new_solver(self.context, rlimit=self.rlimit)
        solver.add(*self.given, *tests)
        return solver

    def verdict(self, regions: int) -> Verdict:
        """Find the least state that differs, and then the boxes in which all do."""
        differing, agreeing = self.solver(self.differ), self.solver(z3.Not(self.differ))
        if not answered(differing):
            return Commutes("solver")
        witness = self.least(differing)
        found: list[Region] = []
        point = witness
        exact = False
        while not exact and len(found) < regions:
            box = self.grown(agreeing, point)
            found.append(self.named(box))
            differing.add(z3.Not(self.inside(box)))
            exact = not answered(differing)
            if not exact and len(found) < regions:
                point = self.least(differing)
        return self.replayed(witness, tuple(found), exact=exact)

    def least(self, solver: z3.Solver) -> tuple[int, ...]:
        """Find the least solution; what no formula mentions is at its lowest."""
        values = [terms.low(one) for one in self.unknowns]
        found = least(solver, [one for _, one in self.relevant])
        if found is None:
            raise SolverLimit(solver.reason_unknown())
        for (number, _), value in zip(self.relevant, found, strict=True):
            values[number] = value
        return tuple(values)

    def grown(self, agreeing: z3.Solver, point: tuple[int, ...]) -> dict[int, tuple[int, int]]:
        """Grow a point into a box in which no state agrees, dimension by dimension."""
        box = {number: (point[number], point[number]) for number, _ in self.relevant}
        for number, one in self.relevant:
            box[number] = (one.low, one.high)
            if ask(agreeing, self.inside(box)) == "no":
                del box[number]
                continue
            low = high = point[number]
            reach = one.high
            while high < reach:
                middle = (high + reach + 1) // 2
                box[number] = (low, middle)
                if ask(agreeing, self.inside(box)) == "no":
                    high = middle
                else:
                    reach = middle - 1
            reach = one.low
            while reach < low:
                middle = (reach + low) // 2
                box[number] = (middle, high)
                if ask(agreeing, self.inside(box)) == "no":
                    low = middle
                else:
                    reach = middle + 1
            box[number] = (low, high)
        return box

    def inside(self, box: dict[int, tuple[int, int]]) -> z3.BoolRef:
        """Say that the unknowns lie in a box."""
        tests = [
            test
            for number, (low, high) in box.items()
            for test in (
                terms.at_most(low, self.unknowns[number]),
                terms.at_most(self.unknowns[number], high),
            )
        ]
        return terms.formula(terms.both(*tests), self.context)

    def named(self, box: dict[int, tuple[int, int]]) -> Region:
        """Name the elements that a box restricts."""
        names = [
            (array.name, index)
            for array in self.symbolic.machine.arrays
            for index in places(array.dims)
        ]
        names += [
            (param.name, (kind,) if param.bag else ())
            for param, arg in zip(self.params, self.args, strict=True)
            for kind in range(len(arg))
        ]
        return tuple(Bound(*names[number], *box[number]) for number in sorted(box))

    def replayed(
        self, witness: tuple[int, ...], when: tuple[Region, ...], *, exact: bool
    ) -> Differs:
        """Run both orders by the interpreter's rules, and insist that they differ."""
        size = len(self.symbolic.state)
        values, rest = witness[:size], list(witness[size:])
        args: list[Arg] = []
        for param, arg in zip(self.params, self.args, strict=True):
            counts, rest = tuple(rest[: len(arg)]), rest[len(arg) :]
            args.append(counts if param.bag else counts[0])
        names = {param.name: arg for param, arg in zip(self.params, args, strict=True)}
        runs = [Run(list(values)), Run(list(values))]
        for run, order in zip(runs, (self.bodies, self.bodies[::-1]), strict=True):
            for body in order:
                execute(self.symbolic.shape, run, body, names)
        one, other = runs
        pairs = enumerate(zip(one.values, other.values, strict=True))
        places_ = tuple(place for place, (a, b) in pairs if a != b)
        noted = tuple(sorted(set(one.notes) ^ set(other.notes)))
        if not places_ and not noted:
            raise AssertionError(f"two orders that Z3 says differ agree on replay: {values}")
        return Differs(
            values=values,
            args=tuple(args),
            first_then_second=tuple(one.values),
            second_then_first=tuple(other.values),
            places=places_,
            obligations=noted,
            when=when,
            exact=exact,
        )


def places(dims: tuple[int, ...]) -> list[tuple[int, ...]]:
    """List the indices of an array in the order of the vector."""
    found: list[tuple[int, ...]] = [()]
    for size in dims:
        found = [(*index, at) for index in found for at in range(size)]
    return found
