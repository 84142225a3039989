"""Where commands come from: a file of moves, then the keyboard or a pipe, a line at a time."""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module

from ..output import is_terminal

LONGEST = 10_000
"""So many characters of a line are read as one command; the rest of it is dropped."""


@dataclass(frozen=True, slots=True)
class InputLine:
    """A command, and where it stands if it comes from a file."""

    text: str
    place: str = ""


@dataclass(slots=True)
class Keyboard:
    """Gives one command after the other; `script` comes first."""

    script: deque[InputLine] = field(default_factory=deque[InputLine])
    listens: bool = True
    """Whether standard input is read when the script has ended."""

    @property
    def interactive(self) -> bool:
        """Return whether somebody types, and sees what is printed."""
        typed = not self.script and self.listens
        return typed and is_terminal(sys.stdin) and is_terminal(sys.stdout)

    def read(self, prompt: str) -> InputLine | None:
        """Return the next command that is not empty; None at the end.

        Somebody who types may give an empty line; comments (#) are skipped everywhere.
        """
        while True:
            line = self._next(prompt)
            if line is None:
                return None
            text = line.text[:LONGEST].strip()
            if text.startswith("#") or (not text and not self.interactive):
                continue
            return InputLine(text, line.place)

    def _next(self, prompt: str) -> InputLine | None:
        if self.script:
            return self.script.popleft()
        if not self.listens or sys.stdin is None:
            return None
        if self.interactive:
            try:
                return InputLine(input(prompt))
            except EOFError:
                print()  # noqa: T201  (the prompt has left the cursor in its line)
                return None
        text = sys.stdin.readline()
        return InputLine(text) if text else None


def script_of(name: str, lines: Iterable[str]) -> deque[InputLine]:
    """Make a script of the lines of a file."""
    return deque(InputLine(text, f"{name}:{number}") for number, text in enumerate(lines, 1))


def prepare() -> None:
    """Make standard input fit for whatever comes, and the keyboard comfortable."""
    with suppress(AttributeError, ValueError, OSError):
        sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]
    if is_terminal(sys.stdin):
        with suppress(ImportError):
            import_module("readline")  # gives `input` its arrows and history
