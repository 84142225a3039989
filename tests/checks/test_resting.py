"""What is shown of a question rests on the answers to others: those that change it are told."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from ruleproof.checker.audit.audit import Audit
from ruleproof.checker.findings.results import Report
from ruleproof.checker.findings.rows import Outcome, Rest
from ruleproof.checker.points.resting import resting
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.reports.blocks.page import page_of
from ruleproof.reports.blocks.subject import Subject
from ruleproof.tests.support.little import write

TOLL = """
game: toll
title: A bridge and its toll
players: {count: 2}
state:
  active: {type: player, start: 1}
  coins: {type: int 0..9, start: 3}
  passed: {type: int 0..1, start: 0}
steps: {game: {}, judged: {}}
windows: {cross: {who: "{active}", each: once, done: nothing}}
start: game
clauses:
- {id: begins, kind: effect, says: the first player may cross, on: game, do: "cross()\\njudged()"}
- id: crosses
  kind: permit
  says: a player may cross the bridge
  on: cross
  option: cross
  do: |
    coins -= 1
    passed = 1
- {id: strange, kind: effect, says: a song is sung, on: judged, do: "coins += 0"}
- id: judges
  kind: effect
  says: who has crossed with two coins left wins
  on: judged
  after: [strange]
  do: |
    if passed == 1 and coins >= 2:
      win(active)
    coins = 0
    end_game()
open_points:
- id: toll
  clauses: [crosses]
  asks: what is the toll
  readings:
  - {id: one, title: one coin, changes: {}}
  - {id: two, title: two coins, changes: {crosses: {do: "coins -= 2\\npassed = 1"}}}
- id: needed
  clauses: [judges]
  asks: how many coins have to be left
  readings:
  - {id: two, title: two, changes: {}}
  - id: none
    title: none
    changes: {judges: {do: "if passed == 1:\\n  win(active)\\ncoins = 0\\nend_game()"}}
  - id: more
    title: three
    changes: {judges: {do: "if passed * coins >= 3:\\n  win(active)\\ncoins = 0\\nend_game()"}}
- id: who
  clauses: [judges]
  asks: who wins by it
  readings:
  - {id: self, title: who has crossed, changes: {}}
  - id: other
    title: the other one
    changes:
      judges:
        do: |
          if passed == 1 and coins >= 2:
            win(next_player(active))
          coins = 0
          end_game()
- id: song
  clauses: [strange]
  asks: what does the song cost
  readings:
  - {id: nothing, title: nothing, changes: {}}
  - {id: tune, title: a tune, changes: {strange: {do: "coins += 0 * 1"}}}
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> tuple[Report, Subject]:
    """Verify the game of the bridge."""
    source = str(write(tmp_path_factory.mktemp("toll"), TOLL))
    report = verify(source, Settings())
    return report, Subject(compile_game(load_game(source)), findings=report.findings)


def test_answers_to_others_that_change_what_is_shown_are_told(
    told: tuple[Report, Subject],
) -> None:
    """What makes no difference then; where it does, another one or the same, nothing is told."""
    report, subject = told
    toll = next(each for each in report.findings if each.open_point == "toll")
    assert toll.rests == (Rest("needed", ("more",)),)
    number = {each.open_point: place for place, each in enumerate(report.findings, 1)}
    (line,) = (text for text in page_of(toll, subject).often if "rests on" in text)
    assert line == ("It rests on other open answers: here it makes no difference if "
                    f"{number['needed']} is answered “three”.")


@pytest.mark.parametrize(("rows", "said"), [
    (("two", "none", "more"), "unless {} is answered “two”."),
    (("two", "more"), "if {} is answered “three”."), (("two",), "")])
def test_only_answers_that_are_rows_are_told(
    told: tuple[Report, Subject], rows: tuple[str, ...], said: str
) -> None:
    """One that an example rules out is no answer to give; the one that is left is told instead."""
    report, subject = told
    toll = next(each for each in report.findings if each.open_point == "toll")
    toll = replace(toll, rests=(Rest("needed", ("none", "more")),))
    needed = next(each for each in report.findings if each.open_point == "needed")
    needed = replace(needed, readings=tuple(Outcome(name, name) for name in rows))
    lines = [text for text in page_of(toll, Subject(
        subject.compiled, findings=(toll, needed))).often if "rests on" in text]

    assert [line.partition("difference ")[2] for line in lines] == [said.format(2)] * bool(said)


def test_of_three_answers_those_that_were_compared_are_told(
    told: tuple[Report, Subject],
) -> None:
    """Two of them come to the same; of the third that is not known."""
    report, subject = told
    toll = next(each for each in report.findings if each.open_point == "toll")
    more = replace(toll, readings=(*toll.readings, Outcome("none", "none at all")))
    lines = [text for text in page_of(more, subject).often if "rests on" in text]

    assert len(lines) == 1
    assert "here “one coin” and “two coins” come to the same if" in lines[0]


def test_what_no_finding_asks_is_not_told(told: tuple[Report, Subject]) -> None:
    """An answer matters to an editor only where a report asks for it."""
    report, subject = told
    toll = next(each for each in report.findings if each.open_point == "toll")
    alone = Subject(subject.compiled, findings=(toll,))
    assert not any("rests on" in text for text in page_of(toll, alone).often)


JUDGED = TOLL.replace("and coins >= 2:\n      win", "and not poor:\n      coins = 0\n      win")
JUDGED = JUDGED.partition("open_points:")[0]
POOR = JUDGED + """\
- {id: short, kind: define, says: who has no two coins is poor, define: poor, value: coins < 2}
open_points:
- id: toll
  clauses: [crosses]
  asks: what is the toll
  readings:
  - {id: one, title: one coin, changes: {}}
  - {id: two, title: two coins, changes: {crosses: {do: "coins -= 2\\npassed = 1"}}}
- id: needed
  clauses: [short]
  asks: how many coins have to be left
  readings:
  - {id: two, title: two, changes: {}}
  - {id: one, title: one, changes: {short: {value: coins < 1}}}
  - {id: four, title: four, changes: {short: {value: coins < 4}}}
"""


def test_an_answer_that_matters_in_one_of_two_games_alone_is_told(tmp_path: Path) -> None:
    """With one coin less somebody is poor under it, and with that many nobody is."""
    report = verify(str(write(tmp_path, POOR)), Settings(), only=("ambiguity",))
    (toll,) = (each for each in report.everything if each.open_point == "toll")

    assert toll.rests == (Rest("needed", ("one", "four")),)


MARKED = """
game: marked
title: A bridge and a mark
players: {count: 2}
state:
  active: {type: player, start: 1}
  coins: {type: int 0..9, start: 3}
  mark: {type: int 0..2, internal: true}
steps: {game: {}, judged: {}}
windows:
  cross: {who: "{active}", each: once, done: nothing}
  pay: {who: "{active}", each: once, done: keep it}
  bow: {who: "{active}", each: once, done: go on}
start: game
clauses:
- {id: begins, kind: effect, says: the first player may cross and pay, on: game, do: "cross()\\npay()\\nbow()\\njudged()"}
- {id: crosses, kind: permit, says: a player may cross the bridge, on: cross, option: cross, do: mark = 1}
- {id: pays, kind: permit, says: who has crossed may pay, on: pay, option: pay, when: mark > 0, do: coins -= mark}
- {id: bows, kind: permit, says: a player may bow, on: bow, option: bow, do: coins += 0}
- id: judges
  kind: effect
  says: who has two coins left wins
  on: judged
  do: |
    if coins == 2:
      win(active)
    end_game()
open_points:
- id: toll
  clauses: [crosses]
  asks: what is the toll
  readings:
  - {id: one, title: one coin, changes: {}}
  - {id: two, title: two coins, changes: {crosses: {do: mark = 2}}}
- id: strict
  clauses: [pays]
  asks: who may pay
  readings:
  - {id: all, title: everybody, changes: {}}
  - {id: few, title: who owes one coin, changes: {pays: {when: mark == 1}}}
- id: when
  clauses: [pays, judges]
  asks: when are the coins paid
  readings:
  - {id: now, title: at once, changes: {}}
  - id: later
    title: in the end
    changes:
      pays: {do: coins += 0}
      judges: {do: "coins -= mark\\nif coins == 2:\\n  win(active)\\nend_game()"}
- id: bowing
  clauses: [bows]
  asks: is a bow worth a coin
  readings:
  - {id: not, title: no, changes: {}}
  - {id: worth, title: it is, changes: {bows: {do: coins += 1}}}
"""  # noqa: E501


def test_what_one_answer_alone_allows_then_parts_them(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Then it makes a difference; and of what shows only later it is not said that it makes none.

    Games that are compared as a family anyway are compiled no second time for it.
    """
    made = list[int]()

    def counting(audit: Audit, *asked: Any) -> tuple[Rest, ...]:  # noqa: ANN401  (passed on)
        families = audit.bench._families
        before = len(families)
        found = resting(audit, *asked)
        made.append(len(families) - before)
        return found

    monkeypatch.setattr("ruleproof.checker.checks.rests.resting", counting)
    report = verify(str(write(tmp_path, MARKED)), Settings())
    (toll,) = (each for each in report.everything if each.open_point == "toll")

    assert toll.rests == ()
    assert made
    assert not any(made)


def test_a_changed_answer_to_another_question_is_looked_up_again(tmp_path: Path) -> None:
    """What was kept of the question itself stands; on what it rests depends on all answers."""
    source = write(tmp_path, TOLL)
    found = [verify(str(source), Settings(), remember=True)]
    write(tmp_path, TOLL.replace("passed * coins >= 3", "passed * coins >= 1"))
    found.append(verify(str(source), Settings(), remember=True))
    rests = [each.rests for report in found for each in report.findings
             if each.open_point == "toll"]

    assert rests == [(Rest("needed", ("more",)),), ()]
