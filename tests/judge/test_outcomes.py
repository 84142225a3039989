"""What an answer comes to is told in the game's words."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Instance, Workbench
from ruleproof.checker.findings.outcomes import ahead, changed, outcomes
from ruleproof.checker.packed.flags import LEGAL
from ruleproof.model.game.game import Settings
from ruleproof.model.machine.state import Move, State
from ruleproof.model.plays.board import values_by_name
from ruleproof.model.run.shape import shape_of
from ruleproof.tests.support.kennel import KENNEL
from ruleproof.tests.support.little import write

ALL = """
game: all
title: All of them
players: {count: 3}
state: {active: {type: player, start: 1}}
steps: {game: {}}
windows: {some: {who: WHO, order: unstated, each: once, done: rest}}
start: game
clauses:
- {id: opens, kind: effect, says: somebody may win, on: game, do: "some()"}
- {id: wins, kind: permit, says: one may win, on: some, option: win, do: win(actor)}
"""


def games(folder: Path, texts: Sequence[str]) -> list[Instance]:
    """Write games, each to a folder of its own, and load them."""
    made: list[Instance] = []
    for number, text in enumerate(texts):
        own = folder / str(number)
        own.mkdir()
        made.append(Workbench(str(write(own, text)), Settings()).instance("printed"))
    return made


@pytest.mark.parametrize(("who", "told"), [
    ("players", "player 1, player 2 or player 3 may act next, in any order"),
    ("others(active)", "player 2 or player 3 may act next, in any order")])
def test_who_may_be_next_is_named(who: str, told: str, tmp_path: Path) -> None:
    """Where no rule gives an order, those are named of whom one is next."""
    instance = Workbench(str(write(tmp_path, ALL.replace("WHO", who))), Settings()).instance(
        "printed")

    assert ahead(instance, instance.interpreter.start().state) == told


def test_who_alone_may_act_is_told_with_the_choice(tmp_path: Path) -> None:
    """Beside an answer under which others may act, too, with what these may do."""
    ways = games(tmp_path, [ALL.replace("WHO", f'"{each}"') for each in (
        "{p for p in players if p == active}", "players")])

    assert outcomes([(each, ()) for each in ways], LEGAL) == [
        "only player 1 may act now, and may choose: win; rest",
        ("player 1, player 2 or player 3 may act next, in any order; "
         "player 2 may: win; rest; player 3 may: win; rest")]


def test_who_may_be_next_is_not_said_to_have_no_choice(tmp_path: Path) -> None:
    """Where answers meet at a later choice, who may come first has not lost the own one."""
    text = ALL.replace("WHO", "players").replace("win(actor)", "win(active)").replace(
        "start: 1}", "start: 1}, other: {type: player, start: 2}")
    ways = games(tmp_path, [
        text.replace("order: unstated", f"order: clockwise, from: {who}") for who in (
            "active", "other")] + [text])

    assert outcomes([(each, ()) for each in ways], LEGAL) == [
        "player 1 is to move, and may choose: win; rest",
        "player 1 does not have this choice now; next, player 2 is to move",
        "player 1, player 2 or player 3 may act next, in any order"]


NEXT = "player 1 or player 2 may act next, in any order"
ANOTHER = """
game: later
title: Later
players: {count: 2}
state: {active: {type: player, start: 1}}
steps: {game: {}}
windows: {some: {by: active, done: rest}, last: {who: players, order: unstated, done: rest}}
start: game
clauses:
- {id: opens, kind: effect, says: somebody may win, on: game, do: "SOME\\nlast()"}
- {id: wins, kind: permit, says: one may win, on: some, option: win, do: win(actor)}
- {id: also, kind: permit, says: one may win, on: last, option: win, do: win(active)}
"""


def test_who_may_be_next_for_something_else_lacks_the_choice(tmp_path: Path) -> None:
    """That somebody may come first at another moment does not give the choice of this one."""
    ways = games(tmp_path, [ANOTHER.replace("SOME", each) for each in ("some()", "pass")])

    assert outcomes([(each, ()) for each in ways], LEGAL) == [
        "player 1 is to move, and may choose: win; rest",
        f"player 1 does not have this choice now; next, {NEXT}"]


def test_what_is_left_of_records_that_are_gone_is_not_told(tmp_path: Path) -> None:
    """Of a pool only the records that are there differ, and they are told as on a board."""
    instance = Workbench(str(write(tmp_path, KENNEL)), Settings()).instance("printed")
    machine, state = instance.compiled.machine, instance.interpreter.start().state
    board = values_by_name(machine, state)
    values = list(state.values)
    values[shape_of(machine).offsets["yard.card"]] = 1
    gone = State(state.node, tuple(values))
    values[shape_of(machine).offsets["yard.size"]] = 1
    there = State(state.node, tuple(values))

    assert "yard" not in changed(instance, gone, board)
    assert "yard of Keeper 1: Wolf" in changed(instance, there, board)


PICKS = """
game: picks
title: Picks
players: {count: 1}
families: {f: {}}
cards: {f: {club: {copies: 1}, cup: {copies: 1}, coin: {copies: 1}}}
zones: {deck: {holds: f, kind: deck, starts: all}, hand: {holds: f, kind: bag}}
state: {active: {type: player, start: 1}, n: {type: int 0..9}}
steps: {game: {}}
start: game
clauses:
- id: run
  kind: order
  says: a number is named, and then something happens
  on: game
  do: |
    x = choose(range(0, 9), by=active, ask="Which number?")
    AFTER
    n = x
    end_game()
"""
LATER = '\n    z = choose(range(0, 2), by=active, ask="And now?")'
DRAW, ROLL, ASK = ("draw(1, deck, hand)", "y = random(range(0, {}))",
                   'y = choose(range(0, {}), by=active, ask="And now?")')


@pytest.mark.parametrize(("one", "other", "told"), [
    (ROLL.format(2), ROLL.format(3),
     ["chance decides; cannot come out: 2", "chance decides; can come out: 2"]),
    (ROLL.format(2), DRAW, ["chance decides", "a card is drawn from the deck"]),
    (ROLL.format(2), ROLL.format(2), ["chance decides; the difference shows only later"] * 2),
    (ROLL.format(2), ROLL.format(2) + LATER, [
        "after 1 more move: the game is over: nobody wins",
        "after 1 more move: the game goes on: player 1 is asked “And now?”"]),
    (ASK.format(1), ASK.format(5), [f"{how}: player 1 chooses 1, 2, 3 or 4 (And now?)"
                                for how in ("not allowed", "allowed")]),
    (ASK.format(2), ROLL.format(2), ["player 1 is asked “And now?”", "chance decides"])])
def test_answers_are_told_apart(one: str, other: str, told: list[str], tmp_path: Path) -> None:
    """Each line says what is allowed or comes next, and no two of them read alike."""
    played = games(tmp_path, [PICKS.replace("AFTER", after) for after in (one, other)])
    ways = [(each, each.interpreter.moves(each.interpreter.start().state)[:1]) for each in played]

    assert outcomes(ways, LEGAL) == told


PHASES = """
game: phases
title: Phases
players: {count: 1}
families: {f: {}}
cards: {f: {club: {copies: 1}, cup: {copies: 1}}}
zones: {hand: {holds: f, kind: bag, starts: all}, out: {holds: f, kind: bag}}
state: {active: {type: player, start: 1}, clubs: {type: bool, start: CLUBS}}
steps: {game: {}}
windows:
  early: {by: active, done: play nothing}
  late: {by: active, repeat: true, done: end the turn}
start: game
clauses:
- {id: run, kind: order, says: a turn has two parts, on: game, do: FIRST}
- {id: cup, kind: permit, says: cups are played early, on: early, option: play, with: {card: "c for c in hand if c == f.cup"}, do: "move(card, hand, out)"}
- {id: club, kind: permit, says: clubs are played late, on: late, option: play, with: {card: "c for c in hand if c == f.club"}, when: clubs, do: "move(card, hand, out)"}
"""  # noqa: E501


EARLY = "player 1 plays cup; player 1 plays nothing"
LATE = "player 1 plays club; player 1 ends the turn"
EVER = '"while True:\\n  {}()"'


@pytest.mark.parametrize(("one", "other", "told"), [
    ({"FIRST": "late()", "CLUBS": "True"}, {"FIRST": "early()", "CLUBS": "True"}, [
        "player 1 is to move, and may choose: play club; end the turn",
        "player 1 is to move, and may choose: play cup; play nothing"]),
    # Each part goes on for ever: they meet again nowhere.
    ({"FIRST": EVER.format("late"), "CLUBS": "True"}, {"FIRST": EVER.format("early"),
                                                       "CLUBS": "True"}, [
        f"allowed: {LATE}; not asked here: {EARLY}", f"allowed: {EARLY}; not asked here: {LATE}"]),
    ({"FIRST": "late()", "CLUBS": "True"}, {"FIRST": "late()", "CLUBS": "False"}, [
        "clubs: yes; allowed: player 1 plays club",
        "clubs: no; not allowed: player 1 plays club"]),
])
def test_what_is_asked_at_another_moment_is_not_forbidden(
    one: dict[str, str], other: dict[str, str], told: list[str], tmp_path: Path
) -> None:
    """A move is “not allowed” where it is asked about and barred; else it is told who may do what.

    Or, where the games never meet again, that it is “not asked here”.
    """
    texts = [PHASES.replace("FIRST", words["FIRST"]).replace("CLUBS", words["CLUBS"])
             for words in (one, other)]

    assert outcomes([(instance, ()) for instance in games(tmp_path, texts)], LEGAL) == told


DECKS = """
game: decks
title: Decks
players: {count: 2}
families: {f: {}}
cards: {f: {club: {copies: 2}, cup: {copies: 2}}}
zones:
  box: {holds: f, kind: bag, starts: all}
  deck: {holds: f, kind: deck, per: player}
  hand: {holds: f, kind: bag, per: player}
state: {active: {type: player, start: 1}}
steps: {game: {}}
start: game
clauses:
- {id: run, kind: order, says: cards are drawn, on: game, do: "DO"}
"""
DEAL = "for p in players:\\n  for c in f:\\n    move(c, box, deck[p])\\n"
DRAWS = "draw(1, deck[{0}], hand[{0}])\\n".format
FIRST, SECOND = DRAWS("active"), DRAWS("next_player(active)")
BOTH = FIRST + SECOND
GIVES = "for c in f:\\n  move(c, deck[next_player(active)], hand[active])\\n"
ASKED = "x = choose(range(0, 2), by=active, ask='How many?')\\n"


@pytest.mark.parametrize(("one", "other", "told"), [
    # The second player's draw is another moment than the first's: no table tells of both.
    (BOTH, SECOND + FIRST, [f"a card is drawn from the deck of player {seat}" for seat in (1, 2)]),
    (BOTH, ASKED + BOTH, [
        "player 1 is not asked “How many?”; next, a card is drawn from the deck of player 1",
        "player 1 is asked “How many?”, and may choose: 0 or 1"]),
    # Nor is the draw that is under way one that comes once a choice is made.
    (FIRST + ASKED, ASKED + GIVES + FIRST + ASKED, [
        "if club is drawn from the deck: deck of player 1: cup; hand of player 1: club",
        "deck of player 1: club, cup; hand of player 1: nothing"]),
])
def test_whose_deck_is_drawn_from_is_told(
    one: str, other: str, told: list[str], tmp_path: Path
) -> None:
    """A draw of one player is not the moment of a draw of another, and it is said whose it is."""
    texts = [DECKS.replace("DO", DEAL + do) for do in (one, other)]

    assert outcomes([(instance, ()) for instance in games(tmp_path, texts)], LEGAL) == told


ROUNDS = """
game: rounds
title: Rounds
players: {count: 2}
families: {f: {}}
cards: {f: {salt: {copies: 4}}}
zones:
  deck: {holds: f, kind: deck, starts: all}
  hand: {holds: f, kind: bag, per: player}
  shop: {holds: f, kind: bag, per: player}
state: {active: {type: player, start: 1}}
steps: {game: {}}
windows: {market: {by: active, repeat: REPEAT, done: go home}}
start: game
clauses:
- {id: run, kind: order, says: there are two rounds, on: game,
   do: "for n in range(0, 2):\\n  for p in clockwise(active):\\n    active = p\\n\
    draw(min(2, size(deck)), deck, hand[p])\\n    market()"}
- {id: first, kind: require, says: a ware has to be sold, on: market, must: sell,
   when: "size(shop[actor]) == 0"}
- {id: sell, kind: permit, says: a ware is sold, on: market, option: sell,
   with: {c: "hand[actor]"}, do: "move(c, hand[actor], shop[actor])"}
"""


@pytest.mark.parametrize("made", [4, 5])
def test_a_turn_is_not_told_beside_the_next_one_of_the_same_player(
    made: int, tmp_path: Path
) -> None:
    """A game that is ahead, also amid what is drawn, is at that market again in another round."""
    ways: list[tuple[Instance, tuple[Move, ...]]] = []
    for repeated, instance in zip((True, False), games(tmp_path, [
            ROUNDS.replace("REPEAT", each) for each in ("true", "false")]), strict=True):
        state, moves = instance.interpreter.start().state, list[Move]()
        for _ in range(3 if repeated else made):
            moves.append(instance.interpreter.moves(state)[0])
            state = instance.interpreter.step(state, moves[-1]).state
        ways.append((instance, tuple(moves)))

    mine, other = outcomes(ways, LEGAL)
    assert "player 1 is to move" in mine
    assert "active: player 2" in other
    assert "if" not in other.split()
