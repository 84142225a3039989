"""`diff`: what was changed is listed, and shown by the shortest play there is; nothing else is."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ruleproof.cli.app import run
from ruleproof.tests.support.formats import check_ours
from ruleproof.tests.support.little import DUEL, JUGS, TAX, write
from ruleproof.tests.support.places import TESTS

MODE = r"""
game: hits
players: {count: 2}
state: {active: {type: player, start: 1}, hits: {type: int 0..5}}
steps: {game: {}, turn: {}}
windows: {act: {by: active, done: pass}}
start: game
variants: {odd: {title: odd mode}}
clauses:
- {id: course, kind: order, says: one turn, on: game, do: "turn()\nwin(active)"}
- {id: a, kind: order, says: act, on: turn, do: "act()"}
- {id: hit, kind: permit, says: one may hit, on: act, option: hit, do: "hits += 1"}
- {id: mode, kind: effect, says: two hits first, on: turn, before: [a], only_in: [odd], do: "hits += 2"}
- {id: mode2, kind: permit, says: one may shout, on: act, option: shout, only_in: [odd], do: "hits = 0"}
"""  # noqa: E501
JOUST = TESTS / "specs" / "joust"
Diff = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture
def diff(capsys: pytest.CaptureFixture[str]) -> Diff:
    """Run the command; give its status and its JSON."""

    def call(*args: str) -> tuple[int, dict[str, Any]]:
        code = run(["diff", *args, "-q", "-f", "json"])
        out, err = capsys.readouterr()
        assert code in (0, 1), err
        check_ours("diff", json.loads(out))
        return code, json.loads(out)

    return call


def changed(folder: Path, old: str, new: str, text: str = DUEL) -> str:
    """Write a game with something changed in it."""
    assert old in text
    return str(write(folder, text.replace(old, new)))


def test_a_game_is_the_same_as_itself(diff: Diff) -> None:
    """Nothing differs, in the text and in all situations."""
    code, found = diff(str(JOUST), str(JOUST))

    assert (code, found["changes"], found["together"]) == (0, [], None)
    assert found["together_why"] == "the turn machine is the same"
    assert found["same"] > 10


COUNTS = """
game: counts
title: Counts
players: {count: 2}
state: {n: {type: int 0..9}, m: {type: int 0..9}, active: {type: player, start: 1}}
steps: {game: {}}
start: game
windows: {go: {by: active, done: rest}}
clauses:
- {id: one, kind: effect, says: they are counted, on: game, do: "n = m + 1TAIL"}
MORE- {id: goes, kind: effect, says: one may go, on: game, after: [LAST], do: go()}
- {id: win, kind: permit, says: one may win, on: go, option: win, do: win(active)}
"""
TWO = '- {id: two, kind: effect, says: so are others, on: game, after: [one], do: "m = n + 2"}\n'


def test_a_sentence_in_two_parts_is_the_same_machine(diff: Diff, tmp_path: Path) -> None:
    """What is done does not depend on how many clauses it is written in."""
    games = [str(write(tmp_path / name, COUNTS.replace("TAIL", tail).replace(
        "MORE", more).replace("LAST", last))) for name, tail, more, last in (
            ("a", "\\nm = n + 2", "", "one"), ("b", "", TWO, "two"))]
    _, found = diff(*games)

    assert found["together_why"] == "the turn machine is the same"


@pytest.mark.parametrize(("old", "new", "how", "field", "moves"), [
    ("move(card, hand[actor], heap)", "move(card, hand[actor], secret[actor])", "changed", "do", 8),
    ("when: stands == low", "when: stands == high", "changed", "when", 7),
    ("says: one takes a stance", "says: a stance is taken", "reworded", "says", None),
])
def test_a_changed_clause_is_shown(
    diff: Diff, tmp_path: Path, old: str, new: str, *, how: str, field: str, moves: int | None
) -> None:
    """One entry is listed with its field, and with the shortest play if it does anything."""
    before = str(write(tmp_path / "a", DUEL))
    code, found = diff(before, changed(tmp_path / "b", old, new))
    (change,) = found["changes"]

    assert code == 1
    assert (change["how"], list(change["fields"])) == (how, [field])
    assert ("parted" in change) == (moves is not None)
    if moves is not None:
        assert len(change["parted"]["moves"]) == len(found["together"]["moves"])
        assert change["parted"]["a"] != change["parted"]["b"]
        assert len(change["parted"]["moves"]) <= moves


def test_a_clause_of_a_mode_is_tried_in_that_mode(diff: Diff, tmp_path: Path) -> None:
    """Where the mode is not played the clause would change nothing."""
    game = str(write(tmp_path, MODE))
    code, found = diff(game, game, "--b-variant", "odd")

    assert code == 1
    assert {each["id"]: each["parted"]["level"] for each in found["changes"]} == {
        "mode": "public state", "mode2": "legal moves"}


def test_dropped_and_added_clauses_are_shown(diff: Diff, tmp_path: Path) -> None:
    """A clause that only one has is played with and without; what needs it is no mystery."""
    line = next(each for each in DUEL.split("\n") if "d.low" in each)
    without = changed(tmp_path / "b", line + "\n", "")
    before = str(write(tmp_path / "a", DUEL))
    (dropped,) = diff(before, without)[1]["changes"]
    (added,) = diff(without, before)[1]["changes"]

    assert (dropped["how"], added["how"]) == ("dropped", "added")
    assert dropped["parted"]["level"] == added["parted"]["level"] == "legal moves"
    assert len(dropped["parted"]["moves"]) == len(added["parted"]["moves"])


def test_a_play_replays_in_its_edition(diff: Diff, tmp_path: Path,
                                       capsys: pytest.CaptureFixture[str]) -> None:
    """The play that shows a difference is one of the edition that it names."""
    before = str(write(tmp_path / "a", DUEL))
    after = changed(tmp_path / "b", "hurt[next_player(actor)] += card.force", "hurt[actor] += 1")
    _, found = diff(before, after)
    file = tmp_path / "play.json"
    file.write_text(json.dumps(found["together"]["play"]), "utf-8")

    assert run(["replay", str(file), "--game", before]) == 0
    capsys.readouterr()


def test_another_ruling_is_an_edition(diff: Diff, tmp_path: Path) -> None:
    """One game is compared with itself under another reading."""
    code, found = diff(str(write(tmp_path, TAX)), "--b-ruling", "price=two")
    (change,) = found["changes"]

    assert (code, change["id"], len(change["parted"]["moves"])) == (1, "t.pay", 1)
    assert found["b"]["settings"]["rulings"] == {"price": "two"}


def test_a_play_is_told_in_the_words_of_the_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Players are called in the moves what they are called in the states."""
    before = str(write(tmp_path / "a", DUEL))
    after = changed(tmp_path / "b", "when: stands == low", "when: stands == high")
    run(["diff", before, after, "-q"])
    out = capsys.readouterr().out

    assert "Duellist 1 chooses" in out
    assert "player 1" not in out


def test_what_a_large_game_hides_a_small_one_shows(diff: Diff, tmp_path: Path) -> None:
    """A change that play of the printed game does not reach is shown in a scope, which is named."""
    names = "abcdef"
    noise = "".join(f"  {name}: {{type: int 0..100}}\n" for name in names)
    waste = "".join(f"  waste {name}: {{when: {name} < 100, do: {name} += 1}}\n" for name in names)
    text = f"""
game: patience
players: {{count: 2}}
constants: {{goal: 40}}
state:
  row: {{type: int 0..40}}
{noise}scopes: {{tiny: {{constants: {{goal: 2}}}}}}
actions:
  more: {{when: row < goal, do: row += 1}}
  back: {{do: row = 0}}
{waste}clauses:
- id: end
  kind: outcome
  says: a row wins
  whenever: row >= goal
  timing: at once
  do: "win(players)"
"""
    before = str(write(tmp_path / "a", text))
    after = changed(tmp_path / "b", '"win(players)"', '"win({})"', text)
    (change,) = diff(before, after)[1]["changes"]

    assert change["parted"]["scope"] == "tiny"
    assert len(change["parted"]["moves"]) == 2


def test_other_cards_are_not_played_side_by_side(diff: Diff, tmp_path: Path) -> None:
    """Where moves of one mean nothing in the other it is said, and changes are tried alone."""
    before = str(write(tmp_path / "a", DUEL))
    after = DUEL.replace("jab: {name: Jab", "poke: {name: Poke").replace("high]", "high]")
    after = after.replace("when: stands == low", "when: stands == high")
    _, found = diff(before, str(write(tmp_path / "b", after)))
    clause = next(each for each in found["changes"] if each["section"] == "clauses")

    assert found["together"] is None
    assert "different cards (strike)" in found["together_why"]
    assert clause["parted"]["level"] == "legal moves"


def test_a_renamed_clause_is_one_change(diff: Diff, tmp_path: Path) -> None:
    """A clause that has only another id is neither added nor dropped."""
    before = str(write(tmp_path / "a", DUEL))
    _, found = diff(before, changed(tmp_path / "b", "d.give_up", "d.resign"), "--text-only")
    (change,) = found["changes"]

    assert (change["how"], change["fields"]["id"]) == ("renamed", ["d.give_up", "d.resign"])


def test_findings_are_compared(diff: Diff, tmp_path: Path) -> None:
    """What only one of two findings files has is mended, or brought."""
    golden = json.loads((TESTS / "golden" / "plum-panic.json").read_text("utf-8"))
    fewer = {**golden, "findings": golden["findings"][1:]}
    (tmp_path / "a.json").write_text(json.dumps(golden), "utf-8")
    (tmp_path / "b.json").write_text(json.dumps(fewer), "utf-8")
    game = str(write(tmp_path / "g", JUGS))
    code, found = diff(game, "--text-only", "--findings-a", str(tmp_path / "a.json"),
                       "--findings-b", str(tmp_path / "b.json"))
    mended = [each["id"] for each in found["findings"]["mended"]]

    assert code == 1
    assert golden["findings"][0]["id"] in mended
    assert found["findings"]["brought"] == []


@pytest.mark.parametrize("cause", ["late", "interrupted", "failed"])
def test_findings_of_a_verification_without_an_end_are_not_compared(
    diff: Diff, tmp_path: Path, cause: str
) -> None:
    """What was not found is not said to be gone if the search for it was cut short."""
    golden = json.loads((TESTS / "golden" / "plum-panic.json").read_text("utf-8"))
    cut = {**golden, "findings": golden["findings"][1:],
           "not_checked": [{"what": "claims", "why": "it was not", "cause": cause}]}
    (tmp_path / "a.json").write_text(json.dumps(golden), "utf-8")
    (tmp_path / "b.json").write_text(json.dumps(cut), "utf-8")
    game = str(write(tmp_path / "g", JUGS))
    code, found = diff(game, "--text-only", "--findings-a", str(tmp_path / "a.json"),
                       "--findings-b", str(tmp_path / "b.json"))

    assert (code, found["findings"]) == (0, None)
    assert "the verification of B" in found["not_compared"][-1]


def test_a_revision_is_an_edition(diff: Diff, tmp_path: Path) -> None:
    """GAME@REVISION is the folder as git has it, with what it extends."""
    games = tmp_path / "games"
    write(games / "base", DUEL)
    (games / "new").mkdir()
    extending = games / "new" / "game.yaml"
    extending.write_text("game: new\nextends: ../base\n", "utf-8")
    for words in (["init", "-q"], ["add", "."], ["commit", "-qm", "first"]):
        subprocess.run(["git",  # noqa: S603, S607
                         "-c", "user.name=a", "-c", "user.email=a@example.org", "-C",
                        str(tmp_path), *words], check=True)
    extending.write_text(
        "game: new\nextends: ../base\nchanges:\n  d.low: {when: stands == high}\n", "utf-8")
    code, found = diff(f"{games}/new@HEAD", f"{games}/new")

    assert code == 1
    assert [each["id"] for each in found["changes"]] == ["d.low"]


@pytest.mark.parametrize(("args", "said"), [
    (["nowhere@HEAD"], "no folder `nowhere`"),
    ([f"{JOUST}@no-such-branch"], "no revision `no-such-branch`"),
    ([f"{JOUST}@--output=/tmp/x"], "no revision `--output=/tmp/x`"),
    ([str(JOUST), "--b-ruling", "x=y"], "no open point `x`"),
    ([str(JOUST), "--b-variant", "x"], "no variant `x`"),
])
def test_wrong_usage_is_told(
    capsys: pytest.CaptureFixture[str], args: list[str], said: str
) -> None:
    """Status 2, and what there is instead."""
    assert run(["diff", *args]) == 2
    assert said in capsys.readouterr().err


def test_the_text_can_be_read(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Lines of a body stand under each other, and the play under the change that it shows."""
    before = str(write(tmp_path / "a", DUEL))
    after = changed(tmp_path / "b", "hurt[next_player(actor)] += card.force", "hurt[actor] += 1")

    assert run(["diff", before, after, "-q", "--no-color"]) == 1
    out = capsys.readouterr().out
    assert "~ d.strike\n    a card is struck at the next one\n    do:\n" in out
    assert "      - hurt[next_player(actor)] += card.force\n      + hurt[actor] += 1\n" in out
    assert "\n      A: " in out
    assert "\n      B: " in out


MODED = """
game: moded
title: With a mode
players: {min: 2, max: 4, default: 2}
state: {n: {type: int 0..9}}
steps: {game: {}}
start: game
variants: {rich: {title: rich}}
clauses:
- {id: one, kind: effect, says: it grows, on: game, do: n += 1}
- {id: four, kind: effect, says: with four more, on: game, after: [one],
   do: "if player_count == 4:\\n  n += 1"}
- {id: rich, kind: effect, says: if rich too, on: game, after: [one, four], only_in: [rich],
   do: n += 1}
"""


@pytest.mark.parametrize(("old", "new", "left"), [
    ("only_in: [rich],\n   do: n += 1", "only_in: [rich],\n   do: n += 2",
     ["modes that are not played: they differ in rich"]),
    ("rich: {title: rich}", "rich: {title: rich, players: 3}",
     ["modes that are not played: they differ in rich"]),
    ('  n += 1"', '  n += 2"', ["play with 3 and 4 players (`--players`)"]),
    ("says: it grows, on: game, do: n += 1", "says: it grows, on: game, do: n += 2",
     ["play with 3 and 4 players (`--players`)"]),
    ("it grows", "it is raised", []),
])
def test_what_is_not_compared_is_named(
    diff: Diff, tmp_path: Path, old: str, new: str, left: list[str]
) -> None:
    """A change in a mode, or for so many players, that is not played is not called none."""
    a, b = (str(write(tmp_path / name, MODED.replace(old, text)))
            for name, text in (("a", old), ("b", new)))
    _, found = diff(a, b)

    assert MODED.count(old) == 1
    assert [each for each in found["not_compared"] if not each.startswith("findings")] == left
