"""Play whole games at the printed size at random, and some of them again by the interpreter.

`python -m ruleproof.tests.campaign.plays GAME … --plays 100000` says of each game how many plays
end, which duties fail in how many, how many plays a second of one processor it were, and whether
the reference interpreter comes to the same states in the first few.  The exit status is 1 if it
does not, or if compiled code stops.
"""
# ruff: noqa: T201  (a program that prints)

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from time import process_time

from ruleproof.checker.bench.cluster import cluster_at, in_order
from ruleproof.checker.engine.program import Program
from ruleproof.checker.engine.runtime import Trap
from ruleproof.checker.search.playouts import Plays, Sample, again, plays_for, sample
from ruleproof.model.game.game import Game, Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.run.interp import EndlessRules, Interpreter


@dataclass(frozen=True, slots=True)
class Whole:
    """Some random plays of a printed game: what they showed, and after how many moves they end.

    `differing` are the numbers of the plays in which the interpreter went another way.
    """

    longest: int
    seconds: float
    seen: Sample
    differing: tuple[int, ...]

    @property
    def cut(self) -> int:
        """How many plays were given up."""
        return self.seen.plays - self.seen.finished - self.seen.stuck


def played(program: Program, *, plays: int, checked: int, seed: int) -> Whole:
    """Play at random; play the first few again.

    Raises:
        Trap: if compiled code stops.

    """
    longest = plays_for(program, seed=seed).longest
    begun = process_time()
    seen = sample(program, plays=Plays(plays, longest), seed=seed)
    seconds = process_time() - begun
    differing = tuple(number for number in range(checked)
                      if not same(program, number, longest=longest, seed=seed))
    return Whole(longest, seconds, seen, differing)


def same(program: Program, number: int, *, longest: int, seed: int) -> bool:
    """Say whether a play goes through the same states in the interpreter, with the same duties."""
    judge = Interpreter(program.machine)
    here, state = program.start()[0], judge.start().state
    for move in again(program, plays=Plays(longest=longest), seed=seed, number=number):
        after, flags = next(row[2:] for row in program.succ(here)
                            if row[:2] == (move.edge, move.args))
        try:
            step = judge.take(state, move)
        except EndlessRules:
            return after is None
        if (after != program.pack(step.state) or set(step.notes) != set(program.notes(flags))
                or set(step.broken) != set(program.broken(flags))):
            return False
        here, state = after, step.state
    return True


def main() -> int:
    """Play the games that are named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--plays", type=int, default=100_000)
    parser.add_argument("--checked", type=int, default=50, help="plays for the interpreter")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler")
    args = parser.parse_args()
    games = [load_game(name, Settings(scope="printed")) for name in args.games]
    wrong = 0
    with cluster_at(args.cluster) as cluster:
        tried = in_order(cluster, partial(_tried, games, args), range(len(games)))
        for name, game, whole in zip(args.games, games, tried, strict=True):
            if isinstance(whole, str):
                print(f"{name}: compiled code stopped: {whole}", file=sys.stderr)
                wrong += 1
            else:
                wrong += len(whole.differing)
                _tell(name, Program(compile_game(game).machine), whole, args.checked)
    return 1 if wrong else 0


def _tried(games: Sequence[Game], args: argparse.Namespace, number: int) -> Whole | str:
    """Play a game; text if compiled code stops."""
    try:
        return played(Program(compile_game(games[number]).machine),
                      plays=args.plays, checked=args.checked, seed=args.seed)
    except Trap as trap:
        return str(trap)


def _tell(name: str, program: Program, whole: Whole, checked: int) -> None:
    seen = whole.seen
    print(f"{name}: {seen.plays:,} plays of at most {whole.longest:,} moves: "
          f"{seen.finished:,} end, "
          f"{seen.stuck:,} without a legal move, {whole.cut:,} given up; "
          f"{seen.moves / seen.plays:,.0f} moves each; "
          f"{seen.plays / whole.seconds:,.0f} plays a second")
    duties = {each.id: each for each in program.machine.obligations}
    for bit, count in sorted(seen.flags.items(), key=lambda each: -each[1]):
        for note in program.notes(1 << bit):
            print(f"  {count:>9,}  {duties[note].clause}: {duties[note].kind}")
    print(f"  {checked - len(whole.differing)} of {checked} the same in the interpreter"
          + "".join(f"; not play {number}" for number in whole.differing), flush=True)


if __name__ == "__main__":
    sys.exit(main())
