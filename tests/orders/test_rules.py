"""Two rules that one event sets off are held against each other where both conditions hold."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleproof.checker.findings.results import Report
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings

WINS = {"left": "win({p for p in players if life[p] > 0})",
        "only": "win(only({p for p in players if life[p] > 0}))",
        "other": "win({p for p in players if life[next_player(p)] == 0})",
        "mark": "marks += 1"}
NONE_LEFT = "any(life[p] == 0 for p in players)"


def duel(folder: Path, rules: dict[str, str], *, burst: bool = True, small: bool = False,
         whenever: str = NONE_LEFT) -> Report:
    """Verify a duel in which both may be hurt at once, with rules for who has no life left."""
    both = "for p in simultaneously(players):\n  life[p] = max(0, life[p] - 1)"
    spec = {
        "game": "duel", "title": "Duel", "players": {"count": 2}, "constants": {"lives": 2},
        "state": {"active": {"type": "player", "start": 1}, "marks": {"type": "int 0..9"},
                  "life": {"type": "int 0..2", "per": "player", "start": "lives"}},
        "steps": {"game": {}}, "start": "game",
        "windows": {"turn": {"by": "active", "forced": True}},
        "clauses": [
            {"id": "turns", "kind": "order", "says": "turn by turn", "on": "game",
             "do": "while True:\n  turn()\n  active = next_player(active)"},
            {"id": "hit", "kind": "permit", "says": "one hits", "on": "turn", "option": "hit",
             "do": "life[next_player(actor)] -= 1"},
            *[{"id": "burst", "kind": "permit", "says": "both are hurt", "on": "turn",
               "option": "burst", "do": both, "internal": ["together"]}][:burst],
            *[{"id": name, "kind": "outcome", "says": f"rule {name}", "timing": "at once",
               "fires": "each time", "whenever": whenever if place else NONE_LEFT,
               "do": WINS[does]} for place, (name, does) in enumerate(rules.items())]],
        "scopes": {"tiny": {"about": "less life", "constants": {"lives": 1}}} if small else {}}
    (folder / "game.yaml").write_text(json.dumps(spec), "utf-8")
    return verify(str(folder), Settings(), only=("order-dependence",))


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize(("one", "two"), [
    ("left", "other"), ("only", "other"), ("only", "left")])
def test_rules_that_do_not_come_to_the_same_are_no_harmless_pair(
    tmp_path: Path, one: str, two: str, *, small: bool
) -> None:
    """Also if the first ends the game before the other acts, or is skipped as it means nobody."""
    report = duel(tmp_path, {"a": one, "b": two}, small=small)
    about = {each.open_point: each for each in report.everything}

    assert "order/a/b" in about
    assert about["order/a/b"].readings[0].outcome != about["order/a/b"].readings[1].outcome
    assert not [each for each in report.harmless if each.open_point.startswith("order/")]


def test_a_rule_that_ends_the_game_first_hides_no_others(tmp_path: Path) -> None:
    """Each pair is compared with no third rule before it; pairs of one event are one finding."""
    report = duel(tmp_path, {"a": "other", "b": "only", "c": "left"})
    (finding,) = [each for each in report.findings if each.open_point.startswith("order/")]

    assert {each.open_point for each in finding.whole} == {"order/a/b", "order/a/c", "order/b/c"}


@pytest.mark.parametrize("small", [False, True])
@pytest.mark.parametrize("other", ["left", "mark"])
def test_rules_that_come_to_the_same_are_harmless(
    tmp_path: Path, other: str, *, small: bool
) -> None:
    """Both conditions hold in every game, and the same wins whichever acts: that was looked at."""
    report = duel(tmp_path, {"a": "left", "b": other}, small=small)

    assert not report.everything
    assert "order/a/b" in {each.open_point for each in report.harmless}


@pytest.mark.parametrize(("burst", "told"), [(True, False), (False, True)])
def test_rules_that_never_meet_are_not_checked(
    tmp_path: Path, *, burst: bool, told: bool
) -> None:
    """Without a blow that hurts both, no event sets off a rule for one and a rule for both."""
    report = duel(tmp_path, {"a": "other", "b": "left"}, burst=burst,
                  whenever="all(life[p] == 0 for p in players)")

    assert ("order/a/b" in {each.open_point for each in report.everything}) != told
    assert any("both conditions hold" in each.why for each in report.not_checked) == told
