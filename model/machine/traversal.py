"""One traversal of the core language: what is inside an expression or a statement, and rebuilding.

Everything that asks a question about core code goes through `parts`, `statements` and `directly`;
everything that changes core code goes through `rebuilt` and `rewritten`.  A new construct of the
core is added here once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import assert_never

from . import core as c

# ------------------------------------------------------------------------------ expressions


def parts(expr: c.Expr) -> tuple[c.Expr, ...]:
    """Return the expressions directly inside an expression."""
    match expr:  # the frequent ones first
        case c.Binary(left=left, right=right):
            return (left, right)
        case c.Load(index=index):
            return index
        case c.Const() | c.Local() | c.Feature():
            return ()
        case c.Pick(index=one) | c.Table(index=one) | c.Unary(operand=one):
            return (one,)
        case c.Cond(test=test, then=then, other=other):
            return (test, then, other)
        case c.Reduce(where=where, body=body):
            return (where, body)
        case _:
            assert_never(expr)


def within(expr: c.Expr) -> Iterator[c.Expr]:
    """Return an expression and everything inside it, outer before inner, left before right."""
    todo = [expr]
    while todo:
        here = todo.pop()
        yield here
        todo += parts(here)[::-1]


def rebuilt(expr: c.Expr, change: Callable[[c.Expr], c.Expr]) -> c.Expr:
    """Return an expression with `change` applied to each expression directly inside it."""
    match expr:
        case c.Const() | c.Local() | c.Feature():
            return expr
        case c.Load(array=array, index=index):
            return c.Load(array, tuple(change(each) for each in index))
        case c.Pick(name=name, index=index):
            return c.Pick(name, change(index))
        case c.Table(table=table, index=index):
            return c.Table(table, change(index))
        case c.Unary(op=op, operand=operand):
            return c.Unary(op, change(operand))
        case c.Binary(op=op, left=left, right=right):
            return c.Binary(op, change(left), change(right))
        case c.Cond(test=test, then=then, other=other):
            return c.Cond(change(test), change(then), change(other))
        case c.Reduce(op=op, var=var, size=size, where=where, body=body, empty=empty):
            return c.Reduce(op, var, size, change(where), change(body), empty)
        case _:
            assert_never(expr)


def rename(expr: c.Expr, name: str, value: c.Expr) -> c.Expr:
    """Replace `Local(name)` by `value`; what is bound in `expr` is in no value (`core.Local`)."""
    if isinstance(expr, c.Local):
        return value if expr.name == name else expr
    return rebuilt(expr, lambda part: rename(part, name, value))


def loads(expr: c.Expr) -> Iterator[c.Load]:
    """Return every element of the state that an expression reads, outer before inner."""
    return (part for part in within(expr) if isinstance(part, c.Load))


def arrays_read(expr: c.Expr) -> frozenset[str]:
    """Return the names of the arrays that an expression reads."""
    return frozenset(load.array for load in loads(expr))


def names(expr: c.Expr) -> frozenset[str]:
    """Return the names that an expression uses without binding them."""
    found: frozenset[str] = frozenset()
    if isinstance(expr, c.Local | c.Pick):
        found = frozenset({expr.name})
    for part in parts(expr):
        found |= names(part)
    return found - {expr.var} if isinstance(expr, c.Reduce) else found


def conjuncts(expr: c.Expr) -> Iterator[c.Expr]:
    """Split a condition at its outermost `and`s."""
    if isinstance(expr, c.Binary) and expr.op == "and":
        yield from conjuncts(expr.left)
        yield from conjuncts(expr.right)
    else:
        yield expr


def unrolled(expr: c.Expr) -> int:
    """Return the number of terms of an expression when every fold is written out."""
    inner = sum(map(unrolled, parts(expr)))
    return 1 + (expr.size * inner if isinstance(expr, c.Reduce) else inner)


# ------------------------------------------------------------------------------- statements


def blocks(stmt: c.Stmt) -> tuple[tuple[c.Stmt, ...], ...]:
    """Return the statement lists directly inside a statement."""
    match stmt:
        case c.If(then=then, other=other):
            return (then, other)
        case c.For(body=body):
            return (body,)
        case c.Let() | c.Store() | c.Fill() | c.Note() | c.Cite():
            return ()
        case _:
            assert_never(stmt)


def statements(code: Iterable[c.Stmt]) -> Iterator[c.Stmt]:
    """Return statements and everything inside them, in the order of the text."""
    for stmt in code:
        yield stmt
        for block in blocks(stmt):
            yield from statements(block)


def rewritten(
    code: Iterable[c.Stmt], change: Callable[[c.Stmt], Iterable[c.Stmt]]
) -> tuple[c.Stmt, ...]:
    """Return statements with what `change` makes of each that has none inside it."""
    made: list[c.Stmt] = []
    for stmt in code:
        match stmt:
            case c.If(test=test, then=then, other=other):
                made.append(c.If(test, rewritten(then, change), rewritten(other, change)))
            case c.For(var=var, size=size, body=body):
                made.append(c.For(var, size, rewritten(body, change)))
            case _:
                made += change(stmt)
    return tuple(made)


def directly(stmt: c.Stmt) -> tuple[c.Expr, ...]:
    """Return the expressions that stand directly in a statement."""
    match stmt:
        case c.Let(value=value):
            return (value,)
        case c.Store(index=index, value=value):
            return (*index, value)
        case c.Fill(prefix=prefix, value=value):
            return (*prefix, value)
        case c.If(test=test):
            return (test,)
        case c.For() | c.Note() | c.Cite():
            return ()
        case _:
            assert_never(stmt)


def expressions(code: Iterable[c.Stmt]) -> Iterator[c.Expr]:
    """Return every expression that stands directly in some statement."""
    return (expr for stmt in statements(code) for expr in directly(stmt))


def reads(code: Iterable[c.Stmt]) -> frozenset[str]:
    """Return the names of the arrays that statements may read."""
    return frozenset(load.array for expr in expressions(code) for load in loads(expr))


def writes(code: Iterable[c.Stmt]) -> frozenset[str]:
    """Return the names of the arrays that statements may write."""
    return frozenset(s.array for s in statements(code) if isinstance(s, c.Store | c.Fill))


def cites(code: Iterable[c.Stmt]) -> tuple[str, ...]:
    """Return the clauses that statements cite, in order, each once."""
    found = (stmt.clause for stmt in statements(code) if isinstance(stmt, c.Cite))
    return tuple(dict.fromkeys(found))


def unrolled_code(code: Iterable[c.Stmt]) -> int:
    """Return the number of terms of statements when every loop is written out."""
    total = 0
    for stmt in code:
        here = 1 + sum(map(unrolled, directly(stmt))) + sum(map(unrolled_code, blocks(stmt)))
        total += stmt.size * here if isinstance(stmt, c.For | c.Fill) else here
    return total
