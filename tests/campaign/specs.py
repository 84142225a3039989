"""Random games as the data of a spec: small, and valid by construction."""

from __future__ import annotations

from typing import Any

from ruleproof.tests.campaign.bodies import Bodies
from ruleproof.tests.campaign.choices import Choices
from ruleproof.tests.campaign.expressions import Sight

Spec = dict[str, Any]


class Writer(Bodies):
    """Writes one game.

    Args:
        choices: where the choices come from.

    """

    def __init__(self, choices: Choices) -> None:
        super().__init__(choices)
        self.clauses: list[Spec] = []
        self.steps: dict[str, str] = {}
        self.windows: dict[str, Spec] = {}

    def game(self) -> Spec:
        """Write a game."""
        spec: Spec = {"game": "random", "title": "A random game", **self.sections()}
        if self.choices.often(20):
            self.puzzle(spec)
        else:
            self.course(spec)
        self.common(spec)
        spec["clauses"] = self.clauses
        return spec

    def clause(self, kind: str, **fields: Any) -> Spec:  # noqa: ANN401
        """Add a clause."""
        name = f"c{len(self.clauses)}"
        made = {"id": name, "kind": kind, "says": f"what {name} says", **fields}
        self.clauses.append(made)
        return made

    # ---------------------------------------------------------------------------- data

    def sections(self) -> Spec:
        """Write players, constants, cards, zones, variables and records."""
        choices, made = self.choices, Spec()
        made["players"] = {"count": self.players}
        if choices.often(15):
            made["players"] = {"min": 1, "max": 3, "default": self.players}
        made["constants"] = {"most": choices.one((2, 3))}
        state: Spec = {
            "active": {"type": "player", "start": 1 + choices.below(self.players)},
            "n": {"type": "int 0..3", "start": choices.below(3)},
            "life": {"type": choices.one(("int 0..2", "int 0..most", "int 0..4")),
                     "per": "player", "start": choices.below(3)},
            "flag": {"type": "bool", "start": choices.often(30)}}
        if self.hues:
            made["enums"] = {"hue": ["red", "blue"]}
            state["mood"] = {"type": "hue?"}
        if self.sets:
            state["marked"] = {"type": "players", "start": choices.one(("none", "all", [1]))}
        if choices.often(15):
            state["life"]["seen_by"] = "owner"
        if choices.often(10):
            state["n"]["internal"] = True
        if self.tints:
            state["tint"] = {"type": "int 0..2", "per": "hue"}
        if self.debts:
            state["debt"] = {"type": "int -2..2", "start": -1}
        if self.cards:
            made.update(self.card_sections())
            state["last"] = {"type": "card kind?"}
        if self.marks:
            state["mark"] = {"type": "bool", "per": "kind"}
        made["state"] = state
        if self.records:
            fields = {"d": "int 0..3", **({"what": "card kind"} if self.card_records else {})}
            per = {"per": "player"} if self.records_apart else {}
            made["pools"] = {"army": {**per, "capacity": 2 + choices.below(2), "fields": fields}}
        return made

    def card_sections(self) -> Spec:
        """Write a family, its cards and its zones."""
        choices = self.choices
        attributes: Spec = {"v": "int 0..2", "wild": "bool"}
        self.stack = "heap" if self.pile else "deck"
        cards: Spec = {}
        for name in ("a", "b", "c")[:2 + choices.below(2)]:
            cards[name] = {"copies": 1 + choices.below(2), "v": choices.below(3),
                           "wild": choices.often(30)}
            if choices.often(35):
                sight = Sight((("this", "card"),), abilities=False)
                cards[name]["abilities"] = {"act": self.body(sight, 1, 2)}
        if self.hues:
            attributes["hue"] = "hue"
            for card in cards.values():
                card["hue"] = choices.one(("red", "blue"))
        if all("abilities" not in card for card in cards.values()):
            cards["a"]["abilities"] = {"act": "n = 0"}
        deck: Spec = {"holds": "kind", "kind": "deck", "starts": "all", "seen_by": "none"}
        if choices.often(25):
            deck["known"] = 1
        heap: Spec = {"holds": "kind", "kind": "bag"}
        if self.pile:
            heap = {"holds": "kind", "kind": "pile", "capacity": choices.weighted([(3, 6), (1, 2)])}
        elif "known" not in deck:
            deck["known"] = 1
        zones = {"deck": deck, "heap": heap,
                 "hand": {"holds": "kind", "kind": "bag", "per": "player", "seen_by": "owner"}}
        if self.stacks:
            zones["stack"] = {"holds": "kind", "kind": "bag", "per": "hue"}
        if self.tally:
            zones["tally"] = {"holds": "kind", "kind": "ledger"}
        return {"families": {"kind": {"attributes": attributes}}, "cards": {"kind": cards},
                "zones": zones}

    # --------------------------------------------------------------------- the course

    def puzzle(self, spec: Spec) -> None:
        """Write actions, and who acts."""
        made: Spec = {}
        sight = Sight(actor=True)
        for number in range(1 + self.choices.below(3)):
            fields, inner = self.parameters(sight)
            action: Spec = {**fields, "do": self.body(inner, 2, 2)}
            if self.choices.often(60):
                action["when"] = self.truth(inner, 2)
            made[f"act{number}"] = action
        spec["actions"] = made
        spec["mover"] = "active"

    def parameters(self, sight: Sight) -> tuple[Spec, Sight]:
        """Write the parameters of an option."""
        choices = self.choices
        if choices.often(50):
            return {}, sight
        kinds = [("m", "num", "range(0, 2)"), ("m", "num", "range(n, most)"),
                 ("p", "player", self.players_of(sight, 1))]
        if self.cards:
            test = self.truth(sight.and_("c", "card"), 1)
            kinds += [("k", "card", "c for c in hand[actor]"),
                      ("k", "card", f"c for c in hand[actor] if {test}"),
                      ("b", "bag", "choose_cards(hand[actor], at_least=1)")]
        if self.records:
            kinds.append(("r", "record", f"r for r in {self.pool(sight, 0)}"))
        if self.hues:
            kinds.append(("h", "hue", "hue"))
        name, kind, place = choices.one(kinds)
        return {"with": {name: place}}, sight.and_(name, kind)

    def course(self, spec: Spec) -> None:
        """Write steps, windows, and what happens in them."""
        choices = self.choices
        for number in range(choices.weighted([(1, 0), (3, 1), (2, 2)])):
            self.window(f"w{number}", level=number)
        names = ["game"]
        for number in range(choices.below(3)):
            name, kind = f"s{number}", choices.weighted([(3, ""), (1, "num"), (1, "player")])
            self.steps[name] = kind
            self.step(name, 2 + number)
            self.calls.setdefault(2 + number, []).append((name, kind))
            names.append(name)
        if self.nested:
            self.steps["again"] = ""
            self.step("again", 4)
            self.within(self.clauses[-1], "again")
            self.calls.setdefault(4, []).append(("again", ""))
            names.append("again")
        self.step("game", 5, main=True)
        spec["steps"] = {
            name: {"params": {"arg": {"num": "int 0..3", "player": "player"}[self.steps[name]]}}
            if self.steps.get(name) else {"depth": 2} if name == "again" else {} for name in names}
        if self.windows:
            spec["windows"] = self.windows
        spec["start"] = "game"

    def within(self, clause: Spec, name: str) -> None:
        """Let a step or window come up again inside what a clause of it does."""
        test = self.choices.one(("n < most", "may(by=active)", self.truth(Sight(), 1)))
        more = self.choices.one(("n += 1", "flag = not flag", "pass"))
        if "do" in clause:
            clause["do"] += f"\nif {test}:\n  {more}\n  {name}()"

    def step(self, name: str, level: int, *, main: bool = False) -> None:
        """Write the clauses of a step."""
        choices = self.choices
        kind = self.steps.get(name, "")
        sight = Sight((("arg", kind),) if kind else (), level=level)
        before: list[str] = []
        for number in range(choices.weighted([(3, 1), (3, 2), (1, 3)])):
            text = self.main(sight) if main and number == 0 else self.body(sight)
            made = self.clause("effect", on=name, do=text)
            if before and choices.often(65):
                made["after"] = [before[-1]]
            if choices.often(20):
                made["when"] = self.truth(sight, 2)
            if choices.often(12):
                made["otherwise"] = self.body(sight, 1, 1)
            if before and choices.often(8):
                made["overrides"] = [before[0]]
                made.setdefault("when", self.truth(sight, 2))
            if before and choices.often(6):
                made["restates"] = [before[0]]
            if choices.often(6):
                made["internal"] = True
            before.append(made["id"])
        if choices.often(15):
            self.clause("limit", on=name, ensure=self.truth(Sight(), 2))

    def main(self, sight: Sight) -> str:
        """Write the body that calls the others, at times in rounds."""
        calls = [line for _ in range(2) for line in self.call(sight, 0)[0]]
        if self.choices.often(75):
            calls = [f"  {line}" for line in calls]
            head = self.choices.weighted([
                (3, ["for p in clockwise(active):", "  active = p"]), (2, ["for p in players:"]),
                (3, ["while n < 3:", "  n += 1"]),
                (2, ["while True:", "  active = next_player(active)"])])
            calls = [*head, *calls]
        if self.choices.often(50):
            calls = [*self.lines(sight, 1, 2)[0], *calls]
        if self.choices.often(40):
            calls += self.end(sight, 1)[0]
        return "\n".join(calls)

    def window(self, name: str, level: int) -> None:
        """Write a window, its options, and what bears on them."""
        choices = self.choices
        if choices.often(50):
            window: Spec = {"by": "active"}
            if choices.often(40):
                window["repeat"] = True
        else:
            window = {"who": self.players_of(Sight(), 1),
                      "each": choices.weighted([(4, "once"), (1, "until_pass"), (1, "rounds")])}
            if choices.often(50):
                window["order"] = choices.one(("clockwise", "counterclockwise"))
                window["from"] = "active"
        if choices.often(20):
            window["forced"] = True
        elif choices.often(30):
            window["done"] = "stop"
        self.windows[name] = window
        sight = Sight(actor=True, level=level)
        options = [f"{name}o{number}" for number in range(choices.weighted([(3, 1), (2, 2)]))]
        for option in options:
            fields, inner = self.parameters(sight)
            made = self.clause("permit", on=name, option=option, **fields,
                               do=self.body(inner, 2, 2))
            if choices.often(50):
                made["when"] = self.truth(inner, 2)
            if choices.often(20):
                self.clause("forbid", on=choices.one((name, f"{name}.{option}")),
                            when=self.truth(sight, 2))
        if choices.often(15):
            self.clause("require", on=name, must=options[0], when=self.truth(sight, 1))
        if self.nested and choices.often(30):
            window["depth"] = 2
            self.within(next(each for each in self.clauses if each.get("on") == name), name)
        self.calls.setdefault(level, []).append((name, ""))

    # ---------------------------------------------------------------- over all the game

    def common(self, spec: Spec) -> None:
        """Write what bears on the whole game: triggers, limits, terms, claims, points, modes."""
        choices = self.choices
        for _ in range(choices.weighted([(6, 0), (3, 1), (1, 2)])):
            timing = choices.one(("at once", "after the step", ""))
            fires = choices.one(("each time", "once per change", ""))
            self.clause("effect", whenever=self.truth(Sight(), 2), do=self.body(Sight(), 1, 2),
                        **({"timing": timing} if timing else {}),
                        **({"fires": fires} if fires else {}))
        if choices.often(25):
            test = choices.one(("all(life[p] <= 1 for p in players)", "n <= 2", "not flag",
                                "life[active] <= sum(life[q] for q in others(active))",
                                self.truth(Sight(), 2)))
            self.clause("limit", always=test)
        if self.terms:
            kept, self.terms = self.terms, False
            value = self.number(Sight((("p", "player"),)), 2)
            self.clause("define", define="points", params={"p": "player"}, value=value)
            self.terms = kept
        for _ in range(choices.weighted([(6, 0), (3, 1)])):
            self.clause("claim", **{choices.one(("never", "reachable")): self.truth(Sight(), 2)})
        if choices.often(12):
            self.numbers()
        if choices.often(15):
            spec["score"] = self.number(Sight((("p", "player"),)), 1)
        if choices.often(12) and self.steps | self.windows:
            self.example()
        if self.modes:
            self.mode(spec)
        if choices.often(30):
            self.point(spec)
        if choices.often(12):
            self.scope(spec)

    def example(self) -> None:
        """Write a worked example without moves."""
        at = self.choices.one([*self.windows, *(name for name, kind in self.steps.items()
                                                if not kind)] or ["game"])
        self.clause("example", example={
            "at": at, "state": {"n": self.choices.below(4)}, "moves": [],
            "expect": self.truth(Sight(), 2)})

    def numbers(self) -> None:
        """Write a claim about numbers."""
        given = {"x": {"type": "int 0..3"}, "y": {"type": "int 0..2"}}
        form = self.choices.one(("claim", "maximum", "minimum"))
        test = self.choices.one(("x <= y", "x + y <= most", "x > y", "x > 5"))
        value = self.choices.one(("x + y", "x * y", "x - y", "max(x, y) * 2"))
        fields: Spec = {form: f"{value} {self.choices.one(('<=', '>='))} 3"}
        if form != "claim":
            fields = {form: value, "equals": self.choices.below(5)}
        self.clause("claim", **fields, given=given, such_that=test)

    def mode(self, spec: Spec) -> None:
        """Write a variant, with a clause of its own or a change."""
        self.clause("variant")
        spec["variants"] = {"fast": {"title": "fast", "clause": self.clauses[-1]["id"]}}
        if self.choices.often(50):
            acting = [each for each in self.clauses if "do" in each]
            if acting:
                spec["variants"]["fast"]["changes"] = self.changed(self.choices.one(acting))
        else:
            spec["variants"]["fast"]["constants"] = {"most": 2}

    def changed(self, clause: Spec) -> Spec:
        """Change a clause in a way that always makes sense."""
        fields: Spec = {"do": self.choices.one(("n = 0", "pass", "flag = not flag"))}
        if "on" in clause and self.choices.often(50):
            fields = {"when": self.truth(Sight(actor="option" in clause), 1)}
        return {clause["id"]: fields}

    def rearranged(self, window: Spec) -> Spec:
        """Change who is asked in a window, how often, or in what order."""
        if "by" in window:
            return self.choices.one((
                {"by": "next_player(active)"}, {"repeat": "repeat" not in window}))
        return self.choices.one((
            {"who": self.players_of(Sight(), 1)},
            {"each": self.choices.one(("once", "until_pass", "rounds"))},
            {"order": "clockwise", "from": "next_player(active)"}, {"order": "unstated"}))

    def extra(self) -> Spec:
        """Define a term that is in one reading only."""
        kept, self.terms = self.terms, False
        value = self.number(Sight(), 2)
        self.terms = kept
        return {"id": "cx", "kind": "define", "says": "what counts", "define": "extra",
                "value": value}

    def point(self, spec: Spec) -> None:
        """Declare an open point."""
        acting = [each for each in self.clauses if "do" in each]
        barring = [each for each in self.clauses if each["kind"] in ("forbid", "limit")]
        if not acting:
            return
        asking = [each for each in acting if "option" in each and each["on"] in self.windows]
        reading: Spec
        if barring and self.choices.often(50):
            chosen = self.choices.one(barring)
            reading = {"drop": [chosen["id"]]}
        elif asking and self.choices.often(50):
            chosen = self.choices.one(asking)
            name = chosen["on"]
            reading = {"changes": {f"window:{name}": self.rearranged(self.windows[name])}}
        elif self.choices.often(25):
            chosen = self.choices.one(acting)
            reading = {"add": [self.extra()], "changes": {chosen["id"]: {"when": "extra > 1"}}}
        else:
            chosen = self.choices.one(acting)
            reading = {"changes": self.changed(chosen)}
        spec["open_points"] = [{
            "id": "point", "clauses": [chosen["id"]], "asks": "which of the two",
            "readings": [{"id": "one", "title": "the one", "changes": {}},
                         {"id": "other", "title": "the other", **reading}]}]

    def scope(self, spec: Spec) -> None:
        """Write a scope."""
        tiny: Spec = {"about": "tiny", "constants": {"most": 2}}
        if self.choices.often(50):
            tiny["state"] = {"n": self.choices.below(3)}
        if self.cards and self.choices.often(50):
            tiny["cards"] = {"kind": {"a": 1, "b": self.choices.below(2)}}
        if self.modes and self.choices.often(50):
            tiny["variants"] = ["fast"]
        spec["scopes"] = {"tiny": tiny}


def random_spec(choices: Choices) -> Spec:
    """Write a random game."""
    return Writer(choices).game()
