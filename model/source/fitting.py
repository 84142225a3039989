"""Whether a tree has the shape that a JSON Schema asks for: yes, or ask the schema's library.

Nearly every file is right, and to see that takes a tenth of what the library needs to say what is
wrong.  Only the keywords of our own schema are known here; whatever else stands in a schema counts
as not fitting, so that a "yes" is never less than the library's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from .tree import SpecNode

if TYPE_CHECKING:
    from collections.abc import Mapping

    Rules = Mapping[str, Any]

_TYPES: dict[type, str] = {type(None): "null", bool: "boolean", int: "integer", float: "number",
                           str: "string", tuple: "array", dict: "object"}
_TEXTS = frozenset({"maxLength", "minLength", "pattern"})
_NUMBERS = frozenset({"minimum", "maximum"})
_LISTS = frozenset({"items", "minItems", "maxItems"})
_MAPPINGS = frozenset({"required", "minProperties", "properties", "patternProperties",
                       "propertyNames", "additionalProperties"})
_WORDS = frozenset({"description", "title", "$schema", "$id", "$defs", "type", "enum", "$ref"})
KNOWN = _TEXTS | _NUMBERS | _LISTS | _MAPPINGS | _WORDS
"""The keywords that are understood here."""


def fits(node: SpecNode, rules: Rules, definitions: Mapping[str, Rules]) -> bool:
    """Return whether a tree certainly has the shape that a schema asks for."""
    value = node.value
    if rules.keys() - KNOWN or not _is_one_of(value, rules):
        return False
    ref = rules.get("$ref")
    if ref is not None and not fits(node, definitions[ref.removeprefix("#/$defs/")], definitions):
        return False
    match value:
        case str():
            return _text(value, rules)
        case bool():
            return True
        case int() | float():
            low: float = rules.get("minimum", value)
            high: float = rules.get("maximum", value)
            return low <= value <= high
        case tuple():
            inner = rules.get("items")
            return _size(len(value), rules, "Items") and (
                inner is None or all(fits(each, inner, definitions) for each in value))
        case dict():
            return _mapping(value, rules, definitions)
        case _:
            return True


def _is_one_of(value: object, rules: Rules) -> bool:
    """Return whether a value is of a type that may stand here, and one of those listed."""
    wanted = rules.get("type")
    kind = _TYPES[type(value)]
    if wanted is not None and kind not in ([wanted] if isinstance(wanted, str) else wanted):
        return False
    listed = rules.get("enum")
    return listed is None or any(type(each) is type(value) and each == value for each in listed)


def _size(size: int, rules: Rules, of: str) -> bool:
    low: int = rules.get(f"min{of}", 0)
    high: int = rules.get(f"max{of}", size)
    return low <= size <= high


def _text(value: str, rules: Rules) -> bool:
    pattern = rules.get("pattern")
    return _size(len(value), rules, "Length") and (
        pattern is None or matches(pattern, value))


def matches(pattern: str, text: str) -> bool:
    """Return whether a text has a pattern; `$` is its very end, not a line break before it."""
    return re.search(pattern.replace("$", r"\Z"), text) is not None


def _mapping(
    entries: Mapping[str, SpecNode], rules: Rules, definitions: Mapping[str, Rules]
) -> bool:
    if not entries.keys() >= {*rules.get("required", ())} or (
            len(entries) < rules.get("minProperties", 0)):
        return False
    named = rules.get("propertyNames")
    known, patterns = rules.get("properties", {}), rules.get("patternProperties", {})
    others = rules.get("additionalProperties", True)
    for name, node in entries.items():
        if named is not None and not fits(SpecNode(name, node.place), named, definitions):
            return False
        inner = [known[name]] if name in known else []
        inner += [each for pattern, each in patterns.items() if re.search(pattern, name)]
        if not inner and others is False:
            return False
        inner = inner or ([others] if isinstance(others, dict) else [])
        if not all(fits(node, each, definitions) for each in inner):
            return False
    return True
