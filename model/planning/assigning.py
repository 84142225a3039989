"""Assignments: to what the spec declares, with its range, and to locals of a body."""

from __future__ import annotations

from dataclasses import replace

from ..game import syntax as sx
from ..game.game import Ty
from ..machine import core
from ..machine.core import Const, Expr, Fill, Let, Load, Local, Note, Stmt, Store
from ..machine.simplify import binary, both, choice, either, negate
from ..rules.context import Here, Plans
from ..rules.expected import describe
from ..rules.meanings import (
    EMPTY_SET,
    NO_SEATS,
    NOTHING,
    BagMeaning,
    Checks,
    Owed,
    PlayerSet,
    Scalar,
    Value,
    bag_local,
    comparable,
)
from ..rules.plan import Atomic, Plan
from ..source.errors import Place
from .builder import Builder


def assign(build: Builder, stmt: sx.Assign, here: Here) -> tuple[Plans, Here]:
    """Plan an assignment of any kind."""
    value_tree = stmt.value if stmt.op == "=" else sx.Infix(
        stmt.op, stmt.target, stmt.value, stmt.at)
    value = build.elab.value(value_tree, here.scope)
    if isinstance(stmt.target, sx.Name) and stmt.target.name not in build.game.variables:
        return assign_local(build, stmt.target, value, here)
    if isinstance(value, PlayerSet):
        return build.finish(assign_set(build, stmt, value, here), here), here
    scalar = build.elab.single(value, value_tree)
    if scalar.ty == NOTHING and isinstance(
        build.elab.value(stmt.target, here.scope), PlayerSet
    ):
        raise build.elab.fail("RP210", "a set of players is never `none`", stmt.value.at, EMPTY_SET)
    array, index, ty, checks = target(build, stmt.target, here)
    plans = [*build.owe(here.clause, checks),
             *store(build, array, index, ty, scalar, stmt.value, here.clause,
                         describe(stmt.target))]
    return build.finish(plans, here), here


def target(build: Builder, target: sx.Expr, here: Here) -> tuple[str, tuple[Expr, ...], Ty, Checks]:
    """Find what is assigned to: array, index and type, and what finding it owes."""
    value = build.elab.value(target, here.scope)
    assignable = isinstance(value, Scalar) and isinstance(value.expr, Load)
    if assignable and isinstance(value, Scalar) and isinstance(value.expr, Load):
        return value.expr.array, value.expr.index, value.ty, value.checks
    raise build.elab.fail("RP211", f"{describe(target)} cannot be assigned", target.at)


def assign_local(build: Builder, target: sx.Name, value: Value, here: Here) -> tuple[Plans, Here]:
    """Plan an assignment to a name of the body, which may be new."""
    name = target.name
    no_shadow(build, name, target.at)
    kept = here.kept(name)
    slot = kept.array
    if isinstance(value, PlayerSet):
        build.frames.flags(kept)
        plans = fill_set(build, slot, (), value, here)
        return plans, here.bind(name, PlayerSet(lambda p: Load(slot, (p,))))
    if isinstance(value, BagMeaning):
        build.frames.counts(kept, value.family)
        var = build.elab.fresh("k")
        code = Fill(slot, (), var, build.elab.kinds(value.family), value.count(Local(var)))
        plans = (*build.owe(here.clause, value.checks), Atomic((code,)))
        return plans, here.bind(name, bag_local(slot, value.family))
    if not isinstance(value, Scalar):
        raise build.elab.fail("RP211", "this cannot be kept in a name", target.at)
    known = here.scope.names.get(name)
    if isinstance(known, Scalar):
        if not isinstance(known.expr, Load) or known.expr.array != slot:
            raise build.elab.fail("RP211", f"`{name}` cannot be changed here", target.at)
        ty = known.ty
        if not comparable(ty, value.ty):
            raise build.elab.fail("RP210", f"`{name}` is `{ty}`, not `{value.ty}`", target.at)
        if value.ty.optional and not ty.optional:
            ty = replace(ty, optional=True)
            build.frames.local(kept, ty, changed=name in here.changed)
            here = here.bind(name, Scalar(ty, Load(slot)))
    else:
        ty = value.ty
    build.frames.local(kept, ty, changed=name in here.changed)
    array = build.frames.arrays[slot]
    if ty.kind == "int":
        ty = replace(ty, low=0 if ty.optional else array.low, high=array.high)
    plans = store(build, slot, (), ty, value, target, here.clause, f"`{name}`")
    return plans, here.bind(name, Scalar(ty, Load(slot)))


def no_shadow(build: Builder, name: str, at: Place) -> None:
    """Refuse to give a value to what the spec declares under this name."""
    game = build.game
    if name in game.constants or name in game.zones or name in game.families or (
        name in game.pools or name in game.steps or name in game.windows
    ):
        raise build.elab.fail("RP221", f"`{name}` is a name of the spec and cannot be assigned", at)


def assign_set(build: Builder, stmt: sx.Assign, value: PlayerSet, here: Here) -> list[Plan]:
    """Plan an assignment to a declared set of players."""
    target = build.elab.value(stmt.target, here.scope)
    if not isinstance(target, PlayerSet) or isinstance(stmt.target, sx.SetOf):
        raise build.elab.fail("RP210", f"{describe(stmt.target)} is not a set of players",
                             stmt.target.at)
    where = target.member(Const(0))
    if not isinstance(where, Load):
        raise build.elab.fail("RP211", f"{describe(stmt.target)} cannot be assigned",
                             stmt.target.at)
    checks = build.owe(here.clause, target.checks)
    return [*checks, *fill_set(build, where.array, where.index[:-1], value, here)]


def fill_set(
    build: Builder, array: str, prefix: tuple[Expr, ...], value: PlayerSet, here: Here
) -> Plans:
    """Plan that a set of players becomes the members of another."""
    var = build.elab.fresh("p")
    code = Fill(array, prefix, var, build.elab.seats(), value.member(Local(var)))
    return (*build.owe(here.clause, value.checks), Atomic((code,)))


def store(  # noqa: PLR0917 - where, what, and for whom, in this order
    build: Builder, array: str, index: tuple[Expr, ...], ty: Ty, value: Scalar, tree: sx.Expr,
    clause: str, called: str,
) -> Plans:
    """Write a scalar: its checks, its range, and then the core store."""
    if not comparable(ty, value.ty):
        raise build.elab.fail(
            "RP210", f"{called} is `{ty}`, not `{value.ty}`", tree.at,
            NO_SEATS if {ty.kind, value.ty.kind} == {"player", "int"} else "")
    if value.ty.kind == "none" and not ty.optional:
        raise build.elab.fail("RP210", f"{called} is `{ty}` and cannot be `none`", tree.at,
                             f"declare it as `{ty}?`")
    if value.ty.optional and not ty.optional:
        value = build.elab.present(value, tree)
    plans = list(build.owe(clause, value.checks))
    made = value.expr
    low, high = ty.low, ty.high
    if ty.kind == "int" and value.ty.kind == "int" and (
        value.ty.low < low or value.ty.high > high
    ):
        temp = build.elab.fresh("new")
        new = Local(temp)
        fits = both(binary("<=", Const(low), new), binary("<=", new, Const(high)))
        kept = binary("max", Const(low), binary("min", Const(high), new))
        if ty.optional:
            fits = either(fits, binary("==", new, Const(-1)))
            kept = choice(binary("==", new, Const(-1)), Const(-1), kept)
        over = build.obligation(clause, Owed(
            fits, "out-of-range", f"{called} would leave {low}..{high}", tree.at, about=array))
        code: tuple[Stmt, ...] = (
            Let(temp, made), core.If(negate(fits), (Note(over),)), Store(array, index, kept))
        plans.append(Atomic(code))
    else:
        plans.append(Atomic((Store(array, index, made),)))
    return tuple(plans)
