"""A machine that is watched while it runs: which clauses act, and how close each comparison was.

A position is a good test where a rule is at its edge.  `Watcher.look` takes all moves of a state
and notes what decided: each comparison by clause and text (a `ComparisonSite`), with the difference
of its two sides, and each statement that changed something.  `look` with a `flip` takes them again
with one comparison turned round wherever its difference is the given one, which is what an
off-by-one in that rule amounts to (`<` for `<=` flips at 0, `<= n + 1` for `<= n` at 1).  Where the
result differs the position tells the two rules apart (strong mutation: DeMillo, Lipton, Sayward,
"Hints on test data selection", 1978; here on the boundary values of comparisons only).
"""

from __future__ import annotations

from dataclasses import dataclass

from ...model.game.game import Game
from ...model.machine.machine import Edge, Machine
from ...model.machine.state import Arg, Move, State
from ...model.run.evaluate import OutOfRangeError
from ...model.run.interp import EndlessRules, Interpreter, UncoveredRules
from ...model.run.watched import RunListener
from .sites import sites_of

FAR = 2
"""Differences are told apart up to 1; what is farther is `FAR` away."""

Hit = tuple[int, int]
"""A site by number, and the difference of its sides, cut to -`FAR` … `FAR`."""


@dataclass(slots=True)
class Ran:
    """One move, and what happened on the way to the next rest (None: there is none)."""

    move: Move
    after: State | None
    cites: tuple[str, ...]
    hits: set[Hit]
    effects: set[str]
    notes: tuple[int, ...]
    broken: tuple[int, ...]


@dataclass(slots=True)
class LegalMoves:
    """All legal moves of a state; `hits` are the comparisons that decided which they are.

    `barred` holds for each conceivable move that is not legal the clauses that rule it out.
    """

    state: State
    ran: list[Ran]
    hits: set[Hit]
    barred: list[tuple[str, ...]]


class Watcher(RunListener):
    """Runs one machine and notes what decides."""

    def __init__(self, machine: Machine, game: Game) -> None:
        self.game = game
        self.machine, self.sites = sites_of(machine, game)
        self.interpreter = Interpreter(self.machine, self)
        self.shape = self.interpreter.shape
        self.nodes = self.interpreter.nodes
        self._flip: Hit | None = None
        self._hits: set[Hit] = set()
        self._effects: set[str] = set()

    def edge(self, number: int) -> Edge:
        """Return an edge by its number."""
        return self.interpreter.edges[number]

    # --------------------------------------------------------------------------- hearing

    def compared(self, site: int, difference: int, holds: bool) -> bool:  # noqa: FBT001
        """Note a comparison; the one that is turned round holds where it does not."""
        cut = max(-FAR, min(FAR, difference))
        hit = (site, cut if self.sites[site].numeric else int(cut != 0))
        self._hits.add(hit)
        return holds != (hit == self._flip)

    def bounded(self, site: int, beyond: int) -> bool:
        """Note that a bound is met; the one that is turned round lets the number pass."""
        hit = (site, min(FAR, beyond))
        self._hits.add(hit)
        return hit != self._flip

    def stored(self, effect: object, changed: bool) -> None:  # noqa: FBT001
        """Note a statement that has changed something."""
        if changed:
            self._effects.add(str(effect))

    # --------------------------------------------------------------------------- looking

    def look(self, state: State, *, flip: Hit | None = None) -> LegalMoves:
        """Take all moves of a state."""
        self._flip = flip
        hits = self._hits = set()
        found: list[Move] = []
        barred: list[tuple[str, ...]] = []
        node = self.nodes[state.node]
        for edge in () if node.kind in ("final", "rules") else node.edges:
            for args in self.interpreter.arguments(state, edge):
                wrong = self._against(state, edge, args)
                if wrong is None:
                    found.append(Move(edge.id, args))
                else:
                    barred.append(wrong)
        ran = [self._run(state, move) for move in found]
        if node.kind != "chance" and any(not each.broken for each in ran):
            for each in ran:
                if each.broken:
                    named = tuple(self.machine.limits[i].clause for i in each.broken)
                    barred.append(named)
                    hits |= {hit for hit in each.hits if self.sites[hit[0]].clause in named}
            ran = [each for each in ran if not each.broken]
        self._flip = None
        return LegalMoves(state, ran, hits, barred)

    def _against(self, state: State, edge: Edge, args: tuple[Arg, ...]) -> tuple[str, ...] | None:
        """Return the clauses that rule a move out; None if nothing does."""
        failing = self.interpreter.failing(state, edge, args)
        if failing:
            return tuple(dict.fromkeys(each.clause for each in failing if each.clause))
        chance = self.nodes[edge.source].kind == "chance"
        move = Move(edge.id, args)
        return () if chance and self.interpreter.weight(state, move) <= 0 else None

    def _run(self, state: State, move: Move) -> Ran:
        hits = self._hits = set()
        effects = self._effects = set()
        try:
            step = self.interpreter.take(state, move)
        except (EndlessRules, UncoveredRules, OutOfRangeError):
            step = None  # the rules as they are always rest; with one turned round they may not
        if step is None:
            return Ran(move, None, (), hits, effects, (), ())
        return Ran(move, step.state, step.cites, hits, effects, step.notes, step.broken)
