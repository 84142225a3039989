"""Saved plays: writing one, and going on from one."""

from __future__ import annotations

from pathlib import Path

from ...checker.seats import KINDS, Kind
from ...model.game.game import Settings
from ...model.lowering.compile import Compiled
from ...model.plays.documents import (
    Differs,
    DocumentError,
    field,
    header,
    is_list,
    is_object,
    same_game,
)
from ...model.plays.plays import replay
from ...model.source.errors import UsageError, quote
from ...reports.formats.document import json_text
from ..files.shapes import insist_on_shape
from ..output import write_file
from .table import GameTable


def save(table: GameTable, path: Path) -> None:
    """Write the play to a file, as a whole or not at all."""
    write_file(path, json_text(table.document()) + "\n")


def resumed(doc: object, path: Path, table: GameTable) -> GameTable:
    """Go on from a play of the same game with the same settings.

    Raises:
        UsageError: if it is no such play, or does not replay.

    """
    return restored(doc, path, table.compiled, table.kinds, seed=table.seed)


def settings_for(doc: object, path: Path, given: Settings) -> Settings:
    """Take the settings of a saved play; what the command line gives besides must not differ.

    Raises:
        UsageError: if it does, or if this is no play.

    """
    where = quote(str(path))
    try:
        insist_on_shape(doc, "play")
        _, saved = header(doc)
    except DocumentError as error:
        raise UsageError(f"{where} is no play: {error}") from None
    for name in ("players", "scope", "variants", "rulings", "cards"):
        wanted = getattr(given, name)
        if wanted != getattr(Settings(), name) and wanted != getattr(saved, name):
            raise UsageError(f"{where} was played with other {name}; leave the option out")
    return saved


def restored(
    doc: object,
    path: Path,
    compiled: Compiled,
    kinds: tuple[Kind, ...] | None,
    *,
    seed: int,
    fallback: tuple[Kind, ...] = (),
) -> GameTable:
    """Make a table from a play.

    Without `kinds` those sit there who sat there; `fallback` if the play does not say.
    """
    where = quote(str(path))
    try:
        same_game(doc, compiled)
        again = replay(doc, compiled)
    except DocumentError as error:
        raise UsageError(f"{where} is no play: {error}") from None
    except Differs as error:
        raise UsageError(f"{where}: {error.reason}") from None
    if again.reason or again.start is None:
        raise UsageError(f"{where} does not replay: step {again.step}: {again.reason}")
    seated = kinds if kinds is not None else _kinds(doc, compiled.machine.players)
    kept = doc.get("seed", seed) if is_object(doc) else seed
    made = GameTable(
        compiled,
        seated or fallback,
        kept if isinstance(kept, int) else seed,
        again.start,
        list(again.taken),
    )
    if is_object(doc) and isinstance(doc.get("undone"), list):
        made.undone = field(doc, "undone", list, "the play")
    return made


def _kinds(doc: object, players: int) -> tuple[Kind, ...] | None:
    """Read who sat where, if the play says so."""
    seats = doc.get("seats") if is_object(doc) else None
    if not is_list(seats) or len(seats) != players:
        return None
    return (
        tuple(kind for each in seats for kind in KINDS if kind == each)
        if all(each in KINDS for each in seats)
        else None
    )


def free_name(game: str) -> Path:
    """Find a name for a play that nobody has named, which no file has yet."""
    for number in range(1, 10_000):
        path = Path(f"{game}.play.json" if number == 1 else f"{game}.play-{number}.json")
        if not path.exists():
            return path
    return Path(f"{game}.play.json")
