"""Questions: the silences of a game, those of siblings as one, with what its marks say of them.

What comes in is a game; what goes out are questions with readings, and the game under a reading.
The same silence at several places is one question, whose readings change all of them together.
How often something may be done is asked apart of what a declared point is about: that may ask it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal

from ..game import syntax as sx
from ..game.game import Body, Clause, Game, Ruling, Variable
from ..game.phrases import Change, Path, rewritten
from ..game.texts import walk
from ..game.unparse import unparse, unparse_body, unparse_domain
from ..recent import Recent
from ..source.errors import did_you_mean, quote
from . import options, too_few
from .aspects import ASPECTS, Aspect, Finder, silences_of
from .silence import Silence, View

Status = Literal["stated", "settled", "assumed", "asked", "internal", "silent"]
NO_MATTER_OF_THE_BOOK: tuple[Status, ...] = ("assumed", "asked", "internal")
"""What is not asked about: what no sentence of the book speaks of, or an open point asks."""


@dataclass(frozen=True, slots=True)
class SilenceQuestion:
    """What is asked of one or several clauses at once; the first reading is what is written."""

    id: str
    aspect: Aspect
    silences: tuple[Silence, ...]
    status: Status

    @property
    def clauses(self) -> tuple[str, ...]:
        """The clauses that it is about."""
        return tuple(dict.fromkeys(silence.clause for silence in self.silences))

    @property
    def readings(self) -> tuple[tuple[str, str], ...]:
        """The id and the title of each reading."""
        first = self.silences[0]
        return (first.written, *((answer.id, answer.title) for answer in first.answers))

    @property
    def adopted(self) -> str:
        """The reading by which the game is played, unless it is ruled otherwise."""
        first = self.silences[0]
        return first.adopted or first.written[0]


def status_of(clause: Clause, aspect: str) -> Status:
    """Return which mark a clause has for an aspect."""
    if aspect in dict(clause.stated):
        return "stated"
    if aspect in dict(clause.settled):
        return "settled"
    if aspect in clause.assumed:
        return "assumed"
    if aspect in clause.asked:
        return "asked"
    return "internal" if {"*", aspect} & set(clause.internal) else "silent"


def why_marked(clause: Clause, aspect: str) -> str:
    """Say what a mark refers to: words of the paraphrase, words of the book, another clause."""
    words = dict(clause.stated).get(aspect)
    if isinstance(words, str):
        return f"its words ({words})"
    if words is not None:
        return "its words"
    settled = dict(clause.settled).get(aspect)
    return f"the clause `{settled}`" if settled else ""


def is_about(clause: Clause, silence: Silence, place: str) -> bool:
    """Return whether a silence of a clause is about the statement with a place of its text.

    One that changes no statement is about all of the clause, as is a place that is not known.
    """
    found = [stmt for answer in silence.answers for path in answer.changes
             if (stmt := _statement(clause, path)) is not None]
    return not found or not place or any(
        place == str(part.at) for stmt in found for part in walk(stmt))


def _statement(clause: Clause, path: Path) -> sx.Stmt | None:
    """Return the innermost statement on the way to a part of a clause."""
    found: sx.Stmt | None = None
    tree: Any = clause
    for step in path:
        tree = tree[step] if isinstance(step, int) else getattr(tree, step)
        found = tree if isinstance(tree, sx.Stmt) else found
    return found


def questions_of(game: Game) -> tuple[SilenceQuestion, ...]:
    """Return the questions of a game: silent ones first, then by aspect and in order of the text.

    They are those of the game as it is written, whichever of their readings are taken up.
    """
    return _recent(game.as_written or game)


def _questions(game: Game, find: Finder = silences_of) -> tuple[SilenceQuestion, ...]:
    groups: dict[tuple[str, str, tuple[str, ...], Status, bool], list[Silence]] = {}
    asked = {clause for point in game.open_points for clause in point.clauses}
    for clause in game.clauses:
        if not clause.in_force:
            continue
        for silence in find(View(game, clause)):
            status = status_of(clause, silence.aspect)
            if silence.decided and status == "silent":
                status = "stated"
            elif silence.adopted and status != "silent":
                silence = replace(silence, adopted="", decided="")  # noqa: PLW2901
            ways = (silence.written[0], *(answer.id for answer in silence.answers))
            apart = silence.aspect == options.HOW_OFTEN and clause.id in asked
            groups.setdefault(
                (silence.aspect, silence.form, ways, status, apart), []).append(silence)
    made: list[SilenceQuestion] = []
    taken: dict[str, int] = {}
    for (aspect, _, _, status, _), silences in groups.items():
        name = f"{aspect}/{silences[0].clause}"
        taken[name] = taken.get(name, 0) + 1
        made.append(SilenceQuestion(name if taken[name] == 1 else f"{name}/{taken[name]}",
                                    ASPECTS[aspect], tuple(silences), status))
    ranks = {name: place for place, name in enumerate(ASPECTS)}
    return tuple(sorted(made, key=lambda each: (each.status != "silent", ranks[each.aspect.name])))


_recent = Recent(_questions, 8)


@dataclass(slots=True)
class _Change:
    """What readings change, put together: parts of clauses, and variables that are added."""

    clauses: dict[str, dict[Path, Change]] = field(default_factory=dict[str, "dict[Path, Change]"])
    variables: dict[str, Variable] = field(default_factory=dict[str, "Variable"])
    brought: list[Clause] = field(default_factory=list["Clause"])

    def add(self, question: SilenceQuestion, reading: str) -> None:
        """Add what a reading of a question changes; nothing for the one that is written."""
        for silence in question.silences:
            for answer in silence.answers:
                if answer.id == reading:
                    self._parts(silence.clause, answer.changes)
                    for clause, changes in answer.elsewhere.items():
                        self._parts(clause, changes)
                    self.variables |= {each.name: each for each in answer.adds}
                    self.brought += answer.brings

    def _parts(self, clause: str, changes: Mapping[Path, Change]) -> None:
        mine = self.clauses.setdefault(clause, {}) if changes else {}
        for path, change in changes.items():
            before = mine.get(path)
            mine[path] = change if before is None else _then(before, change)

    def made(self, game: Game) -> Game:
        """Return a game with all of it changed."""
        return replace(game, variables={**game.variables, **self.variables}, clauses=(*(
            _written(rewritten(clause, self.clauses[clause.id]))
            if clause.id in self.clauses else clause for clause in game.clauses), *self.brought))


def _then(first: Change, second: Change) -> Change:
    """Do one change after the other; the second is made of each statement of the first."""
    def changed(tree: object) -> object:
        made = first(tree)
        if not isinstance(made, tuple):
            return second(made)
        parts: tuple[object, ...] = made
        return tuple(part for one in parts for part in (
            _several(second(one)) if one is tree else (one,)))
    return changed


def _several(made: object) -> tuple[object, ...]:
    return made if isinstance(made, tuple) else (made,)


def _written(clause: Clause) -> Clause:
    """Write the text of a changed body anew."""
    if clause.do is None:
        return clause
    text = unparse_body(clause.do.statements) or "pass"
    return replace(clause, do=Body(clause.do.statements, text, clause.do.place))


def read_as(game: Game, question: SilenceQuestion, reading: str) -> Game:
    """Return a game under one reading of a question."""
    change = _Change()
    change.add(question, reading)
    return change.made(game)


def ruled(game: Game, rulings: Iterable[Ruling], wrong: list[str]) -> Game:
    """Return a game under rulings of its silences; those of no question are added to `wrong`.

    What nothing rules is as it is adopted.
    """
    rulings = tuple(rulings)
    known = {each.id: each for each in _ruled_or_adopted(game, rulings)}
    change = _Change()
    answered = [(ruling, _meant(known, ruling.point)) for ruling in rulings]
    for each in known.values():
        if all(each is not question for _, question in answered):
            change.add(each, each.adopted)
    for ruling, question in answered:
        if question is None:
            hint = did_you_mean(ruling.point, [each.id for each in questions_of(game)])
            wrong.append(f"no open point {quote(ruling.point)}" + (f"; {hint}" if hint else ""))
        elif ruling.reading in dict(question.readings):
            change.add(question, ruling.reading)
        else:
            names = ", ".join(quote(name) for name, _ in question.readings)
            wrong.append(f"{quote(ruling.point)} has no reading {quote(ruling.reading)}; "
                         f"it has {names}")
    return replace(change.made(game), as_written=game) if change.clauses or change.brought else game


def _meant(known: Mapping[str, SilenceQuestion], point: str) -> SilenceQuestion | None:
    """Return the question of a name; None if there is none.

    A reading may bring a clause that comes first in the group: any of its clauses names it.
    """
    return known.get(point) or next((
        each for each in known.values()
        if any(f"{each.aspect.name}/{silence.clause}" == point for silence in each.silences)), None)


def _ruled_or_adopted(game: Game, rulings: Iterable[Ruling]) -> tuple[SilenceQuestion, ...]:
    """Return the questions of the aspects that are ruled, and those with an adopted answer."""
    aspects = {ruling.point.partition("/")[0] for ruling in rulings}
    some = too_few.ASPECT not in aspects and any(
        too_few.may_adopt(View(game, clause)) for clause in game.clauses if clause.in_force)

    def find(view: View) -> Iterator[Silence]:
        yield from silences_of(view, aspects)
        if some:
            yield from too_few.find_adopted(view)

    return _questions(game, find) if aspects or some else ()


def as_change_list(game: Game, question: SilenceQuestion, reading: str) -> dict[str, object]:
    """Write what a reading changes as the spec would: fields of clauses, as text."""
    game = game.as_written or game
    changed = read_as(game, question, reading)
    made: dict[str, object] = {}
    for old, new in zip(game.clauses, changed.clauses, strict=False):
        if old is new:
            continue
        made[new.id] = {_FIELDS.get(each.name, each.name): _text(new, each.name)
                        for each in fields(old)
                        if getattr(old, each.name) != getattr(new, each.name)}
    added = {name: str(each.type) for name, each in changed.variables.items()
             if name not in game.variables}
    brought = [{"id": each.id, "kind": each.kind, "says": each.says, "on": each.on,
                **({"ensure": unparse(each.ensure)} if each.ensure is not None else {})}
               for each in changed.clauses[len(game.clauses):]]
    parts = {"changes": made, "add": brought, "state": added}
    return {name: part for name, part in parts.items() if part} if made or brought else {}


_FIELDS = {"params": "with"}


def _text(clause: Clause, name: str) -> object:
    if name == "do" and clause.do is not None:
        return clause.do.text
    if name == "params":
        return {each: unparse_domain(domain) for each, domain in clause.params}
    value = getattr(clause, name)
    return value if value is None or isinstance(value, str) else unparse(value)
