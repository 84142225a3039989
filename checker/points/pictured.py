"""A play that shows what a question asks about, where its author says what that is (`where`)."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from ...model.game.game import Game
from ...model.game.syntax import Expr
from ...model.rules.elaborate import condition
from ...model.rules.meanings import Failed
from ...model.run.interp import UNPLAYABLE
from ..audit.audit import Audit
from ..bench.workbench import Instance, side_by_side
from ..comparison.pictured import split_where
from ..comparison.product import Divergence
from ..search.playouts import Plays
from .answers import Contrast, best_of, really
from .left_open import left_open
from .points import Point


def pictured(audit: Audit, point: Point, apart: Contrast) -> Contrast:
    """Return what tells a reading apart in a situation that the point is about, if plays show one.

    What shows more is told beside it.  That there is none is listed as not checked: what is shown
    instead may be about something beside the question.
    """
    if where_of(apart.adopted.game, point.id) is None:
        return apart
    with suppress(Failed, *UNPLAYABLE):  # what is shown without it stands
        found = parted_where(apart.adopted, apart.other, point.id, seed=audit.seed,
                             plays=audit.plays)
        if found is not None:
            made, _ = really(audit, point, replace(
                apart, found=found, best=best_of(found), settled=False, method="sampled"))
            if made is not None and made.found is found:
                more = min((each for each in (apart, apart.beside) if each is not None),
                           key=lambda each: each.best.level)
                return replace(made, pictured=True,
                               beside=more if more.best.level < made.best.level else None)
    audit.not_checked.append(left_open(
        point, "no random play showed it in a situation of the kind that the spec names, so "
        "another one is shown", apart.reading))
    return apart


def where_of(game: Game, point: str) -> Expr | None:
    """Return in which situations a point comes up; None if its author does not say."""
    return next((each.where for each in game.open_points if each.id == point), None)


def parted_where(
    adopted: Instance, other: Instance, point: str, *, seed: int, plays: Plays
) -> Divergence | None:
    """Return where two games part in a situation that a point is about; None if plays show none.

    Raises:
        Failed, SpecErrors, UsageError, EndlessRules: if one of the two makes no sense, or the
            condition does not in that game.

    """
    where = where_of(adopted.game, point)
    return None if where is None else split_where(
        *side_by_side(adopted, other), condition(adopted.game, where), seed=seed, plays=plays)
