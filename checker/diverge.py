"""Where two readings of a rule part: exploration of the product of their machines.

Both machines make the same moves and meet the same chance; breadth first over the pairs of states
that this reaches, so the first pair that differs is a shortest play that tells the readings apart
(defects.md, "Product exploration of readings"; the construction is the synchronous product of
Hopcroft, Ullman, 1979, used as in Alur et al., "Alternating refinement", 1998, without the game).
A difference is looked for at each level of observation: the winner, the legal moves, what is public,
what is hidden.  After a difference the search goes on along moves that are legal in both, because the
winner may only differ later.  Complete and without a difference: the readings are equivalent in this
scope.  Cost: the product has at least as many pairs as the game has states; `limit` bounds it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .labels import Labels, same_arrays

if TYPE_CHECKING:
    from .codegen import Program
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
    """The outcome of a product exploration: the shortest split at each level, and how far it went."""

    splits: dict[int, Split] = field(default_factory=dict)
    pairs: int = 0
    complete: bool = True

    @property
    def best(self) -> Split | None:
        """The split at the most important level."""
        return self.splits[min(self.splits)] if self.splits else None

    @property
    def first(self) -> Split | None:
        """The shortest split of any level."""
        return min(self.splits.values(), key=lambda s: (len(s.play), s.level), default=None)


def diverge(  # noqa: C901, PLR0912
    first: Program, second: Program, *, limit: int = 200_000, stop_at: int = WINNER,
    patience: int | None = None,
) -> Divergence:
    """Explore the product of two machines.

    Args:
        first: one machine.
        second: the other one; both of the same game.
        limit: the number of pairs after which the search gives up.
        stop_at: stop as soon as a split at this level (or a more important one) is known.
        patience: after the first split, go on for at most this many pairs.

    Returns:
        the splits found; `complete` is False if the limit was met, or if the search stopped early.

    """
    a, b = Labels(first), Labels(second)
    comparable = same_arrays(first.machine, second.machine)
    found = Divergence()
    pair = (first.start()[0], second.start()[0])
    parents: list[tuple[int, Label | None]] = [(-1, None)]
    seen = {pair: 0}
    queue: list[tuple[bytes, bytes]] = [pair]
    until = limit
    place = 0
    while place < len(queue):
        s, t = queue[place]
        moves, others = a.legal(s), b.legal(t)
        for level, what in _differences(a, b, s, t, moves, others, comparable=comparable):
            if level not in found.splits:
                found.splits[level] = Split(level, _play(parents, place), what)
                if patience is not None and len(found.splits) == 1:
                    until = min(limit, place + patience)
        if any(level <= stop_at for level in found.splits):
            found.pairs, found.complete = place + 1, False
            return found
        for label, move in moves.items():
            other = others.get(label)
            if other is None:
                continue
            nxt = (move[2], other[2])
            if nxt not in seen:
                seen[nxt] = len(queue)  # type: ignore[index]
                queue.append(nxt)  # type: ignore[arg-type]
                parents.append((place, label))
        place += 1
        if place >= until or len(queue) > 2 * limit:
            found.complete = place >= len(queue)
            break
    found.pairs = place
    return found


def _differences(  # noqa: PLR0913
    a: Labels, b: Labels, s: bytes, t: bytes, moves: dict[Label, object],
    others: dict[Label, object], *, comparable: bool,
) -> list[tuple[int, str]]:
    """List the levels at which two states differ, with what differs."""
    made: list[tuple[int, str]] = []
    over, over_too = a.program.kind(s) == "final", b.program.kind(t) == "final"
    if over and over_too and a.winners(s) != b.winners(t):
        made.append((WINNER, "who has won"))
    if over != over_too:
        made.append((WINNER, "whether the game is over"))
    if moves.keys() != others.keys():
        only = sorted({label[1] for label in moves.keys() ^ others.keys()})
        made.append((LEGAL, "; ".join(only[:4])))
    if comparable and a.public(s) != b.public(t):
        made.append((PUBLIC, ""))
    if comparable and a.hidden(s) != b.hidden(t):
        made.append((HIDDEN, ""))
    return made


def _play(parents: list[tuple[int, Label | None]], place: int) -> tuple[Label, ...]:
    made: list[Label] = []
    while place > 0:
        place, label = parents[place]
        assert label is not None
        made.append(label)
    return tuple(reversed(made))
