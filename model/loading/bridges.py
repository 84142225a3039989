"""Orders that go through clauses which are not there any more.

Where a book says that A comes before X, and X before B, A comes before B also in a game without X:
in a reading or mode that leaves X out, and where a check takes X away to see whether it is missed.
Only what contradicts an order that is still stated is given up.
"""

from __future__ import annotations

from collections.abc import Mapping

import networkx as nx

from ..source import fields
from ..source.tree import SpecNode


def bridged(clauses: Mapping[str, SpecNode], gone: Mapping[str, SpecNode]) -> dict[str, SpecNode]:
    """Return clauses with the orders between them that went through those which are gone.

    `clauses` are all by id, in the order of the file; `gone` are dropped, or stand but are not
    played.
    """
    made = dict(clauses)
    if not gone:
        return made
    every: nx.DiGraph[str] = nx.DiGraph()
    for name, node in {**clauses, **gone}.items():
        every.add_edges_from((other, name) for other in fields.texts(node, "after"))
        every.add_edges_from((name, other) for other in fields.texts(node, "before"))
    stated = every.subgraph(name for name in clauses if name not in gone).copy()
    stated.add_nodes_from(name for name in clauses if name not in gone)
    for name, node in clauses.items():
        if name in gone:
            continue
        more: list[str] = []
        for other in _through(every, name, gone):
            same = other in stated and _step(clauses[other]) == _step(node)
            if same and other != name and not (
                nx.has_path(stated, other, name) or nx.has_path(stated, name, other)
            ):
                stated.add_edge(other, name)
                more.append(other)
        if more:
            after = (*fields.items(node, "after"), *(SpecNode(each, node.place) for each in more))
            made[name] = fields.updated(node, {"after": SpecNode(after, node.place)}, {})
    return made


def _step(node: SpecNode) -> str:
    return fields.text(node, "on")


def _through(every: nx.DiGraph[str], name: str, gone: Mapping[str, SpecNode]) -> list[str]:
    """Name what comes before a clause by way of clauses that are gone, in the order of the text."""
    found: dict[str, None] = {}
    todo = [name]
    for here in todo:
        for other in every.predecessors(here) if here in every else ():
            if other in gone and other not in todo:
                todo.append(other)
            elif here != name and other not in gone:
                found[other] = None
    return list(found)
