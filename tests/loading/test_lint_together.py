"""Games that differ in clauses only are compiled as one by `lint`, which hides no error of any."""

import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from ruleproof.model.game.game import Game, Settings
from ruleproof.model.loading.load import read_sections, with_settings
from ruleproof.model.loading.sections import Sections
from ruleproof.model.lowering.compile import joinable, unused_in
from ruleproof.model.lowering.united import United
from ruleproof.model.source import fields
from ruleproof.model.source.errors import Reporter, SpecErrors, UsageError
from ruleproof.model.views import lint
from ruleproof.tests.support.drawn import EXAMPLES, one_in
from ruleproof.tests.support.little import DUEL, TAX, write
from ruleproof.tests.support.places import ROOT

SPECS = ROOT / "tests" / "specs"
SHELF, FAIR = ((SPECS / f"{name}.yaml").read_text("utf-8") for name in ("shelf", "fair"))
TOLD = ("id", "says", "kind", "lines", "sentences", "why", "uses", "stated")
TEXTS = ("do", "when", "value", "always", "ensure", "whenever", "claim", "otherwise")
OTHERS = 3
"""So many other games are united with the one that is looked at."""

Change = dict[str, object]


def changes_of(sections: Sections, random: Random) -> Iterator[Change]:
    """Yield changes of the clauses of a game, of which many are mistakes, in any order."""
    found: list[Change] = []
    nodes = fields.by_id(fields.items(sections.root, "clauses"))
    for name, node in nodes.items():
        changed: list[Change] = []
        for field, value in fields.entries(node).items():
            if field not in TOLD:
                changed.append({field: None})
            if field in TEXTS and isinstance(value.value, str):
                words = sorted({*re.findall(r"\w+", value.value)})
                changed += [
                    {field: re.sub(rf"\b{word}\b", other, value.value)}
                    for word in random.sample(words, min(3, len(words)))
                    for other in ("nonsense", "1", "True", random.choice(words))]
        for other in random.sample(sorted(nodes), min(3, len(nodes))):
            changed += [{"after": [other]}, {"before": [other]}, {"overrides": [other]},
                        {"on": fields.text(nodes[other], "on") or None}]
        found.append({"drop": [name]})
        found += [{"changes": {name: each}} for each in changed]
    random.shuffle(found)
    yield from found


def changed_games(sections: Sections, random: Random) -> Iterator[Game]:
    """Yield games that are wrong in nothing that is found before they are compiled."""
    for change in changes_of(sections, random):
        try:
            yield with_settings(sections, Settings(), Reporter(), changes=(change,))
        except (SpecErrors, UsageError):
            continue


def unused(game: Game) -> set[str] | None:
    """Return what nothing runs in a game; None if it does not compile."""
    try:
        return {*unused_in(game)}
    except SpecErrors:
        return None


@pytest.mark.parametrize("text", one_in(4, [SHELF, FAIR, DUEL, TAX]),
                         ids=["shelf", "fair", "duel", "tax"])
def test_what_is_wrong_in_one_game_is_wrong_in_all_together(tmp_path: Path, text: str) -> None:
    """A game does not compile alone: then it is not joined, or the united game does not compile.

    And what nothing runs in any of the games is what nothing runs in the united one.
    """
    sections = read_sections(str(write(tmp_path, text)), Reporter())
    base = with_settings(sections, Settings(), Reporter())
    kept: list[Game] = []
    seen = set[tuple[bool, bool]]()
    for game in islice(changed_games(sections, Random(1)), 2 * EXAMPLES):  # noqa: S311
        united, alone = United(base), unused(game)
        others = [each for each in kept if united.add(each)]
        joined = joinable(game) and united.add(game)
        together = unused(united.game())
        seen.add((alone is not None, joined))
        if alone is not None:
            kept = [*kept, game][-OTHERS:]
        if alone is None or not joined:
            assert (together is None) == joined
        elif together is not None:
            assert together == alone.intersection(
                *(unused(each) or () for each in (base, *others)))

    assert {(True, True), (False, True)} <= seen


READINGS = """
open_points:
- id: blow
  clauses: [d.draw]
  asks: what is drawn
  readings:
  - {id: one, title: one, changes: {}}
  - {id: two, title: two, changes: {d.draw: {do: "draw(2, stock, hand[active])"}}}
  - {id: three, title: three, changes: {d.draw: {do: "draw(THREE, stock, hand[active])"}}}
"""


@pytest.mark.parametrize(("three", "errors", "games"), [("3", 0, 2), ("nonsense", 1, 4)])
def test_games_are_compiled_alone_only_if_one_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, three: str, errors: int, games: int
) -> None:
    """Errors and settings are those of all games; fewer are compiled where none is wrong."""
    compiled: list[Game] = []

    def counted(game: Game) -> tuple[str, ...]:
        compiled.append(game)
        return unused_in(game)

    monkeypatch.setattr(lint, "unused_in", counted)
    found = lint.lint(str(write(tmp_path, DUEL + READINGS.replace("THREE", three))))

    assert (len(found.errors), found.settings, len(compiled)) == (errors, 4 - errors, games)
