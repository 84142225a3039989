"""Exploration side by side with SPIN and with TLC.

SPIN (Debian's package, with gcc -O2) searches a Promela twin depth first and breadth first, TLC
(the jar that the environment variable TLA2TOOLS names) a TLA+ twin with one worker.  All count the
same states, which is checked; seconds are of the processor, without compiling anything.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from ruleproof.checker.engine.program import Program
from ruleproof.checker.search.explore import Exploration
from ruleproof.model.machine.machine import Machine
from ruleproof.tests.benchmarks import twins
from ruleproof.tests.benchmarks.games import hanoi, machine_from, machine_of
from ruleproof.tests.benchmarks.timing import (
    AbsentError,
    Table,
    in_turns,
    program,
    rate,
    run,
    times,
)

DISCS = 12
BUNDLED = "penny-arcade-card-game", "small"
SPIN = {"SPIN, depth first": (), "SPIN, breadth first": ("-DBFS",)}
Engine = Callable[[], int]
"""Explores everything; returns the number of states."""


def of_hanoi() -> Table:
    """Measure the tower of Hanoi."""
    machine = machine_from(hanoi(DISCS))
    with tempfile.TemporaryDirectory() as folder:
        engines: dict[str, Engine] = {"ruleproof": ours(machine)}
        missing = []
        others: tuple[Callable[[], dict[str, Engine]], ...] = (
            lambda: spin(twins.hanoi_promela(DISCS), Path(folder)),
            lambda: tlc(DISCS, Path(folder)))
        for add in others:
            try:
                engines |= add()
            except AbsentError as absent:
                missing.append(f"Not measured here: {absent}.")
        return compared(f"The tower of Hanoi with {DISCS} discs", engines, 3**DISCS, missing)


def of_a_bundled_game() -> Table:
    """Measure a scope of a bundled game, of which the twin is written by machine."""
    machine = machine_of(*BUNDLED)
    states = Exploration(Program(machine)).run().states
    title = f"A bundled game: {BUNDLED[0]}, {BUNDLED[1]}"
    with tempfile.TemporaryDirectory() as folder:
        engines: dict[str, Engine] = {"ruleproof": ours(machine)}
        try:
            engines |= spin(twins.promela(machine), Path(folder), before=1)
        except AbsentError as absent:
            return compared(title, engines, states, [f"Not measured here: {absent}."])
        return compared(title, engines, states, [
            ("The twin is Promela around the rules in C, which gcc compiles into SPIN's verifier: "
             "what is compared is the search, and our rules as WebAssembly against rules as C.")])


def compared(title: str, engines: dict[str, Engine], states: int, notes: list[str]) -> Table:
    """Let engines explore in turns."""
    def checked(name: str, engine: Engine) -> None:
        found = engine()
        if found != states:
            raise RuntimeError(f"{name} finds {found:,} states instead of {states:,}")

    seconds = in_turns({name: lambda name=name, engine=engine: checked(name, engine)  # type: ignore[misc]
                        for name, engine in engines.items()})
    rows = [(name, f"{states:,}", f"{each:.2f}", rate(states, each),
             times(each / seconds["ruleproof"])) for name, each in seconds.items()]
    return Table(title, "All states, each once, one thread.",
                 ("explorer", "states", "seconds", "states/s", "ours is × as fast"), rows, notes)


def ours(machine: Machine) -> Engine:
    """Explore with ruleproof."""
    compiled = Program(machine)
    compiled.start()
    return lambda: Exploration(compiled).run().states


def spin(
    model: dict[str, str], folder: Path, before: int = 0, how: str = "-O2"
) -> dict[str, Engine]:
    """Compile a model with SPIN for both kinds of search; so many states come before the setup."""
    for name, text in model.items():
        (folder / name).write_text(text, "ascii")
    run(program("spin", "apt install spin gcc"), "-a", twins.MODEL, where=folder)
    found: dict[str, Engine] = {}
    for name, options in SPIN.items():
        binary = str(folder / f"pan{len(found)}")
        run(program("gcc", "apt install gcc"), how, "-w", "-DSAFETY", "-DNOREDUCE",
            "-DMEMLIM=16000", *options, "-o", binary, "pan.c", where=folder)
        found[name] = lambda binary=binary: _stored(  # type: ignore[misc]
            run(binary, "-m10000000", "-w22", "-n", "-E", where=folder)) - before
    return found


def _stored(told: str) -> int:
    return int(re.search(r"(\d+) states, stored", told)[1])  # type: ignore[index]


def tlc(discs: int, folder: Path) -> dict[str, Engine]:
    """Let TLC explore the tower of Hanoi."""
    jar = os.environ.get("TLA2TOOLS", "")
    if not jar:
        raise AbsentError("TLC (TLA2TOOLS names no tla2tools.jar)")
    (folder / "Hanoi.tla").write_text(twins.HANOI_TLA, "ascii")
    (folder / "Hanoi.cfg").write_text(
        f"CONSTANT N = {discs}\nINIT Init\nNEXT Next\nCHECK_DEADLOCK FALSE\n", "ascii")
    java = program("java", "apt install default-jre-headless")

    def explore() -> int:
        told = run(java, "-XX:+UseParallelGC", "-cp", jar, "tlc2.TLC", "-workers", "1",
                   "-metadir", str(folder / "meta"), "Hanoi", where=folder)
        return int(re.search(r"(\d+) distinct states found, 0 states left", told)[1])  # type: ignore[index]

    return {"TLC, one worker": explore}


TABLES = (of_hanoi, of_a_bundled_game)
