"""The reference interpreter: the turn machine, read literally.  The judge of everything else.

`Interpreter` is pure: it holds a machine, and nothing that changes but what it remembers.  Compiled
code is tested against it state by state, and it replays every witness before anybody sees it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import dropwhile, islice, product

from ..machine.core import TRUE, Expr
from ..machine.machine import Condition, Edge, Limit, Machine, Node, Param
from ..machine.state import Arg, Move, State, Transition
from ..source.errors import SpecErrors, TooLongError, TooMuchError, UsageError
from .evaluate import evaluate, execute
from .shape import NOTHING, Execution, Locals, Reads, shape_of
from .watched import RunListener

LONGEST_RUN = 3_200_000
"""The number of edges that the rules may take between two rests before they are given up.
Compiled code, which takes up to 31 of them at once, gives up earlier."""

UNWATCHED_RUN = 500
"""The number of edges that they take before anybody looks whether they go round in circles."""


MOST_STEPS = 500
"""The number of steps that are remembered of a machine: a play is told and judged many times."""


class IllegalMove(ValueError):  # noqa: N818  (a word of the domain, like `KeyboardInterrupt`)
    """A move that may not be taken; `clauses` forbid it."""

    def __init__(self, message: str, clauses: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.clauses = clauses


class EndlessRules(RuntimeError):  # noqa: N818  (same)
    """The rules never come to a rest; `cycle` names the nodes they go round in.

    `notes` are the obligations that fail before the first repetition, `cites` the clauses at work,
    `edges` those that are taken.
    """

    def __init__(
        self, cycle: tuple[str, ...], notes: tuple[int, ...] = (), cites: tuple[str, ...] = (),
        edges: tuple[int, ...] = (),
    ) -> None:
        super().__init__(f"the rules never come to a rest: {' -> '.join(cycle)}")
        self.cycle = cycle
        self.notes = notes
        self.cites = cites
        self.edges = edges


class SetUpBeyondError(EndlessRules, TooMuchError):
    """The set-up goes past a bound of the model: what comes of it is not known."""

    def __init__(self, bounds: Iterable[str]) -> None:
        super().__init__(())
        self.args = (f"the set-up meets a bound of the model ({', '.join(bounds)})",)


UNPLAYABLE = (SpecErrors, UsageError, EndlessRules, TooLongError)
"""What is raised of a game that makes no sense, that there is not, or that never rests, or not soon
enough to be followed."""


class UncoveredRules(RuntimeError):  # noqa: N818  (same)
    """No edge of a rules node applies: a bug of whoever made the machine."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A conceivable move, and why it may not be taken: conditions that fail, limits it would break.

    A limit forbids a move only if some other move breaks none: a legal move may break one.
    """

    move: Move
    failing: tuple[Condition, ...]
    broken: tuple[Limit, ...]
    legal: bool


class Interpreter:
    """A machine that can be run."""

    def __init__(
        self, machine: Machine, listener: RunListener | None = None, reads: Reads | None = None
    ) -> None:
        self.machine = machine
        self.shape = shape_of(machine, listener, reads)
        self.nodes = {node.id: node for node in machine.nodes}
        self.edges = {edge.id: edge for node in machine.nodes for edge in node.edges}
        self.bounds = machine.bounds
        for edge in self.edges.values():
            for param in edge.params:
                if param.bag and (param.domain.low != 0 or param.most is None):
                    raise ValueError(f"bag `{param.name}` needs card kinds from 0, and `most`")

    # ------------------------------------------------------------------------- questions

    def evaluate(self, state: State, expr: Expr, names: Locals = NOTHING) -> int:
        """Return the value of an expression in a state."""
        return evaluate(self.shape, state.values, expr, names)

    def final(self, state: State) -> bool:
        """Return whether the game is over."""
        return self.nodes[state.node].kind == "final"

    def by(self, state: State) -> int | None:
        """Return which player decides; None where nobody, chance, or nobody in particular does."""
        by = self.nodes[state.node].by
        return None if by is None else self.evaluate(state, by)

    def winners(self, state: State) -> tuple[int, ...]:
        """List the seats that have won; nobody has before the end."""
        return won(self.machine, state.values) if self.final(state) else ()

    def failing_limits(self, state: State) -> tuple[int, ...]:
        """List the limits (by number) that do not hold."""
        limits = enumerate(self.machine.limits)
        return tuple(i for i, limit in limits if self.evaluate(state, limit.test) == 0)

    # ----------------------------------------------------------------------------- moves

    def moves(self, state: State) -> tuple[Move, ...]:
        """List the legal moves, in order."""
        return tuple(verdict.move for verdict in self.candidates(state) if verdict.legal)

    def candidates(self, state: State) -> tuple[Verdict, ...]:
        """Judge every edge of the node with all values that its parameters may have."""
        node = self.nodes[state.node]
        if node.kind in ("rules", "final"):
            return ()
        found = [
            (Move(edge.id, args), self.failing(state, edge, args))
            for edge in sorted(node.edges, key=lambda edge: edge.id)
            for args in self.arguments(state, edge)
        ]
        if node.kind == "chance":
            return tuple(
                Verdict(move, failing, (), not failing and self.weight(state, move) > 0)
                for move, failing in found
            )
        broken = [() if failing else self.breaks(state, move) for move, failing in found]
        way_out = any(
            not failing and not limits for (_, failing), limits in zip(found, broken, strict=True)
        )
        return tuple(
            Verdict(
                move,
                failing,
                tuple(self.machine.limits[i] for i in limits),
                not failing and not (limits and way_out),
            )
            for (move, failing), limits in zip(found, broken, strict=True)
        )

    def judge(self, state: State, move: Move) -> Verdict | None:
        """Judge one move; None if it is not even conceivable.

        The others are looked at only if it would break a limit.
        """
        return self._judge(state, move)[0]

    def _judge(self, state: State, move: Move) -> tuple[Verdict | None, Transition | None]:
        """Judge one move, and give the step if it had to be taken for that."""
        node = self.nodes[state.node]
        edge = self.edges.get(move.edge)
        if edge is None or edge.source != node.id or node.kind in ("rules", "final"):
            return None, None
        if not self._fits(state, edge, move.args):
            return None, None
        failing = self.failing(state, edge, move.args)
        if node.kind == "chance":
            legal = not failing and self.weight(state, move) > 0
            return Verdict(move, failing, (), legal), None
        step = None if failing else self._tried(state, move)
        if step is None or not step.broken:
            return Verdict(move, failing, (), not failing), step
        among = (verdict for verdict in self.candidates(state) if verdict.move == move)
        return next(among), step

    def _fits(self, state: State, edge: Edge, args: tuple[Arg, ...]) -> bool:
        """Return whether arguments are among those that `arguments` enumerates."""
        if len(args) != len(edge.params):
            return False
        names: dict[str, Arg] = {}
        for param, arg in zip(edge.params, args, strict=True):
            if isinstance(arg, tuple) != param.bag:
                return False
            if isinstance(arg, tuple):
                kinds = range(param.domain.low, param.domain.high + 1)
                if len(arg) != len(kinds) or any(
                    not 0 <= many <= self._most(state, param, names, kind)
                    for kind, many in zip(kinds, arg, strict=True)
                ):
                    return False
            elif not param.domain.low <= arg <= param.domain.high:
                return False
            names[param.name] = arg
            if self.evaluate(state, param.where, names) == 0:
                return False
        return True

    def _most(self, state: State, param: Param, names: Locals, kind: int) -> int:
        """Return how many cards of a kind a bag may hold."""
        return self.evaluate(state, param.most or TRUE, {**names, param.var: kind})

    def arguments(self, state: State, edge: Edge) -> Iterator[tuple[Arg, ...]]:
        """Enumerate the arguments of an edge in ascending order, whatever its conditions say.

        The edge of a slice may have a thousand parameters: each waits on a list, not on the stack.
        """
        if not edge.params:
            yield ()
            return
        names: dict[str, Arg] = {}
        waiting = [self.values(state, edge.params[0], names)]
        while waiting:
            param = edge.params[len(waiting) - 1]
            value = next(waiting[-1], None)
            if value is None:
                waiting.pop()
                names.pop(param.name, None)
                continue
            names[param.name] = value
            if self.evaluate(state, param.where, names) == 0:
                continue
            if len(waiting) < len(edge.params):
                waiting.append(self.values(state, edge.params[len(waiting)], names))
            else:
                yield tuple(names.values())

    def values(self, state: State, param: Param, names: Locals) -> Iterator[Arg]:
        """Enumerate the values of a parameter in ascending order, before its `where`."""
        kinds = range(param.domain.low, param.domain.high + 1)
        if not param.bag:
            yield from kinds
            return
        most = [self._most(state, param, names, kind) for kind in kinds]
        yield from product(*(range(n + 1) for n in most))

    def failing(self, state: State, edge: Edge, args: tuple[Arg, ...]) -> tuple[Condition, ...]:
        """List the conditions of an edge that do not hold."""
        names = self.names(edge, args)
        return tuple(
            condition
            for condition in edge.conditions
            if self.evaluate(state, condition.test, names) == 0
        )

    def breaks(self, state: State, move: Move) -> tuple[int, ...]:
        """List the limits (by number) that hold now and would not at the next rest."""
        step = self._tried(state, move)
        return step.broken if step is not None else ()

    def _tried(self, state: State, move: Move) -> Transition | None:
        """Take a move to see which limits it breaks; None if it breaks none that is known.

        Of a move that meets a bound of the model it is not known.
        """
        if not self.machine.limits:
            return None
        try:
            step = self.take(state, move)
        except EndlessRules:
            return None
        return None if self.bounds.intersection(step.notes) else step

    def names(self, edge: Edge, args: tuple[Arg, ...]) -> Locals:
        """Name the arguments of an edge."""
        return {param.name: arg for param, arg in zip(edge.params, args, strict=True)}

    # ---------------------------------------------------------------------------- chance

    def weight(self, state: State, move: Move) -> int:
        """Return the weight of a chance move; without one it is 1."""
        edge = self.edges[move.edge]
        if edge.weight is None:
            return 1
        return self.evaluate(state, edge.weight, self.names(edge, move.args))

    def chance(self, state: State) -> tuple[tuple[Move, Fraction], ...]:
        """List what chance may do here, with exact probabilities; empty at any other node."""
        if self.nodes[state.node].kind != "chance":
            return ()
        weights = [(move, self.weight(state, move)) for move in self.moves(state)]
        total = sum(weight for _, weight in weights)
        return tuple((move, Fraction(weight, total)) for move, weight in weights)

    # ----------------------------------------------------------------------------- steps

    def start(self) -> Transition:
        """Set the game up, and run to the first rest."""
        run = Execution(list(self.machine.start_values))
        return self.rest(run, self.machine.start, None)

    def step(self, state: State, move: Move) -> Transition:
        """Take a legal move, and run to the next rest."""
        verdict, step = self._judge(state, move)
        if verdict is None:
            node = self.nodes[state.node].name
            raise IllegalMove(f"no such move at `{node}`: edge {move.edge} with {move.args}")
        if not verdict.legal:
            clauses = [condition.clause for condition in verdict.failing]
            clauses += [limit.clause for limit in verdict.broken]
            why = ", ".join(f"`{clause}`" for clause in dict.fromkeys(clauses)) or "chance"
            raise IllegalMove(
                f"`{self.edges[move.edge].label}` is ruled out by {why}",
                tuple(dict.fromkeys(clauses)),
            )
        return step or self.take(state, move)

    def take(self, state: State, move: Move) -> Transition:
        """Take a move without asking whether it is legal."""
        known = self.shape.steps.get((state, move))
        if known is not None:
            return known
        edge = self.edges[move.edge]
        run = Execution(list(state.values))
        self._run_edge(run, edge, self.names(edge, move.args))
        made = self.rest(run, edge.target, state)
        if not self.shape.watched:
            if len(self.shape.steps) >= MOST_STEPS:
                self.shape.steps.clear()
            self.shape.steps[state, move] = made
        return made

    def _run_edge(self, run: Execution, edge: Edge, names: Locals) -> None:
        run.edges.append(edge.id)
        run.cites.update(dict.fromkeys(edge.clauses))
        execute(self.shape, run, edge.body, names)

    def rest(self, run: Execution, node: int, before: State | None) -> Transition:
        """Take edges of rules nodes until a node that is a rest; `before` is the rest before."""
        node = self._settle(run, node)
        state = State(node, tuple(run.values))
        broken = tuple(
            i
            for i in self.failing_limits(state)
            if before is None or self.evaluate(before, self.machine.limits[i].test) != 0
        )
        return Transition(state, tuple(run.edges), tuple(run.cites), tuple(run.notes), broken)

    def _settle(self, run: Execution, node: int) -> int:
        """Take edges of rules nodes until a node that is a rest.

        A state that comes up twice is looked for as Brent did (1980); if there is one it raises
        `EndlessRules`, if none comes up for too long `TooLongError`.
        """
        first = State(node, tuple(run.values))
        kept, since, until = (node, [*run.values]), 0, UNWATCHED_RUN
        for number in range(LONGEST_RUN):
            if self.nodes[node].kind != "rules":
                return node
            if number == until:
                kept, since, until = (node, [*run.values]), number, 2 * number
            elif number > UNWATCHED_RUN and (node, run.values) == kept:
                raise self._endless(run, first, number - since)
            node = self._go_on(run, node)
        raise TooLongError

    def _go_on(self, run: Execution, node: int) -> int:
        """Take the edge of a rules node that applies."""
        edge = self._first(run.values, self.nodes[node])
        self._run_edge(run, edge, NOTHING)
        return edge.target

    def _endless(self, run: Execution, first: State, often: int) -> EndlessRules:
        """Say in what a run goes round, from the first state that comes up again `often` later."""
        plain = Interpreter(self.machine)
        pairs = zip(plain._from(first), islice(plain._from(first), often, None), strict=False)
        around = dropwhile(lambda pair: pair[0] != pair[1], pairs)
        names = dict.fromkeys(self.nodes[node].name for (node, _), _ in islice(around, often))
        return EndlessRules(tuple(names), tuple(dict.fromkeys(run.notes)), tuple(run.cites),
                            tuple(dict.fromkeys(run.edges)))

    def _from(self, first: State) -> Iterator[tuple[int, list[int]]]:
        """Yield where a run is that comes to no rest, node and values, and go on."""
        node, run = first.node, Execution(list(first.values))
        while True:
            yield node, run.values
            node = self._go_on(run, node)

    def _first(self, values: list[int], node: Node) -> Edge:
        """Find the first edge of a rules node whose conditions hold."""
        for edge in node.edges:
            if all(evaluate(self.shape, values, each.test, NOTHING) for each in edge.conditions):
                return edge
        raise UncoveredRules(f"no case of `{node.name}` applies")


def won(machine: Machine, values: Sequence[int]) -> tuple[int, ...]:
    """List the seats that the values of all arrays, where the game is over, say to have won."""
    first = 0
    for array in machine.arrays:
        if array.name == machine.outcome:
            return tuple(seat for seat in range(array.size) if values[first + seat] == 1)
        first += array.size
    return ()
