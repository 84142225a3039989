"""The last report of each game under each settings, kept so that `explain` can tell its findings.

It lies in the cache folder (RULEPROOF_CACHE), named by the spec and the settings; without such a
folder nothing is kept.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

from ...checker.engine.cache import place
from ...checker.judge.results import Report
from ...model.lowering.compile import Compiled
from ...model.plays.board import canonical_json
from ...model.plays.plays import settings_json
from ...model.source.errors import UsageError
from ...reports.formats.document import dump, load
from ..output import write_file


def keep(report: Report, compiled: Compiled) -> None:
    """Keep a report as the last one of its game and settings."""
    path = _path(compiled)
    if path is not None:
        with suppress(OSError):
            write_file(path, dump(report))


def latest(compiled: Compiled) -> Report | None:
    """Return the last report of a game under its settings; None if none is known."""
    path = _path(compiled)
    if path is None or not path.is_file():
        return None
    with suppress(UsageError):
        return load(path)
    return None


def _path(compiled: Compiled) -> Path | None:
    folder = place()
    if folder is None:
        return None
    about = f"{compiled.game.spec_sha256} {canonical_json(settings_json(compiled))}"
    return folder / f"{hashlib.sha256(about.encode()).hexdigest()}.report"
