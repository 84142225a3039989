"""Where a game stands, and what may be done there: two small values that every engine shares.

Both are plain tuples of integers underneath, so they hash, compare and sort alike in every run.
What the integers mean is said by the `Machine` they belong to; see `board` for names.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..sealed import sealed

Arg = int | tuple[int, ...]
"""The value of one parameter: a number, or for a bag one count per card kind."""


@sealed
class State:
    """A node, and a value for each element of each array in the order of the state vector."""

    node: int
    values: tuple[int, ...]


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """An edge (by id) and a value for each of its parameters, in their order.

    Moves of one node are ordered by edge, then by arguments: this is *the* order of moves.
    """

    edge: int
    args: tuple[Arg, ...] = ()


@sealed
class Transition:
    """What a move (or the setup) led to: the next rest, and how it was reached.

    `edges` are in the order in which they were taken, `cites` the clauses in order of first use:
    of each edge its own and then what its body cites.  `notes` are the obligations that failed, in
    order; `broken` the limits (by number) that held before and do not hold now.
    """

    state: State
    edges: tuple[int, ...]
    cites: tuple[str, ...]
    notes: tuple[int, ...]
    broken: tuple[int, ...]
