"""Breadth-first search as WebAssembly: all states reached, in the order in which they are found.

    advance(most, end, budget) -> stop    expands states up to the number `end`, until states and
                                          moves are as many as the budget
    find(t) -> number                     looks a state up; -1 if it has not been found
    add(t, parent) -> stop                adds a state that lies in memory 0
    rows(first, count, to)                unfolds states, one after the other, into memory 0

States lie one after the other in memory 1, folded (see `folding`); the numbers of their parents in
memory 3; memory 2 is a table with linear probing whose entries are 64 bits: the upper half of the
hash, and the number of the state + 1.  Every key is compared in full.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..emitter.wasm import I32, I64, PAGE, Function, Val, const, get_global, load
from .expand import Successors
from .folding import Folding

STATES, SLOTS, PARENTS = 1, 2, 3
FIRST_SLOTS = 1 << 14
FACTORS = (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
"""Odd numbers with bits well mixed: the primes of xxHash, and of Steele's generators."""

WHOLE, FULL = 0, 1
"""Why `advance` stopped: it did what was asked; there is no more memory."""

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
    entries: int = 0
    """The global that holds the number of slots."""
    tables: dict[str, int] = field(default_factory=dict)
    functions: dict[str, int] = field(default_factory=dict)
    key: int = 0
    """Where a state is folded."""

    @property
    def stored(self) -> int:
        """The bytes of a folded state."""
        return 8 * self.folding.size

    def write(self) -> None:
        """Write everything."""
        unit, successors = self.successors.unit, self.successors
        module = unit.module
        for name in ("states", "slots", "parents"):
            module.memory(FIRST_SLOTS * 8 // PAGE if name == "slots" else 1, name)
        self.entries = module.variable(FIRST_SLOTS)
        room = unit.room(8 * len(COUNTS))
        self.counts = {name: room + 8 * i for i, name in enumerate(COUNTS)}
        self.seen = unit.room(8 * unit.words)
        rests, edges = len(unit.layout.rests), len(successors.parts.edges)
        finals = bytes(successors.parts.nodes[node].kind == "final"
                       for node in unit.layout.rests)
        self.tables = {"endless": unit.room(edges), "stuck": unit.room(rests),
                        "final": unit.room(rests)}
        module.data.append((self.tables["final"], finals))
        self.key = unit.room(self.stored)
        self.events = unit.room(12 * (64 * unit.words + edges + rests))
        self.folding.write(module, self.functions, self.key, STATES)
        self._hash()
        self._probe()
        self._grow()
        self._insert()
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

    # ------------------------------------------------------------------------------- table

    def _hash(self) -> None:
        """Write hash(address, in memory 0) and the same for memory 1."""
        module = self.successors.unit.module
        for name, memory in (("hash", 0), ("hash_stored", STATES)):
            self.functions[name], f = module.function((I32,), (I64,))
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
        """Write probe(address, hash) -> number of the state, or -1 - the slot where it belongs."""
        module = self.successors.unit.module
        self.functions["probe"], f = module.function((I32, I64), (I32,))
        at, key = f.param(0), f.param(1)
        mask = f.var(get_global(self.entries) - 1)
        slot = f.var(key.low & mask)
        tag = f.var(key & const(-1 << 32, I64))
        entry, stored = f.var(0, I64), f.var(0)
        with f.loop() as again:
            f.set(entry, load("i64", slot << 3, 0, SLOTS))
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
        """Branch if a state differs from a stored one."""
        words, done = self.stored // 8, 0
        here = f.var(at)

        def differs(first: int, many: int) -> Val:
            whole: Val | None = None
            for word in range(first, first + many):
                part = load("i64", here, 8 * word) ^ load("i64", stored, 8 * word, STATES)
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
        module = self.successors.unit.module
        self.functions["grow"], f = module.function((I32,), (I32,))
        entries = f.param(0)
        have = Val(b"\x3f" + bytes((SLOTS,)))
        need = f.var((entries >> 13) - have)
        with f.when(need.op(">", 0)):
            grown = Val(need.code + b"\x40" + bytes((SLOTS,)))
            with f.when(grown.op("==", -1)):
                f.give(const(1))
        f.code += const(0).code * 2 + (entries << 3).code + b"\xfc\x0b" + bytes((SLOTS,))
        f.set_global(self.entries, entries)
        mask, number, slot = f.var(entries - 1), f.var(0), f.var(0)
        key, count = f.var(0, I64), f.var(self.get("states"))
        with f.block() as done, f.loop() as again:
            f.branch(done, number.op(">=u", count))
            f.set(key, module.call(self.functions["hash_stored"], number * self.stored))
            f.set(slot, key.low & mask)
            with f.block() as free, f.loop() as on:
                taken = load("i64", slot << 3, 0, SLOTS)
                f.branch(free, taken.op("==", const(0, I64)))
                f.set(slot, (slot + 1) & mask)
                f.branch(on)
            f.set(number, number + 1)
            entry = key & const(-1 << 32, I64) | number.wide_unsigned
            f.store("i64", slot << 3, entry, 0, SLOTS)
            f.branch(again)
        f.do(const(0))

    def _room(self, f: Function, memory: int, end: Val) -> None:
        """Make a memory reach to an end (64 bits); give 1 back if it cannot."""
        size = Val(b"\x3f" + bytes((memory,)))
        pages = f.var((end >> 16).low + 1)
        with f.when(pages.op(">u", size)):
            more = f.var(pages - size)
            spare = f.var(size >> 3)
            wanted = f.var((pages + spare).op(">u", PAGE).choose(more, more + spare))
            full = end.op(">u", (1 << 32) - PAGE)
            with f.when(full):
                f.give(const(1))
            grown = Val(wanted.code + b"\x40" + bytes((memory,)))
            with f.when(grown.op("==", -1)):
                f.give(const(1))

    def _insert(self) -> None:
        """Write insert(address, parent): add a state if it is new; there must be room."""
        module, f_ = self.successors.unit.module, self.functions
        f_["insert"], f = module.function((I32, I32))
        at, parent = f.param(0), f.param(1)
        f.do(module.call(f_["fold"], at))
        f.set(at, const(self.key))
        key = f.var(module.call(f_["hash"], at))
        slot = f.var(module.call(f_["probe"], at, key))
        with f.when(slot.op("<", 0)):
            number = f.var(self.get("states"))
            target = f.var(number * self.stored)
            f.copy(target, at, self.stored, (STATES, 0))
            f.store("i32", number << 2, parent, 0, PARENTS)
            self.raise_(f, "states")
            entry = key & const(-1 << 32, I64) | (number + 1).wide_unsigned
            f.store("i64", (const(-1) - slot) << 3, entry, 0, SLOTS)

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
        with f.when((words[0] & 2).low):
            self._first(f, "endless", f.var(load("i32", at)), ENDLESS, number)
        rests = f.var((words[0] & 2).zero)
        f.set(words[0], words[0] & -3)
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
            f.branch(done, self.get("states").op(">=u", most))
            f.do(call(self.functions["unfold"], cursor * self.stored, state))
            f.set(count, call(successors.functions["expand"], state))
            total = f.var((self.get("states") + count).wide_unsigned)
            self._room(f, STATES, f.var(total * self.stored))
            self._room(f, PARENTS, f.var(total << 2))
            self._more_slots(f, total)
            f.set(at, get_global(successors.tables["records"]))
            f.set(last, at + count * record["size"])
            f.set(number, 0)
            f.set(legal, 0)
            f.set(endless, 0)
            with f.block() as out, f.loop() as each:
                f.branch(out, at.op("==", last))
                with f.when(call(self.functions["judge"], at, number)):
                    f.do(call(self.functions["insert"], at + record["state"], cursor))
                    f.set(legal, legal + 1)
                f.set(endless, endless | load("i32", at, record["flags"]))
                f.set(at, at + record["size"])
                f.set(number, number + 1)
                f.branch(each)
            self.raise_(f, "transitions", legal)
            with f.when(legal.zero & (endless & 2).zero):
                self._end(f, state)
            self.raise_(f, "cursor")
            f.set(budget, budget - count - 1)
            f.branch(again)
        f.do(const(WHOLE))

    def _more_slots(self, f: Function, total: Val) -> None:
        """Make the table larger before more than half of it is taken."""
        entries = get_global(self.entries)
        with f.loop() as again, f.when((total << 1).op(">u", entries.wide_unsigned)):
            # Fourfold while it is small: then the states are few that must be put in anew.
            more = f.var(entries.op("<u", 1 << 20).choose(entries << 2, entries << 1))
            with f.when(more.zero | more.op(">u", 1 << 28)):
                f.give(const(FULL))
            with f.when(self.successors.unit.module.call(self.functions["grow"], more)):
                f.give(const(FULL))
            f.branch(again)

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
        module, functions = self.successors.unit.module, self.functions
        _, f = module.function((I32, I32), (I32,), name="add")
        total = f.var((self.get("states") + 1).wide_unsigned)
        self._room(f, STATES, f.var(total * self.stored))
        self._room(f, PARENTS, f.var(total << 2))
        self._more_slots(f, total)
        f.do(module.call(functions["insert"], f.param(0), f.param(1)))
        f.do(const(WHOLE))
        _, f = module.function((I32,), (I32,), name="find")
        f.do(module.call(functions["fold"], f.param(0)))
        key = module.call(functions["hash"], const(self.key))
        number = f.var(module.call(functions["probe"], const(self.key), key))
        f.do(number.op("<", 0).choose(const(-1), number))
        _, f = module.function((I32, I32, I32), name="rows")
        number, left, to = f.param(0), f.param(1), f.param(2)
        size = 8 * len(self.folding.words)
        f.do(module.call(self.successors.parts.ensure, to + left * size))
        with f.block() as done, f.loop() as again:
            f.branch(done, left.zero)
            f.do(module.call(functions["unfold"], number * self.stored, to))
            f.set(number, number + 1)
            f.set(left, left - 1)
            f.set(to, to + size)
            f.branch(again)
