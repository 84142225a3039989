"""`ruleproof verify GAME`: the main job, all checks, and what was found."""

from __future__ import annotations

import shlex
import shutil
import sys
from typing import Annotated, TypedDict

import typer

from ...checker.bench.answers import about
from ...checker.bench.cluster import cluster_at
from ...checker.engine.browser import for_browser
from ...checker.engine.runtime import SLOW, available
from ...checker.findings.results import CLASSES, Report
from ...checker.verify import forget
from ...checker.verify import verify as check
from ...model.game.game import PRINTED, Settings
from ...model.loading.load import bundled
from ...model.lowering.compile import Compiled
from ...model.source.errors import quote
from ...model.stop import held
from ...reports.blocks.paper import Paper
from ...reports.formats.document import dump
from ...reports.formats.junit import junit
from ...reports.formats.markdown import markdown
from ...reports.formats.sarif import sarif
from ...reports.formats.text import screen, text
from .. import answers
from .. import exit as status
from .. import options as opt
from ..files.books import text_of
from ..files.games import compiled_game
from ..files.latest import answered, keep
from ..groups import Chosen, Told, Work, grouped
from ..output import is_terminal, say_unanswered, write_result

LEVELS = {"winner": 1, "legal-moves": 2, "public-state": 3, "hidden-state": 4, "any": 5, "never": 0}
"""What `--fail-on` may name besides classes: findings at or above this level fail."""

SMALLER = "smaller"
"""Lets `--fail-on` count what only a smaller game has."""


def _fail_on(value: str) -> str:
    for name in value.split(","):
        known = (*LEVELS, SMALLER, *CLASSES)
        if name not in known:
            raise typer.BadParameter(
                f"{quote(name)} is neither a class nor a level; {opt.one_of(name, known)}")
    return value


FAIL_ON = typer.Option(
    "--fail-on",
    metavar="CLASS|LEVEL|any|never",
    callback=_fail_on,
    help="Which findings make the exit status 1: of these classes (with commas), or those that "
    "matter at least so much (winner, legal-moves, public-state, hidden-state); with `smaller` "
    "beside these, as in `any,smaller`, also what only a smaller game has. Questions that are "
    "answered by `--ruling` or `--rulings` never count. With `never` it is 0, also where a limit "
    "stopped the search.",
)


FORMATS = opt.format_option("text", "json", "sarif", "junit", "markdown", "html")
FULL = typer.Option("--full", help="The whole report, also where the first screen is shown.")
AROUND = 16
"""Lines of the first screen beside its questions."""
KNOWN = "asked before, of the same files: this was found (RULEPROOF_CACHE=off looks again)"
NO_PROOFS = "; no proof to be checked: the report says what was proved, and how\n"


class Asked(TypedDict):
    """What is asked of a game, beside its settings."""

    only: tuple[str, ...]
    skip: tuple[str, ...]
    max_states: int | None
    seed: int
    reduce: bool


@grouped
def verify(
    *,
    game: opt.GameName,
    chosen: Chosen,
    seed: opt.Seed = None,
    only: opt.Only = None,
    skip: opt.Skip = None,
    max_states: opt.MaxStates = None,
    max_time: opt.MaxTime = None,
    every_order: opt.EveryOrder = False,
    proofs: opt.Proofs = None,
    work: Work,
    fail_on: Annotated[str, FAIL_ON] = "any",
    form: Annotated[str, FORMATS] = "text",
    full: Annotated[bool, FULL] = False,
    rulebook: opt.Rulebook = None,
    told: Told,
) -> int:
    """Check all that can be checked; rank what is found."""
    settings = chosen.settings(game)
    compiled = compiled_game(game, settings)
    if not available():
        told.say(SLOW)
    book = "" if rulebook is None else text_of(rulebook, compiled.game)
    certificates: list[str] = []
    asked: Asked = {
        "only": tuple(only or ()), "skip": tuple(skip or ()), "max_states": max_states,
        "seed": seed or 0, "reduce": not every_order}
    question = about(compiled, "verify", source=game, **asked)
    alone = all(each is None for each in (proofs, work.checkpoint, max_time, work.cluster))
    report = answered(compiled, question) if alone else None
    known = report is not None
    if report is not None:
        told.say(KNOWN)
    else:
        with cluster_at(work.cluster) as workers, told.stages(
                f"verifying {compiled.game.id}") as listener:
            report = check(
                game, settings, **asked, max_time=max_time,
                certify=None if proofs is None else certificates.append,
                checkpoint=work.checkpoint, remember=True, cluster=workers, listener=listener)
        say_unanswered(workers, quiet=told.quiet)
    with held():
        base = "spec/games/" if game in bundled() else ""
        paper = told.paper
        if form == "text" and not full and told.output is None and is_terminal(sys.stdout):
            room = max(5, shutil.get_terminal_size().lines - AROUND)
            shown = screen(report, paper, most=room, source=shlex.join(_named(game, settings)))
            told.write("\n".join(shown))
        else:
            told.write(
                written(report, compiled, form, paper, base=base, book=book, source=game))
        whole = alone and not report.interrupted and not report.lost
        keep(report, compiled, question if whole else None)
        if whole:
            answers.lasts("" if told.quiet or known else KNOWN)
        if proofs is not None:
            write_result("".join(certificates) or NO_PROOFS, proofs)
    if report.interrupted:
        raise status.Interrupted(work.resume)
    if work.checkpoint is not None and not report.lost:
        forget(work.checkpoint, [one.scope for one in report.explored])
    return outcome(report, fail_on)


def _named(game: str, settings: Settings) -> list[str]:
    """Return the arguments by which a user names a game and what was chosen of it."""
    made = [game]
    made += [] if settings.players is None else ["--players", str(settings.players)]
    made += [] if settings.scope == PRINTED else ["--scope", settings.scope]
    for variant in settings.variants:
        made += ["--variant", variant]
    for point, reading in settings.rulings:
        made += ["--ruling", f"{point}={reading}"]
    return made + ([] if settings.cards is None else ["--cards", settings.cards])


def written(
    report: Report, compiled: Compiled, form: str, paper: Paper, *,
    base: str, book: str, source: str,
) -> str:
    """Write a report in one of the formats.

    `base` is where the spec lies in its repository, `book` the rulebook's own text, `source` how
    the game is loaded again.
    """
    match form:
        case "text":
            return text(report, compiled, paper=paper, book=book)
        case "json":
            return dump(report)
        case "sarif":
            return sarif(report, compiled, base=base)
        case "junit":
            return junit(report, compiled)
        case "markdown":
            return markdown(report, compiled, book=book)
        case "html":
            from ...reports.formats.html import html  # noqa: PLC0415  (slow to load, seldom needed)

            return html(report, compiled, source, book=book, game=for_browser(compiled))
        case _:
            raise AssertionError(form)


def outcome(report: Report, fail_on: str) -> int:
    """Choose the exit status."""
    names = fail_on.split(",")
    level = max((LEVELS[name] for name in names if name in LEVELS), default=0)
    asked = [each for each in report.everything if each.left_to != "ruled" and (
        SMALLER in names or not each.only_smaller)]
    if any(each.level <= level or each.cls in names for each in asked):
        return status.FINDINGS
    if "never" not in names and (
            report.lost or not all(one.complete for one in report.explored)
            or any(one.cause == "refused" for one in report.not_checked)):
        return status.LIMIT
    return status.OK
