"""A scope is left out of a comparison only where what changes cannot have acted in it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ruleproof.checker.audit.scoped import Scoped
from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.clauses.exercise import may_differ
from ruleproof.checker.verify import explore_scope, verify
from ruleproof.model.game.game import Body, Clause, Settings
from ruleproof.model.game.parser import parse_body
from ruleproof.model.game.probes import MARK, noted
from ruleproof.model.game.unparse import unparse_body
from ruleproof.model.source.errors import Place, Reporter
from ruleproof.tests.games.test_laws import SPECS


@pytest.fixture(scope="module")
def scope() -> Scoped:
    """Explore the fair stall."""
    bench = Workbench(str(SPECS / "stall"), Settings())
    return explore_scope(bench, "printed", 20_000, None, lambda _: None)


@pytest.mark.parametrize(("reading", "differs"), [
    ({}, False),
    ({"id": "same", "title": "the same", "changes": {}}, False),
    ({"windows": {"stall": {"order": "clockwise"}}}, True),
    ({"changes": {"window:stall": {"forced": True}}}, True),
    ({"constants": {"hand_limit": 1}}, True),
    ({"add": [{"id": "x"}]}, True),
    ({"changes": {"s.give": {"when": "False"}}}, True),
    ({"drop": ["unknown"]}, True),
])
def test_readings(scope: Scoped, reading: dict[str, Any], *, differs: bool) -> None:
    """What is not a change of a body that never ran is compared."""
    clauses = {clause.id: clause for clause in scope.instance.game.clauses}
    assert may_differ(scope, reading, clauses) == differs


def test_a_term_taken_out_is_compared() -> None:
    """A definition has no body that could have run, and still matters."""
    bench = Workbench("edition-wars", Settings(scope="tiny_stalemate"))
    small = explore_scope(bench, "tiny_stalemate", 20_000, None, lambda _: None)
    clauses = {clause.id: clause for clause in small.instance.game.clauses}
    term = next(name for name, clause in clauses.items() if clause.define)
    assert may_differ(small, {"drop": [term]}, clauses)


# ------------------------------------------------------------------ bodies that do something else

TWO = """
x = roll(20)
if x > 4:
  for p in players:
    coins[p] += 1
"""


ANY = Clause("any", "effect", "any", None, (), Place("game.yaml", 1, 1, 2))


def parsed(text: str) -> Clause:
    """Make a clause with a body."""
    made = parse_body(text.strip(), lambda line, column: Place("game.yaml", line, column, column),
                      Reporter())
    assert made is not None
    return replace(ANY, do=Body(made, text, ANY.place))


@pytest.mark.parametrize(("other", "notes"), [
    (TWO, []),
    (TWO.replace("> 4", "> 3"), ["if (x > 4) != (x > 3):"]),
    (TWO.replace("+= 1", "+= x"), ["if 1 != x:"]),
    (TWO.replace("in players", "in others(active)"), ["if players != others(active):"]),
    (TWO.replace("x > 4", "may(active, 'one?')"), [""]),
    (TWO.replace("  for p in players:\n    coins[p] += 1", "  coins[active] += 1"), [""]),
    (TWO.replace("    coins[p] += 1", "    if p == active:\n      coins[p] += 1"),
     ["if not p == active:"]),
    (TWO.replace("    coins[p] += 1", "    if p == active:\n      coins[p] += 1\n    else:\n"
                 "      coins[p] += 2"), ["if not p == active:"]),
    (TWO.replace("x = roll(20)\n", ""), [""]),
    (TWO + "coins[active] += 1\n", [""]),
])
def test_a_note_says_when_bodies_differ(other: str, notes: list[str]) -> None:
    """It stands where a part has another value, and where values cannot be compared, always."""
    made, new = noted(parsed(TWO), parsed(other)).do, parsed(other).do
    assert made is not None
    assert new is not None
    lines = [line.strip() for line in unparse_body(made.statements).splitlines()]
    places = [place for place, line in enumerate(lines) if MARK in line and "outside" in line]
    plain = [line.strip() for line in unparse_body(new.statements).splitlines()]

    assert [lines[place - 1] if lines[place - 1] not in plain else "" for place in places] == notes


ABSORBED = """
game: absorbed
title: A die for nothing
players: {count: 2}
state:
  n: {type: int 0..60}
  x: {type: int 0..60}
steps: {game: {}}
start: game
clauses:
- {id: many, kind: order, says: rolls, on: game, do: "while n < 30:\\n  z = roll(2)\\n  n += 1"}
- {id: high, kind: effect, says: a high number counts, on: game, after: [many], do: "BODY"}
- {id: end, kind: order, says: it ends, on: game, after: [high], do: end_game()}
scopes:
  tiny: {about: few sides}
open_points:
- id: which
  clauses: [high]
  asks: which numbers count
  readings:
  - {id: one, title: one, changes: {}}
  - {id: two, title: another, changes: {high: {do: "OTHER"}}}
"""


@pytest.mark.parametrize(("body", "other", "harmless"), [
    ("if n > 30:\\n  x = 1", "if n > 31:\\n  x = 1", False),
    ("x = min(n, 30)", "x = 30", True),
    ("x = min(n, 9)\\nif n == 30:\\n  x = 0", "x = n\\nif n == 30:\\n  x = 0", True),
])
def test_what_never_does_otherwise_is_not_harmless(
    tmp_path: Path, body: str, other: str, harmless: bool  # noqa: FBT001
) -> None:
    """Texts that came to the same as nothing tells them apart are not decided, if not by proof."""
    text = ABSORBED.replace("BODY", body).replace("OTHER", other)
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("ambiguity",), max_states=20)

    assert not report.everything
    assert [one.open_point for one in report.harmless if one.open_point == "which"] == (
        ["which"] if harmless else [])
    assert harmless or any("do different things" in one.why for one in report.not_checked)


@pytest.mark.parametrize(("when", "harmless"), [
    ("n > 31 and m == 0", False),
    ("(n > 30 or n == 5) and m == 0", False),  # nobody is asked then
    ("(n > 30 or n == 30) and m == 0", True)])
def test_conditions_of_options_are_held_against_each_other(
    tmp_path: Path, when: str, harmless: bool  # noqa: FBT001
) -> None:
    """For whoever acts where he is asked: what differs for nobody there is not called harmless.

    It is where another clause forbids what they differ in.
    """
    text = ABSORBED.replace('"BODY"', "w()").replace('"OTHER"', "w()").replace(
        "steps:", "windows: {w: {who: players, each: once}}\nsteps:").replace(
        "changes: {high: {do: w()}}", f"changes: {{pay: {{when: {when}}}}}").replace(
        "clauses: [high]", "clauses: [pay]").replace(
        "scopes:", "- {id: pay, kind: permit, says: pay, on: w, option: pay, "
        'with: {m: "range(0, 1)"}, when: n > 30 and m == 0, do: x = m}\n'
        "- {id: no, kind: forbid, says: not so soon, on: w.pay, when: n == 30}\nscopes:")
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("ambiguity",), max_states=20)
    told = {one.what: one.why for one in report.not_checked}

    assert not [one for one in report.everything if one.open_point == "which"]
    assert ("which" in {one.open_point for one in report.harmless}) == harmless
    assert harmless == ("which = two" not in told)


LADDER = """
game: ladder
title: Up and down a ladder
players: {count: 1}
constants: {top: {value: TOP}}
state: {active: {type: player, start: 1}, n: {type: int 0..9}, done: {type: int 0..3}}
steps: {game: {}, turn: {}}
windows: {rung: {by: active, done: stay, repeat: true}}
start: game
scopes: {tiny: {constants: {top: TOP}}}
clauses:
- {id: go, kind: order, says: three turns, on: game, do: "while done < 3:\\n  turn()\\n  done += 1"}
- {id: one, kind: order, says: in each one may do something, on: turn, do: rung()}
- {id: up, kind: permit, says: one may climb, on: rung, option: up, when: n < ROOM, do: n += 1}
- {id: high, kind: limit, says: nobody is higher than the top, always: n <= top}
- {id: end, kind: order, says: it ends, on: game, after: [go], do: end_game()}
"""


@pytest.mark.parametrize(("top", "room", "holds"), [(3, 3, True), (4, 3, False)])
def test_a_limit_holds_where_something_comes_to_its_bound(
    tmp_path: Path, top: int, room: int, *, holds: bool
) -> None:
    """What is never as high as the bound says nothing of a limit, and is told as not checked."""
    text = LADDER.replace("TOP", str(top)).replace("ROOM", str(room))
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("limit-broken",))

    assert [one.clause for one in report.holds if one.what == "limit"] == ["high"] * holds
    assert any(one.what == "the limit high" for one in report.not_checked) == (not holds)


LIMITS = """
game: limits
title: What limits forbid
players: {count: 2}
families: {f: {attributes: {hot: bool, dry: bool}}}
cards: {f: {a: {copies: 2, hot: false, dry: false}, b: {copies: 1, hot: true, dry: false}}}
zones:
  box: {holds: f, kind: bag, starts: all, seen_by: all}
  hand: {holds: f, kind: bag, per: player, seen_by: all}
  shelf: {holds: f, kind: bag, seen_by: all}
state: {active: {type: player, start: 1}, n: {type: int 0..3}, lit: {type: bool}, out: {type: bool}}
steps: {game: {}}
windows: {lamp: {by: active, done: leave it}}
start: game
clauses:
- id: all
  kind: setup
  on: game
  says: a card each, and something may be done
  do: |
    for p in clockwise(active):
      move(f.a, box, hand[p])
    x = roll(2)
    n = x
    lamp()
    end_game()
- {id: light, kind: permit, says: light it, on: lamp, option: light, when: n == 1, do: lit = True}
- {id: said, kind: limit, says: it never is so, always: "LIMIT"}
"""


@pytest.mark.parametrize(("limit", "holds"), [
    ("all(not any(c.hot for c in hand[p]) for p in players)", True),
    ("all(not any(c.dry for c in hand[p]) for p in players)", False),  # there is no such card
    ("not any(c.hot for c in shelf)", False),  # nothing ever lies there
    ("implies(n == 1, size(hand[active]) != 0)", True),
    ("not (n == 3 and size(hand[active]) == 0)", False),
    ("size(hand[active]) < 2 and size(shelf) < 1", True),
    ("size(hand[active]) < 2 and size(shelf) < 2", False),
    ("any(size(hand[p]) >= 1 for p in players)", True),
    ("any(size(hand[p]) < 3 for p in players)", False),
    ("not lit", True),  # it forbids the option
    ("not out", False),  # nothing would do that
    ("all(p == active or not lit for p in players)", True),
    ("all(implies(n < 3, not out) for p in players)", True),
    ("all(implies(n == 3, not out) for p in players)", False),
    ("not out and n < 3", False),
])
def test_a_limit_that_nothing_could_break_is_not_said_to_hold(
    tmp_path: Path, limit: str, *, holds: bool
) -> None:
    """It holds where all but the last part of what breaks it came up, or it forbade a move."""
    (tmp_path / "game.yaml").write_text(LIMITS.replace("LIMIT", limit), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("limit-broken",))

    assert not report.findings
    assert [one.clause for one in report.holds if one.what == "limit"] == ["said"] * holds
    assert any("could break it" in one.why for one in report.not_checked) == (not holds)


@pytest.mark.parametrize(("room", "found"), [(2, True), (1, False)])
def test_once_is_not_harmless_for_want_of_a_second_time(
    tmp_path: Path, room: int, *, found: bool
) -> None:
    """Only once or as often as one likes: what never can be twice tells nothing of it."""
    text = LADDER.replace("TOP", "3").replace("ROOM", str(room))
    (tmp_path / "game.yaml").write_text(text, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("ambiguity",))
    point = "how-often/up"

    assert any(one.open_point == point for one in report.everything) == found
    assert not any(one.open_point.startswith(point) and one.method != "proof"
                   for one in report.harmless)


@pytest.mark.parametrize("deeper", ["on", "on and never"])
def test_what_is_reached_is_counted_by_the_point_and_not_by_its_copies(
    deeper: str, tmp_path: Path
) -> None:
    """A step that runs itself has nodes at each depth, which are one point of the game."""
    (tmp_path / "game.yaml").write_text(json.dumps({
        "game": "deep", "title": "Deep", "players": {"count": 2},
        "state": {"active": {"type": "player", "start": 1}, "never": {"type": "bool"},
                  "seen": {"type": "bool"}},
        "steps": {"game": {}, "step": {"depth": 3}}, "start": "game",
        "clauses": [
            {"id": "goes", "kind": "order", "says": "it goes down", "on": "game",
             "do": "step()\nend_game()"},
            {"id": "down", "kind": "effect", "says": "and further down", "on": "step",
             "do": f"on = may(by=active)\nif {deeper}:\n  step()\nif not on or {deeper}:\n"
                   "  why = may(by=active)\n  seen = why"}]}), "utf-8")
    found = verify(str(tmp_path), Settings(), only=("deadlock",)).coverage

    assert (found.nodes, found.edges) == (3, 4)
    assert found.missing.get("edges", ()) == ()
