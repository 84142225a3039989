"""Plays by random seats, many of them: what comes up at a size that cannot be explored.

Each play has its own generator, seeded with the seed and the play's number, so plays can be
repeated one by one and a result depends on nothing else.  All that a sample shows is that something
can happen, and how often it does when everybody plays at random; the interval is Wilson's (1927).
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...model.machine.state import Move
from ...model.run.interp import EndlessRules
from ..generated.generator import FILTERED

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..generated.codegen import Program, Successor


@dataclass(slots=True)
class Sample:
    """What random plays showed: in how many each flag was seen, and the first play with it."""

    plays: int = 0
    finished: int = 0
    moves: int = 0
    flags: dict[int, int] = field(default_factory=dict)
    """Flag bit → number of plays."""
    first: dict[int, tuple[Move, ...]] = field(default_factory=dict)
    """Flag bit → the moves of the first play, up to and with the flag."""
    stuck: int = 0
    edges: set[int] = field(default_factory=set)


def sample(
    program: Program, *, plays: int, longest: int, seed: int,
    progress: Callable[[int], None] | None = None,
) -> Sample:
    """Play at random.

    Args:
        program: the machine.
        plays: how many plays.
        longest: the number of moves after which a play is given up.
        seed: the seed.
        progress: called with the number of plays done.

    """
    made = Sample()
    for number in range(plays):
        _play(program, made, random.Random(f"{seed}/{number}"), longest)  # noqa: S311
        made.plays += 1
        if progress is not None:
            progress(number + 1)
    return made


def _play(program: Program, made: Sample, rng: random.Random, longest: int) -> None:
    state, flags = program.start()
    moves: list[Move] = []
    seen: set[int] = set()
    _look(made, seen, flags, moves)
    for _ in range(longest):
        kind = program.kind(state)
        if kind == "final":
            made.finished += 1
            return
        try:
            picked = pick(program, state, kind, rng)
        except EndlessRules:
            return
        if picked is None:
            made.stuck += 1
            return
        edge, args, after, flags = picked
        moves.append(Move(edge, args))
        made.edges.add(edge)
        made.moves += 1
        _look(made, seen, flags, moves)
        if after is None:
            return
        state = after


def pick(program: Program, state: bytes, kind: str, rng: random.Random) -> Successor | None:
    """Pick a move: by its weight where chance decides, else any legal one."""
    moves = program.succ(state)
    if kind == "chance":
        weights = program.weights(state)
        total = sum(weights)
        if total <= 0:
            return None
        at = rng.randrange(total)
        for move, weight in zip(moves, weights, strict=True):
            at -= weight
            if at < 0:
                return move
    legal = [move for move in moves if not move[3] & FILTERED]
    return legal[rng.randrange(len(legal))] if legal else None


def _look(made: Sample, seen: set[int], flags: int, moves: list[Move]) -> None:
    flags &= ~FILTERED
    bit = 0
    while flags:
        if flags & 1 and bit not in seen:
            seen.add(bit)
            made.flags[bit] = made.flags.get(bit, 0) + 1
            made.first.setdefault(bit, tuple(moves))
        flags >>= 1
        bit += 1


def interval(seen: int, plays: int) -> tuple[float, float]:
    """Give Wilson's 95 % interval of a frequency, rounded to four places."""
    if plays == 0:
        return (0.0, 1.0)
    z = 1.959964
    share = seen / plays
    middle = (share + z * z / (2 * plays)) / (1 + z * z / plays)
    half = z * ((share * (1 - share) + z * z / (4 * plays)) / plays) ** 0.5 / (1 + z * z / plays)
    return (round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4))
