"""The games of one scope as one compiled machine: each is a configuration of its features.

Checks ask the same question of a hundred games that differ in a clause: it is left out, or read
otherwise.  They are united (`model.lowering.united`), compiled once, and each runs as an instance
of that code with a configuration of its own.  Comparisons run on it; what is shown to people, the
witnesses and the proofs, is of the game compiled alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.lowering.compile import compile_game
from ...model.lowering.united import United
from ...model.orders.responders import indifferent
from ...model.source.errors import SpecErrors
from ..engine.program import Program

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...model.game.game import Game


class Family:
    """A game, and others that it can be told from, in one machine.

    Args:
        base: the game as it is played.
        others: games with other clauses; those that differ in more are left out.
        reduce: ask the players in one order where it is proved that any will do in all games.

    """

    def __init__(self, base: Game, others: Iterable[Game], *, reduce: bool) -> None:
        self.united = United(base)
        for game in others:
            self.united.add(game)
        self.program = _program(self.united, reduce=reduce)
        if self.program is None:
            self.united = United(base)
            self.program = _program(self.united, reduce=reduce)

    def member(self, game: Game) -> Program | None:
        """Return the program of a game that is one of the family, or one of them without clauses.

        None if it is not, or if the family cannot be compiled.
        """
        if self.program is None:
            return None
        configuration = self.united.configuration(game)
        return None if configuration is None else self.program.under(configuration)


def _program(united: United, *, reduce: bool) -> Program | None:
    """Compile a united game; None where the games can only be compiled one by one."""
    try:
        compiled = compile_game(united.game())
    except SpecErrors:
        return None
    windows = indifferent(compiled) if reduce else frozenset[str]()
    program = Program(compiled.machine, one_order=windows)
    return None if program.engine is None else program
