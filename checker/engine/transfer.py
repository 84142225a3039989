"""Taking a packed state of one machine over into another one of the same game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from ...model.machine.presence import settled
from ...model.machine.state import State
from ...model.machine.traversal import conjuncts
from ...model.run.evaluate import evaluate
from ...model.run.shape import shape_of
from .program import Program

NOWHERE = "", 0
"""The name of a node that nothing comes to."""


def transfer(source: Program, target: Program) -> Callable[[bytes], bytes]:
    """Make what gives a state of one machine in another.

    That is: the same values by name, at the node of that name; what only the other has, as at the
    start.  Nodes of one name, as what runs inside itself has, are told apart by which is come to
    first; versions of a sentence that are not in force are left out.
    """
    here, there = _named(source), {name: node for node, name in _named(target).items()}
    rests = tuple(there.get(here.get(rest, NOWHERE)) for rest in source.layout.rests)
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


def _named(program: Program) -> dict[int, tuple[str, int]]:
    """Name the nodes that can be come to by edges which need no other features than are on.

    They are looked for one edge after the other, each to its end, and those of one name numbered;
    what nobody rests at has no name.
    """
    machine = program.machine
    shape, nodes = shape_of(machine), {node.id: node for node in machine.nodes}
    found, todo, times = dict[int, tuple[str, int]](), [machine.start], Counter[str]()
    while todo:
        node = nodes[todo.pop()]
        if node.id in found:
            continue
        name = "" if node.kind == "rules" else node.name.partition(" #")[0]
        times[name] += 1
        found[node.id] = name, times[name]
        todo += (edge.target for edge in reversed(node.edges) if all(
            evaluate(shape, (), part, {}) for condition in edge.conditions
            for part in conjuncts(condition.test) if settled(part)))
    return found
