"""How two editions differ, as text."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence

from ...checker.editions.results import EditionDiff, EditionHeader, Parted, TextChange
from ...model.plays.board import JSON
from ...model.plays.wording import many
from ..blocks.paper import Paper
from ..blocks.plays import play_lines
from ..blocks.subject import Subject

SIGNS = {"added": "+", "dropped": "-", "changed": "~", "reworded": "'", "renamed": "="}


def diff_text(found: EditionDiff, paper: Paper, subjects: Sequence[Subject]) -> str:
    """Write what differs: entry by entry, with what each change does at the table.

    `subjects` are the two games, in whose words plays are told.
    """
    games = dict(zip("ab", subjects, strict=True))
    out = [*_header("A", found.a, paper), *_header("B", found.b, paper)]
    sections = dict.fromkeys(each.section for each in found.changes)
    for section in sections:
        here = [each for each in found.changes if each.section == section]
        out += ["", paper.heading(f"{section}: {_counts(here)}")]
        out += [line for each in here for line in _change(each, paper, games)]
    if not found.changes:
        out += ["", "no entry differs"]
    out += ["", f"{many(found.same, 'clause is', 'clauses are')} the same in both"]
    if found.together is not None or found.together_why:
        out += ["", paper.heading("in play, all changes together")]
        same = [each.id for each in found.changes
                if found.together and each.parted and each.parted.play == found.together.play]
        out += (paper.wrap(f"first differs by {same[0]}, as shown there", "  ") if same
                else list(_parted(found.together, paper, games)) if found.together is not None
                else paper.wrap(found.together_why, "  "))
    if found.findings is not None:
        for title, each in (("only A has", found.findings.mended),
                            ("only B has", found.findings.brought)):
            out += ["", paper.heading(f"findings that {title}: {len(each)}")]
            out += [line for one in each for line in paper.wrap(f"{one.title} [{one.cls}]", "  ")]
        out += ["", f"{many(found.findings.kept, 'finding is', 'findings are')} in both"]
    out += [line for why in found.not_compared for line in paper.wrap(why, "not compared  ")]
    return "\n".join(out)


def _header(name: str, edition: EditionHeader, paper: Paper) -> list[str]:
    chosen = edition.settings
    more = [*(f"+{each}" for each in chosen["variants"]),
            *(f"{point}={reading}" for point, reading in chosen["rulings"].items())]
    text = f"{edition.title} ({edition.game}, {edition.spec_sha256[:8]}) {' '.join(more)}"
    return paper.wrap(text, f"{name}  ")


def _counts(changes: list[TextChange]) -> str:
    counts = {how: sum(each.how == how for each in changes) for how in SIGNS}
    return ", ".join(f"{many} {how}" for how, many in counts.items() if many)


def _change(each: TextChange, paper: Paper, games: Mapping[str, Subject]) -> Iterator[str]:
    sign = SIGNS[each.how]
    color = {"+": "green", "-": "red"}.get(sign, "yellow")
    yield paper.style(f"{sign} {paper.clean(each.id)}", color)
    yield from paper.wrap(each.says, "    ") if each.says else ()
    for name, (a, b) in each.fields.items():
        yield from _field(name, a, b, paper)
    if each.parted is not None:
        yield from _parted(each.parted, paper, games)
    elif each.why:
        yield from paper.wrap(each.why, "    ", "    ")


def _field(name: str, a: JSON, b: JSON, paper: Paper) -> Iterator[str]:
    """Show a field in both; of texts of several lines, the lines that differ."""
    if isinstance(a, str) and isinstance(b, str) and ("\n" in a or "\n" in b):
        yield f"    {paper.clean(name)}:"
        for line in difflib.ndiff(a.split("\n"), b.split("\n")):
            if line[0] in "+-":
                yield from paper.code([line[2:]], f"      {line[0]} ")
        return
    yield from paper.wrap(f"{name}: {_value(a)} -> {_value(b)}", "    ", "      ")


def _value(value: JSON) -> str:
    if value is None:
        return "(nothing)"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _parted(parted: Parted, paper: Paper, games: Mapping[str, Subject]) -> Iterator[str]:
    where = f"in scope {parted.scope} " if parted.scope else ""
    moves = many(len(parted.moves), "move")
    yield from paper.wrap(f"differs after {moves} {where}({parted.level}; {parted.how})", "    ")
    for line in play_lines(parted.play, games[parted.base]):
        number = f"    {line.number:>5}. " if line.number else "         ! "
        yield from paper.wrap(line.text, number)
    yield from paper.wrap(parted.a, "      A: ")
    yield from paper.wrap(parted.b, "      B: ")
