"""What hangs on a finding is told as what it is."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from ruleproof.checker.findings.results import WINNER, Evidence, Finding, Report, Shown, Source
from ruleproof.checker.findings.rows import Outcome
from ruleproof.checker.findings.shares import Frequency, Wins
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.plays.board import JSON
from ruleproof.reports.blocks.assumed import explained
from ruleproof.reports.blocks.classes import ENDS, HEADS, effect
from ruleproof.reports.blocks.measures import OR_ENDS, changes, counts, how_often
from ruleproof.reports.blocks.page import page_of
from ruleproof.reports.blocks.paper import Paper
from ruleproof.reports.blocks.subject import Subject
from ruleproof.reports.formats.document import load
from ruleproof.reports.formats.markdown import markdown
from ruleproof.reports.formats.text import screen
from ruleproof.tests.support.places import TESTS
from ruleproof.tests.support.recorded import GOLDEN

OVER, ON = {"over": True, "winners": []}, {"over": False, "winners": []}
WON = {"over": True, "winners": ["Eater 1"]}
LUCK = Wins("nobody", 40, 50, (0.0, 1.0), (0.0, 1.0), (-0.01, 0.01))
APART, ALIKE = (Frequency(2000, 90, (0.04, 0.05), decides, (low, 0.01), "b", (LUCK,), adopted="a")
                for decides, low in ((9, 0.002), (0, 0.0)))


@pytest.fixture(scope="module")
def report() -> Report:
    """Read the report of a small game."""
    return load(GOLDEN / "plum-panic.json")


def compared(report: Report, *results: dict[str, object], often: Frequency | None) -> Finding:
    """Return a finding that answers to a question lead to these ends of plays."""
    return replace(
        report.findings[0], cls="ambiguity", observable=WINNER, frequency=often, compared=(),
        readings=tuple(Outcome(name, name) for name in "abc"[:max(2, len(results))]),
        evidence=replace(report.findings[0].evidence, plays=tuple(
            Shown(name, {"steps": [], "result": each})
            for name, each in zip("abc", results, strict=False))))


@pytest.mark.parametrize(("results", "often", "told"), [
    ((OVER, ON), ALIKE, ENDS),
    ((OVER, ON), None, ENDS),
    ((OVER, ON), APART, HEADS[1]),
    ((WON, ON), ALIKE, HEADS[1]),
    ((OVER, ON, WON), ALIKE, HEADS[1]),
    ((OVER, OVER), ALIKE, HEADS[1]),
    ((OVER,), None, HEADS[1]),
])
def test_that_a_game_ends_is_not_that_somebody_wins(
    report: Report, results: tuple[dict[str, object], ...], often: Frequency | None, told: str
) -> None:
    """Nobody wins in a play under any answer, and who wins is not measured to change."""
    one = compared(report, *results, often=often)
    made = replace(report, findings=(one,))
    ends = told == ENDS

    assert effect(one) == told
    assert (changes(one) in ("", "–")) == (OR_ENDS in counts(made)) == ends
    assert told in markdown(made)
    assert any(line.strip().startswith("1. ends" if ends else "1. wins")
               for line in screen(made, Paper(80)))


def test_what_never_ends_decides_no_winner(report: Report) -> None:
    """A loop that nobody can leave has no answers, and leaves the game without an end."""
    one = replace(compared(report, ON, often=None), cls="endless-loop", readings=())

    assert effect(one) == ENDS


@pytest.mark.parametrize(("adds", "gains", "told"), [
    ("b", (-0.06, -0.02), True), ("b", (0.02, 0.06), False),
    ("a", (0.02, 0.06), True), ("a", (-0.06, -0.02), False), ("", (-0.06, -0.02), False)])
def test_what_is_only_allowed_is_not_said_to_harm(
    report: Report, adds: str, gains: tuple[float, float], *, told: bool
) -> None:
    """Random players do what an answer allows more, also where it harms them: that is said."""
    one = compared(report, ON, ON, often=replace(
        ALIKE, asked=(replace(LUCK, seat="", more=gains),)))
    one = replace(one, evidence=replace(one.evidence, details={"adds": adds}))

    said = f"“{adds}” only allows more where they part" in " ".join(how_often(one))
    assert said == told


def test_answers_that_belong_to_one_sentence_are_told_of_each_other(report: Report) -> None:
    """An answer belongs at the first sentence of its question, whatever else that stands on."""
    game = compile_game(load_game(str(TESTS / "flawed")))
    first, second = (replace(report.findings[0], id=name, readings=(
        Outcome("a", "A"), Outcome("b", "B"))) for name in ("p/gap/a", "p/gap/b"))
    clash = replace(first, id="p/contradiction/c", cls="contradiction")
    turns = Source("turns", first.sources[0].file, (7, 7))
    apart = replace(first, id="p/gap/d", clauses=("turns", *first.clauses),
                    sources=(turns, *first.sources))
    findings = (first, second, clash, apart)
    subject = Subject(game, findings=findings)
    place = subject.home(first)
    told = [page_of(each, subject).helps for each in findings]

    assert told[0].endswith(" The answers to 2 and 3 belong there, too: one sentence may give all.")
    assert told[1].endswith(" The answers to 1 and 3 belong there, too: one sentence may give all.")
    assert told[2].endswith(f" to 1 and 2 belong at {place}, too: one sentence may give all.")
    assert "belong" not in told[3]
    shown = markdown(replace(report, findings=findings), game).partition("## By line")[2]
    assert "**[1](#finding-1)**, **[2](#finding-2)**, **[3](#finding-3)**, [4](#finding-4)" in shown


@pytest.mark.parametrize(("scope", "chosen", "outcome", "told"), [
    ("printed", {"card": "Pike"}, "allowed: player 1 plays Axe",
     {"Axe, as assumed": "cost 3", "Pike, as assumed": "cost 2"}),
    ("printed", {"cards": {"Pike": 1, "Bow": 1}}, "Axe, Pike and Bow lie there", {}),
    ("tiny", {"card": "Pike"}, "allowed: player 1 plays Axe", {}),
])
def test_what_cards_cost_that_a_play_turns_on_stands_beside_it(
    scope: str, chosen: dict[str, object], outcome: str, told: dict[str, str], tmp_path: Path
) -> None:
    """Of a card that was played just before, and of few that are named, though nothing reads it.

    Not of those that somebody picks together, nor where a smaller game may have other values.
    """
    (tmp_path / "game.yaml").write_text("""
game: g
players: {count: 2}
families: {f: {attributes: {cost: int 0..9}}}
cards:
  f:
    pike: {name: Pike, copies: 1, cost: 2, assumed: [cost]}
    axe: {name: Axe, copies: 1, cost: 3, assumed: [cost]}
    bow: {name: Bow, copies: 1, cost: 4, assumed: [cost]}
steps: {game: {}}
start: game
clauses: [{id: run, kind: order, says: all rest, on: game, do: end_game()}]
scopes: {tiny: {cards: {f: {pike: {copies: 1, cost: 1}}}}}
""", "utf-8")
    steps = [{"by": "chance", "choice": {"card": {"card": "Bow"}}},
             {"by": "player 1", "choice": {"what": chosen}}]
    position: dict[str, JSON] = {"after": 2, "state": {}}
    one = Finding("g/gap/x", "gap", "may it?", ("run",), (), Evidence(
        "witness", "sampled", scope, replayed=True, position=position, plays=(
            Shown("", {"assumes": ["Pike", "Axe", "Bow"], "steps": steps}),)), WINNER)
    subject = Subject(compile_game(load_game(str(tmp_path))))

    assert dict(explained(one, subject, position, [outcome], steps)) == told
