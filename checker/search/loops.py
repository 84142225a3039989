"""Plays that never end, and states from which something bad can no longer be avoided.

Both are questions about the whole graph of a complete exploration.  Loops are strongly connected
components (Tarjan, 1972, by networkx); what can still end is what reaches a final state backwards;
`doomed` is the least set closed under "every way on breaks a clause or leads into the set", the
dual of the greatest fixpoint "can continue".  Where one player alone can stay, or all together,
whatever chance brings, is a greatest fixpoint, too.  Cost: linear in the graph, which is held in
memory, and in the players.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import networkx as nx

from ...model.machine.machine import NodeKind
from ...model.machine.state import Move
from ..packed.flags import BEYOND, FILTERED
from .explore import Exploration
from .rounds import chosen

NEAREST = 60
"""So many states of a group, the nearest ones, through which a short way round is sought."""
CONTINUED = 200
"""States of those that a doomed one leads to that are looked at."""
UNBLAMED = ("waiting", "luck")
"""The kinds of loops that no sentence is at fault for."""
OVER, AWAY = -1, -2
"""Stand among the numbers of states for the end of the game, and for whatever follows a move after
which the rules never come to rest, or that meets a bound of the model."""
ANYBODY = -1
"""Stands among seats for who says who is next, where no rule does."""


@dataclass(frozen=True, slots=True)
class Lasso:
    """A lasso: `prefix` leads to a state that `cycle` leads back to.

    kind: `forced` (one way on at each state of the cycle), `trapped` (no end of the game can be
    reached any more), `free` (one player alone can go round, whatever chance brings), `alone` (one
    player can who does something, and the others have one move whenever it is their turn),
    `waiting` (several can who only decline, or end their turns), `optional` (the players together
    can, and do something, in some order where no rule gives one; as in those before, whatever
    chance brings), `luck` (chance alone can, for a time, whatever players choose).
    states: how many states of the whole graph lie on a loop of this kind.
    luck: whether chance is asked where a loop of this kind goes round.
    seats: of `waiting` those who decline, though they could do something else.
    """

    kind: str
    prefix: tuple[Move, ...]
    cycle: tuple[Move, ...]
    states: int
    luck: bool = False
    seats: frozenset[int] = frozenset()


Group: TypeAlias = tuple[int, frozenset[int]]
"""States that lie on common loops, and the nearest of them."""


@dataclass(frozen=True, slots=True)
class Graph:
    """The transitions of a complete exploration; `moves[i]` are (move, target, flags).

    `final`: the game is over, or a move meets a bound of the model, so that nothing can be said of
    all that may follow.  `kinds`: at what kind of node a state rests; `who` decides there.
    """

    exploration: Exploration
    moves: tuple[tuple[tuple[Move, int, int], ...], ...]
    final: tuple[bool, ...]
    kinds: tuple[NodeKind, ...]
    who: tuple[int | None, ...]


def graph_of(exploration: Exploration) -> Graph:
    """Expand every state of a complete exploration once more, keeping the legal moves."""
    program = exploration.program
    number = {packed: i for i, packed in enumerate(exploration.order)}
    moves: list[tuple[tuple[Move, int, int], ...]] = []
    final: list[bool] = []
    kinds: list[NodeKind] = []
    who: list[int | None] = []
    for packed in number:
        kinds.append(program.kind(packed))
        who.append(program.decider(packed))
        over = kinds[-1] == "final"
        final.append(over)
        found: list[tuple[Move, int, int]] = []
        if not over:
            for edge, args, target, flags in program.succ(packed):
                final[-1] = final[-1] or bool(flags & BEYOND)
                if not flags & FILTERED:
                    after = AWAY if target is None else number[target]
                    found.append((Move(edge, args), after, flags))
        moves.append(tuple(found))
    return Graph(exploration, tuple(moves), tuple(final), tuple(kinds), tuple(who))


def loops(graph: Graph) -> tuple[Lasso, ...]:
    """Find one loop of each kind that there is, the nearest one.

    A state lies on a loop of at most one of the kinds `forced`, `trapped`, `waiting`, `optional`
    and `luck`: where players can go round by waiting, that they can do so otherwise says no more.
    Nor is it on one of both kinds `free` and `alone`.
    """
    whole: nx.DiGraph[int] = nx.DiGraph()
    whole.add_nodes_from(range(OVER, len(graph.moves)))
    whole.add_edges_from((i, j) for i, out in enumerate(graph.moves) for _, j, _ in out)
    whole.add_edges_from((i, OVER) for i, final in enumerate(graph.final) if final)
    ends = nx.ancestors(whole, OVER)
    kinds: dict[str, list[Group]] = {"forced": [], "trapped": [], "free": [], "alone": [],
                                     "waiting": [], "optional": [], "luck": []}
    groups = _groups(whole)
    beside = 0  # states of rounds in which players wait that they pass only if they do not
    open_: list[Group] = []
    for first, group in groups:
        if all(_nobody_chooses(graph, i, group) for i in group):
            kinds["forced"].append((first, group))
        elif first not in ends:
            kinds["trapped"].append((first, group))
        else:
            open_.append((first, group))
    idle, held = (_held(graph, idle=only) if open_ else set[int]() for only in (True, False))
    for first, group in open_:
        if waiting := _waiting(graph, group & idle):
            kinds["waiting"].append(waiting)
            beside += len(group) - len(waiting[1])
        elif together := _together(graph, group & held):
            kinds["optional"] += together
        else:
            kinds["luck"].append((first, group))
    kinds["free"], kinds["alone"] = _alone(graph, groups, open_)
    return tuple(_lasso(graph, kind, of_kind[0][1],
                        len(_states(of_kind)) + beside * (kind == "waiting"))
                 for kind, of_kind in kinds.items() if of_kind)


def _groups(graph: nx.DiGraph[int]) -> list[Group]:
    """List the strongly connected components that have a loop, the nearest first."""
    found = [(min(group), frozenset(group)) for group in nx.strongly_connected_components(graph)
             if len(group) > 1 or any(graph.has_edge(i, i) for i in group)]
    return sorted(found, key=lambda pair: pair[0])


def _nobody_chooses(graph: Graph, state: int, group: frozenset[int]) -> bool:
    """Return whether a state has no way out of a group, and leaves no player a choice."""
    moves = graph.moves[state]
    alone = graph.kinds[state] != "decide" or len(moves) == 1
    return alone and not graph.final[state] and all(target in group for _, target, _ in moves)


def _held(graph: Graph, *, idle: bool) -> set[int]:
    """Find the states that all players together can keep the game going from, whatever is drawn.

    Where nobody says who is next, they also say that.  If `idle`, by moves that do nothing, and
    whoever is next.
    """
    inside = {i: ANYBODY if not idle and _unordered(graph, i) else seat
              for i, seat in enumerate(graph.who)}
    back: dict[int, list[int]] = {i: [] for i in inside}
    for i in inside:
        for move, j, _ in graph.moves[i]:
            if j != AWAY and (not idle or _idle(graph, move, i)):
                back[j].append(i)
    return _kept(graph, back, inside, frozenset(inside.values()) - {None}, others=False)


def _waiting(graph: Graph, group: frozenset[int]) -> Group | None:
    """Find states of a group among which several players can go round who do nothing."""
    part: nx.DiGraph[int] = nx.DiGraph()
    part.add_edges_from((i, j) for i in group for move, j, _ in graph.moves[i]
                        if j in group and _idle(graph, move, i))
    return next((each for each in _groups(part) if _declining(graph, each[1])
                 and len({graph.who[i] for i in each[1]} - {None}) > 1), None)


def _declining(graph: Graph, group: frozenset[int]) -> frozenset[int]:
    """Return who declines, on the way round in a group, though another move is there."""
    return frozenset(
        seat for i in group if len(graph.moves[i]) > 1 and (seat := graph.who[i]) is not None
        and any(j in group and _idle(graph, move, i) for move, j, _ in graph.moves[i]))


def _together(graph: Graph, group: frozenset[int]) -> list[Group]:
    """Find states of a group among which players can go round who choose to."""
    part: nx.DiGraph[int] = nx.DiGraph()
    part.add_edges_from((i, j) for i in group for _, j, _ in graph.moves[i] if j in group)
    return [each for each in _groups(part)
            if any(_stays(graph, i, each[1], acting=False, order=True) for i in each[1])]


def _idle(graph: Graph, move: Move, state: int) -> bool:
    """Return whether a move does nothing.

    That is to decline, to end a turn, to choose none of several things, or what is the only move.
    """
    many = chosen(move.args)
    return (graph.who[state] is None or move.edge in graph.exploration.program.passes
            or len(graph.moves[state]) == 1 or (bool(many) and not any(many)))


def _alone(
    graph: Graph, rounds: Sequence[Group], open_: Sequence[Group]
) -> tuple[list[Group], list[Group]]:
    """Find states among which one player alone can go round, in a game with others who decide.

    Those where nobody else gets a turn, and those where others have no choice when they do: there
    who goes round does something, as to wait for somebody who can only wait is to wait.  Of the
    first, those that chance has no part in come first.  Where chance or others have a part, what
    cannot be left at all says more, and only rounds that can be are looked at (`open_`).
    """
    inside = {i: graph.who[i] for _, group in rounds for i in group}
    seats = {seat for seat in inside.values() if seat is not None}
    if not seats or (len(seats) == 1 and not any(
            seat is not None and seat not in seats for seat in graph.who)):
        return [], []
    part: nx.DiGraph[int] = nx.DiGraph()
    part.add_edges_from(
        (i, j) for i, seat in inside.items() if seat is not None
        for _, j, _ in graph.moves[i] if inside.get(j) == seat)
    free, luck, alone = _groups(part), list[Group](), list[Group]()
    for _, group in open_:
        back: dict[int, list[int]] = {i: [] for i in group}
        for i in group:
            for _, j, _ in graph.moves[i]:
                if j in group:
                    back[j].append(i)
        deciding = sorted({seat for i in group if (seat := inside[i]) is not None and seat >= 0})
        for others, found in ((False, luck), (True, alone)):
            known = _states((*free, *luck))
            for seat in deciding:
                kept = _kept(graph, back, inside, {seat}, others=others)
                ways: nx.DiGraph[int] = nx.DiGraph()
                ways.add_edges_from((i, j) for j in kept for i in back[j] if i in kept)
                found += [(first, way) for first, way in _groups(ways)
                          if (way.isdisjoint(known) if others else not way <= known)
                          and any(inside[i] == seat and _stays(graph, i, way, acting=others)
                                  for i in way)]

    def nearest(group: Group) -> int:
        return group[0]

    return [*free, *sorted(luck, key=nearest)], sorted(alone, key=nearest)


def _unordered(graph: Graph, state: int) -> bool:
    """Return whether no rule says who is next in a state."""
    return graph.kinds[state] == "open"


def _stays(
    graph: Graph, state: int, group: frozenset[int], *, acting: bool, order: bool = False
) -> bool:
    """Return whether who decides in a state has a choice, and may stay; `acting`: by an act.

    `order`: that nobody says who is next is a choice, too.
    """
    return (graph.who[state] is not None or (order and _unordered(graph, state))) and (
        len(graph.moves[state]) > 1 and any(
            target in group and not (acting and _idle(graph, move, state))
            for move, target, _ in graph.moves[state]))


def _kept(
    graph: Graph, back: dict[int, list[int]], inside: dict[int, int | None],
    seats: Collection[int | None], *, others: bool
) -> set[int]:
    """Find the states of a group that some players can keep the game in for ever.

    That is the greatest set in which they have a move that stays in it wherever one decides, and in
    which chance, and if `others` whoever has a single move, never leaves it.  `back` are the states
    of the group, and which of them lead to each, as often as they do; `inside` says who decides.
    """
    ways = dict.fromkeys(back, 0)
    for before in back.values():
        for i in before:
            ways[i] += 1
    must: set[int] = set()
    for i in back:
        mine = inside[i] in seats
        at_ease = inside[i] is None or (others and len(graph.moves[i]) == 1)
        if not mine:
            must.add(i)
            if not at_ease or graph.final[i] or ways[i] < len(graph.moves[i]):
                ways[i] = 0
    kept = set(back)
    queue = deque(i for i in back if not ways[i])
    while queue:
        j = queue.popleft()
        if j not in kept:
            continue
        kept.remove(j)
        for i in back[j]:
            ways[i] = 0 if i in must else ways[i] - 1
            if ways[i] <= 0:
                queue.append(i)
    return kept


def _states(groups: Sequence[Group]) -> frozenset[int]:
    """Return the states of all of some groups."""
    return frozenset[int]().union(*(group for _, group in groups))


def _lasso(graph: Graph, kind: str, group: frozenset[int], states: int) -> Lasso:
    """Find a shortest way round, of moves of its kind, through a state of a group that is near.

    Of several as short it is that of the nearest state.  Where not all is up to those who go round,
    it is through a state in which one of them chooses.
    """
    near, by = sorted(group), {graph.who[i] for i in group}
    chosen_in = [i for i in near if _stays(
        graph, i, group, acting=kind == "alone", order=kind == "optional")]
    if kind in ("free", "alone") and len(by) > 1:
        near = chosen_in
    made = [each for first in (*near[:NEAREST], *chosen_in[:int(kind == "optional")])
            if (each := _round(graph, kind, first, group)) and (
                kind != "optional" or not {i for i, _ in each}.isdisjoint(chosen_in))]
    shortest = min(made, key=len)
    return Lasso(kind, graph.exploration.path(shortest[0][0]), tuple(move for _, move in shortest),
                 states, any(graph.kinds[i] == "chance" for i in group),
                 _declining(graph, group) if kind == "waiting" else frozenset())


def _round(
    graph: Graph, kind: str, start: int, group: frozenset[int]
) -> tuple[tuple[int, Move], ...]:
    """Return a shortest way from a state back to it; () if there is none of moves of its kind."""
    parents: dict[int, tuple[int, Move]] = {}
    queue = deque([start])
    while queue:
        i = queue.popleft()
        for move, j, _ in graph.moves[i]:
            if j not in group or (kind == "waiting" and not _idle(graph, move, i)) or (
                    kind == "alone" and i == start and _idle(graph, move, i)):
                continue
            if j == start:
                cycle = [(i, move)]
                while i != start:
                    cycle.append(parents[i])
                    i = parents[i][0]
                return tuple(reversed(cycle))
            if j not in parents:
                parents[j] = (i, move)
                queue.append(j)
    return ()


def doomed(graph: Graph, bad: int) -> int | None:
    """Find the nearest state that breaks nothing (`bad`) yet but whose every continuation will."""
    size = len(graph.moves)
    left = [sum(1 for _, _, flags in out if not flags & bad) for out in graph.moves]
    lost = [not graph.final[i] and bool(graph.moves[i]) and left[i] == 0 for i in range(size)]
    back: list[list[int]] = [[] for _ in range(size)]
    for i, out in enumerate(graph.moves):
        for _, j, flags in out:
            if j != AWAY and not flags & bad:
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

    The first are flags of `bad` that are raised, as bit sets.
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
