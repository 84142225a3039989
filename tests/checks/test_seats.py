"""Seats that are alike and that are not, and what is told of whom an answer favours."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from ruleproof.checker.findings.evidence import often_of
from ruleproof.checker.findings.shares import NOBODY, UNENDED
from ruleproof.checker.search.playouts import Plays
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.reports.blocks.measures import how_often
from ruleproof.tests.checks.test_twins import both

if TYPE_CHECKING:
    from pathlib import Path

ROUNDS = """
game: rounds
title: Rounds of points
players: {count: 3}
state: {lead: {type: player}, pts: {type: int 0..4, per: player}, n: {type: int 0..3}}
steps: {game: {}, begin: {}}
windows: {act: {who: players, order: clockwise, FROM each: once, done: pass}}
start: game
clauses:
- {id: game, kind: order, says: some rounds, on: game,
   do: "begin()\\nwhile n < ROUNDS:\\n  n += 1\\n  act()\\nwin(argmax(pts[p] for p in players))"}
- {id: begin, kind: setup, says: chance picks a leader, on: begin,
   do: "p = random(players)\\nlead = p"}
- {id: gain, kind: permit, says: gain while nobody has all, on: act, option: gain,
   when: "all(pts[p] < ROUNDS for p in players)", do: "pts[actor] += 1"}
open_points:
- id: stop
  clauses: [gain]
  asks: when does it stop
  readings:
  - {id: all, title: at all, changes: {}}
  - {id: never, title: never, changes: {gain: {when: "n > 0"}}}
"""
"""Each round begins with the same seat, and nothing that is on the table says so."""

POINTS = """
game: points
title: Whoever has two points wins at once
players: {count: 2}
state: {active: {type: player}, pts: {type: int 0..4, per: player}, n: {type: int 0..4}}
steps: {game: {}, setup: {}, turn: {}}
windows: {act: {by: active, forced: true}}
start: game
clauses:
- {id: game, kind: order, says: three turns, on: game,
   do: "setup()\\nwhile n < 3:\\n  n += 1\\n  turn()\\n  active = next_player(active)\\nend_game()"}
- {id: setup, kind: setup, says: chance picks who begins, on: setup,
   do: "s = random(players)\\nactive = s"}
- {id: turn, kind: effect, says: a turn, on: turn, do: act()}
- {id: gain, kind: permit, says: all gain a point, on: act, option: gain,
   do: "for p in players:\\n  pts[p] += 1"}
- {id: rest, kind: permit, says: one rests, on: act, option: rest, do: "pts[actor] += 0"}
- {id: w, kind: outcome, says: whoever has two wins, whenever: "any(pts[p] >= 2 for p in players)",
   do: "win({p for p in players if pts[p] >= 2})", timing: at once}
"""
"""Who gains first wins alone, and only the last moves of a game come to that."""

LOOP = """
game: loop
title: Each takes what is liked
players: {count: 2}
state: {took: {type: int 0..2, per: player}, n: {type: int 0..3}}
steps: {game: {}, round: {}}
start: game
clauses:
- {id: game, kind: order, says: two rounds, on: game,
   do: "while n < 2:\\n  n += 1\\n  round()\\nwin(argmax(took[p] for p in players))"}
- {id: each, kind: effect, says: each may take one, on: round,
   do: "for p in players:\\n  if may(by=p):\\n    took[p] += 1"}
"""


DICE = """
game: dice
title: A number decides
players: {count: 2}
state: {lead: {type: player}, die: {type: int 0..50}}
steps: {game: {}}
start: game
clauses:
- {id: game, kind: order, says: a leader and a number are drawn, on: game,
   do: "p = random(players)\\nlead = p\\nr = roll(50)\\ndie = r"}
- {id: won, kind: outcome, says: a low number wins, on: game, after: [game], do: FIRST}
open_points:
- id: which
  clauses: [won]
  asks: what is low
  readings:
  - {id: one, title: one thing, changes: {}}
  - {id: other, title: another thing, changes: {won: {do: OTHER}}}
"""
HALVES = DICE.replace("p = random(players)\\nlead = p\\n", "").replace(
    "FIRST", '"if die <= 25:\\n  win(lead)\\nelse:\\n  win(next_player(lead))"').replace(
    "OTHER", '"if die >= 25:\\n  win(lead)\\nelse:\\n  win(next_player(lead))"')
"""Nearly all games have another winner, and player 1 wins 1 of 50 games more."""
BOTH = DICE.replace("FIRST", "win(lead)").replace(
    "OTHER", '"if die == 25:\\n  win(players)\\nelse:\\n  win(lead)"')
"""Seats are alike, and each wins 1 of 100 games more, together with the other one."""


def rounds(many: int, begins: str = "") -> str:
    """Write the game of so many rounds."""
    return ROUNDS.replace("ROUNDS", str(many)).replace("FROM", begins)


@pytest.mark.parametrize(("spec", "told"), [
    (rounds(1), True), (rounds(2), True), (rounds(2, "from: lead,"), False)])
def test_who_is_asked_first_tells_seats_apart(
    spec: str, told: bool, tmp_path: Path  # noqa: FBT001
) -> None:
    """Seats of which one is always asked first are told of, though the table does not show it."""
    often = often_of(both(tmp_path, spec, "stop", "never"), ("all", "never"), Plays(500, 30),
                     seed=0)
    seats = ["player 1", "player 2", "player 3"] * told

    assert [each.seat for each in often.wins] == [*seats, NOBODY, UNENDED]


def test_what_comes_late_tells_seats_apart(tmp_path: Path) -> None:
    """Seats are told of that only differ in the last moves of short games."""
    two = both(tmp_path, POINTS, "when-it-ends/w", "after-the-step")
    second = often_of(two, ("at-once", "after-the-step"), Plays(500, 30), seed=0).wins[1]

    assert second.seat == "player 2"
    assert second.more[0] > 0.4


@pytest.mark.parametrize(("spec", "differ", "said"), [
    (rounds(2), True, []),
    (rounds(2, "from: lead,"), False, ["the setup is not compared)"]),
    (LOOP, False, ["the setup is not compared, nor who is asked next where no order is stated)"]),
    (LOOP.replace("in players:", "in simultaneously(players):"), False,
     ["the setup is not compared, nor who is asked next where no order is stated)"]),
])
def test_who_is_asked_next_is_compared(
    spec: str, differ: bool, said: list[str], tmp_path: Path  # noqa: FBT001
) -> None:
    """Where seats differ in who is asked next, they are not alike, or it is said not to count."""
    (tmp_path / "game.yaml").write_text(spec, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("asymmetry",))

    assert [one.cls for one in report.findings] == ["asymmetry"] * differ
    assert [one.what.split("(")[1] for one in report.holds if "seats" in one.what] == said


EVEN = "nder neither answer does a player win measurably more often"


@pytest.mark.parametrize(("spec", "gains"), [(HALVES, 1 / 50), (BOTH, 1 / 100)])
def test_what_is_below_what_shows_is_no_more_than_said(
    spec: str, gains: float, tmp_path: Path
) -> None:
    """Where no effect is told, it is below the bound that is told, also that on seats left out."""
    (tmp_path / "game.yaml").write_text(spec, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("ambiguity",))
    (told,) = (each for one in report.findings for each in how_often(one) if EVEN in each)
    (bound,) = re.findall(rf"{EVEN} \(below ([\d.]+) %\)", told)

    assert float(bound) / 100 > gains
