"""`ruleproof replay FILE…`: plays, findings and positions, run again by the interpreter."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from ..checker import replays
from ..model.compile import Compiled, compile_game
from ..model.documents import DocumentError, header
from ..model.errors import SpecErrors, UsageError, printable, quote
from ..model.game import Settings
from ..model.load import bundled, load_game
from ..model.moves import describe_move
from ..model.plays import FORMAT, Replay, replay
from . import options as opt
from .exit import FINDINGS, OK, USAGE
from .output import say, write_result
from .saves import read
from .witnesses import FINDINGS_FORMAT, Piece, pieces

FILES = typer.Argument(metavar="FILE…", help="Files, or folders of them.", show_default=False)
GAME = typer.Option(
    "--game", metavar="GAME", help="Where the spec is, if the game is not bundled.",
    show_default=False,
)  # fmt: skip
STEPS = typer.Option("--steps", help="Tell each step of a play.", show_default=False)
FORMATS = opt.format_option("text", "json")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one play or position; `wrong` is empty if it holds."""

    file: str
    what: str
    steps: int
    wrong: tuple[str, ...] = ()
    unreadable: bool = False
    told: tuple[str, ...] = ()


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("replay")(command)


def command(
    *,
    files: Annotated[list[Path], FILES],
    game: Annotated[str | None, GAME] = None,
    steps: Annotated[bool, STEPS] = False,
    form: Annotated[str, FORMATS] = "text",
    output: opt.Output = None,
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Run plays, witnesses of findings, and positions again, with the reference interpreter.

    Exit status 0 only if every step and every expectation holds; what does not is told with its
    step and its reason. 1 if something does not hold, 2 if a file cannot be read.
    """
    del no_color
    games = Games(game)
    found: list[Outcome] = []
    for path in (each for given in files for each in _expand(given)):
        for outcome in _try(path, games, steps=steps):
            found.append(outcome)
            if form == "text" or outcome.unreadable:
                _tell(outcome, output, quiet=quiet)
    if form == "json":
        write_result(
            json.dumps([_json(each) for each in found], indent=1, ensure_ascii=False), output
        )
    elif output is not None:
        write_result(
            "\n".join(line for each in found if not each.unreadable for line in _lines(each)),
            output,
        )
    failed = sum(bool(each.wrong) for each in found)
    say(f"{len(found) - failed} of {len(found)} hold", quiet=quiet or len(found) == 1)
    if any(each.unreadable for each in found):
        return USAGE
    return FINDINGS if failed else OK


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
            self._known[name, settings] = compile_game(load_game(self._where(name), settings))
        return self._known[name, settings]

    def _where(self, name: str) -> str:
        if self._path is not None:
            return self._path
        if name in bundled():
            return name
        if re.fullmatch(r"[\w-]+", name) and Path(name, "game.yaml").is_file():
            return f"./{name}"
        raise UsageError(f"no bundled game {quote(name)}; say with `--game` where its spec is")


def _expand(path: Path) -> Iterator[Path]:
    """List the documents in a folder; a file is itself."""
    if path.is_dir():
        found = sorted(each for each in path.rglob("*.json") if each.is_file())
        if not found:
            raise UsageError(f"no file ends in .json in {quote(str(path))}")
        yield from found
    else:
        yield path


def _try(path: Path, games: Games, *, steps: bool) -> Iterator[Outcome]:
    """Replay all that a file holds."""
    file = str(path)
    try:
        for piece in pieces(read(path)):
            yield _replay(file, piece, games, steps=steps)
    except (UsageError, DocumentError) as error:
        yield Outcome(file, "", 0, tuple(str(error).splitlines()), unreadable=True)
    except SpecErrors as error:
        yield Outcome(file, "", 0, tuple(error.render().splitlines()), unreadable=True)


def _replay(file: str, piece: Piece, games: Games, *, steps: bool) -> Outcome:
    name, settings = header(piece.doc, piece.kind)
    if piece.kind == "play":
        compiled = games.get(name, settings)
        again = replay(piece.doc, compiled)
        told = _story(compiled, again) if steps else ()
        where = f"step {again.step}" if again.step else "before the first step"
        wrong = (f"{where}: {again.reason}",) if again.reason else ()
        return Outcome(file, piece.name, again.step, wrong, told=told)
    tried = [
        replays.check_position(doc, lambda wanted: games.get(name, wanted))
        for doc in (piece.doc, *piece.others)
    ]
    return Outcome(file, piece.name, 0, min(tried, key=len))


def _story(compiled: Compiled, again: Replay) -> tuple[str, ...]:
    return tuple(
        f"{number:>4}  {describe_move(compiled.machine, taken.before, taken.move)}"
        for number, taken in enumerate(again.taken, 1)
    )


def _lines(outcome: Outcome) -> list[str]:
    where = ": ".join(part for part in (outcome.file, outcome.what) if part)
    lines = [printable(each) for each in outcome.told]
    if not outcome.wrong:
        count = f", {outcome.steps} steps" if outcome.steps else ""
        return [*lines, printable(f"{where}: holds{count}")]
    return [*lines, *(printable(f"{where}: {each}") for each in outcome.wrong)]


def _tell(outcome: Outcome, output: Path | None, *, quiet: bool) -> None:
    if outcome.unreadable or (output is None and not (quiet and not outcome.wrong)):
        for line in _lines(outcome):
            typer.echo(line, err=outcome.unreadable)


def _json(outcome: Outcome) -> dict[str, object]:
    return {
        "file": outcome.file, "what": outcome.what, "holds": not outcome.wrong,
        "steps": outcome.steps, "wrong": list(outcome.wrong),
    }  # fmt: skip


__all__ = ["FINDINGS_FORMAT", "FORMAT", "register"]
