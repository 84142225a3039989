"""What play under some rules shows, without the plays that show it: marks to be compared.

`check_behaviour` tells of an exploration with its evidence; here the same is found out in one pass,
for machines of which only the difference is of interest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...model.machine.state import Move
from ...model.plays.moves import node_of
from ..checks.behaviour import MOST_STUCK
from ..packed.flags import ENDLESS, FILTERED, FLAGS
from ..search.loops import Graph, doomed, loops
from ..search.stuck import why_stuck
from .evidence import identity_of
from .marks import Mark

if TYPE_CHECKING:
    from ...model.machine.machine import Machine
    from ..engine.program import Program
    from ..search.workbench import Instance
    from .audit import Scoped


@dataclass(frozen=True, slots=True)
class Seen:
    """All that a machine can reach: its graph, all flags, states without a move, endless moves."""

    graph: Graph
    flags: int
    stuck: tuple[bytes, ...]
    endless: bool

    def taken(self, machine: Machine) -> frozenset[str]:
        """Name the clauses of all moves that somebody can make."""
        edges = {move.edge for out in self.graph.moves for move, _, _ in out}
        return frozenset(clause for node in machine.nodes for edge in node.edges if edge.id in edges
                         for clause in edge.clauses)


@dataclass(frozen=True, slots=True)
class _Found:
    """States in the order in which they were found, as `loops` wants them, without plays."""

    program: Program
    order: list[bytes]

    def path(self, number: int) -> tuple[Move, ...]:
        """Return no play."""
        del number
        return ()


def seen_in(scope: Scoped, program: Program, *, most: int | None = None) -> Seen | None:
    """Explore a machine, keeping its moves.

    Args:
        scope: the scope that the machine belongs to; not looked into if it was not explored whole.
        program: the machine.
        most: the number of states after which to give up.

    Raises:
        EndlessRules: if the setup never ends.

    """
    if not scope.finished or (most is not None and scope.explored.states > most):
        return None
    first, flags = program.start()
    number = {first: 0}
    order = [first]
    moves: list[tuple[tuple[Move, int, int], ...]] = []
    final: list[bool] = []
    stuck: list[bytes] = []
    endless = False
    for packed in order:
        final.append(program.kind(packed) == "final")
        out: list[tuple[Move, int, int]] = []
        for edge, args, target, told in () if final[-1] else program.succ(packed):
            if told & FILTERED:
                continue
            flags |= told & ~ENDLESS
            if target is None:
                endless = True
                continue
            if target not in number:
                number[target] = len(order)
                order.append(target)
            out.append((Move(edge, args), number[target], told))
        if not out and not final[-1]:
            stuck.append(packed)
        moves.append(tuple(out))
        if most is not None and len(order) > most:
            return None
    graph = Graph(_Found(program, order), tuple(moves), tuple(final))  # type: ignore[arg-type]
    return Seen(graph, flags, tuple(stuck[:MOST_STUCK]), endless)


def marks_of(scope: str, instance: Instance, seen: Seen) -> frozenset[Mark]:
    """Return the marks of a machine in a scope of this name."""
    machine, program = instance.compiled.machine, instance.program
    duties = {duty.id: duty for duty in machine.obligations}
    found: set[Mark] = set()
    for note in program.notes(seen.flags):
        duty = duties[note]
        if duty.defect != "capacity":
            found.add(Mark(duty.defect, duty.clause, duty.prompt,  # type: ignore[arg-type]
                           identity_of(duty)))
    found |= {Mark("limit-broken", machine.limits[i].clause) for i in program.broken(seen.flags)}
    for packed in seen.stuck:
        state = program.unpack(packed)
        reason = why_stuck(instance, state)
        found.add(Mark("contradiction" if reason.cores else "deadlock",
                       _slug(node_of(machine, state).name),
                       " ".join(reason.cores[0]) if reason.cores else ""))
    if seen.endless:
        found.add(Mark("endless-loop", "rules"))
    found |= {Mark("endless-loop", loop.kind) for loop in loops(seen.graph)}
    bad = sum(1 << (FLAGS + i) for i in range(len(machine.limits)))
    if bad and doomed(seen.graph, bad) is not None:
        found.add(Mark("doomed", scope))
    return frozenset(found)


def _slug(name: str) -> str:
    return name.replace("/", "-").replace(" ", "-")
