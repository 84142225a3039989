"""Statements that move cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..game import syntax as sx
from ..game.game import Ty
from ..game.unparse import unparse
from ..machine import core
from ..machine.core import FALSE, TRUE, Const, Fill, Let, Load, Local, Note, Store
from ..machine.machine import Param
from ..machine.simplify import binary, both, negate, reduce
from ..rules import zones
from ..rules.context import Here, Plans
from ..rules.elaborate import describe, ordered_parts
from ..rules.functions import total
from ..rules.meanings import Bag, Check, bag_local
from ..rules.plan import Atomic, Branch, Fork, Loop, Owe, Rest

if TYPE_CHECKING:
    from ..game.game import Clause
    from ..machine.core import Expr, Stmt
    from ..rules.meanings import Checks, ZoneAt
    from ..rules.plan import Plan
    from ..source.errors import Place
    from .planner import Planner


def arguments(planner: Planner, call: sx.Call, low: int, high: int) -> tuple[sx.Expr, ...]:
    """Give the arguments of a call, which must be as many as it takes."""
    name = call.func.name if isinstance(call.func, sx.Name) else ""
    if call.named or not low <= len(call.args) <= high:
        wanted = str(low) if low == high else f"{low} or {high}"
        raise planner.elab.fail("RP213", f"`{name}` takes {wanted} argument(s)", call.at)
    return call.args


def same_family(planner: Planner, left: str, right: str, at: Place) -> None:
    """Refuse to put cards of one family where another one's lie."""
    if left != right:
        raise planner.elab.fail("RP210", f"cards of `{left}` do not go where `{right}` lie", at)


def full(planner: Planner, call: sx.Call, target: ZoneAt, here: Here) -> Note | None:
    """Make the note that a zone holds no more, if it can be full: the model ends there."""
    zone = target.zone
    return Note(planner.obligation(here.clause, Check(
        FALSE, "no-room", f"more than {zone.capacity} cards in `{zone.name}`", call.at),
    )) if zones.limited(planner.elab, target) else None


def place(planner: Planner, tree: sx.Expr, here: Here) -> tuple[ZoneAt, Checks]:
    """Elaborate a zone that cards are moved into or out of."""
    at, checks = planner.elab.zone(tree, here.scope)
    if at.zone.kind == "ledger":
        raise planner.elab.fail("RP211", f"{describe(tree)} is a ledger: its cards lie elsewhere",
                                tree.at, "`add` counts a card in it, and `move` is for zones")
    return at, checks


def shuffled(planner: Planner, tree: sx.Expr, here: Here) -> tuple[ZoneAt, Checks]:
    """Elaborate a zone that is shuffled."""
    at, checks = place(planner, tree, here)
    if at.zone.kind == "pile":
        raise planner.elab.fail("RP211", f"{describe(tree)} is a pile: every place in it is known",
                                tree.at, "a `deck` can be shuffled")
    return at, checks


def move(planner: Planner, call: sx.Call, here: Here) -> Plans:
    """Plan `move(card, SOURCE, TARGET)`."""
    card_tree, source_tree, target_tree = arguments(planner, call, 3, 3)
    card = planner.elab.use(card_tree, here.scope, "card")
    source, c1 = place(planner, source_tree, here)
    target, c2 = place(planner, target_tree, here)
    same_family(planner, card.ty.name, source.zone.family, card_tree.at)
    same_family(planner, source.zone.family, target.zone.family, target_tree.at)
    temp = planner.elab.fresh("card")
    there = zones.has(planner.elab.zone_bag(source), Local(temp))
    lost = planner.obligation(here.clause, Check(
        there, "not-there",
        f"{describe(card_tree)} is not in {describe(source_tree)}", call.at))
    steps = zones.carry(planner.elab, Local(temp), source, target,
                        full(planner, call, target, here))
    code: tuple[Stmt, ...] = (Let(temp, card.expr), core.If(there, steps, (Note(lost),)))
    plans = [*planner.owe(here.clause, (*card.checks, *c1, *c2)), Atomic(code)]
    return planner.finish(plans, here)


def move_all(planner: Planner, call: sx.Call, here: Here) -> Plans:
    """Plan `move_all(CARDS, [SOURCE,] TARGET)`."""
    args = arguments(planner, call, 2, 3)
    bag = planner.elab.bag(args[0], here.scope)
    target, c2 = place(planner, args[-1], here)
    if len(args) == 3:
        source, c1 = place(planner, args[1], here)
    elif bag.zone is not None:
        tree = args[0].domain if isinstance(args[0], sx.Generator) else args[0]
        source, c1 = place(planner, tree, here)[0], ()
    else:
        raise planner.elab.fail("RP211", "say where the cards are", call.at,
                             "as in `move_all(cards, hand[p], discard)`")
    same_family(planner, bag.family, source.zone.family, args[0].at)
    same_family(planner, source.zone.family, target.zone.family, args[-1].at)
    plans: list[Plan] = list(planner.owe(here.clause, (*bag.checks, *c1, *c2)))
    size = planner.elab.kinds(bag.family)
    code: list[Stmt] = []
    whole = isinstance(args[0], (sx.Name, sx.Index)) and bag.zone is not None
    if not whole:
        slot = planner.frames.counts(f"{here.prefix}moved@{call.at.line}", bag.family)
        var, kind = planner.elab.fresh("k"), planner.elab.fresh("k")
        code.append(Fill(slot, (), var, size, bag.count(Local(var))))
        if bag.zone is None:
            held = planner.elab.zone_bag(source)
            short = reduce("any", kind, size, TRUE,
                           binary(">", Load(slot, (Local(kind),)), held.count(Local(kind))))
            lost = planner.obligation(here.clause, Check(
                negate(short), "not-there",
                f"not all of {describe(args[0])} are in {describe(args[1])}", call.at))
            limit = planner.elab.fresh("k")
            code.append(core.If(short, (Note(lost),)))
            code.append(Fill(slot, (), limit, size, binary(
                "min", Load(slot, (Local(limit),)), held.count(Local(limit)))))
        bag = bag_local(slot, bag.family)
    code.extend(zones.transfer(planner.elab, bag, source, target,
                               full(planner, call, target, here)))
    if not whole:
        code.append(Fill(slot, (), planner.elab.fresh("k"), size, Const(0)))
    plans.append(Atomic(tuple(code)))
    return planner.finish(plans, here)


def shuffle_into(planner: Planner, call: sx.Call, here: Here) -> Plans:
    """Plan `shuffle_into(ZONE, DECK)`."""
    args = arguments(planner, call, 2, 2)
    source, c1 = place(planner, args[0], here)
    target, c2 = shuffled(planner, args[1], here)
    same_family(planner, source.zone.family, target.zone.family, call.at)
    code = (*zones.forget(planner.elab, target),
            *zones.transfer(planner.elab, planner.elab.zone_bag(source), source, target, None))
    return planner.finish([*planner.owe(here.clause, (*c1, *c2)), Atomic(code)], here)


def shuffle(planner: Planner, call: sx.Call, here: Here) -> Plans:
    """Plan `shuffle(DECK)`."""
    (arg,) = arguments(planner, call, 1, 1)
    deck, checks = shuffled(planner, arg, here)
    code = zones.forget(planner.elab, deck)
    return planner.finish([*planner.owe(here.clause, checks), Atomic(code)], here)


def put_at_end(planner: Planner, call: sx.Call, here: Here) -> Plans:
    """Plan `put_on_top(card, SOURCE, DECK)` and `put_on_bottom(…)`."""
    card_tree, source_tree, target_tree = arguments(planner, call, 3, 3)
    top = isinstance(call.func, sx.Name) and call.func.name == "put_on_top"
    card = planner.elab.use(card_tree, here.scope, "card")
    source, c1 = place(planner, source_tree, here)
    target, c2 = place(planner, target_tree, here)
    parts = ordered_parts(target.zone)
    if not parts:
        raise planner.elab.fail(
            "RP211", f"{describe(target_tree)} does not know the place of a card",
            target_tree.at, "give the deck `known: N`, or make it a pile")
    array, size = parts[0] if top or len(parts) == 1 else parts[1]
    temp = planner.elab.fresh("card")
    there = zones.has(planner.elab.zone_bag(source), Local(temp))
    some = binary("<", zones.filled(planner.elab, array, size, target.owner), Const(size))
    lost = planner.obligation(here.clause, Check(
        there, "not-there",
        f"{describe(card_tree)} is not in {describe(source_tree)}", call.at))
    over = planner.obligation(here.clause, Check(
        some, "no-room", f"more than {size} known cards in {describe(target_tree)}", call.at))
    put = zones.push if top else zones.append
    known = (*zones.take(planner.elab, source, Local(temp), Const(1)),
             *put(planner.elab, array, size, target.owner, Local(temp)))
    loose: tuple[Stmt, ...] = (Note(over),)
    if target.zone.kind != "pile":
        loose += (*zones.take(planner.elab, source, Local(temp), Const(1)),
                  *zones.put(planner.elab, target, Local(temp), Const(1)))
    code: tuple[Stmt, ...] = (
        Let(temp, card.expr),
        core.If(there, (core.If(some, known, loose),), (Note(lost),)))
    return planner.finish(
        [*planner.owe(here.clause, (*card.checks, *c1, *c2)), Atomic(code)], here)


def tally(planner: Planner, call: sx.Call, here: Here) -> Plans:
    """Plan `add(card, LEDGER)` and `clear(LEDGER)`."""
    adding = isinstance(call.func, sx.Name) and call.func.name == "add"
    args = arguments(planner, call, 2 if adding else 1, 2 if adding else 1)
    ledger, checks = planner.elab.zone(args[-1], here.scope)
    if ledger.zone.kind != "ledger":
        raise planner.elab.fail("RP211", f"{describe(args[-1])} is not a ledger", args[-1].at,
                             "cards that lie in a zone are moved")
    code: tuple[Stmt, ...]
    if adding:
        card = planner.elab.use(args[0], here.scope, "card", ledger.zone.family)
        checks = (*card.checks, *checks)
        where = (*ledger.owner, card.expr)
        high = planner.frames.arrays[ledger.zone.name].high
        now = Load(ledger.zone.name, where)
        over = planner.obligation(here.clause, Check(
            FALSE, "no-room", f"more than {high} tallied of a card in `{ledger.zone.name}`",
            call.at))
        code = (core.If(binary("<", now, Const(high)),
                        (Store(ledger.zone.name, where, binary("+", now, Const(1))),),
                        (Note(over),)),)
    else:
        code = zones.empty(planner.elab, ledger)
    return planner.finish([*planner.owe(here.clause, checks), Atomic(code)], here)


def draw_many(planner: Planner, call: sx.Call, here: Here) -> Plans:
    """Plan `draw(n, DECK, TARGET)`."""
    number, deck_tree, target_tree = arguments(planner, call, 3, 3)
    _number_first(planner, call, here)
    many = planner.elab.use(number, here.scope, "int")
    deck, c1 = place(planner, deck_tree, here)
    left = planner.frames.local(f"{here.prefix}left@{call.at.line}.{call.at.column}",
                             Ty("int", low=0, high=max(many.ty.high, 0)))
    start = binary("max", Const(0), many.expr)
    one = draw_one(planner, call, deck_tree, target_tree, None, here, stop=left)
    step: tuple[Stmt, ...] = (Store(left, (), binary("max", Const(0), binary(
        "-", Load(left), Const(1)))),)
    loop = Loop((Store(left, (), start),), binary(">", Load(left), Const(0)), one, step)
    del deck
    return (*planner.owe(here.clause, (*many.checks, *c1)), loop)


def _number_first(planner: Planner, call: sx.Call, here: Here) -> None:
    """Refuse `draw(DECK, n, TARGET)` and its like."""
    values = [(tree, planner.elab.value(tree, here.scope)) for tree in call.args]
    if isinstance(values[0][1], Bag):
        ordered = [tree for tree, value in sorted(values, key=lambda v: isinstance(v[1], Bag))]
        right = ", ".join(map(unparse, ordered))
        raise planner.elab.fail("RP213", "`draw` takes the number of cards first", call.at,
                                f"write `draw({right})`")


def draw_one(  # noqa: PLR0917 - from where, to where, in the order of the call
    planner: Planner, call: sx.Call, deck_tree: sx.Expr, target_tree: sx.Expr, slot: str | None,
    here: Here, *, stop: str | None,
) -> Plans:
    """Plan that one card is drawn; `slot` keeps which one."""
    elab = planner.elab
    deck, c1 = place(planner, deck_tree, here)
    target, c2 = place(planner, target_tree, here)
    same_family(planner, deck.zone.family, target.zone.family, target_tree.at)
    held = elab.zone_bag(deck)
    name = elab.fresh("card")
    note = planner.obligation(here.clause, Check(
        FALSE, "nothing-to-draw", f"a card is drawn from {describe(deck_tree)}, which is empty",
        call.at))

    def arrive(card: Expr, leave: tuple[Stmt, ...]) -> Plans:
        keep: tuple[Stmt, ...] = (Store(slot, (), card),) if slot is not None else ()
        code = (*keep, *leave, *zones.put(elab, target, card, Const(1)))
        return planner.finish([Atomic(code)], here)

    chance: Plans = ()
    if deck.zone.kind != "pile":
        where = (*deck.owner, Local(name))
        loose = Load(deck.zone.name, where)
        domain = planner.frames.domain(Ty("card", deck.zone.family))
        param = Param(name, domain, "card", binary(">", loose, Const(0)))
        leave = (Store(deck.zone.name, where, binary("-", loose, Const(1))),)
        chance = (Rest("chance", f"draw from {unparse(deck_tree)}", "", None, (
            Fork("draw", (param,), (), arrive(Local(name), leave), loose,
                 clauses=(here.clause,)),)),)
    plans = chance
    for known in (zones.known_bottom(deck), zones.known_top(deck)):
        if known is None:
            continue
        card, leave_code = known
        temp = elab.fresh("top")
        taken = planner.finish([Atomic((
            Let(temp, card), *((Store(slot, (), Local(temp)),) if slot is not None else ()),
            *leave_code(elab), *zones.put(elab, target, Local(temp), Const(1))))], here)
        here_known = binary("!=", card, Const(-1))
        if known == zones.known_bottom(deck) or (plans is chance and deck.zone.kind != "pile"):
            here_known = both(here_known, binary("==", zones.loose(elab, deck), Const(0)))
        plans = (Branch(here_known, taken, plans),)
    halt: Plans = (Atomic((Store(stop, (), Const(0)),)),) if stop is not None else ()
    some = binary(">", total(elab, held), Const(0))
    owner = clause(planner, here.clause)
    gives_up = slot is not None or (owner is not None and owner.otherwise is not None)
    nothing: Plans = (Owe(FALSE, note, abandon=gives_up), *halt)
    over = full(planner, call, target, here)
    if over is not None:
        stays: Plans = (Owe(FALSE, over.obligation, abandon=gives_up), *halt)
        plans = (Branch(zones.room(elab, deck, target), plans, stays),)
    return (*planner.owe(here.clause, (*c1, *c2)), Branch(some, plans, nothing))


def clause(planner: Planner, name: str) -> Clause | None:
    """Find a clause by its id."""
    return next((c for c in planner.game.clauses if c.id == name), None)
