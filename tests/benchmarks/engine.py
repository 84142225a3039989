"""What compiled code gains over the reference interpreter, side by side in one run.

Run it as `make bench`.  Every figure is the median of a few rounds in processor seconds; the
engines take turns, so that a noisy machine slows all of them, and only ratios mean anything
elsewhere.  Games are those of the shelf in the tests and all bundled ones: whole random games at
the printed size, and exploration of the scope with the most states below a bound.
"""

import platform
import sys
from collections.abc import Callable
from statistics import median
from time import process_time

from ruleproof.checker.drivers.compile import compile_machine
from ruleproof.checker.engine.program import Program
from ruleproof.checker.engine.runtime import load
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.search.playouts import sample
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.machine.machine import Machine

ROUNDS = 3
GAMES = {"edition-wars": "small", "penny-arcade-card-game": "small",
         "penguin-brawl": "small"}
LONGEST = 400
MOST_STATES = 200_000
PLAYS = {"compiled": 3000, "interpreted": 1}
STATES = {"compiled": MOST_STATES, "interpreted": 2_000}


def timed(work: Callable[[], object]) -> float:
    """Measure processor seconds."""
    start = process_time()
    work()
    return process_time() - start


def machine_of(game: str, scope: str) -> Machine:
    """Compile a bundled game for a scope."""
    return compile_game(load_game(game, Settings(scope=scope))).machine


def compilation(machine: Machine) -> tuple[float, float]:
    """Return the seconds that writing a module and making machine code of it take."""
    layout = Program(machine).layout
    written, made = [], []
    for _ in range(ROUNDS):
        written.append(timed(lambda: compile_machine(machine, layout, None)))
        code = compile_machine(machine, layout, None).code
        made.append(timed(lambda code=code: load(code)))  # type: ignore[misc]
    return median(written), median(made)


def programs(machine: Machine) -> dict[str, Program]:
    """Make both programs of a machine."""
    return {"compiled": Program(machine), "interpreted": Program(machine, native=False)}


def plays(machine: Machine) -> dict[str, float]:
    """Return whole random games a second, by what plays them."""
    rates: dict[str, list[float]] = {}
    both = programs(machine)
    sample(both["compiled"], plays=1, longest=LONGEST, seed=0)
    for number in range(ROUNDS):
        for name, program in both.items():
            seconds = timed(lambda program=program, name=name, number=number:  # type: ignore[misc]
                            sample(program, plays=PLAYS[name], longest=LONGEST, seed=number))
            rates.setdefault(name, []).append(PLAYS[name] / seconds)
    return {name: median(each) for name, each in rates.items()}


def exploration(machine: Machine) -> tuple[dict[str, float], int, float]:
    """Return states a second by what explores, the number of states, and bytes a state."""
    rates: dict[str, list[float]] = {}
    states, size = 0, 0.0
    for _ in range(ROUNDS):
        for name, program in programs(machine).items():
            run = Exploration(program)
            run.program.succ(run.order[0])
            seconds = timed(lambda run=run, name=name: run.run(max_states=STATES[name]))  # type: ignore[misc]
            rates.setdefault(name, []).append(len(run.order) / seconds)
            if name == "compiled":
                states, size = len(run.order), run.memory() / len(run.order)
    return {name: median(each) for name, each in rates.items()}, states, size


def main() -> None:
    """Write three tables."""
    out = sys.stdout.write
    out(f"{platform.machine()}, {platform.system()}, Python {platform.python_version()}; "
        f"medians of {ROUNDS}, processor seconds\n\n")
    out("| game, printed | written s | machine code s | games/s compiled | interpreted | × |\n"
        "|---|---|---|---|---|---|\n")
    for game in GAMES:
        machine = machine_of(game, "printed")
        written, made = compilation(machine)
        rate = plays(machine)
        one, two = rate["compiled"], rate["interpreted"]
        out(f"| {game} | {written:.2f} | {made:.2f} | {one:,.0f} | {two:.2f} | {one / two:,.0f}"
            " |\n")
    out("\n| scope | states | states/s compiled | interpreted | × | bytes a state |\n"
        "|---|---|---|---|---|---|\n")
    for game, scope in GAMES.items():
        for size in (scope, "printed"):
            rates, states, kept = exploration(machine_of(game, size))
            one, two = rates["compiled"], rates["interpreted"]
            out(f"| {game}, {size} | {states:,} | {one:,.0f} | {two:,.0f} | {one / two:,.0f} |"
                f" {kept:.0f} |\n")


if __name__ == "__main__":
    main()
