"""Questions on other machines are answered as at home, whatever becomes of who is asked there.

The cluster is a scheduler of Dask and two workers, processes of this machine.
"""

from __future__ import annotations

import json
import os
import pickle
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from functools import partial
from pathlib import Path
from typing import TypeVar

import pytest

from ruleproof.checker.audit.audit import Audit
from ruleproof.checker.audit.listener import Listener
from ruleproof.checker.audit.parallel import ask_all
from ruleproof.checker.bench import answers as kept_answers
from ruleproof.checker.bench import cluster as clusters
from ruleproof.checker.bench import workbench as benches
from ruleproof.checker.bench.answers import installed
from ruleproof.checker.bench.cluster import (
    Cluster,
    ClusterError,
    cluster_at,
    in_order,
)
from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.findings.results import NotChecked
from ruleproof.checker.positions.positions import positions
from ruleproof.checker.verify import explore_scope, verify
from ruleproof.cli.app import run
from ruleproof.model.game.game import Settings
from ruleproof.model.stop import INTERRUPTED, stoppable
from ruleproof.reports.formats.document import dump
from ruleproof.tests.campaign import __main__ as campaign
from ruleproof.tests.campaign.__main__ import _row
from ruleproof.tests.campaign.running import Outcome
from ruleproof.tests.support.places import ROOT
from ruleproof.tests.support.scheduler import ALIEN, Machines

R = TypeVar("R")

GAME = """
game: heap
players: {count: 2}
state: {left: {type: int 0..6, start: 6}, took: {type: int 0..6, per: player}}
families: {coin: {attributes: {worth: int 0..9}}}
cards: {coin: {penny: {worth: 1}, pound: {worth: 2}}}
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


@pytest.fixture(name="machines", scope="module")
def _machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    machines = Machines(tmp_path_factory.mktemp("cluster"))
    machines.start(workers=2)
    yield machines
    machines.stop()


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give a game of which every question is worth asking elsewhere."""
    monkeypatch.setattr("ruleproof.checker.audit.parallel.WORTH_FORKING", 0)
    (tmp_path / "heap").mkdir()
    (tmp_path / "heap" / "game.yaml").write_text(GAME, "utf-8")
    return str(tmp_path / "heap")


def audit_of(folder: str, cluster: Cluster) -> Audit:
    """Begin to verify a game."""
    bench = Workbench(folder, Settings())
    audit = Audit(bench, bench.instance("printed"), [], 1, 0, Listener(), lambda _: True,
                  cluster=cluster)
    audit.scopes.append(explore_scope(bench, "printed", 9, None, audit.say))
    return audit


class Killer(Listener):
    """Kills a process as soon as the first question of a stage was answered."""

    def __init__(self, stage: str, process: int) -> None:
        self._stage, self._process, self._now = stage, process, ""

    def stage(self, number: int, of: int, what: str) -> None:
        """Take note of the stage."""
        del number, of
        self._now = what

    def say(self, words: str) -> None:
        """Kill, if it is time."""
        del words
        if self._now == self._stage and self._process:
            os.kill(self._process, signal.SIGKILL)
            self._process = 0


def counted(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return where the questions that a cluster answers are counted."""
    found: list[int] = []
    answers = cluster.answers

    def counting(
        answer: Callable[[int], object], numbers: Sequence[int]
    ) -> Iterator[tuple[int, object]]:
        for number, value in answers(answer, numbers):
            found.append(number)
            yield number, value

    monkeypatch.setattr(cluster, "answers", counting)
    return found


@pytest.mark.slow
def test_the_report_is_the_same_to_the_byte(
    machines: Machines, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A report of two workers, one of which is killed in the middle, is that of no cluster."""
    alone = dump(verify(folder, Settings()))
    with cluster_at(machines.address) as cluster:
        assert cluster is not None
        answered = counted(cluster, monkeypatch)
        victim = cluster._client.run(os.getpid).popitem()[1]
        killer = Killer("clauses that do nothing", victim)
        spread = dump(verify(folder, Settings(), cluster=cluster, listener=killer))

    assert spread == alone
    assert len(answered) > 5
    assert killer._process == 0
    assert (cluster.unanswered, cluster.why) == (0, "")


@pytest.mark.slow
def test_a_question_that_ends_its_workers_costs_one_line(machines: Machines, folder: str) -> None:
    """It is asked once more at home, in a process of its own, and so is what it took along."""
    def ask_one(audit: Audit, question: int) -> None:
        if question == 2:
            os._exit(3)
        audit.not_checked.append(NotChecked(str(question), "it was asked"))

    with cluster_at(machines.address) as cluster:
        assert cluster is not None
        audit = audit_of(folder, cluster)
        ask_all(audit, ask_one, range(5), lambda each: f"question {each}")

    assert [one.what for one in audit.not_checked] == ["0", "1", "question 2", "3", "4"]
    assert "ended by itself (3)" in audit.not_checked[2].why
    assert cluster.unanswered > 0


@pytest.mark.slow
def test_a_stop_calls_off_what_waits(machines: Machines, folder: str, tmp_path: Path) -> None:
    """After Ctrl-C no worker begins a question; what was answered before stays."""
    begun, returned = tmp_path / "begun", tmp_path / "returned"
    begun.mkdir()

    def ask_one(_: Audit, question: int) -> None:
        (begun / str(question)).touch()
        while len(list(begun.iterdir())) > 5 and not returned.exists():
            time.sleep(0.1)

    class Interrupting(Listener):
        told = False

        def say(self, words: str) -> None:  # noqa: ARG002
            if not self.told:  # by whichever question is the first to be answered
                self.told = True
                threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGINT)).start()

    with cluster_at(machines.address) as cluster, stoppable() as stop:
        assert cluster is not None
        audit = audit_of(folder, cluster)
        audit.stop, audit.listener = stop, Interrupting()
        ask_all(audit, ask_one, range(40), lambda each: f"question {each}")
        client, patience = cluster._client, time.monotonic() + 30
        while any(client.run(lambda dask_worker: len(dask_worker.state.ready)).values()):
            assert time.monotonic() < patience, "what waits at the workers is not called off"
            time.sleep(0.1)
        after = len(list(begun.iterdir()))
        returned.touch()
        time.sleep(1)

    assert {one.why for one in audit.not_checked} == {INTERRUPTED}
    assert len(list(begun.iterdir())) <= after + 2 < 40  # each worker may have one in hand


@pytest.mark.campaign
def test_without_its_scheduler_the_rest_is_asked_here(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A scheduler that goes in the middle takes no answer with it."""
    monkeypatch.setattr(clusters, "PATIENCE", 3)
    machines = Machines(tmp_path)
    here = os.getpid()

    def ask_one(audit: Audit, question: int) -> None:
        time.sleep(0.3)
        where = "here" if os.getpid() == here or os.getppid() == here else "there"
        audit.not_checked.append(NotChecked(str(question), where))

    class Parting(Listener):
        def say(self, words: str) -> None:
            if words == "question 3":
                machines.stop_scheduler()

    with ExitStack() as stack:
        stack.callback(machines.stop)
        machines.start(workers=1)
        cluster = stack.enter_context(cluster_at(machines.address))
        assert cluster is not None
        audit = audit_of(folder, cluster)
        audit.listener = Parting()
        ask_all(audit, ask_one, range(20), lambda each: f"question {each}")

    assert [one.what for one in audit.not_checked] == [str(each) for each in range(20)]
    assert {one.why for one in audit.not_checked} == {"here", "there"}
    assert cluster.unanswered > 0


def test_no_file_is_read_where_the_work_is_done(
    folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is unpickled elsewhere needs neither the spec's folder nor the file of real cards."""
    cards = tmp_path / "real.yaml"
    cards.write_text("cards: {coin: {penny: {worth: 7}}}\n", "utf-8")
    bench = Workbench(folder, Settings(cards=str(cards)))
    scope = explore_scope(bench, "printed", 1000, None, print)
    packed = pickle.dumps((bench, scope))
    shutil.rmtree(folder)
    cards.unlink()
    monkeypatch.setattr(benches, "_SENT", {})
    there, again = pickle.loads(packed)  # noqa: S301  (our own)
    without = there.instance("printed", changes=({"drop": ["keep"]},))

    assert there is not bench
    assert again.instance is there.instance("printed")
    assert list(again.exploration.order) == list(scope.exploration.order)
    assert again.exploration.result() == scope.exploration.result()
    assert without.game == bench.instance("printed", changes=({"drop": ["keep"]},)).game
    assert pickle.loads(packed)[0] is there  # noqa: S301  (same)


# ------------------------------------------------------------------------------ other commands


SCOPES = """
scopes:
  all: {state: {left: 6}}
  few: {state: {left: 2}}
  some: {state: {left: 4}}
"""


@pytest.fixture(name="scoped")
def _scoped(tmp_path: Path) -> str:
    """Give a game with scopes."""
    (tmp_path / "game.yaml").write_text(f"{GAME}{SCOPES}", "utf-8")
    return str(tmp_path)


@pytest.fixture(name="deadly")
def _deadly(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Kill a worker when the first answer has come; return where answers are counted."""
    found: list[int] = []
    answers = Cluster.answers

    def killing(
        cluster: Cluster, answer: Callable[[int], object], numbers: Sequence[int]
    ) -> Iterator[tuple[int, object]]:
        for number, value in answers(cluster, answer, numbers):
            if not found:
                os.kill(cluster._client.run(os.getpid).popitem()[1], signal.SIGKILL)
            found.append(number)
            yield number, value
        assert (cluster.unanswered, cluster.why) == (0, "")

    monkeypatch.setattr(Cluster, "answers", killing)
    return found


@pytest.mark.slow
def test_scopes_are_explored_the_same(
    machines: Machines, scoped: str, deadly: list[int], capsys: pytest.CaptureFixture[str]
) -> None:
    """Scopes that two workers explore, one of whom is killed, are told as without a cluster."""
    command = ["explore", scoped, "-f", "json", "-q"]
    for name in ("all", "few", "some", "printed"):
        command += ["--scope", name]
    assert run(command) == 0
    alone = capsys.readouterr().out
    assert run([*command, "--cluster", machines.address]) == 0

    assert capsys.readouterr().out == alone
    assert sorted(deadly) == [0, 1, 2, 3]


@pytest.mark.slow
def test_positions_are_the_same_to_the_byte(
    machines: Machines, scoped: str, deadly: list[int], tmp_path: Path
) -> None:
    """So are positions, each of whose files is compared."""
    for name, more in (("alone", ()), ("spread", ("--cluster", machines.address))):
        assert run(["positions", scoped, "-o", str(tmp_path / name), "-q", *more]) == 0
    alone, spread = ({path.name: path.read_bytes() for path in (tmp_path / name).iterdir()}
                     for name in ("alone", "spread"))

    assert spread == alone
    assert len(alone) >= 3
    assert len(deadly) > 5


class Aside(Cluster):
    """A cluster of nobody: its questions are pickled, and answered here."""

    def __init__(self, spoil: Callable[[int], object] = lambda _: None) -> None:
        self._spoil = spoil
        self.unanswered, self.why = 0, ""

    def answers(self, answer: Callable[[int], R], numbers: Sequence[int]) -> Iterator[
            tuple[int, R]]:
        """Answer every other question."""
        there = pickle.loads(pickle.dumps(answer))  # noqa: S301  (our own)
        for number in numbers[::2]:
            self._spoil(number)
            yield number, there(number)


def test_what_was_answered_ahead_is_what_would_be_found(scoped: str, tmp_path: Path) -> None:
    """Positions are the same if half of what the search asks is known before it gets there."""
    alone = positions(scoped, Settings())
    ahead = positions(scoped, Settings(), cluster=Aside())
    saved = positions(scoped, Settings(), cluster=Aside(), checkpoint=tmp_path / "saved")
    again = positions(scoped, Settings(), checkpoint=tmp_path / "saved")

    assert alone.documents
    assert json.dumps(ahead.documents) == json.dumps(alone.documents)
    assert ahead == saved == again == alone


def test_an_interrupt_leaves_what_was_explored(
    scoped: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """After Ctrl-C the scopes that were explored by then are told, with status 130."""
    def interrupted(_: int) -> None:
        if len(asked) == 1:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(10)
        asked.append(0)

    asked: list[int] = []
    monkeypatch.setattr("ruleproof.cli.commands.explore.cluster_at",
                        lambda _: nullcontext(Aside(interrupted)))
    command = ["explore", scoped, "--scope", "few", "--scope", "printed", "--scope", "some"]

    assert run([*command, "--scope", "all"]) == 130
    told = capsys.readouterr()
    assert re.findall("^scope +(.*)$", told.out, re.MULTILINE) == ["few"]
    assert "interrupted" in told.err


def test_what_takes_one_scope_or_this_machine_says_so(
    scoped: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A checkpoint is of one exploration here, a tree of one scope."""
    two = ["explore", scoped, "--scope", "few", "--scope", "all"]
    saved = ["--checkpoint", str(tmp_path / "saved")]
    for command in ([*two, *saved], ["explore", scoped, *saved, "--cluster", "127.0.0.1:1"],
                    [*two, "-f", "efg"]):
        assert run(command) == 2
        assert "one `--scope`" in capsys.readouterr().err


def test_a_campaign_is_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random games come in their order, those that a cluster did not answer, too."""
    asked: list[int] = []
    monkeypatch.setattr(campaign, "tried", lambda spec: Outcome(states=len(json.dumps(spec))))
    alone, spread = ([{**row, "seconds": 0} for row in in_order(where, partial(_row, 1), range(5))]
                     for where in (None, Aside(asked.append)))

    assert spread == alone
    assert [row["game"] for row in spread] == [0, 1, 2, 3, 4]
    assert asked == [0, 2, 4]


# ------------------------------------------------------------------------------------ refusals


def refused(
    address: str, capsys: pytest.CaptureFixture[str], folder: str, *command: str
) -> str:
    """Verify, or do something else, on a cluster that there is not; return what is said."""
    assert run([*(command or ["verify"]), folder, "--cluster", address, "-q"]) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "bla://x:1", ""])
def test_an_address_without_a_scheduler_is_refused(
    address: str, folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address that nobody answers at, or that is none, is wrong usage, told in time."""
    monkeypatch.setattr(clusters, "PATIENCE", 1)

    assert f"no scheduler of Dask answers at `{address}`" in refused(address, capsys, folder)


@pytest.mark.parametrize("command", [["explore"], ["positions", "-o", "made"]])
def test_other_commands_tell_it_as_verify_does(
    command: list[str], folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What cannot work is told in the same words."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(clusters, "PATIENCE", 1)

    assert "no scheduler of Dask answers" in refused("127.0.0.1:1", capsys, folder, *command)
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert "pip install 'ruleproof[cluster]'" in refused("127.0.0.1:1", capsys, folder, *command)


def test_without_dask_it_is_said_how_to_install_it(
    folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the extra is missing, the option says what to install."""
    monkeypatch.setitem(sys.modules, "distributed", None)

    assert "pip install 'ruleproof[cluster]'" in refused("127.0.0.1:8786", capsys, folder)


@pytest.mark.campaign
def test_a_scheduler_without_fit_workers_is_refused(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing waits for workers that nobody started, or that hang; ruleproof has to be there."""
    machines = Machines(tmp_path)
    try:
        machines.start(workers=0)
        monkeypatch.setattr(clusters, "PATIENCE", 1)

        assert "has no workers; `dask worker" in refused(machines.address, capsys, folder)
        monkeypatch.setattr(clusters, "PATIENCE", 60)
        machines.hire(f"{ALIEN}; sys.argv.append('--no-nanny')")
        assert "cannot run this version of ruleproof" in refused(
            machines.address, capsys, folder)
        machines._running[-1].send_signal(signal.SIGSTOP)
        monkeypatch.setattr(clusters, "PATIENCE", 2)
        assert "a worker does not answer" in refused(machines.address, capsys, folder)
    finally:
        machines.stop()


@pytest.mark.slow
def test_workers_with_another_version_are_refused(
    machines: Machines, folder: str, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where versions differ, answers might; both are named, and nothing is asked."""
    installed.cache_clear()
    monkeypatch.setattr(kept_answers, "version_of", lambda: "0.0.7")
    said = refused(machines.address, capsys, folder)
    installed.cache_clear()

    assert "this machine has ruleproof 0.0.7" in said
    assert f"has {clusters._told(installed())}" in said
    with pytest.raises(ClusterError, match="a worker has"):
        clusters._answered({"ruleproof": "0.0.7"}, b"", 0)


def test_dask_is_loaded_only_when_asked_for() -> None:
    """What verifies leaves the extra alone."""
    code = "import sys; import ruleproof.cli.commands.verify; print('distributed' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True,  # noqa: S603
                          check=True)

    assert done.stdout.strip() == "False"
