"""Generated code does what the reference interpreter does, on every state that we can think of."""

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleproof.checker.engine.program import Program
from ruleproof.checker.packed.flags import FILTERED
from ruleproof.model.machine.core import TRUE, Const, Expr, Fill, If, Local, Pick, Reduce, Store
from ruleproof.model.machine.machine import Edge, Machine
from ruleproof.model.machine.state import State
from ruleproof.model.run.evaluate import OutOfRangeError
from ruleproof.model.run.interp import EndlessRules, Interpreter, UncoveredRules
from ruleproof.model.source.errors import TooLongError, TooManyChoicesError
from ruleproof.tests.support.agreement import anywhere, compare
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.machines import (
    Builder,
    add,
    all_machines,
    bag,
    cards,
    ints,
    load,
    op,
    param,
    store,
)
from ruleproof.tests.support.programs import random_machine
from ruleproof.tests.support.walks import states_of

MACHINES = all_machines()
COUNTS = {
    "jugs": (16, 96),
    "tic-tac-toe": (5478, 16167),
    "nim": (232, 1356),
    "draws": (2166, 3798),
    "tight draws": (4392, 7716),
    "draws for three": (4941, 7425),
    "spiral": (64, 192),
    "endless spiral": (128, 448),
}


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("name", one_in(2, MACHINES))
def test_every_reachable_state_agrees(name: str, *, native: bool) -> None:
    """On the states of the shelf, moves, next states, flags and weights are the interpreter's."""
    if native:
        assert compare(MACHINES[name]) == COUNTS[name]
    else:
        assert compare(MACHINES[name], most=60, native=False)[0] > 0


@given(st.integers(0, 2**32), st.booleans())
def test_random_programs_agree(seed: int, native: bool) -> None:  # noqa: FBT001  (drawn)
    """So are they on random machines with random code."""
    random = Random(seed)  # noqa: S311  (no secrets here)
    machine = random_machine(random)
    also = [*anywhere(machine, random), *anywhere(machine, random)]
    compare(machine, most=25, also=also, native=native)


@given(st.integers(0, 2**32), st.booleans())
def test_one_compilation_serves_every_configuration(seed: int, native: bool) -> None:  # noqa: FBT001  (drawn)
    """What was compiled under one configuration agrees under all others, also with one order."""
    random = Random(seed)  # noqa: S311
    machine = random_machine(random)
    first = Program(machine, native=native)
    for on in product((0, 1), repeat=len(machine.features)):
        other = first.under(on)

        compare(other.machine, most=5, also=anywhere(machine, random), native=native, program=other)
        if other.engine is not None and first.engine is not None:
            assert other.engine.module is first.engine.module


def test_a_configuration_says_of_each_feature_whether_it_is_on() -> None:
    """Anything else is refused."""
    machine = random_machine(Random(1))  # noqa: S311
    for wrong in ((), (1, 0), (1, 0, 2)):
        with pytest.raises(ValueError, match="no configuration of 3 features"):
            machine.under(wrong)


@pytest.mark.parametrize("budget", [0, 30])
@pytest.mark.parametrize("name", ["tic-tac-toe", "draws"])
def test_short_code_agrees(name: str, budget: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folds and loops that are not written out mean the same."""
    for room in ("folds", "statements"):
        monkeypatch.setattr(f"ruleproof.checker.emitter.{room}.LONGEST_FOLD", budget)

    assert compare(MACHINES[name], most=500)[0] >= 500


@given(st.integers(0, 2**32))
def test_short_random_code_agrees(seed: int) -> None:
    """Random machines agree too when nothing is written out."""
    with pytest.MonkeyPatch.context() as patch:
        for room in ("folds", "statements"):
            patch.setattr(f"ruleproof.checker.emitter.{room}.LONGEST_FOLD", 0)
        random = Random(seed)  # noqa: S311
        machine = random_machine(random)
        compare(machine, most=10, also=anywhere(machine, random))


def test_no_text_of_a_spec_reaches_the_source() -> None:
    """Names of arrays, locals, clauses, nodes and labels stay out of generated code."""
    evil = "__import__('os')"
    game = Builder(evil)
    game.array(evil, (2,), high=3)
    game.node(evil, "open")
    game.edge(
        evil,
        evil,
        params=[param(evil, ints(0, 1), op("<", load(evil, Local(evil)), 3))],
        do=[add(evil, Local(evil), 1)],
        label=evil,
        clauses=[evil],
    )
    machine = game.machine()
    engine = Program(machine).engine
    assert engine is not None
    assert b"import" not in engine.compiled.code
    assert compare(machine) == (16, 24)


def out_of_range(value: int, *, row: bool) -> Machine:
    """Write a value that does not fit, as an element or in a row."""
    game = Builder("edges")
    game.array("n", high=9)
    game.array("a", (4,), high=5)
    game.node("turn", "open")
    big = op("+", load("n"), value)
    stmt = Fill("a", (), "i", 4, big) if row else store("a", 1, big)
    game.edge("turn", "turn", do=[stmt])
    return game.machine()


@pytest.mark.parametrize("native", [False, True])
@pytest.mark.parametrize("row", [False, True])
@pytest.mark.parametrize("value", [6, -10, 300])
def test_a_value_out_of_range_is_a_bug(value: int, *, row: bool, native: bool) -> None:
    """Values that an array cannot hold are refused by all engines."""
    machine = out_of_range(value, row=row)
    program = Program(machine, native=native)
    start = Interpreter(machine).start().state

    with pytest.raises(OutOfRangeError):
        program.succ(program.pack(start))


def test_wide_machines_have_a_head_of_two_bytes() -> None:
    """With more than 256 rests the first two bytes say which."""
    game = Builder("wide")
    for i in range(300):
        game.node(f"n{i}", "open")
    for i in range(300):
        game.edge(f"n{i}", f"n{(i + 7) % 300}")
        game.edge(f"n{i}", f"n{(i * 11) % 300}")

    assert compare(game.machine()) == compare(game.machine(), native=False) == (300, 600)


def test_ranges_beyond_32_bits_are_refused() -> None:
    """An element has at most four bytes."""
    game = Builder("wide")
    game.array("n", high=1 << 32)
    game.node("turn", "open")

    with pytest.raises(ValueError, match="`n` does not fit into 32 bits"):
        Program(game.machine())


@pytest.mark.parametrize("native", [False, True])
def test_long_runs_of_rules_end_or_are_given_up(
    monkeypatch: pytest.MonkeyPatch, *, native: bool,
) -> None:
    """A run of some thousand rules comes to its rest; one that is too long is no endless one."""
    monkeypatch.setattr("ruleproof.model.run.interp.LONGEST_RUN", 20_000)
    game = Builder("counter")
    game.array("n", high=1_000_000)
    game.array("top", high=1_000_000, start=0)
    game.node("turn", "open")
    game.node("count", "rules")
    game.edge("turn", "count", do=[store("n", 0), store("top", 3000)])
    game.edge("turn", "count", when=[op("==", load("top"), 3000)],
              do=[store("n", 0), store("top", 1_000_000)])
    game.edge("count", "turn", when=[op("==", load("n"), load("top"))])
    game.edge("count", "count", do=[add("n", 1)])
    machine = game.machine()
    program = Program(machine, native=native)
    (first,) = program.succ(program.start()[0])

    assert program.unpack(first[2] or b"") == State(0, (3000, 3000))
    with pytest.raises(TooLongError):
        program.succ(first[2] or b"")


def test_what_compiled_code_takes_at_once_is_each_a_step_of_the_interpreter() -> None:
    """A run of more edges than compiled code has steps ends in both engines, at the same rest."""
    game = Builder("long")
    game.array("n", high=40_000)
    game.node("turn", "open")
    for place in range(3):
        game.node(f"rule {place}", "rules")
    game.edge("turn", "rule 0", when=[op("==", load("n"), 0)])
    game.edge("rule 0", "turn", when=[op("==", load("n"), 40_000)])
    game.edge("rule 0", "rule 1")
    game.edge("rule 1", "rule 2")
    game.edge("rule 2", "rule 0", do=[add("n", 1)])

    assert compare(game.machine()) == compare(game.machine(), native=False) == (2, 1)


@pytest.mark.parametrize("native", [False, True])
def test_an_endless_setup_is_told(*, native: bool) -> None:
    """Rules that never come to a first rest raise the interpreter's error, with the cycle."""
    game = Builder("endless")
    game.node("loop", "rules")
    game.node("round", "rules")
    game.edge("loop", "round")
    game.edge("round", "loop")

    with pytest.raises(EndlessRules) as caught:
        Program(game.machine(), native=native).start()
    assert caught.value.cycle == ("loop", "round")


@pytest.mark.parametrize("native", [False, True])
def test_rules_that_cover_no_case_are_a_bug(*, native: bool) -> None:
    """Generated code refuses such rules as the interpreter does."""
    game = Builder("hole")
    game.array("n", high=3)
    game.node("rule", "rules")
    game.edge("rule", "rule", when=[op(">", load("n"), 1)])

    with pytest.raises(UncoveredRules, match="`rule`"):
        Program(game.machine(), native=native).start()


def first(index: Expr | int) -> Expr:
    """Count the cards of a kind in the bag of the tests below."""
    return Pick("bag", Const(index) if isinstance(index, int) else index)


def total(where: Expr = TRUE, *, times: Expr | int = 1) -> Expr:
    """Count the cards of some kinds in that bag, each so many times."""
    return Reduce("sum", "i", 3, where, op("*", times, first(Local("i"))))


@pytest.mark.parametrize(
    "where",
    [
        op("==", total(), 2),
        op("<", total(), load("n")),
        op(">", total(), load("n")),
        op(">=", load("n"), total()),
        op("<=", op("-", load("n"), total()), 1),
        op("==", op("+", op("*", 2, first(0)), first(2)), 3),
        op("<=", op("-", first(0), first(1)), 0),
        op("<=", op("*", first(0), first(1)), 1),
        op("<=", op("*", load("n"), first(1)), 1),
        op("<=", op("//", total(), 2), 1),
        op("<=", op("+", first(0), op("//", total(), 2)), 1),
        op("<=", total(op("!=", Local("i"), 1)), 1),
        op("<=", total(op("!=", Local("i"), load("n"))), 1),
        op("<=", total(times=load("n")), 4),
        op("<=", total(times=Local("i")), 2),
        op("<=", Reduce("sum", "i", 3, TRUE, op("+", first(Local("i")), load("n"))), 4),
        op("<=", Reduce("sum", "i", 3, TRUE, op("*", first(0), first(1))), 4),
        op("==", first(load("n")), 1),
        op("<=", op("-", total(), total()), 1),
        op("<=", load("n"), 1),
        op("==", first(7), 0),
    ],
    ids=range(21),
)
@pytest.mark.parametrize("row", one_in(2, [
    "plain", "of one", "of nobody", "signed", "shorter"]))
def test_restrictions_on_bags_agree(where: Expr, row: str) -> None:
    """However a bag is restricted and limited, all engines find the same ways to choose."""
    game = Builder("bags")
    game.array("n", high=2)
    game.array("hand", (2, 3), high=2, start=(1, 2, 0, 2, 1, 2))
    game.array("debt", (3,), low=-1, high=2, start=(0, 1, 2))
    game.node("turn", "open")
    most = {
        "plain": load("hand", 1, Local("kind")),
        "of one": load("hand", op("//", load("n"), 2), Local("kind")),
        "of nobody": load("hand", op("-", load("n"), 1), Local("kind")),
        "signed": load("debt", Local("kind")),
        "shorter": load("hand", Local("kind"), Local("kind")),
    }[row]
    chosen = bag("bag", cards("a", "b", "c"), most, where)
    game.edge("turn", "turn", params=[chosen], do=[store("n", op("%", total(), 3))])
    game.edge("turn", "turn", do=[store("n", op("%", op("+", load("n"), 1), 3))])

    assert compare(game.machine())[0] == compare(game.machine(), native=False)[0] == 3


def test_bags_with_too_many_choices_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """An enumeration that would not end in reasonable time is an error, not a wait."""
    monkeypatch.setattr("ruleproof.checker.engine.plain.MOST_CHOICES", 100)
    game = Builder("bags")
    game.node("turn", "open")
    game.edge("turn", "turn", params=[bag("bag", cards("a", "b", "c"), Const(9), TRUE)])
    program = Program(game.machine(), native=False)

    with pytest.raises(TooManyChoicesError, match="more than 100 ways"):
        program.succ(program.start()[0])


@pytest.mark.parametrize("name", MACHINES)
def test_coverage_is_that_of_the_interpreter(name: str) -> None:
    """Compiled code records what a run of the rules uses; also where they never come to rest."""
    found = []
    for native in (True, False):
        program = Program(MACHINES[name], native=native)
        made = program.covering()
        seen, todo = {program.start()[0]}, [program.start()[0]]
        while todo and len(seen) < 200:
            new = [each for _, _, each, flags in made.succ(todo.pop())
                   if each is not None and each not in seen and not flags & FILTERED]
            seen.update(new)
            todo += dict.fromkeys(new)
        found.append((len(seen), program.coverage(made.record)))

    assert found[0] == found[1]


@pytest.mark.parametrize("name", MACHINES)
def test_questions_are_answered_as_by_the_interpreter(name: str) -> None:
    """The value of a limit in a packed state is the same, compiled or not."""
    machine = MACHINES[name]
    compiled, plain = Program(machine), Program(machine, native=False)
    for limit in machine.limits:
        one, other = compiled.value(limit.test), plain.value(limit.test)
        for state in states_of(Interpreter(machine), most=40):
            packed = compiled.pack(state)
            assert one(packed) == other(packed)


def coverage_machine() -> Machine:
    """Make a machine with a dead branch, a dead edge, and clauses in all places."""
    game = Builder("covered")
    game.array("n", high=2)
    game.array("row", (2,), high=3)
    game.node("turn", "decide", by=Const(0))
    game.node("rule", "rules")
    game.edge(
        "turn",
        "rule",
        when=[op("<", load("n"), 2)],
        do=[
            add("n", 1),
            store("row", 0, 0),
            If(op(">", load("n"), 2), (store("n", 0),), (store("row", 1, 3),)),
            Fill("row", (), "i", 1, Const(0)),
        ],
        clauses=["step"],
    )
    game.edge("rule", "turn", when=[op("==", load("n"), 2)], clauses=["two"])
    game.edge("rule", "turn", clauses=["rest"])
    game.edge("turn", "turn", when=[op(">", load("n"), 2)], clauses=["never"])
    return game.machine()


@pytest.mark.parametrize("native", [False, True])
def test_coverage_tells_what_is_dead(*, native: bool) -> None:
    """A clause that is never applied shows, and an edge that is never taken."""
    program = Program(coverage_machine(), native=native)
    made = program.covering()
    todo = [program.start()[0]]
    while todo:
        todo += [each for _, _, each, _ in made.succ(todo.pop()) if each is not None]
    found = program.coverage(made.record)

    assert found.clauses == {"step", "two", "rest"}
    assert found.edges == {0, 1, 2}


@pytest.mark.parametrize("name", MACHINES)
def test_observed_slices_are_the_values(name: str) -> None:
    """An observer cuts out exactly the arrays asked for."""
    machine = MACHINES[name]
    program = Program(machine)
    names = [array.name for array in machine.arrays]
    whole, odd = program.observer(names), program.observer(names[::2])
    for state in states_of(Interpreter(machine), most=20):
        packed = program.pack(state)

        assert whole(packed) == packed[program.layout.head :]
        assert odd(packed) == b"".join(program.observer([n])(packed) for n in names[::2])
    assert program.observer([])(packed) == b""


def test_a_written_edge_is_named_by_its_number() -> None:
    """Moves carry the ids of edges, whatever the order in which a node lists them."""
    game = Builder("order")
    game.array("n", high=3)
    game.node("turn", "open")
    game.edge("turn", "turn", do=[store("n", 1)])
    game.edge("turn", "turn", do=[Store("n", (), Const(2))])
    machine = game.machine()
    node = machine.nodes[0]
    turned: tuple[Edge, ...] = tuple(reversed(node.edges))
    object.__setattr__(node, "edges", turned)

    for native in (False, True):
        assert [move[0] for move in Program(machine, native=native).succ(b"\0\0")] == [0, 1]


@pytest.mark.parametrize("name", MACHINES)
def test_who_decides_is_read_off_packed_states(name: str) -> None:
    """The seat that decides is the one that the interpreter names."""
    machine = MACHINES[name]
    program, judge = Program(machine), Interpreter(machine)
    for state in states_of(judge, most=60):
        by = judge.nodes[state.node].by
        if by is not None:
            assert program.value(by)(program.pack(state)) == judge.by(state)
