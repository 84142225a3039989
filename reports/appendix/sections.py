"""What else was checked, as an editor reads it: what makes no difference, what holds, what is open.

Each section has the lines that are about the book, in its words and with its lines, and what the
engine checks of the encoding, folded under a line that counts it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from ...checker.findings.results import (
    CLAIMS,
    CLASSES,
    FAILED,
    UNASKED,
    Harmless,
    LeftOut,
    NotChecked,
    OpenKind,
    Report,
)
from ...model.game.game import Game
from ...model.plays.wording import many, players_told
from ...model.silences.aspects import ASPECTS
from ...model.views.trace import trace
from ..blocks.subject import Subject
from .holds import answered, weak, what_holds
from .section import Fold, Section, by_method

ORDERS = ("order", "firing", "timing")
"""Aspects that are about when rules run, which nobody asks one by one."""
FOLDED = 3
"""Fewer orders than so many that make no difference are told one by one."""
HELD: dict[LeftOut, str] = {"claim": "whether this claim is true",
                            "limit": "whether this limit could be broken"}
"""What is told of a claim or a limit of the book that was not decided."""
OPEN: tuple[OpenKind, ...] = ("lost", "sample")
"""What was not checked and an editor reads as it is."""
RUN, DECIDED = "run by none of them", "decided by no words"
"""What is said of clauses and of silences that are not covered."""


def sections(report: Report, subject: Subject) -> tuple[Section, ...]:
    """Return the sections that have something in them."""
    made = (answered(subject), _harmless(report, subject), what_holds(report, subject),
            weak(report), _not_checked(report, subject))
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
    return (f"{read} (sentences, or what of them stands on one line): "
            f"{many(rules, 'holds rules', 'hold rules')}, "
            + many(done.traced - rules, "is a heading, advice or flavour",
                   "are headings, advice or flavour"))


def checked_counts(report: Report, subject: Subject) -> tuple[int, int, int]:
    """Count what holds, the open points that made no difference, and what was not checked.

    Open points that are told in one line are counted once, and not those of which an answer is
    told apart or was not compared.
    """
    asked = {one.point for one in report.not_checked if one.kind == "question"} | {
        one.open_point for one in report.everything}
    harmless = _harmless(replace(report, harmless=tuple(
        one for one in report.harmless
        if "=" not in one.open_point and one.open_point not in asked)), subject)
    return (sum(one.kind != "weak" for one in report.holds),
            len(harmless.lines) + sum(len(fold.lines) for fold in harmless.folds),
            sum(not one.unasked for one in report.not_checked))


def reach_text(report: Report) -> str:
    """Say in how many small games open points were compared, and how much was not done, and why."""
    names = {one.scope for one in report.explored}
    left = {name for one in report.not_checked if one.kind == "scopes"
            for name in one.scopes} & names
    late = sum(one.late for one in report.not_checked)
    failed = sum(one.failed for one in report.not_checked)
    unasked = sum(len(one.classes) for one in _unasked(report))
    return "; ".join(
        [f"open points compared in {len(names - left)} of them"] * bool(left)
        + [f"{many(late, 'check')} ran out of time"] * bool(late)
        + [f"{many(failed, 'check')} ended in an {FAILED} of ruleproof"] * bool(failed)
        + [f"{unasked} of {len(CLASSES)} classes of findings {UNASKED}"] * bool(unasked))


def players_text(report: Report, one: NotChecked) -> str:
    """Say what was done with other numbers of players; not more than there was time for."""
    return f"as far as there was time, {one.why}" if report.cut_short else one.why


def _unasked(report: Report) -> list[NotChecked]:
    """Return the lines of classes that were not asked for."""
    return [one for one in report.not_checked if one.left == "classes"]


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
    aspect, *clauses = point.partition("=")[0].split("/")
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
        return (_small(subject.in_words(one.why), names) + _by_so_many(one, subject)
                + f" ({where})" * bool(where))

    when = [one for one in some if _parts(one.open_point)[0] in ORDERS]
    when = when if len(when) >= FOLDED else []
    count = (f"{len(when)} questions of which rule comes first, or when it acts, come to the same "
             f"({by_method(when)})")
    return Section("Open points that make no difference",
                   tuple(dict.fromkeys(line(one) for one in some if one not in when)),
                   (Fold(count, tuple(map(line, when))),) if when else ())


def _by_so_many(one: Harmless, subject: Subject) -> str:
    """Say with how many players an order makes no difference, if there may be more or fewer.

    A proof is of the game as it is chosen, and small games have numbers of their own.
    """
    game = subject.game
    if (game is None or _parts(one.open_point)[0] != "order"
            or game.players_range[0] == game.players_range[1]):
        return ""
    found = [_players_of(game, name) for name in one.scopes if name in game.scopes]
    if one.method == "proof" or not found:
        found.append(game.players)
    return f"; looked at with {players_told(found)}" * ({*one.players} != {*found})


def _players_of(game: Game, name: str) -> int:
    """Return how many play a small game: as it says, or as its modes do."""
    scope = game.scopes[name]
    modes = [game.variants[each].players for each in scope.sets.get("variants", ())
             if each in game.variants]
    return scope.players or min(filter(None, modes), default=game.players)


def _refused(one: NotChecked) -> bool:
    """Return whether a whole scope is more than is looked at."""
    return one.cause == "refused" and not one.kind and bool(one.scopes)


def _not_checked(report: Report, subject: Subject) -> Section:
    names = [one.scope for one in report.explored]
    lines = [f"{one.what}: {UNASKED}" for one in _unasked(report)]
    own: list[tuple[str, str, str]] = []
    bounds = 0
    late: list[tuple[str, str, str]] = []
    asked: dict[str, tuple[str, dict[str, None]]] = {}
    for one in report.not_checked:
        why = _small(one.why, names)
        if one.unasked:
            continue
        if one.failed:
            what = _asks(one.point, subject) if one.kind == "question" else one.what
            lines.append(f"{what}: {one.why}")
        elif one.kind == "question":
            question, because = _left_open(one, names, subject)
            asked.setdefault(one.point, (question, {}))[1][because] = None
        elif one.kind == "claims":
            lines.append(f"{CLAIMS}{'; '.join(map(subject.told, one.clauses))}; {why}")
        elif one.kind == "example" and one.clauses:
            lines.append(
                f"whether this example works out: {subject.told(one.clauses[0])}; {why}")
        elif one.left in HELD and one.clauses and subject.clause(one.clauses[0]) is not None:
            what = f"{HELD[one.left]}{one.mode}: {subject.told(one.clauses[0])}"
            lines.append(subject.in_words(f"{what}; {why}"))
        elif one.kind == "players":
            lines.append(subject.in_words(f"{one.what}: {players_text(report, one)}"))
        elif one.kind in OPEN or one.cause == "answered" or _refused(one):
            lines.append(subject.in_words(f"{one.what}: {why}"))
        elif one.kind == "bound":
            bounds += 1
        else:
            clause = "".join(one.clauses) if one.left == "phrases" else ""
            (late if one.cut_short else own).append((one.what, clause, why))
    lines += _together(late, subject)
    if bounds:
        own.append((many(bounds, "bound of the model", "bounds of the model"), "",
                    "listed in the findings file"))
    told = _together(own, subject)
    folds = _asked(asked, {each.open_point: number for number, root in reversed(
        [*enumerate(report.findings, 1)]) for each in reversed(root.whole) if each.open_point})
    folds += [Fold(many(len(told), "check that did not look at everything",
                        "checks that did not look at everything"), told)] if told else []
    return Section("What was not checked", tuple(dict.fromkeys(lines)), tuple(folds))


def _asked(
    asked: Mapping[str, tuple[str, Iterable[str]]], numbers: Mapping[str, int]
) -> list[Fold]:
    """Count the questions that were left open, for each of their reasons; of orders apart.

    `numbers` are those of findings about open points.
    """
    found: dict[tuple[bool, str], dict[str, int]] = {}
    for point, (question, reasons) in asked.items():
        some = found.setdefault((_parts(point)[0] in ORDERS, "; and ".join(reasons)), {})
        some[question] = some.get(question) or numbers.get(point, 0)
    return [_fold(why, those, "of which rule comes first, or when it acts, " * order)
            for (order, why), those in sorted(found.items(), key=lambda each: each[0][0])]


def _asks(point: str, subject: Subject) -> str:
    """Return the question of a declared point as the spec asks it, and of a derived one as such."""
    declared = () if subject.game is None else subject.game.open_points
    return next((one.asks for one in declared if one.id == point), _question(point, subject))


def _left_open(one: NotChecked, names: Iterable[str], subject: Subject) -> tuple[str, str]:
    """Return a question that was left open, and why, in words of the book or of the tool."""
    game = subject.game
    asks = _asks(one.point, subject)
    if game is not None and one.modes and one.modes[0] in game.variants:
        return asks, (f"the mode “{game.variants[one.modes[0]].title}” is not for games with so "
                      "many players and these cards")
    if one.cause == "clash":
        return asks, ("this answer changes the same as the answer to another question, and the "
                      "two do not go together")
    return subject.in_words(one.asks) or asks, subject.in_words(_small(one.because, names))


def _together(own: Iterable[tuple[str, str, str]], subject: Subject) -> tuple[str, ...]:
    """Write what was not done of several clauses for one reason as one line.

    Of each is given what it is, the clause with which that ends, if it does, and why.
    """
    found: dict[tuple[str, str], list[str]] = {}
    for what, clause, why in own:
        known = bool(clause) and subject.clause(clause) is not None
        found.setdefault((what.removesuffix(clause) if known else what, why), []).extend(
            [subject.told(clause)] * known)
    return tuple(f"{what}{'; '.join(those)}: {why}" for (what, why), those in found.items())


def _fold(why: str, those: Mapping[str, int], about: str = "") -> Fold:
    """Count the questions that were left open for one reason."""
    return Fold(f"{many(len(those), 'question')} {about}left open: {why}", tuple(those),
                tuple(those.values()))
