"""A report as a Markdown document: the pages of the findings, and all else as an appendix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from ...checker.findings.results import Finding, Report
from ...model.lowering.compile import Compiled
from ...model.plays.documents import is_object
from ...model.source.errors import printable
from ...model.source.outline import lines_text
from ..appendix.holds import answered
from ..appendix.section import Section
from ..appendix.sections import coverage_rows, sections
from ..blocks.assumed import HEAD, TABLE, WHAT, all_assumed, assumed_rows
from ..blocks.boards import Board
from ..blocks.classes import PARTS, begins, by_place, effect, origin
from ..blocks.finding import effects, encoded, favours, how_far, ways_of
from ..blocks.groups import PlayGroup, play_groups
from ..blocks.measures import changes, comes_up, counts, named_modes, short_modes
from ..blocks.page import DRAFTS, Page, PageAnswer, in_print, pages_of
from ..blocks.plays import PlayLine, abridged
from ..blocks.subject import Subject
from .text import (
    EXPLORED,
    checked_text,
    explored_rows,
    headline,
    settings_text,
)

HEADINGS = ["", "finding", "effect"]
LINK = "[What is assumed of cards](#assumed)"
"""Leads from findings to the table of it."""


def markdown(report: Report, compiled: Compiled | None = None, *, book: str = "") -> str:
    """Write a report; `book` is the rulebook's own text, which is quoted beside our paraphrases."""
    subject = Subject(compiled, book, report.assumed, report.findings)
    out = [f"# {md(report.title)}: {headline(report)}", "",
           f"{sentence(settings_text(report))} [How far this goes](#checked)", ""]
    assumed = all_assumed(subject)
    out += [f"{md(assumed)} {LINK}", ""] if assumed else []
    out += [*_summary(report), *_linked(answered(subject)),
            '<a id="checked"></a>', "", "## How far this goes", "",
            sentence(checked_text(report, subject)), "", *_by_place(report)]
    for place, page in enumerate(pages_of(report, subject), 1):
        if (part := begins(report, place)) is not None:
            out += [f"# {part.title}", "", part.why, ""]
        out += _page(page, place)
    out += _appendix(report, subject)
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


def html(text: str) -> str:
    """Escape text for HTML inside the document."""
    return escape(printable(" ".join(text.split())))


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
    def row(number: int, each: Finding) -> list[str]:
        return [str(number), f"[{_capital(md(each.title))}](#finding-{number})",
                effect(each), comes_up(each, short=short), changes(each)]

    out: list[str] = []
    short = short_modes(report.rated)
    shares = counts(report)
    for name, part in (("", None), *PARTS.items()):
        some = [(number, each) for number, each in enumerate(report.findings, 1)
                if each.part == name]
        if part is not None and some:
            out += [f"## {part.title}", "", part.why, ""]
        if some and name == "smaller":
            out += table([*HEADINGS, "in the printed game"], [
                [*row(*one)[:-2], md(in_print(one[1]))] for one in some])
        elif some:
            rows = [row(*one) for one in some]
            out += table([*HEADINGS, "shows in", "changes who wins in"], rows)
            modes = named_modes([each for _, each in some], short)
            out += [modes, ""] * bool(modes)
            if shares and any("".join(one[-2:]) for one in rows):
                out += [shares, ""]
                shares = ""
    return out


def _linked(section: Section) -> list[str]:
    """Say how many lines a section of the appendix has, with a link to it; nothing if none."""
    told = f"{len(section.lines)}, {section.each}."
    return [f"[{section.title}](#{section.anchor}): {told}", ""] if section.lines else []


def _by_place(report: Report) -> list[str]:
    """List the findings by the lines of the book, where answers to several belong together."""
    def link(number: int, lines: tuple[int, int]) -> str:
        one, told = report.findings[number - 1], f"[{number}](#finding-{number})"
        return f"**{told}**" if one.readings and one.sources[0].lines == lines else told

    rows = [[lines_text(lines), ", ".join(link(each, lines) for each in numbers)]
            for lines, numbers in by_place(report)]
    lead = ("What is about the same lines can be answered there together. In bold stand the "
            "findings whose answers belong there.")
    return ["## By line of the book", "", lead, "", *table(["", "findings"], rows)] if rows else []


def _page(page: Page, number: int) -> list[str]:
    """Write the page of a finding."""
    out = [f'<a id="finding-{number}"></a>', "", f"## {number}. {_capital(md(page.asks))}", ""]
    out += [f"**{page.kind}**; {page.matters}. [What stands behind it](#behind-{number})", ""]
    out += [line for text in page.told for line in (sentence(text), "")]
    if page.table:
        head, *rows = ([md(cell) for cell in row] for row in page.table)
        out += table(head, rows)
    out += _answers(page.answers)
    out += _board(page.board, "Situation", page.where) if page.board is not None else []
    out += ["### Play", "", *_group(page.play)] if page.play is not None else []
    for case in page.cases:
        out += [f"### {_capital(case.lead)}", "", *_answers(case.answers)]
        out += _board(case.board, where=[case.where] * bool(case.where)) if (
            case.board is not None) else []
    out += _passages(page)
    out += ["### What helps", "", page.helps, ""] if page.helps else []
    if page.drafts:
        out += [DRAFTS, "", *(f"- **{md(name)}**: “{md(text)}”" for name, text in page.drafts), ""]
    if page.follows:
        out += ["### To settle with it", "", *(f"- {md(text)}" for text in page.follows), ""]
    if page.beside:
        out += ["### Also open in these sentences", "", *(f"- {md(text)}" for text in page.beside),
                ""]
    often = [*map(md, page.often), *[f"{md(page.assumed)} {LINK}"] * bool(page.assumed),
             *[md(page.far)] * bool(page.far)]
    return out + ["### How often, and how far", ""] * bool(often) + [
        line for text in often for line in (text, "")]


def _answers(answers: Sequence[PageAnswer]) -> list[str]:
    gain = any(each.gains for each in answers)
    return table(["answer", "what it comes to", *["favours"] * gain], [
        [f"**{md(each.title)}**", md(each.then), *[md(favours(each.gains)[8:])] * gain]
        for each in answers]) if answers else []


def _passages(page: Page) -> list[str]:
    """Quote the book's own words, where they are known, apart from our paraphrases."""
    out: list[str] = []
    for each in page.passages:
        for text in each.own:
            out += [f"> {md(text)}", ""]
        out += [f"{_capital(md(each.lead))}: *{md(each.ours)}*" if each.ours else md(each.where),
                ""]
    return ["### The book", "", *out] if out else []


def _board(board: Board, title: str = "", where: Sequence[str] = ()) -> list[str]:
    out = [*[f"### {title}", ""] * bool(title),
           *(line for text in where for line in (sentence(text), ""))]
    if board.rows and board.players:
        out += table(
            ["", *map(md, board.players)],
            [[md(row.name), *(md(cell) or "–" for cell in row.cells)] for row in board.rows],
        )
    out += [f"- {md(entry.name)}: {md(entry.text)}" for entry in board.shared]
    out += [""] if board.shared else []
    return [*out, *(line for text in (board.lately, board.turn) if text
                    for line in (sentence(text), ""))]


def _behind(finding: Finding, subject: Subject, report: Report, number: int) -> list[str]:
    """Write what stands behind a finding, folded."""
    out = [f'<a id="behind-{number}"></a>', "", "<details>",
           f"<summary>{number}. {html(_capital(finding.title))}</summary>", ""]
    about = (f"{_code(finding.id)}: {effect(finding)} (level {finding.level}). "
             f"{sentence(origin(finding, subject))}")
    out += [about, ""]
    out += _plays(finding, subject)
    if finding.readings:
        names = [f"{_code(f'{finding.open_point}={each.id}')}: {md(each.title)}"
                 for each in finding.readings]
        out += ["### Answers as rulings", "", *(f"- {name}" for name in names), ""]
    out += _clauses(finding, subject)
    if encoded(finding):
        out += ["### As encoded", "", *(f"- {md(text)}" for text in encoded(finding)), ""]
    out += _ways_out(finding)
    return [*out, "### How far", "", sentence(how_far(finding, report.explored)), "",
            "</details>", ""]


def _plays(finding: Finding, subject: Subject) -> list[str]:
    groups = play_groups(finding.evidence, subject, finding.readings)
    if not groups:
        return []
    out = ["### Play" if finding.evidence.method == "sampled" else "### Shortest play", ""]
    parted = finding.evidence.details.get("first_difference")
    at = parted.get("depth") if is_object(parted) else 0
    for number, group in enumerate(groups):
        out += _group(group, 0 if number or not isinstance(at, int) else at)
    return out


def _group(group: PlayGroup, at: int = 0) -> list[str]:
    """Write plays to a situation; `at` is the move that is told wherever it stands."""
    out = [sentence(group.where), ""] if group.where else []
    out += [*_moves(group.shared, at), ""] if group.shared else []
    for answer, rest in group.parts:
        out += [f"Under {md(answer)}:", "", *_moves(rest), ""]
    return out


def _moves(lines: Sequence[PlayLine], at: int = 0) -> list[str]:
    return [
        f"- {line.number}. {md(line.text)}" if line.number else f"  - *{md(line.text)}*"
        for line in abridged(lines, at)
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
        code = subject.encoding(name)
        out += fenced(code) if code else []
    return out


def _ways_out(finding: Finding) -> list[str]:
    ways = ways_of(finding)
    if not ways:
        return []
    out = ["### Ways out", ""]
    for way in ways:
        text = md(way.text)
        if way.adopt:
            text += " (" + ", ".join(_code(f"{p}={r}") for p, r in way.adopt.items()) + ")"
        out.append(f"- {'; '.join((text, *map(md, effects(way, finding))))}")
    return [*out, ""]


def _appendix(report: Report, subject: Subject) -> list[str]:
    out = ["# Appendix", ""]
    out += ["## What stands behind the findings", ""] if report.findings else []
    for number, finding in enumerate(report.findings, 1):
        out += _behind(finding, subject, report, number)
    rows = assumed_rows(report.findings, subject)
    out += ['<a id="assumed"></a>', "", f"## {TABLE}", "", WHAT, "", *table(
        HEAD, [[md(cell) for cell in row] for row in rows])] if rows else []
    out += ["## What was explored", ""]
    out += table(EXPLORED, [[_code(scope), *map(md, rest)] for scope, *rest
                            in explored_rows(report.explored)]) if report.explored else [
        "No scope was explored.", ""]
    covered = coverage_rows(report, subject)
    out += table(["covered", "", "of"], [[name, str(done), str(total)]
                                         for name, done, total, _ in covered])
    out += [f"- {sentence(left)}" for *_, left in covered if left]
    out += [""] if any(left for *_, left in covered) else []
    for one in sections(report, subject):
        out += [f'<a id="{one.anchor}"></a>', ""] * bool(one.anchor)
        out += [f"## {one.title}", "", *(f"- {sentence(line)}" for line in one.lines),
                *[""] * bool(one.lines)]
        for fold in one.folds:
            out += [f"<details><summary>{html(fold.counted)}</summary>", "",
                    *(f"- {md(line)}" for line in fold.lines), "", "</details>", ""]
    return out
