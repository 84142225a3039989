"""One game that stands for many: clauses and their readings as features of it.

Games that are made from one spec for one setting differ in their clauses: one is left out, one has
another body, two come in another order.  `United` holds all versions of all clauses, each with a
feature of its own; a game is then a configuration, the versions that are on (Classen, Cordy,
Schobbens, Heymans, Legay, Raskin, "Featured Transition Systems", IEEE TSE 39, 2013).  Compiled, the
united game is one machine that behaves as any of these games does (`Machine.features`).

What games share is read off the games, not off the changes that made them.  A version is what a
clause does and when its turn comes: a game has a configuration if its clauses are a subsequence of
the versions on each step, in each window, and among the rules of any time.
"""

from __future__ import annotations

from dataclasses import replace
from difflib import SequenceMatcher
from itertools import combinations
from typing import TYPE_CHECKING

from ..rules.context import VERSION
from ..rules.ordering import order_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..game.game import Clause, Game
    from ..machine.machine import Configuration

Group = tuple[str, str]
"""Clauses among which the order matters: those on a step or window, the rules of any time, …"""

SAME = ("players", "start", "constants", "enums", "zones", "pools", "steps", "windows",
        "score")
"""What of a game must be the same in all that are united, beside kinds of cards and variables."""


class United:
    """All versions of the clauses of some games.

    Args:
        base: the game in which the first configuration is on.

    """

    def __init__(self, base: Game) -> None:
        self.base = base
        self.variables = dict(base.variables)
        self.games = [_turns(base)]
        self.groups: dict[Group, list[Clause]] = dict(self.games[0])
        self._members: list[Configuration] = []
        """The configurations of the games, when they are first needed."""

    def add(self, game: Game) -> bool:
        """Take another game in; False, and nothing happens, if it is too different."""
        turns = _turns(game)
        if not self._alike(game) or not self._same_terms(turns):
            return False
        self.variables |= game.variables
        for group, clauses in turns.items():
            known = self.groups.setdefault(group, [])
            merged: list[Clause] = []
            matcher = SequenceMatcher(None, known, clauses, autojunk=False)
            for _, one, end, two, stop in matcher.get_opcodes():
                shared = known[one:end] == clauses[two:stop]
                merged += known[one:end] + ([] if shared else clauses[two:stop])
            self.groups[group] = merged
        self.games.append(turns)
        self._members.clear()
        return True

    def _same_terms(self, turns: dict[Group, list[Clause]]) -> bool:
        """Return whether a game defines the terms that the base defines, of the same parameters."""
        def terms(of: dict[Group, list[Clause]]) -> dict[Group, list[object]]:
            return {group: [c.define_params for c in clauses[:1]]
                    for group, clauses in of.items() if group[0] == "term"}

        return terms(turns) == terms(self.groups)

    def _alike(self, game: Game) -> bool:
        """Return whether a game differs from these in nothing but clauses and what never shows.

        That is: bookkeeping that a reading adds, and kinds of cards of which there are none.
        """
        base = self.base
        return (
            all(game.variables.get(name) == each for name, each in base.variables.items())
            and all(self.variables.get(name, each) == each and (
                name in base.variables or each.internal) for name, each in game.variables.items())
            and base.families.keys() == game.families.keys()
            and all(getattr(base, name) == getattr(game, name) for name in SAME)
            and all(
                family.attributes == game.families[name].attributes
                and game.families[name].cards == tuple(
                    card for card in family.cards
                    if card.copies or card in game.families[name].cards)
                for name, family in base.families.items()))

    def configuration(self, game: Game) -> Configuration | None:
        """Return which versions are on in a game.

        None if it is not one of those that were taken in, nor one of them without some clauses.
        """
        turns = _turns(game)
        known = self.variables.keys() >= game.variables.keys()
        if not known or not self._alike(game) or not self._same_terms(turns):
            return None
        on = self._on(turns)
        return None if on is None or not any(
            all(one <= two for one, two in zip(on, member, strict=True))
            for member in self._taken_in()) else on

    def _taken_in(self) -> list[Configuration]:
        """Return the configurations of the games that were taken in."""
        if not self._members:
            found = (self._on(turns) for turns in self.games)
            self._members = [each for each in found if each is not None]
        return self._members

    def _on(self, turns: dict[Group, list[Clause]]) -> Configuration | None:
        if turns.keys() - self.groups.keys():
            return None
        on: list[int] = []
        for group, known in self.groups.items():
            wanted = iter(turns.get(group, ()))
            due = next(wanted, None)
            for version in known:
                taken = due is not None and version == due
                on.append(int(taken))
                due = next(wanted, None) if taken else due
            if due is not None:
                return None
        return tuple(on)

    def game(self) -> Game:
        """Return the game of all versions; those of the base are on."""
        versions = [clause for group in self.groups.values() for clause in group]
        numbered: list[Clause] = []
        names: dict[str, list[str]] = {}
        for feature, clause in enumerate(versions):
            known = names.setdefault(clause.id, [])
            known.append(f"{clause.id}{VERSION}{len(known) + 1}" if known else clause.id)
            numbered.append(replace(clause, id=known[-1], feature=feature))
        clauses = tuple(
            replace(clause, overrides=tuple(
                name for each in clause.overrides for name in names.get(each, ())))
            for clause in numbered)
        members = self._taken_in()
        features = tuple(clause.id for clause in clauses)
        together = {frozenset(pair) for member in members
                    for pair in combinations([f for f, on in zip(features, member, strict=True)
                                              if on], 2)}
        return replace(
            self.base, variables=self.variables, clauses=clauses, features=features,
            configuration=members[0],
            apart=frozenset(map(frozenset, combinations(features, 2))) - together)


def _turns(game: Game) -> dict[Group, list[Clause]]:
    """Return what the clauses of a game do, in groups, each where its turn comes."""
    found: dict[Group, list[Clause]] = {}
    for clause in game.clauses:
        if clause.in_force and _does_something(clause):
            found.setdefault(_group(clause), []).append(clause)
    return {group: [_bare(clause) for clause in _in_turn(clauses)]
            for group, clauses in found.items()}


def _does_something(clause: Clause) -> bool:
    """Return whether a clause becomes a part of the machine."""
    return bool(
        clause.do or clause.option or clause.must or clause.define or clause.overrides
        or clause.always is not None or clause.ensure is not None
        or (clause.kind == "forbid" and clause.on))


def _group(clause: Clause) -> Group:
    if clause.whenever is not None:
        return "rules", ""
    if clause.define:
        return "term", clause.define
    return "on", clause.on.partition(".")[0]


def _in_turn(clauses: list[Clause]) -> Iterable[Clause]:
    """Sort the clauses of a group: those whose order is stated first, all others as in the file."""
    ordered = [clause for clause in clauses if clause.do and not clause.option]
    names = order_of(ordered).names() if len(ordered) > 1 else None
    by_id = {clause.id: clause for clause in ordered}
    return [*(by_id[name] for name in names or by_id),
            *(clause for clause in clauses if clause.id not in by_id)]


def _bare(clause: Clause) -> Clause:
    """Return a clause without what it says, and with no order but its place."""
    return replace(clause, says="", lines=None, sentences=(), why="", uses=(), claim=None,
                   example=None, after=(), before=(), stated=(), settled=(), assumed=(),
                   internal=(), restates=())
