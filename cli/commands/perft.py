"""`ruleproof perft GAME --depth N`: how many plays there are, to compare two implementations."""

from __future__ import annotations

from typing import Annotated

import typer

from ...checker.engine.program import Program
from ...checker.search.perft import PerftRow
from ...checker.search.perft import perft as count
from ...reports.formats.document import json_text
from .. import answers
from .. import exit as status
from .. import options as opt
from ..files.games import compiled_game
from ..groups import Chosen, grouped
from ..output import write_result

DEPTH = typer.Option("--depth", "-d", metavar="N", min=0, help="The longest plays to count.")


@grouped
def perft(
    *,
    game: opt.GameName,
    depth: Annotated[int, DEPTH] = 5,
    chosen: Chosen,
    form: Annotated[str, opt.format_option("text", "json")] = "text",
    output: opt.Output = None,
    quiet: opt.Quiet = False,
) -> int:
    """Count the distinct plays of each length.

    Chance outcomes count as moves, as decisions do.
    """
    del quiet  # it tells nothing but its result; programs give all commands the same options
    settings = chosen.settings(game)
    program = Program(compiled_game(game, settings).machine)
    found = count(program, depth)
    write_result(json_text(found) if form == "json" else _table(found),
                 output)
    answers.lasts()
    return status.OK


def _table(found: tuple[PerftRow, ...]) -> str:
    rows = [("length", "plays", "over", "states")]
    rows += [(f"{p.length}", f"{p.plays:,}", f"{p.final:,}", f"{p.states:,}") for p in found]
    widths = [max(len(row[i]) for row in rows) for i in range(4)]
    return "\n".join(
        "  ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True))
        for row in rows
    )
