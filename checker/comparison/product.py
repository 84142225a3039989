"""Where two readings of a rule part: exploration of the product of their machines.

Both machines make the same moves and meet the same chance; breadth first over the pairs of states
that this reaches, so the first pair that differs is a shortest play that tells the readings apart
(the synchronous product of Hopcroft, Ullman, 1979, used as in Alur et al., "Alternating
refinement", 1998, without the game).
A difference is looked for at each level of observation: the winner, the legal moves, what is
public, what is hidden.  After a difference the search goes on along moves that are legal in both,
because the winner may only differ later.  Complete and without a difference: the readings are
equivalent in this scope.  Cost: the product has at least as many pairs as the game has states;
`limit` bounds it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

from ..engine.program import Program
from ..packed.flags import DUTIES, FILTERED, WINNER
from ..search.labels import Label
from ..search.shorten import Follower, fewer, shorten
from .lockstep import Pair, SideBySide

AFTER = 1_000
"""Pairs of states of one comparison after a play at the printed size."""
LOOKED = 30_000
"""In so many situations a move is looked for, to shorten a play."""


@dataclass(frozen=True, slots=True)
class Split:
    """Two plays of the same moves that end in states which differ at a level.

    `theirs`: those of the second machine, if it asks the players in another order.
    """

    level: int
    play: tuple[Label, ...]
    what: str
    theirs: tuple[Label, ...] | None = None


@dataclass(slots=True)
class Divergence:
    """What a product exploration showed: the shortest split at each level, and how far it went."""

    splits: dict[int, Split] = field(default_factory=dict)
    pairs: int = 0
    complete: bool = True
    bounds: tuple[str, ...] = ()
    """The bounds of the model that one of them met first, and the other did not: it is not known
    what comes of that."""
    situations: int = 0
    """Situations of the first machine that the same moves reach in both, if `stop_at` is 0."""
    parted: int = 0
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
    patience: int | None = None, after: tuple[Label, ...] = (), duties: bool = False,
) -> Divergence:
    """Explore the product of two machines of one game, after some moves; return the splits.

    It stops as soon as a split at level `stop_at` (or a more important one) is known, at 0 never;
    after `patience` more pairs past the first split; and gives up after `limit` pairs.  With
    `duties` the obligations that fail and the limits that break are compared too; the last move of
    a split in these is the one on which they differ.  It is `complete` unless a limit was met, or a
    bound of the model by one machine alone, or it stopped early.
    """
    found = Divergence()
    both = _Whole(first, second, duties=duties)
    s, t = Follower(both.first)(after), Follower(both.second)(after)
    assert s is not None
    assert t is not None
    pairs = both.pairs
    pairs.add((s, t))
    until, levels = limit, dict[int, int]()
    while True:
        pairs.advance(2 * limit, until)
        new = pairs.levels().items() - levels.items()
        if not new:
            break
        if patience is not None and not levels:
            until = min(limit, pairs.compared - 1 + patience)
        for level, number in sorted(new):
            levels[level] = number
            found.splits[level] = both.split(level, number, after)
        if any(level <= stop_at for level in levels):
            found.pairs, found.complete = pairs.compared, False
            return found
    if pairs.cut is not None:
        found.bounds = both.bounds(pairs.pair(pairs.cut))
    found.pairs = pairs.compared
    found.complete = pairs.compared >= pairs.found and pairs.cut is None
    if stop_at < WINNER:
        found.situations, found.parted = pairs.situations(), pairs.situations(parted=True)
    return found


def shortened(found: Divergence, first: Program, second: Program) -> Divergence:
    """Leave out moves of the play to the most important split, as long as the rest shows the same.

    So many situations are looked at for it that the result depends on the play alone.
    """
    best = found.best
    if best is None or best.level == DUTIES:
        return found
    both = SideBySide(first, second)
    play, follow = still_apart(both, best.play, best.level), followers(both)
    for length in range(len(play) + 1):
        there = both_after(follow, play[:length])
        assert there is not None
        level = min(both.levels(there), default=0)
        if level:
            first_of_all = Split(level, play[:length], both.says(there, level))
            return replace(found, splits={
                level: first_of_all, best.level: replace(best, play=play)})
    return found


def still_apart(
    both: SideBySide, play: tuple[Label, ...], level: int,
    where: Callable[[bytes], bool] | None = None,
) -> tuple[Label, ...]:
    """Leave out moves as long as the two differ at a level behind the rest.

    With `where`, as long as that holds of the first one there, or where its last move is made.
    """
    follow = followers(both)

    def shows(trial: tuple[Label, ...]) -> bool | None:
        if sum(each.looked for each in follow) >= LOOKED:
            return None
        held = where is None or any(state is not None and where(state)
                                    for state in (follow[0](trial[:-1]), follow[0](trial)))
        there = both_after(follow, trial)
        return None if there is None else held and level in both.levels(there)

    return fewer(play, shows, LOOKED)


def split_after(
    first: Program, second: Program, play: tuple[Label, ...], *, duties: bool = False
) -> Divergence:
    """Return where two machines part behind a play, with every order of the players, made short.

    Of what comes after it `AFTER` pairs are looked at; `duties` as of `diverge`.
    """
    found = diverge(first.whole, second.whole, limit=AFTER, after=play, duties=duties)
    return shortened(found, first.whole, second.whole)


class _Whole(SideBySide):
    """Two machines, and the same two with every order of the players."""

    @cached_property
    def whole(self) -> SideBySide:
        """The machines with every order."""
        return SideBySide(self.first.whole, self.second.whole, duties=self.duties)

    @cached_property
    def followers(self) -> tuple[Follower, Follower]:
        """What follows plays in these."""
        return followers(self.whole)

    def split(self, level: int, number: int, after: tuple[Label, ...]) -> Split:
        """Return the play to a pair that differs at a level, made shorter."""
        play = shorten((*after, *self.way(number)), self.first,
                       lambda trial: self._splits(trial, level))
        if level == DUTIES:
            play = (*play, self._unlike_move(play))
        return Split(level, play, self.says(self.pairs.pair(number), level))

    def _unlike_move(self, play: tuple[Label, ...]) -> Label:
        """Return the first move after a play on which other things fail in the two machines."""
        s, t = (follow(play) for follow in self.followers)
        assert s is not None
        assert t is not None
        both = self.whole
        theirs = {both.b.of(move): move for move in both.second.succ(t)}
        return next(label for move in both.first.succ(s)
                    if not move[3] & FILTERED and (label := both.a.of(move)) in theirs
                    and both.owe_unlike(move, theirs[label]))

    def _splits(self, play: tuple[Label, ...], level: int) -> bool:
        """Return whether a play leads to a difference at a level in the machines as they are."""
        pair = both_after(self.followers, play)
        return pair is not None and level in self.whole.levels(pair)


def followers(both: SideBySide) -> tuple[Follower, Follower]:
    """Return what follows the same plays in both."""
    return Follower(both.first), Follower(both.second)


def both_after(follow: tuple[Follower, Follower], play: tuple[Label, ...]) -> Pair | None:
    """Return where a play leads in both; None if it is not legal, or others make its moves."""
    s, t = (each(play) for each in follow)
    one, two = (each.deciders() for each in follow)
    return None if s is None or t is None or one != two else (s, t)
