"""`ruleproof replay FILE…`: plays, findings and positions, run again by the interpreter."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...model.source.errors import printable
from ...reports.formats.document import json_text
from .. import options as opt
from ..exit import FINDINGS, OK, USAGE
from ..files.rerun import Games, RerunOutcome, files_in, outcomes, trace_of
from ..groups import Told, grouped

FILES = typer.Argument(metavar="FILE…", help="Files, or folders of them.", show_default=False)
GAME = opt.option("--game", metavar="GAME", help="Where the spec is, if the game is not bundled.")
STEPS = opt.option("--steps", help="Tell each step of a play.")
FORMATS = opt.format_option("text", "json", "itf")
NUMBER = opt.option(
    "--number", metavar="N", min=1, help="With --format itf: which of several plays.")


@grouped
def replay(
    *,
    files: Annotated[list[Path], FILES],
    game: Annotated[str | None, GAME] = None,
    steps: Annotated[bool, STEPS] = False,
    form: Annotated[str, FORMATS] = "text",
    number: Annotated[int | None, NUMBER] = None,
    told: Told,
) -> int:
    """Run plays, witnesses of findings, and positions again, with the reference interpreter.

    Exit status 0 only if every step and every expectation holds; what does not is told with its
    step and its reason. 1 if something does not hold, 2 if a file cannot be read.

    `--format itf` writes a play as a trace that Apalache and Quint read, of several the one that
    `--number` says: `ruleproof replay play.json -f itf -o play.itf.json`
    """
    games = Games(game)
    if form == "itf":
        every = [path for given in files for path in files_in(given)]
        told.write(trace_of(every, games, number))
        return OK
    found: list[RerunOutcome] = []
    for path in (each for given in files for each in files_in(given)):
        for outcome in outcomes(path, games, steps=steps):
            found.append(outcome)
            if form == "text" or outcome.unreadable:
                _tell(outcome, told)
    if form == "json":
        told.write(json_text([_json(each) for each in found]))
    elif told.output is not None:
        told.write("\n".join(
            line for each in found if not each.unreadable for line in _lines(each)))
    failed = sum(bool(each.wrong) for each in found)
    if len(found) != 1:
        told.say(f"{len(found) - failed} of {len(found)} hold")
    if any(each.unreadable for each in found):
        return USAGE
    return FINDINGS if failed else OK


def _lines(outcome: RerunOutcome) -> list[str]:
    where = ": ".join(part for part in (outcome.file, outcome.what) if part)
    lines = [printable(each) for each in outcome.told]
    if not outcome.wrong:
        count = f", {outcome.steps} steps" if outcome.steps else ""
        return [*lines, printable(f"{where}: holds{count}")]
    return [*lines, *(printable(f"{where}: {each}") for each in outcome.wrong)]


def _tell(outcome: RerunOutcome, told: Told) -> None:
    if outcome.unreadable or (told.output is None and not (told.quiet and not outcome.wrong)):
        for line in _lines(outcome):
            typer.echo(line, err=outcome.unreadable)


def _json(outcome: RerunOutcome) -> dict[str, object]:
    return {
        "file": outcome.file, "what": outcome.what, "holds": not outcome.wrong,
        "steps": outcome.steps, "wrong": list(outcome.wrong),
    }  # fmt: skip
