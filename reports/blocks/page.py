"""A finding as an editor reads it: what is asked, the answers, the situation, the book, how often.

`page_of` returns the page, of which each format prints every part.  It holds sentences of the game
and figures; ids, expressions, scopes and encodings are for the appendix (`blocks.finding`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...checker.findings.results import (
    SAME_QUESTION,
    SAME_SENTENCES,
    Explored,
    Finding,
    Report,
    Shown,
)
from ...model.game.game import PRINTED
from ...model.game.uses import closure, names_in, trees_of
from ...model.plays.board import JSON
from ...model.plays.documents import is_object
from ...model.plays.wording import many
from .assumed import NOTE, answers_behind, explained, rests_on
from .boards import Board, Entry, board_of
from .classes import SILENT, words
from .groups import PlayGroup, in_smaller, play_groups, players_of, scope_of
from .measures import how_often, matters, never
from .plays import by_player, play_lines
from .subject import MARK, Subject
from .terms import term_values

PAGES = 20
"""So many findings have full pages; the others have brief ones."""
OVER, ENDED = "game over", "the game is over"
"""The node of an end, and what is said of an answer that leads to one."""
AGAIN = "Each move of the plays shown was made again by the reference interpreter"
NOT_AGAIN = " No reference interpreter made its moves again."
"""What is said of all plays at the head of a report, and of one of which that is not so."""
ROUND = 8
"""So many moves that come round are told on the page of a finding."""
LATELY = 3
"""So many lines of a play are told that lead to a situation."""
BRIEF = 12
"""A play of no more moves stands on a brief page, in place of its situation."""


@dataclass(frozen=True, slots=True)
class PageAnswer:
    """An answer to what a finding asks, what it comes to in the situation, and who gains by it."""

    title: str
    then: str
    gains: str = ""


@dataclass(frozen=True, slots=True)
class PageCase:
    """Another game, in which two answers come to different things that do not in the situation.

    `where` says which, if the situation is not of the printed game as it is chosen as well.
    """

    lead: str
    where: str
    answers: tuple[PageAnswer, ...]
    board: Board | None


@dataclass(frozen=True, slots=True)
class Passage:
    """What a clause stands for: where in the book, in the book's own words if known, in ours.

    `lead` says whose words those of ours are, and of what no line says that it is assumed.
    """

    where: str
    own: tuple[str, ...]
    ours: str
    lead: str


@dataclass(frozen=True, slots=True)
class Page:
    """A finding as an editor reads it; what is not known is empty.

    `where` says of which game the situation is, if that is not the printed one as it is chosen;
    `drafts` are answers with what the book could print to give each.
    """

    kind: str
    level: int
    matters: str
    asks: str
    told: tuple[str, ...]
    table: tuple[tuple[str, ...], ...]
    answers: tuple[PageAnswer, ...]
    cases: tuple[PageCase, ...]
    where: tuple[str, ...]
    board: Board | None
    play: PlayGroup | None
    passages: tuple[Passage, ...]
    helps: str
    drafts: tuple[tuple[str, str], ...]
    follows: tuple[str, ...]
    beside: tuple[str, ...]
    assumed: str
    often: tuple[str, ...]
    far: str


DRAFTS = "Drafted for the answers, to start from:"
INSTEAD = "Drafted, to start from:"
"""Leads what the book could print."""


def page_of(finding: Finding, subject: Subject, explored: tuple[Explored, ...] = ()) -> Page:
    """Return the page of a finding; without the game, without its paraphrases and its board."""
    position = finding.evidence.position
    shown = next((each for each in finding.evidence.plays if not each.elsewhere), None)
    board = _board(finding, position, subject, [each.outcome for each in finding.readings],
                   shown) if is_object(position) else None
    answers = tuple(PageAnswer(subject.marked(each.title), subject.marked(each.outcome),
                               each.favours) for each in finding.readings)
    return Page(
        kind_of(finding, subject), finding.level, matters(finding), finding.title,
        tuple(text for text in (_only_smaller(finding), finding.explanation,
                                _round(finding, subject), *_left_to(finding, subject)) if text),
        finding.table,
        answers, tuple(_cases(finding, subject)), tuple(_where(finding, subject)), board, None,
        tuple(_passages(finding, subject)),
        _helps(finding, subject),
        tuple(_drafts(finding, subject)),
        tuple(f"{each.title} ({each.follows})" for each in _others(finding)
              if each.follows != SAME_SENTENCES),
        tuple(each.title for each in _others(finding) if each.follows == SAME_SENTENCES),
        rests_on(finding, subject) or NOTE * (MARK in f"{answers}{board}"),
        (*how_often(finding), *answers_behind(finding, subject)),
        how_shown(finding, explored))


def pages_of(report: Report, subject: Subject) -> Iterator[Page]:
    """Yield the page of each finding, of later ones a brief one."""
    for number, finding in enumerate(report.findings):
        page = page_of(finding, subject, report.explored)
        yield page if number < PAGES else brief(page, finding, subject)


def brief(page: Page, finding: Finding, subject: Subject) -> Page:
    """Leave out what stands behind a finding as well, and show a short play as it is.

    That is a play to the situation of which the answers are told.
    """
    groups = play_groups(finding.evidence, subject, finding.readings)
    play = next((group for group in groups if group.told), None)
    if play is None or play.moves > BRIEF or not (play.shared or play.parts):
        return replace(page, far="")
    return replace(page, far="", where=() if play.where else page.where, board=None, play=play)


def kind_of(finding: Finding, subject: Subject) -> str:
    """Say what kind of fault a finding is.

    A question about something that no sentence says is no sentence with several readings: one that
    a silence raises, and one whose sentences the book has not all.
    """
    game = None if subject.compiled is None else subject.compiled.game
    ours = game is not None and game.rulebook is not None and any(
        subject.clause(name) is not None and not subject.cited(name) for name in finding.clauses)
    kind = _kind(finding)
    return SILENT if finding.cls == "ambiguity" and (kind == "silence" or ours) else (
        words(finding.cls, kind).name)


def _kind(finding: Finding) -> str:
    return "" if finding.identity is None else finding.identity.kind


def _round(finding: Finding, subject: Subject) -> str:
    """Tell the moves after which everything is as it was before, if they are few."""
    play = finding.evidence.plays[0].play if finding.evidence.plays else {}
    if "loop_from" not in play:
        return ""
    lines = [line.text for line in play_lines(play, subject) if line.first > play["loop_from"]]
    told = "; ".join(map(subject.marked, lines))
    return f"These moves come round: {told}." if 0 < len(lines) <= ROUND else ""


def _where(finding: Finding, subject: Subject) -> Iterator[str]:
    """Yield of which game the situation is."""
    evidence = finding.evidence
    if evidence.position is not None and evidence.scope != PRINTED:
        number = next((players_of(each) for each in evidence.plays
                       if scope_of(each, evidence) == evidence.scope), None)
        yield subject.marked(in_smaller(evidence.scope, subject, number))
    elif evidence.position is not None and evidence.mode:
        yield f"in the printed game, {evidence.mode}"


def _cases(finding: Finding, subject: Subject) -> Iterator[PageCase]:
    """Yield the other games that tell answers apart of which the situation does not."""
    evidence = finding.evidence
    plays = {shown.reading: shown for shown in evidence.plays if shown.elsewhere}
    for each in finding.readings:
        if (other := each.elsewhere) is None:
            continue
        shown = plays.get(each.id)
        scope = PRINTED if shown is None else scope_of(shown, evidence)
        where = "" if shown is None or scope == evidence.scope == PRINTED else (
            "in the same smaller game" if scope == evidence.scope else
            "in the printed game" if scope == PRINTED else
            in_smaller(scope, subject, players_of(shown)))
        yield PageCase(f"told apart {subject.marked(other.when)}", subject.marked(where), tuple(
            PageAnswer(subject.marked(title), subject.marked(text)) for title, text in (
                (other.like, other.there), (each.title, other.here))),
            None if other.position is None else _board(
                finding, other.position, subject, (other.here, other.there), shown))


def _lately(
    position: Mapping[str, JSON], shown: Shown | None, subject: Subject, *, last: int | None
) -> tuple[str, Sequence[Mapping[str, Any]]]:
    """Tell the moves just before a situation that a play comes through, after `last` at most.

    What is dealt before anybody acts is no such move.  With it go the steps of what is told.
    """
    after = position.get("after", last)
    if shown is None or not isinstance(after, int):
        return "", ()
    steps = shown.play.get("steps", ())[:after]
    steps = steps[:-1] if steps and steps[-1].get("endless") else steps
    acts = next((number for number, step in enumerate(steps, 1) if by_player(step)), math.inf)
    lines = [line for line in play_lines({"steps": steps}, subject) if line.last >= acts][-LATELY:]
    return (f"Just before: {'; '.join(line.text for line in lines)}" if lines else "",
            steps[lines[0].first - 1:] if lines else ())


def _board(
    finding: Finding, position: Mapping[str, JSON], subject: Subject, outcomes: Sequence[str],
    shown: Shown | None,
) -> Board:
    """Draw a situation that a play comes through, with what clauses and outcomes are about.

    With it go the moves just before, the terms that decide, and what is assumed of cards.

    Where the game ends, all is drawn that its end and who wins depend on.
    """
    compiled = subject.compiled
    told = {part for each in outcomes for text in each.replace(": ", "; ").split("; ")
            for part in (text, text.partition(" of ")[0])}
    state = position.get("state")
    focus = subject.focus(finding.clauses) | {
        name for name in (state if is_object(state) else ()) if subject.titles.of(name) in told}
    if compiled is None:
        return board_of(position, None, focus=focus)
    over = position.get("node") == OVER or any(ENDED in each for each in outcomes)
    ends = [clause for clause in compiled.game.clauses
            if over and clause.in_force and clause.kind == "outcome"]
    counts = closure(compiled.game, (name for one in ends for name in names_in(trees_of(one))))
    terms = term_values(position, compiled, (*finding.clauses, *finding.evidence.core),
                        [one.id for one in ends])
    board = board_of(position, compiled, focus=focus, terms=terms, counts=counts)
    lately, steps = _lately(position, shown, subject, last=finding.evidence.depth if (
        finding.evidence.kind == "witness") else None)
    return replace(
        board, turn=subject.marked(board.turn),
        lately=subject.marked(lately),
        rows=tuple(replace(row, cells=tuple(map(subject.marked, row.cells))) for row in board.rows),
        shared=(*(replace(entry, text=subject.marked(entry.text)) for entry in board.shared),
                *(Entry(card, text, 1) for card, text in explained(
                    finding, subject, position, outcomes, steps))))


def _left_to(finding: Finding, subject: Subject) -> Iterator[str]:
    """Yield which sentences lean to the first answer, or speak of what a card may answer.

    The one that the question is about does not favour an answer: it is taken for one.
    """
    if subject.compiled is None or not finding.left_to:
        return
    point = next((each for each in subject.compiled.game.open_points
                  if each.id == finding.open_point), None)
    if point is None:
        return
    first, stands = point.readings[0], [each.id for each in finding.readings[:1]]
    to = "the first answer" if stands == [first.id] else f"the answer “{first.title}”"
    for name in (*point.hinted, *point.on_cards):
        where = f" ({subject.cited(name)})" if subject.cited(name) else ""
        lead = ("A card may answer this; the book speaks of it here" if name not in point.hinted
                else f"Most readers will read this sentence as {to}" if name == point.clauses[0]
                else f"These words favour {to}")
        yield f"{lead}{where}: {subject.says(name)}"


def _helps(finding: Finding, subject: Subject) -> str:
    """Say where an answer belongs, and which others do.

    Where there are no answers, it is what helps in such a case, and what the spec drafts for it.
    """
    usual, where = words(finding.cls, _kind(finding)).helps, subject.home(finding)
    if not finding.readings:
        draft = next((text for name in finding.clauses if (text := subject.instead(name))), "")
        return f"{usual} {INSTEAD} “{draft}”{_together(finding, subject, f'at {where}')}" if (
            draft) else usual
    at = f" ({where})" if where else ""
    add = "Add a sentence" if finding.cls == "gap" else "Say"
    if finding.cls == "contradiction":
        return usual + _together(finding, subject, f"at {where}")
    return {
        "ruled": f"{add}{' that says' * (add != 'Say')} so in the book{at}.",
        "readers": f"A few more words would settle it{at}.",
        "cards": f"If the cards do not answer it, say which answer holds{at}.",
    }.get(finding.left_to, f"{add}{' that says' * (add != 'Say')} which answer holds{at}.") + (
        _together(finding, subject, "there"))


def _together(finding: Finding, subject: Subject, there: str) -> str:
    """Say which other answers belong where that to a finding does; "" if none do."""
    if not (others := subject.beside(finding)):
        return ""
    *some, last = map(str, others)
    return (f" The answers to {', '.join(some)} and {last} belong" if some else
            f" The answer to {last} belongs") + f" {there}, too: one sentence may give all."


def _drafts(finding: Finding, subject: Subject) -> Iterator[tuple[str, str]]:
    """Yield answers, and what the book could print to give each, as far as the spec drafts that."""
    for each in finding.readings:
        if draft := subject.draft(finding.open_point, each.id):
            yield subject.marked(each.title), subject.marked(draft)


def _others(finding: Finding) -> Iterator[Finding]:
    """Yield what follows from a finding and asks something else, each question once."""
    asked = {finding.title}
    for each in finding.consequences:
        if each.title not in asked and each.follows != SAME_QUESTION:
            asked.add(each.title)
            yield each


def _only_smaller(finding: Finding) -> str:
    if not finding.only_smaller:
        return ""
    return ("This was found in a game with other cards or numbers; in the printed one: "
            f"{in_print(finding)}.")


def in_print(finding: Finding) -> str:
    """Say of what only a smaller game has what is known of the printed game."""
    lifted = finding.evidence.lifted.removesuffix(" at the printed size")
    if lifted.startswith("proved impossible"):
        return "proved impossible"
    counted = next((each for each in (finding.frequency, *finding.compared)
                    if each is not None and not each.seen), None)
    seen = f"seen {never(counted)}" if counted is not None else lifted or "not seen"
    if finding.evidence.at_printed_size is False:
        return "ruled out, as all its situations were looked at"
    return f"{seen}, and not ruled out"


def _of_printed(scope: str, explored: tuple[Explored, ...]) -> str:
    """Say with how many players and in which modes the printed game was looked at, and no other."""
    first, *others = scope.split(", ")
    small = {one.scope for one in explored} - {PRINTED}
    more = ", ".join((first.removeprefix(PRINTED).strip(), *others)).lstrip(", ")
    if first.split(" ", maxsplit=1)[0] != PRINTED or not more or not small.isdisjoint(others):
        return ""
    return f" {more}" if more.startswith(("with ", "in ")) else f" with {more}"


def how_shown(finding: Finding, explored: tuple[Explored, ...]) -> str:
    """Say how far a finding was shown, without the names of scopes."""
    evidence = finding.evidence
    sizes = [one.states for one in explored if one.scope == evidence.scope
             and not (evidence.mode and one.scope == PRINTED and evidence.kind != "coverage")]
    size = f" ({many(sizes[0], 'situation')})" if sizes else ""
    if evidence.kind == "data" and evidence.method != "proof":
        return "It follows from the words alone."
    if evidence.method == "proof":
        mode = f" {evidence.mode}" * bool(evidence.mode)
        return f"The finding is proved for the printed game{mode}."
    printed = evidence.scope == PRINTED
    mode = f" {evidence.mode}" if evidence.mode else ""
    if evidence.kind == "coverage" and (more := _of_printed(evidence.scope or "", explored)):
        printed, mode = True, more
    where = f"in the printed game{mode}" if printed else "in a small game"
    told = {
        "exhaustive": f"It was shown {where}, all of whose situations were looked at{size}",
        "bounded": f"It was shown {where}, as far as its situations were looked at{size}",
        "sampled": f"It was shown {where} by a game played at random, shortened since",
    }.get(evidence.method, f"It was not checked {where}")
    if evidence.kind == "coverage":
        told = told.replace("shown", "found", 1).replace("a small game", "small games")
    elif not printed and evidence.at_printed_size:
        told += f"; the printed game has it too{mode and ','}{mode}"
    alone = "" if evidence.replayed or not evidence.plays else NOT_AGAIN
    return f"{told}.{alone}"


def _passages(finding: Finding, subject: Subject) -> Iterator[Passage]:
    """Yield the passages of a finding, those of the book once for each place.

    Of what is told in a table there are none: its rows quote them.  What the spec notes for itself
    is no passage of the book.  Of a window that no clause introduces they are those that open it.
    """
    if finding.table and not subject.book:
        return
    book = subject.compiled is not None and subject.compiled.game.rulebook is not None
    lead = "not in the book, and assumed here" if book else "in our words"
    names = dict.fromkeys((*finding.clauses, *finding.evidence.core))
    place = "" if finding.identity is None else finding.identity.place
    place = finding.open_point.removeprefix("order/") or place
    for name in names or subject.opening(place):
        clause = subject.clause(name)
        if clause is not None and "*" in clause.internal:
            continue
        where, own, ours = subject.cited(name), subject.own(name), subject.says(name)
        if where or ours:
            yield Passage(where, own, ours, f"in our words ({where})" if where else lead)
