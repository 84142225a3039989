"""The table turned by one seat: what was the first player's becomes the second one's, and so on.

A game treats its seats alike if turning a state and then moving gives the same as moving and then
turning (cf. Ip, Dill, "Better verification through symmetry", 1996), and if a set-up is as likely
with the table turned.  Then each seat wins as often as any other, whatever the readings, and a
difference between two of them is luck.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product

from ...model.machine.machine import Domain, Machine, Param
from ...model.machine.state import Arg, Move, State
from ..drivers.draws import Draws
from ..engine.program import Program
from ..packed.flags import FILTERED
from ..search.labels import Labels
from ..search.playouts import pick, sure

Ways = dict[tuple[int, tuple[Arg, ...]], tuple[bytes, Fraction, int | None]]
"""Moves, with what is declared of what they lead to, how likely they are, who decides next."""

SET_UPS, LONGEST = 200, 60
"""Set-ups that are compared; moves of a random play that are looked at."""
PLAYS, STATES = 40, 300
"""Random plays that are looked at, as many as have so many states, or all."""


class Turned:
    """One machine, and the same with the table turned."""

    def __init__(self, program: Program) -> None:
        self.program, self.labels = program, Labels(program)
        self.machine = program.machine
        self.params = {edge.id: edge.params for node in self.machine.nodes for edge in node.edges}
        self.places = places_turned(self.machine)
        self.players = [place for place, array in enumerate(
            array for array in self.machine.arrays for _ in range(array.size))
            if array.domain.kind == "player"]

    def turn(self, packed: bytes) -> bytes:
        """Turn a state."""
        state = self.program.unpack(packed)
        turned = [state.values[place] for place in self.places]
        for place in self.players:
            if turned[place] >= 0:
                turned[place] = (turned[place] + 1) % self.machine.players
        return self.program.pack(State(state.node, tuple(turned)))

    def both_sides(self, packed: bytes) -> tuple[Ways, Ways]:
        """Return the moves of a state, turned with what they lead to, and those of it turned.

        With each is told how likely it is, if it is one of chance, and who decides next, whose seat
        is turned, too.
        """
        mine: Ways = {}
        for move, after, share in self._ways(packed):
            moved = turn_move(self.machine, self.params[move.edge], move)
            mine[moved.edge, moved.args] = (
                self.labels.declared(self.turn(after)), share, self._next(self.labels.asks(after)))
        return mine, {
            (move.edge, move.args): (self.labels.declared(after), share, self.labels.asks(after))
            for move, after, share in self._ways(self.turn(packed))}

    def _next(self, who: int | None) -> int | None:
        """Turn whoever decides; anybody, and nobody, stay."""
        return who if who is None or who < 0 else (who + 1) % self.machine.players

    def _ways(self, packed: bytes) -> Iterator[tuple[Move, bytes, Fraction]]:
        """Yield the legal moves with what they lead to, and how likely they are."""
        rows = self.program.succ(packed)
        chance = self.program.kind(packed) == "chance"
        weights = self.program.weights(packed) if chance else [1] * len(rows)
        total = sum(weights) if chance else 1
        for (edge, args, after, flags), weight in zip(rows, weights, strict=True):
            if not flags & FILTERED and after is not None:
                yield Move(edge, args), after, Fraction(weight, total)

    def set_up(self, draws: Draws) -> bytes:
        """Set the game up at random: return the first situation in which chance does not decide."""
        state = self.program.start()[0]
        for _ in range(LONGEST):
            row = pick(self.program, state, "chance", draws) if (
                self.program.kind(state) == "chance") else None
            if row is None or row[2] is None:
                break
            state = row[2]
        return state

    def dealt_alike(self, states: Sequence[bytes]) -> bool:
        """Return whether some set-ups deal to the seats alike.

        What a seat has, which seat something is, and which one decides, must be as frequent with
        the table turned.
        """
        told = [array.declared for array in self.machine.arrays for _ in range(array.size)]
        here, there = (Counter[tuple[int, int | None]](
            (place, value) for state in some
            for place, (value, tells) in enumerate(
                zip(self.program.unpack(state).values, told, strict=True)) if tells)
            for some in (states, [self.turn(state) for state in states]))
        for state in states:
            who = self.labels.asks(state)
            here[-1, who] += 1
            there[-1, self._next(who)] += 1
        cells = here.keys() | there.keys()
        errors = sure(len(cells))
        return all(abs(here[cell] - there[cell]) <= errors * (here[cell] + there[cell]) ** 0.5
                   for cell in cells)

    def moves_alike(self, states: Sequence[bytes], draws: Sequence[Draws]) -> bool:
        """Return whether seats are alike in the states of random plays from some states on."""
        seen: set[bytes] = set()
        for first, each in zip(states, draws, strict=True):
            state = first
            for _ in range(LONGEST):
                if len(seen) >= STATES:
                    return True
                if state not in seen:
                    seen.add(state)
                    mine, theirs = self.both_sides(state)
                    if mine != theirs:
                        return False
                row = pick(self.program, state, self.program.kind(state), each)
                if row is None or row[2] is None:
                    break
                state = row[2]
        return True


@lru_cache(maxsize=8)
def seats_alike(program: Program, *, seed: int) -> bool:
    """Return whether a game treats all seats alike, the set-up too, as far as random plays show."""
    table = Turned(program.whole)
    draws = [Draws(seed, number) for number in range(SET_UPS)]
    states = [table.set_up(each) for each in draws]
    return table.dealt_alike(states) and table.moves_alike(states[:PLAYS], draws[:PLAYS])


def turn_value(machine: Machine, domain: Domain, value: int) -> int:
    """Turn a value: a player becomes the next one."""
    if domain.kind == "player" and value >= 0:
        return (value + 1) % machine.players
    return value


def turn_move(machine: Machine, params: tuple[Param, ...], move: Move) -> Move:
    """Turn a move's arguments."""
    args = tuple(
        arg if isinstance(arg, tuple) else turn_value(machine, param.domain, arg)
        for param, arg in zip(params, move.args, strict=True))
    return Move(move.edge, args)


def places_turned(machine: Machine) -> tuple[int, ...]:
    """Return, for each value of a state, at which place of it stands what the turn brings there."""
    made: list[int] = []
    for array in machine.arrays:
        begin, cells = len(made), [*product(*map(range, array.dims))]
        number = {cell: place for place, cell in enumerate(cells)}
        seats = [axis < len(array.axes) and array.axes[axis].kind == "player"
                 for axis in range(len(array.dims))]
        made += [begin + number[tuple(
            (at - 1) % machine.players if seat else at
            for at, seat in zip(cell, seats, strict=True))] for cell in cells]
    return tuple(made)
