"""States as bytes: the form in which millions of them are kept, hashed and compared.

First comes the number of the rest (its rank among the machine's rests, in one byte, or two where
there are more than 256), then every element of every array in the order of the state vector, as
value - low in 1, 2 or 4 bytes (little end first) as the array's range needs.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...model.machine.machine import Array, Machine
from ...model.machine.state import State

WIDTHS = (1, 2, 4)
FORMS = {1: "B", 2: "H", 4: "I"}


@dataclass(frozen=True, slots=True)
class Slot:
    """The place of an array: `start` is the offset of its first byte, `width` bytes an element."""

    array: Array
    start: int
    width: int
    strides: tuple[int, ...]
    size: int
    end: int
    """The number of elements, and the offset behind the last byte."""

    def pack(self, values: Sequence[int]) -> bytes:
        """Pack the elements of the array."""
        low = self.array.low
        return struct.pack(self.form, *((value - low for value in values) if low else values))

    def unpack(self, packed: bytes) -> Sequence[int]:
        """Return the elements of the array in a packed state."""
        low, found = self.array.low, struct.unpack_from(self.form, packed, self.start)
        return [value + low for value in found] if low else found

    @property
    def form(self) -> str:
        """The bytes in the notation of `struct`."""
        return f"<{self.size}{FORMS[self.width]}"


@dataclass(frozen=True, slots=True)
class Layout:
    """How the states of a machine are packed."""

    slots: Mapping[str, Slot]
    rests: tuple[int, ...]
    head: int
    length: int

    def rank(self, node: int) -> int:
        """Return the number of a rest."""
        return self.rests.index(node)

    def pack(self, state: State) -> bytes:
        """Pack a state at a rest."""
        return self.rank(state.node).to_bytes(self.head, "little") + self.pack_values(state.values)

    def pack_values(self, values: Sequence[int]) -> bytes:
        """Pack the elements of a state."""
        parts: list[bytes] = []
        first = 0
        for slot in self.slots.values():
            parts.append(slot.pack(values[first : first + slot.size]))
            first += slot.size
        return b"".join(parts)

    def unpack(self, packed: bytes) -> State:
        """Unpack a state."""
        values: list[int] = []
        for slot in self.slots.values():
            values += slot.unpack(packed)
        return State(self.rests[int.from_bytes(packed[: self.head], "little")], tuple(values))


def layout_of(machine: Machine) -> Layout:
    """Lay out the arrays of a machine as bytes."""
    rests = tuple(node.id for node in machine.nodes if node.kind != "rules")
    head = 1 if len(rests) <= 256 else 2
    slots: dict[str, Slot] = {}
    place = head
    for array in machine.arrays:
        width, size = width_of(array), array.size
        end = place + width * size
        slots[array.name] = Slot(array, place, width, strides_of(array), size, end)
        place = end
    return Layout(slots, rests, head, place)


def width_of(array: Array) -> int:
    """Return how many bytes an element needs."""
    for width in WIDTHS:
        if array.high - array.low < 1 << 8 * width:
            return width
    raise ValueError(f"the range of `{array.name}` does not fit into {8 * WIDTHS[-1]} bits")


def strides_of(array: Array) -> tuple[int, ...]:
    """Say by how many bytes one step along each dimension moves."""
    strides: list[int] = []
    step = width_of(array)
    for size in reversed(array.dims):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))
