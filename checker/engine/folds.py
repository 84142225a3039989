"""Folds of the core as WebAssembly: written out where they are short, else as loops."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from ...model.machine import intervals
from .terms import Term
from .values import Bag, Value, arithmetic, both, number, ranged, select, truth
from .wasm import I64, OPCODES, Val, const

if TYPE_CHECKING:
    from .expressions import Expressions

    Names = Mapping[str, Value | Bag]

NEUTRAL = {"sum": 0, "any": 0, "all": 1}
CHEAP_BODY = 8


def written_out(to: Expressions, term: Term, names: Names) -> Value:
    """Write a fold out."""
    op, var = term.label
    total, found = number(NEUTRAL.get(op, 0)), number(0)
    for i in range(term.size):
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


def _next(to: Expressions, term: Term, before: tuple[Value, Value], names: Names) -> Value:
    """Compute one more value, and take it in."""
    return _step(to, term.label[0], *before, to.term(term.parts[1], names))


def _step(to: Expressions, op: str, total: Value, found: Value, value: Value) -> Value:
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


def loop(to: Expressions, term: Term, names: Names) -> Value:
    """Write a fold as a loop."""
    op, var = term.label
    f = to.function
    i = f.var(0)
    # What the loop body needs is known only when it is written, and what it writes only after.
    f.depth += 1
    (where, value, inner), code = to.apart(
        lambda: _body(to, term, {**names, var: Value(i.code, 0, term.size - 1)}))
    f.depth -= 1
    if where.const == 0:
        return number(NEUTRAL.get(op, term.empty))
    low, high = _range(term, where, value)
    wide = Value(b"", low, high).wide if op == "sum" else value.wide
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
    nothing = Value(total.code + const(start[op], type_).code + OPCODES["=="][wide], 0, 1)
    best = ranged(total.code, *value.range, wide=wide)
    return best if where.const else select(to.keep(nothing), number(term.empty), best)


def _body(to: Expressions, term: Term, names: Names) -> tuple[Value, Value, bytes]:
    """Write `where`, and apart from it the body, as it runs under it."""
    where = truth(to.term(term.parts[0], names))
    if where.const == 0:
        return where, number(0), b""
    if where.const is None:
        value, code = to.apart(lambda: to.term(term.parts[1], names))
        return where, value, code
    return where, to.term(term.parts[1], names), b""


def _taken(f: object, op: str, total: Val, value: Value, *, wide: bool, out: int,
           deeper: bool) -> bytes:
    """Give the code that takes a value in, in a block opened for `where` if `deeper`."""
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


def _range(term: Term, where: Value, value: Value) -> tuple[int, int]:
    """Bound what a fold comes to."""
    op = term.label[0]
    if op != "sum":
        return 0, 1
    if where.const:
        return intervals.binary("*", (term.size, term.size), value.range)
    return intervals.total(value.range, term.size)
