"""A machine that is watched while it runs: which clauses act, and how close each comparison was.

A position is a good test where a rule is at its edge.  `Watcher.look` takes all moves of a state
and notes what decided: each comparison by clause and text (a `Site` of `closures`), with the
difference of its two sides, and each statement that changed something.  `look` with a `flip` takes
them again with one comparison turned round wherever its difference is the given one, which is what
an off-by-one in that rule amounts to (`<` for `<=` flips at 0, `<= n + 1` for `<= n` at 1).  Where
the result differs the position tells the two rules apart (strong mutation: DeMillo, Lipton,
Sayward, "Hints on test data selection", 1978; here on the boundary values of comparisons only).

Nothing is believed on a watcher's word: what a position says is computed by the reference
interpreter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from ...model.game.game import Game
from ...model.machine.machine import Edge, Machine, Node, Param
from ...model.machine.state import Arg, Move, State
from .instrumented import Act, Closures, Hit, Names, Value

LONGEST_RUN = 3_000
"""So many edges without a rest count as going round for ever."""


@dataclass(slots=True)
class Ran:
    """One move, and what happened on the way to the next rest (None: there is none)."""

    move: Move
    after: State | None
    cites: dict[str, None]
    hits: set[Hit]
    effects: set[str]
    notes: list[int]
    broken: tuple[int, ...]


@dataclass(slots=True)
class Sight:
    """All legal moves of a state; `hits` are the comparisons that decided which they are.

    `barred` holds for each conceivable move that is not legal the clauses that rule it out.
    """

    state: State
    ran: list[Ran]
    hits: set[Hit]
    barred: list[tuple[str, ...]]


@dataclass(slots=True)
class _Ready:
    """An edge as closures."""

    edge: Edge
    params: list[tuple[Param, Value, Value | None]]
    conditions: list[tuple[str, Value]]
    body: list[Act]
    weight: Value | None


class Watcher:
    """Runs one machine and notes what decides."""

    def __init__(self, machine: Machine, game: Game) -> None:
        self.machine = machine
        self.game = game
        self.code = Closures(machine, game)
        self.nodes = {node.id: node for node in machine.nodes}
        self._ready: dict[int, _Ready] = {}
        self._limits: list[Value] | None = None

    # --------------------------------------------------------------------------- looking

    def look(self, state: State, *, flip: Hit | None = None) -> Sight:
        """Take all moves of a state."""
        code = self.code
        code.flip = flip
        node = self.nodes[state.node]
        values = list(state.values)
        self.code.hits = set()
        found: list[tuple[_Ready, tuple[Arg, ...]]] = []
        barred: list[tuple[str, ...]] = []
        if node.kind not in ("final", "rules"):
            for edge in node.edges:
                ready = self._edge(edge)
                for args in self._arguments(ready, values):
                    names = self._names(ready, args)
                    wrong = [c for c, test in ready.conditions if not test(values, names)]
                    if not wrong and node.kind == "chance" and ready.weight is not None:
                        wrong = [] if ready.weight(values, names) > 0 else [""]
                    if wrong:
                        barred.append(tuple(dict.fromkeys(c for c in wrong if c)))
                    else:
                        found.append((ready, args))
        before = self._failing(values)
        hits = self.code.hits
        ran = [self._run(ready, args, values, before) for ready, args in found]
        if node.kind != "chance" and any(not each.broken for each in ran):
            for each in ran:
                if each.broken:
                    named = tuple(self.machine.limits[i].clause for i in each.broken)
                    barred.append(named)
                    hits |= {hit for hit in each.hits if code.sites[hit[0]].clause in named}
            ran = [each for each in ran if not each.broken]
        self.code.flip = None
        return Sight(state, ran, hits, barred)

    def _failing(self, values: list[int]) -> tuple[int, ...]:
        if self._limits is None:
            self._limits = [self.code.value(limit.test, limit.clause, frozenset())
                            for limit in self.machine.limits]
        return tuple(i for i, test in enumerate(self._limits) if not test(values, {}))

    def _run(
        self, ready: _Ready, args: tuple[Arg, ...], start: list[int], before: tuple[int, ...]
    ) -> Ran:
        values = list(start)
        code = self.code
        code.hits, code.cites, code.effects, code.notes = set(), {}, set(), []
        self._take(ready, values, self._names(ready, args))
        node: Node | None = self.nodes[ready.edge.target]
        for _ in range(LONGEST_RUN):
            if node is None or node.kind != "rules":
                break
            node = self._rule(node, values)
        else:
            node = None
        after = None if node is None else State(node.id, tuple(values))
        broken = () if node is None else tuple(
            i for i in self._failing(values) if i not in before)
        move = Move(ready.edge.id, args)
        return Ran(move, after, code.cites, code.hits, code.effects, code.notes, broken)

    def _rule(self, node: Node, values: list[int]) -> Node | None:
        for edge in node.edges:
            ready = self._edge(edge)
            if all(test(values, {}) for _, test in ready.conditions):
                self._take(ready, values, {})
                return self.nodes[edge.target]
        return None

    def _take(self, ready: _Ready, values: list[int], names: Names) -> None:
        self.code.cites.update(dict.fromkeys(ready.edge.clauses))
        for act in ready.body:
            act(values, names)

    def _names(self, ready: _Ready, args: tuple[Arg, ...]) -> Names:
        return {param.name: arg for (param, _, _), arg in zip(ready.params, args, strict=True)}

    def _arguments(self, ready: _Ready, values: list[int]) -> Iterator[tuple[Arg, ...]]:
        def choose(place: int, names: Names) -> Iterator[tuple[Arg, ...]]:
            if place == len(ready.params):
                yield ()
                return
            param, where, most = ready.params[place]
            kinds = range(param.domain.low, param.domain.high + 1)
            choices: Iterator[Arg] = iter(kinds)
            if most is not None:
                tops = [most(values, {**names, param.var: kind}) for kind in kinds]
                choices = product(*(range(n + 1) for n in tops))
            for value in choices:
                inner = {**names, param.name: value}
                if where(values, inner):
                    for rest in choose(place + 1, inner):
                        yield (value, *rest)

        return choose(0, {})

    # ------------------------------------------------------------------------- compiling

    def edge(self, number: int) -> Edge:
        """Find an edge."""
        return self._ready[number].edge

    def _edge(self, edge: Edge) -> _Ready:
        if edge.id not in self._ready:
            owner = "".join((*edge.clauses, *self.nodes[edge.source].clauses)[:1])
            plain = frozenset(p.name for p in edge.params)
            params = [
                (p, self.code.value(p.where, owner, plain),
                 self.code.value(p.most, owner, plain) if p.bag and p.most is not None else None)
                for p in edge.params
            ]
            conditions = [(c.clause, self.code.value(c.test, c.clause or owner, plain))
                          for c in edge.conditions]
            body = self.code.block(edge.body, owner, plain, f"{edge.id}")
            weight = None if edge.weight is None else self.code.value(edge.weight, owner, plain)
            self._ready[edge.id] = _Ready(edge, params, conditions, body, weight)
        return self._ready[edge.id]
