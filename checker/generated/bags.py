"""Choosing cards from a bag: all vectors of counts, with sums bounded early.

A restriction such as "at most two cards" is a bound on a weighted sum of the counts.  The generator
finds one such bound in `where` (`linear`), and `Vectors` never builds a vector that breaks it.  The
vectors for given limits are kept, since the same few hands come up again and again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ...model.machine.core import Binary, Expr, Pick, Reduce
from ...model.machine.traversal import names
from .formulas import Formulas
from .pieces import Piece, add, literal, multiply, subtract
from .scope import Scope

MOST_KEPT = 200_000
"""How many vectors are kept for reuse."""

MOST_CHOICES = 1_000_000
"""How many ways to choose are too many."""


class TooManyChoicesError(RuntimeError):
    """A bag parameter has more values than can be listed."""


class Vectors:
    """All vectors of counts within limits, in ascending order."""

    def __init__(
        self, weights: Sequence[int], keep: Callable[[tuple[int, ...]], object] | None
    ) -> None:
        self.weights = tuple(weights)
        self.keep = keep
        self.cache: dict[tuple[Sequence[int], int, int], tuple[tuple[int, ...], ...]] = {}
        self.kept = 0

    def __call__(self, most: Sequence[int], low: int, high: int) -> tuple[tuple[int, ...], ...]:
        """List the vectors with 0 <= v[k] <= most[k] and low <= weights . v <= high."""
        key = (bytes(most) if isinstance(most, bytearray) else most, low, high)
        found = self.cache.get(key)
        if found is None:
            found = tuple(self._all(most, low, high))
            self.kept += len(found) + 1
            if self.kept > MOST_KEPT:
                self.cache.clear()
                self.kept = len(found) + 1
            self.cache[key] = found
        return found

    def _all(self, most: Sequence[int], low: int, high: int) -> Iterator[tuple[int, ...]]:
        if any(count < 0 for count in most):
            return
        tops = [w * m for w, m in zip(self.weights, most, strict=True)]
        rest = [sum(tops[k:]) for k in range(len(tops) + 1)]
        vector, total, count = [-1] * len(tops), [0] * (len(tops) + 1), 0
        k = 0
        while k >= 0:
            if k == len(tops):
                count += 1
                if count > MOST_CHOICES:
                    raise TooManyChoicesError(f"more than {MOST_CHOICES} ways to choose cards")
                chosen = tuple(vector)
                if total[k] >= low and (self.keep is None or self.keep(chosen)):
                    yield chosen
                k -= 1
                continue
            vector[k] += 1
            now = total[k] + vector[k] * self.weights[k]
            if vector[k] > most[k] or now > high:
                vector[k] = -1
                k -= 1
            elif now + rest[k + 1] >= low:
                total[k + 1] = now
                k += 1


# ------------------------------------------------------------------------- generated side


@dataclass(frozen=True, slots=True)
class Sum:
    """A weighted sum of the counts of a bag, and what is added to it."""

    weights: tuple[int, ...]
    rest: Piece


@dataclass(frozen=True, slots=True)
class Bound:
    """low <= weights . counts <= high, where None is no bound."""

    weights: tuple[int, ...]
    low: Piece | None
    high: Piece | None


def linear(formulas: Formulas, expr: Expr, bag: str, scope: Scope) -> Sum | None:
    """Read an expression as a weighted sum of the counts of a bag; None if it is none."""
    none = (0,) * len(scope.bag(bag).highs)
    if bag not in names(expr):
        return Sum(none, formulas.piece(expr, scope))
    match expr:
        case Pick() if expr.name == bag:
            index = formulas.piece(expr.index, scope)
            if index.const is None:
                return None
            weights = tuple(int(k == index.const) for k in range(len(none)))
            return Sum(weights, literal(0))
        case Binary(op="+" | "-" | "*"):
            left = linear(formulas, expr.left, bag, scope)
            right = linear(formulas, expr.right, bag, scope)
            if left is None or right is None:
                return None
            return combine(expr.op, left, right)
        case Reduce(op="sum"):
            total = Sum(none, literal(0))
            for i in range(expr.size):
                inner = scope.bind(expr.var, literal(i))
                where = formulas.test(expr.where, inner).const
                if where is None:
                    return None
                if where:
                    part = linear(formulas, expr.body, bag, inner)
                    if part is None or part.rest.const is None:
                        return None
                    total = plus(total, part, 1)
            return total
        case _:
            return None


def combine(op: str, left: Sum, right: Sum) -> Sum | None:
    """Add, subtract or multiply two sums, where one factor of a product must be a number."""
    if op == "*":
        if any(left.weights):
            left, right = right, left
        if any(left.weights) or left.rest.const is None:
            return None
        factor = left.rest.const
        return Sum(tuple(factor * w for w in right.weights), multiply(right.rest, left.rest))
    return plus(left, right, 1 if op == "+" else -1)


def plus(left: Sum, right: Sum, sign: int) -> Sum:
    """Add a sum, or subtract it."""
    weights = tuple(a + sign * b for a, b in zip(left.weights, right.weights, strict=True))
    rest = add([left.rest, right.rest]) if sign > 0 else subtract(left.rest, right.rest)
    return Sum(weights, rest)


def bound(formulas: Formulas, test: Expr, bag: str, scope: Scope) -> Bound | None:
    """Read a condition as a bound on a sum with weights that are not negative."""
    if not isinstance(test, Binary) or test.op not in ("==", "<=", "<", ">=", ">"):
        return None
    left = linear(formulas, test.left, bag, scope)
    right = linear(formulas, test.right, bag, scope)
    if left is None or right is None:
        return None
    whole, op = plus(left, right, -1), str(test.op)
    weights, limit = whole.weights, subtract(literal(0), whole.rest)
    if all(w <= 0 for w in weights):
        weights, limit = tuple(-w for w in weights), whole.rest
        op = {"<=": ">=", "<": ">", ">=": "<=", ">": "<"}.get(op, op)
    if any(w < 0 for w in weights) or not any(weights):
        return None
    return Bound(
        weights,
        low={"==": limit, ">=": limit, ">": add([limit], 1)}.get(op),
        high={"==": limit, "<=": limit, "<": add([limit], -1)}.get(op),
    )
