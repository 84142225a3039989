"""Checks that documents have the structure that other programs expect of them."""

import json
from collections.abc import Iterator
from typing import Any
from xml.etree import ElementTree as ET

from jsonschema import Draft202012Validator
from referencing import Registry
from sarif_pydantic import Sarif
from sarif_pydantic.sarif import SarifBaseModel

from ruleproof.cli.files.shapes import schema_text
from ruleproof.tests.support.sarif import SARIF


def schema(name: str) -> Draft202012Validator:
    """Load one of our own schemas: findings, play, position."""
    doc = json.loads(schema_text(name))
    Draft202012Validator.check_schema(doc)
    return Draft202012Validator(doc, registry=Registry())


def check_ours(name: str, doc: Any) -> None:  # noqa: ANN401
    """Insist that a document is valid by one of our own schemas."""
    found: list[str] = [str(error) for error in schema(name).iter_errors(doc)]  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    assert found == []


UNKNOWN = {".runs.columnKind", ".runs.invocations.toolExecutionNotifications"}
"""What SARIF 2.1.0 has (sections 3.14.17 and 3.20.21) and these models of it leave out."""


def _unknown(model: SarifBaseModel, where: str) -> Iterator[str]:
    """Name the properties of a document that somebody else's models of SARIF do not know."""
    yield from (f"{where}.{name}" for name in model.model_extra or {})
    for name in type(model).model_fields:
        value = getattr(model, name)
        for each in value if isinstance(value, list) else [value]:
            if isinstance(each, SarifBaseModel):
                yield from _unknown(each, f"{where}.{name}")


def check_sarif(doc: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """Insist on what SARIF 2.1.0 requires and code scanning needs; give the results."""
    assert [error.message for error in Draft202012Validator(SARIF).iter_errors(doc)] == []
    assert set(_unknown(Sarif.model_validate(doc), "")) <= UNKNOWN
    assert doc["$schema"].endswith("sarif-2.1.0.json")
    (run,) = doc["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"]
    ids = [rule["id"] for rule in driver["rules"]]
    assert len(ids) == len(set(ids))
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"]
        assert rule["defaultConfiguration"]["level"] in ("none", "note", "warning", "error")
    for result in run["results"]:
        assert ids[result["ruleIndex"]] == result["ruleId"]
        assert result["level"] in ("none", "note", "warning", "error")
        assert result["message"]["text"]
        assert result["locations"]
        related = result.get("relatedLocations", [])
        assert [each["id"] for each in related] == list(range(1, len(related) + 1))
        for location in (*result["locations"], *related):
            physical = location["physicalLocation"]
            uri = physical["artifactLocation"]["uri"]
            assert uri
            assert " " not in uri
            region = physical["region"]
            assert region["startLine"] >= 1
            assert region.get("endLine", region["startLine"]) >= region["startLine"]
            assert region.get("startColumn", 1) >= 1
            assert region.get("endColumn", 10**9) > region.get("startColumn", 1)
    return list(run["results"])


def check_junit(text: str) -> list[ET.Element]:
    """Insist on what readers of JUnit XML need; give the test cases."""
    root = ET.fromstring(text)  # noqa: S314  (we wrote it)
    assert root.tag == "testsuites"
    suites = root.findall("testsuite")
    cases: list[ET.Element] = []
    for suite in suites:
        own = suite.findall("testcase")
        assert suite.get("name")
        assert int(suite.get("tests", "-1")) == len(own)
        for kind, tag in (("failures", "failure"), ("skipped", "skipped"), ("errors", "error")):
            assert int(suite.get(kind, "-1")) == sum(case.find(tag) is not None for case in own)
        for case in own:
            assert case.get("name")
            assert case.get("classname")
            assert all(failure.get("message") for failure in case.findall("failure"))
        cases += own
    assert int(root.get("tests", "-1")) == len(cases)
    return cases
