"""Names and moves as people write them, in examples and at a keyboard.

Names are taken as printed or as in the spec, upper and lower case alike, `_` as a space; players
also as `Player 2`.  A move is `{OPTION: {parameter: value}}`; `{choose: value}` answers a question,
`{chance: value}` says what chance does, `pass` declines, and `OPTION` alone has no parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace

from ...model.machine.machine import Domain, Edge, Machine, Node, Param
from ...model.machine.state import Arg, Move, State
from ...model.plays.moves import choice_of, labels, node_of
from ...model.plays.wording import is_choice
from ..bench.workbench import Instance


class SceneError(ValueError):
    """A scene that the game cannot hold; `clauses` say so, if any does.

    `given` is the value that cannot be, `known` are the names that could stand there; `path` leads
    to it, by the keys of the example's fields and the numbers of their items.
    """

    def __init__(
        self, message: str, clauses: tuple[str, ...] = (), *, given: object = None,
        known: Iterable[str] = (),
    ) -> None:
        super().__init__(message)
        self.clauses, self.given, self.known = clauses, given, tuple(known)
        self.path: tuple[str | int, ...] = ()


@contextmanager
def under(key: str | int) -> Iterator[None]:
    """Let what is wrong within be told with the key or the number under which it stands."""
    try:
        yield
    except SceneError as error:
        error.path = (key, *error.path)
        raise


def plain(name: object) -> str:
    """Write a name in the one form that is compared."""
    return " ".join(str(name).casefold().replace("_", " ").split())


@dataclass(frozen=True, slots=True)
class MoveWords:
    """The names of a game: reads values as people write them."""

    instance: Instance

    @property
    def machine(self) -> Machine:
        """The machine."""
        return self.instance.compiled.machine

    def value(self, domain: Domain, given: object, where: str) -> int:
        """Read one value of a domain."""
        if isinstance(given, Mapping) and len(given) == 1:
            given = next(iter(given.values()))
        if given is None or plain(given) == "none":
            return -1
        kind, _, family = domain.kind.partition(":")
        if domain.kind == "bool":
            words = {"yes": 1, "true": 1, "no": 0, "false": 0, "1": 1, "0": 0}
            if plain(given) in words:
                return words[plain(given)]
        elif isinstance(given, int) and kind != "player":
            if domain.low <= given <= domain.high or kind == "int":
                return int(given)
        else:
            for index, names in enumerate(self._names(domain, kind, family)):
                if plain(given) in names:
                    return domain.low + index
        raise SceneError(f"`{where}` cannot be `{given}`", given=given, known=self._known(domain))

    def _known(self, domain: Domain) -> Iterable[str]:
        """List what a value of a domain may be called in a spec."""
        kind, _, family = domain.kind.partition(":")
        if kind == "card":
            return [card.id for card in self.instance.game.families[family].cards]
        if kind == "player":
            return self.machine.player_names
        if kind == "int":
            return [f"{domain.low} to {domain.high}"]
        return ["yes", "no"] if kind == "bool" else domain.names

    def _names(self, domain: Domain, kind: str, family: str) -> Iterator[set[str]]:
        if kind == "card":
            for card in self.instance.game.families[family].cards:
                yield {plain(card.id), plain(card.name), plain(f"{family}.{card.id}")}
        elif kind == "player":
            for seat, name in enumerate(self.machine.player_names, 1):
                yield {plain(name), f"player {seat}", str(seat)}
        else:
            yield from ({plain(name)} for name in domain.names)

    def bag(self, domain: Domain, given: object, where: str) -> tuple[int, ...]:
        """Read a bag: cards and how many of each, or a list of cards."""
        counts = [0] * (domain.high - domain.low + 1)
        if isinstance(given, Mapping) and set(given) == {"cards"}:
            given = given["cards"]
        rows: Sequence[tuple[object, object]]
        if isinstance(given, Mapping):
            rows = list(given.items())
        elif isinstance(given, Sequence) and not isinstance(given, str):
            rows = [(card, 1) for card in given]
        else:
            rows = [] if given is None or plain(given) in ("none", "nothing") else [(given, 1)]
        for place, (card, number) in enumerate(rows):
            with under(str(card) if isinstance(given, Mapping) else place):
                if isinstance(number, bool) or not isinstance(number, int) or number < 0:
                    raise SceneError(f"of `{card}` in `{where}` there must be a number of cards")
                counts[self.value(domain, str(card), where) - domain.low] += number
        return tuple(counts)


# ------------------------------------------------------------------------------------- moves


def told(instance: Instance, state: State, given: object) -> tuple[tuple[Edge, ...], list[Move]]:
    """Find the edges that a told move names here, and the moves that it may mean."""
    words = MoveWords(instance)
    node = node_of(instance.compiled.machine, state)
    name, value = parts_of(given)
    edges = tuple(edge for edge in node.edges if is_named(node, edge, name, value))
    moves: list[Move] = []
    for edge in edges:
        try:
            moves.append(Move(edge.id, arguments(words, state, edge, value)))
        except SceneError:
            continue
    return edges, moves


def declines(instance: Instance, given: object) -> bool:
    """Return whether a told move is to pass."""
    name, _ = parts_of(given)
    return name == "pass" or any(
        name == plain(window.done) for window in instance.game.windows.values())


def answers(given: object) -> bool:
    """Return whether a told move answers a question, or says what chance does or who is next."""
    return parts_of(given)[0] in ("choose", "cards", "answer", "chance", "next")


def parts_of(given: object) -> tuple[str, object]:
    """Split a told move into the plain name of what is done, and what is given for it."""
    if isinstance(given, Mapping):
        if "event" in given:
            return plain(given["event"]), given.get("choice", {})
        if len(given) != 1:
            raise SceneError("a move has one name, as in `{attack: {target: Player 2}}`")
        name, value = next(iter(given.items()))
        return plain(name), value
    return plain(given), {}


def is_named(node: Node, edge: Edge, name: str, value: object) -> bool:
    """Return whether an edge may be meant by a name."""
    label = plain(edge.label)
    if label == name:
        return True
    if name == "pass":
        return edge.passes
    if name == "chance":
        return node.kind == "chance"
    if name not in ("choose", "cards", "answer"):
        return False
    if label in ("yes", "no"):
        said = ("no", "yes")[value] if isinstance(value, bool) else plain(value)
        return said == label
    if edge.passes:
        return value is None or plain(value) in ("none", label)
    return is_choice(edge) and value is not None and plain(value) != "none"


def arguments(words: MoveWords, state: State | None, edge: Edge, value: object) -> tuple[Arg, ...]:
    """Read what is given for the parameters of an edge; without a state, as far as names go.

    Raises:
        SceneError: if it takes other parameters, or one of them cannot be that.

    """
    known = [plain(label) for label in labels(edge)]
    given = {plain(k): v for k, v in value.items()} if isinstance(value, Mapping) else {}
    keys = {plain(k): str(k) for k in value} if isinstance(value, Mapping) else {}
    if len(known) == 1 and set(given) != set(known) and (len(given) < 2 or _of_several(edge)):
        given, keys = {known[0]: value}, {}
    if not known:
        return ()
    if set(given) != set(known):
        error = SceneError(f"`{edge.label}` takes {', '.join(known)}")
        error.path = tuple(key for name, key in keys.items() if name not in known)[:1]
        raise error
    made: list[Arg] = []
    for label, param in zip(known, edge.params, strict=True):
        with ExitStack() as place:
            if label in keys:
                place.enter_context(under(keys[label]))
            if param.bag:
                made.append(words.bag(param.domain, given[label], label))
            elif not param.domain.kind.startswith("record:"):
                made.append(words.value(param.domain, given[label], label))
            elif state is None:
                _check_record(words, param, given[label])
            else:
                made.append(_record(words, state, edge, tuple(made), given[label]))
    return tuple(made)


def _of_several(edge: Edge) -> bool:
    """Return whether the one parameter of an edge is written with names: of cards, of fields."""
    return edge.params[0].bag or edge.params[0].domain.kind.startswith("record:")


def _record(
    words: MoveWords, state: State, edge: Edge, before: tuple[Arg, ...], given: object
) -> int:
    """Find the first record that has the fields which are given; a number counts from 1."""
    if isinstance(given, int):
        return given - 1
    param = edge.params[len(before)]
    cut = replace(edge, params=edge.params[: len(before) + 1])
    wanted = given.get("fields", given) if isinstance(given, Mapping) else {"card": given}
    for index in range(param.domain.high + 1):
        shown = choice_of(words.machine, cut, (*before, index), state=state)
        found = list(shown.values())[-1]
        fields = found.get("fields") if isinstance(found, dict) else None
        if isinstance(fields, dict) and _agrees(words, param, fields, wanted):
            return index
    raise SceneError(f"there is no such record `{given}`")


def _check_record(words: MoveWords, param: Param, given: object) -> None:
    """Look at what is given of a record: its pool has such fields, which can be that."""
    if isinstance(given, int):
        return
    pool = param.domain.kind.partition(":")[2]
    domains = {a.name: a.domain for a in words.machine.arrays}
    wanted = given.get("fields", given) if isinstance(given, Mapping) else {"card": given}
    for key, value in wanted.items():
        with under(str(key)) if isinstance(given, Mapping) else nullcontext():
            if f"{pool}.{key}" not in domains:
                raise SceneError(f"the records of `{pool}` have no `{key}`", given=key,
                                 known=words.instance.game.pools[pool].fields)
            words.value(domains[f"{pool}.{key}"], value, key)


def _agrees(
    words: MoveWords, param: Param, fields: Mapping[str, object], wanted: Mapping[str, object]
) -> bool:
    pool = param.domain.kind.partition(":")[2]
    domains = {a.name: a.domain for a in words.machine.arrays}
    for key, value in wanted.items():
        domain = domains.get(f"{pool}.{key}")
        if domain is None or key not in fields:
            return False
        try:
            same = words.value(domain, value, key) == words.value(domain, fields[key], key)
        except SceneError:
            return False
        if not same:
            return False
    return True
