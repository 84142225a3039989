"""The position that a worked example describes: what it names, and the rest of it.

What a scene does not name is at its start value, except that a zone with `starts: all` holds all
copies that lie nowhere else.

A scene begins where a step or window begins (or at a node that is named).  What the engine keeps
for itself, who called that step and the locals of its callers, a scene does not say: it is taken
from the shortest way through the machine that leads there from the start of the game, `frame`.  On
that way only what is kept in locals is written and asked; what the spec declares stays as the scene
has it throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import count
from operator import itemgetter

import networkx as nx

from ...model.machine.core import Expr, Fill, Let, Stmt, Store
from ...model.machine.machine import Array, Domain, Edge, Machine, Node, Param
from ...model.machine.state import Arg, State, Transition
from ...model.machine.traversal import arrays_read, rewritten
from ...model.plays.wording import plain_name
from ...model.recent import Recent
from ...model.rules.declared import ordered_parts
from ...model.run.evaluate import OutOfRangeError, execute
from ...model.run.interp import Interpreter, UncoveredRules
from ...model.run.shape import Execution
from ..bench.workbench import Instance
from .move_text import MoveWords, SceneError, plain, under

LONGEST_SEARCH = 50_000
"""So many pairs of node and locals are looked at for a frame."""


# ------------------------------------------------------------------------------------- state


@dataclass(slots=True)
class _Board:
    """A state vector that is being set up."""

    words: MoveWords
    values: list[int]
    given: set[str]

    def set(self, array: Array, index: Sequence[int], value: int) -> None:
        """Write one element."""
        place = self.words.instance.interpreter.shape.place(array, tuple(index))
        if place is None or not array.low <= value <= array.high:
            raise SceneError(f"`{array.name}` cannot hold {value}")
        self.values[place] = value

    def players(
        self, array: Array, axis: Domain, given: Sequence[object], index: tuple[int, ...]
    ) -> None:
        """Write a set of players, given as a list."""
        for seat in range(array.dims[len(index)]):
            self.set(array, (*index, seat), 0)
        for place, name in enumerate(given):
            with under(place):
                self.set(array, (*index, self.words.value(axis, name, array.name)), 1)

    def array(self, array: Array, given: object, index: tuple[int, ...] = ()) -> None:
        """Write what is given for an array, or for a row of it."""
        left = len(array.dims) - len(index)
        words = self.words
        if left == 0:
            self.set(array, index, words.value(array.domain, given, array.name))
        elif left == 1 and array.zone and array.zone != "pile":
            for kind, count in enumerate(words.bag(array.axes[-1], given, array.name)):
                if count > array.high:
                    raise SceneError(f"the scene has {count} × {array.axes[-1].names[kind]} in "
                                     f"`{array.name}`; the game has not so many")
                self.set(array, (*index, kind), count)
        elif isinstance(given, Mapping):
            axis = array.axes[len(index)]
            for key, inner in given.items():
                with under(str(key)):
                    self.array(array, inner,
                               (*index, words.value(axis, key, array.name) - axis.low))
        elif isinstance(given, Sequence) and not isinstance(given, str):
            axes = array.axes[len(index):len(index) + 1]
            if axes and axes[0].kind == "player" and array.domain.kind == "bool":
                self.players(array, axes[0], given, index)
                return
            for place, inner in enumerate(given):
                with under(place):
                    self.array(array, inner, (*index, place))
        else:
            raise SceneError(f"`{array.name}` needs one value for each of several")


def board(instance: Instance, given: Mapping[str, object], step: str = "") -> tuple[int, ...]:
    """Set up the state vector of a scene; locals are at their start values, except those given.

    Raises:
        SceneError: if the game has no such names or values, or not so many cards.

    """
    machine = instance.compiled.machine
    names = {plain(array.name): array for array in machine.arrays}
    made = _Board(MoveWords(instance), list(machine.start_values), set())
    for name, value in given.items():
        with under(name):
            pool = next((p for p in instance.game.pools if plain(p) == plain(name)), None)
            if pool is not None:
                _records(made, pool, value)
                continue
            array = names.get(plain(name)) or names.get(plain(f"{step}.{name}"))
            if array is None:
                raise SceneError(f"the game has no `{name}`", given=name,
                                 known=_nameable(instance, step))
            made.given.add(array.name)
            made.array(array, value)
    _rest_of_the_cards(made)
    return tuple(made.values)


def _nameable(instance: Instance, step: str) -> Iterator[str]:
    """Yield the names that a scene may give: of the spec, and of the parameters of its step."""
    game = instance.game
    for named in (game.variables, game.zones, game.pools):
        yield from named
    if step in game.steps:
        yield from game.steps[step].params


def _records(made: _Board, pool: str, given: object) -> None:
    """Write the records of a pool: a list, or a list for each player."""
    arrays = {a.name: a for a in made.words.machine.arrays}
    size = arrays[f"{pool}.size"]
    if size.dims:
        if not isinstance(given, Mapping):
            raise SceneError(f"`{pool}` needs a list of records for each player")
        for key, records in given.items():
            with under(str(key)):
                _row(made, pool, (made.words.value(size.axes[0], key, pool),), records)
    else:
        _row(made, pool, (), given)


def _row(made: _Board, pool: str, owner: tuple[int, ...], records: object) -> None:
    """Write the records of one owner."""
    arrays = {a.name: a for a in made.words.machine.arrays}
    if not isinstance(records, Sequence) or isinstance(records, str):
        raise SceneError(f"`{pool}` needs a list of records")
    made.set(arrays[f"{pool}.size"], owner, len(records))
    for place, record in enumerate(records):
        with under(place):
            if not isinstance(record, Mapping):
                raise SceneError(f"a record of `{pool}` names its fields")
            for key, value in record.items():
                with under(str(key)):
                    array = arrays.get(f"{pool}.{key}")
                    if array is None:
                        raise SceneError(
                            f"the records of `{pool}` have no `{key}`", given=key,
                            known=made.words.instance.game.pools[pool].fields)
                    made.set(array, (*owner, place),
                             made.words.value(array.domain, value, array.name))


def _rest_of_the_cards(made: _Board) -> None:
    """Put the copies that lie nowhere into the zone in which all start."""
    instance = made.words.instance
    shape = instance.interpreter.shape
    for zone in instance.game.zones.values():
        if zone.starts != "all" or zone.name in made.given or zone.kind == "pile":
            continue
        array = shape.arrays[zone.name]
        cards = instance.game.families[zone.family].cards
        left = [card.copies for card in cards]
        for other, _ in _holders(instance, zone.family):
            if other.name == zone.name:
                continue
            first = shape.offsets[other.name]
            for place, value in enumerate(made.values[first:first + other.size]):
                if other.zone in ("bag", "deck"):
                    left[place % len(left)] -= value
                elif value >= 0 and _holds(made, other, place):
                    left[value] -= 1
        for kind, number in enumerate(left):
            if number < 0:
                card, there = cards[kind], cards[kind].copies
                clauses = tuple(c for c in (card.clause,) if c)
                raise SceneError(f"the scene has {there - number} × {card.name}; the game has "
                                 f"{there}", clauses)
            made.set(array, (kind,), number)


def _holders(instance: Instance, family: str) -> Iterator[tuple[Array, str]]:
    """List the arrays that hold cards of a family: zones, known places, records."""
    arrays = instance.interpreter.shape.arrays
    for zone in instance.game.zones.values():
        if zone.family == family and zone.kind != "ledger":
            if zone.kind != "pile":
                yield arrays[zone.name], ""
            yield from ((arrays[name], "") for name, _ in ordered_parts(zone))
    for pool in instance.game.pools.values():
        for name, ty in pool.fields.items():
            if ty.kind == "card" and ty.name == family:
                yield arrays[f"{pool.name}.{name}"], pool.name


def _holds(made: _Board, array: Array, place: int) -> bool:
    """Return whether an element of a pool's field belongs to a record that is there."""
    pool = array.name.rpartition(".")[0]
    shape = made.words.instance.interpreter.shape
    size = shape.arrays.get(f"{pool}.size")
    if size is None or array.zone:
        return True
    row, index = divmod(place, array.dims[-1])
    return index < made.values[shape.offsets[size.name] + row]


# ------------------------------------------------------------------------------------- frame


def begin(instance: Instance, at: str, given: Mapping[str, object]) -> Transition:
    """Set a scene up and run the rules to the first rest.

    Raises:
        SceneError: if there is no such place, or no way there, or no such position.

    """
    with under("at"):
        node = _place(instance.compiled.machine, at)
    step = node.step
    with under("state"):
        start = board(instance, given, step)
    with under("at"):
        values = frame(instance, node, start)
    if any(plain(f"{step}.{name}") == plain(array.name)
           for name in given for array in instance.compiled.machine.arrays):
        values = _again(instance, values, given, step)
    interp = instance.interpreter
    state = State(node.id, values)
    if node.kind != "rules":
        return Transition(state, (), (), (), ())
    try:
        return interp.rest(Execution(list(values)), node.id, state)
    except (OutOfRangeError, UncoveredRules) as error:
        raise SceneError(f"the position cannot come up: {error}") from error


def _again(
    instance: Instance, values: tuple[int, ...], given: Mapping[str, object], step: str
) -> tuple[int, ...]:
    """Write the parameters of the step that a scene gives over those of the frame."""
    made = _Board(MoveWords(instance), list(values), set())
    for name, value in given.items():
        for array in instance.compiled.machine.arrays:
            if plain(array.name) == plain(f"{step}.{name}"):
                made.array(array, value)
    return tuple(made.values)


def _place(machine: Machine, at: str) -> Node:
    for same in (lambda n: n.name == at, lambda n: plain(plain_name(n.name)) == plain(at)):
        found = next((node for node in machine.nodes if same(node)), None)
        if found is not None:
            return found
    home = at.partition(":")[0].strip()
    raise SceneError(f"nothing of the game happens at `{at}`", given=at,
                     known=[node.name for node in machine.nodes if node.step == home])


def frame(instance: Instance, node: Node, values: tuple[int, ...]) -> tuple[int, ...]:
    """Set the locals to the values that they have on a shortest way to a node.

    The search is A* (Hart, Nilsson, Raphael, 1968): no way is shorter than that of the graph.
    """
    interp, machine = instance.interpreter, instance.compiled.machine
    ways, locals_of = _ways_of(interp), _locals_of(interp)
    left = _distances(machine, node.id)
    number = count()
    keys = {locals_of(values): 0}
    todo = [(left.get(machine.start, 0), 0, next(number), machine.start, values, 0)]
    seen: set[tuple[int, int]] = set()
    while todo and len(seen) < LONGEST_SEARCH:
        _, back, _, here, vector, key = heappop(todo)
        if here == node.id:
            return vector
        if (here, key) in seen:
            continue
        seen.add((here, key))
        for edge in interp.nodes[here].edges:
            if edge.target not in left:
                continue
            way = ways[edge.id]
            after = _along(interp, way, State(here, vector)) if way.asked or way.body else vector
            if after is None:
                continue
            known = key if after is vector else keys.setdefault(locals_of(after), len(keys))
            if (edge.target, known) not in seen:
                heappush(todo, (1 - back + left[edge.target], back - 1, next(number),
                                edge.target, after, known))
    raise SceneError(f"no way through the game leads to `{node.name}`")


def _locals_of(interp: Interpreter) -> Callable[[tuple[int, ...]], object]:
    """Return the function that cuts out of a state vector what differs on the ways to a node."""
    arrays = [array for array in interp.machine.arrays if not array.declared]
    places = [place for array in arrays for place in range(
        interp.shape.offsets[array.name], interp.shape.offsets[array.name] + array.size)]
    return itemgetter(*places) if places else lambda _: ()


def _distances(machine: Machine, node: int) -> dict[int, int]:
    """Return how many edges it takes from each node to one, whatever their conditions."""
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_edges_from((edge.target, each.id) for each in machine.nodes for edge in each.edges)
    graph.add_node(node)
    return dict(nx.single_source_shortest_path_length(graph, node))


@dataclass(frozen=True, slots=True)
class _Way:
    """An edge as far as locals go."""

    edge: Edge
    asked: tuple[Expr, ...]
    """The conditions that read nothing but locals."""
    body: tuple[Stmt, ...]
    """What writes locals."""


def _ways(interp: Interpreter) -> dict[int, _Way]:
    """Return the edges of a machine as far as locals go."""
    local = frozenset(array.name for array in interp.machine.arrays if not array.declared)
    return {edge.id: _Way(
        edge, tuple(condition.test for condition in edge.conditions
                    if (asked := arrays_read(condition.test)) and asked <= local),
        _only(edge.body, local)) for edge in interp.edges.values()}


_ways_of = Recent(_ways, most=16)


def _along(interp: Interpreter, way: _Way, state: State) -> tuple[int, ...] | None:
    """Take an edge as far as locals go; None if what is kept in locals forbids it."""
    args = next(interp.arguments(state, way.edge), None)
    if args is None:
        args = tuple(_least(param) for param in way.edge.params)
    names = interp.names(way.edge, args)
    if way.asked and not all(interp.evaluate(state, test, names) for test in way.asked):
        return None
    if not way.body:
        return state.values
    run = Execution(list(state.values))
    try:
        execute(interp.shape, run, way.body, names)
    except OutOfRangeError:
        return None
    return tuple(run.values)


def _least(param: Param) -> Arg:
    kinds = param.domain.high - param.domain.low + 1
    return (0,) * kinds if param.bag else param.domain.low


def _only(body: Sequence[Stmt], local: frozenset[str]) -> tuple[Stmt, ...]:
    """Keep of some statements what writes locals."""
    return rewritten(body, lambda stmt: (stmt,) if isinstance(stmt, Let) or (
        isinstance(stmt, Store | Fill) and stmt.array in local) else ())
