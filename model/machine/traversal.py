"""What core code reads and writes."""

from __future__ import annotations

from typing import TYPE_CHECKING, assert_never

from . import core as c

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def loads(expr: c.Expr) -> Iterator[c.Load]:
    """Give every Load in an expression."""
    match expr:
        case c.Const() | c.Local():
            return
        case c.Load(index=index):
            yield expr
            for each in index:
                yield from loads(each)
        case c.Pick(index=one) | c.Table(index=one) | c.Unary(operand=one):
            yield from loads(one)
        case c.Binary(left=left, right=right):
            yield from loads(left)
            yield from loads(right)
        case c.Cond(test=test, then=then, other=other):
            yield from loads(test)
            yield from loads(then)
            yield from loads(other)
        case c.Reduce(where=where, body=body):
            yield from loads(where)
            yield from loads(body)
        case _:
            assert_never(expr)


def arrays_read(expr: c.Expr) -> frozenset[str]:
    """Name the arrays that an expression reads."""
    return frozenset(load.array for load in loads(expr))


def expressions(code: Iterable[c.Stmt]) -> Iterator[c.Expr]:
    """Give every expression that stands directly in some statement."""
    for stmt in code:
        match stmt:
            case c.Let(value=value):
                yield value
            case c.Store(index=index, value=value):
                yield from index
                yield value
            case c.Fill(prefix=prefix, value=value):
                yield from prefix
                yield value
            case c.If(test=test, then=then, other=other):
                yield test
                yield from expressions(then)
                yield from expressions(other)
            case c.For(body=body):
                yield from expressions(body)
            case c.Note() | c.Cite():
                pass
            case _:
                assert_never(stmt)


def reads(code: Iterable[c.Stmt]) -> frozenset[str]:
    """Name the arrays that statements may read."""
    return frozenset(name for expr in expressions(code) for name in arrays_read(expr))


def writes(code: Iterable[c.Stmt]) -> frozenset[str]:
    """Name the arrays that statements may write."""
    found: set[str] = set()
    for stmt in code:
        match stmt:
            case c.Store(array=array) | c.Fill(array=array):
                found.add(array)
            case c.If(then=then, other=other):
                found |= writes(then) | writes(other)
            case c.For(body=body):
                found |= writes(body)
            case c.Let() | c.Note() | c.Cite():
                pass
            case _:
                assert_never(stmt)
    return frozenset(found)


def cites(code: Iterable[c.Stmt]) -> tuple[str, ...]:
    """Name the clauses that statements cite, in order, each once."""
    found: dict[str, None] = {}
    for stmt in code:
        match stmt:
            case c.Cite(clause=clause):
                found[clause] = None
            case c.If(then=then, other=other):
                found.update(dict.fromkeys((*cites(then), *cites(other))))
            case c.For(body=body):
                found.update(dict.fromkeys(cites(body)))
            case _:
                pass
    return tuple(found)
