"""A play that shows what a question asks about, where its author says what that is (`where`)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...model.game.game import PRINTED
from ...model.rules.elaborate import condition
from ...model.rules.meanings import Failed
from ..bench.workbench import side_by_side
from ..comparison.pictured import split_where
from .answers import best_of, really

if TYPE_CHECKING:
    from ..judge.audit import Audit
    from .answers import Apart
    from .points import Point


def pictured(audit: Audit, point: Point, apart: Apart) -> Apart:
    """Return what tells a reading apart in a situation that the point is about, if plays show one.

    Of the printed game only, and nothing that shows less than what was found.

    Raises:
        EndlessRules: if the game never gets to rest under one of its readings.

    """
    where = next((each.where for each in apart.adopted.game.open_points
                  if each.id == point.id), None)
    if where is None or apart.scope != PRINTED:
        return apart
    try:
        holds = condition(apart.adopted.game, where)
    except Failed:  # it is told where the game is loaded
        return apart
    one, two = side_by_side(apart.adopted, apart.other)
    found = split_where(one, two, holds, seed=audit.seed, plays=audit.plays)
    if found is None or found.best is None or found.best.level > apart.best.level:
        return apart
    made, _ = really(audit, point, replace(
        apart, found=found, best=best_of(found), smaller=None, settled=False))
    return made if made is not None and made.found is found else apart
