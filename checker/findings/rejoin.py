"""Where games that have parted rest at the same moment again.

What lies on the table of games that rest at different moments does not compare: what is over in the
one has only begun in the other.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from ...model.machine.state import State
from ...model.plays.circumstances import owner_of_pick
from ...model.plays.moves import actor, describe_move, node_of
from ...model.plays.wording import plain_name
from ...model.run.interp import EndlessRules
from ..bench.workbench import Instance

DEEP = 6
"""So many moves a game is gone on with."""
MANY, JUDGED = 60, 1_000
"""So many situations of one game are looked at, and none after so many moves were judged."""
FEW = 4
"""So many of them at one moment, those that come first."""


class Moment(NamedTuple):
    """At which step or window a game rests, what is asked there, and whom, or whose cards go."""

    name: str
    ask: str
    seat: int | None


@dataclass(frozen=True, slots=True)
class Onward:
    """A game gone on with: where it rests then, and what was chosen, or drawn, in words.

    `asks`: where the first player chose.
    """

    state: State
    acts: int = 0
    moves: int = 0
    told: tuple[str, ...] = ()
    asks: State | None = None

    @property
    def length(self) -> tuple[int, int]:
        """How many choices of players that are more than a pass, and how many moves."""
        return self.acts, self.moves


def moment(instance: Instance, state: State) -> Moment:
    """Return the step or window at which a state rests, which games share, and who is asked.

    Where chance picks among the cards of a player, it is that player.
    """
    machine, node = instance.compiled.machine, node_of(instance.compiled.machine, state)
    seat = whose_pick(instance, state) if node.kind == "chance" else actor(machine, state)
    return Moment(plain_name(node.name), node.ask, seat)


def whose_pick(instance: Instance, state: State) -> int | None:
    """Return the seat whose cards chance picks from in a state; None if they are nobody's."""
    interpreter, machine = instance.interpreter, instance.compiled.machine
    first = next(iter(interpreter.moves(state)), None)
    if first is None:
        return None
    try:
        return owner_of_pick(machine, state, first, interpreter.step(state, first).state)
    except EndlessRules:
        return None


def rejoined(
    ends: Sequence[tuple[Instance, State]], board: Callable[[Instance, State], object],
    made: Sequence[int],
) -> list[Onward] | None:
    """Go on with games by moves of their players until all rest at the same moment.

    Players do no more than that takes; of several ways there that is returned which shows most
    differences between the `board`s.  What a game that is ahead comes to by another round is not
    the same moment; `made` is how many moves were made in each.  Where only chance leads on to such
    a moment, and not all rest at that, it brings the first of what it can, if there is a difference
    then.  None if all are at one moment, one is over, or they meet at none soon, or only if players
    do something in several of them, or, with chance, more than once.
    """
    if len({moment(*end) for end in ends}) == 1 or any(
            instance.interpreter.final(state) for instance, state in ends):
        return None
    reached = [_reach(*end) for end in ends]
    met = _met(ends, reached, board)
    common = {each for each in met if not _comes_round(ends, reached, made, each)}
    if met and not common:
        return None
    drawn = not common and any(
        node_of(game.compiled.machine, state).kind != "chance" for game, state in ends)
    if drawn:
        reached = [_reach(*end, draws=True) for end in ends]
        common = {each for each in _met(ends, reached, board)
                  if not _comes_round(ends, reached, made, each)}
    if not common:
        return None
    soonest = min(common, key=lambda each: (
        sum(some[each][0].acts for some in reached), sum(some[each][0].moves for some in reached),
        each.name, each.ask, -1 if each.seat is None else each.seat))
    acts = [some[soonest][0].acts for some in reached]
    if sum(each > 0 for each in acts) > 1 or (drawn and sum(acts) > 1):
        return None
    some = [[(one, board(instance, one.state)) for one in known[soonest]]
            for (instance, _), known in zip(ends, reached, strict=True)]
    best = max(product(*some), key=lambda ways: _kinds([seen for _, seen in ways]))
    return None if drawn and _kinds([seen for _, seen in best]) < 2 else [one for one, _ in best]


def _met(
    ends: Sequence[tuple[Instance, State]], reached: Sequence[dict[Moment, list[Onward]]],
    board: Callable[[Instance, State], object],
) -> set[Moment]:
    """Return the moments that all games come to.

    Where somebody has chosen before a moment of chance, and the `board`s are not the same, that is
    another draw, or another roll.
    """
    def same(each: Moment) -> bool:
        ways = [(game, some[each][0]) for (game, _), some in zip(ends, reached, strict=True)]
        return (not any(one.told for _, one in ways)
                or not any(node_of(game.compiled.machine, one.state).kind == "chance"
                           for game, one in ways)
                or _kinds([board(game, one.state) for game, one in ways]) == 1)

    return set(filter(same, set[Moment].intersection(*map(set, reached))))


def _comes_round(
    ends: Sequence[tuple[Instance, State]], reached: Sequence[dict[Moment, list[Onward]]],
    made: Sequence[int], there: Moment,
) -> bool:
    """Return whether a game that is ahead of another one comes to a moment by another round.

    It is ahead if more moves were `made` in it, and the other one, by passes and chance, comes to
    where it rests; that one comes to the moment before that.
    """
    for one, some, fewer in zip(ends, reached, made, strict=True):
        here = _idle(some[there])
        for other, theirs, more in zip(ends, reached, made, strict=True):
            if here is not None and fewer < more and theirs[there][0].moves:
                onward = _idle(_reach(*one, draws=True).get(moment(*other), ()))
                if onward is not None and here < onward:
                    return True
    return False


def _idle(ways: Sequence[Onward]) -> int | None:
    """Return how many moves lead on with nothing done; None if none do."""
    return min((way.moves for way in ways if not way.acts), default=None)


def _kinds(seen: Sequence[object]) -> int:
    return sum(all(each != other for other in seen[:place]) for place, each in enumerate(seen))


def _reach(
    instance: Instance, state: State, *, draws: bool = False
) -> dict[Moment, list[Onward]]:
    """Return the moments that a game comes to soon from a state, and the short ways there.

    With `draws`, also by moves of chance, of which the first is taken.
    """
    interpreter, machine = instance.interpreter, instance.compiled.machine
    passes = instance.program.passes
    found: defaultdict[Moment, list[Onward]] = defaultdict(list)
    queue, seen, judged = deque([Onward(state)]), {state}, 0
    while queue:
        here = queue.popleft()
        known = found[moment(instance, here.state)]
        if len(known) < FEW and here.length <= (known or [here])[0].length:
            known.append(here)
        drawn = node_of(machine, here.state).kind == "chance"
        if here.moves == DEEP or judged > JUDGED or interpreter.final(here.state) or (
                drawn and not draws):
            continue
        moves = interpreter.moves(here.state)
        judged += 1 if drawn else len(moves)
        picked = len(moves) > 1 and actor(machine, here.state) is not None
        for move in moves[:1] if drawn else moves:
            if len(seen) == MANY:
                break
            try:
                after = interpreter.step(here.state, move).state
            except EndlessRules:
                continue
            if after not in seen:
                seen.add(after)
                acts = picked and move.edge not in passes
                told = (describe_move(machine, here.state, move),) * (
                    picked or (drawn and len(moves) > 1))
                asks = here.state if picked and here.asks is None else here.asks
                way = Onward(after, here.acts + acts, here.moves + 1, (*here.told, *told), asks)
                (queue.append if acts else queue.appendleft)(way)
    return found
