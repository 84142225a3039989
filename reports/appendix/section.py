"""A section of the appendix: lines for who reads the book, and lines that are only counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from ...checker.findings.results import Harmless, Holds


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that are counted by one line, and shown only to who asks for them.

    Of open questions `findings` has the number of the finding about each, 0 where there is none:
    these are named wherever they are counted.
    """

    counted: str
    lines: tuple[str, ...]
    findings: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the appendix: a title, its lines, and what is folded.

    `anchor` is what links to it name it by, if there are some, and `each` what they say of its
    lines.
    """

    title: str
    lines: tuple[str, ...]
    folds: tuple[Fold, ...] = ()
    anchor: str = ""
    each: str = ""


def by_method(some: Iterable[Harmless | Holds]) -> str:
    """Say how many were found by each method."""
    counted = Counter(each.method for each in some)
    return ", ".join(f"{number} {method}" for method, number in counted.items())
