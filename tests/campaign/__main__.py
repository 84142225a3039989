"""Put random games on trial: `python -m ruleproof.tests.campaign --games 20000 --seed 1`.

What came of each game is a line of the log; the same command goes on where the log ends.
"""
# ruff: noqa: T201  (a program that prints)

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from ruleproof.checker.bench.cluster import cluster_at, in_order
from ruleproof.tests.campaign.choices import Choices, Seeded
from ruleproof.tests.campaign.running import CRASH, LAWS, tried
from ruleproof.tests.campaign.shrink import shrunk
from ruleproof.tests.campaign.specs import random_spec

Row = dict[str, Any]
"""What came of one game: `game`, `states`, `too_large`, `seconds`, `broken` (law -> how)."""


def main() -> int:
    """Run a campaign; the exit status is 1 if a law was broken."""
    args = _arguments()
    if args.show is not None:
        print(json.dumps(random_spec(Choices(Seeded(args.seed, args.show))), indent=1))
        return 0
    log = args.log or Path(f"campaign-{args.seed}.jsonl")
    rows = [json.loads(line) for line in log.read_text("utf-8").splitlines()] if (
        log.exists()) else []
    with log.open("a", encoding="utf-8") as out:
        for row in _rows(args, range(args.start + len(rows), args.start + args.games)):
            rows.append(row)
            out.write(json.dumps(row) + "\n")
            out.flush()
            for law, how in row["broken"].items():
                print(f"game {row['game']}: {law}: {how}", file=sys.stderr, flush=True)
    _summary(rows)
    if args.shrink:
        _save(rows, args.seed, args.shrink)
    return 1 if any(row["broken"] for row in rows) else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="number of the first game")
    parser.add_argument("--log", type=Path, help="default: campaign-SEED.jsonl")
    parser.add_argument("--shrink", type=Path, help="where to write the smallest game of each law")
    parser.add_argument("--cluster", metavar="ADDRESS", help="of a Dask scheduler")
    parser.add_argument("--show", type=int, help="print this game, and try nothing")
    return parser.parse_args()


def _rows(args: argparse.Namespace, numbers: range) -> Iterator[Row]:
    """Try games, on a cluster if there is one, and yield what came of each, in their order."""
    with cluster_at(args.cluster) as cluster:
        yield from in_order(cluster, partial(_row, args.seed), numbers)


def _row(seed: int, number: int) -> Row:
    begun = time.process_time()
    found = tried(random_spec(Choices(Seeded(seed, number))))
    return {"game": number, "states": found.states, "too_large": found.too_large,
            "seconds": round(time.process_time() - begun, 2), "broken": found.broken}


def _summary(rows: list[Row]) -> None:
    states = sorted(row["states"] for row in rows if not row["too_large"])
    broken = Counter(law for row in rows for law in row["broken"])
    seconds = sum(row["seconds"] for row in rows)
    print(f"{len(rows)} games, {len(rows) - len(states)} too large, "
          f"{sum(states)} states (half of them have at least "
          f"{states[len(states) // 2] if states else 0}), "
          f"{seconds / max(1, len(rows)):.2f} s of one core for a game")
    for law in ("loads", CRASH, *(law.__name__ for law in LAWS)):
        print(f"  {law:<14} broken by {broken[law]}")


def _save(rows: list[Row], seed: int, folder: Path) -> None:
    """Shrink the first game that breaks each law, and write it down as a spec."""
    first: dict[str, int] = {}
    for row in rows:
        for law in row["broken"]:
            first.setdefault(law, row["game"])
    for law, number in first.items():
        spec = shrunk(random_spec(Choices(Seeded(seed, number))), law)
        target = folder / f"{law}-{number}"
        target.mkdir(parents=True, exist_ok=True)
        (target / "game.yaml").write_text(json.dumps(spec, indent=1), "utf-8")
        print(f"{target}: {tried(spec, law).broken.get(law)}")


if __name__ == "__main__":
    sys.exit(main())
