"""Upper bounds and code that only lowers are recognised; what only looks so is not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleproof.model.machine.core import (
    Binary,
    Const,
    Expr,
    If,
    Let,
    Load,
    Local,
    Reduce,
    Stmt,
    Store,
)
from ruleproof.model.machine.machine import Array, Domain
from ruleproof.model.orders.monotone import is_upper_bound, only_lowers
from ruleproof.model.run.evaluate import evaluate, execute
from ruleproof.model.run.shape import Execution, Shape

A, B = Load("a", (Const(0),)), Load("a", (Const(1),))
ARRAY = Array("a", (3,), -2, 9, (0, 0, 0), Domain("int", -2, 9))
SHAPE = Shape({"a": ARRAY}, {"a": 0}, {})
LOWS = {"a": -2}


@pytest.mark.parametrize("test", [
    Binary("<=", A, Const(3)),
    Binary("<", Binary("+", A, B), Const(3)),
    Reduce("all", "p", 3, Const(1), Binary("<=", Load("a", (Local("p"),)), Const(2)), 0),
])
def test_upper_bounds(test: Expr) -> None:
    """Conditions that bound the array from above are recognised."""
    assert is_upper_bound(test)


@pytest.mark.parametrize("test", [
    Binary(">=", A, Const(3)),
    Binary("<=", Binary("-", A, B), Const(3)),
    Binary("<=", A, B),
    Binary("==", A, Const(0)),
    Binary("<=", Load("a", (A,)), Const(2)),
    Reduce("any", "p", 3, Const(1), Binary("<=", Load("a", (Local("p"),)), Const(2)), 0),
])
def test_no_upper_bounds(test: Expr) -> None:
    """Conditions of other shapes are not taken for upper bounds."""
    assert not is_upper_bound(test)


numbers = st.one_of(
    st.integers(-2, 9).map(Const), st.sampled_from([A, B, Local("x")]))
values = st.recursive(numbers, lambda inner: st.builds(
    Binary, st.sampled_from(["+", "-", "min", "max"]), inner, inner), max_leaves=4)
plain = st.builds(lambda place, value: Store("a", (Const(place),), Binary(
    "max", Const(-2), Binary("min", Const(9), value))), st.integers(0, 2), values)


@given(st.lists(plain | st.builds(lambda one: If(A, (one,), ()), plain), max_size=3), values,
       st.tuples(*[st.integers(-2, 9)] * 3))
def test_what_only_lowers_does(
    code: list[Stmt], value: Expr, before: tuple[int, int, int]
) -> None:
    """Code said only to lower never raises, and an upper bound still holds below."""
    body = (Let("x", B), *code)
    if only_lowers(body, {"a"}, LOWS):
        run = Execution(list(before))
        execute(SHAPE, run, body, {})
        assert all(new <= old for new, old in zip(run.values, before, strict=True))
    test = Binary("<=", value, Const(4))
    if is_upper_bound(test):
        names = {"x": 0}
        least = tuple(max(-2, each - 1) for each in before)
        if evaluate(SHAPE, before, test, names):
            assert evaluate(SHAPE, least, test, names)
