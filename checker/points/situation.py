"""The situation of a finding: games under two answers, and where they look unlike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

from ...model.machine.state import Move, State
from ...model.plays.assumed import assumed_after, texts_behind
from ...model.plays.moves import actor, describe_move, edge_of, next_seat, node_of
from ...model.plays.passes import Opportunities, passed, repeated
from ...model.plays.wording import many
from ...model.views.deeds import assumed_values
from ..bench.workbench import Instance
from ..comparison.product import Split
from ..findings.evidence import position_of, state_after
from ..findings.outcomes import board_and_aside, board_seen
from ..findings.reckoned import sums_apart
from ..findings.rejoin import moment
from ..search.labels import Label, same_arrays

FEW_MOVES = 3
"""So many moves are told that lead from a situation to what an answer comes to."""


class Way(NamedTuple):
    """A game under a reading and moves in it; `lengths`: `Contrast.way`.

    `whole`: whether all moves that are looked at are legal in it.
    """

    game: Instance
    moves: tuple[Move, ...]
    lengths: Sequence[int]
    whole: bool = True

    def cut(self, place: int) -> Way:
        """Return it as far as to one of its lengths."""
        return self._replace(moves=self.moves[:self.lengths[place]])

    def onward(self, place: int) -> str:
        """Tell the moves behind one of its lengths, by name if they are few; "" if none is."""
        begun = self.lengths[place]
        left = len(self.moves) - begun
        return f"after {many(left, 'more move')}" if left > FEW_MOVES else done(
            _told(self.game, states_of(self.game, self.moves), self.moves, begun))


def looks_unlike(
    ways: Sequence[Way], first: Split | None, play: tuple[Label, ...], *, settled: bool
) -> Iterator[int]:
    """Yield after how many choices the first two games can be told apart by what players see.

    Not as long as the games differ in what lies in internal zones: a card that one of them has put
    there is on its way, and that it is not where it lies in the other is no difference.  After that
    only where the two look different, as where it is not known where they part in this play.  And
    where one makes moves by itself that are asked for in the other, only where both are asked the
    same.
    """
    known = first is not None and play[:len(first.play)] == first.play and not settled
    start = max(1, len(first.play)) if known and first is not None else 1
    two, done, waited = ways[:2], [0, 0], not known
    same = same_arrays(*(each.game.compiled.machine for each in two))
    states = [state_after(each.game, ()) for each in two]
    for place in range(start, min(len(each.lengths) for each in ways)):
        if all(each.lengths[place] == len(each.moves) for each in ways):
            return
        states = [state_after(each.game, each.moves[begun:each.lengths[place]], state)
                  for each, begun, state in zip(two, done, states, strict=True)]
        done = [each.lengths[place] for each in two]
        equal = same and states[0].values == states[1].values
        (mine, aside), (theirs, there) = (((), ()), ((), ())) if equal else (
            board_and_aside(each.game, state) for each, state in zip(two, states, strict=True))
        if aside != there:
            waited = True
        elif (not settled or moment(two[0].game, states[0]) == moment(
                two[1].game, states[1])) and (not waited or mine != theirs):
            yield place


def done(moves: Sequence[str]) -> str:
    """Tell some moves, the last ones by name, and how many there are if that is not all."""
    few = moves[-FEW_MOVES:]
    more = f"{many(len(moves), 'move')}, at last " * (len(moves) > FEW_MOVES)
    return f"after {more}{', '.join(few[:-1])}{' and ' * (len(few) > 1)}{few[-1]}" if few else ""


def behind(deeds: str, told: str) -> str:
    """Tell what comes of some deeds."""
    return f"{deeds}: {told}" if deeds else told


def asked_unlike(ways: Sequence[Way]) -> Iterator[int]:
    """Yield after how many choices the first two games ask for unlike things, or another player."""
    for place in range(1, min(len(each.lengths) for each in ways)):
        one, two = (moment(each.game, state_after(each.game, each.cut(place).moves))
                    for each in ways[:2])
        if one != two:
            yield place


def at_one_moment(ways: Sequence[Way], since: int) -> list[Way] | None:
    """Cut games that end at unlike moments back to one at which all are, and the first two differ.

    There somebody chooses, and each game is there once behind that of its lengths, by moves that it
    makes by itself: what comes again, or by chance, may be of another round.  Of several it is the
    one that comes after the most alike numbers of moves.  None if there is none, or a game is over.
    """
    states = [states_of(each.game, each.moves) for each in ways]
    if any(each.game.interpreter.final(some[-1]) for each, some in zip(ways, states, strict=True)):
        return None
    moments = [[moment(each.game, state) for state in some[each.lengths[since]:]]
               for each, some in zip(ways, states, strict=True)]
    if len({some[-1] for some in moments[:2]}) == 1:
        return None
    found: list[tuple[int, int, list[Way]]] = []
    for each in moments[0]:
        if any(some.count(each) != 1 for some in moments):
            continue
        behind = [some.index(each) for some in moments]
        cut = [way._replace(moves=way.moves[:way.lengths[since] + more])
               for way, more in zip(ways, behind, strict=True)]
        rests = [(way.game, some[len(way.moves)]) for way, some in zip(cut, states, strict=True)]
        (mine, aside), (theirs, there) = (board_and_aside(*rest) for rest in rests[:2])
        if mine != theirs and aside == there and all(
                actor(game.compiled.machine, state) is not None for game, state in rests):
            found.append((max(behind) - min(behind), max(behind), cut))
    return min(found, key=lambda one: one[:2])[2] if found else None


def asks_another(ways: Sequence[Way]) -> int | None:
    """Return after how many choices the first two games ask another player the same, or draw his.

    None if they ask unlike things first, or look unlike then, or if it is nowhere so.
    """
    two = ways[:2]
    done, states = [0, 0], [state_after(each.game, ()) for each in two]
    for place in range(1, min(len(each.lengths) for each in ways)):
        states = [state_after(each.game, each.moves[begun:each.lengths[place]], state)
                  for each, begun, state in zip(two, done, states, strict=True)]
        done = [each.lengths[place] for each in two]
        one, other = (moment(each.game, state) for each, state in zip(two, states, strict=True))
        if one != other:
            mine, theirs = (board_seen(each.game, state)
                            for each, state in zip(two, states, strict=True))
            same = one._replace(seat=None) == other._replace(seat=None) and mine == theirs
            return place if same and None not in {one.seat, other.seat} else None
    return None


class Situation(NamedTuple):
    """A situation, and after how many moves of a game it, or what parts there, has come.

    `since`: after how many moves of each of the games; all, if it does not come to it.  `barred`:
    what of each is to be said of the move that parts them, where it is not legal.
    """

    position: dict[str, Any]
    after: int
    since: tuple[int, ...]
    barred: tuple[str, ...] = ()

    def summed(self, ways: Sequence[Way], told: Sequence[str]) -> list[str]:
        """Tell ways with what is done from here on, and by which numbers, where these differ."""
        sums = sums_apart([each[:2] for each in ways], self.since)
        barred = self.barred or [""] * len(ways)
        return ["; ".join(filter(None, (no, behind(done, "; ".join(filter(None, both))))))
                for no, done, *both in zip(barred, self._done(ways), sums, told, strict=True)]

    def _done(self, ways: Sequence[Way]) -> Iterator[str]:
        """Tell the moves of games from here on, without the one that is told with the situation.

        Where nothing says when one came to the situation, none are told of it.
        """
        for (game, moves, *_), begun in zip(ways, self.since, strict=True):
            told = _told(game, states_of(game, moves), moves, begun)
            yield done(told[told[:1] == [self.position.get("then")]:])


def _told(game: Instance, states: Sequence[State], moves: Sequence[Move], since: int) -> list[str]:
    """Tell the moves of a game from one on, as what they are behind those before them.

    That somebody is next is told only where somebody else could be, and nothing is done yet.
    """
    machine, told = game.compiled.machine, list[str]()
    known = Opportunities(repeated(game.game.windows))
    for number, (state, move) in enumerate(zip(states, moves, strict=False)):
        who, over = actor(machine, state), False
        if who is not None:
            over = known.ends(
                machine.player_names[who], node_of(machine, state).name,
                edge_of(machine, state, move).label, choice=bool(move.args))
        turn = next_seat(machine, state, move) is not None and (
            number + 1 < len(moves) or len(game.interpreter.moves(state)) == 1)
        if number >= since and not turn:
            text = describe_move(machine, state, move)
            told.append(passed(text, machine.player_names[who])
                        if over and who is not None else text)
    return told


def come_to(
    game: Instance, moves: Sequence[Move], after: int, *, read: int | None = None
) -> dict[str, Any]:
    """Return the position after so many moves, and what those after them read of the assumed.

    Or what those after `read` moves do, where what matters goes on in the last one before it.
    """
    position = position_of(game, state_after(game, moves[:after]))
    position["after"] = after
    if assumes := _assumed(game, moves, after if read is None else max(0, read)):
        position["assumes"] = assumes
    return position


def before(ways: Sequence[Way], *, fails: bool, play: int = 0) -> Situation:
    """Return the last situation of the first of several games that looks the same in the second.

    A choice that one of them alone has is behind it, also if it changes nothing that is seen.  If
    something `fails`, that is before the move on which it does.  With it goes after how many moves
    it comes in one of the two, whose `play` is told; what the moves after it read of what is
    assumed of cards, or if there are none, those that are offered; and whether something is asked
    there in the first alone.
    """
    (adopted, mine), (other, theirs) = (each[:2] for each in ways[:2])
    games = [_Game(*each[:2]) for each in ways]
    first, second = games[:2]
    states = first.states
    over = bool(mine) and (fails or adopted.interpreter.final(states[-1]))
    if not over and first.boards[-1] == second.boards[-1]:
        place, since = len(mine), [len(each.moves) for each in ways]
    else:
        place = max((place for place in range(len(mine)) if first.boards[place] in second.boards),
                    key=partial(_common, first, second), default=0)
        since = [place, *(each.last(first.boards[place]) for each in games[1:])]
    ends, seen = since, first.boards[place]
    place = first.own_choice(ends[0], second, ends[1])
    since = [place, *(each.own_choice(end, first, ends[0]) if each.boards[end] == seen else end
                      for each, end in zip(games[1:], ends[1:], strict=True))]
    then = mine[place] if place < len(mine) else None
    position = position_of(adopted, states[place], then)
    if then is not None:
        position["then"] = next(iter(_told(adopted, states, mine[:place + 1], place)),
                                position["then"])
    elif moment(adopted, states[place]) != moment(other, second.states[since[1]]):
        position["first"] = True
    # As many moves in both, if it looks so after these; else the first time that it looks so, as
    # moves behind that may change nothing that is seen.
    alike = games[play].boards
    position["after"] = place if not play or alike[place:place + 1] == [seen] else next(
        (number for number, each in enumerate(alike) if each == seen), place)
    read, more = _assumed(adopted, mine, place), _assumed(other, theirs, since[1])
    if assumes := {name: {**read.get(name, {}), **more.get(name, {})} for name in (*read, *more)}:
        position["assumes"] = assumes
    barred = [each.barred(first, place, at) for each, at in zip(games, since, strict=True)]
    return Situation(position, min(place + (then is not None), len(mine)), tuple(since),
                     tuple(barred))


def _common(first: _Game, second: _Game, place: int) -> tuple[int, int, int]:
    """Return how much two games have in common that look the same, the one after so many moves.

    A board that comes again makes nothing common that lies between.
    """
    there = second.last(first.boards[place])
    return min(place, there), -abs(place - there), place


class _Game:
    """A game under a reading, and what is seen on its way."""

    def __init__(self, game: Instance, moves: Sequence[Move]) -> None:
        self.game, self.moves = game, moves
        self.states = states_of(game, moves)
        self.boards = [board_seen(game, state) for state in self.states]

    def last(self, board: object) -> int:
        """Return the last place of a board; if it is not there, that of all."""
        return max((place for place, each in enumerate(self.boards) if each == board),
                   default=len(self.boards) - 1)

    def own_choice(self, end: int, other: _Game, there: int) -> int:
        """Return the first place, of those before one that look as it does, of a choice of its own.

        That is a choice that another game does not have in a place that looks as `there` and leads
        to it, or where it goes on; the given place, if there is none.
        """
        theirs = [other.told(place) for place in other.like(there)]
        for place in self.like(end):
            if place == end:
                break
            if (told := self.told(place)) in theirs:
                theirs.remove(told)
            elif len(self.game.interpreter.moves(self.states[place])) > 1:
                return place
        return end

    def barred(self, other: _Game, there: int, here: int) -> str:
        """Say of a move of another game that it is not allowed where it could be made in this one.

        That is in a place that looks as `here`, and is the same moment.  "" if it is legal in one,
        or there is none, or if it is a pass, or nobody makes it.
        """
        now = moment(other.game, other.states[there])
        places = [place for place in self.like(here)
                  if moment(self.game, self.states[place]) == now]
        if there == len(other.moves) or now.seat is None or not places or edge_of(
                other.game.compiled.machine, other.states[there], other.moves[there]).passes:
            return ""
        told = other.told(there)
        legal = (describe_move(self.game.compiled.machine, self.states[place], move)
                 for place in places for move in self.game.interpreter.moves(self.states[place]))
        return "" if told in legal else f"not allowed: {told}"

    def like(self, end: int) -> Iterator[int]:
        """Yield the places without a break up to one, and itself, that look as it does."""
        begin = end
        while begin and self.boards[begin - 1] == self.boards[end]:
            begin -= 1
        yield from range(begin, end + 1)

    def told(self, place: int) -> str:
        """Return the move of a place in words; "" behind the last one."""
        return describe_move(self.game.compiled.machine, self.states[place], self.moves[place]) if (
            place < len(self.moves)) else ""


def _assumed(game: Instance, moves: Sequence[Move], since: int) -> dict[str, dict[str, Any]]:
    """Return the assumed values that moves after some read, by card, as they are in this game.

    With them stand the texts that the numbers before these moves come from.  What is invented is
    among the assumed values of a game whether it is read or not.
    """
    read, done = assumed_after(game.compiled, moves, since), texts_behind(
        game.compiled, moves[:since])
    read |= {name: (*read.get(name, ()), *some) for name, some in done.items()}
    return {card.name: {name: value for name, value in values.items() if name in read[card.name]}
            for card, values in assumed_values(game.game, read) if card.name in read}


def states_of(game: Instance, moves: Sequence[Move]) -> list[State]:
    """Return the states that moves go through, from the setup on."""
    made = [state_after(game, ())]
    for move in moves:
        made.append(state_after(game, [move], made[-1]))
    return made
