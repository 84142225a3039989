"""Counting plays: how many ways there are to play so many moves, chance outcomes counted as moves.

Two implementations of the same rules must give the same numbers, which is how chess programs are
compared.  Plays that meet in a state go on in the same ways, so states carry multiplicities and
each is expanded once a level, however many plays lead to it.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..engine.program import Program


@dataclass(frozen=True, slots=True)
class Plays:
    """The plays of one length, how many of them are over, and the states that they end in."""

    length: int
    plays: int
    final: int
    states: int


def perft(program: Program, depth: int) -> tuple[Plays, ...]:
    """Count the plays of each length up to `depth`; stops early when every play is over."""
    nexts, remarks = program.lean()
    kinds, rank = program.kinds, program.rank
    level = {program.start()[0]: 1}
    rows = []
    for length in range(depth + 1):
        final = sum(count for packed, count in level.items() if kinds[rank(packed)] == "final")
        rows.append(Plays(length, sum(level.values()), final, len(level)))
        if length == depth:
            break
        after: dict[bytes, int] = {}
        for packed, count in level.items():
            for found in nexts(packed):
                after[found] = after.get(found, 0) + count
        remarks.clear()
        if not after:
            break
        level = after
    return tuple(rows)
