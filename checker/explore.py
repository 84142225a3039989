"""Exploring some scopes of a game, each by itself, and counting their states; nothing is checked.

An exploration is one search, breadth first, whose next states depend on all that it has found, so
it is not parted; what can be done side by side is the scopes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..model.game.game import Game
from ..model.lowering.compile import compile_game
from ..model.orders.responders import indifferent
from ..model.run.interp import Interpreter
from ..model.stop import stoppable
from .audit.scoped import explored
from .bench.cluster import Cluster, in_order
from .engine.program import Program
from .findings.results import Explored
from .search.explore import Exploration, Progress, resume

MOST_COUNTED = 2_000_000
"""Beyond so many states it is not counted who has won in how many."""

Outcomes = dict[tuple[str, ...], int]
"""Who has won → in so many final states."""


@dataclass(frozen=True, slots=True)
class ScopeCount:
    """What was counted in a scope, also of its final states, unless there were too many states."""

    explored: Explored
    outcomes: Outcomes | None
    unsaved: str = ""
    """Why there is no checkpoint, if one could not be written."""


@dataclass(slots=True)
class Counting:
    """Explores games by number; the limits are of each.  The checkpoint is that of a single one."""

    games: Sequence[Game]
    one_order: bool = False
    max_states: int | None = None
    max_time: float | None = None
    checkpoint: Path | None = None
    progress: Callable[[Progress], None] | None = None
    resumed: Callable[[], None] = lambda: None
    """Called when an exploration goes on from the checkpoint."""

    def __reduce__(self) -> Any:  # noqa: ANN401  (as pickle wants it)
        """Leave behind what is of this machine: the terminal, files."""
        return Counting, (self.games, self.one_order, self.max_states, self.max_time)

    def __call__(self, number: int) -> ScopeCount:
        """Explore a game, or go on with an exploration that was saved."""
        compiled = compile_game(self.games[number])
        windows = indifferent(compiled) if self.one_order else frozenset[str]()
        program = Program(compiled.machine, one_order=windows)
        if self.checkpoint is not None and self.checkpoint.exists():
            run = resume(program, self.checkpoint)
            self.resumed()
        else:
            run = Exploration(program)
        result = run.run(max_states=self.max_states, max_time=self.max_time,
                         checkpoint=self.checkpoint, save_every=60.0, progress=self.progress,
                         cut_short=True)
        found = explored(compiled.game.settings.scope, compiled.machine, result)
        few = result.states <= MOST_COUNTED
        return ScopeCount(found, outcomes(program, run.order) if few else None, run.unsaved)

    def all(self, cluster: Cluster | None) -> list[ScopeCount]:
        """Explore all games, on a cluster if there is one; after an interrupt, those until then.

        Raises:
            KeyboardInterrupt: if it came before anything was counted.

        """
        found: list[ScopeCount] = []
        with stoppable() as stop:
            try:
                for each in in_order(cluster, self, range(len(self.games))):
                    found.append(each)
                    if stop.heed():
                        break
            except BaseException:
                if not stop.heed():
                    raise
            if stop.why and not found:
                raise KeyboardInterrupt
        return found


def outcomes(program: Program, states: Iterable[bytes]) -> Outcomes:
    """Count the final states by who has won there, the most frequent first."""
    names, winners = program.machine.player_names, program.observer(["winners"])
    counts, first = Counter[bytes](), dict[bytes, bytes]()
    for each in states:
        if program.kind(each) == "final":
            seen = winners(each)
            counts[seen] += 1
            first.setdefault(seen, each)
    judge = Interpreter(program.machine)
    found = {tuple(names[seat] for seat in judge.winners(program.unpack(first[seen]))): many
             for seen, many in counts.items()}
    return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))
