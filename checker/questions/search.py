"""Looks for situations in which readings of open points part, and groups how they go on.

For each reading that is not adopted the shortest play to a difference is sought at the printed
size, and where it shows none, in the smaller scopes.  The position before the last move is written
as a test position, with what comes of it under every reading of every point: one position often
tells several readings apart.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from ...model.game.game import PRINTED
from ...model.lowering.compile import Compiled
from ...model.machine.state import Move
from ...model.plays.board import canonical_json
from ...model.plays.moves import move_from
from ...model.rules.meanings import Failed
from ...model.run.interp import UNPLAYABLE, UncoveredRules
from ...model.silences import together
from ...model.source.errors import SpecErrors, UsageError, first_line
from ...model.stop import Stop
from ..audit.parallel import guarded
from ..bench.workbench import Instance, Workbench
from ..editions.behaviour import first_difference
from ..findings.evidence import moves_of
from ..findings.outcomes import differences
from ..findings.results import Report
from ..orders.deciding import settled_by
from ..points.pictured import parted_where
from ..points.points import Point
from ..positions.cases import Cases, Scene, expectation, to_move
from ..positions.goals import Showing, Spot
from ..positions.probes import NOT_TO_BE_MADE, before_parting, follow
from ..search.labels import Label
from ..search.playouts import Plays
from .ground import disturbed, open_points
from .results import Unasked

IMPOSSIBLE = "impossible"
"""Marks the expectations of a way under which somebody else is to move, so that the move of the
question cannot be made."""
SEEN = ("changes", "legal_moves", "result", "to_move", IMPOSSIBLE)
"""What of a position's expectations makes two ways on different."""

Pair = tuple[str, str]
"""A point and a reading."""


@dataclass(slots=True)
class Scenario:
    """A position; `groups` are its ways on, the adopted one first, each with its readings."""

    doc: dict[str, Any]
    scope: str
    groups: list[tuple[dict[str, Any], list[Pair]]]

    @property
    def apart(self) -> set[Pair]:
        """Return the readings that it tells from the adopted ones."""
        return {pair for _, pairs in self.groups[1:] for pair in pairs}


@dataclass(slots=True)
class QuestionSearch:
    """The search for questions of one game."""

    bench: Workbench
    stop: Stop
    seed: int = 0
    say: Callable[[str], None] = lambda _: None
    candidates: list[Scenario] = field(default_factory=list[Scenario])
    settled: dict[str, str] = field(default_factory=dict[str, str])
    """What was answered otherwise than the spec rules: the ground on which all else is asked."""
    clashing: set[Pair] = field(default_factory=set[Pair])
    """Readings that cannot be played with what was answered: their points stay open."""
    compared: Mapping[str, str] = field(default_factory=dict[str, str])
    """Orders of which the same comes in small games, and in how many situations: where chance is
    next under both, the parts of a deal for instance, they are not told apart."""
    not_asked: list[Unasked] = field(default_factory=list[Unasked])

    def look(self, points: tuple[Point, ...]) -> None:
        """Look for positions that tell the readings of points apart.

        One that is found for a reading may show others, also those that were sought before.  What
        was sought for nothing is not sought again on the same ground.
        """
        known = {point.id: point for point in points}
        tried = {(each.point, reading) for each in self.not_asked for reading in each.readings}
        left, late = dict[Pair, str](), set[Pair]()
        for point in points:
            for reading, _ in point.readings:
                pair = (point.id, reading)
                if reading == point.adopted or pair in tried or any(
                        pair in each.apart for each in self.candidates):
                    continue
                self.say(f"{point.id} = {reading}")
                answer = guarded(self.stop, partial(self._position, pair, known))
                if isinstance(answer.value, Scenario):
                    self.candidates.append(answer.value)
                else:
                    known_why = self.compared.get(point.id) or answer.value
                    left[pair] = known_why or answer.why
                    if answer.cause == "late" and not known_why:
                        late.add(pair)
        shown = {pair for each in self.candidates for pair in each.apart}
        for point in points:
            some = {reading: left[point.id, reading] for reading, _ in point.readings
                    if (point.id, reading) in left and (point.id, reading) not in shown}
            if some:
                self.not_asked.append(Unasked(
                    point.id, tuple(some), "; ".join(dict.fromkeys(some.values())),
                    any((point.id, reading) in late for reading in some)))

    def settle(self, rulings: Mapping[str, str], known: Mapping[str, Point]) -> dict[str, str]:
        """Take answers as rulings, and put what is still to be asked on their ground.

        A position that they leave no way to goes, and for what it told apart another one is sought.
        So it is of orders of which it was known what comes, if that may be something else now, and
        of what was sought for nothing.

        Args:
            rulings: what was answered, where it is not what was ruled.
            known: all points, as they are ruled now.

        Returns:
            the ids of the positions that stay, and those that they have now.

        """
        open_ones = {name for each in self.candidates for name, _ in each.apart} | {*rulings}
        stale = self._disturbed(rulings, known) | {
            each.point for each in self.not_asked
            if each.point in known and each.point not in self.compared}
        self.compared = {name: why for name, why in self.compared.items() if name not in stale}
        self.settled |= rulings
        old, self.candidates = self.candidates, []
        stay = dict[str, str]()
        for each in old:
            again = guarded(self.stop, partial(self._again, each, known)).value
            if isinstance(again, Scenario) and again.apart:
                self.candidates.append(again)
                stay[each.doc["id"]] = again.doc["id"]
        self.not_asked = [each for each in self.not_asked
                          if each.point not in rulings and each.point not in stale]
        self.look(tuple(point for name, point in known.items() if name in open_ones | stale))
        return stay

    def _disturbed(self, rulings: Mapping[str, str], known: Mapping[str, Point]) -> frozenset[str]:
        """Name the orders of which what was compared may not hold under some more answers."""
        some = [point for name, point in known.items() if name in self.compared]
        return frozenset() if not some else disturbed(
            self.instance(self.bench.settings.scope, ("", "")).game, some,
            [self.bench.changes(*each) for each in rulings.items()])

    def arisen(self, known: Collection[str]) -> tuple[dict[str, Point], dict[str, Point]]:
        """Look at the points that there are under the answers, and that were not known.

        Returns:
            those that are open, and those of which an order is proved to come to the same.

        """
        compiled = self.instance(self.bench.settings.scope, ("", "")).compiled
        new = {name: point for name, point in open_points(compiled).items()
               if name not in known and not point.decided}
        gone = self.leave(compiled, new)
        asked = {name: point for name, point in new.items() if name not in gone}
        self.look(tuple(asked.values()))
        return asked, gone

    def leave(self, compiled: Compiled, points: Mapping[str, Point]) -> dict[str, Point]:
        """List as not asked those orders that are proved to come to the same, and return them."""
        gone = dict[str, Point]()
        for name, why in proved(compiled, points.values()).items():
            gone[name] = point = points[name]
            others = (reading for reading, _ in point.readings if reading != point.adopted)
            self.not_asked.append(Unasked(name, tuple(others), why))
        return gone

    def proved_no_more(self, points: Mapping[str, Point]) -> dict[str, Point]:
        """Look at the orders that what was answered leaves no proof of, and return these."""
        compiled = self.instance(self.bench.settings.scope, ("", "")).compiled
        still = proved(compiled, points.values())
        more = {name: each for name, each in points.items() if name not in still}
        self.not_asked = [each for each in self.not_asked if each.point not in more]
        self.look(tuple(more.values()))
        return more

    def _again(self, candidate: Scenario, known: Mapping[str, Point]) -> Scenario | None:
        """Write a position as it is under the answers; None if they leave no way to it."""
        with suppress(*UNPLAYABLE, UncoveredRules):
            one = self.instance(candidate.scope, ("", ""))
            there = outcome(one, candidate.doc)
            if there is not None and not there[2].get(IMPOSSIBLE):
                return self._written(candidate.scope, one, there[0], there[1], known)
        return None

    def instance(self, scope: str, pair: Pair) -> Instance:
        """Make a game under a reading; with ("", "") as it is ruled and answered.

        Raises:
            SpecErrors: if it makes no sense.

        """
        return self.bench.instance(
            scope, rulings={**self.settled, **({pair[0]: pair[1]} if pair[0] else {})}, alone=True)

    def _scopes(self) -> tuple[str, ...]:
        mine = self.bench.settings.scope
        if mine != PRINTED:
            return (mine,)
        scopes = self.bench.game(PRINTED).scopes
        return (PRINTED, *(name for name, scope in scopes.items() if scope.scaled))

    def _position(self, pair: Pair, known: Mapping[str, Point]) -> Scenario | str:
        """Find a position for a reading; say what was looked at if there is none."""
        said = ""
        for scope in self._scopes():
            try:
                two = self.instance(scope, ("", "")), self.instance(scope, pair)
                if (made := self._pictured(scope, two, pair, known)) is not None:
                    return made
                found = first_difference(*two, self.seed)
                if not isinstance(found, str):
                    made = self._parting(scope, two, found[0].play, pair, known)
                    if made is not None:
                        return made
                    found = "the position does not show it"
            except (*UNPLAYABLE, UncoveredRules) as error:
                found = first_line(error)
                if self.settled and isinstance(error, SpecErrors):
                    self.clashing.add(pair)
                    found = f"it does not go with what was answered: {found}"
            said = said or found
        return said

    def _pictured(self, scope: str, two: tuple[Instance, Instance], pair: Pair,
                  known: Mapping[str, Point]) -> Scenario | None:
        """Find a position of the kind that its point is about, if its author says of which.

        It is the one before the move that leads to where the two part: they may have parted before,
        by moves that only one of them allows, and that nobody makes.
        """
        with suppress(Failed, *UNPLAYABLE):
            found = parted_where(*two, pair[0], seed=self.seed, plays=Plays())
            if found is not None and found.best is not None and found.best.play:
                *path, move = moves_of(two[0], found.best.play)
                return self._told(self._written(scope, two[0], tuple(path), move, known), pair)
        return None

    def _parting(self, scope: str, two: tuple[Instance, Instance], play: tuple[Label, ...],
                 pair: Pair, known: Mapping[str, Point]) -> Scenario | None:
        """Write the position in which a play parts two games; None if it does not show it."""
        path, move = before_parting(*two, play)
        return None if move is None else self._told(
            self._written(scope, two[0], path, move, known), pair)

    @staticmethod
    def _told(made: Scenario | None, pair: Pair) -> Scenario | None:
        """Return a position if it tells a reading from the adopted one."""
        return made if made is not None and pair in made.apart else None

    def _written(self, scope: str, one: Instance, path: tuple[Move, ...], move: Move,
                 known: Mapping[str, Point]) -> Scenario | None:
        doc = self._document(scope, one, path, move)
        mine = outcome(one, doc)
        if mine is None:
            return None
        groups: list[tuple[dict[str, Any], list[Pair]]] = [(mine[2], [])]
        for point in known.values():
            for reading, _ in point.readings:
                pair = (point.id, reading)
                if reading == point.adopted or not self._loads(scope, pair):
                    continue
                there = outcome(self.instance(scope, pair), doc)
                if there is not None and not (
                        point.id in self.compared and _under_way(mine[2], there[2])) and not (
                        # At the same time it says nothing who is asked first.
                        there[2].get(IMPOSSIBLE) and point.aspect == together.ASPECT):
                    same = next((pairs for expect, pairs in groups
                                 if _seen(expect) == _seen(there[2])), None)
                    if same is None:
                        groups.append((there[2], [pair]))
                    elif same is not groups[0][1]:
                        same.append(pair)
        return Scenario(doc, scope, groups)

    def _document(self, scope: str, one: Instance, path: tuple[Move, ...], move: Move
                  ) -> dict[str, Any]:
        """Write a test position."""
        state = one.interpreter.start().state
        for each in path:
            state = one.interpreter.step(state, each).state
        showing = Showing(Spot(scope, state, len(path), path=path), move)
        return Cases(self.bench).write(one, showing, path, (), set())

    def _loads(self, scope: str, pair: Pair) -> bool:
        try:
            self.instance(scope, pair)
        except (SpecErrors, UsageError):
            return False
        return True

    def ruled(self, candidate: Scenario, rulings: Mapping[str, str]) -> dict[str, Any]:
        """Write the position as a test of an answer: as it is under these rulings."""
        one = self.bench.instance(
            candidate.scope, rulings={**self.settled, **rulings}, alone=True)
        found = outcome(one, candidate.doc)
        assert found is not None
        doc = self._document(candidate.scope, one, found[0], found[1])
        return {**doc, "status": "settled", "why": "what happens here was asked, and answered"}

    def texts(self, candidate: Scenario) -> list[str]:
        """Say in a line how each way on leaves the table, as far as they differ."""
        one = self.instance(candidate.scope, ("", ""))
        machine = one.compiled.machine
        declared = {a.name for a in machine.declared if not a.internal}
        boards = [{name: expect["changes"].get(name, {"to": value})["to"]
                   for name, value in candidate.doc["state"].items() if name in declared}
                  for expect, _ in candidate.groups]
        told = list[str]()
        for number, (expect, _) in enumerate(candidate.groups):
            others = [board for place, board in enumerate(boards) if place != number]
            parts = [NOT_THEN] if expect.get(IMPOSSIBLE) else list(dict.fromkeys(
                part for other in others for part in differences(machine, boards[number], other)
                if not part.startswith("winners")))[:4]
            result = expect["result"]
            if result["over"]:
                won = " and ".join(result["winners"]) or "nobody"
                parts.append(f"the game is over, won by {won}")
            else:
                word = "to move" if expect.get(IMPOSSIBLE) else "next"
                parts.append(f"{expect['to_move']} is {word}" if expect["to_move"] != "rules"
                             else "the next step is left open")
                parts += self._only_here(candidate, number)
            told.append("; ".join(parts))
        return told

    def _only_here(self, candidate: Scenario, number: int) -> list[str]:
        """Name the moves that only one way on leaves."""
        mine = [each["says"] for each in candidate.groups[number][0]["legal_moves"]]
        others = [{each["says"] for each in expect["legal_moves"]}
                  for place, (expect, _) in enumerate(candidate.groups) if place != number]
        extra = [says for says in mine if not any(says in other for other in others)]
        if candidate.groups[number][0]["to_move"] == "chance":
            return []
        some = ", or ".join((*extra[:2], "something else")[:len(extra)])
        return [f"then, and not otherwise, the next move can be: {some}"] if extra else []


NOT_THEN = "this cannot be done then"
ORDERS = ("clauses", "rules", "loop")
"""Kinds of points about what comes first.  Of a window it remains what those know who act later."""


def proved(compiled: Compiled, points: Iterable[Point]) -> dict[str, str]:
    """Say which orders are proved to come to the same, also as nobody learns by them, and why."""
    return {point.id: why for point in points
            if point.kind in ORDERS and (why := settled_by(compiled, point))}


def compared(report: Report | None, points: Iterable[Point]) -> dict[str, str]:
    """Say of which orders a report compared all that can come of them in small games, and how."""
    orders = {point.id: point for point in points if point.kind in ORDERS}
    return {one.open_point: one.why.removeprefix(f"{orders[one.open_point].asks}: ")
            for one in (report.harmless if report is not None else ())
            if one.method == "exhaustive" and one.open_point in orders}


def outcome(instance: Instance, doc: Mapping[str, Any]
            ) -> tuple[tuple[Move, ...], Move, dict[str, Any]] | None:
    """Make the moves of a position, by their names, in a game; None if they do not lead there.

    Returns:
        the moves to the position, its move, and what is so after that.  Where another player is to
        move there it cannot be made: then a move of that player, and what is so as it is.

    """
    there = follow(doc, instance)
    if there is None:
        return None
    path, state = there
    who = to_move(instance, state)
    if who != doc["to_move"] and {who, doc["to_move"]} <= {
            *instance.compiled.machine.player_names}:
        moves = instance.interpreter.moves(state)
        here = expectation(Scene(instance, (), [state], [], []))
        return (path, moves[0], {**here, IMPOSSIBLE: True}) if moves else None
    try:
        move = move_from(instance.compiled.machine, state, doc["move"])
        taken = instance.interpreter.step(state, move)
    except NOT_TO_BE_MADE:
        return None
    return path, move, expectation(Scene(instance, (), [state, taken.state], [move], [taken]))


def _under_way(one: Mapping[str, Any], two: Mapping[str, Any]) -> bool:
    """Return whether chance is next in two ways on, so that they may still come to the same."""
    return all(way["to_move"] == "chance" for way in (one, two))


def _seen(expect: Mapping[str, Any]) -> str:
    return canonical_json({name: expect.get(name) for name in SEEN})
