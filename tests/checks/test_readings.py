"""Readings are compared where they can differ, and a verdict says where that was."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from ruleproof.checker.audit import audit
from ruleproof.checker.bench.workbench import Workbench, side_by_side
from ruleproof.checker.clauses.printed import PROVED
from ruleproof.checker.comparison import equivalence, settled
from ruleproof.checker.comparison.equivalence import (
    apart_in_play,
    apart_nearby,
    same_everywhere,
)
from ruleproof.checker.comparison.lockstep import SideBySide
from ruleproof.checker.engine.pairs import LockStep
from ruleproof.checker.findings.results import Report
from ruleproof.checker.judge.rank import CLASHES, weight
from ruleproof.checker.points import answers as points_answers
from ruleproof.checker.points import readings as points_readings
from ruleproof.checker.points.harmless import Looked, looked_at, told_harmless
from ruleproof.checker.points.in_modes import FORCED
from ruleproof.checker.points.points import Point
from ruleproof.checker.search.playouts import Plays
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.plays.documents import is_object
from ruleproof.model.source.errors import SpecErrors
from ruleproof.reports.appendix.sections import sections
from ruleproof.reports.blocks.classes import PARTS, words
from ruleproof.reports.blocks.finding import finding_lines
from ruleproof.reports.blocks.page import DRAFTS, INSTEAD, page_of
from ruleproof.reports.blocks.paper import Paper
from ruleproof.reports.blocks.subject import Subject
from ruleproof.reports.formats.html import html
from ruleproof.reports.formats.markdown import markdown
from ruleproof.reports.formats.text import headline, text
from ruleproof.tests.checks.test_ways import audit_of
from ruleproof.tests.judge.test_findings import STALL, shed
from ruleproof.tests.support.little import PASSES

ROLLS = "while n < 6:\n  x = roll(sides)\n  n += 1\n  if x > 4:\n    high += 1"


DRAFT = "Six high rolls win for the player who has not rolled."


def rolling(folder: Path, sides: int, small: int = 3, **marks: object) -> Report:
    """Verify a game of six rolls; who wins by six high ones is open, and a scope has few sides.

    `marks` are fields of this open point, as the clauses that settle it after all.
    """
    spec = {
        "game": "rolling", "title": "Rolling", "players": {"count": 2},
        "constants": {"sides": sides},
        "state": {"n": {"type": "int 0..6"}, "high": {"type": "int 0..6"},
                  "active": {"type": "player", "start": 1}},
        "steps": {"game": {}}, "start": "game",
        "clauses": [
            {"id": "rolls", "kind": "order", "says": "six rolls", "on": "game", "do": ROLLS},
            {"id": "six", "kind": "outcome", "says": "six high rolls win", "on": "game",
             "after": ["rolls"], "when": "high == 6", "do": "win(active)"},
            {"id": "rest", "kind": "outcome", "says": "else nobody wins", "on": "game",
             "after": ["six"], "do": "end_game()"}],
        "scopes": {"tiny": {"about": "few sides", "constants": {"sides": small}}},
        "open_points": [{"id": "who", "clauses": ["six"], "asks": "who wins", **marks, "readings": [
            {"id": "roller", "title": "who rolls", "changes": {}},
            {"id": "same", "title": "who rolls, said otherwise",
             "changes": {"six": {"do": "p = active\nwin(p)"}}},
            {"id": "other", "title": "the other", "draft": DRAFT,
             "changes": {"six": {"do": "win(next_player(active))"}}}]}]}
    (folder / "game.yaml").write_text(json.dumps(spec), "utf-8")
    return verify(str(folder), Settings(), only=(str(marks.get("class", "ambiguity")),))


def test_what_was_not_looked_at_is_not_called_every_situation() -> None:
    """A scope that was left at a limit is told as that."""
    for most, told in ((10_000, "in every reachable situation of scope printed"),
                       (5, "in every situation of scope printed that was looked at")):
        looker = audit_of(STALL, max_states=most)
        assert looked_at(looker, looker.scopes, "", whole=True) == Looked(told)
        found = looked_at(looker, looker.scopes, "", whole=False)
        assert found is not None
        assert "that was looked at" in found.how


def test_readings_of_one_question_that_come_to_the_same_are_told_in_one_line() -> None:
    """Where they were compared in different ways, each way names its readings."""
    looker = audit_of(STALL)
    point = Point("who", "declared", (), "who", (("a", "A"), ("b", "B"), ("c", "C")), "a")
    proved, seen = Looked(proved=True), Looked("in all plays", scopes=("tiny",))
    told_harmless(looker, point, {proved: ["b"], seen: ["c"]}, whole=True)
    told_harmless(looker, point, {proved: ["b", "c"]}, whole=False)
    told_harmless(looker, point, {seen: ["c"]}, whole=False)

    assert [(one.open_point, one.why.partition("the same ")[2], one.method)
            for one in looker.harmless] == [
        ("who", f"{PROVED} under “B”; in all plays under “C”", "exhaustive"),
        ("who", PROVED, "proof"),
        ("who=c", "in all plays", "bounded")]
    assert [one.scopes for one in looker.harmless] == [("printed", "tiny"), ("printed",), ("tiny",)]
    assert "“C” and “A” come to the same in all plays" in looker.harmless[-1].why


@pytest.mark.usefixtures("printed_is_large")
def test_what_only_the_printed_size_has_tells_readings_apart(tmp_path: Path) -> None:
    """No roll of the scope is high; in the printed game one game in four is decided by it."""
    report = rolling(tmp_path, sides=20)
    (finding,) = report.everything
    (harmless,) = report.harmless

    assert (finding.open_point, finding.level, finding.evidence.method) == ("who", 1, "sampled")
    assert (finding.evidence.scope, finding.evidence.depth) == ("printed", 6)
    assert harmless.open_point == "who=same"
    assert "random plays" in harmless.why
    assert "of scope tiny" in harmless.why


@pytest.mark.parametrize(("sides", "told"), [(20, 1), (4, 0)])
def test_what_a_clause_settles_is_told_and_is_no_finding(
    tmp_path: Path, sides: int, told: int
) -> None:
    """What the answers come to is told, if it comes up; nothing is left open where it does not."""
    report = rolling(tmp_path, sides, settled=("rest",))
    decided = [one.what for one in report.holds if one.what.startswith("decided by the clause")]

    assert not report.everything
    assert len(decided) == told
    assert all("`rest`" in one and "the other" in one for one in decided)
    assert not [one for one in report.not_checked if one.what.startswith("who")]


def test_a_report_lists_what_words_decide(tmp_path: Path) -> None:
    """With the answer that they give, and the clauses; whatever is ruled."""
    report = rolling(tmp_path, 4, settled=("rest", "rolls"))
    compiled = compile_game(load_game(str(tmp_path), Settings(rulings=(("who", "other"),))))
    (told,) = (each for each in sections(report, Subject(compiled)) if each.anchor == "answered")

    assert told.lines == ("who wins? “who rolls”: else nobody wins; six rolls",)


def test_a_clause_that_settles_a_point_is_one_of_the_spec(tmp_path: Path) -> None:
    """A name that no clause has is an error at its place."""
    with pytest.raises(SpecErrors) as caught:
        rolling(tmp_path, 4, settled=("rests",))

    assert caught.value.diagnostics[0].message == "unknown clause `rests`"


@pytest.mark.parametrize(("marks", "part", "told", "helps"), [
    ({"hinted": ["six"]}, "readers",
     "Most readers will read this sentence as the first answer: six high rolls win",
     "A few more words would settle it."),
    ({"hinted": ["rest"]}, "readers", "These words favour the first answer: else nobody wins",
     "A few more words would settle it."),
    ({"on_cards": ["rest"]}, "cards",
     "A card may answer this; the book speaks of it here: else nobody wins",
     "If the cards do not answer it, say which answer holds.")])
def test_what_others_answer_stands_behind_the_main_list(
    marks: dict[str, list[str]], part: str, told: str, helps: str, tmp_path: Path,
) -> None:
    """It is a finding all the same, with the sentence that leans to an answer, or names cards."""
    report = rolling(tmp_path, 20, 3, **marks)
    (finding,) = report.findings
    compiled = compile_game(load_game(str(tmp_path)))
    page, title = page_of(finding, Subject(compiled)), PARTS[part].title
    whole = text(report, compiled, paper=Paper(200))

    assert (finding.part, finding.level) == (part, 1)
    assert told in page.told
    assert page.helps == helps
    assert report.counting == (finding,)
    assert whole.index(title) < whole.index(told)
    assert markdown(report).count(f"# {title}\n") == 2
    assert headline(report) == f"nothing found, and 1 {PARTS[part].noun}"


def test_what_the_book_could_print_is_told_with_its_answer(tmp_path: Path) -> None:
    """In each kind of report, of the answers for which the spec drafts it."""
    report = rolling(tmp_path, 20)
    compiled = compile_game(load_game(str(tmp_path)))
    page = page_of(report.findings[0], Subject(compiled))
    told = f"**the other**: “{DRAFT}”"

    assert page.drafts == (("the other", DRAFT),)
    assert f"{DRAFTS}\n\n- {told}\n\n" in markdown(report, compiled)
    assert f"<strong>the other</strong>: “{DRAFT}”" in html(report, compiled, str(tmp_path))
    assert f"  - the other: “{DRAFT}”" in finding_lines(page, Paper(200))


def test_what_the_book_could_print_is_told_where_there_are_no_answers(tmp_path: Path) -> None:
    """Of a statement that is not true, its clause drafts another; without a draft, what helps."""
    spec = {"game": "count", "title": "Count", "players": {"min": 2, "max": 2, "default": 2},
            "steps": {"game": {}}, "start": "game", "constants": {"dice": {"value": 3}},
            "clauses": [
                {"id": "over", "kind": "outcome", "says": "nobody wins", "on": "game",
                 "do": "end_game()"},
                {"id": "four", "kind": "claim", "says": "there are four dice",
                 "claim": "dice == 4", "draft": "There are three dice."},
                {"id": "five", "kind": "claim", "says": "there are five dice",
                 "claim": "dice == 5"}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    report, compiled = verify(str(tmp_path), Settings()), compile_game(load_game(str(tmp_path)))
    usual = words("false-claim").helps

    helps = {one.clauses[0]: page_of(one, Subject(compiled)).helps for one in report.everything
             if one.cls == "false-claim"}

    assert helps == {"four": f"{usual} {INSTEAD} “There are three dice.”", "five": usual}
    assert "“There are three dice.”" in markdown(report, compiled)


@pytest.mark.parametrize("cls", ["contradiction", "gap"])
def test_a_point_is_of_the_class_that_its_author_names(cls: str, tmp_path: Path) -> None:
    """Two sentences clash, or one is missing: such a question comes before others."""
    (finding,) = rolling(tmp_path, 20, 3, **{"class": cls}).findings

    assert (finding.cls, finding.part) == (cls, "")
    assert finding.id == f"rolling/{cls}/who"
    assert (weight(finding) < weight(replace(finding, cls="ambiguity"))) == (cls in CLASHES)


@pytest.mark.usefixtures("printed_is_large")
def test_what_never_runs_is_not_called_harmless(tmp_path: Path) -> None:
    """With dice of four sides nothing is ever high, and nothing follows about who would win."""
    report = rolling(tmp_path, sides=4)

    assert not report.everything
    assert not report.harmless
    assert {one.what for one in report.not_checked if "ever runs" in one.why} == {
        "who = same", "who = other"}


@pytest.mark.usefixtures("printed_is_large")
def test_what_both_show_is_shown_in_the_printed_game(tmp_path: Path) -> None:
    """Where the printed game tells readings apart its play is shown, and not that of a scope."""
    (finding,) = rolling(tmp_path, sides=20, small=6).everything

    assert (finding.evidence.scope, finding.evidence.method) == ("printed", "sampled")
    assert "the game shown" in finding.explanation.lower()


def test_what_a_scope_alone_shows_is_shown_there(tmp_path: Path) -> None:
    """Where nothing is high in print, a scope that has high rolls tells readings apart."""
    (finding,) = rolling(tmp_path, sides=4, small=6).everything

    assert (finding.evidence.scope, finding.evidence.method) == ("tiny", "exhaustive")


# A lamp that may be lit in one mode only: in the dark somebody wins.
LAMP = """
game: lamp
title: Lamp
players: {count: 2}
constants: {turns: 6}
state:
  active: {type: player, start: 1}
  turn: {type: int 0..6}
  lit: {type: bool}
  dark: {type: bool, start: true}
variants: {night: {title: with a lamp}}
steps: {game: {title: The game}}
windows: {turn_window: {by: active, done: wait}}
start: game
clauses:
  - id: l.turns
    kind: order
    says: everybody has turns, and then it is over
    on: game
    do: |
      while turn < turns:
        turn_window()
        turn += 1
        active = next_player(active)
      if dark:
        win(active)
      end_game()
  - {id: l.light, kind: permit, on: turn_window, option: light, only_in: [night],
     when: not lit, do: lit = True, says: a lamp may be lit}
  - {id: l.take, kind: variant, only_in: [night], whenever: lit and dark,
     do: dark = False, says: with the lamp lit it is no longer dark}
open_points:
  - id: late
    clauses: [l.take]
    asks: is it so to the end
    readings:
      - {id: always, title: always, changes: {}}
      - {id: not-late, title: not in the last turns,
         changes: {l.take: {whenever: lit and dark and turn < 4}}}
scopes: {tiny: {about: few turns, constants: {turns: 2}, variants: [night]}}
"""


def test_what_only_a_mode_has_is_compared_in_that_mode(tmp_path: Path) -> None:
    """That readings are the same where their mode is not chosen proves nothing of the mode.

    In the scope, which has it, the game is over before they could differ; in print they do.
    """
    (tmp_path / "game.yaml").write_text(LAMP, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("ambiguity",))
    (finding,) = report.findings

    assert all(one.what != "scope tiny" for one in report.not_checked)
    assert not [one for one in report.harmless if one.open_point == "late"]
    assert (finding.open_point, finding.evidence.mode) == ("late", "in the mode “with a lamp”")
    assert finding.frequency is not None
    assert finding.frequency.decides
    assert not finding.only_smaller


@pytest.mark.usefixtures("printed_is_large")
def test_scopes_that_are_too_large_to_compare_in_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scope in which no reading was tried is no ground for a verdict, and the report says so."""
    report = rolling(tmp_path, sides=20, small=6)
    assert not any("scope" in one.what for one in report.not_checked)

    monkeypatch.setattr(audit, "SMALL", 20)
    spec = json.loads((tmp_path / "game.yaml").read_text("utf-8"))
    spec["scopes"]["large"] = {"about": "more rolls", "constants": {"sides": 7}}
    spec["scopes"]["tiny"]["constants"] = {"sides": 3}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("ambiguity",))

    assert {one.what: one.why for one in report.not_checked}["open points in scope large"] == (
        "more than 20 states")


def test_two_answers_are_never_told_in_the_same_words(tmp_path: Path) -> None:
    """Where both end the game for nobody, what lies elsewhere on the table is told."""
    spec = {
        "game": "coins", "title": "Coins", "players": {"count": 2},
        "families": {"coin": {}}, "cards": {"coin": {"penny": {"copies": 2}}},
        "zones": {"bank": {"holds": "coin", "kind": "bag", "starts": "all"},
                  "purse": {"holds": "coin", "kind": "bag", "per": "player"}},
        "state": {"active": {"type": "player", "start": 1}},
        "steps": {"game": {}}, "start": "game",
        "clauses": [{"id": "take", "kind": "effect", "says": "a coin is taken", "on": "game",
                     "do": "n = roll(2)\nmove(coin.penny, bank, purse[active])\nend_game()"}],
        "open_points": [{"id": "whose", "clauses": ["take"], "asks": "who takes it", "readings": [
            {"id": "active", "title": "whose turn it is", "changes": {}},
            {"id": "next", "title": "the next player", "changes": {"take": {
                "do": "n = roll(2)\nmove(coin.penny, bank, purse[next_player(active)])\n"
                      "end_game()"}}}]}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    (finding,) = verify(str(tmp_path), Settings(), only=("ambiguity",)).everything
    outcomes = [one.outcome for one in finding.readings]

    assert len(set(outcomes)) == 2
    assert all("purse" in one and one.endswith("the game is over: nobody wins")
               for one in outcomes)


TAKEN = """x = choose(range(1, 3), by=active, ask="How many?")
asked = x
move(coin.penny, bank, purse[{}])
y = choose(range(1, 3), by=active, ask="And now?")
asked = y
if asked == 2:
  move(coin.penny, bank, purse[{}])
end_game()
"""
MINE, OTHERS = "active", "next_player(active)"
THREE = {
    "game": "pennies", "title": "Three answers", "players": {"count": 2},
    "families": {"coin": {}}, "cards": {"coin": {"penny": {"copies": 6}}},
    "zones": {"bank": {"holds": "coin", "kind": "bag", "starts": "all"},
              "purse": {"holds": "coin", "kind": "bag", "per": "player"}},
    "state": {"active": {"type": "player", "start": 1}, "asked": {"type": "int 0..2"}},
    "steps": {"game": {}}, "start": "game",
    "clauses": [{"id": "take", "kind": "effect", "says": "coins are taken", "on": "game",
                 "do": TAKEN.format(MINE, MINE)}],
    "open_points": [{"id": "whose", "clauses": ["take"], "asks": "who takes it", "readings": [
        {"id": "mine", "title": "whoever acts", "changes": {}},
        {"id": "at_once", "title": "the other one, at once",
         "changes": {"take": {"do": TAKEN.format(OTHERS, MINE)}}},
        {"id": "later", "title": "the other one, later",
         "changes": {"take": {"do": TAKEN.format(MINE, OTHERS)}}}]}]}


def test_each_answer_is_told_of_the_situation_shown(tmp_path: Path) -> None:
    """What an answer comes to elsewhere only is told as that, and its play is there."""
    (tmp_path / "game.yaml").write_text(json.dumps(THREE), "utf-8")
    (finding,) = verify(str(tmp_path), Settings(), only=("ambiguity",)).everything
    answers = {one.id: one for one in finding.readings}
    plays = {each.reading: each for each in finding.evidence.plays}
    apart = answers["later"].elsewhere

    assert answers["mine"].outcome.startswith("purse of player 1: penny")
    assert "purse of player 2: penny" in answers["at_once"].outcome
    assert answers["later"].outcome == "the same here as under the first answer"
    assert apart is not None
    assert (apart.when, apart.like) == ("in another game, after 2 moves", "whoever acts")
    assert apart.there.startswith("purse of player 1: 2 × penny")
    assert answers["later"].told.startswith(
        "the same here as under the first answer; in another game, after 2 moves: ")
    assert [one.id for one in answers.values() if one.elsewhere] == ["later"]
    assert [each for each, shown in plays.items() if shown.elsewhere] == ["later"]
    assert is_object(finding.evidence.position)
    assert finding.evidence.position["then"]


# Two cards are drawn; one reading names a card of which the scope has none.
DRAWS = """
game: draws
title: Draws
players: {count: 2}
families: {part: {attributes: {worth: int 0..3}}}
cards:
  part: {nail: {copies: 2, worth: 1}, bolt: {copies: 2, worth: 1}, screw: {copies: 2, worth: 1}}
zones:
  stack: {holds: part, kind: deck, starts: all, seen_by: none}
  table: {holds: part, kind: bag, seen_by: all}
state: {active: {type: player, start: 1}}
steps: {game: {}}
start: game
clauses:
- {id: d.draw, kind: effect, says: two cards are drawn, on: game, do: "draw(2, stack, table)"}
- id: d.win
  kind: outcome
  says: whoever is to play then has won
  on: game
  after: [d.draw]
  do: win(active)
open_points:
- id: who
  clauses: [d.win]
  asks: does a bolt let the other one win
  readings:
  - {id: never, title: never, changes: {}}
  - id: bolt
    title: a bolt does
    changes: {d.win: {do: "win(next_player(active) if count(table, part.bolt) > 1 else active)"}}
scopes: {tiny: {about: no bolts, cards: {part: {nail: 2, screw: 2}}}}
"""


def test_readings_are_compared_of_the_same_cards(tmp_path: Path) -> None:
    """A card that a reading names is in every game of a scope, so that chance deals alike."""
    (tmp_path / "game.yaml").write_text(DRAWS, "utf-8")
    bench = Workbench(str(tmp_path), Settings(scope="tiny"))
    games = [bench.instance("tiny", rulings=rulings, changes=changes) for rulings, changes in (
        ({}, ()), ({"who": "bolt"}, ()), ({}, ({"drop": ["d.win"]},)))]

    assert len({tuple(card.id for card in game.game.families["part"].cards)
                for game in games}) == 1
    assert same_everywhere(*side_by_side(*games[:2])) is True


# A mark is made or not; four rolls later it lets somebody go home, if the rolls were high.
MARKS = """
game: marks
title: Marks
players: {count: 2}
constants: {sides: 200, high: 4}
state:
  active: {type: player, start: 1}
  mark: {type: int 0..1}
  total: {type: int 0..800}
steps: {game: {}}
windows: {end: {by: active, done: stay}}
start: game
clauses:
- {id: m.mark, kind: effect, says: a mark is made, on: game, do: mark = 0}
- id: m.roll
  kind: effect
  says: four rolls follow
  on: game
  after: [m.mark]
  do: |
    n = 0
    while n < 4:
      x = roll(sides)
      total += x
      n += 1
- id: m.end
  kind: order
  says: then it is over
  on: game
  after: [m.roll]
  do: "end()\\nend_game()"
- {id: m.home, kind: permit, says: whoever is marked and has rolled high may go home, on: end,
   option: home, when: mark == 1 and total >= high, do: total = 1}
- {id: m.wait, kind: permit, says: one may wait, on: end, option: wait, do: total = 0}
open_points:
- id: which
  clauses: [m.mark]
  asks: is a mark made
  readings:
  - {id: none, title: none, changes: {}}
  - {id: one, title: one, changes: {m.mark: {do: mark = 1}}}
scopes: {tiny: {about: low rolls, constants: {sides: 2, high: 4}}}
"""


@pytest.mark.parametrize(("high", "shown"), [(4, ["printed"]), (800, ["printed", "tiny"])])
@pytest.mark.usefixtures("printed_is_large")
def test_what_matters_most_is_looked_for_beyond_what_differs_soonest(
    high: int, shown: list[str], tmp_path: Path
) -> None:
    """A point that decides what may be done is none of the table, though that differs before.

    Where no play of the printed game comes to it, a scope shows it beside what that shows.
    """
    spec = MARKS.replace("high: 4}\n", f"high: {high}}}\n", 1)
    (tmp_path / "game.yaml").write_text(spec, "utf-8")
    (finding,) = verify(str(tmp_path), Settings(), only=("ambiguity",)).findings

    assert finding.level == 2
    assert sorted({play.scope or "printed" for play in finding.evidence.plays}) == shown


@pytest.mark.parametrize("nails", [0, 6])
def test_who_can_do_nothing_is_no_difference(nails: int, tmp_path: Path) -> None:
    """Who is asked first is shown where both have something to do, and is no finding without."""
    (tmp_path / "game.yaml").write_text(PASSES.replace("NAILS", str(nails)).replace(
        "copies: 40", "copies: 12"), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("ambiguity",))
    asked = [one for one in report.findings if one.open_point == "first"]

    assert len(asked) == bool(nails)
    for one in asked:
        position = one.evidence.position
        assert is_object(position)
        assert is_object(state := position["state"])
        assert is_object(hands := state["hand"])
        assert all("nail" in str(hand) for hand in hands.values())


def test_moves_that_nobody_picks_are_shown_and_replayed(tmp_path: Path) -> None:
    """The play of each reading has the passes that it asks for, also where the other has none."""
    (tmp_path / "game.yaml").write_text(PASSES.replace("NAILS", "1").replace(
        "copies: 40", "copies: 12") + EARLY, "utf-8")
    (one,) = (one for one in verify(str(tmp_path), Settings(), only=("ambiguity",)).findings
              if one.open_point == "early")
    mine, theirs = ([step["event"] for step in play.play["steps"]]
                    for play in one.evidence.plays[:2])

    assert one.evidence.replayed
    assert mine.count("pass") != theirs.count("pass")


TINY = "start: game\nscopes: {tiny: {cards: {part: {rust: 12}}}}\n"


@pytest.mark.parametrize(("limit", "copies", "method"), [
    (4_000, 12, "exhaustive"), (0, 12, "bounded"), (4_000, 40, "")])
@pytest.mark.usefixtures("printed_is_large")
def test_how_far_was_looked_past_moves_that_nobody_picks_is_told(
    limit: int, copies: int, method: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All situations, some, or but few random plays: then nothing is said to be harmless."""
    monkeypatch.setattr(points_answers, "SETTLED", limit)
    monkeypatch.setattr(settled, "STEPS", 500)
    spec = PASSES.replace("NAILS", "0").replace("copies: 40", f"copies: {copies}") + EARLY
    (tmp_path / "game.yaml").write_text(
        spec.replace("start: game\n", TINY) if copies == 40 else spec, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("ambiguity",))
    lines = [one.why for one in report.not_checked if one.what == "early = twice"]

    assert not report.everything
    assert [one.method for one in report.harmless if one.open_point == "early"] == (
        [method] if method else [])
    assert [FORCED in line for line in lines] == ([] if method else [True])


EARLY = """
- id: early
  clauses: [p.turns]
  asks: is there time before each draw
  readings:
  - {id: once, title: only after it, changes: {}}
  - id: twice
    title: before and after it
    changes:
      p.turns:
        do: |
          n = 0
          while n < 4:
            time()
            draw(1, stack, hand[active])
            time()
            active = next_player(active)
            n += 1
          end_game()
"""


def test_answers_that_nothing_tells_apart_are_one(tmp_path: Path) -> None:
    """Two answers that differ from the adopted one and not from each other are told as one."""
    readings = [{"id": name, "title": title, "changes": {"a": {"do": do}} if do else {}}
                for name, title, do in (
                    ("none", "none", ""), ("one", "one", "nails = 1"), ("two", "two", "nails = 2"),
                    ("same", "one, said otherwise", "nails = 2\nnails -= 1"))]
    folder = shed(tmp_path, [{"id": "a", "says": "nails are found", "do": "nails = 0"}],
                  open_points=[{"id": "nails", "clauses": ["a"], "asks": "how many nails",
                                "readings": readings}])
    (finding,) = verify(str(folder), Settings(), only=("ambiguity",)).findings

    assert [one.id for one in finding.readings] == ["none", "one", "two"]
    assert finding.readings[1].title == "one; or one, said otherwise (no play told them apart)"


def test_an_answer_that_nothing_tells_from_the_first_is_a_row_that_says_so(tmp_path: Path) -> None:
    """A declared answer is in the table also where it comes to the same as the adopted one."""
    readings = [{"id": name, "title": name, "changes": {"a": {"do": do}} if do else {}}
                for name, do in (("none", ""), ("two", "nails = 2"), ("taken", "nails = 2 - 2"))]
    folder = shed(tmp_path, [{"id": "a", "says": "nails are found", "do": "nails = 0"}],
                  open_points=[{"id": "nails", "clauses": ["a"], "asks": "how many nails",
                                "readings": readings}])
    report = verify(str(folder), Settings(), only=("ambiguity",))
    (finding,) = report.findings

    assert [(one.id, one.apart) for one in finding.readings] == [
        ("none", True), ("two", True), ("taken", False)]
    assert finding.readings[2].outcome == (
        "proved to come to the same as the first answer in every state of the printed game")
    assert [each["reading"] for each in report.questions[0]["answers"]] == ["none", "two"]
    assert [each.reading for each in finding.compared if each.reading == "taken"] == []


def test_answers_that_only_a_small_game_makes_equal_are_two(tmp_path: Path) -> None:
    """A number that a scope makes nothing does not make two answers about a mode one."""
    readings = [{"id": name, "title": name, "changes": {"a": {"do": do}} if do else {}}
                for name, do in (("none", ""), ("one", "nails = 1"), ("more", "nails = 1 + extra"))]
    night = {"scopes": {"tiny": {"about": "no extra", "constants": {"extra": 0},
                                 "variants": ["night"]}},
             "constants": {"extra": 2}, "variants": {"night": {"title": "with a lamp"}}}
    folder = shed(tmp_path, [
        {"id": "a", "says": "nails are found", "do": "nails = 0", "only_in": ["night"]},
        {"id": "b", "says": "no nails", "do": "nails = 0", "not_in": ["night"]}],
        open_points=[{"id": "nails", "clauses": ["a", "b"], "asks": "how many nails",
                      "readings": readings}], **night)
    (finding,) = verify(str(folder), Settings(), only=("ambiguity",)).findings

    assert finding.evidence.scope == "tiny"
    assert [one.title for one in finding.readings] == ["none", "one", "more"]


def test_a_play_that_one_answer_does_not_know_shows_nothing_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What differs soonest stands, if the play found beyond it cannot be made under both."""
    monkeypatch.setattr(points_readings, "apart_in_play", lambda *_, **__: ("nobody's move",))
    monkeypatch.setattr(settled, "STEPS", 500)
    (tmp_path / "game.yaml").write_text(MARKS, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("ambiguity",))

    assert [one.open_point for one in report.findings] == ["which"]


STRIKES = """
game: strikes
title: Strikes
players: {count: 2}
enums: {side: [left, right]}
state:
  active: {type: player, start: 1}
  blocked: {type: players}
steps: {game: {}, strike: {}}
start: game
windows:
  guard: {who: others(active), order: clockwise, from: active, each: until_pass, done: pass}
clauses:
- {id: turns, kind: order, says: strikes, on: game, do: "while True:\n  strike()"}
- id: strike
  kind: effect
  says: a side is struck
  on: strike
  do: |
    s = choose(side, by=active, ask="Which side?")
    blocked = {}
    guard()
- {id: block, kind: permit, says: the other may block, on: guard, option: block,
   do: "blocked |= {actor}"}
"""


@pytest.mark.parametrize("seed", range(4))
def test_a_choice_that_is_never_asked_for_is_shown_where_it_first_is_one(
    tmp_path: Path, seed: int
) -> None:
    """Who may block once is not asked again: that is told there, and not at the next strike.

    There the same choice is asked for in both games, and is no answer to the one before.
    """
    (tmp_path / "game.yaml").write_text(STRIKES, "utf-8")
    bench = Workbench(str(tmp_path), Settings())
    often, once = (bench.instance("printed", rulings={"how-often/block": reading})
                   for reading in ("as-often", "once"))
    best = settled.SettledPair(often.program, once.program).in_play(seed=seed, longest=100).best

    assert best is not None
    assert (best.level, best.theirs) == (2, None)
    assert [label[1] for label in best.play].count("block()") == 1
    assert best.play[-1][1] == "block()"


PICKS = """
game: picks
title: Picks
players: {count: 2}
constants: {most: 20}
state:
  active: {type: player, start: 1}
  n: {type: int 0..20}
steps: {game: {}}
start: game
clauses:
- id: turns
  kind: order
  says: somebody picks three numbers, again and again
  on: game
  do: |
    while n < 20:
      n += 1
      a = choose(range(0, most), by=active, ask="First?")
      b = choose(range(0, most), by=active, ask="Second?")
      c = choose(range(0, most), by=active, ask="Third?")
      if a + b + c == 0:
        three_zeros()
    end_game()
- {id: zeros, kind: outcome, says: three zeros win, on: three_zeros, do: win(active)}
open_points:
- id: who
  clauses: [zeros]
  asks: who wins with three zeros
  readings:
  - {id: picker, title: who picks, changes: {}}
  - {id: other, title: the other, changes: {zeros: {do: win(next_player(active))}}}
scopes:
  tiny: {about: few numbers, constants: {most: 2}}
"""


def test_what_players_seldom_do_is_found_near_what_they_do(tmp_path: Path) -> None:
    """Of 8,000 ways to pick one matters, in each of twenty turns: random plays rarely meet it.

    A scope shows it, and so the printed game is looked at near random plays.
    """
    (tmp_path / "game.yaml").write_text(
        PICKS.replace("steps: {game: {}}", "steps: {game: {}, three_zeros: {}}"), "utf-8")
    bench = Workbench(str(tmp_path), Settings())
    one, two = side_by_side(bench.instance("printed"),
                            bench.instance("printed", rulings={"who": "other"}))
    seldom = apart_in_play(one, two, seed=0, plays=Plays(many=40, longest=60))
    play = apart_nearby(one, two, seed=0, longest=60)
    (finding,) = verify(str(tmp_path), Settings(), only=("ambiguity",)).everything

    assert seldom is None
    assert play is not None
    assert [label[2] for label in play[-3:]] == [(0,)] * 3
    assert (finding.evidence.scope, finding.level, finding.only_smaller) == ("printed", 1, False)


BELLS = """
game: bells
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..9}}
steps: {game: {}, rings: {}, chimes: {}}
start: game
clauses:
- id: turns
  kind: order
  says: somebody picks a number, again and again
  on: game
  do: |
    while n < 6:
      n += 1
      a = choose(range(0, 5), by=active, ask="Which?")
      if a == 4:
        rings()
      if a > 7:
        chimes()
    end_game()
- {id: ring, kind: outcome, says: a ring wins, on: rings, do: win(active)}
- {id: chime, kind: outcome, says: a chime wins, on: chimes, do: win(active)}
open_points:
- id: ringing
  clauses: [ring]
  asks: who wins with a ring
  readings: [{id: own, title: own}, {id: other, title: other, drop: [ring]}]
- id: chiming
  clauses: [chime]
  asks: who wins with a chime
  readings: [{id: own, title: own}, {id: other, title: other, drop: [chime]}]
"""


@pytest.mark.parametrize(("game", "scope"), [
    ("", "printed"), pytest.param("edition-wars", "tiny", marks=pytest.mark.campaign),
    pytest.param("penguin-brawl", "tiny_rogue", marks=pytest.mark.campaign)])
def test_what_no_place_asks_for_differs_nowhere_near(
    game: str, scope: str, tmp_path: Path
) -> None:
    """A game is compared near random plays if one of its features is asked for there: else in vain.

    The pairs that would be compared are gone through all the same, and differ nowhere.
    """
    (tmp_path / "game.yaml").write_text(BELLS, "utf-8")
    game = game or str(tmp_path)
    bench = Workbench(game, Settings())
    pairs = [(point.id, reading.id) for point in bench.game(scope).open_points
             for reading in point.readings[1:]]
    passed = 0
    for point, reading in pairs[::5] if len(pairs) > 5 else pairs:
        one, two = (each.whole for each in side_by_side(
            bench.instance(scope), bench.instance(scope, rulings={point: reading})))
        both = SideBySide(one, two)
        if not (isinstance(both.pairs, LockStep) and both.pairs.one_code):
            continue
        roots = equivalence._near(both, 0, 30)
        if not equivalence._asked_nearby(one, 0, 30) & both.pairs.unlike:
            passed += 1
            assert not both.pairs.levels(), (point, reading)
            assert apart_nearby(one, two, seed=0, longest=30) is None
        elif both.pairs.levels():
            assert apart_nearby(one, two, seed=0, longest=30) is not None
        assert roots

    assert passed
