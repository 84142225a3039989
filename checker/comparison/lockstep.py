"""Two machines of one game side by side: both make the same moves and meet the same chance.

What is compared in each situation: who has won and whether the game is over, the legal moves, what
the spec declares, and if asked for, what cannot be done there (the obligations that fail, and the
limits that break).  A move is the same if the same one makes it and it has the same label.  A move
of the first machine goes with the next one of that label among those of the second, looked for from
the last that was found on, and around: they list their moves in about the same order, and each
label is rarely there twice.  Of two games that are over only what they came to is compared.

Moves of chance are the same if they are as likely, too: each label has the same share of the
weights of all.  That is compared where the situations are alike; of decks that differ it is told
how, and what follows from that is no other difference.

Compiled machines are driven by compiled code (`engine.pairs`); `InPython` is the same for those
that cannot be compiled, and what that code is tested against.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ..drivers.draws import ALL, GAMMA, mixed
from ..emitter.unit import UnsupportedError
from ..engine.pairs import LockStep, Sight, Twins
from ..engine.program import Program
from ..packed.flags import (
    AT_END,
    BEYOND,
    DUTIES,
    ENDLESS,
    FILTERED,
    FLAGS,
    HIDDEN,
    LEGAL,
    PUBLIC,
    WINNER,
    Successor,
)
from ..search.labels import Label, Labels, counted, in_step, same_arrays
from .courses import forbids, of_play, picked, twins_in_python

Pair = tuple[bytes, bytes]
Failed = tuple[str, str]
"""A clause, and what is wrong: the kind of an obligation and what it is about, or a class."""


class SharedMove(NamedTuple):
    """A move that both may make, and where it leads."""

    label: Label
    pair: Pair


class SideBySide:
    """Two machines of one game.

    With `duties` the obligations that fail are compared too; with `boards` what the spec declares,
    beside who has won and may do what (if not, nor is how likely moves of chance are, which hangs
    on it); with `ends` all that the spec declares, of games that are over.

    Raises:
        EndlessRules: if one of them never gets to rest, or its set-up meets a bound of the model.

    """

    def __init__(self, first: Program, second: Program, *, duties: bool = False,
                 boards: bool = True, ends: bool = False) -> None:
        self.first, self.second = first, second = in_step(first, second)
        self.a, self.b = Labels(first), Labels(second)
        self.comparable = same_arrays(first.machine, second.machine)
        self.odds = boards
        self.boards = boards and self.comparable
        arrays = first.machine.declared if self.boards else ()
        told = [(PUBLIC if array.seen_by == "all" else HIDDEN, array) for array in arrays
                if not array.internal]
        counting = counted([array for _, array in told], first.machine, second.machine)
        self.shown = [(WINNER, array.name) for array in first.machine.arrays
                      if array.name == "winners"]
        self.shown += [(level, array.name) for level, array in told]
        self.shown += [(AT_END | level, array.name) for level, array in told
                       if ends or array.name in counting]
        self.duties = duties
        self.bounded = bool(first.machine.bounds or second.machine.bounds)
        for program in (first, second) if self.bounded else ():
            program.start()

    def start(self) -> Pair:
        """Return the situation in which both begin."""
        return self.first.start()[0], self.second.start()[0]

    @cached_property
    def pairs(self) -> LockStep | InPython:
        """What goes through the pairs of situations."""
        first, second = self.first.engine, self.second.engine
        if first is not None and second is not None:
            try:
                return LockStep((first, second), self._sights(), duties=self.duties, odds=self.odds)
            except UnsupportedError:
                pass
        return InPython(self)

    def _sights(self) -> tuple[Sight, Sight]:
        def sight(labels: Labels) -> Sight:
            program = labels.program
            slots = program.layout.slots
            return Sight(labels.edges, program.kinds, labels.places, labels.duties,
                         [(level, slots[name].start, slots[name].end - slots[name].start)
                          for level, name in self.shown])

        return sight(self.a), sight(self.b)

    # ---------------------------------------------------------------------------- one pair

    def ways(self, pair: Pair) -> Iterator[SharedMove]:
        """Yield the moves that both may make, with what they lead to."""
        if not self.same_asked(pair):
            return
        for move, other in self._matched(self.first.succ(pair[0]), self.second.succ(pair[1])):
            if other is not None and move[2] is not None and other[2] is not None:
                yield SharedMove(self.a.of(move), (move[2], other[2]))

    def way(self, number: int) -> tuple[Label, ...]:
        """Return the moves that lead to a pair that was found."""
        return self.way_from(number, 1)[1]

    def way_from(self, number: int, roots: int) -> tuple[int, tuple[Label, ...]]:
        """Return from which of so many first pairs a pair was found, and by which moves."""
        made: list[Label] = []
        after = self.pairs.pair(number)
        while number >= roots:
            number = self.pairs.parent(number)
            before = self.pairs.pair(number)
            made.append(next(label for label, pair in self.ways(before) if pair == after))
            after = before
        return number, tuple(reversed(made))

    def same_asked(self, pair: Pair) -> bool:
        """Return whether the same one decides in both."""
        one, two = self.a.asks(pair[0]), self.b.asks(pair[1])
        return (-1 if one is None else one) == (-1 if two is None else two)

    def levels(self, pair: Pair) -> frozenset[int]:
        """Return the levels at which a pair differs."""
        moves = frozenset({LEGAL}) if not self.same_asked(pair) else self.moves_unlike(
            self.first.succ(pair[0]), self.second.succ(pair[1]))
        found = self.unlike(pair)
        if self.odds and not found and LEGAL not in moves and self.odds_unlike(pair):
            found |= {LEGAL}
        return found | moves

    def odds_unlike(self, pair: Pair) -> bool:
        """Return whether chance decides in both, and what it may do is not as likely."""
        programs = self.first, self.second
        if any(each.kind(state) != "chance" for each, state in zip(programs, pair, strict=True)):
            return False
        return self.a.odds(pair[0]) != self.b.odds(pair[1])

    def says(self, pair: Pair, level: int) -> str:
        """Say what differs at a level, for people."""
        mine, theirs = self.a.offered(pair[0]), self.b.offered(pair[1])
        if level == LEGAL:
            unlike = mine.keys() ^ theirs.keys()
            if not unlike and self.odds_unlike(pair):
                unlike = {*mine}
            return "; ".join(sorted({label[1] for label in unlike})[:4])
        if level != WINNER:
            return ""
        over, over_too = (labels.program.kind(state) == "final" for labels, state in
                          zip((self.a, self.b), pair, strict=True))
        if over != over_too:
            return "whether the game is over"
        return "who has won" if over else "whether the rules come to a rest"

    def unlike(self, pair: Pair) -> frozenset[int]:
        """Return the levels at which a pair differs, moves aside."""
        s, t = pair
        over, over_too = (each.program.kind(state) == "final" for each, state in
                          ((self.a, s), (self.b, t)))
        at_end = AT_END if over and over_too else 0
        return frozenset(level for level in (WINNER, PUBLIC, HIDDEN) if (
            over != over_too if level == WINNER and not at_end
            else (cut := self._cuts.get(level if level == WINNER else at_end | level))
            and cut[0](s) != cut[1](t)))

    @cached_property
    def _cuts(self) -> dict[int, tuple[Callable[[bytes], bytes], Callable[[bytes], bytes]]]:
        """Of each level, what is compared in the two machines."""
        names: dict[int, list[str]] = {}
        for level, name in self.shown:
            names.setdefault(level, []).append(name)
        return {level: (self.first.observer(some), self.second.observer(some))
                for level, some in names.items()}

    def _matched(
        self, moves: Sequence[Successor], others: Sequence[Successor], mask: int = -1
    ) -> Iterator[tuple[Successor, Successor | None]]:
        """Yield the legal moves of the first with those of the second; None where there is none."""
        legal = [move for move in others if not move[3] & mask & FILTERED]
        labels = [self.b.of(move) for move in legal]
        place = 0
        for move in moves:
            if move[3] & mask & FILTERED:
                continue
            label = self.a.of(move)
            for begin in (place, 0):
                if label in labels[begin:]:
                    place = labels.index(label, begin) + 1
                    yield move, legal[place - 1]
                    break
            else:
                yield move, None

    def moves_unlike(self, moves: Sequence[Successor], others: Sequence[Successor],
                     mask: int = -1) -> frozenset[int]:
        """Return the levels at which moves differ; what flags tell counts under the mask."""
        found: set[int] = set()
        mine, theirs = ({labels.of(move) for move in some if not move[3] & mask & FILTERED}
                        for labels, some in ((self.a, moves), (self.b, others)))
        if mine != theirs:
            found.add(LEGAL)
        for move, other in self._matched(moves, others, mask):
            if other is None or (move[3] | other[3]) & mask & BEYOND:
                continue
            if (move[3] ^ other[3]) & mask & ENDLESS:
                found.add(WINNER)
            if mask and self.owe_unlike(move, other):
                found.add(DUTIES)
        return frozenset(found)

    def bounds(self, pair: Pair) -> tuple[str, ...]:
        """Name the bounds of the model that moves meet in one machine, and not in the other."""
        if not self.bounded or not self.same_asked(pair):
            return ()
        met: list[str] = []
        for move, other in self._matched(self.first.succ(pair[0]), self.second.succ(pair[1])):
            if other is not None and (move[3] ^ other[3]) & BEYOND:
                met += self.first.bounds_met(move[3]) if move[3] & BEYOND else (
                    self.second.bounds_met(other[3]))
        return tuple(dict.fromkeys(met))

    def owe_unlike(self, move: Successor, other: Successor) -> bool:
        """Return whether other things fail on one of two moves, if that is compared."""
        return self.duties and failed(self.first, move[3]) != failed(self.second, other[3])

    def partner(self, moves: Sequence[Successor], others: Sequence[Successor], place: int,
                mask: int) -> Successor:
        """Return the move of the second that goes with one of the first."""
        found = next(other for move, other in self._matched(moves, others, mask)
                     if move is moves[place])
        assert found is not None
        return found


def failed(program: Program, flags: int) -> frozenset[Failed]:
    """Say which obligations fail and which limits break on a move, as two machines both call it."""
    names = Labels.called(program.machine)
    return frozenset(names[bit] for bit in range(len(names)) if flags >> FLAGS + bit & 1)


class InPython:
    """The pairs of two machines, gone through in Python; see `engine.pairs.LockStep`."""

    def __init__(self, machines: SideBySide) -> None:
        self.machines = machines
        self._rows: list[Pair] = []
        self._parents: list[int] = []
        self._seen: set[Pair] = set()
        self._levels: dict[int, int] = {}
        self._parted: list[int] = []
        self.cut: int | None = None
        self.compared = 0

    def add(self, pair: Pair, parent: int = 0) -> None:
        """Add a pair, if it is new."""
        if pair not in self._seen:
            self._seen.add(pair)
            self._rows.append(pair)
            self._parents.append(parent)

    def advance(self, most: int, end: int) -> None:
        """Compare pairs up to number `end`, as long as at most `most` have been found.

        It stops behind a pair that differs at a level at which none has before.
        """
        new: frozenset[int] = frozenset()
        while not new and self.compared < min(end, self.found) and self.found <= most:
            here, number = self._rows[self.compared], self.compared
            levels = self.machines.levels(here)
            new = levels - self._levels.keys()
            self._levels |= dict.fromkeys(new, number)
            if min(levels, default=HIDDEN) <= LEGAL:
                self._parted.append(number)
            if self.cut is None and self.machines.bounds(here):
                self.cut = number
            for _, pair in self.machines.ways(here):
                self.add(pair, number)
            self.compared += 1

    @property
    def found(self) -> int:
        """The number of pairs found."""
        return len(self._rows)

    def levels(self) -> dict[int, int]:
        """Return the levels at which pairs differ, with the first pair of each."""
        return dict(sorted(self._levels.items()))

    def pair(self, number: int) -> Pair:
        """Return a pair of states."""
        return self._rows[number]

    def parent(self, number: int) -> int:
        """Return the number of the pair from which a pair was found."""
        return self._parents[number]

    def situations(self, *, parted: bool = False) -> int:
        """Count the states of the first in the pairs compared, or in those with other moves."""
        numbers = self._parted if parted else range(self.compared)
        return len({self._rows[number][0] for number in numbers})

    # ------------------------------------------------------------------------- random plays

    def play(self, *, seed: int, plays: int, longest: int) -> tuple[int, ...] | None:
        """Play both at random, and look for the play that shows a difference soonest.

        Return the places of its moves, among those of the first machine; None if no play shows one.
        """
        shortest: list[int] | None = None
        for number in range(plays):
            made: list[int] = []
            if longest >= 0 and self._play(of_play(seed, number), longest, made):
                shortest, longest = made, len(made) - 1
        return None if shortest is None else tuple(shortest)

    def _play(self, drawn: int, longest: int, made: list[int]) -> bool:
        """Play once; return whether the two differ somewhere."""
        both = self.machines
        pair = both.start()
        while True:
            if both.unlike(pair):
                return True
            if len(made) == longest:
                return False
            moves, others = both.first.succ(pair[0]), both.second.succ(pair[1])
            if not both.same_asked(pair) or both.moves_unlike(moves, others, 0) or (
                    both.odds and both.odds_unlike(pair)):
                return True
            drawn = drawn + GAMMA & ALL
            place = picked(both.first, pair[0], moves, mixed(drawn), 0)
            if place is None:
                return False
            move, other = moves[place], both.partner(moves, others, place, 0)
            if (move[3] | other[3]) & BEYOND:
                return False
            if forbids(both.a, pair[0], move) or forbids(both.b, pair[1], other):
                if both.moves_unlike(moves, others):
                    return True
                if move[3] & FILTERED:
                    drawn = drawn + GAMMA & ALL
                    place = picked(both.first, pair[0], moves, mixed(drawn), FILTERED)
                    assert place is not None
                move, other = moves[place], both.partner(moves, others, place, FILTERED)
            elif (move[3] ^ other[3]) & ENDLESS or both.owe_unlike(move, other):
                return True
            if move[2] is None or other[2] is None:
                return False
            made.append(place)
            pair = move[2], other[2]

    def twins(self, *, seed: int, plays: int, longest: int) -> Twins:
        """Play twins."""
        return twins_in_python(
            (self.machines.a, self.machines.b), plays=plays, longest=longest, seed=seed)
