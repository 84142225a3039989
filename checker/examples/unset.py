"""Worked examples that name what the game has not, in their scene or their moves, and where."""

from __future__ import annotations

from collections.abc import Iterator

from ...model.game.game import Settings
from ...model.loading.sections import Sections
from ...model.run.interp import EndlessRules
from ...model.source import fields
from ...model.source.errors import (
    Diagnostic,
    Place,
    SpecErrors,
    UsageError,
    did_you_mean,
    first_line,
)
from ...model.source.tree import SpecNode
from ..bench.workbench import Workbench
from .examples import instance_of
from .move_text import SceneError
from .named import check_moves
from .scenes import begin

FEW = 8
"""So many names that could stand somewhere are listed."""


def unset_scenes(sections: Sections) -> Iterator[Diagnostic]:
    """Yield why examples cannot be set up or played, each in the game that it is about.

    A scene that a sentence of the book forbids is none of these: then the book contradicts itself,
    which `verify` tells.

    Raises:
        SpecErrors: if the game as it is ruled does not compile.

    """
    bench = Workbench(sections, Settings())
    nodes = fields.by_id(fields.items(sections.root, "clauses"))
    for clause in bench.game("printed").clauses:
        node = fields.field(nodes.get(clause.id), "example")
        if clause.example is None or node is None:
            continue
        wrong = f"the example `{clause.id}` cannot be set up: "
        try:
            instance = instance_of(bench, clause.id, clause.example)
            begin(instance, clause.example.at, clause.example.state)
            wrong = f"the example `{clause.id}` cannot be played: "
            check_moves(instance, clause.example.moves)
        except SceneError as error:
            if not error.clauses:
                yield Diagnostic("RP257", f"{wrong}{error}", _place(node, error), _expected(error))
        except (SpecErrors, UsageError) as error:
            yield Diagnostic("RP257", f"{wrong}{first_line(error)}", node.place)
        except EndlessRules:
            continue  # a defect of the rules, with a play


def _place(example: SpecNode, error: SceneError) -> Place:
    """Return where what is wrong stands: its value, or else the key that leads to it."""
    place = example.place
    for key in error.path:
        if isinstance(key, int):
            items = fields.items(example)
            if key >= len(items):
                break
            example = items[key]
            place = example.place
        else:
            inner = fields.field(example, key)
            if inner is None:
                break
            same = error.given is not None and inner.value == error.given
            place = inner.place if same else example.keys.get(key, inner.place)
            example = inner
    return place


def _expected(error: SceneError) -> str:
    """Say what could stand there: the nearest name, or all if they are few."""
    near = did_you_mean(str(error.given), error.known)
    if near or not error.known:
        return near
    names = ", ".join(f"`{each}`" for each in error.known[:FEW])
    return f"expected {names}{', …' if len(error.known) > FEW else ''}"
