"""Rules of any time: what several do that one event sets off, and one that is set off again."""

from pathlib import Path

import pytest

from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.run.interp import Interpreter
from ruleproof.tests.support.walks import states_of

RIVALS = """
game: rivals
title: Two immediate rules name different winners
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..9, start: 3}}
mover: active
actions: {take: {do: "n -= 1\\nactive = next_player(active)"}}
clauses:
- {id: last, kind: outcome, says: the next one wins at once, stated: {when-it-ends: at once}, whenever: n == 0, timing: at once, do: win(next_player(active))}
- {id: empty, kind: outcome, says: the mover wins at once, stated: {when-it-ends: at once}, whenever: n == 0, timing: at once, do: win(active)}
"""  # noqa: E501

AGAIN = """
game: again
title: A rule whose condition goes on to hold
players: {count: 1}
state: {n: {type: int 0..3}, hits: {type: int 0..9}}
actions:
  add: {do: n += 1, when: n < 3}
  stop: {do: end_game(), when: n == 3}
clauses:
- {id: hit, kind: effect, says: above one there is a hit, whenever: n > 1, timing: at once, do: hits += 1}
"""  # noqa: E501


@pytest.mark.parametrize(("reading", "winner"), [("first", 1), ("second", 0)])
def test_the_order_of_two_rules_decides(tmp_path: Path, reading: str, winner: int) -> None:
    """Both orders of two rules that one event sets off can be played, and each has its winner."""
    (tmp_path / "game.yaml").write_text(RIVALS, "utf-8")
    settings = Settings(rulings=(("order/last/empty", reading),))
    judge = Interpreter(compile_game(load_game(str(tmp_path), settings)).machine)

    assert {judge.winners(state) for state in states_of(judge) if judge.final(state)} == {
        (winner,)}


def test_neither_rule_is_dead_where_their_order_is_open(tmp_path: Path) -> None:
    """The order is the finding, and not that the second of them never acts in the adopted one."""
    (tmp_path / "game.yaml").write_text(RIVALS, "utf-8")
    report = verify(str(tmp_path), Settings())

    assert [(each.cls, each.open_point, each.level) for each in report.everything] == [
        ("order-dependence", "order/last/empty", 1)]


def test_acting_again_is_a_reading(tmp_path: Path) -> None:
    """Whether a rule acts each time or once per change is an ambiguity where that differs."""
    (tmp_path / "game.yaml").write_text(AGAIN, "utf-8")
    (found,) = (each for each in verify(str(tmp_path), Settings()).everything if each.open_point)

    assert (found.cls, found.open_point) == ("ambiguity", "firing/hit")
    assert [each.id for each in found.readings] == ["each-time", "once-per-change"]
