"""A set of rows as WebAssembly: each kept once, in the order in which they come, with its parent.

Of a row its root is kept, one word of 64 bits (see `tree`); the roots lie one after the other in a
memory of their own, the numbers of their parents in another, and a table has the roots themselves,
so that it is exact.  Rows are gathered and then put in together: the places in the table are looked
up first, one after the other, so that the processor waits for all of them at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..emitter.wasm import I32, I64, Function, Module, Val, const, load
from .table import FULL, WHOLE, Table, mixed, reach
from .tree import Tree

GATHERED = 64
"""So many rows are put in together."""
MOST_BALANCED = 2
"""There is no better tree of so few words."""
ENTRY = 16
"""The bytes of a gathered row: root, parent, slot."""


@dataclass(slots=True)
class Store:
    """Writes the functions of a set of rows.

    A row has one or two `parts` of so many words.  `spare` says whether some bit of the only word
    of a row is always 0; `count` is the address of the number of rows (64 bits).
    """

    module: Module
    parts: Sequence[int]
    spare: bool
    count: int
    tree: Tree = field(init=False)
    table: Table = field(init=False)
    rows: int = field(init=False)
    parents: int = field(init=False)
    """The numbers of the memories."""
    gathered: int = field(init=False)
    waiting: int = field(init=False)
    """The address of the rows that are gathered, and the global that says how many."""
    functions: dict[str, int] = field(default_factory=dict)

    def write(self) -> None:
        """Make the memories and write the functions."""
        module = self.module
        self.rows = module.memory(1, "states")
        self.parents = module.memory(1, "parents")
        self.gathered = self.module.room(ENTRY * GATHERED + 8)
        self.waiting = module.variable()
        self.tree = Tree(module, self.parts, self.spare)
        self.tree.write()
        self.table = Table(module, "slots", self._again)
        self.table.write()
        self._reserve()
        self._settle()
        self._add()
        self._look_up()
        if len(self.parts) == 1 and self.tree.leaves > MOST_BALANCED:
            self._reshape()

    def keys(self, part: int = 0) -> tuple[int, int]:
        """Return where the words of a part are put to be looked up, and where they are read."""
        at = 8 * sum(self.parts[:part])
        return self.tree.key + at, self.tree.base + at

    @property
    def size(self) -> Val:
        """The number of rows, as 32 bits, without those that wait."""
        return load("i32", const(0), self.count)

    @property
    def most(self) -> Val:
        """The number of rows, if all that wait are new."""
        return self.size + Val(b"\x23" + bytes((self.waiting,)))

    def read(self, number: Val) -> Val:
        """Read the words of a row."""
        return self.tree.read(load("i64", number << 3, 0, self.rows))

    def add(self, parent: Val) -> Val:
        """Add the row whose words are in place, if it is new; there must be room."""
        return self.module.call(self.functions["add"], parent)

    def settle(self) -> Val:
        """Put in all rows that wait."""
        return self.module.call(self.functions["settle"])

    def look_up(self) -> Val:
        """Give the number of the row whose words are in place, or -1; this takes time."""
        return self.module.call(self.functions["look_up"])

    def reserve(self, rows: Val) -> Val:
        """Make room for so many more rows; 1 if there is no memory."""
        return self.module.call(self.functions["reserve"], rows)

    # ------------------------------------------------------------------------------ functions

    def _again(self, f: Function, number: Val) -> tuple[Val, Val]:
        """Give the hash of a root, and what its slot holds: its complement, which is never 0."""
        root = f.var(load("i64", number << 3, 0, self.rows))
        return mixed(f, root), root ^ -1

    def _reserve(self) -> None:
        self.functions["reserve"], f = self.module.function((I32,), (I32,))
        total = f.var((self.most + f.param(0)).wide_unsigned)
        reach(f, self.rows, total << 3)
        reach(f, self.parents, total << 2)
        self.table.reserve(f, total, self.size)
        if self.tree.nodes > 1:
            f.give(self.tree.roomy(f.param(0)))
        f.do(const(WHOLE))

    def _settle(self) -> None:
        """Write settle()."""
        self.functions["settle"], f = self.module.function(())
        waiting = Val(b"\x23" + bytes((self.waiting,)))
        end = f.var(waiting * ENTRY)
        at, slot = f.var(0), f.var(0)
        seen, root, entry = f.var(0, I64), f.var(0, I64), f.var(0, I64)
        number = f.var(self.size)
        with f.when(end.zero):
            f.give()
        f.set(seen, const(0, I64))
        with f.loop() as again:
            f.set(slot, self.table.slot(mixed(f, load("i64", at, self.gathered))))
            f.store("i32", at, slot, self.gathered + 12)
            f.set(seen, seen | self.table.entry(slot))
            f.set(at, at + ENTRY)
            f.branch(again, at.op("!=", end))
        f.store("i64", const(0), seen, self.gathered + ENTRY * GATHERED)  # else nothing is read
        f.set(at, 0)
        with f.loop() as again:
            f.set(slot, load("i32", at, self.gathered + 12))
            f.set(root, load("i64", at, self.gathered))
            with f.block() as known:
                with f.block() as free, f.loop() as on:
                    f.set(entry, self.table.entry(slot))
                    f.branch(free, entry.zero)
                    f.branch(known, (entry ^ -1).op("==", root))
                    f.set(slot, self.table.next(slot))
                    f.branch(on)
                self.table.put(f, slot, root ^ -1)
                f.store("i64", number << 3, root, 0, self.rows)
                parent = load("i32", at, self.gathered + 8)
                f.store("i32", number << 2, parent, 0, self.parents)
                f.set(number, number + 1)
            f.set(at, at + ENTRY)
            f.branch(again, at.op("!=", end))
        f.store("i64", const(0), number.wide_unsigned, self.count)
        f.set_global(self.waiting, const(0))

    def _add(self) -> None:
        """Write add(parent)."""
        self.functions["add"], f = self.module.function((I32,))
        waiting = f.var(Val(b"\x23" + bytes((self.waiting,))))
        at = f.var(waiting * ENTRY)
        f.store("i64", at, self.tree.find(), self.gathered)
        f.store("i32", at, f.param(0), self.gathered + 8)
        f.set(waiting, waiting + 1)
        f.set_global(self.waiting, waiting)
        with f.when(waiting.op("==", GATHERED)):
            f.do(self.settle())

    def _look_up(self) -> None:
        """Write look_up() -> number."""
        self.functions["look_up"], f = self.module.function((), (I32,))
        root, number = f.var(self.tree.find()), f.var(self.size)
        with f.block() as none, f.loop() as again:
            f.branch(none, number.zero)
            f.set(number, number - 1)
            f.branch(again, load("i64", number << 3, 0, self.rows).op("!=", root))
            f.give(number)
        f.do(const(-1))

    def _reshape(self) -> None:
        """Write reshape() -> stop: give all rows the roots that they have in the tree wanted."""
        _, f = self.module.function((), (I32,), name="reshape")
        tree, count = self.tree, f.var(self.size)
        reach(f, self.rows, count.wide_unsigned << 4)
        number = f.var(0)
        with f.block() as done, f.loop() as again:
            f.branch(done, number.op("==", count))
            with f.when(tree.roomy(const(1))):
                f.give(const(FULL))
            f.do(self.read(number))
            tree.again(f)
            root = load("i64", const(8 * (tree.nodes - 1)), tree.base)
            f.store("i64", (number + count) << 3, root, 0, self.rows)
            f.set(number, number + 1)
            f.branch(again)
        moved = (count << 3).code * 2 + b"\xfc\x0a" + bytes((self.rows,)) * 2
        f.code += const(0).code + moved
        f.copy(const(tree.places), const(tree.wanted), 4 * (tree.nodes - 1))
        f.do(self.table.refilled(count))
