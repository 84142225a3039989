"""The fixpoint behind `invariants`: drop candidates until what is left is kept by every edge.

Houdini (Flanagan, Leino, FME 2001) with the economies that a large state asks for.  INVARIANT
(kept): for each edge that was checked, what is left at its source implies, on that edge, what is
left at its target; `drop` asks again those edges for which this is in doubt.

* Candidates that fail in states that a random walk has met go first (`samples`).
* Nodes are opened in the order in which play reaches them; a node that is never opened cannot be
  reached, and needs no candidates.
* Edges wait in the order of their sources, from the start onwards, so that news travel once.
* One counterexample drops all candidates that fail in it.
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
from collections.abc import Iterable, Iterator, Sequence

from . import core, terms
from .candidates import Candidate
from .evaluate import binary, evaluate
from .induction import Book, Fact, Impossible, Possible, Session, Unknown
from .machine import Edge
from .solving import true_in
from .state import State

IMPATIENCE = 300
"""What part of the whole patience the first question about an edge gets."""


class Houdini:
    """What is left at each node, and which edges are to be asked."""

    def __init__(self, book: Book, guesses: Sequence[Candidate]) -> None:
        self.book = book
        self.nodes = book.symbolic.nodes
        self.left: dict[int, dict[Fact, Candidate]] = {number: {} for number in self.nodes}
        for guess in guesses:
            for number in self.nodes if guess.node is None else (guess.node,):
                self.left[number].setdefault(book.fact(guess.test), guess)
        self.into: dict[int, list[Edge]] = defaultdict(list)
        for edge in book.symbolic.edges.values():
            self.into[edge.target].append(edge)
        self.opened: dict[int, None] = {}
        self.rank = ranks(book)
        self.queue: list[tuple[int, int]] = []
        """Edges to be asked, by the rank of their source."""
        self.closed: dict[int, frozenset[Fact]] = {}
        """Edges that cannot be taken, with the facts that say so."""
        self.proofs: dict[int, dict[Fact, frozenset[Fact]]] = {}
        """For each edge that was asked: what it was proved to keep, and from what."""
        self.given_up: set[int] = set()

    def run(self, reached: Iterable[State]) -> dict[int, tuple[Candidate, ...]]:
        """Drop what fails in known states, then what some edge does not keep."""
        machine = self.book.machine
        start = tuple(value for array in machine.arrays for value in array.start)
        for state in (State(machine.start, start), *reached):
            self.forget(state)
        self.open(machine.start)
        while self.queue:
            self.check(self.book.symbolic.edges[heapq.heappop(self.queue)[1]])
        return {number: tuple(self.left[number].values()) for number in sorted(self.opened)}

    def forget(self, state: State) -> None:
        """Drop what fails in a state that is known to be reachable."""
        shape, values = self.book.symbolic.shape, state.values
        compared: dict[int, int] = {}

        def holds(fact: Fact) -> bool:
            if not fact.op or not isinstance(fact.test, core.Binary):
                return evaluate(shape, values, fact.test, {}) != 0
            if fact.subject not in compared:
                compared[fact.subject] = evaluate(shape, values, fact.test.left, {})
            return binary(fact.op, compared[fact.subject], fact.mark) != 0

        left = self.left[state.node]
        self.left[state.node] = {fact: guess for fact, guess in left.items() if holds(fact)}

    def open(self, node: int) -> None:
        """Go on from a node that can be reached."""
        if node not in self.opened:
            self.opened[node] = None
            for edge in self.nodes[node].edges:
                heapq.heappush(self.queue, (self.rank[node], edge.id))

    def check(self, edge: Edge) -> None:
        """Drop what an edge does not keep."""
        session, before = self.book.session(edge), self.left[edge.source]
        supposed = strongest(before)
        if edge.target not in self.opened:
            taken = session.ask(supposed, [True], 0)
            if isinstance(taken, Impossible):
                self.closed[edge.id] = taken.because
                return
            self.open(edge.target)
        self.closed.pop(edge.id, None)
        goals = [
            fact
            for fact in self.left[edge.target]
            if not (session.keeps(fact) and fact in before) and session.post(fact) is not True
        ]
        old = self.proofs.get(edge.id, {})
        proved = {goal: old[goal] for goal in goals if goal in old and old[goal] <= before.keys()}
        asked = _EdgeCheck(session, supposed, goals, proved)
        asked.run()
        self.proofs[edge.id] = proved
        if asked.given_up:
            self.given_up.add(edge.id)
        self.drop(edge.target, asked.dropped)

    def drop(self, node: int, facts: Iterable[Fact]) -> None:
        """Drop candidates at a node, and ask again the edges for which this matters."""
        gone = set(facts)
        if not gone:
            return
        left = self.left[node]
        known = set(strongest(left))
        for fact in gone:
            del left[fact]
        for edge in self.nodes[node].edges:
            session, after = self.book.session(edge), self.left[edge.target]
            proofs = self.proofs.get(edge.id, {})
            if (
                self.closed.get(edge.id, frozenset()) & gone
                or any(fact in after and session.keeps(fact) for fact in gone)
                or any(because & gone for goal, because in proofs.items() if goal in after)
            ):
                self.again(edge)
        if any(fact not in known for fact in strongest(left)):
            for edge in self.into[node]:
                self.again(edge)

    def again(self, edge: Edge) -> None:
        """Ask an edge again that was asked before."""
        asked = edge.id in self.proofs or edge.id in self.closed
        entry = (self.rank[edge.source], edge.id)
        if asked and entry not in self.queue:
            heapq.heappush(self.queue, entry)


class _EdgeCheck:
    """One visit to an edge, to find which of the goals it keeps."""

    def __init__(
        self,
        session: Session,
        supposed: list[Fact],
        goals: list[Fact],
        proved: dict[Fact, frozenset[Fact]],
    ) -> None:
        self.session = session
        self.supposed = supposed
        self.goals = goals
        self.patience = session.book.rlimit
        self.proved = proved
        self.dropped: list[Fact] = []
        self.given_up = False

    def run(self) -> None:
        """Prove or drop every goal; the strongest first, as they may make others superfluous."""
        while pending := self.pending():
            found = self.ask(pending, max(1, self.patience // IMPATIENCE))
            if isinstance(found, Unknown):
                self.one_by_one(pending)

    def pending(self) -> list[Fact]:
        """List the goals that are to be proved, the implied ones left out."""
        return [goal for goal in strongest(self.goals) if goal not in self.proved]

    def one_by_one(self, pending: list[Fact]) -> None:
        """Prove what can be proved by itself, then the rest with full patience."""
        parts: list[list[Fact]] = [[]]
        for goal in pending:
            found = self.session.keeps_by_itself(self.supposed, goal)
            if found is None:
                parts[0].append(goal)
            else:
                self.proved[goal] = found.because
        while parts:
            part = [goal for goal in parts.pop() if goal in self.goals]
            if not part:
                continue
            found_all = self.ask(part, self.patience)
            if isinstance(found_all, Possible):
                parts.append(part)
            elif isinstance(found_all, Unknown) and len(part) > 1:
                parts += [part[: len(part) // 2], part[len(part) // 2 :]]
            elif isinstance(found_all, Unknown):
                self.given_up = True
                self.lose(set(part))

    def ask(self, part: list[Fact], rlimit: int) -> Impossible | Possible | Unknown:
        """Ask whether some of the goals can fail; drop whatever does."""
        session = self.session
        denied = [terms.negation(session.post(goal)) for goal in part]
        found = session.ask(self.supposed, denied, union(part), rlimit=rlimit)
        if isinstance(found, Impossible):
            self.proved.update(dict.fromkeys(part, found.because))
        if isinstance(found, Possible):
            values = {goal: true_in(found.model, session.post(goal)) for goal in self.goals}
            self.lose({goal for goal, holds in values.items() if not holds})
        return found

    def lose(self, failed: set[Fact]) -> None:
        """Take goals out."""
        self.dropped += [goal for goal in self.goals if goal in failed]
        self.goals = [goal for goal in self.goals if goal not in failed]


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
    """Number the nodes so that, loops aside, each comes before those that it leads to."""
    order: list[int] = []
    seen: set[int] = set()
    stack: list[tuple[int, Iterator[Edge]]] = []

    def enter(node: int) -> None:
        seen.add(node)
        stack.append((node, iter(book.symbolic.nodes[node].edges)))

    enter(book.machine.start)
    while stack:
        node, edges = stack[-1]
        target = next((edge.target for edge in edges if edge.target not in seen), None)
        if target is None:
            order.append(node)
            stack.pop()
        else:
            enter(target)
    return {node: rank for rank, node in enumerate(reversed(order))}


def union(facts: Iterable[Fact]) -> int:
    """Find the elements that any of several facts reads."""
    bits = 0
    for fact in facts:
        bits |= fact.reads
    return bits
