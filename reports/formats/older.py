"""Findings files of versions that told what was not checked in sentences alone: their data.

This is the one place where a sentence is taken apart; everything else reads the data.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from ...checker.findings.results import Cause, Harmless, NotChecked, Report
from ...model.game.game import PRINTED

CAUSES: dict[str, Cause] = {
    "not asked for": "unasked", "the time was up": "late", "it was interrupted": "interrupted"}
FAILED = "internal error"
UNFIT = re.compile(r"the variant `(\w+)` is not for this game\b.*")
CLASH = re.compile(r"(?:[\w:/ -]+: )?RP\d{3} .*")
WHOLE_POINT = "open point "
PLACE = re.compile(r" (?:in|with) |: ")
"""What parts a point from the game in which it was left open, or from what it asks."""
SCOPES = re.compile(r".* scopes? (.+)")
LOST = re.compile(r"what the print has lost in lines? (\d+)(?: to (\d+))? of the book")
HELD = re.compile(r"the (claim|limit) (\S+)(.*)")
PHRASES = re.compile(r"phrases of (\S+)")
MODE = re.compile(r"(?:, and)? in the mode .*| with \d+ players?$")
"""What says in the scope of a claim in which mode, or for how many players, it is decided."""
EVERY = re.compile(r"\ball \d+ scopes\b")
NUMBERED = re.compile(r"\bwith (\d+) players?\b")
CLASSES = "findings of "
CLAIMS, EXAMPLE = "whether these claims are true: ", "the example "


def with_data(report: Report) -> Report:
    """Return a report whose lines have their data; one of which any line has some as it is.

    Modes of what holds came later.
    """
    if not any(one.mode for one in report.holds):
        report = replace(report, holds=tuple(
            replace(one, mode="".join(MODE.findall(one.scope)))
            if one.kind in ("claim", "limit") else one for one in report.holds))
    if (any(one != NotChecked(one.what, one.why, one.kind) for one in report.not_checked)
            or any(one.classes for one in report.holds)
            or any(one.scopes for one in report.harmless)):
        return report
    names = [one.scope for one in report.explored]
    return replace(
        report, harmless=tuple(_looked_at(one, names) for one in report.harmless),
        holds=tuple(replace(one, classes=_classes(one.what)) if one.kind == "none" else one
                    for one in report.holds),
        not_checked=tuple(replace(one, **{"cause": _cause(one), **_data(one)})
                          for one in report.not_checked))


def _looked_at(one: Harmless, names: Iterable[str]) -> Harmless:
    """Read in which scopes something was looked at, and which numbers of players are named."""
    told = EVERY.sub(" ".join(names), one.why)
    found = [name for name in names
             if re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", told)]
    found += [PRINTED] * (PRINTED in one.why and PRINTED not in found)
    return replace(one, scopes=tuple(found),
                   players=tuple(sorted({int(each) for each in NUMBERED.findall(one.why)})))


def _classes(what: str) -> tuple[str, ...]:
    """Return the classes of which nothing was found; in brackets may stand what is meant."""
    return tuple(each.partition(" ")[0]
                 for each in re.split(r", (?![^(]*\))", what.partition(": ")[2]))


def _cause(one: NotChecked) -> Cause:
    if one.why.startswith(FAILED):
        return "failed"
    return CAUSES.get(one.why) or ("answered" if not one.kind and one.what.endswith("?") else "")


def _data(one: NotChecked) -> dict[str, Any]:
    match one.kind:
        case "question":
            return _question(one)
        case "lost" if found := LOST.match(one.what):
            return {"lines": (int(found[1]), int(found[2] or found[1]))}
        case "claims":
            return {"clauses": tuple(one.what.removeprefix(CLAIMS).split(", "))}
        case "example":
            return {"clauses": (one.what.removeprefix(EXAMPLE),)}
        case "scopes" if found := SCOPES.match(one.what):
            return {"scopes": tuple(found[1].split(", "))}
        case "" if found := HELD.fullmatch(one.what):
            return {"left": found[1], "clauses": (found[2],), "mode": found[3]}
        case "" if found := PHRASES.fullmatch(one.what):
            return {"left": "phrases", "clauses": (found[1],)}
        case "" if one.what.startswith(CLASSES) and _cause(one) == "unasked":
            return {"left": "classes",
                    "classes": tuple(one.what.removeprefix(CLASSES).split(", "))}
    return {}


def _question(one: NotChecked) -> dict[str, Any]:
    point = PLACE.split(one.what.removeprefix(WHOLE_POINT))[0].partition("=")[0].strip()
    if one.what.startswith(WHOLE_POINT):
        return {"point": point, "left": "point"}
    if found := UNFIT.match(one.why):
        return {"point": point, "cause": "unfit", "modes": (found[1],)}
    if CLASH.match(one.why):
        return {"point": point, "cause": "clash"}
    return {"point": point, "asks": one.why.rpartition(": ")[0]}
