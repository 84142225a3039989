"""Expressions of the core with equal parts made one, so that a value is computed once.

Two expressions that differ in the names of the variables of their folds only are the same term.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from ...model.machine.core import (
    Binary,
    Cond,
    Const,
    Expr,
    Feature,
    Load,
    Local,
    Pick,
    Reduce,
    Table,
    Unary,
)
from ...model.machine.traversal import parts

CONFIGURATION = "which features are on"
"""Stands among the arrays that a term reads, where it reads a feature."""


@dataclass(eq=False, slots=True)
class EmittedTerm:
    """An expression; equal expressions are one object.

    `label` is what its node says beside its parts: an operator, a name, a value.  `free` are the
    names that it uses and does not bind, `arrays` those that it reads (`CONFIGURATION` too),
    `weight` its length with every fold written out, `folds` how deep folds are nested in it.
    """

    kind: type
    label: Any
    parts: tuple[EmittedTerm, ...]
    number: int
    free: tuple[str, ...]
    arrays: tuple[str, ...]
    weight: int
    folds: int
    size: int = 0
    empty: int = 0


@dataclass(slots=True)
class _Names:
    """New names of fold variables, and the terms made under them."""

    new: Mapping[str, str]
    made: dict[int, tuple[Expr, EmittedTerm]] = field(default_factory=dict)


class Terms:
    """All terms of a machine."""

    def __init__(self) -> None:
        self._known: dict[tuple[Any, ...], EmittedTerm] = {}
        self._plain = _Names({})
        self._depths: dict[int, tuple[Expr, int]] = {}
        self._numbers = count()

    def of(self, expr: Expr) -> EmittedTerm:
        """Return the term of an expression."""
        return self._of(expr, self._plain)

    def scalar(self, array: str) -> EmittedTerm:
        """Return the term that reads an array of one element."""
        return self._one(Load, array, ())

    def _of(self, expr: Expr, names: _Names) -> EmittedTerm:
        found = names.made.get(id(expr))
        if found is None:
            found = names.made[id(expr)] = expr, self._made(expr, names)
        return found[1]

    def _made(self, expr: Expr, names: _Names) -> EmittedTerm:
        label: Any
        match expr:
            case Const(value):
                label = value
            case Local(name) | Pick(name):
                label = names.new.get(name, name)
            case Load(array):
                label = array
            case Table(table):
                label = table
            case Feature(number):
                label = number
            case Unary(op) | Binary(op):
                label = op
            case Cond():
                label = ""
            case Reduce():
                return self._fold(expr, names)
        return self._one(type(expr), label, tuple(self._of(p, names) for p in parts(expr)))

    def _fold(self, expr: Reduce, names: _Names) -> EmittedTerm:
        var = f"#{self._depth(expr)}"
        inner = _Names({**names.new, expr.var: var})
        both = self._of(expr.where, inner), self._of(expr.body, inner)
        return self._one(Reduce, (expr.op, var), both, expr.size, expr.empty)

    def _one(self, kind: type, label: Any, inner: tuple[EmittedTerm, ...],  # noqa: ANN401  (see `Term`)
             size: int = 0, empty: int = 0) -> EmittedTerm:
        key = (kind, label, size, empty, *(part.number for part in inner))
        found = self._known.get(key)
        if found is not None:
            return found
        free = {name for part in inner for name in part.free}
        arrays = {array for part in inner for array in part.arrays}
        weight, folds = 1 + sum(p.weight for p in inner), max((p.folds for p in inner), default=0)
        if kind is Local or kind is Pick:
            free.add(label)
        elif kind is Load:
            arrays.add(label)
        elif kind is Feature:
            arrays.add(CONFIGURATION)
        elif kind is Reduce:
            free.discard(label[1])
            weight, folds = 1 + (weight - 1) * size, folds + 1
        made = EmittedTerm(kind, label, inner, next(self._numbers), tuple(sorted(free)),
                    tuple(sorted(arrays)), weight, folds, size, empty)
        self._known[key] = made
        return made

    def _depth(self, expr: Expr) -> int:
        """Count how deep folds are nested in an expression."""
        found = self._depths.get(id(expr))
        if found is None:
            inner = max((self._depth(part) for part in parts(expr)), default=0)
            found = self._depths[id(expr)] = expr, inner + isinstance(expr, Reduce)
        return found[1]
