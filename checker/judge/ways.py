"""Ways out of a finding, and what each of them would change.

A way out is a change of the rules: a reading that is adopted, or a sentence that is dropped.  What
it does is computed in one small scope, explored to its end, once as the rules are played and once
with the change:

* `removes`: findings about play (`Mark`: obligations, limits, deadlocks, contradictions, loops,
  fates) that show in the scope now and not with the change; and sentences of the open point that
  give an option which nobody takes in any scope, and which can be taken with it.
* `adds`: what shows with the change, and neither in the scope nor in the report now.
* `flips_positions`: of the `situations` of the scope, as it is played, that the same moves reach
  under both rules (`diverge` without a stop), those in which the set of legal moves, or whether the
  game is over, or who has won, differs.  A situation past such a difference is one of them if moves
  that are legal under both lead to it; what is reached under one of the rules alone is not.

Nothing is said where an exploration was not complete, and no flips for orders: there the same moves
are taken by other players, and what is only renamed would count (`orders`).  All of this is about
the one scope that the way out names; a finding may still show in another one.
Cost: two explorations of the scope and one of their product.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from msgspec.structs import replace

from ...model.game import syntax as sx
from ...model.run.interp import EndlessRules
from ...model.source.errors import SpecErrors, UsageError
from ..checks.behaviour import says_of
from ..checks.endless import LOOPS
from ..search.product import diverge
from .marks import Mark, is_about
from .parallel import answers
from .results import Finding, NotChecked, WayOut
from .symptoms import marks_of, seen_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ..points.points import Point
    from ..search.workbench import Instance
    from .audit import Audit, Scoped

MOST_STATES = 40_000
"""States of a scope under a change, and pairs of situations, after which nothing is said."""
MOST_DROPPED = 4
"""So many sentences are tried for a limit, and so many sets of them for a contradiction."""
ORDERS = ("clauses", "loop", "window")


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change does in a scope; `gone` and `new` are marks, `alive` clauses that now apply."""

    gone: frozenset[Mark]
    new: frozenset[Mark]
    alive: frozenset[str]
    flips: int | None
    situations: int | None


# ---------------------------------------------------------------------- what a change does


def effect(
    audit: Audit, scope: Scoped, other: Instance, *, flips: bool = True,
    clauses: tuple[str, ...] = (),
) -> Effect | None:
    """Compute what a change does in a scope.

    Args:
        audit: the audit.
        scope: the scope, as the rules are played.
        other: the same scope with the change.
        flips: whether to count the situations that differ.
        clauses: those of which it is looked up whether they come to anything now.

    Returns:
        the effect; None if an exploration is not complete.

    """
    if not scope.finished or scope.explored.states > MOST_STATES:
        return None
    found = seen_in(scope, other.program, most=MOST_STATES)
    if found is None:
        return None
    here, there = shown_in(audit, scope), marks_of(scope.name, other, found)
    product = diverge(scope.instance.program, other.program, limit=MOST_STATES,
                      stop_at=0) if flips else None
    alive = found.taken(other.compiled.machine) & _idle(audit) & set(clauses)
    if product is None or not product.complete:
        return Effect(here - there, there - here, alive, None, None)
    return Effect(here - there, there - here, alive, product.parted, product.situations)


def shown_in(audit: Audit, scope: Scoped) -> frozenset[Mark]:
    """Return what a scope shows as the rules are played; found once, then kept."""
    if scope.name not in audit.shown:
        found = seen_in(scope, scope.instance.program)
        audit.shown[scope.name] = frozenset() if found is None else marks_of(
            scope.name, scope.instance, found)
    return audit.shown[scope.name]


def _idle(audit: Audit) -> set[str]:
    """Name the clauses with a body that runs in no scope."""
    ran: set[str] = set()
    for scope in audit.scopes:
        cover = scope.exploration.result().coverage
        ran |= cover.clauses if cover is not None else set()
    return {c.id for c in audit.printed.game.clauses
            if c.do is not None and c.in_force and c.id not in ran}


def way(
    audit: Audit, scope: Scoped, text: str, found: Effect | None, *,
    adopt: Mapping[str, str] | None = None,
) -> WayOut:
    """Write a way out down, with its effect as far as it is known."""
    if found is None:
        return WayOut(text, adopt or {})
    known = (*audit.known, *audit.findings)
    game = audit.printed.game
    removes = sorted(f.id for f in known if any(is_about(f, mark) for mark in found.gone))
    removes += [f"{game.id}/dead-clause/{clause}" for clause in sorted(found.alive)]
    adds = [f"{mark.cls}: {_told(audit, mark)}" for mark in sorted(found.new)
            if not any(is_about(f, mark) for f in known)]
    computed = removes or adds or found.flips is not None
    return WayOut(text, adopt or {}, tuple(removes), tuple(adds), found.flips, found.situations,
                  scope.name if computed else "")


def _told(audit: Audit, mark: Mark) -> str:
    if mark.cls == "endless-loop":
        return LOOPS.get(mark.name, "the rules go round for ever without anybody deciding")
    if mark.cls == "doomed":
        return "whatever happens from some situation on breaks a limit"
    if mark.cls == "deadlock":
        return f"somebody must act in `{mark.name}` and cannot"
    if mark.cls == "contradiction" and all(c.id != mark.name for c in audit.printed.game.clauses):
        return f"every move in `{mark.name}` is ruled out by {mark.what.replace(' ', ' and ')}"
    said = says_of(audit, mark.name)
    return f"{said} ({mark.what})" if mark.what else said


# ---------------------------------------------------------------------- adopting, dropping


def adopting(audit: Audit, point: Point, scope: Scoped) -> tuple[WayOut, ...]:
    """Return a way out for each reading of a point, with its effect in a scope where it matters."""
    made: list[WayOut] = []
    for reading, title in point.readings:
        if point.kind in ORDERS and reading == "unstated":
            continue
        adopt = {point.id: reading}
        if reading == point.adopted:
            made.append(WayOut(f"keep: {title}", adopt))
            continue
        try:
            other = audit.bench.instance(scope.name, rulings=adopt)
            found = effect(audit, scope, other, flips=point.kind not in ORDERS,
                           clauses=point.clauses)
        except (SpecErrors, UsageError, EndlessRules):
            found = None
        made.append(way(audit, scope, f"adopt: {title}", found, adopt=adopt))
    return tuple(made)


def run(audit: Audit) -> None:
    """Complete the ways out when everything else is known.

    What would settle a finding about play is told there, too: a reading that removes it, or a
    sentence without which it does not show; none that brings something new, for play that stops
    early shows less, too.  Ids of findings that are not reported are dropped.
    """
    ids = {finding.id for finding in audit.findings}
    offered = [replace(w, removes=tuple(i for i in w.removes if i in ids))
               for finding in audit.findings for w in finding.ways_out if w.adopt]
    completed = answers(
        audit, lambda audit, finding: _completed(audit, finding, offered, ids), audit.findings,
        _asked, Finding)
    for number, (finding, found) in enumerate(zip(audit.findings[:], completed, strict=True)):
        if found.value is None:
            audit.not_checked.append(NotChecked(_asked(finding), found.why))
        else:
            audit.findings[number] = found.value


def _asked(finding: Finding) -> str:
    return f"ways out of {finding.id}"


def _completed(audit: Audit, finding: Finding, offered: list[WayOut], ids: set[str]) -> Finding:
    own = [replace(w, removes=tuple(i for i in w.removes if i in ids)) for w in finding.ways_out]
    if not own:
        own = [replace(w, removes=tuple(i for i in w.removes if i != finding.id))
               for w in offered if finding.id in w.removes and not w.adds]
        own += _dropping(audit, finding)
    named = [w if w.removes or w.adds or w.flips_positions is not None else replace(w, scope="")
             for w in own]
    return replace(finding, ways_out=tuple(named))


def _dropping(audit: Audit, finding: Finding) -> list[WayOut]:
    """Return the sentences without which a contradiction or a broken limit does not show."""
    scope = next((s for s in audit.comparable() if s.name == finding.evidence.scope), None)
    if scope is None:
        return []
    made: list[WayOut] = []
    for clauses in _candidates(audit, finding):
        try:
            other = audit.bench.instance(scope.name, changes=({"drop": list(clauses)},))
            found = effect(audit, scope, other)
        except (SpecErrors, UsageError, EndlessRules):
            continue
        if found is not None and any(is_about(finding, mark) for mark in found.gone):
            named = " and ".join(f"`{clause}`" for clause in clauses)
            told = way(audit, scope, f"without {named} it does not come to this", found)
            made.append(replace(told, removes=tuple(i for i in told.removes if i != finding.id)))
    return sorted(made, key=lambda w: (w.flips_positions is None, w.flips_positions, w.text))


def _candidates(audit: Audit, finding: Finding) -> Iterable[tuple[str, ...]]:
    """Name sets of clauses to try: minimal corrections; a limit that breaks, and what forces that.

    A sentence that runs a part of the game is not tried: without it there is nothing to play.
    """
    some = [tuple(clauses) for clauses in finding.evidence.details.get("drop_one", ())]
    if finding.cls == "limit-broken":
        game = audit.printed.game
        parts = {*game.steps, *game.windows}
        runs = {c.id for c in game.clauses if c.do is not None
                and _runs(c.do.statements, parts)}
        forced = {clause for clauses in some for clause in clauses}
        some += [(clause,) for clause in finding.clauses if clause not in runs | forced]
    return some[:MOST_DROPPED]


def _runs(statements: Iterable[sx.Stmt], parts: set[str]) -> bool:
    """Return whether a body runs a step or opens a window."""
    for stmt in statements:
        match stmt:
            case sx.Do(call=sx.Call(func=sx.Name(name=name))) if name in parts:
                return True
            case sx.IfThen(then=then, other=other):
                if _runs((*then, *other), parts):
                    return True
            case sx.ForEach(body=body) | sx.While(body=body):
                if _runs(body, parts):
                    return True
            case _:
                pass
    return False
