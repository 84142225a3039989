"""When it is judged: what is counted or asked, as the effect begins or as it is carried out."""

from __future__ import annotations

from collections.abc import Iterator

from ..game import syntax as sx
from ..game.unparse import unparse
from ..game.uses import changes, names_in
from .silence import Answer, Silence, Site, View, called, parts_of

ASPECT = "when-judged"
ASKED = ("choose", "choose_cards", "may", "draw", "roll", "random", "new")
NAMES = ("only", "next_player", "previous_player")
"""What names one of several: who that is does not change with what comes then."""
ENDS = {"win", "end_game"}
"""What ends the game: whether it does is looked at when that comes, as when a token is there."""
LATER, FIRST = ("carried-out", "as it is carried out"), ("as-it-begins", "as the effect begins")
KEPT = "judged"
"""The name of the local that keeps what is judged first."""


def find(view: View) -> Iterator[Silence]:
    """Yield what is asked after something that it depends on may have changed."""
    for path, block in view.blocks():
        for place in range(1, len(block)):
            before = block[:place]
            for site in _asked(Site((*path, place), block[place])):
                yield from _later(view, path, before, site)
            yield from _earlier(view, path, block, place)


def _later(
    view: View, path: tuple[str | int, ...], before: tuple[sx.Stmt, ...], site: Site
) -> Iterator[Silence]:
    tree = site.tree
    assert not isinstance(tree, sx.Stmt)
    new = {stmt.target.name for stmt in before
           if isinstance(stmt, sx.Assign) and isinstance(stmt.target, sx.Name)}
    if names_in(iter((tree,))) & new - view.game.variables.keys():
        return
    if not view.reads((tree,)) & changes(view.game, before) & _things(view):
        return
    name = f"{KEPT}_{site.path[len(path)]}"
    keep = sx.Assign(sx.Name(name, tree.at), "=", tree, tree.at)
    yield Silence(
        ASPECT, view.clause.id, f"judge {unparse(tree)}", f"`{unparse(tree)}` is looked at",
        LATER,
        (Answer(*FIRST, {(*path, 0): lambda stmt: (keep, stmt),
                         site.path: lambda _: sx.Name(name, tree.at)}),),
        about=_meant(view, tree))


def _meant(view: View, tree: sx.Expr) -> str:
    """Return the clause that says what is judged, if it has a name of its own; else ""."""
    named = names_in(iter((tree,)))
    return next((clause.id for clause in view.game.clauses if clause.define in named), "")


def _earlier(
    view: View, path: tuple[str | int, ...], block: tuple[sx.Stmt, ...], place: int
) -> Iterator[Silence]:
    """Yield a local that keeps what is used after it may have changed."""
    first = block[place - 1]
    if not isinstance(first, sx.Assign) or not isinstance(first.target, sx.Name) or (
        first.op != "=" or first.target.name in view.game.variables
        or called(first) in (*ASKED, *NAMES)
    ):
        return
    name, value = first.target.name, first.value
    for later in range(place + 1, len(block)):
        if not view.reads((value,)) & changes(view.game, block[place:later]) & _things(view):
            continue
        uses = [site for site in parts_of(Site((*path, later), block[later]))
                if isinstance(site.tree, sx.Name) and site.tree.name == name]
        if uses:
            yield Silence(
                ASPECT, view.clause.id, f"judge {unparse(value)}",
                f"`{unparse(value)}` is looked at", FIRST,
                (Answer(*LATER, {site.path: lambda _: value for site in uses}),))
            return


def _things(view: View) -> frozenset[str]:
    """Name what lies on the table: zones, records, and what each player has of something."""
    game = view.game
    return frozenset((*game.zones, *game.pools,
                      *(name for pool in game.pools.values() for name in pool.fields),
                      *(name for name, each in game.variables.items() if each.per)))


def _asked(site: Site) -> Iterator[Site]:
    """Yield the conditions and numbers of one statement."""
    match site.tree:
        case sx.IfThen(test=test, then=then) if called(test) != "may" and not (
            isinstance(test, sx.Prefix) and called(test.operand) == "may"
        ) and not ENDS & set(map(called, then)):
            yield Site(site.inner("test"), test)
        case sx.Do(call=sx.Call(args=(number, _, _))) if called(site.tree) == "draw":
            yield Site(site.inner("call", "args", 0), number)
        case sx.Assign(value=sx.Call(named=named)) if called(site.tree) == "choose_cards":
            for place, (name, tree) in enumerate(named):
                if name in ("exactly", "at_least", "at_most"):
                    yield Site(site.inner("value", "named", place, 1), tree)
        case sx.Assign(op="=", target=target, value=value) if called(value) not in ASKED:
            if not isinstance(value, sx.Num | sx.Truth | sx.Nothing | sx.Name) and not isinstance(
                target, sx.Name
            ):
                yield Site(site.inner("value"), value)
        case _:
            pass
