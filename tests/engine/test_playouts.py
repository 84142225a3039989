"""Random plays: the same in compiled code and in Python, play by play, and fairly drawn."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.drivers.draws import Draws
from ruleproof.checker.engine.program import Program
from ruleproof.checker.search.playouts import Plays, Sample, again, plays_for, sample
from ruleproof.model.game.game import Settings
from ruleproof.model.machine.core import Const
from ruleproof.model.machine.machine import Machine
from ruleproof.model.run.interp import EndlessRules, Interpreter
from ruleproof.tests.support.machines import Builder, all_machines, ints, param, store
from ruleproof.tests.support.programs import random_machine

MACHINES = all_machines()


def drawn(machine: Machine, *, plays: int, native: bool, longest: int = 30) -> Sample:
    """Play at random."""
    return sample(Program(machine, native=native), plays=Plays(plays, longest), seed=5)


@pytest.mark.parametrize("name", MACHINES)
def test_compiled_plays_are_the_same(name: str) -> None:
    """Counts, flags and first plays do not depend on what plays."""
    assert drawn(MACHINES[name], plays=60, native=True) == drawn(
        MACHINES[name], plays=60, native=False)


@given(st.integers(0, 2**32))
def test_random_machines_are_played_the_same(seed: int) -> None:
    """Nor do they on random machines, with limits, chance, dead ends and endless rules."""
    machine = random_machine(Random(seed))  # noqa: S311  (no secrets here)
    try:
        Interpreter(machine).start()
    except EndlessRules:
        return
    assert drawn(machine, plays=8, native=True) == drawn(machine, plays=8, native=False)


@pytest.mark.parametrize("name", MACHINES)
def test_a_play_can_be_played_again(name: str) -> None:
    """The moves of a play by its number are legal one after the other, and always the same."""
    machine = MACHINES[name]
    program, game = Program(machine), Interpreter(machine)
    plays = Plays(4, 20)
    for number in range(plays.many):
        moves = again(program, plays=plays, seed=5, number=number)
        state = game.start().state
        for move in moves[:-1]:
            state = game.step(state, move).state

        assert moves == again(
            Program(machine, native=False), plays=plays, seed=5, number=number)
        assert moves
        assert moves[-1] in game.moves(state)


def test_numbers_are_those_of_splitmix() -> None:
    """The first numbers from a known place are those that its authors' code gives."""
    draws = Draws(0, 0)
    draws.state = 1234567

    assert [draws._next() for _ in range(3)] == [
        6457827717110365317, 3203168211198807973, 9817491932198370423]


@pytest.mark.parametrize("many", [2, 3, 7, 100, 1 << 40])
def test_draws_are_fair(many: int) -> None:
    """Each fifth of a range is hit about equally often."""
    draws = Draws(1, many)
    hits = [0] * 5
    for _ in range(5000):
        number = draws.randrange(many)

        assert 0 <= number < many
        hits[number * 5 // many] += 1
    expected = [sum(1 for i in range(many) if i * 5 // many == fifth) / many
                for fifth in range(5)] if many <= 100 else [0.2] * 5
    assert all(abs(hit / 5000 - share) < 0.03 for hit, share in zip(hits, expected, strict=True))


def test_chance_follows_its_weights() -> None:
    """Of three outcomes with weights 1, 2, 5 each comes up as often as its weight says."""
    game = Builder("weights")
    game.array("n", high=3)
    game.node("luck", "chance")
    for value, node in enumerate(("one", "two", "five"), 1):
        game.node(node, "open")
        game.edge("luck", node, weight=Const({1: 1, 2: 2, 3: 5}[value]), do=[store("n", value)])
    program = Program(game.machine())
    plays = Plays(800, 1)
    moves = [again(program, plays=plays, seed=1, number=number)[0].edge
             for number in range(plays.many)]

    assert [round(moves.count(edge) / 100) for edge in (0, 1, 2)] == [1, 2, 5]


def test_plays_are_told_of_on_the_way() -> None:
    """The callback hears how many plays are done, and at last of all of them."""
    told: list[int] = []
    game = Builder("choice")
    game.array("n", high=3)
    game.node("turn", "open")
    game.edge("turn", "turn", params=[param("k", ints(0, 3))], do=[store("n", 1)])
    made = sample(Program(game.machine()), plays=Plays(600, 3), seed=1, progress=told.append)

    assert told == sorted(told)
    assert told[-1] == made.plays == 600
    assert made.moves == 1800

LONG = """
game: long
title: A game of {n} moves
players: {{count: 1}}
state: {{n: {{type: int 0..9999}}}}
actions: {{add: {{do: n += 1, when: n < {n}}}, stop: {{do: end_game(), when: n == {n}}}}}
clauses: [{{id: note, kind: define, says: it is long}}]
"""


@pytest.mark.parametrize(("moves", "plays"), [
    (300, Plays(2_000, 400)), (900, Plays(2_000, 1_600)), (3_000, Plays(1_000, 3_200)),
    (9_000, Plays(2_000, 400))])
def test_plays_are_as_long_as_the_game(tmp_path: Path, moves: int, plays: Plays) -> None:
    """Random plays go on to the end of the game, and are fewer if that is far; or not so far."""
    (tmp_path / "game.yaml").write_text(LONG.format(n=moves), "utf-8")

    assert plays_for(Workbench(str(tmp_path), Settings()).instance("printed").program,
                     seed=0) == plays
