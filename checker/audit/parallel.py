"""Units of work: each is done by itself, in processes side by side where that pays.

This is the one place where a failure is caught.  A unit that fails, is stopped, or is not begun in
time costs one line of what was not checked; what other units found stays, and they go on.  The
answers come back in the order of the questions, the same with one process and with several.

The worker processes are forks, so they share the explored states without copying them, and know the
questions by number.  They leave signals to their parent, which ends them.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, Unpack

import msgspec

from ...model.source.errors import TooManyChoicesError, TooMuchError
from ...model.stop import TOLD, Stop, leave_to_parent
from ..bench.answers import digest
from ..findings.observations import Observation
from ..findings.results import FAILED, Cause, Harmless, Holds, NotChecked, OpenKind
from ..search.checkpoint import CheckpointError
from .audit import Absence, Audit
from .listener import Listener

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

WORTH_FORKING = 20_000
"""Below this (questions times `_size`) it takes longer to start processes than to ask."""

T = TypeVar("T")
R = TypeVar("R")

ROOT = Path(__file__).resolve().parents[1]


@dataclass(frozen=True, slots=True)
class Found:
    """What one question added."""

    observed: tuple[Observation, ...]
    harmless: tuple[Harmless, ...]
    holds: tuple[Holds, ...]
    not_checked: tuple[NotChecked, ...]


@dataclass(frozen=True, slots=True)
class Attempt(Generic[R]):
    """The answer to a question, or why there is none."""

    value: R | None = None
    why: str = ""
    cause: Cause = ""


@contextmanager
def uncollected() -> Iterator[None]:
    """Look for garbage only where a question ends, and only among what it has made (`tidied`).

    Nearly all else that is made for a game is kept, and is too much to be looked through.
    """
    before = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if before:
            gc.enable()


def tidied(audit: Audit) -> None:
    """Let go of what was made for one question."""
    audit.bench.forget()
    if not gc.isenabled():
        gc.collect(0)


# ------------------------------------------------------------------------------------ one unit


def guarded(stop: Stop, work: Callable[[], R]) -> Attempt[R]:
    """Do one unit of work; whatever happens in it is told in the answer."""
    if stop.heed():
        return unbegun(stop)
    try:
        return Attempt(work())
    except BaseException as error:
        stopped = stop.heed()
        if not stopped and (not isinstance(error, Exception) or isinstance(error, CheckpointError)):
            raise
        return unbegun(stop) if stopped else failure(error)


def unbegun(stop: Stop) -> Attempt[R]:
    """Return that there is no answer, as the work was stopped before it."""
    return Attempt(None, TOLD[stop.cause], stop.cause)


def failure(error: BaseException) -> Attempt[R]:
    """Say in one line what went wrong inside, and where; or what is too much to look at."""
    if isinstance(error, TooManyChoicesError):
        return Attempt(None, f"{error}, which are not looked at one by one", "refused")
    if isinstance(error, TooMuchError):
        return Attempt(None, str(error), "refused")
    if os.environ.get("RULEPROOF_DEBUG") == "1":
        traceback.print_exception(error)
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if Path(frame.filename).is_relative_to(ROOT)]
    where = "".join(f" ({Path(frame.filename).relative_to(ROOT).as_posix()}:{frame.lineno})"
                    for frame in frames[-1:])
    words = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    return failed(f"{words}{where}")


def failed(how: str) -> Attempt[R]:
    """Return that there is no answer by a mistake of ours, and how that came about."""
    return Attempt(None, f"{FAILED}: {how}; please report this, with the spec", "failed")


def attempt(
    audit: Audit, what: str, work: Callable[[], R], **data: Unpack[Absence]
) -> R | None:
    """Do a part of a check; if nothing comes of it, list it as not checked, and give None."""
    answer = guarded(audit.stop, work)
    if answer.why:
        data["cause"] = answer.cause
        audit.unchecked(what, answer.why, **data)
    return answer.value


# ------------------------------------------------------------------------------------ many units


def ask_all(
    audit: Audit, ask: Callable[[Audit, T], object], questions: Sequence[T],
    name: Callable[[T], str], *, fork: bool = True, rank: Callable[[T], int] = lambda _: 0,
    about: Callable[[T], object] | None = None,
    prepare: Callable[[Sequence[T]], None] = lambda _: None, kind: OpenKind = "",
    lost: Callable[[T], Absence] = lambda _: {},
) -> None:
    """Ask every question, and add what comes of it to the audit in the order of the questions.

    Each question adds to the audit that it is given, which is as it is now.  `kind` is what a
    question is where it is not answered, `lost` what that is about; the rest is as of `answers`.
    """
    def answer(audit: Audit, question: T) -> Found:
        own = replace(audit, kept=None, observed=[], harmless=[], holds=[], not_checked=[],
                      known=tuple(audit.observed), listener=Listener(), told=set())
        ask(own, question)
        return Found(tuple(own.observed), tuple(own.harmless), tuple(own.holds),
                     tuple(own.not_checked))

    found = answers(audit, answer, questions, name, Found, fork=fork, rank=rank, about=about,
                    prepare=prepare)
    for question, each in zip(questions, found, strict=True):
        if each.value is None:
            data = lost(question).copy()
            data["cause"] = each.cause
            audit.unchecked(name(question), each.why, kind, **data)
            continue
        for observation in each.value.observed:
            audit.observe(observation)
        audit.harmless.extend(each.value.harmless)
        audit.holds.extend(each.value.holds)
        audit.not_checked.extend(each.value.not_checked)


def answers(
    audit: Audit, ask: Callable[[Audit, T], R], questions: Sequence[T], name: Callable[[T], str],
    kind: Any, *, fork: bool = True, rank: Callable[[T], int] = lambda _: 0,  # noqa: ANN401  (a type)
    about: Callable[[T], object] | None = None,
    prepare: Callable[[Sequence[T]], None] = lambda _: None,
) -> Iterator[Attempt[R]]:
    """Give the answer to each question, in their order; those that are kept are not asked again.

    Args:
        audit: the audit that is handed to each question.
        ask: gives an answer, which is picklable.
        questions: of any kind; they are not copied.
        name: what to call a question in a progress line, and where it is not answered.
        kind: the type of the answers: data, dataclasses and tuples.
        fork: whether the questions are long enough to be parted among processes.
        rank: those of the least rank are asked first, so that no end of the time loses them.
        about: data that an answer depends on beside the game, its settings and the name; if not
            given, that is all that was observed so far, and the place among the questions.
        prepare: makes what the questions share, if any is asked: it is given those.

    """
    def answer(number: int) -> Attempt[R]:
        found = guarded(audit.stop, lambda: ask(audit, questions[number]))
        if fork:
            tidied(audit)
        return found

    kept = audit.kept
    keys = _keys(audit, questions, name, about) if kept is not None else []
    done: dict[int, Attempt[R]] = {
        number: Attempt(msgspec.convert(data[0], kind)) for number, key in enumerate(keys)
        if kept is not None and isinstance(data := kept.get(key), list)}
    numbers = sorted((number for number in range(len(questions)) if number not in done),
                     key=lambda number: rank(questions[number]))
    if numbers:
        prepare([questions[number] for number in numbers])
        tidied(audit)
    told = len(done)
    pays = fork and len(numbers) * _size(audit) >= WORTH_FORKING
    source = _parted(audit, answer, numbers) if pays else (
        (number, answer(number)) for number in numbers)
    for number in range(len(questions)):
        while number not in done and not audit.stop.heed():
            try:
                place, found = next(source)
            except BaseException:
                if not audit.stop.heed():
                    raise
            else:
                if kept is not None and _is_whole(found):
                    data = kept.keep(keys[place], [found.value])
                    found = Attempt(msgspec.convert(data[0], kind))  # as it will be read
                done[place] = found
                told += 1
                audit.say(name(questions[place]))
                audit.listener.part(told / len(questions))
        yield done.pop(number) if number in done else unbegun(audit.stop)


def _keys(
    audit: Audit, questions: Sequence[T], name: Callable[[T], str],
    about: Callable[[T], object] | None,
) -> list[str]:
    """Name the answers by what they depend on, beside the game and its settings."""
    scopes = [each.explored for each in audit.scopes]
    if about is not None:
        return [f"{digest(scopes, about(each))} {name(each)}" for each in questions]
    known = digest(audit.observed, scopes, spec=audit.printed.game.spec_sha256)
    return [f"{known} {number} {name(each)}" for number, each in enumerate(questions)]


def _is_whole(answer: Attempt[Any]) -> bool:
    """Return whether nothing of an answer was lost, so that it need not be asked again."""
    told = answer.value.not_checked if isinstance(answer.value, Found) else ()
    return not answer.why and not any(one.cut_short or one.failed for one in told)


def _size(audit: Audit) -> int:
    """Estimate the work of a question, in situations: those explored, and those of the machine."""
    machine = audit.printed.compiled.machine
    explored = sum(scope.explored.states for scope in audit.scopes)
    return explored + 10 * sum(len(node.edges) for node in machine.nodes)


# ------------------------------------------------------------------------------------ processes


def _parted(
    audit: Audit, answer: Callable[[int], Attempt[R]], numbers: Sequence[int]
) -> Iterator[tuple[int, Attempt[R]]]:
    """Answer questions on a cluster, if there is one; on the cores what it leaves unanswered."""
    left = dict.fromkeys(numbers)
    for number, found in audit.cluster.answers(answer, numbers) if audit.cluster else ():
        del left[number]
        yield number, found
    workers = min(os.cpu_count() or 1, len(left), 8)
    if (workers < 2 and not audit.cluster) or not _may_fork():
        yield from ((number, answer(number)) for number in left)
        return
    for scope in audit.comparable() if left else ():
        # Compiled once, for all forks.
        scope.instance.program.succ(scope.instance.program.start()[0])
    yield from _crew(answer, list(left), workers)


def _may_fork() -> bool:
    return ("fork" in multiprocessing.get_all_start_methods()
            and not multiprocessing.current_process().daemon)


def _crew(
    answer: Callable[[int], Attempt[R]], numbers: Sequence[int], workers: int
) -> Iterator[tuple[int, Attempt[R]]]:
    """Answer questions on several cores, in any order; a worker that dies costs one answer."""
    context = multiprocessing.get_context("fork")
    waiting = deque(numbers)
    busy: dict[Connection[int, Any], tuple[Any, int]] = {}

    def give(process: Any, line: Connection[int, Any]) -> None:  # noqa: ANN401
        if not waiting:
            return
        number = waiting.popleft()
        try:
            line.send(number)
        except OSError:  # it has ended since it answered
            waiting.appendleft(number)
            hire()
        else:
            busy[line] = (process, number)

    def hire() -> None:
        ours, theirs = context.Pipe()
        process = context.Process(target=_work, args=(theirs, answer), daemon=True)
        process.start()
        theirs.close()
        staff.append(process)
        give(process, ours)

    staff: list[Any] = []
    gc.freeze()  # what is there is left alone, so that the forks share it
    try:
        for _ in range(workers):
            hire()
        while busy:
            for line in [each for each in wait(list(busy)) if each in busy]:
                process, number = busy.pop(line)
                try:
                    found = line.recv()
                except (EOFError, OSError):
                    process.join()
                    found = failed(f"its process ended by itself ({process.exitcode})")
                    if waiting:
                        hire()
                else:
                    give(process, line)
                yield number, found
    finally:
        gc.unfreeze()
        for process in staff:
            process.kill()
        for process in staff:
            process.join()


def _work(line: Connection[Any, int], answer: Callable[[int], object]) -> None:
    """Answer the questions whose numbers come in, until the parent ends."""
    leave_to_parent()
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()
    while True:
        line.send(answer(line.recv()))


def _end_with(parent: int) -> None:
    """End this process soon after its parent has ended, however that came about."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)
