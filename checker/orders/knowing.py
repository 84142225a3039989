"""Whether it matters who decides first, where nothing differs as long as each does the same.

Who is asked later knows what was chosen before, or what chance did, and may choose otherwise.  So
the games of the scopes are solved (`search.worth`): what each player can make sure of, with all
cards open and the others united, must not depend on who is asked first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations
from typing import NamedTuple, cast

from msgspec.structs import replace

from ...model.machine.machine import Machine, Node
from ...model.machine.state import Move
from ...model.planning.opening import WHO_IS_NEXT
from ...model.plays.wording import many
from ...model.run.interp import UNPLAYABLE
from ..audit.audit import Audit
from ..audit.scoped import Scoped, method_of
from ..bench.workbench import Instance, side_by_side
from ..clauses.exercise import ran
from ..comparison.settled import Settled, settled_pair
from ..engine.program import Program
from ..engine.transfer import transfer
from ..findings.evidence import NotReplayed, moves_of, play_of, state_after
from ..findings.observations import Observation
from ..findings.results import LEVELS, Evidence, Harmless, Shown
from ..findings.rows import Outcome
from ..packed.flags import WINNER
from ..points.answers import SAME, SETTLED, asked_at_once, later
from ..points.left_open import left_open
from ..points.points import Point, has_clauses
from ..points.readings import about, asked, two_of
from ..points.situation import come_to
from ..search.labels import Label
from ..search.worth import FOE, FRIEND, Solved, unlike
from .amid import Paused
from .cases import Case, Relying, Seen, Side, sure
from .games import paused, pauses_of, under
from .passages import without_pauses
from .unseen import SolvedWindow, relying, until_all_decided

Moves = tuple[Move, ...]
TwoWays = tuple[tuple[Move, int], tuple[Move, int]]

SEALED = ("what whoever is asked later could make use of, of what was chosen or came by chance "
          "before, lies closed to him, and what he does know of it was not compared")
SEEN_IN_PART = ("of what was chosen or came by chance before, whoever is asked later sees some, "
                "and some of what he could make use of lies closed to him; what he can make sure "
                "of by what he sees was not compared")
UNSETTLED = ("that one is asked before another one once makes no difference, but the order of "
             "asking does if it may be another one each time, and in which orders was not compared")
UNSHOWN = ("somebody can make sure of more in one order than in another one, if all cards lie "
           "open, but no play from the setup could be shown for that")
"""Why an order is left open."""
LINE = 12
"""Moves that are shown behind the situation, as each makes the best of it."""


class Known(NamedTuple):
    """What is known of a reading ("": of all), and in which scopes that was looked at."""

    reading: str
    why: str
    looked: tuple[str, ...] = ()


def compare_windows(
    audit: Audit, point: Point, why: str, looked: tuple[str, ...] = ()
) -> None:
    """Report a window in which to act first or second decides what somebody can make sure of.

    `why` is what is known of it: that nothing else differs; `looked` are the scopes that show it.
    """
    _compare(audit, point, Known("", why, looked), partial(_of_window, audit, point))


def compare_order(
    audit: Audit, point: Point, why: str, looked: tuple[str, ...] = ()
) -> None:
    """Report an order of clauses or of a loop that decides what somebody can make sure of."""
    _compare(audit, point, Known("", why, looked), partial(_of_order, audit, point))


def compare_asked(audit: Audit, point: Point) -> None:
    """Report a reading that asks others first, if somebody can make sure of more by that.

    Where several choose at once under it that is left open: who solves a game sees all.
    """
    for reading, _ in point.readings:
        note = later(point, reading)
        if note in audit.not_checked and not asked_at_once(audit, point, reading):
            audit.not_checked.remove(note)
            _compare(
                audit, point, Known(reading, SAME), partial(_of_reading, audit, point, reading))


def _compare(
    audit: Audit, point: Point, known: Known, look: Callable[[Scoped], Seen]
) -> None:
    """Look in the scopes that have the point, smallest first, until one shows a difference."""
    total = Seen()
    scopes = [scope for scope in audit.comparable()
              if scope.finished and has_clauses(scope.instance.game, point)]
    unshown = False
    for scope in scopes:
        seen = Seen(whole=False)
        try:
            seen = look(scope)
            if seen.worst is not None:
                _report(audit, point, scope, seen.worst)
                return
        except (*UNPLAYABLE, NotReplayed):
            unshown = unshown or seen.worst is not None
        total.take(seen)
    reading, why = known.reading, known.why
    left = (UNSHOWN if unshown else SEEN_IN_PART if total.in_part else SEALED if total.sealed else
            UNSETTLED if total.unsettled else "")
    if left:
        audit.not_checked.append(left_open(point, f"{why}; {left}", reading))
        return
    if not total.counting:
        audit.not_checked.append(left_open(
            point, f"{why}; that whoever is asked later knows of it, and may do something else, "
            "decides in no small game who can make sure of winning"
            + ", as far as was looked at" * (not total.whole), reading))
        return
    told = (f"{why}; and nobody can make sure of more by being asked later, if all cards lie open, "
            f"in {many(total.situations, 'situation')} of {audit.within(scopes)}, in "
            f"{total.counting:,} of which it counts what is chosen"
            + ", as far as was looked at" * (not total.whole))
    if any(array.declared and array.seen_by != "all"
           for array in audit.printed.compiled.machine.arrays):
        audit.not_checked.append(left_open(
            point, f"{told}; what is learned by it of cards that lie closed was not compared",
            reading))
    else:
        audit.harmless.append(Harmless(
            f"{point.id}={reading}" if reading else point.id, f"{point.asks}: {told}", "bounded",
            tuple(dict.fromkeys((*known.looked, *(scope.name for scope in scopes))))))


def _of_window(audit: Audit, point: Point, scope: Scoped) -> Seen:
    """Compare who of two is asked first, wherever both can act; and then all orders of asking."""
    instance = audit.bench.instance(scope.name, rulings={point.id: "unstated"})
    solved = Solved(instance.program.whole)
    seen = Seen(whole=solved.complete)
    if not solved.complete:
        return seen
    relies = SolvedWindow(audit, point, scope.name, solved).relies
    several = [number for number in _open(solved, *point.names) if len(solved.after[number]) > 1]
    for number in several:
        able = [way for way in solved.legal(number) if len(solved.after[way[1]]) > 1]
        for asked_first in combinations(able, 2):
            seen.add(_first_of(instance, (solved, solved), number, asked_first, relies))
    if seen.worst is None and _asking_matters(solved, several):
        seen.unsettled = True
        each = instance.game.windows[point.names[0]].each
        orders = {} if each == "rounds" else {
            seat: solved.asking(taken) for seat, taken in _from_each(solved, several).items()}
        for number in several if all(order.complete for order in orders.values()) else ():
            for asked_first in combinations(solved.legal(number) if orders else (), 2):
                one, two = (orders[cast("int", move.args[0])] for move, _ in asked_first)
                seen.offer(_first_of(instance, (one, two), number, asked_first, relies))
    return seen


def _first_of(
    instance: Instance, solved: tuple[Solved, Solved], number: int, first: TwoWays,
    relies: Callable[[Side], Relying],
) -> Case:
    """Return a situation of a window in which one player, or another one, is asked first."""
    players = tuple(cast("int", move.args[0]) for move, _ in first)
    one, two = (Side(instance, each, then, reading,
                     f"{instance.compiled.machine.player_names[player]} is first")
                for each, reading, player, (_, then) in zip(
                    solved, asks_first(players), players, first, strict=True))
    return Case((one, two), partial(_asked, solved[0], number, first), 1, relies)


def _asking_matters(solved: Solved, numbers: Sequence[int]) -> bool:
    """Return whether it may matter who is asked next in some situations, each time anew."""
    friend, foe = (solved.asked_by(numbers, who) for who in (FRIEND, FOE))
    return not (friend.complete and foe.complete) or any(
        unlike(friend.worth[number], foe.worth[number]) is not None for number in numbers)


def _from_each(solved: Solved, numbers: Sequence[int]) -> dict[int, dict[int, int]]:
    """Return which move is made where nobody says who is next, if all are asked from one seat on.

    By the seat; clockwise.
    """
    seats = range(len(solved.program.machine.player_names))
    askable = {number: [cast("int", move.args[0]) for move, _ in solved.legal(number)]
               for number in numbers}
    return {seat: {number: min(range(len(some)), key=lambda at: (some[at] - seat) % len(seats))
                   for number, some in askable.items()} for seat in seats}


def _of_order(audit: Audit, point: Point, scope: Scoped) -> Seen:
    """Compare the games under both orders, wherever several decide amid what has no order."""
    seen, titles = Seen(), dict(point.readings)
    if not any(ran(scope, clause) for clause in point.clauses):
        return seen
    around = pauses_of(scope.instance.game, point)
    for reading in (reading for reading in titles if reading != point.adopted):
        both = point.adopted, reading
        one, other = side_by_side(*(paused(audit, point, scope.name, each) for each in both))
        two = Paused(one), Paused(other)
        if not all(each.solved.complete for each in two):
            return Seen(whole=False)
        games = [under(audit, point, scope.name, each) for each in both]
        moved = transfer(one, other)
        for number in two[0].before(around):
            there = two[1].solved.numbers.get(moved(two[0].solved.run.order[number]))
            if there is None:
                seen.whole = False
                continue
            numbers = number, there
            amid = [each.amid(at) for each, at in zip(two, numbers, strict=True)]
            if any(each.several for each in amid):
                mine, theirs = (Side(game, each.solved, at, name, titles[name])
                                for game, each, at, name in zip(
                                    games, two, numbers, both, strict=True))
                seen.add(Case((mine, theirs), partial(_to_there, two, games, numbers), 0,
                              partial(_pausing, two)),
                         counts=any(each.counts for each in amid))
    return seen


def _pausing(two: Sequence[Paused], side: Side) -> Relying:
    """Name the seats of which a side rests on what is not seen till the pause behind it."""
    (mine,) = (each for each in two if each.solved is side.solved)
    return relying(side.solved, mine.till_after(side.number))


def _to_there(
    two: Sequence[Paused], games: Sequence[Instance], numbers: Sequence[int]
) -> tuple[Moves, Moves]:
    """Return the plays to a situation under both orders.

    Raises:
        NotReplayed: if one is not legal, as where the game does not rest between the pauses.

    """
    mine, theirs = (moves_of(game, without_pauses(each.to(number)))
                    for each, game, number in zip(two, games, numbers, strict=True))
    return mine, theirs


def asks_first(players: Sequence[int]) -> list[str]:
    """Name for each of some players that this one is asked first.

    These are no readings of a window: an order from the first seat on may have neither.
    """
    return [f"{each + 1}-first" for each in players]


def _asked(
    solved: Solved, number: int, first: TwoWays
) -> tuple[Moves, Moves]:
    """Return the plays to where one of two players, or the other one, is asked."""
    way = solved.run.path(number)
    return (*way, first[0][0]), (*way, first[1][0])


def _open(solved: Solved, window: str) -> Iterator[int]:
    """Yield the situations of a window in which nobody has said who is next."""
    program = solved.program
    nodes = {node.id for node in undecided(program.machine, window)}
    for number, packed in enumerate(solved.run.order):
        if program.layout.rests[program.rank(packed)] in nodes:
            yield number


def undecided(machine: Machine, window: str) -> list[Node]:
    """Return the nodes of a window at which nobody has said who is next."""
    return [node for node in machine.nodes if node.kind == "open" and node.step == window
            and WHO_IS_NEXT in node.name]


def _of_reading(audit: Audit, point: Point, reading: str, scope: Scoped) -> Seen:
    """Compare a game with one that asks others first, where they are about to."""
    two = two_of(audit, point, scope.name, reading)
    one, other = programs = [program.whole for program in side_by_side(*two)]
    pair = settled_pair(one, other)
    seen = Seen(whole=pair.everywhere(SETTLED).complete)
    if pair.crossings:
        solved = Solved(one), Solved(other)
        if not all(each.complete for each in solved):
            return Seen(whole=False)
        titles = dict(point.readings)
        for states, plays in pair.crossings.items():
            mine, theirs = (
                Side(instance, each, each.numbers[state], name, titles[name])
                for instance, each, state, name in zip(
                    two, solved, states, (point.adopted, reading), strict=True))
            seats = {who for side in (mine, theirs)
                     if (who := side.solved.who[side.number]) is not None}
            seen.add(Case((mine, theirs), partial(_in_full, two, programs, plays), 0,
                          partial(_deciding, frozenset(seats))))
    return seen


def _deciding(seats: frozenset[int], side: Side) -> Relying:
    """Name the seats of which a side rests on what is not seen till some have decided."""
    return relying(side.solved, until_all_decided(side.solved, side.number, seats))


def _in_full(
    two: tuple[Instance, Instance], programs: Sequence[Program],
    plays: tuple[tuple[Label, ...], tuple[Label, ...]],
) -> tuple[Moves, Moves]:
    """Return plays with the moves that are made by themselves.

    Raises:
        NotReplayed: if a move is not legal.

    """
    made = [Settled(program).in_full(play)
            for program, play in zip(programs, plays, strict=True)]
    if None in made:
        raise NotReplayed("a move is not legal under this reading")
    one, other = (moves_of(instance, full[0])
                  for instance, full in zip(two, made, strict=True) if full is not None)
    return one, other


def _report(audit: Audit, point: Point, scope: Scoped, case: Case) -> None:
    """Report a case: what somebody can make sure of in each order, and how it goes on then."""
    sides, ways = case.sides, case.ways()
    one, two = (side.solved.worth[side.number] for side in sides)
    seat = case.seat
    assert seat is not None
    plays = [(*way, *moves_of(
        side.instance, without_pauses(side.solved.line(side.number, seat, LINE)),
        state_after(side.instance, way)))
             for side, way in zip(sides, ways, strict=True)]
    first = sides[0].instance
    name = first.compiled.machine.player_names[seat]
    there = come_to(first, plays[0], len(ways[0]) - case.ahead)
    mine = about(point)
    if any(each.identity == mine for each in audit.observed):  # of another of its answers
        mine = replace(mine, reading=sides[1].reading)
    audit.observe(Observation(
        mine, point.clauses,
        Evidence("split", method_of([scope]), scope.name, position=there,
                 plays=tuple(Shown(side.reading, play_of(side.instance, play))
                             for side, play in zip(sides, plays, strict=True)),
                 depth=len(plays[0]), replayed=True),
        LEVELS[WINNER], question=asked(point), readings=tuple(
            Outcome(side.reading, side.title, f"{name} {sure(worth[seat], than[seat])}")
            for side, worth, than in zip(sides, (one, two), (two, one), strict=True))))
