"""Functions that count, compare and quantify, and those about what is played."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from ..game import syntax as sx
from ..game.game import Ty
from ..machine import intervals
from ..machine.core import FALSE, TRUE, Const, Load, Local, Reduce
from ..machine.simplify import binary, both, choice, reduce
from ..source.errors import did_you_mean
from .expected import describe
from .meanings import BOOL, Bag, Check, PlayerSet, PoolAt, Scalar, Scope, Span, Value

if TYPE_CHECKING:
    from ..machine.core import Expr
    from .expected import Expecting, Function


def _size(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
    arg = tree.args[0]
    value = elab.bag(arg, scope) if isinstance(arg, sx.Generator) else elab.value(arg, scope)
    if isinstance(value, PlayerSet):
        var = elab.fresh("p")
        many = reduce("sum", var, elab.seats(), value.member(Local(var)), Const(1))
        return Scalar(Ty("int", low=0, high=elab.seats()), many, value.checks)
    if isinstance(value, Bag):
        return Scalar(_count_type(elab, value.family), total(elab, value), value.checks)
    if isinstance(value, PoolAt):
        high = elab.game.pools[value.pool].capacity
        return Scalar(Ty("int", low=0, high=high), Load(f"{value.pool}.size", value.owner),
                      value.checks)
    raise elab.fail("RP210", f"{describe(arg)} has no size", arg.at)


def total(elab: Expecting, bag: Bag) -> Expr:
    """Build the number of cards in a bag."""
    var = elab.fresh("k")
    return reduce("sum", var, elab.kinds(bag.family), TRUE, bag.count(Local(var)))


def _count_type(elab: Expecting, family: str) -> Ty:
    copies = sum(card.copies for card in elab.game.families[family].cards)
    return Ty("int", low=0, high=max(copies, 1))


def _count(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
    if len(tree.args) == 2:
        bag = elab.bag(tree.args[0], scope)
        card = elab.use(tree.args[1], scope, "card", bag.family)
        return Scalar(_count_type(elab, bag.family), bag.count(card.expr),
                      (*bag.checks, *card.checks))
    arg = tree.args[0]
    if not isinstance(arg, sx.Generator):
        return _size(elab, tree, scope)
    counted = replace(arg, element=sx.Num(1, arg.at))
    return _fold_sum(elab, counted, scope)


def _sum(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
    return _fold_sum(elab, elab.over(tree, "c.value for c in hand[p]"), scope)


def _fold_sum(elab: Expecting, arg: sx.Generator, scope: Scope) -> Scalar:
    over, var, where, inside, checks = elab.generator(arg, scope)
    body = elab.use(arg.element, inside, "int")
    copies = over.copies(binary("+", Local(var), Const(over.low)))
    made = reduce("sum", var, over.size, where, binary("*", body.expr, copies))
    many = over.size
    if over.ty.kind == "card" and copies != TRUE:
        many = _count_type(elab, over.ty.name).high
    lifted = elab.for_all(var, over.size, where, body.checks)
    low, high = intervals.total((body.ty.low, body.ty.high), many)
    return Scalar(Ty("int", low=low, high=high), made, (*checks, *lifted))


def _quantifier(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
    arg, name = elab.over(tree, "… for p in players"), elab.word(tree)
    over, var, where, inside, checks = elab.generator(arg, scope)
    body = elab.truth(arg.element, inside)
    made = reduce("any" if name == "any" else "all", var, over.size, where, body.expr)
    lifted = elab.for_all(var, over.size, where, body.checks)
    return Scalar(BOOL, made, (*checks, *lifted))


def _extreme(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
    op: Literal["min", "max"] = "min" if elab.word(tree) == "min" else "max"
    if len(tree.args) > 1:
        parts = [elab.use(arg, scope, "int") for arg in tree.args]
        made, ty = parts[0].expr, parts[0].ty
        checks = parts[0].checks
        pick = min if op == "min" else max
        for part in parts[1:]:
            made = binary(op, made, part.expr)
            ty = Ty("int", low=pick(ty.low, part.ty.low), high=pick(ty.high, part.ty.high))
            checks += part.checks
        return Scalar(ty, made, checks)
    arg = tree.args[0]
    if not isinstance(arg, sx.Generator):
        raise elab.fail("RP211", f"`{op}` takes a generator or several numbers", arg.at)
    over, var, where, inside, checks = elab.generator(arg, scope)
    body = elab.use(arg.element, inside, "int")
    some = Reduce("any", var, over.size, TRUE, where)
    owed = Check(some, "nothing-to-compare", f"the {op}imum of nothing ({describe(arg.domain)})",
                 tree.at)
    made = reduce(op, var, over.size, where, body.expr,
                  empty=body.ty.low if op == "max" else body.ty.high)
    return Scalar(body.ty, made, (*checks, owed))


def _range(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
    low = elab.use(tree.args[0], scope, "int") if len(tree.args) > 1 else Scalar(
        Ty("int"), Const(0))
    high = elab.use(tree.args[-1], scope, "int")
    size = max(0, high.ty.high - low.ty.low)
    if not size and all(isinstance(arg, sx.Num) for arg in tree.args):
        raise elab.fail("RP205", f"{describe(tree)} is empty", tree.at,
                        "`range(a, b)` runs from a to b - 1")
    if size > 10_000:
        raise elab.fail("RP213", f"this range may hold {size} numbers", tree.at,
                        "at most 10000; give the variables tighter types")
    return Span(
        Ty("int", low=low.ty.low, high=max(low.ty.low, high.ty.high - 1)), low.ty.low, size,
        lambda v: both(binary(">=", v, low.expr), binary("<", v, high.expr)),
        (*low.checks, *high.checks), (low, high),
    )


def _implies(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
    negated = sx.Unary("not", tree.args[0], tree.at)
    return elab.value(sx.Binary("or", negated, tree.args[1], tree.at), scope)


def _abs(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
    value = elab.use(tree.args[0], scope, "int")
    most = max(abs(value.ty.low), abs(value.ty.high))
    return Scalar(Ty("int", low=0, high=most),
                  choice(binary("<", value.expr, Const(0)), binary("-", Const(0), value.expr),
                         value.expr), value.checks)


def _outside(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
    del scope
    arg = tree.args[0]
    if not isinstance(arg, sx.Text):
        raise elab.fail("RP211", "`outside` takes a text that says what is meant", tree.at)
    owed = Check(FALSE, "outside", f"`{arg.value}` is held by no component of the game", tree.at)
    return Scalar(Ty("int", low=0, high=0), Const(0), (owed,))


def _variant(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
    del scope
    arg = tree.args[0]
    name = arg.name if isinstance(arg, sx.Name) else arg.value if isinstance(arg, sx.Text) else ""
    if name not in elab.game.variants:
        raise elab.fail("RP220", f"unknown variant `{name}`", tree.at,
                        did_you_mean(name, elab.game.variants))
    return Scalar(BOOL, Const(int(name in elab.game.settings.variants)))


FUNCTIONS: dict[str, Function] = {
    "size": _size, "count": _count, "sum": _sum, "any": _quantifier, "all": _quantifier,
    "min": _extreme, "max": _extreme, "range": _range, "implies": _implies, "abs": _abs,
    "outside": _outside, "variant": _variant,
}
