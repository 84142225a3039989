"""Readings by which several choose at the same time: no comparison says what each knows then.

Each makes the same choices in both games where these are compared, and who solves a game sees all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.game.game import PRINTED
from ...model.orders.deciders import chosen_at_once
from ..findings.results import NotChecked
from .points import has_clauses

if TYPE_CHECKING:
    from ...model.game.game import Game
    from ..judge.audit import Audit
    from .points import Point

UNKNOWN = ("if each player chooses the same, nothing differs; what whoever is asked later knows of "
           "what was chosen before was not compared")


def unknown(point: Point, reading: str) -> NotChecked:
    """Return the note that it was not compared what those know who choose at once."""
    return NotChecked(f"{point.id} = {reading}", f"{point.asks}: {UNKNOWN}", "question")


def asked_at_once(audit: Audit, point: Point, reading: str) -> bool:
    """Return whether several choose at once under a reading, or under the adopted one, alone."""
    names = [PRINTED] if has_clauses(audit.printed.game, point) else [
        scope.name for scope in audit.comparable() if has_clauses(scope.instance.game, point)]
    return any(_apart(audit.bench.game(name), audit.bench.game(name, rulings={point.id: reading}))
               for name in names)


def _apart(game: Game, other: Game) -> bool:
    """Return whether several choose at once in a clause of one of two games alone."""
    bodies = {clause.id: clause.do for clause in game.clauses}
    changed = [clause.id for clause in other.clauses if clause.do != bodies.get(clause.id)]
    return any(chosen_at_once(game, name) != chosen_at_once(other, name) for name in changed)
