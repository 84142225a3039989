"""From what a search found to evidence that can be printed and replayed.

INVARIANT (replayed): every play in a finding was run by the reference interpreter, from the setup,
move by move, before the finding was made; one that does not run raises `NotReplayed`, which is an
internal error of ours and never a finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from msgspec.structs import replace

from ...model.game.game import Game
from ...model.machine.core import Expr
from ...model.machine.machine import Machine, Obligation
from ...model.machine.state import Move, State
from ...model.plays.assumed import assumed_in
from ...model.plays.board import values_by_name
from ...model.plays.moves import actor, describe_move, move_json, node_of
from ...model.plays.plays import record, replay
from ...model.plays.wording import many
from ...model.run.interp import EndlessRules, IllegalMove
from ..bench.stuck import Reason
from ..bench.workbench import Instance, side_by_side
from ..comparison.turned import seats_alike
from ..comparison.twins import twins
from ..engine.pairs import Tally
from ..engine.program import Program
from ..packed.flags import FLAGS
from ..search.labels import Label, Labels, edge_labels
from ..search.playouts import (
    Plays,
    Sample,
    cut_off,
    difference,
    interval,
    meeting,
    sample,
    sure,
)
from .results import Class, Evidence, Identity, Method, Shown, Source
from .shares import NOBODY, STUCK, UNENDED, Frequency, Wins, many_cut


def identity_of(duty: Obligation) -> Identity:
    """Return which obligation one is, in every scope and in every wording."""
    place = "" if duty.place is None else str(duty.place)
    return Identity(cast("Class", duty.defect), duty.clause, duty.kind, place)


def limit_broken(clause: str) -> Identity:
    """Return what it is that a limit breaks."""
    return Identity("limit-broken", clause, "limit")


def identities(machine: Machine) -> tuple[tuple[int, Identity], ...]:
    """Return what each flag of a move tells of: a limit that breaks, or what cannot be done."""
    limits = (limit_broken(each.clause) for each in machine.limits)
    return tuple(enumerate((*limits, *map(identity_of, machine.obligations)), FLAGS))


def stuck_at(reason: Reason) -> Identity:
    """Return what to call a situation without a move: by the clauses to blame, and where it is."""
    if reason.cores:
        return Identity("contradiction", "+".join(reason.cores[0]), "no-move", reason.node)
    return Identity("deadlock", "".join(reason.clauses[:1]), "no-move", reason.node)


@dataclass(frozen=True, slots=True)
class Shows:
    """A play that shows something, where, and how it was found."""

    instance: Instance
    scope: str
    method: Method
    moves: tuple[Move, ...]
    mode: str = ""
    """In which mode the game is played, and by how many, in words; "" as chosen."""
    often: Frequency | None = None
    """How often plays in that mode show it."""


def witnessed(
    shows: Shows, *, kind: Literal["witness", "core"] = "witness", core: tuple[str, ...] = (),
    details: Mapping[str, Any] | None = None,
) -> Evidence:
    """Write down a play that shows something, with the situation that it leads to.

    Raises:
        NotReplayed: if the reference interpreter does not accept it.

    """
    return Evidence(
        kind, shows.method, shows.scope, mode=shows.mode,
        plays=(Shown("", play_of(shows.instance, shows.moves)),),
        position=position_of(shows.instance, state_after(shows.instance, shows.moves)),
        depth=len(shows.moves), replayed=True, core=core, details=details or {})


class NotReplayed(RuntimeError):  # noqa: N818  (an internal error, named by what happened)
    """A witness that the reference interpreter does not accept: a bug of ours."""


def moves_of(
    instance: Instance, labels: Iterable[Label], start: State | None = None
) -> tuple[Move, ...]:
    """Turn labels into the moves of one machine, from its setup or from a state.

    Raises:
        NotReplayed: if a label is not legal where it is due, or no move is ever asked for.

    """
    judge = instance.interpreter
    names = edge_labels(judge.machine)
    try:
        state = judge.start().state if start is None else start
    except EndlessRules as error:
        raise NotReplayed("the rules never come to a rest before the first move") from error
    made: list[Move] = []
    for kind, name, args in labels:
        found = [move for edge in judge.nodes[state.node].edges if names[edge.id] == (kind, name)
                 and (verdict := judge.judge(state, move := Move(edge.id, args))) is not None
                 and verdict.legal]
        try:
            # Of two moves that are called the same it is the last.
            state = judge.step(state, found[-1]).state
        except (IndexError, EndlessRules) as error:
            raise NotReplayed(f"the move `{name}` is not legal under this reading") from error
        made.append(found[-1])
    return tuple(made)


def play_of(
    instance: Instance, moves: Sequence[Move], *, loop_from: int | None = None
) -> dict[str, Any]:
    """Write a play down and replay it.

    Raises:
        NotReplayed: if the reference interpreter does not accept it, or a move of it meets a bound
            of the model, so that what follows is not by the rules.

    """
    try:
        document = record(instance.compiled, moves, loop_from=loop_from)
    except IllegalMove as error:
        raise NotReplayed(str(error)) from error
    result = replay(document, instance.compiled)
    if not result.ok:
        raise NotReplayed(f"a witness does not replay: {result}")
    bounds = instance.compiled.machine.bounds
    if any(each.step is not None and bounds.intersection(each.step.notes)
           for each in result.taken):
        raise NotReplayed("a witness meets a bound of the model")
    rests_on = assumed_in(instance.compiled, moves)
    if rests_on:
        document["assumes"] = list(rests_on)
    return document


def state_after(instance: Instance, moves: Sequence[Move], start: State | None = None) -> State:
    """Return the state that moves lead to; if the last one never rests, the state before it."""
    state = instance.interpreter.start().state if start is None else start
    for move in moves:
        try:
            state = instance.interpreter.step(state, move).state
        except EndlessRules:
            return state
    return state


def position_of(
    instance: Instance, state: State, then: Move | None = None
) -> dict[str, Any]:
    """Return a state by name, with the node at which it rests, who is to move, and what is asked.

    `then` is the move that is made there, which is told in words and as it is written in plays.
    """
    machine = instance.compiled.machine
    who, node = actor(machine, state), node_of(machine, state)
    return {
        "node": node.name,
        "to_move": None if who is None else machine.player_names[who],
        **({"asks": node.ask} if node.ask else {}),
        **({} if then is None else {"then": describe_move(machine, state, then),
                                    "move": move_json(machine, state, then)}),
        "state": values_by_name(machine, state),
    }


def sources_of(game: Game, clauses: Iterable[str]) -> tuple[Source, ...]:
    """Return where clauses stand in the rulebook; what a reading adds stands nowhere."""
    if game.rulebook is None:
        return ()
    added = game.added
    known = {clause.id: clause for clause in game.clauses if clause.id not in added}
    made: list[Source] = []
    for name in clauses:
        clause = known.get(name)
        if clause is not None and clause.lines is not None:
            made.append(Source(name, game.rulebook.file, clause.lines))
    return tuple(made)


def counted(seen: int, plays: int, *, beyond: int = 0, cut: int = 0) -> Frequency:
    """Return how often something came up that was seen in so many of some plays.

    Of the plays, `beyond` met a bound of the model; of those that show it, `cut` did.
    """
    games = plays - beyond
    return Frequency(games, seen - cut, share(seen - cut, games, beyond=beyond, cut=cut),
                     beyond=beyond)


def counted_in(drawn: Sample, bits: Iterable[int]) -> Frequency:
    """Return how often that flag of some came up that did in most of some plays."""
    bit = max(bits, key=lambda each: drawn.flags.get(each, 0), default=-1)
    return counted(drawn.flags.get(bit, 0), drawn.plays, beyond=drawn.beyond,
                   cut=drawn.cut.get(bit, 0))


def holding(
    program: Program, test: Expr, *, plays: Plays, seed: int
) -> tuple[tuple[int, ...], Frequency]:
    """Return the numbers of the random plays in which a condition ever holds, and their share."""
    numbers = tuple(meeting(program, test, plays=plays, seed=seed))
    beyond = sample(program, plays=plays, seed=seed).beyond if numbers else 0
    cut = sum(cut_off(program, plays=plays, seed=seed, number=number)
              for number in numbers) if beyond else 0
    return numbers, counted(len(numbers), plays.many, beyond=beyond, cut=cut)


def share(seen: int, games: int, *, beyond: int = 0, cut: int = 0) -> tuple[float, float]:
    """Return the interval of the share of games that show something, seen in so many of some.

    If many more plays, `beyond`, met a bound of the model, it is certain only that `cut` of them
    show it, and that no more than all of them do.
    """
    if not many_cut(beyond, games):
        return interval(seen, games)
    whole = games + beyond
    return (interval(seen + cut, whole)[0], interval(seen + beyond, whole)[1])


def often_of(
    two: tuple[Instance, Instance], readings: tuple[str, str], plays: Plays, *, seed: int
) -> Frequency:
    """Count in how many pairs of plays two readings differ, the first the adopted one; who wins.

    Pairs that meet a bound of the model do not count (`Frequency.beyond`).  Of seats nothing is
    told if none wins more or less often beyond luck, or if they are alike under both; they are
    kept, as what would not show of them is no less than luck.

    Raises:
        EndlessRules: if one of the two never comes to a rest.

    """
    first, second = side_by_side(*two)
    found = twins(first, second, plays=plays.many, longest=plays.longest, seed=seed)
    many = plays.many - found.beyond
    ending = many - found.unended.won - found.unended.gained
    players = two[0].compiled.machine.player_names

    def wins(who: str, tally: Tally, of: int = ending) -> Wins:
        other = tally.won + tally.gained - tally.lost
        return Wins(who, tally.won, other, interval(tally.won, of), interval(other, of),
                    gained=tally.gained, lost=tally.lost)

    asked = dict.fromkeys(found.asked)
    (often,) = corrected([Frequency(
        many, found.went, share(found.went, many, beyond=found.beyond),
        found.ended, share(found.ended, many, beyond=found.beyond),
        readings[1],
        (*map(wins, players, found.seats), wins(NOBODY, found.nobody),
         wins(UNENDED, found.given_up, many)),
        tuple(map(wins, ("", readings[1]), asked)), readings[0], ending, found.dealt,
        plays.longest, beyond=found.beyond,
        stuck=wins(STUCK, found.stuck, many) if any(found.stuck) else None)])
    if any(one.apart for one in often.wins[:-2]) and not (
            seats_alike(first, seed=seed) and seats_alike(second, seed=seed)):
        return often
    return replace(often, wins=often.wins[-2:], hidden=often.wins[:-2])


def corrected(some: Sequence[Frequency], seats: int = 0) -> list[Frequency]:
    """Return comparisons with intervals of differences that all hold at once.

    So many `seats` were compared in each, told or not.
    """
    errors = sure(sum(max(len(often.wins), seats + 2) + len(often.asked) + (often.stuck is not None)
                      for often in some))

    def widened(often: Frequency, rows: tuple[Wins, ...]) -> tuple[Wins, ...]:
        return tuple(replace(row, more=more(
            row, often.plays if row.seat in (UNENDED, STUCK) else often.ending or 0,
            often.beyond if often.cut else 0)) for row in rows)

    def more(row: Wins, games: int, beyond: int) -> tuple[float, float]:
        low, high = difference(row.gained, row.lost, games, errors)
        return (low, high) if not beyond else (
            round((low * games - beyond) / (games + beyond), 4),
            round((high * games + beyond) / (games + beyond), 4))

    return [replace(
        often, wins=widened(often, often.wins), asked=widened(often, often.asked),
        hidden=widened(often, often.hidden),
        stuck=None if often.stuck is None else widened(often, (often.stuck,))[0])
        for often in some]


def in_mode(game: Game, modes: Iterable[str], players: int | None = None) -> str:
    """Say in which modes, and by how many, a game is played; "" as it is chosen.

    A mode that binds games of some number is not chosen: the number says that it is not played.
    """
    titles = [f"“{game.variants[name].title}”" for name in modes
              if name not in game.settings.variants]
    said = [f"in the mode {' and '.join(titles)}"] * bool(titles)
    if not titles and any(name not in modes and not game.variants[name].binding
                          for name in game.settings.variants):
        said.append("without the chosen mode")
    if players is not None:
        said.append(f"with {many(players, 'player')}")
    return " ".join(said)


def cannot(instance: Instance, moves: Sequence[Move]) -> list[tuple[tuple[str, str], str]]:
    """Say what cannot be done, or is broken, on the last of some moves; each with its name."""
    judge = instance.interpreter
    step = judge.step(state_after(instance, moves[:-1]), moves[-1]) if moves else judge.start()
    says = {clause.id: clause.says for clause in instance.game.clauses}
    names = Labels.called(judge.machine)
    limits = len(judge.machine.limits)
    duties = {duty.id: names[limits + place]
              for place, duty in enumerate(judge.machine.obligations)}
    return [*((names[limit], f"this is broken: {says[names[limit][0]]}") for limit in step.broken),
            *((name, f"this cannot be done: {says.get(name[0], name[0])}")
              for name in dict.fromkeys(map(duties.__getitem__, step.notes)))]
