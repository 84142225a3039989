"""A machine whose windows ask the players in one order, where that is proved to be enough.

The proof is that of `responders`, which needs the solver; whoever only runs machines does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..machine.core import TRUE, Expr, Feature, Load, Local
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
        _lowest(node, TRUE) if node.step in windows and WHO_IS_NEXT in node.name else node
        for node in machine.nodes))


def switched(machine: Machine, windows: Iterable[str]) -> tuple[Machine, dict[str, int]]:
    """Return a machine with one more feature for each of these windows, and their numbers.

    Where it is on, the players of the window are asked in the order of their seats only; all of
    them are off.
    """
    numbers = {name: place for place, name in enumerate(sorted(windows), len(machine.features))}
    return replace(
        machine, features=(*machine.features, *(f"{name} in one order" for name in numbers)),
        configuration=(*machine.configuration, *(0 for _ in numbers)), nodes=tuple(
            _lowest(node, Feature(numbers[node.step]))
            if node.step in numbers and WHO_IS_NEXT in node.name else node
            for node in machine.nodes)), numbers


def _lowest(node: Node, on: Expr) -> Node:
    """Let only the first seat that is still to act be next, where that is `on`."""
    (edge,) = node.edges
    (param,) = edge.params
    return replace(node, edges=(replace(edge, params=(_first(param, on),)),))


def _first(param: Param, on: Expr) -> Param:
    pending = next(load for load in loads(param.where) if load.index == (Local(param.name),))
    var = f"{param.name}_before"
    earlier = reduce("any", var, param.domain.high + 1, binary("<", Local(var), Local(param.name)),
                     Load(pending.array, (Local(var),)))
    return replace(param, where=both(param.where, negate(both(on, earlier))))
