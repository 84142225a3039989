"""What lies behind a bound of the model is not known: no play goes there, and none counts."""

from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.comparison.equivalence import same_everywhere
from ruleproof.checker.comparison.lockstep import SideBySide
from ruleproof.checker.comparison.product import diverge
from ruleproof.checker.comparison.settled import settled_pair
from ruleproof.checker.comparison.twins import twins
from ruleproof.checker.engine.program import Program
from ruleproof.checker.findings.evidence import (
    NotReplayed,
    corrected,
    counted_in,
    play_of,
)
from ruleproof.checker.findings.results import Report
from ruleproof.checker.findings.shares import Frequency, Wins
from ruleproof.checker.packed.flags import BEYOND, FILTERED
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.search.playouts import Plays, Sample, interval, sample
from ruleproof.checker.verify import verify
from ruleproof.cli.commands.verify import outcome
from ruleproof.cli.exit import LIMIT
from ruleproof.model.game.game import Settings
from ruleproof.model.machine.state import Move
from ruleproof.reports.blocks.measures import comes_up, how_often
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


LIMITED = """
game: limited
title: A limit that a move breaks which meets a bound
players: {count: 1}
families: {sort: {attributes: {}}}
cards: {sort: {plum: {name: Plum, copies: 4}}}
zones:
  hand: {holds: sort, kind: bag, starts: all}
  heap: {holds: sort, kind: pile, capacity: 1}
  gone: {holds: sort, kind: bag}
steps: {game: {}}
windows: {w: {by: only(players), forced: true}}
start: game
clauses:
- {id: run, kind: order, says: go, on: game, do: "move(sort.plum, hand, heap)\\nw()\\nend_game()"}
- id: lay
  kind: permit
  says: plums go
  on: w
  option: lay
  do: |
    move_all(hand, gone)
    move_all(gone, heap)
- {id: drop, kind: permit, says: plums go, on: w, option: drop, do: "move_all(hand, gone)"}
- {id: keep, kind: permit, says: nothing goes, on: w, option: keep, do: pass}
- {id: held, kind: limit, says: something is in the hand, always: size(hand) > 0}
"""
"""To lay meets the capacity, and what is seen of it breaks the limit, as to drop does."""


@pytest.mark.parametrize(("keep", "legal"), [(True, {"lay", "keep"}), (False, {"lay"})])
def test_of_a_move_that_meets_a_bound_no_limit_is_known_to_be_broken(
    keep: bool, legal: set[str], tmp_path: Path  # noqa: FBT001
) -> None:
    """It counts as a move that breaks none, for itself and for others, in all engines."""
    text = LIMITED if keep else LIMITED.replace("option: keep", "option: keep, when: False")
    instance = Workbench(str(write(tmp_path, text)), Settings()).instance("printed")
    game, program = instance.interpreter, instance.program
    first = game.start().state
    moves = game.moves(first)
    flags = {row[0]: row[3] for row in program.succ(program.pack(first))}

    assert {game.edges[move.edge].label for move in moves} == legal
    assert {move.edge for move in moves} == {
        edge for edge, told in flags.items() if not told & FILTERED}
    assert all(compare(instance.compiled.machine, native=native)[0] for native in (True, False))
    assert game.bounds & Exploration(program).run(max_states=100).notes.keys()


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
    """Where one of two machines meets a bound nothing is compared, and no way calls that all."""
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
        assert both.pairs.cut is not None
        assert same_everywhere(one, other) is None
        for found in (diverge(one, other), settled_pair(one, other).everywhere(100)):
            assert (found.best, found.complete) == (None, False)
            assert found.bounds == ("`again` is nested deeper than its `depth`",)
        assert [same_everywhere(each, each) for each in (one, other)] == [True, True]


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


@pytest.mark.parametrize("native", [True, False])
def test_plays_that_meet_a_bound_are_counted_apart(native: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """Of what comes up on the way to a bound it is known in how many plays it does."""
    machine = Workbench(nested(tmp_path, 2), Settings()).instance("printed").compiled.machine
    drawn = sample(Program(machine, native=native), plays=Plays(200, 20), seed=1)
    bit = BEYOND.bit_length() - 1

    assert drawn.beyond == drawn.cut[bit] == drawn.flags[bit] == drawn.plays - drawn.finished
    assert all(many == drawn.beyond for many in drawn.cut.values())


@pytest.mark.parametrize(("beyond", "cut", "share"), [
    (0, 0, interval(60, 1_000)),
    (10, 2, interval(58, 990)),
    (200, 20, (interval(60, 1_000)[0], interval(240, 1_000)[1])),
    (1_000, 60, (interval(60, 1_000)[0], 1.0))])
def test_a_share_holds_whatever_is_behind_a_bound(
    beyond: int, cut: int, share: tuple[float, float]
) -> None:
    """Law: plays that met a bound are no games; if many did, the interval allows for all of them.

    Each may have shown what was counted, or not; that some did before they were cut off is known.
    """
    drawn = Sample(1_000, flags={2: beyond, 5: 60} if beyond else {5: 60}, cut={5: cut})
    often = counted_in(drawn, [4, 5])

    assert (often.plays, often.seen, often.beyond) == (1_000 - beyond, 60 - cut, beyond)
    assert often.ci95 == share
    assert often.cut == (beyond > 10)


def test_who_gains_is_not_known_behind_a_bound() -> None:
    """That one wins more often in the plays that met none is told of all only if few met one."""
    row = Wins("player 1", 100, 225, (0, 1), (0, 1), gained=145, lost=20)
    often = Frequency(1_000, 190, (0, 1), 0, (0, 0.01), "two", (row,), (), "one", 1_000)
    few, many = corrected([often, Frequency(
        1_000, 190, (0, 1), 0, (0, 0.01), "two", (row,), (), "one", 1_000, beyond=900)])

    assert few.wins[0].apart
    assert not many.wins[0].apart
    assert not many.effect
    assert -1 <= many.wins[0].more[0] < 0 < many.wins[0].more[1] <= 1


@pytest.mark.parametrize("depth", [2, 3])
def test_a_report_tells_of_plays_left_out(depth: int, tmp_path: Path) -> None:
    """What is counted under two answers says how many plays met a bound, and of all games less."""
    text = NESTED.replace("DEPTH", str(depth)) + """open_points:
- id: who
  clauses: [draws]
  asks: who wins
  readings:
  - {id: mine, title: who acts, changes: {}}
  - {id: other, title: the other one, changes: {draws: {do: "win(next_player(active))"}}}
"""
    report = verify(str(write(tmp_path, text)), Settings(), only=("ambiguity",))
    (finding,) = [one for one in report.everything if one.open_point == "who"]
    often = finding.frequency
    (told, *_) = how_often(finding)
    note = next((one.why for one in report.not_checked if "beyond a sample" in one.what), "")

    assert often is not None
    assert often.cut == (depth == 2)
    assert ("met a bound of the model" in told) == ("% of these" in told or "nearly all of these"
                                                    in told) == often.cut
    assert (f"{often.beyond:,} more are left out" in told) == often.cut
    assert (" to " in comes_up(finding)) == often.cut
    assert ("met a bound" in note) == often.cut


ANSWERED = """
game: answered
title: An answer to an answer
players: {count: 2}
state:
  n: {type: int 0..9}
steps: {game: {}, reply: {depth: 2}}
windows:
  answers: {who: players, each: once, done: let it be, depth: DEPTH}
start: game
clauses:
- {id: run, kind: order, says: it begins, on: game, do: reply()}
- {id: end, kind: order, says: it ends, on: game, after: [run], do: end_game()}
- {id: asks, kind: effect, says: each may answer, on: reply, do: answers()}
- id: counter
  kind: permit
  says: an answer may be answered
  on: answers
  option: counter
  when: n < 2
  do: |
    n += 1
    if n < 2:
      reply()
open_points:
- id: nest
  clauses: [counter]
  asks: may an answer be answered
  readings:
  - {id: 'yes', title: 'yes', changes: {}}
  - {id: 'no', title: 'no', changes: {counter: {do: "n += 1"}}}
"""


@pytest.mark.parametrize(("depth", "through"), [(2, False), (4, True)])
def test_what_never_comes_through_is_not_harmless(
    depth: int, through: bool, tmp_path: Path  # noqa: FBT001
) -> None:
    """Where a clause only runs into a bound, that nothing tells its texts apart says nothing."""
    source = str(write(tmp_path, ANSWERED.replace("DEPTH", str(depth))))
    report = verify(source, Settings(), only=("ambiguity",))

    assert bool([one for one in report.everything if one.open_point == "nest"]) == through
    assert not [one for one in report.harmless if one.open_point == "nest"]
    assert any("no bound of the model is met" in one.why for one in report.not_checked
               if one.what == "nest = no") == (not through)


INSIDE = """
game: inside
title: A step that opens a window that runs the step
players: {count: 1}
state: {n: {type: int 0..9}}
steps: {game: {}, s: {DEEP}}
windows: {w: {by: only(players), done: stop, WIDE}}
start: game
clauses:
- {id: g, kind: order, says: go, on: game, do: "s()\\nend_game()"}
- {id: s1, kind: order, says: step, on: s, do: w()}
- {id: o, kind: permit, says: up, on: w, option: up, when: n < 1, do: "n += 1\\ns()"}
"""


BOTH = "the greatest of `s` and `w`, which are counted together"


@pytest.mark.parametrize(("deep", "wide", "bounds"), [
    ("depth: 2", "", ()),
    ("", "depth: 2", ()),
    ("depth: 2", "depth: 2", (f"`s` is nested deeper than `depth: 2`, {BOTH}",)),
    ("depth: 2", "depth: 3", (f"`w` is nested deeper than `depth: 3`, {BOTH}",)),
    ("depth: 2", "depth: 4", ()),
    ("depth: 4", "depth: 4", ())])
def test_what_is_inside_each_other_is_counted_together(
    deep: str, wide: str, bounds: tuple[str, ...], tmp_path: Path
) -> None:
    """Law: a depth on one counts how often that one is inside itself; depths on several, all."""
    text = INSIDE.replace("DEEP", deep).replace(", WIDE", f", {wide}" * bool(wide))
    report = verify(str(write(tmp_path, text)), Settings(), only=("deadlock",))
    (explored,) = report.explored

    assert explored.bounds == bounds
    assert explored.complete == (not bounds)


@pytest.mark.parametrize(("deep", "wide", "bound"), [
    ("depth: 2", "", "`s` is nested deeper than its `depth`"),
    ("", "depth: 2", "`s` is nested deeper than the `depth` of `w`")])
def test_a_depth_on_one_is_named_where_it_ends(
    deep: str, wide: str, bound: str, tmp_path: Path
) -> None:
    """What is inside itself a second time meets a depth of two, whichever of them has it."""
    text = INSIDE.replace("n < 1", "n < 2").replace("DEEP", deep).replace(
        ", WIDE", f", {wide}" * bool(wide))
    report = verify(str(write(tmp_path, text)), Settings(), only=("deadlock",))
    (explored,) = report.explored

    assert explored.bounds == (bound,)


PILED = """
game: piled
title: A pile that holds two
players: {count: 2}
families: {sort: {attributes: {}}}
cards: {sort: {plum: {name: Plum, copies: 3}}}
zones:
  hand: {holds: sort, kind: bag, starts: all}
  heap: {holds: sort, kind: pile, capacity: 2}
state: {active: {type: player, start: 1}, told: {type: bool}}
steps: {game: {}}
windows: {laying: {by: active, done: lay nothing}}
start: game
clauses:
- {id: run, kind: order, says: one may lay a plum, on: game, do: "laying()\\nwin(active)"}
- id: lay
  kind: permit
  says: a plum is laid down
  on: laying
  option: lay
  do: |
    move(sort.plum, hand, heap)
    active = next_player(active)
- id: tidy
  kind: effect
  says: a plum on the heap is taken up
  whenever: size(heap) == 1
  timing: at once
  fires: each time
  do: move(sort.plum, heap, hand)
- id: lay-two
  kind: permit
  says: two plums are laid down, one after the other
  on: laying
  option: lay two
  do: |
    move(sort.plum, hand, heap)
    TWICE
    active = next_player(active)
open_points:
- id: many
  clauses: [lay]
  asks: are more laid down
  readings:
  - {id: one, title: one, changes: {}}
  - {id: all, title: all, changes: {lay: {do: "move_all(hand, heap)"}}}
- id: before
  clauses: [run]
  asks: do all lie there before
  readings:
  - {id: none, title: none, changes: {}}
  - {id: all, title: all, changes: {run: {do: "move_all(hand, heap)\\nlaying()\\nwin(active)"}}}
"""
"""Under the other readings, and without `tidy`, what is laid down meets the capacity."""


def piled(folder: Path, twice: str = "move(sort.plum, hand, heap)") -> str:
    """Write the game."""
    return str(write(folder, PILED.replace("TWICE", twice)))


def test_readings_that_meet_a_bound_are_not_the_same(tmp_path: Path) -> None:
    """A reading whose moves alone meet a bound is compared within it, and the bound is named."""
    report = verify(piled(tmp_path), Settings(), only=("ambiguity",))
    notes = {note.what: note.why for note in report.not_checked}

    assert all(each.complete for each in report.explored)
    assert {each.open_point: each.method for each in report.harmless} == {"many": "bounded"}
    assert "more than 2 cards in `heap`" in notes["many = all in scope printed"]
    assert "more than 2 cards in `heap`" in notes["before = all in scope printed"]


def test_what_is_not_missed_up_to_a_bound_may_do_something(tmp_path: Path) -> None:
    """Of a sentence without which a move meets a bound it is not said that it does nothing."""
    twice = "move(sort.plum, hand, heap)\n    move(sort.plum, hand, heap)"
    report = verify(piled(tmp_path, twice), Settings(), only=(
        "dead-clause", "inert-clause", "redundant-clause"))

    assert not any("tidy" in finding.clauses for finding in report.everything)


CROWDED = """
game: crowded
title: A set-up in which more are recruited than there is room for
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..3, start: 3}}
pools: {army: {per: player, capacity: 2, fields: {d: int 0..3}}}
steps: {game: {}}
windows: {w: {by: active}}
start: game
clauses:
- {id: few, kind: setup, says: two are recruited, on: game, FIRST, do: "n = 2"}
- id: recruits
  kind: setup
  says: they are recruited
  on: game
  do: |
    for i in range(n):
      new(army[active], d=i)
- id: then
  kind: order
  says: one goes on
  on: game
  after: [few, recruits]
  do: |
    w()
    win(active)
- {id: go, kind: permit, says: one may go, on: w, option: go, do: "n = 1"}
- {id: most, kind: claim, says: never are there two, never: "size(army[active]) == 2"}
"""


def test_a_set_up_that_meets_a_bound_shows_nothing(tmp_path: Path) -> None:
    """Nothing is found, or said to hold, behind it; that is told, also by the status."""
    text = CROWDED.replace("FIRST", "after: [recruits]")
    report = verify(str(write(tmp_path, text)), Settings())
    told = [each for each in report.not_checked if each.what == "scope printed"]

    assert [report.everything, report.holds, report.explored] == [(), (), ()]
    assert ["the set-up meets a bound of the model" in each.why for each in told] == [True]
    assert outcome(report, "any") == LIMIT


def test_a_set_up_that_goes_round_behind_a_bound_is_no_finding(tmp_path: Path) -> None:
    """Whether it ends is not known: more records may be what it waits for."""
    text = CROWDED.replace("FIRST", "after: [recruits]").replace(
        "    w()\n", "    while size(army[active]) < 3:\n      active = active\n    w()\n")
    report = verify(str(write(tmp_path, text)), Settings())
    told = [each.why for each in report.not_checked if each.what == "scope printed"]

    assert report.everything == ()
    assert ["the set-up meets a bound of the model" in each for each in told] == [True]


def test_a_sentence_without_which_the_set_up_meets_a_bound_is_not_checked(tmp_path: Path) -> None:
    """It is told that nobody knows whether such a sentence does anything."""
    text = CROWDED.replace("FIRST", "before: [recruits]")
    report = verify(str(write(tmp_path, text)), Settings(), only=("inert-clause", "dead-clause"))

    assert "whether few does anything" in {each.what for each in report.not_checked}


def test_an_order_in_which_a_bound_is_met_is_not_told_from_the_other(tmp_path: Path) -> None:
    """It is no finding, and the same only as far as the bound."""
    text = CROWDED.replace(", FIRST", "")
    report = verify(str(write(tmp_path, text)), Settings(), only=("order-dependence",))

    assert report.everything == ()
    assert [(each.method, "a bound of the model (more than 2 records" in each.why)
            for each in report.harmless] == [("bounded", True)]
