"""The printed game in every mode, and with every number of players, played at random.

Scopes show a few modes, and random plays of the printed game the chosen one.  So each other mode is
played alone with what it needs, any two of them that go together in some game of several modes,
and the chosen one with each number of players.  What fails in one of these and was seen
nowhere else is observed there.
"""

from __future__ import annotations

from ...model.game.game import PRINTED
from ...model.machine.state import Move
from ...model.plays.wording import many, numbers
from ...model.run.interp import UNPLAYABLE
from ...model.source.errors import first_line
from ..audit.audit import Audit
from ..audit.parallel import ask_all
from ..bench.modes import Setting, numbers_of, played_as
from ..bench.stuck import why_stuck
from ..findings.evidence import (
    Shows,
    counted,
    counted_in,
    identities,
    in_mode,
    state_after,
    stuck_at,
)
from ..findings.results import COMPARED
from ..findings.shares import Frequency
from ..packed.flags import ENDLESS
from ..search.lifting import Showings, shown_along
from ..search.playouts import plays_for, sample
from .behaviour import breaks, failed, no_move
from .endless import automatic

PLAYS = 1_000
"""Random plays in each mode."""


def run(audit: Audit) -> None:
    """Play the printed game as it was not played before."""
    if not audit.of_printed:
        return
    game = audit.printed.game
    asked = list(played_as(audit.bench, every=True))
    _players(audit, asked)
    ask_all(audit, _played, asked, lambda each: f"what comes up {in_mode(game, *each)}")
    broken = {one.identity.clause for one in audit.observed if one.identity.kind == "limit"}
    audit.holds[:] = [one for one in audit.holds
                      if not (one.kind == "limit" and one.clause in broken)]


def _players(audit: Audit, asked: list[Setting]) -> None:
    """Say with how many players the printed game was not played, or not compared."""
    game = audit.printed.game
    low, high = game.players_range
    others = [number for number in range(low, high + 1) if number != game.players]
    if not others:
        return
    looked, played = (numbers_of(audit.bench, some) for some in (
        played_as(audit.bench, every=audit.explored_printed is not None), asked))
    whys = []
    never = [number for number in others if number not in looked]
    if any(map(audit.wanted, COMPARED)):
        whys.append(f"answers are compared with {many(game.players, 'player')}")
        if looked:
            whys[0] += f", and with {numbers(looked)} where that shows nothing (not orders)"
        if never:
            small = any(scope.instance.game.players in never for scope in audit.scopes)
            whys.append(f"with {numbers(never)} "
                        + ("only in small games with so many" if small else "none are compared"))
    if played:
        whys.append(f"{PLAYS:,} random plays with {numbers(played)} were searched for what fails")
    if not whys:
        return
    audit.unchecked(
        f"open points, sentences that do nothing and shares of games with {numbers(others)} "
        "players", "; ".join(whys), "players")


def _played(audit: Audit, setting: Setting) -> None:
    """Play one of them, and observe what fails there and nowhere else."""
    modes, players = setting
    mode = in_mode(audit.printed.game, modes, players)
    try:
        instance = audit.bench.instance(PRINTED, variants=modes, players=players)
        plays = plays_for(instance.program, seed=audit.seed)
        drawn = sample(instance.program, plays=plays.so_many(PLAYS), seed=audit.seed)
        shown = shown_along(instance.program, drawn, Showings(), plays=plays, seed=audit.seed)
    except UNPLAYABLE as error:
        audit.unchecked(f"what comes up {mode}", first_line(error))
        return
    endless = drawn.flags.get(ENDLESS.bit_length() - 1, 0)
    left = drawn.plays - drawn.finished - drawn.stuck - endless
    if 2 * left > drawn.plays and audit.wanted("endless-loop"):
        audit.unchecked(
            f"whether the game comes to an end {mode}",
            f"{left:,} of {plays.so_many(drawn.plays)} did not", "sample")
    machine = instance.compiled.machine
    known = {one.identity for one in audit.known}
    names = identities(machine)

    def shows(moves: tuple[Move, ...], often: Frequency) -> Shows:
        return Shows(instance, PRINTED, "sampled", moves, mode, often)

    for (bit, name), (number, limit) in zip(names, enumerate(machine.limits), strict=False):
        if number in shown.broken and name not in known:
            breaks(audit, limit.clause, shows(shown.broken[number], counted_in(drawn, [bit])))
    for (bit, name), duty in zip(names[len(machine.limits):], machine.obligations, strict=True):
        if duty.id in shown.notes and not duty.is_bound and name not in known:
            failed(audit, duty, shows(shown.notes[duty.id], counted_in(drawn, [bit])))
    for node, moves in shown.stuck.items():
        reason = why_stuck(instance.interpreter, state_after(instance, moves))
        if stuck_at(reason) not in known:
            stopped = drawn.stops[node][0] if node in drawn.stops else 0
            no_move(audit, shows(moves, counted(
                stopped, drawn.plays, beyond=drawn.beyond)), reason)
    told = audit.beside().endless or any(
        scope.exploration.result().endless for scope in audit.scopes)
    for moves in () if told else shown.endless.values():
        found = automatic(shows(moves, counted(
            endless - drawn.beyond, drawn.plays, beyond=drawn.beyond)))
        if found.identity not in known:
            audit.observe(found)
