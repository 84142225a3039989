"""When: an option that other windows could offer as well."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..game.texts import walk
from ..game.unparse import unparse
from .silence import Answer, Silence, called

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..game import syntax as sx
    from ..game.game import Clause, Window
    from .silence import View

ASPECT = "when"


def find(view: View) -> Iterator[Silence]:
    """Yield the option of a clause, if windows lack it in which one acts who acts here, too.

    That is who acts in both, or a single one where all may act here.  What an option opens itself
    is no other time for it.
    """
    clause, windows = view.clause, view.game.windows
    if not clause.option or clause.on not in windows:
        return
    by, opens = windows[clause.on].by, _opened(view, clause)
    answers = tuple(
        Answer(f"also-{window.name}", f"also where {_said(view, window)}", {},
               brings=tuple(_there(view, window)))
        for window in windows.values()
        if window.name != clause.on and window.name not in opens
        and window.by is not None and (by is None or unparse(by) == unparse(window.by))
        and _offers(view, window) and not _offers(view, window, clause.option))
    if answers:
        yield Silence(
            ASPECT, clause.id, f"options of {clause.on}", f"`{clause.option}` may be taken",
            ("as-written", f"only where {_said(view, windows[clause.on])}"), answers)


def _offers(view: View, window: Window, option: str = "") -> bool:
    """Return whether a window offers an option; any, if none is named."""
    return any(each.on == window.name and each.option and option in ("", each.option)
               for each in view.game.clauses if each.in_force)


def _said(view: View, window: Window) -> str:
    """Say what a window is for: its sentence, or that of its first option."""
    clauses = {each.id: each for each in view.game.clauses}
    first = next((each for each in view.game.clauses
                  if each.on == window.name and each.option and each.in_force), None)
    named = clauses.get(window.clause, first)
    return window.name if named is None else f"‘{named.says}’"


def _there(view: View, window: Window) -> Iterator[Clause]:
    """Yield an option, and what forbids it, as another window would have them."""
    clause = view.clause
    here = f"{clause.on}.{clause.option}"
    for each in view.game.clauses:
        if each is clause or (each.kind == "forbid" and each.on == here):
            on = window.name if each is clause else f"{window.name}.{clause.option}"
            yield replace(each, id=f"{each.id}@{window.name}", on=on, internal=("*",))


def _opened(view: View, clause: Clause) -> frozenset[str]:
    """Name the windows that an option may open, itself or by steps that it runs."""
    game = view.game
    bodies: list[tuple[sx.Stmt, ...]] = [clause.do.statements] if clause.do is not None else []
    seen = set[str]()
    for body in bodies:
        run = {called(part) for stmt in body for part in walk(stmt)} - seen
        seen |= run
        bodies += (each.do.statements for each in game.clauses
                   if each.do is not None and each.in_force and each.on in run)
    return frozenset(seen & game.windows.keys())
