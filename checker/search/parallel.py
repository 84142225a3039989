"""Independent questions, asked on all cores; the answers come back in the order of the questions.

The worker processes are forks, so they share the explored states without copying them.  Where there
is no fork, or one core, the questions are asked one after the other, with the same result.
"""

from __future__ import annotations

import multiprocessing
import os
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar, cast

from ...model.solver.solving import TIME_UP
from ..judge.results import NotChecked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from ..judge.audit import Audit
    from ..judge.results import Finding, Harmless, Holds

T = TypeVar("T")
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Found:
    """What one question added."""

    findings: list[Finding]
    harmless: list[Harmless]
    holds: list[Holds]
    not_checked: list[NotChecked]


class _Worker:
    """The audit and the function of this process; set once, when a worker starts."""

    audit: Audit
    ask: Callable[..., object]


def ask_all(
    audit: Audit, ask: Callable[[Audit, T], None], questions: Sequence[T],
    name: Callable[[T], str],
) -> None:
    """Ask every question, and add what comes of it to the audit in the order of the questions.

    Args:
        audit: the audit; each question sees it as it is now.
        ask: adds to the audit that it is given.
        questions: picklable.
        name: what to call a question in a progress line.

    """
    for found in answers(audit, partial(_ask, ask, name), questions, name):
        _keep(audit, found)


def answers(
    audit: Audit, ask: Callable[[Audit, T], R], questions: Sequence[T], name: Callable[[T], str],
) -> Iterator[R]:
    """Give the answer to each question, in their order; the answers are picklable."""
    for scope in audit.comparable():
        # Compiled once, for all forks.
        scope.instance.program.succ(scope.instance.program.start()[0])
    workers = min(os.cpu_count() or 1, len(questions), 8)
    if workers > 1 and "fork" in multiprocessing.get_all_start_methods():
        context = multiprocessing.get_context("fork")
        with ProcessPoolExecutor(workers, context, _start, (audit, ask)) as pool:
            for question, found in zip(questions, pool.map(_answer, questions), strict=True):
                audit.say(name(question))
                yield cast("R", found)
        return
    for question in questions:
        audit.say(name(question))
        yield ask(audit, question)


def _keep(audit: Audit, found: Found) -> None:
    for finding in found.findings:
        audit.add(finding)
    audit.harmless.extend(found.harmless)
    audit.holds.extend(found.holds)
    audit.not_checked.extend(found.not_checked)


def _start(audit: Audit, ask: Callable[..., object]) -> None:
    _Worker.audit, _Worker.ask = audit, staticmethod(ask)
    threading.Thread(target=_end_with, args=(os.getppid(),), daemon=True).start()


def _end_with(parent: int) -> None:
    """End this process soon after its parent has ended, however that came about."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(1)


def _answer(question: object) -> object:
    return _Worker.ask(_Worker.audit, question)


def _ask(
    ask: Callable[[Audit, T], None], name: Callable[[T], str], audit: Audit, question: T
) -> Found:
    if audit.late:
        return Found([], [], [], [NotChecked(name(question), TIME_UP)])
    own = replace(audit, findings=[], harmless=[], holds=[], not_checked=[],
                  known=tuple(audit.findings), say=lambda _: None)
    ask(own, question)
    audit.bench.forget()
    return Found(own.findings, own.harmless, own.holds, own.not_checked)
