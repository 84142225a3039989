"""What is chosen, or comes by chance, out of sight is of no use to who decides later."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from ruleproof.checker.findings.results import Report

LAYS = "for p in players:\n  x = choose(range(1, 3), by=p)\n  penny[p] = x"
FLIPS = "x = roll(2)\ncoin = x"
LAYS_ONE = "x = choose(range(1, 3), by=first)\ncoin = x"
BETS = "x = choose(range(1, 3), by=second)\nbet = x"
DEALS = "draw(1, deck, hand[first])"
PENNIES, COIN = "penny[first] == penny[second]", "coin == bet"
CARD = "any(c.worth == bet for c in hand[first])"
SHOWS = "\nheap = x"
COUNTS = "\nif tally < 2:\n  tally += 1"
OF_TWO = {
    # bodies in no stated order, when the first player wins, who sees a penny, a coin, a hand
    "a loop that nobody sees": ([LAYS], PENNIES, {"penny": "none"}, "not checked"),
    "a loop that is told beside": (
        [f"{LAYS}\n  if p == first:\n    heap = x\n  else:\n    bet = x"],
        PENNIES, {"penny": "owner"}, "found"),
    "a coin that nobody sees": ([FLIPS, BETS], COIN, {"coin": "none"}, "not checked"),
    "a coin that all see": ([FLIPS, BETS], COIN, {}, "found"),
    "a coin that is told": ([FLIPS + SHOWS, BETS], COIN, {"coin": "none"}, "found"),
    "a coin of another roll": (
        [f"{FLIPS}\ny = roll(2)\nheap = y", BETS], COIN, {"coin": "none"}, "not checked"),
    "a coin that nobody sees, and a number that both write": (
        [FLIPS + COUNTS, BETS.replace("x", "y") + COUNTS], COIN, {"coin": "none"}, "not checked"),
    "a coin that is told, and a number that both write": (
        [FLIPS + SHOWS + COUNTS, BETS.replace("x", "y") + COUNTS], COIN, {"coin": "none"}, "found"),
    "a coin that one lays": ([LAYS_ONE, BETS], COIN, {"coin": "none"}, "not checked"),
    "a coin that one lays openly beside a secret": (
        [LAYS_ONE, BETS], COIN, {"penny": "owner"}, "found"),
    "a card that another one sees": ([DEALS, BETS], CARD, {"hand": "owner"}, "not checked"),
    "a card that all see": ([DEALS, BETS], CARD, {"hand": "all"}, "found"),
    "a card that one bets on himself": (
        [DEALS, BETS.replace("second", "first")], CARD, {"hand": "owner"}, "found"),
    "two rules": (["rule", LAYS_ONE, BETS], COIN, {"coin": "none"}, "not checked"),
}


def verified(
    folder: Path, clauses: list[dict[str, object]], test: str, seen: dict[str, str],
    **more: object,
) -> Report:
    """Verify a game in which something is done on `round`, and then the first player may win."""
    (folder / "game.yaml").write_text(json.dumps({
        "game": "sealed", "title": "Sealed", "players": {"count": 2},
        "families": {"f": {"attributes": {"worth": "int 1..2"}}},
        "cards": {"f": {"one": {"copies": 1, "worth": 1}, "two": {"copies": 1, "worth": 2}}},
        "zones": {"deck": {"holds": "f", "kind": "deck", "starts": "all", "seen_by": "none"},
                  "hand": {"holds": "f", "kind": "bag", "per": "player",
                           "seen_by": seen.get("hand", "all")}},
        "state": {"first": {"type": "player", "start": 1}, "second": {"type": "player", "start": 2},
                  "bet": {"type": "int 0..2"}, "heap": {"type": "int 0..2"},
                  "tally": {"type": "int 0..2"},
                  "coin": {"type": "int 0..2", "seen_by": seen.get("coin", "all")},
                  "go": {"type": "bool"},
                  "penny": {"type": "int 0..2", "per": "player",
                            "seen_by": seen.get("penny", "all")}},
        "steps": {"game": {}, "round": {}, "end": {}}, "start": "game", "clauses": [
            *clauses, {"id": "win", "kind": "outcome", "says": "who wins", "on": "end",
                       "do": f"if {test}:\n  win(first)\nelse:\n  win(second)"}], **more}), "utf-8")
    return verify(str(folder), Settings(), only=("order-dependence", "ambiguity"))


def begins(do: str) -> dict[str, object]:
    """Return the clause with which the game begins."""
    return {"id": "game", "kind": "order", "says": "one round", "on": "game", "do": do}


def verdict(report: Report, point: str) -> str:
    """Say in a few words what a report says of an order."""
    if any(each.open_point == point and each.level == 1 for each in report.everything):
        return "found"
    if any(each.what.partition(" = ")[0] == point and "lies closed to him" in each.why
           for each in report.not_checked):
        return "not checked"
    return "else"


@pytest.mark.parametrize("name", OF_TWO)
def test_an_order_is_found_only_where_who_decides_later_sees_what_counts(
    name: str, tmp_path: Path
) -> None:
    """What he sees, or is told by what he sees, decides who wins; what lies closed is left open."""
    bodies, test, seen, expected = OF_TWO[name]
    rules = bodies[0] == "rule"
    at: dict[str, object] = {"whenever": "go", "timing": "at once", "fires": "once per change",
                             "stated": {"who-chooses": "something"}} if rules else {"on": "round"}
    bodies = bodies[rules:]
    clauses = [{"id": f"c{number}", "kind": "effect", "says": "something is done", "do": body, **at}
               for number, body in enumerate(bodies)]
    report = verified(tmp_path, [begins(f"{'go = True' if rules else 'round()'}\nend()"), *clauses],
                      test, seen)

    assert verdict(report, "order/" + "/".join(f"c{n}" for n in range(len(bodies)))) == expected


@pytest.mark.parametrize(("roll", "part"), [("", False), ("heap = y", True), ("coin = y", False)])
def test_a_roll_that_all_see_amid_sealed_choices_is_told_apart(
    roll: str, tmp_path: Path, *, part: bool
) -> None:
    """Who bets after it sees the roll, and not the coin; that all lies closed is not said then."""
    lays = f"{LAYS_ONE.replace('coin', 'penny[first]')}\ny = roll(2)\n{roll or 'pass'}"
    clauses = [begins("round()\nend()")]
    clauses += [{"id": f"c{number}", "kind": "effect", "says": "something is done", "do": body,
                 "on": "round"} for number, body in enumerate((lays, BETS))]
    report = verified(tmp_path, clauses, "penny[first] == bet", {"coin": "none", "penny": "owner"})
    (why,) = (each.why for each in report.not_checked if each.what == "order/c0/c1")

    assert verdict(report, "order/c0/c1") == "not checked"
    assert ("sees some" in why) == part


@pytest.mark.parametrize(("seen", "do", "expected"), [
    ("owner", "penny[actor] = x", "not checked"), ("none", "penny[actor] = x", "not checked"),
    ("all", "penny[actor] = x", "found"),
    ("owner", "penny[actor] = x\nif actor == first:\n  heap = x\nelse:\n  bet = x", "found")])
def test_a_window_of_sealed_choices_is_no_finding(
    seen: str, do: str, expected: str, tmp_path: Path
) -> None:
    """Each of two picks a number, in no stated order: only if it is seen it helps to be second."""
    report = verified(
        tmp_path, [begins("picking()\nend()"),
                   {"id": "pick", "kind": "permit", "says": "each picks a number", "on": "picking",
                    "option": "pick", "with": {"x": "range(1, 3)"}, "do": do}],
        PENNIES, {"penny": seen},
        windows={"picking": {"who": "players", "each": "once", "forced": True}})

    assert verdict(report, "order/picking") == expected


@pytest.mark.parametrize(("seen", "expected"), [("owner", "not checked"), ("all", "found")])
def test_an_answer_that_asks_for_sealed_choices_in_another_order_is_no_finding(
    seen: str, expected: str, tmp_path: Path
) -> None:
    """Who names second knows what was named only if it is seen."""
    asks = [f"x = choose(range(1, 3), by={who})\npenny[{who}] = x\n" for who in ("first", "second")]
    report = verified(
        tmp_path, [begins(f"{''.join(asks)}end()")], PENNIES, {"penny": seen},
        open_points=[{"id": "how", "clauses": ["game"], "asks": "who is first", "readings": [
            {"id": "as-is", "title": "the first", "changes": {}},
            {"id": "next", "title": "the other", "changes": {
                "game": {"do": f"{''.join(reversed(asks))}end()"}}}]}])

    assert verdict(report, "how") == expected
