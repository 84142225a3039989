"""Who chooses: who acts, whose thing it is, or, where nobody acts, one whom the game keeps.

The other reading differs only where that is somebody else; there the choice has another name, so
that the moves are told apart although the same things may be chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ..game import syntax as sx
from ..game.phrases import Change, Path, rewritten
from ..game.unparse import unparse
from .silence import Answer, Silence, Site, View, called, instead, owner_of, parts_of, zone_of

ASPECT = "who-chooses"
MAKERS = ("choose", "choose_cards", "may")
_ASKED = {"choose": "who chooses which", "choose_cards": "who chooses the cards",
          "may": "who decides"}
"""What is asked, by what makes the choice."""
FEW = 2
"""So many players whom a game keeps are asked about."""
NOBODY = -1
"""How a variable starts that holds no player."""
ANOTHER = "another"
"""What is added to the name of a choice that is somebody else's."""


def find(view: View) -> Iterator[Silence]:
    """Yield the choices that could be somebody else's."""
    yield from (each for each in _all(view) if each.answers)


def find_sole(view: View) -> Iterator[Silence]:
    """Yield the choices of which a sentence may not say whose they are, and nobody else is known.

    They have no other reading.  Who takes an option is who chooses in it.
    """
    if not view.mover():
        yield from (each for each in _all(view) if not each.answers)


def _all(view: View) -> Iterator[Silence]:
    """Yield all choices, with who else may make them."""
    for path, block in view.blocks():
        for place, stmt in enumerate(block):
            made = _choice(stmt)
            by = dict(made.named).get("by") if made is not None else None
            if made is None or by is None:
                continue
            answers = tuple(
                Answer(id_, role,
                       _asked_of(sx.Compare("==", who, by, made.at), made, (*path, place), block))
                for id_, role, who in _others(view, made, by)
                if id_ != "who-acts" or not _at_once(view, path, by))
            said = unparse(made.args[0]) if made.args else "may"
            yield Silence(ASPECT, view.clause.id, f"{called(made)} by {unparse(by)}",
                          f"somebody chooses: `{said}`",
                          ("as-written", _in_words(view, by)), answers,
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
    if not mover and not _is_each(view, by):
        kept = [name for name in _kept(view) if name not in seen]
        for name in kept[:FEW]:
            yield f"by-{name.replace('_', '-')}", _called(view, name), sx.Name(name, by.at)


def _at_once(view: View, path: Path, by: sx.Expr) -> bool:
    """Return whether all choose at the same time: one alone could not do that for them."""
    return any(
        isinstance(loop := site.tree, sx.ForEach) and called(loop.domain) == "simultaneously"
        and unparse(by) == loop.var and site.path == path[:len(site.path)]
        for site in view.sites)


def _is_each(view: View, by: sx.Expr) -> bool:
    """Return whether a choice is made by each of several, or by whom a step is about.

    Who is found out in the body itself is neither.
    """
    return isinstance(by, sx.Name) and by.name not in view.game.variables and not any(
        isinstance(site.tree, sx.Assign) and zone_of(site.tree.target) == by.name
        for site in view.sites)


def _kept(view: View) -> Iterator[str]:
    """Name the variables that hold a player throughout, as the leader, and that the clause leaves.

    What a choice decides cannot be who makes it.
    """
    for name, variable in view.game.variables.items():
        if variable.type.kind == "player" and not (
                variable.per or variable.internal or variable.start == NOBODY
                or any(isinstance(site.tree, sx.Assign) and zone_of(site.tree.target) == name
                       for site in view.sites)):
            yield name


def _in_words(view: View, who: sx.Expr) -> str:
    """Return who chooses as it is written: one whom the game keeps goes by the name for him."""
    if not view.mover() and isinstance(who, sx.Name) and who.name in view.game.variables:
        return _called(view, who.name)
    return view.person(who)


def _called(view: View, variable: str) -> str:
    """Return what to call the player whom a variable holds: by its title, or by its name."""
    title = view.game.titles.of(variable)
    if title.split()[0] in ("who", "whose", "whom"):
        return f"the player {title}"
    if title == "active":
        return "the active player"
    return title if title.startswith("the ") else f"the {title}"


def _in_reach(owner: sx.Expr, domain: sx.Expr | None) -> bool:
    """Return whether the owner is known where the choice is made: no name bound in its domain."""
    bound = {part.tree.var for part in parts_of(Site((), domain)) if isinstance(
        part.tree, sx.Generator)} if domain is not None else set[str]()
    return not (isinstance(owner, sx.Name) and owner.name in bound)
