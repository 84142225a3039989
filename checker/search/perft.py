"""Counting plays: how many ways there are to play so many moves, chance outcomes counted as moves.

Two implementations of the same rules must give the same numbers, which is how chess programs are
compared.  Plays that meet in a state go on in the same ways, so states carry multiplicities and
each is expanded once a level, however many plays lead to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..engine.program import Program
from ..packed.flags import FILTERED


@dataclass(frozen=True, slots=True)
class PerftRow:
    """The plays of one length, how many of them are over, and the states that they end in."""

    length: int
    plays: int
    final: int
    states: int


def perft(program: Program, depth: int) -> tuple[PerftRow, ...]:
    """Count the plays of each length up to `depth`; stops early when every play is over."""
    kinds, rank, rows = program.kinds, program.rank, list[PerftRow]()
    for length, level in enumerate(levels(program, program.start()[0], depth)):
        if not level:
            break
        final = sum(count for packed, count in level.items() if kinds[rank(packed)] == "final")
        rows.append(PerftRow(length, sum(level.values()), final, len(level)))
    return tuple(rows)


def levels(program: Program, first: bytes, depth: int) -> Iterator[dict[bytes, int]]:
    """Yield the states after 0, 1, … `depth` moves from one, with the plays that lead to each."""
    level = {first: 1}
    yield level
    for _ in range(depth):
        after: dict[bytes, int] = {}
        for packed, count in level.items():
            for _, _, found, flags in program.succ(packed):
                if found is not None and not flags & FILTERED:
                    after[found] = after.get(found, 0) + count
        level = after
        yield level
