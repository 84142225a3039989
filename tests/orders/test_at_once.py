"""What several choose at the same time none of them sees, and no comparison in turn settles it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, cast

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.plays.board import values_by_name

if TYPE_CHECKING:
    from pathlib import Path

    from ruleproof.model.machine.machine import Machine
    from ruleproof.model.machine.state import State

OPEN = "for p in DOMAIN:\n  x = choose(range(1, 3), by=p)\n  penny[p] = x"
KEPT = ("those = {p for p in players if penny[p] > 0}\nfor p in DOMAIN:\n  x = choose(range(1, 3), "
        "by=p)\n  if x == 2:\n    those |= {p}\nfor p in clockwise(first):\n  penny[p] = 1\n"
        "  if p in those:\n    penny[p] = 2")


def write(folder: Path, body: str, domain: str, seen_by: str = "all") -> str:
    """Write a game in which each of two lays a penny, and they are compared."""
    (folder / "game.yaml").write_text(json.dumps({
        "game": "pennies", "title": "Pennies", "players": {"count": 2},
        "state": {"first": {"type": "player", "start": 1},
                  "penny": {"type": "int 0..2", "per": "player", "seen_by": seen_by}},
        "steps": {"game": {}, "laying": {}, "comparing": {}}, "start": "game",
        "clauses": [
            {"id": "order", "kind": "order", "says": "they lay and compare", "on": "game",
             "do": "laying()\ncomparing()"},
            {"id": "lay", "kind": "effect", "says": "each lays a penny", "on": "laying",
             "do": body.replace("DOMAIN", domain)},
            {"id": "win", "kind": "outcome", "says": "who wins", "on": "comparing",
             "do": "if penny[first] == penny[next_player(first)]:\n  win(first)\nelse:\n"
                   "  win(next_player(first))"}]}), "utf-8")
    return str(folder)


def laid(machine: Machine, state: State) -> tuple[int, ...]:
    """Return the pennies of both."""
    penny = cast("dict[str, int]", values_by_name(machine, state)["penny"])
    return tuple(penny.values())


def test_who_chooses_at_the_same_time_sees_nothing_of_the_others(tmp_path: Path) -> None:
    """At each choice nothing has changed, each way to choose comes to its end."""
    source = write(tmp_path, OPEN, "simultaneously(players)")
    one = Workbench(source, Settings()).instance("printed")
    judge, machine = one.interpreter, one.compiled.machine
    todo: list[State] = [judge.start().state]
    seen = set[tuple[bool, tuple[int, ...], tuple[int, ...]]]()
    for state in todo:
        moves = judge.moves(state)
        todo += [judge.step(state, move).state for move in moves]
        seen.add((bool(moves), laid(machine, state), judge.winners(state)))

    assert {each for each in seen if each[0]} == {(True, (0, 0), ())}
    assert {each[1:] for each in seen if not each[0]} == {
        ((1, 1), (0,)), ((2, 2), (0,)), ((1, 2), (1,)), ((2, 1), (1,))}


@pytest.mark.parametrize(("body", "seen_by", "told"), [
    (OPEN, "all", "found"), (KEPT, "all", "not checked"), (OPEN, "owner", "harmless")])
@pytest.mark.parametrize("domain", ["players", "simultaneously(players)"])
def test_together_or_in_turn_is_no_matter_of_equal_results_alone(
    tmp_path: Path, body: str, seen_by: str, told: str, domain: str
) -> None:
    """What is laid openly, or kept where all know it, tells who is asked later; no secret does."""
    report = verify(write(tmp_path, body, domain, seen_by), Settings(),
                    only=("order-dependence",))
    point = "together/lay"
    verdicts = {
        "found": any(each.open_point == point for each in report.everything),
        "not checked": any(each.what.startswith(point) for each in report.not_checked),
        "harmless": any(each.open_point == point for each in report.harmless)}

    assert verdicts == {name: name == told for name in verdicts}


BODIES = {
    "a bag": "c = choose(hand[p], by=p)\nmove(c, hand[p], shown[p])",
    "a pile": "c = choose(hand[p], by=p)\nput_on_top(c, hand[p], heap[p])",
    "some cards":
        "some = choose_cards(hand[p], by=p, at_least=1)\nmove_all(some, hand[p], shown[p])",
    "a record": "c = choose(hand[p], by=p)\nmove(c, hand[p], shown[p])\nnew(army[p], card=c)",
    "no more than fits": "x = choose(range(0, 3), by=p)\npenny[p] += x\npenny[p] -= 1",
}


@pytest.mark.parametrize("name", BODIES)
def test_what_all_do_with_their_own_comes_to_the_same_at_once(name: str, tmp_path: Path) -> None:
    """By all plays the same can come out of a loop for all at once as of one in turn."""
    body = "\n".join(f"  {line}" for line in BODIES[name].splitlines())
    found = []
    for domain in ("clockwise(first)", "simultaneously(players)"):
        (tmp_path / "game.yaml").write_text(json.dumps({
            "game": "own", "title": "Own", "players": {"count": 2}, "families": {"f": {}},
            "cards": {"f": {"a": {"copies": 2}, "b": {"copies": 2}}},
            "zones": {"box": {"holds": "f", "kind": "bag", "starts": "all"},
                      "hand": {"holds": "f", "kind": "bag", "per": "player"},
                      "shown": {"holds": "f", "kind": "bag", "per": "player"},
                      "heap": {"holds": "f", "kind": "pile", "capacity": 2, "per": "player"}},
            "pools": {"army": {"per": "player", "capacity": 2, "fields": {"card": "card f"}}},
            "state": {"first": {"type": "player", "start": 1},
                      "penny": {"type": "int 0..2", "per": "player", "start": 1}},
            "steps": {"game": {}, "turn": {}}, "start": "game", "clauses": [
                {"id": "deal", "kind": "setup", "says": "each has two", "on": "game",
                 "do": "for p in clockwise(first):\n  move(f.a, box, hand[p])\n"
                       "  move(f.b, box, hand[p])\nturn()\nend_game()"},
                {"id": "all", "kind": "effect", "says": "each does it", "on": "turn",
                 "do": f"for p in {domain}:\n{body}"}]}), "utf-8")
        one = Workbench(str(tmp_path), Settings()).instance("printed")
        judge, machine = one.interpreter, one.compiled.machine
        todo = [judge.start().state]
        ends = set[str]()
        for state in todo:
            moves = judge.moves(state)
            todo += [judge.step(state, move).state for move in moves]
            values = values_by_name(machine, state)
            if not moves:
                ends.add(str([values[each.name] for each in machine.declared]))
        found.append(ends)

    assert found[0] == found[1]
    assert len(found[0]) > 1
