"""Clauses that do nothing: never in force, without effect, or covered by others.

A clause is tested by taking it out: if the game without it cannot be told from the game with it, in
any reachable situation of any scope, it does nothing there.  Three cases: it was never in force
(`dead`), it was but changed nothing (`inert`), or it ruled something out that others rule out too
(`redundant`; then one of these suffices, and nothing says which to drop).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..model.errors import SpecErrors, UsageError
from ..model.interp import EndlessRules
from .diverge import HIDDEN, diverge
from .evidence import sources_of
from .parallel import ask_all
from .results import Evidence, Finding, NotChecked

if TYPE_CHECKING:
    from ..model.game import Clause
    from .audit import Audit
    from .results import Class

PAIRS = 60_000


def run(audit: Audit) -> None:
    """Take out every clause that acts, one at a time."""
    questions = [clause.id for clause in audit.printed.game.clauses
                 if clause.in_force and acts(clause)]
    ask_all(audit, without, questions, lambda clause: f"without {clause}")


def acts(clause: Clause) -> bool:
    """Say whether a clause has an effect of its own that could be missed."""
    if clause.define or clause.claim is not None or clause.example is not None:
        return False
    return (clause.do is not None or clause.always is not None or clause.ensure is not None
            or bool(clause.must) or (clause.kind == "forbid" and bool(clause.on)))


def _exercised(audit: Audit) -> set[str]:
    """Name the clauses whose bodies ran in some scope."""
    found: set[str] = set()
    for scope in audit.scopes:
        cover = scope.exploration.result().coverage
        if cover is not None:
            found |= cover.clauses
    return found


def without(audit: Audit, name: str) -> None:
    """Take out one clause."""
    clause = next(c for c in audit.printed.game.clauses if c.id == name)
    whole = True
    change = {"drop": [clause.id]}
    for scope in audit.comparable():
        try:
            other = audit.bench.instance(scope.name, changes=(change,))
            found = diverge(scope.instance.program, other.program, limit=PAIRS, stop_at=HIDDEN)
        except (SpecErrors, UsageError):
            audit.not_checked.append(NotChecked(
                f"whether {clause.id} does anything", "other entries of the spec need it"))
            return
        except EndlessRules:
            return
        if found.splits:
            return
        whole = whole and found.complete
    if not whole:
        audit.not_checked.append(NotChecked(
            f"whether {clause.id} does anything", "not everything was explored"))
        return
    _report(audit, clause, ran=clause.id in _exercised(audit))


def _report(audit: Audit, clause: Clause, *, ran: bool) -> None:
    game = audit.printed.game
    names = ", ".join(scope.name for scope in audit.comparable())
    cls: Class
    if clause.do is None or clause.ensure is not None or clause.always is not None:
        cls, title = "redundant-clause", f"it rules nothing out that is not ruled out without it: {clause.says}"
        if not _ever_bars(audit, clause):
            cls, title = "dead-clause", f"it never has anything to rule out: {clause.says}"
    elif ran:
        cls, title = "inert-clause", f"it changes nothing whenever it applies: {clause.says}"
    else:
        cls, title = "dead-clause", f"it never applies: {clause.says}"
    others = _covers(audit, clause) if cls == "redundant-clause" else ()
    clauses = (clause.id, *others)
    audit.add(Finding(
        f"{game.id}/{cls}/{clause.id}", cls, title, clauses, sources_of(game, clauses),
        Evidence("coverage", "exhaustive", names, core=clauses), 5,
        explanation="one of these suffices: " + ", ".join(clauses) if others else
        "the game without this clause is the same game, in every reachable situation of these scopes"))


def _ever_bars(audit: Audit, clause: Clause) -> bool:
    """Say whether the clause rules a move out, or judges a step, anywhere in the smallest scopes."""
    if clause.ensure is not None:
        return clause.id in _exercised(audit)
    for scope in audit.scopes:
        judge, program = scope.instance.interpreter, scope.instance.program
        for packed in scope.exploration.order[:3000]:
            for verdict in judge.candidates(program.unpack(packed)):
                if any(c.clause == clause.id for c in verdict.failing):
                    return True
                if any(limit.clause == clause.id for limit in verdict.broken):
                    return True
    return False


def _covers(audit: Audit, clause: Clause) -> tuple[str, ...]:
    """Name the clauses that rule out whatever this one rules out."""
    found: dict[str, None] = {}
    for scope in audit.scopes:
        judge, program = scope.instance.interpreter, scope.instance.program
        for packed in scope.exploration.order[:3000]:
            for verdict in judge.candidates(program.unpack(packed)):
                names = [c.clause for c in verdict.failing] + [b.clause for b in verdict.broken]
                if clause.id in names:
                    found.update(dict.fromkeys(n for n in names if n and n != clause.id))
    return tuple(found)[:6]
