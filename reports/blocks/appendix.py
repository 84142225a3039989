"""What else was checked, as an editor reads it: what makes no difference, what holds, what is open.

Each section has the lines that are about the book, in its words and with its lines, and what the
engine checks of the encoding, folded under a line that counts it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...checker.findings.results import CLAIMS, EXAMPLE, FAILED
from ...model.game.game import PRINTED
from ...model.game.uses import names_in, trees_of
from ...model.plays.wording import many, words_of
from ...model.silences.aspects import ASPECTS
from ...model.silences.questions import questions_of, why_marked
from ...model.views.trace import trace
from .classes import words

if TYPE_CHECKING:
    from ...checker.findings.results import Harmless, Holds, HoldsKind, Method, OpenKind, Report
    from .subject import Subject

ORDERS = ("order", "firing", "timing")
"""Aspects that are about when rules run, which nobody asks one by one."""
HOW = {"proof": "proved for the printed game", "exhaustive": "in all situations of small games",
       "bounded": "as far as small games were looked at", "sampled": "in random plays"}
FOLDED = 3
"""Fewer orders than so many that make no difference are told one by one."""
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
SCOPES = re.compile(r".* scopes? (.+)")
"""What names the small games in which no open points were compared."""
PLACE = re.compile(r" (?:in|with) ")
"""What parts a point from the game in which it was left open."""
UNFIT = re.compile(r"the variant `(\w+)` is not for this game\b.*")
CLASH = re.compile(r"(?:[\w:/ -]+: )?RP\d{3} .*")
"""Reasons in words of the language: a mode is not for some games, an answer fits not beside others.
"""
OPEN: tuple[OpenKind, ...] = ("lost", "players", "sample")
"""What was not checked and an editor reads as it is."""
MODE = re.compile(r" in the mode .*")
"""What says in the scope of a claim in which mode it is decided."""
RUN, DECIDED = "run by none of them", "decided by no words"
"""What is said of clauses and of silences that are not covered."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Lines that are counted by one line, and shown only to who asks for them."""

    counted: str
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of the appendix: a title, its lines, and what is folded."""

    title: str
    lines: tuple[str, ...]
    folds: tuple[Fold, ...] = ()


def sections(report: Report, subject: Subject) -> tuple[Section, ...]:
    """Return the sections that have something in them."""
    made = (_harmless(report, subject), _holds(report, subject), _weak(report),
            _not_checked(report, subject))
    return tuple(one for one in made if one.lines or one.folds)


def sentences_text(report: Report, subject: Subject) -> str:
    """Say how many passages of the book were read, and how many of them hold rules."""
    done = report.coverage
    if not done.sentences:
        return ""
    read = f"{done.traced} of {many(done.sentences, 'passage')} of the book read"
    if subject.compiled is None:
        return read
    kinds = {clause.id: clause.kind for clause in subject.compiled.game.clauses}
    rules = sum(any(kinds.get(name) != "flavour" for name in one.clauses)
                for one in trace(subject.compiled).sentences if one.clauses)
    return (f"{read} (sentences, or what of them stands on one line): {rules} hold rules, "
            f"{done.traced - rules} are headings, advice or flavour")


def checked_counts(report: Report, subject: Subject) -> tuple[int, int, int]:
    """Count what holds, the open points that made no difference, and what was not checked.

    Open points that are told in one line are counted once.
    """
    harmless = _harmless(report, subject)
    return (sum(one.kind != "weak" for one in report.holds),
            len(harmless.lines) + sum(len(fold.lines) for fold in harmless.folds),
            len(report.not_checked))


def reach_text(report: Report) -> str:
    """Say in how many small games open points were compared, and how much was not done, and why."""
    names = {one.scope for one in report.explored}
    left = {name for one in report.not_checked
            if one.kind == "scopes" and (found := SCOPES.match(one.what))
            for name in found[1].split(", ")} & names
    late = sum(one.late for one in report.not_checked)
    failed = sum(one.failed for one in report.not_checked)
    return "; ".join(
        [f"open points compared in {len(names - left)} of them"] * bool(left)
        + [f"{many(late, 'check')} ran out of time"] * bool(late)
        + [f"{many(failed, 'check')} ended in an {FAILED} of ruleproof"] * bool(failed))


def coverage_rows(report: Report, subject: Subject) -> tuple[tuple[str, int, int, str], ...]:
    """List what was covered, of how much, and what was not, but for what only the encoding names.

    A clause that a play of the report cites was exercised, whatever the small games did.
    """
    c = report.coverage
    cited = {name for finding in report.everything for shown in finding.evidence.plays
             for step in shown.play.get("steps", ()) for name in step.get("cites", ())}
    left = {name: [each for each in several if name != "clauses" or each not in cited]
            for name, several in c.missing.items()}
    exercised = c.exercised + len(c.missing.get("clauses", ())) - len(left.get("clauses", ()))
    return (
        ("passages traced to clauses", c.traced, c.sentences, ""),
        ("clauses that a small game or a play shown here runs, under the adopted answers",
         exercised, c.clauses, _lacking(RUN, (
             subject.told(each) for each in left.get("clauses", ())))),
        *((f"{name} of the machine {done}", number, of, "")
          for name, done, number, of in (("nodes", "reached", c.nodes_reached, c.nodes),
                                         ("edges", "taken", c.edges_taken, c.edges))),
        ("silences that words or other clauses decide", c.marked, c.silences,
         _lacking(DECIDED, (_silence(each, subject) for each in left.get("silences", ())))),
    )


def _lacking(what: str, some: Iterable[str]) -> str:
    """List what was not covered, each once; "" if that is nothing."""
    each = tuple(dict.fromkeys(some))
    return f"{what}: {'; '.join(each)}" if each else ""


# ---------------------------------------------------------------------- in words


def _silence(named: str, subject: Subject) -> str:
    clause, _, aspect = named.partition(": ")
    return f"{subject.told(clause)}: {ASPECTS[aspect].asks if aspect in ASPECTS else aspect}"


def _parts(point: str) -> tuple[str, list[str]]:
    """Return the aspect of a derived point and its clauses; ("", []) of what is none."""
    name = point.removeprefix("open point ").partition("=")[0].strip()
    aspect, *clauses = name.split("/")
    return (aspect, clauses) if aspect in ASPECTS else ("", [])


def _places(point: str, subject: Subject) -> str:
    return "; ".join(dict.fromkeys(filter(None, map(subject.cited, _parts(point)[1]))))


def _question(point: str, subject: Subject) -> str:
    """Write a derived point as its question."""
    aspect, clauses = _parts(point)
    said = "; ".join(subject.told(each) for each in clauses if not each.isdigit())
    one = aspect == "order" and len(clauses) == 1
    asks = "in which order do the players act" if one else ASPECTS[aspect].asks if aspect else ""
    return f"{said}: {asks}" if aspect else point


def _by_method(some: Iterable[Harmless | Holds]) -> str:
    counted = Counter(each.method for each in some)
    return ", ".join(f"{number} {method}" for method, number in counted.items())


# ---------------------------------------------------------------------- sections


def _small(text: str, names: Iterable[str]) -> str:
    """Leave the names of small games out of a text: nobody who reads the book knows them."""
    one = "|".join(sorted(map(re.escape, names), key=len, reverse=True)) or "$^"
    text = re.sub(rf"the scopes? (?:{one})(?:, (?:{one}))*(?![\w])", "small games", text)
    return re.sub(r"\ball (\d+) scopes of at most [\d,]+ states", r"\1 small games", text)


def _harmless(report: Report, subject: Subject) -> Section:
    some, names = report.harmless, [one.scope for one in report.explored]

    def line(one: Harmless) -> str:
        where = _places(one.open_point, subject)
        return _small(subject.in_words(one.why), names) + f" ({where})" * bool(where)

    when = [one for one in some if _parts(one.open_point)[0] in ORDERS]
    when = when if len(when) >= FOLDED else []
    count = (f"{len(when)} questions of which rule comes first, or when it acts, come to the same "
             f"({_by_method(when)})")
    return Section("Open points that make no difference",
                   tuple(dict.fromkeys(line(one) for one in some if one not in when)),
                   (Fold(count, tuple(map(line, when))),) if when else ())


def _holds(report: Report, subject: Subject) -> Section:
    small = {one.scope for one in report.explored}
    some = [one for one in report.holds if not _repeats(one, subject) and not (
        one.kind == "ends" and {*one.scope.split(", ")} < small)]  # by chance, in some of them
    where: dict[tuple[str, Method], dict[str, None]] = {}
    for one in some:
        if one.kind in TOLD:
            what = _none_of(one.what, report, subject) if one.kind == "none" else one.what
            where.setdefault((what, one.method), {}).update(dict.fromkeys(one.scope.split(", ")))
    lines = [subject.in_words(f"{what} ({_how(method, scopes, report, subject)})")
             for (what, method), scopes in where.items()]
    folds = [Fold(f"{title}: {len(those)} ({_by_method(those)})",
                  tuple(subject.told(one.clause) + (
                      "" if kind == "example" else f": {_true_how(one, subject)}"
                      + "".join(MODE.findall(one.scope))) for one in those))
             for kind, title in OF_THE_BOOK.items()
             if (those := [one for one in some if one.kind == kind])]
    if settled := tuple(dict.fromkeys(_settled(subject))):
        folds.append(Fold(f"questions that words of the book decide: {len(settled)}", settled))
    own = [one for one in some if one.kind not in (*TOLD, *OF_THE_BOOK, "weak")]
    if own:
        lines.append(f"{many(len(own), 'check')} of the engine on the encoding "
                     f"({_by_method(own)}), which the findings file lists")
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
    for point in game.open_points:
        if point.settled:
            answer = point.readings[0].title
            why = "; ".join(f"`{name}`" for name in point.settled)
            yield subject.in_words(f"{point.asks}? “{answer}”, by {why}")


def _weak(report: Report) -> Section:
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


def _none_of(what: str, report: Report, subject: Subject) -> str:
    """Say what was sought and not found.

    A dead end is none of that where some play never ends; a claim is tried in its own mode alone.
    """
    head, _, classes = what.partition(": ")
    stuck = any(one.identity is not None and one.identity.kind in ENDLESS
                for one in report.everything)
    each = [cls.partition(" ")[0] for cls in re.split(r", (?![^(]*\))", classes)
            if not (stuck and cls.startswith(DEAD_ENDS))]
    modes = subject.compiled is not None and subject.compiled.game.variants
    alone = ", each as the game is chosen or in its own mode" if modes else ""
    sought = "; ".join(words(cls).sought + alone * (cls == "false-claim") for cls in each)
    rest = "sought and not found, under the answers that stand first"
    return f"{rest if report.questions else rest.partition(',')[0]}: {sought}" if each else head


def _not_checked(report: Report, subject: Subject) -> Section:
    names = [one.scope for one in report.explored]
    lines: list[str] = []
    own: list[tuple[str, str]] = []
    bounds = 0
    late: list[tuple[str, str]] = []
    asked: dict[str, tuple[str, dict[str, None]]] = {}
    for one in report.not_checked:
        why = _small(one.why, names)
        if one.failed:
            what = _asks(_point(one.what), subject) if one.kind == "question" else one.what
            lines.append(f"{what}: {one.why}")
        elif one.kind == "question":
            question, because = _left_open(one.what, why, subject)
            asked.setdefault(_point(one.what), (question, {}))[1][because] = None
        elif one.kind == "claims":
            claims = one.what.removeprefix(CLAIMS).split(", ")
            lines.append(f"{CLAIMS}{'; '.join(subject.told(each) for each in claims)}; "
                         f"{why}")
        elif one.kind == "example":
            name = one.what.removeprefix(EXAMPLE)
            lines.append(f"whether this example works out: {subject.told(name)}; {why}")
        elif one.kind in OPEN or one.what.endswith("?"):
            lines.append(subject.in_words(f"{one.what}: {why}"))
        elif one.kind == "bound":
            bounds += 1
        else:
            (late if one.cut_short else own).append((one.what, why))
    lines += _together(late, subject)
    open_: dict[tuple[bool, str], list[str]] = {}
    for point, (question, reasons) in asked.items():
        open_.setdefault((_parts(point)[0] in ORDERS, "; and ".join(reasons)),
                         []).append(question)
    folds = [_fold(why, those, "of which rule comes first, or when it acts, " * order)
             for (order, why), those in sorted(open_.items(), key=lambda each: each[0][0])]
    if bounds:
        own.append((many(bounds, "bound of the model", "bounds of the model"),
                    "they are listed in the findings file"))
    told = _together(own, subject)
    folds += [Fold(many(len(told), "bound of the engine's own checks",
                        "bounds of the engine's own checks"), told)] if told else []
    return Section("What was not checked", tuple(dict.fromkeys(lines)), tuple(folds))


def _point(what: str) -> str:
    """Return the id of the point that was left open."""
    return PLACE.split(what.removeprefix("open point "))[0].partition("=")[0].strip()


def _asks(point: str, subject: Subject) -> str:
    """Return the question of a declared point as the spec asks it, and of a derived one as such."""
    declared = () if subject.game is None else subject.game.open_points
    return next((one.asks for one in declared if one.id == point), _question(point, subject))


def _left_open(what: str, why: str, subject: Subject) -> tuple[str, str]:
    """Return a question that was left open, and why, in words of the book or of the tool."""
    game = subject.game
    asks = _asks(_point(what), subject)
    if what.startswith("open point "):
        return asks, why
    if game is not None and (found := UNFIT.match(why)) and found[1] in game.variants:
        return asks, (f"the mode “{game.variants[found[1]].title}” is not for games with so many "
                      "players and these cards")
    if CLASH.match(why):
        return asks, ("this answer changes the same as the answer to another question, and the "
                      "two do not go together")
    question, _, because = subject.in_words(why).rpartition(": ")
    return question or asks, because


def _together(own: Iterable[tuple[str, str]], subject: Subject) -> tuple[str, ...]:
    """Write what was not done of several clauses for one reason as one line."""
    found: dict[tuple[str, str], list[str]] = {}
    for what, why in own:
        head, of, clause = what.partition(" of ")
        known = subject.clause(clause) is not None
        found.setdefault((head + of if known else what, why), []).extend(
            [subject.told(clause)] * known)
    return tuple(f"{what}{'; '.join(those)}: {why}" for (what, why), those in found.items())


def _fold(why: str, those: Iterable[str], about: str = "") -> Fold:
    """Count the questions that were left open for one reason."""
    each = tuple(dict.fromkeys(those))
    return Fold(f"{many(len(each), 'question')} {about}left open: {why}", each)
