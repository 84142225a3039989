"""Open points: which of them matter, where they first do, and which are harmless.

Every reading that is not adopted is compared with the adopted one, alone (single flips, then pairs:
defects.md).  Points about an order are compared by what can come out (`orders`), all others move by
move (`diverge`).  A point that splits in no scope is harmless there, and the report says how far
that was shown.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ...model.game import syntax as sx
from ...model.game.unparse import unparse
from ...model.orders.independence import why_independent
from ...model.orders.responders import why_any_order, why_indifferent
from ...model.plays.board import values_by_name
from ...model.plays.moves import node_of
from ...model.run.interp import EndlessRules
from ...model.source.errors import SpecErrors, UsageError, first_line
from ..judge.audit import method_of, names_of
from ..judge.evidence import (
    NotReplayed,
    moves_of,
    moves_text,
    outcome_text,
    play_of,
    position_of,
    sources_of,
    state_after,
    winners_text,
)
from ..judge.results import Evidence, Finding, Harmless, NotChecked, Outcome
from ..judge.ways import adopting, shown_in
from ..search.parallel import ask_all
from ..search.product import LEGAL, WINNER, diverge
from .exercise import entered, may_differ, ran
from .orders import compare_orders, transfer, without_pauses
from .points import points_of

if TYPE_CHECKING:
    from ...model.game.game import Game
    from ...model.lowering.compile import Compiled
    from ...model.machine.state import State
    from ..judge.audit import Audit, Scoped
    from ..judge.results import Class
    from ..search.product import Divergence, Split
    from ..search.workbench import Instance
    from .orders import Comparison, Parting
    from .points import Point

PAIRS = 60_000
"""Pairs of states of one comparison."""
PATIENCE = 15_000
"""Pairs looked at after the first split, in search of one that matters more."""


def run(audit: Audit) -> None:
    """Decide every open point."""
    points = all_points(audit)
    for scope in audit.comparable() if points else ():
        shown_in(audit, scope)  # once, before the questions are parted among processes
    ask_all(audit, decide, points, lambda point: f"open point {point.id}")


def decide(audit: Audit, point: Point) -> None:
    """Decide one open point."""
    why = proof_of(audit.printed.compiled, point)
    if why:
        audit.harmless.append(Harmless(point.id, f"{point.asks}: {why}", "proof"))
        return
    if point.kind in ("clauses", "loop", "window"):
        _order(audit, point)
    else:
        _readings(audit, point)


def proof_of(compiled: Compiled, point: Point) -> str:
    """Say why the order that a point asks for cannot matter, or give "" if that is not proved."""
    match point.kind:
        case "clauses":
            return why_independent(compiled.game, *point.clauses)
        case "window":
            return why_indifferent(compiled, point.names[0])
        case "loop":
            return why_any_order(compiled.game, point.clauses[0])
        case _:
            return ""


def all_points(audit: Audit) -> tuple[Point, ...]:
    """List the open points of all scopes; the same point may show only in some."""
    found: dict[str, Point] = {}
    for scope in audit.scopes:
        for point in points_of(scope.instance.compiled):
            found.setdefault(point.id, point)
    return tuple(found.values())


# ---------------------------------------------------------------------- readings, move by move


def _readings(audit: Audit, point: Point) -> None:
    splits: list[tuple[str, Scoped, Instance, Divergence]] = []
    quiet: list[str] = []
    whole = True
    for reading, _ in point.readings:
        if reading == point.adopted:
            continue
        best: tuple[Scoped, Instance, Divergence] | None = None
        for scope in audit.comparable():
            if best is not None and best[2].best is not None and best[2].best.level <= LEGAL:
                break
            if not _may_differ(audit, scope, point, reading):
                continue
            try:
                other = audit.bench.instance(scope.name, rulings={point.id: reading})
                found = diverge(scope.instance.program, other.program, limit=PAIRS,
                                patience=PATIENCE)
            except (SpecErrors, UsageError, EndlessRules) as error:
                audit.not_checked.append(NotChecked(
                    f"{point.id} = {reading} in scope {scope.name}", first_line(error)))
                whole = False
                continue
            if found.best is None:
                whole = whole and found.complete
                continue
            if best is None or found.best.level < best[2].best.level:  # type: ignore[union-attr]
                best = (scope, other, found)
        if best is None:
            quiet.append(reading)
        else:
            splits.append((reading, *best))
    if splits:
        _report_readings(audit, point, splits)
    elif point.readings:
        names = names_of(audit.comparable())
        audit.harmless.append(Harmless(
            point.id, f"{point.asks}: the readings cannot be told apart in any reachable situation "
            f"of the scopes {names}", audit.reach() if whole else "bounded"))
    if splits and quiet:
        audit.harmless.append(Harmless(
            f"{point.id}={', '.join(quiet)}",
            f"{point.asks}: no difference from the adopted reading",
            audit.reach() if whole else "bounded"))


def _may_differ(audit: Audit, scope: Scoped, point: Point, reading: str) -> bool:
    """Say whether two readings could differ in a scope, by what ran there."""
    clauses = {clause.id: clause for clause in scope.instance.game.clauses}
    return any(may_differ(scope, audit.bench.changes(point.id, name), clauses)
               for name in (point.adopted, reading))


def _report_readings(
    audit: Audit, point: Point, splits: list[tuple[str, Scoped, Instance, Divergence]]
) -> None:
    reading, scope, other, found = min(
        splits, key=lambda s: (s[3].best.level, len(s[3].best.play)))  # type: ignore[union-attr]
    split = found.best
    assert split is not None
    first = found.first
    assert first is not None
    game = scope.instance.game
    adopted = scope.instance
    mine, theirs, outcomes = _both(adopted, other, split)
    titles = dict(point.readings)
    readings = [Outcome(point.adopted, titles.get(point.adopted, point.adopted), *outcomes[0]),
                Outcome(reading, titles[reading], *outcomes[1])]
    for name, scope_too, other_too, found_too in splits:
        if name == reading:
            continue
        best = found_too.best
        assert best is not None
        _, _, more = _both(scope_too.instance, other_too, best)
        readings.append(Outcome(name, titles[name], *more[1]))
    cls: Class = "ambiguity" if point.kind == "declared" else "order-dependence"
    title = point.asks if point.kind == "declared" else f"it matters: {point.asks}"
    audit.add(Finding(
        f"{game.id}/{cls}/{point.id.replace('/', '-')}", cls, title, point.clauses,
        sources_of(game, point.clauses),
        Evidence("split", method_of([scope]), scope.name,
                 plays=((point.adopted, play_of(adopted, mine)), (reading, play_of(other, theirs))),
                 position=position_of(adopted, state_after(adopted, mine)),
                 depth=len(split.play), replayed=True,
                 details={"first_difference": {"depth": len(first.play), "level": first.level},
                          "compared": found.pairs}),
        split.level, open_point=point.id, readings=tuple(readings),
        explanation=f"the readings first differ after {len(first.play)} moves"
        + (f", and the winner after {len(split.play)}" if split.level == WINNER
           and len(split.play) != len(first.play) else ""),
        ways_out=adopting(audit, point, scope)))


def _both(
    adopted: Instance, other: Instance, split: Split
) -> tuple[tuple[Any, ...], tuple[Any, ...], tuple[tuple[str, str], tuple[str, str]]]:
    """Replay a split under both readings; say what each leads to and whom it favours."""
    mine, theirs = moves_of(adopted, split.play), moves_of(other, split.play)
    here, there = state_after(adopted, mine), state_after(other, theirs)
    board = values_by_name(adopted.compiled.machine, here)
    board_too = values_by_name(other.compiled.machine, there)
    texts = [outcome_text(adopted, here, board_too), outcome_text(other, there, board)]
    if split.level == LEGAL:
        own, alien = moves_text(adopted, here), moves_text(other, there)
        for number, (one, two) in enumerate(((own, alien), (alien, own))):
            extra = [text for text in one if text not in two]
            if extra:
                texts[number] += f"; only here: {'; '.join(extra[:2])}"
    return mine, theirs, ((texts[0], _favours(adopted, here)), (texts[1], _favours(other, there)))


def _favours(instance: Instance, state: Any) -> str:  # noqa: ANN401
    if instance.interpreter.final(state):
        winners = instance.interpreter.winners(state)
        return winners_text(instance.compiled.machine, winners) if winners else "nobody"
    return ""


# ---------------------------------------------------------------------- orders, by what comes out


def _order(audit: Audit, point: Point) -> None:
    alternatives = [r for r, _ in point.readings if r != point.adopted]
    base = point.adopted
    situations = 0
    whole = True
    for reading in alternatives:
        for scope in audit.comparable():
            pauses = pauses_of(scope.instance.game, point)
            if not pauses or not _comes_up(scope, point):
                continue
            try:
                first = audit.bench.instance(scope.name, rulings={point.id: base}, pauses=pauses)
                second = audit.bench.instance(scope.name, rulings={point.id: reading},
                                              pauses=pauses)
                found = compare_orders(first, second)
            except (SpecErrors, UsageError, EndlessRules) as error:
                audit.not_checked.append(NotChecked(
                    f"{point.id} in scope {scope.name}", first_line(error)))
                whole = False
                continue
            situations += found.situations
            whole = whole and found.complete
            if found.parting is not None:
                _report_order(audit, point, scope, (base, reading), found)
                return
    names = names_of(audit.comparable())
    audit.harmless.append(Harmless(
        point.id,
        f"{point.asks}: in each of the {situations} situations of {names} in which it comes up, "
        "the same results come out in either order, with the same odds" if situations else
        f"{point.asks}: it never comes up in the scopes {names}",
        audit.reach() if whole else "bounded"))


def _comes_up(scope: Scoped, point: Point) -> bool:
    """Say whether what has no order runs at all in a scope, as far as was explored."""
    if not scope.finished:
        return True
    if point.kind == "window":
        return entered(scope, point.names[0])
    return any(ran(scope, clause) for clause in point.clauses)


def pauses_of(game: Game, point: Point) -> frozenset[str]:
    """Name what is compared between two rests: the step, clause or window that has no order."""
    if point.kind == "window":
        return frozenset(point.names)
    if point.kind == "loop":
        return frozenset(point.clauses)
    step = next((c.on for c in game.clauses if c.id == point.clauses[0]), "")
    return frozenset({step}) if step in game.steps else frozenset()


def _report_order(
    audit: Audit, point: Point, scope: Scoped, readings: tuple[str, str], found: Comparison
) -> None:
    parting = found.parting
    assert parting is not None
    game = scope.instance.game
    own = readings[parting.reading]
    before = audit.bench.instance(scope.name, rulings={point.id: readings[0]})
    way = moves_of(before, without_pauses(parting.play))
    instance, end, shown = _carried_on(audit, point, scope, readings, parting)
    start = values_by_name(before.compiled.machine, state_after(before, way))
    other = readings[1 - parting.reading]
    titles = dict(point.readings)
    cls: Class = "order-dependence"
    title = f"the order matters: {point.asks}"
    both = [_assigned(c.do.statements) for c in game.clauses if c.id in point.clauses and c.do]
    if point.kind == "clauses" and len(both) == 2 and both[0] & both[1]:
        cls = "overlap"
        shared = ", ".join(sorted(both[0] & both[1]))
        title = f"two rules set {shared} differently at once: {point.asks}"
    audit.add(Finding(
        f"{game.id}/{cls}/{point.id.removeprefix('order/').replace('/', '-')}", cls, title,
        point.clauses, sources_of(game, point.clauses),
        Evidence("split", method_of([scope]), scope.name,
                 plays=(shown or (readings[0], play_of(before, way)),),
                 position=position_of(before, state_after(before, way)),
                 depth=len(without_pauses((*parting.play, *parting.inside))), replayed=True,
                 details={"situations": found.situations}),
        parting.level, open_point=point.id,
        readings=(
            Outcome(own, titles.get(own, own), outcome_text(instance, end, start),
                    _favours(instance, end)),
            Outcome(other, titles.get(other, other), parting.other, "")),
        ways_out=adopting(audit, point, scope)))


def _carried_on(
    audit: Audit, point: Point, scope: Scoped, readings: tuple[str, str], parting: Parting
) -> tuple[Instance, State, tuple[str, Any] | None]:
    """Follow the reading that parts to its result; give its machine, the state there, the play.

    The way to the situation is one of the adopted reading.  Where the point came up on it before,
    the other reading may not know that way; then it is followed from the situation on, and there is
    no play of it from the setup.
    """
    own = readings[parting.reading]
    instance = audit.bench.instance(scope.name, rulings={point.id: own})
    with suppress(NotReplayed):
        moves = moves_of(instance, without_pauses((*parting.play, *parting.inside)))
        return instance, state_after(instance, moves), (own, play_of(instance, moves))
    pauses = pauses_of(scope.instance.game, point)
    mine, theirs = (audit.bench.instance(scope.name, rulings={point.id: each}, pauses=pauses)
                    for each in (readings[0], own))
    there = state_after(mine, moves_of(mine, parting.play))
    moved = transfer(mine.program.whole, theirs.program.whole)
    start = theirs.program.whole.unpack(moved(mine.program.whole.pack(there)))
    end = state_after(theirs, moves_of(theirs, parting.inside, start), start)
    paused = True
    while paused and node_of(theirs.compiled.machine, end).name.startswith(("before ", "after ")):
        further = state_after(theirs, theirs.interpreter.moves(end)[:1], end)
        paused, end = further != end, further
    return theirs, end, None


def _assigned(statements: tuple[sx.Stmt, ...]) -> set[str]:
    """Name what a body sets outright."""
    found: set[str] = set()
    for stmt in statements:
        match stmt:
            case sx.Assign(target=target, op="="):
                found.add(unparse(target))
            case sx.IfThen(then=then, other=other):
                found |= _assigned(then) | _assigned(other)
            case sx.ForEach(body=body) | sx.While(body=body):
                found |= _assigned(body)
            case _:
                pass
    return found


# ---------------------------------------------------------------------- the author's questions


def questionnaire(findings: list[Finding]) -> tuple[Any, ...]:
    """Give the questions whose answers settle the open points, the most important first."""
    made: list[Any] = []
    asked: set[str] = set()
    for finding in findings:
        if not finding.open_point or len(finding.readings) < 2:
            continue
        if finding.open_point in asked:
            continue
        asked.add(finding.open_point)
        made.append({
            "open_point": finding.open_point, "finding": finding.id, "asks": finding.title,
            "answers": [{"reading": r.id, "then": r.outcome} for r in finding.readings]})
    return tuple(made)
