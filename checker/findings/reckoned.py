"""What the rules reckon on the way: the numbers that clauses of the last moves go by.

A term of the spec that is a number (`define`) is worked out where a clause begins to act that asks
for it at once: under which condition it acts, or with what it begins.  It is told of answers under
which a clause goes by other numbers, or does not act at all: sums that decide, and are gone when
the next player is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from ...model.game import syntax as sx
from ...model.game.game import Clause, Game
from ...model.game.uses import names_in
from ...model.machine.machine import Machine
from ...model.machine.state import Move
from ...model.recent import Recent
from ...model.rules.elaborate import Elaborator
from ...model.rules.numbers import PLAYER_OF, as_number
from ...model.run.evaluate import evaluate
from ...model.run.interp import EndlessRules, Interpreter
from ...model.run.watched import RunListener
from ...model.source.errors import Reporter
from ..bench.workbench import Instance

SUMS = 4
"""So many numbers are told of an answer."""

Reckoned = dict[str, dict[str, int]]
"""By clause, the numbers by which it goes where it first begins to act, by title."""


class Reckoner(RunListener):
    """Runs one game, and notes what clauses go by."""

    def __init__(self, game: Game, machine: Machine) -> None:
        self._plain, self.judge = Interpreter(machine), Interpreter(machine, self)
        elab = Elaborator(game, Reporter())
        numbers = {clause.define: found for clause in game.clauses if clause.define
                   for found in as_number(elab, clause)}
        self._terms = {clause.id: [(name, *numbers[name]) for name in numbers if name in asked]
                       for clause in game.clauses if (asked := names_in(_asked_first(clause)))}
        self.noted: Reckoned = {}

    def acted(self, clause: str, values: Sequence[int]) -> None:
        """Note the terms of a clause that begins to act, as they are then, if they can be told."""
        if clause in self.noted:
            return
        machine, shape = self._plain.machine, self._plain.shape
        for name, made, each in self._terms.get(clause, ()):
            title = machine.titles.of(name).removesuffix(" of")
            for seat, player in enumerate(machine.player_names if each else ("",)):
                of = {PLAYER_OF: seat}
                if all(evaluate(shape, values, owed.test, of) for owed in made.checks):
                    self.noted.setdefault(clause, {})[f"{title} of {player}" if each else title] = (
                        evaluate(shape, values, made.expr, of))


def _asked_first(clause: Clause) -> Iterator[sx.Expr | sx.Stmt]:
    """Yield what a clause asks before it has changed anything."""
    if clause.when is not None:
        yield clause.when
    yield from _begun(() if clause.do is None else clause.do.statements)


def _begun(statements: Sequence[sx.Stmt]) -> Iterator[sx.Expr | sx.Stmt]:
    match statements[:1]:
        case [sx.IfThen(test=test, then=then, other=other)]:
            yield test
            yield from _begun(then)
            yield from _begun(other)
        case [sx.ForEach(domain=first) | sx.While(test=first)]:
            yield first
        case some:
            yield from some


def _made(instance: Instance) -> Reckoner:
    return Reckoner(instance.game, instance.compiled.machine)


_reckoner = Recent(_made, most=8)
"""Plays of one game are told one after the other."""


def reckoned(
    instance: Instance, moves: Sequence[Move], since: int
) -> Mapping[str, Mapping[str, int]]:
    """Return by which numbers clauses go that begin to act on the moves after `since` others."""
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
    """Tell of each of several games by what its clauses go that go by something else in another.

    Args:
        ways: games, and moves in them.
        since: of each, the number of moves after which it begins; one with no further moves has
            nothing to tell, and tells nothing of the others.

    """
    found = [reckoned(instance, moves, first) if first < len(moves) else None
             for (instance, moves), first in zip(ways, since, strict=True)]
    told = [each for each in found if each is not None]
    unlike = [clause for clause in dict.fromkeys(name for each in told for name in each)
              if any(each.get(clause) != told[0].get(clause) for each in told)]
    made: list[str] = []
    for each in found:
        numbers: dict[str, int] = {}
        for clause in unlike:
            for name, number in ({} if each is None else each.get(clause, {})).items():
                numbers.setdefault(name, number)
        made.append(", ".join([f"{name} {number}" for name, number in numbers.items()][:SUMS]))
    return made
