"""An order in what runs inside itself is compared to the end of the outermost run."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.orders.passages import compare_orders
from ruleproof.model.game.game import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from ruleproof.model.machine.state import State
    from ruleproof.model.run.interp import Interpreter

SKIP = {"id": "skip", "kind": "permit", "says": "the turn inside may be skipped", "on": "may_skip",
        "option": "skip", "do": "level = 1"}
DEEPER = "level = 1\n{0}\nflag = True"
SEES = "if flag:\n  x += 1"
CLAUSES = {
    "step": [{"id": "a", "kind": "effect", "says": "a turn has another one in it", "on": "turn",
              "when": "level == 0", "do": DEEPER.format("turn()")},
             {"id": "b", "kind": "effect", "says": "who sees the flag scores", "on": "turn",
              "do": SEES}],
    "loop": [{"id": "a", "kind": "effect", "says": "each has another turn in it", "on": "turn",
              "do": "for p in players:\n  if p == active and level == 0:\n    level = 1\n"
                    "    turn()\n    flag = True\n  elif flag:\n    x += 1"}],
}


def ends(judge: Interpreter) -> set[tuple[int, ...]]:
    """Return who can win, by all plays, with the interpreter."""
    found: set[tuple[int, ...]] = set()
    todo: list[State] = [judge.start().state]
    for state in todo:
        moves = judge.moves(state)
        todo += [judge.step(state, move).state for move in moves]
        if not moves:
            found.add(tuple(judge.winners(state)))
    return found


@pytest.mark.parametrize(("what", "point", "readings"), [
    ("step", "order/a/b", ("first", "second")),
    ("loop", "order/a", ("clockwise", "counterclockwise"))])
def test_an_order_inside_itself_is_followed_to_the_last_end(
    tmp_path: Path, what: str, point: str, readings: tuple[str, str]
) -> None:
    """The run inside comes to the same in both orders, and the one around it to other results."""
    (tmp_path / "game.yaml").write_text(json.dumps({
        "game": "nested", "title": "Nested", "players": {"count": 2},
        "state": {"active": {"type": "player", "start": 1}, "level": {"type": "int 0..1"},
                  "flag": {"type": "bool"}, "x": {"type": "int 0..5"}},
        "steps": {"game": {}, "turn": {"depth": 2}},
        "windows": {"may_skip": {"by": "active", "done": "stop"}}, "start": "game",
        "clauses": [{"id": "order", "kind": "order", "says": "a turn, and then the end",
                     "on": "game", "do": "may_skip()\nturn()\nif x > 0:\n  win(active)\n"
                                         "win(next_player(active))"},
                    SKIP, *CLAUSES[what]]}), "utf-8")
    bench = Workbench(str(tmp_path), Settings())
    pauses = frozenset({"turn" if what == "step" else "a"})
    found = compare_orders(*(bench.instance("printed", rulings={point: each}, pauses=pauses)
                             for each in readings))
    one, two = (ends(bench.instance("printed", rulings={point: each}).interpreter)
                for each in readings)

    assert one != two
    assert found.parting is not None
    assert found.parting.inside
