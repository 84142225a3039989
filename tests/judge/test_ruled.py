"""A question that the user has answered leaves the main list, and nothing hides under it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

import pytest

from ruleproof.checker.verify import verify
from ruleproof.cli import exit as status
from ruleproof.cli.commands.verify import outcome
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.reports.blocks.classes import PARTS
from ruleproof.reports.blocks.page import page_of
from ruleproof.reports.blocks.subject import Subject
from ruleproof.reports.formats.junit import junit
from ruleproof.reports.formats.markdown import markdown
from ruleproof.reports.formats.text import headline

if TYPE_CHECKING:
    from ruleproof.checker.findings.results import Report

GAME = """
game: pick
title: Pick
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..3}}
steps: {game: {}}
windows: {turn: {by: active, forced: true}}
start: game
clauses:
- {id: go, kind: order, says: one picks, on: game, do: "turn()\\nwin(active)"}
- {id: pick, kind: permit, says: one picks, on: turn, option: pick, do: n = 1}
open_points:
- id: who
  asks: who wins
  clauses: [go]
  hinted: [pick]
  readings:
  - {id: active, title: whoever picks, changes: {}}
  - {id: other, title: the other one, changes: {go: {do: "turn()\\nwin(others(active))"}}}
  - id: last
    title: whoever picks last, of three numbers
    changes: {go: {do: "turn()\\nlack()\\nwin(active)"}}
    add: [{id: lack, kind: effect, says: one is lost, on: lack, do: "n -= 2"}]
"""


@pytest.fixture(name="pick")
def _pick(tmp_path: Path) -> str:
    (tmp_path / "game.yaml").write_text(
        GAME.replace("steps: {game: {}}", "steps: {game: {}, lack: {}}"), "utf-8")
    return str(tmp_path)


def checked(game: str, *rulings: tuple[str, str]) -> Report:
    """Verify the game as somebody has ruled it."""
    return verify(game, Settings(rulings=rulings))


def test_what_is_answered_stands_behind_all_that_is_open(pick: str) -> None:
    """It is told with what other answers would come to, and fails nothing."""
    before, after = checked(pick), checked(pick, ("who", "other"))
    (one,), (finding,) = before.findings, after.findings
    subject = Subject(compile_game(load_game(pick, Settings(rulings=(("who", "other"),)))))
    page = page_of(finding, subject)

    assert (one.open_point, one.part, outcome(before, "any")) == (
        "who", "readers", status.FINDINGS)
    assert (finding.open_point, finding.part, outcome(after, "any")) == ("who", "ruled", status.OK)
    assert finding.readings[0].id == "other"
    assert headline(after) == f"nothing found, and 1 {PARTS['ruled'].noun}"
    assert page.helps == "Say so in the book."
    assert "These words favour the answer “whoever picks”: one picks" in page.told
    assert markdown(after).count(f"# {PARTS['ruled'].title}\n") == 2


def test_a_test_run_skips_it(pick: str) -> None:
    """JUnit tells it once, and as no failure."""
    suites = ET.fromstring(junit(checked(pick, ("who", "other"))))  # noqa: S314  (ours)
    cases = [case for case in suites.iter("testcase") if case.get("name", "").endswith("/who")]

    assert [case.get("classname") for case in cases] == ["pick.answered questions"]
    assert [case.find("failure") for case in cases] == [None]


def test_what_fails_in_the_game_as_it_is_answered_is_a_finding(pick: str) -> None:
    """Nothing goes under an answered question: what only that answer brings is in the game now."""
    report = checked(pick, ("who", "last"))
    parts = {each.identity.clause if each.identity else "": each.part for each in report.findings}

    assert parts["lack"] == ""
    assert [each.part for each in report.findings if each.open_point == "who"] == ["ruled"]
    assert outcome(report, "any") == status.FINDINGS
