"""What can happen in a game that is too large to be explored, with a short play to each.

It is sought in three ways, each for what those before it have not shown: breadth first from the
setup, as far as so many states reach, which gives shortest plays; in random plays, short ones
first; and breadth
first from positions in the middle of some of these.  The plays of the last two are shortened: moves
are left out as long as the rest is legal and shows the same (delta debugging: Zeller, Hildebrandt,
"Simplifying and isolating failure-inducing input", 2002).  What is not found may still be possible.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from ...model.machine.core import Expr
from ...model.machine.state import Move
from ..engine.program import Program
from ..packed.flags import BEYOND, FILTERED, Successor, never_rests
from .explore import Exploration
from .frontier import Witness
from .playouts import Plays, Sample, again, sample, up_to
from .shorten import Follower, fewer

Play = tuple[Move, ...]
Shows = Callable[[Program, int, Successor], bool]

STATES = 200_000
"""Of each of the two explorations."""
SHORT = (10, 20, 40, 80, 160)
"""Moves after which random plays are cut short at first: what can happen soon is not shown late."""
GAMES, PLACES = 40, 8
"""Of so many random plays the second one begins at so many places of each."""
TRIES = 12_000
"""To shorten one play the moves of so many situations are listed."""


@dataclass(slots=True)
class Showings:
    """Plays to what was shown: obligations by id, limits by number, endless moves by edge.

    The last move of each shows it; `stuck` are states without a legal move, by node.
    """

    notes: dict[int, Play] = field(default_factory=dict)
    broken: dict[int, Play] = field(default_factory=dict)
    endless: dict[int, Play] = field(default_factory=dict)
    stuck: dict[int, Play] = field(default_factory=dict)


def showings(program: Program, drawn: Sample, *, plays: Plays, seed: int) -> Showings:
    """Look for everything that can be shown, in random plays of the same seed as those drawn."""
    found = Showings()
    near = Exploration(program)
    near.run(max_states=STATES)
    _gather(near, found)
    for length in (*SHORT, plays.longest):
        some = Plays(drawn.plays, length)
        many = drawn if length == plays.longest else sample(program, plays=some, seed=seed)
        shown_along(program, many, found, plays=some, seed=seed)
    starts = [play[: len(play) * place // PLACES]
              for play in (again(program, plays=plays, seed=seed, number=number)
                           for number in range(min(GAMES, drawn.plays)))
              for place in range(1, PLACES)]
    late = Exploration(program, after=starts)
    late.run(max_states=STATES)
    _gather(late, found)
    return found


def shown_along(
    program: Program, drawn: Sample, found: Showings, *, plays: Plays, seed: int
) -> Showings:
    """Add what random plays show and nothing did before, each from the first play that does."""
    for number in sorted({*drawn.first.values(), *(first for _, first in drawn.stops.values())}):
        _along(program, again(program, plays=plays, seed=seed, number=number), found)
    return found


def _gather(run: Exploration, found: Showings) -> None:
    """Add what an exploration met and nothing did before."""
    result, program = run.result(), run.program
    bounds = program.machine.bounds
    met: tuple[tuple[Mapping[int, Witness], dict[int, Play], Shows], ...] = (
        (result.notes, found.notes, _fails),
        (result.broken, found.broken, _breaks),
        (result.endless, found.endless, _never_rests),
        (result.stuck, found.stuck, _stops))
    for theirs, ours, shows in met:
        for key, witness in theirs.items():
            if key not in ours and not (ours is found.notes and key in bounds):
                ours[key] = shortened(program, run.play(witness), partial(shows, program, key))


def _along(program: Program, play: Play, found: Showings) -> None:
    """Add what a play shows and nothing did before."""
    state, _ = program.start()
    for length, move in enumerate(play, 1):
        row = program.taken(state, move)
        assert row is not None
        if row[3] & BEYOND:
            return
        new: list[tuple[int, dict[int, Play], Shows]] = [
            (key, found.notes, _fails) for key in program.notes(row[3])]
        new += [(key, found.broken, _breaks) for key in program.broken(row[3])]
        if never_rests(row[3]):
            new.append((move.edge, found.endless, _never_rests))
        for key, table, shows in new:
            if key not in table:
                table[key] = shortened(program, play[:length], partial(shows, program, key))
        if row[2] is None:
            return
        state = row[2]
    if program.kind(state) in ("chance", "final"):
        return
    node = program.layout.rests[program.rank(state)]
    if node not in found.stuck and _none_legal(program, state):
        found.stuck[node] = shortened(program, play, partial(_stops, program, node))


# ------------------------------------------------------------------------- what a move shows


def _fails(program: Program, duty: int, row: Successor) -> bool:
    return duty in program.notes(row[3])


def _breaks(program: Program, limit: int, row: Successor) -> bool:
    return limit in program.broken(row[3])


def _never_rests(_: Program, edge: int, row: Successor) -> bool:
    return never_rests(row[3]) and row[0] == edge


def _stops(program: Program, node: int, row: Successor) -> bool:
    return (row[2] is not None and program.layout.rests[program.rank(row[2])] == node
            and _none_legal(program, row[2]))


def _none_legal(program: Program, state: bytes) -> bool:
    return all(each[3] & FILTERED for each in program.succ(state))


# ------------------------------------------------------------------------------- shortening


def way_to(program: Program, test: Expr, *, plays: Plays, seed: int, number: int) -> Play:
    """Return the moves of a random play to where what is claimed is so, without needless ones."""
    holds = program.stated(test)
    play = up_to(program, holds, plays=plays, seed=seed, number=number)
    return shortened(program, play, lambda row: row[2] is not None and holds(row[2]))


def shortened(program: Program, play: Play, shows: Callable[[Successor], bool]) -> Play:
    """Leave out moves as long as the rest is legal and its last move still shows something.

    The result depends on the play alone: what is limited is the number of situations looked at.
    """
    def after(state: bytes, move: Move) -> bytes | None:
        row = program.taken(state, move)
        return None if row is None else row[2]

    follow = Follower(program, after)

    def shown(trial: Play) -> bool | None:
        state = follow(trial) if follow.looked < TRIES else None
        row = None if state is None else program.taken(state, play[-1])
        return None if row is None else shows(row)

    # Where the setup shows it, or a state that no move has led to, nothing is left out.
    return (*fewer(play[:-1], shown, TRIES), play[-1]) if play and shown(play[:-1]) else play
