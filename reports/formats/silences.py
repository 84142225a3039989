"""What clauses decide and who says so, for people and as a document."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from ...model.game.game import Game
from ...model.views.silences import cited, decisions
from ..blocks.paper import Paper

SIGNS = {"stated": "stated", "settled": "settled", "assumed": "assumed", "asked": "asked",
         "internal": "internal", "silent": "SILENT"}


def silence_lines(game: Game, book: Sequence[str], paper: Paper) -> list[str]:
    """Write what each clause decides, with the sentence of the book beside it if there is one."""
    clauses = {clause.id: clause for clause in game.clauses}
    found = decisions(game, book)
    out = [paper.heading(game.title)]
    for name, group in groupby(found, key=lambda each: each.clause):
        out += ["", *paper.wrap(f"{name}: {clauses[name].says}")]
        if sentence := cited(clauses[name], book):
            out += paper.wrap(sentence, "  > ", "  > ")
        for each in group:
            why = f", by {each.why}" if each.why else ""
            words = f" (“{each.words}”)" if each.words else ""
            out += paper.wrap(f"{SIGNS[each.status]} {each.aspect}{why}{words}: {each.written}",
                              "  - ")
            if each.others:
                out += paper.wrap(f"or: {'; '.join(each.others)} [{each.point}]", "    ", "    ")
    return [*out, "", *paper.wrap(silence_summary(game))]


def silence_summary(game: Game) -> str:
    """Say in one line how much is stated, settled, assumed, asked, internal and silent."""
    found = decisions(game)
    counts = Counter(each.status for each in found)
    points = {each.point for each in found if each.point and each.status == "silent"}
    assumed = sum(len(card.assumed) for family in game.families.values() for card in family.cards)
    parts = ", ".join(f"{counts[status]} {status}" for status in SIGNS)  # type: ignore[index]
    return (f"{game.id}: {len(found)} things that clauses decide: {parts}, which are {len(points)} "
            f"questions; {assumed} values of cards are assumed")


def silences_json(game: Game, book: Sequence[str]) -> dict[str, Any]:
    """Write the document `ruleproof/silences-1`."""
    return {"format": "ruleproof/silences-1", "game": game.id, "decisions": [
        {"clause": each.clause, "aspect": each.aspect, "status": each.status,
         "written": each.written, "others": list(each.others), "why": each.why,
         "open_point": each.point, "words": each.words}
        for each in decisions(game, book)]}
