"""The page of a finding holds what an editor reads, and nothing that only an engineer does."""

from __future__ import annotations

import dataclasses
import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from ruleproof.checker.audit.listener import Listener
from ruleproof.checker.findings.results import (
    LEGAL,
    PUBLIC,
    SAME_SENTENCES,
    WHAT_THEN,
    WINNER,
    Finding,
    NotChecked,
    Report,
    Shown,
)
from ruleproof.checker.findings.rows import Elsewhere, Outcome
from ruleproof.checker.findings.shares import Frequency, Wins
from ruleproof.checker.verify import verify
from ruleproof.cli.files.books import text_of
from ruleproof.cli.output import stages
from ruleproof.model.game.game import PRINTED, Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.reports.blocks.boards import Board, BoardRow, Entry
from ruleproof.reports.blocks.classes import by_place
from ruleproof.reports.blocks.groups import play_groups
from ruleproof.reports.blocks.measures import changes, comes_up
from ruleproof.reports.blocks.page import AGAIN, NOT_AGAIN, PAGES, brief, page_of
from ruleproof.reports.blocks.paper import Paper, draw
from ruleproof.reports.blocks.plays import play_lines
from ruleproof.reports.blocks.subject import Subject
from ruleproof.reports.formats.document import load
from ruleproof.reports.formats.markdown import markdown, md
from ruleproof.reports.formats.text import checked_text, screen, text
from ruleproof.tests.support.places import TESTS
from ruleproof.tests.support.recorded import GOLDEN

FLAWED = TESTS / "flawed"
GAINS, LOSES, LUCK = (
    Wins(reading, 40, 50, (0.0, 1.0), (0.0, 1.0), more)
    for reading, more in (("", (0.03, 0.05)), ("b", (-0.06, -0.02)), ("", (-0.04, 0.02))))
WHOLE = replace(LUCK, more=(-1.0, 1.0))
BOOK = (FLAWED / "rulebook.md").read_text("utf-8")


@pytest.fixture(scope="module")
def flawed() -> Compiled:
    """Compile the flawed game."""
    return compile_game(load_game(str(FLAWED)))


@pytest.fixture(scope="module")
def report() -> Report:
    """Read its findings."""
    return load(GOLDEN / "plum-panic.json")


def sentences(finding: Finding, subject: Subject, report: Report) -> Iterator[str]:
    """Yield all that a page says in sentences."""
    page = page_of(finding, subject, report.explored)
    yield from (page.kind, page.matters, page.asks, *page.often, page.far,
                page.helps)
    yield from (*page.told, *page.follows, page.assumed)
    for answer in page.answers:
        yield from (answer.title, answer.then, answer.gains)
    for passage in page.passages:
        yield from (passage.where, *passage.own, passage.ours)


@pytest.mark.parametrize("known", [True, False])
def test_a_page_names_nothing_of_the_encoding(
    flawed: Compiled, report: Report, known: bool,  # noqa: FBT001
) -> None:
    """No id of a clause, finding or reading, no scope, no node, no expression.

    The printed game is called that by everybody.
    """
    subject = Subject(flawed if known else None)
    names = {clause.id for clause in flawed.game.clauses if "." in clause.id}
    names |= {one.scope for one in report.explored if one.scope != "printed"}
    names |= {node.name for node in flawed.machine.nodes if "/" in node.name or "#" in node.name}
    for finding in report.everything:
        for said in sentences(finding, subject, report):
            assert not re.search(r"`|==|<=|:\d+:\d+|\[\w+\]|\b\w+_\w+\b|\w\(\w", said), said
            assert not [name for name in names if re.search(rf"\b{re.escape(name)}\b", said)]
            assert finding.id not in said


def test_the_books_words_are_quoted_only_if_they_are_given(
    flawed: Compiled, report: Report
) -> None:
    """With the book each line that is cited is quoted beside the paraphrase; without it none is."""
    lines = {own for finding in report.findings
             for each in page_of(finding, Subject(flawed, BOOK)).passages for own in each.own}
    with_book = (text(report, flawed, paper=Paper(400), book=BOOK),
                 markdown(report, flawed, book=BOOK))
    without = (text(report, flawed, paper=Paper(400)), markdown(report, flawed))

    assert lines
    assert all(own in " ".join(BOOK.split()) for own in lines)
    assert all(f"“{own}”" in with_book[0] for own in lines)
    assert "\n> " in with_book[1]
    assert not any(own in page for own in lines for page in without)


def test_the_book_must_be_the_one_that_is_cited(flawed: Compiled) -> None:
    """The text of the spec's rulebook is read."""
    assert text_of(FLAWED / "rulebook.md", flawed.game) == BOOK


def test_every_finding_has_a_page_and_an_appendix(flawed: Compiled, report: Report) -> None:
    """Also beyond the first twenty: what is asked, the answers, what follows, and what shows it."""
    one = next(each for each in report.findings if each.readings and each.evidence.plays)
    last = replace(one, consequences=(replace(report.findings[-1], follows="why"),))
    long = replace(report, findings=tuple(
        replace(last, id=f"{one.id}/{i}") for i in range(PAGES + 3)))
    shown, page = text(long, flawed, paper=Paper(400)), markdown(long, flawed)
    pages = page.partition("# Appendix")[0]
    titles = [each.title for each in one.readings]

    assert len(re.findall(r"(?m)^(Situation|Play)$", shown)) >= PAGES + 3
    for part in (*titles, "To settle with it"):
        assert shown.count(part) >= PAGES + 3
        assert page.count(md(part)) >= PAGES + 3
    assert len(re.findall("What stands behind finding", shown)) == PAGES + 3
    assert len(re.findall(r"(?m)^## \d+\. ", page)) == PAGES + 3
    assert len(re.findall(r"(?m)^### (Situation|Play)$", pages)) == PAGES + 3
    assert page.count("<details>\n<summary>") == PAGES + 3
    assert page.count("<details>") == page.count("</details>")
    assert all(f'<a id="{link}"></a>' in page for link in re.findall(r"\]\(#([^)]+)\)", page))


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("most", [5, 8, 20])
def test_the_first_screen_fits(report: Report, width: int, most: int) -> None:
    """It is no wider than the terminal, and as long as the questions that it may have."""
    one = replace(report.findings[0], observable=WINNER, title="A long question? " * 20)
    many = replace(report, findings=(one,) * 50)
    lines = screen(many, Paper(width), most=most, source="g")

    assert all(len(line) <= max(width, 70) for line in lines)
    assert len(lines) <= most + 16
    assert f"and {50 - most} more" in "\n".join(lines)


@pytest.mark.parametrize("width", [40, 48])
def test_narrow_paper_has_all_that_is_asked(
    report: Report, flawed: Compiled, width: int
) -> None:
    """No line is too long, no table breaks, and no question is cut off for want of lines."""
    paper = Paper(width)
    told = text(report, flawed, paper=paper)
    head = screen(report, paper, source="plum-panic")
    words = " ".join(told.split())

    assert [line for line in (*told.splitlines(), *"\n".join(head).splitlines())
            if len(line) > width and " " in line.strip()] == []
    assert all(each.title in words for each in report.findings)
    assert "scope tiny, states " in words
    assert all(each.title[-12:] in " ".join("\n".join(head).split())
               for each in report.findings[:PAGES] if not each.part)


def test_players_stand_below_each_other_on_narrow_paper() -> None:
    """No name is broken to fit a column."""
    board = Board(("Fishmonger 1", "Fishmonger 2", "Fishmonger 3"), (
        BoardRow("hand", ("2 × One", "", "Herring, Sprat"), 1),), (
        Entry("sea", "2 × Sprat, 3 × Herring, 4 × Cod, Eel", 1),), "Fishmonger 1 is to move")

    assert [each.text for each in draw(board, Paper(40))] == [
        "  Fishmonger 1", "    hand  2 × One", "  Fishmonger 2", "    hand  ·",
        "  Fishmonger 3", "    hand  Herring, Sprat",
        "  sea   2 × Sprat, 3 × Herring, 4 × Cod,", "        Eel", "  Fishmonger 1 is to move"]


@pytest.mark.parametrize(("often", "up", "wins"), [
    (Frequency(2000, 900, (0.4, 0.5), 700, (0.33, 0.37)), "45 %", "at least 33 %"),
    (Frequency(2000, 900, (0.4, 0.5), 0, (0.0, 0.01)), "45 %", ""),
    (Frequency(2000, 900, (0.4, 0.5), 0, (0.0, 0.01), asked=(GAINS,)), "45 %",
     "at least 3 %"),
    (Frequency(2000, 900, (0.4, 0.5)), "45 %", "not compared"),
    (Frequency(2000, 900, (0.4, 0.5), 0, (0.0, 0.01), asked=(LUCK,)), "45 %",
     "too rare to show"),
    (Frequency(2000, 9, (0.001, 0.02), 0, (0.0, 0.01), asked=(LUCK,)), "0.4 %",
     "too rare to show"),
    (Frequency(2000, 900, (0.4, 0.5), 0, (0.0, 0.01), asked=(LUCK,), ending=0), "45 %",
     "not compared"),
    (Frequency(2000, 0, (0.0, 0.002), 0, (0.0, 0.002)), "at most 0.2 %", ""),
    (Frequency(2000, 0, (0.0, 0.002), 0, (0.0, 0.002), set_up=2000), "the set-up",
     ""),
    (None, "", "not compared"),
])
def test_a_share_claims_no_more_than_was_counted(
    report: Report, often: Frequency | None, up: str, wins: str
) -> None:
    """It is told how often something comes up, and apart from that whether it changes winners.

    What can decide who wins and was not compared under two answers says so.
    """
    one = replace(report.findings[0], frequency=often, observable=WINNER, compared=())

    assert (comes_up(one), changes(one)) == (up, wins)


@pytest.mark.parametrize(("often", "said"), [
    (Frequency(2000, 900, (0.4, 0.5), 0, (0.0, 0.01), "b", asked=(LUCK,)),
     [("of 2,000 printed games played at random went differently, in a move or in who wins (45 %; "
       "of all games 40 to 50 %)"),
      "Under neither answer does a player win measurably more often (below 4 %)."]),
    (Frequency(2000, 900, (0.4, 0.5), 9, (0.01, 0.02), "b", asked=(LUCK,)),
     [("In 9 of 2,000 games the same moves led to another winner, or to none (1 to 2 %); under "
      "neither answer does a player win measurably more often (below 4 %).")]),
    (Frequency(2000, 900, (0.4, 0.5), 0, (0.0, 0.01), "b", asked=(GAINS,), wins=(LUCK,)),
     ["Under “B” whoever chooses next where the games part wins 3 to 5 % more of the"]),
    (Frequency(2000, 900, (0.4, 0.5), 0, (0.0, 0.01), "b", asked=(GAINS, LOSES)),
     [("Under “A” whoever chooses next where the games part under the other answer wins "
      "2 to 6 % more of the games. "
      "Under “B” whoever chooses next where the games part under the other answer wins "
      "3 to 5 % more of the games. "
      "So the answer changes who wins in at least 3 % of the games.")]),
    (Frequency(2000, 900, (0.4, 0.5), 0, (0.0, 0.01), "b", asked=(
        GAINS, replace(GAINS, seat="b", more=(0.01, 0.04)))),
     ["Under “B” whoever chooses next where the games part wins 3 to 5 % more of the"]),
    (Frequency(2000, 900, (0.4, 0.5), 0, (0.0, 0.01), "b", wins=(replace(LOSES, seat="nobody"),)),
     ["Under “A” 2 to 6 % more of the games have no winner."]),
    (Frequency(2000, 900, (0.4, 0.5), 0, (0.0, 0.01), "b", asked=(WHOLE,), ending=0),
     ["None of them came to an end under both, so who wins is not compared."]),
    (Frequency(2000, 900, (0.4, 0.5), 0, (0.0, 0.01), "b", asked=(LUCK,),
               wins=(replace(LOSES, seat="no end"),), longest=800),
     ["Under “A” 2 to 6 % more of the games had not ended after 800 moves."]),
    (Frequency(2000, 0, (0.0, 0.01), 0, (0.0, 0.01), "b", asked=(LUCK,)),
     [("none of 2,000 printed games played at random had another choice in it or another winner "
       "(at")]),
    (Frequency(2000, 0, (0.0, 0.01), 0, (0.0, 0.01), "b", asked=(LUCK,), ending=1500, set_up=2000),
     [("“B”, with the same decisions as far as possible, in 2,000 of 2,000 printed games played at "
      "random chance sets the game up otherwise before anybody decides")]),
    (Frequency(2000, 900, (0.4, 0.5), 0, (0.0, 0.01), "b", asked=(LUCK,), set_up=100),
     ["40 to 50 %). In 100 others chance sets the game up otherwise before anybody decides"]),
])
def test_an_effect_is_told_of_two_answers(
    report: Report, often: Frequency, said: list[str]
) -> None:
    """Both answers are named, and who wins more often under which; luck is told as luck.

    Who is asked is told once, and by the answer if one of two gains by what the other one loses by.
    """
    readings = (Outcome("a", "A"), Outcome("b", "B"))
    told = " ".join(page_of(replace(
        report.findings[0], frequency=replace(often, adopted="a"), readings=readings),
        Subject()).often)

    assert "Under “A” and “B”" in told
    assert all(part in told for part in said)
    assert ("either answer does a player win" in told) == (LUCK in often.asked and often.seen > 0
                                           and LUCK not in often.wins)


@pytest.mark.parametrize(("decides", "asked", "told"), [
    ((0.03, 0.05), (GAINS,), "So, both together, the answer changes who wins in at least 6 %"),
    ((0.03, 0.05), (), "So the answer changes who wins in at least 3 %"),
    ((0.0, 0.01), (replace(GAINS, more=(0.01, 0.04)), replace(GAINS, seat="b")),
     "So the answer changes who wins in at least 3 %"),
])
def test_the_shares_of_the_overview_stand_on_the_page(
    report: Report, decides: tuple[float, float], asked: tuple[Wins, ...], told: str
) -> None:
    """Word for word, first, and of the same two answers, which is said; of others that they are."""
    often = Frequency(2000, 900, (0.4, 0.5), round(2000 * decides[1]), decides, "b", asked=asked,
                      adopted="a")
    other = replace(often, reading="c", ci95=(0.6, 0.7))
    elsewhere = replace(often, mode="in the mode “M”")
    one = replace(report.findings[0], frequency=often, compared=(other, elsewhere), readings=(
        Outcome("a", "A"), Outcome("b", "B"), Outcome("c", "C")))
    first, second, third = page_of(one, Subject()).often

    assert first.startswith("Under “A” and “B”")
    assert comes_up(one) in first
    assert changes(one) in first
    assert told in first
    assert second.startswith("Other answers: under “A” and “C”")
    assert third.startswith("The same answers: under “A” and “B”")
    assert "games in the mode “M” played" in third


def test_what_changes_nothing_that_is_chosen_has_no_share(report: Report) -> None:
    """A share counts what is chosen; what differs on the table only would seem never to come up."""
    often = Frequency(2000, 0, (0.0, 0.002), 0, (0.0, 0.002), "b", adopted="a")
    one = replace(report.findings[0], frequency=often, observable=PUBLIC, readings=(
        Outcome("a", "A"), Outcome("b", "B")))

    assert (comes_up(one), comes_up(replace(one, observable=LEGAL))) == ("", "at most 0.2 %")
    assert "changed nothing that could be chosen" in page_of(one, Subject()).often[0]


@pytest.mark.parametrize(("mode", "told"), [("", True), ("in the mode “M”", False)])
def test_a_share_of_a_mode_says_that_its_game_is_another(
    report: Report, mode: str, told: bool  # noqa: FBT001
) -> None:
    """Where a question is most common in a mode, and the game shown is none of that mode."""
    often = Frequency(2000, 90, (0.04, 0.05), 0, (0.0, 0.002), "b", adopted="a",
                      mode="in the mode “M”")
    shown = next(each for each in report.findings if each.evidence.plays)
    one = replace(shown, frequency=often, evidence=replace(
        shown.evidence, scope=PRINTED, mode=mode))

    assert ("The game shown is none of these" in page_of(one, Subject()).often[0]) == told


@pytest.mark.parametrize(("mode", "told"), [("", 2), ("in the mode “M”", 1)])
def test_a_case_is_counted_beside_pairs_of_the_same_games_only(
    report: Report, mode: str, told: int
) -> None:
    """What was counted in another mode is no share of the games that were compared."""
    pair = Frequency(2000, 90, (0.04, 0.05), 0, (0.0, 0.002), "b", adopted="a")
    case = replace(report.findings[1], follows=WHAT_THEN, frequency=Frequency(
        1000, 500, (0.45, 0.55), mode=mode))
    one = replace(report.findings[0], frequency=pair, consequences=(case,), readings=(
        Outcome("a", "A"), Outcome("b", "B")))

    assert len(page_of(one, Subject()).often) == told


def test_what_is_seen_is_told_at_once() -> None:
    """A listener hears of the stages in order, of shares of them, and of each finding."""
    class Ear(Listener):
        def __init__(self) -> None:
            self.stages: list[tuple[int, int]] = []
            self.shares: list[float] = []
            self.titles: set[str] = set()

        def stage(self, number: int, of: int, what: str) -> None:
            assert what
            self.stages.append((number, of))

        def part(self, share: float) -> None:
            self.shares.append(share)

        def seen(self, title: str) -> None:
            self.titles.add(title)

    ear = Ear()
    made = verify(str(FLAWED), Settings(), listener=ear)

    assert ear.stages == [(i, ear.stages[0][1]) for i in range(1, ear.stages[0][1] + 1)]
    assert all(0 < share <= 1 for share in ear.shares)
    assert {each.title for each in made.everything} <= ear.titles


def test_what_states_show_is_told_before_printed_games_are_played() -> None:
    """To an eager listener, each once, and the report is the same as to any other."""
    class Ear(Listener):
        eager = True

        def __init__(self) -> None:
            self.told: list[str] = []

        def stage(self, number: int, of: int, what: str) -> None:
            self.told.append(f"{number} of {of}: {what}")

        def seen(self, title: str) -> None:
            self.told.append(title)

    ear = Ear()
    made = verify(str(FLAWED), Settings(), listener=ear)
    first = next(place for place, each in enumerate(ear.told) if "printed games" in each)

    assert made == verify(str(FLAWED), Settings())
    assert {each.title for each in made.everything if each.cls == "unresolved-tie"} & {
        *ear.told[:first]}
    assert len(ear.told) == len(set(ear.told))


class Terminal(io.StringIO):
    """A stream that somebody sits in front of."""

    def isatty(self) -> bool:
        """Return that somebody does."""
        return True


def test_the_bar_tells_stages_and_what_was_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Titles stand above the bar as they are; the bar names the stage and what is done in it."""
    shown = Terminal()
    monkeypatch.setattr("sys.stderr", shown)
    monkeypatch.setenv("COLUMNS", "160")
    with stages("verifying g", no_color=True) as listener:
        listener.stage(3, 9, "open points")
        listener.part(0.25)
        listener.say("open [bold]x[/bold]")
        listener.seen("[red]May[/red] \x1b[2J it?")
        listener.stage(4, 9, "worked examples")

    assert "seen: [red]May[/red] \\x1b[2J it?" in shown.getvalue()
    assert "4/9 worked examples" in shown.getvalue()
    assert "\x1b[2J" not in shown.getvalue()


@pytest.mark.parametrize("quiet", [True, False])
def test_without_a_terminal_there_is_no_bar(
    quiet: bool, capsys: pytest.CaptureFixture[str],  # noqa: FBT001
) -> None:
    """Nothing is written then, nor if it is to be quiet."""
    with stages("verifying g", quiet=quiet) as listener:
        listener.stage(1, 2, "open points")
        listener.seen("May it?")

    assert capsys.readouterr() == ("", "")


def test_what_follows_is_told_once_and_not_as_the_finding_itself(report: Report) -> None:
    """Of what follows, nothing is listed that asks what the finding asks, or another line does."""
    root, other = report.findings[:2]
    same = replace(root, id=f"{root.id}/2")
    made = page_of(replace(root, consequences=(
        same, replace(other, follows="why"), replace(other, id=f"{other.id}/2"))), Subject())

    assert made.follows == (f"{other.title} (why)",)


def test_what_is_open_in_two_places_of_a_sentence_is_counted_in_both(report: Report) -> None:
    """Of what is asked in the same words of the same sentence it is told how often it comes up."""
    root, other = (replace(one, frequency=Frequency(2000, seen, (0.1, 0.2)), compared=(),
                           observable=PUBLIC)
                   for one, seen in zip(report.findings[:2], (300, 400), strict=True))
    again = replace(root, id=f"{root.id}/2", frequency=Frequency(2000, 500, (0.2, 0.3)))
    often = page_of(replace(root, consequences=(other, again)), Subject()).often

    (told,) = (each for each in often if "another place" in each)

    assert told == (
        "The same is open in another place of the sentence, and there it came up in 500 of 2,000 "
        "printed games played at random (25 %; of all games 20 to 30 %).")


def test_what_has_no_reason_to_follow_stands_beside(report: Report) -> None:
    """That two questions are about the same sentences is no reason: it is told apart from those."""
    root, one, other = report.findings[:3]
    whole = replace(root, consequences=(
        replace(one, follows=SAME_SENTENCES), replace(other, follows="why")))
    made = page_of(whole, Subject())

    assert (made.follows, made.beside) == ((f"{other.title} (why)",), (one.title,))
    for shown in (markdown(replace(report, findings=(whole,))),
                  text(replace(report, findings=(whole,)), paper=Paper(400))):
        beside = shown.index("Also open in these sentences")
        assert shown.index("To settle with it") < beside < shown.index(one.title, beside)
        assert SAME_SENTENCES not in shown.partition("Appendix")[0].partition("stands behind f")[0]


@pytest.mark.parametrize(("follows", "told"), [
    (WHAT_THEN, True), (SAME_SENTENCES, False), ("the question is about this deck", False)])
def test_a_case_is_counted_where_the_question_asks_what_then(
    report: Report, follows: str, told: bool  # noqa: FBT001
) -> None:
    """How often something fails is no share of a question that only stands beside it."""
    root, other = report.findings[:2]
    fails = replace(other, frequency=Frequency(2000, 9, (0.004, 0.005)), clauses=root.clauses,
                    follows=follows)
    asks = replace(root, readings=(Outcome("a", "A"), Outcome("b", "B")), consequences=(fails,))

    assert ("The case that is asked about" in " ".join(page_of(asks, Subject()).often)) == told


def test_the_head_says_what_was_not_played(report: Report) -> None:
    """With how many players nothing is compared, and that all plays were made again, once."""
    made = replace(report, not_checked=(NotChecked("other numbers", "with 4, nothing", "players"),))
    plays = next(one for one in made.findings if one.evidence.plays)
    alone = replace(plays, evidence=replace(plays.evidence, replayed=False))

    assert "With 4, nothing" in checked_text(made)
    assert AGAIN in checked_text(made)
    assert AGAIN not in checked_text(replace(made, findings=(alone,)))
    assert (page_of(plays, Subject()).far + NOT_AGAIN) == page_of(alone, Subject()).far


def test_a_page_shows_no_bookkeeping(tmp_path: Path, report: Report) -> None:
    """What is internal to the encoding is on no board, also where a clause of the finding is."""
    (tmp_path / "game.yaml").write_text("""
game: bookkeeping
title: Bookkeeping
players: {count: 2}
state:
  score: {type: int 0..3, start: 1}
  marked: {type: int 0..3, start: 1, internal: true}
steps: {game: {}}
start: game
clauses:
- {id: b.both, kind: effect, says: all goes down, on: game, do: "score -= 1\\nmarked -= 1"}
""", "utf-8")
    evidence = replace(report.findings[0].evidence, position={
        "node": "game", "to_move": None, "state": {"score": 0, "marked": 0}})
    finding = replace(report.findings[0], clauses=("b.both",), evidence=evidence)

    board = page_of(finding, Subject(compile_game(load_game(str(tmp_path))))).board

    assert board is not None
    assert [one.name for one in board.shared] == ["score"]


def test_findings_are_listed_by_the_lines_of_the_book(report: Report, flawed: Compiled) -> None:
    """Each under all lines that it is about, so that what one passage mends is seen together."""
    rows = by_place(report)
    shown = markdown(report, flawed).partition("## By line of the book")[2]

    assert [lines for lines, _ in rows] == sorted({
        source.lines for one in report.findings for source in one.sources})
    assert all(any(source.lines == lines for source in report.findings[number - 1].sources)
               for lines, numbers in rows for number in numbers)
    assert f"| {', '.join(f'[{each}](#finding-{each})' for each in rows[0][1])} |" in shown


def test_another_game_that_tells_answers_apart_has_its_situation(
    report: Report, flawed: Compiled
) -> None:
    """It stands behind the situation of the finding, under what the two answers come to there."""
    one = next(each for each in report.findings if len(each.readings) > 1
               and each.evidence.position is not None)
    position = one.evidence.position
    first, *_, last = one.readings
    other = replace(last, elsewhere=Elsewhere("in another game", "here", first.title, "there",
                                              position))
    made = replace(one, readings=(first, other))
    page = page_of(made, Subject(flawed))
    (case,) = page.cases
    shown = markdown(replace(report, findings=(made,)), flawed)

    assert page.board is not None
    assert case.board == page.board
    assert case.lead == "told apart in another game"
    row = f"| {page.board.rows[0].name} |"
    assert (shown.index("### Situation") < shown.index(row)
            < shown.index("### Told apart in another game") < shown.rindex(row))


@pytest.mark.parametrize("counting", [0, 1, PAGES + 2])
def test_what_only_a_smaller_game_has_is_said_to_be(report: Report, counting: int) -> None:
    """However many findings come before it: in the overview, and behind the pages."""
    first, last = report.findings[0], replace(
        report.findings[-1], only_smaller=True, title="what if the moon is blue?")
    made = replace(report, findings=(first,) * counting + (last,))

    shown = markdown(made)
    overview = shown[:shown.index('<a id="')]
    assert "# Not seen in the printed game" in overview
    assert overview.index("# Not seen in the printed game") < overview.index("moon is blue")
    rest = text(made, paper=Paper(400)).partition("# Only")[2] or text(made, paper=Paper(400))
    assert rest.index("Not seen in the printed game") < rest.rindex("moon is blue")


def test_what_the_book_does_not_say_is_no_sentence_with_readings(
    flawed: Compiled, report: Report
) -> None:
    """A question of a silence, and one that stands on a sentence the book has not."""
    added = dataclasses.replace(flawed.game.clauses[-1], id="added", lines=None, sentences=())
    subject = Subject(dataclasses.replace(flawed, game=dataclasses.replace(
        flawed.game, clauses=(*flawed.game.clauses, added))))
    declared = next(each for each in report.findings if each.open_point == "whole-hand")
    silence = next(each for each in report.findings if each.open_point.startswith("too-few/"))
    read, silent = "Sentence with several readings", "The book does not say"

    assert page_of(declared, subject).kind == read
    assert page_of(silence, subject).kind == silent
    assert page_of(replace(declared, clauses=(*declared.clauses, "added")), subject).kind == silent
    assert page_of(replace(report.findings[0], clauses=("added",)), subject).kind != silent


@pytest.mark.parametrize(("scope", "mode", "told"), [
    ("tiny", "", (("in a smaller game (2 Eaters; deal size 1 instead of 2; "
                  "fruit cards: only 2 × Plum†, 3 × Pip | *dry*†)"),)),
    ("printed", "in the mode “M”", ("in the printed game, in the mode “M”",)),
    ("printed", "", ()),
])
def test_a_situation_says_of_which_game_it_is(
    flawed: Compiled, report: Report, scope: str, mode: str, told: tuple[str, ...]
) -> None:
    """Where it is not the printed one as it is chosen, with what is different in it."""
    shown = next(each for each in report.findings if each.evidence.position is not None)
    one = replace(shown, evidence=replace(shown.evidence, scope=scope, mode=mode))
    made = replace(report, findings=(one,))

    assert page_of(one, Subject(flawed)).where == told
    for text_of_it in told:
        said = f"{text_of_it[:1].upper()}{text_of_it[1:]}."
        assert f"### Situation\n\n{md(said)}\n" in markdown(made, flawed)
        assert said in text(made, flawed, paper=Paper(400))


@pytest.mark.parametrize(("theirs", "where"), [
    ("tiny", "in a smaller game"), (PRINTED, "")])
def test_an_answer_that_leads_to_another_game_says_which(
    flawed: Compiled, report: Report, theirs: str, where: str
) -> None:
    """A situation of a smaller game beside one of the printed game is told to be one."""
    shown = next(each for each in report.findings if len(each.readings) > 1 and each.evidence.plays)
    first, second = shown.readings[:2]
    play, position = shown.evidence.plays[0].play, shown.evidence.position
    there = replace(second, elsewhere=Elsewhere(
        "in another game, after 2 moves", "this", first.title, "that", position))
    one = replace(shown, readings=(first, there), evidence=replace(
        shown.evidence, scope=PRINTED, plays=(Shown(first.id, play), Shown(second.id, {
            **play, "settings": {**play["settings"], "scope": theirs}}, elsewhere=True))))

    (case,) = page_of(one, Subject(flawed)).cases
    assert case.where.startswith(where) if where else case.where == ""
    assert ("deal size 1 instead of 2" in case.where) == bool(where) == any(
        "deal size 1 instead of 2" in each.where for each in play_groups(
            one.evidence, Subject(flawed)))
    shown_in = markdown(replace(report, findings=(one,)), flawed)
    assert ("\n\nIn a smaller game (" in shown_in) == bool(where)


@pytest.mark.parametrize(("mine", "theirs", "where"), [
    ("tiny", "tiny", "in the same smaller game"), ("tiny", PRINTED, "in the printed game")])
def test_another_game_is_told_from_a_smaller_one(
    flawed: Compiled, report: Report, mine: str, theirs: str, where: str
) -> None:
    """It may be the same one, or that of the printed size."""
    shown = next(each for each in report.findings if len(each.readings) > 1 and each.evidence.plays)
    first, second = shown.readings[:2]
    play = shown.evidence.plays[0].play
    there = replace(second, elsewhere=Elsewhere(
        "in another game, after 2 moves", "this", first.title, "that", shown.evidence.position))
    one = replace(shown, readings=(first, there), evidence=replace(
        shown.evidence, scope=mine, plays=(Shown(first.id, play), Shown(second.id, {
            **play, "settings": {**play["settings"], "scope": theirs}}, elsewhere=True))))

    assert [case.where for case in page_of(one, Subject(flawed)).cases] == [where]


def test_what_shows_more_is_told_as_another_game(flawed: Compiled, report: Report) -> None:
    """Of the same size as the one shown; a smaller one says so, and that the printed one has it."""
    shown = next(each for each in report.findings if len(each.readings) > 1 and each.evidence.plays)
    first = shown.readings[0]
    play = shown.evidence.plays[0].play

    def told(mine: str, beside: str) -> list[str]:
        return sorted(each.where for each in play_groups(replace(
            shown.evidence, scope=mine, plays=(
                Shown(first.id, play), Shown(first.id, play, scope=beside))), Subject(flawed)))

    assert told(PRINTED, PRINTED) == ["", "in another game, in which more comes of it"]
    mine, more = told("tiny", "tiny")
    assert mine.startswith("in a smaller game")
    assert more == "in another game, in which more comes of it"
    assert "it happens in the printed game too" in told(PRINTED, "tiny")


@pytest.mark.parametrize(("scope", "kept"), [("", False), ("tiny", True)])
def test_a_brief_page_shows_the_play_that_its_answers_are_told_of(
    flawed: Compiled, report: Report, scope: str, kept: bool  # noqa: FBT001
) -> None:
    """A short play takes the place of the situation; one of a smaller game does not."""
    shown = next(each for each in report.findings
                 if each.evidence.position is not None and each.evidence.plays)
    one = replace(shown, evidence=replace(shown.evidence, plays=tuple(
        replace(each, scope=scope) for each in shown.evidence.plays)))
    page = page_of(one, Subject(flawed))

    assert page.board is not None
    assert (brief(page, one, Subject(flawed)).board == page.board) == kept


@pytest.mark.parametrize(("room", "told"), [(1, True), (0, False)])
def test_the_moves_that_come_round_are_told(
    flawed: Compiled, report: Report, room: int, told: bool,  # noqa: FBT001
    monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a play that can go on for ever, if they are few; of others none."""
    monkeypatch.setattr("ruleproof.reports.blocks.page.ROUND", room)
    shown = next(each for each in report.findings if each.evidence.plays)
    play = dict(shown.evidence.plays[0].play)
    once = page_of(replace(shown, evidence=replace(
        shown.evidence, plays=(Shown("", play),))), Subject(flawed))
    play["loop_from"] = len(play["steps"]) - 1
    one = replace(shown, evidence=replace(shown.evidence, plays=(Shown("", play),)))
    last = [each.text for each in play_lines(play, Subject(flawed)) if each.first][-1]

    said = [each for each in page_of(one, Subject(flawed)).told if each not in once.told]
    assert said == [f"These moves come round: {Subject(flawed).marked(last)}."] * told
