"""Test positions: few situations that show all that a game's rules do at their edges.

Candidates come from exploring scaled scopes (or from sampled plays at the printed size).  Every
state that is looked at is watched (`observer`, `goals`), and a set cover picks few candidates.
Then each reading that is not adopted is tried on the positions, and each clause is taken out in
turn: if no position notices, a shortest play that does is sought in the product of the two machines
(`diverge`) and added.  Limits: what no looked-at state shows is missed by nobody, and a cover is
only as good as its goals.
"""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

import msgspec

from ...model.machine.state import Move, State
from ...model.plays.plays import replay
from ...model.run.interp import UNPLAYABLE, EndlessRules, UncoveredRules
from ...model.source.errors import SpecErrors, UsageError, first_line
from ...model.stop import TOLD, Stop
from ..audit.parallel import guarded
from ..bench.workbench import Instance, Workbench, side_by_side
from ..clauses.deletion import acts
from ..comparison.product import diverge
from ..findings.results import NotChecked, Report
from ..packed.flags import HIDDEN, WINNER
from ..points.points import Point, points_of
from .ahead import Asking, Noted, Step
from .cases import Cases, ReadingSplit
from .goals import Counts, Goal, Showing, chosen
from .probes import before_parting, reaches, tells_apart
from .spots import Looked, SpotGround, ground, looked

PAIRS = 20_000
PATIENCE = 500
"""Pairs that are compared for each reading, and after the first split."""
WAYS = 4
"""The ways to so many positions, the nearest of a scope, are followed without each clause."""
DECLARED, DERIVED = 5, 1
"""In so many scopes a split is sought: for points that the spec names, and for the others."""


Key = tuple[str, State, Move | None]
"""A candidate: its scope, its state, its move."""


@dataclass(frozen=True, slots=True)
class Suite:
    """Positions, the goals that they meet and those that they do not, and where was searched."""

    documents: tuple[dict[str, Any], ...]
    met: tuple[Goal, ...]
    unmet: tuple[Goal, ...]
    searched: tuple[tuple[str, int, bool], ...]
    """Scope, states, and whether these are all."""
    not_done: tuple[NotChecked, ...]


class PositionSearch:
    """The search for positions of one game."""

    def __init__(
        self, bench: Workbench, say: Callable[[str], None], stop: Stop, asking: Asking
    ) -> None:
        self.bench = bench
        self.say = say
        self.stop = stop
        self.asking = asking
        self.scopes: dict[str, SpotGround] = {}
        self.counts: Counts = Counter()
        self.extra: dict[Key, Showing] = {}
        self.not_done: list[NotChecked] = []
        self.writer = Cases(bench)
        self.written: dict[Key, tuple[Showing, dict[str, Any]]] = {}
        self.news: dict[Key, set[Goal]] = {}
        """What each position was written for."""
        self.stood: Counter[str] = Counter()
        """How many positions of a scope there were before readings were tried: that many are asked
        about together, so that those who go ahead are asked the same."""

    def done(self, what: str, work: Callable[[], object]) -> bool:
        """Do one unit of the work; say whether something came of it, and list it if it failed."""
        answer = guarded(self.stop, work)
        if answer.why and (not answer.cause or answer.cause != self.stop.cause):
            self.not_done.append(NotChecked(what, answer.why, cause=answer.cause))
        return bool(answer.value)

    def go_ahead(self, steps: Sequence[Step]) -> None:
        """Have a cluster, if there is one, answer what these steps will ask."""
        if self.asking.cluster is None:
            return
        stands = pickle.dumps((self.written, self.extra, self.news))
        copy = partial(_copy, self.bench, self.scopes, self.writer, stands)
        self.done("going ahead", lambda: self.asking.go_ahead(copy, steps, self.say))

    # ------------------------------------------------------------------------------ looking

    def look(self, name: str, max_states: int, seed: int) -> None:
        """Watch the states of a scope."""
        self.say(f"exploring scope {name}")
        try:
            scope = ground(self.bench.instance(name), self.counts, max_states)
            scope.instance.interpreter.start()
        except EndlessRules as error:
            self.not_done.append(NotChecked(f"scope {name}", str(error)))
            return
        self.scopes[name] = scope
        found = msgspec.convert(self.looked(name, max_states, seed), Looked)
        scope.acting, scope.searched = found.acting, found.searched
        for each in found.candidates:
            scope.collector.keep(each.spot, each.move, each.goals)

    def looked(self, name: str, max_states: int, seed: int) -> Any:  # noqa: ANN401  (data)
        """Give what the states of a scope show by themselves (`Looked`), as data."""
        return self.asking.known(("look", name), lambda: msgspec.to_builtins(
            looked(self.bench.instance(name), max_states, seed, self.say)))

    # ----------------------------------------------------------------------------- readings

    def _readings(self, most: int | None) -> list[Goal]:
        """Show where each reading parts from the adopted one.  Give those that do not."""
        known: dict[str, Point] = {}
        for scope in self.scopes.values():
            known |= {p.id: p for p in points_of(scope.instance.compiled) if p.id not in known}
        others = [(point, reading) for point in known.values() for reading, _ in point.readings
                  if reading != point.adopted]
        self.stood = Counter(candidate.spot.scope for candidate, _ in self.written.values())
        self.go_ahead([("_reading", (*each, most)) for each in others])
        missing: list[Goal] = []
        for point, reading in others:
            self.say(f"readings of {point.id}")
            goal = Goal("reading", (point.id, reading))
            if not self.done(goal.text, partial(self._reading, point, reading, most)):
                missing.append(goal)
        return missing

    def _reading(self, point: Point, reading: str, most: int | None) -> bool:
        """Find a position on which a reading matters, or make one."""
        goal = Goal("reading", (point.id, reading))
        scopes = [scope for scope in self.scopes.values() if self._concerns(scope, point)]
        try:
            for scope in scopes:
                own = self._of(scope)
                stood = self.stood[scope.name] if self.stood else len(own)
                if self._turned(scope, goal, own[:stood]) or (
                        own[stood:] and self._turned(scope, goal, own[stood:])):
                    return True
            if most is not None and len(self.written) >= most:
                return False
            deep = DECLARED if point.kind == "declared" else DERIVED
            return any(
                self._sought(scope, {"rulings": {point.id: reading}}, goal)
                for scope in sorted(scopes, key=lambda scope: scope.explored)[:deep])
        except (*UNPLAYABLE, UncoveredRules) as error:
            self.not_done.append(NotChecked(goal.text, first_line(error)))
            return False

    def _of(self, scope: SpotGround) -> list[tuple[Showing, dict[str, Any]]]:
        """List the positions of a scope."""
        return [each for each in self.written.values() if each[0].spot.scope == scope.name]

    def _turned(
        self, scope: SpotGround, goal: Goal, own: Sequence[tuple[Showing, dict[str, Any]]]
    ) -> bool:
        """Write the first of some positions on which a reading matters again, with what it does."""
        names, first = [document["id"] for _, document in own], 0
        while (place := self.asking.known(
                ("apart", scope.name, goal, names, first),
                partial(self._apart, scope, goal, own, first))) is not None:
            candidate, first = own[place][0], place + 1
            candidate.goals.add(goal)
            if self._write(candidate, {goal}):
                return True
            candidate.goals.discard(goal)
        return False

    def _apart(
        self, scope: SpotGround, goal: Goal, own: Sequence[tuple[Showing, dict[str, Any]]],
        first: int,
    ) -> int | None:
        """Give the number of a position, from the first on, on which a reading matters."""
        other = self.bench.instance(scope.name, rulings={goal.what[0]: goal.what[1]})
        return next((place for place in range(first, len(own))
                     if tells_apart(own[place][1], other)), None)

    def _concerns(self, scope: SpotGround, point: Point) -> bool:
        """Return whether a point may matter in a scope: what it is about does something there."""
        defined = {c.id for c in scope.instance.game.clauses if c.define}
        active = [name in defined or name in scope.acting for name in point.clauses]
        return all(active) if point.kind == "clauses" else any(active) or not active

    def _sought(self, scope: SpotGround, changed: dict[str, Any], goal: Goal) -> bool:
        """Make a position where the same moves lead to something else in a changed game."""
        if not scope.explores:
            return False
        found = self.asking.known(("sought", scope.name, goal), lambda: self._parting(
            scope, self.bench.instance(scope.name, **changed), goal))
        if isinstance(found, str):
            self.not_done.append(NotChecked(goal.text, found))
        if not isinstance(found, list):
            return False
        path: tuple[Move, ...] = msgspec.convert(found[:-1], tuple[Move, ...])
        return self._write(
            self._add(scope, path, msgspec.convert(found[-1], Move | None), {goal}), {goal})

    def _parting(self, scope: SpotGround, other: Instance, goal: Goal) -> list[Any] | str | None:
        """Give the way to where two machines part, and the move there; text if one never rests."""
        try:
            found = diverge(*side_by_side(scope.instance, other), limit=PAIRS, patience=PATIENCE,
                            stop_at=WINNER if goal.kind == "reading" else HIDDEN)
        except (EndlessRules, UncoveredRules) as error:
            return first_line(error)
        if found.first is None:
            return None
        path, move = before_parting(scope.instance, other, found.first.play)
        return [None if each is None else asdict(each) for each in (*path, move)]

    def _add(
        self, scope: SpotGround, path: tuple[Move, ...], move: Move | None, goals: set[Goal]
    ) -> Showing:
        """Make a candidate that must be shown."""
        spot = scope.spot(path)
        number = scope.numbers.get(scope.instance.program.pack(spot.state), -1)
        if number >= 0:
            spot = replace(spot, number=number)
        key = (scope.name, spot.state, move)
        known = self.extra.get(key) or scope.collector.candidates.get((spot.state, move))
        if known is None:
            known = Showing(spot, move, scope.collector.goals_of(spot.state, move))
        self.extra[key] = known
        known.goals |= goals
        return known

    # ----------------------------------------------------------------------------- findings

    def findings(self, report: Report) -> None:
        """Add the situations that findings of a verification show."""
        for finding in report.everything:
            for shown in finding.evidence.plays:
                scope = self.scopes.get(shown.scope or finding.evidence.scope)
                adopted = {r.point: r.reading for r in scope.instance.game.rulings} if scope else {}
                if scope is None or shown.reading not in ("", adopted.get(finding.open_point, "")):
                    continue
                again = replay(shown.play, scope.instance.compiled)
                if not again.ok or not again.taken:
                    continue
                path = tuple(taken.move for taken in again.taken)
                last = again.taken[-1]
                move = path[-1] if last.step is not None else None
                self._add(scope, path[:-1], move, {Goal("finding", (finding.id,))})
                break

    # -------------------------------------------------------------------------------- suite

    def suite(self, most: int | None) -> Suite:
        """Choose positions and write them."""
        pool = {(scope.name, *key): candidate for scope in self.scopes.values()
                for key, candidate in scope.collector.candidates.items()}
        pool |= self.extra
        candidates = list(pool.values())
        taken = chosen(candidates, most=most)
        wanted = {goal for candidate in candidates for goal in candidate.goals}
        shown: set[Goal] = set()
        self.go_ahead([("_write", (candidate, news)) for candidate, news in _news_of(taken)])
        for number, candidate in enumerate(taken, 1):
            self.say(f"writing position {number} of {len(taken)}")
            self.done(f"position {number} of {len(taken)}",
                      partial(self._write, candidate, candidate.goals - shown))
            if self._key(candidate) in self.written:
                shown |= candidate.goals
        missing = self._readings(most) + self._deletions(most)
        for candidate, _ in self.written.values():
            shown |= candidate.goals
        if cause := self.stop.cause:
            self.not_done.append(NotChecked("the rest", TOLD[cause], cause=cause))
        documents = {document["id"]: document for _, document in self.written.values()}
        return Suite(tuple(documents[name] for name in sorted(documents)), tuple(sorted(shown)),
                     tuple(sorted({*(wanted - shown), *missing})),
                     tuple((s.name, *s.searched) for s in self.scopes.values()),
                     tuple(self.not_done))

    def _write(self, candidate: Showing, news: set[Goal]) -> bool:
        """Write a candidate, or write it again; say whether it shows what it should."""
        scope = self.scopes[candidate.spot.scope]
        key = self._key(candidate)
        told = self.news.setdefault(key, set())
        document = self.asking.known(
            ("write", *key, candidate.spot.path if candidate.spot.number < 0 else (),
             sorted(candidate.goals), sorted(told | news)),
            lambda: self.writer.write(scope.instance, candidate, scope.path(candidate.spot),
                                      list(self._splits(scope, candidate)), told | news))
        under = {name for each in document["expect"].get("under", ())
                 for name in each["rulings"].items()}
        if any(g.kind == "reading" and g.what not in under for g in news):
            return False
        told |= news
        self.written[key] = (candidate, document)
        return True

    def _key(self, candidate: Showing) -> Key:
        return candidate.spot.scope, candidate.spot.state, candidate.move

    def _splits(self, scope: SpotGround, candidate: Showing) -> Iterator[ReadingSplit]:
        """List the other readings of the points on which a candidate turns."""
        wanted = {goal.what[0] for goal in candidate.goals if goal.kind == "reading"}
        for point in points_of(scope.instance.compiled):
            for reading, title in point.readings if point.id in wanted else ():
                if reading != point.adopted:
                    try:
                        other = self.bench.instance(scope.name, rulings={point.id: reading})
                    except (SpecErrors, UsageError):
                        continue
                    yield ReadingSplit(point.id, reading, title, other)

    # ---------------------------------------------------------------------------- deletions

    def _deletions(self, most: int | None) -> list[Goal]:
        """Take out each clause; add a position where none notices.  Give those never noticed."""
        missing: list[Goal] = []
        clauses = [clause.id for clause in self.bench.game("printed").clauses
                   if clause.in_force and acts(clause)]
        self.go_ahead([("_noticed", (clause, most)) for clause in clauses])
        for clause in clauses:
            self.say(f"without {clause}")
            goal = Goal("without", (clause,))
            if not self.done(goal.text, partial(self._noticed, clause, most)):
                missing.append(goal)
            self.bench.forget()
        return missing

    def _missed(
        self, candidate: Showing, document: dict[str, Any], clause: str, goal: Goal
    ) -> bool:
        """Note that a position notices that a clause is gone."""
        candidate.goals.add(goal)
        document["covers"].setdefault("missed_without", []).append(clause)
        return True

    def _noticed(self, clause: str, most: int | None) -> bool:
        """Find a position that notices that a clause is gone, or make one."""
        goal = Goal("without", (clause,))
        scopes = [scope for scope in self.scopes.values() if clause in scope.acting]
        for scope in scopes:
            own = sorted(self._of(scope), key=lambda each: each[0].spot.depth)
            found = self.asking.known(
                ("noticed", scope.name, clause, [document["id"] for _, document in own]),
                partial(self._who_notices, scope, clause, [document for _, document in own]))
            if isinstance(found, int):
                return self._missed(*own[found], clause, goal)
            if isinstance(found, str):
                self.not_done.append(NotChecked(goal.text, found))
                return False
        if most is not None and len(self.written) >= most:
            return False
        changed = {"changes": ({"drop": [clause]},)}
        return any(self._sought(scope, changed, goal) for scope in scopes[:DECLARED])

    def _who_notices(
        self, scope: SpotGround, clause: str, own: Sequence[dict[str, Any]]
    ) -> int | str | None:
        """Give the number of a position that notices that a clause is gone; text: it must stay."""
        try:
            other = self.bench.instance(scope.name, changes=({"drop": [clause]},))
        except (SpecErrors, UsageError):
            return "other entries of the spec need it"
        for number, document in enumerate(own):
            if tells_apart(document, other):
                return number
        return next((number for number, document in enumerate(own[:WAYS])
                     if not reaches(document, other)), None)


def _news_of(taken: Sequence[Showing]) -> Iterator[tuple[Showing, set[Goal]]]:
    """List candidates with those of their goals that none before them shows."""
    shown: set[Goal] = set()
    for candidate in taken:
        yield candidate, candidate.goals - shown
        shown |= candidate.goals


def _copy(
    bench: Workbench, scopes: dict[str, SpotGround], writer: Cases, stands: bytes, noted: Noted
) -> PositionSearch:
    """Make a search as it stands, for who goes ahead of it."""
    search = PositionSearch(bench, lambda _: None, Stop(), Asking(noted))
    search.scopes, search.writer = scopes, writer
    search.written, search.extra, search.news = pickle.loads(stands)  # noqa: S301  (ours)
    return search
