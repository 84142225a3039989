"""What one sentence allows and another one always forbids is one finding, which names both."""

from pathlib import Path

import pytest

from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.tests.support.little import write

ANSWERS = r"""
game: answers
players: {count: 2}
state:
  active: {type: player, start: 1}
  n: {type: int 0..4, start: 4}
  hits: {type: int 0..9}
steps: {game: {}, turn: {}}
windows: {turns: {by: active, done: take itWINDOW}}
start: game
clauses:
- {id: course, kind: order, says: turns are taken four times, on: game, do: "while n > 0:\n  turn()\nwin(active)"}
- {id: turn, kind: effect, says: in a turn one may do something, on: turn, do: "n -= 1\nturns()\nactive = next_player(active)"}
- {id: may, kind: permit, says: one may answer a hit, on: turns, option: answer, do: hits += 1}
- {id: ban, kind: forbid, says: a hit cannot be answered, on: turns.answer, when: "WHEN"}
"""  # noqa: E501
LEFT = r"""
game: left
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..3, start: 2}}
steps: {game: {}, turn: {}}
windows: {turns: {by: active, done: pass, clause: turn}}
start: game
clauses:
- {id: course, kind: order, says: turns are taken until the end, on: game, do: "while n < 3:\n  turn()\nwin(active)"}
- {id: turn, kind: effect, says: in a turn one may do something, on: turn, do: "turns()\nactive = next_player(active)"}
MORE- {id: ban, kind: forbid, says: nobody passes, on: turns.pass}
"""  # noqa: E501
PAYS = "- {id: pays, kind: permit, says: some of the coins are paid, on: turns, option: pay, "


@pytest.mark.parametrize("window", ["", ", clause: may"])
@pytest.mark.parametrize("when", ["True", "n < 4"])
def test_a_ban_that_always_holds_clashes_with_what_it_forbids(
    tmp_path: Path, window: str, when: str
) -> None:
    """Also where that is so of all situations only, or the permit opens the window, too."""
    text = ANSWERS.replace("WINDOW", window).replace("WHEN", when)
    report = verify(str(write(tmp_path, text)), Settings())
    (finding,) = report.findings

    assert (finding.cls, finding.clauses) == ("contradiction", ("may", "ban"))
    assert "one may answer a hit; and: a hit cannot be answered" in finding.title
    assert {each.identity.kind for each in finding.consequences if each.identity} <= {"phrase"}


def test_a_ban_that_never_holds_is_on_what_is_allowed(tmp_path: Path) -> None:
    """It is not said that no sentence allows it."""
    text = ANSWERS.replace("WINDOW", "").replace("WHEN", "n > 9")
    report = verify(str(write(tmp_path, text)), Settings())
    (finding,) = report.findings

    assert finding.cls == "dead-clause"
    assert finding.title == "A ban whose case never comes up: a hit cannot be answered"


def test_a_ban_that_holds_at_times_is_no_clash(tmp_path: Path) -> None:
    """What it leaves is allowed."""
    text = ANSWERS.replace("WINDOW", "").replace("WHEN", "n < 2")
    report = verify(str(write(tmp_path, text)), Settings())

    assert not [one for one in report.everything if one.cls == "contradiction"]


@pytest.mark.parametrize(("when", "players", "more"), [
    ("True", "{count: 2}", "variants: {calm: {title: calm play, drop: [ban]}}"),
    ("player_count == 2", "{min: 2, max: 3, default: 2}", ""),
])
def test_a_ban_that_does_not_always_hold_is_no_clash(
    tmp_path: Path, when: str, players: str, more: str
) -> None:
    """In a mode, or with another number of players, it may not be there, or not hold."""
    text = ANSWERS.replace("WINDOW", "").replace("WHEN", when).replace(
        "{count: 2}", players).replace("start: game\n", f"start: game\n{more}\n")
    report = verify(str(write(tmp_path, text)), Settings())

    assert not [one for one in report.everything if one.cls == "contradiction"]


@pytest.mark.parametrize(("more", "clauses"), [
    (f"{PAYS}with: {{m: 'range(1, n + 1)'}}, do: n -= m}}\n", ("ban", "pays")),
    (f"{PAYS}when: n > 0, do: n -= 1}}\n", ("ban", "pays")),
    ("", ("ban", "turn"))])
def test_a_ban_that_leaves_no_move_clashes_with_a_second_sentence(
    tmp_path: Path, more: str, clauses: tuple[str, ...]
) -> None:
    """That is the one whose option is not there, or the one that lets somebody act at all."""
    text = LEFT.replace("MORE", more)
    report = verify(str(write(tmp_path, text)), Settings(), only=("contradiction",))
    (finding,) = report.everything

    assert (finding.cls, finding.clauses) == ("contradiction", clauses)
    assert "nobody passes; and: " in finding.title
