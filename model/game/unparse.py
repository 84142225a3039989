"""Expressions and clauses of the rules language as text again, for people.

The text parses back to the same tree (places aside); brackets stand only where they are needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from . import syntax as sx
from .game import Clause

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


def _operation(expr: sx.Prefix | sx.Infix | sx.Compare | sx.IfElse) -> tuple[str, int]:
    match expr:
        case sx.Prefix(op="not", operand=operand):
            return f"not {_write(operand, _NOT)}", _NOT
        case sx.Prefix(op=op, operand=operand):
            return f"{op}{_write(operand, _SIGN)}", _SIGN
        case sx.Compare(op=op, left=left, right=right):
            inner = _COMPARE + 1
            return f"{_write(left, inner)} {op} {_write(right, inner)}", _COMPARE
        case sx.Infix(op=op, left=left, right=right):
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


def unparse_body(statements: Iterable[sx.Stmt], depth: int = 0) -> str:
    """Write statements as the language has them, two spaces for each level."""
    return "\n".join(line for stmt in statements for line in _lines(stmt, "  " * depth, depth))


def _lines(stmt: sx.Stmt, pad: str, depth: int) -> Iterator[str]:
    def block(statements: tuple[sx.Stmt, ...]) -> str:
        return unparse_body(statements, depth + 1) or f"{pad}  pass"

    match stmt:
        case sx.Assign(target=target, op=op, value=value):
            yield f"{pad}{unparse(target)} {'' if op == '=' else op}= {unparse(value)}"
        case sx.Do(call=call):
            yield f"{pad}{unparse(call)}"
        case sx.IfThen(test=test, then=then, other=other):
            yield f"{pad}if {unparse(test)}:"
            yield block(then)
            if other:
                yield f"{pad}else:"
                yield block(other)
        case sx.ForEach(var=var, domain=domain, body=body):
            yield f"{pad}for {var} in {unparse(domain)}:"
            yield block(body)
        case sx.While(test=test, body=body):
            yield f"{pad}while {unparse(test)}:"
            yield block(body)


def unparse_domain(domain: sx.Expr) -> str:
    """Write the domain of a parameter: an expression, or a bare generator."""
    return _each(domain) if isinstance(domain, sx.Generator) else unparse(domain)


def encoding(clause: Clause) -> tuple[str, ...]:
    """Write what a clause contributes, field by field, as lines of a spec."""
    out: list[str] = []
    if clause.on:
        out.append(f"on: {clause.on}" + (f"   option: {clause.option}" if clause.option else ""))
    if clause.must:
        out.append(f"must: {clause.must}")
    if clause.params:
        each = ", ".join(f"{name}: {unparse_domain(domain)}" for name, domain in clause.params)
        out.append(f"with: {each}")
    if clause.define:
        params = ", ".join(f"{name}: {kind}" for name, kind in clause.define_params)
        out.append(f"define: {clause.define}" + (f"({params})" if params else ""))
    tests = {
        "whenever": clause.whenever,
        "when": clause.when,
        "value": clause.value,
        "ensure": clause.ensure,
        "always": clause.always,
    }
    out += [f"{name}: {unparse(test)}" for name, test in tests.items() if test is not None]
    if clause.timing:
        out.append(f"timing: {clause.timing}")
    if clause.fires:
        out.append(f"fires: {clause.fires}")
    out += _bodies(clause)
    out += _claim(clause)
    for name in ("after", "before", "overrides", "restates"):
        if named := getattr(clause, name):
            out.append(f"{name}: {', '.join(named)}")
    return tuple(out)


def _bodies(clause: Clause) -> list[str]:
    out: list[str] = []
    for name, body in (("do", clause.do), ("otherwise", clause.otherwise)):
        if body is not None:
            lines = body.text.splitlines()
            out += [f"{name}: {lines[0]}"] if len(lines) == 1 else [f"{name}:"]
            out += [f"  {line}" for line in lines] if len(lines) != 1 else []
    return out


def _claim(clause: Clause) -> list[str]:
    claim, example = clause.claim, clause.example
    out: list[str] = []
    if claim is not None:
        for one in claim.given:
            each = " for each player" if one.per_player else ""
            out.append(f"given: {one.name}: {one.type}{each}")
        if claim.such_that is not None:
            out.append(f"such_that: {unparse(claim.such_that)}")
        out.append(f"{claim.form}: {unparse(claim.test)}")
        if claim.equals is not None:
            out.append(f"equals: {unparse(claim.equals)}")
    if example is not None:
        out.append(f"example: {len(example.moves)} moves from {example.at} ({example.scope})")
        if example.expect is not None:
            out.append(f"expect: {unparse(example.expect)}")
    return out
