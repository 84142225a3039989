"""A play that shows what a question asks about, where its author says what that is (`where`)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from ...model.game.game import PRINTED
from ...model.rules.elaborate import condition
from ...model.rules.meanings import Failed
from ...model.run.interp import UNPLAYABLE
from ..bench.workbench import side_by_side
from ..comparison.pictured import split_where
from ..findings.results import NotChecked
from .answers import best_of, really

if TYPE_CHECKING:
    from ..judge.audit import Audit
    from .answers import Apart
    from .points import Point


def pictured(audit: Audit, point: Point, apart: Apart) -> Apart:
    """Return what tells a reading apart in a situation that the point is about, if plays show one.

    Of the printed game only, and nothing that shows less than what was found.  That there is none
    is listed as not checked: what is shown instead may be about something beside the question.
    """
    where = next((each.where for each in apart.adopted.game.open_points
                  if each.id == point.id), None)
    if where is None:
        return apart
    with suppress(Failed, *UNPLAYABLE):  # what is shown without it stands
        holds = condition(apart.adopted.game, where)
        one, two = side_by_side(apart.adopted, apart.other)
        found = None if apart.scope != PRINTED else split_where(
            one, two, holds, seed=audit.seed, plays=audit.plays)
        if found is not None and best_of(found).level <= apart.best.level:
            made, _ = really(audit, point, replace(
                apart, found=found, best=best_of(found), smaller=None, settled=False))
            if made is not None and made.found is found:
                return replace(made, pictured=True)
    audit.not_checked.append(NotChecked(
        f"{point.id} = {apart.reading}", f"{point.asks}: no random play of the printed game showed "
        "it in a situation of the kind that the spec names, so another one is shown", "question"))
    return apart
