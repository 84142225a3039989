"""States that play can reach, found by walking at random: a cheap test for what may be true of all.

A walk takes one edge at a time, as `invariants` does: `rules` nodes are visited like any other, and
limits forbid nothing.  It starts again where the game ends or nothing can be done.  At each node an
even sample of the states seen there is kept.  The walk is the same on every run.
"""

from __future__ import annotations

import random
from collections import defaultdict
from itertools import islice

from ..machine.core import TRUE
from ..machine.machine import Edge, Machine, Param
from ..machine.state import Arg, Move, State
from ..run.evaluate import OutOfRangeError, execute
from ..run.interp import Interpreter
from ..run.shape import Execution

TRIES = 12
"""How often arguments are drawn at random before they are listed in order."""
LISTED = 100
"""How many arguments are listed then, of edges without bags."""


def sample(machine: Machine, *, steps: int, keep: int, seed: int = 1) -> list[State]:
    """Walk for some steps, and keep some states of each node; ordered by node."""
    walk = Walker(machine, seed=seed)
    kept: dict[int, list[State]] = defaultdict(list)
    seen: dict[int, int] = defaultdict(int)
    state = walk.start
    for _ in range(steps):
        here = kept[state.node]
        seen[state.node] += 1
        if len(here) < keep:
            here.append(state)
        elif (place := walk.random.randrange(seen[state.node])) < keep:
            here[place] = state
        try:
            state = walk.step(state) or walk.start
        except OutOfRangeError:  # not our question: the walk ends here
            state = walk.start
    return [state for node in sorted(kept) for state in dict.fromkeys(kept[node])]


class Walker:
    """One who takes edges at random."""

    def __init__(self, machine: Machine, *, seed: int) -> None:
        self.judge = Interpreter(machine)
        self.random = random.Random(seed)  # noqa: S311  (no secrets here)
        self.start = State(machine.start, machine.start_values)

    def step(self, state: State) -> State | None:
        """Take some edge, if one can be taken."""
        found = self.move(state)
        return None if found is None else self.take(state, *found)

    def move(self, state: State) -> tuple[Edge, tuple[Arg, ...]] | None:
        """Choose some edge that can be taken."""
        node = self.judge.nodes[state.node]
        edges = list(node.edges)
        if node.kind != "rules":
            self.random.shuffle(edges)
        for edge in edges:
            args = self.arguments(state, edge)
            if args is not None:
                return edge, args
        return None

    def take(self, state: State, edge: Edge, args: tuple[Arg, ...]) -> State:
        """Take an edge."""
        run = Execution(list(state.values))
        execute(self.judge.shape, run, edge.body, self.judge.names(edge, args))
        return State(edge.target, tuple(run.values))

    def arguments(self, state: State, edge: Edge) -> tuple[Arg, ...] | None:
        """Find arguments with which an edge can be taken."""
        if not edge.params:
            return () if self.enabled(state, edge, ()) else None
        for _ in range(TRIES):
            args = self.drawn(state, edge)
            if args is not None and self.enabled(state, edge, args):
                return args
        if any(param.bag for param in edge.params):
            return None  # there may be more bags than anybody can list
        listed = islice(self.judge.arguments(state, edge), LISTED)
        return next((args for args in listed if self.enabled(state, edge, args)), None)

    def enabled(self, state: State, edge: Edge, args: tuple[Arg, ...]) -> bool:
        """Ask the interpreter."""
        if self.judge.failing(state, edge, args):
            return False
        chance = self.judge.nodes[state.node].kind == "chance"
        return not chance or self.judge.weight(state, Move(edge.id, args)) > 0

    def drawn(self, state: State, edge: Edge) -> tuple[Arg, ...] | None:
        """Draw arguments; None if one of them is ruled out."""
        names: dict[str, Arg] = {}
        for param in edge.params:
            names[param.name] = self.value(state, param, names)
            if not self.judge.evaluate(state, param.where, names):
                return None
        return tuple(names.values())

    def value(self, state: State, param: Param, names: dict[str, Arg]) -> Arg:
        """Draw the value of one parameter; of a bag few cards, more often than many."""
        domain = param.domain
        if not param.bag:
            return self.random.randint(domain.low, domain.high)
        most = [
            self.judge.evaluate(state, param.most or TRUE, {**names, param.var: kind})
            for kind in range(domain.low, domain.high + 1)
        ]
        cards = [kind for kind, number in enumerate(most) for _ in range(number)]
        wanted = self.random.choice((0, 1, 2, 3, len(cards)))
        chosen = self.random.sample(cards, min(wanted, len(cards)))
        return tuple(chosen.count(kind) for kind in range(len(most)))
