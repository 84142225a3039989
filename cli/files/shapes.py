"""The shapes of our files, as JSON Schemas, and what strangers write held against them."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from jsonschema import Draft202012Validator, validators
from jsonschema.exceptions import best_match

from ...checker.conform.results import Conformance
from ...checker.editions.results import EditionDiff
from ...checker.findings.results import Report
from ...checker.questions.results import Questionnaire, RulingsFile
from ...model.plays.documents import DocumentError
from ...model.source.errors import Reporter, UsageError, quote
from ...model.source.json_file import read_json
from ...reports.formats.document import json_text

FILES: dict[str, tuple[str, tuple[str, ...]]] = {
    "game": ("ruleproof.spec", ("schema.json",)),
    "play": ("ruleproof.reports", ("schemas", "play_schema.json")),
    "position": ("ruleproof.reports", ("schemas", "position_schema.json")),
}

MADE: dict[str, type] = {
    "findings": Report, "conform": Conformance, "diff": EditionDiff,
    "questions": Questionnaire, "rulings": RulingsFile,
}
"""Documents that are described by the types that they are."""

SCHEMAS = ("game", "findings", "play", "position", "conform", "diff", "questions", "rulings")

KEYWORDS = ("$ref", "anyOf", "items", "prefixItems", "properties", "type")
"""What a schema says of types.  What else it says is told with the place in the play, or is more
than a reader needs."""

KINDS = {
    "object": "an object", "array": "a list", "string": "text", "integer": "a whole number",
    "number": "a number", "boolean": "a truth value", "null": "null",
}


def schema_text(which: str) -> str:
    """Return a schema: read from a file, or made of the types that the document is."""
    if which in MADE:
        return json_text(msgspec.json.schema(MADE[which]))
    package, path = FILES[which]
    return files(package).joinpath(*path).read_text("utf-8")


@cache
def _validator(which: str) -> Any:  # noqa: ANN401  (the library makes the class at run time)
    known = Draft202012Validator.VALIDATORS
    kind: Any = validators.create(
        Draft202012Validator.META_SCHEMA, {word: known[word] for word in KEYWORDS})
    return kind(json.loads(schema_text(which)))


def read_document(path: Path) -> object:
    """Read a document.

    Raises:
        UsageError: if the file cannot be read.
        SpecErrors: if it is no JSON.

    """
    if not path.exists():
        raise UsageError(f"no file {quote(str(path))}")
    report = Reporter()
    found = read_json(path, report)
    report.raise_if_any()
    return found


def insist_on_shape(doc: object, which: str) -> None:
    """Insist that every value that a document has is of the type that its format says.

    Raises:
        DocumentError: if one is not; it names the value by its JSON pointer.

    """
    error = best_match(_validator(which).iter_errors(doc))
    if error is not None:
        where = "".join(f"/{part}" for part in error.absolute_path) or "the document"
        wanted = error.schema.get("type", [])
        names = [KINDS[each] for each in ([wanted] if isinstance(wanted, str) else wanted)]
        what = f"must be {' or '.join(names)}" if names else "has another shape"
        raise DocumentError(f"{quote(where)} {what}")
    if which == "position" and isinstance(doc, dict) and doc.get("reached_by"):
        insist_on_shape(doc["reached_by"], "play")
