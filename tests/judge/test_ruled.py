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


NUTS = """
game: nuts
title: Nuts
players: {count: 2}
families: {nut: {}}
cards: {nut: {hazel: {name: Hazelnut, copies: 1}}}
zones:
  sack: {holds: nut, kind: deck, starts: all, seen_by: none}
  tree: {holds: nut, kind: deck, seen_by: none}
  hand: {holds: nut, kind: bag, per: player, seen_by: owner}
state: {active: {type: player, start: 1}}
steps: {game: {}}
windows: {digging: {by: active, done: sleep}}
start: game
clauses:
- {id: go, kind: order, says: each digs, on: game, do: "for p in clockwise(active):\\n  active = p
    \\n  digging()\\nwin(argmax(size(hand[p]) for p in players))"}
- {id: dig, kind: permit, says: "two nuts, or what there is", MARK on: digging, option: dig,
   do: "draw(2, sack, hand[actor])MORE"}
"""
STATED = "stated: {too-few: or what there is},"
TREE = "\\ndraw(1, tree, hand[actor])"


@pytest.mark.parametrize(("words", "ruling", "left", "why"), [
    (("", ""), "", ["nothing-to-draw"], ""),
    ((STATED, ""), "", [], "tells what happens then, by its words (or what there is)"),
    (("", ""), "as-many", [], "answered for this run: as many are drawn as there are"),
    (("", ""), "nothing", [], ""),
    ((STATED, TREE), "", ["2"], "by its words"),
    (("", TREE), "as-many", ["2"], "for this run")])
def test_what_words_or_a_ruling_decide_is_not_found_to_be_undecided(
    tmp_path: Path, words: tuple[str, str], ruling: str, left: list[str], why: str
) -> None:
    """A draw that finds too few is a finding where neither says what then; else it is listed.

    Another draw of the same sentence is not what they are about.
    """
    (tmp_path / "game.yaml").write_text(
        NUTS.replace("MARK", words[0]).replace("MORE", words[1]), "utf-8")
    report = checked(str(tmp_path), *[("too-few/dig", ruling)] * bool(ruling))
    found = [each for each in report.everything if each.cls == "undefined-operation"]

    assert [one.id.rpartition("/")[2] for one in found] == left
    assert [why in each.why for each in report.not_checked if "deck" in each.what] == [
        True] * bool(why)
