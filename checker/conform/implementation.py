"""Somebody else's implementation: what is asked of it, and what its answers mean.

The protocol is `spec/CONFORM.md`.  An implementation answers each request, or declines it (then the
thing is not checked), or refuses it with an error (then it differs from the rules).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from functools import partial

from ...model.game.game import Family
from ...model.machine.state import Move, State
from ...model.plays.board import JSON, view
from ...model.plays.documents import is_list, is_object, settings_json
from ...model.plays.moves import NoSuchMove, describe_option, move_from, node_of
from ...model.plays.plays import result_json, why_not
from ...model.source.errors import quote
from ..bench.workbench import Instance
from ..positions.cases import board, scripted, to_move, window
from ..positions.under_way import under_way
from .dialogue import Broke, Dialogue
from .results import Difference

PROTOCOL = "ruleproof/conform-1"
PATIENCE = 10.0
MOST_BREAKS = 20
"""A program that has broken so often is not started again."""
MOST_LINES = 12
"""So many lines of a difference are told on each side."""


class Declined(Exception):  # noqa: N818  (it is no error)
    """The implementation does not do this; the text says what it says of it."""


class Refused(Exception):  # noqa: N818  (it is no error of ours)
    """The implementation answers with an error."""


class Implementation:
    """An implementation, started when it is first needed, and again after it broke."""

    def __init__(self, command: Sequence[str], patience: float = PATIENCE) -> None:
        self.command = tuple(command)
        self.patience = patience
        self.breaks = 0
        self.not_compared: set[str] = set()
        """What it has never told, and what was not compared for that."""
        self._dialogue: Dialogue | None = None
        self._declines: set[str] = set()
        self._instance: Instance | None = None
        self.known: frozenset[Move] = frozenset()
        """The legal moves that it offered when it was last asked for moves."""
        self.offered = 0
        """How many it offered then."""
        self.slow = False
        """Whether it has ever given no answer in time."""

    @property
    def can_set(self) -> bool:
        """Return whether a situation can be set."""
        return "set" not in self._declines

    def close(self, *, at_once: bool = False) -> None:
        """End the program: let it end by itself, unless `at_once`."""
        if self._dialogue is not None:
            self._dialogue.close(at_once=at_once)
            self._dialogue = None

    # ----------------------------------------------------------------------------- requests

    def _ask(self, what: str, **more: JSON) -> dict[str, JSON]:
        name = f"{what} of a seat" if "seat" in more else what
        if name in self._declines:
            raise Declined(f"it does not do {quote(name)}")
        if self._dialogue is None:
            if self.breaks >= MOST_BREAKS:
                raise Declined(f"it broke {self.breaks} times")
            self._dialogue = Dialogue(self.command, self.patience)
        try:
            answer = self._dialogue.ask({"do": what, **more})
        except Broke as error:
            self.breaks += 1
            self.slow |= error.slow
            self._dialogue.close(at_once=True)
            self._dialogue = self._instance = None
            raise
        if "unsupported" in answer:
            if what != "game":
                self._declines.add(name)
            raise Declined(f"it does not do {quote(name)}: {answer['unsupported']}")
        if "error" in answer:
            raise Refused(str(answer["error"]))
        return answer

    def begin(self, instance: Instance) -> None:
        """Start a game from its setup."""
        game, self._instance = instance.game, None
        self._ask(
            "game", protocol=PROTOCOL, game=game.id, settings=settings_json(instance.compiled),
            seats=list(instance.compiled.machine.player_names),
            constants={name: each.value for name, each in game.constants.items()},
            cards={family.name: _cards(instance, family) for family in game.families.values()})
        self._instance = instance

    def reach(self, instance: Instance, state: State, path: Iterable[Mapping[str, JSON]]) -> None:
        """Bring a game to a state: set it, or if that is declined make the moves that lead there.

        Raises:
            Declined: if neither is possible.

        """
        machine = instance.compiled.machine
        if self._instance is not instance:
            self.begin(instance)
        with suppress(Declined):
            self._ask("set", node=node_of(machine, state).name, to_move=to_move(instance, state),
                      state=board(instance, state), window=window(instance, state),
                      under_way=under_way(machine, state))
            return
        self.begin(instance)
        for each in path:
            self._ask("move", move=dict(each))

    def move(self, instance: Instance, state: State, move: Move) -> None:
        """Make a move."""
        self._ask("move", move=scripted(instance, state, move))

    # -------------------------------------------------------------------------- comparisons

    def compare(self, instance: Instance, state: State, where: str, *,
                seats: Sequence[int] = (), moves: bool = True) -> tuple[Difference, ...]:
        """Compare what the implementation says of the state that it is in with that state.

        Raises:
            Declined: if it tells neither the state nor the legal moves.

        """
        found, silent = list[Difference](), list[str]()
        parts = [partial(self._whole, instance, state, where)]
        parts += [partial(self._moves, instance, state, where)] if moves else []
        for part in parts:
            try:
                found += part()
            except Declined as error:
                silent.append(str(error))
        if len(silent) == len(parts):
            raise Declined("; ".join(silent))
        self.not_compared |= set(silent)
        for seat in seats if not any(each.what == "state" for each in found) else ():
            found += self._seen(instance, state, seat, where)
        return tuple(found)

    def _whole(self, instance: Instance, state: State, where: str) -> list[Difference]:
        machine = instance.compiled.machine
        answer = self._ask("state")
        found = self._told(board(instance, state), answer.get("state"), "state", where)
        mover = to_move(instance, state)
        if "to_move" not in answer:
            self.not_compared.add("to_move")
        elif answer["to_move"] not in _names(instance, state, mover):
            found.append(Difference("to move", where, (mover,), (str(answer["to_move"]),)))
        result = result_json(machine, state)
        if "result" not in answer:
            self.not_compared.add("result")
        elif not _same_result(result, answer["result"]):
            found.append(Difference("result", where, _flat(result), _flat(answer["result"])))
        return found

    def _seen(self, instance: Instance, state: State, seat: int, where: str) -> list[Difference]:
        machine = instance.compiled.machine
        name = machine.player_names[seat]
        try:
            answer = self._ask("state", seat=name)
        except Declined:
            self.not_compared.add("what seats see")
            return []
        declared = {each.name for each in machine.declared}
        ours = {key: each for key, each in view(machine, state, seat).items() if key in declared}
        return self._told(ours, answer.get("state"), f"view of {name}", where)

    def _told(self, ours: Mapping[str, JSON], theirs: JSON, what: str,
              where: str) -> list[Difference]:
        if not is_object(theirs):
            raise Refused("`state` of its answer is no object")
        if not theirs and ours:
            raise Declined("it tells nothing of the state")
        # The result tells the winners too, and is listed itself if it is left out.
        self.not_compared |= ours.keys() - theirs.keys() - {"winners"}
        mine, other = list[str](), list[str]()
        for name, value in theirs.items():
            if name not in ours:
                other.append(f"{name}, which the game does not have")
            else:
                for path, a, b in parts_apart(ours[name], value, name):
                    mine.append(f"{path}: {a}")
                    other.append(f"{path}: {b}")
        return [Difference(what, where, tuple(mine[:MOST_LINES]), tuple(other[:MOST_LINES]))
                ] if other else []

    def _moves(self, instance: Instance, state: State, where: str) -> list[Difference]:
        machine, interp = instance.compiled.machine, instance.interpreter
        self.known, self.offered = frozenset(interp.moves(state)), 0
        answer = self._ask("moves").get("moves")
        if not is_list(answer):
            raise Refused("`moves` of its answer is no list")
        legal = dict.fromkeys(interp.moves(state))
        self.offered = len(answer)
        odds = dict(interp.chance(state))
        wrong, strange, offered = list[str](), list[str](), set[Move]()
        for given in answer:
            try:
                move = move_from(machine, state, given)
            except NoSuchMove as error:
                strange.append(f"{_brief(given)}: {error}")
                continue
            told = describe_option(machine, state, move)
            offered.add(move)
            if move not in legal:
                strange.append(f"{told}: {why_not(interp, state, move)[0]}")
            elif is_object(given) and "probability" in given and _fraction(
                    given["probability"]) != odds.get(move):
                strange.append(f"{told}: with probability {given['probability']}, "
                               f"not {odds.get(move, 'any')}")
        self.known = frozenset(offered & legal.keys())
        open_to_all = node_of(machine, state).kind == "open" and self.known
        if not open_to_all:  # where no rule says who is next, a program may have its own order
            wrong = [describe_option(machine, state, each) for each in legal if each not in offered]
        if not wrong and not strange:
            return []
        return [Difference("legal moves", where, tuple(wrong[:MOST_LINES]),
                           tuple(strange[:MOST_LINES]))]


def _fraction(given: JSON) -> Fraction | None:
    """Read a probability, as `1/3`, `2/6`, `0.25` or 1; None if it is none."""
    try:
        return None if isinstance(given, bool) else Fraction(str(given))
    except (ValueError, ZeroDivisionError):
        return None


def _cards(instance: Instance, family: Family) -> dict[str, JSON]:
    """Tell what is printed on each card of a family, and how many there are of it."""
    enums = instance.game.enums

    def shown(name: str, value: int) -> JSON:
        kind = family.attributes[name]
        if kind.kind == "bool":
            return bool(value)
        return enums[kind.name][value] if kind.kind == "enum" and value >= 0 else value

    return {card.name: {"copies": card.copies, **{
        name: shown(name, value) for name, value in card.attributes.items()}}
        for card in family.cards}


def parts_apart(ours: JSON, theirs: JSON, path: str) -> list[tuple[str, str, str]]:
    """List the parts in which two values differ; what is left out of an object counts as 0."""
    hidden = is_object(ours) and set(ours) == {"size"}
    if is_object(ours) and is_object(theirs) and (not hidden or set(theirs) <= {"size"}):
        return [each for key in dict.fromkeys((*ours, *theirs)) for each in parts_apart(
            ours.get(key, _absent(theirs.get(key))), theirs.get(key, _absent(ours.get(key))),
            f"{path}.{key}")]
    if is_list(ours) and is_list(theirs) and len(ours) == len(theirs):
        return [each for i, (a, b) in enumerate(zip(ours, theirs, strict=True))
                for each in parts_apart(a, b, f"{path}.{i}")]
    same = ours == theirs and isinstance(ours, bool) == isinstance(theirs, bool)
    return [] if same else [(path, _brief(ours), _brief(theirs))]


def _absent(other: JSON) -> JSON:
    return 0 if isinstance(other, int) and not isinstance(other, bool) else "nothing"


def _brief(value: object) -> str:
    if is_object(value):
        shown = {"event": value["event"], **_object(value.get("choice"))} if (
            "event" in value) else value
        return ", ".join(f"{key} {_brief(each)}" for key, each in shown.items()) or "empty"
    text = str(value) if value is not None else "none"
    return text if len(text) <= 80 else f"{text[:79]}…"


def _names(instance: Instance, state: State, mover: str) -> tuple[JSON, ...]:
    """Give the names by which whoever moves may be called; nobody does where nobody decides."""
    seats = instance.compiled.machine.player_names
    nobody = mover == "rules" or instance.interpreter.final(state)
    over: tuple[JSON, ...] = (None,) if nobody else ()
    return (mover, *over, *(f"player {i + 1}" for i, name in enumerate(seats) if name == mover))


def _same_result(ours: Mapping[str, JSON], theirs: JSON) -> bool:
    if not is_object(theirs) or theirs.get("over") != ours["over"]:
        return False
    winners = theirs.get("winners", [])
    return not ours["over"] or (
        is_list(winners) and sorted(map(str, winners)) == sorted(map(str, _list(ours["winners"]))))


def _object(value: JSON) -> dict[str, JSON]:
    return value if is_object(value) else {}


def _list(value: JSON) -> list[JSON]:
    return value if is_list(value) else []


def _flat(result: JSON) -> tuple[str, ...]:
    if not is_object(result):
        return (_brief(result),)
    won = " and ".join(map(str, _list(result.get("winners")))) or "nobody"
    return (f"over, won by {won}" if result.get("over") else "not over",)
