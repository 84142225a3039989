"""What a step of a play says beside the move: what is asked, and which known cards go."""

from __future__ import annotations

from ..machine.machine import Machine
from ..machine.state import State
from ..run.evaluate import shape_of
from ..run.interp import Interpreter
from .board import JSON, NONE, PLACES
from .moves import node_of

TOP = ".top"
"""Ends the name of the array that holds which cards lie on top of a deck, as far as is known."""


def asked(machine: Machine, state: State) -> dict[str, JSON]:
    """Say what is asked in a state, and whether what the rules leave open has only one way on."""
    node = node_of(machine, state)
    made: dict[str, JSON] = {"asks": node.ask} if node.ask else {}
    if node.kind == "open" and len(Interpreter(machine).moves(state)) == 1:
        made["only"] = True
    return made


def off_the_top(machine: Machine, before: State, after: State) -> dict[str, JSON]:
    """Name the cards that lay known on top of a deck before a step and are gone after it, by deck.

    They come by no chance, so no move of chance tells of them.
    """
    found: dict[str, JSON] = {}
    offsets = shape_of(machine).offsets
    for array in machine.arrays:
        if array.zone != PLACES or not array.name.endswith(TOP):
            continue
        size, gone = array.dims[-1], list[JSON]()
        for first in range(offsets[array.name], offsets[array.name] + array.size, size):
            mine, theirs = ([card for card in state.values[first : first + size] if card != NONE]
                            for state in (before, after))
            if len(theirs) < len(mine) and mine[len(mine) - len(theirs):] == theirs:
                names = array.domain.names
                gone += [names[card - array.domain.low] for card in mine[: len(mine) - len(theirs)]]
        if gone:
            found[array.name.removesuffix(TOP)] = gone
    return {"off_the_top": found} if found else {}
