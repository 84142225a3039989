"""Expressions of the rules language as text again, for people.

The text parses back to the same tree (places aside); brackets stand only where they are needed.
"""

from __future__ import annotations

from typing import assert_never

from . import syntax as sx

_LOOSEST, _OR, _AND, _NOT, _COMPARE, _UNION, _COMMON = 0, 1, 2, 3, 4, 5, 6
_SUM, _PRODUCT, _SIGN, _TIGHTEST = 7, 8, 9, 10
_STRENGTH = {
    "or": _OR,
    "and": _AND,
    "|": _UNION,
    "&": _COMMON,
    "+": _SUM,
    "-": _SUM,
    "*": _PRODUCT,
    "//": _PRODUCT,
    "%": _PRODUCT,
}


def unparse(expr: sx.Expr) -> str:
    """Write an expression as the language has it."""
    return _write(expr, _LOOSEST)


def _write(expr: sx.Expr, within: int) -> str:
    """Write an expression, in brackets if what is around it binds more tightly."""
    text, strength = _plain(expr)
    return f"({text})" if strength < within else text


def _plain(expr: sx.Expr) -> tuple[str, int]:
    match expr:
        case sx.Num(value=value):
            return str(value), _TIGHTEST if value >= 0 else _SIGN
        case sx.Truth(value=truth):
            return str(truth), _TIGHTEST
        case sx.Nothing():
            return "none", _TIGHTEST
        case sx.Text(value=words):
            return _quoted(words), _TIGHTEST
        case sx.Name(name=name):
            return name, _TIGHTEST
        case sx.Attr(value=owner, name=name):
            return f"{_write(owner, _TIGHTEST)}.{name}", _TIGHTEST
        case sx.Index(value=owner, index=index):
            return f"{_write(owner, _TIGHTEST)}[{unparse(index)}]", _TIGHTEST
        case sx.Call():
            return _call(expr), _TIGHTEST
        case sx.SetOf(items=items, generator=generator):
            inside = ", ".join(map(unparse, items)) if generator is None else _each(generator)
            return f"{{{inside}}}", _TIGHTEST
        case sx.Generator():
            return f"({_each(expr)})", _TIGHTEST
        case _:
            return _operation(expr)


def _operation(
    expr: sx.Unary | sx.Binary | sx.Compare | sx.IfElse,
) -> tuple[str, int]:
    match expr:
        case sx.Unary(op="not", operand=operand):
            return f"not {_write(operand, _NOT)}", _NOT
        case sx.Unary(op=op, operand=operand):
            return f"{op}{_write(operand, _SIGN)}", _SIGN
        case sx.Compare(op=op, left=left, right=right):
            inner = _COMPARE + 1
            return f"{_write(left, inner)} {op} {_write(right, inner)}", _COMPARE
        case sx.Binary(op=op, left=left, right=right):
            strength = _STRENGTH[op]
            return f"{_write(left, strength)} {op} {_write(right, strength + 1)}", strength
        case sx.IfElse(test=test, then=then, other=other):
            return (
                f"{_write(then, _OR)} if {_write(test, _OR)} else {_write(other, _LOOSEST)}",
                _LOOSEST,
            )
        case _:
            assert_never(expr)


def _call(call: sx.Call) -> str:
    if len(call.args) == 1 and not call.named and isinstance(call.args[0], sx.Generator):
        inside = _each(call.args[0])
    else:
        inside = ", ".join(
            [*map(unparse, call.args), *(f"{name}={unparse(one)}" for name, one in call.named)]
        )
    return f"{_write(call.func, _TIGHTEST)}({inside})"


def _each(each: sx.Generator) -> str:
    tests = "".join(f" if {_write(test, _OR)}" for test in each.where)
    return f"{_write(each.element, _LOOSEST)} for {each.var} in {_write(each.domain, _OR)}{tests}"


def _quoted(words: str) -> str:
    escaped = words.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
