"""The rules language's own syntax tree."""

from __future__ import annotations

from dataclasses import dataclass

from ..source.errors import Place


@dataclass(frozen=True, slots=True)
class Num:
    """An integer literal."""

    value: int
    at: Place


@dataclass(frozen=True, slots=True)
class Truth:
    """`True` or `False`."""

    value: bool
    at: Place


@dataclass(frozen=True, slots=True)
class Nothing:
    """`none`, the absent value."""

    at: Place


@dataclass(frozen=True, slots=True)
class Text:
    """A string literal: a question for people, or what lies outside the game."""

    value: str
    at: Place


@dataclass(frozen=True, slots=True)
class Name:
    """A name, not yet resolved."""

    name: str
    at: Place


@dataclass(frozen=True, slots=True)
class Attr:
    """`value.name`."""

    value: Expr
    name: str
    at: Place


@dataclass(frozen=True, slots=True)
class Index:
    """`value[index]`."""

    value: Expr
    index: Expr
    at: Place


@dataclass(frozen=True, slots=True)
class Call:
    """`func(args, name=…)`; `func` is a Name or an Attr."""

    func: Expr
    args: tuple[Expr, ...]
    named: tuple[tuple[str, Expr], ...]
    at: Place


@dataclass(frozen=True, slots=True)
class Prefix:
    """`not a`, `-a`."""

    op: str
    operand: Expr
    at: Place


@dataclass(frozen=True, slots=True)
class Infix:
    """An arithmetic or set operator, `and`, or `or`."""

    op: str
    left: Expr
    right: Expr
    at: Place


@dataclass(frozen=True, slots=True)
class Compare:
    """One comparison: `== != < <= > >= in not-in`.  A chain becomes an `and` of these."""

    op: str
    left: Expr
    right: Expr
    at: Place


@dataclass(frozen=True, slots=True)
class IfElse:
    """`then if test else other`."""

    test: Expr
    then: Expr
    other: Expr
    at: Place


@dataclass(frozen=True, slots=True)
class Generator:
    """`element for var in domain if where`."""

    element: Expr
    var: str
    domain: Expr
    where: tuple[Expr, ...]
    at: Place


@dataclass(frozen=True, slots=True)
class SetOf:
    """`{a, b}`, or `{p for p in players if …}` (then `generator` is given)."""

    items: tuple[Expr, ...]
    generator: Generator | None
    at: Place


Expr = (
    Num | Truth | Nothing | Text | Name | Attr | Index | Call | Prefix | Infix | Compare | IfElse
    | Generator | SetOf
)


@dataclass(frozen=True, slots=True)
class Assign:
    """`target = value`; `op` is `=`, `+` or `-`."""

    target: Expr
    op: str
    value: Expr
    at: Place


@dataclass(frozen=True, slots=True)
class Do:
    """A call for its effect."""

    call: Call
    at: Place


@dataclass(frozen=True, slots=True)
class IfThen:
    """`if test: then else: other`."""

    test: Expr
    then: tuple[Stmt, ...]
    other: tuple[Stmt, ...]
    at: Place


@dataclass(frozen=True, slots=True)
class ForEach:
    """`for var in domain: body`."""

    var: str
    domain: Expr
    body: tuple[Stmt, ...]
    at: Place


@dataclass(frozen=True, slots=True)
class While:
    """`while test: body`."""

    test: Expr
    body: tuple[Stmt, ...]
    at: Place


Stmt = Assign | Do | IfThen | ForEach | While
