"""Documents as text: findings files (`ruleproof/findings-1`), there and back, and positions."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from ...checker.findings.results import Report
from ...model.plays.board import canonical_json
from ...model.source import inputs
from ...model.source.errors import UsageError, quote
from .older import with_data


def json_text(document: object) -> str:
    """Write a document, of types or of plain objects, as JSON with a line for each field."""
    return json.dumps(msgspec.to_builtins(document), indent=1, ensure_ascii=False)


def dump(report: Report) -> str:
    """Return the findings file of a report."""
    return json_text(report) + "\n"


def load(path: Path) -> Report:
    """Read a findings file.

    Raises:
        UsageError: it is none.

    """
    try:
        data = path.read_bytes()
        inputs.note_file(path, data)
        return with_data(msgspec.json.decode(data, type=Report))
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise UsageError(f"cannot read {quote(str(path))}: {reason}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{quote(str(path))} is no findings file: {error}") from None


def file_name(doc: Mapping[str, Any]) -> str:
    """Name the file of a position: its id, without what a file cannot be called."""
    name = str(doc["id"]).partition("/")[2] or str(doc["id"])
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:120] + ".json"


def pretty(doc: Mapping[str, Any]) -> str:
    """Write a position with a line for each of its fields, which diffs well."""
    rows = [f" {canonical_json(key)}: {canonical_json(value)}" for key, value in doc.items()]
    return "{\n" + ",\n".join(rows) + "\n}"
