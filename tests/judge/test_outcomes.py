"""What an answer comes to is told in the game's words."""

from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.judge.outcomes import ahead, changed
from ruleproof.model.game.game import Settings
from ruleproof.model.machine.state import State
from ruleproof.model.plays.board import values_by_name
from ruleproof.tests.support.kennel import KENNEL
from ruleproof.tests.support.little import write

ALL = """
game: all
title: All of them
players: {count: 3}
state: {active: {type: player, start: 1}}
steps: {game: {}}
windows: {some: {who: WHO, order: unstated, each: once, done: rest}}
start: game
clauses:
- {id: opens, kind: effect, says: somebody may win, on: game, do: "some()"}
- {id: wins, kind: permit, says: one may win, on: some, option: win, do: win(actor)}
"""


@pytest.mark.parametrize(("who", "told"), [
    ("players", "player 1 or player 2 or player 3 is next, and no rule says who"),
    ("others(active)", "player 2 or player 3 is next, and no rule says who")])
def test_who_may_be_next_is_named(who: str, told: str, tmp_path: Path) -> None:
    """Where no rule gives an order, those are named of whom one is next."""
    instance = Workbench(str(write(tmp_path, ALL.replace("WHO", who))), Settings()).instance(
        "printed")

    assert ahead(instance, instance.interpreter.start().state) == told


def test_what_is_left_of_records_that_are_gone_is_not_told(tmp_path: Path) -> None:
    """Of a pool only the records that are there differ, and they are listed as cards."""
    instance = Workbench(str(write(tmp_path, KENNEL)), Settings()).instance("printed")
    machine, state = instance.compiled.machine, instance.interpreter.start().state
    board = values_by_name(machine, state)
    values = list(state.values)
    values[machine.offsets["yard.card"]] = 1
    gone = State(state.node, tuple(values))
    values[machine.offsets["yard.size"]] = 1
    there = State(state.node, tuple(values))

    assert "yard" not in changed(instance, gone, board)
    assert "yard card of Keeper 1: Wolf" in changed(instance, there, board)
