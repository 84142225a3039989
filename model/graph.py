"""The turn machine as a networkx graph, whole or without what only the rules pass through.

`graph_of` makes a MultiDiGraph whose nodes are the numbers of the machine's nodes.

* node: `name`, `kind`, `step`, `title` (of its step), `by` (who decides), `ask`, `clauses`
* edge: `label`, `clauses`, `conditions` (objects with `clause`, `role`, `text`), `roles`, `params`,
  `passes`, `obligations` (what can fail on the way), `hidden` (how many nodes were left out)

The full graph of a game has hundreds of nodes, most of them of kind `rules` in the middle of a
step: control flow that no player sees.  `collapsed` leaves those out, so that what remains are the
points where somebody decides, chance, the ends, and the entries of steps and windows.  An edge
through nodes left out carries the clauses of all ways to its target.  Cost: one walk through the
nodes left out for each edge that enters them.

`draw` writes such a graph as text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

import networkx as nx

from .core import For, If, Note, Stmt
from .walk import cites
from .wording import Names, wording

if TYPE_CHECKING:
    from .machine import Edge, Machine, Node

Graph: TypeAlias = "nx.MultiDiGraph[int]"


# ---------------------------------------------------------------------- from a machine


def graph_of(
    machine: Machine,
    *,
    full: bool = False,
    names: Names | None = None,
    titles: Mapping[str, str] | None = None,
) -> Graph:
    """Make the graph of a machine; unless `full`, without the inner nodes of steps.

    `names` are those of `wording`, `titles` what steps and windows are called.
    """
    graph: Graph = nx.MultiDiGraph(game=machine.game, players=machine.players, start=machine.start)
    for node in machine.nodes:
        graph.add_node(
            node.id,
            name=node.name,
            kind=node.kind,
            step=node.step,
            title=(titles or {}).get(node.step, ""),
            by="" if node.by is None else wording(machine, node.by, names),
            ask=node.ask,
            clauses=tuple(dict.fromkeys(filter(None, node.clauses))),
        )
    for node in machine.nodes:
        for edge in node.edges:
            graph.add_edge(
                edge.source, edge.target, key=edge.id, **_edge(machine, node, edge, names)
            )
    return graph if full else collapsed(graph)


def _edge(machine: Machine, node: Node, edge: Edge, names: Names | None) -> dict[str, Any]:
    cited = [(clause, "rule") for clause in (*edge.clauses, *cites(edge.body))]
    cited = [(one.clause, one.role) for one in edge.conditions] + cited
    roles: dict[str, list[str]] = {}
    for clause, role in cited:
        if clause and role not in roles.setdefault(clause, []):
            roles[clause].append(role)
    return {
        "label": "" if edge.label == node.name else edge.label,
        "clauses": tuple(roles),
        "conditions": tuple(
            {"clause": one.clause, "role": one.role, "text": wording(machine, one.test, names)}
            for one in edge.conditions
        ),
        "roles": {clause: tuple(found) for clause, found in roles.items()},
        "params": tuple(param.label for param in edge.params),
        "passes": edge.passes,
        "obligations": tuple(dict.fromkeys(notes(edge.body))),
        "hidden": 0,
    }


def notes(body: Iterable[Stmt]) -> Iterator[int]:
    """List the obligations that may be noted as failed in a body."""
    return (stmt.obligation for stmt in _all(body) if isinstance(stmt, Note))


def _all(body: Iterable[Stmt]) -> Iterator[Stmt]:
    for stmt in body:
        yield stmt
        if isinstance(stmt, If):
            yield from _all(stmt.then)
            yield from _all(stmt.other)
        elif isinstance(stmt, For):
            yield from _all(stmt.body)


# ---------------------------------------------------------------------- collapsing


def collapsed(graph: Graph) -> Graph:
    """Leave out the inner nodes of steps; edges go through them."""
    kept = [
        node
        for node, about in graph.nodes(data=True)
        if node == graph.graph["start"] or about["kind"] != "rules" or _is_entry(about["name"])
    ]
    inside = set(graph) - set(kept)
    made: Graph = nx.MultiDiGraph(**graph.graph)
    made.add_nodes_from((node, graph.nodes[node]) for node in kept)
    for source in kept:
        ways: dict[tuple[int, str], dict[str, Any]] = {}
        for _, target, key, about in edges_of(graph, source):
            for reached, through in _through(graph, inside, target):
                slot = (reached, about["label"])
                if slot in ways:
                    ways[slot] = _merged(ways[slot], about, through, both=True)
                else:
                    ways[slot] = {**_merged(about, about, through, both=False), "key": key}
        for (reached, _), about in ways.items():
            key = about.pop("key")
            while made.has_edge(source, reached, key):
                key += graph.number_of_edges()
            made.add_edge(source, reached, key=key, **about)
    return made


def _is_entry(name: str) -> bool:
    """Tell the entry of a step from its exit (`turn: end`) and its inside (`turn/clause`)."""
    return "/" not in name and not name.split(" #", maxsplit=1)[0].endswith(": end")


def edges_of(graph: Graph, node: int) -> list[tuple[int, int, int, dict[str, Any]]]:
    """List the edges that leave a node, in their order."""
    return sorted(graph.out_edges(node, keys=True, data=True), key=lambda edge: edge[2])


def _through(
    graph: Graph, inside: set[int], first: int
) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Find what is kept behind a node, each with the edges on the ways to it."""
    if first not in inside:
        yield first, []
        return
    region, todo, reached = {first: None}, [first], dict[int, None]()
    while todo:
        for _, target, _, _ in edges_of(graph, todo.pop(0)):
            if target not in inside:
                reached[target] = None
            elif target not in region:
                region[target] = None
                todo.append(target)
    for target in reached:
        behind = {target}
        todo = [target]
        while todo:
            for source in graph.predecessors(todo.pop()):
                if source in region and source not in behind:
                    behind.add(source)
                    todo.append(source)
        yield (
            target,
            [
                about
                for node in region
                if node in behind
                for _, end, _, about in edges_of(graph, node)
                if end in behind
            ],
        )


def _merged(
    first: dict[str, Any], about: dict[str, Any], through: list[dict[str, Any]], *, both: bool
) -> dict[str, Any]:
    """Add to an edge what another edge and the hidden ones behind it carry."""
    roles: dict[str, dict[str, None]] = {}
    for one in (first, about, *through):
        for clause, found in one["roles"].items():
            roles.setdefault(clause, {}).update(dict.fromkeys(found))
    failing = dict.fromkeys(n for one in (first, about, *through) for n in one["obligations"])
    return {
        **first,
        # Two edges that became one have no common condition.
        "conditions": ()
        if both and about["conditions"] != first["conditions"]
        else first["conditions"],
        "clauses": tuple(roles),
        "roles": {clause: tuple(found) for clause, found in roles.items()},
        "obligations": tuple(failing),
        "hidden": max(first["hidden"], len(through)),
    }


def part_of(graph: Graph, steps: Iterable[str]) -> Graph:
    """Keep the nodes of some steps, and those that they lead to directly."""
    wanted = set(steps)
    inside = [node for node, about in graph.nodes(data=True) if about["step"] in wanted]
    near = {node for one in inside for node in graph.successors(one)}
    made: Graph = nx.MultiDiGraph(**graph.graph)
    made.add_nodes_from((n, graph.nodes[n]) for n in graph if n in near or n in set(inside))
    for node in inside:
        for source, target, key, about in edges_of(graph, node):
            made.add_edge(source, target, key=key, **about)
    return made
