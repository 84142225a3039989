"""What planning knows of a body while it reads it, and small questions about bodies and plans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import replace

from ..game import syntax as sx
from ..machine.core import FALSE, TRUE, Binary, Const, Load, Stmt, Store
from ..machine.memory import Memory, Role
from ..machine.traversal import writes
from ..sealed import sealed
from ..source.errors import Place
from .meanings import Names, Value
from .plan import Atomic, Branch, Finish, Loop, Owe, Plan, Rest, Run, Sentence, inside

Plans = tuple["Plan", ...]

VERSION = "~"
"""Between the id of a clause and the number of its version, in a game that stands for many; ids of
a spec do not have it."""


def own(name: str) -> str:
    """Return a name without the numbers of versions in it."""
    return re.sub(rf"{VERSION}\d+", "", name) if VERSION in name else name


@sealed
class Unordered:
    """A place where the book names no order: a loop over players, or clauses on one step."""

    kind: str
    clauses: tuple[str, ...]


@sealed
class Here:
    """Where a body stands: its clause, whose its locals are, how deep its window is nested.

    `changed` are the locals that it assigns more than once, `moving` the names of the spec that it
    may change, and `loose` the locals that may not have been set here.  `origin` is where its text
    begins, and `part` what it is called beside the other texts of its clause.
    """

    clause: str
    owner: str
    level: int
    scope: Names
    changed: frozenset[str]
    loop_order: str = ""
    moving: frozenset[str] = frozenset()
    loose: frozenset[str] = frozenset()
    origin: Place | None = None
    part: str = ""

    def kept(self, name: str, role: Role = "local") -> Memory:
        """Return what is kept of a name of this body."""
        return Memory(role, self.owner, name, self.level)

    def kept_at(self, word: str, at: Place, role: Role = "local") -> Memory:
        """Return what is kept at a place of this body: its line of the text and its column.

        Lines are counted from where the text begins, so a state is called the same where lines are
        moved above it.
        """
        line = at.line - self.origin.line if self.origin is not None else at.line
        return replace(self.kept(word, role), place=f"{self.part}{line}.{at.column}")

    def bind(self, name: str, value: Value, *, loose: bool = False) -> Here:
        """Add a name, which is set here for certain or `loose`."""
        known = self.loose | {name} if loose else self.loose - {name}
        return replace(self, scope=self.scope.bind(name, value), loose=known)


def asks(test: sx.Expr) -> tuple[sx.Call, bool] | None:
    """Return the `may(…)` that a test consists of, and whether its yes is the test's yes."""
    positive = True
    while isinstance(test, sx.Prefix) and test.op == "not":
        test, positive = test.operand, not positive
    if isinstance(test, sx.Call) and isinstance(test.func, sx.Name) and test.func.name == "may":
        return test, positive
    return None


def changed(statements: tuple[sx.Stmt, ...], given: Iterable[str] = ()) -> frozenset[str]:
    """Name the locals that are assigned more than once, or changed in place, or in a loop.

    Those that are `given` have a value from the start.
    """
    seen = set(given)
    again: set[str] = set()

    def visit(block: tuple[sx.Stmt, ...], *, looped: bool) -> None:
        for stmt in block:
            match stmt:
                case sx.Assign(target=sx.Name(name=name), op=op):
                    if op != "=" or name in seen or looped:
                        again.add(name)
                    seen.add(name)
                case sx.IfThen(then=then, other=other):
                    visit(then, looped=looped)
                    visit(other, looped=looped)
                case sx.ForEach(body=body) | sx.While(body=body):
                    visit(body, looped=True)
                case _:
                    pass

    visit(statements, looped=False)
    return frozenset(again)


def written(plans: Iterable[Plan]) -> frozenset[str]:
    """Name the arrays that plans write themselves (not in the steps that they run)."""
    return frozenset(name for plan in inside(plans) if isinstance(plan, Atomic | Finish)
                     for name in writes(plan.code))


def told(plans: Iterable[Plan]) -> frozenset[str]:
    """Name the steps that plans always run, if these are told something."""
    return frozenset(str(plan.target) for plan in plans if isinstance(plan, Run) and plan.args)


def surely(plans: Iterable[Plan], arrays: frozenset[str]) -> frozenset[str]:
    """Name those of some arrays that plans write themselves, whichever way they come to their end.

    A primitive that is carried out has written what it is about, whatever it found there.
    """
    found = frozenset[str]()
    for plan in plans:
        match plan:
            case Atomic(code=code):
                found |= arrays & set(writes(code))
            case Finish() | Owe(test=Const(value=0), abandon=True):
                return arrays
            case Branch(test=test, then=then, other=other):
                ways = [part for part, never in ((then, FALSE), (other, TRUE)) if test != never]
                found |= arrays.intersection(*(surely(way, arrays) for way in ways))
            case Loop(before=before, test=test, body=body) if _begins(before, test):
                found |= surely(body, arrays)
            case Rest(forks=forks) if forks:
                found |= arrays.intersection(*(surely(fork.plans, arrays) for fork in forks))
            case _:
                pass
    return found


def _begins(before: tuple[Stmt, ...], test: object) -> bool:
    """Return whether a loop runs at least once, as its test tells by numbers alone."""
    match test:
        case Binary(op="<", left=Load(array=slot, index=()), right=Const(value=high)):
            return any(isinstance(each, Store) and each.array == slot
                       and isinstance(each.value, Const) and each.value.value < high
                       for each in before)
        case _:
            return False


def noting(plans: Iterable[Plan], slots: Mapping[str, str]) -> Plans:
    """Note where plans write arrays themselves: array → the local that is then set."""
    def each(plan: Plan) -> Plan:
        match plan:
            case Atomic(code=code):
                told = dict.fromkeys(slots[name] for name in writes(code) if name in slots)
                return Atomic((*code, *(Store(slot, (), Const(1)) for slot in told)))
            case Branch(then=then, other=other):
                return replace(plan, then=noting(then, slots), other=noting(other, slots))
            case Loop(body=body):
                return replace(plan, body=noting(body, slots))
            case Rest(forks=forks):
                return replace(plan, forks=tuple(
                    replace(fork, plans=noting(fork.plans, slots)) for fork in forks))
            case Sentence(plans=inner, otherwise=otherwise):
                return replace(plan, plans=noting(inner, slots), otherwise=(
                    None if otherwise is None else noting(otherwise, slots)))
            case _:
                return plan

    return tuple(map(each, plans))
