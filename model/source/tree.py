"""What has been read of a file, as a tree of values that know where they came from.

Rules are written inside YAML scalars. `SpecNode.text_place` maps a position in such a text back to
the file: exactly for literal blocks (`|`) and for whatever stands on one line, and by finding each
source line again in the text where YAML has folded lines.
"""

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias

from .errors import Place

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"
Value: TypeAlias = "bool | int | float | str | tuple[SpecNode, ...] | dict[str, SpecNode] | None"

_ESCAPE = re.compile(r"\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)


@dataclass(frozen=True)
class ScalarText:
    """Where the text of a scalar lies in its file; `line` and `column` are where it starts, from 1.

    `style` is YAML's: "" for plain, or one of `'`, `"`, `|`, `>`.
    """

    text: str
    style: str
    line: int
    column: int
    end_line: int
    end_column: int
    source: tuple[str, ...] = field(repr=False)

    def locate(self, line: int, column: int) -> tuple[int, int]:
        """Map a line and a column of the text (from 0) to those of the file (from 1)."""
        starts = self._line_starts
        line = min(max(line, 0), len(starts) - 1)
        offset = min(starts[line] + max(column, 0), len(self.text))
        index = bisect_right(self._anchors, (offset, math.inf)) - 1
        start, file_line, file_column = self._anchors[max(index, 0)]
        column = file_column + max(offset - start, 0)
        return file_line, min(column, len(self.source[file_line - 1]) + 1)

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        return (0, *(match.end() for match in re.finditer("\n", self.text)))

    @cached_property
    def _anchors(self) -> tuple[tuple[int, int, int], ...]:
        """List (offset in the text, line, column): from each on, text and file run in step."""
        if self.style == "|":
            return tuple(self._literal()) or ((0, self.line, self.column),)
        found: list[tuple[int, int, int]] = []
        position = 0
        for line, column, fragment in self._fragments():
            plain, jumps = _decoded(fragment, self.style)
            at = self.text.find(plain, position) if plain else position
            if at < 0:
                continue
            found += [(at + offset, line, column + raw) for offset, raw in jumps]
            position = at + len(plain)
        if not found or found[0][0] > 0:
            found.insert(0, (0, self.line, self.column))
        return tuple(found)

    def _literal(self) -> Iterator[tuple[int, int, int]]:
        """Pair the lines of a literal block with those of the file: the same but for a margin."""
        texts = self.text.split("\n")
        files = self.source[self.line : self.line + len(texts)]
        pairs = list(zip(self._line_starts, texts, files, strict=False))
        margin = next((max(len(file) - len(text), 0) for _, text, file in pairs if text), 0)
        for line, (start, text, file) in enumerate(pairs, self.line + 1):
            if text or start < len(self.text):
                yield start, line, min(margin, len(file)) + 1

    def _fragments(self) -> Iterator[tuple[int, int, str]]:
        """Yield the stretches of the file that hold the text, one a line, without their margins."""
        first = self.line + (self.style == ">")
        for line in range(first, min(self.end_line, len(self.source)) + 1):
            raw = self.source[line - 1]
            begin = self.column - 1 + len(self.style) if line == self.line else 0
            end = self.end_column - 1 - len(self.style) if line == self.end_line else len(raw)
            if self.style == ">":
                end = 0 if line == self.end_line and self.end_column == 1 else len(raw)
            part = raw[begin:end]
            if line > self.line:
                begin += len(part) - len(part.lstrip(" \t"))
                part = part.lstrip(" \t")
            if line < self.end_line or self.style == ">":
                part = part.rstrip(" \t")
            if self.style == '"' and line < self.end_line and _ends_escaped(part):
                part = part[:-1]
            yield line, begin + 1, part


def _ends_escaped(part: str) -> bool:
    """Return whether a line of a double-quoted scalar ends in a backslash that joins the lines."""
    return (len(part) - len(part.rstrip("\\"))) % 2 == 1


def _decoded(raw: str, style: str) -> tuple[str, list[tuple[int, int]]]:
    """Undo the escapes of a quoted stretch; list (offset in the result, offset in `raw`) pairs."""
    if style == '"':
        escapes = list(_ESCAPE.finditer(raw))
    elif style == "'":
        escapes = list(re.finditer("''", raw))
    else:
        escapes = []
    out: list[str] = []
    jumps = [(0, 0)]
    length = last = 0
    for match in escapes:
        plain = raw[last : match.start()]
        out += [plain, _unescaped(match[0])]
        length += len(plain) + 1
        last = match.end()
        jumps += [(length - 1, match.start()), (length, last)]
    out.append(raw[last:])
    return "".join(out), jumps


def _unescaped(escape: str) -> str:
    """Return the one character that an escape stands for."""
    if escape == "''":
        return "'"
    if escape[1] in "xuU" and len(escape) > 2:
        code = int(escape[2:], base=16)  # noqa: FURB166
        return chr(code) if code < 0x110000 else "\ufffd"
    names = {"0": "\0", "a": "\a", "b": "\b", "t": "\t", "\t": "\t", "n": "\n", "v": "\v"}
    names |= {"f": "\f", "r": "\r", "e": "\x1b", "N": "\x85", "_": "\xa0"}
    names |= {"L": "\u2028", "P": "\u2029"}
    return names.get(escape[1], escape[1])


@dataclass(frozen=True, slots=True, eq=False)
class SpecNode:
    """A value of a file and where it stands; `keys` has the places of a mapping's keys."""

    value: Value
    place: Place
    keys: dict[str, Place] = field(default_factory=dict[str, Place])
    text: ScalarText | None = None

    @property
    def kind(self) -> str:
        """Name what this is, for messages."""
        match self.value:
            case None:
                return "nothing"
            case bool():
                return "a truth value"
            case int():
                return "a number"
            case float():
                return "a decimal number"
            case str():
                return "text"
            case tuple():
                return "a list"
            case dict():
                return "a mapping"

    def text_place(self, line: int, column: int) -> Place:
        """Map a position in the text (line and column from 0) to the file.

        Without text (numbers, lists, …) this is the place of the node.
        """
        if self.text is None:
            return self.place
        file_line, file_column = self.text.locate(line, column)
        return Place(self.place.file, file_line, file_column, file_column + 1)


def to_plain(node: SpecNode) -> Json:
    """Return a tree as plain lists and dictionaries, without its places."""
    match node.value:
        case tuple() as items:
            return [to_plain(item) for item in items]
        case dict() as entries:
            return {name: to_plain(entry) for name, entry in entries.items()}
        case value:
            return value


def node_at(node: SpecNode, path: Iterable[str | int]) -> SpecNode:
    """Follow keys and indices as far as they lead (the path of a schema error, say)."""
    for step in path:
        match node.value, step:
            case dict() as entries, str() if step in entries:
                node = entries[step]
            case tuple() as items, int() if 0 <= step < len(items):
                node = items[step]
            case _:
                break
    return node
