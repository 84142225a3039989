"""Options: how often one may be taken in a window, and in which other windows.

A window in which players act again and again offers an option again, unless something says "once";
and the windows that lack an option could offer it as well.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from ..game import syntax as sx
from ..game.game import Clause, Ty, Variable, Window
from ..game.phrases import Change, Path
from ..game.texts import walk
from ..game.unparse import unparse
from .silence import Answer, Silence, View, both, called, gives, passes_on

Elsewhere = dict[str, dict[Path, Change]]

HOW_OFTEN, WHEN = "how-often", "when"


def find_how_often(view: View) -> Iterator[Silence]:
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
    opened = _beside(
        view, window.name, lambda stmt: isinstance(stmt, sx.Do) and called(stmt) == window.name,
        lambda stmt: (nobody, stmt))
    answers = [Answer("once", "once each time there is an opportunity", own, opened, (note,))]
    passed = after_turns(view, nobody)
    if passed:
        answers.append(Answer("once-a-turn", "once a turn", own, passed, (note,)))
    yield Silence(HOW_OFTEN, clause.id, f"options of {window.name}",
                  f"`{clause.option}` may be taken", ("as-often", "as often as one likes"),
                  tuple(answers))


def after_turns(view: View, reset: sx.Stmt) -> Elsewhere:
    """Put a statement behind each that says whose turn it is, if a variable does."""
    mover = view.turn()
    return _beside(view, mover, lambda stmt: gives(stmt, mover),
                   lambda stmt: (stmt, reset)) if mover else {}


def turn_steps(view: View) -> tuple[str, ...]:
    """Name the steps of a turn in their order, if a variable says whose turn it is.

    They are those that run before the statement that passes the turn on, or before its step; one
    inside such a list of statements only passes over players.
    """
    mover, found = view.turn(), dict[str, None]()
    last: tuple[str, Path] | None = None
    for clause, path, block in _blocks(view) if mover else ():
        passed = next((at for at, stmt in enumerate(block) if passes_on(stmt, mover)), None)
        if last is not None and last == (clause.id, path[:len(last[1])]):
            continue
        if passed is not None:
            last = clause.id, path
            before = _run(view, block[:passed])
            if not before:
                for _, _, other in _blocks(view):
                    run = _run(view, other)
                    before += run[:run.index(clause.on)] if clause.on in run else ()
            found.update(dict.fromkeys(before or (clause.on,)))
    return tuple(found)


def _blocks(view: View) -> Iterator[tuple[Clause, Path, tuple[sx.Stmt, ...]]]:
    """Yield the lists of statements of all clauses, with the way to each, the outer ones first."""
    for clause in view.game.clauses:
        if clause.in_force:
            for path, block in View(view.game, clause).blocks():
                yield clause, path, block


def _run(view: View, block: tuple[sx.Stmt, ...]) -> tuple[str, ...]:
    """Name the steps that a list of statements runs itself."""
    return tuple(name for name in map(called, block) if name in view.game.steps)


def _beside(view: View, name: str, wanted: Callable[[object], bool], change: Change) -> Elsewhere:
    """Change the statements that are wanted, in bodies whose text has a name."""
    found: Elsewhere = {}
    for clause in view.game.clauses:
        if clause.do is None or name not in clause.do.text:
            continue
        for site in View(view.game, clause).sites:
            if wanted(site.tree):
                found.setdefault(clause.id, {})[site.path] = change
    return found


def find_when(view: View) -> Iterator[Silence]:
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
            WHEN, clause.id, f"options of {clause.on}", f"`{clause.option}` may be taken",
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
