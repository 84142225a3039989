"""The turn machine as a drawing: steps as boxes from top to bottom, their nodes, and the edges."""

from __future__ import annotations

from dataclasses import dataclass

from ...checker.findings.results import Report
from ...model.lowering.compile import Compiled
from ...model.plays.wording import plain_name, words_of
from ...model.views.graph import edges_of, graph_of
from ...model.views.wording import names_of, titles_of

WIDE, HIGH, GAP, ACROSS = 190, 40, 26, 4
"""The size of a node, the space around it, and how many stand side by side."""


RIGHT = 2 * GAP + ACROSS * (WIDE + GAP)
"""Where the boxes end; ways back run beside them."""
FAR = 150
"""A way that goes further down than this runs beside the boxes, too."""


@dataclass(frozen=True, slots=True)
class DrawnNode:
    """A node: where it stands, its words and kind, what comes there, and its findings.

    `seen`: a play of the report does; `reached`: an exploration did, at one of its copies at least.
    """

    id: int
    x: int
    y: int
    text: str
    kind: str
    seen: bool
    reached: bool
    findings: tuple[int, ...]
    about: str


@dataclass(frozen=True, slots=True)
class DrawnEdge:
    """A way from a node to another: its path, its words, and whether the first was reached."""

    source: int
    target: int
    path: str
    text: str
    reached: bool


@dataclass(frozen=True, slots=True)
class DrawnStep:
    """A step: its box and its title."""

    x: int
    y: int
    width: int
    height: int
    title: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """All that is drawn, and the size of it."""

    width: int
    height: int
    steps: tuple[DrawnStep, ...]
    nodes: tuple[DrawnNode, ...]
    edges: tuple[DrawnEdge, ...]


def drawing(compiled: Compiled, report: Report) -> Drawing:
    """Draw the machine of a game, and what plays, findings and explorations of a report touch."""
    graph = graph_of(compiled.machine, names=names_of(compiled.game),
                     titles=titles_of(compiled.game))
    titles = compiled.game.titles
    seen = {plain_name(str(step.get("node", ""))) for each in report.everything
            for shown in each.evidence.plays for step in shown.play.get("steps", ())}
    missing = {*report.coverage.missing.get("nodes", ())}
    missed = {*map(plain_name, missing)} - {
        plain_name(node.name) for node in compiled.machine.nodes
        if node.kind != "rules" and node.name not in missing}
    cited: dict[str, set[int]] = {}
    for number, finding in enumerate(report.findings, 1):
        for name in (each for one in finding.whole for each in one.clauses):
            cited.setdefault(name, set()).add(number)
    groups: dict[str, list[int]] = {}
    for node in graph:
        groups.setdefault(graph.nodes[node]["step"], []).append(node)
    groups = dict(sorted(groups.items(), key=lambda each: not each[0]))  # the end is of no step
    steps: list[DrawnStep] = []
    nodes: dict[int, DrawnNode] = {}
    y = GAP
    for step, members in groups.items():
        rows = -(-len(members) // ACROSS)
        title = graph.nodes[members[0]]["title"] or words_of(step) or "The end"
        height = 30 + rows * (HIGH + GAP)
        steps.append(DrawnStep(GAP, y, GAP + ACROSS * (WIDE + GAP), height, title))
        for place, node in enumerate(members):
            about = graph.nodes[node]
            name = plain_name(about["name"])
            own = {n for clause in about["clauses"] for n in cited.get(clause, ())}
            out = {n for _, _, _, edge in edges_of(graph, node) for clause in edge["clauses"]
                   for n in cited.get(clause, ())}
            nodes[node] = DrawnNode(
                node, 2 * GAP + place % ACROSS * (WIDE + GAP),
                y + 30 + place // ACROSS * (HIGH + GAP),
                about["ask"] or titles.of(name.removeprefix(f"{step}/")), about["kind"],
                name in seen, name in seen or name not in missed, tuple(sorted(own | out)),
                f"by {about['by']}" if about["by"] else "")
        y += height + GAP
    edges = tuple(
        DrawnEdge(source, target, _path(nodes[source], nodes[target]), titles.of(about["label"]),
                  nodes[source].reached)
        for node in graph for source, target, _, about in edges_of(graph, node))
    return Drawing(RIGHT + 80, y, tuple(steps), tuple(nodes.values()), edges)


def _path(one: DrawnNode, other: DrawnNode) -> str:
    """Return the way between two nodes as an SVG path; back or far, it runs beside the boxes."""
    x1, y1, x2, y2 = one.x + WIDE // 2, one.y + HIGH, other.x + WIDE // 2, other.y
    if one.id == other.id:
        x, y = one.x + WIDE, one.y + HIGH // 2
        return f"M{x},{y - 8} C{x + 24},{y - 20} {x + 24},{y + 20} {x},{y + 8}"
    if y1 <= y2 <= y1 + FAR:
        bend = max(12, (y2 - y1) // 2)
        return f"M{x1},{y1} C{x1},{y1 + bend} {x2},{y2 - bend} {x2},{y2}"
    if one.y == other.y:
        return f"M{x1},{y1} C{x1},{y1 + 22} {x2},{one.y + HIGH + 22} {x2},{one.y + HIGH}"
    x1, y1, x2, y2 = one.x + WIDE, one.y + HIGH // 2, other.x + WIDE, other.y + HIGH // 2
    lane, up = RIGHT + 8 + 8 * (other.id % 8), 14 if y2 > y1 else -14
    from_y, to_y = y1 + HIGH // 2 + 8, y2 + HIGH // 2 + 8  # between the rows
    return (f"M{x1},{y1} C{x1 + 20},{y1} {x1 + 10},{from_y} {x1 + 30},{from_y} "
            f"L{lane - 14},{from_y} Q{lane},{from_y} {lane},{from_y + up} "
            f"L{lane},{to_y - up} Q{lane},{to_y} {lane - 14},{to_y} "
            f"L{x2 + 30},{to_y} C{x2 + 10},{to_y} {x2 + 20},{y2} {x2},{y2}")
