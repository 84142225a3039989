"""Asking Z3: solvers that answer alike in every run, and models read back into numbers.

Verdicts depend on nothing but the question: seeds are fixed, every analysis has a context of its
own, and work is limited in Z3's own units (`rlimit`).  The clock counts only for a caller who sets
a time (`until`): what is asked after it has no answer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from typing import Literal

import z3  # type: ignore[import-untyped]

from ..stop import CANCEL, TIME_UP, WHOLE, come_through
from .terms import Term, Truth, Value

RLIMIT = 300_000_000
"""How much work one query may cost, unless the caller says otherwise."""

TOO_HARD = "the solver has no answer within the work that one question may cost"
"""Why there is no answer."""

Answer = Literal["yes", "no", "unknown"]

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


@contextmanager
def until(deadline: float | None) -> Iterator[None]:
    """Let questions that are asked inside have no answer after a time of `time.monotonic`."""
    before = _deadline.get()
    known = [each for each in (before, deadline) if each is not None]
    token = _deadline.set(min(known, default=None))
    try:
        yield
    finally:
        _deadline.reset(token)


def time_left() -> float | None:
    """Return the seconds until questions have no answer any more; None: there is no such time."""
    deadline = _deadline.get()
    return None if deadline is None else deadline - time.monotonic()


class SolverLimit(RuntimeError):  # noqa: N818  (a word of the domain: a limit, not a mistake)
    """The solver gave up; the text says why, and `late` whether the time was up."""

    def __init__(self, why: str, *, late: bool = False) -> None:
        super().__init__(why)
        self.late = late


_asked: list[z3.Context] = []
"""The contexts in which a question is being asked; in any other one an interrupt would stay."""

WHOLE.append(str(Path(z3.__file__).parent))

z3.set_param("ctrl_c", False)  # noqa: FBT003  (Z3's own handler would keep the signal from us)


def _cancel() -> None:
    """End what Z3 is doing; that query is answered "unknown"."""
    for context in tuple(_asked):
        context.interrupt()


CANCEL.append(_cancel)


def new_solver(context: z3.Context, *, rlimit: int = RLIMIT) -> z3.Solver:
    """Make a solver with fixed seeds and a limit on its work."""
    solver = z3.Solver(ctx=context)
    solver.set("random_seed", 1)
    solver.set("rlimit", rlimit)
    return solver


def ask(solver: z3.Solver | z3.Optimize, *assumptions: z3.BoolRef) -> Answer:
    """Ask whether the assertions can hold together."""
    left = time_left()
    if left is not None:
        if left <= 0:
            return "unknown"
        solver.set("timeout", int(1000 * left) + 1)
    _asked.append(solver.ctx)
    try:
        result = solver.check(*assumptions)
    finally:
        _asked.pop()
    if result == z3.unknown:
        come_through()
    return "yes" if result == z3.sat else "no" if result == z3.unsat else "unknown"


def gave_up() -> SolverLimit:
    """Return why there was no answer to the last question."""
    left = time_left()
    late = left is not None and left <= 0
    return SolverLimit(TIME_UP if late else TOO_HARD, late=late)


def answered(solver: z3.Solver, *assumptions: z3.BoolRef) -> bool:
    """Ask the same where an unknown answer is of no use."""
    answer = ask(solver, *assumptions)
    if answer == "unknown":
        raise gave_up()
    return answer == "yes"


def spent(solver: z3.Solver) -> int:
    """Tell how much work all solvers of this one's context have done, in units of `rlimit`."""
    return next((int(count) for name, count in solver.statistics() if name == "rlimit count"), 0)


def known(model: z3.ModelRef, value: Value) -> int:
    """Read a number out of a model."""
    if isinstance(value, int):
        return value
    return int(model.eval(value.z, model_completion=True).as_long())


def true_in(model: z3.ModelRef, test: Truth) -> bool:
    """Read a truth out of a model."""
    if isinstance(test, bool):
        return test
    return bool(z3.is_true(model.eval(test, model_completion=True)))


def least(solver: z3.Solver, values: Sequence[Value]) -> tuple[int, ...] | None:
    """Find the solution that is least in the first value, then in the second, and so on.

    Each value in turn is pushed down, first to its lowest, then by halving, and pinned.  None if
    there is no solution or the solver gives up on the way.  The solver is left as it was.
    """
    solver.push()
    try:
        if ask(solver) != "yes":
            return None
        found: list[int] = []
        model = solver.model()
        for value in values:
            if isinstance(value, Term):
                lowest = pushed_down(solver, value, model)
                if lowest is None:
                    return None
                model, best = lowest
                solver.add(value.z == best)
            found.append(known(model, value))
        return tuple(found)
    finally:
        solver.pop()


def pushed_down(
    solver: z3.Solver, value: Term, model: z3.ModelRef
) -> tuple[z3.ModelRef, int] | None:
    """Find the lowest value that a term can have, and a model of it; None: the solver gave up."""
    low, best = value.low, known(model, value)
    middle = low
    while low < best:
        answer = ask(solver, value.z <= middle)
        if answer == "unknown":
            return None
        if answer == "yes":
            model = solver.model()
            best = known(model, value)
        else:
            low = middle + 1
        middle = (low + best) // 2
    return model, best
