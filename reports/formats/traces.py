"""The way of each sentence of a rulebook, for people and as a document."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from ...model.plays.wording import many
from ...model.views.trace import ClauseTrace, Trace, TracedSentence, text_of
from ..blocks.paper import Paper


def trace_lines(
    found: Trace, differences: tuple[str, ...], book: bytes | None, paper: Paper
) -> list[str]:
    """Write the way of every sentence, then what is missing."""
    known = {one.id: one for one in found.clauses}
    title = f"{found.game}: {found.file}" if found.file else found.game
    out = [paper.heading(title)]
    for group in _runs(found.sentences):
        one, last = group[0], group[-1]
        mark = f"{one.line}.{one.place}"
        mark = (mark if one is last else f"{mark} - {last.line}.{last.place}").rjust(13)
        if not one.clauses:
            text = f": {text_of(book, one.line, one.place)}" if book is not None else ""
            out += [paper.style(line, "red") for line in
                    paper.wrap(f"no clause covers this{text}", f"{mark}  ")]  # fmt: skip
        for number, name in enumerate(one.clauses):
            lead = f"{mark}  " if not number else " " * 15
            out += paper.wrap(f"{name}: {_became(known[name])}", lead, " " * 17)
    out += ["", *_summary(found, differences, book, paper)]
    return out


def _runs(sentences: Sequence[TracedSentence]) -> Iterator[list[TracedSentence]]:
    """Take sentences that follow each other and have the same clauses together."""
    for clauses, group in groupby(sentences, key=lambda one: one.clauses):
        if clauses:
            yield list(group)
        else:
            yield from ([one] for one in group)


def _became(clause: ClauseTrace) -> str:
    """Say in a few words what a clause became."""
    if clause.kind == "flavour":
        return "flavour, no rule in it"
    parts = [clause.kind, *([f"lost in print: {clause.missing}"] if clause.missing else [])]
    if clause.edges or clause.nodes:
        parts.append(f"{many(len(clause.nodes), 'node')}, {many(len(clause.edges), 'edge')}")
    if clause.entries:
        more = f" and {len(clause.entries) - 3} more" if len(clause.entries) > 3 else ""
        parts.append(f"{', '.join(clause.entries[:3])}{more}")
    if clause.used_by:
        parts.append(f"used by {', '.join(clause.used_by)}")
    if clause.checks:
        parts.append(many(len(clause.checks), "check"))
    if not clause.in_force:
        parts.append("not in force: of another mode")
    elif not clause.becomes_something:
        parts.append("nothing comes of it")
    return "; ".join(parts)


def _summary(
    found: Trace, differences: tuple[str, ...], book: bytes | None, paper: Paper
) -> list[str]:
    total, missing = len(found.sentences), len(found.uncovered)
    rules = [one for one in found.clauses if one.kind != "flavour"]
    out = paper.wrap(f"{total - missing} of {many(total, 'sentence')} "
                     f"{'is' if total - missing == 1 else 'are'} covered by clauses")
    out += paper.wrap(
        f"{len(rules) - len(found.idle)} of {len(rules)} clauses with a rule in them become "
        "part of the machine, an entry, a term or a check, or belong to a mode not chosen"
    )
    out += paper.wrap(
        f"{found.edges - len(found.unexplained)} of {many(found.edges, 'edge')} of the machine "
        f"{'rests' if found.edges - len(found.unexplained) == 1 else 'rest'} on a clause"
    )
    for one in found.idle:
        out += paper.wrap(f"nothing comes of {one.id}: {one.says}", "! ")
    for problem in (*found.problems, *differences):
        out += [paper.style(line, "red") for line in paper.wrap(problem, "! ")]
    if book is not None and not differences:
        out += paper.wrap("the rulebook is the one of the spec: SHA-256, lines and outline agree")
    return out


def trace_json(found: Trace, differences: tuple[str, ...]) -> dict[str, Any]:
    """Write the document `ruleproof/trace-1`."""
    return {
        "format": "ruleproof/trace-1",
        "game": found.game,
        "rulebook": found.file,
        "sentences": [
            {"line": one.line, "sentence": one.place, "clauses": list(one.clauses)}
            for one in found.sentences
        ],
        "clauses": [
            {
                "id": one.id,
                "kind": one.kind,
                "sentences": [list(each) for each in one.sentences],
                "nodes": list(one.nodes),
                "edges": list(one.edges),
                "entries": list(one.entries),
                "used_by": list(one.used_by),
                "checks": list(one.checks),
                "in_force": one.in_force,
            }
            for one in found.clauses
        ],
        "unexplained_edges": list(found.unexplained),
        "problems": [*found.problems, *differences],
    }
