"""Proofs by looking back: no way of the last few edges leads to where an obligation fails.

The edges that note an obligation are run on an unknown state, as they stand: all cards of all
kinds, nothing left out.  If the obligation can fail there, the edges that lead into that node are
run before it, and so on, a few steps back (the base of bounded model checking turned around: Biere
and others, TACAS 1999).  If every such chain is impossible, so is the failure.  This shows what is
chosen in one step and used in the next, kind by kind, which no sum over the kinds tells.

Cost: one query a chain.  Edges that would unroll to more than `HEAVY` terms are not run.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from ..machine import core
from ..machine.footprint import footprint
from ..machine.machine import Edge
from ..machine.traversal import unrolled, unrolled_code
from ..solver import terms
from ..solver.solving import ask, new_solver
from ..solver.symbolic import Relation
from ..solver.terms import Term, Truth, Value
from .induction import Book

DEPTH = 3
"""The most edges of a chain."""
CHAINS = 24
"""The most chains for one obligation."""
HEAVY = 60_000
"""The most terms that an edge may unroll to."""


class Backward:
    """A machine to look back in, with what is known to hold at its nodes.

    For each node that can be reached, `facts` hold there; one query may cost `rlimit`.
    """

    def __init__(
        self, book: Book, facts: Mapping[int, Sequence[core.Expr]], *, rlimit: int
    ) -> None:
        self.book = book
        self.facts = facts
        self.rlimit = rlimit
        self.noting: dict[int, list[Edge]] = defaultdict(list)
        self.into: dict[int, list[Edge]] = defaultdict(list)
        self.chains = 0
        for edge in book.symbolic.edges.values():
            if edge.source in facts:
                self.into[edge.target].append(edge)
                for note in footprint(edge.body, book.symbolic.shape.arrays).notes:
                    self.noting[note].append(edge)
        self._weights: dict[int, int] = {}

    def excludes(self, obligation: int) -> bool:
        """Return whether an obligation was shown never to fail."""
        self.chains = 0
        return all(self._impossible((edge,), obligation) for edge in self.noting[obligation])

    def _impossible(self, chain: tuple[Edge, ...], obligation: int) -> bool:
        """Return whether no play ends with these edges and the failure on the last."""
        self.chains += 1
        if self.chains > CHAINS or self._weight(chain[0]) > HEAVY:
            return False
        if self._refuted(chain, obligation):
            return True
        first = chain[0].source
        if len(chain) >= DEPTH or first == self.book.machine.start:
            return False
        return all(self._impossible((edge, *chain), obligation) for edge in self.into[first])

    def _refuted(self, chain: tuple[Edge, ...], obligation: int) -> bool:
        """Ask whether the edges of a chain can follow each other up to the failure."""
        symbolic = self.book.symbolic
        values: Sequence[Value] = symbolic.state
        tests: list[Truth] = [symbolic.truth(fact) for fact in self.facts.get(chain[0].source, ())]
        ranges: list[Truth] = []
        for number, edge in enumerate(chain):
            relation: Relation = (
                symbolic.edge_relation(edge) if number == 0
                else symbolic.relation_from(edge, values, f"e{edge.id}!{number}!"))
            ranges += relation.ranges
            tests.append(relation.guard)
            values = relation.post
            if number == len(chain) - 1:
                notes = relation.notes
                tests.append(terms.either(*(test for test, note in notes if note == obligation)))
        wanted = terms.both(*tests)
        if isinstance(wanted, bool):
            return not wanted
        solver = new_solver(symbolic.context, rlimit=self.rlimit)
        used = terms.names_in(wanted)
        solver.add(wanted, *ranges)
        solver.add(*(terms.in_range(one) for one in symbolic.state
                     if isinstance(one, Term) and one.z.decl().name() in used))
        return ask(solver) == "no"

    def _weight(self, edge: Edge) -> int:
        """Estimate how many terms an edge unrolls to."""
        if edge.id not in self._weights:
            self._weights[edge.id] = unrolled_code(edge.body) + sum(
                unrolled(condition.test)
                for other in self.book.symbolic.nodes[edge.source].edges
                for condition in other.conditions)
        return self._weights[edge.id]
