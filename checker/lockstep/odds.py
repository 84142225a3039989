"""Whether two machines in lock-step leave to chance the same with the same odds, as WebAssembly."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..emitter.wasm import I32, I64, Module, Val, const, load
from .ground import ModuleLayout


def write_odds(
    module: Module, sides: tuple[ModuleLayout, ModuleLayout], chance: Val, alike: int
) -> int:
    """Write odds(n, n) -> 1 if what chance does in both, of the same labels, is not as likely.

    The records are as `Pairs` leaves them: those of the first with the address of the one that goes
    with each, those of the second with whether one of the first does.  A weight counts by its share
    of all; where a label comes several times, its moves count together.  `chance`: whether chance
    decides in both; `alike`: the function that says whether two records have the same label.
    """
    apart = _apart(module)
    index, f = module.function((I32, I32), (I32,))
    ends = tuple(f.var(f.param(number) * side.size + side.records)
                 for number, side in enumerate(sides))
    totals = f.var(0, I64), f.var(0, I64)
    at, here, each, unlike = (f.var(0) for _ in range(4))
    mine, theirs = f.var(0, I64), f.var(0, I64)

    @contextmanager
    def records(number: int, place: Val) -> Iterator[Val]:
        """Go through the records of a machine: the weight of each."""
        f.set(place, sides[number].records)
        with f.each(place, ends[number], sides[number].size):
            yield load("i64", place, 8, number + 1)

    def differ() -> Val:
        return module.call(apart, mine, totals[0], theirs, totals[1])

    with f.when(chance.zero):
        f.give(const(0))
    f.set(unlike, f.param(0).op("!=", f.param(1)))
    with records(0, at) as weight:
        f.set(totals[0], totals[0] + weight)
    with records(1, here) as weight:
        f.set(totals[1], totals[1] + weight)
        f.set(unlike, unlike | load("i32", here, 4, 2).zero)
    with records(0, at) as weight:
        f.set(mine, weight)
        f.set(theirs, load("i64", load("i32", at, 4, 1), 8, 2))
        f.set(unlike, unlike | differ())
    # Move by move all is as likely, unless a label comes several times.
    with f.when(unlike.zero):
        f.give(const(0))
    with records(0, at):
        f.set(mine, const(0, I64))
        f.set(theirs, const(0, I64))
        f.set(here, load("i32", at, 4, 1))
        with records(0, each) as weight:
            f.set(mine, mine + weight * module.call(alike, each, here).wide_unsigned)
        with records(1, here) as weight:
            f.set(theirs, theirs + weight * module.call(alike, at, here).wide_unsigned)
        with f.when(differ()):
            f.give(const(1))
    f.do(const(0))
    return index


def _apart(module: Module) -> int:
    """Write apart(a, b, c, d) -> 1 if a / b is not c / d: they have other continued fractions."""
    index, f = module.function((I64, I64, I64, I64), (I32,))
    one, of, two, of_too = (f.param(number) for number in range(4))
    rest, rest_too, zero = f.var(0, I64), f.var(0, I64), const(0, I64)
    with f.loop() as again:
        with f.when((one ^ two | of ^ of_too).op("==", zero)):
            f.give(const(0))
        with f.when(one.op("/u", of).op("!=", two.op("/u", of_too))):
            f.give(const(1))
        f.set(rest, one.op("%u", of))
        f.set(rest_too, two.op("%u", of_too))
        with f.when((rest | rest_too).op("==", zero)):
            f.give(const(0))
        with f.when(rest.op("==", zero) | rest_too.op("==", zero)):
            f.give(const(1))
        f.set(one, of)
        f.set(of, rest)
        f.set(two, of_too)
        f.set(of_too, rest_too)
        f.branch(again)
    f.fail()
    return index
