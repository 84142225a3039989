"""A row of words as one number of 64 bits, and back: a tree of numbers that stand for numbers.

Each word of 64 bits that ever comes up gets a number of 32 bits; two such numbers beside each other
are again a word, which gets a number, and so on up to one word, the root.  The same row always has
the same root, another row another one (Laarman, van de Pol, Weber: Parallel Recursive State
Compression for Free, 2011).  What rows have in common is kept once.

Which words stand beside each other is data: at first all paths are about as long; once it is known
how often each word changes, those that change often get the shortest (`by_change`, a Huffman code).

There is one block of memory for a row that is looked up (`key`) and one for the last row that was
read (`base`), with the words of all nodes, the root last; what a row shares with the last one is
not looked up again.  Word 0 has the number 0, so blocks may begin as zeros.
"""

from __future__ import annotations

import heapq
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..emitter.wasm import I32, I64, Function, Module, Val, const, load
from .table import Table, mixed, reach

TAG = -1 << 32
"""The bits of a slot that are those of the hash; the others are the number of the word."""
ABREAST = 4
"""So many words are compared at once."""


def balanced(parts: Sequence[int]) -> list[int]:
    """Return where in a block the number of each node goes; each part of the row is a subtree."""
    places = [0] * sum(parts)
    tops: list[int] = []
    first = 0
    for count in parts:
        waiting = list(range(first, first + count))
        first += count
        while len(waiting) > (2 if len(parts) == 1 else 1):
            _join(places, waiting[:2])
            waiting = [*waiting[2:], len(places) - 1]
        tops += waiting
    _join(places, tops)
    return places[:-1]


def by_change(changes: Sequence[int]) -> list[int]:
    """Return the same for one part; the more often a word changes, the nearer to the root it is."""
    places = [0] * len(changes)
    heap = [(many, number) for number, many in enumerate(changes)]
    heapq.heapify(heap)
    while len(heap) > 1:
        (one, first), (two, second) = heapq.heappop(heap), heapq.heappop(heap)
        _join(places, (first, second))
        heapq.heappush(heap, (one + two, len(places) - 1))
    return places[:-1]


def _join(places: list[int], nodes: Sequence[int]) -> None:
    """Put nodes below a new one."""
    for side, node in enumerate(nodes):
        places[node] = 8 * len(places) + 4 * side
    places.append(0)


@dataclass(slots=True)
class Tree:
    """Writes the functions that find the root of a row, and the row of a root.

    `parts` and `spare` are as of `Store`; a row of one word with a bit to spare is its own root.
    """

    module: Module
    parts: Sequence[int]
    spare: bool
    leaves: int = field(init=False)
    nodes: int = field(init=False)
    """How many words a row has, and with those above them."""
    key: int = field(init=False)
    base: int = field(init=False)
    """Where the two blocks are."""
    places: int = field(init=False)
    wanted: int = field(init=False)
    changes: int = field(init=False)
    """Addresses of tables: where numbers go, and where they are to go; how often words changed."""
    count: int = field(init=False)
    """The address of how many words have numbers, beside word 0 (64 bits)."""
    words: int = field(init=False)
    """The memory in which words lie by their numbers."""
    table: Table = field(init=False)
    functions: dict[str, int] = field(default_factory=dict)

    def write(self) -> None:
        """Lay out the blocks, make the memories, and write the functions."""
        self.leaves = sum(self.parts)
        single = self.leaves == 1 and self.spare
        places = [] if single else balanced(self.parts)
        self.nodes = len(places) + 1
        self.key, self.base = self.module.room(8 * self.nodes), self.module.room(8 * self.nodes)
        self.places, self.wanted, self.changes = (
            self.module.room(4 * self.nodes) for _ in range(3))
        self.count = self.module.room(8)
        if places:
            self.module.data.append((self.places, struct.pack(f"<{len(places)}I", *places)))
            self.words = self.module.memory(1, "words")
            self.table = Table(self.module, "numbers", self._again)
            self.table.write()
            self._number()
            self._roomy()
        self._find()
        self._read()

    # ------------------------------------------------------------------------------ functions

    def roomy(self, rows: Val) -> Val:
        """Make room for so many new rows, 1 if there is no more memory."""
        return self.module.call(self.functions["roomy"], rows)

    def find(self) -> Val:
        """Give the root of the row whose words are in the block `key`."""
        return self.module.call(self.functions["find"])

    def read(self, root: Val) -> Val:
        """Put the row of a root into the block `base`."""
        return self.module.call(self.functions["read"], root)

    def again(self, f: Function) -> None:
        """Give the words of the block `base` their numbers, at the places that are wanted."""
        node = f.var(0)
        with f.loop() as on:
            number = self._of(load("i64", node << 3, self.base))
            f.store("i32", load("i32", node << 2, self.wanted), number, self.base)
            f.set(node, node + 1)
            f.branch(on, node.op("!=", self.nodes - 1))

    def _of(self, word: Val) -> Val:
        return self.module.call(self.functions["number"], word)

    def _again(self, f: Function, number: Val) -> tuple[Val, Val]:
        """Give the hash of the word with number 1 + n, and what its slot holds."""
        hashed = mixed(f, load("i64", (number + 1) << 3, 0, self.words))
        return hashed, hashed & const(TAG, I64) | (number + 1).wide_unsigned

    def _number(self) -> None:
        """Write number(word) -> its number."""
        self.functions["number"], f = self.module.function((I64,), (I32,))
        word = f.param(0)
        with f.when(word.zero):
            f.give(const(0))
        hashed = mixed(f, word)
        slot, tag = f.var(self.table.slot(hashed)), f.var(hashed & const(TAG, I64))
        entry, number = f.var(0, I64), f.var(0)
        with f.loop() as again:
            f.set(entry, self.table.entry(slot))
            with f.when(entry.zero):
                f.set(number, load("i32", const(0), self.count) + 1)
                f.store("i64", number << 3, word, 0, self.words)
                self.table.put(f, slot, tag | number.wide_unsigned)
                f.store("i32", const(0), number, self.count)
                f.give(number)
            with f.when((entry & const(TAG, I64)).op("==", tag)):
                stored = load("i64", entry.low << 3, 0, self.words)
                with f.when(stored.op("==", word)):
                    f.give(entry.low)
            f.set(slot, self.table.next(slot))
            f.branch(again)
        f.fail()

    def _roomy(self) -> None:
        """Write roomy(rows) -> 1 if there is no more memory."""
        self.functions["roomy"], f = self.module.function((I32,), (I32,))
        count = load("i32", const(0), self.count)
        more = f.param(0).wide_unsigned * const(self.nodes, I64)
        total = f.var(count.wide_unsigned + more)
        reach(f, self.words, (total + const(1, I64)) << 3)
        self.table.reserve(f, total, count)
        f.do(const(0))

    def _find(self) -> None:
        """Write find() -> the root of the row in `key`."""
        self.functions["find"], f = self.module.function((), (I64,))
        inner = 8 * self.leaves
        f.copy(const(self.key + inner), const(self.base + inner), 8 * self.nodes - inner)
        node, end = f.var(0), f.var(0)

        def differ(at: Val) -> Val:
            return load("i64", at, self.key) ^ load("i64", at, self.base)

        def look(many: int) -> None:
            """Look at so many nodes, those below first: what changes may be below the next."""
            f.set(end, node + many)
            with f.loop() as on:
                with f.when(differ(node << 3).op("!=", const(0, I64))):
                    number = self._of(load("i64", node << 3, self.key))
                    f.store("i32", load("i32", node << 2, self.places), number, self.key)
                    f.store("i32", node << 2, load("i32", node << 2, self.changes) + 1,
                            self.changes)
                f.set(node, node + 1)
                f.branch(on, node.op("!=", end))

        groups, rest = divmod(self.nodes - 1, ABREAST)
        if groups:
            with f.loop() as again:
                parts = [differ((node << 3) + 8 * i) for i in range(ABREAST)]
                whole = (parts[0] | parts[1]) | (parts[2] | parts[3])
                f.open(whole.zero.code + b"\x04\x40")
                f.set(node, node + ABREAST)
                f.otherwise()
                look(ABREAST)
                f.end()
                f.branch(again, node.op("!=", ABREAST * groups))
        if rest:
            look(rest)
        f.do(load("i64", const(0), self.key + 8 * (self.nodes - 1)))

    def _read(self) -> None:
        """Write read(root)."""
        self.functions["read"], f = self.module.function((I64,))
        f.store("i64", const(0), f.param(0), self.base + 8 * (self.nodes - 1))
        if self.nodes == 1:
            return
        node, number = f.var(self.nodes - 1), f.var(0)
        with f.loop() as again:
            f.set(node, node - 1)
            f.set(number, load("i32", load("i32", node << 2, self.places), self.base))
            f.store("i64", node << 3, load("i64", number << 3, 0, self.words), self.base)
            f.branch(again, node)
