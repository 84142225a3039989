"""Whether whoever decides amid an order sees what he would have to know.

A game is solved with all cards open, so who decides later answers there what he may not see, as a
sealed bid.  What he can do is the same in all situations that look alike to him: where no choice is
the best one in all of these, what was solved rests on what he does not see.  He may see other
things that have happened since, as a roll that all see amid sealed bids: then not all of it is
closed to him.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial

from ...model.machine.machine import Machine
from ...model.machine.state import Move
from ...model.plays.knowledge import Knowledge, rows, seen
from ..audit.audit import Audit
from ..engine.transfer import transfer
from ..points.points import Point
from ..search.worth import EXACT, Solved
from .amid import Paused
from .cases import Relying, Side

MOST = 5_000
"""Situations that are looked at till some have decided."""


def relying(solved: Solved, amid: Iterable[int] | None) -> Relying:
    """Name the seats of which it rests on what is not seen what they can make sure of.

    Args:
        solved: the game.
        amid: the situations in which somebody may decide amid the order; None if they are unknown.

    """
    machine = solved.program.machine
    seats = frozenset(range(len(machine.player_names)))
    if not hides(machine):
        return Relying()
    if amid is None:
        return Relying(seats)
    best: dict[tuple[int, Knowledge, tuple[Move, ...]], list[set[int]]] = {}
    for number in amid:
        who = solved.who[number]
        if who is None or who < 0 or len(solved.after[number]) < 2:
            continue
        legal = solved.legal(number)
        look = seen(machine, solved.program.unpack(solved.run.order[number]), who)
        some = best.setdefault((who, look, tuple(move for move, _ in legal)),
                               [{*range(len(legal))} for _ in seats])
        for seat in seats:
            worths = [solved.worth[then][seat] for _, then in legal]
            aim = max(worths) if seat == who else min(worths)
            some[seat] &= {at for at, worth in enumerate(worths) if abs(worth - aim) < EXACT}
    told = [number for row in rows(machine) if row.array.declared
            for number in range(row.first, row.first + row.size)]
    torn = {(who, moves) for (who, _, moves), some in best.items() if not all(some)}
    looks = {(who, moves, tuple(look.values[number] for number in told))
             for who, look, moves in best if (who, moves) in torn}
    return Relying(
        frozenset(seat for seat in seats if any(not some[seat] for some in best.values())),
        in_part=len(looks) > len(torn))


def hides(machine: Machine) -> bool:
    """Return whether something of a game is not seen by all."""
    return any(array.seen_by != "all" for array in machine.arrays if array.declared)


class SolvedWindow:
    """A window of a solved game: what is decided till it is closed."""

    def __init__(self, audit: Audit, point: Point, scope: str, solved: Solved) -> None:
        self.solved = solved
        self._instance = partial(audit.bench.instance, scope, rulings={point.id: "unstated"},
                                 pauses=frozenset(point.names))
        (self._name,) = point.names

    def relies(self, side: Side) -> Relying:
        """Name the seats of which a side in it rests on what is not seen."""
        return relying(side.solved, self._amid(side.number) if hides(
            self.solved.program.machine) else ())

    def _amid(self, number: int) -> list[int] | None:
        """List the situations from one on till it is closed; None if they are unknown."""
        paused, there = self._paused, self._there(self.solved.run.order[number])
        at = paused.solved.numbers.get(there)
        amid = None if at is None else paused.till_after(at, self._name)
        if amid is None:
            return None
        back = [self.solved.numbers.get(self._back(paused.solved.run.order[each]))
                for each in amid if not paused.rests(each)]
        return None if None in back else [each for each in back if each is not None]

    @cached_property
    def _paused(self) -> Paused:
        return Paused(self._instance().program.whole)

    @cached_property
    def _there(self) -> Callable[[bytes], bytes]:
        return transfer(self.solved.program, self._paused.solved.program)

    @cached_property
    def _back(self) -> Callable[[bytes], bytes]:
        return transfer(self._paused.solved.program, self.solved.program)


def until_all_decided(solved: Solved, number: int, seats: frozenset[int]) -> list[int] | None:
    """List the situations till each of some seats has decided; None if these are too many."""
    todo = [(number, seats)]
    known = {*todo}
    for here, left in todo:
        who = solved.who[here]
        after = solved.after[here]
        then_left = left - {who} if who is not None and len(after) > 1 else left
        for then, _ in after if then_left else ():
            if (then, then_left) not in known:
                known.add((then, then_left))
                todo.append((then, then_left))
        if len(known) > MOST:
            return None
    return [here for here, _ in todo]
