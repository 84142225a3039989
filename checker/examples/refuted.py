"""Readings that the book itself rules out: those under which one of its worked examples fails."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.run.interp import EndlessRules
from ...model.source.errors import SpecErrors, UsageError
from ..findings.results import Holds
from .examples import check_example, instance_of

if TYPE_CHECKING:
    from ...model.game.game import Clause, Game
    from ..judge.audit import Audit


def refuting(audit: Audit, point: str, reading: str) -> Clause | None:
    """Return an example that holds as the game is played, and fails under a reading; None if none.

    All other points are as they are ruled, and passes are made as they fit.  An example of which
    it is unclear how it goes on, or that cannot be set up under the reading, rules nothing out; nor
    does one in which nothing is at work that the reading changes.
    """
    rulings = {point: reading}
    for clause in audit.printed.game.clauses:
        example = clause.example
        if example is None or not clause.in_force:
            continue
        try:
            held = _at_work(audit, clause)
            here, there = (audit.bench.game(example.scope, rulings=each)
                           for each in (None, rulings))
            if not held or not _changes(here, there, held):
                continue
            found = check_example(
                instance_of(audit.bench, clause.id, example, rulings), example, passing=True)
        except (SpecErrors, UsageError, EndlessRules):
            continue
        if found.wrong and (found.number or found.end) and not found.unclear:
            return clause
    return None


def _at_work(audit: Audit, clause: Clause) -> frozenset[str]:
    """Return the clauses at work in an example as the game is played; none if it does not hold."""
    if clause.id not in audit.worked:
        assert clause.example is not None
        found = check_example(
            instance_of(audit.bench, clause.id, clause.example), clause.example)
        audit.worked[clause.id] = frozenset() if found.wrong else found.touched | {clause.id}
    return audit.worked[clause.id]


def _changes(here: Game, there: Game, held: frozenset[str]) -> bool:
    """Return whether one of two games has a clause, or a term, that the other has in other words.

    Of what both have it is asked only whether it is among some clauses.
    """
    one, two = ({c.id: c for c in game.clauses if c.in_force} for game in (here, there))
    return any(
        name not in one or one[name].define or name in held
        for name in one.keys() | two.keys()
        if one.get(name) is not two.get(name) and one.get(name) != two.get(name))


def told(asks: str, answer: str, clause: Clause) -> Holds:
    """Say that an example rules out an answer to a question, and where it stands."""
    assert clause.example is not None
    where = "" if clause.lines is None else f" in line {clause.lines[0]}"
    return Holds(
        clause.id, f"an answer is ruled out: {asks} — not “{answer}”: with all else as it is "
        f"played here, the example{where} would fail", "exhaustive", clause.example.scope)
