"""The same game played twice: once under each reading, with the same random decisions.

Every decision has a random number of its own, mixed from the seed, the number of the play, the name
of the point at which it is made and how often the play has come to that point.  Where two readings
offer the same moves the same number picks the same one (of chance: the same outcome), so what
differs between twin plays comes from the readings and not from luck; the variance is less than with
plays of their own ("common random numbers", Hammersley, Handscomb, 1964).

Twins are in step as long as the same one decides, among as many moves, and makes the same one.  A
move that is the only one, as a pass of somebody who holds nothing that could be played, is no
decision and not looked at; nor is who is next where no rule says so, for it shows who is.  Once
they part, all that follows may differ by luck, the winner with it: two games that have nothing to
do with each other have another winner more often than not.  So two things are counted, of which
luck is no part:

* the twins of which the same moves end one, at least, and that have another winner;
* how often somebody wins who is told before the twins part: a seat, and whoever decides at that
  point.  Who it is was known before what follows was drawn, so luck is the same for them in both,
  and the expectation of the difference is what the readings do for them.
"""

from __future__ import annotations

from ..engine.pairs import Twins
from ..engine.program import Program
from .lockstep import SideBySide


def twins(first: Program, second: Program, *, plays: int, longest: int, seed: int) -> Twins:
    """Count the twins that part, those that the same moves end otherwise, and who wins.

    Twins also part if one of them is over or at a loss for a move, and the other one goes on.  Who
    decides there is told under each reading; where nobody does under one, who does under the other,
    else who did last.  A play that does not come to an end has no winner, and has not nobody.  It
    is given up after `longest` moves.

    Raises:
        EndlessRules: if one of them never gets to rest.

    """
    both = SideBySide(first.whole, second.whole)
    both.start()
    return both.pairs.twins(seed=seed, plays=plays, longest=longest)
