"""All plans that some plans hold, with those of the steps, windows and rules which they run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from ..game.game import Clause
from ..machine.core import Expr, Stmt
from ..planning.opening import window_plan
from ..planning.planner import Planner
from ..rules.plan import (
    Atomic,
    Branch,
    Finish,
    Fork,
    Loop,
    Owe,
    Plan,
    Rest,
    Run,
    Sentence,
    Target,
    inside,
)


def called(
    planner: Planner, plans: Iterable[Plan], runs: set[Target] | None = None
) -> Iterator[Plan]:
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


def plans_of(planner: Planner, target: Target) -> tuple[Plan, ...]:
    """Plan a step, a window or a rule of any time."""
    if target.rule:
        return planner.trigger(target)
    if target.name in planner.game.steps:
        return planner.step(target.name, target.level)
    return window_plan(planner, target.name, target.level)


def sentences_of(planner: Planner, clause: Clause) -> tuple[Sentence, ...]:
    """Plan a clause where it stands, with the names that it can use there."""
    home = Target(clause.on) if clause.whenever is None else Target(clause.id, rule=True)
    if not home.name:
        return ()
    return tuple(plan for plan in inside(plans_of(planner, home))
                 if isinstance(plan, Sentence) and plan.clause == clause.id)
