"""What is known of two machines before a driver for both is written."""

from __future__ import annotations

from dataclasses import dataclass

from ..drivers.folding import Folding

FINAL, CHANCE, LIMITED, OPEN = 1, 2, 4, 8
"""Of a rest: the game is over; chance decides; limits may forbid moves; who is next is open."""


@dataclass(frozen=True, slots=True)
class ModuleLayout:
    """What is known of one machine's module.

    `flags`, `args`, `after` and `size` are offsets in a record of a move and its length, `words` of
    64 bits its flags, of which `limits` (bits of the first word) tell of limits; `records`, `state`
    and `start` addresses of the records, of a state that is worked on and of the first one, `width`
    the length of a state, `head` that of its rank; `passes` is the address of a byte for each edge.
    """

    folding: Folding
    flags: int
    args: int
    after: int
    size: int
    words: int
    limits: int
    records: int
    state: int
    start: int
    width: int
    head: int
    passes: int


@dataclass(frozen=True, slots=True)
class PairParameters:
    """What a lock-step is compiled for.

    `cuts` are what is compared of two states: a level, where it begins in each, its length.
    `edges`, `rests`, `labels`, `keys` and `places` are how many of them there may be.  `odds`: how
    likely moves of chance are is compared.  `one_code`: both run the same code from the same start,
    and features tell them apart.
    """

    sides: tuple[ModuleLayout, ModuleLayout]
    cuts: tuple[tuple[int, int, int, int], ...]
    duties: bool
    edges: int
    rests: int
    labels: int
    keys: int
    places: int
    odds: bool = True
    one_code: bool = False
