"""Conditions that hold in every reachable state of a machine, at any size, proved by induction.

Idea: Houdini (Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001).  Take
many candidates, at each node.  Those that fail in the start state go.  For each edge, suppose what
is left at its source, and ask Z3 for parameters and a state from which the edge leads to a state
where a candidate of its target fails: that candidate goes, and edges that relied on it are asked
again.  What is left in the end holds at the start and is kept by every edge, so it holds wherever
play can get: the largest such set of the candidates there is, whatever the order of asking.

What keeps it fast: nodes are opened in the order in which play reaches them; one counterexample
drops all candidates that fail in it; a candidate that an edge does not touch is kept without
asking; the solver is told of those elements only that the question is about (`induction`); and its
cores say which edges relied on what.

Limits.  Edges are taken one by one, at rules nodes and rests alike, and moves are not filtered by
the machine's limits, so there are more runs here than in play: what is proved holds, but what only
that filter upholds is not found.  Where the solver gives up, candidates are dropped, never kept.
A counterexample is one to induction: a state that satisfies the invariants and may yet be
unreachable.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from . import core, terms
from .candidates import Candidate, candidates
from .evaluate import Run, evaluate, execute
from .induction import Book, Fact, Impossible, Possible, Session, Unknown
from .machine import Edge, Machine
from .solving import RLIMIT, known, true_in
from .state import Move, State
from .symbolic import args_in
from .terms import Truth

TOGETHER = 32
"""How many candidates are asked about in one question."""


@dataclass(frozen=True, slots=True)
class Invariants:
    """What holds at each node; together it is kept by every edge.

    A node that is not in `at` cannot be reached at all.  `given_up` are the edges at which the
    solver reached its limit, and candidates were dropped that might hold.
    """

    at: Mapping[int, tuple[Candidate, ...]]
    given_up: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Proved:
    """It holds in every state that satisfies the invariants; `because` names those it takes."""

    because: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NotInductive:
    """It fails in this state (for an edge: on this move), which satisfies all invariants."""

    state: State
    move: Move | None = None


@dataclass(frozen=True, slots=True)
class Undecided:
    """The solver gave up."""

    why: str


Verdict: TypeAlias = Proved | NotInductive | Undecided


def infer(
    machine: Machine,
    guesses: Sequence[Candidate] | None = None,
    *,
    reached: Iterable[State] = (),
    rlimit: int = RLIMIT,
) -> Invariants:
    """Find the candidates that can be proved together; without any, guess some.

    `reached` are states known to be reachable: what fails in one of them is dropped unasked.
    """
    return Prover(machine, rlimit=rlimit).infer(guesses, reached=reached)


def prove(
    machine: Machine, invariants: Invariants, node: int, test: core.Expr, *, rlimit: int = RLIMIT
) -> Verdict:
    """Prove that a condition holds whenever play is at a node."""
    return Prover(machine, rlimit=rlimit).prove(invariants, node, test)


class Prover:
    """A machine with all that was compiled for it, to be asked many things."""

    def __init__(self, machine: Machine, *, rlimit: int = RLIMIT) -> None:
        self.book = Book(machine, rlimit=rlimit)
        self.machine = machine

    def infer(
        self, guesses: Sequence[Candidate] | None = None, *, reached: Iterable[State] = ()
    ) -> Invariants:
        """Find the candidates that can be proved together; without any, guess some."""
        chosen = candidates(self.machine) if guesses is None else guesses
        return _Houdini(self.book, chosen).run(reached)

    def prove(self, invariants: Invariants, node: int, test: core.Expr) -> Verdict:
        """Prove that a condition holds whenever play is at a node."""
        fact, session = self.book.fact(test), Session(self.book, None)
        found = self._verdict(session, invariants, node, terms.negation(fact.truth), fact.reads)
        if isinstance(found, NotInductive) and self.holds(test, found.state):
            raise AssertionError(f"a counterexample of Z3 does not replay: {found}")
        return found

    def prove_obligation(self, invariants: Invariants, obligation: int) -> Verdict:
        """Prove that an obligation never fails, wherever it is noted."""
        because: dict[str, None] = {}
        for edge in self.book.symbolic.edges.values():
            fails = self.book.symbolic.fails(edge, obligation)
            if fails is not False:
                session = self.book.session(edge)
                verdict = self._verdict(session, invariants, edge.source, fails, 0)
                if isinstance(verdict, NotInductive) and obligation not in self.notes(verdict):
                    raise AssertionError(f"a counterexample of Z3 does not replay: {verdict}")
                if not isinstance(verdict, Proved):
                    return verdict
                because.update(dict.fromkeys(verdict.because))
        return Proved(tuple(because))

    def prove_dead(self, invariants: Invariants, edge: Edge) -> Verdict:
        """Prove that an edge is never taken."""
        return self._verdict(self.book.session(edge), invariants, edge.source, True, 0)  # noqa: FBT003

    def _verdict(
        self, session: Session, invariants: Invariants, node: int, test: Truth, reads: int
    ) -> Verdict:
        """Ask for a state that satisfies the invariants, and a test that should not hold."""
        if node not in invariants.at:
            return Proved(())
        facts = {self.book.fact(one.test): one.name for one in invariants.at[node]}
        found = session.ask(facts, [test], reads)
        if isinstance(found, Impossible):
            return Proved(tuple(name for fact, name in facts.items() if fact in found.because))
        if isinstance(found, Possible):
            found = session.ask(facts, [test], reads, all_of=True)
        if isinstance(found, Unknown):
            return Undecided(found.why)
        if isinstance(found, Impossible):
            return Proved(tuple(name for fact, name in facts.items() if fact in found.because))
        values = tuple(known(found.model, one) for one in self.book.symbolic.state)
        state = State(node, values)
        if not all(self.holds(fact.test, state) for fact in facts):
            raise AssertionError(f"a state that Z3 says satisfies the invariants does not: {state}")
        if session.edge is None or session.relation is None:
            return NotInductive(state)
        return NotInductive(state, Move(session.edge.id, args_in(found.model, session.relation)))

    def holds(self, test: core.Expr, state: State) -> bool:
        """Evaluate a condition as the interpreter does."""
        return evaluate(self.book.symbolic.shape, state.values, test, {}) != 0

    def notes(self, found: NotInductive) -> list[int]:
        """Take a move as the interpreter does, for the obligations that fail on its edge."""
        if found.move is None:
            return []
        edge, run = self.book.symbolic.edges[found.move.edge], Run(list(found.state.values))
        pairs = zip(edge.params, found.move.args, strict=True)
        names = {param.name: arg for param, arg in pairs}
        execute(self.book.symbolic.shape, run, edge.body, names)
        return run.notes


class _Houdini:
    """The fixpoint: what is left at each node, and which edges are to be asked."""

    def __init__(self, book: Book, guesses: Sequence[Candidate]) -> None:
        self.book = book
        self.nodes = book.symbolic.nodes
        self.left: dict[int, dict[Fact, Candidate]] = {number: {} for number in self.nodes}
        for guess in guesses:
            for number in self.nodes if guess.node is None else (guess.node,):
                self.left[number].setdefault(book.fact(guess.test), guess)
        self.opened: dict[int, None] = {}
        self.queue: deque[int] = deque()
        self.used: dict[int, frozenset[Fact]] = {}
        self.given_up: set[int] = set()

    def run(self, reached: Iterable[State]) -> Invariants:
        """Drop candidates until what is left is kept by every edge."""
        machine = self.book.machine
        start = tuple(value for array in machine.arrays for value in array.start)
        for state in (State(machine.start, start), *reached):
            self.forget(state)
        self.open(machine.start)
        while self.queue:
            self.check(self.book.symbolic.edges[self.queue.popleft()])
        at = {number: tuple(self.left[number].values()) for number in sorted(self.opened)}
        return Invariants(at, tuple(sorted(self.given_up)))

    def forget(self, state: State) -> None:
        """Drop what fails in a state that is known to be reachable."""
        left = self.left[state.node]
        shape = self.book.symbolic.shape
        for fact in [one for one in left if not evaluate(shape, state.values, one.test, {})]:
            del left[fact]

    def open(self, node: int) -> None:
        """Go on from a node that can be reached."""
        if node not in self.opened:
            self.opened[node] = None
            self.queue.extend(edge.id for edge in self.nodes[node].edges)

    def check(self, edge: Edge) -> None:
        """Drop what an edge does not keep."""
        session, before = self.book.session(edge), self.left[edge.source]
        if edge.target not in self.opened:
            taken = session.ask(before, [True], 0)
            if isinstance(taken, Impossible):
                self.used[edge.id] = taken.because
                return
            self.open(edge.target)
        goals = [
            fact
            for fact in self.left[edge.target]
            if not (session.keeps(fact) and fact in before) and session.post(fact) is not True
        ]
        parts = [goals[i : i + TOGETHER] for i in range(0, len(goals), TOGETHER)]
        used: set[Fact] = set()
        dropped: list[Fact] = []
        while parts:
            part = parts.pop()
            denied = [terms.negation(session.post(goal)) for goal in part]
            found = session.ask(before, denied, union(part))
            if isinstance(found, Impossible):
                used |= found.because
            elif isinstance(found, Possible):
                parts.append(part)
                failed = {one for one in goals if not true_in(found.model, session.post(one))}
                goals = [one for one in goals if one not in failed]
                parts = [[one for one in some if one not in failed] for some in parts]
                parts = [some for some in parts if some]
                dropped += failed
            elif len(part) > 1:
                parts += [part[: len(part) // 2], part[len(part) // 2 :]]
            else:
                self.given_up.add(edge.id)
                dropped += part
        self.used[edge.id] = frozenset(used)
        self.drop(edge.target, dropped)

    def drop(self, node: int, facts: Iterable[Fact]) -> None:
        """Drop candidates at a node, and ask the edges again that relied on them."""
        gone = set(facts)
        for fact in gone:
            del self.left[node][fact]
        for edge in self.nodes[node].edges:
            if edge.id not in self.used or edge.id in self.queue:
                continue
            session, after = self.book.session(edge), self.left[edge.target]
            passed_on = any(fact in after and session.keeps(fact) for fact in gone)
            if passed_on or self.used[edge.id] & gone:
                self.queue.append(edge.id)


def union(facts: Iterable[Fact]) -> int:
    """Find the elements that any of several facts reads."""
    bits = 0
    for fact in facts:
        bits |= fact.reads
    return bits
