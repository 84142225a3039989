"""Readings compared in the printed game of a mode, or with another number of players.

What a question is about may be there in none of the scopes, nor in the game as it is chosen.
"""

from __future__ import annotations

from ...model.game.game import PRINTED
from ...model.run.interp import UNPLAYABLE
from ...model.source.errors import UnfitModeError
from ..audit.audit import Audit
from ..bench.modes import played_as
from ..bench.workbench import side_by_side
from ..comparison.equivalence import apart_in_play
from ..comparison.product import split_after
from ..findings.evidence import in_mode
from ..findings.results import NotChecked
from .answers import Contrast, best_of, really
from .left_open import unplayable
from .points import Point, has_clauses
from .silences import has_reading

FORCED = ("in the printed game the answers were seen to differ only in who is asked first, or in "
          "moves beside which there is no other; what comes of that was looked at in a few random "
          "plays only")
"""Why nothing is said of a reading that is told apart by nothing that anybody picks."""


def elsewhere(audit: Audit, point: Point, reading: str) -> Contrast | None:
    """Compare a reading that nothing decides in each mode, and with other players.

    What it is about may be there in none of the scopes, nor in the chosen game.  Of a game that was
    explored as it is chosen it is each number of players, else the fewest and the most.
    """
    open_still = point.kind == "declared" or (point.kind == "silence" and not point.decided)
    if open_still and audit.of_printed:
        for modes, players in played_as(
                audit.bench, every=audit.explored_printed is not None):
            shown, _ = _in_setting(audit, point, reading, modes, players)
            if shown is not None:
                return shown
    return None


def in_its_mode(audit: Audit, point: Point, reading: str) -> tuple[Contrast | None, str]:
    """Compare a reading in the printed game of a mode that has the point's clauses.

    The mode is that of the smallest scope that has them; what is returned names it, and "" if
    there is none or the printed game cannot be played in it.
    """
    modes = next((scope.instance.game.settings.variants for scope in audit.comparable()
                  if has_clauses(scope.instance.game, point)), ())
    return _in_setting(audit, point, reading, modes, None) if modes else (None, "")


def _in_setting(
    audit: Audit, point: Point, reading: str, modes: tuple[str, ...], players: int | None
) -> tuple[Contrast | None, str]:
    """Compare a reading in the printed game in some modes; say in which, "" if it has no game."""
    mode = in_mode(audit.printed.game, modes, players)
    try:
        mine = audit.bench.instance(PRINTED, variants=modes, players=players)
        if point.kind == "silence" and not has_reading(mine.game, point.id, reading):
            return None, ""
        other = audit.bench.instance(PRINTED, rulings={point.id: reading}, variants=modes,
                                     players=players)
        one, two = side_by_side(mine, other)
        play = apart_in_play(one, two, seed=audit.seed, plays=audit.plays)
        if play is None:
            return None, mode
        found = split_after(one, two, play)
    except UnfitModeError:  # nobody plays the printed game so
        return None, ""
    except UNPLAYABLE as error:
        audit.not_checked.append(unplayable(point, error, reading, mode=mode))
        return None, ""
    apart, _ = really(audit, point, Contrast(
        reading, mine, other, found, best_of(found), PRINTED, "sampled", mode))
    if apart is None:
        audit.not_checked.append(NotChecked(
            f"{point.id} = {reading} {mode}", FORCED, "question", point=point.id, reading=reading,
            mode=mode))
    return apart, "" if apart is None else mode
