"""The turn machine's graph as text: Mermaid and Graphviz to draw it, GraphML and JSON to read it.

All are deterministic, and no text of a spec can break out of its quotes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal, assert_never

import networkx as nx

from ..plays.wording import plain_name, words_of
from .graph import Graph, edges_of

Format = Literal["mermaid", "dot", "graphml", "json"]
FORMATS: tuple[Format, ...] = ("mermaid", "dot", "graphml", "json")


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
        yield from edges_of(graph, node)


def as_graphml(graph: Graph) -> str:
    """Write GraphML; lists become text, their members between semicolons."""
    flat: nx.MultiDiGraph[str] = nx.MultiDiGraph()
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


def _xml(value: Any) -> str | int | bool:  # noqa: ANN401  (whatever a graph's node holds)
    """Make a value that GraphML can hold, without the characters that XML forbids."""
    if isinstance(value, list | tuple):
        several: list[Any] = list(value)  # pyright: ignore[reportUnknownArgumentType]
        value = "; ".join(map(str, several))
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


def as_dot(graph: Graph, *, clauses: bool) -> str:
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
            title = graph.nodes[members[0]]["title"] or words_of(step)
            out += [f"  subgraph cluster_{number} {{", f"    label={_dot(title)};"]
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


def as_mermaid(graph: Graph, *, clauses: bool) -> str:
    """Write a Mermaid flowchart: a subgraph a step, one look for each kind of node."""
    out = ["flowchart TD"]
    for number, (step, members) in enumerate(_steps(graph)):
        inner = "  "
        if step:
            title = graph.nodes[members[0]]["title"] or words_of(step)
            out.append(f'  subgraph s{number}["{_mermaid(title)}"]')
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
    step = about["step"]
    name = plain_name(about["name"]).removeprefix(f"{step}/")
    if step and (name == step or name.startswith(f"{step}: ")):
        name = (about["title"] or words_of(step)) + name.removeprefix(step)
    lines = [about["ask"] or name]
    if about["by"]:
        lines.append(f"by {about['by']}")
    if clauses and about["clauses"]:
        lines.append(", ".join(about["clauses"]))
    return lines


def _edge_lines(about: dict[str, Any], *, clauses: bool) -> list[str]:
    words = about["label"]
    if about["params"] and about["params"] != (words,):
        words += f" ({', '.join(about['params'])})"
    return [line for line in (words.strip(), *(about["clauses"] if clauses else ())) if line]
