"""Worked examples: those that follow the rules pass, and the others say what is in their way."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ruleproof.checker.audit.audit import Audit
from ruleproof.checker.audit.listener import Listener
from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.examples import completions
from ruleproof.checker.examples.examples import run
from ruleproof.checker.examples.refuted import refuting
from ruleproof.checker.findings.results import Finding
from ruleproof.checker.judge import decide
from ruleproof.checker.points.points import points_of
from ruleproof.checker.points.readings import compare_readings
from ruleproof.checker.positions.replays import check_position
from ruleproof.model.game.game import Settings
from ruleproof.model.plays.documents import settings_json
from ruleproof.tests.support.places import TESTS

SPEC = (TESTS / "specs" / "fair.yaml").read_text("utf-8")

MARKET = {"active": "player 2", "hand": {"Player 2": {"PLUM jam": 1, "top_hat": 1}}}


def audited(tmp_path: Path, example: dict[str, Any], *, more: str = "",
            points: Sequence[dict[str, Any]] = ()) -> Audit:
    """Begin to check the fair with one example, and with clauses and open points of its own."""
    last = {"id": "f.example", "lines": [7, 7], "kind": "example", "says": "so", "example": example}
    (tmp_path / "game.yaml").write_text(
        f"{SPEC}{more}- {json.dumps(last)}\nopen_points: {json.dumps(points)}\n", "utf-8")
    bench = Workbench(str(tmp_path), Settings())
    return Audit(bench, bench.instance("printed"), [], 1, 0, Listener(), lambda _: True)


def told(tmp_path: Path, example: dict[str, Any], *, more: str = "") -> Audit:
    """Check the fair with one example."""
    audit = audited(tmp_path, example, more=more)
    run(audit)
    return audit


def replayed(audit: Audit, finding: Finding) -> tuple[str, ...]:
    """Replay the position of a finding, as `replay` completes it; give what is wrong."""
    compiled = audit.printed.compiled
    return check_position({
        "format": "ruleproof/position-1", "game": compiled.game.id,
        "spec_sha256": compiled.game.spec_sha256, "settings": settings_json(compiled),
        **finding.evidence.position}, lambda _: compiled)


def test_an_example_that_follows_the_rules_holds(tmp_path: Path) -> None:
    """Names are taken as people write them, and what decides nothing happens by itself."""
    audit = told(tmp_path, {
        "at": "market", "state": MARKET,
        "moves": [{"Offer": {"card": "plum jam"}}, {"sell": "Plum Jam"}, "pass",
                  {"next": "player 1"}, {"praise": {"whom": "Player 2"}}, "say nothing"],
        "expect": "coins[next_player(active)] == 3 and count(sold, ware.plum_jam) == 1",
    })

    assert not decide.findings(audit)
    assert not audit.not_checked
    assert [(h.clause, h.what, h.scope) for h in audit.holds] == [
        ("f.example", "example", "printed")]


@pytest.mark.parametrize("seat", ["Player 2", "player_2", 2])
def test_a_player_may_be_told_by_number(seat: object, tmp_path: Path) -> None:
    """A seat is its number from 1 on, as where a variable starts, or the name of its player."""
    audit = told(tmp_path, {"at": "market", "state": {**MARKET, "active": seat}, "moves": [],
                            "expect": "size(hand[active]) == 2"})

    assert [h.clause for h in audit.holds] == ["f.example"]


@pytest.mark.parametrize(("expect", "wrong"), [
    ("active == Player 2", ""),
    ("size(hand[player 2]) == 2 and active != Player 1 and size(hand[PLAYER 1]) == 0", ""),
    ("active == Player 1",
     "in the end it is not so that `active == Player 1` (`active` is player 2)"),
])
def test_what_is_expected_may_name_players(expect: str, wrong: str, tmp_path: Path) -> None:
    """A player is named as in the `state`; where it is not so, the name is told as it is."""
    audit = told(tmp_path, {"at": "market", "state": MARKET, "moves": [], "expect": expect})
    said = [f.evidence.details["wrong"] for f in decide.findings(audit)]

    assert [h.clause for h in audit.holds] == [] if wrong else ["f.example"]
    assert said == ([wrong] if wrong else [])


def test_only_a_game_with_so_many_players_has_the_last_one(tmp_path: Path) -> None:
    """What is expected is read in the game that the example is about."""
    last = {"at": "market", "players": 3, "state": MARKET, "moves": [],
            "expect": "active != Player 3"}
    audit = told(tmp_path, last)

    assert [h.clause for h in audit.holds] == ["f.example"]


def test_what_an_example_does_not_place_lies_in_the_deck(tmp_path: Path) -> None:
    """A zone with `starts: all` holds the copies that lie nowhere else."""
    audit = told(tmp_path, {
        "at": "market", "state": MARKET, "moves": [],
        "expect": "count(store, ware.plum_jam) == 1 and size(hand[active]) == 2"})

    assert [h.clause for h in audit.holds] == ["f.example"]


def test_a_forbidden_move_names_the_clause_that_forbids_it(tmp_path: Path) -> None:
    """The second ware finds the stall full."""
    audit = told(tmp_path, {"at": "market", "state": MARKET, "moves": [
        {"offer": {"card": "plum_jam"}}, {"offer": {"card": "top_hat"}}]})

    (finding,) = decide.findings(audit)
    assert (finding.cls, finding.clauses) == ("example-contradicts-rule", ("f.example", "f.full"))
    assert finding.explanation == (
        "By the rules its move 2 cannot be made: player 2 offers Top Hat.")
    assert finding.evidence.position["node"].startswith("market")
    assert finding.evidence.details["moves"] == ["player 2 offers Plum Jam"]
    assert not audit.holds
    assert replayed(audit, finding) == ()


def test_a_move_that_nothing_permits_names_what_is_permitted(tmp_path: Path) -> None:
    """No option of the market is praise."""
    audit = told(tmp_path, {"at": "market", "state": MARKET, "moves": [{"praise": "player 1"}]})

    (finding,) = decide.findings(audit)
    assert finding.clauses == ("f.example", "f.offer", "f.sell", "f.gamble", "f.send")
    assert "nothing permits that" in finding.evidence.details["wrong"]


def test_a_value_that_cannot_be_chosen_names_the_option(tmp_path: Path) -> None:
    """What is not in the hand cannot be offered."""
    audit = told(tmp_path, {"at": "market", "state": {"active": "player 1"},
                            "moves": [{"offer": "top hat"}]})

    (finding,) = decide.findings(audit)
    assert finding.clauses == ("f.example", "f.offer")
    assert replayed(audit, finding) == ()


def test_an_expectation_that_fails_shows_the_values(tmp_path: Path) -> None:
    """Only the part that is wrong is shown, with what it compares."""
    audit = told(tmp_path, {
        "at": "market", "state": MARKET, "moves": [{"offer": "top hat"}, {"sell": "top hat"}],
        "expect": "size(sold) == 1 and coins[active] == 3"})

    (finding,) = decide.findings(audit)
    assert finding.cls == "example-contradicts-rule"
    assert "(`coins[active]` is 2)" in finding.evidence.details["wrong"]
    assert "sold" not in finding.evidence.details["wrong"]


@pytest.mark.parametrize(("moves", "coins"), [
    (["gamble", {"chance": 4}], 4), (["gamble", {"n": 6}], 6)])
def test_chance_does_what_the_example_tells(tmp_path: Path, moves: list[Any], coins: int) -> None:
    """What chance does is one of the moves, by its name or as `chance`."""
    audit = told(tmp_path, {"at": "market", "state": MARKET, "moves": moves,
                            "expect": f"coins[active] == {coins}"})

    assert [h.clause for h in audit.holds] == ["f.example"]


@pytest.mark.parametrize(("moves", "when"), [
    (["gamble", "pass"], "before its move 2"),
    (["gamble"], "after its last move")])
def test_chance_that_an_example_does_not_tell_leaves_it_unchecked(
    tmp_path: Path, moves: list[Any], when: str
) -> None:
    """Nothing follows from an example that leaves out what the dice showed, wherever they fall."""
    audit = told(tmp_path, {"at": "market", "state": MARKET, "moves": moves,
                            "expect": "coins[active] == 4"})

    assert not decide.findings(audit)
    assert [n.why for n in audit.not_checked] == [f"it does not say what chance does {when}"]


def test_what_is_so_before_chance_needs_no_telling(tmp_path: Path) -> None:
    """What an example expects may be so before the dice fall; then it holds."""
    audit = told(tmp_path, {"at": "market", "state": MARKET, "moves": ["gamble"],
                            "expect": "size(hand[active]) == 2"})

    assert [h.clause for h in audit.holds] == ["f.example"]


@pytest.mark.parametrize("move", [
    {"offer": {"card": "plumjam"}}, {"praise": "player 4"}, {"ofer": "top hat"}, "gambol",
    {"send": {"strenght": 3}}])
def test_an_example_that_names_what_the_game_has_not_accuses_no_rule(
    tmp_path: Path, move: object
) -> None:
    """A slip of the pen is no contradiction of the book: nothing is checked."""
    audit = told(tmp_path, {"at": "market", "state": MARKET, "moves": ["gamble", move]})

    assert not decide.findings(audit)
    assert [n.what for n in audit.not_checked] == ["the example f.example"]


def test_records_are_found_by_their_fields(tmp_path: Path) -> None:
    """Of two helpers the one that is told is sent; a tired one cannot be."""
    helpers = [{"strength": 2, "tired": True}, {"strength": 5, "tired": False}]
    state = {"helper": {"player 2": helpers}}
    audit = told(tmp_path, {"at": "market", "state": {**MARKET, **state},
                            "moves": [{"send": {"one": {"strength": 5}}}],
                            "expect": "coins[active] == 5"})
    assert [h.clause for h in audit.holds] == ["f.example"]

    audit = told(tmp_path, {"at": "market", "state": {**MARKET, **state},
                            "moves": [{"send": {"strength": 2}}]})
    assert [f.clauses for f in decide.findings(audit)] == [("f.example", "f.send")]


def test_a_mode_of_the_example_is_played(tmp_path: Path) -> None:
    """`variants` and `players` are those of the example, whatever is verified."""
    example = {"at": "day", "players": 3, "variants": ["rich"], "state": {"active": "player 3"},
               "moves": [{"choose": "none"}], "expect": "coins[active] == 0 and player_count == 3"}
    audit = told(tmp_path, {**example, "moves": ["go home"]})
    assert [f.evidence.details["moves"][-1] for f in decide.findings(audit)] == []
    assert [h.clause for h in audit.holds] == ["f.example"]


def test_the_parameters_of_a_step_can_be_given(tmp_path: Path) -> None:
    """Where they are not given, they are those of the shortest way to the step."""
    for state, seat in (({"who": "player 1"}, "active"), ({}, "next_player(active)")):
        audit = told(tmp_path, {
            "at": "day", "state": {"active": "player 2", **state},
            "moves": ["go home", {"next": "player 1"}, "say nothing", "say nothing"],
            "expect": f"coins[{seat}] == 1"})
        assert [h.clause for h in audit.holds] == ["f.example"], audit


def test_more_cards_than_there_are_is_a_contradiction_of_the_list(tmp_path: Path) -> None:
    """A scene that the components do not allow is not silently repaired."""
    audit = told(tmp_path, {"at": "market", "state": {"hand": {"player 1": {"top hat": 3}}},
                            "moves": []})

    text = [*(f.evidence.details["wrong"] for f in decide.findings(audit)),
            *(n.why for n in audit.not_checked)]
    assert ["3 × Top Hat" in t for t in text] == [True]
    assert not audit.holds


@pytest.mark.parametrize(("change", "why"), [
    ({"state": {"purse": 1}}, "no `purse`"),
    ({"state": {"active": "player 7"}}, "cannot be `player 7`"),
    ({"state": {"coins": 3}}, "needs one value for each"),
    ({"at": "day: dawn"}, "nothing of the game happens at"),
    ({"moves": [{"offer": 1, "sell": 2}]}, "one name"),
])
def test_an_example_that_says_nothing_is_not_checked(
    tmp_path: Path, change: dict[str, Any], why: str
) -> None:
    """A mistake in the data is no defect of the book."""
    audit = told(tmp_path, {"at": "market", "state": MARKET, "moves": [], **change})

    assert not decide.findings(audit)
    assert [why in n.why for n in audit.not_checked] == [True], audit.not_checked


LESS = {"id": "fewer", "clauses": ["f.offer"], "asks": "how many wares may be offered",
        "readings": [{"id": "any", "title": "as many as there is room for", "changes": {}},
                     {"id": "none", "title": "none", "changes": {"f.offer": {"when": "False"}}},
                     {"id": "jam", "title": "jam", "changes": {
                         "f.offer": {"when": "card == ware.plum_jam"}}}]}


@pytest.mark.parametrize(("moves", "struck"), [
    ([{"offer": {"card": "plum_jam"}}], {"none"}),
    ([{"offer": {"card": "top_hat"}}], {"none", "jam"}),
    ([], set()),
    ([{"offer": {"card": "dragon"}}], set()),
])
def test_a_reading_under_which_an_example_fails_is_no_answer(
    moves: list[Any], struck: set[str], tmp_path: Path
) -> None:
    """It is told as ruled out by the example; one that fails in any case rules nothing out."""
    example = {"at": "market", "state": MARKET, "moves": moves}
    audit = audited(tmp_path, example, points=[LESS])
    point = next(each for each in points_of(audit.printed.compiled) if each.id == "fewer")
    compare_readings(audit, point)
    answers = {each.id for one in audit.observed for each in one.readings}
    titles = {"none": "none", "jam": "jam"}

    assert answers == ({"any", "none", "jam"} - struck if len(struck) < 2 else set())
    assert {name for name in titles for each in audit.holds
            if each.clause == "f.example" and f"the answer “{titles[name]}”" in each.what} == struck


LATER = {"id": "later", "clauses": ["f.haggle"], "asks": "what comes after the market",
         "readings": [
             {"id": "haggling", "title": "all haggle", "changes": {}},
             {"id": "nothing", "title": "nothing", "changes": {}, "drop": ["f.haggle"]},
             {"id": "market", "title": "another market", "changes": {}, "add": [
                 {"id": "f.again", "kind": "effect", "says": "there is another market", "on": "day",
                  "after": ["f.market"], "before": ["f.haggle"], "do": "market()"}]}]}


@pytest.mark.parametrize(("moves", "reading", "struck"), [
    (["pass", "say nothing", "say nothing"], "nothing", False),
    (["pass", {"praise": {"whom": "Player 1"}}], "market", False),
    (["pass", {"praise": {"whom": "Player 1"}}], "nothing", True),
])
def test_who_passes_when_rules_no_answer_out(
    moves: list[Any], reading: str, struck: bool, tmp_path: Path  # noqa: FBT001
) -> None:
    """Where an answer asks somebody less often, or once more, passes are not against it."""
    example = {"at": "market", "state": MARKET, "moves": moves}
    audit = audited(tmp_path, example, points=[LATER])

    assert (refuting(audit, "later", reading) is not None) == struck


ANSWERED = {"id": "answered", "clauses": ["f.offer", "f.haggle", "f.sell"], "asks": "what is open",
            "readings": [
                {"id": "as-it-is", "title": "as it is", "changes": {}},
                {"id": "haggle-first", "title": "all haggle before the market", "changes": {
                    "f.haggle": {"after": None, "before": ["f.market"]},
                    "f.tip": {"after": ["f.market"]}}},
                {"id": "which-coin", "title": "the seller says how many coins he gets", "changes": {
                    "f.sell": {"do": "n = choose(range(0, 3), by=actor)\n"
                               "move(card, stall[actor], sold)\ncoins[actor] += n"}}},
                {"id": "unpaid", "title": "nothing is paid", "changes": {
                    "f.sell": {"do": "move(card, stall[actor], sold)"}}},
                {"id": "no-praise", "title": "all are asleep", "changes": {
                    "f.praise": {"when": "False"}}}]}


@pytest.mark.parametrize(("reading", "struck"), [
    ("haggle-first", False), ("which-coin", False), ("unpaid", True), ("no-praise", True)])
def test_an_example_refutes_only_by_what_it_states(
    reading: str, struck: bool, tmp_path: Path  # noqa: FBT001
) -> None:
    """An answer stands if the stated moves, in some order and with some answers, lead there."""
    example = {"at": "day", "state": MARKET, "expect": "coins[next_player(active)] == 3", "moves": [
        {"offer": "plum jam"}, {"sell": "plum jam"}, "pass", {"next": "player 1"},
        {"praise": "player 2"}, "say nothing"]}
    audit = audited(tmp_path, example, points=[ANSWERED])

    assert (refuting(audit, "answered", reading) is not None) == struck
    assert not audit.not_checked


def test_an_answer_to_what_nobody_asks_is_not_missed(tmp_path: Path) -> None:
    """Where a reading asks a question less, an example that answers it is not against that."""
    asked = {"id": "f.asked", "kind": "permit", "says": "asked", "on": "market", "option": "barter",
             "with": {"card": "c for c in hand[actor]"}, "do": (
                 "n = choose(range(0, 3), by=actor)\nmove(card, hand[actor], sold)\n"
                 "coins[actor] += n")}
    point = {"id": "asked", "clauses": ["f.asked"], "asks": "how much", "readings": [
        {"id": "any", "title": "any", "changes": {}},
        {"id": "one", "title": "one", "changes": {"f.asked": {
            "do": "move(card, hand[actor], sold)\ncoins[actor] += 1"}}},
        {"id": "two", "title": "two", "changes": {"f.asked": {
            "do": "move(card, hand[actor], sold)\ncoins[actor] += 2"}}}]}
    example = {"at": "market", "state": MARKET, "expect": "coins[active] == 1",
               "moves": [{"barter": "plum jam"}, {"choose": 1}]}
    audit = audited(tmp_path, example, points=[point], more=f"- {json.dumps(asked)}\n")

    assert refuting(audit, "asked", "one") is None
    assert refuting(audit, "asked", "two") is not None


def test_an_example_that_can_go_on_in_too_many_ways_is_not_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is beyond the bound rules nothing out, and that is said."""
    monkeypatch.setattr(completions, "MOST_SITUATIONS", 3)
    example = {"at": "market", "state": MARKET, "expect": "coins[active] == 1",
               "moves": [{"offer": "plum jam"}, {"sell": "plum jam"}]}
    audit = audited(tmp_path, example, points=[ANSWERED])

    assert refuting(audit, "answered", "unpaid") is None
    assert ["answered = unpaid" in each.what for each in audit.not_checked] == [True]


HIRED = """
- id: f.hire
  kind: permit
  says: one hires a helper, and may take further ones along; all are paid together
  on: market
  option: hire
  with: {first: "h for h in helper[actor] if not h.tired"}
  do: |
    first.tired = True
    many = 1
    also = choose((h for h in helper[actor] if not h.tired), by=actor, optional=True)
    if also != none:
      also.tired = True
      many += 1
    luck = random(hand[actor])
    coins[actor] += many * luck.price
"""


@pytest.mark.parametrize(("at", "helpers", "paid"), [("market", 1, 1), ("market", 2, 0),
                                                     ("day", 1, 1)])
def test_what_can_only_be_declined_within_an_option_is_no_rest(
    tmp_path: Path, at: str, helpers: int, paid: int
) -> None:
    """What an option asks without a choice, and chance with one outcome, come before the end."""
    state = {"active": "player 2", "hand": {"Player 2": ["plum jam"]},
             "helper": {"player 2": [{"strength": 1}] * helpers}}
    example = {"at": at, "state": state, "moves": [{"hire": {"first": 1}}],
               "expect": f"coins[active] == {paid}"}
    audit = told(tmp_path, example, more=HIRED[1:])

    assert [h.clause for h in audit.holds] == ["f.example"], audit.not_checked
