"""Reads the texts of types, and start values and card attributes as the core's integers."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

from ..source.errors import Place, Reporter, did_you_mean, quote
from ..source.tree import SpecNode
from . import syntax as sx
from .game import Ty
from .parser import parse_expression

MAX_NUMBER = 1_000_000
_PLAIN = re.compile(r"0|[1-9][0-9]{0,8}")
_SIMPLE = ("bool", "player", "players")
_SPELT = {"no": "write `False`", "off": "write `False`", "yes": "write `True`",
          "on": "write `True`"}
"""What stands for a truth value elsewhere, and what is written here."""
_RECORD = (
    "a record is no value of a parameter, variable or field: hand over what is needed of it (its "
    "card, its owner, a number), or mark it in a field of its own and look for it in a loop")
_HINT = "a type is `bool`, `int LO..HI`, `player`, `players`, `card FAMILY`, or an enum"


@dataclass(frozen=True, slots=True)
class Values:
    """What types and values may name: numbers, enums, families and their cards."""

    report: Reporter
    numbers: Mapping[str, int]
    enums: Mapping[str, tuple[str, ...]]
    cards: Mapping[str, tuple[str, ...]]
    players: int
    lenient: bool = False
    """Say nothing about unknown names, since what was refused may have declared them."""
    pools: Collection[str] = ()
    """What is no type, though it holds records."""

    # ---- types

    def type(self, node: SpecNode) -> Ty | None:
        """Read a type."""
        text = str(node.value)
        bare = text.strip()
        optional = bare.endswith("?")
        bare = bare.removesuffix("?").strip()
        found = self._type(bare, text, node)
        if found is None or not optional:
            return found
        if found.kind == "players":
            self._error("RP204", "a set of players cannot be `none`", node.place, "it may be empty")
            return None
        if found.kind == "int" and found.low < 0:
            self._error("RP204", f"{quote(text)} has -1 in it, so it cannot have `none`",
                        node.place, "an optional number starts at 0 or above")
            return None
        return replace(found, optional=True)

    def _type(self, bare: str, text: str, node: SpecNode) -> Ty | None:
        if bare in ("bool", "player", "players"):
            return Ty(bare, high=1 if bare == "bool" else 0)  # type: ignore[arg-type]
        if match := re.fullmatch(r"int\b\s*(.*)", bare, re.DOTALL):
            return self._range(match[1], text.index(match[1]) if match[1] else 0, node)
        if match := re.fullmatch(r"card\s+(\w+)", bare):
            if match[1] in self.cards:
                return Ty("card", match[1])
            self._unknown(f"unknown family {quote(match[1])}", match[1], self.cards, node.place)
            return None
        if bare in self.enums:
            return Ty("enum", bare)
        if bare in self.cards:
            self._error("RP204", f"{quote(bare)} is a family of cards", node.place,
                        f"write `card {bare}`")
            return None
        if bare in self.pools:
            self._error("RP220", f"unknown type {quote(bare)}", node.place, _RECORD)
        elif re.fullmatch(r"\w+", bare):
            self._unknown(f"unknown type {quote(bare)}", bare, [*_SIMPLE, *self.enums],
                          node.place, _HINT)
        else:
            self._error("RP204", f"{quote(text)} is not a type", node.place, _HINT)
        return None

    def _range(self, text: str, start: int, node: SpecNode) -> Ty | None:
        low_text, dots, high_text = text.partition("..")
        if not dots:
            self._error("RP204", f"{quote(str(node.value))} is not a type: a number needs a range",
                        node.place, "write `int 0..9`")
            return None
        low = self.amount(low_text, node, start)
        high = self.amount(high_text, node, start + len(low_text) + 2)
        if low is None or high is None:
            return None
        if low > high:
            self._error("RP205", f"the range {low}..{high} is empty", node.place)
            return None
        if max(abs(low), abs(high)) > MAX_NUMBER:
            self._error("RP205", f"the range {low}..{high} is too large", node.place,
                        f"numbers lie between -{MAX_NUMBER} and {MAX_NUMBER}")
            return None
        return Ty("int", low=low, high=high)

    def amount(self, text: str, node: SpecNode, start: int = 0) -> int | None:
        """Evaluate a number, constant or sum of such, which stands in a node's text."""
        if _PLAIN.fullmatch(bare := text.strip()):
            return int(bare)

        def where(line: int, column: int) -> Place:
            return node.text_place(line, column + (start if line == 0 else 0))

        blanks = len(text) - len(text.lstrip())
        start += blanks
        try:
            tree = parse_expression(bare, where, self.report)
            return None if tree is None else self._evaluate(tree)
        except (RecursionError, IndexError):
            self._error("RP204", f"{quote(text)} is no number", node.place)
            return None

    def _evaluate(self, tree: sx.Expr) -> int | None:
        match tree:
            case sx.Num(value=value):
                return value
            case sx.Name(name=name, at=at):
                if name not in self.numbers:
                    self._unknown(f"unknown constant {quote(name)}", name, self.numbers, at)
                    return None
                return self.numbers[name]
            case sx.Prefix(op="-", operand=operand):
                positive = self._evaluate(operand)
                return None if positive is None else -positive
            case sx.Infix(op="+" | "-" | "*" as op, left=left, right=right):
                one, two = self._evaluate(left), self._evaluate(right)
                if one is None or two is None:
                    return None
                made = one + two if op == "+" else one - two if op == "-" else one * two
                return max(-10 * MAX_NUMBER, min(10 * MAX_NUMBER, made))
            case _:
                self._error("RP204", "only numbers, constants and `+ - *` may stand here", tree.at)
                return None

    # ---- values

    def start(self, node: SpecNode | None, ty: Ty, what: str) -> int:
        """Return a start value as the core's integer; the default of its type without a node."""
        if node is None or node.value is None:
            return default(ty)
        if ty.kind == "players":
            return self._seats(node, what)
        found = self.scalar(node, ty, what)
        return default(ty) if found is None else found

    def scalar(self, node: SpecNode, ty: Ty, what: str) -> int | None:
        """Return a value of a type as the core's integer."""
        value = node.value
        if value == "none":
            if not ty.optional:
                self._error("RP205", f"{what} is `{ty}`, so it cannot be `none`", node.place,
                            f"`{ty}?` has `none`")
            return -1 if ty.optional else None
        match ty.kind, value:
            case "bool", bool():
                return int(value)
            case "int", int() if not isinstance(value, bool):
                return self._within(value, (ty.low, ty.high), ty, what, node)
            case "int", str():
                amount = self.amount(value, node)
                if amount is None:
                    return None
                return self._within(amount, (ty.low, ty.high), ty, what, node)
            case "player", int() if not isinstance(value, bool):
                seat = self._within(value, (1, self.players), ty, what, node)
                return None if seat is None else seat - 1
            case "enum", str():
                return self._one_of(value, self.enums.get(ty.name, ()), ty, what, node)
            case "card", str():
                card = value.removeprefix(f"{ty.name}.")
                return self._one_of(card, self.cards.get(ty.name, ()), ty, what, node)
            case _:
                self._error("RP205", f"{what} is `{ty}`, so it cannot be {node.kind}", node.place,
                            _SPELT.get(str(value).lower(), "write `True` or `False`")
                            if ty.kind == "bool" else "")
                return None

    def _within(
        self, value: int, span: tuple[int, int], ty: Ty, what: str, node: SpecNode
    ) -> int | None:
        low, high = span
        if low <= value <= high:
            return value
        self._error("RP205", f"{what} is `{ty}`, so it cannot be {value}", node.place,
                    f"from {low} to {high}")
        return None

    def _one_of(
        self, value: str, known: tuple[str, ...], ty: Ty, what: str, node: SpecNode
    ) -> int | None:
        if value in known:
            return known.index(value)
        self._unknown(f"{what} is `{ty}`, which has no {quote(value)}", value, known, node.place)
        return None

    def _seats(self, node: SpecNode, what: str) -> int:
        """Return a set of players as bits."""
        if node.value == "all":
            return (1 << self.players) - 1
        if node.value == "none":
            return 0
        if not isinstance(node.value, tuple):
            self._error("RP205", f"{what} is a set of players, so it cannot be {node.kind}",
                        node.place, "write `[1, 2]`, `all` or `none`")
            return 0
        bits = 0
        for item in node.value:
            seat = self.scalar(item, Ty("player"), what)
            bits |= 0 if seat is None else 1 << seat
        return bits

    # ---- errors

    def _unknown(
        self, message: str, name: str, known: Iterable[str], place: Place, more: str = ""
    ) -> None:
        if not self.lenient:
            self._error("RP220", message, place, did_you_mean(name, known) or more)

    def _error(self, code: str, message: str, place: Place, hint: str = "") -> None:
        self.report.error(code, message, place, help=hint)


def default(ty: Ty) -> int:
    """Return the value that a variable has if nothing is said: none, no, 0, the first."""
    if ty.optional:
        return -1
    if ty.kind == "int":
        return max(ty.low, min(ty.high, 0))
    return 0
