"""Findings and errors as SARIF 2.1.0, for code scanning: rules are classes, places are spec files.

A finding points at its first clause where the spec has it; its other clauses, and the lines of the
rulebook, are related places.  `base` is put in front of the names of spec files (a bundled game's
files lie deeper than their display names say).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote as escape

from ...checker.findings.results import Finding, Report, Source
from ...model.lowering.compile import Compiled
from ...model.source.errors import CODES, Diagnostic, Place
from ..blocks.classes import WORDS, effect, words
from ..blocks.finding import following, how_far, smaller
from ..blocks.subject import Subject
from .document import json_text

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
LEVELS = {1: "error", 2: "error", 3: "warning", 4: "note", 5: "note"}

Json = Any


def sarif(report: Report, compiled: Compiled | None = None, *, base: str = "") -> str:
    """Write a verification's report."""
    subject = Subject(compiled)
    ids = [cls for cls in WORDS if any(f.cls == cls for f in report.findings)]
    results = [_result(finding, subject, ids, base) for finding in report.findings]
    failed = [f"{one.what}: {one.why}" for one in report.not_checked if one.failed]
    return _document(report.version, [_rule(cls) for cls in ids], results, failed)


def sarif_lint(
    version: str, errors: Sequence[Diagnostic], warnings: Sequence[Diagnostic], *, base: str = ""
) -> str:
    """Write what `lint` found."""
    codes = sorted({each.code for each in (*errors, *warnings)})
    rules = [
        {"id": code, "shortDescription": {"text": CODES[code]},
         "defaultConfiguration": {"level": "error"}}
        for code in codes
    ]  # fmt: skip
    results = [
        {
            "ruleId": each.code,
            "ruleIndex": codes.index(each.code),
            "level": level,
            "message": {"text": each.message + (f" ({each.help})" if each.help else "")},
            "locations": [{"physicalLocation": _physical(each.place, base)}],
        }
        for level, group in (("error", errors), ("warning", warnings))
        for each in group
    ]
    return _document(version, rules, results)


def _document(
    version: str, rules: Sequence[Json], results: Sequence[Json], failed: Sequence[str] = ()
) -> str:
    notes = [{"level": "error", "message": {"text": each}} for each in failed]
    ran = {"executionSuccessful": False, "toolExecutionNotifications": notes}
    made = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {"driver": {"name": "ruleproof", "version": version, "rules": rules}},
                "columnKind": "unicodeCodePoints",
                "results": results,
                **({"invocations": [ran]} if failed else {}),
            }
        ],
    }
    return json_text(made) + "\n"


def _rule(cls: str) -> Json:
    about = words(cls)
    return {
        "id": cls,
        "name": "".join(part.capitalize() for part in cls.split("-")),
        "shortDescription": {"text": about.name},
        "fullDescription": {"text": about.means},
        "help": {"text": about.helps},
        "defaultConfiguration": {"level": "warning"},
    }


def _result(finding: Finding, subject: Subject, ids: list[str], base: str) -> Json:
    named = [subject.clause(name) for name in finding.clauses]
    places = [clause.place for clause in named if clause is not None]
    names = [clause.id for clause in named if clause is not None]
    first = places[0] if places else _game_place(subject)
    made: dict[str, Json] = {
        "ruleId": finding.cls,
        "ruleIndex": ids.index(finding.cls),
        "level": "note" if finding.part else LEVELS[finding.level],
        "message": {"text": _message(finding)},
        "locations": [{"physicalLocation": _physical(first, base)}] if first else [],
        "partialFingerprints": {"finding/v2": finding.id},
        "properties": {"id": finding.id, "clauses": list(finding.clauses),
                       "observable": effect(finding), "only_smaller": finding.only_smaller,
                       "consequences": [{"id": each.id, "title": each.title}
                                        for each in finding.consequences]},
    }  # fmt: skip
    related = [
        {"physicalLocation": _physical(place, base), "message": {"text": name}}
        for place, name in zip(places[1:], names[1:], strict=False)
    ]
    related += [_book(source) for source in finding.sources]
    if related:
        made["relatedLocations"] = [{"id": n, **each} for n, each in enumerate(related, 1)]
    return made


def _message(finding: Finding) -> str:
    parts = [finding.title, smaller(finding), finding.explanation,
             *(": ".join(row) for row in finding.table[1:]),
             *(f"Settle with it: {following(each)}" for each in finding.consequences),
             how_far(finding)]
    told = (part if part.endswith("?") else part.rstrip(".") + "." for part in parts if part)
    return " ".join(told)


def _game_place(subject: Subject) -> Place | None:
    """Point at the game's main file, for findings that are about no clause."""
    if subject.game is None or not subject.game.clauses:
        return None
    folder = subject.game.clauses[0].place.file.rpartition("/")[0]
    return Place.start_of(f"{folder}/game.yaml" if folder else "game.yaml")


def _physical(place: Place, base: str) -> Json:
    region: dict[str, int] = {"startLine": place.line, "startColumn": place.column}
    if place.end_column > place.column:
        region["endColumn"] = place.end_column
    return {
        "artifactLocation": {"uri": escape(base + place.file, errors="replace")},
        "region": region,
    }


def _book(source: Source) -> Json:
    first, last = source.lines
    return {
        "physicalLocation": {
            "artifactLocation": {
                "uri": escape(source.file, errors="replace"),
                "uriBaseId": "RULEBOOK",
            },
            "region": {"startLine": first, "endLine": last},
        },
        "message": {"text": f"the rulebook's sentence behind {source.clause}"},
    }
