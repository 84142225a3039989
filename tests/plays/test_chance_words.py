"""What chance has done is told in words, and not by the name of a variable."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.model.game.game import Settings
from ruleproof.model.plays.moves import describe_move


@pytest.mark.parametrize(("name", "told"), [("n", "1 comes up"), ("die", "die: 1")])
def test_a_roll_is_told(name: str, told: str, tmp_path: Path) -> None:
    """A name of one letter says nothing to a reader; another one stands before what came up."""
    (tmp_path / "game.yaml").write_text(json.dumps({
        "game": "rolling", "title": "Rolling", "players": {"count": 1},
        "state": {"seen": {"type": "int 0..9"}},
        "steps": {"game": {}}, "start": "game",
        "clauses": [{"id": "run", "kind": "order", "says": "a die is rolled", "on": "game",
                     "do": f"{name} = roll(6)\nseen = {name}\nend_game()\n"}]}), "utf-8")
    game = Workbench(str(tmp_path), Settings()).instance("printed")
    state = game.interpreter.start().state

    assert describe_move(game.compiled.machine, state, game.interpreter.moves(state)[0]) == told
