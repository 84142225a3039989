"""Reads the text of a rulebook, which specs cite and never hold."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from ...model.source import inputs
from ...model.source.errors import UsageError, quote

if TYPE_CHECKING:
    from pathlib import Path

    from ...model.game.game import Game


def read_book(path: Path) -> bytes:
    """Return what a file holds.

    Raises:
        UsageError: it cannot be read.

    """
    try:
        data = path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise UsageError(f"the rulebook {quote(str(path))}: {reason}") from None
    inputs.note_file(path, data)
    return data


def text_of(path: Path, game: Game) -> str:
    """Return the text of a game's rulebook.

    Raises:
        UsageError: it cannot be read, or is another book than the spec cites.

    """
    data = read_book(path)
    known = game.rulebook
    if known is None:
        raise UsageError(f"{quote(game.id)} cites no rulebook, so {quote(str(path))} is not needed")
    if hashlib.sha256(data).hexdigest() != known.sha256:
        raise UsageError(f"{quote(str(path))} is not the rulebook that the spec cites, "
                         f"{quote(known.file)}; `ruleproof trace --rulebook` tells how they differ")
    return data.decode("utf-8-sig", errors="replace")
