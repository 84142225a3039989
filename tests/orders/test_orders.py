"""An order is harmless only if the same comes out, as likely, and the same cannot be done."""

from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.orders.passages import Comparison, compare_orders
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.machine.state import State
from ruleproof.model.plays.documents import settings_json
from ruleproof.model.plays.plays import replay
from ruleproof.model.run.interp import Interpreter
from ruleproof.model.run.shape import shape_of
from ruleproof.reports.appendix.sections import sections
from ruleproof.reports.blocks.subject import Subject

HIGHEST = ("best = 0\nfor p in players:\n  x = roll(2)\n  if x > best:\n    best = x\n"
           "    active = p\nwin(active)")
LAST = HIGHEST.replace("x > best", "x >= best")
BODIES = {
    "the first of the highest": HIGHEST,
    "the last of the highest": LAST,
    "each a die of his own": "for p in players:\n  x = roll(3)\n  n[p] = x",
    "dice added up": "for p in players:\n  x = roll(3)\n  m += x",
    "cards are dealt": "for p in players:\n  draw(1, deck, hand[p])",
    "half the time": "for p in players:\n  x = roll(2)\n  if x == 1:\n    active = p",
    "all but the odds": "for p in players:\n  x = roll(3)\n  if x > 1 or p != active:\n    m = x",
    "who acts rolls another die": "for p in players:\n  if p == active:\n    x = roll(3)\n"
                                  "  else:\n    x = roll(2)\n  m += x",
    "nobody rolls": "for p in players:\n  active = p",
    "too much at first": "for p in players:\n  if p == active:\n    low -= 1\n  else:\n"
                         "    low += 1\nlow = 0",
    "rolled until it is one": "for p in players:\n  x = roll(2)\n  while x > 1:\n    x = roll(2)\n"
                              "  n[p] = x",
    "chosen, then rolled": "for p in players:\n  y = choose(range(0, 2), by=p)\n  x = roll(2)\n"
                           "  n[p] = x + y",
}
CHANCE_ALONE = [name for name in BODIES if "chosen" not in name and "until" not in name]


def bench_of(folder: Path, body: str) -> Workbench:
    """Write a game of two whose one clause goes through the players in no stated order."""
    spec = {
        "game": "orders", "title": "Orders", "players": {"count": 2},
        "families": {"f": {"attributes": {"v": "int 0..9"}}},
        "cards": {"f": {"a": {"copies": 2, "v": 1}, "b": {"copies": 1, "v": 2}}},
        "zones": {"deck": {"holds": "f", "kind": "deck", "starts": "all", "seen_by": "none"},
                  "hand": {"holds": "f", "kind": "bag", "per": "player"}},
        "state": {"active": {"type": "player", "start": 1}, "m": {"type": "int 0..9"},
                  "low": {"type": "int 0..9"},
                  "n": {"type": "int 0..9", "per": "player"}},
        "steps": {"game": {}}, "start": "game",
        "clauses": [{"id": "c", "kind": "effect", "says": "each does it", "on": "game",
                     "do": body}]}
    (folder / "game.yaml").write_text(json.dumps(spec), "utf-8")
    return Workbench(str(folder), Settings())


def compared(bench: Workbench) -> Comparison:
    """Compare the two orders."""
    pauses = frozenset({"c"})
    one, two = (bench.instance("printed", rulings={"order/c": reading}, pauses=pauses)
                for reading in ("clockwise", "counterclockwise"))
    return compare_orders(one, two)


def distribution(judge: Interpreter) -> Counter[tuple[tuple[int, ...], frozenset[str]]]:
    """Play all that chance can do with the interpreter: what is declared in the end, how likely."""
    machine = judge.machine
    duties = {duty.id: duty.clause for duty in machine.obligations}
    found: Counter[tuple[tuple[int, ...], frozenset[str]]] = Counter()
    start = judge.start()
    todo: list[tuple[State, frozenset[str], Fraction]] = [
        (start.state, frozenset(duties[note] for note in start.notes), Fraction(1))]
    while todo:
        state, failed, likely = todo.pop()
        moves = judge.chance(state)
        if not moves:
            declared = tuple(
                state.values[shape_of(machine).offsets[array.name] + place]
                for array in machine.arrays if array.declared or array.name == "winners"
                for place in range(array.size))
            found[declared, failed] += likely  # type: ignore[assignment]
        for move, share in moves:
            after = judge.step(state, move)
            todo.append((after.state, failed | {duties[note] for note in after.notes},
                         likely * share))
    return found


@pytest.mark.parametrize("name", CHANCE_ALONE)
def test_an_order_matters_if_results_or_odds_or_failures_differ(tmp_path: Path, name: str) -> None:
    """Held against every way that chance can go, with exact probabilities, by the interpreter."""
    bench = bench_of(tmp_path, BODIES[name])
    found = compared(bench)
    one, two = (distribution(bench.instance("printed", rulings={"order/c": reading}).interpreter)
                for reading in ("clockwise", "counterclockwise"))

    assert (found.parting is None) == (one == two)
    assert found.complete == (one == two)


def test_what_differs_in_odds_alone_decides_who_wins(tmp_path: Path) -> None:
    """Both can begin under either order, but not as likely: the finding says how likely."""
    bench_of(tmp_path, HIGHEST)
    report = verify(str(tmp_path), Settings())
    (finding,) = [f for f in report.everything if f.cls == "order-dependence"
                  and f.open_point.startswith("order/")]

    assert finding.level == 1
    assert finding.readings[1].outcome == "the same result, with the odds 1/4 and not 3/4"


@pytest.mark.parametrize(("lines", "test", "asked"), [
    ((2, 2), "m == 0", False), ((2, 3), "m == 0", True), ((2, 2), "m == 0 or low == 9", True)])
def test_either_and_or_of_a_sentence_have_no_order(
    tmp_path: Path, lines: tuple[int, int], test: str, *, asked: bool
) -> None:
    """Without a card one thing is done, with one another, and that never brings on the first.

    Where the two are two sentences, or can both be so as they begin, the order is asked about.
    """
    bench_of(tmp_path, "active = 1")
    spec = json.loads((tmp_path / "game.yaml").read_text("utf-8"))
    spec["rulebook"] = {"file": "book.txt", "sha256": "0" * 64, "lines": 3}
    spec["state"]["m"]["start"] = 1
    spec["steps"]["part"] = {}
    spec["clauses"] = [
        {"id": "twice", "kind": "order", "says": "two parts", "on": "game", "lines": [1, 1],
         "do": "part()\npart()"},
        {"id": "none", "kind": "effect", "says": "with none left it costs one", "on": "part",
         "lines": [lines[0]] * 2, "when": test, "do": "low += 1"},
        {"id": "some", "kind": "effect", "says": "otherwise it takes one", "on": "part",
         "lines": [lines[1]] * 2, "when": "m > 0", "do": "m -= 1"}]
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("order-dependence", "overlap"))
    found = {one.open_point for one in report.everything}

    assert found == ({"order/none/some"} if asked else set())
    assert asked or any("as cases of which" in one.what for one in report.holds)


def test_what_fails_under_one_order_alone_is_told(tmp_path: Path) -> None:
    """The same comes out, but under one order a number would have left its range on the way."""
    found = compared(bench_of(tmp_path, BODIES["too much at first"]))

    assert found.parting is not None
    assert found.parting.goes_wrong == ((("c", "undefined-operation"),), ())


def test_odds_that_are_not_found_are_not_called_equal(tmp_path: Path) -> None:
    """Rounds without end have odds, too, but these are not computed: nothing is claimed."""
    found = compared(bench_of(tmp_path, BODIES["rolled until it is one"]))

    assert (found.parting, found.complete) == (None, False)


def test_choices_on_the_way_may_lead_to_the_same_odds(tmp_path: Path) -> None:
    """Who chooses last has seen the other roll: the odds that choices can lead to are not alike."""
    found = compared(bench_of(tmp_path, BODIES["chosen, then rolled"]))
    lone = BODIES["chosen, then rolled"].replace("choose(range(0, 2), by=p)", "1")

    assert found.parting is not None
    assert "odds" in found.parting.other
    assert compared(bench_of(tmp_path, lone)) == Comparison(
        None, 1, complete=True, luck=True)


@pytest.mark.parametrize("ruling", ["", "clockwise", "unstated"])
@pytest.mark.parametrize("times", [1, 2, 3])
def test_an_order_that_comes_up_again_has_a_witness_too(
    tmp_path: Path, times: int, ruling: str
) -> None:
    """A window that opens several times is told from its situation on; every play of it replays."""
    spec = {
        "game": "again", "players": {"count": 2},
        "state": {"active": {"type": "player"}, "flag": {"type": "bool", "per": "player"}},
        "steps": {"game": {}}, "start": "game", "windows": {"w": {"who": "others(active)"}},
        "clauses": [
            {"id": "run", "kind": "order", "says": "the window opens", "on": "game",
             "do": "\n".join(["w()"] * times)},
            {"id": "act", "kind": "permit", "says": "who acts is next", "on": "w", "option": "act",
             "do": "flag[actor] = True\nactive = actor"}],
    }
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    settings = Settings(rulings=(("order/w", ruling),)) if ruling else Settings()
    report = verify(str(tmp_path), settings)
    compiled = {each: compile_game(load_game(str(tmp_path), Settings(rulings=(("order/w", each),))))
                for each in ("clockwise", "counterclockwise", "unstated")}

    assert not [one for one in report.not_checked if one.failed]
    for finding in report.everything:
        for shown in finding.evidence.plays:
            assert replay({**shown.play, "settings": settings_json(compiled[shown.reading])},
                          compiled[shown.reading]).ok


THIRD = """
game: third
title: Two rules and a third one
players: {{count: 2}}
state:
  active: {{type: player, start: 1}}
  a: {{type: int 0..9, start: 0}}
  b: {{type: int 0..9, start: 0}}
  c: {{type: int 0..9, start: 0}}
steps: {{game: {{}}, fall: {{}}}}
start: game
clauses:
- {{id: go, kind: order, says: it goes, on: game, do: "fall()\\nwin(active)"}}
- {{id: one, kind: effect, says: one, on: fall, {one}do: "{deed}"}}
- {{id: two, kind: effect, says: two, on: fall, {two}do: "b = c\\na = min(9, a + 1)"}}
- {{id: three, kind: effect, says: three, on: fall, do: "c = 3"}}
"""
COUNTED, READ = "a = min(9, a + 1)", "b = 1"


@pytest.mark.parametrize(("fields", "splits"), [
    ({"deed": COUNTED}, {"two-three"}),
    ({"deed": COUNTED, "one": "after: [three], "}, {"two-three"}),
    ({"deed": COUNTED, "two": "after: [three], "}, set()),
    ({"deed": READ, "two": "after: [three], "}, {"one-two"}),
    ({"deed": READ, "one": "after: [three], "}, {"one-two"}),
])
def test_an_order_is_asked_for_two_and_moves_no_third(
    tmp_path: Path, fields: dict[str, str], splits: set[str]
) -> None:
    """Where one of two rules is ordered against a third, only the two change their places."""
    (tmp_path / "game.yaml").write_text(THIRD.format(**{"one": "", "two": "", **fields}))
    report = verify(str(tmp_path), Settings(), only=("order-dependence", "overlap"))

    assert {finding.id.rsplit("/", 1)[1] for finding in report.everything} == splits


def test_what_is_ordered_through_a_clause_stays_so_without_it(tmp_path: Path) -> None:
    """To drop a clause, or not to play its mode, leaves those before it before those after it."""
    clauses: list[dict[str, object]] = [
        {"id": "last", "kind": "effect", "says": "last", "on": "game", "do": "n = n * 3",
         "after": ["middle"]},
        {"id": "middle", "kind": "effect", "says": "middle", "on": "game", "do": "n = n + 0",
         "after": ["first"]},
        {"id": "first", "kind": "effect", "says": "first", "on": "game", "do": "n = n + 1"},
    ]
    spec = {
        "game": "chain", "title": "A chain", "players": {"count": 1},
        "state": {"n": {"type": "int 0..99", "start": 1}},
        "variants": {"long": {"title": "with the middle"}},
        "steps": {"game": {}}, "start": "game",
        "clauses": clauses,
    }
    results = []
    turned = {"drop": ["middle"], "changes": {"first": {"after": ["last"]}}}
    idle = {"changes": {"middle": {"only_in": ["long"]}}}
    (tmp_path / "game.yaml").write_text(json.dumps(spec))
    for change in ({}, {"drop": ["middle"]}, turned, idle):
        one = Workbench(str(tmp_path), Settings()).instance("printed", changes=(change,))
        state = one.interpreter.start().state
        results.append(state.values[shape_of(one.compiled.machine).offsets["n"]])

    assert results == [6, 6, 4, 6]


def test_a_claim_that_only_one_order_breaks_tells_the_orders_apart(tmp_path: Path) -> None:
    """An order is not harmless if a claim of what never is so holds under one reading only."""
    (tmp_path / "game.yaml").write_text("""
game: claimed
title: Claimed
players: {count: 2}
state:
  bid: {type: int 0..2, per: player, start: 0}
  active: {type: player, start: 1}
steps: {game: {}}
start: game
clauses:
- {id: bidding, kind: effect, says: everybody bids, on: game,
    do: "for p in players:\\n  x = choose(range(1, 3), by=p)\\n  bid[p] = x"}
- {id: first, kind: claim, says: nobody bids before the active player,
    never: "bid[active] == 0 and any(bid[q] > 0 for q in others(active))"}
""")
    report = verify(str(tmp_path), Settings())
    found = [one for one in report.everything if one.open_point == "order/bidding"]

    assert [finding.cls for finding in found] == ["order-dependence"]
    assert [one.outcome.endswith("this is not so then: nobody bids before the active player")
            for one in found[0].readings].count(True) == 1


MODES = """
game: modes
title: An order in one mode only
players: {count: 2}
state:
  active: {type: player, start: 1}
  n: {type: int 0..9, start: 1}
variants: {long: {title: with one more}}
steps: {game: {}, fall: {}}
start: game
scopes:
  short: {about: without, state: {n: 1}}
  more: {about: with one more, state: {n: 1}, variants: [long]}
clauses:
- {id: go, kind: order, says: it goes, on: game, do: "fall()\\nwin(active)"}
- {id: one, kind: effect, says: one, on: fall, do: "n = min(9, n + 1)"}
- {id: two, kind: effect, says: two, on: fall, only_in: [long], do: "n = min(9, n + 2)"}
- {id: round, kind: effect, says: each, on: fall, only_in: [long], after: [one, two],
   do: "for p in players:\\n  active = p"}
"""


def test_an_order_is_asked_where_its_clauses_are_played(tmp_path: Path) -> None:
    """An order of clauses that only a mode has is compared in that mode, and nothing fails."""
    (tmp_path / "game.yaml").write_text(MODES, "utf-8")
    report = verify(str(tmp_path), Settings())

    assert not [one for one in report.not_checked if one.failed]
    assert "order/one/two" in {one.open_point for one in report.harmless}


def test_what_the_encoding_keeps_for_itself_counts_where_effects_end(tmp_path: Path) -> None:
    """An internal value that an order decides matters to what reads it after the comparison."""
    bench_of(tmp_path, BODIES["nobody rolls"])
    spec = json.loads((tmp_path / "game.yaml").read_text("utf-8"))
    spec["state"]["active"]["internal"] = True
    spec["clauses"].append({"id": "w", "kind": "outcome", "says": "the last one wins",
                            "on": "game", "after": ["c"], "do": "win(active)"})
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    bench = Workbench(str(tmp_path), Settings())

    assert compared(bench).parting is not None

KINDS = """
game: kinds
title: Two orders after which all is the same, but not what went wrong on the way
players: {count: 1}
state:
  active: {type: player, start: 1}
  n: {type: int 0..3, start: 3}
  k: {type: int 0..3, start: 1}
pools: {army: {capacity: 2, fields: {d: int 0..3}}}
steps: {game: {}, turn: {}}
start: game
clauses:
- {id: begin, kind: order, says: one turn, on: game, do: "turn()\\nend_game()"}
- {id: none, kind: effect, says: nothing is left, on: turn, do: "n = 0\\nk = 0"}
- {id: some, kind: effect, says: one of the army, on: turn, do: "x = choose(army, by=active)",
   otherwise: n += k}
"""


def test_kinds_of_what_goes_wrong_are_told_apart(tmp_path: Path) -> None:
    """An order matters where a clause fails in one way, and in another one under the other."""
    (tmp_path / "game.yaml").write_text(KINDS, "utf-8")
    report = verify(str(tmp_path), Settings())

    assert "order/none/some" in [each.open_point for each in report.everything]

NEVER = """
game: never
title: An order that comes up only where the rules go round for ever
players: {count: 1}
state: {active: {type: player, start: 1}, n: {type: int 0..3}}
steps: {game: {}, turn: {}}
start: game
clauses:
- {id: begin, kind: order, says: on and on, on: game,
   do: "x = choose(range(0, 2), by=active)\\nwhile x == 1:\\n  turn()\\nend_game()"}
- {id: one, kind: effect, says: it is one, on: turn, do: n = 1}
- {id: two, kind: effect, says: it is two, on: turn, do: n = 2}
"""


def test_an_order_in_rules_that_never_rest_is_not_checked(tmp_path: Path) -> None:
    """What differs only at a pause of ours, where the game never rests, has no play to show."""
    (tmp_path / "game.yaml").write_text(NEVER, "utf-8")
    report = verify(str(tmp_path), Settings())

    assert not [one for one in report.not_checked if one.failed]
    assert "order/one/two" not in [each.open_point for each in report.everything]
    assert any("order/one/two" in one.what for one in report.not_checked)


HIT = "for p in players:\n  if n[p] > 1:\n    n[p] = 0\n    m += 1\n    low = m"


@pytest.mark.parametrize(("hit", "told"), [(1, "not checked"), (2, "harmless")])
def test_where_one_player_alone_is_concerned_no_order_is_called_harmless(
    hit: int, told: str, tmp_path: Path
) -> None:
    """Only where the loop has something to do for two could their order have mattered."""
    bench_of(tmp_path, HIT)
    spec = json.loads((tmp_path / "game.yaml").read_text("utf-8"))
    spec["clauses"].insert(0, {
        "id": "a", "kind": "effect", "says": "some are hit", "on": "game", "before": ["c"],
        "do": "n[active] = 2" + "\nn[next_player(active)] = 2" * (hit - 1)})
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("order-dependence",))
    missing = [one.why for one in report.not_checked if one.what == "order/c"]

    assert "order/c" not in {one.open_point for one in report.everything}
    assert [one.open_point for one in report.harmless if one.open_point == "order/c"] == (
        ["order/c"] * (told == "harmless"))
    assert [why.partition(": ")[2].rpartition(" in scope")[0].rpartition(": ")[2]
            for why in missing] == ["never are two players concerned at once"] * (
        told == "not checked")


SCOPES = """
game: scopes
title: Scopes
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..99}, m: {type: int 0..99}}
steps: {game: {}, fall: {}, bonus: {}}
start: game
scopes:
  low: {about: few, state: {n: 1}}
  low_too: {about: few, state: {n: 2}}
  lower: {about: fewer, state: {n: 0}}
  more: {about: more, state: {n: 3}}
  much_more: {about: more, state: {n: 4}}
  high: {about: many, state: {n: 20}}
clauses:
- {id: go, kind: order, says: it goes, on: game,
   do: "x = roll(3)\\nn = min(90, n + x)\\nfall()\\nwin(active)"}
- {id: one, kind: effect, says: one, on: fall, do: "m = min(90, m + n)"}
- {id: two, kind: effect, says: two, on: fall, do: "m = min(90, m + n)\\nif n > 9:\\n  bonus()"}
- {id: more, kind: effect, says: more, on: bonus, do: "m = min(90, m + BONUS)"}
"""


@pytest.mark.parametrize(("bonus", "matters"), [("1", False), ("m", True)])
def test_scopes_in_which_nothing_else_runs_on_the_way_are_spared(
    tmp_path: Path, bonus: str, *, matters: bool
) -> None:
    """What only one scope runs on the way can tell the orders apart there, and is looked at."""
    (tmp_path / "game.yaml").write_text(SCOPES.replace("BONUS", bonus), "utf-8")
    report = verify(str(tmp_path), Settings(scope="low"))
    assert "order/one/two" in {one.open_point for one in report.harmless}

    report = verify(str(tmp_path), Settings())
    found = [each.id for each in report.findings if "one" in each.clauses and "two" in each.clauses]
    harmless = [one.why for one in report.harmless if one.open_point == "order/one/two"]

    assert bool(found) == matters
    assert bool(harmless) != matters
    assert all("high" in why and "much_more" not in why for why in harmless), harmless


TOGETHER = """
game: together
title: Together
players: {count: 2}
state: {active: {type: player, start: 1}, n: {type: int 0..9}, m: {type: int 0..9}}
steps: {game: {}, fall: {}}
start: game
scopes:
  one_a: {about: one, state: {n: 1}}
  one_b: {about: one, state: {n: 1}}
  two_a: {about: two, state: {n: 2}}
  two_b: {about: two, state: {n: 2}}
  both: {about: both, state: {n: 3}}
clauses:
- {id: go, kind: order, says: it goes, on: game, do: "x = roll(2)\\nfall()\\nwin(active)"}
- {id: one, kind: effect, says: one, on: fall, when: n == 1 or n == 3, do: m = 1}
- {id: two, kind: effect, says: two, on: fall, when: n > 1, do: m = 2}
"""


def test_a_scope_that_alone_runs_two_clauses_is_looked_at(tmp_path: Path) -> None:
    """Each of them runs in other scopes, but never both, and these are enough to be a few."""
    (tmp_path / "game.yaml").write_text(TOGETHER, "utf-8")
    report = verify(str(tmp_path), Settings())
    found = [each for each in report.everything if {*each.clauses} == {"one", "two"}]

    assert "both" in [each.evidence.scope for each in found]


SO_MANY = """
game: so-many
title: So Many
players: {min: 2, max: 4, default: DEFAULT}
state: {n: {type: int 0..9, per: player}, m: {type: int 0..9}, x: {type: int 0..9}}
steps: {game: {}, one: {}}
start: game
variants: {crowd: {title: a crowd, players: 4}}
scopes:
  pair: {about: two, players: 2, state: {m: 1}}
  many: {about: four, variants: [crowd], state: {m: 2}}
clauses:
- {id: go, kind: order, says: it goes, on: game, do: "one()\\nwin(players)"}
- {id: a, kind: effect, says: a die is rolled, on: one, do: "k = roll(2)\\nm += k"}
- {id: b, kind: effect, says: another die is rolled, on: one, do: "k = roll(3)\\nm += k"}
- {id: c, kind: effect, says: this is three, on: one, after: [a, b], do: "x = 3"}
- {id: d, kind: effect, says: each has one, on: one, after: [c],
   do: "for p in players:\\n  n[p] = 1"}
"""


@pytest.mark.parametrize(("count", "wanted"), [
    ("min: 2, max: 4, default: 3", {"a": "2 to 4 players", "d": "3 players"}),
    ("min: 2, max: 4, default: 2", {"a": "2 and 4 players", "d": "2 players"}),
    ("count: 3", {}),
])
def test_an_order_that_makes_no_difference_says_for_how_many_players(
    count: str, wanted: dict[str, str], tmp_path: Path
) -> None:
    """Orders are compared with the number that is chosen, and with those of small games."""
    spec = SO_MANY.replace("min: 2, max: 4, default: DEFAULT", count)
    if not wanted:
        spec = spec.replace(", players: 2", "").replace(", players: 4", "")
    (tmp_path / "game.yaml").write_text(spec, "utf-8")
    report = verify(str(tmp_path), Settings(), only=("order-dependence",))
    subject = Subject(compile_game(load_game(str(tmp_path))))
    (told,) = (one for one in sections(report, subject)
               if one.title == "Open points that make no difference")
    lines = [line for fold in told.folds for line in fold.lines] or told.lines
    said = {one.open_point: next(line for line in lines if one.why[:25] in line)
            for one in report.harmless}

    assert {"order/a/b", "order/d"} <= said.keys()
    for name, players in {"order/a/b": wanted.get("a"), "order/d": wanted.get("d")}.items():
        assert ("looked at with" in said[name]) == (players is not None)
        assert players is None or f"; looked at with {players}" in said[name]


@pytest.mark.parametrize(("players", "do", "method"), [
    (3, "m += 1\n  if m == 2:\n    active = p", "bounded"),
    (2, "m += 1\n  if m == 3:\n    active = p", "exhaustive"), (3, "n[p] = 2", "proof")])
def test_two_directions_are_not_all_orders_of_three(
    tmp_path: Path, players: int, do: str, method: str
) -> None:
    """Who comes second is the same clockwise and back, and another one in other orders."""
    bench_of(tmp_path, f"for p in players:\n  {do}")
    spec = json.loads((tmp_path / "game.yaml").read_text("utf-8"))
    spec["players"] = {"count": players}
    (tmp_path / "game.yaml").write_text(json.dumps(spec), "utf-8")
    report = verify(str(tmp_path), Settings(), only=("order-dependence",))
    (same,) = (one for one in report.harmless if one.open_point == "order/c")

    assert same.method == method
    assert ("only clockwise" in same.why) == (method == "bounded")
