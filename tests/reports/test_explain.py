"""Explaining: everything that a game has can be told, whatever it has."""

from pathlib import Path

import pytest

from ruleproof.checker.points.points import points_of
from ruleproof.checker.points.silences import silences_of
from ruleproof.cli.app import run
from ruleproof.model.game.game import Settings
from ruleproof.model.game.unparse import encoding
from ruleproof.model.game.uses import users
from ruleproof.model.loading.load import bundled, load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.model.plays.board import JSON
from ruleproof.model.silences.aspects import ASPECTS
from ruleproof.model.source.errors import CODES, HELPS
from ruleproof.model.views.draw import FORMATS
from ruleproof.model.views.lint import lint
from ruleproof.model.views.silences import decisions
from ruleproof.model.views.trace import compare, trace
from ruleproof.reports.blocks.boards import board_of
from ruleproof.reports.blocks.paper import Paper, cells, draw
from ruleproof.reports.formats.explain import explain, topics_of
from ruleproof.tests.support.games import compiled as compiled_game
from ruleproof.tests.support.games import often
from ruleproof.tests.support.kennel import KENNEL
from ruleproof.tests.support.little import DUEL, JUGS, write
from ruleproof.tests.support.places import TESTS

PAPER = Paper(72)


@pytest.fixture
def kennel(tmp_path: Path) -> Compiled:
    """Compile a game that has a little of everything, in a mode of its own."""
    folder = write(tmp_path / "kennel", KENNEL)
    return compile_game(load_game(str(folder), Settings(variants=("nightly",))))


@pytest.mark.parametrize("source", often(
    "edition-wars", of=[KENNEL, DUEL, JUGS, *bundled()]))
def test_everything_can_be_told(tmp_path: Path, source: str) -> None:
    """Every topic of a game gives lines that fit on the paper."""
    name = source if source in bundled() else str(write(tmp_path / "game", source))
    compiled = compiled_game(name)
    topics = topics_of(compiled, PAPER, points=points_of(compiled))
    for topic in topics:
        lines = explain(topics, topic.ids[0], PAPER)
        assert lines, topic.ids
        assert all(cells(line) <= 72 for line in lines), topic.ids


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("wolf", "ability howl:"),
        ("wolf", "wild_at wild, loud yes"),
        ("pug", "wild_at none, loud no"),
        ("pug", "assumed, not printed in the rulebook: all of it"),
        ("yard", "at most 2 records for each player: card (card dog), hurt (int 0..3)"),
        ("street", "at most 1 records: card (card dog)"),
        ("walk", "who acts: players; order clockwise; one action or a pass each; or: stay at home"),
        ("growl", "round and round until all have passed"),
        ("bark", "Barking; who acts: active; something has to be done"),
        ("k.home", "must: let_out"),
        ("k.hurt", "timing: at once"),
        ("k.most", "equals: 6"),
        ("k.most", "given: b: int 0..3 for each player"),
        ("k.none", "never: any("),
        ("k.end", "ensure: all("),
        ("k.quiet", "when: night"),
        ("reward", "another name for bone"),
        ("mood", "one of calm, wild"),
        ("barking", "players, nobody at the start"),
        ("choose", "choose(DOMAIN, by=p"),
        ("draw", "a card by chance (maker)"),
        ("bones", "int 0..9, one for each player, 0 at the start"),
        ("nightly", "everything happens at night"),
        ("one", "one of each"),
        ("dog", "2 kinds of cards, 5 cards"),
        ("round", "A round"),
        ("hurt", "int 0..3; each of the records of `yard` has one"),
        ("yard.hurt", "used by: "),
        ("bite", "int 0..3; each of the cards of `dog` has one"),
    ],
)
def test_what_is_said(kennel: Compiled, name: str, said: str) -> None:
    """Records, card texts, shared windows, claims of every form, modes."""
    topics = topics_of(kennel, Paper(200), points=points_of(kennel))

    assert said in "\n".join(explain(topics, name, Paper(200)))


@pytest.mark.parametrize("aspect", ASPECTS)
def test_an_aspect_is_told_with_all_that_decides_it(kennel: Compiled, aspect: str) -> None:
    """Each clause that decides it stands there, and each question about it; or that none does."""
    points = points_of(kennel)
    shown = "\n".join(explain(topics_of(kennel, Paper(200), points=points), aspect, Paper(200)))
    named = {each.clause for each in decisions(kennel.game) if each.aspect == aspect}
    asked = {each.id for each in points if each.id.startswith(f"{aspect}/")}

    assert shown.startswith(f"aspect {aspect}\n")
    assert f"{ASPECTS[aspect].asks}?" in shown
    assert all(f"- {name}, " in shown for name in named)
    assert all(name in shown for name in asked)
    assert ("no clause of this game" in shown) == (not named | asked)


def test_errors_of_rules_are_told_with_what_can_be_done(kennel: Compiled) -> None:
    """A code says more than its title."""
    topics = topics_of(kennel, Paper(900))
    codes = [code for code in CODES if code.startswith("RP2") and code < "RP250"]

    assert set(HELPS) == set(codes)
    assert all(f". {HELPS[code]}" in explain(topics, code, Paper(900))[1] for code in codes)


def test_derived_questions_are_told_by_aspect_and_clause(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """What sentences do not say goes by ASPECT/CLAUSE, as orders do, decided or not."""
    joust = str(TESTS / "specs" / "joust")
    asked = silences_of(compiled_game(joust).game)
    assert any(each.decided for each in asked)
    for each in asked:
        aspect = each.id.partition("/")[0]
        for name in (each.id, *(f"{aspect}/{clause}" for clause in each.clauses)):
            assert run(["explain", joust, name]) == 0
            shown = " ".join(capsys.readouterr().out.split())
            assert f"open point {each.id}" in shown
            assert " ".join(f"decided by {each.decided}".split()) in shown or not each.decided


def test_a_clause_of_a_mode_that_is_not_chosen_says_so(tmp_path: Path) -> None:
    """It is told all the same."""
    compiled = compile_game(load_game(str(write(tmp_path / "kennel", KENNEL))))
    topics = topics_of(compiled, PAPER)

    assert "not in force" in "\n".join(explain(topics, "k.dark", PAPER))
    traced = {one.id: one for one in trace(compiled).clauses}
    assert not traced["k.dark"].in_force


def test_users_include_windows_and_cards(kennel: Compiled) -> None:
    """What mentions a name is listed with its place in the spec."""
    found = users(kennel.game)

    assert "windows.growl" in found["active"]
    assert "cards.dog.wolf" in found["bones"]
    assert "score" in found["bones"]


def test_a_game_without_a_rulebook_has_no_sentences(kennel: Compiled) -> None:
    """Nothing is missing, and no file is the right one."""
    assert trace(kennel).sentences == ()
    assert compare(kennel.game, b"") == ("the spec names no rulebook",)


def test_every_field_is_written(kennel: Compiled) -> None:
    """The encoding of a clause shows every field that is set."""
    shown = "\n".join(line for clause in kennel.game.clauses for line in encoding(clause))

    for field in ("on", "option", "must", "with", "when", "whenever", "timing", "do", "ensure",
                  "always", "never", "reachable", "maximum", "given", "such_that", "equals",
                  "after", "before"):  # fmt: skip
        assert f"{field}: " in shown or f"{field}:\n" in shown, field


def test_the_kennel_lints(tmp_path: Path) -> None:
    """The game of these tests has no errors and nothing forgotten."""
    found = lint(str(write(tmp_path / "kennel", KENNEL)))

    assert ([*found.errors], [(w.code, "barking" in w.message) for w in found.warnings]) == (
        [], [("RP254", True)])  # no rule reads it; it is there to be drawn


def test_records_are_drawn(kennel: Compiled) -> None:
    """Records stand under their players, with what they hold; those of nobody in the middle."""
    state: dict[str, JSON] = {
        "yard.size": {"Keeper 1": 2, "Keeper 2": 0},
        "yard.card": {"Keeper 1": ["Pug", "Wolf"], "Keeper 2": [None, None]},
        "yard.hurt": {"Keeper 1": [0, 2], "Keeper 2": [0, 0]},
        "street.size": 1,
        "street.card": ["Wolf"],
        "barking": {"Keeper 1": False, "Keeper 2": True},
        "night": True,
    }
    lines = [line.text for line in draw(board_of({"state": state}, kennel), Paper(60))]

    assert lines == [
        "           Keeper 1                     Keeper 2",
        "  barking  ·                            yes",
        "  yard     Pug (hurt 0), Wolf (hurt 2)  ·",
        "  night    yes",
        "  street   Wolf",
    ]


@pytest.mark.parametrize("form", FORMATS)
def test_graphs_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str], form: str) -> None:
    """`graph` writes each format, to a file or a pipe."""
    folder = str(write(tmp_path / "kennel", KENNEL))

    assert run(["graph", folder, "--format", form, "-o", str(tmp_path / "out")]) == 0
    assert run(["graph", folder, "--format", form, "--full", "--clauses"]) == 0
    assert len(capsys.readouterr().out) > len((tmp_path / "out").read_text("utf-8"))


def test_a_part_of_a_graph_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--step` names steps and windows; an unknown one is wrong usage."""
    folder = str(write(tmp_path / "kennel", KENNEL))

    assert run(["graph", folder, "--step", "walk"]) == 0
    assert "walk" in capsys.readouterr().out
    assert run(["graph", folder, "--step", "wlak"]) == 2
    assert "did you mean `walk`" in capsys.readouterr().err


def test_a_large_drawing_is_remarked_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beyond what drawing programs take, a smaller part is suggested."""
    monkeypatch.setattr("ruleproof.cli.commands.graph.LARGE", 5)
    folder = str(write(tmp_path / "kennel", KENNEL))

    assert run(["graph", folder, "--full"]) == 0
    assert "leave out --full, or name a --step" in capsys.readouterr().err
