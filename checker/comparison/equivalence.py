"""Whether a machine can be told from another one: in every situation, or in some random plays.

Both make the same moves and meet the same chance, as in `diverge`, but the first difference ends
it, so that most questions are answered within a few moves.  In every situation all moves are taken
and compared.  A random play compares what the spec declares and which moves are legal, and takes
the one move that is drawn: what the others would lead to, other plays see.
"""

from __future__ import annotations

from functools import lru_cache

from ..drivers.draws import ALL, GAMMA, mixed
from ..engine.pairs import LockStep
from ..engine.program import Program
from ..packed.flags import LEGAL
from ..search.explore import Exploration
from ..search.labels import Label
from ..search.playouts import Plays, covered
from .courses import of_play
from .lockstep import InPython, Pair, SideBySide

PAIRS = 60_000
"""Pairs of states of one comparison."""
PLAYS = Plays()
"""Random plays of a pair, if nothing else is said."""
GAMES, PLACES, NEARBY = 64, 8, 500_000
"""Random plays near which a difference is sought, places in each, and pairs of states in all."""
STEPS = 40_000
"""Moves of these plays in all."""
FEW = 300
"""So many situations are looked at, all that there are if possible, before anything is played."""


def same_everywhere(
    first: Program, second: Program, *, duties: bool = False, ends: bool = False,
    limit: int = PAIRS,
) -> bool | None:
    """Compare two machines in every situation that the same moves lead to.

    With `duties` the obligations that fail and the limits that break are compared too; with `ends`
    all that lies on the table of games that are over.  None if `limit` pairs were looked at without
    a difference, or one of them met a bound of the model that the other did not.

    Raises:
        EndlessRules: if one of them never gets to rest.

    """
    return _everywhere(SideBySide(first, second, duties=duties, ends=ends), limit)


def _everywhere(both: SideBySide, limit: int) -> bool | None:
    start = both.start()
    if not both.comparable:
        return False
    both.pairs.add(start)
    both.pairs.advance(1 << 30, limit)
    if both.pairs.levels():
        return False
    return True if both.pairs.compared >= both.pairs.found and both.pairs.cut is None else None


def same_in_play(
    first: Program, second: Program, *, seed: int, duties: bool = False, plays: Plays = PLAYS,
) -> bool:
    """Compare two machines along random plays."""
    return apart_in_play(first, second, seed=seed, duties=duties, plays=plays) is None


def apart_in_play(
    first: Program, second: Program, *, seed: int, duties: bool = False, plays: Plays = PLAYS,
    boards: bool = True,
) -> tuple[Label, ...] | None:
    """Return the moves of the random play after which two machines differ soonest; None: none does.

    Players are asked in every order.  Without `boards` only other legal moves and another winner
    are differences.  The first few situations are looked at before anything is played: if they are
    all that there are, or one of them tells the two apart, nothing is.

    Raises:
        EndlessRules: if one of them never gets to rest.

    """
    both = SideBySide(first.whole, second.whole, duties=duties, boards=boards)
    if not both.comparable:
        return ()
    same = _everywhere(both, FEW)
    if same is not None:
        return None if same else both.way(min(both.pairs.levels().values(), default=0))
    places = both.pairs.play(seed=seed, plays=plays.many, longest=plays.longest)
    if places is None:
        return None
    state, _ = both.start()
    made: list[Label] = []
    for place in places:
        move = both.first.succ(state)[place]
        made.append(both.a.of(move))
        assert move[2] is not None
        state = move[2]
    return tuple(made)


def apart_nearby(
    first: Program, second: Program, *, seed: int, longest: int
) -> tuple[Label, ...] | None:
    """Return moves after which two machines differ, near a random play; None if none were found.

    Breadth first from places in the middle of some plays, all at once, so that what players who
    choose at random seldom do is found where it takes few moves.  Each move of these plays is as
    likely as any other, also of chance.  Other moves and another winner are sought first, and else
    what lies on the table.

    Raises:
        EndlessRules: if one of them never gets to rest.

    """
    both = SideBySide(first.whole, second.whole)
    if not both.comparable:
        return None
    if isinstance(both.pairs, LockStep) and both.pairs.one_code and not (
            _asked_nearby(first.whole, seed, longest) & both.pairs.unlike):
        return None
    roots = _near(both, seed, longest)
    levels = both.pairs.levels()
    if not levels:
        return None
    root, moves = both.way_from(levels[min(levels)], len(roots))
    return (*roots[root], *moves)


@lru_cache(maxsize=8)
def _asked_nearby(first: Program, seed: int, longest: int) -> int:
    """Return the features that are asked for near random plays of a machine, a bit each.

    That is found out once for all games that are told from it: where none of those in which one is
    unlike it is asked for, nothing differs.
    """
    alone = SideBySide(first, first)
    assert first.engine is not None
    assert isinstance(alone.pairs, LockStep)
    first.engine.watch(0)
    _near(alone, seed, longest)
    return first.engine.asked() | alone.pairs.engines[0].asked()


def _near(both: SideBySide, seed: int, longest: int) -> list[tuple[Label, ...]]:
    """Compare the pairs near random plays, and return the plays to the first ones."""
    roots: dict[Pair, tuple[Label, ...]] = {}
    left = STEPS
    for number in range(GAMES):
        drawn, passed = of_play(seed, number), [both.start()]
        play: list[Label] = []
        while len(play) < longest and left and (ways := list(both.ways(passed[-1]))):
            left -= 1
            drawn = drawn + GAMMA & ALL
            way = ways[mixed(drawn) % len(ways)]
            play.append(way.label)
            passed.append(way.pair)
        for place in range(PLACES):
            at = len(play) * place // PLACES
            roots.setdefault(passed[at], tuple(play[:at]))
    for pair in roots:
        both.pairs.add(pair)
    most = PAIRS if isinstance(both.pairs, InPython) else NEARBY
    before = -1
    while before < both.pairs.compared < most and min(both.pairs.levels(), default=9) > LEGAL:
        before = both.pairs.compared
        both.pairs.advance(2 * most, most)
    return list(roots.values())


def runs_in_play(program: Program, clause: str, *, seed: int, plays: Plays) -> bool:
    """Return whether a clause is in force on any move that is made in some random plays.

    Players are asked in every order.  If there are few situations, on any move that is legal in one
    of these.
    """
    program = program.whole
    few = Exploration(program, cover=True)
    seen = few.run(max_states=FEW)
    if seen.coverage is not None and clause in seen.coverage.clauses:
        return True
    return not seen.complete and clause in covered(program, plays=plays, seed=seed).clauses
