"""`ruleproof conform GAME -- COMMAND…`: somebody else's implementation, held against the rules."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ... import __version__
from ...checker.bench.workbench import Instance
from ...checker.conform.conform import conform as hold
from ...checker.conform.implementation import PATIENCE
from ...checker.conform.results import Conformance
from ...checker.positions.positions import positions as choose
from ...model.game.game import Settings
from ...model.loading.load import load_game
from ...model.plays.documents import DocumentError
from ...model.source.errors import UsageError, quote
from ...model.stop import interrupted
from ...reports.blocks.paper import Paper
from ...reports.formats.conform import conform_junit, conform_text
from ...reports.formats.document import json_text
from .. import exit as status
from .. import options as opt
from ..files.rerun import files_in
from ..files.shapes import read_document
from ..files.witnesses import pieces
from ..groups import Chosen, Told, grouped

COMMAND = typer.Argument(
    metavar="-- COMMAND...", help="The program that speaks the protocol, and its arguments.",
    show_default=False)
POSITIONS = opt.option(
    "--positions", metavar="DIR",
    help="Positions as `ruleproof positions` has written them; without it they are made.")
MOST = typer.Option("--max", metavar="N", min=0, help="How many positions are made at most.")
DEPTH = typer.Option("--depth", "-d", metavar="N", min=0, max=12,
                     help="All plays of up to N moves are compared.")
PLAYS = typer.Option("--plays", metavar="N", min=0, help="So many random plays are compared.")
ANSWER = typer.Option("--answer-time", metavar="SECONDS", min=0.01, max=3600,
                      help="The program has so long for each answer.")


@grouped
def conform(
    *,
    game: opt.GameName,
    command: Annotated[list[str], COMMAND],
    positions: Annotated[Path | None, POSITIONS] = None,
    most: Annotated[int, MOST] = 100,
    depth: Annotated[int, DEPTH] = 2,
    plays: Annotated[int, PLAYS] = 20,
    answer_time: Annotated[float, ANSWER] = PATIENCE,
    chosen: Chosen,
    seed: opt.Seed = None,
    max_states: opt.MaxStates = None,
    max_time: opt.MaxTime = None,
    form: Annotated[str, opt.format_option("text", "json", "junit")] = "text",
    told: Told,
) -> int:
    """Hold somebody else's implementation of a game against the rules.

    COMMAND reads requests and writes answers, one JSON object a line: spec/CONFORM.md describes
    them. First come positions, then all short plays, then random ones, in lock-step. Example:
    `ruleproof conform my-game --positions tests/ -- python3 my_engine.py`
    """
    settings = chosen.settings(game)
    load = _Instances(game)
    load(game, settings)
    with told.progress(f"conformance to {game}") as tick:
        docs = _read(positions, load) if positions is not None else list(choose(
            game, settings, scopes=(chosen.scope,) if chosen.scope else (), most=most,
            max_states=max_states, seed=seed or 0,
            progress=lambda words: tick(0, None, words)).documents if most else ())
        if interrupted():
            raise status.Interrupted("nothing was compared yet: the same command begins anew")
        found = hold(
            command, game, settings, load, docs, version=__version__, depth=depth, plays=plays,
            seed=seed or 0, patience=answer_time, max_time=max_time,
            progress=lambda words: tick(0, None, words))
    told.write(_written(found, form, told.paper))
    if interrupted():
        raise status.Interrupted("told is what was compared until then")
    if found.differs:
        return status.FINDINGS
    left = found.not_checked or any(each.verdict == "not checked" for each in found.positions)
    return status.LIMIT if left or (found.perft and found.perft.stopped) else status.OK


class _Instances:
    """The games that positions are of, each made once."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._known: dict[Settings, Instance] = {}

    def __call__(self, _name: str, settings: Settings) -> Instance:
        if settings not in self._known:
            self._known[settings] = Instance(load_game(self._path, settings))
        return self._known[settings]


def _read(path: Path, load: _Instances) -> list[Mapping[str, Any]]:
    """Read positions.

    Raises:
        UsageError: if a file holds none, or one of another game.

    """
    found = list[Mapping[str, Any]]()
    wanted = load("", Settings()).game.id
    for file in files_in(path):
        try:
            each = [piece for piece in pieces(read_document(file)) if piece.kind == "position"]
        except DocumentError as error:
            raise UsageError(f"{quote(str(file))}: {error}") from None
        for piece in each:
            assert isinstance(piece.doc, Mapping)
            if piece.doc.get("game") != wanted:
                raise UsageError(f"{quote(str(file))} is a position of "
                                 f"{quote(str(piece.doc.get('game')))}, not of {quote(wanted)}")
            found.append(piece.doc)
    return found


def _written(found: Conformance, form: str, paper: Paper) -> str:
    if form == "json":
        return json_text(found)
    if form == "junit":
        return conform_junit(found)
    return conform_text(found, paper)
