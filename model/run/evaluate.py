"""The meaning of the core language, written as plainly as it can be: expressions and statements.

One case for each kind of expression and statement, straight from the docstrings of `core`.  The
meaning of an expression is a function from a state and local names to a number, put together from
the meanings of its parts (denotational semantics); that of a statement is what it does to a run.
Each is made once for a shape and kept, which is several times as fast as walking the tree anew
(Feeley and Lapalme, "Using Closures for Code Generation", Computer Languages 12(1), 1987).  Faster
still is the compiled code (`checker.engine`), which is tested against this.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from ..machine.core import (
    TRUE,
    Binary,
    BinaryOp,
    Cite,
    Cond,
    Const,
    Expr,
    Feature,
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
from ..machine.machine import Array
from ..machine.operators import ARITHMETIC, COMPARISONS
from ..machine.state import Arg
from . import lookups
from .shape import NOTHING, Effect, Execution, Locals, Meaning, Shape
from .watched import RunListener, Watched, WatchedFill, WatchedStore


class OutOfRangeError(ValueError):
    """A statement wrote a value that its array cannot hold: a bug of whoever made the machine."""


# ------------------------------------------------------------------------------ expressions


def evaluate(shape: Shape, values: Sequence[int], expr: Expr, names: Locals) -> int:
    """Return the value of an expression in a state; every expression has one."""
    return meaning(shape, expr)(values, names)


def meaning(shape: Shape, expr: Expr) -> Meaning:
    """Return the function that an expression stands for."""
    known = shape.meanings.get(id(expr))
    if known is None:
        known = shape.meanings[id(expr)] = (expr, _meaning(shape, expr))
    return known[1]


def _meaning(shape: Shape, expr: Expr) -> Meaning:
    match expr:
        case Const(value):
            return lambda _values, _names: value
        case Local(name):
            return _local(name)
        case Load():
            return _load(shape, expr)
        case Binary(op, left, right):
            if isinstance(expr, Watched) and shape.listener is not None:
                return _watched(shape, expr, shape.listener)
            if op in ("*", "and") and shape.reads is not None and lookups.inside(left):
                left, right = (left, right) if lookups.inside(right) else (right, left)
            if op == "*" and shape.reads is not None:
                return lookups.product(meaning(shape, left), meaning(shape, right))
            return _binary(op, meaning(shape, left), meaning(shape, right))
        case Pick(name, index):
            at = meaning(shape, index)
            return lambda values, names: element(bag(names[name]), at(values, names))
        case Table(table, index):
            at, items, reads = meaning(shape, index), shape.tables[table], shape.reads
            if reads is not None:
                return lookups.noted(reads, table, items, at)
            return lambda values, names: element(items, at(values, names))
        case Unary(op, operand):
            inner = meaning(shape, operand)
            if op == "-":
                return lambda values, names: -inner(values, names)
            return lambda values, names: 0 if inner(values, names) else 1
        case Cond(test, then, other):
            asked, yes, no = meaning(shape, test), meaning(shape, then), meaning(shape, other)
            if shape.reads is not None and not (lookups.inside(then) or lookups.inside(other)):
                return lookups.choice(asked, yes, no)
            return lambda values, names: (yes if asked(values, names) else no)(values, names)
        case Reduce():
            return _reduce(shape, expr)
        case Feature(number):
            assert shape.machine is not None
            on = shape.machine.configuration[number]
            return lambda _values, _names: on
        case _:
            assert_never(expr)


def _local(name: str) -> Meaning:
    """Read a number that was bound outside the state."""

    def local(_values: Sequence[int], names: Locals) -> int:
        arg = names[name]
        if isinstance(arg, tuple):
            raise TypeError("a bag parameter is read with `Pick`, not with `Local`")
        return arg

    return local


def _load(shape: Shape, expr: Load) -> Meaning:
    """Read an element of the state."""
    array = shape.arrays[expr.array]
    low = array.low
    if all(isinstance(each, Const) for each in expr.index):
        fixed = _place(shape, array, expr.index)((), NOTHING)
        return lambda values, _names: low if fixed < 0 else values[fixed]
    at = _place(shape, array, expr.index)

    def load(values: Sequence[int], names: Locals) -> int:
        place = at(values, names)
        return low if place < 0 else values[place]

    return load


def _place(shape: Shape, array: Array, index: Sequence[Expr]) -> Meaning:
    """Find an element in the state vector; -1 if the index lies outside the array."""
    first = shape.offsets[array.name]
    dims = tuple(zip([meaning(shape, each) for each in index], array.dims, strict=True))
    if not dims:
        return lambda _values, _names: first
    if len(dims) == 1:
        return _place_in_row(first, *dims[0])

    def place(values: Sequence[int], names: Locals) -> int:
        found = 0
        for at, size in dims:
            i = at(values, names)
            if not 0 <= i < size:
                return -1
            found = found * size + i
        return first + found

    return place


def _place_in_row(first: int, at: Meaning, size: int) -> Meaning:
    def place(values: Sequence[int], names: Locals) -> int:
        i = at(values, names)
        return first + i if 0 <= i < size else -1

    return place


def _binary(op: BinaryOp, left: Meaning, right: Meaning) -> Meaning:
    """Apply an operator; the connectives look at the right side only if they must."""
    if op == "and":
        return lambda values, names: 1 if left(values, names) and right(values, names) else 0
    if op == "or":
        return lambda values, names: 1 if left(values, names) or right(values, names) else 0
    if op in COMPARISONS:
        holds = COMPARISONS[op]
        return lambda values, names: 1 if holds(left(values, names), right(values, names)) else 0
    apply = ARITHMETIC[op]
    return lambda values, names: apply(left(values, names), right(values, names))


def _watched(shape: Shape, expr: Watched, listener: RunListener) -> Meaning:
    """Apply an operator, and let the listener decide what comes of it."""
    site, left, right = expr.site, meaning(shape, expr.left), meaning(shape, expr.right)
    if expr.op in COMPARISONS:
        holds = COMPARISONS[expr.op]

        def compared(values: Sequence[int], names: Locals) -> int:
            one, other = left(values, names), right(values, names)
            return int(listener.compared(site, one - other, holds(one, other)))

        return compared
    free, bound = (left, right) if isinstance(expr.right, Const) else (right, left)
    upper = expr.op == "min"

    def bounded(values: Sequence[int], names: Locals) -> int:
        number, most = free(values, names), bound(values, names)
        beyond = number - most if upper else most - number
        return most if beyond > 0 and listener.bounded(site, beyond) else number

    return bounded


def _reduce(shape: Shape, expr: Reduce) -> Meaning:
    """Fold the body over those values of the variable that satisfy `where`."""
    var, span, empty = expr.var, range(expr.size), expr.empty
    where, body = meaning(shape, expr.where), meaning(shape, expr.body)
    everywhere = expr.where == TRUE

    def folded(values: Sequence[int], names: Locals) -> Iterator[int]:
        inner = dict(names)
        for i in span:
            inner[var] = i
            if everywhere or where(values, inner):
                yield body(values, inner)

    match expr.op:
        case "sum":
            return lambda values, names: sum(folded(values, names))
        case "any":
            return lambda values, names: int(any(folded(values, names)))
        case "all":
            return lambda values, names: int(all(folded(values, names)))
        case "min":
            return lambda values, names: min(folded(values, names), default=empty)
        case "max":
            return lambda values, names: max(folded(values, names), default=empty)
        case _:
            assert_never(expr.op)


def element(items: tuple[int, ...], index: int) -> int:
    """Read an element, or 0 where there is none."""
    return items[index] if 0 <= index < len(items) else 0


def bag(arg: Arg) -> tuple[int, ...]:
    """Insist on a bag."""
    if isinstance(arg, int):
        raise TypeError("a plain parameter is read with `Local`, not with `Pick`")
    return arg


# ------------------------------------------------------------------------------- statements


def execute(shape: Shape, run: Execution, body: tuple[Stmt, ...], names: Locals) -> None:
    """Run statements one after the other, each `Let` naming a value for those that follow."""
    known = shape.effects.get(id(body))
    if known is None:
        known = shape.effects[id(body)] = (body, _effect(shape, body))
    known[1](run, names)


def _effect(shape: Shape, body: tuple[Stmt, ...]) -> Effect:
    """Put the effects of statements together; what a `Let` names is known in this body alone."""
    effects = tuple(_effect_of(shape, stmt) for stmt in body)
    lets = any(isinstance(stmt, Let) for stmt in body)
    if len(effects) == 1 and not lets:
        return effects[0]

    def one_after_the_other(run: Execution, names: Locals) -> None:
        if lets:
            names = dict(names)
        for effect in effects:
            effect(run, names)

    return one_after_the_other


def _effect_of(shape: Shape, stmt: Stmt) -> Effect:
    match stmt:
        case Let(name, value):
            return _let(name, meaning(shape, value))
        case Store():
            return _store(shape, stmt)
        case Fill():
            return _fill(shape, stmt)
        case If(test, then, other):
            asked, yes, no = meaning(shape, test), _effect(shape, then), _effect(shape, other)
            return lambda run, names: (yes if asked(run.values, names) else no)(run, names)
        case For(var, size, body):
            return _for(var, range(size), _effect(shape, body))
        case Note(obligation):
            return lambda run, _names: run.notes.append(obligation)
        case Cite(clause):
            return _cite(shape, clause)
        case _:
            assert_never(stmt)


def _cite(shape: Shape, clause: str) -> Effect:
    listener = shape.listener

    def cite(run: Execution, _names: Locals) -> None:
        run.cites[clause] = None
        if listener is not None:
            listener.acted(clause, run.values)

    return cite


def _let(name: str, value: Meaning) -> Effect:
    def let(run: Execution, names: Locals) -> None:
        assert isinstance(names, dict)  # `_effect` has made it so
        names[name] = value(run.values, names)

    return let


def _for(var: str, span: range, each: Effect) -> Effect:
    def for_each(run: Execution, names: Locals) -> None:
        for i in span:
            each(run, {**names, var: i})

    return for_each


def _store(shape: Shape, stmt: Store) -> Effect:
    """Write one element; outside the array nothing happens."""
    array, value = shape.arrays[stmt.array], meaning(shape, stmt.value)
    low, high, at = array.low, array.high, _place(shape, array, stmt.index)
    tell = _tell(shape, stmt.effect) if isinstance(stmt, WatchedStore) else None

    def store(run: Execution, names: Locals) -> None:
        place, made = at(run.values, names), value(run.values, names)
        changed = place >= 0 and run.values[place] != made
        if place >= 0:
            if not low <= made <= high:
                raise OutOfRangeError(_too_much(shape, array, place, made))
            run.values[place] = made
        if tell is not None:
            tell(changed)

    return store


def _tell(shape: Shape, effect: object) -> Callable[[bool], None] | None:
    """Return what tells the listener of an effect and whether it changed something, if any."""
    listener = shape.listener
    return None if listener is None else lambda changed: listener.stored(effect, changed)


def _fill(shape: Shape, stmt: Fill) -> Effect:
    """Write a row: first all values are computed, then all are written."""
    array, value = shape.arrays[stmt.array], meaning(shape, stmt.value)
    low, high, at = array.low, array.high, _place(shape, array, (*stmt.prefix, Const(0)))
    var, span, size = stmt.var, range(stmt.size), array.dims[-1]
    tell = _tell(shape, stmt.effect) if isinstance(stmt, WatchedFill) else None

    def fill(run: Execution, names: Locals) -> None:
        values, inner = run.values, dict(names)
        first, row = at(values, names), []
        for i in span:
            inner[var] = i
            row.append(value(values, inner))
        kept = row[:size] if first >= 0 else []
        changed = values[first : first + len(kept)] != kept
        for place, made in enumerate(kept, first):
            if not low <= made <= high:
                raise OutOfRangeError(_too_much(shape, array, place, made))
            values[place] = made
        if tell is not None:
            tell(bool(kept) and changed)

    return fill


def _too_much(shape: Shape, array: Array, place: int, value: int) -> str:
    """Say that an array cannot hold a value."""
    index: list[int] = []
    rest = place - shape.offsets[array.name]
    for size in reversed(array.dims):
        rest, i = divmod(rest, size)
        index.insert(0, i)
    return f"`{array.name}{index}` holds {array.low} to {array.high} and was given {value}"
