"""Who uses what in a spec: the names that clauses, windows and cards mention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING

from . import syntax as sx
from .texts import walk

if TYPE_CHECKING:
    from .game import Body, Card, Claim, Clause, Game, Window


def trees_of(clause: Clause) -> Iterator[sx.Expr | sx.Stmt]:
    """Give every tree that a clause holds."""
    yield from _some(clause.when, clause.ensure, clause.always, clause.whenever, clause.value)
    yield from (domain for _, domain in clause.params)
    for body in (clause.do, clause.otherwise):
        yield from _body(body)
    if clause.claim is not None:
        yield from _claim(clause.claim)
    if clause.example is not None:
        yield from _some(clause.example.expect)


def _some(*several: sx.Expr | None) -> Iterator[sx.Expr]:
    return (one for one in several if one is not None)


def _body(body: Body | None) -> Iterator[sx.Stmt]:
    return iter(() if body is None else body.statements)


def _claim(claim: Claim) -> Iterator[sx.Expr]:
    return _some(claim.test, claim.such_that, claim.equals)


def _window(window: Window) -> Iterator[sx.Expr]:
    return _some(window.by, window.who, window.start)


def _card(card: Card) -> Iterator[sx.Stmt]:
    for body in card.abilities.values():
        yield from _body(body)


def names_in(trees: Iterator[sx.Expr | sx.Stmt]) -> frozenset[str]:
    """Collect the names in some trees, what stands behind a dot included."""
    found: set[str] = set()
    for tree in trees:
        for part in walk(tree):
            if isinstance(part, sx.Name | sx.Attr):
                found.add(part.name)
    return frozenset(found)


def mentions(clause: Clause) -> frozenset[str]:
    """Collect the names that a clause mentions, the step or window that it stands on included."""
    found = set(names_in(trees_of(clause)))
    found.update(part for part in (*clause.on.split("."), clause.must) if part)
    return frozenset(found)


def closure(game: Game, names: Iterable[str]) -> frozenset[str]:
    """Collect names, and those that the definitions of terms among them mention, and so on."""
    terms: dict[str, list[Clause]] = {}
    for clause in game.clauses:
        if clause.define and clause.in_force:
            terms.setdefault(clause.define, []).append(clause)
    found: set[str] = set()
    todo = list(names)
    while todo:
        name = todo.pop()
        if name not in found:
            found.add(name)
            todo += (each for clause in terms.get(name, ()) for each in mentions(clause))
    return frozenset(found)


def assigned(game: Game, clause: Clause) -> frozenset[str]:
    """Name the variables that a clause may give a value, by itself or by way of what it runs.

    The rules of any time are taken in, since they may act wherever something is written.
    """
    found: set[str] = set()
    known: set[str] = set()
    abilities = [(name, body) for family in game.families.values() for card in family.cards
                 for name, body in card.abilities.items()]
    everywhere = [each for each in game.clauses if each.whenever is not None]
    trees = [tree for each in (clause, *everywhere)
             for tree in (*_body(each.do), *_body(each.otherwise))]
    while trees:
        for part in walk(trees.pop()):
            match part:
                case sx.Assign(target=sx.Name(name=name) | sx.Index(value=sx.Name(name=name))):
                    found.add(name)
                case sx.Call(func=sx.Name(name=name) | sx.Attr(name=name)) if name not in known:
                    known.add(name)
                    trees += (tree for own, body in abilities if own == name
                              for tree in _body(body))
                    trees += (tree for each in game.clauses if each.on == name
                              for tree in (*_body(each.do), *_body(each.otherwise)))
                case _:
                    pass
    return frozenset(found)


def users(game: Game) -> Mapping[str, tuple[str, ...]]:
    """For each name: the clauses, windows and cards that mention it, in the order of the spec.

    Clauses stand under their id, others as `windows.NAME` and `cards.FAMILY.ID`.
    """
    found: dict[str, dict[str, None]] = {}

    def note(who: str, names: frozenset[str]) -> None:
        for name in names:
            found.setdefault(name, {})[who] = None

    for clause in game.clauses:
        note(clause.id, mentions(clause))
    for window in game.windows.values():
        note(f"windows.{window.name}", names_in(_window(window)))
    for family in game.families.values():
        for card in family.cards:
            note(f"cards.{family.name}.{card.id}", names_in(_card(card)))
    if game.score is not None:
        note("score", names_in(iter((game.score,))))
    return {name: tuple(who) for name, who in sorted(found.items())}
