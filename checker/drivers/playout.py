"""Random plays as WebAssembly, played whole: any legal move, passes less often; chance by weight.

    play(seed, first, count, longest)   plays `count` games, numbered from `first` on

Each play draws from a generator of its own, splitmix64 (Steele, Lea, Flood, 2014), begun at a place
that the seed and its number give.  A number below n is drawn without bias by Lemire's method (2019)
from the upper 32 bits; where there is one choice only, nothing is drawn.  `draws.Draws` is the same
in Python, so a play can be played again there.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from ...model.plays.passes import EAGER
from ..emitter.wasm import I32, I64, Function, Val, const, get_global, load
from ..packed.flags import BEYOND, FLAGS
from .draws import GAMMA, mix
from .expand import Successors
from .moves import MOVES

PLAY_COUNTS = ("plays", "finished", "stuck", "moves")


@dataclass(slots=True)
class Playouts:
    """Writes the function above."""

    successors: Successors
    start: int
    state: int
    """The addresses of a state made by `start`, and of one that is worked on."""
    counts: int = 0
    seen: int = 0
    firsts: int = 0
    cut: int = 0
    """Counts (64 bits); by flag, in how many plays it was seen, the first of them, and how many of
    them met a bound of the model (32 bits)."""
    stops: int = 0
    """By rest, in how many plays nobody could move there, and the first of them (32 bits each)."""
    functions: dict[str, int] = field(default_factory=dict)
    draw: int = 0
    begun: int = 0
    """The flags of the setup."""
    _flags: int = 0
    _chance: int = 0
    _final: int = 0
    passes: int = 0
    """The address of one byte for each edge: whether it is a pass."""

    def write(self) -> None:
        """Write everything."""
        unit = self.successors.unit
        self.draw = unit.module.variable(type_=I64)
        self.counts = unit.module.room(8 * len(PLAY_COUNTS))
        self.seen = unit.module.room(4 * 64 * unit.words)
        self.firsts = unit.module.room(4 * 64 * unit.words)
        self.cut = unit.module.room(4 * 64 * unit.words)
        self._flags, self.begun = unit.module.room(8 * unit.words), unit.module.room(8 * unit.words)
        self._tables()
        self._next()
        self._below()
        self._pick()
        self._one()
        self._tell()
        self._play()

    def _next(self) -> None:
        """Write next() -> 64 random bits."""
        self.functions["next"], f = self.successors.unit.module.function((), (I64,))
        now = f.var(get_global(self.draw, I64) + const(GAMMA, I64))
        f.set_global(self.draw, now)
        f.do(mix(f, now))

    def _below(self) -> None:
        """Write below(n, 64 bits, > 0) -> a number below n."""
        module = self.successors.unit.module
        self.functions["below"], f = module.function((I64,), (I64,))
        n, drawn = f.param(0), module.call(self.functions["next"])
        drawn = Val(drawn.code, I64)
        with f.when(n.op("==", const(1, I64))):
            f.give(const(0, I64))
        bits, least = f.var(0, I64), f.var(0, I64)
        with f.when((n >> 32).op("==", const(0, I64))):
            low = const((1 << 32) - 1, I64)
            f.set(least, (const(1 << 32, I64) - n).op("%u", n))
            with f.loop() as again:
                f.set(bits, (drawn >> 32) * n)
                f.branch(again, (bits & low).op("<u", least))
            f.give(bits >> 32)
        f.set(least, (const(0, I64) - n).op("%u", n))
        with f.loop() as again:
            f.set(bits, drawn)
            f.branch(again, bits.op("<u", least))
        f.do(bits.op("%u", n))

    def _pick(self) -> None:
        """Write pick(s) -> the record of a move that is taken, 0 if there is none."""
        successors = self.successors
        record, module = successors.record, successors.unit.module
        self.functions["pick"], f = module.function((I32,), (I32,))
        state, records = f.param(0), get_global(successors.tables["records"])
        rank, size = f.var(successors.rank(state)), record["size"]
        below = self.functions["below"]

        def drawn(n: Val) -> Val:
            return Val(module.call(below, n).code, I64)

        count = f.var(module.call_entry(MOVES, rank, state))
        with f.when(count.zero):
            f.give(const(0))
        at, filtered, judged = f.var(records), f.var(0), f.var(0)
        with f.when(load("u8", rank, self._chance)):
            self._by_weight(f, at, count, drawn)
            self._take(f, at, state)
            f.give(at)
        f.set(filtered, load("u8", rank, successors.tables["filtered"]))
        if successors.unit.covering:
            recording = load("u8", const(0), successors.unit.recording)
            with f.when(filtered & recording):
                self._aside(f, state, count)
                f.set(judged, 1)
        with f.loop() as again:
            f.set(at, records + drawn(count.wide_unsigned).low * size)
            passes = load("u8", load("i32", at), self.passes)
            with f.when(passes & count.op("!=", 1)):
                f.branch(again, drawn(const(EAGER, I64)).low)
            with f.when(judged.zero):
                self._take(f, at, state)
                limits = (1 << len(successors.unit.machine.limits)) - 1 << FLAGS
                free = (load("i64", at, record["flags"]) & limits).op("==", const(0, I64))
                with f.when(filtered.zero | free):
                    f.give(at)
                # It breaks a limit, which forbids it if some other move breaks none.
                f.set(count, module.call(successors.functions["expand"], state))
                f.set(judged, 1)
            f.branch(again, load("i64", at, record["flags"]).low & 1)
        if successors.unit.covering:
            with f.when(recording):
                self._take(f, at, state)
        f.do(at)

    def _aside(self, f: Function, state: Val, count: Val) -> None:
        """Judge all moves, recording beside the record what they cover: one only is made."""
        unit = self.successors.unit
        kept = f.var(get_global(unit.record))
        f.set_global(unit.record, kept + unit.marks["size"])
        f.set(count, unit.module.call(self.successors.functions["expand"], state))
        f.set_global(unit.record, kept)

    def _take(self, f: Function, at: Val, state: Val) -> None:
        """Take a move, and add the limits that it breaks to its flags."""
        successors = self.successors
        f.do(successors.unit.module.call(successors.functions["judge"], at, state))
        f.code += b"\x1a"

    def _by_weight(self, f: Function, at: Val, count: Val, drawn: Callable[[Val], Val]) -> None:
        """Go to the record that chance picks."""
        size = self.successors.record["size"]
        total, end = f.var(0, I64), f.var(at + count * size)
        here = f.var(at)
        f.set(total, const(0, I64))
        with f.loop() as again:
            f.set(total, total + load("i64", here, 8))
            f.set(here, here + size)
            f.branch(again, here.op("!=", end))
        place = f.var(drawn(total))
        with f.block() as done, f.loop() as again:
            f.branch(done, place.op("<u", load("i64", at, 8)))
            f.set(place, place - load("i64", at, 8))
            f.set(at, at + size)
            f.branch(again)

    def _tables(self) -> None:
        """Set aside what says at which rests chance decides, and which are final."""
        successors = self.successors
        unit, nodes = successors.unit, successors.parts.nodes
        kinds = [nodes[node].kind for node in unit.layout.rests]
        self.stops = unit.module.room(8 * len(kinds))
        self._chance, self._final = unit.module.room(len(kinds)), unit.module.room(len(kinds))
        for at, kind in ((self._chance, "chance"), (self._final, "final")):
            unit.module.data.append((at, bytes(each == kind for each in kinds)))
        edges = {edge.id: edge.passes for node in unit.machine.nodes for edge in node.edges}
        self.passes = unit.module.room(len(edges))
        unit.module.data.append(
            (self.passes, bytes(edges[edge] for edge in successors.parts.edges)))

    def _raise(self, f: Function, name: str) -> None:
        at = self.counts + 8 * PLAY_COUNTS.index(name)
        f.store("i64", const(0), load("i64", const(0), at) + const(1, I64), at)

    def _one(self) -> None:
        """Write one(longest, number): play from the state at `state`; flags are gathered."""
        successors = self.successors
        unit, record, module = successors.unit, successors.record, successors.unit.module
        self.functions["one"], f = module.function((I32, I32))
        left, state, at, here = f.param(0), const(self.state), f.var(0), f.var(0)
        with f.loop() as again:
            with f.when(left.zero):
                f.give()
            with f.when(load("u8", successors.rank(state), self._final)):
                self._raise(f, "finished")
                f.give()
            f.set(at, module.call(self.functions["pick"], state))
            with f.when(at.zero):
                self._raise(f, "stuck")
                f.set(here, successors.rank(state) << 3)
                with f.when(load("i32", here, self.stops).zero):
                    f.store("i32", here, f.param(1), self.stops + 4)
                f.store("i32", here, load("i32", here, self.stops) + 1, self.stops)
                f.give()
            self._raise(f, "moves")
            for word in range(unit.words):
                told = load("i64", at, record["flags"] + 8 * word)
                told = load("i64", const(0), self._flags + 8 * word) | told
                f.store("i64", const(0), told, self._flags + 8 * word)
            with f.when(load("i64", at, record["flags"]).low & 2):
                f.give()
            f.copy(state, f.var(at + record["state"]), successors.width)
            f.set(left, left - 1)
            f.branch(again)

    def _tell(self) -> None:
        """Write tell(number): count the flags of a play."""
        unit = self.successors.unit
        self.functions["tell"], f = unit.module.function((I32,))
        word, bit = f.var(0, I64), f.var(0)
        met = f.var((load("i64", const(0), self._flags).low & BEYOND).op("!=", 0))
        for number in range(unit.words):
            f.set(word, load("i64", const(0), self._flags + 8 * number))
            with f.block() as done, f.loop() as again:
                f.branch(done, word.op("==", const(0, I64)))
                f.set(bit, (Val(word.code + b"\x7a", I64).low + 64 * number) << 2)
                with f.when(load("i32", bit, self.seen).zero):
                    f.store("i32", bit, f.param(0), self.firsts)
                f.store("i32", bit, load("i32", bit, self.seen) + 1, self.seen)
                f.store("i32", bit, load("i32", bit, self.cut) + met, self.cut)
                f.set(word, word & word - 1)
                f.branch(again)

    def _play(self) -> None:
        successors, functions = self.successors, self.functions
        unit, module = successors.unit, successors.unit.module
        _, f = module.function((I64, I32, I32, I32), name="play")
        seed, number, count, longest = (f.param(i) for i in range(4))
        end = f.var(number + count)
        with f.each(number, end, 1):
            place = seed + (number.wide_unsigned + const(1, I64)) * const(GAMMA, I64)
            f.set_global(self.draw, mix(f, place))
            f.copy(const(self.state), const(self.start), successors.width)
            for word in range(unit.words):
                f.store("i64", const(0), load("i64", const(0), self.begun + 8 * word),
                        self._flags + 8 * word)
            f.do(module.call(functions["one"], longest, number))
            f.do(module.call(functions["tell"], number))
            self._raise(f, "plays")
