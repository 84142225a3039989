"""Readings of two points that write the same: what they are together is said, or an error."""

from pathlib import Path

import pytest

from ruleproof.model.game.game import Settings
from ruleproof.model.game.unparse import unparse
from ruleproof.model.loading.load import chosen_text, load_game, read_sections
from ruleproof.model.source.errors import Reporter
from ruleproof.model.views.lint import lint, settings_of
from ruleproof.tests.support.games import often

GAME = """
game: pebbles
title: Pebbles
players: {count: 2}
constants: {most: 3}
state: {heap: {type: int 0..9, start: 9}, active: {type: player, start: 1}}
steps: {game: {}}
start: game
windows: {taking: {by: active, repeat: true}}
clauses:
- {id: order, kind: order, says: there is one turn, on: game, do: taking()}
- {id: take, kind: permit, says: one is taken, on: taking, option: take, when: heap > 0, do: heap -= 1}
open_points:
- id: how-many
  asks: how many
  readings: [{id: one, title: one}, {id: some, title: some, ONE}]
- id: until
  asks: until when
  readings:
  - {id: empty, title: empty}
  - {id: left, title: left, OTHER}
rulings: [{point: how-many, reading: some}]
"""  # noqa: E501
TWO = 'changes: {take: {when: "heap > 1", do: heap -= 2}}'
SAID = """changes: {take: {when: "heap > 5"}}, together: {how-many=some: {changes: {take: {when: "heap > 6"}}}}"""  # noqa: E501
CASES = [
    ("the same field", TWO, 'changes: {take: {when: "heap > 5"}}', True),
    ("the same field, and the same value", TWO, 'changes: {take: {when: "heap > 1"}}', False),
    ("another field", TWO, "changes: {take: {says: all are taken}}", False),
    ("another clause", TWO, "changes: {order: {says: it is so}}", False),
    ("a clause that the other drops", TWO, "drop: [take]", True),
    ("both drop it", "drop: [take]", "drop: [take]", False),
    ("a field of a window", "changes: {'window:taking': {done: stop}}",
     "windows: {taking: {done: pass}}", True),
    ("a constant", "constants: {most: 1}", "constants: {most: 2}", True),
    ("a clause of the same name", "add: [{id: new, kind: flavour, says: a, why: b}]",
     "add: [{id: new, kind: flavour, says: c, why: b}]", True),
    ("it is said", TWO, SAID, False),
    ("something else is said", TWO, SAID.replace('when: "heap > 6"', "says: that"), True),
    ("it is said of what the other drops", TWO, "drop: [take], together: {how-many=some: {}}",
     False),
]


def folder(tmp_path: Path, one: str, other: str) -> str:
    """Write the game with what two readings change, and give its folder."""
    text = GAME.replace("ONE", one).replace("OTHER", other)
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    return str(tmp_path)


@pytest.mark.parametrize(("one", "other", "wrong"), [case[1:] for case in CASES],
                         ids=[case[0] for case in CASES])
def test_no_reading_undoes_an_adopted_one_without_a_word(
    tmp_path: Path, one: str, other: str, wrong: bool  # noqa: FBT001
) -> None:
    """Two readings that write the same are an error with both places, unless it is said what both are."""  # noqa: E501
    found = lint(folder(tmp_path, one, other))
    told = {(each.code, each.place.line, *(note.rpartition("at ")[2].split(":")[1]
                                           for note in each.notes)) for each in found.errors}

    assert told == ({("RP243", 21, "16")} if wrong else set())


def test_what_two_readings_are_together_is_what_is_said(tmp_path: Path) -> None:
    """The changes under `together` hold where both readings are taken, and nowhere else."""
    name = folder(tmp_path, TWO, SAID)
    conditions = []
    for many in ("one", "some"):
        game = load_game(name, Settings(rulings=(("how-many", many), ("until", "left"))))
        clause = next(each for each in game.clauses if each.id == "take")
        conditions.append("" if clause.when is None else unparse(clause.when))

    assert conditions == ["heap > 5", "heap > 6"]


@pytest.mark.parametrize("key", ["how-many=other", "nothing=some", "until=empty"])
def test_together_names_a_reading_of_another_point(tmp_path: Path, key: str) -> None:
    """An unknown reading, or one of the same point, is an error where it stands."""
    found = lint(folder(tmp_path, TWO, f"together: {{{key}: {{}}}}"))

    assert [(each.code, each.place.line) for each in found.errors] == [("RP220", 21)]


def test_orders_of_derived_points_add_up(tmp_path: Path) -> None:
    """Two rulings that each put the same sentence after another one do not undo each other."""
    extra = "".join(f"\n- {{id: {name}, kind: effect, says: {name}, on: game, do: heap -= 1}}"
                    for name in ("a", "b"))
    text = GAME.replace("ONE", TWO).replace("OTHER", "drop: []").replace(
        "\nopen_points", extra + "\nopen_points")
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    game = load_game(str(tmp_path), Settings(
        rulings=(("order/order/b", "first"), ("order/a/b", "first"))))

    assert next(each.after for each in game.clauses if each.id == "b") == ("a", "order")


@pytest.mark.parametrize("name", often("penguin-brawl"))
def test_every_reading_goes_with_those_that_are_adopted(name: str) -> None:
    """Each reading of a bundled game says what it is together with all that are adopted."""
    sections = read_sections(name, Reporter())
    report = Reporter()
    for settings in settings_of(sections.root):
        chosen_text(sections, settings, report, [])

    assert [each.message for each in report.diagnostics] == []
