"""Games that are measured: bundled ones, and generated ones of any size."""

from __future__ import annotations

import json
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.machine.machine import Machine

Spec = dict[str, Any]


@lru_cache(maxsize=8)
def machine_of(game: str, scope: str) -> Machine:
    """Compile a bundled game for a scope."""
    return compile_game(load_game(game, Settings(scope=scope))).machine


def machine_from(spec: Spec) -> Machine:
    """Compile a generated game."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "game.yaml").write_text(json.dumps(spec), "utf-8")
        return compile_game(load_game(folder)).machine


def hanoi(discs: int) -> Spec:
    """Write the tower of Hanoi; disc 0 is the smallest."""
    names = [f"disc_{number}" for number in range(discs)]
    actions = {}
    for number, name in enumerate(names):
        tests = [f"peg != {name}"]
        tests += [f"{smaller} != {name} and {smaller} != peg" for smaller in names[:number]]
        actions[f"move {name}"] = {
            "with": {"peg": "range(1, 4)"}, "when": " and ".join(tests), "do": f"{name} = peg"}
    return {"game": "hanoi", "title": "The tower of Hanoi", "players": {"count": 1},
            "state": {name: {"type": "int 1..3", "start": 1} for name in names},
            "actions": actions}


def many_players(players: int, most: int) -> Spec:
    """Write a game in which everybody raises a counter: (most + 1)^players * players states."""
    return {"game": "raise", "title": "Counters", "players": {"count": players},
            "state": {"score": {"type": f"int 0..{most}", "per": "player", "start": 0},
                      "active": {"type": "player", "start": 1}},
            "mover": "active",
            "actions": {"raise": {"when": f"score[actor] < {most}",
                                  "do": "score[actor] += 1\nactive = next_player(actor)"},
                        "pass": {"do": "active = next_player(actor)"}}}


def many_clauses(clauses: int) -> Spec:
    """Write a game with so many clauses, each of which permits something in a window."""
    counters = 5
    permits = [
        {"id": f"c{number}", "kind": "permit", "says": f"the counter may be raised, way {number}",
         "on": "market", "option": f"way_{number}", "when": f"count_{number % counters} < 5 and "
         f"count_{(number + 1) % counters} >= {number % 3}",
         "do": f"count_{number % counters} += 1"}
        for number in range(clauses - 1)]
    course = {"id": "course", "kind": "effect", "says": "the market is held", "on": "game",
              "do": "market()"}
    return {"game": "clauses", "title": "Many clauses", "players": {"count": 1},
            "state": {"active": {"type": "player", "start": 1},
                      **{f"count_{number}": {"type": "int 0..5", "start": 0}
                         for number in range(counters)}},
            "steps": {"game": {}},
            "windows": {"market": {"by": "active", "repeat": True, "done": "stop"}},
            "start": "game", "clauses": [course, *permits]}
