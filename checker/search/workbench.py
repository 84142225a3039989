"""One spec on the bench: its instances under all settings that the checks ask for, made once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from ...model.loading.load import read_sections, with_settings
from ...model.loading.settings import points_of
from ...model.lowering.compile import compile_game
from ...model.orders.responders import indifferent
from ...model.run.interp import Interpreter
from ...model.source.errors import Reporter
from ...model.source.tree import to_plain
from ..engine.program import Program

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...model.game.game import Game, Settings
    from ...model.lowering.compile import Compiled

Change = dict[str, Any]
"""A list of changes to clauses, as a reading gives it (LANGUAGE.md, "Open points and rulings")."""


@dataclass(frozen=True, slots=True)
class Instance:
    """A game compiled for one setting, with its three readers."""

    compiled: Compiled
    program: Program
    interpreter: Interpreter

    @property
    def game(self) -> Game:
        """The game."""
        return self.compiled.game


class Workbench:
    """Compiles instances of one spec and keeps them.

    Args:
        source: a bundled game's name, or the path of a folder.
        settings: what the user chose; checks vary the scope, the readings and the clauses.
        reduce: explore one order of the players where it is proved that any will do.

    Raises:
        UsageError: if there is no such game.
        SpecErrors: if it does not load.

    """

    def __init__(self, source: str, settings: Settings, *, reduce: bool = True) -> None:
        report = Reporter()
        self.sections = read_sections(source, report)
        report.raise_if_any()
        self.settings = settings
        self.reduce = reduce
        self._instances: dict[str, Instance] = {}

    def game(self, scope: str, *, rulings: Mapping[str, str] | None = None,
             changes: Sequence[Change] = (), players: int | None = None) -> Game:
        """Build a game without compiling it."""
        merged = {**dict(self.settings.rulings), **(rulings or {})}
        settings = replace(self.settings, scope=scope, rulings=tuple(sorted(merged.items())))
        if players is not None:
            settings = replace(settings, players=players)
        report = Reporter()
        game = with_settings(self.sections, settings, report, changes=changes)
        report.raise_if_any()
        assert game is not None
        return game

    def changes(self, point: str, reading: str) -> dict[str, Any]:
        """Give what a reading of an open point changes, as the spec says it; nothing if unknown."""
        points = points_of(self.sections.root)
        readings = points.declared.get(point) or points.derived(point)
        node = readings.get(reading)
        return cast("dict[str, Any]", to_plain(node)) if node is not None else {}

    def instance(self, scope: str, *, rulings: Mapping[str, str] | None = None,
                 changes: Sequence[Change] = (), pauses: frozenset[str] = frozenset()) -> Instance:
        """Compile a game for a scope under some readings and changes.

        Raises:
            SpecErrors: if the changed spec makes no sense.

        """
        key = repr((scope, sorted((rulings or {}).items()), changes, sorted(pauses)))
        if key not in self._instances:
            game = self.game(scope, rulings=rulings, changes=changes)
            compiled = compile_game(game, pauses=pauses)
            windows = indifferent(compiled) if self.reduce and not pauses else frozenset[str]()
            program = Program(compiled.machine, one_order=windows)
            self._instances[key] = Instance(compiled, program, Interpreter(compiled.machine))
        return self._instances[key]

    def forget(self) -> None:
        """Drop the instances that were made for single questions."""
        self._instances = {key: value for key, value in self._instances.items()
                           if key.endswith("[], (), [])")}
