"""Statements of the core as WebAssembly that changes a state in place."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import assert_never

from ...model.machine.core import (
    Cite,
    Const,
    Expr,
    Fill,
    For,
    If,
    Let,
    Load,
    Local,
    Note,
    Stmt,
    Store,
)
from ...model.machine.traversal import rename, unrolled_code, within, writes
from ..packed.packing import Slot
from .expressions import Expressions, Names
from .folds import conjuncts
from .rows import CountRow, each_of, some_of
from .unit import LONGEST_FOLD, OUT_OF_RANGE
from .values import Emitted, EmittedBag, arithmetic, number
from .wasm import I64, OPCODES, Val, const, get_global, load

STORES = {1: "u8", 2: "u16", 4: "i32"}


@dataclass(frozen=True, slots=True)
class _Row:
    """A row being written, and its place as in `Expressions.place`."""

    stmt: Fill
    slot: Slot
    size: int
    offset: int
    moved: Emitted


class Statements:
    """Writes statements into the function that `to` writes into."""

    def __init__(self, to: Expressions) -> None:
        self.to = to
        self.unit = to.unit
        self.function = to.function

    def body(self, body: Sequence[Stmt], names: Names, *, last: bool = False) -> None:
        """Write statements; if they are the `last`, nothing reads what the end of them writes."""
        names = dict(names)
        known: list[tuple[Slot, bytes]] = []
        for stmt in body:
            if (row := self._known(stmt)) is not None:
                known.append(row)
                continue
            if known:
                self._numbers(known)
                known = []
            match stmt:
                case Let():
                    names[stmt.name] = self.to.keep(self.to.value(stmt.value, names))
                case Store():
                    self._store(stmt, names)
                case Fill():
                    self._fill(stmt, names)
                case If():
                    self._if(stmt, names)
                case For():
                    self._for(stmt, names)
                case Note():
                    self._note(self.unit.notes[stmt.obligation])
                case Cite():
                    self.mark(("clause", stmt.clause))
                case _:
                    assert_never(stmt)
        self._numbers(known, read=not last)

    def mark(self, what: object) -> None:
        """Record that something has been used, where coverage is asked for."""
        if self.unit.covering and what in self.unit.marks:
            self.function.store("u8", get_global(self.unit.record), 1, self.unit.marks[what])

    def _note(self, bit: int) -> None:
        at = self.unit.flags + bit // 64 * 8
        noted = load("i64", const(0), at) | (1 << bit % 64)
        self.function.store("i64", const(0), noted, at)

    # ------------------------------------------------------------------------------ writing

    def _known(self, stmt: Stmt) -> tuple[Slot, bytes] | None:
        """Return the bytes of an array that a statement sets to a number that is known, if any.

        Many edges share the statements that reset what is needed no more.
        """
        found = self.unit.known.get(id(stmt))
        if found is None:
            found = self.unit.known[id(stmt)] = stmt, self._bytes_of(stmt)
        return found[1]

    def _bytes_of(self, stmt: Stmt) -> tuple[Slot, bytes] | None:
        if not isinstance(stmt, Store | Fill) or not isinstance(stmt.value, Const):
            return None
        slot, value = self.unit.layout.slots[stmt.array], stmt.value.value
        whole = (stmt.index == () if isinstance(stmt, Store) else
                 stmt.prefix == () and slot.size == slot.array.dims[-1] <= stmt.size)
        if not whole or not slot.array.low <= value <= slot.array.high:
            return None
        return slot, (value - slot.array.low).to_bytes(slot.width, "little") * slot.size

    def _numbers(self, known: Sequence[tuple[Slot, bytes]], *, read: bool = True) -> None:
        """Write numbers that are known; those that come to lie side by side are written at once.

        What is `read` later is remembered.
        """
        to, found = self.to, {slot.start: (slot, packed) for slot, packed in known}
        at, packed = 0, b""
        for start, (slot, more) in sorted(found.items(), key=itemgetter(0)):
            if start != at + len(packed):
                self._bytes(packed, at, to.base)
                at, packed = start, b""
            packed += more
            if read:
                to.changed((slot.array.name,))
            if read and not slot.array.dims:
                value = slot.array.low + int.from_bytes(more, "little")
                to.learn(to.key(self.unit.terms.scalar(slot.array.name), {}), number(value))
        self._bytes(packed, at, to.base)

    def _store(self, stmt: Store, names: Names) -> None:
        to = self.to
        slot = self.unit.layout.slots[stmt.array]
        found = to.place(slot, [to.value(i, names) for i in stmt.index])
        if found is None:
            return
        offset, moved, inside = found
        value = to.keep(to.value(stmt.value, names))
        if inside.const is None:
            self.function.open(inside.code + b"\x04\x40")
        moved = to.keep(moved)
        self._check(slot, value)
        self._put(slot, offset, moved, value)
        if inside.const is None:
            self.function.end()
        read = {name for i in stmt.index for name in self.unit.terms.of(i).arrays}
        to.changed((stmt.array,))
        if inside.const is not None and stmt.array not in read:
            low, high = max(value.low, slot.array.low), min(value.high, slot.array.high)
            key = to.key(self.unit.terms.of(Load(stmt.array, stmt.index)), names)
            to.learn(key, self._narrow(value, low, high))

    def _narrow(self, value: Emitted, low: int, high: int) -> Emitted:
        """Return the same value with what is known of its range."""
        if low > high or (low, high) == value.range:
            return value
        if low == high:
            return number(low)
        narrow = Emitted(value.code, low, high)
        if narrow.wide == value.wide:
            return narrow
        return self.to.keep(Emitted(value.code + b"\xa7", low, high))

    def _check(self, slot: Slot, value: Emitted) -> None:
        """Stop if an array cannot hold a value."""
        low, high = slot.array.low, slot.array.high
        if low <= value.low and value.high <= high:
            return
        f = self.function
        moved = arithmetic("-", value, number(low))
        bad = Val(moved.code + const(high - low, moved.type).code + OPCODES[">u"][moved.wide])
        with f.when(bad):
            f.store("i32", const(0), OUT_OF_RANGE, self.unit.error)
            f.fail()

    def _put(self, slot: Slot, offset: int, moved: Emitted, value: Emitted) -> None:
        """Write an element that lies inside."""
        to, f = self.to, self.function
        low = slot.array.low
        raw = arithmetic("-", value, number(low)) if low else value
        kept = Val(raw.code + b"\xa7" * raw.wide)
        f.store(STORES[slot.width], to.address(moved), kept, offset)

    def _fill(self, stmt: Fill, names: Names) -> None:
        to = self.to
        slot = self.unit.layout.slots[stmt.array]
        size = min(stmt.size, slot.array.dims[-1])
        found = to.place(slot, [to.value(i, names) for i in stmt.prefix])
        if found is None or size <= 0:
            return
        offset, moved, inside = found
        moved = to.keep(moved)
        if inside.const is None:
            self.function.open(inside.code + b"\x04\x40")
        row = _Row(stmt, slot, size, offset, moved)
        with to.inside():
            if size * self.unit.terms.of(stmt.value).weight <= 2 * LONGEST_FOLD:
                self._row(row, names)
            else:
                self._long_row(row, names)
        if inside.const is None:
            self.function.end()
        to.changed((stmt.array,))

    def _row(self, row: _Row, names: Names) -> None:
        """Write a row, element by element."""
        slot, var = row.slot, row.stmt.var
        values = [self.to.keep(self.to.value(row.stmt.value, {**names, var: number(i)}))
                  for i in range(row.size)]
        consts = [value.const for value in values if value.const is not None]
        low, high = slot.array.low, slot.array.high
        if len(consts) == row.size and all(low <= value <= high for value in consts):
            packed = b"".join((v - low).to_bytes(slot.width, "little") for v in consts)
            self._bytes(packed, row.offset, self.to.address(row.moved))
            return
        for i, value in enumerate(values):
            self._check(slot, value)
            self._put(slot, row.offset + i * slot.width, row.moved, value)

    def _bytes(self, packed: bytes, offset: int, address: Val) -> None:
        """Write bytes that are known."""
        at = 0
        for kind, width in (("i64", 8), ("i32", 4), ("u16", 2), ("u8", 1)):
            while len(packed) - at >= width:
                value = int.from_bytes(packed[at : at + width], "little")
                made = const(value, I64) if width == 8 else const(value)
                self.function.store(kind, address, made, offset + at)
                at += width

    def _long_row(self, row: _Row, names: Names) -> None:
        """Write a row with a loop: two if the values depend on elements written before them."""
        f, to, stmt = self.function, self.to, row.stmt
        if _alone(stmt):
            with self._each(row.size) as i, to.inside():
                value = to.keep(to.value(stmt.value, {**names, stmt.var: i}))
                self._element(row, i, value)
            return
        room = self.unit.module.room(8 * row.size)
        with self._each(row.size) as i, to.inside():
            value = to.value(stmt.value, {**names, stmt.var: i})
            f.store("i64", Val(i.code) << 3, Val(value.as_(wide=True), I64), room)
        with self._each(row.size) as i:
            raw = load("i64", Val(i.code) << 3, room)
            kept = f.var(raw if value.wide else raw.low)
            self._element(row, i, value if value.const is not None else
                          Emitted(kept.code, value.low, value.high))

    def _element(self, row: _Row, i: Emitted, value: Emitted) -> None:
        """Write one element of a row in a loop."""
        self._check(row.slot, value)
        moved = arithmetic("+", row.moved, arithmetic("*", i, number(row.slot.width)))
        self._put(row.slot, row.offset, self.to.keep(moved), value)

    def _each(self, size: int) -> _Loop:
        return _Loop(self, size)

    # ------------------------------------------------------------------------------ control

    def _if(self, stmt: If, names: Names) -> None:
        to = self.to
        test = to.test(stmt.test, names)
        if test.const is not None:
            self.body(stmt.then if test.const else stmt.other, names)
            return
        before = dict(to.versions)
        _, yes = to.apart(lambda: self.body(stmt.then, names))
        to.versions = before
        _, no = to.apart(lambda: self.body(stmt.other, names))
        to.changed(writes((stmt,)))
        if yes or no:
            if not yes:
                test, yes, no = Emitted(test.code + b"\x45", 0, 1), no, yes
            to.code += test.code + b"\x04\x40" + yes + (b"\x05" + no if no else b"") + b"\x0b"

    def _for(self, stmt: For, names: Names) -> None:
        if stmt.size * unrolled_code(stmt.body) <= LONGEST_FOLD or stmt.size == 1:
            for value in range(stmt.size):
                inner: Mapping[str, Emitted | EmittedBag] = {**names, stmt.var: number(value)}
                self.body(stmt.body, inner)
            return
        self.to.changed(writes(stmt.body))
        row = self._guard(stmt)
        if row is not None:
            with each_of(self.to, row, stmt.size, range(stmt.size), names) as (found, _, _):
                self.body(stmt.body, {**names, stmt.var: found})
            self.to.changed(writes(stmt.body))
            return
        with self._each(stmt.size) as i, self.to.inside():
            self.body(stmt.body, {**names, stmt.var: i})
        self.to.changed(writes(stmt.body))

    def _guard(self, stmt: For) -> CountRow | None:
        """Find a row such that the body does nothing where its element is 0, and never writes it.

        The body is then the value of that element, which may be named, and one `If` on it.
        """
        *lets, last = stmt.body
        if not isinstance(last, If) or last.other or len(lets) > 1:
            return None
        test = last.test
        for let in lets:
            if not isinstance(let, Let):
                return None
            test = rename(test, let.name, let.value)
        found = [some_of(self.to, part, stmt.var) for part in conjuncts(self.unit.terms.of(test))]
        written = writes(stmt.body)
        return next((row for row in found if row is not None and row.array not in written
                     and not any(written & set(part.arrays) for part in row.prefix)), None)


class _Loop:
    """A loop over 0 … size-1, as a context."""

    def __init__(self, to: Statements, size: int) -> None:
        self.function, self.size = to.function, size

    def __enter__(self) -> Emitted:
        self.counter = self.function.var(0)
        self.label = self.function.open(b"\x03\x40")
        return Emitted(self.counter.code, 0, self.size - 1)

    def __exit__(self, *_: object) -> None:
        f = self.function
        f.set(self.counter, self.counter + 1)
        f.branch(self.label, self.counter.op("<u", self.size))
        f.end()


def _alone(stmt: Fill) -> bool:
    """Return whether no value of a row depends on an element of it that is written before."""
    own: tuple[Expr, ...] = (*stmt.prefix, Local(stmt.var))
    return all(not isinstance(part, Load) or part.array != stmt.array or part.index == own
               for part in within(stmt.value))
