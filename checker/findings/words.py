"""How a game calls its things: what clauses say, and the book's names for what is declared."""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property

from ...model.game import syntax as sx
from ...model.game.game import Game
from ...model.game.texts import walk
from ...model.game.uses import subject, trees_of
from .results import Identity

FEW = 3
"""Cards that are more than one in so many of their family are no kind of card."""
ORDERS = frozenset({"others", "clockwise", "clockwise_after", "counterclockwise"})
"""Functions that give players."""
LONGEST = 110
"""Characters of a paraphrase in a title that has another one beside it."""


class Words:
    """How a game calls its things."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._says = {
            clause.id: clause.says.rstrip(".").removeprefix("and ") for clause in game.clauses}
        self._text = "\n".join((*self._says.values(), *game.vocabulary))

    def says(self, clause: str) -> str:
        """Return our paraphrase of a clause; of a card's text, whose it is."""
        if clause in self._says:
            return self._says[clause]
        if clause.startswith("card:"):
            family, rest = clause.removeprefix("card:").split(".", 1)
            card = rest.split(".", 1)[0]
            for each in self.game.families[family].cards:
                if each.id == card:
                    return f"what {each.name} says is done"
        return "the rules go on"

    def owes(self, one: Identity) -> str:
        """Return what is to be done where something cannot: of a card's text, whose it is.

        Where the clause tells kinds of cards apart, the cards of that kind are named.
        """
        if one.place in self._texts:
            return f"what {self._texts[one.place]} says is done"
        clause = self.game.clause(one.clause)
        body = () if clause is None or clause.do is None else clause.do.statements
        tests = _tests(body, one.place)
        cards = list(dict.fromkeys(card for test in tests for card in self._cards_of(test)))
        if not cards:
            return self.says(one.clause)
        return f"{self.says(one.clause)} (as with {' or '.join(cards[:2])})"

    def step(self, place: str) -> str:
        """Return whether the statement at a place adds ("+"), takes away ("-"), or neither ("").

        "-1": it takes away one.
        """
        return next((f"{part.op}1" if part.op == "-" and _is_one(part.value) else part.op
                     for tree in self._bodies for part in walk(tree)
                     if isinstance(part, sx.Assign) and part.op in ("+", "-")
                     and any(str(inner.at) == place for inner in walk(part))), "")

    def sought(self, place: str) -> str:
        """Return what is chosen, or picked by chance, at a place: "card" or "player"; else ""."""
        for tree in self._bodies:
            for part in walk(tree):
                if (isinstance(part, sx.Call) and isinstance(part.func, sx.Name) and part.args
                        and part.func.name in ("choose", "random")
                        and any(str(inner.at) == place for inner in walk(part))):
                    return self._thing(part.args[0])
        return ""

    def _thing(self, domain: sx.Expr) -> str:
        """Say of what kind the members of a domain are."""
        if isinstance(domain, sx.Generator):
            plain = isinstance(domain.element, sx.Name) and domain.element.name == domain.var
            return self._thing(domain.domain) if plain else ""
        if isinstance(domain, sx.Call):
            return "player" if subject(domain.func) in ORDERS else ""
        name = subject(domain)
        if name in self.game.zones or name in self.game.families:
            return "card"
        return "player" if name == "players" else ""

    def decides_winners(self, clause: str) -> bool:
        """Return whether a clause says who has won."""
        return any(isinstance(part, sx.Call) and subject(part.func) == "win"
                   for tree in self._of(clause) for part in walk(tree))

    def picks_winners(self, clause: str, place: str) -> bool:
        """Return whether who has won is what a clause picks at a place: by `win`, or for it.

        Where it picks nobody there, that is said of all of it.
        """
        trees = self._of(clause)
        picked = [part for tree in trees for part in walk(tree) if isinstance(part, sx.Call)
                  and subject(part.func) == "only" and str(part.at) == place]
        names = {part.target.name for tree in trees for part in walk(tree)
                 if isinstance(part, sx.Assign) and isinstance(part.target, sx.Name)
                 and part.value in picked}
        wins = [part for tree in trees for part in walk(tree)
                if isinstance(part, sx.Call) and subject(part.func) == "win"]
        return bool(wins) and (not picked or any(
            part in picked or (isinstance(part, sx.Name) and part.name in names)
            for win in wins for who in win.args
            for part in (who.items if isinstance(who, sx.SetOf) else (who,))))

    def bounded(self, clause: str) -> str:
        """Return what a limit excludes, if it is a bound of numbers: "more" or "less"; else ""."""
        ways = {part.op for tree in self._of(clause) for part in walk(tree)
                if isinstance(part, sx.Compare)}
        return "more" if ways == {"<="} else "less" if ways == {">="} else ""

    def _of(self, clause: str) -> tuple[sx.Expr | sx.Stmt, ...]:
        """Return all that a clause says in the language."""
        return tuple(tree for each in self.game.clauses if each.id == clause
                     for tree in trees_of(each))

    @cached_property
    def _bodies(self) -> tuple[sx.Expr | sx.Stmt, ...]:
        """All that the clauses and the cards say in the language."""
        return (*(tree for clause in self.game.clauses for tree in trees_of(clause)),
                *(tree for family in self.game.families.values() for card in family.cards
                  for body in card.abilities.values() for tree in body.statements))

    def floor(self, name: str) -> int:
        """Return the least value of a number; 0 of what is none."""
        pool, _, last = name.rpartition(".")
        if pool in self.game.pools:
            return self.game.pools[pool].fields[last].low
        return self.game.variables[name].type.low if name in self.game.variables else 0

    @cached_property
    def _texts(self) -> dict[str, str]:
        """Place in the spec → the card whose text stands there."""
        return {str(part.at): card.name for family in self.game.families.values()
                for card in family.cards for body in card.abilities.values()
                for tree in body.statements for part in walk(tree)}

    def _cards_of(self, test: sx.Expr) -> list[str]:
        """Name the cards that have a value which a condition compares something with.

        A value that many cards of a family have tells no kind of card, and a name that the book
        does not print tells a reader nothing.
        """
        names = {side.name for part in walk(test) if isinstance(part, sx.Compare)
                 for side in (part.left, part.right)
                 if part.op == "==" and isinstance(side, sx.Name)}
        found: list[str] = []
        for family in self.game.families.values():
            enums = [(name, self.game.enums[ty.name]) for name, ty in family.attributes.items()
                     if ty.kind == "enum"]
            cards = [card.name for card in family.cards
                     if any((value := card.attributes.get(name, -1)) >= 0 and values[value] in names
                            for name, values in enums)]
            unnamed = {card.name for card in family.cards if "name" in card.assumed}
            found += ([name for name in cards if name not in unnamed]
                      if FEW * len(cards) <= len(family.cards) else [])
        return found

    def called(self, name: str) -> str:
        """Return the book's name for a zone or variable, as clauses mostly write it; else ""."""
        pool, dot, last = name.rpartition(".")
        known = (last in self.game.pools[pool].fields if pool in self.game.pools
                 else not dot and (last in self.game.zones or last in self.game.variables))
        if not known:
            return ""  # a name inside a body means nothing to a reader
        plain = last.replace("_", " ")
        pattern = re.compile(rf"\b{re.escape(plain)}\b", re.IGNORECASE)
        written = Counter(pattern.findall(self._text))
        return max(written, key=lambda one: (written[one], one)) if written else ""

    def zone(self, name: str) -> str:
        """Return what to call a place for cards in a sentence."""
        known = self.called(name)
        return f"the {known}" if known else "the place they are taken from"

    def window(self, name: str) -> str:
        """Return what a window is called: its title, or its name as words."""
        return self.game.windows[name].title or name.replace("_", " ")

    def feeders(self, deck: str) -> tuple[str, ...]:
        """Name the places whose cards some rule puts into a deck."""
        found: dict[str, None] = {}
        for clause in self.game.clauses:
            for tree in trees_of(clause) if clause.in_force else ():
                for part in walk(tree):
                    match part:
                        case sx.Call(func=sx.Name(name="shuffle_into" | "move_all"),
                                     args=(source, target)) if subject(target) == deck:
                            found[subject(source)] = None
                        case _:
                            pass
        return tuple(name for name in found if name in self.game.zones)


def _is_one(tree: sx.Expr) -> bool:
    return isinstance(tree, sx.Num) and tree.value == 1


def _tests(statements: tuple[sx.Stmt, ...], place: str) -> list[sx.Expr]:
    """Return the conditions under which the statement at a place is run."""
    for stmt in statements:
        if all(str(part.at) != place for part in walk(stmt)):
            continue
        match stmt:
            case sx.IfThen(test=test, then=then, other=other):
                if any(str(part.at) == place for each in then for part in walk(each)):
                    return [test, *_tests(then, place)]
                return _tests(other, place)
            case sx.ForEach(body=body) | sx.While(body=body):
                return _tests(body, place)
            case _:
                return []
    return []


def cut(text: str) -> str:
    """Return a text, without its end if it is very long."""
    if len(text) <= LONGEST:
        return text
    return f"{text[:LONGEST].rpartition(' ')[0].rstrip(',;:')} …"
