"""Expressions of the core as pieces of Python.

Idea: everything that is known when the code is generated is folded away (constants, tables, ranges,
folds over few values are written out), a row of a zone is a slice of bytes, and what stays dynamic
is plain indexing into the packed state.  Long folds become functions with a loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from ...model.machine.core import (
    FALSE,
    Binary,
    Cond,
    Const,
    Expr,
    Load,
    Local,
    Pick,
    Reduce,
    Table,
    Unary,
)
from .folds import fold
from .packing import Layout, Slot
from .pieces import (
    BITOR,
    COND,
    Piece,
    Temps,
    add,
    bit,
    choose,
    compare,
    every,
    literal,
    multiply,
    negate,
    piece,
    some,
    subtract,
)
from .scope import Guard, Place, Scope

OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
MIRRORED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def place_of(load: Load) -> Place:
    """Name the element that a load with constant indices reads."""
    return load.array, tuple(index.value for index in load.index if isinstance(index, Const))


def _settled(expr: Expr) -> bool:
    """Say whether an expression is a name, or one element known by now."""
    if isinstance(expr, Load):
        return all(isinstance(index, Const) for index in expr.index)
    return isinstance(expr, Local)


@dataclass(slots=True)
class Formulas:
    """Turns expressions into pieces; collects the functions and tables that they need."""

    layout: Layout
    tables: Mapping[str, tuple[int, ...]]
    budget: int
    temps: Temps = field(default_factory=Temps)
    functions: list[str] = field(default_factory=list)
    shared: dict[str, object] = field(default_factory=dict)

    def piece(self, expr: Expr, scope: Scope) -> Piece:
        """Turn an expression into Python."""
        match expr:
            case Const():
                return literal(expr.value)
            case Local():
                return scope.number(expr.name)
            case Pick():
                return self._pick(expr, scope)
            case Load():
                return self._load(expr, scope)
            case Table():
                return self._table(expr, scope)
            case Unary():
                operand = self.piece(expr.operand, scope)
                return negate(operand) if expr.op == "not" else subtract(literal(0), operand)
            case Binary():
                return self._binary(expr, scope)
            case Cond():
                test = bit(self.piece(expr.test, scope))
                if test.const is not None:
                    return self.piece(expr.then if test.const else expr.other, scope)
                then = self.piece(expr.then, self.assume(expr.test, scope, truth=True))
                other = self.piece(expr.other, self.assume(expr.test, scope, truth=False))
                return choose(test, then, other)
            case Reduce():
                return fold(self, expr, scope)
            case _:
                assert_never(expr)

    def test(self, expr: Expr, scope: Scope) -> Piece:
        """Turn a condition into Python."""
        return bit(self.piece(expr, scope))

    # --------------------------------------------------------------------------- elements

    def _pick(self, expr: Pick, scope: Scope) -> Piece:
        bag = scope.bag(expr.name)
        index = self.piece(expr.index, scope)
        if index.const is not None:
            kind = index.const
            if not 0 <= kind < len(bag.highs):
                return literal(0)
            return piece(f"{bag.text}[{kind}]", 0, max(bag.highs[kind], 0))
        place, guards = self._inside(index, len(bag.highs))
        value = Piece(f"{bag.text}[{place.text}]", 0, max((*bag.highs, 0)))
        return self._guarded(value, literal(0), guards)

    def _inside(self, index: Piece, size: int) -> tuple[Piece, list[Guard]]:
        """Give an index as it is inside an array, and what must be checked first for that."""
        if index.low >= 0 and index.high < size:
            return index, []
        first, value = self.temps.twice(index)
        inside = replace(value, low=max(value.low, 0), high=min(value.high, size - 1))
        return inside, [(first, value, size)]

    def _guarded(self, value: Piece, outside: Piece, indices: Sequence[Guard]) -> Piece:
        """Read a value if its indices lie inside, else give another one."""
        tests = []
        for first, index, size in indices:
            low, high = index.low < 0, index.high >= size
            if low and high:
                tests.append(f"0 <= {first} < {size}")
            elif low:
                tests.append(f"{first} >= 0")
            elif high:
                tests.append(f"{first} < {size}")
        if not tests:
            return value
        text = f"{value.at(BITOR)} if {' and '.join(tests)} else {outside.text}"
        lows, highs = min(value.low, outside.low), max(value.high, outside.high)
        return piece(text, lows, highs, COND)

    def _load(self, expr: Load, scope: Scope) -> Piece:
        slot = self.layout.slots[expr.array]
        index = [self.piece(i, scope) for i in expr.index]
        consts = tuple(i.const for i in index if i.const is not None)
        if len(consts) == len(index) and (expr.array, consts) in scope.known:
            return scope.known[expr.array, consts]
        found = self.place(slot, index)
        if found is None:
            return literal(slot.array.low)
        place, guards = found
        value = self.element(slot, place, scope.buffer)
        return self._guarded(value, literal(slot.array.low), guards)

    def place(self, slot: Slot, index: Sequence[Piece]) -> tuple[Piece, list[Guard]] | None:
        """Find the offset of an element (or of a row), and which indices must be checked first.

        None: it lies outside for sure.
        """
        terms: list[Piece] = []
        guards: list[Guard] = []
        for part, size, stride in zip(index, slot.array.dims, slot.strides, strict=False):
            if part.high < 0 or part.low >= size:
                return None
            value, checks = self._inside(part, size)
            guards += checks
            terms.append(multiply(value, literal(stride)))
        return add(terms, slot.start), guards

    def element(self, slot: Slot, place: Piece, buffer: str) -> Piece:
        """Read the element at an offset."""
        array = slot.array
        if slot.width == 1:
            raw = Piece(f"{buffer}[{place.text}]", 0, array.high - array.low)
        else:
            first, start = self.temps.twice(place)
            end = add([start], slot.width)
            text = f"number({buffer}[{first}:{end.text}], 'little')"
            raw = Piece(text, 0, array.high - array.low)
        if array.low == array.high:
            return literal(array.low)
        return add([raw], array.low)

    def _table(self, expr: Table, scope: Scope) -> Piece:
        entries = self.tables[expr.table]
        index = self.piece(expr.index, scope)
        inside = entries[max(index.low, 0) : max(index.high + 1, 0)]
        if not inside:
            return literal(0)
        if index.const is not None:
            return literal(inside[0])
        name = f"T{list(self.tables).index(expr.table)}"
        self.shared[name] = entries
        place, guards = self._inside(index, len(entries))
        value = piece(f"{name}[{place.text}]", min(inside), max(inside))
        return self._guarded(value, literal(0), guards)

    # -------------------------------------------------------------------------- operators

    def _binary(self, expr: Binary, scope: Scope) -> Piece:
        if expr.op in ("and", "or"):
            inner = self.assume(expr.left, scope, truth=expr.op == "and")
            both = [self.test(expr.left, scope), self.test(expr.right, inner)]
            return every(both) if expr.op == "and" else some(both)
        left, right = self.piece(expr.left, scope), self.piece(expr.right, scope)
        match expr.op:
            case "+":
                return add([left, right])
            case "-":
                return subtract(left, right)
            case "*":
                return multiply(left, right)
            case "//" | "%":
                return self.temps.divide(expr.op, left, right)
            case "min" | "max":
                return self.temps.extreme(expr.op, left, right)
            case _:
                return compare(expr.op, left, right)

    # ------------------------------------------------------------------------ assumptions

    def assume(self, expr: Expr, scope: Scope, *, truth: bool) -> Scope:
        """Narrow what is known, for code that runs only if a condition holds (or does not)."""
        match expr:
            case Unary(op="not"):
                return self.assume(expr.operand, scope, truth=not truth)
            case Binary(op="and") if truth:
                return self._assume_both(expr, scope, truth=True)
            case Binary(op="or") if not truth:
                return self._assume_both(expr, scope, truth=False)
            case Binary(op="==" | "!=" | "<" | "<=" | ">" | ">="):
                op = expr.op if truth else OPPOSITE[expr.op]
                left, right = expr.left, expr.right
                scope = self._narrow(left, op, right, scope)
                return self._narrow(right, MIRRORED.get(op, op), left, scope)
            case Local() | Load():
                return self._narrow(expr, "!=" if truth else "==", FALSE, scope)
            case _:
                return scope

    def _assume_both(self, expr: Binary, scope: Scope, *, truth: bool) -> Scope:
        scope = self.assume(expr.left, scope, truth=truth)
        return self.assume(expr.right, scope, truth=truth)

    def _narrow(self, target: Expr, op: str, other: Expr, scope: Scope) -> Scope:
        """Narrow the range of a name or an element that compares with something in a known way."""
        if not _settled(target) or not (_settled(other) or isinstance(other, Const)):
            return scope
        value, limit = self.piece(target, scope), self.piece(other, scope)
        low, high = value.low, value.high
        if op in ("==", ">", ">="):
            low = max(low, limit.low + (op == ">"))
        if op in ("==", "<", "<="):
            high = min(high, limit.high - (op == "<"))
        if op == "!=" and limit.const is not None:
            low += low == limit.const
            high -= high == limit.const
        if low > high or (low, high) == (value.low, value.high):
            return scope
        narrow = literal(low) if low == high else replace(value, low=low, high=high)
        if isinstance(target, Local):
            return scope.bind(target.name, narrow)
        if isinstance(target, Load):
            return scope.learn(place_of(target), narrow)
        return scope
