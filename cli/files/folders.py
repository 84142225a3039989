"""A folder of positions: written as a whole, and only if nothing else lies in it."""

from __future__ import annotations

import json
from pathlib import Path

from ...checker.positions.replays import FORMAT
from ...checker.positions.search import Suite
from ...model.plays.documents import is_object
from ...model.source.errors import UsageError, quote
from ...reports.formats.document import file_name, pretty
from ..output import try_file, write_file


def insist_on(folder: Path, game: str) -> None:
    """Insist that a folder can be written to, and holds nothing but positions of this game.

    Raises:
        UsageError: if something else does, or if it is no folder.

    """
    if str(folder) == "-":
        raise UsageError("`-` is no folder, and positions are files: name a folder, or have "
                         "them on standard output, a line each, with `--format lines`")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{quote(str(folder))} is no folder")
    folder.mkdir(parents=True, exist_ok=True)
    try_file(folder / "a.json")
    for path in sorted(folder.iterdir()):
        if not _is_position(path, game):
            raise UsageError(
                f"{quote(str(folder))} is not empty, and {quote(path.name)} is no position of "
                f"{quote(game)}; give another folder"
            )


def _is_position(path: Path, game: str) -> bool:
    try:
        doc = json.loads(path.read_text("utf-8")) if path.suffix == ".json" else None
    except (OSError, ValueError):
        return False
    return is_object(doc) and (doc.get("format"), doc.get("game")) == (FORMAT, game)


def rewrite(folder: Path, suite: Suite, *, whole: bool) -> None:
    """Write the files, each as a whole; if these are all, remove those that are no more."""
    folder.mkdir(parents=True, exist_ok=True)
    named = {file_name(doc): doc for doc in suite.documents}
    for name, doc in named.items():
        write_file(folder / name, f"{pretty(doc)}\n")
    for path in folder.glob("*.json"):
        if whole and path.name not in named:
            path.unlink()
