"""Explore one scope in a process of its own: `-m ruleproof.tests.benchmarks.one GAME SCOPE N`.

It prints JSON: the states found, whether that is all, processor seconds, the bytes that states
take, and the peak of the process's memory in bytes.
"""
# ruff: noqa: T201  (a program that prints)

import json
import sys
from pathlib import Path

from ruleproof.checker.engine.program import Program
from ruleproof.checker.search.explore import Exploration
from ruleproof.tests.benchmarks.games import machine_of
from ruleproof.tests.benchmarks.timing import timed


def peak() -> int:
    """Return the most memory that this process has had; 0 where Linux does not tell.

    `ru_maxrss` will not do: it begins with what the process had that started this one.
    """
    try:
        lines = Path("/proc/self/status").read_text("ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM")), 0)


def main() -> None:
    """Explore."""
    game, scope, most = sys.argv[1:]
    search = Exploration(Program(machine_of(game, scope)))
    seconds = timed(lambda: search.run(max_states=int(most)))
    print(json.dumps({"states": len(search.order), "complete": search.finished,
                      "transitions": search.tally.transitions, "seconds": seconds,
                      "bytes": search.memory(), "peak": peak()}))


if __name__ == "__main__":
    main()
