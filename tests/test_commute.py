"""Whether the order of two effects matters is decided for every state, and shown where it does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from ruleproof.model.commute import (
    Body,
    Bound,
    Commutes,
    Differs,
    Region,
    Undecided,
    commute,
)
from ruleproof.model.core import (
    TRUE,
    Const,
    Expr,
    Fill,
    For,
    If,
    Let,
    Load,
    Local,
    Note,
    Pick,
    Stmt,
    Table,
)
from ruleproof.model.evaluate import Run, evaluate, execute
from ruleproof.model.footprint import footprint, reads_of
from ruleproof.model.interp import Interpreter
from ruleproof.model.machine import Machine, Param
from ruleproof.tests.symbolic_machines import (
    ARRAYS,
    TABLES,
    array,
    bodies,
    cards,
    clamp,
    integers,
    load,
    machine,
    node,
    op,
    store,
    truths,
    vectors,
    zone,
)

SMALL = (array("x", 0, 3, 0), array("y", -1, 1, 0), array("v", 0, 2, 0, 0, dims=(2,)))
GAME = machine(SMALL, node(0, "final"), tables={"t": (2, 0)})
LARGE = machine(ARRAYS, node(0, "final"), tables=TABLES)


def change(name: str, *index: int, by: int, low: int, high: int) -> Stmt:
    """Add to an element, as far as its range goes."""
    return store(name, *index, value=clamp(op(load(name, *index), "+", by), low, high))


def effect(draw: st.DrawFn) -> Stmt:
    """Draw one effect on the small machine."""
    value: list[Expr] = [
        Const(draw(st.integers(-1, 3))),
        load("x"),
        load("y"),
        load("v", load("y")),
        op(load("x"), "+", draw(st.integers(-2, 2))),
        op(load("v", 0), "-", load("v", 1)),
        Table("t", load("y")),
    ]
    left, right = draw(st.sampled_from(value)), draw(st.sampled_from(value))
    match draw(st.integers(0, 6)):
        case 0:
            return store("x", value=clamp(left, 0, 3))
        case 1:
            return store("y", value=clamp(left, -1, 1))
        case 2:
            return store("v", right, value=clamp(left, 0, 2))
        case 3:
            return Fill("v", (), "i", 2, clamp(op(left, "-", Local("i")), 0, 2))
        case 4:
            return If(op(left, "<", right), (effect(draw),), (effect(draw),))
        case 5:
            return For("j", 2, (store("v", Local("j"), value=clamp(left, 0, 2)),))
        case _:
            return If(op(left, "==", right), (Note(draw(st.integers(0, 1))),))


@st.composite
def effects(draw: st.DrawFn) -> Body:
    """Draw one or two effects on the small machine."""
    return tuple(effect(draw) for _ in range(draw(st.integers(1, 2))))


def both_orders(
    game: Machine, first: Body, second: Body, values: tuple[int, ...]
) -> tuple[tuple[list[int], list[int]], tuple[list[int], list[int]]]:
    """Run two bodies in both orders: the values and the set of notes of each."""
    shape = Interpreter(game).shape
    runs = []
    for order in ((first, second), (second, first)):
        run = Run(list(values))
        for body in order:
            execute(shape, run, body, {})
        runs.append((run.values, sorted(set(run.notes))))
    return runs[0], runs[1]


def in_region(region: Region, game: Machine, values: tuple[int, ...]) -> bool:
    """Say whether a state lies in a box."""
    shape = Interpreter(game).shape
    return all(
        bound.low
        <= evaluate(shape, values, Load(bound.name, tuple(map(Const, bound.index))), {})
        <= bound.high
        for bound in region
    )


def all_states(game: Machine) -> Iterator[tuple[int, ...]]:
    """List the state vectors in order."""
    ranges = [range(one.low, one.high + 1) for one in game.arrays for _ in range(one.size)]
    return product(*ranges)


@settings(max_examples=250)
@given(effects(), effects())
def test_the_verdict_is_that_of_trying_all_states(first: Body, second: Body) -> None:
    """Verdict, least witness and condition agree with brute force over all states."""
    differing = []
    for values in all_states(GAME):
        one, other = both_orders(GAME, first, second, values)
        if one != other:
            differing.append(values)
    verdict = commute(GAME, first, second, regions=40)

    if not differing:
        assert isinstance(verdict, Commutes)
        return
    assert isinstance(verdict, Differs)
    assert verdict.values == differing[0]
    covered = [
        values
        for values in all_states(GAME)
        if any(in_region(region, GAME, values) for region in verdict.when)
    ]
    assert set(covered) <= set(differing)
    assert verdict.exact == (covered == differing)


@settings(max_examples=100)
@given(bodies(), bodies(), vectors())
def test_a_proof_holds_in_any_state(first: Body, second: Body, values: tuple[int, ...]) -> None:
    """Bodies that are said to commute do so in a random state of a larger machine."""
    verdict = commute(LARGE, first, second, regions=1)
    one, other = both_orders(LARGE, first, second, values)

    assert not isinstance(verdict, Undecided)
    assert isinstance(verdict, Differs) or one == other


@settings(max_examples=300)
@given(bodies(), vectors(), vectors())
def test_a_footprint_is_large_enough(
    body: Body, values: tuple[int, ...], others: tuple[int, ...]
) -> None:
    """What a body does depends only on what it reads, and changes only what it writes."""
    judge = Interpreter(LARGE)
    print_ = footprint(body, judge.shape.arrays)
    places: dict[int, set[str]] = {}
    for sort, boxes in (("read", print_.reads), ("write", print_.writes)):
        for box in boxes:
            one = judge.shape.arrays[box.array]
            for index in product(*(range(low, high + 1) for low, high in box.ranges)):
                place = judge.shape.place(one, index)
                assert place is not None
                places.setdefault(place, set()).add(sort)
    run, mixed = Run(list(values)), list(others)
    for place in places:
        mixed[place] = values[place]
    again = Run(mixed.copy())
    execute(judge.shape, run, body, {})
    execute(judge.shape, again, body, {})

    assert run.notes == again.notes
    assert set(run.notes) <= print_.notes
    for place, sorts in places.items():
        assert run.values[place] == again.values[place]
        assert "write" in sorts or run.values[place] == values[place]
    outside = set(range(len(values))) - set(places)
    assert all(again.values[place] == others[place] for place in outside)


@settings(max_examples=100)
@given(truths(), vectors(), vectors())
def test_reads_are_all_reads(test: Expr, values: tuple[int, ...], others: tuple[int, ...]) -> None:
    """A condition depends only on what it is said to read."""
    shape = Interpreter(LARGE).shape
    mixed = list(others)
    for box in reads_of(test, shape.arrays):
        for index in product(*(range(low, high + 1) for low, high in box.ranges)):
            place = shape.place(shape.arrays[box.array], index)
            assert place is not None
            mixed[place] = values[place]

    assert evaluate(shape, mixed, test, {}) == evaluate(shape, values, test, {})


def test_what_does_not_touch_commutes() -> None:
    """Effects on different elements commute without asking the solver."""
    first = (change("v", 0, by=1, low=0, high=2),)
    second = (change("v", 1, by=1, low=0, high=2),)

    assert commute(GAME, first, second) == Commutes("footprint")


def test_an_index_in_a_loop_is_a_range() -> None:
    """A loop variable plus a constant names that range of places; the table and `x` are not met."""
    body = (
        For("i", 2, (store("v", op(Local("i"), "-", 1), value=Table("t", load("y"))),)),
        Let("z", load("y")),
    )

    assert commute(GAME, body, (change("v", 1, by=1, low=0, high=2),)) == Commutes("footprint")
    assert isinstance(commute(GAME, body, (change("v", 0, by=1, low=0, high=2),)), Differs)


def test_gains_commute_up_to_the_cap() -> None:
    """Gaining 1 and losing 1 differ only at the ends of the range."""
    gain = (change("x", by=1, low=0, high=3),)
    lose = (change("x", by=-1, low=0, high=3),)
    verdict = commute(GAME, gain, lose)

    assert isinstance(verdict, Differs)
    assert verdict.values == (0, -1, 0, 0)
    assert (verdict.first_then_second, verdict.second_then_first) == ((0, -1, 0, 0), (1, -1, 0, 0))
    assert verdict.places == (0,)
    assert verdict.when == ((Bound("x", (), 0, 0),), (Bound("x", (), 3, 3),))
    assert verdict.exact


def test_two_gains_commute_by_proof() -> None:
    """Two gains with the same cap commute, though both write the same element."""
    one = (change("x", by=1, low=0, high=3),)
    two = (change("x", by=2, low=0, high=3),)

    assert commute(GAME, one, two) == Commutes("solver")


def test_assumptions_may_decide() -> None:
    """Inside the range, a gain and a loss commute."""
    gain = (change("x", by=1, low=0, high=3),)
    lose = (change("x", by=-1, low=0, high=3),)
    inside = (op(load("x"), ">", 0), op(load("x"), "<", 3))

    assert commute(GAME, gain, lose, assume=inside) == Commutes("solver")
    only_top = commute(GAME, gain, lose, assume=inside[:1])
    assert isinstance(only_top, Differs)
    assert only_top.values == (3, -1, 0, 0)


def test_a_failed_obligation_is_a_difference() -> None:
    """Two orders that end alike still differ if a draw from nothing happens in one of them."""
    draw = (If(op(load("x"), "==", 0), (Note(5),), (change("x", by=-1, low=0, high=3),)),)
    fill = (store("x", value=2), store("x", value=0))
    verdict = commute(GAME, draw, fill)

    assert isinstance(verdict, Differs)
    assert verdict.places == ()
    assert verdict.obligations == (5,)


def test_parameters_are_shared() -> None:
    """Both bodies may refer to parameters, plain and bags; the witness names their values."""
    game = machine((zone("hand", 4, 1, 1, kinds=2), array("x", 0, 3, 0)), node(0, "final"))
    params = (
        Param("p", integers(0, 1), "p", TRUE),
        Param("b", cards(2), "b", TRUE, bag=True, var="k", most=load("hand", Local("k"))),
    )
    drop = (Fill("hand", (), "k", 2, op(load("hand", Local("k")), "-", Pick("b", Local("k")))),)
    look = (store("x", value=clamp(load("hand", Local("p")), 0, 3)),)
    verdict = commute(game, drop, look, params=params)

    assert isinstance(verdict, Differs)
    assert verdict.values == (0, 1, 0)
    assert verdict.args == (1, (0, 1))
    assert verdict.first_then_second == (0, 0, 0)
    assert verdict.second_then_first == (0, 0, 1)
    assert not commute(game, drop, look, params=params, regions=2).exact  # type: ignore[union-attr]


def test_giving_up_is_said() -> None:
    """A limit on work that is too low gives no verdict."""
    wide = tuple(array(name, 0, 10**6, 1) for name in "abc")
    game = machine(wide, node(0, "final"))
    one = (store("a", value=op(op(load("a"), "*", load("b")), "%", 999_983)),)
    two = (store("a", value=op(op(load("a"), "*", load("c")), "%", 999_979)),)

    assert isinstance(commute(game, one, two, rlimit=1000), Undecided)
