"""What each player can make sure of: the games of a scope solved, with all cards open.

A player's worth of a situation is the greatest probability of winning that no play of the others,
all united, can lower: the value of a stochastic reachability game (Condon, "The complexity of
stochastic games", 1992), by value iteration from below in each strongly connected component, the
last components first (Chatterjee, Henzinger, "Value iteration", 2008).  A game that never ends is
won by nobody.  Where no rule says who is next the first of those who may be is, everywhere, but in
a game that is `asking` others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from copy import copy
from itertools import pairwise

import networkx as nx

from ...model.machine.state import Move
from ...model.run.interp import Interpreter
from ..engine.program import Program
from ..packed.flags import FILTERED
from .explore import Exploration
from .labels import Label, Labels

Worths = tuple[float, ...]

MOST = 120_000
"""Situations of a game that is solved."""
SWEEPS = 1_000
"""How often the worths of a component are made better, at most."""
EXACT = 1e-6
"""Worths that differ by less are equal."""
STILL = 1e-9
"""Worths that grow by less have come to rest."""
NOBODY, FRIEND, FOE = -1, -2, -3
"""Who says what happens where no player does: nobody, or a friend of each seat, or its foe."""


class Solved:
    """A game with the worth of each of its situations, by number.

    `complete` says that all situations are there and all worths at rest; else nothing else is of
    any use.
    """

    def __init__(self, program: Program) -> None:
        self.program, self._labels = program, Labels(program)
        self.run = Exploration(program)
        self.complete = self.run.run(max_states=MOST).complete
        self.numbers: dict[bytes, int] = {}
        self.after: list[tuple[tuple[int, int], ...]] = []
        """Of each situation where its legal moves lead, with their weights."""
        self.who: list[int | None] = []
        """Of each situation who decides: a seat, less than 0 for no player, None for chance."""
        self.taken: Mapping[int, int] = {}
        """Which of its moves is made in a situation where nobody decides; else it is the first."""
        self.worth: list[Worths] = []
        """Of each situation what each seat can make sure of."""
        self._parts: list[tuple[list[int], bool]] = []
        if self.complete:
            self.numbers = {packed: number for number, packed in enumerate(self.run.order)}
            self._solve()

    def counts(self, number: int) -> bool:
        """Return whether what is chosen in a situation changes what somebody can make sure of."""
        return any(unlike(self.worth[one], self.worth[two]) is not None
                   for (one, _), (two, _) in pairwise(self.after[number]))

    def asking(self, taken: Mapping[int, int]) -> Solved:
        """Return the same game, in which some moves are made where nobody decides."""
        return self._again(taken, self.who)

    def asked_by(self, numbers: Iterable[int], who: int) -> Solved:
        """Return the same game, in which a friend of each seat, or a foe, says who is next.

        What a seat can make sure of under any order of asking lies between the two.
        """
        some = frozenset(numbers)
        return self._again({}, [who if number in some else by
                                for number, by in enumerate(self.who)])

    def _again(self, taken: Mapping[int, int], who: list[int | None]) -> Solved:
        new = copy(self)
        new.taken, new.who = taken, who
        new.worth = [tuple(0.0 for _ in worth) if after else worth
                     for worth, after in zip(self.worth, self.after, strict=True)]
        new.complete = new.settled()
        return new

    def legal(self, number: int) -> list[tuple[Move, int]]:
        """List the moves of a situation, and where they lead."""
        rows = self.program.succ(self.run.order[number])
        return [(Move(row[0], row[1]), self.numbers[row[2]]) for row in rows
                if row[2] is not None and not row[3] & FILTERED]

    def line(self, number: int, seat: int, most: int) -> tuple[Label, ...]:
        """Return up to so many moves as a seat makes the best of it and the others the worst.

        What chance does is the first that it may do.
        """
        made: list[Label] = []
        been = set[int]()
        while self.after[number] and len(made) < most:
            who, legal = self.who[number], self.legal(number)
            been.add(number)
            if who is None or who < 0:
                move, number = legal[self.taken.get(number, 0)]
            else:
                move, number = max(legal, key=self._liked(who, seat, been))
            kind, name = self._labels.edges[move.edge]
            made.append((kind, name, move.args))
        return tuple(made)

    def _liked(
        self, who: int, seat: int, been: set[int]
    ) -> Callable[[tuple[Move, int]], tuple[float, bool]]:
        """Say how good a move is for a seat or, if another one decides, how bad.

        Of moves that are as good for it, one is better that leads on.
        """
        def liked(way: tuple[Move, int]) -> tuple[float, bool]:
            worth = self.worth[way[1]][seat]
            return (worth, way[1] not in been) if who == seat else (-worth, False)
        return liked

    def _solve(self) -> None:
        judge, program = Interpreter(self.program.machine), self.program
        asks = self._labels.asks
        seats = range(len(program.machine.player_names))
        graph: nx.DiGraph[int] = nx.DiGraph()
        graph.add_nodes_from(range(len(self.numbers)))
        for number, packed in enumerate(self.run.order):
            kind = program.kind(packed)
            after = () if kind == "final" else self._after(packed, chance=kind == "chance")
            self.after.append(after)
            graph.add_edges_from((number, then) for then, _ in after)
            won = judge.winners(program.unpack(packed)) if kind == "final" else ()
            self.worth.append(tuple(float(seat in won) for seat in seats))
            self.who.append(None if kind == "chance" else
                            NOBODY if kind == "open" else asks(packed))
        parts = nx.condensation(graph)
        for component in reversed([*nx.topological_sort(parts)]):
            some = sorted(parts.nodes[component]["members"])
            self._parts.append((some, len(some) > 1 or graph.has_edge(some[0], some[0])))
        self.complete = self.settled()

    def settled(self) -> bool:
        """Find all worths; return whether they have come to rest."""
        return all(self._settle(some, SWEEPS if many else 1) for some, many in self._parts)

    def _after(self, packed: bytes, *, chance: bool) -> tuple[tuple[int, int], ...]:
        rows = self.program.succ(packed)
        weights = self.program.weights(packed) if chance else [1] * len(rows)
        return tuple((self.numbers[row[2]], weight)
                     for row, weight in zip(rows, weights, strict=True)
                     if row[2] is not None and not row[3] & FILTERED and weight)

    def _settle(self, some: list[int], sweeps: int) -> bool:
        """Make the worths of a component better until they rest; return whether they do."""
        for _ in range(sweeps):
            grown = 0.0
            for number in some:
                if self.after[number]:
                    made = self._made(number)
                    grown = max(grown, *map(float.__sub__, made, self.worth[number]))
                    self.worth[number] = made
            if grown < STILL:
                return True
        return sweeps == 1

    def _made(self, number: int) -> Worths:
        after, who = self.after[number], self.who[number]
        if who is None:
            total = sum(weight for _, weight in after)
            return tuple(sum(part) / total for part in zip(*(
                [weight * each for each in self.worth[then]] for then, weight in after),
                strict=True))
        if who == NOBODY or len(after) == 1:
            return self.worth[after[self.taken.get(number, 0)][0]]
        return tuple((max if who in {seat, FRIEND} else min)(some) for seat, some in enumerate(
            zip(*(self.worth[then] for then, _ in after), strict=True)))


def unlike(one: Worths, two: Worths, but: Collection[int] = ()) -> int | None:
    """Return the seat whose worths differ most, but for some; None if all are equal."""
    apart = [0.0 if seat in but else abs(mine - theirs)
             for seat, (mine, theirs) in enumerate(zip(one, two, strict=True))]
    return apart.index(max(apart)) if max(apart) > EXACT else None
