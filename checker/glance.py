"""The cheap checks: what a first look at the smallest scope shows, in a fraction of a second.

What is seen is so; of what is not seen nothing is said.  It is a part of what `verify` does.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..model.game.game import PRINTED, Settings
from ..model.loading.load import Sections, with_settings
from ..model.lowering.compile import compile_game
from ..model.plays.moves import node_of
from ..model.run.interp import EndlessRules
from ..model.source import fields
from ..model.source.errors import Reporter
from .engine.program import Program
from .search.explore import Exploration

SCALED = frozenset({"players", "constants", "cards", "state"})
"""What makes a scope another instance of the game, and not only a choice of modes."""
STATES = 2_000
"""So many states are looked at."""


@dataclass(frozen=True, slots=True)
class Glance:
    """What was looked at, and what goes wrong there, a line each."""

    scope: str
    states: int
    complete: bool
    wrong: tuple[str, ...]


def glance(sections: Sections) -> Glance:
    """Look at the first states of the smallest scope.

    Raises:
        SpecErrors: if the spec does not load.

    """
    scope = _smallest(sections)
    compiled = compile_game(with_settings(sections, Settings(scope=scope), Reporter()))
    machine, program = compiled.machine, Program(compiled.machine)
    run = Exploration(program)
    try:
        result = run.run(max_states=STATES)
    except EndlessRules as error:
        return Glance(scope, 0, complete=False, wrong=(str(error),))
    duties = machine.duties
    wrong = [f"{duties[key].defect}: {duties[key].prompt} ({duties[key].clause})"
             for key in result.notes]
    wrong += [f"limit-broken: {machine.limits[key].clause}" for key in result.broken]
    wrong += [f"endless-loop: after {each}" for each in _edges(program, result.endless)]
    wrong += [f"deadlock: nobody can move at {node_of(machine, run.state(max(each.state, 0))).name}"
              for each in result.stuck.values()]
    return Glance(scope, result.states, result.complete, tuple(dict.fromkeys(wrong)))


def _smallest(sections: Sections) -> str:
    """Name the scaled scope that the spec lists first, which is the smallest by custom."""
    scopes = fields.entries(sections.root, "scopes")
    return next((name for name, scope in scopes.items() if SCALED & fields.entries(scope).keys()),
                PRINTED)


def _edges(program: Program, edges: Iterable[int]) -> list[str]:
    labels = {edge.id: edge.label for node in program.machine.nodes for edge in node.edges}
    return [labels[each] for each in edges]
