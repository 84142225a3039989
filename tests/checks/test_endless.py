"""Rules that never come to a rest are found; a move to them is a move."""

from pathlib import Path

from ruleproof.checker.positions.positions import positions
from ruleproof.checker.positions.replays import check_position
from ruleproof.checker.verify import verify
from ruleproof.cli.app import run
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.tests.support.little import write

SETUP = """
game: setup
players: {count: 1}
state: {n: {type: int 0..3}}
steps: {game: {}}
start: game
clauses:
- {id: go, kind: setup, says: round and round, on: game, do: "while True:\\n  n = 1 - n"}
"""
MOVE = """
game: move
players: {count: 1}
state: {n: {type: int 0..3}, active: {type: player, start: 1}}
steps: {game: {}}
windows: {choice: {by: active, done: stop}}
start: game
clauses:
- {id: go, kind: order, says: a choice, on: game, do: choice()}
- {id: turn, kind: permit, says: one may turn for ever, on: choice, option: turn, do: "while True:\\n  n = 1 - n"}
open_points:
- id: point
  clauses: [turn]
  asks: may one turn
  readings:
  - {id: may, title: one may, changes: {}}
  - {id: not, title: one may not, drop: [turn]}
"""  # noqa: E501
CHANCE = """
game: chance
players: {count: 1}
state: {n: {type: int 0..3}, active: {type: player, start: 1}}
steps: {game: {}}
windows: {choice: {by: active, done: stop}}
start: game
clauses:
- {id: go, kind: order, says: a choice, on: game, do: choice()}
- {id: roll, kind: permit, says: one may roll, on: choice, option: roll, do: "x = roll(2)\\nwhile x > 0:\\n  n = 1 - n"}
"""  # noqa: E501


def test_a_setup_without_a_rest_is_a_finding(tmp_path: Path) -> None:
    """A setup that goes round for ever is reported with its clause."""
    report = verify(str(write(tmp_path, SETUP)), Settings())

    assert [(f.cls, f.clauses) for f in report.everything] == [("endless-loop", ("go",))]
    assert not any("internal" in one.why for one in report.not_checked)
    assert run(["verify", str(tmp_path), "-q", "-o", str(tmp_path / "report")]) == 1


def test_a_move_without_a_rest_is_a_move(tmp_path: Path) -> None:
    """A clause that allows a move after which nothing comes to a rest does something."""
    report = verify(str(write(tmp_path, MOVE)), Settings())

    assert not [f.id for f in report.everything if f.cls == "inert-clause"]
    assert [f.open_point for f in report.everything if f.cls == "ambiguity"] == ["point"]


def test_positions_end_before_what_never_rests(tmp_path: Path) -> None:
    """Where chance leads to rules that never rest, positions are written, and replay."""
    folder = str(write(tmp_path, CHANCE))

    def load(settings: Settings) -> Compiled:
        return compile_game(load_game(folder, settings))

    found = positions(folder, Settings())

    assert found.documents
    assert not any(check_position(document, load) for document in found.documents)


def test_positions_of_a_setup_without_a_rest(tmp_path: Path) -> None:
    """A game that never begins has no positions, and it is said why."""
    found = positions(str(write(tmp_path, SETUP)), Settings())

    assert not found.documents
    assert "never come to a rest" in found.not_done[0]
