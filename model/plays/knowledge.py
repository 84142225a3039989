"""What one seat knows of a state, and the states that look the same to it.

`seen` is the wall between a seat and what lies hidden: whatever a computer seat, the terminal's
board or an undo is computed from has passed through it.  A hidden element is None; of a hidden zone
the number of cards is known.  Three things follow from the arrays alone: what everybody sees, what
only the owner sees (the first dimension is the players), and what nobody sees.  Of the engine's own
locals the cards are hidden: nobody can tell from the table which card a rule has in mind.

`guess` deals the hidden cards at random: the cards of a family that are not seen (it starts with
all of them in its zones) go to the hidden places, as many to each as lie there.  Hidden numbers are
drawn from their range.  Limits: a game that makes or destroys cards is dealt wrong cards; guesses
are uniform over cards, not over the histories that lead here.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from ..machine.machine import Array, Machine
from ..machine.state import State
from ..run.shape import shape_of

CARD = "card:"


@dataclass(frozen=True, slots=True)
class SeenRow:
    """A stretch of the state vector that is seen or hidden as one: `first` … `first + size - 1`.

    `owner` is the seat that its array's first index names, if it names one.
    """

    array: Array
    first: int
    size: int
    owner: int | None


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A state as one seat sees it: None for what is hidden.

    `sizes` says of each hidden row of a zone (by its `first`) how many cards it holds.
    """

    seat: int | None
    node: int
    values: tuple[int | None, ...]
    sizes: tuple[tuple[int, int], ...]

    def size_of(self, row: SeenRow) -> int:
        """Return the number of cards of a hidden row."""
        return dict(self.sizes)[row.first]


def rows(machine: Machine) -> Iterator[SeenRow]:
    """Cut the state vector into rows: one for each owner, or for each row of a zone."""
    shape = shape_of(machine)
    for array in machine.arrays:
        size = array.size
        players = array.dims and array.axes and array.axes[0].kind == "player"
        if players:
            size //= array.dims[0]
        if array.zone:
            size = array.dims[-1]
        each = array.size // array.dims[0] if players else array.size
        for start in range(0, array.size, max(size, 1)):
            owner = start // each if players else None
            yield SeenRow(array, shape.offsets[array.name] + start, size, owner)


def visible(row: SeenRow, seat: int | None) -> bool:
    """Return whether a seat sees a row; None is somebody who sees only what all see."""
    array = row.array
    if not array.declared and (array.domain.kind.startswith(CARD) or array.seen_by == "none"):
        return False
    if array.seen_by == "owner":
        return seat is not None and row.owner == seat
    return array.seen_by == "all"


def seen(machine: Machine, state: State, seat: int | None) -> Knowledge:
    """Show a state to a seat."""
    values: list[int | None] = []
    sizes: list[tuple[int, int]] = []
    for row in rows(machine):
        part = state.values[row.first : row.first + row.size]
        if visible(row, seat):
            values += part
            continue
        values += [None] * row.size
        if row.array.zone:
            sizes.append((row.first, cards_in(row, part)))
    return Knowledge(seat, state.node, tuple(values), tuple(sizes))


def cards_in(row: SeenRow, values: tuple[int, ...]) -> int:
    """Count the cards in a row of a zone: counts by kind, or places with a card or -1 in each."""
    if in_places(row.array):
        return sum(value >= 0 for value in values)
    return sum(values)


def in_places(array: Array) -> bool:
    """Return whether a zone is kept as an order of places, not as counts by kind of card."""
    return array.zone == "pile" and array.domain.kind.startswith(CARD)


def family(array: Array) -> str:
    """Name the cards that a zone holds, as `card:FAMILY`."""
    return array.domain.kind if in_places(array) else array.axes[-1].kind if array.axes else ""


def alike(machine: Machine, first: State, second: State, seat: int | None) -> bool:
    """Return whether a seat sees no difference between two states."""
    return seen(machine, first, seat) == seen(machine, second, seat)


# ------------------------------------------------------------------------------------ guessing


def guess(machine: Machine, known: Knowledge, rng: random.Random) -> State:
    """Make up a state that looks to the seat like the one it has seen."""
    values = list(known.values)
    hidden = dict(known.sizes)
    unseen = _unseen(machine, known)
    for cards in unseen.values():
        rng.shuffle(cards)
    for row in rows(machine):
        if values[row.first] is not None:
            continue
        array = row.array
        if array.zone in ("bag", "deck", "pile"):
            dealt = _deal(row, hidden[row.first], unseen.get(family(array), []), rng)
            values[row.first : row.first + row.size] = dealt
        else:
            values[row.first : row.first + row.size] = _invent(row, rng)
    return State(known.node, tuple(value if value is not None else 0 for value in values))


def _unseen(machine: Machine, known: Knowledge) -> dict[str, list[int]]:
    """Collect for each family the cards that lie in no place that the seat sees."""
    copies: dict[str, dict[int, int]] = {}
    for row in rows(machine):
        array = row.array
        if not array.zone or array.zone == "ledger" or not array.declared:
            continue
        start = row.first - shape_of(machine).offsets[array.name]
        count = copies.setdefault(family(array), {})
        part = known.values[row.first : row.first + row.size]
        for place, first in enumerate(array.start[start : start + row.size]):
            now = part[place]
            if in_places(array):
                if first >= 0:
                    count[first] = count.get(first, 0) + 1
                if now is not None and now >= 0:
                    count[now] = count.get(now, 0) - 1
            else:
                count[place] = count.get(place, 0) + first - (now or 0)
    return {
        name: [card for card, left in sorted(count.items()) for _ in range(left)]
        for name, count in copies.items()
    }


def _deal(row: SeenRow, size: int, cards: list[int], rng: random.Random) -> list[int]:
    """Deal cards to a row; made up ones if there are too few."""
    array = row.array
    kinds = array.domain.high + 1 if in_places(array) else row.size
    mine = [cards.pop() if cards else rng.randrange(max(kinds, 1)) for _ in range(size)]
    if in_places(array):
        return [*mine, *([-1] * (row.size - size))][: row.size]
    counts = [0] * row.size
    for card in mine:
        counts[card] = min(counts[card] + 1, array.high)
    return counts


def _invent(row: SeenRow, rng: random.Random) -> list[int]:
    """Draw hidden numbers; a local of the engine has its first value."""
    array = row.array
    if not array.declared or array.zone:
        return [array.start[0]] * row.size
    return [rng.randint(array.low, array.high) for _ in range(row.size)]
