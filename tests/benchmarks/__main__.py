"""Measure everything and write the page: `python -m ruleproof.tests.benchmarks`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ruleproof.tests.benchmarks import engine, explorers, growth, pairs, playing, startup
from ruleproof.tests.benchmarks.timing import ROUNDS, AbsentError, Table, described
from ruleproof.tests.support.places import ROOT

MEASURES = {"explorers": explorers.TABLES, "playing": playing.TABLES, "engine": engine.TABLES,
            "growth": growth.TABLES, "pairs": pairs.TABLES, "startup": startup.TABLES}
HEAD = f"""# Benchmarks

Written by `make bench`. Seconds are of the processor (medians of {ROUNDS} rounds, unless a row has
a process of its own); what is compared takes turns in one run, so that a busy machine slows all of
it. Trust ratios, and no difference below a quarter.
"""


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=sorted(MEASURES), default=list(MEASURES))
    parser.add_argument("--large", action="store_true", help="also what takes gigabytes")
    parser.add_argument("--output", type=Path, default=ROOT / "reports" / "benchmarks.md")
    args = parser.parse_args()
    measures = [measure for name in MEASURES if name in args.only for measure in MEASURES[name]]
    if args.large:
        measures += growth.LARGE_TABLES
    parts = [HEAD, "\n".join([*described(), ""])]
    for measure in measures:
        sys.stderr.write(f"{measure.__module__.rsplit('.', 1)[-1]}: {measure.__name__}\n")
        try:
            table = measure()
        except AbsentError as absent:
            table = Table(f"Not measured: {measure.__name__}", f"Not measured here: {absent}.",
                          (), ())
        parts.append(table.markdown())
        args.output.write_text("\n".join(parts), "utf-8")


if __name__ == "__main__":
    main()
