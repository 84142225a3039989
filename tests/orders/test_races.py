"""Who may act first where two can is a point of its own, though one order reaches every play."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleproof.checker.findings.results import Report
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.reports.blocks.measures import how_often

THROW = "point[next_player(actor)] = 0\nwin(actor)"


def window(folder: Path, do: str, *, cards: int = 2, when: str = "True", small: bool = False,
           end: str = "end_game()", each: str = "rounds") -> Report:
    """Verify a game in which whoever has a card may play it at any time in one window."""
    spec = {
        "game": "race", "title": "Race", "players": {"count": 2},
        "families": {"f": {}}, "cards": {"f": {"ball": {"copies": 2}}},
        "zones": {"box": {"holds": "f", "kind": "bag", "starts": "all"},
                  "hand": {"holds": "f", "kind": "bag", "per": "player", "seen_by": "owner"}},
        "state": {"active": {"type": "player", "start": 1},
                  "point": {"type": "int 0..3", "per": "player", "start": 1},
                  "pot": {"type": "int 0..4"}}, "constants": {"pots": 2},
        "steps": {"game": {}}, "start": "game",
        "windows": {"any_time": {"who": "players", "order": "unstated", "each": each}},
        "clauses": [
            {"id": "deal", "kind": "setup", "says": "some have a card", "on": "game",
             "do": "for p in clockwise(active):\n  if size(hand[p]) < 1 and size(box) > "
                   f"{2 - cards}:\n    move(f.ball, box, hand[p])"},
            {"id": "open", "kind": "order", "says": "then it is thrown", "on": "game",
             "after": ["deal"], "do": f"any_time()\n{end}"},
            {"id": "throw", "kind": "permit", "says": "a card is played", "on": "any_time",
             "option": "throw", "with": {"card": "c for c in hand[actor]"}, "when": when,
             "do": f"move(card, hand[actor], box)\n{do}"}],
        "scopes": {"tiny": {"about": "the same", "constants": {"pots": 1}}} if small else {}}
    (folder / "game.yaml").write_text(json.dumps(spec), "utf-8")
    return verify(str(folder), Settings(), only=("order-dependence",))


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize(("do", "level"), [
    (THROW, 1), ("point[actor] += pot\npot += 1", 3),
    ("x = choose(range(1, 3), by=actor)\npot = x", 3)])
def test_who_is_first_matters(tmp_path: Path, do: str, level: int, *, small: bool) -> None:
    """Each of two can win, or leave less to the other: every play of it replays."""
    report = window(tmp_path, do, small=small)
    (finding,) = [each for each in report.everything if each.open_point == "order/any_time"]

    assert finding.level == level
    assert [each.title for each in finding.readings] == ["player 1 is first", "player 2 is first"]
    assert finding.evidence.replayed
    assert not [each for each in report.harmless if each.open_point == "order/any_time"]


def test_who_is_first_can_shut_the_other_out(tmp_path: Path) -> None:
    """Only one card may ever be played: the other player can no longer do so."""
    report = window(tmp_path, "pot += 1", when="pot == 0")
    (finding,) = [each for each in report.everything if each.open_point == "order/any_time"]

    assert finding.level == 2


@pytest.mark.parametrize("do", ["pot += 1", "point[actor] += 1",
                                "x = choose(range(1, 3), by=actor)\npoint[actor] = x"])
def test_acts_that_come_to_the_same_are_not_called_harmless(tmp_path: Path, do: str) -> None:
    """What comes out is the same whoever is first; but the other one knows it as he decides."""
    report = window(tmp_path, do)
    (line,) = [each.why for each in report.not_checked if each.what == "order/any_time"]

    assert "order/any_time" not in {each.open_point for each in report.everything}
    assert "order/any_time" not in {each.open_point for each in report.harmless}
    assert "two can act at once in 1 situation " in line
    assert "decides in no small game who can make sure of winning" in line


@pytest.mark.parametrize(("win", "found"), [
    ("if point[active] == point[next_player(active)]:\n  win(active)\n", 1),
    ("if point[active] > 0:\n  win(active)\n", 0)])
def test_who_acts_later_knows_what_was_done(tmp_path: Path, win: str, found: int) -> None:
    """Both may do the same in either order, but whoever is second can answer."""
    report = window(tmp_path, "x = choose(range(1, 3), by=actor)\npoint[actor] = x",
                    end=f"{win}win(next_player(active))", each="once")
    sure = [each for each in report.everything if each.open_point == "order/any_time"]

    assert len(sure) == found
    for each in sure:
        assert each.level == 1
        assert len({one.outcome for one in each.readings}) == 2


def test_who_is_first_is_no_reading(tmp_path: Path) -> None:
    """The rows name players; what is asked, compared and counted are the readings of the point."""
    report = window(tmp_path, THROW)
    (finding,) = [each for each in report.everything if each.open_point == "order/any_time"]
    (asked,) = [each for each in report.questions if each["open_point"] == "order/any_time"]
    known = {"clockwise": "clockwise", "unstated": "in any order"}  # to two it is one circle
    counted = [each for each in (finding.frequency, *finding.compared) if each is not None]

    assert known.keys().isdisjoint(each.id for each in finding.readings)
    assert [each["reading"] for each in asked["answers"]] == list(known)
    assert [(each.adopted, each.reading) for each in counted] == [
        ("unstated", "clockwise")]
    assert all(f"Under “in any order” and “{known[each.reading]}”" in told.replace(
        "Other answers: u", "U").replace("The same answers: u", "U")
        for each, told in zip(counted, how_often(finding), strict=True))
    assert not [each for each in report.not_checked if "-first" in each.what]


def test_where_never_two_can_act_nothing_is_said(tmp_path: Path) -> None:
    """One card for two players is no ground for a verdict."""
    report = window(tmp_path, THROW, cards=1)

    assert "order/any_time" not in {
        *(each.open_point for each in report.everything),
        *(each.open_point for each in report.harmless)}
    assert any("never can two players act at once" in each.why for each in report.not_checked)
