"""Marks of clauses: what they must name, and that rulings of silences change the game."""

import hashlib
import json
from pathlib import Path
from typing import Any

import pytest

from ruleproof.checker.points.points import points_of
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Game, Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.silences.questions import as_change_list, questions_of
from ruleproof.model.source.errors import SpecErrors, UsageError

BASE: dict[str, Any] = {
    "game": "picky", "title": "Picky", "players": {"count": 2},
    "families": {"snack": {"attributes": {"v": "int 0..3"}}},
    "cards": {"snack": {"one": {"copies": 4, "v": 1}}},
    "zones": {
        "deck": {"holds": "snack", "kind": "deck", "starts": "all"},
        "hand": {"holds": "snack", "kind": "bag", "per": "player", "seen_by": "owner"},
        "heap": {"holds": "snack", "kind": "bag"},
    },
    "state": {"active": {"type": "player", "start": 1}},
    "steps": {"game": {}}, "start": "game",
}
DRAW: dict[str, Any] = {
    "id": "d", "kind": "effect", "says": "both get three cards, or what is there",
    "on": "game", "do": "for p in clockwise(active):\n  draw(3, deck, hand[p])"}
DROP: dict[str, Any] = {
    "id": "e", "kind": "effect", "says": "two cards go", "on": "game", "after": ["d"],
    "do": "gone = choose_cards(hand[active], by=active, exactly=2)\n"
          "move_all(gone, hand[active], heap)"}


def picky(folder: Path, *changes: dict[str, Any], rulings: dict[str, str] | None = None) -> Game:
    """Load the two clauses with some fields changed, under some rulings."""
    clauses = [{**clause, **change} for clause, change in zip(
        (DRAW, DROP), (*changes, {}, {}), strict=False)]
    (folder / "game.yaml").write_text(json.dumps({**BASE, "clauses": clauses}), "utf-8")
    return load_game(str(folder), Settings(rulings=tuple((rulings or {}).items())))


@pytest.mark.parametrize(("marks", "code", "said"), [
    ({"stated": {"too-few": "or what is there"}}, "", ""),
    ({"stated": {"too-few": [2, 5]}, "lines": [3, 3]}, "", ""),
    ({"settled": {"too-few": "e"}}, "", ""),
    ({"internal": ["too-few"]}, "", ""),
    ({"assumed": ["too-few"]}, "", ""),
    ({"asked": ["too-few"]}, "RP241", "no open point is about `d`"),
    ({"assumed": ["left-over"]}, "RP241", "`d` does not decide `left-over`"),
    ({"assumed": ["too-few"], "internal": ["too-few"]}, "RP241", "`too-few` has two marks"),
    ({"internal": True}, "", ""),
    ({"stated": {"to-few": "or"}}, "RP220", "unknown aspect `to-few`"),
    ({"stated": {"left-over": "or"}}, "RP241", "`d` does not decide `left-over`"),
    ({"internal": ["left-over"]}, "RP241", "`d` does not decide `left-over`"),
    ({"stated": {"too-few": "all that is there"}}, "RP241", "does not stand in `says`"),
    ({"stated": {"too-few": [5, 2]}, "lines": [3, 3]}, "RP240", "run backwards"),
    ({"stated": {"too-few": [2, 5]}}, "RP241", "only in lines that are cited"),
    ({"settled": {"too-few": "f"}}, "RP220", "unknown clause `f`"),
    ({"settled": {"too-few": "d"}}, "RP241", "cannot settle what it leaves open"),
    ({"stated": {"too-few": "or"}, "settled": {"too-few": "e"}}, "RP241", "has two marks"),
])
def test_marks_name_what_is_there(
    tmp_path: Path, marks: dict[str, Any], code: str, said: str
) -> None:
    """A mark is of an aspect that the clause has; its words stand in it, its clause exists."""
    if not code:
        assert questions_of(picky(tmp_path, marks))
        return
    with pytest.raises(SpecErrors) as caught:
        picky(tmp_path, marks)
    (error,) = caught.value.diagnostics
    assert error.code == code
    assert said in error.message
    assert error.place.line == 1


@pytest.mark.parametrize(("words", "lines", "book", "said"), [
    ([2, 5], [2, 2], "here", ""), ([7, 10], [1, 2], "here", ""),
    ([2, 6], [2, 2], "here", "word 6 is not there: line 2 has 5"),
    ([7, 99], [1, 2], "here", "word 99 is not there: lines 1 to 2 have 10"),
    ([7, 99], [2, 2], "away", ""), ([7, 99], [2, 2], "another", "")])
def test_numbers_of_words_are_of_words_that_are_there(
    tmp_path: Path, words: list[int], lines: list[int], book: str, said: str
) -> None:
    """They are held against the text that is cited, where it lies beside the spec."""
    text = "A game of two snacks.\nBoth get what there is.\n"
    if book != "away":
        (tmp_path / "book.txt").write_text(text if book == "here" else "Another text.\n", "utf-8")
    marked = {**DRAW, "lines": lines, "stated": {"too-few": words}}
    (tmp_path / "game.yaml").write_text(json.dumps({**BASE, "clauses": [marked], "rulebook": {
        "file": "book.txt", "lines": 2, "sha256": hashlib.sha256(text.encode()).hexdigest()}}))

    if not said:
        assert load_game(str(tmp_path))
        return
    with pytest.raises(SpecErrors) as caught:
        load_game(str(tmp_path))
    (error,) = caught.value.diagnostics
    assert (error.code, said in error.message) == ("RP240", True)
    assert "1" in (error.help or "")


@pytest.mark.parametrize(("mark", "ruling", "decided"), [
    ({"stated": {"order": "as they like"}}, {}, True), ({}, {}, False),
    ({"stated": {"order": "as they like"}}, {"order/w": "clockwise"}, True),
])
def test_the_clause_of_a_window_may_decide_its_order(
    tmp_path: Path, mark: dict[str, Any], ruling: dict[str, str], decided: bool  # noqa: FBT001
) -> None:
    """Words that say in which order players act mark the clause that the window names."""
    clauses = [
        {"id": "o", "kind": "define", "says": "they act as they like", **mark},
        {"id": "g", "kind": "effect", "says": "all act", "on": "game", "do": "w()"},
        {"id": "a", "kind": "permit", "says": "one takes a card", "on": "w", "option": "take",
         "when": "size(deck) > 0", "do": "draw(1, deck, hand[actor])"}]
    (tmp_path / "game.yaml").write_text(json.dumps({
        **BASE, "clauses": clauses, "windows": {"w": {"who": "players", "clause": "o"}}}), "utf-8")
    game = load_game(str(tmp_path), Settings(rulings=tuple(ruling.items())))
    orders = [point.decided for point in points_of(compile_game(game)) if point.id == "order/w"]

    assert [bool(words) for words in orders] == ([] if ruling else [decided])


def test_a_mark_changes_the_status_of_a_question_and_nothing_else(tmp_path: Path) -> None:
    """A question that words decide is still there, behind the silent ones."""
    silent = questions_of(picky(tmp_path))
    marked = questions_of(picky(tmp_path, {"stated": {"too-few": "or what is there"}}))

    assert {(each.id, each.readings) for each in silent} == {
        (each.id, each.readings) for each in marked}
    assert [(each.id, each.status) for each in marked][-1] == ("too-few/d", "stated")
    assert {each.status for each in silent} == {"silent"}


def test_a_reading_of_a_silence_can_be_ruled(tmp_path: Path) -> None:
    """A ruling changes the clause, and the question is still that of the clause as written."""
    game = picky(tmp_path, rulings={"too-few/d": "nothing"})
    (drawn, _) = game.clauses
    (question, *_) = questions_of(game)

    assert drawn.do is not None
    assert "if size(deck) >= 3:" in drawn.do.text
    assert question.readings[0][0] == "as-many"
    assert as_change_list(game, question, "nothing") == {"changes": {"d": {"do": drawn.do.text}}}


def test_a_ruling_names_any_clause_of_its_question(tmp_path: Path) -> None:
    """Which clause comes first may change with a reading; the ruling is of the same question."""
    (tmp_path / "game.yaml").write_text(json.dumps({**BASE, "clauses": [
        {**DRAW, "id": "c"}, {**DRAW, "after": ["c"]}]}), "utf-8")
    first, second = (load_game(str(tmp_path), Settings(rulings=((name, "nothing"),))).clauses
                     for name in ("too-few/c", "too-few/d"))

    assert first == second
    assert all(each.do is not None and "if size(deck)" in each.do.text for each in first)


@pytest.mark.parametrize("ruling", [("too-few/f", "nothing"), ("too-few/d", "nothin"),
                                    ("too-few/d/2", "nothing"), ("left-over/d", "nothing")])
def test_rulings_of_no_silence_are_refused(tmp_path: Path, ruling: tuple[str, str]) -> None:
    """A ruling names a question that is there, and a reading that it has."""
    with pytest.raises(UsageError):
        picky(tmp_path, rulings=dict([ruling]))


@pytest.mark.parametrize(("marks", "asked"), [({}, True), ({"assumed": ["too-few"]}, False)])
def test_what_fails_at_what_cards_are_assumed_to_say_is_no_finding(
    marks: dict[str, Any], asked: bool, tmp_path: Path,  # noqa: FBT001
) -> None:
    """What a card does where that cannot be done stands on it: it is listed as not checked."""
    picky(tmp_path, {}, {"do": "gone = choose(heap, by=active)\nmove(gone, heap, hand[active])",
                         "after": [], "before": ["d"], **marks})
    report = verify(str(tmp_path), Settings(), only=("undefined-operation",))

    assert any("e" in each.clauses for each in report.everything) == asked
    assert any("what the cards say" in one.why for one in report.not_checked) != asked
