"""The sheet that text reports are written on: its width, its characters, its colours.

Whatever comes from a spec passes `Paper.clean` once, on its way in: control characters become
escapes, and where the terminal has no Unicode, typographic characters become plain ones.  Colour is
put on after that, so no spec can forge it.  A board is drawn on it (`draw`).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...model.source.errors import cells as cells  # noqa: PLC0414  (others take it from here)
from ...model.source.errors import printable

if TYPE_CHECKING:
    from .boards import Board, BoardRow, Entry

NARROWEST = 40
NARROW = 60
"""On paper that is not as wide as this, what would stand side by side stands below each other."""

_PLAIN = {
    "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-", "…": "...", "×": "x", "→": "->", "←": "<-",
    "“": '"', "”": '"', "„": '"', "‘": "'", "’": "'", "•": "*", "·": ".", "≤": "<=", "≥": ">=",
    "≠": "!=", "─": "-", "│": "|", "™": "(TM)", "®": "(R)", "©": "(C)", "\u00a0": " ",
    "†": "*", "✓": "+", "✗": "x", "ß": "ss", "Æ": "AE", "æ": "ae", "Ø": "O", "ø": "o",
}  # fmt: skip
_STYLES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34"}


@dataclass(frozen=True, slots=True)
class Paper:
    """How wide to write, with which characters, and whether in colour."""

    width: int = 80
    unicode: bool = True
    color: bool = False

    def clean(self, text: str) -> str:
        """Make text of a stranger fit to be shown, on one line."""
        shown = printable(" ".join(text.split()))
        return shown if self.unicode else _ascii(shown)

    def style(self, text: str, name: str) -> str:
        """Put a style on a finished line."""
        return f"\x1b[{_STYLES[name]}m{text}\x1b[0m" if self.color and text else text

    def rule(self) -> str:
        """Draw a line across."""
        return ("─" if self.unicode else "-") * self.width

    @property
    def narrow(self) -> bool:
        """Whether too little fits in a line for tables."""
        return self.width < NARROW

    def heading(self, text: str) -> str:
        """Write the title of a section; on narrow paper in as many lines as it takes."""
        lines = self.wrap(text) if self.narrow else [self.clean(text)]
        return "\n".join(self.style(line, "bold") for line in lines)

    def wrap(self, text: str, first: str = "", then: str | None = None) -> list[str]:
        """Break text into lines that begin with `first`, and with `then` from the second on."""
        after = " " * cells(first) if then is None else then
        return fill(self.clean(text), max(self.width, NARROWEST), first, after)

    def items(self, texts: Iterable[str]) -> list[str]:
        """Write texts as a list, an item each."""
        return [line for text in texts for line in self.wrap(text, "  - ")]

    def code(self, lines: Iterable[str], indent: str, width: int | None = None) -> list[str]:
        """Write lines of a spec as they stand, broken only where they are too long."""
        out: list[str] = []
        room = max(self.width, NARROWEST) if width is None else width
        for line in lines:
            body = line.lstrip(" ")
            lead = indent + " " * (len(line) - len(body))
            out += fill(self.clean(body), room, lead, f"{lead}    ")
        return out

    def columns(
        self, cols: Sequence[Sequence[str]], widths: Sequence[int], *, gap: str = "  ", indent: str,
    ) -> list[str]:
        """Set blocks of finished lines side by side; what has a style is as wide as its column."""
        height = max((len(col) for col in cols), default=0)
        rows: list[str] = []
        for i in range(height):
            parts = [col[i] if i < len(col) else "" for col in cols]
            row = gap.join(part if part.startswith("\x1b") else pad(part, width)
                           for part, width in zip(parts, widths, strict=True))
            rows.append((indent + row).rstrip())
        return rows

    def block(self, text: str, width: int) -> list[str]:
        """Break text to the width of a column."""
        return fill(self.clean(text), width, "", "")


def pad(text: str, width: int) -> str:
    """Fill text up to a number of cells."""
    return text + " " * max(0, width - cells(text))


def cut(text: str, width: int, more: str = "…") -> str:
    """Cut text off at a number of cells."""
    if cells(text) <= width:
        return text
    kept = ""
    for char in text:
        if cells(kept + char) > width - cells(more):
            break
        kept += char
    return kept.rstrip() + more


def fill(text: str, width: int, first: str, then: str) -> list[str]:
    """Break text at spaces, or inside words that are longer than a line."""
    lines: list[str] = []
    line, empty = first, True
    for word in text.split(" "):
        rest = word
        while True:
            room = width - cells(line) - (0 if empty else 1)
            if cells(rest) <= room:
                line += ("" if empty else " ") + rest
                empty = False
                break
            if not empty:
                lines.append(line)
                line, empty = then, True
                continue
            head = _head(rest, max(1, room))
            lines.append(line + head)
            line, rest = then, rest[len(head) :]
    return [*lines, line.rstrip()]


def _head(word: str, width: int) -> str:
    """Take from a word as much as fits, at least one character."""
    head = word[0]
    for char in word[1:]:
        if cells(head + char) > width:
            break
        head += char
    return head


def _ascii(text: str) -> str:
    out: list[str] = []
    for char in text:
        if char.isascii():
            out.append(char)
        elif char in _PLAIN:
            out.append(_PLAIN[char])
        else:
            plain = unicodedata.normalize("NFKD", char).encode("ascii", "ignore").decode()
            out.append(plain or "?")
    return "".join(out)


@dataclass(frozen=True, slots=True)
class Drawn:
    """A line of a drawing, and how much it matters."""

    text: str
    weight: int


def draw(board: Board, paper: Paper, *, indent: str = "  ") -> list[Drawn]:
    """Draw a board, each line with its weight; head and last line have the greatest."""
    out: list[Drawn] = []
    named: list[BoardRow | Entry] = [*board.rows, *board.shared]
    names = max((cells(each.name) for each in named), default=0)
    if board.rows and board.players:
        out += (_stacked if paper.narrow else _table)(board, paper, names, indent)
    for entry in board.shared:
        lead = f"{indent}{entry.name.ljust(names)}  "
        if paper.narrow:
            out += [Drawn(line, entry.weight) for line in paper.wrap(entry.text, lead)]
            continue
        text = cut(lead + paper.clean(entry.text), paper.width, "…" if paper.unicode else "...")
        out.append(Drawn(text, entry.weight))
    return out + [Drawn(line, 3) for text in (board.lately, board.turn) if text
                  for line in paper.wrap(text, indent)]


def _stacked(board: Board, paper: Paper, names: int, indent: str) -> list[Drawn]:
    """Draw what each player has, one player below the other."""
    out: list[Drawn] = []
    for i, player in enumerate(board.players):
        out += [Drawn(paper.style(line, "bold"), 3) for line in paper.wrap(player, indent)]
        for row in board.rows:
            lead = f"{indent}  {paper.clean(row.name).ljust(names)}  "
            blank = "·" if paper.unicode else "-"
            out += [Drawn(line, row.weight) for line in paper.wrap(row.cells[i] or blank, lead)]
    return out


def _table(board: Board, paper: Paper, names: int, indent: str) -> list[Drawn]:
    room = paper.width - cells(indent) - names - 2
    each = max(6, (room - 2 * len(board.players)) // len(board.players))
    wanted = [
        max([cells(player), *(cells(paper.clean(row.cells[i])) for row in board.rows)])
        for i, player in enumerate(board.players)
    ]
    widths = [min(want, each) for want in wanted]
    spare = room - 2 * len(widths) - sum(widths)
    for i, want in enumerate(wanted):
        more = min(max(0, spare), want - widths[i])
        widths[i], spare = widths[i] + more, spare - more
    head = [paper.block(player, width) for player, width in zip(board.players, widths, strict=True)]
    out = [
        Drawn(paper.style(line, "bold"), 3)
        for line in paper.columns([[""], *head], [names, *widths], indent=indent)
    ]
    for row in board.rows:
        blank = "·" if paper.unicode else "-"
        cols = [
            paper.block(text or blank, width) for text, width in zip(row.cells, widths, strict=True)
        ]
        lines = paper.columns([[paper.clean(row.name)], *cols], [names, *widths], indent=indent)
        out += [Drawn(line, row.weight) for line in lines]
    return out
