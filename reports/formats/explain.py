"""Anything of a game in plain words: what it is, where the book says so, and where it is used.

`topics` lists whatever an id can mean; the same id may mean several things (a zone `hand`, a term
`hand`), and then all are told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Protocol

from ...model.game.game import Card, Clause, Family, Game, Pool, Ty, Variable, Window, Zone
from ...model.game.unparse import unparse
from ...model.game.uses import users
from ...model.plays.board import show_value
from ...model.plays.wording import words_of
from ...model.silences.aspects import ASPECTS, Aspect
from ...model.source.errors import CODES, HELPS
from ...model.views.silences import Decision, decisions
from ...model.views.trace import ClauseTrace, clauses_of
from ...model.views.trace import trace as follow
from ...model.views.wording import names_of, wording
from ..blocks.classes import WORDS
from ..blocks.finding import evidence_lines, finding_lines
from ..blocks.page import page_of
from ..blocks.paper import Paper
from ..blocks.subject import Subject

if TYPE_CHECKING:
    from ...checker.findings.results import Finding
    from ...model.lowering.compile import Compiled
    from ...model.machine.machine import Node


class Question(Protocol):
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
    compiled: Compiled,
    paper: Paper,
    *,
    points: Sequence[Question] = (),
    findings: Sequence[Finding] = (),
    book: str = "",
) -> tuple[Topic, ...]:
    """List all that can be explained of a game."""
    teller = _Teller(compiled, paper, Subject(compiled, book), tuple(points), users(compiled.game))
    return tuple(teller.topics(findings))


def _called(point: Question) -> tuple[str, ...]:
    """Return the ids of a point; what several sentences do not say goes by each of them."""
    aspect = point.id.partition("/")[0]
    each = point.clauses if point.kind == "silence" else ()
    return tuple(dict.fromkeys((point.id, *(f"{aspect}/{clause}" for clause in each))))


@dataclass(frozen=True)
class _Teller:
    compiled: Compiled
    paper: Paper
    subject: Subject
    points: tuple[Question, ...]
    used: Mapping[str, tuple[str, ...]]

    @property
    def game(self) -> Game:
        """The game."""
        return self.compiled.game

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
        out += [line for check in traced.checks for line in paper.wrap(check, "  - ", "    ")]
        for other in game.clauses:
            if clause.id in other.overrides:
                out += paper.wrap(f"{other.id} stands over it: {other.says}", "  - ", "    ")
        for point in self.points:
            if clause.id in point.clauses and not point.decided:
                out += paper.wrap(f"left open ({point.id}): {point.asks}", "  - ", "    ")
        return out

    def _machine(self, nodes: Sequence[int], edges: int) -> list[str]:
        if not nodes and not edges:
            return []
        names = [n.name for n in self.compiled.machine.nodes if n.id in set(nodes)]
        visible = [n for n in names if "/" not in n or "#" not in n][:6]
        more = f" (such as {', '.join(visible)})" if visible else ""
        return self.paper.wrap(
            f"in the machine: {len(nodes)} nodes{more}, {edges} edges", "  ", "    "
        )

    def point(self, point: Question) -> list[str]:
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
                out += paper.wrap(f"{each.clause}, {each.status}{why}: {each.written}{more}",
                                  "  - ", "    ")
        for point in self.points:
            if (point.id.partition("/")[0] == aspect.name
                    and all(each.point != point.id for each in self.decided)):
                out += paper.wrap(f"{point.id}: {point.asks}", "  - ", "    ")
        return out if len(out) > top else out + paper.wrap("no clause of this game does", "  - ")

    def finding(self, finding: Finding) -> list[str]:
        """Tell a finding in full."""
        return [*finding_lines(page_of(finding, self.subject), self.paper, most=None),
                self.paper.heading("What stands behind it"),
                *evidence_lines(finding, self.subject, self.paper)]

    def family(self, family: Family) -> list[str]:
        """Tell a family of cards."""
        fields = ", ".join(f"{name} ({ty})" for name, ty in family.attributes.items())
        total = sum(card.copies for card in family.cards)
        out = self.paper.wrap(
            f"{len(family.cards)} kinds of cards, {total} cards; each has {fields or 'a name'}",
            "  ",
        )
        names = ", ".join(f"{card.copies} {card.name}" for card in family.cards)
        return out + self.paper.wrap(names, "  ")

    def card(self, family: Family, card: Card) -> list[str]:
        """Tell a card: its values, what of it we assumed, its text, and the rules that name it."""
        paper = self.paper
        values = [
            f"{name} {self._value(ty, card.attributes[name])}"
            for name, ty in family.attributes.items()
            if name in card.attributes
        ]
        assumed = (
            "all of it" if set(card.assumed) >= set(family.attributes) else ", ".join(card.assumed)
        )
        out = paper.wrap(f"{card.name}, {card.copies} in the game: {', '.join(values)}", "  ")
        if card.assumed:
            out += paper.wrap(f"assumed, not printed in the rulebook: {assumed}", "  ")
        for name, body in card.abilities.items():
            out += paper.wrap(f"ability {name}:", "  ")
            out += paper.code(body.text.splitlines(), "    ")
        return out + self._uses(card.id, card.clause)

    def _value(self, ty: Ty, value: int) -> str:
        if ty.kind == "enum" and ty.name in self.game.enums:
            names = self.game.enums[ty.name]
            return names[value] if 0 <= value < len(names) else "none"
        if ty.kind == "bool":
            return "yes" if value else "no"
        return "none" if value < 0 <= ty.low else str(value)

    def place(self, name: str, text: str, clause: str) -> list[str]:
        """Tell a step or a window: what runs in it, from where, and what it leads to."""
        out = self.paper.wrap(text, "  ")
        for each in self.game.clauses:
            if each.on.partition(".")[0] == name:
                option = f" (option {each.option})" if each.option else ""
                out += self.paper.wrap(f"{each.id}{option}: {each.says}", "  - ", "    ")
        return out + self._uses(name, clause)

    def window(self, window: Window) -> list[str]:
        """Tell a window."""
        who = window.who if window.who is not None else window.by
        each = {"once": "one action or a pass each", "until_pass": "each until done, then the next",
                "rounds": "round and round until all have passed"}  # fmt: skip
        parts = [f"who acts: {unparse(who)}" if who is not None else "anybody acts"]
        if window.who is not None:
            parts += [f"order {window.order or 'clockwise'}", each.get(window.each, window.each)]
        elif window.repeat:
            parts.append("as often as they like")
        parts.append("something has to be done" if window.forced else f"or: {window.done}")
        title = f"{window.title}; " if window.title and window.title != window.name else ""
        return self.place(window.name, title + "; ".join(parts), window.clause)

    def zone(self, zone: Zone) -> list[str]:
        """Tell a zone."""
        seen = {"all": "seen by all", "owner": "seen by its owner", "none": "seen by nobody"}
        where = f"one for each {zone.per}" if zone.per else "in the middle"
        text = f"{zone.kind} of {zone.family} cards, {where}, {seen[zone.seen_by]}"
        text += ", holds all of them at the start" if zone.starts == "all" else ""
        return self.entry(text, zone.name, zone.clause)

    def variable(self, variable: Variable) -> list[str]:
        """Tell a variable."""
        start = ""
        for array in self.compiled.machine.arrays:
            if array.name == variable.name and array.start:
                shown = show_value(self.compiled.machine, array.domain, array.start[0])
                start = f", {'none' if shown is None else shown} at the start"
        per = f", one for each {variable.per}" if variable.per else ""
        return self.entry(f"{variable.type}{per}{start}", variable.name, variable.clause)

    def pool(self, pool: Pool) -> list[str]:
        """Tell a pool of records."""
        fields = ", ".join(f"{name} ({ty})" for name, ty in pool.fields.items())
        per = " for each player" if pool.per_player else ""
        return self.entry(f"at most {pool.capacity} records{per}: {fields}", pool.name, pool.clause)

    def field(self, name: str, text: str) -> list[str]:
        """Tell a field of records or cards: what it is, and who uses it."""
        return [*self.paper.wrap(text, "  "), *self._cites("used by", self.used.get(name, ()))]

    def word(self, name: str, text: str, clause: str) -> list[str]:
        """Tell a word of the book, and the sentences that use it."""
        out = self.paper.wrap(text, "  ")
        out += self._cites("introduced by", (clause,)) if clause else []
        return out + self._cites("used by", [c.id for c in self.game.clauses if name in c.uses])

    def entry(self, text: str, name: str, clause: str) -> list[str]:
        """Tell an entry of the spec: what it is, who introduces it, who uses it."""
        return [*self.paper.wrap(text, "  "), *self._uses(name, clause)]

    def _uses(self, name: str, clause: str) -> list[str]:
        out = self._cites("introduced by", (clause,)) if clause else []
        if not clause:
            out += self.paper.wrap("ours: no sentence of the book introduces it", "  ")
        found = self.used.get(name, ())
        return out + self._cites("used by", [each for each in found if each != name])

    def _cites(self, lead: str, names: Sequence[str]) -> list[str]:
        shown = [
            f"{name} ({cited})" if (cited := self.subject.cited(name)) else name for name in names
        ]
        return self.paper.wrap(f"{lead}: {', '.join(shown)}", "  ", "    ") if shown else []

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
