"""Noting what is read from tables, the values of cards: only what counts for the outcome.

What comes out is the same; but a factor is not read beside nought, nor a condition that chooses
between equal values.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..machine.core import Expr, Table
from ..machine.traversal import within
from .shape import Locals, Meaning, Reads


def inside(expr: Expr) -> bool:
    """Return whether a table is read in an expression."""
    return any(isinstance(each, Table) for each in within(expr))


def noted(reads: Reads, table: str, items: Sequence[int], at: Meaning) -> Meaning:
    """Read an element of a table, 0 beyond its ends, and note which."""
    def read(values: Sequence[int], names: Locals) -> int:
        place = at(values, names)
        if not 0 <= place < len(items):
            return 0
        reads[table, place] = None
        return items[place]

    return read


def choice(asked: Meaning, yes: Meaning, no: Meaning) -> Meaning:
    """Choose between two values, and ask which only if they are not the same."""
    def chosen(values: Sequence[int], names: Locals) -> int:
        one, other = yes(values, names), no(values, names)
        return one if one == other or asked(values, names) else other

    return chosen


def product(one: Meaning, other: Meaning) -> Meaning:
    """Multiply; the second factor is looked at only if it counts."""
    def multiplied(values: Sequence[int], names: Locals) -> int:
        times = one(values, names)
        return times * other(values, names) if times else 0

    return multiplied
