"""Where a random game takes its choices from: a seed, or hypothesis."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Protocol, TypeVar

from hypothesis import strategies as st

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")


class Source(Protocol):
    """Whatever gives numbers; small numbers stand for simple things."""

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        ...


class Seeded:
    """Numbers from a seed.

    Args:
        seed: of the whole campaign.
        number: of the game in it.

    """

    def __init__(self, seed: int, number: int) -> None:
        self._random = Random(f"{seed}/{number}")  # noqa: S311  (no secrets here)

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        return self._random.randrange(n)


class Drawn:
    """Numbers that hypothesis draws."""

    def __init__(self, draw: Callable[[st.SearchStrategy[int]], int]) -> None:
        self._draw = draw

    def below(self, n: int) -> int:
        """Return a number from 0 to n - 1."""
        return self._draw(st.integers(0, n - 1))


class Choices:
    """Choices of several kinds from one source."""

    def __init__(self, source: Source) -> None:
        self.below = source.below

    def one(self, things: Sequence[T]) -> T:
        """Choose one of some things."""
        return things[self.below(len(things))]

    def weighted(self, things: Sequence[tuple[int, T]]) -> T:
        """Choose one of some things, each as often as its weight says."""
        place = self.below(sum(weight for weight, _ in things))
        for weight, thing in things:
            if place < weight:
                return thing
            place -= weight
        raise AssertionError(place)

    def often(self, percent: int) -> bool:
        """Choose yes so many times in a hundred."""
        return self.below(100) >= 100 - percent

    def some(self, things: Sequence[T], most: int) -> list[T]:
        """Choose up to so many different things."""
        left, found = list(things), list[T]()
        for _ in range(self.below(min(most, len(left)) + 1)):
            found.append(left.pop(self.below(len(left))))
        return found
