"""Loading: good specs become the game that they say, bad ones an error at the right place."""

import copy
import json
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ruleproof.model.game import syntax
from ruleproof.model.game.game import Clause, Game, Settings, Ty
from ruleproof.model.loading.load import load_game, read_sections, with_settings
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.run.interp import Interpreter
from ruleproof.model.source.errors import Reporter, SpecErrors, UsageError
from ruleproof.model.source.shape import schema
from ruleproof.model.source.tree import Json, to_plain
from ruleproof.model.source.yaml_file import read_yaml
from ruleproof.tests.support.drawn import many
from ruleproof.tests.support.games import loaded, often
from ruleproof.tests.support.little import write
from ruleproof.tests.support.places import TESTS
from ruleproof.tests.support.walks import states_of

SPECS = TESTS / "specs"
BAD = sorted((SPECS / "bad").glob("*.yaml"))
JUGS = """\
game: jugs
title: The 3 and 5 gallon jugs
players: {count: 1}
state:
  small: {type: int 0..3, start: 0}
  big: {type: int 0..5, start: 0}
actions:
  fill small: {do: small = 3}
  fill big: {do: big = 5}
  empty small: {do: small = 0}
  empty big: {do: big = 0}
  pour small into big: {do: "poured = min(small, 5 - big)\\nsmall -= poured\\nbig += poured"}
  pour big into small: {do: "poured = min(big, 3 - small)\\nbig -= poured\\nsmall += poured"}
"""


def folder(root: Path, **files: str) -> str:
    """Write a game's files; `game` becomes `game.yaml`."""
    root.mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (root / f"{name}.yaml").write_text(text, "utf-8")
    return str(root)


def shelf(tmp_path: Path) -> str:
    """Write the spec that has one of everything."""
    return folder(tmp_path / "shelf", game=(SPECS / "shelf.yaml").read_text("utf-8"))


def clause(game: Game, name: str) -> Clause:
    """Find a clause."""
    return next(each for each in game.clauses if each.id == name)


def body(game: Game, name: str) -> str:
    """Return the text of a clause's body."""
    found = clause(game, name).do
    return found.text if found else ""


# --- good specs ----------------------------------------------------------------------------------


def test_a_puzzle_needs_three_sections(tmp_path: Path) -> None:
    """The example of the language page is a whole game: its actions are a window that repeats."""
    game = load_game(folder(tmp_path, game=JUGS))

    assert (game.id, game.players, game.start) == ("jugs", 1, "play")
    assert game.variables["big"].type == Ty("int", low=0, high=5)
    assert [each.id for each in game.clauses] == [
        "fill_small", "fill_big", "empty_small", "empty_big", "pour_small_into_big",
        "pour_big_into_small", "play",
    ]
    assert clause(game, "fill_small").option == "fill small"
    assert (game.windows["actions"].forced, game.windows["actions"].repeat) == (True, True)
    assert game.windows["actions"].by is None
    assert body(game, "play") == "actions()"


@pytest.mark.parametrize("name", often("penguin-brawl"))
def test_bundled_games_load_under_every_scope(name: str) -> None:
    """Each instance of each bundled game is a game, and all of them have one hash."""
    report = Reporter()
    sections = read_sections(name, report)
    report.raise_if_any()
    games = [
        with_settings(sections, Settings(scope=scope), Reporter())
        for scope in loaded(name).scopes
    ]

    assert {game.id for game in games} == {name}
    assert len({game.spec_sha256 for game in games}) == 1


def test_values_are_those_of_the_core(tmp_path: Path) -> None:
    """Start values and attributes are integers: players from 0, none is -1, sets are bits."""
    game = load_game(shelf(tmp_path))
    start = {name: each.start for name, each in game.variables.items()}
    cards = {card.id: card for card in game.families["book"].cards}

    assert start == {
        "life": 3, "active": 1, "tired": 0b11, "mood": -1, "seen": 0, "favourite": 2,
    }
    assert cards["atlas"].attributes == {
        "hue": 0, "worth": 3, "lent": 0, "owner": -1, "sequel": -1,
    }
    assert cards["novel"].attributes["sequel"] == 0
    assert cards["novel"].assumed == ("name", "copies", "hue", "worth", "lent", "owner", "sequel")
    assert game.variables["life"].type == Ty("int", low=0, high=6)


def test_cards_without_copies_are_gone_unless_named(tmp_path: Path) -> None:
    """A scope's families have the copies listed; a card of none stays if something names it."""
    printed = load_game(shelf(tmp_path))
    tiny = load_game(shelf(tmp_path), Settings(scope="tiny"))

    assert [(each.id, each.copies) for each in printed.families["book"].cards] == [
        ("atlas", 2), ("novel", 1), ("poem", 0),
    ]
    assert [(each.id, each.copies) for each in tiny.families["book"].cards] == [
        ("atlas", 1), ("poem", 0),
    ]


def test_a_scope_rules_and_settings_overrule_it(tmp_path: Path) -> None:
    """A spec's ruling gives way to that of the scope, and that to what is chosen."""
    path = shelf(tmp_path)
    printed = load_game(path)
    tiny = load_game(path, Settings(scope="tiny"))
    back = load_game(path, Settings(scope="tiny", rulings=(("when", "now"),)))

    assert [each.name for each in printed.scopes.values() if each.scaled] == ["tiny"]
    assert clause(printed, "s.turn").when is not None
    assert clause(tiny, "s.turn").when is None
    assert [each.id for each in tiny.clauses if each.id in ("s.first", "s.new")] == ["s.new"]
    assert (tiny.windows["choosing"].done, tiny.windows["choosing"].repeat) == ("finish", False)
    assert tiny.windows["all_of_us"].order == "clockwise"
    assert clause(tiny, "s.dead").timing == "after the step"
    assert clause(back, "s.turn").when is not None
    assert {each.point: each.reading for each in back.rulings}["when"] == "now"


def test_variants_put_clauses_in_force(tmp_path: Path) -> None:
    """`only_in` holds a clause back until its mode is on; a mode changes clauses and constants."""
    path = shelf(tmp_path)
    plain = load_game(path)
    fast = load_game(path, Settings(variants=("fast",)))
    calm = load_game(path, Settings(variants=("slow", "calm")))

    assert not clause(plain, "s.special").in_force
    assert clause(fast, "s.special").in_force
    assert body(fast, "s.run") == "turn(active)"
    assert calm.constants["most"].value == 4
    assert calm.settings == Settings(players=2, variants=("slow", "calm"))


def test_a_ruling_can_be_switched_off(tmp_path: Path) -> None:
    """`literal` and `none` leave a point as the book has it."""
    game = load_game(shelf(tmp_path), Settings(rulings=(("when", "literal"),)))

    assert [each.point for each in game.rulings] == ["order/s.turn/s.special"]


@pytest.mark.parametrize(("reading", "later"), [("first", "s.first"), ("second", "s.special")])
def test_derived_points_order_clauses(tmp_path: Path, reading: str, later: str) -> None:
    """`order/A/B` puts one clause after the other."""
    settings = Settings(rulings=(("order/s.special/s.first", reading),))
    game = load_game(shelf(tmp_path), settings)
    other = {"s.first": "s.special", "s.special": "s.first"}[later]

    assert other in clause(game, later).after


def changed(path: str, *changes: Mapping[str, object]) -> Game:
    """Load a game under change lists of a caller."""
    report = Reporter()
    return with_settings(read_sections(path, report), Settings(), report, changes=changes)


def test_changes_come_last(tmp_path: Path) -> None:
    """A caller's change lists are applied on top; a clause that is dropped is gone."""
    path = shelf(tmp_path)
    game = changed(path, {"drop": ["s.never"]}, {"constants": {"goal": 5}})

    assert "s.never" not in {each.id for each in game.clauses}
    assert game.constants["goal"].value == 5
    with pytest.raises(SpecErrors, match="RP120"):
        changed(path, {"dorp": []})


def test_named_by_lists_who_cites_a_clause(tmp_path: Path) -> None:
    """A clause that only says something is modelled by the entries that name it."""
    game = load_game(shelf(tmp_path))

    assert game.named_by["s.goal"] == ("constants.goal", "steps.game")
    assert game.named_by["s.atlas"] == ("cards.book.atlas",)


def test_real_cards_lie_over_the_assumed_ones(tmp_path: Path) -> None:
    """What a file of cards gives is no assumption any more; the spec's hash stays."""
    path = shelf(tmp_path)
    real = tmp_path / "real.yaml"
    real.write_text("cards: {book: {novel: {worth: 2, copies: 4}, essay: {copies: 1, hue: red}}}")
    game = load_game(path, Settings(cards=str(real)))
    cards = {card.id: card for card in game.families["book"].cards}

    assert (cards["novel"].attributes["worth"], cards["novel"].copies) == (2, 4)
    assert cards["novel"].assumed == ("hue", "sequel")
    assert cards["essay"].copies == 1
    assert game.settings.cards == str(real)
    assert game.spec_sha256 == load_game(path).spec_sha256


# --- folders -------------------------------------------------------------------------------------


def test_sections_may_be_split_over_files(tmp_path: Path) -> None:
    """Lists are joined and mappings merged; what is given twice is an error with both places."""
    more = "state: {extra: {type: bool}}\nclauses: [{id: x, kind: flavour, says: x, why: x}]\n"
    game = load_game(folder(tmp_path, game=JUGS, more=more))

    assert list(game.variables) == ["small", "big", "extra"]
    with pytest.raises(SpecErrors) as caught:
        load_game(folder(tmp_path, more="title: Again\nstate: {big: {type: bool}}\n"))
    assert [(each.code, each.place.line) for each in caught.value.diagnostics] == [
        ("RP124", 1), ("RP124", 2),
    ]


def test_the_hash_ignores_line_endings_and_settings(tmp_path: Path) -> None:
    """What identifies a spec is its files' names and lines."""
    unix = load_game(folder(tmp_path / "a", game=JUGS))
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "game.yaml").write_bytes(JUGS.replace("\n", "\r\n").encode())
    other = load_game(folder(tmp_path / "c", game=JUGS + "# more\n"))

    assert load_game(str(tmp_path / "b")).spec_sha256 == unix.spec_sha256
    assert other.spec_sha256 != unix.spec_sha256


def test_a_game_starts_from_the_one_it_extends(tmp_path: Path) -> None:
    """Entries and clauses of the same name take the place of the base's; its files are hashed."""
    base = folder(tmp_path / "jugs", game=JUGS)
    text = "game: more\nextends: ../jugs\nstate: {big: {type: int 0..6}}\n"
    game = load_game(folder(tmp_path / "more", game=text))
    before = game.spec_sha256
    folder(tmp_path / "jugs", game=JUGS + "# more\n")

    assert (game.id, game.title) == ("more", load_game(base).title)
    assert game.variables["big"].type.high == 6
    assert "small" in game.variables
    assert load_game(str(tmp_path / "more")).spec_sha256 != before


EDITION = """\
game: second
extends: ../jugs
changes:
  s.fill: {lines: [3, 3], do: big = 1, when: null}
  window:w: {done: leave}
"""
SHARED = """\
players: {count: 1}
state: {big: {type: int 0..5}, active: {type: player, start: 1}}
steps: {game: {}}
windows: {w: {by: active}}
start: game
clauses:
- {id: s.fill, kind: effect, says: full, on: game, when: big == 0, do: big = 5}
- {id: s.ask, kind: effect, says: ask, on: game, after: [s.fill], do: w()}
- {id: s.stay, kind: permit, says: stay, on: w, option: stay, do: pass}
"""


def test_an_edition_changes_single_fields_of_what_it_extends(tmp_path: Path) -> None:
    """`changes` gives, or takes away, fields of clauses and windows; the others stay."""
    folder(tmp_path / "jugs", game=SHARED)
    book = "rulebook: {file: a.txt, lines: 3, outline: {'3': 1}}\n"
    game = load_game(folder(tmp_path / "second", game=EDITION + book))
    clauses = {clause.id: clause for clause in game.clauses}

    assert clauses["s.fill"].lines == (3, 3)
    assert clauses["s.fill"].when is None
    assert clauses["s.fill"].do is not None
    assert clauses["s.fill"].do.text == "big = 1"
    assert clauses["s.fill"].says == "full"
    assert clauses["s.ask"].after == ("s.fill",)
    assert game.windows["w"].done == "leave"


@pytest.mark.parametrize("changes", ["s.fil: {when: big == 1}", "'window:v': {done: no}"])
def test_a_change_of_what_is_not_there_is_an_error(tmp_path: Path, changes: str) -> None:
    """What a game changes is in the one that it extends, and no game changes itself."""
    folder(tmp_path / "jugs", game=SHARED)
    more = f"changes:\n  {changes}\n"
    for text in ("game: second\nextends: ../jugs\n" + more, "game: second\n" + SHARED + more):
        with pytest.raises(SpecErrors) as caught:
            load_game(folder(tmp_path / "second", game=text))
        assert [each.code for each in caught.value.diagnostics] == ["RP220"]


def test_extending_in_a_circle_is_an_error(tmp_path: Path) -> None:
    """A game that extends itself, by way of another, is reported and not followed."""
    folder(tmp_path / "a", game=JUGS + "extends: ../b\n")
    folder(tmp_path / "b", game="extends: ../a\n")

    with pytest.raises(SpecErrors, match="RP125"):
        load_game(str(tmp_path / "a"))


@pytest.mark.parametrize("name", often("edition-wars"))
def test_a_bundled_game_can_be_extended_wherever_one_is(tmp_path: Path, name: str) -> None:
    """Also one that extends a folder beside it, of which the folders around one's own are none."""
    made = load_game(folder(tmp_path / "mine", game=f"game: mine\nextends: {name}\n"))

    assert [each.id for each in made.clauses] == [each.id for each in loaded(name).clauses]


@pytest.mark.parametrize("path", ["/etc", "..", "../..", "../../x", "a\\b"])
def test_extends_stays_near(tmp_path: Path, path: str) -> None:
    """Only bundled games and folders inside or beside the game's can be extended."""
    folder(tmp_path, game=JUGS)
    with pytest.raises(SpecErrors, match="RP126"):
        load_game(folder(tmp_path / "x" / "y", game=JUGS + f"extends: '{path}'\n"))


def test_links_that_lead_out_are_not_read(tmp_path: Path) -> None:
    """A file of the folder that is elsewhere is refused, and nothing of it is shown."""
    secret = tmp_path / "secret.yaml"
    secret.write_text("password: hunter2\n")
    path = folder(tmp_path / "x", game=JUGS)
    (tmp_path / "x" / "more.yaml").symlink_to(secret)

    with pytest.raises(SpecErrors, match="RP126") as caught:
        load_game(path)
    assert "hunter2" not in caught.value.render()


def test_too_many_files_are_too_many(tmp_path: Path) -> None:
    """A folder of files without end is not read."""
    path = folder(tmp_path, game=JUGS, **{f"f{number}": "" for number in range(200)})

    with pytest.raises(SpecErrors, match="RP127"):
        load_game(path)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("jugz", "no game `jugz`; bundled games"), ("no/such", "no game.yaml in `no/such`"),
        ("", "no game ``"), ("a\0b", "no game"),
    ],
)
def test_an_unknown_game_is_a_usage_error(name: str, said: str) -> None:
    """A name that is neither bundled nor a folder with a game.yaml is refused."""
    with pytest.raises(UsageError, match=said):
        load_game(name)


def test_a_game_that_is_not_there_is_sought_beside(tmp_path: Path) -> None:
    """A misspelt folder is told the one beside it; a file is told that a game is a folder."""
    there = folder(tmp_path / "jugs", game=JUGS)
    Path(there, "notes.txt").write_text("", "utf-8")

    with pytest.raises(UsageError, match=f"did you mean `{tmp_path}/jugs`"):
        load_game(f"{tmp_path}/jugz")
    with pytest.raises(UsageError, match="is a file; a game is a folder"):
        load_game(f"{there}/notes.txt")
    with pytest.raises(UsageError) as caught:
        load_game(str(tmp_path))
    assert "did you mean" not in str(caught.value)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        (Settings(players=9), "this game has 2 to 4 players, not 9"),
        (Settings(scope="tinny"), "no scope `tinny`; did you mean `tiny`?"),
        (Settings(variants=("fats",)), "no variant `fats`; did you mean `fast`?"),
        (Settings(variants=("slow",)), "the variant `slow` needs `calm`"),
        (Settings(variants=("fast", "slow", "calm")), "the variant `fast` excludes `slow`"),
        (Settings(players=4, variants=("calm",)),
         "with its cards and 4 players `player_count < 4 and sum(b.copies for b in book) > 0`"),
        (Settings(rulings=(("whem", "now"),)), "no open point `whem`; did you mean `when`?"),
        (Settings(rulings=(("when", "know"),)), "has no reading `know`; did you mean `now`?"),
        (Settings(rulings=(("timing/s.run", "at-once"),)), "no open point `timing/s.run`"),
        (Settings(rulings=(("order/all_of_us", "x"),)), "`order/all_of_us` has no reading `x`"),
        (Settings(cards="no-such.yaml"), "no file of cards `no-such.yaml`"),
    ],
)
def test_settings_that_do_not_fit_are_usage_errors(
    tmp_path: Path, chosen: Settings, said: str
) -> None:
    """What is asked for and the spec does not have is said with the nearest name."""
    with pytest.raises(UsageError) as caught:
        load_game(shelf(tmp_path), chosen)
    assert said in str(caught.value)


# --- bad specs -----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", BAD, ids=lambda path: path.stem)
def test_bad_twins_are_refused(tmp_path: Path, path: Path) -> None:
    """Each bad spec has one error: its name has the code, its first lines place, text, help."""
    text = path.read_text("utf-8")
    first, second = text.splitlines()[:2]
    place, message = first.removeprefix("# ").split(" ", 1)

    with pytest.raises(SpecErrors) as caught:
        compile_game(load_game(folder(tmp_path / "x" / "y", game=text)))
    (error,) = caught.value.diagnostics
    assert (error.code, f"{error.place.line}:{error.place.column}", error.message) == (
        path.stem[:5], place, message)
    assert not second.startswith("#   ") or error.help == second.removeprefix("#   ")


def test_all_errors_come_in_one_run(tmp_path: Path) -> None:
    """Mistakes of shape, of syntax and of references in several files are reported together."""
    more = (
        "state: {x: {type: int 0..limt}}\n"
        "clauses:\n- {id: a, kind: effect, says: a, on: plya, do: 1 +}\n"
    )
    with pytest.raises(SpecErrors) as caught:
        load_game(folder(tmp_path, game=JUGS + "stats: {}\n", more=more))

    assert [(each.code, Path(each.place.file).name) for each in caught.value.diagnostics] == [
        ("RP120", "game.yaml"), ("RP220", "more.yaml"), ("RP220", "more.yaml"),
        ("RP201", "more.yaml"),
    ]


def test_errors_of_reading_are_not_forgotten(tmp_path: Path) -> None:
    """Building from sections that were not read well raises, also with a new report."""
    report = Reporter()
    sections = read_sections(folder(tmp_path, game=JUGS + "stats: {}\n"), report)

    assert report.failed
    with pytest.raises(SpecErrors, match="RP120") as caught:
        with_settings(sections, Settings(), Reporter())
    assert "stats: {}" in caught.value.render()


def test_messages_keep_to_the_house_style() -> None:
    """A message starts in lower case or with a quoted word, and has no final period."""
    for path in BAD:
        message = path.read_text("utf-8").partition("\n")[0].split(" ", 2)[2]
        assert not message.endswith(".")
        assert message[0] == "`" or not message[0].isupper()


def test_the_schema_is_one() -> None:
    """The schema is a valid JSON Schema, takes the shelf, and refuses keys that it has not."""
    Draft202012Validator.check_schema(schema())
    data = to_plain(read_yaml(SPECS / "shelf.yaml", Reporter()) or pytest.fail("unreadable"))

    validator: Any = Draft202012Validator(schema())

    assert validator.is_valid(data)
    assert not validator.is_valid({"no": 1})


def test_parsed_texts_are_kept(tmp_path: Path) -> None:
    """Building twice from the same sections parses nothing twice."""
    sections = read_sections(shelf(tmp_path), Reporter())
    first = with_settings(sections, Settings(), Reporter())
    second = with_settings(sections, Settings(), Reporter())

    assert clause(first, "s.always").always is clause(second, "s.always").always
    assert replace(first, rulings=()) == replace(second, rulings=())
    assert isinstance(clause(first, "s.always").always, syntax.Call)


# --- anything ------------------------------------------------------------------------------------

Steps = tuple[str | int, ...]
VALUES: list[Json] = [
    None, True, 0, -1, 7, 10**17, 1.5, "", "none", "x y", "player", "int 0..3", "players", "all",
    "card book", "a.b", [], {}, [1, 2], {"a": 1}, ["x"], "int 5..1", "x" * 3000, "1+" * 400 + "1",
    "(" * 60, "\n", "print", "a\nb", "é.é", "*", "x = [1 for]", "atlas", "s.turn", "order/s.run",
]


def spots(tree: Json, path: Steps = ()) -> Iterator[Steps]:
    """List the paths of a tree, its root apart."""
    pairs: list[tuple[str | int, Json]] = []
    if isinstance(tree, dict):
        pairs += tree.items()
    elif isinstance(tree, list):
        pairs += enumerate(tree)
    for key, value in pairs:
        yield (*path, key)
        yield from spots(value, (*path, key))


def at(tree: Json, path: Steps) -> Json:
    """Follow a path."""
    for step in path:
        match tree, step:
            case dict(), str():
                tree = tree[step]
            case list(), int():
                tree = tree[step]
            case _:
                pytest.fail("no such path")
    return tree


def mutate(tree: Json, data: st.DataObject) -> None:
    """Change one thing: take it away, put something else there, rename it, or repeat it."""
    paths = list(spots(tree))
    if not paths:
        return
    depth = data.draw(st.integers(1, 5))
    path = data.draw(st.sampled_from([each for each in paths if len(each) == depth] or paths))
    other = copy.deepcopy(at(tree, data.draw(st.sampled_from(paths))))
    value = data.draw(st.sampled_from(VALUES))
    action = data.draw(st.sampled_from(["delete", "put", "copy", "rename", "repeat"]))
    match at(tree, path[:-1]), path[-1], action:
        case dict() as parent, str() as key, "delete" | "rename":
            old = parent.pop(key)
            if action == "rename":
                parent[str(value)[:60]] = old
        case list() as parent, int() as index, "delete":
            del parent[index]
        case list() as parent, int() as index, "repeat":
            parent.append(copy.deepcopy(parent[index]))
        case dict() as parent, str() as key, _:
            parent[key] = value if action == "put" else other
        case list() as parent, int() as index, _:
            parent[index] = value if action == "put" else other
        case _:
            pytest.fail("no such path")


def refusal(name: str, chosen: Settings) -> SpecErrors | None:
    """Load a game; give what is wrong with it, if anything is."""
    try:
        load_game(name, chosen)
    except UsageError:
        return None
    except SpecErrors as errors:
        return errors
    return None


@given(data=st.data())
@many(2)
def test_no_spec_does_more_than_fail(data: st.DataObject) -> None:
    """Whatever is changed in a good spec, it loads or says why not, at a place that there is."""
    read = read_yaml(SPECS / "shelf.yaml", Reporter())
    assert read is not None
    tree = to_plain(read)
    for _ in range(data.draw(st.integers(1, 3))):
        mutate(tree, data)
    scope = data.draw(st.sampled_from(["printed", "tiny"]))
    with tempfile.TemporaryDirectory() as name:
        folder(Path(name), game=json.dumps(tree, indent=1, ensure_ascii=False))
        errors = refusal(name, Settings(scope=scope)) or SpecErrors(())

    for each in errors.diagnostics:
        assert 1 <= each.place.line <= len(errors.sources[each.place.file])
        assert "\n" not in each.message


@given(data=st.data())
@many(1.5)
def test_no_text_does_more_than_fail(data: st.DataObject) -> None:
    """The same for changes to the characters of a file."""
    text = (SPECS / "shelf.yaml").read_text("utf-8")
    for _ in range(data.draw(st.integers(1, 3))):
        where = data.draw(st.integers(0, len(text) - 1))
        new = data.draw(st.sampled_from([*"{}[]:,'\"\t #0aZ?*&!|>-\n\0\u2028", "", "none", "é"]))
        text = text[:where] + new + text[where + data.draw(st.integers(0, 3)):]
    with tempfile.TemporaryDirectory() as name:
        folder(Path(name), game=text)
        errors = refusal(name, Settings())

    assert errors is None or errors.render()


def test_an_ability_may_be_that_of_cards_which_a_scope_leaves_out(tmp_path: Path) -> None:
    """A rule that runs an ability loads in a scope in which no card has it."""
    path = write(tmp_path, """\
game: dogs
title: Dogs
players: {count: 1}
families: {dog: {attributes: {}}}
cards:
  dog:
    wolf: {name: Wolf, copies: 1, abilities: {howl: "noise = 1"}}
    pug: {name: Pug, copies: 1}
zones: {pack: {holds: dog, kind: bag, starts: all}}
state: {noise: {type: int 0..1, start: 0}}
actions:
  wake: {with: {card: "c for c in pack"}, do: card.howl()}
scopes: {quiet: {about: no wolf, cards: {dog: {pug: 1}}}}
""")
    for scope, states in (("printed", 2), ("quiet", 1)):
        made = Interpreter(compile_game(load_game(str(path), Settings(scope=scope))).machine)
        assert len(states_of(made)) == states


EDITED = """\
game: edited
title: Edited
players: {count: 1}
extends: ../base
"""
BASE = """\
game: base
title: Base
players: {count: 1}
constants: {most: 2}
state: {n: {type: int 0..most, start: 0}}
steps: {game: {}}
start: game
clauses:
- {id: go, kind: effect, says: one more, on: game, do: n = 1}
"""


def test_a_spec_that_is_read_again_is_the_one_that_lies_there(tmp_path: Path) -> None:
    """Also after its own files or those that it extends were edited, and with their mistakes."""
    path, base = folder(tmp_path / "edited", game=EDITED), tmp_path / "base"
    folder(base, game=BASE)
    first, same = (load_game(path) for _ in range(2))
    assert first.constants["most"].value == same.constants["most"].value == 2
    assert first.spec_sha256 == same.spec_sha256

    folder(base, game=BASE.replace("most: 2", "most: 3"))
    assert load_game(path).constants["most"].value == 3
    folder(base, game=BASE.replace("says: one more", "sais: one more"))
    wrong = [refusal(path, Settings()) for _ in range(2)]
    assert all(each is not None and each.diagnostics for each in wrong)
    folder(base, game=BASE)
    assert refusal(path, Settings()) is None
    folder(tmp_path / "edited", game=EDITED.replace("Edited", "Again"))
    assert load_game(path).title == "Again"
