"""Positions in one line each, as `positions --format lines` writes them, tested again.

Behind the line itself (see `model.plays.line`) stand, with ` ; ` between them, `perft` and the
numbers of plays of 1, 2, … moves from there, and then what is for people only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from ...checker.positions.replays import perft_from
from ...model.game.game import Settings
from ...model.lowering.compile import Compiled
from ...model.plays.documents import DocumentError
from ...model.plays.line import read_name, state_from
from ...model.source.errors import UsageError, quote

SUFFIX = ".txt"
DEEPEST = 6
"""So many numbers of plays are counted."""


def lines_in(path: Path) -> Iterator[tuple[int, str]]:
    """List the lines of a file, with their numbers; blank ones and `#` remarks are left out.

    Raises:
        UsageError: if it cannot be read.

    """
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise UsageError(f"cannot read {quote(str(path))}: {reason}") from None
    except ValueError:
        raise UsageError(f"{quote(str(path))} is no text") from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, line


def check_line(line: str, load: Callable[[str, Settings], Compiled]) -> tuple[str, ...]:
    """Test a line; give what does not hold.

    Raises:
        DocumentError: if it is no line of a position.

    """
    first, *more = (part.strip() for part in line.split(" ; "))
    compiled = load(*_header(first))
    try:
        state = state_from(compiled.machine, first)
    except (ValueError, TypeError) as error:
        if "hash" in str(error):
            return (str(error),)
        raise DocumentError(str(error)) from None
    wanted = next((part.split()[1:] for part in more if part.startswith("perft ")), [])
    if not all(each.isdecimal() for each in wanted) or len(wanted) > DEEPEST:
        raise DocumentError(f"`perft` is followed by up to {DEEPEST} numbers")
    ours = [str(number) for number in perft_from(compiled, state, len(wanted))]
    if ours != wanted:
        return (f"`perft` is {' '.join(ours)} here, not {' '.join(wanted)}",)
    return ()


def _header(line: str) -> tuple[str, Settings]:
    """Read the game and the settings that a line begins with."""
    words = line.split(maxsplit=2)
    players, _, rest = words[1].partition("/") if len(words) == 3 else ("", "", "")
    scope, *chosen = rest.split("/")
    if not players.isdecimal() or not scope:
        raise DocumentError("a line begins with a game, its players and scope: `duel 2/printed`")
    rulings = [each.partition("=") for each in chosen if not each.startswith("+")]
    return read_name(words[0]), Settings(
        players=int(players),
        scope=read_name(scope),
        variants=tuple(read_name(each[1:]) for each in chosen if each.startswith("+")),
        rulings=tuple(sorted(
            (read_name(point), read_name(reading)) for point, _, reading in rulings)),
    )
