"""Random command lines, input and files: the program always answers, and never falls over.

An answer is one of the statuses of the contract, and an error is told without a traceback.  The
commands that search are given small limits, so that no case takes long.
"""

import io
import json
import random
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ruleproof.cli.app import COMMANDS, run
from ruleproof.model.plays.documents import is_list, is_object
from ruleproof.tests.support.little import DUEL, JUGS, write

STATUSES = {0, 1, 2, 3}
LIMITS = {
    "verify": ("--max-states", "60", "--max-time", "0.5", "-q"),
    "explore": ("--max-states", "200", "--max-time", "0.5", "-q"),
    "perft": ("--depth", "2", "-q"),
    "positions": ("--max-states", "60", "-q"),
    "watch": ("--once",),
    "ask": ("--max-time", "1", "-q"),
    "scopes": ("--max-states", "60", "--max-time", "0.5", "-q"),
    "diff": ("--max-time", "1", "-q"),
    "conform": ("--max", "2", "--plays", "2", "--answer-time", "0.5"),
}
"""What keeps the commands that search short."""
RARE = {"verify", "positions", "conform", "diff", "ask", "scopes"}
"""Commands that take long even so, and come up seldom."""

OPTIONS = (
    "--players", "--scope", "--variant", "--ruling", "--cards", "--seed", "--only", "--skip",
    "--format", "--output", "-o", "--quiet", "-q", "--no-color", "--seat", "--seats", "--moves",
    "--save", "--load", "--max-moves", "--steps", "--game", "--help", "-h", "--version", "--depth",
    "--rulebook", "--max-time", "-p", "-", "--", "--sed", "-qqq", "--seed=3", "--output=", "-ox",
)  # fmt: skip
VALUES = (
    "1", "2", "3", "-1", "0", "99999999999999999999", "1.5", "nan", "printed", "small", "x=y", "=",
    "a=b=c", "random", "greedy", "human", "1=human", "2=greedy", "3=x", "0=random", "json", "text",
    "gap", "deadlock", "", " ", "*", "%s", "{}", "\x00", "\x1b[31m", "ü", "\ud800", "../..", "/",
    "/dev/null", "nofile", "a.json", "play.json", "garbage", "folder", "./jugs", "./duel", "out/x",
    "d.limit", "game", "💥" * 50, "A" * 3000, "$(id)", "`", "'", '"', "\n", "\t",
)  # fmt: skip
TYPED = (
    "1", "2", "9", "-3", "1e9", "²", "fill big", "pour", "high", "pass", "nothing", "yes", "no",
    "undo", "undo!", "why", "why 1", "why strike", "why \x00", "rules", "rules d", "help", "hint",
    "board", "history", "moves", "moves x", "save", "save s.json", "save /dev/full", "save \x00",
    "load", "load s.json", "load garbage", "load folder", "load \x00", "save folder", "quit now",
    "\x1b[2J", "💥", "why " + "x" * 500, "#", "?", "undo undo", "load play.json", "\ud800",
)  # fmt: skip


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Be in a folder with two games, a play, and rubbish."""
    folder = tmp_path / "here"
    write(folder / "jugs", JUGS)
    write(folder / "duel", DUEL)
    (folder / "folder").mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    run(["play", "./duel", "--seats", "random", "--save", "play.json", "-q"])
    return folder


def garbage(rng: random.Random, play: bytes) -> bytes:
    """Make a file: rubbish, or a play with something changed in it."""
    kind = rng.randrange(6)
    if kind == 0:
        return rng.randbytes(rng.randrange(200))
    if kind == 1:
        return "".join(rng.choice(VALUES) for _ in range(9)).encode("utf-8", "surrogatepass")
    if kind == 2:
        return json.dumps([rng.choice((None, 1, "x", [], {"format": "ruleproof/play-1"}))]).encode()
    if kind == 3:
        cut = rng.randrange(len(play))
        return play[:cut] + rng.randbytes(2) + play[cut + rng.randrange(3) :]
    return mutated(rng, json.loads(play))


def mutated(rng: random.Random, doc: Any) -> bytes:  # noqa: ANN401  (JSON)
    """Change one place of a document."""
    here = doc
    while keys := keys_of(here):
        key = rng.choice(keys)
        if rng.random() < 0.3 or not keys_of(here[key]):
            here[key] = rng.choice(RUBBISH)
            break
        here = here[key]
    return json.dumps(doc).encode()


def keys_of(doc: Any) -> list[Any]:  # noqa: ANN401  (JSON)
    """List the places of a piece of a document."""
    if is_object(doc):
        return sorted(doc)
    return list(range(len(doc))) if is_list(doc) else []


RUBBISH: tuple[Any, ...] = (None, 7, -1, "x", [], {}, "chance", 1.5, True, [[]])


def line(rng: random.Random) -> list[str]:
    """Make a command line."""
    if rng.random() < 0.05:
        return [rng.choice((*VALUES, *OPTIONS)) for _ in range(rng.randrange(4))]
    command = rng.choice(("play", "play", "replay", "replay", *COMMANDS))
    if command in RARE and rng.random() < 0.9:
        command = "play"
    args = [command]
    if rng.random() < 0.9:
        games = ("./jugs", "./duel", "jugs", "nogame", "folder", "garbage", "")
        files = ("play.json", "garbage", "folder", "nofile", "play.json")
        args.append(rng.choice(files if command == "replay" else games))
    for _ in range(rng.randrange(4)):
        args.append(rng.choice(OPTIONS))
        if rng.random() < 0.8:
            args.append(rng.choice(VALUES))
    if command == "replay" and rng.random() < 0.7:
        args += ["--game", "./duel"]
    if command == "play":
        args += ["--max-moves", "30"]
    return [*args, *LIMITS.get(command, ())]


def attempt(
    rng: random.Random, monkeypatch: pytest.MonkeyPatch, play: bytes
) -> tuple[list[str], int]:
    """Run one case."""
    Path("garbage").write_bytes(garbage(rng, play))
    Path("play.json").write_bytes(play if rng.random() < 0.5 else garbage(rng, play))
    typed = "\n".join(rng.choice(TYPED) for _ in range(rng.randrange(12)))
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    args = line(rng)
    return args, run(args)


Fuzz = Callable[[int, int], None]


@pytest.fixture
def fuzz(here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Fuzz:
    """Run so many cases from a seed."""
    play = (here / "play.json").read_bytes()
    assert len(play) > 1000

    def many(seed: int, cases: int) -> None:
        for case in range(cases):
            rng = random.Random(f"{seed}/{case}")  # noqa: S311
            args, code = attempt(rng, monkeypatch, play)
            out, err = capsys.readouterr()

            assert code in STATUSES, (case, args, err)
            assert "Traceback" not in out + err, (case, args, err)
            assert "\x1b" not in out + err, (case, args)
            assert err or out or code != 2, (case, args)
        assert [each.name for each in here.parent.iterdir()] == [here.name]

    return many


def test_the_program_answers_whatever_it_is_given(fuzz: Fuzz) -> None:
    """A hundred random cases."""
    fuzz(1, 100)


@pytest.mark.slow
@pytest.mark.campaign
def test_the_program_answers_ten_thousand_times(fuzz: Fuzz) -> None:
    """Ten thousand random cases."""
    fuzz(2, 10_000)
