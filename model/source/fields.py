"""Small readers of a node's entries; the shape has been checked, so nothing can be wrong here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import cast

from .errors import Place
from .tree import SpecNode


def entries(node: SpecNode | None, key: str = "") -> dict[str, SpecNode]:
    """Return the entries of a mapping, or of the mapping under a key; none if there is none."""
    if key:
        node = entries(node).get(key)
    return node.value if node is not None and isinstance(node.value, dict) else {}


def items(node: SpecNode | None, key: str = "") -> tuple[SpecNode, ...]:
    """Return the items of a list, or of the list under a key; a single value counts as a list."""
    if key:
        node = entries(node).get(key)
    if node is None or node.value is None:
        return ()
    return node.value if isinstance(node.value, tuple) else (node,)


def field(node: SpecNode | None, key: str) -> SpecNode | None:
    """Return the node under a key, unless it is null."""
    found = entries(node).get(key)
    return None if found is None or found.value is None else found


def text(node: SpecNode | None, key: str, default: str = "") -> str:
    """Return the text under a key, on one line."""
    found = field(node, key)
    return default if found is None else " ".join(str(found.value).split())


def number(node: SpecNode | None, key: str, default: int) -> int:
    """Return the number under a key."""
    found = field(node, key)
    return found.value if found is not None and type(found.value) is int else default


def truth(node: SpecNode | None, key: str) -> bool:
    """Return the truth value under a key."""
    found = field(node, key)
    return found is not None and found.value is True


def texts(node: SpecNode | None, key: str) -> tuple[str, ...]:
    """Return the texts of a list."""
    return tuple(str(item.value) for item in items(node, key))


def numbers(node: SpecNode | None, key: str) -> tuple[int, ...]:
    """Return the numbers of a list."""
    return tuple(item.value for item in items(node, key) if type(item.value) is int)


def key_place(node: SpecNode | None, key: str) -> Place | None:
    """Return the place of a key."""
    return node.keys.get(key) if node is not None else None


def place_of(node: SpecNode, key: str) -> Place:
    """Return the place of what stands under a key, or of the node."""
    found = entries(node).get(key)
    return found.place if found is not None else node.place


def by_id(nodes: Iterable[SpecNode]) -> dict[str, SpecNode]:
    """Index nodes by their `id`; the first one counts."""
    found: dict[str, SpecNode] = {}
    for node in nodes:
        found.setdefault(text(node, "id"), node)
    return found


def mapping(
    values: Mapping[str, SpecNode], place: Place, keys: Mapping[str, Place] | None = None
) -> SpecNode:
    """Make a mapping."""
    places = dict(keys) if keys is not None else {key: node.place for key, node in values.items()}
    return SpecNode(dict(values), place, places)


def updated(node: SpecNode, changes: Mapping[str, SpecNode], keys: Mapping[str, Place]) -> SpecNode:
    """Set other values under some keys of a mapping; null takes a key away."""
    values = {**entries(node), **changes}
    kept = {key: value for key, value in values.items() if value.value is not None}
    return replace(node, value=kept, keys={**node.keys, **keys})


def plain(node: SpecNode) -> object:
    """Return what a node holds as plain data, without places."""
    if isinstance(node.value, dict):
        return {key: plain(each) for key, each in node.value.items()}
    if isinstance(node.value, tuple):
        return [plain(each) for each in node.value]
    return node.value


def from_plain(value: object, place: Place) -> SpecNode:
    """Make a tree of plain data that stands at one place."""
    match value:
        case dict():
            entries = cast("dict[object, object]", value)
            return mapping({str(key): from_plain(each, place) for key, each in entries.items()},
                           place)
        case list() | tuple():
            items = cast("Iterable[object]", value)
            return SpecNode(tuple(from_plain(each, place) for each in items), place)
        case bool() | int() | float() | str() | None:
            return SpecNode(value, place)
        case _:
            raise TypeError(f"value={value!r} cannot stand in a spec")
