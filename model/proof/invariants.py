"""Conditions that hold in every reachable state of a machine, at any size, proved by induction.

Idea: Houdini (Flanagan, Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001).  Take
many candidates, at each node.  Those that fail in the start state go.  For each edge, suppose what
is left at its source, and ask Z3 for parameters and a state from which the edge leads to a state
where a candidate of its target fails: that candidate goes, and edges that relied on it are asked
again.  What is left in the end holds at the start and is kept by every edge, so it holds wherever
play can get: the largest such set of the candidates there is, whatever the order of asking.
`houdini` has the details.

Limits.  Edges are taken one by one, at rules nodes and rests alike, and moves are not filtered by
the machine's limits, so there are more runs here than in play: what is proved holds, but what only
that filter upholds is not found.  That what is stored lies in the ranges of the arrays is supposed;
`Prover.prove_ranges` proves it from what was found.  Where the solver gives up, candidates are
dropped, never kept.  A counterexample is one to induction: a state that satisfies the invariants
and may yet be unreachable.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import TypeAlias

from ..machine import core
from ..machine.machine import Machine
from ..machine.state import Move, State
from ..run.evaluate import evaluate, execute
from ..run.shape import Execution
from ..solver import terms
from ..solver.solving import RLIMIT, known
from ..solver.symbolic import args_in
from ..solver.terms import Truth
from .candidates import Candidate, candidates
from .certificates import Certificate, ProofGoal
from .houdini import Houdini, strongest
from .induction import Book, Excluded, Possible, Session, Unknown
from .random_walks import sample

STEPS = 20
"""How far the walk goes that looks for states in which candidates fail, times the nodes."""
KEPT = 10
"""How many of these states are kept for each node."""


@dataclass(frozen=True, slots=True)
class Invariants:
    """What holds at each node; together it is kept by every edge.

    A node that is not in `at` cannot be reached at all.
    """

    at: Mapping[int, tuple[Candidate, ...]]


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


class Prover:
    """A machine with all that was compiled for it, to be asked many things."""

    def __init__(self, machine: Machine, *, rlimit: int = RLIMIT) -> None:
        self.book = Book(machine, rlimit=rlimit)
        self.machine = machine

    def infer(
        self, guesses: Sequence[Candidate] | None = None, *, budget: int | None = None
    ) -> Invariants:
        """Find the candidates that can be proved together; without any, guess some.

        Raises `SolverLimit` if that takes more work (in Z3's units) than `budget`.
        """
        chosen = candidates(self.machine) if guesses is None else guesses
        houdini = Houdini(self.book, chosen, budget=budget)
        met = sample(self.machine, steps=STEPS * len(self.machine.nodes), keep=KEPT)
        return Invariants(houdini.run(met))

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

    def prove_ranges(
        self, invariants: Invariants, names: AbstractSet[str] | None = None
    ) -> Verdict:
        """Prove that what is stored in some arrays (else in any) lies in their ranges."""
        because: dict[str, None] = {}
        ranges = [
            (array.low, array.high) if names is None or array.name in names else None
            for array in self.machine.arrays for _ in range(array.size)
        ]
        for edge in self.book.symbolic.edges.values():
            relation = self.book.symbolic.edge_relation(edge)
            wrong = terms.either(
                *(
                    terms.negation(
                        terms.both(terms.at_most(span[0], new), terms.at_most(new, span[1])))
                    for span, new in zip(ranges, relation.post, strict=True) if span is not None
                )
            )
            if wrong is not False:
                verdict = self._verdict(self.book.session(edge), invariants, edge.source, wrong, 0)
                if not isinstance(verdict, Proved):
                    return verdict
                because.update(dict.fromkeys(verdict.because))
        return Proved(tuple(because))

    def claims(self, nodes: Iterable[int], test: core.Expr, name: str = "") -> list[ProofGoal]:
        """Claim that a condition holds whenever play is at some nodes."""
        fact = self.book.fact(test)
        denied = terms.negation(fact.truth)
        return [ProofGoal(name, Session(self.book, None), node, denied, fact.reads)
                for node in nodes]

    def obligation_claims(self, obligation: int, name: str = "") -> list[ProofGoal]:
        """Claim that an obligation never fails, wherever it is noted."""
        edges = self.book.symbolic.edges.values()
        cases = [(edge, self.book.symbolic.fails(edge, obligation)) for edge in edges]
        return [
            ProofGoal(name, self.book.session(edge), edge.source, fails, 0)
            for edge, fails in cases
            if fails is not False
        ]

    def certificate(self, invariants: Invariants, claims: Sequence[ProofGoal]) -> str:
        """Write the proof of claims as SMT-LIB text: every answer is unsat.

        Raises:
            SolverLimit: if there is no proof.

        """
        at = {
            node: dict.fromkeys(self.book.fact(one.test) for one in facts)
            for node, facts in invariants.at.items()
        }
        return Certificate(self.book, at).text(claims)

    def _verdict(
        self, session: Session, invariants: Invariants, node: int, test: Truth, reads: int
    ) -> Verdict:
        """Ask for a state that satisfies the invariants, and a test that should not hold."""
        if node not in invariants.at:
            return Proved(())
        names = {self.book.fact(one.test): one.name for one in invariants.at[node]}
        facts = strongest(names)
        found = session.ask(facts, [test], reads)
        if isinstance(found, Possible):
            found = session.ask(facts, [test], reads, all_of=True)
        if isinstance(found, Unknown):
            return Undecided(found.why)
        if isinstance(found, Excluded):
            return Proved(tuple(names[fact] for fact in facts if fact in found.because))
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
        edge, run = self.book.symbolic.edges[found.move.edge], Execution(list(found.state.values))
        pairs = zip(edge.params, found.move.args, strict=True)
        names = {param.name: arg for param, arg in pairs}
        execute(self.book.symbolic.shape, run, edge.body, names)
        return run.notes
