"""Readings are compared where they can differ, and a verdict says where that was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleproof.checker.judge import audit
from ruleproof.checker.judge.results import Report
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings

ROLLS = "while n < 6:\n  x = roll(sides)\n  n += 1\n  if x > 4:\n    high += 1"


def rolling(folder: Path, sides: int, small: int = 3) -> Report:
    """Verify a game of six rolls; who wins by six high ones is open, and a scope has few sides."""
    spec = {
        "game": "rolling", "title": "Rolling", "players": {"count": 2},
        "constants": {"sides": sides},
        "state": {"n": {"type": "int 0..6"}, "high": {"type": "int 0..6"},
                  "active": {"type": "player", "start": 1}},
        "steps": {"game": {}}, "start": "game",
        "clauses": [
            {"id": "rolls", "kind": "order", "says": "six rolls", "on": "game", "do": ROLLS},
            {"id": "six", "kind": "outcome", "says": "six high rolls win", "on": "game",
             "after": ["rolls"], "when": "high == 6", "do": "win(active)"},
            {"id": "rest", "kind": "outcome", "says": "else nobody wins", "on": "game",
             "after": ["six"], "do": "end_game()"}],
        "scopes": {"tiny": {"about": "few sides", "constants": {"sides": small}}},
        "open_points": [{"id": "who", "clauses": ["six"], "asks": "who wins", "readings": [
            {"id": "roller", "title": "who rolls", "changes": {}},
            {"id": "same", "title": "who rolls, said otherwise",
             "changes": {"six": {"do": "p = active\nwin(p)"}}},
            {"id": "other", "title": "the other",
             "changes": {"six": {"do": "win(next_player(active))"}}}]}]}
    (folder / "game.yaml").write_text(json.dumps(spec), "utf-8")
    return verify(str(folder), Settings(), only=("ambiguity",))


def test_what_only_the_printed_size_has_tells_readings_apart(tmp_path: Path) -> None:
    """No roll of the scope is high; in the printed game one game in four is decided by it."""
    report = rolling(tmp_path, sides=20)
    (finding,) = report.everything
    (harmless,) = report.harmless

    assert (finding.open_point, finding.level, finding.evidence.method) == ("who", 1, "sampled")
    assert (finding.evidence.scope, finding.evidence.depth) == ("printed", 6)
    assert harmless.open_point == "who=same"
    assert "random plays" in harmless.why
    assert "scopes (tiny)" in harmless.why


def test_what_never_runs_is_not_called_harmless(tmp_path: Path) -> None:
    """With dice of four sides nothing is ever high, and nothing follows about who would win."""
    report = rolling(tmp_path, sides=4)

    assert not report.everything
    assert not report.harmless
    assert {one.what for one in report.not_checked if "ever runs" in one.why} == {
        "who = same", "who = other"}


def test_what_a_scope_shows_needs_no_luck(tmp_path: Path) -> None:
    """Where a scope has high rolls the readings part there, in every state."""
    (finding,) = rolling(tmp_path, sides=20, small=6).everything

    assert (finding.evidence.scope, finding.evidence.method) == ("tiny", "exhaustive")


def test_scopes_that_are_too_large_to_compare_in_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scope in which no reading was tried is no ground for a verdict, and the report says so."""
    report = rolling(tmp_path, sides=20, small=6)
    assert not any("scope" in one.what for one in report.not_checked)

    monkeypatch.setattr(audit, "SMALL", 20)
    spec = json.loads((tmp_path / "game.yaml").read_text("utf-8"))
    spec["scopes"]["large"] = {"about": "more rolls", "constants": {"sides": 7}}
    spec["scopes"]["tiny"]["constants"] = {"sides": 3}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("ambiguity",))

    assert {one.what: one.why for one in report.not_checked}["open points in scope large"] == (
        "it has more than 20 states")


def test_two_answers_are_never_told_in_the_same_words(tmp_path: Path) -> None:
    """Where both end the game for nobody, what lies elsewhere on the table is told."""
    spec = {
        "game": "coins", "title": "Coins", "players": {"count": 2},
        "families": {"coin": {}}, "cards": {"coin": {"penny": {"copies": 2}}},
        "zones": {"bank": {"holds": "coin", "kind": "bag", "starts": "all"},
                  "purse": {"holds": "coin", "kind": "bag", "per": "player"}},
        "state": {"active": {"type": "player", "start": 1}},
        "steps": {"game": {}}, "start": "game",
        "clauses": [{"id": "take", "kind": "effect", "says": "a coin is taken", "on": "game",
                     "do": "n = roll(2)\nmove(coin.penny, bank, purse[active])\nend_game()"}],
        "open_points": [{"id": "whose", "clauses": ["take"], "asks": "who takes it", "readings": [
            {"id": "active", "title": "whose turn it is", "changes": {}},
            {"id": "next", "title": "the next player", "changes": {"take": {
                "do": "n = roll(2)\nmove(coin.penny, bank, purse[next_player(active)])\n"
                      "end_game()"}}}]}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    (finding,) = verify(str(tmp_path), Settings(), only=("ambiguity",)).everything
    outcomes = [one.outcome for one in finding.readings]

    assert len(set(outcomes)) == 2
    assert all("purse" in one and one.endswith("the game is over: nobody wins")
               for one in outcomes)
