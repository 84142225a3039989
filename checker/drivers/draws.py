"""Random numbers that are the same on every platform, in Python and in compiled code."""

from __future__ import annotations

import hashlib

from ..emitter.wasm import I64, Function, Val, const

GAMMA = 0x9E3779B97F4A7C15
MIXERS = ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB))
LAST_SHIFT = 31
ALL = (1 << 64) - 1


def place_of(seed: int | str) -> int:
    """Return the place of a seed, or a name: 64 bits of a hash of it."""
    return int.from_bytes(hashlib.sha256(str(seed).encode()).digest()[:8], "little")


def mixed(value: int) -> int:
    """Mix 64 bits, as splitmix64 does."""
    for shift, factor in MIXERS:
        value = (value ^ value >> shift) * factor & ALL
    return value ^ value >> LAST_SHIFT


def mix(f: Function, value: Val) -> Val:
    """Write the same."""
    here = f.var(value)
    for shift, factor in MIXERS:
        f.set(here, (here ^ here >> shift) * const(factor, I64))
    return here ^ here >> LAST_SHIFT


class Draws:
    """The numbers drawn in one play: splitmix64 (Steele, Lea, Flood, 2014).

    A number below n is drawn without bias by Lemire's method (2019) from the upper 32 bits, or, if
    n has more than 32 bits, by rejection; where there is one choice only, nothing is drawn.
    """

    def __init__(self, seed: int, number: int) -> None:
        self.state = mixed(place_of(seed) + (number + 1) * GAMMA & ALL)

    def _next(self) -> int:
        self.state = self.state + GAMMA & ALL
        return mixed(self.state)

    def randrange(self, n: int) -> int:
        """Draw a number from 0 to n - 1."""
        if n == 1:
            return 0
        if n < 1 << 32:
            least = (1 << 32) % n
            while True:
                bits = (self._next() >> 32) * n
                if bits & (1 << 32) - 1 >= least:
                    return bits >> 32
        least = (1 << 64) % n
        while (bits := self._next()) < least:
            pass
        return bits % n
