"""All that can be said about a spec without running it: every error, and what looks forgotten.

Errors are looked for in the game as it is ruled, and once more under each variant, each reading of
each open point and each scope, so that a mistake in a mode that nobody has chosen is found too.
Warnings are about what has no effect: clauses of which nothing comes, sentences that no clause
covers, steps, variables, zones, constants, attributes and terms that nothing uses, and names within
one body that nothing reads there and that look misspelt.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..game import syntax as sx
from ..game.game import Body, Game, Settings
from ..game.texts import walk
from ..game.uses import all_bodies, all_trees, read_in
from ..loading.folder import read_sections
from ..loading.load import with_settings
from ..loading.sections import Sections
from ..lowering.compile import Compiled, compile_game, joinable, unused_in
from ..lowering.united import United
from ..machine.titles import BLANK
from ..source import fields
from ..source.errors import (
    Diagnostic,
    Place,
    Reporter,
    SpecErrors,
    UsageError,
    did_you_mean,
    quote,
)
from ..source.tree import SpecNode
from .modes import never_chosen, with_needed
from .trace import TracedSentence, trace

_WORDS = re.compile(r"[^\W\d]\w*")
_PROSE = frozenset({
    "says", "title", "about", "asks", "means", "why", "name", "id", "game", "file", "sha256",
    "called", "kind", "draft", "clause", "done", "uses", "lines", "extends", "same_as", "assumed"})
"""Fields that hold words for people, or names of other things than the spec's variables."""


@dataclass(frozen=True, slots=True)
class Lint:
    """What was found in one spec; `sources` are the lines of its files, for the excerpts."""

    game: str
    errors: tuple[Diagnostic, ...]
    warnings: tuple[Diagnostic, ...]
    sources: Mapping[str, Sequence[str]]
    settings: int
    """In how many settings it was compiled."""


def lint(
    name_or_path: str, *, whole: bool = True, sections: Sections | None = None,
    before_each: Callable[[], None] = lambda: None,
    beside: Callable[[Sections], Iterable[Diagnostic]] = lambda _: (),
) -> Lint:
    """Look a spec over: if `whole`, under all settings and for warnings; else as it is ruled.

    `sections` are those of the spec, if they were read already.  `before_each` is called before
    each setting; what it raises ends the look.  `beside` gives more warnings of a spec without
    errors.

    Raises:
        UsageError: there is no such game.

    """
    sections = sections or read_sections(name_or_path, Reporter())
    look = _Look(dict.fromkeys(sections.wrong), whole)
    for settings in settings_of(sections.root) if whole else (Settings(),):
        before_each()
        if look.knows(settings):
            look.done += 1
            continue
        try:
            look.at(with_settings(sections, settings, Reporter()))
        except SpecErrors as error:
            look.errors.update(dict.fromkeys(error.diagnostics))
            if settings == Settings():
                break
        except UsageError:
            continue
    before_each()
    look.at_what_waits()
    found = tuple(sorted(look.errors, key=lambda each: each.sort_key))
    quiet = found or look.first is None or not whole
    warnings = () if quiet or look.first is None else tuple(
        _warnings(sections, compile_game(look.first), look)) + tuple(
        beside(sections))
    return Lint(
        sections.name,
        found,
        tuple(sorted((*warnings, *_unread(sections)), key=lambda each: each.sort_key)),
        sections.sources,
        look.done,
    )


def _unread(sections: Sections) -> Iterator[Diagnostic]:
    """Warn of files that are not read, also where something is missing for that."""
    for file in sections.unread:
        yield Diagnostic("RP259", "this file is not read", Place.start_of(file),
                         "the files of a spec end in `.yaml`: rename it")


class _Look:
    """What was found so far.

    Games that differ in clauses only are compiled as one, and alone if something is wrong then.
    """

    def __init__(self, errors: dict[Diagnostic, None], whole: bool) -> None:  # noqa: FBT001
        self.errors = errors
        self.done = 0
        """How many games were found to compile."""
        self.first: Game | None = None
        self.run: set[str] = set()
        """The steps and windows that some game runs."""
        self.read: set[str] = set()
        """What the rules of some game read."""
        self._whole = whole
        self.bodies: dict[int, Body] = {}
        """What clauses and cards do in some game."""
        self._trees: dict[int, sx.Expr | sx.Stmt] = {}
        self._waiting: list[Game] = []

    def knows(self, settings: Settings) -> bool:
        """Return whether these settings choose nothing but what is played anyway."""
        if self.first is None or settings == Settings():
            return False
        played = {point.id: point.readings[0].id for point in self.first.open_points}
        played |= {each.point: each.reading for each in self.first.rulings}
        return settings == Settings(rulings=settings.rulings) and all(
            played.get(point) == reading for point, reading in settings.rulings)

    def at(self, game: Game) -> None:
        """Look at a game, or put it off.

        Raises:
            SpecErrors: if it is wrong.

        """
        if self._whole:
            new = {id(each): each for each in all_trees(game) if id(each) not in self._trees}
            self.read.update(read_in(new.values()))
            self._trees |= new
            self.bodies |= {id(each): each for each in all_bodies(game)}
        if self.first is None:
            self._compile(game)
            self.first, self._united = game, United(game)
        elif joinable(game) and self._united.add(game):
            self._waiting.append(game)
        else:
            self._compile(game)

    def at_what_waits(self) -> None:
        """Look at the games that were put off."""
        if not self._waiting:
            return
        try:
            self._compile(self._united.game(), len(self._waiting))
        except SpecErrors:
            for game in self._waiting:
                try:
                    self._compile(game)
                except SpecErrors as error:
                    self.errors.update(dict.fromkeys(error.diagnostics))

    def _compile(self, game: Game, many: int = 1) -> None:
        self.run |= {*game.steps, *game.windows} - {*unused_in(game)}
        self.done += many


def settings_of(root: SpecNode) -> Iterator[Settings]:
    """List the settings under which a spec is looked at: as ruled, then one change at a time."""
    plain = Settings()
    yield plain
    for variant in fields.entries(root, "variants"):
        yield replace(plain, variants=with_needed(root, variant))
    for point in fields.items(root, "open_points"):
        for reading in fields.items(point, "readings"):
            pair = (fields.text(point, "id"), fields.text(reading, "id"))
            yield replace(plain, rulings=(pair,))
    for scope in fields.entries(root, "scopes"):
        if scope != "printed":
            yield replace(plain, scope=scope)


# ---------------------------------------------------------------------- warnings


def _warnings(sections: Sections, compiled: Compiled, look: _Look) -> Iterator[Diagnostic]:
    """Yield what nothing uses, under whatever settings were looked at."""
    game = compiled.game
    clauses = {clause.id: clause for clause in game.clauses}
    traced = trace(compiled)
    never_run = {name for name in compiled.unused if name not in look.run}
    for one in traced.idle:
        if clauses[one.id].on.partition(".")[0] in never_run:
            continue  # told of the step or window
        yield Diagnostic(
            "RP250",
            f"nothing comes of the clause {quote(one.id)}",
            clauses[one.id].place,
            "give it a field that the engine reads, name it where it is modelled (`clause:`), "
            "or make it flavour",
        )
    for name in (each for each in compiled.unused if each in never_run):
        step = game.steps.get(name) or game.windows[name]
        what = "step" if name in game.steps else "window"
        yield Diagnostic("RP251", f"nothing runs the {what} {quote(name)}", step.place)
    words = set(_words(sections.root))
    for what, name, place in _declared(game):
        if name not in words:
            yield Diagnostic("RP251", f"nothing uses the {what} {quote(name)}", place)
        elif what == "variable" and name not in look.read and "/../" not in place.file:
            # What an extended game has is there for other editions, too.
            yield Diagnostic(
                "RP254", f"nothing reads the variable {quote(name)}; it is only written", place,
                "no rule depends on it: is a rule missing, or can it go?")
    yield from _never_done(sections.root)
    for name, why in never_chosen(sections).items():
        place = fields.entries(sections.root, "variants")[name].place
        yield Diagnostic("RP261", f"the variant {quote(name)} can never be chosen: {why}", place)
    yield from _uncounted(sections, game)
    yield from _terms(sections, game)
    node = fields.field(sections.root, "titles")
    known = words | {name for _, name, _ in _declared(game)} | {
        clause.option for clause in game.clauses} | {*game.titles.values} | {
        name for clause in game.clauses for name, _ in clause.params}
    for name, each in fields.entries(node).items():
        if name not in known and node is not None:
            yield Diagnostic("RP251", f"nothing is called {quote(name)}",
                             node.keys.get(name, each.place), did_you_mean(name, known))
        for blank in BLANK.findall(str(each.value)):
            if blank not in known:
                yield Diagnostic("RP251", f"nothing is called {quote(blank)}, of the blank",
                                 each.place, did_you_mean(blank, known))
    for body in look.bodies.values():
        yield from _misspelt(body, {name for _, name, _ in _declared(game)})
    yield from _renamed(sections.root)
    yield from _nothing_instead(game)
    if game.rulebook is not None and traced.uncovered:
        yield _uncovered(sections, traced.uncovered)


def _declared(game: Game) -> Iterator[tuple[str, str, Place]]:
    for what, some in (("constant", game.constants), ("zone", game.zones),
                       ("variable", game.variables), ("pool", game.pools)):
        yield from ((what, each.name, each.place) for each in some.values())
    for family in game.families.values():
        for attribute in family.attributes:
            yield "attribute", attribute, family.place
    for clause in game.clauses:
        if clause.define:
            yield "term", clause.define, clause.place


def _misspelt(body: Body, declared: set[str]) -> Iterator[Diagnostic]:
    """Yield names that are set in a body, are read nowhere in it, and look like another name."""
    set_here: dict[str, Place] = {}
    for one in (each for tree in body.statements for each in walk(tree)):
        if isinstance(one, sx.Assign) and isinstance(one.target, sx.Name):
            name, at = one.target.name, one.target.at
            set_here[name] = min(at, set_here.get(name, at))
    read = {*read_in(body.statements)}
    for name in sorted(set_here.keys() - declared - read):
        if hint := did_you_mean(name, declared | (set_here.keys() & read)):
            yield Diagnostic("RP258", f"nothing reads {quote(name)}, which is set here",
                             set_here[name], hint)


def _words(node: SpecNode, key: str = "") -> Iterator[str]:
    """List the words of all rule texts; the names that entries have are no uses of them."""
    if isinstance(node.value, dict):
        for name, each in node.value.items():
            if name in ("define", "titles"):
                continue
            yield from _words(each, name)
    elif isinstance(node.value, tuple):
        for each in node.value:
            yield from _words(each, key)
    elif isinstance(node.value, str) and key not in _PROSE:
        yield from _WORDS.findall(node.value)


def _never_done(root: SpecNode) -> Iterator[Diagnostic]:
    """Yield the words for to pass of windows in which nobody may pass."""
    changed = {name for change in _changes(root) for name, each in fields.entries(change).items()
               if "forced" in fields.entries(each)}
    for name, window in fields.entries(root, "windows").items():
        given = fields.field(window, "done")
        if fields.truth(window, "forced") and given is not None and (
                f"window:{name}" not in changed):
            yield Diagnostic(
                "RP251", f"nothing uses `done` of the window {quote(name)}: with `forced` nobody "
                "may pass", window.keys.get("done", given.place), "leave out one of the two")


def _changes(root: SpecNode) -> Iterator[SpecNode | None]:
    """List what changes clauses and windows."""
    yield fields.field(root, "changes")
    for variant in fields.entries(root, "variants").values():
        yield fields.field(variant, "changes")
    for point in fields.items(root, "open_points"):
        for reading in fields.items(point, "readings"):
            yield fields.field(reading, "changes")
            for both in fields.entries(reading, "together").values():
                yield fields.field(both, "changes")


def _uncounted(sections: Sections, game: Game) -> Iterator[Diagnostic]:
    """Yield the cards that lie somewhere from the start on, and of which no number is given."""
    starting = {zone.family for zone in game.zones.values() if zone.starts}
    for family, cards in fields.entries(sections.root, "cards").items():
        for name, card in fields.entries(cards).items():
            if family in starting and fields.field(card, "copies") is None:
                yield Diagnostic(
                    "RP260", f"there is no {quote(f'{family}.{name}')} in the game", card.place,
                    "say how many there are: `copies: 1`")


def _terms(sections: Sections, game: Game) -> Iterator[Diagnostic]:
    used = {term for clause in game.clauses for term in clause.uses}
    used |= {term.same_as for term in game.vocabulary.values()}
    node = fields.field(sections.root, "vocabulary")
    for name in game.vocabulary:
        place = fields.key_place(node, name)
        if name not in used and place is not None:
            yield Diagnostic("RP252", f"no sentence uses the term {quote(name)}", place)


def _renamed(root: SpecNode) -> Iterator[Diagnostic]:
    """Yield the readings in which an option has other parameters than the clause gives it.

    Each of its moves is another one then, and the readings seem to part where nothing differs.
    """
    clauses = fields.by_id(fields.items(root, "clauses"))
    for point in fields.items(root, "open_points"):
        for reading in fields.items(point, "readings"):
            for name, change in fields.entries(fields.field(reading, "changes")).items():
                given = fields.field(change, "with")
                if given is None or name not in clauses:
                    continue
                if {*fields.entries(given)} != {*fields.entries(clauses[name], "with")}:
                    yield Diagnostic(
                        "RP255", f"every move of {quote(name)} has another name in this reading",
                        given.place, "keep the parameters, and `add` what else may be done as an "
                        "option of its own")


def _nothing_instead(game: Game) -> Iterator[Diagnostic]:
    """Yield sentences that say that nothing is done, and do not say in whose place."""
    for clause in game.clauses:
        if (clause.do is not None and not clause.do.statements and clause.on in game.steps
                and not clause.overrides and clause.in_force):
            yield Diagnostic(
                "RP256", f"{quote(clause.id)} does nothing, in place of nothing", clause.place,
                "name what is not done then in `overrides`, and leave its condition to this one")


def _uncovered(sections: Sections, uncovered: Iterable[TracedSentence]) -> Diagnostic:
    lines = sorted({one.line for one in uncovered})
    place = fields.place_of(sections.root, "rulebook")
    shown = ", ".join(map(str, lines[:12])) + (", …" if len(lines) > 12 else "")
    many = "line" if len(lines) == 1 else "lines"
    return Diagnostic(
        "RP253",
        f"no clause covers every sentence of {many} {shown}",
        place,
        "`ruleproof trace` lists them",
    )
