"""The language page says what is so: its games run, and its fragments are of the language."""

import json
import re
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from ruleproof.checker.engine.program import Program
from ruleproof.checker.points.points import points_of
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.search.perft import perft
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.game.sentences import check_texts
from ruleproof.model.game.texts import Texts
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.plays.board import values_by_name
from ruleproof.model.rules import words
from ruleproof.model.source import fields
from ruleproof.model.source.errors import Reporter, SpecErrors
from ruleproof.model.source.shape import check, schema
from ruleproof.model.source.tree import SpecNode, to_plain
from ruleproof.model.source.yaml_file import read_yaml
from ruleproof.model.views.lint import lint
from ruleproof.tests.support.places import ROOT

PAGE = (ROOT / "spec" / "LANGUAGE.md").read_text("utf-8")
BLOCKS = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
GAMES = [block for block in BLOCKS if not block.startswith("# fragment")]
FRAGMENTS = [block for block in BLOCKS if block.startswith("# fragment")]
STATES = {
    "jugs": (16, 0),  # see test_known_games.py
    "last-match": (14, 2),  # 7 and 6 matches with one player to move, 5 to 0 with either: 2 + 6*2
    # cards are dealt: 1, 2, 3, 5, 6 ways; each guest has one snack that may be eaten, or none is
    # before the deal, one card dealt, six deals, and four more after a trade that the holder of the
    # princess cannot begin, at 0:0, 1:0 and 0:1; at 1:1 either may begin; four results, three hands
    "three-at-court": (3 * (1 + 3 + 6 + 4) + 2 * (1 + 3) + 2 * 6 + 4 * 3, 4 * 3),
    "tea-and-biscuits": (1 + 2 + 3 + 5 + 6 + 6 * 2 + 6 * 2 * 2, 24),
}
"""States and final states of the games on the page."""

SENTENCES: Any = to_plain(
    read_yaml(ROOT / "tests" / "sentences.yaml", Reporter()) or pytest.fail("unreadable"))
BASE: dict[str, Any] = {
    "game": "said", "title": "What the page says", "players": {"count": 2},
    "steps": {"game": {}, "step": {}}, "start": "game", "clauses": [],
}


ABLE = """
game: able
title: Able
players: {count: 2}
families: {trick: {}}
zones:
  deck: {holds: trick, kind: deck, starts: all, seen_by: none}
  hand: {holds: trick, kind: bag, per: player}
  gone: {holds: trick, kind: bag}
state: {coins: {type: int 0..9, per: player, start: 3}, active: {type: player, start: 1}}
pools: {crew: {per: player, capacity: 1, fields: {tired: bool, chosen: bool}}}
steps: {game: {}, jinxing: {params: {p: player}}}
windows: {tricks: {by: active, done: play none}}
start: game
"""
FINDING = """
  - id: deal
    kind: setup
    says: a worker and a trick each
    on: game
    do: |
      for p in clockwise(active):
        draw(1, deck, hand[p])
        new(crew[p], tired=False, chosen=False)
        active = p
        tricks()
      end_game()
  - id: jinx
    kind: effect
    says: a jinx tires a worker
    on: jinxing
    do: |
      w = choose(crew[p], by=p)
      w.chosen = True
      for r in crew[p]:
        if r.chosen:
          r.tired = True
"""

HOMES = {
    "function": ("FUNCTIONS", ("rules.functions",)),
    "statement": ("VERBS", tuple(f"planning.{file}" for file in (
        "moving", "drawing", "recording", "ending"))),
    "maker": ("MAKERS", tuple(f"planning.{file}" for file in (
        "choosing", "drawing", "recording"))),
}
"""For each sort of words, the tables of the files that do them."""


def named(block: str) -> str:
    """Return the name of a game, or the first name in a fragment."""
    found = re.search(r"^(?:game: |- id: |  )([\w.-]+)", block, re.MULTILINE)
    return found[1] if found else ""


@pytest.mark.parametrize("block", GAMES, ids=named)
def test_games_load_and_are_explored(block: str, tmp_path: Path) -> None:
    """Every whole game is free of errors and warnings, and explored to its end."""
    (tmp_path / "game.yaml").write_text(block, "utf-8")
    found = lint(str(tmp_path))
    game = compile_game(load_game(str(tmp_path)))
    result = Exploration(Program(game.machine)).run()

    assert found.errors + found.warnings == ()
    assert (result.states, result.final) == STATES[game.game.id]
    assert result.complete
    assert (result.notes, result.broken, result.endless, result.stuck) == ({}, {}, {}, {})


@pytest.mark.parametrize("block", FRAGMENTS, ids=named)
def test_fragments_are_of_the_language(block: str, tmp_path: Path) -> None:
    """Every fragment fits the schema, and its texts can be parsed."""
    lines = "".join(f"  {line}\n" for line in block.splitlines())
    file = tmp_path / "fragment.yaml"
    file.write_text(f"clauses:\n{lines}" if "\n- " in block[:20] else block, "utf-8")
    report = Reporter()
    node = read_yaml(file, report) or SpecNode({}, report.diagnostics[0].place)
    check(node, report)
    lists: list[SpecNode] = [*fields.entries(node, "variants").values()]
    for point in fields.items(node, "open_points"):
        lists += fields.items(point, "readings")
    if "clauses" in fields.entries(node):
        added = fields.entries(node)["clauses"]
        lists.append(fields.mapping({"add": added}, added.place))
    for changes in lists:
        check_texts(changes, Texts(), report)

    assert [each.message for each in report.diagnostics] == []


def test_the_abilities_of_the_page_run(tmp_path: Path) -> None:
    """Its cards do what they say: one tires a worker that its step finds by a mark."""
    (fragment,) = (each for each in FRAGMENTS if "abilities:" in each)
    (tmp_path / "game.yaml").write_text(ABLE + fragment + FINDING, "utf-8")
    compiled = compile_game(load_game(str(tmp_path)))
    run = Exploration(Program(compiled.machine))

    assert run.run().complete
    boards = [values_by_name(compiled.machine, run.program.unpack(each)) for each in run.order]
    assert {str(board["crew.tired"]) for board in boards if board["coins"] == {
        "player 1": 3, "player 2": 3}} > {str({"player 1": [False], "player 2": [False]})}
    assert any(board["coins"] == {"player 1": 2, "player 2": 3} for board in boards)


def game_of(said: dict[str, Any]) -> str:
    """Write the game of a sentence."""
    given = {key: value for key, value in said.items() if key not in EXPECTED}
    if "do" in given:
        clause = {"id": "it", "kind": "effect", "says": "it", "on": "game", "do": given.pop("do")}
        given["clauses"] = [clause, *given.get("clauses", ())]
    for name, entry in given.get("state", {}).items():
        given["state"][name] = {"type": entry} if isinstance(entry, str) else entry
    return json.dumps(BASE | given)


EXPECTED = ("page", "scope", "ends", "fails", "points", "perft", "error")


@pytest.mark.parametrize("said", SENTENCES, ids=lambda said: said["page"][:40])
def test_a_sentence_is_so(said: dict[str, Any], tmp_path: Path) -> None:
    """What the page says in a sentence is what becomes of a game that shows it."""
    (tmp_path / "game.yaml").write_text(game_of(said), "utf-8")
    settings = Settings(scope=said.get("scope", "printed"))
    assert said["page"] in " ".join(PAGE.split())
    if "error" in said:
        with pytest.raises(SpecErrors) as caught:
            compile_game(load_game(str(tmp_path), settings))
        assert [each.code for each in caught.value.diagnostics] == [said["error"]]
        return
    compiled = compile_game(load_game(str(tmp_path), settings))
    machine = compiled.machine
    program = Program(machine)
    exploration = Exploration(program)
    result = exploration.run()
    finals = [values_by_name(machine, program.unpack(packed)) for packed in exploration.order
              if program.kind(packed) == "final"]

    assert result.complete
    assert {duty.prompt for duty in machine.obligations if duty.id in result.notes} == set(
        said.get("fails", ()))
    if "ends" in said:
        wanted = [{name: end[name] for name in said["ends"][0]} for end in map(plain, finals)]
        assert sorted(map(str, wanted)) == sorted(map(str, said["ends"]))
    if "points" in said:
        assert [point.id for point in points_of(compiled)] == said["points"]
    if "perft" in said:
        assert [each.plays for each in perft(program, len(said["perft"]))][1:] == said["perft"]


def plain(values: dict[str, Any]) -> dict[str, Any]:
    """Write values as `sentences.yaml` does: what each player has as a list, in order of seats."""
    return {name: list(value.values()) if isinstance(value, dict) else value
            for name, value in values.items()}


def test_every_word_of_the_language_is_explained() -> None:
    """Sections, fields of clauses and windows, functions, statements: the page has them all."""
    whole = schema()
    known = {
        *whole["properties"],
        *whole["$defs"]["clause"]["properties"],
        *whole["$defs"]["window"]["properties"],
        *whole["$defs"]["change_list"]["properties"],
        *words.WORDS,
        *words.TYPES,
    }

    assert sorted(word for word in known if not re.search(rf"`[^`\n]*\b{word}\b", PAGE)) == []


def test_every_call_on_the_page_is_in_the_table() -> None:
    """What the page writes as a call is a word of the language, or a name of some spec."""
    part = PAGE[PAGE.index("\n## Bodies"):PAGE.index("\n## Windows")]
    spans = re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", part, flags=re.DOTALL))
    called = {name for span in spans for name in re.findall(r"(?<![.\w])(\w+)\(", span)}

    assert called - {"STEP", "WINDOW"} <= words.WORDS


@pytest.mark.parametrize("sort", HOMES)
def test_every_word_is_done_by_its_file(sort: str) -> None:
    """The file that the table names does the word, and no file does a word that it has not."""
    table, files = HOMES[sort]
    done = {(name, file) for file in files
            for name in vars(import_module(f"ruleproof.model.{file}"))[table]}

    assert done == {(word.name, word.home) for word in words.TABLE if word.sort == sort}


def test_links_lead_somewhere() -> None:
    """Each link within the page names one of its headings."""
    headings = re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    anchors = {re.sub(r"[^\w -]", "", each).lower().replace(" ", "-") for each in headings}

    assert set(re.findall(r"\]\(#([\w-]+)\)", PAGE)) <= anchors


def test_the_scopes_that_verify_takes(tmp_path: Path) -> None:
    """Scopes that set anything are explored; those that only choose modes are listed."""
    scopes = {
        "more": {"players": 3}, "less": {"constants": {"most": 1}}, "begun": {"state": {"n": 1}},
        "other": {"rulings": {"firing/r": "once-per-change"}},
    }
    said = {
        "players": {"min": 2, "max": 3, "default": 2}, "constants": {"most": 2},
        "state": {"n": "int 0..9"}, "do": "n = most", "scopes": scopes,
        "clauses": [
            {"id": "r", "kind": "effect", "says": "r", "whenever": "n == 2", "do": "n = 3"}],
    }
    (tmp_path / "game.yaml").write_text(game_of(said), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("deadlock",))

    assert [each.scope for each in report.explored] == [
        "printed", "more", "less", "begun"]
    assert [each.what for each in report.not_checked if "scope" in each.what] == ["scope other"]
