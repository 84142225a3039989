"""Drawing cards: by chance from what is shuffled, else the card whose place is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..game import syntax as sx
from ..game.game import Ty
from ..game.unparse import unparse
from ..machine.core import FALSE, Const, Let, Load, Local, Store
from ..machine.machine import Param
from ..machine.simplify import binary, both
from ..rules import zones
from ..rules.context import Here, Plans
from ..rules.expected import describe
from ..rules.meanings import Bag, Check, Scalar
from ..rules.numbers import total
from ..rules.plan import Atomic, Branch, Fork, Loop, Owe, Rest
from .moving import full, place, same_family

if TYPE_CHECKING:
    from ..machine.core import Expr, Stmt
    from ..rules.meanings import ZoneAt
    from .builder import Builder, Maker, Verb


def draw_many(build: Builder, call: sx.Call, here: Here) -> Plans:
    """Plan `draw(n, DECK, TARGET)`, or `draw(DECK, TARGET)` of a card that gets no name."""
    if len(call.args) == 2:
        return draw_card(build, f"unused@{call.at.line}", call, here)[0]
    number, deck_tree, target_tree = call.args
    _number_first(build, call, here)
    many = build.elab.use(number, here.scope, "int")
    _, c1 = place(build, deck_tree, here)
    left = build.frames.local(f"{here.prefix}left@{call.at.line}.{call.at.column}",
                             Ty("int", low=0, high=max(many.ty.high, 0)))
    start = binary("max", Const(0), many.expr)
    one = draw_one(build, call, deck_tree, target_tree, None, here, stop=left)
    step: tuple[Stmt, ...] = (Store(left, (), binary("max", Const(0), binary(
        "-", Load(left), Const(1)))),)
    loop = Loop((Store(left, (), start),), binary(">", Load(left), Const(0)), one, step)
    return (*build.owe(here.clause, (*many.checks, *c1)), loop)


def _number_first(build: Builder, call: sx.Call, here: Here) -> None:
    """Refuse `draw(DECK, n, TARGET)` and its like."""
    values = [(tree, build.elab.value(tree, here.scope)) for tree in call.args]
    if isinstance(values[0][1], Bag):
        ordered = [tree for tree, value in sorted(values, key=lambda v: isinstance(v[1], Bag))]
        right = ", ".join(map(unparse, ordered))
        raise build.elab.fail("RP213", "`draw` takes the number of cards first", call.at,
                              f"write `draw({right})`")


def draw_one(  # noqa: PLR0917 - from where, to where, in the order of the call
    build: Builder, call: sx.Call, deck_tree: sx.Expr, target_tree: sx.Expr, slot: str | None,
    here: Here, *, stop: str | None,
) -> Plans:
    """Plan that one card is drawn; `slot` keeps which one."""
    elab = build.elab
    deck, c1 = place(build, deck_tree, here)
    target, c2 = place(build, target_tree, here)
    same_family(build, deck.zone.family, target.zone.family, target_tree.at)
    note = build.obligation(here.clause, Check(
        FALSE, "nothing-to-draw", f"a card is drawn from {describe(deck_tree)}, which is empty",
        call.at))
    plans = _one_card(build, f"draw from {unparse(deck_tree)}", deck, target, slot, here)
    halt: Plans = (Atomic((Store(stop, (), Const(0)),)),) if stop is not None else ()
    some = binary(">", total(elab, elab.zone_bag(deck)), Const(0))
    owner = next((c for c in build.game.clauses if c.id == here.clause), None)
    gives_up = slot is not None or (owner is not None and owner.otherwise is not None)
    nothing: Plans = (Owe(FALSE, note, abandon=gives_up), *halt)
    over = full(build, call, target, here)
    if over is not None:
        stays: Plans = (Owe(FALSE, over.obligation, abandon=gives_up), *halt)
        plans = (Branch(zones.room(elab, deck, target), plans, stays),)
    return (*build.owe(here.clause, (*c1, *c2)), Branch(some, plans, nothing))


def _one_card(  # noqa: PLR0917 - what it is called, from where, to where, in this order
    build: Builder, name: str, deck: ZoneAt, target: ZoneAt, slot: str | None, here: Here
) -> Plans:
    """Plan that a card of a deck that is not empty goes to another zone.

    The known cards on top come first, then chance, then the known cards at the bottom.
    """
    elab = build.elab

    def arrive(card: Expr, leave: tuple[Stmt, ...], first: tuple[Stmt, ...] = ()) -> Plans:
        keep: tuple[Stmt, ...] = (Store(slot, (), card),) if slot is not None else ()
        code = (*first, *keep, *leave, *zones.put(elab, target, card, Const(1)))
        return build.finish([Atomic(code)], here)

    plans: Plans = ()
    shuffled = deck.zone.kind != "pile"
    drawn = elab.fresh("card")
    if shuffled:
        where = (*deck.owner, Local(drawn))
        loose = Load(deck.zone.name, where)
        domain = build.frames.domain(Ty("card", deck.zone.family))
        param = Param(drawn, domain, "card", binary(">", loose, Const(0)))
        leave = (Store(deck.zone.name, where, binary("-", loose, Const(1))),)
        plans = (Rest("chance", name, "", None, (
            Fork("draw", (param,), (), arrive(Local(drawn), leave), loose,
                 clauses=(here.clause,)),)),)
    last = zones.known_bottom(deck) if shuffled else None
    for known in (last, zones.known_top(deck)):
        if known is None:
            continue
        card, leave_code = known
        temp = elab.fresh("top")
        taken = arrive(Local(temp), leave_code(elab), (Let(temp, card),))
        here_known = binary("!=", card, Const(-1))
        if known is last:
            here_known = both(here_known, binary("==", zones.loose(elab, deck), Const(0)))
        plans = (Branch(here_known, taken, plans),)
    return plans


def draw_card(build: Builder, name: str, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan that one card is drawn and gets a name."""
    deck_tree, target_tree = call.args
    deck, _ = build.elab.zone(deck_tree, here.scope)
    ty = Ty("card", deck.zone.family)
    slot = build.frames.local(here.prefix + name, ty)
    plans = draw_one(build, call, deck_tree, target_tree, slot, here, stop=None)
    return plans, here.bind(name, Scalar(ty, Load(slot)))


VERBS: dict[str, Verb] = {"draw": draw_many}
MAKERS: dict[str, Maker] = {"draw": draw_card}
