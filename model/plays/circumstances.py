"""What goes with a move: what is asked, which known cards go, where from and where to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..machine.machine import Array, Domain, Machine
from ..machine.state import Move, State
from ..run.interp import Interpreter
from ..run.shape import shape_of
from .board import JSON, NONE, PLACES
from .moves import edge_of, node_of

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


def landed(machine: Machine, before: State, move: Move, after: State) -> dict[str, JSON]:
    """Name the place into which the one card that chance picked has come, and whose that is.

    A place is a zone that holds one more of it, or a variable that has become it.  Nothing is said
    if there is no such place, or more than one.  Whose the card was is said if that is somebody
    else.
    """
    place = _place(machine, before, move, after, 1)
    if place is None:
        return {}
    to: dict[str, JSON] = {"place": place.name}
    if place.owner is not None:
        to["of"] = machine.player_names[place.owner]
        giver = owner_of_pick(machine, before, move, after)
        if giver is not None and giver != place.owner:
            to["from"] = machine.player_names[giver]
    return {"to": to}


def owner_of_pick(machine: Machine, before: State, move: Move, after: State) -> int | None:
    """Return the seat whose zone the one card that chance picked has left; None if nobody's."""
    place = _place(machine, before, move, after, -1)
    return None if place is None else place.owner


class _Place(NamedTuple):
    """A zone or a variable, and the seat whose it is."""

    name: str
    owner: int | None


def _place(machine: Machine, before: State, move: Move, after: State, more: int) -> _Place | None:
    """Find the one place that holds one more, or one less, of the card that chance picked."""
    edge = edge_of(machine, before, move)
    picked = move.args[0] if len(move.args) == 1 else None
    if node_of(machine, before).kind != "chance" or not isinstance(picked, int) or (
            edge.params[0].domain.kind == "player"):
        return None
    offsets = shape_of(machine).offsets
    found = [(array, row) for array in machine.declared if not array.internal
             for row in _changed(array, edge.params[0].domain, picked, more, [
                 state.values[offsets[array.name] : offsets[array.name] + array.size]
                 for state in (before, after)])]
    if len(found) != 1:
        return None
    array, row = found[0]
    owned = bool(array.axes) and array.axes[0].kind == "player"
    return _Place(array.name, row // (array.size // array.dims[0]) if owned else None)


def _changed(
    array: Array, domain: Domain, picked: int, more: int, values: Sequence[Sequence[int]]
) -> Iterator[int]:
    """Yield the elements of an array that hold so many more of a card after a move.

    A variable is one that has become it, or was it.
    """
    counts = bool(array.zone) and array.zone != PLACES
    of = (array.axes[-1] if counts and array.axes else array.domain).names
    if not domain.names or of != domain.names or array.zone in (PLACES, "ledger"):
        return
    for place, (old, new) in enumerate(zip(*values, strict=True)):
        if counts:
            if place % array.dims[-1] == picked - domain.low and new == old + more:
                yield place
        elif picked == (new if more > 0 else old) and new != old:
            yield place
