"""How likely moves of chance are counts: in compiled code, in Python, by the interpreter's odds."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleproof.checker.bench.workbench import Workbench, side_by_side
from ruleproof.checker.comparison.equivalence import apart_in_play, same_everywhere
from ruleproof.checker.comparison.product import diverge
from ruleproof.checker.comparison.settled import settled_pair
from ruleproof.checker.comparison.turned import Turned
from ruleproof.checker.engine.program import Program
from ruleproof.checker.findings.outcomes import outcomes
from ruleproof.checker.packed.flags import LEGAL
from ruleproof.checker.search.labels import Label, Labels
from ruleproof.checker.search.playouts import Plays
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.machine.core import Local
from ruleproof.model.machine.machine import Edge, Machine
from ruleproof.model.machine.state import State
from ruleproof.model.run.evaluate import OutOfRangeError
from ruleproof.model.run.interp import EndlessRules, Interpreter, UncoveredRules
from ruleproof.tests.engine.test_pairs import agree, contested, rests
from ruleproof.tests.support.drawn import many
from ruleproof.tests.support.little import write
from ruleproof.tests.support.machines import Builder, load, num, op, param, seats, store
from ruleproof.tests.support.programs import Writer, random_machine

Wheel = Sequence[tuple[str, int]]
WEIGHTS = st.sampled_from((0, 1, 2, 3, 4, 6, 1_000_000, 2**31 - 2, 2**31 - 1))
WHEELS = st.lists(st.tuples(st.sampled_from("abc"), WEIGHTS), min_size=1, max_size=5)


def wheel(fields: Wheel) -> Machine:
    """Make a game in which chance picks a field of a wheel, each by its weight."""
    game = Builder("wheel", 1)
    game.node("wheel", "chance")
    game.node("over", "final")
    for name, weight in fields:
        game.edge("wheel", "over", label=name, weight=num(weight))
    return game.machine()


def exactly(machine: Machine, moves: int) -> dict[tuple[Label, ...], Fraction]:
    """Return how likely each play of so many moves is, if the players make those of it."""
    judge, labels = Interpreter(machine), Labels(Program(machine, native=False))
    plays: dict[tuple[Label, ...], Fraction] = {}

    def go_on(state: State, made: tuple[Label, ...], share: Fraction) -> None:
        plays[made] = plays.get(made, Fraction(0)) + share
        shares = dict(judge.chance(state))
        for move in judge.moves(state) if len(made) < moves else ():
            after = judge.step(state, move).state
            go_on(after, (*made, labels.of_move(move)), share * shares.get(move, 1))

    go_on(judge.start().state, (), Fraction(1))
    return plays


@many(0.7)
@given(WHEELS, WHEELS)
def test_wheels_differ_if_their_odds_do(one: Wheel, other: Wheel) -> None:
    """Two wheels are the same exactly if the interpreter gives each name the same odds."""
    same = exactly(wheel(one), 1) == exactly(wheel(other), 1)
    for native in (True, False):
        pair = [Program(wheel(each), native=native) for each in (one, other)]

        assert same_everywhere(*pair) is same
        assert (apart_in_play(*pair, seed=1, plays=Plays(1, 1)) is None) is same
        if all(sum(weight > 0 for _, weight in each) > 1 for each in (one, other)):
            assert settled_pair(*pair).everywhere(9).complete is same


@pytest.mark.parametrize(("one", "other", "same"), [
    ("aab", "abb", False), ("aab", "aba", True), ("aabb", "ab", True), ("abab", "aabbb", False)])
def test_a_name_counts_as_often_as_it_is_there(one: str, other: str, same: bool) -> None:  # noqa: FBT001
    """Fields of one name count together, however they lie on the wheel."""
    first, second = ([(name, 1) for name in names] for names in (one, other))

    assert (agree(Program(wheel(first)), Program(wheel(second)), duties=False) == set()) is same
    assert (exactly(wheel(first), 1) == exactly(wheel(second), 1)) is same


def reweighed(machine: Machine, random: Random) -> Machine:
    """Give moves of chance other weights: others, or a multiple of those that they have."""
    writer = Writer(random, [*machine.arrays])
    times = random.choice((None, 1, 3))

    def other(edge: Edge) -> Edge:
        if times is not None:
            return replace(edge, weight=op("*", times, edge.weight or num(1)))
        return replace(edge, weight=writer.expr(tuple(
            param.name for param in edge.params if not param.bag), (), 1))

    return replace(machine, nodes=tuple(
        replace(node, edges=tuple(map(other, node.edges))) if node.kind == "chance" else node
        for node in machine.nodes))


@many(0.7)
@given(seed=st.integers(0, 2**32))
def test_random_machines_with_other_weights_are_compared_the_same(seed: int) -> None:
    """Law: compiled code finds what Python does, and of what it calls the same each play is."""
    random = Random(seed)  # noqa: S311  (no secrets here)
    machine = contested(random_machine(random), random)
    other = reweighed(machine, random)
    if not rests(machine) or not rests(other):
        return
    programs = Program(machine), Program(other)
    agree(*programs, duties=False, most=60, plays=6)
    try:
        if same_everywhere(*programs, limit=60) is True:
            assert exactly(machine, 3) == exactly(other, 3)
    except (EndlessRules, OutOfRangeError, UncoveredRules):  # a play that ends in neither
        return


LOTS = """
game: lots
title: Lots
players: {count: 2}
families: {coin: {attributes: {value: int 0..2}}}
cards:
  coin: {penny: {name: Penny, copies: 3, value: 1}, quarter: {name: Quarter, copies: 1, value: 2}}
zones: {purse: {holds: coin, kind: bag, starts: all, seen_by: all}}
state: {active: {type: player, start: 1}}
steps: {game: {}, lot: {}}
start: game
clauses:
- {id: order, kind: order, says: a coin is drawn by lot, on: game, do: lot()}
- id: lot
  kind: effect
  says: a coin of the purse decides, whichever is drawn
  on: lot
  do: |
    c = random(purse)
    win(active if c.value == 1 else next_player(active))
"""
KINDS = """- id: kinds
  kind: effect
  says: where there are several coins, each kind is as likely
  on: lot
  overrides: [lot]
  when: size(purse) > 2
  do: |
    c = random(c for c in coin if c in purse)
    win(active if c.value == 1 else next_player(active))
"""
POINT = """open_points:
- id: likely
  clauses: [lot]
  asks: is each coin as likely, or each kind
  readings:
  - {id: coins, title: each coin, changes: {}}
  - id: kinds
    title: each kind
    changes:
      lot:
        do: |
          c = random(c for c in coin if c in purse)
          win(active if c.value == 1 else next_player(active))
  - id: doubled
    title: each coin, and it is drawn from two purses of the same coins
    changes:
      lot:
        do: |
          c = random(c for c in purse)
          win(active if c.value == 1 else next_player(active))
"""
SAID = ["chance decides; in 3 of 4 cases: Penny; in 1 of 4 cases: Quarter",
        "chance decides; in 1 of 2 cases: Penny; in 1 of 2 cases: Quarter"]


def test_readings_of_other_odds_are_told_apart(tmp_path: Path) -> None:
    """That each answer gives chance other odds is a finding, and the answers tell them."""
    report = verify(str(write(tmp_path, LOTS + POINT)), Settings(), only=("ambiguity",))
    (finding,) = report.everything

    assert [each.outcome for each in finding.readings if each.apart][:2] == SAID
    assert [each.open_point for each in report.harmless] == ["likely=doubled"]


def test_a_sentence_that_changes_odds_is_not_said_again(tmp_path: Path) -> None:
    """Two sentences of which one gives chance other odds are not the same game twice."""
    report = verify(str(write(tmp_path, LOTS + KINDS)), Settings(), only=("redundant-clause",))

    assert not report.everything


def test_other_odds_are_a_difference_in_moves(tmp_path: Path) -> None:
    """A comparison finds them where chance decides, in play and breadth first, and says them."""
    bench = Workbench(str(write(tmp_path, LOTS + POINT)), Settings())
    one, two, same = (bench.instance("printed", rulings={"likely": each})
                      for each in ("coins", "kinds", "doubled"))
    found = diverge(*side_by_side(one, two))

    assert found.best is not None
    assert (found.best.level, found.best.play) == (LEGAL, ())
    assert outcomes([(each, ()) for each in (one, two)], LEGAL) == SAID
    assert diverge(*side_by_side(one, same)).complete
    assert diverge(*side_by_side(one, same)).best is None


SEAT = Local("seat")


def seated(weights: Sequence[int]) -> Machine:
    """Make a game in which chance picks a seat, by weights that no turn of the table moves."""
    game = Builder("seats", 2)
    game.array("weight", (2,), high=9, start=weights)
    game.array("picked", (), domain=seats(2))
    game.node("pick", "chance")
    game.node("over", "final")
    game.edge("pick", "over", params=[param("seat", seats(2))], weight=load("weight", SEAT),
              do=[store("picked", SEAT)])
    return game.machine()


@pytest.mark.parametrize(("weights", "alike"), [((1, 1), True), ((3, 3), True), ((3, 1), False)])
def test_seats_of_other_odds_are_not_alike(weights: Sequence[int], alike: bool) -> None:  # noqa: FBT001
    """A turn of the table keeps moves of chance only if it keeps how likely they are."""
    table = Turned(Program(seated(weights)))
    mine, theirs = table.both_sides(table.program.start()[0])

    assert (mine == theirs) is alike
