"""Where a finding comes from: a question that the spec asks, or one that was derived."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.plays.wording import many
from ...model.silences.aspects import ASPECTS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ...checker.findings.results import Finding
    from .subject import Subject

DECLARED = "declared"
"""What is asked by an open point of the spec."""


def is_declared(finding: Finding) -> bool:
    """Return whether a finding is about a question that the spec asks."""
    return finding.identity is not None and finding.identity.kind == DECLARED


def origin(finding: Finding, subject: Subject) -> str:
    """Say who asked: whoever wrote the spec, or ruleproof; and what both ask."""
    if not is_declared(finding):
        return "ruleproof derived this from the clauses; the spec does not ask it"
    told = (f"the spec asks this (open point `{finding.open_point}`); that its answers differ, "
            "and where, was computed")
    too = dict.fromkeys(ASPECTS[aspect].asks for name in finding.clauses
                        if (clause := subject.clause(name)) is not None for aspect in clause.asked)
    return f"{told}; part of it would be derived as well: {', '.join(too)}" if too else told


def origins(findings: Sequence[Finding]) -> str:
    """Say how many findings are about questions of the spec; "" if none is."""
    asked = sum(map(is_declared, findings))
    rest = len(findings) - asked
    if not asked:
        return ""
    return (f"of all {many(len(findings), 'finding')}, {asked or 'none'} "
            f"{'is' if asked == 1 else 'are'} about questions that the spec asks, and "
            f"{rest or 'none'} {'was' if rest == 1 else 'were'} derived from the clauses alone")
