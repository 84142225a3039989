"""How much faster generated Python and compiled code are than the interpreter, side by side.

Run it as `python tests/benchmarks/successors.py`.  Interpreter and generated Python list all moves
of the same states in turn, so that a noisy machine slows both; only the ratios mean anything
elsewhere.  The rates of exploration, in Python and compiled, are those of a whole run.
"""

import sys
from collections.abc import Callable
from time import process_time

from ruleproof.checker.generated.codegen import Program
from ruleproof.checker.search.explore import Exploration
from ruleproof.model.machine.machine import Machine
from ruleproof.model.machine.state import State
from ruleproof.model.run.interp import Interpreter
from ruleproof.tests.machines import draws, nim, tic_tac_toe

ROUNDS = 5
SAMPLE = 60
REPEATS = 50
MACHINES: dict[str, Callable[[], Machine]] = {
    "tic-tac-toe": tic_tac_toe,
    "nim of 7, 8, 9": lambda: nim(7, 8, 9),
    "draws for two": draws,
    "draws for three": lambda: draws((2, 1, 2), players=3),
}


def expand(game: Interpreter, states: list[State]) -> int:
    """Take every legal move of some states with the interpreter."""
    found = 0
    for state in states:
        for move in game.moves(state):
            game.take(state, move)
            found += 1
    return found


def timed(work: Callable[[], object]) -> float:
    """Measure processor seconds, the best of a few rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = process_time()
        work()
        best = min(best, process_time() - start)
    return best


def explored(machine: Machine, *, native: bool) -> tuple[int, float]:
    """Explore a machine to the end, after compilation; give transitions and seconds."""
    run = Exploration(Program(machine, native=native))
    run.program.succ(run.order[0])
    start = process_time()
    result = run.run(max_states=200_000)
    return result.transitions, process_time() - start


def measured(machine: Machine) -> tuple[float, float, float, float]:
    """Give moves a second: interpreted, generated, explored in Python, explored compiled."""
    run = Exploration(Program(machine, native=False))
    run.run(max_states=20_000)
    packed = run.order[:: max(1, len(run.order) // SAMPLE)]
    states = [run.program.unpack(state) for state in packed]
    game = Interpreter(machine)
    nexts, remarks = run.program.lean()
    moves = expand(game, states)
    slow = timed(lambda: expand(game, states)) / moves
    fast = timed(lambda: [nexts(s) for _ in range(REPEATS) for s in packed]) / moves / REPEATS
    remarks.clear()
    rates = [moves / time for moves, time in (explored(machine, native=n) for n in (False, True))]
    return 1 / slow, 1 / fast, rates[0], rates[1]


def main() -> None:
    """Write a line for each machine."""
    heads = ("interpreted", "generated", "explored", "compiled", "ratio")
    sys.stdout.write(" " * 16 + "".join(f"{head:>14}" for head in heads) + "  (moves a second)\n")
    for name, make in MACHINES.items():
        slow, fast, plain, native = measured(make())
        numbers = (slow, fast, plain, native, native / plain)
        sys.stdout.write(f"{name:16}" + "".join(f"{n:14,.0f}" for n in numbers) + "\n")


if __name__ == "__main__":
    main()
