"""Shorter plays: without the passes that only the one order of the players asks for.

Where one order stands for all (`model/orders/responders`), a player who acts must wait for the
others to pass, and the play to a situation is longer than it need be.  A pass is left out if the
rest of the play leads to the same without it, in the game as it is.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ...model.machine.state import Move
from ...model.planning.opening import WHO_IS_NEXT
from ..engine.program import Program
from .labels import Label, Labels

T = TypeVar("T")


def shorten(
    play: tuple[Label, ...], program: Program, holds: Callable[[tuple[Label, ...]], bool]
) -> tuple[Label, ...]:
    """Leave out passes of windows in one order, the last first, as long as the rest `holds`."""
    names = tuple(f"{name}{WHO_IS_NEXT}: " for name in program.one_order)
    if not names or len(play) < 3:
        return play
    labels = Labels(program)
    passes = {labels.edges[edge] for edge in program.passes}
    for place in range(len(play) - 3, -1, -1):
        asked, answer = play[place], play[place + 1:place + 2]
        if not answer or asked[0] != "open" or not any(name in asked[1] for name in names):
            continue
        trial = (*play[:place], *play[place + 2:])
        if answer[0][:2] in passes and holds(trial):
            play = trial
    return play


def fewer(play: tuple[T, ...], shows: Callable[[tuple[T, ...]], bool | None], tries: int
          ) -> tuple[T, ...]:
    """Leave out moves of a play as long as what is left `shows` the same (delta debugging).

    `shows` returns None for a play that cannot be made, which costs no try.
    """
    size = max(1, len(play) // 2)
    while tries > 0:
        shorter = False
        for first in range(max(0, len(play) - size), -1, -size):
            trial = (*play[:first], *play[first + size:])
            found = shows(trial) if len(trial) < len(play) and tries > 0 else None
            tries -= found is not None
            if found:
                play, shorter = trial, True
        if size == 1 and not shorter:
            break
        size = max(1, size // 2)
    return play


def in_common(one: tuple[T, ...], two: tuple[T, ...]) -> int:
    """Return with how many moves two plays begin alike."""
    alike = (mine == theirs for mine, theirs in zip(one, two, strict=False))
    return next((i for i, same in enumerate(alike) if not same), min(len(one), len(two)))


class Follower:
    """Follows plays of one program; what a play shares with the one before is not played again.

    `find` gives the state that a legal move leads to, None if it is not legal; else moves are
    labels.
    """

    def __init__(
        self, program: Program, find: Callable[[bytes, T], bytes | None] | None = None
    ) -> None:
        self._find: Callable[[bytes, Any], bytes | None] = find or Labels(program).find
        self._asks = program.decider
        self.looked = 0
        """In how many situations a move was looked for."""
        self._play: tuple[object, ...] = ()
        self._states = [program.start()[0]]

    def deciders(self) -> list[int | None]:
        """Return who made each move of the last play."""
        return [self._asks(state) for state in self._states[:-1]]

    def __call__(self, play: tuple[object, ...]) -> bytes | None:
        """Return the state that moves lead to; None if one of them is not legal."""
        kept = in_common(self._play, play)
        self._play = play
        del self._states[kept + 1 :]
        for at, move in enumerate(play[kept:], kept):
            self.looked += 1
            state = self._find(self._states[-1], move)
            if state is None:
                self._play = play[:at]
                return None
            self._states.append(state)
        return self._states[-1]


def reached(program: Program, moves: tuple[Move, ...]) -> bytes:
    """Return the state that legal moves lead to."""
    state = program.start()[0]
    for move in moves:
        found = program.taken(state, move)
        assert found is not None
        assert found[2] is not None
        state = found[2]
    return state


def shorter(program: Program, moves: tuple[Move, ...], end: bytes) -> tuple[Move, ...]:
    """Leave out passes from the moves to a state of a program."""
    if not program.one_order:
        return moves
    labels = Labels(program)
    long = tuple(map(labels.of_move, moves))
    follow = Follower(program.whole)
    short = shorten(long, program, lambda trial: follow(trial) == end)
    if len(short) == len(long):
        return moves
    whole, state, made = Labels(program.whole), program.whole.start()[0], list[Move]()
    for label in short:
        found = whole.legal(state)[label]
        assert found[2] is not None
        made.append(Move(found[0], found[1]))
        state = found[2]
    return tuple(made)
