"""What test positions are for: the goals that a situation meets, found by watching it.

A goal is one thing that some position should show: that a clause acts, that it forbids, that two
clauses act together, that a statement changes something, that a comparison decides at its edge,
that a zone becomes empty, that a number reaches its bound, that an obligation fails.  Two more
kinds are added from outside: readings that part, and clauses that are missed when they are dropped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import combinations

from ...model.machine.core import Binary, Expr
from ...model.machine.machine import Machine
from ...model.machine.state import Move, State
from ...model.plays.wording import plain_name
from ...model.run.interp import Interpreter
from ...model.views.wording import names_of, wording
from .observer import LegalMoves, Ran, Watcher

ATTEMPTS = 40
"""So often it is tried whether a comparison decides at an edge, for each edge."""
ENOUGH = 6
"""So many candidates are kept for each goal."""


@dataclass(frozen=True, slots=True, order=True)
class Goal:
    """One thing to be shown; `kind` and `what` identify it, in every scope alike."""

    kind: str
    what: tuple[str, ...]

    @property
    def text(self) -> str:
        """Say it in words."""
        if self.kind == "boundary":
            return _TEXTS[self.kind].format(*self.what[:2], _SIDES[self.what[2]])
        return _TEXTS[self.kind].format(*self.what)


_TEXTS = {
    "clause": "{0} acts",
    "forbids": "{0} rules a move out",
    "pair": "{0} and {1} act together",
    "bars": "{0} rules a move out where {1} permits one",
    "effect": "{0} changes {1}",
    "boundary": "`{1}` of {0} decides, {2}",
    "option": "{1} is taken at {0}",
    "cap": "`{1}` of {0} is at its bound",
    "fills": "{0} was empty",
    "empties": "{0} becomes empty",
    "top": "{0} reaches its greatest value",
    "bottom": "{0} reaches its least value",
    "over": "the game ends: {0}",
    "fails": "{1} ({0})",
    "broken": "{0} is broken",
    "stuck": "nobody can move at {0}",
    "without": "without {0} something else would come of it",
    "reading": "the reading {1} of {0} parts from the one adopted",
    "finding": "the finding {0}",
}

_SIDES = {
    "0": "both sides being equal",
    "1": "the left side being one more",
    "-1": "the left side being one less",
    "more than 1": "the left side being larger",
    "less than -1": "the left side being smaller",
    "something": "its sides being different",
}

RANK = {kind: place for place, kind in enumerate((
    "finding", "reading", "broken", "fails", "stuck", "without", "boundary", "cap", "forbids",
    "empties", "fills", "top", "bottom", "over", "bars", "pair", "effect", "clause", "option"))}
"""Which goals are told first."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A state of a scope, and how it is reached: by its number in the exploration, or by moves."""

    scope: str
    state: State
    depth: int
    number: int = -1
    path: tuple[Move, ...] = ()


@dataclass(slots=True)
class Showing:
    """A state and a move in it."""

    spot: Spot
    move: Move | None
    goals: set[Goal] = field(default_factory=set)


Counts = Counter[Goal]
"""How many candidates are kept for each goal, in all scopes."""


class Collector:
    """Turns what is seen in one scope into candidates."""

    def __init__(self, watcher: Watcher, counts: Counts) -> None:
        self.watcher = watcher
        self.machine: Machine = watcher.machine
        self.counts = counts
        self.candidates: dict[tuple[State, Move | None], Showing] = {}
        self.acting = set(Interpreter(self.machine).start().cites)
        """The clauses that were seen to act, or to rule something out."""
        self._tried: Counter[tuple[int, int]] = Counter()
        self._shown: Counter[tuple[int, int]] = Counter()
        self._words: dict[int, str] = {}
        self._names = names_of(watcher.game)
        self._labels = {edge.id: (plain_name(node.name), edge.label)
                        for node in self.machine.nodes for edge in node.edges}

    def look(self, spot: Spot) -> None:
        """Watch a state, and keep what it shows for the first few times."""
        sight = self.watcher.look(spot.state)
        self.acting.update(*sight.barred, *(ran.cites for ran in sight.ran))
        common = set(self._common(sight))
        own = [common | set(self._own(ran, spot.state)) for ran in sight.ran]
        self._edges(sight, own)
        node = self.watcher.nodes[spot.state.node]
        if not sight.ran and node.kind not in ("final", "rules"):
            self.keep(spot, None, common | {Goal("stuck", (plain_name(node.name),))})
        for ran, goals in zip(sight.ran, own, strict=True):
            if ran.after is not None:
                self.keep(spot, ran.move, goals)

    def goals_of(self, state: State, move: Move | None) -> set[Goal]:
        """List what a state and a move show, without the edges of comparisons."""
        sight = self.watcher.look(state)
        ran = next((each for each in sight.ran if each.move == move), None)
        return {*self._common(sight), *(self._own(ran, state) if ran is not None else ())}

    def keep(self, spot: Spot, move: Move | None, goals: set[Goal]) -> None:
        """Make a candidate of a state and a move, unless there are enough for all its goals."""
        if any(self.counts[goal] < ENOUGH for goal in goals):
            self.counts.update(goals)
            self.candidates[spot.state, move] = Showing(spot, move, goals)

    # ------------------------------------------------------------------------ what is seen

    def _common(self, sight: LegalMoves) -> Iterator[Goal]:
        """List what the situation shows whatever is done."""
        permits = dict.fromkeys(
            c for ran in sight.ran for c in self.watcher.edge(ran.move.edge).clauses[:1])
        for clauses in sight.barred:
            if len(clauses) == 1 and _real(clauses[0]):
                yield Goal("forbids", clauses)
                for other in permits:
                    if other != clauses[0] and _real(other):
                        yield Goal("bars", (clauses[0], other))

    def _own(self, ran: Ran, before: State) -> Iterator[Goal]:
        """List what one move shows."""
        cites = [clause for clause in ran.cites if _real(clause)]
        yield from (Goal("clause", (clause,)) for clause in cites)
        yield from (Goal("pair", tuple(sorted(pair))) for pair in combinations(cites, 2))
        effects = (tuple(effect.rsplit(":", 2)[:2]) for effect in ran.effects)
        yield from (Goal("effect", effect) for effect in effects if _real(effect[0]))
        yield Goal("option", self._labels[ran.move.edge])
        duties = self.machine.duties
        yield from (Goal("fails", (duties[n].clause, duties[n].prompt)) for n in ran.notes)
        yield from (Goal("broken", (self.machine.limits[i].clause,)) for i in ran.broken)
        if ran.after is not None:
            yield from self._changes(before, ran.after)
            if self.watcher.nodes[ran.after.node].kind == "final":
                winners = len(self.watcher.interpreter.winners(ran.after))
                yield Goal("over", (("nobody wins", "one wins", "several win")[min(winners, 2)],))

    def _changes(self, before: State, after: State) -> Iterator[Goal]:
        """List the zones that were or become empty, and the numbers that reach their bounds."""
        for array in self.machine.arrays:
            if not array.declared or array.name == self.machine.outcome:
                continue
            first = self.watcher.shape.offsets[array.name]
            row = array.dims[-1] if array.zone else 1
            empty = -1 if array.zone == "pile" else 0
            for start in range(first, first + array.size, max(row, 1)):
                old, new = before.values[start:start + row], after.values[start:start + row]
                if old == new:
                    continue
                if array.zone:
                    if all(value == empty for value in old):
                        yield Goal("fills", (array.name,))
                    if all(value == empty for value in new):
                        yield Goal("empties", (array.name,))
                elif array.domain.kind == "int" and array.high - array.low > 1:
                    if new[0] == array.high:
                        yield Goal("top", (array.name,))
                    if new[0] == array.low:
                        yield Goal("bottom", (array.name,))

    # ------------------------------------------------------------------------ what decides

    def _edges(self, sight: LegalMoves, own: list[set[Goal]]) -> None:
        """Find the comparisons that decide here: turned round, something else comes of it."""
        hits = sorted(sight.hits.union(*(ran.hits for ran in sight.ran)))
        for hit in hits:
            site = self.watcher.sites[hit[0]]
            if not _real(site.clause) or self._shown[hit] >= ENOUGH or (
                    self._tried[hit] >= ATTEMPTS):
                continue
            self._tried[hit] += 1
            other = self.watcher.look(sight.state, flip=hit)
            moved = [ran.move for ran in other.ran] != [ran.move for ran in sight.ran]
            found = False
            for place, (ran, goals) in enumerate(zip(sight.ran, own, strict=True)):
                if moved or _result(ran) != _result(other.ran[place]):
                    goals.add(self._boundary(hit))
                    found = True
            if found:
                self._shown[hit] += 1

    def _boundary(self, hit: tuple[int, int]) -> Goal:
        site = self.watcher.sites[hit[0]]
        if hit[0] not in self._words:
            self._words[hit[0]] = self.word(site.expr)
        if isinstance(site.expr, Binary) and site.expr.op in ("min", "max"):
            return Goal("cap", (site.clause, self._words[hit[0]]))
        return Goal("boundary", (site.clause, self._words[hit[0]], _how(hit[1], site.numeric)))

    def word(self, expr: Expr) -> str:
        """Write a comparison in words."""
        text = wording(self.machine, expr, self._names)
        text = re.sub(r"range\(\d+\)", "cards", " ".join(text.split()))
        text = re.sub(r"sum\((\w+)\[k\] for k in \w+\)", r"size(\1)", text)
        return re.sub(r"sum\((\w+)\[([\w.]+), k\] for k in \w+\)", r"size(\1[\2])", text)


def _how(difference: int, numeric: bool) -> str:  # noqa: FBT001
    if not numeric:
        return "0" if difference == 0 else "something"
    return {-2: "less than -1", 2: "more than 1"}.get(difference, str(difference))


def _result(ran: Ran) -> tuple[object, ...]:
    return ran.after, ran.notes, ran.broken


def _real(clause: str) -> bool:
    """Return whether a clause is one of the book, not of a window or of no name."""
    return bool(clause) and not clause.startswith("window:")


def without_far_ones(goals: Iterable[Goal]) -> set[Goal]:
    """Drop far edges of comparisons that have near ones."""
    known = set(goals)
    return {goal for goal in known if goal.kind != "boundary" or goal.what[2] not in _NEARER
            or Goal("boundary", (*goal.what[:2], _NEARER[goal.what[2]])) not in known}


_NEARER = {"more than 1": "1", "less than -1": "-1"}


# ------------------------------------------------------------------------------- set cover


def chosen(candidates: list[Showing], *, most: int | None = None) -> list[Showing]:
    """Choose few candidates that meet all goals between them.

    Greedy set cover (Chvátal, 1979: within ln n of the fewest): always the candidate that meets
    most of what is left, of equals the one that is reached soonest; then those are dropped whose
    goals the others meet too.
    """
    wanted = without_far_ones(goal for each in candidates for goal in each.goals)
    for each in candidates:
        each.goals &= wanted
    left = set(wanted)
    pool = sorted(candidates, key=lambda each: each.spot.depth)
    worth = [len(each.goals) for each in pool]
    taken: list[Showing] = []
    while left and (most is None or len(taken) < most):
        best, gain = -1, 0
        for place, each in enumerate(pool):
            if worth[place] <= gain:
                continue
            worth[place] = len(each.goals & left)
            if worth[place] > gain:
                best, gain = place, worth[place]
        if best < 0:
            break
        taken.append(pool[best])
        left -= pool[best].goals
        worth[best] = 0
    return _needed(taken)


def _needed(taken: list[Showing]) -> list[Showing]:
    """Drop what the others make needless, the last taken first."""
    times = Counter(goal for each in taken for goal in each.goals)
    kept: list[Showing] = []
    for each in reversed(taken):
        if all(times[goal] > 1 for goal in each.goals):
            times.subtract(each.goals)
        else:
            kept.append(each)
    return kept[::-1]
