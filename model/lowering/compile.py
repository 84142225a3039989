"""From a game to its turn machine: plan, lower, tidy, and clear what is no longer needed.

A local of a body is part of the state only while some later statement may read it.  `_clear`
computes that by the usual backward liveness over the nodes (Aho, Lam, Sethi, Ullman: Compilers,
9.2.5) and resets dead locals on the way into a rest, so that situations which cannot be told apart
are one state.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ..machine.core import TRUE, Const, Fill, For, If, Local, Store
from ..machine.machine import Edge, Limit, Machine, Node
from ..machine.traversal import arrays_read, expressions, reads, writes
from ..planning.opening import window_plan
from ..planning.planner import Planner
from ..rules.elaborate import Elaborator
from ..rules.meanings import PLAYER, Failed, Scalar, Scope
from ..source.errors import Place, Reporter
from .circles import find_circles
from .lower import FINAL, Lowerer

if TYPE_CHECKING:
    from ..game.game import Game
    from ..machine.core import Stmt
    from ..machine.machine import Array
    from ..rules.context import Unordered
    from .lower import DraftEdge, DraftNode

MAX_ELEMENTS = 20_000
MAX_NODES = 20_000


@dataclass(frozen=True, slots=True)
class Compiled:
    """A machine, and what compiling found out about the spec."""

    game: Game
    machine: Machine
    unordered: tuple[Unordered, ...]
    unused: tuple[str, ...]
    """Steps and windows that nothing runs."""
    used: frozenset[str]
    """Declared names that some expression uses: `state.x`, `zones.z`, `constants.c`."""


def compile_game(game: Game, *, pauses: frozenset[str] = frozenset()) -> Compiled:
    """Compile a game.

    Args:
        game: the game.
        pauses: ids of clauses, names of steps and windows: the machine also rests before and after
            each of these, at a node of kind `open` with one way on.

    Raises:
        SpecErrors: with every type error, unknown name and misplaced construct of the rules.

    """
    report = Reporter()
    elab = Elaborator(game, report)
    planner = Planner(elab)
    find_circles(game, planner, report)
    report.raise_if_any()
    lowerer = Lowerer(planner, pauses)
    start = lowerer.game(game.start)
    _check_the_rest(game, planner)
    limits = _limits(game, planner)
    _score(game, elab)
    report.raise_if_any()
    nodes = _thread(lowerer.nodes, start)
    arrays = planner.frames.arrays
    if sum(array.size for array in arrays.values()) > MAX_ELEMENTS or len(nodes) > MAX_NODES:
        report.error("RP232", "the game is too large to be held as a vector",
                     game.clauses[0].place if game.clauses else _nowhere(game),
                     help=f"at most {MAX_ELEMENTS} numbers and {MAX_NODES} nodes")
        report.raise_if_any()
    used = _clear(nodes, arrays)
    machine = _freeze(game, lowerer, nodes, used, limits)
    reached = {instance.name for instance in lowerer.instances.values()}
    unused = tuple(name for name in (*game.steps, *game.windows) if name not in reached)
    return Compiled(game, machine, tuple(planner.unordered.values()), unused, frozenset(elab.used))


def _nowhere(game: Game) -> Place:
    return Place.start_of(game.id)


# ---------------------------------------------------------------------- what nothing runs


def _check_the_rest(game: Game, planner: Planner) -> None:
    """Check also the bodies that the game never runs, so that their errors are reported."""
    for name in game.steps:
        planner.step(name, 0)
    for name in game.windows:
        window_plan(planner, name, 0)


def _limits(game: Game, planner: Planner) -> tuple[Limit, ...]:
    made: list[Limit] = []
    for clause in game.clauses:
        if clause.always is None or not clause.in_force:
            continue
        try:
            holds = planner.elab.guard(clause.always, Scope({}))
            force = planner.in_force(clause, Scope({}))
        except Failed:
            continue
        from ..machine.simplify import implies  # noqa: PLC0415

        made.append(Limit(clause.id, implies(force, holds)))
    return tuple(made)


def _score(game: Game, elab: Elaborator) -> None:
    if game.score is not None:
        try:
            elab.use(game.score, Scope({"p": Scalar(PLAYER, Local("p"))}), "int")
        except Failed:
            return


# ---------------------------------------------------------------------- tidying


def _thread(drafts: list[DraftNode], start: int) -> list[DraftNode]:
    """Skip nodes that only pass on, drop what cannot be reached, and number the rest afresh."""
    for node in drafts:
        for edge in node.edges:
            seen: set[int] = set()
            while edge.target not in seen:
                seen.add(edge.target)
                target = drafts[edge.target]
                if target.kind != "rules" or len(target.edges) != 1 or target.entry:
                    break
                only = target.edges[0]
                if only.conditions or only.params or only.target == edge.target:
                    break
                edge.body = (*edge.body, *only.body)
                edge.target = only.target
    reached: dict[int, None] = {}
    todo = [start]
    while todo:
        here = todo.pop()
        if here in reached:
            continue
        reached[here] = None
        todo.extend(edge.target for edge in reversed(drafts[here].edges))
    reached[FINAL] = None
    number = {old: new for new, old in enumerate(reached)}
    kept = [drafts[old] for old in reached]
    names: dict[str, int] = {}
    for node in kept:
        node.id = number[node.id]
        times = names[node.name] = names.get(node.name, 0) + 1
        if times > 1:
            node.name = f"{node.name} #{times}"
        for edge in node.edges:
            edge.target = number[edge.target]
    return kept


def _clear(nodes: list[DraftNode], arrays: dict[str, Array]) -> set[str]:
    """Reset dead locals on the way into a rest, and mark the arrays that no rest needs.

    Gives the arrays that are used at all.
    """
    local = {name for name, array in arrays.items() if not array.declared}
    known: Known = {}
    used: set[str] = set()
    facts = [[_facts(edge, arrays, local, known, used) for edge in node.edges] for node in nodes]
    live: list[frozenset[str]] = [frozenset() for _ in nodes]
    asked = [arrays_read(node.by) if node.by is not None else frozenset() for node in nodes]
    own = [read & local for read in asked]
    used.update(*asked)
    _fixpoint_backward(nodes, facts, own, live)
    dirty: list[set[str]] = [set() for _ in nodes]
    changed = True
    while changed:
        changed = False
        for node, edges in zip(nodes, facts, strict=True):
            for edge, (_, _, written) in zip(node.edges, edges, strict=True):
                out = dirty[node.id] | written
                if nodes[edge.target].kind != "rules":
                    out &= live[edge.target]
                if not out <= dirty[edge.target]:
                    dirty[edge.target] |= out
                    changed = True
    resets = {name: _reset(arrays[name]) for name in local}
    for node, edges in zip(nodes, facts, strict=True):
        for edge, (_, _, written) in zip(node.edges, edges, strict=True):
            if nodes[edge.target].kind == "rules":
                continue
            dead = (dirty[node.id] | written) - live[edge.target]
            edge.body = (*edge.body, *(resets[name] for name in sorted(dead)))
    kept = {name for node in nodes if node.kind != "rules" for name in live[node.id]}
    for name in local - kept:
        arrays[name] = replace(arrays[name], scratch=True)
    return used


def _fixpoint_backward(
    nodes: list[DraftNode],
    facts: list[list[Facts]],
    own: list[frozenset[str]], live: list[frozenset[str]],
) -> None:
    changed = True
    while changed:
        changed = False
        for node in reversed(nodes):
            here = own[node.id]
            for edge, (exposed, killed, _) in zip(node.edges, facts[node.id], strict=True):
                here |= exposed | (live[edge.target] - killed)
            if here != live[node.id]:
                live[node.id] = here
                changed = True


Facts = tuple[frozenset[str], frozenset[str], frozenset[str]]
"""Of code, the locals that it reads before it sets them, sets for certain, and may set."""

Known = dict[int, tuple[Facts, frozenset[str]]]
"""Of statements, by identity, their facts and all that they read: many edges share them."""


def _facts(
    edge: DraftEdge, arrays: dict[str, Array], local: set[str], known: Known, used: set[str],
) -> Facts:
    """Give the facts of an edge; add what it reads and writes to `used`."""
    exposed: set[str] = set()
    for condition in edge.conditions:
        exposed |= arrays_read(condition.test)
    for param in edge.params:
        exposed |= arrays_read(param.where)
        if param.most is not None:
            exposed |= arrays_read(param.most)
    if edge.weight is not None:
        exposed |= arrays_read(edge.weight)
    killed: set[str] = set()
    written: set[str] = set()
    for stmt in edge.body:
        if id(stmt) not in known:
            known[id(stmt)] = (_flow((stmt,), arrays), reads((stmt,)))
        (read, sets, wrote), everything = known[id(stmt)]
        used |= everything
        exposed |= read - killed
        written |= wrote
        killed |= sets
    used |= exposed | written
    return (frozenset(exposed & local), frozenset(killed & local),
            frozenset(written & local))


def _flow(code: tuple[Stmt, ...], arrays: dict[str, Array]) -> Facts:
    """Give the facts of statements, those inside branches and loops in their order."""
    exposed: set[str] = set()
    killed: set[str] = set()
    for stmt in code:
        match stmt:
            case If(test=test, then=then, other=other):
                (one, sets, _), (two, also, _) = _flow(then, arrays), _flow(other, arrays)
                read, done = arrays_read(test) | one | two, sets & also
            case For(size=size, body=body):
                read, done, _ = _flow(body if size else (), arrays)
            case Store(array=name, index=()):
                read, done = reads((stmt,)), frozenset((name,))
            case Fill(array=name, prefix=(), size=size) if size == arrays[name].size:
                read, done = reads((stmt,)), frozenset((name,))
            case _:
                read, done = reads((stmt,)), frozenset()
        exposed |= read - killed
        killed |= done
    return frozenset(exposed), frozenset(killed), writes(code)


def _reset(array: Array) -> Stmt:
    if not array.dims:
        return Store(array.name, (), Const(array.start[0]))
    return Fill(array.name, (), "reset", array.dims[-1], Const(array.start[0]))


def _freeze(
    game: Game, lowerer: Lowerer, nodes: list[DraftNode], used: set[str],
    limits: tuple[Limit, ...],
) -> Machine:
    planner = lowerer.planner
    order = [a for a in planner.frames.arrays.values() if a.declared]
    order += [a for a in planner.frames.arrays.values()
              if not a.declared and not a.scratch and a.name in used]
    order += [a for a in planner.frames.arrays.values() if a.scratch and a.name in used]
    offsets: dict[str, int] = {}
    total = 0
    for array in order:
        offsets[array.name] = total
        total += array.size
    frozen: list[Node] = []
    count = 0
    for node in nodes:
        edges: list[Edge] = []
        for edge in node.edges:
            edges.append(Edge(count, node.id, edge.target, edge.label or node.name, edge.params,
                              tuple(c for c in edge.conditions if c.test != TRUE), edge.body,
                              edge.clauses, edge.weight, edge.passes))
            count += 1
        frozen.append(Node(node.id, node.name, node.kind, node.step, tuple(edges), node.by,  # type: ignore[arg-type]
                           node.ask, node.clauses))
    return Machine(
        game.id, game.players, tuple(order), dict(planner.elab.tables), tuple(frozen), 0,
        tuple(replace(each, instead=each.id in lowerer.instead)
              for each in planner.obligations.values()),
        limits, "winners",
        planner.frames.player_names(), offsets,
    )


__all__ = ["Compiled", "compile_game", "expressions"]
