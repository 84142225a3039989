"""Guesses about how many cards are left while cards are dealt, read off from random walks.

While a step deals, the size of a deck is a sum of multiples of the counters that it runs by: 102
less 4 for each player served, less what this one has got.  Such equations are found from examples
(Karr, "Affine relationships among variables of a program", Acta Informatica 1976; from walks as in
Ernst and others, "Dynamically discovering likely program invariants", ICSE 1999): at each node, for
each value of a marker there (`guesses.markers`), the states that walks have met span a space, and
each size that is determined by the counters in that space is guessed to be so always.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from ..machine import core
from ..machine.machine import Array, Machine
from ..machine.state import State
from ..run.shape import shape_of
from .candidates import Candidate
from .random_walks import sample

WALK = 40
"""How far the walk goes, times the nodes."""
KEPT = 60
"""How many states of each node are looked at."""
LARGEST = 64
"""The largest factor in an equation."""
COUNTERS = 8
"""The most counters in the equations at one node."""


def affine(
    part: Machine, live: dict[int, frozenset[str]], marked: dict[str, dict[int, set[int]]],
    asked: frozenset[str],
) -> Iterator[Candidate]:
    """Guess equations between sizes and counters.

    `live` are the variables of use at each node, `marked` the values of each marker at each node,
    `asked` the sizes that are of interest.
    """
    offsets = shape_of(part).offsets
    sizes = [a for a in part.arrays if not a.dims and a.name in asked and a.name.endswith(" size")]
    met: dict[int, list[State]] = defaultdict(list)
    for state in sample(part, steps=WALK * len(part.nodes), keep=KEPT) if sizes else ():
        met[state.node].append(state)
    for node in sorted(met):
        own = [a for a in part.arrays if a.name in live[node] and counts_up(a)]
        names = [name for name in sorted(marked)
                 if name in live[node] and len(marked[name][node]) > 1]
        for guard, states in split(met[node], names, offsets):
            counters = [
                a for a in own
                if len({state.values[offsets[a.name]] for state in states}) > 1][:COUNTERS]
            places = [offsets[a.name] for a in (*counters, *sizes)]
            rows = dict.fromkeys(tuple(state.values[place] for place in places) for state in states)
            for size, equation in zip(sizes, solved(rows, len(counters)), strict=True):
                if equation is not None and (guard is None or any(equation[1:-1])):
                    said = written(size, counters, equation)
                    test = said if guard is None else core.Binary("or", guard, said)
                    yield Candidate(f"how many are left in `{size.name}`", test, node)


def counts_up(array: Array) -> bool:
    """Return whether an array is a counter of the engine's own."""
    return not array.dims and not array.declared and array.domain.kind in ("int", "player")


def split(
    states: Sequence[State], names: Sequence[str], offsets: Mapping[str, int]
) -> Iterator[tuple[core.Expr | None, list[State]]]:
    """Yield all states, then those with each value of a marker, and what excludes the rest."""
    yield None, list(states)
    for name in names:
        groups: dict[int, list[State]] = defaultdict(list)
        for state in states:
            groups[state.values[offsets[name]]].append(state)
        for value in sorted(groups):
            yield core.Binary("!=", core.Load(name), core.Const(value)), groups[value]


def solved(states: Iterable[Sequence[int]], counters: int) -> Iterator[tuple[int, ...] | None]:
    """Find whole numbers with `f * size = sum(a * counter) + c` in all states: (f, a…, c).

    A state is given as its counters, then its sizes; what is found is given for each size, or None.
    The rows are reduced in whole numbers, each divided by what its numbers have in common.
    """
    rows = [[*row[:counters], 1, *row[counters:]] for row in states]
    width = counters + 1
    pivots: list[int] = []
    for column in range(width - 1, -1, -1):
        found = next((n for n in range(len(pivots), len(rows)) if rows[n][column]), None)
        if found is None:
            continue
        here = len(pivots)
        rows[here], rows[found] = rows[found], rows[here]
        pivot = rows[here]
        for n, row in enumerate(rows):
            if n != here and row[column]:
                mixed = [a * pivot[column] - row[column] * b
                         for a, b in zip(row, pivot, strict=True)]
                common = gcd(*mixed) or 1
                rows[n] = [value // common for value in mixed]
        pivots.append(column)
    for right in range(width, len(rows[0]) if rows else width):
        yield None if any(row[right] for row in rows[len(pivots):]) else _whole(
            rows, pivots, width, right)


def _whole(
    rows: Sequence[Sequence[int]], pivots: Sequence[int], width: int, right: int
) -> tuple[int, ...] | None:
    """Read the factors of an equation off reduced rows; None if they are too large."""
    factors = [Fraction(0)] * width
    for row, column in zip(rows, pivots, strict=False):
        factors[column] = Fraction(row[right], row[column])
    whole = lcm(*(one.denominator for one in factors))
    numbers = (whole, *(int(one * whole) for one in factors))
    return numbers if all(abs(one) <= LARGEST for one in numbers[:-1]) else None


def written(size: Array, counters: Sequence[Array], equation: tuple[int, ...]) -> core.Expr:
    """Write an equation."""
    whole, *factors, constant = equation
    total: core.Expr = core.Const(constant)
    for array, factor in zip(counters, factors, strict=True):
        if factor:
            term = core.Binary("*", core.Load(array.name), core.Const(factor))
            total = core.Binary("+", total, term)
    left: core.Expr = core.Load(size.name)
    return core.Binary("==", core.Binary("*", left, core.Const(whole)), total)
