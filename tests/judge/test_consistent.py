"""No verdict of absence stands beside a finding of the same sentence that denies it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from ruleproof.checker.findings.results import (
    PUBLIC,
    Coverage,
    Evidence,
    Explored,
    Finding,
    Harmless,
    Holds,
    Identity,
    LeftOut,
    NotChecked,
    Report,
    Shown,
)
from ruleproof.checker.judge.consistent import undenied
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.reports.appendix.sections import coverage_rows, sections
from ruleproof.reports.blocks.subject import Subject
from ruleproof.reports.formats.markdown import markdown
from ruleproof.reports.formats.text import checked_text, text


def finding(clause: str, kind: str, point: str = "", aspect: str = "") -> Finding:
    """Return a finding about a clause."""
    return Finding("g/ambiguity/x", "ambiguity", "a title", (clause,), (), Evidence(
        "data", "proof", "printed", replayed=False), PUBLIC, open_point=point,
        identity=Identity("ambiguity", clause, kind), aspect=aspect)


def draws(clause: str) -> Holds:
    """Return that there is always a card to draw, of a clause."""
    return Holds(clause, "it is so", "exhaustive", "tiny", "nothing-to-draw")


OFTEN = Holds("c", "decided by its words", "sampled", "printed", "decided", "how-often/c")


@pytest.mark.parametrize(("found", "one", "kept"), [
    (finding("c", "silence", "too-few/c", "too-few"), draws("c"), False),
    (finding("c", "silence", "too-few/c", "too-few"), draws("d"), True),
    (finding("c", "silence", "whose/c", "whose"), draws("c"), True),
    (finding("c", "declared", "too-few"), draws("c"), True),
    (finding("c", "nothing-to-draw"), draws("c"), False),
    (finding("c", "declared", "point"), OFTEN, False),
    (finding("d", "declared", "point"), OFTEN, True),
])
def test_what_a_finding_denies_does_not_hold(found: Finding, one: Holds, *, kept: bool) -> None:
    """Not that it never fails where it is asked what is then done, nor that words decide it."""
    assert undenied((found,), (), (one,), ()) == ([], [one] * kept, [])


@pytest.mark.parametrize(("kind", "clause", "kept"), [
    ("out-of-range", "c", False), ("out-of-range", "d", True), ("tie", "c", True)])
def test_what_is_seen_to_fail_is_not_harmless(kind: str, clause: str, *, kept: bool) -> None:
    """What to do if less is left than is taken away is asked where that comes up."""
    one = Harmless("beyond-bounds/c", "it comes to the same", "bounded")

    assert undenied((finding(clause, kind),), (one,), (), ()) == ([one] * kept, [], [])


@pytest.mark.parametrize(("point", "left", "kept"), [
    ("too-few/c", "", False), ("too-few/d", "", True), ("whose/c", "", True),
    ("too-few/c/2", "", False), ("too-few/c2", "", True), ("", "", True),
    ("too-few/c", "point", True)])
def test_what_is_seen_to_fail_was_not_left_open(point: str, left: LeftOut, *, kept: bool) -> None:
    """No line says that a case never came up in which a finding shows what cannot be done.

    That a point was not looked at at all is told in any case.
    """
    one = NotChecked("too-few/c", "no situation comes up", "question", left=left, point=point)

    assert undenied((finding("c", "too-few"),), (), (), (one,)) == ([], [], [one] * kept)


PAYS = """
game: pays
title: Pays
players: {count: 1}
families: {f: {}}
cards: {f: {club: {copies: 1}}}
zones: {box: {holds: f, kind: bag, starts: all}, hand: {holds: f, kind: bag}}
state: {active: {type: player, start: 1}}
steps: {game: {}}
start: game
clauses:
- id: pay
  kind: effect
  says: a player picks two cards
  on: game
  do: |
    paid = choose_cards(hand, by=active, exactly=2, ask="Which cards?")
    move_all(paid, hand, box)
  MARK
RULED
"""
SHORT = "- {id: short, kind: claim, says: who has too few pays nothing, never: 'False'}\n"


@pytest.mark.parametrize(("mark", "ruled", "fails"), [
    ("", "", False),
    ("", "rulings: [{point: too-few/pay, reading: as-many}]", False),
    ("", "rulings: [{point: too-few/pay, reading: nothing}]", True),
    ("stated: {too-few: picks two cards}", "", False),
    ("settled: {too-few: short}", "rulings: [{point: too-few/pay, reading: nothing}]", False)])
def test_none_are_as_many_as_there_are(
    mark: str, ruled: str, *, fails: bool, tmp_path: Path
) -> None:
    """Where as many are chosen as there are, a choice among none fails at nothing.

    And if its words or another clause say what happens, the book does not leave it open.
    """
    (tmp_path / "game.yaml").write_text(
        PAYS.replace("MARK", mark).replace("RULED", SHORT * ("short" in mark) + ruled), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("undefined-operation",))
    told = [each.why for each in report.not_checked if "what happens then" in each.why and (
        "who has too few pays nothing" in each.why or "(picks two cards)" in each.why)]

    assert bool(report.everything) == fails
    assert bool(told) == bool(mark)


def report(*harmless: Harmless, lost: tuple[NotChecked, ...] = (), **missing: tuple[str, ...]
           ) -> Report:
    """Return a report of a game."""
    return Report("g", "Game", "0" * 64, "1", {}, (Explored("tiny", 1, 1, 1, 1, complete=True),),
                  (), harmless, (), lost, Coverage(3, 3, 4, 2, 5, 5, 6, 6, missing=missing))


def test_orders_of_rules_are_one_line() -> None:
    """Their reasons are folded on the page; all else that is harmless is told one by one."""
    some = [Harmless(f"{name}/a", "they touch different things", "proof")
            for name in ("order", "firing", "timing")]
    made = report(*some, Harmless("who", "who acts: the same", "exhaustive"))
    (section,) = sections(made, Subject())
    counted = ("3 questions of which rule comes first, or when it acts, come to the same "
               "(3 proof)")

    assert section.lines == ("who acts: the same",)
    assert [fold.counted for fold in section.folds] == [counted]
    assert f"<details><summary>{counted}" in markdown(made)
    assert counted in " ".join(text(made).split())
    assert "different things" not in text(made)


def test_the_appendix_speaks_of_the_book(tmp_path: Path) -> None:
    """Claims and questions stand in the words of clauses; checks of the encoding are folded."""
    spec = {"game": "words", "title": "Words", "players": {"count": 2},
            "state": {"active": {"type": "player"}}, "steps": {"game": {}}, "start": "game",
            "clauses": [{"id": "over", "kind": "order", "says": "it is over", "on": "game",
                         "do": "end_game()"}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    made = replace(report(), holds=(
        Holds("over", "claim", "proof", "printed", "claim"),
        Holds("over", "every value that is used is set", "proof", "x", "no-value"),
        Holds("over", "decided by the clause `over`: who acts", "sampled", "printed", "decided")),
        not_checked=(NotChecked("a", "the time was up", "question", point="too-few/over"),
                     NotChecked("b", "the time was up", "question", point="order/over"),
                     NotChecked("c", "they are assumed", "claims", clauses=("over",)),
                     NotChecked("endless play in scope tiny", "not all was explored")))
    holds, left = sections(made, Subject(compile_game(load_game(str(tmp_path)))))

    assert holds.lines == (
        "decided by the clause it is over: who acts (in random plays)",
        "1 check of the engine on the encoding (1 proof), which the findings file lists")
    assert [(fold.counted.partition(" (")[0], fold.lines[0][:10]) for fold in holds.folds] == [
        ("claims of the book that are true: 1", "it is over")]
    assert left.lines == ("whether these claims are true: it is over; they are assumed",)
    assert [fold.counted for fold in left.folds] == [
        "1 question left open: the time was up",
        "1 question of which rule comes first, or when it acts, left open: the time was up",
        "1 check that did not look at everything"]


@pytest.mark.parametrize("late", [False, True])
def test_what_was_done_with_other_numbers_of_players_is_no_more_than_there_was_time_for(
    late: bool  # noqa: FBT001
) -> None:
    """Where a run was cut short, nobody is told that all was compared."""
    left = (NotChecked("games with 3 players", "answers are compared with 3", "players"),
            *[NotChecked("open points", "no time", cause="late")] * late)
    made = replace(report(), not_checked=left)
    (section,) = (each for each in sections(made, Subject()) if each.lines)
    told = "as far as there was time, answers are compared with 3"

    assert (told[1:] in checked_text(made)) == late
    assert any(told in line for line in section.lines) == late


def test_the_appendix_repeats_nothing_and_names_no_small_game() -> None:
    """Lines that say the same are one, and scopes have no names for readers."""
    why = "the same in the scopes tiny, small, and in all 3 scopes of at most 30 states"
    made = replace(report(*[Harmless(f"who{n}", why, "bounded") for n in range(2)]),
                   explored=tuple(Explored(name, 1, 1, 1, 1, complete=True)
                                  for name in ("tiny", "small")),
                   not_checked=tuple(
                       NotChecked(f"too-few/{n}", f"{n}: no case in the scopes small", "question",
                                  point=f"too-few/{n}", asks=n)
                       for n in "ab"))
    harmless, left = sections(made, Subject())

    assert harmless.lines == ("the same in small games, and in 3 small games",)
    assert [(fold.counted, fold.lines) for fold in left.folds] == [
        ("2 questions left open: no case in small games", ("a", "b"))]


def test_a_question_is_left_open_once_for_all_its_reasons() -> None:
    """Answers to it may be left open for reasons of their own, and be told of in other words."""
    made = replace(report(), not_checked=(
        NotChecked("x", "a: no case", "question", point="too-few/a", asks="a"),
        NotChecked("y", "b: no case", "question", point="too-few/b", asks="b"),
        NotChecked("z", "what: if: no such: game", "question", point="too-few/a", asks="what: if",
                   mode="in the mode “M”")))
    (left,) = sections(made, Subject())

    assert [(fold.counted, fold.lines) for fold in left.folds] == [
        ("1 question left open: no case; and no such: game", ("a",)),
        ("1 question left open: no case", ("b",))]


@pytest.mark.parametrize("kind", ["trapped", "optional"])
def test_no_kind_is_absent_that_a_finding_is_of(kind: str) -> None:
    """What never ends any more is a dead end, whatever its class is called."""
    made = replace(report(), findings=(finding("c", kind),),
                   holds=(Holds("", "no finding", "bounded", "tiny", "none",
                                classes=("doomed", "deadlock", "gap", "overlap")),))
    (section,) = sections(made, Subject())

    assert ("; a position in which nobody can do anything" in section.lines[0]) == (
        kind == "optional")
    assert "a position that no rule decides; two automatic rules" in section.lines[0]


def test_it_is_named_in_which_small_games_something_holds(tmp_path: Path) -> None:
    """Of what holds in some of the small games alone it is said in which ones.

    That plays end in some of them says nothing of the game, and is not told.
    """
    scopes = {name: {"about": f"a game that is {name}", "players": 2} for name in ("one", "two")}
    spec = {"game": "small", "title": "Small", "players": {"count": 2}, "scopes": scopes,
            "steps": {"game": {}}, "start": "game",
            "clauses": [{"id": "c", "kind": "effect", "says": "it is", "on": "game",
                         "do": "pass"}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    both = tuple(Explored(name, 1, 1, 1, 1, complete=True) for name in scopes)
    made = replace(report(), explored=both, holds=(
        Holds("", "every play comes to an end", "exhaustive", "two", "ends"),
        Holds("", "ruled out by the example in line 3: no", "exhaustive", "two", "ruled-out"),
        Holds("", "somebody can always move until the game is over", "exhaustive", "one, two",
              "moves")))
    subject = Subject(compile_game(load_game(str(tmp_path))))
    (section,) = (each for each in sections(made, subject) if each.title == "What holds")

    assert section.lines == (
        ("ruled out by the example in line 3: no "
         "(in all situations of 1 of 2 small games: a game that is two)"),
        "somebody can always move until the game is over (in all situations of small games)")


def test_claims_that_repeat_a_number_are_not_told(tmp_path: Path) -> None:
    """That a number is what the spec gives it says nothing of the book, that two agree does."""
    spec = {"game": "fives", "title": "Fives", "players": {"count": 2},
            "constants": {"five": 5, "two": 2, "ten": 10},
            "state": {"active": {"type": "player"}}, "steps": {"game": {}}, "start": "game",
            "clauses": [{"id": "is", "kind": "claim", "says": "five is five", "claim": "five == 5"},
                        {"id": "sum", "kind": "claim", "says": "twice five are ten",
                         "claim": "two * five == ten"},
                        {"id": "all", "kind": "claim", "says": "there are fewer players",
                         "claim": "size(players) < five"},
                        {"id": "over", "kind": "order", "says": "it is over", "on": "game",
                         "do": "end_game()"}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    made = replace(report(), holds=tuple(
        Holds(n, "claim", "proof", "p", "claim") for n in ("is", "sum", "all")))
    (section,) = sections(made, Subject(compile_game(load_game(str(tmp_path)))))

    assert [fold.counted for fold in section.folds] == [
        "claims of the book that are true: 2 (2 proof)"]


def test_what_a_play_runs_was_exercised() -> None:
    """A clause that a play of the report cites is not listed as not exercised."""
    shown = Shown("", {"steps": [{"cites": ["c.one"]}]})
    one = finding("c.one", "tie")
    made = replace(report(clauses=("c.one", "c.two")), findings=(
        replace(one, evidence=replace(one.evidence, plays=(shown,))),))
    (row,) = (row for row in coverage_rows(made, Subject()) if row[0].startswith("clauses"))

    assert row[1:] == (3, 4, "run by none of them: c.two")


def test_what_was_not_covered_has_a_name() -> None:
    """A row of coverage that is not full names what is missing, on the page too."""
    made = report(clauses=("c.one", "c.two"))

    (left,) = (left for name, *_, left in coverage_rows(made, Subject()) if "clauses that" in name)
    assert left == "run by none of them: c.one; c.two"
    assert "Run by none of them: c.one; c.two." in markdown(made).replace("\\", "")


def test_what_the_print_has_lost_is_told_first(tmp_path: Path) -> None:
    """The first lines of a report say where the book is torn, and a line below what is gone."""
    spec = {
        "game": "torn", "title": "Torn", "players": {"count": 2},
        "rulebook": {"file": "book.txt", "sha256": "0" * 64, "lines": 3},
        "state": {"active": {"type": "player"}}, "steps": {"game": {}}, "start": "game",
        "clauses": [{"id": "over", "kind": "order", "says": "it is over", "on": "game",
                     "lines": [2, 2], "missing": "when it is over", "do": "end_game()"}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    made = verify(str(tmp_path), Settings())
    (line,) = [one for one in made.not_checked if "lost" in one.what]

    assert "line 2" in line.what
    assert "when it is over" in line.what
    assert "1 rule rests on print that is lost in line 2" in checked_text(made)


def test_lines_of_lost_print_stand_in_order() -> None:
    """Rules are counted, which may share a line, and each place is named once, the first first."""
    made = replace(report(), not_checked=tuple(
        NotChecked("a card", "nothing stands here", "lost", lines=lines)
        for lines in ((91, 91), (7, 9), (77, 77), (91, 91))))

    assert "4 rules rest on print that is lost in lines 7 to 9, 77 and 91" in checked_text(made)


def test_what_was_not_done_of_many_sentences_is_one_line(tmp_path: Path) -> None:
    """What was left for one reason stands together, and bounds of the model are only counted."""
    spec = {"game": "left", "title": "Left", "players": {"count": 2}, "steps": {"game": {}},
            "start": "game", "clauses": [
                {"id": name, "kind": "effect", "says": f"it is {name}", "on": "game", "do": "pass"}
                for name in ("one", "two")]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    model = "more than 9 tallied of a card in `laid` (one)"
    made = replace(report(), not_checked=(
        *(NotChecked(f"phrases of {name}", "the time was up", cause="late", left="phrases",
                     clauses=(name,)) for name in ("one", "two")),
        NotChecked("seats that are not alike", "the time was up", cause="late"),
        NotChecked(model, "the model holds no more", "bound"),
        NotChecked(model, "the same", "bound")))
    (section,) = (each for each in sections(made, Subject(compile_game(load_game(str(tmp_path)))))
                  if each.title == "What was not checked")

    assert section.lines == (
        "phrases of it is one; it is two: the time was up",
        "seats that are not alike: the time was up")
    assert section.folds[-1].lines == (
        "2 bounds of the model: listed in the findings file",)


def test_an_example_that_is_not_checked_is_told_in_a_line(tmp_path: Path) -> None:
    """An editor can mend it: it is told in the words of the book, and not as a check of ours."""
    spec = {"game": "left", "title": "Left", "players": {"count": 2}, "steps": {"game": {}},
            "start": "game", "clauses": [{
                "id": "die", "kind": "example", "says": "a six wins",
                "example": {"at": "game", "moves": []}}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    made = replace(report(), not_checked=(
        NotChecked("an example", "it does not say what chance does after its last move",
                   "example", clauses=("die",)),))

    assert ("- whether this example works out: a six wins; it does not say what chance does after "
            "its last move") in " ".join(
                text(made, compile_game(load_game(str(tmp_path)))).split())


def test_what_the_head_counts_is_what_the_appendix_lists() -> None:
    """What is told in one line is one; what was left out or came too late is said in the head."""
    same = [Harmless(f"who{n}", "the same", "bounded") for n in range(2)]
    made = replace(report(*same, Harmless("order/a", "they are apart", "proof")), explored=tuple(
        Explored(name, 1, 1, 1, 1, complete=True) for name in ("tiny", "small", "large")),
        holds=tuple(
            Holds("", f"the game can go on for ever if {who} agree", "exhaustive", "tiny", "weak")
            for who in ("all players", "all players", "two")),
        not_checked=(
            NotChecked("open points", "more than 30 states", "scopes", scopes=("small", "large")),
            NotChecked("ways out", "no time", cause="late"),
            NotChecked("who", "no time", "question", "late", left="point", point="who/a")))
    head, told = checked_text(made), {one.title: one.lines for one in sections(made, Subject())}

    assert "3 small games explored, all of them completely (3 situations)" in head
    assert "; open points compared in 1 of them; 2 checks ran out of time; " in head
    assert "2 open points made no difference" in head
    assert "check holds" not in head
    assert told["Open points that make no difference"] == ("the same", "they are apart")
    assert told["Weak, but no fault of a sentence"] == (
        "in small games, which have fewer cards, the game can go on for ever if all players agree",
        "in small games, which have fewer cards, the game can go on for ever if two agree")
    assert "What holds" not in told


@pytest.mark.parametrize("point", ["who=b", "who", "how-many/a"])
def test_what_was_compared_in_part_is_not_counted_as_no_difference(point: str) -> None:
    """An answer is told apart, or was not compared: what the others come to is told."""
    made = replace(report(Harmless(point, "b is as a", "bounded")), not_checked=(
        NotChecked("x", "it cannot be played", "question", point="who", scopes=("tiny",)),
        NotChecked("y", "it never comes up", "question", point="how-many/a")))
    told = {one.title: one.lines for one in sections(made, Subject())}

    assert "made no difference" not in checked_text(made)
    assert told["Open points that make no difference"][0].startswith("b is as a")


def test_reasons_in_words_of_the_language_reach_no_reader(tmp_path: Path) -> None:
    """A code of an error, an expression, a name of the spec; and each line asks its question."""
    spec = {"game": "left", "title": "Left", "players": {"count": 2}, "steps": {"game": {}},
            "state": {"active": {"type": "player"}}, "start": "game",
            "windows": {"bids": {"who": "players", "order": "unstated", "clause": "bid"}},
            "variants": {"long_game": {"title": "a long game", "clause": "bid"}},
            "open_points": [{"id": "how", "clauses": ["bid"], "asks": "how many is it?",
                             "readings": [{"id": "one", "title": "one", "changes": {}},
                                          {"id": "two", "title": "two", "changes": {}}]}],
            "clauses": [{"id": "bid", "kind": "effect", "says": "all bid", "on": "game",
                         "do": "bids()"}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    subject = Subject(compile_game(load_game(str(tmp_path))))
    made = replace(report(), not_checked=(
        NotChecked("x", "changes:1:1: RP243 `order/bids=unstated` writes", "question", "clash",
                   point="order/bids", scopes=("tiny",)),
        NotChecked("y", "`long_game` is not for it", "question", "unfit", point="how",
                   modes=("long_game",)),
        NotChecked("z", "few plays were looked at", "question", point="how")))
    (section,) = sections(made, subject)
    together = ("this answer changes the same as the answer to another question, and the two do "
                "not go together")

    assert [(fold.counted.rpartition(": ")[2], fold.lines) for fold in section.folds] == [
        (("the mode “a long game” is not for games with so many players and these cards; and few "
          "plays were looked at"), ("how many is it?",)),
        (together, ("all bid: in which order do the players act",))]


def test_questions_that_were_left_open_are_named_where_they_are_counted() -> None:
    """Also in plain text: each by what it asks, and by the number of a finding that asks it."""
    made = replace(report(), findings=(
        finding("c", "declared", "p"), finding("a", "silence", "too-few/a")), not_checked=(
        NotChecked("x", "what if none: no case", "question", point="too-few/a",
                   asks="what if none"),
        NotChecked("y", "what if one: no case", "question", point="too-few/b",
                   asks="what if one"),
        NotChecked("endless play in scope tiny", "not all was explored")))
    told = " ".join(text(made).split())

    assert ("2 questions left open: no case · what if none (finding 2) · what if one "
            "- 1 check that did not look at everything") in told
