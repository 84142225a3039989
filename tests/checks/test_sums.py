"""What decides in the situation shown: sums, the values of the cards that act, the last moves."""

from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.findings.results import Finding
from ruleproof.checker.points.situation import Way, before, done
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.plays.documents import is_object
from ruleproof.reports.blocks.page import page_of
from ruleproof.reports.blocks.subject import Subject
from ruleproof.tests.support.little import write

FIGHT = """
game: fight
title: Two cards and a guard
players: {count: 2}
families: {fighter: {attributes: {force: int 0..9, sort: sort}}}
enums: {sort: [big, small]}
cards:
  fighter:
    bear: {name: Bear, copies: 1, force: 5, sort: big, assumed: [force, sort]}
    fox: {name: Fox, copies: 1, force: 2, sort: small, assumed: [force]}
    idle: {name: Idler, copies: 1, force: 1, sort: small, assumed: [force]}
zones:
  hand: {holds: fighter, kind: bag, starts: all}
  ring: {holds: fighter, kind: bag}
  away: {holds: fighter, kind: bag}
state: {active: {type: player, start: 1}}
steps: {game: {}, fight: {}}
windows: {lay: {who: "{active}", each: once, done: nothing}}
scopes:
  printed: {}
  strong: {cards: {fighter: {bear: {copies: 1}, fox: {copies: 1, force: 3}, idle: {copies: 1}}}}
start: game
clauses:
- id: begins
  kind: effect
  says: the first player lays one card, and then the guard is met
  on: game
  do: |
    lay()
    lay()
    fight()
- id: lays
  kind: permit
  says: a card may be laid
  on: lay
  option: put
  with: {card: "c for c in hand"}
  do: move(card, hand, ring)
- id: sum
  kind: define
  says: the cards are added
  define: total
  value: sum(c.force for c in ring)
  asked: [adds-up]
- {id: guard, kind: define, says: the guard has a force of six, define: guard, value: "6"}
- id: ends
  kind: effect
  says: who has more than the guard wins
  on: fight
  do: |
    if total > guard:
      win(active)
    move_all(ring, ring, away)
    end_game()
open_points:
- id: counts
  clauses: [sum]
  asks: do all cards count
  readings:
  - {id: all, title: all of them, changes: {}}
  - {id: best, title: the best one, changes: {sum: {value: "max(c.force for c in ring)"}}}
"""


LATER = """
- id: cools
  kind: effect
  says: then the guard looks at what is left
  on: fight
  after: [ends]
  when: total < guard
  do: pass
"""
"""Asks for the same term once the ring is empty."""
FIRST_LAID = "move(card, hand, ring)"


def finding(
    folder: Path, settings: Settings, text: str = FIGHT
) -> tuple[Finding, Subject]:
    """Verify the game, and return what was found of its question."""
    source = str(write(folder, text))
    (found,) = [each for each in verify(source, settings, only=("ambiguity",)).everything
                if each.open_point == "counts"]
    return found, Subject(Workbench(source, Settings()).instance("printed").compiled)


def test_the_numbers_by_which_the_rules_go_are_told(tmp_path: Path) -> None:
    """A sum that differs stands before what comes of it, with what it is compared with."""
    found, _ = finding(tmp_path, Settings())
    told = {one.id: one.outcome for one in found.readings}

    assert told["all"].startswith("total 7, guard 6; ")
    assert told["best"].startswith("total 5, guard 6; ")


def test_a_number_is_that_by_which_its_clause_goes(tmp_path: Path) -> None:
    """Not what another clause finds later, and none that the clause itself may have changed."""
    ends = "  on: fight\n  do: |\n    if total"
    own = "  on: fight\n  do: |\n    move_all(hand, hand, ring)\n    if total"
    also, changed = (tmp_path / name for name in ("also", "changed"))
    for folder in (also, changed):
        folder.mkdir()

    found, _ = finding(also, Settings(), FIGHT.replace(
        "open_points:", LATER.lstrip() + "open_points:").replace("    end_game()\n", "").replace(
        "  do: pass\n", "  do: end_game()\n"))
    assert [one.outcome.partition(";")[0] for one in found.readings] == [
        "total 7, guard 6", "total 5, guard 6"]
    assert ends in FIGHT
    found, _ = finding(changed, Settings(), FIGHT.replace(ends, own).replace(
        'guard, value: "6"', 'guard, value: "7"'))
    assert not any("total" in one.outcome for one in found.readings)


@pytest.mark.parametrize(("scope", "fox"), [("printed", 2), ("strong", 3)])
def test_the_cards_that_decide_are_explained_as_they_are_there(
    tmp_path: Path, scope: str, fox: int
) -> None:
    """Values are those of the game shown; what is not read is not told, nor what only sorts."""
    found, subject = finding(tmp_path, Settings(scope=scope))
    position = found.evidence.position
    assert is_object(position)
    board = page_of(found, subject).board
    assert board is not None
    told = {entry.name: entry.text for entry in board.shared if "as assumed" in entry.name}

    assert position["assumes"] == {"Bear": {"force": 5}, "Fox": {"force": fox}}
    assert told == {"Bear, as assumed": "force 5", "Fox, as assumed": f"force {fox}"}


def test_games_that_look_unlike_from_the_setup_on_have_no_moves_before(tmp_path: Path) -> None:
    """The situation is the setup, also in the play of the second."""
    ways: list[Way] = []
    for number in (0, 1):
        own = tmp_path / str(number)
        own.mkdir()
        mark = f"mark: {{type: int 0..9, start: {number}}}"
        text = FIGHT.replace("start: 1}}", f"start: 1}}, {mark}}}")
        game = Workbench(str(write(own, text)), Settings()).instance("printed")
        move = game.interpreter.moves(game.interpreter.start().state)[0]
        ways.append(Way(game, (move,), range(2)))

    assert [before(ways, fails=False, play=play).position["after"] for play in (0, 1)] == [0, 0]


LATE = """
game: late
title: Late
players: {count: 1}
state: {active: {type: player, start: 1}, n: {type: int 0..9}}
steps: {game: {}}
start: game
windows: {idle: {by: active, done: wait}, go: {by: active, done: rest}, on: {by: active, done: end}}
clauses:
- {id: runs, kind: effect, says: it runs, on: game, do: "FIRSTgo()\\non()"}
- {id: nods, kind: permit, says: one nods, on: idle, option: nod, do: pass}
- {id: adds, kind: permit, says: one adds, on: go, option: add, do: n += 1}
- {id: more, kind: permit, says: one adds, on: on, option: more, do: n += MUCH}
"""


def test_a_situation_counts_the_moves_of_the_play_that_is_told(tmp_path: Path) -> None:
    """Under the second answer there is a move more before it, and none of those is left out."""
    ways: list[Way] = []
    for first, much in (("", "1"), ("idle()\\n", "2")):
        (tmp_path / much).mkdir()
        text = LATE.replace("FIRST", first).replace("MUCH", much)
        game = Workbench(str(write(tmp_path / much, text)), Settings()).instance("printed")
        moves, state = [], game.interpreter.start().state
        while legal := game.interpreter.moves(state):
            moves.append(legal[0])
            state = game.interpreter.step(state, legal[0]).state
        ways.append(Way(game, tuple(moves), range(len(moves) + 1)))

    assert [len(each.moves) for each in ways] == [2, 3]
    assert [before(ways, fails=False, play=play).position["after"] for play in (0, 1)] == [1, 2]


def test_the_moves_just_before_are_told(tmp_path: Path) -> None:
    """They are those that lead to the situation, and not what is done in it."""
    found, subject = finding(tmp_path, Settings())
    board = page_of(found, subject).board

    assert board is not None
    assert board.lately.startswith("Just before: player 1 put")
    assert board.turn.startswith("here the answers part")
    assert board.lately.count("put") == 1 == board.turn.count("put")


@pytest.mark.parametrize(("moves", "told"), [
    ([], ""), (["a"], "after a"), (["a", "b"], "after a and b"),
    (["a", "b", "a"], "after a, b and a"),
    ([*"abcde"], "after 5 moves, at last c, d and e")])
def test_what_leads_to_an_answer_is_told(moves: list[str], told: str) -> None:
    """All of it if that is little, else how much it is, and what comes last, in its order."""
    assert done(moves) == told
