"""All plans that some plans hold, with those of the steps, windows and rules which they run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from ..game.game import Clause
from ..machine.core import Expr, Stmt
from ..planning.opening import window_plan
from ..planning.planner import Planner
from ..rules.context import TRIGGER
from ..rules.plan import Atomic, Branch, Finish, Fork, Loop, Owe, Plan, Rest, Run, Sentence, inside


def called(planner: Planner, plans: Iterable[Plan], runs: set[str] | None = None) -> Iterator[Plan]:
    """Yield plans, all that stand in them, and all that they run; what is run once only."""
    runs = set() if runs is None else runs
    for plan in inside(plans):
        yield plan
        if isinstance(plan, Run) and plan.target not in runs:
            runs.add(plan.target)
            yield from called(planner, plans_of(planner, plan.target), runs)


def texts(plan: Plan) -> Iterator[Expr | tuple[Stmt, ...]]:
    """Yield the conditions and the code of a plan itself, without the plans in it."""
    match plan:
        case Atomic(code=code) | Finish(code=code) | Run(args=code):
            yield code
        case Owe(test=test) | Branch(test=test) | Sentence(test=test):
            yield test
        case Loop(before=before, test=test, step=step):
            yield before
            yield test
            yield step
        case Rest(by=by, forks=forks):
            if by is not None:
                yield by
            for fork in forks:
                yield from fork_texts(fork)
        case _:
            assert_never(plan)


def fork_texts(fork: Fork) -> Iterator[Expr]:
    """Yield what decides whether a fork can be taken, and how likely."""
    yield from (condition.test for condition in fork.conditions)
    for param in fork.params:
        yield param.where
        if param.most is not None:
            yield param.most
    if fork.weight is not None:
        yield fork.weight


def plans_of(planner: Planner, target: str) -> tuple[Plan, ...]:
    """Plan the step, window or rule of any time that a `Run` names."""
    name, level = target.rsplit("@", 1)
    if name.startswith(TRIGGER):
        return planner.trigger(name, int(level))
    if name in planner.game.steps:
        return planner.step(name, int(level))
    return window_plan(planner, name, int(level))


def sentences_of(planner: Planner, clause: Clause) -> tuple[Sentence, ...]:
    """Plan a clause where it stands, with the names that it can use there."""
    home = f"{TRIGGER}{clause.id}" if clause.whenever is not None else clause.on
    if not home:
        return ()
    return tuple(plan for plan in inside(plans_of(planner, f"{home}@0"))
                 if isinstance(plan, Sentence) and plan.clause == clause.id)
