"""Whether a machine can be told from another one: in every situation, or in some random plays.

Both make the same moves and meet the same chance, as in `diverge`, but the first difference ends
it, so that most questions are answered within a few moves.  What is compared in each situation: the
legal moves, what the spec declares, whether the game is over, and if asked for, what cannot be done
there (the obligations that fail).
"""

from __future__ import annotations

import random
from contextlib import suppress
from itertools import pairwise
from typing import TYPE_CHECKING

from ...model.run.interp import EndlessRules
from ..packed.flags import FILTERED, FLAGS
from .labels import Labels, in_step, same_arrays

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.program import Program
    from ..packed.flags import Successor
    from .labels import Label

PAIRS = 60_000
"""Pairs of states of one comparison."""
PLAYS = 60
LONGEST = 400
"""Random plays, and the moves after which one is given up."""
FEW = 300
"""So many situations are looked at, all that there are if possible, before anything is played."""

Pair = tuple[bytes, bytes]
Failed = tuple[str, str]
"""A clause, and the class of what is wrong."""


class Twins:
    """Two machines of one game, side by side.

    Args:
        first: one machine.
        second: the other one.
        duties: whether the obligations that fail are compared too.

    """

    def __init__(self, first: Program, second: Program, *, duties: bool = False) -> None:
        first, second = in_step(first, second)
        self.first, self.second = first, second
        self.a, self.b = Labels(first), Labels(second)
        self.comparable = same_arrays(first.machine, second.machine)
        ids: dict[object, int] = {}
        self._mine = {edge: ids.setdefault(label, len(ids)) for edge, label in self.a.edges.items()}
        self._theirs = {edge: ids.setdefault(label, len(ids))
                        for edge, label in self.b.edges.items()}
        self._duties = duties
        self._known: dict[tuple[int, int], bool] = {}

    def start(self) -> Pair:
        """Return the situation in which both begin."""
        return self.first.start()[0], self.second.start()[0]

    def ways(self, pair: Pair) -> list[Pair] | None:
        """Give what the legal moves of a situation lead to in both; None if the two differ here."""
        s, t = pair
        first, second = self.first, self.second
        if not self.comparable or self.a.declared(s) != self.b.declared(t) or (
            (first.kind(s) == "final") != (second.kind(t) == "final")
        ):
            return None
        moves, others = first.succ(s), second.succ(t)
        aligned = len(moves) == len(others) and all(
            self._mine[m[0]] == self._theirs[n[0]] and m[1] == n[1]
            and not (m[3] ^ n[3]) & FILTERED and (m[2] is None) == (n[2] is None)
            for m, n in zip(moves, others, strict=True))
        if not aligned:
            mine, theirs = self.a.offered(s), self.b.offered(t)
            if mine.keys() != theirs.keys() or any(
                    (mine[each][2] is None) != (theirs[each][2] is None) for each in mine):
                return None
            moves, others = list(mine.values()), [theirs[label] for label in mine]
        if self._duties and not all(map(self._owe_alike, moves, others)):
            return None
        return [(m[2], n[2]) for m, n in zip(moves, others, strict=True)
                if not m[3] & FILTERED and m[2] is not None and n[2] is not None]

    def moves(self, trail: Sequence[Pair]) -> tuple[Label, ...]:
        """Return the moves that lead from one situation to the next."""
        made: list[Label] = []
        for (s, t), (one, two) in pairwise(trail):
            theirs = self.b.legal(t)
            made.append(next(label for label, move in self.a.legal(s).items() if move[2] == one
                             and label in theirs and theirs[label][2] == two))
        return tuple(made)

    def _owe_alike(self, move: Successor, other: Successor) -> bool:
        key = (move[3] >> FLAGS, other[3] >> FLAGS)
        if key not in self._known:
            self._known[key] = failed(self.first, move[3]) == failed(self.second, other[3])
        return self._known[key]


def failed(program: Program, flags: int) -> frozenset[Failed]:
    """Say which obligations fail and which limits break on a move, as two machines both call it."""
    machine = program.machine
    duties = {duty.id: (duty.clause, duty.defect) for duty in machine.obligations}
    return frozenset(
        [*(duties[number] for number in program.notes(flags)),
         *((machine.limits[number].clause, "limit-broken") for number in program.broken(flags))])


def same_everywhere(
    first: Program, second: Program, *, duties: bool = False, limit: int = PAIRS
) -> bool | None:
    """Compare two machines in every situation that the same moves lead to.

    Returns:
        whether they are the same; None if the limit was met before a difference.

    Raises:
        EndlessRules: if one of them never gets to rest.

    """
    twins = Twins(first, second, duties=duties)
    pair = twins.start()
    seen, queue = {pair}, [pair]
    for place, here in enumerate(queue):
        if place >= limit:
            return None
        ways = twins.ways(here)
        if ways is None:
            return False
        for way in ways:
            if way not in seen:
                seen.add(way)
                queue.append(way)
    return True


def same_in_play(
    first: Program, second: Program, *, seed: int, duties: bool = False, plays: int = PLAYS,
    longest: int = LONGEST,
) -> bool:
    """Compare two machines along random plays."""
    return apart_in_play(
        first, second, seed=seed, duties=duties, plays=plays, longest=longest) is None


def apart_in_play(
    first: Program, second: Program, *, seed: int, duties: bool = False, plays: int = PLAYS,
    longest: int = LONGEST,
) -> tuple[Label, ...] | None:
    """Return the moves of the first random play after which two machines differ; None: none does.

    If there are few situations, and none tells them apart, nothing is played.
    """
    with suppress(EndlessRules):
        if same_everywhere(first, second, limit=FEW, duties=duties):
            return None
    twins = Twins(first, second, duties=duties)
    for number in range(plays):
        rng = random.Random(f"{seed}/{number}")  # noqa: S311
        trail = [twins.start()]
        while len(trail) <= longest:
            try:
                ways = twins.ways(trail[-1])
            except EndlessRules:
                ways = None
            if ways is None:
                return twins.moves(trail)
            if not ways:
                break
            trail.append(ways[rng.randrange(len(ways))])
    return None


def runs_in_play(
    program: Program, clause: str, *, seed: int, plays: int = PLAYS, longest: int = LONGEST
) -> bool:
    """Return whether a clause is in force on any move that is legal in some random plays.

    If there are few situations, on any move that is legal in one of these.
    """
    nexts, remarks, record = program.covering()
    place = program.marks.clauses.get(clause)
    if place is None:
        return False
    queue = [program.start()[0]]
    seen = set(queue)
    for here in queue:
        if len(queue) > FEW or record[place]:
            break
        for way in nexts(here):
            if way not in seen:
                seen.add(way)
                queue.append(way)
        remarks.clear()
    else:
        return bool(record[place])
    for number in range(plays):
        rng = random.Random(f"{seed}/{number}")  # noqa: S311
        state = program.start()[0]
        for _ in range(longest):
            ways = nexts(state)
            remarks.clear()
            if record[place]:
                return True
            if not ways:
                break
            state = ways[rng.randrange(len(ways))]
    return False
