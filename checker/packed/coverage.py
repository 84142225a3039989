"""What of a machine has been used: a record of bytes, and what its places stand for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...model.machine.core import Cite, Fill, For, If, Stmt, Store
from ...model.machine.machine import Machine

Path = tuple[int, ...]
"""The place of a statement in a body: its number, then for what is inside an `If` 0 or 1 (the
branch) and its number there, for what is inside a `For` 0 and its number."""

StmtId = tuple[int, Path]
"""A statement that writes: its edge, and its place in the edge's body."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The places in the coverage record: for clauses, edges, and statements run and effective."""

    clauses: Mapping[str, int]
    edges: Mapping[int, int]
    run: Mapping[StmtId, int]
    changed: Mapping[StmtId, int]

    @property
    def size(self) -> int:
        """The length of the record."""
        return len(self.clauses) + len(self.edges) + len(self.run) + len(self.changed)


@dataclass(frozen=True, slots=True)
class Covered:
    """What has been used so far: clauses, edges, and statements that ran, or changed something."""

    clauses: frozenset[str]
    edges: frozenset[int]
    run: frozenset[StmtId]
    changed: frozenset[StmtId]


def coverage_of(marks: Marks, record: bytes | bytearray) -> Covered:
    """Read a coverage record."""
    return Covered(
        frozenset(key for key, place in marks.clauses.items() if record[place]),
        frozenset(key for key, place in marks.edges.items() if record[place]),
        frozenset(key for key, place in marks.run.items() if record[place]),
        frozenset(key for key, place in marks.changed.items() if record[place]),
    )


def marks_of(machine: Machine) -> Marks:
    """Return places in the coverage record for every clause, edge and writing statement."""
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
