"""Breadth-first search as WebAssembly: all states reached, in the order in which they are found.

    advance(most, end, budget) -> stop    expands states up to the number `end`, until states and
                                          moves are as many as the budget
    find(t) -> number                     looks a state up; -1 if it has not been found
    add(t, parent) -> stop                adds a state that lies in memory 0
    rows(first, count, to)                unfolds states, one after the other, into memory 0

States are the rows of a `Store`, folded (see `folding`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..emitter.wasm import I32, I64, Function, Val, const, get_global, load
from ..packed.flags import BEYOND
from ..packed.flags import ENDLESS as _ENDLESS
from .expand import Successors
from .folding import Folding
from .store import Store
from .table import FULL, WHOLE

COUNTS = ("states", "cursor", "transitions", "final", "stuck", "events")
FLAGGED, ENDLESS, STUCK = 0, 1, 2
"""The kinds of events; an event is its kind, the state, and the number of the move (32 bits)."""


@dataclass(slots=True)
class Breadth:
    """Writes the functions above."""

    successors: Successors
    folding: Folding
    state: int
    """The address of the state that is expanded; what is not kept is there already."""
    counts: dict[str, int] = field(default_factory=dict)
    seen: int = 0
    events: int = 0
    store: Store = field(init=False)
    tables: dict[str, int] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    fold: int = 0
    unfold: int = 0
    """The functions that fold a state to be looked up, and unfold one that was read."""

    def write(self) -> None:
        """Write everything."""
        unit, successors = self.successors.unit, self.successors
        module = unit.module
        room = unit.module.room(8 * len(COUNTS))
        self.counts = {name: room + 8 * i for i, name in enumerate(COUNTS)}
        self.seen = unit.module.room(8 * unit.words)
        rests, edges = len(unit.layout.rests), len(successors.parts.edges)
        finals = bytes(successors.parts.nodes[node].kind == "final" for node in unit.layout.rests)
        self.tables = {"endless": unit.module.room(edges), "stuck": unit.module.room(rests),
                        "final": unit.module.room(rests)}
        module.data.append((self.tables["final"], finals))
        self.events = unit.module.room(12 * (64 * unit.words + edges + rests))
        folding = self.folding
        self.store = Store(module, (folding.size,), folding.spare, self.counts["states"])
        self.store.write()
        self.fold, self.unfold = folding.write(module, self.store.keys())
        self._event()
        self._judge()
        self._advance()
        self._face()

    def get(self, name: str) -> Val:
        """Read a count, as 32 bits."""
        return load("i32", const(0), self.counts[name])

    def raise_(self, f: Function, name: str, by: Val | int = 1) -> None:
        """Raise a count."""
        at = self.counts[name]
        more = const(by, I64) if isinstance(by, int) else by.wide_unsigned
        f.store("i64", const(0), load("i64", const(0), at) + more, at)

    # ------------------------------------------------------------------------------ search

    def _event(self) -> None:
        """Write event(kind, move): keep that something happened for the first time."""
        module = self.successors.unit.module
        self.functions["event"], f = module.function((I32, I32))
        at = f.var(self.get("events") * 12)
        f.store("i32", at, f.param(0), self.events)
        f.store("i32", at, self.get("cursor"), self.events + 4)
        f.store("i32", at, f.param(1), self.events + 8)
        self.raise_(f, "events")

    def _first(self, f: Function, table: str, index: Val, kind: int, move: Val) -> None:
        """Tell of the first time that something happens, by a number."""
        at = self.tables[table]
        with f.when(load("u8", index, at).zero):
            f.store("u8", index, 1, at)
            f.do(self.successors.unit.module.call(self.functions["event"], const(kind), move))

    def _judge(self) -> None:
        """Write judge(record, number) -> 1 if the move leads to a next state."""
        successors = self.successors
        unit, record = successors.unit, successors.record
        self.functions["judge"], f = unit.module.function((I32, I32), (I32,))
        at, number = f.param(0), f.param(1)
        words = [f.var(load("i64", at, record["flags"] + 8 * i)) for i in range(unit.words)]
        with f.when((words[0] & 1).low):
            f.give(const(0))
        with f.when((words[0] & (_ENDLESS | BEYOND)).op("==", const(_ENDLESS, I64))):
            self._first(f, "endless", f.var(load("i32", at)), ENDLESS, number)
        rests = f.var((words[0] & _ENDLESS).zero)
        f.set(words[0], words[0] & ~(_ENDLESS | BEYOND))
        new = f.var(0, I64)
        for i, word in enumerate(words):
            f.set(new, new | word & (load("i64", const(0), self.seen + 8 * i) ^ -1))
        with f.when(new.op("!=", const(0, I64))):
            for i, word in enumerate(words):
                told = load("i64", const(0), self.seen + 8 * i) | word
                f.store("i64", const(0), told, self.seen + 8 * i)
            f.do(unit.module.call(self.functions["event"], const(FLAGGED), number))
        f.do(rests)

    def _advance(self) -> None:
        successors = self.successors
        unit, record, call = successors.unit, successors.record, successors.unit.module.call
        _, f = unit.module.function((I32, I32, I32), (I32,), name="advance")
        most, end, budget = f.param(0), f.param(1), f.param(2)
        state = const(self.state)
        cursor, count, at, last = f.var(0), f.var(0), f.var(0), f.var(0)
        number, legal, endless = f.var(0), f.var(0), f.var(0)
        with f.block() as done, f.loop() as again:
            f.set(cursor, self.get("cursor"))
            f.branch(done, cursor.op(">=u", end) | budget.op("<=", 0))
            with f.when(self.store.most.op(">=u", most) | cursor.op(">=u", self.get("states"))):
                f.do(self.store.settle())
                f.branch(done, self.get("states").op(">=u", most))
            f.do(self.store.read(cursor))
            f.do(call(self.unfold, state))
            f.set(count, call(successors.functions["expand"], state))
            with f.when(self.store.reserve(count)):
                f.do(self.store.settle())
                f.give(const(FULL))
            f.set(at, get_global(successors.tables["records"]))
            f.set(last, at + count * record["size"])
            f.set(number, 0)
            f.set(legal, 0)
            f.set(endless, 0)
            with f.block() as out, f.loop() as each:
                f.branch(out, at.op("==", last))
                with f.when(call(self.functions["judge"], at, number)):
                    f.do(call(self.fold, at + record["state"]))
                    f.do(self.store.add(cursor))
                    f.set(legal, legal + 1)
                f.set(endless, endless | load("i32", at, record["flags"]))
                f.set(at, at + record["size"])
                f.set(number, number + 1)
                f.branch(each)
            self.raise_(f, "transitions", legal)
            with f.when(legal.zero & (endless & _ENDLESS).zero):
                self._end(f, state)
            self.raise_(f, "cursor")
            f.set(budget, budget - count - 1)
            f.branch(again)
        f.do(self.store.settle())
        f.do(const(WHOLE))

    def _end(self, f: Function, state: Val) -> None:
        """Count a state that nothing follows."""
        rank = f.var(self.successors.rank(state))
        f.open(load("u8", rank, self.tables["final"]).code + b"\x04\x40")
        self.raise_(f, "final")
        f.otherwise()
        self.raise_(f, "stuck")
        self._first(f, "stuck", rank, STUCK, const(0))
        f.end()

    def _face(self) -> None:
        """Write what only Python calls."""
        module = self.successors.unit.module
        _, f = module.function((I32, I32), (I32,), name="add")
        with f.when(self.store.reserve(const(1))):
            f.give(const(FULL))
        f.do(module.call(self.fold, f.param(0)))
        f.do(self.store.add(f.param(1)))
        f.do(self.store.settle())
        f.do(const(WHOLE))
        _, f = module.function((I32,), (I32,), name="find")
        with f.when(self.store.reserve(const(1))):
            f.give(const(-1))
        f.do(module.call(self.fold, f.param(0)))
        f.do(self.store.look_up())
        _, f = module.function((I32, I32, I32), name="rows")
        number, left, to = f.param(0), f.param(1), f.param(2)
        size = self.folding.unfolded
        f.do(module.call(self.successors.parts.ensure, to + left * size))
        with f.block() as done, f.loop() as again:
            f.branch(done, left.zero)
            f.do(self.store.read(number))
            f.do(module.call(self.unfold, to))
            f.set(number, number + 1)
            f.set(left, left - 1)
            f.set(to, to + size)
            f.branch(again)
