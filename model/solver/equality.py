"""Whether two machines are the same at any state, proved by Z3 edge by edge.

The machines come from two texts of one game that differ in a phrase.  Where their edges differ,
each pair is compared as formulas over one unknown state within the declared ranges: the same moves
are possible, with the same result, and the same obligations fail.  Nothing is supposed of the state
but its ranges, so what is proved holds at any state, reachable or not, and what only an invariant
makes true is not found.  Cost: one query for each pair of edges that differ.
"""

from __future__ import annotations

import re
from dataclasses import replace

from ..machine.machine import Edge, Machine, Node
from . import terms
from .formulas import TooLargeError
from .solving import RLIMIT, ask
from .symbolic import Relation, SymbolicMachine
from .terms import Truth

LARGEST = 100_000
"""Characters of the nodes that differ, written out; formulas of more take too long."""
MOST = 100_000
"""Elements that formulas may read or merge, for the same reason."""


def proved_same(first: Machine, second: Machine) -> bool:
    """Prove that two machines do the same in every state of their ranges.

    Without a proof they may still be the same.
    """
    if not _shaped_alike(first, second):
        return False
    pairs = [(one, two) for one, two in zip(first.nodes, second.nodes, strict=True)
             if _plain(one) != _plain(two)]
    if sum(len(_plain(one)) for one, _ in pairs) > LARGEST:
        return False
    limits = [(one.test, two.test) for one, two in zip(first.limits, second.limits, strict=True)
              if _plain(one.test) != _plain(two.test)]
    clones = [_clone(first, node) for _, node in pairs]
    symbolic = SymbolicMachine(replace(first, nodes=(*first.nodes, *clones)), most=MOST)
    try:
        return all(
            _never(symbolic, _unlike(symbolic.truth(one), symbolic.truth(two)))
            for one, two in limits
        ) and all(_same_node(symbolic, node, clone)
                  for (node, _), clone in zip(pairs, clones, strict=True))
    except TooLargeError:
        return False


def _same_node(symbolic: SymbolicMachine, node: Node, clone: Node) -> bool:
    """Prove that two nodes offer the same, with the same odds and results."""
    edges = list(zip(node.edges, clone.edges, strict=True))
    if node.kind == "chance" and any(_plain(a.weight) != _plain(b.weight) for a, b in edges):
        return False
    return all(_same_edge(symbolic, a, b) for a, b in edges)


def _shaped_alike(first: Machine, second: Machine) -> bool:
    """Return whether machines have the same arrays, nodes, and ways between them."""
    def shape(machine: Machine) -> object:
        nodes = [
            (node.id, node.name, node.kind, _plain(node.by),
             [(e.id, e.target, e.label, [(p.label, p.domain, p.bag) for p in e.params])
              for e in node.edges])
            for node in machine.nodes
        ]
        duties = [(o.id, o.clause, o.kind, o.prompt) for o in machine.obligations]
        return (machine.arrays, machine.tables, machine.start, nodes, duties,
                [limit.clause for limit in machine.limits])

    return shape(first) == shape(second)


def _plain(part: object) -> str:
    """Write a part of a machine with its locals numbered as they come."""
    numbers: dict[str, str] = {}

    def renamed(found: re.Match[str]) -> str:
        return numbers.setdefault(found[0], f"${len(numbers)}")

    return re.sub(r"\$\d+", renamed, repr(part))


def _clone(machine: Machine, node: Node) -> Node:
    """Renumber a node so that no node or edge of a machine has its numbers."""
    nodes = 1 + max(each.id for each in machine.nodes)
    edges = 1 + max((edge.id for each in machine.nodes for edge in each.edges), default=0)
    made = tuple(replace(edge, id=edge.id + edges, source=node.id + nodes) for edge in node.edges)
    return replace(node, id=node.id + nodes, edges=made)


def _same_edge(symbolic: SymbolicMachine, first: Edge, second: Edge) -> bool:
    """Prove that two edges are possible for the same parameters, and then do the same."""
    one, two = symbolic.edge_relation(first), symbolic.edge_relation(second)
    alike = [terms.equal(a, b) for mine, theirs in zip(one.params, two.params, strict=True)
             for a, b in zip(mine, theirs, strict=True)]
    differ = terms.either(
        *(terms.negation(terms.equal(a, b)) for a, b in zip(one.post, two.post, strict=True)
          if not terms.same(a, b)),
        *_noted_unlike(one, two))
    wrong = terms.both(*alike, terms.either(
        _unlike(one.guard, two.guard), terms.both(one.guard, differ)))
    return _never(symbolic, wrong, one, two)


def _noted_unlike(one: Relation, two: Relation) -> list[Truth]:
    """Say for each obligation that it fails on one edge and not on the other."""
    duties = dict.fromkeys(number for _, number in (*one.notes, *two.notes))
    return [
        _unlike(*(terms.either(*(test for test, which in each.notes if which == number))
                  for each in (one, two)))
        for number in duties
    ]


def _unlike(one: Truth, two: Truth) -> Truth:
    return terms.either(terms.both(one, terms.negation(two)), terms.both(two, terms.negation(one)))


def _never(symbolic: SymbolicMachine, wrong: Truth, *relations: Relation) -> bool:
    """Return whether something is proved impossible."""
    if isinstance(wrong, bool):
        return not wrong
    solver = symbolic.solver(rlimit=RLIMIT // 100)
    solver.add(*symbolic.ranges, *(one for each in relations for one in each.ranges))
    solver.add(terms.formula(wrong, symbolic.context))
    return ask(solver) == "no"
