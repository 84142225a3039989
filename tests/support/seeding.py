"""Seeded changes: tables of them, tried in small scopes, and what the checks say of each.

A change is a change list of the language; `sections` may change what a change list cannot (cards,
zones, words).  It is asked in one scope, which is taken for the printed game, and only the checks
run that the seed is about.  A bundled game has findings of its own, so the same is asked of it
without the change, once for all seeds that ask it, and what is found there too counts for nothing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from ruleproof.checker.audit.audit import Audit
from ruleproof.checker.audit.listener import Listener
from ruleproof.checker.audit.scoped import Scoped
from ruleproof.checker.audit.scoped import explored as sum_up
from ruleproof.checker.bench.workbench import Instance, Workbench
from ruleproof.checker.checks import ambiguity as check_ambiguity
from ruleproof.checker.checks import behaviour as check_behaviour
from ruleproof.checker.checks import endless as check_endless
from ruleproof.checker.checks import symmetry as check_symmetry
from ruleproof.checker.checks import text as check_text
from ruleproof.checker.clauses import deletion as check_deletion
from ruleproof.checker.clauses import phrases as check_phrases
from ruleproof.checker.examples import examples as check_examples
from ruleproof.checker.findings.observations import Observation
from ruleproof.checker.findings.results import Identity
from ruleproof.checker.judge import decide
from ruleproof.checker.points.points import Point, points_of
from ruleproof.checker.points.silences import silences_of
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.search.playouts import Plays
from ruleproof.checker.verify import BEFORE, CHECKS
from ruleproof.model.game.game import PRINTED, Game, Settings
from ruleproof.model.loading.load import read_sections
from ruleproof.model.loading.sections import Sections
from ruleproof.model.plays.plays import replay
from ruleproof.model.source import fields
from ruleproof.model.source.errors import Reporter
from ruleproof.model.source.yaml_file import read_yaml
from ruleproof.tests.support.places import TESTS

SPECS = TESTS / "specs"
TABLES = TESTS / "seeded"
BUNDLED = tuple(sorted(path.name for path in (TESTS.parent / "spec" / "games").iterdir()))
MODE = "seeded"
STATES = 20_000
PLAYS = Plays(many=200)
"""Random plays in which a scope that is taken for the printed game is compared."""

Entry = Mapping[str, Any]
Known = tuple[str, frozenset[str]]
"""What makes a finding the same with and without a change: its class, and the clauses it names."""


def known(seen: Observation) -> Known:
    """Return what a finding is about."""
    return seen.identity.cls, frozenset({*seen.clauses, *seen.evidence.core})


@dataclass(frozen=True)
class Told:
    """What the checks said of one entry: what stands, and the plays that do not replay."""

    entry: Entry
    findings: tuple[Observation, ...] = ()
    complete: bool = True
    stray: tuple[str, ...] = ()
    error: str = ""
    before: frozenset[Known] = frozenset()
    same: frozenset[Identity] = frozenset()

    @property
    def added(self) -> tuple[Identity, ...]:
        """Return the findings that are others, not only by clauses that they name in passing."""
        return tuple(f.identity for f in self.new if f.identity not in self.same)

    @property
    def new(self) -> tuple[Observation, ...]:
        """Return the findings that the game does not have without the change."""
        return tuple(f for f in self.findings if known(f) not in self.before)

    @property
    def classes(self) -> tuple[str, ...]:
        """Return the classes found, each once."""
        return tuple(dict.fromkeys(f.identity.cls for f in self.new))

    @property
    def in_class(self) -> tuple[Observation, ...]:
        """Return the findings of the class that is expected."""
        return tuple(f for f in self.new if f.identity.cls == self.entry["finds"])

    @property
    def named(self) -> bool:
        """Return whether one finding of the expected class names all the clauses that it should.

        Without the change, no finding of the class names them.
        """
        names = set(self.entry.get("names", ()))
        return any(names <= known(f)[1] for f in self.in_class) and not any(
            cls == self.entry["finds"] and names <= clauses for cls, clauses in self.before)


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """As YAML 1.2 has it: `on` is a word."""

    yaml_implicit_resolvers = {  # noqa: RUF012  (as the class above has it)
        first: [(tag, test) for tag, test in found if tag != "tag:yaml.org,2002:bool"]
        for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


# ---------------------------------------------------------------------- the tables


@cache
def read(path: Path) -> Any:  # noqa: ANN401  (YAML)
    """Read a file of ours."""
    return yaml.load(path.read_text("utf-8"), _Loader)  # noqa: S506  (a safe loader)


def _tables() -> Iterator[Any]:
    return map(read, sorted(TABLES.glob("*.yaml")))


def table(name: str) -> list[Entry]:
    """Read the `seeds` or the `decoys` of all tables, each with the `base` of its table.

    Those of a table of several `bases`, what these share, are there once for each.
    """
    return [{"base": base, **entry, "id": f"{entry['id']}{end}"}
            for each in _tables()
            for base, end in ([(each["base"], "")] if "base" in each else
                              [(base, f"-in-{base}") for base in each["bases"]])
            for entry in each.get(name, ())]


@cache
def scopes() -> Mapping[str, Entry]:
    """Read the `scopes` of the tables: those that bundled games have for seeds only, by base."""
    found: dict[str, Entry] = {}
    for each in (one for one in _tables() if "scopes" in one):
        found[each["base"]] = {**found.get(each["base"], {}), **each["scopes"]}
    return found


def spec_of(entry: Entry) -> dict[str, Any]:
    """Return the sections of a base, with those of an entry, and its change as a mode."""
    base = entry["base"]
    spec = {"game": base, "extends": base} if base in BUNDLED else read(SPECS / base / "game.yaml")
    made: dict[str, Any] = merged(
        spec, {"scopes": scopes().get(base, {}), **entry.get("sections", {})})
    made["variants"] = mode_of(entry)
    return made


def mode_of(entry: Entry) -> dict[str, Any]:
    """Return the change of an entry as a mode."""
    return {MODE: {"title": "with the change", **entry.get("change", {})}}


def write(entry: Entry, folder: Path) -> str:
    """Make the folder of a changed game; give its path."""
    folder.mkdir()
    (folder / "game.yaml").write_text(json.dumps(spec_of(entry), indent=1), "utf-8")
    return str(folder)


def merged(old: Any, new: Any) -> Any:  # noqa: ANN401  (YAML)
    """Lay mappings over mappings; what is null goes, all else takes the place of what was there."""
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    made = {key: value for key, value in old.items() if new.get(key, value) is not None}
    for key, value in new.items():
        if value is not None:
            made[key] = merged(old.get(key), value)
    return made


# ---------------------------------------------------------------------- one entry


class Bench(Workbench):
    """A spec of which one scope is taken for the printed game."""

    def __init__(self, source: Sections, settings: Settings) -> None:
        super().__init__(source, settings, reduce=False)
        self._relations = []  # the points that the spec declares are not asked about

    def game(self, scope: str, **how: Any) -> Game:  # noqa: ANN401  (what there is above)
        """Build a game."""
        return super().game(self.settings.scope if scope == PRINTED else scope, **how)

    def instance(self, scope: str, **how: Any) -> Instance:  # noqa: ANN401  (same)
        """Compile a game."""
        return super().instance(self.settings.scope if scope == PRINTED else scope, **how)


@cache
def base_of(name: str) -> Sections:
    """Read a base, once."""
    return _written({"base": name})


def _written(entry: Entry) -> Sections:
    report = Reporter()
    with TemporaryDirectory() as place:
        sections = read_sections(write(entry, Path(place) / "game"), report)
    report.raise_if_any()
    return sections


def sections_of(entry: Entry) -> Sections:
    """Read the game of an entry, in which its change is a mode."""
    if "sections" in entry:
        return _written(entry)
    base, report = base_of(entry["base"]), Reporter()
    with TemporaryDirectory() as place:
        file = Path(place) / "change.yaml"
        file.write_text(json.dumps(mode_of(entry), indent=1), "utf-8")
        made = read_yaml(file, report, display_name=file.name)
    report.raise_if_any()
    assert made is not None
    modes = fields.entries(base.root)["variants"]
    return replace(base, root=fields.updated(base.root, {
        "variants": fields.updated(modes, fields.entries(made), made.keys)}, {}))


@cache
def plain(asked: str) -> Told:
    """Return what is told of a bundled game without a change, by the entry in JSON, once.

    Of a point that is not open there, or is decided by a mark, nothing is: that need not be played.
    """
    entry = json.loads(asked)
    if "point" in entry["ask"]:
        points = asked_of(entry["base"], entry.get("scope", PRINTED),
                          tuple(entry.get("variants", ())))
        if entry["ask"]["point"] not in points or points[entry["ask"]["point"]].decided:
            return Told(entry)
    return _run(entry)


@cache
def asked_of(base: str, scope: str, modes: tuple[str, ...]) -> Mapping[str, Point]:
    """Return the points that a bundled game leaves open in a scope without a change."""
    return _points(Bench(base_of(base), Settings(scope=scope, variants=modes)).instance(scope))


def _points(instance: Instance) -> Mapping[str, Point]:
    return {point.id: point for point in (
        *points_of(instance.compiled), *silences_of(instance.game))}


def run(entry: Entry) -> Told:
    """Ask of a changed game what its entry asks, held against the game without the change."""
    base = unchanged(entry)
    before = Told(entry) if base is None else plain(json.dumps(base, sort_keys=True))
    told = _run(entry)
    return replace(told, before=frozenset(map(known, before.findings)), same=frozenset(
        f.identity for f in before.findings), error=told.error or before.error)


def _run(entry: Entry) -> Told:
    try:
        settings = Settings(scope=entry.get("scope", PRINTED),
                            variants=(*entry.get("variants", ()), MODE))
        return ask(entry, Bench(sections_of(entry), settings))
    except Exception as error:  # noqa: BLE001  (told in the table, and fails there)
        return Told(entry, error=f"{type(error).__name__}: {error}")


def unchanged(entry: Entry) -> Entry | None:
    """Return what is asked of the bundled game without the change.

    None if it is about a clause that the change adds: nothing that is found without names that.
    """
    if entry["base"] not in BUNDLED:
        return None
    asked = "/".join(name for key, name in entry["ask"].items() if key != "check").split("/")
    if any(clause["id"] in (*asked, *entry.get("names", ()))
           for clause in entry.get("change", {}).get("add", ())):
        return None
    return {key: entry[key] for key in ("base", "scope", "variants", "ask") if key in entry}


def ask(entry: Entry, bench: Bench) -> Told:
    """Run the checks that an entry asks for: one question, or all that can find its class."""
    question = entry.get("ask", {})
    name = bench.settings.scope
    instance = bench.instance(name)
    audit = Audit(bench, instance, [], STATES, 0, Listener(), lambda _: True, plays=PLAYS)
    if "point" in question:
        _decide(audit, question["point"], frozenset(entry.get("names", ())))
    elif name != PRINTED or entry["base"] not in BUNDLED:
        audit.scopes.append(explored(name, instance))
    match question:
        case {"point": _}:
            pass
        case {"clause": clause}:
            check_deletion.without(audit, clause)
        case {"phrases": clause}:
            check_phrases.phrases(
                audit, check_phrases.Probes(audit.printed.game, [clause]), clause)
        case {"example": name}:
            example = next(c.example for c in audit.printed.game.clauses if c.id == name)
            assert example is not None
            check_examples.judge(audit, (name, example))
        case {"check": name}:
            for check in ASKED[name]:
                check.run(audit)
        case _:
            for each in (*BEFORE, *CHECKS):
                if "finds" not in entry or entry["finds"] in each.classes:
                    each.module.run(audit)
    found = tuple(one for one in decide.standing(audit)
                  if not decide._lost_in_print(audit, audit.words, one))
    return Told(entry, found, all(each.explored.complete for each in audit.scopes),
                tuple(stray(found, bench)))


def _decide(audit: Audit, name: str, about: frozenset[str]) -> None:
    """Decide one open point, by its id, or by its aspect and the clauses that it is about.

    Of a silence the scope is explored only if plays do not show it.
    """
    scope, instance = audit.bench.settings.scope, audit.printed
    points = _points(instance)
    point = points[name] if "/" in name or name in points else next(
        each for each in points.values()
        if each.id.startswith(f"{name}/") and about <= {*each.clauses})
    audit.bench.relate({point.id: reading} for reading, _ in point.readings)
    if point.kind == "silence":
        check_ambiguity.decide(audit, point)
    if not audit.asked():
        audit.scopes.append(explored(scope, instance))
        check_ambiguity.decide(audit, point)


ASKED = {"behaviour": (check_behaviour, check_endless), "examples": (check_examples,),
         "points": (check_ambiguity,), "text": (check_text,), "symmetry": (check_symmetry,)}


def explored(name: str, instance: Instance) -> Scoped:
    """Explore a scope."""
    exploration = Exploration(instance.program, cover=True)
    result = exploration.run(max_states=STATES)
    return Scoped(name, instance, exploration,
                  sum_up(name, instance.compiled.machine, result))


def stray(found: Iterable[Observation], bench: Bench) -> Iterator[str]:
    """Replay every play of every finding under its own settings; name those that fail."""
    for one in found:
        for shown in one.evidence.plays:
            chosen = shown.play["settings"]
            result = replay(shown.play, bench.instance(
                chosen["scope"], rulings=dict(chosen["rulings"])).compiled)
            if not result.ok or not one.evidence.replayed:
                yield f"{one.identity} ({shown.reading}): {result.reason or 'not marked'}"
