"""`ruleproof games`: which games are bundled, and what can be chosen among them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated

from ...model.game.game import Game
from ...model.loading.load import bundled, load_game, read_sections
from ...model.source.errors import Reporter, SpecErrors
from ...model.views.modes import never_chosen
from ...reports.blocks.paper import Paper
from .. import answers
from .. import exit as status
from ..options import NoColor, Output, format_option
from ..output import write_result
from ..sheet import paper_for


def games(
    *,
    form: Annotated[str, format_option("text", "json")] = "text",
    output: Output = None,
    no_color: NoColor = False,
) -> int:
    """List the bundled games, their scopes and variants."""
    found: list[Game] = []
    never: dict[str, dict[str, str]] = {}
    broken: list[str] = []
    for name in bundled():
        try:
            sections = read_sections(name, Reporter())
            found.append(load_game(name))
            never[found[-1].id] = never_chosen(sections)
        except SpecErrors as error:
            broken.append(f"{name}: does not load, {len(error.diagnostics)} errors")
    if form == "json":
        write_result(json.dumps(
            [{**_json(game), "never_chosen": never[game.id]} for game in found], indent=1), output)
    else:
        paper = paper_for(output, no_color=no_color)
        lines = [line for game in found for line in (*_lines(game, never[game.id], paper), "")]
        write_result("\n".join([*lines, *broken]).rstrip("\n"), output)
    answers.lasts()
    return status.USAGE if broken else status.OK


def _json(game: Game) -> dict[str, object]:
    return {
        "game": game.id,
        "title": game.title,
        "about": game.about,
        "players": list(game.players_range),
        "clauses": len(game.clauses),
        "normative": _normative(game),
        "open_points": [point.id for point in game.open_points],
        "scopes": {name: scope.about for name, scope in game.scopes.items()},
        "variants": {name: variant.title for name, variant in game.variants.items()},
        "spec_sha256": game.spec_sha256,
    }


def _normative(game: Game) -> int:
    return sum(clause.kind != "flavour" for clause in game.clauses)


def _lines(game: Game, never: Mapping[str, str], paper: Paper) -> list[str]:
    low, high = game.players_range
    seats = f"{low}" if low == high else f"{low} to {high}"
    kinds = sum(len(family.cards) for family in game.families.values())
    out = [f"{paper.heading(game.id)}  {paper.clean(game.title)}"]
    out += paper.wrap(game.about, "  ") if game.about else []
    out += paper.wrap(
        f"{seats} players; {len(game.clauses)} clauses ({_normative(game)} with a rule in them); "
        f"{kinds} kinds of cards; {len(game.open_points)} declared open points",
        "  ",
    )
    for title, entries in (
        ("scopes", {name: scope.about for name, scope in game.scopes.items()}),
        ("variants", {
            name: variant.title + f" (can never be chosen: {never.get(name)})" * (name in never)
            for name, variant in game.variants.items()}),
    ):
        width = max((len(name) for name in entries), default=0) + 2
        for number, (name, about) in enumerate(entries.items()):
            lead = f"  {title if not number else '':<9}{name:<{width}}"
            out += paper.wrap(about, lead, " " * len(lead)) if about else [lead.rstrip()]
    return out
