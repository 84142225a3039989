"""More than two sentences in no stated order: what comparing each two of them leaves out.

Each two are compared with all others in the order of the file.  If two pairs that share a sentence
make no difference alone, both together may: what opens two doors and what goes through both.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from itertools import combinations, pairwise, permutations

import networkx as nx

from ...model.game.game import Game
from ...model.machine.state import State
from ...model.plays.board import values_by_name
from ...model.rules.ordering import Order, order_on
from ...model.run.interp import UNPLAYABLE
from ..audit.audit import Audit
from ..audit.scoped import Scoped, method_of
from ..bench.workbench import Instance
from ..findings.evidence import NotReplayed, moves_of, play_of, state_after
from ..findings.observations import Observation
from ..findings.outcomes import ahead, changed, went_wrong
from ..findings.results import LEVELS, Evidence, Identity, Shown
from ..findings.rows import Outcome
from ..packed.flags import LEGAL, WINNER
from ..points.left_open import left_open
from ..points.points import Point, says
from ..points.situation import come_to
from ..search.labels import Label
from .deciding import compared_in
from .games import pauses_of
from .passages import Comparison, compare_orders, without_pauses

MOST_SENTENCES, MOST_ORDERS = 5, 6
"""Of more sentences, or more orders that no pair tells, none is compared."""


def compare_several(audit: Audit, points: Iterable[Point]) -> None:
    """Compare other orders of sentences of which each two alone make no difference.

    What is proved of two holds wherever they stand, so their order changes nothing; and two of
    which the order matters, or is decided, keep it.
    """
    free = {one.open_point for one in audit.harmless}
    same = {one.open_point for one in audit.harmless if one.method != "proof"}
    pairs = [point for point in points if point.kind in ("clauses", "rules")
             and point.id in same and not point.decided]
    graph: nx.Graph[str] = nx.Graph([point.clauses for point in pairs])
    for group in nx.connected_components(graph):
        some = [point for point in pairs if point.clauses[0] in group]
        if len(some) > 1 and not _decide(
                audit, _together(audit.printed.game, some), some, free):
            audit.not_checked.append(left_open(
                _together(audit.printed.game, some),
                "each two of these make no difference while the others keep their order; other "
                "orders of all of them were not compared"))


def _together(game: Game, pairs: Sequence[Point]) -> Point:
    """Return the order of several sentences as one point, which has no readings of its own."""
    found = {name: None for point in pairs for name in point.clauses}
    names = tuple(sorted(found, key=lambda name: next(
        (place for place, clause in enumerate(game.clauses) if clause.id == name),
        len(game.clauses))))
    return Point(f"order/{'/'.join(names)}", pairs[0].kind, names,
                 f"which comes first: {'; or: '.join(says(game, name) for name in names)}", (), "")


def _decide(
    audit: Audit, whole: Point, pairs: Sequence[Point], free: AbstractSet[str]
) -> bool:
    """Compare the orders that are left; return whether all were, or one makes a difference."""
    few = whole.kind == "clauses" and len(whole.clauses) <= MOST_SENTENCES
    scopes = compared_in(audit, whole) if few and not audit.stop.heed() else []
    complete = bool(scopes)
    for scope in scopes:
        game = scope.instance.game
        order = order_on(game, game.clause(whole.clauses[0]).on)  # type: ignore[union-attr]
        base, others = _orders(order, pairs, free)
        if len(others) > MOST_ORDERS:
            return False
        for other in others:
            try:
                found = _compared(audit, whole, scope, (base, other))
                if found.parting is not None:
                    _report(audit, whole, scope, (base, other), found)
                    return True
            except (*UNPLAYABLE, NotReplayed):
                return False
            complete = complete and found.complete
    return complete


def _orders(
    order: Order, pairs: Sequence[Point], free: AbstractSet[str]
) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the order that is played, and one for each way to turn round several of the pairs.

    They are of all that the step has, and each two keep their order that are not `free` of it.
    """
    base = order.names() or ()
    some = [name for name in base if any(name in point.clauses for point in pairs)]

    def turned(names: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(point.id for point in pairs if sorted(point.clauses, key=names.index)
                     != sorted(point.clauses, key=base.index))

    found: dict[tuple[str, ...], tuple[str, ...]] = {}
    kept = [(one, two) for one, two in combinations(base, 2)
            if free.isdisjoint((f"order/{one}/{two}", f"order/{two}/{one}"))]
    for mixed in permutations(some):
        if (names := order.names(*kept, *pairwise(mixed))) is not None:
            found.setdefault(turned(names), names)
    return base, [names for key, names in found.items() if len(key) > 1]


def _rulings(game: Game, names: tuple[str, ...]) -> dict[str, str]:
    """Return the rulings under which the sentences of a step stand in an order."""
    clauses = [clause for clause in game.clauses if clause.id in names]
    return {f"order/{one.id}/{two.id}":
            "first" if names.index(one.id) < names.index(two.id) else "second"
            for one, two in order_on(game, clauses[0].on).open(clauses)}


def _compared(
    audit: Audit, whole: Point, scope: Scoped, orders: tuple[tuple[str, ...], tuple[str, ...]]
) -> Comparison:
    around = pauses_of(scope.instance.game, whole)
    first, second = (audit.bench.instance(
        scope.name, rulings=_rulings(scope.instance.game, names), pauses=around, alone=True)
        for names in orders)
    return compare_orders(first, second, around=around)


def _report(
    audit: Audit, whole: Point, scope: Scoped, orders: tuple[tuple[str, ...], tuple[str, ...]],
    found: Comparison,
) -> None:
    """Observe that two orders come to different things.

    Raises:
        NotReplayed: if the way to it rests only as the game pauses.

    """
    parting, game = found.parting, scope.instance.game
    assert parting is not None
    both = [audit.bench.instance(scope.name, rulings=_rulings(game, names), alone=True)
            for names in orders]
    before = both[0]
    way = moves_of(before, without_pauses(parting.play))
    start = values_by_name(before.compiled.machine, state_after(before, way))

    def after(reading: int, inside: tuple[Label, ...]) -> tuple[Instance, State]:
        there = both[reading]
        return there, state_after(
            there, moves_of(there, without_pauses((*parting.play, *inside))))

    def told(end: tuple[Instance, State]) -> str:
        return ahead(*end) if parting.level == LEGAL else changed(*end, start)

    mine, theirs = parting.reading, 1 - parting.reading
    ends = {mine: after(mine, parting.inside)} | (
        {theirs: after(theirs, parting.instead[0])} if parting.instead else {})
    parts = {number: "; ".join((
        told(ends[number]) if number in ends else parting.other,
        *(went_wrong(audit.words, *each) for each in parting.goes_wrong[number != mine])))
        for number in (0, 1)}
    won = {end[0].interpreter.winners(end[1]) if end[0].interpreter.final(end[1]) else None
           for end in ends.values()}
    level = WINNER if parting.alone and len(won) > 1 else parting.level
    audit.observe(Observation(
        Identity("order-dependence", kind="several", place="/".join(whole.clauses)),
        whole.clauses,
        Evidence("split", method_of([scope]), scope.name,
                 plays=(Shown("", play_of(before, way)),),
                 position=come_to(before, way, len(way), read=len(way) - 1),
                 depth=len(without_pauses((*parting.play, *parting.inside))), replayed=True,
                 details={"situations": found.situations}),
        LEVELS[level], said={"orders": [_rulings(game, names) for names in orders]},
        readings=tuple(
            Outcome("/".join(names), "; then: ".join(says(game, name) for name in names), what)
            for names, what in zip((tuple(name for name in each if name in whole.clauses)
                                    for each in orders), (parts[0], parts[1]), strict=True))))
