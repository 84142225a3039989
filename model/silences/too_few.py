"""What if too few are there, or none: cards to draw, things and cards to choose.

A shortage is asked of the sentence that draws or lets choose cards.  Where options lead there, also
by way of the text of a card, one answer is that they are not allowed then.  A sentence that asks
for some number *at least* has said that fewer will not do: then that answer is adopted.  Of other
choices it is that as many are chosen as there are: nobody reads that whoever lacks one card gives
none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from ..game import syntax as sx
from ..game.phrases import Change, Path, rewritten
from ..game.texts import walk
from ..game.unparse import unparse
from ..game.uses import names_in
from .silence import (
    Answer,
    Silence,
    Site,
    View,
    both,
    call,
    called,
    instead,
    owner_of,
    parts_of,
    some_of,
    zone_of,
)

ASPECT = "too-few"
MOVES = ("move", "move_all", "draw", "shuffle_into", "put_on_top", "put_on_bottom")
"""Statements that change the places of cards."""
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


def find_adopted(view: View) -> Iterator[Silence]:
    """Yield what `find` does of choices of cards: of nothing else an answer is adopted."""
    for site in view.sites:
        if isinstance(site.tree, sx.Assign) and isinstance(made := site.tree.value, sx.Call) and (
            called(made) == "choose_cards"
        ):
            yield from _cards(view, site, made)


def may_adopt(view: View) -> bool:
    """Return whether a body lets choose some number of cards."""
    return any(isinstance(site.tree, sx.Call) and {"exactly", "at_least"} & {*dict(site.tree.named)}
               for site in view.sites)


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
    source, wanted = made.args[0], _wanted(made)
    if wanted is None:
        return
    bounds = [(place, name, tree) for place, (name, tree) in enumerate(made.named)
              if name in ("exactly", "at_least")]
    size = call("size", source, source)
    kept = _only_moves(view, site)

    def as_many(tree: sx.Expr) -> sx.Expr:
        least = call("min", tree, tree, size)
        if not kept:
            return least
        some = sx.Compare(">", size, sx.Num(0, tree.at), tree.at)
        return sx.IfElse(some, least, tree, tree.at)

    answers = [] if kept and wanted == sx.Num(1, wanted.at) else [
        Answer("as-many", "as many as there are", {
            site.inner("value", "named", place, 1): as_many for place, _, _ in bounds})]
    barred = _barred(view, made)
    if barred:
        answers.append(Answer("not-allowed", "what leads to it may not be done then", {}, barred))
    least = bool(barred) and "at_least" in dict(made.named)
    yield Silence(
        ASPECT, view.clause.id, f"choose_cards {zone_of(source)}",
        f"{unparse(wanted)} cards of `{unparse(source)}` are to be chosen, and fewer are there",
        ("nothing", "none is chosen, and it is done without"), tuple(answers),
        adopted="not-allowed" if least else next(
            (each.id for each in answers if each.id == "as-many"), ""),
        decided="the least number that the sentence asks for" if least else "")


def _wanted(made: sx.Call) -> sx.Expr | None:
    """Return how many cards a choice asks for; None if that is none, or made of what is there."""
    named = dict(made.named)
    wanted = named.get("exactly", named.get("at_least"))
    if wanted is None or wanted == sx.Num(0, wanted.at) or (
        zone_of(made.args[0]) in names_in(iter((wanted,)))
    ):
        return None
    return wanted


def _barred(view: View, made: sx.Call) -> dict[str, dict[Path, Change]]:
    """Return the changes by which no option leads to a choice of too few cards; {} if none does.

    An option that may lead there and whose shortage cannot be foreseen is left as it is.
    """
    return {
        clause.id: {("when",): _all_of(needs)}
        for clause in view.game.clauses if clause.option and clause.in_force
        if (needs := [need for choice, need in _needs(
            view, clause.do.statements if clause.do else (), _Way()) if choice is made])}


def _all_of(needs: list[sx.Expr]) -> Change:
    """Return the change that adds conditions to what an option has."""
    def allowed(when: sx.Expr | None) -> sx.Expr | None:
        for need in dict.fromkeys(needs):
            when = both(when, need)
        return when

    return allowed


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


# ------------------------------------------------------------------ what an option leads to


@dataclass(frozen=True, slots=True)
class _Way:
    """How statements are reached: the parameters of the step, what is set, the conditions.

    A choice that depends on what is changed on the way cannot be foreseen.  `own` is whether it is
    sentences that say it, and not the text of a card.
    """

    names: Mapping[str, sx.Expr] = field(default_factory=dict)
    bound: frozenset[str] = frozenset()
    tests: tuple[sx.Expr, ...] = ()
    depth: int = 0
    own: bool = True

    def unknown(self, *trees: sx.Expr) -> bool:
        """Return whether one of some trees depends on what is set on the way."""
        return bool(names_in(iter(trees)) & self.bound)

    def given(self, tree: sx.Expr) -> sx.Expr:
        """Put arguments in the place of parameters."""
        changes: dict[Path, Change] = {}
        for site in parts_of(Site((), tree)):
            if isinstance(site.tree, sx.Name) and site.tree.name in self.names:
                changes[site.path] = instead(self.names[site.tree.name])
        return rewritten(tree, changes)

    def under(self, test: sx.Expr) -> _Way:
        """Return the way where a condition holds."""
        return replace(self, tests=(*self.tests, test))


def _option(view: View) -> Iterator[Silence]:
    """Ask whether an option may be taken when what it lets somebody choose is not there."""
    clause = view.clause
    needs = [need for choice, need in _needs(
        view, clause.do.statements if clause.do else (), _Way()) if called(choice) == "choose"]
    if needs:
        yield Silence(
            ASPECT, clause.id, "option without a target",
            f"`{clause.option}` asks for a choice, and there is nothing to choose",
            ("allowed", "it may be done all the same, and as much happens as can"),
            (Answer("not-allowed", "it may not be done then", {("when",): _all_of(needs)}),),
            asks="may this be done without a target")


_Need = tuple[sx.Call, sx.Expr]
"""A choice, and the condition under which it has as much to choose from as it asks for."""


def _needs(view: View, block: tuple[sx.Stmt, ...], way: _Way) -> Iterator[_Need]:
    """Yield each choice that statements lead to, with what it needs as they begin."""
    for stmt in block:
        match stmt:
            case sx.Assign(value=value):
                if isinstance(value, sx.Call) and way.own:
                    yield from _asked_for(view, value, way)
            case sx.IfThen(test=test, then=then, other=other):
                if called(test) != "may" and not way.unknown(test):
                    inner = way.given(test)
                    yield from _needs(view, then, way.under(inner))
                    yield from _needs(view, other, way.under(sx.Prefix("not", inner, inner.at)))
            case sx.Do(call=sx.Call(func=sx.Name(name=name), args=args)):
                if name in view.game.steps and way.depth < DEEPEST and not way.unknown(*args):
                    yield from _in_step(view, name, args, way)
            case sx.Do(call=sx.Call(func=sx.Attr(value=card, name=ability))):
                if way.depth < DEEPEST and not way.unknown(card):
                    yield from _in_texts(view, way.given(card), ability, way)
            case _:
                pass
        way = replace(way, bound=way.bound | _changed(stmt))


def _changed(stmt: sx.Stmt) -> frozenset[str]:
    """Name what a statement itself changes: variables, and the places of cards."""
    match stmt:
        case sx.Assign(target=target, value=sx.Call(args=args)) if called(stmt) == "draw":
            return frozenset(map(zone_of, (target, *args[-2:]))) - {""}
        case sx.Assign(target=target):
            return frozenset({zone_of(target)}) - {""}
        case sx.Do(call=sx.Call(func=sx.Name(name=name), args=args)) if name in MOVES:
            return frozenset(map(zone_of, args[-2:])) - {""}
        case _:
            return frozenset()


def _asked_for(view: View, made: sx.Call, way: _Way) -> Iterator[_Need]:
    """Yield a choice that must be made, and under which condition it has enough to choose from."""
    if called(made) == "choose" and "optional" not in dict(made.named):
        if not _never_empty(view, made.args[0]):
            yield from _need(way, made, some_of(made.args[0]))
    elif called(made) == "choose_cards":
        wanted = _wanted(made)
        if wanted is not None:
            there = call("size", made.args[0], made.args[0])
            yield from _need(way, made, sx.Compare(">=", there, wanted, made.at))


def _in_step(view: View, name: str, args: tuple[sx.Expr, ...], way: _Way) -> Iterator[_Need]:
    given = dict(zip(view.game.steps[name].params, map(way.given, args), strict=False))
    of_the_game = {*view.game.variables, *view.game.zones, *view.game.pools}
    inside = replace(way, names=given, bound=way.bound & of_the_game, own=True, depth=way.depth + 1)
    for clause in view.game.clauses:
        if clause.on == name and clause.do is not None and clause.in_force and (
            not clause.overrides
        ):
            here = inside if clause.when is None else inside.under(inside.given(clause.when))
            yield from _needs(view, clause.do.statements, here)


def _in_texts(view: View, card: sx.Expr, ability: str, way: _Way) -> Iterator[_Need]:
    """Yield what the texts of cards lead to: choices of sentences, not those of the texts.

    What a card itself lets choose stands on the card; what if that is not there is said there too.
    """
    for family in view.game.families.values():
        for each in family.cards:
            body = each.abilities.get(ability)
            if body is not None:
                this = sx.Attr(sx.Name(family.name, card.at), each.id, card.at)
                inside = replace(way.under(sx.Compare("==", card, this, card.at)), own=False,
                                 names={**way.names, "this": this})
                yield from (need for need in _needs(view, body.statements, inside)
                            if called(need[0]) == "choose_cards")


def _need(way: _Way, made: sx.Call, enough: sx.Expr) -> Iterator[_Need]:
    if way.unknown(enough):
        return
    found = way.given(enough)
    for test in reversed(way.tests):
        found = call("implies", enough, test, found)
    yield made, found


def _never_empty(view: View, domain: sx.Expr) -> bool:
    if called(domain) in ("others", "clockwise", "counterclockwise", "range"):
        return True
    whole = not isinstance(domain, sx.Generator) or not domain.where
    return whole and zone_of(domain) in {"players", *view.game.enums, *view.game.families}
