"""Readings that are mirror images: the same rules, with the seats counted the other way round.

Whether the turn goes to the left or to the right decides nobody's chances: what one reading makes
of a seat the other one makes of its mirror image, the seat as far on the other side of the first.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...model.game.game import Game
from ...model.game.unparse import encoding

WAYS = {"next_player": "previous_player", "clockwise": "counterclockwise"}
"""Words of rules that name a direction, and those that name the other one."""
TURNED = {**WAYS, **{other: one for one, other in WAYS.items()}}
NAMES = re.compile(r"\w+")


def mirrored(one: Game, other: Game) -> bool:
    """Return whether two versions of a game are the same but for the direction around the table.

    Loops over players in no stated order have none of their own.  `clockwise_after` has no
    counterpart, so a game that uses it is no mirror image of any.
    """
    mine, theirs = list(_rules(one)), list(_rules(other))
    turned = [NAMES.sub(lambda found: _turned(found[0]), text) for text in mine]
    return turned == theirs != mine


def _turned(name: str) -> str:
    return "" if name == "clockwise_after" else TURNED.get(name, name)


def _rules(game: Game) -> Iterator[str]:
    """Yield the texts of all that is done: clauses, windows, what cards say."""
    for clause in game.clauses:
        if clause.in_force and clause.claim is None and clause.example is None:
            yield from (clause.id, clause.loop_order, *encoding(clause))
    yield from (f"{window.name} {window.order}" for window in game.windows.values())
    yield from (body.text for family in game.families.values() for card in family.cards
                for body in card.abilities.values())
