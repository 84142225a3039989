"""One root, one finding: what follows from another finding becomes a line under it.

A finding goes under another one if

- a way out of that one, which is about the same clauses or asks for what fails, removes it and
  brings nothing new;
- both stand on the same clauses, or are of one kind and stand on the same sentence of the book, of
  which the clauses are parts;
- what one does not say how to do is what the other asks about;
- an answer to that one settles how often something may be done, or ends what has no end;
- a declared point is about its sentence, and it is that what the sentence requires is not so, or an
  order that shows at the same point;
- it is a draw from a deck, and a declared point is about the sentence that fills this deck again,
  and for the rest mostly about drawing;
- it is about sentences of which one allows what the other one always forbids;
- it is about seats that are not alike, and an order of players in that sentence is open;
- both ask when something is judged, or both are about what one thing bars that never comes up;
- both ask which of two rules comes first that the same condition sets off, as in the other one, or
  it is that such a rule is about one, and fits several;
- it is about a sentence that only an answer to the other one adds;
- it is a word without a meaning, and the other one asks for that, or about its only sentence;
- the book says the same in two places: an untrue thing, or a rule of whose time both ask;
- or their witnesses end in the same situation, and it asks nothing itself, nor fails for what its
  own sentence says (but under a question some answer to which mends it), nor before the other one.

What fails under every answer to a question, and not where its readings part, does not go under it.
What somebody asked (a declared point), and that the game can no longer end, goes under nothing, nor
a question under one that is likely to be answered without its author, nor anything under one that
the user has answered.  Of
several grounds the first four and those of one rule said twice weigh more than the others.

Causes come before what they lead to: declared points, derived ones, what cannot be done, broken
limits, fates; what fails first in a situation before what fails after it there.  What the printed
game has goes under nothing that only a smaller game has; and a consequence has no consequences.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from msgspec.structs import replace

from ...model.game import syntax as sx
from ...model.game.game import Clause, Game
from ...model.game.texts import walk
from ...model.game.unparse import encoding, unparse
from ...model.game.uses import subject, trees_of
from ...model.plays.documents import is_list, is_object
from ..findings.observations import Observation
from ..findings.results import (
    PARTS,
    SAME_QUESTION,
    SAME_SENTENCES,
    WHAT_THEN,
    Class,
    Finding,
    Identity,
)
from .rank import Weight, weight

CAUSES: tuple[Class, ...] = (
    "overlap", "ambiguity", "order-dependence", "gap", "contradiction", "unresolved-tie",
    "undefined-term", "undefined-operation", "asymmetry", "limit-broken", "deadlock", "doomed",
    "endless-loop", "example-contradicts-rule", "false-claim", "dead-clause", "redundant-clause",
    "inert-clause")
"""The classes, what may be the cause of others first."""

WORDS = frozenset({"undefined", "unused", "synonym", "ambiguous", "words", "repeats"})
"""Kinds that are about words, or many sentences: these have nothing to do with each other."""

SETTLES: dict[str, frozenset[str]] = {
    "beyond-bounds": frozenset({"out-of-range"}),
    "too-few": frozenset({"no-option", "too-few", "nothing-to-draw"}),
}
"""Aspect of a silence → the kinds of what fails for want of its answer."""

ORDERS = frozenset({"clauses", "rules", "loop", "window", "firing", "timing"})
"""Kinds that ask for an order or a time."""
REQUIRED = frozenset({"limit", "limit-at-end", "required-at-end", "fate", "not-there"})
"""Kinds that are about all of a sentence, and not about one thing that it does."""
OF_ITSELF = frozenset({"tie", "tie-outside", "nothing-to-draw", "too-few", "out-of-range"})
"""Kinds of what fails for what its own sentence says, whatever else fails there, too."""
TELLING = 5
"""Letters of a part of a term that tells which term is meant."""
ONE_RULE = frozenset({"adds-up", "when-judged"})
"""Aspects that a book settles with one sentence for all."""

SAID = frozenset({"number", "rules", "clauses", "firing", "timing"})
"""Kinds that are one finding for all clauses that say the same."""

BESIDE = ("after", "assumes", "first")
"""What goes with a position and is none of the situation: after how many moves of the play told it
comes, and what is read of assumed cards from there on."""
SETTLED = "the same answer settles it"
RARE = 0.01
"""What comes up in a smaller share of games than this, for certain, is rare."""


@dataclass(frozen=True, slots=True)
class Resolution:
    """Pairs of what was found and a question: what no answer mends, and what an answer settles."""

    left: frozenset[tuple[Identity, Identity]] = frozenset()
    settled: frozenset[tuple[Identity, Identity]] = frozenset()


def ranked(
    game: Game, findings: Iterable[Finding], answered: Resolution = Resolution(),
    lost: Collection[str] = ()
) -> tuple[Finding, ...]:
    """Put what follows from others under these, and sort them by what each decides itself.

    Where that was not measured it weighs as much as what follows from it.  What is about a sentence
    that only an answer adds is left out if the question is no finding; but it stands for itself if
    that is one of the `lost` ones, of which the answers were not compared.
    """
    roots: list[Finding] = []
    below: dict[str, list[Finding]] = {}
    sentences = {clause.id: (clause.lines, clause.sentences) for clause in game.clauses
                 if clause.lines is not None}
    spoken = {clause.id: _spoken(clause) for clause in game.clauses}
    due = {clause.id: unparse(clause.whenever) for clause in game.clauses
           if clause.whenever is not None}
    decks = _decks(game)
    barred = {clause.id: clause.on for clause in game.clauses}

    def grounds(finding: Finding, root: Finding) -> Iterator[str]:
        pair = _identity(finding), _identity(root)
        if pair in answered.left or pair[0].kind == "trapped":
            return
        if root.left_to == "ruled" or (
                root.left_to and finding.open_point and not finding.left_to):
            return  # what only the author answers is told before what others answer, too
        yield SETTLED if pair in answered.settled else (
            _follows(finding, root, sentences) or _said_again(finding, root, spoken)
            or _set_off_alike(finding, root, due))
        yield _asked_there(finding, root, decks) or _alike(finding, root, barred)

    some = list(findings)
    notes = {one.id: of for one in some if (of := of_reading(game, one)) is not None}
    for finding in _as_they_come(sorted(
            (one for one in some if one.id not in notes), key=_cause)):
        found = [(strong, place, why) for place, root in enumerate(roots)
                 for strong, why in enumerate(grounds(finding, root)) if why]
        if found:
            _, place, why = min(found)
            root = roots[place]
            below.setdefault(root.id, []).append(replace(finding, root=root.id, follows=why))
        else:
            roots.append(finding)
    for note in (one for one in some if one.id in notes):
        point, answer = notes[note.id]
        asking = next((root for root in roots if any(
            each.open_point == point for each in (root, *below.get(root.id, ())))), None)
        if asking is None and point not in lost:
            continue
        if asking is None or asking.left_to == "ruled":
            roots.append(note)  # it is in the game as it is to be, or as it is played
        else:
            below.setdefault(asking.id, []).append(replace(
                note, root=asking.id, follows=f"if it is answered so: {answer}"))
    made = [replace(root, consequences=_each_once(root, sorted(
        below.get(root.id, ()), key=weight))) for root in roots]
    return tuple(sorted(made, key=lambda one: (
        PARTS.index(one.part),
        weight(one) if one.frequency is not None else min(map(weight, one.whole)))))


def _as_they_come(some: Iterable[Finding]) -> list[Finding]:
    """Put what fails first in a situation before what fails after it there."""
    made: list[Finding] = []
    for one in some:
        later = (place for place, other in enumerate(made)
                 if one.cls == other.cls and same_situation(one, other)
                 and _fails_first(one, other))
        made.insert(next(later, len(made)), one)
    return made


def of_reading(game: Game, finding: Finding) -> tuple[str, str] | None:
    """Return the point and the answer that alone has the sentence of a finding; None if it is ours.

    An order is one of that answer if either sentence is; another question about several if all are.
    """
    one, added = _identity(finding), game.added
    named = (one.clause,) if one.clause else finding.clauses
    found = [added[name] for name in named if name in added]
    whole = bool(found) and (one.kind in ("clauses", "rules") or len(found) == len(named))
    return found[0] if whole and one.kind != "declared" else None


def _cause(finding: Finding) -> tuple[bool, int, bool, Weight]:
    return (finding.only_smaller, CAUSES.index(finding.cls),
            _identity(finding).kind != "declared", weight(finding))


def _follows(finding: Finding, root: Finding, sentences: Mapping[str, object]) -> str:
    """Say why a finding is a consequence of another one; "" if it is none."""
    one, other = _identity(finding), _identity(root)
    kinds = {one.kind, other.kind}
    if root.open_point and names(root.title, one):
        return SAME_QUESTION  # in which the word stands
    if kinds & WORDS or one.kind == "declared":
        return ""  # words of one sentence, and questions that somebody asked, stand for themselves
    mine, theirs = ({sentences.get(name, name) for name in each.clauses}
                    for each in (finding, root))
    asked = one.kind in SETTLES.get(root.aspect, ())
    if (mine & theirs or asked) and any(
        finding.id in way.removes and not way.adds for way in root.ways_out
    ):
        return SETTLED
    alike = set(finding.clauses) == set(root.clauses) or len(kinds) == 1
    if mine and mine == theirs and alike:
        return SAME_SENTENCES
    if mine and mine <= theirs and asked:
        return WHAT_THEN
    if mine & theirs and root.aspect and root.aspect == finding.aspect:
        return "it asks the same about a part of it"
    own = one.kind in OF_ITSELF and not root.open_point
    if not finding.open_point and not own and same_situation(finding, root) and not (
            _fails_first(finding, root)):
        return "it shows in the same situation"
    return ""


def names(asks: str, one: Identity) -> bool:
    """Return whether a question names a word that is never explained, be it one or several."""
    return one.kind == "undefined" and _said(rf"{re.escape(one.place)}(e?s)?", asks)


def hints_at(asks: str, clauses: tuple[str, ...], one: Identity, users: tuple[str, ...]) -> bool:
    """Return whether a question is about the only sentences with a word, and names a part of it."""
    return one.kind == "undefined" and {*users} <= {*clauses} and any(
        len(part) >= TELLING and _said(rf"{re.escape(part)}\w*", asks)
        for part in one.place.split())


def _said(word: str, text: str) -> bool:
    """Return whether a text has a whole word that a pattern fits."""
    return re.search(rf"(?<!\w){word}(?!\w)", text, re.IGNORECASE) is not None


def _asked_there(finding: Finding, root: Finding, decks: Mapping[str, _Decks]) -> str:
    """Say that somebody asks about the sentence in which something fails; else ""."""
    one, other = _identity(finding), _identity(root)
    if one.kind == "seats" and root.cls == "order-dependence" and one.clause in root.clauses:
        return "the seats are not alike as the order is open"
    if other.kind == "shut" and {*finding.clauses} <= {*root.clauses}:
        return "it is so as these sentences clash"
    if other.kind != "declared":
        return ""
    if hints_at(root.title, root.clauses, one, finding.clauses):
        return "the question is about the sentence with this word"
    if one.kind in REQUIRED and one.clause in root.clauses:
        return "the question is about this sentence"
    if finding.cls == "redundant-clause" and {*finding.clauses} <= {*root.clauses}:
        return "the question is about these sentences"
    if one.kind in ORDERS and {*finding.clauses} & {*root.clauses} and _node(finding) and (
        _node(finding) == _node(root)
    ):
        return "it shows at the same point of the game"
    drawn = decks.get(one.clause, _Decks()).drawn if one.kind == "nothing-to-draw" else frozenset()
    about = [decks[name] for name in root.clauses if name in decks]
    if any(drawn & each.filled for each in about) and 2 * sum(
            bool(each.drawn or each.filled) for each in about) >= len(root.clauses):
        return "the question is about this deck"
    return ""


def _alike(finding: Finding, root: Finding, barred: Mapping[str, str]) -> str:
    """Say that two findings are answered by one sentence, or have one reason; else ""."""
    if finding.aspect in ONE_RULE and finding.aspect == root.aspect:
        return "it asks the same of another sentence"
    kinds = {(each.cls, _identity(each).kind) for each in (finding, root)}
    places = {barred.get(_identity(each).clause, "") for each in (finding, root)}
    same = kinds == {("dead-clause", "clause")} and len(places) == 1 and "" not in places
    return "it is about the same step or option" if same else ""


def _node(finding: Finding) -> str:
    """Return where the witness of a finding stands; "" if it has no position."""
    position = finding.evidence.position
    return str(position.get("node", "")) if is_object(position) else ""


class _Decks(NamedTuple):
    """The places of cards from which a clause draws, and those that it fills again."""

    drawn: frozenset[str] = frozenset()
    filled: frozenset[str] = frozenset()


def _decks(game: Game) -> dict[str, _Decks]:
    def named(clause: Clause, verb: str) -> frozenset[str]:
        return frozenset(subject(part.args[-2 if verb == "draw" else -1])
                         for tree in trees_of(clause) for part in walk(tree)
                         if isinstance(part, sx.Call) and subject(part.func) == verb)

    return {clause.id: _Decks(named(clause, "draw"), named(clause, "shuffle_into"))
            for clause in game.clauses}


def _identity(finding: Finding) -> Identity:
    return finding.identity or Identity(finding.cls)


def _each_once(root: Finding, consequences: Sequence[Finding]) -> tuple[Finding, ...]:
    """Say of what follows that asks nothing of its own that it is the same question."""
    return tuple(
        replace(one, follows=SAME_QUESTION) if one.follows == SAME_SENTENCES and any(
            other is not one and _same_question(one, other) for other in (root, *consequences))
        else one for one in consequences)


def _same_question(one: Finding, other: Finding) -> bool:
    """Return whether something fails for want of an answer to a question about its sentence."""
    return ({*one.clauses} == {*other.clauses} and len(one.clauses) == 1
            and _identity(one).kind in SETTLES.get(other.aspect, ()))


def _spoken(clause: Clause) -> tuple[str, ...]:
    """Write what a clause says, in the terms of the spec; nothing if that is not all of it."""
    if clause.claim is None:
        return encoding(clause)
    whole = clause.claim.form == "claim" and not clause.claim.given
    return (unparse(clause.claim.test),) if whole else ()


def _said_again(finding: Finding, root: Finding, spoken: Mapping[str, tuple[str, ...]]) -> str:
    """Say that the book says the same in another place, if it does; else "".

    What is claimed to be so, or a rule that is asked about with the same other ones.
    """
    one, other = _identity(finding), _identity(root)
    mine, theirs = ({spoken.get(name, ()) for name in each.clauses} for each in (finding, root))
    again = (one.cls == other.cls and one.kind == other.kind and one.kind in SAID
             and len(finding.clauses) == len(root.clauses) and mine == theirs and () not in mine)
    return "the book says it again" if again else ""


def _set_off_alike(finding: Finding, root: Finding, due: Mapping[str, str]) -> str:
    """Say that one condition sets off all rules that two findings are about; "" if it does not."""
    alike = {due.get(name, name) for name in (*finding.clauses, *root.clauses)}
    kinds = _identity(finding).kind, _identity(root).kind
    same = root.cls == "order-dependence" and len(alike) == 1 and kinds in (
        ("rules", "rules"), ("not-one", "rules"))
    return "the same event sets them off" if same else ""


def _fails_first(one: Finding, other: Finding) -> bool:
    """Return whether both fail in the last step that is shown, and the first one before the other.

    Then it is no consequence of the other: what follows fails on the ground of what came before.
    """
    steps = [step for step in _last(one.evidence.plays) or () if is_object(step)]
    failed = [(each.get("clause"), each.get("defect")) for step in steps
              if is_list(some := step.get("failed")) for each in some if is_object(each)]
    mine, theirs = ((each.clause, each.cls) for each in (_identity(one), _identity(other)))
    return mine in failed and theirs in failed and failed.index(mine) < failed.index(theirs)


def same_situation(one: Finding | Observation, other: Finding | Observation) -> bool:
    """Return whether two witnesses end in one situation, which is not that of the setup."""
    a, b = one.evidence, other.evidence
    return (a.position is not None and bool(a.depth) and a.scope == b.scope
            and _bare(a.position) == _bare(b.position) and _last(a.plays) == _last(b.plays))


def _bare(position: Any) -> Any:  # noqa: ANN401  (JSON)
    """Return a position without what only goes with it."""
    return {name: value for name, value in position.items() if name not in BESIDE} if (
        is_object(position)) else position


def _last(plays: Sequence[Any]) -> Any:  # noqa: ANN401  (JSON)
    """Return the last step of the first play."""
    return plays[0].play["steps"][-1:] if plays else None
