"""Going ahead of a search on other machines: what it will ask is answered before it gets there.

The search asks one question after the other, each with what came of those before.  A worker takes
a copy of it as it stands, does one of its next steps, and hands back what it was asked on the way
(`Noted`).  Then the search goes as it would alone, and meets these answers: a question is named by
all that its answer depends on, so one that has turned out otherwise by then is just not met.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, Generic, TypeVar

from ..bench.answers import Answers, digest
from ..bench.cluster import Cluster

S = TypeVar("S")

Step = tuple[str, tuple[object, ...]]
"""The name of a method of the search, and its arguments."""


class Noted:
    """The answers of one step, in the place of a checkpoint: none is known before."""

    def __init__(self) -> None:
        self.made: dict[str, bytes] = {}

    def get(self, key: str) -> Any:  # noqa: ANN401  (data)
        """Return an answer that was given already; None if there is none."""
        return pickle.loads(self.made[key]) if key in self.made else None  # noqa: S301  (ours)

    def keep(self, key: str, answer: object) -> Any:  # noqa: ANN401  (data)
        """Note an answer as it is now: who has asked may write more into it."""
        self.made[key] = pickle.dumps(answer)
        return answer


class Ahead(Generic[S]):
    """Does steps of a search by number, each on a copy.

    `copy` makes the search as it stands, with what notes its answers; it is picklable.
    """

    def __init__(self, copy: Callable[[Noted], S], steps: Sequence[Step]) -> None:
        self._copy, self._steps = copy, steps

    def __call__(self, number: int) -> dict[str, bytes]:
        """Do a step; whatever fails in it will fail again in the search, and is told there."""
        noted = Noted()
        name, arguments = self._steps[number]
        with suppress(Exception):
            getattr(self._copy(noted), name)(*arguments)
        return noted.made


class Asking:
    """How a search comes by its answers: from an earlier run, from who goes ahead, or by work."""

    def __init__(
        self, kept: Answers | Noted | None = None, cluster: Cluster | None = None
    ) -> None:
        self.cluster = cluster
        self._kept = kept
        self._early: dict[str, bytes] = {}

    def known(self, question: tuple[object, ...], work: Callable[[], Any]) -> Any:  # noqa: ANN401
        """Answer a question with data; its parts name all that the answer depends on."""
        if self._kept is None and not self._early:
            return work()
        key = digest(*question)
        found = None if self._kept is None else self._kept.get(key)
        if found is None:
            early = self._early.pop(key, None)
            found = [work()] if early is None else pickle.loads(early)  # noqa: S301  (ours)
            found = found if self._kept is None else self._kept.keep(key, found)
        return found[0]

    def go_ahead(
        self, copy: Callable[[Noted], object], steps: Sequence[Step], say: Callable[[str], None]
    ) -> None:
        """Have the cluster answer what steps will ask; what it leaves is for them."""
        self._early.clear()
        there = self.cluster.answers(Ahead(copy, steps), range(len(steps))) if self.cluster else ()
        for number, (_, made) in enumerate(there, 1):
            say(f"{number} of {len(steps)} steps are answered ahead")
            self._early |= made
