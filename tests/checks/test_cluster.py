"""Questions on other machines are answered as at home, whatever becomes of who is asked there.

The cluster is a scheduler of Dask and two workers, processes of this machine.
"""

from __future__ import annotations

import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from ruleproof.checker.bench import cluster as clusters
from ruleproof.checker.bench import workbench as benches
from ruleproof.checker.bench.cluster import Cluster, ClusterError, cluster_at, installed
from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.findings.results import NotChecked
from ruleproof.checker.judge.audit import Audit, Listener
from ruleproof.checker.judge.parallel import ask_all
from ruleproof.checker.verify import explore_scope, verify
from ruleproof.cli.app import run
from ruleproof.model.game.game import Settings
from ruleproof.model.stop import INTERRUPTED, stoppable
from ruleproof.reports.formats.document import dump
from ruleproof.tests.support.places import ROOT

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

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


ALIEN = "import sys; sys.modules['ruleproof'] = None"
"""Makes a process one of a machine where ruleproof is not installed."""


class Machines:
    """A scheduler and workers, as processes of their own."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.address = ""
        self._running: list[subprocess.Popen[bytes]] = []

    def start(self, workers: int) -> None:
        """Start a scheduler that gives a question up when two workers died of it, and workers."""
        file = self._folder / "scheduler.json"
        self._run(ALIEN, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard",
                  "--scheduler-file", str(file))
        until = time.monotonic() + 60
        while not self.address and time.monotonic() < until:
            time.sleep(0.05)
            with suppress(OSError, ValueError):  # it is not there, or not whole
                self.address = json.loads(file.read_text("utf-8"))["address"]
        for _ in range(workers):
            self.hire()
        if workers:
            with distributed.Client(self.address, timeout=60, set_as_default=False) as client:
                client.wait_for_workers(workers, timeout=60)

    def hire(self, code: str = "") -> None:
        """Start a worker, which runs some code first."""
        self._run(code, "worker", self.address, "--nthreads", "1", "--no-dashboard",
                  "--local-directory", str(self._folder))

    def _run(self, code: str, *arguments: str) -> None:
        self._running.append(subprocess.Popen(  # noqa: S603  (ours)
            [sys.executable, "-c", f"{code}\nfrom dask.__main__ import main\nmain()", *arguments],
            cwd=self._folder,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            env=os.environ | {"DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "1"}))

    def stop(self) -> None:
        """End all that was started, the scheduler last: a worker may wait for it for minutes."""
        for each in reversed(self._running):
            each.terminate()
            each.send_signal(signal.SIGCONT)
            try:
                each.wait(5)
            except subprocess.TimeoutExpired:
                each.kill()
                each.wait()
        self._running.clear()

    def stop_scheduler(self) -> None:
        """Let the scheduler go at once."""
        self._running[0].kill()


@pytest.fixture(name="machines", scope="module")
def _machines(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machines]:
    machines = Machines(tmp_path_factory.mktemp("cluster"))
    machines.start(workers=2)
    yield machines
    machines.stop()


@pytest.fixture(name="folder")
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Give a game of which every question is worth asking elsewhere."""
    monkeypatch.setattr("ruleproof.checker.judge.parallel.WORTH_FORKING", 0)
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


# ------------------------------------------------------------------------------------ refusals


def refused(address: str, capsys: pytest.CaptureFixture[str], folder: str) -> str:
    """Verify on a cluster that there is not; return what is said."""
    assert run(["verify", folder, "--cluster", address, "-q"]) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize("address", ["127.0.0.1:1", "nowhere", "bla://x:1", ""])
def test_an_address_without_a_scheduler_is_refused(
    address: str, folder: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An address that nobody answers at, or that is none, is wrong usage, told in time."""
    monkeypatch.setattr(clusters, "PATIENCE", 1)

    assert f"no scheduler of Dask answers at `{address}`" in refused(address, capsys, folder)


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
    monkeypatch.setattr(clusters, "version_of", lambda: "0.0.7")
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
