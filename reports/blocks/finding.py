"""One finding as text: its page of at most `SCREEN` lines, and its part of the appendix in full."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...checker.findings.results import TEXT, Explored, Finding, WayOut
from ...model.plays.wording import many
from .assumed import TABLE, WHAT, assumed_rows
from .boards import Board
from .classes import METHODS, origin, words
from .groups import PlayGroup, play_groups
from .measures import between
from .page import Page, PageAnswer, Passage
from .paper import NARROWEST, Drawn, Paper, cells, draw, pad
from .plays import PlayLine, abridged
from .subject import Subject, lines_text

USUAL = 80
"""The width that numbers of lines are meant for."""
SCREEN = 40
"""So many lines at most has the page of a finding."""
ANSWERS = 16
"""So many lines of what answers come to are not cut."""
SIDE_BY_SIDE = 3
"""So many readings stand side by side; more of them stand below each other."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the screen: its lines, how few it may be cut to, and which of them are kept.

    With `weights`, the lines that matter least go first, of equal ones the later.
    """

    title: str
    lines: Sequence[str]
    least: int = 3
    weights: Sequence[int] = ()


def finding_lines(
    page: Page, paper: Paper, *, number: int = 0, most: int | None = SCREEN,
) -> list[str]:
    """Write the page of a finding, each part cut where it is longest; without `most`, in full."""
    often = [line for text in (*page.often, page.assumed, page.far) if text
             for line in paper.wrap(text, "  ")]
    return _laid_out([
        Part("", _head(page, paper, number), 4),
        Part("", [line for text in page.told for line in paper.wrap(text, "   ")], 1),
        Part("", paper.items(map(": ".join, page.table[1:])), 4),
        _of_answers("Answers", page.answers, paper, ANSWERS),
        _situation("Situation", page.board, paper, page.where),
        Part("Play", [] if page.play is None else _group(page.play, paper, abridged), 4),
        *(part for case in page.cases for part in (
            _of_answers(f"{case.lead[:1].upper()}{case.lead[1:]}", case.answers, paper, 7),
            _situation("", case.board, paper, [case.where] * bool(case.where)))),
        Part("The book", [line for each in page.passages for line in _passage(each, paper)], 5),
        Part("What helps", [
            *(paper.wrap(page.helps, "  ") if page.helps else []),
            *paper.items(f"{title}: “{text}”" for title, text in page.drafts)], 1),
        Part("To settle with it", paper.items(page.follows), 2),
        Part("Also open in these sentences", paper.items(page.beside), 2),
        Part("How often, and how far", often, 3),
    ], most, paper)


def _of_answers(title: str, answers: Sequence[PageAnswer], paper: Paper, least: int) -> Part:
    """Write what answers come to; it is cut last, and not below so many lines."""
    lines = _answers(answers, paper)
    return Part(title, lines, max(3, min(len(lines), least)))


def _situation(title: str, board: Board | None, paper: Paper, where: Sequence[str] = ()) -> Part:
    """Draw a situation; without a board there is none."""
    drawn = [] if board is None else [
        *(Drawn(line, 1) for text in where for line in paper.wrap(
            f"{text[:1].upper()}{text[1:]}.", "  ")), *draw(board, paper)]
    return Part(title, [line.text for line in drawn], 4, [line.weight for line in drawn])


def evidence_lines(
    finding: Finding, subject: Subject, paper: Paper, *, explored: Sequence[Explored] = (),
    whole: bool = True,
) -> list[str]:
    """Write what stands behind a finding: plays, clauses as encoded, ways out, ids; in full.

    Unless plays are told `whole`, the middle of long ones is left out.
    """
    ids = [finding.id, origin(finding, subject)]
    return _laid_out([
        Part("", [line for text in ids for line in paper.wrap(text, "  ")]),
        Part("Play", _play(finding, subject, paper, whole=whole)),
        Part("Clauses", _clauses(finding, subject, paper)),
        Part("As encoded", paper.items(encoded(finding))),
        Part("Ways out", _ways_out(finding, paper)),
        Part(TABLE, assumed_lines((finding,), subject, paper) if whole else []),
        Part("How far", paper.wrap(how_far(finding, explored), "  ")),
    ], None, paper)


def assumed_lines(findings: Sequence[Finding], subject: Subject, paper: Paper) -> list[str]:
    """Write what the plays of findings assume of cards, a card a line; none if they do not."""
    rows = assumed_rows(findings, subject)
    return [*(paper.wrap(WHAT, "  ") if rows else []), *paper.items(map(": ".join, rows))]


def _laid_out(parts: Sequence[Part], most: int | None, paper: Paper) -> list[str]:
    """Write the parts that have lines, with their titles."""
    kept = [part for part in parts if part.lines]
    out: list[str] = []
    for part in kept if most is None else _fitted(kept, most, paper):
        out += [paper.heading(part.title)] if part.title else []
        out += part.lines
    return out


def _fitted(parts: list[Part], room: int, paper: Paper) -> list[Part]:
    """Cut the longest parts until all fit; what was left out is said.

    On narrow paper the same words take more lines, and may.
    """
    more = max(1.0, USUAL / max(paper.width, NARROWEST)) if paper.narrow else 1.0
    limits = [len(part.lines) for part in parts]
    room = round(room * more) - sum(bool(part.title) for part in parts)
    while sum(limits) > room:
        spare = [limit - round(part.least * more)
                 for limit, part in zip(limits, parts, strict=True)]
        if max(spare, default=0) <= 0:
            break
        limits[max(range(len(parts)), key=lambda i: (spare[i] > 0, limits[i], -i))] -= 1
    return [_cut(part, limit, paper) for part, limit in zip(parts, limits, strict=True)]


def _cut(part: Part, limit: int, paper: Paper) -> Part:
    if limit >= len(part.lines):
        return part
    hidden = len(part.lines) - limit + 1
    dots = "…" if paper.unicode else "..."
    note = paper.style(f"  {dots} {many(hidden, 'line')} left out", "dim")
    if part.weights:
        order = sorted(range(len(part.lines)), key=lambda i: (-part.weights[i], i))
        kept = sorted(order[: limit - 1])
        lines = [part.lines[i] for i in kept]
        return Part(part.title, [*lines[:-1], note, *lines[-1:]])
    return Part(part.title, [*part.lines[: limit - 1], note])


# ---------------------------------------------------------------------- parts


def _head(page: Page, paper: Paper, number: int) -> list[str]:
    label = paper.clean(f"{number}. {page.kind}" if number else page.kind)
    level = paper.clean(page.matters)
    color = "red" if page.level <= 2 else "yellow"
    gap = paper.width - cells(label) - cells(level)
    if gap >= 2:
        out = [paper.style(label, "bold") + " " * gap + paper.style(level, color)]
    else:
        out = [
            paper.style(label, "bold"),
            *(paper.style(one, color) for one in paper.wrap(level, "   ")),
        ]
    return out + [paper.style(line, "bold") for line in paper.wrap(page.asks, "   ")]


def _passage(passage: Passage, paper: Paper) -> list[str]:
    """Write a passage: the book's own words in quotes, our paraphrase marked as ours."""
    out = [line for text in passage.own for line in paper.wrap(f"“{text}”", "  ", "    ")]
    return out + (paper.wrap(f"{passage.lead}: {passage.ours}", "  ", "    ")
                  if passage.ours else paper.wrap(passage.where, "  "))


def ways_of(finding: Finding) -> tuple[WayOut, ...]:
    """Return the ways out that say more than the answers do.

    None answers another question: what speaks for or against that is told where it is asked.
    """
    return tuple(way for way in finding.ways_out if not way.adopt or (
        way.adopt.keys() == {finding.open_point} and (way.removes or way.adds)))


def smaller(finding: Finding) -> str:
    """Say of what only a smaller game has that it is so; else ""."""
    if not finding.only_smaller:
        return ""
    shown = finding.evidence.lifted or "neither seen nor proved at the printed size"
    return f"Not seen in the printed game ({finding.evidence.scope}): {shown}."


def following(finding: Finding) -> str:
    """Say what follows from another finding, and why it is told there."""
    return f"{finding.title} ({finding.cls}; {finding.follows})"


def encoded(finding: Finding) -> tuple[str, ...]:
    """Say in the words of the spec what is at fault, as far as that is known."""
    details = finding.evidence.details
    made = [str(details[key]) for key in ("failed", "wrong", "why", "never_true") if key in details]
    if then := details.get("then"):
        made.append("then the clause's `otherwise` is done" if then == "otherwise"
                    else f"then it is as ruled: {then}")
    phrases, suffices = details.get("phrases", ()), details.get("suffices", ())
    if phrases:
        made.append(f"it can do without {', '.join(f'`{each}`' for each in phrases)}")
    if any(suffices):
        made.append("it is enough to keep " + ", or ".join(
            " and ".join(f"`{each}`" for each in some) for some in suffices))
    return (*made, *map(str, details.get("ruled_out", ())))


def _play(finding: Finding, subject: Subject, paper: Paper, *, whole: bool) -> list[str]:
    shown = tuple if whole else abridged
    return [line for group in play_groups(
        finding.evidence, subject, finding.readings)
            for line in _group(group, paper, shown)]


def _group(
    group: PlayGroup, paper: Paper, shown: Callable[[Sequence[PlayLine]], tuple[PlayLine, ...]]
) -> list[str]:
    out = paper.wrap(f"{group.where}:", "  ") if group.where else []
    out += _numbered(shown(group.shared), paper)
    for reading, rest in group.parts:
        out += [*paper.wrap(f"under {reading}:", "  "), *_numbered(shown(rest), paper)]
    return out


def _numbered(lines: Sequence[PlayLine], paper: Paper) -> list[str]:
    wide = max((len(line.number) for line in lines), default=0)
    out: list[str] = []
    for line in lines:
        if line.number:
            out += paper.wrap(line.text, f"  {line.number:>{wide}}. ")
        else:
            mark = "!" if line.fault else " "
            told = paper.wrap(line.text, f"  {'':>{wide}}  {mark} ")
            out += [paper.style(each, "red") for each in told] if line.fault else told
    return out


def _answers(answers: Sequence[PageAnswer], paper: Paper) -> list[str]:
    if not answers:
        return []
    if len(answers) > SIDE_BY_SIDE or paper.width < 60:
        out: list[str] = []
        for each in answers:
            out += paper.wrap(each.title, "  - ")
            out += [line for text in _comes_to(each) for line in paper.wrap(text, "      ")]
        return out
    width = (paper.width - 2 - 3 * (len(answers) - 1)) // len(answers)
    cols: list[list[str]] = []
    heights = [len(paper.block(each.title, width)) for each in answers]
    for each, height in zip(answers, heights, strict=True):
        col = [paper.style(pad(line, width), "bold") for line in paper.block(each.title, width)]
        col += [" " * width] * (max(heights) - height)
        col += [("─" if paper.unicode else "-") * width]
        col += [line for text in _comes_to(each) for line in paper.block(text, width)]
        cols.append(col)
    bar = " │ " if paper.unicode else " | "
    return paper.columns(cols, [width] * len(cols), gap=bar, indent="  ")


def _comes_to(answer: PageAnswer) -> list[str]:
    """Say what an answer comes to in the situation, and who gains by it."""
    return [text for text in (answer.then, favours(answer.gains)) if text]


def favours(who: str) -> str:
    """Say who gains by an answer; "" if nobody is known to."""
    return f"favours {re.sub(r' wins?$', '', who)}" if who else ""


def _clauses(finding: Finding, subject: Subject, paper: Paper) -> list[str]:
    """Write the clauses: on the left their ids and places, on the right their encodings."""
    places = {source.clause: source for source in finding.sources}
    files = list(dict.fromkeys(source.file for source in finding.sources))
    conflict = finding.evidence.core if len(finding.evidence.core) > 1 else ()
    legend = "; * stand against each other" if conflict and finding.observable != TEXT else ""
    head = ", ".join(files) + legend
    out = [paper.style(line, "dim") for line in paper.wrap(head, "  ")] if files else []
    left = max(24, min(38, paper.width * 2 // 5))
    right = paper.width - left - 5
    bar = " │ " if paper.unicode else " | "
    for name in dict.fromkeys((*finding.clauses, *finding.evidence.core)):
        where = subject.cited(name)
        if not where and name in places:
            where = lines_text(places[name].lines)
        core = "*" if legend and name in conflict else ""
        says = [*paper.block(f"{core}{name}", left)]
        says += paper.block(where, left) if where else []
        code = paper.code(subject.encoding(name), "", right)
        if not code:
            out += [f"  {line}" for line in says]
            continue
        out += paper.columns([says, code], [left, right], gap=bar, indent="  ")
    return out


def _ways_out(finding: Finding, paper: Paper) -> list[str]:
    ways = ways_of(finding)
    out: list[str] = []
    for way in ways:
        text = way.text
        if way.adopt:
            text += f" [--ruling {', '.join(f'{p}={r}' for p, r in way.adopt.items())}]"
        out += paper.wrap("; ".join((text, *effects(way, finding))), "  - ")
    if not ways and words(finding.cls).helps:
        out = paper.wrap(words(finding.cls).helps, "  - ")
    return out


def effects(way: WayOut, finding: Finding) -> tuple[str, ...]:
    """Say what a way out of a finding changes, as far as it was computed."""
    made: list[str] = []
    if way.removes:
        made.append(f"settles {', '.join(short(name) for name in way.removes)}")
    if way.adds:
        made.append(f"brings {' and '.join(way.adds)}")
    if way.flips_positions:
        made.append(
            f"changes what may be done or how it ends in {way.flips_positions:,} of "
            f"{way.situations or 0:,} situations that the same moves reach")
    if made and way.scope:
        made[-1] += f" (scope {way.scope})"
    made += [f"{between(often.ci95)} of printed games{often.mode and ' ' + often.mode} go "
             "differently"
             for often in (finding.frequency, *finding.compared)
             if often is not None and often.seen
             and way.adopt == {finding.open_point: often.reading}]
    return tuple(made)


def short(name: str) -> str:
    """Leave the game out of the id of a finding."""
    return name.partition("/")[2] or name


def how_far(finding: Finding, explored: Sequence[Explored] = ()) -> str:
    """Say how a finding was reached, and how far that goes."""
    evidence = finding.evidence
    if evidence.kind == "data" and evidence.method != "proof":
        return "it follows from the words alone"
    parts = [f"{METHODS[evidence.method]} ({evidence.method})"]
    if evidence.scope:
        parts[0] += f", scope {evidence.scope}"
    for one in explored:
        if one.scope == evidence.scope and not (
                evidence.mode and one.scope == "printed" and evidence.kind != "coverage"):
            parts[0] += f" with {one.states:,} states"
    if evidence.depth is not None:
        how = "" if evidence.method == "sampled" else "first "
        parts.append(f"{how}after {many(evidence.depth, 'move')}")
    if evidence.lifted and finding.frequency is None:
        parts.append(evidence.lifted)
    elif evidence.at_printed_size and not evidence.lifted and evidence.kind != "coverage" and (
            evidence.scope != "printed"):
        parts.append("found at the printed size too")
    if evidence.replayed:
        parts.append("replayed by the reference interpreter")
    return "; ".join(parts)
