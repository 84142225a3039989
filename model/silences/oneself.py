"""The scope of a quantifier: with oneself, or without; a sentence that says “others” decides it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..game import syntax as sx
from ..game.unparse import unparse
from ..game.uses import names_in, trees_of
from .silence import Answer, Silence, Site, View, call, called, parts_of, zone_of

ASPECT = "with-oneself"
WITH, WITHOUT = ("with", "that player is among them"), ("without", "that player is not")


def find(view: View) -> Iterator[Silence]:
    """Yield what runs over all players, or all others, where the sentence is about one of them."""
    selves = view.selves()
    if not selves or view.clause.kind == "setup" or view.clause.whenever is not None:
        return
    if any(isinstance(site.tree, sx.Assign) and zone_of(site.tree.target) == selves[0]
           for site in view.sites):
        return  # it is said here who that is
    if not view.params() and not view.clause.option and (
            selves[0] not in names_in(trees_of(view.clause))
        ):
        return  # the sentence does not speak of who acts
    for site in (*_domains(view), *_params(view)):
        made = _turned(site, selves[0])
        if made is not None:
            said = _others_in(view) if made[0] == WITHOUT else None
            yield Silence(ASPECT, view.clause.id, f"{unparse_of(site)} for {selves[0]}",
                          f"`{unparse_of(site)}`, as seen by `{selves[0]}`", *made,
                          decided=f"the word “{said[0].lower()}”" if said else "")


def _others_in(view: View) -> re.Match[str] | None:
    """Find what a sentence calls the players among whom the one that it is about is not."""
    who = rf"(?:players?|{re.escape(view.game.player_word)}s?)"
    return re.search(rf"\b(?:others|opponents?|(?:an)?other {who})\b", view.clause.says,
                     re.IGNORECASE)


def unparse_of(site: Site) -> str:
    """Write the expression at a site."""
    assert not isinstance(site.tree, sx.Stmt)
    return unparse(site.tree)


def _turned(site: Site, self_: str) -> tuple[tuple[str, str], tuple[Answer, ...]] | None:
    match site.tree:
        case sx.Name(name="players", at=at) as tree:
            return WITH, (Answer(*WITHOUT, {
                site.path: lambda _: call("others", tree, sx.Name(self_, at))}),)
        case sx.Call(args=(sx.Name(name=name),), at=at) if (
            called(site.tree) == "others" and name == self_
        ):
            return WITHOUT, (Answer(*WITH, {site.path: lambda _: sx.Name("players", at)}),)
        case _:
            return None


def _domains(view: View) -> Iterator[Site]:
    """Yield the domains of loops, generators and choices of the body."""
    for site in view.sites:
        match site.tree:
            case sx.ForEach(domain=domain) | sx.Generator(domain=domain):
                yield Site(site.inner("domain"), domain)
            case sx.Call(args=(first, *_)) if called(site.tree) == "choose":
                yield Site(site.inner("args", 0), first)
            case _:
                pass


def _params(view: View) -> Iterator[Site]:
    """Yield the domains of the parameters of an option."""
    for place, (_, domain) in enumerate(view.clause.params):
        yield Site(("params", place, 1), domain)
        for site in parts_of(Site(("params", place, 1), domain)):
            if isinstance(site.tree, sx.Generator):
                yield Site(site.inner("domain"), site.tree.domain)
