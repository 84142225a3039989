"""A set of rows as WebAssembly: each kept once, in the order in which they come, with its parent.

Rows of one length lie one after the other in a memory of their own; the numbers of their parents in
another; a third is a table with linear probing whose entries are 64 bits: the upper half of the
hash, and the number of the row + 1.  Every row is compared in full.  A row that is looked up or
added lies at `key` in memory 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..emitter.wasm import I32, I64, PAGE, Function, Module, Val, const, get_global, load

FIRST_SLOTS = 1 << 14
FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
"""Odd numbers with bits well mixed: the primes of xxHash, and of Steele's generators."""

WHOLE, FULL = 0, 1
"""What a driver gives back: it did what was asked; there is no more memory."""


@dataclass(slots=True)
class Store:
    """Writes the functions of a set of rows.

    Args:
        module: the module.
        stored: the bytes of a row, a multiple of 8.
        key: the address of the row that is asked about.
        count: the address of the number of rows (64 bits).

    """

    module: Module
    stored: int
    key: int
    count: int
    rows: int = field(init=False)
    slots: int = field(init=False)
    parents: int = field(init=False)
    """The numbers of the memories."""
    entries: int = field(init=False)
    """The global that holds the number of slots."""
    functions: dict[str, int] = field(default_factory=dict)

    def write(self) -> None:
        """Make the memories and write the functions."""
        module = self.module
        self.rows = module.memory(1, "states")
        self.slots = module.memory(FIRST_SLOTS * 8 // PAGE, "slots")
        self.parents = module.memory(1, "parents")
        self.entries = module.variable(FIRST_SLOTS)
        self._hash()
        self._probe()
        self._grow()
        self._insert()

    @property
    def size(self) -> Val:
        """The number of rows, as 32 bits."""
        return load("i32", const(0), self.count)

    def look_up(self) -> Val:
        """Give the number of the row at `key`, or a number below 0."""
        module = self.module
        key = const(self.key)
        return module.call(self.functions["probe"], key, module.call(self.functions["hash"], key))

    def insert(self, parent: Val) -> Val:
        """Add the row at `key` if it is new; there must be room."""
        return self.module.call(self.functions["insert"], parent)

    def reserve(self, f: Function, total: Val) -> None:
        """Make room for so many rows (a local of 64 bits), or give `FULL` back."""
        reach(f, self.rows, f.var(total * self.stored))
        reach(f, self.parents, f.var(total << 2))
        entries = get_global(self.entries)
        with f.loop() as again, f.when((total << 1).op(">u", entries.wide_unsigned)):
            # Fourfold while it is small: then the rows are few that must be put in anew.
            more = f.var(entries.op("<u", 1 << 20).choose(entries << 2, entries << 1))
            with f.when(more.zero | more.op(">u", 1 << 28)):
                f.give(const(FULL))
            with f.when(self.module.call(self.functions["grow"], more)):
                f.give(const(FULL))
            f.branch(again)

    # ------------------------------------------------------------------------------ functions

    def _hash(self) -> None:
        """Write hash(address, in memory 0) and the same for the memory of the rows."""
        for name, memory in (("hash", 0), ("hash_stored", self.rows)):
            self.functions[name], f = self.module.function((I32,), (I64,))
            words = self.stored // 8
            lanes = [f.var(FACTORS[i] ^ self.stored, I64) for i in range(min(4, words))]

            def take(at: Val, word: int, f: Function = f, lanes: list[Val] = lanes,
                     memory: int = memory) -> None:
                lane = lanes[word % 4]
                mixed = f.var((lane ^ load("i64", at, 8 * word, memory))
                              * const(FACTORS[word % 4], I64))
                f.set(lane, mixed ^ mixed >> 32)

            done = 0
            at = f.var(f.param(0))
            if words >= 32:
                end = f.var(at + words // 16 * 128)
                with f.loop() as again:
                    for word in range(16):
                        take(at, word)
                    f.set(at, at + 128)
                    f.branch(again, at.op("!=", end))
                done = words // 16 * 16
            for word in range(words - done):
                take(at, word)
            whole = lanes[0]
            for i, lane in enumerate(lanes[1:]):
                mixed = f.var((whole ^ lane >> 29) * const(FACTORS[i], I64) + lane)
                whole = f.var(mixed ^ mixed >> 32)
            whole = f.var((whole ^ whole >> 30) * const(FACTORS[3], I64))
            f.do(whole ^ whole >> 28)

    def _probe(self) -> None:
        """Write probe(address, hash) -> number of the row, or -1 - the slot where it belongs."""
        self.functions["probe"], f = self.module.function((I32, I64), (I32,))
        at, key = f.param(0), f.param(1)
        mask = f.var(get_global(self.entries) - 1)
        slot = f.var(key.low & mask)
        tag = f.var(key & const(-1 << 32, I64))
        entry, stored = f.var(0, I64), f.var(0)
        with f.loop() as again:
            f.set(entry, load("i64", slot << 3, 0, self.slots))
            with f.when(entry.op("==", const(0, I64))):
                f.give(const(-1) - slot)
            with f.when((entry & const(-1 << 32, I64)).op("==", tag)), f.block() as other:
                f.set(stored, (entry.low - 1) * self.stored)
                self._same(f, at, stored, other)
                f.give(entry.low - 1)
            f.set(slot, (slot + 1) & mask)
            f.branch(again)
        f.fail()

    def _same(self, f: Function, at: Val, stored: Val, other: int) -> None:
        """Branch if a row differs from a stored one."""
        words, done = self.stored // 8, 0
        here = f.var(at)

        def differs(first: int, many: int) -> Val:
            whole: Val | None = None
            for word in range(first, first + many):
                part = load("i64", here, 8 * word) ^ load("i64", stored, 8 * word, self.rows)
                whole = part if whole is None else whole | part
            assert whole is not None
            return whole.op("!=", const(0, I64))

        if words >= 16:
            end = f.var(at + words // 8 * 64)
            with f.loop() as again:
                f.branch(other, differs(0, 8))
                f.set(here, here + 64)
                f.set(stored, stored + 64)
                f.branch(again, here.op("!=", end))
            done = words // 8 * 8
        if words > done:
            f.branch(other, differs(0, words - done))

    def _grow(self) -> None:
        """Write grow(entries): make the table anew, with so many slots; 1 if there is no memory."""
        self.functions["grow"], f = self.module.function((I32,), (I32,))
        entries, memory = f.param(0), bytes((self.slots,))
        need = f.var((entries >> 13) - Val(b"\x3f" + memory))
        with f.when(need.op(">", 0)):
            grown = Val(need.code + b"\x40" + memory)
            with f.when(grown.op("==", -1)):
                f.give(const(1))
        f.code += const(0).code * 2 + (entries << 3).code + b"\xfc\x0b" + memory
        f.set_global(self.entries, entries)
        mask, number, slot = f.var(entries - 1), f.var(0), f.var(0)
        key, count = f.var(0, I64), f.var(self.size)
        with f.block() as done, f.loop() as again:
            f.branch(done, number.op(">=u", count))
            stored = self.functions["hash_stored"]
            f.set(key, self.module.call(stored, number * self.stored))
            f.set(slot, key.low & mask)
            with f.block() as free, f.loop() as on:
                taken = load("i64", slot << 3, 0, self.slots)
                f.branch(free, taken.op("==", const(0, I64)))
                f.set(slot, (slot + 1) & mask)
                f.branch(on)
            f.set(number, number + 1)
            entry = key & const(-1 << 32, I64) | number.wide_unsigned
            f.store("i64", slot << 3, entry, 0, self.slots)
            f.branch(again)
        f.do(const(0))

    def _insert(self) -> None:
        """Write insert(parent): add the row at `key` if it is new."""
        self.functions["insert"], f = self.module.function((I32,))
        key = f.var(self.module.call(self.functions["hash"], const(self.key)))
        slot = f.var(self.module.call(self.functions["probe"], const(self.key), key))
        with f.when(slot.op("<", 0)):
            number = f.var(self.size)
            target = f.var(number * self.stored)
            f.copy(target, const(self.key), self.stored, (self.rows, 0))
            f.store("i32", number << 2, f.param(0), 0, self.parents)
            entry = key & const(-1 << 32, I64) | (number + 1).wide_unsigned
            f.store("i64", (const(-1) - slot) << 3, entry, 0, self.slots)
            f.store("i64", const(0), (number + 1).wide_unsigned, self.count)


def reach(f: Function, memory: int, end: Val) -> None:
    """Make a memory reach to an end (64 bits), or give `FULL` back."""
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
