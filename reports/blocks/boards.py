"""A state as a board: a table with a column for each player, and below it what lies in the middle.

Only what matters is drawn: zones before the players that hold cards, variables that are not as at
the start, and of what the caller names also the box, large and empty decks, and variables at their
start.  Cards are listed by name with their number; of a zone with many kinds only the number of
cards is given.  A cell is empty only for an empty zone or set, `none` and `no`; a number is always
written.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ...model.game.game import Game, Zone
from ...model.game.uses import names_in, trees_of
from ...model.lowering.compile import Compiled
from ...model.machine.state import State
from ...model.machine.titles import NONE, Titles
from ...model.plays.board import JSON, values_by_name
from ...model.plays.documents import is_list, is_object
from ...model.plays.wording import counted_in, plain_name, say_records, say_value, winners_text
from .terms import TermValue, gone_from, tallied

SETTING_UP = frozenset({"setup", "variant", "claim"})
"""What only clauses of these kinds name is the box, from which a game is set up."""
SEVERAL = 5
"""Of a zone in the middle that nobody names, so many kinds of cards are listed."""
PILE = 12
"""Of what a player has in a zone so many kinds are listed."""


@dataclass(frozen=True, slots=True)
class BoardRow:
    """One thing that each player has: its name, what to write for each player, how it matters."""

    name: str
    cells: tuple[str, ...]
    weight: int


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in the middle."""

    name: str
    text: str
    weight: int


@dataclass(frozen=True, slots=True)
class Board:
    """What is drawn: a row for each thing that players have, and what lies in the middle.

    Below it stand, if they are known, the moves that led to it, and who is to move.
    """

    players: tuple[str, ...]
    rows: tuple[BoardRow, ...]
    shared: tuple[Entry, ...]
    turn: str
    lately: str = ""


def board_of(
    position: Mapping[str, JSON], compiled: Compiled | None, *, focus: Collection[str] = (),
    terms: Collection[TermValue] = (), counts: Collection[str] = (),
) -> Board:
    """Choose what to draw of a position.

    `focus` names what is drawn also if it is a deck without cards, too many to list, a variable at
    its start, or the box.  What `counts` is drawn to the last card; of a tally in it, it is told
    what the zones whose cards it counts have none left of.
    """
    state = position.get("state", position)
    values: dict[str, JSON] = state if is_object(state) else {}
    game = compiled.game if compiled is not None else None
    titles = NONE if game is None else game.titles
    players = _players(values, compiled)
    starts = _starts(compiled)
    rows: list[BoardRow] = []
    shared: list[Entry] = []
    for name, whole in values.items():
        if not _declared(game, name) or _internal(game, name):
            continue
        zone = game is not None and name in game.zones
        value, start = titles.within(whole), titles.within(starts.get(name))
        label = titles.of(name)
        named = name in focus or name in counts
        many = None if name in counts else SEVERAL * (3 if named else 1)
        top, bottom = (titles.within(values.get(f"{name}.{end}")) for end in ("top", "bottom"))
        each = is_object(value) and _one_each(game, name, value, players)
        if game is not None and zone and not named and _aside(
                game, game.zones[name], value, each=each):
            continue
        if is_object(value) and each:
            hidden = not named and _face_down(game, name)
            drawn = tuple((_stacked(value[p], (_of(top, p), _of(bottom, p)),
                                    0 if hidden else many, each=True) if zone
                           else _cell(value[p])) for p in players)
            there = any(drawn) if zone or not is_object(start) else any(
                value[p] != start.get(p) for p in players)
            if there or (named and (zone or any(drawn))):
                rows.append(BoardRow(label, drawn, _weight(there=there, named=named)))
            continue
        text = (_stacked(value, (top, bottom), many, each=False) if zone
                else _variable(value, start, whole=named))
        if game is not None and zone and name in counts:
            if game.zones[name].kind == "ledger" and tallied(game, name, counts):
                continue
            gone = gone_from(game, name, counts, values)
            text = "; ".join(filter(None, (text, f"none left of {', '.join(gone)}" * bool(gone))))
        if text:
            there = bool(text) if zone else value != start
            shared.append(Entry(label, text, _weight(there=there, named=named)))
        elif game is not None and zone and game.zones[name].kind == "deck" and named:
            shared.append(Entry(label, "nothing", 0))
    for pool in game.pools.values() if game is not None else ():
        held = _records(values, pool.name, tuple(pool.fields), players, per=pool.per_player,
                        titles=titles)
        if pool.per_player and any(held):
            rows.append(BoardRow(titles.of(pool.name), held, 1))
        elif not pool.per_player and held[0]:
            shared.append(Entry(titles.of(pool.name), held[0], 2))
    for term in terms:
        numbers, label = tuple(map(str, term.numbers)), titles.of(term.name).removesuffix(" of")
        if term.each and len(numbers) == len(players):
            rows.append(BoardRow(label, numbers, 2))
        elif not term.each:
            shared.append(Entry(label, numbers[0], 2))
    return Board(players, tuple(rows), tuple(shared), _turn(position, compiled))


def _face_down(game: Game | None, name: str) -> bool:
    """Return whether nobody sees the cards of a zone, so that their number is enough."""
    return game is not None and name in game.zones and game.zones[name].seen_by == "none"


def _aside(game: Game, zone: Zone, value: JSON, *, each: bool) -> bool:
    """Return whether a zone is not looked at: a tally of ours, the box, or too much to list.

    `each`: it has one part for each player.
    """
    if zone.kind == "ledger":
        return zone.internal
    if is_object(value) and not each:
        kinds = sum(len(part) if is_object(part) else 1 for part in value.values())
        if kinds > SEVERAL:
            return True
    users = {clause.kind for clause in game.clauses if zone.name in names_in(trees_of(clause))}
    return bool(users) and users <= SETTING_UP


def _weight(*, there: bool, named: bool) -> int:
    """Return how much a line matters: most what is named and there, least what is only named."""
    return (2 if named else 1) if there else 0


def _declared(game: Game | None, name: str) -> bool:
    """Return whether a name is of the spec; without the spec, whether it looks like one."""
    if game is None:
        return "." not in name and "@" not in name
    return name in game.variables or name in game.zones


def _internal(game: Game | None, name: str) -> bool:
    """Return whether a name is bookkeeping of the encoding, which nobody sees at the table."""
    if game is None:
        return False
    return game.zones[name].internal if name in game.zones else game.variables[name].internal


def _one_each(
    game: Game | None, name: str, value: Mapping[str, JSON], players: Sequence[str]
) -> bool:
    """Return whether a value has one part for each player: as declared, else by its keys."""
    if not players or set(value) != set(players):
        return False
    if game is None:
        return True
    if name in game.zones:
        return game.zones[name].per_player
    variable = game.variables[name]
    return variable.per == "player" or (not variable.per and variable.type.kind == "players")


def _players(values: Mapping[str, JSON], compiled: Compiled | None) -> tuple[str, ...]:
    """Name the players of a position: a scope may have fewer of them than the printed game.

    Without a spec they are guessed: the keys that several objects share.
    """
    if compiled is not None:
        game = compiled.game
        each = [*(z.name for z in game.zones.values() if z.per_player),
                *(v.name for v in game.variables.values() if v.per == "player"), "winners"]
        found = (values.get(name) for name in each)
        return next((tuple(v) for v in found if is_object(v)), compiled.machine.player_names)
    seen: dict[tuple[str, ...], int] = {}
    for name, value in values.items():
        if is_object(value) and value and "." not in name:
            seen[tuple(value)] = seen.get(tuple(value), 0) + 1
    best = max(seen, key=lambda keys: seen[keys], default=())
    return best if seen.get(best, 0) > 1 else ()


def _starts(compiled: Compiled | None) -> Mapping[str, JSON]:
    """Return the start value of every array, as positions show it."""
    if compiled is None:
        return {}
    machine = compiled.machine
    return values_by_name(machine, State(machine.nodes[0].id, machine.start_values))


def _cell(value: JSON) -> str:
    """Write a value; nothing for `none`, `no` and the empty set, which alone may be left blank."""
    if value is None or value is False:
        return ""
    if is_list(value):
        return ", ".join(map(say_value, value))
    if not is_object(value):
        return say_value(value)
    if all(isinstance(each, bool) for each in value.values()):
        return ", ".join(name for name, inside in value.items() if inside)
    return ", ".join(f"{key} {_said(each)}" for key, each in value.items())


def _said(value: JSON) -> str:
    return _cell(value) or ("no" if value is False else "none")


def _variable(value: JSON, start: JSON, *, whole: bool) -> str:
    """Write a variable that players do not have one each of, if it is not as at the start.

    Of one for each card or value of an enum, the parts that have changed; with `whole`, all parts.
    """
    if not is_object(value):
        return _said(value) if value != start or (whole and value is not None) else ""
    before = start if is_object(start) else {}
    parts = {key: each for key, each in value.items() if whole or each != before.get(key)}
    listed = {key: _said(each) for key, each in list(parts.items())[: 3 * SEVERAL]}
    dots = f", … ({len(parts)} in all)" if len(parts) > len(listed) else ""
    return ", ".join(f"{key} {text}" for key, text in listed.items()) + dots


def _cards(value: JSON) -> str:
    """List cards with their numbers; of a pile all of them, the top one first."""
    if is_list(value):
        return ", ".join(map(say_value, value))
    if not is_object(value):
        return say_value(value)
    size = value.get("size")
    if set(value) == {"size"} and isinstance(size, int):
        return _number(size)
    return ", ".join(f"{n} × {card}" if n != 1 else card for card, n in value.items() if n)


def _pile(value: JSON, most: int | None) -> str:
    """List the cards that a player has in a zone; of many kinds say how many cards and kinds.

    `most` is 0 for the number of cards alone, and None for all of them.
    """
    if is_object(value) and most is not None and len(value) > (PILE if most else 0):
        return _number(_size(value)) + f" of {len(value)} kinds" * bool(most)
    return _cards(value)


def _stacked(value: JSON, known: tuple[JSON, JSON], most: int | None, *, each: bool) -> str:
    """List the cards of a zone; of a deck those whose place is known are named with it.

    With `each` the value is what a player has in it.  `known` is what is known to lie on top of it,
    and at the bottom; `most` is as of `_pile` and `_zone`.
    """
    if is_object(value) and any(map(is_object, known)) and set(value) != {"size"}:
        parts = {key: _stacked(part, (_of(known[0], key), _of(known[1], key)), most, each=False)
                 for key, part in value.items()}
        return "; ".join(f"{key}: {text}" for key, text in parts.items() if text)
    listed = _pile(value, most) if each else _zone(value, most)
    if not any(map(_size, known)):
        return listed
    if (each and most == 0) or not all(map(is_list, known)):
        return _number(sum(map(_size, (value, *known))))
    top, bottom = (f"{where} {_cards(part)}" if part else "" for where, part in
                   zip(("on top", "at the bottom"), known, strict=True))
    return "; ".join(filter(None, (top, listed, bottom)))


def _size(value: JSON) -> int:
    """Count cards that are listed, counted by kind, or of which only the number is seen."""
    if is_list(value):
        return len(value)
    return sum(n for n in value.values() if isinstance(n, int)) if is_object(value) else 0


def _zone(value: JSON, most: int | None) -> str:
    if is_list(value):
        dots = most is not None and len(value) > SEVERAL
        return _cards(value[:SEVERAL] if dots else value) + f", … ({_number(len(value))})" * dots
    if not is_object(value):
        return say_value(value)
    if value and not any(isinstance(part, int) for part in value.values()):
        parts = {key: _zone(part, most) for key, part in value.items()}
        return "; ".join(f"{key}: {text}" for key, text in parts.items() if text)
    total = _size(value)
    if most is None or len(value) <= most:
        return _cards(value) + (f" ({_number(total)})" if total > 3 and len(value) > 1 else "")
    return f"{_number(total)} of {len(value)} kinds"


def _number(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _records(
    state: Mapping[str, JSON], pool: str, fields: tuple[str, ...], players: Sequence[str], *,
    per: bool, titles: Titles,
) -> tuple[str, ...]:
    """Write the records of a pool, for each player if each has some."""
    size = state.get(f"{pool}.size", 0)
    columns = {name: state.get(f"{pool}.{name}", []) for name in fields}
    owners = [(size, columns)] if not per else [
        (_of(size, player), {name: _of(col, player) for name, col in columns.items()})
        for player in players]
    there = [(number, {name: col[:number] if is_list(col) else col for name, col in held.items()})
             for each, held in owners for number in [each if isinstance(each, int) else 0]]
    counted = counted_in(held for _, held in there)
    return tuple(say_records(number, held, titles, counted=counted) for number, held in there)


def _of(value: JSON, player: str) -> JSON:
    return value.get(player) if is_object(value) else value


def _turn(position: Mapping[str, JSON], compiled: Compiled | None) -> str:
    """Say who is to move, and where the game stands; if only under one answer, under which."""
    told = _standing(position, compiled)
    return f"under the first answer {told}" if told and position.get("first") else told


def _standing(position: Mapping[str, JSON], compiled: Compiled | None) -> str:
    who, node = position.get("to_move"), str(position.get("node", ""))
    if not node:
        return ""
    nodes = [each for each in (() if compiled is None else compiled.machine.nodes)
             if plain_name(each.name) == plain_name(node)]
    steps = {} if compiled is None else compiled.game.steps
    titles = [steps[each.step].title for each in nodes if each.step in steps]
    during = f" ({titles[0]})" if titles and titles[0] else ""
    if then := position.get("then"):
        return f"here the answers part{during}: {then}"
    state = position.get("state")
    winners = state.get("winners") if is_object(state) else None
    if node == "game over" and is_object(winners):
        return f"the game is over: {winners_text([p for p, won in winners.items() if won])}"
    if who:
        asked = position.get("asks")
        return f"{who} is asked “{asked}”{during}" if asked else f"{who} is to move{during}"
    kinds = {each.kind for each in nodes}
    if "chance" in kinds:
        return f"chance is next{during}"
    return f"no rule says who is next{during}" if "open" in kinds else f"the game goes on{during}"
