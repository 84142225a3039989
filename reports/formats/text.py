"""A verification's report for people: a summary, the findings, and what else was done."""

from __future__ import annotations

from collections.abc import Sequence

from ...checker.findings.results import TEXT, WINNER, Explored, Report
from ...model.game.game import PRINTED
from ...model.lowering.compile import Compiled
from ...model.plays.wording import many
from ..appendix.section import Section
from ..appendix.sections import (
    checked_counts,
    coverage_rows,
    players_text,
    reach_text,
    sections,
    sentences_text,
)
from ..blocks.assumed import TABLE, all_assumed
from ..blocks.classes import begins, counted, origins
from ..blocks.finding import assumed_lines, evidence_lines, finding_lines
from ..blocks.measures import comes_up
from ..blocks.page import AGAIN, PAGES, pages_of
from ..blocks.paper import Paper, cut
from ..blocks.subject import Subject

PLAIN = Paper()
EXPLORED = ("scope", "states", "transitions", "depth", "final", "complete")
"""What is told of each exploration."""


def text(
    report: Report, compiled: Compiled | None = None, *, paper: Paper = PLAIN, book: str = ""
) -> str:
    """Write a report: the first screen, the pages of the findings, and all else as an appendix.

    With the compiled game at hand, with paraphrases, encodings and boards; `book` is the rulebook's
    own text.
    """
    subject = Subject(compiled, book, report.assumed, report.findings)
    out = [*screen(report, paper, subject=subject), ""]
    assumed = all_assumed(subject)
    out += [*paper.wrap(assumed, "  "), ""] if assumed else []
    for number, page in enumerate(pages_of(report, subject), 1):
        if (part := begins(report, number)) is not None:
            out += [paper.heading(part.title), "", *paper.wrap(part.why), ""]
        out += [paper.style(paper.rule(), "dim")]
        out += finding_lines(page, paper, number=number)
        out += [""]
    if report.findings:
        out += [paper.style(paper.rule(), "dim")]
    for title, lines in _appendix(report, subject, paper):
        if lines:
            out += [paper.heading(title), *lines, ""]
    return "\n".join(out).rstrip("\n") + "\n"


def _appendix(report: Report, subject: Subject, paper: Paper) -> list[tuple[str, list[str]]]:
    """List the sections behind the pages."""
    return [
        *((f"What stands behind finding {number}",
           evidence_lines(each, subject, paper, explored=report.explored, whole=False))
          for number, each in enumerate(report.findings, 1)),
        (TABLE, assumed_lines(report.findings, subject, paper)),
        ("What was explored", explored_lines(report.explored, paper)),
        *((one.title, _section(one, paper)) for one in sections(report, subject)),
        ("Coverage", _coverage(report, subject, paper)),
    ]


# ---------------------------------------------------------------------- summary


def screen(
    report: Report, paper: Paper, *, most: int = PAGES, source: str = "",
    subject: Subject = Subject(),  # noqa: B008  (immutable)
) -> list[str]:
    """Write the first screen: what was checked, and the findings, the worst first.

    `most` bounds these; `source` is how the user names the game and what was chosen of it,
    for the commands that show more; without it none are told.
    """
    name = report.title if report.title == report.game else f"{report.title} ({report.game})"
    out = [paper.heading(line) for line in paper.wrap(f"{name}: {headline(report)}")]
    out += paper.wrap(settings_text(report), "  ")
    out += paper.wrap(f"{checked_text(report, subject)}.", "  ")
    main = [each for each in report.findings if not each.part]
    if main:
        out += ["", *map(paper.heading, paper.wrap(
            "The worst first: what each can change, and how often"))]
        parts = [comes_up(each, brief=True) or "not counted" * (each.observable != TEXT)
                 for each in main[:most]]
        wide = max(map(len, parts))
        for number, (each, part) in enumerate(zip(main, parts, strict=False), 1):
            what = "ends" if each.ends_only else "wins" if each.observable == WINNER else (
                "text" if each.observable == TEXT else "play")
            lead = f"{number:>3}. {what}  " + f"{part:>{wide}}  " * bool(wide)
            out += paper.wrap(each.title, lead, " " * 5) if paper.narrow else [
                cut(f"{lead}{paper.clean(each.title)}", paper.width,
                    "…" if paper.unicode else "...")]
        out += [f"     and {len(main) - most} more"] if len(main) > most else []
    behind = [f"{number} {part.noun}" for part, number in counted(report)]
    out += ["", *paper.wrap(f"Behind these: {', '.join(behind)}.")] if behind else []
    if source and report.findings:
        out += ["", *_command("one of them   ", f"ruleproof explain {source} 1", paper),
                *_command("all of them   ", f"ruleproof verify {source} --full", paper),
                *_command("as a page     ", f"ruleproof verify {source} --format html -o page.html",
                          paper)]
    return out


def _command(what: str, text: str, paper: Paper) -> list[str]:
    """Write a command to be copied; on narrow paper over lines that a shell takes as one."""
    if not paper.narrow:
        return [f"{what}{text}"]
    lines = [text] if len(text) + 2 <= paper.width else text.replace(" --", " \\\n--").split("\n")
    return [what.rstrip(), *(f"  {line}" for line in lines)]


def checked_text(report: Report, subject: Subject = Subject()) -> str:  # noqa: B008  (immutable)
    """Say in a sentence what was checked, and how far."""
    explored = report.explored
    game = "game" if any(one.scope == PRINTED for one in explored) else "small game"
    holds, harmless, left = checked_counts(report, subject)
    parts = [f"{many(len(explored), game)} explored, {_how_far(explored)}"
             if explored else "nothing explored"]
    parts += [text for text in (reach_text(report), sentences_text(report, subject)) if text]
    parts += [f"{many(number, one, several)} {rest}" for number, one, several, rest in (
        (holds, "check holds", "checks hold", ""),
        (harmless, "open point", "open points", "made no difference"),
        (left, "thing was", "things were", "not checked")) if number]
    parts += [text for text in (_lost(report), origins(report.findings)) if text]
    more = [players_text(report, each) for each in report.not_checked if each.kind == "players"]
    shown = [each.evidence for each in report.everything if each.evidence.plays]
    more += [AGAIN] if shown and all(each.replayed for each in shown) else []
    return ". ".join(("; ".join(part.rstrip() for part in parts),
                      *(each[:1].upper() + each[1:] for each in more)))


def _how_far(explored: Sequence[Explored]) -> str:
    """Say how many games were explored completely, and how many as far as a limit."""
    parts = [(some, f"{how} ({many(sum(one.states for one in some), 'situation')})")
             for done, how in ((True, "completely"), (False, "as far as a limit"))
             if (some := [one for one in explored if one.complete == done])]
    if len(parts) == 1:
        return "all of them " * (len(explored) > 1) + parts[0][1]
    return " and ".join(f"{len(some)} of them {told}" for some, told in parts)


def _lost(report: Report) -> str:
    """Say how many rules rest on print that is lost, and in which lines; "" if none does."""
    found = [each.lines for each in report.not_checked if each.lines is not None]
    if not found:
        return ""
    *spans, last = (f"{first}" if first == end else f"{first} to {end}"
                    for first, end in sorted({*found}))
    where = f"{', '.join(spans)} and {last}" if spans else last
    return (f"{many(len(found), 'rule rests', 'rules rest')} on print that is lost in "
            f"{'line' if where.isdecimal() else 'lines'} {where}")


def headline(report: Report) -> str:
    """Say how many findings the main list has, and how many each part behind it."""
    number = sum(not each.part for each in report.findings)
    more = [f"{number} {part.noun}" for part, number in counted(report)]
    first = many(number, "finding") if number else "nothing found"
    return ", and ".join(filter(None, (first, ", ".join(more))))


def settings_text(report: Report) -> str:
    """Say with which settings a report was made."""
    chosen = report.settings
    parts: list[str] = []
    if chosen.get("players"):
        parts.append(many(chosen["players"], "player"))
    scope = chosen.get("scope")
    if scope and scope != "printed":
        parts.append(f"scope {scope}")
    if chosen.get("variants"):
        parts.append(f"variants {', '.join(chosen['variants'])}")
    if chosen.get("rulings"):
        parts.append("ruled " + ", ".join(f"{p}={r}" for p, r in chosen["rulings"].items()))
    if chosen.get("cards"):
        parts.append(f"cards of {chosen['cards']}")
    return f"{', '.join(parts)}; spec {report.spec_sha256[:12]}, ruleproof {report.version}"


def explored_rows(explored: Sequence[Explored]) -> list[list[str]]:
    """Write what was explored of each scope as the cells of a row."""
    return [[one.scope, f"{one.states:,}", f"{one.transitions:,}", str(one.depth),
             f"{one.final:,}", "yes" if one.complete else f"no: {one.stop or 'stopped'}"]
            for one in explored]


def explored_lines(explored: Sequence[Explored], paper: Paper) -> list[str]:
    """Write a table of explorations."""
    if not explored:
        return ["  no scope was explored"]
    rows = [[paper.clean(cell) for cell in row] for row in explored_rows(explored)]
    if paper.narrow:
        return [line for row in rows for line in paper.wrap(", ".join(
            f"{name} {cell}" for name, cell in zip(EXPLORED, row, strict=True)), "  ")]
    widths = [max(map(len, column)) for column in zip(EXPLORED, *rows, strict=True)]

    def line(row: Sequence[str]) -> str:
        cells = [
            row[0].ljust(widths[0]),
            *(c.rjust(w) for c, w in zip(row[1:5], widths[1:5], strict=True)),
            row[5],
        ]
        return ("  " + "  ".join(cells)).rstrip()

    return [paper.style(line(EXPLORED), "bold"), *(line(row) for row in rows)]


# ---------------------------------------------------------------------- the rest


def _section(one: Section, paper: Paper) -> list[str]:
    """Write what was checked in the words of the book; what is folded is counted.

    Questions that were left open are named, and by the number of a finding that asks them.
    """
    out = paper.items(one.lines)
    for fold in one.folds:
        out += paper.items((fold.counted,))
        for text, number in zip(fold.lines, fold.findings, strict=False):
            told = f"{text} (finding {number})" if number else text
            out += paper.wrap(told, "    · " if paper.unicode else "    * ", "      ")
    return out


def _coverage(report: Report, subject: Subject, paper: Paper) -> list[str]:
    return [line for name, done, total, left in coverage_rows(report, subject)
            for line in paper.wrap(f"{name}: {done} of {total}" + f"; {left}" * bool(left),
                                   "  ", "    ")]
