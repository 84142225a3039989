"""`ruleproof graph GAME`: the turn machine, to be drawn or read."""

from __future__ import annotations

from typing import Annotated, cast

import typer

from ...model.lowering.compile import Compiled
from ...model.source.errors import UsageError, quote
from ...model.views.draw import FORMATS, Format, export
from ...model.views.graph import graph_of, part_of
from ...model.views.wording import names_of, titles_of
from .. import answers
from .. import exit as status
from .. import options as opt
from ..files.games import compiled_game
from ..groups import Chosen, grouped
from ..output import say, write_result

LARGE = 300
"""Edges beyond which drawing programs give up (500 is Mermaid's limit), or nobody reads on."""

FULL = typer.Option("--full", help="Show also the nodes inside of steps that only rules pass.")
CLAUSES = typer.Option("--clauses", help="Write the clauses into the labels of drawings.")
STEP = opt.option(
    "--step", metavar="NAME",
    help="Show only this step or window, and what it leads to (repeatable).")


@grouped
def graph(
    *,
    game: opt.GameName,
    full: Annotated[bool, FULL] = False,
    clauses: Annotated[bool, CLAUSES] = False,
    step: Annotated[list[str] | None, STEP] = None,
    chosen: Chosen,
    form: Annotated[str, opt.format_option(*FORMATS)] = "mermaid",
    output: opt.Output = None,
    quiet: opt.Quiet = False,
) -> int:
    """Show the turn machine as a graph."""
    settings = chosen.settings(game)
    compiled = compiled_game(game, settings)
    made = graph_of(
        compiled.machine, full=full, names=names_of(compiled.game), titles=titles_of(compiled.game)
    )
    if step:
        _known(compiled, step)
        made = part_of(made, step)
    write_result(export(made, cast("Format", form), clauses=clauses), output)
    if form in ("mermaid", "dot") and made.number_of_edges() > LARGE:
        say(
            f"{made.number_of_edges()} edges are a lot to look at; "
            f"{'leave out --full, or ' if full else ''}name a --step",
            quiet=quiet,
        )
    answers.lasts()
    return status.OK


def _known(compiled: Compiled, steps: list[str]) -> None:
    known = (*compiled.game.steps, *compiled.game.windows)
    for name in steps:
        if name not in known:
            raise UsageError(f"no step or window {quote(name)}; {opt.one_of(name, known)}")
