"""What `lint` found, for people and as a document."""

from __future__ import annotations

from collections.abc import Sequence

from ...model.plays.wording import many
from ...model.source.errors import MAX_EXCERPT, Diagnostic, render
from ...model.views.lint import Lint


def lint_blocks(found: Lint, *, color: bool, room: int = MAX_EXCERPT) -> list[str]:
    """Write each error and warning with its line and a caret; of a long line so much as fits."""
    out = [
        render(each, found.sources.get(each.place.file, ()), color=color, room=room)
        for each in found.errors
    ]
    for each in found.warnings:
        warning = Diagnostic(
            each.code, f"warning: {each.message}", each.place, each.help, each.notes
        )
        out.append(render(warning, found.sources.get(each.place.file, ()), color=color, room=room))
    return out


def lint_summary(found: Lint) -> str:
    """Say in one line how much was found."""
    looked = f", compiled under {many(found.settings, 'setting')}" if found.settings else ""
    return (
        f"{found.game}: {many(len(found.errors), 'error')}, "
        f"{many(len(found.warnings), 'warning')}{looked}"
    )


def lint_json(found: Sequence[Lint]) -> list[dict[str, object]]:
    """Write what was found as a document."""
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
