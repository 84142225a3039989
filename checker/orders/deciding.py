"""An order that nobody states: compared in all scopes and in plays of the printed game, and told.

What is proved not to matter is told by the proof.  What is left is compared by what can come out of
the situations in which it comes up (`passages`), or by who is asked first (`knowing`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress

import networkx as nx

from ...model.game import syntax as sx
from ...model.game.game import PRINTED, Game
from ...model.game.texts import walk
from ...model.game.unparse import unparse
from ...model.lowering.circles import home_of, who_may_run_what
from ...model.lowering.compile import Compiled
from ...model.orders.deciders import tells, tells_in_loop
from ...model.orders.independence import why_independent
from ...model.orders.responders import why_any_order, why_indifferent
from ...model.plays.board import values_by_name
from ...model.plays.wording import many
from ...model.run.interp import UNPLAYABLE
from ..audit.audit import Audit
from ..audit.scoped import Scoped, method_of
from ..clauses.exercise import entered, ran
from ..findings.evidence import NotReplayed, moves_of, play_of, state_after
from ..findings.observations import Observation
from ..findings.outcomes import ahead, changed, went_wrong
from ..findings.results import LEVELS, Evidence, Harmless, Shown
from ..findings.rows import Outcome
from ..packed.flags import LEGAL
from ..points.left_open import left_open, unplayable
from ..points.points import Point, has_clauses
from ..points.readings import FEWEST, about, asked
from ..points.situation import come_to
from .followed import carried_on, with_equal_winners
from .games import paused, pauses_of, under
from .knowing import compare_order, compare_windows
from .passages import (
    Comparison,
    compare_in_play,
    compare_orders,
    several_act,
    several_concerned,
    without_pauses,
)

CARD = "card:"
"""With this begins what coverage calls the text of a card; the name of its ability ends it."""
MORE_ORDERS = " (of more than two players, only clockwise and back were compared)"
"""Said where two orders of a loop are not all that there are."""


def proof_of(compiled: Compiled, point: Point) -> str:
    """Say why the order that a point asks for cannot matter, or give "" if that is not proved."""
    if not has_clauses(compiled.game, point):
        return ""
    match point.kind:
        case "clauses" | "rules":
            return why_independent(compiled.game, *point.clauses)
        case "window":
            return why_indifferent(compiled, point.names[0])
        case "loop":
            return why_any_order(compiled.game, point.clauses[0])
        case _:
            return ""


def may_learn(game: Game, point: Point) -> bool:
    """Return whether amid an order one decides who may learn what was chosen, or came by chance.

    That the same comes out if each does the same does not settle such an order.
    """
    match point.kind:
        case "clauses" | "rules":
            return tells(game, *point.clauses)
        case "loop":
            return tells_in_loop(game, point.clauses[0])
        case _:
            return False


def settled_by(compiled: Compiled, point: Point) -> str:
    """Say by what proof an order is harmless, also as whoever decides later learns nothing by it.

    "" if that is not proved.
    """
    why = proof_of(compiled, point)
    return "" if why and may_learn(compiled.game, point) else why


def decide_order(audit: Audit, point: Point) -> None:
    """Compare an order in all scopes, and in situations of random plays of the printed game."""
    alternatives = [r for r, _ in point.readings if r != point.adopted]
    base = point.adopted
    situations = in_plays = 0
    whole, several = True, False
    bounds: dict[str, None] = {}
    scopes = compared_in(audit, point)
    played = _is_played(audit, point)
    for reading in alternatives:
        printed: Comparison | None = None
        for scope in (*scopes, None) if played else scopes:
            name = PRINTED if scope is None else scope.name
            try:
                found = _compared(audit, point, reading, scope)
            except UNPLAYABLE as error:
                audit.not_checked.append(unplayable(point, error, scope=name))
                whole = False
                continue
            printed = found if name == PRINTED else printed
            several = several or found.several
            bounds.update(dict.fromkeys(found.bounds))
            if scope is None:
                in_plays += found.situations if found.complete else 0
            else:
                situations += found.situations if _acts(scope, point, all) else 0
                whole = whole and found.complete
            if found.parting is None:
                continue
            try:
                _report_order(audit, point, scope, (base, reading), found, printed=printed)
            except NotReplayed:  # the pauses of the machine are rests, where the game has none
                audit.unchecked(
                    f"{point.id} in scope {name}",
                    "it comes up on the way through rules that never come to a rest", "question",
                    point=point.id, scopes=(name,))
                whole = False
                continue
            return
    names = audit.within(scopes or audit.comparable())
    if not situations:
        lacking = ("never are two players concerned at once" if _telling(audit, point) else
                   "it never comes up")
        audit.not_checked.append(left_open(point, f"{lacking} in {names}"))
        return
    more = MORE_ORDERS if point.kind == "loop" and any(
        scope.instance.game.players > 2 for scope in scopes) else ""
    same = (f"it comes up in {many(situations, 'situation')} of {names}, and each time the same "
            "results come out in either order, with the same odds" + more
            + (f", as in {in_plays:,} of random plays of the printed game" if in_plays else "")
            + (f", as far as a bound of the model ({', '.join(bounds)})" if bounds else ""))
    where = (*(scope.name for scope in scopes), *[PRINTED] * bool(in_plays))
    if point.kind == "window":
        compare_windows(audit, point, same, where)
    elif (several or not whole) and any(may_learn(each.instance.game, point) for each in scopes):
        compare_order(audit, point, same, where)
    else:
        audit.harmless.append(Harmless(
            point.id, f"{point.asks}: {same}",
            method_of(scopes) if whole and not (audit.left_out or more) else "bounded", where))


def _compared(audit: Audit, point: Point, reading: str, scope: Scoped | None) -> Comparison:
    """Compare a reading with the adopted one in a scope, or in plays of the printed game (None).

    Raises:
        SpecErrors, UsageError: if it cannot be played under one of them.
        EndlessRules: if it never comes to a rest.

    """
    name = PRINTED if scope is None else scope.name
    around = pauses_of(audit.bench.game(name), point)
    first, second = (paused(audit, point, name, each) for each in (point.adopted, reading))
    telling = _telling(audit, point)
    if scope is not None:
        return compare_orders(first, second, around=around, telling=telling)
    return compare_in_play(first, second, around=around, plays=audit.plays,
                           seed=audit.seed, telling=telling)


def _telling(audit: Audit, point: Point) -> sx.Expr | None:
    """Return what holds where an order of players could show: two of them are concerned."""
    game = audit.printed.game
    if point.kind == "window":
        return several_act(game.windows[point.names[0]])
    return next((several_concerned(c) for c in game.clauses
                 if point.kind == "loop" and c.id in point.clauses), None)


def _is_played(audit: Audit, point: Point) -> bool:
    """Return whether an order is compared in plays of the printed game, as that is no scope."""
    return (audit.of_printed and not point.decided and has_clauses(audit.printed.game, point)
            and audit.explored_printed is None)


def _in_print(
    audit: Audit, point: Point, reading: str, found: Comparison, printed: Comparison | None
) -> dict[str, object]:
    """Say whether the printed game has what a scope shows; None where that is not known.

    `printed` is the comparison there, if there is one. Nothing is said where plays of both answers
    can tell it, as nothing between the pauses is luck.
    """
    if not audit.of_printed or not found.luck:
        return {}
    played = printed is None and _is_played(audit, point)
    if played:
        with suppress(*UNPLAYABLE):
            printed = _compared(audit, point, reading, None)
    if printed is None or (printed.parting is None and (played or not printed.complete)):
        return {"printed": None}
    return {"printed": printed.parting is not None}


def compared_in(audit: Audit, point: Point) -> list[Scoped]:
    """Return scopes in which an order comes up; few, if it is decided and no finding.

    The printed game comes first, if it is one of them.  Of more than a few one is spared if all
    that runs in it on the way, clauses and texts of cards, runs there in another one that is
    played alike.
    """
    some = [scope for scope in sorted(audit.comparable(), key=lambda each: each.name != PRINTED)
            if has_clauses(scope.instance.game, point)
            and pauses_of(scope.instance.game, point) and _acts(scope, point, any)]
    if point.decided or point.kind == "window" or len(some) <= FEWEST:
        return some[:FEWEST] if point.decided else some
    there = {scope.name: _on_the_way(scope, point) for scope in some}
    most = sorted(some[1:], key=lambda scope: -len(there[scope.name][1]))
    kept: list[str] = []
    for scope in (some[0], *most):
        how, runs = there[scope.name]
        if len(kept) < FEWEST or not any(
                how == there[each][0] and runs <= there[each][1] for each in kept):
            kept.append(scope.name)
    return [scope for scope in some if scope.name in kept]


def _on_the_way(scope: Scoped, point: Point) -> tuple[object, frozenset[str]]:
    """Return how a scope is played, and what runs in it between the pauses: clauses and cards."""
    game = scope.instance.game
    calls = who_may_run_what(game)
    homes = set[str]()
    for home in {home_of(clause) for clause in game.clauses if clause.id in point.clauses}:
        homes |= {home, *nx.descendants(calls, home)} if home in calls else {home}
    clauses = {clause.id: home_of(clause) for clause in game.clauses}
    return (game.players, game.settings.variants, game.rulings), frozenset(
        name for name in scope.covered.clauses
        if (name.rpartition(".")[2] if name.startswith(CARD) else clauses.get(name)) in homes)


def _acts(scope: Scoped, point: Point, how_many: Callable[[Iterable[bool]], bool]) -> bool:
    """Return whether any, or all, of what has no order runs in a scope, as far as was explored.

    Where one of two clauses runs, the other one may do so too, in another order than the adopted.
    """
    if not scope.finished:
        return True
    if point.kind == "window":
        return entered(scope, point.names[0])
    return how_many(ran(scope, clause) for clause in point.clauses)


def _report_order(
    audit: Audit, point: Point, where: Scoped | None, readings: tuple[str, str],
    found: Comparison, *, printed: Comparison | None,
) -> None:
    parting, scope = found.parting, PRINTED if where is None else where.name
    assert parting is not None
    game = audit.bench.game(scope)
    own = readings[parting.reading]
    before = under(audit, point, scope, readings[0])
    way = moves_of(before, without_pauses(parting.play))
    instance, end, shown = carried_on(audit, point, scope, readings, parting)
    start = values_by_name(before.compiled.machine, state_after(before, way))
    other = readings[1 - parting.reading]
    titles = dict(point.readings)
    both = [_assigned(c.do.statements) for c in game.clauses if c.id in point.clauses and c.do]
    clash = (point.kind == "clauses" and len(both) == 2 and both[0] & both[1]
             and point.defect != "contradiction")
    wrong = [[went_wrong(audit.words, *each) for each in some] for some in parting.goes_wrong]
    comes = ahead(instance, end) if parting.level == LEGAL else changed(instance, end, start)
    instead = parting.other
    if instance.interpreter.final(end):
        comes, instead = with_equal_winners(
            audit, point, scope, readings, parting, mine=(instance, end)) or (comes, instead)
    audit.observe(Observation(
        about(point, "overlap" if clash else point.defect), point.clauses,
        Evidence("split", "sampled" if where is None else method_of([where]), scope,
                 plays=(shown or Shown(readings[0], play_of(before, way)),),
                 position=come_to(before, way, len(way), read=len(way) - 1),
                 depth=len(without_pauses((*parting.play, *parting.inside))), replayed=True,
                 details={"situations": found.situations}),
        LEVELS[parting.level], question=asked(point),
        said=_in_print(audit, point, readings[1], found, printed),
        readings=(
            Outcome(own, titles.get(own, own),
                    "; ".join((comes, *wrong[0]))),
            Outcome(other, titles.get(other, other), "; ".join((instead, *wrong[1]))))))


def _assigned(statements: tuple[sx.Stmt, ...]) -> set[str]:
    """Name what a body sets outright."""
    return {unparse(part.target) for stmt in statements for part in walk(stmt)
            if isinstance(part, sx.Assign) and part.op == "="}
