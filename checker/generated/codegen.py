"""Generated Python for a machine: the successor function that exploration and sampling run on.

`Program` is the machine as functions on packed states (`packing`).  The source is written by
`generator` from our own names and integers only, compiled with a handful of builtins, and must
agree with the reference interpreter state by state, which the tests check.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, cast

from ...model.machine.core import Cite, Expr, Fill, For, If, Stmt, Store
from ...model.machine.machine import Machine, NodeKind
from ...model.machine.state import Arg, State
from ...model.orders.responders import one_order as in_one_order
from ...model.run.evaluate import OutOfRangeError
from ...model.run.interp import EndlessRules, Interpreter, UncoveredRules
from ..engine.engine import Engine, engine_for
from .actions import Marks, StmtId
from .bags import Vectors
from .generator import FILTERED, FLAGS, Generator, Mode
from .packing import Layout, layout_of
from .scope import Scope

Successor = tuple[int, tuple[Arg, ...], bytes | None, int]
"""An edge, its arguments, the next rest (None if the rules never rest), and flags."""

BUDGETS = (400, 60, 0)
"""How long a fold or a loop may be when written out: less if the source grows too long."""

LONGEST_SOURCE = 4_000_000

LONGEST_RUN = 100_000
SHORT_RUN = 256

CALLED = (bytes, bytearray, sum, min, max, range, len)
BUILTINS = {function.__name__: function for function in CALLED}
"""All that generated code can reach of Python."""


@dataclass(frozen=True, slots=True)
class Coverage:
    """What has been used so far: clauses, edges, and statements that ran, or changed something."""

    clauses: frozenset[str]
    edges: frozenset[int]
    run: frozenset[StmtId]
    changed: frozenset[StmtId]


class Program:
    """A machine, compiled.  Each mode is compiled when it is first asked for.

    `quick` compiles each piece when it is first met, in the mode `full` only: for a question that
    is soon answered.  `one_order` names windows whose players are asked in the order of the seats
    only.  `native` runs what `checker.engine` compiles, where that is possible, and Python is
    generated for the rest only.
    """

    def __init__(
        self, machine: Machine, *, quick: bool = False, one_order: frozenset[str] = frozenset(),
        native: bool = True,
    ) -> None:
        self.given = machine
        self.native = native
        self.machine = in_one_order(machine, one_order)
        self.one_order = one_order
        self._others: dict[frozenset[str], Program] = {}
        self.quick = quick
        self.budgets = BUDGETS[-1:] if quick else BUDGETS
        self.layout: Layout = layout_of(machine)
        nodes = {node.id: node for node in machine.nodes}
        self.kinds = tuple(nodes[node].kind for node in self.layout.rests)

    @cached_property
    def marks(self) -> Marks:
        """The places of the coverage record."""
        return marks_of(self.given)

    @property
    def whole(self) -> Program:
        """The program with every order of the players."""
        return self.with_order(frozenset())

    def with_order(self, windows: frozenset[str]) -> Program:
        """Give the program that asks in one order in these windows only, made once."""
        if windows == self.one_order:
            return self
        if windows not in self._others:
            self._others[windows] = Program(
                self.given, quick=True, one_order=windows, native=self.native)
        return self._others[windows]

    @cached_property
    def engine(self) -> Engine | None:
        """The compiled machine; None where it cannot be compiled or run."""
        return engine_for(self.machine, self.layout) if self.native else None

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
        text = " + ".join(f"s[{start}:{end}]" for start, end in cuts) or "b''"
        names: dict[str, Any] = {"__builtins__": {}}
        exec(f"def look(s):\n    return {text}", names)  # noqa: S102  (our own text, integers only)
        return cast("Callable[[bytes], bytes]", names["look"])

    # ------------------------------------------------------------------------------ moves

    def searching(self, *, cover: bool) -> Engine | None:
        """Make a compiled machine of its own for a search; None where there can be none."""
        if self.engine is None:
            return None
        if cover:
            return engine_for(self.machine, self.layout, self.marks)
        return self.engine.another()

    @cached_property
    def fingerprint(self) -> str:
        """Name what is explored: the SHA-256 of the generated code and of the first vector."""
        if self.engine is not None:
            return hashlib.sha256(self.engine.compiled.code).hexdigest()
        digest = hashlib.sha256(self._lean.source.encode())
        digest.update(self._lean.names["S0"])
        return digest.hexdigest()

    def start(self) -> tuple[bytes, int]:
        """Set the game up: the first rest, and flags."""
        made = self.engine or (self._full if self.quick else self._lean)
        packed, flags = made.start()
        if packed is None:
            Interpreter(self.machine).start()
            raise EndlessRules(())
        return packed, flags

    def succ(self, packed: bytes) -> list[Successor]:
        """List all moves in order, also those that a limit forbids (see the flags)."""
        if self.engine is not None:
            return self.engine.succ(packed)
        return cast("list[Successor]", self._full.nexts(packed))

    def weights(self, packed: bytes) -> list[int]:
        """List the weights of what chance may do here, in the order of `succ`."""
        if self.engine is not None:
            return self.engine.weights(packed)
        return cast("list[int]", self._full.names[f"w{self.rank(packed)}"](packed))

    def lean(self) -> tuple[Callable[[bytes], list[bytes]], list[tuple[int, int]]]:
        """Give what exploration needs: the legal next states, and a list of what was remarkable.

        The list is filled at each call with (position in the answer, flags); for a move after which
        the rules never rest the position is -1 - its edge.  The caller empties the list.
        """
        if self.engine is not None:
            return self.engine.lean, self.engine.remarks
        return cast("Callable[[bytes], list[bytes]]", self._lean.nexts), self._lean.remarks

    def covering(self) -> tuple[Callable[[bytes], list[bytes]], list[tuple[int, int]], bytearray]:
        """Give the same as `lean`, recording coverage, and a record of its own, with the setup."""
        engine = self.searching(cover=True)
        if engine is not None:
            engine.start()
            return engine.lean, engine.remarks, engine.record
        module = build(self, "cover")
        module.start()
        return cast("Callable[[bytes], list[bytes]]", module.nexts), module.remarks, module.record

    def coverage(self, record: bytes | bytearray) -> Coverage:
        """Read a coverage record."""
        marks = self.marks
        return Coverage(
            frozenset(key for key, place in marks.clauses.items() if record[place]),
            frozenset(key for key, place in marks.edges.items() if record[place]),
            frozenset(key for key, place in marks.run.items() if record[place]),
            frozenset(key for key, place in marks.changed.items() if record[place]),
        )

    def predicate(self, test: Expr) -> Callable[[bytes], bool]:
        """Make the function that says whether a condition holds in a packed state."""
        return cast("Callable[[bytes], bool]", self._asked(test, truth=True))

    def value(self, expr: Expr) -> Callable[[bytes], int]:
        """Make the function that gives the value of an expression in a packed state."""
        return self._asked(expr, truth=False)

    def _asked(self, expr: Expr, *, truth: bool) -> Callable[[bytes], int]:
        generator = Generator(self.machine, self.layout, "full", self.budgets[-1], None)
        formulas, scope = generator.formulas, Scope("s")
        written = formulas.test(expr, scope) if truth else formulas.piece(expr, scope)
        names, _, _ = surroundings(self, "full")
        names |= generator.formulas.shared
        text = [*formulas.functions, f"def asked(s):\n    return {written.text}"]
        exec(compile("\n\n".join(text), "<question>", "exec"), names)  # noqa: S102  (see above)
        return cast("Callable[[bytes], int]", names["asked"])

    # ------------------------------------------------------------------------------ flags

    def notes(self, flags: int) -> tuple[int, ...]:
        """List the obligations that flags tell of, by id in the machine's order."""
        first = FLAGS + len(self.machine.limits)
        duties = enumerate(self.machine.obligations)
        return tuple(duty.id for i, duty in duties if flags >> first + i & 1)

    def broken(self, flags: int) -> tuple[int, ...]:
        """List the limits that flags tell of, by number."""
        return tuple(i for i in range(len(self.machine.limits)) if flags >> FLAGS + i & 1)

    # ---------------------------------------------------------------------------- modules

    @cached_property
    def _full(self) -> Module:
        return build(self, "full")

    @cached_property
    def _lean(self) -> Module:
        return build(self, "lean")


@dataclass(slots=True)
class Module:
    """Generated code, and the lists that it writes to."""

    source: str
    names: dict[str, Any]
    remarks: list[tuple[int, int]]
    record: bytearray
    start: Callable[[], tuple[bytes | None, int]] = field(init=False)
    nexts: Callable[[bytes], list[Any]] = field(init=False)

    def __post_init__(self) -> None:
        self.start, self.nexts = self.names["start"], self.names["nexts"]


def generate(program: Program, mode: Mode) -> tuple[Generator, str]:
    """Write the source of a mode, shorter and slower if it would grow too long."""
    marks = program.marks if mode == "cover" else None
    for budget in program.budgets:
        found = Generator(program.machine, program.layout, mode, budget, marks)
        source = found.source()
        if len(source) <= LONGEST_SOURCE:
            break
    return found, source


def build(program: Program, mode: Mode) -> Module:
    """Compile a mode, with what its code calls."""
    if program.quick and mode == "full":
        return lazily(program)
    generator, source = generate(program, mode)
    names, remarks, record = surroundings(program, mode)
    names |= generator.formulas.shared
    exec(compile(source, f"<{mode} successors>", "exec"), names)  # noqa: S102  (see the docstring)
    for name, chooser in generator.guards.choosers.items():
        names[name] = Vectors(chooser.weights, names.get(chooser.keep))
    return Module(source, names, remarks, record)


def surroundings(
    program: Program, mode: Mode
) -> tuple[dict[str, Any], list[tuple[int, int]], bytearray]:
    """Make what generated code finds around it: names, the list of remarks, the record."""
    machine, layout, succ = program.machine, program.layout, program.succ
    remarks: list[tuple[int, int]] = []
    record = bytearray(program.marks.size if mode == "cover" else 0)
    values = tuple(value for array in machine.arrays for value in array.start)
    names: dict[str, Any] = {
        "__builtins__": BUILTINS,
        "N": [0],
        "M": remarks,
        "X": record,
        "S0": bytes(layout.head) + layout.pack_values(values),
        "number": int.from_bytes,
        "bad": bad,
        "within": within,
    }
    names |= helpers(machine, names, remarks, succ)
    return names, remarks, record


def lazily(program: Program) -> Module:
    """Compile the `full` mode piece by piece: each rest and rule when it is first met.

    Many questions about a variant of a game are answered after a few states.
    """
    generator = Generator(program.machine, program.layout, "full", program.budgets[-1], None)
    names, remarks, record = surroundings(program, "full")
    nodes = {node.id: node for node in program.machine.nodes}
    defined = 0

    def define(*texts: str) -> None:
        nonlocal defined
        written = [*generator.formulas.functions[defined:], *texts]
        defined = len(generator.formulas.functions)
        names.update(generator.formulas.shared)
        exec(compile("\n\n".join(written), "<successors>", "exec"), names)  # noqa: S102  (same)
        for name, chooser in generator.guards.choosers.items():
            if name not in names:
                names[name] = Vectors(chooser.weights, names.get(chooser.keep))
        while generator.waiting:
            rule(generator.waiting.pop())

    def rule(node: int) -> None:
        def first(t: bytearray) -> int:
            define(generator.rule(nodes[node]))
            names["R"][node] = names[f"r{node}"]
            return cast("int", names[f"r{node}"](t))

        names[f"r{node}"] = names["R"][node] = first

    def rest(rank: int) -> None:
        node = nodes[program.layout.rests[rank]]

        def first(s: bytes) -> list[Successor]:
            define(generator.rest(rank, node))
            names["D"][rank] = names[f"n{rank}"]
            return cast("list[Successor]", names["D"][rank](s))

        def weigh(s: bytes) -> list[int]:
            define(generator.weights(rank, node))
            return cast("list[int]", names[f"w{rank}"](s))

        names["D"].append(first)
        names[f"w{rank}"] = weigh

    names["D"], names["R"] = [], {}
    for rank in range(len(program.layout.rests)):
        rest(rank)
    head = "s[0]" if program.layout.head == 1 else "s[0] | s[1] << 8"
    define(*(generator.limit(i) for i in range(len(program.machine.limits))), generator.start(),
           f"def nexts(s):\n    return D[{head}](s)")
    return Module("", names, remarks, record)


# ---------------------------------------------------------------- what generated code calls


def helpers(
    machine: Machine,
    names: dict[str, Any],
    remarks: list[tuple[int, int]],
    succ: Callable[[bytes], list[Successor]],
) -> dict[str, Callable[..., Any]]:
    """Make the functions that know the machine."""
    limits = (1 << len(machine.limits)) - 1 << FLAGS
    nodes = {node.id: node.name for node in machine.nodes}

    def uncovered(node: int) -> None:
        raise UncoveredRules(f"no case of `{nodes[node]}` applies")

    def settle(out: list[Successor]) -> list[Successor]:
        if all(move[3] & limits for move in out):
            return out
        return [(*move[:3], move[3] | FILTERED) if move[3] & limits else move for move in out]

    def thin(out: list[tuple[bytes, int] | tuple[None, tuple[int, int]]]) -> list[bytes]:
        way_out = any(each[0] is None or not each[1] & limits for each in out)
        kept: list[bytes] = []
        for each in out:
            if each[0] is None:
                remarks.append(each[1])
            elif not (way_out and each[1] & limits):
                if each[1]:
                    remarks.append((len(kept), each[1]))
                kept.append(each[0])
        return kept

    def legal(packed: bytes) -> list[bool]:
        return [not move[3] & FILTERED for move in reversed(succ(packed))]

    def run(t: bytearray, node: int) -> bool:
        """Run rules to a rest; True if they go round for ever."""
        rules = names["R"]
        for _ in range(SHORT_RUN):
            node = rules[node](t)
            if node < 0:
                return False
        return endless(rules, t, node)

    return {"uncovered": uncovered, "settle": settle, "thin": thin, "legal": legal, "run": run}


def endless(rules: dict[int, Callable[[bytearray], int]], t: bytearray, node: int) -> bool:
    """Go on with a long run of the rules until it rests or repeats itself (Brent's algorithm)."""
    seen, wait, steps = (node, bytes(t)), 1, 0
    for _ in range(LONGEST_RUN):
        node = rules[node](t)
        if node < 0:
            return False
        if node == seen[0] and t == seen[1]:
            return True
        steps += 1
        if steps == wait:
            seen, wait, steps = (node, bytes(t)), 2 * wait, 0
    return True


def bad() -> None:
    """Refuse a value that an array cannot hold."""
    raise OutOfRangeError("a statement wrote a value that its array cannot hold")


def within(value: int, low: int, high: int) -> int:
    """Pass on a value that an array can hold."""
    if not low <= value <= high:
        bad()
    return value


# ------------------------------------------------------------------------------- coverage


def marks_of(machine: Machine) -> Marks:
    """Give every clause, edge, and writing statement a place in the coverage record."""
    clauses: dict[str, None] = {}
    edges: dict[int, None] = {}
    written: dict[StmtId, None] = {}
    for node in machine.nodes:
        for edge in node.edges:
            edges[edge.id] = None
            clauses |= dict.fromkeys(edge.clauses)
            for path, stmt in paths(edge.body, ()):
                if isinstance(stmt, Cite):
                    clauses[stmt.clause] = None
                elif isinstance(stmt, Store | Fill):
                    written[edge.id, path] = None
    first = len(clauses) + len(edges)
    return Marks(
        {key: i for i, key in enumerate(clauses)},
        {key: i for i, key in enumerate(edges, len(clauses))},
        {key: i for i, key in enumerate(written, first)},
        {key: i for i, key in enumerate(written, first + len(written))},
    )


def paths(body: Sequence[Stmt], above: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Stmt]]:
    """List statements with their paths; see `StmtId`."""
    for i, stmt in enumerate(body):
        here = (*above, i)
        yield here, stmt
        if isinstance(stmt, If):
            yield from paths(stmt.then, (*here, 0))
            yield from paths(stmt.other, (*here, 1))
        elif isinstance(stmt, For):
            yield from paths(stmt.body, (*here, 0))
