"""Plays of an implementation beside the rules: all that are short, and random ones.

Both end with the first difference.  The short plays are taken breadth first, so theirs is shortest;
of a random play moves are left out as long as the rest is legal and ends in a difference of the
same kind.  A difference that also shows when its situation is set needs no play at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec import structs

from ...model.machine.state import Move, State
from ...model.plays.board import JSON
from ...model.plays.moves import describe_move, describe_option
from ...model.plays.plays import record
from ...model.run.interp import EndlessRules, IllegalMove
from ..bench.workbench import Instance
from ..drivers.draws import Draws
from ..positions.cases import board, scripted, to_move
from ..positions.under_way import under_way
from ..search.shorten import fewer
from .dialogue import Broke
from .implementation import Declined, Implementation, Refused
from .results import Apart, Counted, Difference, Length, Walked

SITUATIONS = 2_000
"""So many situations are compared when short plays are counted."""
LONGEST = 400
TRIES, BREAKING = 200, 40
"""So many shorter plays are tried for one difference; where the program breaks, and is fast."""

Play = tuple[Move, ...]


@dataclass(slots=True)
class SideWalk:
    """An implementation and the rules, making the same moves."""

    peer: Implementation
    instance: Instance

    def compare(self, state: State, where: str, *, seats: Sequence[int] = (), moves: bool = True
                ) -> Difference | None:
        """Return the first difference in a state."""
        return next(iter(self.peer.compare(
            self.instance, state, where, seats=seats, moves=moves)), None)

    def guarded(self, work: Callable[[], Difference | None], where: str) -> Difference | None:
        """Do some work; a program that breaks, or answers with an error, is a difference."""
        try:
            return work()
        except Broke as error:
            return Difference("answer", where, (), (error.reason,))
        except Refused as error:
            return Difference("answer", where, (), (f"error: {error}",))

    def path(self, play: Play) -> list[dict[str, JSON]]:
        """Write the moves of a play."""
        state, found = self.instance.interpreter.start().state, list[dict[str, JSON]]()
        for move in play:
            found.append(scripted(self.instance, state, move))
            state = self.instance.interpreter.step(state, move).state
        return found

    def states(self, play: Play) -> list[State] | None:
        """Return the states of a play from the setup on; None if a move is not legal."""
        interp = self.instance.interpreter
        states = [interp.start().state]
        try:
            for move in play:
                states.append(interp.step(states[-1], move).state)
        except (IllegalMove, EndlessRules):
            return None
        return states

    def after(self, states: Sequence[State], play: Play) -> Difference | None:
        """Make the moves of a play from the setup, and compare where they lead."""
        def work() -> Difference | None:
            self.peer.begin(self.instance)
            for state, move in zip(states, play, strict=False):
                self.peer.move(self.instance, state, move)
            return self.compare(states[-1], where, seats=range(self._players))

        where = self.where(states, play)
        return self.guarded(work, where)

    def where(self, states: Sequence[State], play: Play) -> str:
        """Say after which move something is so."""
        if not play:
            return "at first"
        return f"after {describe_option(self.instance.compiled.machine, states[-2], play[-1])}"

    @property
    def _players(self) -> int:
        return self.instance.compiled.machine.players

    # ---------------------------------------------------------------------------- shortening

    def shrunk(self, play: Play, found: Difference) -> Apart:
        """Find a shorter play to a difference of the same kind (delta debugging)."""
        tries, best = TRIES, found
        if found.what == "answer":
            tries = 0 if self.peer.slow else BREAKING

        def shows(trial: Play) -> bool | None:
            nonlocal best
            states = self.states(trial)
            if states is None:
                return None
            self.peer.breaks = 0
            other = self.after(states, trial)
            if other is None or other.what != found.what:
                return False
            best = other
            return True

        return self.told(fewer(play, shows, tries), best)

    def told(self, play: Play, found: Difference) -> Apart:
        """Write a difference down, and try whether it shows when its situation is set."""
        states = self.states(play)
        assert states is not None
        machine, instance = self.instance.compiled.machine, self.instance
        before, last = (states[-2], play[-1]) if play else (states[-1], None)

        def work() -> Difference | None:
            self.peer.reach(instance, before, ())
            if last is not None:
                self.peer.move(instance, before, last)
            return self.compare(states[-1], found.where, seats=range(self._players))

        try:
            again = self.guarded(work, found.where) if self.peer.can_set else None
        except Declined:
            again = None
        return Apart(
            found,
            tuple(describe_move(machine, state, move)
                  for state, move in zip(states, play, strict=False)),
            record(instance.compiled, play),
            {"to_move": to_move(instance, before), "state": board(instance, before),
             "under_way": under_way(machine, before),
             "move": None if last is None else scripted(instance, before, last)},
            from_position=again is not None and again.what == found.what)


# ------------------------------------------------------------------------------------- perft


def counted(walk: SideWalk, depth: int) -> Counted:
    """Count the plays of each length up to a depth on both sides, and compare each situation.

    What comes after a situation that differs is not looked at.
    """
    interp = walk.instance.interpreter
    level: dict[State, tuple[int, Play]] = {interp.start().state: (1, ())}
    lengths, seen, apart = list[Length](), 0, None
    for length in range(1, depth + 1):
        after: dict[State, tuple[int, Play]] = {}
        ours = theirs = 0
        for state, (many, play) in level.items():
            if seen == SITUATIONS:
                return Counted(tuple(lengths), seen, apart,
                               f"after {SITUATIONS:,} situations, in plays of length {length}")
            seen += 1
            legal = interp.moves(state)
            difference, offered = _look(walk, state, play)
            ours += many * len(legal)
            theirs += many * offered
            offered_moves = [move for move in legal if move in walk.peer.known]
            for move in offered_moves if difference is None else ():
                found, there = _taken(walk, state, move, play)
                if found is not None:
                    difference = found
                    apart = apart or walk.told((*play, move), found)
                elif there is not None:
                    before = after.get(there, (0, (*play, move)))
                    after[there] = (before[0] + many, before[1])
            if difference is not None and apart is None:
                apart = walk.told(play, difference)
        lengths.append(Length(length, ours, theirs))
        if apart is not None or not after:
            break
        level = after
    return Counted(tuple(lengths), seen, apart)


def _look(walk: SideWalk, state: State, play: Play) -> tuple[Difference | None, int]:
    """Compare a situation; give what differs, and how many moves the implementation offers."""
    def work() -> Difference | None:
        walk.peer.reach(walk.instance, state, walk.path(play))
        return walk.compare(state, where)

    states = walk.states(play)
    assert states is not None
    where = walk.where(states, play)
    walk.peer.offered = 0
    return walk.guarded(work, where), walk.peer.offered


def _taken(walk: SideWalk, state: State, move: Move, play: Play
           ) -> tuple[Difference | None, State | None]:
    """Make a move on both sides; give what differs then, and where it leads if it rests."""
    try:
        there = walk.instance.interpreter.step(state, move).state
    except EndlessRules:
        return None, None

    def work() -> Difference | None:
        walk.peer.reach(walk.instance, state, walk.path(play))
        walk.peer.move(walk.instance, state, move)
        return walk.compare(there, where, moves=False)

    where = walk.where((state, there), (move,))
    return walk.guarded(work, where), there


# ---------------------------------------------------------------------------------- lock-step


def walked(walk: SideWalk, *, plays: int, seed: int) -> Walked:
    """Play at random on both sides until something differs."""
    made = 0
    for number in range(plays):
        play, found = _random(walk, Draws(seed, number))
        made += len(play)
        if found is not None:
            return Walked(number + 1, made, seed, walk.shrunk(play, found))
    return Walked(plays, made, seed)


def _random(walk: SideWalk, draws: Draws) -> tuple[Play, Difference | None]:
    """Play once; one seat, drawn anew, is asked each time what it sees."""
    instance, interp = walk.instance, walk.instance.interpreter
    play = list[Move]()
    states = [interp.start().state]

    def work() -> Difference | None:
        walk.peer.begin(instance)
        while True:
            where = walk.where(states, tuple(play))
            seat = draws.randrange(instance.compiled.machine.players)
            found = walk.compare(states[-1], where, seats=(seat,))
            legal = [move for move in interp.moves(states[-1]) if move in walk.peer.known]
            if found is not None or not legal or len(play) == LONGEST:
                return found
            move = legal[draws.randrange(len(legal))]
            try:
                after = interp.step(states[-1], move).state
            except EndlessRules:
                return None
            play.append(move)
            states.append(after)
            walk.peer.move(instance, states[-2], move)

    found = walk.guarded(work, "")
    if found is not None and not found.where:
        found = structs.replace(found, where=walk.where(states, tuple(play)))
    return tuple(play), found
