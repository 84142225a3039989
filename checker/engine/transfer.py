"""Taking a packed state of one machine over into another one of the same game."""

from __future__ import annotations

from collections.abc import Callable

from ..packed.packing import Slot
from .program import Program


def transfer(source: Program, target: Program) -> Callable[[bytes], bytes]:
    """Make what gives a state of one machine in another.

    That is: the same values by name, at the node of that name; what only the other has, as at the
    start.
    """
    there = {node.name: node.id for node in target.machine.nodes if node.kind != "rules"}
    names = {node.id: node.name for node in source.machine.nodes}
    heads = tuple(
        target.layout.rank(there[names[rest]]).to_bytes(target.layout.head, "little")
        if names[rest] in there else None for rest in source.layout.rests)
    parts: list[Callable[[bytes], bytes]] = []
    cut: tuple[int, int] | None = None
    for name, slot in target.layout.slots.items():
        mine = source.layout.slots.get(name)
        same = mine is not None and (mine.size, mine.form, mine.array.low) == (
            slot.size, slot.form, slot.array.low)
        if mine is None or not same:
            cut = None
        elif cut is not None and cut[1] == mine.start:
            cut = (cut[0], mine.end)
            parts.pop()
        else:
            cut = (mine.start, mine.end)
        parts.append(_part_of(cut, mine, slot))

    def moved(packed: bytes) -> bytes:
        head = heads[source.rank(packed)]
        if head is None:
            raise ValueError("there is no such node in the other machine")
        return head + b"".join(part(packed) for part in parts)

    return moved


def _part_of(
    cut: tuple[int, int] | None, mine: Slot | None, slot: Slot
) -> Callable[[bytes], bytes]:
    """Make what gives one array of the other machine: a cut, what it starts as, or packed anew."""
    if cut is not None:
        start, end = cut
        return lambda packed: packed[start:end]
    if mine is None or mine.size != slot.size:
        fresh = slot.pack(slot.array.start)
        return lambda _: fresh
    return lambda packed: slot.pack(mine.unpack(packed))
