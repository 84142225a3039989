"""Whether an order that nobody states matters: run both orders to the end and compare the results.

Lock-step comparison would call the dealing of cards order-dependent, because the first card goes to
somebody else.  What counts is what can come out: for every situation in which the effects are about
to run, the set of situations in which they can end under each order (the sets of normal forms of
the two rewritings; cf. Newman, 1942).  The machine is compiled with a rest before and after the
effects (`compile_game(pauses=…)`), so both sets are found by plain exploration between two rests.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ..search.labels import Labels

if TYPE_CHECKING:
    from collections.abc import Callable

    from ...model.machine.machine import Machine
    from ..generated.codegen import Program
    from ..generated.packing import Slot
    from ..search.labels import Label
    from ..search.workbench import Instance

GO_ON = "go on"


@dataclass(frozen=True, slots=True)
class Parting:
    """A situation from which one order can lead where the other cannot.

    `play` leads to the situation; `inside` from there to the result that only `reading` allows.
    """

    play: tuple[Label, ...]
    inside: tuple[Label, ...]
    reading: int
    level: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """The outcome: a parting or none, the number of situations compared, and whether it was all."""

    parting: Parting | None
    situations: int
    complete: bool


def compare_orders(
    first: Instance, second: Instance, *, limit: int = 150_000, inside: int = 5_000
) -> Comparison:
    """Compare two instances that differ in an order and pause around it.

    Args:
        first: the instance under one order, compiled with pauses.
        second: the same under the other order.
        limit: how many states of the game to look at in search of situations.
        inside: how many states to look at between the pauses of one situation.

    """
    a, b = Labels(first.program), Labels(second.program)
    before = {node.id for node in first.compiled.machine.nodes if node.name.startswith("before ")}
    ahead = _leads_to(first.compiled.machine, before)
    moved = transfer(first.program, second.program)
    start = first.program.start()[0]
    parents: list[tuple[int, Label | None]] = [(-1, None)]
    seen = {start}
    queue = [start]
    situations = 0
    complete = True
    place = 0
    while place < len(queue):
        state = queue[place]
        node = first.program.layout.rests[first.program.rank(state)]
        if node not in ahead:
            place += 1
            continue
        if node in before:
            situations += 1
            twin = moved(state)
            ends, whole = _ends(a, state, inside)
            other_ends, whole_too = _ends(b, twin, inside)
            complete = complete and whole and whole_too
            parting = _part(a, ends, other_ends, _play(parents, place))
            if parting is not None:
                return Comparison(parting, situations, complete=False)
        for label, move in a.legal(state).items():
            if move[2] not in seen and move[2] is not None:
                seen.add(move[2])
                queue.append(move[2])
                parents.append((place, label))
        place += 1
        if place >= limit:
            complete = complete and place >= len(queue)
            break
    return Comparison(None, situations, complete)


def _leads_to(machine: Machine, goals: set[int]) -> set[int]:
    """Name the nodes from which, by the edges alone, some goal can still be reached."""
    back: dict[int, set[int]] = {}
    for node in machine.nodes:
        for edge in node.edges:
            back.setdefault(edge.target, set()).add(node.id)
    found, todo = set(goals), list(goals)
    while todo:
        for source in back.get(todo.pop(), ()):
            if source not in found:
                found.add(source)
                todo.append(source)
    return found


Ends = dict[bytes, tuple["Label", ...]]


def _part(a: Labels, ends: Ends, other: Ends, play: tuple[Label, ...]) -> Parting | None:
    """Find a result that one side lacks; the important levels first, then the shortest way."""
    del a
    for reading, (mine, theirs) in enumerate(((ends, other), (other, ends))):
        extra = [key for key in mine if key not in theirs]
        if extra:
            key = min(extra, key=lambda k: (len(mine[k]), k))
            mine_wins = {k[:1] for k in mine if k[:1] == b"\x01"}
            theirs_wins = {k[:1] for k in theirs if k[:1] == b"\x01"}
            level = 1 if mine_wins != theirs_wins else 3
            return Parting(play, mine[key], reading, level)
    return None


def _ends(labels: Labels, start: bytes, limit: int) -> tuple[Ends, bool]:
    """Explore from a pause to the pauses after it; give what is declared there, and the way."""
    program = labels.program
    after = labels.place(start).replace("before ", "after ", 1)
    ends: Ends = {}
    seen = {start}
    queue: list[tuple[bytes, tuple[Label, ...]]] = [(start, ())]
    place = 0
    while place < len(queue):
        state, way = queue[place]
        place += 1
        if labels.place(state) == after or program.kind(state) == "final":
            over = b"\x01" if program.kind(state) == "final" else b"\x00"
            ends.setdefault(over + labels.declared(state), way)
            continue
        for label, move in labels.legal(state).items():
            if move[2] is not None and move[2] not in seen:
                seen.add(move[2])
                queue.append((move[2], (*way, label)))
        if place >= limit:
            return ends, place >= len(queue)
    return ends, True


def transfer(source: Program, target: Program) -> Callable[[bytes], bytes]:
    """Make what gives a state of one machine in another.

    That is: the same values by name, at the node of that name; what only the other has, as at the
    start.
    """
    there = {node.name: node.id for node in target.machine.nodes if node.kind != "rules"}
    names = {node.id: node.name for node in source.machine.nodes}
    heads = tuple(
        target.layout.rank(there[names[rest]]).to_bytes(target.layout.head, "little")
        if names[rest] in there
        else None
        for rest in source.layout.rests
    )
    parts: list[Callable[[bytes], bytes]] = []
    cut: tuple[int, int] | None = None
    for name, slot in target.layout.slots.items():
        mine = source.layout.slots.get(name)
        same = mine is not None and (mine.size, mine.form, mine.array.low) == (
            slot.size,
            slot.form,
            slot.array.low,
        )
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
    if cut is not None:
        start, end = cut
        return lambda packed: packed[start:end]
    if mine is None or mine.size != slot.size:
        fresh = slot.pack(slot.array.start)
        return lambda _: fresh
    return lambda packed: slot.pack(mine.unpack(packed))


def _play(parents: list[tuple[int, Label | None]], place: int) -> tuple[Label, ...]:
    made: list[Label] = []
    while place > 0:
        place, label = parents[place]
        assert label is not None
        made.append(label)
    return tuple(reversed(made))


def without_pauses(play: tuple[Label, ...]) -> tuple[Label, ...]:
    """Drop the moves that only leave a pause."""
    return tuple(label for label in play if f": {GO_ON}(" not in label[1])
