"""Why nobody can move: which clauses leave no legal move between them.

Where some option would be there but for clauses that forbid or require, those clauses contradict
each other in this situation.  Each conceivable move has the set of clauses that rule it out; the
clauses in force contradict each other if every move is ruled out.  A minimal contradiction is a
minimal set of clauses that hits every move's set, a minimal correction is a minimal set whose
absence frees one (the duality of Reiter, 1987, on sets that are small enough to be listed;
`model.solver.cores` is the same for constraints that are not).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from ...model.plays.moves import actor, describe_move, node_of

if TYPE_CHECKING:
    from ...model.machine.state import State
    from ..search.workbench import Instance

MOST = 12


@dataclass(frozen=True, slots=True)
class Reason:
    """Why nobody can move: the cores (none if no clause is to blame) and what would free a move."""

    title: str
    explanation: str
    clauses: tuple[str, ...]
    cores: tuple[tuple[str, ...], ...]
    corrections: tuple[tuple[str, ...], ...]


def why_stuck(instance: Instance, state: State) -> Reason:
    """Explain a state without a legal move."""
    machine = instance.compiled.machine
    node = node_of(machine, state)
    who = actor(machine, state)
    name = machine.player_names[who] if who is not None else "somebody"
    barred: list[tuple[str, frozenset[str]]] = []
    for verdict in instance.interpreter.candidates(state):
        culprits = {c.clause for c in verdict.failing if c.role in ("forbid", "require")}
        culprits |= {limit.clause for limit in verdict.broken}
        if any(c.role in ("permit", "rule") for c in verdict.failing):
            continue
        barred.append((describe_move(machine, state, verdict.move), frozenset(culprits)))
    options = tuple(dict.fromkeys(c for edge in node.edges for c in edge.clauses))
    if not barred:
        return Reason(f"{name} must act in `{node.name}` and has nothing to choose from",
                      "no option of this point is permitted here", options or node.clauses, (), ())
    universe = sorted(set().union(*(culprits for _, culprits in barred)))[:MOST]
    cores = _minimal_hitting(universe, [culprits for _, culprits in barred])
    corrections = _minimal([culprits for _, culprits in barred])
    shown = tuple(dict.fromkeys(c for core in cores for c in core))
    moves = "; ".join(f"{move} (ruled out by {', '.join(sorted(c))})" for move, c in barred[:6])
    return Reason(
        f"{name} must act in `{node.name}`, and the clauses rule out every move",
        moves, shown or options, cores, corrections)


def _minimal_hitting(
    universe: list[str], sets: list[frozenset[str]]
) -> tuple[tuple[str, ...], ...]:
    found: list[tuple[str, ...]] = []
    for size in range(1, len(universe) + 1):
        for some in combinations(universe, size):
            if any(set(core) <= set(some) for core in found):
                continue
            if all(culprits & set(some) for culprits in sets):
                found.append(some)
        if len(found) > 20:
            break
    return tuple(found)


def _minimal(sets: list[frozenset[str]]) -> tuple[tuple[str, ...], ...]:
    smallest = [s for s in sets if not any(other < s for other in sets)]
    return tuple(sorted({tuple(sorted(s)) for s in smallest}))
