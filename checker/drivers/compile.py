"""A machine as a WebAssembly module: all functions, and where things lie in its memory."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...model.machine.machine import Machine
from ..emitter.unit import Unit
from ..emitter.wasm import I32, PAGE
from ..packed.coverage import Marks
from ..packed.packing import Layout
from .breadth import Breadth
from .expand import Successors
from .folding import Folding, folding_of
from .playout import Playouts

SPARE = 1 << 20
"""Bytes that are there for records from the beginning."""


@dataclass(frozen=True, slots=True)
class CompiledModule:
    """A module, and how to read its memory.

    `edges` are the ids of edges by their numbers, with the place and the number of counts (0 for a
    number) of each argument; `record` the offsets in a record; `state` the address of a state that
    drivers take and give; `error` and `flags` as in `Unit`.
    """

    code: bytes
    edges: tuple[tuple[int, tuple[tuple[int, int], ...]], ...]
    record: Mapping[str, int]
    records: int
    state: int
    error: int
    flags: int
    words: int
    configuration: int
    """The address of one byte for each feature of the machine, 1 if it is on."""
    watched: int
    noted: int
    """The addresses of which features are watched, and which were asked for (`unit.ASKED`)."""
    coverage: int
    recording: int
    """The addresses of the coverage record, and of whether it is read (`Unit.recording`)."""
    folding: Folding
    """How a search keeps states."""
    tree: Mapping[str, int]
    """How states are kept, see `tree`: the number of words, and the addresses of how many have
    numbers (`count`), of how often they `changes`, and of where numbers are `wanted`."""
    filtered: int
    """One byte for each rest: whether a limit may forbid a move there."""
    counts: Mapping[str, int]
    seen: int
    events: int
    """Where a search counts, which flags it has seen, and what happened first."""
    tables: Mapping[str, int]
    """One byte for each edge and each rest: seen endless, seen stuck."""
    plays: Mapping[str, int]
    """Where random plays begin and are counted; see `playout`."""


def compile_machine(machine: Machine, layout: Layout, marks: Marks | None) -> CompiledModule:
    """Compile a machine, with code that records coverage if there are marks.

    Raises:
        UnsupportedError: if it needs numbers of more than 62 bits, or something else too large.

    """
    unit = Unit(machine, layout, covering=marks is not None)
    module = unit.module
    module.memory(1, "memory")
    coverage = 0
    if marks is not None:
        unit.record = module.variable(type_=I32)
        unit.marks = {
            "size": marks.size,
            **{("clause", key): at for key, at in marks.clauses.items()},
            **{("edge", key): at for key, at in marks.edges.items()},
        }
        coverage = unit.module.room(3 * marks.size)
        unit.recording = unit.module.room(1)
        module.globals[unit.record] = I32, coverage
    successors = Successors(unit)
    successors.write()
    state = unit.module.room(successors.width)
    template = bytes(layout.head) + layout.pack_values(machine.start_values)
    module.data.append((state, template))
    breadth = Breadth(successors, folding_of(layout, template), state)
    breadth.write()
    playouts = Playouts(successors, unit.module.room(successors.width), state)
    playouts.write()
    tree = breadth.store.tree
    records = (unit.module.top + 63) // 64 * 64
    pages = (records + SPARE) // PAGE + 1
    module.memories[0] = pages
    module.globals[successors.tables["records"]] = I32, records
    module.globals[successors.limit] = I32, pages * PAGE - 16
    parts = successors.parts
    by_id = {edge.id: edge for node in machine.nodes for edge in node.edges}
    edges = tuple(
        (key, tuple((at, param.domain.high + 1 if param.bag else 0)
                    for (at, _), param in zip(parts.places(by_id[key]), by_id[key].params,
                                              strict=True)))
        for key in parts.edges)
    return CompiledModule(module.encoded(), edges, successors.record, records, state, unit.error,
                    unit.flags, unit.words, unit.configuration, unit.watched, unit.noted,
                    coverage, unit.recording, breadth.folding,
                    {"words": tree.leaves, "nodes": tree.nodes, "count": tree.count,
                     "changes": tree.changes, "wanted": tree.wanted},
                    successors.tables["filtered"], breadth.counts,
                    breadth.seen, breadth.events, breadth.tables,
                    {"start": playouts.start, "counts": playouts.counts, "seen": playouts.seen,
                     "firsts": playouts.firsts, "cut": playouts.cut, "begun": playouts.begun,
                     "passes": playouts.passes, "stops": playouts.stops})

