"""Documents as text: findings files (`ruleproof/findings-1`), there and back, and positions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from ...checker.judge.results import (
    CLASSES,
    Coverage,
    Evidence,
    Explored,
    Finding,
    Frequency,
    Harmless,
    Holds,
    NotChecked,
    Outcome,
    Report,
    Source,
    WayOut,
)
from ...model.plays.board import canonical_json
from ...model.plays.documents import is_object
from ...model.source.errors import UsageError, quote

FORMAT = "ruleproof/findings-1"
Json = Any


def dump(report: Report) -> str:
    """Write the findings file of a report."""
    return json.dumps(report.as_json(), indent=1, ensure_ascii=False) + "\n"


def load(path: Path) -> Report:
    """Read a findings file.

    Raises:
        UsageError: it is none.

    """
    try:
        doc = json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read {quote(str(path))}: {error.strerror}") from None
    except ValueError:
        raise UsageError(f"{quote(str(path))} is no JSON file") from None
    if not is_object(doc) or doc.get("format") != FORMAT:
        raise UsageError(f"{quote(str(path))} is no findings file ({FORMAT})")
    try:
        return read(doc)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise UsageError(f"{quote(str(path))} is not as a findings file should be") from None


def file_name(doc: Mapping[str, Any]) -> str:
    """Name the file of a position: its id, without what a file cannot be called."""
    name = str(doc["id"]).partition("/")[2] or str(doc["id"])
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:120] + ".json"


def pretty(doc: Mapping[str, Any]) -> str:
    """Write a position with a line for each of its fields, which diffs well."""
    rows = [f" {canonical_json(key)}: {canonical_json(value)}" for key, value in doc.items()]
    return "{\n" + ",\n".join(rows) + "\n}"


def read(doc: Mapping[str, Json]) -> Report:
    """Make a report of a findings document; what is not as it should be raises."""
    return Report(
        doc["game"],
        doc.get("title", doc["game"]),
        doc["spec_sha256"],
        doc["version"],
        doc["settings"],
        tuple(_explored(each) for each in doc["explored"]),
        tuple(_finding(each) for each in doc["findings"]),
        tuple(Harmless(**each) for each in doc["harmless"]),
        tuple(Holds(**each) for each in doc["holds"]),
        tuple(NotChecked(**each) for each in doc["not_checked"]),
        Coverage(**doc["coverage"]),
        tuple(doc.get("questions", ())),
    )


def _explored(doc: Mapping[str, Json]) -> Explored:
    return Explored(**{**doc, "bounds": tuple(doc.get("bounds", ()))})


def _finding(doc: Mapping[str, Json]) -> Finding:
    if doc["class"] not in CLASSES:
        raise ValueError(doc["class"])
    return Finding(
        doc["id"],
        doc["class"],
        doc["title"],
        tuple(doc["clauses"]),
        tuple(Source(s["clause"], s["file"], _pair(s["lines"])) for s in doc["sources"]),
        _evidence(doc["evidence"]),
        doc["observable"]["level"],
        doc.get("explanation", ""),
        doc.get("open_point", ""),
        tuple(
            Outcome(r["id"], r["title"], r.get("outcome", ""), r.get("favours", ""))
            for r in doc.get("readings", ())
        ),
        _frequency(doc["frequency"]) if "frequency" in doc else None,
        tuple(_way_out(each) for each in doc.get("ways_out", ())),
    )


def _pair(value: Json) -> tuple[int, int]:
    first, last = value
    return int(first), int(last)


def _evidence(doc: Mapping[str, Json]) -> Evidence:
    return Evidence(
        doc["kind"],
        doc["method"],
        doc["scope"],
        tuple((each["reading"], each["play"]) for each in doc.get("plays", ())),
        doc.get("position"),
        tuple(doc.get("core", ())),
        doc.get("depth"),
        doc.get("at_printed_size"),
        doc.get("lifted", ""),
        doc.get("replayed", False),
        doc.get("details", {}),
    )


def _frequency(doc: Mapping[str, Json]) -> Frequency:
    return Frequency(
        doc["plays"],
        doc["seen"],
        doc.get("decides"),
        _share(doc["ci95"]),
        _share(doc["decides_ci95"]) if "decides_ci95" in doc else None,
    )


def _share(doc: Json) -> tuple[float, float]:
    low, high = doc
    return cast("tuple[float, float]", (low, high))


def _way_out(doc: Mapping[str, Json]) -> WayOut:
    return WayOut(
        doc["text"],
        doc.get("adopt", {}),
        tuple(doc.get("removes", ())),
        tuple(doc.get("adds", ())),
        doc.get("flips_positions"),
        doc.get("situations"),
        doc.get("scope", ""),
    )
