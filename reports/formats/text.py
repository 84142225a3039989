"""A verification's report for people: a summary, the findings, and what else was done."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ...checker.judge.results import CLASSES, LEVELS
from ...model.plays.documents import is_list, is_object
from ...model.plays.moves import many
from ..blocks.classes import HEADS
from ..blocks.finding import finding_lines
from ..blocks.paper import Paper, cut
from ..blocks.subject import Subject

if TYPE_CHECKING:
    from ...checker.judge.results import Explored, Holds, Report
    from ...model.lowering.compile import Compiled

PLAIN = Paper()
SMALLER = "Only in a smaller game"
"""The heading of what was neither seen nor proved at the printed size."""


def text(report: Report, compiled: Compiled | None = None, *, paper: Paper = PLAIN) -> str:
    """Write a report; with the compiled game at hand, with paraphrases, encodings and boards."""
    subject = Subject(compiled)
    out = [*_summary(report, paper), ""]
    for number, finding in enumerate(report.findings, 1):
        if number == len(report.counting) + 1:
            out += [paper.heading(SMALLER), ""]
        out += [paper.style(paper.rule(), "dim")]
        out += finding_lines(finding, subject, paper, number=number, explored=report.explored)
        out += [""]
    if report.findings:
        out += [paper.style(paper.rule(), "dim")]
    for title, lines in (
        ("Questions for the author", _questions(report, paper)),
        ("Harmless open points", _harmless(report, paper)),
        ("Holds", _holds(report.holds, paper)),
        ("Not checked", _not_checked(report, paper)),
        ("Coverage", _coverage(report, paper)),
    ):
        if lines:
            out += [paper.heading(title), *lines, ""]
    return "\n".join(out).rstrip("\n") + "\n"


# ---------------------------------------------------------------------- summary


def _summary(report: Report, paper: Paper) -> list[str]:
    name = report.title if report.title == report.game else f"{report.title} ({report.game})"
    out = [paper.heading(f"{name}: {headline(report)}")]
    out += paper.wrap(settings_text(report), "  ")
    for level in LEVELS:
        at = [f for f in report.counting if f.level == level]
        if at:
            kinds = [cls for cls in CLASSES if any(f.cls == cls for f in at)]
            shown = ", ".join(f"{sum(f.cls == cls for f in at)} {cls}" for cls in kinds)
            out += paper.wrap(
                f"{len(at):>3} {_what(HEADS[level], len(at))}: {shown}", "  ", " " * 6
            )
    smaller = len(report.findings) - len(report.counting)
    if smaller:
        out += paper.wrap(f"{smaller:>3} only in a smaller game; they do not count", "  ", " " * 6)
    out += [
        "",
        paper.heading("What was checked, and how far"),
        *explored_lines(report.explored, paper),
    ]
    done = [
        many(len(report.holds), "check holds", "checks hold"),
        many(len(report.harmless), "open point is harmless", "open points are harmless"),
        many(len(report.not_checked), "thing was not checked", "things were not checked"),
    ]
    return [*out, *paper.wrap("; ".join(done), "  ")]


def headline(report: Report) -> str:
    """Say how many findings there are that count."""
    number = len(report.counting)
    return many(number, "finding") if number else "nothing found"


def _what(head: str, number: int) -> str:
    """Put what hangs on findings into the plural: `decides who wins`, `decide who wins`."""
    if number == 1:
        return head
    verb, _, rest = head.partition(" ")
    plural = {"is": "are", "decides": "decide", "changes": "change"}
    return f"{plural.get(verb, verb)} {rest}"


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


def explored_lines(explored: Sequence[Explored], paper: Paper, indent: str = "  ") -> list[str]:
    """Write a table of explorations."""
    if not explored:
        return [f"{indent}no scope was explored"]
    head = ["scope", "states", "transitions", "depth", "final", "complete"]
    rows = [
        [
            one.scope, f"{one.states:,}", f"{one.transitions:,}", str(one.depth), f"{one.final:,}",
            "yes" if one.complete else f"no: {one.stop or 'stopped'}",
        ]
        for one in explored
    ]  # fmt: skip
    rows = [[paper.clean(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in (head, *rows)) for i in range(len(head))]

    def line(row: Sequence[str]) -> str:
        cells = [
            row[0].ljust(widths[0]),
            *(c.rjust(w) for c, w in zip(row[1:5], widths[1:5], strict=True)),
            row[5],
        ]
        return (indent + "  ".join(cells)).rstrip()

    return [paper.style(line(head), "bold"), *(line(row) for row in rows)]


# ---------------------------------------------------------------------- the rest


def _questions(report: Report, paper: Paper) -> list[str]:
    out: list[str] = []
    for number, question in enumerate(questions(report), 1):
        out += paper.wrap(question.asks, f"{number:>3}. ")
        for reading, then in question.answers:
            out += paper.wrap(f"{reading}: {then}" if then else reading, "     - ", "       ")
    return out


@dataclass(frozen=True, slots=True)
class Asked:
    """A question for the author, and what follows from each answer: (reading, outcome)."""

    asks: str
    answers: tuple[tuple[str, str], ...]


def questions(report: Report) -> tuple[Asked, ...]:
    """Read the questionnaire of a report."""
    found: list[Asked] = []
    for question in report.questions:
        if not is_object(question):
            continue
        listed = question.get("answers")
        answers = [each for each in listed if is_object(each)] if is_list(listed) else []
        found.append(
            Asked(
                str(question.get("asks", "")),
                tuple((str(a.get("reading", "")), str(a.get("then", ""))) for a in answers),
            )
        )
    return tuple(found)


def _harmless(report: Report, paper: Paper) -> list[str]:
    """List what is harmless in two lines each; other formats give the reasons in full."""
    out: list[str] = []
    for each in report.harmless:
        lines = paper.wrap(f"{each.open_point} ({each.method}): {each.why}", "  - ", "    ")
        if len(lines) > 2:
            dots = " …" if paper.unicode else " ..."
            lines = [lines[0], cut(f"{lines[1]}{dots}", paper.width, dots)]
        out += lines
    return out


def grouped(holds: Iterable[Holds]) -> dict[tuple[str, str, str], list[str]]:
    """Group what holds by what was checked, how, and where."""
    found: dict[tuple[str, str, str], list[str]] = {}
    for each in holds:
        found.setdefault((each.what, each.method, each.scope), []).append(each.clause)
    return found


def _holds(holds: Iterable[Holds], paper: Paper) -> list[str]:
    out: list[str] = []
    for (what, method, scope), clauses in grouped(holds).items():
        named = f": {', '.join(filter(None, clauses))}" if any(clauses) else ""
        out += paper.wrap(f"{what} ({method}; {scope}){named}", "  - ", "    ")
    return out


def _not_checked(report: Report, paper: Paper) -> list[str]:
    out: list[str] = []
    for each in report.not_checked:
        out += paper.wrap(f"{each.what}: {each.why}", "  - ", "    ")
    return out


def coverage_rows(report: Report) -> tuple[tuple[str, int, int], ...]:
    """List what was covered, of how much."""
    c = report.coverage
    return (
        ("sentences traced to clauses", c.traced, c.sentences),
        ("clauses exercised", c.exercised, c.clauses),
        ("nodes of the machine reached", c.nodes_reached, c.nodes),
        ("edges of the machine taken", c.edges_taken, c.edges),
        ("silences that words or other clauses decide", c.marked, c.silences),
    )


def _coverage(report: Report, paper: Paper) -> list[str]:
    return [
        paper.clean(f"{name}: {done} of {total}").join(("  ", ""))
        for name, done, total in coverage_rows(report)
    ]
