"""A game at the table: what has been played, who sits where, and how far one may go back.

Nothing here reads or prints.  Chance, computer seats and what the rules leave to nobody are decided
by generators seeded with the seed and the number of the step, so a play that was interrupted and
resumed, or taken back and played again, goes on as it would have.

Going back is free as long as nobody at the keyboard has learned anything by it.  What was learned
is worked out from views: chance could have shown something else, another seat has acted, or the
move would have shown something else in some other state that looked the same.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from ...checker.seats import Kind, Thinker
from ...model.lowering.compile import Compiled
from ...model.machine.machine import Machine, Node
from ...model.machine.state import Move, State, Transition
from ...model.plays.board import JSON
from ...model.plays.knowledge import alike, guess, seen
from ...model.plays.moves import actor, describe_move, edge_of, node_of
from ...model.plays.plays import Taken, document
from ...model.run.interp import EndlessRules, IllegalMove, Interpreter, Verdict

PAST = 60
"""So many steps back a computer seat remembers."""
TRIES = 6
"""So many states that look alike are tried to see whether a move has shown something hidden."""


@dataclass(slots=True)
class GameTable:
    """A game in progress."""

    compiled: Compiled
    kinds: tuple[Kind, ...]
    seed: int
    start: Transition
    taken: list[Taken] = field(default_factory=list[Taken])
    undone: list[JSON] = field(default_factory=list[JSON])
    interp: Interpreter = field(init=False)
    thinker: Thinker = field(init=False)
    _judged: tuple[int, tuple[Verdict, ...]] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        self.interp = Interpreter(self.machine)
        self.thinker = Thinker(self.machine, self.seed)

    # ------------------------------------------------------------------------- questions

    @property
    def machine(self) -> Machine:
        """The machine that is played."""
        return self.compiled.machine

    @property
    def state(self) -> State:
        """The state that the game rests in; before an endless run, the last one."""
        if not self.taken:
            return self.start.state
        last = self.taken[-1]
        return last.before if last.step is None else last.step.state

    @property
    def node(self) -> Node:
        """The node that the game rests at."""
        return node_of(self.machine, self.state)

    @property
    def seat(self) -> int | None:
        """The seat that decides; None where chance or nobody does."""
        return actor(self.machine, self.state) if self.node.kind == "decide" else None

    @property
    def human(self) -> bool:
        """Return whether somebody at the keyboard decides now."""
        return self.seat is not None and self.kinds[self.seat] == "human"

    @property
    def humans(self) -> tuple[int, ...]:
        """The seats that somebody at the keyboard plays."""
        return tuple(seat for seat, kind in enumerate(self.kinds) if kind == "human")

    def judged(self) -> tuple[Verdict, ...]:
        """Judge all conceivable moves, once for each state."""
        if self._judged is None or self._judged[0] != len(self.taken):
            self._judged = (len(self.taken), self.interp.candidates(self.state))
        return self._judged[1]

    def options(self) -> tuple[Move, ...]:
        """List the legal moves."""
        return tuple(verdict.move for verdict in self.judged() if verdict.legal)

    def ended(self) -> str:
        """Say how the game has ended: `over`, `endless`, `stuck`, or that it goes on ("")."""
        if self.taken and self.taken[-1].step is None:
            return "endless"
        if self.interp.final(self.state):
            return "over"
        return "" if self.options() else "stuck"

    def rng(self, what: str) -> random.Random:
        """Make the generator for one purpose in this step."""
        return random.Random(f"{self.seed}/{what}/{len(self.taken)}")  # noqa: S311  (no secrets)

    # ----------------------------------------------------------------------------- moves

    def take(self, move: Move) -> Taken:
        """Make a legal move."""
        before = self.state
        try:
            made = Taken(before, move, self.interp.step(before, move))
        except EndlessRules as error:
            made = Taken(before, move, None, error.cycle, error.notes)
        self.taken.append(made)
        self._judged = None
        return made

    def choose(self) -> Move:
        """Choose for chance, for a computer seat, or by lot where the rules name nobody."""
        options = self.options()
        if self.node.kind == "chance":
            weights = [self.interp.weight(self.state, move) for move in options]
            at = self.rng("chance").randrange(sum(weights))
            for move, weight in zip(options, weights, strict=True):
                at -= weight
                if at < 0:
                    return move
        seat = self.seat
        rng = self.rng("seat")
        if seat is None:
            return options[rng.randrange(len(options))]
        return self.advice(seat, self.kinds[seat])

    def advice(self, seat: int, kind: Kind) -> Move:
        """Ask a computer seat, which is shown what its seat sees."""
        known = seen(self.machine, self.state, seat)
        options = self.options()
        past = {
            seen(self.machine, taken.before, seat) for taken in self.taken[-PAST:]
            if actor(self.machine, taken.before) == seat
        }
        return self.thinker.choose(kind, known, options, self.rng("seat"), past)

    # ------------------------------------------------------------------------ going back

    def last_decision(self) -> int | None:
        """Find the last step that somebody at the keyboard decided."""
        for number in range(len(self.taken) - 1, -1, -1):
            before = self.taken[number].before
            seat = actor(self.machine, before)
            if seat is not None and self.kinds[seat] == "human":
                return number
        return None

    def learned(self, since: int) -> str:
        """Say what has been learned by that step and since; nothing if nothing.

        What chance shows counts for all who sit at the keyboard, what moves show for who made them.
        """
        seat = actor(self.machine, self.taken[since].before)
        for taken in self.taken[since:]:
            if reason := self._learned(taken, seat):
                return reason
        return ""

    def _learned(self, taken: Taken, seat: int | None) -> str:
        if taken.step is None:
            return ""
        before, after = taken.before, taken.step.state
        node = node_of(self.machine, before)
        if node.kind == "chance":
            others = [move for move, _ in self.interp.chance(before) if move != taken.move]
            outcomes = self._results(before, others)
            differ = any(
                not alike(self.machine, each, after, human)
                for each in outcomes
                for human in self.humans
            )
            return "chance has decided something" if differ else ""
        who = actor(self.machine, before)
        if who == seat:
            return self._shown(taken, before, after, seat)
        passes = edge_of(self.machine, before, taken.move).passes
        same = seen(self.machine, before, seat).values == seen(self.machine, after, seat).values
        if passes and same:
            return ""
        return describe_who(self.machine, who)

    def _shown(self, taken: Taken, before: State, after: State, seat: int | None) -> str:
        """Say whether a move of one's own has shown something that was hidden."""
        known, rng = seen(self.machine, before, seat), random.Random(0)  # noqa: S311
        for _ in range(TRIES):
            other = guess(self.machine, known, rng)
            for result in self._results(other, [taken.move]):
                if not alike(self.machine, result, after, seat):
                    return "the move has shown something that was hidden"
        return ""

    def _results(self, state: State, moves: Sequence[Move]) -> list[State]:
        found: list[State] = []
        for move in moves:
            try:
                found.append(self.interp.step(state, move).state)
            except (EndlessRules, IllegalMove):
                continue
        return found

    def undo(self, number: int, learned: str) -> None:
        """Go back to before a step; what was learned by it is kept for the record."""
        if learned:
            self.undone.append(
                {
                    "after_step": number,
                    "steps": len(self.taken) - number,
                    "learned": learned,
                    "first": describe_move(
                        self.machine, self.taken[number].before, self.taken[number].move
                    ),
                }
            )
        del self.taken[number:]
        self._judged = None

    # --------------------------------------------------------------------------- writing

    def document(self) -> dict[str, JSON]:
        """Write the play, with what is needed to go on."""
        made = document(self.compiled, self.start, self.taken, seed=self.seed)
        made["seats"] = list(self.kinds)
        if self.undone:
            made["undone"] = self.undone
        return made


def describe_who(machine: Machine, seat: int | None) -> str:
    """Say who has acted."""
    return (
        "something was decided by lot"
        if seat is None
        else (f"{machine.player_names[seat]} has acted")
    )
