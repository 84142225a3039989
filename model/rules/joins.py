"""What two types have in common: whether they compare, what holds either, what they come to."""

from __future__ import annotations

from dataclasses import replace

from ..game.game import Ty
from .meanings import INT_LIMIT


def comparable(left: Ty, right: Ty) -> bool:
    """Say whether `==` between two types can be true."""
    return "none" in (left.kind, right.kind) or (left.kind, left.name) == (right.kind, right.name)


def join(left: Ty, right: Ty) -> Ty | None:
    """Give the type of a value that is one or the other, or None if there is none."""
    if left.kind == "none":
        return replace(right, optional=True)
    if right.kind == "none":
        return replace(left, optional=True)
    if (left.kind, left.name) != (right.kind, right.name):
        return None
    return replace(left, low=min(left.low, right.low), high=max(left.high, right.high),
                   optional=left.optional or right.optional)


def interval(op: str, left: Ty, right: Ty) -> Ty:
    """Give the range of `left op right`, from those of the two."""
    a, b, c, d = left.low, left.high, right.low, right.high
    if op == "+":
        low, high = a + c, b + d
    elif op == "-":
        low, high = a - d, b - c
    elif op == "*":
        ends = (a * c, a * d, b * c, b * d)
        low, high = min(ends), max(ends)
    elif op == "//":
        most = max(abs(a), abs(b))
        low, high = (0 if a >= 0 and c >= 0 else -most), most
    else:
        low, high = min(0, c + 1), max(0, d - 1)
    return Ty("int", low=max(low, -INT_LIMIT), high=min(high, INT_LIMIT))
