"""Taking a packed state of one machine over into another one of the same game."""

from __future__ import annotations

from collections.abc import Callable

from ...model.machine.presence import settled
from ...model.machine.state import State
from ...model.machine.traversal import conjuncts
from ...model.run.evaluate import evaluate
from ...model.run.shape import shape_of
from .program import Program


def transfer(source: Program, target: Program) -> Callable[[bytes], bytes]:
    """Make what gives a state of one machine in another.

    That is: the same values by name, at the node of that name; what only the other has, as at the
    start.  Of nodes of one name, as versions of a sentence have, it is one that can be come to.
    """
    ways, there = _ways(target), dict[str, int]()
    for node in target.machine.nodes:
        if node.kind != "rules" and (node.name not in there or node.id in ways):
            there[node.name] = node.id
    names = {node.id: node.name for node in source.machine.nodes}
    rests = tuple(there.get(names[rest]) for rest in source.layout.rests)
    slots = [(source.layout.slots.get(name), slot) for name, slot in target.layout.slots.items()]

    def moved(packed: bytes) -> bytes:
        rest = rests[source.rank(packed)]
        if rest is None:
            raise ValueError("there is no such node in the other machine")
        return target.pack(State(rest, tuple(
            value for mine, slot in slots
            for value in (slot.array.start if mine is None or mine.size != slot.size
                          else mine.unpack(packed)))))

    return moved


def _ways(program: Program) -> set[int]:
    """Name the nodes that can be come to by edges which need no other features than are on."""
    machine = program.machine
    shape, nodes = shape_of(machine), {node.id: node for node in machine.nodes}
    found, todo = {machine.start}, [machine.start]
    while todo:
        more = {edge.target for edge in nodes[todo.pop()].edges if all(
            evaluate(shape, (), part, {}) for condition in edge.conditions
            for part in conjuncts(condition.test) if settled(part))} - found
        found |= more
        todo += more
    return found

