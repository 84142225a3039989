"""Twin plays that leave somebody without a move: told as such, and not as games without an end."""

from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench, side_by_side
from ruleproof.checker.comparison.lockstep import InPython, SideBySide
from ruleproof.checker.engine.pairs import LockStep
from ruleproof.checker.findings.evidence import often_of
from ruleproof.checker.findings.shares import STUCK, UNENDED
from ruleproof.checker.search.playouts import Plays
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.reports.blocks.measures import how_often
from ruleproof.tests.support.little import write

BELLS = """
game: bells
title: Two bells
players: {count: 2}
state:
  active: {type: player, start: 1}
  bells: {type: int 0..3, per: player}
  score: {type: int 0..9, per: player}
steps: {game: {}, turn: {}}
windows: {rites: {by: active, repeat: true, done: rest}}
start: game
clauses:
- id: begins
  kind: setup
  says: a die says how many bells each has
  on: game
  do: |
    n = roll(3)
    for p in players:
      bells[p] = n
- id: order
  kind: order
  says: each has one turn
  on: game
  after: [begins]
  do: |
    for p in clockwise(active):
      active = p
      turn()
    win(argmax(score[p] for p in players))
- {id: rites, kind: effect, says: one rings, on: turn, do: rites()}
- id: ring
  kind: permit
  says: a bell is rung
  on: rites
  option: ring
  when: bells[actor] > 0
  do: |
    bells[actor] -= 1
    score[actor] += 1
- {id: silence, kind: forbid, says: nobody rests who holds two, on: rites.rest, when: "bells[actor] > 1"}
open_points:
- id: often
  clauses: [ring]
  asks: how often may one ring
  readings:
  - {id: all, title: as often as one likes, changes: {}}
  - {id: one, title: once, changes: {ring: {when: "bells[actor] > 0 and score[actor] < 1"}}}
"""  # noqa: E501
"""Under the second answer one with three bells is left without a move: in every third game."""


def bench(folder: Path) -> Workbench:
    """Return the game, with both answers as configurations of one code."""
    made = Workbench(str(write(folder, BELLS)), Settings())
    made.relate([{"often": "one"}])
    return made


@pytest.mark.parametrize(("adopted", "other"), [("all", "one"), ("one", "all"), ("one", "one")])
def test_stuck_twins_are_the_same_however_they_are_played(
    adopted: str, other: str, tmp_path: Path
) -> None:
    """In Python, in compiled code, and where what the first comes to is known from before."""
    made = bench(tmp_path)
    first, second = side_by_side(*(made.instance("printed", rulings={"often": each})
                                   for each in (adopted, other)))
    found = []
    for _ in range(3):
        side = SideBySide(first, second)
        side.start()
        assert isinstance(side.pairs, LockStep)
        assert side.pairs.one_code
        found.append(side.pairs.twins(seed=1, plays=150, longest=30))

    assert InPython(side).twins(seed=1, plays=150, longest=30) == found[0]
    assert found[0] == found[1] == found[2]
    assert (found[0].stuck.won > 0) == (adopted == "one")
    assert (found[0].stuck.gained > 0) == (adopted == "all")
    assert found[0].given_up == (0, 0, 0)
    assert found[0].unended == found[0].stuck


@pytest.mark.parametrize("longest", [5, 400])
def test_a_dead_end_is_no_game_without_an_end(longest: int, tmp_path: Path) -> None:
    """What leaves somebody without a move is told as that; what is given up, as not ended."""
    made = bench(tmp_path)
    two = (made.instance("printed"), made.instance("printed", rulings={"often": "one"}))
    often = often_of(two, ("all", "one"), Plays(600, longest), seed=0)
    stuck = often.stuck
    (unended,) = [one for one in often.wins if one.seat == UNENDED]

    assert stuck is not None
    assert stuck.seat == STUCK
    assert stuck.adopted == 0 < stuck.other == stuck.gained
    assert stuck.apart
    assert stuck in often.told
    assert often.ending is not None
    assert often.ending <= often.plays - stuck.other
    assert (unended.adopted > 0) == (longest == 5)
    assert longest == 5 or often.ending == often.plays - stuck.other


def test_a_report_says_that_somebody_is_left_without_a_move(tmp_path: Path) -> None:
    """And not that these games had not ended; what nobody is stuck in has no such row."""
    report = verify(str(write(tmp_path, BELLS)), Settings(), only=("ambiguity",))
    (finding,) = [one for one in report.everything if one.open_point == "often"]
    text = " ".join(how_often(finding))

    assert "more of the games leave somebody without a move" in text
    assert "had not ended" not in text
