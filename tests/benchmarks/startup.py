"""How long it takes before anything is checked: the command, the front end, compilation."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from shutil import copytree
from statistics import median

from ruleproof.checker.engine.program import Program
from ruleproof.checker.glance import glance
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.folder import games_folder
from ruleproof.model.loading.load import load_game, read_sections
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.machine.machine import Machine
from ruleproof.model.source.errors import Reporter
from ruleproof.model.source.yaml_file import tree_of
from ruleproof.model.views.lint import lint
from ruleproof.tests.benchmarks.timing import ROUNDS, Table, run, timed

SCOPES = (("edition-wars", "tiny"), ("penguin-brawl", "tiny_opening"),
          ("penny-arcade-card-game", "tiny"), ("gamers-vs-evil", "tiny"))
AGAIN = ("games", "lint edition-wars", "lint rumble-in-rlyeh", "graph edition-wars",
         "perft edition-wars --depth 2", "trace edition-wars", "explain edition-wars 1")


@contextmanager
def cache(folder: str) -> Iterator[None]:
    """Keep machine code in a folder of its own."""
    before = os.environ.get("RULEPROOF_CACHE")
    os.environ["RULEPROOF_CACHE"] = folder
    try:
        yield
    finally:
        del os.environ["RULEPROOF_CACHE"]
        if before is not None:
            os.environ["RULEPROOF_CACHE"] = before


def commands() -> Table:
    """Measure commands that do next to nothing."""
    rows = []
    for arguments in (("--help",), ("--version",)):
        seconds = [timed(lambda arguments=arguments: run(  # type: ignore[misc]
            sys.executable, "-m", "ruleproof", *arguments)) for _ in range(ROUNDS)]
        rows.append((f"`ruleproof {arguments[0]}`", f"{median(seconds):.2f}"))
    bare = median(timed(lambda: run(sys.executable, "-c", "pass")) for _ in range(ROUNDS))
    rows.append(("`python -c pass`", f"{bare:.2f}"))
    return Table("Commands that do nothing", "Processor seconds of the whole process.",
                 ("command", "seconds"), rows)


def asked_again() -> Table:
    """Measure commands that were asked before, of the same files."""
    rows = []
    for line in AGAIN:
        command = sys.executable, "-m", "ruleproof", *line.split()
        with tempfile.TemporaryDirectory() as folder, cache(folder):
            first = timed(lambda: run(*command))  # noqa: B023  (called at once)
            again = median(timed(lambda: run(*command)) for _ in range(ROUNDS))  # noqa: B023
        rows.append((f"`ruleproof {line}`", f"{first:.2f}", f"{again:.2f}"))
    return Table("Commands that were asked before",
                 "Processor seconds of the whole process. What was printed is kept for as long as "
                 "all files that were read are the same.",
                 ("command", "at first, s", "again, s"), rows)


def cold_and_kept(game: str, scope: str) -> Iterator[tuple[float, float]]:
    """Measure front end and compilation, without machine code kept and with."""
    machines: list[Machine] = []

    def read() -> None:
        tree_of.cache_clear()
        machines.append(compile_game(load_game(game, Settings(scope=scope))).machine)

    with tempfile.TemporaryDirectory() as folder, cache(str(Path(folder) / "kept")):
        for _ in range(2):
            yield timed(read), timed(lambda: Program(machines[-1]).start())


def scopes() -> Table:
    """Measure from the files of a game to its first state, without machine code kept and with."""
    rows = []
    for game, scope in SCOPES:
        runs = [run_ for _ in range(ROUNDS) for run_ in cold_and_kept(game, scope)]
        front = median(each[0] for each in runs)
        cold, kept = median(each[1] for each in runs[::2]), median(each[1] for each in runs[1::2])
        rows.append((f"{game}, {scope}", f"{front:.2f}", f"{cold:.2f}", f"{kept:.2f}"))
    return Table("From a game's files to its first state",
                 "Reading and planning the rules, then writing them as WebAssembly and making "
                 "machine code, which is kept for the next time.",
                 ("scope", "front end, s", "compiled, s", "with kept code, s"), rows)


def saves() -> Table:
    """Measure what `watch` does when the largest file of a game was saved."""
    rows = []
    for game in (*dict(SCOPES), "rumble-in-rlyeh"):
        with tempfile.TemporaryDirectory() as place, cache(str(Path(place) / "kept")):
            folder = Path(place) / game
            for each in (game, "shared"):
                copytree(games_folder() / each, folder.with_name(each))
            largest = max(folder.glob("*.yaml"), key=lambda path: path.stat().st_size)
            first, *others = [timed(partial(_saved, folder, largest, round_))
                              for round_ in range(ROUNDS + 1)]
            rows.append((game, f"{first:.2f}", f"{median(others):.2f}"))
    return Table("From a save to an answer",
                 "What `watch` tells: the errors of the game as it is ruled, and what goes wrong "
                 "in the first states of the smallest scope.",
                 ("game", "first look, s", "at a save, s"), rows)


def _saved(folder: Path, file: Path, number: int) -> None:
    with file.open("a", encoding="utf-8") as text:
        text.write(f"# {number}\n")
    sections = read_sections(str(folder), Reporter())
    assert not lint(str(folder), whole=False, sections=sections).errors
    glance(sections)


TABLES = (commands, asked_again, scopes, saves)
