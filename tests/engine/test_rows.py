"""Folds, loops and parameters over rows mean in compiled code what they mean elsewhere."""

from random import Random

import pytest

from ruleproof.model.machine.core import (
    TRUE,
    Const,
    Expr,
    For,
    If,
    Let,
    Load,
    Local,
    Reduce,
    ReduceOp,
    Table,
    Unary,
)
from ruleproof.tests.support.agreement import anywhere, compare
from ruleproof.tests.support.machines import Builder, add, clamp, ints, load, op, param, store

SIZES = (3, 8, 9, 24, 31)


def fold(kind: ReduceOp, size: int, where: Expr, body: Expr) -> Expr:
    """Fold over k."""
    return Reduce(kind, "k", size, where, body, 7)


def folds(size: int) -> list[Expr]:
    """List folds over the rows of the machine below, one of each kind that is written specially."""
    k = Local("k")
    own = load("hand", load("who"), k)
    some, none = op(">", own, 0), op("==", own, 0)
    odd = op("==", Table("odd", k), 1)
    outside = load("hand", op("-", op("*", load("who"), 2), 1), k)
    worth = op("*", Table("worth", k), own)
    chosen = op("==", Table("odd", k), load("who"))
    return [
        fold("sum", size, TRUE, own),
        fold("sum", size, some, own),
        fold("sum", size, op("and", some, odd), own),
        fold("sum", size, TRUE, outside),
        fold("sum", size + 3, TRUE, own),
        fold("sum", size, some, worth),
        fold("sum", size, op("and", chosen, some), worth),
        fold("any", size, TRUE, some),
        fold("any", size, odd, op("!=", own, 0)),
        fold("any", size, TRUE, op(">", outside, 0)),
        fold("any", size, some, chosen),
        fold("all", size, TRUE, none),
        fold("all", size, odd, Unary("not", some)),
        fold("all", size, TRUE, op("<=", outside, 0)),
        fold("all", size, some, op("<", own, 3)),
        fold("min", size, some, op("-", own, worth)),
        fold("max", size, op("and", some, chosen), op("-", worth, own)),
        fold("max", size, op(">=", own, 1), worth),
        fold("sum", size, op("<", own, 2), worth),
        fold("sum", size, Unary("not", none), op("+", own, outside)),
    ]


def game_with_rows(size: int) -> Builder:
    """Make a game with two players' rows, a row of debts, and one that is written."""
    game = Builder("rows")
    game.array("who", high=1)
    game.array("n", low=-1000, high=1000)
    game.array("hand", (2, size), high=4)
    game.array("other", (size,), high=9)
    game.node("turn", "open")
    return game


TABLES = {"odd": tuple(i % 2 for i in range(40)), "worth": tuple(i * 7 % 5 - 1 for i in range(40))}


def agree(game: Builder, seed: int) -> None:
    """Compare on some made-up states, some of them with few cards."""
    machine = game.machine(tables=TABLES)
    random = Random(seed)  # noqa: S311  (no secrets here)
    states = [state for _ in range(6) for state in anywhere(machine, random)]
    first = sum(array.size for array in machine.arrays[:2])
    for state in list(states):
        values = list(state.values)
        for i in range(first, len(values)):
            values[i] = values[i] if random.random() < 0.2 else 0
        states.append(type(state)(state.node, tuple(values)))
    compare(machine, most=len(states) + 5, also=states, native=True)


@pytest.mark.parametrize("size", SIZES)
def test_folds_over_rows_agree(size: int) -> None:
    """However a fold over a row is written, its value is the interpreter's."""
    game = game_with_rows(size)
    for each in folds(size):
        game.edge("turn", "turn", do=[store("n", clamp(each, -1000, 1000))])
    game.edge("turn", "turn", do=[store("who", op("-", 1, load("who")))])
    agree(game, size)


@pytest.mark.parametrize("size", SIZES)
def test_parameters_over_rows_agree(size: int) -> None:
    """Values that a row or a table rules out are left out, and all others are tried, in order."""
    card = Local("card")
    own = load("hand", load("who"), card)
    outside = load("hand", op("-", op("*", load("who"), 2), 1), card)
    odd = op("==", Table("odd", card), 1)
    wheres = [
        op(">", own, 0),
        op("and", op(">", own, 0), odd),
        op("and", odd, op("<", own, 3)),
        op(">", outside, 0),
        op("<", card, load("other", 0)),
        op("and", op("<=", card, load("other", 1)), op("!=", own, 0)),
        op("and", odd, op("==", card, 1)),
        op("==", Table("odd", card), 2),
    ]
    game = game_with_rows(size)
    for where in wheres:
        for low, high in ((0, size - 1), (-1, size + 1)):
            chosen = param("card", ints(low, high), where)
            game.edge("turn", "turn", params=[chosen], do=[store("n", op("*", card, 3))])
    agree(game, size)


@pytest.mark.parametrize("size", SIZES)
def test_loops_over_rows_agree(size: int) -> None:
    """A loop that skips what is not there leaves the same behind, also where it changes rows."""
    i = Local("i")
    own = load("hand", load("who"), i)
    raised = store("n", clamp(op("+", op("*", load("n"), 2), i), -1000, 1000))
    bodies = [
        (If(op(">", own, 0), (raised,)),),
        (Let("m", own), If(op(">", Local("m"), 0), (raised,))),
        (If(op("and", op(">", own, 0), op("==", Table("odd", i), 1)), (raised,)),),
        (If(op(">", own, 0), (store("hand", load("who"), op("+", i, 1), 0),)),),
        (If(op(">", own, 0), (store("who", 1),)),),
        (If(op(">", own, 0), (raised,), (store("who", 0),)),),
        (If(op(">", load("hand", op("-", load("who"), 1), i), 0), (raised,)),),
        (Let("m", own), If(op(">", Local("m"), 0), (store("other", i, Local("m")),))),
    ]
    game = game_with_rows(size)
    for number, body in enumerate(bodies):
        game.edge("turn", "turn", do=[For("i", size, body)])
        game.edge("turn", "turn", do=[For("i", size + 2, body), add("n", 0)] if number % 2 else [])
    agree(game, size)


def test_the_count_of_a_long_row_fits() -> None:
    """A row as long and full as can be summed at once is summed without loss."""
    game = Builder("long")
    game.array("n", high=255 * 256)
    game.array("row", (256,), high=255, start=[255] * 256)
    game.node("turn", "open")
    total = Reduce("sum", "k", 256, TRUE, Load("row", (Local("k"),)))
    game.edge("turn", "turn", do=[store("n", total)])
    game.edge("turn", "turn", when=[op(">", load("n"), 0)], do=[store("row", 7, Const(0))])

    assert compare(game.machine(), native=True)[0] == 4
