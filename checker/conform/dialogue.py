"""A program that answers each line of JSON with another one, and all that can go wrong with that.

The program is a stranger's: it may die, hang, write too much or something else.  Whatever happens
becomes `Broke` within the time limit; the program and what it has started are then ended.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue
from typing import IO

from ...model.plays.board import JSON
from ...model.plays.documents import is_object
from ...model.source.errors import quote

LONGEST_LINE = 16 << 20
"""Bytes of an answer; a longer one is none."""
KEPT = 2_000
"""Bytes of what it writes to standard error that are kept, the last ones."""
GRACE = 2.0
"""Seconds that a program has to end by itself."""


class Broke(Exception):  # noqa: N818  (it is no error of ours)
    """The program has not answered; the text says why.  `slow` if it took too long."""

    def __init__(self, reason: str, *, slow: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.slow = slow


class Dialogue:
    """A running program, which has `patience` seconds for each answer; no shell is asked.

    Raises:
        OSError: if it cannot be started.

    """

    def __init__(self, command: Sequence[str], patience: float) -> None:
        self.patience = patience
        self._number = 0
        self._said = b""
        self._process = subprocess.Popen(  # noqa: S603  (the user's own command)
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            start_new_session=True)
        self._answers: SimpleQueue[bytes] = SimpleQueue()
        self._requests: SimpleQueue[bytes | None] = SimpleQueue()
        assert self._process.stdin
        assert self._process.stdout
        assert self._process.stderr
        self._threads = [
            threading.Thread(target=work, args=(stream,), daemon=True) for work, stream in (
                (self._write, self._process.stdin), (self._read, self._process.stdout),
                (self._listen, self._process.stderr))]
        for thread in self._threads:
            thread.start()

    # ------------------------------------------------------------------ what the threads do

    def _write(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError), stream:
            while (line := self._requests.get()) is not None:
                stream.write(line)
                stream.flush()

    def _read(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError), stream:
            while line := stream.readline(LONGEST_LINE + 1):
                self._answers.put(line)
        self._answers.put(b"")

    def _listen(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError), stream:
            while said := os.read(stream.fileno(), 4096):
                self._said = (self._said + said)[-KEPT:]

    # ------------------------------------------------------------------------------ talking

    def ask(self, request: Mapping[str, JSON]) -> dict[str, JSON]:
        """Send a request, and give the answer.

        Raises:
            Broke: if there is none.

        """
        self._number += 1
        text = json.dumps({"id": self._number, **request}, ensure_ascii=False)
        self._requests.put(text.encode("utf-8", "replace") + b"\n")
        try:
            line = self._answers.get(timeout=self.patience)
        except Empty:
            self.close(at_once=True)
            raise Broke(f"no answer within {self.patience:g} seconds{self._words()}",
                        slow=True) from None
        if not line:
            raise Broke(self._ended())
        answer = self._parsed(line)
        if answer.get("id") != self._number:
            self.close(at_once=True)
            raise Broke(f"the answer has the id {quote(str(answer.get('id')))}, "
                        f"and the request {self._number}")
        return answer

    def _parsed(self, line: bytes) -> dict[str, JSON]:
        found: object = None
        if len(line) <= LONGEST_LINE:
            with suppress(ValueError, RecursionError):
                found = json.loads(line)
        if is_object(found):
            return found
        self.close(at_once=True)
        shown = quote(line[:60].decode("utf-8", "replace").strip())
        raise Broke(f"the answer is no object of JSON in one line: {shown}{self._words()}")

    def _ended(self) -> str:
        """Say how the program has ended."""
        self.close()
        code = self._process.returncode
        how = f"it ended with status {code}"
        if code < 0:
            with suppress(ValueError):
                how = f"it was ended by {signal.Signals(-code).name}"
        return how + self._words()

    def _words(self) -> str:
        """Give the last line that it has written to standard error."""
        lines = self._said.decode("utf-8", "replace").split("\n")
        last = next((line.strip() for line in reversed(lines) if line.strip()), "")
        return f"; it says {quote(last)}" if last else ""

    # ------------------------------------------------------------------------------- ending

    def close(self, *, at_once: bool = False) -> None:
        """End the program: let it read the end of its input first, unless `at_once`."""
        self._requests.put(None)
        try:
            self._process.wait(0 if at_once else GRACE)
        except subprocess.TimeoutExpired:
            self._kill()
            self._process.wait()
        self._kill()
        for thread in self._threads:
            thread.join(GRACE)

    def _kill(self) -> None:
        """End it, and what it has started."""
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
