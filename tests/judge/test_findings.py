"""Findings are made once: one name in every run, one root, ranked by what an editor loses."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from ruleproof.checker.checks import ambiguity
from ruleproof.checker.findings.observations import Extent
from ruleproof.checker.findings.results import (
    LEGAL,
    PUBLIC,
    TEXT,
    WINNER,
    Class,
    Coverage,
    Evidence,
    Finding,
    Identity,
    Observable,
    Report,
    Shown,
    WayOut,
)
from ruleproof.checker.findings.shares import Frequency, Wins
from ruleproof.checker.judge.decide import ENOUGH, findings, ids_of, observable_of
from ruleproof.checker.judge.roots import ranked
from ruleproof.checker.verify import verify
from ruleproof.cli.commands.verify import outcome
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.tests.checks.test_ways import DRY, WELL, audit_of
from ruleproof.tests.support.little import write
from ruleproof.tests.support.places import TESTS


def shed(folder: Path, clauses: list[dict[str, Any]], **sections: object) -> Path:
    """Write a game of some clauses; give its folder."""
    spec: dict[str, Any] = {
        "game": "shed", "title": "The Shed", "players": {"count": 2},
        "families": {"wood": {}}, "cards": {"wood": {"plank": {"copies": 6}}},
        "zones": {"stack": {"holds": "wood", "kind": "deck", "starts": "all", "seen_by": "none"},
                  "shed": {"holds": "wood", "kind": "bag"}},
        "state": {"active": {"type": "player", "start": 1}, "nails": {"type": "int 0..3"},
                  "screws": {"type": "int 0..3"}},
        "steps": {"game": {}}, "start": "game",
        "clauses": [{"kind": "effect", **({} if "whenever" in each else {"on": "game"}), **each}
                    for each in clauses]}
    (folder / "game.yaml").write_text(json.dumps({**spec, **sections}), "utf-8")
    return folder


STALL = str(TESTS / "specs" / "stall")


def ids(report: Report) -> set[str]:
    """Collect the ids of findings and of what follows from them."""
    return {each.id for each in report.everything}


def below(report: Report) -> Mapping[str, list[str]]:
    """Return the ids of roots with those of their consequences."""
    return {one.id: [each.id for each in one.consequences] for one in report.findings}


# ----------------------------------------------------------------------- ids


TWO_PLACES = [{"id": "c", "says": "it is built", "do": (
    "if screws == 1:\n  nails = 9\nif screws == 0:\n  nails = 8\n  screws = 1\n  nails = 9")}]


def test_places_are_numbered_as_the_spec_has_them(tmp_path: Path) -> None:
    """Of three places where a number may leave its range the first never fails, and is 1."""
    report = verify(str(shed(tmp_path, TWO_PLACES)), Settings(), only=("undefined-operation",))

    assert ids(report) == {f"shed/undefined-operation/c/out-of-range/{n}" for n in (2, 3)}


def test_an_id_is_the_same_in_every_scope_and_run(tmp_path: Path) -> None:
    """What else fails, and where one looks, does not change what a finding is called."""
    clauses: list[dict[str, Any]] = [
        {"id": "c", "says": "planks are drawn", "do": "draw(5, stack, shed)\nnails = 9"}]
    scopes = {f"s{n}": {"about": "small", "cards": {"wood": {"plank": n}}} for n in (2, 9)}
    source = str(shed(tmp_path, clauses, scopes=scopes))
    few, many, both = (ids(verify(source, Settings(scope=scope), only=("undefined-operation",)))
                       for scope in ("s2", "s9", "printed"))

    assert few == {"shed/undefined-operation/c/nothing-to-draw", *many}
    assert many == {"shed/undefined-operation/c/out-of-range"}
    assert both <= few | many


# ----------------------------------------------------------------------- one root


def test_what_a_way_out_removes_goes_under_the_question(tmp_path: Path) -> None:
    """The draw from a dry well is a line under the question whether one may pull there."""
    report = verify(str(write(tmp_path, WELL)), Settings())

    assert below(report)["well/ambiguity/dry"] == [DRY]
    (one,) = report.findings[0].consequences
    assert (one.root, one.follows) == ("well/ambiguity/dry", "the same answer settles it")


def test_what_stands_on_the_same_sentences_is_one_finding(tmp_path: Path) -> None:
    """Two things that fail in one sentence are one finding; in two sentences they are two."""
    one: list[dict[str, Any]] = [{"id": "c", "says": "it is built", "do": "nails = 9\nscrews = 9"}]
    two: list[dict[str, Any]] = [{"id": "c", "says": "it is nailed", "do": "nails = 9"},
           {"id": "d", "says": "it is screwed", "after": ["c"], "do": "screws = 9"}]
    only = ("undefined-operation",)
    together = verify(str(shed(tmp_path, one)), Settings(), only=only)

    assert [len(each.consequences) for each in together.findings] == [1]
    assert together.findings[0].consequences[0].follows == "it stands on the same sentences"
    apart = verify(str(shed(tmp_path, two)), Settings(), only=only)
    assert {each.clauses for each in apart.everything} == {("c",), ("d",)}


def made(
    name: str, *, cls: Class = "undefined-operation", level: Observable = PUBLIC,
    clauses: tuple[str, ...] = (), depth: int = 3, position: object = None,
    smaller: bool = False, often: Frequency | None = None, play: object = "a move",
) -> Finding:
    """Make a finding of which only what is given matters."""
    evidence = Evidence("witness", "exhaustive", "printed", replayed=True, depth=depth,
                        position=position, plays=(Shown("", {"steps": ["first", play]}),))
    return Finding(f"g/{cls}/{name}", cls, name, clauses, (), evidence, level,
                   frequency=often, identity=Identity(cls, name), only_smaller=smaller)


HERE, THERE = {"node": "yard", "state": {"nails": 1}}, {"node": "yard", "state": {"nails": 2}}


@pytest.mark.parametrize(("position", "play", "depth", "roots"), [
    (HERE, "a move", 3, 1), (THERE, "a move", 3, 2), (HERE, "another", 3, 2),
    (HERE, "a move", 0, 2),
])
def test_one_last_situation_is_one_finding(
    position: object, play: object, depth: int, roots: int
) -> None:
    """A fate goes under the draw that fails in its last situation, if the same move leads there."""
    game = load_game(STALL)
    found = ranked(game, [made("draw", position=HERE, depth=depth), made(
        "fate", cls="doomed", position=position, play=play, depth=depth)])

    assert len(found) == roots
    assert roots == 2 or found[0].cls == "undefined-operation"


WORDS_USED: list[dict[str, Any]] = [
    {"id": "c", "says": "it is built", "do": "win(active)", "uses": ["beam", "joist", "oak"]},
    {"id": "d", "says": "oak lasts", "after": ["c"], "do": "end_game()", "uses": ["oak"]}]
VOCABULARY = {"oak": {"means": "a tree; also its wood"}, "red oak": {"same_as": "oak"},
              "timber": {"same_as": "oak"}, "peg": {"means": "a small piece"}}


@pytest.mark.parametrize(("vocabulary", "rows"), [
    (VOCABULARY, ["beam", "joist", "oak", "timber", "peg"]),
    ({**VOCABULARY, "beam": {"means": "long wood"}, "joist": {"means": "short wood"}},
     ["oak", "timber", "peg"]),
])
def test_faults_of_words_are_one_finding_with_a_table(
    vocabulary: dict[str, Any], rows: list[str], tmp_path: Path
) -> None:
    """What confuses most comes first; a name that is a part of another one is none."""
    folder = shed(tmp_path, WORDS_USED, vocabulary=vocabulary)
    (found,) = verify(str(folder), Settings(), only=("undefined-term",)).findings

    assert [row[0].strip("“”") for row in found.table[1:]] == rows
    assert found.consequences == ()
    assert found.clauses == ("c", "d")
    assert found.id.endswith("/undefined-term/words")
    assert not found.only_smaller


def test_one_fault_of_a_word_has_no_table(tmp_path: Path) -> None:
    """A single word is told in its title, under its own id."""
    clauses = [{**WORDS_USED[0], "uses": ["beam"]}]
    (found,) = verify(str(shed(tmp_path, clauses)), Settings(), only=("undefined-term",)).findings

    assert (found.table, found.id.rpartition("/")[2]) == ((), "beam")


@pytest.mark.parametrize("asks", ["what is a beam", "what is a plank"])
def test_a_word_that_a_question_asks_about_is_told_there(asks: str, tmp_path: Path) -> None:
    """It goes under the question, and not into the table of words."""
    points = [{"id": "p", "clauses": ["c"], "asks": asks, "readings": [
        {"id": "a", "title": "long wood", "changes": {}},
        {"id": "b", "title": "short wood", "changes": {"c": {"do": "end_game()"}}}]}]
    folder = shed(tmp_path, WORDS_USED[:1], open_points=points)
    found = verify(str(folder), Settings(), only=("undefined-term", "ambiguity")).findings
    below = [each.identity.place for one in found for each in one.consequences if each.identity]
    rows = [row[0] for one in found for row in one.table[1:]]

    assert below == (["beam"] if "beam" in asks else [])
    assert rows == [f"“{word}”" for word in ("beam", "joist", "oak") if word not in asks]


def test_what_is_said_twice_is_one_finding_of_the_text(tmp_path: Path) -> None:
    """Two sentences that others say already are rows of one table, and count."""
    window = {"window": {"by": "active", "done": "rest"}}
    clauses: list[dict[str, Any]] = [
        {"id": "turns", "says": "twice somebody may build", "do": "window()\nwindow()"},
        {"id": "build", "kind": "permit", "says": "a plank is laid", "on": "window",
         "option": "build", "do": "draw(1, stack, shed)"},
        {"id": "nail", "kind": "permit", "says": "a nail is taken", "on": "window",
         "option": "nail", "do": "nails += 1"},
        *({"id": f"{option}{place}", "kind": "forbid", "says": f"no {place} {option} for others",
           "on": f"window.{option}", "when": when}
          for option, when in (("build", "size(shed) == 1"), ("nail", "nails == 1"))
          for place in ("first", "second"))]
    folder = shed(tmp_path, clauses, windows=window, scopes={
        "tiny": {"cards": {"wood": {"plank": 3}}}})
    report = verify(str(folder), Settings(), only=("redundant-clause",))
    (found,) = report.counting

    assert [row[0] for row in found.table[1:]] == [
        "no first build for others", "no first nail for others"]
    assert report.findings == report.counting


@pytest.mark.parametrize(("when", "named", "among"), [
    ("nails[actor] >= 2", "tax", ("tax",)),
    ("nails[actor] >= 1", "hire", ("tax", "hire")),
])
def test_a_question_leaves_out_sentences_in_which_it_cannot_come_up(
    tmp_path: Path, when: str, named: str, among: tuple[str, ...]
) -> None:
    """What an option asks for first is always there, so nothing is open in what it takes."""
    clauses: list[dict[str, Any]] = [
        {"id": "turn", "says": "the first player acts", "do": "window()"},
        {"id": "hire", "kind": "permit", "says": "somebody is hired for two nails", "on": "window",
         "option": "hire", "when": when, "do": "nails[actor] -= 2",
         "stated": {"how-often": "somebody"}},
        {"id": "tax", "says": "each pays two nails", "after": ["turn"],
         "do": "for p in players:\n  nails[p] -= 2"},
        {"id": "end", "kind": "outcome", "says": "whoever has most wins", "after": ["tax"],
         "do": "win(argmax(nails[p] for p in players))"}]
    nails = {"type": "int 0..9", "per": "player", "start": 3}
    report = verify(str(shed(
        tmp_path, clauses, windows={"window": {"by": "active", "repeat": True, "done": "rest"}},
        state={"active": {"type": "player", "start": 1}, "nails": nails})), Settings())
    (finding,) = (each for each in report.everything if each.open_point)

    assert finding.id == f"shed/ambiguity/beyond-bounds-{named}"
    assert {*finding.clauses} == {*among}
    assert ("The same is open in 1 other sentence" in finding.explanation) == (len(among) > 1)


# ----------------------------------------------------------------------- sentences in parts


def halves(folder: Path, **second: object) -> Report:
    """Verify a game that says twice that a plank is needed; `second` is added to the second."""
    window = {"window": {"by": "active", "done": "rest"}}
    clauses: list[dict[str, Any]] = [
        {"id": "turns", "says": "twice somebody may build", "do": "window()\nwindow()"},
        {"id": "build", "kind": "permit", "says": "a plank is laid", "on": "window",
         "option": "build", "do": "draw(1, stack, shed)"},
        {"id": "first", "kind": "forbid", "says": "not without a plank", "on": "window.build",
         "when": "size(stack) == 5"},
        {"id": "second", "kind": "forbid", "says": "again: a plank is needed",
         "on": "window.build", "when": "size(stack) == 5", **second}]
    return verify(str(shed(folder, clauses, windows=window)), Settings(),
                  only=("dead-clause", "inert-clause", "redundant-clause"))


def test_the_same_rule_twice_is_one_finding(tmp_path: Path) -> None:
    """Two sentences of which one suffices are one finding, not two."""
    report = halves(tmp_path)

    assert [set(each.clauses) for each in report.findings] == [{"first", "second"}]


def test_a_reminder_is_no_finding_when_it_repeats(tmp_path: Path) -> None:
    """What the book marks as said again is told under what holds, for both sentences."""
    report = halves(tmp_path, restates=["first"])

    assert ids(report) == set()
    assert {one.clause for one in report.holds if "reminder" in one.what} == {"first", "second"}


def test_a_reminder_that_never_applies_is_a_finding(tmp_path: Path) -> None:
    """The mark hides nothing: what does nothing without the other sentence either is told."""
    report = halves(tmp_path, restates=["turns"], when="size(stack) == 9")

    assert any("second" in each.clauses for each in report.everything)


def test_two_parts_of_a_sentence_are_never_redundant_with_each_other(tmp_path: Path) -> None:
    """Clauses that cite the same lines are one sentence."""
    book = tmp_path / "book"
    book.mkdir()
    report = halves(book)
    spec = json.loads((book / "game.yaml").read_text("utf-8"))
    spec["rulebook"] = {"file": "book.txt", "sha256": "0" * 64, "lines": 2}
    for clause in spec["clauses"]:
        clause["lines"] = [2, 2] if clause["id"] in ("first", "second") else [1, 1]
    (book / "game.yaml").write_text(json.dumps(spec), "utf-8")
    cited = verify(str(book), Settings(), only=("dead-clause", "inert-clause", "redundant-clause"))

    assert ids(report)
    assert ids(cited) == set()


@pytest.mark.parametrize(("line", "found"), [(2, set()), (3, {"shed/redundant-clause/most"})])
def test_what_a_sentence_requires_its_other_part_may_do(
    line: int, found: set[str], tmp_path: Path
) -> None:
    """“At most two, the rest is put down” is one sentence: the limit is not superfluous in it.

    In two sentences it is, and then the clause that keeps the limit is named.
    """
    source = shed(tmp_path, [
        {"id": "gets", "says": "three are drawn", "do": "draw(3, stack, shed)", "lines": [1, 1]},
        {"id": "rest", "says": "the rest is put down", "lines": [2, 2], "after": ["gets"],
         "do": "if size(shed) > 2:\n  draw(size(shed) - 2, shed, heap)"},
        {"id": "most", "kind": "limit", "says": "at most two stay", "lines": [line, line],
         "ensure": "size(shed) <= 2"}],
        rulebook={"file": "book.txt", "sha256": "0" * 64, "lines": 3})
    spec = json.loads((source / "game.yaml").read_text("utf-8"))
    spec["zones"] |= {"shed": {"holds": "wood", "kind": "deck"},
                      "heap": {"holds": "wood", "kind": "bag"}}
    (source / "game.yaml").write_text(json.dumps(spec), "utf-8")
    report = verify(str(source), Settings(), only=("redundant-clause",))

    assert ids(report) == found
    assert all(set(each.clauses) == {"most", "rest"} for each in report.findings)


@pytest.mark.parametrize("again", [False, True])
def test_a_limit_that_a_forced_step_breaks_is_said_twice_only_with_another_sentence(
    tmp_path: Path, *, again: bool
) -> None:
    """Where it gives way the moves are the same without it, which does not make it needless."""
    most = {"kind": "limit", "says": "never two nails", "always": "nails < 2"}
    source = shed(tmp_path, [
        {"id": "turns", "says": "somebody builds, twice", "do": "window()\nwindow()"},
        {"id": "nail", "kind": "permit", "says": "a nail", "on": "window", "option": "nail",
         "do": "nails += 1"}], windows={"window": {"by": "active", "forced": True}})
    spec = json.loads((source / "game.yaml").read_text("utf-8"))
    spec["clauses"] += [{"id": "most", **most}, *[{"id": "more", **most}] * again]
    (source / "game.yaml").write_text(json.dumps(spec), "utf-8")
    report = verify(str(source), Settings(), only=(
        "limit-broken", "inert-clause", "redundant-clause"))
    idle = [each for each in report.everything if each.cls != "limit-broken"]

    assert "shed/limit-broken/most" in ids(report)
    assert [set(each.clauses) for each in idle if each.cls == "redundant-clause"] == [
        {"most", "more"}] * len(idle)
    assert bool(idle) == again


def test_what_the_book_says_wrongly_twice_is_one_finding(tmp_path: Path) -> None:
    """A false number that is printed again is a line under the first place that has it."""
    source = shed(tmp_path, [{"id": "d", "says": "it is built", "do": "nails = 1",
                              "lines": [1, 1]}],
                  rulebook={"file": "book.txt", "sha256": "0" * 64, "lines": 4})
    spec = json.loads((source / "game.yaml").read_text("utf-8"))
    spec["clauses"] += [
        {"id": "b.first", "kind": "claim", "says": "there are five planks",
         "claim": "sum(c.copies for c in wood) == 5", "lines": [2, 2]},
        {"id": "c.other", "kind": "claim", "says": "there are seven planks",
         "claim": "sum(c.copies for c in wood) == 7", "lines": [3, 3]},
        {"id": "a.again", "kind": "claim", "says": "again there are five planks",
         "claim": "sum(c.copies for c in wood) == 5", "lines": [4, 4]}]
    (source / "game.yaml").write_text(json.dumps(spec), "utf-8")
    report = verify(str(source), Settings(), only=("false-claim",))

    assert [(each.clauses, [(one.clauses, one.follows) for one in each.consequences])
            for each in report.findings] == [
        (("b.first",), [(("a.again",), "the book says it again")]), (("c.other",), [])]


# ----------------------------------------------------------------------- rank


def share(plays: int, seen: int, decides: int | None = None) -> Frequency:
    """Make a frequency whose intervals are the shares themselves."""
    one = seen / plays
    if decides is None:
        return Frequency(plays, seen, (one, one))
    return Frequency(plays, seen, (one, one), decides, (decides / plays, decides / plays))


def test_rank_is_by_what_an_editor_loses() -> None:
    """What can decide who wins comes first, then what clashes or is not so, then what may be done.

    In each group it is the share of games that counts; words weigh least of what is met, and what
    is unlifted stands apart.
    """
    untrue, lacks = (made(cls, cls=cls, level=TEXT) for cls in ("false-claim", "gap"))
    order = [
        made("ends-often", cls="ambiguity", level=WINNER, often=share(1000, 300, 200)),
        made("tie", cls="unresolved-tie", level=WINNER, often=share(1000, 100)),
        made("ends-rarely", cls="ambiguity", level=WINNER, often=share(1000, 900, 10)),
        made("rare", cls="ambiguity", level=WINNER, often=share(1000, 2, 2)),
        made("no-effect", cls="ambiguity", level=WINNER, often=share(1000, 970, 0)),
        made("winner", level=WINNER, depth=9),
        made("rare-and-none", cls="ambiguity", level=WINNER, often=share(1000, 2, 0)),
        replace(untrue, evidence=replace(untrue.evidence, plays=())),
        made("clash", cls="contradiction", level=LEGAL, often=share(1000, 20)),
        made("differs", level=LEGAL, often=share(1000, 600)),
        made("options", level=LEGAL),
        made("table", often=share(1000, 800)),
        made("soon", depth=1),
        made("late", depth=8),
        replace(lacks, evidence=replace(lacks.evidence, plays=())),
        made("word", cls="undefined-term", level=TEXT),
        made("unlifted", cls="ambiguity", level=WINNER, smaller=True),
    ]
    found = ranked(load_game(STALL), order[::-1])

    assert [one.title for one in found] == [one.title for one in order]


def test_what_only_a_mode_has_weighs_half() -> None:
    """Its share is one of other games, which fewer play."""
    found = ranked(load_game(STALL), [
        replace(made("mode", level=WINNER, often=share(1000, 900, 10)),
                frequency=replace(share(1000, 900, 10), mode="in the mode “long”")),
        made("all", level=WINNER, often=share(1000, 600, 10))])

    assert [one.title for one in found] == ["all", "mode"]


def test_what_happens_in_a_mode_comes_before_a_matter_of_the_text() -> None:
    """It is the text that nothing in play hangs on, whatever is played."""
    mode = made("mode", level=PUBLIC, often=share(1000, 500))
    found = ranked(load_game(STALL), [
        made("text", level=TEXT),
        replace(mode, evidence=replace(mode.evidence, mode="in the mode “long”"))])

    assert [one.title for one in found] == ["mode", "text"]


@pytest.mark.parametrize(("kinds", "roots"), [(("tie", "tie"), 1), (("tie", "no-value"), 2)])
def test_parts_of_a_sentence_are_one_finding_if_the_same_fails(
    kinds: tuple[str, str], roots: int
) -> None:
    """What fails in two clauses of one sentence is one thing, if it is of one kind."""
    game = load_game(STALL)
    halves = tuple(dataclasses.replace(clause, lines=(7, 7)) for clause in game.clauses[:2])
    found = ranked(dataclasses.replace(game, clauses=halves), [
        replace(made(clause.id, clauses=(clause.id,)),
                identity=Identity("undefined-operation", clause.id, kind))
        for clause, kind in zip(halves, kinds, strict=True)])

    assert len(found) == roots


def test_nothing_lifted_goes_under_what_is_not() -> None:
    """What the printed game has is a finding of its own beside the unlifted question about it."""
    found = ranked(load_game(STALL), [
        made("question", cls="ambiguity", clauses=("c",), smaller=True),
        made("draw", clauses=("c",))])

    assert [(one.title, len(one.consequences)) for one in found] == [("draw", 1)]


def test_a_root_that_was_not_measured_ranks_by_what_follows_from_it() -> None:
    """Such a question goes as far up as its consequences."""
    found = ranked(load_game(STALL), [
        made("question", cls="ambiguity", level=LEGAL, clauses=("c",)),
        made("draw", clauses=("c",), often=share(1000, 900)),
        made("other", clauses=("d",), often=share(1000, 100))])

    assert [one.title for one in found] == ["question", "other"]


def test_a_root_ranks_by_what_it_decides_itself() -> None:
    """A question whose share is known gains nothing from what follows from it."""
    found = ranked(load_game(STALL), [
        made("question", cls="ambiguity", level=LEGAL, clauses=("c",), often=share(1000, 50)),
        made("draw", clauses=("c",), often=share(1000, 900)),
        made("other", level=LEGAL, clauses=("d",), often=share(1000, 100))])

    assert [one.title for one in found] == ["other", "question"]


@pytest.mark.parametrize(("kind", "first"), [("free", True), ("optional", True), ("fate", False)])
def test_what_players_may_do_at_will_is_no_matter_of_chance(
    kind: str, first: bool,  # noqa: FBT001
) -> None:
    """That somebody goes round for ever has no share of random games, and sinks not for that."""
    found = ranked(load_game(STALL), [
        made("question", cls="ambiguity", level=LEGAL, clauses=("c",), often=share(1000, 900)),
        replace(made("loop", cls="endless-loop", level=LEGAL, clauses=("d",)),
                identity=Identity("endless-loop", "d", kind))])

    assert [one.title for one in found] == (
        ["loop", "question"] if first else ["question", "loop"])


@pytest.mark.parametrize("level", [LEGAL, PUBLIC, TEXT, WINNER])
@pytest.mark.parametrize(("same", "more", "decided"), [
    (1, (-0.1, 0.1), True), (0, (0.01, 0.1), True), (0, (-0.1, 0.1), False)])
def test_a_level_agrees_with_the_effect_on_who_wins(
    level: Observable, same: int, more: tuple[float, float], decided: bool,  # noqa: FBT001
    tmp_path: Path,
) -> None:
    """It is the winner if the same moves change that once, or beyond all luck; else as seen.

    Where pairs of games part, something else was chosen, though a scope shows only the table.
    """
    audit = audit_of(str(write(tmp_path, WELL)))
    ambiguity.run(audit)
    one = replace(audit.observed[0], observable=level)
    often = Frequency(1000, 500, (0.4, 0.6), same, (0.0, 0.05), asked=(
        Wins("", 40, 50, (0.0, 1.0), (0.0, 1.0), more),))

    legal = level if level.level < LEGAL.level else LEGAL
    assert observable_of(one, often) == (WINNER if decided else legal)
    assert observable_of(one, None) == level
    assert decided or observable_of(one, replace(often, seen=0)) == level


@pytest.mark.parametrize(("plays", "told"), [(10, False), (ENOUGH, True)])
def test_few_games_are_no_evidence(plays: int, told: bool, tmp_path: Path) -> None:  # noqa: FBT001
    """A share of ten games is not told."""
    audit = audit_of(str(write(tmp_path, WELL)))
    ambiguity.run(audit)
    audit.extents[audit.observed[0].identity] = Extent(
        found=True, frequency=Frequency(plays, 1, (0.0, 0.5)))
    (finding,) = findings(audit)

    assert (finding.frequency is not None) == told


# ----------------------------------------------------------------------- smaller games


def test_what_only_a_smaller_game_has_stands_apart(tmp_path: Path) -> None:
    """Six planks are enough for five draws; that two are not does not count."""
    clauses: list[dict[str, Any]] = [
        {"id": "c", "says": "planks are drawn", "do": "draw(5, stack, shed)\nnails = 9"}]
    scopes = {"small": {"about": "small", "cards": {"wood": {"plank": 2}}}}
    source = str(shed(tmp_path, clauses, scopes=scopes))
    report = verify(source, Settings(), only=("undefined-operation",))
    asked = verify(source, Settings(scope="small"), only=("undefined-operation",))

    assert [one.identity.kind for one in report.counting if one.identity] == ["out-of-range"]
    assert {one.only_smaller for one in asked.everything} == {False}
    assert "shed/undefined-operation/c/nothing-to-draw" in ids(asked)


def test_a_smaller_game_counts_only_when_asked() -> None:
    """The exit status is 1 for what only a smaller game has, if `--fail-on` says so."""
    report = Report(
        "g", "G", "0" * 64, "0", {}, (), (made("draw", smaller=True),), (), (), (),
        Coverage(0, 0, 0, 0, 0, 0, 0, 0))

    assert outcome(report, "any") == 0
    assert outcome(report, "any,smaller") == 1


def test_a_scope_of_the_printed_game_counts(tmp_path: Path) -> None:
    """What the printed game itself shows is in the main list."""
    source = str(shed(tmp_path, [{"id": "c", "says": "it is built", "do": "nails = 9"}]))
    report = verify(source, Settings())

    assert report.findings
    assert report.counting == report.findings


def asking(name: str, point: str, clauses: tuple[str, ...], *, kind: str = "silence",
           **rest: Any) -> Finding:  # noqa: ANN401
    """Make a question of a kind, about some clauses."""
    return replace(made(name, cls="ambiguity", clauses=clauses, **rest), open_point=point,
                   identity=Identity("ambiguity", kind=kind, place=point),
                   aspect=point.partition("/")[0] if kind == "silence" else "")


def failing(name: str, kind: str, *clauses: str) -> Finding:
    """Make something that cannot be done, of a kind."""
    return replace(made(name, clauses=clauses),
                   identity=Identity("undefined-operation", clauses[0], kind, name))


def under(found: tuple[Finding, ...]) -> dict[str, list[str]]:
    """Return the titles of roots with those of what follows from them."""
    return {one.title: sorted(each.title for each in one.consequences) for one in found}


def test_what_somebody_asked_is_never_a_line_under_what_is_derived() -> None:
    """Also where both stand on the same sentence, and the derived one decides more games."""
    found = ranked(load_game(STALL), [
        asking("derived", "who-chooses/c", ("c",), often=share(1000, 500, 300)),
        asking("asked", "p", ("c",), kind="declared", often=share(1000, 500, 20))])

    assert under(found) == {"asked": ["derived"]}


@pytest.mark.parametrize(("point", "kind", "clause", "below"), [
    ("beyond-bounds/c", "out-of-range", "c", True), ("beyond-bounds/c", "no-option", "c", False),
    ("too-few/c", "no-option", "d", True), ("too-few/c", "out-of-range", "c", False),
    ("beyond-bounds/c", "out-of-range", "e", False), ("together/c", "out-of-range", "c", False),
])
def test_what_fails_for_want_of_an_answer_is_a_line_under_the_question(
    point: str, kind: str, clause: str, below: bool,  # noqa: FBT001
) -> None:
    """If the question is about the clause, among others, and about what fails there."""
    found = ranked(load_game(STALL), [
        asking("question", point, ("c", "d")), failing("fails", kind, clause)])

    assert under(found)["question"] == (["fails"] if below else [])


@pytest.mark.parametrize(("points", "roots"), [
    (("who-chooses/c", "who-chooses/d"), 1), (("who-chooses/c", "too-few/d"), 2)])
def test_one_aspect_is_asked_of_a_sentence_once(points: tuple[str, str], roots: int) -> None:
    """Two silences of one aspect that share a sentence are one question."""
    found = ranked(load_game(STALL), [
        asking("one", points[0], ("c",)), asking("other", points[1], ("c", "d"))])

    assert len(found) == roots


def test_two_questions_are_two_where_their_games_end_alike() -> None:
    """A question about one sentence follows from none about another, whatever play shows both."""
    found = ranked(load_game(STALL), [
        asking("one", "p", ("c",), kind="declared", position=HERE),
        asking("other", "the-rest/d", ("d",), position=HERE)])

    assert len(found) == 2


@pytest.mark.parametrize(("title", "below"), [
    ("Is a “Long Beam” one, or two?", True), ("Are long beams one, or two?", True),
    ("Is a plank one, or two?", False), ("Is an oblong beam one, or two?", False)])
def test_a_word_that_a_question_asks_for_is_told_there(
    title: str, below: bool,  # noqa: FBT001
) -> None:
    """A word that is never explained is a line under the question that names it."""
    found = ranked(load_game(STALL), [
        asking(title, "p", ("c",), kind="declared"),
        replace(made("word", cls="undefined-term", clauses=("d",)),
                identity=Identity("undefined-term", kind="undefined", place="long beam"))])

    assert len(found) == 2 - below


@pytest.mark.parametrize(("other", "roots"), [("again", 1), ("else", 2)])
def test_a_rule_that_is_said_twice_is_asked_about_once(
    other: str, roots: int, tmp_path: Path
) -> None:
    """The order of a rule and another one is one question, however often the book says that one."""
    clauses = [{"id": "c", "says": "c", "do": "nails = 1"},
               {"id": "d", "says": "d", "do": "nails = 2"},
               {"id": "again", "says": "d, again", "do": "nails = 2"},
               {"id": "else", "says": "else", "do": "nails = 0"}]
    found = ranked(load_game(str(shed(tmp_path, clauses))), [
        asking("one", "order/c/d", ("c", "d"), kind="rules"),
        asking("two", f"order/c/{other}", ("c", other), kind="rules")])

    assert len(found) == roots


@pytest.mark.parametrize(("point", "adds", "roots"), [
    ("too-few/c", (), 1), ("too-few/c", ("gap: x",), 2), ("the-rest/c", (), 2)])
def test_what_an_answer_removes_is_a_line_under_its_question(
    point: str, adds: tuple[str, ...], roots: int
) -> None:
    """That too few are there in a step is asked where the option asks that leads to the step."""
    fails = failing("fails", "too-few", "step")
    found = ranked(load_game(STALL), [
        replace(asking("question", point, ("c",)),
                ways_out=(WayOut("not then", removes=(fails.id,), adds=adds),)), fails])

    assert len(found) == roots


def test_answers_that_share_a_place_have_ids_of_their_own() -> None:
    """The id of each other answer names it; the first one has that of the place alone."""
    audit: Any = SimpleNamespace(printed=SimpleNamespace(
        game=SimpleNamespace(id="g"), compiled=compile_game(load_game(STALL))))
    first = Identity("order-dependence", kind="window", place="sale")
    second = replace(first, reading="clockwise")

    assert ids_of(audit, {each: each for each in (first, second)}) == {
        first: "g/order-dependence/sale", second: "g/order-dependence/sale=clockwise"}


TWICE: list[dict[str, Any]] = [
    {"id": "turns", "says": "three turns", "do": "while nails < 3:\n  nails += 1"},
    {"id": "first", "kind": "outcome", "says": "with two nails one has won",
     "whenever": "nails == 2", "timing": "at once", "do": "win(active)"},
    {"id": "second", "kind": "outcome", "says": "again: two nails win",
     "whenever": "nails == 2", "timing": "at once", "do": "win(active)"}]
"""A rule that ends the game, and the same again: the second never has its turn."""


@pytest.mark.parametrize("again", ["first", "second", ""])
def test_what_ends_the_game_first_hides_no_sentence_that_says_it_again(
    again: str, tmp_path: Path
) -> None:
    """The book saying it twice is told as that, and neither as an order nor as what never is."""
    clauses = [{**each, "restates": [{"first": "second", "second": "first"}[again]]}
               if each["id"] == again else each for each in TWICE]
    report = verify(str(shed(tmp_path, clauses)), Settings(), only=(
        "order-dependence", "dead-clause", "inert-clause", "redundant-clause"))
    found = {each.cls: set(each.clauses) for each in report.everything
             if "second" in each.clauses}

    assert found == ({} if again else {"redundant-clause": {"first", "second"}})
    assert {one.clause for one in report.holds if "reminder" in one.what} == (
        {"first", "second"} if again else set())
    assert not [one for one in report.harmless if again and one.open_point.startswith("order/")]


def test_no_order_is_asked_for_between_a_sentence_and_its_reminder(tmp_path: Path) -> None:
    """Two things that one step does are an open order, but not if one says the other again."""
    steps: list[dict[str, Any]] = [
        {"id": "turns", "says": "nails are doubled", "do": "nails = nails * 2"},
        {"id": "more", "says": "and one more", "do": "nails += 1"}]

    def asked(folder: Path, **fields: object) -> set[str]:
        folder.mkdir()
        report = verify(str(shed(folder, [steps[0], {**steps[1], **fields}])), Settings(),
                        only=("order-dependence", "overlap"))
        return {one.open_point for one in report.everything}

    assert asked(tmp_path / "open")
    assert not asked(tmp_path / "said", restates=["turns"])


@pytest.mark.parametrize(("when", "dead"), [
    ("late", set()), ("nails == 3", {"never"}), ("late and nails == 3", {"never"})])
def test_what_is_offered_in_one_window_is_kept_out_of_others(
    when: str, dead: set[str], tmp_path: Path
) -> None:
    """A ban that the only window of its option observes is none in vain, if others would not."""
    windows = {name: {"by": "active", "done": "rest"} for name in ("dawn", "dusk")}
    clauses: list[dict[str, Any]] = [
        {"id": "turns", "says": "first at dawn, then at dusk", "do":
         "late = False\ndawn()\nlate = True\ndusk()"},
        {"id": "build", "kind": "permit", "says": "a plank is laid", "on": "dawn",
         "option": "build", "do": "nails = 1"},
        {"id": "sleep", "kind": "permit", "says": "one may sleep", "on": "dusk",
         "option": "sleep", "do": "nails = 2"},
        {"id": "never", "kind": "forbid", "says": "not so late", "on": "dawn.build",
         "when": when}]
    state = {"active": {"type": "player", "start": 1}, "nails": {"type": "int 0..3"},
             "late": {"type": "bool"}}
    report = verify(str(shed(tmp_path, clauses, windows=windows, state=state)), Settings(),
                    only=("dead-clause",))

    assert {one.identity.clause for one in report.everything if one.identity} == dead
    assert [one.clause for one in report.holds if "offered only" in one.what] == (
        [] if dead else ["never"])


def test_a_phrase_of_a_ban_may_keep_an_option_out_of_other_windows(tmp_path: Path) -> None:
    """It holds at dusk, where one may not build anyway; the other phrase holds nowhere."""
    windows = {name: {"by": "active", "done": "rest"} for name in ("dawn", "dusk")}
    clauses: list[dict[str, Any]] = [
        {"id": "turns", "says": "first at dawn, then at dusk", "do":
         "late = False\ndawn()\ndawn()\nlate = True\ndusk()"},
        {"id": "build", "kind": "permit", "says": "a plank is laid", "on": "dawn",
         "option": "build", "do": "nails += 1"},
        {"id": "sleep", "kind": "permit", "says": "one may sleep", "on": "dusk",
         "option": "sleep", "do": "nails = 2"},
        {"id": "never", "kind": "forbid", "says": "not so late, nor twice", "on": "dawn.build",
         "when": "late or nails == 1 or nails == 3"}]
    state = {"active": {"type": "player", "start": 1}, "nails": {"type": "int 0..3"},
             "late": {"type": "bool"}}
    report = verify(str(shed(tmp_path, clauses, windows=windows, state=state)), Settings(),
                    only=("inert-clause",))
    (found,) = [one for one in report.everything if one.identity
                and one.identity.clause == "never"]

    assert found.evidence.details["phrases"] == ["nails == 3"]
    assert [one.clause for one in report.holds if "offered only" in one.what] == ["never"]


@pytest.mark.parametrize(("shown", "dead"), [("c for c in stack if c.width == 1", set()),
                                             ("c for c in stack", {"never"})])
def test_what_is_offered_of_some_cards_is_kept_from_others(
    shown: str, dead: set[str], tmp_path: Path
) -> None:
    """Nor is a ban on cards in vain of which the option is not offered, if there are such."""
    clauses: list[dict[str, Any]] = [
        {"id": "turns", "says": "one may build", "do": "window()"},
        {"id": "build", "kind": "permit", "says": "a plank is laid", "on": "window",
         "option": "build", "with": {"card": shown}, "do": "nails = 1"},
        {"id": "never", "kind": "forbid", "says": "no wide ones", "on": "window.build",
         "when": f"card.width == {3 if dead else 2}"}]
    report = verify(str(shed(
        tmp_path, clauses, windows={"window": {"by": "active", "done": "rest"}},
        families={"wood": {"attributes": {"width": "int 1..3"}}},
        zones={"stack": {"holds": "wood", "kind": "bag", "starts": "all"}},
        cards={"wood": {"lath": {"copies": 1, "width": 1}, "plank": {"copies": 1, "width": 2}}},
    )), Settings(), only=("dead-clause",))

    assert {one.identity.clause for one in report.everything if one.identity} == dead


@pytest.mark.parametrize(("when", "idle"), [("not (nails == 1)", set()), ("nails != 2", {"else"})])
def test_the_other_case_of_a_sentence_may_do_nothing(
    when: str, idle: set[str], tmp_path: Path
) -> None:
    """What is said for when something is not so need not do anything; what else is said has to."""
    clauses: list[dict[str, Any]] = [
        {"id": "roll", "says": "it is rolled", "do": "x = roll(2)\nnails = x"},
        {"id": "then", "says": "on a one there is a screw", "when": "nails == 1",
         "after": ["roll"], "do": "screws = 1"},
        {"id": "else", "says": "else there is none", "when": when, "after": ["then"],
         "do": "screws += 0"}]
    report = verify(str(shed(tmp_path, clauses)), Settings(), only=("inert-clause",))

    assert {one.identity.clause for one in report.everything if one.identity} == idle
