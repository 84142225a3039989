"""What is said of readings that nothing tells apart: where that was looked at, in one line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.plays.wording import many
from ..clauses.printed import PROVED, is_scope
from ..findings.results import Harmless

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..findings.results import Method
    from ..judge.audit import Audit, Scoped
    from .points import Point


def told_harmless(
    audit: Audit, point: Point, quiet: Mapping[str, Sequence[str]], *, apart: bool, whole: bool
) -> None:
    """Say of readings that nothing tells apart how that was looked at, in one line for all."""
    met: Method = audit.reach() if whole else "bounded"
    methods = {"proof" if how == PROVED else met for how in quiet}
    method: Method = met if met in methods else "proof"
    where = {proved_for(audit) if how == PROVED else how: readings
             for how, readings in quiet.items()}
    titles = dict(point.readings)
    several = "; ".join(f"{how} under {' and '.join(f'“{titles[each]}”' for each in some)}"
                        for how, some in where.items())
    told = several if len(where) > 1 else next(iter(where))
    names = ", ".join(each for some in quiet.values() for each in some)
    audit.harmless.append(Harmless(
        f"{point.id}={names}" if apart else point.id,
        f"{point.asks}: the readings come to the same {told}", method))


def proved_for(audit: Audit) -> str:
    """Say where what is proved is so, and for how many players."""
    return f"{PROVED} {_by_so_many(audit)}".rstrip()


def looked_at(audit: Audit, scopes: Sequence[Scoped], mode: str, *, whole: bool) -> str:
    """Say where no difference was found, and in which mode the printed game was played for it.

    `whole`: all pairs of situations that were reached in the scopes were compared.
    """
    every = whole and all(scope.whole for scope in scopes)
    which, seen = ("reachable ", "") if every else ("", " that was looked at")
    looked = [f"in every {which}situation of {audit.within(scopes)}{seen}"] * bool(scopes)
    if mode or not is_scope(audit):
        looked.append(f"in {audit.plays} at the printed size {mode or _by_so_many(audit)}".rstrip())
    return ", and ".join(looked)


def _by_so_many(audit: Audit) -> str:
    """Say how many play the printed game as it is chosen, if there may be more or fewer."""
    low, high = audit.printed.game.players_range
    return f"with {many(audit.printed.game.players, 'player')}" if low < high else ""
