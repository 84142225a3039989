"""Two machines side by side, past the moves that nobody picks, as there is nothing else to do.

A pass of somebody who holds nothing that could be played is no decision, so that one reading asks
for it and another one does not is no difference; nor is who is next where no rule says so, if only
one of those who may be has a choice.  Both machines make such moves by themselves, and are compared
where somebody, or chance, picks.  It is asked only where the moves as such differ (`lockstep`), so
it is done in Python.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.machine.state import Move
from ..drivers.draws import ALL, GAMMA, mixed
from ..packed.flags import FILTERED, LEGAL
from ..search.labels import Labels
from ..search.shorten import fewer, in_common
from .courses import of_play
from .lockstep import SideBySide
from .product import Divergence, Split

if TYPE_CHECKING:
    from ..engine.program import Program
    from ..packed.flags import Successor
    from ..search.labels import Label
    from .lockstep import Pair

LONGEST = 200
"""Moves that a machine makes by itself, one after the other, before it rests all the same."""
STEPS = 20_000
"""Moves of random plays in which a difference is looked for."""
TRIES = 2_000
"""Plays that are tried to shorten one."""


class Settled:
    """One program, whose plays are told without the moves that it makes by itself."""

    def __init__(self, program: Program) -> None:
        self.program, self.labels = program, Labels(program)

    def rest(self, packed: bytes) -> tuple[bytes, list[Move]]:
        """Return where somebody, or chance, picks next, and the moves made by themselves till then.

        In what goes round for ever it is where it begins.
        """
        state, made = packed, list[Move]()
        while (row := self._alone(state)) is not None:
            made.append(Move(row[0], row[1]))
            assert row[2] is not None
            state = row[2]
            if len(made) == LONGEST:
                return packed, []
        return state, made

    def _alone(self, packed: bytes) -> Successor | None:
        """Return the move that is made by itself; None where there is another one, or none."""
        moves = self._legal(packed)
        if self.program.kind(packed) == "open":
            moves = [row for row in moves if row[2] is None or self._chooses(row[2])] or moves[:1]
        return moves[0] if len(moves) == 1 and moves[0][2] is not None else None

    def _chooses(self, packed: bytes) -> bool:
        return self.program.kind(packed) != "decide" or len(self._legal(packed)) > 1

    def _legal(self, packed: bytes) -> list[Successor]:
        return [row for row in self.program.succ(packed) if not row[3] & FILTERED]

    def moves(self, play: tuple[Label, ...]) -> tuple[Move, ...] | None:
        """Return a play with the moves that are made by themselves; None if it is not legal."""
        state, made = self.rest(self.program.start()[0])
        for label in play:
            row = self.labels.legal(state).get(label)
            if row is None or row[2] is None:
                return None
            state, more = self.rest(row[2])
            made += [Move(row[0], row[1]), *more]
        return tuple(made)


class SettledPair:
    """Two machines of one game, each past what it does by itself."""

    def __init__(self, first: Program, second: Program) -> None:
        self.both = SideBySide(first, second)
        self.one, self.two = Settled(self.both.first), Settled(self.both.second)
        self._play: tuple[Label, ...] = ()
        self._pairs: list[Pair] = []

    def rest(self, pair: Pair) -> Pair:
        """Return where both rest."""
        return self.one.rest(pair[0])[0], self.two.rest(pair[1])[0]

    def follow(self, play: tuple[Label, ...]) -> Pair | None:
        """Return the pair that a play leads to; None if it is not legal in both.

        What it shares with the play before is not played again.
        """
        kept = in_common(self._play, play)
        self._play, self._pairs = play, self._pairs[:kept + 1] or [self.rest(self.both.start())]
        for at, label in enumerate(play[kept:], kept):
            found = next((way.pair for way in self.both.ways(self._pairs[at])
                          if way.label == label), None)
            if found is None:
                self._play = play[:at]
                return None
            self._pairs.append(self.rest(found))
        return self._pairs[-1]

    def tells(self, play: tuple[Label, ...]) -> bool:
        """Return whether other moves are legal, or others have won, past a play of every move."""
        pair: Pair | None = self.both.start()
        for label in play:
            assert pair is not None
            pair = next((way.pair for way in self.both.ways(pair) if way.label == label), None)
        return pair is None or min(self.both.levels(self.rest(pair)), default=9) <= LEGAL

    def everywhere(self, limit: int) -> Divergence:
        """Look for the shortest play that shows a difference, in up to so many pairs."""
        found = Divergence()
        rows: list[tuple[Pair, tuple[Label, ...]]] = [(self.rest(self.both.start()), ())]
        seen = {rows[0][0]}
        for pair, play in rows:
            if found.pairs == limit:
                found.complete = False
                break
            found.pairs += 1
            if self._note(found, pair, play):
                found.complete = False
                break
            for way in self.both.ways(pair):
                after = self.rest(way.pair)
                if after not in seen:
                    seen.add(after)
                    rows.append((after, (*play, way.label)))
        return found

    def in_play(self, *, seed: int, longest: int) -> Divergence:
        """Look for a difference in random plays, and shorten the play that shows it."""
        found = Divergence(complete=False)
        number = 0
        while found.pairs < STEPS:
            drawn, pair = of_play(seed, number), self.rest(self.both.start())
            play: tuple[Label, ...] = ()
            number += 1
            while True:
                found.pairs += 1
                if self._note(found, pair, play):
                    return self._shortened(found)
                ways = list(self.both.ways(pair))
                if not ways or len(play) == longest:
                    break
                drawn = drawn + GAMMA & ALL
                way = ways[mixed(drawn) % len(ways)]
                pair, play = self.rest(way.pair), (*play, way.label)
        return self._shortened(found)

    def _note(self, found: Divergence, pair: Pair, play: tuple[Label, ...]) -> bool:
        """Keep how a pair differs; return whether moves, or who has won, do."""
        for level in self.both.levels(pair) - found.splits.keys():
            found.splits[level] = Split(level, play, self.both.says(pair, level))
        return min(found.splits, default=9) <= LEGAL

    def _shortened(self, found: Divergence) -> Divergence:
        """Leave out moves of the play to the most important split."""
        best = found.best
        if best is None:
            return found

        def shows(play: tuple[Label, ...]) -> bool | None:
            pair = self.follow(play)
            return None if pair is None else best.level in self.both.levels(pair)

        play = fewer(best.play, shows, TRIES)
        found.splits = {best.level: Split(best.level, play, best.what)}
        return found
