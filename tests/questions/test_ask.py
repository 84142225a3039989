"""`ask`: few questions, each a situation that the readings tell apart; answers become rulings."""

import io
import json
import sys
import time
from collections.abc import Callable
from importlib import import_module
from inspect import signature
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.points.points import Point
from ruleproof.checker.questions.results import Unasked
from ruleproof.checker.questions.search import QuestionSearch, Scenario
from ruleproof.cli.app import COMMANDS, run
from ruleproof.cli.table.keyboard import InputLine, Keyboard
from ruleproof.model.game.game import PRINTED, Settings
from ruleproof.model.stop import Stop
from ruleproof.tests.support.formats import check_ours
from ruleproof.tests.support.little import TAX, write
from ruleproof.tests.support.places import TESTS

FLAWED = str(TESTS / "flawed")
TWO = TAX.replace("state: {coins", "constants: {pot: 1}\nstate: {coins") + """- id: gift
  clauses: [t.pay]
  asks: does the other one get what is paid
  readings:
  - {id: gone, title: it is gone, changes: {}}
  - id: given
    title: the other one gets it
    changes:
      t.pay:
        do: |
          if may(by=active, ask='Do you pay?'):
            coins[active] -= 1
            coins[next_player(active)] += 1
- id: idle
  clauses: [t.win]
  asks: is a pot of one a pot
  readings:
  - {id: one, title: it is, changes: {}}
  - {id: two, title: no, changes: {}, constants: {pot: 2}}
"""
DEALT = """game: dealt
title: Dealt
players: {count: 2}
families: {bead: {attributes: {}}}
cards: {bead: {red: {copies: 1}, blue: {copies: 2}}}
zones:
  bag: {holds: bead, kind: deck, starts: all}
  hand: {holds: bead, kind: bag, per: player, seen_by: owner}
  left: {holds: bead, kind: bag}
state: {pot: {type: int 0..3}}
steps: {game: {}, end: {}}
start: game
scopes: {all: {about: all beads, cards: {bead: {red: 1, blue: 2}}}}
clauses:
- {id: deal, kind: setup, says: a bead each, on: game,
   do: "for p in players:\\n  draw(1, bag, hand[p])"}
- {id: over, kind: order, says: then it ends, on: game, after: [deal], do: end()}
- {id: last, kind: effect, says: the last one is laid down, on: end, do: "draw(1, bag, left)"}
- {id: fill, kind: effect, says: the pot is filled, on: end, do: "pot = 3"}
- id: win
  kind: outcome
  says: red wins
  on: end
  after: [last, fill]
  do: "win({p for p in players if count(hand[p], bead.red) > 0})"
"""
"""A deal, and two sentences about different things."""
PICKS = """game: picks
title: Picks
players: {count: 2}
families: {coin: {attributes: {worth: int 1..2}}}
cards: {coin: {one: {copies: 1, worth: 1}, two: {copies: 1, worth: 2}}}
zones:
  middle: {holds: coin, kind: bag, starts: all}
  hand: {holds: coin, kind: bag, per: player}
steps: {game: {}}
start: game
clauses:
- id: pick
  kind: effect
  says: each picks a coin
  on: game
  do: |
    for p in players:
      c = choose(middle, by=p, ask="Which coin?")
      move(c, middle, hand[p])
- id: win
  kind: outcome
  says: the most valuable coin wins
  on: game
  after: [pick]
  do: win(only(argmax(sum(c.worth for c in hand[p]) for p in players)))
"""
APART = TAX.replace("state: {coins", "state: {pot: {type: int 0..3}, coins").replace(
    "- id: t.win", """- id: t.fill
  kind: effect
  says: the pot is filled
  on: turn
  after: [t.pay]
  do: pot += 1
- id: t.win""") + """- id: fill
  clauses: [t.fill]
  asks: is it filled
  readings:
  - {id: it-is, title: it is, changes: {}}
  - {id: not, title: no, changes: {t.fill: {do: pot += 0}}}
"""
"""Two points about different sentences, which one situation tells apart."""
Ask = Callable[..., tuple[int, Any, str]]


@pytest.fixture
def ask(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Run the command with answers in a pipe; give its status, its JSON and the conversation."""

    def call(game: str, *args: str, answers: str = "") -> tuple[int, Any, str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(answers))
        code = run(["ask", game, *args])
        out, err = capsys.readouterr()
        found = json.loads(out) if out else None
        if found:
            check_ours("rulings" if "rulings" in found else "questions", found)
        return code, found, err

    return call


def test_questions_are_situations(ask: Ask) -> None:
    """Each has a position, two or three ways on, one of them as it is ruled, and all differ."""
    code, found, _ = ask(FLAWED, "-f", "json")
    asked = found["questions"]

    texts = [way["text"] for each in asked for way in each["continuations"]]

    assert code == 1
    assert any("then, and not otherwise, the next move can be: Eater 1" in text for text in texts)
    assert {point for each in asked for point in each["points"]} == {
        "whole-hand", "order/deal", "too-few/deal"}
    for each in asked:
        texts = [way["text"] for way in each["continuations"]]
        assert 2 <= len(set(texts)) == len(texts) <= 3
        assert [way.get("adopted", False) for way in each["continuations"]].count(True) == 1
        assert each["position"]["format"] == "ruleproof/position-1"


def test_a_list_of_questions_replaces_no_answers(ask: Ask, tmp_path: Path) -> None:
    """Where `-o` names a file with answers, they stay, and no list is made; another list goes."""
    game, file = str(write(tmp_path, TWO)), tmp_path / "rulings.json"
    assert [ask(game, "-f", "json", "-o", str(tmp_path / "list.json"))[0] for _ in range(2)] == [
        1, 1]
    ask(game, "-o", str(file), answers="1\n")
    kept = file.read_text("utf-8")
    code, _, told = ask(game, "-f", "json", "-o", str(file))

    assert code == 2
    assert "holds answers" in told
    assert file.read_text("utf-8") == kept


def test_one_question_settles_two_points(ask: Ask, tmp_path: Path) -> None:
    """Two points that the same situation tells apart need one question if it is confirmed."""
    game = str(write(tmp_path, TWO))
    code, found, _ = ask(game, answers="1\n")
    other, apart, _ = ask(game, answers="2\n")

    assert code == 0
    assert found["rulings"] == {"gift": "gone", "price": "one"}
    assert other == 1
    assert apart["rulings"] == {"price": "two"}


def test_no_answer_is_offered_that_does_not_go_with_one_given(ask: Ask, tmp_path: Path) -> None:
    """What is asked later is asked of the game as it was answered; what clashes is told."""
    game = str(write(tmp_path, TWO))
    _, _, clash = ask(game, answers="2\n")
    code, fine, _ = ask(str(write(tmp_path / "own", APART)), answers="2\n2\n")
    second = fine["answers"][1]["position"]

    assert clash.count("Question") == 1
    assert "not asked: gift=given: it does not go with what was answered" in clash
    assert code == 0
    assert second["settings"]["rulings"] == {"price": "two", "fill": "not"}
    assert second["expect"]["changes"]["coins"]["to"]["player 1"] == 0


@pytest.mark.parametrize(("answer", "reading"), [("1", "clockwise"), ("2", "counterclockwise")])
def test_an_order_under_which_a_move_is_impossible_is_an_answer_that_says_so(
    ask: Ask, capsys: pytest.CaptureFixture[str], tmp_path: Path, answer: str, reading: str
) -> None:
    """The move of one player is not made by another; the test of the answer is one that holds."""
    game, file = str(write(tmp_path / "picks", PICKS)), tmp_path / "rulings.json"
    _, _, told = ask(game, "--point", "order/pick", "-o", str(file), answers=f"{answer}\n")
    held = run(["replay", str(file), "--game", game])
    capsys.readouterr()
    found = json.loads(file.read_text("utf-8"))

    assert "2 this cannot be done then; player 2 is to move" in " ".join(told.split())
    assert found["rulings"] == {"order/pick": reading}
    assert found["answers"][0]["position"]["to_move"] == f"player {answer}"
    assert held == 0


def test_what_makes_no_difference_is_not_asked(ask: Ask, tmp_path: Path) -> None:
    """It is listed, with what was looked at."""
    _, found, _ = ask(str(write(tmp_path, TWO)), "-f", "json")

    assert "idle" in [each["point"] for each in found["not_asked"]]
    assert "same" in found["not_asked"][0]["why"]


def test_what_a_later_position_shows_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reading of which no position was found is shown by that of another point all the same."""
    first, second, third = (
        Point(name, "declared", (), name, (("as-is", "as is"), ("a", "A"), ("b", "B")), "as-is")
        for name in ("first", "second", "third"))

    def position(_: QuestionSearch, pair: tuple[str, str], __: object) -> Scenario | str:
        if pair == ("second", "a"):
            return Scenario({}, PRINTED, [({}, []), ({}, [pair, ("first", "a")])])
        return f"not shown: {pair[1]}"

    monkeypatch.setattr(QuestionSearch, "_position", position)
    search = QuestionSearch(Workbench(FLAWED, Settings()), Stop())
    search.look((first, second, third))

    assert [(each.point, each.readings, each.why) for each in search.not_asked] == [
        ("first", ("b",), "not shown: b"), ("second", ("b",), "not shown: b"),
        ("third", ("a", "b"), "not shown: a; not shown: b")]


def test_what_an_answer_takes_a_position_from_is_sought_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """So is what was sought for nothing before: under the answer it may come up."""
    sought = list[tuple[str, str]]()
    known = {name: Point(name, "declared", (), name, (("as-is", "as is"), ("a", "A"), ("b", "B")),
                         "a" if name == "second" else "as-is") for name in ("first", "second")}
    gone = Scenario({"id": "gone"}, PRINTED, [({}, []), ({}, [("first", "a")])])

    def position(_: QuestionSearch, pair: tuple[str, str], __: object) -> Scenario | str:
        sought.append(pair)
        return Scenario({"id": "new"}, PRINTED, [({}, []), ({}, [pair])])

    monkeypatch.setattr(QuestionSearch, "_position", position)
    monkeypatch.setattr(QuestionSearch, "_again", lambda *_: None)
    search = QuestionSearch(Workbench(FLAWED, Settings()), Stop(), candidates=[gone],
                            not_asked=[Unasked("first", ("b",), "not shown")])

    assert search.settle({"second": "a"}, known) == {}
    assert sought == [("first", "a"), ("first", "b"), ("second", "as-is"), ("second", "b")]
    assert not search.not_asked


def test_what_an_answer_leaves_no_proof_of_is_not_said_to_be_proved(
    ask: Ask, tmp_path: Path
) -> None:
    """Two sentences about different things are about one once a price is what is in the pot."""
    game = str(write(tmp_path, APART.replace("  after: [t.pay]\n", "").replace("-= 2", "-= pot")))
    (one, other) = (ask(game, "--point", "price", "--point", "order/t.pay/t.fill",
                        answers=f"{answer}\n")[2] for answer in (1, 2))

    assert "not asked: order/t.pay/t.fill=second: they touch different things" in one
    assert "order/t.pay/t.fill" in other
    assert "they touch different things" not in other


SHARED = TAX + """- id: rest
  clauses: [t.win]
  asks: is there a coin for who is quick
  readings:
  - {id: "no", title: "no", changes: {}}
  - id: "yes"
    title: "yes"
    changes: {}
    add:
    - id: t.quick
      kind: effect
      says: each may take the coin
      on: game
      after: [t.turns]
      before: [t.win]
      do: |
        left = 1
        for p in players:
          if left > 0:
            if may(by=p, ask="Do you take the coin?"):
              left = 0
              coins[p] += 1
"""


def test_what_only_an_answer_brings_is_asked_after_it(ask: Ask, tmp_path: Path) -> None:
    """In which order the players may take something is open where an answer lets them take it."""
    game = str(write(tmp_path, SHARED))
    (no, yes, alone) = (ask(game, *points, answers=answers)[1]["rulings"] for points, answers in (
        ([], "1\n1\n1\n1\n"), ([], "2\n2\n2\n2\n"), (["--point", "rest"], "2\n2\n")))

    assert "order/t.quick" not in no
    assert {"rest": "yes", "order/t.quick": "counterclockwise"}.items() <= yes.items()
    assert alone == {"rest": "yes"}


HEAT = """
game: heat
title: Heat
players: {count: 1}
state: {n: {type: int 0..4}, hot: {type: bool}}
steps: {game: {}}
windows: {act: {by: only(players), done: do nothing}, then: {by: only(players), done: go on}}
start: game
clauses:
- id: heat
  kind: effect
  says: it gets warm
  on: game
  do: |
    then()
    hot = False
- {id: go, kind: order, says: one acts, on: game, after: [heat], do: "act()\\nif n > 0:\\n  win(only(players))"}
- {id: one, kind: permit, says: one acts, on: act, option: one, do: n = 1}
- {id: ban, kind: forbid, says: not if it is hot, on: act.one, when: hot}
open_points:
- id: heat
  clauses: [heat]
  asks: does it get hot
  readings:
  - {id: not, title: it does not, changes: {}}
  - {id: hot, title: it does, changes: {heat: {do: "then()\\nhot = True"}}}
- id: ban
  clauses: [ban]
  asks: is it forbidden
  readings:
  - {id: it-is, title: it is, changes: {}}
  - {id: not, title: it is not, drop: [ban]}
"""  # noqa: E501
"""What is forbidden where it is hot is only asked where it can be hot."""


@pytest.mark.parametrize(("answers", "points"), [
    ("1\n", {"heat": "not"}), ("2\n2\n", {"heat": "hot", "ban": "not"}),
    ("2\n1\n", {"heat": "hot", "ban": "it-is"})])
def test_what_only_comes_up_under_an_answer_is_asked_after_it(
    answers: str, points: dict[str, str], ask: Ask, tmp_path: Path
) -> None:
    """What nothing told apart is sought again under an answer that is not the adopted one."""
    code, found, told = ask(str(write(tmp_path, HEAT)), answers=answers)

    assert (code, found["rulings"]) == (0, points)
    assert ("not asked: ban=not" in told) == ("ban" not in points)


@pytest.mark.parametrize(("changes", "kept"), [
    ("{deal: {do: FAST}, fill: {do: pot += 0}}", False), ("{fill: {do: pot = 2}}", True)])
def test_what_was_compared_of_an_order_is_not_said_under_an_answer_that_changes_it(
    changes: str, ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *,
    capsys: pytest.CaptureFixture[str], kept: bool
) -> None:
    """The same came out before; who is dealt a bead first fills the pot under one answer alone."""
    monkeypatch.setenv("RULEPROOF_CACHE", str(tmp_path / "kept"))
    fast = ("for p in players:\n  draw(1, bag, hand[p])\n  if pot == 0:\n"
            "    pot = 1 + count(hand[p], bead.red)")
    game = str(write(tmp_path / "dealt", DEALT + """open_points:
- id: pot
  clauses: [deal, fill]
  asks: how full is the pot
  readings:
  - {id: full, title: full, changes: {}}
  - {id: other, title: not, changes: CHANGES}
""".replace("CHANGES", changes).replace("FAST", json.dumps(fast))))
    assert run(["verify", game, "-q", "--only", "order-dependence"]) < 2
    capsys.readouterr()
    said = [ask(game, answers=answer)[2] for answer in ("1\n", "2\n")]

    assert ["the same results come out in either order" in each for each in said] == [True, kept]


def test_who_thinks_for_long_is_asked_on(
    ask: Ask, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """`--max-time` is for what is looked for, and not for how long an answer takes."""
    passed = [0.0]

    read = Keyboard.read

    def slowly(keyboard: Keyboard, prompt: str) -> InputLine | None:
        passed[0] += 2000.0
        return read(keyboard, prompt)

    monkeypatch.setattr(Keyboard, "read", slowly)
    monkeypatch.setattr("ruleproof.model.stop.time", SimpleNamespace(
        monotonic=lambda: time.monotonic() + passed[0]))
    game = str(write(tmp_path, APART))
    code, found, _ = ask(game, "--max-time", "1000", answers="2\n2\n")

    assert (code, found["rulings"]) == (0, {"price": "two", "fill": "not"})


def test_an_order_that_is_known_not_to_matter_is_not_asked(
    ask: Ask, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """What is proved apart never is, and what comes to the same in small games not half-way."""
    monkeypatch.setenv("RULEPROOF_CACHE", str(tmp_path / "kept"))
    game = str(write(tmp_path / "dealt", DEALT))
    _, before, _ = ask(game, "-f", "json")
    assert run(["verify", game, "-q"]) < 2
    capsys.readouterr()
    _, after, told = ask(game, "-f", "json")
    whys = [{one["point"]: one["why"] for one in found["not_asked"]} for found in (before, after)]

    assert whys[0]["order/last/fill"] == "they touch different things"
    assert ["order/deal" in why for why in whys] == [False, True]
    assert "the same results come out in either order" in whys[1]["order/deal"]
    assert "an earlier `verify` of the same has compared orders" in told


@pytest.mark.parametrize("answers", ["1\n1\n1\n", "2\n2\n2\n"])
def test_answers_are_rulings_and_tests(
    ask: Ask, capsys: pytest.CaptureFixture[str], tmp_path: Path, answers: str
) -> None:
    """The file is taken by other commands, its positions hold, and nothing is left to ask."""
    file = tmp_path / "rulings.json"
    code, _, said = ask(FLAWED, "-o", str(file), answers=answers)
    held = run(["replay", str(file), "--game", FLAWED])
    explored = run(["explore", FLAWED, "--scope", "tiny", "--rulings", str(file), "-f", "json"])
    capsys.readouterr()
    again, _, _ = ask(FLAWED, "-o", str(file))

    assert (code, held, explored, again) == (0, 0, 0, 0)
    assert "Question 1" in said
    assert f"to print for whole-hand={'several' if answers[0] == '2' else 'one'}: “" in said
    assert "everybody: in which order are the players taken? [order/deal]" in " ".join(said.split())
    assert len(json.loads(file.read_text("utf-8"))["answers"]) == 3


@pytest.mark.parametrize("name", COMMANDS)
def test_what_takes_a_ruling_takes_a_file_of_them(name: str) -> None:
    """Who has answered questions can use the answers everywhere (`ask` writes them to `-o`)."""
    command = getattr(import_module(f"ruleproof.cli.commands.{name}"), name)
    known = signature(command).parameters

    assert ("ruling" in known) == ("rulings" in known or name == "ask")


@pytest.mark.parametrize("command", ["verify", "play", "positions", "graph", "trace", "explain"])
def test_rulings_are_adopted(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The commands play by the file, and a ruling of the command line goes before it."""
    file = tmp_path / "rulings.json"
    file.write_text('{"format": "ruleproof/rulings-1", "game": "tax", "rulings": {"price": "x"}}')
    game = str(write(tmp_path / "tax", TAX))
    more = {"positions": ["-o", str(tmp_path / "out")], "play": ["--seats", "random"],
            "verify": ["-q", "--max-states", "10"], "explain": ["price"]}.get(command, [])

    assert run([command, game, "--rulings", str(file), *more]) == 2
    assert "`price` has no reading `x`" in capsys.readouterr().err
    assert run([command, game, "--rulings", str(file), "--ruling", "price=two", *more]) < 2


def test_a_question_may_be_left_open(ask: Ask) -> None:
    """`?` goes on to the next one, and the status says that something is open."""
    code, found, _ = ask(FLAWED, answers="?\n1\n")

    assert code == 1
    assert len(found["answers"]) == 1


@pytest.mark.parametrize(("args", "answers", "said"), [
    (["--point", "whole-hands"], "", "did you mean `whole-hand`"),
    ([], "seven\n", "`seven` is no answer; it is 1 to 2"),
])
def test_wrong_usage_is_told(ask: Ask, args: list[str], answers: str, said: str) -> None:
    """Status 2, and what would be right."""
    code, _, err = ask(FLAWED, *args, answers=answers)

    assert code == 2
    assert said in err


def test_a_broken_rulings_file_is_wrong_usage(ask: Ask, tmp_path: Path) -> None:
    """It is told what is wrong, and what such a file looks like."""
    file = tmp_path / "rulings.json"
    file.write_text('{"rulings": []}')
    code, _, err = ask(FLAWED, "-o", str(file))

    assert code == 2
    assert "is no rulings file" in err
    assert '"ruleproof/rulings-1"' in err
