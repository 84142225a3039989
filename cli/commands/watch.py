"""`ruleproof watch FOLDER`: lint and the cheap checks, again at each save."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ...checker.examples.unset import unset_scenes
from ...checker.glance import glance
from ...model.loading.load import bundled, read_sections
from ...model.plays.wording import many
from ...model.source.errors import Reporter, SpecErrors
from ...model.views.lint import Lint
from ...model.views.lint import lint as look
from ...reports.formats.lints import lint_blocks
from .. import exit as status
from .. import options as opt
from ..output import excerpt_room, is_terminal, use_color
from ..sheet import paper_for

if TYPE_CHECKING:
    from ...model.loading.sections import Sections

PAUSE = 0.2
"""Seconds between two looks at the files."""
FOLDER = typer.Argument(
    metavar="FOLDER", help="The folder of a game, or a bundled name.", show_default=False)
ONCE = typer.Option("--once", help="Look once, and end with the status that `lint` would have.")
ALL = typer.Option("--all", help="Then look at every variant, reading and scope, and for warnings.")


def watch(
    *,
    folder: Annotated[str, FOLDER],
    once: Annotated[bool, ONCE] = False,
    every: Annotated[bool, ALL] = False,
    no_color: opt.NoColor = False,
) -> int:
    """Lint a game, and look at its first states, again at each save.

    Errors are told as `lint` tells them. Then the first states of the smallest scope are looked at:
    what goes wrong there (a draw from nothing, a tie, nobody who can move) is told, too. It ends
    with Ctrl-C. Example: `ruleproof watch my-game`
    """
    while True:
        found, seen, wrong = _look(folder, no_color=no_color)
        if every and not found.errors:
            with suppress(_ChangedError):
                found = _all(folder, seen, once=once, no_color=no_color)
        if once:
            return status.USAGE if found.errors else status.FINDINGS if wrong else status.OK
        while _stamps(folder, found) == seen:
            time.sleep(PAUSE)


class _ChangedError(Exception):
    """A file was saved, so what is being looked at is of yesterday."""


def _look(folder: str, *, no_color: bool) -> tuple[Lint, dict[str, tuple[int, int]], bool]:
    """Look once at the game as it is ruled, and tell what there is, and of which files."""
    began = time.monotonic()
    sections = read_sections(folder, Reporter())
    seen = _stamps(folder, sections)
    found = look(folder, whole=False, sections=sections)
    paper = paper_for(no_color=no_color)
    color = use_color(sys.stdout, no_color=no_color)
    room = excerpt_room(sys.stdout)
    lines = lint_blocks(found, color=color, room=room)
    wrong = False
    if not found.errors:
        try:
            first = glance(sections)
        except SpecErrors as error:
            lines.append(error.render(color=color, room=room))
            wrong = True
        else:
            wrong = bool(first.wrong)
            lines += [line for each in first.wrong for line in paper.wrap(each, "  ", "    ")]
            whole = "all" if first.complete else "the first"
            lines.append(paper.clean(
                f"scope {first.scope}: {whole} {first.states:,} states looked at, "
                f"{many(len(first.wrong), 'thing goes', 'things go')} wrong"))
    if is_terminal(sys.stdout):
        lines.insert(0, paper.rule())
    typer.echo("\n".join(lines))
    _tell(found, began, many(len(found.errors), "error"))
    return found, seen, wrong


def _all(
    folder: str, seen: dict[str, tuple[int, int]], *, once: bool, no_color: bool
) -> Lint:
    """Look under all settings, unless a file is saved meanwhile, and tell what else there is.

    Raises:
        _ChangedError: if one was.

    """
    began = time.monotonic()
    sections = read_sections(folder, Reporter())

    def heed() -> None:
        if not once and _stamps(folder, sections) != seen:
            raise _ChangedError

    found = look(folder, sections=sections, before_each=heed, beside=unset_scenes)
    for block in lint_blocks(found, color=use_color(sys.stdout, no_color=no_color)):
        typer.echo(block)
    _tell(found, began, f"{many(len(found.errors), 'error')}, "
          f"{many(len(found.warnings), 'warning')} under {many(found.settings, 'setting')}")
    return found


def _tell(found: Lint, began: float, count: str) -> None:
    typer.echo(f"{found.game}: {count}; {time.monotonic() - began:.1f} seconds", err=True)
    sys.stdout.flush()


def _stamps(folder: str, found: Lint | Sections) -> dict[str, tuple[int, int]]:
    """Return when each file of a game was written, those of what it extends included."""
    files = {Path(name) for name in found.sources}
    if folder not in bundled():
        files |= set(Path(folder).glob("*.yaml"))
    stamps = dict[str, tuple[int, int]]()
    for each in files:
        try:
            about = each.stat()
        except OSError:
            continue
        stamps[str(each)] = (about.st_mtime_ns, about.st_size)
    return stamps
