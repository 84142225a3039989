"""Windows in which it makes no difference who begins: one order of the players stands for all.

A window in no stated order rests at "who is next", and all orders are explored: 2^n sets of players
who are still to act, n! ways through them.  Two arguments make one order enough.  Both are read off
the text, so they hold in every state and at every size:

* *passing forfeits nothing*: the players are asked again and again until all have passed in a row,
  passing is always allowed and changes nothing, and whoever acts opens the round anew.  So whoever
  wants to act first can do so after the others have passed, and then it is forgotten who passed.
* *their moves commute*: what a player may do, and does, reads and writes nothing that the others
  write, but only rows of his own.  Then the moves of one player are a persistent set (Godefroid,
  "Partial-Order Methods for the Verification of Concurrent Systems", 1996, definition 4.1 and
  theorem 4.3; cf. Valmari's stubborn sets, 1991): every situation in which the window has closed is
  reached by letting that player finish first.

Neither is used if a limit, or a claim about the states of play, could tell apart the states which
that one order leaves out.  A play found in one order is a play of the game as it is.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ..game.uses import closure, mentions
from ..lowering.called import inside, running
from ..machine.core import Fill, For, If, Load, Local, Store
from ..machine.simplify import binary, both, negate, reduce
from ..machine.traversal import arrays_read, expressions, loads, writes
from ..planning.opening import WHO_IS_NEXT, window_plan
from ..planning.planner import Planner
from ..rules.elaborate import Elaborator
from ..rules.meanings import Failed
from ..rules.plan import Finish, Loop, Rest
from ..source.errors import Reporter
from .independence import scope_of
from .monotone import is_upper_bound, only_lowers

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ..game.game import Game
    from ..lowering.compile import Compiled
    from ..machine.core import Expr, Stmt
    from ..machine.machine import Machine, Node, Param

FORFEITS_NOTHING = ("whoever wants to act before the others can: they are asked again after every "
                    "act, so passing forfeits nothing")
OWN_ROWS = "what one player may do, and does, touches nothing that the others' moves change"


def why_indifferent(compiled: Compiled, name: str) -> str:
    """Say why it does not matter who acts first in a window, or give "" if that is not proved."""
    game = compiled.game
    window = game.windows[name]
    if window.who is None or window.order != "unstated":
        return ""
    planner = Planner(Elaborator(game, Reporter()))
    try:
        loop = next(plan for plan in window_plan(planner, name, 0) if isinstance(plan, Loop))
        (rest,) = loop.body
        assert isinstance(rest, Rest)
        seat, *act = rest.forks[0].plans
        if window.each == "rounds":
            free = any(fork.passes and not fork.conditions for plan in act
                       if isinstance(plan, Rest) for fork in plan.forks)
            return FORFEITS_NOTHING if free and _passes_freely(compiled.machine, name) else ""
        found = _Rows(seat.code[0].array)  # type: ignore[union-attr]
        for text in running(planner, act):
            found.take(text)
    except (Failed, StopIteration, RecursionError):
        return ""
    declared = {a.name for a in planner.frames.arrays.values() if a.declared}
    if found.ends or found.shared(declared) or compiled.machine.limits:
        return ""
    return "" if found.own_written & declared & _watched(game) else OWN_ROWS


def why_any_order(game: Game, clause: str) -> str:
    """Say why it does not matter in which order a clause takes the players, or give ""."""
    planner = Planner(Elaborator(game, Reporter()))
    said = next(each for each in game.clauses if each.id == clause)
    if said.do is None:
        return ""
    try:
        sentence = planner.sentence(said, said.do, scope_of(planner, said), 0)
        loops = [plan for plan in inside((sentence,))
                 if isinstance(plan, Loop) and _over_players(planner, plan)]
        declared = {a.name for a in planner.frames.arrays.values() if a.declared}
        for loop in loops:
            found = _Rows(loop.before[0].array)  # type: ignore[union-attr]
            for text in running(planner, loop.body):
                found.take(text)
            if found.ends or found.shared(declared):
                return ""
    except (Failed, RecursionError):
        return ""
    if not loops:
        return ""
    return "what is done for one player touches nothing that is done for the others"


def _over_players(planner: Planner, loop: Loop) -> bool:
    """Say whether a loop goes round the table: it starts with the player and a count."""
    match loop.before:
        case (Store(array=player), Store(array=count)):
            return count == f"{player}#" and loop.trips == planner.elab.seats()
        case _:
            return False


def indifferent(compiled: Compiled) -> frozenset[str]:
    """Name the windows of a game in which it does not matter who acts first."""
    return frozenset(name for name in compiled.game.windows if why_indifferent(compiled, name))


def _passes_freely(machine: Machine, window: str) -> bool:
    """Say that no limit can forbid to pass, because of what follows when the window closes."""
    read = frozenset(name for limit in machine.limits for name in arrays_read(limit.test))
    bounds = all(is_upper_bound(limit.test) for limit in machine.limits)
    lows = {array.name: array.low for array in machine.arrays}
    nodes = {node.id: node for node in machine.nodes}
    todo = [edge for node in machine.nodes if node.kind == "decide" and node.step == window
            for edge in node.edges if edge.passes]
    seen: set[int] = set()
    while todo:
        edge = todo.pop()
        if not (bounds and only_lowers(edge.body, read, lows)) and writes(edge.body) & read:
            return False
        after = nodes[edge.target]
        if after.kind == "rules" and after.id not in seen:
            seen.add(after.id)
            todo += after.edges
    return True


def _watched(game: Game) -> frozenset[str]:
    """Name what claims about the states of play speak of, with all that they call."""
    return closure(game, (
        name for clause in game.clauses if clause.in_force and clause.claim is not None
        and clause.claim.form in ("never", "reachable") for name in mentions(clause)))


@dataclass(slots=True)
class _Rows:
    """What code reads and writes: rows of the player in `seat`, and anything else."""

    seat: str
    own: set[str] = field(default_factory=set)
    own_written: set[str] = field(default_factory=set)
    other: set[str] = field(default_factory=set)
    other_written: set[str] = field(default_factory=set)
    ends: bool = False

    def shared(self, declared: set[str]) -> set[str]:
        """Name what one player's moves write and another's read or write."""
        return declared & (self.other_written | (self.own_written & self.other))

    def take(self, text: Expr | tuple[Stmt, ...] | Finish) -> None:
        if isinstance(text, Finish):
            self.ends = True
        elif isinstance(text, tuple):
            for expr in expressions(text):
                self._reads(expr)
            self._writes(text)
        else:
            self._reads(text)

    def _mine(self, index: tuple[Expr, ...]) -> bool:
        return bool(index) and index[0] == Load(self.seat)

    def _reads(self, expr: Expr) -> None:
        for load in loads(expr):
            (self.own if self._mine(load.index) else self.other).add(load.array)

    def _writes(self, code: Iterable[Stmt]) -> None:
        for stmt in code:
            match stmt:
                case Store(array=array, index=index) | Fill(array=array, prefix=index):
                    (self.own_written if self._mine(index) else self.other_written).add(array)
                case If(then=then, other=other):
                    self._writes((*then, *other))
                case For(body=body):
                    self._writes(body)
                case _:
                    pass


def one_order(machine: Machine, windows: frozenset[str]) -> Machine:
    """Give a machine that asks the players of these windows in the order of their seats only.

    Its states and moves are some of those of the machine as it is, with the same ids.
    """
    if not windows:
        return machine
    return replace(machine, nodes=tuple(
        _lowest(node) if node.step in windows and WHO_IS_NEXT in node.name else node
        for node in machine.nodes))


def _lowest(node: Node) -> Node:
    """Let only the first seat that is still to act be next."""
    (edge,) = node.edges
    (param,) = edge.params
    return replace(node, edges=(replace(edge, params=(_first(param),)),))


def _first(param: Param) -> Param:
    pending = next(load for load in loads(param.where) if load.index == (Local(param.name),))
    var = f"{param.name}_before"
    earlier = reduce("any", var, param.domain.high + 1, binary("<", Local(var), Local(param.name)),
                     Load(pending.array, (Local(var),)))
    return replace(param, where=both(param.where, negate(earlier)))
