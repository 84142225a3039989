"""Checks what the parts of a spec say of each other: ids, citations, steps, options, modes.

`check_sections` looks at all that is written, also in the modes and readings that are not in force:
every clause is looked at as it stands, and once more as each change list leaves it. `check_links`
looks at the one game that some settings give.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ..game.entries import Context, citing
from ..game.game import Game
from ..game.sentences import check_texts
from ..source import fields
from ..source.errors import Place, Reporter, did_you_mean, quote
from ..source.tree import SpecNode
from .citations import check_lines, check_vocabulary
from .sections import Sections
from .settings import apart, change_lists, points_of

MAX_CARDS = 400
MAX_CLAUSES = 2000
MAX_VECTOR = 20_000


def check_sections(sections: Sections, report: Reporter) -> None:
    """Report what is wrong under any setting."""
    links = _Links(sections, report)
    links.ids()
    links.citing()
    links.modes()
    links.scopes()
    links.points()
    links.sizes()
    for changes in change_lists(sections.root):
        check_texts(changes, sections.texts, report)
    for clause in links.written():
        links.clause(clause)
        links.place_in_the_turn(clause)
        links.order(clause)
        check_lines(clause, sections.root, report)
    check_vocabulary(sections.root, report)


@dataclass(slots=True)
class _Links:
    """The names that a spec declares."""

    sections: Sections
    report: Reporter
    root: SpecNode
    clauses: dict[str, SpecNode]
    options: dict[str, dict[str, None]]

    def __init__(self, sections: Sections, report: Reporter) -> None:
        self.sections, self.report, self.root = sections, report, sections.root
        self.clauses = fields.by_id(fields.items(self.root, "clauses"))
        for changes in change_lists(self.root):
            for clause in fields.items(changes, "add"):
                self.clauses.setdefault(fields.text(clause, "id"), clause)
        self.options = {}
        for clause in self.written():
            if option := fields.text(clause, "option"):
                self.options.setdefault(fields.text(clause, "on"), {})[option] = None
        for name, window in self.section("windows").items():
            self.options.setdefault(name, {})[fields.text(window, "done", "done")] = None

    def section(self, name: str) -> dict[str, SpecNode]:
        return fields.entries(self.root, name)

    def written(self) -> Iterator[SpecNode]:
        """Yield every clause as it stands, as modes and readings add it, and as they leave it."""
        yield from fields.items(self.root, "clauses")
        for changes in change_lists(self.root):
            yield from fields.items(changes, "add")
            for name, change in fields.entries(changes, "changes").items():
                if name in self.clauses:
                    yield fields.updated(self.clauses[name], fields.entries(change), change.keys)

    def known(self, name: str, among: Iterable[str], section: str, what: str, place: Place) -> bool:
        """Report a name that no entry has."""
        names = list(among)
        if name in names:
            return True
        broken = self.sections.broken
        if section not in broken and f"{section}.{name}" not in broken:
            self.report.error("RP220", f"unknown {what} {quote(name)}", place,
                              help=did_you_mean(name, names))
        return False

    def _may_run(self, name: str) -> bool:
        """Return whether a name may be that of a step or window which was refused."""
        refused = {"steps", "windows", f"steps.{name}", f"windows.{name}"} & self.sections.broken
        return bool(refused) and name not in {**self.section("steps"), **self.section("windows")}

    # ---- ids

    def ids(self) -> None:
        """Report ids that are given twice."""
        self._unique(fields.items(self.root, "clauses"), "id", "clause")
        self._unique(fields.items(self.root, "open_points"), "id", "open point")
        self._unique(fields.items(self.root, "rulings"), "point", "ruling of")
        for point in fields.items(self.root, "open_points"):
            self._unique(fields.items(point, "readings"), "id", "reading")
        own = fields.by_id(fields.items(self.root, "clauses"))
        for changes in change_lists(self.root):
            added = fields.items(changes, "add")
            self._unique(added, "id", "clause")
            gone = fields.texts(changes, "drop")
            for clause in added:
                name = fields.text(clause, "id")
                if name in own and name not in gone:
                    self._taken("clause", name, own[name], clause, "id")

    def _unique(self, nodes: Iterable[SpecNode], key: str, what: str) -> None:
        first: dict[str, SpecNode] = {}
        for node in nodes:
            name = fields.text(node, key)
            if first.setdefault(name, node) is not node:
                self._taken(what, name, first[name], node, key)

    def _taken(self, what: str, name: str, first: SpecNode, second: SpecNode, key: str) -> None:
        self.report.error("RP221", f"the {what} {quote(name)} is given twice",
                          fields.place_of(second, key),
                          notes=[f"the first one is at {fields.place_of(first, key)}"])

    # ---- entries

    def citing(self) -> None:
        """Report entries that cite a clause which does not exist."""
        for _, node in citing(self.root):
            if clause := fields.text(node, "clause"):
                self.known(clause, self.clauses, "clauses", "clause",
                           fields.place_of(node, "clause"))

    def modes(self) -> None:
        """Check what variants say of each other, and what change lists name."""
        for node in self.section("variants").values():
            self._variants(node, "needs")
            self._variants(node, "excludes")
        for changes in change_lists(self.root):
            names = fields.field(changes, "changes")
            for name, change in fields.entries(names).items():
                place = fields.key_place(names, name) or change.place
                if name.startswith("window:"):
                    self._window(name.removeprefix("window:"), place)
                else:
                    self.known(name, self.clauses, "clauses", "clause", place)
            self._clauses(changes, "drop")
            inner = fields.field(changes, "windows")
            for name, change in fields.entries(inner).items():
                self._window(name, fields.key_place(inner, name) or change.place)
            self._keys(changes, "constants", "constants", "constant")

    def _variants(self, node: SpecNode | None, key: str) -> None:
        for item in fields.items(node, key):
            self.known(str(item.value), self.section("variants"), "variants", "variant", item.place)

    def _clauses(self, node: SpecNode, key: str) -> None:
        for item in fields.items(node, key):
            self.known(str(item.value), self.clauses, "clauses", "clause", item.place)

    def _window(self, name: str, place: Place) -> None:
        self.known(name, self.section("windows"), "windows", "window", place)

    def _keys(
        self, node: SpecNode | None, key: str, section: str, what: str
    ) -> dict[str, SpecNode]:
        """Report unknown names among the keys of a mapping; give what has a known one."""
        inner = fields.field(node, key)
        return {
            name: each for name, each in fields.entries(inner).items()
            if self.known(name, self.section(section), section, what,
                          fields.key_place(inner, name) or each.place)
        }

    def scopes(self) -> None:
        """Check what the instances name."""
        points = points_of(self.root)
        players = fields.field(self.root, "players")
        low = fields.number(players, "count", fields.number(players, "min", 1))
        high = fields.number(players, "count", fields.number(players, "max", 12))
        for scope in self.section("scopes").values():
            self._keys(scope, "constants", "constants", "constant")
            self._variants(scope, "variants")
            self._together(scope)
            self._keys(scope, "state", "state", "variable")
            for family, copies in self._keys(scope, "cards", "cards", "family").items():
                for card, each in fields.entries(copies).items():
                    self.known(card, fields.entries(self.section("cards")[family]),
                               f"cards.{family}", "card",
                               fields.key_place(copies, card) or each.place)
            rulings = fields.field(scope, "rulings")
            for point, reading in fields.entries(rulings).items():
                if problem := points.problem(point, str(reading.value)):
                    self._unruled(problem, reading.place)
        for node in (*self.section("scopes").values(), *self.section("variants").values()):
            seats = fields.number(node, "players", low)
            if not low <= seats <= high:
                self.report.error("RP205", f"this game has {low} to {high} players, not {seats}",
                                  fields.place_of(node, "players"))

    def _together(self, scope: SpecNode) -> None:
        """Check that the modes of an instance go together."""
        chosen = fields.texts(scope, "variants")
        for item in fields.items(scope, "variants"):
            variant = self.section("variants").get(str(item.value))
            for problem in apart(str(item.value), variant, chosen):
                self.report.error("RP242", problem, item.place)

    def points(self) -> None:
        """Check the open points and the rulings."""
        points = points_of(self.root)
        for node in fields.items(self.root, "open_points"):
            for key in ("clauses", "settled", "hinted", "on_cards"):
                self._clauses(node, key)
            for reading in fields.items(node, "readings"):
                self._others(fields.text(node, "id"), reading)
        for node in fields.items(self.root, "rulings"):
            problem = points.problem(fields.text(node, "point"), fields.text(node, "reading"))
            if problem:
                known = fields.text(node, "point") in points.declared
                self._unruled(problem, fields.place_of(node, "reading" if known else "point"))

    def _others(self, point: str, reading: SpecNode) -> None:
        """Check which readings of other points one says something of."""
        inner = fields.field(reading, "together")
        for key, node in fields.entries(inner).items():
            other, _, name = key.partition("=")
            problem = "it is of the same point" if other == point else (
                points_of(self.root).problem(other, name))
            if problem:
                self._unruled(problem, fields.key_place(inner, key) or node.place)

    def _unruled(self, problem: str, place: Place) -> None:
        if not self._lost("open_points", "clauses", "windows"):
            message, _, hint = problem.partition("; ")
            self.report.error("RP220", message, place, help=hint)

    def _lost(self, *names: str) -> bool:
        """Return whether something of these sections was refused."""
        return any(each.partition(".")[0] in names for each in self.sections.broken)

    def sizes(self) -> None:
        """Report what is more than the engine can take."""
        clauses = fields.items(self.root, "clauses")
        if len(clauses) > MAX_CLAUSES:
            self.report.error("RP232", f"{len(clauses)} clauses are too many",
                              clauses[MAX_CLAUSES].place, help=f"at most {MAX_CLAUSES}")
        cards = [card for family in self.section("cards").values()
                 for card in fields.entries(family).values()]
        if len(cards) > MAX_CARDS:
            self.report.error("RP232", f"{len(cards)} kinds of cards are too many",
                              cards[MAX_CARDS].place, help=f"at most {MAX_CARDS}")

    # ---- clauses

    def clause(self, node: SpecNode) -> None:
        """Check what a clause names."""
        for key in ("after", "before", "overrides", "restates"):
            self._clauses(node, key)
        self._variants(node, "only_in")
        self._variants(node, "not_in")
        example = fields.field(node, "example")
        self._variants(example, "variants")
        if scope := fields.field(example, "scope"):
            self.known(str(scope.value), ["printed", *self.section("scopes")], "scopes", "scope",
                       scope.place)
        if at := fields.field(example, "at"):
            name = str(at.value).partition(":")[0].strip()
            if not self._may_run(name):
                self.known(name, [*self.section("steps"), *self.section("windows")], "steps",
                           "step or window", at.place)
        own = fields.text(node, "id")
        for key in ("overrides", "restates"):
            for item in fields.items(node, key):
                if item.value == own:
                    self.report.error("RP241", f"{quote(own)} {key} itself", item.place)

    def order(self, node: SpecNode) -> None:
        """Check that a clause is ordered among those that act where it does."""
        on, rule = fields.text(node, "on"), fields.field(node, "whenever") is not None
        where = f"on {quote(on.partition('.')[0])}" if on else "a rule of any time"
        for item in (*fields.items(node, "after"), *fields.items(node, "before")):
            there = self.clauses.get(str(item.value))
            if there is None or not (on or rule) or self._lost("clauses"):
                continue
            if (fields.text(there, "on") != on
                    or (fields.field(there, "whenever") is not None) != rule):
                self.report.error("RP241", f"{quote(str(item.value))} is not {where}, so it has "
                                  "no order with this clause", item.place)

    def place_in_the_turn(self, node: SpecNode) -> None:
        """Check the step, window or option that a clause belongs to."""
        on = fields.field(node, "on")
        if on is None:
            return
        name, dot, option = str(on.value).partition(".")
        kind = fields.text(node, "kind")
        steps, windows = self.section("steps"), self.section("windows")
        if self._may_run(name):
            return
        if not self.known(name, [*steps, *windows], "windows" if dot else "steps",
                          "window" if dot else "step or window", on.place):
            return
        given = {key for key, each in fields.entries(node).items() if each.value is not None}
        wrong = _misplaced(name, kind, given, step=name in steps, dot=bool(dot))
        for key, message in wrong:
            place = node.keys.get(key, on.place)
            self.report.error("RP241", message, place,
                              help=ONE_WAY if key == "on" and name in windows else "")
        if self._lost("clauses", "windows"):
            return
        if dot and not wrong:
            self.known(option, self.options.get(name, {}), "clauses", "option", on.place)
        if name in windows and (must := fields.field(node, "must")):
            self.known(fields.text(node, "must"), self.options.get(name, {}), "clauses", "option",
                       must.place)


ONE_WAY = ("that an option has to be taken in a certain way is a `forbid` of all other ways, with "
           "the opposite in `when`; that one has to be taken at all is a `require` on the window")


def _misplaced(
    name: str, kind: str, given: set[str], *, step: bool, dot: bool
) -> list[tuple[str, str]]:
    """Say which fields cannot stand on a step, or on a window."""
    found: list[tuple[str, str]] = []
    if step:
        found += [(key, f"{quote(name)} is a step, and only a window has `{key}`")
                  for key in ("option", "must") if key in given]
        if kind == "forbid":
            found.append(("kind", f"{quote(name)} is a step, and only options can be forbidden"))
        if dot:
            found.append(("on", f"{quote(name)} is a step, so it has no options"))
        return found
    if dot and kind != "forbid":
        found.append(("on", "only a clause of kind `forbid` is about one option of a window"))
    if "ensure" in given:
        found.append(("ensure", f"{quote(name)} is a window, and only a step has `ensure`"))
    if "do" in given and "option" not in given:
        found.append(("do", f"{quote(name)} is a window, so `do` needs `option`"))
    return found


def check_links(game: Game, ctx: Context) -> None:
    """Report what is wrong in the game that some settings give."""
    report = ctx.report
    start = fields.field(ctx.root, "start")
    if start is not None and game.start not in game.steps and not ctx.refused("steps", game.start):
        report.error("RP220", f"unknown step {quote(game.start)}", start.place,
                     help=did_you_mean(game.start, game.steps))
    elif start is not None and game.steps.get(game.start) and game.steps[game.start].params:
        report.error("RP213", f"the step {quote(game.start)} has parameters, so the game cannot "
                     "start with it", start.place)
    options: dict[tuple[str, str], Place] = {}
    for clause in game.clauses:
        if not clause.option or not clause.in_force:
            continue
        first = options.setdefault((clause.on, clause.option), clause.place)
        window = game.windows.get(clause.on)
        if first is not clause.place or (window and clause.option == window.done):
            report.error("RP221", f"the window {quote(clause.on)} has an option "
                         f"{quote(clause.option)} already", clause.place,
                         help="give it another name")
    _check_size(game, ctx)


def _check_size(game: Game, ctx: Context) -> None:
    """Bound the state: the numbers that it consists of."""
    kinds = {name: len(family.cards) for name, family in game.families.items()}
    sizes = {**kinds, **{name: len(values) for name, values in game.enums.items()},
             "player": game.players}
    parts: dict[str, tuple[int, Place]] = {}
    for zone in game.zones.values():
        each = kinds.get(zone.family, 0) if zone.kind != "pile" else zone.capacity
        each += 2 * zone.known
        parts[zone.name] = (each * sizes.get(zone.per, 1), zone.place)
    for var in game.variables.values():
        each = sizes.get(var.per, 1) * (game.players if var.type.kind == "players" else 1)
        parts[var.name] = (each, var.place)
    for pool in game.pools.values():
        each = 1 + pool.capacity * len(pool.fields)
        parts[pool.name] = (each * (game.players if pool.per_player else 1), pool.place)
    total = sum(size for size, _ in parts.values())
    if total > MAX_VECTOR:
        name, (size, place) = max(parts.items(), key=lambda part: part[1][0])
        ctx.report.error("RP232", f"the state consists of {total} numbers, of which {quote(name)} "
                         f"has {size}", place, help=f"at most {MAX_VECTOR}")
