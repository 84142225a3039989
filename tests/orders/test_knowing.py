"""An order is harmless only if whoever decides later cannot make use of what was done before."""

from __future__ import annotations

import json
from functools import cache
from typing import TYPE_CHECKING

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.findings.evidence import NotReplayed
from ruleproof.checker.orders.cases import sure
from ruleproof.checker.orders.deciding import proof_of, settled_by
from ruleproof.checker.points.points import points_of
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from ruleproof.checker.findings.results import Report
    from ruleproof.model.machine.state import State
    from ruleproof.model.run.interp import Interpreter

LAYS = "for p in players:\n  x = choose(range(1, 3), by=p)\n  penny[p] = x"
ADDS = "for p in players:\n  x = choose(range(0, 2), by=p)\n  heap += x"
ONE = "x = choose(range(1, 3), by=first)\nmine = x"
OTHER = "x = choose(range(1, 3), by=next_player(first))\ntheirs = x"
ROLLS = "x = roll(2)\ntheirs = x"
PENNIES = "penny[first] == penny[next_player(first)]"
TABLE: dict[str, tuple[list[str], str, str, str]] = {
    "a loop": ([LAYS], PENNIES, "all", "found"),
    "a loop that adds up": ([ADDS], "heap == 1", "all", "found"),
    "a loop in which one decides it": ([LAYS], "penny[first] == 2", "all", "compared"),
    "a loop of which nothing hangs": ([LAYS], "True", "all", "unknown"),
    "a loop in secret": ([LAYS], PENNIES, "owner", "proof"),
    "a loop in which the same one decides": (
        [LAYS.replace("by=p", "by=first")], PENNIES, "all", "proof"),
    "two sentences": ([ONE, OTHER], "mine == theirs", "all", "found"),
    "two sentences of which one decides it": ([ONE, OTHER], "mine == 1", "all", "compared"),
    "two sentences with one who decides": (
        [ONE, OTHER.replace("next_player(first)", "first")], "mine == theirs", "all", "proof"),
    "a choice and a die": ([ONE, ROLLS], "mine == theirs", "all", "found"),
    "two dice": ([ROLLS.replace("theirs", "mine"), ROLLS], "mine == theirs", "all", "proof"),
    "two rules": (["rule", ONE, OTHER], "mine == theirs", "all", "found"),
}
"""Bodies in no stated order, when the first player wins, who sees the pennies, and the verdict."""


def write(
    folder: Path, bodies: list[str], test: str, seen_by: str, most: int = 2
) -> str:
    """Write a game in which these are done, and then it is over; give the point about them."""
    rules = bodies[0] == "rule"
    texts = bodies[rules:]
    names = ("one", "two")[:len(texts)]
    at: dict[str, object] = {"whenever": "go", "timing": "at once", "fires": "once per change"} if (
        rules) else {"on": "laying"}
    marks = {"stated": {"who-chooses": "a penny"}}
    clauses = [{"id": name, "kind": "effect", "says": "a penny is laid", "do": text, **at,
                **(marks if rules else {})} for name, text in zip(names, texts, strict=True)]
    (folder / "game.yaml").write_text(json.dumps({
        "game": "pennies", "title": "Pennies", "players": {"count": 2},
        "state": {"first": {"type": "player", "start": 1}, "go": {"type": "bool"},
                  "mine": {"type": "int 0..2"}, "theirs": {"type": "int 0..2"},
                  "heap": {"type": "int 0..2"},
                  "penny": {"type": f"int 0..{most}", "per": "player", "seen_by": seen_by}},
        "steps": {"game": {}, "laying": {}, "comparing": {}}, "start": "game",
        "clauses": [
            {"id": "order", "kind": "order", "says": "they lay and compare", "on": "game",
             "do": f"{'go = True' if rules else 'laying()'}\ncomparing()"}, *clauses,
            {"id": "win", "kind": "outcome", "says": "who wins", "on": "comparing",
             "do": f"if {test}:\n  win(first)\nelse:\n  win(next_player(first))"}]}), "utf-8")
    return "order/" + "/".join(names)


def worths(judge: Interpreter) -> tuple[float, ...]:
    """Return what each of two can make sure of, by going through all plays with the interpreter."""
    @cache
    def worth(state: State) -> tuple[float, ...]:
        odds = judge.chance(state)
        if odds:
            some = [(worth(judge.step(state, move).state), float(share)) for move, share in odds]
            return tuple(sum(each[seat] * share for each, share in some) for seat in range(2))
        moves = judge.moves(state)
        if not moves:
            return tuple(float(seat in judge.winners(state)) for seat in range(2))
        after = [worth(judge.step(state, move).state) for move in moves]
        who = judge.by(state)
        return tuple((max if seat == who else min)(each[seat] for each in after)
                     for seat in range(2))

    return worth(judge.start().state)


def verdict(report: Report, point: str) -> str:
    """Say in one word what a report says of an order."""
    if any(each.open_point == point and each.level == 1 for each in report.everything):
        return "found"
    if any(each.what == point for each in report.not_checked):
        return "unknown"
    (line,) = (each for each in report.harmless if each.open_point == point)
    return {"bounded": "compared"}.get(line.method, line.method)


@pytest.mark.parametrize("name", TABLE)
def test_an_order_of_deciding_is_held_against_every_play(name: str, tmp_path: Path) -> None:
    """Each verdict is so by the values of both games; `ask` passes over what is proved alone."""
    *texts, expected = TABLE[name]
    point = write(tmp_path, *texts)  # type: ignore[arg-type]
    bench = Workbench(str(tmp_path), Settings())
    base = bench.instance("printed")
    (asked,) = (each for each in points_of(base.compiled) if each.id == point)
    one, two = (worths(bench.instance("printed", rulings={point: each}).interpreter)
                for each, _ in asked.readings)
    report = verify(str(tmp_path), Settings(), only=("order-dependence",))

    assert verdict(report, point) == expected
    assert expected == "proof" or (one != two) == (expected == "found")
    assert bool(settled_by(base.compiled, asked)) == (expected == "proof")
    assert proof_of(base.compiled, asked) or "adds" in name


@pytest.mark.parametrize(("worth", "other", "told"), [
    (0.5, 1.0, "winning 1 time of 2,"), (5 / 9, 0.0, "winning 5 times of 9,"),
    (55 / 81, 59 / 81, "winning about 68 % of the time,"),
    (55 / 81, 56 / 81 - 0.01, "winning about 67.9 % of the time,"),
    (0.9975, 0.5, "winning about 99.8 % of the time,"), (0.001, 0.5, "about 0.1 % of the time,"),
    (1 - 1e-9, 0.5, "sure to win,"), (1e-9, 0.5, "kept from winning by the others,")])
def test_only_what_is_a_fraction_is_told_as_one(worth: float, other: float, told: str) -> None:
    """A worth that no simple fraction comes to is told in per cent, and never as none or all."""
    assert told in sure(worth, other)


def test_what_two_can_make_sure_of_is_not_told_as_another_fraction(tmp_path: Path) -> None:
    """Each rolls three sides and may roll again: 55 / 81 who is first, 59 / 81 who is second.

    That is (d / 3)², rolled again below 14 / 27, and 1 - ((d - 1) / 3)², above 22 / 27.
    """
    rolls = ("for p in players:\n  r = roll(3)\n  penny[p] = r\n  if may(by=p):\n"
             "    s = roll(3)\n    penny[p] = s")
    point = write(tmp_path, [rolls], "penny[first] >= penny[next_player(first)]", "all", 3)
    report = verify(str(tmp_path), Settings(), only=("order-dependence",))
    (finding,) = (each for each in report.everything if each.open_point == point)

    assert sorted(each.outcome.partition(",")[0] for each in finding.readings) == [
        f"player 1 can make sure of winning about {share} % of the time" for share in (68, 73)]


def test_an_order_that_decides_is_left_open_where_no_play_can_be_shown(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It is not said to decide nothing."""
    def refused(*_: object) -> None:
        raise NotReplayed

    monkeypatch.setattr("ruleproof.checker.orders.knowing.play_of", refused)
    point = write(tmp_path, [LAYS], PENNIES, "all")
    report = verify(str(tmp_path), Settings(), only=("order-dependence",))
    (note,) = (each for each in report.not_checked if each.what == point)

    assert verdict(report, point) == "unknown"
    assert "no play from the setup could be shown" in note.why
