"""Interval arithmetic of the core language: where a result lies, given where its parts lie.

A span is a least and a greatest integer.  What is given here is always sound, and for one operator
on independent operands it is the least span there is, but for the rest of a division by several
divisors.  Division by 0 gives 0, as in the core.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Span = tuple[int, int]
_Division = Callable[[Span, Span], Span]


def binary(op: str, left: Span, right: Span) -> Span:
    """Return the span of `left op right`; that of a truth value for comparisons and connectives."""
    (a, b), (c, d) = left, right
    match op:
        case "+":
            return a + c, b + d
        case "-":
            return a - d, b - c
        case "*":
            corners = (a * c, a * d, b * c, b * d)
            return min(corners), max(corners)
        case "//":
            return _by_sign(left, right, _quotient)
        case "%":
            return _by_sign(left, right, _remainder)
        case "min":
            return min(a, c), min(b, d)
        case "max":
            return max(a, c), max(b, d)
        case _:
            return 0, 1


def hull(spans: Iterable[Span]) -> Span:
    """Return the least span that holds all of some, at least one."""
    lows, highs = zip(*spans, strict=True)
    return min(lows), max(highs)


def total(each: Span, most: int) -> Span:
    """Return the span of a sum of at most so many summands."""
    return most * min(0, each[0]), most * max(0, each[1])


def _by_sign(left: Span, right: Span, give: _Division) -> Span:
    """Divide by the positive divisors, by the negative ones, and by 0."""
    low, high = right
    found = [(0, 0)] if low <= 0 <= high else []
    if high > 0:
        found.append(give(left, (max(low, 1), high)))
    if low < 0:
        found.append(give(left, (low, min(high, -1))))
    return hull(found)


def _quotient(left: Span, right: Span) -> Span:
    corners = [a // b for a in left for b in right]
    return min(corners), max(corners)


def _remainder(left: Span, right: Span) -> Span:
    (a, b), (c, d) = left, right
    if d < 0:
        low, high = _remainder((-b, -a), (-d, -c))
        return -high, -low
    if c == d and a // c == b // c:
        return a % c, b % c
    if a >= 0:
        return (a, b) if b < c else (0, min(b, d - 1))
    return 0, d - 1
