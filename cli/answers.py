"""What commands printed, kept: it is told again for as long as all that it depends on is the same.

That is the program, the command line, the folder and the streams of the process, and what was read
(`model.source.inputs`).  A command says that its answer depends on nothing else (`lasts`); what
wrote a file, failed or was interrupted is not kept.  Nothing heavy is imported here: a kept answer
takes a tenth of a second.
"""

from __future__ import annotations

import json
import os
import stat
import sys
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING

from ..checker.engine.cache import find, place, program, store
from ..model.source.inputs import noted, unchanged
from .exit import INTERRUPTED

if TYPE_CHECKING:
    from typing import TextIO

ENVIRONMENT = ("COLUMNS", "LINES", "NO_COLOR", "RULEPROOF_DEBUG", "TERM")
"""The variables that what we print depends on."""


class Said:
    """What this process printed, and whether it may be told again."""

    def __init__(self) -> None:
        self.parts: list[tuple[bool, str]] = []
        self.lasts = False
        self.wrote = False


_SAID = Said()


def said(text: str, *, result: bool) -> None:
    """Note what was printed: a result on standard output, or words on standard error."""
    _SAID.parts.append((result, text))


def wrote() -> None:
    """Note that a file was written, which telling the same again would not do."""
    _SAID.wrote = True


def lasts(words: str = "") -> None:
    """Note that the answer depends on nothing but the command line and what was noted as read.

    The words, if any, go to standard error before it is told again.
    """
    _SAID.lasts = True
    if words:
        _SAID.parts.insert(0, (False, f"{words}\n"))


def name_of(args: list[str]) -> str | None:
    """Name the answer to a command line here and now; None if none is kept."""
    if place() is None or sys.stdout is None or sys.stderr is None:
        return None
    try:
        about = [program(), os.getcwd(), args, [_kind(arg) for arg in args],  # noqa: PTH109
                 [_about(stream) for stream in (sys.stdout, sys.stderr)],
                 [os.environ.get(name) for name in ENVIRONMENT]]
    except (OSError, ValueError):
        return None
    return sha256(b"answer" + json.dumps(about).encode()).hexdigest()


def again(name: str | None) -> int | None:
    """Tell a kept answer again; give its exit status, None if there is none that still holds."""
    found = None if name is None else find(name)
    if found is None:
        return None
    answer = json.loads(found)
    if not unchanged(answer["read"]):
        return None
    with suppress(OSError):
        for result, text in answer["said"]:
            stream = sys.stdout if result else sys.stderr
            stream.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
            stream.write(text)
            stream.flush()
        return int(answer["status"])
    return None


def keep(name: str | None, status: int) -> None:
    """Keep what was printed, if it lasts."""
    if name is not None and _SAID.lasts and not _SAID.wrote and status != INTERRUPTED:
        store(name, json.dumps({"read": noted(), "said": _SAID.parts, "status": status}).encode())


def _kind(arg: str) -> int:
    """Return of what kind a file of this name is; 0 if there is none."""
    with suppress(OSError, ValueError):
        return stat.S_IFMT(os.stat(arg).st_mode)  # noqa: PTH116
    return 0


def _about(stream: TextIO) -> list[object]:
    """Return what a result depends on of the stream that it goes to."""
    terminal = stream.isatty()
    size = [*os.get_terminal_size(stream.fileno())] if terminal else []
    return [terminal, stream.encoding, *size]
