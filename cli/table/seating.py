"""Who sits where: what `--seat` and `--seats` mean."""

from __future__ import annotations

from ...checker.seats import KINDS, Kind
from ...model.source.errors import UsageError, quote
from ..options import one_of


def seated(each: list[str], rest: str | None, players: int) -> tuple[Kind, ...]:
    """Seat the players."""
    kinds: list[Kind] = ["human", *(["greedy"] * (players - 1))]  # type: ignore[list-item]
    if rest is not None:
        kinds = [_kind(rest)] * players
    for given in each:
        number, equals, kind = given.partition("=")
        if not equals or not number.strip().isdecimal() or len(number) > 9:
            raise UsageError(f"{quote(given)} is not of the form N=KIND, as in `2=random`")
        if not 1 <= int(number) <= players:
            raise UsageError(f"there is no seat {number}; this game has {players}")
        kinds[int(number) - 1] = _kind(kind.strip())
    return tuple(kinds)


def _kind(word: str) -> Kind:
    for kind in KINDS:
        if kind == word:
            return kind
    raise UsageError(f"nobody is called {quote(word)}; {one_of(word, KINDS)}")
