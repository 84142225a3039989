"""What stops a game in another mode, or with another number of players, is found there."""

from pathlib import Path

import pytest

from ruleproof.checker.findings.results import Report
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.plays.plays import replay
from ruleproof.tests.support.little import write

STUCK = """
game: stuck
title: Take from a pile
players: {min: 2, max: 4, default: 2}
state:
  active: {type: player, start: 1}
  pile: {type: int 0..4, start: 4}
  n: {type: int 0..9}
steps: {game: {}}
windows: {taking: {by: active, forced: true}}
start: game
variants: {round: {title: the long way round, clause: t.round}}
clauses:
- id: t.turns
  kind: order
  says: everybody takes once
  on: game
  do: |
    for p in clockwise(active):
      active = p
      taking()
    win(players)
- {id: t.one, kind: permit, says: one may be taken, on: taking, option: one, when: pile >= 1,
  do: pile -= 1}
- {id: t.two, kind: permit, says: two may be taken, on: taking, option: two, when: pile >= 2,
  do: pile -= 2}
- id: t.round
  kind: effect
  says: with two left it goes on until three are left
  whenever: pile == 2
  timing: at once
  only_in: [round]
  do: |
    while pile < 3:
      n = 1 - n
"""


@pytest.fixture(name="stuck", scope="module")
def _stuck(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Report]:
    source = str(write(tmp_path_factory.mktemp("stuck"), STUCK))
    return source, verify(source, Settings(), only=("deadlock", "endless-loop"))


def test_a_dead_end_of_more_players_is_found(stuck: tuple[str, Report]) -> None:
    """Two can always take, four mostly not: it is told of four, how often, with a play."""
    source, report = stuck
    (found,) = (one for one in report.findings if one.cls == "deadlock")
    four = load_game(source, Settings(players=4))
    (alone,) = verify(source, Settings(players=4), only=("deadlock",)).findings

    assert found.id == alone.id
    assert found.evidence.mode == "with 4 players"
    assert replay(found.evidence.plays[0].play, compile_game(four)).ok
    assert found.frequency is not None
    assert alone.frequency is not None
    low, high = found.frequency.ci95
    assert low <= alone.frequency.seen / alone.frequency.plays <= high


def test_rules_that_go_round_in_a_mode_are_found(stuck: tuple[str, Report]) -> None:
    """Nothing goes round as the game is chosen; in the mode it does in nearly every game."""
    _, report = stuck
    (found,) = (one for one in report.findings if one.cls == "endless-loop")

    assert "t.round" in found.clauses
    assert found.evidence.mode == "in the mode “the long way round”"
    assert found.frequency is not None
    assert found.frequency.seen > found.frequency.plays / 2


def test_a_mode_whose_games_do_not_end_is_told_of(tmp_path: Path) -> None:
    """Circles are not sought in a mode that no scope plays; that its plays do not end is said."""
    source = write(tmp_path, STUCK.replace("    win(players)\n", """    while n < 9:
      if not variant(slow):
        n += 1
      taking()
      pile = 4
    win(players)
""").replace("variants: {", "variants: {slow: {title: the slow game, clause: t.turns}, ").replace(
        "n = 1 - n", "pass"))
    report = verify(str(source), Settings(), only=("endless-loop",))
    lines = {one.what: one.why for one in report.not_checked}

    assert "of 1,000 random plays of at most" in lines[
        "whether the game comes to an end in the mode “the slow game”"]
