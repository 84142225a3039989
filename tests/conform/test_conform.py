"""`conform`: an implementation that is right holds, every mistake of one that is not is found."""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ruleproof.checker.conform.dialogue import Broke, Dialogue
from ruleproof.checker.conform.implementation import parts_apart
from ruleproof.cli.app import run
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.formats import check_junit, check_ours
from ruleproof.tests.support.little import DUEL, TAX, write
from ruleproof.tests.support.places import TESTS

KUHN = str(TESTS / "specs" / "known" / "kuhn-poker")
OWN = str(TESTS / "conform" / "adapters" / "own.py")
POKER = str(TESTS / "conform" / "adapters" / "poker.py")

Conform = Callable[..., tuple[int, dict[str, Any], str]]


@pytest.fixture
def conform(capsys: pytest.CaptureFixture[str]) -> Conform:
    """Run the command with an adapter; give its status, its JSON and its messages."""

    def call(game: str, adapter: str, *args: str, options: tuple[str, ...] = ()) -> tuple[
            int, dict[str, Any], str]:
        code = run(["conform", game, "-q", "-f", "json", *options, "--", sys.executable, adapter,
                    *args])
        out, err = capsys.readouterr()
        found = json.loads(out) if out else {}
        if found:
            check_ours("conform", found)
        return code, found, err

    return call


def kinds(found: dict[str, Any]) -> set[str]:
    """List the kinds of differences, of positions and of plays."""
    told = [one for each in found["positions"] for one in each.get("differences", ())]
    told += [found[name]["apart"]["difference"] for name in ("perft", "lockstep")
             if found[name] and "apart" in found[name]]
    return {each["what"].split(" of ")[0] for each in told}


# ------------------------------------------------------------------------------ what is right


@pytest.mark.parametrize("game", one_in(3, ["nim", "kuhn-poker", "gifts"]))
def test_our_interpreter_conforms(conform: Conform, game: str) -> None:
    """What the rules say themselves, behind the protocol, is all green."""
    path = str(TESTS / "specs" / "known" / game)
    code, found, _ = conform(path, OWN, path, options=("--max", "8", "--plays", "3"))

    assert code == 0
    assert kinds(found) == set()
    assert {each["verdict"] for each in found["positions"]} == {"holds"}
    assert found["not_compared"] == found["not_checked"] == []


def test_records_bags_and_hidden_zones_conform(conform: Conform, tmp_path: Path) -> None:
    """Choices of several cards, hidden hands and limits come through the protocol unchanged."""
    path = str(write(tmp_path, DUEL))
    code, found, _ = conform(path, OWN, path, options=("--max", "0", "--plays", "3", "-d", "3"))

    assert (code, kinds(found)) == (0, set())


@pytest.mark.parametrize("mistake", ["", "cannot set", "not reduced"])
def test_another_engine_conforms(conform: Conform, mistake: str) -> None:
    """An engine of nobody of ours conforms, also where situations are only reached by moves."""
    code, found, _ = conform(KUHN, POKER, mistake, options=("-d", "5"))
    rows = [(each["rules"], each["theirs"]) for each in found["perft"]["lengths"]]

    assert (code, kinds(found)) == (0, set())
    assert rows == [(3, 3), (6, 6), (12, 12), (24, 24), (12, 12)]
    assert found["not_compared"] == ["first"]


def test_an_order_that_no_rule_gives_is_free(conform: Conform, tmp_path: Path) -> None:
    """Where the rules leave open who is next, a program may offer some of it, and is followed."""
    text = """
game: both
players: {count: 3}
state: {coins: {type: int 0..2, per: player}}
steps: {game: {}}
windows: {take: {who: players, each: once, done: pass}}
start: game
clauses:
- {id: t, kind: effect, says: all may take, on: game, do: take()}
- {id: o, kind: permit, says: a coin, on: take, option: coin, do: "coins[actor] += 1"}
"""
    path = str(write(tmp_path, text))
    code, found, _ = conform(path, OWN, path, "one-order", options=("-d", "4"))
    other, _, _ = conform(path, OWN, path, options=("-d", "4"))
    rows = [(each["rules"], each["theirs"]) for each in found["perft"]["lengths"]]

    assert (code, other) == (3, 0)
    assert rows[0] == (3, 1)
    assert kinds(found) == set()
    assert {each.get("why", "") for each in found["positions"]} <= {
        "", "it has an order of its own where the rules leave open who is next"}


# ------------------------------------------------------------------------------ what is wrong


@pytest.mark.parametrize(
    ("mistake", "kind", "length"),
    [("odds", "legal moves", 0), ("no fold", "legal moves", 3), ("raise", "legal moves", 3),
     ("turn", "to move", 3), ("stakes", "state", 4), ("winner", "result", 4),
     ("over", "result", 4), ("leak", "view", 0)],
)  # fmt: skip
def test_each_mistake_is_found(conform: Conform, mistake: str, kind: str, length: int) -> None:
    """Positions and random plays both find it, and the play shown is the shortest there is."""
    code, found, _ = conform(KUHN, POKER, mistake)
    walked = found["lockstep"]["apart"]

    assert code == 1
    assert kind in kinds(found)
    assert walked["difference"]["what"].split(" of ")[0] == kind
    assert len(walked["moves"]) == length
    assert walked["from_position"]
    assert any(each["verdict"] == "differs" for each in found["positions"])


@pytest.mark.parametrize(("mistake", "said"), [
    ("dies", "ended with status 3; it says `no such seat`"), ("hangs", "no answer within"),
    ("garbage", "no object of JSON"),
])
def test_a_program_that_breaks_is_told(conform: Conform, mistake: str, said: str) -> None:
    """It is a difference with the reason, after the moves that led there; the rest goes on."""
    code, found, _ = conform(KUHN, POKER, mistake, options=("--answer-time", "1.5"))
    apart = found["lockstep"]["apart"]

    assert code == 1
    assert said in apart["difference"]["theirs"][0]
    assert len(apart["moves"]) == 3
    assert all(each["verdict"] == "holds" for each in found["positions"])


@pytest.mark.parametrize(("command", "said"), [
    (["no-such-program"], "cannot be started: no such file"),
    ([sys.executable, "-c", "print('hello')"], "does not speak the protocol: the answer is no"),
    ([sys.executable, "-c", ""], "it ended with status 0"),
    ([sys.executable, "-c", "import time; time.sleep(20)"], "no answer within 1 seconds"),
    ([sys.executable, POKER, "out of step"], "the answer has the id `2`, and the request 1"),
])
def test_what_does_not_speak_is_wrong_usage(
    capsys: pytest.CaptureFixture[str], command: list[str], said: str
) -> None:
    """Status 2, one line of reason, and where the protocol is described."""
    code = run(["conform", KUHN, "--max", "0", "--answer-time", "1", "--", *command])

    assert code == 2
    assert said in capsys.readouterr().err


def test_a_reading_is_recognised(conform: Conform, tmp_path: Path) -> None:
    """An engine that reads a point otherwise is told to, and its plays are compared under that."""
    path = str(write(tmp_path, TAX))
    code, found, _ = conform(path, OWN, path, "price=two")
    ruled, _, _ = conform(path, OWN, path, "price=two", options=("--ruling", "price=two"))
    (reading,) = found["readings"]

    assert (code, ruled) == (1, 0)
    assert (reading["point"], reading["adopted"], reading["plays"]) == ("price", "one", "two")
    assert "apart" not in found["lockstep"]


# ------------------------------------------------------------------------------ what is written


def test_the_diff_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    """What only the rules say has a minus, what only the implementation says a plus."""
    code = run(["conform", KUHN, "-q", "--no-color", "--", sys.executable, POKER, "stakes"])
    out = capsys.readouterr().out

    assert code == 1
    assert "  - staked.player 2: 2\n  + staked.player 2: 3\n" in out
    assert "positions     5 of 6 hold\n" in out


def test_junit_has_a_case_for_each_position(capsys: pytest.CaptureFixture[str]) -> None:
    """Cases fail where positions differ, and for the plays."""
    run(["conform", KUHN, "-q", "-f", "junit", "--", sys.executable, POKER, "no fold"])
    cases = check_junit(capsys.readouterr().out)
    failed = [case.get("name") for case in cases if case.find("failure") is not None]

    assert len(cases) == 8
    assert len(failed) == 4
    assert "random plays" in failed


def test_positions_are_taken_from_files(
    conform: Conform, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A folder that `positions` wrote is used as it is; one of another game is wrong usage."""
    assert run(["positions", KUHN, "-q", "-o", str(tmp_path / "kuhn")]) == 0
    code, found, _ = conform(KUHN, POKER, options=("--positions", str(tmp_path / "kuhn")))
    nim = str(TESTS / "specs" / "known" / "nim")
    wrong, _, err = conform(nim, POKER, options=("--positions", str(tmp_path / "kuhn")))
    capsys.readouterr()

    assert (code, len(found["positions"])) == (0, 6)
    assert wrong == 2
    assert "is a position of `kuhn-poker`, not of `nim`" in err


def test_what_is_left_out_of_an_object_is_zero() -> None:
    """No cards and no entry are the same; a hidden zone that shows its cards is one difference."""
    assert parts_apart({"a": 1}, {"a": 1, "b": 0}, "hand") == []
    assert parts_apart({"a": 1}, {"b": 1}, "h") == [("h.a", "1", "0"), ("h.b", "0", "1")]
    assert len(parts_apart({"size": 2}, {"a": 1, "b": 1}, "hand")) == 1
    assert parts_apart(ours=True, theirs=1, path="flag") == [("flag", "True", "1")]


def test_a_flood_is_no_answer() -> None:
    """A program that writes without end is broken, not a full memory."""
    talk = Dialogue([sys.executable, "-c", "while True: print('x' * 10**6, end='')"], 20)

    with pytest.raises(Broke, match="no object of JSON"):
        talk.ask({"do": "game"})
    talk.close(at_once=True)
