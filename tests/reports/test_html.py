"""The HTML page: one file that loads nothing, shows what `replay` shows, and escapes all."""

from __future__ import annotations

import json
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ruleproof.checker.engine.browser import for_browser
from ruleproof.checker.findings.results import Report
from ruleproof.checker.verify import verify
from ruleproof.cli.app import run
from ruleproof.cli.files.rerun import Games
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.model.machine.state import State
from ruleproof.model.plays.board import values_by_name
from ruleproof.model.plays.documents import header
from ruleproof.model.plays.moves import actor, describe_move
from ruleproof.model.plays.plays import replay
from ruleproof.model.run.interp import Interpreter
from ruleproof.reports.blocks.machine import drawing
from ruleproof.reports.blocks.page import kind_of
from ruleproof.reports.blocks.subject import Subject
from ruleproof.reports.formats.document import load
from ruleproof.reports.formats.html import html
from ruleproof.tests.support.browser import run_in_page
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.places import ROOT, TESTS
from ruleproof.tests.support.recorded import GOLDEN

FLAWED = str(TESTS / "flawed")
BOOK = (TESTS / "flawed" / "rulebook.md").read_text("utf-8")


class Elements(HTMLParser):
    """Collects the elements of a page with their attributes, and its text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Take note of an element."""
        self.found.append((tag, {name: value or "" for name, value in attrs}))

    def handle_data(self, data: str) -> None:
        """Take note of text."""
        self.text += data


@pytest.fixture(scope="module")
def flawed() -> Compiled:
    """Compile the flawed game."""
    return compile_game(load_game(FLAWED))


@pytest.fixture(scope="module")
def report() -> Report:
    """Read its findings."""
    return load(GOLDEN / "plum-panic.json")


@pytest.fixture(scope="module")
def page(flawed: Compiled, report: Report) -> str:
    """Write its page."""
    return html(report, flawed, FLAWED, game=for_browser(flawed))


def test_a_page_is_one_file(page: str) -> None:
    """Nothing in it names a file or an address that a browser would load; its links stay in it."""
    elements = Elements(page).found
    ids = {about["id"] for _, about in elements if "id" in about}

    assert not [about for _, about in elements if "src" in about or "srcset" in about]
    assert not {"link", "iframe", "img", "object"} & {tag for tag, _ in elements}
    assert {about["href"][1:] for tag, about in elements if tag == "a"} <= ids
    assert not re.search(r"@import|url\((?!#arrow\))|\bfetch\(|XMLHttp|import\(", page)
    assert re.findall(r"https?://[^\s\"']+", page) == ["http://www.w3.org/2000/svg"]
    assert "default-src 'none'" in page


def test_a_page_is_the_same_each_time(flawed: Compiled, report: Report, page: str) -> None:
    """It depends on the report and the spec only."""
    assert html(report, flawed, FLAWED, game=for_browser(flawed)) == page


def test_every_finding_clause_and_sentence_is_there(
    flawed: Compiled, report: Report, page: str
) -> None:
    """Each finding has an article, each sentence of the book a row."""
    elements = Elements(page)
    assert flawed.game.rulebook is not None

    for each in report.findings:
        assert each.title[1:] in elements.text
    assert sum(tag == "article" for tag, _ in elements.found) == len(report.findings)
    assert page.count('class="uncovered"') + page.count("<tr><td>line ") == sum(
        flawed.game.rulebook.outline.values())


def test_the_books_words_are_there_only_if_given(
    flawed: Compiled, report: Report, page: str
) -> None:
    """A page that is published quotes no sentence of the book."""
    quoted = html(report, flawed, FLAWED, book=BOOK)
    sentences = [one for one in re.split(r"(?<=[.!?])\s+|\n", BOOK) if len(one.split()) > 4]
    ours = {clause.says.rstrip(".").lower() for clause in flawed.game.clauses}

    assert "<blockquote>" in quoted
    assert not [one for one in sentences
                if one in Elements(page).text and one.rstrip(".").lower() not in ours]


# ---------------------------------------------------------------------- in a browser

WALK = """
  const shown = [];
  const key = (name) => document.activeElement.dispatchEvent(
    new KeyboardEvent("keydown", { key: name, bubbles: true }));
  for (const _ of document.querySelectorAll("article")) {
    key("j");
    const article = document.activeElement;
    for (const part of article.querySelectorAll("[data-plays] section")) {
      const [back, on] = part.querySelectorAll("button");
      while (!back.disabled) back.click();
      for (let at = 0; ; at += 1) {
        shown.push({
          finding: article.dataset.number, at,
          moves: [...part.querySelectorAll(".move")].map((each) => each.textContent),
          lit: [...part.querySelectorAll(".side")].map((side) => [...side.querySelectorAll(".lit")]
            .map((each) => each.parentElement.dataset.place)),
          places: [...part.querySelectorAll(".side")].map((side) => Object.fromEntries(
            [...side.querySelectorAll("[data-place]")].map(
              (each) => [each.dataset.place, each.querySelector("title").textContent]))),
        });
        if (on.disabled) break;
        on.click();
      }
    }
  }
  return { shown, at: document.activeElement.dataset.number };
"""


def test_plays_are_stepped_as_replay_does(page: str, report: Report, tmp_path: Path) -> None:
    """Findings are visited by key, and each move of each play is told and shown as replayed."""
    told = run_in_page(page, WALK, tmp_path)
    games = Games(FLAWED)
    count = 0
    for number, finding in enumerate(report.findings, 1):
        rows = [row for row in told["shown"] if row["finding"] == str(number)]
        plays = [each.play for each in finding.evidence.plays]
        for move, places in _panes(rows):
            count += 1
            assert any(_agrees(games, play, move, places) for play in plays), (number, move)

    assert told["at"] == str(len(report.findings))
    assert count > sum(len(each.play["steps"]) for one in report.findings
                       for each in one.evidence.plays)


def _panes(rows: list[dict[str, Any]]) -> list[tuple[str, dict[str, str]]]:
    """List the moves with what then lies where; without the daggers of invented cards."""
    return [(move.replace("†", ""), {key: text.replace("†", "") for key, text in places.items()})
            for row in rows for move, places in zip(row["moves"], row["places"], strict=True)
            if not move.startswith("Nothing more")]


def _agrees(games: Games, play: dict[str, Any], move: str, places: dict[str, str]) -> bool:
    """Return whether a play has this move, and leaves these cards in the zones."""
    name, settings = header(play, "play")
    compiled = games.get(name, settings)
    again = replay(play, compiled)
    assert again.ok
    assert again.start is not None
    at = 0 if move.startswith("Before") else int(move.split(".", maxsplit=1)[0])
    if at > len(again.taken):
        return False
    taken = again.taken[at - 1] if at else None
    said = "" if taken is None else describe_move(compiled.machine, taken.before, taken.move)
    state = again.start.state if taken is None or taken.step is None else taken.step.state
    return said in move and _on_the_table(compiled, state, places)


def _on_the_table(compiled: Compiled, state: State, places: dict[str, str]) -> bool:
    """Return whether the cards of each zone are shown."""
    table: dict[str, Any] = dict(values_by_name(compiled.machine, state))
    called = compiled.game.titles.of
    cards = {f"{zone}/{owner}": held for zone in compiled.game.zones
             for owner, held in (table[zone].items() if compiled.game.zones[zone].per_player
                                 else [("", table[zone])])}
    return all(
        places.get(key, f"{called(key.split('/')[0])}: ") == (
            f"{called(key.split('/')[0])}: " + ", ".join(
                card if n == 1 else f"{n} × {card}" for card, n in held.items()))
        for key, held in cards.items() if isinstance(held, dict))


def test_what_differs_under_the_answers_is_lit_up(page: str, tmp_path: Path) -> None:
    """Side by side exactly those places are filled that another side shows otherwise."""
    rows = [row for row in run_in_page(page, WALK, tmp_path)["shown"] if len(row["places"]) > 1]

    for row in rows:
        for side, lit in zip(row["places"], row["lit"], strict=True):
            assert set(lit) == {place for place, title in side.items()
                                if any(other.get(place) != title for other in row["places"])}
    assert any(row["lit"][0] for row in rows)
    assert not all(row["lit"][0] for row in rows)


FILTER = """
  const select = document.getElementById("by-class");
  const counts = {};
  for (const option of select.options) {
    select.value = option.value;
    select.dispatchEvent(new Event("input", { bubbles: true }));
    const articles = [...document.querySelectorAll("article")];
    counts[option.value] = articles.filter((each) => !each.hidden).length;
  }
  const node = document.querySelector(".machine .node.found");
  node.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  document.getElementById("theme").click();
  return { counts, links: document.querySelectorAll("#node-findings a").length,
           lit: document.querySelectorAll(".edge.on").length,
           theme: document.documentElement.dataset.theme };
"""


def test_findings_are_filtered_and_nodes_lead_to_them(
    flawed: Compiled, page: str, report: Report, tmp_path: Path
) -> None:
    """A kind leaves its findings; a node of the machine lists its own and lights up its ways."""
    told = run_in_page(page, FILTER, tmp_path)
    kinds = Counter(kind_of(each, Subject(flawed)) for each in report.findings)

    assert told["counts"].pop("") == len(report.findings)
    assert told["counts"] == kinds
    assert told["links"] > 0
    assert told["lit"] > 0
    assert told["theme"] in ("light", "dark")


def test_what_was_never_reached_is_dashed(flawed: Compiled, report: Report) -> None:
    """A node that no exploration and no play came to, with its ways; not one that a play shows."""
    names = tuple(node.name for node in flawed.machine.nodes if node.kind == "decide")
    seen = {step.get("node") for each in report.everything for shown in each.evidence.plays
            for step in shown.play.get("steps", ())}
    lost = replace(report.coverage, missing={"nodes": names})
    unseen = replace(report, coverage=lost, findings=())
    drawn = [drawing(flawed, each) for each in (
        report, replace(report, coverage=lost), unseen)]
    dashed = [{node.id for node in each.nodes if not node.reached} for each in drawn]

    assert {*names} & seen
    assert dashed[0] <= dashed[1] < dashed[2]
    assert len(dashed[2]) >= len(names)
    for each, ids in zip(drawn, dashed, strict=True):
        assert {edge.source for edge in each.edges if not edge.reached} == ids


PLAYING = """
  document.getElementById("open-game").click();
  while (!document.querySelector(".offers button")) {
    for (let work = 0; work < 1e6; work += 1);
    await new Promise((done) => setTimeout(done, 20));
  }
  const shown = [];
  for (let at = 0; at < 80; at += 1) {
    const offers = [...document.querySelectorAll("#game .offers button")];
    shown.push({
      offers: offers.map((each) => each.textContent),
      turn: document.querySelector("#game .turn").textContent,
      places: Object.fromEntries([...document.querySelectorAll("#game [data-place]")].map(
        (each) => [each.dataset.place, each.querySelector("title").textContent])),
    });
    if (!offers.length) break;
    offers[(5 * at + 2) % offers.length].click();
  }
  return shown;
"""


@pytest.mark.parametrize("game", one_in(3, [
    "tests/flawed", "spec/template", "tests/specs/own/lantern-whist"]))
def test_the_game_on_the_page_is_that_of_the_interpreter(game: str, tmp_path: Path) -> None:
    """Move by move the compiled rules offer as many moves, and leave the same on the table."""
    source = str(ROOT / game)
    compiled = compile_game(load_game(source))
    empty = replace(load(GOLDEN / "plum-panic.json"), findings=())
    made = html(empty, compiled, source, game=for_browser(compiled))
    judge = Interpreter(compiled.machine)
    state = judge.start().state

    for at, row in enumerate(run_in_page(made, PLAYING, tmp_path)):
        moves = judge.moves(state)
        assert len(row["offers"]) == len(moves)
        assert _on_the_table(compiled, state, row["places"])
        if judge.final(state):
            break
        who = actor(compiled.machine, state)
        assert who is None or compiled.machine.player_names[who] in row["turn"]
        state = judge.step(state, moves[(5 * at + 2) % len(moves)]).state
    assert at > 5


def test_a_game_that_cannot_be_compiled_says_so(
    flawed: Compiled, report: Report, page: str
) -> None:
    """Then recorded plays stand in."""
    assert 'id="game"' in page
    assert "the recorded plays of the findings stand in" in html(report, flawed, FLAWED)


HOSTILE = "</script><script>hacked=1</script><img src=x onerror=hacked=1>&amp;'\""


def test_what_a_spec_says_is_text(tmp_path: Path) -> None:
    """A card called `<script>` is a card, and so is whatever else a spec names."""
    spec = {
        "game": "hostile", "title": HOSTILE, "players": {"count": 2},
        "families": {"f": {"attributes": {"value": "int 1..2"}}},
        "cards": {"f": {"one": {"name": HOSTILE, "value": 1, "copies": 2},
                        "two": {"value": 2, "copies": 2}}},
        "zones": {"deck": {"holds": "f", "kind": "deck", "starts": "all", "seen_by": "none"},
                  "hand": {"holds": "f", "kind": "bag", "per": "player"}},
        "steps": {"game": {"title": HOSTILE}}, "start": "game",
        "clauses": [
            {"id": "deal", "kind": "effect", "says": f"all are dealt {HOSTILE}", "on": "game",
             "do": "for p in players:\n  draw(1, deck, hand[p])"},
            {"id": "wins", "kind": "effect", "says": HOSTILE, "on": "game", "after": ["deal"],
             "do": "win(only(argmax(sum(c.value for c in hand[p]) for p in players)))"}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    compiled = compile_game(load_game(str(tmp_path)))
    made = html(verify(str(tmp_path), Settings()), compiled, str(tmp_path))
    elements = Elements(made)

    assert [tag for tag, _ in elements.found].count("script") == 2
    assert "img" not in [tag for tag, _ in elements.found]
    assert HOSTILE in elements.text
    told = run_in_page(made, WALK.replace("return {", "return { hacked: typeof hacked,"), tmp_path)
    assert told["hacked"] == "undefined"
    assert any(HOSTILE in title for row in told["shown"] for side in row["places"]
               for title in side.values())


def test_verify_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--format html` writes it to a file."""
    target = tmp_path / "page.html"
    code = run(["verify", FLAWED, "--only", "unresolved-tie", "-q", "--format", "html",
                "-o", str(target)])
    capsys.readouterr()

    assert code == 1
    assert target.read_text("utf-8").startswith("<!DOCTYPE html>")
