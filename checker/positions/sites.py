"""The comparisons and statements of a machine's clauses, numbered, so that a run can tell of them.

`sites_of` writes a machine anew in which each comparison that decides something in the game is
`Watched`, and each statement that changes declared state says whose effect it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

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
    Pick,
    Reduce,
    Stmt,
    Store,
    Table,
)
from ...model.machine.machine import Edge, Machine, Node, Param
from ...model.machine.operators import COMPARISONS
from ...model.machine.traversal import arrays_read, names, parts, rebuilt, within
from ...model.rules.elaborate import condition
from ...model.rules.meanings import Failed
from ...model.run.watched import Watched, WatchedFill, WatchedStore

Key = tuple[object, ...]
"""A comparison's text, the same wherever it is lowered and in every scope."""


@dataclass(frozen=True, slots=True)
class ComparisonSite:
    """A comparison of a clause; `numeric` if its sides are amounts, so that near misses count."""

    clause: str
    key: Key
    numeric: bool
    expr: Binary = field(compare=False)


def sites_of(machine: Machine, game: Game) -> tuple[Machine, tuple[ComparisonSite, ...]]:
    """Return the machine with its comparisons and stores watched, and the sites by number."""
    writer = _SiteWriter(machine, game)
    nodes = tuple(
        replace(node, edges=tuple(writer.edge(node, edge) for edge in node.edges))
        for node in machine.nodes
    )
    limits = tuple(
        replace(limit, test=writer.value(limit.test, limit.clause, frozenset()))
        for limit in machine.limits
    )
    return replace(machine, nodes=nodes, limits=limits), tuple(writer.sites)


class _SiteWriter:
    """Writes the code of a machine anew; `live` are names that stand for something of the game."""

    def __init__(self, machine: Machine, game: Game) -> None:
        self.game = game
        self.arrays = {array.name: array for array in machine.arrays}
        self.declared = {array.name for array in machine.arrays if array.declared}
        self.sites: dict[ComparisonSite, int] = {}
        self.triggers = _triggers(game)

    def edge(self, node: Node, edge: Edge) -> Edge:
        owner = "".join((*edge.clauses, *node.clauses)[:1])
        live = frozenset(param.name for param in edge.params)

        def param(one: Param) -> Param:
            most = None if one.most is None else self.value(one.most, owner, live)
            return replace(one, where=self.value(one.where, owner, live), most=most)

        return replace(
            edge,
            params=tuple(param(one) for one in edge.params),
            conditions=tuple(
                replace(one, test=self.value(one.test, one.clause or owner, live))
                for one in edge.conditions
            ),
            body=self.block(edge.body, owner, live, f"{edge.id}"),
            weight=None if edge.weight is None else self.value(edge.weight, owner, live),
        )

    def value(self, expr: Expr, clause: str, live: frozenset[str]) -> Expr:
        made = rebuilt(expr, lambda part: self.value(part, clause, live))
        if not isinstance(expr, Binary) or not isinstance(made, Binary) or not _decides(expr):
            return made
        site = self._site(expr, clause, live)
        return made if site is None else Watched(made.op, made.left, made.right, site)

    def _site(self, expr: Binary, clause: str, live: frozenset[str]) -> int | None:
        """Return the number of a comparison; None if it compares only what the engine keeps."""
        read = arrays_read(expr)
        used = {each.name for each in within(expr) if isinstance(each, Local | Pick)}
        if not (read & self.declared or used & live):
            return None
        if any(map(self._placed, read)) or any(
            name.partition("$")[0] == "many" for name in used
        ):
            return None
        numeric = self._amount(expr.left) or self._amount(expr.right)
        if not numeric and Const(-1) in (expr.left, expr.right):
            return None
        key = _key(expr)
        site = ComparisonSite(self.triggers.get(key, clause), key, numeric, expr)
        return self.sites.setdefault(site, len(self.sites))

    def _placed(self, name: str) -> bool:
        """Whether an array keeps how far a statement of a body has come, as a loop."""
        kept = self.arrays[name].of
        return kept is not None and kept.place != "" and (not kept.part or kept.role == "past")

    def _amount(self, expr: Expr) -> bool:
        """Whether an expression is an amount, rather than a name that is coded as a number."""
        match expr:
            case Reduce(op=op):
                return op == "sum" or (op in ("min", "max") and self._amount(expr.body))
            case Binary(op=op):
                return op in ("+", "-", "*", "//", "%") or (
                    op in ("min", "max") and self._amount(expr.left))
            case Load(array=name):
                array = self.arrays[name]
                returns = array.of is not None and array.of.role == "return"
                return array.domain.kind == "int" and not returns
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

    # ------------------------------------------------------------------------ statements

    def block(
        self, body: Iterable[Stmt], clause: str, live: frozenset[str], path: str
    ) -> tuple[Stmt, ...]:
        made: list[Stmt] = []
        for number, stmt in enumerate(body):
            if isinstance(stmt, Cite):
                clause = stmt.clause
            made.append(self.statement(stmt, clause, live, f"{path}.{number}"))
            if isinstance(stmt, Let) and (
                arrays_read(stmt.value) & self.declared or names(stmt.value) & live
            ):
                live |= {stmt.name}
        return tuple(made)

    def statement(self, stmt: Stmt, clause: str, live: frozenset[str], path: str) -> Stmt:
        def value(expr: Expr) -> Expr:
            return self.value(expr, clause, live)

        match stmt:
            case Let(name, expr):
                return Let(name, value(expr))
            case If(test, then, other):
                return If(value(test), self.block(then, clause, live, f"{path}t"),
                          self.block(other, clause, live, f"{path}e"))
            case For(var, size, body):
                return For(var, size, self.block(body, clause, live, path))
            case Store(array, index, expr) if array in self.declared:
                return WatchedStore(array, tuple(map(value, index)), value(expr),
                                    f"{clause}:{array}:{path}")
            case Store(array, index, expr):
                return Store(array, tuple(map(value, index)), value(expr))
            case Fill(array, prefix, var, size, expr) if array in self.declared:
                return WatchedFill(array, tuple(map(value, prefix)), var, size, value(expr),
                                   f"{clause}:{array}:{path}")
            case Fill(array, prefix, var, size, expr):
                return Fill(array, tuple(map(value, prefix)), var, size, value(expr))
            case _:
                return stmt


_NUMBERS = re.compile(r"[$@#](otherwise )?-?\d+(\.\d+)?")
"""What the front end appends to names to tell them apart."""


def _decides(expr: Binary) -> bool:
    """Whether an expression is a comparison, or a number that is kept within a constant bound."""
    return expr.op in COMPARISONS or (
        expr.op in ("min", "max")
        and isinstance(expr.left, Const) != isinstance(expr.right, Const)
    )


def _key(expr: Expr) -> Key:
    inside = tuple(_key(part) for part in parts(expr))
    match expr:
        case Const(value):
            return ("const", value)
        case Local(name) | Pick(name) | Load(name) | Table(name):
            return (type(expr).__name__, _NUMBERS.sub("", name), *inside)
        case Reduce(op, var):
            return (op, _NUMBERS.sub("", var), *inside)
        case _:
            return (getattr(expr, "op", type(expr).__name__), *inside)


def _triggers(game: Game) -> dict[Key, str]:
    """Return the rule that holds at any time to which a comparison belongs, by its key.

    Such a rule is put behind every statement that may set it off, and is not theirs.
    """
    found: dict[Key, str] = {}
    for clause in game.clauses:
        if clause.whenever is None or not clause.in_force:
            continue
        try:
            test = condition(game, clause.whenever)
        except Failed:
            continue
        for part in within(test):
            if isinstance(part, Binary) and part.op in COMPARISONS:
                found.setdefault(_key(part), clause.id)
    return found
