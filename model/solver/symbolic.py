"""The machine's edges as Z3 constraints, over states and parameters that are not known.

A state is one integer unknown per element of the vector, within its array's range; an edge is a
guard, and for each element its value afterwards, as formulas over these and over unknowns for its
parameters (`formulas` says how).  The reading must agree with the interpreter's on every state and
move; `check_step` and `at` are there for that comparison.

An edge is one edge: the `rules` edges that follow it are edges of their own, and whether a limit
forbids a move is not asked here.  At a `rules` node an edge's guard includes that no earlier edge
applies, at a `chance` node that the weight is above 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import z3  # type: ignore[import-untyped]

from ..machine import core
from ..machine.machine import Array, Edge, Machine, Node, Param
from ..machine.state import Arg, Move, State
from ..run.shape import shape_of
from . import formulas, terms
from .formulas import Environment, Grant, Log
from .solving import RLIMIT, answered, known, new_solver, true_in
from .terms import Truth, Value


@dataclass(frozen=True, slots=True)
class Relation:
    """What an edge does, over the unknowns of its source state and of its parameters."""

    edge: Edge
    params: tuple[tuple[Value, ...], ...]
    """The unknowns of each parameter: one, or for a bag one per kind."""
    ranges: tuple[z3.BoolRef, ...]
    """That the parameters lie in their ranges; to be asserted with any use of the rest."""
    guard: Truth
    conjuncts: tuple[Truth, ...]
    """What the guard is the conjunction of."""
    post: tuple[Value, ...]
    changed: tuple[int, ...]
    """The places of the vector that the edge may change."""
    notes: tuple[tuple[Truth, int], ...]


@dataclass(frozen=True, slots=True)
class EdgeStep:
    """What Z3 says of a move: whether it is enabled, and where the edge leads if it is."""

    enabled: bool
    values: tuple[int, ...] = ()
    notes: tuple[int, ...] = ()


class SymbolicMachine:
    """A machine as formulas; relations are made when first asked for, and kept.

    `most`: so many elements may be read or merged for them; after that they raise `TooLargeError`.
    """

    def __init__(self, machine: Machine, *, most: int | None = None) -> None:
        self.machine = machine
        self.grant = Grant(most)
        self.context = z3.Context()
        self.shape = shape_of(machine)
        self.nodes: Mapping[int, Node] = {node.id: node for node in machine.nodes}
        self.edges = {edge.id: edge for node in machine.nodes for edge in node.edges}
        self.state = tuple(
            value for array in machine.arrays for value in unknowns(array.name, array, self.context)
        )
        self.ranges = tuple(terms.ranged(self.state))
        self._relations: dict[int, Relation] = {}
        self._guards: dict[int, Truth] = {}

    # ------------------------------------------------------------------------ formulas

    def scope(self, values: Sequence[Value] | None = None) -> Environment:
        """Return a scope for the arrays with these values, or with the unknowns of the state."""
        at = self.state if values is None else tuple(values)
        memory = {
            name: at[self.shape.offsets[name] : self.shape.offsets[name] + array.size]
            for name, array in self.shape.arrays.items()
        }
        return Environment(self.shape.arrays, self.machine.tables, memory, grant=self.grant)

    def truth(self, expr: core.Expr, values: Sequence[Value] | None = None) -> Truth:
        """Compile a condition on the state, or on other values in its place."""
        return formulas.truth_of(expr, self.scope(values))

    def value(self, expr: core.Expr, values: Sequence[Value] | None = None) -> Value:
        """Compile a number that depends on the state, or on other values in its place."""
        return formulas.value_of(expr, self.scope(values))

    def edge_relation(self, edge: Edge) -> Relation:
        """Compile an edge: when it is enabled, what it writes, which obligations fail on it."""
        if edge.id not in self._relations:
            self._relations[edge.id] = self.relation_from(edge, self.state, f"e{edge.id}!")
        return self._relations[edge.id]

    def relation_from(self, edge: Edge, values: Sequence[Value], prefix: str) -> Relation:
        """Compile an edge as taken from a state of which each element is given by a term.

        `prefix` begins the names of the unknowns for its parameters.
        """
        scope, params, tests = parameters(edge.params, prefix, self.scope(values), self.context)
        guard = [*tests, *(formulas.truth_of(one.test, scope) for one in edge.conditions)]
        source = self.nodes[edge.source]
        if source.kind == "rules":
            earlier = source.edges[: source.edges.index(edge)]
            guard += [terms.negation(self._rule_guard(other, values)) for other in earlier]
        if source.kind == "chance" and edge.weight is not None:
            guard.append(terms.below(0, formulas.value_of(edge.weight, scope)))
        log = Log()
        after = formulas.run(edge.body, scope, True, log)  # noqa: FBT003  (always reached)
        post = tuple(value for array in self.machine.arrays for value in after.memory[array.name])
        pairs = enumerate(zip(values, post, strict=True))
        return Relation(
            edge=edge,
            params=params,
            ranges=tuple(terms.ranged(one for param in params for one in param)),
            guard=terms.both(*guard),
            conjuncts=tuple(guard),
            post=post,
            changed=tuple(place for place, (pre, new) in pairs if not terms.same(pre, new)),
            notes=tuple(log.notes),
        )

    def fails(self, edge: Edge, obligation: int) -> Truth:
        """Compile the condition under which an obligation fails on an edge that is taken."""
        notes = self.edge_relation(edge).notes
        return terms.either(*(test for test, number in notes if number == obligation))

    def _rule_guard(self, edge: Edge, values: Sequence[Value]) -> Truth:
        """Compile the conditions of an edge without parameters."""
        if values is not self.state:
            return terms.both(*(self.truth(one.test, values) for one in edge.conditions))
        if edge.id not in self._guards:
            tests = (self.truth(condition.test) for condition in edge.conditions)
            self._guards[edge.id] = terms.both(*tests)
        return self._guards[edge.id]

    # ------------------------------------------------------------------------- queries

    def solver(self, *, rlimit: int = RLIMIT) -> z3.Solver:
        """Make a solver that answers alike in every run."""
        return new_solver(self.context, rlimit=rlimit)

    def check_step(self, state: State, move: Move) -> EdgeStep:
        """Let Z3 take a move: its edge alone, whatever the limits say."""
        edge = self.edges[move.edge]
        relation = self.edge_relation(edge)
        solver = self.at(state, relation)
        for unknown, arg in zip(relation.params, move.args, strict=True):
            counts = (arg,) if isinstance(arg, int) else arg
            for one, count in zip(unknown, counts, strict=True):
                solver.add(terms.formula(terms.equal(one, count), self.context))
        if edge.source != state.node or not answered(solver):
            return EdgeStep(enabled=False)
        model = solver.model()
        values = list(state.values)
        for place in relation.changed:
            values[place] = known(model, relation.post[place])
        notes = tuple(number for test, number in relation.notes if true_in(model, test))
        return EdgeStep(enabled=True, values=tuple(values), notes=notes)

    def at(self, state: State, relation: Relation) -> z3.Solver:
        """Make a solver in which an edge starts from a known state."""
        solver = self.solver()
        pairs = zip(self.state, state.values, strict=True)
        solver.add([terms.formula(terms.equal(one, value), self.context) for one, value in pairs])
        solver.add([*self.ranges, *relation.ranges, terms.formula(relation.guard, self.context)])
        return solver


# --------------------------------------------------------------------------- unknowns


def unknowns(name: str, array: Array, context: z3.Context) -> tuple[Value, ...]:
    """Make an unknown for each element of an array."""
    return tuple(
        terms.variable(f"{name}.{place}", array.low, array.high, context)
        for place in range(array.size)
    )


def parameters(
    params: Sequence[Param], prefix: str, scope: Environment, context: z3.Context
) -> tuple[Environment, tuple[tuple[Value, ...], ...], list[Truth]]:
    """Make unknowns for parameters: the scope with them, they themselves, what restricts them."""
    made: list[tuple[Value, ...]] = []
    tests: list[Truth] = []
    for param in params:
        name, kinds = f"{prefix}{param.name}", range(param.domain.low, param.domain.high + 1)
        if param.bag:
            most = [
                formulas.value_of(param.most or core.TRUE, scope.bind(param.var, kind))
                for kind in kinds
            ]
            counts = tuple(
                terms.variable(f"{name}.{kind}", 0, max(0, terms.high(limit)), context)
                for kind, limit in zip(kinds, most, strict=True)
            )
            tests += [terms.at_most(a, b) for a, b in zip(counts, most, strict=True)]
            scope = scope.bind_bag(param.name, param.domain.low, counts)
        else:
            counts = (terms.variable(name, param.domain.low, param.domain.high, context),)
            scope = scope.bind(param.name, counts[0])
        made.append(counts)
        tests.append(formulas.truth_of(param.where, scope))
    return scope, tuple(made), tests


def args_in(model: z3.ModelRef, relation: Relation) -> tuple[Arg, ...]:
    """Read the arguments of an edge out of a model."""
    return tuple(
        tuple(known(model, one) for one in unknown) if param.bag else known(model, unknown[0])
        for param, unknown in zip(relation.edge.params, relation.params, strict=True)
    )
