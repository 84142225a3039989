"""Two compiled machines in lock-step, as Python sees them: pairs by number, levels, plays."""

from __future__ import annotations

import struct
from array import array
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from ..drivers.draws import place_of
from ..drivers.table import FULL
from ..emitter.unit import UnsupportedError
from ..emitter.wasm import PAGE
from ..lockstep.ground import CHANCE, FINAL, LIMITED, OPEN, ModuleLayout, PairParameters
from ..lockstep.pair_plays import PairPlays
from ..lockstep.pairs import LONGEST_TRACE, ROWS, TALLY, Pairs
from ..packed.flags import DUTIES, FLAGS, WINNER
from .engine import Course, Engine
from .runtime import Running, Trap, load, memory

if TYPE_CHECKING:
    import wasmtime

Pair = tuple[bytes, bytes]
Places = tuple[tuple[int, int], ...]

K = TypeVar("K")

CHUNK = 8192
"""Pairs and moves looked at in one call: some milliseconds."""


@dataclass(frozen=True, slots=True)
class Sight:
    """What of a machine is compared, in terms that two machines share.

    Args:
        labels: of each edge, what its moves are called.
        kinds: of each rest, the kind of its node.
        places: of each rest, its name.
        duties: of each limit and then each obligation, what it is called if it fails.
        cuts: what is compared of a state: level, first byte, length.

    """

    labels: Mapping[int, Hashable]
    kinds: Sequence[str]
    places: Sequence[str]
    duties: Sequence[Hashable]
    cuts: Sequence[tuple[int, int, int]]


class LockStep:
    """Two machines side by side, each with memories of its own.

    Args:
        engines: the machines.
        sights: what of them is compared.
        duties: whether what fails is compared, too.
        odds: whether it is compared how likely moves of chance are.

    Raises:
        UnsupportedError: if there is no room for their memories.

    """

    def __init__(self, engines: tuple[Engine, Engine], sights: tuple[Sight, Sight], *,
                 duties: bool, odds: bool) -> None:
        first = engines[0].another()
        second = None if first is None else engines[1].another(beside=first.running)
        if first is None or second is None:
            raise UnsupportedError("there is no room for their memories")
        self.engines = (first, second)
        starts = [engine.start()[0] for engine in self.engines]
        self._numbers: dict[tuple[Hashable, Places], int] = {}
        labels = [self._labels(engine, sight) for engine, sight in
                  zip(self.engines, sights, strict=True)]
        keys = _numbered([*sights[0].duties, *sights[1].duties])
        self.names = _numbered([*sights[0].places, *sights[1].places])
        cuts = tuple((level, at, there, size) for (level, at, size), (_, there, _) in
                     zip(sights[0].cuts, sights[1].cuts, strict=True))
        self._seats = sum(size for level, _, _, size in cuts if level == WINNER)
        self.made = _written(PairParameters(
            (_side(first), _side(second)), cuts, duties,
            _rounded(max(map(len, labels))), _rounded(max(len(s.kinds) for s in sights)),
            _rounded(len(self._numbers)), _rounded(len(keys)), _rounded(len(self.names)),
            odds, first.compiled is second.compiled and sights[0] == sights[1]
            and starts[0] is not None and starts[0] == starts[1]))
        self.running = self._instance()
        self._fill(labels, sights, keys)
        for engine, start in zip(self.engines, starts, strict=True):
            if start is not None:
                engine.running.write(engine.compiled.plays["start"], start)
        self.unlike = first.unlike(second) if self.one_code else -1
        """The features that are not the same in both, a bit each; all, if the codes differ."""
        if self.one_code:
            first.watch(self.unlike)

    @property
    def one_code(self) -> bool:
        """Whether both are configurations of the same code."""
        return self.made.one_code

    def _instance(self) -> Running:
        one, two = (engine.running for engine in self.engines)
        functions = [of.exports[name] for of in (one, two)
                     for name in ("expand", "moves", "judge", "by")]
        memories = [of.exports["memory"] for of in (one, two)]
        own = memory(one, self.made.top // PAGE + 1)
        watching = [one.exports["touched"]] if self.one_code else []
        return Running(self.made.module, beside=one,
                       imports=[*functions, *watching, own, *memories])

    def _labels(self, engine: Engine, sight: Sight) -> list[int]:
        """Return numbers for the edges of a machine: the same for the same label and arguments."""
        return [self._numbers.setdefault((sight.labels[edge], places), len(self._numbers))
                for edge, places in engine.compiled.edges]

    def _fill(self, labels: list[list[int]], sights: tuple[Sight, Sight],
              keys: dict[Hashable, int]) -> None:
        """Fill the tables of the driver."""
        for number, (engine, sight) in enumerate(zip(self.engines, sights, strict=True), 1):
            self._table(f"labels{number}", "I", labels[number - 1])
            filtered = engine.running.read(engine.compiled.filtered, len(sight.kinds))
            self._table(f"kinds{number}", "B", [
                FINAL * (kind == "final") | CHANCE * (kind == "chance") | OPEN * (kind == "open")
                | LIMITED * limited for kind, limited in zip(sight.kinds, filtered, strict=True)])
            self._table(f"places{number}", "I", [self.names[name] for name in sight.places])
            self._table(f"keys{number}", "H", [0] * FLAGS + [keys[duty] for duty in sight.duties])
        self._table("lengths", "I", [
            sum((2 * counts + 3) // 4 * 4 if counts else 4 for _, counts in places)
            for _, places in self._numbers])
        self._table("names", "Q", [place_of(name) for name in self.names])

    def _table(self, name: str, form: str, row: Sequence[int]) -> None:
        packed = struct.pack(f"<{len(row)}{form}", *row)
        self.running.write(self.made.tables[name], packed)

    # -------------------------------------------------------------------------- every pair

    def add(self, pair: Pair) -> None:
        """Add the first pair."""
        for engine, state in zip(self.engines, pair, strict=True):
            engine.running.write(engine.compiled.state, state)
        if self._call("add", 0) == FULL:
            raise MemoryError("the pairs do not fit into memory")

    def advance(self, most: int, end: int) -> None:
        """Compare pairs up to number `end`, as long as at most `most` have been found.

        It stops behind a pair that differs at a level at which none has before, and where memory
        is short.
        """
        seen = self._count("seen")
        while self._call("advance", most, end, CHUNK) != FULL:
            cursor, pairs = self._count("cursor"), self._count("pairs")
            if cursor >= min(end, pairs) or pairs > most or self._count("seen") != seen:
                break

    @property
    def compared(self) -> int:
        """The number of pairs compared."""
        return self._count("cursor")

    @property
    def found(self) -> int:
        """The number of pairs found."""
        return self._count("pairs")

    def levels(self) -> dict[int, int]:
        """Return the levels at which pairs differ, with the first pair of each."""
        seen = self._count("seen")
        row = self.running.read(self.made.tables["first"], 4 * (DUTIES + 1))
        first = struct.unpack(f"<{DUTIES + 1}I", row)
        return {level: first[level] for level in range(1, DUTIES + 1) if seen >> level & 1}

    @property
    def cut(self) -> int | None:
        """The number of the first pair in which a move meets a bound in one machine only."""
        return self._count("cut") - 1 if self._count("cut") else None

    def pair(self, number: int) -> Pair:
        """Return a pair of states."""
        self._call("show", number)
        one, two = (engine.running.read(engine.compiled.state, engine.layout.length)
                    for engine in self.engines)
        return one, two

    def parent(self, number: int) -> int:
        """Return the number of the pair from which a pair was found."""
        return int.from_bytes(self.running.read(4 * number, 4, "parents"), "little")

    def situations(self, *, parted: bool = False) -> int:
        """Count the states of the first in the pairs compared, or in those with other moves."""
        numbers: Iterable[int] = range(self.compared)
        if parted:
            found = array("I")
            found.frombytes(self.running.read(0, 4 * self._count("parted"), "parted"))
            numbers = found
        roots = array("I")  # of each pair the numbers of both states, see `drivers.tree`
        roots.frombytes(self.running.read(0, 8 * self.compared, "states"))
        return len({roots[2 * number] for number in numbers})

    # ------------------------------------------------------------------------- random plays

    def play(self, *, seed: int, plays: int, longest: int) -> tuple[int, ...] | None:
        """Play both at random; return the places of the moves that show a difference soonest."""
        longest = min(longest, LONGEST_TRACE)
        kept = self._courses("play", seed, longest)
        shortest: tuple[int, ...] | None = None
        for number in range(plays):
            if longest < 0:
                break
            course = None if shortest is not None else self._course(
                kept, "play", seed, number, longest)
            if (course is None or course.asked & self.unlike) and self._call(
                    "play", place_of(seed), number, longest):
                length = self._count("length")
                row = self.running.read(self.made.tables["trace"], 4 * length)
                shortest, longest = struct.unpack(f"<{length}I", row), length - 1
        return shortest

    def twins(self, *, seed: int, plays: int, longest: int) -> Twins:
        """Play twins."""
        beyond, alike = 0, Counter[bytes]()
        kept = self._courses("twins", seed, longest)
        courses = [self._course(kept, "twins", seed, number, longest) for number in range(plays)]
        self._forget()
        for number, course in enumerate(courses):
            if course is not None and course.beyond:
                beyond += 1
            elif course is not None and not course.asked & self.unlike:
                alike[course.tallies] += 1
            else:
                known = 0
                if course is not None:
                    self.running.write(self.made.tables["end"], course.end)
                    known = 3 if self._told(self._counted(course.tallies)).stuck.won else 1
                self._call("twins", place_of(seed), number, longest, known)
        total = self._counted(self._tallies())
        for row, many in alike.items():
            total = [one + many * each for one, each in zip(total, self._counted(row), strict=True)]
        return self._told(total)._replace(
            went=self._count("went"), ended=self._count("ended"),
            beyond=self._count("beyond") + beyond, dealt=self._count("dealt"))

    def _courses(self, name: str, seed: int, longest: int) -> dict[int, Course] | None:
        """Return where what plays of the first machine alone come to is kept.

        None if the codes differ, and where that is asked for the first time: it takes as long as to
        compare the two, and many machines are compared with one other only.
        """
        first, _ = self.engines
        key = first.machine.configuration, name, seed, longest
        if not self.one_code:
            return None
        if key in first.courses:
            return first.courses[key]
        first.courses[key] = {}
        return None

    def _course(
        self, known: dict[int, Course] | None, name: str, seed: int, number: int, longest: int
    ) -> Course | None:
        """Return what a play of the first machine alone comes to; None if that is not kept.

        It is played against itself: the second is given its features for that long.
        """
        if known is None:
            return None
        first, second = self.engines
        if number not in known:
            first.watch(0)
            second.configure(first.machine.configuration)
            self._forget()
            self._call(name, place_of(seed), number, longest, *[0] * (name == "twins"))
            known[number] = Course(
                first.asked(), first.running.read(first.compiled.state, first.layout.length),
                self._tallies(), self._count("beyond") > 0)
            first.watch(self.unlike)
            second.configure(second.machine.configuration)
        return known[number]

    def _forget(self) -> None:
        """Forget what was counted in twin plays."""
        for name in ("went", "ended", "dealt", "beyond"):
            self.running.write(self.made.tables[name], bytes(8))
        self.running.write(self.made.tables["tallies"], bytes(len(self._tallies())))

    def _tallies(self) -> bytes:
        return self.running.read(self.made.tables["tallies"], TALLY * (self._seats + ROWS))

    @staticmethod
    def _counted(row: bytes) -> list[int]:
        return [*struct.unpack(f"<{len(row) // 4}I", row)]

    @staticmethod
    def _told(total: Sequence[int]) -> Twins:
        return of_rows([Tally._make(total[at:at + 3]) for at in range(0, len(total), 3)])

    # --------------------------------------------------------------------------------------

    def _call(self, name: str, *arguments: int) -> int:
        try:
            return self.running.call(name, *arguments)
        except Trap as trap:
            for engine in self.engines:
                engine.explain(trap)
            raise

    def _count(self, name: str) -> int:
        return int.from_bytes(self.running.read(self.made.tables[name], 8), "little")


class Tally(NamedTuple):
    """In how many twin plays something is so in the first, only the second, and only the first."""

    won: int = 0
    gained: int = 0
    lost: int = 0


class Twins(NamedTuple):
    """What twin plays came to; see `comparison.twins`.

    `went` is how many went differently, `ended` how many the same moves end with another winner.
    Who wins is counted, of those that end under both, for each seat, for nobody, and for whoever
    decides under the first machine, and under the second, where the two part; of all, how many have
    no end, and of these how many leave somebody without a move, and how many do not.
    """

    went: int
    ended: int
    seats: tuple[Tally, ...]
    nobody: Tally
    unended: Tally
    asked: tuple[Tally, Tally]
    beyond: int = 0
    """Plays of which one meets a bound of the model; nothing else counts them."""
    dealt: int = 0
    """Plays that part by what chance does before anybody decides; `went` does not count them."""
    stuck: Tally = Tally()
    given_up: Tally = Tally()


def of_rows(rows: Sequence[Tally]) -> Twins:
    """Return what is tallied in rows: first those of the seats."""
    *seats, nobody, unended, one, two, stuck, given_up = rows
    return Twins(0, 0, tuple(seats), nobody, unended, (one, two), stuck=stuck, given_up=given_up)


@dataclass(frozen=True, slots=True)
class Written:
    """A driver's machine code, and its tables."""

    module: wasmtime.Module
    tables: dict[str, int]
    top: int
    one_code: bool


@lru_cache(maxsize=64)
def _written(ground: PairParameters) -> Written:
    """Write a driver; the same for all machines of the same shape."""
    pairs = Pairs(ground)
    pairs.write()
    PairPlays(pairs).write()
    return Written(load(pairs.module.encoded()), pairs.tables, pairs.module.top, ground.one_code)


def _side(engine: Engine) -> ModuleLayout:
    made, record = engine.compiled, engine.compiled.record
    limits = (1 << len(engine.machine.limits)) - 1 << FLAGS
    return ModuleLayout(
        made.folding, record["flags"], record["args"], record["state"], record["size"], made.words,
        limits, made.records, made.state, made.plays["start"], record["size"] - record["state"],
        engine.layout.head, made.plays["passes"])


def _numbered(names: Iterable[K]) -> dict[K, int]:
    """Return numbers for some names, in the order in which they come first."""
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _rounded(size: int) -> int:
    """Return the next power of two, from 64 on: one driver for machines of about a size."""
    return 1 << max(6, (size - 1).bit_length())


