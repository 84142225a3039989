"""A report as one HTML file: pages of the findings, plays to step through, the machine, the book.

The file loads nothing: styles, script and data are in it.  Whatever comes from a spec is escaped by
the template, or is data that the script writes as text.  The book's own words are in it only if
they are given.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from ...checker.findings.results import LEVELS, Finding, Report
from ...checker.findings.shares import STUCK, UNENDED
from ...model.lowering.compile import Compiled
from ...model.plays.wording import plain_name
from ...model.source.errors import printable
from ...model.source.outline import lines_text
from ...model.views.trace import trace
from ..appendix.sections import coverage_rows, sections
from ..blocks.assumed import HEAD, TABLE, WHAT, all_assumed, assumed_rows
from ..blocks.classes import HEADS, PARTS, begins, effect, origin
from ..blocks.finding import effects, encoded, favours, how_far, ways_of
from ..blocks.groups import play_groups
from ..blocks.machine import drawing
from ..blocks.measures import (
    OR_ENDS,
    between,
    changes,
    comes_up,
    counts,
    named_modes,
    short_modes,
)
from ..blocks.page import DRAFTS, PAGES, page_of
from ..blocks.steps import Steps, board_words
from ..blocks.subject import Subject
from .text import checked_text, headline, settings_text

Json = dict[str, Any]

KINDS = {"decide": "somebody decides", "open": "no rule says who", "chance": "chance",
         "rules": "the rules go on", "final": "the end"}
"""What nodes of the machine are called."""


def html(
    report: Report, compiled: Compiled, source: str, *, book: str = "", game: Json | None = None
) -> str:
    """Write a report; `source` is where the game is loaded from again, for the games of the plays.

    `book` is the rulebook's own text, if it is to be quoted; `game` the compiled game, as
    `checker.engine.browser` writes it; None if it cannot be.
    """
    subject = Subject(compiled, book, report.assumed, report.findings)
    steps = Steps(source)
    short = short_modes(report.rated)
    findings = [_finding(number, each, subject, report, steps, short=short)
                for number, each in enumerate(report.findings, 1)]
    data = {"boards": board_words(compiled), "game": game, "findings": {
        str(each["number"]): {"position": each["position"], "plays": each["plays"]}
        for each in findings if each["position"] is not None}}
    env = Environment(loader=PackageLoader("ruleproof.reports"), autoescape=True,
                      undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    env.filters["clean"] = lambda text: printable(" ".join(str(text).split()))
    env.filters["sentence"] = _sentence
    return env.get_template("page.html").render(
        report=report, headline=headline(report), settings=settings_text(report),
        checked=checked_text(report, subject), findings=findings, assumed=all_assumed(subject),
        cards={"title": TABLE, "what": WHAT, "head": HEAD,
               "rows": assumed_rows(report.findings, subject)},
        levels=[(level, HEADS[level] + OR_ENDS * any(
                    each["finding"].ends_only for each in findings if each["level"] == level))
                for level in LEVELS
                if any(each["level"] == level for each in findings)],
        classes=sorted({each["kind"] for each in findings}), counts=counts(report),
        modes=named_modes(report.rated, short),
        steps=sorted({step for each in findings for step in each["steps"]}),
        clauses=sorted({name for each in findings for name in each["clauses"]}),
        machine=drawing(compiled, report), lines=list(_lines(subject, report)),
        quoted=bool(book), coverage=coverage_rows(report, subject),
        sections=sections(report, subject),
        kinds=KINDS, drafts=DRAFTS, playable=game is not None, parts=PARTS,
        data=Markup(_embedded(data)))  # noqa: S704  (escaped there)


def _embedded(data: Json) -> str:
    """Write data so that nothing in it can end the element that holds it."""
    made = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return made.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _sentence(text: str) -> str:
    """Write text as a sentence of its own: a capital first, a full stop last."""
    shown = printable(" ".join(str(text).split()))
    return shown[:1].upper() + shown[1:] + ("" if shown.endswith((".", "?", "!", "”")) else ".")


def _finding(
    number: int, finding: Finding, subject: Subject, report: Report, steps: Steps, *,
    short: Mapping[str, str],
) -> Json:
    page = page_of(finding, subject, report.explored)
    position = finding.evidence.position
    return {
        "number": number, "page": page, "finding": finding, "begins": begins(report, number),
        "origin": origin(finding, subject),
        "kind": page.kind, "level": finding.level, "share": comes_up(finding, short=short),
        "mode": "" if finding.frequency is None else short.get(
            finding.frequency.mode, finding.frequency.mode),
        "changes": changes(finding),
        "matters": effect(finding), "clauses": finding.clauses,
        "steps": _steps(finding, subject), "assumed": page.assumed,
        "favours": [favours(each.gains) for each in page.answers],
        "bars": list(_bars(finding)), "wins": list(_wins(finding)),
        "position": None if position is None else _marked(position.get("state", {}), subject),
        "plays": [_told(steps.play(each, finding), subject) for each in finding.evidence.plays
                  if not each.elsewhere] if number <= PAGES else [],
        "told": play_groups(finding.evidence, subject, finding.readings),
        "encoded": encoded(finding), "far": how_far(finding, report.explored),
        "code": [(name, subject.cited(name), subject.encoding(name))
                 for name in dict.fromkeys((*finding.clauses, *finding.evidence.core))],
        "ways": [(way.text, way.adopt, effects(way, finding)) for way in ways_of(finding)],
    }


def _told(play: Json, subject: Subject) -> Json:
    """Mark the invented cards of a play."""
    return {**play, "start": _marked(play["start"], subject), "steps": [
        {"text": subject.marked(one["text"]), "changes": _marked(one["changes"], subject)}
        for one in play["steps"]]}


def _marked(table: Json, subject: Subject) -> Json:
    """Mark the invented cards on a table, whose own names are those of the spec."""
    def mark(value: Any) -> Any:  # noqa: ANN401  (a JSON document)
        if isinstance(value, dict):
            return {mark(key): mark(each) for key, each in value.items()}
        if isinstance(value, list):
            return [mark(each) for each in value]
        return subject.marked(value) if isinstance(value, str) else value

    return {name: mark(value) for name, value in table.items()}


def _steps(finding: Finding, subject: Subject) -> list[str]:
    """Name the steps of the game that a finding's clauses are about, as the book calls them."""
    game = subject.game
    if game is None:
        return []
    found = (clause.on for clause in map(subject.clause, finding.clauses) if clause is not None)
    return sorted({game.steps[name].title or plain_name(name).replace("_", " ")
                   for name in found if name in game.steps})


def _bars(finding: Finding) -> Iterator[Mapping[str, Any]]:
    """Yield what is plotted of how often: a label, the share counted, and its interval."""
    often = finding.frequency
    if often is None or not often.plays or not comes_up(finding):
        return
    yield _bar("comes up", often.seen / often.plays, often.ci95)
    if often.decides and often.decides_ci95 is not None:
        yield _bar("another winner after the same moves", often.decides / often.plays,
                   often.decides_ci95)


def _wins(finding: Finding) -> Iterator[Mapping[str, Any]]:
    """Yield what is plotted of who gains: for each seat that does its share under both answers."""
    often = finding.frequency
    titles = finding.titles
    if often is None or often.reading not in titles:
        return
    adopted = titles.get(often.adopted, "as it is played here")
    for one in often.rows:
        if not one.apart:
            continue
        every = one.seat in (UNENDED, STUCK) or often.ending is None
        of = often.plays if every else often.ending or 0
        yield {"seat": one.seat, "bars": [
            _bar(title, wins / of, between) for title, wins, between in (
                (adopted, one.adopted, one.adopted_ci95),
                (titles[often.reading], one.other, one.other_ci95))]}


def _bar(label: str, part: float, interval: tuple[float, float]) -> Mapping[str, Any]:
    return {"label": label, "at": round(100 * part, 2), "low": round(100 * interval[0], 2),
            "high": round(100 * interval[1], 2), "text": between(interval, seen=part > 0)}


def _lines(subject: Subject, report: Report) -> Iterator[Mapping[str, Any]]:
    """Yield the sentences of the book: where, in whose words, what covers them, what was found."""
    assert subject.compiled is not None
    numbers: dict[str, list[int]] = {}
    for number, finding in enumerate(report.findings, 1):
        for name in dict.fromkeys(each for one in finding.whole for each in one.clauses):
            numbers.setdefault(name, []).append(number)
    for one in trace(subject.compiled).sentences:
        clauses = [clause for name in one.clauses if (clause := subject.clause(name)) is not None]
        yield {
            "where": lines_text((one.line, one.line), (one.place,)),
            "own": subject.sentence(one.line, one.place),
            "clauses": [(each.id, each.says, each.kind) for each in clauses],
            "findings": sorted({n for name in one.clauses for n in numbers.get(name, ())}),
        }
