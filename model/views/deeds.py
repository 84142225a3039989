"""Cards for who reads no rules language: what a body does, and what of a card is assumed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from types import MappingProxyType

from ..game import syntax as sx
from ..game.game import Card, Clause, Family, Game, Ty
from ..game.unparse import unparse
from ..game.uses import names_in, trees_of
from ..plays.board import JSON
from ..plays.wording import words_of

COMPARED = {"==": "is", "!=": "is not", ">=": "is at least", "<=": "is at most",
            ">": "is more than", "<": "is less than", "in": "is in", "not in": "is not in"}
"""Comparisons in words."""
NONE: Mapping[str, str] = MappingProxyType({})
"""No steps."""
ACTORS = ("actor", "active", "who")
"""Names of whoever does what a card says, of whom nothing need be said."""


def assumed_values(
    game: Game, names: Collection[str]
) -> tuple[tuple[Card, Mapping[str, JSON]], ...]:
    """Return the assumed values, by field, of those of the named cards that have some.

    What is invented is always among them, its name being one: of such a card a play may show no
    more than that.
    """
    return tuple((card, _values(game, family, card)) for family in game.families.values()
                 for card in family.cards
                 if "name" in card.assumed or (card.assumed and card.name in names))


def _values(game: Game, family: Family, card: Card) -> dict[str, JSON]:
    """Return the assumed values of a card by field; the text of an ability in words."""
    made: dict[str, JSON] = {
        name: value for name, value in (
            ("copies", card.copies),
            *((name, _value(game, ty, card.attributes[name]))
              for name, ty in family.attributes.items() if name in card.attributes))
        if name in card.assumed}
    if "abilities" in card.assumed:
        own = _own_steps(game, card)
        made |= {name: deeds(body.statements, game, own) for name, body in card.abilities.items()}
    return made


def _own_steps(game: Game, card: Card) -> dict[str, str]:
    """Return what the steps do that are called like a card, by what the sentences on them say.

    Those are told that stand in no line of the book, and else those of the book as its own.
    """
    found: dict[str, str] = {}
    for step in game.steps.values():
        if _named_after(step.title, card):
            there, assumed = _sentences(game, card, step.name)
            if told := assumed or there:
                found[step.name] = "as the book says, " * (not assumed) + ", and ".join(
                    clause.says for clause in told)
    return found


def _named_after(title: str, card: Card) -> bool:
    """Return whether a title begins with the name of a card, or is how that begins."""
    words, name = (re.findall(r"\w+", text.casefold()) for text in (title, card.name))
    return bool(words and name) and (words[: len(name)] == name or name[: len(words)] == words)


def _sentences(game: Game, card: Card, step: str) -> tuple[list[Clause], list[Clause]]:
    """Return the sentences that run on a step, and those of no line that say what it comes to.

    Steps and terms that these use are looked into, if the card gives them its name, or if no line
    of the book is about them.
    """
    clauses = [clause for clause in game.clauses if clause.in_force]
    there = [clause for clause in clauses if clause.on == step]
    assumed: dict[str, Clause] = {}
    todo, seen = list(there), {step}
    while todo:
        clause = todo.pop()
        if clause.lines is None:
            assumed[clause.id] = clause
        for name in sorted(names_in(trees_of(clause)) - seen):
            seen.add(name)
            about = [each for each in clauses if name in (each.on, each.define)]
            if all(each.lines is None for each in about) or (
                    name in game.steps and _named_after(game.steps[name].title, card)):
                todo += about
    return there, [clause for clause in clauses if clause.id in assumed]


def value_text(game: Game, ty: Ty, value: int) -> str:
    """Tell a value of a type in words: a player as the seats are called, others as written."""
    if ty.kind == "player":
        return f"{game.player_word} {value + 1}" if value >= 0 else "none"
    known = _value(game, ty, value) if ty.kind in ("bool", "card", "enum") else value
    return "none" if known is None else str(known)


def _value(game: Game, ty: Ty, value: int) -> JSON:
    """Return a value of a card as a spec writes it: a name, a number, a truth, or None."""
    if ty.kind == "bool":
        return bool(value)
    if ty.kind == "int":
        return None if value < 0 <= ty.low else value
    names = [card.name for card in game.families[ty.name].cards] if ty.kind == "card" else (
        game.enums.get(ty.name, ()))
    return names[value] if 0 <= value < len(names) else None


def deeds(statements: Iterable[sx.Stmt], game: Game, own: Mapping[str, str] = NONE) -> str:
    """Return what statements do: `if size of hand of actor is at least 1: discard (1)`.

    Steps that are among `own` are told as there.
    """
    return ", then ".join(_deed(one, game, own) for one in statements)


def _deed(stmt: sx.Stmt, game: Game, own: Mapping[str, str]) -> str:
    match stmt:
        case sx.Do(call=sx.Call(func=sx.Name(name=name))) if name in own:
            return own[name]
        case sx.Assign(target=target, op="=", value=value):
            return f"{_said(target, game)} becomes {_said(value, game)}"
        case sx.Assign(target=target, op=op, value=value):
            return f"{_said(target, game)} {op}{_said(value, game)}"
        case sx.Do(call=call):
            return _said(call, game)
        case sx.IfThen(test=test, then=then, other=other):
            more = f"; else {deeds(other, game, own)}" if other else ""
            return f"if {_said(test, game)}: {deeds(then, game, own)}{more}"
        case sx.ForEach(var=var, domain=domain, body=body):
            return f"for each {words_of(var)} of {_said(domain, game)}: {deeds(body, game, own)}"
        case sx.While(test=test, body=body):
            return f"while {_said(test, game)}: {deeds(body, game, own)}"


def _said(expr: sx.Expr, game: Game) -> str:
    match expr:
        case sx.Name(name="this"):
            return "this card"
        case sx.Name(name=name):
            return game.titles.of(name)
        case sx.Attr(value=sx.Name(name=family), name=name) if family in game.families:
            return next((card.name for card in game.families[family].cards if card.id == name),
                        words_of(name))
        case sx.Attr(value=value, name=name) | sx.Index(value=sx.Name(name=name), index=value):
            return f"{words_of(name)} of {_said(value, game)}"
        case sx.Call(func=sx.Name(name="size" | "next_player" as name), args=(of,)):
            return f"{words_of(name)} of {_said(of, game)}"
        case sx.Call(func=func, args=args):
            told = ", ".join(_given(func, args, game))
            return _called(func, game) + f" ({told})" * bool(told)
        case sx.Compare(op=op, left=left, right=right):
            return f"{_said(left, game)} {COMPARED[op]} {_said(right, game)}"
        case sx.Infix(op=op, left=left, right=right):
            return f"{_said(left, game)} {op} {_said(right, game)}"
        case sx.Prefix(op="not", operand=operand):
            return f"not {_said(operand, game)}"
        case _:
            return words_of(unparse(expr))


def _given(func: sx.Expr, args: Sequence[sx.Expr], game: Game) -> list[str]:
    """Say with what something is done: not by whom, and of several numbers what each counts."""
    step = game.steps.get(func.name) if isinstance(func, sx.Name) else None
    several = step is not None and sum(isinstance(arg, sx.Num) for arg in args) > 1
    names = step.params if step is not None and several else ("",) * len(args)
    return [f"{game.titles.of(name)} " * (isinstance(arg, sx.Num) and len(name) > 1)
            + _said(arg, game)
            for name, arg in zip(names, args, strict=True)
            if not (isinstance(arg, sx.Name) and arg.name in ACTORS)]


def _called(func: sx.Expr, game: Game) -> str:
    """Return what the book calls a step; of any other function, its name in words."""
    step = game.steps.get(func.name) if isinstance(func, sx.Name) else None
    if step is None or not step.title:
        return _said(func, game)
    article = step.title.partition(" ")[0] in ("A", "An", "The")
    return step.title[:1].lower() + step.title[1:] if article else step.title
