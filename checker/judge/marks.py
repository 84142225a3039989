"""Marks of a defect: what a machine shows when it is played, without the play that shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .results import Class, Finding, Identity


@dataclass(frozen=True, slots=True, order=True)
class Mark:
    """Something that play shows: its class, the last part of its id, what exactly.

    Of an obligation that fails `identity` says what it is, and `what` only tells it.
    """

    cls: Class
    name: str
    what: str = ""
    identity: Identity | None = None


def is_about(finding: Finding, mark: Mark) -> bool:
    """Return whether a finding reports a mark."""
    name = finding.id.split("/", 2)[2]
    if finding.cls != mark.cls:
        return False
    if finding.identity is not None or mark.identity is not None:
        return finding.identity == mark.identity
    if mark.what:
        return name.startswith(mark.name) and " ".join(finding.evidence.core) == mark.what
    return name == mark.name
