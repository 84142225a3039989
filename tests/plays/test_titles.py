"""What a spec gives a title to is called so wherever people read it, and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from ruleproof.checker.findings.outcomes import differences
from ruleproof.cli.table.announcements import changes
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.model.machine.state import State
from ruleproof.model.machine.titles import Titles
from ruleproof.model.plays.board import values_by_name
from ruleproof.model.plays.moves import describe_move, describe_option
from ruleproof.model.plays.plays import record
from ruleproof.model.plays.wording import say_field
from ruleproof.model.run.interp import Interpreter
from ruleproof.model.views.lint import lint
from ruleproof.reports.blocks.boards import board_of
from ruleproof.reports.blocks.plays import play_lines
from ruleproof.reports.blocks.steps import board_words, table
from ruleproof.reports.blocks.subject import Subject
from ruleproof.tests.support.little import compiled

NAMES = ("mine", "foe", "go_for", "pts", "crew", "hp", "mood", "lot", "z")
SPEC = """
game: named
title: Named
players: {count: 2}
enums: {humour: [glad, sad]}
families: {toy: {attributes: {}}}
cards: {toy: {kite: {copies: 2}}}
zones: {lot: {holds: toy, kind: bag, starts: all}, hand: {holds: toy, kind: bag, per: player}}
state:
  active: {type: player, start: 1}
  pts: {type: int 0..9, per: player}
  mood: {type: humour, start: glad}
pools: {crew: {per: player, capacity: 2, fields: {card: card toy, hp: int 0..9}}}
steps: {game: {}}
windows: {w: {by: active, forced: true}}
start: game
clauses:
- {id: go, kind: order, says: one goes, on: game, do: "new(crew[active], card=toy.kite, hp=3)\\nw()\\nz = roll(2)\\npts[active] += z\\nmove(toy.kite, lot, hand[active])\\nmood = sad\\nw()"}
- {id: hit, kind: permit, says: hit, on: w, option: go_for, with: {mine: "crew[actor]", foe: others(actor)}, do: mine.hp -= 1}
TITLES
"""  # noqa: E501
TITLES = """
titles:
  mine: with
  foe: against
  go_for: attack
  pts: points
  crew: sailors
  hp: health
  mood: how all feel
  sad: in low spirits
  lot: the open heap
  z: the die
"""


def read(folder: Path, titles: str) -> tuple[Compiled, list[State], str]:
    """Play a game to its second choice; return its states, and all that people read of them."""
    (folder / "game.yaml").write_text(SPEC.replace("TITLES", titles), "utf-8")
    compiled = compile_game(load_game(str(folder), Settings()))
    machine, interp = compiled.machine, Interpreter(compiled.machine)
    states, moves, told = [interp.start().state], [], list[str]()
    for _ in range(2):
        move = interp.moves(states[-1])[0]
        told += [each(machine, states[-1], move) for each in (describe_move, describe_option)]
        moves.append(move)
        states.append(interp.step(states[-1], move).state)
        told += changes(machine, states[-2], states[-1], None)
    first, last = (values_by_name(machine, state) for state in (states[0], states[-1]))
    told += [line.text for line in play_lines(record(compiled, moves), Subject(compiled))]
    told += differences(machine, last, first)
    told.append(repr(board_of({"state": last}, compiled, focus={"mood", "lot"})))
    told += [str(each["label"]) for each in board_words(compiled).values()]
    return compiled, states, "\n".join(told)


def test_what_has_a_title_is_called_so_everywhere(tmp_path: Path) -> None:
    """Moves, plays, boards and differences have the titles, and none of the names."""
    told = read(tmp_path, TITLES)[2]
    titles = [line.partition(": ")[2] for line in TITLES.strip().splitlines()[1:]]

    assert "player 1 attacks: with kite of player 1, against player 2" in told
    assert "sailors of player 1: kite (health 2)" in told
    assert [each for each in titles if each not in told] == []
    assert [each for each in (*NAMES, "sad") if each in re.split(r"\W+", told)] == []


def test_what_is_chosen_stands_in_the_blanks_of_a_title(tmp_path: Path) -> None:
    """What has no blank stands behind it; where nothing is chosen yet there are dots."""
    blanks = TITLES.replace("go_for: attack", "go_for: go for {foe}")
    told = read(tmp_path, blanks)[2].splitlines()

    assert "player 1 goes for player 2: kite of player 1" in told
    assert "go for player 2: kite of player 1" in told
    assert any("player 1 goes for player 2: kite (" in line for line in told)
    assert Titles({"go_for": "go for {foe}"}).of("go_for") == "go for …"


def test_a_blank_for_nothing_is_told(tmp_path: Path) -> None:
    """`lint` says which name of a blank is none of the spec."""
    read(tmp_path, TITLES.replace("go_for: attack", "go_for: go for {fo}"))
    found = [(each.code, each.help) for each in lint(str(tmp_path)).warnings
             if "blank" in each.message]

    assert found == [("RP251", "did you mean `foe`?")]


ASKED = """
game: asked
title: Asked
players: {count: 3}
enums: {humour: [glad, sad]}
state: {active: {type: player, start: 1}}
pools: {crew: {capacity: 2, fields: {done: bool, hp: int 0..9}}}
steps: {game: {}}
start: game
titles: {foe: against, done: has attacked, glad: in high spirits}
clauses:
- id: go
  kind: order
  says: one is chosen
  on: game
  do: |
    new(crew, done=True, hp=3)
    new(crew, hp=4)
    foe = choose(others(active), by=active, ask="Whom?")
    one = choose(crew, by=foe)
    mood = choose(humour, by=foe, ask="How?")
"""


def test_an_answer_is_told_as_one_and_what_is_so_by_its_title_alone(tmp_path: Path) -> None:
    """The title of a local is no verb; that something is so of a record needs no `yes`."""
    game = compiled(tmp_path, ASKED)
    interp = Interpreter(game.machine)
    moves, state = [], interp.start().state
    while not interp.final(state):
        moves.append(interp.moves(state)[0])
        state = interp.step(state, moves[-1]).state
    told = [line.text for line in play_lines(record(game, moves), Subject(game))]
    board = board_of({"state": values_by_name(game.machine, state)}, game)

    assert told[0].endswith("player 1 chooses player 2 (Whom?)")
    assert "chooses has attacked" in told[1]
    assert told[2].endswith("player 2 chooses in high spirits (How?)")
    assert "'has attacked (hp 3), hp 4'" in repr(board)
    assert "yes" not in f"{told}{board}"


def test_titles_change_nothing_that_programs_read(tmp_path: Path) -> None:
    """States, their names and values, and the moves are those of the game without titles."""
    (one, states, with_titles), (other, plain, without) = (
        read(tmp_path, titles) for titles in (TITLES, ""))

    assert states == plain
    assert values_by_name(one.machine, states[-1]) == values_by_name(other.machine, plain[-1])
    assert one.machine.arrays == other.machine.arrays
    assert [node.name for node in one.machine.nodes] == [node.name for node in other.machine.nodes]
    assert with_titles != without


def test_a_title_of_nothing_is_told(tmp_path: Path) -> None:
    """`lint` says where, and which name may be meant; of titles that are of use it says nothing."""
    read(tmp_path, TITLES + "  mood_s: all\n")
    found = [(each.code, each.place.line, each.help) for each in lint(str(tmp_path)).warnings
             if "called" in each.message]
    line = SPEC.replace("TITLES", TITLES).count("\n")

    assert found == [("RP251", line, "did you mean `mood`?")]


@pytest.mark.parametrize(("value", "told"), [
    (True, "has attacked"), (False, "has attacked: no"), (3, "has attacked 3")])
def test_a_field_is_told_by_its_title(value: int, told: str) -> None:
    """That something is so needs no value; that it is not, a colon."""
    assert say_field("has attacked", value) == told


def test_a_name_is_its_own_title() -> None:
    """Underscores and dots are spaces, indexes are left out, and a field is behind its pool."""
    titles = Titles({"crew": "sailors", "crew.hp": "their health"}, {"sad": "low"})

    assert [titles.of(name) for name in ("lay_swag", "hand[active]", "crew.card", "crew.hp")] == [
        "lay swag", "hand", "sailors card", "their health"]
    assert titles.within({"sad": ["sad", 1, None, {"x": "sad"}]}) == {
        "low": ["low", 1, None, {"x": "low"}]}


def test_a_page_that_draws_boards_has_the_titles(tmp_path: Path) -> None:
    """What a script draws is called as the spec has it: fields of records, values of enums."""
    compiled, states, _ = read(tmp_path, TITLES)

    assert [board_words(compiled)[f"crew.{each}"]["field"] for each in ("size", "card", "hp")] == [
        "size", "card", "health"]
    assert table(compiled, states[-1])["mood"] == "in low spirits"
