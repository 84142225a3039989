"""Passes: moves that are a not doing, and what is said of one by somebody who has acted before."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from ..game.game import Window
from .wording import plain_name, words_of

NEGATED = re.compile(r"\b(not|nothing|without|no)\b")
"""What makes the name of a move one of not doing something."""
EAGER = 4
"""How much likelier any other move is than a pass in random play.

Seats that pass as readily as they do anything else end few games of building a deck.
"""
NO_MORE = "no more"
"""In the name of a pass: it fits also whoever has acted before."""


def is_pass(event: str, *, choice: bool) -> bool:
    """Return whether a move of a player passes: it is called a not doing, and has no choice."""
    return not choice and bool(NEGATED.search(words_of(event)))


def passed(text: str, who: str, *, several: bool = False) -> str:
    """Say of a pass that it ends what was done before, by one player or `several` together.

    That is `plays no further card`, or where the name of the pass gives no such words, `is done`.
    """
    said = re.sub(r"\bno\b(?! (?:further|longer|more|other)\b)", "no further", re.sub(
        r"\bnothing\b(?! (?:further|more|else)\b)", "nothing further", text))
    return said if said != text else f"{who} {'are' if several else 'is'} done"


class Opportunities:
    """Who has acted in a window in which players may act several times, as a play goes on.

    `repeated` are the names of these windows.
    """

    def __init__(self, repeated: Collection[str]) -> None:
        self._repeated = repeated
        self._acted: set[tuple[str, str]] = set()

    def ends(self, who: str, node: str, event: str, *, choice: bool) -> bool:
        """Take note of a player's move; return whether it ends what that player did there before.

        `choice`: whether something is chosen with it; to end a turn has no choice.
        """
        one = who, plain_name(node)
        if not is_pass(event, choice=choice):
            self._acted = self._acted | {one} if choice else {one}
            return False
        over = one in self._acted and one[1] in self._repeated and NO_MORE not in event
        self._acted.discard(one)
        return over


def repeated(windows: Mapping[str, Window]) -> frozenset[str]:
    """Name the windows in which a player may act several times."""
    return frozenset(name for name, each in windows.items()
                     if each.repeat or each.each in ("rounds", "until_pass"))
