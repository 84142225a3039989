"""Plays that need not end, and states after which a limit is broken whatever happens.

Both are sought in the whole graph of each scope that was explored to its end (`search.loops`).
"""

from __future__ import annotations

from ...model.game.game import PRINTED
from ...model.machine.machine import Machine
from ...model.machine.traversal import cites
from ...model.run.interp import EndlessRules, SetUpBeyondError
from ..audit.audit import Audit
from ..audit.parallel import ask_all
from ..audit.scoped import Scoped, method_of
from ..audit.symptoms import doomed_by
from ..bench.stuck import barred
from ..bench.workbench import Instance
from ..findings.evidence import Shows, play_of, position_of, state_after, witnessed
from ..findings.observations import Observation
from ..findings.results import (
    LEGAL,
    PUBLIC,
    WINNER,
    Class,
    Evidence,
    Holds,
    Identity,
    Shown,
)
from ..packed.flags import FLAGS
from ..search.labels import edge_labels
from ..search.loops import UNBLAMED, Graph, Lasso, doomed, fate, graph_of, loops
from ..search.rounds import chosen

LARGEST_GRAPH = 80_000
"""States of the largest scope whose whole graph is searched for loops."""

CLASSES: tuple[Class, ...] = ("endless-loop", "doomed")
"""What the graph of all states shows."""

ENDS = "every play comes to an end"
BY_LUCK = ("however all choose, the game comes to an end: only chance can bring a situation back, "
           "and not for ever")
"""What holds where players can go round by no choices of theirs."""

def searched(audit: Audit) -> bool:
    """Return whether the graphs of all scopes are searched."""
    return all(scope.finished and scope.explored.states <= LARGEST_GRAPH for scope in audit.scopes)


def run(audit: Audit) -> None:
    """Report loops, and fates that nobody can avoid."""
    ask_all(audit, _endless, audit.scopes, lambda scope: f"endless play in scope {scope.name}",
            fork=False)
    for moves in audit.beside().endless.values():
        audit.observe(automatic(audit.shows(moves)))


def _endless(audit: Audit, scope: Scoped) -> None:
    result = scope.exploration.result()
    for witness in result.endless.values():
        audit.observe(automatic(scope.shows(scope.exploration.play(witness))))
    if not result.complete or result.states > LARGEST_GRAPH:
        audit.unchecked(
            f"endless play in scope {scope.name}",
            "its states were not all explored" if not result.complete
            else f"more than {LARGEST_GRAPH} states")
        return
    graph = graph_of(scope.exploration)
    found = loops(graph)
    for loop in found:
        if loop.kind == "waiting":
            _waits(audit, scope, loop)
        elif loop.kind not in UNBLAMED:
            _loop(audit, scope, loop)
    if {loop.kind for loop in found} <= {"luck"} and not result.endless and not result.stuck:
        audit.holds.append(Holds(
            "", BY_LUCK if found else ENDS, method_of([scope]), scope.name, "ends"))
    bad = sum(1 << (FLAGS + i) for i in range(len(scope.instance.compiled.machine.limits)))
    lost = doomed(graph, bad) if bad else None
    if lost is not None:
        raised, states = fate(graph, lost, bad)
        audit.observe(Observation(
            doomed_by(scope.instance.program, raised), _fate(scope, graph, raised, states),
            witnessed(scope.shows(scope.exploration.path(lost))), PUBLIC))


def _fate(scope: Scoped, graph: Graph, raised: list[int], states: list[int]) -> tuple[str, ...]:
    """Name the limits that every way on breaks, and the clauses that are at work there.

    Those are the clauses that run, and those that rule out the other moves.
    """
    program = scope.instance.program
    limits = scope.instance.compiled.machine.limits
    broken = dict.fromkeys(limits[i].clause for flags in raised for i in program.broken(flags))
    at_work: dict[str, None] = {}
    for here in states:
        state = program.unpack(scope.exploration.order[here])
        for _, against in barred(scope.instance.interpreter, state):
            at_work.update(dict.fromkeys(sorted(against)))
        for move, _, _ in graph.moves[here]:
            step = scope.instance.interpreter.step(state, move)
            at_work.update(dict.fromkeys(c for c in step.cites if ":" not in c))
    return (*broken, *(c for c in at_work if c not in broken))


def automatic(shows: Shows) -> Observation:
    """Observe rules that go round after the last of some moves, and name the clauses at work."""
    clauses: tuple[str, ...] = ()
    try:
        state = shows.instance.interpreter.start().state
        for move in shows.moves:
            state = shows.instance.interpreter.step(state, move).state
    except EndlessRules as error:
        clauses = _at_work(shows.instance.compiled.machine, error.cycle)
    return Observation(
        Identity("endless-loop", kind="automatic"), clauses, witnessed(shows), WINNER,
        often=shows.often)


def _at_work(machine: Machine, cycle: tuple[str, ...]) -> tuple[str, ...]:
    """Name the clauses at work in nodes, given by their names."""
    found: dict[str, None] = {}
    for node in machine.nodes:
        if node.name in cycle:
            found.update(dict.fromkeys((
                *node.clauses, *(c for e in node.edges for c in (*e.clauses, *cites(e.body))))))
    return tuple(c for c in found if c and ":" not in c)


def endless_setup(instance: Instance) -> Observation | None:
    """Report a setup that never comes to a rest; None if it does.

    There is no play to show: nobody ever moves.

    Raises:
        SetUpBeyondError: if it meets a bound of the model before that.

    """
    try:
        instance.interpreter.start()
    except EndlessRules as error:
        duties = instance.compiled.machine.duties
        if met := [duties[note].prompt for note in error.notes if duties[note].is_bound]:
            raise SetUpBeyondError(met) from error
        clauses = _at_work(instance.compiled.machine, error.cycle)
        return Observation(
            Identity("endless-loop", kind="automatic"), clauses,
            Evidence("core", "exhaustive", instance.game.settings.scope, replayed=False,
                     core=clauses, depth=0, details={"round": list(error.cycle)}), WINNER,
            said={"setup": True})
    return None


def _waits(audit: Audit, scope: Scoped, loop: Lasso) -> None:
    """Note who would have to agree to a game without an end in which nobody does anything."""
    machine = scope.instance.compiled.machine
    who = "all players" if len(loop.seats) == machine.players else " and ".join(
        machine.player_names[seat] for seat in sorted(loop.seats))
    agree = (f"{who} agree to decline all that they may do, and to end" if len(loop.seats) > 1
             else f"{who} declines all that they may do, and ends")
    audit.holds.append(Holds(
        "", f"the game can go on for ever if {agree} their turns", method_of([scope]),
        scope.name, "weak"))


def _loop(audit: Audit, scope: Scoped, loop: Lasso) -> None:
    moves = (*loop.prefix, *loop.cycle)
    labels = edge_labels(scope.instance.compiled.machine)
    state = state_after(scope.instance, loop.prefix)
    cites: dict[str, None] = {}
    judge = scope.instance.interpreter
    at = state
    for move in loop.cycle:
        step = judge.step(at, move)
        cites.update(dict.fromkeys(c for c in step.cites if ":" not in c))
        at = step.state
    audit.observe(Observation(
        Identity("endless-loop", kind=loop.kind), tuple(cites)[:8],
        Evidence("witness", method_of([scope]), scope.name,
                 plays=(Shown("", play_of(scope.instance, moves, loop_from=len(loop.prefix))),),
                 position=position_of(scope.instance, state), depth=len(loop.prefix), replayed=True,
                 details={"loop": len(loop.cycle), "states": loop.states, "kind": loop.kind}),
        WINNER if loop.kind in ("forced", "trapped") else LEGAL,
        said={"on": loop.states, "of": scope.explored.states, "small": scope.name != PRINTED,
              "luck": loop.luck and loop.kind in ("free", "alone"),
              "round": sorted({(*labels[move.edge], chosen(move.args)) for move in loop.cycle})}))
