"""Loops, records and locals of a body mean what plain Python makes of them, in every engine."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from ruleproof.checker.engine.program import Program
from ruleproof.checker.search.explore import Exploration
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.model.machine.state import State
from ruleproof.model.run.interp import Interpreter
from ruleproof.model.run.shape import shape_of
from ruleproof.model.solver.symbolic import SymbolicMachine
from ruleproof.model.source.errors import SpecErrors
from ruleproof.tests.games.test_laws import one_edge
from ruleproof.tests.support.agreement import compare
from ruleproof.tests.support.bodies import CAPACITY, HEAD, SEATS, Abandoned, World, body
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.walks import states_of

TWICE = """
steps: {game: {}, turn: {}}
start: game
clauses:
- {id: g, kind: effect, says: it is done twice, on: game, do: "turn()\\nturn()"}
- id: b
  kind: effect
  says: it is done
  on: turn
  do: |
"""
AGAIN = """
mover: active
actions:
  go:
    do: |
"""


def compiled(text: str, folder: Path) -> Compiled:
    """Compile a game that is given as text."""
    (folder / "game.yaml").write_text(text, "utf-8")
    return compile_game(load_game(str(folder)))


def written(head: str, seed: int, *, asks: bool = False) -> str:
    """Write a game that runs a random body."""
    lines, _ = body(seed, asks=asks)
    return HEAD + head + "".join(f"      {line}\n" for line in lines)


def values(game: Compiled, state: State) -> tuple[int, int, list[int], list[list[int]]]:
    """Return the total, whose turn it is, what the players have, and their records."""
    at = shape_of(game.machine).offsets
    sizes = state.values[at["army.size"] : at["army.size"] + SEATS]
    rows = [at["army.d"] + seat * CAPACITY for seat in range(SEATS)]
    return (state.values[at["tot"]], state.values[at["active"]],
            [*state.values[at["l"] : at["l"] + SEATS]],
            [[*state.values[row : row + size]] for row, size in zip(rows, sizes, strict=True)])


@pytest.mark.parametrize("asks", [False, True], ids=["straight", "asking"])
@pytest.mark.parametrize("seed", one_in(4, range(80)))
def test_a_body_does_what_python_does(seed: int, tmp_path: Path, *, asks: bool) -> None:
    """Run twice, it ends as the oracle says, and is abandoned exactly where that is."""
    game = compiled(written(TWICE, seed, asks=asks), tmp_path)
    interp, random = Interpreter(game.machine), Random(seed)  # noqa: S311
    step = interp.start()
    answers: list[int] = []
    notes = [*step.notes]
    while moves := interp.moves(step.state):
        move = random.choice(moves)
        step = interp.step(step.state, move)
        answers += (arg for arg in move.args if isinstance(arg, int))
        notes += step.notes
    world, abandoned = World(iter(answers)), 0
    _, run = body(seed, asks=asks)
    for _ in range(2):
        try:
            run(world)
        except Abandoned:
            abandoned += 1

    assert values(game, step.state) == (
        world.tot, world.active, world.l, [[dog.d for dog in army] for army in world.armies])
    assert len(notes) == abandoned


@pytest.mark.parametrize("seed", range(0, 80, 4))
def test_generated_code_agrees(seed: int, tmp_path: Path) -> None:
    """So does what is generated from the body."""
    compare(compiled(written(TWICE, seed, asks=True), tmp_path).machine, most=40)


@pytest.mark.parametrize("seed", range(0, 80, 16))
def test_the_solver_agrees(seed: int, tmp_path: Path) -> None:
    """So does Z3."""
    game = compiled(written(TWICE, seed, asks=True), tmp_path)
    interp, symbolic = Interpreter(game.machine), SymbolicMachine(game.machine)
    for state in states_of(interp, most=6):
        for move in interp.moves(state)[:2]:
            assert symbolic.check_step(state, move) == one_edge(interp, state, move)


@pytest.mark.parametrize("seed", range(80))
def test_a_body_that_asks_nobody_leaves_nothing_behind(seed: int, tmp_path: Path) -> None:
    """No local of it is part of any state."""
    machine = compiled(written(AGAIN, seed), tmp_path).machine

    assert all(array.declared or array.scratch for array in machine.arrays)


@pytest.mark.parametrize("seed", range(0, 80, 5))
def test_states_between_bodies_are_what_the_spec_declares(seed: int, tmp_path: Path) -> None:
    """Where no body runs, all locals have their first values, so none of them splits a state."""
    machine = compiled(written(AGAIN, seed, asks=True), tmp_path).machine
    program = Program(machine)
    run = Exploration(program)
    run.run(max_states=300)
    rest = next(n.id for n in machine.nodes if n.kind == "decide" and n.step == "actions")
    for packed in run.order:
        state = program.unpack(packed)
        if state.node == rest:
            for array in machine.arrays:
                first = shape_of(machine).offsets[array.name]
                if not array.declared:
                    assert state.values[first : first + array.size] == array.start, array.name


SMALL = """
game: small
title: One body
players: {count: 3}
state:
  tot: {type: int 0..99}
  l: {type: int 0..12, per: player, start: 2}
  a: {type: bool}
  active: {type: player, start: 1}
pools: {army: {capacity: 4, fields: {d: int 0..9}}}
steps: {game: {}}
start: game
clauses:
- {id: more, kind: define, says: a term, define: more, params: {n: int 0..40}, value: "n + sum(l[p] for p in players)"}
- id: go
  kind: effect
  says: it happens
  on: game
  do: |
"""  # noqa: E501
FOUR = "new(army, d=1)\nnew(army, d=2)\nnew(army, d=3)\nnew(army, d=4)\n"
TWO = "a1 = new(army, d=1)\nb = new(army, d=2)\n"


def ended(text: str, folder: Path) -> tuple[int, list[int], list[int], int]:
    """Run a body; give the total, what the players have, the records, and how often it failed."""
    lines = "".join(f"    {line}\n" for line in text.splitlines())
    game = compiled(SMALL + lines, folder)
    step = Interpreter(game.machine).start()
    at, values = shape_of(game.machine).offsets, step.state.values
    size = values[at["army.size"]]
    return (values[at["tot"]], [*values[at["l"] : at["l"] + 3]],
            [*values[at["army.d"] : at["army.d"] + size]], len(step.notes))


@pytest.mark.parametrize(("text", "end"), [
    (FOUR + "for r in army:\n  tot += r.d\n  if r.d == 1 or r.d == 2:\n    remove(r)\n"
     "for r in army:\n  tot += 10", (30, [2, 2, 2], [3, 4], 0)),
    (FOUR + "for r in army:\n  tot += 1\n  for q in army:\n    if q.d > 2:\n      remove(q)",
     (2, [2, 2, 2], [1, 2], 0)),
    ("new(army, d=1)\nfor r in army:\n  tot += 1\n  new(army, d=2)", (1, [2, 2, 2], [1, 2], 0)),
    (TWO + "remove(a1)\ntot += b.d\nb.d = 5\nremove(a1)\ntot = 9", (2, [2, 2, 2], [5], 1)),
    (TWO + "remove(a1)\nif a1 == none and b != none:\n  tot = 7", (7, [2, 2, 2], [2], 0)),
    (TWO + "if a1 != b:\n  tot = 7", (7, [2, 2, 2], [1, 2], 0)),
    ("for p in simultaneously(argmin(l[q] for q in players)):\n  l[p] -= 1",
     (0, [1, 1, 1], [], 0)),
    ("for p in clockwise(active, {q for q in players if l[q] == l[active]}):\n  l[p] -= 1",
     (0, [1, 1, 1], [], 0)),
    ("n = 2\nfor i in range(0, n):\n  n = n + 1\n  tot += 1", (2, [2, 2, 2], [], 0)),
    ("if a:\n  n = 3\ntot = n", (0, [2, 2, 2], [], 1)),
    ("if a:\n  n = 3\nelse:\n  n = 4\ntot = n", (4, [2, 2, 2], [], 0)),
    ("for i in range(0, 2):\n  if i == 0:\n    n = 5\n  tot += n", (5, [2, 2, 2], [], 1)),
    ("if a:\n  n = 3\nfor i in range(0, 2):\n  n = i\ntot = n + 1", (2, [2, 2, 2], [], 0)),
    # A term is unfolded once for the same arguments, also inside itself and inside a fold.
    ("tot = more(1) + more(1) * 2 + more(more(1)) + sum(more(1) + more(l[q]) for q in players)",
     (79, [2, 2, 2], [], 0)),
    ("x = more(1)\nl[active] = 4\ntot = x + more(1)", (16, [4, 2, 2], [], 0)),
    # A name that only ever holds numbers below zero is forgotten like another one.
    ("x = l[active] - 20\ntot = x + 30", (12, [2, 2, 2], [], 0)),
])
def test_what_a_body_comes_to(
    text: str, end: tuple[int, list[int], list[int], int], tmp_path: Path
) -> None:
    """Loops visit what was there, names keep their records, and what is used was set."""
    assert ended(text, tmp_path) == end


def test_a_name_is_one_kind_of_thing(tmp_path: Path) -> None:
    """A name that is a number after one branch and a player after the other is refused."""
    with pytest.raises(SpecErrors) as found:
        ended("if a:\n  n = 3\nelse:\n  n = active\ntot = 1", tmp_path)

    assert {each.code for each in found.value.diagnostics} == {"RP210"}


def test_no_flag_for_what_is_set_for_certain(tmp_path: Path) -> None:
    """A name that every way sets needs no obligation and no further number."""
    lines = "if a:\n  n = 3\nelse:\n  n = 4\ntot = n"
    text = SMALL + "".join(f"    {line}\n" for line in lines.splitlines())
    machine = compiled(text, tmp_path).machine

    assert not any("never set" in duty.prompt for duty in machine.obligations)
    assert not any("is set" in array.name for array in machine.arrays)
