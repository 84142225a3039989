"""Who chooses: who acts, or whose thing it is.

The other reading differs only where that is somebody else; there the choice has another name, so
that the moves are told apart although the same things may be chosen.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ..game import syntax as sx
from ..game.phrases import rewritten
from ..game.unparse import unparse
from .silence import Answer, Silence, Site, called, instead, owner_of, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ..game.phrases import Change, Path
    from .silence import View

ASPECT = "who-chooses"
MAKERS = ("choose", "choose_cards", "may")
_ASKED = {"choose": "who chooses which", "choose_cards": "who chooses the cards",
          "may": "who decides"}
"""What is asked, by what makes the choice."""
ANOTHER = "another"
"""What is added to the name of a choice that is somebody else's."""


def find(view: View) -> Iterator[Silence]:
    """Yield the choices that could be somebody else's."""
    for path, block in view.blocks():
        for place, stmt in enumerate(block):
            made = _choice(stmt)
            by = dict(made.named).get("by") if made is not None else None
            if made is None or by is None:
                continue
            answers = tuple(
                Answer(id_, role,
                       _asked_of(sx.Compare("==", who, by, made.at), made, (*path, place), block))
                for id_, role, who in _others(view, made, by))
            if answers:
                said = unparse(made.args[0]) if made.args else "may"
                yield Silence(ASPECT, view.clause.id, f"{called(made)} by {unparse(by)}",
                              f"somebody chooses: `{said}`",
                              ("as-written", view.person(by)), answers,
                              asks=_ASKED[called(made)])


def _choice(stmt: sx.Stmt) -> sx.Call | None:
    """Return the choice that a statement begins with, if it is one."""
    match stmt:
        case sx.Assign(value=sx.Call() as made) if called(made) in MAKERS:
            return made
        case sx.IfThen(test=sx.Call() as made) if called(made) == "may":
            return made
        case sx.IfThen(test=sx.Prefix(op="not", operand=sx.Call() as made)) if (
            called(made) == "may"
        ):
            return made
        case _:
            return None


def _asked_of(
    same: sx.Compare, made: sx.Call, path: Path, block: tuple[sx.Stmt, ...]
) -> dict[Path, Change]:
    """Let somebody else choose, where that is not the same: a choice, and all that follows it.

    `same` compares who else it is with who chooses as it is written.
    """
    *way, place = path
    assert isinstance(place, int)
    rest, at = block[place:], made.at
    first = rest[0]
    theirs = replace(made, named=tuple(
        (name, same.left if name == "by" else tree) for name, tree in made.named))
    if isinstance(first, sx.Assign) and isinstance(first.target, sx.Name):
        old, more = first.target.name, rest[1:]
        new = sx.Name(f"{old}_{ANOTHER}", at)
    else:
        old, more, new = "", rest, sx.Name(ANOTHER, at)
    other = (sx.Assign(new, "=", theirs, at), *(_renamed(stmt, old, made, new) for stmt in more))
    return {path: instead(sx.IfThen(same, rest, other, at)), **{
        (*way, later): instead(()) for later in range(place + 1, len(block))}}


def _renamed(stmt: sx.Stmt, old: str, made: sx.Call, new: sx.Name) -> sx.Stmt:
    """Put another name in the place of one, or of a question in a condition."""
    return rewritten(stmt, {site.path: instead(new) for site in parts_of(Site((), stmt))
                            if site.tree is made
                            or (isinstance(site.tree, sx.Name) and site.tree.name == old)})


def _others(view: View, made: sx.Call, by: sx.Expr) -> Iterator[tuple[str, str, sx.Expr]]:
    """Yield who else may be meant: the owner of what is chosen from, who acts."""
    domain = made.args[0] if made.args else None
    owner = owner_of(domain) if domain is not None else None
    seen = {unparse(by)}
    if owner is not None and unparse(owner) not in seen and _in_reach(owner, domain):
        seen.add(unparse(owner))
        yield "owner", "the player whose it is", owner
    mover = view.mover()
    if mover and mover not in seen and not view.clause.option:
        yield "who-acts", "the player whose turn it is", sx.Name(mover, by.at)


def _in_reach(owner: sx.Expr, domain: sx.Expr | None) -> bool:
    """Return whether the owner is known where the choice is made: no name bound in its domain."""
    bound = {part.tree.var for part in parts_of(Site((), domain)) if isinstance(
        part.tree, sx.Generator)} if domain is not None else set[str]()
    return not (isinstance(owner, sx.Name) and owner.name in bound)
