"""What the book does not print and the spec assumes: cards, values of cards, numbers."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from ...model.game.uses import closure, names_in, trees_of
from ...model.plays.wording import words_of
from ...model.views.deeds import assumed_values

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from ...checker.findings.results import Finding
    from ...model.game.game import Game
    from ...model.plays.board import JSON
    from .subject import Subject

NAMED = 12
"""So many assumed cards are named in a finding; the table has all."""
NO_RULES = ("claim", "example")
"""Kinds of clauses that no play runs."""
TABLE = "Cards that are assumed"
"""The title of the table of what the plays shown assume of cards."""
WHAT = ("The book does not print this, and the plays shown rest on it; with other cards they may "
        "come out otherwise. A card with † is invented for this check, its name too.")
"""What is said above the table."""
NOTE = "† stands behind cards invented for this check."
"""What is said of a finding whose situation names some, and whose plays rest on none."""
HEAD = ("card", "what is assumed of it")


def rests_on(finding: Finding, subject: Subject) -> str:
    """Say on which assumed cards and numbers the plays of a finding rest; "" if on none."""
    cards, invented = finding.assumes, subject.invented
    made = [f"{said}: {_listed(some)}." for said, some in (
        ("Its plays rest on cards invented for this check (†)",
         [name for name in cards if name in invented]),
        ("Its plays rest on values that are assumed, of these cards",
         [name for name in cards if name not in invented])) if some]
    game = None if subject.compiled is None else subject.compiled.game
    numbers = [] if game is None else _numbers(game, finding.clauses)
    return " ".join([*made, *[f"These numbers are assumed: {', '.join(numbers)}."] * bool(numbers)])


def all_assumed(subject: Subject) -> str:
    """Say of how many cards something is assumed; and which numbers, if that is of most cards."""
    if subject.compiled is None:
        return ""
    game = subject.compiled.game
    cards = [card for family in game.families.values() for card in family.cards]
    some = [card for card in cards if {*card.assumed} - {"name"}]
    made: list[str] = []
    if some:
        whole = len(subject.invented)
        invented = f", {whole} of them invented with their names (marked †)" * bool(whole)
        made.append(
            f"The book does not print all values of {len(some)} of {len(cards)} kinds of cards: "
            f"these are assumed here{invented}. Each finding says on which of them its plays rest.")
    numbers = _numbers(game, (clause.id for clause in game.clauses))
    if numbers:
        made.append(f"Numbers that the book does not print, and that are assumed: "
                    f"{', '.join(numbers)}.")
    return " ".join(made)


def assumed_rows(findings: Iterable[Finding], subject: Subject) -> tuple[tuple[str, str], ...]:
    """Return the table: each card that the plays of findings assume something of, and what.

    All that are invented are in it, since a situation may show any of them; none without findings.
    """
    names = [each.assumes for each in findings]
    if subject.compiled is None or not names:
        return ()
    return tuple((subject.marked(card.name), _values(subject.titles.within(values)))
                 for card, values in assumed_values(
                     subject.compiled.game, {*chain.from_iterable(names)}))


def _values(values: Mapping[str, JSON]) -> str:
    """Write what is assumed of a card; what it has not, as no bonus, is left out."""
    made = [_value(name, value) for name, value in values.items()
            if name != "copies" and value not in (None, False, 0, "none")]
    copies = values.get("copies")
    made += [f"{copies} in the game"] if copies else []
    return "; ".join(made) or "that it has nothing of its own"


def _value(name: str, value: object) -> str:
    return words_of(name) if value is True else (
        f"{words_of(name)}{':' if isinstance(value, str) and ' ' in value else ''} "
        f"{value.replace('_', ' ') if isinstance(value, str) else value}")


def _numbers(game: Game, clauses: Iterable[str]) -> list[str]:
    """Return the constants of no sentence that the rules of some clauses use, with their values."""
    asked = set(clauses)
    named = closure(game, (name for clause in game.clauses
                           if clause.id in asked and clause.kind not in NO_RULES
                           for name in names_in(trees_of(clause))))
    return [f"{game.titles.of(name)} {each.value}" for name, each in game.constants.items()
            if not each.clause and name in named]


def _listed(names: list[str]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return f"{', '.join(names[:NAMED])}{more}"
