"""How much of a game, and of its book, a verification has come to."""

from __future__ import annotations

from ..model.plays.wording import plain_name
from .audit.audit import Audit
from .checks.text import traced
from .findings.results import Coverage
from .points.silences import marked_of

Known = tuple[str, str, tuple[str, ...]]
"""What the players know as one node, of which the machine may have several (for each place from
which a step is run): its name, what it asks, its clauses."""


def coverage(audit: Audit) -> Coverage:
    """Count the clauses, nodes and edges of a game, and those that were come to in its scopes."""
    game = audit.printed.game
    clauses, nodes, reached = audit.ran(), set[Known](), set[Known]()
    edges, taken = set[tuple[Known, str, int]](), set[tuple[Known, str, int]]()
    for scope in audit.scopes:
        cover = scope.covered
        machine = scope.instance.compiled.machine
        for node in machine.nodes:
            if node.kind == "rules":
                continue
            point = plain_name(node.name), node.ask, node.clauses
            nodes.add(point)
            for place, edge in enumerate(node.edges):
                edges.add((point, edge.label, place))
                if edge.id in cover.edges:
                    taken.add((point, edge.label, place))
                    reached.add(point)
            if node.kind == "final" and scope.explored.final:
                reached.add(point)
    outline = game.rulebook.outline if game.rulebook is not None else {}
    bodies = [c.id for c in game.clauses if c.do is not None and c.in_force]
    silences, unmarked = marked_of(game)
    return Coverage(
        sum(outline.values()), traced(audit), len(bodies),
        sum(1 for c in bodies if c in clauses), len(nodes), len(reached), len(edges), len(taken),
        silences, silences - len(unmarked), missing={name: each for name, each in (
            ("clauses", tuple(c for c in bodies if c not in clauses)),
            ("nodes", tuple(name for name, *_ in sorted(nodes - reached))),
            ("edges", tuple(dict.fromkeys(
                f"{name}: {label}" for (name, *_), label, _ in sorted(edges - taken)))),
            ("silences", unmarked)) if each})
