"""Interval arithmetic: the range of the result of an operator, from the ranges of its operands."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Range = tuple[int, int]


def _products(a: Range, b: Range) -> Range:
    ends = [x * y for x in a for y in b]
    return min(ends), max(ends)


def _quotient(a: Range, b: Range) -> Range:
    if b[0] > 0:
        ends = [x // y for x in a for y in b]
        return min(ends), max(ends)
    most = max(abs(a[0]), abs(a[1]))
    return -most, most


def _remainder(a: Range, b: Range) -> Range:
    if 0 <= a[0] <= a[1] < b[0]:
        return a
    return min(b[0] + 1, 0), max(b[1] - 1, 0)


RANGES: Mapping[str, Callable[[Range, Range], Range]] = {
    "+": lambda a, b: (a[0] + b[0], a[1] + b[1]),
    "-": lambda a, b: (a[0] - b[1], a[1] - b[0]),
    "*": _products,
    "//": _quotient,
    "%": _remainder,
    "min": lambda a, b: (min(a[0], b[0]), min(a[1], b[1])),
    "max": lambda a, b: (max(a[0], b[0]), max(a[1], b[1])),
}
"""Of the operators that give numbers; rounding and division by 0 as in the core language."""


def decided(op: str, a: Range, b: Range) -> bool | None:
    """Give the truth of a comparison where the ranges of its sides decide it."""
    if op in (">", ">="):
        a, b, op = b, a, "<" if op == ">" else "<="
    if op == "<":
        return True if a[1] < b[0] else False if a[0] >= b[1] else None
    if op == "<=":
        return True if a[1] <= b[0] else False if a[0] > b[1] else None
    if a[1] < b[0] or a[0] > b[1]:
        return op == "!="
    if a[0] == a[1] == b[0] == b[1]:
        return op == "=="
    return None


def joined(*ranges: Range) -> Range:
    """Give the least range that holds all these."""
    return min(low for low, _ in ranges), max(high for _, high in ranges)
