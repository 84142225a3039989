"""Single questions about one step of a machine: can it lead there, given what is supposed before.

A `Session` is a solver that knows one edge (or none: then it is about a state alone).  What is
supposed of the state before are `Fact`s, each behind an assumption of its own, so that the solver
says which ones a refutation took, and stays useful when some are dropped.  Only facts that share
elements with the question, directly or through other facts, are supposed, and only their elements'
ranges are known to the solver: on a large state the rest would cost and not help.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import z3  # type: ignore[import-untyped]

from ..machine import core
from ..machine.footprint import Box, footprint, reads_of
from ..machine.machine import Edge, Machine
from ..run.evaluate import evaluate
from ..solver import formulas, terms
from ..solver.solving import ask, gave_up, new_solver
from ..solver.symbolic import Relation, SymbolicMachine
from ..solver.terms import Term, Truth, Value

SESSIONS = 128
"""How many solvers are kept; the one that was used longest ago goes first."""


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """A condition on the state, compiled; `reads` is the set of its elements, one bit for each."""

    number: int
    test: core.Expr
    truth: Truth
    reads: int
    subject: int = -1
    op: Literal["==", ">=", "<=", ""] = ""
    mark: int = 0
    """If it compares something with a number: the number of that thing, how, and with what."""
    summed: tuple[int, ...] | None = None
    """If that thing is a sum of elements: their places."""


@dataclass(frozen=True, slots=True)
class Excluded:
    """It cannot happen; `because` are the facts that it takes to see that."""

    because: frozenset[Fact]


@dataclass(frozen=True, slots=True)
class Possible:
    """It can happen, as in this model, which speaks of some `places` of the state only.

    No fact that was given mentions both one of these places and another one.
    """

    model: z3.ModelRef
    places: int


@dataclass(frozen=True, slots=True)
class Unknown:
    """The solver gave up."""

    why: str


class Book:
    """A machine as formulas, with the facts about it that were compiled so far."""

    def __init__(self, machine: Machine, *, rlimit: int) -> None:
        self.machine = machine
        self.symbolic = SymbolicMachine(machine)
        self.bounds = [terms.in_range(one) for one in self.symbolic.state]
        self.bits = {one.z.decl().name(): 1 << place
                     for place, one in enumerate(self.symbolic.state) if isinstance(one, Term)}
        self.rlimit = rlimit
        self._facts: dict[core.Expr, Fact] = {}
        self._subjects: dict[core.Expr, int] = {}
        self._sessions: dict[int, Session] = {}
        self._changed: dict[int, int] = {}

    def changed(self, edge: Edge) -> int:
        """Find the elements that an edge may change."""
        if edge.id not in self._changed:
            relation = self.symbolic.edge_relation(edge)
            self._changed[edge.id] = sum(1 << place for place in relation.changed)
        return self._changed[edge.id]

    def keeps(self, edge: Edge, fact: Fact) -> bool:
        """Return whether an edge cannot touch a fact."""
        return not fact.reads & self.changed(edge)

    def fact(self, test: core.Expr) -> Fact:
        """Compile a condition on the state."""
        if test not in self._facts:
            reads = self.places(reads_of(test, self.symbolic.shape.arrays))
            fact = Fact(len(self._facts), test, self.symbolic.truth(test), reads)
            match test:
                case core.Binary("==" | ">=" | "<=" as op, left, core.Const(mark)):
                    subject = self._subjects.setdefault(left, len(self._subjects))
                    summed = self.summed(left, {})
                    fact = replace(fact, subject=subject, op=op, mark=mark, summed=summed)
                case _:
                    pass
            self._facts[test] = fact
        return self._facts[test]

    def summed(self, expr: core.Expr, names: Mapping[str, int]) -> tuple[int, ...] | None:
        """Find the places whose sum an expression is, if it is no more than that."""
        shape = self.symbolic.shape
        match expr:
            case core.Load(name, index) if all(
                isinstance(one, core.Const | core.Local) for one in index
            ):
                at = tuple(evaluate(shape, (), one, names) for one in index)
                place = shape.place(shape.arrays[name], at)
                return None if place is None else (place,)
            case core.Binary("+", left, right):
                parts = [self.summed(left, names), self.summed(right, names)]
            case core.Reduce("sum", var, size, core.TRUE, body):
                parts = [self.summed(body, {**names, var: number}) for number in range(size)]
            case _:
                return None
        known = [part for part in parts if part is not None]
        return tuple(itertools.chain(*known)) if len(known) == len(parts) else None

    def session(self, edge: Edge) -> Session:
        """Return the solver that knows an edge."""
        session = self._sessions.pop(edge.id, None) or Session(self, edge)
        self._sessions[edge.id] = session
        if len(self._sessions) > SESSIONS:
            del self._sessions[next(iter(self._sessions))]
        return session

    def places(self, boxes: Iterable[Box]) -> int:
        """Turn boxes into the set of their elements, one bit for each."""
        bits = 0
        for box in boxes:
            array = self.symbolic.shape.arrays[box.array]
            for index in itertools.product(*(range(a, b + 1) for a, b in box.ranges)):
                place = self.symbolic.shape.place(array, index)
                bits |= 0 if place is None else 1 << place
        return bits

    def touched(self, edge: Edge) -> int:
        """Find the elements that an edge can read or write, its conditions included."""
        arrays = self.symbolic.shape.arrays
        body = footprint(edge.body, arrays)
        tests = [condition.test for condition in edge.conditions]
        for param in edge.params:
            tests += [param.where, *([] if param.most is None else [param.most])]
        tests += [] if edge.weight is None else [edge.weight]
        source = self.symbolic.nodes[edge.source]
        if source.kind == "rules":
            earlier = source.edges[: source.edges.index(edge)]
            tests += [condition.test for other in earlier for condition in other.conditions]
        boxes = itertools.chain.from_iterable(reads_of(test, arrays) for test in tests)
        return self.places(itertools.chain(body.reads, body.writes, boxes))


class Session:
    """A solver that knows an edge, or none."""

    def __init__(self, book: Book, edge: Edge | None) -> None:
        self.book = book
        self.symbolic = book.symbolic
        self.edge = edge
        self.solver = new_solver(self.symbolic.context, rlimit=book.rlimit)
        self.relation: Relation | None = None
        self.touched = self.changed = self._ranged = 0
        self._assumptions: dict[Fact, z3.BoolRef] = {}
        self._posts: dict[Fact, Truth] = {}
        self.unknowns: list[Value] = list(self.symbolic.state)
        self._conjuncts: list[tuple[Truth, int]] = []
        self._spans: dict[Fact, int] = {}
        if edge is not None:
            self.relation = self.symbolic.edge_relation(edge)
            self.touched = book.touched(edge)
            self.changed = book.changed(edge)
            self.solver.add(*self.relation.ranges, self.formula(self.relation.guard))
            self.scope = self.symbolic.scope(self.relation.post)
            self.unknowns += [one for param in self.relation.params for one in param]
        size = len(self.symbolic.state)
        ranges = iter(self.relation.ranges if self.relation is not None else ())
        self.bounds = [*book.bounds, *(
            next(ranges) if isinstance(one, Term) else True for one in self.unknowns[size:])]
        self._bits = {**book.bits, **{
            one.z.decl().name(): 1 << place
            for place, one in enumerate(self.unknowns[size:], size) if isinstance(one, Term)}}

    def formula(self, test: Truth) -> z3.BoolRef:
        """Return a truth as what a solver takes."""
        return terms.formula(test, self.symbolic.context)

    def keeps(self, fact: Fact) -> bool:
        """Return whether the edge cannot touch a fact."""
        return not fact.reads & self.changed

    def post(self, fact: Fact) -> Truth:
        """Say of the state after the edge what a fact says of the state before."""
        if self.keeps(fact):
            return fact.truth
        if fact not in self._posts:
            self._posts[fact] = formulas.truth_of(fact.test, self.scope)
        return self._posts[fact]

    def ask(
        self, supposed: Iterable[Fact], tests: Sequence[Truth], reads: int, *, all_of: bool = False,
        rlimit: int | None = None,
    ) -> Excluded | Possible | Unknown:
        """Ask whether one of the tests can hold, given facts about the state before.

        `reads` are the elements of the tests that the edge does not touch anyway.  With `all_of`
        every fact is supposed, near or far, so that the model is a whole state.
        """
        self.solver.set("rlimit", self.book.rlimit if rlimit is None else rlimit)
        facts = list(supposed) if all_of else self.near(supposed, reads)
        places = (1 << len(self.book.bounds)) - 1 if all_of else self.span(facts, reads)
        self.know_ranges(places)
        assumed = {self.assumption(fact).get_id(): fact for fact in facts}
        self.solver.push()
        try:
            self.solver.add(self.formula(terms.either(*tests)))
            answer = ask(self.solver, *(self._assumptions[fact] for fact in facts))
            if answer == "yes":
                return Possible(self.solver.model(), places)
            if answer == "no":
                used = (assumed[one.get_id()] for one in self.solver.unsat_core())
                return Excluded(frozenset(used))
            return Unknown(str(gave_up()))
        finally:
            self.solver.pop()

    def keeps_by_itself(self, supposed: Iterable[Fact], goal: Fact) -> Excluded | None:
        """Try to prove that the edge keeps a fact from what is said of the fact's own elements.

        The question is cut down: to the elements that decide the fact after the edge, the parts of
        the guard that mention one of these, and the facts that mention no others.  Most facts
        are kept for such a reason, found at once however large the state is.  None: no proof.
        """
        denied = self.formula(terms.negation(self.post(goal)))
        if goal not in self._spans:
            self._spans[goal] = self.mask(denied)
        span = self._spans[goal]
        guard = [(test, mask) for test, mask in self.conjuncts() if mask & span]
        for _, mask in guard:
            span |= mask
        solver = new_solver(self.symbolic.context, rlimit=max(1, self.book.rlimit // 100))
        bounds = (bound for place, bound in enumerate(self.bounds) if span >> place & 1)
        solver.add(self.formula(terms.both(*bounds, *(test for test, _ in guard), denied)))
        assumed: dict[int, Fact] = {}
        for fact in supposed:
            if fact.reads & span == fact.reads:
                name = z3.Bool(f"fact {fact.number}", self.symbolic.context)
                solver.assert_and_track(self.formula(fact.truth), name)
                assumed[name.get_id()] = fact
        if ask(solver) != "no":
            return None
        return Excluded(frozenset(assumed[one.get_id()] for one in solver.unsat_core()))

    def conjuncts(self) -> list[tuple[Truth, int]]:
        """List the parts of the guard, each with the unknowns in it."""
        if not self._conjuncts and self.relation is not None:
            tests = (test for test in self.relation.conjuncts if test is not True)
            self._conjuncts = [(test, self.mask(self.formula(test))) for test in tests]
        return self._conjuncts

    def mask(self, test: z3.BoolRef) -> int:
        """Find the unknowns in a formula, one bit for each."""
        return sum(self._bits[name] for name in terms.names_in(test))

    def near(self, supposed: Iterable[Fact], reads: int) -> list[Fact]:
        """Choose the facts that share elements with the question, directly or through others."""
        mask, chosen, rest = self.touched | reads, [], list(supposed)
        while near := [fact for fact in rest if fact.reads & mask or fact.truth is False]:
            chosen += near
            rest = [fact for fact in rest if not (fact.reads & mask or fact.truth is False)]
            for fact in near:
                mask |= fact.reads
        return sorted(chosen, key=lambda fact: fact.number)

    def span(self, facts: Iterable[Fact], reads: int) -> int:
        """Find the elements that a question is about."""
        mask = self.touched | reads
        for fact in facts:
            mask |= fact.reads
        return mask

    def know_ranges(self, places: int) -> None:
        """Tell the solver the ranges of elements, once."""
        new = places & ~self._ranged
        self._ranged |= new
        bounds = (bound for place, bound in enumerate(self.book.bounds) if new >> place & 1)
        self.solver.add(self.formula(terms.both(*bounds)))

    def assumption(self, fact: Fact) -> z3.BoolRef:
        """Return the assumption that stands for a fact."""
        if fact not in self._assumptions:
            switch = z3.Bool(f"fact {fact.number}", self.symbolic.context)
            self.solver.add(z3.Implies(switch, self.formula(fact.truth)))
            self._assumptions[fact] = switch
        return self._assumptions[fact]
