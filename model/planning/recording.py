"""Statements that make and remove records."""

from __future__ import annotations

from ..game import syntax as sx
from ..game.game import Ty
from ..machine import core
from ..machine.core import FALSE, Const, For, Let, Load, Local, Stmt, Store
from ..machine.memory import Memory
from ..machine.simplify import binary, both
from ..rules.arrays import removals
from ..rules.context import Here, Plans
from ..rules.expected import describe
from ..rules.meanings import Owed, PoolAt, RecordAt
from ..rules.plan import Atomic, Owe, Plan
from ..source.errors import did_you_mean
from .assigning import store
from .builder import Builder, Maker, Verb
from .naming import keep_record


def remove(build: Builder, call: sx.Call, here: Here) -> Plans:
    """Plan `remove(record)`."""
    (arg,) = call.args
    record = build.elab.value(arg, here.scope)
    if not isinstance(record, RecordAt):
        raise build.elab.fail("RP210", f"{describe(arg)} is not a record", arg.at)
    record = build.elab.there(record, arg)
    pool = build.game.pools[record.pool]
    size = f"{pool.name}.size"
    start, var = build.elab.fresh("from"), build.elab.fresh("place")
    last = binary("-", Load(size, record.owner), Const(1))
    code: list[Stmt] = [Let(start, record.index)]
    for name in pool.fields:
        array = f"{pool.name}.{name}"
        first = build.frames.arrays[array].start[0]
        shift = Store(array, (*record.owner, Local(var)),
                      Load(array, (*record.owner, binary("+", Local(var), Const(1)))))
        code.append(For(var, pool.capacity - 1, (
            core.If(both(binary(">=", Local(var), Local(start)),
                        binary("<", Local(var), last)), (shift,)),)))
        code.append(Store(array, (*record.owner, last), Const(first)))
    code.append(Store(size, record.owner, last))
    code.append(Store(removals(pool.name), record.owner, Local(start)))
    return build.finish([*build.owe(here.clause, record.checks), Atomic(tuple(code))], here)


def new_record(build: Builder, kept: Memory, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan a new record of a pool."""
    value = build.elab.value(call.args[0], here.scope)
    if not isinstance(value, PoolAt):
        raise build.elab.fail("RP210", f"{describe(call.args[0])} is not a pool", call.at)
    pool = build.game.pools[value.pool]
    slot = build.frames.local(kept, Ty("record", pool.name))
    size = Load(f"{pool.name}.size", value.owner)
    note = build.obligation(here.clause, Owed(
        FALSE, "no-room", f"more than {pool.capacity} records in `{pool.name}`", call.at))
    room = binary("<", size, Const(pool.capacity))
    fixed, record = keep_record(build, value, kept, kept.key, here)
    plans: list[Plan] = [*build.owe(here.clause, value.checks), Owe(room, note, abandon=True),
                         Atomic((Store(slot, (), size), *fixed))]
    for field, tree in call.named:
        if field not in pool.fields:
            raise build.elab.fail("RP220", f"`{pool.name}` has no field `{field}`", tree.at,
                                 did_you_mean(field, pool.fields))
        made = build.elab.scalar(tree, here.scope)
        plans.extend(store(build, f"{pool.name}.{field}", (*value.owner, Load(slot)),
                                pool.fields[field], made, tree, here.clause, f"`{field}`"))
    grow = Store(f"{pool.name}.size", value.owner, binary("+", Load(slot), Const(1)))
    plans.append(Atomic((grow,)))
    return build.finish(plans, here), here.bind(kept.key, record)


def new(build: Builder, call: sx.Call, here: Here) -> Plans:
    """Plan a new record that gets no name."""
    return new_record(build, here.kept_at("unused", call.at), call, here)[0]


VERBS: dict[str, Verb] = {"new": new, "remove": remove}
MAKERS: dict[str, Maker] = {"new": new_record}
