"""Positions, played by an implementation: which hold, and under which reading.

Each position is played under the rules as they are ruled; where something else comes of it and it
depends on a reading, under each of its readings.  What is compared is more than what a position
expects: all moves, all that is told of the state, and what each seat sees.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...model.game.game import Settings
from ...model.plays.documents import header
from ...model.plays.moves import describe_option, move_from, node_of
from ..bench.workbench import Instance
from ..points.points import points_of
from ..positions.replays import check_position, position_state
from .dialogue import Broke
from .implementation import Declined, Implementation, Refused
from .results import Difference, Reads, Tried

Load = Callable[[str, Settings], Instance]
"""Makes a game, by its name and settings."""

AS_RULED = "as ruled"


def tried(peer: Implementation, doc: Mapping[str, Any], load: Load) -> Tried:
    """Play a position.

    Raises:
        DocumentError: if it is none.
        SpecErrors: if its game does not load.

    """
    name, settings = header(doc, "the position")
    ident, title = str(doc.get("id", "")), str(doc.get("title", ""))
    wrong = check_position(doc, lambda wanted: load(name, wanted).compiled)
    if wrong:
        return Tried(ident, title, "not checked", f"it does not hold itself: {wrong[0]}")
    mine = load(name, settings)
    adopted = {point.id: point.adopted for point in points_of(mine.compiled)}
    try:
        found = _played(peer, mine, doc)
        fits = dict[str, list[str]]()
        for point, reading, chosen in _readings(doc, settings):
            known = fits.setdefault(point, [] if found else [adopted.get(point, AS_RULED)])
            if not _played(peer, load(name, chosen), doc):
                known.append(reading)
    except Declined as error:
        return Tried(ident, title, "not checked", str(error))
    return Tried(ident, title, "differs" if found else "holds", differences=found,
                 readings={point: tuple(each) for point, each in fits.items()})


def _readings(doc: Mapping[str, Any], settings: Settings) -> Iterator[tuple[str, str, Settings]]:
    """List the readings under which something else comes of a position."""
    expect: Mapping[str, Any] = doc.get("expect") or {}
    for other in expect.get("under", ()):
        if len(other["rulings"]) == 1:
            ((point, reading),) = other["rulings"].items()
            merged = tuple(sorted({**dict(settings.rulings), point: reading}.items()))
            yield point, reading, replace(settings, rulings=merged)


def _played(peer: Implementation, instance: Instance, doc: Mapping[str, Any]
            ) -> tuple[Difference, ...]:
    """Play a position under one reading; give what differs."""
    at = ["at first"]
    try:
        return tuple(_followed(peer, instance, doc, at))
    except Broke as error:
        return (Difference("answer", at[0], (), (error.reason,)),)
    except Refused as error:
        return (Difference("answer", at[0], (), (f"error: {error}",)),)


def _followed(peer: Implementation, instance: Instance, doc: Mapping[str, Any],
              at: list[str]) -> list[Difference]:
    machine, interp = instance.compiled.machine, instance.interpreter
    state = position_state(doc, instance.compiled)
    seats = range(machine.players)
    peer.reach(instance, state, (doc.get("reached_by") or {}).get("steps", ()))
    found = [*peer.compare(instance, state, at[0], seats=seats)]
    script = {name: deque(doc.get(name) or ()) for name in ("chance", "decisions")}
    given = doc.get("move")
    while given is not None and not any(each.what == "state" for each in found):
        move = move_from(machine, state, given)
        if node_of(machine, state).kind == "open" and move not in peer.known:
            raise Declined("it has an order of its own where the rules leave open who is next")
        at[0] = f"after {describe_option(machine, state, move)}"
        peer.move(instance, state, move)
        state = interp.step(state, move).state
        kind = node_of(machine, state).kind
        waiting = script["chance" if kind == "chance" else "decisions"]
        given = waiting.popleft() if waiting and kind != "final" else None
        found += peer.compare(instance, state, at[0], seats=seats if given is None else ())
    return found


def readings(found: Sequence[Tried], adopted: Mapping[str, str]) -> tuple[Reads, ...]:
    """Say under which reading of each open point an implementation plays, as positions show it."""
    points = sorted({point for each in found for point in each.readings})
    told = list[Reads]()
    for point in points:
        shown = [each.readings[point] for each in found if point in each.readings]
        fits = Counter(reading for each in shown for reading in each)
        whole = [reading for reading, many in fits.items() if many == len(shown)]
        mine = adopted.get(point, AS_RULED)
        plays = mine if mine in whole else whole[0] if len(whole) == 1 else ""
        told.append(Reads(point, mine, plays, dict(sorted(fits.items())), len(shown)))
    return tuple(told)
