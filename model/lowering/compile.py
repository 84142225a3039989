"""From a game to its turn machine: plan, lower, tidy, and clear what is no longer needed."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from ..game.game import Game
from ..machine.core import TRUE, Local
from ..machine.footprint import reads_of
from ..machine.machine import Edge, Limit, Machine, Node
from ..machine.simplify import implies
from ..machine.traversal import writes
from ..planning.planner import Planner
from ..rules.context import Unordered, own
from ..rules.elaborate import Elaborator
from ..rules.meanings import PLAYER, Failed, Names, Scalar
from ..rules.ordering import order_on
from ..rules.plan import Target
from ..source.errors import Place, Reporter
from .called import plans_of
from .circles import find_circles
from .liveness import clear
from .lower import FINAL, DraftNode, Lowerer
from .owned import owned

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


def compile_game(game: Game, *, pauses: frozenset[str] = frozenset()) -> Compiled:
    """Compile a game.

    The machine also rests before and after each of `pauses`, ids of clauses, names of steps and
    windows, at a node of kind `open` with one way on.

    Raises:
        SpecErrors: with every type error, unknown name and misplaced construct of the rules.

    """
    lowerer, nodes, limits = _lowered(game, pauses)
    used = clear(nodes, lowerer.planner.frames)
    machine = _freeze(game, lowerer, nodes, used, limits)
    return Compiled(game, machine, tuple(lowerer.planner.unordered), _unused(game, lowerer))


def unused_in(game: Game) -> tuple[str, ...]:
    """Return the steps and windows that nothing runs; for that, no machine is made.

    Raises:
        SpecErrors: as `compile_game`.

    """
    return _unused(game, _lowered(game, frozenset())[0])


def joinable(game: Game) -> bool:
    """Return whether nothing is wrong with a game that compiling it with others would not show.

    A united game (`united`) has no claims, and its clauses are in an order already.
    """
    report = Reporter()
    planner = Planner(Elaborator(game, report))
    for name in game.steps:
        planner.in_order(order_on(game, name), f"of the clauses of `{name}`")
    _outside_of_play(game, planner.elab)
    return not report.failed


def _lowered(
    game: Game, pauses: frozenset[str]
) -> tuple[Lowerer, list[DraftNode], tuple[Limit, ...]]:
    """Plan and lower a game: all that its rules can be wrong in is found here."""
    report = Reporter()
    elab = Elaborator(game, report)
    planner = Planner(elab)
    find_circles(game, planner, report)
    report.raise_if_any()
    lowerer = Lowerer(planner, pauses)
    start = lowerer.game(game.start)
    for name in (*game.steps, *game.windows):
        if Target(name) not in lowerer.instances:
            plans_of(planner, Target(name))  # so that errors in what never runs are reported, too
    limits = _limits(game, planner)
    _outside_of_play(game, elab)
    report.raise_if_any()
    nodes = _thread(lowerer.nodes, start)
    arrays = planner.frames.arrays
    if sum(array.size for array in arrays.values()) > MAX_ELEMENTS or len(nodes) > MAX_NODES:
        report.error("RP232", "the game is too large to be held as a vector",
                     game.clauses[0].place if game.clauses else Place.start_of(game.id),
                     help=f"at most {MAX_ELEMENTS} numbers and {MAX_NODES} nodes")
        report.raise_if_any()
    return lowerer, nodes, limits


def _unused(game: Game, lowerer: Lowerer) -> tuple[str, ...]:
    reached = {own(each.name) for each in lowerer.instances if not each.rule}
    names = dict.fromkeys(map(own, (*game.steps, *game.windows)))
    return tuple(name for name in names if name not in reached)


def _limits(game: Game, planner: Planner) -> tuple[Limit, ...]:
    made: list[Limit] = []
    for clause in game.clauses:
        if clause.always is None or not clause.in_force:
            continue
        try:
            with planner.elab.planning(clause.id):
                holds = planner.elab.guard(clause.always, Names({}))
            force = planner.in_force(clause, Names({}))
        except Failed:
            continue
        made.append(Limit(clause.id, implies(force, holds)))
    return tuple(made)


def _outside_of_play(game: Game, elab: Elaborator) -> None:
    """Check what is said of the states of play: claims, examples, where points show, the score."""
    for point in game.open_points:
        if point.where is not None and all(
                (clause := game.clause(name)) is not None and clause.in_force
                for name in point.clauses):
            with suppress(Failed):
                elab.guard(point.where, Names({}))
    for clause in game.clauses:
        claim, example = clause.claim, clause.example
        if (example is not None and example.expect is not None and clause.in_force
                and example.players in (None, game.players)):
            with suppress(Failed):
                elab.guard(example.expect, Names({}))
        if claim is not None and claim.form in ("never", "reachable") and clause.in_force:
            with suppress(Failed):
                elab.truth(claim.test, Names({}))
    if game.score is not None:
        with suppress(Failed):
            elab.use(game.score, Names({"p": Scalar(PLAYER, Local("p"))}), "int")


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


def _freeze(
    game: Game, lowerer: Lowerer, nodes: list[DraftNode], used: set[str], limits: tuple[Limit, ...]
) -> Machine:
    planner = lowerer.planner
    order = [a for a in planner.frames.arrays.values() if a.declared]
    order += [a for a in planner.frames.arrays.values()
              if not a.declared and not a.scratch and a.name in used]
    order += [a for a in planner.frames.arrays.values() if a.scratch and a.name in used]
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
                           node.ask, node.clauses, node.pause))
    made = Machine(
        game.id, game.players, tuple(order), dict(planner.elab.tables), tuple(frozen), 0,
        tuple(replace(each, instead=each.id in lowerer.instead)
              for each in planner.obligations.values()),
        limits, "winners", planner.frames.player_names(), game.features, game.configuration,
        _counted(game, planner, frozen), game.titles)
    return owned(made) if game.features else made


def _counted(game: Game, planner: Planner, nodes: list[Node]) -> tuple[str, ...] | None:
    """Name what the score is read from; None if neither that nor `win` says who is best."""
    arrays = planner.frames.arrays
    if game.score is not None:
        score = planner.elab.use(game.score, Names({"p": Scalar(PLAYER, Local("p"))}), "int")
        return tuple(sorted({box.array for box in reads_of(score.expr, arrays)}))
    wins = any("winners" in writes(edge.body) for node in nodes for edge in node.edges)
    return () if wins else None
