"""What play under some rules shows, without the plays that show it: identities to be compared.

`checks.behaviour` tells of an exploration with its evidence; here the same is found out in one
pass, for machines of which only the difference is of interest.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...model.machine.state import Move
from ..bench.stuck import MOST_STUCK, why_stuck
from ..findings.evidence import identity_of, stuck_at
from ..findings.results import Identity
from ..packed.flags import BEYOND, ENDLESS, FILTERED, FLAGS, never_rests
from ..search.loops import Graph, doomed, fate, loops

if TYPE_CHECKING:
    from ...model.machine.machine import Machine
    from ..bench.workbench import Instance
    from ..engine.program import Program
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
            if target is None:
                endless = endless or never_rests(told)
                final[-1] = final[-1] or bool(told & BEYOND)
                flags |= told & ~(ENDLESS | BEYOND)
                continue
            flags |= told
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


def marks_of(instance: Instance, program: Program, seen: Seen) -> frozenset[Identity]:
    """Return what a game shows: the identities of what its play would be reported for.

    `program` is what was explored: that of the game alone, or if nobody got stuck, of its family.
    """
    machine = program.machine
    duties = {duty.id: duty for duty in machine.obligations}
    found = {identity_of(duties[note]) for note in program.notes(seen.flags)
             if duties[note].defect != "capacity"}
    found |= {Identity("limit-broken", machine.limits[i].clause, "limit")
              for i in program.broken(seen.flags)}
    found |= {stuck_at(why_stuck(instance, program.unpack(packed))) for packed in seen.stuck}
    if seen.endless:
        found.add(Identity("endless-loop", kind="automatic"))
    found |= {Identity("endless-loop", kind=loop.kind) for loop in loops(seen.graph)}
    bad = sum(1 << (FLAGS + i) for i in range(len(machine.limits)))
    lost = doomed(seen.graph, bad) if bad else None
    if lost is not None:
        found.add(doomed_by(program, fate(seen.graph, lost, bad)[0]))
    return frozenset(found)


def doomed_by(program: Program, raised: list[int]) -> Identity:
    """Return what to call a fate: by the limit that is broken first."""
    limits = program.machine.limits
    first = next(limits[i].clause for flags in raised for i in program.broken(flags))
    return Identity("doomed", first, "fate")
