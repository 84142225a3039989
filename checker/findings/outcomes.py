"""What answers come to, in the game's words: one line for each, of what differs between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...model.machine.machine import Machine
from ...model.machine.state import Move, State
from ...model.plays.board import JSON, values_by_name
from ...model.plays.documents import is_list, is_object
from ...model.plays.moves import actor, describe_move, next_seat, node_of, option
from ...model.plays.records import pools
from ...model.plays.wording import (
    counted_in,
    many,
    plain_name,
    say_records,
    say_value,
    the,
    winners_text,
)
from ...model.run.interp import EndlessRules
from ..bench.workbench import Instance
from ..packed.flags import DUTIES, LEGAL
from .evidence import cannot, state_after
from .offered import allowed, chances, likely, listed, moves_offered, odds
from .rejoin import Onward, moment, rejoined, whose_pick
from .words import Words

PARTS = 4
"""So many things that differ are told."""
GOES_ON = "the game goes on"
"""What is said of an answer under which the game is not over, beside one that ends it."""
SIZE = ".size"
"""Ends the name of what counts the records of a pool."""
KINDS = 4
"""Of zones with more kinds of cards only those are told of which another number is there; and if
it is of more kinds than that, by how many cards the zones differ."""
FURTHER = 40
"""So many moves are ways gone on with that lead to the same, until a difference shows."""


def outcomes(ways: Sequence[tuple[Instance, tuple[Move, ...]]], level: int) -> list[str]:
    """Say in one line for each of several ways what it leads to, as far as they differ.

    What is the same under all answers is not told, but where a line would be empty.  Where all
    lines would be the same, the ways are gone on with until they differ.

    Args:
        ways: for each answer the game under it, and moves in it.
        level: at which they differ (`packed.flags`).

    """
    made = ["; ".join(parts) for parts in outcome_parts(ways, level)]
    return made if len(made) < 2 or len(set(made)) > 1 else later_outcomes(ways, made)


def later_outcomes(
    ways: Sequence[tuple[Instance, tuple[Move, ...]]], told: Sequence[str]
) -> list[str]:
    """Say of ways that are `told` alike where they end what tells them apart as they go on."""
    for number, after in enumerate(_onward(ways), 1):
        later = ["; ".join(parts) for parts in outcome_parts(after, LEGAL)]
        if len(set(later)) > 1:
            return [f"after {many(number, 'more move')}: {text}" for text in later]
    return [f"{text}; the difference shows only later" for text in told]


def outcome_parts(
    ways: Sequence[tuple[Instance, tuple[Move, ...]]], level: int
) -> list[tuple[str, ...]]:
    """Say the same in parts, each of one thing, where the ways end; they may come to the same."""
    ends = [(instance, state_after(instance, moves)) for instance, moves in ways]
    owed = [dict(cannot(*way)) if level == DUTIES else {} for way in ways]
    return parts_of(ends, [len(moves) for _, moves in ways], level, owed)


def parts_of(
    ends: Sequence[tuple[Instance, State]], lengths: Sequence[int], level: int,
    owed: Sequence[Mapping[tuple[str, str], str]] = (),
) -> list[tuple[str, ...]]:
    """Say in parts what differs between states in which games rest, each after so many moves.

    Where the game is over in one, another one is told to go on.  What cannot be done on the last
    move to each is `owed`, by name, at the level of duties.
    """
    met = rejoined(ends, board_seen, lengths) if level != DUTIES else None
    if met is not None and len({*(again := _rejoined(ends, met))}) > 1:
        return again
    boards = [board_seen(*end) for end in ends]
    offers = [moves_offered(*end) if level == LEGAL else {} for end in ends]
    coming = [ahead(*end) for end in ends]
    moments = [moment(*end)[:2] for end in ends]
    made: list[tuple[str, ...]] = []
    finals = [instance.interpreter.final(state) for instance, state in ends]
    for number, (instance, state) in enumerate(ends):
        over = finals[number]
        like = [other for other, final in enumerate(finals) if final == over]
        parts = [] if over and len(set(coming)) > 1 else list(
            dict.fromkeys(text for other in like for text in differences(
                instance.compiled.machine, boards[number], boards[other])))[:PARTS]
        alike = [other for other, each in enumerate(coming) if each == coming[number]]
        may = allowed(offers, number, alike, moments)
        if len(set(finals)) > 1 and not over:
            known = actor(instance.compiled.machine, state) is not None
            parts.insert(0, GOES_ON + f": {coming[number]}" * known)
        elif over or len(set(coming)) > 1 or not (parts or may):
            parts += [coming[number], *_only_here(ends, number)]
        parts += may
        parts += [text for name, text in (owed[number].items() if owed else ())
                  if any(name not in each for each in owed)]
        made.append(tuple(dict.fromkeys(parts)))
    if len(set(made)) == 1:
        rolled = [chances(*end) for end in ends]
        made = [(*parts, *allowed(rolled, number, range(len(ends)), None, (
            "can come out", "cannot come out"))) for number, parts in enumerate(made)]
    if len(set(made)) < len(made):
        shares = [odds(*end) for end in ends]
        made = [(*parts, *likely(shares, number, (
            other for other, each in enumerate(made) if each == parts)))
            for number, parts in enumerate(made)]
    return made


def _rejoined(
    ends: Sequence[tuple[Instance, State]], met: Sequence[Onward]
) -> list[tuple[str, ...]]:
    """Say what ways come to at the moment at which they meet again, and what is asked before it."""
    boards = [board_seen(instance, one.state) for (instance, _), one in zip(ends, met, strict=True)]
    free = [_next_seats(*end) for end in ends]
    asking = [(instance, one.asks)
              for (instance, _), one, seats in zip(ends, met, free, strict=True)
              if one.asks is not None and not seats]
    made: list[tuple[str, ...]] = []

    def open_here(number: int, asked: tuple[Instance, State]) -> bool:
        """Return whether who is asked something may come to that at the end of a way, too."""
        (one, there), (two, here) = asked, ends[number]
        return actor(one.compiled.machine, there) in free[number] and (
            node_of(one.compiled.machine, there).step == node_of(two.compiled.machine, here).step)

    for number, ((instance, state), one) in enumerate(zip(ends, met, strict=True)):
        machine = instance.compiled.machine
        unlike = list(dict.fromkeys(text for other in boards for text in differences(
            machine, boards[number], other)))[:PARTS]
        if unlike:
            begun = [] if one.asks is None or not one.acts else [
                ahead(instance, state if free[number] else one.asks)]
            told = f"if {' and '.join(one.told)}: " * bool(one.told)
            parts = [*begun, told + "; ".join(unlike)]
        elif one.asks is not None and not free[number]:
            parts = [listed(f"{ahead(instance, one.asks)}, and may choose", [
                option(machine, one.asks, move)
                for move in instance.interpreter.moves(one.asks)])]
        else:
            asked = dict.fromkeys(
                _unasked(*each) for each in asking if not open_here(number, each))
            parts = ["".join(f"{text}; " for text in asked) + "next, " * bool(asked)
                     + ahead(instance, state)]
        made.append(tuple(parts))
    return made


def _onward(
    ways: Sequence[tuple[Instance, tuple[Move, ...]]],
) -> Iterator[list[tuple[Instance, tuple[Move, ...]]]]:
    """Go on with ways by moves that are told alike in all of them, as long as there are some."""
    now = [(instance, moves, state_after(instance, moves)) for instance, moves in ways]
    for _ in range(FURTHER):
        told = [{describe_move(each.compiled.machine, state, move): move
                 for move in each.interpreter.moves(state)} for each, _, state in now]
        same = next((text for text in told[0] if all(text in each for each in told)), None)
        if same is None:
            return
        try:
            now = [(each, (*moves, known[same]), each.interpreter.step(state, known[same]).state)
                   for (each, moves, state), known in zip(now, told, strict=True)]
        except EndlessRules:
            return
        yield [(each, moves) for each, moves, _ in now]


def board_seen(instance: Instance, state: State) -> dict[str, JSON]:
    """Return what is seen of a state beside who has won."""
    machine = instance.compiled.machine
    return _seen(machine, values_by_name(machine, state))


def board_and_aside(instance: Instance, state: State) -> tuple[dict[str, JSON], dict[str, JSON]]:
    """Return what is seen of a state, and what lies in places that only the encoding has.

    A ledger is no place: what it holds are notes of cards.
    """
    machine, zones = instance.compiled.machine, instance.game.zones
    board = values_by_name(machine, state)
    return _seen(machine, board), {
        a.name: board[a.name] for a in machine.arrays if a.zone and a.internal
        and not (a.name in zones and zones[a.name].kind == "ledger")}


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
        won = [machine.player_names[seat] for seat in instance.interpreter.winners(state)]
        return f"the game is over: {winners_text(won)}"
    if node.kind == "chance":
        deck = machine.titles.of(plain_name(node.name).rpartition(" from ")[2])
        names = dict.fromkeys(edge.label for edge in node.edges)
        if [*names] == ["draw"] and " from " in node.name:
            owner = whose_pick(instance, state)
            return f"a card is drawn from {the(deck)}" + (
                "" if owner is None else f" of {machine.player_names[owner]}")
        what = ", ".join(machine.titles.of(name) for name in names if len(name) > 1)
        return "chance decides" + f": {what}" * bool(what)
    who = actor(machine, state)
    if who is None:
        return _unordered(instance, state)
    return f"{machine.player_names[who]} " + (
        "can do nothing" if not instance.interpreter.moves(state) else
        f"is asked “{node.ask}”" if node.ask else "is to move")


def barred(ways: Sequence[tuple[Instance, tuple[Move, ...]]]) -> list[tuple[str, ...]]:
    """Say which moves some of several ways allow at their ends and others do not.

    Nothing is said where these do not rest at one moment.
    """
    ends = [(instance, state_after(instance, moves)) for instance, moves in ways]
    if len({moment(*end) for end in ends}) > 1 or any(
            instance.interpreter.final(state) for instance, state in ends):
        return [()] * len(ends)
    offers = [moves_offered(*end) for end in ends]
    return [tuple(allowed(offers, number, range(len(ends)))) for number in range(len(ends))]


def allows_more(ways: Sequence[tuple[Instance, tuple[Move, ...]]]) -> int | None:
    """Return which of two ways allows more than the other one at its end, if nothing else differs.

    None if neither does.
    """
    ends = [(instance, state_after(instance, moves)) for instance, moves in ways]
    if len({moment(*end) for end in ends}) > 1 or board_seen(*ends[0]) != board_seen(*ends[1]):
        return None
    one, two = (moves_offered(*end).keys() for end in ends)
    return 0 if one > two else 1 if two > one else None


def asked_here(instance: Instance, moves: tuple[Move, ...]) -> tuple[str]:
    """Say who is asked what after some moves, as the one part of what they come to."""
    return (ahead(instance, state_after(instance, moves)),)


def _unasked(instance: Instance, state: State) -> str:
    """Say that what is asked in a state is not; what has no words of its own is called a choice."""
    machine, node = instance.compiled.machine, node_of(instance.compiled.machine, state)
    who = actor(machine, state)
    assert who is not None
    name = machine.player_names[who]
    return f"{name} is not asked “{node.ask}”" if node.ask else (
        f"{name} does not have this choice now")


def _unordered(instance: Instance, state: State) -> str:
    """Say who may be next where no rule gives the order."""
    seats = _next_seats(instance, state)
    names = [instance.compiled.machine.player_names[seat] for seat in seats]
    if not names:
        return "no rule says what is next"
    *others, last = names
    if others:
        return f"{', '.join(others)} or {last} may act next, in any order"
    return _may_do(instance, state, seats[0], f"only {last} may act now", ", and may choose")


def _may_do(instance: Instance, state: State, seat: int, said: str, choose: str) -> str:
    """List what a player may do who is put next, if that is a choice."""
    machine = instance.compiled.machine
    move = next(each for each in instance.interpreter.moves(state)
                if next_seat(machine, state, each) == seat)
    there = state_after(instance, [move], state)
    return said if actor(machine, there) != seat else listed(f"{said}{choose}", [
        option(machine, there, each) for each in instance.interpreter.moves(there)])


def _only_here(ends: Sequence[tuple[Instance, State]], number: int) -> list[str]:
    """Say what those may do who may be next at one end, and not at another that leaves it open."""
    seats = [_next_seats(*end) for end in ends]
    names = ends[number][0].compiled.machine.player_names
    return [_may_do(*ends[number], seat, f"{names[seat]} may", "") for seat in seats[number]
            if len(seats[number]) > 1 and any(each and seat not in each for each in seats)]


def _next_seats(instance: Instance, state: State) -> list[int]:
    """Return the seats that may be next, each by a move, where no rule gives the order."""
    machine = instance.compiled.machine
    return [] if actor(machine, state) is not None else [seat for seat in dict.fromkeys(
        next_seat(machine, state, move) for move in instance.interpreter.moves(state))
        if seat is not None]


def differences(
    machine: Machine, mine: Mapping[str, JSON], other: Mapping[str, JSON]
) -> list[str]:
    """List the entries of a board that differ from another board, with the values of the first.

    Cards are counted (`deck: 2 × Plum`); of other things the value is told (`price of Plum: 2`).
    Records are told as they are on a board (`crew of player 1: Plum (health 3)`).
    """
    zones = {array.name for array in machine.arrays if array.zone}
    records = {pool.name for pool in pools(machine)}
    made: list[str] = []
    for name, here in mine.items():
        if (pool := name.partition(".")[0]) != name and pool in records:
            made += _records(machine, pool, mine, other)
            continue
        label = machine.titles.of(name)
        value, before = (machine.titles.within(each) for each in (here, other.get(name)))
        if before == value:
            continue
        counted: list[str] = []
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
                made.append(f"{label} of {key}: {_cards(one, before.get(key))}")
            else:
                counted.append(f"{one} × {key}" if one else f"no {key}")
        if counted:
            more = _sum(value) - _sum(before)
            made.append(f"{label}: " + (
                f"{many(abs(more), 'card')} {'more' if more > 0 else 'fewer'}"
                if len(counted) > KINDS and more else ", ".join(counted)))
    return [*dict.fromkeys(made)]


def _records(
    machine: Machine, pool: str, mine: Mapping[str, JSON], other: Mapping[str, JSON]
) -> Iterator[str]:
    """Yield the records of a pool, of each player whose are others, as they are on a board."""
    names = [name for name in mine if name.startswith(f"{pool}.") and not name.endswith(SIZE)]
    first = mine[names[0]]
    held = {key: [{name.partition(".")[2]: _part(board.get(name), key) for name in names}
                  for board in (mine, other)] for key in (first if is_object(first) else ("",))}
    counted = counted_in(columns for both in held.values() for columns in both)
    for key, (now, then) in held.items():
        if now != then:
            size = max(len(col) if is_list(col) else 0 for col in now.values())
            owner = f" of {key}" * bool(key)
            told = say_records(size, now, machine.titles, counted=counted) or "nothing"
            yield f"{machine.titles.of(pool)}{owner}: {told}"


def _part(value: JSON, key: str) -> JSON:
    return value.get(key) if is_object(value) else value


def _sum(cards: JSON) -> int:
    """Count the cards of a zone."""
    counts = cards.values() if is_object(cards) else ()
    return sum(each for each in counts if isinstance(each, int))


def _cards(held: JSON, other: JSON = None) -> str:
    """List the cards of a zone with their numbers, or in their order.

    If there are many kinds in it or in another zone, only those are listed of which there are not
    as many in both.
    """
    if is_list(held):
        return ", ".join(map(say_value, held)) or "nothing"
    if is_object(held) and is_object(other) and held and max(len(held), len(other)) > KINDS:
        return ", ".join(f"{held[card]} × {card}" if card in held else f"no {card}"
                         for card in dict.fromkeys((*held, *other))
                         if held.get(card) != other.get(card))
    cards = held.items() if is_object(held) else ()
    return ", ".join(f"{n} × {card}" if n != 1 else card for card, n in cards) or "nothing"
