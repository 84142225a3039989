"""Orders in which somebody decides after he has seen what another one chose, or chance did.

That the same comes out if each does the same is no ground then to call an order harmless: whoever
decides later knows more.  It is read off the plans who decides, at any size of the game; what is
written only where the others do not see it tells them nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ..game import syntax as sx
from ..game.game import Clause, Game
from ..game.texts import walk
from ..lowering.called import called, sentences_of
from ..machine.core import Expr, Load
from ..machine.traversal import arrays_read, writes
from ..rules.plan import Loop, Plan, Rest, inside
from .effects import Ground
from .independence import never_both, sentence
from .responders import over_players


def tells(game: Game, first: str, second: str) -> bool:
    """Return whether in one of two clauses somebody decides who may learn from the other one.

    So it is if another one decides there, or chance does.  Never are two in force together that
    exclude each other.
    """
    ground = Ground(game)
    plans = [sentence(ground, name) for name in (first, second)]
    one, two = ((plan,) for plan in plans if plan is not None) if None not in plans else ((), ())
    if not one or not two:
        return False
    written = ground.effects(one).written | ground.effects(two).written
    if never_both(one[0], two[0], written):
        return False
    return (_learns(ground, one, two, written) or _learns(ground, two, one, written))


def tells_in_loop(game: Game, clause: str) -> bool:
    """Return whether in a loop over players one decides who may learn from an earlier turn."""
    said = game.clause(clause)
    ground = Ground(game)
    return said is not None and any(
        _learns(ground, loop.body, loop.body, ground.effects(loop.body).written
                | frozenset(writes((*loop.before, *loop.step))))
        for loop in _loops(ground, said))


def chosen_at_once(game: Game, clause: str) -> bool:
    """Return whether in a clause several choose at the same time, and could learn if in turn."""
    said = game.clause(clause)
    return said is not None and said.do is not None and any(
        isinstance(part, sx.ForEach) and _named(part.domain) == "simultaneously"
        and any(_named(each) in ("choose", "choose_cards", "may")
                for stmt in part.body for each in walk(stmt))
        for stmt in said.do.statements for part in walk(stmt)) and tells_in_loop(game, clause)


def _named(tree: object) -> str:
    """Return the word that is called; "" for anything else."""
    return tree.func.name if isinstance(tree, sx.Call) and isinstance(tree.func, sx.Name) else ""


def _loops(ground: Ground, clause: Clause) -> list[Loop]:
    """List the loops over players, with those that are for all at once."""
    return [plan for plan in inside(sentences_of(ground.planner, clause)) if isinstance(plan, Loop)
            and over_players(ground.planner, replace(plan, before=plan.before[-2:]))]


def _learns(
    ground: Ground, later: tuple[Plan, ...], earlier: tuple[Plan, ...], written: Iterable[str]
) -> bool:
    """Return whether who decides in one may learn of what another one, or chance, did before."""
    mine, (theirs, luck) = _deciders(ground, later)[0], _deciders(ground, earlier)
    if not mine or not (theirs or luck):
        return False
    if len(mine | theirs) == 1 and not luck:
        (who,) = mine
        if who is not None and not arrays_read(who) & {*written}:
            return False
    return not _hidden(ground, earlier, theirs)


def _deciders(ground: Ground, plans: Iterable[Plan]) -> tuple[set[Expr | None], bool]:
    """Return by whom is decided in plans, and whether chance decides."""
    rests = [plan for plan in called(ground.planner, plans) if isinstance(plan, Rest)]
    return ({plan.by for plan in rests if plan.kind != "chance"},
            any(plan.kind == "chance" for plan in rests))


def _hidden(ground: Ground, plans: tuple[Plan, ...], who: set[Expr | None]) -> bool:
    """Return whether plans write nothing but numbers of who decides that only he sees.

    How many cards lie in a zone, or records in a pool, is seen also where they are not.
    """
    if len(who) != 1:
        return False
    (one,) = who
    if not isinstance(one, Load) or one.index:
        return False
    found, arrays = ground.effects(plans, one.array), ground.planner.frames.arrays
    visits = f"{one.array} left"  # of whom the loop has yet to come to
    shown = found.written - ground.private(plans) - {visits}
    return not (shown & found.other_written) and all(
        arrays[name].seen_by == "owner" and arrays[name].declared and not arrays[name].zone
        and "." not in name for name in shown)
