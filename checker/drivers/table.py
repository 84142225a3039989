"""A hash table as WebAssembly: slots of 64 bits with linear probing, in a memory of its own.

It grows fourfold while it is small, then twofold, and is filled anew from what it indexes.  At most
three slots in four are taken.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ..emitter.wasm import I32, I64, PAGE, Function, Module, Val, const, get_global, load

FIRST_SLOTS = 1 << 13
MOST_SLOTS = 1 << 28
"""2 GiB."""

FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)
"""Odd numbers with bits well mixed: of Steele's generators, and a prime of xxHash."""

WHOLE, FULL = 0, 1
"""What a driver gives back: it did what was asked; there is no more memory."""


def mixed(f: Function, word: Val) -> Val:
    """Hash a word; different words have different hashes, of which all bits are good."""
    here = f.var(word * const(FACTORS[0], I64))
    f.set(here, (here ^ here >> 32) * const(FACTORS[1], I64))
    f.set(here, here ^ here >> 29)
    return here


@dataclass(slots=True)
class Table:
    """Writes a table, whose memory is exported by its name.

    `again` gives the hash of what has a number, from 0 on, and what its slot holds (not 0).
    """

    module: Module
    name: str
    again: Callable[[Function, Val], tuple[Val, Val]]
    memory: int = field(init=False)
    slots: int = field(init=False)
    """The global that holds how many slots there are."""
    functions: dict[str, int] = field(default_factory=dict)

    def write(self) -> None:
        """Make the memory and write the function that grows it."""
        self.memory = self.module.memory(FIRST_SLOTS * 8 // PAGE, self.name)
        self.slots = self.module.variable(FIRST_SLOTS)
        self._grow()

    def slot(self, hashed: Val) -> Val:
        """Return the slot where to look first."""
        return hashed.low & (get_global(self.slots) - 1)

    def next(self, slot: Val) -> Val:
        """Return the slot where to look next."""
        return (slot + 1) & (get_global(self.slots) - 1)

    def entry(self, slot: Val) -> Val:
        """Read a slot; 0 if it is free."""
        return load("i64", slot << 3, 0, self.memory)

    def put(self, f: Function, slot: Val, entry: Val) -> None:
        """Write a slot."""
        f.store("i64", slot << 3, entry, 0, self.memory)

    def refilled(self, count: Val) -> Val:
        """Fill the table anew with so many things; 0."""
        return self.module.call(self.functions["grow"], get_global(self.slots), count)

    def reserve(self, f: Function, total: Val, count: Val) -> None:
        """Make room for so many things (64 bits), of which `count` are there; or give `FULL`."""
        slots = get_global(self.slots)
        with f.loop() as again, f.when((total << 2).op(">u", slots.wide_unsigned * const(3, I64))):
            more = f.var(slots.op("<u", 1 << 20).choose(slots << 2, slots << 1))
            with f.when(more.op(">u", MOST_SLOTS)):
                f.give(const(FULL))
            with f.when(self.module.call(self.functions["grow"], more, count)):
                f.give(const(FULL))
            f.branch(again)

    def _grow(self) -> None:
        """Write grow(slots, count): fill a table of so many slots; 1 if there is no memory."""
        self.functions["grow"], f = self.module.function((I32, I32), (I32,))
        slots, memory = f.param(0), bytes((self.memory,))
        need = f.var((slots >> 13) - Val(b"\x3f" + memory))
        with f.when(need.op(">", 0)):
            grown = Val(need.code + b"\x40" + memory)
            with f.when(grown.op("==", -1)):
                f.give(const(FULL))
        f.code += const(0).code * 2 + (slots << 3).code + b"\xfc\x0b" + memory
        f.set_global(self.slots, slots)
        number, slot = f.var(0), f.var(0)
        with f.block() as done, f.loop() as again:
            f.branch(done, number.op(">=u", f.param(1)))
            hashed, entry = self.again(f, number)
            f.set(slot, self.slot(hashed))
            with f.block() as free, f.loop() as on:
                f.branch(free, self.entry(slot).zero)
                f.set(slot, self.next(slot))
                f.branch(on)
            self.put(f, slot, entry)
            f.set(number, number + 1)
            f.branch(again)
        f.do(const(WHOLE))


def reach(f: Function, memory: int, end: Val) -> None:
    """Make a memory reach to an end (64 bits), or give `FULL` back."""
    end = f.var(end)
    size = Val(b"\x3f" + bytes((memory,)))
    pages = f.var((end >> 16).low + 1)
    with f.when(pages.op(">u", size)):
        more = f.var(pages - size)
        spare = f.var(size >> 3)
        wanted = f.var((pages + spare).op(">u", PAGE).choose(more, more + spare))
        full = end.op(">u", (1 << 32) - PAGE)
        with f.when(full):
            f.give(const(FULL))
        grown = Val(wanted.code + b"\x40" + bytes((memory,)))
        with f.when(grown.op("==", -1)):
            f.give(const(FULL))
