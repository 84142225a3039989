"""Contradictions are found, claims are decided, and optima are attained."""

from __future__ import annotations

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleproof.model.machine.core import TRUE, Binary, Const, Expr, Local, Reduce, Table
from ruleproof.model.run.evaluate import evaluate
from ruleproof.model.run.interp import Interpreter
from ruleproof.model.solver import theories
from ruleproof.model.solver.theories import (
    Follows,
    Impossible,
    IntVariable,
    NoAnswer,
    Optimum,
    Refuted,
    Theory,
    optimise,
    valid,
)
from ruleproof.tests.support.drawn import many
from ruleproof.tests.support.symbolic_machines import (
    COMPARE,
    array,
    load,
    machine,
    node,
    op,
    truths,
)

NAMES = ("a", "b", "c")
THEORY = Theory(tuple(IntVariable(name, 0, 2) for name in NAMES), tables={"cost": (3, 1, 4)})
A, B, C = map(Local, NAMES)
GAME = machine(
    (array("x", 0, 5, 2), array("v", 0, 3, 1, 2, dims=(2,))), node(0, "final"), tables=THEORY.tables
)
SHAPE = Interpreter(GAME).shape


@st.composite
def conditions(draw: st.DrawFn) -> Expr:
    """Draw a condition on three small numbers."""
    parts: list[Expr] = [A, B, C, Const(1), Const(2), op(A, "+", B), Table("cost", C)]
    left, right = draw(st.sampled_from(parts)), draw(st.sampled_from(parts))
    return Binary(draw(st.sampled_from(COMPARE)), left, right)


def solutions(tests: list[Expr]) -> list[tuple[int, ...]]:
    """List the solutions in order, by trying all numbers."""
    return [
        values
        for values in product(range(3), repeat=3)
        if all(evaluate(SHAPE, (), one, dict(zip(NAMES, values, strict=True))) for one in tests)
    ]


@many(1.5)
@given(st.lists(conditions(), max_size=4), st.sampled_from(["max", "min"]))
def test_an_optimum_is_the_best_of_all_solutions(tests: list[Expr], goal: str) -> None:
    """The value is the best and is attained; or there is no solution."""
    objective = op(op(A, "*", 2), "-", op(B, "+", Table("cost", C)))
    ways = solutions(tests)
    scored = {
        way: evaluate(SHAPE, (), objective, dict(zip(NAMES, way, strict=True))) for way in ways
    }
    found = optimise(THEORY, objective, tests, goal="max" if goal == "max" else "min")

    if not ways:
        assert found == Impossible()
    else:
        best = max(scored.values()) if goal == "max" else min(scored.values())
        first = min(way for way in ways if scored[way] == best)
        assert found == Optimum(best, tuple(zip(NAMES, first, strict=True)))


@many(1.5)
@given(st.lists(conditions(), max_size=4), conditions())
def test_a_claim_is_valid_if_it_holds_in_all_solutions(tests: list[Expr], claim: Expr) -> None:
    """A claim follows or has a counterexample, the least; of a contradiction nothing follows."""
    counter = [way for way in solutions(tests) if way not in solutions([claim])]
    found = valid(THEORY, tests, claim)

    if counter:
        assert found == Refuted(tuple(zip(NAMES, counter[0], strict=True)))
    else:
        assert found == (Follows() if solutions(tests) else Impossible())


def test_constraints_may_speak_of_all_positions() -> None:
    """Over unknown arrays the solution names the elements."""
    theory = Theory(arrays=GAME.arrays, tables=GAME.tables)
    both = Reduce("sum", "i", 2, TRUE, load("v", Local("i")))
    found = optimise(theory, both, [op(load("v", 0), "<", load("x"))], goal="max")

    assert found == Optimum(6, (("x", 4), ("v[0]", 3), ("v[1]", 3)))


def test_an_objective_may_be_known() -> None:
    """A constant objective is its own optimum; a false condition contradicts itself."""
    assert optimise(THEORY, Const(4), []) == Optimum(4, (("a", 0), ("b", 0), ("c", 0)))
    assert optimise(THEORY, A, [TRUE, op(A, ">", 2)]) == Impossible()


def test_giving_up_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit on work that is too low gives no verdict."""
    wide = Theory(tuple(IntVariable(name, 2, 10**6) for name in NAMES))
    hard = op(op(A, "*", op(B, "*", C)), "==", 999_983 * 7919)
    monkeypatch.setattr(theories, "RLIMIT", 1000)

    assert isinstance(valid(wide, [hard], op(A, "==", B)), NoAnswer)
    assert isinstance(optimise(wide, A, [hard]), NoAnswer)


@given(st.lists(truths(("a", "b", "c"), 1), max_size=3))
def test_the_same_question_has_the_same_answer(tests: list[Expr]) -> None:
    """Nothing is left from an earlier question."""
    theory = Theory(THEORY.variables, tables=THEORY.tables)
    tests = [one for one in tests if "Load" not in repr(one)]

    assert optimise(theory, A, tests) == optimise(theory, A, tests)
