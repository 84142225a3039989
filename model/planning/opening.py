"""Windows: who may act, in what order, and which options each clause permits or forbids."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..game import syntax as sx
from ..game.game import Clause, Window
from ..machine.core import TRUE, Const, Expr, Fill, Load, Local, Stmt, Store
from ..machine.machine import Condition, Param
from ..machine.simplify import binary, both, conj, negate, reduce
from ..machine.traversal import arrays_read, rename
from ..rules.context import Here, Plans, own
from ..rules.functions import turn
from ..rules.meanings import (
    BOOL,
    PLAYER,
    Failed,
    Names,
    PoolAt,
    RecordAt,
    Scalar,
    bag_local,
    bag_param,
)
from ..rules.plan import Atomic, Branch, Fork, Loop, Rest, Target
from .choosing import cards_param, domain_param
from .naming import keep_record
from .planner import Planner

WHO_IS_NEXT = ": who is next"
"""After a window's name: the rest at which nobody has said who acts."""


def window_plan(planner: Planner, name: str, level: int) -> Plans:
    """Plan a window: who acts in what order, and each player's options; nothing if it is wrong."""
    try:
        return _window(planner, name, level)
    except Failed:
        return ()


def _window(planner: Planner, name: str, level: int) -> Plans:
    """Plan a window whose players can be named."""
    window = planner.game.windows[name]
    planner.within = Target(own(name), level)
    with planner.elab.planning(window.id):
        return _window_plan(planner, window, level)


def _window_plan(planner: Planner, window: Window, level: int) -> Plans:
    if window.who is None:
        tree = window.by or sx.Num(0, window.place)
        here = window_here(window, level, Names({}))
        who = planner.elab.use(tree, Names({}), "player") if window.by else Scalar(PLAYER, Const(0))
        return turns(planner, window, here.bind("actor", who), repeat=window.repeat, level=level)
    return round_window(planner, window, level)


def window_here(window: Window, level: int, scope: Names) -> Here:
    """Return the place where a window is read."""
    return Here(window.clause or window.id, own(window.name), level, scope, frozenset())


def turns(planner: Planner, window: Window, here: Here, *, repeat: bool, level: int) -> Plans:
    """Plan what one player does in a window: once, or until a pass.

    Who that is (`actor` in the scope of `here`) is found out anew for each choice.
    """
    actor = here.scope.names["actor"]
    assert isinstance(actor, Scalar)
    owed = planner.owe(here.clause, actor.checks)
    here = here.bind("actor", replace(actor, checks=()))
    if not repeat:
        return (*owed, options(planner, window, here, actor.expr, (), level))
    if window.forced:
        act = options(planner, window, here, actor.expr, (), level)
        return (Loop((), TRUE, (*owed, act), ()),)
    on = planner.frames.local(here.kept("open", "open"), BOOL)
    close: Plans = (Atomic((Store(on, (), Const(0)),)),)
    act = options(planner, window, here, actor.expr, close, level)
    return (Loop((Store(on, (), Const(1)),), Load(on), (*owed, act), ()),)


def round_window(planner: Planner, window: Window, level: int) -> Plans:
    """Plan a window that several players go through."""
    here = window_here(window, level, Names({}))
    assert window.who is not None
    who = planner.elab.players(window.who, Names({}))
    owed = planner.owe(here.clause, who.checks)
    start = planner.elab.use(window.start, Names({}), "player") if window.start else Scalar(
        PLAYER, Const(0))
    owed += planner.owe(here.clause, start.checks)
    seats = planner.elab.seats()
    if window.order == "unstated":
        planner.note_unordered("window", (window.name,))
    if window.each != "rounds" and window.order != "unstated":
        before, test, player, step = planner.round(
            here.kept("actor", "actor"), start.expr, backwards=window.order == "counterclockwise")
        inside = here.bind("actor", Scalar(PLAYER, player))
        each = turns(planner, window, inside, repeat=window.each == "until_pass", level=level)
        return (*owed, Loop(before, test, (Branch(who.member(player), each),), step))
    pending = planner.frames.flags(here.kept("pending", "pending"))
    slot = planner.frames.local(here.kept("actor", "actor"), PLAYER)
    player = Load(slot)
    inside = here.bind("actor", Scalar(PLAYER, player))
    var, some = planner.elab.fresh("p"), planner.elab.fresh("p")
    refill = Fill(pending, (), var, seats, who.member(Local(var)))
    left = reduce("any", some, seats, TRUE, Load(pending, (Local(some),)))
    drop: Plans = (Atomic((Store(pending, (player,), Const(0)),)),)
    by = seats - 1 if window.order == "counterclockwise" else 1
    after: Plans = {"rounds": (Atomic((refill,)),), "until_pass": ()}.get(window.each, drop)
    act = options(planner, window, inside, player, drop, level, after)
    if window.order == "unstated":
        name = planner.elab.fresh("actor")
        pick = Param(name, planner.frames.domain(PLAYER), "who acts next",
                     Load(pending, (Local(name),)))
        body: Plans = (Rest("open", window.name + WHO_IS_NEXT, "", None, (
            Fork("next", (pick,), (), (Atomic((Store(slot, (), Local(name)),)), act),
                 clauses=(here.clause,)),)),)
        return (*owed, Loop((refill,), left, body, ()))
    body = (Branch(binary("==", Load(pending, (player,)), Const(1)), (act,)),)
    step = (Store(slot, (), turn(player, by, seats)),)
    return (*owed, Loop((refill, Store(slot, (), start.expr)), left, body, step))


def options(  # noqa: PLR0917 - a window, who acts, and what follows, in this order
    planner: Planner, window: Window, here: Here, actor: Expr, done: Plans, level: int,
    after: Plans = (),
) -> Rest:
    """Plan that a player takes one of the options of a window, or is done with it."""
    forks: list[Fork] = []
    for clause in planner.game.clauses:
        if clause.on == own(window.name) and clause.option and clause.in_force and not (
            planner.elab.apart(clause)
        ):
            try:
                with planner.elab.planning(clause.id):
                    forks.append(option(planner, window, clause, here, level, after))
            except Failed:
                continue
    if not window.forced:
        conditions = tuple(restrictions(planner, window, window.done, here.scope))
        forks.append(Fork(window.done, (), conditions, done, passes=True,
                          clauses=tuple(c for c in (here.clause,) if ":" not in c)))
    return Rest("decide", window.name, window.title, actor, tuple(forks))


def option(  # noqa: PLR0917 - as `options`
    planner: Planner, window: Window, clause: Clause, here: Here, level: int, after: Plans
) -> Fork:
    """Plan one option: its parameters, what restricts it, what it does."""
    moving = planner.changes(clause.do.statements) if clause.do else frozenset()
    there = replace(here, owner=clause.id, moving=moving, changed=frozenset(moving))
    params, keep, outside, scope = _parameters(planner, clause, here, there)
    permit = planner.in_force(clause, outside.scope)
    conditions = [Condition(clause.id, "permit", permit)]
    conditions.extend(restrictions(planner, window, clause.option, outside.scope))
    body: Plans = ()
    if clause.do is not None:
        chosen = scope.names["actor"]
        assert isinstance(chosen, Scalar)
        read = {a for a in arrays_read(chosen.expr) if planner.frames.arrays[a].declared}
        if read - (planner.game.variables.keys() - moving):
            slot = planner.frames.local(there.kept("actor", "actor"), PLAYER)
            keep.append(Store(slot, (), chosen.expr))
            scope = scope.bind("actor", Scalar(PLAYER, Load(slot)))
        body = (planner.sentence(clause, clause.do, scope, level),)
    return Fork(clause.option, tuple(params), tuple(conditions),
                (Atomic(tuple(keep)), *body, *after), clauses=(clause.id,))


def _parameters(
    planner: Planner, clause: Clause, here: Here, there: Here
) -> tuple[list[Param], list[Stmt], Here, Names]:
    """Plan the parameters of an option that is chosen `here` and runs `there`.

    With them go code that keeps them, and their names where they are chosen and in the body.
    """
    outside, scope = here, here.scope
    params: list[Param] = []
    keep: list[Stmt] = []
    for name, tree in clause.params:
        if isinstance(tree, sx.Call) and isinstance(tree.func, sx.Name) and (
            tree.func.name == "choose_cards"
        ):
            param, source, _, _ = cards_param(planner, tree, name, outside)
            slot = planner.frames.counts(there.kept(name), source.family)
            var = planner.elab.fresh("k")
            picked = bag_param(param.name, source.family)
            keep.append(Fill(slot, (), var, planner.elab.kinds(source.family),
                             picked.count(Local(var))))
            outside = outside.bind(name, picked)
            scope = scope.bind(name, bag_local(slot, source.family))
            params.append(param)
            continue
        param, over, ty, checks = domain_param(planner, tree, name, outside)
        param = replace(param, where=both(conj(c.test for c in checks), param.where))
        params.append(param)
        slot = planner.frames.local(there.kept(name), ty)
        keep.append(Store(slot, (), Local(param.name)))
        if over.pool is not None:
            owner = over.pool.owner
            outside = outside.bind(name, RecordAt(over.pool.pool, owner, Local(param.name)))
            for kept in keep:
                if isinstance(kept, Store) and isinstance(kept.value, Local):
                    owner = tuple(rename(part, kept.value.name, Load(kept.array)) for part in owner)
            pool = PoolAt(over.pool.pool, owner)
            code, record = keep_record(planner, pool, there.kept(name), name, there)
            keep.extend(code)
            scope = scope.bind(name, record)
        else:
            outside = outside.bind(name, Scalar(ty, Local(param.name)))
            scope = scope.bind(name, Scalar(ty, Load(slot)))
    return params, keep, outside, scope


def restrictions(
    planner: Planner, window: Window, option: str, scope: Names
) -> Iterable[Condition]:
    """List what clauses that forbid or require say about an option."""
    for clause in planner.game.clauses:
        if not clause.in_force or planner.elab.apart(clause):
            continue
        on = clause.on.split(".", 1)
        if clause.kind == "forbid" and on[0] == own(window.name):
            if len(on) > 1 and on[1] != option:
                continue
            if len(on) == 1 and option == window.done:
                continue
            yield Condition(clause.id, "forbid", negate(planner.in_force(clause, scope)))
        elif clause.must and clause.on == own(window.name) and clause.must != option:
            plain = Names({k: v for k, v in scope.names.items() if k == "actor"})
            yield Condition(clause.id, "require", negate(planner.in_force(clause, plain)))
