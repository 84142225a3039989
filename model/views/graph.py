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
from dataclasses import dataclass
from typing import Any, TypeAlias

import networkx as nx

from ..machine.core import Binary, Const, Load, Note, Store
from ..machine.machine import Edge, Machine, Node
from ..machine.traversal import cites, statements
from .wording import Names, wording

Graph: TypeAlias = "nx.MultiDiGraph[int]"


# ---------------------------------------------------------------------- from a machine


def graph_of(
    machine: Machine, *, full: bool = False, names: Names | None = None,
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
    return graph if full else collapsed(machine, graph)


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
        "obligations": tuple(dict.fromkeys(
            stmt.obligation for stmt in statements(edge.body) if isinstance(stmt, Note))),
        "hidden": 0,
    }


# ---------------------------------------------------------------------- collapsing

Calls = frozenset[tuple[str, int]]
"""Where the steps under way return to, as far as that is known: (slot, site)."""


@dataclass(frozen=True, slots=True)
class _Jump:
    """What an edge says of calls: the sites that it stores, and the one that it returns to.

    A step that is run from several places keeps in a slot from which one; its last way back has no
    condition, so it is taken for the sites that no other way back is for (`unless`).
    """

    sets: Calls = frozenset()
    slot: str = ""
    site: int = -1
    unless: frozenset[int] = frozenset()

    def follow(self, calls: Calls) -> Calls | None:
        """Return what is known behind the edge, or None if it cannot be taken."""
        known = dict(calls)
        at = known.pop(self.slot, None)
        if at is not None and (at in self.unless or self.site not in (-1, at)):
            return None
        return frozenset({**known, **dict(self.sets)}.items())


def _jumps(machine: Machine) -> dict[int, _Jump]:
    """Read the calls and returns of a machine off its edges."""
    slots = {array.name for array in machine.arrays
             if array.of is not None and array.of.role == "return"}
    found: dict[int, _Jump] = {}
    for node in machine.nodes:
        back = [_site(edge, slots) for edge in node.edges]
        named = {slot for slot, _ in back if slot}
        for edge, (slot, site) in zip(node.edges, back, strict=True):
            sets = frozenset(
                (stmt.array, stmt.value.value)
                for stmt in edge.body
                if isinstance(stmt, Store) and stmt.array in slots
                if isinstance(stmt.value, Const)
            )
            unless: frozenset[int] = frozenset()
            if not slot and named:
                slot = min(named)  # noqa: PLW2901  (the way back that has no condition)
                unless = frozenset(other for _, other in back if other >= 0)
            found[edge.id] = _Jump(sets, slot, site, unless)
    return found


def _site(edge: Edge, slots: set[str]) -> tuple[str, int]:
    for condition in edge.conditions:
        match condition.test:
            case Binary(op="==", left=Load(array=slot), right=Const(value=site)) if slot in slots:
                return slot, site
            case _:
                pass
    return "", -1


def collapsed(machine: Machine, graph: Graph) -> Graph:
    """Leave out the inner nodes of steps; edges go through them."""
    kept = [
        node
        for node, about in graph.nodes(data=True)
        if node == machine.start or about["kind"] != "rules" or _is_entry(about)
    ]
    inside, jumps = set(graph) - set(kept), _jumps(machine)
    made: Graph = nx.MultiDiGraph(**graph.graph)
    made.add_nodes_from((node, graph.nodes[node]) for node in kept)
    for source in kept:
        ways: dict[tuple[int, str], dict[str, Any]] = {}
        for edge in edges_of(graph, source):
            about = edge[3]
            for reached, through in _through(graph, inside, jumps, edge):
                slot = (reached, about["label"])
                if slot in ways:
                    ways[slot] = _merged(ways[slot], about, through, both=True)
                else:
                    ways[slot] = {**_merged(about, about, through, both=False), "key": edge[2]}
        for (reached, _), about in ways.items():
            made.add_edge(source, reached, key=about.pop("key"), **about)
    return made


def _is_entry(about: dict[str, Any]) -> bool:
    """Tell the entry of a step from its exit (`turn: end`) and its inside (`turn/clause`).

    What runs whenever a condition holds has an entry too, called like its clause; it is no step.
    """
    name = about["name"].split(" #", maxsplit=1)[0]
    inner = "/" in name or name.endswith(": end") or about["step"] in about["clauses"]
    return not inner


def edges_of(graph: Graph, node: int) -> list[tuple[int, int, int, dict[str, Any]]]:
    """List the edges that leave a node, in their order."""
    return sorted(graph.out_edges(node, keys=True, data=True), key=lambda edge: edge[2])


def _through(
    graph: Graph, inside: set[int], jumps: dict[int, _Jump],
    edge: tuple[int, int, int, dict[str, Any]],
) -> Iterator[tuple[int, list[dict[str, Any]]]]:
    """Find what is kept behind an edge, each with the edges on the ways to it.

    A way that enters a step at one place does not leave it at another.
    """
    _, first, key, _ = edge
    calls = jumps[key].follow(frozenset())
    if first not in inside or calls is None:
        yield first, []
        return
    start = (first, calls)
    ways: dict[tuple[int, Calls], list[tuple[tuple[int, Calls], dict[str, Any]]]] = {}
    todo, reached = [start], dict[tuple[int, Calls], None]()
    while todo:
        here = todo.pop(0)
        if here in ways:
            continue
        ways[here] = []
        for _, target, number, about in edges_of(graph, here[0]):
            after = jumps[number].follow(here[1])
            if after is None:
                continue
            there: tuple[int, Calls] = (target, after if target in inside else frozenset[Any]())
            ways[here].append((there, about))
            if target in inside:
                todo.append(there)
            else:
                reached[there] = None
    steps: nx.DiGraph[tuple[int, Calls]] = nx.DiGraph()
    steps.add_edges_from((here, there) for here, out in ways.items() for there, _ in out)
    for end in reached:
        behind = {end, *nx.ancestors(steps, end)}
        passed = {id(about): about for here, out in ways.items() if here in behind
                  for there, about in out if there in behind}
        yield end[0], list(passed.values())


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
