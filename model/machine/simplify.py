"""Smart constructors for core expressions: they fold constants.

So generated code and formulas stay small.  They never change the value of an expression.
"""

from __future__ import annotations

from collections.abc import Iterable

from .core import FALSE, TRUE, Binary, BinaryOp, Cond, Const, Expr, Reduce, ReduceOp, Unary
from .operators import apply


def binary(op: BinaryOp, a: Expr, b: Expr) -> Expr:
    """Build `a op b`."""
    if isinstance(a, Const) and isinstance(b, Const):
        return Const(apply(op, a.value, b.value))
    if op == "and":
        return both(a, b)
    if op == "or":
        return either(a, b)
    if op in ("+", "-") and b == Const(0):
        return a
    if op == "+" and a == Const(0):
        return b
    if op == "*" and Const(0) in (a, b):
        return Const(0)
    if op == "*" and Const(1) in (a, b):
        return b if a == Const(1) else a
    if op in ("==", "<=", ">=") and a == b:
        return TRUE
    if op in ("!=", "<", ">") and a == b:
        return FALSE
    return Binary(op, a, b)


def both(a: Expr, b: Expr) -> Expr:
    """Build `a and b`."""
    if FALSE in (a, b):
        return FALSE
    if a == TRUE:
        return b
    return a if b in (TRUE, a) else Binary("and", a, b)


def either(a: Expr, b: Expr) -> Expr:
    """Build `a or b`."""
    if TRUE in (a, b):
        return TRUE
    if a == FALSE:
        return b
    return a if b in (FALSE, a) else Binary("or", a, b)


def negate(a: Expr) -> Expr:
    """Build `not a`."""
    if isinstance(a, Const):
        return Const(int(not a.value))
    if isinstance(a, Unary) and a.op == "not":
        return a.operand
    return Unary("not", a)


def implies(a: Expr, b: Expr) -> Expr:
    """Build `not a or b`."""
    return either(negate(a), b)


def choice(test: Expr, then: Expr, other: Expr) -> Expr:
    """Build `then if test else other`."""
    if isinstance(test, Const):
        return then if test.value else other
    return then if then == other else Cond(test, then, other)


def conj(parts: Iterable[Expr]) -> Expr:
    """Build the conjunction of all parts; of none: true."""
    made: Expr = TRUE
    for part in parts:
        made = both(made, part)
    return made


def reduce(op: ReduceOp, var: str, size: int, where: Expr, body: Expr, *, empty: int = 0) -> Expr:
    """Build a fold; see core.Reduce."""
    if size == 0 or where == FALSE:
        return Const({"sum": 0, "any": 0, "all": 1}.get(op, empty))
    if op == "any":
        where, body = TRUE, both(where, body)
    if op == "all":
        where, body = TRUE, implies(where, body)
    if (op == "all" and body == TRUE) or (op in ("any", "sum") and body == FALSE):
        return Const(int(op == "all"))
    return Reduce(op, var, size, where, body, empty)
