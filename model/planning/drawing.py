"""What chance decides: cards that are drawn, dice, things taken at random."""

from __future__ import annotations

from ..game import syntax as sx
from ..game.game import Ty
from ..game.unparse import unparse
from ..machine.core import FALSE, Const, Expr, Let, Load, Local, Stmt, Store
from ..machine.machine import Param
from ..machine.memory import Memory
from ..machine.simplify import binary, both
from ..rules import zones
from ..rules.context import Here, Plans
from ..rules.declared import ordered_parts
from ..rules.expected import describe
from ..rules.functions import total
from ..rules.meanings import BagMeaning, Owed, Scalar, ZoneAt
from ..rules.plan import Atomic, Branch, Fork, Loop, Owe, Rest
from .builder import Builder, Maker, Verb
from .choosing import domain_param, exists
from .moving import full, place, same_family
from .naming import keep_record


def draw_many(build: Builder, call: sx.Call, here: Here) -> Plans:
    """Plan `draw(n, DECK, TARGET)`, or `draw(DECK, TARGET)` of a card that gets no name."""
    if len(call.args) == 2:
        return draw_card(build, here.kept_at("unused", call.at), call, here)[0]
    number, deck_tree, target_tree = call.args
    _number_first(build, call, here)
    many = build.elab.use(number, here.scope, "int")
    _, c1 = place(build, deck_tree, here)
    left = build.frames.local(here.kept_at("left", call.at, "left"),
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
    if isinstance(values[0][1], BagMeaning):
        ordered = [
            tree for tree, value in sorted(values, key=lambda v: isinstance(v[1], BagMeaning))]
        right = ", ".join(map(unparse, ordered))
        raise build.elab.fail("RP213", "`draw` takes the number of cards first", call.at,
                              f"write `draw({right})`")


def _with_target(build: Builder, call: sx.Call, here: Here) -> None:
    """Refuse `draw(n, DECK)`, which does not say where the cards go."""
    number, deck = (build.elab.value(tree, here.scope) for tree in call.args)
    if isinstance(number, Scalar) and number.ty.kind == "int" and isinstance(deck, BagMeaning):
        how = ", ".join(map(unparse, call.args))
        raise build.elab.fail("RP213", "`draw` does not say where the cards go", call.at,
                              f"add the zone that they go to, as in `draw({how}, hand[active])`; "
                              "one card that gets a name is drawn by `card = draw(DECK, TARGET)`")


def draw_one(  # noqa: PLR0917 - from where, to where, in the order of the call
    build: Builder, call: sx.Call, deck_tree: sx.Expr, target_tree: sx.Expr, slot: str | None,
    here: Here, *, stop: str | None,
) -> Plans:
    """Plan that one card is drawn; `slot` keeps which one."""
    elab = build.elab
    deck, c1 = place(build, deck_tree, here)
    target, c2 = place(build, target_tree, here)
    same_family(build, deck.zone.family, target.zone.family, target_tree.at)
    note = build.obligation(here.clause, Owed(
        FALSE, "nothing-to-draw", f"a card is drawn from {describe(deck_tree)}, which is empty",
        call.at, about=deck.zone.name))
    plans = _one_card(build, f"draw from {unparse(deck_tree)}", deck, target, slot, here)
    halt: Plans = (Atomic((Store(stop, (), Const(0)),)),) if stop is not None else ()
    some = binary(">", total(elab, elab.zone_bag(deck)), Const(0))
    owner = build.game.clause(here.clause)
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
    drawn = elab.fresh("card")
    if deck.zone.kind != "pile":
        where = (*deck.owner, Local(drawn))
        loose = Load(deck.zone.name, where)
        domain = build.frames.domain(Ty("card", deck.zone.family))
        param = Param(drawn, domain, "card", binary(">", loose, Const(0)))
        leave = (Store(deck.zone.name, where, binary("-", loose, Const(1))),)
        plans = (Rest("chance", name, "", None, (
            Fork("draw", (param,), (), arrive(Local(drawn), leave), loose,
                 clauses=(here.clause,)),)),)
    for number, (array, size) in reversed([*enumerate(ordered_parts(deck.zone))]):
        card = Load(array, (*deck.owner, Const(0)))
        temp = elab.fresh("top")
        taken = arrive(Local(temp), zones.cut(elab, array, size, deck.owner, Const(0)),
                       (Let(temp, card),))
        here_known = binary("!=", card, Const(-1))
        if number:
            here_known = both(here_known, binary("==", zones.loose(elab, deck), Const(0)))
        plans = (Branch(here_known, taken, plans),)
    return plans


def draw_card(build: Builder, kept: Memory, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan that one card is drawn and gets a name."""
    deck_tree, target_tree = call.args
    _with_target(build, call, here)
    deck, _ = build.elab.zone(deck_tree, here.scope)
    ty = Ty("card", deck.zone.family)
    slot = build.frames.local(kept, ty)
    plans = draw_one(build, call, deck_tree, target_tree, slot, here, stop=None)
    return plans, here.bind(kept.key, Scalar(ty, Load(slot)))


def _by_chance(  # noqa: PLR0917 - what is drawn, from what, in this order
    build: Builder, kept: Memory, param: Param, ty: Ty, weight: Expr, here: Here
) -> tuple[Rest, Here]:
    """Plan that chance sets a name, each value with its weight."""
    slot = build.frames.local(kept, ty)
    keep = Atomic((Store(slot, (), Local(param.name)),))
    rest = Rest("chance", kept.name, "", None, (
        Fork(kept.name, (param,), (), (keep,), weight, clauses=(here.clause,)),))
    return rest, here.bind(kept.name, Scalar(ty, Load(slot)))


def roll(build: Builder, kept: Memory, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan the roll of a die."""
    args = call.args
    tree = sx.Call(sx.Name("range", call.at),
                   (args[0] if len(args) > 1 else sx.Num(1, call.at),
                    sx.Infix("+", args[-1], sx.Num(1, call.at), call.at)), (), call.at)
    param, _, ty, checks = domain_param(build, tree, kept.name, here)
    some = exists(param, build.elab.fresh("some"))
    if some == FALSE:
        raise build.elab.fail("RP205", f"{describe(call)} has no outcome", call.at,
                              "`roll(6)` gives 1 to 6, `roll(2, 5)` gives 2 to 5")
    owed = Owed(some, "no-option", f"{describe(call)} is chance with no outcome", call.at)
    rest, inside = _by_chance(build, kept, param, ty, Const(1), here)
    return (*build.owe(here.clause, (*checks, owed)), rest), inside


def random(build: Builder, kept: Memory, call: sx.Call, here: Here) -> tuple[Plans, Here]:
    """Plan that chance takes an element of a domain."""
    (arg,) = call.args
    param, over, ty, checks = domain_param(build, arg, kept.name, here)
    some = exists(param, build.elab.fresh("some"))
    owed = Owed(some, "no-option", f"{describe(arg)} is empty", call.at)
    weight = over.copies(Local(param.name))
    rest, inside = _by_chance(build, kept, param, ty, weight, here)
    plans = build.owe(here.clause, (*checks, owed))
    if over.pool is not None:
        code, record = keep_record(build, over.pool, kept, kept.name, here)
        plans += (Atomic(code),)
        inside = here.bind(kept.name, record)
    return (*plans, rest), inside


VERBS: dict[str, Verb] = {"draw": draw_many}
MAKERS: dict[str, Maker] = {"draw": draw_card, "roll": roll, "random": random}
