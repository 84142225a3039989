"""What a machine can be proved to do or never to do at its full size, for a bounded amount of work.

Three means, the cheap ones first.

1. A slice of the machine (`slices`) keeps the variables and, of each zone, the number of cards.
   Invariants of the slice are inferred (`invariants`) from a few guesses (`guesses`); what they
   exclude there is excluded in the machine.
2. What is left is looked at in the machine itself, in the step where it happens (`backward`),
3. and in the two steps before it.

Work is counted in Z3's units, so that the same machine has the same proofs everywhere.  There is no
verdict but "proved": what is not proved may hold all the same.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..machine import core
from ..machine.machine import Machine
from ..machine.traversal import arrays_read
from ..run.evaluate import OutOfRangeError
from ..solver.solving import SolverLimit
from .backward import Backward
from .candidates import Candidate
from .card_candidates import conserved, guesses
from .certificates import ProofGoal
from .induction import Book
from .invariants import Invariants, Proved, Prover
from .slices import counts, in_view, scalars, seen_in, view_of

QUERY = 2_000_000
"""How much work one query may cost."""
BUDGET = 40_000_000
"""How much work the invariants may cost, in Z3's units."""


class Proofs:
    """A machine of which things are to be proved; `tests` are what `always` will be asked about."""

    def __init__(self, machine: Machine, tests: Sequence[core.Expr] = ()) -> None:
        self.machine = machine
        keep, sizes = scalars(machine), counts(machine)
        self.view = view_of(machine, keep, sizes)
        self.part = seen_in(self.view, machine)
        self.prover = Prover(self.part, rlimit=QUERY)
        self.guesses = guesses(machine, self.part)
        known = (in_view(self.view, test) for test in tests)
        asked = [Candidate("a claim", test) for test in known if test is not None]
        try:
            found = self.prover.infer((*self.guesses, *asked), budget=BUDGET)
        except SolverLimit:
            found = Invariants({node.id: () for node in machine.nodes})
        self.found = found
        facts = {
            node: [one.test for one in here if arrays_read(one.test) <= keep]
            for node, here in found.at.items()
        }
        self.backward = Backward(Book(machine, rlimit=QUERY), facts, rlimit=QUERY)

    def never_fails(self, obligation: int) -> bool:
        """Return whether it is proved that an obligation never fails."""
        return self._by_invariants(obligation) or self.backward.excludes(obligation)

    def _by_invariants(self, obligation: int) -> bool:
        try:
            return isinstance(self.prover.prove_obligation(self.found, obligation), Proved)
        except OutOfRangeError:  # in a state of the slice that the machine cannot be in
            return False

    def always(self, test: core.Expr) -> bool:
        """Return whether it is proved that a condition holds wherever play rests."""
        seen = in_view(self.view, test)
        return seen is not None and all(
            isinstance(self.prover.prove(self.found, node, seen), Proved)
            for node in self._rests())

    def supposed(self) -> frozenset[str]:
        """Name the arrays of which all proofs suppose that what is stored lies in their range.

        Of the others it is proved: by intervals, or from the invariants.
        """
        kept = self.view.kept
        if not isinstance(self.prover.prove_ranges(self.found, kept), Proved):
            kept = frozenset(name for name in kept if not isinstance(
                self.prover.prove_ranges(self.found, {name}), Proved))
            return kept | self.view.supposed
        return frozenset(self.view.supposed)

    def _rests(self) -> list[int]:
        """List the nodes at which play can rest."""
        return [node.id for node in self.machine.nodes
                if node.kind != "rules" and node.id in self.found.at]

    def certificate(
        self, obligations: Mapping[int, str], tests: Sequence[tuple[str, core.Expr]]
    ) -> str:
        """Write what was proved by invariants as SMT-LIB text, for another solver to check.

        Obligations that `never_fails` (by number) and tests that hold `always` come with what to
        call them.  The text begins with a list of what was proved in another way, and is not in it.

        Raises:
            SolverLimit: if a proof cannot be told in the work that a query may cost.

        """
        claims: list[ProofGoal] = []
        others: list[str] = []
        for number, name in obligations.items():
            if self._by_invariants(number):
                claims += self.prover.obligation_claims(number, name)
            else:
                others.append(name)
        for name, test in tests:
            seen = in_view(self.view, test)
            if seen is not None:
                claims += self.prover.claims(self._rests(), seen, name)
        for one in self._kept():
            claims += self.prover.claims(self._rests(), one.test, one.name)
        lines = [f"; not here, proved by looking back one or two steps: {' '.join(name.split())}"
                 for name in dict.fromkeys(others)]
        return "\n".join([*lines, self.prover.certificate(self.found, claims)])

    def conserved(self) -> tuple[str, ...]:
        """Name the families of which it is proved that no card is ever lost or gained."""
        return tuple(one.name.removeprefix("conserved card:") for one in self._kept())

    def _kept(self) -> list[Candidate]:
        """List the totals of cards that are proved to stay the same."""
        rests = [frozenset(one.test for one in self.found.at[node]) for node in self._rests()]
        guessed = conserved(self.machine, self.part)
        return [one for one in guessed if all(one.test in here for here in rests)]
