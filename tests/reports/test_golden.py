"""What people read, as whole files: the reports of a flawed little game, and the template's graph.

`make record` writes `tests/golden` anew; the diff is read in review.  The findings file that the
reports are made of is recorded too (`plum-panic.json`), so that these tests need not verify.
"""

import json
import re
from pathlib import Path

import pytest

from ruleproof.cli.app import run
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.model.views.draw import export
from ruleproof.model.views.graph import graph_of
from ruleproof.model.views.wording import names_of, titles_of
from ruleproof.reports.blocks.paper import Paper, cells
from ruleproof.reports.formats.document import dump, load
from ruleproof.reports.formats.junit import junit
from ruleproof.reports.formats.markdown import markdown
from ruleproof.reports.formats.sarif import sarif
from ruleproof.reports.formats.text import text
from ruleproof.tests.support.formats import check_junit, check_ours, check_sarif
from ruleproof.tests.support.places import ROOT
from ruleproof.tests.support.recorded import GOLDEN, RECORDING, recorded

TEMPLATE = ROOT / "spec" / "template"
FINDINGS = GOLDEN / "plum-panic.json"


@pytest.fixture(autouse=True)
def at_root(monkeypatch: pytest.MonkeyPatch) -> None:
    """Run from the repository, so that files have the same names in the outputs everywhere."""
    monkeypatch.chdir(ROOT)


@pytest.fixture(scope="module")
def flawed() -> Compiled:
    """Compile the flawed game."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        if RECORDING:
            GOLDEN.mkdir(exist_ok=True)
            run(["verify", "tests/flawed", "--format", "json", "--quiet", "-o", str(FINDINGS)])
        return compile_game(load_game("tests/flawed"))


def test_the_findings_file_is_read_as_it_was_written(flawed: Compiled) -> None:
    """A findings file that is read and written again is the same file."""
    del flawed

    assert dump(load(FINDINGS)) == FINDINGS.read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "paper"),
    [
        ("plum-panic.txt", Paper(80)),
        ("plum-panic-narrow-ascii.txt", Paper(60, unicode=False)),
        ("plum-panic-color.txt", Paper(100, color=True)),
    ],
)
def test_the_report_for_people(flawed: Compiled, name: str, paper: Paper) -> None:
    """The text report: summary, findings, what is harmless, what holds, what was not checked."""
    shown = text(load(FINDINGS), flawed, paper=paper)

    assert shown == recorded(name, shown)
    bare = re.sub(r"\x1b\[\d+m", "", shown)
    assert all(cells(line) <= paper.width for line in bare.splitlines())


def test_the_report_without_the_game() -> None:
    """From the findings file alone a report can be written too."""
    shown = text(load(FINDINGS))

    assert shown == recorded("plum-panic-alone.txt", shown)


def test_the_report_as_a_document(flawed: Compiled) -> None:
    """The same as Markdown."""
    shown = markdown(load(FINDINGS), flawed)

    assert shown == recorded("plum-panic.md", shown)


def test_the_report_as_sarif(flawed: Compiled) -> None:
    """The same as SARIF."""
    shown = sarif(load(FINDINGS), flawed)

    assert shown == recorded("plum-panic.sarif", shown)


def test_the_report_as_junit(flawed: Compiled) -> None:
    """The same as JUnit XML."""
    shown = junit(load(FINDINGS), flawed)

    assert shown == recorded("plum-panic.xml", shown)


@pytest.mark.parametrize(
    ("name", "form", "full"),
    [("template.mmd", "mermaid", False), ("template.dot", "dot", False),
     ("template-full.json", "json", True)],
)  # fmt: skip
def test_the_graph_of_the_template(name: str, form: str, full: bool) -> None:  # noqa: FBT001
    """The turn machine of the template, drawn and as a document."""
    compiled = compile_game(load_game(str(TEMPLATE)))
    made = graph_of(
        compiled.machine, full=full, names=names_of(compiled.game), titles=titles_of(compiled.game)
    )
    shown = export(made, form)  # type: ignore[arg-type]

    assert shown == recorded(name, shown)


@pytest.mark.parametrize(
    "topic", ["turn.lay_pair", "plum", "whole-hand", "laying", "hand", "begins", "point"]
)
def test_explanations(topic: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Clauses, cards, open points, windows, zones and words in plain words."""
    game = "spec/template"
    if topic in ("whole-hand", "begins"):
        game = "tests/flawed"

    assert run(["explain", game, topic]) == 0
    shown = capsys.readouterr().out
    assert shown == recorded(f"explain-{topic.replace('.', '-')}.txt", shown)


def test_the_trace_of_the_template(capsys: pytest.CaptureFixture[str]) -> None:
    """The way of every sentence."""
    assert run(["trace", "spec/template", "--rulebook", "spec/template/rulebook.md"]) == 0
    shown = capsys.readouterr().out

    assert shown == recorded("trace-template.txt", shown)


def test_no_expected_output_is_left_over() -> None:
    """Every file among the expected outputs belongs to a test."""
    tests = Path(__file__).read_text("utf-8")
    for path in GOLDEN.iterdir():
        assert path.name in tests or path.name.startswith("explain-"), path.name


def test_the_recorded_documents_are_valid() -> None:
    """What was recorded is valid SARIF, JUnit XML, and by our own schemas."""
    doc = json.loads(FINDINGS.read_text("utf-8"))
    check_ours("findings", doc)
    plays = [each["play"] for f in doc["findings"] for each in f["evidence"].get("plays", ())]
    assert plays
    for play in plays:
        check_ours("play", play)
    results = check_sarif(json.loads((GOLDEN / "plum-panic.sarif").read_text("utf-8")))
    assert len(results) == len(doc["findings"])
    cases = check_junit((GOLDEN / "plum-panic.xml").read_text("utf-8"))
    failing = sum(case.find("failure") is not None for case in cases)
    assert 0 < failing <= len(doc["findings"])
