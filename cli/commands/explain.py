"""`ruleproof explain GAME ID`: anything of a game in plain words, with citations."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ...checker.findings.results import Report
from ...checker.points.points import points_of
from ...checker.points.silences import silences_of
from ...model.plays.wording import many
from ...model.source.errors import UsageError, did_you_mean, quote
from ...reports.blocks.finding import evidence_lines, finding_lines
from ...reports.blocks.page import page_of
from ...reports.blocks.paper import Paper
from ...reports.blocks.subject import Subject
from ...reports.formats.document import load
from ...reports.formats.explain import explain as told
from ...reports.formats.explain import topics_of
from .. import answers
from .. import exit as status
from .. import options as opt
from ..files.books import text_of
from ..files.games import compiled_game
from ..files.latest import latest, published
from ..groups import Chosen, grouped
from ..output import write_result
from ..sheet import paper_for

ID = typer.Argument(
    metavar="ID", show_default=False,
    help="A finding by its number or id, a clause, card, open point, step, window, zone, "
    "variable, field, word of the book or of the language, node, class of findings, aspect, or "
    "code of an error.")
FINDINGS = opt.option(
    "--findings", metavar="FILE",
    help="Where findings are looked up (`verify --format json` writes it); without it "
    "those of the last `verify`, or for bundled games the published ones.")


@grouped
def explain(
    *,
    game: opt.GameName,
    name: Annotated[str, ID],
    findings: Annotated[Path | None, FINDINGS] = None,
    chosen: Chosen,
    rulebook: opt.Rulebook = None,
    output: opt.Output = None,
    no_color: opt.NoColor = False,
) -> int:
    """Explain anything of a game in plain words."""
    settings = chosen.settings(game)
    compiled = compiled_game(game, settings)
    paper = paper_for(output, no_color=no_color)
    book = "" if rulebook is None else text_of(rulebook, compiled.game)
    report = load(findings) if findings is not None else (
        latest(compiled) or published(game, settings))
    if name.isdecimal():
        subject = Subject(compiled, book) if report is None else (
            Subject(compiled, book, report.assumed, report.findings))
        lines = _numbered(game, report, int(name), subject, paper)
        write_result("\n".join(lines), output)
        answers.lasts()
        return status.OK
    topics = topics_of(
        compiled, paper, book=book,
        points=(*points_of(compiled), *silences_of(compiled.game)),
        findings=() if report is None else report.findings,
    )
    lines = told(topics, name, paper)
    if not lines:
        known = [each for topic in topics for each in topic.ids]
        hint = did_you_mean(name, known) or "`ruleproof explain --help` lists what can"
        raise UsageError(f"nothing in {quote(game)} goes by {quote(name)}; {hint}")
    write_result("\n".join(lines), output)
    answers.lasts()
    return status.OK


def _numbered(
    game: str, report: Report | None, number: int, subject: Subject, paper: Paper
) -> list[str]:
    """Tell the finding that has a number in a report: its page, and what stands behind it.

    Raises:
        UsageError: there is none.

    """
    if report is None:
        raise UsageError(f"no findings of {quote(game)} are known under these settings; "
                         "`ruleproof verify` finds them")
    if not 1 <= number <= len(report.findings):
        raise UsageError(f"{quote(game)} has {many(len(report.findings), 'finding')}, and none "
                         f"with the number {number}")
    finding = report.findings[number - 1]
    return [
        *finding_lines(page_of(finding, subject, report.explored), paper, number=number, most=None),
        "", paper.heading("What stands behind it"),
        *evidence_lines(finding, subject, paper, explored=report.explored)]
