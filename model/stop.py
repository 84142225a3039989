"""Stopping work wherever it is: Ctrl-C, SIGTERM, SIGHUP, and the end of the time.

Inside `stoppable` a stop raises `Stopped` in the main thread.  Three things could keep it from
coming through, and a thread beside the work takes care of them: a call into a C library, which ends
first (what is in `CANCEL` makes it end); code that catches every exception, and a destructor, which
swallow it (it is raised again until `heed` is called).  It is not raised inside a library that
counts references in its constructors (`WHOLE`), but when that library has returned.  A stop may
come out as another exception of the library that it hit, so whoever catches any exception asks
`heed` first.

Work that must not be cut in two holds stops off (`held`) and looks at `why` now and then.  Outside
the main thread, and where a signal is ignored already, signals are left alone.

Blocks of `stoppable` lie in each other.  A signal stops all of them, however deep it is taken, and
what has been heeded inside is heeded outside; the end of the time is of its own block, and of those
in it.
"""

from __future__ import annotations

import os
import select
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Literal

Cause = Literal["", "late", "interrupted"]
"""Why work is to stop: the end of the time, or a signal; "": it is not."""
INTERRUPTED = "it was interrupted"
TIME_UP = "the time was up"
TOLD: dict[Cause, str] = {"": "", "late": TIME_UP, "interrupted": INTERRUPTED}
"""The causes in words."""
STOPPED: tuple[Cause, ...] = ("interrupted", "late")

CANCEL: list[Callable[[], None]] = []
"""Called from another thread to end calls into C libraries that are under way."""

WHOLE: list[str] = []
"""Folders of libraries whose calls are never cut in two: half a constructor is a wrong count of
references, and a crash later."""

AGAIN = 0.4
"""Seconds, half more or less, after which a stop that nobody heeds is raised again."""
GOLDEN = (5 ** 0.5 - 1) / 2
"""Multiples of it, taken modulo one, never keep step with work that repeats itself."""

SIGNALS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP")
           if hasattr(signal, name)]
REPEAT: int = getattr(signal, "SIGALRM", 0)


class Stopped(KeyboardInterrupt):
    """The work is to stop now."""


class Stop:
    """Whether and why the work is to stop.

    The `deadline` is by the clock `time.monotonic`, which all processes share; `around` is the stop
    of the block that this one's lies in.
    """

    def __init__(self, deadline: float | None = None, around: Stop | None = None) -> None:
        self.deadline = deadline
        self.around = around
        self.pipe = -1
        """Where the watch is told of a signal."""
        self.holding = 0
        self.before: dict[int, Any] = {}
        """What took the signals before."""
        self._cause: Cause = ""
        self._heeded = threading.Event()
        self.closed = False

    def __reduce__(self) -> Any:  # noqa: ANN401  (as pickle wants it)
        left = None if self.deadline is None else self.deadline - time.monotonic()
        return _in_time, (left,)

    @property
    def cause(self) -> Cause:
        """Return why the work is to stop."""
        late = self.deadline is not None and time.monotonic() >= self.deadline
        if self.interrupted:
            return "interrupted"
        return self._cause or ("late" if late else self.around.cause if self.around else "")

    @property
    def why(self) -> str:
        """Say why the work is to stop; "" if it is not."""
        return TOLD[self.cause]

    @property
    def interrupted(self) -> bool:
        """Return whether a signal stops the work: one that came here, or around here."""
        return self._cause == "interrupted" or (self.around is not None and self.around.interrupted)

    def heed(self) -> Cause:
        """Take note of a stop, which is then raised no more; return why, "" if there was none."""
        cause = self.cause
        if cause:
            self._heeded.set()
            if self.around is not None:
                self.around.heed()
        return cause

    def pass_on(self) -> None:
        """Raise a stop that nobody has heeded."""
        if self.cause and not self._heeded.is_set():
            raise Stopped

    def take(self, number: int, frame: FrameType | None) -> None:
        """Take a signal; a second one from outside is let through, whatever goes on."""
        if number != REPEAT:
            second = self.interrupted
            self.interrupt()
            if second:
                handler = self.before.get(number)
                if not callable(handler):
                    raise KeyboardInterrupt
                handler(number, frame)
        if self.holding or self._heeded.is_set():
            return
        caller = _caller(frame)
        if caller is frame:
            raise Stopped
        if caller is not None:
            self._raise_in(caller)

    def interrupt(self) -> None:
        """Note a signal, here and in all blocks around."""
        self._cause = "interrupted"
        if self.around is not None:
            self.around.interrupt()

    def _raise_in(self, frame: FrameType) -> None:
        """Raise the stop in a frame as soon as what it has called is done."""
        before = sys.gettrace()

        def arrived(_frame: FrameType, _event: str, _value: object) -> None:
            sys.settrace(before)
            frame.f_trace = None
            self.pass_on()

        frame.f_trace = arrived
        sys.settrace(lambda _frame, _event, _value: None)

    def watch(self, pipe: int, main: int) -> None:
        """Wait for a signal or the deadline; then see to it that the work stops."""
        while not self.closed:
            left = None if self.deadline is None else max(0.0, self.deadline - time.monotonic())
            ready, _, _ = select.select([pipe], [], [], left)
            if not ready:
                self._cause = self._cause or "late"
                break
            if set(os.read(pipe, 64)) & {int(number) for number in SIGNALS}:
                break
        pause, times = 0.0 if self._cause == "late" else AGAIN, 0
        while not self.closed:
            for cancel in CANCEL:
                cancel()
            if self._heeded.wait(pause):
                return
            if not self.closed and not self.holding:
                signal.pthread_kill(main, REPEAT)
            times += 1
            pause = AGAIN * (0.5 + times * GOLDEN % 1)

    def close(self) -> None:
        """End the watch; what was taken here and not heeded is left to the watch around."""
        if self.around is not None and self.interrupted:
            with suppress(OSError):
                os.write(self.around.pipe, bytes([signal.SIGINT]))
        self._heeded.set()
        self.closed = True


def _in_time(left: float | None) -> Stop:
    """Return a stop in so many seconds: another machine has another clock."""
    return Stop(deadline_in(left))


def deadline_in(seconds: float | None) -> float | None:
    """Return when so many seconds will have passed, by the clock of `Stop`; None for None."""
    return None if seconds is None else time.monotonic() + seconds


def _caller(frame: FrameType | None) -> FrameType | None:
    """Return the frame that called a library whose calls are whole; the frame itself if none."""
    found, at = frame, frame
    while at is not None:
        if at.f_code.co_filename.startswith(tuple(WHOLE)):
            found = at.f_back
        at = at.f_back
    return found


_current: list[Stop] = []
"""The stops of the `stoppable` blocks that are open, the innermost last."""


@contextmanager
def stoppable(deadline: float | None = None) -> Iterator[Stop]:
    """Let signals and a deadline stop the work inside."""
    stop = Stop(deadline, _current[-1] if _current else None)
    if (threading.current_thread() is not threading.main_thread() or not REPEAT
            or not hasattr(signal, "pthread_kill")):
        yield stop
        return
    reading, stop.pipe = os.pipe()
    writing = stop.pipe
    os.set_blocking(writing, False)
    heard = [each for each in SIGNALS if signal.getsignal(each) not in (signal.SIG_IGN, None)]
    watcher = threading.Thread(
        target=stop.watch, args=(reading, threading.main_thread().ident), daemon=True)
    woken = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    hook, sys.unraisablehook = sys.unraisablehook, _quiet(sys.unraisablehook)
    stop.holding += 1
    stop.before = {each: signal.signal(each, stop.take) for each in (*heard, REPEAT)}
    watcher.start()
    _current.append(stop)
    try:
        stop.holding -= 1
        yield stop
    finally:
        while not stop.closed:
            with suppress(Stopped):
                stop.close()
        _current.pop()
        with suppress(BlockingIOError):
            os.write(writing, b"\0")
        watcher.join()
        for each, handler in stop.before.items():
            signal.signal(each, handler)
        signal.set_wakeup_fd(woken)
        sys.unraisablehook = hook
        stop.pipe = -1
        os.close(reading)
        os.close(writing)


def interrupted() -> bool:
    """Return whether a signal has come in the blocks that are open, also if it was heeded."""
    return bool(_current) and _current[-1].interrupted


def _quiet(hook: Callable[[sys.UnraisableHookArgs], object]) -> Callable[
        [sys.UnraisableHookArgs], None]:
    """Say nothing of a stop that a destructor swallowed: it comes again."""
    def told(problem: sys.UnraisableHookArgs) -> None:
        if not issubclass(problem.exc_type, Stopped):
            hook(problem)

    return told


@contextmanager
def held() -> Iterator[Stop]:
    """Hold stops off until the end of the block; who asks for its `why` has heeded it."""
    if not _current or threading.current_thread() is not threading.main_thread():
        with stoppable() as stop:
            stop.holding += 1
            yield stop
        return
    stop = _current[-1]
    stop.holding += 1
    try:
        yield stop
    finally:
        stop.holding -= 1
        stop.heed()


def come_through() -> None:
    """Raise the stop that is waiting, if there is one; called when a library has returned."""
    if _current and not _current[-1].holding:
        _current[-1].pass_on()


def leave_to_parent() -> None:
    """Leave signals to the process that this one was forked from; call it first in a fork."""
    _current.clear()
    with suppress(ValueError):
        signal.set_wakeup_fd(-1)
    for each in SIGNALS:
        signal.signal(each, signal.SIG_IGN if each == signal.SIGINT else signal.SIG_DFL)
