"""What driving two machines in lock-step by compiled code gains over a loop in Python.

Both run the same compiled machines; each bundled game is compared with itself, so that nothing
ends a comparison early.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from ruleproof.checker.comparison.lockstep import InPython, SideBySide
from ruleproof.checker.engine.pairs import LockStep
from ruleproof.checker.engine.program import Program
from ruleproof.tests.benchmarks.engine import LONGEST
from ruleproof.tests.benchmarks.games import machine_of
from ruleproof.tests.benchmarks.timing import ROUNDS, Table, timed, times

SCOPES = {"edition-wars": ("tiny", "small", "printed"),
          "penguin-brawl": ("tiny_opening", "printed"),
          "penny-arcade-card-game": ("tiny", "printed")}
PAIRS = {True: 50_000, False: 1_000}
PLAYS = {True: 1_000, False: 5}

Work = Callable[[LockStep | InPython, bool], int]


def everywhere(pairs: LockStep | InPython, native: bool) -> int:  # noqa: FBT001
    """Compare pairs, breadth first; return how many."""
    pairs.advance(1 << 30, PAIRS[native])
    return pairs.compared


def plays(pairs: LockStep | InPython, native: bool) -> int:  # noqa: FBT001
    """Play both at random in lock-step."""
    pairs.play(seed=0, plays=PLAYS[native], longest=LONGEST)
    return PLAYS[native]


def twins(pairs: LockStep | InPython, native: bool) -> int:  # noqa: FBT001
    """Play each by itself with the same random decisions."""
    pairs.twins(seed=0, plays=PLAYS[native], longest=LONGEST)
    return PLAYS[native]


def rates(program: Program, work: Work) -> dict[bool, float]:
    """Return how many a second are done by compiled code, and by Python."""
    found: dict[bool, list[float]] = {True: [], False: []}
    for _ in range(ROUNDS):
        for native, each in found.items():
            both = SideBySide(program, program)
            pairs = both.pairs if native else InPython(both)
            pairs.add(both.start())
            done: list[int] = []
            seconds = timed(lambda p=pairs, n=native, d=done: d.append(work(p, n)))  # type: ignore[misc]
            each.append(done[0] / seconds)
    return {native: median(each) for native, each in found.items()}


def compared() -> Table:
    """Measure pairs of states, pairs of plays, and twins."""
    rows = []
    for game, scopes in SCOPES.items():
        for scope in scopes:
            program = Program(machine_of(game, scope))
            program.succ(program.start()[0])
            row = [f"{game}, {scope}"]
            for work in (everywhere, plays, twins):
                rate = rates(program, work)
                row += [f"{rate[True]:,.0f}", times(rate[True] / rate[False])]
            rows.append(row)
    return Table("Two games in lock-step",
                 "Pairs a second, against the same loop in Python over the same compiled games.",
                 ("scope", "pairs, breadth first", "×", "random plays of both", "×", "twins", "×"),
                 rows)


TABLES = (compared,)
