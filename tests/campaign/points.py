"""Laws about what a book leaves open: readings told apart or not, orders that matter or do not."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from ruleproof.checker.orders.games import rulings_of
from ruleproof.checker.points.points import Point, has_clauses, points_of
from ruleproof.model.game import phrases as parts
from ruleproof.model.game.probes import probed
from ruleproof.model.machine.state import State
from ruleproof.model.run.interp import EndlessRules
from ruleproof.model.source.errors import SpecErrors, UsageError
from ruleproof.tests.campaign.brute import TooLarge, counted_in, difference, surely_apart
from ruleproof.tests.campaign.trial import explored

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ruleproof.model.run.interp import Interpreter
    from ruleproof.tests.campaign.brute import Explored
    from ruleproof.tests.campaign.trial import Trial

SURE = ("exhaustive", "proof")
MOST_INSIDE = 400
Ends = "Mapping[object, Fraction]"


def points(trial: Trial) -> dict[str, Point]:
    """List the open points of all scopes."""
    found: dict[str, Point] = {}
    for scope in trial.scopes:
        for point in points_of(trial.bench.instance(scope).compiled):
            found.setdefault(point.id, point)
    return found


def verdicts(trial: Trial, point: Point, reading: str) -> tuple[bool, str]:
    """Say whether a reading was found to matter, and else how it was shown to be harmless."""
    report = trial.report
    found = any(f.open_point == point.id and reading in [r.id for r in f.readings]
                for f in report.everything)
    harmless = next((h.method for h in report.harmless if h.open_point == point.id or (
        h.open_point.startswith(f"{point.id}=")
        and reading in h.open_point.split("=", 1)[1].split(", "))), "")
    return found, harmless


def readings(trial: Trial) -> Iterator[str]:
    """Tell readings apart that are found to matter, and none that are said to be harmless."""
    if any(trial.brute(scope) is None for scope in trial.scopes):
        return  # nothing was asked
    for point in points(trial).values():
        if point.kind not in ("declared", "timing", "rules"):
            continue
        for reading, _ in point.readings:
            if reading == point.adopted:
                continue
            found, harmless = verdicts(trial, point, reading)
            apart = [f"{scope}: {how}" for scope in (*trial.scopes, *["printed"] * found)
                     if (how := _apart(trial, scope, point, reading))]
            surely = [f"{scope}: {how}" for scope in trial.scopes if harmless in SURE and apart
                      and (how := _apart(trial, scope, point, reading, how=surely_apart))]
            if surely:
                yield f"{point.id}={reading} is said to be harmless ({harmless}): {surely}"
            if found and not apart and point.kind != "rules" and not any(
                _apart(trial, "printed", point, reading, (mode,))
                for mode in trial.game("printed").variants
            ):
                yield f"{point.id}={reading} is said to matter, and does not"
            if not found and not harmless and point.id not in " ".join(
                    n.what for n in trial.report.not_checked):
                yield f"{point.id}={reading} is in no list ({apart})"


def _apart(
    trial: Trial, scope: str, point: Point, reading: str,
    variants: tuple[str, ...] | None = None, *,
    how: Callable[[Explored, Explored], str] = difference,
) -> str:
    try:
        one = trial.brute(scope, variants=variants)
        two = trial.brute(scope, rulings={point.id: reading}, variants=variants)
    except (SpecErrors, UsageError):
        return ""
    if one is None or two is None:
        return "one has no start" if one is not two else ""
    return how(one, two)


# -------------------------------------------------------------------------- orders


def orders(trial: Trial) -> Iterator[str]:
    """Orders that are said not to matter do not: not in what can happen, nor in its odds."""
    for point in points(trial).values():
        if point.kind not in ("clauses", "loop", "window"):
            continue
        for reading, _ in point.readings:
            if reading == point.adopted:
                continue
            found, harmless = verdicts(trial, point, reading)
            if found or harmless not in SURE:
                continue
            for scope in ("printed",) if harmless == "proof" else trial.scopes:
                try:
                    apart = _results_differ(trial, scope, point, reading)
                except (SpecErrors, UsageError, EndlessRules):
                    continue
                if apart:
                    yield (f"{point.id}={reading} is said to be harmless ({harmless}), {scope}: "
                           f"{apart}")


def _pauses(trial: Trial, scope: str, point: Point) -> frozenset[str]:
    if point.kind == "window":
        return frozenset(point.names)
    if point.kind == "loop":
        return frozenset(point.clauses)
    clauses = {clause.id: clause for clause in trial.game(scope).clauses}
    return frozenset({clauses[point.clauses[0]].on})


def _results_differ(trial: Trial, scope: str, point: Point, reading: str) -> str:
    """Run what has no order both ways, from each situation in which it comes up."""
    pauses, game = _pauses(trial, scope, point), trial.game(scope)
    if not has_clauses(game, point):
        return ""
    one, two = (trial.brute(scope, rulings=rulings_of(game, point, each), pauses=pauses)
                for each in (point.adopted, reading))
    if one is None or two is None:
        return "one has no start" if one is not two else ""
    nodes = {node.name: node.id for node in two.machine.nodes}
    counted = counted_in(one, two)
    for state in one.states:
        name = one.interp.nodes[state.node].name
        if not name.startswith("before "):
            continue
        there = _moved(one, two, state, nodes[name])
        asked, asked_too = set[object](), set[object]()
        mine, told = _ends(one, state, counted, asked)
        theirs, told_too = _ends(two, there, counted, asked_too)
        if mine.keys() != theirs.keys():
            return f"{name}: other results"
        if asked != asked_too:
            return f"{name}: others are asked"
        if not told and not told_too and mine != theirs:
            return f"{name}: other odds"
    return ""


def _moved(one: Explored, two: Explored, state: State, node: int) -> State:
    """Return a state of one machine in the other, by names."""
    known, at = {}, 0
    for array in one.machine.arrays:
        known[array.name] = state.values[at:at + array.size]
        at += array.size
    values: list[int] = []
    for array in two.machine.arrays:
        mine = known.get(array.name, ())
        values.extend(mine if len(mine) == array.size else array.start)
    return State(node, tuple(values))


def _ends(
    game: Explored, start: State, counted: frozenset[str] | None, asked: set[object]
) -> tuple[dict[object, Fraction], bool]:
    """Return how what begins can end, with its odds, and whether anybody chooses on the way.

    Who is asked what on the way, among several answers, is added to `asked`.
    """
    interp: Interpreter = game.interp
    after = interp.nodes[start.node].name.replace("before ", "after ", 1)
    ends: dict[object, Fraction] = {}
    chosen, steps = False, 0
    level: dict[tuple[State, frozenset[object]], Fraction] = {(start, frozenset()): Fraction(1)}
    seen: set[object] = set()
    duties = {duty.id: (duty.clause, duty.prompt) for duty in game.machine.obligations}
    while level:
        new: dict[tuple[State, frozenset[object]], Fraction] = {}
        for (state, owed), share in level.items():
            steps += 1
            if steps > MOST_INSIDE:
                raise TooLarge
            if interp.final(state) or interp.nodes[state.node].name == after:
                key = (game.shown(state, counted), owed)
                ends[key] = ends.get(key, Fraction(0)) + share
                continue
            chance = dict(interp.chance(state))
            moves = interp.moves(state)
            if not chance and len(moves) > 1:
                chosen = True
                node = interp.nodes[state.node]
                if node.kind == "decide":
                    asked.add((interp.by(state), node.name.partition(" #")[0]))
            if not moves:
                ends["stuck", owed] = ends.get(("stuck", owed), Fraction(0)) + share
            for move in moves:
                step = interp.step(state, move)
                more = owed | {duties[note] for note in step.notes}
                key_too = (step.state, more)
                if chosen and key_too in seen:
                    continue
                seen.add(key_too)
                new[key_too] = new.get(key_too, Fraction(0)) + share * chance.get(
                    move, Fraction(1, len(moves)))
        level = new
    return ends, chosen


# ------------------------------------------------------------------------- phrases


def phrases(trial: Trial) -> Iterator[str]:
    """Phrases that are said to change nothing change nothing."""
    for finding in trial.report.everything:
        about = finding.identity
        if about is None or about.kind != "phrase" or finding.evidence.method not in SURE:
            continue
        quoted = finding.evidence.details["phrases"]
        scopes = finding.evidence.scope.split(", ")
        for scope in scopes:
            game = trial.game(scope)
            clause = next(c for c in game.clauses if c.id == about.clause)
            for phrase in parts.phrases_of(clause):
                if phrase.text not in quoted:
                    continue
                one, two = (explored(each) for each in probed(game, clause.id, (phrase,)))
                if one is None or two is None:
                    continue
                apart = difference(one, two)
                if apart and quoted.count(phrase.text) == sum(
                        p.text == phrase.text for p in parts.phrases_of(clause)):
                    yield f"{finding.id} ({finding.evidence.method}): `{phrase.text}`: {apart}"
