"""Reports that are there already: those that were kept, and the published ones of bundled games.

Kept is the last one of each game under each settings, and to what it answers.

`explain` tells the findings of the last one.  A report depends on the spec, the settings, what was
asked and the program, and on nothing else, so `verify` need not find out again what it was asked
before.  They lie in the cache folder (RULEPROOF_CACHE); without such a folder nothing is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from importlib.resources import files
from pathlib import Path

from ...checker.engine.cache import place, program
from ...checker.engine.runtime import available
from ...checker.findings.results import Report
from ...model.game.game import Settings
from ...model.loading.load import bundled
from ...model.lowering.compile import Compiled
from ...model.plays.board import canonical_json
from ...model.plays.documents import settings_json
from ...model.source import inputs
from ...model.source.errors import UsageError
from ...reports.formats.document import dump, load
from ..output import write_file


def keep(report: Report, compiled: Compiled, asked: Mapping[str, object] | None) -> None:
    """Keep a report as the last one of its game and settings.

    `asked` is all else that the report depends on; None if it is not whole.
    """
    path = _path(compiled)
    if path is not None:
        with suppress(OSError):
            made = dump(report)
            write_file(path, made)
            inputs.note_file(path, made.encode())
            write_file(path.with_suffix(".asked"), _digest(asked, path) if asked else "")


def latest(compiled: Compiled) -> Report | None:
    """Return the last report of a game under its settings; None if none is known."""
    path = _path(compiled)
    if path is None:
        return None
    if not path.is_file():
        inputs.note_file(path, None)
        return None
    with suppress(UsageError):
        return load(path)
    return None


def answered(compiled: Compiled, asked: Mapping[str, object]) -> Report | None:
    """Return the last report of a game under its settings, if it answers just what is asked."""
    path = _path(compiled)
    with suppress(OSError):
        if path is not None and path.with_suffix(".asked").read_text() == _digest(asked, path):
            return latest(compiled)
    return None


def published_folder() -> Path:
    """Return the folder of the published reports."""
    return Path(str(files("ruleproof.reports"))) / "published"


def published(name: str, settings: Settings) -> Report | None:
    """Return the published report of a bundled game, if it was made with these settings.

    It is made of the game as it is played if nothing is chosen.
    """
    path = published_folder() / f"{name}.json"
    return load(path) if name in bundled() and settings == Settings() and path.is_file() else None


def _digest(asked: Mapping[str, object], path: Path) -> str:
    """Name what was asked, of which program, and the report that was the answer."""
    report = hashlib.sha256(path.read_bytes()).hexdigest()
    return hashlib.sha256(f"{program()} {available()} {canonical_json(asked)} {report}"
                          .encode()).hexdigest()


def _path(compiled: Compiled) -> Path | None:
    folder = place()
    if folder is None:
        return None
    about = f"{compiled.game.spec_sha256} {canonical_json(settings_json(compiled))}"
    return folder / f"{hashlib.sha256(about.encode()).hexdigest()}.report"
