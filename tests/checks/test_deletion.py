"""What is said of sentences that can be taken out is so when they are taken out."""

from pathlib import Path

import pytest

from ruleproof.checker.clauses.deletion import AGAIN, IDLE
from ruleproof.checker.findings.results import Finding, Report
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings

ADDING = """
game: adding
title: Adding
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..9, start: 0}}
steps: {game: {}, turn: {}}
windows: {play: {by: active, done: pass}}
start: game
clauses:
- {id: game, kind: order, says: three turns, on: game, do: "for p in clockwise(active):\\n  \
active = p\\n  turn()\\nturn()\\nif n > 3:\\n  win(active)\\nelse:\\n  win(next_player(active))"}
- {id: turn, kind: effect, says: a turn, on: turn, do: play()}
- {id: add, kind: permit, says: add one or more, on: play, option: add, with: {k: "range(1, 5)"},
   do: "n += k"}
"""


def ban(name: str, when: str, **more: str) -> str:
    """Return a clause that forbids to add."""
    rest = "".join(f", {key}: {value}" for key, value in more.items())
    return (f"- {{id: {name}, kind: forbid, says: not so {name}, on: play.add, "
            f'when: "{when}"{rest}}}\n')


def limit(name: str, always: str) -> str:
    """Return a clause that says what is always so."""
    return f'- {{id: {name}, kind: limit, says: always {name}, always: "{always}"}}\n'


def report_of(folder: Path, *clauses: str) -> Report:
    """Verify the game of adding with some clauses more."""
    (folder / "game.yaml").write_text(ADDING + "".join(clauses), "utf-8")
    return verify(str(folder), Settings(), only=IDLE)


def idle(report: Report) -> dict[tuple[str, ...], Finding]:
    """Return the findings about whole clauses, by these."""
    return {each.clauses: each for each in report.everything
            if each.cls in IDLE and each.identity and each.identity.kind != "phrase"}


@pytest.mark.parametrize("clauses", [
    (ban("no", "n + k > 2"), limit("most", "n <= 2")),
    (limit("most", "n <= 2"), ban("no", "n + k > 2"), ban("two", "k == 2")),
])
def test_of_a_ban_and_a_limit_that_say_the_same_one_is_enough(
    tmp_path: Path, clauses: tuple[str, ...]
) -> None:
    """Neither does nothing by itself, and no sentence that rules out a part stands for either."""
    found = idle(report_of(tmp_path, *clauses))

    assert {frozenset(names): each.cls for names, each in found.items()} == {
        frozenset({"no", "most"}): "redundant-clause"}


@pytest.mark.parametrize(("clauses", "names", "it"), [
    ((ban("most", "k > 2"), ban("four", "k == 4")), ("four", "most"), "The other one named below"),
    ((limit("low", "n <= 2"), limit("odd", "n <= 5")), ("odd", "low"), "The other one named below"),
    ((ban("high", "k > 3 or n > 3"), ban("low", "k < 3"), ban("odd", "k == 1 or k == 4")),
     ("odd", "high", "low"), "The 2 others named below"),
])
def test_a_sentence_that_does_more_than_another_cannot_go_instead(
    tmp_path: Path, clauses: tuple[str, ...], names: tuple[str, ...], it: str
) -> None:
    """Of what rules out more than the other one it is not told that either may be taken out."""
    finding = idle(report_of(tmp_path, *clauses))[names]
    s = "s" * (len(names) == 2)

    assert f"{it} rule{s} out all that this one does, and more: this one can go." in (
        finding.explanation)


@pytest.mark.parametrize(("when", "told", "held"), [
    ("k >= 3", set(), {"most": AGAIN[1], "again": AGAIN[1]}),
    ("k == 4", set(), {"again": AGAIN[2]}),
    ("k >= 2", {("most", "again")}, {}),
])
def test_a_reminder_is_the_same_only_if_each_alone_makes_the_same_game(
    tmp_path: Path, when: str, told: set[tuple[str, ...]], held: dict[str, str]
) -> None:
    """One that says less is not called so, and one that says more is a finding."""
    report = report_of(tmp_path, ban("most", "k > 2"), ban("again", when, restates="[most]"))
    found = idle(report)

    assert {one.clause: one.what for one in report.holds if one.what in AGAIN} == held
    assert found.keys() == told
    assert all("does what this sentence does, and more" in each.explanation
               for each in found.values())


@pytest.mark.parametrize(("when", "others", "told"), [
    ("k == 2 or k == 3", ("again", "four"), "The 2 others named below rule out all that this one"),
    ("k >= 2", ("again",), "The reminder named below does what this sentence does, and more."),
])
def test_a_reminder_that_says_more_and_less_is_not_said_to_do_all(
    when: str, others: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    """What it leaves out another sentence rules out: only the two do what the rule does."""
    found = idle(report_of(tmp_path, ban("most", "k > 2"), ban("again", when, restates="[most]"),
                           ban("four", "k == 1 or k == 4")))
    (finding,) = (each for names, each in found.items() if names[0] == "most")

    assert sorted(finding.clauses[1:]) == sorted(others)
    assert told in finding.explanation


def test_a_reminder_that_does_more_than_an_effect_is_a_finding(tmp_path: Path) -> None:
    """So it is of what is done, as of what is banned."""
    report = report_of(tmp_path, *(
        f"- {{id: {name}, kind: effect, says: {name}, on: turn, after: [turn], "
        f'do: "if n > {more}:\\n  n = {most}"{rest}}}\n'
        for name, more, most, rest in (("cut", 4, 4, ""), (
            "again", 3, 3, ", restates: [cut]"))))

    assert [(each.cls, names) for names, each in idle(report).items()] == [
        ("redundant-clause", ("cut", "again"))]


NOTED = """
game: noted
title: Noted
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..3}, log: {type: int 0..3}}
steps: {game: {}}
windows: {play: {by: active, done: pass}}
start: game
clauses:
- {id: game, kind: order, says: two turns, on: game, do: "play()\\nplay()\\nwin(active)"}
- {id: add, kind: permit, says: add one, on: play, option: add, do: "n += 1AND"}
- {id: note, kind: effect, says: it is noted, timing: after the step, fires: once per change,
   whenever: n == 2, do: "SO"}
"""


@pytest.mark.parametrize(("noted", "more", "name", "ends"), [
    ("log = 2", "", "note", True),
    ("n = 2", "", "note", False),
    ("win(active)", "\\nif n < 2:\\n  log = n", "add", True),
])
def test_what_is_changed_only_in_games_that_are_over_is_told(
    tmp_path: Path, noted: str, more: str, name: str, *, ends: bool
) -> None:
    """A sentence, or a phrase, may do what decides nothing, and that shows when the game ends."""
    text = NOTED.replace("AND", more).replace("SO", noted)
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("inert-clause",))
    (found,) = (each for each in report.everything if each.clauses == (name,))

    assert ("Only what lies on the table when the game is over" in found.explanation) == ends
