"""Contradictions are found whole and minimal, claims are decided, and optima are attained."""

from __future__ import annotations

from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from ruleproof.model.machine.core import TRUE, Binary, Const, Expr, Local, Reduce, Table
from ruleproof.model.machine.state import State
from ruleproof.model.run.evaluate import evaluate
from ruleproof.model.run.interp import Interpreter
from ruleproof.model.solver.cores import (
    Constraint,
    Follows,
    Impossible,
    NoAnswer,
    Optimum,
    Refuted,
    Theory,
    Unknown,
    optimise,
    position,
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
THEORY = Theory(tuple(Unknown(name, 0, 2) for name in NAMES), tables={"cost": (3, 1, 4)})
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


def named(tests: list[Expr]) -> list[Constraint]:
    """Name conditions by number."""
    return [Constraint(str(number), test) for number, test in enumerate(tests)]


def solutions(tests: list[Expr]) -> list[tuple[int, ...]]:
    """List the solutions in order, by trying all numbers."""
    return [
        values
        for values in product(range(3), repeat=3)
        if all(evaluate(SHAPE, (), one, dict(zip(NAMES, values, strict=True))) for one in tests)
    ]


def minimal(tests: list[Expr]) -> list[tuple[str, ...]]:
    """List the sets of conditions that have no solution, and of which each part has one."""
    found: list[tuple[str, ...]] = []
    for size in range(len(tests) + 1):
        for chosen in combinations(range(len(tests)), size):
            names = tuple(map(str, chosen))
            if not solutions([tests[i] for i in chosen]) and not any(
                    set(one) <= set(names) for one in found):
                found.append(names)
    return found


@many(1.5)
@given(st.lists(conditions(), max_size=4), st.sampled_from(["max", "min"]))
def test_an_optimum_is_the_best_of_all_solutions(tests: list[Expr], goal: str) -> None:
    """The value is the best and is attained; without a solution a minimal core says why."""
    objective = op(op(A, "*", 2), "-", op(B, "+", Table("cost", C)))
    ways = solutions(tests)
    scored = {
        way: evaluate(SHAPE, (), objective, dict(zip(NAMES, way, strict=True))) for way in ways
    }
    found = optimise(THEORY, objective, named(tests), goal="max" if goal == "max" else "min")

    if not ways:
        assert isinstance(found, Impossible)
        assert found.core in minimal(tests)
    else:
        best = max(scored.values()) if goal == "max" else min(scored.values())
        first = min(way for way in ways if scored[way] == best)
        assert found == Optimum(best, tuple(zip(NAMES, first, strict=True)))


@many(1.5)
@given(st.lists(conditions(), max_size=4), conditions())
def test_a_claim_is_valid_if_it_holds_in_all_solutions(tests: list[Expr], claim: Expr) -> None:
    """A claim follows or has a counterexample, the least; what it follows from is minimal.

    Of constraints that contradict each other nothing follows: a minimal set of them is named.
    """
    counter = [way for way in solutions(tests) if way not in solutions([claim])]
    found = valid(THEORY, named(tests), claim)

    if counter:
        assert found == Refuted(tuple(zip(NAMES, counter[0], strict=True)))
        return
    if not solutions(tests):
        assert isinstance(found, Impossible)
        assert found.core in minimal(tests)
        return
    assert isinstance(found, Follows)
    because = [tests[int(one)] for one in found.because]
    for kept in [because, *(because[:i] + because[i + 1 :] for i in range(len(because)))]:
        implied = set(solutions(kept)) <= set(solutions([claim]))
        assert implied == (kept is because)


def test_constraints_may_speak_of_a_position() -> None:
    """Over a known state only the further unknowns are free: here, what may be chosen."""
    theory = position(GAME, State(0, (2, 1, 2)), variables=[Unknown("n", 0, 9)])
    clauses = [
        Constraint("draw as many as x", op(Local("n"), "==", load("x"))),
        Constraint("draw at least v[1] and one more", op(Local("n"), ">", load("v", 1))),
        Constraint("never more than five", op(Local("n"), "<=", 5)),
    ]

    assert optimise(theory, Local("n"), clauses) == Impossible(
        ("draw as many as x", "draw at least v[1] and one more"))
    assert optimise(theory, Local("n"), clauses[1:]) == Optimum(5, (("n", 5),))


def test_constraints_may_speak_of_all_positions() -> None:
    """Over unknown arrays the solution names the elements."""
    theory = Theory(arrays=GAME.arrays, tables=GAME.tables)
    both = Reduce("sum", "i", 2, TRUE, load("v", Local("i")))
    found = optimise(theory, both, [Constraint("c", op(load("v", 0), "<", load("x")))], goal="max")

    assert found == Optimum(6, (("x", 4), ("v[0]", 3), ("v[1]", 3)))


def test_an_objective_may_be_known() -> None:
    """A constant objective is its own optimum; a false constraint is its own core."""
    assert optimise(THEORY, Const(4), []) == Optimum(4, (("a", 0), ("b", 0), ("c", 0)))
    assert optimise(THEORY, A, named([TRUE, op(A, ">", 2)])) == Impossible(("1",))


def test_giving_up_is_said() -> None:
    """A limit on work that is too low gives no verdict."""
    wide = Theory(tuple(Unknown(name, 2, 10**6) for name in NAMES))
    hard = Constraint("c", op(op(A, "*", op(B, "*", C)), "==", 999_983 * 7919))

    assert isinstance(valid(wide, [hard], op(A, "==", B), rlimit=1000), NoAnswer)
    assert isinstance(optimise(wide, A, [hard], rlimit=1000), NoAnswer)


@given(st.lists(truths(("a", "b", "c"), 1), max_size=3))
def test_the_same_question_has_the_same_answer(tests: list[Expr]) -> None:
    """Nothing is left from an earlier question."""
    theory = Theory(THEORY.variables, tables=THEORY.tables)
    tests = [one for one in tests if "Load" not in repr(one)]

    assert optimise(theory, A, named(tests)) == optimise(theory, A, named(tests))
