"""Where test positions are looked for: the states of a scope, explored or met in sampled plays."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...model.machine.state import Move
from ..bench.workbench import Instance
from ..search.explore import Exploration
from ..search.playouts import pick
from .goals import Collector, Counts, Spot
from .observer import Watcher

LOOKS = 3_000
"""States that are watched of each scope."""
PLAYS, LONGEST_PLAY = 10, 80
"""Sampled plays at the printed size, and the moves of each."""


@dataclass(slots=True)
class SpotGround:
    """One scope under search."""

    name: str
    instance: Instance
    collector: Collector
    exploration: Exploration | None = None
    numbers: dict[bytes, int] = field(default_factory=dict)
    acting: frozenset[str] = frozenset()
    """The clauses that act, or rule something out, in the states that were looked at."""
    searched: tuple[int, bool] = (0, False)
    """How many states there were, and whether these are all."""

    def spot(self, path: tuple[Move, ...]) -> Spot:
        """Find where moves lead from the setup."""
        state = self.instance.interpreter.start().state
        for move in path:
            state = self.instance.interpreter.step(state, move).state
        return Spot(self.name, state, len(path), path=path)

    def path(self, spot: Spot) -> tuple[Move, ...]:
        """Give the moves to a spot."""
        if spot.number >= 0 and self.exploration is not None:
            return self.exploration.path(spot.number)
        return spot.path


def ground(instance: Instance, counts: Counts) -> SpotGround:
    """Make a scope ready to be looked at; a game without scaled scopes is explored as printed."""
    scopes = instance.game.scopes
    name = instance.game.settings.scope
    made = SpotGround(name, instance, Collector(Watcher(instance.compiled.machine, instance.game),
                                            counts))
    if (name in scopes and scopes[name].scaled) or not any(s.scaled for s in scopes.values()):
        made.exploration = Exploration(instance.program)
    return made


def spots(scope: SpotGround, max_states: int, seed: int) -> Iterator[Spot]:
    """List the states to look at: explored ones, or those of sampled plays."""
    return _explored(scope, max_states) if scope.exploration is not None else _sampled(scope, seed)


def _explored(scope: SpotGround, max_states: int) -> Iterator[Spot]:
    run = scope.exploration
    if run is None:
        return
    result = run.run(max_states=max_states)
    scope.searched = (result.states, result.complete)
    scope.numbers = {packed: number for number, packed in enumerate(run.order)}
    depth = [0] * result.states
    for number in range(1, result.states):
        depth[number] = depth[run.parents[number]] + 1
    picked = dict.fromkeys(range(min(result.states, LOOKS // 2)))
    left = result.states - len(picked)
    step = max(1, -(-left // (LOOKS // 2)))
    picked |= dict.fromkeys(range(len(picked), result.states, step))
    for witness in (*result.notes.values(), *result.broken.values(), *result.stuck.values()):
        picked.setdefault(max(witness.state, 0))
    for number in sorted(picked):
        yield Spot(scope.name, run.state(number), depth[number], number)


def _sampled(scope: SpotGround, seed: int) -> Iterator[Spot]:
    program = scope.instance.program
    seen: set[bytes] = set()
    for number in range(PLAYS):
        rng = random.Random(f"{seed}/{number}")  # noqa: S311
        packed, _ = program.start()
        path: tuple[Move, ...] = ()
        for _ in range(LONGEST_PLAY):
            if packed not in seen:
                seen.add(packed)
                yield Spot(scope.name, program.unpack(packed), len(path), path=path)
            made = pick(program, packed, program.kind(packed), rng)
            if made is None or made[2] is None:
                break
            path = (*path, Move(made[0], made[1]))
            packed = made[2]
    scope.searched = (len(seen), False)
