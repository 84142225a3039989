"""Open points: which of them matter, where they first do, and which are harmless.

What is proved harmless is not looked at further.  Points about an order are compared by what can
come out (`checker.orders`), all others move by move (`points.readings`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from ...model.orders.responders import FORFEITS_NOTHING
from ..audit.audit import Audit
from ..audit.parallel import ask_all
from ..bench.meaning import changes_of
from ..findings.observations import Observation
from ..findings.results import Harmless, Holds
from ..orders.deciding import decide_order, may_learn, proof_of, settled_by
from ..orders.games import pauses_of, rulings_of
from ..orders.knowing import compare_asked, compare_order, compare_windows
from ..orders.races import compare_acts
from ..orders.several import compare_several
from ..points.played import play_all
from ..points.points import Point, has_clauses, points_of
from ..points.readings import compare_readings
from ..points.rules import orders_of
from ..points.silences import silences_of, within_bounds


def run(audit: Audit) -> None:
    """Decide every open point."""
    points = all_points(audit)
    if points:
        audit.passed_over("open points", "scopes")
    ask_all(audit, decide, points, lambda point: f"open point {point.id}", rank=rank,
            about=lambda point: (point, changes_of(
                audit.bench, point.id, [reading for reading, _ in point.readings])),
            prepare=partial(_unite, audit), kind="question",
            lost=lambda point: {"left": "point", "point": point.id})
    compare_several(audit, points)


def rank(point: Point) -> int:
    """Return when a point is asked about, the least first, as time may run out.

    What the author of the spec declared comes first; then what a sentence does not say of itself;
    then rules of any time; then pairs of clauses, which are many and seldom matter; and at last
    what words or another clause decide, of which there is no finding; of these what takes long
    first, so that nobody waits for it in the end.
    """
    kinds = {"declared": 0, "silence": 1, "loop": 1, "window": 1, "clauses": 3}
    return kinds.get(point.kind, 2) if not point.decided else (
        4 if point.kind in ("loop", "window") else 5)


def _unite(audit: Audit, points: Sequence[Point]) -> None:
    """Relate the readings that are compared with each other as families, by kind of point.

    Those of the printed game are compiled now, for all processes, and played; of a scope, when one
    is asked.

    An order is compared between pauses, so it is of a family that pauses there: those of players
    are one, which pauses around all that has such an order.
    """
    audit.bench.narrow([point.id for point in points])
    audit.bench.unite([audit.bench.settings.scope], {})
    for kind in ("rules", "firing", "timing", "silence"):
        some = [each for point in points if point.kind == kind for reading, _ in point.readings
                if (each := orders_of(audit.printed.game, point, reading) if kind == "rules" else
                    {point.id: reading} if reading != point.adopted else {})]
        audit.bench.relate(some)
        if some:
            audit.bench.unite([audit.bench.settings.scope], some[0])
    scopes = [scope.instance.game for scope in audit.comparable()]
    rests: dict[frozenset[str], list[Mapping[str, str]]] = {}
    for point in points:
        for game in scopes if point.kind == "clauses" else ():
            if has_clauses(game, point):
                rests.setdefault(pauses_of(game, point), []).extend(
                    rulings_of(game, point, reading) for reading, _ in point.readings)
    for pauses, several in rests.items():
        if pauses:
            audit.bench.relate(several, pauses)
    open_ = [point for point in points if not settled_by(audit.printed.compiled, point)]
    turns = [point for point in open_ if point.kind in ("loop", "window")]
    audit.bench.relate(
        [{point.id: reading} for point in turns for reading, _ in point.readings],
        frozenset[str]().union(*(pauses_of(audit.printed.game, point) for point in turns)))
    play_all(audit, open_)


def decide(audit: Audit, point: Point) -> None:
    """Decide one open point.

    A difference that words or another clause decide is no finding, and where none could be seen
    nothing is left open, nor told of an answer that the report gives by these words; that it could
    not be compared somewhere is told.
    """
    before, open_before = len(audit.observed), len(audit.not_checked)
    harmless = len(audit.harmless)
    _compare(audit, point)
    if point.decided:
        audit.not_checked[open_before:] = [
            note for note in audit.not_checked[open_before:] if not note.of_point]
        audit.holds += [_as_decided(point, one) for one in audit.observed[before:]]
        del audit.observed[before:], audit.harmless[harmless:]


def _as_decided(point: Point, seen: Observation) -> Holds:
    """Tell a difference between readings as decided by what the marks name.

    Of a silence another clause may decide as none of the readings of the sentence alone has it.  Of
    several sentences that leave the same open it is told of the one that the play is about, and if
    that is not known, not what the others come to.
    """
    clause, asks, decided = point.clauses[0], point.asks, point.decided
    known = seen.said.get("decided") if point.apart else ""
    if known and seen.question is not None:
        clause, asks, decided = seen.clauses[0], seen.question.asks, str(known)
    others = [each for each in seen.readings if each.apart and each.id != point.adopted]
    answer = "" if point.kind == "silence" else (
        f": the answer is “{dict(point.readings)[point.adopted]}”")
    instead = "".join(f"; under “{each.title}”: {each.told}" for each in others
                      if known or not point.apart)
    return Holds(
        clause, f"decided by {decided}: “{asks}”{answer}{instead}",
        seen.evidence.method, seen.evidence.scope or "", "decided", point.id)


def _compare(audit: Audit, point: Point) -> None:
    why = proof_of(audit.printed.compiled, point)
    if why == FORFEITS_NOTHING:  # one order of asking reaches all; that leaves who may be first
        compare_acts(audit, point)
    elif why and point.kind == "window":
        compare_windows(audit, point, why)
    elif why and not may_learn(audit.printed.game, point):
        audit.harmless.append(Harmless(point.id, f"{point.asks}: {why}", "proof"))
    elif why and point.kind != "rules":
        compare_order(audit, point, why)
    elif point.kind in ("clauses", "loop", "window"):
        decide_order(audit, point)
    else:
        compare_readings(audit, point)
        compare_asked(audit, point)


def all_points(audit: Audit) -> tuple[Point, ...]:
    """List the open points of all scopes; the same point may show only in some."""
    found: dict[str, Point] = {}
    for scope in audit.scopes:
        for point in points_of(scope.instance.compiled):
            found.setdefault(point.id, point)
    silences = within_bounds(audit, silences_of(audit.printed.game))
    return (*found.values(), *silences)
