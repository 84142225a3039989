"""Successors by the reference interpreter, for machines that cannot be compiled, or run, here.

It answers the same questions as `engine.Engine`, some hundred times as slowly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model.machine.core import Expr
from ...model.machine.machine import Machine
from ...model.machine.state import Move, State, Transition
from ...model.run.interp import EndlessRules, Interpreter
from ...model.source.errors import TooManyChoicesError
from ..packed.coverage import Marks
from ..packed.flags import (
    BEYOND,
    ENDLESS,
    FILTERED,
    FLAGS,
    MOST_CHOICES,
    Successor,
    bounds_of,
)
from ..packed.packing import Layout


class Plain:
    """A machine that is interpreted; see `Engine` for what the methods answer."""

    def __init__(self, machine: Machine, layout: Layout, marks: Marks | None = None) -> None:
        self.layout, self.marks = layout, marks
        self.judge = Interpreter(machine)
        self.record = bytearray(0 if marks is None else marks.size)
        duties = enumerate(machine.obligations, FLAGS + len(machine.limits))
        self._bounds = bounds_of(machine)
        self._bits = {duty.id: 1 << place for place, duty in duties}

    def start(self) -> tuple[bytes | None, int]:
        """Set the game up: the first rest (None if there is none), and flags."""
        try:
            step = self.judge.start()
        except EndlessRules as error:
            self._cover(error)
            return None, ENDLESS | self._noted(error.notes)
        self._cover(step)
        return self.layout.pack(step.state), self._flags(step)

    def succ(self, packed: bytes) -> list[Successor]:
        """List all moves in order, as `Engine.succ`; record what the legal ones cover."""
        found = self._moves(packed)
        for row, step in found:
            if not row[3] & FILTERED:
                self._cover(step)
        return [row for row, _ in found]

    def cover(self, packed: bytes, place: int) -> None:
        """Add to `record` what the move at a place, in the order of `succ`, covers."""
        _, step = self._moves(packed)[place]
        self._cover(step)

    def weights(self, packed: bytes) -> list[int]:
        """List the weights of what chance may do, in the order of `succ`."""
        state = self.layout.unpack(packed)
        return [self.judge.weight(state, Move(edge, args)) for edge, args, _, _ in
                self.succ(packed)]

    def value(self, expr: Expr, packed: bytes) -> int:
        """Return the value of an expression in a packed state."""
        return self.judge.evaluate(self.layout.unpack(packed), expr)

    # ------------------------------------------------------------------------------ moves

    def _moves(self, packed: bytes) -> list[tuple[Successor, Transition | EndlessRules]]:
        state = self.layout.unpack(packed)
        chance = self.judge.nodes[state.node].kind == "chance"
        found: list[tuple[Successor, Transition | EndlessRules]] = []
        for move in self._enabled(state, chance=chance):
            try:
                step = self.judge.take(state, move)
            except EndlessRules as error:
                flags = self._cut(ENDLESS | self._noted(error.notes))
                found.append(((move.edge, move.args, None, flags), error))
                continue
            flags = self._cut(self._flags(step))
            after = None if flags & BEYOND else self.layout.pack(step.state)
            found.append(((move.edge, move.args, after, flags), step))
        free = any(row[2] is None or not (isinstance(step, Transition) and step.broken)
                   for row, step in found)
        if chance or not free:
            return found
        return [((*row[:3], row[3] | FILTERED), step)
                if row[2] is not None and isinstance(step, Transition) and step.broken
                else (row, step) for row, step in found]

    def _enabled(self, state: State, *, chance: bool) -> Iterator[Move]:
        """Yield the moves whose conditions hold, also those that break a limit."""
        node = self.judge.nodes[state.node]
        edges = () if node.kind in ("rules", "final") else node.edges
        for edge in sorted(edges, key=lambda edge: edge.id):
            for number, args in enumerate(self.judge.arguments(state, edge)):
                if number >= MOST_CHOICES:
                    raise TooManyChoicesError(MOST_CHOICES)
                move = Move(edge.id, args)
                if not self.judge.failing(state, edge, args) and not (
                    chance and self.judge.weight(state, move) <= 0
                ):
                    yield move

    def _cut(self, flags: int) -> int:
        """Return the flags of a move, which tell only of bounds of the model if it meets one."""
        met = flags & self._bounds
        return met | ENDLESS | BEYOND if met else flags

    def _noted(self, notes: Sequence[int]) -> int:
        return sum(self._bits[each] for each in set(notes))

    def _flags(self, step: Transition) -> int:
        broken = sum(1 << FLAGS + limit for limit in step.broken)
        return broken | self._noted(step.notes)

    # --------------------------------------------------------------------------- coverage

    def _cover(self, step: Transition | EndlessRules) -> None:
        """Record what a step used, also one that never ends."""
        if self.marks is None:
            return
        for clause in step.cites:
            self.record[self.marks.clauses[clause]] = 1
        for edge in step.edges:
            self.record[self.marks.edges[edge]] = 1
