"""Whether a claim, or a limit, could have been refuted by what was looked at.

That "A and B" never holds says nothing where A never does: B was never asked (vacuity: Beer,
Ben-David, Eisner, Rodeh, "Efficient Detection of Vacuity in Temporal Model Checking", 2001).  So
what comes first in a condition must have been true somewhere without the last; and of what is said
of the cards in a zone, there must be a card of which it is true.  A limit that nothing comes to is
no more tried: "ten at most" asks for somebody who has ten.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...model.game import syntax as sx
from ...model.game.unparse import unparse
from ...model.rules.elaborate import Elaborator
from ...model.rules.meanings import Failed, Names
from ...model.source.errors import Reporter
from ..search.playouts import met

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ...model.game.game import Game
    from ..judge.audit import Audit, Scoped

TRIED = 20
"""Random plays of the printed game in which it is looked for."""


def never_asked(audit: Audit, test: sx.Expr, scopes: Sequence[Scoped]) -> str:
    """Return a condition that would have to hold somewhere for a claim to be tried, and never does.

    Args:
        audit: the audit; its printed game is played, too.
        test: what a claim says never to be.
        scopes: those in which it was looked for.

    Returns:
        the condition, as the spec would have it; "" if all of them hold somewhere.

    """
    for weaker in _weaker(audit.printed.game, test):
        if not any(_holds(scope, weaker) for scope in scopes) and not _in_print(audit, weaker):
            return unparse(weaker)
    return ""


def tried(audit: Audit, limit: sx.Expr, scopes: Sequence[Scoped]) -> tuple[list[Scoped], bool]:
    """Return the scopes in which something comes to the bound of a limit; whether plays do.

    A limit that compares no numbers is tried wherever it is asked.
    """
    below = _below(limit)
    if below == limit:
        return list(scopes), False
    reached = sx.Prefix("not", below, limit.at)
    some = [scope for scope in scopes if _holds(scope, reached)]
    return some, not some and _in_print(audit, reached)


def _below(test: sx.Expr) -> sx.Expr:
    """Return the condition that a limit is kept, and not just so."""
    match test:
        case sx.Compare(op="<=" | ">=" as op):
            return replace(test, op=op[0])
        case sx.Compare(op="<" | ">" as op):
            to = "-" if op == "<" else "+"
            return replace(test, right=sx.Infix(to, test.right, sx.Num(1, test.at), test.at))
        case sx.Infix(op="and" | "or"):
            return replace(test, left=_below(test.left), right=_below(test.right))
        case sx.Call(func=sx.Name(name="all"), args=(sx.Generator() as each,)):
            return replace(test, args=(replace(each, element=_below(each.element)),))
        case sx.Call(func=sx.Name(name="implies"), args=(given, then)):
            return replace(test, args=(given, _below(then)))
        case _:
            return test


def _holds(scope: Scoped, test: sx.Expr) -> bool:
    try:
        made = Elaborator(scope.instance.game, Reporter()).guard(test, Names({}))
    except Failed:
        return False
    return any(map(scope.instance.program.predicate(made), scope.exploration.order))


def _in_print(audit: Audit, test: sx.Expr) -> bool:
    try:
        made = Elaborator(audit.printed.game, Reporter()).guard(test, Names({}))
    except Failed:
        return True  # it speaks of what only scopes have, or cannot be asked: nothing is said
    return met(audit.printed.program, made, plays=TRIED, longest=audit.plays.longest,
               seed=audit.seed) is not None


def _weaker(game: Game, test: sx.Expr) -> Iterator[sx.Expr]:
    """Yield a condition without what it says last, of each of its alternatives."""
    match test:
        case sx.Infix(op="and"):
            for right in _weaker(game, test.right):
                yield replace(test, right=right)
        case sx.Infix(op="or"):
            yield from _weaker(game, test.left)
            yield from _weaker(game, test.right)
        case sx.Call(func=sx.Name(name="any"), args=(sx.Generator() as each,)):
            for inner in _of_each(game, each):
                yield replace(test, args=(inner,))
        case _:
            yield sx.Truth(True, test.at)  # noqa: FBT003


def _of_each(game: Game, each: sx.Generator) -> Iterator[sx.Generator]:
    for element in _weaker(game, each.element):
        yield replace(each, element=element)
    everything = _universe(game, each)
    if everything is not None:
        yield everything


def _universe(game: Game, each: sx.Generator) -> sx.Generator | None:
    """Return a generator over all that could be in its domain; None if that is not known."""
    base = each.domain.value if isinstance(each.domain, sx.Index) else each.domain
    if not isinstance(base, sx.Name):
        return None
    if base.name == "winners":
        return replace(each, domain=sx.Name("players", base.at))
    zone = game.zones.get(base.name)
    if zone is None:
        return None
    there = sx.Compare(">", sx.Attr(sx.Name(each.var, each.at), "copies", each.at),
                       sx.Num(0, each.at), each.at)
    return replace(each, domain=sx.Name(zone.family, base.at), where=(*each.where, there))
