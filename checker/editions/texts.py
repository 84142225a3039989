"""What differs in the text of two specs, entry by entry.

Entries are compared as the settings leave them, after what a game extends, its variants and its
readings have been applied.  Where a sentence stands in its book, and how a list of `after` names
clauses that the other edition does not have, is no difference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ...model.game.sentences import played
from ...model.source import fields
from ...model.source.tree import SpecNode, to_plain
from .results import How, TextChange

SECTIONS = ("players", "clauses", "windows", "constants", "enums", "families", "cards", "zones",
            "state", "pools", "steps", "vocabulary", "titles", "score")
CITED = frozenset({"lines", "sentences", "clause", "in", "not_in", "missing"})
WORDING = frozenset({
    "says", "title", "about", "why", "means", "uses", "stated", "settled", "internal", "restates",
    "assumed", "asked", "same_as", "name", "called"})
ORDER = frozenset({"after", "before"})

Entries = dict[str, dict[str, Any]]


def entries_of(root: SpecNode, variants: tuple[str, ...]) -> dict[str, Entries]:
    """Return the entries of each section, as plain data; a value by itself is the field `value`."""
    found = dict[str, Entries]()
    for section in SECTIONS:
        node = fields.field(root, section)
        if node is None:
            continue
        if section == "clauses":
            found[section] = {name: _fields(each) for name, each in fields.by_id(
                fields.items(node)).items() if played(each, variants)}
        elif section == "cards":
            found[section] = {f"{family}.{name}": _fields(each)
                              for family, cards in fields.entries(node).items()
                              for name, each in fields.entries(cards).items()}
        elif section in ("players", "score"):
            found[section] = {section: _fields(node)}
        else:
            found[section] = {name: _fields(each) for name, each in fields.entries(node).items()}
    return found


def unplayed_of(root: SpecNode, variants: tuple[str, ...]) -> dict[str, Entries]:
    """Return the modes, and the clauses that are not in force in those that are played."""
    clauses, modes = fields.field(root, "clauses"), fields.field(root, "variants")
    return {
        "clauses": {} if clauses is None else {
            name: _fields(each) for name, each in fields.by_id(fields.items(clauses)).items()
            if not played(each, variants)},
        "variants": {} if modes is None else {
            name: _fields(each) for name, each in fields.entries(modes).items()}}


def apart(a: Mapping[str, Entries], b: Mapping[str, Entries]) -> list[str]:
    """Name the entries of some sections that differ, or that one of the two has not."""
    return [name for section in a
            for name in dict.fromkeys((*a[section], *b[section]))
            if (name in a[section]) != (name in b[section])
            or _changed(section, name, a[section][name], b[section][name],
                        (a[section], b[section]))]


def _fields(node: SpecNode) -> dict[str, Any]:
    plain = to_plain(node)
    return {name: _even(value) for name, value in plain.items() if value is not None} if isinstance(
        plain, dict) else {"value": _even(plain)}


def _even(value: Any) -> Any:  # noqa: ANN401  (plain data)
    """Leave out the spaces that say nothing."""
    if isinstance(value, str):
        return "\n".join(line.rstrip() for line in value.strip().split("\n"))
    return value


def compared(
    a: Mapping[str, Entries], b: Mapping[str, Entries]
) -> tuple[tuple[TextChange, ...], int]:
    """List what differs, in the order of the sections; and count the clauses that are the same."""
    found, same = list[TextChange](), 0
    for section in SECTIONS:
        mine, theirs = a.get(section, {}), b.get(section, {})
        dropped = {name: each for name, each in mine.items() if name not in theirs}
        added = {name: each for name, each in theirs.items() if name not in mine}
        for old, new in _renamed(dropped, added):
            found.append(TextChange(section, new, "renamed", _says(added[new]), {"id": (old, new)}))
            del dropped[old], added[new]
        for name, each in mine.items():
            if name in dropped:
                found.append(TextChange(section, name, "dropped", _says(each)))
            elif name in theirs:
                change = _changed(section, name, each, theirs[name], (mine, theirs))
                same += change is None and section == "clauses"
                found += [change] if change is not None else []
        found += [TextChange(section, name, "added", _says(each)) for name, each in added.items()]
    return tuple(found), same


def _says(entry: Mapping[str, Any]) -> str:
    return str(entry.get("says") or entry.get("title") or entry.get("name") or "")


def _renamed(dropped: Entries, added: Entries) -> Iterator[tuple[str, str]]:
    """Pair entries that differ in their name, and in where they stand, only."""
    def key(entry: Mapping[str, Any]) -> str:
        return repr(sorted((name, value) for name, value in entry.items()
                           if name not in CITED | {"id"}))

    left = dict[str, list[str]]()
    for name, each in added.items():
        left.setdefault(key(each), []).append(name)
    for name, each in list(dropped.items()):
        if {"says", "means"} & each.keys() and (names := left.get(key(each))):
            yield name, names.pop(0)


def _changed(section: str, name: str, a: Mapping[str, Any], b: Mapping[str, Any],
             known: tuple[Entries, Entries]) -> TextChange | None:
    """Compare one entry."""
    both = known[0].keys() & known[1].keys()

    def shown(entry: Mapping[str, Any], field: str) -> Any:  # noqa: ANN401
        value = entry.get(field)
        if field in ORDER and section == "clauses":
            names = value if isinstance(value, list) else [] if value is None else [value]
            return sorted(each for each in names if each in both) or None
        return value

    fields_of = {field: (shown(a, field), shown(b, field)) for field in dict.fromkeys((*a, *b))
                 if field not in CITED and shown(a, field) != shown(b, field)}
    if not fields_of:
        return None
    how: How = "reworded" if fields_of.keys() <= WORDING else "changed"
    return TextChange(section, name, how, _says(b), fields_of)
