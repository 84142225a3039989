"""Core expressions in the game's own words: names of cards, players and values instead of numbers.

For people only (graphs, explanations); nothing reads the text back.  A number is shown by the name
that it has where it stands: as an index by the axis of its array, beside a comparison by the domain
of what it is compared with.  `names` gives the value names of constant tables (card attributes),
which a machine does not keep.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import assert_never

from ..game.game import Game
from ..machine import core as c
from ..machine.machine import Array, Domain, Machine
from ..machine.traversal import loads

Names = Mapping[str, tuple[str, ...]]
"""Table → the names of its values, from 0."""

_COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")
_STRENGTH = {"or": 1, "and": 2, **dict.fromkeys(_COMPARISONS, 4), "+": 5, "-": 5, "*": 6, "//": 6,
             "%": 6}
_TIGHTEST = 9
_NUMBER = re.compile(r"\$\d+$")
"""What the front end appends to the names of locals to tell them apart."""


def wording(machine: Machine, expr: c.Expr, names: Names | None = None) -> str:
    """Write an expression of a machine for people."""
    arrays = {array.name: array for array in machine.arrays}
    return _Writer(machine, arrays, names or {}).write(expr, 0)


@dataclass(frozen=True, slots=True)
class _Writer:
    machine: Machine
    arrays: Mapping[str, Array]
    names: Names
    bound: dict[str, str] = field(default_factory=dict[str, str])
    """Local → the name it is shown by."""

    def write(self, expr: c.Expr, within: int) -> str:
        """Write an expression, in brackets if what is around it binds more tightly."""
        text, strength = self._plain(expr)
        return f"({text})" if strength < within else text

    def _plain(self, expr: c.Expr) -> tuple[str, int]:
        match expr:
            case c.Const(value=value):
                return str(value), _TIGHTEST if value >= 0 else 7
            case c.Local(name=name):
                return self._local(name), _TIGHTEST
            case c.Pick(name=name, index=index):
                return f"{self._local(name)}[{self.write(index, 0)}]", _TIGHTEST
            case c.Load():
                return self._load(expr), _TIGHTEST
            case c.Table(table=table, index=index):
                return f"{table}[{self.write(index, 0)}]", _TIGHTEST
            case c.Unary(op="not", operand=operand):
                return f"not {self.write(operand, 4)}", 3
            case c.Unary(operand=operand):
                return f"-{self.write(operand, 8)}", 7
            case c.Binary():
                return self._binary(expr)
            case c.Cond(test=test, then=then, other=other):
                return (
                    f"{self.write(then, 1)} if {self.write(test, 1)} else {self.write(other, 0)}"
                ), 0
            case c.Reduce():
                return self._reduce(expr), _TIGHTEST
            case c.Feature(number=number):
                return f"feature {number}", _TIGHTEST
            case _:
                assert_never(expr)

    def _binary(self, expr: c.Binary) -> tuple[str, int]:
        if expr.op in ("min", "max"):
            return f"{expr.op}({self.write(expr.left, 0)}, {self.write(expr.right, 0)})", _TIGHTEST
        strength = _STRENGTH[expr.op]
        if expr.op in _COMPARISONS:
            left, right = self._named(expr.left, expr.right), self._named(expr.right, expr.left)
            if self._truth(expr.left) and right in ("True", "False") and expr.op in ("==", "!="):
                positive = (right == "True") == (expr.op == "==")
                return (left, _TIGHTEST) if positive else (f"not {left}", 3)
            return f"{left} {expr.op} {right}", strength
        left, right = self.write(expr.left, strength), self.write(expr.right, strength + 1)
        return f"{left} {expr.op} {right}", strength

    def _truth(self, expr: c.Expr) -> bool:
        domain = self._domain(expr)
        return isinstance(domain, Domain) and domain.kind == "bool"

    def _named(self, expr: c.Expr, beside: c.Expr) -> str:
        """Write one side of a comparison: a number by its name, if the other side has names."""
        if isinstance(expr, c.Const):
            domain = self._domain(beside)
            if isinstance(domain, Domain):
                return self._value(domain, expr.value)
            if domain:
                if expr.value == -1:
                    return "none"
                if 0 <= expr.value < len(domain):
                    return domain[expr.value]
        return self.write(expr, 5)

    def _domain(self, expr: c.Expr) -> Domain | tuple[str, ...] | None:
        match expr:
            case c.Load(array=name) if name in self.arrays and not self.arrays[name].zone:
                return self.arrays[name].domain
            case c.Table(table=table):
                return self.names.get(table)
            case c.Cond(then=then, other=other):
                return self._domain(then) or self._domain(other)
            case _:
                return None

    def _value(self, domain: Domain, value: int) -> str:
        names = domain.names or (self.machine.player_names if domain.kind == "player" else ())
        if domain.kind == "bool" and value in (0, 1):
            return str(bool(value))
        if value == -1 and (domain.kind != "int" or domain.low > -1):
            return "none"
        return names[value - domain.low] if 0 <= value - domain.low < len(names) else str(value)

    def _load(self, load: c.Load) -> str:
        array = self.arrays.get(load.array)
        name = load.array if array is None else own_name(array)
        if not load.index:
            return name
        axes = () if array is None else array.axes
        shown = [
            self._value(axes[i], each.value)
            if isinstance(each, c.Const) and i < len(axes)
            else self.write(each, 0)
            for i, each in enumerate(load.index)
        ]
        return f"{name}[{', '.join(shown)}]"

    def _local(self, name: str) -> str:
        return self.bound.get(name) or _stem(name)

    def _reduce(self, expr: c.Reduce) -> str:
        taken = set(self.bound.values())
        shown, number = _stem(expr.var), 2
        while shown in taken:
            shown, number = f"{_stem(expr.var)}{number}", number + 1
        inner = _Writer(self.machine, self.arrays, self.names, {**self.bound, expr.var: shown})
        where = "" if expr.where == c.TRUE else f" if {inner.write(expr.where, 1)}"
        over = self._over(expr)
        if expr.op == "sum" and expr.body == c.TRUE:
            return f"count({shown} in {over}{where})"
        return f"{expr.op}({inner.write(expr.body, 0)} for {shown} in {over}{where})"

    def _over(self, expr: c.Reduce) -> str:
        """Say what a variable ranges over: by the arrays that it indexes, else by its size."""
        for load in (*_indexed(expr.body, expr.var), *_indexed(expr.where, expr.var)):
            array = self.arrays.get(load.array)
            for place, axis in zip(load.index, array.axes if array else (), strict=False):
                if place == c.Local(expr.var):
                    return "players" if axis.kind == "player" else axis.kind.partition(":")[2]
        return f"range({expr.size})"


def _indexed(expr: c.Expr, var: str) -> list[c.Load]:
    return [load for load in loads(expr) if c.Local(var) in load.index]


def own_name(array: Array) -> str:
    """Return what the spec calls an array, what is kept at a place of a body, or who acts."""
    kept = array.of
    if kept is None:
        return array.name
    if kept.role == "return":
        return kept.owner
    if kept.place or kept.role == "actor" or kept.owner.startswith("card:"):
        return kept.name
    return _NUMBER.sub("", replace(kept, level=0).array)


def _stem(name: str) -> str:
    """Leave out what makes a local's name unique: its prefix and its number."""
    return _NUMBER.sub("", name.rpartition("/")[2] or name)


def names_of(game: Game) -> dict[str, tuple[str, ...]]:
    """Name the values of the card attributes whose type is an enum, by table (`play.style`)."""
    return {
        f"{family.name}.{attribute}": game.enums[ty.name]
        for family in game.families.values()
        for attribute, ty in family.attributes.items()
        if ty.kind == "enum" and ty.name in game.enums
    }


def titles_of(game: Game) -> dict[str, str]:
    """Return what steps and windows are called, where they are called anything."""
    titles = {step.name: step.title for step in game.steps.values()}
    titles.update((window.name, window.title) for window in game.windows.values())
    return {name: title for name, title in titles.items() if title and title != name}
