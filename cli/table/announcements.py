"""What a seat is told of a move: never more than its own view of the states before and after shows.

A card (a player, a value) that somebody has chosen is named to a seat if something that the seat
sees has changed to it, or from it; if only something hidden has, it is not.  A card that nothing
shows is not named either, unless it was chosen from where everybody sees it; any other value that
nothing shows counts as said aloud.  Limit: two changes at once, one hidden and one seen, of the
same card, look like one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from ...model.machine.machine import Array, Domain, Machine, Param
from ...model.machine.state import Arg, State
from ...model.machine.titles import Titles
from ...model.machine.traversal import arrays_read
from ...model.plays.board import JSON, show_value, view
from ...model.plays.knowledge import (
    CARD,
    Knowledge,
    SeenRow,
    family,
    in_places,
    rows,
    seen,
    visible,
)
from ...model.plays.moves import actor, describe_move, edge_of, labels
from ...model.plays.plays import Taken
from ...model.plays.records import PoolLayout, pools
from ...model.plays.wording import say_field, say_value, the
from .table import GameTable


def told(machine: Machine, taken: Taken, viewer: int | None) -> str:
    """Tell a move to a seat; None is told everything."""
    before = taken.before
    if viewer is None or taken.step is None or actor(machine, before) == viewer:
        return describe_move(machine, before, taken.move)
    edge = edge_of(machine, before, taken.move)
    step = _Step(machine, before, taken.step.state, viewer)
    hidden: dict[str, str] = {}
    for label, param, arg in zip(labels(edge), edge.params, taken.move.args, strict=True):
        if not step.shows(param, arg):
            hidden[label] = _veiled(param, arg)
    return describe_move(machine, before, taken.move, hidden=hidden)


def _veiled(param: Param, arg: Arg) -> str:
    if isinstance(arg, tuple):
        return "a card" if sum(arg) == 1 else f"{sum(arg)} cards"
    return "a card" if param.domain.kind.startswith(CARD) else "something"


@dataclass(frozen=True, slots=True)
class _Step:
    """Two states in a row, and who looks on."""

    machine: Machine
    before: State
    after: State
    viewer: int

    def shows(self, param: Param, arg: Arg) -> bool:
        """Return whether the onlooker can know an argument of the move in between."""
        if isinstance(arg, tuple):
            kinds = [kind for kind, n in enumerate(arg, param.domain.low) if n]
            return all(self._shows(param, kind) for kind in kinds)
        return self._shows(param, arg)

    def _shows(self, param: Param, value: int) -> bool:
        hidden = False
        for row, touched in _touched(self.machine, self.before, self.after, param.domain.kind):
            if value not in touched or not row.array.declared:
                continue
            if visible(row, self.viewer):
                return True
            hidden = True
        if hidden:
            return False
        is_card = param.domain.kind.startswith(CARD)
        return not is_card or _open_choice(self.machine, param, self.viewer)


def _touched(
    machine: Machine, before: State, after: State, kind: str
) -> Iterator[tuple[SeenRow, set[int]]]:
    """List the rows that have changed, with the values of a type that came or went."""
    for row in rows(machine):
        cells = range(row.first, row.first + row.size)
        changed = [i for i in cells if before.values[i] != after.values[i]]
        if not changed:
            continue
        if row.array.zone and not in_places(row.array):
            if family(row.array) == kind:
                yield row, {i - row.first for i in changed}
        elif row.array.domain.kind == kind:
            yield row, {state.values[i] for i in changed for state in (before, after)}


def _open_choice(machine: Machine, param: Param, viewer: int) -> bool:
    """Return whether a card is chosen from places that everybody sees."""
    read = arrays_read(param.where)
    if param.most is not None:
        read |= arrays_read(param.most)
    zones = [row for row in rows(machine) if row.array.name in read and row.array.zone]
    return all(row.array.seen_by == "all" or visible(row, viewer) for row in zones)


# ------------------------------------------------------------------------------------ changes


def changes(machine: Machine, before: State, after: State, viewer: int | None) -> list[str]:
    """List what a seat sees to have changed: `group of Ann: + Regular`, `defender: Bob`.

    What a spec notes for itself (`internal`) is nothing of the game.
    """
    first, then = seen(machine, before, viewer), seen(machine, after, viewer)
    found: list[str] = []
    told_apart: set[str] = set()
    for pool in pools(machine):
        told_apart.update([pool.size.name, *(array.name for array, _ in pool.fields.values())])
        for owner in () if pool.size.internal else pool.owners:
            found += _of_records(machine, pool, owner, first, then)
    for row in rows(machine):
        array = row.array
        if (not array.declared or array.internal or array.name == machine.outcome
                or array.name in told_apart):
            continue
        old, new = _part(first, row), _part(then, row)
        if old == new or None in old or None in new:
            continue
        where = machine.titles.of(array.name)
        if row.owner is not None:
            where += f" of {machine.player_names[row.owner]}"
        found += _change(machine, array, where, [n or 0 for n in old], [n or 0 for n in new])
    return found


def _of_records(
    machine: Machine, pool: PoolLayout, owner: int, first: Knowledge, then: Knowledge
) -> Iterator[str]:
    """List what has changed among the records of an owner; nothing where they are not seen."""
    old, new = _records(machine, pool, owner, first), _records(machine, pool, owner, then)
    if old is None or new is None or old == new:
        return
    whose = f" of {machine.player_names[owner]}" if pool.size.dims else ""
    titles = machine.titles
    names = [[_name(each, titles) for each in some] for some in (old, new)]
    before, after = ([tuple(each.items()) for each in some] for some in (old, new))
    for what, a, b, c, d in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if what == "equal":
            continue
        kept = min(b - a, d - c)
        for one, two in zip(range(a, a + kept), range(c, c + kept), strict=True):
            differs = [say_field(titles.of(name), value, titles)
                       for name, value in new[two].items() if old[one].get(name) != value]
            called = names[0][one] or f"1 of {the(titles.of(pool.name))}"
            yield f"{called}{whose}: {', '.join(differs)}"
        for gone in range(a + kept, b):
            yield f"{titles.of(pool.name)}{whose}: - {names[0][gone] or 1}"
        for come in range(c + kept, d):
            called = names[1][come]
            more = [say_field(titles.of(name), value, titles)
                    for name, value in list(new[come].items())[bool(called):]
                    if value not in (None, False, 0)]
            yield f"{titles.of(pool.name)}{whose}: + {', '.join([called or '1', *more])}"


def _name(record: Mapping[str, JSON], titles: Titles) -> str:
    """Say what a record is called: as its first field says; "" if that is only so or not."""
    first = next(iter(record.values()), False)
    return "" if isinstance(first, bool) else say_value(first, titles)


def _records(
    machine: Machine, pool: PoolLayout, owner: int, known: Knowledge
) -> list[dict[str, JSON]] | None:
    """Show the living records of an owner as a seat sees them; None if it does not see how many."""
    living = known.values[pool.first + owner]
    if living is None:
        return None
    found: list[dict[str, JSON]] = []
    for index in range(living):
        shown: dict[str, JSON] = {}
        for name, array, place in pool.where(owner, index):
            value = known.values[place]
            if value is not None:
                shown[name] = show_value(machine, array.domain, value)
        found.append(shown)
    return found


def _said(machine: Machine, domain: Domain, value: int) -> str:
    return say_value(show_value(machine, domain, value), machine.titles)


def _part(known: Knowledge, row: SeenRow) -> tuple[int | None, ...]:
    return known.values[row.first : row.first + row.size]


def _change(
    machine: Machine, array: Array, where: str, old: list[int], new: list[int]
) -> Iterator[str]:
    if array.zone:
        kinds = array.domain if in_places(array) else array.axes[-1]
        counts: Mapping[int, int] = _difference(array, old, new)
        plus = [_many(_said(machine, kinds, k), n) for k, n in counts.items() if n > 0]
        minus = [_many(_said(machine, kinds, k), -n) for k, n in counts.items() if n < 0]
        parts = [f"{sign} {', '.join(some)}" for sign, some in (("+", plus), ("-", minus)) if some]
        if parts:
            yield f"{where}: {'; '.join(parts)}"
        return
    values = [_said(machine, array.domain, n) for n in new]
    if len(new) == 1:
        yield f"{where}: {values[0]}"
        return
    axis = array.axes[-1] if array.axes else None
    for place, value in enumerate(values):
        if old[place] != new[place]:
            key = _said(machine, axis, axis.low + place) if axis else str(place)
            yield f"{where}, {key}: {value}"


def _difference(array: Array, old: list[int], new: list[int]) -> dict[int, int]:
    """Count which cards came (more than 0) and went."""
    if not in_places(array):
        return {k: b - a for k, (a, b) in enumerate(zip(old, new, strict=True)) if a != b}
    kinds = sorted({*old, *new} - {-1})
    return {k: new.count(k) - old.count(k) for k in kinds}


def _many(card: str, number: int) -> str:
    return card if number == 1 else f"{number} × {card}"


# ------------------------------------------------------------------------------------ the board


def board_for(table: GameTable, seat: int) -> dict[str, JSON]:
    """Show the state to a seat: hidden zones by their size, empty ones not at all."""
    machine, state = table.machine, table.state
    shown = {name: _without_nothing(value) for name, value in view(machine, state, seat).items()}
    known = seen(machine, state, seat)
    for row in rows(machine):
        if in_places(row.array):
            text = _pile(machine, row, known)
            if row.owner is None:
                shown[row.array.name] = text
            else:
                of = shown[row.array.name]
                if isinstance(of, dict):
                    of[machine.player_names[row.owner]] = text
    return shown


def _without_nothing(value: JSON) -> JSON:
    if not isinstance(value, dict):
        return value
    if value == {"size": 0}:
        return {}
    return {key: _without_nothing(each) for key, each in value.items()}


def _pile(machine: Machine, row: SeenRow, known: Knowledge) -> JSON:
    """Show a pile from its top on, or its size."""
    cards = [card for card in _part(known, row) if card is not None and card >= 0]
    if None in _part(known, row):
        size = known.size_of(row)
        return {"size": size} if size else {}
    names = [_said(machine, row.array.domain, card) for card in cards]
    return f"{', '.join(names)} (top first)" if len(names) > 1 else "".join(names)
