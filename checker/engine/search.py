"""Breadth-first search in compiled code, as Python sees it: states by number, counts, events."""

from __future__ import annotations

import struct
from array import array
from collections.abc import Iterator, Sequence
from typing import NamedTuple, overload

from ..drivers.breadth import COUNTS
from ..drivers.store import MOST_BALANCED
from ..drivers.table import FULL
from ..drivers.tree import by_change
from .engine import Engine

BLOCK = 1024
"""So many states are read at once."""


class Event(NamedTuple):
    """What happened for the first time: its kind (see `breadth`), a state, the number of a move."""

    kind: int
    state: int
    move: int


class Counts(NamedTuple):
    """What has been counted; `cursor` is the next state to be expanded."""

    states: int
    cursor: int
    transitions: int
    final: int
    stuck: int
    events: int


class Search:
    """A search under way, with an instance of the compiled machine of its own."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.compiled, self.running = engine.compiled, engine.running
        length = engine.layout.length
        self.kept = min(self.compiled.folding.unfolded, length)
        self.tail = engine.template[self.kept:]
        self._counts = struct.Struct(f"<{len(COUNTS)}Q")

    def counts(self) -> Counts:
        """Return what has been counted."""
        row = self.running.read(self.compiled.counts["states"], self._counts.size)
        return Counts(*self._counts.unpack(row))

    def count(self, counts: Counts) -> None:
        """Put counts back, after states have been added."""
        self.running.write(self.compiled.counts["states"], self._counts.pack(*counts))

    def add(self, packed: bytes, parent: int) -> None:
        """Add a state.

        Raises:
            MemoryError: if there is no room for it.

        """
        self.running.write(self.compiled.state, packed)
        if self.engine.call("add", self.compiled.state, parent) == FULL:
            raise MemoryError("the states do not fit into memory")

    def advance(self, most: int, end: int, budget: int) -> bool:
        """Expand states up to number `end`, while fewer than `most` have been found.

        It stops when `budget` states and moves have been looked at.  Give False if there was no
        memory for more.
        """
        return self.engine.call("advance", most, end, budget) != FULL

    def reshape(self) -> None:
        """Keep states so that what has changed often is looked up fast; no state changes."""
        tree = self.compiled.tree
        if tree["words"] > MOST_BALANCED:
            row = self.running.read(tree["changes"], 4 * tree["words"])
            places = by_change(struct.unpack(f"<{tree['words']}I", row))
            self.running.write(tree["wanted"], struct.pack(f"<{len(places)}I", *places))
            self.engine.call("reshape")

    def find(self, packed: bytes) -> int:
        """Return the number of a state, -1 if it has not been found."""
        self.running.write(self.compiled.state, packed)
        return self.engine.call("find", self.compiled.state)

    def events(self, since: int) -> list[Event]:
        """List what happened for the first time, from an event on."""
        count = self.counts().events
        row = self.running.read(self.compiled.events + 12 * since, 12 * (count - since))
        return [Event(*each) for each in struct.iter_unpack("<3I", row)]

    def see(self, flags: int, edges: Sequence[int], rests: Sequence[int]) -> None:
        """Take flags, endless moves of edges (by id) and stuck rests as seen before."""
        made = self.compiled
        self.running.write(made.seen, flags.to_bytes(8 * made.words, "little"))
        numbers = {edge: number for number, (edge, _) in enumerate(made.edges)}
        for edge in edges:
            self.running.write(made.tables["endless"] + numbers[edge], b"\1")
        for rest in rests:
            self.running.write(made.tables["stuck"] + rest, b"\1")

    def parents(self) -> array[int]:
        """Return the number of the parent of each state."""
        found = array("I")
        found.frombytes(self.running.read(0, 4 * self.counts().states, "parents"))
        return found

    def memory(self) -> int:
        """Return the bytes that states, parents and the table take."""
        tree, tables = self.compiled.tree, self.running.size("slots")
        if tree["nodes"] > 1:
            words = int.from_bytes(self.running.read(tree["count"], 8), "little")
            tables += 8 * words + self.running.size("numbers")
        return 12 * self.counts().states + tables


class States(Sequence[bytes]):
    """All states found, in order, packed."""

    def __init__(self, search: Search) -> None:
        self._search = search

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]  # it grows

    def __len__(self) -> int:
        return self._search.counts().states

    @overload
    def __getitem__(self, index: int) -> bytes: ...
    @overload
    def __getitem__(self, index: slice) -> list[bytes]: ...
    def __getitem__(self, index: int | slice) -> bytes | list[bytes]:
        if isinstance(index, slice):
            first, last, step = index.indices(len(self))
            if step != 1:
                return [self[i] for i in range(first, last, step)]
            return list(self._rows(first, last))
        number = index if index >= 0 else index + len(self)
        if not 0 <= number < len(self):
            raise IndexError(index)
        return next(self._rows(number, number + 1))

    def __iter__(self) -> Iterator[bytes]:
        return self._rows(0, len(self))

    def _rows(self, first: int, last: int) -> Iterator[bytes]:
        search = self._search
        made, kept, tail = search.compiled, search.kept, search.tail
        size = made.folding.unfolded
        for start in range(first, last, BLOCK):
            many = min(BLOCK, last - start)
            search.engine.call("rows", start, many, made.records)
            rows = search.running.read(made.records, many * size)
            for at in range(0, len(rows), size):
                yield rows[at : at + kept] + tail
