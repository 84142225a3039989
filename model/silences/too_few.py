"""What if too few are there, or none: cards to draw, things and cards to choose."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING

from ..game import syntax as sx
from ..game.phrases import rewritten
from ..game.texts import walk
from ..game.unparse import unparse
from ..game.uses import names_in
from .silence import (
    Answer,
    Silence,
    Site,
    both,
    call,
    called,
    owner_of,
    parts_of,
    some_of,
    zone_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from ..game.phrases import Change, Path
    from .silence import View

ASPECT = "too-few"
DEEPEST = 3
"""How many steps deep it is looked for what an option asks to choose."""


def find(view: View) -> Iterator[Silence]:
    """Yield what a body draws or lets choose without saying what if that is not there."""
    for site in view.sites:
        match site.tree:
            case sx.Do(call=sx.Call(args=(number, deck, _)) as made) if called(made) == "draw":
                yield from _draw(view, site, number, deck)
            case sx.Assign(value=sx.Call() as made) if called(made) == "choose_cards":
                yield from _cards(view, site, made)
            case _:
                pass
    if view.clause.option:
        yield from _option(view)


def _draw(view: View, site: Site, number: sx.Expr, deck: sx.Expr) -> Iterator[Silence]:
    if number == sx.Num(1, number.at):
        return
    there: sx.Expr = call("size", deck, deck)
    for more in _supplies(view, deck):
        there = sx.Infix("+", there, call("size", deck, more), deck.at)
    enough = sx.Compare(">=", there, number, deck.at)
    yield Silence(
        ASPECT, view.clause.id, f"draw from {zone_of(deck)}",
        f"{unparse(number)} cards of `{unparse(deck)}` are to be drawn, and fewer are there",
        ("as-many", "as many are drawn as there are"),
        (Answer("nothing", "none is drawn", {site.path: lambda stmt: sx.IfThen(
            enough, (stmt,), (), stmt.at)}),))


def _supplies(view: View, deck: sx.Expr) -> Iterator[sx.Expr]:
    """Yield the zones from which rules of any time replenish a deck, at the same owner."""
    for clause in view.game.clauses:
        if clause.whenever is None or clause.do is None or not clause.in_force:
            continue
        for stmt in clause.do.statements:
            for part in walk(stmt):
                if called(part) == "shuffle_into" and isinstance(part, sx.Call) and (
                    zone_of(part.args[1]) == zone_of(deck)
                ):
                    source, owner = part.args[0], owner_of(deck)
                    if isinstance(source, sx.Index) and owner is not None:
                        source = sx.Index(source.value, owner, deck.at)
                    yield source


def _cards(view: View, site: Site, made: sx.Call) -> Iterator[Silence]:
    source = made.args[0]
    bounds = [(place, name, tree) for place, (name, tree) in enumerate(made.named)
              if name in ("exactly", "at_least")]
    if not bounds or any(tree == sx.Num(0, tree.at) for _, _, tree in bounds):
        return
    if any(zone_of(source) in names_in(iter((tree,))) for _, _, tree in bounds):
        return  # the number is made of what is there
    size = call("size", source, source)
    kept = _only_moves(view, site)

    def as_many(tree: sx.Expr) -> sx.Expr:
        least = call("min", tree, tree, size)
        if not kept:
            return least
        some = sx.Compare(">", size, sx.Num(0, tree.at), tree.at)
        return sx.IfElse(some, least, tree, tree.at)

    yield Silence(
        ASPECT, view.clause.id, f"choose_cards {zone_of(source)}",
        f"{unparse(bounds[0][2])} cards of `{unparse(source)}` are to be chosen, "
        "and fewer are there",
        ("nothing", "none is chosen, and the rest of the sentence is left off"),
        (Answer("as-many", "as many as there are", {
            site.inner("value", "named", place, 1): as_many for place, _, _ in bounds}),))


def _only_moves(view: View, site: Site) -> bool:
    """Return whether all that a body does after a choice of cards is to move these.

    Then to choose none of none is the same as not to choose, and nobody is asked.
    """
    body = view.clause.do.statements if view.clause.do is not None else ()
    if site.tree not in body or not isinstance(site.tree, sx.Assign):
        return False
    chosen = zone_of(site.tree.target)
    return all(isinstance(stmt, sx.Do) and called(stmt) == "move_all"
               and zone_of(stmt.call.args[0]) == chosen
               for stmt in body[body.index(site.tree) + 1:])


# ------------------------------------------------------------------ options without a target


@dataclass(frozen=True, slots=True)
class _Way:
    """How statements are reached: the parameters of the step, what is set, the conditions.

    A choice that depends on what is set on the way cannot be foreseen.
    """

    names: Mapping[str, sx.Expr] = field(default_factory=dict)
    bound: frozenset[str] = frozenset()
    tests: tuple[sx.Expr, ...] = ()
    depth: int = 0

    def unknown(self, *trees: sx.Expr) -> bool:
        """Return whether one of some trees depends on what is set on the way."""
        return bool(names_in(iter(trees)) & self.bound)

    def given(self, tree: sx.Expr) -> sx.Expr:
        """Put arguments in the place of parameters."""
        changes: dict[Path, Change] = {}
        for site in parts_of(Site((), tree)):
            if isinstance(site.tree, sx.Name) and site.tree.name in self.names:
                changes[site.path] = partial(_instead, self.names[site.tree.name])
        return rewritten(tree, changes)

    def under(self, test: sx.Expr) -> _Way:
        """Return the way where a condition holds."""
        return replace(self, tests=(*self.tests, test))


def _instead(new: sx.Expr, _: object) -> sx.Expr:
    return new


def _option(view: View) -> Iterator[Silence]:
    """Ask whether an option may be taken when what it lets somebody choose is not there."""
    clause = view.clause
    needs = list(dict.fromkeys(
        _needs(view, clause.do.statements if clause.do else (), _Way())))
    if not needs:
        return

    def allowed(when: sx.Expr | None) -> sx.Expr:
        for need in needs:
            when = both(when, need)
        assert when is not None
        return when

    yield Silence(
        ASPECT, clause.id, "option without a target",
        f"`{clause.option}` asks for a choice, and there is nothing to choose",
        ("allowed", "it may be done all the same, and as much happens as can"),
        (Answer("not-allowed", "it may not be done then", {("when",): allowed}),),
        asks="may this be done where there is nothing to choose from")


def _needs(view: View, block: tuple[sx.Stmt, ...], way: _Way) -> Iterator[sx.Expr]:
    """Yield under which condition each choice that statements lead to has something to choose."""
    for stmt in block:
        match stmt:
            case sx.Assign(target=target, value=value):
                if isinstance(value, sx.Call):
                    yield from _asked_for(view, value, way)
                way = replace(way, bound=way.bound | {zone_of(target)})
            case sx.IfThen(test=test, then=then, other=other):
                if called(test) != "may" and not way.unknown(test):
                    inner = way.given(test)
                    yield from _needs(view, then, way.under(inner))
                    yield from _needs(view, other, way.under(sx.Prefix("not", inner, inner.at)))
            case sx.Do(call=sx.Call(func=sx.Name(name=name), args=args)):
                if name in view.game.steps and way.depth < DEEPEST and not way.unknown(*args):
                    yield from _in_step(view, name, args, way)
            case _:
                pass


def _asked_for(view: View, made: sx.Call, way: _Way) -> Iterator[sx.Expr]:
    """Yield under which condition a choice has as much to choose from as it asks for."""
    named = dict(made.named)
    if called(made) == "choose" and "optional" not in named:
        if not _never_empty(view, made.args[0]):
            yield from _need(way, made.args[0], some_of(made.args[0]))
    elif called(made) == "choose_cards":
        least = named.get("exactly", named.get("at_least", sx.Num(0, made.at)))
        source = made.args[0]
        if least != sx.Num(0, least.at) and zone_of(source) not in names_in(iter((least,))):
            there = call("size", source, source)
            yield from _need(way, source, sx.Compare(">=", there, least, made.at))


def _in_step(
    view: View, name: str, args: tuple[sx.Expr, ...], way: _Way
) -> Iterator[sx.Expr]:
    given = dict(zip(view.game.steps[name].params, map(way.given, args), strict=False))
    inside = replace(way, names=given, bound=way.bound & frozenset(view.game.variables),
                     depth=way.depth + 1)
    for clause in view.game.clauses:
        if clause.on == name and clause.do is not None and clause.in_force and (
            not clause.overrides
        ):
            here = inside if clause.when is None else inside.under(inside.given(clause.when))
            yield from _needs(view, clause.do.statements, here)


def _need(way: _Way, domain: sx.Expr, enough: sx.Expr) -> Iterator[sx.Expr]:
    if way.unknown(enough):
        return
    found = way.given(enough)
    for test in reversed(way.tests):
        found = call("implies", domain, test, found)
    yield found


def _never_empty(view: View, domain: sx.Expr) -> bool:
    if called(domain) in ("others", "clockwise", "counterclockwise", "range"):
        return True
    whole = not isinstance(domain, sx.Generator) or not domain.where
    return whole and zone_of(domain) in {"players", *view.game.enums, *view.game.families}
