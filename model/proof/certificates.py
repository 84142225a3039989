"""A proof by induction as SMT-LIB text, for another solver to check.

The text declares the unknowns of the state, then asks one question after the other, each between
`push` and `pop`; every answer must be `unsat`.  The questions are: the start state satisfies what
is supposed of its node; each edge leads from a state that satisfies what is supposed at its source
to one that satisfies what is supposed at its target; no edge leads to a node that is said to be
unreachable; and the claim follows.  Only those invariants are in it that this takes, directly or to
be kept: they are collected backwards, with the solver's cores.  That values lie in their ranges
before each step is part of what a state is (`Prover.prove_ranges`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..machine.machine import Edge
from ..solver import terms
from ..solver.solving import SolverLimit
from ..solver.terms import Term, Truth
from .houdini import strongest
from .induction import Book, Excluded, Fact, Session

Supposed = dict[int, dict[Fact, None]]
"""The facts at each node."""


@dataclass(frozen=True, slots=True)
class ProofGoal:
    """That a test is impossible at a node (with a session: on its edge); `reads` what it reads."""

    name: str
    session: Session
    node: int
    test: Truth
    reads: int


class Certificate:
    """The proof of one claim, as it grows."""

    def __init__(self, book: Book, at: Supposed) -> None:
        self.book = book
        self.at = at
        self.needed: Supposed = {node: {} for node in at}
        self.todo: list[int] = []

    def text(self, claims: Sequence[ProofGoal]) -> str:
        """Write the proof of claims."""
        for one in claims:
            if one.node in self.at:
                reasons = self.because(one.session, one.node, [one.test], one.reads)
                self.need(one.node, reasons)
        for edge in self.book.symbolic.edges.values():
            if edge.source in self.at and edge.target not in self.at:
                session = self.book.session(edge)
                self.need(edge.source, self.because(session, edge.source, [True], 0))
        while self.todo:
            self.trace(self.todo.pop())
        lines = ["(set-logic ALL)"]
        lines += [
            f"(declare-const {one.z.sexpr()} Int)"
            for one in self.book.symbolic.state
            if isinstance(one, Term)
        ]
        bounds = [bound for bound in self.book.bounds if not isinstance(bound, bool)]
        lines += [f"(assert {bound.sexpr()})" for bound in bounds]
        lines += self.at_the_start()
        for edge in self.book.symbolic.edges.values():
            lines += self.on_edge(edge)
        for one in claims:
            if one.node in self.at:
                lines.append(f"; the claim {' '.join(one.name.split())}".rstrip())
                lines += self.question(one.session, self.needed[one.node], one.test)
        return "\n".join(lines) + "\n"

    def need(self, node: int, facts: Iterable[Fact]) -> None:
        """Note that facts are needed at a node, and go on from there if some are new."""
        new = [fact for fact in facts if fact not in self.needed[node]]
        self.needed[node].update(dict.fromkeys(new))
        if new and node not in self.todo:
            self.todo.append(node)

    def trace(self, node: int) -> None:
        """Find what it takes, at the sources of the edges into a node, to have its facts there."""
        for edge in self.book.symbolic.edges.values():
            if edge.target != node or edge.source not in self.at:
                continue
            session, before = self.book.session(edge), self.at[edge.source]
            here = tuple(self.needed[node])  # an edge from the node to itself adds to them
            self.need(edge.source, (f for f in here if session.keeps(f) and f in before))
            for fact in here:
                if (session.keeps(fact) and fact in before) or session.post(fact) is True:
                    continue
                found = session.keeps_by_itself(strongest(before), fact)
                if found is None:
                    denied = terms.negation(session.post(fact))
                    self.need(edge.source, self.because(session, edge.source, [denied], fact.reads))
                else:
                    self.need(edge.source, ordered(found.because))

    def because(
        self, session: Session, node: int, tests: Sequence[Truth], reads: int
    ) -> list[Fact]:
        """Find the facts at a node that exclude some tests."""
        found = session.ask(strongest(self.at[node]), tests, reads)
        if not isinstance(found, Excluded):
            raise SolverLimit("the claim does not follow from the invariants within the limit")
        return ordered(found.because)

    def at_the_start(self) -> list[str]:
        """Ask whether the start state violates a fact."""
        machine = self.book.machine
        facts = self.needed.get(machine.start, {})
        pairs = zip(self.book.symbolic.state, machine.start_values, strict=True)
        here = terms.both(*(terms.equal(one, value) for one, value in pairs))
        wrong = terms.either(*(terms.negation(fact.truth) for fact in facts))
        return ["; the start", *self.lines([], [here, wrong])]

    def on_edge(self, edge: Edge) -> list[str]:
        """Ask whether an edge loses a fact."""
        facts = self.needed.get(edge.target)
        if edge.source not in self.at or facts == {}:
            return []
        session, lost = self.book.session(edge), True
        if facts is not None:
            lost = terms.either(*(terms.negation(session.post(fact)) for fact in facts))
        return [f"; edge {edge.id}", *self.question(session, self.needed[edge.source], lost)]

    def question(self, session: Session, facts: Iterable[Fact], test: Truth) -> list[str]:
        """Ask whether a test can hold, given facts before it and the edge of a session."""
        tests = [*(fact.truth for fact in facts), test]
        if session.relation is None:
            return self.lines([], tests)
        params = [one for param in session.relation.params for one in param]
        tests = [*session.bounds[len(self.book.bounds) :], session.relation.guard, *tests]
        return self.lines([one for one in params if isinstance(one, Term)], tests)

    def lines(self, unknowns: Iterable[Term], tests: Iterable[Truth]) -> list[str]:
        """Write one question."""
        context = self.book.symbolic.context
        asserted = [terms.formula(test, context) for test in tests if test is not True]
        return [
            "(push 1)",
            *(f"(declare-const {one.z.sexpr()} Int)" for one in unknowns),
            *(f"(assert {test.sexpr()})" for test in asserted),
            "(check-sat)",
            "(pop 1)",
        ]


def ordered(facts: Iterable[Fact]) -> list[Fact]:
    """Put facts in the order in which they were compiled."""
    return sorted(facts, key=lambda fact: fact.number)
