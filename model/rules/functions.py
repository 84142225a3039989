"""The functions that expressions may call: those that count and compare, and of players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Literal

from ..game import syntax as sx
from ..game.game import Ty
from ..machine import intervals
from ..machine.core import FALSE, TRUE, Binary, Const, Expr, Load, Local, Reduce
from ..machine.simplify import binary, both, choice, reduce
from ..source.errors import did_you_mean
from .expected import Expecting, Function, describe
from .meanings import BOOL, PLAYER, BagMeaning, Names, Owed, PlayerSet, PoolAt, Scalar, Span, Value


def _size(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
    arg = tree.args[0]
    value = elab.bag(arg, scope) if isinstance(arg, sx.Generator) else elab.value(arg, scope)
    if isinstance(value, PlayerSet):
        var = elab.fresh("p")
        many = reduce("sum", var, elab.seats(), value.member(Local(var)), Const(1))
        return Scalar(Ty("int", low=0, high=elab.seats()), many, value.checks)
    if isinstance(value, BagMeaning):
        return Scalar(_count_type(elab, value.family), total(elab, value), value.checks)
    if isinstance(value, PoolAt):
        high = elab.game.pools[value.pool].capacity
        return Scalar(Ty("int", low=0, high=high), Load(f"{value.pool}.size", value.owner),
                      value.checks)
    raise elab.fail("RP210", f"{describe(arg)} has no size", arg.at)


def total(elab: Expecting, bag: BagMeaning) -> Expr:
    """Build the number of cards in a bag."""
    var = elab.fresh("k")
    return reduce("sum", var, elab.kinds(bag.family), TRUE, bag.count(Local(var)))


def _count_type(elab: Expecting, family: str) -> Ty:
    return Ty("int", low=0, high=max(elab.copies(family), 1))


def _count(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
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


def _sum(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
    return _fold_sum(elab, elab.over(tree, "c.value for c in hand[p]"), scope)


def _fold_sum(elab: Expecting, arg: sx.Generator, scope: Names) -> Scalar:
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


def _quantifier(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
    arg, name = elab.over(tree, "… for p in players"), elab.word(tree)
    over, var, where, inside, checks = elab.generator(arg, scope)
    body = elab.truth(arg.element, inside)
    made = reduce("any" if name == "any" else "all", var, over.size, where, body.expr)
    lifted = elab.for_all(var, over.size, where, body.checks)
    return Scalar(BOOL, made, (*checks, *lifted))


def _extreme(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
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
    owed = Owed(some, "nothing-to-compare", f"the {op}imum of nothing ({describe(arg.domain)})",
                 tree.at)
    made = reduce(op, var, over.size, where, body.expr,
                  empty=body.ty.low if op == "max" else body.ty.high)
    lifted = elab.for_all(var, over.size, where, body.checks)
    return Scalar(body.ty, made, (*checks, owed, *lifted))


def _range(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
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


def _implies(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
    negated = sx.Prefix("not", tree.args[0], tree.at)
    return elab.value(sx.Infix("or", negated, tree.args[1], tree.at), scope)


def _abs(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
    value = elab.use(tree.args[0], scope, "int")
    most = max(abs(value.ty.low), abs(value.ty.high))
    return Scalar(Ty("int", low=0, high=most),
                  choice(binary("<", value.expr, Const(0)), binary("-", Const(0), value.expr),
                         value.expr), value.checks)


def _outside(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
    del scope
    arg = tree.args[0]
    if not isinstance(arg, sx.Text):
        raise elab.fail("RP211", "`outside` takes a text that says what is meant", tree.at)
    owed = Owed(FALSE, "outside", f"`{arg.value}` is held by no component of the game", tree.at,
                 about=arg.value)
    return Scalar(Ty("int", low=0, high=0), Const(0), (owed,))


def _variant(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
    del scope
    arg = tree.args[0]
    name = arg.name if isinstance(arg, sx.Name) else arg.value if isinstance(arg, sx.Text) else ""
    if name not in elab.game.variants:
        raise elab.fail("RP220", f"unknown variant `{name}`", tree.at,
                        did_you_mean(name, elab.game.variants))
    return Scalar(BOOL, Const(int(name in elab.game.settings.variants)))


# --------------------------------------------------------------------------- players


def turn(player: Expr, by: int, seats: int) -> Expr:
    """Build the seat that is `by` places clockwise from a player."""
    if isinstance(player, Const):
        return Const((player.value + by) % seats)
    return Binary("%", Binary("+", player, Const(by)), Const(seats))


def _arg_extreme(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
    name, arg = elab.word(tree), elab.over(tree, "size(group[p]) for p in players")
    op: Literal["min", "max"] = "min" if name == "argmin" else "max"
    over, var, where, inside, checks = elab.generator(arg, scope)
    if over.ty.kind != "player":
        raise elab.fail("RP210", f"`{name}` ranks players", arg.domain.at)
    body = elab.use(arg.element, inside, "int")
    best = reduce(op, var, over.size, where, body.expr,
                  empty=body.ty.low if op == "max" else body.ty.high)
    lifted = tuple(  # what nothing holds cannot rank anybody: a tie that stays
        replace(c, kind="tie-outside" if c.kind == "outside" else c.kind)
        for c in elab.for_all(var, over.size, where, body.checks))

    def member(p: Expr) -> Expr:
        mine = scope.bind(arg.var, Scalar(PLAYER, p))
        test = over.where(p)
        for each in arg.where:
            test = both(test, elab.guard(each, mine))
        key = elab.use(arg.element, mine, "int").expr
        return both(test, binary("==", key, best))

    return PlayerSet(member, (*checks, *lifted), ranking=True, empty=not _somebody(elab, tree))


def _somebody(elab: Expecting, tree: sx.Expr) -> bool:
    """Return whether there is somebody in a set of players whatever the state is, for certain."""
    match tree:
        case sx.Name(name="players"):
            return True
        case sx.Call(func=sx.Name(name="argmin" | "argmax"), args=(sx.Generator() as each,)):
            return not each.where and _somebody(elab, each.domain)
        case sx.Call(func=sx.Name(name="others")):
            return elab.seats() > 1
        case sx.Call(func=sx.Name(name=name), args=(_,)):
            return name in ("clockwise", "counterclockwise")
        case _:
            return False


def _only(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
    players = elab.players(tree.args[0], scope)
    var = elab.fresh("p")
    member = players.member(Local(var))
    many = reduce("sum", var, elab.seats(), member, Const(1))
    first = reduce("min", var, elab.seats(), member, Local(var), empty=0)
    what = describe(tree.args[0])
    prompt = f"several players are equal on {what}" if players.ranking else (
        f"{what} is not exactly one player")
    owed: tuple[Owed, ...]
    if players.ranking and players.empty:
        owed = (Owed(binary(">=", many, Const(1)), "nothing-to-compare",
                     f"nobody is in {what}", tree.at),
                Owed(binary("<=", many, Const(1)), "tie", prompt, tree.at))
    else:
        owed = (Owed(binary("==", many, Const(1)),
                     "tie" if players.ranking else "not-one", prompt, tree.at),)
    return Scalar(PLAYER, first, (*players.checks, *owed))


def _neighbour(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
    name = elab.word(tree)
    player = elab.use(tree.args[0], scope, "player")
    step = 1 if name == "next_player" else elab.seats() - 1
    return Scalar(PLAYER, turn(player.expr, step, elab.seats()), player.checks)


def _order(elab: Expecting, tree: sx.Call, scope: Names) -> Value:
    name = elab.word(tree)
    if name == "others":
        one = elab.use(tree.args[0], scope, "player")
        return PlayerSet(lambda p: binary("!=", p, one.expr), one.checks)
    if name == "simultaneously":
        base = elab.players(tree.args[0], scope)
        return replace(base, order="together", start=Const(0))
    first = elab.use(tree.args[0], scope, "player")
    members: Callable[[Expr], Expr] = lambda _: TRUE  # noqa: E731
    checks = first.checks
    if len(tree.args) > 1:
        among = elab.players(tree.args[1], scope)
        members, checks = among.member, (*checks, *among.checks)
    if name == "clockwise_after":
        kept = members
        start = turn(first.expr, 1, elab.seats())
        return PlayerSet(lambda p: both(binary("!=", p, first.expr), kept(p)), checks, "clockwise",
                         start)
    return PlayerSet(members, checks, name, first.expr)


FUNCTIONS: dict[str, Function] = {
    "size": _size, "count": _count, "sum": _sum, "any": _quantifier, "all": _quantifier,
    "min": _extreme, "max": _extreme, "range": _range, "implies": _implies, "abs": _abs,
    "outside": _outside, "variant": _variant,
    "argmin": _arg_extreme, "argmax": _arg_extreme, "only": _only,
    "next_player": _neighbour, "previous_player": _neighbour, "others": _order,
    "clockwise": _order, "counterclockwise": _order, "clockwise_after": _order,
    "simultaneously": _order,
}
