"""Situations in which somebody can make sure of more in one order than in the other one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from ...model.machine.state import Move
from ..bench.workbench import Instance
from ..search.worth import EXACT, Solved, unlike

Moves = tuple[Move, ...]

SIMPLE = 60
"""The greatest denominator of a probability that is told as a fraction."""


class Side(NamedTuple):
    """A situation in one of two orders: the game, the number there, and what the order is."""

    instance: Instance
    solved: Solved
    number: int
    reading: str
    title: str


class Relying(NamedTuple):
    """The seats of which it rests on what is not seen what they can make sure of.

    `in_part`: whoever decides sees something of what has happened amid the order.
    """

    seats: frozenset[int] = frozenset()
    in_part: bool = False


@dataclass(slots=True)
class Case:
    """A situation in which somebody can make sure of more in one order than in the other."""

    sides: tuple[Side, Side]
    ways: Callable[[], tuple[Moves, Moves]]
    """Gives the moves to where each is asked first."""
    ahead: int
    """How many of these are no part of the situation."""
    relies: Callable[[Side], Relying]
    """Says of which seats a side rests on what is not seen."""
    but: frozenset[int] = frozenset()
    """The seats of which nothing is said for that."""

    @property
    def seat(self) -> int | None:
        """Who can make sure of more in one of the orders; None if nobody can."""
        one, two = (side.solved.worth[side.number] for side in self.sides)
        return unlike(one, two, self.but)

    @property
    def apart(self) -> float:
        """How much more that is, at most."""
        one, two = (side.solved.worth[side.number] for side in self.sides)
        seat = self.seat
        return 0.0 if seat is None else abs(one[seat] - two[seat])


@dataclass(slots=True)
class Seen:
    """What was looked at: situations, those in which what is chosen counts, and the worst case.

    `sealed` are those in which somebody could make sure of more if he saw what he does not see, and
    `in_part` those of them in which he sees something that has happened since;
    `unsettled` says that some order of asking matters, of which no case is told.
    """

    situations: int = 0
    counting: int = 0
    whole: bool = True
    worst: Case | None = None
    sealed: int = 0
    in_part: int = 0
    unsettled: bool = False

    def add(self, case: Case, *, counts: bool | None = None) -> None:
        """Add a situation; of cases that are as bad the first is kept.

        Whether what is chosen counts is asked of where the sides stand, if it is not given.
        """
        self.situations += 1
        self.counting += any(side.solved.counts(side.number) for side in case.sides) if (
            counts is None) else counts
        self.offer(case)

    def offer(self, case: Case) -> None:
        """Keep a case if it is the worst one, as far as it rests on what is seen."""
        least = 0.0 if self.worst is None else self.worst.apart + EXACT
        if case.apart > least:
            found = [*map(case.relies, case.sides)]
            case.but = frozenset[int]().union(*(each.seats for each in found))
            self.sealed += case.seat is None
            self.in_part += case.seat is None and any(each.in_part for each in found)
        if case.apart > least:
            self.worst = case

    def take(self, other: Seen) -> None:
        """Add what was looked at elsewhere, where nothing was found."""
        self.situations += other.situations
        self.counting += other.counting
        self.whole = self.whole and other.whole
        self.sealed += other.sealed
        self.in_part += other.in_part
        self.unsettled = self.unsettled or other.unsettled


def sure(worth: float, other: float) -> str:
    """Say what somebody can make sure of, whatever all the others do, beside another such worth.

    A share that is no simple fraction is told in per cent, as finely as it takes to tell it from
    the other one, from none and from all.
    """
    share = Fraction(worth).limit_denominator(SIMPLE)
    exact = abs(share - Fraction(worth)) < EXACT
    if exact and share == 1:
        return "can be sure to win, if all cards lie open"
    if exact and not share:
        return "can be kept from winning by the others, if all cards lie open"
    told = f"{share.numerator} time{'s' * (share.numerator > 1)} of {share.denominator}" if (
        exact) else f"about {_per_cent(worth, other)} of the time"
    return f"can make sure of winning {told}, if all cards lie open"


def _per_cent(worth: float, *others: float) -> str:
    """Write a share in per cent, with as many digits as tell it from others, from none and all."""
    for digits in range(7):
        told, *rest = (f"{100 * each:.{digits}f}" for each in (worth, *others, 0.0, 1.0))
        if told not in rest:
            break
    return f"{told} %"
