"""`ruleproof explain GAME ID`: anything of a game in plain words, with citations."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from ...checker.judge.results import Finding
from ...checker.points.points import points_of
from ...model.loading.load import bundled, load_game
from ...model.lowering.compile import compile_game
from ...model.source.errors import UsageError, did_you_mean, quote
from ...reports.formats.document import load
from ...reports.formats.explain import explain as told
from ...reports.formats.explain import topics_of
from .. import exit as status
from .. import options as opt
from ..output import write_result
from ..sheet import paper_for

ID = typer.Argument(
    metavar="ID",
    help="A clause, card, open point, finding, step, window, zone, variable, word, node, class "
    "of findings, or code of an error.",
    show_default=False,
)
FINDINGS = typer.Option(
    "--findings",
    metavar="FILE",
    help="Where findings are looked up (`verify --format json` writes it); "
    "for bundled games, the published ones.",
    show_default=False,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(explain)


def explain(
    *,
    game: opt.GameName,
    name: Annotated[str, ID],
    findings: Annotated[Path | None, FINDINGS] = None,
    players: opt.Players = None,
    scope: opt.ScopeName = None,
    variant: opt.Variants = None,
    ruling: opt.Rulings = None,
    cards: opt.CardData = None,
    output: opt.Output = None,
    no_color: opt.NoColor = False,
) -> int:
    """Explain anything of a game in plain words."""
    settings = opt.settings_of(
        players=players, scope=scope, variants=variant, rulings=ruling, cards=cards
    )
    compiled = compile_game(load_game(game, settings))
    paper = paper_for(output, no_color=no_color)
    topics = topics_of(
        compiled, paper, points=points_of(compiled), findings=_findings(game, findings)
    )
    lines = told(topics, name, paper)
    if not lines:
        known = [each for topic in topics for each in topic.ids]
        hint = did_you_mean(name, known) or "a clause, card, open point, step, zone, word or node"
        raise UsageError(f"nothing in {quote(game)} goes by {quote(name)}; {hint}")
    write_result("\n".join(lines), output)
    return status.OK


def _findings(game: str, path: Path | None) -> tuple[Finding, ...]:
    if path is not None:
        return load(path).findings
    published = Path(str(files("ruleproof.reports"))) / "published" / f"{game}.json"
    if game in bundled() and published.is_file():
        return load(published).findings
    return ()
