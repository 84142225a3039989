"""The games under each reading of an order, and where they pause to be compared."""

from __future__ import annotations

from ...model.game.game import Game
from ...model.rules.ordering import order_on
from ..audit.audit import Audit
from ..bench.workbench import Instance
from ..points.points import Point


def under(audit: Audit, point: Point, scope: str, reading: str) -> Instance:
    """Return a scope under a reading of an order, all else in the same order in every reading.

    Of two clauses on one step, nothing comes between them; what the step states is kept.
    """
    return audit.bench.instance(
        scope, rulings=rulings_of(audit.bench.game(scope), point, reading))


def paused(audit: Audit, point: Point, scope: str, reading: str) -> Instance:
    """Return the same scope with pauses around what has the order, as its family pauses."""
    game = audit.bench.game(scope)
    rulings, own = rulings_of(game, point, reading), pauses_of(game, point)
    pauses = audit.bench.pausing(rulings)
    if not own <= pauses:
        pauses = own
    return audit.bench.instance(scope, rulings=rulings, pauses=pauses)


def rulings_of(game: Game, point: Point, reading: str) -> dict[str, str]:
    """Return the rulings that make a reading of an order, all else in the same order."""
    rulings = {point.id: reading}
    if point.kind == "clauses":
        step = next(c.on for c in game.clauses if c.id == point.clauses[0])
        rulings |= order_on(game, step).beside(*point.clauses)
    return rulings


def pauses_of(game: Game, point: Point) -> frozenset[str]:
    """Name what is compared between two rests: the step, clause or window that has no order."""
    if point.kind == "window":
        return frozenset(point.names)
    if point.kind == "loop":
        return frozenset(point.clauses)
    step = next((c.on for c in game.clauses if c.id == point.clauses[0]), "")
    return frozenset({step}) if step in game.steps else frozenset()
