"""Of an order the printed game is asked, too, and who is asked what on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleproof.checker.findings.results import Finding, Report
from ruleproof.checker.orders import passages
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.reports.blocks.page import in_print

BASE = """
game: order
title: Order
players: {min: 2, max: 4, default: 2}
state: {active: {type: player, start: 1}, n: {type: "int 0..40", per: player},
        die: {type: int 0..6}}
start: game
"""
ASKED = """
steps: {game: {}, turn: {}}
clauses:
- {id: go, kind: order, says: it goes, on: game, do: "who = random(players)\\nn[who] = 1\\nturn()"}
- {id: pick, kind: effect, says: a number is chosen, on: turn,
   do: "c = choose(range(1, 3), by=active, ask=\\"Which one?\\")\\ndie = c"}
- {id: lead, kind: effect, says: one begins, on: turn,
   do: "active = only(argmax(n[p] for p in players))"}
"""
DICE = """
constants: {dice: 2}
steps: {game: {}, score: {}}
scopes: {tiny: {about: one die, constants: {dice: 1}}}
clauses:
- id: go
  kind: order
  says: dice are thrown
  on: game
  do: |
    for p in clockwise(active):
      for i in range(0, dice):
        d = roll(3)
        n[p] += d
    score()
- {id: dbl, kind: effect, says: four are eight, on: score,
   do: "for p in clockwise(active):\\n  if n[p] == 4:\\n    n[p] += n[p]"}
- {id: two, kind: effect, says: two or four are one more, on: score,
   do: "for p in clockwise(active):\\n  if n[p] == 2 or n[p] == 4:\\n    n[p] += 1"}
- {id: few, kind: claim, says: nobody has more than four, never: "any(n[p] > 4 for p in players)"}
"""
DEALT = """
families: {t: {attributes: {v: "int 1..2"}}}
cards: {t: {j: {copies: 3, v: 1}, x: {copies: 3, v: 2}}}
zones:
  deck: {holds: t, kind: deck, starts: all, seen_by: none}
  hand: {holds: t, kind: bag, per: player}
steps: {game: {}}
scopes: {tiny: {cards: {t: {x: 1}}}}
clauses:
- {id: d, kind: setup, says: a card for each, on: game,
   do: "for p in players:\\n  draw(1, deck, hand[p])"}
- {id: win, kind: outcome, says: the highest card wins, on: game, after: [d],
   do: "win(argmax(sum(c.v for c in hand[p]) for p in players))"}
"""
TAKEN = """
constants: {enough: 3}
steps: {game: {}}
scopes: {tiny: {about: one die, constants: {enough: 1}}}
clauses:
- id: die
  kind: order
  says: a die is thrown
  on: game
  do: "d = roll(3)\\ndie = d"
- {id: take, kind: effect, says: each may be the first, on: game, after: [die],
   do: "for p in players:\\n  if die == 3 and enough == 3:\\n    active = p"}
- {id: win, kind: outcome, says: the first wins, on: game, after: [take], do: win(active)}
"""
REACTIONS = """
families: {trick: {attributes: {tax: bool}}}
cards: {trick: {jinx: {copies: 2}, tax: {copies: 2, tax: True}}}
zones:
  deck: {holds: trick, kind: deck, starts: all, seen_by: none}
  hand: {holds: trick, kind: bag, per: player}
  gone: {holds: trick, kind: bag}
steps: {game: {}}
windows: {react: {who: others(active), each: once, done: play nothing}}
clauses:
- id: deal
  kind: setup
  says: all others have a card
  on: game
  do: |
    for p in clockwise_after(active):
      draw(1, deck, hand[p])
    die = 3
    react()
    if die == 0:
      win(active)
- {id: play, kind: permit, says: each may play one, on: react, option: play,
   with: {c: "hand[actor]"},
   do: "move(c, hand[actor], gone)\\nif c.tax:\\n  die -= 1\\nelse:\\n  die = 1"}
"""


def checked(
    folder: Path, game: str, players: int | None = None
) -> tuple[Report, dict[str, Finding]]:
    """Verify a game; return its report, and the findings about open points by their names."""
    (folder / "game.yaml").write_text(BASE + game, "utf-8")
    report = verify(str(folder), Settings(players=players))
    return report, {each.open_point: each for each in report.everything if each.open_point}


@pytest.fixture(params=[False, True])
def large(request: pytest.FixtureRequest) -> bool:
    """Return whether the printed game is one that cannot be explored."""
    if request.param:
        request.getfixturevalue("printed_is_large")
    return bool(request.param)


def test_who_is_asked_is_a_difference(tmp_path: Path) -> None:
    """Whoever chooses may choose the same, but it is another player who does."""
    report, found = checked(tmp_path, ASKED)
    finding = found["order/pick/lead"]

    assert (finding.cls, finding.level) == ("order-dependence", 2)
    assert [one.outcome for one in finding.readings] == [
        "player 1 is asked “Which one?”", "player 2 is asked that"]
    assert not report.harmless


@pytest.mark.parametrize("turned", [False, True])
def test_the_answer_that_is_decided_is_the_one_that_is_played(
    turned: bool, tmp_path: Path  # noqa: FBT001
) -> None:
    """Whichever of the two orders comes to what the other one does not."""
    pick = """
- {id: pick, kind: effect, says: a number is chosen, on: turn, settled: {order: go},
   do: "c = choose(range(1, 3), by=active, ask=\\"Which one?\\")\\ndie = c"}"""
    most = """
- {id: most, kind: effect, says: two are one, on: turn, settled: {order: go},
   do: "if die == 2:\\n  die = 1"}"""
    report, _ = checked(tmp_path, """
steps: {game: {}, turn: {}}
clauses:
- {id: go, kind: order, says: it goes, on: game, do: turn()}""" + (
        most + pick if turned else pick + most))
    (decided,) = (one.what for one in report.holds if one.what.startswith("decided by"))
    first = "two are one" if turned else "a number is chosen"

    assert f"the answer is “first: {first}”" in decided
    assert f"under “first: {first}”" not in decided


def test_what_only_the_printed_game_shows_is_found(
    large: bool, tmp_path: Path  # noqa: FBT001
) -> None:
    """No scope has so many dice: the printed game is explored if it is small, else played."""
    report, found = checked(tmp_path, DICE)
    finding = found["order/dbl/two"]
    claim = next(each for each in report.everything if each.cls == "false-claim")

    assert {finding.evidence.scope, claim.evidence.scope} == {"printed"}
    assert {finding.evidence.method, claim.evidence.method} == {
        "sampled" if large else "exhaustive"}
    assert claim.evidence.replayed
    assert [one.scope for one in report.explored] == ["printed", "tiny"][large:]
    assert not any("order/dbl/two" in one.open_point for one in report.harmless)
    assert not any(one.clause == "few" for one in report.holds)


def test_an_order_of_players_is_compared_in_plays_of_the_printed_game(
    large: bool, tmp_path: Path  # noqa: FBT001
) -> None:
    """Also where the version of the sentence that has it is not the first of its family."""
    report, found = checked(tmp_path, TAKEN)
    finding = found["order/take"]

    assert (finding.evidence.scope, finding.only_smaller) == ("printed", False)
    assert finding.evidence.method == ("sampled" if large else "exhaustive")
    assert not any(one.open_point == "order/take" for one in report.harmless)


def test_a_deal_to_equals_decides_nothing_in_the_printed_game(
    large: bool, tmp_path: Path  # noqa: FBT001
) -> None:
    """With one card its order matters; with six each has the same prospects in either order."""
    _, found = checked(tmp_path, DEALT)
    finding = found["order/d"]

    assert finding.only_smaller
    assert finding.frequency is None
    assert ("ruled out" in in_print(finding)) != large or "not ruled out" in in_print(finding)


def test_what_was_not_compared_in_full_is_not_ruled_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deal of the printed game takes more than may be looked at; that of a scope does not."""
    monkeypatch.setattr(passages, "MOST_INSIDE", 5)
    _, found = checked(tmp_path, DEALT)

    assert found["order/d"].only_smaller
    assert "not ruled out" in in_print(found["order/d"])


def test_an_order_of_a_window_is_held_against_its_own_version(tmp_path: Path) -> None:
    """Clockwise is not counterclockwise: the play that is said to be impossible under it is."""
    _, found = checked(tmp_path, REACTIONS, players=3)
    finding = found["order/react"]
    one = next(each for each in finding.evidence.plays if each.reading == "unstated")
    assert one.play is not None
    order = [step["by"] for step in one.play["steps"] if step["event"] == "play"]

    assert [each.id for each in finding.readings] == ["unstated", "clockwise"]
    assert order == ["player 3", "player 2"]


def test_an_order_of_one_is_not_called_harmless(tmp_path: Path) -> None:
    """With two players only one of them may act: that says nothing of the order of several."""
    report, found = checked(tmp_path, REACTIONS)

    assert "order/react" not in found
    assert not any("order/react" in one.open_point for one in report.harmless)
    assert any(one.what == "order/react" and "never are two players concerned" in one.why
               for one in report.not_checked)


WORK = """
steps: {game: {}}
windows: {w: {by: active, done: stop}}
clauses:
- {id: go, kind: order, says: there is work, on: game, do: "d = roll(4)\\ndie = d\\nw()"}
- {id: work, kind: permit, says: one may work, on: w, option: work, do: "n[actor] = 1"}
"""


def test_where_nobody_can_move_plays_do_not_end(tmp_path: Path) -> None:
    """It is counted, and nothing that holds denies it."""
    report, _ = checked(tmp_path, WORK + """\
- {id: must, kind: require, says: one must work, on: w, must: work, when: die > 1}
- {id: not, kind: forbid, says: one does not work, on: w.work, when: die > 1}
""")
    finding = next(each for each in report.findings if each.cls == "contradiction")

    assert finding.frequency is not None
    low, high = finding.frequency.ci95
    assert 0.73 < low < high < 0.78
    assert not any("comes to an end" in one.what or "nobody can do anything" in one.what
                   for one in report.holds)


def test_plays_that_stop_are_counted_for_their_own_reason(tmp_path: Path) -> None:
    """Of two reasons each is counted by itself: one die in four comes to either."""
    report, _ = checked(tmp_path, WORK + """\
- {id: must, kind: require, says: one must work, on: w, must: work, when: die > 2}
- {id: three, kind: forbid, says: three rest, on: w.work, when: die == 3}
- {id: four, kind: forbid, says: four rest, on: w.work, when: die == 4}
""")
    shares = {one.clauses: one.frequency for one in report.everything if one.cls == "contradiction"}

    assert {name for clauses in shares for name in clauses} == {"must", "three", "four"}
    assert len(shares) == 2
    assert all(often is not None and often.ci95[0] < 0.25 < often.ci95[1]
               for often in shares.values())
