"""What decides in a situation: the values of the spec's terms, and what a tally has more of."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ...model.game.game import Game
from ...model.game.uses import mentions, names_in, trees_of
from ...model.lowering.compile import Compiled
from ...model.machine.state import State
from ...model.plays.board import JSON, from_values
from ...model.plays.documents import is_object
from ...model.plays.moves import NoSuchMove, move_from
from ...model.rules.elaborate import Elaborator
from ...model.rules.meanings import Scalar
from ...model.rules.numbers import PLAYER_OF, as_number
from ...model.run.interp import EndlessRules, IllegalMove, Interpreter
from ...model.source.errors import Reporter


@dataclass(frozen=True, slots=True)
class TermValue:
    """A term and its numbers: one for each player, or one alone."""

    name: str
    each: bool
    numbers: tuple[int, ...]


def term_values(
    position: Mapping[str, JSON], compiled: Compiled, clauses: Iterable[str],
    ends: Iterable[str] = (),
) -> tuple[TermValue, ...]:
    """Return the numbers of the terms that some clauses use, in a situation of their game.

    So are those of the terms that use what the clauses define.  Terms with other parameters than a
    player have no numbers of their own; a situation of another size of the game has none at all.
    Left out are numbers that hold only before the choice: those that are as at the start, and those
    that the move made there changes, unless the game is over then.  Of what the clauses of the
    `ends` of the game use, as points, only a single number that is as at the start is.
    """
    game, machine, values = compiled.game, compiled.machine, position.get("state")
    terms = {clause.define: clause for clause in game.clauses if clause.define}
    known = {clause.id: clause for clause in game.clauses}
    last = {name for each in ends if each in known for name in names_in(trees_of(known[each]))}
    about = [known[each] for each in (*clauses, *ends) if each in known]
    own = {clause.define for clause in about if clause.define}
    used = [name for name, term in terms.items()
            if any(name in names_in(trees_of(clause)) for clause in about)
            or own & names_in(trees_of(term))]
    try:
        state = from_values(machine, str(position.get("node")), values)  # type: ignore[arg-type]
    except (ValueError, AttributeError, TypeError):
        return ()
    elab, judge = Elaborator(game, Reporter()), Interpreter(machine)
    start = State(machine.nodes[0].id, machine.start_values)
    later = _later(judge, state, position.get("move"))
    over = later is not None and judge.final(later)

    def numbers(made: Scalar, state: State, *, each: bool) -> tuple[int, ...]:
        return tuple(judge.evaluate(state, made.expr, {PLAYER_OF: seat})
                     for seat in range(len(machine.player_names) if each else 1))

    found: list[TermValue] = []
    for name in used:
        for made, each in as_number(elab, terms[name]):
            now = numbers(made, state, each=each)
            moved = now != numbers(made, start, each=each)
            if (name in last and (each or moved)) or (moved and (
                    later is None or over or now == numbers(made, later, each=each))):
                found.append(TermValue(name, each, now))
    return tuple(found)


def _later(judge: Interpreter, state: State, move: JSON) -> State | None:
    """Return the situation after a move; None if none is made that can be made there."""
    if not is_object(move):
        return None
    try:
        return judge.step(state, move_from(judge.machine, state, move)).state
    except (NoSuchMove, IllegalMove, EndlessRules):
        return None


def tallied(game: Game, ledger: str, names: Collection[str]) -> list[str]:
    """Name those of some zones in the middle that a tally is of: a term counts both."""
    zones = [game.zones[name] for name in names if name in game.zones]
    both = [used for clause in game.clauses if clause.define
            and ledger in (used := mentions(clause))]
    return [zone.name for zone in zones if zone.kind == "bag" and not zone.per
            and zone.family == game.zones[ledger].family and any(zone.name in one for one in both)]


def gone_from(
    game: Game, zone: str, names: Collection[str], values: Mapping[str, JSON]
) -> list[str]:
    """Name the cards that a tally has, and the only zone that it can be of has none of."""
    there = values.get(zone)
    tallies = (values.get(name) for name in names if name in game.zones
               and game.zones[name].kind == "ledger" and tallied(game, name, names) == [zone])
    return [card for tally in tallies if is_object(tally) and is_object(there)
            for card, number in tally.items() if number and not there.get(card)]
