"""All the code that plans hold, with that of the steps, windows and rules which they run."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from ..planning.opening import window_plan
from ..rules.context import TRIGGER
from ..rules.plan import Atomic, Branch, Finish, Loop, Owe, Rest, Run, Sentence

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ..machine.core import Expr, Stmt
    from ..planning.planner import Planner
    from ..rules.plan import Plan


def running(
    planner: Planner, plans: Iterable[Plan], runs: set[str] | None = None
) -> Iterator[Expr | tuple[Stmt, ...] | Finish]:
    """Give every condition, every piece of code, and every end of the game; each run once."""
    runs = set() if runs is None else runs
    for plan in plans:
        match plan:
            case Atomic(code=code):
                yield code
            case Owe(test=test):
                yield test
            case Branch(test=test, then=then, other=other):
                yield test
                yield from running(planner, (*then, *other), runs)
            case Loop(before=before, test=test, body=body, step=step):
                yield before
                yield test
                yield from running(planner, body, runs)
                yield step
            case Rest(by=by, forks=forks):
                if by is not None:
                    yield by
                for fork in forks:
                    yield from (condition.test for condition in fork.conditions)
                    for param in fork.params:
                        yield param.where
                        if param.most is not None:
                            yield param.most
                    if fork.weight is not None:
                        yield fork.weight
                    yield from running(planner, fork.plans, runs)
            case Run(target=target, args=args):
                yield args
                if target not in runs:
                    runs.add(target)
                    yield from running(planner, _target(planner, target), runs)
            case Sentence(test=test, plans=inner, otherwise=otherwise):
                yield test
                yield from running(planner, (*inner, *(otherwise or ())), runs)
            case Finish(code=code):
                yield plan
                yield code
            case _:
                assert_never(plan)


def inside(plans: Iterable[Plan]) -> Iterator[Plan]:
    """Give plans and all that stand in them, without what they run."""
    for plan in plans:
        yield plan
        match plan:
            case Branch(then=then, other=other):
                yield from inside((*then, *other))
            case Loop(body=body):
                yield from inside(body)
            case Rest(forks=forks):
                yield from inside(each for fork in forks for each in fork.plans)
            case Sentence(plans=within, otherwise=otherwise):
                yield from inside((*within, *(otherwise or ())))
            case _:
                pass


def _target(planner: Planner, target: str) -> Iterable[Plan]:
    name, level = target.rsplit("@", 1)
    if name.startswith(TRIGGER):
        return planner.trigger(name, int(level))
    if name in planner.game.steps:
        return planner.step(name, int(level))
    return window_plan(planner, name, int(level))
