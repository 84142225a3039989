"""Statements that move cards."""

from __future__ import annotations

from collections.abc import Callable

from ..game import syntax as sx
from ..machine import core
from ..machine.core import FALSE, TRUE, Const, Expr, Fill, Let, Load, Local, Note, Stmt, Store
from ..machine.memory import Memory
from ..machine.simplify import binary, negate, reduce
from ..rules import zones
from ..rules.context import Here, Plans
from ..rules.declared import ordered_parts
from ..rules.expected import describe
from ..rules.meanings import BagMeaning, Checks, Owed, ZoneAt, bag_local
from ..rules.plan import Atomic
from ..source.errors import Place
from .builder import Builder, Verb


def same_family(build: Builder, left: str, right: str, at: Place) -> None:
    """Refuse to put cards of one family where another one's lie."""
    if left != right:
        raise build.elab.fail("RP210", f"cards of `{left}` do not go where `{right}` lie", at)


def full(build: Builder, call: sx.Call, target: ZoneAt, here: Here) -> Note | None:
    """Make the note that a zone holds no more, if it can be full: the model ends there."""
    zone = target.zone
    return Note(build.obligation(here.clause, Owed(
        FALSE, "no-room", f"more than {zone.capacity} cards in `{zone.name}`", call.at),
    )) if zones.limited(build.elab, target) else None


def place(build: Builder, tree: sx.Expr, here: Here) -> tuple[ZoneAt, Checks]:
    """Elaborate a zone that cards are moved into or out of."""
    at, checks = build.elab.zone(tree, here.scope)
    if at.zone.kind == "ledger":
        raise build.elab.fail("RP211", f"{describe(tree)} is a ledger: its cards lie elsewhere",
                              tree.at, "`add` counts a card in it, and `move` is for zones")
    return at, checks


def shuffled(build: Builder, tree: sx.Expr, here: Here) -> tuple[ZoneAt, Checks]:
    """Elaborate a zone that is shuffled."""
    at, checks = place(build, tree, here)
    if at.zone.kind == "pile":
        raise build.elab.fail("RP211", f"{describe(tree)} is a pile: every place in it is known",
                              tree.at, "a `deck` can be shuffled")
    return at, checks


def _one_card(
    build: Builder, call: sx.Call, here: Here,
    steps: Callable[[Expr, ZoneAt, ZoneAt], tuple[Stmt, ...]],
) -> Plans:
    """Plan that a card of a zone goes to another one, by `steps` if it is there."""
    card_tree, source_tree, target_tree = call.args
    card = build.elab.use(card_tree, here.scope, "card")
    source, c1 = place(build, source_tree, here)
    target, c2 = place(build, target_tree, here)
    same_family(build, card.ty.name, source.zone.family, card_tree.at)
    same_family(build, source.zone.family, target.zone.family, target_tree.at)
    temp = build.elab.fresh("card")
    there = zones.has(build.elab.zone_bag(source), Local(temp))
    lost = build.obligation(here.clause, Owed(
        there, "not-there", f"{describe(card_tree)} is not in {describe(source_tree)}", call.at,
        about=source.zone.name))
    code = (Let(temp, card.expr),
            core.If(there, steps(Local(temp), source, target), (Note(lost),)))
    return build.finish([*build.owe(here.clause, (*card.checks, *c1, *c2)), Atomic(code)], here)


def move(build: Builder, call: sx.Call, here: Here) -> Plans:
    """Plan `move(card, SOURCE, TARGET)`."""
    return _one_card(build, call, here, lambda card, source, target: zones.carry(
        build.elab, card, source, target, full(build, call, target, here)))


def move_all(build: Builder, call: sx.Call, here: Here) -> Plans:
    """Plan `move_all(CARDS, [SOURCE,] TARGET)`."""
    args = call.args
    bag = build.elab.bag(args[0], here.scope)
    target, c2 = place(build, args[-1], here)
    if len(args) == 3:
        source, c1 = place(build, args[1], here)
    elif bag.zone is not None:
        tree = args[0].domain if isinstance(args[0], sx.Generator) else args[0]
        source, c1 = place(build, tree, here)[0], ()
    else:
        raise build.elab.fail("RP211", "say where the cards are", call.at,
                             "as in `move_all(cards, hand[p], discard)`")
    same_family(build, bag.family, source.zone.family, args[0].at)
    same_family(build, source.zone.family, target.zone.family, args[-1].at)
    owed = build.owe(here.clause, (*bag.checks, *c1, *c2))
    kept = here.kept_at("moved", call.at)
    slot = kept.array
    first: tuple[Stmt, ...] = ()
    last: tuple[Stmt, ...] = ()
    whole = isinstance(args[0], (sx.Name, sx.Index)) and bag.zone is not None
    if not whole:
        first = _pick(build, call, bag, source, kept, here)
        bag = bag_local(slot, bag.family)
    code = zones.transfer(build.elab, bag, source, target, full(build, call, target, here))
    if not whole:
        last = (Fill(slot, (), build.elab.fresh("k"), build.elab.kinds(bag.family), Const(0)),)
    return build.finish([*owed, Atomic((*first, *code, *last))], here)


def _pick(  # noqa: PLR0917 - what is moved, from where, and where it is kept, in this order
    build: Builder, call: sx.Call, bag: BagMeaning, source: ZoneAt, kept: Memory, here: Here
) -> tuple[Stmt, ...]:
    """Keep in a local which cards are moved, as moving changes what lies in the zone."""
    size = build.elab.kinds(bag.family)
    slot = build.frames.counts(kept, bag.family)
    var, kind = build.elab.fresh("k"), build.elab.fresh("k")
    pick = Fill(slot, (), var, size, bag.count(Local(var)))
    if bag.zone is not None:
        return (pick,)
    held = build.elab.zone_bag(source)
    short = reduce("any", kind, size, TRUE,
                   binary(">", Load(slot, (Local(kind),)), held.count(Local(kind))))
    cards, zone = call.args[:2]
    lost = build.obligation(here.clause, Owed(
        negate(short), "not-there", f"not all of {describe(cards)} are in {describe(zone)}",
        call.at, about=source.zone.name))
    limit = build.elab.fresh("k")
    return (pick, core.If(short, (Note(lost),)), Fill(slot, (), limit, size, binary(
        "min", Load(slot, (Local(limit),)), held.count(Local(limit)))))


def shuffle_into(build: Builder, call: sx.Call, here: Here) -> Plans:
    """Plan `shuffle_into(ZONE, DECK)`."""
    args = call.args
    source, c1 = place(build, args[0], here)
    target, c2 = shuffled(build, args[1], here)
    same_family(build, source.zone.family, target.zone.family, call.at)
    code = (*zones.forget(build.elab, target),
            *zones.transfer(build.elab, build.elab.zone_bag(source), source, target, None))
    return build.finish([*build.owe(here.clause, (*c1, *c2)), Atomic(code)], here)


def shuffle(build: Builder, call: sx.Call, here: Here) -> Plans:
    """Plan `shuffle(DECK)`."""
    (arg,) = call.args
    deck, checks = shuffled(build, arg, here)
    code = zones.forget(build.elab, deck)
    return build.finish([*build.owe(here.clause, checks), Atomic(code)], here)


def put_at_end(build: Builder, call: sx.Call, here: Here) -> Plans:
    """Plan `put_on_top(card, SOURCE, DECK)` and `put_on_bottom(…)`."""
    top = build.elab.word(call) == "put_on_top"
    put = zones.push if top else zones.append

    def steps(card: Expr, source: ZoneAt, target: ZoneAt) -> tuple[Stmt, ...]:
        tree = call.args[-1]
        parts = ordered_parts(target.zone)
        if not parts:
            raise build.elab.fail("RP211", f"{describe(tree)} does not know the place of a card",
                                  tree.at, "give the deck `known: N`, or make it a pile")
        array, size = parts[0] if top else parts[-1]
        some = binary("<", zones.filled(build.elab, array, size, target.owner), Const(size))
        over = build.obligation(here.clause, Owed(
            some, "no-room", f"more than {size} known cards in {describe(tree)}", call.at))
        known = (*zones.take(build.elab, source, card, Const(1)),
                 *put(build.elab, array, size, target.owner, card))
        loose: tuple[Stmt, ...] = (Note(over),)
        if target.zone.kind != "pile":
            loose += (*zones.take(build.elab, source, card, Const(1)),
                      *zones.put(build.elab, target, card, Const(1)))
        return (core.If(some, known, loose),)

    return _one_card(build, call, here, steps)


def add(build: Builder, call: sx.Call, here: Here) -> Plans:
    """Plan `add(card, LEDGER)`."""
    card_tree, ledger_tree = call.args
    ledger, checks = _ledger(build, ledger_tree, here)
    card = build.elab.use(card_tree, here.scope, "card", ledger.zone.family)
    where = (*ledger.owner, card.expr)
    high = build.frames.arrays[ledger.zone.name].high
    now = Load(ledger.zone.name, where)
    over = build.obligation(here.clause, Owed(
        FALSE, "no-room", f"more than {high} tallied of a card in `{ledger.zone.name}`", call.at))
    code = (core.If(binary("<", now, Const(high)),
                    (Store(ledger.zone.name, where, binary("+", now, Const(1))),),
                    (Note(over),)),)
    return build.finish([*build.owe(here.clause, (*card.checks, *checks)), Atomic(code)], here)


def clear(build: Builder, call: sx.Call, here: Here) -> Plans:
    """Plan `clear(LEDGER)`."""
    ledger, checks = _ledger(build, call.args[0], here)
    code = zones.empty(build.elab, ledger)
    return build.finish([*build.owe(here.clause, checks), Atomic(code)], here)


def _ledger(build: Builder, tree: sx.Expr, here: Here) -> tuple[ZoneAt, Checks]:
    ledger, checks = build.elab.zone(tree, here.scope)
    if ledger.zone.kind != "ledger":
        raise build.elab.fail("RP211", f"{describe(tree)} is not a ledger", tree.at,
                              "cards that lie in a zone are moved")
    return ledger, checks


VERBS: dict[str, Verb] = {
    "move": move, "move_all": move_all, "shuffle_into": shuffle_into, "shuffle": shuffle,
    "put_on_top": put_at_end, "put_on_bottom": put_at_end, "add": add, "clear": clear,
}
