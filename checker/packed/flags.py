"""What engines tell of a move beside the state that it leads to."""

from __future__ import annotations

from ...model.machine.state import Arg

Successor = tuple[int, tuple[Arg, ...], bytes | None, int]
"""An edge, its arguments, the next rest (None if the rules never rest), and flags."""

FILTERED = 1
"""A limit forbids the move, as another move breaks none."""
ENDLESS = 2
"""The rules that follow the move never come to a rest; what they note on the way is told."""
FLAGS = 2
"""The number of these two; the bits of limits and then of obligations follow."""

WINNER, LEGAL, PUBLIC, HIDDEN, DUTIES = 1, 2, 3, 4, 5
"""The levels at which two machines may differ in a situation, the most important first: who has
won, or whether the game is over or goes round for ever; the legal moves; what all see; what not all
see; which obligations fail and which limits break."""

MOST_CHOICES = 1_000_000
"""How many ways to choose cards are too many."""


class TooManyChoicesError(RuntimeError):
    """A bag parameter has more values than can be listed."""
