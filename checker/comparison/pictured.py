"""Where two readings part in a situation of the kind that the question is about.

The first situation that tells two readings apart is often one of another kind, in which something
else shows first.  So random plays are gone on with past moves that only one of the readings allows,
until they part in a situation in which a condition holds.
"""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from ..search.shorten import Follower, fewer
from .lockstep import SideBySide
from .product import AFTER, LOOKED, Divergence, Split, both_after, diverge

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...model.machine.core import Expr
    from ..engine.program import Program
    from ..search.labels import Label
    from ..search.playouts import Plays

GAMES = 300
"""So many random plays are gone through."""
ENOUGH = 8
"""Of so many that are found the shortest is taken."""


def split_where(
    first: Program, second: Program, holds: Expr, *, seed: int, plays: Plays
) -> Divergence | None:
    """Return where two machines part in a situation in which a condition holds, made short.

    It holds where they part, or where the move is made that leads there.  Each move of the plays is
    as likely as any other, also of chance.  None: no play that was gone through has one.

    Raises:
        EndlessRules: if one of them never gets to rest.

    """
    both = SideBySide(first.whole, second.whole)
    if not both.comparable:
        return None
    test = both.first.predicate(holds)
    walks = (_walk(both, test, random.Random(f"{seed}/{number}"), plays.longest)  # noqa: S311
             for number in range(min(GAMES, plays.many)))
    found = list(islice((play for play in walks if play is not None), ENOUGH))
    return _short(both, test, min(found, key=len)) if found else None


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


def _short(
    both: SideBySide, test: Callable[[bytes], bool], play: tuple[Label, ...]
) -> Divergence:
    """Leave out moves as long as the rest shows the same; then go on to what matters more."""
    follow = Follower(both.first), Follower(both.second)
    there = both_after(follow, play)
    assert there is not None
    level = min(both.levels(there))
    more = diverge(both.first, both.second, limit=AFTER, after=play).best
    later = more if more is not None and more.level < level and (
        more.play[:len(play)] == play) else None
    tail = () if later is None else later.play[len(play):]

    def shows(trial: tuple[Label, ...]) -> bool | None:
        if sum(each.looked for each in follow) >= LOOKED:
            return None
        held = [state is not None and test(state)
                for state in (follow[0](trial[:-1]), follow[0](trial))]
        pair = both_after(follow, trial)
        if pair is None or not any(held) or level not in both.levels(pair):
            return None if pair is None else False
        end = both_after(follow, trial + tail)
        return end is not None and (later is None or later.level in both.levels(end))

    play = fewer(play, shows, LOOKED)
    there = both_after(follow, play)
    assert there is not None
    splits = {level: Split(level, play, both.says(there, level))}
    if later is not None:
        splits[later.level] = replace(later, play=play + tail)
    return Divergence(splits, complete=False)
