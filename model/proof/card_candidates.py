"""Guesses for a slice of a machine: what obligations of card games rest on, beside `candidates`.

* The zones of a family together hold as many cards as at the start.
* A variable that can be empty has a value, alone or as long as a *marker* has a certain value: a
  variable that is only ever set to constants, such as the place that a step returns to.
* It has a value, or else a test that decided over a failed obligation came out as it did.  Such a
  test, "not exactly one has the fewest", is what the next sentence goes on from.
* While cards are dealt, the size of a deck follows from the counters (`affine`).

All are guesses at those nodes where somebody may still read the marker, or a few edges after the
test.  `invariants` keeps what it can prove.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import NamedTuple

from ..machine import core
from ..machine.footprint import footprint
from ..machine.machine import Array, Edge, Machine
from ..machine.traversal import arrays_read, reads, statements, writes
from ..solver.formulas import names_of
from .affine_candidates import affine, counts_up
from .candidates import Candidate, add, candidates, compare, summed
from .slices import cards

FAR = 4
"""How many edges after a test the guesses about it go."""
WIDEST = 32
"""The most values of a marker."""
MOST = 6_000
"""The most guesses about markers, and about tests."""
DEALT = 1_000
"""The most guesses about decks while cards are dealt."""
PLENTY = 12_000
"""Up to how many edges times candidates all `candidates` are guessed, too."""


class Passing(NamedTuple):
    """What an edge asks of a variable, to which constants it may set it, and if it surely does."""

    asked: int | None = None
    stored: frozenset[int] = frozenset()
    certain: bool = False


UNTOUCHED = Passing()


def guesses(whole: Machine, part: Machine) -> tuple[Candidate, ...]:
    """Guess what may hold in a slice of a machine."""
    first = [*conserved(whole, part), *present(part)]
    more = (islice(marked(part), MOST), islice(tested(part), MOST))
    found = [*first, *islice(dealt(part), DEALT), *chain(*more)]
    usual = candidates(part)
    if len(usual) * sum(len(node.edges) for node in part.nodes) <= PLENTY:
        found += usual
    return tuple({(one.test, one.node): one for one in reversed(found)}.values())[::-1]


def conserved(whole: Machine, part: Machine) -> Iterator[Candidate]:
    """Guess that cards are neither lost nor gained."""
    names = {array.name for array in part.arrays}
    for family in dict.fromkeys(a.axes[-1].kind for a in whole.arrays if a.zone and cards(a)):
        zones = [a for a in whole.arrays if a.zone and cards(a) and a.axes[-1].kind == family]
        if all(f"{zone.name} size" in names for zone in zones):
            total = sum(sum(zone.start) for zone in zones)
            held = add(rows(part, zone) for zone in zones)
            yield Candidate(f"conserved {family}", compare(held, "==", total))


def dealt(part: Machine) -> Iterator[Candidate]:
    """Guess how many cards are left in a deck while cards are dealt, and a few edges further."""
    found = markers(part)
    own = frozenset(a.name for a in part.arrays if counts_up(a))
    live = alive(part, own | frozenset(found))
    ways = ways_of(part)
    values = {name: possible(part, name, ways) for name in sorted(found)}
    edges = {node.id: node.edges for node in part.nodes}
    touched = {edge.id: writes(edge.body) for node in part.nodes for edge in node.edges}
    front = list(affine(part, live, values, owed(part)))
    seen = {(one.test, one.node) for one in front}
    while front:
        yield from front
        further: list[Candidate] = []
        for one in front:
            read = arrays_read(one.test)
            for edge in edges[one.node or 0]:
                new = (one.test, edge.target)
                if new not in seen and not read & touched[edge.id]:
                    seen.add(new)
                    further.append(Candidate(one.name, one.test, edge.target))
        front = further


def total_of(machine: Machine, family: str) -> core.Expr | None:
    """Say that the zones of a family hold as many cards as at the start; None: it has no zone."""
    kind = f"card:{family}"
    zones = [a for a in machine.arrays if a.zone and cards(a) and a.axes[-1].kind == kind]
    if not zones:
        return None
    held = add(summed(zone, tuple(range(len(zone.dims))), {}) for zone in zones)
    return compare(held, "==", sum(sum(zone.start) for zone in zones))


def rows(part: Machine, zone: Array) -> core.Expr:
    """Add up the sizes of all rows of a zone."""
    size = next(array for array in part.arrays if array.name == f"{zone.name} size")
    index = tuple(core.Local(f"row {axis}") for axis in range(len(size.dims)))
    total: core.Expr = core.Load(size.name, index)
    for axis, rounds in enumerate(size.dims):
        total = core.Reduce("sum", f"row {axis}", rounds, core.TRUE, total)
    return total


def has(array: Array) -> core.Expr:
    """Say that a variable has a value."""
    return core.Binary(">=", core.Load(array.name), core.Const(0))


def optional(part: Machine) -> tuple[Array, ...]:
    """List the variables that can be empty."""
    return tuple(array for array in part.arrays if array.low == -1 and not array.dims)


def present(part: Machine) -> Iterator[Candidate]:
    """Guess that variables have values."""
    for array in optional(part):
        yield Candidate(f"`{array.name}` is not empty", has(array))


# --------------------------------------------------------------------------- markers


def marked(part: Machine) -> list[Candidate]:
    """Guess that variables have values while a marker has a value; few guesses come first."""
    found, wanted = markers(part), owed(part)
    asked = [array for array in optional(part) if array.name in wanted]
    live = alive(part, frozenset((*found, *(array.name for array in asked))))
    made: list[list[Candidate]] = []
    ways = ways_of(part)
    for name in sorted(found):
        values = possible(part, name, ways)
        made.append([
            Candidate(
                f"`{array.name}` is not empty while `{name}` is {value}",
                core.Binary("or", core.Binary("!=", core.Load(name), core.Const(value)),
                            has(array)), node.id)
            for node in part.nodes
            if name in live[node.id] and len(values[node.id]) > 1
            for value in sorted(values[node.id])
            for array in asked
            if array.name in live[node.id]
        ])
    return [one for part in sorted(made, key=len) for one in part]


def owed(part: Machine) -> frozenset[str]:
    """Name the arrays that are read where an obligation can fail."""
    arrays = {array.name: array for array in part.arrays}
    return frozenset(
        name for node in part.nodes for edge in node.edges
        if footprint(edge.body, arrays).notes
        for one in edge.conditions for name in arrays_read(one.test))


def markers(part: Machine) -> dict[str, set[int]]:
    """Find the variables that are only ever set to constants, with these."""
    found = {a.name: set(a.start) for a in part.arrays if not a.dims and not a.declared}
    for node in part.nodes:
        for edge in node.edges:
            for stmt in statements(edge.body):
                match stmt:
                    case core.Store(name, _, core.Const(value)) if name in found:
                        found[name].add(value)
                    case core.Store(name) | core.Fill(name):
                        found.pop(name, None)
                    case _:
                        pass
    return {name: values for name, values in found.items() if 1 < len(values) <= WIDEST}


def possible(
    part: Machine, name: str, ways: Mapping[int, Mapping[str, Passing]]
) -> dict[int, set[int]]:
    """Find for each node which of its constants a marker may hold there; `ways` are `ways_of`."""
    start = next(array.start[0] for array in part.arrays if array.name == name)
    found: dict[int, set[int]] = {node.id: set() for node in part.nodes}
    found[part.start] = {start}
    edges = {node.id: node.edges for node in part.nodes}
    todo = [part.start]
    while todo:
        here = todo.pop()
        for edge in edges[here]:
            asked, stored, certain = ways[edge.id].get(name, UNTOUCHED)
            before = found[here] if asked is None else found[here] & {asked}
            after = set() if not before else stored | (set() if certain else before)
            if not after <= found[edge.target]:
                found[edge.target] |= after
                todo.append(edge.target)
    return found


def ways_of(part: Machine) -> dict[int, dict[str, Passing]]:
    """Find for each edge what it does with variables that it compares with constants, or sets."""
    return {edge.id: passing(edge) for node in part.nodes for edge in node.edges}


def passing(edge: Edge) -> dict[str, Passing]:
    """Return what an edge asks of variables, what it sets them to, and whether it surely does."""
    found: dict[str, Passing] = {}
    for one in edge.conditions:
        match one.test:
            case core.Binary("==", core.Load(read), core.Const(value)):
                found[read] = Passing(value)
            case _:
                pass
    always = {id(one) for one in edge.body}
    for stmt in statements(edge.body):
        match stmt:
            case core.Store(written, _, core.Const(value)):
                asked, stored, certain = found.get(written, UNTOUCHED)
                sure = id(stmt) in always
                found[written] = Passing(
                    asked, frozenset({value}) if sure else stored | {value}, certain or sure)
            case _:
                pass
    return found


def alive(part: Machine, names: frozenset[str]) -> dict[int, frozenset[str]]:
    """Find for each node the variables that may be read before they are set again."""
    live: dict[int, frozenset[str]] = {node.id: frozenset() for node in part.nodes}
    changed = True
    while changed:
        changed = False
        for node in reversed(part.nodes):
            here = live[node.id]
            for edge in node.edges:
                exposed = {n for one in edge.conditions for n in arrays_read(one.test)}
                written: set[str] = set()
                for stmt in edge.body:
                    exposed |= reads((stmt,)) - written
                    if isinstance(stmt, core.Store) and not stmt.index:
                        written.add(stmt.array)
                here |= (exposed | (live[edge.target] - written)) & names
            if here != live[node.id]:
                live[node.id], changed = here, True
    return live


# --------------------------------------------------------------------------- tests


def tested(part: Machine) -> Iterator[Candidate]:
    """Guess that variables have values unless an obligation has just failed on some test."""
    arrays = {array.name: array for array in part.arrays}
    targets = {node.id: [edge.target for edge in node.edges] for node in part.nodes}
    empty = {array.name for array in optional(part)}
    for node in part.nodes:
        for edge in node.edges:
            if not footprint(edge.body, arrays).notes:
                continue
            params = {param.name for param in edge.params}
            tests = [
                one.test for one in edge.conditions
                if arrays_read(one.test) - empty and not params & names_of(one.test)
            ]
            front, seen = {edge.target}, {edge.target}
            for _ in range(FAR if tests else 0):
                front = {after for at in front for after in targets[at]} - seen
                seen |= front
            for at in sorted(seen) if tests else ():
                for test in tests:
                    for array in optional(part):
                        yield Candidate(
                            f"`{array.name}` is not empty, or an obligation has failed",
                            core.Binary("or", has(array), test), at)

