"""Plays that show something in games too large to be explored: each shows it, move by move."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleproof.checker.engine.program import Program
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.search.lifting import Showings, shortened, showings
from ruleproof.checker.search.playouts import Plays, again, sample
from ruleproof.model.machine.machine import Machine
from ruleproof.model.machine.state import Move
from ruleproof.model.run.interp import EndlessRules, Interpreter
from ruleproof.tests.support.drawn import many
from ruleproof.tests.support.machines import all_machines
from ruleproof.tests.support.programs import random_machine

MACHINES = all_machines()


def shown(machine: Machine) -> Showings:
    """Look for everything, with few random plays."""
    program = Program(machine)
    plays = Plays(20, 400)
    return showings(program, sample(program, plays=plays, seed=5), plays=plays, seed=5)


def holds(machine: Machine, found: Showings) -> None:
    """Play everything with the reference interpreter."""
    judge = Interpreter(machine)

    def last(play: tuple[Move, ...]) -> tuple[tuple[int, ...], tuple[int, ...], int | None]:
        """Return what the last move notes, what it breaks, and its edge if it never rests."""
        step = judge.start()
        for move in play:
            assert move in judge.moves(step.state)
            try:
                step = judge.step(step.state, move)
            except EndlessRules as error:
                assert move == play[-1]
                return error.notes, (), move.edge
        return step.notes, step.broken, None

    for duty, play in found.notes.items():
        assert duty in last(play)[0]
    for limit, play in found.broken.items():
        assert limit in last(play)[1]
    for edge, play in found.endless.items():
        assert last(play)[2] == edge
    for node, play in found.stuck.items():
        step = judge.start()
        for move in play:
            step = judge.step(step.state, move)
        assert step.state.node == node
        assert not judge.moves(step.state)


@pytest.mark.parametrize("name", MACHINES)
def test_every_play_shows_it(name: str) -> None:
    """Each play is legal, and its last move shows what it is there for."""
    holds(MACHINES[name], shown(MACHINES[name]))


@many(0.4)
@given(st.integers(0, 2**32))
def test_random_machines_are_shown_in_full(seed: int) -> None:
    """What a complete exploration meets is shown, by plays that are as short where it is near."""
    machine = random_machine(Random(seed))  # noqa: S311  (no secrets here)
    try:
        Interpreter(machine).start()
    except EndlessRules:
        return
    found, run = shown(machine), Exploration(Program(machine))
    result = run.run(max_states=5_000)
    holds(machine, found)

    assert not result.complete or found.notes.keys() == result.notes.keys()
    for duty, witness in result.notes.items():
        assert len(found.notes[duty]) <= len(run.play(witness))


@pytest.mark.parametrize("name", MACHINES)
def test_an_exploration_may_begin_later(name: str) -> None:
    """It finds the same states, each with a legal play to it from the setup."""
    program = Program(MACHINES[name])
    plays = tuple(again(program, plays=Plays(3, 400), seed=5, number=n)[:-1][:6]
                  for n in range(3))
    late, near = Exploration(program, after=plays), Exploration(program)
    some = late.run(max_states=2_000)
    judge = Interpreter(MACHINES[name])
    for number in range(0, len(late.order), 97):
        step = judge.start()
        for move in late.path(number):
            assert move in judge.moves(step.state)
            step = judge.step(step.state, move)

        assert program.pack(step.state) == late.order[number]
    assert not some.complete or near.run().states == some.states


def test_needless_moves_are_left_out() -> None:
    """Of a play that goes to and fro, what is left leads to the same by the shortest way."""
    program = Program(MACHINES["jugs"])
    run = Exploration(program)
    run.run()
    far = len(run.order) - 1
    wanted = run.order[far]
    there = run.path(far)
    first = next(row for row in program.succ(program.start()[0]) if row[2] is not None)
    assert first[2] is not None
    back = next((row for row in program.succ(first[2]) if row[2] == program.start()[0]), None)
    assert back is not None
    long = (Move(first[0], first[1]), Move(back[0], back[1])) * 5 + there

    short = shortened(program, long, lambda row: row[2] == wanted)

    assert len(short) == len(there)
