"""What engines tell of a move beside the state that it leads to."""

from __future__ import annotations

from ...model.machine.machine import Machine
from ...model.machine.state import Arg

Successor = tuple[int, tuple[Arg, ...], bytes | None, int]
"""An edge, its arguments, the next rest (None if none is known to follow), and flags."""

FILTERED = 1
"""A limit forbids the move, as another move breaks none."""
ENDLESS = 2
"""The rules that follow the move never come to a rest; what they note on the way is told."""
BEYOND = 4
"""The move meets a bound of the model (a capacity, a depth): what comes of it is not known.  Its
flags tell of nothing else but of which bound, and that no rest follows (`ENDLESS`)."""
FLAGS = 3
"""The number of these; the bits of limits and then of obligations follow."""

WINNER, LEGAL, PUBLIC, HIDDEN, DUTIES = 1, 2, 3, 4, 5
"""The levels at which two machines may differ in a situation, the most important first: who has
won, or whether the game is over or goes round for ever; the legal moves; what all see; what not all
see; which obligations fail and which limits break."""
AT_END = 8
"""A bit on a level: what counts of it where both games are over."""

MOST_CHOICES = 1_000_000
"""How many ways to choose cards are too many."""


def bounds_of(machine: Machine) -> int:
    """Return the flags of the obligations that stand for bounds of the model."""
    first = FLAGS + len(machine.limits)
    return sum(1 << first + place for place, duty in enumerate(machine.obligations)
               if duty.is_bound)


def never_rests(flags: int) -> bool:
    """Return whether the rules go round for ever after a move."""
    return flags & (ENDLESS | BEYOND) == ENDLESS
