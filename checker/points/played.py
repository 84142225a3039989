"""Readings played at random in the printed game, all of them before anything else is asked.

Most readings part within a few of these plays, and then nobody needs a scope to tell them apart.
So what is compiled for the scopes, where all readings that are compared are one machine, has only
those that are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...model.game.game import PRINTED
from ...model.run.interp import UNPLAYABLE
from ..audit.audit import Audit, Played
from ..audit.parallel import answers
from ..bench.workbench import Rulings
from ..clauses.printed import is_scope, play_both
from ..engine.cache import place
from .points import Point, has_clauses
from .readings import two_of
from .rules import meet, orders_of

BY_RESULTS = ("clauses", "loop", "window")
"""The kinds of points that are compared by what comes out, and not move by move."""


def play_all(audit: Audit, points: Sequence[Point]) -> None:
    """Play each reading of points beside the adopted one, and relate what is left in the scopes."""
    some = [point for point in points if point.kind not in BY_RESULTS]
    meet(audit, [point for point in some if point.kind == "rules"])
    asked = [(point, reading) for point in some if _is_played(audit, point)
             for reading, _ in point.readings if reading != point.adopted]
    found = answers(replace(audit, kept=None), _play, asked,
                    lambda each: f"playing {each[0].id} = {each[1]}", Played)
    for (point, reading), each in zip(asked, found, strict=True):
        if each.value is not None:
            audit.played[point.id, reading] = each.value
    parted = {key for key, each in audit.played.items() if each.play is not None}
    left = [ruling for point in some
            if any((point.id, reading) not in parted for reading, _ in point.readings
                   if reading != point.adopted)
            for reading, _ in point.readings for ruling in _rulings(audit, point, reading)]
    if audit.comparable():
        audit.bench.leave(left, audit.comparable()[0].name)
        _compile_left(audit, left)


def _compile_left(audit: Audit, left: Sequence[Rulings]) -> None:
    """Compile what is left of each scope once for all processes, if code is kept on disk."""
    scopes = [scope.name for scope in audit.comparable()[1:]] if left and place() else []
    for _ in answers(replace(audit, kept=None), lambda audit, scope: audit.bench.unite(
            [scope], left[0]), scopes, lambda scope: f"compiling {scope}", type(None)):
        pass


def _is_played(audit: Audit, point: Point) -> bool:
    """Return whether the printed game has what a point is about, and is not looked at whole."""
    met = audit.met.get(point.id)
    return (audit.of_printed and not is_scope(audit) and has_clauses(audit.printed.game, point)
            and (point.kind != "rules" or (met is not None and met.seen)))


def _play(audit: Audit, question: tuple[Point, str]) -> Played | None:
    """Play a reading; None where the printed game has no such play: then who asks for it tells."""
    point, reading = question
    try:
        mine, other = two_of(audit, point, PRINTED, reading)
        return play_both(audit, other, mine, duties=point.kind == "rules")
    except UNPLAYABLE:
        return None


def _rulings(audit: Audit, point: Point, reading: str) -> list[Rulings]:
    """Return the rulings under which a reading is compared, in any of the scopes."""
    if point.kind != "rules":
        return [{point.id: reading}]
    return [orders_of(scope.instance.game, point, reading) for scope in audit.comparable()]
