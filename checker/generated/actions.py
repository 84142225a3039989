"""Statements of the core as lines of Python that change a packed state in place.

The buffer is a bytearray `t`.  Elements whose value is known (a constant just stored, a value read
before) are not read again; rows are written as slices; loops over few values are written out.
With `cover` every statement also leaves a mark in the bytearray `X` when it is run, and when it
changes something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from ...model.machine.core import Cite, Const, Expr, Fill, For, If, Let, Load, Note, Stmt, Store
from ...model.machine.traversal import (
    arrays_read,
    directly,
    statements,
    unrolled_code,
    within,
    writes,
)
from .formulas import Formulas, place_of
from .packing import Slot
from .pieces import ADD, BITOR, Piece, add, literal
from .scope import Place, Scope

StmtId = tuple[int, tuple[int, ...]]
"""A Store or Fill: its edge, and its path.  A path is a position in the edge's body; inside an `If`
it goes on with 0 (`then`) or 1 (`other`) and a position, inside a `For` with 0 and a position."""


@dataclass(slots=True)
class Marks:
    """The places in the coverage record: for clauses, edges, and statements run and effective."""

    clauses: Mapping[str, int]
    edges: Mapping[int, int]
    run: Mapping[StmtId, int]
    changed: Mapping[StmtId, int]

    @property
    def size(self) -> int:
        """The length of the record."""
        return len(self.clauses) + len(self.edges) + len(self.run) + len(self.changed)


@dataclass(slots=True)
class Lines:
    """Lines of code, with an indent."""

    text: list[str] = field(default_factory=list)
    depth: int = 1

    def add(self, line: str) -> None:
        """Write a line."""
        self.text.append("    " * self.depth + line)

    def block(self, head: str) -> None:
        """Open a block."""
        self.add(head)
        self.depth += 1

    def close(self, since: int) -> None:
        """Close a block; `since` is the number of lines that there were when it had been opened."""
        if len(self.text) == since:
            self.add("pass")
        self.depth -= 1


@dataclass(slots=True)
class Actions:
    """Writes statements."""

    formulas: Formulas
    notes: Mapping[int, int]
    marks: Marks | None
    lines: Lines

    def body(self, body: Sequence[Stmt], scope: Scope, path: tuple[int, tuple[int, ...]]) -> Scope:
        """Write statements; give back what is known about elements after them."""
        edge, above = path
        scope = self.read(asked(body), scope)
        for i, stmt in enumerate(body):
            here = (edge, (*above, i))
            match stmt:
                case Let():
                    scope = scope.bind(stmt.name, self.name(self.formulas.piece(stmt.value, scope)))
                case Store():
                    scope = self._store(stmt, scope, here)
                case Fill():
                    scope = self._fill(stmt, scope, here)
                case If():
                    scope = self._if(stmt, scope, here)
                case For():
                    scope = self._for(stmt, scope, here)
                case Note():
                    self.lines.add(f"N[0] |= {self.notes[stmt.obligation]}")
                case Cite():
                    self.mark_clauses([stmt.clause])
                case _:
                    assert_never(stmt)
        return scope

    def mark_clauses(self, clauses: Sequence[str]) -> None:
        """Record that clauses are applied."""
        if self.marks is not None:
            for clause in dict.fromkeys(clauses):
                self.lines.add(f"X[{self.marks.clauses[clause]}] = 1")

    def mark_edge(self, edge: int) -> None:
        """Record that an edge is taken."""
        if self.marks is not None:
            self.lines.add(f"X[{self.marks.edges[edge]}] = 1")

    def name(self, value: Piece) -> Piece:
        """Put a value into a variable, if it is not in one already."""
        if value.simple:
            return value
        name = self.formulas.temps.name("v")
        self.lines.add(f"{name} = {value.text}")
        return Piece(name, value.low, value.high)

    def read(self, exprs: Iterable[Expr], scope: Scope) -> Scope:
        """Put elements into variables that some expressions ask for more than once."""
        asks: dict[Place, int] = {}
        loads: dict[Place, Load] = {}
        for expr in exprs:
            for load in within(expr):
                if isinstance(load, Load) and all(isinstance(i, Const) for i in load.index):
                    place = place_of(load)
                    loads[place] = load
                    asks[place] = asks.get(place, 0) + 1
        for place, load in loads.items():
            if asks[place] > 1:
                value = self.formulas.piece(load, scope)
                if not value.simple:
                    scope = scope.learn(place, self.name(value))
        return scope

    # ----------------------------------------------------------------------------- writing

    def _store(self, stmt: Store, scope: Scope, here: StmtId) -> Scope:
        slot = self.formulas.layout.slots[stmt.array]
        if self.marks is not None:
            self.lines.add(f"X[{self.marks.run[here]}] = 1")
        index = [self.formulas.piece(i, scope) for i in stmt.index]
        found = self.formulas.place(slot, index)
        if found is None:
            return scope
        place, guards = found
        value = self.formulas.piece(stmt.value, scope)
        if not index:
            value = self.name(value)  # a scalar is soon read again
        mark = self.marks.changed[here] if self.marks is not None else None
        depth = self.lines.depth
        for first, index_value, size in guards:
            self.lines.block(f"if {bounds(first, index_value, 0, size - 1)}:")
        value = self._write(slot, place, value, scope, mark)
        self.lines.depth = depth
        scope = scope.forget(frozenset({stmt.array}))
        consts = tuple(i.const for i in index if i.const is not None)
        if not guards and len(consts) == len(index) and value.simple:
            scope = scope.learn((stmt.array, consts), value)
        return scope

    def _write(
        self, slot: Slot, place: Piece, value: Piece, scope: Scope, mark: int | None
    ) -> Piece:
        """Write one element that lies inside; give the value, in a variable if it has one."""
        array = slot.array
        if value.low < array.low or value.high > array.high:
            value = self.name(value)
            inside = bounds(value.text, value, array.low, array.high)
            self.lines.block(f"if not {inside}:")
            self.lines.add("bad()")
            self.lines.depth -= 1
            low, high = max(value.low, array.low), min(value.high, array.high)
            value = Piece(value.text, low, max(low, high))
        if mark is not None:
            value, place = self.name(value), self.name(place)
            old = self.formulas.element(slot, place, scope.buffer)
            self.lines.block(f"if {old.at(BITOR)} != {value.at(BITOR)}:")
            self.lines.add(f"X[{mark}] = 1")
            self.lines.depth -= 1
        raw = add([value], -array.low)
        if slot.width == 1:
            self.lines.add(f"t[{place.text}] = {raw.text}")
        else:
            place = self.name(place)
            end = add([place], slot.width)
            packed = f"{raw.at(ADD)}".join("()") + f".to_bytes({slot.width}, 'little')"
            self.lines.add(f"t[{place.text}:{end.text}] = {packed}")
        return value

    def _fill(self, stmt: Fill, scope: Scope, here: StmtId) -> Scope:
        slot = self.formulas.layout.slots[stmt.array]
        if self.marks is not None:
            self.lines.add(f"X[{self.marks.run[here]}] = 1")
        size = min(stmt.size, slot.array.dims[-1])
        found = self.formulas.place(slot, [self.formulas.piece(i, scope) for i in stmt.prefix])
        if found is None or size == 0:
            return scope
        place, guards = found
        depth = self.lines.depth
        for first, index, bound in guards:
            self.lines.block(f"if {bounds(first, index, 0, bound - 1)}:")
        row = [
            self._cell(slot, self.formulas.piece(stmt.value, scope.bind(stmt.var, literal(i))))
            for i in range(size)
        ]
        place = self.name(place)
        end = add([place], size * slot.width)
        target = f"t[{place.text}:{end.text}]"
        self._write_row(slot, row, target, self.marks.changed[here] if self.marks else None)
        self.lines.depth = depth
        return scope.forget(frozenset({stmt.array}))

    def _cell(self, slot: Slot, value: Piece) -> Piece:
        """Check one value of a row, and bring it into packed form."""
        array = slot.array
        if value.low < array.low or value.high > array.high:
            text = f"within({value.text}, {array.low}, {array.high})"
            low, high = max(value.low, array.low), min(value.high, array.high)
            value = Piece(text, low, high) if low < high else Piece(text, low, low + 1)
        return add([value], -array.low)

    def _write_row(self, slot: Slot, row: list[Piece], target: str, mark: int | None) -> None:
        """Write a whole row at once."""
        consts = [value.const for value in row if value.const is not None]
        if len(consts) == len(row):
            packed = repr(b"".join(value.to_bytes(slot.width, "little") for value in consts))
        elif slot.width == 1:
            packed = f"bytes(({', '.join(value.text for value in row)},))"
        else:
            cells = (f"({value.text}).to_bytes({slot.width}, 'little')" for value in row)
            packed = f"b''.join(({', '.join(cells)},))"
        if mark is not None:
            self.lines.add(f"r = {packed}")
            self.lines.block(f"if {target} != r:")
            self.lines.add(f"X[{mark}] = 1")
            self.lines.depth -= 1
            packed = "r"
        self.lines.add(f"{target} = {packed}")

    # ----------------------------------------------------------------------------- control

    def _if(self, stmt: If, scope: Scope, here: StmtId) -> Scope:
        edge, path = here
        test = self.formulas.test(stmt.test, scope)
        if test.const is not None:
            branch = stmt.then if test.const else stmt.other
            after = self.body(branch, scope, (edge, (*path, 1 - test.const)))
            return Scope(scope.buffer, scope.names, after.known)
        self.lines.block(f"if {test.text}:")
        since = len(self.lines.text)
        then = self.formulas.assume(stmt.test, scope, truth=True)
        then = self.body(stmt.then, then, (edge, (*path, 0)))
        self.lines.close(since)
        other = self.formulas.assume(stmt.test, scope, truth=False)
        if stmt.other:
            self.lines.block("else:")
            since = len(self.lines.text)
            other = self.body(stmt.other, other, (edge, (*path, 1)))
            self.lines.close(since)
        return Scope(scope.buffer, scope.names, either(then, other, scope))

    def _for(self, stmt: For, scope: Scope, here: StmtId) -> Scope:
        edge, path = here
        if stmt.size * unrolled_code(stmt.body) <= self.formulas.budget:
            inner = scope
            for i in range(stmt.size):
                inner = self.body(stmt.body, inner.bind(stmt.var, literal(i)), (edge, (*path, 0)))
                inner = Scope(scope.buffer, scope.names, inner.known)
            return inner
        after = scope.forget(writes(stmt.body))
        name = self.formulas.temps.name("v")
        self.lines.block(f"for {name} in range({stmt.size}):")
        since = len(self.lines.text)
        var = Piece(name, 0, stmt.size - 1) if stmt.size > 1 else literal(0)
        self.body(stmt.body, after.bind(stmt.var, var), (edge, (*path, 0)))
        self.lines.close(since)
        return after


def bounds(text: str, value: Piece, low: int, high: int) -> str:
    """Write the test that a value lies in a range, leaving out what its own range knows."""
    below, above = value.low < low, value.high > high
    if below and above:
        return f"{low} <= {text} <= {high}"
    return f"{text} >= {low}" if below else f"{text} <= {high}"


def either(one: Scope, two: Scope, before: Scope) -> dict[Place, Piece]:
    """Give what is known of elements where two branches meet again."""
    both: dict[Place, Piece] = {}
    for place, value in one.known.items():
        other, old = two.known.get(place), before.known.get(place)
        if other == value:
            both[place] = value
        elif other is not None and old is not None and value.text == other.text == old.text:
            both[place] = old
    return both


def asked(body: Sequence[Stmt]) -> Iterator[Expr]:
    """List the expressions of statements, up to where what they read has been changed."""
    written: frozenset[str] = frozenset()
    for stmt in body:
        for inner in statements((stmt,)):
            for expr in directly(inner):
                if not arrays_read(expr) & written:
                    yield expr
        written |= writes((stmt,))
