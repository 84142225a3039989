"""A state in one line of text, in the way of FEN: for a chat, or a bug report.

    plum-panic 2/tiny eating_%232 deck=Plum hand=[Plum,2*Pip;Pip] active=Eater_1 #44f285d7

The game; the number of players, the scope, then variants (`+name`) and rulings (`point=reading`)
that were chosen, all with `/` between them; the node; what is not as at the start; and the first
digits of the state's SHA-256, so that a slip of the pen is noticed.  A zone lists its cards, `2*`
before two of a kind (a pile: the top one first); what has a value for each player (or card, …)
stands in brackets, with `;` between them, in the order of the seats.  A blank is written `_`; other
characters that have a meaning here, as in an address of the web: `%23` is `#`.  Reading needs the
machine of the game.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from ..game.game import Settings
from ..machine.machine import Array, Machine
from ..machine.state import State
from ..source.errors import quote
from .board import JSON, from_values, state_hash, values_by_name

_PLAIN = re.compile(r"[^\w.!?'’@&()-]|_", re.ASCII)
_WORDS: dict[str, bool | None] = {"none": None, "yes": True, "no": False}
SHORT = 8
"""So many digits of the hash are written."""


def line_of(machine: Machine, state: State, settings: Settings) -> str:
    """Write a state."""
    shown, blank = values_by_name(machine, state), values_by_name(machine, _blank(machine, state))
    entries = [
        f"{_name(array.name)}={_value(array, shown[array.name], 0)}"
        for array in machine.arrays
        if shown[array.name] != blank[array.name]
    ]
    node = next(node.name for node in machine.nodes if node.id == state.node)
    chosen = [str(machine.players), _name(settings.scope)]
    chosen += [f"+{_name(variant)}" for variant in settings.variants]
    chosen += [f"{_name(point)}={_name(reading)}" for point, reading in settings.rulings]
    tail = f"#{state_hash(machine, state)[:SHORT]}"
    place = _name(node).replace("%2F", "/")
    return " ".join([_name(machine.game), "/".join(chosen), place, *entries, tail])


def state_from(machine: Machine, line: str) -> State:
    """Read a state back.

    Raises:
        ValueError: with what is wrong.

    """
    parts = line.split()
    if len(parts) < 4 or not parts[-1].startswith("#"):
        raise ValueError("a line has a game, its settings, a node, and a hash at its end")
    if read_name(parts[0]) != machine.game:
        raise ValueError(f"this is a line of {quote(read_name(parts[0]))}")
    arrays = {array.name: array for array in machine.arrays}
    node = read_name(parts[2])
    first = next((each.id for each in machine.nodes if each.name == node), None)
    if first is None:
        raise ValueError(f"unknown node {quote(node)}")
    values = dict(values_by_name(machine, _blank(machine, State(first, ()))))
    for entry in parts[3:-1]:
        name, equals, text = entry.partition("=")
        array = arrays.get(read_name(name))
        if array is None or not equals:
            raise ValueError(f"unknown entry {quote(entry)}")
        values[array.name] = _read(array, values[array.name], text, 0)
    state = from_values(machine, node, values)
    if state_hash(machine, state)[:SHORT] != parts[-1][1:]:
        raise ValueError("the line is not whole: its hash is another one")
    return state


def _blank(machine: Machine, state: State) -> State:
    """Return the state in which zones are empty and all else is as at the start."""
    values: list[int] = []
    for array in machine.arrays:
        nothing = -1 if array.low < 0 else 0
        values += (nothing,) * array.size if array.zone else array.start
    return State(state.node, tuple(values))


# ---------------------------------------------------------------------- names


def _name(text: str) -> str:
    """Write a name without blanks and without characters that have a meaning."""
    if text in _WORDS or re.fullmatch(r"-?\d+", text):
        return _all(text)
    return _PLAIN.sub(lambda found: "_" if found[0] == " " else _all(found[0]), text)


def _all(text: str) -> str:
    return "".join(f"%{byte:02X}" for byte in text.encode("utf-8"))


def read_name(text: str) -> str:
    """Read a name as a line writes it."""
    return unquote(text.replace("_", " "))


# ---------------------------------------------------------------------- values


def _value(array: Array, shown: JSON, dim: int) -> str:
    if dim == len(array.dims):
        return _scalar(shown)
    if array.zone and dim == len(array.dims) - 1 and isinstance(shown, dict):
        return ",".join(
            (f"{count}*" if count != 1 else "") + _name(card) for card, count in shown.items()
        )
    if array.zone and dim == len(array.dims) - 1 and isinstance(shown, list):
        return ",".join(map(_scalar, shown))
    rows = shown.values() if isinstance(shown, dict) else shown if isinstance(shown, list) else ()
    return f"[{';'.join(_value(array, row, dim + 1) for row in rows)}]"


def _scalar(shown: JSON) -> str:
    for word, value in _WORDS.items():
        if shown is value:
            return word
    return _name(shown) if isinstance(shown, str) else str(shown)


def _read(array: Array, like: JSON, text: str, dim: int) -> JSON:
    """Read a value that has the shape of another one."""
    if dim == len(array.dims):
        return _read_scalar(text)
    if array.zone and dim == len(array.dims) - 1:
        return _pile(text) if isinstance(like, list) else _cards(text)
    rows = list(_rows(text))
    inside = list(
        like.values() if isinstance(like, Mapping) else like if isinstance(like, list) else ()
    )
    if len(rows) != len(inside):
        raise ValueError(f"{quote(array.name)} has {len(inside)} parts, not {len(rows)}")
    read = [_read(array, each, row, dim + 1) for each, row in zip(inside, rows, strict=True)]
    return dict(zip(like, read, strict=True)) if isinstance(like, Mapping) else read


def _read_scalar(text: str) -> JSON:
    if text in _WORDS:
        return _WORDS[text]
    return int(text) if re.fullmatch(r"-?\d+", text) else read_name(text)


def _cards(text: str) -> JSON:
    found: dict[str, JSON] = {}
    for part in text.split(",") if text else ():
        number, times, card = part.rpartition("*")
        if times and not number.isdecimal():
            raise ValueError(f"{quote(part)} is no number of cards")
        found[read_name(card)] = int(number) if times else 1
    return found


def _pile(text: str) -> JSON:
    """Read cards whose order matters, the top one first."""
    return [_read_scalar(card) for card in text.split(",")] if text else []


def _rows(text: str) -> Iterator[str]:
    """Cut `[a;[b;c]]` into `a` and `[b;c]`."""
    if not (text.startswith("[") and text.endswith("]")):
        raise ValueError(f"{quote(text)} should stand in brackets")
    depth, row = 0, ""
    for char in text[1:-1]:
        depth += (char == "[") - (char == "]")
        if char == ";" and not depth:
            yield row
            row = ""
        else:
            row += char
    yield row
