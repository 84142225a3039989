"""States in one line: written, read back, and mistrusted when a character is missing."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from ruleproof.cli.app import run
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import bundled, load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.model.plays.line import line_of, state_from
from ruleproof.model.run.interp import Interpreter
from ruleproof.tests.support.formats import check_ours
from ruleproof.tests.support.games import compiled, often
from ruleproof.tests.support.machines import all_machines, cards, draws
from ruleproof.tests.support.places import ROOT
from ruleproof.tests.support.walks import states_of

FLAWED = ROOT / "tests" / "flawed"
SHELF = all_machines()


def flawed() -> Compiled:
    """Compile a game whose card names have blanks, stars and bars."""
    return compile_game(load_game(str(FLAWED), Settings(scope="tiny")))


@pytest.mark.parametrize("name", SHELF)
def test_states_come_back(name: str) -> None:
    """Every state of every machine of the shelf is read back from its line."""
    machine = SHELF[name]
    for state in states_of(Interpreter(machine), most=60):
        line = line_of(machine, state, Settings())
        assert "\n" not in line
        assert state_from(machine, line) == state


@pytest.mark.parametrize("name", often(
    "edition-wars", of=[*bundled(), str(FLAWED)]))
def test_states_of_games_come_back(name: str) -> None:
    """The same for games with cards, players and records."""
    machine = compiled(name).machine
    for state in states_of(Interpreter(machine), most=40):
        assert state_from(machine, line_of(machine, state, Settings())) == state


def test_names_that_look_like_values_come_back() -> None:
    """A card called `yes` or `12` is no truth value and no number."""
    machine = draws((2, 1))
    names = cards("yes", "12")
    arrays = tuple(
        replace(array, axes=(*array.axes[:-1], names)) if array.zone
        else replace(array, domain=names) if array.name == "last" else array
        for array in machine.arrays
    )  # fmt: skip
    odd = replace(machine, arrays=arrays)
    lines: list[str] = []
    for state in states_of(Interpreter(odd), most=60):
        lines.append(line_of(odd, state, Settings()))
        assert state_from(odd, lines[-1]) == state
    assert any("last=%79%65%73" in line for line in lines)
    assert any("last=%31%32" in line for line in lines)


def test_a_line_is_short_and_can_be_read() -> None:
    """Only what is not as at the start is written, in the words of the game."""
    compiled = flawed()
    state = states_of(Interpreter(compiled.machine))[-1]
    chosen = Settings(scope="tiny", variants=("short",), rulings=(("whole-hand", "one"),))
    line = line_of(compiled.machine, state, chosen)

    assert line.startswith("plum-panic 2/tiny/+short/whole-hand=one ")
    assert "Pip_%7C_%2Adry%2A" in line
    assert len(line) < 200


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("#", "#0", "not whole"),
        ("plum-panic", "plum-picnic", "plum-picnic"),
        ("hand=", "hnad=", "unknown entry"),
        ("hand=[", "hand=", "brackets"),
        ("hand=[", "hand=[;", "has 2 parts, not 3"),
        (" setup/", " setdown/", "unknown node"),
        ("Plum", "Plumm", "Plumm"),
        ("Plum", "x*Plum", "is no number of cards"),
        (" ", "", "a line has"),
        ("active=none", "active=3", "must be -1 to 1, not 3"),
    ],
)
def test_slips_are_noticed(old: str, new: str, said: str) -> None:
    """A line that is not whole is refused, with a reason."""
    compiled = flawed()
    states = states_of(Interpreter(compiled.machine))
    lines = [line_of(compiled.machine, state, Settings(scope="tiny")) for state in states]
    line = next(each for each in lines if " setup/starter" in each and "Plum" in each)
    line = line.replace(" #", " active=none #")

    with pytest.raises(ValueError, match=said):
        state_from(compiled.machine, line.replace(old, new))


def test_positions_are_written_and_hold(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`positions` writes a file for each position, and `replay` finds that all of them hold."""
    assert run(["positions", str(FLAWED), "-o", str(tmp_path), "--max", "4"]) == 0
    assert "positions show" in capsys.readouterr().err
    files = sorted(tmp_path.iterdir())
    assert 0 < len(files) <= 4
    for file in files:
        check_ours("position", json.loads(file.read_text("utf-8")))
    assert run(["replay", "--game", str(FLAWED), *map(str, files)]) == 0
    capsys.readouterr()


def test_positions_as_lines(capsys: pytest.CaptureFixture[str]) -> None:
    """With `--format lines`, each position is a line that reads back, and its title."""
    assert run(["positions", str(FLAWED), "-o", "-", "--max", "4", "--format", "lines"]) == 0
    out = capsys.readouterr().out.splitlines()
    machine = flawed().machine

    assert out
    for line in out:
        state_from(machine, line.partition(" ; ")[0])
