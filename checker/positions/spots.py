"""Where test positions are looked for: the states of a scope, explored or met in sampled plays."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...model.machine.state import Move
from ..bench.workbench import Instance
from ..search.explore import Exploration
from ..search.playouts import pick
from .goals import Collector, Counts, Showing, Spot
from .observer import Watcher

LOOKS = 3_000
"""States that are watched of each scope."""
PLAYS, LONGEST_PLAY = 10, 80
"""Sampled plays at the printed size, and the moves of each."""


@dataclass
class SpotGround:
    """One scope under search; where it is unpickled, it is explored again if need be."""

    name: str
    instance: Instance
    collector: Collector
    max_states: int
    explores: bool
    """Whether its states are explored, and not met in plays."""
    acting: frozenset[str] = frozenset()
    """The clauses that act, or rule something out, in the states that were looked at."""
    searched: tuple[int, bool] = (0, False)
    """How many states there were, and whether these are all."""

    def __reduce__(self) -> Any:  # noqa: ANN401  (as pickle wants it)
        return _again, (self.instance, self.max_states, self.acting, self.searched)

    @property
    def exploration(self) -> Exploration:
        """Its states, up to the limit."""
        return self.instance.explored(self.max_states)

    @cached_property
    def numbers(self) -> dict[bytes, int]:
        """The number of each state that was explored."""
        order = self.exploration.order if self.explores else ()
        return {packed: number for number, packed in enumerate(order)}

    @property
    def explored(self) -> int:
        """How many states were explored."""
        return self.searched[0] if self.explores else 0

    def spot(self, path: tuple[Move, ...]) -> Spot:
        """Find where moves lead from the setup."""
        state = self.instance.interpreter.start().state
        for move in path:
            state = self.instance.interpreter.step(state, move).state
        return Spot(self.name, state, len(path), path=path)

    def path(self, spot: Spot) -> tuple[Move, ...]:
        """Give the moves to a spot."""
        if spot.number >= 0:
            return self.exploration.path(spot.number)
        return spot.path


def ground(instance: Instance, counts: Counts, max_states: int) -> SpotGround:
    """Make a scope ready to be looked at; a game without scaled scopes is explored as printed."""
    scopes = instance.game.scopes
    name = instance.game.settings.scope
    collector = Collector(Watcher(instance.compiled.machine, instance.game), counts)
    scaled = name in scopes and scopes[name].scaled
    return SpotGround(name, instance, collector, max_states,
                      explores=scaled or not any(s.scaled for s in scopes.values()))


def _again(
    instance: Instance, max_states: int, acting: frozenset[str], searched: tuple[int, bool]
) -> SpotGround:
    made = ground(instance, Counter(), max_states)
    made.acting, made.searched = acting, searched
    return made


@dataclass(frozen=True, slots=True)
class Looked:
    """What the states of a scope show: candidates, in their order, and what acts in them.

    There may be more candidates than it takes beside those of other scopes.
    """

    candidates: tuple[Showing, ...]
    acting: frozenset[str]
    searched: tuple[int, bool]
    """As of the scope."""


def looked(
    instance: Instance, max_states: int, seed: int, say: Callable[[str], None]
) -> Looked:
    """Look at the states of a scope, as if there were no others."""
    scope = ground(instance, Counter(), max_states)
    for number, spot in enumerate(spots(scope, seed)):
        if number % 200 == 0:
            say(f"scope {scope.name}: looked at {number} states")
        scope.collector.look(spot)
    return Looked(tuple(scope.collector.candidates.values()),
                  frozenset(scope.collector.acting), scope.searched)


def spots(scope: SpotGround, seed: int) -> Iterator[Spot]:
    """List the states to look at: explored ones, or those of sampled plays."""
    return _explored(scope) if scope.explores else _sampled(scope, seed)


def _explored(scope: SpotGround) -> Iterator[Spot]:
    run = scope.exploration
    result = run.result()
    scope.searched = (result.states, result.complete)
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
