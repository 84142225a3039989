"""What a finding says of the answers to a question, as values; see `results`."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from .values import Json, Value


class Elsewhere(Value, frozen=True):
    """Another game, in which an answer comes to something of its own.

    `when` says which game, and after how many moves; there the answer comes to `here`, and the one
    of the title `like` to `there`.  `position` is the situation in which these two part.
    """

    when: str
    here: str
    like: str
    there: str
    position: Mapping[str, Json] | None = None


class Outcome(Struct, frozen=True):
    """What happens under one reading of an open point.

    `elsewhere`: where what happens in the situation shown is the same as under another one.
    `apart`: false if nothing that was looked at tells it from the adopted one.
    """

    id: str
    title: str
    outcome: str = ""
    favours: str = ""
    elsewhere: Elsewhere | None = None
    apart: bool = True

    @property
    def told(self) -> str:
        """What it comes to, in one line."""
        other = self.elsewhere
        return self.outcome if other is None else (
            f"{self.outcome}; {other.when}: {other.here} (under “{other.like}”: {other.there})")


class Rest(Value, frozen=True):
    """Another question, on the answer to which it rests what is shown of a finding.

    If it is answered by one of the `readings`, the first two answers of which the finding shows a
    play come to the same in the situation shown.
    """

    open_point: str
    readings: tuple[str, ...]
