"""`ruleproof watch FOLDER`: lint and the cheap checks, again at each save."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated

import typer

from ...checker.glance import glance
from ...model.loading.load import bundled, read_sections
from ...model.plays.moves import many
from ...model.source.errors import Reporter, SpecErrors
from ...model.views.lint import Lint
from ...model.views.lint import lint as look
from ...reports.formats.lints import lint_blocks
from .. import exit as status
from .. import options as opt
from ..output import is_terminal, use_color
from ..sheet import paper_for

PAUSE = 0.2
"""Seconds between two looks at the files."""
FOLDER = typer.Argument(
    metavar="FOLDER", help="The folder of a game, or a bundled name.", show_default=False)
ONCE = typer.Option("--once", help="Look once, and end with the status that `lint` would have.")
ALL = typer.Option("--all", help="Look at every variant, reading and scope, and for warnings.")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(watch)


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
    seen: object = None
    while True:
        found, wrong = _look(folder, every=every, no_color=no_color)
        if once:
            return status.USAGE if found.errors else status.FINDINGS if wrong else status.OK
        seen = _stamps(folder, found)
        while _stamps(folder, found) == seen:
            time.sleep(PAUSE)


def _look(folder: str, *, every: bool, no_color: bool) -> tuple[Lint, bool]:
    """Look once, and tell what there is."""
    began = time.monotonic()
    color = use_color(sys.stdout, no_color=no_color)
    sections = read_sections(folder, Reporter())
    found = look(folder, whole=every, sections=sections)
    paper = paper_for(no_color=no_color)
    lines = lint_blocks(found, color=color)
    wrong = False
    if not found.errors:
        try:
            first = glance(sections)
        except SpecErrors as error:
            lines.append(error.render(color=color))
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
    count = many(len(found.errors), "error")
    count += f", {many(len(found.warnings), 'warning')}" if every else ""
    typer.echo(f"{found.game}: {count}; {time.monotonic() - began:.1f} seconds", err=True)
    sys.stdout.flush()
    return found, wrong


def _stamps(folder: str, found: Lint) -> dict[str, tuple[int, int]]:
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
