"""What helps to write a spec: outlines of books, a look at each save, what looks forgotten."""

import hashlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from queue import Empty, Queue
from threading import Thread

import pytest
import yaml

from ruleproof.cli.app import run
from ruleproof.model.views.lint import lint
from ruleproof.model.views.words import stem
from ruleproof.tests.support.little import DUEL, JUGS, TAX, write
from ruleproof.tests.support.places import TESTS

BOOK = "The Duel\n\n- Draw two cards. Then play (e.g. a jab).\nA Fishmonger keeps the score!\n"


@pytest.fixture
def book(tmp_path: Path) -> Path:
    """Write a small book."""
    path = tmp_path / "book.txt"
    path.write_text(BOOK, "utf-8")
    return path


# --------------------------------------------------------------------------------- outline


def test_sentences_are_listed_by_line(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each has its line and its place on it, without list marks."""
    assert run(["outline", str(book)]) == 0
    assert capsys.readouterr().out.split("\n") == [
        "    1.1  The Duel", "    3.1  Draw two cards.", "    3.2  Then play (e.g. a jab).",
        "    4.1  A Fishmonger keeps the score!", ""]


def test_the_section_of_a_spec_is_right(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What `-f yaml` writes is taken by `lint` and `trace` as it stands, and has no words of it."""
    assert run(["outline", str(book), "-f", "yaml"]) == 0
    section = capsys.readouterr().out
    game = str(write(tmp_path / "jugs", JUGS + section))
    facts = yaml.safe_load(section)["rulebook"]

    assert facts == {"file": "book.txt", "lines": 4, "outline": {"1": 1, "3": 2, "4": 1},
                     "sha256": hashlib.sha256(BOOK.encode()).hexdigest()}
    assert lint(game).errors == ()
    run(["trace", game, "--rulebook", str(book)])
    assert "another text" not in capsys.readouterr().out


@pytest.mark.parametrize(("args", "said"), [
    (["--lines", "3-9"], "the book has lines 1 to 4"), (["--lines", "x"], "are no lines"),
])
def test_wrong_lines_are_told(
    book: Path, capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    """Status 2, and what there is."""
    assert run(["outline", str(book), *args]) == 2
    assert said in capsys.readouterr().err


# ------------------------------------------------------------------------------------ words


def test_words_of_the_book_that_nothing_says(
    book: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What the spec has in any form is left out, as are words that every text has."""
    game = str(write(tmp_path / "duel", DUEL))

    assert run(["lint", game, "--words", "--rulebook", str(book), "-f", "json"]) == 0
    (found,) = json.loads(capsys.readouterr().out)
    assert [each["word"] for each in found["words"]] == ["play", "fishmonger", "score"]
    assert found["words"][1] == {"word": "fishmonger", "times": 1, "lines": [4]}
    assert run(["lint", game, "--words"]) == 2
    assert "needs `--rulebook FILE`" in capsys.readouterr().err


def test_forms_of_a_word_are_one() -> None:
    """Plurals and endings of verbs say nothing new."""
    for forms in (("discard", "discards", "discarded", "discarding"), ("tie", "ties"),
                  ("penny", "pennies"), ("draw", "draws"), ("player", "player’s")):
        assert len({stem(each) for each in forms}) == 1, forms


@pytest.mark.parametrize(("text", "names"), [
    (TAX, []),
    (TAX.replace("active = p\n", "active = p\n      coins[p] += 0\n"), []),
    (TAX.replace("state: {coins", "state: {last: {type: int 0..3}, coins").replace(
        "      turn()\n", "      turn()\n      last += 1\n"), ["last"]),
    (TAX.replace("state: {coins", "state: {last: {type: int 0..3, per: player}, coins").replace(
        "      turn()\n", "      turn()\n      last[active] = last[active] + 1\n"), ["last"]),
    (TAX.replace("state: {coins", "state: {last: {type: int 0..3}, coins").replace(
        "      turn()\n", "      turn()\n      last = 1\n").replace(
        "  do: win(argmax(coins[p] for p in players))",
        "  when: last == 1\n  do: win(argmax(coins[p] for p in players))"), []),
])
def test_variables_that_are_only_written_are_told(
    tmp_path: Path, text: str, names: list[str]
) -> None:
    """What only counts itself up is read by nobody; an index, a condition, a reading read it."""
    found = lint(str(write(tmp_path, text)))

    assert found.errors == ()
    assert [each.message.split("`")[1] for each in found.warnings if each.code == "RP254"] == names


# ------------------------------------------------------------------------------------ watch


@pytest.mark.parametrize(("folder", "status", "said"), [
    ("specs/joust", 0, "294 states looked at, 0 things go wrong"),
    ("flawed", 1, "unresolved-tie: several players are equal"),
])
def test_a_look_tells_what_goes_wrong(
    capsys: pytest.CaptureFixture[str], folder: str, status: int, said: str
) -> None:
    """The first states are looked at, and it is told how long that took."""
    code = run(["watch", str(TESTS / folder), "--once"])
    out, err = capsys.readouterr()

    assert code == status
    assert said in " ".join(out.split())
    assert float(err.split(";")[1].split()[0]) >= 0


def test_errors_are_told_as_lint_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With file, line, column and suggestion, and nothing is run."""
    game = str(write(tmp_path, JUGS.replace("min(small,", "min(smal,")))
    code = run(["watch", game, "--once"])
    out = capsys.readouterr().out

    assert code == 2
    assert "did you mean" in out
    assert "looked at" not in out


def test_all_settings_are_looked_at_after_the_first_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With `--all`: the first states at once, then what only a look under all settings tells."""
    game = str(write(tmp_path, JUGS.replace("state:", "constants: {idle: 3}\nstate:", 1)))
    code = run(["watch", game, "--once", "--all"])
    out, err = capsys.readouterr()

    assert code == 0
    assert out.index("states looked at") < out.index("nothing uses the constant `idle`")
    assert ["1 warning" in line for line in err.splitlines()] == [False, True]


def test_it_looks_again_at_each_save(tmp_path: Path) -> None:
    """A save is seen within a second or two, an error and its mending alike; Ctrl-C ends it."""
    game = write(tmp_path / "jugs", JUGS)
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-m", "ruleproof", "watch", str(game)], stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"})
    stderr = process.stderr
    assert stderr
    lines: Queue[str] = Queue()

    def read() -> None:
        for line in stderr:
            lines.put(line)

    reader = Thread(target=read, daemon=True)
    reader.start()
    try:
        assert "0 errors;" in lines.get(timeout=60)
        time.sleep(0.3)
        write(game, JUGS.replace("min(small,", "min(smal,"))
        assert "1 error;" in lines.get(timeout=30)
        time.sleep(0.3)
        write(game, JUGS)
        assert "0 errors;" in lines.get(timeout=30)
        with pytest.raises(Empty):
            lines.get(timeout=1)
    finally:
        process.send_signal(2)
        process.wait(30)
        reader.join(10)
        assert process.stdout
        process.stdout.close()
        stderr.close()

    assert process.returncode == 130
