"""What is called an invariant holds in every reachable state, and nothing provable is missed."""

from __future__ import annotations

import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleproof.model.machine.core import TRUE, Binary, Const, Expr, Load, Local, Note, Reduce, Stmt
from ruleproof.model.machine.machine import Array, Domain, Edge, Machine, NodeKind
from ruleproof.model.machine.state import Arg, Move, State
from ruleproof.model.proof.candidates import Candidate, candidates
from ruleproof.model.proof.invariants import (
    Invariants,
    NotInductive,
    Proved,
    Prover,
    Undecided,
)
from ruleproof.model.run.evaluate import evaluate, execute
from ruleproof.model.run.interp import Interpreter
from ruleproof.model.run.shape import Execution
from ruleproof.model.solver.solving import SolverLimit
from ruleproof.tests.support.drawn import many
from ruleproof.tests.support.machines import all_machines
from ruleproof.tests.support.symbolic_machines import (
    ARRAYS,
    TABLES,
    array,
    bodies,
    card_game,
    cards,
    clamp,
    edge,
    load,
    machine,
    node,
    op,
    store,
    truths,
    zone,
)

Z3 = Path(sys.executable).parent / "z3"


def successors(judge: Interpreter, state: State) -> Iterable[State]:
    """Take every edge by itself: also those of rules nodes, and whatever the limits say."""
    source = judge.nodes[state.node]
    for taken in source.edges:
        args: tuple[Arg, ...]
        for args in judge.arguments(state, taken):
            if judge.failing(state, taken, args):
                continue
            if source.kind == "chance" and judge.weight(state, Move(taken.id, args)) <= 0:
                continue
            run = Execution(list(state.values))
            execute(judge.shape, run, taken.body, judge.names(taken, args))
            yield State(taken.target, tuple(run.values))
            if source.kind == "rules":
                return


def reachable(game: Machine, *, most: int) -> list[State]:
    """List the first reachable states, breadth first, those at rules nodes included."""
    judge = Interpreter(game)
    first = State(game.start, game.start_values)
    found, queue = {first: None}, deque([first])
    while queue and len(found) < most:
        for state in successors(judge, queue.popleft()):
            if state not in found:
                found[state] = None
                queue.append(state)
    return list(found)


def size(name: str, kinds: int, *row: int) -> Expr:
    """Count the cards in a row of a zone."""
    index = tuple(map(Const, row))
    return Reduce("sum", "z", kinds, TRUE, Load(name, (*index, Local("z"))))


# --------------------------------------------------------------------------- random machines


KINDS: tuple[NodeKind, ...] = ("decide", "open", "chance")


@st.composite
def machines(draw: st.DrawFn, arrays: tuple[Array, ...], parts: st.SearchStrategy[Edge]) -> Machine:
    """Draw a machine of three nodes."""
    edges: list[list[Edge]] = [[], [], []]
    for number in range(draw(st.integers(1, 5))):
        one = draw(parts)
        edges[one.source].append(
            Edge(number, one.source, one.target, "", (), one.conditions, one.body)
        )
    kinds = [draw(st.sampled_from(KINDS)) for _ in edges]
    nodes = [node(i, kind, *some) for i, (kind, some) in enumerate(zip(kinds, edges, strict=True))]
    return machine(arrays, *nodes, tables=TABLES)


LARGE_EDGES = st.builds(
    lambda source, target, body, when: edge(0, source, target, *body, when=when),
    st.integers(0, 2),
    st.integers(0, 2),
    bodies(depth=1),
    st.lists(truths(depth=1), max_size=1).map(tuple),
)


@many(0.6)
@given(machines(ARRAYS, LARGE_EDGES))
def test_invariants_hold_wherever_play_gets(game: Machine) -> None:
    """What is left of the guesses holds in every state that can be reached."""
    found = Prover(game).infer()
    shape = Interpreter(game).shape

    for state in reachable(game, most=200):
        for one in found.at[state.node]:
            assert evaluate(shape, state.values, one.test, {}), one.name


SMALL = (array("x", 0, 3, 0), array("y", -1, 1, 0), array("v", 0, 1, 0, 1, dims=(2,)))


@st.composite
def small_conditions(draw: st.DrawFn) -> Expr:
    """Draw a condition on the small machine."""
    parts: list[Expr] = [load("x"), load("y"), load("v", 0), load("v", load("y")), Const(1)]
    left = draw(st.sampled_from(parts))
    right = draw(st.sampled_from([*parts, Const(0), Const(2), op(load("x"), "-", 1)]))
    return Binary(draw(st.sampled_from(["==", "!=", "<=", "<", ">="])), left, right)


@st.composite
def small_stores(draw: st.DrawFn) -> Stmt:
    """Draw an effect on the small machine."""
    values: list[Expr] = [Const(1), load("y"), op(load("x"), "+", 1), op(load("x"), "-", load("y"))]
    value = draw(st.sampled_from(values))
    match draw(st.integers(0, 2)):
        case 0:
            return store("x", value=clamp(value, 0, 3))
        case 1:
            return store("y", value=clamp(value, -1, 1))
        case _:
            return store("v", load("y"), value=clamp(value, 0, 1))


SMALL_EDGES = st.builds(
    lambda source, target, body, when: edge(0, source, target, *body, when=when),
    st.integers(0, 2),
    st.integers(0, 2),
    st.lists(small_stores(), max_size=2),
    st.lists(small_conditions(), max_size=2).map(tuple),
)


def tried(game: Machine, guesses: Sequence[Candidate]) -> dict[int, set[Expr]]:
    """Find the largest inductive set of candidates by trying all states."""
    judge = Interpreter(game)
    every = list(product(*(range(a.low, a.high + 1) for a in game.arrays for _ in range(a.size))))
    start = game.start_values

    def holds(test: Expr, values: tuple[int, ...]) -> bool:
        return evaluate(judge.shape, values, test, {}) != 0

    left: dict[int, set[Expr] | None] = {one.id: None for one in game.nodes}
    left[game.start] = {one.test for one in guesses if holds(one.test, start)}
    again = True
    while again:
        again = False
        for source, values in product(list(left), every):
            known = left[source]
            if known is None or not all(holds(test, values) for test in known):
                continue
            for state in successors(judge, State(source, values)):
                before = left[state.node]
                tests = {one.test for one in guesses} if before is None else before
                after = {test for test in tests if holds(test, state.values)}
                again = again or after != before
                left[state.node] = after
    return {number: tests for number, tests in left.items() if tests is not None}


@many(2)
@given(machines(SMALL, SMALL_EDGES), st.lists(small_conditions(), max_size=8))
def test_nothing_that_can_be_proved_is_missed(game: Machine, tests: list[Expr]) -> None:
    """The result is the largest set that is inductive, as found by trying all states."""
    guesses = [Candidate(str(number), test) for number, test in enumerate(tests)]
    found = Prover(game).infer(guesses)

    assert {number: {one.test for one in at} for number, at in found.at.items()} == tried(
        game, guesses
    )


@pytest.mark.parametrize("name", sorted(all_machines()))
def test_the_shelf_of_machines(name: str) -> None:
    """On machines made by hand, what is left of the guesses holds in the states of play."""
    game = all_machines()[name]
    states = reachable(game, most=150)
    found = Prover(game).infer()
    shape = Interpreter(game).shape

    for state in states:
        for one in found.at[state.node]:
            assert evaluate(shape, state.values, one.test, {}), one.name


# --------------------------------------------------------------------------- a card game

GAME = card_game()


@cache
def prover() -> Prover:
    """Make what proves things of the game, once."""
    return Prover(GAME)


@cache
def inferred() -> Invariants:
    """Infer what holds in the game, once."""
    return prover().infer()


@cache
def names_at() -> dict[int, set[str]]:
    """Name what holds, by node."""
    return {number: {one.name for one in at} for number, at in inferred().at.items()}


def test_cards_are_conserved() -> None:
    """Each kind keeps its number of cards, at every node."""
    for names in names_at().values():
        assert {f"the `kind {kind}` in all zones are 2" for kind in range(3)} <= names


def test_what_holds_at_one_node_only_is_found_there() -> None:
    """Before the first edge a variable is at its start value; after it, at another."""
    assert "`left` is 0" in names_at()[0]
    assert all("`left` is 2" in names_at()[number] for number in range(1, 7))
    assert "`lead` is not empty" not in names_at()[0]


def test_a_guard_bounds_a_hand() -> None:
    """Nobody draws with five cards in hand, so nobody ever has six."""
    assert "the size of `hand[1]` is at most 5" in names_at()[2]
    assert "the size of `hand[1]` is at most 4" not in names_at()[2]
    assert prover().prove(inferred(), 2, op(size("hand", 3, 1), "<=", 5)) == Proved(
        ("the size of `hand[1]` is at most 5",)
    )


def test_a_counterexample_satisfies_the_invariants() -> None:
    """What does not follow is answered by a state that the invariants allow."""
    claim = op(size("hand", 3, 1), "<=", 4)
    found = Prover(GAME).prove(inferred(), 2, claim)

    assert isinstance(found, NotInductive)
    assert found.move is None
    shape = Interpreter(GAME).shape
    assert not evaluate(shape, found.state.values, claim, {})
    assert all(evaluate(shape, found.state.values, one.test, {}) for one in inferred().at[2])


def test_an_obligation_never_fails() -> None:
    """`lead` is somebody from the first edge on, so it is never used while it is nobody."""
    assert prover().prove_obligation(inferred(), 1) == Proved(("`lead` is not empty",))
    assert isinstance(prover().prove_obligation(Invariants({2: ()}), 1), NotInductive)


def test_an_obligation_may_fail() -> None:
    """All cards may lie on the table: then somebody draws from nothing, and Z3 shows the state."""
    found = prover().prove_obligation(inferred(), 0)

    assert isinstance(found, NotInductive)
    assert found.move == Move(2)


def test_an_obligation_that_nobody_has_never_fails() -> None:
    """What is noted nowhere, or only where play never gets, is proved without invariants."""
    assert prover().prove_obligation(inferred(), 7) == Proved(())
    assert prover().prove_obligation(Invariants({}), 0) == Proved(())
    assert prover().prove(Invariants({}), 2, Const(0)) == Proved(())


def test_stores_stay_in_their_ranges() -> None:
    """Clamped stores need no proof; an unclamped one is proved, or shown to leave its range."""
    assert prover().prove_ranges(inferred()) == Proved(())
    up = edge(1, 0, 0, store("x", value=op(load("x"), "+", 1)), when=(op(load("x"), "<", 3),))
    guarded = machine(SMALL, node(0, "decide", up))
    assert Prover(guarded).prove_ranges(Prover(guarded).infer()) == Proved(())
    free = machine(SMALL, node(0, "decide", edge(1, 0, 0, *up.body)))
    found = Prover(free).prove_ranges(Prover(free).infer())
    assert isinstance(found, NotInductive)
    assert (found.state.values[0], found.move) == (3, Move(1))


def test_a_node_behind_a_closed_edge_is_not_reached() -> None:
    """A node to which every edge is closed by the invariants is left out."""
    never = edge(2, 0, 1, when=(op(load("y"), "==", -1),))
    game = machine(
        SMALL,
        node(0, "decide", edge(1, 0, 0, store("x", value=2)), never),
        node(1, "decide", edge(3, 1, 0, store("y", value=-1), Note(0))),
        obligations=1,
    )
    prover = Prover(game)
    found = prover.infer()

    assert set(found.at) == {0}
    assert prover.prove_obligation(found, 0) == Proved(())
    assert_checked(prover.certificate(found, prover.obligation_claims(0)))


def test_a_candidate_that_falls_late_takes_others_with_it() -> None:
    """When a fact at one node falls, what was proved from it elsewhere is asked again."""
    game = machine(
        SMALL,
        node(0, "decide", edge(1, 0, 1, store("y", value=load("v", 0)))),
        node(1, "decide", edge(2, 1, 2, store("x", value=clamp(load("y"), 0, 3)))),
        node(2, "decide", edge(3, 2, 0, store("v", 0, value=1))),
    )
    names = {number: {one.name for one in at} for number, at in Prover(game).infer().at.items()}

    assert "`x` is at most 1" in names[2]
    assert "`x` is 0" not in names[2]
    assert "`x` is 0" not in names[0]
    assert "`y` is 0" not in names[1]


def test_giving_up_is_said() -> None:
    """With too little patience candidates are dropped, and nothing is claimed to be proved."""
    wide = tuple(array(name, 0, 10**6, 1) for name in "abc")
    mixed = op(op(op(load("a"), "*", load("b")), "*", load("c")), "%", 999_983)
    game = machine(wide, node(0, "decide", edge(4, 0, 0, store("a", value=mixed))))
    guess = Candidate("a is not five", op(load("a"), "!=", 5))

    found = Prover(game, rlimit=100).infer([guess])
    assert found == Invariants({0: ()})
    hard = op(op(load("a"), "*", load("b")), "!=", 7919 * 7907)
    assert isinstance(Prover(game, rlimit=100).prove(found, 0, hard), Undecided)


# --------------------------------------------------------------------------- certificates


def assert_checked(text: str) -> None:
    """Let another process read a certificate: each of its questions must be answered unsat."""
    if not Z3.exists():
        pytest.skip("no solver at the command line")
    ran = subprocess.run(  # noqa: S603  (our own solver, our own text)
        [str(Z3), "-in"], input=text, capture_output=True, text=True, check=True, timeout=60
    )

    assert ran.stdout.split() == ["unsat"] * text.count("(check-sat)")


def test_a_proof_can_be_checked_elsewhere() -> None:
    """The text of a proof is read by a solver of its own, which agrees at every step."""
    text = prover().certificate(
        inferred(), prover().claims([2], op(size("hand", 3, 1), "<=", 5), "five\nat most")
    )

    assert text.count("(check-sat)") == 12
    assert "; the claim five at most\n" in text
    assert_checked(text)
    assert_checked(prover().certificate(inferred(), prover().obligation_claims(1)))


def test_a_certificate_holds_only_what_it_takes() -> None:
    """The proof about `lead` does not speak of cards in the deck."""
    text = prover().certificate(inferred(), prover().obligation_claims(1))
    claims = [line for line in text.splitlines() if "lead.0" in line]

    assert any("lead.0 (- 1)" in line or "lead.0 0" in line for line in claims)
    assert "; edge 1\n" in text


def test_an_edge_to_its_own_node_may_take_more_facts_there() -> None:
    """What is passed along a chain, round after round, takes a fact for each of its links."""
    links = tuple(array(name, 0, 3, 0) for name in "abcd")
    chain = [store(one, value=load(two)) for one, two in ("ab", "bc", "cd")]
    prover = Prover(machine(links, node(0, "decide", edge(1, 0, 0, *chain))))
    found = prover.infer([Candidate(f"{one} is 0", op(load(one), "==", 0)) for one in "abcd"])

    assert len(found.at[0]) == 4
    assert_checked(prover.certificate(found, prover.claims([0], op(load("a"), "==", 0))))


@pytest.mark.parametrize("name", all_machines())
def test_every_invariant_can_be_checked_elsewhere(name: str) -> None:
    """For each machine of the shelf there is a text of all that was found."""
    game = all_machines()[name]
    prover = Prover(game)
    guesses = candidates(game)[:40]
    found = prover.infer(guesses)
    claims = [claim for node, facts in found.at.items() for one in facts
              for claim in prover.claims([node], one.test, one.name)]

    assert_checked(prover.certificate(found, claims))


def test_there_is_no_certificate_of_what_is_not_proved() -> None:
    """Instead of a text that would not check, there is an error."""
    with pytest.raises(SolverLimit):
        prover().certificate(inferred(), prover().claims([2], op(size("hand", 3, 1), "<=", 4)))


# --------------------------------------------------------------------------- candidates


def test_guesses_come_from_the_machine() -> None:
    """Constants that the machine compares with or stores, and their neighbours, are tried."""
    only = edge(1, 0, 0, store("x", value=2), when=(op(load("y"), "<", 1),))
    limit = op(load("v", 1), "<=", 0)
    names = {
        one.name for one in candidates(machine(SMALL, node(0, "decide", only), limits=(limit,)))
    }

    assert {"the limit of `c`", "`x` is 2", "`x` is at most 1", "`y` is at least 1"} <= names
    assert {"`v[1]` is 0", "`y` is not empty"} <= names
    assert "`x` is at most 3" not in names


def test_a_card_on_its_way_is_counted() -> None:
    """With a card in a variable of its family, the total is kept with the variable included."""
    kinds = cards(2)
    held = Array("held", (), -1, 1, (-1,), Domain(kinds.kind, -1, 1), declared=False)
    arrays = (zone("deck", 2, 2, 1, kinds=2), held)
    lift = edge(
        1,
        0,
        1,
        store("deck", 0, value=op(load("deck", 0), "-", 1)),
        store("held", value=0),
        when=(op(load("deck", 0), ">", 0),),
    )
    back = edge(
        2,
        1,
        0,
        store("deck", 0, value=op(load("deck", 0), "+", 1)),
        store("held", value=-1),
    )
    game = machine(arrays, node(0, "decide", lift), node(1, "decide", back))
    found = Prover(game).infer()
    names = {number: {one.name for one in at} for number, at in found.at.items()}

    assert "the `kind 0` in all zones are 2" in names[0]
    assert "the `kind 0` in all zones are at most 2" in names[1]
    assert "the `kind 0` in all zones and in `held` are 2" in names[1]
    assert isinstance(Prover(game).prove_ranges(found), Proved)


@pytest.mark.parametrize("kinds", [5, pytest.param(24, marks=pytest.mark.campaign)])
def test_a_large_game_is_no_trouble(kinds: int) -> None:
    """With many kinds (of 24, 247 elements), four players, hands stay bounded, cards conserved."""
    game = card_game(kinds, 3, 4)
    large = Prover(game)
    found = large.infer()

    assert isinstance(large.prove(found, 2, op(size("hand", kinds, 3), "<=", 5)), Proved)
    assert isinstance(large.prove_obligation(found, 1), Proved)
