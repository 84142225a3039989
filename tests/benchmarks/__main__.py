"""Measure everything and write the page: `python -m ruleproof.tests.benchmarks`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from ruleproof.tests.benchmarks import engine, explorers, growth, pairs, playing, startup
from ruleproof.tests.benchmarks.timing import ROUNDS, AbsentError, Table, described, load
from ruleproof.tests.support.places import ROOT

MEASURES = {"explorers": explorers.TABLES, "playing": playing.TABLES, "engine": engine.TABLES,
            "growth": growth.TABLES, "pairs": pairs.TABLES, "startup": startup.TABLES,
            "large": growth.LARGE_TABLES}
HEAD = f"""# Benchmarks

Written by `make bench`. Seconds are of the processor (medians of {ROUNDS} rounds, unless a row has
a process of its own); what is compared takes turns in one run, so that a busy machine slows all of
it. Trust ratios, and no difference below a quarter.
"""
SECTION = "\n## "


def main() -> None:
    """Measure; what is not measured this time stays on the page as it is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=list(MEASURES))
    parser.add_argument("--large", action="store_true", help="also what takes gigabytes")
    parser.add_argument("--output", type=Path, default=ROOT / "reports" / "benchmarks.md")
    args = parser.parse_args()
    names = args.only or [name for name in MEASURES if args.large or name != "large"]
    for measure in [measure for name in names for measure in MEASURES[name]]:
        sys.stderr.write(f"{measure.__module__.rsplit('.', 1)[-1]}: {measure.__name__}\n")
        busy = load()
        try:
            table = measure()
        except AbsentError as absent:
            table = Table(f"Not measured: {measure.__name__}", f"Not measured here: {absent}.",
                          (), ())
        write(args.output, table, f"When this was begun, {busy} wanted a core.")


def write(page: Path, table: Table, busy: str) -> None:
    """Put a table into the page, at its place if it is there."""
    old = page.read_text("utf-8").split(SECTION)[1:] if page.exists() else []
    sections = {text.splitlines()[0]: text for text in old}
    sections[table.title] = table.markdown(busy)
    parts = ["\n".join([HEAD, *described(), ""])]
    parts += [f"{text.rstrip()}\n" for text in sections.values()]
    page.write_text(SECTION.join(parts), "utf-8")


if __name__ == "__main__":
    main()
