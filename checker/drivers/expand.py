"""The successors of a state as WebAssembly: take a move, run the rules to a rest, judge limits.

    start(t) -> endless        writes the first rest to t
    expand(s) -> n             writes a record for each move, with its flags and the state after it
    moves(s) -> n              writes the records only
    take(record, s) -> endless writes flags and the state after one move
    judge(record, s) -> endless the same, with the limits that the move breaks
    by(s) -> seat              who decides; -1 where nobody does

Flags are bits, see `flags`: 0 a limit forbids the move, 1 the rules never rest, 2 a bound is met,
then the limits that it breaks, then the obligations that failed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ...model.machine.core import Expr, Stmt
from ...model.machine.machine import Machine, Node
from ...model.machine.traversal import arrays_read, writes
from ..emitter.expressions import Expressions
from ..emitter.unit import NO_MEMORY, TOO_LONG, Unit, UnsupportedError
from ..emitter.wasm import I32, I64, Function, Val, const, get_global, load
from ..packed.flags import BEYOND, ENDLESS, FLAGS, bounds_of
from .moves import EDGE, MOVES, RULE, Parts

SHORT_RUN, LONGEST_RUN = 256, 100_000
"""After so many rules a run is watched for repetition; after so many more it is given up."""


def may_break(machine: Machine) -> dict[int, int]:
    """Return the limits, as bits, that each edge of a rest, with the rules after it, may break."""
    edges = [edge for node in machine.nodes if node.kind != "rules" for edge in node.edges]
    if not machine.limits:
        return {edge.id: 0 for edge in edges}
    bits: dict[str, int] = {}
    for i, limit in enumerate(machine.limits):
        for array in arrays_read(limit.test):
            bits[array] = bits.get(array, 0) | 1 << i
    own = {edge.id: _bits(edge.body, bits) for node in machine.nodes for edge in node.edges}
    after = dict.fromkeys((node.id for node in machine.nodes), 0)
    rules = [node for node in machine.nodes if node.kind == "rules"]
    changed = True
    while changed:
        changed = False
        for node in reversed(rules):
            here = after[node.id]
            for edge in node.edges:
                here |= own[edge.id] | after[edge.target]
            changed = changed or here != after[node.id]
            after[node.id] = here
    return {edge.id: own[edge.id] | after[edge.target] for edge in edges}


def _bits(code: Iterable[Stmt], bits: Mapping[str, int]) -> int:
    """Return the bits of the arrays that statements may write."""
    found = 0
    for array in writes(code):
        found |= bits.get(array, 0)
    return found


@dataclass(slots=True)
class Successors:
    """Writes the functions above; the numbers of those that drivers call."""

    unit: Unit
    record: dict[str, int] = field(init=False)
    parts: Parts = field(init=False)
    width: int = field(init=False)
    """The bytes of a state in memory, a multiple of 16."""
    limit: int = field(init=False)
    functions: dict[str, int] = field(default_factory=dict)
    tables: dict[str, int] = field(default_factory=dict)
    """The places of the first moves, edge and rule function in the module's table; static tables:
    `masks` (the limits that each edge may break, 64 bits) and `filtered` (rests with such)."""

    def write(self) -> None:
        """Write everything but the drivers."""
        unit = self.unit
        machine, layout = unit.machine, unit.layout
        if len(machine.limits) > 60:
            raise UnsupportedError("more than 60 limits")
        nodes = {node.id: node for node in machine.nodes}
        rests = [nodes[node] for node in layout.rests]
        self.width = (layout.length + 15) // 16 * 16
        edges = sorted((e for n in rests for e in n.edges), key=lambda e: e.id)
        most = max((at + size for e in edges for at, size in Parts.places(e)), default=0)
        args = 16 + 8 * unit.words
        state = (args + most + 15) // 16 * 16
        self.record = {"flags": 16, "args": args, "state": state, "size": state + self.width}
        self.limit = unit.module.variable()
        # Records lie behind all that is static, which is not known yet: a global holds where.
        self.tables["records"] = unit.module.variable(name="records")
        ensure = self._ensure()
        self.parts = Parts(unit, self.record, ensure, self.tables["records"], self.limit)
        table = unit.module.table
        self.tables["moves"] = 0
        table += [self.parts.moves(node) for node in rests]
        self.tables["edges"] = len(table)
        table += [self.parts.edge(edge) for edge in edges]
        self.tables["rules"] = len(table)
        start = self.parts.goal(machine.start)
        while self.parts.waiting:
            table.append(self.parts.rule(nodes[self.parts.waiting.pop(0)]))
        self._masks(rests)
        if machine.limits:
            self.functions["limits"] = self.parts.limits()
        self._settle()
        self._take()
        self._judge()
        self._start(start)
        _, f = unit.module.function((I32,), (I32,), name="moves")
        f.do(unit.module.call_entry(MOVES, self.rank(f.param(0)), f.param(0)))
        self._expand()
        self._by(rests)
        self._touched()

    def _masks(self, rests: list[Node]) -> None:
        """Write down which limits each edge may break, and where one may forbid a move."""
        breaking = may_break(self.unit.machine)
        masks = b"".join(breaking[edge].to_bytes(8, "little") for edge in self.parts.edges)
        filtered = bytes(node.kind in ("decide", "open") and any(
            breaking[edge.id] for edge in node.edges) for node in rests)
        for name, row in (("masks", masks), ("filtered", filtered)):
            self.tables[name] = self.unit.module.room(len(row))
            self.unit.module.data.append((self.tables[name], row))

    def _touched(self) -> None:
        """Write touched() -> whether a watched feature was asked for since the last call.

        It notes which features were.
        """
        unit = self.unit
        _, f = unit.module.function((), (I32,), name="touched")
        found, nothing = const(0, I64), const(0, I64)
        for place, word in enumerate(unit.asked):
            asked, noted = f.var(get_global(word, I64)), unit.noted + 8 * place
            f.set_global(word, nothing)
            f.store("i64", const(0), load("i64", const(0), noted) | asked, noted)
            found = found | asked & load("i64", const(0), unit.watched + 8 * place)
        f.do(found.op("!=", nothing))

    def _by(self, rests: list[Node]) -> None:
        """Write by(s), which tries who decides by expression, as many nodes share one."""
        unit = self.unit
        ranks: dict[Expr, list[int]] = {}
        for rank, node in enumerate(rests):
            if node.by is not None:
                ranks.setdefault(node.by, []).append(rank)
        row = bytearray(2 * len(rests))
        for number, some in enumerate(ranks.values(), 1):
            for rank in some:
                row[2 * rank:2 * rank + 2] = number.to_bytes(2, "little")
        table = unit.module.room(len(row))
        unit.module.data.append((table, bytes(row)))
        _, f = unit.module.function((I32,), (I32,), name="by")
        to = Expressions(unit, f, f.param(0))
        which = f.var(load("u16", self.rank(f.param(0)) << 1, table))
        for number, expr in enumerate(ranks, 1):
            with f.when(which.op("==", number)), to.inside():
                found = to.value(expr, {})
                f.give(Val(found.code, found.type).low)
        f.do(const(-1))

    # --------------------------------------------------------------------------- functions

    def _ensure(self) -> int:
        """Write the function that makes memory 0 reach to an address."""
        index, f = self.unit.module.function((I32,))
        size = Val(b"\x3f\x00")
        with f.block() as enough:
            f.branch(enough, f.param(0).op("<=u", size << 16))
            pages = ((f.param(0) - (size << 16)) >> 16) + 1
            pages = f.var(pages + (size >> 1))
            with f.when(Val(pages.code + b"\x40\x00").op("==", -1)):
                f.store("i32", const(0), NO_MEMORY, self.unit.error)
                f.fail()
        f.set_global(self.limit, (size << 16) - 16)
        return index

    def rank(self, state: Val) -> Val:
        """Read at which rest a state is."""
        return load("u8" if self.unit.layout.head == 1 else "u16", state)

    def _settle(self) -> None:
        """Write settle(t, to) -> 1 if the rules never come to a rest, else 0.

        What comes to none and is in no state twice for too long is refused.
        """
        unit = self.unit
        self.functions["settle"], f = unit.module.function((I32, I32), (I32,))
        state, to = f.param(0), f.param(1)
        fuel = f.var(SHORT_RUN)

        def step() -> None:
            entry = to + self.tables["rules"]
            f.set(to, unit.module.call_entry(RULE, entry, state))

        with f.block() as long, f.loop() as again:
            with f.when(to.op("<", 0)):
                self._rest(f, state, to)
            f.branch(long, fuel.zero)
            f.set(fuel, fuel - 1)
            step()
            f.branch(again)
        # Brent's algorithm: look for the state that was seen last; see it anew ever later.
        kept = unit.module.room(self.width)
        seen, wait, steps = f.var(to), f.var(1), f.var(0)
        f.copy(const(kept), state, self.width)
        f.set(fuel, LONGEST_RUN)
        with f.loop() as again:
            step()
            with f.when(to.op("<", 0)):
                self._rest(f, state, to)
            f.set(fuel, fuel - 1)
            with f.when(fuel.zero):
                f.store("i32", const(0), TOO_LONG, unit.error)
                f.fail()
            with f.when(to.op("==", seen)), f.block() as other:
                at = f.var(0)
                with f.loop() as more:
                    mine, old = load("i64", state + at), load("i64", at, kept)
                    f.branch(other, mine.op("!=", old))
                    f.set(at, at + 8)
                    f.branch(more, at.op("<u", self.width))
                f.give(const(1))
            f.set(steps, steps + 1)
            with f.when(steps.op("==", wait)):
                f.copy(const(kept), state, self.width)
                f.set(seen, to)
                f.set(wait, wait << 1)
                f.set(steps, 0)
            f.branch(again)
        f.fail()

    def _rest(self, f: Function, state: Val, to: Val) -> None:
        kind = "u8" if self.unit.layout.head == 1 else "u16"
        f.store(kind, state, const(-1) - to)
        f.give(const(0))

    def _clear(self, f: Function) -> None:
        for word in range(self.unit.words):
            f.store("i64", const(0), const(0, I64), self.unit.flags + 8 * word)

    def _take(self) -> None:
        """Write take(record, s) -> endless: the state after the move and its flags, without 0.

        A move that meets a bound of the model counts as one after which no rest is known.
        """
        unit, record = self.unit, self.record
        self.functions["take"], f = unit.module.function((I32, I32), (I32,))
        at, state = f.param(0), f.param(1)
        after = f.var(at + record["state"])
        f.copy(after, state, self.width)
        self._clear(f)
        entry = load("i32", at) + self.tables["edges"]
        to = unit.module.call_entry(EDGE, entry, after, at + record["args"])
        endless = f.var(unit.module.call(self.functions["settle"], after, to))
        with f.when(endless):
            f.store("i64", const(0), load("i64", const(0), unit.flags) | 2, unit.flags)
        if bounds_of(unit.machine):
            self._cut(f, endless)
        for word in range(unit.words):
            noted = load("i64", const(0), unit.flags + 8 * word)
            f.store("i64", at, noted, record["flags"] + 8 * word)
        f.do(endless)

    def _cut(self, f: Function, endless: Val) -> None:
        """End a move that meets a bound of the model: nothing else is told of it."""
        unit, bounds, met = self.unit, bounds_of(self.unit.machine), f.var(0, I64)
        masks = [bounds >> 64 * word & (1 << 64) - 1 for word in range(unit.words)]
        noted = [load("i64", const(0), unit.flags + 8 * word) for word in range(unit.words)]
        for each, mask in zip(noted, masks, strict=True):
            if mask:
                f.set(met, met | each & const(mask, I64))
        with f.when(met.op("!=", const(0, I64))):
            f.set(endless, const(1))
            for word, (each, mask) in enumerate(zip(noted, masks, strict=True)):
                told = each & const(mask, I64)
                f.store("i64", const(0), told if word else told | ENDLESS | BEYOND,
                        unit.flags + 8 * word)

    def _judge(self) -> None:
        unit = self.unit
        self.functions["judge"], f = unit.module.function((I32, I32), (I32,), name="judge")
        at, state = f.param(0), f.param(1)
        endless = f.var(unit.module.call(self.functions["take"], at, state))
        if unit.machine.limits:
            mask = load("i64", load("i32", at) << 3, self.tables["masks"])
            with f.when(mask.op("!=", const(0, I64)) & endless.zero):
                self.broken(f, at, state, f.var(0, I64))
        f.do(endless)

    def _start(self, first: int) -> None:
        """Write start(t) -> endless; the flags are left at `unit.flags`."""
        unit = self.unit
        _, f = unit.module.function((I32,), (I32,), name="start")
        self._clear(f)
        endless = f.var(unit.module.call(self.functions["settle"], f.param(0), const(first)))
        if unit.machine.limits:
            broken = unit.module.call(self.functions["limits"], f.param(0)) << FLAGS
            f.store("i64", const(0), load("i64", const(0), unit.flags) | broken, unit.flags)
        f.do(endless)

    def _expand(self) -> None:
        unit, record = self.unit, self.record
        self.functions["expand"], f = unit.module.function((I32,), (I32,), name="expand")
        state = f.param(0)
        rank = f.var(self.rank(state))
        count = f.var(unit.module.call_entry(MOVES, rank, state))
        at = f.var(get_global(self.tables["records"]))
        end = f.var(at + count * record["size"])
        if unit.machine.limits:
            free = f.var(0)
        filtered = load("u8", rank, self.tables["filtered"])
        if unit.covering:
            # What is forbidden is not covered: first see, beside the record, what is.
            kept = f.var(get_global(unit.record))
            recorded = f.var(filtered & load("u8", const(0), unit.recording))
            with f.when(recorded):
                f.set_global(unit.record, kept + unit.marks["size"])
        with f.each(at, end, record["size"]):
            endless = f.var(unit.module.call(self.functions["take"], at, state))
            if unit.machine.limits:
                mask = load("i64", load("i32", at) << 3, self.tables["masks"])
                broken = f.var(0, I64)
                f.set(broken, 0)
                with f.when(mask.op("!=", const(0, I64)) & endless.zero):
                    self.broken(f, at, state, broken)
                f.set(free, free | broken.zero)
        if unit.machine.limits:
            limits = (1 << len(unit.machine.limits)) - 1 << FLAGS
            f.set(at, get_global(self.tables["records"]))
            with f.when(filtered & free), f.each(at, end, record["size"]):
                told = load("i64", at, record["flags"])
                with f.when((told & limits).op("!=", const(0, I64))):
                    f.store("i64", at, told | 1, record["flags"])
        if unit.covering:
            self._cover(f, recorded, end, kept, state)
        f.do(count)

    def broken(self, f: Function, at: Val, state: Val, broken: Val) -> None:
        """Find the limits that held before a move and do not hold after it; put them into flags."""
        unit, record = self.unit, self.record
        mask = load("i64", load("i32", at) << 3, self.tables["masks"])
        limits = self.functions["limits"]
        f.set(broken, unit.module.call(limits, at + record["state"]) & mask)
        with f.when(broken.op("!=", const(0, I64))):
            f.set(broken, broken & (unit.module.call(limits, state) ^ -1))
            told = load("i64", at, record["flags"]) | broken << FLAGS
            f.store("i64", at, told, record["flags"])

    def _cover(self, f: Function, recorded: Val, end: Val, kept: Val, state: Val) -> None:
        """Take the legal moves of a filtered rest again, to record what they cover."""
        unit, record = self.unit, self.record
        f.set_global(unit.record, kept)
        at = f.var(get_global(self.tables["records"]))
        word = f.var(0, I64)
        with f.when(recorded), f.each(at, end, record["size"]):
            f.set(word, load("i64", at, record["flags"]))
            with f.when((word & 1).zero):
                f.do(unit.module.call(self.functions["take"], at, state))
                f.code += b"\x1a"
                f.store("i64", at, word, record["flags"])

