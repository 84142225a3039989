"""What is told of a game is so with each number of players, and in each mode, or names its own."""

from pathlib import Path

import pytest

from ruleproof.checker.bench.modes import played_as
from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.findings.results import Report
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.plays.plays import replay
from ruleproof.reports.blocks.page import how_shown
from ruleproof.tests.support.little import write

TOGETHER = """
game: together
title: All win together
players: {min: 2, max: 4, default: 2}
constants: {goal: {value: 5}}
state:
  active: {type: player, start: 1}
  life: {type: int 0..3, per: player}
steps: {game: {}}
windows: {w: {by: active, done: stop}}
start: game
variants: {quick: {title: quick, constants: {goal: 2}}}
clauses:
- {id: four, kind: claim, says: never four win, never: size(winners) == 4}
- {id: three, kind: claim, says: never three win, never: size(winners) == 3}
- {id: five, kind: claim, says: never five win, never: size(winners) > player_count}
- {id: two, kind: claim, says: two can win, reachable: size(winners) == 2}
- {id: all, kind: claim, says: four can win, reachable: size(winners) == 4}
- {id: lone, kind: claim, says: one can win, reachable: size(winners) == 1}
- {id: high, kind: claim, says: the goal is high, claim: goal > 3}
- {id: some, kind: claim, says: there is a goal, claim: goal > 1}
- {id: set, kind: claim, says: it is five, not_in: [quick], claim: goal == 5}
- {id: o, kind: order, says: play, on: game, do: "w()\\nwin(players)"}
- {id: s, kind: permit, says: play, on: w, option: x, do: "life[active] += 1"}
"""


@pytest.fixture(name="source", scope="module")
def _source(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write(tmp_path_factory.mktemp("together"), TOGETHER))


@pytest.fixture(name="report", scope="module")
def _report(source: str) -> Report:
    return verify(source, Settings(), only=("false-claim", "limit-broken"))


@pytest.mark.parametrize(("clause", "players"), [("four", 4), ("three", 3)])
def test_what_never_is_is_sought_with_every_number_of_players(
    source: str, report: Report, clause: str, players: int
) -> None:
    """What a number between the fewest and the most refutes is a finding of it, which replays."""
    (found,) = (one for one in report.findings if one.clauses == (clause,))
    compiled = compile_game(load_game(source, Settings(players=players)))

    assert found.evidence.mode == f"with {players} players"
    assert not found.only_smaller
    assert replay(found.evidence.plays[0].play, compiled).ok


def test_what_the_printed_game_has_not_with_any_number_is_not_told_of_a_small_one(
    report: Report
) -> None:
    """Where the printed game alone was looked at, with all numbers of players, it is said so."""
    (lone,) = (one for one in report.findings if one.clauses == ("lone",))
    told = how_shown(lone, report.explored)

    assert told.startswith("It was found in the printed game with 2 to 4 players")
    assert told.endswith(", all of whose situations were looked at.")


def test_what_is_possible_with_some_number_of_players_is_possible(report: Report) -> None:
    """A claim is refuted only if no number of players and no mode has what it speaks of."""
    wrong = {one.clauses[0]: one.evidence for one in report.findings if one.clauses[0] in (
        "two", "all", "lone")}
    holds = {one.clause: one.scope for one in report.holds if one.kind == "claim"}

    assert holds["two"] == "printed"
    assert holds["all"] == "printed with 4 players"
    assert [*wrong] == ["lone"]
    assert wrong["lone"].scope == "printed, 2 to 4 players, and in the mode “quick”"


def test_where_a_claim_was_looked_at_in_full_is_said(report: Report) -> None:
    """What is proved of the game as it is chosen names no number of players beside that."""
    holds = {one.clause: one for one in report.holds if one.kind == "claim"}

    assert holds["five"].scope == "printed, 2 to 4 players, and in the mode “quick”"


@pytest.mark.usefixtures("printed_is_large")
def test_numbers_of_players_that_were_only_played_are_listed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of these nothing is said to hold, nor is what was not seen there called impossible."""
    monkeypatch.setattr("ruleproof.checker.checks.states.SMALL", 1)
    text = TOGETHER.replace("start: game\n", "start: game\nscopes: {tiny: {players: 2}}\n", 1)
    report = verify(str(write(tmp_path, text)), Settings(), only=("false-claim", "limit-broken"))
    where = "with 3 and 4 players, in the mode “quick”"
    listed = {one.what for one in report.not_checked}

    assert f"the claim five {where}" in listed
    assert "the claim lone" in listed
    assert {one.clauses[0]: one.evidence.mode for one in report.findings} == {
        "four": "with 4 players", "three": "with 3 players", "high": "in the mode “quick”"}


def test_a_claim_about_numbers_is_decided_in_each_mode_that_changes_them(report: Report) -> None:
    """What a mode refutes is a finding of it; a claim that is not in force there is not asked."""
    high = next(one for one in report.findings if one.clauses == ("high",))
    holds = {one.clause: one.scope for one in report.holds if one.kind == "claim"}

    assert (high.evidence.mode, high.evidence.method) == ("in the mode “quick”", "proof")
    assert "high" not in holds
    assert holds["some"] == "printed, 2 to 4 players, and in the mode “quick”"
    assert holds["set"] == "printed, 2 to 4 players"


LEFT = """
game: left
title: What is left over
players: {min: 2, max: 4, default: 2}
families: {number: {}}
cards: {number: {one: {copies: 4}}}
zones:
  deck: {holds: number, kind: deck, starts: all, seen_by: none}
  hand: {holds: number, kind: bag, per: player, seen_by: owner}
state: {active: {type: player, start: 1}, left: {type: int 0..9}, gold: {type: int 0..9, start: 1}}
steps: {game: {}, deal: {}}
windows: {w: {by: active, done: stop}}
start: game
variants: {quick: {title: quick}}
clauses:
- {id: o, kind: order, says: play, on: game, do: "deal()\\nw()"}
- id: deal
  kind: setup
  says: each is dealt as many
  on: deal
  do: "for p in clockwise(active):\\n  draw(4 // player_count, deck, hand[p])\\nleft = size(deck)"
- {id: odd, kind: effect, says: what is left takes the gold, after: [deal], on: deal,
   when: size(deck) > 0, do: gold = 0}
- {id: much, kind: outcome, says: with much left the second wins, after: [odd], on: deal,
   when: left > 5, do: "win(next_player(active))"}
- {id: mode, kind: effect, says: in the quick game there is more gold, after: [much], on: deal,
   when: variant(quick), do: gold += 2}
- {id: s, kind: permit, says: gold is spent, on: w, option: x, when: gold > 0, do: win(active)}
"""
IDLE = ("dead-clause", "inert-clause", "redundant-clause")


@pytest.fixture(name="left", scope="module")
def _left(tmp_path_factory: pytest.TempPathFactory) -> str:
    return str(write(tmp_path_factory.mktemp("left"), LEFT))


def test_what_counts_with_some_number_of_players_does_something(left: str) -> None:
    """Neither the fewest nor the most have a card left over; three do, and then it decides."""
    report = verify(left, Settings(), only=IDLE)
    idle = {one.clauses[0]: one for one in report.findings}

    assert not {"odd", "s"} & idle.keys()
    assert "with 2 players" in idle["much"].explanation
    assert idle["much"].evidence.mode == "with 2 players"


def test_what_a_chosen_mode_makes_idle_is_no_defect(left: str) -> None:
    """The game without the mode is one that the book has, too."""
    report = verify(left, Settings(variants=("quick",)), only=IDLE)

    assert "mode" not in {one.clauses[0] for one in report.findings}


def test_a_proof_says_for_how_many_players_it_is(left: str) -> None:
    """With three, one card is left over; the number that holds it is proved of two alone."""
    report = verify(left, Settings(), only=("undefined-operation",))
    proved = {one.scope for one in report.holds if one.method == "proof"}

    assert proved == {"printed with 2 players"}


@pytest.mark.parametrize("every", [False, True])
def test_numbers_between_the_fewest_and_the_most_come_last(
    left: str, *, every: bool
) -> None:
    """They are asked only where they are wanted, after what tells more."""
    ways = played_as(Workbench(left, Settings()), every=every)

    assert ways == (((), 4), (("quick",), None), *[((), 3)] * every)
    assert ((), None) in played_as(Workbench(left, Settings(variants=("quick",))), without=True)


PRICED = """
game: priced
title: A price among three
players: {min: 2, max: 4, default: 2}
state:
  active: {type: player, start: 1}
  gold: {type: int 0..3}
  held: {type: int 0..9}
steps: {game: {}}
windows: {w: {by: active, done: stop}}
start: game
clauses:
- {id: o, kind: order, says: play, on: game, do: w()}
- {id: pay, kind: effect, says: with three there is a price, on: game, after: [o],
   when: player_count == 3, do: "gold -= 1\\nheld = 9\\nw()"}
- {id: few, kind: limit, says: nobody holds more than eight, always: held <= 8}
- {id: s, kind: permit, says: gold is found, on: w, option: x, do: "gold = min(3, gold + 1)"}
"""


def test_what_fails_with_a_number_between_the_fewest_and_the_most_is_found(
    tmp_path: Path
) -> None:
    """Duties and limits are looked at with three, too, where two and four keep all of them."""
    report = verify(str(write(tmp_path, PRICED)), Settings(),
                    only=("limit-broken", "undefined-operation"))
    found = {one.clauses[0]: one for one in report.everything}
    line = next(one for one in report.not_checked if one.kind == "players")

    assert {"pay", "few"} <= found.keys()
    assert {one.evidence.mode for one in found.values()} == {"with 3 players"}
    assert all(one.evidence.replayed for one in found.values())
    assert "1,000 random plays with 3 and 4 were" in line.why


DOUBLED = """
game: doubled
title: More among three
players: {min: 2, max: 4, default: 2}
state: {active: {type: player, start: 1}, got: {type: int 0..9}}
steps: {game: {}}
windows: {w: {by: active, done: stop}}
start: game
SCOPES
clauses:
- {id: o, kind: order, says: play, on: game, do: "w()\\nif got > 2:\\n  win(active)"}
- {id: s, kind: permit, says: a coin is taken, on: w, option: more, do: "got += 2"}
open_points:
- id: how-many
  clauses: [s]
  asks: how many are taken
  readings:
  - {id: two, title: two, changes: {}}
  - {id: odd, title: more among three, changes: {s: {do: "got += 2 + player_count % 2"}}}
"""


def test_answers_of_a_small_game_are_compared_with_every_number(tmp_path: Path) -> None:
    """They part with three alone, which is told."""
    report = verify(str(write(tmp_path, DOUBLED.replace("SCOPES\n", ""))), Settings())
    (found,) = (one for one in report.findings if one.open_point == "how-many")
    line = next(one for one in report.not_checked if one.kind == "players")

    assert found.evidence.mode == "with 3 players"
    assert found.level == 1
    assert "with 3 and 4 where that shows nothing (not orders); 1,000" in line.why


@pytest.mark.usefixtures("printed_is_large")
def test_answers_of_a_large_game_name_the_numbers_they_are_not_compared_with(
    tmp_path: Path
) -> None:
    """Where that would take long they are compared with the fewest and the most alone."""
    report = verify(str(write(tmp_path, DOUBLED.replace(
        "SCOPES", "scopes: {tiny: {players: 2}}"))), Settings())
    line = next(one for one in report.not_checked if one.kind == "players")

    assert not [one for one in report.findings if one.open_point == "how-many"]
    assert "and with 4 where that shows nothing (not orders); with 3 none are compared;" in line.why


DUELS = """
game: duels
title: A mode for two
players: {min: 2, max: 4, default: DEFAULT}
state: {active: {type: player, start: 1}, hits: {type: int 0..3, per: player}}
variants: {duel: {title: for two, binding: true, when: player_count == 2 PLAYERS}}
steps: {game: {}}
windows: {w: {by: active, done: stop}}
start: game
clauses:
- {id: o, kind: order, says: play, on: game, do: w()}
- {id: s, kind: permit, says: hit twice, only_in: [duel], on: w, option: x, do: "hits[active] += 2"}
- {id: t, kind: permit, says: hit, not_in: [duel], on: w, option: y, do: "hits[active] += 1"}
- {id: two, kind: claim, says: never two, only_in: [duel], never: "hits[active] == 2"}
- {id: one, kind: claim, says: never one, not_in: [duel], never: "hits[active] == 1"}
- {id: six, kind: claim, says: never three, only_in: [duel], never: "hits[active] == 3"}
- {id: none, kind: claim, says: never two, never: "player_count > 2 and hits[active] == 2"}
- {id: sum, kind: claim, says: many, not_in: [duel], claim: player_count < 3}
"""


def duels(folder: Path, default: int, players: str) -> str:
    """Write a game of which two players play a mode, that is for two or says nothing of them."""
    return str(write(folder, DUELS.replace("DEFAULT", str(default)).replace("PLAYERS", players)))


@pytest.mark.parametrize("players", ["", ", players: 2"])
@pytest.mark.parametrize("default", [2, 3])
def test_each_number_is_played_beside_one_that_binds_a_mode(
    default: int, players: str, tmp_path: Path
) -> None:
    """A mode that the number of players forces is not taken to other numbers, nor left out."""
    bench = Workbench(duels(tmp_path, default, players), Settings())
    games = [load_game(str(tmp_path), Settings(variants=modes, players=number))
             for modes, number in played_as(bench, every=True)]

    assert sorted((each.players, each.settings.variants) for each in games) == [
        (number, ("duel",) if number == 2 else ()) for number in (2, 3, 4) if number != default]


@pytest.mark.parametrize("players", ["", ", players: 2"])
@pytest.mark.parametrize("default", [2, 3])
def test_claims_of_a_mode_that_a_number_of_players_forces_are_decided(
    default: int, players: str, tmp_path: Path
) -> None:
    """They are sought where the mode is played, and those of other numbers where it is not."""
    report = verify(duels(tmp_path, default, players), Settings(), only=(
        "false-claim", "ambiguity", "undefined-operation"))
    wrong = {one.clauses[0]: one.evidence for one in report.findings if one.cls == "false-claim"}
    forced = "" if default == 2 else "in the mode “for two”" if players else "with 2 players"
    (counts,) = (one for one in report.not_checked if one.what.startswith("open points, sentences"))

    assert {*wrong} == {"one", "two", "sum"}
    assert wrong["two"].mode == forced
    assert wrong["one"].mode == ("" if default == 3 else "with 4 players")
    assert wrong["sum"].details["players"] == [3, 4]
    assert not [one for one in report.not_checked if one.what.startswith("what is claimed")]
    others = [number for number in (2, 3, 4) if number != default]
    assert f"and with {others[0]} and {others[1]} where that shows nothing" in counts.why
    assert not [one for one in report.not_checked if "without the chosen" in one.what]
