"""The arrays of a game: what the spec declares, and the locals that bodies keep across a rest."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..game.game import Ty, Variable
from ..game.values import MAX_NUMBER
from ..machine.core import Const, Expr, Fill, For, Local, Stmt, Store
from ..machine.machine import Array, Domain
from ..machine.memory import Memory
from .declared import ordered_parts
from .elaborate import Elaborator

YES_NO = Domain("bool", 0, 1, ("no", "yes"))
LOCAL_INT = 1000
"""A local number that is changed in a body is kept within -1000 … 1000."""


def removals(pool: str) -> str:
    """Name the array to which planning writes the places of records that are removed.

    No machine has it: the compiler, which knows what names of records are still needed there, puts
    these right instead.
    """
    return f"{pool} removed"


@dataclass(frozen=True, slots=True)
class Kept:
    """A local that holds the place of a record, or a place between records (`between`)."""

    pool: str
    owner: tuple[Expr, ...]
    between: bool = False


def reset(array: Array) -> Stmt:
    """Make the statement that gives a local its first value."""
    if not array.dims:
        return Store(array.name, (), Const(array.start[0]))
    *outer, last = array.dims
    prefix = tuple(f"reset {place}" for place in range(len(outer)))
    made: Stmt = Fill(array.name, tuple(map(Local, prefix)), "reset", last, Const(array.start[0]))
    for name, size in reversed([*zip(prefix, outer, strict=True)]):
        made = For(name, size, (made,))
    return made


class Frames:
    """All arrays of a machine, declared ones first; `local` adds one when it is first asked for."""

    def __init__(self, elab: Elaborator) -> None:
        self.elab = elab
        self.arrays: dict[str, Array] = {}
        self.records: dict[str, Kept] = {}
        """The locals that hold places of records."""
        self._declare()

    # ------------------------------------------------------------------ domains

    def domain(self, ty: Ty) -> Domain:
        """Return the printed values of a scalar type."""
        game = self.elab.game
        low, high = self.elab.span_of(ty)
        if ty.kind == "bool":
            return YES_NO
        if ty.kind == "player":
            return Domain("player", low, high, self.player_names())
        if ty.kind == "card":
            names = tuple(card.name for card in game.families[ty.name].cards)
            return Domain(f"card:{ty.name}", low, high, names)
        if ty.kind == "enum":
            return Domain(f"enum:{ty.name}", low, high, game.enums[ty.name])
        if ty.kind == "record":
            return Domain(f"record:{ty.name}", 0, game.pools[ty.name].capacity - 1)
        return Domain("int", low, high)

    def player_names(self) -> tuple[str, ...]:
        """Name the seats."""
        word = self.elab.game.player_word
        return tuple(f"{word} {seat + 1}" for seat in range(self.elab.seats()))

    # ------------------------------------------------------------------ declared

    def _declare(self) -> None:
        game, elab = self.elab.game, self.elab
        players = self.domain(Ty("player"))
        seats = elab.seats()
        for zone in game.zones.values():
            cards = self.domain(Ty("card", zone.family))
            copies = tuple(card.copies for card in game.families[zone.family].cards)
            owner, seen = self._axis(zone.per), zone.seen_by
            each = owner[0][0] if zone.per else 1
            if zone.kind != "pile":
                start = copies if zone.starts == "all" else (0,) * len(copies)
                most = max(copies, default=1)
                if zone.kind == "ledger":
                    most = sum(copies)
                self._add(Array(zone.name, (*owner[0], len(copies)), 0, max(most, 1), start * each,
                                Domain("int", 0, max(most, 1)), (*owner[1], cards), seen,
                                declared=True, zone=zone.kind, internal=zone.internal))
            for name, size in ordered_parts(zone):
                places = Domain("int", 1, size)
                self._add(Array(name, (*owner[0], size), -1, max(len(copies) - 1, 0),
                                (-1,) * size * each, cards, (*owner[1], places), seen,
                                declared=True, zone="pile", internal=zone.internal))
        for var in game.variables.values():
            self._variable(var)
        for pool in game.pools.values():
            owner = self._axis("player" if pool.per_player else "")
            each = seats if pool.per_player else 1
            records = Domain(f"record:{pool.name}", 0, pool.capacity - 1)
            sizes = Domain("int", 0, pool.capacity)
            self._add(Array(f"{pool.name}.size", owner[0], 0, pool.capacity, (0,) * each, sizes,
                            owner[1], pool.seen_by, internal=pool.internal))
            for name, ty in pool.fields.items():
                low, high = self._bounds(ty)
                first = -1 if ty.optional else low
                self._add(Array(f"{pool.name}.{name}", (*owner[0], pool.capacity), low, high,
                                (first,) * pool.capacity * each, self.domain(ty),
                                (*owner[1], records), pool.seen_by, internal=pool.internal))
            self._add(Array(removals(pool.name), owner[0], 0, pool.capacity, (0,) * each, sizes,
                            owner[1], declared=False))
        self._add(Array("winners", (seats,), 0, 1, (0,) * seats, YES_NO, (players,)))

    def _axis(self, per: str) -> tuple[tuple[int, ...], tuple[Domain, ...]]:
        """Return how many there are of what there is one of for each, and what tells them apart."""
        if not per:
            return (), ()
        over = self.domain(self.elab.index_type(per))
        return (over.high - over.low + 1,), (over,)

    def _variable(self, var: Variable) -> None:
        name, ty, per, start, seen = var.name, var.type, var.per, var.start, var.seen_by
        players = self.domain(Ty("player"))
        dims, axes = self._axis(per)
        each = dims[0] if dims else 1
        if ty.kind == "players":
            bits = tuple((start >> seat) & 1 for seat in range(self.elab.seats()))
            self._add(Array(name, (*dims, self.elab.seats()), 0, 1, bits * each,
                            YES_NO, (*axes, players), seen, internal=var.internal))
            return
        low, high = self._bounds(ty)
        self._add(Array(name, dims, low, high, (start,) * each, self.domain(ty), axes, seen,
                        internal=var.internal))

    def _bounds(self, ty: Ty) -> tuple[int, int]:
        low, high = self.elab.span_of(ty)
        return (min(low, -1), high) if ty.optional or ty.kind == "record" else (low, high)

    def _add(self, array: Array) -> None:
        self.arrays[array.name] = array

    # ------------------------------------------------------------------ locals

    def local(self, kept: Memory, ty: Ty, *, changed: bool = False) -> str:
        """Make (or find) the array of a local; `changed` widens a number."""
        if ty.kind == "players":
            return self.flags(kept)
        if ty.kind == "bag":
            return self.counts(kept, ty.name)
        if ty.kind == "int" and changed:
            ty = Ty("int", "", ty.optional, min(ty.low, -LOCAL_INT), max(ty.high, LOCAL_INT))
        if ty.kind == "none":
            ty = Ty("int", optional=True)
        low, high = self._bounds(ty)
        low, high = max(low, -MAX_NUMBER), min(high, MAX_NUMBER)
        known = self.arrays.get(kept.array)
        if known is not None:
            low, high = min(low, known.low), max(high, known.high)
        return self._keep(kept, Array(
            kept.array, (), low, high, (-1 if low == -1 else min(max(low, 0), high),),
            self.domain(ty), (), "none" if ty.kind == "card" else "all"))

    def beside(self, array: Array, kept: Memory) -> str:
        """Make (or find) a local array of the same form as another one, which nobody sees."""
        return self._keep(kept, replace(array, name=kept.array, zone="", seen_by="none",
                                        internal=False))

    def flags(self, kept: Memory) -> str:
        """Make (or find) a local set of players."""
        return self.marks(kept, self.domain(Ty("player")), self.elab.seats())

    def counts(self, kept: Memory, family: str) -> str:
        """Make (or find) a local bag of cards."""
        copies = [card.copies for card in self.elab.game.families[family].cards]
        most = max(copies, default=1)
        return self._keep(kept, Array(
            kept.array, (len(copies),), 0, max(most, 1), (0,) * len(copies),
            Domain("int", 0, max(most, 1)), (self.domain(Ty("card", family)),), "none"))

    def marks(self, kept: Memory, domain: Domain, size: int) -> str:
        """Make (or find) a local set of consecutive values, which begin with that of a domain."""
        return self._keep(kept, Array(
            kept.array, (size,), 0, 1, (0,) * size, YES_NO, (domain,),
            "none" if domain.kind.startswith("card:") else "all"))

    def _keep(self, kept: Memory, array: Array) -> str:
        self._add(replace(array, declared=False, of=kept))
        return array.name
