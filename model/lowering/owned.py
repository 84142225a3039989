"""A machine of versions of clauses, in which all that a version does is done by its clause."""

from __future__ import annotations

from dataclasses import replace

from ..machine.core import Cite, Stmt
from ..machine.machine import Edge, Machine, Node
from ..machine.traversal import rewritten
from ..rules.context import own


def owned(machine: Machine) -> Machine:
    """Return a machine with the ids of clauses where it had those of their versions."""
    return replace(
        machine, nodes=tuple(map(_node, machine.nodes)),
        obligations=tuple(
            replace(each, clause=own(each.clause), others=_all(each.others, each.clause))
            for each in machine.obligations),
        limits=tuple(replace(each, clause=own(each.clause)) for each in machine.limits))


def _all(names: tuple[str, ...], *but: str) -> tuple[str, ...]:
    known = dict.fromkeys(map(own, names))
    return tuple(name for name in known if name not in map(own, but))


def _node(node: Node) -> Node:
    return replace(node, name=own(node.name), step=own(node.step), clauses=_all(node.clauses),
                   edges=tuple(map(_edge, node.edges)))


def _edge(edge: Edge) -> Edge:
    return replace(
        edge, label=own(edge.label), body=rewritten(edge.body, _stmt), clauses=_all(edge.clauses),
        conditions=tuple(replace(each, clause=own(each.clause)) for each in edge.conditions))


def _stmt(stmt: Stmt) -> tuple[Stmt]:
    return (Cite(own(stmt.clause)) if isinstance(stmt, Cite) else stmt,)
