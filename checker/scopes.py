"""Proposing scopes: small instances of a game in which what no scope does is done.

What random plays of the printed game do and no scope does is taken one by one: the printed game is
made smaller, as long as random plays still do it, until all of it can be explored: fewer players,
fewer kinds of cards, fewer copies, smaller constants (delta debugging, Zeller and Hildebrandt 2002,
section 3: halves, then smaller parts).  What a scope does beside that is not sought again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from ..model.game.game import PRINTED, Game, Settings
from ..model.loading.sections import Sections
from ..model.machine.machine import Machine
from ..model.machine.traversal import cites
from ..model.plays.wording import plain_name
from ..model.run.interp import EndlessRules
from ..model.source import fields
from ..model.source.errors import Place, SpecErrors, TooMuchError, UsageError
from ..model.source.fields import from_plain
from ..model.stop import Stop
from .audit.parallel import guarded
from .audit.scoped import explored
from .bench.workbench import Instance, Workbench
from .engine.program import Program
from .packed.coverage import Covered
from .search.playouts import Plays, covered, plays_for

Goal = tuple[str, str]
"""Something that is done: what it is (`clause` or `move`), and its name."""
Counts = tuple[tuple[str, int], ...]
"""Numbers by the names of what they are of, in the order of the spec."""

MOST = 30_000
"""States that a scope may have: so many can be compared under each answer to a question."""
PLAYS = Plays(500, 200)
"""The random plays of a smaller instance that still have to do something."""
AT_FIRST = 1_000
"""States before the first decision of a player in which it is looked whether anything fails."""
NAME = "proposed"
"""What the scope is called that is being looked at."""


@dataclass(frozen=True, slots=True)
class Small:
    """A small instance: what a scope of it sets."""

    players: int
    variants: tuple[str, ...]
    constants: Counts
    cards: tuple[tuple[str, Counts], ...]
    """The copies of the cards of each family; a card that is not named has none."""

    def scope(self, printed: Small) -> dict[str, object]:
        """Return it as a scope of a spec is written: what it has otherwise than the whole game."""
        own: dict[str, object] = {"players": self.players}
        if self.variants:
            own["variants"] = [*self.variants]
        if constants := {*self.constants} - {*printed.constants}:
            own["constants"] = {name: value for name, value in self.constants
                                if (name, value) in constants}
        if cards := {*self.cards} - {*printed.cards}:
            own["cards"] = {family: dict(each) for family, each in self.cards
                            if (family, each) in cards}
        return own


def whole(game: Game) -> Small:
    """Return the instance that is all of a game."""
    return Small(game.players, game.settings.variants, tuple(
        (name, each.value) for name, each in game.constants.items()), tuple(
        (name, tuple((card.id, card.copies) for card in family.cards if card.copies))
        for name, family in game.families.items() if any(c.copies for c in family.cards)))


def smaller(small: Small, fewest: int) -> Iterator[Small]:
    """Yield smaller instances, those with most left out first."""
    if small.players > fewest:
        yield replace(small, players=fewest)
    for at, (family, cards) in enumerate(small.cards):
        def so(left: Counts, at: int = at, family: str = family) -> Small:
            return replace(small, cards=(*small.cards[:at], (family, left), *small.cards[at + 1:]))
        if any(many > 1 for _, many in cards):
            yield so(tuple((card, (many + 1) // 2) for card, many in cards))
        part = len(cards)
        while part > 1:
            part = (part + 1) // 2
            for first in range(0, len(cards), part):
                yield so((*cards[:first], *cards[first + part:]))
            if part == 1:
                break
        for place, (card, many) in enumerate(cards):
            if many > 1:
                yield so((*cards[:place], (card, many - 1), *cards[place + 1:]))
    for place, (name, value) in enumerate(small.constants):
        for less in dict.fromkeys((1, value // 2, value - 1)):
            if 1 <= less < value:
                yield replace(small, constants=(
                    *small.constants[:place], (name, less), *small.constants[place + 1:]))


@dataclass(frozen=True, slots=True)
class Proposal:
    """A scope that is proposed: what it sets, how many states it has, what it adds."""

    scope: dict[str, object]
    states: int
    adds: tuple[Goal, ...]


@dataclass(frozen=True, slots=True)
class Proposed:
    """What came of looking for scopes.

    `done` counts what is done in the scopes that there are, and in the printed game if it is as
    small as a scope; `large` is what was found in no smaller instance that can be explored,
    `unseen` what no random play of the printed game does either, and `unsought` what was not looked
    for, and `why`.
    """

    proposals: tuple[Proposal, ...]
    done: int
    large: tuple[Goal, ...]
    unseen: tuple[Goal, ...]
    unsought: tuple[Goal, ...] = ()
    why: str = ""


@dataclass(slots=True)
class Proposing:
    """Looks for scopes.

    Args:
        source: a bundled name, a folder, or sections that were read already.
        settings: what was chosen; the scope is left aside, modes and rulings hold in all.
        most: the states that a scope may have.
        seed: of the random plays.
        progress: called with how much is looked at, of how much, and with what is sought.

    Raises:
        SpecErrors: if the spec does not load, or a scope of it.
        UsageError: if there is no such mode or reading.

    """

    source: str | Sections
    settings: Settings
    most: int = MOST
    seed: int = 0
    progress: Callable[[int, int, str], None] = lambda *_: None
    bench: Workbench = field(init=False)
    scopes: list[Instance] = field(init=False)

    def __post_init__(self) -> None:
        self.bench = Workbench(self.source, self.settings)
        self.scopes = [self.bench.instance(name, alone=True)
                       for name in self.bench.instance(PRINTED).game.scopes if name != PRINTED]

    def propose(self, stop: Stop) -> Proposed:
        """Propose scopes, until the work is to `stop`."""
        bench = self.bench
        printed = bench.instance(PRINTED)
        every = goals_of(printed.compiled.machine)
        known = guarded(stop, partial(self._known, printed))
        if known.value is None:
            return Proposed((), 0, (), (), every, known.why)
        seen, done = known.value
        before = len(done & {*every})
        found, large, unsought = list[Proposal](), list[Goal](), dict[Goal, str]()
        for place, goal in enumerate(seen):
            if goal in done:
                continue
            self.progress(place, len(seen), goal[1])
            answer = guarded(stop, partial(self._small, bench, whole(printed.game), goal))
            if answer.why:
                unsought[goal] = answer.why
            elif answer.value is None:
                large.append(goal)
            if answer.value is None:
                continue
            small, states, goals = answer.value
            found.append(Proposal(small.scope(whole(printed.game)), states, tuple(
                each for each in every if each in goals and each not in done)))
            done |= goals
        left = {goal: why for goal, why in unsought.items() if goal not in done}
        return Proposed(tuple(found), before, tuple(each for each in large if each not in done),
                        tuple(each for each in every if each not in {*done, *seen}),
                        tuple(left), "; ".join(dict.fromkeys(left.values())))

    def _known(self, printed: Instance) -> tuple[tuple[Goal, ...], set[Goal]]:
        """Return what random plays of the printed game do, and what its scopes do."""
        plays = plays_for(printed.program, seed=self.seed)
        record = covered(printed.program, plays=plays, seed=self.seed)
        done = set[Goal]().union(*(explore(each, 2 * self.most)[1] for each in self.scopes))
        states, goals = explore(printed, self.most)
        return goals_of(printed.compiled.machine, record), done | (goals if states else set())

    def _small(self, bench: Workbench, small: Small, goal: Goal,
               ) -> tuple[Small, int, frozenset[Goal]] | None:
        """Make an instance smaller until all of it can be explored; None if that never is."""
        fewest = bench.instance(PRINTED).game.players_range[0]
        tried = {small}
        left = smaller(small, fewest)
        while (each := next(left, None)) is not None:
            if each in tried:
                continue
            tried.add(each)
            instance = self._does(bench, each, goal)
            if instance is None:
                continue
            states, goals = explore(instance, self.most)
            if states and goal in goals:
                return each, states, goals
            left = smaller(each, fewest)
        return None

    def _does(self, bench: Workbench, small: Small, goal: Goal) -> Instance | None:
        """Compile an instance; None if it makes no sense, or no random play of it does that."""
        with suppress(SpecErrors, UsageError, TooMuchError, EndlessRules):
            made = instance_of(bench, small)
            if _fails_at_first(made.program):
                return None
            record = covered(made.program, plays=PLAYS, seed=self.seed)
            if goal in goals_of(made.compiled.machine, record):
                return made
        return None


def _fails_at_first(program: Program) -> bool:
    """Return whether anything cannot be done, as a draw, before a player first decides."""
    state, flags = program.start()
    ahead, seen = [state], {state}
    while ahead and not flags:
        state = ahead.pop()
        if program.kind(state) != "chance" or len(seen) > AT_FIRST:
            continue
        for *_, after, noted in program.succ(state):
            flags |= noted
            if after is not None and after not in seen:
                seen.add(after)
                ahead.append(after)
    return flags != 0


def instance_of(bench: Workbench, small: Small) -> Instance:
    """Compile a small instance.

    Raises:
        SpecErrors: if it makes no sense.

    """
    root = bench.sections.root
    scopes = fields.entries(root, "scopes")
    own = from_plain(small.scope(whole(bench.instance(PRINTED).game)), Place.start_of(NAME))
    section = fields.mapping({**scopes, NAME: own}, root.place)
    made = replace(bench.sections, root=replace(
        root, value={**fields.entries(root), "scopes": section}))
    settings = replace(bench.settings, scope=NAME, players=None, variants=())
    return Workbench(made, settings).instance(NAME, alone=True)


def explore(instance: Instance, most: int) -> tuple[int, frozenset[Goal]]:
    """Explore an instance: how many states it has, 0 if that is not all, and what is done."""
    machine = instance.compiled.machine
    try:
        result = instance.explored(most).result()
    except (TooMuchError, EndlessRules):
        return 0, frozenset()
    complete = explored(NAME, machine, result).complete
    return result.states if complete else 0, frozenset(goals_of(machine, result.coverage))


def goals_of(machine: Machine, cover: Covered | None = None) -> tuple[Goal, ...]:
    """Return what was done of a machine; without a record, what there is to do."""
    found = dict[Goal, None]()
    for node in machine.nodes:
        for edge in node.edges:
            if cover is not None and edge.id not in cover.edges:
                continue
            for clause in (*edge.clauses, *cites(edge.body)):
                if cover is None or clause in cover.clauses:
                    found["clause", clause] = None
            if node.kind != "rules" and edge.label:
                found["move", f"{plain_name(node.name)}: {edge.label}"] = None
    return tuple(found)
