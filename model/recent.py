"""What was made of the objects that were asked about last, by their identity.

For what is large and lives long, so that to compare it would cost as much as to make it again.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Makes something of an object once, as long as it is among those that were used last.

    It is kept of `most` objects, and they with it.
    """

    def __init__(self, make: Callable[[K], V], most: int) -> None:
        self._make, self._most = make, most
        self._kept: dict[int, tuple[K, V]] = {}

    def __call__(self, of: K) -> V:
        """Return what was made of this very object."""
        known = self._kept.pop(id(of), None) or (of, self._make(of))
        self._kept[id(of)] = known
        if len(self._kept) > self._most:
            del self._kept[next(iter(self._kept))]
        return known[1]
