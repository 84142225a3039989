"""Bodies with their names resolved, before control flow is cut into nodes and edges.

A plan is a tree of these statements.  `Atomic` code runs in one piece; everything else may come to
rest at a decision or a chance, may jump, or may loop over something that does.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..machine.core import Expr, Stmt
from ..machine.machine import Condition, Param
from ..sealed import sealed


@sealed
class Atomic:
    """Core statements that run in one piece."""

    code: tuple[Stmt, ...]


@sealed
class Owe:
    """An obligation: if `test` fails it is noted, and with `abandon` the body ends here."""

    test: Expr
    obligation: int
    abandon: bool


@sealed
class Branch:
    """`then` if `test`, else `other`."""

    test: Expr
    then: tuple[Plan, ...]
    other: tuple[Plan, ...] = ()


@sealed
class Loop:
    """Run `before` once, then while `test` holds: `body`, then `step`.

    `trips` is how often at most, if that is known (0: it is not).
    """

    before: tuple[Stmt, ...]
    test: Expr
    body: tuple[Plan, ...]
    step: tuple[Stmt, ...]
    trips: int = 0


@sealed
class Fork:
    """One way on from a choice or a chance: an edge, then `plans`."""

    label: str
    params: tuple[Param, ...]
    conditions: tuple[Condition, ...]
    plans: tuple[Plan, ...]
    weight: Expr | None = None
    passes: bool = False
    clauses: tuple[str, ...] = ()


@sealed
class Rest:
    """A point where a player (`by`), chance or nobody in particular picks one of the forks."""

    kind: str
    name: str
    ask: str
    by: Expr | None
    forks: tuple[Fork, ...]


@sealed
class Target:
    """What is run: a step, a window, or a `rule` of any time, at a level of nesting.

    `name` is that of the step or window, or the id of the rule's clause, and `around` are the rules
    that a rule acts inside of, the innermost first.
    """

    name: str
    level: int = 0
    rule: bool = False
    around: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What it is called without its level: no rule is called like a step or a window."""
        return " ".join(("when", self.name, *self.around)) if self.rule else self.name

    def __str__(self) -> str:
        return f"{self.words}@{self.level}"


@sealed
class Run:
    """Run a step, a window or a rule: store the arguments, go there, come back."""

    target: Target
    args: tuple[Stmt, ...]


@sealed
class Sentence:
    """The body of one clause: what is abandoned inside it goes on after it.

    When an obligation in it fails, `otherwise` (if given) is run instead of the rest.  With `part`
    it is a piece of the clause's body that is abandoned by itself.
    """

    clause: str
    test: Expr
    plans: tuple[Plan, ...]
    otherwise: tuple[Plan, ...] | None = None
    part: bool = False


@sealed
class Finish:
    """The game is over; `code` sets who has won."""

    code: tuple[Stmt, ...]


Plan = Atomic | Owe | Branch | Loop | Rest | Run | Sentence | Finish


def inside(plans: Iterable[Plan]) -> Iterator[Plan]:
    """Yield plans and all that stand in them, without what they run."""
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
