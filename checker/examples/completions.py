"""Whether what a worked example states can come about under a reading, in whatever way.

A spec encodes an example as it goes under the rules that are adopted: with their order of moves,
and with the questions that they ask.  The sentence states less: that these moves are made, and
what is so then.  So the moves may be made in any order that the game allows; whoever may pass does
or does not, what is asked besides is answered in any way, and an answer to what nobody asks is not
missed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from ...model.game.game import Example
from ...model.machine.machine import Node
from ...model.machine.state import Move, State
from ...model.plays.moves import node_of
from ...model.rules.meanings import Failed
from ...model.run.evaluate import OutOfRangeError
from ...model.run.interp import EndlessRules, UncoveredRules
from ..audit.audit import Worked
from ..bench.workbench import Instance
from . import move_text as hearing
from .examples import ExampleReplay
from .move_text import SceneError, plain
from .scenes import begin

MOST_SITUATIONS = 2_000
"""So many situations are looked at for one example under one reading."""

Answer = Literal["comes about", "never", "unclear", "too many"]


@dataclass(frozen=True, slots=True)
class _Situation:
    """What a way has led to."""

    state: State
    left: tuple[int, ...]
    """The stated moves that are not made yet."""
    over: bool = False
    """Whether the step or window of the example has been left."""
    otherwise: bool = False
    """Whether a question has been answered as the example does not state."""


def completed(instance: Instance, example: Example, worked: Worked) -> Answer:
    """Return whether some way to make the stated moves leads to what an example expects.

    Nothing follows (`unclear`) if the scene cannot be set up or a model's bound is met on the way.
    """
    try:
        state = begin(instance, example.at, example.state).state
        return _Completions(instance, example, worked).search(state)
    except (SceneError, Failed, EndlessRules):
        return "unclear"


class _Completions:
    """The ways to make the moves of one example."""

    def __init__(self, instance: Instance, example: Example, worked: Worked) -> None:
        self.replay, self.worked = ExampleReplay(instance, example), worked
        self.instance, self.moves = instance, example.moves
        self.expect = example.expect
        places = {plain(name) for name in (*instance.game.steps, *instance.game.windows)}
        self.beyond = places - self.replay.inner - {self.replay.home}

    def search(self, first: State) -> Answer:
        """Look at the situations depth first, stated moves before others and in their order."""
        stated = tuple(number for number, move in enumerate(self.moves)
                       if not hearing.declines(self.instance, move))
        todo = [_Situation(first, stated)]
        seen = {todo[0]}
        unclear = False
        while todo:
            if len(seen) > MOST_SITUATIONS:
                return "too many"
            here = todo.pop()
            node = node_of(self.replay.machine, here.state)
            resting = here.over or node.kind == "final" or not self.replay.goes_on(node)
            try:
                made = list(self._stated(here))
                if not made and (resting or self.worked.paused) and self._as_expected(here):
                    return "comes about"
                if (here.over and self.worked.inside) or (resting and not here.left):
                    continue
                ways = [each for each in (*made, *self._unstated(here, node)) if each not in seen]
            except (OutOfRangeError, UncoveredRules):
                unclear = True
                continue
            except EndlessRules:
                continue
            seen.update(ways)
            todo.extend(reversed(ways))
        return "unclear" if unclear else "never"

    def _as_expected(self, here: _Situation) -> bool:
        """Return whether all is made that could be, and what the example expects is so."""
        if here.left and (here.otherwise or not all(
                hearing.answers(self.moves[number]) for number in here.left)):
            return False
        return self.expect is None or self.replay.holds(self.expect, here.state)

    def _stated(self, here: _Situation) -> Iterator[_Situation]:
        """Make each stated move that can be made."""
        moves = self.replay.judge.moves(here.state)
        tried: list[object] = []
        for number in here.left:
            if (given := self.moves[number]) not in tried:
                tried.append(given)
                _, meant = hearing.told(self.instance, here.state, given)
                rest = replace(here, left=tuple(each for each in here.left if each != number))
                yield from (self._take(rest, move)
                            for move in [each for each in meant if each in moves][:1])

    def _unstated(self, here: _Situation, node: Node) -> Iterator[_Situation]:
        """Do what an example need not state: chance, answers, and passing.

        An option is none of that unless somebody has to take one, as he may not pass.
        """
        moves = self.replay.judge.moves(here.state)
        if node.kind == "decide" and "/" not in node.name:
            edges = self.replay.judge.edges
            passes = tuple(move for move in moves if edges[move.edge].passes)
            forced = not passes and any(edge.passes for edge in node.edges)
            moves = moves if forced else passes
        elif node.kind != "open" and len(moves) > 1:
            here = replace(here, otherwise=True)
        yield from (self._take(here, move) for move in moves)

    def _take(self, here: _Situation, move: Move) -> _Situation:
        step = self.replay.judge.step(here.state, move)
        edges, nodes = self.replay.judge.edges, self.replay.judge.nodes
        return replace(here, state=step.state, over=here.over or any(
            plain(nodes[edges[edge].target].step) in self.beyond for edge in step.edges))
