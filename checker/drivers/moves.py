"""The parts of a machine as functions: the moves of a rest, edges, rules, limits.

    moves(s) -> n         writes a record for each move whose conditions hold, from `records` on
    edge(t, args) -> to   runs the body of an edge on t
    rule(t) -> to         takes the first edge of a rules node that applies
    limits(t) -> bits     the limits that do not hold

`to` is the number of a rules function, or -1 - the number of a rest.  A record is: the number of
the edge and a word for drivers, the weight (64 bits), the flags, the arguments (32 bits for a
number, 16 for each count of a bag, with 0 filled up to 32), and room for the state after the move.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from ...model.machine.core import TRUE, Binary, Expr, Local, Unary
from ...model.machine.machine import Edge, Node, Param
from ...model.machine.traversal import conjuncts, names, unrolled, unrolled_code
from ..emitter.bags import each_vector, high_of
from ..emitter.expressions import Expressions, Names
from ..emitter.rows import each_of, some_of
from ..emitter.statements import Statements
from ..emitter.unit import UNCOVERED, Unit, UnsupportedError
from ..emitter.values import HIGHEST, LOWEST, Emitted, EmittedBag, number
from ..emitter.wasm import I32, I64, Type, Val, const, get_global, load

DEEPEST = 30
"""How deep rules that follow rules are written in place."""

MOST_LISTED = 1000
"""A parameter of more values is tried from the least to the greatest, all of them."""

FEW = 4
"""So many values are tried one by one, whatever is known of them."""

MOVES, EDGE, RULE = Type((I32,), (I32,)), Type((I32, I32), (I32,)), Type((I32,), (I32,))


@dataclass(slots=True)
class Parts:
    """Writes the functions of a machine's parts, and lists them in the module's table."""

    unit: Unit
    record: Mapping[str, int]
    """The offsets `flags`, `args`, `state` in a record, and its `size`."""
    ensure: int
    """The function that makes room for one more record, up to an address."""
    records: int
    limit: int
    """The globals that hold the address of the first record, and the end of memory."""
    nodes: dict[int, Node] = field(init=False)
    ranks: dict[int, int] = field(init=False)
    rules: dict[int, int] = field(default_factory=dict)
    waiting: list[int] = field(default_factory=list)
    entries: dict[int, int] = field(init=False)
    edges: dict[int, int] = field(init=False)
    short: dict[int, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        machine = self.unit.machine
        self.nodes = {node.id: node for node in machine.nodes}
        self.ranks = {node: i for i, node in enumerate(self.unit.layout.rests)}
        self.entries = dict.fromkeys(self.nodes, 0)
        for node in machine.nodes:
            for edge in node.edges:
                self.entries[edge.target] += 1
        self.entries[machine.start] += 1
        ids = [e.id for n in machine.nodes if n.kind != "rules" for e in n.edges]
        self.edges = {edge: i for i, edge in enumerate(sorted(ids))}

    # ------------------------------------------------------------------------------- moves

    def moves(self, node: Node) -> int:
        """Write the function that lists the moves of a rest."""
        unit = self.unit
        index, f = unit.module.function(MOVES.params, MOVES.results)
        to = Expressions(unit, f, f.param(0))
        count, at = f.var(0), f.var(get_global(self.records))
        for edge in sorted(node.edges, key=lambda edge: edge.id):
            self._guard(to, node, edge, count, at)
        f.do(count)
        return index

    def _guard(self, to: Expressions, node: Node, edge: Edge, count: Val, at: Val) -> None:
        """Write the loops over the parameters of an edge and the tests of its conditions."""
        order = {param.name: i + 1 for i, param in enumerate(edge.params)}
        tests: list[list[Expr]] = [[] for _ in range(len(edge.params) + 1)]
        wheres = [param.where for param in edge.params]
        for expr in (*wheres, *(condition.test for condition in edge.conditions)):
            for part in conjuncts(expr):
                if part != TRUE:
                    level = max((order.get(name, 0) for name in names(part)), default=0)
                    tests[level].append(part)

        def write(args: list[Emitted | EmittedBag], known: Names, label: int, after: int) -> None:
            level = len(args)
            last = edge.params[level - 1].name if args else ""
            for test in tests[level]:
                value = to.test(test, known)
                if value.const == 0:
                    to.function.branch(label)
                    return
                if value.const is None:
                    to.function.branch(after if _bounds(test, last) else label,
                                       Val(value.code).zero)
            if level == len(edge.params):
                self._record(to, node, edge, (known, args), (count, at, label))
                return
            param = edge.params[level]

            def go_on(value: Emitted | EmittedBag, inside: int, after: int) -> None:
                write([*args, value], {**known, param.name: value}, inside, after)

            if param.bag:
                def each(bag: EmittedBag, left: list[Expr], inside: int) -> None:
                    tests[level + 1] = left
                    go_on(bag, inside, inside)

                each_vector(to, param, known, tests[level + 1], each)
            else:
                values, tests[level + 1] = self._values(to, param, tests[level + 1])
                rows = {test: some_of(to, to.unit.terms.of(test), param.name)
                        for test in tests[level + 1]} if len(values) > FEW else {}
                guard = next((test for test, row in rows.items() if row), None)
                row = rows.get(guard) if guard is not None else None
                if row is None or values[0] < 0:
                    self._each_number(to, values, go_on)
                    return
                tests[level + 1] = [test for test in tests[level + 1] if test is not guard]
                with each_of(to, row, values[-1] + 1, values, known) as (value, inside, out):
                    go_on(value, inside, out)

        if tests[0]:
            to.test(tests[0][0], {})
        with to.function.block() as label, to.inside():
            write([], {}, label, label)

    @staticmethod
    def _values(to: Expressions, param: Param, tests: list[Expr]) -> tuple[list[int], list[Expr]]:
        """List the values of a plain parameter for which the tests hold that hang on it alone.

        Give the other tests too.
        """
        low, high = param.domain.low, param.domain.high
        if low < LOWEST or high > HIGHEST:
            raise UnsupportedError("a parameter has more than 32 bits")
        if high - low >= MOST_LISTED:
            return list(range(low, high + 1)), tests
        alone = [test for test in tests
                 if names(test) <= {param.name} and not to.unit.terms.of(test).arrays]
        values = [value for value in range(low, high + 1)
                  if all(to.test(test, {param.name: number(value)}).const for test in alone)]
        return values, [test for test in tests if test not in alone]

    @staticmethod
    def _each_number(to: Expressions, values: list[int],
                     inner: Callable[[Emitted, int, int], None]) -> None:
        """Write the loop over the values of a plain parameter, in ascending order.

        `inner` is given the value, and the labels at which the next one is tried and none any more.
        """
        f = to.function
        if not values:
            return
        low, high = values[0], values[-1]
        with f.block() as after:
            if len(values) == 1:
                with to.inside():
                    inner(number(low), after, after)
                return
            close = len(values) == high - low + 1
            if not close:
                row = b"".join(value.to_bytes(4, "little", signed=True) for value in values)
                at = to.unit.module.room(len(row))
                to.unit.module.data.append((at, row))
            first, last, step = (low, high, 1) if close else (at, at + len(row) - 4, 4)
            place = f.var(first)
            with f.loop() as again:
                with f.block() as label, to.inside():
                    value = place if close else f.var(load("i32", place))
                    inner(Emitted(value.code, low, high), label, after)
                f.set(place, place + step)
                f.branch(again, place.op("<=", last))

    def _record(self, to: Expressions, node: Node, edge: Edge,
                found: tuple[Names, Sequence[Emitted | EmittedBag]],
                here: tuple[Val, Val, int]) -> None:
        """Write the record of a move."""
        f, (known, args), (count, at, label) = to.function, found, here
        weigh = number(1)
        if node.kind == "chance" and edge.weight is not None:
            weigh = to.keep(to.value(edge.weight, known))
            if weigh.low <= 0:
                f.branch(label, Val(weigh.code, weigh.type).op("<=", 0))
        size = self.record["size"]
        with f.when((at + size).op(">u", get_global(self.limit))):
            f.do(self.unit.module.call(self.ensure, at + size))
        f.store("i32", at, self.edges[edge.id])
        f.store("i64", at, Val(weigh.as_(wide=True), I64), 8)
        for (place, _), arg in zip(self.places(edge), args, strict=True):
            offset = self.record["args"] + place
            if isinstance(arg, EmittedBag):
                f.copy(at + offset, Val(arg.code), 2 * arg.size)
                if arg.size % 2:
                    f.store("u16", at, 0, offset + 2 * arg.size)
            else:
                f.store("i32", at, Val(arg.code), offset)
        f.set(at, at + size)
        f.set(count, count + 1)

    @staticmethod
    def places(edge: Edge) -> list[tuple[int, int]]:
        """Return where each argument lies among the arguments, and its length, in bytes."""
        found: list[tuple[int, int]] = []
        at = 0
        for param in edge.params:
            size = 2 * (param.domain.high + 1) if param.bag else 4
            found.append((at, size))
            at += (size + 3) // 4 * 4
        return found

    # ------------------------------------------------------------------------------- edges

    def edge(self, edge: Edge) -> int:
        """Write the function that takes an edge from a rest."""
        unit = self.unit
        index, f = unit.module.function(EDGE.params, EDGE.results)
        to = Expressions(unit, f, f.param(0))
        known: dict[str, Emitted | EmittedBag] = {}
        for param, (at, _) in zip(edge.params, self.places(edge), strict=True):
            low, high = param.domain.low, param.domain.high
            if param.bag:
                size = high + 1
                known[param.name] = EmittedBag(f.param(1).code, at, size, high_of(to, param, known))
            elif low >= high:
                known[param.name] = number(low)
            else:
                known[param.name] = to.local(load("i32", f.param(1), at), low, high)
        self._run(to, edge, known, 0)
        return index

    def _run(self, to: Expressions, edge: Edge, known: Names, depth: int) -> None:
        """Write the body of an edge and what follows it."""
        statements = Statements(to)
        statements.mark(("edge", edge.id))
        for clause in dict.fromkeys(edge.clauses):
            statements.mark(("clause", clause))
        statements.body(edge.body, known, last=self.nodes[edge.target].kind != "rules")
        self._follow(to, edge.target, depth)

    def _follow(self, to: Expressions, target: int, depth: int) -> None:
        """Go on to a node: give its number, or write the rules in place."""
        node = self.nodes[target]
        if node.kind == "rules" and depth < DEEPEST and self._in_place(node):
            self._cases(to, node, depth + 1)
        else:
            to.function.give(const(self.goal(target)))

    def goal(self, target: int) -> int:
        """Return the number that a function gives back to go on to a node."""
        if self.nodes[target].kind != "rules":
            return -1 - self.ranks[target]
        if target not in self.rules:
            self.rules[target] = len(self.rules)
            self.waiting.append(target)
        return self.rules[target]

    def _in_place(self, node: Node) -> bool:
        """Return whether a rules node is written where it is reached: from one place, or short."""
        if self.entries[node.id] == 1:
            return True
        if node.id not in self.short:
            self.short[node.id] = all(
                self.nodes[e.target].kind != "rules" for e in node.edges) and sum(
                unrolled_code(e.body) + sum(unrolled(c.test) for c in e.conditions)
                for e in node.edges) <= 24
        return self.short[node.id]

    def rule(self, node: Node) -> int:
        """Write the function that takes the first edge of a rules node that applies."""
        index, f = self.unit.module.function(RULE.params, RULE.results)
        self._cases(Expressions(self.unit, f, f.param(0)), node, 0)
        f.fail()
        return index

    def _cases(self, to: Expressions, node: Node, depth: int) -> None:
        """Write the edges of a rules node, each under its conditions; nothing comes after it."""
        f = to.function
        holding: list[Expr] = []
        for edge in node.edges:
            tests = [part for c in edge.conditions for part in conjuncts(c.test)
                     if part != TRUE and part not in holding]
            sure = True
            if tests:
                to.test(tests[0], {})
            before = dict(to.versions)
            with f.block() as label, to.inside():
                for test in tests:
                    value = to.test(test, {})
                    if value.const == 0:
                        sure = False
                        break
                    if value.const is None:
                        sure = False
                        f.branch(label, Val(value.code).zero)
                else:
                    self._run(to, edge, {}, depth)
            to.versions = before
            if sure:
                f.fail()
                return
            if len(tests) == 1:
                holding.append(Unary("not", tests[0]))
        f.store("i32", const(0), UNCOVERED, self.unit.error)
        f.store("i32", const(0), node.id, self.unit.error + 4)
        f.fail()

    # ------------------------------------------------------------------------------ limits

    def limits(self) -> int:
        """Write the function that says which limits do not hold."""
        index, f = self.unit.module.function((I32,), (I64,))
        to = Expressions(self.unit, f, f.param(0))
        bits = f.var(0, I64)
        for i, limit in enumerate(self.unit.machine.limits):
            broken = Val(to.test(limit.test, {}).code).zero
            f.set(bits, bits | broken.wide_unsigned << i)
        f.do(bits)
        return index


def _bounds(test: Expr, name: str) -> bool:
    """Return whether a test that fails for a value of a parameter fails for all greater ones."""
    return (isinstance(test, Binary) and test.op in ("<", "<=") and test.left == Local(name)
            and name not in names(test.right))
