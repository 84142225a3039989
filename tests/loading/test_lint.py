"""`lint`: every error in one run, also in modes that nobody chose; and what nothing uses."""

import json
from itertools import islice
from pathlib import Path

import pytest

from ruleproof.cli.app import run
from ruleproof.model.loading.load import bundled
from ruleproof.model.views.lint import lint, settings_of
from ruleproof.tests.support.formats import check_sarif
from ruleproof.tests.support.places import ROOT

TEMPLATE = ROOT / "spec" / "template"

GOOD = """
game: pebbles
title: Pebbles
players: {count: 2}
constants: {most: 3}
state:
  heap: {type: int 0..9, start: 9}
  active: {type: player, start: 1}
steps: {game: {}, turn: {}}
start: game
windows: {taking: {by: active, forced: true}}
clauses:
- {id: order, kind: order, says: turns alternate, on: game, do: "while heap > 0:\\n  turn()\\n  active = next_player(active)"}
- {id: turn, kind: effect, says: pebbles are taken, on: turn, do: taking()}
- id: take
  kind: permit
  says: one to three
  on: taking
  option: take
  with: {n: "n for n in range(1, most + 1) if n <= heap"}
  do: heap -= n
  uses: [pebble]
vocabulary: {pebble: {means: a small stone}}
"""  # noqa: E501


DRAFTED = """
open_points:
- id: how-many
  clauses: [take]
  asks: how many pebbles may be taken
  readings:
  - {id: three, title: three, draft: Nobody may keep a spare pebble., changes: {}}
  - {id: four, title: four, draft: Spare pebbles may be taken., changes: {take: {says: any}}}
"""


def spec(tmp_path: Path, text: str) -> str:
    """Write a game, and give its folder."""
    folder = tmp_path / "pebbles"
    folder.mkdir()
    (folder / "game.yaml").write_text(text, "utf-8")
    return str(folder)


def test_a_good_spec_has_nothing(tmp_path: Path) -> None:
    """Nothing is said about a game in which all is used."""
    found = lint(spec(tmp_path, GOOD))

    assert (found.errors, found.warnings, found.settings) == ((), (), 1)


EVERY = 16
"""Of a bundled game one setting in so many is tried in the suite, all in the campaign."""


@pytest.mark.parametrize(("name", "every"), [
    (str(TEMPLATE), 1), *((name, EVERY) for name in bundled()[:1]),
    *(pytest.param(name, 1, marks=[pytest.mark.campaign]) for name in bundled())])
def test_what_comes_along_has_no_errors(
    name: str, every: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bundled games and the template lint without errors, under every setting."""
    monkeypatch.setattr("ruleproof.model.views.lint.settings_of",
                        lambda root: islice(settings_of(root), 0, None, every))
    found = lint(name)

    assert [str(each.place) + each.message for each in found.errors] == []
    assert found.settings > 1


def test_words_of_drafts_use_nothing(tmp_path: Path) -> None:
    """What the book could print is words, also where a variable has the name of one."""
    spare = GOOD.replace("  heap:", "  spare: {type: bool, start: False}\n  heap:")
    found = lint(spec(tmp_path, spare + DRAFTED))

    assert [each.code for each in found.warnings] == ["RP251"]


@pytest.mark.parametrize(
    ("change", "code", "said"),
    [
        (("  heap:", "  spare: {type: bool, start: False}\n  heap:"), "RP251", "variable `spare`"),
        (("constants: {most: 3}", "constants: {most: 3, least: 1}"), "RP251", "constant `least`"),
        (("turn: {}}", "turn: {}, rest: {}}"), "RP251", "nothing runs the step `rest`"),
        (("pebble: {", "rock: {means: a big one}, pebble: {"), "RP252", "term `rock`"),
        (("clauses:", "clauses:\n- {id: idle, kind: define, says: nothing}"), "RP250", "`idle`"),
        (
            ("clauses:", "rulebook: {file: x, lines: 4, outline: {'2': 2}}\nclauses:"),
            "RP253",
            "line 2",
        ),
    ],
)
def test_what_nothing_uses_is_told(
    tmp_path: Path, change: tuple[str, str], code: str, said: str
) -> None:
    """A warning says what is of no use, and points at it."""
    found = lint(spec(tmp_path, GOOD.replace(*change)))

    assert found.errors == ()
    assert [each.code for each in found.warnings] == [code]
    assert said in found.warnings[0].message


@pytest.mark.parametrize(("written", "name", "meant"), [
    ("activ = next_player(active)", "activ", "active"),
    ("Active = next_player(active)", "Active", "active"),
    ("hep = n\nhep -= 1", "hep", "heap"),
    ("for p in players:\n  hep = n", "hep", "heap"),
    ("found = n\nfoumd = 3\nheap = found", "foumd", "found"),
    ("hep = n\nheap -= hep", "", ""),
    ("chosen = n", "", ""),
    ("activ = active\nfor p in players:\n  if p == activ:\n    heap -= n", "", ""),
])
def test_a_name_that_nothing_reads_may_be_misspelt(
    tmp_path: Path, written: str, name: str, meant: str
) -> None:
    """What is set in a body and read nowhere in it is told where it looks like another name."""
    body = "\n    ".join(["", "heap -= n", *written.splitlines()])
    text = GOOD.replace("do: heap -= n", f"do: |{body}")
    found = lint(spec(tmp_path, text))

    assert found.errors == ()
    assert [(each.code, each.message, each.help) for each in found.warnings] == [
        ("RP258", f"nothing reads `{name}`, which is set here", f"did you mean `{meant}`?")][
            : bool(name)]
    for place in (each.place for each in found.warnings):
        lines = text.splitlines()
        assert lines[place.line - 1][place.column - 1 :].startswith(name)
        assert not any(f" {name} = " in line for line in lines[: place.line - 1])


def test_a_misspelt_name_is_found_in_a_reading_too(tmp_path: Path) -> None:
    """A body that only another answer has is looked at like any other."""
    found = lint(spec(tmp_path, GOOD + """
open_points:
- id: how
  clauses: [take]
  asks: how many
  readings:
  - {id: all, title: all, changes: {}}
  - {id: none, title: none, changes: {take: {do: hep = n}}}
"""))

    assert [each.code for each in found.warnings] == ["RP258"]


READING = """
open_points:
- id: hand
  clauses: [take]
  asks: with which hand
  readings:
  - {id: any, title: any, changes: {}}
  - {id: told, title: the left or the right, changes: {take: {with: {n: "n for n in range(1, 4) if n <= heap"HAND}}}}
"""  # noqa: E501


@pytest.mark.parametrize(("hand", "codes"), [("", []), (", hand: players", ["RP255"])])
def test_a_reading_does_not_rename_moves(tmp_path: Path, hand: str, codes: list[str]) -> None:
    """With one parameter more, each move of the option is another one, whatever it does."""
    found = lint(spec(tmp_path, GOOD + READING.replace("HAND", hand)))

    assert [each.code for each in (*found.errors, *found.warnings)] == codes


CARDS = """
families: {stone: {}}
zones: {bag: {holds: stone, kind: bag, starts: all}}
cards: {stone: {red: {copies: 0}, blue: {COPIES}}}
"""


@pytest.mark.parametrize(("copies", "starts", "codes"), [
    ("", ", starts: all", ["RP260"]), ("copies: 2", ", starts: all", []), ("", "", [])])
def test_a_card_without_a_number_is_told_where_cards_lie_from_the_start(
    tmp_path: Path, copies: str, starts: str, codes: list[str]
) -> None:
    """No number of copies is none at all, which may be meant only if it is written."""
    cards = CARDS.replace("COPIES", copies).replace(", starts: all", starts)
    used = GOOD.replace("do: heap -= n", "do: heap -= n + size(bag)")
    found = lint(spec(tmp_path, used + cards))

    assert found.errors == ()
    assert [each.code for each in found.warnings] == codes


@pytest.mark.parametrize(("over", "codes"), [("turn", []), ("", ["RP256"])])
def test_who_says_that_nothing_is_done_says_instead_of_what(
    tmp_path: Path, over: str, codes: list[str]
) -> None:
    """A body that does nothing has an effect only where it takes the place of another one."""
    clause = ("\n- {id: none, kind: effect, says: without pebbles nothing is done, on: turn, "
              f"overrides: [{over}], when: heap == 0, do: pass}}")
    found = lint(spec(tmp_path, GOOD.replace("clauses:", "clauses:" + clause)))

    assert [each.code for each in (*found.errors, *found.warnings)] == codes


def test_a_step_that_only_a_variant_runs_is_of_use(tmp_path: Path) -> None:
    """What some setting runs is not told as something that nothing runs."""
    rest = """- id: rest
  kind: variant
  says: a turn ends with a rest
  only_in: [slow]
  on: turn
  after: [turn]
  do: rest()
- {id: idle, kind: variant, says: nobody moves, only_in: [slow], on: rest, do: heap = heap}
"""
    text = GOOD.replace("turn: {}}", "turn: {}, rest: {}}").replace("vocab", rest + "vocab")

    found = lint(spec(tmp_path, text + "variants: {slow: {title: Slowly, clause: rest}}\n"))

    assert (found.errors, found.warnings) == ((), ())


def test_a_mistake_in_a_reading_that_nobody_adopts_is_found(tmp_path: Path) -> None:
    """Every reading of every open point is compiled, every variant, every scope."""
    broken = (
        GOOD
        + """
open_points:
- id: amount
  clauses: [take]
  asks: how many
  readings:
  - {id: three, title: three, changes: {}}
  - {id: all, title: all, changes: {take: {do: heap -= True}}}
"""
    )
    found = lint(spec(tmp_path, broken))

    assert [each.code for each in found.errors] == ["RP210"]
    assert found.settings == 2


def test_modes_that_cannot_be_chosen_alone_are_looked_at_with_what_they_need(
    tmp_path: Path
) -> None:
    """A variant that needs another one is no mistake; one in it is found."""
    modes = (
        GOOD
        + """
variants:
  fast: {title: fast}
  faster: {title: faster, needs: [fast]}
"""
    )
    found = lint(spec(tmp_path, modes))

    assert (found.errors, found.warnings, found.settings) == ((), (), 3)

    wrong = "changes: {take: {do: heap -= stones}}, needs: [fast]"
    (tmp_path / "pebbles" / "game.yaml").write_text(modes.replace("needs: [fast]", wrong), "utf-8")

    assert [each.message for each in lint(str(tmp_path / "pebbles")).errors] == [
        "unknown name `stones`"]


@pytest.mark.parametrize(("modes", "why"), [
    ("fast: {excludes: [slow]}, slow: {}, both: {needs: [fast, slow]}",
     "`both` needs `fast` and `slow`, and the variant `fast` excludes `slow`"),
    ("both: {when: most > 3}",
     ("the variant `both` is not for this game: "
     "with its cards and 2 players `most > 3` does not hold")),
    ("both: {excludes: [both]}", "the variant `both` excludes `both`"),
    ("fast: {when: most < 4}, slow: {excludes: [fast]}, both: {needs: [fast]}", ""),
])
def test_a_mode_that_can_never_be_chosen_is_told(tmp_path: Path, modes: str, why: str) -> None:
    """A mode that clashes with what it needs, or is for no game of the spec, is of no use."""
    found = lint(spec(tmp_path, f"{GOOD}variants: {{{modes}}}\n"))
    told = [each.message for each in found.warnings if each.code == "RP261"]

    assert found.errors == ()
    assert told == ([f"the variant `both` can never be chosen: {why}"] if why else [])


@pytest.mark.parametrize(("most", "codes"), [(4, []), (3, ["RP242"])])
def test_a_scope_whose_modes_are_for_other_games_is_an_error(
    tmp_path: Path, most: int, codes: list[str]
) -> None:
    """What a mode is for is held against the numbers of the scope."""
    modes = ("variants: {quick: {when: most > 3, constants: {most: 4}}}\n"
             f"scopes: {{tiny: {{constants: {{most: {most}}}, variants: [quick]}}}}\n")
    found = lint(spec(tmp_path, GOOD + modes))

    assert [each.code for each in (*found.errors, *found.warnings)] == codes


def test_errors_are_shown_with_their_lines(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each error has file, line, column, code, an excerpt and a caret; status 2."""
    folder = spec(tmp_path, GOOD.replace("heap -= n", "heap -= nn").replace("heap > 0", "pile > 0"))
    code = run(["lint", folder])
    out, err = capsys.readouterr()

    assert code == 2
    assert f"{folder}/game.yaml:13:72: RP220" in out
    assert f"{folder}/game.yaml:21:15: RP220" in out
    assert "      ^" in out
    assert "2 errors" in err


def test_warnings_fail_only_if_asked(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--strict` turns warnings into a failure."""
    folder = spec(tmp_path, GOOD.replace("{most: 3}", "{most: 3, least: 1}"))

    assert run(["lint", folder]) == 0
    assert "RP251 warning: nothing uses the constant `least`" in capsys.readouterr().out
    assert run(["lint", folder, "--strict"]) == 1


def test_what_was_looked_over_is_looked_over_again_if_it_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of the same files the same is told without a look; of others, what is in them."""
    monkeypatch.setenv("RULEPROOF_CACHE", str(tmp_path / "kept"))
    folder = spec(tmp_path, GOOD)
    first = run(["lint", folder, "--format", "json"]), capsys.readouterr().out
    with monkeypatch.context() as patched:
        patched.setattr("ruleproof.cli.commands.lint.look", None)
        assert (run(["lint", folder, "--format", "json"]), capsys.readouterr().out) == first

    (tmp_path / "pebbles" / "game.yaml").write_text(GOOD + "nonsense: 1\n", "utf-8")
    assert run(["lint", folder, "--format", "json"]) == 2
    assert json.loads(capsys.readouterr().out) != json.loads(first[1])


def test_several_paths_and_files_are_looked_at(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder of games, a file of a game, and the same game twice all mean what they say."""
    folder = spec(tmp_path, GOOD)

    assert run(["lint", str(tmp_path), f"{folder}/game.yaml"]) == 0
    assert capsys.readouterr().err.count("pebbles: 0 errors") == 1


def test_the_formats_for_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """JSON and SARIF hold the same errors and warnings, with their places."""
    folder = spec(tmp_path, GOOD.replace("heap -= n", "heap -= nn"))

    assert run(["lint", folder, "--format", "json"]) == 2
    (found,) = json.loads(capsys.readouterr().out)
    assert [(each["code"], each["line"]) for each in found["errors"]] == [("RP220", 21)]
    assert run(["lint", folder, "--format", "sarif"]) == 2
    results = check_sarif(json.loads(capsys.readouterr().out))
    assert [each["ruleId"] for each in results] == ["RP220"]


def test_no_game_is_wrong_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A path without a game is told in one line."""
    assert run(["lint", str(tmp_path)]) == 2
    assert capsys.readouterr().err.startswith("error: no game.yaml in")


SCENE = """
game: squad
title: A squad
players: {count: 2}
enums: {mood: [calm, cross]}
families: {toy: {attributes: {}}}
cards: {toy: {kite: {copies: 3}, drum: {copies: 1}}}
zones:
  box: {holds: toy, kind: deck, starts: all}
  hand: {holds: toy, kind: bag, per: player, seen_by: owner}
state:
  active: {type: player, start: 1}
  face: {type: mood, start: calm}
  asked: {type: players}
pools: {gang: {per: player, capacity: 2, fields: {card: card toy, harm: int 0..3}}}
steps: {game: {}, turn: {params: {target: player}}}
windows: {play: {by: active, done: rest}}
start: game
clauses:
- {id: over, kind: order, says: one turn, on: game, do: "turn(next_player(active))\\nend_game()"}
- {id: turn, kind: effect, says: a toy is played, on: turn, when: target != active, do: play()}
- id: give
  kind: permit
  says: toys are swapped for harm
  on: play
  option: give
  with: {t: "c for c in hand[actor]", r: "gang[actor]"}
  when: face != calm and actor not in asked and r.card == t
  do: |
    move(t, hand[actor], box)
    draw(1, box, hand[actor])
    back = choose_cards(hand[actor], by=actor, at_most=2, ask="Which do you give back?")
    move_all(back, hand[actor], box)
    r.harm += 1
    face = cross
    asked |= {actor}
- id: scene
  kind: example
  says: two kites
  example:
    at: turn
    state:
      active: Player 1
      face: cross
      asked: [Player 2]
      hand:
        Player 1: {kite: 2}
        Player 2: [drum]
      gang:
        Player 1: [{card: kite, harm: 1}]
      target: Player 2
    moves:
    - give: {t: kite, r: 1}
    expect: active in asked
"""
HEAD = SCENE[: SCENE.index("    at: turn")].count("\n") + 1
"""The line of the file in which the scene begins."""


@pytest.mark.parametrize(("old", "new", "place", "said", "expected"), [
    ("cross", "cross", None, "", ""),
    ("active: Player 1", "active: Player 3", (2, 15), "`active` cannot be `Player 3`", "player 1"),
    ("face: cross", "face: crosss", (3, 13), "`face` cannot be `crosss`", "`cross`"),
    ("[Player 2]", "[Player 2, Nobody]", (4, 25), "`asked` cannot be `Nobody`", "`player 1`"),
    ("{kite: 2}", "{kit: 2}", (6, 20), "`hand` cannot be `kit`", "did you mean `kite`?"),
    ("{kite: 2}", "{kite: two}", (6, 20), "a number of cards", ""),
    ("{kite: 2}", "{kite: 4}", (6, 9), "the scene has 4 × kite", ""),
    ("{kite: 2}", "{kite: 3}", (1, 5), "the scene has 4 × kite; the game has 3", ""),
    ("Player 2: [drum]", "Player 2: [drumm]", (7, 20), "cannot be `drumm`", "`drum`"),
    ("Player 2: [drum]", "Player 4: [drum]", (7, 9), "cannot be `Player 4`", "player"),
    ("      hand:", "      hands:", (5, 7), "the game has no `hands`", "`hand`"),
    ("{card: kite, harm: 1}", "{card: kite, hurt: 1}", (9, 33), "have no `hurt`", "`card`"),
    ("{card: kite, harm: 1}", "{card: kite, harm: 7}", (9, 33), "cannot hold 7", ""),
    ("target: Player 2", "victim: Player 2", (10, 7), "has no `victim`", ""),
    ("t: kite, r: 1", "t: kit, r: 1", (12, 17), "`t` cannot be `kit`", "did you mean `kite`?"),
    ("t: kite, r: 1", "t: kite, r: {crd: drum}", (12, 27), "have no `crd`", "`card`"),
    ("t: kite, r: 1", "t: kite, r: {card: drun}", (12, 33), "cannot be `drun`", "`drum`"),
    ("t: kite, r: 1", "t: kite, s: 1", (12, 23), "`give` takes t, r", ""),
    ("give:", "gift:", (12, 7), "the game has no move `gift`", "`give`"),
    ("give: {t: kite, r: 1}", "gift", (12, 7), "the game has no move `gift`", "`give`"),
    ("give: {t: kite, r: 1}", "choose: drun", (12, 15), "no choice can be `drun`", "`drum`"),
    ("give: {t: kite, r: 1}", "choose: [kite, drun]", (12, 22), "no choice can be", "`drum`"),
    ("give: {t: kite, r: 1}", "choose: kite", None, "", ""),
    ("give: {t: kite, r: 1}", "chance: kitt", (12, 15), "chance can never be", "`kite`"),
    ("give: {t: kite, r: 1}", "rest", None, "", ""),
    ("at: turn", "at: 'turn: nowhere'", (0, 9), "happens at `turn: nowhere`", "`turn"),
])
def test_what_an_example_names_and_the_game_has_not_is_told_with_its_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], *, old: str, new: str,
    place: tuple[int, int] | None, said: str, expected: str
) -> None:
    """With file, line and column of the value or its key, and what could stand there."""
    cut = SCENE.index("    at: turn")
    folder = spec(tmp_path, SCENE[:cut] + SCENE[cut:].replace(old, new))
    code = run(["lint", folder, "--strict", "--format", "json"])
    (found,) = json.loads(capsys.readouterr().out)
    told = [(each["code"], each["line"] - HEAD, each["column"]) for each in found["warnings"]]

    assert found["errors"] == []
    assert told == ([] if place is None else [("RP257", *place)])
    assert code == bool(place)
    assert place is None or said in found["warnings"][0]["message"]
    assert place is None or expected in found["warnings"][0]["help"]


def test_what_an_example_expects_is_read_with_the_rules(tmp_path: Path) -> None:
    """A name that nothing has is an error there, too."""
    found = lint(spec(tmp_path, SCENE.replace("expect: active in asked", "expect: active in aske")))

    assert [(each.code, each.place.line, each.place.column) for each in found.errors] == [
        ("RP220", HEAD + 13, 23)]


@pytest.mark.parametrize(("text", "code"), [
    ("", "RP121"), ("# nothing yet\n", "RP121"), ("- a\n", "RP122"), ("hello\n", "RP122")])
def test_a_file_that_is_no_game_is_one_error(tmp_path: Path, text: str, code: str) -> None:
    """What other files name is not missed in a file that is empty, or a list, or a word."""
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    (tmp_path / "clauses.yaml").write_text(
        "clauses:\n- {id: a, kind: effect, says: it acts, on: game, do: left = 1}\n", "utf-8")

    assert [each.code for each in lint(str(tmp_path)).errors] == [code]


IF = "do: |\n    if 1 == 1:\n      end_game()\n    {} 2 == 2:\n      end_game()"


@pytest.mark.parametrize(("old", "new", "said"), [
    ("do: end_game()", "when: 'not false'\n  do: end_game()", "write `False`"),
    ("do: end_game()", "when: not TRUE\n  do: end_game()", "write `True`"),
    ("do: end_game()", IF.format("else if"), "write `elif`"),
    ("do: end_game()", IF.format("elseif"), "write `elif`"),
])
def test_words_of_other_languages_are_told_in_ours(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    """`false`, `true` and `else if` are common elsewhere; the message says what they are here."""
    text = ("game: ends\nplayers: {count: 2}\nsteps: {game: {}}\nstart: game\nclauses:\n"
            "- id: ends\n  kind: effect\n  says: it ends\n  on: game\n  do: end_game()\n")
    (tmp_path / "game.yaml").write_text(text.replace(old, new), "utf-8")
    (error,) = lint(str(tmp_path)).errors

    assert said in error.help


def test_a_single_setting_is_counted_in_the_singular(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One is a setting, and several are settings."""
    (tmp_path / "game.yaml").write_text(
        "game: ends\nplayers: {count: 2}\nsteps: {game: {}}\nstart: game\nclauses:\n"
        "- {id: ends, kind: effect, says: it ends, on: game, do: end_game()}\n", "utf-8")
    run(["lint", str(tmp_path)])

    assert "compiled under 1 setting\n" in "".join(capsys.readouterr())


def test_a_file_that_is_not_read_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where what stands in it is missed; where no other is, the way to have it read."""
    head, clauses = GOOD.split("clauses:\n")
    (tmp_path / "game.yaml").write_text(head.replace("forced", "clause: turn, forced"), "utf-8")
    (tmp_path / "clauses.yml").write_text(f"clauses:\n{clauses}", "utf-8")
    missing = run(["lint", str(tmp_path)])
    told = capsys.readouterr().out
    (tmp_path / "game.yaml").rename(tmp_path / "game.yml")
    none = run(["verify", str(tmp_path)])

    assert (missing, none) == (2, 2)
    assert f"{tmp_path}/clauses.yml:1:1: RP259 warning: this file is not read" in told
    assert "rename `game.yml`" in capsys.readouterr().err


@pytest.mark.parametrize(("more", "told"), [
    ("", True),
    ("variants: {lazy: {title: lazy, changes: {window:taking: {forced: null}}}}\n", False),
])
def test_a_word_for_passing_is_of_no_use_where_nobody_passes(
    tmp_path: Path, *, more: str, told: bool
) -> None:
    """`done` of a window that is `forced` is told, unless some mode or reading lets one pass."""
    text = GOOD.replace("forced: true", "forced: true, done: take nothing") + more
    found = [each.message for each in lint(spec(tmp_path, text)).warnings]

    assert any("`done` of the window `taking`" in each for each in found) == told


@pytest.mark.parametrize("mistake", [
    "n = heap + nothing", "n = choose(range(1, 3), by=activ)", "n = roll(6, 7, 8)",
    "if heaps > 0:\n      n = 1\n    else:\n      n = 2"])
def test_a_name_that_a_wrong_statement_was_to_set_is_no_second_mistake(
    tmp_path: Path, mistake: str
) -> None:
    """What uses that name later is not told to use an unknown one; another mistake there is."""
    body = f"do: |\n    {mistake}\n    heap -= n\n    heap -= lumps\n"
    text = GOOD.replace("do: heap -= n\n", body).replace("{n: ", "{m: ").replace(
        "n for n in range(1, most + 1) if n <=", "m for m in range(1, most + 1) if m <=")
    found = lint(spec(tmp_path, text))

    assert len(found.errors) == 2, [each.message for each in found.errors]
    assert found.errors[1].message == "unknown name `lumps`"


def test_a_clause_on_a_step_that_nothing_runs_is_no_second_warning(tmp_path: Path) -> None:
    """That nothing runs the step is told, and not that nothing comes of each clause on it."""
    text = GOOD.replace("while heap > 0:\\n  turn()", "while heap > 0:\\n  heap -= 1")
    found = lint(spec(tmp_path, text)).warnings

    assert [each.message for each in found] == [
        "nothing runs the step `turn`", "nothing runs the window `taking`"]


@pytest.mark.parametrize("change", [
    ("windows:", "window:"), ("by: active, forced", "byy: active, forced"), ("steps:", "step:")])
def test_what_was_refused_is_not_missed_elsewhere(
    tmp_path: Path, change: tuple[str, str]
) -> None:
    """Who misspells a section or a key is told of that, and not of each use of what is in it."""
    found = lint(spec(tmp_path, GOOD.replace(*change)))

    assert [each.code for each in found.errors] == ["RP120"]
    assert found.errors[0].help.startswith("did you mean")


def test_a_circle_of_clauses_is_named(tmp_path: Path) -> None:
    """Which clauses are to come before each other is told."""
    more = GOOD.replace("clauses:\n", (
        "clauses:\n- {id: a, kind: effect, says: a, on: turn, do: pass, after: [b]}\n"
        "- {id: b, kind: effect, says: b, on: turn, do: pass, after: [turn]}\n")).replace(
        "on: turn, do: taking()", "on: turn, after: [a], do: taking()")
    (error,) = lint(spec(tmp_path, more)).errors

    assert error.code == "RP230"
    assert error.message.endswith(" runs in a circle: `a` before `b` before `a`")


def test_a_line_of_a_rule_text_is_told_as_that_of_the_file(tmp_path: Path) -> None:
    """Where Python names a line of what it reads, the line of the file stands."""
    body = "do: |\n    if heap > 3:\n    heap -= n\n"
    (error,) = lint(spec(tmp_path, GOOD.replace("do: heap -= n\n", body))).errors
    line = GOOD.replace("do: heap -= n\n", body).split("\n").index("    if heap > 3:") + 1

    assert error.message.endswith(f"after 'if' statement in line {line}")


def test_a_quote_that_is_not_closed_is_told_where_it_opens(tmp_path: Path) -> None:
    """The next quote of the file ends it; the error there names the line in which it began."""
    text = GOOD.replace("title: Pebbles", 'title: "Pebbles').replace("says: one to three",
                                                                  'says: "one to three"')
    (error,) = lint(spec(tmp_path, text)).errors

    assert error.code == "RP106"
    assert "begins in line 3 " in error.help


@pytest.mark.parametrize("name", ["more.yaml", "book.txt"])
def test_a_link_that_leads_back_to_itself_is_no_failure(tmp_path: Path, name: str) -> None:
    """Of a part of the spec it is an error; of the rulebook it is as if there was none."""
    book = f"rulebook: {{file: book.txt, sha256: '{'0' * 64}', lines: 1, outline: {{}}}}\n"
    folder = Path(spec(tmp_path, GOOD + book))
    (folder / name).symlink_to(name)
    found = lint(str(folder))

    assert [each.code for each in found.errors] == ["RP126"] * name.endswith(".yaml")
