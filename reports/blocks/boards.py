"""A state as a board: a table with a column for each player, and below it what lies in the middle.

Only what matters is drawn: zones that hold cards, variables that are not as at the start, and
whatever the caller names.  Cards are listed by name with their number; of a large zone that nobody
names only the number of cards is given.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...model.plays.board import JSON, show_value
from ...model.plays.documents import is_list, is_object
from ...model.plays.moves import say_value, words_of
from .paper import Paper, cells, cut
from .plays import winners_text
from .subject import plain_name

if TYPE_CHECKING:
    from ...model.game.game import Game, Variable
    from ...model.lowering.compile import Compiled

SEVERAL = 5
"""Of a zone in the middle that nobody names, so many kinds of cards are listed."""


@dataclass(frozen=True, slots=True)
class Row:
    """One thing that each player has: its name, and what to write for each player.

    `named`: the caller asked for it.
    """

    name: str
    cells: tuple[str, ...]
    named: bool = False

    @property
    def weight(self) -> int:
        """Say how much it matters: what is named and there most, what is named and empty least."""
        return (2 if self.named else 1) if any(self.cells) else 0


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing in the middle."""

    name: str
    text: str
    weight: int


@dataclass(frozen=True, slots=True)
class Drawn:
    """A line of a drawing, and how much it matters."""

    text: str
    weight: int


@dataclass(frozen=True, slots=True)
class Board:
    """What is drawn: a row for each thing that players have, and what lies in the middle."""

    players: tuple[str, ...]
    rows: tuple[Row, ...]
    shared: tuple[Entry, ...]
    turn: str


def board_of(
    position: Mapping[str, JSON], compiled: Compiled | None, *, focus: Collection[str] = ()
) -> Board:
    """Choose what to draw of a position; `focus` names what is drawn in any case."""
    state = position.get("state", position)
    values: dict[str, JSON] = state if is_object(state) else {}
    game = compiled.game if compiled is not None else None
    players = compiled.machine.player_names if compiled is not None else _players(values)
    rows: list[Row] = []
    shared: list[Entry] = []
    for name, value in values.items():
        zone = game is not None and name in game.zones
        if not (zone or _declared(game, name)):
            continue
        start = None if game is None else _start(compiled, game.variables.get(name))
        one = _one(name, value, players, start, zone=zone, named=name in focus)
        if isinstance(one, Row):
            rows.append(one)
        elif one is not None:
            shared.append(one)
    for pool in game.pools.values() if game is not None else ():
        held = _records(values, pool.name, tuple(pool.fields), players, per=pool.per_player)
        if pool.per_player and any(held):
            rows.append(Row(words_of(pool.name), held))
        elif not pool.per_player and held[0]:
            shared.append(Entry(words_of(pool.name), held[0], 2))
    return Board(tuple(players), tuple(rows), tuple(shared), _turn(position, compiled))


def _declared(game: Game | None, name: str) -> bool:
    """Say whether a name is a variable of the spec; without it, whether it looks like one."""
    if game is None:
        return "." not in name and "@" not in name
    return name in game.variables


def _one(
    name: str, value: JSON, players: Sequence[str], start: JSON, *, zone: bool, named: bool
) -> Row | Entry | None:
    """Choose how to draw a zone or a variable, if at all."""
    shown = words_of(name)
    if is_object(value) and players and set(value) == set(players):
        texts = tuple(_cell(value[player], start, zone=zone) for player in players)
        return Row(shown, texts, named) if named or any(texts) else None
    if zone or is_object(value):
        text = _zone(value, whole=named)
        weight = (2 if named else 1) if text else 0
        return Entry(shown, text or "nothing", weight) if text or named else None
    weight = (2 if named else 1) if value != start else 0
    return Entry(shown, say_value(value), weight) if named or weight else None


def _players(state: Mapping[str, JSON]) -> tuple[str, ...]:
    """Guess the players of a position without a spec: the keys that several objects share."""
    seen: dict[tuple[str, ...], int] = {}
    for name, value in state.items():
        if is_object(value) and value and "." not in name:
            seen[tuple(value)] = seen.get(tuple(value), 0) + 1
    best = max(seen, key=lambda keys: seen[keys], default=())
    return best if seen.get(best, 0) > 1 else ()


def _start(compiled: Compiled | None, variable: Variable | None) -> JSON:
    """Give the start value of a variable as it is shown."""
    if variable is None or compiled is None:
        return None
    for array in compiled.machine.arrays:
        if array.name == variable.name and array.start:
            return show_value(compiled.machine, array.domain, array.start[0])
    return None


def _cell(value: JSON, start: JSON, *, zone: bool) -> str:
    if zone or (
        is_object(value)
        and value
        and all(isinstance(n, int) and not isinstance(n, bool) for n in value.values())
    ):
        return _cards(value)
    if value == start or value is None or value is False:
        return ""
    return say_value(value)


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


def _zone(value: JSON, *, whole: bool) -> str:
    if is_list(value):
        dots = f", … ({_number(len(value))})" if len(value) > SEVERAL else ""
        return _cards(value[:SEVERAL]) + dots
    if not is_object(value):
        return say_value(value)
    numbers = [n for n in value.values() if isinstance(n, int)]
    if len(value) <= SEVERAL or (whole and len(value) <= 3 * SEVERAL):
        total = sum(numbers)
        return _cards(value) + (f" ({_number(total)})" if total > 3 and len(value) > 1 else "")
    return f"{_number(sum(numbers))} of {len(value)} kinds"


def _number(count: int) -> str:
    return "1 card" if count == 1 else f"{count} cards"


def _records(
    state: Mapping[str, JSON],
    pool: str,
    fields: tuple[str, ...],
    players: Sequence[str],
    *,
    per: bool,
) -> tuple[str, ...]:
    """Write the records of a pool, for each player if each has some."""
    size = state.get(f"{pool}.size", 0)
    columns = {name: state.get(f"{pool}.{name}", []) for name in fields}
    if not per:
        return (_listed(size, columns),)
    return tuple(
        _listed(_of(size, player), {name: _of(col, player) for name, col in columns.items()})
        for player in players
    )


def _of(value: JSON, player: str) -> JSON:
    return value.get(player) if is_object(value) else value


def _listed(size: JSON, columns: Mapping[str, JSON]) -> str:
    lists = {name: col for name, col in columns.items() if is_list(col)}
    made: list[str] = []
    for i in range(size if isinstance(size, int) else 0):
        parts = [
            say_value(col[i]) if name == "card" else f"{words_of(name)} {say_value(col[i])}"
            for name, col in lists.items()
            if i < len(col) and col[i] not in (None, 0, False)
        ]
        made.append(" ".join(parts[:1]) + (f" ({', '.join(parts[1:])})" if parts[1:] else ""))
    return ", ".join(made)


def _turn(position: Mapping[str, JSON], compiled: Compiled | None) -> str:
    """Say who is to move, and where the game stands."""
    who, node = position.get("to_move"), str(position.get("node", ""))
    shown = words_of(plain_name(node).replace("/", ": "))
    if not node:
        return ""
    state = position.get("state")
    winners = state.get("winners") if is_object(state) else None
    if node == "game over" and is_object(winners):
        return f"the game is over: {winners_text([p for p, won in winners.items() if won])}"
    if who:
        return f"{who} is to move ({shown})"
    nodes = compiled.machine.nodes if compiled is not None else ()
    kinds = {each.kind for each in nodes if plain_name(each.name) == plain_name(node)}
    if "chance" in kinds:
        return f"chance is next ({shown})"
    return f"what comes next is left open ({shown})" if "open" in kinds else f"next: {shown}"


# ---------------------------------------------------------------------- drawing


def draw(board: Board, paper: Paper, *, indent: str = "  ") -> list[Drawn]:
    """Draw a board, each line with its weight; head and last line have the greatest."""
    out: list[Drawn] = []
    names = max((cells(name) for name in _names(board)), default=0)
    if board.rows and board.players:
        out += _table(board, paper, names, indent)
    for entry in board.shared:
        lead = f"{indent}{entry.name.ljust(names)}  "
        text = cut(lead + paper.clean(entry.text), paper.width, "…" if paper.unicode else "...")
        out.append(Drawn(text, entry.weight))
    return out + [Drawn(line, 3) for line in paper.wrap(board.turn, indent) if board.turn]


def _names(board: Board) -> list[str]:
    return [row.name for row in board.rows] + [entry.name for entry in board.shared]


def _table(board: Board, paper: Paper, names: int, indent: str) -> list[Drawn]:
    room = paper.width - cells(indent) - names - 2
    each = max(6, (room - 2 * len(board.players)) // len(board.players))
    wanted = [
        max([cells(player), *(cells(paper.clean(row.cells[i])) for row in board.rows)])
        for i, player in enumerate(board.players)
    ]
    widths = [min(want, each) for want in wanted]
    spare = room - 2 * len(widths) - sum(widths)
    for i, want in enumerate(wanted):
        more = min(max(0, spare), want - widths[i])
        widths[i], spare = widths[i] + more, spare - more
    head = [paper.block(player, width) for player, width in zip(board.players, widths, strict=True)]
    out = [
        Drawn(paper.style(line, "bold"), 3)
        for line in paper.columns([[""], *head], [names, *widths], indent=indent)
    ]
    for row in board.rows:
        blank = "·" if paper.unicode else "-"
        cols = [
            paper.block(text or blank, width) for text, width in zip(row.cells, widths, strict=True)
        ]
        lines = paper.columns([[paper.clean(row.name)], *cols], [names, *widths], indent=indent)
        out += [Drawn(line, row.weight) for line in lines]
    return out
