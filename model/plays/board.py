"""States in words: the board as a dictionary of names, there and back, and what a seat sees of it.

The published form of a state is plain JSON.  A scalar stands under its name; an array is an object
with one entry for each value of its dimension (a list where the dimension has no names); a zone is
an object of card kinds and counts, without the zeros.  `none` is null.  The canonical form has
sorted keys and no spaces, and its SHA-256 names the state.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from weakref import WeakKeyDictionary

from ..machine.machine import Array, Domain, Machine
from ..machine.state import State
from ..run.shape import Shape, shape_of

JSON = None | bool | int | str | list["JSON"] | dict[str, "JSON"]

NONE = -1
PLACES = "pile"
"""The zone kind of arrays that hold a card in each place, the top one first."""

HIDDEN = "hidden"


def values_by_name(machine: Machine, state: State) -> dict[str, JSON]:
    """Show a whole state by the names of arrays and values."""
    return {each.array.name: each.show(values) for each, values in _parts(machine, state)}


def from_values(machine: Machine, node: str, values: Mapping[str, object]) -> State:
    """Read a state back; every array must be there, zeros of zones may be left out."""
    nodes = {node.name: node.id for node in machine.nodes}
    if node not in nodes:
        raise ValueError(_unknown("node", node, nodes))
    names = [array.name for array in machine.arrays]
    for name in values:
        if name not in names:
            raise ValueError(_unknown("name", name, names))
    vector: list[int] = []
    for array in machine.arrays:
        if array.name not in values:
            raise ValueError(f"`{array.name}` is missing")
        vector += _read(machine, array, values[array.name], 0, array.name)
    return State(nodes[node], tuple(vector))


def view(machine: Machine, state: State, seat: int) -> dict[str, JSON]:
    """Show what one seat sees of a state: of hidden zones the size, of other hidden things nothing.

    An array for its owner is hidden from everybody if its first dimension is not the players.
    """
    found: dict[str, JSON] = {}
    for each, values in _parts(machine, state):
        array, axes = each.array, _axes(machine, each.array)
        if array.seen_by == "all":
            found[array.name] = each.show(values)
        elif array.seen_by == "owner" and axes and axes[0].kind == "player":
            show, row = _shown(machine, array, 1), array.size // array.dims[0]
            found[array.name] = {
                _key(axes[0], i): show(part) if i == seat else _hide(machine, array, part, 1)
                for i, part in enumerate(_rows(values, row))
            }
        else:
            found[array.name] = _hide(machine, array, values, 0)
    return found


def canonical_json(value: object) -> str:
    """Write JSON in the one form that is hashed: sorted keys, no spaces, as UTF-8 text."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def state_hash(machine: Machine, state: State) -> str:
    """Name a state by the SHA-256 of its canonical JSON: the node's name and the values."""
    node = next(node.name for node in machine.nodes if node.id == state.node)
    parts = sorted(_parts(machine, state), key=lambda part: part[0].array.name)
    texts = ",".join(each.text(values) for each, values in parts)
    whole = f'{{"node":{canonical_json(node)},"values":{{{texts}}}}}'
    return hashlib.sha256(whole.encode()).hexdigest()


# ----------------------------------------------------------------------------- one value


def show_value(machine: Machine, domain: Domain, value: int) -> JSON:
    """Show one value of a domain: by name, as a number, or null for `none`."""
    names = _names(machine, domain)
    if domain.kind == "bool" and value in (0, 1):
        return bool(value)
    if value == NONE and (domain.kind != "int" or domain.low > NONE):
        return None
    if 0 <= value - domain.low < len(names):
        return names[value - domain.low]
    return value


def read_value(machine: Machine, domain: Domain, shown: object, where: str) -> int:
    """Read one value of a domain back; `where` says for errors what is being read."""
    names = _names(machine, domain)
    if shown is None:
        return NONE
    if isinstance(shown, bool):
        if domain.kind != "bool":
            raise ValueError(f"`{where}` is no truth value")
        return int(shown)
    if isinstance(shown, str):
        if shown not in names:
            raise ValueError(_unknown(f"value of `{where}`", shown, names))
        return names.index(shown) + domain.low
    if not isinstance(shown, int):
        raise ValueError(f"`{where}` must be a name or a number")  # noqa: TRY004  (input, not code)
    return shown


def _names(machine: Machine, domain: Domain) -> tuple[str, ...]:
    return domain.names or (machine.player_names if domain.kind == "player" else ())


def _unknown(what: str, name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), n=1)
    return f"unknown {what} `{name}`" + (f", did you mean `{near[0]}`?" if near else "")


# ---------------------------------------------------------------------------- one array


def _axes(machine: Machine, array: Array) -> tuple[Domain, ...]:
    """Return a domain for every dimension, with names where there are any."""
    plain = tuple(Domain("int", 0, size - 1) for size in array.dims)
    return tuple(
        Domain(axis.kind, axis.low, axis.high, _names(machine, axis))
        for axis in array.axes + plain[len(array.axes) :]
    )


def _key(axis: Domain, index: int) -> str:
    return axis.names[index] if index < len(axis.names) else str(axis.low + index)


def _rows(values: tuple[int, ...], size: int) -> Iterator[tuple[int, ...]]:
    return (values[i : i + size] for i in range(0, len(values), size))


Show = Callable[[tuple[int, ...]], JSON]
"""Shows the elements of an array, or of a part of it."""


@dataclass(slots=True)
class _Part:
    """An array, where it starts, how it is shown, and its last values and text.

    From one state of a play to the next, most arrays stay as they are.
    """

    array: Array
    first: int
    show: Show
    last: tuple[tuple[int, ...], str] = ((), "")

    def text(self, values: tuple[int, ...]) -> str:
        """Write the canonical JSON of the array, with its name."""
        if self.last[0] != values or not values:
            shown = canonical_json({self.array.name: self.show(values)})
            self.last = (values, shown[1:-1])
        return self.last[1]


_PARTS: WeakKeyDictionary[Shape, tuple[_Part, ...]] = WeakKeyDictionary()


def _parts(machine: Machine, state: State) -> Iterator[tuple[_Part, tuple[int, ...]]]:
    """List every array with its values."""
    shape = shape_of(machine)
    if shape not in _PARTS:
        _PARTS[shape] = tuple(
            _Part(array, shape.offsets[array.name], _shown(machine, array, 0))
            for array in machine.arrays
        )
    values = state.values
    return ((each, values[each.first : each.first + each.array.size]) for each in _PARTS[shape])


def _shown(machine: Machine, array: Array, dim: int) -> Show:
    """Return how the elements below the first `dim` dimensions are shown."""
    domain, size = array.domain, len(array.dims)
    if dim == size:
        return lambda values: show_value(machine, domain, values[0])
    axis, last = _axes(machine, array)[dim], dim == size - 1
    if array.zone == PLACES and last:
        return lambda values: [show_value(machine, domain, card) for card in values if card >= 0]
    keys = [_key(axis, i) for i in range(array.dims[dim])]
    if array.zone and last:
        return lambda values: {key: count for key, count in zip(keys, values, strict=True) if count}
    return _spread(axis, array, dim, _shown(machine, array, dim + 1))


def _hide(machine: Machine, array: Array, values: tuple[int, ...], dim: int) -> JSON:
    """Show of a zone how many cards it has, of anything else only that it is hidden."""
    if not array.zone or dim == len(array.dims):
        return HIDDEN
    if dim == len(array.dims) - 1:
        held = sum(card >= 0 for card in values) if array.zone == PLACES else sum(values)
        return {"size": held}
    axis = _axes(machine, array)[dim]
    return _spread(axis, array, dim, lambda part: _hide(machine, array, part, dim + 1))(values)


def _spread(axis: Domain, array: Array, dim: int, show: Show) -> Show:
    """Show each row of a dimension: under its name, or in a list where there are no names."""
    keys = [_key(axis, i) for i in range(array.dims[dim])]
    row = array.size
    for size in array.dims[: dim + 1]:
        row //= size
    if not axis.names:
        return lambda values: [show(part) for part in _rows(values, row)]
    return lambda values: dict(zip(keys, map(show, _rows(values, row)), strict=True))


def _read(machine: Machine, array: Array, shown: object, dim: int, where: str) -> list[int]:
    """Read the elements below the first `dim` dimensions."""
    if dim == len(array.dims):
        value = read_value(machine, array.domain, shown, where)
        if not array.low <= value <= array.high:
            raise ValueError(f"`{where}` must be {array.low} to {array.high}, not {value}")
        return [value]
    axis, size = _axes(machine, array)[dim], array.dims[dim]
    if array.zone == PLACES and dim == len(array.dims) - 1:
        if not isinstance(shown, list) or len(shown) > size:
            raise ValueError(f"`{where}` must be a list of at most {size} cards, the top one first")
        cards = [read_value(machine, array.domain, card, f"{where}.{i}")
                 for i, card in enumerate(shown)]
        return [*cards, *[-1] * (size - len(cards))]
    keys = [_key(axis, i) for i in range(size)]
    zone = bool(array.zone) and dim == len(array.dims) - 1
    if isinstance(shown, list) and not axis.names and not zone:
        if len(shown) != size:
            raise ValueError(f"`{where}` must have {size} entries, not {len(shown)}")
        shown = dict(zip(keys, shown, strict=True))
    if not isinstance(shown, Mapping):
        raise ValueError(f"`{where}` must be an object")  # noqa: TRY004  (input, not code)
    for key in shown:
        if key not in keys:
            raise ValueError(_unknown(f"entry of `{where}`", str(key), keys))
    vector: list[int] = []
    for key in keys:
        if key not in shown and not zone:
            raise ValueError(f"`{where}` has no entry for `{key}`")
        value = shown.get(key, 0)
        if zone and (isinstance(value, bool) or not isinstance(value, int)):
            raise ValueError(f"`{where}.{key}` must be a number of cards")
        inner = f"{where}.{key}"
        if zone and not array.low <= value <= array.high:
            raise ValueError(f"`{inner}` must be {array.low} to {array.high}, not {value}")
        vector += [value] if zone else _read(machine, array, value, dim + 1, inner)
    return vector
