"""A board as text: lines, each with how much it matters, for narrow screens."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .paper import Paper, cells, cut

if TYPE_CHECKING:
    from .boards import Board


@dataclass(frozen=True, slots=True)
class Drawn:
    """A line of a drawing, and how much it matters."""

    text: str
    weight: int


def draw(board: Board, paper: Paper, *, indent: str = "  ") -> list[Drawn]:
    """Draw a board, each line with its weight; head and last line have the greatest."""
    out: list[Drawn] = []
    names = max((cells(name) for name in _names(board)), default=0)
    if board.rows and board.players:
        out += _table(board, paper, names, indent)
    for entry in board.shared:
        lead = f"{indent}{entry.name.ljust(names)}  "
        text = cut(lead + paper.clean(entry.text), paper.width, "…" if paper.unicode else "...")
        out.append(Drawn(text, entry.weight))
    return out + [Drawn(line, 3) for line in paper.wrap(board.turn, indent) if board.turn]


def _names(board: Board) -> list[str]:
    return [row.name for row in board.rows] + [entry.name for entry in board.shared]


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
