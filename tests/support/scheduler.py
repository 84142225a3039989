"""A cluster on this machine: a scheduler of Dask and workers, as processes of their own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

distributed = pytest.importorskip("distributed", reason="the extra `cluster` is not installed")

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
