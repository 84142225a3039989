"""An order followed to its result, and how that differs from what another order comes to."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from ...model.machine.state import State
from ...model.plays.moves import node_of
from ...model.run.interp import UNPLAYABLE
from ..audit.audit import Audit
from ..bench.workbench import Instance
from ..engine.transfer import transfer
from ..findings.evidence import NotReplayed, moves_of, play_of, state_after
from ..findings.outcomes import PARTS, ahead, board_seen, differences
from ..findings.results import Shown
from ..points.points import Point
from .games import paused, under
from .passages import Parting, without_pauses


def carried_on(
    audit: Audit, point: Point, scope: str, readings: tuple[str, str], parting: Parting
) -> tuple[Instance, State, Shown | None]:
    """Follow the reading that parts to its result; give its machine, the state there, the play.

    The way to the situation is one of the adopted reading.  Where the point came up on it before,
    the other reading may not know that way; then it is followed from the situation on, and there is
    no play of it from the setup.
    """
    own = readings[parting.reading]
    instance = under(audit, point, scope, own)
    with suppress(NotReplayed):
        moves = moves_of(instance, without_pauses((*parting.play, *parting.inside)))
        return instance, state_after(instance, moves), Shown(own, play_of(instance, moves))
    theirs, end = _at_pause(audit, point, scope, readings, parting)
    resting = True
    while resting and node_of(theirs.compiled.machine, end).pause is not None:
        further = state_after(theirs, theirs.interpreter.moves(end)[:1], end)
        resting, end = further != end, further
    return theirs, end, None


def _at_pause(
    audit: Audit, point: Point, scope: str, readings: tuple[str, str], parting: Parting
) -> tuple[Instance, State]:
    """Follow the reading that parts to its result, in a game that rests there, and no further."""
    mine, theirs = (paused(audit, point, scope, each)
                    for each in (readings[0], readings[parting.reading]))
    there = state_after(mine, moves_of(mine, parting.play))
    moved = transfer(mine.program.whole, theirs.program.whole)
    start = theirs.program.whole.unpack(moved(mine.program.whole.pack(there)))
    return theirs, state_after(theirs, moves_of(theirs, parting.inside, start), start)


def with_equal_winners(
    audit: Audit, point: Point, scope: str, readings: tuple[str, str], parting: Parting,
    *, mine: tuple[Instance, State],
) -> tuple[str, str] | None:
    """Say how the end of a game differs from one in the other order with the same winners.

    None if there is none. Where no difference is left in the end, it is told what it was before.
    """
    won, best = mine[0].interpreter.winners(mine[1]), None
    for way in parting.instead:
        other = replace(parting, reading=1 - parting.reading, inside=way)
        try:
            theirs, end, _ = carried_on(audit, point, scope, readings, other)
        except (*UNPLAYABLE, NotReplayed):
            continue
        if theirs.interpreter.final(end) and theirs.interpreter.winners(end) == won:
            told = _ended_unlike(mine, (theirs, end), parting.other * (not parting.alone))
            if told is not None:
                return told
            best = best or other
    if best is None:
        return None
    here, there = (_at_pause(audit, point, scope, readings, each) for each in (parting, best))
    return _parted_before(here, there, ahead(*mine))


def _ended_unlike(
    mine: tuple[Instance, State], theirs: tuple[Instance, State], unreached: str
) -> tuple[str, str] | None:
    """Say how two games that are over with the same winners differ; None if they do not.

    `unreached`: what is said of the first result where the other one is but one of several.
    """
    over, (one, two) = ahead(*mine), _unlike(mine, theirs)
    return None if not (one or two) else (f"{over}; {one}", (
        f"{unreached}, but another one with the same winners: {two}" if unreached else
        f"{over}; {two}"))


def _parted_before(
    mine: tuple[Instance, State], theirs: tuple[Instance, State], over: str
) -> tuple[str, str] | None:
    """Say how two games differ that come to the same in the end; None if that is not seen."""
    one, two = _unlike(mine, theirs)
    return None if not (one or two) else (f"{one}; then {over}", f"{two}; then {over}")


def _unlike(
    mine: tuple[Instance, State], theirs: tuple[Instance, State]
) -> tuple[str, str]:
    """List what differs between two boards, with the values of the first, and of the other."""
    boards = board_seen(*mine), board_seen(*theirs)
    one, two = (differences(end[0].compiled.machine, *pair)[:PARTS]
                for end, pair in ((mine, boards), (theirs, boards[::-1])))
    return "; ".join(one), "; ".join(two)
