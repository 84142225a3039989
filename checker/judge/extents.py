"""What plays of the printed game in one mode and another show of an observation, kept at one place.

Of several modes that is kept in which it comes up most often; beside it stays what the game as it
is chosen shows of readings, and all intervals of a run hold at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain

from ..audit.audit import Audit
from ..bench.modes import Setting
from ..bench.workbench import Instance
from ..findings.evidence import corrected
from ..findings.observations import Extent
from ..findings.results import Identity
from ..findings.shares import Frequency
from ..search.lifting import Showings
from ..search.playouts import Plays, Sample
from .roots import RARE


@dataclass(frozen=True, slots=True)
class Printed:
    """The printed game as `setting` says, and what plays of it showed; `mode` tells it in words.

    As the game is chosen the setting is None, and `mode` "".
    """

    instance: Instance
    plays: Plays
    drawn: Sample
    shown: Showings
    mode: str = ""
    setting: Setting | None = None


def at_once(audit: Audit) -> None:
    """Let the intervals of all comparisons of the run hold at once; tell the greatest effect."""
    made = {one: (_comparisons(known), known.beside) for one, known in audit.extents.items()}
    some = iter(corrected([each for rows in made.values() for each in chain(*rows)],
                          audit.printed.game.players))
    for one, (rows, chosen) in made.items():
        told = sorted((next(some) for _ in rows),
                      key=lambda often: (often.effect, often.seen), reverse=True)
        kept = tuple(next(some) for _ in chosen)
        if told:
            audit.extents[one] = replace(
                audit.extents[one], frequency=told[0], compared=tuple(told[1:]), beside=kept)


def keep(audit: Audit, identity: Identity, extent: Extent) -> None:
    """Keep what a mode shows, if none was looked at before in which it comes up more often.

    More often than in the game as it is chosen only if that is beyond luck; what that shows of
    readings is kept beside it.
    """
    known = audit.extents.get(identity)
    if known is None or not known.found:
        audit.extents[identity] = extent
    elif _share(extent) > _share(known, 0 if known.mode else 1):
        chosen = known.beside if known.mode else tuple(_comparisons(known))
        audit.extents[identity] = replace(extent, beside=chosen)


def _comparisons(extent: Extent) -> list[Frequency]:
    """Return what was counted under two readings."""
    return [each for each in (extent.frequency, *extent.compared)
            if each is not None and each.decides is not None]


def _share(extent: Extent, end: int = 0) -> float:
    """Return in which share of games something comes up under any reading: an end of its interval.

    The lower one is what it comes up in at least.
    """
    some = (extent.frequency, *extent.compared)
    return max((often.ci95[end] for often in some if often is not None), default=0.0)


def rare(known: Extent | None) -> bool:
    """Return whether something was seen, and in few games."""
    often = None if known is None or not known.found else known.frequency
    return often is not None and often.ci95[1] < RARE and not (often.effect or often.set_up)
