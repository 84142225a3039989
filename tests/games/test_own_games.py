"""A game written by somebody who had read README.md and spec/LANGUAGE.md only: every command works.

Lantern Whist has hidden hands, a deck of which one card is known, tricks, and suits to follow.
"""

import json
from pathlib import Path

import pytest

from ruleproof.cli.app import run
from ruleproof.tests.support.places import TESTS

OWN = TESTS / "specs" / "own"
WHIST = str(OWN / "lantern-whist")


def output(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    """Run a command that must find nothing, and give what it prints."""
    capsys.readouterr()
    assert run(args) == 0
    return capsys.readouterr().out


def test_it_is_a_short_spec() -> None:
    """A whole card game takes at most 150 lines."""
    assert len((OWN / "lantern-whist" / "game.yaml").read_text("utf-8").splitlines()) <= 150


def test_lint_has_nothing_to_say(capsys: pytest.CaptureFixture[str]) -> None:
    """Neither errors nor warnings."""
    output(capsys, "lint", "--strict", WHIST)


def test_all_plays_of_four_cards(capsys: pytest.CaptureFixture[str]) -> None:
    """Dealing and trump: 1, 4, 4*3, 4*3*2; from there on each play has one way to go.

    Two cards are played, the leader draws the one that is left, the other has trump, and two more
    are played: 1 + 4 + 12 + 6*24 = 161 states, 24 of them final, 8 moves deep. Most end in a tie.
    """
    told = output(capsys, "explore", WHIST, "--scope", "tiny", "--format", "json", "-q")

    assert json.loads(told) == {
        "scope": "tiny",
        "states": 161,
        "transitions": 160,
        "depth": 8,
        "final": 24,
        "complete": True,
        "results": [
            {"final_states": 20, "winners": ["Keeper 1", "Keeper 2"]},
            {"final_states": 2, "winners": ["Keeper 1"]},
            {"final_states": 2, "winners": ["Keeper 2"]},
        ],
    }


@pytest.mark.parametrize("left_out", [
    pytest.param(one, marks=pytest.mark.campaign)
    for one in (("ambiguity", "inert-clause", "redundant-clause", "asymmetry"), ())])
def test_verify_finds_nothing(
    capsys: pytest.CaptureFixture[str], left_out: tuple[str, ...]
) -> None:
    """The book is in order in all its scopes, and says what was checked; all, in the campaign."""
    skipped = [word for each in left_out for word in ("--skip", each)]
    found = json.loads(output(capsys, "verify", WHIST, *skipped, "--format", "json", "-q"))

    assert found["findings"] == []
    assert [(each["scope"], each["complete"]) for each in found["explored"]] == [
        ("tiny", True),
        ("small", True),
    ]
    assert {each["clause"] for each in found["holds"]} >= {"lw.cards", "lw.enough", "lw.example"}


def test_a_play_is_saved_and_replayed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Computers play the printed game to its end; the file that is saved runs again."""
    saved = tmp_path / "play.json"
    told = output(capsys, "play", WHIST, "--seats", "random", "--seat", "1=random",
                  "--seed", "5", "--save", str(saved), "--no-color")  # fmt: skip

    assert "the game is over" in told
    output(capsys, "replay", str(saved), "--game", WHIST)


def test_a_suit_has_to_be_followed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Who asks why a card may not be played is told the clause that says so."""
    commands = tmp_path / "commands"
    commands.write_text("why play\nquit\n", "utf-8")
    told = [
        output(capsys, "play", WHIST, "--scope", "small", "--seat", "1=random", "--seat",
               "2=human", "--seed", str(seed), "--moves", str(commands), "--no-color")
        for seed in range(8)
    ]  # fmt: skip

    assert any("forbids it: lw.follow" in each for each in told)
