"""Where two readings of a rule part: exploration of the product of their machines.

Both machines make the same moves and meet the same chance; breadth first over the pairs of states
that this reaches, so the first pair that differs is a shortest play that tells the readings apart
(defects.md, "Product exploration of readings"; the construction is the synchronous product of
Hopcroft, Ullman, 1979, used as in Alur et al., "Alternating refinement", 1998, without the game).
A difference is looked for at each level of observation: the winner, the legal moves, what is
public, what is hidden.  After a difference the search goes on along moves that are legal in both,
because the winner may only differ later.  Complete and without a difference: the readings are
equivalent in this scope.  Cost: the product has at least as many pairs as the game has states;
`limit` bounds it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from ..packed.flags import FILTERED
from .labels import Labels, in_step, same_arrays
from .shorten import follow, shorten

if TYPE_CHECKING:
    from ..engine.program import Program
    from .labels import Label

WINNER, LEGAL, PUBLIC, HIDDEN = 1, 2, 3, 4


@dataclass(frozen=True, slots=True)
class Split:
    """Two plays of the same moves that end in states which differ at a level."""

    level: int
    play: tuple[Label, ...]
    what: str


@dataclass(slots=True)
class Divergence:
    """What a product exploration showed: the shortest split at each level, and how far it went."""

    splits: dict[int, Split] = field(default_factory=dict)
    pairs: int = 0
    complete: bool = True
    situations: int = 0
    """Situations of the first machine that the same moves reach in both, if `stop_at` is 0."""
    parted: set[bytes] = field(default_factory=set)
    """Those in which the legal moves, or whether the game is over, or who has won, differ."""

    @property
    def best(self) -> Split | None:
        """The split at the most important level."""
        return self.splits[min(self.splits)] if self.splits else None

    @property
    def first(self) -> Split | None:
        """The shortest split of any level."""
        return min(self.splits.values(), key=lambda s: (len(s.play), s.level), default=None)


def diverge(
    first: Program, second: Program, *, limit: int = 200_000, stop_at: int = WINNER,
    patience: int | None = None, after: tuple[Label, ...] = (),
) -> Divergence:
    """Explore the product of two machines.

    Args:
        first: one machine.
        second: the other one; both of the same game.
        limit: the number of pairs after which the search gives up.
        stop_at: stop as soon as a split at this level (or a more important one) is known; at 0,
            never.
        patience: after the first split, go on for at most this many pairs.
        after: the moves after which the product is explored; none, from the start.

    Returns:
        the splits found; `complete` is False if the limit was met, or if the search stopped early.

    """
    first, second = in_step(first, second)
    a, b = Labels(first), Labels(second)
    comparable = same_arrays(first.machine, second.machine)
    ids: dict[object, int] = {}
    mine = {edge: ids.setdefault(label, len(ids)) for edge, label in a.edges.items()}
    theirs = {edge: ids.setdefault(label, len(ids)) for edge, label in b.edges.items()}
    found = Divergence()
    s, t = follow(first, after), follow(second, after)
    assert s is not None
    assert t is not None
    pair = (s, t)
    parents: list[tuple[int, int]] = [(-1, -1)]
    seen = {pair}
    queue: list[tuple[bytes, bytes]] = [pair]
    until = limit
    place = 0
    while place < len(queue):
        s, t = queue[place]
        moves, others = first.succ(s), second.succ(t)
        aligned = len(moves) == len(others) and all(
            mine[m[0]] == theirs[n[0]] and m[1] == n[1] and not (m[3] ^ n[3]) & FILTERED
            and (m[2] is None) == (n[2] is None) for m, n in zip(moves, others, strict=True))
        if not aligned or not comparable or a.declared(s) != b.declared(t) or (
            (a.program.kind(s) == "final") != (b.program.kind(t) == "final")
        ):
            for level, what in _differences(a, b, s, t, comparable=comparable):
                if level <= LEGAL:
                    found.parted.add(s)
                if level not in found.splits:
                    play = shorten(
                        (*after, *(label for _, label in _way(a, queue, parents, place))), first,
                        partial(_splits, first, second, level=level))
                    found.splits[level] = Split(level, play, what)
                    if patience is not None and len(found.splits) == 1:
                        until = min(limit, place + patience)
            if any(level <= stop_at for level in found.splits):
                found.pairs, found.complete = place + 1, False
                return found
        if aligned:
            ways = [(i, m[2], n[2]) for i, (m, n) in enumerate(zip(moves, others, strict=True))
                    if not m[3] & FILTERED and m[2] is not None]
        else:
            legal = b.legal(t)
            ways = [(i, m[2], legal[a.of(m)][2]) for i, m in enumerate(moves)
                    if not m[3] & FILTERED and m[2] is not None and a.of(m) in legal]
        for number, one, two in ways:
            nxt = (one, two)
            if nxt not in seen:
                seen.add(nxt)  # type: ignore[arg-type]
                queue.append(nxt)  # type: ignore[arg-type]
                parents.append((place, number))
        place += 1
        if place >= until or len(queue) > 2 * limit:
            found.complete = place >= len(queue)
            break
    found.pairs = place
    if stop_at < WINNER:
        found.situations = len({s for s, _ in queue[:place]})
    return found


def _splits(
    first: Program, second: Program, play: tuple[Label, ...], level: int
) -> bool:
    """Return whether a play leads to a difference at a level in the machines as they are."""
    s, t = follow(first.whole, play), follow(second.whole, play)
    if s is None or t is None:
        return False
    a, b = Labels(first.whole), Labels(second.whole)
    return any(each == level for each, _ in _differences(
        a, b, s, t, comparable=same_arrays(first.machine, second.machine)))


def _way(
    a: Labels, queue: list[tuple[bytes, bytes]], parents: list[tuple[int, int]], place: int
) -> list[tuple[int, Label]]:
    """Return the moves that lead to a pair, found again from the numbers that were kept."""
    made: list[tuple[int, Label]] = []
    while place > 0:
        place, number = parents[place]
        made.append((place, a.of(a.program.succ(queue[place][0])[number])))
    return list(reversed(made))


def _differences(
    a: Labels, b: Labels, s: bytes, t: bytes, *, comparable: bool
) -> list[tuple[int, str]]:
    """List the levels at which two states differ, with what differs."""
    made: list[tuple[int, str]] = []
    moves, others = a.offered(s), b.offered(t)
    over, over_too = a.program.kind(s) == "final", b.program.kind(t) == "final"
    if over and over_too and a.winners(s) != b.winners(t):
        made.append((WINNER, "who has won"))
    if over != over_too:
        made.append((WINNER, "whether the game is over"))
    if moves.keys() != others.keys():
        only = sorted({label[1] for label in moves.keys() ^ others.keys()})
        made.append((LEGAL, "; ".join(only[:4])))
    if any((moves[each][2] is None) != (others[each][2] is None) for each in moves
           if each in others):
        made.append((WINNER, "whether the rules come to a rest"))
    if comparable and a.public(s) != b.public(t):
        made.append((PUBLIC, ""))
    if comparable and a.hidden(s) != b.hidden(t):
        made.append((HIDDEN, ""))
    return made
