"""How the program ends: exit statuses by name, and an interrupt that can be resumed."""

from __future__ import annotations

OK = 0
"""Nothing found, or everything holds."""
FINDINGS = 1
"""Findings at or above `--fail-on`, a play that does not replay, a line that is not covered."""
USAGE = 2
"""A wrong command line, a file that cannot be read or written, a spec that does not load."""
LIMIT = 3
"""Nothing found, but a limit stopped the search, or a part of it failed."""
INTERNAL = 70
"""A bug of ours, and nothing could be written."""
INTERRUPTED = 130
"""Stopped from the keyboard or by another signal; can be resumed."""
PIPE = 141
"""Whoever read the output has gone away."""


class Interrupted(Exception):  # noqa: N818  (it is no error)
    """Stopped from the keyboard, after everything was saved; `resume` says how to go on.

    Raise it from the `KeyboardInterrupt`, which typer would turn into a bare exit.
    """

    def __init__(self, resume: str) -> None:
        super().__init__(resume)
        self.resume = resume
