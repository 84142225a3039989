"""Expressions that say less: what they read of the state is known only in part.

A view knows some arrays whole, of others (counts of cards, by kind) only the *size*, the sum over
the kinds, and of the rest nothing.  An expression is read in the view: where it asks for more than
the view knows, it gets an *unknown*, a parameter that may have any value of the range which the
expression can have.  So the values that an expression can have in the view include all that it has
in the states that look like this (Cousot, Cousot, "Abstract interpretation", POPL 1977, section 7).

INVARIANT (fresh): no unknown stands inside a fold or a loop, where it would have to be another one
in each round; what needs that is unrolled, or unknown as a whole.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ..machine import core, intervals
from ..machine import simplify as fold
from ..machine.intervals import Span
from ..machine.machine import Array, Domain, Param
from ..machine.traversal import conjuncts
from ..solver.formulas import names_of

UNROLLED = 12
"""The most rounds of a fold or a loop that are written out."""

WIDEST = 10**100
"""Beyond what any text comes to: numbers have seven digits, and products few factors."""


@dataclass(frozen=True, slots=True)
class Abstraction:
    """What is known: `kept` arrays whole, `sized` ones by the array that holds their sizes.

    `supposed` collects the arrays of which something is stored that intervals do not show to lie in
    their range, and that the view does not show either: that it does is supposed.
    """

    arrays: Mapping[str, Array]
    kept: frozenset[str]
    sized: Mapping[str, Array]
    tables: Mapping[str, tuple[int, ...]]
    supposed: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class BagSize:
    """A bag parameter: the local that holds its size, its kinds, the most of one kind."""

    size: str
    kinds: int
    most: int


@dataclass(slots=True)
class Blur:
    """The reading of one edge in a view; `unknowns` are the parameters that it takes."""

    view: Abstraction
    prefix: str
    unknowns: list[Param] = field(default_factory=list)
    spans: dict[str, Span] = field(default_factory=dict)
    """The values that the locals can have."""
    known: dict[str, core.Expr] = field(default_factory=dict)
    """Locals that stand for something else: the round of a loop that is written out."""
    bags: dict[str, BagSize] = field(default_factory=dict)
    """What is known of bag parameters."""

    def unknown(self, low: int, high: int) -> core.Expr:
        """Make a parameter that may have any value of a range."""
        if low >= high:
            return core.Const(low)
        name = f"{self.prefix}?{len(self.unknowns)}"
        self.unknowns.append(Param(name, Domain("int", low, high), "", core.TRUE))
        self.spans[name] = (low, high)
        return core.Local(name)

    def up_to(self, most: core.Expr, high: int) -> core.Expr:
        """Return an unknown number from 0 to what an expression says, which is at most `high`."""
        if most == core.Const(0):
            return most
        return fold.binary("min", self.unknown(0, high), most)

    # ------------------------------------------------------------------------ exact

    def exact(self, expr: core.Expr) -> core.Expr | None:
        """Return an expression of the view that always has the same value, if there is one."""
        match expr:
            case core.Const():
                return expr
            case core.Local(name):
                return self.known.get(name, expr)
            case core.Load(array, index) if array in self.view.kept:
                at = [self.exact(one) for one in index]
                return None if None in at else core.Load(array, tuple(at))  # type: ignore[arg-type]
            case core.Load() | core.Pick() | core.Feature():
                return None
            case core.Table(table, index):
                inner = self.exact(index)
                return None if inner is None else core.Table(table, inner)
            case core.Unary(op, operand):
                inner = self.exact(operand)
                if inner is None:
                    return None
                return fold.negate(inner) if op == "not" else core.Unary(op, inner)
            case core.Binary(op, left, right):
                first, second = self.exact(left), self.exact(right)
                if op in ("and", "or"):
                    absorbing = core.FALSE if op == "and" else core.TRUE
                    if absorbing in (first, second):
                        return absorbing
                if first is None or second is None:
                    return None
                return fold.binary(op, first, second)
            case core.Cond(test, then, other):
                decided = self.exact(test)
                if isinstance(decided, core.Const):
                    return self.exact(then if decided.value else other)
                yes, no = self.exact(then), self.exact(other)
                if decided is None or yes is None or no is None:
                    return None
                return core.Cond(decided, yes, no)
            case core.Reduce():
                return self.exact_fold(expr)

    def exact_fold(self, expr: core.Reduce) -> core.Expr | None:
        """Do the same for a fold: that of a size, or of what is known whole."""
        if expr.where == core.TRUE and expr.op == "sum":
            size = self.size(expr.body, expr.var, expr.size)
            if size is not None:
                return size
        if expr.where == core.TRUE and expr.op == "any":
            match expr.body:
                case core.Binary(">", counted, core.Const(0)):
                    size = self.size(counted, expr.var, expr.size)
                    if size is not None:
                        return fold.binary(">", size, core.Const(0))
                case _:
                    pass
        where, body = self.exact(expr.where), self.exact(expr.body)
        if where is None or body is None:
            return None
        return replace(expr, where=where, body=body)

    def size(self, counted: core.Expr, var: str, rounds: int) -> core.Expr | None:
        """Return the size of the zone or bag that is counted, kind by kind, in a fold."""
        match counted:
            case core.Load(array, (*row, core.Local(last))) if last == var:
                sized = self.view.sized.get(array)
                if sized is None or rounds != self.view.arrays[array].dims[-1]:
                    return None
                at = [self.exact(one) for one in row]
                if None in at or any(mentions(one, var) for one in row):
                    return None
                return core.Load(sized.name, tuple(at))  # type: ignore[arg-type]
            case core.Pick(bag, core.Local(last)) if last == var and bag in self.bags:
                held = self.bags[bag]
                return core.Local(held.size) if held.kinds == rounds else None
            case _:
                return None

    # ------------------------------------------------------------------------ read in the view

    def read(self, expr: core.Expr) -> core.Expr:
        """Return an expression of the view that can have at least the same value."""
        exact = self.exact(expr)
        if exact is not None:
            return exact
        match expr:
            case core.Load(array, index) if array in self.view.kept:
                return core.Load(array, tuple(self.read(one) for one in index))
            case core.Load(array, (*row, _)) if array in self.view.sized:
                size = core.Load(self.view.sized[array].name, tuple(self.read(r) for r in row))
                return self.up_to(size, self.view.arrays[array].high)
            case core.Pick(bag) if bag in self.bags:
                return self.up_to(core.Local(self.bags[bag].size), self.bags[bag].most)
            case core.Table(table, index):
                return core.Table(table, self.read(index))
            case core.Unary(op, operand):
                inner = self.read(operand)
                return fold.negate(inner) if op == "not" else core.Unary(op, inner)
            case core.Binary(op, left, right):
                return fold.binary(op, self.read(left), self.read(right))
            case core.Cond(test, then, other):
                return core.Cond(self.read(test), self.read(then), self.read(other))
            case core.Reduce():
                return self.read_fold(expr)
            case _:
                return self.unknown(*self.span(expr))

    def read_fold(self, expr: core.Reduce) -> core.Expr:
        """Read a fold: by sizes, or round by round, or as a whole."""
        if expr.op == "sum":
            summed = self.summed(expr.body, expr.var, expr.size, whole=expr.where == core.TRUE)
            if summed is not None:
                return summed
        if expr.op == "any":
            needed = [
                one for part in (*conjuncts(expr.where), *conjuncts(expr.body))
                if (one := self.some(part, expr.var, expr.size)) is not None
            ]
            if needed:
                return fold.both(self.unknown(0, 1), needed[0])
        if expr.size > UNROLLED:
            return self.unknown(*self.span(expr))
        rounds = []
        for number in range(expr.size):
            self.known[expr.var] = core.Const(number)
            rounds.append((self.read(expr.where), self.read(expr.body)))
        del self.known[expr.var]
        if any(where != core.TRUE for where, _ in rounds) and expr.op in ("min", "max"):
            return self.unknown(*self.span(expr))
        result: core.Expr | None = None
        for where, body in rounds:
            match expr.op:
                case "any":
                    one, op = fold.both(where, body), "or"
                case "all":
                    one, op = fold.either(fold.negate(where), body), "and"
                case "sum":
                    one = body if where == core.TRUE else core.Cond(where, body, core.Const(0))
                    op = "+"
                case _:
                    one, op = body, expr.op
            result = one if result is None else fold.binary(op, result, one)  # type: ignore[arg-type]
        return core.Const(expr.empty) if result is None else result

    def some(self, part: core.Expr, var: str, rounds: int) -> core.Expr | None:
        """Read `some card is there`: then the size of the zone is not 0."""
        match part:
            case core.Binary(">", counted, core.Const(least)) if least >= 0:
                size = self.size(counted, var, rounds)
                return None if size is None else fold.binary(">", size, core.Const(least))
            case _:
                return None

    def summed(self, body: core.Expr, var: str, rounds: int, *, whole: bool) -> core.Expr | None:
        """Read a sum over the kinds, or (not `whole`) over some; None: no bound is known."""
        high = rounds * max(0, self.span(body, {var: (0, rounds - 1)})[1])
        match body:
            case core.Const(0):
                return body
            case core.Load() | core.Pick():
                total = self.size(body, var, rounds)
            case core.Binary("+", left, right):
                parts = [self.summed(one, var, rounds, whole=whole) for one in (left, right)]
                if parts[0] is None or parts[1] is None:
                    return None
                return fold.binary("+", parts[0], parts[1])
            case core.Binary("min", left, right):
                both = [self.summed(one, var, rounds, whole=True) for one in (left, right)]
                found = [one for one in both if one is not None]
                low = min(self.span(one, {var: (0, rounds - 1)})[0] for one in (left, right))
                if not found or low < 0:
                    return None
                total, whole = found[0], False
                if len(found) > 1:
                    total = fold.binary("min", found[0], found[1])
            case core.Cond(_, then, core.Const(0)):
                total, whole = self.summed(then, var, rounds, whole=True), False
                if self.span(then, {var: (0, rounds - 1)})[0] < 0:
                    return None
            case _:
                return None
        if total is None or whole:
            return total
        return self.up_to(total, high)

    # ------------------------------------------------------------------------ ranges

    def span(self, expr: core.Expr, names: Mapping[str, Span] | None = None) -> Span:
        """Find the range of an expression, from those of the arrays."""
        inner = names or {}
        match expr:
            case core.Const(value):
                return value, value
            case core.Local(name):
                if name in self.known:
                    return self.span(self.known[name], inner)
                return inner.get(name) or self.spans.get(name, (-WIDEST, WIDEST))
            case core.Pick(bag):
                return 0, self.bags[bag].most if bag in self.bags else WIDEST
            case core.Load(array):
                found = self.view.arrays.get(array)
                if found is None:
                    found = next(one for one in self.view.sized.values() if one.name == array)
                return found.low, found.high
            case core.Table(table):
                values = (0, *self.view.tables[table])
                return min(values), max(values)
            case core.Unary("-", operand):
                low, high = self.span(operand, inner)
                return -high, -low
            case core.Binary(op, left, right):
                return intervals.binary(op, self.span(left, inner), self.span(right, inner))
            case core.Cond(_, then, other):
                return intervals.hull([self.span(then, inner), self.span(other, inner)])
            case core.Reduce("sum", var, size, _, body):
                return intervals.total(self.span(body, {**inner, var: (0, size - 1)}), size)
            case core.Reduce("min" | "max", var, size, _, body, empty):
                each = self.span(body, {**inner, var: (0, size - 1)})
                return intervals.hull([each, (empty, empty)])
            case _:
                return 0, 1


def mentions(expr: core.Expr, name: str) -> bool:
    """Return whether an expression uses a local."""
    return name in names_of(expr)
