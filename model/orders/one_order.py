"""A machine whose windows ask the players in one order, where that is proved to be enough.

The proof is that of `responders`, which needs the solver; whoever only runs machines does not.
"""

from __future__ import annotations

from dataclasses import replace

from ..machine.core import Load, Local
from ..machine.machine import Machine, Node, Param
from ..machine.simplify import binary, both, negate, reduce
from ..machine.traversal import loads
from ..planning.opening import WHO_IS_NEXT


def one_order(machine: Machine, windows: frozenset[str]) -> Machine:
    """Return a machine that asks the players of these windows in the order of their seats only.

    Its states and moves are some of those of the machine as it is, with the same ids.
    """
    if not windows:
        return machine
    return replace(machine, nodes=tuple(
        _lowest(node) if node.step in windows and WHO_IS_NEXT in node.name else node
        for node in machine.nodes))


def _lowest(node: Node) -> Node:
    """Let only the first seat that is still to act be next."""
    (edge,) = node.edges
    (param,) = edge.params
    return replace(node, edges=(replace(edge, params=(_first(param),)),))


def _first(param: Param) -> Param:
    pending = next(load for load in loads(param.where) if load.index == (Local(param.name),))
    var = f"{param.name}_before"
    earlier = reduce("any", var, param.domain.high + 1, binary("<", Local(var), Local(param.name)),
                     Load(pending.array, (Local(var),)))
    return replace(param, where=both(param.where, negate(earlier)))
