"""Random plays in which a situation comes again.

A game that is too large to be searched for loops is played at random, by players who make no other
moves than those of a loop that a small one has.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...model.machine.state import Arg, Move
from ..drivers.draws import Draws
from ..engine.program import Program
from ..packed.flags import BEYOND, FILTERED
from .labels import edge_labels
from .playouts import pick

ROUNDS = 12
"""Plays in which a situation that comes again is sought."""


def round_in_play(
    program: Program, kept: frozenset[tuple[str, str, Arg]], *, kind: str, longest: int, seed: int
) -> tuple[tuple[Move, ...], int] | None:
    """Seek a situation that comes again in random plays, given up after `longest` moves.

    Players make the moves of `kept`, what they are called and how many things they choose
    (`chosen`), as long as one is legal; else moves that choose other numbers, or any.  On a loop of
    `kind` `free` no more than one player may decide on the way round, of `alone` no more than one
    choose between moves.  Return the shortest of the plays, up to where the situation comes again,
    and after how many of its moves it was there; None if there is none.
    """
    labels, who = edge_labels(program.machine), program.decider
    names = {label[:2] for label in kept}
    found: list[tuple[tuple[Move, ...], int]] = []
    for number in range(ROUNDS):
        draws, (state, _) = Draws(seed, number), program.start()
        play, first, seats = list[Move](), {state: 0}, [who(state)]
        while len(play) < longest:
            at = program.kind(state)
            able = [row for row in program.succ(state) if at == "decide" and not row[3] & FILTERED]
            legal = [row for row in able if labels[row[0]] in names]
            mine = [row for row in legal if (*labels[row[0]], chosen(row[1])) in kept] or legal
            if kind == "alone" and len(able) == 1:
                seats[-1] = None
            row = mine[draws.randrange(len(mine))] if mine else pick(program, state, at, draws)
            if row is None or row[2] is None or row[3] & BEYOND:
                break
            state = row[2]
            play.append(Move(row[0], row[1]))
            begun = first.setdefault(state, len(play))
            deciding = set(seats[begun:]) - {None}
            if deciding and (len(deciding) == 1 or kind == "optional"):
                found.append((tuple(play), begun))
                break
            seats.append(who(state))
    return min(found, key=lambda each: len(each[0]), default=None)


def chosen(args: Sequence[Arg]) -> tuple[int, ...]:
    """Return how many things each argument chooses of several; what they are depends on a size."""
    return tuple(sum(arg) for arg in args if isinstance(arg, tuple))
