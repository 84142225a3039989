"""A page shows the moment before its answers part, and what each comes to from there on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.findings.results import Finding
from ruleproof.checker.points.situation import Way, before
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.machine.state import Move
from ruleproof.model.plays.documents import is_object
from ruleproof.reports.blocks.steps import Steps

FIRST = 'x = choose(range(0, 2), by=active, ask="Which way?")\nseen = x\n'
MORE = 'y = choose(range(0, 2), by=active, ask="And now?")\nseen = y\n'
ENDS = "if power == 2:\n  win(active)\nend_game()\n"
TWICE = "after player 1 chooses 0 (And now?) and player 1 chooses 0 (And now?)"
GIVES, OFFERS = "power += {}\n", 'z = choose(range(0, {}), by=active, ask="How many?")\nseen = z\n'


def written(folder: Path, body: str, *answers: object) -> str:
    """Write a game with a question about a part of a body, which each answer gives otherwise."""
    (folder / "game.yaml").write_text(json.dumps({
        "game": "parting", "title": "Parting", "players": {"count": 1},
        "state": {"active": {"type": "player", "start": 1}, "power": {"type": "int 0..9"},
                  "seen": {"type": "int 0..9"}},
        "steps": {"game": {}}, "start": "game",
        "clauses": [{"id": "run", "kind": "order", "says": "something is given", "on": "game",
                     "do": body.format(answers[0])}],
        "open_points": [{"id": "much", "clauses": ["run"], "asks": "how much", "readings": [
            {"id": f"by{n}", "title": f"by {n}", "changes": {"run": {"do": body.format(each)}}}
            for n, each in enumerate(answers, 1)]}]}), "utf-8")
    return str(folder)


def found(folder: Path, body: str, *answers: object) -> Finding:
    """Return the finding about the question."""
    game = written(folder, body, *answers)
    (one,) = verify(game, Settings(), only=("ambiguity",)).everything
    return one


def way(bench: Workbench, reading: str, count: int) -> Way:
    """Return a game under an answer, and the first moves that are legal in it."""
    game = bench.instance("printed", rulings={"much": reading})
    state, moves = game.interpreter.start().state, list[Move]()
    for _ in range(count):
        moves.append(game.interpreter.moves(state)[0])
        state = game.interpreter.step(state, moves[-1]).state
    return Way(game, tuple(moves), range(count + 1))


@pytest.mark.parametrize(("body", "then", "told"), [
    (FIRST + GIVES + MORE + MORE + ENDS, True,
     [f"power: 1; {TWICE}: the game is over: nobody wins",
      f"power: 2; {TWICE}: the game is over: player 1 wins"]),
    ((FIRST + GIVES + MORE + OFFERS + "end_game()\n").replace("{}", "{0}"), True,
     [f"power: {given}; after player 1 chooses 0 (And now?): {may}: player 1 chooses 1 (How many?)"
      for given, may in ((1, "not allowed"), (2, "allowed"))]),
    (FIRST + GIVES + ENDS, True, [
        "the game is over: nobody wins", "the game is over: player 1 wins"]),
    (FIRST + OFFERS + "end_game()\n", False, [
        "not allowed: player 1 chooses 1 (How many?)", "allowed: player 1 chooses 1 (How many?)"]),
])
def test_the_moment_before_the_answers_part_is_shown(
    body: str, then: bool, told: list[str], tmp_path: Path,  # noqa: FBT001
) -> None:
    """What an answer gives is not there yet; the move that parts them is told, each thing once.

    Behind what lies on the table, who wins for it is told, or what may soon be done for it.
    """
    one = found(tmp_path, body, 1, 2)
    position = one.evidence.position

    assert is_object(position)
    assert is_object(state := position["state"])
    assert state["power"] == 0
    assert ("then" in position) == then
    assert [each.outcome for each in one.readings] == told
    more = told[0].startswith("not allowed")  # where nothing else differs
    assert one.evidence.details.get("adds") == ("by2" if more else None)


@pytest.mark.parametrize(("extra", "told"), [
    # It is asked about under one answer only, and nothing comes of it.
    ("seen = y\nseen = x\n",
     ["player 1 is not asked “And now?”; next, player 1 is asked “Which way?”",
      "player 1 is asked “And now?”, and may choose: 0, 1 or 2"]),
    # What is chosen there is seen when both are asked the same again.
    ("power = y + 1\n",
     ["power: 0", "player 1 is asked “And now?”; if player 1 chooses 0 (And now?): power: 1"]),
])
def test_what_only_one_answer_asks_is_told_as_that(
    extra: str, told: list[str], tmp_path: Path,
) -> None:
    """Games are compared where they are asked the same again: what is over with what is over."""
    asked = 'y = choose(range(0, 3), by=active, ask="And now?")'
    one = found(tmp_path, f"{FIRST}{{}}{FIRST}end_game()\n", "", f"{asked}\n{extra}")

    assert [each.outcome for each in one.readings] == told


@pytest.mark.parametrize("body", [FIRST + GIVES + MORE + ENDS, MORE + FIRST + OFFERS + ENDS])
def test_the_situation_comes_up_in_the_play_of_each_answer(body: str, tmp_path: Path) -> None:
    """With the same on the table, before the first move after which that differs."""
    one = found(tmp_path, body, 1, 2)
    steps = Steps(str(tmp_path))
    tables = []
    for shown in one.evidence.plays[:2]:
        play = steps.play(shown, one)
        tables.append([dict(play["start"])])
        for each in play["steps"]:
            tables[-1].append({**tables[-1][-1], **each["changes"]})
    assert is_object(position := one.evidence.position)
    assert is_object(state := position["state"])
    shared = [mine for mine, theirs in zip(*tables, strict=False) if mine == theirs]

    assert len(tables) == 2
    assert shared[-1] == {name: state[name] for name in shared[-1]}


GOES = """
x = choose(range(0, 2), by=active, ask="Which way?")
move(f.card, hand, {where})
y = choose(range(0, 2), by=active, ask="And now?")
move_all(pile, box)
move_all(aside, pile)
z = choose(range(0, 2), by=active, ask="And then?")
w = choose(range(0, 1 + size(pile)), by=active, ask="How many?")
seen = x + y + z + w
end_game()
"""


def test_a_card_on_its_way_is_no_difference(tmp_path: Path) -> None:
    """Where an answer sets a card aside for a while, what is shown is what comes of that."""
    bag = {"holds": "f", "kind": "bag"}
    (tmp_path / "game.yaml").write_text(json.dumps({
        "game": "parting", "title": "Parting", "players": {"count": 1},
        "families": {"f": {"attributes": {}}}, "cards": {"f": {"card": {"copies": 1}}},
        "zones": {"hand": {**bag, "starts": "all"}, "pile": bag, "box": bag,
                  "aside": {**bag, "internal": True}},
        "state": {"active": {"type": "player", "start": 1}, "seen": {"type": "int 0..9"}},
        "steps": {"game": {}}, "start": "game",
        "clauses": [{"id": "run", "kind": "order", "says": "a card goes", "on": "game",
                     "do": GOES.format(where="pile")}],
        "open_points": [{"id": "when", "clauses": ["run"], "asks": "when does it go", "readings": [
            {"id": "now", "title": "now", "changes": {}},
            {"id": "later", "title": "later",
             "changes": {"run": {"do": GOES.format(where="aside")}}}]}]}), "utf-8")
    (one,) = verify(str(tmp_path), Settings(), only=("ambiguity",)).everything
    position = one.evidence.position

    assert is_object(position)
    assert "And now?" in str(position["then"])
    assert [each.outcome.partition("; after")[0] for each in one.readings] == [
        "pile: no card; box: 1 × card", "pile: 1 × card; box: no card"]


def test_what_is_shown_looks_the_same_under_both_answers(tmp_path: Path) -> None:
    """Also if it is long ago: what one answer has made since then is no common situation."""
    bench = Workbench(written(tmp_path, FIRST + GIVES + MORE + MORE + MORE + ENDS, 1, 2),
                      Settings())
    position = before([way(bench, reading, 3) for reading in ("by1", "by2")], fails=False).position

    assert position["state"]["power"] == 0
    assert "Which way?" in position["then"]


def test_what_only_chance_leads_on_to_is_told_behind_it(tmp_path: Path) -> None:
    """One answer rolls a die where the other asks on: it is told what comes of a roll."""
    rolls, not_so = "seen = 0\nn = roll(2)\npower = n\n", "seen = 0\n"
    one = found(tmp_path, FIRST + "{}" + MORE + ENDS, rolls, not_so)

    assert [each.outcome for each in one.readings] == ["if 1 comes up: power: 1", "power: 0"]


def test_who_has_acted_is_done_and_does_not_pass(tmp_path: Path) -> None:
    """Behind a card that was played, not to play one is to be done; so with what parts answers."""
    spec = {
        "game": "parting", "title": "Parting", "players": {"count": 1},
        "state": {"active": {"type": "player", "start": 1}, "power": {"type": "int 0..9"}},
        "windows": {"plays": {"by": "active", "repeat": True, "done": "do not lift"}},
        "steps": {"game": {}}, "start": "game",
        "clauses": [
            {"id": "run", "kind": "order", "says": "lifts, and what comes of it", "on": "game",
             "do": "plays()\nif power > 1:\n  power += 1\nend_game()\n"},
            {"id": "lift", "kind": "permit", "says": "lift", "on": "plays", "option": "lift",
             "with": {"n": "range(1, 3)"}, "when": "power == 0", "do": "power = n"}],
        "open_points": [{"id": "much", "clauses": ["run"], "asks": "how much", "readings": [
            {"id": "one", "title": "one"},
            {"id": "two", "title": "two", "changes": {"run": {
                "do": "plays()\nif power > 1:\n  power += 2\nend_game()\n"}}}]}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    (one,) = verify(str(tmp_path), Settings(), only=("ambiguity",)).everything

    assert is_object(one.evidence.position)
    assert one.evidence.position["then"] == "player 1 is done"


def test_what_is_asked_anew_is_no_end_of_what_was_done(tmp_path: Path) -> None:
    """Not to lift in a later window, or to say no to the next question, passes and ends nothing."""
    body = ('if may(by=active, ask="One?"):\n  power += 1\n'
            'if may(by=active, ask="Two?"):\n  power += 1\n{}end_game()\n')
    one = found(tmp_path, body, "if power == 1:\n  power += 1\n", "if power == 1:\n  power += 2\n")

    assert is_object(one.evidence.position)
    assert one.evidence.position["then"] == "player 1 says no (Two?)"


@pytest.mark.parametrize(("third", "told"), [
    ("win(active)\nend_game()\n", "the game is over: player 1 wins"),
    ("n = roll(2)\npower = n\n", "if 1 comes up: power: 1")])
def test_an_answer_under_which_play_goes_on_otherwise_is_told_in_the_situation(
    third: str, told: str, tmp_path: Path
) -> None:
    """What is shown need not be legal to its end under each answer, but as far as it is told."""
    one = found(tmp_path, FIRST + "{}" + MORE + MORE + ENDS, "seen = 0\n", "power += 2\n", third)

    assert {each.id: each.outcome.partition(";")[0] for each in one.readings}["by3"] == told


def test_a_move_that_an_answer_forbids_is_not_told_as_common(tmp_path: Path) -> None:
    """Where the other answer has no such move it is told that it is not allowed."""
    body = f"{FIRST}y = choose(range(0, {{}}), by=active, ask='How many?')\npower = y\n{MORE}{ENDS}"
    bench = Workbench(written(tmp_path, body, 2, 1), Settings())
    one, two = way(bench, "by1", 1), way(bench, "by2", 2)
    state = one.game.interpreter.step(one.game.interpreter.start().state, one.moves[0]).state
    most = one.game.interpreter.moves(state)[-1]
    more = Way(one.game, (*one.moves, most), range(3))

    assert before([more, two], fails=False).barred == (
        "", "not allowed: player 1 chooses 1 (How many?)")


def test_a_choice_that_one_answer_alone_has_is_behind_the_situation(tmp_path: Path) -> None:
    """It is not told as what has just happened, also if nothing that is seen comes of it."""
    asks = 'if may(by=active, ask="{0}?"):\n  seen = seen\n'.format
    body = f"{asks('One')}{{}}{asks('Three')}power = 1\nend_game()\n"
    bench = Workbench(written(tmp_path, body, asks("Two"), "seen = 0\n"), Settings())
    one, two = way(bench, "by1", 2), way(bench, "by2", 1)
    here, there = before([one, two], fails=False), before([two, one], fails=False)

    assert (here.position["then"], *here.since) == ("player 1 says yes (Two?)", 1, 1)
    assert ("then" in there.position, *there.since) == (False, 1, 1)


@pytest.mark.parametrize(("second", "alone"), [("seen = 0\n", None), (MORE, True)])
def test_what_one_answer_alone_asks_in_the_situation_is_said_to_be_so(
    second: str, alone: object, tmp_path: Path
) -> None:
    """Where no move has parted the games the situation may ask for something in one only."""
    body = f"{FIRST}{{}}{OFFERS.replace('{}', '2')}{ENDS}"
    bench = Workbench(written(tmp_path, body, "seen = 0\n", second), Settings())
    here = before([way(bench, reading, 1) for reading in ("by1", "by2")], fails=False)

    assert here.position.get("first") == alone


def test_a_board_that_comes_again_is_no_common_situation(tmp_path: Path) -> None:
    """What lies between is not told of one answer as what has just happened, and lost of another.

    The board of the start comes again under the first answer, and not under the second.
    """
    body = FIRST + GIVES + MORE + "power = 0 if power == 1 else 3\n" + MORE + MORE + "end_game()\n"
    bench = Workbench(written(tmp_path, body, 1, 2), Settings())
    here = before([way(bench, reading, 3) for reading in ("by1", "by2")], fails=False)

    assert (here.position["after"], *here.since) == (0, 0, 0)


def test_moves_that_change_nothing_are_before_a_situation_too(tmp_path: Path) -> None:
    """A situation of another game comes after all moves before it, also those without a trace.

    In the play of the other answer it has as many.
    """
    asks = 'y = choose(range(0, 2), by=active, ask="And now?")\n'
    folder = written(tmp_path, "power = 1\n" + 3 * asks + "{}" + FIRST + "end_game()\n",
                     "seen = 0\n", "seen = 1\n")
    bench = Workbench(folder, Settings())
    ways = [way(bench, reading, 2) for reading in ("by1", "by2")]

    assert before(ways, fails=False, play=1).position["after"] == 2


RESCUE = """
game: rescue
players: {count: 2}
state: {active: {type: player}, held: {type: int 0..2, per: player, start: 1},
        score: {type: int 0..9, per: player, start: 0}}
steps: {game: {}, hurt: {params: {who: player}}}
windows: {acting: {by: active, repeat: false}}
start: game
clauses:
- id: run
  kind: order
  says: each acts once
  on: game
  do: |
    start = random(players)
    for p in clockwise(start):
      active = p
      acting()
    win(argmax(score[p] for p in players))
- {id: hit, kind: permit, says: one hits, on: acting, option: hit, do: "hurt(next_player(actor))"}
- {id: rest, kind: permit, says: one rests, on: acting, option: rest, do: "score[actor] += 1"}
- id: save
  kind: effect
  says: it is avoided by an Armour
  on: hurt
  do: |
    score[active] += 1
    if held[who] > 0:
      if may(by=who, ask="Avoid it?"):
        held[who] -= 1
        score[active] -= 1
open_points:
- id: rescuer
  asks: who decides
  clauses: [save]
  readings:
  - {id: owner, title: who has it, changes: {}}
  - id: active
    title: whose turn it is
    changes:
      save:
        do: |
          score[active] += 1
          if held[who] > 0:
            if may(by=active, ask="Avoid it?"):
              held[who] -= 1
              score[active] -= 1
"""


def test_where_another_player_is_asked_the_same_that_is_what_answers_come_to(
    tmp_path: Path
) -> None:
    """Not what comes of one choice of the one and of another choice of the other."""
    (tmp_path / "game.yaml").write_text(RESCUE, "utf-8")
    (one,) = [each for each in verify(str(tmp_path), Settings()).findings
              if each.open_point == "rescuer"]

    told = [each.outcome.partition(";")[0].split(" is asked ") for each in one.readings]
    assert [asked for _, asked in told] == ["“Avoid it?”"] * 2
    assert {who for who, _ in told} == {"player 1", "player 2"}


DRAW = "draw(1, deck, hand)\n"


def test_a_draw_of_one_answer_is_not_told_beside_a_later_one(tmp_path: Path) -> None:
    """Who draws may sell; who cannot passes by itself, and draws the same card after that.

    What is compared is the market under both answers, and not it with what comes behind it.
    """
    rest = "market()\nwhile size(deck) > 0:\n  draw(1, deck, hand)\nn = roll(2)\npower = n\n"
    bag = {"holds": "f", "kind": "bag"}
    (tmp_path / "game.yaml").write_text(json.dumps({
        "game": "parting", "title": "Parting", "players": {"count": 1},
        "families": {"f": {"attributes": {}}}, "cards": {"f": {"salt": {"copies": 1}}},
        "zones": {"deck": {"holds": "f", "kind": "deck", "starts": "all"}, "hand": bag,
                  "shop": bag},
        "state": {"active": {"type": "player", "start": 1}, "power": {"type": "int 0..9"},
                  "seen": {"type": "int 0..9"}},
        "windows": {"market": {"by": "active", "repeat": True, "done": "go home"}},
        "steps": {"game": {}}, "start": "game",
        "clauses": [
            {"id": "run", "kind": "order", "says": "something is drawn", "on": "game",
             "do": "market()\n" + FIRST + DRAW + rest + "end_game()"},
            {"id": "sell", "kind": "permit", "says": "a ware is sold", "on": "market",
             "option": "sell", "with": {"c": "hand"}, "do": "move(c, hand, shop)\npower += 1"}],
        "open_points": [{"id": "draws", "clauses": ["run"], "asks": "does one draw", "readings": [
            {"id": "yes", "title": "yes", "changes": {}},
            {"id": "no", "title": "no", "changes": {
                "run": {"do": FIRST + rest + "end_game()"}}}]}]}), "utf-8")
    (one,) = verify(str(tmp_path), Settings(), only=("ambiguity",)).everything

    assert [each.outcome for each in one.readings] == [
        ("after salt is drawn from the deck: deck: no salt; hand: 1 × salt; "
         "allowed: player 1 sells salt"),
        "deck: 1 × salt; hand: no salt; not allowed: player 1 sells salt"]


def test_the_sentence_that_its_play_is_about_leads_a_question(tmp_path: Path) -> None:
    """Of those that a question of the spec names it is the first, where it was not."""
    path = Path(written(tmp_path, FIRST + GIVES + MORE + ENDS, 1, 2)) / "game.yaml"
    spec = json.loads(path.read_text("utf-8"))
    spec["clauses"].append({"id": "talk", "kind": "flavour", "says": "much", "why": "of nothing"})
    spec["open_points"][0]["clauses"] = ["talk", "run"]
    path.write_text(json.dumps(spec), "utf-8")
    (one,) = verify(str(tmp_path), Settings(), only=("ambiguity",)).everything

    assert one.clauses == ("run", "talk")
