"""What a spec declares, as values: its variables, zones, families, and the tables of its cards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from ..game.game import Clause, Game, Ty, Window, Zone
from ..machine.core import Const, Expr, Load, Local
from ..machine.simplify import binary, reduce
from ..source.errors import Place, Reporter
from .context import own
from .meanings import BagMeaning, Failed, Names, PlayerSet, Scalar, Value, ZoneAt
from .words import NAMES


class Declared:
    """The declared names of one game, and what is found out about them on the way."""

    def __init__(self, game: Game, report: Reporter) -> None:
        self.game = game
        self.report = report
        self.tables: dict[str, tuple[int, ...]] = {}
        self._fresh = 0
        self._unfolding: tuple[str, ...] = ()
        self._known: dict[tuple[object, ...], Value] = {}
        """What terms stand for, by their clauses and arguments."""
        self.planned: tuple[str, ...] = ()
        """The clauses that are being planned, the outer ones first."""
        for family in game.families.values():
            for name in family.attributes:
                key = f"{family.name}.{name}"
                self.tables[key] = tuple(card.attributes[name] for card in family.cards)
            self.tables[f"{family.name}.copies"] = tuple(card.copies for card in family.cards)
        self._enum_values = {
            value: (name, index)
            for name, values in game.enums.items()
            for index, value in enumerate(values)
        }
        self._defines: dict[str, tuple[Clause, ...]] = {}
        """Term → the clause that defines it, or all versions of it."""
        for clause in game.clauses:
            if clause.define and clause.in_force:
                others = self._defines.get(clause.define, ()) if game.features else ()
                self._defines[clause.define] = (*others, clause)

    @contextmanager
    def planning(self, clause: str) -> Iterator[None]:
        """Plan a clause: what is in no configuration with it is left out meanwhile."""
        self.planned += (clause,)
        try:
            yield
        finally:
            self.planned = self.planned[:-1]

    def apart(self, version: Clause | Window, *others: str) -> bool:
        """Return whether a version of something is in no configuration with one of some others.

        The clauses that are being planned, and the terms that are unfolded, are among these.
        """
        there = (*others, *self._unfolding, *self.planned)
        return bool(self.game.apart) and any(
            {version.id, each} in self.game.apart for each in there)

    def windows(self, name: str) -> Sequence[Window]:
        """Return the versions of a window of which one is on where it is run."""
        versions = [each for each in self.game.windows.values() if own(each.name) == name]
        return [each for each in versions if not self.apart(each)] or versions[-1:]

    def fresh(self, stem: str) -> str:
        """Make a new name for a local of the core."""
        self._fresh += 1
        return f"{stem}${self._fresh}"

    def fail(self, code: str, message: str, place: Place, help_: str = "") -> Failed:
        """Report an error and make the exception to raise."""
        self.report.error(code, message, place, help=help_)
        return Failed(message)

    def seats(self) -> int:
        """Return the number of players."""
        return self.game.players

    def kinds(self, family: str) -> int:
        """Return the number of card kinds of a family."""
        return len(self.game.families[family].cards)

    def copies(self, family: str) -> int:
        """Return the number of cards of a family."""
        return sum(self.tables[f"{family}.copies"])

    def most_copies(self, family: str) -> int:
        """Return the number of copies of the most common card of a family."""
        return max(self.tables[f"{family}.copies"], default=0)

    def span_of(self, ty: Ty) -> tuple[int, int]:
        """Return the least and greatest value of a scalar type (without none)."""
        if ty.kind == "int":
            return ty.low, ty.high
        if ty.kind == "bool":
            return 0, 1
        if ty.kind == "player":
            return 0, self.seats() - 1
        if ty.kind == "card":
            return 0, self.kinds(ty.name) - 1
        if ty.kind == "enum":
            return 0, len(self.game.enums[ty.name]) - 1
        if ty.kind == "record":
            return 0, self.game.pools[ty.name].capacity - 1
        return -1, -1

    def index_type(self, per: str) -> Ty:
        """Return the type of the index of what there is one of for each `per`."""
        if per == "player":
            return Ty("player")
        return Ty("card" if per in self.game.families else "enum", per)

    def known(self, scope: Names) -> Iterable[str]:
        """Give all names that could be meant, for suggestions."""
        game = self.game
        groups: tuple[Iterable[str], ...] = (
            scope.names, game.constants, game.variables, game.zones, game.pools, game.enums,
            game.families, self._enum_values, self._defines, game.steps, game.windows,
            (name for name in NAMES if name != "actor"),
        )
        return [name for group in groups for name in group]

    def variable(self, name: str, owner: Expr | None, at: Place) -> Value:
        """Return the value of a declared variable; `owner` is the index of a `per` variable."""
        declared = self.game.variables[name]
        if declared.per and owner is None:
            raise self.fail("RP212", f"`{name}` is one for each {declared.per}", at,
                            f"write `{name}[…]`")
        index = () if owner is None else (owner,)
        if declared.type.kind == "players":
            return PlayerSet(lambda p: Load(name, (*index, p)))
        return Scalar(declared.type, Load(name, index))

    def zone_bag(self, at: ZoneAt) -> BagMeaning:
        """Return the cards of a zone as a bag."""
        zone = at.zone

        def count(kind: Expr) -> Expr:
            parts: list[Expr] = []
            if zone.kind != "pile":
                parts.append(Load(zone.name, (*at.owner, kind)))
            for name, size in ordered_parts(zone):
                var = self.fresh("place")
                here = binary("==", Load(name, (*at.owner, Local(var))), kind)
                parts.append(reduce("sum", var, size, here, Const(1)))
            made: Expr = Const(0)
            for part in parts:
                made = binary("+", made, part)
            return made

        return BagMeaning(zone.family, count, (), at)


def ordered_parts(zone: Zone) -> tuple[tuple[str, int], ...]:
    """Name the arrays of a zone whose places are known, and their lengths."""
    if zone.kind == "pile":
        return ((zone.name, zone.capacity),)
    if zone.known:
        return ((f"{zone.name}.top", zone.known), (f"{zone.name}.bottom", zone.known))
    return ()
