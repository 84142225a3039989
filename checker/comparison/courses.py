"""Twin plays in Python: each of two machines by itself, with the same random decisions.

What compiled code is tested against (`lockstep.pair_plays`), and what plays machines that cannot be
compiled.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

from ...model.plays.passes import EAGER
from ...model.run.interp import Interpreter
from ..drivers.draws import ALL, GAMMA, mixed, place_of
from ..engine.pairs import Tally, Twins, of_rows
from ..engine.program import Program
from ..lockstep.pair_plays import CUT, DEALT, IN_STEP, OVER, PARTED
from ..lockstep.pairs import ROWS
from ..packed.flags import BEYOND, FILTERED, Successor
from ..search.labels import Label, Labels


def twins_in_python(labels: tuple[Labels, Labels], *, plays: int, longest: int, seed: int) -> Twins:
    """Play twins, and count as `comparison.twins` says."""
    went = ended = beyond = dealt = 0
    seats = len(labels[0].winners(labels[0].program.start()[0]))
    rows = [Tally()] * (seats + ROWS)
    for number in range(plays):
        mine, theirs = (_course(each, of_play(seed, number), longest) for each in labels)
        if mine.met or theirs.met:
            beyond += 1
            continue
        how, asked = _parting(mine, theirs)
        ends = [mine.won, theirs.won]
        both = None not in ends
        went += how in (OVER, PARTED) or (how == IN_STEP and mine.won != theirs.won)
        dealt += how == DEALT
        ended += how < PARTED and both and mine.won != theirs.won
        won = [[*(end if both and end else bytes(seats)), both and not any(end or b""), end is None]
               for end in ends]
        for each, course in zip(won, (mine, theirs), strict=True):
            each += [course.stuck, course.won is None and not course.stuck]
        kinds = (*range(seats + 2), *(asked or (-1, -1)), seats + 2, seats + 3)
        for row, who in enumerate(kinds if seats else ()):
            if who >= 0:
                one, two = (bool(each[who]) for each in won)
                rows[row] = Tally(rows[row].won + one, rows[row].gained + (two > one),
                                  rows[row].lost + (one > two))
    return of_rows(rows)._replace(went=went, ended=ended, beyond=beyond, dealt=dealt)


def of_play(seed: int, number: int) -> int:
    """Mix the seed with the number of a play."""
    return mixed(place_of(seed) + (number + 1) * GAMMA & ALL)


def picked(program: Program, state: bytes, moves: Sequence[Successor], drawn: int,
           mask: int) -> int | None:
    """Return the place of the move that random bits pick; None if there is none.

    By weight where chance decides, else any that no flag of the mask is on, passes less often.
    """
    weights = program.weights(state) if program.kind(state) == "chance" else [
        (not move[3] & mask) * (1 if move[0] in program.passes else EAGER) for move in moves]
    total = sum(weights)
    if not total:
        return None
    at = (drawn >> 32) * total >> 32 if total < 1 << 32 else drawn % total
    for place, weight in enumerate(weights):
        at -= weight
        if at < 0:
            return place
    return None


def forbids(labels: Labels, state: bytes, move: Successor) -> bool:
    """Return whether a move breaks a limit that may forbid it."""
    program = labels.program
    return program.layout.rests[program.rank(state)] in labels.limited and bool(
        program.broken(move[3]))


class Playthrough(NamedTuple):
    """A game: who decided, among how many moves, and for which; who was to decide, also last.

    A move that is the only one, and who is next where no rule says so, is not told.

    `won` is who has won; None if the game is not over; `met`: it meets a bound of the model; `cut`:
    it is given up before it is over; `stuck`: it leaves somebody without a move.
    """

    moves: tuple[tuple[int, int, Label], ...]
    asked: tuple[int, ...]
    won: bytes | None
    met: bool
    cut: bool
    stuck: bool


def _course(labels: Labels, key: int, longest: int) -> Playthrough:
    """Play one game by itself."""
    program, visits = labels.program, dict[str, int]()
    judge = Interpreter(program.machine)

    def by(packed: bytes) -> int:
        who = judge.by(program.unpack(packed))
        return -1 if who is None else who

    made: list[tuple[int, int, Label]] = []
    asked: list[int] = []
    met = cut = stuck = False
    state = program.start()[0]
    for left in range(longest, -1, -1):
        asked.append(who if 0 <= (who := by(state)) < program.machine.players else -1)
        if not left or program.kind(state) == "final":
            cut = program.kind(state) != "final"
            break
        name = labels.place(state)
        visits[name] = visits.get(name, 0) + 1
        moves = program.succ(state)
        drawn = mixed(mixed(key ^ place_of(name)) + visits[name] * GAMMA & ALL)
        place, options = picked(program, state, moves, drawn, 0), len(moves)
        if place is None:
            stuck = True
            break
        if forbids(labels, state, moves[place]) and moves[place][3] & FILTERED:
            options = sum(not move[3] & FILTERED for move in moves)
            place = picked(program, state, moves, mixed(drawn + GAMMA & ALL), FILTERED)
            assert place is not None
        after = moves[place][2]
        visits[name] -= options == 1
        if after is not None and (options == 1 or program.kind(state) == "open"):
            asked.pop()
            state = after
            continue
        made.append((by(state), options, labels.of(moves[place])))
        if after is None:
            asked.append(asked[-1])
            met = bool(moves[place][3] & BEYOND)
            break
        state = after
    over = program.kind(state) == "final"
    return Playthrough(tuple(made), tuple(asked), labels.winners(state) if over else None, met,
                  cut, stuck)


def _parting(mine: Playthrough, theirs: Playthrough) -> tuple[int, tuple[int, int] | None]:
    """Return how two courses part, and, if it is at a choice, who decides there.

    That is somebody under each: who does under the other, or did last, where nobody does.
    """
    steps = enumerate(zip_longest(mine.moves, theirs.moves))
    at = next((number for number, (one, two) in steps if one != two), len(mine.moves))
    ending = [each for each in (mine, theirs) if len(each.moves) == at]
    if any(each.cut for each in ending):
        return CUT, None
    if len(ending) == 2:
        return IN_STEP, None
    if any(each.won is not None for each in ending):
        return OVER, None
    last = next((who for who in reversed(mine.asked[:at]) if who >= 0), -1)
    if last < 0 and not ending and all(each.moves[at][2][0] == "chance" for each in (mine, theirs)):
        return DEALT, None
    one, two = mine.asked[at], theirs.asked[at]
    return PARTED, tuple(next((who for who in some if who >= 0), -1)  # type: ignore[return-value]
                         for some in ((one, two, last), (two, one, last)))
