"""On which answers to other questions it rests what is shown of a question.

What a situation comes to is told of the game as it is played, where other questions are answered
as the spec has it.  From the situation on the same moves are made under each other answer to each
of these: where the two answers that part there come to the same then, it rests on that question.
Where the moves lead another way, or are not allowed, nothing is said; nor of a third answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from ...model.game.game import Game, OpenPoint
from ...model.game.uses import closure, mentions
from ...model.machine.state import Move, State
from ...model.plays.board import JSON, values_by_name
from ...model.recent import Recent
from ...model.run.interp import UNPLAYABLE
from ..audit.audit import Audit
from ..bench.workbench import Instance
from ..engine.program import Program
from ..engine.transfer import transfer
from ..findings.evidence import NotReplayed, moves_of
from ..findings.outcomes import parts_of
from ..findings.rejoin import moment
from ..findings.rows import Rest
from ..packed.flags import LEGAL
from ..search.labels import Label, Labels
from ..search.shorten import Follower
from .situation import states_of

_kept = Recent(Instance, most=32)
"""The games under one other answer, which are the same for all questions."""


def resting(
    audit: Audit, point: str, readings: Sequence[str],
    ways: Sequence[tuple[Instance, tuple[Move, ...]]], since: Sequence[int],
) -> tuple[Rest, ...]:
    """Return the other questions on whose answers it rests what a situation comes to.

    Args:
        audit: the audit.
        point: the question.
        readings: two answers to it, the adopted one first.
        ways: the game under each of them, and moves in it.
        since: of each, the number of moves after which the situation has come.

    """
    scene, found = _Scene(audit, point, readings, ways, since), list[Rest]()
    game = ways[0][0].game
    ruled, adopted = dict(game.settings.rulings), {one.point: one.reading for one in game.rulings}
    for other in game.open_points if len({*scene.told}) > 1 else ():
        if other.id == point or other.id in ruled or other.settled:
            continue
        played = adopted.get(other.id, other.readings[0].id)
        under = tuple(each.id for each in other.readings
                      if each.id != played and scene.same_under(other, each.id))
        if under:
            found.append(Rest(other.id, under))
    return tuple(found)


class _Scene:
    """Two games from a situation on; the parameters are those of `resting`."""

    def __init__(
        self, audit: Audit, point: str, readings: Sequence[str],
        ways: Sequence[tuple[Instance, tuple[Move, ...]]], since: Sequence[int],
    ) -> None:
        self._bench, self._point, self._readings = audit.bench, point, readings
        self._games, self._since = [game for game, _ in ways], since
        self._labels = [[*map(Labels(game.program.whole).of_move, moves)] for game, moves in ways]
        self._states = [states_of(game, moves)[begun:]
                        for (game, moves), begun in zip(ways, since, strict=True)]
        self._inside = {name for game, states in zip(self._games, self._states, strict=True)
                        for name in _underway(game, states[0])}
        self._cites = [[name for state, move in zip(states, moves[begun:], strict=False)
                        for name in game.interpreter.step(state, move).cites]
                       for (game, moves), states, begun in zip(
                           ways, self._states, since, strict=True)]
        self._asked = {name for reading in readings
                       for name in _named(audit.bench.changes(point, reading))}
        self._asked |= {name for each in self._games[0].game.open_points
                        if each.id == point for name in each.clauses}
        self._terms = _terms_of(self._games[1].game, {*self._cites[1]})
        self._made = [len(moves) for _, moves in ways]
        self.told = parts_of([(game, states[-1]) for (game, _), states in zip(
            ways, self._states, strict=True)], self._made, LEGAL)

    def same_under(self, other: OpenPoint, reading: str) -> bool:
        """Return whether both games come to the same under an answer to another question.

        False also if that is not known, as where a move is not allowed then.
        """
        changed = {*other.clauses, *_named(self._bench.changes(other.id, reading))}
        if any(name.startswith(f"{clause}.") for clause in changed for name in self._inside):
            return False  # in the middle of what is changed there is no such situation
        try:
            if not self._touched(other, reading):
                return False
            ends = list[tuple[Instance, State]]()
            for number, (game, states) in enumerate(zip(self._games, self._states, strict=True)):
                end = self._end(number, self._under(number, {other.id: reading}))
                if moment(*end) != moment(game, states[-1]):
                    return False
                ends.append(end)
        except (NotReplayed, *UNPLAYABLE):
            return False
        one, two = (_to_tell(*end) for end in ends)
        return one == two and len({*parts_of(ends, self._made, LEGAL)}) < 2

    def _under(self, number: int, rulings: Mapping[str, str]) -> Instance:
        """Return one of the games under other answers as well; the first one is kept for a while.

        Raises:
            SpecErrors, UsageError: if it makes no sense.

        """
        game = self._games[number]
        mine = {self._point: self._readings[number]} if number else {}
        made = self._bench.game(
            game.game.settings.scope, rulings={**mine, **rulings}, **self._how(game))
        return Instance(made) if number else _kept(made)

    def _end(self, number: int, made: Instance) -> tuple[Instance, State]:
        """Return where the moves of one of the games lead in one under other answers.

        Raises:
            NotReplayed: if the situation is none of that game, a move is not allowed, or what the
                question asks about does not come up on the way.
            SpecErrors, EndlessRules: if that game makes no sense.

        """
        game, states = self._games[number], self._states[number]
        try:
            state = made.program.unpack(transfer(game.program.whole, made.program)(
                game.program.pack(states[0])))
        except ValueError as error:
            raise NotReplayed("the game has no such situation under this answer") from error
        moves = moves_of(made, self._labels[number][self._since[number]:], state)
        cites = set[str]()
        for move in moves:
            step = made.interpreter.step(state, move)
            cites.update(step.cites)
            state = step.state
        if not self._asked & {*self._cites[number]} <= cites:
            raise NotReplayed("what the question asks about comes up only later then")
        return made, state

    def _touched(self, other: OpenPoint, reading: str) -> bool:
        """Return whether an answer may matter: to a game, or to clauses by which they go on.

        Nobody need compile for that, as the first game and that one are of one family.  Of the
        second game it is known by what its clauses go: also by terms that the answer changes.  That
        a clause acts there only under the answer is not seen.
        """
        changes = self._bench.changes(other.id, reading)
        named = {*other.clauses, *_named(changes)}
        if set().union(*self._cites) & named or self._terms & named:
            return True
        game = self._games[0]
        scope = game.game.settings.scope
        base, there = (self._bench.instance(scope, rulings=rulings, **self._how(game)).member
                       for rulings in ({}, {other.id: reading}))
        return base is None or there is None or not _alike(
            base.whole, there.whole, self._labels[0], self._since[0])

    def _how(self, game: Instance) -> dict[str, Any]:
        """Say in which modes, and by how many, a game is played; nothing if that is as chosen."""
        how, chosen = (
            {"variants": each.settings.variants, "players": each.players}
            for each in (game.game, self._bench.game(game.game.settings.scope)))
        return {} if how == chosen else how


def _named(changes: Mapping[str, Any]) -> Iterator[str]:
    """Yield the clauses that a reading names that it changes or leaves out."""
    yield from changes.get("drop") or ()
    yield from changes.get("changes") or ()


def _terms_of(game: Game, clauses: AbstractSet[str]) -> frozenset[str]:
    """Name the clauses that say what a term means by which some clauses go."""
    used = frozenset[str]().union(*(
        closure(game, mentions(clause)) for clause in game.clauses if clause.id in clauses))
    return frozenset(clause.id for clause in game.clauses if clause.define in used)


def _to_tell(game: Instance, state: State) -> dict[str, JSON]:
    """Return what may still tell a game: what is declared, also what only the encoding has.

    That is nothing where it is over.
    """
    machine = game.compiled.machine
    if game.interpreter.final(state):
        return {}
    values = values_by_name(machine, state)
    return {array.name: values[array.name] for array in machine.declared}


def _underway(game: Instance, state: State) -> Iterator[str]:
    """Yield what the engine keeps of clauses whose bodies are not at their end."""
    place = 0
    for array in game.compiled.machine.arrays:
        values = state.values[place:place + array.size]
        place += array.size
        if not array.declared and values != array.start:
            yield array.name


def _alike(one: Program, two: Program, play: Sequence[Label], since: int) -> bool:
    """Return whether two games offer and do the same from a place of a play of the first on."""
    first, second = Labels(one), Labels(two)
    packed: bytes | None = Follower(one)(tuple(play[:since]))
    try:
        other: bytes | None = packed and transfer(one, two)(packed)
    except ValueError:
        return False
    left = [*play[since:]]
    while packed is not None and other is not None and (
            first.place(packed) == second.place(other)
            and first.legal(packed).keys() == second.legal(other).keys()
            and packed[one.layout.head:] == other[two.layout.head:]):
        if not left:
            return True
        packed, other = first.find(packed, left[0]), second.find(other, left.pop(0))
    return False
