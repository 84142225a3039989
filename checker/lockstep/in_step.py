"""Plays of two machines in one, as WebAssembly: as long as nothing tells them apart, one plays.

Two games of a family run the same code; what differs are features, which the first machine watches.
While both are in the same state and no watched feature is asked for, whatever the first does the
second would do, too.  So only the first plays until then, takes that move back, and gives its state
to the second; both go on side by side, and once they are in the same state again, the first goes
on by itself (as in featured transition systems: Classen et al., 2013, where products share what
they do as long as no feature tells them apart).
"""

from __future__ import annotations

from dataclasses import dataclass

from ...model.plays.passes import EAGER
from ..drivers.draws import GAMMA, mix
from ..emitter.wasm import I32, I64, Function, Val, const, get_global, load
from ..packed.flags import BEYOND, ENDLESS
from .ground import CHANCE, FINAL, LIMITED, OPEN
from .pairs import Pairs

ALONE = BEYOND | ENDLESS
"""Flags of moves that are left to both side by side."""


@dataclass(slots=True)
class InStep:
    """Writes what random plays of two machines are made of, and where the first plays for both."""

    pairs: Pairs
    options: int = 0
    drawing: int = 0
    last: int = 0
    """The globals that hold how many moves there were to pick from, where the draws are, and which
    seat decided last in twins."""

    def prepare(self) -> None:
        """Write what draws moves."""
        self.options = self.pairs.module.variable()
        self.drawing = self.pairs.module.variable(type_=I64)
        self.last = self.pairs.module.variable()
        for side in (1, 2):
            self._choose(side)

    def _choose(self, side: int) -> None:
        """Write choose(n, look, bits) -> the record of a move that random bits pick; 0 if none.

        By weight where chance decides, else any, passes less often; if `look`, any that is not
        forbidden.
        """
        here = self.pairs.side(side)
        self.pairs.functions[f"choose{side}"], f = self.pairs.module.function(
            (I32, I32, I64), (I32,))
        count, look, drawn = f.param(0), f.param(1), f.param(2)
        at, end = f.var(here.records), f.var(0)
        total, weight, free = f.var(0, I64), f.var(0, I64), f.var(0)
        with f.when(count.zero):
            f.give(const(0))
        f.set(end, at + count * here.size)
        chance = f.var(self.pairs.kind(side) & CHANCE)
        legal = (look & self.pairs.flags(side, at) & 1).zero
        passes = load("u8", load("i32", at, 0, side), here.passes, side)
        eager = const(EAGER) - passes * (EAGER - 1)
        weighs = chance.choose(load("i64", at, 8, side), (legal * eager).wide_unsigned)
        with f.loop() as again:
            f.set(total, total + weighs)
            f.set(free, free + legal)
            f.set(at, at + here.size)
            f.branch(again, at.op("!=", end))
        with f.when(total.op("==", const(0, I64))):
            f.give(const(0))
        f.set_global(self.options, chance.choose(count, free))
        narrow = (total >> 32).op("==", const(0, I64))
        f.set(total, narrow.choose((drawn >> 32) * total >> 32, drawn.op("%u", total)))
        f.set(at, const(here.records))
        with f.block() as done, f.loop() as again:
            f.set(weight, weighs)
            f.branch(done, total.op("<u", weight))
            f.set(total, total - weight)
            f.set(at, at + here.size)
            f.branch(again)
        f.do(at)

    def on(self, name: str, side: int, *before: Val) -> Val:
        """Call a function of a machine on its state."""
        state = const(self.pairs.side(side).state)
        return self.pairs.module.call(self.pairs.functions[f"{name}{side}"], *before, state)

    def forbids(self, side: int, record: Val) -> Val:
        """Return whether a move, just taken, breaks a limit that may forbid it."""
        here = self.pairs.side(side)
        broken = load("i64", record, here.flags, side) & const(here.limits, I64)
        return (self.pairs.kind(side) & LIMITED).op("!=", 0) & broken.op("!=", const(0, I64))

    def next(self, f: Function) -> Val:
        """Draw 64 bits."""
        now = f.var(get_global(self.drawing, I64) + const(GAMMA, I64))
        f.set_global(self.drawing, now)
        return mix(f, now)

    def _begin(self, f: Function, side: int) -> None:
        here = self.pairs.side(side)
        f.copy(const(here.state), const(here.start), here.width, (side, side))

    def go(self, f: Function, side: int, record: Val) -> None:
        """Bring a machine to where a move leads."""
        here = self.pairs.side(side)
        f.copy(const(here.state), f.var(record + here.after), here.width, (side, side))

    def hand_over(self, f: Function) -> None:
        """Bring the second machine to where the first is."""
        one, two = self.pairs.ground.sides
        f.copy(const(two.state), const(one.state), one.width, (2, 1))

    def trace(self, f: Function, record: Val) -> None:
        """Add the place of a move of the first to the trace."""
        one, length = self.pairs.ground.sides[0], f.var(self.pairs.get("length"))
        place = (record - one.records).op("/u", one.size)
        f.store("i32", length << 2, place, self.pairs.tables["trace"])
        self.pairs.put(f, "length", length + 1)

    def remember(self, f: Function, who: Val) -> None:
        """Remember which seat decided last; -1 is none."""
        f.set_global(self.last, either(who, get_global(self.last)))

    def asked(self, f: Function, side: int) -> Val:
        """Return the seat that decides in a machine's state; -1 where none does."""
        who = f.var(self.on("by", side))
        return who.op("<u", len(self.pairs.winners(1))).choose(who, const(-1))

    # ----------------------------------------------------------- the first plays for both

    def together(self) -> None:
        """Write what is for machines of the same code."""
        pairs = self.pairs
        one, two = pairs.ground.sides
        self._equal("equal", one.state, two.state, one.width, (1, 2))
        self._equal("visited", pairs.tables["visits1"], pairs.tables["visits2"],
                    4 * pairs.ground.places, (0, 0))
        self._ahead()
        self._ahead_by_name()

    def _equal(self, name: str, first: int, second: int, size: int,
               memories: tuple[int, int]) -> None:
        """Write a function that says whether the bytes at two places are equal."""
        module = self.pairs.module
        self.pairs.functions[name], f = module.function((), (I32,))
        at = f.var(0)
        with f.each(at, size, 8):
            mine, theirs = load("i64", at, first, memories[0]), load("i64", at, second, memories[1])
            with f.when(mine.op("!=", theirs)):
                f.give(const(0))
        f.do(const(1))

    def _ahead(self) -> None:
        """Write ahead(left) -> the moves left where both are needed; -1 if the play ends before."""
        pairs = self.pairs
        call, functions = pairs.module.call, pairs.functions
        functions["ahead"], f = pairs.module.function((I32,), (I32,))
        left, count, at, before = f.param(0), f.var(0), f.var(0), f.var(0, I64)
        with f.block() as both, f.loop() as again:
            with f.when(left.zero):
                f.give(const(-1))
            f.set(before, get_global(self.drawing, I64))
            f.set(count, call(functions["touched"]))
            f.set(count, self.on("moves", 1))
            f.set(at, call(functions["choose1"], count, const(0), self.next(f)))
            with f.when(at):
                f.set(count, self.on("judge", 1, at))
                with f.when((pairs.flags(1, at) & BEYOND).zero & self.forbids(1, at)):
                    f.set(count, self.on("expand", 1))
                    with f.when(pairs.flags(1, at) & 1):
                        f.set(at, call(functions["choose1"], count, const(1), self.next(f)))
            f.branch(both, call(functions["touched"]))
            with f.when(at.zero):
                f.give(const(-1))
            with f.when(pairs.flags(1, at) & ALONE):
                f.give(const(-1))
            self.trace(f, at)
            self.go(f, 1, at)
            f.set(left, left - 1)
            f.branch(again)
        f.set_global(self.drawing, before)
        self.hand_over(f)
        f.do(left)

    def _ahead_by_name(self) -> None:
        """Write onward(key, left) -> the moves left where both are needed, or the play ends.

        The same with moves that are drawn by names of places (`PairPlays`).
        """
        pairs = self.pairs
        call, functions = pairs.module.call, pairs.functions
        functions["onward"], f = pairs.module.function((I64, I32), (I32,))
        key, left = f.param(0), f.param(1)
        place, visits, record, who = (f.var(0) for _ in range(4))
        with f.block() as both, f.loop() as again:
            f.branch(both, left.zero | pairs.kind(1) & FINAL)
            f.set(place, pairs.place(1) << 2)
            f.set(visits, load("i32", place, pairs.tables["visits1"]))
            f.set(record, call(functions["touched"]))
            f.set(record, call(functions["step1"], key))
            with f.block() as back:
                f.branch(back, record.zero)
                f.branch(back, pairs.flags(1, record) & ALONE)
                f.set(who, self.asked(f, 1))
                f.branch(back, call(functions["touched"]))
                alone = get_global(self.options).op("==", 1)
                with f.when((alone | pairs.kind(1) & OPEN).zero):
                    self.remember(f, who)
                self.go(f, 1, record)
                f.set(left, left - 1)
                f.branch(again)
            f.store("i32", place, visits, pairs.tables["visits1"])
        f.copy(const(pairs.tables["visits2"]), const(pairs.tables["visits1"]),
               4 * pairs.ground.places)
        self.hand_over(f)
        f.do(left)

def either(seat: Val, other: Val) -> Val:
    """Return a seat, or another one if it is -1."""
    return seat.op("<", 0).choose(other, seat)
