"""Where a question says what it is about, a situation of that kind is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.points import pictured
from ruleproof.checker.points.points import points_of
from ruleproof.checker.questions.search import QuestionSearch
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.run.interp import EndlessRules
from ruleproof.model.source.errors import SpecErrors
from ruleproof.model.stop import Stop

if TYPE_CHECKING:
    from pathlib import Path

GAME = """
game: counting
title: Counting
players: {count: 2}
state:
  active: {type: player, start: 1}
  turn: {type: int 0..9}
  coins: {type: int 0..99}
steps: {game: {}}
start: game
clauses:
- id: turns
  kind: order
  says: in each of nine turns a player takes one coin or two
  on: game
  do: |
    while turn < 9:
      taken = choose(range(1, 3), by=active, ask="How many?")
      coins += taken
      turn += 1
      active = next_player(active)
- {id: most, kind: outcome, says: then it is over, on: game, after: [turns], do: end_game()}
open_points:
- id: three
  clauses: [turns]
  asks: may three coins be taken when the game is nearly over
  WHERE
  readings:
  - {id: no, title: no, changes: {}}
  - id: yes
    title: yes
    changes:
      turns:
        do: |
          while turn < 9:
            taken = choose(range(1, 4), by=active, ask="How many?")
            coins += taken
            turn += 1
            active = next_player(active)
"""


def spec(folder: Path, where: str) -> str:
    """Write the game, its question about situations of some kind."""
    (folder / "game.yaml").write_text(GAME.replace("WHERE", where), "utf-8")
    return str(folder)


@pytest.mark.parametrize(("where", "turn"), [
    ("", 0), ("where: turn == 7", 7), ("where: turn > 3 and active == next_player(active)", 0)])
def test_a_situation_is_shown_in_which_the_question_comes_up(
    where: str, turn: int, tmp_path: Path
) -> None:
    """Else, or where none has it, the first that tells the answers apart."""
    found = verify(spec(tmp_path, where), Settings(), only=("ambiguity",)).findings
    (asked,) = (one for one in found if one.open_point == "three")

    assert asked.evidence.position is not None
    assert asked.evidence.position["state"]["turn"] == turn
    assert asked.evidence.depth == turn
    assert [each.outcome for each in asked.readings] == [
        f"{how}: player {1 + turn % 2} chooses 3 (How many?)" for how in ("not allowed", "allowed")]


def test_a_condition_that_makes_no_sense_is_an_error(tmp_path: Path) -> None:
    """It is told where it stands, as that of any clause."""
    with pytest.raises(SpecErrors, match="no_such_thing"):
        compile_game(load_game(spec(tmp_path, "where: no_such_thing > 1")))


def test_that_no_such_situation_is_met_is_told(tmp_path: Path) -> None:
    """What is shown in its place stands, and that it may be beside the question is listed."""
    def left(where: str) -> list[str]:
        return [one.why for one in verify(spec(tmp_path, where), Settings(), only=(
            "ambiguity",)).not_checked if one.what == "three = yes"]

    assert left("") == left("where: turn == 7") == []
    (why,) = left("where: turn == 9")
    assert "so another one is shown" in why


def test_a_search_that_fails_costs_no_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If the rules never come to a rest on the way, what was found without it is told."""
    def never_rests(*_: object, **__: object) -> None:
        raise EndlessRules(())

    monkeypatch.setattr(pictured, "split_where", never_rests)
    (found,) = verify(spec(tmp_path, "where: turn == 7"), Settings(), only=("ambiguity",)).findings

    assert found.evidence.depth == 0


def test_of_two_answers_the_one_that_is_met_there_is_shown(tmp_path: Path) -> None:
    """Another answer that differs there never, and sooner elsewhere, is told beside it."""
    body = GAME.partition("        do: |\n")[2]
    early = body.replace("choose(range(1, 4)", "choose(range(1, 4 if turn == 0 else 3)")
    text = GAME.replace("WHERE", "where: turn == 7") + (
        f"  - id: early\n    title: early\n    changes:\n      turns:\n        do: |\n{early}")
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    (found,) = verify(str(tmp_path), Settings(), only=("ambiguity",)).findings

    assert found.evidence.depth == 7
    assert [each.id for each in found.readings] == ["no", "yes", "early"]


def test_it_is_shown_also_where_it_shows_less(tmp_path: Path) -> None:
    """What shows more is told beside it, and the question keeps its rank."""
    asks = 'range(1, 4), by=active, ask="How many?")\n'
    wins = "            if taken == 2 and turn == 0:\n              win(active)\n"
    text = GAME.replace("WHERE", "where: turn == 7").replace(asks, asks + wins)
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    (found,) = verify(str(tmp_path), Settings(), only=("ambiguity",)).findings
    beside = [each for each in found.evidence.plays if each.scope]

    assert (found.level, found.evidence.depth, found.evidence.method) == (1, 7, "sampled")
    assert [each.outcome.partition(":")[0] for each in found.readings] == ["not allowed", "allowed"]
    assert [len(each.play["steps"]) for each in beside] == [1, 1]


def test_a_scope_is_gone_through_as_well(tmp_path: Path) -> None:
    """Its situations are as good as any, if only it was asked."""
    text = GAME.replace("WHERE", "where: turn == 7") + "scopes: {small: {state: {coins: 1}}}\n"
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    (found,) = verify(str(tmp_path), Settings(scope="small"), only=("ambiguity",)).findings

    assert (found.evidence.scope, found.evidence.depth) == ("small", 7)


def test_whoever_is_asked_is_shown_the_move_to_it(tmp_path: Path) -> None:
    """The situation is the one before that move, also if the answers have parted before."""
    bench = Workbench(spec(tmp_path, "where: turn == 7"), Settings())
    search = QuestionSearch(bench, Stop(None))
    search.look(points_of(bench.instance("printed").compiled))
    (asked,) = search.candidates

    assert asked.doc["state"]["turn"] == 6
    assert len(asked.groups) == 2
