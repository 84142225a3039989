"""What a player may do, in words; moves that differ in one thing only are told as one.

`player 1 plays Cat on player 2` and `player 1 plays Dog on player 2` are `player 1 plays Cat or Dog
on player 2`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

ALTERNATIVES = 4
"""So many things are named of those that may be chosen; of more, one fewer and how many others."""

Say = Callable[[Mapping[str, str]], str]
"""Says a move from the texts of what is chosen in it, by what they are called."""


@dataclass(frozen=True, slots=True)
class Offer:
    """One move, or several of a kind.

    Moves of one `kind` are said in the same way; `shown` are, for each thing that is chosen, what
    it is called and the texts of what may be chosen.
    """

    kind: tuple[object, ...]
    shown: tuple[tuple[str, tuple[str, ...]], ...]
    say: Say = field(compare=False)

    @property
    def text(self) -> str:
        """The sentence."""
        return self.say({label: either(some) for label, some in self.shown})

    @property
    def number(self) -> int:
        """How many moves it is."""
        product = 1
        for _, some in self.shown:
            product *= len(some)
        return product

    def with_other(self, other: Offer) -> Offer | None:
        """Return both as one offer, if they differ in what may be chosen for one thing."""
        if self.kind != other.kind or [a for a, _ in self.shown] != [b for b, _ in other.shown]:
            return None
        unlike = [place for place, (mine, its) in enumerate(zip(
            self.shown, other.shown, strict=True)) if mine != its]
        if len(unlike) != 1:
            return None
        (place,) = unlike
        label, some = self.shown[place]
        both = (label, (*some, *(text for text in other.shown[place][1] if text not in some)))
        return replace(self, shown=(*self.shown[:place], both, *self.shown[place + 1:]))


def joined(offers: Iterable[Offer]) -> list[Offer]:
    """Put offers together, in their order, until no two differ in one thing only."""
    made = list(dict.fromkeys(offers))
    first = 0
    while first < len(made):
        found = next(((place, both) for place in range(first + 1, len(made))
                      if (both := made[first].with_other(made[place])) is not None), None)
        if found is None:
            first += 1
            continue
        place, made[first] = found
        del made[place]
        first = 0
    return made


def either(some: Sequence[str]) -> str:
    """Say what one may choose from: `A`, `A or B`, `A, B, C or one of 7 others`."""
    if len(some) < 2:
        return "".join(some)
    named = [text or "nothing" for text in some]
    if len(named) > ALTERNATIVES:
        named[ALTERNATIVES - 1:] = [f"one of {len(named) - ALTERNATIVES + 1} others"]
    *others, last = named
    between = ", or " if any(" and " in text or ", " in text for text in named) else ", "
    return f"{between.join(others)}{', or ' if between == ', or ' else ' or '}{last}"
