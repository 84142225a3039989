"""Expressions of the core as pieces of Python.

Idea: everything that is known when the code is generated is folded away (constants, tables, ranges,
folds over few values are written out), a row of a zone is a slice of bytes, and what stays dynamic
is plain indexing into the packed state.  Long folds become functions with a loop.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import assert_never

from ..model.core import (
    FALSE,
    TRUE,
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
from .walks import names, reads, weight

Place = tuple[str, tuple[int, ...]]
"""One element of an array, known when the code is generated."""

Guard = tuple[str, Piece, int]
"""An index that may lie outside: the text that evaluates it, its value from then on, the size."""


@dataclass(frozen=True, slots=True)
class Bag:
    """A bag parameter: the variable that holds the counts, and the most of each kind."""

    text: str
    highs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """What is known at a point of the code: the buffer to read, names, and values of elements."""

    buffer: str
    names: Mapping[str, Piece | Bag] = field(default_factory=dict)
    known: Mapping[Place, Piece] = field(default_factory=dict)

    def bind(self, name: str, value: Piece | Bag) -> Scope:
        """Give a name a value."""
        return replace(self, names={**self.names, name: value})

    def number(self, name: str) -> Piece:
        """Look a number up."""
        value = self.names[name]
        if isinstance(value, Bag):
            raise TypeError("a bag parameter is read with `Pick`, not with `Local`")
        return value

    def bag(self, name: str) -> Bag:
        """Look a bag up."""
        value = self.names[name]
        if isinstance(value, Piece):
            raise TypeError("a plain parameter is read with `Local`, not with `Pick`")
        return value

    def learn(self, place: Place, value: Piece) -> Scope:
        """Note the value of an element."""
        return replace(self, known={**self.known, place: value})

    def forget(self, arrays: frozenset[str]) -> Scope:
        """Forget the values of elements of some arrays."""
        kept = {place: value for place, value in self.known.items() if place[0] not in arrays}
        return replace(self, known=kept)


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
                return self._reduce(expr, scope)
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
        narrow = piece(value.text, low, high, value.prec)
        if isinstance(target, Local):
            return scope.bind(target.name, narrow)
        if isinstance(target, Load):
            return scope.learn(place_of(target), narrow)
        return scope

    # ------------------------------------------------------------------------------ folds

    def _reduce(self, expr: Reduce, scope: Scope) -> Piece:
        row = self._row(expr, scope)
        if row is not None:
            return row
        if weight(expr) <= self.budget:
            return self._written_out(expr, scope)
        return self._looped(expr, scope)

    def _row(self, expr: Reduce, scope: Scope) -> Piece | None:
        """Sum up a row of small numbers, or a bag, in one go."""
        if expr.op != "sum" or expr.where != TRUE or expr.size < 4:
            return None
        body = expr.body
        if isinstance(body, Pick) and body.index == Local(expr.var):
            bag = scope.bag(body.name)
            if len(bag.highs) == expr.size:
                return piece(f"sum({bag.text})", 0, sum(max(high, 0) for high in bag.highs))
        if not isinstance(body, Load) or not body.index or body.index[-1] != Local(expr.var):
            return None
        slot, prefix = self.layout.slots[body.array], body.index[:-1]
        if slot.width > 1 or any(expr.var in names(i) for i in prefix):
            return None
        found = self.place(slot, [self.piece(i, scope) for i in prefix])
        if expr.size > slot.array.dims[-1] or found is None or found[1]:
            return None
        first, start = self.temps.twice(found[0])
        text = f"sum({scope.buffer}[{first}:{add([start], expr.size).text}])"
        array = slot.array
        total = Piece(text, 0, expr.size * (array.high - array.low))
        return add([total], expr.size * array.low)

    def _written_out(self, expr: Reduce, scope: Scope) -> Piece:
        items: list[tuple[Piece, Piece]] = []
        for i in range(expr.size):
            inner = scope.bind(expr.var, literal(i))
            where = self.test(expr.where, inner)
            if where.const != 0:
                inner = self.assume(expr.where, inner, truth=True)
                items.append((where, self.piece(expr.body, inner)))
        match expr.op:
            case "sum":
                return add([choose(where, body, literal(0)) for where, body in items])
            case "any":
                return some([every([where, body]) for where, body in items])
            case "all":
                return every([some([negate(where), body]) for where, body in items])
            case "min" | "max":
                return self._extreme(expr, items)
            case _:
                assert_never(expr.op)

    def _extreme(self, expr: Reduce, items: list[tuple[Piece, Piece]]) -> Piece:
        """Find the least or greatest of some pieces, each of which may be left out."""
        if not items:
            return literal(expr.empty)
        low, high = min(body.low for _, body in items), max(body.high for _, body in items)
        sure = any(where.const for where, _ in items)
        missing = low - 1 if expr.op == "max" else high + 1
        if (expr.op == "max" and expr.empty <= low) or (expr.op == "min" and expr.empty >= high):
            missing = expr.empty
        values = [choose(where, body, literal(missing)) for where, body in items]
        if len(values) == 1:
            best = values[0]
        elif len(values) == 2:
            best = self.temps.extreme("max" if expr.op == "max" else "min", *values)
        else:
            lows, highs = min(v.low for v in values), max(v.high for v in values)
            best = piece(f"{expr.op}({', '.join(v.at(COND) for v in values)})", lows, highs)
        if sure and best.const is None:
            return piece(best.text, low, high, best.prec)
        if sure or missing == expr.empty:
            return best
        first, value = self.temps.twice(best)
        none = compare("==", Piece(first, value.low, value.high), literal(missing))
        if none.const is not None:
            return choose(none, literal(expr.empty), best)
        low, high = min(low, expr.empty), max(high, expr.empty)
        return piece(f"{expr.empty} if {none.text} else {value.text}", low, high, COND)

    def _looped(self, expr: Reduce, scope: Scope) -> Piece:
        """Fold in a function of its own, with a loop that stops early where it can."""
        function, var = self.temps.name("q"), self.temps.name("v")
        known = {place: value for place, value in scope.known.items() if value.const is not None}
        inner = Scope(scope.buffer, known=known)
        arguments = [scope.buffer] if reads(expr) else []
        for name in sorted(names(expr)):
            value = scope.names[name]
            if isinstance(value, Bag) or (value.const is None and value.simple):
                arguments.append(value.text)
            inner = inner.bind(name, value)
        inner = inner.bind(expr.var, piece(var, 0, max(expr.size - 1, 0)))
        where = self.test(expr.where, inner)
        body = self.piece(expr.body, self.assume(expr.where, inner, truth=True))
        if expr.op in ("any", "all"):
            body = bit(body)
        steps, last, low, high = self._loop_steps(expr, body)
        lines = [f"def {function}({', '.join(dict.fromkeys(arguments))}):"]
        if expr.op in ("sum", "min", "max"):
            lines.append(f"    y = {0 if expr.op == 'sum' else None}")
        lines.append(f"    for {var} in range({expr.size}):")
        pad = "        "
        if where.const is None:
            lines.append(f"{pad}if {where.text}:")
            pad += "    "
        lines += [pad + step for step in ([] if where.const == 0 else steps) or ["pass"]]
        lines.append(f"    return {last}")
        self.functions.append("\n".join(lines))
        return piece(f"{function}({', '.join(dict.fromkeys(arguments))})", low, high)

    def _loop_steps(self, expr: Reduce, body: Piece) -> tuple[list[str], str, int, int]:
        """Give what a fold does with each value and at the end, and its range."""
        match expr.op:
            case "sum":
                low, high = min(body.low, 0) * expr.size, max(body.high, 0) * expr.size
                return [f"y += {body.text}"], "y", low, high
            case "any":
                return [f"if {body.text}:", "    return 1"], "0", 0, 1
            case "all":
                return [f"if not ({body.text}):", "    return 0"], "1", 0, 1
            case "min" | "max":
                sign = "<" if expr.op == "min" else ">"
                low, high = min(body.low, expr.empty), max(body.high, expr.empty)
                steps = [f"z = {body.text}", f"if y is None or z {sign} y:", "    y = z"]
                return steps, f"y if y is not None else {expr.empty}", low, high
            case _:
                assert_never(expr.op)
