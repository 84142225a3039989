"""Seeded changes: a table of them, applied to small games, and what verification makes of each.

A change is a change list of the language, chosen as a mode of its own, so that it takes the way
that a change by a user would take; `sections` may change what a change list cannot (cards, zones,
words). The games that the changes start from are in `specs/`; of a larger one, only the check that
the seed is about is run. A bundled game has findings of its own, so the same is asked of it without
the change, and what is found there too counts for nothing.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from ruleproof.checker.checks import behaviour as check_behaviour
from ruleproof.checker.checks import endless as check_endless
from ruleproof.checker.checks import symmetry as check_symmetry
from ruleproof.checker.checks import text as check_text
from ruleproof.checker.clauses import deletion as check_deletion
from ruleproof.checker.clauses import phrases as check_phrases
from ruleproof.checker.examples import examples as check_examples
from ruleproof.checker.judge import decide
from ruleproof.checker.judge.audit import Audit, Listener, Scoped
from ruleproof.checker.judge.audit import explored as sum_up
from ruleproof.checker.judge.results import Finding
from ruleproof.checker.points import ambiguity as check_ambiguity
from ruleproof.checker.points.points import points_of
from ruleproof.checker.search.explore import Exploration
from ruleproof.checker.search.workbench import Instance, Workbench
from ruleproof.checker.verify import verify
from ruleproof.model.game.game import Settings
from ruleproof.model.loading.load import load_game
from ruleproof.model.lowering.compile import Compiled, compile_game
from ruleproof.model.plays.plays import replay
from ruleproof.tests.support.places import TESTS

SPECS = TESTS / "specs"
BUNDLED = tuple(sorted(path.name for path in (TESTS.parent / "spec" / "games").iterdir()))
TABLES = ("seeded.yaml", "seeded_games.yaml")
MODE = "seeded"
STATES = 20_000
VARIED: tuple[dict[str, Any], ...] = ({},)
"""No change: what is asked of an instance that is compiled quickly, and runs more slowly."""

Entry = Mapping[str, Any]
Known = tuple[str, frozenset[str]]
"""What makes a finding the same with and without a change: its class, and the clauses it names."""


def known(finding: Finding) -> Known:
    """Return what a finding is about."""
    return finding.cls, frozenset({*finding.clauses, *finding.evidence.core})


@dataclass(frozen=True)
class Told:
    """What verification said of one entry: its findings, and the plays that do not replay."""

    entry: Entry
    findings: tuple[Finding, ...] = ()
    complete: bool = True
    stray: tuple[str, ...] = ()
    error: str = ""
    before: frozenset[Known] = frozenset()
    ids: frozenset[str] = frozenset()

    @property
    def added(self) -> tuple[Finding, ...]:
        """Return the findings that are others, not only by clauses that they name in passing."""
        return tuple(f for f in self.new if f.id not in self.ids)

    @property
    def new(self) -> tuple[Finding, ...]:
        """Return the findings that the game does not have without the change."""
        return tuple(f for f in self.findings if known(f) not in self.before)

    @property
    def classes(self) -> tuple[str, ...]:
        """Return the classes found, each once."""
        return tuple(dict.fromkeys(f.cls for f in self.new))

    @property
    def in_class(self) -> tuple[Finding, ...]:
        """Return the findings of the class that is expected."""
        return tuple(f for f in self.new if f.cls == self.entry["finds"])

    @property
    def named(self) -> bool:
        """Return whether one finding of the expected class names all the clauses that it should.

        Without the change, no finding of the class names them.
        """
        names = set(self.entry.get("names", ()))
        return any(names <= known(f)[1] for f in self.in_class) and not any(
            cls == self.entry["finds"] and names <= clauses for cls, clauses in self.before)


class _Loader(yaml.SafeLoader):
    """As YAML 1.2 has it: `on` is a word."""

    yaml_implicit_resolvers = {  # noqa: RUF012  (as the class above has it)
        first: [(tag, test) for tag, test in found if tag != "tag:yaml.org,2002:bool"]
        for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


@cache
def read(path: Path) -> Any:  # noqa: ANN401  (YAML)
    """Read a file of ours."""
    return yaml.load(path.read_text("utf-8"), _Loader)  # noqa: S506  (a safe loader)


def table(name: str) -> list[Entry]:
    """Read the `seeds` or the `decoys` of the tables."""
    return [entry for file in TABLES for entry in read(TESTS / file)[name]]


@cache
def scopes() -> Mapping[str, Entry]:
    """Read the `scopes` of the tables: those that bundled games have for seeds only."""
    return {base: some for file in TABLES for base, some in read(TESTS / file)["scopes"].items()}


def write(entry: Entry, folder: Path) -> str:
    """Make the folder of a changed game; give its path."""
    base = entry["base"]
    if base in BUNDLED:
        spec: dict[str, Any] = {"game": base, "extends": base, "scopes": scopes().get(base, {})}
    else:
        spec = read(SPECS / base / "game.yaml")
    spec = merged(spec, entry.get("sections", {}))
    spec["variants"] = {MODE: {"title": "with the change", **entry.get("change", {})}}
    folder.mkdir()
    (folder / "game.yaml").write_text(json.dumps(spec, indent=1), "utf-8")
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


def run(entry: Entry) -> Told:
    """Verify one changed game."""
    with TemporaryDirectory() as place:
        try:
            source = write(entry, Path(place) / "game")
            settings = Settings(scope=entry.get("scope", "printed"),
                                variants=(*entry.get("variants", ()), MODE))
            if "ask" in entry:
                return ask(entry, Workbench(source, settings))
            # The other checks would find the same: `test_phrases` shows it, decoys run them all.
            only = (entry["finds"],) if "finds" in entry else ()
            report = verify(source, settings, only=only, max_states=STATES)
            complete = all(scope.complete for scope in report.explored)
            return Told(entry, report.everything, complete, tuple(stray(
                report.everything, lambda chosen: compile_game(load_game(source, chosen)))))
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


def ask(entry: Entry, bench: Workbench) -> Told:
    """Run one check on one scope, for games whose full verification takes too long."""
    scope = bench.settings.scope
    instance = bench.instance(scope, changes=VARIED if scope != "printed" else ())
    audit = Audit(bench, instance, [], STATES, 0, Listener(), lambda _: True)
    question = entry["ask"]
    points = {point.id: point for point in points_of(instance.compiled)}
    if "point" in question and question["point"] not in points and "id" not in entry:
        return Told(entry)
    if scope != "printed":
        audit.scopes.append(explored(scope, instance))
    match question:
        case {"clause": clause}:
            check_deletion.without(audit, clause)
        case {"phrases": clause}:
            check_phrases.phrases(
                audit, check_phrases.Probes(audit.printed.game, [clause]), clause)
        case {"point": name}:
            check_ambiguity.decide(audit, points[name])
        case {"example": name}:
            example = next(c.example for c in audit.printed.game.clauses if c.id == name)
            assert example is not None
            check_examples.judge(audit, (name, example))
        case {"check": name}:
            for check in CHECKS[name]:
                check.run(audit)
        case other:
            raise ValueError(other)
    found = tuple(each for one in decide.findings(audit) for each in one.whole)
    return Told(
        entry, found, all(each.explored.complete for each in audit.scopes),
        tuple(stray(found, lambda chosen: bench.instance(
            chosen.scope, rulings=dict(chosen.rulings), changes=VARIED).compiled)))


CHECKS = {"behaviour": (check_behaviour, check_endless), "examples": (check_examples,),
          "text": (check_text,), "symmetry": (check_symmetry,)}


def explored(name: str, instance: Instance) -> Scoped:
    """Explore a scope."""
    exploration = Exploration(instance.program, cover=True)
    result = exploration.run(max_states=STATES)
    return Scoped(name, instance, exploration,
                  sum_up(name, instance.compiled.machine, result))


def stray(
    findings: Iterable[Finding], compiled: Callable[[Settings], Compiled]
) -> Iterable[str]:
    """Replay every play of every finding under its own settings; name those that fail."""
    for finding in findings:
        for shown in finding.evidence.plays:
            chosen = shown.play["settings"]
            result = replay(shown.play, compiled(Settings(
                scope=chosen["scope"], variants=tuple(chosen["variants"]),
                rulings=tuple(sorted(chosen["rulings"].items())))))
            if not result.ok or not finding.evidence.replayed:
                yield f"{finding.id} ({shown.reading}): {result.reason or 'not marked as replayed'}"


def run_all(entries: list[Entry]) -> list[Told]:
    """Verify all entries, and what bundled games are without the changes, on two processes."""
    bases = {json.dumps(base): base for base in map(unchanged, entries) if base is not None}
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(2, context, _alone) as pool:
        made = pool.map(run, [*bases.values(), *entries], chunksize=1)
        before = {name: next(made) for name in bases}
        return [beside(told, before.get(json.dumps(unchanged(told.entry)))) for told in made]


def beside(told: Told, base: Told | None) -> Told:
    """Hold what was told of a changed game against what was told of it without the change."""
    if base is None:
        return told
    return replace(told, before=frozenset(map(known, base.findings)),
                   ids=frozenset(f.id for f in base.findings), error=told.error or base.error)


def _alone() -> None:
    """Keep a worker from starting workers."""
    os.cpu_count = lambda: 1
