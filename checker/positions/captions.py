"""What is said about a test position: its title, name, tags, why it was chosen, what it covers."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from ...model.machine.state import Move, State, Transition
from ...model.plays.board import canonical_json
from ...model.plays.moves import describe_move, node_of
from ...model.plays.wording import plain_name, words_of
from ...model.views.wording import titles_of
from ..bench.workbench import Instance
from .goals import RANK, Goal

TOLD = 4
"""So many reasons are told; of more, only how many there are."""


def title(instance: Instance, state: State, move: Move | None) -> str:
    """Say in one line what happens, and in which step or window of the book."""
    node, game = node_of(instance.compiled.machine, state), instance.game
    known = node.step in game.steps or node.step in game.windows
    where = titles_of(game).get(node.step, words_of(node.step)) if known else ""
    if move is None:
        return "the game is over" if node.kind == "final" else "nobody can move" + (
            f": {where}" * bool(where))
    return describe_move(instance.compiled.machine, state, move) + f" ({where})" * bool(where)


def name_of(made: Mapping[str, Any], instance: Instance) -> str:
    """Return what a position is called: by its game, where it is, and what is done there."""
    event = made["move"]["event"] if made["move"] else "stuck"
    name = f"{plain_name(made['node'])}-{event}-{made['state_sha256'][:8]}"
    if made["move"]:
        name += hashlib.sha256(canonical_json(made["move"]).encode()).hexdigest()[:4]
    kept = "".join(c if c.isalnum() and c.isascii() else "-" for c in name.lower())
    slug = "-".join(part for part in kept.split("-") if part)
    return f"{instance.game.id}/{instance.game.settings.scope}/{slug}"


def why(goals: set[Goal]) -> str:
    """Say what a position shows that no other one shows, the most telling first."""
    told = sorted(goals, key=lambda goal: (RANK[goal.kind], goal.what))
    texts = [goal.text for goal in told[:TOLD]]
    more = f"; and {len(told) - TOLD} more" if len(told) > TOLD else ""
    return "; ".join(texts) + more


_LISTS = {"clause": "clauses", "forbids": "forbids", "without": "missed_without",
          "finding": "findings"}


def covers(goals: set[Goal]) -> dict[str, Any]:
    """List what a position shows."""
    made: dict[str, Any] = {}
    for goal in sorted(goals):
        match goal.kind:
            case "clause" | "forbids" | "without" | "finding":
                made.setdefault(_LISTS[goal.kind], []).append(goal.what[0])
            case "pair" | "bars":
                made.setdefault("pairs", []).append(sorted(goal.what))
            case "reading":
                made.setdefault("open_points", []).append("=".join(goal.what))
            case "boundary":
                clause, text, by = goal.what
                made.setdefault("boundaries", []).append(
                    {"clause": clause, "comparison": text, "difference": by})
            case "cap":
                made.setdefault("boundaries", []).append(
                    {"clause": goal.what[0], "bound": goal.what[1]})
            case "fails" | "broken" | "stuck":
                made.setdefault("obligations", []).append(goal.text)
            case "option":
                made.setdefault("options", []).append(": ".join(goal.what))
            case "fills" | "empties" | "top" | "bottom" | "over":
                made.setdefault("edges", []).append(goal.text)
            case _:
                pass
    return made


def tags(
    instance: Instance, states: Sequence[State], steps: Sequence[Transition], goals: set[Goal]
) -> list[str]:
    """Return the words by which a position can be looked for."""
    machine, game = instance.compiled.machine, instance.game
    duties = machine.duties
    found: set[str] = set()
    kinds = {goal.kind for goal in goals}
    names = {"reading": "ambiguity", "boundary": "boundary", "over": "end", "forbids": "forbidden",
             "stuck": "deadlock", "broken": "limit"}
    found |= {tag for kind, tag in names.items() if kind in kinds}
    if kinds & {"top", "bottom", "cap"}:
        found.add("cap")
    zones = {array.name: array.zone for array in machine.arrays}
    for goal in goals:
        if goal.kind in ("empties", "fills"):
            found.add("empty-deck" if zones.get(goal.what[0]) == "deck" else "empty-zone")
    for step in steps:
        for number in step.notes:
            found.add("tie" if duties[number].defect == "unresolved-tie" else "undefined")
        found |= {"limit" for _ in step.broken}
        found |= {"timing" for c in game.clauses if c.whenever is not None and c.id in step.cites}
    kinds_here = {node_of(machine, state).kind for state in states}
    found |= {tag for kind, tag in (("open", "simultaneous"), ("chance", "chance"))
              if kind in kinds_here}
    return sorted(found)


def status(instance: Instance, steps: Sequence[Transition], goals: set[Goal]) -> dict[str, Any]:
    """Say whether the book settles what is expected here, or who did."""
    game = instance.game
    duties = instance.compiled.machine.duties
    points = [goal.what[0] for goal in sorted(goals) if goal.kind == "reading"]
    failed = {duties[n].clause for step in steps for n in step.notes}
    for clause in sorted(failed):
        points += [p.id for p in game.open_points if clause in p.clauses]
    rulings = {ruling.point: ruling for ruling in game.rulings}
    used = [rulings[point] for point in dict.fromkeys(points) if point in rulings]
    if any(point not in rulings for point in points) or (failed and not used):
        return {"status": "needs-ruling"}
    if not used:
        return {"status": "settled"}
    ours = any(each.why.startswith("ours") for each in used)
    return {"status": "house-rule" if ours else "settled",
            "ruling": [{"point": r.point, "reading": r.reading, "why": r.why} for r in used]}
