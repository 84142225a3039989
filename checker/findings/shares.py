"""Shares of random plays: in how many something comes up, and who wins more of them."""

from __future__ import annotations

from .values import Count, Difference, Share, Value

DECIDES = "whoever chooses next where the games part"
"""Who it is of whom no seat is known, only that he is asked there first."""
NOBODY, UNENDED, STUCK = "nobody", "no end", "no move"
"""Who wins a game that is over and that no seat wins; what stands for games that are given up after
so many moves, or go round for ever; what for those in which somebody is left without a move."""


CUT = 0.01
"""If more than this share of plays meets a bound of the model, what the others show is not taken
for what all would."""


def many_cut(beyond: int, whole: int) -> bool:
    """Return whether plays that met a bound of the model are many, beside those that met none."""
    return beyond > CUT * (beyond + whole)


class Wins(Value, frozen=True):
    """How many plays somebody wins under two readings, of those that end under both.

    `seat` is a seat, `NOBODY`, `UNENDED`, `STUCK`, or, of whoever decides where twins part, "" for
    who does under the adopted reading, and the other reading for who does under that, if they
    differ.  For `UNENDED` and `STUCK` all plays are looked at, and they count those without an end.
    `gained` of the plays are won under the other reading only, `lost` under the adopted one only;
    `more` is how much greater the share of plays is that are won under the other reading: all such
    intervals of a run hold at once with a confidence of 95 % (`playouts.difference`).
    """

    seat: str
    adopted: Count
    other: Count
    adopted_ci95: tuple[Share, Share]
    other_ci95: tuple[Share, Share]
    more: tuple[Difference, Difference] = (-1.0, 1.0)
    gained: Count = 0
    lost: Count = 0

    @property
    def apart(self) -> bool:
        """Whether one wins more often under one of the readings, beyond all luck."""
        return self.more[0] > 0 or self.more[1] < 0

    @property
    def least(self) -> float:
        """How much more often that is at least, as a share of the plays."""
        return max(0.0, self.more[0], -self.more[1])


class Frequency(Value, frozen=True):
    """How often it comes up in play at the printed size: of `plays`, `seen` had it.

    For an open point the plays are twins, one under each reading (`twins`): `seen` part, or end
    with another winner, and of these `decides` have another winner after the same moves.  `ci95` is
    of `seen`, `decides_ci95` of `decides`; these are None where nothing was compared.

    Who wins is compared in the `ending` plays that come to an end under both.

    Plays that meet a bound of the model are no games: `beyond` are left out everywhere but in the
    intervals.  Where these are many (`cut`), each interval says what is certain of all games,
    whatever those left out would have shown.
    """

    plays: Count
    seen: Count
    ci95: tuple[Share, Share]
    decides: Count | None = None
    decides_ci95: tuple[Share, Share] | None = None
    reading: str = ""
    """The reading that was compared with the adopted one."""
    wins: tuple[Wins, ...] = ()
    """For each seat, for nobody and for games without an end, in how many plays that is so.

    Seats that the rules treat alike in all, the set-up too, win alike but for luck: they are not
    there, nor are seats of which none wins more or less often beyond luck.  They are `hidden`."""
    asked: tuple[Wins, ...] = ()
    """The same of whoever decides where the plays part."""
    adopted: str = ""
    """The adopted reading."""
    ending: Count | None = None
    set_up: Count = 0
    """Plays that part by what chance does before anybody decides: two set-ups are compared there,
    and not what comes of one.  They are not among those seen."""
    longest: Count = 0
    """Moves after which a play that has not ended is left; 0 if that is not known."""
    mode: str = ""
    """In which mode the games are played, and by how many, in words; "" as chosen."""
    beyond: Count = 0
    """Plays beside these that met a bound of the model."""
    stuck: Wins | None = None
    """In how many plays somebody is left without a move; None if in none.  `wins` and `UNENDED` do
    not count them."""
    hidden: tuple[Wins, ...] = ()
    """The seats that `wins` leaves out.  What would not show of them is known by these."""

    @property
    def cut(self) -> bool:
        """Whether so many plays met a bound of the model that the others do not stand for all."""
        return many_cut(self.beyond, self.plays)

    @property
    def told(self) -> tuple[Wins, ...]:
        """Those who win more or less often under the other reading, beyond all luck."""
        return tuple(one for one in (*self.asked, *self.rows) if one.apart)

    @property
    def rows(self) -> tuple[Wins, ...]:
        """The rows of `wins`, and of games that leave somebody without a move."""
        return self.wins if self.stuck is None else (*self.wins, self.stuck)

    @property
    def opposed(self) -> bool:
        """Whether of two who decide one gains by the reading under which the other one loses."""
        return len({one.more[0] > 0 for one in self.asked if one.apart}) > 1

    @property
    def effect(self) -> float:
        """The share of games in which it is measured to change who wins, at least; 0 if none is.

        Of the games that end: that a reading leaves more of them without an end is told, and is no
        effect.  Games that the same moves end otherwise are none of those in which somebody
        decides where they part, but some of those of a seat.
        """
        same = self.decides_ci95[0] if self.decides_ci95 is not None else 0.0
        ends = [one for one in self.wins if one.seat != UNENDED]
        asked, seats = (max((one.least for one in some), default=0.0)
                        for some in (self.asked, ends))
        return max(same + asked, seats)
