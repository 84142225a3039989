"""The solver reads the core language as the interpreter does, from start to end and back."""

from __future__ import annotations

from contextlib import suppress
from functools import cache
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleproof.model.machine.core import TRUE, Binary, BinaryOp, Const, Expr, Load, Local, Reduce
from ruleproof.model.machine.machine import Machine, Param
from ruleproof.model.machine.state import Arg, Move, State
from ruleproof.model.run.evaluate import evaluate, execute
from ruleproof.model.run.interp import EndlessRules, Interpreter
from ruleproof.model.run.shape import Execution, Shape
from ruleproof.model.solver import solving, terms
from ruleproof.model.solver.solving import SolverLimit
from ruleproof.model.solver.symbolic import EdgeStep, SymbolicMachine
from ruleproof.tests.support.drawn import many, one_in
from ruleproof.tests.support.machines import all_machines
from ruleproof.tests.support.symbolic_machines import (
    ARRAYS,
    COMPARE,
    COMPUTE,
    TABLES,
    arguments,
    array,
    clamp,
    edge,
    enabled_args,
    find_args,
    integers,
    load,
    machine,
    node,
    numbers,
    op,
    programs,
    states,
    store,
    truths,
    vectors,
)

Model = Any  # Z3 has no types
SIGNS: tuple[BinaryOp, ...] = (*COMPUTE, *COMPARE)


def interpreted(game: Machine, state: State, move: Move) -> EdgeStep:
    """Take one edge as the interpreter does: its conditions, then its body."""
    judge = Interpreter(game)
    taken = judge.edges[move.edge]
    if move.args not in set(judge.arguments(state, taken)):
        return EdgeStep(enabled=False)
    if judge.failing(state, taken, move.args):
        return EdgeStep(enabled=False)
    if judge.nodes[taken.source].kind == "chance" and judge.weight(state, move) <= 0:
        return EdgeStep(enabled=False)
    run = Execution(list(state.values))
    execute(judge.shape, run, taken.body, judge.names(taken, move.args))
    return EdgeStep(enabled=True, values=tuple(run.values), notes=tuple(run.notes))


def pinned(symbolic: SymbolicMachine, values: tuple[int, ...]) -> Model:
    """Return a model in which the state is this one."""
    solver = symbolic.solver()
    for unknown, value in zip(symbolic.state, values, strict=True):
        solver.add(terms.formula(terms.equal(unknown, value), symbolic.context))
    assert solving.ask(solver) == "yes"
    return solver.model()


@many(3)
@given(programs(), states(), arguments())
def test_z3_takes_a_move_as_the_interpreter_does(
    game: Machine, state: State, args: tuple[Arg, ...]
) -> None:
    """In any state, any move is enabled for both or for neither, and does the same."""
    move = Move(7, args)

    assert SymbolicMachine(game).check_step(state, move) == interpreted(game, state, move)


@many(1.5)
@given(programs(), states(), st.data())
def test_z3_finds_the_way_back(game: Machine, state: State, data: st.DataObject) -> None:
    """Z3 finds parameters from a state to another if and only if the interpreter has some."""
    judge = Interpreter(game)
    taken = judge.edges[7]
    steps = {
        args: interpreted(game, state, Move(7, args)) for args in judge.arguments(state, taken)
    }
    reached = sorted({step.values for step in steps.values() if step.enabled})
    after = data.draw(st.sampled_from(reached) if reached else vectors())
    found = find_args(SymbolicMachine(game), state, taken, after)

    assert (found is not None) == (after in reached)
    assert found is None or steps[found].values == after


@many(1)
@given(programs(), states(), vectors())
def test_z3_finds_no_way_that_is_none(game: Machine, state: State, after: tuple[int, ...]) -> None:
    """Between two random states, Z3 finds a way if and only if the interpreter has one."""
    judge = Interpreter(game)
    taken = judge.edges[7]
    ways = [
        args
        for args in judge.arguments(state, taken)
        if interpreted(game, state, Move(7, args)).values == after
    ]
    found = find_args(SymbolicMachine(game), state, taken, after)

    assert found in ways if ways else found is None


@many(0.6)
@given(programs(), states())
def test_z3_lists_the_same_moves(game: Machine, state: State) -> None:
    """The parameters with which an edge is enabled are the interpreter's."""
    judge = Interpreter(game)
    taken = judge.edges[7]
    listed = [
        args for args in judge.arguments(state, taken) if not judge.failing(state, taken, args)
    ]

    assert sorted(enabled_args(SymbolicMachine(game), state, taken)) == listed


@many(3)
@given(numbers(depth=4), truths(depth=3), vectors())
def test_an_expression_has_one_value(number: Expr, test: Expr, values: tuple[int, ...]) -> None:
    """A number and a condition evaluate alike, and a number lies in the range that we claim."""
    game = machine(ARRAYS, node(0, "final"), tables=TABLES)
    symbolic, shape = SymbolicMachine(game), Interpreter(game).shape
    value, truth = symbolic.value(number), symbolic.truth(test)
    model = pinned(symbolic, values)

    expected = evaluate(shape, values, number, {})
    assert solving.known(model, value) == expected
    assert terms.low(value) <= expected <= terms.high(value)
    assert solving.true_in(model, truth) == (evaluate(shape, values, test, {}) != 0)
    assert symbolic.value(number, values) == expected
    assert symbolic.truth(test, values) == (evaluate(shape, values, test, {}) != 0)


@cache
def two_numbers() -> tuple[SymbolicMachine, Shape, dict[tuple[int, int], Model]]:
    """Make a machine of two small numbers, and a model of each of its states."""
    game = machine((array("a", -4, 3, 0), array("b", -3, 4, 0)), node(0, "final"))
    symbolic = SymbolicMachine(game)
    return symbolic, Interpreter(game).shape, {
        pair: pinned(symbolic, pair) for pair in product(range(-4, 4), range(-3, 5))}


@pytest.mark.parametrize("unroll", [0, terms.UNROLL])
@pytest.mark.parametrize("sign", one_in(3, SIGNS))
def test_arithmetic_is_pythons(
    sign: BinaryOp, unroll: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each operator agrees with the interpreter on all small numbers, known and unknown."""
    monkeypatch.setattr(terms, "UNROLL", unroll)
    symbolic, shape, models = two_numbers()
    for (a, b), model in models.items():
        lefts: tuple[Expr, ...] = (load("a"), Const(a))
        rights: tuple[Expr, ...] = (load("b"), Const(b))
        for left, right in product(lefts, rights):
            expr = Binary(sign, left, right)
            expected = evaluate(shape, (a, b), expr, {})
            value = symbolic.value(expr)
            assert solving.known(model, value) == expected
            assert terms.low(value) <= expected <= terms.high(value)


@pytest.mark.parametrize("name", sorted(all_machines()))
def test_the_shelf_of_machines(name: str) -> None:
    """On machines made by hand, each edge agrees in every early state."""
    game = all_machines()[name]
    judge, symbolic = Interpreter(game), SymbolicMachine(game)
    seen, queue = set[State](), [judge.start().state]
    while queue and len(seen) < 6:
        state = queue.pop(0)
        if state in seen:
            continue
        seen.add(state)
        for verdict in judge.candidates(state)[:8]:
            step = interpreted(game, state, verdict.move)
            assert symbolic.check_step(state, verdict.move) == step
            if verdict.legal:
                with suppress(EndlessRules):
                    queue.append(judge.step(state, verdict.move).state)


def test_what_the_ranges_decide_is_gone() -> None:
    """A clamp around what fits anyway leaves no formula, nor does a comparison out of range."""
    symbolic = SymbolicMachine(machine(ARRAYS, node(0, "final")))

    assert terms.same(symbolic.value(clamp(load("x"), 0, 5)), symbolic.value(load("x")))
    assert symbolic.truth(op(load("x"), "<=", 5)) is True
    assert symbolic.truth(op(load("who"), "==", 2)) is False
    assert symbolic.value(op(load("x"), "*", 0)) == 0


def test_rules_take_the_first_edge() -> None:
    """At a rules node an edge is enabled only where no earlier one is."""
    first = edge(1, 0, 1, store("x", value=1), when=(op(load("x"), ">", 3),))
    second = edge(2, 0, 1, store("x", value=2))
    game = machine((array("x", 0, 5, 0),), node(0, "rules", first, second), node(1, "final"))
    symbolic = SymbolicMachine(game)

    assert symbolic.check_step(State(0, (4,)), Move(1)) == EdgeStep(enabled=True, values=(1,))
    assert symbolic.check_step(State(0, (4,)), Move(2)) == EdgeStep(enabled=False)
    assert symbolic.check_step(State(0, (3,)), Move(2)) == EdgeStep(enabled=True, values=(2,))


def test_chance_without_weight_is_no_move() -> None:
    """At a chance node a move of weight 0 is not enabled."""
    drawn = Param("k", integers(0, 2), "k", TRUE)
    only = edge(1, 0, 1, params=(drawn,), weight=Load("v", (Local("k"),)))
    game = machine((array("v", 0, 9, 0, 2, 1, dims=(3,)),), node(0, "chance", only))
    state = State(0, (0, 2, 1))

    assert sorted(enabled_args(SymbolicMachine(game), state, only)) == [(1,), (2,)]


def test_a_move_belongs_to_its_node() -> None:
    """An edge is not enabled at another node."""
    only = edge(1, 0, 1)
    game = machine((array("x", 0, 5, 0),), node(0, "decide", only), node(1, "final"))
    symbolic = SymbolicMachine(game)

    assert symbolic.check_step(State(1, (0,)), Move(1)) == EdgeStep(enabled=False)
    assert find_args(symbolic, State(1, (0,)), only, (0,)) is None
    assert list(enabled_args(symbolic, State(1, (0,)), only)) == []


def test_giving_up_is_said() -> None:
    """A solver that runs into its limit says so, and never passes for a no."""
    wide = tuple(array(name, 0, 10**6, 1) for name in "abc")
    symbolic = SymbolicMachine(machine(wide, node(0, "final")))
    product_of = op(op(load("a"), "*", load("b")), "*", load("c"))
    solver = symbolic.solver(rlimit=1)
    solver.add(*symbolic.ranges, symbolic.truth(op(product_of, "==", 999_983 * 7919)))

    with pytest.raises(SolverLimit):
        solving.answered(solver)
    assert solving.least(solver, symbolic.state) is None


def test_the_least_solution_is_found() -> None:
    """Values are minimised one after the other, in the order given."""
    symbolic = SymbolicMachine(machine(ARRAYS, node(0, "final")))
    solver = symbolic.solver()
    row = Reduce("sum", "k", 3, TRUE, Load("m", (Const(1), Local("k"))))
    solver.add(*symbolic.ranges, symbolic.truth(op(row, ">=", 7)))
    found = solving.least(solver, symbolic.state)

    assert found == (0, 0, -1, -2, -2, -2, 0, 0, 0, 1, 3, 3)
    assert solving.ask(solver) == "yes"
