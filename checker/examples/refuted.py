"""Readings that the book itself rules out: those under which one of its worked examples fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.run.interp import EndlessRules
from ...model.source.errors import SpecErrors, UsageError
from ..judge.results import Holds
from .examples import check_example, instance_of

if TYPE_CHECKING:
    from ...model.game.game import Clause
    from ..judge.audit import Audit


def refuting(audit: Audit, point: str, reading: str) -> Clause | None:
    """Return an example that holds as the game is played, and fails under a reading; None if none.

    All other points are as they are ruled, and passes are made as they fit.  An example of which
    it is unclear how it goes on, or that cannot be set up under the reading, rules nothing out.
    """
    for clause in audit.printed.game.clauses:
        if clause.example is None or not clause.in_force:
            continue
        try:
            here, there = (
                check_example(instance_of(audit.bench, clause.id, clause.example, some),
                              clause.example, passing=bool(some))
                for some in ({}, {point: reading}))
        except (SpecErrors, UsageError, EndlessRules):
            continue
        if not here.wrong and there.wrong and (there.number or there.end) and not there.unclear:
            return clause
    return None


def told(asks: str, answer: str, clause: Clause) -> Holds:
    """Say that an example rules out an answer to a question, and where it stands."""
    assert clause.example is not None
    where = "" if clause.lines is None else f" in line {clause.lines[0]}"
    return Holds(
        clause.id, f"an answer is ruled out: {asks} — not “{answer}”: with all else as it is "
        f"played here, the example{where} would fail", "exhaustive", clause.example.scope)
