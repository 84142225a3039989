"""Test positions: few situations that show all that a game's rules do at their edges.

Candidates come from exploring scaled scopes (or from sampled plays at the printed size).  Every
state that is looked at is watched (`watch`, `goals`), and a set cover picks few candidates.  Then
each reading that is not adopted is tried on the positions, and each clause is taken out in turn: if
no position notices, a shortest play that does is sought in the product of the two machines
(`diverge`) and added.  Limits: what no looked-at state shows is missed by nobody, and a cover is
only as good as its goals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from ...model.game.game import Settings
from ...model.machine.state import Move, State
from ...model.plays.plays import replay
from ...model.run.interp import EndlessRules, UncoveredRules
from ...model.source.errors import SpecErrors, UsageError, first_line
from ...model.stop import Stop, stoppable
from ..bench.answers import Answers, about, digest
from ..bench.workbench import Instance, Workbench, side_by_side
from ..clauses.deletion import acts
from ..comparison.product import diverge
from ..findings.results import Report
from ..judge.parallel import guarded
from ..packed.flags import HIDDEN, WINNER
from ..points.points import Point, points_of
from .cases import Cases, ReadingSplit
from .goals import Counts, Goal, Showing, chosen
from .probes import before_parting, reaches, tells_apart
from .spots import SpotGround, ground, spots

MAX_STATES = 20_000
"""States that are explored of each scope, unless the user says otherwise."""
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
    not_done: tuple[str, ...]


def positions(
    source: str, settings: Settings, *, scopes: tuple[str, ...] = (), most: int | None = None,
    max_states: int | None = None, seed: int = 0, report: Report | None = None,
    checkpoint: Path | None = None, progress: Callable[[str], None] | None = None,
) -> Suite:
    """Choose and write test positions of a game.

    Args:
        source: a bundled name or a folder.
        settings: players, variants, rulings; its scope is not looked at.
        scopes: where to search; all scaled ones if empty.  `printed` is sampled, not explored.
        most: how many positions at most; those that show most come first.
        max_states: states to explore of each scope.
        seed: of the sampled plays.
        report: a verification of the same game, whose findings are to be shown.
        checkpoint: a file that keeps what is found out, from which a run of the same goes on.
        progress: called with a line of text now and then.

    Raises:
        UsageError: for unknown scopes, variants, readings; a checkpoint of another run.
        SpecErrors: if the spec does not load.

    """
    bench = Workbench(source, replace(settings, scope="printed"), reduce=False)
    for name in scopes:
        bench.game(name)
    kept = None if checkpoint is None else Answers(checkpoint, about(
        bench.instance("printed").compiled, "positions", scopes=scopes, most=most,
        max_states=max_states, seed=seed, report=digest(report)))
    with stoppable() as stop:
        search = PositionSearch(bench, progress or (lambda _: None), stop, kept)
        for name in scopes or scaled(bench):
            search.done(f"scope {name}", partial(search.look, name, max_states or MAX_STATES, seed))
        if report is not None:
            search.done("the findings", partial(search.findings, report))
        return search.suite(most)


def scaled(bench: Workbench) -> tuple[str, ...]:
    """Name the scopes that are scaled down; the printed one if there are none."""
    known = bench.game("printed").scopes
    return tuple(name for name, scope in known.items() if scope.scaled) or ("printed",)


class PositionSearch:
    """The search for positions of one game."""

    def __init__(
        self, bench: Workbench, say: Callable[[str], None], stop: Stop, kept: Answers | None
    ) -> None:
        self.bench = bench
        self.say = say
        self.stop = stop
        self.kept = kept
        self.scopes: dict[str, SpotGround] = {}
        self.counts: Counts = Counter()
        self.extra: dict[Key, Showing] = {}
        self.not_done: list[str] = []
        self.writer = Cases(bench)
        self.written: dict[Key, tuple[Showing, dict[str, Any]]] = {}
        self.news: dict[Key, set[Goal]] = {}
        """What each position was written for."""

    def done(self, what: str, work: Callable[[], object]) -> bool:
        """Do one unit of the work; say whether something came of it, and list it if it failed."""
        answer = guarded(self.stop, work)
        if answer.why and answer.why != self.stop.why:
            self.not_done.append(f"{what}: {answer.why}")
        return bool(answer.value)

    def known(self, question: tuple[object, ...], work: Callable[[], Any]) -> Any:  # noqa: ANN401
        """Answer a question with data, unless an earlier run has."""
        if self.kept is None:
            return work()
        key = digest(*question)
        found = self.kept.get(key)
        return (self.kept.keep(key, [work()]) if found is None else found)[0]

    # ------------------------------------------------------------------------------ looking

    def look(self, name: str, max_states: int, seed: int) -> None:
        """Watch the states of a scope."""
        self.say(f"exploring scope {name}")
        try:
            scope = ground(self.bench.instance(name), self.counts)
            scope.instance.interpreter.start()
        except EndlessRules as error:
            self.not_done.append(f"scope {name}: {error}")
            return
        self.scopes[name] = scope
        for number, spot in enumerate(spots(scope, max_states, seed)):
            if number % 200 == 0:
                self.say(f"scope {name}: looked at {number} states")
            scope.collector.look(spot)
        scope.acting = frozenset(scope.collector.acting)

    # ----------------------------------------------------------------------------- readings

    def _readings(self, most: int | None) -> list[Goal]:
        """Show where each reading parts from the adopted one.  Give those that do not."""
        known: dict[str, Point] = {}
        for scope in self.scopes.values():
            known |= {p.id: p for p in points_of(scope.instance.compiled) if p.id not in known}
        missing: list[Goal] = []
        for point in known.values():
            for reading, _ in point.readings:
                if reading != point.adopted:
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
                other = self.bench.instance(scope.name, rulings={point.id: reading})
                for candidate, document in list(self.written.values()):
                    if candidate.spot.scope == scope.name and tells_apart(
                            document, other):
                        candidate.goals.add(goal)
                        if self._write(candidate, {goal}):
                            return True
                        candidate.goals.discard(goal)
            if most is not None and len(self.written) >= most:
                return False
            deep = DECLARED if point.kind == "declared" else DERIVED
            return any(
                self._sought(scope, {"rulings": {point.id: reading}}, goal)
                for scope in sorted(scopes, key=lambda scope: len(scope.numbers))[:deep])
        except (SpecErrors, UsageError, EndlessRules, UncoveredRules) as error:
            self.not_done.append(f"{goal.text}: {first_line(error)}")
            return False

    def _concerns(self, scope: SpotGround, point: Point) -> bool:
        """Return whether a point may matter in a scope: what it is about does something there."""
        defined = {c.id for c in scope.instance.game.clauses if c.define}
        active = [name in defined or name in scope.acting for name in point.clauses]
        return all(active) if point.kind == "clauses" else any(active) or not active

    def _sought(self, scope: SpotGround, changed: dict[str, Any], goal: Goal) -> bool:
        """Make a position where the same moves lead to something else in a changed game."""
        if scope.exploration is None:
            return False
        found = self.known(("sought", scope.name, goal), lambda: self._parting(
            scope, self.bench.instance(scope.name, **changed), goal))
        if isinstance(found, str):
            self.not_done.append(f"{goal.text}: {found}")
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
        for number, candidate in enumerate(taken, 1):
            self.say(f"writing position {number} of {len(taken)}")
            self.done(f"position {number} of {len(taken)}",
                      partial(self._write, candidate, candidate.goals - shown))
            if self._key(candidate) in self.written:
                shown |= candidate.goals
        missing = self._readings(most) + self._deletions(most)
        for candidate, _ in self.written.values():
            shown |= candidate.goals
        if self.stop.why:
            self.not_done.append(f"the rest: {self.stop.why}")
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
        document = self.known(
            ("write", *key, sorted(candidate.goals), sorted(told | news)),
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
        for clause in self.bench.game("printed").clauses:
            if clause.in_force and acts(clause):
                self.say(f"without {clause.id}")
                goal = Goal("without", (clause.id,))
                if not self.done(goal.text, partial(self._noticed, clause.id, goal, most)):
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

    def _noticed(self, clause: str, goal: Goal, most: int | None) -> bool:
        """Find a position that notices that a clause is gone, or make one."""
        scopes = [scope for scope in self.scopes.values() if clause in scope.acting]
        written = [document["id"] for _, document in self.written.values()]
        found = self.known(("noticed", clause, written), partial(self._who_notices, scopes, clause))
        if isinstance(found, int):
            return self._missed(*list(self.written.values())[found], clause, goal)
        if isinstance(found, str):
            self.not_done.append(f"{goal.text}: {found}")
            return False
        if most is not None and len(self.written) >= most:
            return False
        changed = {"changes": ({"drop": [clause]},)}
        return any(self._sought(scope, changed, goal) for scope in scopes[:DECLARED])

    def _who_notices(self, scopes: list[SpotGround], clause: str) -> int | str | None:
        """Give the number of a position that notices that a clause is gone; text: it must stay."""
        written = list(enumerate(self.written.values()))
        for scope in scopes:
            try:
                other = self.bench.instance(scope.name, changes=({"drop": [clause]},))
            except (SpecErrors, UsageError):
                return "other entries of the spec need it"
            own = sorted(((number, *each) for number, each in written
                          if each[0].spot.scope == scope.name), key=lambda each: each[1].spot.depth)
            for number, _, document in own:
                if tells_apart(document, other):
                    return number
            for number, _, document in own[:WAYS]:
                if not reaches(document, other):
                    return number
        return None
