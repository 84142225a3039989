"""What looks like a defect of a book and is none is not reported as one."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from ruleproof.checker.findings.results import CLASSES
from ruleproof.tests.support.games import loaded
from ruleproof.tests.support.places import TESTS

Passage = Mapping[str, Any]
PASSAGES: dict[str, list[Passage]] = yaml.safe_load(
    Path(__file__).with_name("passages.yaml").read_text("utf-8"))
PUBLISHED = TESTS.parent / "reports" / "published"
LEAST = 15
EACH = [pytest.param(game, passage, id=f"{game}-{number}") for game in PASSAGES
        for number, passage in enumerate(PASSAGES[game], 1)]


def main_list(report: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    """Yield the findings that a reader meets first, each followed by its consequences."""
    for finding in report["findings"]:
        if not finding.get("only_smaller"):
            yield finding
            yield from finding.get("consequences", ())


def about(passage: Passage, report: Mapping[str, Any]) -> list[str]:
    """Return the ids of the findings that are about a passage, without what asks something else."""
    return [finding["id"] for finding in main_list(report)
            if finding["class"] in passage["finds"]
            and set(passage["clauses"]) <= set(finding["clauses"])
            and finding.get("open_point") not in passage.get("others", ())]


@cache
def published(game: str) -> dict[str, Any]:
    """Read the published report of a game; a game without one has no findings."""
    path = PUBLISHED / f"{game}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {"findings": []}


@pytest.mark.parametrize("game", sorted(PASSAGES))
def test_there_are_enough(game: str) -> None:
    """Each book has at least fifteen passages, no two about the same."""
    keys = [(tuple(p["clauses"]), tuple(p["finds"])) for p in PASSAGES[game]]

    assert len(keys) >= LEAST
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(("game", "passage"), EACH)
def test_a_passage_is_of_the_book(game: str, passage: Passage) -> None:
    """Its clauses are of the game and cite its lines, and its classes exist."""
    clauses = {clause.id: clause for clause in loaded(game).clauses}
    first, last = passage["lines"]

    assert set(passage["finds"]) <= set(CLASSES)
    for name in passage["clauses"]:
        lines = clauses[name].lines

        assert lines is not None
        assert first <= lines[0], f"{name}: {lines}"
        assert lines[1] <= last, f"{name}: {lines}"


def test_questions_about_something_else_name_the_passage() -> None:
    """What a passage excepts is a question of the game that stands on its sentences, too."""
    excepted = [(loaded(game), passage, other) for game, some in PASSAGES.items()
                for passage in some for other in passage.get("others", ())]

    assert excepted
    for game, passage, other in excepted:
        (point,) = [each for each in game.open_points if each.id == other]
        assert set(passage["clauses"]) < set(point.clauses)


@pytest.mark.parametrize(("game", "passage"), EACH)
def test_nothing_is_found_there(game: str, passage: Passage) -> None:
    """No published finding of the main list is about the passage."""
    found = about(passage, published(game))
    if found and published(game)["spec_sha256"] != loaded(game).spec_sha256:
        pytest.skip("the report was published for an older spec")

    assert found == []


@pytest.mark.parametrize(("game", "passage"), EACH)
def test_a_finding_there_is_noticed(game: str, passage: Passage) -> None:
    """A finding about the passage, or one that follows from another, would be seen."""
    planted = {"id": "planted", "class": passage["finds"][0],
               "clauses": [*passage["clauses"], "another"]}
    other = {"id": "other", "class": "asymmetry", "clauses": [], "consequences": [planted]}

    assert "planted" in about(passage, {"findings": [*published(game)["findings"], planted]})
    assert about(passage, {"findings": [other]}) == ["planted"]
    assert about(passage, {"findings": [{**planted, "only_smaller": True}]}) == []
