"""Clause by clause: what it decides, and whether words, another clause or nobody says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..game.game import Clause, Game
from ..silences import chooser
from ..silences.aspects import ASPECTS
from ..silences.questions import Status, questions_of, status_of, why_marked
from ..silences.silence import View


@dataclass(frozen=True, slots=True)
class Decision:
    """One thing that a clause decides; `point` is the question about it, "" for one of the machine.

    `words` are those of the book that a mark names, if the book is at hand.
    """

    clause: str
    aspect: str
    status: Status
    written: str
    others: tuple[str, ...]
    why: str
    point: str
    words: str = ""


def decisions(game: Game, book: Sequence[str] = ()) -> tuple[Decision, ...]:
    """Return what all clauses decide, in order of the spec; `book` holds the rulebook's lines."""
    clauses = {clause.id: clause for clause in game.clauses}
    found: list[Decision] = []
    for question in questions_of(game):
        for silence in question.silences:
            clause = clauses[silence.clause]
            name = question.aspect.name
            found.append(Decision(
                clause.id, name, question.status, f"{silence.subject}: {silence.written[1]}",
                tuple(answer.title for answer in silence.answers),
                why_marked(clause, name) or silence.decided,
                question.id, marked_words(clause, name, book)))
    found += _sole(game)
    known = {(each.clause, each.aspect) for each in found}
    for clause in game.clauses:
        for name, _ in (*clause.stated, *clause.settled):
            if clause.in_force and (clause.id, name) not in known:
                found.append(Decision(
                    clause.id, name, status_of(clause, name), ASPECTS[name].asks, (),
                    why_marked(clause, name), "", marked_words(clause, name, book)))
    places = {name: place for place, name in enumerate(clauses)}
    return tuple(sorted(found, key=lambda each: places[each.clause]))


def _sole(game: Game) -> Iterator[Decision]:
    """Yield the choices of which nothing is asked, as nobody else is known who may make them."""
    for clause in game.clauses:
        for silence in chooser.find_sole(View(game, clause)) if clause.in_force else ():
            yield Decision(
                clause.id, silence.aspect, status_of(clause, silence.aspect),
                f"{silence.subject}: {silence.written[1]}", (),
                why_marked(clause, silence.aspect), "")


def marked_words(clause: Clause, aspect: str, book: Sequence[str]) -> str:
    """Return the words of the book that a mark names by number; "" if it names none."""
    numbers = dict(clause.stated).get(aspect)
    if not book or clause.lines is None or isinstance(numbers, str) or numbers is None:
        return ""
    first, last = clause.lines
    words = " ".join(book[first - 1:last]).split()
    return " ".join(words[numbers[0] - 1:numbers[1]]) or "there are no such words"


def cited(clause: Clause, book: Sequence[str]) -> str:
    """Return the lines of the book that a clause cites, as one."""
    if not book or clause.lines is None:
        return ""
    return " ".join(" ".join(book[clause.lines[0] - 1:clause.lines[1]]).split())
