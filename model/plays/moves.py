"""Moves in words: as typed names for files, there and back, and as one sentence for people.

A choice is an object with one entry for each parameter of the move, typed: `{"card": "Snark 3"}`,
`{"player": "Gamemaster 2"}`, `{"style": "blog"}` (an enum), `{"cards": {"Snark 3": 1}}` (a bag),
`{"record": "army", "of": "Player 1", "fields": {…}}`, plain numbers and truth values, `null` for
none.  Records that look alike are told apart by `nth`, from 2 on.  When a choice is read the bare
name does too, since the machine knows the types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

from ..machine.machine import Domain, Edge, Machine, Node, Param
from ..machine.state import Arg, Move, State
from ..machine.traversal import loads
from ..run.evaluate import evaluate
from ..run.shape import Locals, Shape, shape_of
from ..source.errors import did_you_mean, quote
from .board import JSON, read_value, show_value
from .documents import is_object
from .offers import Offer, Say
from .records import RECORD, PoolLayout, fields_of, pools
from .wording import (
    chance_words,
    deed,
    entitled,
    is_choice,
    next_words,
    option_words,
    say_field,
    say_value,
    with_rest,
)

SEVERAL = 6
"""So many names are listed in an error; of more, only the first ones."""


@dataclass(frozen=True, slots=True)
class _Here:
    """Where moves are named: the machine, its shape, and the state if that is known."""

    machine: Machine
    shape: Shape
    state: State | None


class NoSuchMove(ValueError):  # noqa: N818  (a word of the domain)
    """A choice that is no move of the machine here; the text says why."""


# ------------------------------------------------------------------------------------ writing


def choice_of(
    machine: Machine, edge: Edge, args: tuple[Arg, ...], *, state: State | None = None
) -> dict[str, JSON]:
    """Name the arguments of an edge; records by what they hold, if the state is given."""
    here = _Here(machine, shape_of(machine), state)
    names: dict[str, Arg] = {}
    found: dict[str, JSON] = {}
    for label, param, arg in zip(labels(edge), edge.params, args, strict=True):
        names[param.name] = arg
        found[label] = _typed(here, param, arg, names)
    return found


def move_json(machine: Machine, state: State, move: Move) -> dict[str, JSON]:
    """Write a move: its event, its choice, and its clause where the event alone says too little."""
    node, edge = node_of(machine, state), edge_of(machine, state, move)
    written: dict[str, JSON] = {"event": edge.label}
    if sum(other.label == edge.label for other in node.edges) > 1 and edge.clauses:
        written["clause"] = edge.clauses[0]
    written["choice"] = choice_of(machine, edge, move.args, state=state)
    return written


def labels(edge: Edge) -> tuple[str, ...]:
    """Give the parameters of an edge different names: their labels, numbered where they repeat."""
    found: list[str] = []
    for param in edge.params:
        times = sum(each == param.label or each.startswith(f"{param.label} ") for each in found)
        found.append(f"{param.label} {times + 1}" if times else param.label)
    return tuple(found)


def node_of(machine: Machine, state: State) -> Node:
    """Find the node at which a state rests."""
    return next(node for node in machine.nodes if node.id == state.node)


def edge_of(machine: Machine, state: State, move: Move) -> Edge:
    """Find the edge of a move."""
    for edge in node_of(machine, state).edges:
        if edge.id == move.edge:
            return edge
    raise NoSuchMove(f"there is no edge {move.edge} here")


def next_seat(machine: Machine, state: State, move: Move) -> int | None:
    """Return the seat that a move puts next where the rules leave that open; None of others."""
    edge = edge_of(machine, state, move)
    if actor(machine, state) is None and edge.label == "next" and len(move.args) == 1:
        (seat,) = move.args
        return seat if isinstance(seat, int) else None
    return None


def _typed(here: _Here, param: Param, arg: Arg, names: Locals) -> JSON:
    machine, domain = here.machine, param.domain
    if isinstance(arg, tuple):
        kinds = enumerate(arg, domain.low)
        return {"cards": {str(show_value(machine, domain, k)): n for k, n in kinds if n}}
    kind, _, name = domain.kind.partition(":")
    if kind == "record" and here.state is not None:
        return _record(here, here.state, param, arg, names)
    shown = show_value(machine, domain, arg)
    if shown is None or kind in ("int", "bool"):
        return shown
    return {name if kind in ("enum", "record") else kind: shown}


def _record(here: _Here, state: State, param: Param, arg: int, names: Locals) -> JSON:
    pool, owner = _pool(here, param), owner_of(here.shape, state, param, names)
    held = partial(fields_of, here.machine, pool, state.values, owner[0] if owner else 0)
    same = [i for i in range(arg) if held(i) == held(arg)]
    written: dict[str, JSON] = {"record": pool.name}
    if owner:
        written["of"] = here.machine.player_names[owner[0]]
    written["fields"] = held(arg)
    if same:
        written["nth"] = len(same) + 1
    return written


def _pool(here: _Here, param: Param) -> PoolLayout:
    return next(pool for pool in pools(here.machine) if param.domain.kind == RECORD + pool.name)


def owner_of(shape: Shape, state: State, param: Param, names: Locals) -> tuple[int, ...]:
    """Find whose records a parameter ranges over: it is bounded by the size of their pool."""
    pool = param.domain.kind.partition(":")[2]
    for load in loads(param.where):
        if load.array == f"{pool}.size":
            return tuple(evaluate(shape, state.values, i, names) for i in load.index)
    return ()


# ------------------------------------------------------------------------------------ reading


def move_from(machine: Machine, state: State, choice: object) -> Move:
    """Read a move back; whether it is legal is for the interpreter to say.

    Raises:
        NoSuchMove: if it names what is not there.

    """
    if not is_object(choice):
        raise NoSuchMove("a move is an object with `event` and `choice`")
    node = node_of(machine, state)
    edges = _edges(node, choice.get("event"), choice.get("clause"))
    given = choice.get("choice", {})
    if not is_object(given):
        raise NoSuchMove("`choice` must be an object")
    first: NoSuchMove | None = None
    for edge in edges:
        try:
            return Move(edge.id, _arguments(machine, state, edge, given))
        except NoSuchMove as error:
            first = first or error
    raise first or NoSuchMove(f"nothing can be done at {quote(node.name)}")


def _edges(node: Node, event: object, clause: object) -> tuple[Edge, ...]:
    """Find the edges that an event may mean; without one, all."""
    edges = node.edges
    if event is not None:
        edges = tuple(edge for edge in edges if edge.label == event)
        if not edges:
            known = [edge.label for edge in node.edges]
            hint = did_you_mean(str(event), known) or f"there is {_list(known)}"
            raise NoSuchMove(f"no event {quote(str(event))} at {quote(node.name)}; {hint}")
    if clause is not None and len(edges) > 1:
        edges = tuple(edge for edge in edges if clause in edge.clauses)
        if not edges:
            raise NoSuchMove(f"no event {quote(str(event))} of clause {quote(str(clause))} here")
    return edges


def _arguments(
    machine: Machine, state: State, edge: Edge, given: Mapping[str, JSON]
) -> tuple[Arg, ...]:
    here, known = _Here(machine, shape_of(machine), state), labels(edge)
    for key in given:
        if key not in known:
            hint = did_you_mean(str(key), known) or f"it takes {_list(known) or 'nothing'}"
            raise NoSuchMove(f"{quote(edge.label)} has no {quote(str(key))}; {hint}")
    names: dict[str, Arg] = {}
    for label, param in zip(known, edge.params, strict=True):
        if label not in given:
            raise NoSuchMove(f"{quote(edge.label)} needs {quote(label)}")
        names[param.name] = _argument(here, param, label, given[label], names)
    return tuple(names.values())


def _argument(here: _Here, param: Param, label: str, given: object, names: Locals) -> Arg:
    kind, _, name = param.domain.kind.partition(":")
    if param.bag:
        return _bag(here.machine, param.domain, label, given)
    if kind == "record":
        return _find(here, param, label, given, names)
    if is_object(given):
        word = name if kind == "enum" else kind
        if set(given) != {word}:
            raise NoSuchMove(f"{quote(label)} must be given as {quote(word)}")
        return _value(here, param, label, given[word])
    return _value(here, param, label, given)


def _value(here: _Here, param: Param, label: str, given: object) -> int:
    try:
        value = read_value(here.machine, param.domain, given, label)
    except ValueError as error:
        raise NoSuchMove(str(error)) from None
    if not param.domain.low <= value <= param.domain.high:
        raise NoSuchMove(f"{quote(label)} cannot be {quote(str(given))}")
    return value


def _bag(machine: Machine, domain: Domain, label: str, given: object) -> tuple[int, ...]:
    cards = given
    if is_object(given) and set(given) == {"cards"}:
        cards = given["cards"]
    if not is_object(cards):
        raise NoSuchMove(f"{quote(label)} must be an object of cards and their numbers")
    counts = [0] * (domain.high - domain.low + 1)
    for card, number in cards.items():
        try:
            index = read_value(machine, domain, str(card), label) - domain.low
        except ValueError as error:
            raise NoSuchMove(str(error)) from None
        if isinstance(number, bool) or not isinstance(number, int) or number < 0:
            raise NoSuchMove(f"of {quote(str(card))} there must be a number of cards")
        counts[index] = number
    return tuple(counts)


def _find(here: _Here, param: Param, label: str, given: object, names: Locals) -> int:
    """Find the record that looks as written."""
    if not is_object(given) or here.state is None:
        raise NoSuchMove(f"{quote(label)} must be given as a record")
    for index in range(param.domain.low, param.domain.high + 1):
        inner = {**names, param.name: index}
        there = evaluate(here.shape, here.state.values, param.where, inner) != 0
        if there and given == _record(here, here.state, param, index, inner):
            return index
    raise NoSuchMove(f"there is no such record for {quote(label)}")


def _list(names: Iterable[str]) -> str:
    shown = list(dict.fromkeys(names))
    more = "…" if len(shown) > SEVERAL else ""
    return ", ".join(quote(name) for name in shown[:SEVERAL]) + more


# ------------------------------------------------------------------------------------ sentences


def describe_move(
    machine: Machine, state: State, move: Move, *, hidden: Mapping[str, str] | None = None
) -> str:
    """Tell a move in one sentence, as somebody at the table would.

    `hidden` gives for some labels the words to be said instead of what was chosen.
    """
    return offer(machine, state, move, hidden=hidden).text


def offer(
    machine: Machine, state: State, move: Move, *, hidden: Mapping[str, str] | None = None
) -> Offer:
    """Return a move as a sentence that can be put together with others (`offers.joined`)."""
    node, edge = node_of(machine, state), edge_of(machine, state, move)
    shown = {**_shown(machine, state, move), **(hidden or {})}
    who = None if node.kind == "chance" else actor(machine, state)

    def say(shown: Mapping[str, str]) -> str:
        if node.kind == "chance":
            return chance_words(node, edge, shown, machine.titles)
        if who is None:
            return next_words(edge, entitled(shown, machine.titles))
        return f"{machine.player_names[who]} {deed(node, edge, shown, machine.titles)}"

    return _offered((who, node.kind, node.ask, edge.label), shown, say)


def option(machine: Machine, state: State, move: Move) -> Offer:
    """Return a move as an entry of a list, which can be put together with others."""
    edge = edge_of(machine, state, move)

    def say(shown: Mapping[str, str]) -> str:
        if is_choice(edge):
            return next(iter(shown.values())) or "nothing"
        return option_words(edge.label, shown, machine.titles)

    return _offered((edge.label,), _shown(machine, state, move), say)


def _offered(kind: tuple[object, ...], shown: Mapping[str, str], say: Say) -> Offer:
    return Offer(kind, tuple((label, (text,)) for label, text in shown.items()), say)


def describe_option(machine: Machine, state: State, move: Move) -> str:
    """Tell a move as an entry of a list to choose from: `attack Gamemaster 2`."""
    return option(machine, state, move).text


def _shown(machine: Machine, state: State, move: Move) -> dict[str, str]:
    edge, here = edge_of(machine, state, move), _Here(machine, shape_of(machine), state)
    names: dict[str, Arg] = {}
    shown: dict[str, str] = {}
    for label, param, arg in zip(labels(edge), edge.params, move.args, strict=True):
        names[param.name] = arg
        shown[label] = _briefly(here, param, arg, names)
    return shown


def _briefly(here: _Here, param: Param, arg: Arg, names: Locals) -> str:
    """Say an argument; a record by its first field and what sets it apart from its like.

    Its like are the other living records of its owner.
    """
    state = here.state
    if not param.domain.kind.startswith(RECORD) or state is None or isinstance(arg, tuple):
        return say_value(_typed(here, param, arg, names), here.machine.titles)
    pool, owner = _pool(here, param), owner_of(here.shape, state, param, names)
    seat = owner[0] if owner else 0
    held = partial(fields_of, here.machine, pool, state.values, seat)
    mine = held(arg)
    rivals = {i: held(i) for i in range(state.values[pool.first + seat]) if i != arg}
    parts: list[str] = []
    for name, value in mine.items():
        if not parts or any(other[name] != value for other in rivals.values()):
            titles = here.machine.titles
            parts.append(say_value(value, titles) if name == "card" else
                         say_field(titles.names.get(name, name), value, titles))
            rivals = {i: other for i, other in rivals.items() if other[name] == value}
    number = 1 + sum(i < arg for i in rivals)
    nth = f" (number {number} of these)" if number > 1 else ""
    of = f" of {here.machine.player_names[seat]}" if owner else ""
    return f"{with_rest(parts) or here.machine.titles.of(pool.name)}{of}{nth}"


def actor(machine: Machine, state: State) -> int | None:
    """Return which seat decides here, if one does."""
    by = node_of(machine, state).by
    return None if by is None else evaluate(shape_of(machine), state.values, by, {})
