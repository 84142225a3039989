"""The games of one scope as one compiled machine: each is a configuration of its features.

Checks ask the same question of a hundred games that differ in a clause: it is left out, or read
otherwise.  They are united (`model.lowering.united`), compiled once, and each runs as an instance
of that code with a configuration of its own.  Comparisons run on it; what is shown to people, the
witnesses and the proofs, is of the game compiled alone.
"""

from __future__ import annotations

from collections.abc import Iterable

from ...model.game.game import Game, Window
from ...model.lowering.compile import compile_game
from ...model.lowering.united import United
from ...model.machine.machine import Configuration
from ...model.orders.one_order import switched
from ...model.orders.responders import indifferent
from ...model.rules.context import own
from ...model.source.errors import SpecErrors
from ..engine.program import Program


class GameFamily:
    """A game, and others that it can be told from, in one machine.

    `others` are games with other clauses; those that differ in more are left out.  With `reduce`
    the players are asked in one order where it is proved that any will do in all games.  The
    machine rests at `pauses` beside its decisions (`compile_game`).
    """

    def __init__(
        self, base: Game, others: Iterable[Game], *, reduce: bool = False,
        pauses: frozenset[str] = frozenset(),
    ) -> None:
        self._reduce, self._pauses = reduce and not pauses, pauses
        self._members: dict[Configuration, Program] = {}
        self._any_order: list[Window] = []
        """The windows, or versions of them, in which it does not matter who is asked first."""
        self._known: dict[int, tuple[Game, Program | None]] = {}
        """What runs each game that was asked about, by its identity."""
        self.united, self.program, _ = self._together(base, list(others))

    def member(self, game: Game) -> Program | None:
        """Return the program of a game that is one of the family, or one of them without clauses.

        None if it is not, or if the family cannot be compiled.
        """
        if id(game) not in self._known:
            self._known[id(game)] = game, self._member(game)
        return self._known[id(game)][1]

    def _member(self, game: Game) -> Program | None:
        configuration = None if self.program is None else self.united.configuration(game)
        if self.program is None or configuration is None:
            return None
        if configuration not in self._members:
            self._members[configuration] = self.program.under(configuration).with_order(
                self._one_order(configuration))
        return self._members[configuration]

    def _together(
        self, base: Game, others: list[Game]
    ) -> tuple[United, Program | None, list[Game]]:
        """Unite games, as many as can be compiled together, and return these too."""
        united = United(base)
        for game in others:
            united.add(game)
        program = self._compiled(united)
        if program is not None or not others:
            return united, program, others
        middle = len(others) // 2
        first, second = (self._together(base, half)[2] if middle else []
                         for half in (others[:middle], others[middle:]))
        # Two halves that can be compiled, and not together, are too large: one of them is left.
        return self._together(base, first if first + second == others else first + second)

    def _compiled(self, united: United) -> Program | None:
        """Compile a united game; None where the games can only be compiled one by one."""
        try:
            compiled = compile_game(united.game(), pauses=self._pauses)
        except SpecErrors:
            return None
        self._any_order = [compiled.game.windows[name] for name in (
            sorted(indifferent(compiled)) if self._reduce else ())]
        machine, switches = switched(
            compiled.machine, {own(window.name) for window in self._any_order})
        program = Program(machine, one_order=self._one_order(machine.configuration),
                          switches=switches)
        return None if program.engine is None else program

    def _one_order(self, configuration: Configuration) -> frozenset[str]:
        """Name the windows that are on whose players are asked in one order."""
        return frozenset(own(window.name) for window in self._any_order
                         if window.feature < 0 or configuration[window.feature])
