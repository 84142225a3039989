"""What the rules reckon on the way: the numbers that clauses of the last moves go by.

A term of the spec that is a number (`define`) is worked out where a clause that uses it acts.  It
is told of answers where they make it another number: sums that decide, and are gone when the next
player is asked.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from ...model.game.uses import names_in, trees_of
from ...model.recent import Recent
from ...model.rules.elaborate import Elaborator
from ...model.rules.numbers import PLAYER_OF, as_number
from ...model.run.evaluate import evaluate
from ...model.run.interp import EndlessRules, Interpreter
from ...model.source.errors import Reporter

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ...model.game.game import Game
    from ...model.machine.machine import Machine
    from ...model.machine.state import Move
    from ..bench.workbench import Instance

SUMS = 4
"""So many numbers are told of an answer."""


class Reckoner:
    """Runs one game, and notes the terms of the clauses that act; a `Listener` of its interpreter.

    Args:
        game: the game.
        machine: the same, compiled.

    """

    def __init__(self, game: Game, machine: Machine) -> None:
        self._plain, self.judge = Interpreter(machine), Interpreter(machine, self)
        elab = Elaborator(game, Reporter())
        numbers = {clause.define: found for clause in game.clauses if clause.define
                   for found in as_number(elab, clause)}
        self._terms = {clause.id: [
            (name, *numbers[name]) for name in numbers if name in names_in(trees_of(clause))]
            for clause in game.clauses if not clause.define}
        self.noted: dict[str, dict[str, int]] = {}

    def compared(self, site: int, difference: int, holds: bool) -> bool:  # noqa: ARG002, FBT001
        """Leave a comparison as it is."""
        return holds

    def bounded(self, site: int, beyond: int) -> bool:  # noqa: ARG002
        """Leave a bound as it is."""
        return True

    def stored(self, effect: object, changed: bool) -> None:  # noqa: FBT001
        """Take no note of what is written."""

    def acted(self, clause: str, values: Sequence[int]) -> None:
        """Note the terms of a clause that acts, as they are then."""
        machine = self._plain.machine
        for name, made, each in self._terms.get(clause, ()):
            title = machine.titles.of(name).removesuffix(" of")
            for seat, player in enumerate(machine.player_names if each else ("",)):
                told = f"{title} of {player}" if each else title
                self.noted.setdefault(clause, {})[told] = evaluate(
                    self._plain.shape, values, made.expr, {PLAYER_OF: seat})


def _made(instance: Instance) -> Reckoner:
    return Reckoner(instance.game, instance.compiled.machine)


_reckoner = Recent(_made, most=8)
"""Plays of one game are told one after the other."""


def reckoned(
    instance: Instance, moves: Sequence[Move], since: int
) -> Mapping[str, Mapping[str, int]]:
    """Return what clauses reckon that act on the moves that follow `since` others, by title."""
    reckoner = _reckoner(instance)
    state = instance.interpreter.start().state
    for move in moves[:since]:
        state = instance.interpreter.step(state, move).state
    reckoner.noted = {}
    with suppress(EndlessRules):
        for move in moves[since:]:
            state = reckoner.judge.take(state, move).state
    return reckoner.noted


def sums_apart(
    ways: Sequence[tuple[Instance, tuple[Move, ...]]], since: Sequence[int]
) -> list[str]:
    """Tell of each of several games what a clause reckons that in one of them reckons otherwise.

    Args:
        ways: games, and moves in them.
        since: of each, the number of moves after which it begins.

    """
    found = [reckoned(instance, moves, first)
             for (instance, moves), first in zip(ways, since, strict=True)]
    clauses = dict.fromkeys(name for each in found for name in each)
    names = dict.fromkeys(name for clause in clauses if any(
        each.get(clause) != found[0].get(clause) for each in found)
        for each in found for name in each.get(clause, ()))
    whole = [{name: number for one in each.values() for name, number in one.items()}
             for each in found]
    return [", ".join([f"{name} {each[name]}" for name in names if name in each][:SUMS])
            for each in whole]
