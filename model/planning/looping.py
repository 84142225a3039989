"""Loops over a domain: what there is to visit is found out once, when the loop begins."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ..game import syntax as sx
from ..game.game import Ty
from ..game.uses import closure, names_in
from ..machine.core import Const, Expr, Fill, Load, Local, Store
from ..machine.memory import Memory
from ..machine.simplify import binary, both
from ..machine.traversal import arrays_read
from ..rules.arrays import Kept
from ..rules.context import Here, Plans
from ..rules.meanings import PLAYER, Iteration, Scalar, Value
from ..rules.plan import Atomic, Branch, Loop
from .builder import Builder
from .naming import after_turn, keep_record, shaken
from .together import all_at_once


def loop_over(build: Builder, stmt: sx.ForEach, here: Here) -> Plans:
    """Plan `for x in DOMAIN:`."""
    over = build.elab.iteration(stmt.domain, here.scope)
    kept = here.kept_at(stmt.var, stmt.at)
    checks = build.owe(here.clause, over.checks)
    if over.pool is not None:
        return (*checks, *_records(build, stmt, over, kept, here))
    mentioned = closure(build.game, names_in(iter((stmt.domain,))))
    if mentioned & build.changes(stmt.body) and _may_change(build, over):
        first, where, visit = _fixed(build, over, kept)
    else:
        first, where, visit = (), over.where, ()
    if over.ty.kind == "player":
        if over.order == "any":
            build.note_unordered("loop", (here.clause,))
        backwards = over.order == "counterclockwise" or (
            over.order == "any" and here.loop_order == "counterclockwise")
        start = over.start
        if over.order == "any" and backwards:
            start = Const(build.elab.seats() - 1)
        before, test, player, step = build.round(kept, start, backwards=backwards)
        if over.order == "together":
            return (*checks, *_together(build, stmt, over, kept, here))
        body = _body(build, stmt, here, Scalar(PLAYER, player))
        return (*checks, *first, Loop(before, test, (Branch(where(player), (*visit, *body)),),
                                      step, build.elab.seats()))
    slot = build.frames.local(kept, Ty("int", low=0, high=over.size))
    index = Load(slot)
    body = _body(build, stmt, here, build.elab.element(over, index))
    return (*checks, *first, Loop(
        (Store(slot, (), Const(0)),), binary("<", index, Const(over.size)),
        (Branch(where(binary("+", index, Const(over.low))), (*visit, *body)),),
        (Store(slot, (), binary("+", index, Const(1))),), over.size))


def _together(
    build: Builder, stmt: sx.ForEach, over: Iteration, kept: Memory, here: Here
) -> Plans:
    """Plan a loop over players who all act at the same time."""
    first, where, visit = _fixed(build, over, kept)
    before, test, player, step = build.round(kept, over.start, backwards=False)
    with build.undisturbed():
        body = _body(build, stmt, here, Scalar(PLAYER, player))
    begin, each, last = all_at_once(build, stmt, body, here, player)
    return build.finish([*first, Loop((*begin, *before), test, (
        Branch(where(player), (*visit, *each)),), step, build.elab.seats()), Atomic(last)], here)


def _may_change(build: Builder, over: Iteration) -> bool:
    """Return whether what a domain holds depends on the state."""
    return over.ends is not None or bool(arrays_read(over.where(Local(build.elab.fresh("each")))))


def _body(build: Builder, stmt: sx.ForEach, here: Here, value: Value) -> Plans:
    within = shaken(build, here, stmt.body)
    body, inside = build.block(stmt.body, within.bind(stmt.var, value))
    return after_turn(within, body, inside)


def _fixed(
    build: Builder, over: Iteration, kept: Memory
) -> tuple[Plans, Callable[[Expr], Expr], Plans]:
    """Keep what a loop is to visit, as its body may change what the domain is made of.

    With what runs before the loop goes what is still to visit, and what notes that it is visited.
    """
    if over.ends is not None:
        ends = [build.frames.local(replace(kept, part=f" {word}"), end.ty)
                for word, end in zip(("from", "to"), over.ends, strict=True)]
        code = tuple(Store(slot, (), end.expr) for slot, end in zip(ends, over.ends, strict=True))
        low, high = map(Load, ends)
        return (Atomic(code),), lambda v: both(binary("<=", low, v), binary("<", v, high)), ()
    left = build.frames.marks(replace(kept, part=" left"), build.frames.domain(over.ty),
                              over.size)
    var = build.elab.fresh("each")
    member = over.where(binary("+", Local(var), Const(over.low)))
    first = Atomic((Fill(left, (), var, over.size, member),))
    number = Load(kept.array)
    at = number if over.low == 0 else binary("+", number, Const(-over.low))
    visit = Atomic((Store(left, (at,), Const(0)),))
    return (first,), lambda v: Load(left, (binary("-", v, Const(over.low)),)), (visit,)


def _records(
    build: Builder, stmt: sx.ForEach, over: Iteration, kept: Memory, here: Here
) -> Plans:
    """Plan a loop over the records that are there when it begins, but those removed meanwhile.

    `next` is the place of the record that comes next, `end` the place behind the last one.
    """
    assert over.pool is not None
    high = Ty("int", low=0, high=over.size)
    slot = build.frames.local(kept, Ty("record", over.pool.pool, optional=True))
    after, end = (build.frames.local(replace(kept, part=f" {word}"), high)
                  for word in ("next", "end"))
    fixed, record = keep_record(build, over.pool, kept, stmt.var, here)
    for place in (after, end):
        build.frames.records[place] = Kept(over.pool.pool, record.owner, between=True)
    body = _body(build, stmt, here, record)
    go_on = Atomic((Store(slot, (), Load(after)),
                    Store(after, (), binary("+", Load(after), Const(1)))))
    before = (*fixed, Store(after, (), Const(0)),
              Store(end, (), Load(f"{over.pool.pool}.size", record.owner)))
    return (Loop(before, binary("<", Load(after), Load(end)), (go_on, *body), (), over.size),)
