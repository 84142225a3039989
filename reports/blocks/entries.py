"""Entries of a spec in plain words: what each is, who introduces it, and who uses it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...model.game.game import Card, Family, Game, Pool, Ty, Variable, Window, Zone
from ...model.game.unparse import unparse
from ...model.lowering.compile import Compiled
from ...model.plays.board import show_value
from .paper import Paper
from .subject import Subject


@dataclass(frozen=True)
class Entries:
    """The entries of a game; `used` are the clauses that use each of them, by its name."""

    compiled: Compiled
    paper: Paper
    subject: Subject
    used: Mapping[str, tuple[str, ...]]

    @property
    def game(self) -> Game:
        """The game."""
        return self.compiled.game

    def family(self, family: Family) -> list[str]:
        """Tell a family of cards."""
        fields = ", ".join(f"{name} ({ty})" for name, ty in family.attributes.items())
        total = sum(card.copies for card in family.cards)
        out = self.paper.wrap(
            f"{len(family.cards)} kinds of cards, {total} cards; each has {fields or 'a name'}",
            "  ",
        )
        names = ", ".join(f"{card.copies} {card.name}" for card in family.cards)
        return out + self.paper.wrap(names, "  ")

    def card(self, family: Family, card: Card) -> list[str]:
        """Tell a card: its values, what of it we assumed, its text, and the rules that name it."""
        paper = self.paper
        values = [
            f"{name} {self._value(ty, card.attributes[name])}"
            for name, ty in family.attributes.items()
            if name in card.attributes
        ]
        assumed = (
            "all of it" if set(card.assumed) >= set(family.attributes) else ", ".join(card.assumed)
        )
        out = paper.wrap(f"{card.name}, {card.copies} in the game: {', '.join(values)}", "  ")
        if card.assumed:
            out += paper.wrap(f"assumed, not printed in the rulebook: {assumed}", "  ")
        for name, body in card.abilities.items():
            out += paper.wrap(f"ability {name}:", "  ")
            out += paper.code(body.text.splitlines(), "    ")
        return out + self._uses(card.id, card.clause)

    def _value(self, ty: Ty, value: int) -> str:
        if ty.kind == "enum" and ty.name in self.game.enums:
            names = self.game.enums[ty.name]
            return names[value] if 0 <= value < len(names) else "none"
        if ty.kind == "bool":
            return "yes" if value else "no"
        return "none" if value < 0 <= ty.low else str(value)

    def place(self, name: str, text: str, clause: str) -> list[str]:
        """Tell a step or a window: what runs in it, from where, and what it leads to."""
        out = self.paper.wrap(text, "  ")
        for each in self.game.clauses:
            if each.on.partition(".")[0] == name:
                option = f" (option {each.option})" if each.option else ""
                out += self.paper.wrap(f"{each.id}{option}: {each.says}", "  - ")
        return out + self._uses(name, clause)

    def window(self, window: Window) -> list[str]:
        """Tell a window."""
        who = window.who if window.who is not None else window.by
        each = {"once": "one action or a pass each", "until_pass": "each until done, then the next",
                "rounds": "round and round until all have passed"}  # fmt: skip
        parts = [f"who acts: {unparse(who)}" if who is not None else "anybody acts"]
        if window.who is not None:
            parts += [f"order {window.order or 'clockwise'}", each.get(window.each, window.each)]
        elif window.repeat:
            parts.append("as often as they like")
        parts.append("something has to be done" if window.forced else f"or: {window.done}")
        title = f"{window.title}; " if window.title and window.title != window.name else ""
        return self.place(window.name, title + "; ".join(parts), window.clause)

    def zone(self, zone: Zone) -> list[str]:
        """Tell a zone."""
        seen = {"all": "seen by all", "owner": "seen by its owner", "none": "seen by nobody"}
        where = f"one for each {zone.per}" if zone.per else "in the middle"
        text = f"{zone.kind} of {zone.family} cards, {where}, {seen[zone.seen_by]}"
        text += ", holds all of them at the start" if zone.starts == "all" else ""
        return self.entry(text, zone.name, zone.clause)

    def variable(self, variable: Variable) -> list[str]:
        """Tell a variable."""
        start = ""
        for array in self.compiled.machine.arrays:
            if array.name == variable.name and array.start:
                shown = show_value(self.compiled.machine, array.domain, array.start[0])
                known = "none" if shown is None else str(shown)
                if variable.type.kind == "players" and not variable.per:
                    among = [name for name, is_in in zip(
                        self.compiled.machine.player_names, array.start, strict=True) if is_in]
                    known = "all" if all(array.start) else ", ".join(among) or "nobody"
                start = f", {known} at the start"
        per = f", one for each {variable.per}" if variable.per else ""
        return self.entry(f"{variable.type}{per}{start}", variable.name, variable.clause)

    def pool(self, pool: Pool) -> list[str]:
        """Tell a pool of records."""
        fields = ", ".join(f"{name} ({ty})" for name, ty in pool.fields.items())
        per = " for each player" if pool.per_player else ""
        return self.entry(f"at most {pool.capacity} records{per}: {fields}", pool.name, pool.clause)

    def field(self, name: str, text: str) -> list[str]:
        """Tell a field of records or cards: what it is, and who uses it."""
        return [*self.paper.wrap(text, "  "), *self._cites("used by", self.used.get(name, ()))]

    def word(self, name: str, text: str, clause: str) -> list[str]:
        """Tell a word of the book, and the sentences that use it."""
        out = self.paper.wrap(text, "  ")
        out += self._cites("introduced by", (clause,)) if clause else []
        return out + self._cites("used by", [c.id for c in self.game.clauses if name in c.uses])

    def entry(self, text: str, name: str, clause: str) -> list[str]:
        """Tell an entry of the spec: what it is, who introduces it, who uses it."""
        return [*self.paper.wrap(text, "  "), *self._uses(name, clause)]

    def _uses(self, name: str, clause: str) -> list[str]:
        out = self._cites("introduced by", (clause,)) if clause else []
        if not clause:
            out += self.paper.wrap("ours: no sentence of the book introduces it", "  ")
        found = self.used.get(name, ())
        return out + self._cites("used by", [each for each in found if each != name])

    def _cites(self, lead: str, names: Sequence[str]) -> list[str]:
        shown = [
            f"{name} ({cited})" if (cited := self.subject.cited(name)) else name for name in names
        ]
        return self.paper.wrap(f"{lead}: {', '.join(shown)}", "  ", "    ") if shown else []
