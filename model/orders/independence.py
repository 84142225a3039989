"""Two clauses on one step, or two rules of any time, that cannot disturb each other: proofs.

Either nothing could tell their orders apart (`effects`), or they are never in force together (Z3:
no state satisfies both conditions, and neither writes what the other's condition reads).  Then the
order of the two, one right after the other, cannot matter, at any size.  A part of a condition that
one of them writes is taken for unknown then.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import replace

from ..game.game import Game
from ..lowering.called import sentences_of
from ..machine import core
from ..machine.core import Expr
from ..machine.simplify import both, negate
from ..machine.traversal import arrays_read
from ..rules.meanings import Names
from ..rules.plan import Sentence
from ..solver import theories
from .effects import Ground


def why_independent(game: Game, first: str, second: str) -> str:
    """Say why the order of two clauses cannot matter, or give "" if that is not proved."""
    ground = Ground(game)
    one, two = (sentence(ground, name) for name in (first, second))
    why = "" if one is None or two is None else _why(ground, one, two)
    return why if ground.sound else ""


def exclude_each_other(game: Game, first: str, second: str) -> bool:
    """Return whether it is proved that no situation meets the conditions of both clauses."""
    ground = Ground(game)
    one, two = (sentence(ground, name) for name in (first, second))
    return one is not None and two is not None and never_both(one, two)


def _why(ground: Ground, one: Sentence, two: Sentence) -> str:
    mine, theirs = ground.effects((one,)), ground.effects((two,))
    disturbed = mine.clash(theirs) - (ground.private((one,)) & ground.private((two,)))
    if not (disturbed or any(each.ends or each.stalls for each in (mine, theirs))
            or ground.seen_amid(mine, theirs)):
        return "they touch different things"
    written = mine.written | theirs.written
    return "they are never in force together" if never_both(one, two, written) else ""


def never_both(one: Sentence, two: Sentence, written: AbstractSet[str] = frozenset()) -> bool:
    """Return whether two conditions exclude each other, whatever becomes of what is `written`.

    A number that reads some of that may be another one when the second condition is looked at.
    """
    unknowns = _Unknowns(written)
    first = unknowns.truth(one.test)
    unknowns.later = True
    together = both(first, unknowns.truth(two.test))
    verdict = theories.valid(theories.Theory(tuple(unknowns.made.values())), (), negate(together))
    return isinstance(verdict, theories.Follows)


def sentence(ground: Ground, name: str) -> Sentence | None:
    """Plan a clause that stands on a step, or a rule of any time; None for any other."""
    clause = ground.game.clause(name)
    if clause is None or (clause.on not in ground.game.steps and clause.whenever is None):
        return None
    made = next(iter(sentences_of(ground.planner, clause)), None)
    if made is None or clause.whenever is None:
        return made
    return replace(made, test=both(
        ground.planner.in_force(clause, Names({})),
        ground.planner.elab.guard(clause.whenever, Names({}))))


class _Unknowns:
    """Replaces every number in a condition by an unknown; equal numbers by the same one.

    What is unsatisfiable with unknowns is unsatisfiable with what they stand for, and it is decided
    at once, whatever the size of the game.
    """

    def __init__(self, written: AbstractSet[str]) -> None:
        self.made: dict[object, theories.IntVariable] = {}
        self.written = written
        self.later = False

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
        key = (self.later and bool(self.written & arrays_read(expr)), _without_names(expr, {}))
        name = f"t{len(self.made)}"
        variable = self.made.setdefault(key, theories.IntVariable(name, -(10**6), 10**6))
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
