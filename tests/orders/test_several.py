"""Sentences in no stated order, of which each two alone may make no difference, and all may."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import pytest

from ruleproof.checker.findings.results import WINNER, Report
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings

DOORS = ("if u and v:\n  z = True", "u = True", "v = True")
SENTENCES = {
    "through both doors": DOORS,
    "each to the most": ("m = max(m, 1)", "m = max(m, 2)", "m = max(m, 3)"),
    "the last one counts": ("m = 1", "m = 2", "m = 3"),
    "a circle": ("if u:\n  v = True", "if v:\n  z = True", "u = True"),
    "a third that is behind": ("if u and v:\n  z = True", "u = True", "v = z"),
}


def checked(
    folder: Path, *bodies: str, only: tuple[str, ...] = ("order-dependence", "overlap"),
    **fields: object
) -> Report:
    """Verify a game whose only step has some clauses; `c0`, `c1`, … in the order of the file."""
    truth = {"type": "bool"}
    (folder / "game.yaml").write_text(json.dumps({
        "game": "several", "title": "Several", "players": {"count": 2},
        "state": {"active": {"type": "player", "start": 1}, "m": {"type": "int 0..9"},
                  "u": truth, "v": truth, "z": truth},
        "steps": {"game": {}, "step": {}}, "start": "game",
        "clauses": [
            {"id": "all", "kind": "order", "says": "all is done", "on": "game", "do": "step()\n"
             "if z:\n  win(active)\nif m == 2:\n  win(next_player(active))"},
            *({"id": f"c{number}", "kind": "effect", "says": f"thing {number} is done",
               "on": "step", "do": body} | (fields if number == 0 else {})
              for number, body in enumerate(bodies))]}), "utf-8")
    return verify(str(folder), Settings(), only=only)


def ends(*bodies: str) -> tuple[int, bool, bool, bool]:
    """Run some bodies in Python, whose syntax they have, one after the other."""
    state: dict[str, object] = {"m": 0, "u": False, "v": False, "z": False}
    for body in bodies:
        exec(body, {"max": max}, state)  # noqa: S102
    return state["m"], state["u"], state["v"], state["z"]  # type: ignore[return-value]


@pytest.mark.parametrize("name", SENTENCES)
def test_an_order_is_harmless_only_if_all_orders_come_to_the_same(
    tmp_path: Path, name: str
) -> None:
    """That holds for three sentences as for two: where some order differs there is a finding."""
    bodies = SENTENCES[name]
    report = checked(tmp_path, *bodies)
    same = len({ends(*each) for each in permutations(bodies)}) == 1

    assert same == (not report.findings)
    assert not [one for one in report.not_checked if one.kind == "question"]


def test_what_all_come_to_is_told_for_the_order_that_differs(tmp_path: Path) -> None:
    """The finding is about all sentences, and its answers are orders of them."""
    (found,) = checked(tmp_path, *DOORS).findings

    assert found.clauses == ("c0", "c1", "c2")
    assert [(one.title, one.outcome) for one in found.readings] == [
        ("thing 0 is done; then: thing 1 is done; then: thing 2 is done",
         "the game is over: nobody wins"),
        ("thing 1 is done; then: thing 2 is done; then: thing 0 is done",
         "the game is over: player 1 wins")]
    assert found.observable == WINNER


def test_no_sentence_of_an_order_that_matters_is_idle(tmp_path: Path) -> None:
    """What does nothing where one order is played may do something in another one."""
    report = checked(tmp_path, *DOORS, only=("inert-clause", "order-dependence"))
    idle = {one.id for one in report.everything if one.cls == "inert-clause"}

    assert "order-dependence" in {one.cls for one in report.everything}
    assert not {f"several/inert-clause/c{number}" for number in range(3)} & idle


def test_what_fails_in_one_order_of_several_is_told(tmp_path: Path) -> None:
    """Where both orders come to the same, what cannot be done in one of them parts them."""
    (found,) = checked(
        tmp_path, "if u and v:\n  active = only(players)", "u = True", "v = True").findings

    assert len({one.outcome for one in found.readings}) == 2
    assert any("thing 0" in one.outcome for one in found.readings)


def test_what_is_stated_is_turned_in_no_order(tmp_path: Path) -> None:
    """Who goes through the doors before one of them opens never finds both open."""
    report = checked(tmp_path, *DOORS, before=["c1"])

    assert not report.findings
    assert not [one for one in report.not_checked if one.kind == "question"]


def test_two_that_matter_alone_are_not_turned_with_others(tmp_path: Path) -> None:
    """What the order of two of them changes is told of these two, and of no more."""
    report = checked(tmp_path, "m = 1", "m = max(m, 0)", "m = 2")

    assert [one.clauses for one in report.everything] == [("c0", "c2")]


def test_what_a_third_sentence_tells_of_one_of_them_is_no_finding_of_all(tmp_path: Path) -> None:
    """Sentences beside them keep their place where it matters, so that it shows nothing of them."""
    report = checked(
        tmp_path, "u = True\nm = max(m, 1)", "z = u", "m = max(m, 2)", "m = max(m, 3)")

    assert [one.clauses for one in report.everything] == [("c0", "c1")]
    assert not [one for one in report.not_checked if one.kind == "question"]


def test_orders_of_many_sentences_that_no_pair_tells_are_not_said_to_be_compared(
    tmp_path: Path
) -> None:
    """Of more sentences than are compared in all orders it is told that only pairs were."""
    report = checked(tmp_path, *(f"m = max(m, {number})" for number in range(6)))
    (left,) = (one for one in report.not_checked if one.kind == "question")

    assert not report.findings
    assert left.point == "order/c0/c1/c2/c3/c4/c5"
    assert "other orders of all of them were not compared" in left.why
