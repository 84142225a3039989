"""Of orders after which the same players win it is told what else differs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.reports.blocks.page import page_of
from ruleproof.reports.blocks.subject import Subject

if TYPE_CHECKING:
    from pathlib import Path

    from ruleproof.checker.findings.results import Finding

BREATH = """
game: breath
title: Breath
players: {count: 2, called: Warden}
state:
  active: {type: player, start: 1}
  rage: {type: int 0..3, start: 3}
  bonus: {type: int 0..2, start: 2}
  hurt: {type: int 0..4, per: player}
steps: {game: {}, breath: {}}
start: game
clauses:
- {id: order, kind: order, says: "the dragon breathes, and the least hurt win", on: game,
   do: "breath()\\nGONEwin(argmin(hurt[p] for p in players))"}
- {id: fire, kind: effect, says: all are hurt, on: breath,
   do: "for p in simultaneously(players):\\n  hurt[p] += max(0, rage - bonus)"}
- {id: less, kind: effect, says: the bonus ends, on: breath, do: bonus = 0}
"""
GONE = "for p in simultaneously(players):\\n  hurt[p] = 0\\n"
CASTING = """
game: casting
title: Casting
players: {count: 2, called: Warden}
state:
  active: {type: player, start: 1}
  rage: {type: int 0..4, start: 1}
  hurt: {type: int 0..4, per: player}
steps: {game: {}}
windows: {casting: {who: players, each: once, done: cast nothing}}
start: game
clauses:
- {id: order, kind: order, says: "all may cast, and the least hurt win", on: game,
   do: "casting()\\nfor p in clockwise(active):\\n  hurt[p] = rage\\n\
win(argmin(hurt[p] for p in players))"}
- {id: cast, kind: permit, says: "Warden 1 lets rage rise, another one calms it", on: casting,
   option: cast, do: "if actor == active:\\n  rage += 2\\nelse:\\n  rage = 0"}
"""


def checked(folder: Path, game: str) -> dict[str, Finding]:
    """Verify a game; return the findings about open points by their names."""
    (folder / "game.yaml").write_text(game, "utf-8")
    report = verify(str(folder), Settings())
    return {each.open_point: each for each in report.everything if each.open_point}


@pytest.mark.parametrize("gone", ["", GONE])
def test_of_orders_after_which_the_same_win_it_is_told_what_differs(
    tmp_path: Path, gone: str
) -> None:
    """Each order comes to one result: both are told by what else they leave, then or before."""
    found = checked(tmp_path, BREATH.replace("GONE", gone))
    finding = found["order/fire/less"]
    over = "the game is over: Warden 1 and Warden 2 win"
    left = [f"hurt of Warden 1: {n}; hurt of Warden 2: {n}" for n in (1, 3)]

    assert [one.outcome for one in finding.readings] == [
        f"{each}; then {over}" if gone else f"{over}; {each}" for each in left]


def test_what_cannot_come_out_with_the_same_winners_is_told_beside_what_can(
    tmp_path: Path
) -> None:
    """Of several results of an order one with the same winners stands beside the one it lacks."""
    found = checked(tmp_path, CASTING)
    mine, other = (one.outcome for one in found["order/casting"].readings)

    assert mine == ("the game is over: Warden 1 and Warden 2 win; rage: 2; hurt of Warden 1: 2; "
                    "hurt of Warden 2: 2")
    assert other.startswith("this result cannot be reached, but another one with the same "
                            "winners: rage: 0; ")


def test_a_finding_of_a_window_without_a_clause_quotes_what_opens_it(tmp_path: Path) -> None:
    """The book speaks of it there, and no clause is about the window itself."""
    finding = checked(tmp_path, CASTING)["order/casting"]
    subject = Subject(compile_game(load_game(str(tmp_path))))

    assert not finding.clauses
    assert [one.ours for one in page_of(finding, subject).passages] == [
        "all may cast, and the least hurt win"]
