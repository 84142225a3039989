"""What benchmarks compare is the same thing, and they say what they could not measure."""

import platform
import shutil
from pathlib import Path

import pytest

from ruleproof.checker.engine.program import Program
from ruleproof.checker.search.explore import Exploration
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.tests.benchmarks import explorers, growth, twins
from ruleproof.tests.benchmarks.__main__ import write
from ruleproof.tests.benchmarks.games import hanoi, machine_from, many_clauses, many_players
from ruleproof.tests.benchmarks.timing import Table, described
from ruleproof.tests.support.places import TESTS

KNOWN = TESTS / "specs" / "known"
needs_spin = pytest.mark.skipif(
    not shutil.which("spin") or not shutil.which("gcc"), reason="SPIN is not installed")


@needs_spin
@pytest.mark.slow
@pytest.mark.parametrize(("game", "scope"), [
    *((str(KNOWN / name), "printed") for name in ("nim", "leduc-poker", "tic-tac-toe")),
    ("penny-arcade-card-game", "tiny")])
def test_spin_counts_the_same_states(game: str, scope: str, tmp_path: Path) -> None:
    """SPIN finds as many states of the rules in C as we find of the same rules."""
    machine = compile_game(load_game(game, Settings(scope=scope))).machine
    states = Exploration(Program(machine)).run().states
    found = explorers.spin(twins.promela(machine), tmp_path, before=1, how="-O0")

    assert {name: engine() for name, engine in found.items()} == dict.fromkeys(found, states)


def test_generated_games_are_as_large_as_told() -> None:
    """Three discs have 27 states; counters of 0 to 3 of two players 4^2 * 2."""
    sizes = {name: Exploration(Program(machine_from(spec))).run() for name, spec in (
        ("hanoi", hanoi(3)), ("players", many_players(2, 3)), ("clauses", many_clauses(30)))}

    assert (sizes["hanoi"].states, sizes["players"].states) == (27, 32)
    assert all(each.complete for each in sizes.values())


def test_what_is_not_installed_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without SPIN and TLC the table has our own row, and says what was not measured."""
    monkeypatch.setattr("ruleproof.tests.benchmarks.timing.shutil.which", lambda _: None)
    monkeypatch.delenv("TLA2TOOLS", raising=False)
    monkeypatch.setattr(explorers, "DISCS", 4)
    table = explorers.of_hanoi()

    assert [row[:2] for row in table.rows] == [("ruleproof", "81")]
    assert [note.split(":")[0] for note in table.notes] == ["Not measured here"] * 2


def test_the_page_names_no_computer() -> None:
    """The description of the machine has neither its name nor a path."""
    text = "\n".join(described())

    assert platform.node() not in text
    assert str(Path.home()) not in text


def test_what_is_not_measured_anew_stays(tmp_path: Path) -> None:
    """A table that is measured again takes the place of the old one, and no other."""
    page = tmp_path / "page.md"
    for title, value in (("One", "1"), ("Two", "2"), ("One", "3")):
        write(page, Table(title, "About.", ("a",), [(value,)]), "Nobody was there.")
    sections = page.read_text("utf-8").split("\n## ")[1:]

    assert [text.splitlines()[0] for text in sections] == ["One", "Two"]
    assert ["| 3 |" in text for text in sections] == [True, False]


def test_tables_are_markdown() -> None:
    """Every row of a table has a cell for each column."""
    lines = Table("T", "About.", ("a", "b"), [("1", "2")], ["A note."]).markdown().splitlines()

    assert lines[:7] == ["T", "", "About.", "", "| a | b |", "| --- | --- |", "| 1 | 2 |"]
    assert len(growth.row_of("penny-arcade-card-game", "tiny", 100)) == len(growth.COLUMNS)
