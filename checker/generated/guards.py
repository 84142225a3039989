"""The guards of edges as Python: loops over parameters, and tests as early as they can be made.

Conditions and restrictions are split at their `and`s; each part is tested as soon as the parameters
that it uses are bound.  Of a restriction on a bag, a bound on a sum goes into the enumeration.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ...model.machine.core import TRUE, Expr, Load, Local
from ...model.machine.machine import Edge, Param
from ...model.machine.traversal import arrays_read, conjuncts, names
from .actions import Lines
from .bags import Bound, bound
from .formulas import Formulas
from .pieces import Piece, add, every, literal
from .scope import Bag, Scope

Emit = Callable[[Scope, Sequence[str]], None]
"""Writes what happens when a guard holds, given the scope and the arguments as texts."""


@dataclass(frozen=True, slots=True)
class Chooser:
    """What a bag parameter needs at run time: the weights of its bound, a restriction's name."""

    weights: tuple[int, ...]
    keep: str


@dataclass(slots=True)
class Guard:
    """A guard being written: the tests by the number of parameters that must be bound."""

    lines: Lines
    params: tuple[Param, ...]
    tests: list[list[Expr]]
    emit: Emit


@dataclass(slots=True)
class Guards:
    """Writes guards, and collects what their bags need at run time."""

    formulas: Formulas
    choosers: dict[str, Chooser] = field(default_factory=dict)

    def write(self, lines: Lines, edge: Edge, scope: Scope, emit: Emit) -> None:
        """Write the loops over the parameters of an edge and the tests of its conditions."""
        order = {param.name: i + 1 for i, param in enumerate(edge.params)}
        tests: list[list[Expr]] = [[] for _ in range(len(edge.params) + 1)]
        wheres = [param.where for param in edge.params]
        for expr in (*wheres, *(condition.test for condition in edge.conditions)):
            for part in conjuncts(expr):
                if part != TRUE:
                    level = max((order.get(name, 0) for name in names(part)), default=0)
                    tests[level].append(part)
        depth = lines.depth
        self._level(Guard(lines, edge.params, tests, emit), scope, ())
        lines.depth = depth

    def _level(self, guard: Guard, scope: Scope, arguments: tuple[str, ...]) -> None:
        """Write what depends on the parameters bound so far, then bind the next one."""
        lines, level = guard.lines, len(arguments)
        test, scope = self.tests(guard.tests[level], scope)
        if test.const == 0:
            return
        if test.const is None:
            lines.block(f"if {test.text}:")
        since = len(lines.text)
        if level == len(guard.params):
            guard.emit(scope, arguments)
        else:
            param = guard.params[level]
            value, guard.tests[level + 1] = self._bind(lines, param, scope, guard.tests[level + 1])
            since = len(lines.text)
            self._level(guard, scope.bind(param.name, value), (*arguments, value.text))
        if len(lines.text) == since:
            lines.add("pass")

    def tests(self, tests: Sequence[Expr], scope: Scope) -> tuple[Piece, Scope]:
        """Join tests, each made only if those before it hold; give what is known after them."""
        pieces = []
        for test in tests:
            pieces.append(self.formulas.test(test, scope))
            scope = self.formulas.assume(test, scope, truth=True)
        return every(pieces), scope

    def _bind(
        self, lines: Lines, param: Param, scope: Scope, tests: list[Expr]
    ) -> tuple[Piece | Bag, list[Expr]]:
        """Open the loop over the values of a parameter; give back the tests still to be made."""
        name = self.formulas.temps.name("v")
        if param.bag:
            return self._bind_bag(lines, param, scope, tests, name)
        low, high = param.domain.low, param.domain.high
        if low == high:
            return literal(low), tests
        values = f"range({low}, {high + 1})"
        if high - low < 16:
            values = str(tuple(range(low, high + 1)))
        lines.block(f"for {name} in {values}:")
        return Piece(name, low, high), tests

    def _bind_bag(
        self, lines: Lines, param: Param, scope: Scope, tests: list[Expr], name: str
    ) -> tuple[Bag, list[Expr]]:
        """Open the loop over the ways to choose from a bag."""
        kinds = range(param.domain.high + 1)
        most = [
            self.formulas.piece(param.most or TRUE, scope.bind(param.var, literal(kind)))
            for kind in kinds
        ]
        bag = Bag(name, tuple(piece.high for piece in most))
        inner = scope.bind(param.name, bag)
        limit: Bound | None = None
        left: list[Expr] = []
        for test in tests:
            found = bound(self.formulas, test, param.name, inner) if limit is None else None
            if found is None:
                left.append(test)
            limit = limit or found
        chooser = self.formulas.temps.name("e")
        alone = [test for test in left if names(test) == {param.name} and not arrays_read(test)]
        weights = limit.weights if limit else (0,) * len(most)
        self.choosers[chooser] = Chooser(weights, self._keep(alone, param.name, bag))
        row = self._row_of(param, scope) or f"({''.join(f'{m.text}, ' for m in most)})"
        top = sum(w * max(m.high, 0) for w, m in zip(weights, most, strict=True))
        low = limit.low.text if limit and limit.low else "0"
        high = limit.high.text if limit and limit.high else str(top)
        lines.block(f"for {name} in {chooser}({row}, {low}, {high}):")
        return bag, [test for test in left if test not in alone]

    def _row_of(self, param: Param, scope: Scope) -> str | None:
        """Write the limits of a bag as a slice of the state, if that is what they are."""
        most = param.most
        if not isinstance(most, Load) or not most.index or most.index[-1] != Local(param.var):
            return None
        slot, prefix = self.formulas.layout.slots[most.array], most.index[:-1]
        size = param.domain.high + 1
        if slot.width > 1 or slot.array.low != 0 or size != slot.array.dims[-1]:
            return None
        if any(param.var in names(i) for i in prefix):
            return None
        found = self.formulas.place(slot, [self.formulas.piece(i, scope) for i in prefix])
        if found is None or found[1]:
            return None
        first, start = self.formulas.temps.twice(found[0])
        return f"{scope.buffer}[{first}:{add([start], size).text}]"

    def _keep(self, tests: list[Expr], name: str, bag: Bag) -> str:
        """Write those restrictions on a bag that hang on nothing else."""
        if not tests:
            return ""
        function = self.formulas.temps.name("g")
        scope = Scope("s").bind(name, Bag("b", bag.highs))
        test = every([self.formulas.test(part, scope) for part in tests])
        self.formulas.functions.append(f"def {function}(b):\n    return {test.text}")
        return function
