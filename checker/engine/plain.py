"""Successors by the reference interpreter, for machines that cannot be compiled, or run, here.

It answers the same questions as `engine.Engine`, some hundred times as slowly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, cast

from ...model.machine.core import Fill, For, If, Stmt, Store
from ...model.machine.state import Move, State
from ...model.run.interp import EndlessRules, Interpreter, Transition
from ...model.run.watched import WatchedFill, WatchedStore
from ..packed.flags import (
    BEYOND,
    ENDLESS,
    FILTERED,
    FLAGS,
    MOST_CHOICES,
    Successor,
    TooManyChoicesError,
    bounds_of,
)

if TYPE_CHECKING:
    from ...model.machine.core import Expr
    from ...model.machine.machine import Edge, Machine
    from ..packed.coverage import Marks, Path, StmtId
    from ..packed.packing import Layout

    Stored = set[tuple[StmtId, bool]]


class Plain:
    """A machine that is interpreted; see `Engine` for what the methods answer."""

    def __init__(self, machine: Machine, layout: Layout, marks: Marks | None = None) -> None:
        self.machine, self.layout, self.marks = machine, layout, marks
        self.judge = Interpreter(machine) if marks is None else Interpreter(_told(machine), self)
        self.remarks: list[tuple[int, int]] = []
        self.record = bytearray(0 if marks is None else marks.size)
        self._stored: Stored = set()
        """The statements that ran in the step under way, and whether they changed something."""
        duties = enumerate(machine.obligations, FLAGS + len(machine.limits))
        self._bounds = bounds_of(machine)
        self._bits = {duty.id: 1 << place for place, duty in duties}

    def start(self) -> tuple[bytes | None, int]:
        """Set the game up: the first rest (None if there is none), and flags."""
        self._stored = set()
        try:
            step = self.judge.start()
        except EndlessRules as error:
            self._cover(error, self._stored)
            return None, ENDLESS | self._noted(error.notes)
        self._cover(step, self._stored)
        return self.layout.pack(step.state), self._flags(step)

    def succ(self, packed: bytes) -> list[Successor]:
        """List all moves in order, also those that a limit forbids (see the flags)."""
        return [row for row, _, _ in self._moves(packed)]

    def lean(self, packed: bytes) -> list[bytes]:
        """List the legal next states; add to `remarks` and to `record`."""
        kept: list[bytes] = []
        for (edge, _, after, flags), step, stored in self._moves(packed):
            if not flags & FILTERED:
                self._cover(step, stored)
            if after is None:
                self.remarks.append((-1 - edge, flags))
            elif not flags & FILTERED:
                if flags:
                    self.remarks.append((len(kept), flags))
                kept.append(after)
        return kept

    def cover(self, packed: bytes, place: int) -> None:
        """Add to `record` what the move at a place, in the order of `succ`, covers."""
        _, step, stored = self._moves(packed)[place]
        self._cover(step, stored)

    def weights(self, packed: bytes) -> list[int]:
        """List the weights of what chance may do, in the order of `succ`."""
        state = self.layout.unpack(packed)
        return [self.judge.weight(state, Move(edge, args)) for edge, args, _, _ in
                self.succ(packed)]

    def value(self, expr: Expr, packed: bytes) -> int:
        """Return the value of an expression in a packed state."""
        return self.judge.evaluate(self.layout.unpack(packed), expr)

    # ------------------------------------------------------------------------------ moves

    def _moves(self, packed: bytes) -> list[tuple[Successor, Transition | EndlessRules, Stored]]:
        state = self.layout.unpack(packed)
        chance = self.judge.nodes[state.node].kind == "chance"
        found: list[tuple[Successor, Transition | EndlessRules, Stored]] = []
        for move in self._enabled(state, chance=chance):
            self._stored = set()
            try:
                step = self.judge.take(state, move)
            except EndlessRules as error:
                flags = self._cut(ENDLESS | self._noted(error.notes))
                found.append(((move.edge, move.args, None, flags), error, self._stored))
                continue
            flags = self._cut(self._flags(step))
            after = None if flags & BEYOND else self.layout.pack(step.state)
            found.append(((move.edge, move.args, after, flags), step, self._stored))
        free = any(row[2] is None or not (isinstance(step, Transition) and step.broken)
                   for row, step, _ in found)
        if chance or not free:
            return found
        return [((*row[:3], row[3] | FILTERED), step, stored)
                if row[2] is not None and isinstance(step, Transition) and step.broken
                else (row, step, stored)
                for row, step, stored in found]

    def _enabled(self, state: State, *, chance: bool) -> Iterator[Move]:
        """Yield the moves whose conditions hold, also those that break a limit."""
        node = self.judge.nodes[state.node]
        edges = () if node.kind in ("rules", "final") else node.edges
        for edge in sorted(edges, key=lambda edge: edge.id):
            for number, args in enumerate(self.judge.arguments(state, edge)):
                if number >= MOST_CHOICES:
                    raise TooManyChoicesError(f"more than {MOST_CHOICES} ways to choose cards")
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

    def compared(self, site: int, difference: int, holds: bool) -> bool:  # noqa: ARG002, FBT001
        """Let a comparison stand; see `watched.Listener`."""
        return holds

    def bounded(self, site: int, beyond: int) -> bool:  # noqa: ARG002
        """Let a bound stand."""
        return True

    def stored(self, effect: object, changed: bool) -> None:  # noqa: FBT001
        """Note that a statement has run, and whether it has changed something."""
        self._stored.add((cast("StmtId", effect), changed))

    def _cover(self, step: Transition | EndlessRules, stored: Stored) -> None:
        """Record what a step used, also one that never ends."""
        if self.marks is None:
            return
        for clause in step.cites:
            self.record[self.marks.clauses[clause]] = 1
        for edge in step.edges:
            self.record[self.marks.edges[edge]] = 1
        for stmt, changed in stored:
            self.record[self.marks.run[stmt]] = 1
            if changed:
                self.record[self.marks.changed[stmt]] = 1


def _told(machine: Machine) -> Machine:
    """Return the machine with statements that tell of themselves, by their `StmtId`."""
    def edge(one: Edge) -> Edge:
        return replace(one, body=_body(one.id, one.body, ()))

    return replace(machine, nodes=tuple(
        replace(node, edges=tuple(map(edge, node.edges))) for node in machine.nodes))


def _body(edge: int, body: Sequence[Stmt], above: Path) -> tuple[Stmt, ...]:
    return tuple(_stmt(edge, stmt, (*above, i)) for i, stmt in enumerate(body))


def _stmt(edge: int, stmt: Stmt, path: Path) -> Stmt:
    match stmt:
        case Store(array, index, value):
            return WatchedStore(array, index, value, (edge, path))
        case Fill(array, prefix, var, size, value):
            return WatchedFill(array, prefix, var, size, value, (edge, path))
        case If(test, then, other):
            return If(test, _body(edge, then, (*path, 0)), _body(edge, other, (*path, 1)))
        case For(var, size, body):
            return For(var, size, _body(edge, body, (*path, 0)))
        case _:
            return stmt
