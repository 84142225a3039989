"""How time and memory grow: with states, players and clauses; and what the memory allows."""

from __future__ import annotations

import json
from typing import Any

from ruleproof.checker.drivers.compile import compile_machine
from ruleproof.checker.emitter.wasm import I32, I64, Module, const, load
from ruleproof.checker.engine.program import Program
from ruleproof.checker.engine.runtime import Running
from ruleproof.checker.engine.runtime import load as loaded
from ruleproof.checker.search.explore import Exploration
from ruleproof.tests.benchmarks.games import (
    Spec,
    machine_from,
    machine_of,
    many_clauses,
    many_players,
)
from ruleproof.tests.benchmarks.timing import Table, alone, in_turns, rate, timed

STATES = (100_000, 1_000_000, 10_000_000)
SCOPES = (("edition-wars", "printed"), ("penguin-brawl", "printed"),
          ("penny-arcade-card-game", "printed"))
PAGES, READS = 1 << 12, 10_000_000
"""A table of 256 MiB."""


def explored(game: str, scope: str, most: int) -> dict[str, Any]:
    """Explore in a process of its own; see `one`."""
    found: dict[str, Any] = json.loads(alone("one", game, scope, str(most)))
    return found


def row_of(game: str, scope: str, most: int) -> tuple[str, ...]:
    """Explore, and write a row."""
    found = explored(game, scope, most)
    whole = "" if found["complete"] else " of more"
    return (f"{game}, {scope}", f"{found['states']:,}{whole}", f"{found['seconds']:.1f}",
            rate(found["states"], found["seconds"]), f"{found['bytes'] / found['states']:.0f}",
            f"{found['peak'] / (1 << 20):,.0f}")


COLUMNS = ("scope", "states", "seconds", "states/s", "bytes a state", "peak, MiB")


def states() -> Table:
    """Measure growth with the number of states."""
    rows = [row_of(game, scope, most) for game, scope in SCOPES for most in STATES]
    return Table("Growth with states",
                 "Breadth first at the printed size, each row in a process of its own. Bytes a "
                 "state are all that is kept of it: its two numbers, its parent, the tables, and "
                 "the parts that states share; the peak is of the whole process.", COLUMNS, rows)


def reads() -> Table:
    """Measure random reads of memory, which no table of states can do without."""
    module = Module()
    module.memory(PAGES, "memory")
    bytes_ = PAGES << 16
    for name, chained in (("apart", 0), ("chained", 1)):
        _, f = module.function((I32,), (I32,), name=name)
        left, seed, seen = f.var(f.param(0)), f.var(1, I64), f.var(0, I64)
        with f.loop() as again:
            f.set(seed, seed * const(0x9E3779B97F4A7C15, I64) + const(0xC2B2AE3D27D4EB4F, I64))
            place = (seed >> 30).low & (bytes_ - 8)
            f.set(seen, seen + load("i64", place))
            if chained:
                f.set(seed, seed + seen)
            f.set(left, left - 1)
            f.branch(again, left)
        f.do(seen.low)
    _, f = module.function((), name="fill")
    at = f.var(0)
    with f.loop() as again:
        f.store("i64", at, 0, 8)
        f.set(at, at + 4096)
        f.branch(again, at.op("<u", bytes_))
    running = Running(loaded(module.encoded()))
    running.call("fill")
    seconds = in_turns({name: lambda name=name: running.call(name, READS)  # type: ignore[misc]
                        for name in ("apart", "chained")})
    rows = [(what, f"{1e9 * seconds[name] / READS:.1f}", rate(READS, seconds[name]))
            for name, what in (("apart", "any order, many at once"),
                               ("chained", "each after the one before"))]
    return Table("The machine's own limit",
                 f"Random reads of eight bytes in {bytes_ >> 20} MiB. A new state takes one such "
                 "read at least, and so does each move to a state that is known.",
                 ("reads", "ns", "reads/s"), rows)


def players() -> Table:
    """Measure growth with players."""
    rows = [generated(f"{number} players", many_players(number, most))
            for number, most in ((2, 255), (4, 15), (8, 3))]
    return Table("Growth with players", "A generated game in which everybody raises a counter, "
                 "with 16 bits of counters: 2¹⁶ states for each player who may be next.",
                 GENERATED, rows)


def clauses() -> Table:
    """Measure growth with clauses."""
    rows = [generated(f"{number:,} clauses", many_clauses(number)) for number in (10, 100, 1_000)]
    return Table("Growth with clauses", "A generated game in which each clause but one permits "
                 "something in one window.", GENERATED, rows)


GENERATED = ("game", "planned, s", "compiled, s", "states", "moves", "explored, s", "moves/s")


def generated(name: str, spec: Spec) -> tuple[str, ...]:
    """Plan, compile and explore a generated game."""
    planned = timed(lambda: machine_from(spec))
    machine = machine_from(spec)
    layout = Program(machine).layout
    written = timed(lambda: loaded(compile_machine(machine, layout, None).code))
    program = Program(machine)
    program.start()
    found = Exploration(program)
    seconds = timed(found.run)
    moves = found.tally.transitions
    return (name, f"{planned:.2f}", f"{written:.2f}", f"{len(found.order):,}", f"{moves:,}",
            f"{seconds:.2f}", rate(moves, seconds))


def large(game: str, scope: str, most: int) -> Table:
    """Measure what takes minutes and gigabytes."""
    return Table(f"Large: {game}, {scope}, {most:,} states",
                 f"As above, with {machine_of(game, scope).players} players and all cards;"
                 " `make bench LARGE=--large` measures it too.", COLUMNS,
                 [row_of(game, scope, most)])


def gamers_vs_evil() -> Table:
    """Explore a deck-builder with its whole market."""
    return large("gamers-vs-evil", "printed", 10_000_000)


def rumble_in_rlyeh() -> Table:
    """Explore the other one."""
    return large("rumble-in-rlyeh", "printed", 10_000_000)


def edition_wars() -> Table:
    """Explore a hundred million states."""
    return large("edition-wars", "printed", 100_000_000)


TABLES = (reads, states, players, clauses)
LARGE_TABLES = (gamers_vs_evil, rumble_in_rlyeh, edition_wars)
