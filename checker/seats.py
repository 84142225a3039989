"""Computer seats: who they are, and how they choose.  They know what their seat sees, no more.

A seat is asked with its `Knowledge`, the legal moves, and a generator of random numbers of its own
for this one choice, so that its answer depends on nothing else.

`random` takes any legal move.

`greedy` looks one to two plies ahead.  It makes up a few states that look like what it has seen,
makes each of its moves in each of them, lets chance and the others go on at random until it is to
move again, and takes the move whose outcome it likes best on average.  What it likes is learned
from the rules alone, before the game: in some random plays it looks which of the counts that a
player has (cards in a zone, a number) go with winning, by the slope of a straight line.  Winning is
worth more than all of that.  It does not go back to where it has chosen already, if it need not:
what it did and undoes would be done for ever.  Idea: Monte Carlo sampling of hidden information, as
bridge programs do (Ginsberg 2001), with a linear evaluation.  Limits: it believes that the others
move at random and that what it does not know it never will, so it neither bluffs nor pays for
knowledge.
"""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean, pstdev
from typing import Literal

from ..model.machine.machine import Machine
from ..model.machine.state import Move
from ..model.plays.knowledge import Knowledge, guess, in_places, rows, seen
from ..model.run.interp import won
from .engine.program import Program
from .search.playouts import pick

Kind = Literal["human", "random", "greedy"]
KINDS: tuple[Kind, ...] = ("human", "random", "greedy")

GUESSES = 4
"""The number of states that are made up for a choice."""
AHEAD = 16
"""The most moves that a made-up state is played on."""
WIDEST = 48
"""The most moves that are compared; of more, some are left out at random."""
LESSONS = 60
"""The most random plays that are learned from, and …"""
LESSON_MOVES = 4_000
"""… the most moves in them all together."""
WIN = 1_000.0


@dataclass(frozen=True, slots=True)
class Count:
    """Something that each player has more or less of: elements of the state vector, by seat.

    `places` says that a pile is counted by its places that are not empty, not by a sum.
    """

    cells: tuple[tuple[int, ...], ...]
    places: bool = False

    def of(self, values: Sequence[int], seat: int) -> int:
        """Count for one seat."""
        mine = [values[cell] for cell in self.cells[seat]]
        return sum(value >= 0 for value in mine) if self.places else sum(mine)


@dataclass
class Thinker:
    """What all seats of a game share: the game as a program, and what it pays to have."""

    machine: Machine
    seed: int = 0

    @cached_property
    def program(self) -> Program:
        """The game, compiled when it is first needed."""
        return Program(self.machine)

    @cached_property
    def weights(self) -> tuple[tuple[Count, float], ...]:
        """What it pays to have, learned when it is first needed."""
        return learn(self.program, self.seed)

    def choose(
        self, kind: Kind, known: Knowledge, options: Sequence[Move], rng: random.Random,
        past: Collection[Knowledge] = (),
    ) -> Move:
        """Choose one of the legal moves: `random`, or what is best as far as the seat can see.

        `past` is what it has seen when it chose before.
        """
        if kind == "random":
            return options[rng.randrange(len(options))]
        if len(options) == 1 or known.seat is None:
            return options[0]
        return self._best(known, options, rng, past)

    def _best(
        self, known: Knowledge, options: Sequence[Move], rng: random.Random,
        past: Collection[Knowledge],
    ) -> Move:
        """Find the move with the best average outcome; of equal ones any.

        A move that leads back to where the seat has chosen before is taken if all do.
        """
        seat = known.seat or 0
        if len(options) > WIDEST:
            options = sorted(rng.sample(list(options), WIDEST))
        guesses = [self.program.pack(guess(self.machine, known, rng)) for _ in range(GUESSES)]
        values = [self._value(guesses, move, seat, rng) for move in options]
        tried = sorted({value for value in values if value is not None}, reverse=True)
        for top in tried:
            best = [move for move, value in zip(options, values, strict=True) if value == top
                    and not self._leads_back(guesses[0], move, seat, past)]
            if best:
                return best[rng.randrange(len(best))]
        return options[rng.randrange(len(options))]

    def _leads_back(
        self, packed: bytes, move: Move, seat: int, past: Collection[Knowledge]
    ) -> bool:
        after = self._after(packed, move) if past else None
        return after is not None and seen(self.machine, self.program.unpack(after), seat) in past

    def _value(
        self, guesses: Sequence[bytes], move: Move, seat: int, rng: random.Random
    ) -> float | None:
        """Average the outcome of a move over those guesses in which it is legal."""
        found: list[float] = []
        for packed in guesses:
            after = self._after(packed, move)
            if after is not None:
                found.append(self.judge(self._play_on(after, seat, rng), seat))
        return fmean(found) if found else None

    def _after(self, packed: bytes, move: Move) -> bytes | None:
        row = self.program.taken(packed, move)
        return None if row is None else row[2]

    def _play_on(self, packed: bytes, seat: int, rng: random.Random) -> bytes:
        """Let all go on at random until the seat is to choose between moves again."""
        program = self.program
        for _ in range(AHEAD):
            kind = program.kind(packed)
            if kind == "final" or (program.decider(packed) == seat
                                   and len(program.succ(packed)) > 1):
                break
            picked = pick(program, packed, kind, rng)
            if picked is None or picked[2] is None:
                break
            packed = picked[2]
        return packed

    def judge(self, packed: bytes, seat: int) -> float:
        """Return how much a seat likes a state."""
        program = self.program
        values = program.unpack(packed).values
        total = sum(weight * lead(count, values, seat) for count, weight in self.weights)
        if program.kind(packed) == "final":
            winners = won(self.machine, values)
            total += WIN / len(winners) if seat in winners else -WIN if winners else 0.0
        return total


def lead(count: Count, values: Sequence[int], seat: int) -> float:
    """Return how much more a seat has than the others have on average."""
    mine = [count.of(values, each) for each in range(len(count.cells))]
    others = [n for each, n in enumerate(mine) if each != seat]
    return mine[seat] - fmean(others) if others else 0.0


# ------------------------------------------------------------------------------------ learning


def counts(machine: Machine) -> tuple[Count, ...]:
    """List what the spec declares that each player has a number of."""
    found: dict[str, dict[int, list[int]]] = {}
    places: set[str] = set()
    for row in rows(machine):
        array = row.array
        numeric = array.zone or array.domain.kind == "int"
        if row.owner is None or not array.declared or not numeric or array.name == machine.outcome:
            continue
        cells = found.setdefault(array.name, {}).setdefault(row.owner, [])
        cells += range(row.first, row.first + row.size)
        if in_places(array):
            places.add(array.name)
    return tuple(
        Count(tuple(tuple(cells) for _, cells in sorted(seats.items())), name in places)
        for name, seats in found.items()
        if len(seats) == machine.players > 1
    )


def learn(program: Program, seed: int) -> tuple[tuple[Count, float], ...]:
    """Play at random, and weigh each count by how much more of it the winners had on the way."""
    machine = program.machine
    candidates = counts(machine)
    leads: list[list[float]] = [[] for _ in candidates]
    gains: list[list[float]] = [[] for _ in candidates]
    moves = 0
    for lesson in range(LESSONS):
        rng = random.Random(f"{seed}/lesson/{lesson}")  # noqa: S311
        states, winners = _lesson(program, rng, LESSON_MOVES - moves)
        moves += len(states)
        for values in states[:: max(1, len(states) // 20)]:
            for number, count in enumerate(candidates):
                for seat in range(machine.players):
                    ahead = lead(count, values, seat)
                    leads[number].append(ahead)
                    gains[number].append(ahead if seat in winners else 0.0)
        if moves >= LESSON_MOVES:
            break
    return tuple(
        (count, fmean(gain) / pstdev(ahead) ** 2)
        for count, ahead, gain in zip(candidates, leads, gains, strict=True)
        if any(gain) and pstdev(ahead) > 0
    )


def _lesson(
    program: Program, rng: random.Random, most: int
) -> tuple[list[tuple[int, ...]], tuple[int, ...]]:
    """Play one game at random; no winners if it does not end in time."""
    packed, _ = program.start()
    states: list[tuple[int, ...]] = []
    for _ in range(max(most, 0)):
        kind = program.kind(packed)
        if kind == "final":
            return states, won(program.machine, program.unpack(packed).values)
        picked = pick(program, packed, kind, rng)
        if picked is None or picked[2] is None:
            break
        packed = picked[2]
        states.append(program.unpack(packed).values)
    return states, ()
