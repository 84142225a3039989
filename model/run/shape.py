"""Where core code runs: the places of a machine's arrays, a state in the making, local names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from typing import Any
from weakref import WeakValueDictionary

from ..machine.core import Expr, Stmt
from ..machine.machine import Array, Machine
from ..machine.state import Arg, Move, State, Transition
from .watched import RunListener

Locals = Mapping[str, Arg]
"""Values by name: a number each, for a bag parameter one count per card kind."""

NOTHING: Locals = {}

Meaning = Callable[[Sequence[int], Locals], int]
"""What an expression is worth, given the state vector and the local names."""

Effect = Callable[["Execution", Locals], None]
"""What a statement does to a run, given the local names."""

Reads = dict[tuple[str, int], None]
"""Tables and places in them."""


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Shape:
    """What of a machine the core language needs: the places of the arrays, and the tables.

    It keeps the meanings that were made already, by the identity of what they are the meanings of.
    """

    arrays: Mapping[str, Array]
    offsets: Mapping[str, int]
    tables: Mapping[str, tuple[int, ...]]
    machine: Machine | None = None
    listener: RunListener | None = None
    reads: Reads | None = None
    """Where it is noted what is read from tables, in its order."""
    meanings: dict[int, tuple[Expr, Meaning]] = field(default_factory=dict, repr=False)
    effects: dict[int, tuple[tuple[Stmt, ...], Effect]] = field(default_factory=dict, repr=False)
    steps: dict[tuple[State, Move], Transition] = field(default_factory=dict, repr=False)
    """What moves have led to, as long as nobody listens."""

    @property
    def watched(self) -> bool:
        """Whether somebody wants to be told what happens."""
        return self.listener is not None or self.reads is not None

    def __reduce__(self) -> tuple[Any, ...]:
        """Leave the meanings behind when copied to another process."""
        return Shape, (self.arrays, self.offsets, self.tables, self.machine)

    def place(self, array: Array, index: Sequence[int]) -> int | None:
        """Find an element in the state vector; None if the index lies outside the array."""
        place = 0
        for i, size in zip(index, array.dims, strict=True):
            if not 0 <= i < size:
                return None
            place = place * size + i
        return self.offsets[array.name] + place


_SHAPES: WeakValueDictionary[int, Shape] = WeakValueDictionary()
"""By the identity of the machine, which a shape keeps alive."""


def shape_of(
    machine: Machine, listener: RunListener | None = None, reads: Reads | None = None
) -> Shape:
    """Lay out the arrays of a machine one after the other; the same machine, the same shape.

    With a listener the shape is made anew, and the meanings in it tell the listener what happens;
    so it is with `reads`, where it is noted what is read from tables.
    """
    plain = listener is None and reads is None
    shape = _SHAPES.get(id(machine)) if plain else None
    if shape is None:
        offsets = accumulate((array.size for array in machine.arrays), initial=0)
        shape = Shape(
            arrays={array.name: array for array in machine.arrays},
            offsets={array.name: offset
                     for array, offset in zip(machine.arrays, offsets, strict=False)},
            tables=machine.tables, machine=machine, listener=listener, reads=reads)
        if plain:
            _SHAPES[id(machine)] = shape
    return shape


@dataclass(slots=True)
class Execution:
    """A state vector in the making, and what is recorded on the way."""

    values: list[int]
    edges: list[int] = field(default_factory=list)
    cites: dict[str, None] = field(default_factory=dict)
    notes: list[int] = field(default_factory=list)
