"""The same game played twice: once under each reading, with the same random decisions.

Every decision has a random number of its own, mixed from the seed, the number of the play, the name
of the point at which it is made and how often the play has come to that point.  Where two readings
offer the same moves the same number picks the same one (of chance: the same outcome), so what
differs between twin plays comes from the readings and not from luck; the variance is less than with
plays of their own ("common random numbers", Hammersley, Handscomb, 1964).  Once the moves on offer
differ, so may all that follows: a twin is an example of how the game can go, not the least change.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .lockstep import SideBySide

if TYPE_CHECKING:
    from ..engine.pairs import Twins
    from ..engine.program import Program


def twins(
    first: Program, second: Program, *, plays: int, longest: int, seed: int
) -> Twins:
    """Count the twins that go differently, those that end with another winner, and who wins.

    Twins go differently if somewhere another number of moves is on offer, another move is made, or
    the end is another one.  Another winner is counted only where both plays came to an end.

    Args:
        first: the machine under one reading.
        second: the machine under the other one.
        plays: how many plays under each.
        longest: the number of moves after which a play is given up.
        seed: the seed.

    Raises:
        EndlessRules: if one of them never gets to rest.

    """
    both = SideBySide(first.whole, second.whole)
    both.start()
    return both.pairs.twins(seed=seed, plays=plays, longest=longest)
