"""The worked examples of the bundled games, by the rules as they are encoded."""

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.examples.examples import run
from ruleproof.checker.judge.audit import Audit, Listener
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import bundled


@pytest.mark.slow
@pytest.mark.parametrize("game", bundled())
def test_worked_examples_of_a_bundled_game_hold(game: str) -> None:
    """Every example can be played to its end, with each choice that it leads to, and comes out."""
    bench = Workbench(game, Settings())
    audit = Audit(bench, bench.instance("printed"), [], 1, 0, Listener(), lambda _: True)
    run(audit)
    examples = {clause.id for clause in audit.printed.game.clauses if clause.example is not None}

    assert not audit.not_checked
    assert {holds.clause for holds in audit.holds} == examples
