"""What is known at a point of generated code: names, elements whose value is at hand, ranges."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from .pieces import Piece

Place = tuple[str, tuple[int, ...]]
"""One element of an array, known when the code is generated."""

Guard = tuple[str, Piece, int]
"""An index that may lie outside: the text that evaluates it, its value from then on, the size."""


@dataclass(frozen=True, slots=True)
class Bag:
    """A bag parameter: the variable that holds the counts, and the most of each kind."""

    text: str
    highs: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Scope:
    """What is known at a point of the code: the buffer to read, names, and values of elements."""

    buffer: str
    names: Mapping[str, Piece | Bag] = field(default_factory=dict)
    known: Mapping[Place, Piece] = field(default_factory=dict)

    def bind(self, name: str, value: Piece | Bag) -> Scope:
        """Give a name a value."""
        return replace(self, names={**self.names, name: value})

    def number(self, name: str) -> Piece:
        """Look a number up."""
        value = self.names[name]
        if isinstance(value, Bag):
            raise TypeError("a bag parameter is read with `Pick`, not with `Local`")
        return value

    def bag(self, name: str) -> Bag:
        """Look a bag up."""
        value = self.names[name]
        if isinstance(value, Piece):
            raise TypeError("a plain parameter is read with `Local`, not with `Pick`")
        return value

    def learn(self, place: Place, value: Piece) -> Scope:
        """Note the value of an element."""
        return replace(self, known={**self.known, place: value})

    def forget(self, arrays: frozenset[str]) -> Scope:
        """Forget the values of elements of some arrays."""
        kept = {place: value for place, value in self.known.items() if place[0] not in arrays}
        return replace(self, known=kept)
