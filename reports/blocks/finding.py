"""One finding as a screen of text: at most `SCREEN` lines, each part cut where it is longest."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ...checker.judge.results import TEXT
from ...model.plays.documents import is_object
from .boards import Drawn, board_of, draw
from .classes import HEADS, METHODS, words
from .paper import Paper, cells, pad
from .plays import PlayLine, common, play_lines
from .subject import Subject, lines_text

if TYPE_CHECKING:
    from ...checker.judge.results import Explored, Finding, Frequency, Outcome, WayOut

SCREEN = 40
"""The level of findings that are about the text alone."""
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
    keep: Literal["head", "tail", "weighty"] = "head"
    weights: Sequence[int] = ()


def finding_lines(
    finding: Finding,
    subject: Subject,
    paper: Paper,
    *,
    number: int = 0,
    explored: Sequence[Explored] = (),
    most: int | None = SCREEN,
) -> list[str]:
    """Write a finding; without `most`, in full."""
    drawn = _position(finding, subject, paper)
    weights = [line.weight for line in drawn]
    parts = [
        Part("", _head(finding, paper, number), 4),
        Part("", [line for text in (smaller(finding), finding.explanation) if text
                  for line in paper.wrap(text, "   ")], 1),
        Part("Follows from it", _follows(finding, paper), 2),
        Part("Position", [line.text for line in drawn], 4, "weighty", weights),
        Part("Play", _play(finding, subject, paper), 4, "tail"),
        Part("Outcomes", _outcomes(finding, paper), 7),
        Part("Clauses", _clauses(finding, subject, paper), 5),
        Part("As encoded", [line for text in encoded(finding)
                            for line in paper.wrap(text, "  - ", "    ")], 1),
        Part("Ways out", _ways_out(finding, paper), 2),
        Part("How far", _how_far(finding, paper, explored), 1),
    ]
    parts = [part for part in parts if part.lines]
    if most is not None:
        parts = _fitted(parts, most, paper)
    out: list[str] = []
    for part in parts:
        out += [paper.heading(part.title)] if part.title else []
        out += part.lines
    return out


def _fitted(parts: list[Part], room: int, paper: Paper) -> list[Part]:
    """Cut the longest parts until all fit; what was left out is said."""
    limits = [len(part.lines) for part in parts]
    room -= sum(bool(part.title) for part in parts)
    while sum(limits) > room:
        spare = [limit - part.least for limit, part in zip(limits, parts, strict=True)]
        if max(spare, default=0) <= 0:
            break
        limits[max(range(len(parts)), key=lambda i: (spare[i] > 0, limits[i], -i))] -= 1
    return [_cut(part, limit, paper) for part, limit in zip(parts, limits, strict=True)]


def _cut(part: Part, limit: int, paper: Paper) -> Part:
    if limit >= len(part.lines):
        return part
    hidden = len(part.lines) - limit + 1
    dots = "…" if paper.unicode else "..."
    note = paper.style(f"  {dots} {hidden} {'line' if hidden == 1 else 'lines'} left out", "dim")
    if part.keep == "weighty":
        order = sorted(range(len(part.lines)), key=lambda i: (-part.weights[i], i))
        kept = sorted(order[: limit - 1])
        lines = [part.lines[i] for i in kept]
        return Part(part.title, [*lines[:-1], note, *lines[-1:]])
    if part.keep == "tail":
        return Part(part.title, [note, *part.lines[len(part.lines) - limit + 1 :]])
    return Part(part.title, [*part.lines[: limit - 1], note])


# ---------------------------------------------------------------------- parts


def _head(finding: Finding, paper: Paper, number: int) -> list[str]:
    mark = f"{number}. " if number else ""
    label = paper.clean(f"{mark}{words(finding.cls).name}")
    level = paper.clean(f"[{finding.cls}]  {HEADS[finding.level]}")
    color = "red" if finding.level <= 2 else "yellow"
    gap = paper.width - cells(label) - cells(level)
    if gap >= 2:
        out = [paper.style(label, "bold") + " " * gap + paper.style(level, color)]
    else:
        out = [
            paper.style(label, "bold"),
            *(paper.style(one, color) for one in paper.wrap(level, "   ")),
        ]
    return out + [paper.style(line, "bold") for line in paper.wrap(finding.title, "   ")]


def smaller(finding: Finding) -> str:
    """Say of what only a smaller game has that it is so; else ""."""
    if not finding.only_smaller:
        return ""
    shown = finding.evidence.lifted or "neither seen nor proved at the printed size"
    return f"Only in a smaller game ({finding.evidence.scope}): {shown}."


def _follows(finding: Finding, paper: Paper) -> list[str]:
    return [line for each in finding.consequences
            for line in paper.wrap(following(each), "  - ", "    ")]


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


def _position(finding: Finding, subject: Subject, paper: Paper) -> list[Drawn]:
    position = finding.evidence.position
    if not is_object(position):
        return []
    return draw(board_of(position, subject.compiled, focus=subject.focus(finding.clauses)), paper)


def _play(finding: Finding, subject: Subject, paper: Paper) -> list[str]:
    smaller: list[str] = []
    for each in finding.evidence.plays:
        if each.scope:
            smaller += paper.wrap(f"in a smaller game (scope {each.scope}):", "  ")
            smaller += _numbered(play_lines(each.play, subject), paper)
    plays = [each for each in finding.evidence.plays if not each.scope]
    if not plays:
        return smaller
    shared = common([each.play for each in plays])
    told = [play_lines(each.play, subject) for each in plays]
    if len(plays) == 1:
        return _numbered(told[0], paper) + smaller
    out = _numbered([line for line in told[0] if line.first and line.last <= shared], paper)
    for shown, lines in zip(plays, told, strict=True):
        rest = _after(lines, shared)
        if rest:
            out += paper.wrap(f"under {shown.reading or 'the rules'}:", "  ")
            out += _numbered(rest, paper)
    return out + smaller


def _after(lines: Sequence[PlayLine], shared: int) -> list[PlayLine]:
    """Keep what comes after the moves that all plays share."""
    out: list[PlayLine] = []
    past = shared == 0
    for line in lines:
        if line.first:
            past = line.last > shared
        if past:
            out.append(line)
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


def _outcomes(finding: Finding, paper: Paper) -> list[str]:
    readings = finding.readings
    if not readings:
        return []
    if len(readings) > SIDE_BY_SIDE or paper.width < 60:
        out: list[str] = []
        for each in readings:
            out += paper.wrap(_title(each), "  ")
            out += paper.wrap(each.outcome, "      ")
            out += paper.wrap(favours(each), "      ") if each.favours else []
        return out
    width = (paper.width - 2 - 3 * (len(readings) - 1)) // len(readings)
    cols: list[list[str]] = []
    for each in readings:
        title = paper.block(_title(each), width)
        col = [paper.style(pad(line, width), "bold") for line in title]
        col += [("─" if paper.unicode else "-") * width]
        col += paper.block(each.outcome, width) if each.outcome else []
        col += paper.block(favours(each), width) if each.favours else []
        cols.append(col)
    heights = [len(paper.block(_title(each), width)) for each in readings]
    for col, height in zip(cols, heights, strict=True):
        col[height:height] = [" " * width] * (max(heights) - height)
    bar = " │ " if paper.unicode else " | "
    return _side_by_side(cols, [width] * len(cols), bar, "  ")


def favours(outcome: Outcome) -> str:
    """Say who gains by an outcome."""
    return f"favours {re.sub(r' wins?$', '', outcome.favours)}"


def _title(outcome: Outcome) -> str:
    return f"{outcome.id}: {outcome.title}"


def _side_by_side(
    cols: Sequence[Sequence[str]], widths: Sequence[int], gap: str, indent: str
) -> list[str]:
    """Set columns side by side; lines with a style are filled up already."""
    height = max(len(col) for col in cols)
    out: list[str] = []
    for i in range(height):
        parts: list[str] = []
        for col, width in zip(cols, widths, strict=True):
            part = col[i] if i < len(col) else ""
            parts.append(part if part.startswith("\x1b") else pad(part, width))
        out.append((indent + gap.join(parts)).rstrip())
    return out


def _clauses(finding: Finding, subject: Subject, paper: Paper) -> list[str]:
    """Write the clauses: on the left what the book says in our words, on the right its encoding."""
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
        says += paper.block(subject.says(name), left) if subject.says(name) else []
        code = paper.code(subject.encoding(name), "", right)
        if not code:
            out += [f"  {line}" for line in says]
            continue
        out += paper.columns([says, code], [left, right], gap=bar, indent="  ")
    return out


def _ways_out(finding: Finding, paper: Paper) -> list[str]:
    ways = finding.ways_out
    points = {point for way in ways for point in way.adopt}
    plain = all(len(w.adopt) == 1 and not w.scope for w in ways)
    if plain and len(points) == 1:
        (point,) = points
        names = ", ".join(way.adopt[point] for way in ways)
        return paper.wrap(f"rule on it (--ruling {point}=READING): {names}", "  - ", "    ")
    out: list[str] = []
    for way in ways:
        text = way.text
        if way.adopt:
            text += f" [--ruling {', '.join(f'{p}={r}' for p, r in way.adopt.items())}]"
        out += paper.wrap("; ".join((text, *effects(way))), "  - ", "    ")
    if not out and words(finding.cls).helps:
        out = paper.wrap(words(finding.cls).helps, "  - ", "    ")
    return out


def effects(way: WayOut) -> tuple[str, ...]:
    """Say what a way out changes, as far as it was computed."""
    made: list[str] = []
    if way.removes:
        made.append(f"settles {', '.join(short(name) for name in way.removes)}")
    if way.adds:
        made.append(f"brings {' and '.join(way.adds)}")
    if way.flips_positions is not None:
        many = f"{way.flips_positions:,}" if way.flips_positions else "none"
        made.append(
            "changes what may be done or how it ends in "
            f"{many} of {way.situations or 0:,} situations that the same moves reach"
        )
    if made and way.scope:
        made[-1] += f" (scope {way.scope})"
    return tuple(made)


def short(name: str) -> str:
    """Leave the game out of the id of a finding."""
    return name.partition("/")[2] or name


def _how_far(finding: Finding, paper: Paper, explored: Sequence[Explored]) -> list[str]:
    out = paper.wrap(how_far(finding, explored), "  ")
    if finding.frequency is not None:
        out += paper.wrap(how_often(finding.frequency), "  ")
    return out + paper.wrap(finding.id, "  id: ", "      ")


def how_far(finding: Finding, explored: Sequence[Explored] = ()) -> str:
    """Say how a finding was reached, and how far that goes."""
    evidence = finding.evidence
    parts = [f"{METHODS[evidence.method]} ({evidence.method})"]
    if evidence.scope:
        parts[0] += f", scope {evidence.scope}"
    for one in explored:
        if one.scope == evidence.scope:
            parts[0] += f" with {one.states:,} states"
    if evidence.depth is not None:
        how = "" if evidence.method == "sampled" else "first "
        parts.append(f"{how}after {evidence.depth} move{'' if evidence.depth == 1 else 's'}")
    if evidence.lifted and finding.frequency is None:
        parts.append(evidence.lifted)
    elif evidence.at_printed_size and not evidence.lifted and evidence.kind != "coverage" and (
            evidence.scope != "printed"):
        parts.append("found at the printed size too")
    if evidence.replayed:
        parts.append("replayed by the reference interpreter")
    return "; ".join(parts)


def how_often(often: Frequency) -> str:
    """Say how often a finding comes up in play at the printed size."""
    share = f"(95 % interval {_between(often.ci95)})"
    if often.decides is None or often.decides_ci95 is None:
        return f"in play: seen in {often.seen} of {often.plays} random games {share}"
    return (
        f"in play: of {often.plays} random games played under both readings with the same "
        f"decisions, {often.seen} go differently {share}, and {often.decides} "
        f"{'ends' if often.decides == 1 else 'end'} with another winner "
        f"({_between(often.decides_ci95)})"
    )


def _between(interval: tuple[float, float]) -> str:
    """Write an interval of shares in percent, with one figure more below one percent."""
    low, high = (f"{100 * share:.0f}" if share >= 0.01 else f"{100 * share:.2g}"
                 for share in interval)
    return f"{low} to {high} %"
