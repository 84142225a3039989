"""Replacing a local of the core by an expression."""

from __future__ import annotations

from typing import assert_never

from . import core as c


def rename(expr: c.Expr, name: str, value: c.Expr) -> c.Expr:
    """Replace `Local(name)` by `value`.  Names are unique, so nothing can be captured."""
    match expr:
        case c.Local(name=found):
            return value if found == name else expr
        case c.Const():
            return expr
        case c.Pick(name=bag, index=index):
            return c.Pick(bag, rename(index, name, value))
        case c.Load(array=array, index=index):
            return c.Load(array, tuple(rename(each, name, value) for each in index))
        case c.Table(table=table, index=one):
            return c.Table(table, rename(one, name, value))
        case c.Unary(op=op, operand=operand):
            return c.Unary(op, rename(operand, name, value))
        case c.Binary(op=op, left=left, right=right):
            return c.Binary(op, rename(left, name, value), rename(right, name, value))
        case c.Cond(test=test, then=then, other=other):
            return c.Cond(rename(test, name, value), rename(then, name, value),
                          rename(other, name, value))
        case c.Reduce(op=fold, var=var, size=size, where=where, body=body, empty=empty):
            return c.Reduce(fold, var, size, rename(where, name, value),
                            rename(body, name, value), empty)
        case _:
            assert_never(expr)
