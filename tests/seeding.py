"""Seeded changes: a table of them, applied to small games, and what verification makes of each.

A change is a change list of the language, chosen as a mode of its own, so that it takes the way
that a change by a user would take; `sections` may change what a change list cannot (cards, zones,
words). The games that the changes start from are in `specs/`; of a larger one, only the check that
the seed is about is run.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import re
from collections.abc import Iterable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from ruleproof.checker import (
    check_ambiguity,
    check_behaviour,
    check_deletion,
    check_examples,
    check_symmetry,
    check_text,
)
from ruleproof.checker.audit import Audit
from ruleproof.checker.results import Finding
from ruleproof.checker.verify import explore_scope, verify
from ruleproof.checker.workbench import Workbench
from ruleproof.model.compile import compile_game
from ruleproof.model.game import Settings
from ruleproof.model.load import load_game
from ruleproof.model.plays import replay

HERE = Path(__file__).parent
SPECS = HERE / "specs"
BUNDLED = ("edition-wars",)
MODE = "seeded"
STATES = 20_000

Entry = Mapping[str, Any]


@dataclass(frozen=True)
class Told:
    """What verification said of one entry: its findings, and the plays that do not replay."""

    entry: Entry
    findings: tuple[Finding, ...] = ()
    complete: bool = True
    stray: tuple[str, ...] = ()
    error: str = ""

    @property
    def classes(self) -> tuple[str, ...]:
        """Give the classes found, each once."""
        return tuple(dict.fromkeys(f.cls for f in self.findings))

    @property
    def in_class(self) -> tuple[Finding, ...]:
        """Give the findings of the class that is expected."""
        return tuple(f for f in self.findings if f.cls == self.entry["finds"])

    @property
    def named(self) -> bool:
        """Say whether one finding of the expected class names all the clauses that it should."""
        names = set(self.entry.get("names", ()))
        return any(names <= {*f.clauses, *f.evidence.core} for f in self.in_class)


class _Loader(yaml.SafeLoader):
    """As YAML 1.2 has it: `on` is a word."""

    yaml_implicit_resolvers = {  # noqa: RUF012  (as the class above has it)
        first: [(tag, test) for tag, test in found if tag != "tag:yaml.org,2002:bool"]
        for first, found in yaml.SafeLoader.yaml_implicit_resolvers.items()
    }


_Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(true|false)$"), list("tf"))


def read(path: Path) -> Any:  # noqa: ANN401  (YAML)
    """Read a file of ours."""
    return yaml.load(path.read_text("utf-8"), _Loader)  # noqa: S506  (a safe loader)


def table(name: str) -> list[Entry]:
    """Read the `seeds` or the `decoys` of the table."""
    found: list[Entry] = read(HERE / "seeded.yaml")[name]
    return found


def write(entry: Entry, folder: Path) -> str:
    """Make the folder of a changed game; give its path."""
    base = entry["base"]
    if base in BUNDLED:
        spec: dict[str, Any] = {"game": base, "extends": base}
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
            settings = Settings(scope=entry.get("scope", "printed"), variants=(MODE,))
            if "ask" in entry:
                findings, complete = ask(source, settings, entry["ask"])
            else:
                report = verify(source, settings, max_states=STATES)
                findings = report.findings
                complete = all(scope.complete for scope in report.explored)
            return Told(entry, findings, complete, tuple(stray(source, findings)))
        except Exception as error:  # noqa: BLE001  (told in the table, and fails there)
            return Told(entry, error=f"{type(error).__name__}: {error}")


def ask(source: str, settings: Settings, question: Entry) -> tuple[tuple[Finding, ...], bool]:
    """Run one check on one scope, for games whose full verification takes too long."""
    bench = Workbench(source, settings)
    scope = explore_scope(bench, settings.scope, STATES, None, lambda _: None)
    audit = Audit(bench, scope.instance, [scope], STATES, 0, lambda _: None, lambda _: True)
    match question:
        case {"clause": clause}:
            check_deletion.without(audit, clause)
        case {"point": name}:
            points = {point.id: point for point in check_ambiguity.all_points(audit)}
            check_ambiguity.decide(audit, points[name])
        case {"check": name}:
            CHECKS[name].run(audit)
        case _:
            raise ValueError(question)
    return tuple(audit.findings), scope.explored.complete


CHECKS = {"behaviour": check_behaviour, "examples": check_examples, "text": check_text,
          "symmetry": check_symmetry}


def stray(source: str, findings: Iterable[Finding]) -> Iterable[str]:
    """Replay every play of every finding under its own settings; name those that fail."""
    for finding in findings:
        for reading, document in finding.evidence.plays:
            chosen = document["settings"]
            game = load_game(source, Settings(
                scope=chosen["scope"], variants=tuple(chosen["variants"]),
                rulings=tuple(sorted(chosen["rulings"].items()))))
            result = replay(document, compile_game(game))
            if not result.ok or not finding.evidence.replayed:
                yield f"{finding.id} ({reading}): {result.reason or 'not marked as replayed'}"


def run_all(entries: list[Entry]) -> list[Told]:
    """Verify all entries, on two processes."""
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(2, context, _alone) as pool:
        return list(pool.map(run, entries, chunksize=1))


def _alone() -> None:
    """Keep a worker from starting workers."""
    os.cpu_count = lambda: 1
