"""What lies behind a bound of the model is not known: no play goes there, and none counts."""

from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.comparison.lockstep import SideBySide
from ruleproof.checker.comparison.twins import twins
from ruleproof.checker.engine.program import Program
from ruleproof.checker.findings.evidence import NotReplayed, play_of
from ruleproof.checker.findings.results import Report
from ruleproof.checker.packed.flags import BEYOND
from ruleproof.checker.search.playouts import Plays, sample
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.machine.state import Move
from ruleproof.tests.support.agreement import compare
from ruleproof.tests.support.little import write

NESTED = """
game: nested
title: A step that runs inside itself
players: {count: 2}
families: {sort: {attributes: {}}}
cards: {sort: {plum: {name: Plum, copies: 1}}}
zones:
  deck: {holds: sort, kind: deck}
  hand: {holds: sort, kind: bag, per: player}
state:
  deep: {type: int 0..3}
  life: {type: int 0..3, per: player, start: 1}
  active: {type: player, start: 1}
steps: {game: {}, again: {depth: DEPTH}}
start: game
clauses:
- {id: run, kind: order, says: it is done, on: game, do: again()}
- id: again
  kind: effect
  says: it may be done again
  on: again
  do: |
    if deep < 2:
      if may(by=active, ask="Once more?"):
        deep += 1
        again()
- id: draws
  kind: effect
  says: whoever did it twice draws a card
  on: game
  after: [run]
  do: |
    if deep == 2:
      draw(1, deck, hand[active])
    win(active)
"""
"""With a depth of 2 the second time meets it, and then a card would be drawn from nothing."""


def nested(folder: Path, depth: int) -> str:
    """Write the game."""
    return str(write(folder, NESTED.replace("DEPTH", str(depth))))


def met(report: Report) -> list[str]:
    """List the bounds that plays of findings meet."""
    return [failed["what"] for finding in report.everything for shown in finding.evidence.plays
            for step in shown.play["steps"] for failed in step.get("failed", ())
            if failed["defect"] == "capacity"]


@pytest.mark.parametrize(("depth", "found"), [(2, False), (3, True)])
def test_no_play_meets_a_bound(depth: int, found: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """What only happens behind a bound is no finding, and what is found never meets one."""
    report = verify(nested(tmp_path, depth), Settings(), only=("undefined-operation",))

    assert [each.cls for each in report.everything] == ["undefined-operation"] * found
    assert not met(report)
    assert all(each.complete == found for each in report.explored)


@pytest.mark.parametrize("native", [True, False])
def test_a_move_that_meets_a_bound_leads_nowhere(native: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """Compiled code and the interpreter agree on it; random plays end there, and tell of it."""
    machine = Workbench(nested(tmp_path, 2), Settings()).instance("printed").compiled.machine
    program = Program(machine, native=native)
    drawn = sample(program, plays=Plays(200, 20), seed=1)

    assert compare(machine, native=native)[0] > 1
    assert 0 < drawn.finished < drawn.plays
    assert drawn.stuck == 0
    assert drawn.flags[BEYOND.bit_length() - 1] == drawn.plays - drawn.finished


def test_machines_do_not_differ_by_a_bound(tmp_path: Path) -> None:
    """Where one of two machines meets a bound nothing is compared, in each way of comparing."""
    for name in ("two", "three"):
        (tmp_path / name).mkdir()
    two, three = (Workbench(nested(tmp_path / name, depth), Settings()).instance("printed")
                  for name, depth in (("two", 2), ("three", 3)))
    for native in (True, False):
        one, other = (Program(each.compiled.machine, native=native) for each in (two, three))
        both = SideBySide(one, other)
        both.pairs.add(both.start())
        both.pairs.advance(1 << 20, 1 << 20)

        assert both.pairs.levels() == {}
        assert both.pairs.play(seed=1, plays=50, longest=20) is None


@pytest.mark.parametrize("native", [True, False])
def test_twins_that_meet_a_bound_do_not_count(native: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """Of the same game with another bound, plays that meet it differ in nothing that is counted."""
    for name in ("two", "three"):
        (tmp_path / name).mkdir()
    two, three = (Program(Workbench(nested(tmp_path / name, depth), Settings()).instance(
        "printed").compiled.machine, native=native) for name, depth in (("two", 2), ("three", 3)))
    found = twins(two, three, plays=100, longest=20, seed=1)

    assert 0 < found.beyond < 100
    assert (found.went, found.ended) == (0, 0)
    assert found.nobody.won + found.unended.won + sum(seat.won for seat in found.seats) == (
        100 - found.beyond)


def test_a_witness_that_meets_a_bound_is_none(tmp_path: Path) -> None:
    """A play that meets a bound is not written down as evidence."""
    instance = Workbench(nested(tmp_path, 2), Settings()).instance("printed")
    state, moves = instance.interpreter.start().state, list[Move]()
    while not instance.interpreter.final(state):
        yes = next((move for move in instance.interpreter.moves(state)
                    if instance.interpreter.edges[move.edge].label == "yes"), None)
        assert yes is not None
        moves.append(yes)
        state = instance.interpreter.step(state, yes).state

    with pytest.raises(NotReplayed, match="bound"):
        play_of(instance, moves)
