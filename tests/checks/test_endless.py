"""Rules that never come to a rest are found; a move to them is a move."""

from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.checks.endless import BY_LUCK
from ruleproof.checker.packed.flags import FLAGS
from ruleproof.checker.positions.positions import positions
from ruleproof.checker.positions.replays import check_position
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.search.loops import doomed, graph_of
from ruleproof.checker.verify import verify
from ruleproof.cli.app import run
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.tests.support.little import write

SETUP = """
game: setup
players: {count: 1}
state: {n: {type: int 0..3}}
steps: {game: {}}
start: game
clauses:
- {id: go, kind: setup, says: round and round, on: game, do: "while True:\\n  n = 1 - n"}
"""
MOVE = """
game: move
players: {count: 1}
state: {n: {type: int 0..3}, active: {type: player, start: 1}}
steps: {game: {}}
windows: {choice: {by: active, done: stop}}
start: game
clauses:
- {id: go, kind: order, says: a choice, on: game, do: choice()}
- {id: turn, kind: permit, says: one may turn for ever, on: choice, option: turn, do: "while True:\\n  n = 1 - n"}
open_points:
- id: point
  clauses: [turn]
  asks: may one turn
  readings:
  - {id: may, title: one may, changes: {}}
  - {id: not, title: one may not, drop: [turn]}
"""  # noqa: E501
CHANCE = """
game: chance
players: {count: 1}
state: {n: {type: int 0..3}, active: {type: player, start: 1}}
steps: {game: {}}
windows: {choice: {by: active, done: stop}}
start: game
clauses:
- {id: go, kind: order, says: a choice, on: game, do: choice()}
- {id: roll, kind: permit, says: one may roll, on: choice, option: roll, do: "x = roll(2)\\nwhile x > 0:\\n  n = 1 - n"}
"""  # noqa: E501
WAITING = """
game: waiting
players: {count: 2}
families: {rank: {}}
cards: {rank: {a: {copies: 30}, b: {copies: 30}}}
zones:
  deck: {holds: rank, kind: deck, starts: all, seen_by: none}
  hand: {holds: rank, kind: bag, per: player, seen_by: owner}
state: {active: {type: player, start: 1}}
steps: {game: {}, turn: {}}
windows: {choice: {by: active, done: end the turn}}
start: game
scopes: {tiny: {cards: {rank: {a: 1, b: 1}}}}
clauses:
- {id: turns, kind: order, says: turns until nothing is left, on: game, do: "while size(deck) > 0:\\n  turn()"}
- {id: one, kind: order, says: one does something, on: turn, do: choice()}
- {id: next, kind: order, says: then it is the other one, on: turn, after: [one], do: "active = next_player(active)"}
- {id: take, kind: permit, says: one may take cards, on: choice, option: take, do: "draw(1, deck, hand[active])"}
- {id: lay, kind: effect, says: and lays down what one likes, on: turn, before: [one], do: "some = choose_cards(hand[active], by=active, at_least=0)\\nmove_all(some, hand[active], deck)"}
"""  # noqa: E501
DOING = WAITING.replace("on: turn, do: choice()", 'on: turn, do: "x = choose(range(0, 2), by=active)\\nif x == 0:\\n  draw(1, deck, hand[active])\\nelse:\\n  move_all(hand[active], hand[active], deck)"').split("- {id: take")[0]  # noqa: E501
"""Whoever is asked takes a card or lays all down: to do nothing is not offered."""
ROUNDS = """
game: rounds
players: {count: 2}
state: {active: {type: player, start: 1}, x: {type: int 0..2}}
steps: {game: {}, turn: {}}
windows: {act: {by: active, forced: true}}
start: game
clauses:
- {id: game, kind: order, says: until somebody has two, on: game, do: "while x < 2:\\n  turn()\\n  active = next_player(active)"}
- {id: turn, kind: effect, says: a turn, on: turn, do: act()}
"""  # noqa: E501
SAFE = ("- {id: safe, kind: permit, says: one may stay, on: act, option: safe, "
        "when: x == 0, do: x = x}\n")
ROLL = ("- {id: roll, kind: permit, says: one may roll, on: act, option: roll, "
        'do: "r = roll(3)\\nif r == 1:\\n  x += 1\\nelif r == 2:\\n  x = 0"}\n')


def test_a_setup_without_a_rest_is_a_finding(tmp_path: Path) -> None:
    """A setup that goes round for ever is reported with its clause."""
    report = verify(str(write(tmp_path, SETUP)), Settings())

    assert [(f.cls, f.clauses) for f in report.everything] == [("endless-loop", ("go",))]
    assert not any("internal" in one.why for one in report.not_checked)
    assert run(["verify", str(tmp_path), "-q", "-o", str(tmp_path / "report")]) == 1


def test_a_move_without_a_rest_is_a_move(tmp_path: Path) -> None:
    """A clause that allows a move after which nothing comes to a rest does something."""
    report = verify(str(write(tmp_path, MOVE)), Settings())

    assert not [f.id for f in report.everything if f.cls == "inert-clause"]
    assert [f.open_point for f in report.everything if f.cls == "ambiguity"] == ["point"]


def test_positions_end_before_what_never_rests(tmp_path: Path) -> None:
    """Where chance leads to rules that never rest, positions are written, and replay."""
    folder = str(write(tmp_path, CHANCE))

    def load(settings: Settings) -> Compiled:
        return compile_game(load_game(folder, settings))

    found = positions(folder, Settings())

    assert found.documents
    assert not any(check_position(document, load) for document in found.documents)


def test_positions_of_a_setup_without_a_rest(tmp_path: Path) -> None:
    """A game that never begins has no positions, and it is said why."""
    found = positions(str(write(tmp_path, SETUP)), Settings())

    assert not found.documents
    assert "never come to a rest" in found.not_done[0].why


def test_a_loop_of_a_scope_is_sought_in_the_printed_game(tmp_path: Path) -> None:
    """Players who do no more than in the small game come round in the printed one, too."""
    report = verify(str(write(tmp_path, DOING)), Settings(), only=("endless-loop",))
    (found,) = [each for each in report.counting
                if each.identity is not None and each.identity.kind == "optional"]
    printed, smaller = (shown.play for shown in found.evidence.plays)

    assert (found.evidence.scope, found.evidence.plays[1].scope) == ("printed", "tiny")
    assert len(printed["steps"]) - printed["loop_from"] == found.evidence.details["loop"]
    assert f"After {found.evidence.details['loop']} moves" in found.explanation
    assert found.explanation.endswith("situations of a small game.")
    assert len(smaller["steps"]) > smaller["loop_from"]


def test_that_nobody_does_anything_is_no_finding(tmp_path: Path) -> None:
    """Where a game goes on if all decline, it is said who would have to agree, and no more."""
    report = verify(str(write(tmp_path, WAITING)), Settings(), only=("endless-loop", "doomed"))

    assert not report.findings
    assert any(each.what.startswith("the game can go on for ever if all players agree")
               for each in report.holds)
    assert any("endless-loop (beside players who agree to do nothing)" in each.what
               for each in report.holds)


def test_who_goes_round_by_waiting_is_read_off_moves_that_do_nothing(tmp_path: Path) -> None:
    """An act that comes back to where it was made is no wait, though it is a shorter way round."""
    again = WAITING.replace("by: active,", "by: active, repeat: true,")
    acts = again.split("- {id: lay", maxsplit=1)[0] + (
        '- {id: fidget, kind: permit, says: one may fidget, on: choice, option: fidget, '
        'do: "active = active"}\n')
    report = verify(str(write(tmp_path, acts)), Settings(), only=("endless-loop",))

    assert any(each.what.startswith("the game can go on for ever if all players agree")
               for each in report.holds)


TRAP = """
game: trap
players: {count: 2}
state: {active: {type: player, start: 1}, gone: {type: bool}, seen: {type: bool}, left: {type: int 0..2, start: 2}}
steps: {game: {}, turn: {}}
windows: {choice: {by: active, done: end the turn}}
start: game
clauses:
- {id: turns, kind: order, says: turns until nothing is left, on: game, do: "while left > 0:\n  turn()"}
- {id: one, kind: order, says: one does something, on: turn, do: choice()}
- {id: next, kind: order, says: then it is the other one, on: turn, after: [one], do: "active = next_player(active)"}
- {id: take, kind: permit, says: one may take one, on: choice, option: take, when: not gone, do: "left -= 1"}
- {id: burn, kind: permit, says: one may burn the rest, on: choice, option: burn, when: not gone, do: "gone = True"}
- {id: look, kind: permit, says: one may look at it, on: choice, option: look, do: "seen = not seen"}
"""  # noqa: E501


def test_that_a_game_can_no_longer_end_is_a_finding_of_its_own(tmp_path: Path) -> None:
    """It has its play, goes under nothing, and no line beside it says that nothing is doomed."""
    report = verify(str(write(tmp_path, TRAP)), Settings())
    (found,) = [each for each in report.findings
                if each.identity is not None and each.identity.kind == "trapped"]

    assert any(step["event"] == "burn" for step in found.evidence.plays[0].play["steps"])
    assert not any("no finding" in each.what and "doomed" in each.what for each in report.holds)


GAMBLE = """
game: gamble
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..3, start: 0}}
steps: {game: {}, turn: {}}
windows: {w: {by: active, repeat: true, done: end the turn}}
start: game
clauses:
- {id: turns, kind: order, says: turns go round, on: game, do: "while n < 9:\\n  turn()\\n  active = next_player(active)"}
- {id: turn, kind: effect, says: a turn, on: turn, do: "w()"}
- {id: roll, kind: permit, says: one may gamble, on: w, option: gamble, do: "x = roll(3)\\nn = x"}
- {id: up, kind: permit, says: one may give up, on: w, option: give up, do: "win(next_player(active))"}
"""  # noqa: E501
SKIPPED = """
game: skipped
players: {count: 2}
state: {active: {type: player, start: 1}, first: {type: player, start: 1}, n: {type: int 0..1}}
steps: {game: {}, turn: {}}
windows: {w: {by: active, done: end the turn}}
start: game
clauses:
- {id: turns, kind: order, says: turns go round, on: game, do: "while n < 9:\\n  turn()\\n  active = next_player(active)"}
- {id: turn, kind: effect, says: a turn, on: turn, do: "w()"}
- {id: mark, kind: permit, says: who is first may make a mark, on: w, option: mark, when: actor == first, do: "n = 1"}
- {id: up, kind: permit, says: and may give up, on: w, option: give up, when: actor == first, do: "win(next_player(active))"}
"""  # noqa: E501


@pytest.mark.parametrize(("text", "kind", "told"), [
    (GAMBLE, "free", "of the printed game, whatever chance brings."),
    (SKIPPED, "alone", "have no choice")])
def test_one_player_alone_goes_round_through_what_he_does_not_choose(
    tmp_path: Path, text: str, kind: str, told: str
) -> None:
    """That chance is asked on the way, or others have a turn and one move, lets nobody end it."""
    report = verify(str(write(tmp_path, text)), Settings(), only=("endless-loop",))
    (found,) = [each for each in report.counting if each.identity is not None
                and each.identity.kind == kind]

    assert told in f"{found.title} {found.explanation}"
    assert found.evidence.method == "exhaustive"
    assert not any("endless-loop" in each.what for each in report.holds)


@pytest.mark.parametrize(("options", "kinds", "said"), [
    (SAFE + ROLL, ["optional"], []),
    (ROLL, [], [BY_LUCK]),
    (ROLL + ROLL.replace("roll,", "throw,"), [], [BY_LUCK]),
    (SAFE.replace("when: x == 0, ", ""), ["forced"], []),
])
def test_what_chance_brings_back_is_not_what_players_choose(
    tmp_path: Path, options: str, kinds: list[str], said: list[str]
) -> None:
    """Where chance can go round, too, it is told of players who can, and nobody is said to decline.

    Where no choice goes round whatever chance brings, the game ends, and no more is said.
    """
    report = verify(str(write(tmp_path, ROUNDS + options)), Settings(), only=("endless-loop",))

    assert [one.identity.kind for one in report.everything if one.identity is not None] == kinds
    assert [one.what for one in report.holds if one.kind in ("ends", "weak")] == said


def test_who_declines_is_who_could_do_something(tmp_path: Path) -> None:
    """A player who has one move whenever it is his turn does not agree to anything."""
    alone = WAITING.split("- {id: lay", maxsplit=1)[0].replace(
        "option: take,", "option: take, when: active == chief,").replace(
        "start: 1}}", "start: 1}, chief: {type: player, start: 1}}")
    report = verify(str(write(tmp_path, alone)), Settings(), only=("endless-loop",))
    said = "the game can go on for ever if player 1 declines all that they may do, and ends"

    assert {one.what for one in report.holds if one.kind == "weak"} == {f"{said} their turns"}


UNORDERED = """
game: bells
players: {count: 2}
state: {n: {type: int 0..1}, first: {type: player, start: 1}}
steps: {game: {}}
windows: {bell: {who: players, order: unstated, each: rounds, forced: true}}
start: game
clauses:
- {id: go, kind: order, says: players ring, on: game, do: bell()}
- {id: ring, kind: permit, says: the first one rings, on: bell, option: ring, when: actor == first, do: n = 1 - n}
- {id: stop, kind: permit, says: the second one ends it, on: bell, option: stop, when: actor != first, do: end_game()}
"""  # noqa: E501


def test_who_is_next_where_no_rule_says_it_is_no_chance(tmp_path: Path) -> None:
    """A game that only goes on as the same player is always next is not said to come to an end."""
    report = verify(str(write(tmp_path, UNORDERED)), Settings(), only=("endless-loop",))

    assert [one.identity.kind for one in report.everything if one.identity is not None] == [
        "optional"]
    assert not [one for one in report.holds if one.kind == "ends"]


RINGS = """
game: rings
players: {count: 1}
state: {n: {type: int 0..4}, m: {type: int 0..1}}
steps: {game: {}}
windows: {act: {by: only(players), forced: true}}
start: game
clauses:
- {id: go, kind: order, says: one acts, on: game, do: "COURSE"}
- {id: one, kind: permit, says: one acts, on: act, option: one, do: ONE}
- {id: ring, kind: permit, says: it goes round, on: act, option: ring, do: "while n < 4:\\n  m = 1 - m"}
- {id: most, kind: limit, says: it is never above one, always: n <= 1}
"""  # noqa: E501


@pytest.mark.parametrize(("course", "one", "kinds"), [
    ("while True:\\n  act()", "n = n", {"automatic", "trapped"}),
    ("act()\\nr = roll(2)\\nn += r + 1\\nwin(only(players))", "n = 0", {"automatic", "limit"})])
def test_a_move_without_a_rest_is_a_way_on(
    course: str, one: str, kinds: set[str], tmp_path: Path
) -> None:
    """Who has one has a choice, and a limit that all other ways break is not broken by each."""
    source = str(write(tmp_path, RINGS.replace("COURSE", course).replace("ONE", one)))
    report = verify(source, Settings(), only=("endless-loop", "doomed", "limit-broken"))
    instance = Workbench(source, Settings()).instance("printed")
    exploration = Exploration(instance.program)
    result = exploration.run(max_states=100)

    assert result.complete
    assert doomed(graph_of(exploration), 1 << FLAGS) is None
    assert {each.identity.kind for each in report.everything if each.identity} == kinds
