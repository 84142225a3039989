"""Writes the `actions` of a game without turn structure as a window that repeats for ever.

From here on there are only steps, windows and clauses; so settings can change an action as they
change a clause, by its id: the action's name in words joined by `_`.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..source import fields
from ..source.errors import Place, Reporter
from ..source.tree import SpecNode

WINDOW = "actions"
STEP = "play"


def as_window(root: SpecNode, report: Reporter) -> SpecNode:
    """Return the sections with `actions` turned into a window, clauses and, if need be, a step."""
    section = fields.field(root, "actions")
    if section is None:
        return root
    place = root.keys.get("actions", section.place)
    sections = {key: node for key, node in fields.entries(root).items() if key != "actions"}
    windows = fields.entries(root, "windows")
    if WINDOW in windows:
        report.error("RP221", "`actions` is a window already, since the game has `actions`",
                     sections["windows"].keys[WINDOW])
    window = {"forced": SpecNode(True, place), "repeat": SpecNode(True, place),  # noqa: FBT003
              "title": SpecNode("", place), "by": _mover(root, section, report)}
    made = fields.mapping(window, place)
    sections["windows"] = fields.mapping(
        {**windows, WINDOW: made}, place,
        {**(sections["windows"].keys if windows else {}), WINDOW: place})
    clauses = [*fields.items(root, "clauses")]
    clauses += [_clause(name, action, section.keys.get(name, action.place))
                for name, action in fields.entries(section).items()]
    if fields.field(root, "start") is None:
        steps = fields.entries(root, "steps")
        taken = {name for each in fields.entries(root).values() for name in fields.entries(each)}
        step = _free(taken)
        sections["steps"] = fields.mapping({**steps, step: SpecNode({}, place)}, place)
        sections["start"] = SpecNode(step, place)
        ids = {fields.text(clause, "id") for clause in clauses}
        clauses.append(fields.from_plain({
            "id": _free(ids), "kind": "order", "says": "the game is a series of actions",
            "on": step, "do": f"{WINDOW}()"}, place))
    sections["clauses"] = SpecNode(tuple(clauses), place)
    return replace(root, value=sections)


def _mover(root: SpecNode, section: SpecNode, report: Reporter) -> SpecNode:
    """Return who acts: `mover`, or what all actions name; otherwise the first seat."""
    mover = fields.field(root, "mover")
    if mover is not None:
        return mover
    named = [fields.field(action, "by") for action in fields.entries(section).values()]
    given = [node for node in named if node is not None]
    if given and (len(given) < len(named) or len({str(node.value) for node in given}) > 1):
        report.error("RP241", "actions of different players need `mover`, who acts next",
                     given[0].place)
    return given[0] if given else SpecNode(None, section.place)


def _clause(name: str, action: SpecNode, place: Place) -> SpecNode:
    """Write an action as a permission."""
    values = dict(fields.entries(action))
    values.setdefault("says", SpecNode(name, place))
    head = {"id": slug(name), "kind": "permit", "on": WINDOW, "option": name}
    values.update({key: SpecNode(value, place) for key, value in head.items()})
    return SpecNode(values, place, action.keys)


def slug(name: str) -> str:
    """Make a clause id of an action's name."""
    return re.sub(r"[^A-Za-z0-9]+", "_", name).strip("_") or "action"


def _free(taken: set[str]) -> str:
    count = 1
    found = STEP
    while found in taken:
        count += 1
        found = f"{STEP}_{count}"
    return found


