"""Two clauses on one step that cannot disturb each other, proved from their texts.

Either they touch different things (neither writes what the other reads or writes, through all that
they run), or they are never in force together (Z3: no state satisfies both conditions, and neither
writes what the other's condition reads).  Then their order cannot matter, at any size.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..lowering.called import running
from ..machine import core
from ..machine.simplify import both, negate
from ..machine.traversal import arrays_read, reads, writes
from ..planning.planner import Planner
from ..rules.elaborate import Elaborator
from ..rules.meanings import Failed, Scalar, Scope
from ..rules.plan import Finish
from ..solver import cores
from ..source.errors import Reporter

if TYPE_CHECKING:
    from ..game.game import Clause, Game
    from ..machine.core import Expr


@dataclass(slots=True)
class _Touched:
    """What plans read and write, and whether they can end the game."""

    reads: set[str] = field(default_factory=set)
    writes: set[str] = field(default_factory=set)
    ends: bool = False


def why_independent(game: Game, first: str, second: str) -> str:
    """Say why the order of two clauses cannot matter, or give "" if that is not proved."""
    planner = Planner(Elaborator(game, Reporter()))
    one = next((each for each in game.clauses if each.id == first), None)
    two = next((each for each in game.clauses if each.id == second), None)
    if one is None or two is None or one.on not in game.steps:
        return ""
    try:
        mine, theirs = _touched(planner, one), _touched(planner, two)
        guard, guard_too = _force(planner, one), _force(planner, two)
    except (Failed, RecursionError):
        return ""
    declared = {a.name for a in planner.frames.arrays.values() if a.declared}
    mine.reads |= arrays_read(guard)
    theirs.reads |= arrays_read(guard_too)
    disturbed = (mine.writes & (theirs.reads | theirs.writes)) | (
        theirs.writes & (mine.reads | mine.writes)
    )
    if not disturbed & declared and not mine.ends and not theirs.ends:
        return "they touch different things"
    if mine.writes & arrays_read(guard_too) or theirs.writes & arrays_read(guard):
        return ""
    unknowns = _Unknowns()
    together = both(unknowns.truth(guard), unknowns.truth(guard_too))
    verdict = cores.valid(cores.Theory(tuple(unknowns.made.values())), (), negate(together))
    return "they are never in force together" if isinstance(verdict, cores.Follows) else ""


class _Unknowns:
    """Replaces every number in a condition by an unknown; equal numbers by the same one.

    What is unsatisfiable with unknowns is unsatisfiable with what they stand for, and it is decided
    at once, whatever the size of the game.
    """

    def __init__(self) -> None:
        self.made: dict[object, cores.Variable] = {}

    def truth(self, expr: Expr) -> Expr:
        """Keep the logic and the comparisons of a condition."""
        match expr:
            case core.Const():
                return expr
            case core.Unary(op="not", operand=operand):
                return negate(self.truth(operand))
            case core.Binary(op="and" | "or", left=left, right=right):
                return core.Binary(expr.op, self.truth(left), self.truth(right))
            case core.Binary(op="==" | "!=" | "<" | "<=" | ">" | ">=", left=left, right=right):
                return core.Binary(expr.op, self._unknown(left), self._unknown(right))
            case _:
                return core.Binary("!=", self._unknown(expr), core.Const(0))

    def _unknown(self, expr: Expr) -> Expr:
        if isinstance(expr, core.Const):
            return expr
        key = _without_names(expr, {})
        name = f"t{len(self.made)}"
        variable = self.made.setdefault(key, cores.Variable(name, -(10**6), 10**6))
        return core.Local(variable.name)


def _without_names(expr: Expr, bound: dict[str, int]) -> object:
    """Give a key that is equal for expressions that differ in the names of bound variables only."""
    match expr:
        case core.Local(name=name):
            return ("local", bound.get(name, name))
        case core.Reduce(op=op, var=var, size=size, where=where, body=body, empty=empty):
            inside = {**bound, var: len(bound)}
            return (op, size, empty, _without_names(where, inside), _without_names(body, inside))
        case _:
            parts = [getattr(expr, name) for name in expr.__dataclass_fields__]
            return (
                type(expr).__name__,
                *(
                    tuple(_without_names(each, bound) for each in part)
                    if isinstance(part, tuple)
                    else _without_names(part, bound)
                    if hasattr(part, "__dataclass_fields__")
                    else part
                    for part in parts
                ),
            )


def scope_of(planner: Planner, clause: Clause) -> Scope:
    """Name the parameters of the step that a clause stands on; nothing for a rule of any time."""
    if clause.on not in planner.game.steps:
        return Scope({})
    step = planner.game.steps[clause.on]
    return Scope(
        {
            name: Scalar(ty, core.Load(planner.frames.local(f"{step.name}.{name}", ty)))
            for name, ty in step.params.items()
        }
    )


def _force(planner: Planner, clause: Clause) -> Expr:
    return planner.in_force(clause, scope_of(planner, clause))


def _touched(planner: Planner, clause: Clause) -> _Touched:
    assert clause.do is not None
    found = _Touched()
    sentence = planner.sentence(clause, clause.do, scope_of(planner, clause), 0)
    for text in running(planner, (sentence,)):
        if isinstance(text, Finish):
            found.ends = True
        elif isinstance(text, tuple):
            found.reads |= reads(text)
            found.writes |= writes(text)
        else:
            found.reads |= arrays_read(text)
    return found
