"""Expressions of the core as WebAssembly.

A value that took more than a few instructions, and everything read from the state, goes into a
local at once, and is looked up when an equal term is asked for again.  Two things bound how long it
may be used.  *Dominance*: what is computed under a condition is forgotten where the condition ends
(`made` is a stack of what is in `memo`).  *Stores*: a write to an array gives it a new version, and
what was computed from an older one is not found again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import count
from typing import TypeVar

from ...model.machine import intervals
from ...model.machine.core import (
    Binary,
    Cond,
    Const,
    Expr,
    Feature,
    Load,
    Local,
    Pick,
    Reduce,
    Table,
    Unary,
)
from ..packed.packing import Slot
from .folds import fold
from .terms import EmittedTerm
from .unit import ASKED, Unit
from .values import (
    HIGHEST,
    SELECT,
    Emitted,
    EmittedBag,
    arithmetic,
    both,
    compare,
    negate,
    number,
    ranged,
    select,
    truth,
)
from .wasm import I32, I64, OPCODES, Function, Val, const, get_global, load, unsigned

Names = Mapping[str, Emitted | EmittedBag]
T = TypeVar("T")

CHEAP = 8
"""The weight up to which something is computed even if it may not be needed."""

SHORT = 7
"""The length in bytes of code that is repeated rather than kept in a local."""


class Expressions:
    """Writes expressions into a function; `base` pushes the address of the state that is read."""

    def __init__(self, unit: Unit, function: Function, base: Val) -> None:
        self.unit = unit
        self.function = function
        self.code = function.code
        self.base = base
        self.memo: dict[tuple[object, ...], Emitted] = {}
        self.made: list[list[tuple[object, ...]]] = [[]]
        self.versions: dict[str, int] = {}
        self.newest = count(1)
        self._kinds: Mapping[type, Callable[[EmittedTerm, Names], Emitted]] = {
            Pick: self._pick, Load: self._load, Table: self._table, Unary: self._unary,
            Binary: self._binary, Cond: self._cond, Reduce: partial(fold, self),
            Feature: self._feature,
        }

    # ------------------------------------------------------------------------- known values

    def value(self, expr: Expr, names: Names) -> Emitted:
        """Return the value of an expression."""
        return self.term(self.unit.terms.of(expr), names)

    def test(self, expr: Expr, names: Names) -> Emitted:
        """Return the truth of a condition, 0 or 1."""
        return truth(self.value(expr, names))

    def term(self, term: EmittedTerm, names: Names) -> Emitted:
        """Return the value of a term."""
        if term.kind is Const:
            return number(term.label)
        if term.kind is Local:
            value = names[term.label]
            if isinstance(value, EmittedBag):
                raise TypeError("a bag parameter is read with `Pick`, not with `Local`")
            return value
        key = self.key(term, names)
        found = self.memo.get(key)
        if found is not None:
            return found
        value = self._kinds[term.kind](term, names)
        if len(value.code) > SHORT:
            value = self.keep(value)
        self.learn(key, value)
        return value

    def learn(self, key: tuple[object, ...], value: Emitted) -> None:
        """Take note of a value that nothing is known of yet."""
        self.memo[key] = value
        self.made[-1].append(key)

    def key(self, term: EmittedTerm, names: Names) -> tuple[object, ...]:
        """Name a term with the values that it is made of."""
        return (term.number, *[names[name].code for name in term.free],
                *[self.versions.get(array, 0) for array in term.arrays])

    def keep(self, value: Emitted) -> Emitted:
        """Put a value into a local, if it is not in one or a number."""
        if value.const is not None or (value.code[0] == 0x20 and len(value.code) <= 3):
            return value
        index = unsigned(self.function.new(value.type))
        self.code += value.code + b"\x21" + index
        return Emitted(b"\x20" + index, value.low, value.high)

    def local(self, value: Val, low: int, high: int) -> Emitted:
        """Put code that pushes 32 bits, whatever it reads, into a local."""
        index = unsigned(self.function.new(value.type))
        self.code += value.code + b"\x21" + index
        return Emitted(b"\x20" + index, low, high)

    def changed(self, arrays: Sequence[str] | frozenset[str]) -> None:
        """Forget what was computed from arrays that have been written."""
        for array in arrays:
            self.versions[array] = next(self.newest)

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Forget at the end what is computed meanwhile."""
        self.made.append([])
        yield
        for key in self.made.pop():
            del self.memo[key]

    def apart(self, make: Callable[[], T]) -> tuple[T, bytes]:
        """Write code one block deeper and take it out again, to be put in its place later."""
        since = len(self.code)
        self.function.depth += 1
        with self.inside():
            made = make()
        self.function.depth -= 1
        taken = bytes(self.code[since:])
        del self.code[since:]
        return made, taken

    # ----------------------------------------------------------------------------- elements

    def place(self, slot: Slot, index: Sequence[Emitted]) -> tuple[int, Emitted, Emitted] | None:
        """Find an element: a fixed offset, what is added to it, and whether it lies inside.

        None: it lies outside for sure.
        """
        offset, moved, inside = slot.start, number(0), number(1)
        for part, size, stride in zip(index, slot.array.dims, slot.strides, strict=False):
            if part.high < 0 or part.low >= size:
                return None
            if part.const is not None:
                offset += part.const * stride
                continue
            if part.low < 0 or part.high >= size:
                part = self.keep(part)  # noqa: PLW2901  (the same value, in a local)
                code = part.code + const(size, part.type).code + OPCODES["<u"][part.wide]
                inside = both("and", inside, Emitted(code, 0, 1))
                part = Emitted(part.code + b"\xa7" * part.wide,  # noqa: PLW2901
                             max(part.low, 0), min(part.high, size - 1))
                if part.const is not None:
                    offset += part.const * stride
                    continue
            moved = arithmetic("+", moved, arithmetic("*", part, number(stride)))
        if inside.const is None:
            inside = self.keep(inside)
            moved = self.keep(select(inside, moved, number(0)))
        return offset, moved, inside

    def address(self, moved: Emitted) -> Val:
        """Return the address of an element without its fixed offset."""
        return self.base if moved.const == 0 else self.base + Val(moved.code)

    def element(self, slot: Slot, offset: int, moved: Emitted) -> Emitted:
        """Read an element that lies inside."""
        array, span = slot.array, slot.array.high - slot.array.low
        if span == 0:
            return number(array.low)
        kind = {1: "u8", 2: "u16", 4: "i32"}[slot.width]
        raw = load(kind, self.address(moved), offset)
        if span > HIGHEST:
            raw = raw.wide_unsigned
        value = self.local(raw, 0, span)
        return self.keep(arithmetic("+", value, number(array.low)))

    def _load(self, term: EmittedTerm, names: Names) -> Emitted:
        slot = self.unit.layout.slots[term.label]
        found = self.place(slot, [self.term(part, names) for part in term.parts])
        if found is None:
            return number(slot.array.low)
        offset, moved, inside = found
        value = self.element(slot, offset, moved)
        return self.keep(select(inside, value, number(slot.array.low)))

    def _row(self, index: Emitted, size: int) -> tuple[Emitted, Emitted] | None:
        """Return an index brought inside a row, and whether it was; None if it surely is not."""
        if index.high < 0 or index.low >= size:
            return None
        if index.low >= 0 and index.high < size:
            return index, number(1)
        index = self.keep(index)
        code = index.code + const(size, index.type).code + OPCODES["<u"][index.wide]
        inside = self.keep(Emitted(code, 0, 1))
        moved = index.code + b"\xa7" * index.wide + const(0).code + inside.code + b"\x1b"
        return Emitted(moved, 0, size - 1), inside

    def _pick(self, term: EmittedTerm, names: Names) -> Emitted:
        bag = names[term.label]
        if isinstance(bag, Emitted):
            raise TypeError("a plain parameter is read with `Local`, not with `Pick`")
        found = self._row(self.term(term.parts[0], names), bag.size)
        if found is None or bag.high == 0:
            return number(0)
        index, inside = found
        if index.const is not None:
            raw = load("u16", Val(bag.code), bag.offset + 2 * index.const)
        else:
            raw = load("u16", Val(bag.code) + (Val(index.code) << 1), bag.offset)
        return self.keep(select(inside, self.local(raw, 0, bag.high), number(0)))

    def _table(self, term: EmittedTerm, names: Names) -> Emitted:
        items = self.unit.machine.tables[term.label]
        index = self.term(term.parts[0], names)
        found = self._row(index, len(items))
        if found is None:
            return number(0)
        place, inside = found
        if place.const is not None:
            return select(inside, number(items[place.const]), number(0))
        reached = items[max(index.low, 0) : index.high + 1]
        low, high = min(reached), max(reached)
        at, kind = self.unit.table(term.label)
        width = {"u8": 1, "i32": 4, "i64": 8}[kind]
        raw = load(kind, Val(place.code) * width if width > 1 else Val(place.code), at)
        wide = kind == "i64"
        value = self.keep(ranged(self.local(raw, low, high).code, low, high, wide=wide))
        return self.keep(select(inside, value, number(0)))

    def _feature(self, term: EmittedTerm, _: Names) -> Emitted:
        word, bit = divmod(term.label, ASKED)
        asked = get_global(self.unit.asked[word], I64) | const(1 << bit, I64)
        self.function.set_global(self.unit.asked[word], asked)
        return self.local(load("u8", const(self.unit.configuration), term.label), 0, 1)

    # ---------------------------------------------------------------------------- operators

    def _unary(self, term: EmittedTerm, names: Names) -> Emitted:
        value = self.term(term.parts[0], names)
        return negate(value) if term.label == "not" else arithmetic("-", number(0), value)

    def _binary(self, term: EmittedTerm, names: Names) -> Emitted:
        op = term.label
        if op in ("and", "or"):
            return self._connective(term, names)
        left, right = (self.term(part, names) for part in term.parts)
        match op:
            case "+" | "-" | "*":
                return arithmetic(op, left, right)
            case "//" | "%":
                return self._divide(op, left, right)
            case "min" | "max":
                return self.extreme(op, left, right)
            case _:
                return compare(op, left, right)

    def extreme(self, op: str, left: Emitted, right: Emitted) -> Emitted:
        """Return the lesser (`min`) or the greater (`max`) of two values."""
        left, right = self.keep(left), self.keep(right)
        test = compare("<" if op == "min" else ">", left, right)
        if test.const is not None:
            return left if test.const else right
        wide = left.wide or right.wide
        code = left.as_(wide=wide) + right.as_(wide=wide) + test.code + SELECT
        return ranged(code, *intervals.binary(op, left.range, right.range), wide=wide)

    def _divide(self, op: str, left: Emitted, right: Emitted) -> Emitted:
        """Divide, rounding down, or give the rest; by 0 it is 0."""
        if right.const == 0:
            return number(0)
        low, high = intervals.binary(op, left.range, right.range)
        wide = left.wide or right.wide
        one = number(1).as_(wide=wide)
        left, right = self.keep(left), self.keep(right)
        a, b = left.as_(wide=wide), right.as_(wide=wide)
        if right.low <= 0 <= right.high:
            type_ = I64 if wide else I32
            nonzero = self.keep(compare("!=", right, number(0)))
            safe = self.local(Val(b + one + nonzero.code + b"\x1b", type_), 0, 1).code
        else:
            nonzero, safe = number(1), b
        if left.low >= 0 and right.low > 0:
            code = a + safe + OPCODES["/u" if op == "//" else "%u"][wide]
            return ranged(code, low, high, wide=wide)
        type_ = I64 if wide else I32
        rest = Val(self.local(Val(a + safe + OPCODES["%s"][wide], type_), 0, 1).code, type_)
        other = Val(safe, type_)
        apart = (rest ^ other).op("<", 0) & rest.op("!=", 0)
        apart = Val(self.local(apart, 0, 1).code)
        if op == "%":
            raw = rest + apart.choose(other, const(0, type_))
        else:
            whole = Val(a + safe + OPCODES["/s"][wide], type_)
            raw = whole - (apart.wide if wide else apart)
        if nonzero.const is None:
            raw = Val(nonzero.code).choose(raw, const(0, type_))
        return ranged(raw.code, low, high, wide=wide)

    # -------------------------------------------------------------------------- conditionals

    def _connective(self, term: EmittedTerm, names: Names) -> Emitted:
        left = truth(self.term(term.parts[0], names))
        decides = 0 if term.label == "and" else 1
        if left.const is not None:
            return left if left.const == decides else truth(self.term(term.parts[1], names))
        if term.parts[1].weight <= CHEAP:
            return both(term.label, left, truth(self.term(term.parts[1], names)))
        right, code = self.apart(lambda: truth(self.term(term.parts[1], names)))
        if right.const is not None:
            return number(decides) if right.const == decides else left
        if not code:
            return both(term.label, left, right)
        yes, no = code + right.code, number(decides).code
        if decides:
            yes, no = no, yes
        return self.local(Val(left.code + b"\x04\x7f" + yes + b"\x05" + no + b"\x0b"), 0, 1)

    def _cond(self, term: EmittedTerm, names: Names) -> Emitted:
        test = truth(self.term(term.parts[0], names))
        if test.const is not None:
            return self.term(term.parts[1 if test.const else 2], names)
        if term.parts[1].weight + term.parts[2].weight <= 2 * CHEAP:
            test = self.keep(test)
            return select(test, self.term(term.parts[1], names), self.term(term.parts[2], names))
        if term.parts[0].kind is Feature:
            # What is so without the feature is shared with what is around, and what is so with it
            # has most of that in common.
            other, no = self.term(term.parts[2], names), b""
            then, yes = self.apart(lambda: self.term(term.parts[1], names))
        else:
            then, yes = self.apart(lambda: self.term(term.parts[1], names))
            other, no = self.apart(lambda: self.term(term.parts[2], names))
        if not yes and not no:
            return select(self.keep(test), then, other)
        return self.branches(test, (then, yes), (other, no))

    def branches(
        self, test: Emitted, then: tuple[Emitted, bytes], other: tuple[Emitted, bytes]
    ) -> Emitted:
        """Join two values, each with the code that must run before it."""
        low, high = min(then[0].low, other[0].low), max(then[0].high, other[0].high)
        if low == high:
            return number(low)
        wide = Emitted(b"", low, high).wide
        yes, no = (code + value.as_(wide=wide) for value, code in (then, other))
        type_ = I64 if wide else I32
        code = test.code + b"\x04" + bytes((type_,)) + yes + b"\x05" + no + b"\x0b"
        return self.local(Val(code, type_), low, high)
