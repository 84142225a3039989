"""What is said of a wrong command line: what was meant, in lines that fit the terminal."""

import sys

import pytest

from ruleproof.cli.app import run


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
