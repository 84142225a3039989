"""Two machines in lock-step as WebAssembly: both make the same moves and meet the same chance.

Each machine is a module of its own; this one drives both, and reads their memories.

    add(parent) -> stop                       adds the pair of states that lies in the two memories
    advance(most, end, budget) -> stop        compares pairs up to the number `end`, and adds those
                                              to which moves lead that are legal in both, until
                                              pairs and moves are as many as the budget, or a pair
                                              differs as none has before
    show(number)                              unfolds a pair into the two memories

A pair differs at levels (`checker.packed.flags`), a bit each.  Moves are the same if their labels
are, numbers that the caller gives to edges, and their arguments.  A move of the first goes with the
next one like it among those of the second, looked for from the last that was found on and around.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..drivers.store import Store
from ..drivers.table import FULL, WHOLE, reach
from ..emitter.wasm import I32, I64, Function, Module, Val, const, load
from ..packed.flags import AT_END, BEYOND, DUTIES, FLAGS, HIDDEN, LEGAL, PUBLIC, WINNER
from .ground import CHANCE, FINAL, ModuleLayout, PairParameters
from .odds import write_odds

EVERY = (1 << FLAGS) - 1
"""All flags count."""
LONGEST_TRACE = 1 << 14
COUNTS = ("pairs", "cursor", "parted", "seen", "went", "ended", "dealt", "beyond", "length", "cut")
"""Pairs found and compared, those that differ in moves or winners, levels seen (bits); twin plays
that parted, that the same moves end otherwise, whose set-ups differ, that meet a bound; the moves
of the last play; the first pair, from 1 on, in which a move meets a bound in one machine only."""
TALLY = 12
"""The bytes in which it is counted how often somebody wins; see `engine.pairs.Tally`."""
ROWS = 6
"""The rows of them behind those of the seats; see `engine.pairs.Twins`."""


@dataclass(slots=True)
class Pairs:
    """Writes the functions above.  Memory 0 is this module's, 1 and 2 are those of the machines."""

    ground: PairParameters
    module: Module = field(default_factory=Module)
    functions: dict[str, int] = field(default_factory=dict)
    tables: dict[str, int] = field(default_factory=dict)
    """The addresses of tables that the caller fills, by name, with the side's number."""
    store: Store = field(init=False)
    parted: int = 0
    """The memory that lists the pairs that differ in moves or winners (32 bits each)."""
    folds: list[tuple[int, int]] = field(default_factory=list)

    def write(self) -> None:
        """Write everything."""
        module, ground = self.module, self.ground
        for side in (1, 2):
            for name, count in (("expand", 1), ("moves", 1), ("judge", 2), ("by", 1)):
                key = f"{name}{side}"
                self.functions[key] = module.take_over(key, (I32,) * count, (I32,))
        if ground.one_code:
            self.functions["touched"] = module.take_over("touched", (), (I32,))
        for name in ("memory", "memory1", "memory2"):
            module.share(name)
        module.exports.append(("memory", 2, 0))
        for name in COUNTS:
            self.tables[name] = module.room(8)
        self.tables["first"] = module.room(4 * (DUTIES + 1))
        for side in (1, 2):
            words = self.side(side).words
            for name, size in (("labels", 4 * ground.edges), ("kinds", ground.rests),
                               ("places", 4 * ground.rests), ("keys", 2 * 64 * words),
                               ("owed", ground.keys // 8), ("visits", 4 * ground.places)):
                self.tables[f"{name}{side}"] = module.room(size)
        self.tables["tallies"] = module.room(TALLY * (len(self.winners(1)) + ROWS))
        self.tables["lengths"] = module.room(4 * ground.labels)
        self.tables["names"] = module.room(8 * ground.places)
        self.tables["trace"] = module.room(4 * LONGEST_TRACE)
        self.tables["end"] = module.room(self.side(1).width)
        foldings = [side.folding for side in ground.sides]
        self.store = Store(module, [folding.size for folding in foldings],
                           spare=False, count=self.tables["pairs"])
        self.store.write()
        self.parted = module.memory(1, "parted")
        self.folds = [folding.write(module, self.store.keys(part), part + 1)
                      for part, folding in enumerate(foldings)]
        self._situation()
        self._alike()
        self._owing()
        self._matched()
        self.functions["odds"] = write_odds(
            module, ground.sides, self.kind(1) & self.kind(2) & CHANCE, self.functions["alike"])
        self._tell()
        self._face()
        self._advance()

    def side(self, side: int) -> ModuleLayout:
        """Return what is known of a machine's module."""
        return self.ground.sides[side - 1]

    def get(self, name: str) -> Val:
        """Read a count."""
        return load("i32", const(0), self.tables[name])

    def put(self, f: Function, name: str, value: Val | int) -> None:
        """Write a count."""
        f.store("i32", const(0), value, self.tables[name])

    def kind(self, side: int) -> Val:
        """Read of what kind the rest is at which a machine is."""
        return load("u8", self.rank(side), self.tables[f"kinds{side}"])

    def rank(self, side: int) -> Val:
        """Read at which rest a machine is."""
        here = self.side(side)
        return load("u8" if here.head == 1 else "u16", const(0), here.state, side)

    def place(self, side: int) -> Val:
        """Read the number of the name of the place at which a machine is."""
        return load("i32", self.rank(side) << 2, self.tables[f"places{side}"])

    def flags(self, side: int, record: Val) -> Val:
        """Read the first flags of a move."""
        return load("i32", record, self.side(side).flags, side)

    def beyond(self, record: Val, other: Val) -> Val:
        """Return whether one of two moves meets a bound of the model, as the flag of that."""
        return (self.flags(1, record) | self.flags(2, other)) & BEYOND

    # ---------------------------------------------------------------------------- comparing

    def _situation(self) -> None:
        """Write situation() -> the levels at which the two states differ, moves aside."""
        self.functions["situation"], f = self.module.function((), (I32,))
        over, over_too = self.kind(1) & FINAL, self.kind(2) & FINAL
        bits = f.var((over ^ over_too) << WINNER)
        with f.when(over & over_too):
            f.set(bits, self.unlike(WINNER) << WINNER)
            for level in (PUBLIC, HIDDEN):
                f.set(bits, bits | self.unlike(AT_END | level) << level)
            f.give(bits)
        for level in (PUBLIC, HIDDEN):
            f.set(bits, bits | self.unlike(level) << level)
        f.do(bits)

    def unlike(self, level: int) -> Val:
        """Return whether what is compared at a level differs in the two states."""
        one, two = self.ground.sides
        unlike = const(0, I64)
        for _, first, second, size in (cut for cut in self.ground.cuts if cut[0] == level):
            done = 0
            for kind, width in (("i64", 8), ("i32", 4), ("u16", 2), ("u8", 1)):
                while size - done >= width:
                    mine = load(kind, const(0), one.state + first + done, 1)
                    theirs = load(kind, const(0), two.state + second + done, 2)
                    unlike = unlike | (mine ^ theirs).wide_unsigned
                    done += width
        return unlike.op("!=", const(0, I64))

    def winners(self, side: int) -> list[Val]:
        """Read who has won, seat by seat."""
        state = self.side(side).state
        return [load("u8", const(0), state + cut[side] + seat, side)
                for cut in self.ground.cuts if cut[0] == WINNER for seat in range(cut[3])]

    def winner(self, side: int, seat: Val) -> Val:
        """Read whether a seat has won; the seats lie side by side."""
        first = next(cut[side] for cut in self.ground.cuts if cut[0] == WINNER)
        return load("u8", seat, self.side(side).state + first, side)

    def _label(self, side: int, record: Val) -> Val:
        return load("i32", load("i32", record, 0, side) << 2, self.tables[f"labels{side}"])

    def _alike(self) -> None:
        """Write alike(record, record) -> 1 if label and arguments are the same."""
        self.functions["alike"], f = self.module.function((I32, I32), (I32,))
        one, two = f.param(0), f.param(1)
        label = f.var(self._label(1, one))
        with f.when(label.op("!=", self._label(2, two))):
            f.give(const(0))
        left = f.var(load("i32", label << 2, self.tables["lengths"]))
        first, second = self.ground.sides
        with f.block() as done, f.loop() as again:
            f.branch(done, left.zero)
            mine, theirs = load("i32", one, first.args, 1), load("i32", two, second.args, 2)
            with f.when(mine.op("!=", theirs)):
                f.give(const(0))
            f.set(one, one + 4)
            f.set(two, two + 4)
            f.set(left, left - 4)
            f.branch(again)
        f.do(const(1))

    def _owing(self) -> None:
        """Write owing(record, record) -> 1 if other obligations fail, or limits break."""
        self.functions["owing"], f = self.module.function((I32, I32), (I32,))
        if not self.ground.duties:
            f.do(const(0))
            return
        word, bit = f.var(0, I64), f.var(0)
        size = self.ground.keys // 8
        for side in (1, 2):
            here, owed = self.side(side), self.tables[f"owed{side}"]
            for at in range(0, size, 8):
                f.store("i64", const(0), const(0, I64), owed + at)
            for number in range(here.words):
                noted = load("i64", f.param(side - 1), here.flags + 8 * number, side)
                f.set(word, noted if number else noted & -(1 << FLAGS))
                with f.block() as done, f.loop() as again:
                    f.branch(done, word.op("==", const(0, I64)))
                    f.set(bit, (Val(word.code + b"\x7a", I64).low + 64 * number) << 1)
                    f.set(bit, load("u16", bit, self.tables[f"keys{side}"]))
                    byte = load("u8", bit >> 3, owed) | const(1) << (bit & 7)
                    f.store("u8", bit >> 3, byte, owed)
                    f.set(word, word & word - 1)
                    f.branch(again)
        f.set(word, const(0, I64))
        for at in range(0, size, 8):
            mine, theirs = (load("i64", const(0), self.tables[f"owed{side}"] + at)
                            for side in (1, 2))
            f.set(word, word | mine ^ theirs)
        f.do(word.op("!=", const(0, I64)))

    def _matched(self) -> None:
        """Write matched(n, n, mask) -> the levels at which the moves listed differ.

        The records of both lie in their memories; flags count under the mask only.  A move that
        somebody else makes is another one.  Behind the number of its edge, a record of the first
        then has the address of the one that goes with it.
        Of a move that meets a bound of the model nothing is compared but that it is there.
        """
        self.functions["matched"], f = self.module.function((I32, I32, I32), (I32,))
        one, two = self.ground.sides
        mask, call = f.param(2), self.module.call
        first, second = const(one.records), const(two.records)
        end, end_too = f.var(first + f.param(0) * one.size), f.var(second + f.param(1) * two.size)
        bits, legal, met = f.var(0), f.var(0), f.var(0)
        at, here, start, place = f.var(0), f.var(second), f.var(0), f.var(second)
        asked, asked_too = (call(self.functions[f"by{side}"], const(self.side(side).state))
                            for side in (1, 2))
        others = f.var(asked.op("!=", asked_too))
        with f.each(here, end_too, two.size):
            f.store("i32", here, 0, 4, 2)
            f.set(legal, legal + (self.flags(2, here) & mask & 1).zero)
        f.set(at, first)
        with f.each(at, end, one.size):
            f.store("i32", at, 0, 4, 1)
            with f.block() as next_:
                f.branch(next_, self.flags(1, at) & mask & 1)
                with f.block() as missing:
                    f.branch(missing, f.param(1).zero | others)
                    f.set(here, place.op("==", end_too).choose(second, place))
                    f.set(start, here)
                    with f.block() as hit, f.loop() as on:
                        with f.when((self.flags(2, here) & mask & 1).zero):
                            f.branch(hit, call(self.functions["alike"], at, here))
                        f.set(here, here + two.size)
                        f.set(here, here.op("==", end_too).choose(second, here))
                        f.branch(missing, here.op("==", start))
                        f.branch(on)
                    f.store("i32", at, here, 4, 1)
                    f.set(met, met + load("i32", here, 4, 2).zero)
                    f.store("i32", here, 1, 4, 2)
                    f.set(place, here + two.size)
                    unlike = (self.flags(1, at) ^ self.flags(2, here)) & mask & 2
                    known = (self.beyond(at, here) & mask).zero
                    f.set(bits, bits | (unlike & known << 1) << WINNER - 1)
                    if self.ground.duties:
                        with f.when(mask), f.when(known):
                            owing = call(self.functions["owing"], at, here)
                            f.set(bits, bits | owing << DUTIES)
                    f.branch(next_)
                f.set(bits, bits | 1 << LEGAL)
        with f.when(met.op("!=", legal)):
            self._alone(f, (end, end_too), bits, mask)
        f.do(bits | others << LEGAL)

    def _alone(self, f: Function, ends: tuple[Val, Val], bits: Val, mask: Val) -> None:
        """Look whether a legal move of the second, which none goes with, is none of the first."""
        one, two = self.ground.sides
        here, at = f.var(two.records), f.var(0)
        with f.each(here, ends[1], two.size), f.block() as known:
            f.branch(known, load("i32", here, 4, 2) | self.flags(2, here) & mask & 1)
            f.set(at, const(one.records))
            legal = (self.flags(1, at) & mask & 1).zero
            with f.each(at, ends[0], one.size), f.when(legal):
                f.branch(known, self.module.call(self.functions["alike"], at, here))
            f.set(bits, bits | 1 << LEGAL)

    # -------------------------------------------------------------------------- every pair

    def _tell(self) -> None:
        """Write tell(bits) -> 1 if some level is new: keep that the pair at the cursor differs."""
        self.functions["tell"], f = self.module.function((I32,), (I32,))
        bits = f.param(0)
        new = f.var(bits & (self.get("seen") ^ -1))
        with f.when(bits & (1 << WINNER | 1 << LEGAL)):
            count = f.var(self.get("parted"))
            f.store("i32", count << 2, self.get("cursor"), 0, self.parted)
            self.put(f, "parted", count + 1)
        for level in (WINNER, LEGAL, PUBLIC, HIDDEN, DUTIES):
            with f.when(new & 1 << level):
                f.store("i32", const(4 * level), self.get("cursor"), self.tables["first"])
        self.put(f, "seen", self.get("seen") | bits)
        f.do(new)

    def _unfold(self, f: Function, number: Val) -> None:
        """Unfold a pair into both memories."""
        f.do(self.store.read(number))
        for (_, unfold), side in zip(self.folds, self.ground.sides, strict=True):
            f.do(self.module.call(unfold, const(side.state)))

    def _face(self) -> None:
        """Write what only Python calls."""
        module = self.module
        _, f = module.function((I32,), (I32,), name="add")
        with f.when(self.store.reserve(const(1))):
            f.give(const(FULL))
        for (fold, _), side in zip(self.folds, self.ground.sides, strict=True):
            f.do(module.call(fold, const(side.state)))
        f.do(self.store.add(f.param(0)))
        f.do(self.store.settle())
        f.do(const(WHOLE))
        _, f = module.function((I32,), name="show")
        self._unfold(f, f.param(0))

    def _advance(self) -> None:
        module, call, functions = self.module, self.module.call, self.functions
        one, two = self.ground.sides
        _, f = module.function((I32, I32, I32), (I32,), name="advance")
        most, end, budget = f.param(0), f.param(1), f.param(2)
        cursor, count, others, new = f.var(0), f.var(0), f.var(0), f.var(0)
        at, last, here = f.var(0), f.var(0), f.var(0)
        with f.block() as done, f.loop() as again:
            f.set(cursor, self.get("cursor"))
            f.branch(done, cursor.op(">=u", end) | cursor.op(">=u", self.get("pairs")))
            f.branch(done, budget.op("<=", 0) | self.get("pairs").op(">u", most))
            reach(f, self.parted, f.var(((self.get("parted") + 1) << 2).wide_unsigned))
            self._unfold(f, cursor)
            f.set(count, call(functions["expand1"], const(one.state)))
            f.set(others, call(functions["expand2"], const(two.state)))
            with f.when(self.store.reserve(count)):
                f.give(const(FULL))
            f.set(new, call(functions["matched"], count, others, const(EVERY)))
            f.set(here, call(functions["situation"]))
            if self.ground.odds:
                with f.when((here | new & 1 << LEGAL).zero):
                    f.set(new, new | call(functions["odds"], count, others) << LEGAL)
            f.set(new, call(functions["tell"], new | here))
            f.set(at, const(one.records))
            f.set(last, at + count * one.size)
            with f.each(at, last, one.size):
                f.set(here, load("i32", at, 4, 1))
                with f.when(here):
                    with f.when(((self.flags(1, at) | self.flags(2, here)) & 2).zero):
                        f.do(call(self.folds[0][0], at + one.after))
                        f.do(call(self.folds[1][0], here + two.after))
                        f.do(self.store.add(cursor))
                    cut = (self.flags(1, at) ^ self.flags(2, here)) & BEYOND
                    with f.when(self.get("cut").zero & cut.op("!=", 0)):
                        self.put(f, "cut", cursor + 1)
            f.do(self.store.settle())
            self.put(f, "cursor", cursor + 1)
            f.set(budget, budget - count - others - 1)
            f.branch(again, new.zero)
        f.do(const(WHOLE))
