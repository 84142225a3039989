"""Where a clause, or a change of clauses, can make a difference at all: what exploration covered.

A complete exploration takes every legal move and runs every body whose turn comes.  What it never
ran cannot be missed there when it is taken out, nor can it be told from another text of the same
body; so the scope need not be explored again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ...model.game.game import Clause
    from ..judge.audit import Audit, Scoped

BODY = frozenset({"do", "otherwise", "says", "uses", "fires"})
"""The fields of a clause that do nothing where its body does not run."""
OF_CLAUSES = frozenset({"id", "title", "changes", "drop"})
"""What a reading may hold if all that it does is to change or take out clauses."""


def noticing(audit: Audit, clause: Clause) -> list[Scoped]:
    """List the scopes in which taking out a clause may be noticed, those where it runs first."""
    scopes = [scope for scope in audit.comparable() if may_be_missed(scope, clause)]
    return sorted(scopes, key=lambda scope: not ran(scope, clause.id))


def ran(scope: Scoped, clause: str) -> bool:
    """Return whether a clause's body ran, or its option was taken."""
    cover = scope.exploration.result().coverage
    return cover is None or clause in cover.clauses


def may_be_missed(scope: Scoped, clause: Clause) -> bool:
    """Return whether taking out a clause could change anything in a scope."""
    means = bool(clause.overrides or clause.define)
    if not scope.finished or means or ran(scope, clause.id):
        return True
    judges = clause.ensure is not None or clause.always is not None or clause.kind == "forbid"
    if judges or clause.must:
        return clause.always is not None or entered(scope, clause.on.split(".")[0])
    return False


def entered(scope: Scoped, name: str) -> bool:
    """Return whether play came to a step or a window."""
    cover = scope.exploration.result().coverage
    machine = scope.instance.compiled.machine
    return cover is None or any(
        edge.id in cover.edges for node in machine.nodes if node.step == name
        for edge in node.edges)


def may_differ(scope: Scoped, reading: Mapping[str, Any], clauses: Mapping[str, Clause]) -> bool:
    """Say whether a reading (a list of changes, as the spec gives it) could matter in a scope."""
    if not scope.finished or not reading.keys() <= OF_CLAUSES:
        return True
    dropped = [clauses.get(name) for name in reading.get("drop") or ()]
    if any(clause is None or may_be_missed(scope, clause) for clause in dropped):
        return True
    changes: Mapping[str, Any] = reading.get("changes") or {}
    return any(
        name not in clauses or not set(fields) <= BODY or ran(scope, name)
        for name, fields in changes.items())
