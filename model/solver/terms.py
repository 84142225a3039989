"""Bounded integer terms: numbers that the solver has still to choose, with a range that we know.

Idea.  A value is an `int` when it is known and a `Term` (a Z3 term with its lowest and highest
value) when it is not; a truth is a `bool` or a Z3 formula.  The range is interval arithmetic, and
it pays at once: what the ranges decide is never handed to the solver.  `min(x, 9)` with x in 0 … 9
is x, so the clamps that the front end puts around every store mostly vanish.

The formulas stay linear.  A product or a quotient whose one side has few values is unrolled over
them (`UNROLL`); beyond that it is handed over as it is, and the solver may answer "unknown".

Limits.  A range is only as good as the assertion behind it: whoever makes a variable must assert
its range in every query (`ranged`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import z3  # type: ignore[import-untyped]

from ..machine.intervals import Span, binary, hull

UNROLL = 48
"""The widest range over which a product or quotient of two unknowns is unrolled."""


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """An unknown between `low` and `high`; `test` is the formula that it is 1 for, 0 otherwise."""

    z: z3.ArithRef
    low: int
    high: int
    test: z3.BoolRef | None = None


Value: TypeAlias = int | Term
Truth: TypeAlias = bool | z3.BoolRef


def variable(name: str, low: int, high: int, context: z3.Context) -> Value:
    """Make an unknown; a range of one value is that value."""
    return low if low == high else Term(z3.Int(name, context), low, high)


def in_range(value: Value) -> Truth:
    """Say of an unknown that it lies in its range."""
    if isinstance(value, int):
        return True
    return _joined(z3.Z3_mk_and, [value.z >= value.low, value.z <= value.high])


def ranged(values: Iterable[Value]) -> list[z3.BoolRef]:
    """Say of each unknown that it lies in its range."""
    return [in_range(value) for value in values if isinstance(value, Term)]


def _joined(make: Callable[..., object], tests: list[z3.BoolRef]) -> z3.BoolRef:
    """Join formulas of one context; `z3.And`, which looks for others, takes ten times as long."""
    context = tests[0].ctx
    return z3.BoolRef(make(context.ref(), len(tests), (z3.Ast * len(tests))(
        *(test.as_ast() for test in tests))), context)


def low(value: Value) -> int:
    """Return the least value possible."""
    return value if isinstance(value, int) else value.low


def high(value: Value) -> int:
    """Return the greatest value possible."""
    return value if isinstance(value, int) else value.high


def span(value: Value) -> Span:
    """Return the range of a value."""
    return low(value), high(value)


def ranged_by(op: str, left: Value, right: Value) -> Span:
    """Return the range of `left op right`."""
    return binary(op, span(left), span(right))


def raw(value: Value) -> int | z3.ArithRef:
    """Return what Z3's operators take."""
    return value if isinstance(value, int) else value.z


def same(left: Value, right: Value) -> bool:
    """Return whether two values are the same number or the same term (not: equal in all states)."""
    if isinstance(left, int) or isinstance(right, int):
        return isinstance(left, int) and isinstance(right, int) and left == right
    return left is right or bool(left.z.eq(right.z))


def bounded(z: z3.ArithRef, least: int, most: int) -> Value:
    """Pair a Z3 term with its range."""
    return least if least == most else Term(z, least, most)


# --------------------------------------------------------------------------- truth


def both(*tests: Truth) -> Truth:
    """Conjoin; nothing is true."""
    if any(test is False for test in tests):
        return False
    kept = [test for test in tests if test is not True]
    return True if not kept else kept[0] if len(kept) == 1 else _joined(z3.Z3_mk_and, kept)


def either(*tests: Truth) -> Truth:
    """Disjoin; nothing is false."""
    if any(test is True for test in tests):
        return True
    kept = [test for test in tests if test is not False]
    return False if not kept else kept[0] if len(kept) == 1 else _joined(z3.Z3_mk_or, kept)


def negation(test: Truth) -> Truth:
    """Negate."""
    if isinstance(test, bool):
        return not test
    return test.arg(0) if z3.is_not(test) else z3.Not(test)


def truth(value: Value) -> Truth:
    """Say that a value is not 0."""
    if isinstance(value, int):
        return value != 0
    if value.test is not None:
        return value.test
    if value.low >= 0:
        return True if value.low > 0 else value.z >= 1
    if value.high <= 0:
        return True if value.high < 0 else value.z <= -1
    return value.z != 0


def number(test: Truth) -> Value:
    """Return 1 for true and 0 for false."""
    return int(test) if isinstance(test, bool) else Term(z3.If(test, 1, 0), 0, 1, test)


def formula(test: Truth, context: z3.Context) -> z3.BoolRef:
    """Return what Z3's solvers take."""
    return z3.BoolVal(test, context) if isinstance(test, bool) else test


def choose(test: Truth, then: Value, other: Value) -> Value:
    """Return `then` where the test holds, else `other`."""
    if isinstance(test, bool):
        return then if test else other
    if same(then, other):
        return then
    if isinstance(then, int) and isinstance(other, int) and {then, other} == {0, 1}:
        return number(test if then else negation(test))
    return Term(z3.If(test, raw(then), raw(other)), *hull([span(then), span(other)]))


# --------------------------------------------------------------------------- comparison


def at_most(left: Value, right: Value) -> Truth:
    """Compare with `<=`."""
    if high(left) <= low(right) or same(left, right):
        return True
    if low(left) > high(right):
        return False
    return raw(left) <= raw(right)


def below(left: Value, right: Value) -> Truth:
    """Compare with `<`."""
    return negation(at_most(right, left)) if isinstance(right, Term) else at_most(left, right - 1)


def equal(left: Value, right: Value) -> Truth:
    """Compare with `==`; at the end of a range, as the bound that it is."""
    if isinstance(left, int):
        left, right = right, left
    if isinstance(left, int) or same(left, right):
        return same(left, right)
    if high(left) < low(right) or high(right) < low(left):
        return False
    if high(left) == low(right):
        return at_most(right, left)
    if high(right) == low(left):
        return at_most(left, right)
    if left.test is not None and isinstance(right, Term) and right.test is not None:
        return left.test == right.test
    return left.z == raw(right)


# --------------------------------------------------------------------------- arithmetic


def total(values: Sequence[Value]) -> Value:
    """Add up."""
    known = sum(value for value in values if isinstance(value, int))
    unknown = [value for value in values if isinstance(value, Term)]
    if not unknown:
        return known
    if len(unknown) == 1 and known == 0:
        return unknown[0]
    summands = [*(term.z for term in unknown), *([known] if known else [])]
    least = known + sum(term.low for term in unknown)
    most = known + sum(term.high for term in unknown)
    return bounded(z3.Sum(summands), least, most)


def negative(value: Value) -> Value:
    """Negate a number."""
    return -value if isinstance(value, int) else bounded(-value.z, -value.high, -value.low)


def times(left: Value, right: Value) -> Value:
    """Multiply."""
    if isinstance(left, int):
        left, right = right, left
    if isinstance(left, int):
        return left * int(raw(right))
    if isinstance(right, int) and 0 <= right <= 1:
        return left if right else 0
    bounds = ranged_by("*", left, right)
    if isinstance(right, Term):
        if right.high - right.low > left.high - left.low:
            left, right = right, left
        if right.high - right.low <= UNROLL:
            return by_cases(right, lambda known: times(left, known))
    return bounded(left.z * raw(right), *bounds)


def quotient(left: Value, right: Value) -> Value:
    """Divide as Python's `//`; by 0 it gives 0."""
    if isinstance(right, Term):
        return divided(left, right, quotient)
    if right == 0:
        return 0
    if isinstance(left, int):
        return left // right
    if right < 0:
        left, right = negative(left), -right
    if isinstance(left, int) or right == 1:
        return left
    return bounded(left.z / right, *ranged_by("//", left, right))


def remainder(left: Value, right: Value) -> Value:
    """Return Python's `%`; by 0 it gives 0."""
    if isinstance(right, Term):
        return divided(left, right, remainder)
    if right == 0:
        return 0
    if isinstance(left, int):
        return left % right
    if right < 0:
        return negative(remainder(negative(left), -right))
    if left.low // right == left.high // right:
        return total((left, -(left.low // right) * right))
    return bounded(left.z % right, *ranged_by("%", left, right))


def divided(left: Value, right: Term, by: Callable[[Value, int], Value]) -> Value:
    """Divide by an unknown: by cases if it has few values, else by the solver's own rules.

    SMT-LIB's `div` and `mod` leave a remainder from 0 up; that is Python's rule for a positive
    divisor, and for a negative one after both signs are turned.
    """
    if right.high - right.low <= UNROLL:
        return by_cases(right, lambda known: by(left, known))
    one = z3.IntVal(raw(left), right.z.ctx) if isinstance(left, int) else left.z
    if by is quotient:
        up, down = one / right.z, -one / -right.z
    else:
        up, down = one % right.z, -(-one % -right.z)
    z = z3.If(right.z > 0, up, z3.If(right.z < 0, down, 0))
    return bounded(z, *ranged_by("//" if by is quotient else "%", left, right))


def by_cases(value: Term, give: Callable[[int], Value]) -> Value:
    """Choose a result by the value of an unknown."""
    chosen = give(value.high)
    for known in range(value.high - 1, value.low - 1, -1):
        chosen = choose(equal(value, known), give(known), chosen)
    return chosen


def lesser(left: Value, right: Value) -> Value:
    """Return the smaller."""
    if high(right) <= low(left):
        left, right = right, left
    chosen = choose(at_most(left, right), left, right)
    return narrowed(chosen, *ranged_by("min", left, right))


def greater(left: Value, right: Value) -> Value:
    """Return the greater."""
    if high(left) <= low(right):
        left, right = right, left
    chosen = choose(at_most(right, left), left, right)
    return narrowed(chosen, *ranged_by("max", left, right))


def narrowed(value: Value, least: int, most: int) -> Value:
    """Narrow the range of a value to this one."""
    if isinstance(value, int):
        return value
    least, most = max(least, value.low), min(most, value.high)
    if least == most:
        return least
    return Term(value.z, least, most, value.test)


# --------------------------------------------------------------------------- inside


def names_in(formula: z3.ExprRef) -> set[str]:
    """Collect the names of the unknowns in a formula without quantifiers, as all of ours are.

    It walks by Z3's functions in C: an object for each term takes six times as long.
    """
    seen: set[int] = set()
    names: set[str] = set()
    context, stack = formula.ctx.ref(), [formula.as_ast()]
    while stack:
        one = stack.pop()
        if one.value in seen or z3.Z3_get_ast_kind(context, one) == z3.Z3_NUMERAL_AST:
            continue
        seen.add(one.value)
        arguments = z3.Z3_get_app_num_args(context, one)
        stack += [z3.Z3_get_app_arg(context, one, place) for place in range(arguments)]
        if not arguments:
            made = z3.Z3_get_app_decl(context, one)
            if z3.Z3_get_decl_kind(context, made) == z3.Z3_OP_UNINTERPRETED:
                names.add(z3.Z3_get_symbol_string(context, z3.Z3_get_decl_name(context, made)))
    return names
