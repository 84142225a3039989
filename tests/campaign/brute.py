"""A game explored in the plainest way: the reference interpreter, a dictionary and a list.

Nothing here comes from `checker`, so that what that finds can be held against this, but for the
names of moves: which are the same under two readings is a definition.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from ruleproof.checker.search.labels import edge_labels
from ruleproof.model.plays.moves import actor
from ruleproof.model.run.interp import EndlessRules, Interpreter, SetUpBeyondError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from ruleproof.model.lowering.compile import Compiled
    from ruleproof.model.machine.state import Arg, Move, State, Transition

MOST = 250
"""States of a game after which it counts as too large."""
FORCED = 200
"""Moves that are made by themselves, one after the other."""
SHAPE = "their state is not of one shape"
"""Nothing can be compared: only one of two machines has a place for some card."""


class TooLarge(Exception):  # noqa: N818  (no error: the next game is taken)
    """The game has more states than are looked at."""


Label = tuple[int | None, tuple[str, str], tuple["Arg", ...], int]
"""A move in terms that two machines share: who makes it, its name, arguments, which of these."""


@dataclass(frozen=True, slots=True)
class Way:
    """A legal move of a state.

    `step` is None if the rules never come to a rest after it, or if it is `beyond` a bound of the
    model: what comes of that nobody knows.
    """

    label: Label
    move: Move
    step: Transition | None
    beyond: bool = False


class Explored:
    """All states of a machine.

    Args:
        compiled: the game.
        most: states after which it is too large.

    Raises:
        TooLarge: if there are more states.
        EndlessRules: if the setup never comes to a rest, or meets a bound of the model.

    """

    def __init__(self, compiled: Compiled, most: int = MOST) -> None:
        self.compiled, self.machine = compiled, compiled.machine
        self.interp = Interpreter(compiled.machine)
        self.first = self.interp.start()
        self.depth: dict[State, int] = {self.first.state: 0}
        self.ways: dict[State, tuple[Way, ...]] = {}
        self._named = edge_labels(compiled.machine)
        self._bounds = {duty.id for duty in self.machine.obligations if duty.defect == "capacity"}
        if self._bounds.intersection(self.first.notes):
            raise SetUpBeyondError(())
        self._owed_for_ever: set[int] = set()
        todo = [self.first.state]
        for state in todo:
            ways = self.ways[state] = tuple(self._of(state))
            for way in ways:
                if way.step is not None and way.step.state not in self.depth:
                    self.depth[way.step.state] = self.depth[state] + 1
                    todo.append(way.step.state)
            if len(todo) > most:
                raise TooLarge

    def _of(self, state: State) -> Iterator[Way]:
        seen: Counter[tuple[object, ...]] = Counter()
        seat = actor(self.machine, state)
        for move in self.interp.moves(state):
            key = (self._named[move.edge], move.args)
            step: Transition | None = None
            beyond = False
            try:
                step = self.interp.step(state, move)
                notes = set(step.notes)
            except EndlessRules as error:
                notes = set(error.notes)
            if notes & self._bounds:
                step, beyond, notes = None, True, notes & self._bounds
            if step is None:
                self._owed_for_ever |= notes
            yield Way((seat, *key, seen[key]), move, step, beyond)
            seen[key] += 1

    @property
    def states(self) -> Iterable[State]:
        """All states, nearest first."""
        return self.depth

    def final(self, state: State) -> bool:
        """Return whether the game is over."""
        return self.interp.final(state)

    def asked(self, state: State) -> tuple[str, int | None]:
        """Return what kind of point a state is at, and which player is asked there."""
        return self.interp.nodes[state.node].kind, actor(self.machine, state)

    def labelled(self, state: State) -> dict[Label, Way]:
        """Return the moves of a state by label."""
        return {way.label: way for way in self.ways[state]}

    def rest(self, state: State) -> State:
        """Return where somebody, or chance, picks next; where it begins in what goes round."""
        here, made = state, 0
        while made < FORCED:
            ways = self.ways[here]
            if len(ways) != 1 or ways[0].step is None:
                return here
            here, made = ways[0].step.state, made + 1
        return state

    def outcomes(self, state: State, counted: frozenset[str] | None) -> set[object]:
        """Return what a game comes to from a state on, all ways that it may go."""
        found, todo, seen = set[object](), [state], {state}
        for here in todo:
            if self.final(here):
                found.add(self.shown(here, counted))
            elif not self.ways[here] or any(way.step is None for way in self.ways[here]):
                found.add("no end")
            for way in self.ways[here]:
                if way.step is not None and way.step.state not in seen:
                    seen.add(way.step.state)
                    todo.append(way.step.state)
        return found

    @cached_property
    def steps(self) -> tuple[Transition, ...]:
        """The setup and all steps."""
        return (self.first, *(way.step for ways in self.ways.values() for way in ways
                              if way.step is not None))

    @cached_property
    def endless(self) -> bool:
        """Whether the rules go round somewhere without a rest."""
        return any(way.step is None and not way.beyond
                   for ways in self.ways.values() for way in ways)

    @cached_property
    def stuck(self) -> tuple[State, ...]:
        """States before the end in which nobody can move."""
        return tuple(state for state, ways in self.ways.items()
                     if not self.final(state) and not ways)

    @cached_property
    def cyclic(self) -> bool:
        """Whether a state can come up again."""
        left = {state: sum(1 for way in ways if way.step is not None)
                for state, ways in self.ways.items()}
        before: dict[State, list[State]] = {}
        for state, ways in self.ways.items():
            for way in ways:
                if way.step is not None:
                    before.setdefault(way.step.state, []).append(state)
        todo = [state for state, many in left.items() if not many]
        for state in todo:
            for one in before.get(state, ()):
                left[one] -= 1
                if not left[one]:
                    todo.append(one)
        return len(todo) < len(left)

    @cached_property
    def failed(self) -> frozenset[tuple[str, str]]:
        """What fails somewhere: its clause and its kind."""
        duties = {duty.id: duty for duty in self.machine.obligations}
        return frozenset((duties[note].clause, duties[note].kind)
                         for notes in (self._owed_for_ever, *(s.notes for s in self.steps))
                         for note in notes)

    @cached_property
    def capped(self) -> bool:
        """Whether play meets a bound of the model."""
        return any(way.beyond for ways in self.ways.values() for way in ways)

    @cached_property
    def broken(self) -> frozenset[str]:
        """The limits that are broken somewhere."""
        return frozenset(self.machine.limits[i].clause for step in self.steps for i in step.broken)

    def plays(self, depth: int) -> list[int]:
        """Count the plays of each length."""
        level, found = Counter({self.first.state: 1}), list[int]()
        while level and len(found) <= depth:
            found.append(sum(level.values()))
            after: Counter[State] = Counter()
            for state, many in level.items():
                for way in self.ways[state]:
                    if way.step is not None:
                        after[way.step.state] += many
            level = after
        return found

    @cached_property
    def _declared(self) -> tuple[tuple[str, int, int], ...]:
        offsets, at = list[tuple[str, int, int]](), 0
        for array in self.machine.arrays:
            if array.declared and not array.internal:
                offsets.append((array.name, at, at + array.size))
            at += array.size
        return tuple(offsets)

    def shown(self, state: State, counted: frozenset[str] | None = None) -> tuple[object, ...]:
        """Return what the spec declares; of a game that is over, who has won.

        And then that which is `counted`, by which players are ranked: everything if that is None.
        """
        over = self.final(state)
        won = self.interp.winners(state) if over else ()
        return over, won, *(state.values[a:b] for name, a, b in self._declared
                            if not over or counted is None or name in counted)


def counted_in(*games: Explored) -> frozenset[str] | None:
    """Name what tells games apart that are over, beside who has won; None: all that is declared."""
    counts = [each.machine.counted for each in games if each.machine.counted is not None]
    return frozenset(name for names in counts for name in names) if counts else None


def difference(one: Explored, two: Explored, *, duties: bool = False) -> str:
    """Say how two machines can be told apart by the same moves; nothing if they cannot be."""
    shapes = [[(a.name, a.dims, a.low, a.high) for a in each.machine.arrays
               if a.declared and not a.internal] for each in (one, two)]
    if shapes[0] != shapes[1]:
        return SHAPE
    counted = counted_in(one, two)
    pairs = {(one.first.state, two.first.state): "at the start"}
    todo = list(pairs)
    for s, t in todo:
        where = pairs[s, t]
        if one.shown(s, counted) != two.shown(t, counted):
            return f"the state differs {where}"
        mine, theirs = one.labelled(s), two.labelled(t)
        if mine.keys() != theirs.keys():
            return f"the moves differ {where}"
        for label, way in mine.items():
            if way.beyond or theirs[label].beyond:
                continue
            step, other = way.step, theirs[label].step
            if (step is None) != (other is None):
                return f"only one comes to a rest after {label} {where}"
            if step is None or other is None:
                continue
            if duties and _owed(one, step) != _owed(two, other):
                return f"other things fail after {label} {where}"
            if (step.state, other.state) not in pairs:
                pairs[step.state, other.state] = f"{where}, {label[1:]}"
                todo.append((step.state, other.state))
    return ""


def surely_apart(one: Explored, two: Explored) -> str:
    """Say how two games can be told apart where somebody picks; nothing if that is not sure.

    What is the only move is made by itself; a game that is over differs from one that goes on if
    that may end otherwise; and where other players are asked it is not looked further.
    """
    counted = counted_in(one, two)
    first = one.rest(one.first.state), two.rest(two.first.state)
    pairs, todo = {first: "at the start"}, [first]
    for s, t in todo:
        where, over = pairs[s, t], (one.final(s), two.final(t))
        if any(over):
            if one.outcomes(s, counted) != two.outcomes(t, counted):
                return f"it ends otherwise {where}"
            continue
        if one.asked(s) != two.asked(t):
            continue
        if one.shown(s, counted) != two.shown(t, counted):
            return f"the state differs {where}"
        mine, theirs = one.labelled(s), two.labelled(t)
        if mine.keys() != theirs.keys():
            return f"the moves differ {where}"
        for label, way in mine.items():
            step, other = way.step, theirs[label].step
            if step is not None and other is not None:
                after = one.rest(step.state), two.rest(other.state)
                if after not in pairs:
                    pairs[after] = f"{where}, {label[1:]}"
                    todo.append(after)
    return ""


def _owed(game: Explored, step: Transition) -> set[tuple[str, str]]:
    duties = {duty.id: (duty.clause, duty.defect) for duty in game.machine.obligations}
    return {duties[note] for note in step.notes}
