"""Questions that the spec asks and that another sentence answers are told with that sentence."""

from dataclasses import replace
from pathlib import Path

import pytest

from ruleproof.checker.findings.results import Coverage, Report
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.reports.appendix.holds import answered
from ruleproof.reports.blocks.subject import Subject
from ruleproof.reports.formats.html import html
from ruleproof.reports.formats.markdown import markdown
from ruleproof.reports.formats.text import text

FLAWED = Path(__file__).parents[1] / "flawed"


def plum_panic() -> Compiled:
    """Return the game whose questions are open."""
    return compile_game(load_game(str(FLAWED)))


@pytest.fixture(name="settled")
def settled_points() -> Compiled:
    """Return it with its first question answered by a clause."""
    made = plum_panic()
    first, *rest = made.game.open_points
    clause = next(each for each in made.game.clauses if each.lines)
    point = replace(first, settled=(clause.id,))
    return replace(made, game=replace(made.game, open_points=(point, *rest)))


def test_they_stand_with_what_answers_them(settled: Compiled) -> None:
    """The question, the answer, the sentence in our words, and its lines; no open one."""
    point = settled.game.open_points[0]
    clause = next(each for each in settled.game.clauses if each.id == point.settled[0])
    (line,) = answered(Subject(settled)).lines

    assert line.startswith(f"{point.asks}? “{point.readings[0].title}”: {clause.says} (line")
    assert answered(Subject(plum_panic())).lines == ()


def test_they_are_linked_to_from_the_head(settled: Compiled) -> None:
    """In pages; and all formats have them."""
    report = Report("g", "G", "0" * 64, "1", {"players": 2}, (), (), (), (), (),
                    Coverage(0, 0, 0, 0, 0, 0, 0, 0))
    asks = settled.game.open_points[0].asks
    told = {"md": markdown(report, settled), "html": html(report, settled, "g"),
            "txt": text(report, settled)}

    assert "[Questions that the book answers](#answered): 1" in told["md"]
    assert '<a href="#answered">' in told["html"]
    for form, shown in told.items():
        assert asks[1:20] in shown, form
    assert "#answered" not in markdown(report, plum_panic())
