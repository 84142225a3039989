"""Conditions that may well hold in every reachable state, guessed from the machine alone.

Nothing here is known to be true: `invariants` keeps what it can prove.  The guesses are those that
card games live by.

* Cards are conserved: for each kind, the zones of its family hold as many cards as at the start
  (or at most as many), the card that is on its way in a single variable counted or not.
* Each limit holds.
* A variable that can be empty is not.
* A variable, and the size of a zone, has a value, or is at least or at most a value, that the
  machine compares it with or sets it to, or that lies beside such a value.

The number of guesses is linear in the elements times the constants that go with their array; an
array of more than `WIDE` elements that is no zone is left out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, product

from ..machine import core
from ..machine.machine import Array, Machine
from ..machine.traversal import arrays_read, expressions, parts, statements

WIDE = 24
"""The most elements of an array that are looked at one by one."""
CARRIERS = 6
"""The most variables of a family that are tried as the place of a card on its way."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A condition on states, at one node or (None) at each; `name` says it in words."""

    name: str
    test: core.Expr
    node: int | None = None


def candidates(machine: Machine) -> tuple[Candidate, ...]:
    """Guess invariants of a machine; each is tried at every node."""
    guesses = (
        *conservation(machine),
        *limits(machine),
        *presence(machine),
        *values(machine),
        *sizes(machine),
    )
    return tuple({guess.test: guess for guess in reversed(guesses)}.values())[::-1]


# --------------------------------------------------------------------------- cards


def families(machine: Machine) -> dict[str, list[Array]]:
    """Group the zones by the family of cards that they hold."""
    found: dict[str, list[Array]] = {}
    for array in machine.arrays:
        if array.zone:
            found.setdefault(family(array), []).append(array)
    return found


def family(zone: Array) -> str:
    """Name the family of cards that a zone holds."""
    kind = zone.axes[-1].kind if zone.axes else zone.domain.kind
    return f"{kind} of {zone.dims[-1]}"


def conservation(machine: Machine) -> Iterator[Candidate]:
    """Guess that no card is lost or gained, kind by kind."""
    for zones in families(machine).values():
        axis = zones[0].axes[-1] if zones[0].axes else zones[0].domain
        carriers = [
            array
            for array in machine.arrays
            if not array.zone and array.size == 1 and array.domain.kind == axis.kind
        ]
        for kind in range(zones[0].dims[-1]):
            start = sum(sum(zone.start[kind :: zone.dims[-1]]) for zone in zones)
            held = add(count(zone, core.Const(kind)) for zone in zones)
            name = f"the {named(axis.names, kind, f'cards of kind {kind}')} in all zones"
            yield Candidate(f"{name} are {start}", compare(held, "==", start))
            yield Candidate(f"{name} are at most {start}", compare(held, "<=", start))
            for carrier in carriers[:CARRIERS]:
                index = tuple(core.Const(0) for _ in carrier.dims)
                here = compare(core.Load(carrier.name, index), "==", kind)
                total = core.Binary("+", held, here)
                yield Candidate(
                    f"{name} and in `{carrier.name}` are {start}", compare(total, "==", start)
                )


def count(zone: Array, kind: core.Expr) -> core.Expr:
    """Count the cards of a kind in all rows of a zone."""
    return summed(zone, tuple(range(len(zone.dims) - 1)), {len(zone.dims) - 1: kind})


def summed(zone: Array, over: tuple[int, ...], fixed: dict[int, core.Expr]) -> core.Expr:
    """Add up the elements of a zone over some of its dimensions."""
    names = {axis: f"sum {zone.name} {axis}" for axis in over}
    index = tuple(
        core.Local(names[axis]) if axis in names else fixed[axis] for axis in range(len(zone.dims))
    )
    total: core.Expr = core.Load(zone.name, index)
    for axis in over:
        total = core.Reduce("sum", names[axis], zone.dims[axis], core.TRUE, total)
    return total


def sizes(machine: Machine) -> Iterator[Candidate]:
    """Guess the sizes of zones, row by row."""
    known = constants(machine)
    for zone in machine.arrays:
        if not zone.zone:
            continue
        kinds = zone.dims[-1]
        rows = list(product(*(range(size) for size in zone.dims[:-1])))
        for number, row in enumerate(rows):
            fixed: dict[int, core.Expr] = {axis: core.Const(at) for axis, at in enumerate(row)}
            size = summed(zone, (len(zone.dims) - 1,), fixed)
            start = sum(zone.start[number * kinds : (number + 1) * kinds])
            name = f"the size of `{place(zone.name, row)}`"
            marks = {0, start} | {mark for mark in known[zone.name] if mark >= 0}
            yield from compared(size, name, marks, 0, zone.high * kinds)


# --------------------------------------------------------------------------- variables


def limits(machine: Machine) -> Iterator[Candidate]:
    """Guess that the limits hold."""
    for limit in machine.limits:
        yield Candidate(f"the limit of `{limit.clause}`", limit.test)


def presence(machine: Machine) -> Iterator[Candidate]:
    """Guess that variables that can be empty (-1) are not."""
    for array, index, element in elements(machine):
        if array.low == -1:
            name = f"`{place(array.name, index)}` is not empty"
            yield Candidate(name, compare(element, ">=", 0))


def values(machine: Machine) -> Iterator[Candidate]:
    """Guess the values of variables."""
    known = constants(machine)
    for array, index, element in elements(machine):
        name = f"`{place(array.name, index)}`"
        marks = known[array.name] | set(array.start)
        yield from compared(element, name, marks, array.low, array.high)


def elements(machine: Machine) -> Iterator[tuple[Array, tuple[int, ...], core.Expr]]:
    """List the variables that are looked at one by one."""
    for array in machine.arrays:
        if not array.zone and array.size <= WIDE:
            for index in product(*(range(size) for size in array.dims)):
                yield array, index, core.Load(array.name, tuple(map(core.Const, index)))


def compared(
    value: core.Expr, name: str, marks: Iterable[int], low: int, high: int
) -> Iterator[Candidate]:
    """Guess how a value in low … high lies to some marks."""
    inside = sorted(mark for mark in set(marks) if low <= mark <= high)
    beside = sorted({near for mark in inside for near in (mark - 1, mark, mark + 1)})
    for mark in inside:
        yield Candidate(f"{name} is {mark}", compare(value, "==", mark))
    for mark in beside:
        if low < mark <= high:
            yield Candidate(f"{name} is at least {mark}", compare(value, ">=", mark))
        if low <= mark < high:
            yield Candidate(f"{name} is at most {mark}", compare(value, "<=", mark))


# --------------------------------------------------------------------------- constants


def constants(machine: Machine) -> dict[str, set[int]]:
    """Find for each array the numbers that the machine compares it with or sets it to."""
    found: dict[str, set[int]] = {array.name: set() for array in machine.arrays}
    for node in machine.nodes:
        for edge in node.edges:
            stated = [*(one.test for one in edge.conditions), *expressions(edge.body)]
            for expr in [*stated, *(param.where for param in edge.params)]:
                note_constants(expr, found)
            for stmt in statements(edge.body):
                if isinstance(stmt, core.Store | core.Fill):
                    found[stmt.array].update(results(stmt.value))
    for limit in machine.limits:
        note_constants(limit.test, found)
    return found


def note_constants(expr: core.Expr, found: dict[str, set[int]]) -> None:
    """Note the numbers that an expression compares arrays with."""
    for part in parts(expr):
        note_constants(part, found)
    if isinstance(expr, core.Binary) and expr.op in {"==", "!=", "<", "<=", ">", ">="}:
        numbers = {one.value for one in inside(expr) if isinstance(one, core.Const)}
        for array in arrays_read(expr):
            found[array] |= numbers


def inside(expr: core.Expr) -> Iterator[core.Expr]:
    """List an expression and all that it is made of, apart from indices."""
    yield expr
    if not isinstance(expr, core.Load | core.Table | core.Pick):
        for part in parts(expr):
            yield from inside(part)


def results(expr: core.Expr) -> Iterator[int]:
    """List the constants that an expression may give as they stand."""
    match expr:
        case core.Const(value):
            yield value
        case core.Cond(_, then, other):
            yield from results(then)
            yield from results(other)
        case core.Binary("min" | "max", left, right):
            yield from results(left)
            yield from results(right)
        case _:
            pass


# --------------------------------------------------------------------------- words


def compare(left: core.Expr, op: core.BinaryOp, right: int) -> core.Expr:
    """Compare with a number."""
    return core.Binary(op, left, core.Const(right))


def add(several: Iterable[core.Expr]) -> core.Expr:
    """Add up."""
    *_, total = accumulate(several, lambda left, right: core.Binary("+", left, right))
    return total


def named(names: tuple[str, ...], number: int, otherwise: str) -> str:
    """Return the name of a number, if it has one."""
    return f"`{names[number]}`" if number < len(names) else otherwise


def place(name: str, index: tuple[int, ...]) -> str:
    """Write an element as people do."""
    return f"{name}[{', '.join(map(str, index))}]" if index else name
