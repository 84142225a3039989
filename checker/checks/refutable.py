"""Whether a claim, or a limit, could have been refuted by what was looked at.

That "A and B" never holds says nothing where A never does: B was never asked (vacuity: Beer,
Ben-David, Eisner, Rodeh, "Efficient Detection of Vacuity in Temporal Model Checking", 2001).  So
what comes first in a condition must have been true somewhere without the last; and of what is said
of the cards in a zone, there must be a card of which it is true.  A limit is the claim that its
opposite never is, and is tried no more where nothing comes to it: "ten at most" asks for somebody
who has ten.  Or else it must have forbidden a move.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from ...model.game import syntax as sx
from ...model.game.game import Clause, Game
from ...model.game.unparse import unparse
from ...model.game.uses import closure, names_in
from ...model.rules.elaborate import condition
from ...model.rules.meanings import Failed
from ..audit.audit import Audit
from ..audit.scoped import Scoped
from ..engine.program import WON, Program
from ..packed.flags import FILTERED, FLAGS
from ..search.playouts import met

TRIED = 20
"""Random plays of the printed game in which what is said to be possible is looked for."""


def never_asked(audit: Audit, test: sx.Expr, scopes: Sequence[Scoped]) -> str:
    """Return a condition that would have to hold somewhere for a claim to be tried, and never does.

    `test` is what the claim says never to be; it was looked for in `scopes` and in the printed
    game.  The condition is as the spec would have it; "" if all of them hold somewhere.
    """
    game = audit.printed.game
    weaker = list(_weaker(game, test, _dropped))
    over = WON in closure(game, names_in([test]))
    if over:
        weaker.append(_dropped(test))  # of who has won nothing is said where no game ends
    missing = _missing(audit, weaker, scopes, over=over)
    return "the game over" if missing == unparse(_dropped(test)) else missing


def tried(audit: Audit, clause: Clause, scopes: Sequence[Scoped]) -> tuple[list[Scoped], bool, str]:
    """Return where something could have broken a limit: scopes, and whether in random plays.

    That is where a move was refused because of it, or else where everything came up that would
    break it but for the last part, numbers being at their bound.  What has no part that could be
    less, as one equation, is broken by nothing short of itself; so of such a limit only refusals
    count.  Last comes what never came up, "" if that is not one condition, or nothing.
    """
    assert clause.always is not None
    game, never = audit.printed.game, ""
    near = list(_weaker(game, _negated(clause.always), _at_bound))
    if not any(_says_nothing(game, each) for each in near):
        never = _missing(audit, near, scopes, printed=clause.in_force)
        some = [scope for scope in scopes if any(_holds(scope, each) for each in near)]
        if not never:
            return some, not some, ""
    some = [scope for scope in scopes
            if any(map(_refused(scope.instance.program, clause.id), scope.exploration.order))]
    return some, not some and clause.in_force and _met(
        audit, _refused(audit.printed.program, clause.id)), never


def _missing(
    audit: Audit, conditions: Sequence[sx.Expr], scopes: Sequence[Scoped], *, printed: bool = True,
    over: bool = False
) -> str:
    """Return the first of some conditions that holds in no scope and no random play, as text.

    `over`: it counts only where it holds as the game is over.
    """
    return next((unparse(each) for each in conditions
                 if not any(_holds(scope, each, over=over) for scope in scopes)
                 and not (printed and _in_print(audit, each, over=over))), "")


def _refused(program: Program, clause: str) -> Callable[[bytes], bool]:
    """Return the test whether in a packed state a limit forbids a move, as another breaks none."""
    bits = sum(1 << FLAGS + number for number, limit in enumerate(program.machine.limits)
               if limit.clause == clause)
    return lambda state: any(
        flags & FILTERED and flags & bits for _, _, _, flags in program.succ(state))


def _negated(test: sx.Expr) -> sx.Expr:
    """Return the opposite of a condition, with `not` only before its smallest parts."""
    match test:
        case sx.Prefix(op="not"):
            return test.operand
        case sx.Infix(op="and" | "or" as op):
            return replace(test, op="or" if op == "and" else "and",
                           left=_negated(test.left), right=_negated(test.right))
        case sx.Compare(op="<" | "<=" | ">" | ">=" as op):
            return replace(test, op={"<": ">=", "<=": ">", ">": "<=", ">=": "<"}[op])
        case sx.Call(func=sx.Name(name="any" | "all" as name) as func,
                     args=(sx.Generator() as each,)):
            return replace(test, func=replace(func, name="all" if name == "any" else "any"),
                           args=(replace(each, element=_negated(each.element)),))
        case sx.Call(func=sx.Name(name="implies"), args=(given, then)):
            return sx.Infix("and", given, _negated(then), test.at)
        case _:
            return sx.Prefix("not", test, test.at)


def _dropped(test: sx.Expr) -> sx.Expr:
    return sx.Truth(True, test.at)  # noqa: FBT003


def _at_bound(test: sx.Expr) -> sx.Expr:
    """Return that a number is at a bound or beyond it; of what compares no numbers, nothing."""
    match test:
        case sx.Compare(op=">" | "<" as op):
            return replace(test, op=f"{op}=")
        case sx.Compare(op=">=" | "<=" as op):
            by = "-" if op == ">=" else "+"
            return replace(test, right=sx.Infix(by, test.right, sx.Num(1, test.at), test.at))
        case _:
            return _dropped(test)


def _holds(scope: Scoped, test: sx.Expr, *, over: bool = False) -> bool:
    try:
        made = condition(scope.instance.game, test)
    except Failed:
        return False
    return any(map(scope.instance.program.stated(made, over=over), scope.exploration.order))


def _in_print(audit: Audit, test: sx.Expr, *, over: bool = False) -> bool:
    try:
        made = condition(audit.printed.game, test)
    except Failed:
        return False  # it speaks of what only scopes have
    return _met(audit, audit.printed.program.stated(made, over=over))


def _met(audit: Audit, test: Callable[[bytes], bool]) -> bool:
    return met(audit.printed.program, test, plays=audit.plays.so_many(TRIED),
               seed=audit.seed) is not None


def _weaker(game: Game, test: sx.Expr, last: Callable[[sx.Expr], sx.Expr]) -> Iterator[sx.Expr]:
    """Yield a condition with less of what it says last, as `last` has it, of each alternative."""
    match test:
        case sx.Infix(op="and"):
            for right in _weaker(game, test.right, last):
                yield replace(test, right=right)
        case sx.Infix(op="or"):
            yield from _weaker(game, test.left, last)
            yield from _weaker(game, test.right, last)
        case sx.Call(func=sx.Name(name="any" | "all" as name), args=(sx.Generator() as each,)):
            for element in _weaker(game, each.element, last):
                yield replace(test, args=(replace(each, element=element),))
            everything = _universe(game, each) if name == "any" else None
            if everything is not None:
                yield replace(test, args=(everything,))
        case _:
            yield last(test)


def _says_nothing(game: Game, test: sx.Expr) -> bool:
    """Return whether a condition that is left of another one is true whatever happens."""
    match test:
        case sx.Call(func=sx.Name(name="any" | "all" as name), args=(sx.Generator() as each,)):
            match each.domain:
                case sx.Name(name=domain):
                    there = domain == "players" or domain in game.enums or domain in game.families
                case sx.Call(func=sx.Name(name=domain), args=args):
                    there = domain == "range" or len(args) == 1
                case _:
                    there = False
            return _says_nothing(game, each.element) and (
                name == "all" or (there and not each.where))
        case _:
            return isinstance(test, sx.Truth)


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
