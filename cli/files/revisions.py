"""A game as it was at a git revision: `GAME@REVISION`, unpacked for the time of a command."""

from __future__ import annotations

import io
import subprocess
import tempfile
import zipfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ...model.loading.folder import games_folder
from ...model.loading.load import bundled
from ...model.source.errors import UsageError, quote

LONGEST = 60
"""Seconds that git may take."""


@contextmanager
def at_revision(name: str) -> Generator[str, None, None]:
    """Give the path of a game: unpacked if a revision is asked for, else as it is.

    Raises:
        UsageError: if there is no such revision, or no git repository.

    """
    game, at, revision = name.rpartition("@")
    if not at or not game or name in bundled() or Path(name).exists():
        yield name
        return
    folder = (games_folder() / game if game in bundled() else Path(game)).resolve()
    if not folder.is_dir():
        raise UsageError(f"no folder {quote(game)}, of which {quote(revision)} is a revision")
    top = Path(_git(folder, "rev-parse", "--show-toplevel").decode().strip()).resolve()
    commit = _git(folder, "rev-parse", "--verify", "--quiet", "--end-of-options",
                  f"{revision}^{{commit}}", wanted=revision).decode().strip()
    inside = folder.relative_to(top)
    packed = _git(top, "archive", "--format=zip", commit, "--", inside.parent.as_posix(),
                  wanted=revision)
    with tempfile.TemporaryDirectory(prefix="ruleproof-") as there:
        with zipfile.ZipFile(io.BytesIO(packed)) as files:
            files.extractall(there)  # no name leads out of the folder, and a link is a plain file
        yield str(Path(there) / inside)


def _git(folder: Path, *words: str, wanted: str = "") -> bytes:
    try:
        return subprocess.run(  # noqa: S603  (no shell, and the words are ours but a revision)
            ["git", "-C", str(folder), *words],  # noqa: S607  (the user's git)
            capture_output=True, check=True, timeout=LONGEST).stdout
    except subprocess.CalledProcessError as error:
        said = error.stderr.decode("utf-8", "replace").strip().split("\n")[0]
        what = f"no revision {quote(wanted)}" if wanted else f"{quote(str(folder))}: {said}"
        raise UsageError(what) from None
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        raise UsageError(f"git cannot be asked: {error}") from None
