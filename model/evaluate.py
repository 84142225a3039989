"""The meaning of the core language, written as plainly as it can be: expressions and statements.

One case for each kind of expression and statement, straight from the docstrings of `core`.  Nothing
here is fast; the generated code is (`checker.codegen`), and is tested against this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import accumulate
from typing import assert_never

from .core import (
    TRUE,
    Binary,
    BinaryOp,
    Cite,
    Cond,
    Const,
    Expr,
    Fill,
    For,
    If,
    Let,
    Load,
    Local,
    Note,
    Pick,
    Reduce,
    Stmt,
    Store,
    Table,
    Unary,
)
from .machine import Array, Machine
from .state import Arg

Locals = Mapping[str, Arg]
"""Values by name: a number each, for a bag parameter one count per card kind."""

NOTHING: Locals = {}


class OutOfRangeError(ValueError):
    """A statement wrote a value that its array cannot hold: a bug of whoever made the machine."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What of a machine the core language needs: the places of the arrays, and the tables."""

    arrays: Mapping[str, Array]
    offsets: Mapping[str, int]
    tables: Mapping[str, tuple[int, ...]]

    def place(self, array: Array, index: tuple[int, ...]) -> int | None:
        """Find an element in the state vector; None if the index lies outside the array."""
        place = 0
        for i, size in zip(index, array.dims, strict=True):
            if not 0 <= i < size:
                return None
            place = place * size + i
        return self.offsets[array.name] + place


def shape_of(machine: Machine) -> Shape:
    """Lay out the arrays of a machine one after the other."""
    offsets = accumulate((array.size for array in machine.arrays), initial=0)
    return Shape(
        arrays={array.name: array for array in machine.arrays},
        offsets={
            array.name: offset for array, offset in zip(machine.arrays, offsets, strict=False)
        },
        tables=machine.tables,
    )


@dataclass(slots=True)
class Run:
    """A state vector in the making, and what is recorded on the way."""

    values: list[int]
    edges: list[int] = field(default_factory=list)
    cites: dict[str, None] = field(default_factory=dict)
    notes: list[int] = field(default_factory=list)


# ------------------------------------------------------------------------------ expressions


def evaluate(shape: Shape, values: tuple[int, ...] | list[int], expr: Expr, names: Locals) -> int:
    """Give the value of an expression in a state; every expression has one."""
    match expr:
        case Const():
            return expr.value
        case Local():
            return number(names[expr.name])
        case Load():
            array = shape.arrays[expr.array]
            index = tuple([evaluate(shape, values, i, names) for i in expr.index])
            place = shape.place(array, index)
            return array.low if place is None else values[place]
        case Binary():
            left = evaluate(shape, values, expr.left, names)
            if (expr.op == "and" and left == 0) or (expr.op == "or" and left != 0):
                return int(left != 0)
            return binary(expr.op, left, evaluate(shape, values, expr.right, names))
        case Pick():
            place = evaluate(shape, values, expr.index, names)
            return element(bag(names[expr.name]), place, outside=0)
        case Table():
            place = evaluate(shape, values, expr.index, names)
            return element(shape.tables[expr.table], place, outside=0)
        case Unary():
            operand = evaluate(shape, values, expr.operand, names)
            return -operand if expr.op == "-" else int(operand == 0)
        case Cond():
            test = evaluate(shape, values, expr.test, names)
            return evaluate(shape, values, expr.then if test != 0 else expr.other, names)
        case Reduce():
            return reduce(shape, values, expr, names)
        case _:
            assert_never(expr)


def binary(op: BinaryOp, left: int, right: int) -> int:
    """Apply an operator."""
    match op:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//":
            return left // right if right != 0 else 0
        case "%":
            return left % right if right != 0 else 0
        case "min":
            return min(left, right)
        case "max":
            return max(left, right)
        case "==":
            return int(left == right)
        case "!=":
            return int(left != right)
        case "<":
            return int(left < right)
        case "<=":
            return int(left <= right)
        case ">":
            return int(left > right)
        case ">=":
            return int(left >= right)
        case "and":
            return int(left != 0 and right != 0)
        case "or":
            return int(left != 0 or right != 0)
        case _:
            assert_never(op)


def reduce(shape: Shape, values: tuple[int, ...] | list[int], expr: Reduce, names: Locals) -> int:
    """Fold the body over those values of the variable that satisfy `where`."""
    inner = dict(names)

    def folded() -> Iterator[int]:
        for i in range(expr.size):
            inner[expr.var] = i
            if expr.where == TRUE or evaluate(shape, values, expr.where, inner) != 0:
                yield evaluate(shape, values, expr.body, inner)

    found = folded()
    match expr.op:
        case "sum":
            return sum(found)
        case "any":
            return int(any(found))
        case "all":
            return int(all(found))
        case "min":
            return min(found, default=expr.empty)
        case "max":
            return max(found, default=expr.empty)
        case _:
            assert_never(expr.op)


def element(items: tuple[int, ...], index: int, *, outside: int) -> int:
    """Read an element, or `outside` where there is none."""
    return items[index] if 0 <= index < len(items) else outside


def number(arg: Arg) -> int:
    """Insist on a number."""
    if isinstance(arg, tuple):
        raise TypeError("a bag parameter is read with `Pick`, not with `Local`")
    return arg


def bag(arg: Arg) -> tuple[int, ...]:
    """Insist on a bag."""
    if isinstance(arg, int):
        raise TypeError("a plain parameter is read with `Local`, not with `Pick`")
    return arg


# ------------------------------------------------------------------------------- statements


def execute(shape: Shape, run: Run, body: tuple[Stmt, ...], names: Locals) -> None:
    """Run statements one after the other, each `Let` naming a value for those that follow."""
    for stmt in body:
        match stmt:
            case Let():
                names = {**names, stmt.name: evaluate(shape, run.values, stmt.value, names)}
            case Store():
                index = tuple(evaluate(shape, run.values, i, names) for i in stmt.index)
                write(shape, run, stmt.array, index, evaluate(shape, run.values, stmt.value, names))
            case Fill():
                fill(shape, run, stmt, names)
            case If():
                test = evaluate(shape, run.values, stmt.test, names)
                execute(shape, run, stmt.then if test != 0 else stmt.other, names)
            case For():
                for i in range(stmt.size):
                    execute(shape, run, stmt.body, {**names, stmt.var: i})
            case Note():
                run.notes.append(stmt.obligation)
            case Cite():
                run.cites[stmt.clause] = None
            case _:
                assert_never(stmt)


def fill(shape: Shape, run: Run, stmt: Fill, names: Locals) -> None:
    """Write a row: first all values are computed, then all are written."""
    prefix = tuple(evaluate(shape, run.values, i, names) for i in stmt.prefix)
    row = [
        evaluate(shape, run.values, stmt.value, {**names, stmt.var: i}) for i in range(stmt.size)
    ]
    for i, value in enumerate(row):
        write(shape, run, stmt.array, (*prefix, i), value)


def write(shape: Shape, run: Run, name: str, index: tuple[int, ...], value: int) -> None:
    """Write one element; outside the array nothing happens."""
    array = shape.arrays[name]
    place = shape.place(array, index)
    if place is None:
        return
    if not array.low <= value <= array.high:
        raise OutOfRangeError(
            f"`{name}{list(index)}` holds {array.low} to {array.high} and was given {value}"
        )
    run.values[place] = value
