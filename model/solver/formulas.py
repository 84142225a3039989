"""The core language as formulas: expressions become terms, statements become updates of terms.

Loops and folds are unrolled (their sizes are known), a branch merges the two memories element by
element, an index that is not known becomes a choice among the elements it may name.  What the
ranges decide is folded at once (`terms`), so a formula holds only what is open.  Cost: linear in
the unrolled program, times the length of an array for each unknown index.

The meaning is that of `core`, total as it is: reads outside an array give its lowest value, stores
outside do nothing, a division by 0 gives 0.  A store of a value that its array cannot hold is a bug
of whoever made the machine (the interpreter refuses it); here the value is stored as it is.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import assert_never

from ..machine import core
from ..machine.machine import Array
from ..machine.traversal import arrays_read, parts
from . import terms
from .terms import Term, Truth, Value

Memory = dict[str, tuple[Value, ...]]


class TooLargeError(RuntimeError):
    """A formula has more parts than were granted."""


@dataclass(slots=True)
class Grant:
    """How many more elements may be read or merged for formulas; None: any number."""

    left: int | None = None

    def take(self, many: int) -> None:
        """Count some.

        Raises:
            TooLargeError: if there are not as many left.

        """
        if self.left is not None:
            self.left -= many
            if self.left < 0:
                raise TooLargeError


@dataclass(frozen=True, slots=True)
class Environment:
    """What an expression may refer to: the elements of the arrays, locals, bags and tables."""

    arrays: Mapping[str, Array]
    tables: Mapping[str, tuple[int, ...]]
    memory: Memory
    locals: Mapping[str, Value] = field(default_factory=dict)
    bags: Mapping[str, tuple[int, tuple[Value, ...]]] = field(default_factory=dict)
    """For each bag parameter, its first kind and the counts from there on."""
    grant: Grant = field(default_factory=Grant)

    def bind(self, name: str, value: Value) -> Environment:
        """Add a local."""
        names = {**self.locals, name: value}
        return Environment(self.arrays, self.tables, self.memory, names, self.bags, self.grant)

    def bind_bag(self, name: str, first: int, counts: tuple[Value, ...]) -> Environment:
        """Add a bag parameter."""
        bags = {**self.bags, name: (first, counts)}
        return Environment(self.arrays, self.tables, self.memory, self.locals, bags, self.grant)


@dataclass(slots=True)
class Log:
    """What a body records on its way, each with the condition under which it gets there."""

    notes: list[tuple[Truth, int]] = field(default_factory=list)


# --------------------------------------------------------------------------- expressions


def value_of(expr: core.Expr, scope: Environment) -> Value:
    """Compile an expression to the number that it stands for."""
    match expr:
        case core.Const(value):
            return value
        case core.Local(name):
            return scope.locals[name]
        case core.Pick(name, index):
            first, counts = scope.bags[name]
            at = terms.total((value_of(index, scope), -first))
            return element(counts, (len(counts),), (at,), 0)
        case core.Load(name, indices):
            array = scope.arrays[name]
            at_each = tuple(value_of(index, scope) for index in indices)
            scope.grant.take(math.prod(len(span(*each)) for each in zip(
                at_each, array.dims, strict=True)))
            return element(scope.memory[name], array.dims, at_each, array.low)
        case core.Table(name, index):
            table = scope.tables[name]
            return element(table, (len(table),), (value_of(index, scope),), 0)
        case core.Unary("-", operand):
            return terms.negative(value_of(operand, scope))
        case core.Binary("+", left, right):
            return terms.total((value_of(left, scope), value_of(right, scope)))
        case core.Binary("-", left, right):
            return terms.total((value_of(left, scope), terms.negative(value_of(right, scope))))
        case core.Binary("*" | "//" | "%" | "min" | "max" as op, left, right):
            return ARITHMETIC[op](value_of(left, scope), value_of(right, scope))
        case core.Cond(test, then, other):
            decided = truth_of(test, scope)
            if isinstance(decided, bool):
                return value_of(then if decided else other, scope)
            return terms.choose(decided, value_of(then, scope), value_of(other, scope))
        case core.Reduce("sum" | "min" | "max"):
            return folded(expr, scope)
        case core.Unary() | core.Binary() | core.Reduce():
            return terms.number(truth_of(expr, scope))
        case core.Feature():
            raise TypeError("a family of machines is not for the solver: ask about one of them")
        case _:
            assert_never(expr)


ARITHMETIC = {
    "*": terms.times,
    "//": terms.quotient,
    "%": terms.remainder,
    "min": terms.lesser,
    "max": terms.greater,
}


def truth_of(expr: core.Expr, scope: Environment) -> Truth:
    """Compile an expression to the condition that it is not 0."""
    match expr:
        case core.Unary("not", operand):
            return terms.negation(truth_of(operand, scope))
        case core.Binary("and", left, right):
            first = truth_of(left, scope)
            return first if first is False else terms.both(first, truth_of(right, scope))
        case core.Binary("or", left, right):
            first = truth_of(left, scope)
            return first if first is True else terms.either(first, truth_of(right, scope))
        case core.Binary("==", left, right):
            return terms.equal(value_of(left, scope), value_of(right, scope))
        case core.Binary("!=", left, right):
            return terms.negation(terms.equal(value_of(left, scope), value_of(right, scope)))
        case core.Binary("<=", left, right):
            return terms.at_most(value_of(left, scope), value_of(right, scope))
        case core.Binary("<", left, right):
            return terms.below(value_of(left, scope), value_of(right, scope))
        case core.Binary(">=", left, right):
            return terms.at_most(value_of(right, scope), value_of(left, scope))
        case core.Binary(">", left, right):
            return terms.below(value_of(right, scope), value_of(left, scope))
        case core.Reduce("any", body=body):
            return terms.either(
                *(terms.both(where, truth_of(body, inner)) for where, inner in rounds(expr, scope))
            )
        case core.Reduce("all", body=body):
            return terms.both(
                *(
                    terms.either(terms.negation(where), truth_of(body, inner))
                    for where, inner in rounds(expr, scope)
                )
            )
        case core.Cond(test, then, other):
            decided = truth_of(test, scope)
            if isinstance(decided, bool):
                return truth_of(then if decided else other, scope)
            yes, no = truth_of(then, scope), truth_of(other, scope)
            return terms.either(terms.both(decided, yes), terms.both(terms.negation(decided), no))
        case _:
            return terms.truth(value_of(expr, scope))


def rounds(expr: core.Reduce, scope: Environment) -> Iterator[tuple[Truth, Environment]]:
    """Yield each round of a fold that may count: the condition that it does, and its scope."""
    for number in range(expr.size):
        inner = scope.bind(expr.var, number)
        where = truth_of(expr.where, inner)
        if where is not False:
            yield where, inner


def folded(expr: core.Reduce, scope: Environment) -> Value:
    """Compile a sum, a minimum or a maximum."""
    each = [(where, value_of(expr.body, inner)) for where, inner in rounds(expr, scope)]
    if expr.op == "sum":
        return terms.total([terms.choose(where, body, 0) for where, body in each])
    better = terms.lesser if expr.op == "min" else terms.greater
    best: Value = expr.empty
    found: Truth = False
    for where, body in each:
        challenged = body if found is False else better(best, body)
        if not isinstance(found, bool):
            challenged = terms.choose(found, challenged, body)
        best = terms.choose(where, challenged, best)
        found = terms.either(found, where)
    return best


def element(
    values: Sequence[Value], dims: tuple[int, ...], index: tuple[Value, ...], outside: int
) -> Value:
    """Return the element at an index, which may be unknown; `outside` if there is none."""
    if not dims:
        return values[0]
    stride = len(values) // dims[0] if dims[0] else 0
    chosen: Value = outside
    if terms.low(index[0]) >= 0 and terms.high(index[0]) < dims[0]:  # the last case needs no test
        at = terms.high(index[0])
        chosen = element(values[at * stride : (at + 1) * stride], dims[1:], index[1:], outside)
    for at in reversed(span(index[0], dims[0])):
        part = values[at * stride : (at + 1) * stride]
        test = terms.equal(index[0], at)
        chosen = terms.choose(test, element(part, dims[1:], index[1:], outside), chosen)
    return chosen


def span(index: Value, size: int) -> range:
    """List the places that an index may name."""
    return range(max(0, terms.low(index)), min(size - 1, terms.high(index)) + 1)


# --------------------------------------------------------------------------- statements


def run(body: Iterable[core.Stmt], scope: Environment, path: Truth, log: Log) -> Environment:
    """Compile statements to the scope after them; `path` is the condition of getting here."""
    for statement in body:
        match statement:
            case core.Let(name, value):
                scope = scope.bind(name, value_of(value, scope))
            case core.Store(array, index, value):
                at = tuple(value_of(one, scope) for one in index)
                scope = stored(scope, array, [(at, value, scope)])
            case core.Fill(array, prefix, var, size, value):
                at = tuple(value_of(one, scope) for one in prefix)
                inners = [scope.bind(var, number) for number in range(size)]
                writes = [((*at, number), value, inner) for number, inner in enumerate(inners)]
                scope = stored(scope, array, writes)
            case core.If():
                scope = branched(statement, scope, path, log)
            case core.For(var, size, inner):
                for number in range(size):
                    after = run(inner, scope.bind(var, number), path, log)
                    scope = with_memory(scope, after.memory)
            case core.Note(obligation):
                log.notes.append((path, obligation))
            case core.Cite():
                pass
            case _:
                assert_never(statement)
    return scope


def with_memory(scope: Environment, memory: Memory) -> Environment:
    """Put other values into the arrays."""
    return Environment(scope.arrays, scope.tables, memory, scope.locals, scope.bags, scope.grant)


def branched(choice: core.If, scope: Environment, path: Truth, log: Log) -> Environment:
    """Run both branches and choose, element by element, where they disagree."""
    test = truth_of(choice.test, scope)
    if isinstance(test, bool):
        taken = choice.then if test else choice.other
        return with_memory(scope, run(taken, scope, path, log).memory)
    yes = run(choice.then, scope, terms.both(path, test), log).memory
    no = run(choice.other, scope, terms.both(path, terms.negation(test)), log).memory
    scope.grant.take(sum(len(values) for name, values in yes.items() if values is not no[name]))
    merged = {
        name: values
        if values is no[name]
        else tuple(terms.choose(test, a, b) for a, b in zip(values, no[name], strict=True))
        for name, values in yes.items()
    }
    return with_memory(scope, merged)


Write = tuple[tuple[Value, ...], core.Expr, Environment]
"""An index, what is written there, and the scope in which that is read."""


def stored(scope: Environment, name: str, writes: Iterable[Write]) -> Environment:
    """Write elements of one array, in order."""
    array = scope.arrays[name]
    values = list(scope.memory[name])
    for index, expr, inner in writes:
        general = value_of(expr, inner)
        found = occurrences(index, expr, inner) if isinstance(general, Term) else []
        spans = [span(one, size) for one, size in zip(index, array.dims, strict=True)]
        for place in itertools.product(*spans):
            here = terms.both(*(terms.equal(a, b) for a, b in zip(index, place, strict=True)))
            value = value_of(expr, supposing(inner, found, place)) if found else general
            flat = 0
            for at, size in zip(place, array.dims, strict=True):
                flat = flat * size + at
            values[flat] = terms.choose(here, value, values[flat])
    return with_memory(scope, {**scope.memory, name: tuple(values)})


Occurrence = tuple[int, str, int]
"""Which index it is, and the local (with -1) or the array and place that holds the same unknown."""


def occurrences(index: tuple[Value, ...], expr: core.Expr, scope: Environment) -> list[Occurrence]:
    """Find where an expression can meet the very unknowns that an index is made of.

    A card of kind k that goes to `hand[turn, k]` is read there, too: once the place is supposed to
    be known, so is what is read, and the formula for each place is about that place alone.
    """
    unknown = [(axis, one) for axis, one in enumerate(index) if isinstance(one, Term)]
    if not unknown:
        return []
    names, arrays = names_of(expr), arrays_read(expr)
    found = [
        (axis, name, -1)
        for axis, one in unknown
        for name, value in scope.locals.items()
        if value is one and name in names
    ]
    return found + [
        (axis, name, place)
        for axis, one in unknown
        for name in sorted(arrays)
        for place, value in enumerate(scope.memory[name])
        if value is one
    ]


def supposing(
    scope: Environment, found: Iterable[Occurrence], values: tuple[int, ...]
) -> Environment:
    """Put known values in the place of unknowns."""
    names, memory = dict(scope.locals), dict(scope.memory)
    for axis, name, place in found:
        if place < 0:
            names[name] = values[axis]
        else:
            row = memory[name]
            memory[name] = (*row[:place], values[axis], *row[place + 1 :])
    return Environment(scope.arrays, scope.tables, memory, names, scope.bags, scope.grant)


def names_of(expr: core.Expr) -> frozenset[str]:
    """Name the locals that an expression uses."""
    if isinstance(expr, core.Local):
        return frozenset({expr.name})
    return frozenset(name for part in parts(expr) for name in names_of(part))
