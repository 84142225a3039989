"""Facts about core programs that the generator needs: lengths, names, arrays read and written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import assert_never

from ...model.machine.core import (
    Binary,
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


def parts(expr: Expr) -> tuple[Expr, ...]:
    """List the expressions directly inside an expression."""
    match expr:
        case Const() | Local():
            return ()
        case Pick() | Table():
            return (expr.index,)
        case Load():
            return expr.index
        case Unary():
            return (expr.operand,)
        case Binary():
            return (expr.left, expr.right)
        case Cond():
            return (expr.test, expr.then, expr.other)
        case Reduce():
            return (expr.where, expr.body)
        case _:
            assert_never(expr)


def within(expr: Expr) -> Iterator[Expr]:
    """List an expression and everything inside it."""
    todo = [expr]
    while todo:
        here = todo.pop()
        yield here
        todo += reversed(parts(here))


def weight(expr: Expr) -> int:
    """Estimate the length of an expression when every fold is written out."""
    inner = sum(weight(part) for part in parts(expr))
    return 1 + (inner * expr.size if isinstance(expr, Reduce) else inner)


def names(expr: Expr) -> frozenset[str]:
    """Collect the names that an expression uses without binding them."""
    found: frozenset[str] = frozenset()
    if isinstance(expr, Local | Pick):
        found = frozenset({expr.name})
    for part in parts(expr):
        found |= names(part)
    return found - {expr.var} if isinstance(expr, Reduce) else found


def reads(expr: Expr) -> frozenset[str]:
    """Collect the arrays that an expression reads."""
    return frozenset(part.array for part in within(expr) if isinstance(part, Load))


def conjuncts(expr: Expr) -> Iterator[Expr]:
    """Split a condition at its outermost `and`s."""
    if isinstance(expr, Binary) and expr.op == "and":
        yield from conjuncts(expr.left)
        yield from conjuncts(expr.right)
    else:
        yield expr


def factors(expr: Expr) -> Iterator[Expr]:
    """List the factors of a product."""
    if isinstance(expr, Binary) and expr.op == "*":
        yield from factors(expr.left)
        yield from factors(expr.right)
    else:
        yield expr


def statements(body: tuple[Stmt, ...]) -> Iterator[Stmt]:
    """List the statements of a body and everything inside them."""
    for stmt in body:
        yield stmt
        match stmt:
            case If():
                yield from statements(stmt.then)
                yield from statements(stmt.other)
            case For():
                yield from statements(stmt.body)
            case Let() | Store() | Fill() | Note() | Cite():
                pass
            case _:
                assert_never(stmt)


def expressions(stmt: Stmt) -> tuple[Expr, ...]:
    """List the expressions directly in a statement."""
    match stmt:
        case Let():
            return (stmt.value,)
        case Store():
            return (*stmt.index, stmt.value)
        case Fill():
            return (*stmt.prefix, stmt.value)
        case If():
            return (stmt.test,)
        case For() | Note() | Cite():
            return ()
        case _:
            assert_never(stmt)


def writes(body: tuple[Stmt, ...]) -> frozenset[str]:
    """Collect the arrays that statements may write."""
    return frozenset(stmt.array for stmt in statements(body) if isinstance(stmt, Store | Fill))


def heft(body: tuple[Stmt, ...]) -> int:
    """Estimate the length of statements when every loop is written out."""
    total = 0
    for stmt in body:
        inner = 1 + sum(weight(expr) for expr in expressions(stmt))
        match stmt:
            case Fill():
                inner *= stmt.size
            case For():
                inner += stmt.size * heft(stmt.body)
            case If():
                inner += heft(stmt.then) + heft(stmt.other)
            case Let() | Store() | Note() | Cite():
                pass
            case _:
                assert_never(stmt)
        total += inner
    return total
