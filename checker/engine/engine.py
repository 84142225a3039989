"""Compiled successors of a machine: the face that the rest of the program sees."""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Hashable
from copy import copy
from dataclasses import replace
from typing import NamedTuple

import msgspec

from ...model.machine.machine import Configuration, Machine
from ...model.machine.state import Arg
from ...model.run.evaluate import OutOfRangeError
from ...model.run.interp import UncoveredRules
from ...model.source.errors import TooLongError, TooManyChoicesError
from ..drivers.compile import CompiledModule, compile_machine
from ..emitter.unit import (
    ASKED,
    NO_MEMORY,
    OUT_OF_RANGE,
    TOO_LONG,
    TOO_MANY,
    UNCOVERED,
    UnsupportedError,
)
from ..packed.coverage import Marks
from ..packed.flags import ENDLESS, MOST_CHOICES, Successor
from ..packed.packing import Layout
from .cache import code, kept_as
from .runtime import Running, Trap, available, load


class Course(NamedTuple):
    """What a random play of one machine comes to.

    Which features it asks for (a bit each), its end, what is tallied, whether it meets a bound.
    """

    asked: int
    end: bytes
    tallies: bytes
    beyond: bool


class Engine:
    """A machine, compiled and instantiated; `marks` say where coverage is recorded.

    Raises:
        UnsupportedError: if the machine cannot be compiled.

    """

    def __init__(self, machine: Machine, layout: Layout, marks: Marks) -> None:
        self.machine, self.layout, self.marks = machine, layout, marks
        self.compiled = _compiled(machine, layout, marks)
        self.courses: dict[Hashable, dict[int, Course]] = {}
        """What single random plays come to, from the second comparison of a configuration on.

        It is kept by all machines of this code.
        """
        length, record = layout.length, self.compiled.record
        size, first, after = (record[part] for part in ("size", "args", "state"))
        self._record = struct.Struct(
            f"<I12x{first - 16}s{after - first}x{length}s{size - after - length}x")
        self.module = load(self.compiled.code)
        self._begin()

    def _begin(self, beside: Running | None = None) -> None:
        self.running = Running(self.module, beside=beside)
        self.configure(self.machine.configuration)
        self.template = self.running.read(self.compiled.state, self.layout.length)

    def another(self, configuration: Configuration | None = None, *,
                beside: Running | None = None) -> Engine | None:
        """Return the same machine with memories of its own; None if there is no room for them.

        By default the same features are on.  It may work together with an instance `beside` it.
        """
        made = copy(self)
        if configuration is not None:
            made.machine = self.machine.under(configuration)
        try:
            made._begin(beside)  # noqa: SLF001  (its own kind)
        except UnsupportedError:
            return None
        return made

    def configure(self, configuration: Configuration) -> None:
        """Turn features on and off."""
        self.running.write(self.compiled.configuration, bytes(configuration))

    def unlike(self, other: Engine) -> int:
        """Return the features that are not the same in another one, a bit each."""
        pairs = zip(self.machine.configuration, other.machine.configuration, strict=True)
        return sum(1 << place for place, (mine, theirs) in enumerate(pairs) if mine != theirs)

    def watch(self, features: int) -> None:
        """Tell from now on when one of some features is asked for; none have been until now."""
        self.call("touched")
        self.running.write(self.compiled.watched, self._words(features))
        self.running.write(self.compiled.noted, self._words(0))

    def asked(self) -> int:
        """Return which features have been asked for since some are watched, a bit each."""
        self.call("touched")
        row = self.running.read(self.compiled.noted, len(self._words(0)))
        words = struct.unpack(f"<{len(row) // 8}Q", row)
        return sum(word << ASKED * place for place, word in enumerate(words))

    def _words(self, features: int) -> bytes:
        """Return features as words of compiled code."""
        places = range(0, len(self.machine.configuration), ASKED)
        return b"".join((features >> place & (1 << ASKED) - 1).to_bytes(8, "little")
                        for place in places)

    def call(self, name: str, *arguments: int, wide: bool = False) -> int:
        """Call a function of the module.

        Raises:
            OutOfRangeError, UncoveredRules, TooMuchError, MemoryError: as the other engines.

        """
        try:
            return self.running.call(name, *arguments, wide=wide)
        except Trap as trap:
            self.explain(trap)
            raise

    def explain(self, trap: Trap) -> None:
        """Raise what a trap stands for, if this machine has left a reason."""
        why, where = struct.unpack("<2I", self.running.read(self.compiled.error, 8))
        if why == OUT_OF_RANGE:
            raise OutOfRangeError("a statement wrote a value that its array cannot hold") from trap
        if why == UNCOVERED:
            name = next(node.name for node in self.machine.nodes if node.id == where)
            raise UncoveredRules(f"no case of `{name}` applies") from trap
        if why == TOO_MANY:
            raise TooManyChoicesError(MOST_CHOICES) from trap
        if why == TOO_LONG:
            raise TooLongError from trap
        if why == NO_MEMORY:
            raise MemoryError("the moves of one state do not fit into memory") from trap

    def start(self) -> tuple[bytes | None, int]:
        """Set the game up: the first rest (None if there is none), and flags."""
        made, layout = self.compiled, self.layout
        self.running.write(made.state, self.template)
        endless = self.call("start", made.state)
        flags = int.from_bytes(self.running.read(made.flags, 8 * made.words), "little")
        if endless:
            return None, flags | ENDLESS
        return self.running.read(made.state, layout.length), flags

    def expand(self, packed: bytes) -> tuple[int, bytes]:
        """Write the records of all moves of a state; give their number and their bytes."""
        running, made = self.running, self.compiled
        running.write(made.state, packed)
        count = self.call("expand", made.state)
        return count, running.read(made.records, count * made.record["size"])

    def succ(self, packed: bytes) -> list[Successor]:
        """List all moves in order, also those that a limit forbids (see the flags)."""
        edges, at, size = self.compiled.edges, self.compiled.record["args"], self._record.size
        found: list[Successor] = []
        _, rows = self.expand(packed)
        for number, told, state in self._record.iter_unpack(rows):
            edge, places = edges[number]
            flags = int.from_bytes(told, "little")
            found.append((edge, _arguments(rows, at, places) if places else (),
                          None if flags & ENDLESS else state, flags))
            at += size
        return found

    def weights(self, packed: bytes) -> list[int]:
        """List the weights of what chance may do, in the order of `succ`."""
        count, rows = self.expand(packed)
        size = self.compiled.record["size"]
        return [int.from_bytes(rows[at + 8 : at + 16], "little")
                for at in range(0, count * size, size)]

    @property
    def record(self) -> bytearray:
        """The coverage record, as of now; it may be set, to go on from there."""
        return bytearray(self.running.read(self.compiled.coverage, self.marks.size))

    @record.setter
    def record(self, record: bytearray) -> None:
        self.running.write(self.compiled.coverage, bytes(record))

    def cover(self) -> None:
        """Record from now on what legal moves use, and nothing else."""
        self.record = bytearray(self.marks.size)
        self.running.write(self.compiled.recording, b"\x01")


def _compiled(machine: Machine, layout: Layout, marks: Marks) -> CompiledModule:
    """Compile a machine, or take what is kept: wherever the rules stand, the code is the same."""
    duties = tuple(replace(duty, place=None) for duty in machine.obligations)
    about = msgspec.msgpack.encode((replace(machine, obligations=duties), layout.rests, marks))
    name = hashlib.sha256(f"{code()} module ".encode() + about).hexdigest()
    return msgspec.msgpack.decode(kept_as(
        name, lambda: msgspec.msgpack.encode(compile_machine(machine, layout, marks))),
        type=CompiledModule)


def engine_for(machine: Machine, layout: Layout, marks: Marks) -> Engine | None:
    """Compile a machine; None if it cannot be compiled, or nothing here can run it."""
    if not available():
        return None
    try:
        return Engine(machine, layout, marks)
    except UnsupportedError:
        return None


def _arguments(rows: bytes, at: int, places: tuple[tuple[int, int], ...]) -> tuple[Arg, ...]:
    """Read the arguments of a move."""
    found: list[Arg] = []
    for place, counts in places:
        if counts:
            found.append(struct.unpack_from(f"<{counts}H", rows, at + place))
        else:
            found.append(int.from_bytes(rows[at + place : at + place + 4], "little", signed=True))
    return tuple(found)
