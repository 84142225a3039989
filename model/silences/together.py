"""Together or in turn: the same effect on several players; a sentence may say that outright."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..game import syntax as sx
from ..game.texts import walk
from ..game.unparse import unparse
from .silence import Answer, Silence, View, call, called, owner_of, zone_of

ASPECT = "together"
AT_ONCE = re.compile(r"\b(?:at the same time|simultaneously)\b", re.IGNORECASE)
"""What a sentence says of an effect on all of several at once."""
ONE_BY_ONE = ("win", "end_game", "remove", "new", "put_on_top", "put_on_bottom")
"""What only one of several can do at a time."""
DRAWN = ("draw", "random")


def find(view: View) -> Iterator[Silence]:
    """Yield the loops over players in no stated order that could be one effect on all of them.

    What is set up for each player is there before anybody looks.
    """
    if view.clause.kind == "setup":
        return
    for site in view.sites:
        loop = site.tree
        if not isinstance(loop, sx.ForEach) or not over_players(view, loop.domain):
            continue
        together = called(loop.domain) == "simultaneously"
        if not _joint(view, loop) or not (together or _matters(view, loop)):
            continue
        subject = f"this is done for each of `{unparse(loop.domain)}`"
        one, all_ = ("in-turn", "one after the other"), ("together", "all at the same time")
        written, (id_, title) = (all_, one) if together else (one, all_)
        said = AT_ONCE.search(view.clause.says) if together else None
        yield Silence(
            ASPECT, view.clause.id, f"for each player: {' '.join(sorted(_written(loop)))}", subject,
            written,
            (Answer(id_, title, {site.inner("domain"): lambda tree: (
                tree.args[0] if called(tree) == "simultaneously"
                else call("simultaneously", tree, tree))}),),
            decided=f"the words “{said[0].lower()}”" if said else "")


def over_players(view: View, domain: sx.Expr) -> bool:
    """Return whether a domain is a set of players without a stated order."""
    match domain:
        case sx.Name(name=name):
            variable = view.game.variables.get(name)
            return name == "players" or (variable is not None and variable.type.kind == "players")
        case sx.Call():
            return called(domain) in ("others", "argmin", "argmax", "simultaneously")
        case sx.SetOf():
            return True
        case sx.Infix(op="|" | "&" | "-", left=left):
            return over_players(view, left)
        case sx.Generator(domain=inner):
            return over_players(view, inner)
        case _:
            return False


def _joint(view: View, loop: sx.ForEach) -> bool:
    """Return whether the body can be done by all at once."""
    for stmt in loop.body:
        for part in walk(stmt):
            if isinstance(part, sx.While):
                return False
            if not isinstance(part, sx.Call):
                continue
            if isinstance(part.func, sx.Attr) or view.runs(part) or called(part) in ONE_BY_ONE:
                return False
            if called(part) in DRAWN and not _own(loop, part.args[-2 if len(part.args) > 1 else 0]):
                return False
    return True


def _own(loop: sx.ForEach, zone: sx.Expr) -> bool:
    owner = owner_of(zone)
    return isinstance(owner, sx.Name) and owner.name == loop.var


def _matters(view: View, loop: sx.ForEach) -> bool:
    """Return whether one turn of the loop may see what another one, or a rule it sets off, did."""
    written = _written(loop)
    watched = {name for clause in view.game.clauses if clause.in_force
               for tree in (clause.whenever, clause.always) if tree is not None
               for name in view.reads((tree,))}
    if written & watched:
        return True
    for stmt in loop.body:
        for part in walk(stmt):
            if isinstance(part, sx.Name) and part.name not in written and (
                view.reads((part,)) & written
            ):
                return True
    return any(
        zone_of(tree) in written and not _own(loop, tree)
        for stmt in loop.body for tree in _spoken(stmt))


def _written(loop: sx.ForEach) -> set[str]:
    found: set[str] = set()
    for stmt in loop.body:
        for part in walk(stmt):
            match part:
                case sx.Assign(target=sx.Attr() as target):
                    found.add(target.name)
                case sx.Assign(target=target):
                    found.add(zone_of(target))
                case sx.Call(func=sx.Name(), args=args):
                    found.update(zone_of(arg) for arg in args)
                case _:
                    pass
    return found - {"", loop.var}


def _spoken(stmt: sx.Stmt) -> Iterator[sx.Expr]:
    """Yield each name that a statement speaks of, with its index if it has one."""
    inside: set[int] = set()
    for part in walk(stmt):
        if isinstance(part, sx.Index):
            inside.add(id(part.value))
            yield part
        elif isinstance(part, sx.Name) and id(part) not in inside:
            yield part
