"""Statements that make and remove records."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..game import syntax as sx
from ..game.game import Ty
from ..machine import core
from ..machine.core import FALSE, Const, For, Let, Load, Local, Store
from ..machine.simplify import binary, both
from ..rules.arrays import removals
from ..rules.context import Here, Plans
from ..rules.elaborate import describe
from ..rules.meanings import Check, PoolAt, RecordAt
from ..rules.plan import Atomic, Owe
from ..source.errors import did_you_mean
from .assigning import store
from .moving import arguments
from .naming import keep_record

if TYPE_CHECKING:
    from ..machine.core import Stmt
    from ..rules.plan import Plan
    from .planner import Planner


def remove(planner: Planner, call: sx.Call, here: Here) -> Plans:
    """Plan `remove(record)`."""
    (arg,) = arguments(planner, call, 1, 1)
    record = planner.elab.value(arg, here.scope)
    if not isinstance(record, RecordAt):
        raise planner.elab.fail("RP210", f"{describe(arg)} is not a record", arg.at)
    record = planner.elab.there(record, arg)
    pool = planner.game.pools[record.pool]
    size = f"{pool.name}.size"
    start, var = planner.elab.fresh("from"), planner.elab.fresh("place")
    last = binary("-", Load(size, record.owner), Const(1))
    code: list[Stmt] = [Let(start, record.index)]
    for name in pool.fields:
        array = f"{pool.name}.{name}"
        first = planner.frames.arrays[array].start[0]
        shift = Store(array, (*record.owner, Local(var)),
                      Load(array, (*record.owner, binary("+", Local(var), Const(1)))))
        code.append(For(var, pool.capacity - 1, (
            core.If(both(binary(">=", Local(var), Local(start)),
                        binary("<", Local(var), last)), (shift,)),)))
        code.append(Store(array, (*record.owner, last), Const(first)))
    code.append(Store(size, record.owner, last))
    code.append(Store(removals(pool.name), record.owner, Local(start)))
    return planner.finish([*planner.owe(here.clause, record.checks), Atomic(tuple(code))], here)


def new_record(planner: Planner, target: sx.Name, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan a new record of a pool."""
    if len(call.args) != 1:
        raise planner.elab.fail("RP213", "write `new(pool[p], field=value, …)`", call.at)
    value = planner.elab.value(call.args[0], here.scope)
    if not isinstance(value, PoolAt):
        raise planner.elab.fail("RP210", f"{describe(call.args[0])} is not a pool", call.at)
    pool = planner.game.pools[value.pool]
    slot = planner.frames.local(here.prefix + target.name, Ty("record", pool.name))
    size = Load(f"{pool.name}.size", value.owner)
    note = planner.obligation(here.clause, Check(
        FALSE, "no-room", f"more than {pool.capacity} records in `{pool.name}`", call.at))
    room = binary("<", size, Const(pool.capacity))
    fixed, record = keep_record(planner, value, slot, target.name, here)
    plans: list[Plan] = [*planner.owe(here.clause, value.checks), Owe(room, note, abandon=True),
                         Atomic((Store(slot, (), size), *fixed))]
    for name, tree in call.named:
        if name not in pool.fields:
            raise planner.elab.fail("RP220", f"`{pool.name}` has no field `{name}`", tree.at,
                                 did_you_mean(name, pool.fields))
        made = planner.elab.scalar(tree, here.scope)
        plans.extend(store(planner, f"{pool.name}.{name}", (*value.owner, Load(slot)),
                                pool.fields[name], made, tree, here.clause, f"`{name}`"))
    grow = Store(f"{pool.name}.size", value.owner, binary("+", Load(slot), Const(1)))
    plans.append(Atomic((grow,)))
    return planner.finish(plans, here), here.bind(target.name, record)
