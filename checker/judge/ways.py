"""Ways out of a finding, and what each of them would change.

A way out is a change of the rules: a reading that is adopted, or a sentence that is dropped.  What
it does is computed in one small scope, explored to its end, once as the rules are played and once
with the change:

* `removes`: findings about play (`symptoms`: obligations, limits, deadlocks, contradictions, loops,
  fates) that show in the scope now and not with the change; and sentences of the open point that
  give an option which nobody takes in any scope, and which can be taken with it.
* `adds`: what shows with the change, and neither in the scope nor in the report now.
* `flips_positions`: of the `situations` of the scope, as it is played, that the same moves reach
  under both rules (`diverge` without a stop), those in which the set of legal moves, or whether the
  game is over, or who has won, differs.  A situation past such a difference is one of them if moves
  that are legal under both lead to it; what is reached under one of the rules alone is not.

Nothing is said where an exploration was not complete.  Flips are counted where the finding was
shown and nowhere else, and none for orders: there the same moves are taken by other players, and
what is only renamed would count (`orders`).  All of this is about the one scope that the way out
names; a finding may still show in another one.  To go on as the rules are played is no way out.
Cost: two explorations of the scope and one of their product.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from ...model.game import syntax as sx
from ...model.game.texts import walk
from ...model.run.interp import UNPLAYABLE
from ..audit.audit import Audit
from ..audit.parallel import answers
from ..audit.scoped import Scoped
from ..audit.symptoms import marks_of, seen_in
from ..bench.answers import digest
from ..bench.workbench import Instance, side_by_side
from ..comparison.product import diverge
from ..findings.observations import Observation, Question
from ..findings.results import Identity, WayOut
from ..findings.titles import symptom
from ..findings.words import Words

MOST_STATES = 40_000
"""States of a scope under a change, and pairs of situations, after which nothing is said."""
MOST_DROPPED = 4
"""So many sentences are tried for a limit, and so many sets of them for a contradiction."""
ORDERS = ("clauses", "loop", "window")


@dataclass(frozen=True, slots=True)
class Effect:
    """What a change does in a scope: what shows no more, what is new, clauses that now apply."""

    gone: frozenset[Identity]
    new: frozenset[Identity]
    alive: frozenset[str]
    flips: int | None
    situations: int | None


# ---------------------------------------------------------------------- what a change does


def effect(
    audit: Audit, scope: Scoped, other: Instance, *, flips: bool = True,
    clauses: tuple[str, ...] = (),
) -> Effect | None:
    """Compute what a change does in a scope; None if an exploration is not complete.

    With `flips` the situations that differ are counted; of `clauses` it is looked up whether they
    come to anything now.
    """
    if not scope.finished or scope.explored.states > MOST_STATES:
        return None
    program = other.member or other.program
    found = seen_in(scope, program, most=MOST_STATES)
    if found is not None and other.member is not None and found.stuck():
        program = other.program  # why they are stuck is asked of the game alone
        found = seen_in(scope, program, most=MOST_STATES)
    if found is None:
        return None
    here, there = shown_in(audit, scope), marks_of(other, program, found)
    product = diverge(*side_by_side(scope.instance, other), limit=MOST_STATES,
                      stop_at=0) if flips else None
    alive = found.taken(program.machine) & _idle(audit) & set(clauses)
    if product is None or not product.complete:
        return Effect(here - there, there - here, alive, None, None)
    return Effect(here - there, there - here, alive, product.parted, product.situations)


def shown_in(audit: Audit, scope: Scoped) -> frozenset[Identity]:
    """Return what a scope shows as the rules are played; found once, then kept."""
    if scope.name not in audit.shown:
        found = seen_in(scope, scope.instance.program)
        audit.shown[scope.name] = frozenset() if found is None else marks_of(
            scope.instance, scope.instance.program, found)
    return audit.shown[scope.name]


def _idle(audit: Audit) -> set[str]:
    """Name the clauses with a body that runs in no scope."""
    return {c.id for c in audit.printed.game.clauses if c.do is not None and c.in_force
            } - audit.ran()


@dataclass(frozen=True, slots=True)
class Ways:
    """What ways out are told with: the observations that are to be findings, their ids, words."""

    observed: tuple[Observation, ...]
    ids: Mapping[Identity, str]
    words: Words

    def out(
        self, scope: Scoped, text: str, found: Effect | None, *,
        adopt: Mapping[str, str] | None = None, settles: Identity | None = None,
    ) -> WayOut:
        """Write a way out down, with its effect as far as it is known.

        Of what it removes, the finding itself (`settles`) is not told again.
        """
        if found is None:
            return WayOut(text, adopt or {})
        gone = found.gone | {
            one.identity for one in self.observed
            if one.identity.cls == "dead-clause" and one.identity.clause in found.alive}
        removes = tuple(sorted(self.ids[one] for one in gone if one in self.ids and one != settles))
        adds = tuple(f"{mark.cls}: {symptom(self.words, mark)}" for mark in sorted(found.new)
                     if mark not in self.ids)
        computed = removes or adds or found.flips is not None
        return WayOut(text, adopt or {}, removes, adds, found.flips, found.situations,
                      scope.name if computed else "")


# ---------------------------------------------------------------------- adopting, dropping


def adopting(audit: Audit, known: Ways, one: Observation, question: Question) -> tuple[WayOut, ...]:
    """Return a way out for each other reading of a point, with its effect in a scope.

    That is the scope in which the readings were told apart; else one in which it is looked up what
    is settled.
    """
    shown = next((s for s in audit.scopes if s.name == one.evidence.scope), None)
    scope = shown or audit.comparable()[0]
    made: list[WayOut] = []
    for reading, title in question.readings:
        if reading == question.adopted or (question.kind in ORDERS and reading == "unstated"):
            continue
        adopt = {question.point: reading}
        try:
            other = audit.bench.instance(scope.name, rulings=adopt)
            flips = shown is not None and question.kind not in ORDERS
            found = effect(audit, scope, other, flips=flips, clauses=one.clauses)
        except UNPLAYABLE:
            found = None
        made.append(known.out(scope, f"adopt: {title}", found, adopt=adopt, settles=one.identity))
    return tuple(made)


def ways_out(audit: Audit, known: Ways) -> dict[Identity, tuple[WayOut, ...]]:
    """Return the ways out of all observations that are to be findings.

    What would settle an observation about play is told there, too: a reading that removes it, or a
    sentence without which it does not show; none that brings something new, for play that stops
    early shows less, too.
    """
    for scope in audit.comparable() if known.observed else ():
        shown_in(audit, scope)  # once, before the questions are parted among processes
    points = [one for one in known.observed if one.question is not None]
    others = [one for one in known.observed if one.question is None]

    def adopt(audit: Audit, one: Observation) -> tuple[WayOut, ...]:
        assert one.question is not None
        return adopting(audit, known, one, one.question)

    def drop(audit: Audit, one: Observation) -> tuple[WayOut, ...]:
        return tuple(_dropping(audit, known, one))

    def asked(one: Observation) -> str:
        return f"ways out of {known.ids[one.identity]}"

    seen = digest(audit.observed, known.observed, [*known.ids.values()],
                  spec=audit.printed.game.spec_sha256)
    made: dict[Identity, tuple[WayOut, ...]] = {}
    for some, ask in ((points, adopt), (others, drop)):
        found = answers(audit, ask, some, asked, tuple[WayOut, ...],
                        about=lambda one: (known.ids[one.identity], seen))
        for one, each in zip(some, found, strict=True):
            if each.value is None:
                audit.unchecked(asked(one), each.why, cause=each.cause)
            made[one.identity] = each.value or ()
    offered = [way for one in points for way in made[one.identity] if not way.adds]
    for one in others:
        own = known.ids[one.identity]
        settling = (replace(way, removes=tuple(i for i in way.removes if i != own))
                    for way in offered if own in way.removes)
        made[one.identity] = (*map(_placed, settling), *made[one.identity])
    return made


def _placed(way: WayOut) -> WayOut:
    """Leave the scope out of a way out of which nothing is told there."""
    told = way.removes or way.adds or way.flips_positions is not None
    return way if told else replace(way, scope="")


def _dropping(audit: Audit, known: Ways, one: Observation) -> list[WayOut]:
    """Return the sentences without which a contradiction or a broken limit does not show."""
    scope = next((s for s in audit.comparable() if s.name == one.evidence.scope), None)
    if scope is None:
        return []
    made: list[WayOut] = []
    for clauses in _candidates(audit, one):
        try:
            other = audit.bench.instance(scope.name, changes=({"drop": list(clauses)},))
            found = effect(audit, scope, other)
        except UNPLAYABLE:
            continue
        if found is not None and one.identity in found.gone:
            named = " and ".join(f"`{clause}`" for clause in clauses)
            made.append(known.out(scope, f"without {named} it does not come to this", found,
                                  settles=one.identity))
    return sorted(made, key=lambda w: (w.flips_positions is None, w.flips_positions, w.text))


def _candidates(audit: Audit, one: Observation) -> Iterable[tuple[str, ...]]:
    """Name sets of clauses to try: minimal corrections; a limit that breaks, and what forces that.

    A sentence that runs a part of the game is not tried: without it there is nothing to play.
    """
    some = [tuple(clauses) for clauses in one.evidence.details.get("drop_one", ())]
    if one.identity.cls == "limit-broken":
        game = audit.printed.game
        parts = {*game.steps, *game.windows}
        runs = {c.id for c in game.clauses if c.do is not None and _runs(c.do.statements, parts)}
        forced = {clause for clauses in some for clause in clauses}
        some += [(clause,) for clause in one.clauses if clause not in runs | forced]
    return some[:MOST_DROPPED]


def _runs(statements: Iterable[sx.Stmt], parts: set[str]) -> bool:
    """Return whether a body runs a step or opens a window."""
    return any(isinstance(part, sx.Do) and isinstance(part.call.func, sx.Name)
               and part.call.func.name in parts for stmt in statements for part in walk(stmt))
