"""One order of the players where it stands for all: fewer states, the same findings."""

from __future__ import annotations

from pathlib import Path

import pytest

from ruleproof.checker.bench.workbench import Workbench
from ruleproof.checker.engine.program import Program
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.search.labels import Labels
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.orders.responders import (
    FORFEITS_NOTHING,
    OWN_ROWS,
    indifferent,
    why_any_order,
    why_indifferent,
)
from ruleproof.tests.games.test_laws import GAMES, subject
from ruleproof.tests.support.games import often

BAZAAR = """
game: bazaar
title: A bazaar
players: {{min: 2, max: 6, default: {players}}}
families: {{ware: {{attributes: {{price: int 0..2}}}}}}
cards: {{ware: {{rug: {{name: Rug, copies: {players}, price: 1}}}}}}
zones:
  store: {{holds: ware, kind: deck, starts: all, seen_by: none}}
  hand: {{holds: ware, kind: bag, per: player, seen_by: owner}}
  stall: {{holds: ware, kind: bag, per: player, seen_by: all}}
state:
  active: {{type: player, start: 1}}
  coins: {{type: int 0..2, per: player, start: 0}}
  calls: {{type: int 0..2, start: 0}}
steps: {{game: {{}}}}
windows:
  open_stalls: {{who: players, order: unstated, each: once, done: keep it}}
  call_out: {{who: players, order: unstated, each: rounds, done: keep quiet}}
start: game
clauses:
- {{id: b.deal, kind: setup, says: a ware each, on: game,
    do: "for p in clockwise(active):\\n  draw(1, store, hand[p])"}}
- {{id: b.open, kind: order, says: stalls open, on: game, after: [b.deal], do: open_stalls()}}
- {{id: b.calls, kind: order, says: all may call out, on: game, after: [b.open],
    do: "call_out()\\n{after}"}}
- {{id: b.lay, kind: permit, says: a ware is laid out, on: open_stalls, option: lay,
    with: {{card: "c for c in hand[actor]"}},
    do: "move(card, hand[actor], stall[actor])\\n{lay}"}}
- {{id: b.call, kind: permit, says: two calls in all, on: call_out, option: call, when: calls < 2,
    do: "calls += 1\\ncoins[actor] += 1"}}
- {{id: b.silence, kind: {silence}, says: whoever has laid nothing may not call, {rule}}}
"""
QUIET = {"silence": "forbid", "rule": 'on: call_out.call, when: "size(stall[actor]) == 0"'}


def bazaar(where: Path, players: int, **changes: str) -> str:
    """Write the game to a folder, with changes, and give the folder."""
    texts = {"after": "win({p for p in players if coins[p] > 0})", "lay": "", **QUIET, **changes}
    (where / "game.yaml").write_text(BAZAAR.format(players=players, **texts))
    return str(where)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_windows_do_not_blow_up(tmp_path: Path, players: int) -> None:
    """One order for all has fewer states, and the same ends."""
    source = bazaar(tmp_path, players)
    whole = Workbench(source, Settings(players=players), reduce=False).instance("printed")
    one = Workbench(source, Settings(players=players)).instance("printed")
    assert why_indifferent(one.compiled, "open_stalls") == OWN_ROWS
    assert why_indifferent(one.compiled, "call_out") == FORFEITS_NOTHING
    all_orders = Exploration(whole.program).run(max_states=400_000)
    one_order = Exploration(one.program).run(max_states=400_000)
    assert one_order.complete
    assert one_order.states < all_orders.states / (players - 1)
    if all_orders.complete:
        assert one_order.final == all_orders.final


@pytest.mark.parametrize("changes", [
    {"lay": "coins[active] += 1"},
    {"lay": "calls = min(2, calls + 1)"},
    {"lay": "win(actor)"},
    {"silence": "limit", "rule": 'always: "size(stall[active]) < 2"'},
])
def test_what_touches_others_is_not_reduced(tmp_path: Path, changes: dict[str, str]) -> None:
    """A window whose options touch what others have keeps every order."""
    one = Workbench(bazaar(tmp_path, 3, **changes), Settings(players=3)).instance("printed")
    assert why_indifferent(one.compiled, "open_stalls") == ""


def test_a_limit_that_may_forbid_to_pass_keeps_every_order(tmp_path: Path) -> None:
    """A limit that may forbid to pass keeps every order."""
    rule = {"silence": "limit", "rule": 'always: "all(coins[p] < 2 for p in players)"'}
    ends = bazaar(tmp_path, 3, after="coins[active] += 1", **rule)
    one = Workbench(ends, Settings(players=3)).instance("printed")
    assert why_indifferent(one.compiled, "call_out") == ""


def test_who_must_act_may_not_pass(tmp_path: Path) -> None:
    """A clause that requires an option keeps every order."""
    rule = {"silence": "require", "rule": 'on: call_out, must: call, when: "calls == 0"'}
    one = Workbench(bazaar(tmp_path, 3, **rule), Settings(players=3)).instance("printed")
    assert why_indifferent(one.compiled, "call_out") == ""


def test_claims_about_states_between_keep_every_order(tmp_path: Path) -> None:
    """A claim about states on the way keeps every order of the window that it reads."""
    rule = {"silence": "claim", "rule": 'never: "all(size(stall[p]) == 1 for p in players)"'}
    one = Workbench(bazaar(tmp_path, 3, **rule), Settings(players=3)).instance("printed")
    assert why_indifferent(one.compiled, "open_stalls") == ""
    assert why_indifferent(one.compiled, "call_out") == FORFEITS_NOTHING


@pytest.mark.parametrize("changes", [
    pytest.param({}, marks=pytest.mark.campaign),
    pytest.param({"after": "winner = only(argmax(coins[p] for p in players))\\n  win(winner)"},
                 marks=pytest.mark.campaign),
    pytest.param({"after": "assert_ = 2 // calls\\n  win(active)"},
                 marks=pytest.mark.campaign),
    pytest.param({"after": "for p in players:\\n    active = p\\n  win(active)"},
                 marks=pytest.mark.campaign),
    {"after": "while calls < 2:\\n    call_out()\\n  win(active)"},
])
def test_the_findings_are_the_same(tmp_path: Path, changes: dict[str, str]) -> None:
    """One order for all gives the same findings from fewer states."""
    texts = {k: v.replace("\\n  ", "\\n") for k, v in changes.items()}
    source = bazaar(tmp_path, 3, **texts)
    found = [verify(source, Settings(players=3), reduce=reduce) for reduce in (True, False)]
    one, whole = ([(f.id, f.cls, f.level, f.clauses, f.evidence.depth) for f in report.everything]
                  for report in found)
    assert one == whole
    assert {h.open_point for h in found[0].harmless} == {h.open_point for h in found[1].harmless}
    states = [sum(scope.states for scope in report.explored) for report in found]
    assert states[0] < states[1]


@pytest.mark.parametrize("name", often("edition-wars", of=GAMES))
def test_no_outcome_is_lost(name: str) -> None:
    """Law: what is declared at rests outside of the windows, and at the end, is the same set."""
    compiled = subject(name).compiled
    windows = indifferent(compiled)
    if not windows:
        return
    seen: list[set[tuple[int, bytes]]] = []
    for program in (Program(compiled.machine, one_order=windows), Program(compiled.machine)):
        run = Exploration(program)
        if not run.run(max_states=20_000).complete:
            return
        declared = Labels(program).declared
        nodes = {node.id: node for node in program.machine.nodes}
        rests = program.layout.rests
        seen.append({
            (rests[program.rank(s)], declared(s)) for s in run.order
            if nodes[rests[program.rank(s)]].step not in windows})
    assert seen[0] == seen[1]


LOOPS = """
game: pots
title: Pots
players: {{count: 3}}
state:
  active: {{type: player, start: 1}}
  pot: {{type: int 0..4, per: player, start: 1}}
  bank: {{type: int 0..9, start: 2}}
steps: {{game: {{}}}}
start: game
clauses:
- {{id: p.pay, kind: effect, says: everybody is paid, on: game, do: "for p in players:\\n  {body}"}}
"""


@pytest.mark.parametrize(("body", "proved"), [
    ("pot[p] += 1", True),
    ("pot[p] = max(0, pot[p] - 2)", True),
    ("bank -= 1", False),
    ("pot[next_player(p)] += pot[p]", False),
    ("pot[p] = pot[active]", False),
    ("active = p", False),
])
def test_loops_over_players(tmp_path: Path, body: str, *, proved: bool) -> None:
    """A loop over players may run in any order only where that is proved."""
    (tmp_path / "game.yaml").write_text(LOOPS.format(body=body))
    game = Workbench(str(tmp_path), Settings()).game("printed")
    assert bool(why_any_order(game, "p.pay")) == proved
