"""Reports survive: a failure costs one line, and a stop comes through wherever the work is."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
import z3  # type: ignore[import-untyped]

from ruleproof.checker import verify as verification
from ruleproof.checker.audit.audit import Audit
from ruleproof.checker.audit.listener import Listener
from ruleproof.checker.audit.parallel import ask_all, guarded
from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.checks import ambiguity, behaviour, proofs, states, text
from ruleproof.checker.clauses import deletion, phrases
from ruleproof.checker.findings.evidence import NotReplayed
from ruleproof.checker.findings.results import NotChecked, Report
from ruleproof.checker.judge import sampling, ways
from ruleproof.checker.points.points import points_of
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.verify import verify
from ruleproof.cli.app import run as command
from ruleproof.cli.commands.verify import outcome
from ruleproof.cli.exit import INTERRUPTED as STATUS
from ruleproof.cli.exit import LIMIT
from ruleproof.model.game.game import Settings
from ruleproof.model.solver.solving import ask, new_solver
from ruleproof.model.stop import INTERRUPTED, TIME_UP, Stopped, held, stoppable
from ruleproof.tests.support.drawn import one_in

GAME = """
game: heap
players: {count: 2}
state: {left: {type: int 0..6, start: 6}, took: {type: int 0..6, per: player}}
steps: {game: {}}
windows: {turn: {who: players}}
start: game
clauses:
- {id: run, kind: order, says: The players act in any order, on: game, do: turn(); turn()}
- id: take
  kind: permit
  says: Each may take one
  on: turn
  option: take
  when: left > 0 and left < 9
  do: left -= 1; took[actor] += 1
- {id: keep, kind: limit, says: Nobody has more, always: "all(took[p] <= 6 for p in players)"}
- {id: some, kind: claim, says: It never runs out, never: left == 0}
- {id: sum, kind: claim, says: One and one is two, claim: "1 + 1 == 2"}
open_points:
- id: who
  asks: How many are there?
  clauses: [take]
  readings:
  - {id: six, title: six}
  - {id: less, title: no limit, drop: [keep]}
rulings:
- {point: who, reading: six, why: ours}
"""


@pytest.fixture(name="folder")
def _folder(tmp_path: Path) -> str:
    (tmp_path / "game.yaml").write_text(GAME, "utf-8")
    return str(tmp_path)


def lost(report: Report) -> list[str]:
    """Name what was lost by failures."""
    return [one.what for one in report.not_checked if one.failed]


# ------------------------------------------------------------------------------------ failures


@pytest.mark.parametrize(
    "check", one_in(2, [*verification.BEFORE, *verification.CHECKS, *verification.AFTER]),
    ids=lambda check: check.looks_for)
def test_a_check_that_fails_costs_one_line(
    check: verification.Check, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whichever check fails, the report comes, and one line names what is not checked, and why."""
    def fail(_: Audit) -> None:
        raise KeyError(check.looks_for)

    monkeypatch.setattr(check.module, "run", fail)
    report = verify(folder, Settings())

    assert lost(report) == [check.looks_for]
    assert report.explored[0].complete
    assert outcome(report, "winner") == LIMIT


UNITS: list[tuple[object, str, str]] = [
    (verification, "explore_scope", "scope printed"),
    (ambiguity, "compare_readings", "open point who"),
    (behaviour, "_limits", "limits that break"),
    (states, "_state_claim", "the claim some"),
    (deletion, "acts", "clauses that do nothing"),
    (phrases, "does_nothing", "phrases of take"),
    (proofs, "Proofs", "proofs at the printed size"),
    (text, "check_claims", "the claim sum"),
    (ways, "shown_in", "ways out"),
]


@pytest.mark.parametrize(("module", "name", "what"), UNITS, ids=[each[1] for each in UNITS])
def test_a_unit_that_fails_is_named(
    module: object, name: str, what: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Within a check a failure costs the one thing that was asked, by name; a bad witness too."""
    def fail(*_: object, **__: object) -> None:
        raise NotReplayed("the move is not legal")

    monkeypatch.setattr(module, name, fail)
    report = verify(folder, Settings())

    assert what in lost(report)
    assert len(lost(report)) <= 2
    assert not any("not legal" in finding.title for finding in report.everything)


PILES = """
game: piles
title: Piles
players: {count: 2}
families: {stone: {}}
cards: {stone: {KINDS}}
zones:
  heap: {holds: stone, kind: bag, starts: all, seen_by: all}
  mine: {holds: stone, kind: bag, per: player, seen_by: all}
steps: {game: {}}
windows: {turn: {who: players, order: clockwise}}
start: game
scopes: {tiny: {cards: {stone: {k0: 2, k1: 1}}}}
clauses:
- {id: go, kind: order, says: all take, on: game, do: "turn()\\nend_game()"}
- {id: take, kind: permit, says: any stones, on: turn, option: take,
   with: {some: "choose_cards(heap, at_least=1)"}, do: "move_all(some, heap, mine[actor])"}
"""


def test_too_many_choices_cost_no_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A choice that cannot be listed at the printed size is no failure of ours: a limit, told."""
    kinds = ", ".join(f"k{kind}: {{copies: 3}}" for kind in range(11))
    (tmp_path / "game.yaml").write_text(PILES.replace("KINDS", kinds), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("deadlock",))

    assert [each.scope for each in report.explored] == ["tiny"]
    assert lost(report) == []
    assert any("1,000,000 ways to choose cards" in one.why for one in report.not_checked)
    assert command(["explore", str(tmp_path), "-q"]) == LIMIT
    assert "internal" not in capsys.readouterr().err


def test_a_worker_that_dies_costs_its_question_only(
    folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process that ends by itself is replaced; what it was asked is named."""
    monkeypatch.setattr("ruleproof.checker.audit.parallel.WORTH_FORKING", 0)

    def ask_one(audit: Audit, question: int) -> None:
        if question == 2:
            os._exit(1)
        audit.say(str(question))

    bench = Workbench(folder, Settings())
    audit = Audit(bench, bench.instance("printed"), [], 1, 0, Listener(), lambda _: True)
    audit.scopes.append(verification.explore_scope(bench, "printed", 9, None, audit.say))
    ask_all(audit, ask_one, range(6), lambda each: f"question {each}")

    assert [one.what for one in audit.not_checked] == ["question 2"]


# ------------------------------------------------------------------------------------ stops


def test_what_matters_most_is_asked_before_the_time_is_up(folder: str) -> None:
    """Those of the least rank are asked first, and what is told of all is in the given order."""
    bench = Workbench(folder, Settings())
    audit = Audit(bench, bench.instance("printed"), [], 1, 0, Listener(), lambda _: True)
    asked: list[int] = []

    def ask_one(audit: Audit, question: int) -> None:
        asked.append(question)
        audit.not_checked.append(NotChecked(str(question), "asked"))
        if len(asked) == 3:
            stop.deadline = 0.0

    with stoppable() as stop:
        audit.stop = stop
        ask_all(audit, ask_one, range(6), str, rank=lambda each: each not in (2, 5))

    assert asked == [2, 5, 0]
    assert [(one.what, one.why) for one in audit.not_checked] == [
        (str(each), "asked" if each in asked else TIME_UP) for each in range(6)]


def test_pairs_of_clauses_are_asked_about_last(folder: str) -> None:
    """Declared points come first, and those that words decide after all that may be a finding."""
    points = points_of(Workbench(folder, Settings()).instance("printed").compiled)
    point = next(each for each in points if each.kind == "declared")
    kinds = ["declared", "silence", "timing", "clauses"]
    ranks = [ambiguity.rank(replace(point, kind=kind)) for kind in kinds]

    assert ranks == sorted(set(ranks))
    assert ambiguity.rank(replace(point, decided="words")) > max(ranks)


def hard() -> z3.Solver:
    """Make a question that takes Z3 minutes: more pigeons than holes."""
    solver = new_solver(z3.Context(), rlimit=4_000_000_000)
    birds, holes = range(12), range(11)
    place = [[z3.Bool(f"p{i}_{j}", ctx=solver.ctx) for j in holes] for i in birds]
    solver.add(*(z3.Or(*row) for row in place))
    solver.add(*(z3.Or(z3.Not(place[a][j]), z3.Not(place[b][j]))
                 for j in holes for a in birds for b in range(a)))
    return solver


@contextmanager
def soon(signals: int = signal.SIGINT, after: float = 0.2) -> Iterator[None]:
    """Send this process a signal in a moment."""
    timer = threading.Timer(after, os.kill, (os.getpid(), signals))
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()


def swallowing() -> None:
    """Work on, whatever exception comes; give up after 20 seconds."""
    for _ in range(200):
        try:
            time.sleep(0.1)
        except KeyboardInterrupt:
            break
    time.sleep(20)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
@pytest.mark.parametrize("work", [lambda: ask(hard()), swallowing, lambda: time.sleep(20)],
                         ids=["in the solver", "swallowed", "asleep"])
def test_a_signal_stops_a_unit_within_a_second(
    work: Callable[[], object], number: signal.Signals
) -> None:
    """A signal ends what Z3 is doing, and comes again if something swallows it."""
    with stoppable() as stop, soon(number):
        begun = time.monotonic()
        found = guarded(stop, work)
        took = time.monotonic() - begun

    assert found.why == INTERRUPTED
    assert took < 2  # a second, and what a busy machine makes of it
    assert signal.getsignal(signal.SIGTERM) == signal.SIG_DFL


@pytest.mark.parametrize("work", [lambda: ask(hard()), lambda: time.sleep(20)])
def test_the_deadline_stops_a_unit(work: Callable[[], object]) -> None:
    """The end of the time stops the work as a signal does, and nothing is begun after it."""
    with stoppable(time.monotonic() + 0.3) as stop:
        found = guarded(stop, work)

        assert guarded(stop, lambda: 1).why == TIME_UP
    assert found.why == TIME_UP


def test_a_stop_leaves_no_half_made_object(monkeypatch: pytest.MonkeyPatch) -> None:
    """A stop while Z3's objects are made waits for the end of the call: no count goes wrong."""
    complaints: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", complaints.append)

    def make() -> None:
        while True:
            new_solver(z3.Context())

    for after in (0.01, 0.02, 0.03, 0.05):
        with stoppable() as stop, soon(after=after):
            assert guarded(stop, make).why == INTERRUPTED
    assert not complaints


def test_held_work_is_not_cut() -> None:
    """A stop waits for the end of what must not be cut in two, which may look for it."""
    done = False
    with stoppable() as stop:
        with held() as seen, soon(after=0.05):
            while not seen.why:
                time.sleep(0.01)
            time.sleep(0.4)
            done = True
        assert stop.why == INTERRUPTED
        time.sleep(0.4)

    assert done


def test_a_stop_in_a_destructor_is_not_lost(capsys: pytest.CaptureFixture[str]) -> None:
    """Python drops what a destructor raises; the stop comes again, and nothing is printed."""
    class Slow:
        def __del__(self) -> None:
            time.sleep(0.07)

    def work() -> None:
        for _ in range(200):
            Slow()
            time.sleep(0.03)

    with stoppable() as stop, soon():
        assert guarded(stop, work).why == INTERRUPTED
    assert capsys.readouterr().err == ""


def test_without_anybody_who_heeds_a_stop_is_an_interrupt() -> None:
    """Code that knows nothing of stops sees a `KeyboardInterrupt`."""
    with pytest.raises(Stopped), stoppable(), soon():
        time.sleep(20)


def interrupt(*_: object, **__: object) -> None:
    """Press Ctrl-C, and work on."""
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(20)


def test_a_signal_stops_the_blocks_around_and_those_to_come() -> None:
    """What an inner block has heeded stops the outer one too, and is not raised in it again."""
    with stoppable() as outer:
        with stoppable() as inner:
            assert guarded(inner, interrupt).why == INTERRUPTED
        time.sleep(0.8)
        with stoppable() as later:
            found = guarded(later, lambda: 1)

        assert (outer.why, found.why) == (INTERRUPTED, INTERRUPTED)


def test_a_signal_that_nobody_heeds_is_raised_again_around() -> None:
    """An inner stop that something swallows comes again in the block around."""
    with stoppable() as outer:
        with suppress(Stopped), stoppable():
            interrupt()

        assert guarded(outer, lambda: time.sleep(20)).why == INTERRUPTED


def test_the_end_of_the_time_of_a_block_is_not_that_of_the_one_around() -> None:
    """The time of an inner block may be up while the outer one goes on; not the other way."""
    with stoppable() as outer:
        with stoppable(time.monotonic() + 0.5) as inner:
            assert guarded(inner, lambda: time.sleep(20)).why == TIME_UP
        assert guarded(outer, lambda: 1).value == 1
    with stoppable(time.monotonic() + 0.5), stoppable() as inner:
        assert guarded(inner, lambda: time.sleep(20)).why == TIME_UP


def test_there_is_a_report_however_little_time_there_is(tmp_path: Path) -> None:
    """Also before anything is explored, the end of the time comes out as what was not checked."""
    (tmp_path / "game.yaml").write_text(PILES.replace("KINDS", "k0: {copies: 3}, k1: {copies: 2}"))
    for moment in range(8):
        report = verify(str(tmp_path), Settings(), max_time=0.02 * moment)
        assert report.game == "piles"


def test_a_search_that_is_stopped_is_no_answer(folder: str) -> None:
    """A search that a unit makes beside its work does not pass for one that found no more."""
    program = Workbench(folder, Settings()).instance("printed").program

    def work() -> int:
        return Exploration(program).run(progress=lambda _: signals.pop()(), interval=0).states

    signals = [partial(os.kill, os.getpid(), signal.SIGINT)]
    with stoppable() as stop:
        assert guarded(stop, work).why == INTERRUPTED


@pytest.mark.parametrize(("module", "name"), [
    (text, "check_claims"), (verification, "explore_scope"), (sampling, "run"),
    (behaviour, "_limits"), (deletion, "acts"), (proofs, "Proofs")])
def test_verify_begins_nothing_after_an_interrupt(
    module: object, name: str, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Wherever the first Ctrl-C comes in `verify`, no other check is begun."""
    begun: list[str] = []

    def stop_here(*_: object, **__: object) -> None:
        begun.clear()
        interrupt()

    for check in (*verification.CHECKS, *verification.AFTER):
        if check.module not in (module, ambiguity):
            def run(_: Audit, looks_for: str = check.looks_for) -> None:
                begun.append(looks_for)

            monkeypatch.setattr(check.module, "run", run)
    monkeypatch.setattr(module, name, stop_here)
    code = command(["verify", folder, "-q"])

    assert code == STATUS
    assert not begun


@pytest.mark.parametrize(("target", "args"), [
    ("checker.questions.search.QuestionSearch._position", ["ask"]),
    ("checker.verify.explore_scope", ["diff", "--verify", "60", "--b-ruling", "who=less"]),
    ("checker.editions.compare.parted", ["diff", "--b-ruling", "who=less"]),
    ("checker.positions.search.PositionSearch.look", ["conform", "--", "sleep", "60"]),
    ("checker.conform.implementation.Implementation.begin", ["conform", "--max", "0", "--", "cat"]),
    ("cli.commands.perft.count", ["perft"]),
    ("cli.commands.watch.glance", ["watch"]),
    ("checker.positions.search.PositionSearch.look", ["positions", "-o", "@"]),
])
def test_every_command_ends_with_an_interrupt(
    target: str, args: list[str], folder: str, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The first Ctrl-C ends a command with status 130, and it says that it was interrupted."""
    monkeypatch.setattr(f"ruleproof.{target}", interrupt)
    sent = time.monotonic()
    code = command([args[0], folder, *(each.replace("@", f"{folder}/out") for each in args[1:])])

    assert code == STATUS
    assert "interrupted; " in capsys.readouterr().err
    assert time.monotonic() - sent < 10  # far less, but for what a busy machine makes of it


def test_nobody_waits_for_a_silent_program(folder: str) -> None:
    """`conform` waits neither for an answer nor for the end of a program once it is interrupted."""
    with soon(after=1):
        begun = time.monotonic()
        code = command(["conform", folder, "-q", "--max", "0", "--", "sleep", "60"])

    assert code == STATUS
    assert time.monotonic() - begun < 6  # two, and what a busy machine makes of it


# ------------------------------------------------------------------------------------ a process


START = "import sys; print(1, flush=True); from ruleproof.__main__ import main; main()"
"""As the installed command starts; it says so before it has loaded anything."""


@pytest.mark.parametrize("moment", one_in(2, range(6)))
def test_a_signal_at_any_moment_of_verify(moment: int, folder: str) -> None:
    """Ctrl-C ends `verify` soon, with status 130 and no traceback, unless it was done."""
    after = random.Random(moment).uniform(0.01, [0.2, 0.8, 1.5, 2.5, 3.5, 5][moment])  # noqa: S311
    with subprocess.Popen(  # noqa: S603  (our own command)
        [sys.executable, "-c", START, "verify", folder], text=True, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout
        process.stdout.readline()
        time.sleep(after)
        os.killpg(process.pid, signal.SIGINT)
        sent = time.monotonic()
        _, err = process.communicate(timeout=60)

    assert process.returncode in ({STATUS} if after < 1 else {STATUS, 0, 1})
    assert "Traceback" not in err
    assert time.monotonic() - sent < 5  # a second, and what a busy machine makes of it
