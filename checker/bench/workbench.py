"""One spec on the bench: its instances under all settings that the checks ask for, made once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import Any, cast
from uuid import uuid4

from ...model.game.game import PRINTED, Game, Settings
from ...model.loading.load import parted, read_sections, under_silences, with_cards, with_settings
from ...model.loading.sections import Sections
from ...model.loading.settings import points_of
from ...model.lowering.compile import Compiled, compile_game
from ...model.orders.responders import indifferent
from ...model.run.interp import Interpreter
from ...model.silences.aspects import is_silence
from ...model.silences.questions import as_change_list, questions_of
from ...model.source.errors import Reporter, SpecErrors, UsageError
from ...model.source.tree import to_plain
from ..engine.program import Program
from ..search.explore import Exploration
from .family import GameFamily

Rulings = Mapping[str, str]
"""Readings by the points that they are of."""
Relation = tuple[tuple[Rulings, ...], frozenset[str]]
"""The readings of the games of a family, and where these rest beside their decisions."""
Left = tuple[Sequence[Rulings], frozenset[tuple[str, tuple[str, ...] | None, int | None]]]
"""The readings that are left to be told apart, and the games in which all are related."""
BARE: tuple[object, ...] = ((), "", frozenset(), None, None, False)
"""How an instance is known beside its scope that was made for no single question."""
Change = dict[str, Any]
"""A list of changes to clauses, as a reading gives it (LANGUAGE.md, "Open points and rulings")."""


class Instance:
    """A game for one setting, with its readers, each made when it is first asked for.

    Its machine rests at `pauses` beside its decisions (`compile_game`); with `reduce` players are
    asked in one order where any will do.  `family` gives the games that it may be compared with, if
    there are any.  `again` makes it where it is unpickled: what compiles it travels, and nothing
    compiled.
    """

    def __init__(
        self, game: Game, *, pauses: frozenset[str] = frozenset(), reduce: bool = False,
        family: Callable[[], GameFamily | None] = lambda: None,
        again: Callable[[], Instance] | None = None,
    ) -> None:
        self.game = game
        self._pauses, self._reduce = pauses, reduce and not pauses
        self.family = family
        self._again = again
        self._explored: dict[int | None, Exploration] = {}
        self._beside: tuple[Instance, GameFamily] | None = None

    def __reduce__(self) -> Any:  # noqa: ANN401  (as pickle wants it)
        if self._again is None:
            return partial(Instance, self.game, pauses=self._pauses, reduce=self._reduce), ()
        return self._again, ()

    @cached_property
    def compiled(self) -> Compiled:
        """The game compiled alone."""
        return compile_game(self.game, pauses=self._pauses)

    @cached_property
    def program(self) -> Program:
        """What runs the game compiled alone."""
        windows = indifferent(self.compiled) if self._reduce else frozenset[str]()
        return Program(self.compiled.machine, one_order=windows)

    @cached_property
    def interpreter(self) -> Interpreter:
        """What judges all else."""
        return Interpreter(self.compiled.machine)

    def explored(self, most: int | None) -> Exploration:
        """Return its states, until there are so many (None: all), and their coverage; made once."""
        if most not in self._explored:
            self._explored[most] = Exploration(self.program, cover=True)
            self._explored[most].run(max_states=most)
        return self._explored[most]

    @property
    def member(self) -> Program | None:
        """What runs the game as one of its family; None if it is in none."""
        family = self.family()
        return None if family is None else family.member(self.game)

    def beside(self, other: Instance) -> GameFamily | None:
        """Return a family of this game and another one; None if this is compiled alone already."""
        if self._beside is None or self._beside[0] is not other:
            if "program" in vars(self) or self._pauses != other._pauses:
                return None
            self._beside = other, GameFamily(
                self.game, [other.game], reduce=self._reduce, pauses=self._pauses)
        return self._beside[1]


def side_by_side(first: Instance, second: Instance) -> tuple[Program, Program]:
    """Return what two games run on when they are compared: the same code, if they are one family.

    Raises:
        SpecErrors: if one of them is compiled alone, and makes no sense.

    """
    for related in (second.family, first.family, partial(first.beside, second)):
        family = related()
        one, two = (None if family is None else family.member(each.game)
                    for each in (first, second))
        if one is not None and two is not None:
            return one, two
    return first.program, second.program


class Workbench:
    """Compiles instances of one spec and keeps them.

    The `source` is a bundled game's name, the path of a folder, or sections that were read already;
    `settings` are what the user chose: checks vary the scope, the readings and the clauses.  With
    `reduce` one order of the players is explored where it is proved that any will do.

    Raises:
        UsageError: if there is no such game.
        SpecErrors: if it does not load.

    """

    def __init__(self, source: str | Sections, settings: Settings, *, reduce: bool = True) -> None:
        report = Reporter()
        sections = read_sections(source, report) if isinstance(source, str) else source
        self.sections = with_cards(sections, settings.cards, report)
        report.raise_if_any()
        self.settings = settings
        self.reduce = reduce
        self._instances: dict[tuple[object, ...], Instance] = {}
        self._written: dict[str, Game] = {}
        declared = [{point: reading} for point, readings
                    in points_of(self.sections.root).declared.items() for reading in readings]
        self._relations: list[Relation] = [(tuple(declared), frozenset())]
        self._left: Left | None = None
        self._families: dict[tuple[object, ...], GameFamily] = {}
        self._name = uuid4().hex
        """Tells it from others where it is unpickled, again and again."""

    def __reduce__(self) -> Any:  # noqa: ANN401  (as pickle wants it)
        return _known, (self._name, self.sections, self.settings, self.reduce,
                        (self._relations, self._left))

    def game(self, scope: str, *, rulings: Rulings | None = None,
             changes: Sequence[Change] = (), players: int | None = None,
             variants: tuple[str, ...] | None = None) -> Game:
        """Build a game without compiling it.

        Raises:
            SpecErrors: if the changed spec makes no sense.
            UsageError: if there is no such scope or reading.

        """
        merged = {**dict(self.settings.rulings), **(rulings or {})}
        settings = replace(self.settings, scope=scope, rulings=tuple(sorted(merged.items())))
        if players is not None:
            settings = replace(settings, players=players)
        if variants is not None:
            settings = replace(settings, variants=variants)
        spoken, silent = parted(settings)
        key = repr((spoken, changes))
        if key not in self._written:
            report = Reporter()
            self._written[key] = with_settings(self.sections, spoken, report, changes=changes)
        return under_silences(self._written[key], settings, silent) if silent else (
            self._written[key])

    def changes(self, point: str, reading: str) -> dict[str, Any]:
        """Give what a reading of an open point changes, as the spec says it; nothing if unknown.

        Its draft, which is said of it and does nothing, is left out.
        """
        points = points_of(self.sections.root)
        if is_silence(point) and point not in points.declared:
            game = self.instance("printed").game
            asked = {question.id: question for question in questions_of(game)}
            return as_change_list(game, asked[point], reading) if point in asked else {}
        readings = points.declared.get(point) or points.derived(point)
        node = readings.get(reading)
        plain = cast("dict[str, Any]", to_plain(node)) if node is not None else {}
        return {name: value for name, value in plain.items() if name != "draft"}

    def instance(self, scope: str, *, rulings: Rulings | None = None,
                 changes: Sequence[Change] = (), pauses: frozenset[str] = frozenset(),
                 variants: tuple[str, ...] | None = None,
                 players: int | None = None, alone: bool = False) -> Instance:
        """Compile a game for a scope under some readings and changes, and in other modes if asked.

        One that is `alone` is compared with none, so that no family is compiled for it.

        Raises:
            SpecErrors: if the changed spec makes no sense.
            UsageError: if the modes do not go together.

        """
        key = (scope, tuple(sorted((rulings or {}).items())), repr(changes) if changes else "",
               pauses, variants, players, alone)
        if key not in self._instances:
            game = self.game(scope, rulings=rulings, changes=changes, variants=variants,
                             players=players)
            relation = None if alone else self._relation(rulings or {}, pauses)
            made = Instance(game, pauses=pauses, reduce=self.reduce,
                            family=partial(self._family, scope, relation, variants, players),
                            again=partial(self.instance, scope, rulings=rulings, changes=changes,
                                          pauses=pauses, variants=variants, players=players,
                                          alone=alone))
            if not (rulings or changes) or made.member is None:
                _ = made.compiled  # so that what makes no sense is told here
            self._instances[key] = made
        return self._instances[key]

    def relate(self, rulings: Iterable[Rulings], pauses: frozenset[str] = frozenset()) -> None:
        """Let games under some readings, and without clauses, be compared as one family.

        What is related already stays so.
        """
        new = tuple(each for each in rulings if self._relation(each, pauses) is None)
        if new:
            self._relations.append((new, pauses))

    def pausing(self, rulings: Rulings) -> frozenset[str]:
        """Return where the games of a family that has some readings rest beside decisions."""
        return next((rests for readings, rests in self._relations
                     if rests and rulings in readings), frozenset())

    def narrow(self, points: Collection[str]) -> None:
        """Relate the declared readings of some points only, if none are compiled yet."""
        if all(relation != 0 for _, relation, *_ in self._families):
            self._relations[:1] = [
                (tuple(each for each in readings if each.keys() <= {*points}), rests)
                for readings, rests in self._relations[:1]]

    def leave(self, rulings: Sequence[Rulings], scope: str) -> None:
        """Relate but games under some readings, as all others are told apart by now.

        All stay related in the printed game as it is chosen, and in one scope.
        """
        self._left = rulings, frozenset({(PRINTED, None, None), (scope, None, None)})

    def unite(self, scopes: Iterable[str], rulings: Rulings) -> None:
        """Compile the families of some scopes in which there are games under some readings."""
        for scope in sorted(scopes):
            self._family(scope, self._relation(rulings, frozenset()))

    def _relation(self, rulings: Rulings, pauses: frozenset[str]) -> int | None:
        """Return the number of the family in which a game is; None if it is in none."""
        return next((number for number, (readings, rests) in enumerate(self._relations)
                     if rests == pauses and ((not rulings and not pauses) or rulings in readings)),
                    None)

    def _family(self, scope: str, relation: int | None, variants: tuple[str, ...] | None = None,
                players: int | None = None) -> GameFamily | None:
        """Return the games of a scope, played in one way, that are related, compiled once."""
        if relation is None:
            return None
        readings, pauses = self._relations[relation]
        how = scope, variants, players
        if self._left is not None and not pauses and how not in self._left[1]:
            if scope == PRINTED:
                readings = tuple(each for each in readings if each in self._left[0])
            else:  # few are left of each relation
                relation, readings = -1, tuple(self._left[0])
        key = (scope, relation, variants, players)
        if key not in self._families:
            played = partial(self.game, scope, variants=variants, players=players)
            self._families[key] = GameFamily(
                played(), _under(played, readings), reduce=self.reduce, pauses=pauses)
        return self._families[key]

    def forget(self) -> None:
        """Drop the instances that were made for single questions."""
        self._instances = {key: value for key, value in self._instances.items() if key[1:] == BARE}


def _under(played: Callable[..., Game], readings: Sequence[Rulings]) -> Iterator[Game]:
    """Yield a game under each of some readings that make sense."""
    for rulings in readings:
        with suppress(SpecErrors, UsageError):
            yield played(rulings=rulings)


_SENT: dict[str, Workbench] = {}
"""The workbench that was unpickled last, by its name."""


def _known(
    name: str, sections: Sections, settings: Settings, reduce: bool,  # noqa: FBT001  (pickled)
    related: tuple[list[Relation], Left | None],
) -> Workbench:
    """Return the workbench of a name, with what it has compiled since it was unpickled first."""
    if name not in _SENT:
        _SENT.clear()
        _SENT[name] = Workbench(sections, settings, reduce=reduce)
    _SENT[name]._relations, _SENT[name]._left = related  # noqa: SLF001  (its own kind)
    return _SENT[name]
