"""What the book does not print and a report goes by: cards, values of cards, numbers, answers."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from typing import Any

from ...checker.findings.results import TEXT, Finding
from ...model.game.game import PRINTED, Card, Family, Game
from ...model.game.uses import closure, names_in, trees_of
from ...model.machine.titles import Titles
from ...model.plays.board import JSON
from ...model.plays.documents import is_object
from ...model.plays.wording import words_of
from ...model.views.deeds import assumed_values
from .plays import by_player
from .subject import Subject

NAMED = 6
"""Of more assumed cards those are named that a finding is about; the table has all."""
FEW = 2
"""So many cards that are named beside a situation are told of, also if nothing of them is read."""
EXPLAINED = 8
"""Of so many cards that decide in a situation it is said beside it what is assumed."""
NO_RULES = ("claim", "example")
"""Kinds of clauses that no play runs."""
TABLE = "Cards that are assumed"
"""The title of the table of what is assumed of cards."""
WHAT = ("The book does not print this; with other cards the plays shown, and shares of printed "
        "games, may come out otherwise. A card with † is invented for this check, its name too.")
"""What is said above the table."""
NOTE = "† stands behind cards invented for this check."
"""What is said of a finding whose situation names some, and whose plays rest on none."""
HEAD = ("card", "what is assumed of it")


def rests_on(finding: Finding, subject: Subject) -> str:
    """Say on which assumed cards and numbers the plays of a finding rest; "" if on none."""
    invented = subject.invented
    cards, about = _acting(finding, subject) or list(finding.assumes), _about(finding)
    made = [f"{said}: {_listed(some, about)}." for said, some in (
        ("Its plays rest on cards invented for this check (†)",
         [name for name in cards if name in invented]),
        ("Its plays rest on values that are assumed, of these cards",
         [name for name in cards if name not in invented])) if some]
    game = None if subject.compiled is None else subject.compiled.game
    plain = game is None or (finding.observable == TEXT and finding.cls == "undefined-term")
    scope = None if game is None else game.scopes.get(finding.evidence.scope)
    others = {} if scope is None else scope.sets.get("constants", {})
    numbers = [] if plain or game is None else _numbers(game, finding.clauses, but=others)
    return " ".join([*made, *[f"These numbers are assumed: {', '.join(numbers)}."] * bool(numbers)])


def answers_behind(finding: Finding, subject: Subject) -> Iterator[str]:
    """Yield under which answers to other findings it makes no difference in the situation shown.

    Of more than two answers it is told which two were compared.  Answers that are no rows of the
    other findings are left out.
    """
    told: dict[int, str] = {}
    for each in finding.rests:
        number, asked = subject.asking.get(each.open_point, (0, ()))
        titles = subject.answers(each.open_point)
        names = [name for name in each.readings if name in asked]
        others = [title for name, title in titles.items() if name not in names]
        if names:
            only = len(names) > 1 and len(others) == 1
            told[number] = f"{'unless' if only else 'if'} {number} is answered " + " or ".join(
                f"“{title}”" for title in (
                    others if only else [titles.get(name, name) for name in names]))
    if told:
        two = {shown.reading for shown in finding.evidence.plays[:2]}
        rows = [f"“{each.title}”" for each in finding.readings if each.id in two]
        same = "it makes no difference" if len(finding.readings) == 2 else (
            f"{' and '.join(rows)} come to the same")
        yield subject.marked(f"It rests on other open answers: here {same} "
                             f"{', or '.join(told[number] for number in sorted(told))}.")


def all_assumed(subject: Subject) -> str:
    """Say of how many cards something is assumed; and which numbers, if that is of most cards."""
    if subject.compiled is None:
        return ""
    game = subject.compiled.game
    cards = [card for family in game.families.values() for card in family.cards]
    some = [card for card in cards if {*card.assumed} - {"name"}]
    made: list[str] = []
    if some:
        whole = sum(card.name in subject.invented for card in cards)
        invented = f"; of {whole} the names are invented, too (marked †)" * bool(whole)
        made.append(
            f"{_printed(len(some), len(cards))}{invented}. “Printed games” are games of the "
            "printed size with these cards, and shares of them depend on what is assumed. Each "
            "finding says on which of them its plays rest.")
    numbers = _numbers(game, (clause.id for clause in game.clauses))
    if numbers:
        made.append(f"Numbers that the book does not print, and that are assumed: "
                    f"{', '.join(numbers)}.")
    return " ".join(made)


def _printed(some: int, every: int) -> str:
    """Say that of so many of all kinds of cards the book does not print all values."""
    return (f"For none of the {every} kinds of cards played with here does the book print all "
            "values: what it lacks is assumed" if some == every else
            f"For {some} of the {every} kinds of cards played with here the book does not print "
            "all values: these are assumed")


def assumed_rows(findings: Iterable[Finding], subject: Subject) -> tuple[tuple[str, str], ...]:
    """Return the table: each card of which something is assumed; none without findings."""
    if subject.compiled is None or not any(True for _ in findings):
        return ()
    game = subject.compiled.game
    names = {card.name for family in game.families.values() for card in family.cards}
    return tuple((subject.marked(card.name), _values(card, values, subject.titles)
                  or "that it has no more than is printed")
                 for card, values in assumed_values(game, names))


def _values(card: Card, values: Mapping[str, JSON], titles: Titles) -> str:
    """Write what is assumed of a card, "" if nothing; what it has not, as no bonus, is left out."""
    made = [_value(words_of(name) if name in card.abilities else titles.of(name), value)
            for name, value in titles.within(values).items()
            if name != "copies" and value not in (None, False, 0, "none")]
    copies = values.get("copies")
    made += [f"{copies} in the game"] if copies else []
    return "; ".join(made)


def _value(title: str, value: object) -> str:
    return title if value is True else (
        f"{title}{':' if isinstance(value, str) and ' ' in value else ''} "
        f"{value.replace('_', ' ') if isinstance(value, str) else value}")


def _numbers(game: Game, clauses: Iterable[str], but: Container[str] = ()) -> list[str]:
    """Say what numbers are assumed that the rules of some clauses use, but those named."""
    return [f"{game.titles.of(name)} {game.constants[name].value}"
            for name in assumed_numbers(game, clauses) if name not in but]


def assumed_numbers(game: Game, clauses: Iterable[str]) -> list[str]:
    """Name the constants of no sentence that the rules of some clauses use."""
    asked = set(clauses)
    named = closure(game, (name for clause in game.clauses
                           if clause.id in asked and clause.kind not in NO_RULES
                           for name in names_in(trees_of(clause))))
    return [name for name, each in game.constants.items() if not each.clause and name in named]


def explained(
    finding: Finding, subject: Subject, position: Mapping[str, JSON], outcomes: Iterable[str],
    steps: Iterable[Mapping[str, Any]] = (),
) -> tuple[tuple[str, str], ...]:
    """Return what is assumed of the cards on which it depends what comes of a situation.

    Those are what is read as it goes on under the two answers that part there, if that is known,
    the cards first that outcomes, or the move made there, name; where nothing is done, and else,
    these alone.  In the printed game all is told of such a card: what it does may have begun.  So
    it is there of cards that are named, if they are few, and that somebody chose in the `steps`
    before.  Which of some kinds a card is of is not told.
    """
    if subject.compiled is None:
        return ()
    game, named = subject.compiled.game, _told(finding, position, outcomes)
    read = position.get("assumes")
    some = dict(read) if is_object(read) else {
        card.name: values for card, values in assumed_values(game, named)} if (
            "after" not in position) else {}
    printed = finding.evidence.scope == PRINTED and position == finding.evidence.position
    turning = (*_chosen(steps, finding), *(named if len(named) <= FEW else ())) if printed else ()
    whole = {card.name: values for card, values in assumed_values(
        game, [*some, *turning])} if printed else {}
    told: dict[str, str] = {}
    for family in game.families.values():
        for card in family.cards:
            values = some.get(card.name, {} if card.name in turning else None)
            if not is_object(values) or not (
                    card.name in named or card.name in turning or "then" in position):
                continue
            text, full = (_values(card, {
                name: value for name, value in each.items()
                if name != "copies" and not _sorts(family, name)}, subject.titles)
                for each in (values, {**whole.get(card.name, {}), **values}))
            told[card.name] = full if text or card.name in turning else ""
    return tuple((f"{subject.marked(name)}, as assumed", told[name]) for name in sorted(
        told, key=lambda name: (name not in named, name not in some)) if told[name])[:EXPLAINED]


def _chosen(steps: Iterable[Mapping[str, Any]], finding: Finding) -> Iterator[str]:
    """Yield the cards, of which something is assumed, that players chose alone in some steps."""
    for step in steps:
        cards = [text for text in _texts(step.get("choice", {})) if text in finding.assumes]
        if by_player(step) and len(cards) == 1:
            yield cards[0]


def _sorts(family: Family, attribute: str) -> bool:
    """Return whether an attribute only says of which of some kinds each card of a family is."""
    ty = family.attributes.get(attribute)
    return ty is not None and ty.kind == "enum" and not ty.optional


def _acting(finding: Finding, subject: Subject) -> list[str]:
    """Return the cards that somebody plays, or otherwise chooses, whose text is done, or named."""
    cited = {each for shown in finding.evidence.plays for step in shown.play.get("steps", ())
             for each in step.get("cites", ())}
    done = set() if subject.compiled is None else {
        card.name for family in subject.compiled.game.families.values() for card in family.cards
        if any(f"card:{family.name}.{card.id}.{each}" in cited for each in card.abilities)}
    chosen = {text for shown in finding.evidence.plays for step in shown.play.get("steps", ())
              if by_player(step) for text in _texts(step.get("choice", {}))}
    about = _about(finding)
    return [name for name in finding.assumes if name in chosen or name in done or name in about]


def _about(finding: Finding) -> set[str]:
    """Return the cards that the title, the answers, or the move made in the situation name."""
    return _told(finding, finding.evidence.position or {}, [each.told for each in finding.readings])


def _told(finding: Finding, position: Mapping[str, JSON], outcomes: Iterable[str]) -> set[str]:
    """Return the cards that are named: in the title, in outcomes, and in the move made there."""
    told = " ".join((finding.title, *outcomes, str(position.get("then", ""))))
    return {name for name in finding.assumes if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", told)}


def _texts(value: JSON) -> Iterator[str]:
    """Yield the names in a choice."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield name
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, str):
        yield value


def _listed(names: list[str], about: set[str]) -> str:
    shown = names if len(names) <= NAMED else (
        [name for name in names if name in about] or names)[:NAMED]
    more = len(names) - len(shown)
    return ", ".join(shown) + f", and {more} more on the way" * bool(more)
