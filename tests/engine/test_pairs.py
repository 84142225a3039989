"""Two machines in lock-step: compiled code finds what Python finds, pair by pair, play by play."""

import time
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ruleproof.checker.bench.workbench import Workbench, side_by_side
from ruleproof.checker.comparison.equivalence import apart_in_play, runs_in_play, same_everywhere
from ruleproof.checker.comparison.lockstep import InPython, SideBySide
from ruleproof.checker.comparison.product import diverge
from ruleproof.checker.emitter.unit import UnsupportedError
from ruleproof.checker.engine.pairs import LockStep
from ruleproof.checker.engine.program import Program
from ruleproof.checker.packed.coverage import Covered
from ruleproof.checker.packed.flags import DUTIES, HIDDEN, LEGAL, PUBLIC, WINNER
from ruleproof.checker.search.playouts import Plays, covered, sample
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.settings import points_of
from ruleproof.model.machine.core import Note, Store
from ruleproof.model.machine.machine import Array, Edge, Machine
from ruleproof.model.run.evaluate import OutOfRangeError
from ruleproof.model.run.interp import EndlessRules, Interpreter, UncoveredRules
from ruleproof.model.source.errors import SpecErrors, UsageError
from ruleproof.model.stop import Stopped, stoppable
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.machines import all_machines, ints
from ruleproof.tests.support.programs import Writer, random_machine

MACHINES = all_machines()
BUNDLED = {"edition-wars": "tiny", "penguin-brawl": "tiny_opening",
           "penny-arcade-card-game": "tiny"}


def changed(machine: Machine, random: Random) -> Machine:
    """Change a machine a little: fewer moves, conditions, effects, limits; another order or start.

    Edges keep their labels, so most moves are still the same.
    """
    nodes, arrays = list(machine.nodes), list(machine.arrays)
    for _ in range(random.choice((1, 1, 2, 5))):
        where = random.choice([i for i, node in enumerate(nodes) if node.edges])
        node, edges = nodes[where], list(nodes[where].edges)
        at = random.randrange(len(edges))
        match random.randrange(6):
            case 0 if node.kind != "rules" and len(edges) > 1:
                edges.pop(at)
            case 1:
                edges[at] = replace(edges[at], conditions=edges[at].conditions[1:])
            case 2:
                edges[at] = _without(edges[at], random)
            case 3:
                machine = replace(machine, limits=machine.limits[1:])
            case 4 if node.kind != "rules":
                ids = sorted(edge.id for edge in edges)
                random.shuffle(edges)
                edges = [replace(edge, id=i) for edge, i in zip(edges, ids, strict=True)]
            case 5:
                i = random.randrange(len(arrays))
                array = arrays[i]
                arrays[i] = replace(array, start=tuple(
                    random.randint(array.low, array.high) for _ in array.start))
        nodes[where] = replace(node, edges=tuple(edges))
    return replace(machine, nodes=tuple(nodes), arrays=tuple(arrays))


def _without(edge: Edge, random: Random) -> Edge:
    """Leave out some effects of an edge."""
    return replace(edge, body=tuple(
        stmt for stmt in edge.body
        if not isinstance(stmt, Store | Note) or random.random() < 0.5))


def contested(machine: Machine, random: Random) -> Machine:
    """Say of a random machine who has won from the start on, and who decides where."""
    winners = Array("winners", (2,), 0, 1, (random.randrange(2), random.randrange(2)), ints(0, 1))
    writer = Writer(random, [*machine.arrays])
    nodes = tuple(replace(node, by=writer.expr((), (), 2)) if node.kind == "decide" else node
                  for node in machine.nodes)
    return replace(machine, arrays=(*machine.arrays, winners), nodes=nodes)


def rests(machine: Machine) -> bool:
    """Return whether the setup of a machine comes to a rest."""
    try:
        Interpreter(machine).start()
    except EndlessRules:
        return False
    return True


@given(st.integers(0, 2**32))
def test_what_random_plays_cover_is_what_they_use(seed: int) -> None:
    """Law: it is as in the interpreter, whatever was played before without being recorded."""
    machine = contested(random_machine(Random(seed)), Random(seed))  # noqa: S311  (no secrets)
    if not rests(machine):
        return
    found: list[Covered] = []
    for native in (True, False):
        program = Program(machine, native=native)
        sample(program, plays=Plays(3, 12), seed=1)
        found.append(covered(program, plays=Plays(6, 8), seed=7))

    assert found[0] == found[1]


def shown(both: SideBySide, pairs: LockStep | InPython, *, most: int, plays: int) -> list[Any]:
    """Return everything that is found of a pair of machines."""
    pairs.add(both.start())
    steps: list[Any] = []
    before: dict[int, int] | None = None
    while pairs.levels() != before:
        before = pairs.levels()
        pairs.advance(1 << 30, most)
        steps.append((pairs.compared, pairs.found, pairs.levels()))
    rows = [(pairs.pair(number), pairs.parent(number)) for number in range(pairs.found)][:most]
    return [steps, rows, pairs.cut, pairs.situations(), pairs.situations(parted=True),
            pairs.play(seed=3, plays=plays, longest=30),
            pairs.twins(seed=3, plays=plays, longest=30)]


def agree(first: Program, second: Program, *, duties: bool, most: int = 200,
          plays: int = 30) -> set[int]:
    """Hold compiled code against Python; return the levels at which the machines differ."""
    both = SideBySide(first, second, duties=duties)
    assert isinstance(both.pairs, LockStep)
    plain = InPython(both)
    try:
        found = shown(both, plain, most=most, plays=plays)
    except (OutOfRangeError, UncoveredRules):  # a change that cannot be played
        return set()

    assert shown(both, both.pairs, most=most, plays=plays) == found
    for number in plain.levels().values():
        assert len(both.way(number)) == depth(plain, number)
    return set(plain.levels())


def depth(pairs: InPython, number: int) -> int:
    """Count the moves to a pair."""
    return 1 + depth(pairs, pairs.parent(number)) if number else 0


@pytest.mark.parametrize("duties", [False, True])
@pytest.mark.parametrize("name", one_in(4, MACHINES))
def test_a_machine_is_like_itself(name: str, *, duties: bool) -> None:
    """No pair, play or twin tells a machine from itself."""
    program = Program(MACHINES[name])

    assert agree(program, program, duties=duties) == set()


@pytest.mark.parametrize("name", one_in(4, MACHINES))
def test_small_games_are_compared_the_same(name: str) -> None:
    """Law: pairs, parents, levels and plays are the same in compiled code and in Python."""
    random, found = Random(name), set[int]()  # noqa: S311  (no secrets here)
    program = Program(MACHINES[name])
    for number in range(6):
        other = changed(MACHINES[name], random)
        if rests(other):
            found |= agree(program, Program(other), duties=number % 2 == 0)

    assert found


@given(seed=st.integers(0, 2**32), duties=st.booleans())
def test_random_machines_are_compared_the_same(seed: int, *, duties: bool) -> None:
    """Law: the same for random machines, with limits, chance, dead ends and endless rules."""
    random = Random(seed)  # noqa: S311  (same)
    machine = contested(random_machine(random), random)
    other = changed(machine, random)
    if rests(machine) and rests(other):
        agree(Program(machine), Program(other), duties=duties)


@given(seed=st.integers(0, 2**32))
def test_configurations_of_one_compilation_are_compared_the_same(seed: int) -> None:
    """Law: the same for two configurations of one machine, which run the same compiled code."""
    machine = random_machine(Random(seed))  # noqa: S311  (same)
    other = machine.under((1,) * len(machine.features))
    if rests(machine) and rests(other):
        program = Program(machine)
        agree(program, program.under(other.configuration), duties=True)


@pytest.mark.campaign
@pytest.mark.parametrize("game", BUNDLED)
def test_bundled_games_are_compared_the_same(game: str) -> None:
    """Law: the same for bundled games, without one clause after the other."""
    bench = Workbench(game, Settings())
    one = bench.instance(BUNDLED[game])
    names = [c.id for c in one.game.clauses if c.in_force and c.do is not None][::6]
    found: set[int] = set()
    for name in names[:60]:
        other = bench.instance(BUNDLED[game], changes=({"drop": [name]},))
        found |= agree(one.program, other.program, duties=False, most=30, plays=1)

    assert found & {WINNER, LEGAL, PUBLIC, HIDDEN}


@pytest.mark.campaign
def test_readings_of_one_family_are_compared_the_same() -> None:
    """Law: one machine plays for both until they are told apart, and both do as two would.

    What it does alone is kept, and of a play that asks for nothing that differs nothing is played.
    """
    bench = Workbench("edition-wars", Settings())
    one = bench.instance("tiny")
    declared = points_of(bench.sections.root).declared
    bench.relate([{point: reading} for point in declared for reading in declared[point]])
    parted: list[SideBySide] = []
    alike: list[SideBySide] = []
    for point, readings in declared.items():
        for reading in readings:
            with suppress(SpecErrors, UsageError):
                other = bench.instance("tiny", rulings={point: reading})
                both = SideBySide(*(each.whole for each in side_by_side(one, other)), duties=True)
                both.start()
                if isinstance(both.pairs, LockStep) and both.pairs.made.one_code:
                    went = both.pairs.twins(seed=3, plays=8, longest=200).went
                    parted += [both] * (went > 0)
                    alike += [both] * (went < 8)

    assert parted
    assert alike
    for both in (*parted[:3], *alike[:3]):
        compiled, plain = both.pairs, InPython(both)
        assert compiled.play(seed=3, plays=8, longest=60) == plain.play(
            seed=3, plays=8, longest=60)
        assert compiled.twins(seed=3, plays=8, longest=200) == plain.twins(
            seed=3, plays=8, longest=200)


def test_each_level_is_seen() -> None:
    """Who has won, moves, what is seen and what fails are told apart in the small games."""
    found: set[int] = set()
    for name in ("draws", "tight draws", "nim", "jugs"):
        random = Random(name)  # noqa: S311  (same)
        others = [changed(MACHINES[name], random) for _ in range(12)]
        for other in filter(rests, others):
            found |= agree(Program(MACHINES[name]), Program(other), duties=True, most=100, plays=1)

    assert found >= {WINNER, LEGAL, PUBLIC, DUTIES}


def test_what_interpreted_machines_show_is_the_same() -> None:
    """Nothing depends on whether the machines are compiled."""
    machine = MACHINES["draws"]
    other = changed(machine, Random(5))  # noqa: S311  (same)
    facts = []
    for native in (True, False):
        one, two = Program(machine, native=native), Program(other, native=native)
        facts.append((diverge(one, two, limit=90, stop_at=0), same_everywhere(one, two, limit=90),
                      apart_in_play(one, two, seed=1, plays=Plays(20, 20)),
                      runs_in_play(one, "a clause that is not there", seed=1, plays=Plays(3))))

    assert facts[0] == facts[1]


def test_more_plays_show_a_difference_sooner() -> None:
    """Of the plays that tell two machines apart the shortest is shown, also if it came later."""
    machine = MACHINES["nim"]
    lengths: list[list[int]] = []
    for seed in range(25):
        other = changed(machine, Random(seed))  # noqa: S311  (same)
        if not rests(other):
            continue
        both = SideBySide(Program(machine), Program(other))
        both.start()
        found = [both.pairs.play(seed=2, plays=plays, longest=30) for plays in (1, 4, 50)]
        lengths.append([31 if each is None else len(each) for each in found])

    assert all(each == sorted(each, reverse=True) for each in lengths)
    assert any(each[0] > each[2] > 0 for each in lengths)


def test_where_address_space_is_short_pairs_are_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """A comparison that gets no memories of its own is made in Python."""
    program, other = Program(MACHINES["nim"]), Program(MACHINES["nim"])
    wanted = diverge(program, other, stop_at=0)
    program.succ(program.start()[0])
    other.succ(other.start()[0])

    def full(*_: object, **__: object) -> None:
        raise UnsupportedError("there is no room")

    monkeypatch.setattr("ruleproof.checker.engine.engine.Running", full)
    both = SideBySide(program, other)

    assert isinstance(both.pairs, InPython)
    assert diverge(program, other, stop_at=0) == wanted


def test_a_comparison_stops_in_time() -> None:
    """A product of millions of pairs ends soon after its time is up."""
    bench = Workbench("edition-wars", Settings())
    program = bench.instance("printed").program
    program.succ(program.start()[0])
    started = time.monotonic()

    with pytest.raises(Stopped), stoppable(started + 1):
        diverge(program, program, limit=10_000_000)
    assert time.monotonic() - started < 3
