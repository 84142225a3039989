"""Who chooses: who acts, or whose thing it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..game import syntax as sx
from ..game.unparse import unparse
from .silence import Answer, Silence, Site, called, instead, owner_of, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .silence import View

ASPECT = "who-chooses"
MAKERS = ("choose", "choose_cards", "may")


def find(view: View) -> Iterator[Silence]:
    """Yield the choices that could be somebody else's."""
    for site in view.sites():
        for part in _choices(site):
            assert isinstance(part.tree, sx.Call)
            named = dict(part.tree.named)
            if "by" not in named:
                continue
            place = [name for name, _ in part.tree.named].index("by")
            answers = tuple(
                Answer(id_, f"`{unparse(who)}`, {role}",
                       {part.inner("named", place, 1): instead(who)})
                for id_, role, who in _others(view, part.tree, named["by"]))
            if answers:
                yield Silence(
                    ASPECT, view.clause.id, f"{called(part.tree)} by {unparse(named['by'])}",
                    "somebody chooses: "
                    f"`{unparse(part.tree.args[0]) if part.tree.args else 'may'}`",
                    ("as-written", f"`{unparse(named['by'])}`"), answers)


def _choices(site: Site) -> Iterator[Site]:
    match site.tree:
        case sx.Assign(value=sx.Call()) if called(site.tree) in MAKERS:
            yield from (part for part in parts_of(site) if part.path == site.inner("value"))
        case sx.IfThen():
            yield from (part for part in parts_of(site)
                        if part.path[:len(site.path) + 1] == site.inner("test")
                        and called(part.tree) == "may" and isinstance(part.tree, sx.Call))
        case _:
            pass


def _others(view: View, made: sx.Call, by: sx.Expr) -> Iterator[tuple[str, str, sx.Expr]]:
    """Yield who else may be meant: the owner of what is chosen from, who acts."""
    domain = made.args[0] if made.args else None
    owner = owner_of(domain) if domain is not None else None
    said = unparse(by)
    seen = {said}
    if owner is not None and unparse(owner) not in seen and _in_reach(owner, domain):
        seen.add(unparse(owner))
        yield "owner", "whose it is", owner
    mover = view.mover()
    if mover and mover not in seen and not view.clause.option:
        yield "who-acts", "whose turn it is", sx.Name(mover, by.at)


def _in_reach(owner: sx.Expr, domain: sx.Expr | None) -> bool:
    """Return whether the owner is known where the choice is made: no name bound in its domain."""
    bound = {part.tree.var for part in parts_of(Site((), domain)) if isinstance(
        part.tree, sx.Generator)} if domain is not None else set[str]()
    return not (isinstance(owner, sx.Name) and owner.name in bound)
