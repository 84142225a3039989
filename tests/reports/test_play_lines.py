"""Plays in sentences: each says what was asked, and nothing that is not so."""

import copy
import json
import random
from pathlib import Path
from typing import Any

import pytest

from ruleproof.checker.findings.results import Evidence, Shown
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.machine.state import Move
from ruleproof.model.plays.moves import node_of
from ruleproof.model.plays.plays import record, replay
from ruleproof.model.run.interp import Interpreter
from ruleproof.reports.blocks.groups import ENDING, LONG, in_smaller, play_groups
from ruleproof.reports.blocks.plays import (
    BEFORE,
    CANNOT,
    FEW,
    FIRST,
    LAST,
    abridged,
    play_lines,
)
from ruleproof.reports.blocks.subject import Subject
from ruleproof.tests.support import games
from ruleproof.tests.support.games import often
from ruleproof.tests.support.little import compiled, write

TWO_QUESTIONS = """
game: questions
title: Two questions in one step
players: {count: 3}
state:
  points: {type: int 0..9, per: player, start: 5}
  active: {type: player, start: 1}
steps: {game: {title: All}, effects: {params: {which: int 0..1}}}
start: game
clauses:
- id: run
  kind: order
  says: two effects
  on: game
  do: |
    effects(0)
    effects(1)
- id: effects
  kind: effect
  says: one of two things is done
  on: effects
  do: |
    if which == 0:
      foe = choose(others(active), by=active, ask="Who loses a point?")
      points[foe] -= 1
    else:
      foe = choose(others(active), by=active, ask="From whom do you steal?")
      points[foe] -= 2
"""


def test_each_question_of_a_play_is_told_as_it_was_asked(tmp_path: Path) -> None:
    """Of questions with the same names in one step, each move is told with its own."""
    game = compiled(tmp_path, TWO_QUESTIONS)
    interp = Interpreter(game.machine)
    states = [interp.start().state]
    while not interp.final(states[-1]):
        states.append(interp.step(states[-1], interp.moves(states[-1])[0]).state)
    asked = [node_of(game.machine, state).ask for state in states[:-1]]
    doc: Any = record(game, [interp.moves(state)[0] for state in states[:-1]])
    told = play_lines(doc, Subject(game))
    again = copy.deepcopy(doc)
    again["steps"][0]["asks"] = asked[1]

    assert asked == ["Who loses a point?", "From whom do you steal?"]
    assert [line.text.partition(" (")[2] for line in told[:-1]] == [f"{each})" for each in asked]
    assert replay(doc, game).ok
    assert "asks" in replay(again, game).reason


@pytest.mark.parametrize("source", often("penguin-brawl", of=[
    "edition-wars", "penny-arcade-card-game", "penguin-brawl", "rumble-in-rlyeh"]))
def test_what_is_asked_is_what_the_interpreter_asks(source: str) -> None:
    """In plays of the bundled games each question that is told is that of the node."""
    game = games.compiled(source)
    interp, rng = Interpreter(game.machine), random.Random(1)  # noqa: S311
    state, moves, asked = interp.start().state, list[Move](), list[str]()
    while not interp.final(state) and len(moves) < 150:
        moves.append(rng.choice(interp.moves(state)))
        asked.append(node_of(game.machine, state).ask)
        state = interp.step(state, moves[-1]).state
    doc = json.loads(json.dumps(record(game, moves)))

    assert any(asked)
    assert [step.get("asks", "") for step in doc["steps"]] == asked
    assert replay(doc, game).ok


ON_TOP = """
game: tops
title: A card is put on top and drawn
players: {count: 1}
families: {sort: {attributes: {}}}
cards: {sort: {plum: {name: Plum, copies: 1}, pip: {name: Pip, copies: 2}}}
zones:
  deck: {holds: sort, kind: deck, known: 1, starts: all}
  hand: {holds: sort, kind: bag}
state: {active: {type: player, start: 1}, n: {type: int 0..2}}
steps: {game: {}}
start: game
clauses:
- id: run
  kind: order
  says: a card is drawn, put back, and drawn with another
  on: game
  do: |
    draw(1, deck, hand)
    c = choose(hand, by=active, ask="Which one?")
    put_on_top(c, hand, deck)
    x = choose(range(1, 3), by=active, ask="Go on?")
    n = x
    draw(2, deck, hand)
    end_game()
"""


def test_a_known_card_is_told_when_it_is_drawn(tmp_path: Path) -> None:
    """A card that was laid on top of a deck is named where it is drawn, as chance names others."""
    game = compiled(tmp_path, ON_TOP)
    interp = Interpreter(game.machine)
    state, moves = interp.start().state, list[Move]()
    while not interp.final(state):
        moves.append(interp.moves(state)[0])
        state = interp.step(state, moves[-1]).state
    told = [line.text for line in play_lines(record(game, moves), Subject(game))]

    assert told[:3] == [
        "Plum is drawn from the deck to the hand",
        "player 1 chooses Plum (Which one?)",
        "player 1 chooses 1 (Go on?); from the top of the deck, as was known: Plum"]


def test_the_short_play_is_told_first() -> None:
    """A short play of a small game comes before a long one of the printed game."""
    def play(moves: int) -> dict[str, Any]:
        step = {"node": "n", "by": "player 1", "event": "go", "choice": {}}
        return {"steps": [step | {"event": f"go_{number}"} for number in range(moves)]}

    shown = (Shown("", play(9)), Shown("", play(3), "tiny"),
             Shown("late", play(2), elsewhere=True))
    groups, turned = (play_groups(Evidence(
        "witness", "sampled", "printed", replayed=True, plays=plays), Subject()) for plays in (
            shown, (Shown("", play(3)), Shown("", play(9), "tiny"))))

    assert [group.where for group in groups] == [
        "in a smaller game", "it happens in the printed game too",
        "in another situation, under late"]
    assert [len(group.shared) for group in groups] == [3, 9, 2]
    assert [len(group.shared) for group in turned] == [3, 9]


def test_of_a_long_play_behind_a_short_one_the_end_is_told() -> None:
    """With the number of its moves; a long play alone is told as it is."""
    def play(moves: int) -> dict[str, Any]:
        return {"steps": [{"node": "n", "by": "player 1", "event": f"go_{number}", "choice": {}}
                          for number in range(moves)]}

    long, short = Shown("", play(LONG + 1)), Shown("", play(LONG), "tiny")
    (small, late), (alone,) = (play_groups(Evidence(
        "witness", "sampled", "printed", replayed=True, plays=plays), Subject())
        for plays in ((long, short), (long,)))

    assert len(small.shared) == LONG
    assert late.where.endswith(f"in {LONG + 1} moves, of which these are the last")
    assert [line.last for line in late.shared] == [*range(LONG + 2 - ENDING, LONG + 2)]
    assert (alone.where, len(alone.shared)) == ("", LONG + 1)


SMALLER = """
game: sized
title: Sized
players: {min: 2, max: 3}
constants: {hand: {value: 5, clause: run}, bound: 99, wits: 7}
families: {fruit: {attributes: {price: int 0..9, is_dear: bool}}}
titles: {is_dear: mark}
cards:
  fruit:
    plum: {name: Plum, price: 4, is_dear: True, copies: 6}
    pear: {name: Pear, price: 2, copies: 6}
zones: {deck: {holds: fruit, kind: deck, starts: all}}
state: {n: {type: int 0..bound, start: 4}}
steps: {game: {}}
start: game
clauses: [{id: run, kind: order, says: a hand of five, on: game, when: n < wits, do: end_game()}]
scopes:
  tiny:
    players: 2
    constants: {hand: 1, bound: 9, wits: 8}
    state: {n: 3}
    cards: {fruit: {plum: {copies: 2, price: 1, is_dear: False}, pear: 1}}
  fewer: {cards: {fruit: {plum: 0, pear: 6}}}
  short_loud: {variants: [short, loud], constants: {hand: 2}}
  shorter: {variants: [short], constants: {hand: 1}}
variants:
  short: {title: short, clause: run, constants: {hand: 2}}
  loud: {title: loud, clause: run}
"""


def test_what_is_different_in_a_smaller_game_is_told(tmp_path: Path) -> None:
    """Its players, its numbers that rules use beside the printed ones, its cards, their values."""
    subject = Subject(compiled(tmp_path, SMALLER))

    assert in_smaller("tiny", subject) == (
        "in a smaller game (2 players; hand 1 instead of 5; "
        "wits 8 instead of 7, which is assumed; n 3 at the start; "
        "fruit cards: only 2 × Plum (price 1, no mark), Pear)")
    assert in_smaller("fewer", subject) == "in a smaller game (fruit cards: only 6 × Pear)"
    assert in_smaller("tiny", Subject()) == "in a smaller game"


def test_of_a_scope_alone_all_that_it_sets_is_told(tmp_path: Path) -> None:
    """Where the game is that of the scope, it is not compared with itself."""
    path = write(tmp_path, SMALLER)
    subject = Subject(compile_game(load_game(str(path), Settings(scope="tiny"))))

    assert in_smaller("tiny", subject) == (
        "in a smaller game (2 players; hand 1; n 3 at the start; "
        "fruit cards: only 2 × Plum, Pear)")


def test_as_many_are_told_as_play(tmp_path: Path) -> None:
    """A chosen number of players stands over that of the scope."""
    subject = Subject(compiled(tmp_path, SMALLER))

    assert in_smaller("tiny", subject, 3).startswith("in a smaller game (3 players; hand 1")
    assert in_smaller("fewer", subject, 3).startswith("in a smaller game (3 players; fruit")
    assert in_smaller("fewer", subject, 2) == in_smaller("fewer", subject)


def test_what_is_different_in_a_smaller_game_is_told_beside_its_mode(tmp_path: Path) -> None:
    """The numbers that it has otherwise are those of the mode in which it is played."""
    subject = Subject(compiled(tmp_path, SMALLER))

    assert [in_smaller(name, subject) for name in ("short_loud", "shorter")] == [
        "in a smaller game (in the mode “short” and “loud”)",
        "in a smaller game (in the mode “short”; hand 1 instead of 2)"]


Told = tuple[str, str, str, dict[str, Any]]
"""A step: its node, who moves, the event, the choice."""


def told(*steps: Told, **more: bool) -> list[str]:
    """Tell steps, each a node, who moves, an event and a choice."""
    play = {"steps": [{"node": node, "by": by, "event": event, "choice": choice, **more}
                      for node, by, event, choice in steps]}
    return [line.text for line in play_lines(play, Subject())]


CARD = {"card": {"card": "Plum"}}


def test_values_are_told_as_words() -> None:
    """What the spec alone names is told as words, what the book names as it is."""
    one: Told = ("n", "player 1", "back", {"back": {"kind": "action_back"}})
    other: Told = ("n", "player 1", "card", {"card": {"card": "A_1"}})

    assert told(one, other) == ["player 1 chooses action back", "player 1 chooses A_1"]


def test_nobody_passes_on_what_he_has_done() -> None:
    """A pass that closes an opportunity at which its player acted says that no more is done."""
    block: Told = ("window", "player 2", "block", CARD)
    stop: Told = ("window #2", "player 2", "do not block", {})
    attack: Told = ("turn", "player 1", "attack", CARD)
    end: Told = ("turn", "player 1", "end the turn", {})
    lay: Told = ("laying", "player 2", "lay", CARD)
    last: Told = ("laying", "player 2", "lay no more cards", {})

    assert told(attack, block, stop)[1:] == [
        "player 2 blocks Plum", "player 2 is done"]
    assert told(attack, stop, attack, stop)[1::2] == ["player 2 does not block"] * 2
    assert told(attack, block, end, attack, stop)[-1] == "player 2 does not block"
    assert told(attack, block, stop, attack, stop)[-1] == "player 2 does not block"
    assert told(lay, last)[-1] == "player 2 lays no more cards"
    assert told(attack, end)[-1] == "player 1 ends the turn"


def test_passes_are_told_together() -> None:
    """Players who pass one after the other are told of in one line, in whatever windows."""
    first: Told = ("window", "player 1", "play no card", {})
    other: Told = ("window", "player 2", "play no card", {})
    then: Told = ("ability", "player 1", "do not use the ability", {})

    assert told(first, other, then) == [
        "player 1 and player 2 play no card; player 1 does not use the ability"]
    assert told(first) == ["player 1 plays no card"]


def test_it_is_not_told_who_is_next_where_only_one_can_be() -> None:
    """Who is next is told as no rule's saying only where somebody else could be."""
    last = ("who is next", "rules", "next", {"who acts next": {"player": "player 1"}})

    assert told(last) == ["player 1 is next here (no rule says who)"]
    assert told(last, only=True) == []


def test_long_plays_are_abridged() -> None:
    """Of a long play the first and the last lines are told, and how many moves are left out."""
    lines = play_lines({"steps": [
        {"node": "n", "by": "player 1", "event": f"go_{n}", "choice": {}} for n in range(400)]},
        Subject())
    short = abridged(lines)

    assert [line.first for line in short if line.first] == [
        *range(1, FIRST + 1), *range(401 - LAST, 401)]
    assert short[FIRST].text == f"… {400 - FIRST - LAST} moves …"
    assert abridged(lines[: FIRST + LAST + FEW]) == lines[: FIRST + LAST + FEW]


@pytest.mark.parametrize("at", [2, 60, 377, 400])
def test_where_answers_part_is_told_of_a_long_play(at: int) -> None:
    """The moves before it are told too, and each gap says how many moves it is."""
    lines = play_lines({"steps": [
        {"node": "n", "by": "player 1", "event": f"go_{n}", "choice": {}} for n in range(400)]},
        Subject())
    short = abridged(lines, at)
    told = {line.first for line in short if line.first}
    gaps = [int(line.text.split()[1].replace(",", "")) for line in short if not line.first]

    assert {*range(max(1, at - BEFORE), at + 1)} <= told
    assert len(told) + sum(gaps) == 400


def test_failures_name_places_in_words() -> None:
    """What fails on the way names zones and variables as words, and no index."""
    step = {"node": "n", "by": "player 1", "event": "go", "choice": {}, "failed": [
        {"what": "`swag_pile[who]` holds too few cards", "clause": "c"},
        *[{"what": "several players are equal on `argmax(f(p) for p in a)`", "clause": "d"}] * 2]}

    assert [line.text for line in play_lines({"steps": [step]}, Subject())[1:]] == [
        "here the swag pile holds too few cards: c", "here several players are equal: d, 2 times"]


@pytest.mark.parametrize(("what", "told"), [
    ("`others(active)` is not exactly one player", "this fits no player, or several"),
    ("`(p for p in players if n[p] > 0)` is empty, but one must be chosen",
     "there is nothing to choose from"),
    ("`points[p]` would leave 0..99", "the points would go past its bounds"),
    ("`r.health` would leave 0..60", "a number would go past its bounds"),
    ("`all(size(hand[p]) == n for p in players)` does not hold when the step ends",
     "this is not so when the step ends"),
    ("a card is drawn from `some_deck`, which is empty",
     "a card is drawn from the some deck, which is empty"),
    ("`a == b` is odd", CANNOT)])
def test_failures_are_told_without_expressions(what: str, told: str) -> None:
    """Whatever fails on the way, nothing that only the spec could say is told of it."""
    step = {"node": "n", "by": "player 1", "event": "go", "choice": {},
            "failed": [{"what": what, "clause": "c"}]}

    (_, line) = play_lines({"steps": [step]}, Subject())
    assert line.text == f"here {told}: c"


SPELLS = """
game: spells
title: A window without a clause
players: {count: 2}
families: {spell: {attributes: {}}}
cards: {spell: {calm: {name: Calm, copies: 2, abilities: {cast: "rage -= 1"}}}}
zones: {hand: {holds: spell, kind: bag, starts: all}}
state: {active: {type: player, start: 1}, rage: {type: int 0..3}}
steps: {game: {}}
windows: {casting: {by: active}}
start: game
clauses:
- {id: open, kind: order, says: one may cast, on: game, do: casting()}
- {id: cast, kind: permit, says: a spell is cast, on: casting, option: cast,
   with: {c: "c for c in hand"}, do: "c.cast()"}
"""


@pytest.mark.parametrize(("clause", "told"), [
    ("card:spell.calm.cast", "what Calm says (rage -1)"), ("window:casting", "“casting”"),
    ("cast", "a spell is cast")])
def test_what_fails_is_named_in_words(tmp_path: Path, clause: str, told: str) -> None:
    """The text of a card by its name and what it does; a window that has no clause by its title."""
    step = {"node": "n", "by": "player 1", "event": "go", "choice": {},
            "failed": [{"what": "`rage` would leave 0..3", "clause": clause}]}

    (_, line) = play_lines({"steps": [step]}, Subject(compiled(tmp_path, SPELLS)))
    assert line.text == f"here the rage would go past its bounds: {told}"


DEALT = """
game: deals
title: Cards are dealt
players: {count: 2}
families: {sort: {attributes: {}}}
cards:
  sort: {plum: {name: Plum, copies: 2}, pip: {name: Pip, copies: 7}, nut: {name: Nut, copies: 7}}
zones:
  deck: {holds: sort, kind: deck, starts: all}
  hand: {holds: sort, kind: bag, per: player}
  shown: {holds: sort, kind: bag}
state: {trump: {type: "card sort?"}}
steps: {game: {}}
start: game
clauses:
- id: run
  kind: order
  says: everybody gets a card, two are shown, and one of these is trumps
  on: game
  do: |
    for p in players:
      draw(1, deck, hand[p])
    draw(2, deck, shown)
    picked = random(shown)
    trump = picked
    end_game()
"""


def test_a_deal_says_who_gets_what(tmp_path: Path) -> None:
    """What chance picks is told with the place into which it comes, and whose that is."""
    game = compiled(tmp_path, DEALT)
    interp = Interpreter(game.machine)
    state, moves = interp.start().state, list[Move]()
    for place in (0, 1, 1, -1, 0):
        moves.append(interp.moves(state)[place])
        state = interp.step(state, moves[-1]).state
    doc: Any = record(game, moves)
    again = copy.deepcopy(doc)
    del again["steps"][0]["to"]

    assert [line.text for line in play_lines(doc, Subject(game))][:3] == [
        "from the deck are drawn: Plum to the hand of player 1; Pip to the hand of player 2",
        "Pip and Nut are drawn from the deck to the shown", "chance, picked: Pip (trump)"]
    assert replay(doc, game).ok
    assert replay(again, game).ok


GIVEN = """
game: given
title: Given
players: {count: 3}
families: {fruit: {}}
cards: {fruit: {plum: {name: Plum, copies: 3}}}
zones:
  deck: {holds: fruit, kind: deck, starts: all}
  sack: {holds: fruit, kind: bag, per: player}
state: {taker: {type: player, start: 1}}
steps: {game: {}}
start: game
clauses:
- {id: go, kind: order, says: plums go round, on: game, do: "for p in players:\\n
   \\  draw(1, deck, sack[p])\\nfor p in others(taker):\\n
   \\  draw(1, sack[p], sack[taker])\\nend_game()"}
"""


def test_it_is_told_from_whom_another_player_draws(tmp_path: Path) -> None:
    """Where chance picks of the cards of one player for another one, both are named."""
    game = compiled(tmp_path, GIVEN)
    interp = Interpreter(game.machine)
    state, moves = interp.start().state, list[Move]()
    while not interp.final(state):
        moves.append(interp.moves(state)[0])
        state = interp.step(state, moves[-1]).state
    doc: Any = record(game, moves)

    assert [line.text for line in play_lines(doc, Subject(game))][1:3] == [
        f"Plum is drawn from the sack of player {seat} to the sack of player 1" for seat in (2, 3)]
    assert replay(doc, game).ok
