"""What is under way at a position: what sentences that are half carried out have still to do.

A game may rest in the middle of a sentence, as between two cards of a draw.  What the engine
remembers of it (`Array.declared` is False) is no zone and no variable of the game, so it stands
beside `state`, in words, and only where it is not as it is when nothing is under way.  Where it is
as the game begins, null stands for all: under another reading the game may begin with another one.
"""

from __future__ import annotations

from collections.abc import Mapping

from ...model.machine.machine import Array, Machine
from ...model.machine.memory import Role
from ...model.machine.state import State
from ...model.plays.board import JSON, values_by_name
from ...model.plays.documents import DocumentError, is_object
from ...model.plays.documents import field as get

SAYS: Mapping[Role, str] = {
    "local": "`{0.name}{0.part}` of {0.owner}",
    "left": "how many cards {0.owner} has still to draw",
    "past": "how many players the loop over `{0.name}` of {0.owner} is past",
    "open": "whether the window {0.owner} goes on",
    "pending": "who is still to act in the window {0.owner}",
    "actor": "who acts in {0.owner}",
    "return": "after which of the calls of {0.owner} the game goes on when it ends, counted from 0",
}


def idle(machine: Machine) -> dict[str, JSON]:
    """Return what the engine remembers, by name, when nothing is under way."""
    start = tuple(value for array in machine.arrays for value in array.start)
    shown = values_by_name(machine, State(machine.nodes[0].id, start))
    return {array.name: shown[array.name] for array in machine.arrays if not array.declared}


def as_begun(machine: Machine, first: State) -> dict[str, JSON]:
    """Return what the engine remembers, by name, as the game begins."""
    shown = values_by_name(machine, first)
    return {array.name: shown[array.name] for array in machine.arrays if not array.declared}


def under_way(machine: Machine, state: State) -> list[JSON]:
    """Say what is under way: by name, in words, and what it is."""
    shown = values_by_name(machine, state)
    nothing = idle(machine)
    return [{"name": array.name, "says": words_of(array), "value": shown[array.name]}
            for array in machine.arrays
            if not array.declared and shown[array.name] != nothing[array.name]]


def since_begun(machine: Machine, first: State, state: State) -> list[JSON] | None:
    """Say what is under way, or nothing if that is what is so as the game begins."""
    begun = as_begun(machine, state) == as_begun(machine, first)
    return None if begun else under_way(machine, state)


def read_under_way(
    doc: Mapping[str, JSON], machine: Machine, first: State, where: str
) -> dict[str, JSON]:
    """Read what the engine remembers, by name.

    Raises:
        DocumentError: if an entry is none.

    """
    if doc.get("under_way") is None:
        return as_begun(machine, first)
    found = idle(machine)
    for each in get(doc, "under_way", list, where):
        if not is_object(each) or "value" not in each:
            raise DocumentError(f"an entry of `under_way` of {where} needs a `name` and a `value`")
        found[get(each, "name", str, f"an entry of `under_way` of {where}")] = each["value"]
    return found


def words_of(array: Array) -> str:
    """Say what an array of the engine's own stands for."""
    kept = array.of
    if kept is None:
        return f"`{array.name}`"
    placed = ", in which it is at this one" if kept.place and kept.role == "local" else ""
    return SAYS[kept.role].format(kept) + placed
