"""One game that stands for many: clauses, windows and their readings as features of it.

Games that are made from one spec for one setting differ in their clauses: one is left out, one has
another body, two come in another order; and in who is asked in a window, and in what order.
`United` holds all versions, each with a feature of its own; a game is then a configuration, the
versions that are on (Classen, Cordy, Schobbens, Heymans, Legay, Raskin, "Featured Transition
Systems", IEEE TSE 39, 2013).  Compiled, the united game is one machine that behaves as any of these
games does (`Machine.features`).

What games share is read off the games, not off the changes that made them.  A version is what a
clause does and when its turn comes: a game has a configuration if its clauses are a subsequence of
the versions on each step, in each window, and among the rules of any time.  Of the versions of a
window one is on, and of those of a term, too: that it is not defined is one of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from functools import lru_cache

from ..game.game import Clause, Game, Window
from ..machine.machine import Configuration
from ..rules.context import VERSION
from ..rules.ordering import order_of

Group = tuple[str, str]
"""Clauses among which the order matters (those on a step or window, the rules of any time), or of
which there is one: what defines a term, or a window."""

SAME = ("players", "start", "constants", "enums", "zones", "pools", "steps", "score")
"""What of a game must be the same in all that are united, beside kinds of cards and variables."""


class United:
    """All versions of the clauses and windows of some games; `base` has the first configuration."""

    def __init__(self, base: Game) -> None:
        self.base = base
        self.variables = dict(base.variables)
        self._bare = _Bare()
        self.games = [_Parts(base, self._bare)]
        self.groups: dict[Group, list[Clause]] = dict(self.games[0].turns)
        self.choices: dict[Group, list[Clause | Window | None]] = {
            group: [each] for group, each in self.games[0].choices.items()}
        """The versions of which one is on; None: there is none of it."""
        self._members: list[Configuration] = []
        """The configurations of the games, when they are first needed."""

    def add(self, game: Game) -> bool:
        """Take another game in; False, and nothing happens, if it is too different."""
        parts = _Parts(game, self._bare)
        if not self._alike(game) or not all(
            _exchangeable(known, parts.choices.get(group))
            for group, versions in self.choices.items() for known in versions
        ):
            return False
        self.variables |= game.variables
        for group, clauses in parts.turns.items():
            known = self.groups.setdefault(group, [])
            if known == clauses:
                continue
            merged: list[Clause] = []
            numbers, others = ([self._bare.number(each) for each in some]
                               for some in (known, clauses))
            matcher = SequenceMatcher(None, numbers, others, autojunk=False)
            for what, one, end, two, stop in matcher.get_opcodes():
                merged += known[one:end] + ([] if what == "equal" else clauses[two:stop])
            self.groups[group] = merged
        for group in {**self.choices, **parts.choices}:
            versions = self.choices.setdefault(group, [None])
            if parts.choices.get(group) not in versions:
                versions.append(parts.choices.get(group))
        self.games.append(parts)
        self._members.clear()
        return True

    def _alike(self, game: Game) -> bool:
        """Return whether a game differs from these in nothing but versions and what never shows.

        That is: bookkeeping that a reading adds, and kinds of cards of which there are none.
        """
        base = self.base
        return (
            all(game.variables.get(name) == each for name, each in base.variables.items())
            and all(self.variables.get(name, each) == each and (
                name in base.variables or each.internal) for name, each in game.variables.items())
            and base.families.keys() == game.families.keys()
            and base.windows.keys() == game.windows.keys()
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
        if not self.variables.keys() >= game.variables.keys() or not self._alike(game):
            return None
        on = self._on(_Parts(game, self._bare))
        return None if on is None or not any(
            all(one <= two for one, two in zip(on, member, strict=True))
            for member in self._taken_in()) else on

    def _taken_in(self) -> list[Configuration]:
        """Return the configurations of the games that were taken in."""
        if not self._members:
            found = map(self._on, self.games)
            self._members = [each for each in found if each is not None]
        return self._members

    def _on(self, parts: _Parts) -> Configuration | None:
        if parts.turns.keys() - self.groups.keys() or parts.choices.keys() - self.choices.keys():
            return None
        on: list[int] = []
        for group, known in self.groups.items():
            wanted = iter(parts.turns.get(group, ()))
            due = next(wanted, None)
            for version in known:
                taken = due is not None and version == due
                on.append(int(taken))
                due = next(wanted, None) if taken else due
            if due is not None:
                return None
        for group, versions in self.choices.items():
            if parts.choices.get(group) not in versions:
                return None
            if len(versions) > 1:
                on += (int(each == parts.choices.get(group)) for each in versions)
        return tuple(on)

    def game(self) -> Game:
        """Return the game of all versions; those of the base are on."""
        names: dict[str, list[str]] = {}
        clauses: list[Clause] = []
        windows: dict[str, Window] = {}
        features: list[str] = []
        for each, told in self._versions():
            known = names.setdefault(each.id, [])
            version = f"{VERSION}{len(known) + 1}" if known else ""
            known.append(each.id + version)
            feature = len(features) if told else -1
            features += known[-1:] if told else ()
            if isinstance(each, Clause):
                clauses.append(replace(each, id=known[-1], feature=feature))
            else:
                name = each.name + version
                windows[name] = replace(each, name=name, feature=feature)
        members = self._taken_in()
        return replace(
            self.base, variables=self.variables, features=tuple(features), windows=windows,
            turns={},
            clauses=tuple(replace(clause, overrides=tuple(
                name for each in clause.overrides for name in names.get(each, ())))
                for clause in clauses),
            configuration=members[0], apart=_apart(features, members))

    def _versions(self) -> Iterator[tuple[Clause | Window, bool]]:
        """Yield all versions, and whether it depends on the configuration that they are on."""
        for clauses in self.groups.values():
            yield from ((clause, True) for clause in clauses)
        for some in self.choices.values():
            defined = next(each for each in some if each is not None)
            for each in some:
                yield _undefined(defined) if each is None else each, len(some) > 1


class _Bare:
    """Clauses without what they say: equal ones are one, so that each is compared once."""

    def __init__(self) -> None:
        self._met: dict[int, tuple[Clause, Clause]] = {}
        self._made: dict[Clause, Clause] = {}
        self._numbers: dict[int, int] = {}

    def __call__(self, clause: Clause) -> Clause:
        """Return a clause without what it says; those that were met are known by identity."""
        if id(clause) not in self._met:
            made = _bare(clause)
            known = self._made.setdefault(made, made)
            self._numbers.setdefault(id(known), len(self._numbers))
            self._met[id(clause)] = clause, known
        return self._met[id(clause)][1]

    def number(self, bare: Clause) -> int:
        """Return the number of a clause without what it says."""
        return self._numbers[id(bare)]


class _Parts:
    """What a game is made of: its clauses in groups, each where its turn comes, and choices.

    `bared` gives clauses without what they say.
    """

    def __init__(self, game: Game, bared: _Bare) -> None:
        self.choices: dict[Group, Clause | Window] = {
            ("window", window.name): window for window in game.windows.values()}
        found: dict[Group, list[Clause]] = {}
        for clause in game.clauses:
            if not clause.in_force or not _does_something(clause):
                continue
            if clause.define:
                self.choices["term", clause.define] = bared(clause)
            else:
                found.setdefault(_group(clause), []).append(clause)
        self.turns: dict[Group, list[Clause]] = {
            group: [bared(clause) for clause in _in_turn(clauses, game.turns)]
            for group, clauses in found.items()}


def _apart(features: Sequence[str], members: Iterable[Configuration]) -> frozenset[frozenset[str]]:
    """Return the pairs of features that are never on together."""
    beside = [0] * len(features)  # of each those that are on with it somewhere, a bit each
    for member in members:
        on = [place for place, each in enumerate(member) if each]
        mask = sum(1 << place for place in on)
        for place in on:
            beside[place] |= mask
    return frozenset(
        frozenset((features[one], features[two])) for one, with_it in enumerate(beside)
        for two in range(one + 1, len(features)) if not with_it >> two & 1)


def _exchangeable(one: Clause | Window | None, two: Clause | Window | None) -> bool:
    """Return whether what refers to one of two versions can refer to the other one."""
    if isinstance(one, Clause) and isinstance(two, Clause):
        return one.define_params == two.define_params
    return one is None or two is None or (
        not isinstance(one, Clause) and not isinstance(two, Clause) and one.depth == two.depth)


def _undefined(version: Clause | Window) -> Clause:
    """Return the version of a term that is there in games without it: to use it is an error."""
    assert isinstance(version, Clause)
    return replace(version, value=None, overrides=())


def _does_something(clause: Clause) -> bool:
    """Return whether a clause becomes a part of the machine."""
    return bool(
        clause.do or clause.option or clause.must or clause.define or clause.overrides
        or clause.always is not None or clause.ensure is not None
        or (clause.kind == "forbid" and clause.on))


def _group(clause: Clause) -> Group:
    return ("rules", "") if clause.whenever is not None else ("on", clause.on.partition(".")[0])


def _in_turn(clauses: list[Clause], turns: Mapping[str, int]) -> Iterable[Clause]:
    """Sort the clauses of a group: those whose order is stated first, all others as in the file."""
    ordered = [clause for clause in clauses if clause.do and not clause.option]
    names = _names(_Ordered(
        tuple((each.id, each.after, each.before, each.overrides, turns.get(each.id))
              for each in ordered), ordered, turns)) if len(ordered) > 1 else None
    by_id = {clause.id: clause for clause in ordered}
    return [*(by_id[name] for name in names or by_id),
            *(clause for clause in clauses if clause.id not in by_id)]


@dataclass(frozen=True, slots=True)
class _Ordered:
    """Clauses that are to be put in their order; equal if what decides it is."""

    key: tuple[object, ...]
    clauses: Sequence[Clause] = field(compare=False)
    turns: Mapping[str, int] = field(compare=False)


@lru_cache(maxsize=2048)
def _names(some: _Ordered) -> tuple[str, ...] | None:
    """Name clauses in their order; None if there is none.  Games put most in the same order."""
    return order_of(some.clauses, some.turns).names()


def _bare(clause: Clause) -> Clause:
    """Return a clause without what it says, and with no order but its place."""
    return replace(clause, says="", lines=None, sentences=(), why="", uses=(), claim=None,
                   example=None, after=(), before=(), stated=(), settled=(), assumed=(), asked=(),
                   internal=(), restates=())
