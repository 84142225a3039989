"""Ways out say what they change, as far as it was computed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from ruleproof.checker.audit.audit import Audit
from ruleproof.checker.audit.listener import Listener
from ruleproof.checker.audit.symptoms import marks_of, seen_in
from ruleproof.checker.bench.workbench import Instance, Workbench
from ruleproof.checker.checks import ambiguity as check_ambiguity
from ruleproof.checker.checks import behaviour as check_behaviour
from ruleproof.checker.checks import endless as check_endless
from ruleproof.checker.findings.results import Finding, WayOut
from ruleproof.checker.judge import decide
from ruleproof.checker.verify import explore_scope, verify
from ruleproof.model.game.game import Settings
from ruleproof.model.machine.state import Move, State
from ruleproof.model.plays.wording import plain_name
from ruleproof.reports.blocks.finding import effects
from ruleproof.tests.support import seeding
from ruleproof.tests.support.little import write
from ruleproof.tests.support.places import TESTS

SPECS = TESTS / "specs"
LANTERNS = (SPECS / "lanterns.yaml").read_text("utf-8")
SEEDS = {str(seed["id"]): seed for seed in seeding.table("seeds")}

WELL = """
game: well
title: The Well
players: {count: 2}
families: {pail: {attributes: {full: bool}}}
cards: {pail: {brim: {copies: 2, full: true}}}
zones:
  well: {holds: pail, kind: deck, starts: all, seen_by: none}
  yard: {holds: pail, kind: bag, per: player}
state: {active: {type: player, start: 1}, rest: {type: int 0..1, start: 0}}
steps: {game: {}}
windows: {pulling: {by: active, done: go home}}
start: game
clauses:
- id: w.turns
  kind: order
  says: three times somebody is at the well
  on: game
  do: |
    for i in range(0, 3):
      pulling()
      active = next_player(active)
- {id: w.pull, kind: permit, says: a pail is pulled up, on: pulling, option: pull,
   do: "draw(1, well, yard[actor])"}
- {id: w.rest, kind: permit, says: one may sit down on the rim, on: pulling, option: sit,
   when: size(well) > 5, do: rest = 1}
open_points:
- id: dry
  clauses: [w.pull, w.rest]
  asks: may one pull at a dry well
  readings:
  - {id: pull, title: one may try, changes: {}}
  - id: look
    title: no
    changes: {w.pull: {when: size(well) > 0}, w.rest: {when: size(well) == 0}}
"""

DRY = "well/undefined-operation/w.pull/nothing-to-draw"


def audit_of(source: str, *, max_states: int = 20_000, settings: Settings | None = None) -> Audit:
    """Explore a game at the printed size."""
    chosen = settings or Settings()
    bench = Workbench(source, chosen)
    scope = explore_scope(bench, chosen.scope, max_states, None, lambda _: None)
    return Audit(bench, scope.instance, [scope], max_states, 0, Listener(), lambda _: True)


def seeded(name: str, folder: Path) -> tuple[str, Settings]:
    """Write a seeded game; give its folder and its settings."""
    return seeding.write(SEEDS[name], folder / "game"), Settings(variants=(seeding.MODE,))


def named(instance: Instance, state: State) -> dict[tuple[str, str, tuple[object, ...]], Move]:
    """Return the legal moves of the reference interpreter by what the players see of them."""
    nodes = {node.id: node for node in instance.compiled.machine.nodes}
    node = nodes[state.node]
    edges = {edge.id: edge.label for edge in node.edges}
    return {(plain_name(node.name), edges[move.edge], move.args): move
            for move in instance.interpreter.moves(state)}


def differing(here: Instance, there: Instance) -> tuple[int, int]:
    """Count by the reference interpreter what `flips_positions` and `situations` count."""
    start = (here.interpreter.start().state, there.interpreter.start().state)
    queue, flipped = [start], set()
    seen = set(queue)
    for s, t in queue:
        mine, theirs = named(here, s), named(there, t)
        over, over_too = here.interpreter.final(s), there.interpreter.final(t)
        if mine.keys() != theirs.keys() or over != over_too or (
            over and here.interpreter.winners(s) != there.interpreter.winners(t)
        ):
            flipped.add(s)
        for name in mine.keys() & theirs.keys():
            pair = (here.interpreter.step(s, mine[name]).state,
                    there.interpreter.step(t, theirs[name]).state)
            if pair not in seen:
                seen.add(pair)
                queue.append(pair)
    return len(flipped), len({s for s, _ in queue})


def way_to(found: Iterable[Finding], finding: str, text: str) -> WayOut:
    """Find a way out by its finding and a part of its text."""
    (one,) = [f for f in found if f.id == finding]
    return next(way for way in one.ways_out if text in way.text)


# ----------------------------------------------------------------------- readings


@pytest.mark.parametrize("spec", [LANTERNS, WELL])
def test_flips_are_counted_as_the_interpreter_counts_them(spec: str, tmp_path: Path) -> None:
    """The situations that differ are those that a plain search of both games finds."""
    audit = audit_of(str(write(tmp_path, spec)))
    check_ambiguity.run(audit)
    (scope,) = audit.scopes
    (finding,) = decide.findings(audit)
    (way,) = finding.ways_out
    other = audit.bench.instance("printed", rulings=way.adopt)

    assert (way.flips_positions, way.situations) == differing(scope.instance, other)
    assert way.flips_positions
    assert way.scope == "printed"


def test_a_reading_settles_what_does_not_show_under_it(tmp_path: Path) -> None:
    """The draw from a dry well goes with the reading that forbids it, and is told so there."""
    found = verify(str(write(tmp_path, WELL)), Settings()).everything
    way = way_to(found, "well/ambiguity/dry", "adopt: no")

    assert way.removes == (DRY,)
    settled = verify(str(tmp_path), Settings(rulings=(("dry", "look"),))).everything
    assert not {f.id for f in settled} & set(way.removes)
    assert way_to(found, DRY, "adopt: no").adopt == {"dry": "look"}


def test_to_go_on_as_it_is_played_is_no_way_out(tmp_path: Path) -> None:
    """Only other readings are."""
    found = verify(str(write(tmp_path, WELL)), Settings()).everything

    assert [way.adopt for each in found if each.id == "well/ambiguity/dry"
            for way in each.ways_out] == [{"dry": "look"}]


@pytest.mark.usefixtures("printed_is_large")
def test_situations_are_counted_where_a_finding_was_shown(tmp_path: Path) -> None:
    """Of readings that random play of the printed game told apart none are in a small one."""
    source = write(tmp_path, WELL + "scopes: {tiny: {cards: {pail: {brim: 4}}}}\n")
    found = verify(str(source), Settings()).everything
    finding = next(each for each in found if each.id == "well/ambiguity/dry")
    (way,) = finding.ways_out

    assert finding.evidence.scope == "printed"
    assert (way.flips_positions, way.situations) == (None, None)
    assert effects(way, finding)[-1].endswith("of printed games go differently")
    assert not effects(WayOut("x", flips_positions=0, situations=9), finding)


def test_without_a_whole_exploration_nothing_is_said(tmp_path: Path) -> None:
    """In a scope that was not explored to its end a way out has no figures."""
    audit = audit_of(str(write(tmp_path, LANTERNS)), max_states=20)
    check_ambiguity.run(audit)
    (finding,) = decide.findings(audit)

    assert [(w.flips_positions, w.removes, w.adds, w.scope)
            for w in finding.ways_out] == [(None, (), (), "")]


# ----------------------------------------------------------------------- marks


@pytest.mark.parametrize("name", [
    "must-sell-may-not", "turn-ends-with-one", "one-of-two-contradictions", "arms-beyond-two",
    "charge-without-arms", "until-the-stock-is-empty", "look-again", "forced-sale", "empty-stock",
])
def test_marks_are_what_the_checks_report(name: str, tmp_path: Path) -> None:
    """What is observed of play is what is found in one pass, and the other way round."""
    source, settings = seeded(name, tmp_path)
    audit = audit_of(source, settings=settings)
    (scope,) = audit.scopes
    seen = seen_in(scope, scope.instance.program)
    assert seen is not None
    marks = marks_of(scope.instance, scope.instance.program, seen)
    check_behaviour.run(audit)
    check_endless.run(audit)
    found = [one.identity for one in audit.observed if one.identity.cls != "false-claim"]

    assert found
    assert sorted(found) == sorted(marks)


@pytest.mark.parametrize(("name", "finding", "clause"), [
    ("must-sell-may-not", "stall/contradiction/s.hold+s.must/stall", "s.hold"),
    ("last-pay", "stall/limit-broken/s.purse", "s.pay"),
])
def test_dropping_a_sentence_settles(
    name: str, finding: str, clause: str, tmp_path: Path
) -> None:
    """Without the sentence that is named, the finding is gone."""
    source, settings = seeded(name, tmp_path)
    way = way_to(verify(source, settings).everything, finding, f"`{clause}`")
    bench = Workbench(source, settings)
    other = bench.instance("printed", changes=({"drop": [clause]},))
    audit = audit_of(source, settings=settings)
    seen = seen_in(audit.scopes[0], other.program)

    assert seen is not None
    gone = marks_of(other, other.program, seen)
    assert way.flips_positions
    assert all(mark.cls != finding.split("/")[1] for mark in gone)


def test_a_sentence_that_runs_the_game_is_not_dropped(tmp_path: Path) -> None:
    """Without turns no limit is broken; that is no way out."""
    source, settings = seeded("forced-sale", tmp_path)
    (found,) = [f for f in verify(source, settings).everything if f.cls == "limit-broken"]

    assert all("`s.stall`" not in way.text for way in found.ways_out)
