"""Adds up or not: what several cards give to one number."""

from __future__ import annotations

from collections.abc import Iterator

from ..game import syntax as sx
from ..game.texts import walk
from ..game.unparse import unparse
from .silence import Answer, Silence, Site, View, call, called, instead, parts_of, zone_of

ASPECT = "adds-up"


def find(view: View) -> Iterator[Silence]:
    """Yield the sums over the cards of a zone in a term that a clause defines."""
    tree = view.clause.value
    for site in parts_of(Site(("value",), tree)) if tree is not None else ():
        match site.tree:
            case sx.Call(args=(sx.Generator() as each,)) if called(site.tree) == "sum":
                # The number depends on the card; else they are merely counted.
                if zone_of(each.domain) in view.game.zones and any(
                        isinstance(part, sx.Name) and part.name == each.var
                        for part in walk(each.element)):
                    yield _sum(view, site, each)
            case _:
                pass


def _sum(view: View, site: Site, each: sx.Generator) -> Silence:
    """Return the silence of one sum: the best instead of all, each kind instead of each copy."""
    at, zone = each.at, view.game.zones[zone_of(each.domain)]
    best = sx.IfElse(call("any", each, _over(each, sx.Truth(True, at), each.domain)),  # noqa: FBT003
                     call("max", each, each), sx.Num(0, at), at)
    answers = [Answer("best", "only the one that gives most counts", {site.path: instead(best)})]
    if any(card.copies > 1 for card in view.game.families[zone.family].cards):
        lies = sx.Compare(">", call("count", each, each.domain, sx.Name(each.var, at)),
                          sx.Num(0, at), at)
        kinds = _over(each, each.element, sx.Name(zone.family, at), lies)
        answers.append(Answer("kinds", "all that are different count, and copies of one card once",
                              {site.path: instead(call("sum", each, kinds))}))
    return Silence(
        ASPECT, view.clause.id, f"sum over {zone.name}",
        f"{unparse(each.element)} of each card counts", ("all", "all of them are added up"),
        tuple(answers))


def _over(each: sx.Generator, element: sx.Expr, domain: sx.Expr, *first: sx.Expr) -> sx.Generator:
    """Return a generator with another element over another domain, with more conditions."""
    return sx.Generator(element, each.var, domain, (*first, *each.where), each.at)
