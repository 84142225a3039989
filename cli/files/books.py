"""Reads the text of a rulebook, which specs cite and never hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.source.errors import UsageError, quote

if TYPE_CHECKING:
    from pathlib import Path


def read_book(path: Path) -> bytes:
    """Return what a file holds.

    Raises:
        UsageError: it cannot be read.

    """
    try:
        return path.read_bytes()
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise UsageError(f"the rulebook {quote(str(path))}: {reason}") from None
