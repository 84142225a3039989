"""Moving cards: the core code of every primitive that touches a zone.

Bags, ledgers and the shuffled part of a deck are counts; piles and the known ends of a deck are
arrays of places, filled from index 0 (the top) on, -1 where empty.
"""

from __future__ import annotations

from ..machine.core import TRUE, Const, Expr, For, If, Let, Load, Local, Stmt, Store
from ..machine.simplify import binary, conj, either, reduce
from .declared import ordered_parts
from .elaborate import Elaborator
from .meanings import BagMeaning, ZoneAt

Code = tuple["Stmt", ...]


def put(elab: Elaborator, at: ZoneAt, kind: Expr, many: Expr) -> Code:
    """Add cards of a kind: shuffled into a deck, or one on top of a pile that has room."""
    zone = at.zone
    if zone.kind == "pile":
        return push(elab, zone.name, zone.capacity, at.owner, kind)
    where = (*at.owner, kind)
    return (Store(zone.name, where, binary("+", Load(zone.name, where), many)),)


def limited(elab: Elaborator, at: ZoneAt) -> bool:
    """Return whether a zone can be full: it is a pile that does not hold all cards there are."""
    return at.zone.kind == "pile" and at.zone.capacity < elab.copies(at.zone.family)


def room(elab: Elaborator, source: ZoneAt, target: ZoneAt) -> Expr:
    """Return whether a card of one zone can come into another, which is limited."""
    zone = target.zone
    some = binary("<", filled(elab, zone.name, zone.capacity, target.owner), Const(zone.capacity))
    if source.zone.name != zone.name:
        return some
    same = conj(binary("==", a, b) for a, b in zip(source.owner, target.owner, strict=True))
    return either(some, same)


def carry(elab: Elaborator, kind: Expr, source: ZoneAt, target: ZoneAt, over: Stmt | None) -> Code:
    """Move one card that is there; if the target is full it stays where it is, and `over` runs."""
    steps = (*take(elab, source, kind, Const(1)), *put(elab, target, kind, Const(1)))
    return steps if over is None else (If(room(elab, source, target), steps, (over,)),)


def push(elab: Elaborator, array: str, size: int, owner: tuple[Expr, ...], kind: Expr) -> Code:
    """Put a card on the top of an ordered array, which is not full."""
    var, card = elab.fresh("place"), elab.fresh("card")
    here = binary("-", Const(size - 1), Local(var))
    above = binary("-", here, Const(1))
    shift = If(binary(">", here, Const(0)),
               (Store(array, (*owner, here), Load(array, (*owner, above))),))
    return (Let(card, kind), For(var, size, (shift,)),
            Store(array, (*owner, Const(0)), Local(card)))


def append(elab: Elaborator, array: str, size: int, owner: tuple[Expr, ...], kind: Expr) -> Code:
    """Put a card below the last one of an ordered array; nothing happens if it is full."""
    length = elab.fresh("length")
    return (Let(length, filled(elab, array, size, owner)),
            Store(array, (*owner, Local(length)), kind))


def filled(elab: Elaborator, array: str, size: int, owner: tuple[Expr, ...]) -> Expr:
    """Count the cards in an ordered array."""
    var = elab.fresh("place")
    some = binary("!=", Load(array, (*owner, Local(var))), Const(-1))
    return reduce("sum", var, size, some, Const(1))


def cut(elab: Elaborator, array: str, size: int, owner: tuple[Expr, ...], place: Expr) -> Code:
    """Take the card at a place out of an ordered array; those below move up."""
    var, start = elab.fresh("place"), elab.fresh("from")
    here, below = Local(var), binary("+", Local(var), Const(1))
    close = If(binary(">=", here, Local(start)),
               (Store(array, (*owner, here), Load(array, (*owner, below))),))
    return (Let(start, place), For(var, size - 1, (close,)),
            If(binary("<", Local(start), Const(size)),
               (Store(array, (*owner, Const(size - 1)), Const(-1)),)))


def take(elab: Elaborator, at: ZoneAt, kind: Expr, many: Expr) -> Code:
    """Remove `many` cards of a kind, which are there; from a pile the topmost ones."""
    zone = at.zone
    parts = ordered_parts(zone)
    where = (*at.owner, kind)
    if not parts:
        return (Store(zone.name, where, binary("-", Load(zone.name, where), many)),)
    card, left = elab.fresh("card"), elab.fresh("copy")
    once = _take_one(elab, at, Local(card))
    each = If(binary("<", Local(left), many), once)
    return (Let(card, kind), For(left, elab.most_copies(zone.family), (each,)))


def _take_one(elab: Elaborator, at: ZoneAt, kind: Expr) -> Code:
    zone = at.zone
    where = (*at.owner, kind)
    code: Code = ()
    for array, size in reversed(ordered_parts(zone)):
        var, found = elab.fresh("place"), elab.fresh("found")
        match = binary("==", Load(array, (*at.owner, Local(var))), kind)
        first = reduce("min", var, size, match, Local(var), empty=size)
        hit = cut(elab, array, size, at.owner, Local(found))
        code = (Let(found, first), If(binary("<", Local(found), Const(size)), hit, code))
    if zone.kind == "pile":
        return code
    loose = binary(">", Load(zone.name, where), Const(0))
    return (If(loose, (Store(zone.name, where, binary("-", Load(zone.name, where), Const(1))),),
               code),)


def transfer(
    elab: Elaborator, bag: BagMeaning, source: ZoneAt, target: ZoneAt, over: Stmt | None
) -> Code:
    """Move the cards of a bag from a zone to another, kind by kind; as `carry` if that is full."""
    size = elab.kinds(bag.family)
    kind, many = elab.fresh("k"), elab.fresh("many")
    if target.zone.kind == "pile":
        copy = elab.fresh("copy")
        once = carry(elab, Local(kind), source, target, over)
        each = For(copy, elab.most_copies(bag.family),
                   (If(binary("<", Local(copy), Local(many)), once),))
        return (For(kind, size, (Let(many, bag.count(Local(kind))), each)),)
    steps = (*take(elab, source, Local(kind), Local(many)),
             *put(elab, target, Local(kind), Local(many)))
    some = If(binary(">", Local(many), Const(0)), steps)
    return (For(kind, size, (Let(many, bag.count(Local(kind))), some)),)


def forget(elab: Elaborator, at: ZoneAt) -> Code:
    """Shuffle a deck: the known cards become part of what is not known."""
    code: list[Stmt] = []
    for array, size in ordered_parts(at.zone):
        var, card = elab.fresh("place"), elab.fresh("card")
        here = (*at.owner, Local(var))
        count = (*at.owner, Local(card))
        code.append(For(var, size, (
            Let(card, Load(array, here)),
            If(binary("!=", Local(card), Const(-1)), (
                Store(at.zone.name, count, binary("+", Load(at.zone.name, count), Const(1))),
                Store(array, here, Const(-1)),
            )),
        )))
    return tuple(code)


def empty(elab: Elaborator, at: ZoneAt) -> Code:
    """Clear a ledger."""
    var = elab.fresh("k")
    return (For(var, elab.kinds(at.zone.family),
                (Store(at.zone.name, (*at.owner, Local(var)), Const(0)),)),)


def loose(elab: Elaborator, at: ZoneAt) -> Expr:
    """Count the cards of a deck whose place is not known."""
    var = elab.fresh("k")
    return reduce("sum", var, elab.kinds(at.zone.family), TRUE,
                  Load(at.zone.name, (*at.owner, Local(var))))


def has(bag: BagMeaning, kind: Expr) -> Expr:
    """Return whether a bag holds a card."""
    return binary(">", bag.count(kind), Const(0))
