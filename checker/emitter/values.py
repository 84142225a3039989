"""Numbers with a range, as WebAssembly: what the ranges know is not computed.

A value whose range is one number *is* that number.  Values have 32 bits if their range fits, else
64.  The code of a `Emitted` reads locals that never change while it is in use, and nothing else, so
it may be dropped, moved or written twice.
"""

from __future__ import annotations

from ...model.machine import intervals
from ...model.sealed import sealed
from .unit import WIDEST, UnsupportedError
from .wasm import I32, I64, OPCODES, const

LOWEST, HIGHEST = -(1 << 31) + 1, (1 << 31) - 2
"""The ends of what 32 bits hold, each with one number to spare."""

SWAPPED = {"<": ">", "<=": ">=", ">": "<", ">=": "<="}
EXTEND, WRAP, EQZ, SELECT = b"\xac", b"\xa7", b"\x45", b"\x1b"


@sealed
class Emitted:
    """Code that pushes a number from `low` to `high`."""

    code: bytes
    low: int
    high: int

    @property
    def const(self) -> int | None:
        """The value, if there is only one."""
        return self.low if self.low == self.high else None

    @property
    def wide(self) -> bool:
        """True for 64 bits."""
        return self.low < LOWEST or self.high > HIGHEST

    @property
    def type(self) -> int:
        """The type of the number that is pushed."""
        return I64 if self.low < LOWEST or self.high > HIGHEST else I32

    @property
    def range(self) -> tuple[int, int]:
        """Both ends."""
        return self.low, self.high

    def as_(self, *, wide: bool) -> bytes:
        """Return code that pushes it with 64 bits, or, if it fits, with 32."""
        if wide and not self.wide:
            return self.code + EXTEND if self.low != self.high else const(self.low, I64).code
        return self.code


@sealed
class EmittedBag:
    """A bag parameter: counts of 16 bits from an address on, and the most of each kind."""

    code: bytes
    offset: int
    size: int
    high: int


_CONSTS: dict[int, Emitted] = {}


def number(value: int) -> Emitted:
    """Make a value of a number."""
    found = _CONSTS.get(value)
    if found is None:
        type_ = I32 if LOWEST <= value <= HIGHEST else I64
        found = Emitted(const(value, type_).code, value, value)
        if -256 <= value <= 1024:
            _CONSTS[value] = found
    return found


def ranged(code: bytes, low: int, high: int, *, wide: bool) -> Emitted:
    """Make a value of code that pushes 64 bits, if `wide`, else 32."""
    if low == high:
        return number(low)
    if low <= -WIDEST or high >= WIDEST:
        raise UnsupportedError("a number may have more than 62 bits")
    if wide and low >= LOWEST and high <= HIGHEST:
        code += WRAP
    return Emitted(code, low, high)


def arithmetic(op: str, left: Emitted, right: Emitted) -> Emitted:
    """Add, subtract or multiply."""
    if (right.const == 0 and op != "*") or (right.const == 1 and op == "*"):
        return left
    if (left.const == 0 and op == "+") or (left.const == 1 and op == "*"):
        return right
    low, high = intervals.binary(op, left.range, right.range)
    wide = left.wide or right.wide or low < LOWEST or high > HIGHEST
    code = left.as_(wide=wide) + right.as_(wide=wide) + OPCODES[op][wide]
    return ranged(code, low, high, wide=wide)


def decided(op: str, a: intervals.Span, b: intervals.Span) -> bool | None:
    """Return the truth of a comparison where the ranges of its sides decide it."""
    if op in (">", ">="):
        a, b, op = b, a, "<" if op == ">" else "<="
    if op == "<":
        return True if a[1] < b[0] else False if a[0] >= b[1] else None
    if op == "<=":
        return True if a[1] <= b[0] else False if a[0] > b[1] else None
    if a[1] < b[0] or a[0] > b[1]:
        return op == "!="
    if a[0] == a[1] == b[0] == b[1]:
        return op == "=="
    return None


def compare(op: str, left: Emitted, right: Emitted) -> Emitted:
    """Compare two values; the ranges may know the answer."""
    known = decided(op, left.range, right.range)
    if known is not None:
        return number(int(known))
    if left.const is not None:
        left, right, op = right, left, SWAPPED.get(op, op)
    if right.const is not None and left.range == (0, 1):
        at_one = {"==": right.const == 1, "!=": right.const != 1}.get(op, op in (">", ">="))
        return left if at_one else negate(left)
    if right.const == 0 and op in ("==", "!=") and not left.wide:
        return Emitted(left.code + (EQZ if op == "==" else EQZ + EQZ), 0, 1)
    wide = left.wide or right.wide
    return Emitted(left.as_(wide=wide) + right.as_(wide=wide) + OPCODES[op][wide], 0, 1)


def truth(value: Emitted) -> Emitted:
    """Make a truth value of a number."""
    if value.low >= 0 and value.high <= 1:
        return value
    return compare("!=", value, number(0))


def negate(value: Emitted) -> Emitted:
    """Turn the truth around."""
    value = truth(value)
    if value.const is not None:
        return number(1 - value.const)
    return Emitted(value.code + EQZ, 0, 1)


def both(op: str, left: Emitted, right: Emitted) -> Emitted:
    """Join two truth values, both computed, with `and` or `or`."""
    decides = 0 if op == "and" else 1
    for one, other in ((left, right), (right, left)):
        if one.const is not None:
            return one if one.const == decides else other
    return Emitted(left.code + right.code + OPCODES["&" if op == "and" else "|"][0], 0, 1)


def select(test: Emitted, then: Emitted, other: Emitted) -> Emitted:
    """Return one of two values, both computed."""
    if test.const is not None:
        return then if test.const else other
    if then.code == other.code:
        return then
    if (then.const, other.const) == (1, 0):
        return test
    if (then.const, other.const) == (0, 1):
        return negate(test)
    low, high = min(then.low, other.low), max(then.high, other.high)
    wide = low < LOWEST or high > HIGHEST
    code = then.as_(wide=wide) + other.as_(wide=wide) + test.code + SELECT
    return Emitted(code, low, high)
