"""What answers come to, in the game's words: one line for each, of what differs between them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.plays.board import values_by_name
from ...model.plays.documents import is_list, is_object
from ...model.plays.moves import actor, describe_move, edge_of, node_of, say_value, words_of
from ..packed.flags import DUTIES, LEGAL
from .evidence import cannot, state_after

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...model.machine.machine import Machine
    from ...model.machine.state import Move, State
    from ...model.plays.board import JSON
    from ..bench.workbench import Instance
    from .words import Words

PARTS = 4
"""So many things that differ are told."""
SIZE = ".size"
"""Ends the name of what counts the records of a pool."""
MOVES = 2
"""So many moves are told that are not possible everywhere."""


def winners_text(machine: Machine, winners: Sequence[int]) -> str:
    """Say who has won."""
    if not winners:
        return "nobody wins"
    names = [machine.player_names[seat] for seat in winners]
    return f"{' and '.join(names)} {'win' if len(names) > 1 else 'wins'}"


def outcomes(ways: Sequence[tuple[Instance, tuple[Move, ...]]], level: int) -> list[str]:
    """Say in one line for each of several ways what it leads to, as far as they differ.

    What is the same under all answers is not told, but where a line would be empty.

    Args:
        ways: for each answer the game under it, and moves in it.
        level: at which they differ (`packed.flags`).

    """
    ends = [(instance, state_after(instance, moves)) for instance, moves in ways]
    boards = [_seen(machine, values_by_name(machine, state)) for machine, state in (
        (instance.compiled.machine, state) for instance, state in ends)]
    offers = [moves_text(*end) if level == LEGAL else [] for end in ends]
    owed = [dict(cannot(*way)) if level == DUTIES else {} for way in ways]
    coming = [ahead(*end) for end in ends]
    made: list[str] = []
    for number, (instance, state) in enumerate(ends):
        over = instance.interpreter.final(state)
        parts = [] if over and len(set(coming)) > 1 else list(
            dict.fromkeys(text for other in boards for text in differences(
                instance.compiled.machine, boards[number], other)))[:PARTS]
        if over or len(set(coming)) > 1 or not any((parts, *offers)):
            parts.append(coming[number])
        others = [each for place, each in enumerate(offers) if place != number]
        asked = len(set(coming)) > 1 and bool(node_of(instance.compiled.machine, state).ask)
        parts += [] if asked else _offered(offers[number], others)
        parts += [text for name, text in owed[number].items()
                  if any(name not in each for each in owed)]
        made.append("; ".join(dict.fromkeys(parts)) or "no further option")
    if len(made) > 1 and len(set(made)) == 1:
        chances = [_chances(*end) for end in ends]
        made = ["; ".join((text, *_offered(mine, [*chances[:number], *chances[number + 1:]])))
                for number, (text, mine) in enumerate(zip(made, chances, strict=True))]
    return made if len(made) < 2 or len(set(made)) > 1 else [
        f"{text}; the difference shows only later" for text in made]


def _chances(instance: Instance, state: State) -> list[str]:
    """Tell what chance may do in a state."""
    machine = instance.compiled.machine
    if node_of(machine, state).kind != "chance":
        return []
    return [describe_move(machine, state, move) for move in instance.interpreter.moves(state)]


def changed(instance: Instance, state: State, since: Mapping[str, JSON]) -> str:
    """Say how a state differs from a board before it; of the end of a game, who has won."""
    machine = instance.compiled.machine
    parts = [] if instance.interpreter.final(state) else differences(
        machine, _seen(machine, values_by_name(machine, state)), _seen(machine, since))
    return "; ".join(parts[:PARTS]) or ahead(instance, state)


def went_wrong(words: Words, clause: str, cls: str) -> str:
    """Say what cannot be done, or is not so, where a clause fails."""
    how = {"false-claim": "this is not so then", "limit-broken": "this is broken"}
    return f"{how.get(cls, 'this cannot be done')}: {words.says(clause)}"


def _offered(mine: Sequence[str], others: Sequence[Sequence[str]]) -> list[str]:
    """Say which moves are possible that are not so under every answer."""
    some = [text for text in mine if any(text not in each for each in others)]
    alone = [text for text in some if not any(text in each for each in others)]
    if not some:
        return []
    told = alone or some
    more = f" and {len(told) - MOVES} more" if len(told) > MOVES else ""
    where = "possible only then" if alone else "possible, but not under every answer"
    return [f"{where}: {'; '.join(told[:MOVES])}{more}"]


def _seen(machine: Machine, board: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return what is seen of a board beside who has won: of records only those that are there."""
    names = {a.name for a in machine.arrays
             if a.declared and not a.internal and a.name != "winners"}
    return {name: _living(board, name) for name in board
            if name in names and not (name.endswith(SIZE) and name in _sizes(board))}


def _sizes(board: Mapping[str, JSON]) -> set[str]:
    """Name what counts the records of a pool: it is seen from the records."""
    pools = {name.partition(".")[0] for name in board if "." in name and not name.endswith(SIZE)}
    return {f"{pool}{SIZE}" for pool in pools if f"{pool}{SIZE}" in board}


def _living(board: Mapping[str, JSON], name: str) -> JSON:
    """Return a value of a board; of the fields of records without those that are gone."""
    value, sizes = board[name], board.get(name.rpartition(".")[0] + SIZE)
    if is_object(value) and is_object(sizes):
        return {key: _first(one, sizes.get(key)) for key, one in value.items()}
    return _first(value, sizes)


def _first(value: JSON, size: JSON) -> JSON:
    return value[:size] if is_list(value) and isinstance(size, int) else value


def ahead(instance: Instance, state: State) -> str:
    """Say what comes next: who is to move, what is asked, or that the game is over."""
    machine, node = instance.compiled.machine, node_of(instance.compiled.machine, state)
    if instance.interpreter.final(state):
        return f"the game is over: {winners_text(machine, instance.interpreter.winners(state))}"
    if node.kind == "chance":
        deck = words_of(node.name.rpartition(" from ")[2].partition(" #")[0])
        drawn = {edge.label for edge in node.edges} == {"draw"} and " from " in node.name
        return f"a card of the {deck} is drawn next" if drawn else "chance is next"
    who = actor(machine, state)
    if who is None:
        return _unordered(instance, state)
    return f"{machine.player_names[who]} " + (
        f"is asked “{node.ask}”" if node.ask else "is to move")


def _unordered(instance: Instance, state: State) -> str:
    """Say who may be next where no rule gives the order."""
    machine = instance.compiled.machine
    names = [machine.player_names[player] for player in dict.fromkeys(
        next_player(machine, state, move) for move in instance.interpreter.moves(state))
        if player is not None]
    if len(names) == 1:
        return f"{names[0]} is next"
    return f"{' or '.join(names)} is next, and no rule says who" if names else (
        "no rule says what is next")


def differences(
    machine: Machine, mine: Mapping[str, JSON], other: Mapping[str, JSON]
) -> list[str]:
    """List the entries of a board that differ from another board, with the values of the first.

    Cards are counted (`deck: 2 × Plum`); of other things the value is told (`price of Plum: 2`).
    """
    zones = {array.name for array in machine.arrays if array.zone}
    made: list[str] = []
    for name, value in mine.items():
        before, label = other.get(name), words_of(name)
        if before == value:
            continue
        if not (is_object(value) and is_object(before)):
            made.append(f"{label}: {_cards(value) if name in zones else say_value(value)}")
            continue
        for key in dict.fromkeys((*value, *before)):
            one = value.get(key)
            if before.get(key) == one:
                continue
            if name not in zones:
                said = _cards(one) if is_list(one) else say_value(one)
                made.append(f"{label} of {key}: {said}")
            elif key in machine.player_names or is_object(one) or is_list(one):
                made.append(f"{label} of {key}: {_cards(one)}")
            else:
                made.append(f"{label}: {one} × {key}" if one else f"{label}: no {key}")
    return made


def _cards(held: JSON) -> str:
    """List the cards of a zone with their numbers, or in their order."""
    if is_list(held):
        return ", ".join(map(say_value, held)) or "nothing"
    cards = held.items() if is_object(held) else ()
    return ", ".join(f"{n} × {card}" if n != 1 else card for card, n in cards) or "nothing"


def moves_text(instance: Instance, state: State) -> list[str]:
    """Tell the legal moves of a state, beside those of chance, and who is next."""
    machine = instance.compiled.machine
    if node_of(machine, state).kind == "chance":
        return []
    return [describe_move(machine, state, move) for move in instance.interpreter.moves(state)
            if next_player(machine, state, move) is None]


def next_player(machine: Machine, state: State, move: Move) -> int | None:
    """Return the seat that a move puts next where the rules leave that open; None of others."""
    edge = edge_of(machine, state, move)
    if actor(machine, state) is None and edge.label == "next" and len(move.args) == 1:
        (seat,) = move.args
        return seat if isinstance(seat, int) else None
    return None
