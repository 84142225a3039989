"""What an answer leaves of what is known of orders, and which questions it makes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import networkx as nx

from ...model.game.game import Game
from ...model.lowering.circles import home_of, who_may_run_what
from ...model.lowering.compile import Compiled
from ..points.points import Point, points_of
from ..points.silences import silences_of

WINDOW = "window:"
EVERYWHERE = ("whenever", "define", "always", "overrides")
"""Fields of clauses that may act, or count, anywhere."""


def disturbed(
    game: Game, points: Iterable[Point], changes: Iterable[Mapping[str, Any]]
) -> frozenset[str]:
    """Name the orders amid which something runs that some answers change, or may run then.

    Args:
        game: the game before these answers.
        points: the orders.
        changes: what each answer changes.

    """
    each = list(changes)
    calls = who_may_run_what(game)
    homes = {clause.id: home_of(clause) for clause in game.clauses}
    found = set[str]()
    for point in points:
        amid = {homes[name] for name in point.clauses if name in homes}
        amid |= {name for home in amid if home in calls for name in nx.descendants(calls, home)}
        if any(_may_matter(game, change, amid) for change in each):
            found.add(point.id)
    return frozenset(found)


def _may_matter(game: Game, change: Mapping[str, Any], amid: set[str]) -> bool:
    """Return whether what an answer changes may run amid some steps and windows."""
    return bool(change.get("constants")) or any(
        home is None or home in amid for home in _places(game, change))


def _places(game: Game, change: Mapping[str, Any]) -> Iterator[str | None]:
    """Yield where what is changed stands; None for what may count anywhere."""
    fields = change.get("changes") or {}
    for name in (*fields, *(change.get("drop") or ())):
        if name.startswith(WINDOW):
            yield name.removeprefix(WINDOW)
            continue
        clause = game.clause(name)
        if clause is None or clause.define or clause.always is not None or (
                clause.whenever is not None or clause.overrides):
            yield None
            continue
        yield home_of(clause)
        yield from _stands(fields.get(name) or {})
    for added in change.get("add") or ():
        yield from _stands(added)


def _stands(fields: Mapping[str, Any]) -> Iterator[str | None]:
    """Yield where fields of a clause put it, if they say so."""
    if any(name in fields for name in EVERYWHERE):
        yield None
    elif "on" in fields:
        yield str(fields["on"]).partition(".")[0]


def open_points(compiled: Compiled) -> dict[str, Point]:
    """Return all points of a game by id, also those that are decided."""
    return {each.id: each for each in (*points_of(compiled), *silences_of(compiled.game))}
