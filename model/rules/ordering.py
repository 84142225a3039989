"""The order of clauses that act on one step, or at one event: what is stated, what is left open."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

import networkx as nx

from ..game.game import Clause, Game


@dataclass(frozen=True, slots=True)
class Order:
    """Clauses that act together, in the order of the file, and which come before which.

    `stated` has an edge for each two of which one comes first, directly or by way of others; those
    others need not run themselves.  `turns` are their places in the game as it is written: what no
    rule says stays as it is there, also if one of them is taken out or read otherwise.
    """

    clauses: tuple[Clause, ...]
    stated: nx.DiGraph[str]
    turns: Mapping[str, int] = field(default_factory=dict)

    def names(self, *more: tuple[str, str]) -> tuple[str, ...] | None:
        """Return an order that keeps what is stated, and `more`; None if there is none.

        Of the clauses that may come next it takes the first one in the game as it is written.
        """
        graph = self.stated.copy()
        graph.add_edges_from(more)
        try:
            return tuple(nx.lexicographical_topological_sort(graph, self._places().__getitem__))
        except nx.NetworkXUnfeasible:
            return None

    def circle(self) -> tuple[str, ...]:
        """Return clauses of which each has to come before the next; the last is the first."""
        edges = nx.find_cycle(nx.DiGraph(sorted(self.stated.edges)))
        return (edges[0][0], *(edge[1] for edge in edges))

    def _places(self) -> dict[str, tuple[int, int]]:
        """Return what clauses are sorted by; a new one comes where the file has it.

        That is in front of all, behind all, or next after the one before it.
        """
        known = [self.turns.get(clause.id) for clause in self.clauses]
        last = max((turn for turn in known if turn is not None), default=-1)
        found: dict[str, tuple[int, int]] = {}
        before = -1
        for number, (clause, turn) in enumerate(zip(self.clauses, known, strict=True)):
            before = before if turn is None else turn
            behind = turn is None and all(each is None for each in known[number:])
            found[clause.id] = last if behind else before, number
        return found

    def open(self, among: Iterable[Clause]) -> Iterator[tuple[Clause, Clause]]:
        """Yield each two of some clauses of which nothing says which comes first."""
        for one, two in combinations(sorted(among, key=self.clauses.index), 2):
            known = self._known(one.id, two.id)
            if not known and two.id not in one.overrides and one.id not in two.overrides:
                yield one, two

    def _known(self, one: str, two: str) -> bool:
        return self.stated.has_edge(one, two) or self.stated.has_edge(two, one)

    def beside(self, first: str, second: str) -> dict[str, str]:
        """Return rulings on other pairs that put nothing between two clauses in no stated order.

        Under them, to turn the two round moves no other clause.  None are needed where that is so
        anyway.
        """
        one, two = self.names((first, second)), self.names((second, first))
        now = self.names()
        if one is None or two is None or now is None:
            return {}
        at = one.index(first)
        if (*one[:at], second, first, *one[at + 2:]) == two:
            return {}
        made: dict[str, str] = {}
        file = [clause.id for clause in self.clauses]
        for other in file:
            if other in (first, second):
                continue
            ahead = other in now[:min(now.index(first), now.index(second))]
            if any(self._known(other, each) for each in (first, second)):
                ahead = any(self.stated.has_edge(other, each) for each in (first, second))
            for each in (first, second):
                if not self._known(other, each):
                    pair = sorted((other, each), key=file.index)
                    comes = other if ahead else each
                    made[f"order/{pair[0]}/{pair[1]}"] = ("first" if comes == pair[0] else "second")
        return made


def order_on(game: Game, step: str) -> Order:
    """Find the order of the clauses on a step."""
    return order_of((c for c in game.clauses if c.in_force and c.on == step and not c.option
                     and c.whenever is None), game.turns)


def turns_of(clauses: Sequence[Clause]) -> dict[str, int]:
    """Return, of the clauses of a game, the places in the orders in which they act together.

    Where what is stated runs in a circle, they have none.
    """
    groups: dict[str, list[Clause]] = {}
    for clause in clauses:
        if clause.in_force and not clause.option:
            groups.setdefault("" if clause.whenever is not None else clause.on, []).append(clause)
    names = (order_of(group).names() or () for group in groups.values())
    return {name: place for some in names for place, name in enumerate(some)}


def order_of(clauses: Iterable[Clause], turns: Mapping[str, int] | None = None) -> Order:
    """Find the order of clauses that are in force; those without a body only order others."""
    there = tuple(clauses)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(c.id for c in there)
    for clause in there:
        graph.add_edges_from((other, clause.id) for other in clause.after if other in graph)
        graph.add_edges_from((clause.id, other) for other in clause.before if other in graph)
    _take_places(graph, there)
    runs = tuple(c for c in there if c.do is not None)
    stated: nx.DiGraph[str] = nx.DiGraph()
    stated.add_nodes_from(c.id for c in runs)
    for clause in runs:
        for other in nx.descendants(graph, clause.id) | {clause.id} & set(graph[clause.id]):
            if other in stated:
                stated.add_edge(clause.id, other)
    return Order(runs, stated, turns or {})


def _take_places(graph: nx.DiGraph[str], clauses: Sequence[Clause]) -> None:
    """Order a clause that overrides others as they are ordered, where nothing says otherwise.

    What is done instead of something is done at its time.  Two places that do not agree give none.
    """
    instead = {one.id: {one.id} | {other.id for other in clauses if one.id in other.overrides}
               for one in clauses}
    if all(len(each) == 1 for each in instead.values()) or not nx.is_directed_acyclic_graph(graph):
        return
    more = {(first, then) for one, two in graph.edges
            for first in instead[one] for then in instead[two]} - set(graph.edges)
    for first, then in sorted(more):
        if (then, first) not in more and not nx.has_path(graph, then, first):
            graph.add_edge(first, then)
