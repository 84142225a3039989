"""What the book does not print and the spec assumes: cards, values of cards, numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...model.game.uses import closure, names_in, trees_of
from ...model.plays.wording import words_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ...checker.findings.results import Finding
    from ...model.game.game import Game
    from .subject import Subject

NAMED = 6
"""So many assumed cards are named."""
NO_RULES = ("claim", "example")
"""Kinds of clauses that no play runs."""


def rests_on(finding: Finding, subject: Subject) -> str:
    """Say on which assumed cards and numbers the plays of a finding rest; "" if on none.

    Where most cards are assumed that is said at the head of a report, and of no finding.
    """
    game = None if subject.compiled is None else subject.compiled.game
    cards = {} if game is not None and _most(game) else dict.fromkeys(
        str(name) for each in finding.evidence.plays for name in each.play.get("assumes", ()))
    invented = set[str]() if game is None else _invented(game)
    made = [f"{said}: {_listed(some)}." for said, some in (
        ("Values of these cards are assumed, as the book does not print them",
         [name for name in cards if name not in invented]),
        ("These cards are invented, as the book prints nothing of them",
         [name for name in cards if name in invented])) if some]
    numbers = [] if game is None else _numbers(game, finding.clauses)
    return " ".join([*made, *[f"These numbers are assumed: {', '.join(numbers)}."] * bool(numbers)])


def mostly_assumed(subject: Subject) -> str:
    """Say how many cards the spec had to assume something of, if of most; and which numbers."""
    if subject.compiled is None:
        return ""
    game = subject.compiled.game
    made: list[str] = []
    if some := _most(game):
        whole = len(_invented(game))
        invented = f", {whole} of them invented with their names" if whole else ""
        made.append(
            f"The book does not print all values of {some} of "
            f"{sum(len(family.cards) for family in game.families.values())} kinds of cards: these "
            f"are assumed here{invented}, and the findings file names for each play those that it "
            "rests on.")
    numbers = _numbers(game, (clause.id for clause in game.clauses))
    if numbers:
        made.append(f"Numbers that the book does not print, and that are assumed: "
                    f"{', '.join(numbers)}.")
    return " ".join(made)


def _most(game: Game) -> int:
    """Count the cards of which something is assumed, if these are most; else 0."""
    cards = [card for family in game.families.values() for card in family.cards]
    some = sum(bool({*card.assumed} - {"name"}) for card in cards)
    return some if 2 * some > len(cards) else 0


def _invented(game: Game) -> set[str]:
    """Name the cards of which the book does not even print the name."""
    return {card.name for family in game.families.values() for card in family.cards
            if "name" in card.assumed}


def _numbers(game: Game, clauses: Iterable[str]) -> list[str]:
    """Return the constants of no sentence that the rules of some clauses use, with their values."""
    asked = set(clauses)
    named = closure(game, (name for clause in game.clauses
                           if clause.id in asked and clause.kind not in NO_RULES
                           for name in names_in(trees_of(clause))))
    return [f"{words_of(name)} {each.value}" for name, each in game.constants.items()
            if not each.clause and name in named]


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"
