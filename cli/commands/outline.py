"""`ruleproof outline BOOK.txt`: the sentences of a rulebook by line, as a spec cites them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Annotated

import typer

from ...model.source.errors import UsageError, quote
from ...model.source.outline import lines_of, outline_of, sentences
from ...reports.formats.document import json_text
from .. import answers
from .. import exit as status
from .. import options as opt
from ..files.books import read_book
from ..output import write_result
from ..sheet import paper_for

BOOK = typer.Argument(metavar="BOOK.txt", help="The rulebook's text.", show_default=False)
LINES = opt.option("--lines", metavar="FROM-TO", help="Only these lines.")


def outline(
    *,
    book: Annotated[Path, BOOK],
    lines: Annotated[str | None, LINES] = None,
    form: Annotated[str, opt.format_option("text", "yaml", "json")] = "text",
    output: opt.Output = None,
    no_color: opt.NoColor = False,
) -> int:
    """List the sentences of a rulebook by line, as a spec cites them.

    `12.2` is the second sentence on line 12: a clause says `lines: [12, 12]` and `sentences: [2]`.
    `--format yaml` writes the section `rulebook` of a spec, which holds facts about the text and
    none of its words: `ruleproof outline book.txt -f yaml >> my-game/game.yaml`
    """
    data = read_book(book)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UsageError(f"{quote(str(book))} is not text in UTF-8 (byte {error.start})") from None
    every = lines_of(text)
    first, last = _stretch(lines, len(every))
    facts = {"file": book.name, "lines": len(every), "sha256": hashlib.sha256(data).hexdigest(),
             "outline": {str(number): many for number, many in outline_of(text).items()}}
    if form == "yaml":
        write_result(_yaml(facts), output)
    elif form == "json":
        found = [{"line": number, "sentence": place, "text": each}
                 for number in range(first, last + 1)
                 for place, each in enumerate(sentences(every[number - 1]), 1)]
        write_result(json_text({"rulebook": facts, "sentences": found}), output)
    else:
        paper = paper_for(output, no_color=no_color)
        write_result("\n".join(
            line for number in range(first, last + 1)
            for place, each in enumerate(sentences(every[number - 1]), 1)
            for line in paper.wrap(each, f"{number:>5}.{place}  ")), output)
    answers.lasts()
    return status.OK


def _stretch(lines: str | None, many: int) -> tuple[int, int]:
    """Read `--lines`.

    Raises:
        UsageError: if these are no lines of the book.

    """
    if lines is None:
        return 1, many
    first, dash, last = lines.partition("-")
    if not (first.isdecimal() and (last.isdecimal() or not dash)):
        raise UsageError(f"{quote(lines)} are no lines; it is `12` or `12-30`")
    found = int(first), int(last or first)
    if not 1 <= found[0] <= found[1] <= many:
        raise UsageError(f"the book has lines 1 to {many}, not {quote(lines)}")
    return found


def _yaml(facts: dict[str, object]) -> str:
    """Write the section `rulebook`."""
    counts = facts["outline"]
    assert isinstance(counts, dict)
    rows = ", ".join(f'"{number}": {many}' for number, many in counts.items())
    return (f"rulebook:\n  file: {json.dumps(facts['file'])}\n  lines: {facts['lines']}\n"
            f"  sha256: {facts['sha256']}\n  outline: {{{rows}}}\n")
