"""Readings are compared where each player makes the same choices, whoever is asked and when."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleproof.checker.comparison import settled
from ruleproof.checker.findings.results import Report
from ruleproof.checker.points.answers import SAME
from ruleproof.checker.points.harmless import SAME_CHOICES
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings

ASKS = '{0} = choose(range(0, 3), by={1}, ask="Which one?")\nnamed[{1}] = {0}\n'
ACTIVE, NEXT = ASKS.format("x", "active"), ASKS.format("y", "next_player(active)")
OVER = "end_game()\n"


def compared(folder: Path, readings: dict[str, str], **more: object) -> Report:
    """Verify a game with one step, whose body is read in several ways."""
    first = next(iter(readings.values()))
    (folder / "game.yaml").write_text(json.dumps({
        "game": "naming", "title": "Naming", "players": {"count": 2},
        "state": {"active": {"type": "player", "start": 1},
                  "named": {"type": "int 0..2", "per": "player"}, "left": {"type": "int 0..9"}},
        "steps": {"game": {}, "other": {}}, "start": "game",
        "clauses": [{"id": "run", "kind": "order", "says": "all name one", "on": "game",
                     "do": first},
                    {"id": "there", "kind": "effect", "says": "one is named", "on": "other",
                     "do": "z = choose(range(0, 3), by=active)\nnamed[active] = z\n"}],
        "open_points": [{"id": "how", "clauses": ["run"], "asks": "how", "readings": [
            {"id": name, "title": name, "changes": {"run": {"do": body}}}
            for name, body in readings.items()]}], **more}), "utf-8")
    return verify(str(folder), Settings(), only=("ambiguity",))


def found(report: Report) -> list[int]:
    """Return the levels of what is found of that."""
    return [one.level for one in report.everything if one.open_point == "how"]


def later(report: Report) -> list[str]:
    """Name the readings of which it is told that they only ask the players in another order."""
    return [*(one.what for one in report.not_checked if SAME in one.why),
            *(one.open_point for one in report.harmless if SAME in one.why)]


MOST = "if named[active] > named[next_player(active)]:\n  win(active)\n"


@pytest.mark.parametrize("after", [OVER, MOST + OVER, "n = roll(2)\nleft = n\n" + MOST + OVER])
def test_who_is_asked_first_is_no_difference_if_each_chooses_the_same(
    after: str, tmp_path: Path
) -> None:
    """The same menu for both, in either order: the moves of one are not those of the other."""
    report = compared(tmp_path, {
        "active": ACTIVE + NEXT + after, "next": NEXT + ACTIVE + after})

    assert not found(report)
    assert all(one.open_point != "how" for one in report.harmless)
    assert later(report) == ["how=next" if "win" in after else "how = next"]


GUESS = "if named[active] == named[next_player(active)]:\n  win(active)\n"
MISS = GUESS + "else:\n  win(next_player(active))\n"


@pytest.mark.parametrize(("after", "sure"), [
    # one wants to name the same, the other one not: who is second can be sure to win
    (MISS, ["1 can be kept from winning by the others", "1 can be sure to win"]),
    # to name the same wins for one, and for nobody else
    (GUESS + OVER, ["1 can be kept from winning by the others", "1 can be sure to win"]),
    # half of the games are decided by what is rolled
    ("n = roll(2)\nif n == 2:\n  win(active)\n" + MISS,
     ["1 can make sure of winning 1 time of 2", "1 can be sure to win"]),
])
def test_whoever_is_asked_later_knows_what_was_chosen(
    after: str, sure: list[str], tmp_path: Path
) -> None:
    """Each order of asking comes to the same with the same choices, but the later one may answer.

    The game of matching pennies, one after the other (von Neumann, Morgenstern, 1944, section 14).
    """
    report = compared(tmp_path, {"active": ACTIVE + NEXT + after, "next": NEXT + ACTIVE + after})

    assert found(report) == [1]
    (finding,) = (one for one in report.everything if one.open_point == "how")
    assert [one.outcome.partition(",")[0].partition(" ")[2] for one in finding.readings] == sure
    assert not later(report)


def test_who_knows_more_is_told_beside_an_answer_that_differs_in_more(tmp_path: Path) -> None:
    """Of three answers one asks in another order, which decides who wins, and one does not ask."""
    named = "named[next_player(active)] = 1\n"
    report = compared(tmp_path, {"active": ACTIVE + NEXT + MISS, "next": NEXT + ACTIVE + MISS,
                                 "none": ACTIVE + named + MISS})
    told = {one.id: one.outcome for each in report.everything if each.open_point == "how"
            for one in each.readings if one.id != "active"}

    assert told["next"] == "player 1 can be sure to win, if all cards lie open"
    assert "none" in told
    assert not later(report)


def test_what_only_asks_in_another_order_has_its_row_beside_what_differs(tmp_path: Path) -> None:
    """Nobody gains by being asked later, so that answer has no finding of its own."""
    report = compared(tmp_path, {"active": ACTIVE + NEXT + MOST + OVER,
                                 "next": NEXT + ACTIVE + MOST + OVER, "none": "win(active)"})
    (finding,) = (one for one in report.everything if one.open_point == "how")

    assert [(one.id, one.apart) for one in finding.readings] == [
        ("active", True), ("none", True), ("next", False)]
    assert finding.readings[-1].outcome == SAME_CHOICES


def test_of_what_differs_anywhere_it_is_not_said_that_nothing_does(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a smaller game whoever comes later has less to choose from, and in the printed one not."""
    monkeypatch.setattr(settled, "STEPS", 500)
    late = NEXT.replace("3)", "3 - hurry * x)"), ACTIVE.replace("3)", "3 - hurry * y)")
    report = compared(
        tmp_path, {"active": ACTIVE + late[0] + OVER, "next": NEXT + late[1] + OVER},
        constants={"hurry": 0}, scopes={"tiny": {"players": 2, "constants": {"hurry": 1}}})

    assert found(report) == [2]
    assert not later(report)


@pytest.mark.parametrize("much", [1, 2])
def test_who_has_but_one_choice_may_be_first_or_last(much: int, tmp_path: Path) -> None:
    """What one has to do is there sooner or later, and differs from nothing that is chosen."""
    forced = NEXT.replace("3)", "1)").replace("= y", f"= y + {much}")
    report = compared(tmp_path, {name: first + then + ACTIVE.replace("x", "z") + MOST + OVER
                                 for name, first, then in (
                                     ("active", ACTIVE, forced), ("next", forced, ACTIVE))})

    assert not found(report)
    assert [one.replace(" ", "") for one in later(report)] == ["how=next"]


@pytest.mark.parametrize(("mine", "theirs", "level"), [
    # whoever comes later has less to choose from
    (ACTIVE + NEXT.replace("3)", "3 - x)"), NEXT + ACTIVE.replace("3)", "3 - y)"), 2),
    # whoever is asked first wins
    (ACTIVE + NEXT + "win(active)\n", NEXT + ACTIVE + "win(next_player(active))\n", 1),
    # one is not asked at all
    (ACTIVE + NEXT + MOST + OVER, NEXT + "named[active] = 1\n" + MOST + OVER, 1),
    # how long the other one waits is beyond what is looked at
    (5 * ACTIVE + NEXT + OVER, NEXT + 5 * ACTIVE + OVER, 2),
])
def test_who_is_asked_first_is_a_difference_if_what_comes_of_it_differs(
    mine: str, theirs: str, level: int, tmp_path: Path
) -> None:
    """Each player makes the same choices, and may choose something else, or has another result."""
    assert found(compared(tmp_path, {"active": mine, "next": theirs})) == [level]


@pytest.mark.parametrize(("other", "many"), [
    ("other()\n", 0), ("which = choose(range(0, 3), by=active)\nnamed[active] = which\n", 0),
    ("which = choose(range(0, 2), by=active)\nnamed[active] = which\n", 1),
    ("which = choose(range(0, 3), by=active)\nnamed[active] = 2 - which\n", 1),
])
def test_a_move_is_what_players_see_of_it(other: str, many: int, tmp_path: Path) -> None:
    """The step in which something is chosen is no part of a move, nor what the spec calls it."""
    end = MOST + "win(next_player(active))\n"
    report = compared(tmp_path, {"here": ACTIVE + end, "there": other + end})

    assert len(found(report)) == many
    assert [one.open_point == "how" for one in report.harmless].count(True) == (not many)


@pytest.mark.parametrize(("more", "levels"), [
    # another question, and then the same end
    ('may(by=active, ask="Sure?")\nwin(active)\n', []),
    ("roll(2)\nwin(active)\n", []),
    # that may end otherwise
    ('if may(by=active, ask="Sure?"):\n  win(active)\nend_game()\n', [1]),
    ("n = roll(2)\nif n > 1:\n  win(active)\nend_game()\n", [1]),
    # as late as somebody likes
    ('while may(by=active, ask="Go on?"):\n  left = 1\nwin(active)\n', []),
])
def test_a_game_that_is_over_later_is_over_all_the_same(
    more: str, levels: list[int], tmp_path: Path
) -> None:
    """One is over and the other not: that is a difference if the other may end otherwise."""
    report = compared(tmp_path, {
        "now": ACTIVE + "win(active)\n", "later": ACTIVE + more})

    assert found(report) == levels


@pytest.mark.parametrize(("score", "body", "tells"), [
    ("", "left = 3\nwin(active)\n", False), ("named[p]", "left = 3\nwin(active)\n", False),
    ("left", "left = 3\nwin(active)\n", True), ("", "left = 3\nend_game()\n", True),
])
def test_at_the_end_what_a_game_came_to_is_compared(
    score: str, body: str, tells: bool, tmp_path: Path  # noqa: FBT001
) -> None:
    """What is left over is no difference then, unless it is what players are ranked by."""
    report = compared(tmp_path, {"none": ACTIVE + body.replace("3", "0"), "three": ACTIVE + body},
                      **({"score": score} if score else {}))

    assert bool(found(report)) == tells


@pytest.mark.parametrize(("ends", "tells"), [("win(active)", False), ("end_game()", True)])
def test_orders_that_leave_other_things_behind_come_to_the_same(
    ends: str, tells: bool, tmp_path: Path  # noqa: FBT001
) -> None:
    """Two clauses in either order, of which one ends the game before the other one counts."""
    clauses = [{"id": "run", "kind": "order", "says": "all name one", "on": "game",
                "do": ACTIVE + "other()\nend_game()\n"},
               {"id": "counts", "kind": "effect", "says": "three are left", "on": "other",
                "do": "left = 3"},
               {"id": "ends", "kind": "effect", "says": "a one wins", "on": "other",
                "when": "named[active] == 1", "do": ends}]
    (tmp_path / "game.yaml").write_text(json.dumps({
        "game": "naming", "title": "Naming", "players": {"count": 2},
        "state": {"active": {"type": "player", "start": 1},
                  "named": {"type": "int 0..2", "per": "player"}, "left": {"type": "int 0..9"}},
        "steps": {"game": {}, "other": {}}, "start": "game", "clauses": clauses}), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("order-dependence",))

    assert bool(report.everything) == tells
