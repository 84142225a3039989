"""Order proofs: where one is given, nothing that can be seen of the game depends on the order."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.comparison.equivalence import same_everywhere
from ruleproof.checker.comparison.product import diverge
from ruleproof.checker.orders import passages
from ruleproof.checker.orders.deciding import proof_of
from ruleproof.checker.orders.games import pauses_of
from ruleproof.checker.orders.passages import compare_orders
from ruleproof.checker.points.points import points_of
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import bundled
from ruleproof.model.orders.effects import Ground
from ruleproof.model.orders.independence import why_independent
from ruleproof.model.orders.responders import indifferent, why_any_order, why_indifferent
from ruleproof.tests.games.test_laws import GAMES, scope_of
from ruleproof.tests.support.unordered import STATES, Little, instance, little, sight

READINGS = {"loop": ("clockwise", "counterclockwise"), "clauses": ("first", "second"),
            "window": ("unstated", "clockwise", "counterclockwise")}
"""Of each kind of point; the first one is adopted."""
SHOWN = frozenset({"game over", "end/may"})
"""The rests of a little game outside of what has no order."""
FEW, SOME, MANY = 12, 30, 6_000


def proof(game: Little, source: str) -> str:
    """Return the proof that an order does not matter; "" if there is none."""
    one = instance(source)
    if one is None:
        return ""
    match game.kind:
        case "loop":
            return why_any_order(one.game, "one")
        case "clauses":
            return why_independent(one.game, "one", "two")
        case _:
            return why_indifferent(one.compiled, "acting")


def hold_against_exploration(seeds: range, folder: Path) -> int:
    """Hold each proof of little games against all that can be seen under each reading."""
    proved = 0
    for seed in seeds:
        game = little(seed)
        source = game.write(folder)
        if not proof(game, source):
            continue
        seen = []
        for reading in READINGS[game.kind]:
            one = instance(source, {game.point: reading})
            assert one is not None, f"seed {seed}: {reading}"
            seen.append(sight(one, rests=SHOWN))
        if game.kind == "window":
            one = instance(source)
            assert one is not None
            seen.append(sight(one, indifferent(one.compiled), rests=SHOWN))
        if None in seen:
            continue
        proved += 1
        assert all(each == seen[0] for each in seen), f"seed {seed}"
    return proved


def test_proofs_hold_in_little_games(tmp_path: Path) -> None:
    """Law: under each reading of an order that is proved harmless the same can be seen."""
    assert hold_against_exploration(range(SOME), tmp_path) > SOME // 8


@pytest.mark.campaign
def test_proofs_hold_in_many_little_games(tmp_path: Path) -> None:
    """Law: the same, for thousands of games."""
    assert hold_against_exploration(range(SOME, MANY), tmp_path) > MANY // 8


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=[pytest.mark.campaign] if name in bundled() else [])
    for name in GAMES])
def test_proofs_hold_in_every_game(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law: what is proved of an order of a game holds in all that is explored of it."""
    monkeypatch.setattr(passages, "MOST", 1_500)
    monkeypatch.setattr(passages, "MOST_INSIDE", 500)
    source = GAMES[name]
    if source.endswith(".yaml"):
        (tmp_path / "game.yaml").write_text(Path(source).read_text("utf-8"), "utf-8")
        source = str(tmp_path)
    bench = Workbench(source, Settings(), reduce=False)
    scope = scope_of(source)
    base = bench.instance(scope)
    for point in points_of(base.compiled):
        if point.kind == "window" or not proof_of(base.compiled, point):
            continue  # windows: `test_no_outcome_is_lost`
        pauses = pauses_of(base.game, point)
        first, second = (bench.instance(scope, rulings={point.id: reading}, pauses=pauses)
                         for reading, _ in point.readings[:2])
        parting = compare_orders(first, second).parting

        assert parting is None, point.id


CHANGES = (
    {"drop": ["two"]}, {"drop": ["limit"]}, {"drop": ["one"]},
    {"changes": {"one": {"when": "a[actor] == 0"}}}, {"changes": {"one": {"when": "n < 2"}}},
    {"changes": {"two": {"do": "n = min(3, n + 1)"}}}, {"changes": {"one": {"do": "pass"}}},
)


def compare_readings(seeds: range, folder: Path) -> int:
    """Hold each comparison in one order of the players against the one in all orders."""
    reduced = 0
    for seed in seeds:
        game = little(seed)
        source = game.write(folder)
        one = instance(source) if game.kind == "window" else None
        if one is None:
            continue
        bench = Workbench(source, Settings())
        for change in CHANGES:
            first, second = (bench.instance("printed", changes=c) for c in ((), (change,)))
            windows = first.program.one_order | second.program.one_order
            verdicts = []
            for a, b in ((first.program, second.program),
                         (first.program.whole, second.program.whole)):
                splits = diverge(a, b, stop_at=0, limit=STATES)
                verdicts.append((same_everywhere(a, b, duties=True, limit=STATES),
                                 splits.complete and set(splits.splits)))
            if windows and all(complete is not False for _, complete in verdicts):
                reduced += 1
                assert verdicts[0] == verdicts[1], f"seed {seed}: {change}"
    return reduced


def test_readings_are_told_apart_in_one_order_too(tmp_path: Path) -> None:
    """Law: two readings differ in one order of the players if, and as, they differ in all."""
    assert compare_readings(range(FEW), tmp_path) > FEW // 2


@pytest.mark.campaign
def test_many_readings_are_told_apart_in_one_order_too(tmp_path: Path) -> None:
    """Law: the same, for thousands of games."""
    assert compare_readings(range(FEW, MANY), tmp_path) > MANY // 2


LOOP = """
game: round
title: Round the table
players: {{count: 3}}
state:
  score: {{type: int 0..5, per: player, start: 0}}
  crown: {{type: "player?"}}
  active: {{type: player, start: 1}}
  n: {{type: int 0..5, start: 1}}
steps: {{game: {{}}, rate: {{params: {{who: player}}}}}}
windows:
  acting: {{by: active, done: pass}}
  ask: {{by: active, forced: true}}
start: game
clauses:
- {{id: go, kind: order, says: it begins, on: game, do: acting()}}
- {{id: rated, kind: effect, says: rated, on: rate, do: "z = who\\nscore[z] = 1"}}
- {{id: may, kind: permit, says: yes, on: ask, option: yes, when: n == 1, do: pass}}
- {{id: one, kind: effect, says: each in turn, {where}, do: "{body}"{more}}}
{rule}
"""
ON_STEP = "on: game, after: [go]"
CHOICE = "for p in players:\\n  x = choose(range(0, 3), by=p)\\n  score[p] = x"
LIMIT = "- {id: cap, kind: limit, says: not too much, always: 'score[active] < 3'}"
CLAIM = ("- {id: said, kind: claim, says: never so, "
         "never: 'score[active] == 0 and any(score[q] > 0 for q in players)'}")
ELSEWHERE = "- {id: said, kind: claim, says: never so, never: crown == active}"


@pytest.mark.parametrize(("body", "changes", "proved"), [
    (CHOICE, {}, True),
    ("n = 0\\nfor p in players:\\n  n = n + 1\\n  score[p] = n", {}, False),
    ("k = 0\\nfor p in players:\\n  k = k + 1\\n  score[p] = k", {}, False),
    ("k = 0\\nfor p in players:\\n  k = score[p] + 1\\n  score[p] = k", {}, True),
    ("k = active\\nfor p in players:\\n  k = p\\ncrown = k", {}, False),
    ("for p in players:\\n  rate(p)", {}, False),
    (CHOICE, {"rule": LIMIT}, False),
    ("for p in players:\\n  score[p] = 1", {"rule": LIMIT}, True),
    (CHOICE, {"rule": CLAIM}, False),
    (CHOICE, {"rule": ELSEWHERE}, True),
    ("for p in players:\\n  x = choose(range(0, score[p]), by=p)\\n  score[p] = x", {}, False),
    ("for p in players:\\n  score[p] = 5 // score[p]", {}, False),
    ("for p in players:\\n  score[p] = 5 // score[p]", {"more": ", otherwise: n = 0"}, False),
    ("for p in players:\\n  while score[p] == 0:\\n    crown = none\\n  score[p] = 1", {}, False),
    ("for p in players:\\n  score[p] = 1\\n  ask()", {}, False),
    ("for p in players:\\n  if p != actor:\\n    crown = p", {"where": "OPTION"}, False),
    ("for p in players:\\n  if p != actor:\\n    score[p] = 1", {"where": "OPTION"}, True),
    ("for p in players:\\n  if p != active:\\n    crown = p", {"where": "TRIGGER"}, False),
])
def test_what_tells_the_players_apart(
    tmp_path: Path, body: str, changes: dict[str, str], *, proved: bool
) -> None:
    """A loop has no proof if locals, limits, claims, duties or an end that fails tell its order."""
    where = {"OPTION": "on: acting, option: hail", "TRIGGER": "whenever: n == 2"}
    texts = {"where": ON_STEP, "more": "", "rule": "", **changes}
    texts["where"] = where.get(texts["where"], texts["where"])
    (tmp_path / "game.yaml").write_text(LOOP.format(body=body, **texts))
    game = Workbench(str(tmp_path), Settings()).game("printed")

    assert bool(why_any_order(game, "one")) == proved


def test_a_text_with_an_error_proves_nothing(tmp_path: Path) -> None:
    """What did not come out whole is a ground for nothing."""
    texts = {"where": ON_STEP, "more": "", "rule": "", "body": "for p in players:\\n  crown = foo"}
    (tmp_path / "game.yaml").write_text(LOOP.format(**texts))
    game = Workbench(str(tmp_path), Settings()).game("printed")
    ground = Ground(game)
    ground.planner.step("game", 0)

    assert not ground.sound
    assert not why_any_order(game, "one")


def test_a_choice_amid_two_clauses_lets_limits_tell(tmp_path: Path) -> None:
    """Two clauses that touch different things are in some order if a limit is judged amid them."""
    text = LOOP.format(where=ON_STEP, body="score[active] = 1", more="", rule="""
- {id: two, kind: effect, says: choose, on: game, after: [go],
    do: "x = choose(range(0, 2), by=active)\\nn = x"}
""")
    (tmp_path / "game.yaml").write_text(text)
    bench = Workbench(str(tmp_path), Settings())
    assert why_independent(bench.game("printed"), "one", "two")
    (tmp_path / "game.yaml").write_text(text + LIMIT + "\n")
    bench = Workbench(str(tmp_path), Settings())

    assert not why_independent(bench.game("printed"), "one", "two")


@pytest.mark.parametrize(("first", "second", "proved"), [
    ("c == 1", "c == 2 and n > 0", True), ("c == 1", "c > 0 and n > 0", False),
    ("c == 1 and n == 0", "c == 2", True), ("n == 0", "n > 0", False)])
def test_cases_of_what_neither_writes(
    tmp_path: Path, first: str, second: str, *, proved: bool
) -> None:
    """Two cases are proved apart by what neither writes, whatever else one writes for the other."""
    (tmp_path / "game.yaml").write_text(f"""
game: cases
title: Cases
players: {{count: 1}}
state: {{n: {{type: int 0..9, start: 0}}}}
steps: {{game: {{}}, case: {{params: {{c: int 0..2}}}}}}
start: game
clauses:
- {{id: go, kind: order, says: all cases, on: game, do: "for c in range(0, 3):\\n  case(c)"}}
- {{id: one, kind: effect, says: one, on: case, when: {first}, do: n = 1}}
- {{id: two, kind: effect, says: two, on: case, when: {second}, do: n = 2}}
""")
    game = Workbench(str(tmp_path), Settings()).game("printed")

    assert bool(why_independent(game, "one", "two")) == proved


@pytest.mark.parametrize("window", [{"forced": True}, {"done": "pass"}])
def test_who_is_stuck_holds_nobody_else_up(tmp_path: Path, window: dict[str, object]) -> None:
    """A clause of a player who comes after one without a move is not called dead."""
    fields = ", ".join(f"{key}: {str(value).lower()}" for key, value in window.items())
    (tmp_path / "game.yaml").write_text(f"""
game: stuck
title: Stuck
players: {{count: 2}}
state: {{flag: {{type: bool, per: player}}, active: {{type: player, start: 2}}}}
steps: {{game: {{}}}}
windows: {{answer: {{who: players, each: once, {fields}}}}}
start: game
clauses:
- {{id: g, kind: order, says: everybody answers, on: game, do: "answer()"}}
- {{id: raise, kind: permit, says: the dealer may raise a flag, on: answer, option: raise,
    when: actor == active, do: "flag[actor] = True"}}
""")
    report = verify(str(tmp_path), Settings(), only=("dead-clause", "deadlock"))

    assert all(finding.cls != "dead-clause" for finding in report.everything)


BIDDING = """
game: bidding
title: Bidding
players: {{count: 2}}
state:
  bid: {{type: int 0..2, per: player, start: 0}}
  active: {{type: player, start: 2}}
steps: {{game: {{}}}}
windows: {{bidding: {{who: players, each: once, {window}}}}}
start: game
clauses:
- {{id: g, kind: order, says: all bid, on: game,
    do: "bidding()\\nwin(argmax(bid[p] for p in players))"}}
- {{id: bid, kind: permit, says: one bids, on: bidding, option: bid, with: {{x: "range(1, 3)"}},
    do: "bid[actor] = x"}}
- {{id: fold, kind: permit, says: the dealer may fold, on: bidding, option: fold,
    when: actor == active, do: pass}}
- {{id: last, kind: limit, says: the dealer may not have bid while nobody else has,
    always: "not (bid[active] > 0 and all(bid[q] == 0 for q in others(active)))"}}
{more}
"""
DEALER = """
open_points:
- id: dealer
  clauses: [last]
  asks: may the dealer bid first
  readings:
  - {id: no, title: the dealer may not, changes: {}}
  - {id: yes, title: the dealer may, drop: [last]}
"""


@pytest.mark.parametrize("window", ["forced: true", "done: pass"])
def test_a_limit_that_forbids_to_be_first_is_needed(tmp_path: Path, window: str) -> None:
    """A limit on who comes first is not redundant, and a reading without it is not harmless."""
    for more in ("", DEALER):
        (tmp_path / "game.yaml").write_text(BIDDING.format(window=window, more=more))
        found = {finding.cls for finding in verify(str(tmp_path), Settings()).everything}

        assert ("ambiguity" in found) == bool(more)
        assert "redundant-clause" not in found
