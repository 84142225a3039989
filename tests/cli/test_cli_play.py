"""The commands `play` and `replay`, as somebody at a terminal or behind a pipe meets them."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ruleproof.cli.app import run
from ruleproof.cli.matching import find
from ruleproof.cli.table import saves
from ruleproof.cli.table.announcements import told
from ruleproof.cli.table.table import GameTable
from ruleproof.model.plays.board import view
from ruleproof.model.plays.plays import Taken
from ruleproof.model.run.interp import Interpreter
from ruleproof.tests.support.little import DUEL, JUGS, compiled, write

Cli = Callable[..., tuple[int, str, str]]

STRANGE = json.dumps(
    {
        "format": "ruleproof/play-1",
        "game": "../x",
        "settings": {
            "players": 2,
            "scope": "printed",
            "variants": [],
            "rulings": {},
            "cards": None,
        },
    }
)


LAY = r"""
game: empty-lay
players: {count: 2}
enums: {face: [one, two]}
families: {leaf: {attributes: {face: face}}}
cards: {leaf: {a: {name: A, copies: 2, face: one}}}
zones:
  hand: {holds: leaf, kind: bag, per: player, seen_by: owner}
  deck: {holds: leaf, kind: deck, starts: all}
state: {active: {type: player, start: 1}}
steps: {game: {}}
windows: {turns: {by: active, done: pass}}
start: game
clauses:
- {id: course, kind: order, says: two turns, on: game, do: "draw(1, deck, hand[active])\nturns()\nwin(active)"}
- {id: lay, kind: permit, says: a two may be laid, on: turns, option: lay, with: {card: "c for c in hand[actor] if c.face == two"}, do: "move(card, hand[actor], deck)"}
"""  # noqa: E501


@pytest.fixture
def games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder with two games, and change to it."""
    write(tmp_path / "duel", DUEL)
    write(tmp_path / "jugs", JUGS)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "100")
    return tmp_path


@pytest.fixture
def cli(games: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Run a command line here, with what is typed; give its status and what it wrote."""
    assert games.is_dir()

    def call(*args: str, typed: str = "") -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
        code = run(args)
        out, err = capsys.readouterr()
        return code, out, err

    return call


def saved(path: str) -> dict[str, Any]:
    """Read a saved play."""
    return dict(json.loads(Path(path).read_text("utf-8")))


# ------------------------------------------------------------------------------------ playing

def test_bookkeeping_of_a_spec_is_not_told(cli: Cli, games: Path) -> None:
    """What is `internal` changes silently; the same variable without the mark is told."""
    for mark in ("", ", internal: true"):
        write(games / "jugs", JUGS.replace("start: 0}", f"start: 0{mark}}}", 1))
        _, out, _ = cli("play", "./jugs", typed="fill small\nfill big\nquit\n")

        assert ("small: 3" in out) == (not mark)
        assert "big: 5" in out


CLASH = """
game: clash
title: Two rules that clash
players: {count: 2}
enums: {colour: [red, blue]}
state: {last: {type: colour?, start: none}}
steps: {game: {title: The game}}
windows: {laying: {who: players, each: once, forced: true}}
start: game
clauses:
- {id: c.go, kind: effect, says: each lays a colour, on: game, do: laying()}
- id: c.lay
  kind: permit
  says: one lays a colour
  on: laying
  option: lay
  with: {it: c for c in colour}
  do: last = it
- {id: c.same, kind: forbid, says: never the same, on: laying.lay, when: last == it}
- id: c.other
  kind: forbid
  says: never another
  on: laying.lay
  when: last != none and last != it
- {id: c.blue, kind: forbid, says: first red, on: laying.lay, when: last == none and it == blue}
"""


def test_who_is_stuck_is_told_which_clauses_clash(cli: Cli, games: Path) -> None:
    """Where clauses rule out every move, they are named, and one may ask why, or go back."""
    write(games / "clash", CLASH)
    code, out, _ = cli("play", "./clash", "--seats", "random", "--save", "p.json")
    assert code == 0
    told = [line.strip() for line in out[out.index("nothing can"):].splitlines()]
    assert told[0].endswith("these clauses together rule out all that one could do")
    assert [line.partition(":")[0] for line in told[1:3]] == ["c.other", "c.same"]
    assert told[3:5] == ["- player 2 lays red (ruled out by c.same)",
                         "- player 2 lays blue (ruled out by c.other)"]

    typed = "why lay blue\nhint\n1\nmoves\nundo!\nlay red\n"
    code, again, _ = cli("play", "./clash", "--load", "p.json", "--seats", "human", typed=typed)
    asked = again[again.index("lay blue: you may not"):]

    assert code == 0
    assert "forbids it: c.other" in asked
    assert asked.count("nothing can be done here") == 2
    assert "there is no move 1; there is none" in asked
    assert "taken back" in asked
    assert asked.count("rule out all that one could do") == 1


@pytest.mark.parametrize("kind", ["random", "greedy"])
def test_computers_play_a_whole_game(cli: Cli, kind: str) -> None:
    """A game of computer seats ends with a winner and the clause that made them win."""
    code, out, _ = cli("play", "./duel", "--seats", kind, "--seed", "4", "--save", "p.json")

    assert code == 0
    assert "the game is over: Duellist" in out
    assert "by d." in out.splitlines()[-1]
    assert saved("p.json")["result"]["over"] is True
    assert cli("replay", "p.json", "--game", "duel")[0] == 0


def test_the_same_seed_is_the_same_game(cli: Cli) -> None:
    """Chance and computer seats depend on the seed and on nothing else."""
    first = cli("play", "./duel", "--seats", "greedy", "--seed", "9", "--max-moves", "40")
    again = cli("play", "./duel", "--seats", "greedy", "--seed", "9", "--max-moves", "40")
    other = cli("play", "./duel", "--seats", "greedy", "--seed", "10", "--max-moves", "40")

    assert first == again
    assert first != other


def test_a_pipe_plays_by_numbers_and_by_words(cli: Cli) -> None:
    """Numbers and the beginnings of words are understood; the end of input is no error."""
    code, out, err = cli("play", "./jugs", typed="2\npour big\nemp sm\n\n# a comment\nFILL  big!\n")

    assert (code, err) == (0, "")
    assert [line for line in out.splitlines() if line.startswith("player 1 ")] == [
        "player 1 fills big",
        "player 1 pours big into small",
        "player 1 empties small",
        "player 1 fills big",
    ]
    assert out.splitlines()[-1] == "end of input"
    assert "> " not in out


def test_what_cannot_be_meant_is_said(cli: Cli) -> None:
    """Too high a number, an unknown move, and one that may mean several are told apart."""
    _, out, _ = cli("play", "./jugs", typed="77\nfly\nfill\n999999999999999\nmoves\n")

    assert "there is no move 77; there is 1 to 6" in out
    assert "no move `fly` here" in out
    assert "`fill` may mean 1 fill small, 2 fill big" in out


def test_why_names_the_clause(cli: Cli) -> None:
    """`why` says which clause forbids a move, with our words for it; or that it is possible."""
    typed = "low\nwhy strike\nwhy pass\nwhy strike feint\nwhy\nwhy nonsense\nwhy high\n"
    _, out, _ = cli("play", "./duel", "--seed", "3", "--seats", "human", typed=typed)

    assert "forbids it: d.low: nobody strikes from below" in out
    assert "it would take:" in out
    assert "pass: you may do that" in out
    assert "`card` cannot be `Feint` here" in out
    assert "here that would be 0 > 0" in out
    assert "ruled out by d.low" in out
    assert "nothing like `nonsense` can be done here" in out
    assert not re.search(r"at `[^`]*#\d", out)


def test_why_tells_what_is_lacking(cli: Cli, tmp_path: Path) -> None:
    """Where something is done here and there is nothing to do it with, it is done nowhere else."""
    (tmp_path / "game.yaml").write_text(LAY, "utf-8")
    typed = "why lay\nwhy lay nonsense\nwhy pass nonsense\n"
    _, out, _ = cli("play", str(tmp_path), "--seed", "1", typed=typed)

    assert "that is done at" not in out
    assert out.count("there is nothing here with which `lay` could be done") == 2
    assert "`pass` is done here without anything further, as `nonsense`" in out


def test_rules_are_told(cli: Cli) -> None:
    """`rules` lists the clauses in force, and tells one in full."""
    _, out, _ = cli("play", "./duel", typed="rules\nrules d.low\nrules d.\nrules zzz\n")

    assert "d.stance: one takes a stance" in out
    assert "kind: forbid" in out
    assert "no clause `zzz`" in out


def test_undo_is_free_until_something_is_learned(cli: Cli) -> None:
    """A move of one's own is taken back; past a card that chance has drawn only with `undo!`."""
    typed = "high\nundo\nlow\npass\nnothing\nno\nundo\nundo!\nsave p.json\n"
    code, out, _ = cli("play", "./duel", "--seats", "human", "--seed", "3", typed=typed)

    assert code == 0
    assert out.count("taken back") == 2
    assert "chance has decided something since" in out
    (mark,) = saved("p.json")["undone"]
    assert mark["learned"] == "chance has decided something"
    assert mark["first"] == "Duellist 1 says no (Give up?)"
    assert cli("replay", "p.json", "--game", "duel")[0] == 0


def test_what_the_others_hide_is_not_told(cli: Cli, tmp_path: Path) -> None:
    """A seat is told neither what another draws nor what it hides, and never sees its hand."""
    _, out, _ = cli("play", "./duel", "--seed", "3", "--seats", "random", "--seat", "1=human",
                    typed="high\npass\nnothing\nno\nboard\n")  # fmt: skip

    assert "a card is drawn from the stock" in out
    game = compiled(tmp_path / "again", DUEL)
    interp, state = Interpreter(game.machine), Interpreter(game.machine).start().state
    for _ in range(3):
        for move in interp.moves(state):
            after = interp.step(state, move)
            for seat in (0, 1):
                before, then = (view(game.machine, s, seat) for s in (state, after.state))
                text = told(game.machine, Taken(state, move, after), seat)
                shown = before["hand"] != then["hand"] and "Jab" in text
                assert ("a card" in text) == (
                    not shown and "Jab" not in text and "Hook" not in text and "Feint" not in text
                )
        state = interp.step(state, interp.moves(state)[0]).state


def test_help_is_a_list_on_a_narrow_terminal(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What stands before a text stands there once."""
    monkeypatch.setenv("COLUMNS", "40")
    _, out, _ = cli("play", "./duel", "--seed", "3", typed="help\nquit\n")
    lines = out.splitlines()

    assert sum(line.startswith("  why [MOVE]") for line in lines) == 1
    assert max(map(len, lines[next(n for n, line in enumerate(lines) if "NUMBER" in line):])) <= 40


def test_help_history_hint_and_board(cli: Cli) -> None:
    """Each command answers and does not move."""
    _, out, _ = cli(
        "play", "./duel", "--seed", "3", typed="help\nhistory\nhint\nboard\nquit\nlow\n"
    )

    assert "take it back all the same" in out
    assert "is drawn from the stock" in out
    assert "a greedy player would: " in out
    assert "Duellist 1 chooses" not in out


def test_saving_and_loading_inside_a_game(cli: Cli) -> None:
    """A play that was saved is gone on with, and files that cannot be are refused in a line."""
    typed = (
        "2\nsave a.json\n1\nload a.json\nhistory\nload nofile\nload jugs/game.yaml\nsave no/where\n"
    )
    code, out, _ = cli("play", "./jugs", typed=typed)

    assert code == 0
    assert out.rstrip().splitlines()[-1] == "end of input"
    assert out.count("   1  player 1 fills big") == 1
    assert "no file `nofile`" in out
    assert "no such file or directory" in out


def test_a_script_of_moves(cli: Cli) -> None:
    """`--moves` plays a file first; a line of it that is no move ends all with its place."""
    Path("m.txt").write_text("# start\nfill big\npour big into small\n", "utf-8")
    code, out, _ = cli("play", "./jugs", "--moves", "m.txt", "--save", "p.json")
    assert (code, len(saved("p.json")["steps"])) == (0, 2)

    Path("m.txt").write_text("fill big\nfill bog\n", "utf-8")
    code, _, err = cli("play", "./jugs", "--moves", "m.txt")
    assert code == 2
    assert err.startswith("error: m.txt:2: no move `fill bog` here")
    del out


def test_going_on_with_a_saved_play(cli: Cli) -> None:
    """`--load` goes on as if nothing had been: the same settings, seats, seed and chance."""
    whole = cli("play", "./duel", "--seats", "random", "--seed", "6", "--save", "whole.json")
    part = saved("whole.json")
    part["steps"] = part["steps"][:7]
    part["result"] = {"over": False, "winners": []}
    Path("part.json").write_text(json.dumps(part), "utf-8")
    code, _, _ = cli("play", "./duel", "--load", "part.json", "--save", "rest.json")

    assert whole[0] == code == 0
    assert saved("rest.json") == saved("whole.json")


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (("--load", "nofile"), "no file `nofile`"),
        (("--load", "p.json", "--players", "3"), "was played with other players"),
        (("--load", "m.txt"), "RP115"),
        (("--load", "broken.json"), "does not replay: step 3"),
        (("--load", "list.json"), "is no play"),
        (("--seat", "1"), "not of the form N=KIND"),
        (("--seat", "9=random"), "there is no seat 9"),
        (("--seat", "1=rando"), "did you mean `random`"),
        (("--seats", "greed"), "did you mean `greedy`"),
        (("--moves", "nofile"), "no such file or directory"),
        (("--players", "99"), "99"),
        (("--scope", "tiny"), "tiny"),
        (("--ruling", "x"), "POINT=READING"),
        (("--seed", "-1"), "seed"),
        (("--seed", "one"), "seed"),
        (("--max-moves", "0"), "max-moves"),
    ],
)
def test_wrong_options_are_refused_in_a_line(
    cli: Cli, options: tuple[str, ...], reason: str
) -> None:
    """What does not fit is said in one or two lines, with status 2 and no traceback."""
    cli("play", "./duel", "--seats", "random", "--seed", "6", "--save", "p.json")
    doc = saved("p.json")
    doc["steps"][2]["cites"] = []
    Path("broken.json").write_text(json.dumps(doc), "utf-8")
    Path("list.json").write_text("[]", "utf-8")
    Path("m.txt").write_text("pass\n", "utf-8")
    code, out, err = cli("play", "./duel", *options)

    assert (code, out) == (2, "")
    assert reason in err
    assert len(err.splitlines()) <= 4
    assert "Traceback" not in err


def test_endless_computer_games_stop_at_the_limit(cli: Cli) -> None:
    """A game without an end is stopped after --max-moves, which is status 3."""
    code, out, _ = cli(
        "play", "./jugs", "--seats", "random", "--max-moves", "20", "--save", "p.json"
    )

    assert code == 3
    assert "stopped after 20 moves" in out
    assert len(saved("p.json")["steps"]) == 20


def test_a_game_for_a_narrow_terminal(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lines keep to the width of the terminal, and have no colour without one."""
    monkeypatch.setenv("COLUMNS", "50")
    _, out, _ = cli("play", "./duel", "--seed", "3", typed="board\nwhy\nhelp\nrules\n")

    assert max(len(line) for line in out.splitlines()) <= 50
    assert "\x1b" not in out


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("snark 3", ["Snark 3", "Snark 3 and Blog 1", "Snark 31"], [0]),
        ("Snark 3, Blog", ["Snark 3", "Snark 3 and Blog 1"], [1]),
        ("blog", ["Snark 3", "Snark 3 and Blog 1"], [1]),
        ("lay", ["lay swag: A", "lay no more"], [0, 1]),
        ("l n m", ["lay swag: A", "lay no more"], [1]),
        ("?!", ["a", "b"], []),
        ("?!", ["?!"], [0]),
    ],
)
def test_moves_are_found_by_little(text: str, names: list[str], found: list[int]) -> None:
    """The same words come before the same beginning, and that before some of the words."""
    assert find(text, names) == found


# ------------------------------------------------------------------------------------ replaying


def test_a_tampered_play_is_refused_with_its_step(cli: Cli) -> None:
    """`replay` says the file, the step and the reason, with status 1."""
    cli("play", "./duel", "--seats", "random", "--seed", "6", "--save", "p.json")
    doc = saved("p.json")
    doc["steps"][3]["choice"] = {"card": {"card": "Feint"}}
    Path("t.json").write_text(json.dumps(doc), "utf-8")
    code, out, _ = cli("replay", "t.json", "p.json", "--game", "duel")

    assert code == 1
    first, second = out.splitlines()
    assert first.startswith("t.json: step 4: ")
    assert second == f"p.json: holds, {len(doc['steps'])} steps"


def test_a_play_of_another_spec_is_refused(cli: Cli) -> None:
    """A spec that has changed since is said to have."""
    cli("play", "./duel", "--seats", "random", "--seed", "6", "--save", "p.json")
    write(Path("duel"), DUEL.replace("copies: 2", "copies: 3"))
    code, out, _ = cli("replay", "p.json", "--game", "duel")

    assert code == 1
    assert "before the first step: it was made with another spec of `duel`" in out


def test_findings_are_replayed_witness_by_witness(cli: Cli) -> None:
    """Of a findings file every play and every position is run."""
    cli("play", "./duel", "--seats", "random", "--seed", "6", "--save", "p.json")
    play = saved("p.json")
    doc: dict[str, Any] = {
        "format": "ruleproof/findings-1",
        **{key: play[key] for key in ("game", "spec_sha256", "settings")},
        "findings": [
            {"id": "duel/none/one"},
            {"id": "duel/gap/two", "evidence": {
                "scope": "printed", "plays": [{"reading": "a", "play": play}], "position": {}}},
        ],
    }  # fmt: skip
    Path("f.json").write_text(json.dumps(doc), "utf-8")
    code, out, _ = cli("replay", "f.json", "--game", "duel")
    assert (code, out.startswith("f.json: duel/gap/two, play 1, a: holds")) == (0, True)

    play["steps"][2]["by"] = "rules"
    Path("f.json").write_text(json.dumps(doc), "utf-8")
    code, out, _ = cli("replay", "f.json", "--game", "duel", "--format", "json")
    (result,) = json.loads(out)
    assert (code, result["holds"], result["what"]) == (1, False, "duel/gap/two, play 1, a")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "RP115"),
        ("{}", "no `format`"),
        ("[]", "nothing in it"),
        ('{"format": "x"}', "cannot be replayed"),
        ('{"format": "ruleproof/play-1"}', "has no `game`"),
        (STRANGE, "no bundled game `../x`"),
        ("[" * 100_000, "RP107"),
        ('{"format": "\\u0000"}', "RP105"),
    ],
)  # fmt: skip
def test_files_that_hold_nothing_are_refused(cli: Cli, text: str, reason: str) -> None:
    """Whatever a file holds, the answer is a line and status 2."""
    Path("x.json").write_text(text, "utf-8")
    code, out, err = cli("replay", "x.json")

    assert code == 2
    assert reason in err
    assert "Traceback" not in out + err


# ------------------------------------------------------------------------------------ processes


MAIN = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("ruleproof", run_name="__main__", alter_sys=True)
"""
"""As `python -m ruleproof`, but also where interrupts are ignored, as in background jobs."""


def process(*args: str, cwd: Path, **more: Any) -> subprocess.Popen[str]:  # noqa: ANN401
    """Start the program by itself."""
    return subprocess.Popen(  # noqa: S603  (our own)
        [sys.executable, "-c", MAIN, *args], cwd=cwd, text=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more,
    )  # fmt: skip


def interrupt(
    started: subprocess.Popen[str], number: signal.Signals = signal.SIGINT
) -> tuple[int, str]:
    """Interrupt a game that is being played, and give its status and its messages."""
    assert started.stdout is not None
    for _ in range(30):
        started.stdout.readline()
    started.send_signal(number)
    _, err = started.communicate(timeout=30)
    return started.returncode, err


def test_an_interrupted_game_is_saved_and_gone_on_with(games: Path) -> None:
    """Ctrl-C saves, says how to go on, and ends with 130; going on continues the same game."""
    endless = ("play", "./jugs", "--seats", "random", "--max-moves", "10000000")
    code, err = interrupt(process(*endless, "--save", "a.json", cwd=games))

    assert code == 130
    assert "go on with `ruleproof play ./jugs --load a.json`" in err
    assert "Traceback" not in err

    steps = len(json.loads((games / "a.json").read_text())["steps"])
    going_on = process(
        "play", "./jugs", "--load", "a.json", "--save", "b.json",
        "--max-moves", str(steps + 5), "-q", cwd=games,
    )  # fmt: skip
    going_on.communicate(timeout=60)
    longer = json.loads((games / "b.json").read_text())["steps"]
    assert going_on.returncode == 3
    assert len(longer) == steps + 5
    assert longer[:steps] == json.loads((games / "a.json").read_text())["steps"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_game_that_is_ended_from_outside_is_saved(number: signal.Signals, games: Path) -> None:
    """SIGTERM, and a terminal that goes away, save a play as Ctrl-C does."""
    endless = ("play", "./jugs", "--seats", "random", "--max-moves", "10000000")
    code, err = interrupt(process(*endless, "--save", "a.json", cwd=games), number)

    assert code == 130
    assert "saved to a.json" in err
    assert json.loads((games / "a.json").read_text())["steps"]


def test_a_stop_does_not_cut_the_saving_in_two(
    games: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However long it takes to save a game that was interrupted, it is saved."""
    save = saves.save

    def slowly(table: GameTable, path: Path) -> None:
        for _ in range(12):
            time.sleep(0.1)
        save(table, path)

    def interrupted(_: object) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(20)

    monkeypatch.setattr(saves, "save", slowly)
    monkeypatch.setattr("ruleproof.cli.table.conversation.Talk.run", interrupted)

    assert run(["play", "./jugs", "-q", "--save", "a.json"]) == 130
    assert json.loads((games / "a.json").read_text())["format"] == "ruleproof/play-1"


def test_an_interrupted_game_without_a_name_gets_one(games: Path) -> None:
    """Without --save the play is written to a file that was not there, and the name is told."""
    (games / "jugs.play.json").write_text("mine")
    endless = ("play", "./jugs", "--seats", "random", "--max-moves", "10000000")
    code, err = interrupt(process(*endless, cwd=games))

    assert code == 130
    assert "jugs.play-2.json" in err
    assert (games / "jugs.play.json").read_text() == "mine"
    assert (games / "jugs.play-2.json").exists()


def test_a_reader_that_goes_away_is_no_error(games: Path) -> None:
    """A closed pipe ends the program quietly."""
    started = process("play", "./jugs", "--seats", "random", "--max-moves", "10000000", cwd=games)
    assert started.stdout is not None
    assert started.stderr is not None
    started.stdout.readline()
    started.stdout.close()
    deadline = time.monotonic() + 30
    while started.poll() is None and time.monotonic() < deadline:
        time.sleep(0.02)

    assert started.poll() == 141
    assert started.stderr.read() == ""
    started.communicate()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full disk here")
def test_a_full_disk_is_said_in_a_line(games: Path) -> None:
    """When nothing can be written any more, that is told, with status 2."""
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "ruleproof", "play", "./jugs"], cwd=games, stdout=full,
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False, timeout=30,
        )  # fmt: skip

    assert (done.returncode, done.stderr) == (2, "error: no space left on the device\n")


@pytest.mark.skipif(os.name == "nt", reason="terminals are made otherwise there")
def test_at_a_terminal_the_board_is_drawn_and_the_keyboard_passed(games: Path) -> None:
    """Two people at a terminal get a prompt each, and a cleared screen in between."""
    import pty  # noqa: PLC0415  (not everywhere)

    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": "80", "TERM": "xterm", "NO_COLOR": ""}
    started = subprocess.Popen(
        [sys.executable, "-m", "ruleproof", "play", "./duel", "--seats", "human", "--seed", "3"],
        cwd=games, stdin=theirs, stdout=theirs, stderr=theirs, env=environment,
    )  # fmt: skip
    os.close(theirs)
    shown = answer(ours, "Duellist 1>", "high\n", "pass\n", "nothing\n", "no\n")
    shown += answer(ours, "then press Enter", "\n")
    shown += answer(ours, "Duellist 2>", "quit\n")
    started.wait(timeout=30)
    os.close(ours)

    assert started.returncode == 0
    assert "\x1b[2J" in shown
    assert "\x1b[1m" in shown
    assert "  hand" in shown


def answer(terminal: int, prompt: str, *typed: str) -> str:
    """Wait for a prompt before each line that is typed."""
    shown = ""
    for text in typed:
        seen = ""
        while prompt not in seen:
            seen += os.read(terminal, 65_536).decode("utf-8", "replace")
        shown += seen
        os.write(terminal, text.encode())
    return shown
