"""Rules of any time: what several do that one event sets off, and one that is set off again."""

import json
from pathlib import Path

import pytest

from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.machine.machine import Machine
from ruleproof.model.plays.board import values_by_name
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


LATER = """
game: later
title: A sentence that may write once what a rule reads
players: {count: 2}
families: {rank: {}}
cards: {rank: {a: {copies: 1, abilities: {turn: "n = 0"}}, b: {copies: 1}}}
zones: {deck: {holds: rank, kind: deck, starts: all, seen_by: none}, hand: {holds: rank, kind: bag}}
state:
  active: {type: player, start: 1}
  lit: {type: bool}
  n: {type: int 0..3}
  m: {type: int 0..3}
  who: {type: players}
  hits: {type: int 0..9}
steps: {game: {}, first: {}, second: {}}
start: game
clauses:
- {id: go, kind: order, says: the one and the other, on: game, do: "first()\\nsecond()"}
- {id: set, kind: effect, says: all this may be so or not, on: first, do: SET}
- {id: may, kind: effect, says: it is written or not, on: second, do: BODY}
- id: hit
  kind: effect
  says: a hit
  whenever: n == 0 and size(deck) + size(hand) == 2
  timing: TIMING
  fires: FIRES
  do: hits += 1
"""
SET = """
y = may(by=active, ask="lit")
lit = y
x = choose(range(0, 3), by=active)
m = x
who = {p for p in players if p == active and lit}
"""
BODIES = {
    "in an if": "if lit:\n  n = 0",
    "in one of its ways": "if lit:\n  n = 0\nelif m == 1:\n  n = n",
    "in each of its ways": "if lit:\n  n = 0\nelse:\n  n = n",
    "or the game ends": "if lit:\n  n = 0\nelse:\n  end_game()",
    "for one of the players": "for p in clockwise(active):\n  if p != active and lit:\n    n = 0",
    "for some": "for p in who:\n  n = 0",
    "in a while": "while m == 1:\n  n = 0\n  m = 2",
    "in a loop over numbers": "for i in range(m, 2):\n  if i == 1:\n    n = 0",
    "if a player likes": 'if may(by=active, ask="yes"):\n  n = 0',
    "by what is chosen": "y = choose(range(0, 2), by=active)\nif y == 0:\n  n = 0",
    "by a card": "c = random(deck)\nc.turn()",
    "by another one, too": "z = roll(2)\nif z == 1:\n  n = 0\nif lit and z != 1:\n  n = 1 - n",
    "a draw": "if lit:\n  draw(1, deck, hand)",
    "a draw from what may be empty": "if lit:\n  move_all(deck, hand)\ndraw(1, deck, hand)",
}

SURE = (
    "for p in clockwise(active):\n  n = 0",
    "y = choose(range(0, 2), by=active)\nn = 0",
    "if m == 1:\n  c = draw(deck, hand)\n  n = 0\nelse:\n  n = 1\n  d = draw(deck, hand)",
)
"""Bodies that write what the rule reads, whatever comes of it."""


def _later(folder: Path, body: str, timing: str, fires: str) -> Machine:
    """Compile a game in which a sentence may write what a rule reads."""
    text = LATER.replace("SET", json.dumps(SET.strip())).replace("BODY", json.dumps(body))
    text = text.replace("TIMING", timing).replace("FIRES", fires)
    (folder / "game.yaml").write_text(text, "utf-8")
    return compile_game(load_game(str(folder), Settings())).machine


def _ends(machine: Machine) -> set[str]:
    """Play a game in every way, and return all that can be so in the end."""
    judge = Interpreter(machine)
    told = {array.name for array in machine.declared}
    return {str([(name, value) for name, value in values_by_name(machine, state).items()
                 if name in told]) for state in states_of(judge) if judge.final(state)}


@pytest.mark.parametrize("fires", ["each time", "once per change"])
@pytest.mark.parametrize("name", BODIES)
def test_what_is_written_once_is_looked_at_once(tmp_path: Path, name: str, fires: str) -> None:
    """A sentence that writes once what a rule reads sets it off at its end as it would at once.

    If it ends without having written it, it does not.
    """
    at_once, later = (_ends(_later(tmp_path, BODIES[name], timing, fires))
                      for timing in ("at once", "after the step"))

    assert at_once == later


def test_only_what_may_not_be_written_is_noted(tmp_path: Path) -> None:
    """A sentence that writes what a rule reads whichever way it ends has no local for that."""
    bodies = (BODIES["in each of its ways"], BODIES["or the game ends"], *SURE)
    machines = [_later(tmp_path, body, "after the step", "each time") for body in bodies]

    assert not [array.name for each in machines for array in each.arrays if ".made" in array.name]
    assert any(".made" in array.name for array in _later(
        tmp_path, BODIES["in an if"], "after the step", "each time").arrays)
