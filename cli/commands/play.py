"""`ruleproof play GAME`: a checked game at the terminal, against the computer or each other."""

from __future__ import annotations

import random
import shlex
import sys
from collections import deque
from pathlib import Path
from typing import Annotated

import typer

from ...checker.seats import KINDS, Kind
from ...model.lowering.compile import Compiled
from ...model.run.interp import EndlessRules, Interpreter
from ...model.source.errors import UsageError
from ...model.stop import held
from ...reports.blocks.paper import Paper
from .. import options as opt
from ..exit import LIMIT, OK, Interrupted
from ..files.games import compiled_game
from ..files.shapes import read_document
from ..groups import Chosen, grouped
from ..output import is_terminal, say, terminal_width, use_color
from ..sheet import speaks_unicode
from ..table import saves
from ..table.conversation import Talk
from ..table.keyboard import InputLine, Keyboard, prepare, script_of
from ..table.screen import Screen
from ..table.seating import seated
from ..table.table import GameTable

SEAT = opt.option(
    "--seat", metavar="N=KIND", help=f"Who sits there: {', '.join(KINDS)} (repeatable).")
SEATS = opt.option("--seats", metavar="KIND", help="Who sits everywhere else.")
MOVES = opt.option("--moves", metavar="FILE", help="Commands to begin with, one a line.")
SAVE = opt.option(
    "--save", metavar="FILE", callback=opt.writable,
    help="Write the play there at the end, and when interrupted.")
LOAD = opt.option("--load", metavar="FILE", help="Go on with a saved play.")
MOST = typer.Option(
    "--max-moves", metavar="N", min=1, help="When only computers play, stop after N moves."
)


@grouped
def play(
    *,
    game: opt.GameName,
    seat: Annotated[list[str] | None, SEAT] = None,
    seats: Annotated[str | None, SEATS] = None,
    moves: Annotated[Path | None, MOVES] = None,
    save: Annotated[Path | None, SAVE] = None,
    load: Annotated[Path | None, LOAD] = None,
    max_moves: Annotated[int, MOST] = 5_000,
    chosen: Chosen,
    seed: opt.Seed = None,
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Play a game, with each move checked against the rules.

    Seat 1 is yours and greedy computer players have the others, unless --seat and --seats say
    otherwise. `help` lists what you can type. Without a terminal, commands are read one a line.
    """
    prepare()
    settings = chosen.settings(game)
    doc = read_document(load) if load is not None else None
    if doc is not None:
        settings = saves.settings_for(doc, load or Path(), settings)
    compiled = compiled_game(game, settings)
    kinds = seated(seat or [], seats, compiled.machine.players)
    script = _script(moves)
    listens = "human" in kinds and not (moves is not None and not is_terminal(sys.stdin))
    keyboard = Keyboard(script, listens)
    paper = Paper(
        terminal_width(sys.stdout),
        unicode=speaks_unicode(),
        color=use_color(sys.stdout, no_color=no_color),
    )
    if seed is None:
        seed = random.SystemRandom().randrange(10**6) if keyboard.interactive else 0
    if doc is not None and load is not None:
        given = kinds if seat or seats else None
        table = saves.restored(doc, load, compiled, given, fallback=kinds, seed=seed)
    else:
        table = _new(compiled, kinds, seed)
    talk = Talk(Screen(table, paper), keyboard, quiet=quiet, longest=max_moves)
    return _run(talk, game, save)


def _run(talk: Talk, game: str, path: Path | None) -> int:
    """Play, and save whatever happens."""
    try:
        finished = talk.run()
    except KeyboardInterrupt:
        with held():
            path = path or saves.free_name(talk.table.compiled.game.id)
            saves.save(talk.table, path)
        raise Interrupted(
            f"saved to {path}; go on with"
            f" `ruleproof play {shlex.quote(game)} --load {shlex.quote(str(path))}`"
        ) from None
    except BaseException:
        if path is not None:
            with held():
                saves.save(talk.table, path)
        raise
    if path is not None:
        saves.save(talk.table, path)
        say(f"saved: {path}", quiet=talk.quiet)
    return OK if finished else LIMIT


def _new(compiled: Compiled, kinds: tuple[Kind, ...], seed: int) -> GameTable:
    try:
        return GameTable(compiled, kinds, seed, Interpreter(compiled.machine).start())
    except EndlessRules as error:
        raise UsageError(f"this game cannot be set up: {error}") from None


def _script(path: Path | None) -> deque[InputLine]:
    if path is None:
        return deque()
    text = path.read_text("utf-8", errors="replace")
    return script_of(str(path), text.splitlines())
