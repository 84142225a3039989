"""What the functions of one compiled machine share: the module, the layout, static memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ...model.machine.core import Stmt
from ...model.machine.machine import Machine
from ..packed.flags import FLAGS
from ..packed.packing import Layout, Slot
from .terms import Terms
from .wasm import I64, Module

LONGEST_FOLD = 64
"""How heavy a fold or a loop may be when it is written out."""

WIDEST = 1 << 62
"""Values lie below this, so that sums of two fit into 64 bits."""

OUT_OF_RANGE, UNCOVERED, TOO_MANY, NO_MEMORY, TOO_LONG = 1, 2, 3, 4, 5
"""Why compiled code stops, as it leaves it at `Unit.error`; the word behind it says where."""

ASKED = 63
"""For so many features one word holds which were asked for."""


class UnsupportedError(Exception):
    """The machine cannot be compiled: the interpreter must run it."""


@dataclass(slots=True)
class Unit:
    """A machine being compiled.

    Addresses from 0 on are static: flags, the error, tables, room for bags.  `covering` asks for
    code that records coverage.
    """

    machine: Machine
    layout: Layout
    covering: bool
    module: Module = field(default_factory=Module)
    terms: Terms = field(default_factory=Terms)
    error: int = field(init=False)
    flags: int = field(init=False)
    configuration: int = field(init=False)
    """Where one byte for each feature says whether it is on."""
    asked: list[int] = field(default_factory=list)
    """The globals that hold which features were asked for, a bit each."""
    watched: int = field(init=False)
    noted: int = field(init=False)
    """Where as many words say which features are watched, and which were asked for until now."""
    tables: dict[str, tuple[int, str]] = field(default_factory=dict)
    notes: Mapping[int, int] = field(init=False)
    known: dict[int, tuple[Stmt, tuple[Slot, bytes] | None]] = field(default_factory=dict)
    """By the identity of a statement that was met, the bytes that it sets an array to, if known."""
    marks: Mapping[object, int] = field(default_factory=dict)
    record: int = -1
    """The global that holds where coverage is recorded."""
    recording: int = -1
    """Where a byte says whether anybody reads the record: else what is forbidden may be in it."""

    def __post_init__(self) -> None:
        first = FLAGS + len(self.machine.limits)
        self.notes = {duty.id: first + i for i, duty in enumerate(self.machine.obligations)}
        self.error = self.module.room(16)
        self.flags = self.module.room(8 * self.words)
        self.configuration = self.module.room(len(self.machine.features))
        if self.machine.features:
            self.asked = [self.module.variable(type_=I64)
                          for _ in range(0, len(self.machine.features), ASKED)]
            self.module.data.append((self.configuration, bytes(self.machine.configuration)))
        self.watched, self.noted = (self.module.room(8 * len(self.asked)) for _ in range(2))

    @property
    def words(self) -> int:
        """The number of 64-bit words that the flags of a move take."""
        return (FLAGS + len(self.machine.limits) + len(self.machine.obligations) + 63) // 64

    def table(self, name: str) -> tuple[int, str]:
        """Give the address of a constant table, and the kind of its elements (see `wasm.load`)."""
        if name not in self.tables:
            items = self.machine.tables[name]
            kind, width = ("u8", 1) if all(0 <= item < 256 for item in items) else ("i32", 4)
            if any(not -1 << 31 < item < (1 << 31) - 1 for item in items):
                kind, width = "i64", 8
            if any(abs(item) >= WIDEST for item in items):
                raise UnsupportedError(f"a number of table `{name}` has more than 62 bits")
            row = b"".join(item.to_bytes(width, "little", signed=width > 1) for item in items)
            at = self.module.room(len(row))
            self.module.data.append((at, row))
            self.tables[name] = at, kind
        return self.tables[name]
