"""When it ends: at once, or after the effect under way."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..game.texts import walk
from .moved import ends
from .silence import Answer, Silence, called

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..game import syntax as sx
    from .silence import View

ASPECT = "when-it-ends"
WAYS = {"at once": ("at-once", "in the middle of what is going on"),
        "after the step": ("after-the-step", "when the effect under way is over")}


def find(view: View) -> Iterator[Silence]:
    """Yield the rules that end the game at any time and say when; one that does not is a point."""
    clause = view.clause
    if clause.whenever is None or clause.do is None or not clause.timing:
        return
    if any(ruling.point == f"timing/{clause.id}" for ruling in view.game.rulings):
        return  # it says nothing of when, and that is the point which is ruled
    if _leads_to_the_end(view, clause.do.statements):
        (other,) = (text for text in WAYS if text != clause.timing)
        yield Silence(ASPECT, clause.id, "the end of the game", "the game ends",
                      WAYS[clause.timing],
                      (Answer(*WAYS[other], {("timing",): lambda _: other}),))


def _leads_to_the_end(view: View, stmts: tuple[sx.Stmt, ...]) -> bool:
    """Return whether statements may end the game, or run steps of which sentences do."""
    bodies, seen = [stmts], set[str]()
    for body in bodies:
        if ends(body):
            return True
        run = {called(part) for stmt in body for part in walk(stmt)} & view.game.steps.keys()
        bodies += (each.do.statements for each in view.game.clauses
                   if each.on in run - seen and each.do is not None and each.in_force)
        seen |= run
    return False
