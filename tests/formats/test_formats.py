"""Files for other programs: traces, game trees, tables of cards."""

import json
import re
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from ruleproof.cli.app import run
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.plays.board import values_by_name
from ruleproof.model.plays.plays import record, replay
from ruleproof.model.run.interp import Interpreter
from ruleproof.model.source.errors import SpecErrors
from ruleproof.tests.support.little import DUEL, write
from ruleproof.tests.support.places import TESTS

KUHN = str(TESTS / "specs" / "known" / "kuhn-poker")
TABLE = [["family", "id", "name", "copies", "force"], ["strike", "jab", "Jab; hard", "2", "3"]]


# --------------------------------------------------------------------------------------- ITF


def plain(value: Any) -> Any:  # noqa: ANN401
    """Read a value of a trace back."""
    match value:
        case {"#bigint": str() as digits}:
            return int(digits)
        case {"#map": list() as pairs}:
            return {key: plain(each) for key, each in pairs}
        case {"tag": "None"}:
            return None
        case {"tag": "Some", "value": inner}:
            return plain(inner)
        case list():
            return [plain(each) for each in value]
        case _:
            return value


def test_a_trace_holds_the_states(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each state of a play is there, value by value, with the move that led to it."""
    compiled = compile_game(load_game(str(write(tmp_path / "duel", DUEL))))
    interp = Interpreter(compiled.machine)
    state, moves = interp.start().state, []
    for _ in range(12):
        moves.append(interp.moves(state)[-1])
        state = interp.step(state, moves[-1]).state
    doc = record(compiled, moves)
    file = tmp_path / "play.json"
    file.write_text(json.dumps(doc), "utf-8")
    code = run(["replay", str(file), "--game", str(tmp_path / "duel"), "-f", "itf"])
    trace = json.loads(capsys.readouterr().out)
    again = replay(doc, compiled)
    assert again.start is not None
    states = [again.start.state, *(each.step.state for each in again.taken if each.step)]
    declared = {each.name for each in compiled.machine.arrays if each.declared}

    assert code == 0
    assert trace["#meta"]["format"] == "ITF"
    assert set(trace["vars"]) == declared | {"node"}
    assert len(trace["states"]) == len(states) == 13
    for shown, real in zip(trace["states"], states, strict=True):
        assert set(shown) == {*trace["vars"], "#meta"}
        assert {name: plain(shown[name]) for name in declared} == {
            name: value for name, value in values_by_name(compiled.machine, real).items()
            if name in declared}


def test_one_play_is_one_trace(capsys: pytest.CaptureFixture[str]) -> None:
    """Of several plays one must be named; a loop says where it goes back to."""
    golden = str(TESTS / "golden" / "plum-panic.json")
    flawed = str(TESTS / "flawed")

    assert run(["replay", golden, "--game", flawed, "-f", "itf"]) == 2
    assert "say with `--number` which one" in capsys.readouterr().err
    assert run(["replay", golden, "--game", flawed, "-f", "itf", "--number", "99"]) == 2
    assert run(["replay", golden, "--game", flawed, "-f", "itf", "--number", "1"]) == 0


# --------------------------------------------------------------------------------------- efg

NODE = re.compile(r'^(?:c "" (\d+) "" \{ (.*) \} 0|p "" (\d+) (\d+) "" \{ (.*) \} 0'
                  r'|t "" (\d+) "" \{ (.*) \})$')
QUOTED = r'"(?:[^"\\]|\\.)*"'


def tree(text: str) -> tuple[Counter[str], dict[tuple[str, str], set[str]], list[Fraction]]:
    """Read a tree back: how many nodes of each kind, information sets, the worth of it."""
    lines = iter(text.split("\n")[3:-1])
    kinds, sets = Counter[str](), dict[tuple[str, str], set[str]]()

    def node() -> list[Fraction]:
        found = NODE.match(next(lines))
        assert found
        _, odds, player, number, actions, _, paid = found.groups()
        if paid is not None:
            kinds["t"] += 1
            return [Fraction(each) for each in paid.split(", ")]
        if odds is not None:
            kinds["c"] += 1
            shares = [Fraction(each) for each in re.findall(rf"{QUOTED} (\d+/\d+)", odds)]
            assert sum(shares) == 1
            below = [node() for _ in shares]
            return [sum((s * b[i] for s, b in zip(shares, below, strict=True)), Fraction(0))
                    for i in range(len(below[0]))]
        kinds["p"] += 1
        names = re.findall(QUOTED, actions)
        assert len(set(names)) == len(names)
        sets.setdefault((player, number), set()).add(actions)
        below = [node() for _ in names]
        return [sum((b[i] for b in below), Fraction(0)) / len(below) for i in range(len(below[0]))]

    worth = node()
    assert next(lines, None) is None
    return kinds, sets, worth


def test_kuhn_poker_is_the_tree_that_is_known(capsys: pytest.CaptureFixture[str]) -> None:
    """Six deals with five ends each, and six information sets of each player."""
    assert run(["explore", KUHN, "-f", "efg", "-q"]) == 0
    kinds, sets, worth = tree(capsys.readouterr().out)

    assert kinds == {"c": 1 + 3, "p": 6 * 4, "t": 6 * 5}
    assert Counter(player for player, _ in sets) == {"1": 6, "2": 6}
    assert all(len(actions) == 1 for actions in sets.values())
    assert sum(worth) == 1


def test_who_is_next_is_a_player_where_rules_leave_it_open(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """It gets no payoff, and names of specs cannot leave their quotes."""
    text = """
game: both
title: 'Bo"th\\\\'
players: {count: 2}
state: {coins: {type: int 0..2, per: player, start: 0}}
steps: {game: {}}
windows: {take: {who: players, each: once, done: pass}}
start: game
clauses:
- {id: t, kind: effect, says: both may take, on: game, do: take()}
- {id: o, kind: permit, says: a coin, on: take, option: coin, do: "coins[actor] += 1"}
- {id: w, kind: outcome, says: the richest, on: game, after: [t], do: "win(argmax(coins[p] for p in players))"}
"""  # noqa: E501
    assert run(["explore", str(write(tmp_path, text)), "-f", "efg", "-q"]) == 0
    out = capsys.readouterr().out
    _, sets, worth = tree(out)

    assert out.startswith('EFG 2 R "Bo\\"th\\\\')
    assert '"the rules"' in out
    assert {player for player, _ in sets} == {"1", "2", "3"}
    assert worth[2] == 0


def test_a_tree_without_end_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    """It says what to do instead."""
    assert run(["explore", str(TESTS / "specs" / "known" / "jugs"), "-f", "efg", "-q"]) == 2
    assert "name a smaller `--scope`" in capsys.readouterr().err


def test_explore_tells_who_has_won(capsys: pytest.CaptureFixture[str]) -> None:
    """Final states are counted by winner, and time goes to standard error."""
    assert run(["explore", KUHN, "-f", "json"]) == 0
    out, err = capsys.readouterr()
    found = json.loads(out)

    assert sum(each["final_states"] for each in found["results"]) == found["final"] == 24
    assert {tuple(each["winners"]) for each in found["results"]} == {("player 1",), ("player 2",)}
    assert re.search(r"\d seconds, [\d,]+ states a second", err)


# ------------------------------------------------------------------------------- cards as CSV


def table(rows: list[list[str]], separator: str = ",", end: str = "\n") -> str:
    """Write a table as a spreadsheet does."""
    def cell(text: str) -> str:
        return f'"{text}"' if separator in text else text

    return "".join(separator.join(map(cell, row)) + end for row in rows)


@pytest.mark.parametrize("data", [
    table(TABLE).encode(),
    table(TABLE, ";", "\r\n").encode("utf-8-sig"),
    table(TABLE, "\t", "\r\n").encode("utf-16"),
    b"sep=;\r\n" + table(TABLE, ";", "\r\n").encode(),
    table([*TABLE, ["", "", "", "", ""]], ";").encode(),
])
def test_tables_of_spreadsheets_are_read(tmp_path: Path, data: bytes) -> None:
    """Commas, semicolons, tabs, byte order marks, CRLF, `sep=` and empty rows come to the same."""
    file = tmp_path / "cards.csv"
    file.write_bytes(data)
    game = load_game(str(write(tmp_path / "duel", DUEL)), Settings(cards=str(file)))
    jab = next(card for card in game.families["strike"].cards if card.id == "jab")

    assert (jab.name, jab.copies, jab.attributes["force"]) == ("Jab; hard", 2, 3)


@pytest.mark.parametrize(("rows", "line", "said"), [
    ([["id", "forse"], ["jab", "1"]], 1, "no card has a `forse`"),
    ([["name", "force"], ["Jab", "1"]], 1, "no column `id`"),
    ([["id", "force"], ["jab", "1"], ["jab", "2"]], 3, "the card `jab` is there twice"),
    ([["family", "id"], ["strikes", "jab"]], 2, "no family `strikes`"),
    ([["id", "force"], ["jab", "1", "2"]], 2, "more cells than there are columns"),
    ([["id", "force"], ["jab", "lots"]], 2, "lots"),
    ([["id", "copies"], ["jab", "x"]], 2, "`cards.strike.jab.copies` must be a whole number"),
    ([["id", "copies"], ["jab", "-3"]], 2, "`cards.strike.jab.copies` must be at least 0"),
    ([["id", "copies"], ["jab", "2000"]], 2, "`cards.strike.jab.copies` must be at most 1000"),
    ([["id", "clause"], ["jab", "7"]], 2, "`cards.strike.jab.clause` must be text"),
    ([], 1, "the table has no rows"),
])
def test_mistakes_of_a_table_have_places(
    tmp_path: Path, rows: list[list[str]], line: int, said: str
) -> None:
    """Each is told with its line, and what was meant."""
    file = tmp_path / "cards.csv"
    file.write_text(table(rows), "utf-8")
    with pytest.raises(SpecErrors) as raised:
        load_game(str(write(tmp_path / "duel", DUEL)), Settings(cards=str(file)))
    told = [each for each in raised.value.diagnostics if said in each.message]

    assert [each.place.line for each in told] == [line]
    assert told[0].place.file.endswith("cards.csv")


def test_a_table_in_latin_1_is_refused(tmp_path: Path) -> None:
    """It says how to save it."""
    file = tmp_path / "cards.csv"
    file.write_bytes("id,name\njab,Zürich\n".encode("latin-1"))
    with pytest.raises(SpecErrors) as raised:
        load_game(str(write(tmp_path / "duel", DUEL)), Settings(cards=str(file)))

    assert "CSV UTF-8" in raised.value.diagnostics[0].help
