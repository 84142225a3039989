"""Applies settings to sections: a scope, variants, readings, and real cards.

All of it happens to the tree before anything of it is parsed: a change list says which fields of
which clauses and windows get another value, and the clauses keep their places. The order: variants
as the spec declares them, readings of declared points in the order of the spec, readings of derived
points, and last what the caller adds.  Readings of silences change the game that comes of this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from ..game.game import PRINTED, Ruling, Settings
from ..game.sentences import played
from ..silences.aspects import is_silence
from ..source import fields
from ..source.errors import Place, Reporter, did_you_mean, quote
from ..source.fields import from_plain
from ..source.tree import SpecNode
from .bridges import bridged
from .overlaps import joint, together_lists

LITERAL = ("none", "literal")
"""Names that switch a ruling off, for points that have no reading of that name."""

MADE = Place.start_of("changes")


@dataclass(frozen=True, slots=True)
class Points:
    """The open points that a spec declares, and those that follow from its clauses."""

    declared: Mapping[str, Mapping[str, SpecNode]]
    clauses: frozenset[str]
    triggers: frozenset[str]
    """Clauses with `whenever`."""
    rounds: frozenset[str]
    """Windows in which several players act."""

    def problem(self, point: str, reading: str) -> str:
        """Say what is wrong with taking a reading of a point; nothing if all is well.

        Silences are derived from the game that the other settings give, so of these only the
        clause is known here.
        """
        if is_silence(point) and point.split("/")[1] in self.clauses:
            return ""
        readings = self.readings(point)
        if not readings:
            hint = did_you_mean(point, self.declared)
            return f"no open point {quote(point)}" + (f"; {hint}" if hint else "")
        if reading in readings or reading in LITERAL:
            return ""
        hint = did_you_mean(reading, readings) or f"it has {', '.join(map(quote, readings))}"
        return f"{quote(point)} has no reading {quote(reading)}; {hint}"

    def readings(self, point: str) -> Mapping[str, SpecNode]:
        """Return the readings of a point with their changes; none for no such point."""
        return self.declared.get(point) or self.derived(point)

    def derived(self, point: str) -> dict[str, SpecNode]:
        """Return the readings of a derived point, with their changes; none for no such point."""
        match point.split("/"):
            case ["timing" | "firing" as kind, clause] if clause in self.triggers:
                field, names = _WHENEVER[kind]
                return {name: _changes({clause: {field: name.replace("-", " ")}}) for name in names}
            case ["order", window] if window in self.rounds:
                ways = ("clockwise", "counterclockwise", "unstated")
                return {way: _changes({f"window:{window}": {"order": way}}) for way in ways}
            case ["order", clause] if clause in self.clauses:
                return {way: _changes({clause: {"loop_order": way}})
                        for way in ("clockwise", "counterclockwise")}
            case ["order", one, two] if {one, two} <= self.clauses and one != two:
                first = _changes({two: {_MORE_AFTER: [one]}})
                second = _changes({one: {_MORE_AFTER: [two]}})
                return {"first": first, "second": second,
                        f"{one}-first": first, f"{two}-first": second}
            case _:
                return {}


_MORE_AFTER = "+after"
_WHENEVER = {"timing": ("timing", ("at-once", "after-the-step")),
             "firing": ("fires", ("each-time", "once-per-change"))}
"""Of the points of a rule of any time, the field that decides each, and its readings."""


def _changes(changes: Mapping[str, object]) -> SpecNode:
    return from_plain({"changes": changes}, MADE)


@lru_cache(maxsize=8)
def points_of(root: SpecNode) -> Points:
    """Collect the open points of a spec."""
    declared: dict[str, dict[str, SpecNode]] = {}
    for point in fields.items(root, "open_points"):
        readings = fields.by_id(fields.items(point, "readings"))
        declared.setdefault(fields.text(point, "id"), readings)
    clauses: set[str] = set()
    triggers: set[str] = set()
    for node in all_clauses(root):
        clauses.add(fields.text(node, "id"))
        if fields.field(node, "whenever") is not None:
            triggers.add(fields.text(node, "id"))
    rounds = {name for name, node in fields.entries(root, "windows").items()
              if fields.field(node, "who") is not None}
    return Points(declared, frozenset(clauses), frozenset(triggers), frozenset(rounds))


def change_lists(root: SpecNode) -> Iterator[SpecNode]:
    """Yield every variant and reading of a spec, and what readings say that they are together."""
    yield from fields.entries(root, "variants").values()
    for point in fields.items(root, "open_points"):
        for reading in fields.items(point, "readings"):
            yield reading
            yield from together_lists(reading)


def all_clauses(root: SpecNode) -> Iterator[SpecNode]:
    """Yield the clauses of a spec and those that a variant or reading adds."""
    yield from fields.items(root, "clauses")
    for changes in change_lists(root):
        yield from fields.items(changes, "add")


@dataclass(frozen=True, slots=True)
class Chosen:
    """What settings come to: the scope and the modes, and the rulings that are in force."""

    scope: str
    players: int
    variants: tuple[str, ...]
    rulings: tuple[Ruling, ...]


def choose(
    root: SpecNode, settings: Settings, players: tuple[int, int, int], wrong: list[str],
) -> Chosen:
    """Resolve settings; what is wrong with them (not with the spec) is added to `wrong`."""
    low, high, usual = players
    scopes = fields.entries(root, "scopes")
    scope = scopes.get(settings.scope)
    if scope is None and settings.scope != PRINTED:
        hint = did_you_mean(settings.scope, [*scopes, PRINTED])
        wrong.append(f"no scope {quote(settings.scope)}; "
                     f"{hint or 'there are ' + ', '.join(sorted({*scopes, PRINTED}))}")
    seats = settings.players
    known = fields.entries(root, "variants")
    asked = settings.variants or fields.texts(scope, "variants")
    if seats is None:
        own = [fields.number(known[name], "players", usual) for name in known if name in asked
               and fields.field(known[name], "players") is not None]
        seats = fields.number(scope, "players", min(own, default=usual))
    elif not low <= seats <= high:
        wrong.append(f"this game has {low} to {high} players, not {seats}")
        seats = usual
    for name in settings.variants:
        if name not in known:
            hint = did_you_mean(name, known) or f"there are {', '.join(sorted(known)) or 'none'}"
            wrong.append(f"no variant {quote(name)}; {hint}")
    variants = tuple(name for name in known if name in asked)
    for name in settings.variants:
        wrong += apart(name, known.get(name), variants)
    rulings = _rulings(root, scope, settings, wrong)
    return Chosen(settings.scope, max(low, min(high, seats)), variants, rulings)


def apart(name: str, variant: SpecNode | None, chosen: tuple[str, ...]) -> list[str]:
    """Say why a mode does not go with those that are chosen."""
    found = [f"the variant {quote(name)} needs {quote(other)}"
             for other in fields.texts(variant, "needs") if other not in chosen]
    return found + [f"the variant {quote(name)} excludes {quote(other)}"
                    for other in fields.texts(variant, "excludes") if other in chosen]


def _rulings(
    root: SpecNode, scope: SpecNode | None, settings: Settings, wrong: list[str]
) -> tuple[Ruling, ...]:
    """Return the rulings in force: those of the spec, of the scope, of the settings."""
    points = points_of(root)
    found: dict[str, Ruling] = {}
    for node in fields.items(root, "rulings"):
        ruling = Ruling(*(fields.text(node, key) for key in ("point", "reading", "why")))
        found[ruling.point] = ruling
    for point, node in fields.entries(scope, "rulings").items():
        found[point] = Ruling(point, str(node.value), f"the scope {settings.scope}")
    for point, reading in settings.rulings:
        if problem := points.problem(point, reading):
            wrong.append(problem)
        found[point] = Ruling(point, reading, "chosen")
    order = [*points.declared, *sorted(found.keys() - points.declared.keys())]
    kept = [found[point] for point in order if point in found]
    return tuple(each for each in kept if _in_force(each, points))


def _in_force(ruling: Ruling, points: Points) -> bool:
    if points.problem(ruling.point, ruling.reading):
        return False
    return ruling.reading in points.declared.get(ruling.point, {}) or ruling.reading not in LITERAL


@dataclass(slots=True)
class Draft:
    """Sections that are being changed."""

    root: SpecNode
    clauses: dict[str, SpecNode] = field(default_factory=dict[str, SpecNode])
    windows: dict[str, SpecNode] = field(default_factory=dict[str, SpecNode])
    constants: dict[str, SpecNode] = field(default_factory=dict[str, SpecNode])
    dropped: dict[str, SpecNode] = field(default_factory=dict[str, SpecNode])

    def __post_init__(self) -> None:
        self.clauses = fields.by_id(fields.items(self.root, "clauses"))
        self.windows = dict(fields.entries(self.root, "windows"))
        self.constants = dict(fields.entries(self.root, "constants"))

    def change(self, changes: SpecNode) -> None:
        """Apply a change list; what a clause that is not there would get, nobody gets."""
        for name in fields.texts(changes, "drop"):
            if name in self.clauses:
                self.dropped[name] = self.clauses.pop(name)
        for clause in fields.items(changes, "add"):
            self.clauses[fields.text(clause, "id")] = clause
        for name, change in fields.entries(changes, "changes").items():
            if name.startswith("window:"):
                self._window(name.removeprefix("window:"), change)
            elif name in self.clauses:
                self.clauses[name] = _changed(self.clauses[name], change)
        for name, change in fields.entries(changes, "windows").items():
            self._window(name, change)
        for name, value in fields.entries(changes, "constants").items():
            self.constant(name, value)

    def constant(self, name: str, value: SpecNode) -> None:
        """Give a constant another value."""
        old = self.constants.get(name)
        if old is None:
            return
        if isinstance(old.value, dict):
            value = fields.updated(old, {"value": value}, {"value": value.place})
        self.constants[name] = value

    def _window(self, name: str, change: SpecNode) -> None:
        old = self.windows.get(name)
        if old is not None:
            self.windows[name] = _changed(old, change)

    def finished(self, variants: tuple[str, ...]) -> SpecNode:
        """Return the sections as they are now, for the variants that are played."""
        sections = dict(fields.entries(self.root))
        idle = {name: node for name, node in self.clauses.items() if not played(node, variants)}
        lost = {name: node for name, node in self.dropped.items() if name not in self.clauses}
        self.clauses = bridged(self.clauses, {**lost, **idle})
        made: dict[str, SpecNode] = {}
        if "clauses" in sections:
            made["clauses"] = replace(sections["clauses"], value=tuple(self.clauses.values()))
        elif self.clauses:
            made["clauses"] = SpecNode(tuple(self.clauses.values()), self.root.place)
        for name, values in (("windows", self.windows), ("constants", self.constants)):
            if name in sections:
                made[name] = replace(sections[name], value=values)
        return replace(self.root, value={**sections, **made})


def changed(root: SpecNode, changes: Mapping[str, SpecNode]) -> SpecNode:
    """Change fields of the clauses and windows of a game, whatever is played."""
    made = dict(fields.entries(root))
    if "clauses" in made:
        made["clauses"] = replace(made["clauses"], value=tuple(
            _changed(node, changes[name]) if (name := fields.text(node, "id")) in changes else node
            for node in fields.items(root, "clauses")))
    if "windows" in made:
        made["windows"] = replace(made["windows"], value={
            name: _changed(node, changes[key]) if (key := f"window:{name}") in changes else node
            for name, node in fields.entries(root, "windows").items()})
    return replace(root, value=made)


@lru_cache(maxsize=4_000)
def _changed(old: SpecNode, change: SpecNode) -> SpecNode:
    """Change fields of a clause or window, once for all; of `+after` others it gets more."""
    values, keys = dict(fields.entries(change)), dict(change.keys)
    more = values.pop(_MORE_AFTER, None)
    if more is not None:
        keys.pop(_MORE_AFTER, None)
        values["after"] = SpecNode((*fields.items(old, "after"), *fields.items(more)), more.place)
        keys["after"] = more.place
    return fields.updated(old, values, keys)


def apply(root: SpecNode, chosen: Chosen, more: tuple[SpecNode, ...], report: Reporter) -> SpecNode:
    """Change sections as a choice of settings asks; readings that undo each other are reported."""
    draft = Draft(root)
    variants = fields.entries(root, "variants")
    for name in chosen.variants:
        draft.change(variants[name])
    points = points_of(root)
    taken = {f"{each.point}={each.reading}": points.readings(each.point)[each.reading]
             for each in chosen.rulings
             if each.point in points.declared or not is_silence(each.point)}
    for changes in (*taken.values(), *joint(taken, report), *more):
        draft.change(changes)
    scope = fields.entries(root, "scopes").get(chosen.scope)
    for name, value in fields.entries(scope, "constants").items():
        draft.constant(name, value)
    made = draft.finished(chosen.variants)
    if fields.entries(scope, "state"):
        made = _started(made, fields.entries(scope, "state"))
    if fields.entries(scope, "cards"):
        made = _counted(made, fields.entries(scope, "cards"))
    return made


def in_modes(root: SpecNode, variants: tuple[str, ...]) -> SpecNode:
    """Return the sections as they are written for some modes."""
    draft = Draft(root)
    for name in variants:
        draft.change(fields.entries(root, "variants")[name])
    return draft.finished(variants)


def _with_section(root: SpecNode, name: str, entries: Mapping[str, SpecNode]) -> SpecNode:
    section = fields.entries(root)[name]
    changed = replace(section, value=dict(entries))
    return replace(root, value={**fields.entries(root), name: changed})


def _started(root: SpecNode, starts: Mapping[str, SpecNode]) -> SpecNode:
    """Give variables other start values."""
    state = fields.entries(root, "state")
    if not state:
        return root
    made = {
        name: fields.updated(node, {"start": starts[name]}, {"start": starts[name].place})
        if name in starts else node
        for name, node in state.items()
    }
    return _with_section(root, "state", made)


def _counted(root: SpecNode, copies: Mapping[str, SpecNode]) -> SpecNode:
    """Give the cards of some families other copies, or none, and some of them other attributes."""
    families = dict(fields.entries(root, "cards"))
    for name, family in families.items():
        if name not in copies:
            continue
        given = fields.entries(copies[name])
        nothing = SpecNode(0, copies[name].place)
        cards = {
            card: _scaled(node, given.get(card, nothing))
            for card, node in fields.entries(family).items()
        }
        families[name] = replace(family, value=cards)
    return _with_section(root, "cards", families) if families else root


def _scaled(card: SpecNode, given: SpecNode) -> SpecNode:
    if isinstance(given.value, dict):
        return fields.updated(card, fields.entries(given), given.keys)
    return fields.updated(card, {"copies": given}, {})


def overlaid(root: SpecNode, overlay: SpecNode) -> SpecNode:
    """Lay real cards over the assumed ones; what is given is no assumption any more."""
    families = dict(fields.entries(root, "cards"))
    for name, family in fields.entries(overlay, "cards").items():
        old = families.get(name)
        cards = dict(fields.entries(old))
        for card, node in fields.entries(family).items():
            cards[card] = _overlaid(cards[card], node) if card in cards else node
        keys = {**(old.keys if old else {}), **family.keys}
        families[name] = replace(old or family, value=cards, keys=keys)
    section = fields.entries(root).get("cards")
    made = replace(section, value=families) if section else fields.mapping(families, overlay.place)
    return replace(root, value={**fields.entries(root), "cards": made})


def _overlaid(old: SpecNode, new: SpecNode) -> SpecNode:
    values, given = dict(fields.entries(new)), fields.entries(new)
    assumed = fields.entries(old).get("assumed")
    if assumed is not None and "assumed" not in given:
        named = fields.texts(old, "assumed")
        if named == ("all",):
            named = tuple(key for key in fields.entries(old) if key not in ("assumed", "clause"))
        left = tuple(SpecNode(key, assumed.place) for key in named if key not in given)
        values["assumed"] = SpecNode(left, assumed.place)
    return fields.updated(old, values, new.keys)
