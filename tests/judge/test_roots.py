"""What goes under what: the grounds on which a finding is a line under another one."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ruleproof.checker.comparison import settled
from ruleproof.checker.findings.results import SAME_QUESTION, Class, Finding, Identity, Shown
from ruleproof.checker.judge.roots import ranked
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.tests.judge.test_findings import (
    STALL,
    THERE,
    asking,
    failing,
    made,
    share,
    shed,
    under,
)


def declared(name: str, clauses: tuple[str, ...], position: object = THERE) -> Finding:
    """Make a question that somebody asked."""
    return asking(name, "p", clauses, kind="declared", position=position)


@pytest.mark.parametrize(("kind", "clause", "below"), [
    ("limit", "c", True), ("limit-at-end", "c", True), ("required-at-end", "c", True),
    ("limit", "e", False), ("out-of-range", "c", False), ("no-option", "c", False)])
def test_what_a_sentence_requires_is_asked_where_somebody_asks_about_it(
    kind: str, clause: str, below: bool,  # noqa: FBT001
) -> None:
    """A limit of a sentence that a question is about is no finding beside it; a draw may be."""
    found = ranked(load_game(STALL), [
        declared("question", ("c", "d")), failing("fails", kind, clause)])

    assert under(found)["question"] == (["fails"] if below else [])


@pytest.mark.parametrize(("clauses", "position", "below"), [
    (("c", "e"), THERE, True), (("c", "e"), {"node": "gate", "state": {}}, False),
    (("e", "f"), THERE, False)])
def test_an_order_is_asked_where_somebody_asks_about_the_same_point(
    clauses: tuple[str, ...], position: object, below: bool,  # noqa: FBT001
) -> None:
    """That is: of one of its sentences, and where play stands."""
    found = ranked(load_game(STALL), [
        declared("question", ("c", "d")),
        asking("order", "order/x", clauses, kind="clauses", position=position)])

    assert under(found)["question"] == (["order"] if below else [])


@pytest.mark.parametrize(("about", "below"), [
    (("fill",), True), (("fill", "c"), True), (("c",), False), (("c", "e", "fill"), False)])
def test_an_empty_deck_is_asked_about_with_what_fills_it(
    about: tuple[str, ...], below: bool, tmp_path: Path,  # noqa: FBT001
) -> None:
    """A draw from nothing is a line under the question about the sentence that fills the deck.

    Not under one that is about much else, as what the word means.
    """
    clauses: list[dict[str, Any]] = [
        {"id": "c", "says": "it is built", "do": "nails = 1"},
        {"id": "d", "says": "a plank is drawn", "after": ["c"], "do": "draw(1, stack, shed)"},
        {"id": "fill", "says": "the shed is the stack", "after": ["d"],
         "do": "shuffle_into(shed, stack)"},
        {"id": "e", "says": "it is painted", "after": ["fill"], "do": "nails = 2"}]
    found = ranked(load_game(str(shed(tmp_path, clauses))), [
        declared("question", about), failing("fails", "nothing-to-draw", "d")])

    assert under(found)["question"] == (["fails"] if below else [])


@pytest.mark.parametrize(("cls", "kinds", "roots"), [
    ("dead-clause", ("clause", "clause"), 1), ("inert-clause", ("clause", "clause"), 2)])
def test_sentences_that_bar_one_option_in_vain_are_one_finding(
    cls: Class, kinds: tuple[str, str], roots: int
) -> None:
    """What never comes up, never does so for each of them."""
    one, two = (replace(made(name, cls=cls, clauses=(name,)), identity=Identity(cls, name, kind))
                for name, kind in zip(("s.limit", "s.must"), kinds, strict=True))
    game = load_game(STALL)
    same = dataclasses.replace(game, clauses=tuple(
        dataclasses.replace(each, on="stall.sell") for each in game.clauses))

    assert len(ranked(same, [one, two])) == roots


def test_the_strongest_ground_counts() -> None:
    """Of two questions it is the one on the same sentences that something goes under."""
    found = ranked(load_game(STALL), [
        declared("wide", ("c", "d")), declared("close", ("c",)),
        failing("fails", "limit", "c")])

    assert under(found) == {"wide": [], "close": ["fails"]}


def test_what_lacks_the_answer_that_is_asked_for_is_the_same_question() -> None:
    """What fails for want of it asks nothing of its own; of several sentences it may."""
    both = asking("too few", "too-few/c", ("c",)), failing("fails", "too-few", "c")
    (found,) = ranked(load_game(STALL), both)
    several = ranked(load_game(STALL), [replace(each, clauses=("c", "d")) for each in both])

    assert [each.follows for each in found.consequences] == [SAME_QUESTION]
    assert SAME_QUESTION not in {
        each.follows for one in several for each in one.consequences}


@pytest.mark.parametrize(("clause", "below"), [("c", True), ("", False)])
def test_what_a_card_cannot_do_is_not_asked_with_a_sentence(
    clause: str, below: bool,  # noqa: FBT001
) -> None:
    """A question what to do then is about what its own sentences do, not about any card's text."""
    fails = failing("fails", "out-of-range", clause)
    found = ranked(load_game(STALL), [
        asking("asked", "beyond-bounds/c", ("c", "d")),
        fails if clause else replace(fails, clauses=())])

    assert under(found)["asked"] == (["fails"] if below else [])


@pytest.mark.parametrize("once", ["when-judged", "adds-up"])
def test_what_one_sentence_answers_for_all_is_one_question(once: str) -> None:
    """When things are judged, and whether they add up; who chooses is another one for each."""
    found = ranked(load_game(STALL), [
        asking(f"{aspect} {name}", f"{aspect}/{name}", (name,))
        for aspect, some in ((once, "cd"), ("who-chooses", "ef")) for name in some])

    assert sorted(len(each.consequences) for each in found) == [0, 0, 1]


MADE_UP: list[dict[str, Any]] = [
    {"id": "turns", "says": "somebody may build", "do": "window()\nwindow()"},
    {"id": "build", "kind": "permit", "says": "a plank is laid", "on": "window",
     "option": "build", "do": "nails = 1"}]


BOLT: dict[str, Any] = {"kind": "permit", "says": "a screw is turned", "on": "window",
                        "option": "bolt"}


def bolted(folder: Path, **bolt: object) -> Path:
    """Write a game of which an adopted answer alone has a sentence, about a bolt."""
    added = {"id": "bolt", "lines": [2, 2], **bolt}
    points = [{"id": "screws", "clauses": ["build"], "asks": "are there screws", "readings": [
        {"id": "no", "title": "no", "changes": {}},
        {"id": "yes", "title": "yes, some", "add": [added]}]}]
    return shed(folder, [{**each, "lines": [1, 1]} for each in MADE_UP],
                windows={"window": {"by": "active", "done": "rest", "repeat": True}},
                rulebook={"file": "book.txt", "sha256": "0" * 64, "lines": 2},
                open_points=points, rulings=[{"point": "screws", "reading": "yes", "why": "x"}])


@pytest.mark.parametrize("asked", ["how-often", "too-few"])
def test_what_only_an_answer_says_is_asked_under_its_question(asked: str, tmp_path: Path) -> None:
    """A question about a sentence that a reading adds is a note there, and cites no book."""
    do = "screws += 1" if asked == "how-often" else "draw(9, stack, shed)"
    report = verify(str(bolted(tmp_path, **BOLT, do=do)), Settings())
    notes = {each.follows for root in report.findings for each in root.consequences
             if "bolt" in each.clauses and root.open_point == "screws"}

    assert not [one for one in report.findings if one.clauses[:1] == ("bolt",)]
    assert notes == {"if it is answered so: yes, some"}
    assert not [source for one in report.everything for source in one.sources
                if source.clause == "bolt"]


def test_what_only_an_answer_says_is_told_where_its_question_was_not_compared(
    tmp_path: Path
) -> None:
    """It fails in the game as it is played; that the answer matters was not asked."""
    report = verify(str(bolted(tmp_path, **BOLT, do="draw(9, stack, shed)")), Settings(),
                    only=("undefined-operation",))

    assert [one.clauses for one in report.findings] == [("bolt",)]
    assert not [one for one in report.not_checked if "only an answer" in one.why]


def test_what_only_an_answer_says_is_left_out_where_it_was_not_seen_to_matter(
    tmp_path: Path
) -> None:
    """A ban that an answer adds and that never bars anything matters to nobody."""
    report = verify(str(bolted(
        tmp_path, kind="forbid", on="window.build", when="nails > 1", says="no")), Settings())

    assert not [one for one in report.everything if one.clauses[:1] == ("bolt",)]
    assert [one.why for one in report.not_checked if "only an answer" in one.why]


LEFT: list[dict[str, Any]] = [
    {"id": "turns", "says": "four times somebody acts",
     "do": "n = 0\nwhile n < 4:\n  window()\n  checked()\n  n += 1"},
    {"id": "most", "kind": "limit", "says": "never more than one plank", "on": "checked",
     "ensure": "size(shed) <= 1"},
    {"id": "build", "kind": "permit", "says": "a plank is laid, unless one lies there",
     "on": "window", "option": "build", "do": "draw(1, stack, shed)"},
    {"id": "gift", "kind": "permit", "says": "two planks are a gift", "on": "window",
     "option": "gift", "do": "draw(2, stack, shed)"}]
"""Two ways to too many planks, of which a question is about one."""


@pytest.mark.parametrize(("gift", "answer", "under"), [
    (True, {"when": "size(shed) == 0"}, False), (False, {"when": "size(shed) == 0"}, True),
    # It is broken right where the answers part, and under both of them.
    (False, {"do": "draw(3, stack, shed)"}, False)])
def test_what_no_answer_mends_is_a_finding_of_its_own(
    gift: bool, answer: dict[str, str], under: bool, tmp_path: Path,  # noqa: FBT001
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A limit is a line under the question about its sentence if the other answer keeps it."""
    monkeypatch.setattr(settled, "STEPS", 500)
    points = [{"id": "third", "clauses": ["most", "build"], "asks": "is a plank laid then",
               "readings": [{"id": "yes", "title": "yes", "changes": {}},
                            {"id": "no", "title": "no", "changes": {"build": answer}}]}]
    report = verify(str(shed(
        tmp_path, LEFT if gift else LEFT[:3], open_points=points,
        steps={"game": {}, "checked": {}}, windows={"window": {"by": "active", "done": "rest"}},
        scopes={"tiny": {"about": "few planks", "cards": {"wood": {"plank": 3}}}})),
        Settings(), only=("ambiguity", "limit-broken", "undefined-operation"))
    (broken,) = (one for one in report.everything if one.cls == "limit-broken")

    assert (broken.root != "") == under


@pytest.mark.parametrize(("answer", "under"), [({"repeat": None}, True), ({"done": "stop"}, False)])
def test_how_often_is_asked_under_what_settles_it(
    answer: dict[str, Any], under: bool, tmp_path: Path,  # noqa: FBT001
) -> None:
    """That is a declared question of which some answer leaves nothing of it."""
    points = [{"id": "one", "clauses": ["turns"], "asks": "does one do one thing",
               "readings": [{"id": "many", "title": "no", "changes": {}},
                            {"id": "only", "title": "yes", "changes": {"window:window": answer}},
                            {"id": "none", "title": "nothing at all", "drop": ["nail"]}]}]
    clauses: list[dict[str, Any]] = [
        {"id": "turns", "says": "twice somebody may build", "do": "window()\nwindow()"},
        {"id": "nail", "kind": "permit", "says": "a nail is taken", "on": "window",
         "option": "nail", "when": "screws == 0", "do": "screws = 1"},
        {"id": "build", "kind": "permit", "says": "a plank is laid", "on": "window",
         "option": "build", "do": "draw(1, stack, shed)"}]
    report = verify(str(shed(
        tmp_path, clauses, open_points=points,
        windows={"window": {"by": "active", "done": "rest", "repeat": True}})),
        Settings(), only=("ambiguity",))
    often = [one for one in report.everything if one.open_point.startswith("how-often/")
             and "build" in one.clauses]

    assert [one.root != "" for one in often] == [under]


@pytest.mark.parametrize(("clauses", "below"), [
    (("c", "d"), True), (("d", "c"), True), (("c", "e"), False)])
def test_sentences_that_say_the_same_are_asked_about_once(
    clauses: tuple[str, ...], below: bool,  # noqa: FBT001
) -> None:
    """Where a question is about all of them, one edit answers both."""
    again = replace(made("again", cls="redundant-clause", clauses=clauses),
                    identity=Identity("redundant-clause", clauses[0], "clause"))
    found = ranked(load_game(STALL), [declared("question", ("c", "d", "f")), again])

    assert under(found)["question"] == (["again"] if below else [])


@pytest.mark.parametrize(("first", "titles"), [
    ("draw", {"draw": ["division"]}), ("division", {"division": [], "draw": []})])
@pytest.mark.parametrize("common", ["draw", "division"])
def test_what_fails_first_is_the_cause(
    first: str, titles: dict[str, list[str]], common: str
) -> None:
    """A division by what was not drawn follows from the draw, however often each is seen.

    A draw that is made as nobody could be told to have won is no cause of that.
    """
    names = ("draw", "division") if first == "draw" else ("division", "draw")
    clause = {"draw": "c", "division": "e"}
    failed = [{"clause": clause[name], "defect": "undefined-operation"} for name in names]
    play = {"steps": [{"event": "x", "failed": failed}]}
    found = ranked(load_game(STALL), [
        replace(one, frequency=share(1000, 900 if one.title == common else 300, None),
                evidence=replace(one.evidence, plays=(Shown("", play),), position=THERE, depth=3))
        for one in (failing("draw", "nothing-to-draw", "c"),
                    failing("division", "division-by-zero", "e"))])

    assert under(found) == titles
