"""`ruleproof diff GAME_A GAME_B`: two editions, rulings, variants or versions of a game."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from ... import __version__
from ...checker.editions.compare import Edition, compare
from ...checker.findings.results import Report
from ...checker.verify import verify
from ...model.game.game import Settings
from ...model.stop import interrupted
from ...reports.blocks.subject import Subject
from ...reports.formats.diff import diff_text
from ...reports.formats.document import json_text, load
from .. import exit as status
from .. import options as opt
from ..files.latest import published
from ..files.revisions import at_revision
from ..groups import Chosen, Told, grouped

GAME_A = typer.Argument(
    metavar="GAME_A", show_default=False,
    help="A bundled game, or the path of a folder that holds a game.yaml; GAME@REVISION is"
    " the game as it was at a git revision.")
GAME_B = typer.Argument(
    metavar="GAME_B", help="What it is compared with; the same game if not given.",
    show_default=False)
VARIANTS = opt.option(
    "--b-variant", metavar="NAME", help="A mode of the second game only (repeatable).")
RULINGS = opt.option(
    "--b-ruling", metavar="POINT=READING", callback=opt.ruling_pairs,
    help="Adopt this reading in the second game only (repeatable).")
TEXT_ONLY = typer.Option("--text-only", help="Compare the text, and do not play.")
FINDINGS_A = opt.option(
    "--findings-a", metavar="FILE",
    help="The findings of the first game (`verify --format json` writes them).")
FINDINGS_B = opt.option("--findings-b", metavar="FILE", help="Those of the second.")
VERIFY = opt.option(
    "--verify", metavar="SECONDS", min=1,
    help="Verify both for their findings, each for at most so long; they are compared if both "
    "verifications come to their end.")


@grouped
def diff(
    *,
    game_a: Annotated[str, GAME_A],
    game_b: Annotated[str | None, GAME_B] = None,
    chosen: Chosen,
    b_variant: Annotated[list[str] | None, VARIANTS] = None,
    b_ruling: Annotated[list[str] | None, RULINGS] = None,
    text_only: Annotated[bool, TEXT_ONLY] = False,
    findings_a: Annotated[Path | None, FINDINGS_A] = None,
    findings_b: Annotated[Path | None, FINDINGS_B] = None,
    verified: Annotated[float | None, VERIFY] = None,
    seed: opt.Seed = None,
    max_time: opt.MaxTime = None,
    form: Annotated[str, opt.format_option("text", "json")] = "text",
    told: Told,
) -> int:
    """Compare two editions, rulings, variants or versions of a game.

    It tells which clauses and other entries were added, dropped or changed; for each change the
    shortest play of the printed game after which it shows; and the findings that only one has.
    Exit status 1 if anything differs. Examples: `ruleproof diff my-game@HEAD~1 my-game`,
    `ruleproof diff my-game --b-ruling tie=shared`
    """
    second = replace(
        chosen, variant=[*(chosen.variant or []), *(b_variant or [])],
        ruling=[*_kept(chosen.ruling, b_ruling), *(b_ruling or [])])
    with (
        at_revision(game_a) as one, at_revision(game_b or game_a) as two,
        told.progress("comparing") as tick,
    ):
        editions = [
            Edition(path, settings, _report(path, settings, file, verified))
            for path, settings, file in (
                (one, chosen.settings(one), findings_a), (two, second.settings(two), findings_b))]
        found = compare(
            *editions, version=__version__, seed=seed or 0, play=not text_only,
            max_time=max_time, progress=lambda words: tick(0, None, words))
    told.write(json_text(found) if form == "json" else diff_text(
        found, told.paper, [Subject(each.instance.compiled) for each in editions]))
    if interrupted():
        raise status.Interrupted("told is what was compared until then")
    findings = found.findings
    if found.changes or found.together or (findings and (findings.mended or findings.brought)):
        return status.FINDINGS
    return status.LIMIT if verified is not None and findings is None else status.OK


def _kept(rulings: list[str] | None, others: list[str] | None) -> list[str]:
    """Leave out rulings that the second game has otherwise."""
    again = {value.partition("=")[0].strip() for value in others or []}
    return [value for value in rulings or []
            if value.partition("=")[0].strip() not in again]


def _report(path: str, settings: Settings, file: Path | None, seconds: float | None
            ) -> Report | None:
    """Return the findings of a game: from a file, by verifying it, or those that are published."""
    if file is not None:
        return load(file)
    if seconds is not None:
        report = verify(path, settings, max_time=seconds)
        if report.interrupted or interrupted():
            raise status.Interrupted("nothing was compared yet: the same command begins anew")
        return report
    return published(path, settings)
