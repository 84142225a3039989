"""What would leave its range is noted, at any size, and what is only supposed not to is named."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleproof.checker.engine.program import Program
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.machine.core import Binary, Const, Load, Store
from ruleproof.model.machine.machine import Machine
from ruleproof.model.proof.proofs import Proofs
from ruleproof.model.run.interp import Interpreter
from ruleproof.tests.support.drawn import many
from ruleproof.tests.support.seeding import SPECS
from ruleproof.tests.support.symbolic_machines import array, edge, machine, node

NUMBERS = st.integers(-1_000_000, 1_000_000)
TEXTS = st.recursive(
    st.sampled_from(["a", "b"]) | st.integers(0, 1_000_000).map(str),
    lambda inner: st.builds("({} {} {})".format, inner, st.sampled_from("+-*"), inner)
    | st.builds("({} {} {})".format, inner, st.sampled_from(["//", "%"]), st.integers(1, 99))
    | st.builds("{}({}, {})".format, st.sampled_from(["min", "max"]), inner, inner)
    | st.builds("abs({})".format, inner), max_leaves=5)


def assigning(text: str, start: tuple[int, int], ends: tuple[int, int]) -> Machine:
    """Compile a game whose only action puts what a text comes to into a number with a range."""
    spec = {
        "game": "ranges", "title": "Ranges", "players": {"count": 1},
        "state": {
            "a": {"type": "int -1000000..1000000", "start": start[0]},
            "b": {"type": "int -1000000..1000000", "start": start[1]},
            "c": {"type": f"int {ends[0]}..{ends[1]}", "start": ends[0]}},
        "actions": {"go": {"do": f"n = {text}\nc = {text}"}}}
    with TemporaryDirectory() as folder:
        (Path(folder) / "game.yaml").write_text(json.dumps(spec), "utf-8")
        return compile_game(load_game(folder)).machine


@many(0.6)
@given(TEXTS, st.tuples(NUMBERS, NUMBERS), st.tuples(NUMBERS, st.integers(0, 100_000)))
def test_what_would_leave_a_range_is_noted_and_kept_in_it(
    text: str, start: tuple[int, int], ends: tuple[int, int]
) -> None:
    """For every text, also one that comes to billions, and for the locals of a body, too."""
    low, high = ends[0], min(sum(ends), 1_000_000)
    game = assigning(text, start, (low, high))
    judge, program = Interpreter(game), Program(game)
    value = eval(text, {}, {"a": start[0], "b": start[1]})  # noqa: S307
    (move,) = judge.moves(judge.start().state)
    after = judge.step(judge.start().state, move)
    prompts = {duty.id: duty.prompt for duty in game.obligations}
    noted = {prompts[number].split("`")[1] for number in after.notes}
    packed = program.start()[0]

    assert noted == ({"c"} if not low <= value <= high else set()) | (
        {"n"} if abs(value) > 1_000_000 else set())
    assert after.state.values[2] == max(low, min(high, value))
    assert program.unpack(program.succ(packed)[0][2]) == after.state  # type: ignore[arg-type]


@pytest.mark.parametrize(("most", "named"), [(3, set()), (4, {"x"})])
def test_what_is_only_supposed_is_named(most: int, named: set[str]) -> None:
    """A store that a guard keeps in its range is proved, and one that may leave it is named."""
    up = edge(1, 0, 0, Store("x", (), Binary("+", Load("x"), Const(1))),
              when=(Binary("<", Load("x"), Const(most)),))
    game = machine((array("x", 0, 3, 0),), node(0, "decide", up))

    assert Proofs(game).supposed() == named


def test_a_report_says_what_its_proofs_suppose() -> None:
    """No proof is of each kind of card by itself, so that their counts lie in range is supposed."""
    report, whole = (
        verify(str(SPECS / "stall"), Settings(), only=("unresolved-tie",), max_states=most)
        for most in (5, None))
    lines = [one.what for one in report.not_checked if "numbers stay in their ranges" in one.what]

    assert [line.split(": ")[1] for line in lines] == ["stock, hand, heap"]
    assert not any("numbers stay in their ranges" in one.what for one in whole.not_checked)
