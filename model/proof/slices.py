"""A smaller machine that can do all that a machine can do, and more: for proofs.

Of the state only some arrays are kept, and of the counts of cards only how many there are (the view
of `blur`).  Nodes, edges, their numbers and the obligations they note are those of the machine.
What an edge reads beyond the view is a parameter of the slice's edge, free in its range.

INVARIANT (simulation): for each move of the machine from a state s to a state t, the slice has a
move, on the same edge, from what the view shows of s to what it shows of t, which notes at least
the same obligations (Clarke, Grumberg, Long, "Model checking and abstraction", TOPLAS 1994).  So
what never happens in the slice never happens in the machine.  The opposite does not hold.

Limits of the machine forbid nothing in the slice, and every rest is `open`: both only add moves.
That what the machine stores lies in the ranges of its arrays is supposed where it is not shown; the
view says where (`Abstraction.supposed`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..machine import core
from ..machine import simplify as fold
from ..machine.footprint import footprint
from ..machine.machine import Array, Condition, Domain, Edge, Machine, Node, Param
from ..machine.traversal import arrays_read, loads, writes
from .abstraction import UNROLLED, Abstraction, BagSize, Blur, mentions

SMALL = 24
"""The most elements of an array that is kept whole."""


def cards(array: Array) -> bool:
    """Return whether an array counts cards by kind."""
    return bool(array.axes) and array.axes[-1].kind.startswith("card:") and array.low == 0


def scalars(machine: Machine) -> frozenset[str]:
    """Name the arrays that can be kept whole."""
    return frozenset(a.name for a in machine.arrays if not cards(a) and a.size <= SMALL)


def counts(machine: Machine) -> frozenset[str]:
    """Name the arrays that count cards."""
    return frozenset(a.name for a in machine.arrays if cards(a))


def seen_in(view: Abstraction, machine: Machine) -> Machine:
    """Cut a machine down to what a view shows of it."""
    arrays = tuple(
        view.sized.get(array.name, array) for array in machine.arrays
        if array.name in view.kept or array.name in view.sized)
    nodes = tuple(_node(view, node) for node in machine.nodes)
    return replace(machine, arrays=arrays, nodes=nodes, limits=())


def view_of(machine: Machine, keep: frozenset[str], sizes: frozenset[str]) -> Abstraction:
    """Return what is known of a machine's states."""
    sized = {a.name: size_of(a) for a in machine.arrays if a.name in sizes - keep}
    return Abstraction({a.name: a for a in machine.arrays}, keep, sized, machine.tables)


def in_view(view: Abstraction, test: core.Expr) -> core.Expr | None:
    """Return the condition on what is shown that says the same, if there is one."""
    return Blur(view, "").exact(test)


def size_of(array: Array) -> Array:
    """Make the array of the sizes of an array's rows."""
    kinds = array.dims[-1]
    start = tuple(sum(array.start[at : at + kinds]) for at in range(0, array.size, kinds))
    high = kinds * array.high
    return replace(array, name=f"{array.name} size", dims=array.dims[:-1], high=high, start=start,
                   domain=Domain("int", 0, high), axes=array.axes[:-1], zone="")


def _node(view: Abstraction, node: Node) -> Node:
    edges = tuple(_edge(view, node, edge) for edge in node.edges)
    kind = node.kind if node.kind == "final" else "open"
    return replace(node, kind=kind, edges=edges, by=None)


def _edge(view: Abstraction, node: Node, edge: Edge) -> Edge:
    blur = Blur(view, f"{edge.id}")
    params: list[Param] = []
    tests: list[core.Expr] = []
    for param in edge.params:
        if param.bag:
            _bag(blur, param, params, tests)
        else:
            blur.spans[param.name] = (param.domain.low, param.domain.high)
            params.append(replace(param, where=core.TRUE))
            tests.append(blur.read(param.where))
    tests += [blur.read(one.test) for one in edge.conditions]
    if node.kind == "rules":
        for other in node.edges[: node.edges.index(edge)]:
            whole: core.Expr = core.TRUE
            for one in other.conditions:
                whole = fold.both(whole, one.test)
            tests.append(blur.read(fold.negate(whole)))
    if node.kind == "chance" and edge.weight is not None:
        tests.append(blur.read(core.Binary(">", edge.weight, core.Const(0))))
    body = Code(blur).code(edge.body)
    kept = tuple(dict.fromkeys(test for test in tests if test != core.TRUE))
    conditions = tuple(Condition("", "rule", test) for test in kept)
    return replace(edge, params=(*params, *blur.unknowns), conditions=conditions, body=body,
                   weight=None)


def _bag(blur: Blur, param: Param, params: list[Param], tests: list[core.Expr]) -> None:
    """Put the size of a bag in its place."""
    kinds = param.domain.high - param.domain.low + 1
    inner = {param.var: (param.domain.low, param.domain.high)}
    most = 0 if param.most is None else max(0, blur.span(param.most, inner)[1])
    name = f"{param.name} size"
    params.append(Param(name, Domain("int", 0, kinds * most), param.label, core.TRUE))
    blur.spans[name] = (0, kinds * most)
    if param.domain.low == 0:
        blur.bags[param.name] = BagSize(name, kinds, most)
    if param.most is not None and param.domain.low == 0:
        total = blur.summed(param.most, param.var, kinds, whole=True)
        if total is not None:
            tests.append(fold.binary("<=", core.Local(name), total))
    tests.append(blur.read(param.where))


class Code:
    """Statements read in a view."""

    def __init__(self, blur: Blur) -> None:
        self.blur = blur
        self.view = blur.view

    def code(self, body: Iterable[core.Stmt]) -> tuple[core.Stmt, ...]:
        """Read statements."""
        return tuple(made for stmt in body for made in self.statement(stmt))

    def statement(self, stmt: core.Stmt) -> tuple[core.Stmt, ...]:
        """Read a statement; what it writes beyond the view is left out."""
        match stmt:
            case core.Let(name, value):
                self.blur.spans[name] = self.blur.span(value)
                return (core.Let(name, self.blur.read(value)),)
            case core.Store(array, index, value):
                return self.store(array, index, value)
            case core.Fill():
                return self.fill(stmt)
            case core.If(test, then, other):
                return self.choice(self.blur.read(test), then, other)
            case core.For():
                return self.loop(stmt)
            case core.Note() | core.Cite():
                return (stmt,)

    def choice(
        self, test: core.Expr, then: tuple[core.Stmt, ...], other: tuple[core.Stmt, ...]
    ) -> tuple[core.Stmt, ...]:
        """Read a branch."""
        if isinstance(test, core.Const):
            return self.code(then if test.value else other)
        yes, no = self.code(then), self.code(other)
        return (core.If(test, yes, no),) if yes or no else ()

    # ------------------------------------------------------------------------ stores

    def store(
        self, name: str, index: tuple[core.Expr, ...], value: core.Expr
    ) -> tuple[core.Stmt, ...]:
        """Read a store: into what is kept, or as a change of a size."""
        if name in self.view.kept:
            array = self.view.arrays[name]
            at = tuple(self.blur.read(one) for one in index)
            return (core.Store(name, at, self.fitted(value, array)),)
        self.within(value, self.view.arrays[name])
        if name not in self.view.sized:
            return ()
        *row, kind = index
        size = self.size(name, row)
        low, high = self.blur.span(kind)
        there: core.Expr = core.TRUE
        if low < 0 or high >= self.view.arrays[name].dims[-1]:
            place = self.blur.read(kind)
            there = fold.both(
                fold.binary(">=", place, core.Const(0)),
                fold.binary("<", place, core.Const(self.view.arrays[name].dims[-1])))
        made = (self.resize(name, size.index, self.changed(name, index, value, size)),)
        return made if there == core.TRUE else (core.If(there, made),)

    def size(self, name: str, row: Iterable[core.Expr]) -> core.Load:
        """Return the size of a row."""
        return core.Load(self.view.sized[name].name, tuple(self.blur.read(one) for one in row))

    def resize(self, name: str, row: tuple[core.Expr, ...], value: core.Expr) -> core.Stmt:
        """Write a size; no sum of counts lies outside its range."""
        sized = self.view.sized[name]
        capped = fold.binary("max", core.Const(0), value)
        return core.Store(sized.name, row, fold.binary("min", core.Const(sized.high), capped))

    def changed(
        self, name: str, index: tuple[core.Expr, ...], value: core.Expr, size: core.Expr
    ) -> core.Expr:
        """Return the size after a store of one count."""
        cell = core.Load(name, index)
        match value:
            case core.Binary("+" | "-" as op, left, more) if left == cell:
                return fold.binary(op, size, self.blur.read(more))
            case core.Binary("max", core.Const(0), core.Binary("-", left, less)) if left == cell:
                least, most = self.blur.span(less)
                if least >= 0:
                    return fold.binary("-", size, self.blur.up_to(self.blur.read(less), most))
            case _:
                pass
        before = self.blur.up_to(size, self.view.arrays[name].high)
        return fold.binary("+", fold.binary("-", size, before),
                           self.fitted(value, self.view.arrays[name]))

    def fitted(self, value: core.Expr, array: Array) -> core.Expr:
        """Read a value that is stored: it lies in the range of its array."""
        exact = self.blur.exact(value)
        if exact is not None:
            return exact
        read = self.blur.read(value)
        if self.within(value, array):
            return read
        read = fold.binary("min", core.Const(array.high), read)
        return fold.binary("max", core.Const(array.low), read)

    def within(self, value: core.Expr, array: Array) -> bool:
        """Return whether intervals show that a value lies in a range; else it is supposed to."""
        least, most = self.blur.span(value)
        shown = array.low <= least and most <= array.high
        if not shown:
            self.view.supposed.add(array.name)
        return shown

    def fill(self, stmt: core.Fill) -> tuple[core.Stmt, ...]:
        """Read a fill: of what is kept, element by element if need be, or of a whole row."""
        at = tuple(self.blur.read(one) for one in stmt.prefix)
        if stmt.array in self.view.kept:
            array = self.view.arrays[stmt.array]
            exact = self.blur.exact(stmt.value)
            if exact is not None:
                return (core.Fill(stmt.array, at, stmt.var, stmt.size, exact),)
            lets: list[core.Stmt] = []
            stores: list[core.Stmt] = []
            for number in range(stmt.size):
                self.blur.known[stmt.var] = core.Const(number)
                name = f"{stmt.var} {number} {len(self.blur.unknowns)}"
                lets.append(core.Let(name, self.fitted(stmt.value, array)))
                stores.append(core.Store(stmt.array, (*at, core.Const(number)), core.Local(name)))
            del self.blur.known[stmt.var]
            return (*lets, *stores)
        self.blur.spans[stmt.var] = (0, stmt.size - 1)
        self.within(stmt.value, self.view.arrays[stmt.array])
        if stmt.array not in self.view.sized:
            return ()
        sized = self.view.sized[stmt.array]
        total = None
        if stmt.size == self.view.arrays[stmt.array].dims[-1]:
            total = self.blur.summed(stmt.value, stmt.var, stmt.size, whole=True)
        return (self.resize(stmt.array, at, total or self.blur.unknown(0, sized.high)),)

    # ------------------------------------------------------------------------ loops

    def loop(self, stmt: core.For) -> tuple[core.Stmt, ...]:
        """Read a loop: as it is, or over all kinds at once, or written out, or as anything."""
        self.blur.spans[stmt.var] = (0, stmt.size - 1)
        before = len(self.blur.unknowns)
        touched = footprint(stmt.body, self.view.arrays)
        boxes = {box.array for box in (*touched.reads, *touched.writes)}
        if boxes <= self.view.kept:
            body = self.code(stmt.body)
            if len(self.blur.unknowns) == before:
                return (core.For(stmt.var, stmt.size, body),)
            del self.blur.unknowns[before:]
        moved = self.moved(stmt)
        if moved is not None:
            return moved
        if stmt.size <= UNROLLED:
            made: list[core.Stmt] = []
            for number in range(stmt.size):
                self.blur.known[stmt.var] = core.Const(number)
                made += self.code(stmt.body)
            del self.blur.known[stmt.var]
            return tuple(made)
        return self.anything(stmt)

    def moved(self, stmt: core.For) -> tuple[core.Stmt, ...] | None:
        """Read a move of cards, kind by kind, as one of so many cards.  None: it is not that.

        Each round writes the counts of its own kind only, so the numbers that it begins with are
        those from before the loop.
        """
        match stmt.body:
            case (core.Let(many, value), core.If(
                core.Binary(">", core.Local(tested), core.Const(0)), then, ()
            )) if tested == many:
                pass
            case _:
                return None
        written = writes(then)
        changes: list[tuple[core.Store, core.BinaryOp]] = []
        for one in then:
            match one:
                case core.Store(array, (*row, core.Local(last)) as index, core.Binary(
                    "+" | "-" as op, core.Load(same, at), core.Local(by)
                )) if (last == stmt.var and by == many and same == array and at == index
                       and not any(mentions(each, stmt.var) for each in row)
                       and not any(arrays_read(each) & written for each in row)
                       and array not in self.view.kept
                       and self.view.arrays[array].dims[-1] == stmt.size):
                    changes.append((one, op))
                case core.Cite():
                    pass
                case _:
                    return None
        if any(load.array in written and load.index[-1] != core.Local(stmt.var)
               for load in loads(value)) or self.blur.span(value)[0] < 0:
            return None
        high = stmt.size * self.blur.span(value)[1]
        total = self.blur.summed(value, stmt.var, stmt.size, whole=True)
        self.blur.spans[many] = (0, high)
        made: list[core.Stmt] = [
            core.Let(many, self.blur.unknown(0, high) if total is None else total)]
        self.view.supposed.update(store.array for store, _ in changes)
        for store, sign in changes:
            if store.array in self.view.sized:
                size = self.size(store.array, store.index[:-1])
                value = fold.binary(sign, size, core.Local(many))
                made.append(self.resize(store.array, size.index, value))
        return tuple(made)

    def anything(self, stmt: core.For) -> tuple[core.Stmt, ...]:
        """Read a loop of which nothing is known: any of its arrays may hold anything after it."""
        touched = footprint(stmt.body, self.view.arrays)
        made: list[core.Stmt] = [
            core.If(self.blur.unknown(0, 1), (core.Note(note),)) for note in sorted(touched.notes)]
        self.view.supposed.update(writes(stmt.body))
        for name in sorted(writes(stmt.body)):
            array = self.view.sized.get(name) or self.view.arrays[name]
            if name in self.view.kept or name in self.view.sized:
                made += self.all_of(array)
        return tuple(made)

    def all_of(self, array: Array) -> Iterable[core.Stmt]:
        """Let every element of an array be anything."""
        for place in range(array.size):
            index: list[core.Expr] = []
            rest = place
            for size in reversed(array.dims):
                index.insert(0, core.Const(rest % size))
                rest //= size
            yield core.Store(array.name, tuple(index), self.blur.unknown(array.low, array.high))
