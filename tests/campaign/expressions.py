"""Random expressions of the rules language, well typed, over the names that are in sight."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ruleproof.tests.campaign.choices import Choices

COMPARE = ("<", "<=", "==", ">=", ">", "!=")


@dataclass(frozen=True, slots=True)
class Sight:
    """The names that an expression may use.

    `names` are locals and parameters with their types: num, bool, player, card, bag, record, hue.
    `level` counts down as steps and windows are called, so that nothing runs inside itself.
    """

    names: tuple[tuple[str, str], ...] = ()
    actor: bool = False
    level: int = 0
    abilities: bool = True
    """Whether texts of cards may be run: none runs another one."""
    together: bool = False
    """Whether all that is done is done for several players at the same time."""

    def of(self, kind: str) -> list[str]:
        """Name what is of a type."""
        return [name for name, each in self.names if each == kind]

    def and_(self, name: str, kind: str) -> Sight:
        """Add a name."""
        return replace(self, names=(*((n, k) for n, k in self.names if n != name), (name, kind)))


class Expressions:
    """Writes expressions.

    Args:
        choices: where the choices come from.

    """

    def __init__(self, choices: Choices) -> None:
        self.choices = choices
        self.cards = choices.often(65)
        """Whether there are cards and zones."""
        self.hues = choices.often(40)
        self.records = choices.often(35)
        self.records_apart = choices.often(50)
        """Whether each player has records of their own."""
        self.card_records = self.cards and choices.often(40)
        self.sets = choices.often(50)
        self.terms = choices.often(35)
        self.modes = choices.often(20)
        self.pile = choices.often(40)
        self.tally = self.cards and choices.often(25)
        self.marks = self.cards and choices.often(25)
        self.players = choices.weighted([(5, 2), (2, 3), (1, 1)])
        self.stacks = self.cards and self.hues and choices.often(40)
        """Whether each value of the enum has a zone of its own."""
        self.tints = self.hues and choices.often(40)
        self.debts = choices.often(20)
        """Whether there is a number that can be below zero."""
        self.nested = choices.often(25)
        """Whether something may run inside itself."""

    # ------------------------------------------------------------------------- places

    def zone(self, sight: Sight, depth: int) -> str:
        """Name a bag, pile or tally whose cards can be looked through."""
        places = [f"hand[{self.player(sight, depth)}]", "heap"]
        places += [f"stack[{self.hue(sight)}]"] * self.stacks
        return self.choices.one(places + ["tally"] * self.tally)

    def pool(self, sight: Sight, depth: int) -> str:
        """Name a pool of records."""
        return f"army[{self.player(sight, depth)}]" if self.records_apart else "army"

    # ------------------------------------------------------------------------- values

    def number(self, sight: Sight, depth: int) -> str:
        """Write a number."""
        kinds = [(3, "literal"), (4, "n"), (3, "life"), (2, "local")]
        if depth > 0:
            kinds += [(3, "sum"), (1, "min"), (1, "if"), (1, "mod"), (1, "count players"),
                      (1, "constant"), (1, "abs")]
            kinds += [(3, "cards"), (1, "attribute")] * self.cards
            kinds += [(2, "records")] * self.records
            kinds += [(2, "set")] * self.sets + [(2, "term")] * self.terms
        kinds += [(2, "tint")] * self.tints + [(2, "debt")] * self.debts
        return self._number(self.choices.weighted(kinds), sight, depth - 1)

    def _number(self, kind: str, sight: Sight, depth: int) -> str:
        choices = self.choices
        match kind:
            case "n":
                return "n"
            case "life":
                return f"life[{self.player(sight, depth)}]"
            case "local" if sight.of("num"):
                return choices.one(sight.of("num"))
            case "local" if sight.of("record"):
                return f"{choices.one(sight.of('record'))}.d"
            case "sum":
                sign = choices.one("+-")
                return f"({self.number(sight, depth)} {sign} {self.number(sight, depth)})"
            case "min":
                word = choices.one(("min", "max"))
                return f"{word}({self.number(sight, depth)}, {self.number(sight, depth)})"
            case "if":
                return (f"({self.number(sight, depth)} if {self.truth(sight, depth)} "
                        f"else {self.number(sight, depth)})")
            case "mod":
                by = choices.weighted([(4, "2"), (1, "n")])
                return f"({self.number(sight, depth)} {choices.one(('%', '//'))} {by})"
            case "abs":
                return f"abs({self.number(sight, depth)})"
            case "constant":
                return choices.one(("most", "player_count"))
            case "count players":
                test = self.truth(sight.and_("q", "player"), depth)
                return choices.one((f"count(q for q in players if {test})",
                                    "max(life[q] for q in players)",
                                    "sum(life[q] for q in players)"))
            case "cards":
                zone = self.zone(sight, depth)
                test = self.truth(sight.and_("c", "card"), depth)
                return choices.one((f"size({zone})", "size(deck)", f"sum(c.v for c in {zone})",
                                    f"count(c for c in {zone} if {test})",
                                    f"count({zone}, {self.card(sight)})"))
            case "attribute":
                return f"{self.card(sight)}.{choices.one(('v', 'copies'))}"
            case "records":
                pool = self.pool(sight, depth)
                test = self.truth(sight.and_("r", "record"), depth)
                return choices.one((f"size({pool})", f"sum(r.d for r in {pool})",
                                    f"count(r for r in {pool} if {test})"))
            case "set":
                return f"size({self.players_of(sight, depth)})"
            case "tint":
                return f"tint[{self.hue(sight)}]"
            case "debt":
                return "debt"
            case "term":
                return f"points({self.player(sight, depth)})"
            case _:
                return str(choices.below(4))

    def truth(self, sight: Sight, depth: int) -> str:
        """Write a condition."""
        kinds = [(3, "flag"), (6, "compare"), (1, "local")]
        if depth > 0:
            kinds += [(2, "both"), (1, "not"), (1, "implies"), (1, "any"), (1, "same")]
            kinds += [(2, "hue")] * self.hues + [(2, "card")] * self.cards
            kinds += [(2, "in")] * self.sets + [(1, "mark")] * self.marks
            kinds += [(1, "variant")] * self.modes
        return self._truth(self.choices.weighted(kinds), sight, depth - 1)

    def _truth(self, kind: str, sight: Sight, depth: int) -> str:
        choices = self.choices
        match kind:
            case "flag":
                return "flag"
            case "local" if sight.of("bool"):
                return choices.one(sight.of("bool"))
            case "both":
                word = choices.one(("and", "or"))
                return f"({self.truth(sight, depth)} {word} {self.truth(sight, depth)})"
            case "not":
                return f"(not {self.truth(sight, depth)})"
            case "implies":
                return f"implies({self.truth(sight, depth)}, {self.truth(sight, depth)})"
            case "any":
                return f"{choices.one(('any', 'all'))}({self.over(sight, depth)})"
            case "same":
                one, two = self.player(sight, depth), self.player(sight, depth)
                return f"{one} {choices.one(('==', '!='))} {two}"
            case "hue":
                return choices.one((
                    f"mood == {self.hue(sight)}", "mood == none",
                    *(f"{card}.hue == {self.hue(sight)}" for card in sight.of("card"))))
            case "card":
                return choices.one((f"{self.card(sight)} in {self.zone(sight, depth)}",
                                    "last == none", "last != kind.a", f"{self.card(sight)}.wild"))
            case "in":
                return f"{self.player(sight, depth)} in {self.players_of(sight, depth)}"
            case "mark":
                return f"mark[{self.card(sight)}]"
            case "variant":
                return "variant(fast)"
            case _:
                return (f"{self.number(sight, depth)} {choices.one(COMPARE)} "
                        f"{self.number(sight, depth)}")

    def over(self, sight: Sight, depth: int) -> str:
        """Write a condition with a generator."""
        places = [("q", "player", "players")]
        places += [("c", "card", self.zone(sight, depth))] * self.cards
        places += [("r", "record", self.pool(sight, depth))] * self.records
        name, kind, place = self.choices.one(places)
        return f"{self.truth(sight.and_(name, kind), depth)} for {name} in {place}"

    def player(self, sight: Sight, depth: int = 0) -> str:
        """Write a player."""
        known = sight.of("player") + ["actor"] * sight.actor
        if known and self.choices.often(60):
            return self.choices.one(known)
        if depth <= 0 or self.choices.often(70):
            return "active"
        return self.choices.one((
            f"next_player({self.player(sight, depth - 1)})",
            f"previous_player({self.player(sight, depth - 1)})",
            "only(argmax(life[q] for q in players))"))

    def players_of(self, sight: Sight, depth: int) -> str:
        """Write a set of players."""
        kinds = ["players", f"others({self.player(sight)})"] + ["marked", "marked"] * self.sets
        if depth > 0:
            test = self.truth(sight.and_("q", "player"), depth - 1)
            kinds += [f"{{q for q in players if {test}}}", f"{{{self.player(sight)}}}",
                      f"{self.choices.one(('argmin', 'argmax'))}(life[q] for q in players)"]
            kinds += [f"(marked {self.choices.one('|&-')} {{{self.player(sight)}}})"] * self.sets
        return self.choices.one(kinds)

    def card(self, sight: Sight) -> str:
        """Write a card."""
        known = sight.of("card")
        if known and self.choices.often(80):
            return self.choices.one(known)
        return self.choices.weighted([(3, "kind.a"), (3, "kind.b"), (1, "last")])

    def hue(self, sight: Sight) -> str:
        """Write a value of the enum."""
        return self.choices.one([*sight.of("hue"), "red", "blue"])
