"""`ruleproof lint PATH…`: every mistake in spec files, and what looks forgotten."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from .. import __version__
from ..model.errors import Diagnostic, render
from ..model.lint import Lint
from ..model.lint import lint as look
from ..model.load import bundled
from ..reports.sarif import sarif_lint
from . import exit as status
from . import options as opt
from .output import say, use_color, write_result

PATHS = typer.Argument(
    metavar="PATH...",
    help="Folders that hold a game.yaml (or folders of such), files in them, or bundled names.",
    show_default=False,
)
STRICT = typer.Option("--strict", help="Let warnings fail too.")


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(lint)


def lint(
    *,
    paths: Annotated[list[str], PATHS],
    strict: Annotated[bool, STRICT] = False,
    form: Annotated[str, opt.format_option("text", "json", "sarif")] = "text",
    output: opt.Output = None,
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Check spec files: syntax, types, references, citations; and what nothing uses."""
    found = [look(name) for name in dict.fromkeys(n for path in paths for n in games_in(path))]
    errors = [each for one in found for each in one.errors]
    warnings = [each for one in found for each in one.warnings]
    if form == "sarif":
        base = "spec/games/" if all(path in bundled() for path in paths) else ""
        write_result(sarif_lint(__version__, errors, warnings, base=base), output)
    elif form == "json":
        write_result(json.dumps(_json(found), indent=1, ensure_ascii=False), output)
    else:
        color = output is None and use_color(sys.stdout, no_color=no_color)
        blocks = [block for one in found for block in _blocks(one, color=color)]
        if blocks:
            write_result("\n\n".join(blocks), output)
        for one in found:
            say(_summary(one), quiet=quiet)
    if errors:
        return status.USAGE
    return status.FINDINGS if warnings and strict else status.OK


def games_in(path: str) -> list[str]:
    """Find the games that a path means: itself, the one that a file belongs to, those below it."""
    if path in bundled():
        return [path]
    here = Path(path)
    if here.is_file():
        return [str(here.parent)]
    if here.is_dir() and not (here / "game.yaml").is_file():
        below = sorted(each.parent for each in here.glob("*/game.yaml"))
        return [str(each) for each in below] or [path]
    return [path]


def _blocks(found: Lint, *, color: bool) -> list[str]:
    out = [
        render(each, found.sources.get(each.place.file, ()), color=color) for each in found.errors
    ]
    for each in found.warnings:
        warning = Diagnostic(
            each.code, f"warning: {each.message}", each.place, each.help, each.notes
        )
        out.append(render(warning, found.sources.get(each.place.file, ()), color=color))
    return out


def _summary(found: Lint) -> str:
    def count(several: Sequence[object], noun: str) -> str:
        return f"{len(several)} {noun}{'' if len(several) == 1 else 's'}"

    looked = f", compiled under {found.settings} settings" if found.settings else ""
    return (
        f"{found.game}: {count(found.errors, 'error')}, {count(found.warnings, 'warning')}{looked}"
    )


def _json(found: Sequence[Lint]) -> list[dict[str, object]]:
    return [
        {
            "game": one.game,
            "settings": one.settings,
            "errors": [_diagnostic(each) for each in one.errors],
            "warnings": [_diagnostic(each) for each in one.warnings],
        }
        for one in found
    ]


def _diagnostic(each: Diagnostic) -> dict[str, object]:
    return {
        "code": each.code,
        "message": each.message,
        "file": each.place.file,
        "line": each.place.line,
        "column": each.place.column,
        "end_column": each.place.end_column,
        "help": each.help,
        "notes": list(each.notes),
    }
