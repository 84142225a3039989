"""A scope is left out of a comparison only where what changes cannot have acted in it."""

from __future__ import annotations

from typing import Any

import pytest

from ruleproof.checker.clauses.exercise import may_differ
from ruleproof.checker.judge.audit import Scoped
from ruleproof.checker.search.workbench import Workbench
from ruleproof.checker.verify import explore_scope
from ruleproof.model.game.game import Settings
from ruleproof.tests.games.test_laws import SPECS


@pytest.fixture(scope="module")
def scope() -> Scoped:
    """Explore the fair stall."""
    bench = Workbench(str(SPECS / "stall"), Settings())
    return explore_scope(bench, "printed", 20_000, None, lambda _: None)


@pytest.mark.parametrize(("reading", "differs"), [
    ({}, False),
    ({"id": "same", "changes": {}}, False),
    ({"windows": {"stall": {"order": "clockwise"}}}, True),
    ({"changes": {"window:stall": {"forced": True}}}, True),
    ({"constants": {"hand_limit": 1}}, True),
    ({"add": [{"id": "x"}]}, True),
    ({"changes": {"s.give": {"when": "False"}}}, True),
    ({"drop": ["unknown"]}, True),
])
def test_readings(scope: Scoped, reading: dict[str, Any], *, differs: bool) -> None:
    """What is not a change of a body that never ran is compared."""
    clauses = {clause.id: clause for clause in scope.instance.game.clauses}
    assert may_differ(scope, reading, clauses) == differs


def test_a_term_taken_out_is_compared() -> None:
    """A definition has no body that could have run, and still matters."""
    bench = Workbench("edition-wars", Settings(scope="tiny_stalemate"))
    small = explore_scope(bench, "tiny_stalemate", 20_000, None, lambda _: None)
    clauses = {clause.id: clause for clause in small.instance.game.clauses}
    term = next(name for name, clause in clauses.items() if clause.define)
    assert may_differ(small, {"drop": [term]}, clauses)
