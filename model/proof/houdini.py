"""The fixpoint behind `invariants`: drop candidates until what is left is kept by every edge.

Houdini (Flanagan, Leino, FME 2001) with the economies that a large state asks for.  INVARIANT
(kept): for each edge that was checked, what is left at its source implies, on that edge, what is
left at its target; `drop` asks again those edges for which this is in doubt.

* Candidates that fail in states that a random walk has met go first (`samples`).
* Nodes are opened in the order in which play reaches them; a node that is never opened cannot be
  reached, and needs no candidates.
* A counterexample satisfies all that is left at its node, once it has dropped what fails there: so
  it may walk on, and drops what fails where it comes by, without asking.
* Edges wait in the order of their sources, from the start onwards, so that news travel once.
* A candidate that an edge does not touch is kept without asking.
* Of `x <= 3`, `x <= 4`, `x <= 5` only the strongest left is asked about: it implies the others.
* First all candidates of an edge are asked about at once, with little patience; then each by
  itself (`Session.keeps_by_itself`); what is still open is asked again with full patience, in
  halves.  What stays undecided is dropped.
* A proof is kept, with the facts that it took, as long as none of these is dropped.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress

import networkx as nx

from ..machine import core
from ..machine.machine import Edge
from ..machine.operators import apply
from ..machine.state import State
from ..run.evaluate import OutOfRangeError, evaluate
from ..solver import terms
from ..solver.solving import SolverLimit, known, spent, true_in
from ..solver.symbolic import args_in
from .candidates import Candidate
from .induction import Book, Excluded, Fact, Possible, Unknown
from .random_walks import Walker

IMPATIENCE = 300
"""What part of the whole patience the first question about an edge gets."""
IDLE = 6
"""After how many steps that drop nothing a walk ends."""


class Houdini:
    """What is left at each node, and which edges are to be asked."""

    def __init__(
        self, book: Book, guesses: Sequence[Candidate], *, budget: int | None = None
    ) -> None:
        self.book = book
        self.budget = budget
        self.nodes = book.symbolic.nodes
        self.left: dict[int, dict[Fact, Candidate]] = {number: {} for number in self.nodes}
        for guess in guesses:
            for number in self.nodes if guess.node is None else (guess.node,):
                self.left[number].setdefault(book.fact(guess.test), guess)
        self.into: dict[int, list[Edge]] = defaultdict(list)
        for edge in book.symbolic.edges.values():
            self.into[edge.target].append(edge)
        self.met: dict[int, State] = {}
        """For each node that was opened, a state that satisfies all that is left there."""
        self.walker = Walker(book.machine, seed=2)
        self.rank = ranks(book)
        self.queue: list[tuple[int, int]] = []
        """Edges to be asked, by the rank of their source."""
        self.closed: dict[int, frozenset[Fact]] = {}
        """Edges that cannot be taken, with the facts that say so."""
        self.proofs: dict[int, dict[Fact, frozenset[Fact]]] = {}
        """For each edge that was asked: what it was proved to keep, and from what."""

    def run(self, reached: Iterable[State]) -> dict[int, tuple[Candidate, ...]]:
        """Drop what fails in known states, then what some edge does not keep."""
        for state in (self.walker.start, *reached):
            self.arrive(state)
        while self.queue:
            edge = self.book.symbolic.edges[heapq.heappop(self.queue)[1]]
            self.check(edge)
            if self.budget is not None and spent(self.book.session(edge).solver) > self.budget:
                raise SolverLimit("the invariants take more work than was allowed")
        return {number: tuple(self.left[number].values()) for number in sorted(self.met)}

    # ------------------------------------------------------------------------ states

    def arrive(self, state: State) -> bool:
        """Drop what fails in a state that nothing excludes; say whether that was anything."""
        shape, values = self.book.symbolic.shape, state.values
        compared: dict[int, int] = {}

        def holds(fact: Fact) -> bool:
            if not fact.op or not isinstance(fact.test, core.Binary):
                return evaluate(shape, values, fact.test, {}) != 0
            if fact.subject not in compared:
                compared[fact.subject] = (
                    evaluate(shape, values, fact.test.left, {})
                    if fact.summed is None
                    else sum([values[place] for place in fact.summed])
                )
            return apply(fact.op, compared[fact.subject], fact.mark) != 0

        failed = [fact for fact in self.left[state.node] if not holds(fact)]
        self.drop(state.node, failed)
        new = state.node not in self.met
        self.met[state.node] = state
        if new:
            for edge in self.nodes[state.node].edges:
                heapq.heappush(self.queue, (self.rank[state.node], edge.id))
        return new or bool(failed)

    def follow(self, edge: Edge, found: Possible) -> bool:
        """Go where a counterexample leads, and on from there while that drops something.

        What the solver says of some elements is completed from a state that was met: the facts
        about these and about the others are not linked.  False if the edge breaks a range there.
        """
        values = list(self.met[edge.source].values)
        for place, unknown in enumerate(self.book.symbolic.state):
            if found.places >> place & 1:
                values[place] = known(found.model, unknown)
        args = args_in(found.model, self.book.symbolic.edge_relation(edge))
        try:
            state = self.walker.take(State(edge.source, tuple(values)), edge, args)
        except OutOfRangeError:
            return False
        self.arrive(state)
        idle = 0
        with suppress(OutOfRangeError):
            while idle < IDLE and (after := self.walker.step(state)) is not None:
                state = after
                idle = 0 if self.arrive(state) else idle + 1
        return True

    # ------------------------------------------------------------------------ edges

    def check(self, edge: Edge) -> None:
        """Drop what an edge does not keep."""
        session, before = self.book.session(edge), self.left[edge.source]
        supposed = strongest(before)
        if edge.target not in self.met:
            taken = session.ask(supposed, [True], 0)
            if isinstance(taken, Excluded):
                self.closed[edge.id] = taken.because
                return
            if not isinstance(taken, Possible) or not self.follow(edge, taken):
                raise SolverLimit(f"whether edge {edge.id} can be taken is not decided")
        self.closed.pop(edge.id, None)
        old = self.proofs.get(edge.id, {})
        proofs = {goal: because for goal, because in old.items() if because <= before.keys()}
        self.proofs[edge.id] = proofs
        _EdgeCheck(self, edge, supposed, proofs).run()
        if any(not because <= before.keys() for because in proofs.values()):
            self.again(edge)

    def goals(self, edge: Edge) -> list[Fact]:
        """List what is left at the target, apart from what the edge hands through."""
        before, after = self.left[edge.source], self.left[edge.target]
        return [fact for fact in after if fact not in before or not self.book.keeps(edge, fact)]

    def drop(self, node: int, facts: Iterable[Fact]) -> None:
        """Drop candidates at a node, and ask again the edges for which this matters."""
        gone = set(facts)
        if not gone:
            return
        left = self.left[node]
        asked = set(strongest(left))
        for fact in gone:
            del left[fact]
        for edge in self.nodes[node].edges:
            proofs, after = self.proofs.get(edge.id, {}), self.left[edge.target]
            if (
                self.closed.get(edge.id, frozenset()) & gone
                or any(fact in after and self.book.keeps(edge, fact) for fact in gone)
                or any(because & gone for goal, because in proofs.items() if goal in after)
            ):
                self.again(edge)
        if any(fact not in asked for fact in strongest(left)):
            for edge in self.into[node]:
                self.again(edge)

    def again(self, edge: Edge) -> None:
        """Ask an edge again that was asked before."""
        if edge.id in self.proofs or edge.id in self.closed:
            entry = (self.rank[edge.source], edge.id)
            if entry not in self.queue:
                heapq.heappush(self.queue, entry)


class _EdgeCheck:
    """One visit to an edge, to find which of the goals it keeps."""

    def __init__(
        self, houdini: Houdini, edge: Edge, supposed: list[Fact],
        proofs: dict[Fact, frozenset[Fact]],
    ) -> None:
        self.houdini = houdini
        self.edge = edge
        self.session = houdini.book.session(edge)
        self.supposed = supposed
        self.patience = houdini.book.rlimit
        self.proofs = proofs

    def run(self) -> None:
        """Prove or drop every goal, the strongest first."""
        while pending := self.pending():
            found = self.ask(pending, max(1, self.patience // IMPATIENCE))
            if isinstance(found, Unknown):
                self.one_by_one(pending)

    def pending(self) -> list[Fact]:
        """List the goals that are to be proved, the implied ones left out."""
        goals = strongest(self.houdini.goals(self.edge))
        return [goal for goal in goals
                if goal not in self.proofs and self.session.post(goal) is not True]

    def one_by_one(self, pending: list[Fact]) -> None:
        """Prove what can be proved by itself, then the rest with full patience."""
        parts: list[list[Fact]] = [[]]
        for goal in pending:
            found = self.session.keeps_by_itself(self.supposed, goal)
            if found is None:
                parts[0].append(goal)
            else:
                self.proofs[goal] = found.because
        left = self.houdini.left[self.edge.target]
        while parts:
            part = [goal for goal in parts.pop() if goal in left]
            if not part:
                continue
            found_all = self.ask(part, self.patience)
            if isinstance(found_all, Possible):
                parts.append(part)
            elif isinstance(found_all, Unknown) and len(part) > 1:
                parts += [part[: len(part) // 2], part[len(part) // 2 :]]
            elif isinstance(found_all, Unknown):
                self.houdini.drop(self.edge.target, part)

    def ask(self, part: list[Fact], rlimit: int) -> Excluded | Possible | Unknown:
        """Ask whether some of the goals can fail; drop whatever does."""
        session, houdini = self.session, self.houdini
        denied = [terms.negation(session.post(goal)) for goal in part]
        found = session.ask(self.supposed, denied, union(part), rlimit=rlimit)
        if isinstance(found, Excluded):
            self.proofs.update(dict.fromkeys(part, found.because))
        if isinstance(found, Possible) and not houdini.follow(self.edge, found):
            failed = [goal for goal in part if not true_in(found.model, session.post(goal))]
            houdini.drop(self.edge.target, failed)
        return found


def strongest(facts: Iterable[Fact]) -> list[Fact]:
    """Leave out bounds that other bounds on the same thing imply."""
    given = list(facts)
    equal: dict[int, set[int]] = defaultdict(set)
    low: dict[int, int] = {}
    high: dict[int, int] = {}
    for fact in given:
        if fact.op == "==":
            equal[fact.subject].add(fact.mark)
        elif fact.op == ">=":
            low[fact.subject] = max(fact.mark, low.get(fact.subject, fact.mark))
        elif fact.op == "<=":
            high[fact.subject] = min(fact.mark, high.get(fact.subject, fact.mark))

    def needed(fact: Fact) -> bool:
        known = equal[fact.subject]
        if fact.op == ">=":
            return fact.mark == low[fact.subject] and all(mark < fact.mark for mark in known)
        if fact.op == "<=":
            return fact.mark == high[fact.subject] and all(mark > fact.mark for mark in known)
        return True

    return [fact for fact in given if needed(fact)]


def ranks(book: Book) -> dict[int, int]:
    """Order the nodes so that, loops aside, each comes before those that it leads to."""
    ways: nx.DiGraph[int] = nx.DiGraph()
    ways.add_node(book.machine.start)
    ways.add_edges_from((edge.source, edge.target) for edge in book.symbolic.edges.values())
    order = [*nx.dfs_postorder_nodes(ways, book.machine.start)]
    return {node: rank for rank, node in enumerate(reversed(order))}


def union(facts: Iterable[Fact]) -> int:
    """Find the elements that any of several facts reads."""
    bits = 0
    for fact in facts:
        bits |= fact.reads
    return bits
