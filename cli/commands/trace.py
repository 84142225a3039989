"""`ruleproof trace GAME`: each sentence of the rulebook, and what became of it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from ...model.views.trace import compare
from ...model.views.trace import trace as follow
from ...reports.formats.document import json_text
from ...reports.formats.traces import trace_json, trace_lines
from .. import answers
from .. import exit as status
from .. import options as opt
from ..files.books import read_book
from ..files.games import compiled_game
from ..groups import Chosen
from ..output import write_result
from ..sheet import paper_for

RULEBOOK = opt.option(
    "--rulebook", metavar="FILE",
    help="The rulebook's text: compare it with what the spec says of it.")


def trace(
    *,
    game: opt.GameName,
    rulebook: Annotated[Path | None, RULEBOOK] = None,
    variant: opt.Variants = None,
    ruling: opt.Rulings = None,
    rulings: opt.RulingsFrom = None,
    form: Annotated[str, opt.format_option("text", "json")] = "text",
    output: opt.Output = None,
    no_color: opt.NoColor = False,
) -> int:
    """Follow every sentence of the rulebook into the machine.

    The exit status is 1 if a sentence is not covered, or the rulebook is not the one of the spec.
    """
    compiled = compiled_game(game, Chosen(
        variant=variant, ruling=ruling, rulings=rulings).settings(game))
    found = follow(compiled)
    book = read_book(rulebook) if rulebook is not None else None
    differences = compare(compiled.game, book) if book is not None else ()
    if form == "json":
        write_result(json_text(trace_json(found, differences)), output)
    else:
        lines = trace_lines(found, differences, book, paper_for(output, no_color=no_color))
        write_result("\n".join(lines), output)
    answers.lasts()
    return status.FINDINGS if found.uncovered or found.problems or differences else status.OK
