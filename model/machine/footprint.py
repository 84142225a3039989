"""Which elements of the state a piece of the core language can read and write, found by reading it.

An index that is a constant or a loop variable (or a sum of such) names a range of places in its
dimension, any other the whole dimension; so an access is a box of places.  Boxes that do not meet
prove that two pieces do not touch each other; boxes that meet prove nothing.  Cost: linear in the
text, loops are not unrolled.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from . import core
from .machine import Array
from .traversal import blocks, directly, parts

Range = tuple[int, int]
"""The least and the greatest value."""


@dataclass(frozen=True, slots=True)
class Box:
    """A block of places of one array: a range for each dimension."""

    array: str
    ranges: tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class Footprint:
    """What can be read and written, and the obligations that can be noted."""

    reads: frozenset[Box]
    writes: frozenset[Box]
    notes: frozenset[int]


def footprint(body: Iterable[core.Stmt], arrays: Mapping[str, Array]) -> Footprint:
    """Find what statements read, write and note."""
    walk = _Walk(arrays)
    walk.statements(body, {})
    return Footprint(frozenset(walk.reads), frozenset(walk.writes), frozenset(walk.notes))


def reads_of(expr: core.Expr, arrays: Mapping[str, Array]) -> frozenset[Box]:
    """Find what an expression reads."""
    walk = _Walk(arrays)
    walk.expression(expr, {})
    return frozenset(walk.reads)


@dataclass(slots=True)
class _Walk:
    arrays: Mapping[str, Array]
    reads: dict[Box, None] = field(default_factory=dict)
    writes: dict[Box, None] = field(default_factory=dict)
    notes: dict[int, None] = field(default_factory=dict)

    def statements(self, body: Iterable[core.Stmt], loops: Mapping[str, Range]) -> None:
        for statement in body:
            inner = loops
            if isinstance(statement, core.Fill | core.For):
                inner = {**loops, statement.var: (0, statement.size - 1)}
            self.expressions(directly(statement), inner)
            match statement:
                case core.Store(array, index):
                    self.writes.update(self.box(array, index, loops))
                case core.Fill(array, prefix, var):
                    self.writes.update(self.box(array, (*prefix, core.Local(var)), inner))
                case core.Note(obligation):
                    self.notes[obligation] = None
                case core.For(size=0):
                    continue
                case _:
                    pass
            for block in blocks(statement):
                self.statements(block, inner)

    def expressions(self, several: Iterable[core.Expr], loops: Mapping[str, Range]) -> None:
        for one in several:
            self.expression(one, loops)

    def expression(self, expr: core.Expr, loops: Mapping[str, Range]) -> None:
        if isinstance(expr, core.Load):
            self.reads.update(self.box(expr.array, expr.index, loops))
        if isinstance(expr, core.Reduce):
            loops = {**loops, expr.var: (0, expr.size - 1)}
        self.expressions(parts(expr), loops)

    def box(
        self, name: str, index: tuple[core.Expr, ...], loops: Mapping[str, Range]
    ) -> dict[Box, None]:
        """Find the places that an index can name: one box, or none at all."""
        ranges: list[Range] = []
        for one, size in zip(index, self.arrays[name].dims, strict=True):
            least, most = range_of(one, loops) or (0, size - 1)
            ranges.append((max(0, least), min(size - 1, most)))
        empty = any(least > most for least, most in ranges)
        return {} if empty else {Box(name, tuple(ranges)): None}


def range_of(index: core.Expr, loops: Mapping[str, Range]) -> Range | None:
    """Find the values that an index can have; None if only the state can tell."""
    match index:
        case core.Const(value):
            return value, value
        case core.Local(name):
            return loops.get(name)
        case core.Binary("+" | "-" as op, left, right):
            first, second = range_of(left, loops), range_of(right, loops)
            if first is None or second is None:
                return None
            if op == "-":
                second = (-second[1], -second[0])
            return first[0] + second[0], first[1] + second[1]
        case _:
            return None
