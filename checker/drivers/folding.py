"""States in less room: words of which few bits are in use, turned and laid over each other.

A state in memory is words of 64 bits, in which every element has a byte or more.  What bits of a
word can be set follows from the ranges.  Words whose bits do not collide once they are turned
(rotated) share one word of the folded state: to fold takes two operations a word, to unfold two.
The first place that fits is taken; the least room is not sought.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..emitter.wasm import I32, I64, Module, Val, const, load
from ..packed.packing import Layout

ALL = (1 << 64) - 1


@dataclass(frozen=True, slots=True)
class FoldedWord:
    """Where a word of a state goes: which word, turned by how much, and which bits may be set.

    `fixed` are the bits that are the same in every state.
    """

    target: int
    turn: int
    mask: int
    fixed: int


@dataclass(frozen=True, slots=True)
class Folding:
    """How all words of a state are folded, and the number of folded words."""

    words: tuple[FoldedWord, ...]
    size: int

    @property
    def spare(self) -> bool:
        """Whether some bit of the first folded word is always 0."""
        used = 0
        for word in self.words:
            used |= turned(word.mask, word.turn) if word.target == 0 else 0
        return used != ALL

    @property
    def unfolded(self) -> int:
        """The bytes that are written for it."""
        return 8 * len(self.words)

    def write(self, module: Module, places: tuple[int, int], states: int = 0) -> tuple[int, int]:
        """Write fold(address) and unfold(address); give their numbers.

        States lie in the memory `states`.  Folding is to the first of two places of memory 0, and
        unfolding from the second.
        """
        key, base = places
        fold, f = module.function((I32,))
        whole: dict[int, Val] = {}
        for i, word in enumerate(self.words):
            if not word.mask:
                continue
            part = load("i64", f.param(0), 8 * i, states)
            if word.fixed:
                part = part & const(word.mask, I64)
            if word.turn:
                part = part.op("rotl", word.turn)
            whole[word.target] = whole[word.target] | part if word.target in whole else part
        for target, value in whole.items():
            f.store("i64", const(0), value, key + 8 * target)
        unfold, f = module.function((I32,))
        parts = [f.var(load("i64", const(0), base + 8 * i)) for i in range(self.size)]
        for i, word in enumerate(self.words):
            value = const(word.fixed, I64)
            if word.mask:
                value = parts[word.target]
                if word.turn:
                    value = value.op("rotl", 64 - word.turn)
                if word.mask != ALL:
                    value = value & const(word.mask, I64)
                if word.fixed:
                    value = value | const(word.fixed, I64)
            f.store("i64", f.param(0), value, 8 * i, states)
        return fold, unfold


def turned(word: int, turn: int) -> int:
    """Rotate 64 bits to the left."""
    return (word << turn | word >> 64 - turn) & ALL


def folding_of(layout: Layout, start: bytes) -> Folding:
    """Find how the states of a layout are folded; `start` is one of them."""
    end = layout.length
    for slot in reversed(list(layout.slots.values())):
        if not slot.array.scratch:
            break
        end = slot.start
    bits = bytearray((end + 7) // 8 * 8)
    ranks = max(1, (len(layout.rests) - 1).bit_length())
    bits[: layout.head] = ((1 << ranks) - 1).to_bytes(layout.head, "little")
    for slot in layout.slots.values():
        if slot.start < end:
            span = (1 << (slot.array.high - slot.array.low).bit_length()) - 1
            bits[slot.start : slot.end] = span.to_bytes(slot.width, "little") * slot.size
    taken: list[int] = []
    words: list[FoldedWord] = []
    for at in range(0, len(bits), 8):
        mask = int.from_bytes(bits[at : at + 8], "little")
        fixed = int.from_bytes(start[at : at + 8], "little") & ~mask & ALL
        words.append(_placed(mask, fixed, taken))
    return Folding(tuple(words), len(taken))


def _placed(mask: int, fixed: int, taken: list[int]) -> FoldedWord:
    """Find the first place for a word; its bits are then taken."""
    room = 64 - mask.bit_count()
    for target, used in enumerate(taken):
        if used.bit_count() > room:
            continue
        for turn in range(64):
            if not turned(mask, turn) & used:
                taken[target] |= turned(mask, turn)
                return FoldedWord(target, turn, mask, fixed)
    taken.append(mask)
    return FoldedWord(len(taken) - 1, 0, mask, fixed)
