"""Verdicts of absence beside findings: none stays that a finding of the same sentence denies."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import get_args

from ...model.machine.duties import Kind
from ..findings.results import Class, Finding, Harmless, Holds, NotChecked
from .roots import SETTLES

AS_DEFINED: Mapping[Class, str] = {
    "contradiction": "contradiction (clauses in force that leave no move and no result)",
    "doomed": "doomed (situations from which every way on breaks a limit)",
    "endless-loop": "endless-loop (beside players who agree to do nothing)",
}
"""What the name of a class would say too much of, beside findings of clauses that disagree."""
DUTIES = frozenset(get_args(Kind))
SILENCE = re.compile(r"(?P<aspect>[^/=:\s]+)/(?P<clause>[^/=:\s]+)")
"""What of a clause a question is about that the engine derives; of several it has a number, too."""


def undenied(
    findings: Iterable[Finding], harmless: Iterable[Harmless], holds: Iterable[Holds],
    not_checked: Iterable[NotChecked],
) -> tuple[list[Harmless], list[Holds], list[NotChecked]]:
    """Return what is harmless, what holds and what was not checked, without what findings deny.

    What is seen to fail is not harmless.  It does not hold that something never fails in a clause
    of which is asked what is to be done if it does, nor that words decide what somebody asks of the
    same clause.  What to do in a case that is seen to come up is not left open.
    """
    whole = [each for finding in findings for each in finding.whole]
    failing = {(name, each.identity.kind) for each in whole if each.identity is not None
               for name in each.clauses}
    asked = {(name, kind) for each in whole for name in each.clauses
             for kind in SETTLES.get(each.aspect, ())}
    declared = {name for each in whole for name in each.clauses
                if each.identity is not None and each.identity.kind == "declared"}

    def shown(point: str) -> bool:
        asked = SILENCE.match(point)
        return asked is not None and any(
            (asked["clause"], kind) in failing for kind in SETTLES.get(asked["aspect"], ()))

    def denied(one: Holds) -> bool:
        if one.kind == "decided":
            return one.open_point.startswith("how-often/") and one.clause in declared
        return one.kind in DUTIES and (one.clause, one.kind) in asked | failing

    return ([one for one in harmless if not shown(one.open_point)],
            [one for one in holds if not denied(one)],
            [one for one in not_checked if one.left == "point" or not shown(one.point)])
