"""Beyond the bounds: a number that would fall below zero."""

from __future__ import annotations

from collections.abc import Iterator

from ..game import syntax as sx
from ..game.unparse import unparse
from .silence import Answer, Silence, Site, View, instead, only_if, zone_of

ASPECT = "beyond-bounds"


def find(view: View) -> Iterator[Silence]:
    """Yield the subtractions from a number of the game that may leave less than nothing."""
    for path, block in view.blocks():
        for place, stmt in enumerate(block):
            if not isinstance(stmt, sx.Assign) or stmt.op != "-" or not _counts(view, stmt.target):
                continue
            if stmt.value == sx.Num(0, stmt.at):
                continue
            yield from _lost(view, Site((*path, place), stmt), stmt,
                             _passed_on(block, place), block)


def _lost(
    view: View, site: Site, stmt: sx.Assign, given: int | None, block: tuple[sx.Stmt, ...]
) -> Iterator[Silence]:
    """Yield the silence of one subtraction; `given` is the place of what somebody gets for it."""
    enough = sx.Compare(">=", stmt.target, stmt.value, stmt.at)
    *path, place = site.path
    assert isinstance(place, int)
    if given is None:
        answers = [Answer("not-done", "nothing is taken away then", {site.path: only_if(enough)})]
    else:
        first, second = sorted((place, given))
        least = sx.Call(sx.Name("min", stmt.at), (stmt.value, stmt.target), (), stmt.at)
        some = sx.Name("as_much", stmt.at)
        known = sx.Assign(some, "=", least, stmt.at)
        answers = [
            Answer("not-done", "neither happens then", {
                (*path, first): only_if(enough, block[second]), (*path, second): instead(())}),
            Answer("as-much", "only as much as there is goes over", {
                (*path, first): lambda stmt: (known, stmt),
                (*path, place, "value"): instead(some),
                (*path, given, "value"): instead(some)})]
    yield Silence(
        ASPECT, view.clause.id, f"less {zone_of(stmt.target)}",
        f"`{unparse(stmt.target)}` loses {unparse(stmt.value)}, and less is left",
        ("stops", "it stops at zero, and all else happens"), tuple(answers),
        f"what if that takes away more than is left of the {_name(stmt.target)}")


def _name(target: sx.Expr) -> str:
    """Return what a number is called, whose ever it is."""
    name = target.name if isinstance(target, sx.Attr) else zone_of(target)
    return name.replace("_", " ")


def _counts(view: View, target: sx.Expr) -> bool:
    """Return whether this is a number of the spec that cannot fall below zero."""
    if isinstance(target, sx.Attr):
        fields = [pool.fields[target.name] for pool in view.game.pools.values()
                  if target.name in pool.fields]
        return any(ty.kind == "int" and ty.low == 0 for ty in fields)
    variable = view.game.variables.get(zone_of(target))
    return variable is not None and variable.type.kind == "int" and variable.type.low == 0


def _passed_on(block: tuple[sx.Stmt, ...], place: int) -> int | None:
    """Return the statement beside one that gives to another what is taken away, if there is."""
    taken = block[place]
    assert isinstance(taken, sx.Assign)
    for other in (place - 1, place + 1):
        if 0 <= other < len(block):
            stmt = block[other]
            if isinstance(stmt, sx.Assign) and stmt.op == "+" and (
                zone_of(stmt.target) == zone_of(taken.target)
                and unparse(stmt.value) == unparse(taken.value)
            ):
                return other
    return None
