"""What is called exhaustive left nothing out."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleproof.checker.verify import verify
from ruleproof.cli.commands.verify import outcome
from ruleproof.cli.exit import LIMIT, OK
from ruleproof.model.game.game import Settings
from ruleproof.model.stop import TIME_UP

GAME = """
game: anthill
title: Anthill
players: {count: 1}
families: {bug: {}}
cards: {bug: {ant: {}}}
state: {turns: {type: int 0..4, start: 4}}
pools: {hill: {capacity: ROOM, fields: {card: card bug}}}
steps: {game: {}, turn: {}}
windows: {first: {by: only(players), done: begin}}
start: game
clauses:
- {id: order, kind: order, says: turn after turn, on: game, do: "first()\\nwhile turns > 0: turn()"}
- {id: end, kind: outcome, says: it ends, on: game, after: [order], do: "end_game()"}
- {id: count, kind: effect, says: turns pass, on: turn, do: "turns -= 1"}
- {id: come, kind: effect, says: an ant comes, on: turn, do: "new(hill, card=bug.ant)"}
- {id: small, kind: limit, says: there are never five, always: "size(hill) < 5"}
"""


@pytest.mark.parametrize(("room", "method"), [(4, "exhaustive"), (2, "bounded")])
def test_a_full_pool_bounds_what_was_looked_at(tmp_path: Path, room: int, method: str) -> None:
    """Where more records are made than the model holds, nothing is called exhaustive."""
    (tmp_path / "game.yaml").write_text(GAME.replace("ROOM", str(room)), "utf-8")

    report = verify(str(tmp_path), Settings())

    assert report.explored[0].complete == (method == "exhaustive")
    shown = {one.what: one.method for one in report.holds}
    assert shown["every play comes to an end"] == method
    assert {one.method for one in report.harmless} <= {method, "proof"}
    assert any("beyond this" in one.what for one in report.not_checked) == (method == "bounded")


def test_what_is_not_asked_in_time_is_listed(tmp_path: Path) -> None:
    """With no time at all nothing is claimed, and the exit status says that a limit stopped it."""
    (tmp_path / "game.yaml").write_text(GAME.replace("ROOM", "4"), "utf-8")

    report = verify(str(tmp_path), Settings(), max_time=0)

    assert not report.everything
    assert not report.harmless
    assert not report.holds
    late = {one.what for one in report.not_checked if one.why == TIME_UP}
    assert {"open points", "worked examples", "what holds at the printed size"} <= late
    assert outcome(report, "any") == LIMIT
    assert outcome(verify(str(tmp_path), Settings(), max_time=600), "never") == OK


def test_a_claim_is_not_false_because_a_scope_was_left_out(tmp_path: Path) -> None:
    """What comes up only where there was no time to look is neither denied nor confirmed."""
    text = GAME.replace("ROOM", "4") + (
        "- {id: many, kind: claim, says: there are four once, reachable: size(hill) == 4}\n"
        "scopes:\n  one: {state: {turns: 1}}\n  two: {state: {turns: 4}}\n")
    (tmp_path / "game.yaml").write_text(text, "utf-8")

    assert not verify(str(tmp_path), Settings(), only=("false-claim",)).everything
    short = verify(str(tmp_path), Settings(), only=("false-claim",), max_time=1e-3)
    assert not short.everything
    assert any(one.what == "scope two" for one in short.not_checked)
