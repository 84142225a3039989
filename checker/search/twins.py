"""The same game played twice: once under each reading, with the same random decisions.

Every decision has a random number of its own, drawn from the seed, the number of the play, the name
of the point at which it is made and how often the play has come to that point.  Where two readings
offer the same moves the same number picks the same one (of chance: the same outcome), so what
differs between twin plays comes from the readings and not from luck; the variance is less than with
plays of their own ("common random numbers", Hammersley, Handscomb, 1964).  Once the moves on offer
differ, so may all that follows: a twin is an example of how the game can go, not the least change.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...model.run.interp import EndlessRules
from ..engine.program import Program
from ..packed.flags import FILTERED
from .labels import Labels, plain

if TYPE_CHECKING:
    from ..packed.flags import Successor
    from .labels import Label
    from .workbench import Instance


@dataclass(frozen=True, slots=True)
class Course:
    """How a play went: per decision the number of moves on offer and the one made, and who won.

    `winners` are seats; None if the play did not end within its length.
    """

    steps: tuple[tuple[int, Label], ...]
    winners: bytes | None


def whole(instance: Instance) -> Program:
    """Return the program of an instance in which nobody's order is left out."""
    machine = instance.compiled.machine
    if instance.program.machine is machine:
        return instance.program
    return Program(machine)


def courses(program: Program, *, plays: int, longest: int, seed: int) -> tuple[Course, ...]:
    """Play at random; a play depends on the seed and its number only.

    Args:
        program: the machine.
        plays: how many plays.
        longest: the number of moves after which a play is given up.
        seed: the seed.

    """
    labels = Labels(program)
    named = {node.id: plain(node.name) for node in program.machine.nodes}
    names = [named[node] for node in program.layout.rests]
    return tuple(_play(labels, names, f"{seed}/{number}", longest) for number in range(plays))


def _play(labels: Labels, names: list[str], key: str, longest: int) -> Course:
    program = labels.program
    state, _ = program.start()
    steps: list[tuple[int, Label]] = []
    visits: dict[str, int] = {}
    for _ in range(longest):
        kind = program.kind(state)
        if kind == "final":
            return Course(tuple(steps), labels.winners(state))
        name = names[program.rank(state)]
        visits[name] = visits.get(name, 0) + 1
        number = random.Random(f"{key}/{name}/{visits[name]}").random()  # noqa: S311
        try:
            moves = program.succ(state)
        except EndlessRules:
            break
        if kind == "chance":
            weights = program.weights(state)
        else:
            moves = [move for move in moves if not move[3] & FILTERED]
            weights = [1] * len(moves)
        picked = _at(number * sum(weights), moves, weights)
        if picked is None:
            break
        steps.append((len(moves), labels.of(picked)))
        if picked[2] is None:
            break
        state = picked[2]
    return Course(tuple(steps), None)


def _at(place: float, moves: list[Successor], weights: list[int]) -> Successor | None:
    """Return the move at a place among the weights laid end to end."""
    for move, weight in zip(moves, weights, strict=True):
        place -= weight
        if place < 0:
            return move
    return None


def compared(mine: tuple[Course, ...], theirs: tuple[Course, ...]) -> tuple[int, int]:
    """Count the twins that go differently, and those of them that end with another winner.

    Twins go differently if somewhere another number of moves is on offer, another move is made, or
    the end is another one.  Another winner is counted only where both plays came to an end.
    """
    parted = sum(a != b for a, b in zip(mine, theirs, strict=True))
    decided = sum(a.winners != b.winners for a, b in zip(mine, theirs, strict=True)
                  if a.winners is not None and b.winners is not None)
    return parted, decided
