"""Whether a change of the rules shows at the printed size: by proof, or in random plays.

What the scopes do not have, a reading or a clause may still need: so what makes no difference there
is looked at in the printed game, too, and every verdict says where it was looked at.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...model.game.game import PRINTED
from ...model.solver.equality import proved_same
from ..audit.audit import Audit, Played
from ..bench.workbench import Instance, side_by_side
from ..comparison.equivalence import apart_in_play
from ..search.labels import Label

PROVED = "in every state of the printed game"


@dataclass(frozen=True, slots=True)
class PrintedResult:
    """What the printed game shows of a change.

    `proved`: there is no difference at all; `play` are the moves after which a random play under
    both shows one.
    """

    proved: bool = False
    play: tuple[Label, ...] | None = None


def at_printed_size(
    audit: Audit, other: Instance, base: Instance | None = None, *, played: Played | None = None
) -> PrintedResult:
    """Compare a changed printed game with `base`, by default the printed game as it is played.

    As a scope it may have been compared already, and `played` may tell what random plays showed.
    """
    printed = base or audit.printed
    play = (played or play_both(audit, other, printed)).play
    # Plays first: most changes show in one, and a proof takes the changed game compiled alone.
    proved = play is None and proved_same(printed.compiled.machine, other.compiled.machine)
    return PrintedResult(proved, play)


def play_both(audit: Audit, other: Instance, base: Instance, *, duties: bool = False) -> Played:
    """Play two printed games at random, unless these were compared as a scope already.

    With `duties` the obligations that fail are compared, too.
    """
    if is_scope(audit):
        return Played()
    one, two = side_by_side(base, other)
    return Played(apart_in_play(one, two, seed=audit.seed, plays=audit.plays, duties=duties))


def is_scope(audit: Audit) -> bool:
    """Return whether the printed game is one of the scopes that are compared."""
    return any(scope.name == PRINTED for scope in audit.comparable())


def by_so_many(audit: Audit, *, proved: bool) -> str:
    """Say for how many players the printed game was proved the same, or explored; else ""."""
    return audit.by_so_many if proved or is_scope(audit) else ""


def looked(audit: Audit, proved: bool) -> dict[str, Any]:  # noqa: FBT001  (one fact of three)
    """Return where no difference was found: proved, or in how many games and random plays.

    `games` are scopes, 0 if the printed game is one of them.
    """
    scopes, many = audit.comparable(), by_so_many(audit, proved=proved)
    if proved:
        return {"proved": True, "with": many}
    if is_scope(audit):
        return {"games": 0, "with": many}
    return {"games": len(scopes), "plays": audit.plays.many}
