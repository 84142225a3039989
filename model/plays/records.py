"""Records: where the fields of a pool lie in the state vector, and what a record holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from ..machine.machine import Array, Machine
from ..run.shape import Shape, shape_of
from .board import JSON, show_value

RECORD = "record:"


@dataclass(frozen=True, slots=True)
class PoolLayout:
    """The arrays of a pool: its sizes, and one for each field, with where each starts."""

    name: str
    size: Array
    fields: Mapping[str, tuple[Array, int]]
    first: int
    """Where the sizes start in the state vector."""

    @property
    def owners(self) -> range:
        """The seats that have records of their own; 0 if nobody does."""
        return range(self.size.size)

    def where(self, owner: int, index: int) -> Iterator[tuple[str, Array, int]]:
        """Give each field of a record: its name, its array, its place in the state vector."""
        for name, (array, first) in self.fields.items():
            yield name, array, first + owner * array.dims[-1] + index


_POOLS: WeakKeyDictionary[Shape, tuple[PoolLayout, ...]] = WeakKeyDictionary()


def pools(machine: Machine) -> tuple[PoolLayout, ...]:
    """Find the pools of a machine by the names of their arrays: `army.size`, `army.card`."""
    shape = shape_of(machine)
    if shape not in _POOLS:
        _POOLS[shape] = _pools(machine, shape.offsets)
    return _POOLS[shape]


def _pools(machine: Machine, offsets: Mapping[str, int]) -> tuple[PoolLayout, ...]:
    found: list[PoolLayout] = []
    for array in machine.arrays:
        name, dot, last = array.name.rpartition(".")
        if not dot or last != "size" or not array.declared:
            continue
        fields = {
            each.name.removeprefix(f"{name}."): (each, offsets[each.name])
            for each in machine.arrays
            if each.name.startswith(f"{name}.") and len(each.dims) == len(array.dims) + 1
        }
        found.append(PoolLayout(name, array, fields, offsets[array.name]))
    return tuple(found)


def fields_of(
    machine: Machine, pool: PoolLayout, values: Sequence[int], owner: int, index: int
) -> dict[str, JSON]:
    """Show what a record holds, field by field."""
    return {
        name: show_value(machine, array.domain, values[place])
        for name, array, place in pool.where(owner, index)
    }
