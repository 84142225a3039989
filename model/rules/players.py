"""Functions about players: who sits where, who is first, in what order."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from ..game import syntax as sx
from ..machine.core import TRUE, Binary, Const, Local
from ..machine.simplify import binary, both, reduce
from .expected import describe
from .meanings import PLAYER, Check, PlayerSet, Scalar, Scope, Value

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..machine.core import Expr
    from .expected import Expecting, Function


def turn(player: Expr, by: int, seats: int) -> Expr:
    """Build the seat that is `by` places clockwise from a player."""
    if isinstance(player, Const):
        return Const((player.value + by) % seats)
    return Binary("%", Binary("+", player, Const(by)), Const(seats))


def _arg_extreme(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
    name, arg = elab.word(tree), elab.over(tree, "size(group[p]) for p in players")
    op: Literal["min", "max"] = "min" if name == "argmin" else "max"
    over, var, where, inside, checks = elab.generator(arg, scope)
    if over.ty.kind != "player":
        raise elab.fail("RP210", f"`{name}` ranks players", arg.domain.at)
    body = elab.use(arg.element, inside, "int")
    best = reduce(op, var, over.size, where, body.expr,
                  empty=body.ty.low if op == "max" else body.ty.high)
    lifted = tuple(  # what nothing holds cannot rank anybody: a tie that stays
        replace(c, kind="tie" if c.kind == "outside" else c.kind)
        for c in elab.for_all(var, over.size, where, body.checks))

    def member(p: Expr) -> Expr:
        mine = scope.bind(arg.var, Scalar(PLAYER, p))
        test = over.where(p)
        for each in arg.where:
            test = both(test, elab.guard(each, mine))
        key = elab.use(arg.element, mine, "int").expr
        return both(test, binary("==", key, best))

    return PlayerSet(member, (*checks, *lifted), ranking=True)


def _only(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
    players = elab.players(tree.args[0], scope)
    var = elab.fresh("p")
    member = players.member(Local(var))
    many = reduce("sum", var, elab.seats(), member, Const(1))
    first = reduce("min", var, elab.seats(), member, Local(var), empty=0)
    what = describe(tree.args[0])
    prompt = f"several players are equal on {what}" if players.ranking else (
        f"{what} is not exactly one player")
    owed = Check(binary("==", many, Const(1)),
                 "tie" if players.ranking else "not-one", prompt, tree.at)
    return Scalar(PLAYER, first, (*players.checks, owed))


def _neighbour(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
    name = elab.word(tree)
    player = elab.use(tree.args[0], scope, "player")
    step = 1 if name == "next_player" else elab.seats() - 1
    return Scalar(PLAYER, turn(player.expr, step, elab.seats()), player.checks)


def _order(elab: Expecting, tree: sx.Call, scope: Scope) -> Value:
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
    "argmin": _arg_extreme, "argmax": _arg_extreme, "only": _only,
    "next_player": _neighbour, "previous_player": _neighbour, "others": _order,
    "clockwise": _order, "counterclockwise": _order, "clockwise_after": _order,
    "simultaneously": _order,
}
