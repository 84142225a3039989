"""Random plays in compiled code, as Python sees them."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator
from dataclasses import dataclass

from ..drivers.draws import place_of
from ..drivers.playout import PLAY_COUNTS
from .engine import Engine

AT_ONCE = 50
"""So many plays are played before anybody is told."""


@dataclass(frozen=True, slots=True)
class PlayCounts:
    """What has been counted in plays; by flag, in how many it was seen, the first, how many cut.

    `stops` has by node in how many nobody could move there, and the first of them.
    """

    plays: int
    finished: int
    stuck: int
    moves: int
    seen: dict[int, int]
    first: dict[int, int]
    cut: dict[int, int]
    stops: dict[int, tuple[int, int]]


def played(engine: Engine, *, plays: int, longest: int, seed: int) -> Iterator[PlayCounts]:
    """Play so many games of at most `longest` moves; tell now and then what has been counted."""
    made, running = engine.compiled, engine.running
    begun, flags = engine.start()
    if begun is None:
        return
    running.write(made.plays["start"], begun)
    running.write(made.plays["begun"], flags.to_bytes(8 * made.words, "little"))
    for first in range(0, plays, AT_ONCE):
        engine.call("play", place_of(seed), first, min(AT_ONCE, plays - first), longest)
        yield _counted(engine)


def _counted(engine: Engine) -> PlayCounts:
    made, running = engine.compiled, engine.running
    row = running.read(made.plays["counts"], 8 * len(PLAY_COUNTS))
    plays, finished, stuck, moves = struct.unpack(f"<{len(PLAY_COUNTS)}Q", row)
    tables = []
    for name in ("seen", "firsts", "cut"):
        table = array("I")
        table.frombytes(running.read(made.plays[name], 4 * 64 * made.words))
        tables.append(table)
    seen = {bit: count for bit, count in enumerate(tables[0]) if count}
    cut = {bit: count for bit, count in enumerate(tables[2]) if count}
    rests = engine.layout.rests
    row = running.read(made.plays["stops"], 8 * len(rests))
    stops = {node: (count, first) for node, (count, first) in zip(
        rests, struct.iter_unpack("<2I", row), strict=True) if count}
    return PlayCounts(
        plays, finished, stuck, moves, seen, {bit: tables[1][bit] for bit in seen}, cut, stops)
