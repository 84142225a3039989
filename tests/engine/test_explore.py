"""Exploration finds each state once, says honestly how far it came, and goes on where it was."""

import errno
import os
import signal
import threading
from itertools import pairwise
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

from ruleproof.checker.audit.scoped import explored
from ruleproof.checker.drivers.folding import folding_of, turned
from ruleproof.checker.drivers.tree import balanced, by_change
from ruleproof.checker.emitter.unit import UnsupportedError
from ruleproof.checker.engine.program import Program
from ruleproof.checker.packed.packing import layout_of
from ruleproof.checker.search.checkpoint import CheckpointError
from ruleproof.checker.search.explore import Exploration, Progress, Result, resume
from ruleproof.checker.search.frontier import RESHAPED, CompiledFrontier, PythonFrontier
from ruleproof.checker.search.perft import perft
from ruleproof.model.machine.core import Const, Note
from ruleproof.model.machine.machine import Machine
from ruleproof.model.machine.state import Transition
from ruleproof.model.run.interp import EndlessRules, Interpreter
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.games import compiled, loaded, often
from ruleproof.tests.support.machines import (
    Builder,
    add,
    all_machines,
    jugs,
    load,
    op,
    spiral,
    store,
    tic_tac_toe,
)
from ruleproof.tests.support.programs import random_machine

MACHINES = all_machines()


def explore(machine: Machine, *, cover: bool = False) -> tuple[Exploration, Result]:
    """Explore to the end."""
    run = Exploration(Program(machine), cover=cover)
    return run, run.run()


def both(machine: Machine, *, cover: bool, most: int | None = None) -> None:
    """Explore with generated Python and with compiled code, and compare all there is."""
    runs = [Exploration(Program(machine, native=native), cover=cover) for native in (False, True)]
    assert isinstance(runs[0].found, PythonFrontier)
    assert isinstance(runs[1].found, CompiledFrontier)
    one, two = (run.run(max_states=most) for run in runs)

    assert one == two
    assert list(runs[0].order) == list(runs[1].order)
    assert runs[0].parents == runs[1].parents


@pytest.mark.parametrize("cover", [pytest.param(False, marks=pytest.mark.campaign), True])
@pytest.mark.parametrize("name", one_in(2, MACHINES))
def test_compiled_exploration_is_the_same(name: str, *, cover: bool) -> None:
    """Compiled code finds the same states in the same order, the same counts and witnesses."""
    both(MACHINES[name], cover=cover)


@given(st.integers(0, 2**32))
def test_random_machines_are_explored_the_same(seed: int) -> None:
    """So it does on random machines, also where a limit on the states stops it."""
    machine = random_machine(Random(seed))  # noqa: S311  (no secrets here)
    try:
        Program(machine).start()
    except EndlessRules:
        return
    both(machine, cover=bool(seed % 2), most=300)


@pytest.mark.slow
@pytest.mark.parametrize("game", often("penny-arcade-card-game"))
def test_bundled_games_are_explored_the_same(game: str) -> None:
    """So are the first states of bundled games at their smallest and at their printed size."""
    for scope in (next(iter(loaded(game).scopes)), "printed"):
        machine = compiled(game, scope).machine
        both(machine, cover=scope != "printed", most=200)


def test_many_states_are_told_apart() -> None:
    """The table of states grows many times over and neither loses nor doubles one."""
    game = Builder("count")
    game.array("n", (3,), high=59)
    game.node("turn", "open")
    for i in range(3):
        game.edge("turn", "turn", when=[op("<", load("n", i), 59)], do=[add("n", i, 1)])
    run = Exploration(Program(game.machine()))

    assert run.run().states == 60**3
    assert len(set(run.order)) == 60**3
    assert isinstance(run.found, CompiledFrontier)
    search = run.found.search
    assert [search.find(run.order[i]) for i in (0, 1, 777, 60**3 - 1)] == [0, 1, 777, 60**3 - 1]


@pytest.mark.parametrize("size", [8, 40, 264])
def test_long_states_are_told_apart(size: int) -> None:
    """So do states of many words, of which few change, also when the tree of them is made anew."""
    game = Builder("few-change")
    game.array("n", (size,), high=255)
    game.node("turn", "open")
    places = (0, size // 2, size - 1)
    for i in places:
        game.edge("turn", "turn", when=[op("<", load("n", i), 21)], do=[add("n", i, 1)])
    run = Exploration(Program(game.machine()))
    states = run.run().states
    counts = [tuple(run.state(number).values[i] for i in places) for number in range(states)]
    assert isinstance(run.found, CompiledFrontier)
    search = run.found.search

    assert states == 22**3 > RESHAPED
    assert len(set(counts)) == states
    assert all(not any(value for i, value in enumerate(run.state(number).values)
                       if i not in places) for number in range(0, states, 1000))
    assert [search.find(run.order[i]) for i in (0, 1, states - 1)] == [0, 1, states - 1]
    assert all(len(run.path(number)) == sum(counts[number]) for number in range(0, states, 1000))


@given(st.lists(st.integers(0, 99), min_size=2, max_size=40))
def test_each_node_of_a_tree_has_a_place_of_its_own(changes: list[int]) -> None:
    """Nodes come before the node that they are below, two in each; the last is the root."""
    for places in (balanced([len(changes)]), balanced([1, len(changes) - 1]), by_change(changes)):
        nodes = len(places) + 1

        assert nodes == 2 * len(changes) - 1
        assert sorted(places) == [8 * len(changes) + 4 * i for i in range(len(places))]
        assert all(place // 8 > node for node, place in enumerate(places))


@given(st.lists(st.integers(0, 99), min_size=2, max_size=40))
def test_what_changes_often_is_near_the_root(changes: list[int]) -> None:
    """A word that changes more often than another is never further away."""
    places = by_change(changes)

    def depth(node: int) -> int:
        return 0 if node == len(places) else 1 + depth(places[node] // 8)

    by_depth = sorted((depth(node), -many) for node, many in enumerate(changes))
    for (near, more), (far, less) in pairwise(by_depth):
        assert near == far or -more >= -less


def test_without_wasmtime_everything_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where compiled code cannot be run, Python explores, and finds the same."""
    wanted = explore(tic_tac_toe())[1]
    monkeypatch.setattr("ruleproof.checker.engine.engine.available", lambda: False)
    run, result = explore(tic_tac_toe())

    assert isinstance(run.found, PythonFrontier)
    assert result == wanted


def test_where_address_space_is_short_everything_is_the_same(
    monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search that gets no memories of its own goes on in Python."""
    program = Program(tic_tac_toe())
    wanted = Exploration(program).run()

    def full(*_: object, **__: object) -> None:
        raise UnsupportedError("there is no room")

    monkeypatch.setattr("ruleproof.checker.engine.engine.Running", full)
    run = Exploration(program)

    assert isinstance(run.found, PythonFrontier)
    assert run.run() == wanted


def test_jugs_have_sixteen_states() -> None:
    """Jugs of 5 and 3: one is full or empty, 4 x 6 - 2 x 4 = 16 states, with six moves each."""
    _, result = explore(jugs())

    assert to_builtins(explored("small", jugs(), result)) == {
        "scope": "small",
        "states": 16,
        "transitions": 96,
        "depth": 7,
        "final": 0,
        "complete": True,
    }


def test_four_litres_take_six_moves() -> None:
    """The puzzle's answer is found by the shortest play."""
    run, result = explore(jugs())
    goals = [i for i in range(result.states) if run.state(i).values[0] == 4]

    assert len(run.path(goals[0])) == 6


def test_three_in_a_row_has_its_known_numbers() -> None:
    """5,478 positions, of which 958 are final."""
    _, result = explore(tic_tac_toe())

    assert (result.states, result.final, result.depth) == (5478, 958, 9)


def test_three_in_a_row_has_its_known_plays() -> None:
    """255,168 plays, by their lengths; plays of each length by the falling factorial at first."""
    rows = perft(Program(tic_tac_toe()), 20)

    assert [row.plays for row in rows[:6]] == [1, 9, 72, 504, 3024, 15120]
    assert [row.final for row in rows] == [0] * 5 + [1440, 5328, 47952, 72576, 127872]
    assert sum(row.final for row in rows) == 255_168
    assert len(rows) == 10


def test_plays_of_jugs_multiply() -> None:
    """Six moves in every state: six to the power of the length, however few the states."""
    assert [row.plays for row in perft(Program(jugs()), 6)] == [6**n for n in range(7)]


@pytest.mark.parametrize("name", MACHINES)
def test_paths_are_plays_and_shortest(name: str) -> None:
    """The play to a state is legal, ends there, and its length is the state's depth."""
    machine = MACHINES[name]
    run, result = explore(machine)
    game = Interpreter(machine)
    for number in range(0, result.states, max(1, result.states // 12)):
        state = game.start().state
        path = run.path(number)
        for move in path:
            state = game.step(state, move).state

        assert state == run.state(number)
        depth = sum(1 for first in run.tally.levels[1:] if first <= number)
        assert len(path) == depth <= result.depth


@pytest.mark.parametrize("name", MACHINES)
def test_witnesses_show_what_they_claim(name: str) -> None:
    """Replayed by the interpreter, each witness notes, breaks, loops or is stuck as it says."""
    machine = MACHINES[name]
    run, result = explore(machine)
    game = Interpreter(machine)
    for table in (result.notes, result.broken, result.endless, result.stuck):
        for key, witness in table.items():
            state = run.state(witness.state)
            if table is result.stuck:
                assert state.node == key
                assert not game.moves(state)
            elif table is result.endless:
                assert witness.move is not None
                assert witness.move.edge == key
                with pytest.raises(EndlessRules):
                    game.step(state, witness.move)
            else:
                assert witness.move is not None
                assert run.play(witness)[-1] == witness.move
                try:
                    step: Transition | EndlessRules = game.step(state, witness.move)
                except EndlessRules as error:
                    step = error
                if table is result.broken:
                    assert isinstance(step, Transition)
                    assert key in step.broken
                else:
                    assert key in step.notes


def test_what_the_setup_does_is_a_witness_too() -> None:
    """Obligations that fail before the first move, and limits broken then, are told."""
    game = Builder("setup")
    game.array("n", high=3)
    game.node("setup", "rules")
    game.node("turn", "open")
    game.edge("setup", "turn", do=[Note(0), store("n", 3)])
    game.edge("turn", "turn", do=[store("n", 0)])
    run, result = explore(game.machine(limits=[op("<", load("n"), 2)], obligations=1))

    assert {(w.state, w.move) for w in (result.notes[0], result.broken[0])} == {(-1, None)}
    assert run.play(result.notes[0]) == ()


def test_a_state_without_a_move_is_stuck() -> None:
    """A rest that is not final and has no legal move is a deadlock; chance can be stuck as well."""
    game = Builder("stuck")
    game.array("n", high=2)
    game.node("turn", "decide", by=Const(0))
    game.node("luck", "chance")
    game.edge("turn", "turn", when=[op("<", load("n"), 2)], do=[add("n", 1)])
    game.edge("turn", "luck", when=[op("==", load("n"), 1)])
    game.edge("luck", "turn", weight=op("-", load("n"), 1))
    run, result = explore(game.machine())

    assert {node: run.state(w.state).values for node, w in result.stuck.items()} == {
        0: (2,),
        1: (1,),
    }
    assert (result.stuck_states, result.final) == (2, 0)


def test_coverage_comes_with_the_result() -> None:
    """With `cover` the result tells which clauses were applied; without it does not."""
    _, plain = explore(MACHINES["draws"])
    _, covered = explore(MACHINES["draws"], cover=True)

    assert plain.coverage is None
    assert covered.coverage is not None
    assert {"play", "reshuffle", "draw.none", "old card"} <= covered.coverage.clauses
    assert plain.transitions == covered.transitions


# ------------------------------------------------------------------------------- limits


def test_a_limit_on_states_is_named() -> None:
    """Stopped by a number of states, the result says so and is not complete."""
    run = Exploration(Program(tic_tac_toe()))
    result = run.run(max_states=1000)

    assert (result.complete, result.stopped) == (False, "states")
    assert 1000 <= result.states < 1010


def test_a_limit_that_is_not_reached_does_not_matter() -> None:
    """A run that ends before its limits is complete."""
    result = Exploration(Program(jugs())).run(max_states=17, max_time=60)

    assert (result.complete, result.stopped) == (True, "")


def test_reaching_the_limit_with_the_last_state_is_no_completeness() -> None:
    """Sixteen states found, but not all looked at: nobody knows that there is no more."""
    result = Exploration(Program(jugs())).run(max_states=16)

    assert (result.states, result.complete, result.stopped) == (16, False, "states")


def test_a_limit_on_time_is_named() -> None:
    """So is the other limit; a run that it stopped can go on."""
    run = Exploration(Program(tic_tac_toe()))

    assert run.run(max_time=0).stopped == "time"
    assert run.run().complete
    assert 100_000 <= run.memory() < 2_000_000


def test_progress_is_told() -> None:
    """The callback sees the numbers grow."""
    told: list[Progress] = []
    Exploration(Program(tic_tac_toe())).run(progress=told.append, interval=0)

    assert [p.states for p in told] == sorted(p.states for p in told)
    assert told[-1].frontier < told[-1].states <= 5478
    assert all(p.rate >= 0 and p.depth <= 9 for p in told)


# --------------------------------------------------------------------------- checkpoints


@pytest.mark.parametrize("cover", [False, True])
@pytest.mark.parametrize("name", ["tic-tac-toe", "draws", "endless spiral", "tight draws"])
def test_resumed_runs_end_like_straight_ones(name: str, tmp_path: Path, *, cover: bool) -> None:
    """Stopped and taken up again and again, a run ends with the identical result and order."""
    machine = MACHINES[name]
    straight, wanted = explore(machine, cover=cover)
    file = tmp_path / "run"
    most = wanted.states // 5
    run = Exploration(Program(machine), cover=cover)
    result = run.run(max_states=most, checkpoint=file)
    stops = 0
    while result.stopped:
        stops += 1
        run = resume(Program(machine), file)
        result = run.run(max_states=most * (stops + 1), checkpoint=file)

    assert stops >= 4
    assert result == wanted
    assert run.order == straight.order
    assert run.parents == straight.parents


def test_an_interrupt_stops_between_states(tmp_path: Path) -> None:
    """Ctrl-C ends the run with a checkpoint, from which it goes on to the same end."""
    file = tmp_path / "run"
    run = Exploration(Program(tic_tac_toe()))

    def interrupt(progress: Progress) -> None:
        if progress.states > 500:
            os.kill(os.getpid(), signal.SIGINT)

    before = signal.getsignal(signal.SIGINT)
    result = run.run(progress=interrupt, interval=0, checkpoint=file, cut_short=True)

    assert (result.stopped, result.complete) == ("interrupted", False)
    assert signal.getsignal(signal.SIGINT) is before
    assert resume(Program(tic_tac_toe()), file).run() == explore(tic_tac_toe())[1]


def test_an_interrupt_raised_by_the_callback_stops_too() -> None:
    """A callback may stop the run by raising KeyboardInterrupt."""

    def interrupt(_: Progress) -> None:
        raise KeyboardInterrupt

    run = Exploration(Program(tic_tac_toe()))

    assert run.run(progress=interrupt, interval=0).stopped == "interrupted"
    assert run.run() == explore(tic_tac_toe())[1]


def test_exploring_works_beside_the_main_thread() -> None:
    """In another thread interrupts are left alone."""
    found: list[Result] = []
    thread = threading.Thread(target=lambda: found.append(explore(jugs())[1]))
    thread.start()
    thread.join()

    assert found[0].states == 16


def test_a_second_interrupt_is_let_through() -> None:
    """Whoever presses Ctrl-C twice wants out."""
    run = Exploration(Program(tic_tac_toe()))

    def interrupt(_: Progress) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)

    calls: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: calls.append(number))
    try:
        run.run(progress=interrupt, interval=0, cut_short=True)
    finally:
        signal.signal(signal.SIGINT, before)

    assert calls == [signal.SIGINT]


def test_a_full_disk_loses_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If a checkpoint cannot be written, the old one stays, the run goes on, the error is clear."""
    file = tmp_path / "run"
    machine = tic_tac_toe()
    run = Exploration(Program(machine))
    run.run(max_states=500, checkpoint=file)
    old = file.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    result = run.run(max_states=2000, checkpoint=file)

    assert result.states >= 2000
    assert run.unsaved == f"cannot write the checkpoint `{file}`: No space left on device"
    assert file.read_bytes() == old
    assert list(tmp_path.iterdir()) == [file]
    with pytest.raises(CheckpointError, match="No space left"):
        run.save(file)
    monkeypatch.undo()
    assert run.run(max_states=3000, checkpoint=file).states >= 3000
    assert run.unsaved == ""
    assert resume(Program(machine), file).run() == explore(machine)[1]


def test_checkpoints_are_written_on_the_way(tmp_path: Path) -> None:
    """With `save_every` a file is there even if the run is killed."""
    file = tmp_path / "run"
    Exploration(Program(tic_tac_toe())).run(checkpoint=file, save_every=1e-9)

    assert resume(Program(tic_tac_toe()), file).run() == explore(tic_tac_toe())[1]


def test_checkpoints_that_are_none_are_refused(tmp_path: Path) -> None:
    """A missing, foreign, damaged, cut or mismatched file is an error that says so."""
    file = tmp_path / "run"
    program = Program(tic_tac_toe())
    with pytest.raises(CheckpointError, match="cannot read"):
        resume(program, file)
    file.write_bytes(b"hello")
    with pytest.raises(CheckpointError, match="is no checkpoint of this version"):
        resume(program, file)
    Exploration(program).run(max_states=100, checkpoint=file)
    with pytest.raises(CheckpointError, match="of another game, or of other settings"):
        resume(Program(jugs()), file)
    whole = file.read_bytes()
    for damaged in (whole[:-1], whole[:300], whole[:200] + b"x" + whole[201:]):
        file.write_bytes(damaged)
        with pytest.raises(CheckpointError, match="is damaged"):
            resume(program, file)


def test_numbers_are_stored_little_end_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A machine that stores the big end first swaps parents on the way out and in."""
    file = tmp_path / "run"
    run = Exploration(Program(jugs()))
    run.run(max_states=10)
    monkeypatch.setattr("sys.byteorder", "big")
    run.save(file)

    assert resume(Program(jugs()), file).parents == run.parents


def test_what_fails_in_endless_rules_is_told() -> None:
    """An obligation that fails only where the rules never come to rest has its witness."""
    run, result = explore(spiral(9, endless=True))

    assert result.notes[1] == result.endless[0]
    with pytest.raises(EndlessRules) as caught:
        Interpreter(run.program.machine).step(run.state(0), run.play(result.notes[1])[-1])
    assert caught.value.notes == (1,)


def test_endless_rules_do_not_hide_other_moves() -> None:
    """A move after which the rules never rest is told, and the rest is explored all the same."""
    run, result = explore(spiral(9, endless=True))

    assert set(result.endless) == {0}
    assert run.play(result.endless[0])[-1].args == (7,)
    assert result.states == 128


@given(st.integers(0, 2**32))
def test_folded_states_lose_nothing(seed: int) -> None:
    """No two bits of a state share a place when it is folded, and it grows no longer."""
    machine = random_machine(Random(seed))  # noqa: S311
    layout = layout_of(machine)
    values = machine.start_values
    start = bytes(layout.head) + layout.pack_values(values)
    folding = folding_of(layout, start)
    taken = [0] * folding.size
    for word in folding.words:
        bits = turned(word.mask, word.turn)

        assert not taken[word.target] & bits
        taken[word.target] |= bits
    assert folding.size <= len(folding.words)
