"""Plays by random seats, many of them: what comes up at a size that cannot be explored.

Each play has its own generator, begun with the seed and the play's number, so plays can be repeated
one by one and a result depends on nothing else; compiled code and Python draw the same.  All that
a sample shows is that something can happen, and how often it does when everybody plays at random
and rather acts than passes (`EAGER`); the interval is Wilson's (1927).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from statistics import NormalDist
from typing import Protocol

from ...model.machine.core import Expr
from ...model.machine.state import Move
from ...model.plays.passes import EAGER
from ..drivers.draws import Draws
from ..engine.plain import Plain
from ..engine.plays import played
from ..engine.program import Program
from ..packed.coverage import Covered
from ..packed.flags import BEYOND, ENDLESS, FILTERED, Successor


class Drawing(Protocol):
    """What draws numbers at random."""

    def randrange(self, n: int, /) -> int:
        """Draw a number from 0 to n - 1."""


@dataclass(slots=True)
class Sample:
    """What random plays showed: in how many each flag was seen, and the first play with it.

    `moves` are those of all plays; `stuck` plays came to a point without a legal move.  A play that
    meets a bound of the model is cut off there: what it would have shown is not known.
    """

    plays: int = 0
    finished: int = 0
    stuck: int = 0
    moves: int = 0
    flags: dict[int, int] = field(default_factory=dict)
    """Flag bit → number of plays."""
    first: dict[int, int] = field(default_factory=dict)
    """Flag bit → number of the first play; see `again`."""
    cut: dict[int, int] = field(default_factory=dict)
    """Flag bit → number of those of the plays that were cut off."""
    stops: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Node → number of plays that came to a point there without a legal move, and the first."""

    @property
    def beyond(self) -> int:
        """The number of plays that were cut off."""
        return self.flags.get(BEYOND.bit_length() - 1, 0)


LENGTHS = (400, 800, 1_600, 3_200, 6_400)
"""Moves after which random plays are given up: the first number at which nearly all have ended."""
TRIALS = 100
"""Plays that are tried for it."""
MOVES = 3_200_000
"""Moves of the plays of one comparison, under each reading."""


@dataclass(frozen=True, slots=True)
class Plays:
    """How many random plays are made, and after how many moves each is given up."""

    many: int = 2_000
    longest: int = LENGTHS[0]

    def so_many(self, many: int) -> Plays:
        """Return another number of plays that are as long."""
        return Plays(many, self.longest)

    def __str__(self) -> str:
        """Say it, for people."""
        return f"{self.many:,} random plays of at most {self.longest:,} moves"


def sample(
    program: Program, *, plays: Plays, seed: int, progress: Callable[[int], None] | None = None
) -> Sample:
    """Play at random; `progress` is called with the number of plays done."""
    made = Sample()
    engine = program.searching(cover=False)
    if engine is None:
        program.start()
        for number in range(plays.many):
            _play(program, made, number, seed, plays.longest)
            if progress is not None:
                progress(number + 1)
        return made
    program.start()
    for now in played(engine, plays=plays.many, longest=plays.longest, seed=seed):
        made = Sample(now.plays, now.finished, now.stuck, now.moves, now.seen, now.first, now.cut,
                      now.stops)
        if progress is not None:
            progress(now.plays)
    return made


def plays_for(program: Program, *, seed: int) -> Plays:
    """Choose how a game is compared in random plays: as long as it takes, fewer if that is long.

    Of a game that does not come to an end at random, longer plays show no more.
    """
    ended = {longest: sample(program, plays=Plays(TRIALS, longest), seed=seed).finished
             for longest in LENGTHS}
    enough = (longest for longest in LENGTHS if ended[longest] >= 0.95 * TRIALS)
    longest = next(enough, LENGTHS[-1] if 2 * ended[LENGTHS[-1]] >= TRIALS else LENGTHS[0])
    return Plays(min(Plays().many, MOVES // longest), longest)


@lru_cache(maxsize=4)
def covered(program: Program, *, plays: Plays, seed: int) -> Covered:
    """Return what the moves of some random plays cover; found once."""
    program.start()
    engine = program.searching(cover=True)
    if engine is not None:
        for _ in played(engine, plays=plays.many, longest=plays.longest, seed=seed):
            pass
        return program.coverage(engine.record)
    plain = Plain(program.machine, program.layout, program.marks)
    plain.start()
    for number in range(plays.many):
        state, _ = program.start()
        for move in _moves(program, Draws(seed, number), plays.longest):
            plain.cover(state, program.succ(state).index(move))
            state = move[2] or state
    return program.coverage(plain.record)


def again(program: Program, *, plays: Plays, seed: int, number: int) -> tuple[Move, ...]:
    """Return the moves of one play of a sample."""
    return tuple(Move(edge, args) for edge, args, _, _
                 in _moves(program, Draws(seed, number), plays.longest))


def cut_off(program: Program, *, plays: Plays, seed: int, number: int) -> bool:
    """Return whether one play of a sample meets a bound of the model."""
    return any(flags & BEYOND
               for _, _, _, flags in _moves(program, Draws(seed, number), plays.longest))


def met(program: Program, test: Expr | Callable[[bytes], bool], *, plays: Plays,
        seed: int) -> int | None:
    """Return the number of the first of some random plays in which a condition ever holds."""
    return next(meeting(program, test, plays=plays, seed=seed), None)


def meeting(program: Program, test: Expr | Callable[[bytes], bool], *, plays: Plays,
            seed: int) -> Iterator[int]:
    """Yield the numbers of those of some random plays in which a condition ever holds."""
    holds = test if callable(test) else program.stated(test)
    for number in range(plays.many):
        if any(state is not None and holds(state)
               for _, _, state, _ in _moves(program, Draws(seed, number), plays.longest)):
            yield number


def up_to(program: Program, holds: Callable[[bytes], bool], *, plays: Plays, seed: int,
          number: int) -> tuple[Move, ...]:
    """Return the moves of one play of a sample, as far as to where a condition first holds."""
    state, _ = program.start()
    made: list[Move] = []
    for edge, args, after, _ in _moves(program, Draws(seed, number), plays.longest):
        if holds(state) or after is None:
            break
        made.append(Move(edge, args))
        state = after
    return tuple(made)


def _moves(program: Program, draws: Drawing, longest: int) -> Iterator[Successor]:
    """Play one game: give each move that is made."""
    state, _ = program.start()
    for _ in range(longest):
        picked = _drawn(program, state, draws)
        if picked is None:
            return
        yield picked
        if picked[2] is None:
            return
        state = picked[2]


def _drawn(program: Program, state: bytes, draws: Drawing) -> Successor | None:
    """Draw a move: by its weight where chance decides, else any until a legal one comes.

    A pass is drawn again, mostly, if there is anything else.
    """
    kind = program.kind(state)
    moves = program.succ(state) if kind not in ("chance", "final") else []
    if not moves:
        return pick(program, state, kind, draws) if kind == "chance" else None
    while True:
        move = moves[draws.randrange(len(moves))]
        if len(moves) > 1 and move[0] in program.passes and draws.randrange(EAGER):
            continue
        if not move[3] & FILTERED:
            return move


def _play(program: Program, made: Sample, number: int, seed: int, longest: int) -> None:
    last, seen = program.start()
    length = 0
    for _, _, after, flags in _moves(program, Draws(seed, number), longest):
        seen |= flags
        length += 1
        if after is not None:
            last = after
    endless = seen & ENDLESS
    if program.kind(last) == "final" and length < longest:
        made.finished += 1
    elif length < longest and not endless:
        made.stuck += 1
        node = program.layout.rests[program.rank(last)]
        count, first = made.stops.get(node, (0, number))
        made.stops[node] = count + 1, first
    made.moves += length
    made.plays += 1
    for bit in range(seen.bit_length()):
        if seen >> bit & 1:
            made.flags[bit] = made.flags.get(bit, 0) + 1
            made.first.setdefault(bit, number)
            if seen & BEYOND:
                made.cut[bit] = made.cut.get(bit, 0) + 1


def pick(program: Program, state: bytes, kind: str, rng: Drawing) -> Successor | None:
    """Pick a move: by its weight where chance decides, else any legal one."""
    moves = program.succ(state)
    if kind == "chance":
        weights = program.weights(state)
        total = sum(weights)
        if total <= 0:
            return None
        at = rng.randrange(total)
        for move, weight in zip(moves, weights, strict=True):
            at -= weight
            if at < 0:
                return move
    legal = [move for move in moves if not move[3] & FILTERED]
    return legal[rng.randrange(len(legal))] if legal else None


def sure(comparisons: int) -> float:
    """Return how many standard errors keep so many comparisons right at once, with 95 %.

    Bonferroni's correction (Dunn, "Multiple comparisons among means", 1961): a report makes
    hundreds, of which one in twenty would tell of an effect where there is none.
    """
    return NormalDist().inv_cdf(1 - 0.025 / max(1, comparisons))


def difference(gained: int, lost: int, plays: int, errors: float) -> tuple[float, float]:
    """Return the interval of a difference of two shares of the same plays, rounded as below.

    Bonett and Price's (2012), of so many standard errors either way: in `gained` plays something is
    so the second time only, in `lost` the first time only.
    """
    more, less = (gained + 1) / (plays + 2), (lost + 1) / (plays + 2)
    half = errors * ((more + less - (more - less) ** 2) / (plays + 2)) ** 0.5
    return (round(max(-1.0, more - less - half), 4), round(min(1.0, more - less + half), 4))


def interval(seen: int, plays: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval of a frequency, rounded to four places."""
    if plays == 0:
        return (0.0, 1.0)
    z = 1.959964
    share = seen / plays
    middle = (share + z * z / (2 * plays)) / (1 + z * z / plays)
    half = z * ((share * (1 - share) + z * z / (4 * plays)) / plays) ** 0.5 / (1 + z * z / plays)
    return (round(max(0.0, middle - half), 4), round(min(1.0, middle + half), 4))
