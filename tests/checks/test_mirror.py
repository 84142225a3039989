"""Readings that differ in the direction around the table alone decide nobody's chances."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from ruleproof.checker.findings.results import Finding


def passing(folder: Path, also: str = "", order: str = "") -> Finding:
    """Verify a game in which it is open who is next, and each may win; return what it asks."""
    spec: dict[str, Any] = {
        "game": "passing", "title": "Passing", "players": {"count": 4},
        "constants": {"turns": 6}, "scopes": {"tiny": {"constants": {"turns": 4}}},
        "state": {"n": {"type": "int 0..6"}, "active": {"type": "player", "start": 1}},
        "steps": {"game": {}}, "start": "game",
        "windows": {"acting": {"by": "active", "done": "pass"},
                    **({"each": {"who": "players", "order": order, "from": "active",
                                "done": "pass"}} if order else {})},
        "clauses": [
            {"id": "turns", "kind": "order", "says": "six turns", "on": "game",
             "do": "while n < turns:\n  n += 1\n  acting()\n" + ("  each()\n" if order else "")
             + "  active = next_player(active)"},
            {"id": "wins", "kind": "permit", "says": "one may win", "on": "acting",
             "option": "win", "do": f"x = roll(6)\nif x > 4:\n  win({also or 'active'})"},
            {"id": "rest", "kind": "outcome", "says": "else nobody wins", "on": "game",
             "after": ["turns"], "do": "end_game()"}],
        "open_points": [{"id": "way", "clauses": ["turns"], "asks": "who is next", "readings": [
            {"id": "left", "title": "the left", "changes": {}},
            {"id": "right", "title": "the right", "changes": {"turns": {
                "do": "while n < turns:\n  n += 1\n  acting()\n" + ("  each()\n" if order else "")
                + "  active = previous_player(active)"}}}]}]}
    if order:
        spec["clauses"].append({"id": "too", "kind": "permit", "says": "each may win", "on": "each",
                                "option": "win", "do": "x = roll(6)\nif x > 4:\n  win(actor)"})
    (folder / "game.yaml").write_text(json.dumps(spec), "utf-8")
    (found,) = verify(str(folder), Settings(), only=("ambiguity",)).findings
    return found


def test_a_mirror_image_is_asked_for_and_decides_nothing(tmp_path: Path) -> None:
    """It stays a question about the printed game; no share of games hangs on it."""
    found = passing(tmp_path)

    assert (found.level, found.frequency, found.only_smaller) == (2, None, False)
    assert "mirror images" in found.explanation


@pytest.mark.parametrize(("also", "order"), [
    ("next_player(active)", ""),
    ("", "clockwise"),
])
def test_where_another_rule_has_a_direction_it_matters(
    also: str, order: str, tmp_path: Path
) -> None:
    """With a rule that keeps its own direction the readings are two games."""
    found = passing(tmp_path, also, order)

    assert found.level == 1
    assert found.frequency is not None
    assert "mirror" not in found.explanation
