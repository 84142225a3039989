"""What compiled code gains over the reference interpreter.

Whole random games at the printed size, and exploration of scopes, of three bundled games.
"""

from __future__ import annotations

from ruleproof.checker.drivers.compile import compile_machine
from ruleproof.checker.engine.program import Program
from ruleproof.checker.engine.runtime import load
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.search.playouts import Plays, sample
from ruleproof.model.machine.machine import Machine
from ruleproof.tests.benchmarks.games import machine_of
from ruleproof.tests.benchmarks.timing import Table, in_turns, times

GAMES = {"edition-wars": "small", "penny-arcade-card-game": "small",
         "penguin-brawl": "small"}
LONGEST = 400
PLAYS = {"compiled": 3000, "interpreted": 1}
STATES = {"compiled": 200_000, "interpreted": 2_000}


def compilation(machine: Machine) -> dict[str, float]:
    """Return the seconds that writing a module and making machine code of it take."""
    layout = Program(machine).layout
    code = compile_machine(machine, layout, None).code
    return in_turns({"written": lambda: compile_machine(machine, layout, None),
                     "made": lambda: load(code)})


def plays() -> Table:
    """Measure whole random games, compiled and interpreted."""
    rows = []
    for game in GAMES:
        machine = machine_of(game, "printed")
        programs = {"compiled": Program(machine), "interpreted": Program(machine, native=False)}
        sample(programs["compiled"], plays=Plays(1, LONGEST), seed=0)
        seconds = in_turns({
            name: lambda program=program, name=name: sample(  # type: ignore[misc]
                program, plays=Plays(PLAYS[name], LONGEST), seed=0)
            for name, program in programs.items()})
        made = compilation(machine)
        one, two = (PLAYS[name] / seconds[name] for name in PLAYS)
        rows.append((game, f"{made['written']:.2f}", f"{made['made']:.2f}", f"{one:,.0f}",
                     f"{two:.2f}", times(one / two)))
    return Table("Random games against the reference interpreter",
                 f"Whole games at the printed size, given up after {LONGEST} moves. Before the "
                 "first one, the rules are written as WebAssembly, of which machine code is made "
                 "(or taken from the cache).",
                 ("game", "written, s", "machine code, s", "games/s", "interpreter", "×"), rows)


def explorations() -> Table:
    """Measure exploration, compiled and interpreted."""
    rows = []
    for game, small in GAMES.items():
        for scope in (small, "printed"):
            machine = machine_of(game, scope)
            programs = {"compiled": Program(machine),
                        "interpreted": Program(machine, native=False)}
            programs["compiled"].start()
            runs: dict[str, Exploration] = {}

            def explore(name: str, programs: dict[str, Program] = programs,
                        runs: dict[str, Exploration] = runs) -> None:
                runs[name] = Exploration(programs[name])
                runs[name].run(max_states=STATES[name])

            seconds = in_turns({
                name: lambda name=name, explore=explore: explore(name)  # type: ignore[misc]
                for name in STATES})
            one, two = (len(runs[name].order) / seconds[name] for name in STATES)
            found = len(runs["compiled"].order)
            rows.append((f"{game}, {scope}", f"{found:,}", f"{one:,.0f}", f"{two:,.0f}",
                         times(one / two), f"{runs['compiled'].memory() / found:.0f}"))
    return Table("Exploration against the reference interpreter",
                 "Breadth first, states a second; the first states of each scope.",
                 ("scope", "states", "states/s", "interpreter", "×", "bytes a state"), rows)


TABLES = (plays, explorations)
