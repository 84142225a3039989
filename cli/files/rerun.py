"""Running documents again: their games, what is in them, and what came of each piece."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ...checker.positions import replays
from ...model.game.game import Settings
from ...model.loading.load import bundled
from ...model.lowering.compile import Compiled
from ...model.plays.documents import DocumentError, header, is_object
from ...model.plays.moves import describe_move
from ...model.plays.plays import Replay, replay
from ...model.source.errors import SpecErrors, UsageError, quote
from ...model.views.itf import itf
from . import lines
from .games import compiled_game
from .shapes import read_document
from .witnesses import Piece, pieces


@dataclass(frozen=True, slots=True)
class RerunOutcome:
    """What came of one play or position; `wrong` is empty if it holds."""

    file: str
    what: str
    steps: int
    wrong: tuple[str, ...] = ()
    unreadable: bool = False
    told: tuple[str, ...] = ()


class Games:
    """The games that documents belong to, each loaded once for each setting."""

    def __init__(self, path: str | None) -> None:
        self._path = path
        self._known: dict[tuple[str, Settings], Compiled] = {}

    def get(self, name: str, settings: Settings) -> Compiled:
        """Load a game.

        Raises:
            UsageError: if nobody knows where it is, or the settings do not fit it.
            SpecErrors: if it does not load.

        """
        if (name, settings) not in self._known:
            self._known[name, settings] = compiled_game(self._where(name), settings)
        return self._known[name, settings]

    def _where(self, name: str) -> str:
        if self._path is not None:
            return self._path
        if name in bundled():
            return name
        if re.fullmatch(r"[\w-]+", name) and Path(name, "game.yaml").is_file():
            return f"./{name}"
        raise UsageError(f"no bundled game {quote(name)}; say with `--game` where its spec is")


def files_in(path: Path) -> Iterator[Path]:
    """List the documents in a folder; a file is itself."""
    if path.is_dir():
        found = sorted(each for each in path.rglob("*.json") if each.is_file())
        if not found:
            raise UsageError(f"no file ends in .json in {quote(str(path))}")
        yield from found
    else:
        yield path


def outcomes(path: Path, games: Games, *, steps: bool) -> Iterator[RerunOutcome]:
    """Replay all that a file holds."""
    file = str(path)
    try:
        if path.suffix == lines.SUFFIX:
            for number, line in lines.lines_in(path):
                yield RerunOutcome(file, f"line {number}", 0, lines.check_line(line, games.get))
            return
        for piece in pieces(read_document(path)):
            yield _replay(file, piece, games, steps=steps)
    except (UsageError, DocumentError) as error:
        yield RerunOutcome(file, "", 0, tuple(str(error).splitlines()), unreadable=True)
    except SpecErrors as error:
        yield RerunOutcome(file, "", 0, tuple(error.render().splitlines()), unreadable=True)


def trace_of(paths: list[Path], games: Games, number: int | None) -> str:
    """Write one play as a trace in the Informal Trace Format.

    Raises:
        UsageError: if there is no such play, or it does not hold.

    """
    plays = [piece for path in paths for piece in pieces(read_document(path))
             if piece.kind == "play"]
    if number is None and len(plays) > 1:
        raise UsageError(f"there are {len(plays)} plays; say with `--number` which one")
    if (number or 1) > len(plays):
        raise UsageError(f"there is no play {number or 1}; there are {len(plays)}")
    piece = plays[(number or 1) - 1]
    name, settings = header(piece.doc, "play")
    compiled = games.get(name, settings)
    again = replay(piece.doc, compiled)
    if again.reason:
        raise UsageError(f"the play does not hold: step {again.step}: {again.reason}")
    assert is_object(piece.doc)
    return itf(compiled.machine, again, piece.doc)


def _replay(file: str, piece: Piece, games: Games, *, steps: bool) -> RerunOutcome:
    name, settings = header(piece.doc, piece.kind)
    if piece.kind == "play":
        compiled = games.get(name, settings)
        again = replay(piece.doc, compiled)
        told = _story(compiled, again) if steps else ()
        where = f"step {again.step}" if again.step else "before the first step"
        wrong = (f"{where}: {again.reason}",) if again.reason else ()
        return RerunOutcome(file, piece.name, again.step, wrong, told=told)
    return RerunOutcome(file, piece.name, 0, _least(piece, lambda wanted: games.get(name, wanted)))


def _least(piece: Piece, load: replays.Load) -> tuple[str, ...]:
    """Test a position under each of its settings; give what is wrong where the least is.

    Raises:
        DocumentError, SpecErrors: if it can be read under none of them.

    """
    tried: list[tuple[str, ...]] = []
    unreadable: DocumentError | SpecErrors | None = None
    for doc in (piece.doc, *piece.others):
        try:
            tried.append(replays.check_position(doc, load))
        except (DocumentError, SpecErrors) as error:  # as where a mode is not for so many players
            unreadable = unreadable or error
    if not tried and unreadable is not None:
        raise unreadable
    return min(tried, key=len, default=())


def _story(compiled: Compiled, again: Replay) -> tuple[str, ...]:
    return tuple(
        f"{number:>4}  {describe_move(compiled.machine, taken.before, taken.move)}"
        for number, taken in enumerate(again.taken, 1)
    )
