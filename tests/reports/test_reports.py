"""Reports: paper, boards, plays, screens; and that no spec can break out of any format."""

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from ruleproof.checker.findings.results import (
    CLAIMS,
    CLASSES,
    FAILED,
    LEGAL,
    Coverage,
    Evidence,
    Explored,
    Finding,
    Harmless,
    Holds,
    NotChecked,
    OpenKind,
    Report,
    Shown,
    Source,
    WayOut,
)
from ruleproof.checker.findings.rows import Outcome
from ruleproof.checker.findings.shares import Frequency
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.reports.blocks.boards import board_of
from ruleproof.reports.blocks.classes import WORDS
from ruleproof.reports.blocks.finding import SCREEN, evidence_lines, finding_lines, how_far
from ruleproof.reports.blocks.page import page_of
from ruleproof.reports.blocks.paper import Paper, cells, cut, draw, fill
from ruleproof.reports.blocks.plays import common, play_lines
from ruleproof.reports.blocks.subject import Subject
from ruleproof.reports.formats.document import dump
from ruleproof.reports.formats.html import html
from ruleproof.reports.formats.junit import junit
from ruleproof.reports.formats.markdown import fenced, markdown, md
from ruleproof.reports.formats.sarif import sarif
from ruleproof.reports.formats.text import text
from ruleproof.tests.support.formats import check_junit, check_ours, check_sarif
from ruleproof.tests.support.places import ROOT

EVIL = "\x1b[31m<script>`|*_\u202e ]]> \"'\n\0& # end\ud800"
LONG = " ".join(f"word{i}" for i in range(400))
TEMPLATE = str(ROOT / "spec" / "template")


@pytest.fixture(scope="module")
def game() -> Compiled:
    """Compile the template."""
    return compile_game(load_game(TEMPLATE))


def step(by: str, event: str, node: str = "laying", **choice: Any) -> dict[str, Any]:  # noqa: ANN401
    """Make a step of a play."""
    return {
        "node": node, "by": by, "event": event, "choice": choice, "cites": [],
        "state_sha256": "0" * 64,
    }  # fmt: skip


def play(*steps: dict[str, Any], **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """Make a play document."""
    return {
        "format": "ruleproof/play-1", "game": "g", "spec_sha256": "0" * 64,
        "settings": {"players": 2, "scope": "tiny", "variants": [], "rulings": {}, "cards": None},
        "setup": {"cites": [], "state_sha256": "0" * 64}, "steps": list(steps), **more,
    }  # fmt: skip


def finding(words: str = "a title", *, big: int = 1, **changes: Any) -> Finding:  # noqa: ANN401
    """Make a finding in which every part is there, `big` times."""
    steps = [step("player 1", "lay_pair", card={"card": f"{words} {i}"}) for i in range(8 * big)]
    state = {
        "hand": {"Player 1": {"Apple": 2}, "Player 2": {words: 12}},
        "deck": {f"{words} {i}": 1 for i in range(3 * big)},
        "active": "Player 1",
    }
    made = Finding(
        "g/ambiguity/x", "ambiguity", words, ("turn.pairs", words, "turn.draw"),
        (Source("turn.pairs", words, (3, 4)), Source("turn.draw", "book", (5, 5))),
        Evidence(
            "split", "exhaustive", "tiny", replayed=True, at_printed_size=True,
            plays=(Shown("one", play(*steps)),
                   Shown("two", play(*steps[:-1], step("player 2", words)))),
            position={"node": "laying", "to_move": "Player 1", "state": state},
            core=("turn.pairs", "turn.draw"), depth=8 * big, details={"x": 1},
        ),
        LEGAL, words * big, "point",
        tuple(Outcome(f"r{i}", words, words * big, words) for i in range(2)),
        Frequency(60, 12, (0.1, 0.34), 3, (0.02, 0.14)),
        tuple(WayOut(words, {"point": f"r{i}"}, ("g/a",), ("b: c",), 4, 1234, "tiny")
              for i in range(2 * big)),
    )  # fmt: skip
    return replace(made, **changes)


def report(*findings: Finding, words: str = "said") -> Report:
    """Make a report in which every section is there."""
    return Report(
        "g", words, "0" * 64, "0.1.0",
        {"players": 2, "scope": "printed", "variants": ["v"], "rulings": {"p": "r"}, "cards": "c"},
        (Explored("tiny", 1234, 5678, 9, 3, complete=True),
         Explored("big", 10**7, 10**8, 99, 3, complete=False, stopped_by="states")),
        findings, (Harmless("p", words, "proof"),), (Holds("c", "claim", "proof", "printed"),),
        (NotChecked("w", words),), Coverage(9, 8, 7, 6, 5, 4, 3, 2),
        ({"asks": words, "answers": [{"reading": "r", "then": words}]},),
    )  # fmt: skip


# ----------------------------------------------------------------------- paper


@given(st.text(max_size=80), st.integers(1, 30))
def test_lines_are_filled_and_nothing_is_lost(words: str, width: int) -> None:
    """No line is wider than it may be (wide characters apart), and every word stays."""
    shown = Paper().clean(words)
    lines = fill(shown, width, "", "")

    assert all(cells(line) <= max(width, 2) for line in lines)
    assert "".join("".join(lines).split()) == "".join(shown.split())


@given(st.text(max_size=60))
def test_without_unicode_everything_is_ascii(words: str) -> None:
    """On a terminal without Unicode, no other character comes out."""
    assert Paper(unicode=False).clean(words).isascii()


def test_what_a_spec_says_cannot_steer_the_terminal() -> None:
    """Control, formatting and bidirectional characters come out as escapes."""
    assert Paper().clean(EVIL) == ("\\x1b[31m<script>`|*_\\u202e ]]> \"' \\x00& # end\\ud800")


def test_wide_characters_take_two_cells() -> None:
    """Columns stay straight with wide characters, and texts are cut by cells."""
    assert cells("日本") == 4
    assert cut("日本語", 5) == "日本…"


# ----------------------------------------------------------------------- boards


def drawn(position: dict[str, Any], game: Compiled | None, *focus: str) -> list[str]:
    """Draw a position on narrow paper."""
    return [line.text for line in draw(board_of(position, game, focus=focus), Paper(60))]


def test_a_board_shows_what_matters(game: Compiled) -> None:
    """Empty zones are left out, but those that are asked about; players stand side by side."""
    state: dict[str, Any] = {
        "deck": {"Apple": 1, "Plum": 2},
        "hand": {"Player 1": {"Apple": 2, "Pear": 1}, "Player 2": {}},
        "laid": {"Player 1": {}, "Player 2": {}},
        "active": "Player 1",
        "laying.open": True,
    }
    position: dict[str, Any] = {"node": "laying #2", "to_move": "Player 1", "state": state}

    assert drawn(position, game, "deck") == [
        "          Player 1         Player 2",
        "  hand    2 × Apple, Pear  ·",
        "  deck    Apple, 2 × Plum",
        "  active  Player 1",
        "  Player 1 is to move",
    ]
    assert "  laid    ·                ·" in drawn(position, game, "laid")
    state["deck"] = {f"card {i}": 1 for i in range(9)}
    assert not any("deck" in line for line in drawn(position, game))
    state["deck"] = {}
    assert "  deck    nothing" in drawn(position, game, "deck")


def test_a_finished_game_says_who_has_won(game: Compiled) -> None:
    """The last line of a board is the result."""
    state: dict[str, Any] = {"winners": {"Player 1": False, "Player 2": True}}
    position = {"node": "game over", "to_move": None, "state": state}

    assert drawn(position, game) == ["  the game is over: Player 2 wins"]


def test_a_large_zone_is_counted(game: Compiled) -> None:
    """Of a zone with many kinds of cards only the number is shown."""
    state = {"deck": {f"card {i}": 2 for i in range(30)}}

    assert "  deck  60 cards of 30 kinds" in drawn({"state": state}, game, "deck")
    assert drawn({"state": state}, game) == []


def test_records_are_listed() -> None:
    """Records with identity are shown with what they hold."""
    spec = ROOT / "tests" / "flawed"
    compiled = compile_game(load_game(str(spec)))
    board = board_of({"state": {"hand": {"Eater 1": {"Plum": 1}, "Eater 2": {}}}}, compiled)

    assert board.rows[0].cells == ("Plum", "")


# ----------------------------------------------------------------------- plays


def test_chance_is_told_together(game: Compiled) -> None:
    """Draws that follow each other make one line; a failure stands below its move."""
    draws = [step("chance", "draw", "setup/draw from deck", card={"card": name})
             for name in ("Apple", "Pear", "Apple")]  # fmt: skip
    draws[2]["failed"] = [{"clause": "c", "defect": "gap", "what": "something fails"}]
    lines = play_lines(
        play(*draws, step("player 2", "lay_pair", card={"card": "Plum"}),
             result={"over": True, "winners": ["Player 1", "Player 2"]}),
        Subject(game),
    )  # fmt: skip

    assert [(line.number, line.text) for line in lines] == [
        ("1-3", "2 × Apple and Pear are drawn from the deck"),
        ("", "here something fails: c"),
        ("4", "Player 2 lays pair: Plum"),
        ("", "the game is over: Player 1 and Player 2 win"),
    ]


def test_a_loop_is_told() -> None:
    """A play that can go on for ever says so, and so does one that never rests."""
    lines = play_lines(play(step("rules", "next", who={"player": "Ann"}), loop_from=0), Subject())
    endless = {**step("player 1", "go"), "endless": ["a", "b"]}

    assert lines[0].text == "Ann is next here (no rule says who)"
    assert "can go on for ever" in lines[1].text
    assert play_lines(play(endless), Subject())[1].text == "the rules go round for ever: a, then b"


def test_plays_share_their_beginning() -> None:
    """The common moves of two plays are counted; nodes numbered otherwise are the same."""
    one = [step("player 1", "a", "n"), step("player 1", "b", "n")]
    two = [step("player 1", "a", "n #2"), step("player 1", "c", "n")]

    assert common([play(*one), play(*two)]) == 1


# ----------------------------------------------------------------------- findings


@pytest.mark.parametrize("big", [1, 3, 20])
@pytest.mark.parametrize("words", ["a title", LONG, EVIL, "日本語 " * 30])
def test_a_finding_fits_on_a_screen(game: Compiled, words: str, big: int) -> None:
    """However much there is to say, a finding takes at most a screen of 80 by 40."""
    title = words if len(words) < 300 else words[:300]
    lines = finding_lines(page_of(finding(title, big=big), Subject(game)), Paper(80), number=1)

    assert len(lines) <= SCREEN
    assert all(cells(line) <= 80 for line in lines)


def test_nothing_is_cut_in_the_appendix(game: Compiled) -> None:
    """Every move is there."""
    lines = evidence_lines(finding(big=20), Subject(game), Paper(80))

    assert any("159. " in line for line in lines)
    assert not any("left out" in line for line in lines)


def test_every_part_of_a_finding_is_there(game: Compiled) -> None:
    """On its page answers, situation, book and shares; behind it plays, code and ways out."""
    shown = "\n".join((*finding_lines(page_of(finding(), Subject(game)), Paper(80)),
                       *evidence_lines(finding(), Subject(game), Paper(80))))

    for part in ("Answers", "Situation", "The book", "How often, and how far",
                 "Play", "Clauses", "Ways out", "How far"):
        assert re.search(rf"(?m)^{part}$", shown)
    assert "line 15, sentence 2" in shown
    assert "do: laying()" in shown
    told = " ".join(shown.split())
    assert ("12 of 60 printed games played at random went differently, in a move or in who wins "
            "(20 %; of all games 10 to 34 %)") in told
    assert "In 3 of 60 games the same moves led to another winner, or to none (2 to 14 %)" in told
    assert "[--ruling point=r0]; settles a; brings b: c; changes what may be done" in told
    assert "in 4 of 1,234 situations that the same moves reach (scope tiny)" in told


@pytest.mark.parametrize(("lines", "sentences", "said"), [
    ([3, 3], [], "line 3"), ([3, 3], [1, 2], "line 3"), ([3, 3], [2], "line 3, sentence 2"),
    ([3, 4], [2, 3], "line 3, sentence 2, to line 4, sentence 1"),
    ([3, 5], [2, 3, 4, 5, 6], "line 3, sentence 2, to line 5"),
    ([3, 5], [1, 2, 3, 4, 5, 6], "lines 3 to 5"),
    ([3, 5], [1, 6], "line 3, sentence 1; line 5"),
])
def test_sentences_are_cited_by_the_line_they_stand_on(
    tmp_path: Path, lines: list[int], sentences: list[int], said: str
) -> None:
    """Sentences are counted on their line, as who looks them up does, and never across lines."""
    spec = {"game": "cited", "title": "Cited", "players": {"count": 2}, "steps": {"game": {}},
            "start": "game", "rulebook": {"file": "b.txt", "sha256": "0" * 64, "lines": 5,
                                          "outline": {"3": 2, "4": 3, "5": 1}},
            "clauses": [{"id": "c", "kind": "effect", "says": "it is", "on": "game", "do": "pass",
                         "lines": lines, **({"sentences": sentences} if sentences else {})}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")

    assert Subject(compile_game(load_game(str(tmp_path)))).cited("c") == said


def test_how_far_is_said_in_the_words_of_the_method() -> None:
    """Every method has its own words, and a bounded search never claims more."""
    bounded = finding(evidence=Evidence("witness", "bounded", "tiny", replayed=False, depth=1))

    assert how_far(bounded) == "looked at up to a limit (bounded), scope tiny; first after 1 move"


def test_every_class_has_words() -> None:
    """Each class of findings has a name, a meaning and a hint."""
    assert set(WORDS) == set(CLASSES)
    assert all(all((w.name, w.means, w.helps)) for w in WORDS.values())


# ----------------------------------------------------------------------- documents


def test_a_clean_report_says_what_was_checked(game: Compiled) -> None:
    """Nothing found and not checked are different lines."""
    shown = text(report(), game)

    assert "nothing found" in shown.splitlines()[0]
    assert "no: the limit of states" in shown
    assert "What was not checked" in shown
    assert "passages traced to clauses: 8 of 9" in shown


@pytest.mark.parametrize(("what", "kind"), [
    ("proofs at the printed size", ""), ("the proofs of `turn.draw`", ""),
    ("order/turn.draw", "question"), (f"{CLAIMS}turn.draw", "claims"),
    ("at the printed size, beyond this: ten", "bound")])
def test_a_failure_of_ours_is_told_in_every_format(
    game: Compiled, what: str, kind: OpenKind
) -> None:
    """Whatever has failed inside, each format tells it, and the first screen counts it."""
    why = f"{FAILED}: ValueError: this: one (somewhere.py:3); please report this, with the spec"
    made = replace(report(), not_checked=(NotChecked(what, why, kind, "failed"),))
    shown = {"text": text(made, game), "markdown": markdown(made, game).replace("\\", ""),
             "json": dump(made), "junit": junit(made, game), "sarif": sarif(made, game),
             "html": html(made, game, TEMPLATE)}

    assert {form for form, each in shown.items()
            if why not in unescape(" ".join(each.split()))} == set()
    assert f"1 check ended in an {FAILED}" in " ".join(shown["text"].split())
    check_sarif(json.loads(shown["sarif"]))


@pytest.mark.parametrize("words", ["plain", EVIL, LONG])
def test_documents_survive_any_text(game: Compiled, words: str) -> None:
    """Whatever the spec says, each format stays what it is."""
    made = report(finding(words), finding(words, clauses=(), sources=()), words=words)

    assert "\x1b" not in text(made, game)
    assert "<script>" not in markdown(made, game).replace("`<script>`", "")
    results = check_sarif(json.loads(sarif(made, game)))
    assert len(results) == 2
    check_junit(junit(made, game).encode("utf-8", "replace").decode("utf-8"))


def test_letters_of_modes_are_explained_under_each_list_that_uses_them() -> None:
    """Each table is followed by what its own letters stand for, and by no others."""
    long = "in the mode “a mode that takes long to tell”"
    often = Frequency(60, 12, (0.1, 0.34), 3, (0.02, 0.14), mode=long)
    lines = markdown(report(
        finding(), finding("other", left_to="readers", frequency=often),
        finding("last", left_to="cards", frequency=often)))
    parts = [part.partition("\n#")[0] for part in lines.split("| effect |")[1:4]]

    assert [f"Mode A: games {long}." in part for part in parts] == [False, True, True]
    assert sum("“Shows in”: so many" in part for part in parts) == 1


def test_findings_files_come_back(game: Compiled) -> None:
    """A findings document is valid, and read back it is the same report."""
    del game
    made = report(finding(), finding("other", readings=(), ways_out=(), frequency=None))
    doc = json.loads(dump(made))
    check_ours("findings", doc)

    assert msgspec.convert(doc, Report) == made


@given(st.text(alphabet="`ab*_<|\n ", max_size=40))
def test_markdown_is_escaped(words: str) -> None:
    """No markup of a spec comes through, and a fence closes only where we close it."""
    shown = md(words)

    assert "\n" not in shown
    assert not re.search(r"(?<!\\)[<*_]", re.sub(r"`[^`]*`", "", shown))
    lines = fenced(words.split("\n"))
    fence = lines[0]
    assert [i for i, line in enumerate(lines) if line.strip().startswith(fence)] == [
        0, len(lines) - 2,
    ]  # fmt: skip


@pytest.mark.parametrize(("way", "kept"), [
    (WayOut("without it"), True),
    (WayOut("adopt", {"point": "r0"}, removes=("g/a",)), True),
    (WayOut("adopt", {"point": "r0"}, adds=("b: c",)), True),
    (WayOut("adopt", {"point": "r0"}, flips_positions=4, situations=9), False),
    (WayOut("adopt", {"other": "r0"}, removes=("g/a",)), False)])
def test_ways_out_are_no_answers_once_more(
    way: WayOut, game: Compiled, *, kept: bool
) -> None:
    """One is told that does more than its answer says, and none that answers another question."""
    shown = "\n".join(evidence_lines(finding(ways_out=(way,)), Subject(game), Paper(80)))

    assert (f"  - {way.text}" in shown) == kept
