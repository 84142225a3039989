"""What all benchmarks share: processor seconds, engines that take turns, tables of the page."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from statistics import median
from time import process_time

ROUNDS = 3


class AbsentError(Exception):
    """Something that a table needs is not here; the message says what."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table of the page: a heading, what it shows, columns, rows, what is to be said of them."""

    title: str
    about: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    notes: Sequence[str] = ()

    def markdown(self, *more: str) -> str:
        """Write it down, without the mark of a heading, and say more."""
        lines = [self.title, "", self.about, ""]
        if self.rows:
            lines += [_row(self.columns), _row(["---"] * len(self.columns)),
                      *map(_row, self.rows), ""]
        return "\n".join([*lines, *(f"{note}\n" for note in (*self.notes, *more))])


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def timed(work: Callable[[], object]) -> float:
    """Measure processor seconds, also those of processes that were started and have ended."""
    before = process_time() + sum(os.times()[2:4])
    work()
    return process_time() + sum(os.times()[2:4]) - before


def in_turns(engines: Mapping[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """Return the median seconds of each engine; they take turns, so that noise meets them all."""
    seconds: dict[str, list[float]] = {name: [] for name in engines}
    for _ in range(rounds):
        for name, work in engines.items():
            seconds[name].append(timed(work))
    return {name: median(each) for name, each in seconds.items()}


def program(name: str, hint: str) -> str:
    """Find a program.

    Raises:
        AbsentError: if it is not installed.

    """
    found = shutil.which(name)
    if found is None:
        raise AbsentError(f"`{name}` is not installed ({hint})")
    return found


def run(*command: str, where: Path | None = None) -> str:
    """Run a program and return what it prints.

    Raises:
        AbsentError: if it fails.

    """
    done = subprocess.run(command, cwd=where, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        last = (done.stderr or done.stdout).strip().splitlines()[-1:]
        raise AbsentError(f"`{Path(command[0]).name}` failed ({' '.join(last)[:200]})")
    return done.stdout


def rate(number: float, seconds: float) -> str:
    """Write how many a second that is."""
    return f"{number / max(seconds, 1e-9):,.0f}"


def times(ratio: float) -> str:
    """Write a ratio."""
    return f"{ratio:,.1f}" if ratio < 20 else f"{ratio:,.0f}"


def described() -> list[str]:
    """Describe the machine, without names and places."""
    versions = [f"Python {platform.python_version()}"]
    for package in ("wasmtime", "z3-solver", "open_spiel"):
        try:
            versions.append(f"{package} {version(package)}")
        except PackageNotFoundError:
            continue
    for name, option in (("spin", "-V"), ("gcc", "--version"), ("java", "--version")):
        if shutil.which(name):
            versions.append(run(name, option).splitlines()[0].split(" -- ")[0].strip())
    return [f"- {_processor()}, {os.cpu_count()} cores, {_memory()} of memory",
            f"- {platform.system()} {platform.release().split('-')[0]}, {platform.machine()}",
            f"- {', '.join(versions)}"]


def load() -> str:
    """Say how many processes want to run."""
    if not hasattr(os, "getloadavg"):
        return "nobody knows how many processes"
    return f"{os.getloadavg()[0]:.0f} processes"


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")),
                platform.machine())


def _memory() -> str:
    try:
        size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return "an unknown amount"
    return f"{size / (1 << 30):.0f} GiB"


def alone(module: str, *arguments: str) -> str:
    """Run a module of the benchmarks as a process of its own."""
    return run(sys.executable, "-m", f"ruleproof.tests.benchmarks.{module}", *arguments)
