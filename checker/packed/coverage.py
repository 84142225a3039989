"""What of a machine has been used: a record of bytes, and what its places stand for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ...model.machine.machine import Machine
from ...model.machine.traversal import cites


@dataclass(frozen=True, slots=True)
class Marks:
    """The places in the coverage record, of clauses and of edges."""

    clauses: Mapping[str, int]
    edges: Mapping[int, int]

    @property
    def size(self) -> int:
        """The length of the record."""
        return len(self.clauses) + len(self.edges)


@dataclass(frozen=True, slots=True)
class Covered:
    """The clauses and edges that have been used so far."""

    clauses: frozenset[str]
    edges: frozenset[int]


def coverage_of(marks: Marks, record: bytes | bytearray) -> Covered:
    """Read a coverage record."""
    return Covered(
        frozenset(key for key, place in marks.clauses.items() if record[place]),
        frozenset(key for key, place in marks.edges.items() if record[place]),
    )


def marks_of(machine: Machine) -> Marks:
    """Return places in the coverage record for every clause and edge."""
    edges = [edge for node in machine.nodes for edge in node.edges]
    clauses = dict.fromkeys(
        clause for edge in edges for clause in (*edge.clauses, *cites(edge.body)))
    return Marks({key: i for i, key in enumerate(clauses)},
                 {edge.id: i for i, edge in enumerate(edges, len(clauses))})
