"""The part of SARIF 2.1.0 that we write, as a strict schema in our own words.

Whatever is valid by it is valid by the schema of the standard, which allows more: each object here
has some of the properties there, with the same names, types and values, and no others.
"""

from typing import Any

TEXT: dict[str, Any] = {"type": "string"}
COUNT: dict[str, Any] = {"type": "integer", "minimum": 1}


def _object(needed: dict[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    return {"type": "object", "additionalProperties": False, "required": list(needed),
            "properties": {**needed, **more}}


def _list(of: dict[str, Any], least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": of, "minItems": least}


MESSAGE = _object({"text": TEXT}, markdown=TEXT)
LEVEL = {"enum": ["none", "note", "warning", "error"]}
REGION = _object({"startLine": COUNT}, endLine=COUNT, startColumn=COUNT, endColumn=COUNT)
ARTIFACT = _object({"uri": {**TEXT, "format": "uri-reference"}}, uriBaseId=TEXT)
LOCATION = _object(
    {"physicalLocation": _object({"artifactLocation": ARTIFACT}, region=REGION)},
    id={"type": "integer", "minimum": 0}, message=MESSAGE)
RULE = _object(
    {"id": TEXT}, name=TEXT, shortDescription=MESSAGE, fullDescription=MESSAGE, help=MESSAGE,
    helpUri={**TEXT, "format": "uri"}, defaultConfiguration=_object({"level": LEVEL}),
    properties={"type": "object"})
RESULT = _object(
    {"message": MESSAGE}, ruleId=TEXT, ruleIndex={"type": "integer", "minimum": 0}, level=LEVEL,
    kind={"enum": ["notApplicable", "pass", "fail", "review", "open", "informational"]},
    locations=_list(LOCATION), relatedLocations=_list(LOCATION),
    partialFingerprints={"type": "object", "additionalProperties": TEXT},
    properties={"type": "object"})
DRIVER = _object({"name": TEXT}, version=TEXT, semanticVersion=TEXT,
                 informationUri={**TEXT, "format": "uri"}, rules=_list(RULE))
INVOCATION = _object(
    {"executionSuccessful": {"type": "boolean"}},
    toolExecutionNotifications=_list(_object({"message": MESSAGE}, level=LEVEL)))
SARIF = _object(
    {"version": {"const": "2.1.0"},
     "runs": _list(_object({"tool": _object({"driver": DRIVER})}, results=_list(RESULT),
                           invocations=_list(INVOCATION),
                           columnKind={"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                           properties={"type": "object"}))},
    **{"$schema": {**TEXT, "format": "uri"}})
