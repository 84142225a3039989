"""Random bodies of clauses: every statement of the rules language."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ruleproof.tests.campaign.expressions import Expressions, Sight

if TYPE_CHECKING:
    from ruleproof.tests.campaign.choices import Choices

Lines = list[str]


class Bodies(Expressions):
    """Writes bodies.

    Args:
        choices: where the choices come from.

    """

    def __init__(self, choices: Choices) -> None:
        super().__init__(choices)
        self.asked = 0
        """How many choices and rolls there are already: each multiplies the number of states."""
        self.fresh = 0
        self.calls: dict[int, list[tuple[str, str]]] = {}
        """Steps and windows by level, with the type of their parameter or nothing."""

    def name(self) -> str:
        """Make up a name for a local; now and then one that is used elsewhere too."""
        self.fresh += 1
        return f"x{self.choices.below(2) if self.choices.often(30) else self.fresh + 1}"

    def body(self, sight: Sight, depth: int = 2, most: int = 3) -> str:
        """Write a body."""
        return "\n".join(self.lines(sight, depth, most)[0])

    def lines(self, sight: Sight, depth: int, most: int) -> tuple[Lines, Sight]:
        """Write some statements; give also what is in sight after them."""
        found: Lines = []
        for _ in range(1 + self.choices.below(most)):
            more, sight = self.statement(sight, depth)
            found += more
        return found, sight

    def statement(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """Write a statement."""
        kinds = [(8, self.assign), (2, self.local)]
        if sight.together:
            kinds += [(4, self.ask)] * (self.asked < 5) + [(3, self.branch)] * (depth > 0)
            kinds += [(4, self.gives)] * self.cards
            return self.choices.weighted(kinds)(sight, depth - 1)
        kinds += [(5, self.card_moves)] * self.cards + [(4, self.record_moves)] * self.records
        kinds += [(3, self.ask)] * (self.asked < 5)
        kinds += [(4, self.call)] * (sight.level > 0) + [(1, self.end)] * self.choices.often(40)
        if depth > 0:
            kinds += [(4, self.branch), (5, self.loop), (1, self.while_loop)]
            kinds += [(2, self.at_once)] * (self.players > 1) + [(2, self.offer)] * (self.asked < 5)
        return self.choices.weighted(kinds)(sight, depth - 1)

    def indented(self, sight: Sight, depth: int, most: int = 2) -> Lines:
        """Write the statements of a block."""
        return [f"  {line}" for line in self.lines(sight, depth, most)[0]]

    # --------------------------------------------------------------------- assignments

    def assign(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """Write an assignment to the state."""
        choices = self.choices
        sign = choices.one(("+=", "-=", "="))
        kinds = [(4, f"n {sign} {self.number(sight, depth)}"),
                 (4, f"life[{self.player(sight, 1)}] {sign} {self.number(sight, depth)}"),
                 (2, f"flag = {self.truth(sight, depth)}"),
                 (2, f"active = {self.player(sight, 2)}")]
        kinds += [(2, f"mood = {choices.one((self.hue(sight), 'none'))}")] * self.hues
        kinds += [(1, f"last = {self.card(sight)}")] * self.cards
        kinds += [(1, f"mark[{self.card(sight)}] = {self.truth(sight, depth)}")] * self.marks
        kinds += [(2, f"marked |= {{{self.player(sight)}}}"),
                  (1, f"marked = {self.players_of(sight, depth)}")] * self.sets
        kinds += [(2, f"tint[{self.hue(sight)}] {sign} {self.number(sight, depth)}")] * self.tints
        kinds += [(2, f"debt {sign} {self.number(sight, depth)}")] * self.debts
        kinds += [(4, f"{one}.d {sign} {self.number(sight, depth)}")
                  for one in sight.of("record")]
        return [choices.weighted(kinds)], sight

    def local(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """Write an assignment to a local, new or known."""
        known = [name for name in sight.of("num") if name[0] in "xy"]
        if known and self.choices.often(60):
            sign = self.choices.one(("+=", "=", "-="))
            return [f"{self.choices.one(known)} {sign} {self.number(sight, depth)}"], sight
        name = self.name()
        if name in [each for each, kind in sight.names if kind != "num"]:
            name = f"y{self.fresh}"
        kind = self.choices.weighted([(5, "num"), (2, "player"), (2, "bool")])
        if kind != "num":
            name = f"{kind[0]}{self.fresh}"
        value = {"num": self.number, "player": self.player, "bool": self.truth}[kind]
        return [f"{name} = {value(sight, depth)}"], sight.and_(name, kind)

    # ------------------------------------------------------------------ cards, records

    def card_moves(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """Write a statement about cards."""
        choices = self.choices
        hand = f"hand[{self.player(sight)}]"
        source = choices.one((hand, "heap"))
        target = "heap" if source != "heap" else hand
        if self.stacks and choices.often(40):
            stack = f"stack[{self.hue(sight)}]"
            source, target = choices.one(((stack, target), (source, stack)))
        kinds = ["draw", "draw", "move", "move_all", "some", "bag", "shuffle", "ability", "top"]
        match choices.one(kinds + ["tally", "tally"] * self.tally):
            case "draw":
                if choices.often(50):
                    from_ = choices.weighted([(5, "deck"), (1, hand)])
                    to = hand if from_ == "deck" else "heap"
                    return [f"draw({choices.one((1, 1, 2, 'n'))}, {from_}, {to})"], sight
                name = f"k{self.fresh}"
                self.fresh += 1
                return [f"{name} = draw(deck, {hand})"], sight.and_(name, "card")
            case "move":
                return [f"move({self.card(sight)}, {source}, {target})"], sight
            case "move_all":
                return [f"move_all({source}, {target})"], sight
            case "some":
                test = self.truth(sight.and_("c", "card"), depth)
                return [f"move_all((c for c in {source} if {test}), {target})"], sight
            case "bag" if sight.of("bag"):
                return [f"move_all({choices.one(sight.of('bag'))}, {source}, {target})"], sight
            case "shuffle":
                return [choices.one((f"shuffle_into({source}, deck)", "shuffle(deck)"))], sight
            case "ability" if sight.abilities:
                return [f"{self.card(sight)}.act()"], sight
            case "top":
                word = choices.one(("put_on_top", "put_on_bottom"))
                return [f"{word}({self.card(sight)}, {hand}, {self.stack})"], sight
            case "tally":
                return [choices.one((f"add({self.card(sight)}, tally)", "clear(tally)"))], sight
            case _:
                return [f"move_all({hand}, heap)"], sight

    def gives(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """Move cards in a way that can be done for several players at the same time."""
        hand = f"hand[{self.player(sight)}]"
        source, target = self.choices.one(((hand, "heap"), ("heap", hand)))
        test = self.truth(sight.and_("c", "card"), depth)
        return [self.choices.one((
            f"move({self.card(sight)}, {source}, {target})", f"move_all({source}, {target})",
            f"move_all((c for c in {source} if {test}), {target})",
            *(f"move_all({bag}, {source}, {target})" for bag in sight.of("bag"))))], sight

    stack = "deck"
    """Where cards can be put on top: a pile, or a deck that remembers some."""

    def record_moves(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """Write a statement about records."""
        pool = self.pool(sight, 0)
        fields = f"d={self.number(sight, depth)}"
        if self.card_records:
            fields += f", what={self.card(sight)}"
        name = f"r{self.fresh}"
        self.fresh += 1
        match self.choices.below(3):
            case 0:
                return [f"new({pool}, {fields})"], sight
            case 1:
                return [f"{name} = new({pool}, {fields})"], sight.and_(name, "record")
            case _ if sight.of("record"):
                return [f"remove({self.choices.one(sight.of('record'))})"], sight
            case _:
                return [f"for {name} in {pool}:", f"  if {name}.d > {self.number(sight, 0)}:",
                        f"    remove({name})"], sight

    # ------------------------------------------------------------- choices and chance

    def ask(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """Write a choice, or what chance does."""
        self.asked += 1
        choices = self.choices
        by = self.player(sight)
        name = f"a{self.fresh}"
        self.fresh += 1
        kinds = [(3, "number"), (3, "player"), (3, "may"), (2, "roll"), (1, "random")]
        kinds += [(2, "card"), (2, "bag"), (1, "random card")] * self.cards
        kinds += [(2, "record")] * self.records + [(1, "hue")] * self.hues
        match choices.weighted(kinds):
            case "player":
                test = self.truth(sight.and_("q", "player"), depth)
                place = choices.one((self.players_of(sight, depth),
                                     f"(q for q in players if {test})"))
                return [f"{name} = choose({place}, by={by})"], sight.and_(name, "player")
            case "may":
                told = choices.one(("", "not "))
                return [f"if {told}may(by={by}):", *self.indented(sight, depth)], sight
            case "roll":
                return [f"{name} = roll({choices.one(('2', '0, 1', '3'))})"], sight.and_(
                    name, "num")
            case "random":
                place = choices.one(("players", f"others({by})"))
                return [f"{name} = random({place})"], sight.and_(name, "player")
            case "random card":
                return [f"{name} = random({self.zone(sight, 0)})"], sight.and_(name, "card")
            case "card":
                return [f"{name} = choose({self.zone(sight, 0)}, by={by})"], sight.and_(
                    name, "card")
            case "bag":
                many = choices.one(("exactly=1", "at_least=1", "at_most=1",
                                    f"exactly={self.number(sight, 0)}", "at_least=0, at_most=2"))
                return [f"{name} = choose_cards(hand[{by}], by={by}, {many})"], sight.and_(
                    name, "bag")
            case "record":
                return [f"{name} = choose({self.pool(sight, 0)}, by={by})"], sight.and_(
                    name, "record")
            case "hue":
                return [f"{name} = choose(hue, by={by})"], sight.and_(name, "hue")
            case _:
                low = choices.one(("0", "1", "n"))
                high = choices.one(("2", "3", "most"))
                return [f"{name} = choose(range({low}, {high}), by={by})"], sight.and_(name, "num")

    def offer(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """Write a choice that may be declined, and what follows if it is not."""
        self.asked += 1
        name, by = f"o{self.fresh}", self.player(sight)
        self.fresh += 1
        places = [("player", self.players_of(sight, 1)), ("num", "range(0, most)")]
        places += [("card", self.zone(sight, 0))] * self.cards
        places += [("record", self.pool(sight, 0))] * self.records
        kind, place = self.choices.one(places)
        inner = sight.and_(name, kind)
        lines = [f"{name} = choose({place}, by={by}, optional=True)"]
        if self.choices.often(80):
            lines += [f"if {name} != none:", *self.indented(inner, depth)]
        return lines, inner if self.choices.often(20) else sight

    # ------------------------------------------------------------------------ control

    def branch(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """Write an if; a local that is set in it stays in sight now and then."""
        lines = [f"if {self.truth(sight, 1 + depth)}:"]
        inner, after = self.lines(sight, depth, 2)
        lines += [f"  {line}" for line in inner]
        if self.choices.often(20):
            lines += [f"elif {self.truth(sight, 1)}:", *self.indented(sight, depth)]
        if self.choices.often(40):
            lines += ["else:", *self.indented(sight, depth)]
        return lines, after if self.choices.often(10) else sight

    def loop(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """Write a loop over a domain."""
        choices = self.choices
        name = f"i{self.fresh}"
        self.fresh += 1
        group, one = self.players_of(sight, depth), self.player(sight)
        places = [(4, "player", "players"), (3, "player", group), (1, "player", f"others({one})"),
                  (1, "player", f"clockwise({one})"), (1, "player", f"clockwise_after({one})"),
                  (1, "player", f"clockwise({one}, {group})"),
                  (1, "player", f"counterclockwise({one})"),
                  (1, "num", f"range(0, {choices.one((2, 3, 'n'))})")]
        places += [(2, "card", self.zone(sight, depth)), (1, "card", "kind")] * self.cards
        places += [(3, "record", self.pool(sight, depth))] * self.records
        places += [(1, "hue", "hue")] * self.hues
        _, kind, place = choices.weighted([(weight, (0, kind, place))
                                           for weight, kind, place in places])
        asked = self.asked
        inner = self.indented(sight.and_(name, kind), depth)
        self.asked += self.asked - asked
        return [f"for {name} in {place}:", *inner], sight

    def at_once(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """Write a loop that is for all at the same time."""
        name = f"i{self.fresh}"
        self.fresh += 1
        group = self.players_of(sight, 1)
        known = Sight(sight.names, actor=sight.actor, abilities=False, together=True)
        asked = self.asked
        inner = self.indented(known.and_(name, "player"), depth)
        self.asked += self.asked - asked
        return [f"for {name} in simultaneously({group}):", *inner], sight

    def while_loop(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """Write a loop with a condition; most of them come to an end."""
        test = self.choices.one(("n > 0", "n < most", self.truth(sight, 1)))
        last = {"n > 0": ["  n -= 1"], "n < most": ["  n += 1"]}.get(test, [])
        asked = self.asked
        inner = self.indented(sight, depth, 1)
        self.asked += self.asked - asked
        return [f"while {test}:", *inner, *last], sight

    def call(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """Run a step, or open a window."""
        known = [each for level in range(sight.level) for each in self.calls.get(level, ())]
        if not known:
            return self.assign(sight, depth)
        name, kind = self.choices.one(known)
        value = {"num": self.number, "player": self.player}.get(kind)
        return [f"{name}({value(sight, 0) if value else ''})"], sight

    def end(self, sight: Sight, depth: int) -> tuple[Lines, Sight]:
        """End the game."""
        to = self.choices.one((self.player(sight, depth), self.players_of(sight, depth)))
        return [self.choices.one((f"win({to})", "end_game()"))], sight


def inside(sight: Sight, **changes: object) -> Sight:
    """Return what is in sight in another place."""
    return replace(sight, **changes)  # type: ignore[arg-type]  # checked by the dataclass
