"""A machine as functions on packed states: what exploration, comparison and sampling run on.

What can be compiled runs as WebAssembly (`Engine`), the rest in the reference interpreter
(`Plain`); both must agree state by state, which the tests check.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

from ...model.machine.core import Expr
from ...model.machine.machine import Configuration, Machine, NodeKind
from ...model.machine.state import Move, State
from ...model.machine.traversal import arrays_read
from ...model.orders.one_order import one_order as in_one_order
from ...model.run.interp import EndlessRules, Interpreter, SetUpBeyondError
from ..drivers.compile import compile_machine
from ..packed.coverage import Covered, Marks, coverage_of, marks_of
from ..packed.flags import FILTERED, FLAGS, Successor, bounds_of
from ..packed.packing import Layout, layout_of
from .engine import Engine, engine_for
from .plain import Plain
from .question import compiled

NO_SWITCHES: Mapping[str, int] = {}
"""Of a machine in which the order of the players in a window is written down."""

WON = "winners"
"""The array of who has won."""

MOST_LISTED = 64
"""The moves of so many situations are kept."""


class Program:
    """A machine, ready to run.

    `one_order` names windows whose players are asked in the order of the seats only.  `native`
    compiles the machine, where that is possible; `like` is a program of the same machine in another
    configuration, whose compiled code, with the same orders, serves this one too.  If the machine
    has `switches`, features for windows of which any may be in one order (`switched`), its code
    serves all orders.
    """

    def __init__(
        self, machine: Machine, *, one_order: frozenset[str] = frozenset(), native: bool = True,
        like: Program | None = None, switches: Mapping[str, int] = NO_SWITCHES,
    ) -> None:
        self.given = machine
        self.native = native
        self.like = like
        self.switches = switches
        on = {switches[name] for name in one_order} if switches else set[int]()
        self.machine = in_one_order(machine, one_order) if not switches else machine.under(tuple(
            int(place in on) if place in switches.values() else each
            for place, each in enumerate(machine.configuration)))
        self.one_order = one_order
        self._bounds = bounds_of(self.machine)
        self._others: dict[frozenset[str], Program] = {}
        self._listed: dict[bytes, list[Successor]] = {}
        self.layout: Layout = layout_of(machine)
        nodes = {node.id: node for node in machine.nodes}
        self.kinds = tuple(nodes[node].kind for node in self.layout.rests)

    @cached_property
    def marks(self) -> Marks:
        """The places of the coverage record."""
        return marks_of(self.given)

    @cached_property
    def passes(self) -> frozenset[int]:
        """The ids of the edges that are passes."""
        return frozenset(
            edge.id for node in self.machine.nodes for edge in node.edges if edge.passes)

    @property
    def whole(self) -> Program:
        """The program with every order of the players."""
        return self.with_order(frozenset())

    def with_order(self, windows: frozenset[str]) -> Program:
        """Return the program that asks in one order in these windows only, made once."""
        if windows == self.one_order:
            return self
        if windows not in self._others:
            self._others[windows] = Program(
                self.given, one_order=windows, native=self.native, switches=self.switches,
                like=self.like or (self if self.switches else None))
        return self._others[windows]

    def under(self, configuration: Configuration) -> Program:
        """Return the program with other features on; both run the same compiled code."""
        whole = *configuration, *(0 for _ in self.switches)
        return Program(self.given.under(whole), one_order=self.one_order, native=self.native,
                       like=self.like or self, switches=self.switches)

    @cached_property
    def made(self) -> Engine | Plain:
        """What runs the machine."""
        return self.engine or Plain(self.machine, self.layout)

    @cached_property
    def engine(self) -> Engine | None:
        """The compiled machine; None where it cannot be compiled or run."""
        if self.like is not None:
            like = self.like if self.switches else self.like.with_order(self.one_order)
            made = like.engine
            return made and made.another(self.machine.configuration)
        return engine_for(self.machine, self.layout, self.marks) if self.native else None

    # ----------------------------------------------------------------------------- states

    def pack(self, state: State) -> bytes:
        """Pack a state."""
        return self.layout.pack(state)

    def unpack(self, packed: bytes) -> State:
        """Unpack a state."""
        return self.layout.unpack(packed)

    def rank(self, packed: bytes) -> int:
        """Say at which rest a packed state is, by its number."""
        return int.from_bytes(packed[: self.layout.head], "little")

    def kind(self, packed: bytes) -> NodeKind:
        """Say at what kind of node a packed state rests."""
        return self.kinds[self.rank(packed)]

    def observer(self, arrays: Iterable[str]) -> Callable[[bytes], bytes]:
        """Make the function that cuts some arrays out of a packed state, in the order given."""
        cuts: list[tuple[int, int]] = []
        for name in arrays:
            slot = self.layout.slots[name]
            if cuts and cuts[-1][1] == slot.start:
                cuts[-1] = (cuts[-1][0], slot.end)
            else:
                cuts.append((slot.start, slot.end))
        if len(cuts) == 1:
            ((first, last),) = cuts
            return lambda packed: packed[first:last]
        return lambda packed: b"".join([packed[start:end] for start, end in cuts])

    # ------------------------------------------------------------------------------ moves

    def searching(self, *, cover: bool) -> Engine | None:
        """Make a compiled machine of its own for a search; None where there can be none."""
        made = self.engine and self.engine.another()
        if made is not None and cover:
            made.cover()
        return made

    @cached_property
    def fingerprint(self) -> str:
        """Name what is explored and covered: the SHA-256 of its code, or of the machine as text."""
        code = repr(self.machine).encode() if self.engine is None else (
            self.engine.compiled.code + bytes(self.machine.configuration))
        return hashlib.sha256(code).hexdigest()

    @cached_property
    def rules(self) -> str:
        """Name what is done, whichever clauses it is of: code that records none of them."""
        if self.engine is None:
            return self.fingerprint
        code = compile_machine(self.machine, self.layout, None).code
        return hashlib.sha256(code + bytes(self.machine.configuration)).hexdigest()

    def start(self) -> tuple[bytes, int]:
        """Set the game up: the first rest, and flags.

        Raises:
            EndlessRules: if it never gets to rest, or meets a bound of the model.

        """
        packed, flags = self.made.start()
        if flags & self._bounds:
            raise SetUpBeyondError(self.bounds_met(flags))
        if packed is None:
            Interpreter(self.machine).start()
            raise EndlessRules(())
        return packed, flags

    def succ(self, packed: bytes) -> list[Successor]:
        """List all moves in order, also those that a limit forbids (see the flags).

        The list is kept for a while, as one situation is asked about several times: do not write.
        """
        found = self._listed.get(packed)
        if found is None:
            if len(self._listed) == MOST_LISTED:
                self._listed.clear()
            found = self._listed[packed] = self.made.succ(packed)
        return found

    def taken(self, packed: bytes, move: Move) -> Successor | None:
        """Return a legal move as it is made; None if it is not legal."""
        return next((row for row in self.succ(packed) if row[0] == move.edge
                     and row[1] == move.args and not row[3] & FILTERED), None)

    def weights(self, packed: bytes) -> list[int]:
        """List the weights of what chance may do here, in the order of `succ`."""
        return self.made.weights(packed)

    def covering(self) -> Engine | Plain:
        """Make a machine that records what it covers, and set the game up in it."""
        made = self.searching(cover=True) or Plain(self.machine, self.layout, self.marks)
        made.start()
        return made

    def coverage(self, record: bytes | bytearray) -> Covered:
        """Read a coverage record."""
        return coverage_of(self.marks, record)

    def predicate(self, test: Expr) -> Callable[[bytes], bool]:
        """Return the function that says whether a condition holds in a packed state."""
        value = self.value(test)
        return lambda packed: value(packed) != 0

    def stated(self, test: Expr, *, over: bool = False) -> Callable[[bytes], bool]:
        """Return the function that says whether what is claimed is so in a packed state.

        Who has won is said of games that are over (as all is, with `over`): of no other state.
        """
        holds = self.predicate(test)
        if not over and WON not in arrays_read(test):
            return holds
        return lambda packed: holds(packed) and self.kind(packed) == "final"

    def value(self, expr: Expr) -> Callable[[bytes], int]:
        """Return the function that gives the value of an expression in a packed state."""
        if self.engine is not None:
            return compiled(self.machine, self.layout, expr)
        plain = Plain(self.machine, self.layout)
        return lambda packed: plain.value(expr, packed)

    @cached_property
    def decider(self) -> Callable[[bytes], int | None]:
        """Who decides in a packed state: a seat, -1 if any may, None where nothing is decided."""
        nodes = {node.id: node for node in self.machine.nodes}
        by = [nodes[rest].by for rest in self.layout.rests]
        values: dict[Expr, Callable[[bytes], int]] = {}

        def who(state: bytes) -> int | None:
            expr = by[self.rank(state)]
            if self.kind(state) != "decide":
                return None
            if expr is None:
                return -1
            if expr not in values:
                values[expr] = self.value(expr)
            return values[expr](state)

        return who

    # ------------------------------------------------------------------------------ flags

    def notes(self, flags: int) -> tuple[int, ...]:
        """List the obligations that flags tell of, by id in the machine's order."""
        first = FLAGS + len(self.machine.limits)
        duties = enumerate(self.machine.obligations)
        return tuple(duty.id for i, duty in duties if flags >> first + i & 1)

    def bounds_met(self, flags: int) -> list[str]:
        """Name the bounds of the model that flags tell of."""
        first = FLAGS + len(self.machine.limits)
        return [duty.prompt for place, duty in enumerate(self.machine.obligations)
                if duty.is_bound and flags >> first + place & 1]

    def broken(self, flags: int) -> tuple[int, ...]:
        """List the limits that flags tell of, by number."""
        return tuple(i for i in range(len(self.machine.limits)) if flags >> FLAGS + i & 1)
