"""Test positions of a game: where they are looked for, and what they are chosen for (`search`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from ...model.game.game import Settings
from ...model.stop import stoppable
from ..bench.answers import Answers, about, digest
from ..bench.cluster import Cluster
from ..bench.workbench import Workbench
from ..findings.results import Report
from .ahead import Asking
from .search import PositionSearch, Suite

MAX_STATES = 20_000
"""States that are explored of each scope, unless the user says otherwise."""


def positions(
    source: str, settings: Settings, *, scopes: tuple[str, ...] = (), most: int | None = None,
    max_states: int | None = None, seed: int = 0, report: Report | None = None,
    checkpoint: Path | None = None, cluster: Cluster | None = None,
    progress: Callable[[str], None] | None = None,
) -> Suite:
    """Choose and write test positions of a game.

    Args:
        source: a bundled name or a folder.
        settings: players, variants, rulings; its scope is not looked at.
        scopes: where to search; all scaled ones if empty.  `printed` is sampled, not explored.
        most: how many positions at most; those that show most come first.
        max_states: states to explore of each scope.
        seed: of the sampled plays.
        report: a verification of the same game, whose findings are to be shown.
        checkpoint: a file that keeps what is found out, from which a run of the same goes on.
        cluster: answers what it can ahead of the search; the positions are the same.
        progress: called with a line of text now and then.

    Raises:
        UsageError: for unknown scopes, variants, readings; a checkpoint of another run.
        SpecErrors: if the spec does not load.

    """
    bench = Workbench(source, replace(settings, scope="printed"), reduce=False)
    for name in scopes:
        bench.game(name)
    kept = None if checkpoint is None else Answers(checkpoint, about(
        bench.instance("printed").compiled, "positions", scopes=scopes, most=most,
        max_states=max_states, seed=seed, report=digest(report)))
    with stoppable() as stop:
        search = PositionSearch(
            bench, progress or (lambda _: None), stop, Asking(kept, cluster))
        looks = [(name, max_states or MAX_STATES, seed) for name in scopes or scaled(bench)]
        search.go_ahead([("looked", each) for each in looks])
        for each in looks:
            search.done(f"scope {each[0]}", partial(search.look, *each))
        if report is not None:
            search.done("the findings", partial(search.findings, report))
        return search.suite(most)


def scaled(bench: Workbench) -> tuple[str, ...]:
    """Name the scopes that are scaled down; the printed one if there are none."""
    known = bench.game("printed").scopes
    return tuple(name for name, scope in known.items() if scope.scaled) or ("printed",)
