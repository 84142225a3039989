"""The parts of a report behind its main list: what is likely to be answered without the author."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...checker.findings.results import Report


@dataclass(frozen=True, slots=True)
class Part:
    """A heading, what stands under it, and how that is counted.

    `one` and `several` go behind a number in a sentence, and `noun` behind one in a headline.
    """

    title: str
    why: str
    one: str
    several: str
    noun: str


PARTS: Mapping[str, Part] = {
    "readers": Part(
        "Likely to be read alike",
        "The book does not decide these, but its words lean to the answer that stands first.",
        "is likely to be read alike", "are likely to be read alike", "likely to be read alike"),
    "cards": Part(
        "What the cards may answer",
        "The book leaves these to its cards, and does not print what they say: see whether they "
        "answer it. What is shown rests on what is assumed of them.",
        "may be answered by the cards", "may be answered by the cards",
        "that the cards may answer"),
    "smaller": Part(
        "Only in a smaller game",
        "A game with fewer cards shows these. None was seen in the printed game.",
        "is known of a smaller game only", "are known of a smaller game only",
        "only in a smaller game"),
}
"""The parts by `Finding.part`, in their order."""


def begins(report: Report, number: int) -> Part | None:
    """Return the part that begins with the finding of a number, from 1 on; None if none does."""
    before, here = ("" if at < 0 else report.findings[at].part for at in (number - 2, number - 1))
    return PARTS.get(here) if here != before else None


def by_place(report: Report) -> tuple[tuple[tuple[int, int], tuple[int, ...]], ...]:
    """Return the lines of the book that findings are about, in its order, with their numbers.

    What stands on one passage is mended there together.
    """
    found: dict[tuple[int, int], dict[int, None]] = {}
    for number, finding in enumerate(report.findings, 1):
        for source in finding.sources:
            found.setdefault(source.lines, {})[number] = None
    return tuple((lines, tuple(numbers)) for lines, numbers in sorted(found.items()))


def counted(report: Report) -> tuple[tuple[Part, int], ...]:
    """Return the parts that have findings, and how many."""
    return tuple((part, number) for name, part in PARTS.items()
                 if (number := sum(each.part == name for each in report.findings)))
