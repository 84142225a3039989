"""A slice of a machine can do all that the machine can do, and notes all that it notes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from ruleproof.model.machine.machine import Edge, Machine
from ruleproof.model.machine.state import State
from ruleproof.model.proof.random_walks import Walker
from ruleproof.model.proof.slices import counts, scalars, seen_in, view_of
from ruleproof.model.run.evaluate import OutOfRangeError, execute
from ruleproof.model.run.shape import Execution, shape_of
from ruleproof.model.solver import terms
from ruleproof.model.solver.solving import answered
from ruleproof.model.solver.symbolic import SymbolicMachine
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.games import compiled
from ruleproof.tests.support.machines import all_machines
from ruleproof.tests.support.places import TESTS

SPECS = TESTS / "specs"
GAMES = {
    "edition-wars/printed": ("edition-wars", "printed"),
    "edition-wars/tiny": ("edition-wars", "tiny"),
    **{one.parent.name: (str(one.parent), "printed") for one in sorted(SPECS.rglob("game.yaml"))},
}


def machine_of(name: str) -> Machine:
    """Compile a game, or take a machine made by hand."""
    if name not in GAMES:
        return all_machines()[name]
    source, scope = GAMES[name]
    return compiled(source, scope).machine


def shown(machine: Machine, part: Machine, values: tuple[int, ...]) -> tuple[int, ...]:
    """Return what a slice of a machine shows of a state."""
    seen: list[int] = []
    shape = shape_of(machine)
    for array in part.arrays:
        whole = shape.arrays.get(array.name)
        source = whole or shape.arrays[array.name.removesuffix(" size")]
        first = shape.offsets[source.name]
        row = values[first : first + source.size]
        kinds = 1 if whole else source.dims[-1]
        seen += [sum(row[at : at + kinds]) for at in range(0, source.size, kinds)]
    return tuple(seen)


def steps(machine: Machine, *, number: int) -> Iterator[tuple[State, Edge, State, list[int]]]:
    """Walk at random, one edge at a time."""
    walk = Walker(machine, seed=5)
    state = walk.start
    for _ in range(number):
        found = walk.move(state)
        if found is None:
            state = walk.start
            continue
        edge, args = found
        run = Execution(list(state.values))
        pairs = zip(edge.params, args, strict=True)
        try:
            execute(walk.judge.shape, run, edge.body, {one.name: arg for one, arg in pairs})
        except OutOfRangeError:
            state = walk.start
            continue
        after = State(edge.target, tuple(run.values))
        yield state, edge, after, run.notes
        state = after


@pytest.mark.parametrize("sizes", [True, False], ids=["sizes", "scalars"])
@pytest.mark.parametrize("name", one_in(
    5, [name for name in (*GAMES, *all_machines()) if name != "edition-wars/tiny"]))
def test_slice_can_do_what_the_machine_does(name: str, *, sizes: bool) -> None:
    """Each step of a walk is one of the slice, between what it shows, with the same notes."""
    whole = machine_of(name)
    part = seen_in(
        view_of(whole, scalars(whole), counts(whole) if sizes else frozenset()), whole)
    symbolic = SymbolicMachine(part)
    solvers: dict[int, Any] = {}  # Z3 has no types
    for state, edge, after, notes in steps(whole, number=50):
        before, then = shown(whole, part, state.values), shown(whole, part, after.values)
        relation = symbolic.edge_relation(symbolic.edges[edge.id])
        if edge.id not in solvers:
            solvers[edge.id] = symbolic.solver()
            solvers[edge.id].add(*symbolic.ranges, *relation.ranges)
        solver = solvers[edge.id]
        tests = [relation.guard]
        tests += [terms.equal(a, b) for a, b in zip(symbolic.state, before, strict=True)]
        tests += [terms.equal(a, b) for a, b in zip(relation.post, then, strict=True)]
        for note in notes:
            tests.append(terms.either(*(t for t, number in relation.notes if number == note)))
        solver.push()
        solver.add(terms.formula(terms.both(*tests), symbolic.context))

        assert answered(solver), (state, edge, after, notes)
        solver.pop()
