"""Limits that smaller numbers cannot break, and code that makes numbers only smaller.

Both are read off the text: what is not recognised counts as neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet

from ..machine.core import Binary, Const, Expr, Fill, Let, Load, Local, Reduce, Stmt, Store
from ..machine.traversal import arrays_read, blocks

Names = Mapping[str, Expr]


def is_upper_bound(test: Expr) -> bool:
    """Return whether a condition that holds goes on holding when what it reads becomes smaller."""
    match test:
        case Const():
            return True
        case Reduce(op="all", where=where, body=body):
            return not arrays_read(where) and is_upper_bound(body)
        case Binary(op="and", left=left, right=right):
            return is_upper_bound(left) and is_upper_bound(right)
        case Binary(op="<=" | "<", left=left, right=right):
            return _grows(left) and not arrays_read(right)
        case _:
            return False


def _grows(expr: Expr) -> bool:
    """Return whether a number never grows when what it reads becomes smaller."""
    match expr:
        case Load(index=index):
            return not any(arrays_read(each) for each in index)
        case Reduce(op="sum" | "max" | "min", where=where, body=body):
            return not arrays_read(where) and _grows(body)
        case Binary(op="+" | "min" | "max", left=left, right=right):
            return _grows(left) and _grows(right)
        case _:
            return not arrays_read(expr)


def only_lowers(code: Iterable[Stmt], arrays: AbstractSet[str], lows: Mapping[str, int]) -> bool:
    """Return whether statements leave each element of these arrays at most what it was before them.

    `lows` are the least values of all arrays.
    """
    return all(_lowers(stmt, arrays, lows, named) for stmt, named in _named(code, {}))


def _named(code: Iterable[Stmt], outer: Mapping[str, Expr]) -> Iterator[tuple[Stmt, Names]]:
    """Yield all statements, those inside others too, with what the names in them stand for."""
    names = dict(outer)
    for stmt in code:
        if isinstance(stmt, Let):
            names[stmt.name] = stmt.value
        yield stmt, names
        for block in blocks(stmt):
            yield from _named(block, names)


def _lowers(stmt: Stmt, arrays: AbstractSet[str], lows: Mapping[str, int], names: Names) -> bool:
    match stmt:
        case Store(array=array, index=index, value=value) if array in arrays:
            return _at_most(Load(array, index), value, names, lows)
        case Fill(array=array, prefix=prefix, var=var, value=value) if array in arrays:
            return _at_most(Load(array, (*prefix, Local(var))), value, names, lows)
        case _:
            return True


def _at_most(old: Load, new: Expr, names: Names, lows: Mapping[str, int]) -> bool:
    """Return whether a value is at most what an element was; names hold what was so before."""
    match new:
        case Const(value=value):
            return value == lows[old.array]
        case Load():
            return new == old
        case Local(name=name) if name in names:
            return _at_most(old, names[name], {}, lows)
        case Binary(op="-", left=left, right=right):
            return _not_negative(right, names, lows) and _at_most(old, left, names, lows)
        case Binary(op="max", left=Const(value=value), right=right):
            return value == lows[old.array] and _at_most(old, right, names, lows)
        case Binary(op="min", left=left, right=right):
            return any(_at_most(old, each, names, lows) for each in (left, right))
        case _:
            return False


def _not_negative(expr: Expr, names: Names, lows: Mapping[str, int]) -> bool:
    match expr:
        case Const(value=value):
            return value >= 0
        case Load(array=array):
            return lows[array] >= 0
        case Local(name=name) if name in names:
            return _not_negative(names[name], {}, lows)
        case _:
            return False
