"""Twin plays: luck is no effect, an effect is found in full, and the same moves are told apart."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from ruleproof.checker.audit.audit import Audit
from ruleproof.checker.audit.listener import Listener
from ruleproof.checker.bench.workbench import Instance, Workbench, side_by_side
from ruleproof.checker.checks import ambiguity as check_ambiguity
from ruleproof.checker.checks import behaviour as check_behaviour
from ruleproof.checker.checks import endless as check_endless
from ruleproof.checker.comparison.lockstep import InPython, SideBySide
from ruleproof.checker.comparison.twins import twins
from ruleproof.checker.drivers.draws import ALL, GAMMA, mixed, place_of
from ruleproof.checker.engine.pairs import LockStep
from ruleproof.checker.findings.evidence import corrected, often_of
from ruleproof.checker.findings.rows import Outcome
from ruleproof.checker.findings.shares import NOBODY, UNENDED, Frequency, Wins
from ruleproof.checker.judge import sampling
from ruleproof.checker.judge.decide import favoured
from ruleproof.checker.search.labels import named
from ruleproof.checker.search.playouts import Plays, difference, interval, sure
from ruleproof.checker.verify import explore_scope, verify
from ruleproof.model.game.game import Settings
from ruleproof.model.machine.state import State
from ruleproof.reports.blocks.page import page_of
from ruleproof.reports.blocks.subject import Subject
from ruleproof.tests.checks.test_readings import rolling
from ruleproof.tests.checks.test_ways import LANTERNS
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.little import PASSES, write
from ruleproof.tests.support.places import TESTS

TOSSES = """
for i in range(0, 6):
  x = choose(range(0, HANDS), by=active, ask="Which hand?")
  if x == 0:
    n = roll(6)
    score[active] += n
  if x > 0:
    k = roll(6)
    m = roll(6)
    score[active] += m
    spare = k
  active = next_player(active)
"""
TOSSING = """
game: tossing
title: Six tosses, and it does not matter with which hand
players: {count: 2}
state: {active: {type: player, start: 1}, score: {type: int 0..60, per: player},
        spare: {type: int 0..6, internal: true}}
steps: {game: {}}
start: game
clauses:
- {id: t.toss, kind: order, says: six times somebody tosses, on: game, do: TWO}
- {id: t.most, kind: outcome, says: the most wins, on: game, after: [t.toss],
   do: "win(argmax(score[p] for p in players))"}
open_points:
- id: hands
  clauses: [t.toss]
  asks: are there three hands
  readings:
  - {id: two, title: "no", changes: {}}
  - {id: three, title: "yes", changes: {t.toss: {do: THREE}}}
""".replace("TWO", json.dumps(TOSSES.replace("HANDS", "2"))).replace(
    "THREE", json.dumps(TOSSES.replace("HANDS", "3")))
"""The third hand tosses like the second one, and of that the second toss counts: most twins come to
another winner, by luck alone."""

BETTING = """
game: betting
title: A bet of one player, whoever that is
players: {count: 2}
state: {active: {type: player, start: 1}}
steps: {game: {}}
start: game
scopes: {tiny: {players: 2}}
clauses:
- {id: b.who, kind: order, says: chance picks who bets, on: game,
   do: "p = random(players)\\nactive = p"}
- {id: b.bet, kind: effect, says: one may bet one, on: game, after: [b.who],
   do: "x = choose(range(0, 2), by=active)\\nn = roll(10)\\nwin(active if n + x > 6 else next_player(active))"}
open_points:
- id: high
  clauses: [b.bet]
  asks: may one bet more
  readings:
  - {id: one, title: only one, changes: {}}
  - id: three
    title: up to three
    changes: {b.bet: {do: "x = choose(range(0, 4), by=active)\\nn = roll(10)\\nwin(active if n + x > 6 else next_player(active))"}}
"""  # noqa: E501
"""Who bets wins in 45 of 100 games, or in 55."""
SAME = """
  - id: same
    title: it is easier
    changes: {b.bet: {do: "x = choose(range(0, 2), by=active)\\nn = roll(10)\\nwin(active if n + x > 5 else next_player(active))"}}
"""  # noqa: E501
"""In one game of ten the same moves make another winner."""
FOE = """
  - id: foe
    title: the other one may make it harder first
    changes: {b.bet: {do: "y = choose(range(0, 3), by=next_player(active))\\nx = choose(range(0, 2), by=active)\\nn = roll(10)\\nwin(active if n + x - y > 6 else next_player(active))"}}
"""  # noqa: E501
"""Under this answer somebody else is asked where the games part."""

LADDERS = """
game: ladders
title: Four climbs, and the higher or the lower one wins
players: {count: 2}
state: {active: {type: player, start: 1}, high: {type: int 0..30, per: player}}
steps: {game: {}}
start: game
clauses:
- id: l.climb
  kind: order
  says: four times somebody climbs
  on: game
  do: |
    for i in range(0, 4):
      x = choose(range(0, 2), by=active)
      high[active] += x
      n = roll(3)
      high[active] += n
      active = next_player(active)
- {id: l.most, kind: outcome, says: the highest wins, on: game, after: [l.climb],
   do: "win(argmax(high[p] for p in players))"}
open_points:
- id: how
  clauses: [l.climb, l.most]
  asks: does the lower one win, and may one who is high up jump
  readings:
  - {id: "no", title: "no", changes: {}}
  - id: "yes"
    title: "yes"
    changes:
      l.most: {do: "win(argmin(high[p] for p in players))"}
      l.climb:
        do: |
          for i in range(0, 4):
            x = choose(range(0, 3 if high[active] == 4 else 2), by=active)
            high[active] += x
            n = roll(3)
            high[active] += n
            active = next_player(active)
"""
"""The same moves make another winner, but for a tie; where somebody may jump, twins part before."""

DEALING = BETTING.replace('do: "p = random', 'do: "n = roll(4)\\np = random').split(
    "open_points:")[0] + """
open_points:
- id: cards
  clauses: [b.who]
  asks: of how many cards is one drawn
  readings:
  - {id: few, title: of four, changes: {}}
  - {id: more, title: of five, changes: {b.who: {do: "n = roll(5)\\np = random(players)\\nactive = p"}}}
"""  # noqa: E501
"""Chance does something else before anybody decides."""

GOING_ON = """
game: going
title: Somebody may go on, under one answer
players: {count: 2}
state: {active: {type: player, start: 1}}
steps: {game: {}}
start: game
clauses:
- id: g.play
  kind: order
  says: a die says who wins, and one may wait
  on: game
  do: |
    x = choose(range(0, 2), by=active)
    n = roll(10)
    win(active if n > 6 else next_player(active))
open_points:
- id: long
  clauses: [g.play]
  asks: may one go on for ever who is low
  readings:
  - {id: "no", title: "no", changes: {}}
  - id: "yes"
    title: "yes"
    changes:
      g.play:
        do: |
          x = choose(range(0, 2), by=active)
          n = roll(10)
          if n <= 3:
            for i in range(0, 60):
              y = choose(range(0, 2), by=active)
          win(active if n > 6 else next_player(active))
"""
"""Of the games that the second player wins half have no end under one answer."""

HEAVY = """
game: heavy
title: Six times somebody loads the cart, which bears two
players: {count: 2}
state: {active: {type: player, start: 1}, load: {type: int 0..9, start: 0},
        rest: {type: int 0..6, start: 0}}
steps: {game: {}}
windows: {loading: {by: active, done: go on}}
start: game
clauses:
- id: h.turns
  kind: order
  says: six times somebody is at the cart
  on: game
  do: |
    for i in range(0, 6):
      loading()
      active = next_player(active)
- {id: h.load, kind: permit, says: a sack is put on, on: loading, option: load, do: load += 1}
- {id: h.rest, kind: permit, says: one may sit down, on: loading, option: sit, do: rest += 1}
- {id: h.bears, kind: limit, says: two sacks are the most, always: load <= 2}
- {id: h.last, kind: outcome, says: one wins, on: game, after: [h.turns], do: win(active)}
open_points:
- id: heavier
  clauses: [h.last]
  asks: does the other one win if the cart bears more than it can
  readings:
  - {id: same, title: "no", changes: {}}
  - id: other
    title: "yes"
    changes: {h.last: {do: "win(active if load <= 2 else next_player(active))"}}
"""


SCORING = """
game: scoring
title: One point or two, and the first player wins
players: {count: 2}
state: {active: {type: player, start: 1}, points: {type: int 0..9, per: player}}
steps: {game: {}}
start: game
score: points[p]
scopes: {tiny: {players: 2}}
clauses:
- id: s.bet
  kind: order
  says: the first player may bet and wins
  on: game
  do: |
    x = choose(range(0, 2), by=active)
    points[active] = 1 + x
    win(active)
open_points:
- id: double
  clauses: [s.bet]
  asks: does a point count twice
  readings:
  - {id: one, title: "no", changes: {}}
  - {id: two, title: "yes", changes: {s.bet: {do: "x = choose(range(0, 2), by=active)\\npoints[active] = 2 + 2 * x\\nwin(active)"}}}
"""  # noqa: E501
"""The answers lead to other points, and never to another choice or another winner."""


def both(folder: Path, spec: str, point: str, reading: str) -> tuple[Instance, Instance]:
    """Return the printed game as it is ruled, and under a reading."""
    bench = Workbench(str(write(folder, spec)), Settings())
    return bench.instance("printed"), bench.instance("printed", rulings={point: reading})


def chance_of_active(instance: Instance, state: State) -> Fraction:
    """Compute by the reference interpreter how likely it is that the active player wins."""
    judge = instance.interpreter
    if judge.final(state):
        at = judge.shape.offsets["active"]
        return Fraction(int(state.values[at] in judge.winners(state)))
    moves = judge.moves(state)  # all are as likely here
    return sum((chance_of_active(instance, judge.step(state, move).state) for move in moves),
               Fraction(0)) / len(moves)


def course(instance: Instance, key: int) -> tuple[list[tuple[int, str, object]], tuple[int, ...]]:
    """Play a game by the reference interpreter with the random bits of twins: moves, winners."""
    judge, visits = instance.interpreter, Counter[str]()
    machine = instance.compiled.machine
    nodes = {node.id: named(node) for node in machine.nodes}
    labels = {edge.id: edge.label for node in machine.nodes for edge in node.edges}
    state, made = judge.start().state, list[tuple[int, str, object]]()
    while not judge.final(state):
        name = nodes[state.node]
        visits[name] += 1
        drawn = mixed(mixed(key ^ place_of(name)) + visits[name] * GAMMA & ALL)
        moves = judge.moves(state)
        move = moves[(drawn >> 32) * len(moves) >> 32]
        if len(moves) > 1:
            made.append((len(moves), labels[move.edge], move.args))
        else:
            visits[name] -= 1
        state = judge.step(state, move).state
    return made, judge.winners(state)


def test_luck_is_no_effect(tmp_path: Path) -> None:
    """An option that does nothing parts all twins, and many have another winner: no effect."""
    two = both(tmp_path, TOSSING, "hands", "three")
    often = often_of(two, ("first", "three"), Plays(2_000, 60), seed=0)
    drift = sum(course(two[0], key)[1] != course(two[1], key)[1] for key in range(200))

    assert drift > 60
    assert often.seen == often.plays == 2_000
    assert often.decides == 0
    assert often.effect == 0
    assert often.told == ()
    assert all(one.more[0] < 0 < one.more[1] for one in (*often.asked, *often.wins))


@pytest.mark.parametrize("seed", range(3))
def test_an_effect_is_measured_as_it_is(seed: int, tmp_path: Path) -> None:
    """Who bets wins in a tenth of the games more, computed exactly; no seat wins more."""
    two = both(tmp_path, BETTING, "high", "three")
    mine, theirs = (chance_of_active(each, each.interpreter.start().state) for each in two)
    often = often_of(two, ("first", "three"), Plays(2_000, 60), seed=seed)
    (asked,) = often.asked

    assert theirs - mine == Fraction(1, 10)
    assert asked.more[0] <= theirs - mine <= asked.more[1]
    assert asked.more[1] - asked.more[0] < 0.1
    assert often.told == (asked,)
    assert often.effect == asked.least > 0


def test_who_is_asked_may_be_another_one(tmp_path: Path) -> None:
    """Under one answer it is who bets, under the other the other one: what one loses, one gains."""
    two = both(tmp_path, BETTING + FOE, "high", "foe")
    mine, theirs = (chance_of_active(each, each.interpreter.start().state) for each in two)
    bets, hinders = often_of(two, ("one", "foe"), Plays(2_000, 60), seed=1).asked

    assert theirs - mine == Fraction(-1, 10)
    assert bets.more[0] <= theirs - mine <= bets.more[1] < 0
    assert hinders.more == (-bets.more[1], -bets.more[0])
    assert (bets.seat, hinders.seat) == ("", "foe")
    assert bets.adopted + hinders.adopted == bets.other + hinders.other == 2_000


@pytest.mark.parametrize(("spec", "point", "reading"), [
    (TOSSING, "hands", "three"), (BETTING, "high", "three"), (BETTING + FOE, "high", "foe"),
    (BETTING + SAME, "high", "same"), (LADDERS, "how", "yes"), (LANTERNS, "lamp-last", "exactly"),
    (PASSES.replace("NAILS", "30"), "first", "active"), (DEALING, "cards", "more"),
    (GOING_ON, "long", "yes")])
@pytest.mark.parametrize("family", one_in(2, [True, False]))
def test_compiled_twins_are_those_of_python(
    spec: str, point: str, reading: str, tmp_path: Path, *, family: bool
) -> None:
    """Law: games that part, that end apart and that are given up are counted the same."""
    two = both(tmp_path, spec, point, reading)
    programs = side_by_side(*two) if family else [each.program for each in two]
    side = SideBySide(*(each.whole for each in programs))
    side.start()
    assert isinstance(side.pairs, LockStep)
    assert side.pairs.made.one_code == (family and spec.startswith(
        (BETTING, LANTERNS, PASSES.partition("cards:")[0])))
    found = side.pairs.twins(seed=2, plays=60, longest=12)

    assert found == InPython(side).twins(seed=2, plays=60, longest=12)
    for _ in range(2):  # with what single plays come to, as it is found out and as it is kept
        again = SideBySide(side.first, side.second)
        again.start()
        assert again.pairs.twins(seed=2, plays=60, longest=12) == found
    assert found.went + found.dealt


def test_no_play_of_a_family_does_what_a_limit_forbids(tmp_path: Path) -> None:
    """Law: games of one code, of which the first plays for both, break no limit on the way."""
    two = both(tmp_path, HEAVY, "heavier", "other")
    side = SideBySide(*(each.whole for each in side_by_side(*two)))
    side.start()
    assert isinstance(side.pairs, LockStep)
    assert side.pairs.made.one_code

    assert side.pairs.play(seed=0, plays=50, longest=30) is None
    assert InPython(side).play(seed=0, plays=50, longest=30) is None


@pytest.mark.parametrize(("nails", "between"), [
    (0, (0, 0)), (6, (1, 100)), (60, (60, 1_000))])
def test_who_is_asked_first_is_counted_where_two_have_something_to_do(
    nails: int, between: tuple[int, int], tmp_path: Path
) -> None:
    """Nobody's pass is a difference who could but pass, whoever is asked first."""
    two = both(tmp_path, PASSES.replace("NAILS", str(nails)), "first", "active")
    often = often_of(two, ("nobody", "active"), Plays(1_000, 60), seed=0)

    assert between[0] <= often.seen <= between[1]


def test_the_same_moves_are_counted_apart(tmp_path: Path) -> None:
    """Of twins that end otherwise those count whose moves are the same, one by one."""
    two = both(tmp_path, LADDERS, "how", "yes")
    keys = [mixed(place_of(5) + (number + 1) * GAMMA & ALL) for number in range(300)]
    pairs = [(course(two[0], key), course(two[1], key)) for key in keys]
    found = twins(two[0].program, two[1].program, plays=300, longest=60, seed=5)
    same = [one[1] != other[1] for one, other in pairs if one[0] == other[0]]

    assert found.went == sum(one != other for one, other in pairs)
    assert found.ended == sum(same)
    assert 0 < sum(same) < len(same) < 300
    assert sum(found.seats[0][1:]) > found.ended


@pytest.mark.parametrize(("gained", "lost"), [(0, 0), (8, 0), (30, 25), (200, 120)])
def test_differences_have_the_interval_of_bonett_and_price(gained: int, lost: int) -> None:
    """It is symmetric, holds the difference, and is apart from 0 beyond the standard errors."""
    low, high = difference(gained, lost, 2_000, 3)

    assert low <= (gained - lost) / 2_000 <= high
    assert difference(lost, gained, 2_000, 3) == (-high, -low)
    assert (low > 0) == ((gained - lost) ** 2 * (1 + 9 / 2_002) > 9 * (gained + lost + 2))


def test_all_answers_are_compared_with_the_first(tmp_path: Path) -> None:
    """Of three answers two are compared with the adopted one, and a page tells of each."""
    report = verify(str(write(tmp_path, BETTING + SAME)), Settings(), only=("ambiguity",))
    (finding,) = (each for each in report.findings if each.open_point == "high")
    told = page_of(finding, Subject()).often

    assert finding.frequency is not None
    assert finding.frequency.effect >= max(each.effect for each in finding.compared)
    assert {finding.frequency.reading, *(each.reading for each in finding.compared)} == {
        "same", "three"}
    assert len(told) == 2
    assert all("“only one” and “" in text for text in told)


def test_games_that_end_with_other_points_are_not_said_to_end_alike(tmp_path: Path) -> None:
    """What is counted are moves and winners, and no more is said of games that have neither."""
    report = verify(str(write(tmp_path, SCORING)), Settings(), only=("ambiguity",))
    (finding,) = (each for each in report.findings if each.open_point == "double")
    told = " ".join(page_of(finding, Subject()).often)

    assert finding.frequency is not None
    assert finding.frequency.seen == 0
    assert "had another choice in it or another winner" in told
    assert "another end" not in told


LUCKY = Wins(NOBODY, 0, 0, (0, 1), (0, 1), (-0.1, 0.1))


def test_who_gains_is_told_of_whom_it_was_measured() -> None:
    """A reading favours who wins more often under it; nobody by luck, and not all at once."""
    some = (Outcome("one", "one"), Outcome("two", "two"), Outcome("three", "three"))
    wins = tuple(
        Wins(seat, 0, 0, (0, 1), (0, 1), more)
        for seat, more in (("north", (0.1, 0.2)), ("south", (-0.2, -0.1)), ("west", (-0.1, 0.1)),
                           (NOBODY, (-0.2, -0.1)), (UNENDED, (-0.1, 0.1))))
    found, all_alike = (favoured(some, Frequency(100, 9, (0, 1), 9, (0, 1), "two", each, (), "one"))
                        for each in (wins, (wins[0], *wins[3:])))

    assert [each.favours for each in found] == ["south", "north", ""]
    assert [each.favours for each in all_alike] == ["", "", ""]


def test_what_is_told_holds_for_all_comparisons_at_once() -> None:
    """A difference that stands alone does not stand among hundreds: fewer errors are told of."""
    row = Wins("", 100, 125, (0, 1), (0, 1), gained=45, lost=20)
    often = Frequency(2_000, 90, (0, 1), 0, (0, 1), "two", (), (row,), "one", 2_000)
    (alone,) = corrected([often])
    among = corrected([often] * 400)

    assert alone.told
    assert alone.effect
    assert not any(each.told or each.effect for each in among)
    assert among[0].asked[0].more[0] < alone.asked[0].more[0] < alone.asked[0].more[1]
    assert sure(1) == pytest.approx(1.96, abs=0.01)
    assert sure(400) == pytest.approx(3.84, abs=0.01)


def test_of_winners_only_games_count_that_end_both_times(tmp_path: Path) -> None:
    """Law: that games are given up under an answer moves nobody's share, and changes no winner."""
    often = often_of(both(tmp_path, GOING_ON, "long", "yes"), ("no", "yes"), Plays(2_000, 30),
                     seed=0)
    nobody, unended = often.wins

    assert unended.gained > 300
    assert often.ending == often.plays - unended.adopted - unended.gained
    assert nobody.adopted == nobody.other < often.ending
    assert often.told == (unended,)
    assert often.effect == 0


@pytest.mark.parametrize(("begins", "rows"), [
    ("p = random(players)\nactive = p", [NOBODY, UNENDED]),
    ("pass", ["player 1", "player 2", NOBODY, UNENDED])])
def test_seats_that_are_alike_are_not_compared(
    begins: str, rows: list[str], tmp_path: Path
) -> None:
    """Which seat wins more is told only where something tells the seats apart, as who begins."""
    spec = BETTING.replace("p = random(players)\\nactive = p", begins.replace("\n", "\\n"))
    often = often_of(both(tmp_path, spec, "high", "three"), ("one", "three"), Plays(2_000, 60),
                     seed=0)

    assert [each.seat for each in often.wins] == rows
    assert often.asked[0].apart


def test_another_set_up_is_no_other_course(tmp_path: Path) -> None:
    """Twins that chance parts before anybody decides compare two set-ups, and are counted apart."""
    often = often_of(both(tmp_path, DEALING, "cards", "more"), ("few", "more"), Plays(500, 30),
                     seed=0)

    assert often.seen == 0
    assert often.set_up == 500


def test_twins_under_one_reading_are_the_same(tmp_path: Path) -> None:
    """The same decisions under the same rules give the same plays, whatever else is played."""
    bench = Workbench(str(write(tmp_path, LANTERNS)), Settings())
    adopted = bench.instance("printed", rulings={"lamp-last": "wasted"})
    program = bench.instance("printed").program

    assert twins(program, adopted.program, plays=50, longest=60, seed=3)[:2] == (0, 0)


def test_twins_part_where_the_readings_do(tmp_path: Path) -> None:
    """Of twins of two readings some part, and longer runs say more."""
    mine, theirs = (each.program for each in both(tmp_path, LANTERNS, "lamp-last", "exactly"))
    few, many = (twins(mine, theirs, plays=plays, longest=60, seed=0) for plays in (12, 400))

    assert 0 < few.went <= 12
    assert few.went < many.went < 400
    assert few.ended <= many.ended <= many.went


def test_only_plays_that_end_have_another_winner(tmp_path: Path) -> None:
    """Plays that are given up before any can end go differently, and nobody wins them."""
    mine, theirs = (each.program for each in both(tmp_path, LANTERNS, "lamp-last", "exactly"))
    found = twins(mine, theirs, plays=50, longest=1, seed=0)

    assert found.ended == 0
    assert set(found.seats) == {(0, 0, 0)}
    assert found.nobody == (0, 0, 0)
    assert found.unended == (50, 0, 0)


def test_an_open_point_says_how_often_it_decides() -> None:
    """A game whose scopes are scaled is played both ways at the printed size."""
    source = str(TESTS / "flawed")
    bench = Workbench(source, Settings())
    scope = explore_scope(bench, "tiny", 20_000, None, lambda _: None)
    audit = Audit(bench, bench.instance("printed"), [scope], 20_000, 0, Listener(),
                  lambda _: True)
    sampling.look(audit)
    check_ambiguity.run(audit)
    check_behaviour.run(audit)
    check_endless.run(audit)
    sampling.run(audit)
    often = {one.cls: extent.frequency for one, extent in audit.extents.items()
             if extent.frequency is not None}

    point, tie = often["ambiguity"], often["unresolved-tie"]
    assert point.decides is not None
    assert 0 <= point.decides <= point.seen <= point.plays
    assert point.decides_ci95 == interval(point.decides, point.plays)
    assert (tie.decides, tie.decides_ci95) == (None, None)


def test_who_gains_by_an_answer_is_counted(tmp_path: Path) -> None:
    """Six high rolls win for the first seat, under the other reading for the second, as often."""
    report = rolling(tmp_path, sides=10, small=6)
    (finding,) = report.everything
    often = finding.frequency
    assert often is not None
    first, second, nobody, unended = often.wins
    *_, text = page_of(finding, Subject()).often

    assert often.reading == "other"
    assert [each.seat for each in often.wins] == ["player 1", "player 2", NOBODY, UNENDED]
    assert 0 < first.adopted == second.other == often.decides
    assert (first.other, second.adopted) == (0, 0)
    assert nobody.adopted == nobody.other == often.plays - first.adopted
    assert unended.adopted == unended.other == 0
    assert "Under “who rolls” player 1 wins " in text
    assert "Under “the other” player 2 wins " in text
    assert [each.favours for each in finding.readings if each.apart] == ["player 1", "player 2"]
