"""A report as a Markdown document: what `text` shows at a terminal, with nothing left out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from ...model.plays.documents import is_object
from ...model.source.errors import printable
from ..blocks.boards import board_of
from ..blocks.classes import HEADS, words
from ..blocks.finding import (
    effects,
    encoded,
    favours,
    following,
    how_far,
    how_often,
    smaller,
)
from ..blocks.plays import PlayLine, common, play_lines
from ..blocks.subject import Subject, lines_text
from .text import SMALLER, coverage_rows, grouped, headline, questions, settings_text

if TYPE_CHECKING:
    from ...checker.judge.results import Finding, Report
    from ...model.lowering.compile import Compiled


def markdown(report: Report, compiled: Compiled | None = None) -> str:
    """Write a report."""
    subject = Subject(compiled)
    out = [f"# {md(report.title)}: {headline(report)}", "", md(settings_text(report)), ""]
    out += _summary(report)
    for place, finding in enumerate(report.findings, 1):
        if place == len(report.counting) + 1:
            out += [f"# {SMALLER}", "", "They do not count.", ""]
        out += _finding(finding, subject, report, place)
    out += _rest(report)
    return "\n".join(out).rstrip("\n") + "\n"


# ---------------------------------------------------------------------- characters


def md(text: str) -> str:
    """Escape what Markdown would take for markup; words between backticks stay code."""
    shown = printable(" ".join(text.split()))
    parts = shown.split("`")
    if len(parts) % 2 == 0:
        return _escaped(shown)
    return "".join(
        _escaped(part) if i % 2 == 0 else f"`{part}`" if part else ""
        for i, part in enumerate(parts)
    )


def sentence(text: str) -> str:
    """Write text as a sentence of its own: a capital first, a full stop last."""
    shown = md(text)
    return _capital(shown) + ("" if shown.endswith((".", "?", "!")) else ".")


def _escaped(text: str) -> str:
    text = re.sub(r"([\\`*_\[\]<>|#~])", r"\\\1", text)
    return re.sub(r"^(\d+)([.)])(?=\s)", r"\1\\\2", text)


def _capital(shown: str) -> str:
    return shown[:1].upper() + shown[1:]


def _code(name: str) -> str:
    return f"`{printable(name)}`" if "`" not in name else md(name)


def _cell(text: str) -> str:
    """Fit text into a table, where a bar ends the cell even inside code."""
    return re.sub(r"(?<!\\)\|", r"\\|", text)


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Write a table of finished cells."""
    lines = [f"| {' | '.join(head)} |", f"|{'---|' * len(head)}"]
    lines += [f"| {' | '.join(_cell(cell) for cell in row)} |" for row in rows]
    return [*lines, ""]


def fenced(lines: Sequence[str]) -> list[str]:
    """Put lines into a fence that none of them can close."""
    longest = max((len(run) for line in lines for run in re.findall("`+", line)), default=0)
    fence = "`" * max(3, longest + 1)
    shown = [printable(line) for line in lines]
    return [fence, *shown, fence, ""]


# ---------------------------------------------------------------------- parts


def _summary(report: Report) -> list[str]:
    out: list[str] = []
    if report.counting:
        out += table(
            ["", "finding", "class", "it"],
            [
                [
                    str(i),
                    f"[{_capital(md(f.title))}](#finding-{i})",
                    _code(f.cls),
                    md(HEADS[f.level]),
                ]
                for i, f in enumerate(report.counting, 1)
            ],
        )
    out += ["## What was checked, and how far", ""]
    out += table(
        ["scope", "states", "transitions", "depth", "final", "complete"],
        [
            [
                _code(one.scope), f"{one.states:,}", f"{one.transitions:,}", str(one.depth),
                f"{one.final:,}", "yes" if one.complete else f"no: {md(one.stop)}",
            ]
            for one in report.explored
        ],
    ) if report.explored else ["No scope was explored.", ""]  # fmt: skip
    out += table(
        ["covered", "", "of"],
        [[name, str(done), str(total)] for name, done, total in coverage_rows(report)],
    )
    return out


def _finding(finding: Finding, subject: Subject, report: Report, number: int) -> list[str]:
    about = words(finding.cls)
    out = [f'<a id="finding-{number}"></a>', "", f"## {number}. {_capital(md(finding.title))}", ""]
    out += [f"**{about.name}** ({_code(finding.cls)}). {about.means}", ""]
    out += [f"It {HEADS[finding.level]} (level {finding.level}, {finding.observable.name}).", ""]
    out += [sentence(smaller(finding)), ""] if finding.only_smaller else []
    out += [sentence(finding.explanation), ""] if finding.explanation else []
    if finding.consequences:
        out += ["### Follows from it", ""]
        out += [f"- {md(following(each))} ({_code(each.id)})" for each in finding.consequences]
        out += [""]
    out += _position(finding, subject)
    out += _plays(finding, subject)
    if finding.readings:
        out += ["### Outcomes", ""]
        out += table(
            ["reading", "what happens", "favours"],
            [
                [md(r.title), md(r.outcome), md(favours(r).removeprefix("favours "))]
                for r in finding.readings
            ],
        )
    out += _clauses(finding, subject)
    if encoded(finding):
        out += ["### As encoded", "", *(f"- {md(text)}" for text in encoded(finding)), ""]
    out += _ways_out(finding)
    out += ["### How far", "", sentence(how_far(finding, report.explored)), ""]
    if finding.frequency is not None:
        out += [sentence(how_often(finding.frequency)), ""]
    return [*out, f"Finding {_code(finding.id)}.", ""]


def _position(finding: Finding, subject: Subject) -> list[str]:
    position = finding.evidence.position
    if not is_object(position):
        return []
    board = board_of(position, subject.compiled, focus=subject.focus(finding.clauses))
    out = ["### Position", ""]
    if board.rows and board.players:
        out += table(
            ["", *map(md, board.players)],
            [[md(row.name), *(md(cell) or "–" for cell in row.cells)] for row in board.rows],
        )
    out += [f"- {md(entry.name)}: {md(entry.text)}" for entry in board.shared]
    out += [""] if board.shared else []
    return [*out, sentence(board.turn), ""] if board.turn else out


def _plays(finding: Finding, subject: Subject) -> list[str]:
    smaller: list[str] = []
    for each in finding.evidence.plays:
        if each.scope:
            smaller += [f"In a smaller game (scope {_code(each.scope)}):", ""]
            smaller += [*_moves(play_lines(each.play, subject)), ""]
    plays = [each for each in finding.evidence.plays if not each.scope]
    if not plays:
        return smaller
    out = ["### Play at the printed size" if smaller else "### Shortest play", ""]
    told = [play_lines(each.play, subject) for each in plays]
    shared = common([each.play for each in plays]) if len(plays) > 1 else 0
    if len(plays) == 1:
        return [*out, *_moves(told[0]), "", *smaller]
    out += [*_moves([line for line in told[0] if line.first and line.last <= shared]), ""]
    for shown, lines in zip(plays, told, strict=True):
        rest = [line for line in lines if not line.first or line.last > shared]
        if rest:
            out += [f"Under {_code(shown.reading)}:", "", *_moves(rest), ""]
    return out + smaller


def _moves(lines: Sequence[PlayLine]) -> list[str]:
    return [
        f"- {line.number}. {md(line.text)}" if line.number else f"  - *{md(line.text)}*"
        for line in lines
    ]


def _clauses(finding: Finding, subject: Subject) -> list[str]:
    names = list(dict.fromkeys((*finding.clauses, *finding.evidence.core)))
    if not names:
        return []
    places = {source.clause: source for source in finding.sources}
    out = ["### Clauses", ""]
    for name in names:
        source = places.get(name)
        where = subject.cited(name) or (lines_text(source.lines) if source else "")
        file = f", {_code(source.file)}" if source else ""
        out += [f"{_code(name)}{file}{f', {where}' if where else ''}", ""]
        out += [f"> {md(subject.says(name))}", ""] if subject.says(name) else []
        code = subject.encoding(name)
        out += fenced(code) if code else []
    return out


def _ways_out(finding: Finding) -> list[str]:
    if not finding.ways_out:
        helps = words(finding.cls).helps
        return ["### Ways out", "", f"- {helps}", ""] if helps else []
    out = ["### Ways out", ""]
    for way in finding.ways_out:
        text = md(way.text)
        if way.adopt:
            text += " (" + ", ".join(_code(f"{p}={r}") for p, r in way.adopt.items()) + ")"
        out.append(f"- {'; '.join((text, *map(md, effects(way))))}")
    return [*out, ""]


def _rest(report: Report) -> list[str]:
    out: list[str] = []
    if report.questions:
        out += ["## Questions for the author", ""]
        for number, question in enumerate(questions(report), 1):
            out += [f"{number}. {md(question.asks)}"]
            out += [f"   - {_code(reading)}: {md(then)}" for reading, then in question.answers]
        out += [""]
    if report.harmless:
        out += ["## Harmless open points", ""]
        out += [f"- {_code(h.open_point)}: {md(h.why)} ({h.method})" for h in report.harmless] + [
            ""
        ]
    if report.holds:
        out += ["## Holds", ""]
        for (what, method, scope), names in grouped(report.holds).items():
            named = f": {', '.join(map(_code, filter(None, names)))}" if any(names) else ""
            out += [f"- {md(what)} ({method}; {md(scope)}){named}"]
        out += [""]
    if report.not_checked:
        out += ["## Not checked", ""]
        out += [f"- {md(n.what)}: {md(n.why)}" for n in report.not_checked] + [""]
    return out
