"""What fails is known by its kind and its place, never by a wording or a number in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import get_args

import pytest

from ruleproof.checker.checks.proofs import ALIKE, MEANS
from ruleproof.checker.findings.results import CLASSES, Report
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.machine.duties import DEFECTS, Kind


def checked(folder: Path, do: str, **sections: object) -> Report:
    """Verify a game of one clause."""
    spec = {
        "game": "duties", "title": "Duties", "players": {"count": 2},
        "constants": {"most": 9, "least": 0},
        "families": {"f": {"attributes": {"v": "int 0..9"}}},
        "cards": {"f": {"a": {"copies": 1, "v": 1}}},
        "zones": {"deck": {"holds": "f", "kind": "deck", "starts": "all", "seen_by": "none"},
                  "heap": {"holds": "f", "kind": "bag"}},
        "state": {"active": {"type": "player", "start": 1}, "life": {"type": "int least..most"},
                  "other": {"type": "int 0..9"}, "mark": {"type": "player?"},
                  "points": {"type": "int 0..9", "per": "player"}},
        "steps": {"game": {}}, "start": "game",
        "clauses": [{"id": "c", "kind": "effect", "says": "it is done", "on": "game", "do": do}]}
    (folder / "game.yaml").write_text(json.dumps({**spec, **sections}), "utf-8")
    return verify(str(folder), Settings())


def failing(report: Report) -> list[tuple[str, str]]:
    """List what fails: class and kind."""
    return [(one.cls, one.identity.kind) for one in report.everything if one.identity is not None]


def test_every_kind_is_of_a_class_and_has_a_meaning() -> None:
    """What the model alone cannot hold is no finding, and nothing is said to be proved of it."""
    assert set(get_args(Kind)) == set(DEFECTS)
    assert {*MEANS, *ALIKE} == set(DEFECTS) - {"no-room"}
    assert set(DEFECTS.values()) - {"capacity"} <= set(CLASSES)


@pytest.mark.parametrize(("do", "cls", "kind"), [
    ("life = most + 1", "undefined-operation", "out-of-range"),
    ("win(mark)", "undefined-operation", "no-value"),
    ("draw(2, deck, heap)", "undefined-operation", "nothing-to-draw"),
    ('x = choose(heap, by=active, ask="which")', "undefined-operation", "no-option"),
    ("move(f.a, heap, deck)", "undefined-operation", "not-there"),
    ("x = choose_cards(heap, exactly=1, by=active)", "undefined-operation", "too-few"),
    ("other = max(c.v for c in heap)", "undefined-operation", "nothing-to-compare"),
    ("other = 1 // life", "undefined-operation", "division-by-zero"),
    ("win(only(players))", "undefined-operation", "not-one"),
    ("win(only(argmax(points[p] for p in players)))", "unresolved-tie", "tie"),
    ('other = outside("the properties of a tie")', "undefined-term", "outside"),
    ('win(only(argmax(outside("beards") for p in players)))', "unresolved-tie",
     "tie-outside"),
])
def test_what_fails_has_a_kind_and_the_kind_a_class(
    tmp_path: Path, do: str, cls: str, kind: str
) -> None:
    """A word in a text, such as the tie in properties, makes no class."""
    assert (cls, kind) in failing(checked(tmp_path, do))


def test_what_scopes_scale_makes_no_finding_of_its_own(tmp_path: Path) -> None:
    """A range with another end in each scope is left at one place: that is one finding."""
    scopes = {f"s{most}": {"about": "small", "constants": {"most": most}} for most in (2, 3, 4)}
    report = checked(tmp_path, "life = most + 1", scopes=scopes)

    assert failing(report) == [("undefined-operation", "out-of-range")]
    assert [one.evidence.at_printed_size for one in report.everything if one.identity] == [True]


def test_two_places_of_a_clause_are_two_findings(tmp_path: Path) -> None:
    """The same thing that fails here and there is told of both."""
    assert failing(checked(tmp_path, "life = most + 1\nother = most + 2")) == [
        ("undefined-operation", "out-of-range")] * 2
