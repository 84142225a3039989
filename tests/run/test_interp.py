"""Laws of the reference interpreter, on every machine of the shelf."""

from fractions import Fraction
from itertools import islice
from pathlib import Path

import pytest

from ruleproof.model.machine.core import Binary, Const, Expr, Load, Local, Reduce, Table, Unary
from ruleproof.model.machine.machine import Machine
from ruleproof.model.machine.state import Move, State
from ruleproof.model.run.evaluate import OutOfRangeError
from ruleproof.model.run.interp import EndlessRules, IllegalMove, Interpreter, UncoveredRules
from ruleproof.model.source.errors import TooLongError
from ruleproof.tests.support.little import compiled
from ruleproof.tests.support.machines import (
    Builder,
    add,
    all_machines,
    draws,
    ints,
    jugs,
    load,
    op,
    param,
    spiral,
    store,
)
from ruleproof.tests.support.walks import states_of

MACHINES = all_machines()


@pytest.mark.parametrize("name", MACHINES)
def test_moves_are_sorted_unique_and_can_be_taken(name: str) -> None:
    """Legal moves come out in order, once each, only at rests, and lead to rests within bounds."""
    game = Interpreter(MACHINES[name])
    highs = [(a.low, a.high) for a in game.machine.arrays for _ in range(a.size)]
    for state in states_of(game, most=120):
        moves = game.moves(state)

        assert list(moves) == sorted(set(moves))
        assert not (moves and game.final(state))
        assert game.nodes[state.node].kind != "rules"
        assert all(low <= v <= high for v, (low, high) in zip(state.values, highs, strict=True))


@pytest.mark.parametrize("name", MACHINES)
def test_what_is_not_legal_is_refused_with_its_reasons(name: str) -> None:
    """Every candidate that is not legal has a reason, and taking it raises that reason."""
    game = Interpreter(MACHINES[name])
    for state in states_of(game, most=60):
        for verdict in game.candidates(state):
            if verdict.legal:
                assert not verdict.failing
                continue
            with pytest.raises(IllegalMove) as caught:
                game.step(state, verdict.move)
            reasons = {c.clause for c in verdict.failing} | {x.clause for x in verdict.broken}
            assert set(caught.value.clauses) == reasons


@pytest.mark.parametrize("name", MACHINES)
def test_chances_sum_to_one(name: str) -> None:
    """At a chance node the probabilities are positive and sum to 1; elsewhere there are none."""
    game = Interpreter(MACHINES[name])
    for state in states_of(game):
        outcomes = game.chance(state)

        assert [move for move, _ in outcomes] == (list(game.moves(state)) if outcomes else [])
        assert sum(p for _, p in outcomes) == (1 if outcomes else 0)
        assert all(p > 0 for _, p in outcomes)


def test_jugs_have_sixteen_states() -> None:
    """Two jugs of 5 and 3 reach the 16 states in which one of them is full or empty."""
    assert len(states_of(Interpreter(jugs()))) == 16


def test_a_draw_has_exact_probabilities() -> None:
    """The first card drawn from two of one kind and one of another: 2/3 and 1/3."""
    game = Interpreter(draws((2, 1)))
    start = game.start().state

    assert [p for _, p in game.chance(start)] == [Fraction(2, 3), Fraction(1, 3)]


def test_a_step_tells_edges_clauses_and_notes_in_order() -> None:
    """A step lists the edges taken, what they cite (edge first, then body), and what failed."""
    game = Interpreter(MACHINES["draws"])
    drawn = game.step(game.start().state, Move(3, (0,))).state
    step = game.step(drawn, Move(4, (0,)))

    assert (step.edges, step.cites, step.notes) == ((4,), ("play",), (1,))


def test_an_endless_run_of_the_rules_names_its_cycle() -> None:
    """Rules that come round to the same state never rest; the error says where."""
    game = Interpreter(spiral(9, endless=True))
    move = Move(0, (7,))

    assert move in game.moves(game.start().state)
    with pytest.raises(EndlessRules) as caught:
        game.step(game.start().state, move)
    assert set(caught.value.cycle) == {"loop", "stuck"}


def test_a_long_run_of_the_rules_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is in no state twice for too long is not called endless; it is refused."""
    monkeypatch.setattr("ruleproof.model.run.interp.LONGEST_RUN", 5_000)
    game = Builder("counter")
    game.array("n", high=1_000_000)
    game.node("count", "rules")
    game.edge("count", "count", do=[store("n", op("+", load("n"), 1))])

    with pytest.raises(TooLongError):
        Interpreter(game.machine()).start()


@pytest.mark.parametrize("ahead", [0, 3, 700])
def test_a_long_circle_of_the_rules_is_told_from_its_beginning(ahead: int) -> None:
    """Whatever comes before it and however long it is, the nodes of a circle are told in order."""
    game = Builder("counter")
    game.array("n", high=1000)
    for name in ("walk", "count", "mark", "back"):
        game.node(name, "rules")
    game.edge("walk", "count", when=[op("==", load("n"), ahead)], do=[store("n", 0)])
    game.edge("walk", "walk", do=[add("n", 1)])
    game.edge("count", "back", when=[op("==", load("n"), 700)])
    game.edge("count", "mark", do=[add("n", 1)])
    game.edge("mark", "count")
    game.edge("back", "mark", do=[store("n", 1)])

    with pytest.raises(EndlessRules) as caught:
        Interpreter(game.machine()).start()
    assert caught.value.cycle == ("mark", "count", "back")


def limited(*limits: int) -> Machine:
    """Choose a number of 0 to 3; the limits are upper bounds."""
    game = Builder("limited")
    game.array("n", high=3)
    game.node("turn", "open")
    game.edge("turn", "turn", params=[param("m", ints(0, 3))], do=[store("n", Local("m"))])
    return game.machine(limits=[op("<=", load("n"), limit) for limit in limits])


def test_a_limit_forbids_what_would_break_it() -> None:
    """As long as some move keeps the limits, those that break one are not legal."""
    game = Interpreter(limited(1, 2))

    assert [m.args for m in game.moves(State(0, (0,)))] == [(0,), (1,)]
    assert [len(v.broken) for v in game.candidates(State(0, (0,)))] == [0, 0, 1, 2]


def test_a_limit_that_is_broken_already_forbids_nothing() -> None:
    """Only a limit that held before can be broken."""
    game = Interpreter(limited(1))

    assert len(game.moves(State(0, (2,)))) == 4


def test_a_limit_is_broken_by_force() -> None:
    """If every move breaks a limit all stay legal, and the step says what broke."""
    game = Builder("forced")
    game.array("n", high=3)
    game.node("turn", "open")
    game.edge("turn", "turn", do=[store("n", 3)])
    step = Interpreter(game.machine(limits=[op("<", load("n"), 2)]))

    assert step.step(State(0, (0,)), Move(0)).broken == (0,)


def test_outside_an_array_reads_are_low_and_writes_do_nothing() -> None:
    """Loads outside give the lowest value, tables 0; stores outside change nothing."""
    game = Builder("edges")
    game.array("a", (2,), low=-5, high=5)
    game.node("turn", "open")
    game.edge("turn", "turn", do=[store("a", -1, 3), store("a", 2, 3)])
    run = Interpreter(game.machine(tables={"t": (7,)}))
    start = run.start().state

    assert run.evaluate(start, load("a", 2)) == -5
    assert run.evaluate(start, Table("t", Const(1))) == 0
    assert run.step(start, Move(0)).state == start


def test_a_value_out_of_range_is_a_bug() -> None:
    """Nobody clamps silently: a value that the array cannot hold is an error."""
    game = Builder("edges")
    game.array("a", (2,), high=5)
    game.node("turn", "open")
    game.edge("turn", "turn", do=[store("a", 1, 6)])

    with pytest.raises(OutOfRangeError, match="holds 0 to 5 and was given 6"):
        Interpreter(game.machine()).step(State(0, (0, 0)), Move(0))


@pytest.mark.parametrize(
    ("expr", "value"),
    [
        (op("//", -7, 2), -4),
        (op("%", -7, 2), 1),
        (op("//", 7, 0), 0),
        (op("%", 7, 0), 0),
        (Unary("not", Const(0)), 1),
        (Unary("-", Const(4)), -4),
        (Reduce("sum", "i", 4, op(">", Local("i"), 1), Local("i")), 5),
        (Reduce("min", "i", 4, Const(0), Local("i"), 9), 9),
        (Reduce("max", "i", 4, Const(1), op("-", 2, Local("i"))), 2),
        (Reduce("any", "i", 0, Const(1), Const(1)), 0),
        (Reduce("all", "i", 0, Const(1), Const(0)), 1),
        (Binary("and", Const(1), Const(0)), 0),
        (Binary("or", Const(1), Const(0)), 1),
    ],
)
def test_expressions_have_the_value_that_the_core_says(expr: Expr, value: int) -> None:
    """Division rounds down and by 0 is 0; reductions over nothing have their own values."""
    game = Interpreter(jugs())

    assert game.evaluate(game.start().state, expr) == value


def test_rules_that_cover_no_case_are_a_bug() -> None:
    """A rules node where no edge applies is an error, not a rest."""
    game = Builder("hole")
    game.node("rule", "rules")
    game.edge("rule", "rule", when=[Const(0)])

    with pytest.raises(UncoveredRules, match="`rule`"):
        Interpreter(game.machine()).start()


def test_winners_are_known_at_the_end_only() -> None:
    """Who has won is read from the outcome at final nodes."""
    game = Interpreter(MACHINES["tic-tac-toe"])
    state = game.start().state
    for cell in (0, 3, 1, 4, 2):
        assert game.winners(state) == ()
        state = game.step(state, Move(0, (cell,))).state

    assert game.final(state)
    assert game.winners(state) == (0,)
    assert game.by(state) is None


def test_the_decider_is_read_from_the_state() -> None:
    """At a decide node `by` is a seat; at an open one nobody."""
    game = Interpreter(MACHINES["tic-tac-toe"])
    puzzle = Interpreter(jugs())

    assert game.by(game.start().state) == 0
    assert puzzle.by(puzzle.start().state) is None


def test_loads_of_unknown_arrays_are_errors() -> None:
    """A machine that names what it does not have is no machine."""
    game = Interpreter(jugs())

    with pytest.raises(KeyError):
        game.evaluate(game.start().state, Load("nowhere"))


PINCHED = """
game: pinched
title: A record of a player who is chosen first
players: {count: 2}
pools:
  crab: {per: player, capacity: 2, fields: {pinches: "int 0..1"}}
state: {seat: {type: player, start: 1}}
steps: {game: {}}
windows: {pinching: {by: seat, repeat: true, done: stop}}
start: game
clauses:
- {id: crabs, kind: setup, says: a crab each, on: game, do: "for p in players:\\n  new(crab[p])"}
- {id: go, kind: order, says: then they are pinched, on: game, after: [crabs], do: pinching()}
- id: pinch
  kind: permit
  says: any crab of any player is pinched
  on: pinching
  option: pinch
  with: {whose: players, one: "r for r in crab[whose] if r.pinches == 0"}
  do: one.pinches = 1
"""


def test_a_record_of_a_chosen_player_is_that_of_the_option(tmp_path: Path) -> None:
    """An option's record parameter may lie in the pool of a player that the option names before."""
    made = compiled(tmp_path, PINCHED)
    game = Interpreter(made.machine)
    state = game.start().state
    found = set()
    for move in game.moves(state):
        after = game.step(state, move).state
        first = game.shape.offsets["crab.pinches"]
        found.add(after.values[first : first + 4])

    assert found >= {(1, 0, 0, 0), (0, 0, 1, 0)}


def test_an_edge_may_have_more_parameters_than_the_stack_has_room() -> None:
    """Arguments come in ascending order, lazily, of two thousand parameters as of two."""
    game = Builder("many")
    game.array("n", high=3)
    game.node("turn", "open")
    few = [param("a", ints(0, 1)), param("b", ints(0, 2), op("<=", Local("a"), Local("b")))]
    many = [param(f"p{i}", ints(0, 1)) for i in range(2_000)]
    many.append(param("last", ints(0, 3), op("<", Local("p1998"), Local("last"))))
    for params in (few, many):
        game.edge("turn", "turn", params=params)
    play = Interpreter(game.machine())
    listed, endless = (play.arguments(State(0, (0,)), edge) for edge in play.edges.values())

    assert list(listed) == [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)]
    assert [args[-3:] for args in islice(endless, 9)] == [
        (0, 0, 1), (0, 0, 2), (0, 0, 3), (0, 1, 1), (0, 1, 2), (0, 1, 3),
        (1, 0, 2), (1, 0, 3), (1, 1, 2)]
