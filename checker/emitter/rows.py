"""Rows of small counts, eight at a time: sums, whether there are any, loops over those there are.

The cards of a zone are a row of bytes, most of them 0.  A 64-bit word holds eight of them, so a row
is summed with a few additions, and a loop that does something only where a count is not 0 finds
these places by the lowest bit set and skips the others.  What is read behind the end of a row is
masked away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...model.machine.core import Binary, Const, Load, Local, Unary
from .terms import EmittedTerm
from .values import Emitted, number, select
from .wasm import I64, Val, const, load

if TYPE_CHECKING:
    from .expressions import Expressions, Names

LONGEST_SUM = 256
"""The counts of so many bytes fit into 16 bits."""

EVEN = 0x00FF00FF00FF00FF
ONES = 0x0001000100010001


@dataclass(frozen=True, slots=True)
class CountRow:
    """A row that is in the state: the array and the indices before the last."""

    array: str
    prefix: tuple[EmittedTerm, ...]


def row_of(to: Expressions, term: EmittedTerm, var: str) -> CountRow | None:
    """Read a term as the element `var` of a row of bytes that are not negative."""
    if term.kind is not Load or not term.parts:
        return None
    last, prefix = term.parts[-1], term.parts[:-1]
    slot = to.unit.layout.slots[term.label]
    if last.kind is not Local or last.label != var or any(var in part.free for part in prefix):
        return None
    if slot.width != 1 or slot.array.low != 0 or slot.array.high == 0:
        return None
    return CountRow(term.label, prefix)


SOME, NONE = ((">", 0), ("!=", 0), (">=", 1)), (("==", 0), ("<=", 0), ("<", 1))
"""The comparisons by which an element is not 0, and by which it is."""


def some_of(to: Expressions, term: EmittedTerm, var: str, *, none: bool = False) -> CountRow | None:
    """Read a condition as: the element `var` of a row is not 0; with `none`, that it is."""
    if term.kind is Unary and term.label == "not":
        return some_of(to, term.parts[0], var, none=not none)
    if term.kind is not Binary or term.parts[1].kind is not Const:
        return None
    if (term.label, term.parts[1].label) not in (NONE if none else SOME):
        return None
    return row_of(to, term.parts[0], var)


def masks(size: int, values: Iterable[int]) -> list[int]:
    """Return the words in which the bytes of these values are set."""
    words = [0] * ((size + 7) // 8)
    for value in values:
        if value < size:
            words[value // 8] |= 0xFF << 8 * (value % 8)
    return words


def at_once(to: Expressions, term: EmittedTerm, tests: Sequence[EmittedTerm], values: Sequence[int],
            names: Names) -> Emitted | None:
    """Write a fold over a row word by word, if it is one; `tests` are what is left of `where`."""
    op, var = term.label
    body = term.parts[1]
    if op == "sum":
        row = row_of(to, body, var)
        if row is None or any(some_of(to, test, var) != row for test in tests):
            return None
    elif op == "any":
        parts = [part for part in (*tests, body) if part.kind is not Const or part.label != 1]
        row = some_of(to, parts[0], var) if len(parts) == 1 else None
    elif op == "all" and not tests:
        row = some_of(to, body, var, none=True)
    else:
        return None
    if row is None or term.size > LONGEST_SUM:
        return None
    return _folded(to, row, op, values, names)


def _folded(to: Expressions, row: CountRow, op: str, values: Sequence[int],
            names: Names) -> Emitted | None:
    slot = to.unit.layout.slots[row.array]
    size, high = slot.array.dims[-1], slot.array.high
    neutral = number(int(op == "all"))
    found = to.place(slot, [*(to.term(part, names) for part in row.prefix), number(0)])
    words = masks(size, values)
    if found is None or not any(words):
        return neutral
    offset, moved, inside = found
    address = to.function.var(to.address(moved))
    loads = []
    for i, mask in enumerate(words):
        word = load("i64", address, offset + 8 * i)
        if mask:
            loads.append(word if mask == (1 << 64) - 1 else word & const(mask, I64))
    if op != "sum":
        whole = loads[0]
        for word in loads[1:]:
            whole = whole | word
        some = whole.op("!=", const(0, I64))
        value = to.local(some if op == "any" else some.zero, 0, 1)
        return to.keep(select(inside, value, neutral))
    whole = _lanes(to, loads, high)
    total = (whole * const(ONES, I64) >> 48).low
    value = to.local(total, 0, high * sum(mask.bit_count() // 8 for mask in words))
    return to.keep(select(inside, value, neutral))


def _lanes(to: Expressions, loads: list[Val], high: int) -> Val:
    """Add words up, as four sums of 16 bits."""
    together, total = max(1, 255 // high), None
    for first in range(0, len(loads), together):
        part = loads[first]
        for word in loads[first + 1 : first + together]:
            part = part + word
        part = to.function.var(part)
        pairs = (part & const(EVEN, I64)) + (part >> 8 & const(EVEN, I64))
        total = pairs if total is None else total + pairs
    assert total is not None
    return total


@contextmanager
def each_of(to: Expressions, row: CountRow, size: int, values: Sequence[int],
            names: Names) -> Iterator[tuple[Emitted, int, int]]:
    """Loop over those of some values whose element of a row is not 0, in ascending order.

    Gives the value, the label at which the next one is tried, and the one behind the loop.  The row
    must not be written in the loop.
    """
    f, slot = to.function, to.unit.layout.slots[row.array]
    words = masks(min(size, slot.array.dims[-1]), values)
    found = to.place(slot, [*(to.term(part, names) for part in row.prefix), number(0)])
    with f.block() as after, to.inside():
        if found is None or not any(words):
            f.branch(after)
            offset, moved = slot.start, number(0)
        else:
            offset, moved, inside = found
            if inside.const is None:
                f.branch(after, Val(inside.code).zero)
        at = to.unit.module.room(8 * len(words))
        to.unit.module.data.append((at, b"".join(w.to_bytes(8, "little") for w in words)))
        first, word, bit = f.var(0), f.var(0, I64), f.var(0, I64)
        address, value = f.var(to.address(moved)), f.var(0)
        f.set(first, 0)
        with f.loop() as again:
            f.set(word, load("i64", address + first, offset) & load("i64", first, at))
            with f.block() as empty, f.loop() as more:
                f.branch(empty, word.op("==", const(0, I64)))
                f.set(bit, Val(word.code + b"\x7a", I64))
                f.set(value, first + (bit >> 3).low)
                f.set(word, word & (const(0xFF, I64) << (bit & 56) ^ -1))
                with f.block() as following, to.inside():
                    yield Emitted(value.code, min(values), max(values)), following, after
                f.branch(more)
            f.set(first, first + 8)
            f.branch(again, first.op("<u", 8 * len(words)))
