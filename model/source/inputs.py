"""What was read of the outside, noted where it is read: an answer holds for as long as it is so.

Files are noted with what they held, folders with the names in them that were looked for.  Our own
files are not noted: they are the program.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path

Note = tuple[str, str, str]
"""A path; of a folder, the pattern of the names that were looked for; a hash of what was there."""

MOST_BYTES = 1 << 28
CHANGED = "changed"
"""Stands for the hash of what was read twice and was not the same: it never is."""

_NOTED: dict[tuple[str, str], str] = {}


def note_file(path: Path, data: bytes | None) -> None:
    """Note what a file held when it was read; None if there was none."""
    _note(path, "", _digest(data))


def note_names(folder: Path, pattern: str) -> None:
    """Note which paths below a folder match a pattern."""
    _note(folder, pattern, _names(folder, pattern))


def noted() -> list[Note]:
    """Return all that was noted in this process, in the order of reading."""
    return [(*where, digest) for where, digest in _NOTED.items()]


def unchanged(notes: Iterable[Note]) -> bool:
    """Return whether all is there as it was noted."""
    return all(digest == (_names(Path(path), pattern) if pattern else _digest(_held(path)))
               for path, pattern, digest in notes)


def _note(path: Path, pattern: str, digest: str) -> None:
    where = os.path.abspath(path), pattern  # noqa: PTH100  (links stay)
    _NOTED[where] = digest if _NOTED.get(where, digest) == digest else CHANGED


def _held(path: str) -> bytes | None:
    """Return what an ordinary file holds; None if there is none, or one that nobody noted."""
    try:
        if not os.path.isfile(path) or os.path.getsize(path) > MOST_BYTES:  # noqa: PTH113, PTH202
            return None
        return Path(path).read_bytes()
    except OSError:
        return None


def _digest(data: bytes | None) -> str:
    return "" if data is None else sha256(data).hexdigest()


def _names(folder: Path | str, pattern: str) -> str:
    try:
        found = sorted(str(path.relative_to(folder)) for path in Path(folder).glob(pattern))
    except OSError:
        return CHANGED
    return _digest("\0".join(found).encode("utf-8", "surrogateescape"))
