"""From a sentence of the rulebook to what became of it, and back from the machine to the sentences.

`trace` needs the compiled game alone: the spec's outline says how many sentences each line has.
With the rulebook at hand, `compare` says whether it is the same text (`sha256`, number of lines,
outline), and the sentences that no clause covers can be shown.

What a clause becomes: nodes and edges of the machine that cite it, entries of the spec that name
it (zones, constants, steps, …), other clauses that use the term it defines, and checks.  Every
sentence should be covered by a clause; a clause that is no flavour should become something.  In the
other direction, an edge without any clause is a rule that no sentence asks for: `unexplained` lists
those that do more than hand over control.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..game.game import Clause, Game
from ..game.uses import users
from ..lowering.compile import Compiled
from ..machine.machine import Edge, Machine
from ..machine.traversal import cites, writes
from ..plays.wording import many
from ..source.outline import lines_of, lines_text, outline_of, sentences, spans

BEGINNING = 60
"""Characters of a sentence by which it is found in a rulebook."""

@dataclass(frozen=True, slots=True)
class TracedSentence:
    """One sentence of the book: its line, its place on that line, and the clauses that cover it."""

    line: int
    place: int
    clauses: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ClauseTrace:
    """What became of a clause."""

    id: str
    kind: str
    says: str
    sentences: tuple[tuple[int, int], ...]
    nodes: tuple[int, ...]
    edges: tuple[int, ...]
    entries: tuple[str, ...]
    used_by: tuple[str, ...]
    checks: tuple[str, ...]
    in_force: bool
    missing: str = ""
    """What of its sentence the print has lost."""

    @property
    def becomes_something(self) -> bool:
        """Return whether anything at all came of it."""
        return bool(self.nodes or self.edges or self.entries or self.used_by or self.checks)


@dataclass(frozen=True, slots=True)
class Trace:
    """The whole way, both directions."""

    game: str
    file: str
    sentences: tuple[TracedSentence, ...]
    clauses: tuple[ClauseTrace, ...]
    problems: tuple[str, ...]
    """Citations that point beside the outline."""
    unexplained: tuple[int, ...]
    edges: int

    @property
    def uncovered(self) -> tuple[TracedSentence, ...]:
        """The sentences that no clause covers."""
        return tuple(one for one in self.sentences if not one.clauses)

    @property
    def idle(self) -> tuple[ClauseTrace, ...]:
        """The clauses of which nothing came, flavour and modes not chosen apart."""
        return tuple(
            one
            for one in self.clauses
            if one.kind != "flavour" and one.in_force and not one.becomes_something
        )


def trace(compiled: Compiled) -> Trace:
    """Follow every sentence into the machine."""
    game, machine = compiled.game, compiled.machine
    outline: Mapping[int, int] = game.rulebook.outline if game.rulebook else {}
    covered: dict[tuple[int, int], list[str]] = {}
    problems: list[str] = []
    clauses: list[ClauseTrace] = []
    by_node = _numbers((node.id, dict.fromkeys(node.clauses)) for node in machine.nodes)
    by_edge = _numbers((edge.id, clauses_of(edge)) for node in machine.nodes for edge in node.edges)
    mentioned = users(game)
    for clause in game.clauses:
        found = _sentences(clause, outline, problems)
        for one in found:
            covered.setdefault(one, []).append(clause.id)
        clauses.append(
            ClauseTrace(
                clause.id,
                clause.kind,
                clause.says,
                found,
                tuple(by_node.get(clause.id, ())),
                tuple(by_edge.get(clause.id, ())),
                game.named_by.get(clause.id, ()),
                mentioned.get(clause.define, ()) if clause.define else (),
                _checks(game, machine, clause),
                clause.in_force,
                clause.missing,
            )
        )
    everything = spans(outline, (1, max(outline, default=0)))
    return Trace(
        game.id,
        game.rulebook.file if game.rulebook else "",
        tuple(TracedSentence(*one, tuple(covered.get(one, ()))) for one in everything),
        tuple(clauses),
        tuple(problems),
        _unexplained(machine),
        sum(len(node.edges) for node in machine.nodes),
    )


def _sentences(
    clause: Clause, outline: Mapping[int, int], problems: list[str]
) -> tuple[tuple[int, int], ...]:
    if clause.lines is None:
        return ()
    inside = spans(outline, clause.lines)
    where = lines_text(clause.lines)
    if not clause.sentences:
        if outline and not inside:
            problems.append(f"`{clause.id}` cites {where}, where the outline has no sentence")
        return inside
    beside = [number for number in clause.sentences if not 1 <= number <= len(inside)]
    problems += [
        f"`{clause.id}` cites sentence {number} of {where}, of which there are {len(inside)}"
        for number in beside
    ]
    return tuple(inside[n - 1] for n in clause.sentences if n not in beside)


def _numbers(rows: Iterable[tuple[int, Iterable[str]]]) -> dict[str, list[int]]:
    """Collect the numbers of what each clause is named by."""
    found: dict[str, list[int]] = {}
    for number, clauses in rows:
        for clause in clauses:
            found.setdefault(clause, []).append(number)
    return found


def clauses_of(edge: Edge) -> tuple[str, ...]:
    """List the clauses that an edge rests on: its own, those of its conditions, those it cites."""
    named = (*edge.clauses, *(one.clause for one in edge.conditions), *cites(edge.body))
    return tuple(dict.fromkeys(filter(None, named)))


def _unexplained(machine: Machine) -> tuple[int, ...]:
    """List the edges that choose or change something declared, and have no clause."""
    declared = {array.name for array in machine.declared}
    return tuple(
        edge.id
        for node in machine.nodes
        for edge in node.edges
        if not clauses_of(edge)
        and not node.clauses
        and (writes(edge.body) & declared or (node.kind == "decide" and not edge.passes))
    )


def _checks(game: Game, machine: Machine, clause: Clause) -> tuple[str, ...]:
    """Name what is checked of a clause."""
    found: list[str] = []
    if clause.claim is not None:
        found.append(
            f"{clause.claim.form}: true for every value"
            if clause.claim.form == "claim"
            else clause.claim.form
        )
    if clause.example is not None:
        found.append("example: replayed")
    if clause.always is not None:
        found.append("limit: holds at every decision")
    if clause.ensure is not None:
        found.append(f"holds when {clause.on} ends")
    if clause.overrides:
        found.append(f"stands over {', '.join(clause.overrides)}")
    if clause.restates:
        found.append(f"a reminder of {', '.join(clause.restates)}")
    found += [
        f"{duty.defect}: {duty.prompt}" for duty in machine.obligations if duty.clause == clause.id
    ]
    found += [
        f"open point {point.id}: {len(point.readings)} readings"
        for point in game.open_points
        if clause.id in point.clauses
    ]
    return tuple(dict.fromkeys(found))


# ---------------------------------------------------------------------- with the book at hand


def compare(game: Game, book: bytes) -> tuple[str, ...]:
    """Say in what a rulebook's file differs from what the spec says of it, if in anything."""
    known = game.rulebook
    if known is None:
        return ("the spec names no rulebook",)
    found: list[str] = []
    digest = hashlib.sha256(book).hexdigest()
    if known.sha256 and digest != known.sha256:
        found.append(f"the file has the SHA-256 {digest}, the spec says {known.sha256}")
    try:
        text = book.decode("utf-8-sig")
    except UnicodeDecodeError:
        return (*found, "the file is not text in UTF-8")
    lines = lines_of(text)
    if len(lines) != known.lines:
        found.append(f"the file has {len(lines)} lines, the spec says {known.lines}")
    ours = outline_of(text)
    found += [
        f"line {line} has {many(ours.get(line, 0), 'sentence')}, "
        f"the outline says {known.outline.get(line, 0)}"
        for line in sorted(set(ours) | set(known.outline))
        if ours.get(line, 0) != known.outline.get(line, 0)
    ]
    return tuple(found)


def text_of(book: bytes, line: int, place: int) -> str:
    """Return the beginning of a sentence of a rulebook, to find it by."""
    lines = lines_of(book.decode("utf-8-sig", errors="replace"))
    found = sentences(lines[line - 1]) if 0 < line <= len(lines) else ()
    text = found[place - 1] if 0 < place <= len(found) else ""
    return text if len(text) <= BEGINNING else text[: BEGINNING - 1].rstrip() + "…"
