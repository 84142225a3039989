"""Where two readings part in a situation of the kind that the question is about.

The first situation that tells two readings apart is often one of another kind, in which something
else shows first.  So random plays are gone on with past moves that only one of the readings allows,
until they part in a situation in which a condition holds.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import islice

from ...model.machine.core import Expr
from ..engine.program import Program
from ..packed.flags import LEGAL
from ..search.labels import Label
from ..search.playouts import Plays
from .lockstep import SideBySide
from .product import AFTER, Divergence, Split, both_after, diverge, followers, still_apart
from .settled import settled_pair

GAMES = 200
"""So many random plays are gone through."""
ENOUGH = 4
"""Of so many that are found the shortest is taken."""


def split_where(
    first: Program, second: Program, holds: Expr, *, seed: int, plays: Plays
) -> Divergence | None:
    """Return where two machines part in a situation in which a condition holds, made short.

    It holds where they part, or where the move is made that leads there; and somebody has a choice
    by which they part (`settled`), or the boards differ.  Each move of the plays is
    as likely as any other, also of chance.  None: no play that was gone through has one.

    Raises:
        EndlessRules: if one of them never gets to rest.

    """
    both = SideBySide(first.whole, second.whole)
    if not both.comparable:
        return None
    test, settled = both.first.predicate(holds), settled_pair(both.first, both.second)

    def tells(play: tuple[Label, ...]) -> bool:
        there = both_after(followers(both), play)
        return there is not None and (min(both.levels(there)) > LEGAL or settled.tells(play))

    walks = (_walk(both, test, random.Random(f"{seed}/{number}"), plays.longest)  # noqa: S311
             for number in range(min(GAMES, plays.many)))
    found = list(islice((play for play in walks if play is not None and tells(play)), ENOUGH))
    if not found:
        return None
    play = min(found, key=len)
    there = both_after(followers(both), play)
    assert there is not None
    short = still_apart(both, play, min(both.levels(there)), test)
    return _split(both, short if tells(short) else play)


def _walk(
    both: SideBySide, test: Callable[[bytes], bool], draws: random.Random, longest: int
) -> tuple[Label, ...] | None:
    """Go on at random until the two part where the condition holds; None if they never do."""
    made: list[Label] = []
    pair, held = both.start(), False
    while len(made) < longest:
        holds = test(pair[0])
        if (holds or held) and both.levels(pair):
            return tuple(made)
        ways = [] if both.unlike(pair) else list(both.ways(pair))
        if not ways:
            return None
        label, pair = draws.choice(ways)
        made.append(label)
        held = holds
    return None


def _split(both: SideBySide, play: tuple[Label, ...]) -> Divergence:
    """Return what a play shows where it ends, and what shows soon after it and matters more."""
    there = both_after(followers(both), play)
    assert there is not None
    level = min(both.levels(there))
    splits = {level: Split(level, play, both.says(there, level))}
    more = diverge(both.first, both.second, limit=AFTER, after=play).best
    if more is not None and more.level < level and more.play[:len(play)] == play:
        splits[more.level] = more
    return Divergence(splits, complete=False)
