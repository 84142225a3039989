"""Pieces of generated code: a Python expression, and the range in which its value lies.

The ranges do the optimising.  A piece whose range is a single value *is* that value; a comparison
that its ranges decide is a constant; an index that cannot leave its array needs no check.  As all
expressions of the core are pure and total, a piece may be dropped or moved without any harm.

The text of a piece holds names that we made up, and integers; nothing that a spec says reaches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from ...model.machine import intervals
from ...model.machine.intervals import Span

COND, OR, AND, NOT, CMP, BITOR, SHIFT, ADD, MUL, NEG, ATOM = range(11)


@dataclass(frozen=True, slots=True)
class Piece:
    """A Python expression, how tightly it binds, and the least and the greatest value it has.

    `offset` is the constant at the end of a sum, if there is one: the text is `base` and that.
    """

    text: str
    low: int
    high: int
    prec: int = ATOM
    offset: int = 0
    base: str = ""

    @property
    def const(self) -> int | None:
        """The value, if there is only one."""
        return self.low if self.low == self.high else None

    @property
    def simple(self) -> bool:
        """True for what may be written twice: a name or a number."""
        return self.text.isidentifier() or self.const is not None

    @property
    def without_offset(self) -> Piece:
        """The sum without the constant at its end."""
        if not self.offset:
            return self
        return Piece(self.base, self.low - self.offset, self.high - self.offset, ADD)

    def at(self, prec: int) -> str:
        """Give the text, in parentheses if it binds less tightly than asked."""
        return self.text if self.prec >= prec else f"({self.text})"


@lru_cache(maxsize=1024)
def literal(value: int) -> Piece:
    """Make a piece of a number."""
    return Piece(str(value), value, value, ATOM if value >= 0 else NEG)


def piece(text: str, low: int, high: int, prec: int = ATOM) -> Piece:
    """Make a piece of a text, or of its value if there is only one."""
    return literal(low) if low == high else Piece(text, low, high, prec)


def ranged(op: str, left: Piece, right: Piece) -> Span:
    """Give the range of `left op right`."""
    return intervals.binary(op, (left.low, left.high), (right.low, right.high))


def add(parts: Sequence[Piece], constant: int = 0) -> Piece:
    """Add pieces up, constants last."""
    rest = []
    for part in parts:
        if part.const is None:
            rest.append(part.without_offset)
            constant += part.offset
        else:
            constant += part.const
    if not rest:
        return literal(constant)
    low = sum(part.low for part in rest) + constant
    high = sum(part.high for part in rest) + constant
    if len(rest) == 1 and not constant:
        return rest[0]
    base = " + ".join([rest[0].at(ADD), *(part.at(MUL) for part in rest[1:])])
    if not constant or low == high:
        return piece(base, low, high, ADD)
    text = f"{base} {'+' if constant > 0 else '-'} {abs(constant)}"
    return Piece(text, low, high, ADD, constant, base)


def subtract(left: Piece, right: Piece) -> Piece:
    """Subtract."""
    if right.const is not None:
        return add([left], -right.const)
    if left.offset or right.offset:
        whole = subtract(left.without_offset, right.without_offset)
        return add([whole], left.offset - right.offset)
    low, high = ranged("-", left, right)
    if left.const == 0:
        return piece(f"-{right.at(NEG)}", low, high, NEG)
    return piece(f"{left.at(ADD)} - {right.at(MUL)}", low, high, ADD)


def multiply(left: Piece, right: Piece) -> Piece:
    """Multiply."""
    if left.const is not None:
        left, right = right, left
    if right.const == 1:
        return left
    low, high = ranged("*", left, right)
    return piece(f"{left.at(MUL)} * {right.at(NEG)}", low, high, MUL)


def negate(part: Piece) -> Piece:
    """Turn the truth around."""
    part = bit(part)
    if part.const is not None:
        return literal(1 - part.const)
    if part.prec == NOT and part.text.startswith("not "):
        return Piece(part.text[4:], 0, 1, CMP)
    return Piece(f"not {part.at(NOT)}", 0, 1, NOT)


def bit(part: Piece) -> Piece:
    """Make a truth value of a number."""
    if part.low >= 0 and part.high <= 1:
        return part
    if part.low > 0 or part.high < 0:
        return literal(1)
    return Piece(f"{part.at(BITOR)} != 0", 0, 1, CMP)


def every(parts: Sequence[Piece]) -> Piece:
    """Join with `and`."""
    parts = [bit(part) for part in parts]
    if any(part.const == 0 for part in parts):
        return literal(0)
    rest = [part for part in parts if part.const is None]
    if len(rest) < 2:
        return rest[0] if rest else literal(1)
    return Piece(" and ".join(part.at(AND) for part in rest), 0, 1, AND)


def some(parts: Sequence[Piece]) -> Piece:
    """Join with `or`."""
    parts = [bit(part) for part in parts]
    if any(part.const == 1 for part in parts):
        return literal(1)
    rest = [part for part in parts if part.const is None]
    if len(rest) < 2:
        return rest[0] if rest else literal(0)
    return Piece(" or ".join(part.at(OR) for part in rest), 0, 1, OR)


def choose(test: Piece, then: Piece, other: Piece) -> Piece:
    """Give `then` if the test holds, else `other`."""
    test = bit(test)
    if test.const is not None:
        return then if test.const else other
    if then.text == other.text:
        return then
    if (then.const, other.const) == (1, 0):
        return test
    if (then.const, other.const) == (0, 1):
        return negate(test)
    if other.const == 0 and then.low >= 0 and then.high <= 1:
        return every([test, then])
    if then.const == 1 and other.low >= 0 and other.high <= 1:
        return some([test, other])
    low, high = intervals.hull([(then.low, then.high), (other.low, other.high)])
    text = f"{then.at(OR)} if {test.at(OR)} else {other.at(COND)}"
    return piece(text, low, high, COND)


def compare(op: str, left: Piece, right: Piece) -> Piece:
    """Compare two pieces; the ranges may know the answer."""
    if op in (">", ">="):
        left, right, op = right, left, op.replace(">", "<")
    known: int | None = None
    if op == "<":
        known = 1 if left.high < right.low else 0 if left.low >= right.high else None
    elif op == "<=":
        known = 1 if left.high <= right.low else 0 if left.low > right.high else None
    elif left.high < right.low or left.low > right.high:
        known = int(op == "!=")
    elif left.const is not None and left.const == right.const:
        known = int(op == "==")
    if known is not None:
        return literal(known)
    if left.const is not None:  # a constant stands to the right, so that equal texts are equal
        left, right, op = right, left, {"<": ">", "<=": ">="}.get(op, op)
    if (left.low, left.high) == (0, 1) and right.const is not None:
        holds_at_one = {"==": right.const == 1, "!=": right.const != 1}.get(op)
        if holds_at_one is None:
            holds_at_one = op in (">", ">=")
        return left if holds_at_one else negate(left)
    if right.const is not None and left.offset:
        left, right = left.without_offset, literal(right.const - left.offset)
    return Piece(f"{left.at(BITOR)} {op} {right.at(BITOR)}", 0, 1, CMP)


class Temps:
    """Names for values that are used twice within one expression."""

    def __init__(self) -> None:
        self.count = 0

    def name(self, letter: str = "x") -> str:
        """Make up a name that no other piece of the same module uses."""
        self.count += 1
        return f"{letter}{self.count}"

    def twice(self, part: Piece) -> tuple[str, Piece]:
        """Give a text that is evaluated first, and a piece for its value from then on."""
        if part.simple:
            return part.at(BITOR), part
        name = self.name()
        return f"({name} := {part.text})", Piece(name, part.low, part.high)

    def divide(self, op: str, left: Piece, right: Piece) -> Piece:
        """Divide, rounding down, or give the rest; by 0 it is 0."""
        low, high = ranged(op, left, right)
        if low == high:
            return literal(low)
        if op == "%" and left.low >= 0 and left.high < right.low:
            return left
        if right.low > 0 or right.high < 0:
            return piece(f"{left.at(MUL)} {op} {right.at(NEG)}", low, high, MUL)
        first, value = self.twice(right)
        text = f"{left.at(MUL)} {op} {value.at(NEG)} if {first} else 0"
        return piece(text, low, high, COND)

    def extreme(self, op: str, left: Piece, right: Piece) -> Piece:
        """Give the lesser (`min`) or the greater (`max`) of two pieces."""
        low, high = ranged(op, left, right)
        lesser = left if left.high <= right.low else right if right.high <= left.low else None
        if lesser is not None:
            return lesser if op == "min" else right if lesser is left else left
        first, a = self.twice(left)
        second, b = self.twice(right)
        sign = ">" if op == "max" else "<"
        return piece(f"{a.at(OR)} if {first} {sign} {second} else {b.at(COND)}", low, high, COND)
