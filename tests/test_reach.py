"""What is called exhaustive left nothing out."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleproof.checker.verify import verify
from ruleproof.model.game import Settings

GAME = """
game: anthill
title: Anthill
players: {count: 1}
families: {bug: {}}
cards: {bug: {ant: {}}}
state: {turns: {type: int 0..4, start: 4}}
pools: {hill: {capacity: ROOM, fields: {card: card bug}}}
steps: {game: {}, turn: {}}
start: game
clauses:
- {id: order, kind: order, says: turn after turn, on: game, do: "while turns > 0: turn()"}
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

    assert report.explored[0].complete
    shown = {one.what: one.method for one in report.holds}
    assert shown["every play comes to an end"] == method
    assert {one.method for one in report.harmless} <= {method, "proof"}
    assert any("beyond this" in one.what for one in report.not_checked) == (method == "bounded")
