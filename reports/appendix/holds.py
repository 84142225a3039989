"""What holds, as an editor reads it, and what is weak in a game though no sentence is at fault."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ...checker.findings.results import Class, Holds, HoldsKind, Method, Report
from ...model.game.game import PRINTED
from ...model.game.uses import names_in, trees_of
from ...model.plays.wording import many, words_of
from ...model.silences.questions import questions_of, why_marked
from ..blocks.classes import words
from ..blocks.subject import Subject
from .section import Fold, Section, by_method

HOW = {"proof": "proved for the printed game", "exhaustive": "in all situations of small games",
       "bounded": "as far as small games were looked at", "sampled": "in random plays"}
IN_SMALL = ("exhaustive", "bounded")
"""Methods that look at small games."""
OF_THE_BOOK: dict[HoldsKind, str] = {
    "claim": "claims of the book that are true",
    "example": "worked examples of the book that can be played as they say",
    "limit": "limits of the book that always hold"}
DEAD_ENDS, ENDLESS = ("doomed", "deadlock"), ("trapped", "forced", "automatic")
"""Classes of what never ends for want of a way on; kinds of findings that never end otherwise."""
TOLD: tuple[HoldsKind, ...] = ("decided", "ruled-out", "ends", "moves", "none")
"""What holds and an editor reads, beside what is `OF_THE_BOOK`."""


def what_holds(report: Report, subject: Subject) -> Section:
    """List what was checked and is true."""
    small = {one.scope for one in report.explored}
    some = [one for one in report.holds if not _repeats(one, subject) and not (
        one.kind == "ends" and {*one.scope.split(", ")} < small)]  # by chance, in some of them
    where: dict[tuple[str, Method], dict[str, None]] = {}
    for one in some:
        if one.kind in TOLD:
            what = _none_of(one.classes, report, subject) if one.kind == "none" else one.what
            where.setdefault((what, one.method), {}).update(dict.fromkeys(one.scope.split(", ")))
    lines = [subject.in_words(f"{what} ({_how(method, scopes, report, subject)})")
             for (what, method), scopes in where.items()]
    folds = [Fold(f"{title}: {len(those)} ({by_method(those)})",
                  tuple(subject.told(one.clause) + (
                      "" if kind == "example" else f": {_true_how(one, subject)}{one.mode}")
                      for one in those))
             for kind, title in OF_THE_BOOK.items()
             if (those := [one for one in some if one.kind == kind])]
    if settled := tuple(dict.fromkeys(_settled(subject))):
        folds.append(Fold(f"questions that words of the book decide: {len(settled)}", settled))
    own = [one for one in some if one.kind not in (*TOLD, *OF_THE_BOOK, "weak")]
    if own:
        lines.append(f"{many(len(own), 'check')} of the engine on the encoding "
                     f"({by_method(own)}), which the findings file lists")
    return Section("What holds", tuple(dict.fromkeys(lines)), tuple(folds))


def _true_how(one: Holds, subject: Subject) -> str:
    """Say how a claim is known to be true; one that something can be is, where that was seen."""
    clause = subject.clause(one.clause)
    if clause and clause.claim and clause.claim.form == "reachable" and one.method in IN_SMALL:
        return "it comes up in small games"
    return HOW.get(one.method, one.method)


def _settled(subject: Subject) -> Iterator[str]:
    """Yield the questions that the words of a sentence, or another one, decide, and by what."""
    game = subject.game
    if game is None:
        return
    clauses = {clause.id: clause for clause in game.clauses}
    for question in questions_of(game):
        for silence in question.silences if question.status in ("stated", "settled") else ():
            clause = clauses[silence.clause]
            why = why_marked(clause, question.aspect.name) or silence.decided
            yield subject.in_words(f"{subject.told(clause.id)}: {question.aspect.asks}? "
                         f"Decided by {why.replace('the clause `', '`')}")


def answered(subject: Subject) -> Section:
    """List the questions that the spec asks and other sentences answer, each with these."""
    points = () if subject.game is None else subject.game.open_points
    return Section("Questions that the book answers", tuple(
        subject.marked(f"{point.asks}? “{point.readings[0].title}”: "
                       + "; ".join(map(subject.told, point.settled)))
        for point in points if point.settled),
        anchor="answered", each="each with the sentence that answers it")


def weak(report: Report) -> Section:
    """List what is weak in the game, though no sentence is at fault."""
    some = dict.fromkeys(
        one.what if one.scope == PRINTED else f"in small games, which have fewer cards, {one.what}"
        for one in report.holds if one.kind == "weak")
    return Section("Weak, but no fault of a sentence", tuple(some))


def _how(method: Method, scopes: Collection[str], report: Report, subject: Subject) -> str:
    """Say how something was found to hold; of some of the small games alone, in which ones."""
    told = HOW.get(method, method)
    small = [one.scope for one in report.explored]
    whole = {one.scope for one in report.explored if one.complete}
    if subject.game is None or method not in IN_SMALL or not set(scopes) < set(small):
        return told
    if whole and whole <= set(scopes):
        return f"{told}, of which {len(whole)} of {len(small)} were explored completely"
    known = subject.game.scopes
    named = [known[name].about or words_of(name) for name in scopes if name in known]
    return (f"{told.replace('of small games', '').strip()} of {len(scopes)} of "
            f"{many(len(small), 'small game')}: {'; '.join(named)}")


def _repeats(one: Holds, subject: Subject) -> bool:
    """Return whether a claim is about a single constant of the spec, which says it itself."""
    clause = subject.clause(one.clause) if one.kind == "claim" else None
    if clause is None or subject.game is None:
        return False
    names = names_in(trees_of(clause))
    return len(names) < 2 and names <= subject.game.constants.keys()


def _none_of(classes: Sequence[Class], report: Report, subject: Subject) -> str:
    """Say what was sought and not found.

    A dead end is none of that where some play never ends; a claim is tried in its own mode alone.
    """
    stuck = any(one.identity is not None and one.identity.kind in ENDLESS
                for one in report.everything)
    each = [cls for cls in classes if not (stuck and cls in DEAD_ENDS)]
    modes = subject.compiled is not None and subject.compiled.game.variants
    alone = ", each as the game is chosen or in its own mode" if modes else ""
    sought = "; ".join(words(cls).sought + alone * (cls == "false-claim") for cls in each)
    rest = "sought and not found, under the answers that stand first"
    if not each:
        return f"no finding of {'the class' if len(classes) == 1 else 'these classes'}"
    return f"{rest if report.questions else rest.partition(',')[0]}: {sought}"
