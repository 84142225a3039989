"""Rules as Python closures that tell what they meet: comparisons, statements that change something.

This is the third reading of the core language, after the reference interpreter and the generated
code, made for looking at what decides (`watch`) and not for speed: every comparison of a rule is a
numbered `Site`, and each time it is made the difference of its sides is noted, cut to -2 … 2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import floordiv, mod
from typing import TypeAlias

from ...model.game.game import Game
from ...model.machine.core import (
    Binary,
    Cite,
    Cond,
    Const,
    Expr,
    Fill,
    For,
    If,
    Let,
    Load,
    Local,
    Note,
    Pick,
    Reduce,
    Stmt,
    Store,
    Table,
    Unary,
)
from ...model.machine.machine import Machine
from ...model.machine.state import Arg
from ...model.machine.traversal import arrays_read, within
from ...model.rules.elaborate import Elaborator
from ...model.rules.meanings import Failed, Scope
from ...model.run.evaluate import shape_of
from ...model.source.errors import Reporter

FAR = 2
"""Differences are told apart up to 1; what is farther is `FAR` away."""

Names: TypeAlias = "dict[str, Arg]"
Value: TypeAlias = "Callable[[list[int], Names], int]"
Act: TypeAlias = "Callable[[list[int], Names], None]"
Hit: TypeAlias = tuple[int, int]
"""A site by number, and the difference of its sides."""

COMPARISONS: Mapping[str, Callable[[int], bool]] = {
    "==": lambda d: d == 0, "!=": lambda d: d != 0, "<": lambda d: d < 0,
    "<=": lambda d: d <= 0, ">": lambda d: d > 0, ">=": lambda d: d >= 0,
}


@dataclass(frozen=True, slots=True)
class Site:
    """A comparison of a clause; `numeric` if its sides are amounts, so that near misses count."""

    clause: str
    key: str
    numeric: bool
    expr: Expr = field(compare=False, default=Const(0))


class Closures:
    """Compiles the expressions and statements of one machine."""

    def __init__(self, machine: Machine, game: Game) -> None:
        self.machine = machine
        self.game = game
        self.shape = shape_of(machine)
        self.declared = {a.name for a in machine.arrays if a.declared}
        self.sites: list[Site] = []
        self._numbers: dict[Site, int] = {}
        self._triggers = triggers_of(game)
        self.flip: Hit | None = None
        """The comparison that is turned round, and at which difference."""
        self.hits: set[Hit] = set()
        self.cites: dict[str, None] = {}
        self.effects: set[str] = set()
        self.notes: list[int] = []

    def _site(self, expr: Binary, clause: str, live: frozenset[str]) -> int | None:
        """Give a comparison its number; None if it compares only what the engine keeps."""
        names = {e.name for e in within(expr) if isinstance(e, Local | Pick)}
        if not (arrays_read(expr) & self.declared or names & live):
            return None
        if any(re.search(r"@[\d.]+#?$", name) for name in arrays_read(expr)) or "many" in {
            name.partition("$")[0] for name in names
        }:
            return None
        numeric = self._amount(expr.left) or self._amount(expr.right)
        if not numeric and Const(-1) in (expr.left, expr.right):
            return None
        key = key_of(expr)
        site = Site(self._triggers.get(key, clause), key, numeric, expr)
        if site not in self._numbers:
            self._numbers[site] = len(self.sites)
            self.sites.append(site)
        return self._numbers[site]

    def _amount(self, expr: Expr) -> bool:
        """Say whether an expression is an amount, rather than a name that is coded as a number."""
        match expr:
            case Reduce(op=op):
                return op == "sum" or (op in ("min", "max") and self._amount(expr.body))
            case Binary(op=op):
                return op in ("+", "-", "*", "//", "%") or (
                    op in ("min", "max") and self._amount(expr.left))
            case Load(array=name):
                array = self.shape.arrays[name]
                return array.domain.kind == "int" and not name.endswith(".return")
            case Table(table=name):
                family, _, attribute = name.partition(".")
                known = self.game.families.get(family)
                ty = known.attributes.get(attribute) if known is not None else None
                return ty is None or ty.kind == "int"
            case Cond():
                return self._amount(expr.then) or self._amount(expr.other)
            case Pick():
                return True
            case _:
                return False

    def value(self, expr: Expr, clause: str, live: frozenset[str]) -> Value:
        """Compile an expression; its comparisons are sites of the clause."""
        def of(part: Expr) -> Value:
            return self.value(part, clause, live)

        match expr:
            case Const(value=constant):
                return lambda _, __: constant
            case Local(name=name):
                return lambda _, names: names[name]  # type: ignore[return-value]
            case Pick(name=name, index=index):
                return _element(lambda _, names: names[name], of(index))  # type: ignore[arg-type,return-value]
            case Table(table=name, index=index):
                row = self.machine.tables[name]
                return _element(lambda _, __: row, of(index))
            case Load():
                return self._load(expr, [of(part) for part in expr.index])
            case Unary(op=op, operand=operand):
                inner = of(operand)
                if op == "not":
                    return lambda v, n: int(inner(v, n) == 0)
                return lambda v, n: -inner(v, n)
            case Cond(test=test, then=then, other=other):
                asked, yes, no = of(test), of(then), of(other)
                return lambda v, n: yes(v, n) if asked(v, n) else no(v, n)
            case Reduce():
                return _fold(expr, of(expr.where), of(expr.body))
            case Binary():
                left, right = of(expr.left), of(expr.right)
                if expr.op in ("min", "max") and isinstance(expr.left, Const) != isinstance(
                    expr.right, Const
                ):
                    return self._cap(expr, left, right, self._site(expr, clause, live))
                if expr.op not in COMPARISONS:
                    return _binary(expr.op, left, right)
                site = self._site(expr, clause, live)
                return self._comparison(COMPARISONS[expr.op], left, right, site)

    def _comparison(
        self, holds: Callable[[int], bool], left: Value, right: Value, site: int | None
    ) -> Value:
        if site is None:
            return lambda v, n: int(holds(left(v, n) - right(v, n)))
        numeric = self.sites[site].numeric

        def compare(values: list[int], names: Names) -> int:
            difference = left(values, names) - right(values, names)
            cut = max(-FAR, min(FAR, difference))
            hit = (site, cut if numeric else int(cut != 0))
            self.hits.add(hit)
            return int(holds(difference) != (hit == self.flip))

        return compare

    def _cap(self, expr: Binary, left: Value, right: Value, site: int | None) -> Value:
        """Compile a number that is kept within a bound; it is noted where the bound is met."""
        def cap(values: list[int], names: Names) -> int:
            one, other = left(values, names), right(values, names)
            bound, free = (other, one) if isinstance(expr.right, Const) else (one, other)
            beyond = free - bound if expr.op == "min" else bound - free
            if site is None or beyond <= 0:
                return free if beyond <= 0 else bound
            hit = (site, min(FAR, beyond))
            self.hits.add(hit)
            return free if hit == self.flip else bound

        return cap

    def _load(self, expr: Load, index: list[Value]) -> Value:
        array = self.shape.arrays[expr.array]
        first, low = self.shape.offsets[expr.array], array.low
        if not index:
            return lambda v, _: v[first]
        dims = array.dims

        def load(values: list[int], names: Names) -> int:
            place = 0
            for part, size in zip(index, dims, strict=True):
                at = part(values, names)
                if not 0 <= at < size:
                    return low
                place = place * size + at
            return values[first + place]

        return load

    # ------------------------------------------------------------------------ statements

    def block(
        self, body: Sequence[Stmt], clause: str, live: frozenset[str], path: str
    ) -> list[Act]:
        """Compile statements; `live` are the locals that stand for something of the game."""
        made: list[Act] = []
        for number, stmt in enumerate(body):
            here = f"{path}.{number}"
            match stmt:
                case Cite(clause=name):
                    clause = name
                    made.append(lambda _, __, name=name: self.cites.setdefault(name))  # type: ignore[misc]
                case Note(obligation=duty):
                    made.append(lambda _, __, duty=duty: self.notes.append(duty))  # type: ignore[misc]
                case Let(name=name, value=value):
                    if arrays_read(value) & self.declared or any(
                        isinstance(e, Local | Pick) and e.name in live for e in within(value)
                    ):
                        live |= {name}
                    made.append(_let(name, self.value(value, clause, live)))
                case If(test=test, then=then, other=other):
                    yes = self.block(then, clause, live, f"{here}t")
                    no = self.block(other, clause, live, f"{here}e")
                    made.append(_if(self.value(test, clause, live), yes, no))
                case For(var=var, size=size, body=inner):
                    acts = self.block(inner, clause, live, here)
                    made.append(_for(var, size, acts))
                case Store():
                    index = [self.value(part, clause, live) for part in stmt.index]
                    made.append(self._store(stmt.array, index, self.value(stmt.value, clause, live),
                                            f"{clause}:{stmt.array}:{here}"))
                case Fill():
                    made.append(self._fill(stmt, clause, live, here))
        return made

    def _place(self, name: str, index: Sequence[int]) -> int | None:
        return self.shape.place(self.shape.arrays[name], tuple(index))

    def _store(self, name: str, index: list[Value], value: Value, effect: str) -> Act:
        kept = name in self.declared

        def store(values: list[int], names: Names) -> None:
            new = value(values, names)
            place = self._place(name, [part(values, names) for part in index])
            if place is not None and values[place] != new:
                values[place] = new
                if kept:
                    self.effects.add(effect)

        return store

    def _fill(self, stmt: Fill, clause: str, live: frozenset[str], here: str) -> Act:
        prefix = [self.value(part, clause, live) for part in stmt.prefix]
        value = self.value(stmt.value, clause, live)
        kept, effect = stmt.array in self.declared, f"{clause}:{stmt.array}:{here}"

        def fill(values: list[int], names: Names) -> None:
            at = [part(values, names) for part in prefix]
            row: list[int] = []
            for i in range(stmt.size):
                names[stmt.var] = i
                row.append(value(values, names))
            for i, new in enumerate(row):
                place = self._place(stmt.array, (*at, i))
                if place is not None and values[place] != new:
                    values[place] = new
                    if kept:
                        self.effects.add(effect)

        return fill


def key_of(expr: Expr) -> str:
    """Give a comparison a name that is the same wherever it is lowered, and in every scope."""
    return re.sub(r"size=\d+", "", re.sub(r"[$@#]\d+(\.\d+)?", "", repr(expr)))


def triggers_of(game: Game) -> dict[str, str]:
    """Say which rule that holds at any time a comparison belongs to, by its key.

    Such a rule is put behind every statement that may set it off, and is not theirs.
    """
    found: dict[str, str] = {}
    for clause in game.clauses:
        if clause.whenever is None or not clause.in_force:
            continue
        try:
            test = Elaborator(game, Reporter()).guard(clause.whenever, Scope({}))
        except Failed:
            continue
        for part in within(test):
            if isinstance(part, Binary) and part.op in COMPARISONS:
                found.setdefault(key_of(part), clause.id)
    return found


# ------------------------------------------------------------------------------- closures


def _element(row: Callable[[list[int], Names], tuple[int, ...]], index: Value) -> Value:
    def element(values: list[int], names: Names) -> int:
        items, at = row(values, names), index(values, names)
        return items[at] if 0 <= at < len(items) else 0

    return element


def _binary(op: str, left: Value, right: Value) -> Value:
    match op:
        case "and":
            return lambda v, n: int(bool(left(v, n)) and bool(right(v, n)))
        case "or":
            return lambda v, n: int(bool(left(v, n)) or bool(right(v, n)))
        case "+":
            return lambda v, n: left(v, n) + right(v, n)
        case "-":
            return lambda v, n: left(v, n) - right(v, n)
        case "*":
            return lambda v, n: left(v, n) * right(v, n)
        case "min":
            return lambda v, n: min(left(v, n), right(v, n))
        case "max":
            return lambda v, n: max(left(v, n), right(v, n))
        case _:
            divide = floordiv if op == "//" else mod

            def divided(values: list[int], names: Names) -> int:
                by = right(values, names)
                return divide(left(values, names), by) if by else 0

            return divided


def _fold(expr: Reduce, where: Value, body: Value) -> Value:
    var, size, op, empty = expr.var, expr.size, expr.op, expr.empty

    def fold(values: list[int], names: Names) -> int:
        found: list[int] = []
        for i in range(size):
            names[var] = i
            if where(values, names):
                names[var] = i
                found.append(body(values, names))
        match op:
            case "sum":
                return sum(found)
            case "any":
                return int(any(found))
            case "all":
                return int(all(found))
            case "min":
                return min(found, default=empty)
            case "max":
                return max(found, default=empty)

    return fold


def _let(name: str, value: Value) -> Act:
    def let(values: list[int], names: Names) -> None:
        names[name] = value(values, names)

    return let


def _if(test: Value, yes: list[Act], no: list[Act]) -> Act:
    def branch(values: list[int], names: Names) -> None:
        for act in yes if test(values, names) else no:
            act(values, names)

    return branch


def _for(var: str, size: int, acts: list[Act]) -> Act:
    def loop(values: list[int], names: Names) -> None:
        for i in range(size):
            names[var] = i
            for act in acts:
                names[var] = i
                act(values, names)

    return loop
