"""A window in which the players act in any order is harmless only if no order of asking matters."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.points.points import points_of
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from ruleproof.model.machine.state import State
    from ruleproof.model.run.interp import Interpreter

TAKE = {"id": "take", "kind": "permit", "says": "the banker may take the crown", "on": "haggle",
        "option": "take", "when": "actor == banker", "stated": {"how-often": "may"},
        "do": "who = actor"}
BUY = {"id": "buy", "kind": "permit", "says": "the other may buy it", "on": "haggle",
       "option": "buy", "when": "actor != banker and coin > 0", "stated": {"how-often": "may"},
       "do": "coin -= 1\nwho = actor"}
ARM = {"id": "arm", "kind": "permit", "says": "the banker may arm", "on": "haggle",
       "option": "arm", "when": "actor == banker", "do": "who = actor"}
STRIKE = {"id": "strike", "kind": "permit", "says": "the other may strike one who is armed",
          "on": "haggle", "option": "strike", "when": "actor != banker and who == banker",
          "do": "who = actor"}
LAST, NOT_ARMED = "if who != none:\n  win(who)", "if who != banker:\n  win(next_player(banker))"
OWN = {"id": "mark", "kind": "permit", "says": "each may mark", "on": "haggle", "option": "mark",
       "stated": {"how-often": "may"}, "do": "coin = 0\nwho = banker"}
WINDOWS: dict[str, tuple[list[dict[str, Any]], str, str, str, int]] = {
    # the clauses, how it ends, how often each is asked, the verdict, who is the banker
    "taken again and again": ([TAKE, BUY], LAST, "until_pass", "found", 2),
    "one can act only after another one": (
        [ARM, STRIKE], f"{NOT_ARMED}\nwin(banker)", "once", "found", 1),
    "one can act only after another one, again": (
        [ARM, STRIKE], f"{NOT_ARMED}\nwin(banker)", "until_pass", "found", 1),
    "all do the same again and again": ([OWN], LAST, "until_pass", "compared", 2),
}


def write(
    folder: Path, clauses: list[dict[str, Any]], end: str, each: str, banker: int, **order: str
) -> Workbench:
    """Write a game of two with one window."""
    (folder / "game.yaml").write_text(json.dumps({
        "game": "haggle", "title": "Haggle", "players": {"count": 2},
        "state": {"who": {"type": "player?"}, "banker": {"type": "player", "start": banker},
                  "coin": {"type": "int 0..1", "start": 1}},
        "steps": {"game": {}}, "start": "game",
        "windows": {"haggle": {"who": "players", "each": each, "done": "stop", **order}},
        "clauses": [{"id": "game", "kind": "order", "says": "they haggle", "on": "game",
                     "do": f"haggle()\n{end}"}, *clauses]}), "utf-8")
    return Workbench(str(folder), Settings())


def worths(judge: Interpreter) -> list[float]:
    """Return what each of two can make sure of, by the interpreter: sweeps till nothing grows."""
    states: list[State] = [judge.start().state]
    after: dict[State, list[State]] = {}
    for state in states:
        after[state] = [judge.step(state, move).state for move in judge.moves(state)]
        states += [then for then in dict.fromkeys(after[state]) if then not in {*states}]
    found = []
    for seat in range(2):
        worth = {state: float(seat in judge.winners(state)) for state in states}
        for _ in states:
            for state, some in after.items():
                if some:
                    best = max if judge.by(state) == seat else min
                    worth[state] = best(worth[then] for then in some)
        found.append(worth[states[0]])
    return found


@pytest.mark.parametrize("name", WINDOWS)
def test_a_window_is_held_against_each_order_of_asking(name: str, tmp_path: Path) -> None:
    """It is found where what a player can make sure of is not the same whoever is first."""
    clauses, end, each, expected, banker = WINDOWS[name]
    one, two = (worths(write(tmp_path, clauses, end, each, banker, order="clockwise",
                             **{"from": first}).instance("printed").interpreter)
                for first in ("next_player(banker)", "banker"))
    write(tmp_path, clauses, end, each, banker)
    report = verify(str(tmp_path), Settings(), only=("order-dependence",))
    sure = [[each.outcome for each in finding.readings] for finding in report.everything
            if finding.open_point == "order/haggle" and finding.level == 1]

    assert (one != two) == (expected == "found") == bool(sure)
    assert (expected == "compared") == ("order/haggle" in {
        line.open_point for line in report.harmless})
    assert all({each.partition(",")[0].split(" ", 2)[2] for each in some} == {
        "can be sure to win", "can be kept from winning by the others"} for some in sure)


def test_for_two_players_clockwise_and_counterclockwise_are_one_answer(tmp_path: Path) -> None:
    """Both begin with the first seat, so with two they are the same game, and asked about once."""
    bench = write(tmp_path, [TAKE, BUY], LAST, "until_pass", 2)
    (point,) = (each for each in points_of(bench.instance("printed").compiled)
                if each.kind == "window")
    one, two = (bench.instance("printed", rulings={point.id: reading}).interpreter
                for reading in ("clockwise", "counterclockwise"))

    assert worths(one) == worths(two)
    assert [name for name, _ in point.readings] == ["clockwise", "unstated"]
