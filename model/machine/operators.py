"""What the binary operators of the core language come to, once for every reader of it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping

from .core import BinaryOp

COMPARISONS: Mapping[BinaryOp, Callable[[int, int], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}

ARITHMETIC: Mapping[BinaryOp, Callable[[int, int], int]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "//": lambda left, right: left // right if right else 0,
    "%": lambda left, right: left % right if right else 0,
    "min": min,
    "max": max,
}

_ALL: Mapping[BinaryOp, Callable[[int, int], int]] = {
    **ARITHMETIC,
    **COMPARISONS,
    "and": lambda left, right: bool(left and right),
    "or": lambda left, right: bool(left or right),
}


def apply(op: BinaryOp, left: int, right: int) -> int:
    """Return `left op right`, as `core.Binary` defines it."""
    return int(_ALL[op](left, right))
