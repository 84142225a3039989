"""Plays that never end, and states from which something bad can no longer be avoided.

Both are questions about the whole graph of a complete exploration.  Loops are strongly connected
components (Tarjan, 1972, by networkx); what can still end is what reaches a final state backwards;
`doomed` is the least set closed under "every way on breaks a clause or leads into the set", the
dual of the greatest fixpoint "can continue".  Cost: linear in the graph, which is held in memory.

A game that is too large for that is played at random, by players who make no other moves than those
of a loop that a small one has: `round_in_play` says whether a situation comes again.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import networkx as nx

from ...model.machine.state import Arg, Move
from ..drivers.draws import Draws
from ..packed.flags import BEYOND, FILTERED
from .labels import edge_labels
from .playouts import pick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..engine.program import Program
    from .explore import Exploration

NEAREST = 60
"""So many states of a group, the nearest ones, through which a short way round is sought."""
ROUNDS = 12
"""Plays in which a situation that comes again is sought."""
CONTINUED = 200
"""States of those that a doomed one leads to that are looked at."""
OVER = -1
"""Stands for the end of the game among the numbers of states."""


@dataclass(frozen=True, slots=True)
class Lasso:
    """A lasso: `prefix` leads to a state that `cycle` leads back to.

    kind: `forced` (one way on at each state of the cycle), `trapped` (no end of the game can be
    reached any more), `free` (one player alone can go round), `waiting` (several can who only
    decline, or end their turns), `optional` (the players together can, and do something).
    states: how many states of the whole graph lie on a loop of this kind.
    """

    kind: str
    prefix: tuple[Move, ...]
    cycle: tuple[Move, ...]
    states: int


Group: TypeAlias = tuple[int, frozenset[int]]
"""States that lie on common loops, and the nearest of them."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The transitions of a complete exploration; `moves[i]` are (edge, args, target, flags).

    `final`: the game is over, or a move meets a bound of the model, so that nothing can be said of
    all that may follow.
    """

    exploration: Exploration
    moves: tuple[tuple[tuple[Move, int, int], ...], ...]
    final: tuple[bool, ...]


def graph_of(exploration: Exploration) -> Graph:
    """Expand every state of a complete exploration once more, keeping the moves."""
    program = exploration.program
    number = {packed: i for i, packed in enumerate(exploration.order)}
    moves: list[tuple[tuple[Move, int, int], ...]] = []
    final: list[bool] = []
    for packed in exploration.order:
        over = program.kind(packed) == "final"
        final.append(over)
        found: list[tuple[Move, int, int]] = []
        if not over:
            for edge, args, target, flags in program.succ(packed):
                final[-1] = final[-1] or bool(flags & BEYOND)
                if flags & FILTERED or target is None:
                    continue
                found.append((Move(edge, args), number[target], flags))
        moves.append(tuple(found))
    return Graph(exploration, tuple(moves), tuple(final))


def loops(graph: Graph) -> tuple[Lasso, ...]:
    """Find one loop of each kind that there is, the nearest one.

    A state lies on a loop of at most one of the kinds `forced`, `trapped`, `waiting` and
    `optional`: where players can go round by waiting, that they can do so otherwise says no more.
    """
    whole: nx.DiGraph[int] = nx.DiGraph()
    whole.add_nodes_from(range(OVER, len(graph.moves)))
    whole.add_edges_from((i, j) for i, out in enumerate(graph.moves) for _, j, _ in out)
    whole.add_edges_from((i, OVER) for i, final in enumerate(graph.final) if final)
    ends = nx.ancestors(whole, OVER)
    kinds: dict[str, list[Group]] = {
        "forced": [], "trapped": [], "free": [], "waiting": [], "optional": []}
    groups = _groups(whole)
    beside = 0  # states of rounds in which players wait that they pass only if they do not
    for first, group in groups:
        if all(_nobody_chooses(graph, i, group) for i in group):
            kinds["forced"].append((first, group))
        elif first not in ends:
            kinds["trapped"].append((first, group))
        elif waiting := _waiting(graph, group):
            kinds["waiting"].append(waiting)
            beside += len(group) - len(waiting[1])
        else:
            kinds["optional"].append((first, group))
    kinds["free"] = _alone(graph, graph.exploration.program, groups)
    return tuple(_lasso(graph, kind, of_kind[0][1],
                        sum(len(group) for _, group in of_kind) + beside * (kind == "waiting"))
                 for kind, of_kind in kinds.items() if of_kind)


def round_in_play(
    program: Program, kept: frozenset[tuple[str, str, Arg]], *, alone: bool, longest: int, seed: int
) -> tuple[tuple[Move, ...], int] | None:
    """Seek a situation that comes again in random plays.

    Args:
        program: the machine.
        kept: the moves that players make, as long as one is legal: what they are called, and how
            many things they choose (`chosen`); else moves that choose other numbers, or any.
        alone: whether no more than one player may decide on the way round.
        longest: the moves after which a play is given up.
        seed: of the plays.

    Returns:
        the shortest of the plays, up to where the situation comes again, and after how many of its
        moves it was there; None if there is none.

    """
    labels, who = edge_labels(program.machine), program.decider
    names = {label[:2] for label in kept}
    found: list[tuple[tuple[Move, ...], int]] = []
    for number in range(ROUNDS):
        draws, (state, _) = Draws(seed, number), program.start()
        play, first, seats = list[Move](), {state: 0}, [who(state)]
        while len(play) < longest:
            kind = program.kind(state)
            legal = [row for row in program.succ(state) if kind == "decide"
                     and labels[row[0]] in names and not row[3] & FILTERED]
            mine = [row for row in legal if (*labels[row[0]], chosen(row[1])) in kept] or legal
            row = mine[draws.randrange(len(mine))] if mine else pick(program, state, kind, draws)
            if row is None or row[2] is None or row[3] & BEYOND:
                break
            state = row[2]
            play.append(Move(row[0], row[1]))
            begun = first.setdefault(state, len(play))
            deciding = set(seats[begun:]) - {None}
            if deciding and (len(deciding) == 1 or not alone):
                found.append((tuple(play), begun))
                break
            seats.append(who(state))
    return min(found, key=lambda each: len(each[0]), default=None)


def chosen(args: Sequence[Arg]) -> tuple[int, ...]:
    """Return how many things each argument chooses of several; what they are depends on a size."""
    return tuple(sum(arg) for arg in args if isinstance(arg, tuple))


def _groups(graph: nx.DiGraph[int]) -> list[Group]:
    """List the strongly connected components that have a loop, the nearest first."""
    found = [(min(group), frozenset(group)) for group in nx.strongly_connected_components(graph)
             if len(group) > 1 or any(graph.has_edge(i, i) for i in group)]
    return sorted(found, key=lambda pair: pair[0])


def _nobody_chooses(graph: Graph, state: int, group: frozenset[int]) -> bool:
    """Return whether a state has no way out of a group, and leaves no player a choice."""
    exploration = graph.exploration
    moves = graph.moves[state]
    alone = exploration.program.kind(exploration.order[state]) != "decide" or len(moves) == 1
    return alone and not graph.final[state] and all(target in group for _, target, _ in moves)


def _waiting(graph: Graph, group: frozenset[int]) -> Group | None:
    """Find states of a group among which several players can go round who do nothing."""
    order, who = graph.exploration.order, graph.exploration.program.decider
    part: nx.DiGraph[int] = nx.DiGraph()
    part.add_edges_from((i, j) for i in group for move, j, _ in graph.moves[i]
                        if j in group and _idle(graph, move, i))
    return next((each for each in _groups(part)
                 if len({who(order[i]) for i in each[1]} - {None}) > 1), None)


def _idle(graph: Graph, move: Move, state: int) -> bool:
    """Return whether a move does nothing.

    That is to decline, to end a turn, to choose none of several things, or what is the only move.
    """
    program, order = graph.exploration.program, graph.exploration.order
    many = chosen(move.args)
    return (program.decider(order[state]) is None or move.edge in program.passes
            or len(graph.moves[state]) == 1 or (bool(many) and not any(many)))


def _alone(graph: Graph, program: Program, rounds: Sequence[Group]) -> list[Group]:
    """Find states among which one player alone can go round, in a game with others who decide."""
    order = graph.exploration.order
    who = program.decider
    inside = {i: who(order[i]) for _, group in rounds for i in group}
    seats = {seat for seat in inside.values() if seat is not None}
    if not seats or (len(seats) == 1 and not any(
            seat is not None and seat not in seats for seat in map(who, order))):
        return []
    part: nx.DiGraph[int] = nx.DiGraph()
    part.add_edges_from(
        (i, j) for i, seat in inside.items() if seat is not None
        for _, j, _ in graph.moves[i] if inside.get(j) == seat)
    return _groups(part)


def _lasso(graph: Graph, kind: str, group: frozenset[int], states: int) -> Lasso:
    """Find a shortest way round, of moves of its kind, through a state of a group that is near.

    Of several as short it is that of the nearest state.
    """
    rounds = [(first, made) for first in sorted(group)[:NEAREST]
              for made in (_round(graph, kind, first, group),) if made is not None]
    begun, made = min(rounds, key=lambda each: len(each[1]))
    return Lasso(kind, graph.exploration.path(begun), made, states)


def _round(
    graph: Graph, kind: str, start: int, group: frozenset[int]
) -> tuple[Move, ...] | None:
    """Return a shortest way from a state back to it; None if there is none of moves of its kind."""
    parents: dict[int, tuple[int, Move]] = {}
    queue = deque([start])
    while queue:
        i = queue.popleft()
        for move, j, _ in graph.moves[i]:
            if j not in group or (kind == "waiting" and not _idle(graph, move, i)):
                continue
            if j == start:
                cycle = [move]
                while i != start:
                    i, before = parents[i]
                    cycle.append(before)
                return tuple(reversed(cycle))
            if j not in parents:
                parents[j] = (i, move)
                queue.append(j)
    return None


def doomed(graph: Graph, bad: int) -> int | None:
    """Find the nearest state that breaks nothing yet but whose every continuation will.

    Args:
        graph: the graph.
        bad: the flags that mean that a clause was broken.

    Returns:
        the number of the state, or None.

    """
    size = len(graph.moves)
    left = [sum(1 for _, _, flags in out if not flags & bad) for out in graph.moves]
    lost = [not graph.final[i] and bool(graph.moves[i]) and left[i] == 0 for i in range(size)]
    back: list[list[int]] = [[] for _ in range(size)]
    for i, out in enumerate(graph.moves):
        for _, j, flags in out:
            if not flags & bad:
                back[j].append(i)
    first_hand = {i for i in range(size) if lost[i]}
    queue = deque(sorted(first_hand))
    nearest: int | None = None
    while queue:
        j = queue.popleft()
        for i in back[j]:
            left[i] -= 1
            if left[i] == 0 and not lost[i] and not graph.final[i]:
                lost[i] = True
                queue.append(i)
                if nearest is None or i < nearest:
                    nearest = i
    return nearest


def fate(graph: Graph, start: int, bad: int) -> tuple[list[int], list[int]]:
    """Return what every way on from a doomed state breaks, nearest first, and the states before it.

    Args:
        graph: the graph.
        start: the state.
        bad: the flags that mean that a clause was broken.

    Returns:
        the flags that are raised, as bit sets, and the states in which the moves that raise them,
        and those that lead there, are made.

    """
    raised: list[int] = []
    seen, queue = {start}, [start]
    for here in queue:
        for _, after, flags in graph.moves[here]:
            if flags & bad:
                raised.append(flags & bad)
            elif after not in seen and len(seen) < CONTINUED:
                seen.add(after)
                queue.append(after)
    return raised, queue
