"""Random plays of two machines as WebAssembly: in lock-step, or each by itself with the same luck.

    play(seed, number, longest) -> differ     plays both at random; whether they differ somewhere;
                                              the moves until then are in the trace
    twins(seed, number, longest, known)       plays each by itself with the same random decisions;
                                              counts those that go differently, those that the same
                                              moves end otherwise, and who wins under each; what
                                              nobody picks, as there is nothing else, is no move;
                                              if `known`, the first's end lies in a table, and it
                                              is not played on once the two have parted; 3 if it
                                              leaves somebody without a move there

In lock-step, situations and the moves listed are compared, with the odds of what chance does, and
the one that is drawn is taken in both.  If it breaks a limit, all moves are taken, to know which
are legal, and these compared; then, if it is forbidden, another one is drawn.  A move is drawn by
64 random bits of splitmix64: by weight where chance decides, else any, passes less often.
"""

from __future__ import annotations

from ..drivers.draws import GAMMA, mix
from ..emitter.wasm import I32, I64, Function, Val, const, get_global, load
from ..packed.flags import BEYOND, ENDLESS, WINNER
from .ground import CHANCE, FINAL, OPEN
from .in_step import InStep, either
from .pairs import EVERY, TALLY

IN_STEP, OVER, PARTED, CUT, DEALT = range(5)
"""Of twin plays: the same until now; the same until one of them was over; parted at a choice; the
same until one of them was given up; parted by what chance did before anybody decided."""


class PairPlays(InStep):
    """Writes the functions above."""

    def write(self) -> None:
        """Write everything."""
        self.prepare()
        for side in (1, 2):
            self._step(side)
        self._tally()
        if self.pairs.ground.one_code:
            self.together()
        self._one()
        self._play()
        self._pair()
        self._twins()

    def _one(self) -> None:
        """Write one(longest) -> 1 if the two differ somewhere in a play."""
        call, functions = self.pairs.module.call, self.pairs.functions
        functions["one"], f = self.pairs.module.function((I32,), (I32,))
        left, one_code = f.param(0), self.pairs.ground.one_code
        unlike, count, others, at, here = (f.var(0) for _ in range(5))
        same = f.var(1)
        self.pairs.put(f, "length", 0)
        with f.loop() as again:
            if one_code:
                with f.when(same):
                    f.set(left, call(functions["ahead"], left))
                    with f.when(left.op("<", 0)):
                        f.give(const(0))
            with f.when(call(functions["situation"])):
                f.give(const(1))
            with f.when(left.zero):
                f.give(const(0))
            f.set(count, self.on("moves", 1))
            f.set(others, self.on("moves", 2))
            with f.when(call(functions["matched"], count, others, const(0))):
                f.give(const(1))
            if self.pairs.ground.odds:
                with f.when(call(functions["odds"], count, others)):
                    f.give(const(1))
            f.set(at, call(functions["choose1"], count, const(0), self.next(f)))
            with f.when(at.zero):
                f.give(const(0))
            f.set(here, load("i32", at, 4, 1))
            f.set(unlike, self.on("judge", 1, at))
            f.set(unlike, unlike ^ self.on("judge", 2, here))
            f.set(unlike, unlike | call(functions["owing"], at, here))
            with f.when(self.pairs.beyond(at, here)):
                f.give(const(0))
            with f.when(self.forbids(1, at) | self.forbids(2, here)):
                f.set(count, self.on("expand", 1))
                f.set(others, self.on("expand", 2))
                f.set(unlike, call(functions["matched"], count, others, const(EVERY)))
                with f.when(unlike.zero & self.pairs.flags(1, at)):
                    f.set(at, call(functions["choose1"], count, const(1), self.next(f)))
                f.set(here, load("i32", at, 4, 1))
            with f.when(unlike):
                f.give(const(1))
            with f.when(self.pairs.beyond(at, here)):
                f.give(const(0))
            with f.when(self.pairs.flags(1, at) & 2):
                f.give(const(0))
            self.trace(f, at)
            self.go(f, 1, at)
            self.go(f, 2, here)
            f.set(left, left - 1)
            if one_code:
                f.set(same, call(functions["equal"]))
            f.branch(again)
        f.fail()

    def _play(self) -> None:
        _, f = self.pairs.module.function((I64, I32, I32), (I32,), name="play")
        seed, number, longest = (f.param(i) for i in range(3))
        f.set_global(self.drawing, self._of_play(f, seed, number))
        self._begin(f, 1)
        self._begin(f, 2)
        f.do(self.pairs.module.call(self.pairs.functions["one"], longest))

    @staticmethod
    def _of_play(f: Function, seed: Val, number: Val) -> Val:
        """Mix the seed with the number of a play."""
        return mix(f, seed + (number.wide_unsigned + const(1, I64)) * const(GAMMA, I64))

    # -------------------------------------------------------------------------------- twins

    def _step(self, side: int) -> None:
        """Write step(key) -> the record of the move that is made by itself; 0 if none is.

        The bits that pick it are mixed from the key, the name of the place, and how often the play
        has been there.
        """
        call, functions = self.pairs.module.call, self.pairs.functions
        functions[f"step{side}"], f = self.pairs.module.function((I64,), (I32,))
        count, tables = f.var(0), self.pairs.tables
        with f.when(self.pairs.kind(side) & FINAL):
            f.give(const(0))
        place = f.var(self.pairs.place(side))
        visits = f.var(load("i32", place << 2, tables[f"visits{side}"]) + 1)
        f.store("i32", place << 2, visits, tables[f"visits{side}"])
        key = f.var(mix(f, f.param(0) ^ load("i64", place << 3, tables["names"])))
        drawn = f.var(mix(f, key + visits.wide_unsigned * const(GAMMA, I64)))
        f.set(count, self.on("moves", side))
        at = f.var(call(functions[f"choose{side}"], count, const(0), drawn))
        with f.when(at):
            f.do(self.on("judge", side, at))
            f.code += b"\x1a"
            with f.when(self.forbids(side, at)):
                f.set(count, self.on("expand", side))
                with f.when(self.pairs.flags(side, at) & 1):
                    again = mix(f, drawn + const(GAMMA, I64))
                    f.set(at, call(functions[f"choose{side}"], count, const(1), again))
            with f.when(get_global(self.options).op("==", 1)):
                f.store("i32", place << 2, visits - 1, tables[f"visits{side}"])
        f.do(at)

    def _decide(self, f: Function, side: int, key: Val, record: Val, left: Val) -> None:
        """Make moves, until there is one that somebody, or chance, picks: its record, or 0."""
        call, functions = self.pairs.module.call, self.pairs.functions
        f.set(record, const(0))
        with f.block() as done, f.loop() as again:
            f.branch(done, left.zero)
            f.set(record, call(functions[f"step{side}"], key))
            f.branch(done, record.zero)
            f.set(left, left - 1)
            alone = get_global(self.options).op("==", 1)
            f.branch(done, (alone | self.pairs.kind(side) & OPEN).zero)
            f.branch(done, self.pairs.flags(side, record) & ENDLESS)
            self.go(f, side, record)
            f.set(record, const(0))
            f.branch(again)

    def _tally(self) -> None:
        """Write tally(at, won, won): count at an address who has won, under either or only one."""
        self.pairs.functions["tally"], f = self.pairs.module.function((I32, I32, I32))
        at, one, two = f.param(0), f.param(1), f.param(2)
        for place, won in ((0, one), (4, two & one.zero), (8, one & two.zero)):
            f.store("i32", at, load("i32", at, place) + won, place)

    def _pair(self) -> None:
        """Write pair(key, longest, known): play each by itself, and count how they compare.

        `asked` are the seats that decide where they part, under each: who does under the other, or
        did last, where nobody does.  Plays of which one meets a bound of the model do not count.
        """
        call, functions = self.pairs.module.call, self.pairs.functions
        functions["pair"], f = self.pairs.module.function((I64, I32, I32))
        key, left = f.param(0), [f.var(f.param(1)), f.var(f.param(1))]
        at, here, state, options, met = (f.var(0) for _ in range(5))
        asked, on, same = [f.var(-1), f.var(-1)], [f.var(1), f.var(1)], f.var(1)
        stuck = [f.var(0), f.var(0)]
        f.set_global(self.last, const(-1))
        with f.block() as done, f.loop() as again:
            f.branch(done, (on[0] | on[1]).zero)
            if self.pairs.ground.one_code:
                with f.when(same):
                    f.set(left[0], call(functions["onward"], key, left[0]))
                    f.set(left[1], left[0])
                    f.set(same, 0)
            for side, record in ((1, at), (2, here)):
                f.set(record, const(0))
                with f.when(on[side - 1]):
                    self._decide(f, side, key, record, left[side - 1])
                    f.set(stuck[side - 1], record.zero & left[side - 1].op("!=", 0)
                          & (self.pairs.kind(side) & FINAL).zero)
                    if side == 1:
                        f.set(options, get_global(self.options))
            with f.block() as alike:
                f.branch(alike, state.op("!=", IN_STEP))
                with f.when(self._given_up(1, at, left) | self._given_up(2, here, left)):
                    f.set(state, const(CUT))
                    f.branch(alike)
                f.branch(alike, (at | here).zero)
                who, other = self.asked(f, 1), self.asked(f, 2)
                with f.when((at.zero | here.zero).zero):
                    unlike = (call(functions["alike"], at, here)
                              & self.on("by", 1).op("==", self.on("by", 2))).zero
                    with f.when(options.op("==", get_global(self.options)) & unlike.zero):
                        self.remember(f, who)
                        f.branch(alike)
                last = get_global(self.last)
                f.set(asked[0], either(either(who, other), last))
                f.set(asked[1], either(either(other, who), last))
                kinds = self.pairs.kind(1), self.pairs.kind(2)
                f.set(state, const(PARTED) - ((kinds[0] | kinds[1]) & FINAL))
                dealt = (kinds[0] & kinds[1] & CHANCE).op("!=", 0) & (at.zero | here.zero).zero
                with f.when(last.op("<", 0) & dealt):
                    f.set(state, const(DEALT))
            with f.when(f.param(2) & on[0] & state.op("!=", IN_STEP)):
                one = self.pairs.side(1)
                f.copy(const(one.state), const(self.pairs.tables["end"]), one.width, (1, 0))
                f.set(at, const(0))
                f.set(stuck[0], f.param(2) >> 1)
            for side, record in ((1, at), (2, here)):
                f.set(on[side - 1], const(0))
                with f.when(record):
                    f.set(met, met | self.pairs.flags(side, record) & BEYOND)
                    with f.when((self.pairs.flags(side, record) & ENDLESS).zero):
                        self.go(f, side, record)
                        f.set(on[side - 1], const(1))
            if self.pairs.ground.one_code:
                going = state.op("==", IN_STEP) & on[0] & on[1]
                with f.when(going & left[0].op("==", left[1])):
                    f.set(same, call(functions["equal"]))
                    with f.when(same):
                        f.set(same, call(functions["visited"]))
            f.branch(again)
        with f.when(met):
            self.pairs.put(f, "beyond", self.pairs.get("beyond") + 1)
            f.give()
        self._count(f, state, asked, stuck)

    def _given_up(self, side: int, record: Val, left: list[Val]) -> Val:
        """Return whether a play has no moves left that it may make, and is not over."""
        return record.zero & left[side - 1].zero & (self.pairs.kind(side) & FINAL).zero

    def _count(self, f: Function, state: Val, asked: list[Val], stuck: list[Val]) -> None:
        """Count a pair of plays that have come to their ends.

        Who wins is counted where both are over: that a play is given up is nobody's loss.
        """
        over = [self.pairs.kind(side) & FINAL for side in (1, 2)]
        both = f.var(over[0] & over[1])
        unlike = f.var(both & self.pairs.unlike(WINNER))
        with f.when(unlike & state.op("<", PARTED)):
            self.pairs.put(f, "ended", self.pairs.get("ended") + 1)
        in_step = state.op("==", IN_STEP) & (unlike | over[0] ^ over[1])
        went = in_step | state.op("==", OVER) | state.op("==", PARTED)
        self.pairs.put(f, "went", self.pairs.get("went") + went)
        self.pairs.put(f, "dealt", self.pairs.get("dealt") + state.op("==", DEALT))
        won = [self.pairs.winners(side) for side in (1, 2)]
        tallies, tally = self.pairs.tables["tallies"], self.pairs.functions["tally"]
        for seat, (one, two) in enumerate(zip(*won, strict=True)):
            f.do(self.pairs.module.call(
                tally, const(tallies + TALLY * seat), both & one, both & two))
        if not won[0]:
            return
        nobody = [both & sum(some[1:], some[0]).zero for some in won]
        f.do(self.pairs.module.call(tally, const(tallies + TALLY * len(won[0])), *nobody))
        going_on = [here.zero for here in over]
        f.do(self.pairs.module.call(tally, const(tallies + TALLY * (len(won[0]) + 1)), *going_on))
        given_up = [here.zero & at_a_loss.zero for here, at_a_loss in zip(over, stuck, strict=True)]
        for number, some in enumerate((stuck, given_up), 4):
            f.do(self.pairs.module.call(
                tally, const(tallies + TALLY * (len(won[0]) + number)), *some))
        for number, who in enumerate(asked, 2):
            with f.when(state.op("==", PARTED) & who.op(">=", 0)):
                f.do(self.pairs.module.call(
                    tally, const(tallies + TALLY * (len(won[0]) + number)),
                    both & self.pairs.winner(1, who), both & self.pairs.winner(2, who)))

    def _twins(self) -> None:
        pair = self.pairs.functions["pair"]
        _, f = self.pairs.module.function((I64, I32, I32, I32), name="twins")
        seed, number, longest, known = (f.param(i) for i in range(4))
        for side in (1, 2):
            self._begin(f, side)
            f.code += (const(self.pairs.tables[f"visits{side}"]).code + const(0).code
                       + const(4 * self.pairs.ground.places).code + b"\xfc\x0b\0")
        f.do(self.pairs.module.call(pair, self._of_play(f, seed, number), longest, known))

