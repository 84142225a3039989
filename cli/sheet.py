"""The paper that a command writes its result on: as wide as the terminal, in characters it has."""

from __future__ import annotations

import sys
from pathlib import Path

from ..reports.blocks.paper import Paper
from .output import is_terminal, terminal_width, use_color

WIDEST = 100
FILE_WIDTH = 80


def paper_for(output: Path | None = None, *, no_color: bool) -> Paper:
    """Choose the paper: a file or a pipe gets 80 columns and no colour."""
    if output is not None and str(output) != "-":
        return Paper(FILE_WIDTH)
    wide = is_terminal(sys.stdout)
    width = min(WIDEST, terminal_width(sys.stdout)) if wide else FILE_WIDTH
    color = use_color(sys.stdout, no_color=no_color)
    return Paper(width, unicode=speaks_unicode(), color=color)


def speaks_unicode() -> bool:
    """Return whether standard output can show all of Unicode."""
    return (getattr(sys.stdout, "encoding", None) or "").lower().replace("-", "") in (
        "utf8", "utf16", "utf32", "cp65001",
    )  # fmt: skip
