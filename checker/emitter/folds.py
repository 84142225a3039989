"""Folds of the core as WebAssembly: written out where they are short, else as loops."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from ...model.machine import intervals
from ...model.machine.core import Binary, Reduce
from .rows import CountRow, at_once, each_of, some_of
from .terms import EmittedTerm
from .unit import LONGEST_FOLD
from .values import Emitted, EmittedBag, arithmetic, both, negate, number, ranged, select, truth
from .wasm import I32, I64, OPCODES, Val, const, unsigned

if TYPE_CHECKING:
    from .expressions import Expressions

    Names = Mapping[str, Emitted | EmittedBag]

NEUTRAL = {"sum": 0, "any": 0, "all": 1}
CHEAP_BODY = 8
SHORT_ROW = 24
"""How heavy a fold over a row is that is written out although most elements are likely to be 0."""


def fold(to: Expressions, term: EmittedTerm, names: Names) -> Emitted:
    """Write a fold: out, if few values remain of those that can be told from the tables alone."""
    known = {name for name in term.free if isinstance(value := names[name], Emitted)
             and value.const is not None}
    var = term.label[1]
    alone = [part for part in conjuncts(term.parts[0]) if _settled(part, known | {var})]
    left = [i for i in range(term.size) if all(
        to.term(part, {**names, var: number(i)}).const for part in alone)]
    tests = [part for part in conjuncts(term.parts[0]) if part not in alone]
    if len(left) > 3:
        found = at_once(to, term, tests, left, names)
        if found is not None:
            return found
    costs: dict[int, int] = {}
    each = sum(_cost(part, known | {var}, costs) for part in term.parts)
    rows = [some_of(to, part, var) for part in tests]
    row = next((each for each in rows if each is not None), None)
    if row is not None and (each + 1) * len(left) > SHORT_ROW:
        tests.pop(rows.index(row))
        return sparse(to, term, (row, tests, left), names)
    if not each or len(left) <= 2 or (each + 1) * len(left) <= LONGEST_FOLD:
        return written_out(to, term, names, left)
    return loop(to, term, names)


def conjuncts(term: EmittedTerm) -> list[EmittedTerm]:
    """Split a condition at its outermost `and`s."""
    if term.kind is Binary and term.label == "and":
        return [each for part in term.parts for each in conjuncts(part)]
    return [term]


def _settled(term: EmittedTerm, known: set[str]) -> bool:
    """Return whether the value of a term follows from names that are known."""
    return not term.arrays and known.issuperset(term.free)


def _cost(term: EmittedTerm, known: set[str], costs: dict[int, int]) -> int:
    """Estimate the length of a term where some names are known; `costs` has what is estimated."""
    if term.number not in costs:
        many = term.size if term.kind is Reduce else 1
        costs[term.number] = 0 if _settled(term, known) else (
            1 + many * sum(_cost(part, known, costs) for part in term.parts))
    return costs[term.number]


def written_out(to: Expressions, term: EmittedTerm, names: Names, values: list[int]) -> Emitted:
    """Write a fold out; for other values than these, `where` does not hold."""
    op, var = term.label
    total, found = number(NEUTRAL.get(op, 0)), number(0)
    for i in values:
        inner = {**names, var: number(i)}
        where = truth(to.term(term.parts[0], inner))
        if where.const == 0:
            continue
        if where.const == 1 or term.parts[1].weight <= CHEAP_BODY:
            new = _step(to, op, total, found, to.term(term.parts[1], inner))
            total = new if where.const else select(to.keep(where), new, total)
        else:
            new, code = to.apart(partial(_next, to, term, (total, found), inner))
            total = to.branches(to.keep(where), (new, code), (total, b""))
        total = to.keep(total)
        if op in ("min", "max"):
            found = to.keep(both("or", found, where))
        elif op != "sum" and total.const == 1 - NEUTRAL[op]:
            return total
    if op in NEUTRAL:
        return total
    return select(found, total, number(term.empty))


def _next(
    to: Expressions, term: EmittedTerm, before: tuple[Emitted, Emitted], names: Names
) -> Emitted:
    """Compute one more value, and take it in."""
    return _step(to, term.label[0], *before, to.term(term.parts[1], names))


def _step(to: Expressions, op: str, total: Emitted, found: Emitted, value: Emitted) -> Emitted:
    """Take one more value in; `found` says whether there was one before."""
    if op == "sum":
        return arithmetic("+", total, value)
    if op in NEUTRAL:
        return both("or" if op == "any" else "and", total, truth(value))
    if found.const == 0:
        return value
    value = to.keep(value)
    best = to.keep(to.extreme(op, total, value))
    return select(found, best, value)


def loop(to: Expressions, term: EmittedTerm, names: Names) -> Emitted:
    """Write a fold as a loop."""
    op, var = term.label
    f = to.function
    i = f.var(0)
    # What the loop body needs is known only when it is written, and what it writes only after.
    f.depth += 1
    (where, value, inner), code = to.apart(
        lambda: _body(to, term, {**names, var: Emitted(i.code, 0, term.size - 1)}))
    f.depth -= 1
    if where.const == 0:
        return number(NEUTRAL.get(op, term.empty))
    low, high = _range(term, where, value)
    wide = Emitted(b"", low, high).wide if op == "sum" else value.wide
    type_ = I64 if wide else 0x7F
    start = {"min": (1 << 63 if wide else 1 << 31) - 1, "max": -(1 << 63 if wide else 1 << 31)}
    total = f.var(NEUTRAL.get(op, start.get(op, 0)), type_)
    out = f.open(b"\x02\x40")
    again = f.open(b"\x03\x40")
    to.code += code
    step = inner + _taken(f, op, total, value, wide=wide, out=out, deeper=where.const is None)
    to.code += step if where.const else where.code + b"\x04\x40" + step + b"\x0b"
    f.set(i, i + 1)
    f.branch(again, i.op("<u", term.size))
    f.end()
    f.end()
    if op in NEUTRAL:
        return ranged(total.code, low, high, wide=wide)
    nothing = Emitted(total.code + const(start[op], type_).code + OPCODES["=="][wide], 0, 1)
    best = ranged(total.code, *value.range, wide=wide)
    return best if where.const else select(to.keep(nothing), number(term.empty), best)


def sparse(to: Expressions, term: EmittedTerm, over: tuple[CountRow, list[EmittedTerm], list[int]],
           names: Names) -> Emitted:
    """Write a fold as a loop over those elements of a row that are not 0, under the other tests."""
    op, var = term.label
    f, (row, tests, values) = to.function, over
    since = len(to.code)
    with each_of(to, row, term.size, values, names) as (value, following, after):
        inner = {**names, var: value}
        for test in tests:
            holds = truth(to.term(test, inner))
            if holds.const != 1:
                f.branch(following, Val(holds.code).zero)
        body = to.term(term.parts[1], inner)
        low, high = intervals.total(body.range, len(values)) if op == "sum" else (
            (0, 1) if op in NEUTRAL else body.range)
        wide = Emitted(b"", low, high).wide
        type_ = I64 if wide else I32
        total = Val(b"\x20" + unsigned(f.new(type_)), type_)
        if op in NEUTRAL and op != "sum":
            decisive = truth(body) if op == "any" else negate(body)
            with f.when(Val(decisive.code)):
                f.set(total, 1 - NEUTRAL[op])
                f.branch(after)
        elif op == "sum":
            f.set(total, total + Val(body.as_(wide=wide), type_))
        else:
            new = Val(body.as_(wide=wide), type_)
            f.set(total, new.op("<" if op == "min" else ">", total).choose(new, total))
    none = {"min": (1 << 63 if wide else 1 << 31) - 1, "max": -(1 << 63 if wide else 1 << 31)}
    start = const(NEUTRAL.get(op, none.get(op, 0)), type_).code + b"\x21" + total.code[1:]
    to.code[since:since] = start
    if op in NEUTRAL:
        return ranged(total.code, low, high, wide=wide)
    nothing = Emitted(total.code + const(none[op], type_).code + OPCODES["=="][wide], 0, 1)
    return select(to.keep(nothing), number(term.empty), ranged(total.code, low, high, wide=wide))


def _body(to: Expressions, term: EmittedTerm, names: Names) -> tuple[Emitted, Emitted, bytes]:
    """Write `where`, and apart from it the body, as it runs under it."""
    where = truth(to.term(term.parts[0], names))
    if where.const == 0:
        return where, number(0), b""
    if where.const is None:
        value, code = to.apart(lambda: to.term(term.parts[1], names))
        return where, value, code
    return where, to.term(term.parts[1], names), b""


def _taken(f: object, op: str, total: Val, value: Emitted, *, wide: bool, out: int,
           deeper: bool) -> bytes:
    """Return the code that takes a value in, in a block opened for `where` if `deeper`."""
    new = Val(value.as_(wide=wide), total.type)
    put = b"\x21" + total.code[1:]
    if op == "sum":
        return (total + new).code + put
    if op in NEUTRAL:
        test = truth(value)
        decisive = test.code + (b"" if op == "any" else b"\x45")
        depth = getattr(f, "depth") + deeper + 1 - out  # noqa: B009
        return (decisive + b"\x04\x40" + const(1 - NEUTRAL[op]).code + put
                + b"\x0c" + bytes((depth,)) + b"\x0b")
    better = new.op("<" if op == "min" else ">", total)
    return new.code + total.code + better.code + b"\x1b" + put


def _range(term: EmittedTerm, where: Emitted, value: Emitted) -> tuple[int, int]:
    """Bound what a fold comes to."""
    op = term.label[0]
    if op != "sum":
        return 0, 1
    if where.const:
        return intervals.binary("*", (term.size, term.size), value.range)
    return intervals.total(value.range, term.size)
