"""Windows in which it makes no difference who begins: one order of the players stands for all.

A window in no stated order rests at "who is next", and all orders are explored: 2^n sets of players
who are still to act, n! ways through them.  Two arguments make one order enough.  Both are read off
the text, so they hold in every state and at every size:

* *passing forfeits nothing*: the players are asked again and again until all have passed in a row,
  passing is always allowed and changes nothing, and whoever acts opens the round anew.  So whoever
  wants to act first can do so after the others have passed, and then it is forgotten who passed.
* *their moves commute*: what a player may do, and does, reads and writes nothing that the others
  write, but only rows of his own, and he can always come to an end.  Then the moves of one player
  are a persistent set (Godefroid, "Partial-Order Methods for the Verification of Concurrent
  Systems", 1996, definition 4.1 and theorem 4.3; cf. Valmari's stubborn sets, 1991): every
  situation in which the window has closed is reached by letting that player finish first.

Neither is used if anything could tell apart the states which that one order leaves out (`effects`
says what can).  A play found in one order is a play of the game as it is.
"""

from __future__ import annotations

from ..game.game import Game
from ..lowering.called import plans_of, sentences_of
from ..lowering.compile import Compiled
from ..machine.core import Store
from ..machine.machine import Machine
from ..machine.traversal import arrays_read, writes
from ..planning.planner import Planner
from ..rules.context import own
from ..rules.plan import Atomic, Loop, Rest, Target, inside
from .effects import Effects, Ground, read_around
from .monotone import is_upper_bound, only_lowers

FORFEITS_NOTHING = ("whoever wants to act before the others can: they are asked again after every "
                    "act, so passing forfeits nothing")
OWN_ROWS = "what one player may do, and does, touches nothing that the others' moves change"
ANY_ORDER = "what is done for one player touches nothing that is done for the others"


def why_indifferent(compiled: Compiled, name: str) -> str:
    """Say why it does not matter who acts first in a window, or give "" if that is not proved."""
    window = compiled.game.windows[name]
    if window.who is None or window.order != "unstated":
        return ""
    ground = Ground(compiled.game)
    plans = plans_of(ground.planner, Target(name))
    loop = next((plan for plan in plans if isinstance(plan, Loop)), None)
    if loop is None:
        return ""
    (rest,) = loop.body
    assert isinstance(rest, Rest)
    seat, *act = rest.forks[0].plans
    assert isinstance(seat, Atomic)
    if window.each == "rounds":
        free = any(fork.passes and not fork.conditions for plan in act
                   if isinstance(plan, Rest) for fork in plan.forks)
        why = FORFEITS_NOTHING if free and _passes_freely(compiled.machine, name) else ""
    else:
        (chosen,) = writes(seat.code)
        found = ground.effects(act, chosen)
        found.read_by(loop.before)  # who takes part
        why = OWN_ROWS if _own_rows(ground, found, ground.private(act)) else ""
    return why if ground.sound else ""


def why_any_order(game: Game, clause: str) -> str:
    """Say why it does not matter in which order a clause takes the players, or give ""."""
    said = game.clause(clause)
    if said is None:
        return ""
    ground = Ground(game)
    sentences = sentences_of(ground.planner, said)
    loops = [plan for plan in inside(sentences)
             if isinstance(plan, Loop) and over_players(ground.planner, plan)]
    proved = bool(loops) and all(
        not ground.cut_short(loop.body, otherwise=said.otherwise is not None)
        and _own_rows(ground, ground.effects(loop.body, *writes(loop.before[:1])),
                      ground.private(loop.body) - read_around(loop.body, sentences))
        for loop in loops)
    return ANY_ORDER if proved and ground.sound else ""


def _own_rows(ground: Ground, found: Effects, private: frozenset[str]) -> bool:
    """Say that nothing can tell in which order the players did what each does to rows of his own.

    `private` are the locals that each sets for himself.
    """
    return not (found.shared() - private or found.ends or found.stalls or ground.seen_amid(found))


def over_players(planner: Planner, loop: Loop) -> bool:
    """Return whether a loop goes round the table: it starts with the player and a count."""
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
    todo = [edge for node in machine.nodes if node.kind == "decide" and node.step == own(window)
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
