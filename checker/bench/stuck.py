"""Why nobody can move: which clauses leave no legal move between them.

Where some option would be there but for clauses that forbid or require, those clauses contradict
each other in this situation.  Each conceivable move has the set of clauses that rule it out; the
clauses in force contradict each other if every move is ruled out.  A minimal contradiction is a
minimal set of clauses that hits every move's set, a minimal correction is a minimal set whose
absence frees one (the duality of Reiter, 1987, on sets that are small enough to be listed).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from ...model.plays.moves import actor, describe_move, node_of
from ...model.plays.wording import many, plain_name

if TYPE_CHECKING:
    from ...model.machine.machine import Node
    from ...model.machine.state import State
    from ...model.run.interp import Interpreter

MOST = 12
"""So many clauses are combined."""

MOST_STUCK = 300
"""States without a move whose reasons are looked into."""

SHOWN = 6
"""So many moves are told."""


@dataclass(frozen=True, slots=True)
class Reason:
    """Why nobody can move: the cores (none if no clause is to blame) and what would free a move.

    `clauses` are those of the cores; beside a single one, also those that it clashes with.

    `against` tells the moves, each with what stands against it; `node` is where this is, `ask` what
    is asked there, and `who` whether it is asked of a player.
    """

    clauses: tuple[str, ...]
    cores: tuple[tuple[str, ...], ...] = ()
    corrections: tuple[tuple[str, ...], ...] = ()
    against: tuple[str, ...] = ()
    node: str = ""
    ask: str = ""
    who: bool = False


def why_stuck(judge: Interpreter, state: State) -> Reason:
    """Explain a state without a legal move."""
    machine = judge.machine
    node = node_of(machine, state)
    here = (plain_name(node.name), node.ask, actor(machine, state) is not None)
    against = barred(judge, state)
    options = tuple(dict.fromkeys(c for edge in node.edges for c in edge.clauses))
    if not against:
        return Reason(options or node.clauses, (), (), (), *here)
    cores = _minimal_hitting([culprits for _, culprits in against])
    corrections = _minimal([culprits for _, culprits in against])
    shown = tuple(dict.fromkeys(c for core in cores for c in core))
    if len(shown) == 1:
        shown += _offering_nothing(judge, state, node, shown[0])
    return Reason(shown or options, cores, corrections, _told(against), *here)


def _offering_nothing(judge: Interpreter, state: State, node: Node, ban: str) -> tuple[str, ...]:
    """Name what clashes with a clause that alone rules out all that there is.

    That are the clauses whose options offer nothing here; where there are none, those that ask.
    """
    there = {verdict.move.edge for verdict in judge.candidates(state)
             if not any(c.role in ("permit", "rule") for c in verdict.failing)}
    idle = (clause for edge in node.edges if edge.id not in there for clause in edge.clauses)
    return tuple(each for each in dict.fromkeys(idle) if each != ban) or tuple(
        each for each in node.clauses if each != ban)


def why_broken(judge: Interpreter, before: State | None, limit: str) -> Reason:
    """Explain why a limit is broken by a move from a state (None: by the setup).

    If other clauses rule out the moves that would keep the limit, they are named after it, as a
    minimal contradiction; without these clauses it could be kept.
    """
    against = [] if before is None else barred(judge, before, limits=True)
    cores = [core for core in _minimal_hitting([culprits for _, culprits in against])
             if limit in core and len(core) > 1]
    if not cores:
        return Reason((limit,))
    first = (limit, *(clause for clause in cores[0] if clause != limit))
    return Reason(first, tuple(cores), _minimal([culprits for _, culprits in against]),
                  _told(against))


def barred(
    judge: Interpreter, state: State, *, limits: bool = False
) -> list[tuple[str, frozenset[str]]]:
    """List the moves that an option offers here, each with the clauses that stand against it.

    With `limits`, limits that a move would break stand against it too.
    """
    machine = judge.machine
    found: list[tuple[str, frozenset[str]]] = []
    for verdict in judge.candidates(state):
        if any(c.role in ("permit", "rule") for c in verdict.failing):
            continue
        against = {c.clause for c in verdict.failing}
        broken = {machine.limits[i].clause for i in judge.breaks(state, verdict.move)
                  } if limits else set[str]()
        said = [f"{how} {', '.join(sorted(some))}"
                for how, some in (("ruled out by", against), ("breaks", broken)) if some]
        text = describe_move(machine, state, verdict.move)
        found.append((f"{text} ({'; '.join(said)})" if said else text, frozenset(against | broken)))
    return found


def _told(against: list[tuple[str, frozenset[str]]]) -> tuple[str, ...]:
    """List the moves, each with what stands against it."""
    left = len(against) - SHOWN
    more = [f"and {many(left, 'more move')}"] if left > 0 else []
    return (*(move for move, _ in against[:SHOWN]), *more)


def _minimal_hitting(sets: list[frozenset[str]]) -> tuple[tuple[str, ...], ...]:
    """List minimal sets of clauses that have a member in each set, smallest first.

    Of more than `MOST` clauses only one such set is sought.
    """
    if not all(sets):
        return ()
    universe = sorted(set().union(*sets))
    if len(universe) > MOST:
        core = set(universe)
        for clause in universe:
            if all(culprits & (core - {clause}) for culprits in sets):
                core.remove(clause)
        return (tuple(sorted(core)),)
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
