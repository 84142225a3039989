"""Checks what the parts of a spec say of each other: ids, citations, steps, options, modes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import fields

if TYPE_CHECKING:
    from .entries import Context
    from .errors import Reporter
    from .game import Game
    from .sections import Sections


def check_links(game: Game, ctx: Context) -> None:
    """Report names of other entries that do not exist, or do not fit."""


def check_sections(sections: Sections, report: Reporter) -> None:
    """Report what is wrong under any setting."""
