"""The turn machine as a networkx graph, and as text for programs that draw or read graphs.

`graph_of` makes a MultiDiGraph whose nodes are the numbers of the machine's nodes.

* node: `name`, `kind`, `step`, `by` (who decides, in words), `ask`, `clauses`
* edge: `label`, `clauses`, `conditions` (objects with `clause`, `role`, `text`), `roles`, `params`,
  `passes`, `obligations` (what can fail on the way), `hidden` (how many nodes were left out)

The full graph of a game has hundreds of nodes, most of them of kind `rules` in the middle of a
step: control flow that no player sees.  `collapsed` leaves those out, so that what remains are the
points where somebody decides, chance, the ends, and the entries of steps and windows.  An edge
through nodes left out carries the clauses of all ways to its target.  Cost: one walk through the
nodes left out for each edge that enters them.

All exports are deterministic, and no text of a spec can break out of its quotes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, assert_never

import networkx as nx

from .core import Cite, For, If, Note, Stmt
from .wording import Names, wording

if TYPE_CHECKING:
    from .machine import Edge, Machine, Node

Graph: TypeAlias = "nx.MultiDiGraph[int]"
Format = Literal["mermaid", "dot", "graphml", "json"]
FORMATS: tuple[Format, ...] = ("mermaid", "dot", "graphml", "json")


# ---------------------------------------------------------------------- from a machine


def graph_of(machine: Machine, *, full: bool = False, names: Names | None = None) -> Graph:
    """Make the graph of a machine; unless `full`, without the inner nodes of steps."""
    graph: Graph = nx.MultiDiGraph(game=machine.game, players=machine.players, start=machine.start)
    for node in machine.nodes:
        graph.add_node(
            node.id,
            name=node.name,
            kind=node.kind,
            step=node.step,
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


def cites(body: Iterable[Stmt]) -> Iterator[str]:
    """List the clauses that a body cites, also under conditions."""
    return (stmt.clause for stmt in _all(body) if isinstance(stmt, Cite))


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
        for _, target, key, about in _sorted_edges(graph, source):
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
    return "/" not in name and not name.split(" #")[0].endswith(": end")


def _sorted_edges(graph: Graph, node: int) -> list[tuple[int, int, int, dict[str, Any]]]:
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
        for _, target, _, _ in _sorted_edges(graph, todo.pop(0)):
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
                for _, end, _, about in _sorted_edges(graph, node)
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
        for source, target, key, about in _sorted_edges(graph, node):
            made.add_edge(source, target, key=key, **about)
    return made


# ---------------------------------------------------------------------- exports


def export(graph: Graph, form: Format, *, clauses: bool = False) -> str:
    """Write a graph; `clauses` adds their ids to the labels of drawings."""
    match form:
        case "json":
            return as_json(graph)
        case "graphml":
            return as_graphml(graph)
        case "dot":
            return as_dot(graph, clauses=clauses)
        case "mermaid":
            return as_mermaid(graph, clauses=clauses)
        case _:
            assert_never(form)


def as_json(graph: Graph) -> str:
    """Write the document `ruleproof/graph-1`."""
    made = {
        "format": "ruleproof/graph-1",
        "game": graph.graph["game"],
        "players": graph.graph["players"],
        "start": graph.graph["start"],
        "nodes": [{"id": node, **about} for node, about in graph.nodes(data=True)],
        "edges": [
            {"source": source, "target": target, **about}
            for source, target, _, about in _edges(graph)
        ],
    }
    return json.dumps(made, indent=1, ensure_ascii=False) + "\n"


def _edges(graph: Graph) -> Iterator[tuple[int, int, int, dict[str, Any]]]:
    for node in graph:
        yield from _sorted_edges(graph, node)


def as_graphml(graph: Graph) -> str:
    """Write GraphML; lists become text, their members between semicolons."""
    flat: Graph = nx.MultiDiGraph()
    flat.graph.update({name: _xml(value) for name, value in graph.graph.items()})
    for node, about in graph.nodes(data=True):
        flat.add_node(f"n{node}", **{name: _xml(value) for name, value in about.items()})
    for number, (source, target, _, about) in enumerate(_edges(graph)):
        shown = {**about, "roles": [f"{c}: {', '.join(r)}" for c, r in about["roles"].items()]}
        shown["conditions"] = [f"{c['clause']}: {c['text']}" for c in about["conditions"]]
        flat.add_edge(
            f"n{source}",
            f"n{target}",
            key=f"e{number}",
            **{name: _xml(value) for name, value in shown.items()},
        )
    return "\n".join(nx.generate_graphml(flat)) + "\n"


def _xml(value: object) -> str | int | bool:
    """Make a value that GraphML can hold, without the characters that XML forbids."""
    if isinstance(value, list | tuple):
        value = "; ".join(map(str, value))
    if isinstance(value, bool | int):
        return value
    return "".join(
        char if char.isprintable() or char in "\n\t" else f"\\x{ord(char):02x}"
        for char in str(value)
    )


_DOT_SHAPES = {
    "decide": "box",
    "open": "diamond",
    "chance": "ellipse",
    "rules": "point",
    "final": "doublecircle",
}


def as_dot(graph: Graph, *, clauses: bool = False) -> str:
    """Write Graphviz's language: a cluster a step, the clauses as tooltips."""
    out = [
        f"digraph {_dot(str(graph.graph['game']))} {{",
        "  rankdir=TB;",
        '  node [fontname="Helvetica", style="rounded"];',
        '  edge [fontname="Helvetica"];',
    ]
    for number, (step, members) in enumerate(_steps(graph)):
        inner = "  "
        if step:
            out += [f"  subgraph cluster_{number} {{", f"    label={_dot(step)};"]
            inner = "    "
        for node in members:
            about = graph.nodes[node]
            shape = "box" if about["kind"] == "rules" else _DOT_SHAPES[about["kind"]]
            fields = {
                "label": "\n".join(_node_lines(about, clauses=clauses)),
                "shape": shape,
                "tooltip": ", ".join(about["clauses"]) or about["name"],
            }
            if about["kind"] == "rules":
                fields["style"] = "dashed"
            out.append(f"{inner}n{node} [{_dot_fields(fields)}];")
        if step:
            out.append("  }")
    for source, target, _, about in _edges(graph):
        fields = {
            "label": "\n".join(_edge_lines(about, clauses=clauses)),
            "tooltip": ", ".join(about["clauses"]),
        }
        if about["passes"]:
            fields["style"] = "dashed"
        fields = {name: value for name, value in fields.items() if value}
        out.append(f"  n{source} -> n{target} [{_dot_fields(fields)}];")
    return "\n".join([*out, "}"]) + "\n"


def _dot_fields(fields: dict[str, str]) -> str:
    return ", ".join(f"{name}={_dot(value)}" for name, value in fields.items())


def _dot(text: str) -> str:
    shown = "".join(c if c.isprintable() or c == "\n" else f"\\x{ord(c):02x}" for c in text)
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


_MERMAID_SHAPES = {
    "decide": '["{}"]',
    "open": '{{{{"{}"}}}}',
    "chance": '(["{}"])',
    "rules": '("{}")',
    "final": '((("{}")))',
}


def as_mermaid(graph: Graph, *, clauses: bool = False) -> str:
    """Write a Mermaid flowchart: a subgraph a step, one look for each kind of node."""
    out = ["flowchart TD"]
    for number, (step, members) in enumerate(_steps(graph)):
        inner = "  "
        if step:
            out.append(f'  subgraph s{number}["{_mermaid(step)}"]')
            inner = "    "
        for node in members:
            about = graph.nodes[node]
            words = "<br>".join(map(_mermaid, _node_lines(about, clauses=clauses)))
            shape = _MERMAID_SHAPES[about["kind"]].format(words)
            out.append(f"{inner}n{node}{shape}:::{about['kind']}")
        if step:
            out.append("  end")
    for source, target, _, about in _edges(graph):
        words = "<br>".join(map(_mermaid, _edge_lines(about, clauses=clauses)))
        arrow = "-.->" if about["passes"] else "-->"
        out.append(f"  n{source} {arrow}" + (f'|"{words}"|' if words else "") + f" n{target}")
    out += [
        "  classDef decide fill:#dbeafe,stroke:#1d4ed8,color:#111",
        "  classDef open fill:#fee2e2,stroke:#b91c1c,color:#111",
        "  classDef chance fill:#fef9c3,stroke:#a16207,color:#111",
        "  classDef rules fill:#f3f4f6,stroke:#6b7280,color:#111",
        "  classDef final fill:#dcfce7,stroke:#15803d,color:#111",
    ]
    return "\n".join(out) + "\n"


def _mermaid(text: str) -> str:
    """Escape text for a Mermaid label: whatever is not plain becomes a character number."""
    return "".join(
        c if c.isalnum() or c in " .,:;_-'?!/()+*=" else f"#{ord(c)};" for c in text
    ).replace("#10;", "<br>")


def _steps(graph: Graph) -> list[tuple[str, list[int]]]:
    """Group the nodes by step, in the order in which steps first come up."""
    found: dict[str, list[int]] = {}
    for node, about in graph.nodes(data=True):
        found.setdefault(about["step"], []).append(node)
    return list(found.items())


def _node_lines(about: dict[str, Any], *, clauses: bool) -> list[str]:
    lines = [about["name"]]
    if about["by"]:
        lines.append(f"by {about['by']}")
    if clauses and about["clauses"]:
        lines.append(", ".join(about["clauses"]))
    return lines


def _edge_lines(about: dict[str, Any], *, clauses: bool) -> list[str]:
    words = about["label"]
    if about["params"]:
        words += f" ({', '.join(about['params'])})"
    return [line for line in (words.strip(), *(about["clauses"] if clauses else ())) if line]
