"""Claims about numbers: each is held against all values there are, and none is lost."""

import json
import time
from collections.abc import Mapping
from itertools import product
from pathlib import Path

import pytest

from ruleproof.checker.findings.results import Report
from ruleproof.checker.verify import verify
from ruleproof.cli.app import run
from ruleproof.model.game.game import Settings
from ruleproof.model.stop import TIME_UP

CONDITIONS = ("x > y", "x + y == 3", "x > 5", "x != x", "x % 2 == 1 and y > 2", "")
TESTS = ("x >= y", "x == 9", "x * y <= 3", "x == y or x != y", "x + y != 6")
FERMAT = {"claim": "x*x*x + y*y*y != z*z*z",
          "given": {name: {"type": "int 1..1000"} for name in "xyz"}}


def checked(
    folder: Path, claims: Mapping[str, Mapping[str, object]], **settings: float | tuple[str, ...]
) -> Report:
    """Verify a game that claims something, and is over at once."""
    spec = {
        "game": "claims", "title": "Claims", "players": {"min": 2, "max": 4, "default": 2},
        "state": {"active": {"type": "player", "start": 1}}, "steps": {"game": {}},
        "families": {"coin": {}}, "zones": {"box": {"holds": "coin", "kind": "bag"}},
        "cards": {"coin": {f"c{n}": {"copies": n // 2} for n in range(6)}},
        "start": "game", "variants": {
            "long": {"title": "a long game"},
            "crowd": {"title": "for a crowd", "when": "player_count > 9"}},
        "clauses": [
            {"id": "over", "kind": "order", "says": "it is over", "on": "game", "do": "end_game()"},
            *({"id": name, "kind": "claim", "says": name, **fields}
              for name, fields in claims.items())]}
    (folder / "game.yaml").write_text(json.dumps(spec), "utf-8")
    return verify(str(folder), Settings(), **settings)  # type: ignore[arg-type]


def told(report: Report) -> dict[str, str]:
    """Say of each claim in which list it is."""
    return {
        **{f.clauses[0]: f.cls for f in report.everything},
        **{one.clause: f"holds by {one.method}" for one in report.holds if one.what == "claim"}}


@pytest.mark.parametrize("such_that", CONDITIONS)
def test_a_claim_is_what_all_values_make_it(tmp_path: Path, such_that: str) -> None:
    """It holds, or some values refute it, or none meet its condition and it says nothing."""
    given = {"x": {"type": "int 0..3"}, "y": {"type": "int 0..3"}}
    condition = {"such_that": such_that} if such_that else {}
    claims = {test: {"claim": test, "given": given, **condition} for test in TESTS}
    ids = {test: f"c{place}" for place, test in enumerate(TESTS)}
    found = told(checked(tmp_path, {ids[test]: fields for test, fields in claims.items()}))
    values = [{"x": x, "y": y} for x, y in product(range(4), repeat=2)
              if eval(such_that or "True", {}, {"x": x, "y": y})]  # noqa: S307
    for test in TESTS:
        true = all(eval(test, {}, each) for each in values)  # noqa: S307

        assert found[ids[test]] == ("dead-clause" if not values else "holds by proof" if true else
                                    "false-claim")


def test_the_most_of_no_values_is_a_claim_that_says_nothing(tmp_path: Path) -> None:
    """There is no greatest number among none, whatever it is said to be."""
    most = {"maximum": "x", "equals": 3, "given": {"x": {"type": "int 0..3"}}}

    assert told(checked(tmp_path, {"most": most, "none": {**most, "such_that": "x > 3"}})) == {
        "most": "holds by proof", "none": "dead-clause", "over": "inert-clause"}


def test_where_a_claim_says_nothing_it_is_not_said_to_hold(tmp_path: Path) -> None:
    """It holds for the numbers of players with which it says something."""
    claim = {"claim": "x > 1", "given": {"x": {"type": "int 0..3"}}, "such_that":
             "x >= player_count"}
    report = checked(tmp_path, {"some": claim})

    assert [one.scope for one in report.holds if one.clause == "some"] == [
        "printed, 2 and 3 players"]
    assert {one.what: one.why for one in report.not_checked if "some" in one.what} == {
        "the claim some with 4 players": "no values meet its condition `x >= player_count`"}


def test_a_claim_that_was_not_decided_is_told_in_its_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plain text, too, says of which statement of the book nothing was found out, and why."""
    checked(tmp_path, {"six": {"says": "six play", "claim": "player_count == 6", "players": [6]}})
    run(["verify", str(tmp_path), "--only", "false-claim", "-q", "--no-color"])
    lines = " ".join(capsys.readouterr().out.split())

    assert ("- whether this claim is true: six play; it is about a number of players that the game "
            "does not have") in lines


def test_what_a_rule_relies_on_leaves_a_gap_where_it_is_not_so(tmp_path: Path) -> None:
    """A clause that is no statement leaves open what holds then, with the numbers of players."""
    vote = {"claim": "2 * x != player_count", "given": {"x": {"type": "int 0..player_count"}},
            "kind": "order", "says": "the majority decides"}
    report = checked(tmp_path, {"vote": vote, "fine": {**vote, "claim": "x <= player_count"},
                                "often": {**vote, "claim": "x > 0"}})
    titles = {one.clauses: one.title for one in report.everything if one.cls == "gap"}

    assert titles[("vote",)] == ("The majority decides: what if that decides nothing, as can "
                                 "happen with 2 and 4 players?")
    assert titles[("often",)] == "The majority decides: what if that decides nothing?"
    assert {one.clauses: one.explanation for one in report.everything}["vote",] == (
        "So it is with 2 players: x: 1.")
    assert told(report)["fine"] == "holds by proof"


def test_every_claim_is_in_some_list(tmp_path: Path) -> None:
    """Also one of a mode that is not chosen, or cannot be, and one about too many players."""
    report = checked(tmp_path, {
        "six": {"claim": "player_count == 6", "players": [6]},
        "long": {"claim": "1 == 2", "only_in": ["long"]},
        "never": {"never": "active not in players", "only_in": ["long"]},
        "crowd": {"never": "active not in players", "only_in": ["crowd"]}})
    lines = {one.what: one.why for one in report.not_checked}

    assert "does not have" in lines["the claim six"]
    assert told(report)["long"] == "false-claim"
    assert told(report)["never"] == "holds by exhaustive"
    assert "mode" in lines["what is claimed of other modes: crowd"]


def test_a_hard_claim_ends_with_the_time(tmp_path: Path) -> None:
    """A claim that takes minutes is left where the time is up, and what is easy is answered."""
    begun = time.monotonic()
    report = checked(tmp_path, {"hard": FERMAT, "easy": {"claim": "1 < 2"}}, max_time=6)

    assert time.monotonic() - begun < 30
    assert told(report)["easy"] == "holds by proof"
    assert [one.why for one in report.not_checked if "hard" in one.what] == [TIME_UP]

MODES = """
game: modes
title: A game with two modes
players: {count: 2}
state: {n: {type: int 0..3}}
actions: {stop: {do: end_game()}}
constants: {cards: {value: 6, clause: all}}
variants:
  short: {title: Short, clause: all, constants: {cards: 4}}
  shorter: {title: Shorter, clause: all, needs: [short]}
clauses:
- {id: all, kind: define, says: there are cards}
- {id: half, kind: claim, says: half of them are two, only_in: [short], claim: cards // 2 == 2}
- {id: third, kind: claim, says: a third are two, only_in: [shorter], claim: cards // 3 == 2}
"""


def test_claims_of_modes_are_decided_in_their_modes(tmp_path: Path) -> None:
    """A claim of a mode that is not chosen is decided where it belongs, with what that needs."""
    (tmp_path / "game.yaml").write_text(MODES, "utf-8")
    report = verify(str(tmp_path), Settings())

    assert [(one.cls, one.clauses) for one in report.everything if one.cls == "false-claim"] == [
        ("false-claim", ("third",))]
    assert [(one.scope, one.mode) for one in report.holds if one.clause == "half"] == [
        ("printed, 2 players in the mode “Short”", " in the mode “Short”")]


@pytest.mark.parametrize(("assumed", "least", "cards", "true"), [
    ([], 3, 1, True), ([], 3, 2, True), (["copies"], 3, 1, True), (["copies"], 3, 2, True),
    (["weight"], 3, 1, False), (["weight"], 3, 2, False),
    (["weight"], 0, 1, False), (["weight"], 0, 2, True)])
def test_what_is_true_of_assumed_cards_alone_is_not_checked(
    assumed: list[str], least: int, cards: int, *, true: bool, tmp_path: Path
) -> None:
    """Who assumed the cards made it true, if it would not be so of others, or reads no others."""
    held = {"anvil": {"copies": 1, "weight": 3, "assumed": assumed},
            "barrel": {"copies": 1, "weight": 3}}
    spec = {
        "game": "loads", "title": "Loads", "players": {"count": 2},
        "families": {"load": {"attributes": {"weight": "int 0..9"}}},
        "cards": {"load": dict(list(held.items())[:cards])},
        "state": {"active": {"type": "player", "start": 1}}, "steps": {"game": {}},
        "start": "game", "clauses": [
            {"id": "over", "kind": "order", "says": "it is over", "on": "game", "do": "end_game()"},
            {"id": "heavy", "kind": "define", "says": "three is heavy", "define": "heavy",
             "params": {"c": "card load"}, "value": f"c.weight >= {least}"},
            {"id": "all", "kind": "claim", "says": "all are heavy",
             "claim": "all(heavy(c) for c in load)"}]}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("false-claim",))
    holds = [one.what for one in report.holds if one.clause == "all"]

    assert holds == ["claim"] * true
    assert any(one.what.endswith("claims are true: all") for one in report.not_checked) != true


@pytest.mark.parametrize(("players", "book", "asked"), [
    ({"min": 2, "max": 4}, True, True), ({"min": 2, "max": 4}, False, False),
    ({"min": 2, "max": 4, "clause": "over"}, True, False), ({"count": 2}, True, False)])
def test_a_number_of_players_that_no_sentence_gives_is_asked_for(
    players: dict[str, object], book: bool, asked: bool,  # noqa: FBT001
    tmp_path: Path,
) -> None:
    """Where the spec has a range, and no clause of the book for it."""
    spec: dict[str, object] = {
        "game": "crowd", "title": "Crowd", "players": players, "steps": {"game": {}},
        "start": "game", "clauses": [{"id": "over", "kind": "order", "says": "it is over",
                                      "on": "game", "do": "end_game()", "lines": [1, 1]}]}
    if book:
        spec["rulebook"] = {"file": "book.txt", "sha256": "0" * 64, "lines": 1}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("gap",))

    assert [one.title for one in report.findings] == (
        ["For how many players is the game?"] if asked else [])
    assert not asked or "2 to 4" in report.findings[0].explanation


@pytest.mark.parametrize(("claim", "said"), [
    ("2 + 3 == 6", True), ("6 == 2 + 3", True), ("2 + 3 > 6", False), ("player_count == 7", False),
    ("sum(n for n in range(4)) - 1 == 6", True), ("1 + 1 == 2 and 2 + 3 == 6 and 1 == 3", True),
    ("sum(c.copies for c in coin) - 1 == 6", True), ("coin.c1 == coin.c2", False)])
def test_an_untrue_number_is_told_with_the_true_one(
    claim: str, said: bool, tmp_path: Path  # noqa: FBT001
) -> None:
    """Of an equation that fails the report says what it comes to; of other claims it does not."""
    report = checked(tmp_path, {"c": {"claim": claim}})
    (finding,) = (each for each in report.findings if each.clauses == ("c",))

    assert ("It comes to 5, and not to 6." in finding.explanation) == said


PARTS = """
game: parts
title: Parts of a claim
players: {count: 2}
families: {f: {attributes: {hot: bool, dry: bool}}}
cards: {f: {a: {copies: 2, hot: false, dry: false}, b: {copies: 1, hot: true, dry: false}}}
zones:
  box: {holds: f, kind: bag, starts: all, seen_by: all}
  hand: {holds: f, kind: bag, per: player, seen_by: all}
  shelf: {holds: f, kind: bag, seen_by: all}
state: {active: {type: player, start: 1}, n: {type: int 0..3}}
steps: {game: {}}
start: game
clauses:
- {id: deal, kind: setup, on: game, says: a card each and it is over,
   do: "for p in clockwise(active):\\n  move(f.a, box, hand[p])\\nx = roll(2)\\nn = x\\nend_game()"}
- {id: said, kind: claim, says: it never is so, never: "CLAIM"}
"""


@pytest.mark.parametrize(("claim", "asked"), [
    ("any(any(c.hot for c in hand[p]) for p in players)", True),
    ("any(any(c.dry for c in hand[p]) for p in players)", False),  # there is no such card
    ("any(c.hot for c in shelf)", False),  # nothing ever lies there
    ("n == 1 and size(hand[active]) == 0", True),
    ("n == 3 and size(hand[active]) == 1", False),
    ("any(size(hand[p]) == 2 for p in players if n == 1)", True),
    ("any(size(hand[p]) == 2 for p in players if n == 3)", False),
    ("n == 3 or (n == 3 and size(shelf) == 1)", False),
])
def test_a_claim_that_nothing_could_refute_is_not_said_to_hold(
    tmp_path: Path, claim: str, *, asked: bool
) -> None:
    """What comes before the last part of it must be so somewhere, and the last of some card."""
    (tmp_path / "game.yaml").write_text(PARTS.replace("CLAIM", claim), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("false-claim",))

    assert not report.findings
    assert bool([one for one in report.holds if one.clause == "said"]) == asked
    assert asked == all("could refute" not in one.why for one in report.not_checked)


ENDED = """
game: ended
title: Who has won
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..3}}
steps: {game: {}}
start: game
clauses:
- {id: on, kind: order, on: game, says: chance twice and it is over, do: "TWICE\\nEND"}
- {id: none, kind: define, says: nobody has won, define: nobody, value: size(winners) == 0}
- {id: said, kind: claim, says: it is so, FORM: "CLAIM"}
"""


@pytest.mark.parametrize(("form", "claim", "end", "told"), [
    ("never", "size(winners) == 0", "win(active)", "holds"),
    ("never", "size(winners) == 0", "end_game()", "refuted"),
    ("never", "nobody", "win(active)", "holds"),
    ("reachable", "size(winners) == 0", "win(active)", "refuted"),
    ("reachable", "size(winners) == 0", "end_game()", "holds"),
    ("never", "n == 0 and active in winners", "win(active)", "not checked"),
    ("never", "size(winners) == 0", "while True:\\n  z = roll(1, 2)\\n  n = z", "not checked"),
])
def test_who_has_won_is_said_of_games_that_are_over(
    tmp_path: Path, form: str, claim: str, end: str, told: str
) -> None:
    """That nobody has won yet makes no claim about the winners true or untrue."""
    (tmp_path / "game.yaml").write_text(
        ENDED.replace("TWICE", "x = roll(1, 2)\\nn = x\\ny = roll(1, 2)\\nn = y")
        .replace("END", end).replace("FORM", form).replace("CLAIM", claim), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("false-claim",))

    assert told == ("refuted" if report.findings else "holds" if any(
        one.clause == "said" for one in report.holds) else "not checked")


def test_a_claim_that_fails_has_an_instance_in_words(tmp_path: Path) -> None:
    """Its numbers under their titles, players by name; nobody has to read the encoding for it."""
    (tmp_path / "game.yaml").write_text("""
game: dealt
title: Dealt
players: {count: 2, called: Duke}
titles: {g: cards dealt, lucky: who wins}
steps: {game: {}}
start: game
clauses:
- {id: over, kind: order, says: it is over, on: game, do: end_game()}
- id: most
  kind: claim
  says: whoever was dealt four is not alone
  given: {g: {type: int 0..4, per: player}, lucky: {type: player}}
  such_that: g[lucky] == 4
  claim: all(g[p] == 4 for p in players)
""", "utf-8")
    (found,) = verify(str(tmp_path), Settings(), only=("false-claim",)).findings

    assert found.explanation == (
        "For instance it fails with 2 players: cards dealt: 0 (Duke 1), 4 (Duke 2); "
        "who wins: Duke 2.")


def test_values_of_a_claim_are_told_by_name(tmp_path: Path) -> None:
    """The instance in which a claim fails names seats as they are called, and truths as written."""
    report = checked(tmp_path, {"c": {
        "claim": "n == 1 or starter != lucky", "such_that": "sure",
        "given": {"n": {"type": "int 0..1"}, "starter": {"type": "player"},
                  "lucky": {"type": "player"}, "sure": {"type": "bool"}}}})
    why = str(report.everything[0].evidence.details["why"])

    assert "starter = player 1, lucky = player 1" in why
    assert "sure = True" in why


BOUND = """
game: bound
title: A mode for two
players: {min: 2, max: 4, default: 3}
constants: {goal: 2}
variants:
  duel: {title: for two, binding: true, when: player_count == 2, constants: {goal: 4}}
steps: {game: {}}
start: game
clauses:
- {id: over, kind: order, says: it is over, on: game, do: end_game()}
- {id: c, kind: claim, says: the goal, claim: CLAIM}
"""


@pytest.mark.parametrize(("claim", "wrong", "scope"), [
    ("goal <= 2", [2], ""),
    ("goal == 4, players: [2]", [], "printed, 2 players"),
    ("goal == 2, players: [2]", [2], ""),
    ("goal == 4", [3, 4], ""),
    ("goal == 2, only_in: [duel]", [2], ""),
    ("goal == 4, only_in: [duel]", [], "printed, 2 players in the mode “for two”"),
    ("goal == 2, not_in: [duel]", [], "printed, 3 and 4 players"),
    ("goal * 2 == goal + 2 or player_count == 2", [], "printed, 2 to 4 players"),
    ("(goal == 4) == variant(duel)", [], "printed, 2 to 4 players"),
])
def test_a_claim_is_of_the_mode_that_binds_a_game(
    claim: str, wrong: list[int], scope: str, tmp_path: Path
) -> None:
    """With so many players as a mode binds, a claim reads what the mode says, chosen or not."""
    test, comma, more = claim.partition(", ")
    (tmp_path / "game.yaml").write_text(BOUND.replace("CLAIM", f'"{test}"{comma}{more}'), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("false-claim",))

    assert [each.evidence.details["players"] for each in report.everything] == [wrong] * bool(wrong)
    assert [one.scope for one in report.holds if one.what == "claim"] == [scope] * bool(scope)
    assert not [one for one in report.not_checked if "c" in one.what.split()]
