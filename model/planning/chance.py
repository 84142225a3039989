"""Rolls of dice, and other things that chance decides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..game import syntax as sx
from ..game.game import Ty
from ..machine.core import FALSE, Const, Load, Local, Store
from ..machine.machine import Param
from ..rules.context import Here, Plans
from ..rules.expected import describe
from ..rules.meanings import Check, Scalar
from ..rules.plan import Atomic, Fork, Rest
from .choosing import domain_param, exists
from .naming import keep_record

if TYPE_CHECKING:
    from ..machine.core import Expr
    from .builder import Builder, Maker


def _by_chance(  # noqa: PLR0917 - what is drawn, from what, in this order
    build: Builder, name: str, param: Param, ty: Ty, weight: Expr, here: Here
) -> tuple[Rest, Here]:
    """Plan that chance sets a name, each value with its weight."""
    slot = build.frames.local(here.prefix + name, ty)
    keep = Atomic((Store(slot, (), Local(param.name)),))
    rest = Rest("chance", name, "", None, (
        Fork(name, (param,), (), (keep,), weight, clauses=(here.clause,)),))
    return rest, here.bind(name, Scalar(ty, Load(slot)))


def roll(build: Builder, name: str, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan the roll of a die."""
    args = call.args
    tree = sx.Call(sx.Name("range", call.at),
                   (args[0] if len(args) > 1 else sx.Num(1, call.at),
                    sx.Binary("+", args[-1], sx.Num(1, call.at), call.at)), (), call.at)
    param, _, ty, checks = domain_param(build, tree, name, here)
    some = exists(param, build.elab.fresh("some"))
    if some == FALSE:
        raise build.elab.fail("RP205", f"{describe(call)} has no outcome", call.at,
                              "`roll(6)` gives 1 to 6, `roll(2, 5)` gives 2 to 5")
    owed = Check(some, "no-option", f"{describe(call)} is chance with no outcome",
                 call.at)
    rest, inside = _by_chance(build, name, param, ty, Const(1), here)
    return (*build.owe(here.clause, (*checks, owed)), rest), inside


def random(build: Builder, name: str, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan that chance takes an element of a domain."""
    (arg,) = call.args
    param, over, ty, checks = domain_param(build, arg, name, here)
    some = exists(param, build.elab.fresh("some"))
    owed = Check(some, "no-option", f"{describe(arg)} is empty", call.at)
    weight = over.copies(Local(param.name))
    rest, inside = _by_chance(build, name, param, ty, weight, here)
    plans = build.owe(here.clause, (*checks, owed))
    if over.pool is not None:
        slot = here.prefix + name
        code, record = keep_record(build, over.pool, slot, name, here)
        plans += (Atomic(code),)
        inside = here.bind(name, record)
    return (*plans, rest), inside


MAKERS: dict[str, Maker] = {"roll": roll, "random": random}
