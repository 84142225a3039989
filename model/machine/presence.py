"""What of an expression is there in which configurations: expressions over features alone.

A machine with features must behave in each configuration as the machine that is planned for that
configuration alone.  Where planning asks what an expression reads, the answer is a condition on the
features then; without features it is always `TRUE` or `FALSE`.
"""

from __future__ import annotations

from .core import FALSE, TRUE, Binary, Cond, Const, Expr, Feature, Load, Unary
from .simplify import both, either, negate
from .traversal import parts


def settled(expr: Expr) -> bool:
    """Return whether an expression reads nothing but features."""
    match expr:
        case Const() | Feature():
            return True
        case Unary() | Binary() | Cond():
            return all(map(settled, parts(expr)))
        case _:
            return False


def reads_if(expr: Expr, arrays: frozenset[str]) -> Expr:
    """Return in which configurations an expression reads one of some arrays.

    What a feature that is off takes out of it is not read.
    """
    match expr:
        case Binary(op="and" | "or" as op, left=left, right=right) if settled(right):
            return both(reads_if(left, arrays), right if op == "and" else negate(right))
        case Cond(test=test, then=then, other=other) if settled(test):
            return either(both(test, reads_if(then, arrays)),
                          both(negate(test), reads_if(other, arrays)))
        case Load(array=array) if array in arrays:
            return TRUE
        case _:
            found: Expr = FALSE
            for part in parts(expr):
                found = either(found, reads_if(part, arrays))
            return found
