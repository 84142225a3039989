"""What was not checked is decided by its data; a file that has none is read by its sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import pytest
from msgspec.structs import replace

from ruleproof.checker.findings.results import (
    Cause,
    Coverage,
    Explored,
    Harmless,
    Holds,
    NotChecked,
    Report,
)
from ruleproof.reports.appendix.sections import sections
from ruleproof.reports.blocks.subject import Subject
from ruleproof.reports.formats.document import dump, load
from ruleproof.reports.formats.text import checked_text


def report(*lines: NotChecked) -> Report:
    """Return a report of what was not checked."""
    return Report("g", "Game", "0" * 64, "1", {}, (), (), (), (), lines,
                  Coverage(0, 0, 0, 0, 0, 0, 0, 0))


@pytest.mark.parametrize(("line", "data"), [
    (("open points", "the time was up", ""), {"cause": "late"}),
    (("open points", "it was interrupted", ""), {"cause": "interrupted"}),
    (("proofs", "internal error: KeyError: 1", ""), {"cause": "failed"}),
    (("findings of gap, overlap", "not asked for", ""),
     {"cause": "unasked", "left": "classes", "classes": ("gap", "overlap")}),
    (("It is over: what then?", "the print has lost it", ""), {"cause": "answered"}),
    (("the claim c with 2 players", "too hard", ""),
     {"left": "claim", "clauses": ("c",), "mode": " with 2 players"}),
    (("the limit c.d", "never tried", ""), {"left": "limit", "clauses": ("c.d",)}),
    (("phrases of c", "it speaks of how many play", ""), {"left": "phrases", "clauses": ("c",)}),
    (("whether these claims are true: a, b", "assumed", "claims"), {"clauses": ("a", "b")}),
    (("the example e", "it belongs to a mode", "example"), {"clauses": ("e",)}),
    (("open points in the scopes a, b", "too many", "scopes"), {"scopes": ("a", "b")}),
    (("open points in scope a", "too many", "scopes"), {"scopes": ("a",)}),
    (("what the print has lost in line 7 of the book: x", "y", "lost"), {"lines": (7, 7)}),
    (("what the print has lost in lines 7 to 9 of the book: x", "y", "lost"), {"lines": (7, 9)}),
    (("open point too-few/c", "the time was up", "question"),
     {"cause": "late", "left": "point", "point": "too-few/c"}),
    (("who = a in the mode “M”", "what: who: no case", "question"),
     {"point": "who", "asks": "what: who"}),
    (("who = a in scope s", "changes:1:1: RP243 `a=b` writes", "question"),
     {"cause": "clash", "point": "who"}),
    (("who = a with 4 players", "the variant `v` is not for this game: no", "question"),
     {"cause": "unfit", "point": "who", "modes": ("v",)})])
def test_an_older_file_is_read_with_its_data(
    line: tuple[str, str, Any], data: dict[str, Any], tmp_path: Path
) -> None:
    """Its sentences tell the data that they were made from."""
    made = NotChecked(*line)
    (tmp_path / "old.json").write_text(dump(report(made)), "utf-8")

    assert load(tmp_path / "old.json").not_checked == (replace(made, **data),)


def test_classes_without_a_finding_are_read_from_an_older_file(tmp_path: Path) -> None:
    """In brackets may stand what is meant by one."""
    none = "no finding of these classes: doomed (not decided, or so), gap"
    made = replace(report(), holds=(Holds("", none, "bounded", "tiny", "none"),))
    (tmp_path / "old.json").write_text(dump(made), "utf-8")

    assert load(tmp_path / "old.json").holds == (
        replace(made.holds[0], classes=("doomed", "gap")),)


@pytest.mark.parametrize(("scope", "mode"), [
    ("printed, 2 players in the mode “A”, and in the mode “B”",
     " in the mode “A”, and in the mode “B”"),
    ("printed, 2 to 4 players", ""), ("printed with 3 players", " with 3 players")])
def test_the_mode_of_a_claim_is_read_from_an_older_file(
    scope: str, mode: str, tmp_path: Path
) -> None:
    """Its scope names the modes, or how many players there are, if not as chosen."""
    made = replace(report(), holds=(Holds("c", "claim", "proof", scope, "claim"),))
    (tmp_path / "old.json").write_text(dump(made), "utf-8")

    assert [one.mode for one in load(tmp_path / "old.json").holds] == [mode]


@pytest.mark.parametrize(("why", "scopes", "players"), [
    ("the same in all 2 scopes of at most 30 states", ("a", "b-c"), ()),
    ("the same in scope b-c", ("b-c",), ()),
    ("the same in scope a, and in plays at the printed size with 3 players",
     ("a", "printed"), (3,)),
    ("they touch different things", (), ())])
def test_where_something_was_looked_at_is_read_from_an_older_file(
    why: str, scopes: tuple[str, ...], players: tuple[int, ...], tmp_path: Path
) -> None:
    """Its sentence names the scopes, or all, and may name numbers of players."""
    made = replace(report(), harmless=(Harmless("order/a", why, "bounded"),), explored=tuple(
        Explored(name, 1, 1, 1, 1, complete=True) for name in ("a", "b-c")))
    (tmp_path / "old.json").write_text(dump(made), "utf-8")

    assert load(tmp_path / "old.json").harmless == (
        replace(made.harmless[0], scopes=scopes, players=players),)


def test_what_has_data_is_left_as_it_is(tmp_path: Path) -> None:
    """No sentence is taken apart in a file that has data."""
    made = report(NotChecked("proofs", "no time", cause="late"),
                  NotChecked("findings of gap", "the time was up"))
    (tmp_path / "new.json").write_text(dump(made), "utf-8")

    assert load(tmp_path / "new.json") == made


@pytest.mark.parametrize("cause", get_args(Cause))
def test_another_wording_changes_no_decision(cause: Cause) -> None:
    """What is counted, and where it stands, is the same whatever the sentences say."""
    some = report(
        NotChecked("the time was up", "internal error", cause=cause),
        NotChecked("open point a", "it was interrupted", "question", cause, point="who"),
        NotChecked("findings of", "x", cause="unasked", left="classes", classes=("gap",)),
        NotChecked("the limit x?", "x", "lost", cause, lines=(1, 2)))
    other = replace(some, not_checked=tuple(
        replace(one, what=f"w{place}", why=f"y{place}")
        for place, one in enumerate(some.not_checked)))

    def shape(made: Report) -> object:
        return [(one.title, len(one.lines), [len(fold.lines) for fold in one.folds])
                for one in sections(made, Subject())]

    assert checked_text(some) == checked_text(other)
    assert shape(some) == shape(other)
    assert (some.lost, some.cut_short, some.interrupted) == (
        other.lost, other.cut_short, other.interrupted) == (
        cause in ("late", "failed"), cause in ("late", "interrupted"), cause == "interrupted")
