"""Folds over a range as pieces of Python: as the sum of a slice, written out, or as a loop.

A fold over few values is written out, so that tables and ranges can fold most of it away; a longer
one is tried, and becomes a function with a loop if the text stays long.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from ...model.machine import intervals
from ...model.machine.core import FALSE, TRUE, Binary, Expr, Load, Local, Pick, Reduce
from ...model.machine.traversal import arrays_read, conjuncts, names, unrolled
from .pieces import COND, Piece, add, bit, choose, compare, every, literal, negate, piece, some
from .scope import Bag, Scope

if TYPE_CHECKING:
    from .formulas import Formulas


def fold(formulas: Formulas, expr: Reduce, scope: Scope) -> Piece:
    """Turn a fold into Python, in whichever way is shortest."""
    if expr.op == "sum" and expr.where != TRUE:
        expr = without_idle_tests(formulas, expr, scope)
    slice_sum = row(formulas, expr, scope)
    if slice_sum is not None:
        return slice_sum
    length = unrolled(expr)
    if length <= formulas.budget:
        return written_out(formulas, expr, scope)
    if length <= 8 * formulas.budget:  # long, but perhaps most of it folds away
        functions = len(formulas.functions)
        found = written_out(formulas, expr, scope)
        if len(found.text) <= formulas.budget:
            return found
        del formulas.functions[functions:]
    return looped(formulas, expr, scope)


def without_idle_tests(formulas: Formulas, expr: Reduce, scope: Scope) -> Reduce:
    """Drop tests that leave out zeros only: adding x, or x times y, "where x > 0"."""
    inner = scope.bind(expr.var, Piece("v", 0, max(expr.size - 1, 0) + 1))
    addends = list(factors(expr.body))

    def idle(test: Expr) -> bool:
        return (
            isinstance(test, Binary)
            and (test.op in (">", "!=") and test.right == FALSE)
            and test.left in addends
            and formulas.piece(test.left, inner).low >= 0
        )

    kept = [test for test in conjuncts(expr.where) if not idle(test)]
    where: Expr = TRUE
    for test in kept:
        where = test if where == TRUE else Binary("and", where, test)
    return replace(expr, where=where)


def row(formulas: Formulas, expr: Reduce, scope: Scope) -> Piece | None:
    """Sum up a row of small numbers, or a bag, in one go."""
    if expr.op != "sum" or expr.where != TRUE or expr.size < 4:
        return None
    body = expr.body
    if isinstance(body, Pick) and body.index == Local(expr.var):
        bag = scope.bag(body.name)
        if len(bag.highs) == expr.size:
            return piece(f"sum({bag.text})", 0, sum(max(high, 0) for high in bag.highs))
    if not isinstance(body, Load) or not body.index or body.index[-1] != Local(expr.var):
        return None
    slot, prefix = formulas.layout.slots[body.array], body.index[:-1]
    if slot.width > 1 or any(expr.var in names(i) for i in prefix):
        return None
    found = formulas.place(slot, [formulas.piece(i, scope) for i in prefix])
    if expr.size > slot.array.dims[-1] or found is None or found[1]:
        return None
    first, start = formulas.temps.twice(found[0])
    text = f"sum({scope.buffer}[{first}:{add([start], expr.size).text}])"
    array = slot.array
    total = Piece(text, 0, expr.size * (array.high - array.low))
    return add([total], expr.size * array.low)


def written_out(formulas: Formulas, expr: Reduce, scope: Scope) -> Piece:
    """Write a fold out, one piece for each value of the variable."""
    items: list[tuple[Piece, Piece]] = []
    for i in range(expr.size):
        inner = scope.bind(expr.var, literal(i))
        where = formulas.test(expr.where, inner)
        if where.const != 0:
            inner = formulas.assume(expr.where, inner, truth=True)
            items.append((where, formulas.piece(expr.body, inner)))
    match expr.op:
        case "sum":
            return add([choose(where, body, literal(0)) for where, body in items])
        case "any":
            return some([every([where, body]) for where, body in items])
        case "all":
            return every([some([negate(where), body]) for where, body in items])
        case "min" | "max":
            return extreme(formulas, expr, items)
        case _:
            assert_never(expr.op)


def extreme(formulas: Formulas, expr: Reduce, items: list[tuple[Piece, Piece]]) -> Piece:
    """Find the least or greatest of some pieces, each of which may be left out."""
    if not items:
        return literal(expr.empty)
    low, high = min(body.low for _, body in items), max(body.high for _, body in items)
    sure = any(where.const for where, _ in items)
    missing = low - 1 if expr.op == "max" else high + 1
    if (expr.op == "max" and expr.empty <= low) or (expr.op == "min" and expr.empty >= high):
        missing = expr.empty
    values = [choose(where, body, literal(missing)) for where, body in items]
    if len(values) == 1:
        best = values[0]
    elif len(values) == 2:
        best = formulas.temps.extreme("max" if expr.op == "max" else "min", *values)
    else:
        lows, highs = min(v.low for v in values), max(v.high for v in values)
        best = piece(f"{expr.op}({', '.join(v.at(COND) for v in values)})", lows, highs)
    if sure and best.const is None:
        return piece(best.text, low, high, best.prec)
    if sure or missing == expr.empty:
        return best
    first, value = formulas.temps.twice(best)
    none = compare("==", Piece(first, value.low, value.high), literal(missing))
    if none.const is not None:
        return choose(none, literal(expr.empty), best)
    low, high = min(low, expr.empty), max(high, expr.empty)
    return piece(f"{expr.empty} if {none.text} else {value.text}", low, high, COND)


def looped(formulas: Formulas, expr: Reduce, scope: Scope) -> Piece:
    """Fold in a function of its own, with a loop that stops early where it can."""
    function, var = formulas.temps.name("q"), formulas.temps.name("v")
    known = {place: value for place, value in scope.known.items() if value.const is not None}
    inner = Scope(scope.buffer, known=known)
    arguments = [scope.buffer] if arrays_read(expr) else []
    for name in sorted(names(expr)):
        value = scope.names[name]
        if isinstance(value, Bag) or (value.const is None and value.simple):
            arguments.append(value.text)
        inner = inner.bind(name, value)
    inner = inner.bind(expr.var, piece(var, 0, max(expr.size - 1, 0)))
    where = formulas.test(expr.where, inner)
    body = formulas.piece(expr.body, formulas.assume(expr.where, inner, truth=True))
    if expr.op in ("any", "all"):
        body = bit(body)
    steps, last, low, high = loop_steps(expr, body)
    lines = [f"def {function}({', '.join(dict.fromkeys(arguments))}):"]
    if expr.op in ("sum", "min", "max"):
        lines.append(f"    y = {0 if expr.op == 'sum' else None}")
    lines.append(f"    for {var} in range({expr.size}):")
    pad = "        "
    if where.const is None:
        lines.append(f"{pad}if {where.text}:")
        pad += "    "
    lines += [pad + step for step in ([] if where.const == 0 else steps) or ["pass"]]
    lines.append(f"    return {last}")
    formulas.functions.append("\n".join(lines))
    return piece(f"{function}({', '.join(dict.fromkeys(arguments))})", low, high)


def loop_steps(expr: Reduce, body: Piece) -> tuple[list[str], str, int, int]:
    """Give what a fold does with each value and at the end, and its range."""
    match expr.op:
        case "sum":
            low, high = intervals.total((body.low, body.high), expr.size)
            return [f"y += {body.text}"], "y", low, high
        case "any":
            return [f"if {body.text}:", "    return 1"], "0", 0, 1
        case "all":
            return [f"if not ({body.text}):", "    return 0"], "1", 0, 1
        case "min" | "max":
            sign = "<" if expr.op == "min" else ">"
            low, high = intervals.hull([(body.low, body.high), (expr.empty, expr.empty)])
            steps = [f"z = {body.text}", f"if y is None or z {sign} y:", "    y = z"]
            return steps, f"y if y is not None else {expr.empty}", low, high
        case _:
            assert_never(expr.op)


def factors(expr: Expr) -> Iterator[Expr]:
    """List the factors of a product."""
    if isinstance(expr, Binary) and expr.op == "*":
        yield from factors(expr.left)
        yield from factors(expr.right)
    else:
        yield expr
