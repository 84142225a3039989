"""Bag parameters as WebAssembly: all vectors of counts, with one weighted sum bounded early.

Only the kinds of which there are any take part.  The vectors come in ascending order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...model.machine.core import TRUE, Binary, Expr, Pick, Reduce
from ...model.machine.machine import Param
from ...model.machine.traversal import names as names_in
from ..packed.flags import MOST_CHOICES
from .expressions import Expressions, Names
from .unit import TOO_MANY, UnsupportedError
from .values import Emitted, EmittedBag, arithmetic, number
from .wasm import Val, const, load

FAR = 1 << 30
"""No weighted sum of counts is that large."""


@dataclass(frozen=True, slots=True)
class Sum:
    """A weighted sum of the counts of a bag, and what is added to it."""

    weights: tuple[int, ...]
    rest: Emitted


@dataclass(frozen=True, slots=True)
class Bound:
    """low <= weights . counts <= high."""

    weights: tuple[int, ...]
    low: Emitted
    high: Emitted


def linear(to: Expressions, expr: Expr, bag: str, size: int, names: Names) -> Sum | None:
    """Read an expression as a weighted sum of the counts of a bag; None if it is none."""
    none = (0,) * size
    if bag not in names_in(expr):
        return Sum(none, to.keep(to.value(expr, names)))
    match expr:
        case Pick():
            index = to.value(expr.index, names) if bag not in names_in(expr.index) else None
            if index is None or index.const is None:
                return None
            return Sum(tuple(int(k == index.const) for k in range(size)), number(0))
        case Binary(op="+" | "-" | "*"):
            left = linear(to, expr.left, bag, size, names)
            right = linear(to, expr.right, bag, size, names)
            if left is None or right is None:
                return None
            return _joined(expr.op, left, right)
        case Reduce(op="sum"):
            total = Sum(none, number(0))
            for i in range(expr.size):
                inner = {**names, expr.var: number(i)}
                if bag in names_in(expr.where):
                    return None
                where = to.test(expr.where, inner).const
                part = linear(to, expr.body, bag, size, inner) if where else None
                if where is None or (where and part is None):
                    return None
                if part is not None:
                    total = _plus(total, part, 1)
            return total
        case _:
            return None


def _joined(op: str, left: Sum, right: Sum) -> Sum | None:
    """Add, subtract or multiply two sums, where one factor of a product must be a number."""
    if op == "*":
        if any(left.weights):
            left, right = right, left
        if any(left.weights) or left.rest.const is None:
            return None
        factor = left.rest.const
        return Sum(tuple(factor * w for w in right.weights), arithmetic("*", right.rest, left.rest))
    return _plus(left, right, 1 if op == "+" else -1)


def _plus(left: Sum, right: Sum, sign: int) -> Sum:
    weights = tuple(a + sign * b for a, b in zip(left.weights, right.weights, strict=True))
    return Sum(weights, arithmetic("+" if sign > 0 else "-", left.rest, right.rest))


def bound(to: Expressions, test: Expr, bag: str, size: int, names: Names) -> Bound | None:
    """Read a condition as a bound on a sum with weights that are not negative."""
    if not isinstance(test, Binary) or test.op not in ("==", "<=", "<", ">=", ">"):
        return None
    left = linear(to, test.left, bag, size, names)
    right = linear(to, test.right, bag, size, names)
    if left is None or right is None:
        return None
    whole, op = _plus(left, right, -1), str(test.op)
    weights, limit = whole.weights, arithmetic("-", number(0), whole.rest)
    if all(w <= 0 for w in weights):
        weights, limit = tuple(-w for w in weights), whole.rest
        op = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}.get(op, op)
    if any(w < 0 for w in weights) or not any(weights):
        return None
    low = {"==": 0, ">=": 0, ">": 1}.get(op)
    high = {"==": 0, "<=": 0, "<": -1}.get(op)
    return Bound(weights, _end(to, limit, low, -FAR), _end(to, limit, high, FAR))


def _end(to: Expressions, limit: Emitted, moved: int | None, none: int) -> Emitted:
    if moved is None:
        return number(none)
    value = to.keep(arithmetic("+", limit, number(moved)))
    return to.keep(to.extreme("max", to.extreme("min", value, number(FAR)), number(-FAR)))


def high_of(to: Expressions, param: Param, names: Names) -> int:
    """Return the most cards of one kind that a bag may hold, whatever the state."""
    probe = Emitted(b"\x20\x00", 0, param.domain.high)
    value, _ = to.apart(lambda: to.value(param.most or TRUE, {**names, param.var: probe}))
    if value.high >= 1 << 16:
        raise UnsupportedError("a bag of more than 65535 cards of a kind")
    return max(value.high, 0)


def each_vector(to: Expressions, param: Param, names: Names, tests: Sequence[Expr],
                inner: Callable[[EmittedBag, list[Expr], int], None]) -> None:
    """Write the loop over the ways to choose from a bag.

    `inner` writes what is done for each, given the bag, the tests still to be made, and the label
    at which the next way is tried.
    """
    size, unit, f = param.domain.high + 1, to.unit, to.function
    high = high_of(to, param, names)
    at = unit.module.room(2 * size)
    vector = EmittedBag(const(at).code, 0, size, high)
    limit: Bound | None = None
    left: list[Expr] = []
    for test in tests:
        found = bound(to, test, param.name, size, {**names, param.name: vector}) if (
            limit is None) else None
        if found is None:
            left.append(test)
        limit = limit or found
    weights = limit.weights if limit else (0,) * size
    if high * sum(weights) >= FAR or max(weights) >= FAR:
        raise UnsupportedError("a sum over a bag is too large")
    with f.block() as done:
        odometer = _Odometer(to, weights, limit, at)
        with to.inside():
            odometer.prepare(param, names, done)
            odometer.run(done, lambda label: inner(vector, left, label))


class _Odometer:
    """The enumeration itself, over static memory."""

    def __init__(self, to: Expressions, weights: tuple[int, ...], limit: Bound | None,
                 vector: int) -> None:
        self.to, self.f, self.vector = to, to.function, vector
        self.size = len(weights)
        self.low = Val(limit.low.code) if limit else None
        self.high = Val(limit.high.code) if limit else None
        room = to.unit.module.room
        self.most, self.kinds = room(4 * self.size), room(4 * self.size)
        self.total, self.rest = room(4 * self.size + 4), room(4 * self.size + 4)
        self.weights = room(4 * self.size)
        row = b"".join(w.to_bytes(4, "little") for w in weights)
        to.unit.module.data.append((self.weights, row))
        self.count = self.f.var(0)

    def _get(self, at: int, index: Val) -> Val:
        return load("i32", index << 2, at)

    def _put(self, at: int, index: Val, value: Val | int) -> None:
        self.f.store("i32", index << 2, value, at)

    def prepare(self, param: Param, names: Names, done: int) -> None:
        """Find how many there may be of each kind, and what later kinds can add to the sum."""
        f, to, count = self.f, self.to, self.count
        f.set(count, 0)
        kind = f.var(0)
        with f.loop() as again, to.inside():
            names = {**names, param.var: Emitted(kind.code, 0, self.size - 1)}
            value = to.value(param.most or TRUE, names)
            if value.wide:
                raise UnsupportedError("the size of a bag has more than 32 bits")
            most = f.var(Val(value.code))
            f.branch(done, most.op("<", 0))
            self._put(self.most, kind, most)
            self._put(self.kinds, count, kind)
            f.store("u16", kind << 1, 0, self.vector)
            f.set(count, count + most.op(">", 0))
            f.set(kind, kind + 1)
            f.branch(again, kind.op("<", self.size))
        self._put(self.rest, count, 0)
        f.set(kind, count)
        with f.block() as out, f.loop() as again:
            f.branch(out, kind.zero)
            f.set(kind, kind - 1)
            this = f.var(self._get(self.kinds, kind))
            more = self._get(self.most, this) * self._get(self.weights, this)
            self._put(self.rest, kind, self._get(self.rest, kind + 1) + more)
            f.branch(again)

    def run(self, done: int, inner: Callable[[int], None]) -> None:
        """Go through the vectors."""
        f, count, vector = self.f, self.count, self.vector
        place, ways = f.var(0), f.var(0)
        self._put(self.total, const(0), 0)
        with f.when(count):
            f.store("u16", self._get(self.kinds, place) << 1, 0xFFFF, vector)
        with f.loop() as again:
            with f.when(place.op("==", count)):
                f.set(ways, ways + 1)
                with f.when(ways.op(">", MOST_CHOICES)):
                    f.store("i32", const(0), TOO_MANY, self.to.unit.error)
                    f.fail()
                with f.block() as following, self.to.inside():
                    if self.low is not None and self.high is not None:
                        total = f.var(self._get(self.total, count))
                        f.branch(following, total.op("<", self.low) | total.op(">", self.high))
                    inner(following)
                f.set(place, place - 1)
                f.branch(done, place.op("<", 0))
            kind = f.var(self._get(self.kinds, place))
            many = f.var((load("u16", kind << 1, vector) + 1) & 0xFFFF)
            now = f.var(self._get(self.total, place) + many * self._get(self.weights, kind))
            over = many.op(">", self._get(self.most, kind))
            if self.high is not None:
                over = over | now.op(">", self.high)
            with f.when(over):
                f.store("u16", kind << 1, 0, vector)
                f.set(place, place - 1)
                f.branch(done, place.op("<", 0))
                f.branch(again)
            f.store("u16", kind << 1, many, vector)
            if self.low is not None:
                f.branch(again, (now + self._get(self.rest, place + 1)).op("<", self.low))
            f.set(place, place + 1)
            self._put(self.total, place, now)
            with f.when(place.op("<", count)):
                f.store("u16", self._get(self.kinds, place) << 1, 0xFFFF, vector)
            f.branch(again)
