"""What an answer comes to is told in the game's words."""

from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.judge.outcomes import ahead
from ruleproof.model.game.game import Settings
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
