"""Anything of a game in plain words: what it is, where the book says so, and where it is used.

`topics` lists whatever an id can mean; the same id may mean several things (a zone `hand`, a term
`hand`), and then all are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Protocol

from ...checker.findings.results import Finding
from ...model.game.game import Clause, Ty
from ...model.game.uses import users
from ...model.lowering.compile import Compiled
from ...model.machine.machine import Node
from ...model.plays.wording import many, words_of
from ...model.rules.words import TABLE
from ...model.silences.aspects import ASPECTS, Aspect
from ...model.source.errors import CODES, HELPS
from ...model.views.silences import Decision, decisions
from ...model.views.trace import ClauseTrace, clauses_of
from ...model.views.trace import trace as follow
from ...model.views.wording import names_of, wording
from ..blocks.classes import WORDS
from ..blocks.entries import Entries
from ..blocks.finding import evidence_lines, finding_lines
from ..blocks.page import page_of
from ..blocks.paper import Paper
from ..blocks.subject import Subject


class PointLike(Protocol):
    """An open point, declared or derived."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def clauses(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def asks(self) -> str: ...  # noqa: D102
    @property
    def readings(self) -> tuple[tuple[str, str], ...]: ...  # noqa: D102
    @property
    def adopted(self) -> str: ...  # noqa: D102
    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def decided(self) -> str: ...  # noqa: D102
    @property
    def aspect(self) -> str: ...  # noqa: D102


Told = Callable[[], list[str]]


@dataclass(frozen=True, slots=True)
class Topic:
    """Something that can be explained: what kind of thing, under which ids, and how."""

    kind: str
    ids: tuple[str, ...]
    tell: Told


def explain(topics: Sequence[Topic], name: str, paper: Paper) -> list[str]:
    """Explain whatever goes by a name; nothing if nothing does."""
    exact = [topic for topic in topics if name in topic.ids]
    found = exact or [
        topic for topic in topics if name.casefold() in (each.casefold() for each in topic.ids)
    ]
    out: list[str] = []
    for topic in found:
        head = f"{topic.kind} {topic.ids[0]}"
        out += [*([""] if out else []), paper.heading(head), *topic.tell()]
    return out


def topics_of(
    compiled: Compiled, paper: Paper, *, points: Sequence[PointLike] = (),
    findings: Sequence[Finding] = (), book: str = "",
) -> tuple[Topic, ...]:
    """List all that can be explained of a game."""
    teller = _Teller(compiled, paper, Subject(compiled, book), users(compiled.game), tuple(points))
    return tuple(teller.topics(findings))


def _called(point: PointLike) -> tuple[str, ...]:
    """Return the ids of a point; what several sentences do not say goes by each of them."""
    each = point.clauses if point.kind == "silence" else ()
    return tuple(dict.fromkeys((point.id, *(f"{point.aspect}/{clause}" for clause in each))))


@dataclass(frozen=True)
class _Teller(Entries):
    points: tuple[PointLike, ...]

    @cached_property
    def traced(self) -> Mapping[str, ClauseTrace]:
        """What came of each clause, by its id."""
        return {one.id: one for one in follow(self.compiled).clauses}

    @cached_property
    def decided(self) -> Sequence[Decision]:
        """What clauses decide, and who says so."""
        return decisions(self.game)

    # ------------------------------------------------------------------ what there is

    def topics(self, findings: Iterable[Finding]) -> Iterator[Topic]:
        """List everything."""
        game = self.game
        for clause in game.clauses:
            yield Topic("clause", (clause.id,), partial(self.clause, clause))
            if clause.define:
                yield Topic("term", (clause.define,), partial(self.clause, clause))
        for point in self.points:
            yield Topic("open point", _called(point), partial(self.point, point))
        for finding in (each for root in findings for each in root.whole):
            short = finding.id.partition("/")[2]
            yield Topic("finding", (finding.id, short), partial(self.finding, finding))
        for family in game.families.values():
            yield Topic("family", (family.name,), partial(self.family, family))
            for card in family.cards:
                ids = (f"{family.name}.{card.id}", card.id, card.name)
                yield Topic("card", ids, partial(self.card, family, card))
            yield from self._fields(family.name, "the cards", family.attributes)
        for pool in game.pools.values():
            yield from self._fields(pool.name, "the records", pool.fields)
        yield from self._places()
        yield from self._entries()
        for node in self.compiled.machine.nodes:
            ids = (node.name, f"node {node.id}", f"n{node.id}")
            yield Topic("node", ids, partial(self.node, node))
        for cls, words in WORDS.items():
            text = f"{words.name}. {words.means} {words.helps}"
            yield Topic("class", (cls,), partial(self.paper.wrap, text, "  "))
        for aspect in ASPECTS.values():
            yield Topic("aspect", (aspect.name,), partial(self.aspect, aspect))
        for each in TABLE:
            text = f"{each.form}: {each.means} ({each.sort})"
            yield Topic("language", (each.name,), partial(self.paper.wrap, text, "  "))
        for code, means in CODES.items():
            text = ". ".join(filter(None, (means, HELPS.get(code))))
            yield Topic("code", (code,), partial(self.paper.wrap, text, "  "))

    def _fields(self, of: str, which: str, fields: Mapping[str, Ty]) -> Iterator[Topic]:
        for name, ty in fields.items():
            tell = partial(self.field, name, f"{ty}; each of {which} of `{of}` has one")
            yield Topic("field", (f"{of}.{name}", name), tell)

    def _places(self) -> Iterator[Topic]:
        game = self.game
        for step in game.steps.values():
            text = step.title or words_of(step.name)
            tell = partial(self.place, step.name, text, step.clause)
            yield Topic("step", (step.name,), tell)
        sorts: tuple[tuple[str, Mapping[str, Any], Callable[[Any], list[str]]], ...] = (
            ("window", game.windows, self.window), ("zone", game.zones, self.zone),
            ("variable", game.variables, self.variable), ("pool", game.pools, self.pool))
        for what, some, tells in sorts:
            yield from (Topic(what, (name,), partial(tells, each)) for name, each in some.items())

    def _entries(self) -> Iterator[Topic]:
        game = self.game
        for constant in game.constants.values():
            text = f"the number {constant.value}"
            tell = partial(self.entry, text, constant.name, constant.clause)
            yield Topic("constant", (constant.name,), tell)
        for name, values in game.enums.items():
            text = f"one of {', '.join(values)}"
            yield Topic("enum", (name,), partial(self.entry, text, name, ""))
        for term in game.vocabulary.values():
            text = f"another name for {term.same_as}" if term.same_as else term.means
            yield Topic("word", (term.name,), partial(self.word, term.name, text, term.clause))
        for variant in game.variants.values():
            tell = partial(self.entry, variant.title, variant.id, variant.clause)
            yield Topic("variant", (variant.id,), tell)
        for scope in game.scopes.values():
            text = scope.about or "a small instance"
            yield Topic("scope", (scope.name,), partial(self.paper.wrap, text, "  "))

    # ------------------------------------------------------------------ one thing each

    def clause(self, clause: Clause) -> list[str]:
        """Tell a clause: its sentence, its encoding, where it works and what is checked of it."""
        paper, game = self.paper, self.game
        file = game.rulebook.file if game.rulebook else ""
        where = ", ".join(part for part in (file, self.subject.cited(clause.id)) if part)
        out = paper.wrap(f"{clause.says} ({clause.kind}; {where or 'ours'})", "  ")
        if clause.why:
            out += paper.wrap(f"no rule: {clause.why}", "  ")
        if clause.missing:
            out += paper.wrap(f"lost in print: {clause.missing}", "  ")
        if not clause.in_force:
            out += paper.wrap("not in force: it belongs to a mode that is not chosen", "  ")
        out += paper.code(self.subject.encoding(clause.id), "    ")
        traced = self.traced[clause.id]
        if clause.uses:
            out += paper.wrap(f"words: {', '.join(clause.uses)}", "  ")
        if traced.entries:
            out += paper.wrap(f"introduces: {', '.join(traced.entries)}", "  ")
        if traced.used_by:
            out += paper.wrap(f"used by: {', '.join(traced.used_by)}", "  ")
        out += self._machine(traced.nodes, len(traced.edges))
        out += paper.items(traced.checks)
        for other in game.clauses:
            if clause.id in other.overrides:
                out += paper.wrap(f"{other.id} stands over it: {other.says}", "  - ")
        for point in self.points:
            if clause.id in point.clauses and not point.decided:
                out += paper.wrap(f"left open ({point.id}): {point.asks}", "  - ")
        return out

    def _machine(self, nodes: Sequence[int], edges: int) -> list[str]:
        if not nodes and not edges:
            return []
        names = [n.name for n in self.compiled.machine.nodes if n.id in set(nodes)]
        visible = [n for n in names if "/" not in n or "#" not in n][:6]
        more = f" (such as {', '.join(visible)})" if visible else ""
        return self.paper.wrap(
            f"in the machine: {many(len(nodes), 'node')}{more}, {many(edges, 'edge')}",
            "  ", "    "
        )

    def point(self, point: PointLike) -> list[str]:
        """Tell an open point: what it asks, its readings, and which is adopted."""
        paper = self.paper
        declared = any(point.id == each.id for each in self.game.open_points)
        asks = f"{point.asks}?" if declared and not point.asks.endswith("?") else point.asks
        out = paper.wrap(asks, "  ")
        out += paper.wrap(f"decided by {point.decided}", "  ") if point.decided else []
        whys = {ruling.point: ruling.why for ruling in self.game.rulings}
        for name, title in point.readings:
            chosen = name == point.adopted
            mark = "  > " if chosen else "    "
            why = (
                f" (adopted{'; ' + whys[point.id] if whys.get(point.id) else ''})" if chosen else ""
            )
            out += paper.wrap(f"{name}: {title}{why}", mark, "      ")
        for clause in point.clauses:
            cited = self.subject.cited(clause)
            out += paper.wrap(
                f"{clause}{f' ({cited})' if cited else ''}: {self.subject.says(clause)}",
                "  - ",
                "    ",
            )
        return out

    def aspect(self, aspect: Aspect) -> list[str]:
        """Tell a question that is derived, and each clause that decides it, and by what."""
        paper = self.paper
        out = paper.wrap(f"A question that is asked of every clause that decides it: {aspect.asks}?"
                         f" A finding about it has the class {aspect.defect}.", "  ")
        top = len(out)
        for each in self.decided:
            if each.aspect == aspect.name:
                why = f", by {each.why}" if each.why else ""
                more = f" [{each.point}]" if each.point and each.others else ""
                out += paper.wrap(
                    f"{each.clause}, {each.status}{why}: {each.written}{more}", "  - ")
        for point in self.points:
            if point.aspect == aspect.name and all(
                    each.point != point.id for each in self.decided):
                out += paper.wrap(f"{point.id}: {point.asks}", "  - ")
        return out if len(out) > top else out + paper.wrap("no clause of this game does", "  - ")

    def finding(self, finding: Finding) -> list[str]:
        """Tell a finding in full."""
        return [*finding_lines(page_of(finding, self.subject), self.paper, most=None),
                self.paper.heading("What stands behind it"),
                *evidence_lines(finding, self.subject, self.paper)]

    def node(self, node: Node) -> list[str]:
        """Tell a node of the machine: who decides what there, and under which conditions."""
        machine, paper = self.compiled.machine, self.paper
        names = names_of(self.game)
        kinds = {
            "decide": "a player decides", "open": "the book does not say who or what comes next",
            "chance": "chance decides", "rules": "the rules go on by themselves",
            "final": "the game is over",
        }  # fmt: skip
        by = f": {wording(machine, node.by, names)}" if node.by is not None else ""
        ask = f" ({node.ask})" if node.ask else ""
        step = f", in {node.step}" if node.step else ""
        out = paper.wrap(f"{kinds[node.kind]}{by}{ask}{step}", "  ")
        out += self._cites("because of", node.clauses)
        targets = {each.id: each.name for each in machine.nodes}
        for edge in node.edges:
            label = edge.label if edge.label != node.name else "on"
            params = f" ({', '.join(p.label for p in edge.params)})" if edge.params else ""
            out += paper.wrap(f"{label}{params} -> {targets[edge.target]}", "  - ", "      ")
            for test in edge.conditions:
                told = wording(machine, test.test, names)
                out += paper.wrap(f"if {told}  [{test.role} {test.clause}]", "      ", "        ")
            if clauses := clauses_of(edge):
                out += paper.wrap(f"by {', '.join(clauses)}", "      ", "        ")
        return out
