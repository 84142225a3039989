"""What play under some rules shows, without the plays that show it: identities to be compared.

`checks.behaviour` tells of an exploration with its evidence; here the same is found out in one
pass, for machines of which only the difference is of interest.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...model.machine.machine import Machine
from ..bench.stuck import MOST_STUCK, why_stuck
from ..bench.workbench import Instance
from ..engine.program import Program
from ..findings.evidence import identity_of, limit_broken, stuck_at
from ..findings.results import Identity
from ..packed.flags import FLAGS
from ..search.explore import Exploration, Result
from ..search.loops import UNBLAMED, Graph, doomed, fate, graph_of, loops
from .scoped import Scoped


@dataclass(frozen=True, slots=True)
class StateSpace:
    """All that a machine can reach."""

    graph: Graph
    result: Result

    def taken(self, machine: Machine) -> frozenset[str]:
        """Name the clauses of all moves that somebody can make."""
        edges = {move.edge for out in self.graph.moves for move, _, _ in out}
        return frozenset(clause for node in machine.nodes for edge in node.edges if edge.id in edges
                         for clause in edge.clauses)

    def stuck(self) -> list[bytes]:
        """List states in which nobody can move."""
        rows = zip(self.graph.exploration.order, self.graph.moves, self.graph.final, strict=True)
        return [packed for packed, out, final in rows if not out and not final][:MOST_STUCK]


def seen_in(scope: Scoped, program: Program, *, most: int | None = None) -> StateSpace | None:
    """Explore a machine of a scope, keeping its moves; None after `most` states.

    A scope that was not explored whole is not looked into.

    Raises:
        EndlessRules: if the setup never ends.
        Stopped: if the work is to stop.

    """
    if not scope.finished or (most is not None and scope.explored.states > most):
        return None
    known = scope.exploration
    run = known if program is known.program else Exploration(program)
    result = run.run(max_states=None if most is None else most + 1)
    if not result.complete or (most is not None and result.states > most):
        return None
    return StateSpace(graph_of(run), result)


def marks_of(instance: Instance, program: Program, seen: StateSpace) -> frozenset[Identity]:
    """Return what a game shows: the identities of what its play would be reported for.

    `program` is what was explored: that of the game alone, or if nobody got stuck, of its family.
    """
    machine = program.machine
    duties = machine.duties
    found = {identity_of(duties[note]) for note in seen.result.notes if not duties[note].is_bound}
    found |= {limit_broken(machine.limits[i].clause) for i in seen.result.broken}
    found |= {stuck_at(why_stuck(instance.interpreter, program.unpack(packed)))
              for packed in seen.stuck()}
    if seen.result.endless:
        found.add(Identity("endless-loop", kind="automatic"))
    found |= {Identity("endless-loop", kind=loop.kind) for loop in loops(seen.graph)
              if loop.kind not in UNBLAMED}
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
