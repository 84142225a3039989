"""How often: an option of a window in which players act again and again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..game import syntax as sx
from ..game.game import Ty, Variable
from .silence import Answer, Silence, View, both, called

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from ..game.phrases import Change, Path

    Elsewhere = dict[str, dict[Path, Change]]

ASPECT = "how-often"


def find(view: View) -> Iterator[Silence]:
    """Yield the option of a clause, if it may be taken again before its window closes."""
    clause = view.clause
    window = view.game.windows.get(clause.on)
    if not clause.option or window is None or window.name == "actions":
        return
    if clause.do is None or not clause.do.statements:
        return
    if not (window.repeat if window.by is not None else window.each != "once"):
        return
    taken = f"{clause.id} was taken by"
    note = Variable(taken, Ty("players"), "", 0, "all", "", clause.place, internal=True)
    name, actor = sx.Name(taken, clause.place), sx.Name("actor", clause.place)
    nobody = sx.Assign(name, "=", sx.SetOf((), None, clause.place), clause.place)
    own: dict[Path, Change] = {
        ("when",): lambda when: both(when, sx.Compare("not in", actor, name, clause.place)),
        ("do", "statements", 0): lambda stmt: (
            sx.Assign(name, "|", sx.SetOf((actor,), None, clause.place), clause.place), stmt)}
    opened = _before_opening(view, window.name, nobody)
    answers = [Answer("once", "once each time there is an opportunity", own, opened, (note,))]
    turns = _after_turns(view, nobody)
    if turns:
        answers.append(Answer("once-a-turn", "once a turn", own, turns, (note,)))
    yield Silence(ASPECT, clause.id, f"options of {window.name}", f"`{clause.option}` may be taken",
                  ("as-often", "as often as one likes"), tuple(answers))


def _before_opening(view: View, window: str, reset: sx.Stmt) -> Elsewhere:
    """Put a statement in front of each that opens a window."""
    return _beside(view, window, lambda stmt: isinstance(stmt, sx.Do) and called(stmt) == window,
                   lambda stmt: (reset, stmt))


def _after_turns(view: View, reset: sx.Stmt) -> Elsewhere:
    """Put a statement behind each that passes the turn on, if a variable says whose it is."""
    movers = {each.by.name for each in view.game.windows.values() if isinstance(each.by, sx.Name)}
    if len(movers) != 1:
        return {}
    (mover,) = movers
    return _beside(view, mover, lambda stmt: isinstance(stmt, sx.Assign) and isinstance(
        stmt.target, sx.Name) and stmt.target.name == mover, lambda stmt: (stmt, reset))


def _beside(
    view: View, name: str, wanted: Callable[[object], bool], change: Change
) -> Elsewhere:
    """Change the statements that are wanted, in bodies whose text has a name."""
    found: Elsewhere = {}
    for clause in view.game.clauses:
        if clause.do is None or name not in clause.do.text:
            continue
        for site in View(view.game, clause).sites:
            if wanted(site.tree):
                found.setdefault(clause.id, {})[site.path] = change
    return found
