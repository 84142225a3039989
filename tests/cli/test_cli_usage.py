"""What is said of a wrong command line: what was meant, in lines that fit the terminal."""

import re
import sys
from inspect import signature
from pathlib import Path
from typing import Annotated

import pytest
import typer

from ruleproof.cli.app import run
from ruleproof.cli.groups import Told, grouped
from ruleproof.tests.support.little import JUGS, write


@pytest.mark.parametrize(("line", "said"), [
    ("verify x --scop tiny", "no such option `--scop`; did you mean `--scope`?"),
    ("--verison", "no such option `--verison`; did you mean `--version`?"),
    ("perft x --zzz", "no such option `--zzz`"),
    ("perft x -qz", "no such option `-z`"),
])
def test_an_option_that_there_is_not_is_told_with_the_nearest(
    capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    """As an unknown name of a spec is: the word in backticks, and what may be meant."""
    code = run(line.split())

    assert code == 2
    assert capsys.readouterr().err.splitlines()[0] == f"error: {said}"


@pytest.mark.parametrize("line", [
    "verify x --only tie", "verify no-such-game", "play x --seed 99999999999999999999", "verfy",
])
def test_what_is_wrong_fits_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, line: str
) -> None:
    """At a terminal it is broken between words at its width; through a pipe it is one line."""
    monkeypatch.setenv("COLUMNS", "40")
    run(line.split())
    plain = capsys.readouterr().err
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("NO_COLOR", "1")
    run(line.split())
    narrow = capsys.readouterr().err

    assert max(map(len, narrow.splitlines())) <= 40
    assert " ".join(narrow.split()) == " ".join(plain.split())
    assert len(plain.splitlines()) <= 2


@pytest.mark.parametrize("line", [
    "positions {} -o out --findings nofile", "diff {} --findings-a nofile", "perft {} --rulings x",
    "explain {} jugs --findings .", "trace {} --rulebook nofile", "replay {}/game.yaml/x",
])
def test_a_file_that_cannot_be_read_is_told_in_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path, line: str
) -> None:
    """In small letters, as all else that is wrong, and with its name."""
    monkeypatch.chdir(tmp_path)
    code = run(line.format(write(tmp_path / "jugs", JUGS)).split())
    (said,) = capsys.readouterr().err.splitlines()

    assert code == 2
    assert re.search("no (such )?file|is a directory", said)


def test_what_else_is_wrong_is_not_blamed_on_rulings_of_another_game(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A scope that there is not is told as that."""
    game, file = str(write(tmp_path / "jugs", JUGS)), tmp_path / "rulings.json"
    file.write_text('{"format": "ruleproof/rulings-1", "game": "cups", "rulings": {}}')

    assert run(["verify", game, "--rulings", str(file), "--scope", "nope"]) == 2
    said = capsys.readouterr().err
    assert "nope" in said
    assert "holds rulings of" not in said


@pytest.mark.parametrize("command", ["verify", "explore", "trace", "diff"])
def test_rulings_of_another_game_are_told_to_be(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path,
    command: str,
) -> None:
    """If they do not fit; what is ruled alike in two games may stand in one file."""
    monkeypatch.chdir(tmp_path)
    game, file = str(write(tmp_path / "jugs", JUGS)), Path("rulings.json")
    head = '{"format": "ruleproof/rulings-1", "game": "cups", "rulings": {'
    file.write_text(head + '"price": "one"}}')
    refused = run([command, game, "--rulings", str(file)])
    said = capsys.readouterr().err
    file.write_text(head + "}}")

    assert refused == 2
    assert "`rulings.json` holds rulings of `cups`, not of `jugs`: no open point `price`" in said
    assert run(["explore", game, "--rulings", str(file)]) == 0


def test_a_group_stands_for_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    """In its place, in their order, and what is given to them comes as one value."""
    given = list[Told]()

    @grouped
    def command(*, first: Annotated[str, typer.Argument()], told: Told, last: bool = False) -> int:
        given.append(told)
        return len(first) + last

    app = typer.Typer()
    app.command()(command)
    code = typer.main.get_command(app).main(
        ["abc", "-q", "--output", "-"], standalone_mode=False)
    given[0].say("said")
    given[0].write("written")

    assert [*signature(command).parameters] == ["first", "output", "quiet", "no_color", "last"]
    assert code == 3
    assert given == [Told(output=Path("-"), quiet=True)]
    assert capsys.readouterr() == ("written\n", "")
