"""The floors and their rooms: imports run down, in no circle, and no engine code knows a game.

`cli` stands on `reports` and `checker`, which stand side by side on `model`, and that on `spec`.
`reports` may see the results that the checker hands out (its modules `results`, and `shares` of
plays), no more of it.
"""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import networkx as nx
import pytest
import yaml

import ruleproof.model
from ruleproof.tests.support.places import ROOT

FLOORS = {
    "spec": {"spec"},
    "model": {"model", "spec"},
    "checker": {"checker", "model", "spec"},
    "reports": {"reports", "model", "spec", "checker.findings.results", "checker.findings.rows",
                "checker.findings.shares", "checker.conform.results", "checker.editions.results",
                "checker.questions.results"},
    "cli": {"cli", "reports", "checker", "model", "spec"},
}
ROOMS = (
    "spec", "model", "model.source", "model.machine", "model.game", "model.run", "model.solver",
    "model.proof", "model.rules", "model.silences", "model.loading", "model.planning",
    "model.lowering", "model.orders", "model.plays", "model.views",
    "checker.packed", "checker.emitter", "checker.drivers", "checker.lockstep", "checker.engine",
    "checker.search", "checker.comparison", "checker.bench", "checker.findings", "checker.audit",
    "checker.clauses", "checker.examples", "checker.points", "checker.orders", "checker.checks",
    "checker.judge", "checker.positions", "checker.conform",
    "checker.editions", "checker.questions", "checker",
    "reports", "reports.blocks", "reports.appendix", "reports.formats",
    "cli", "cli.files", "cli.table", "cli.commands",
)
"""The folders from the ground up: each imports from those before it."""
OBSERVING = ("checker.clauses", "checker.points", "checker.orders", "checker.checks",
             "checker.examples")
"""The rooms of checks, and what they may import of findings: types, what plays show and lead to."""
OPEN_TO_CHECKS = {
    "evidence", "observations", "outcomes", "reckoned", "rejoin", "results", "rows", "shares",
    "values"}

OF_EACH_OTHER = ["checker.emitter.expressions", "checker.emitter.folds", "checker.emitter.rows"]
"""Expressions hold folds and rows, and these hold expressions: their writers call each other."""
MODULES = sorted(path for floor in FLOORS for path in (ROOT / floor).rglob("*.py"))
# Where a bundled game may be named: the specs themselves and what is published of them.
ABOUT_GAMES = {"spec", "published", "benchmarks.md"}
BINARY = {".pyc", ".png", ".gz", ".zip"}
GAME_NAMES = ("edition wars", "penny arcade", "penguin", "gamers vs evil", "rumble in", "rlyeh")

Import = tuple[int, str]


def named(path: Path) -> str:
    """Say which file a test case is about."""
    return path.relative_to(ROOT).as_posix()


@cache
def imports(source: str, package: str) -> tuple[Import, ...]:
    """List what a module imports, with line numbers, read once.

    `package` is the dotted folder of the module below the root ("" for the root). What lies in this
    repository comes out as `.model.source.Node`, anything else by its absolute name.
    """
    found: list[Import] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = package.split(".") if package else []
                kept = above[: len(above) - node.level + 1]
                base = ".".join([*kept, *([node.module] if node.module else [])])
            for alias in node.names:
                full = f"{base}.{alias.name}".strip(".")
                found.append((node.lineno, f".{full}" if node.level else base))
    return tuple(found)


@cache
def imported(path: Path) -> tuple[Import, ...]:
    """List what a module of the floors imports, read once."""
    return imports(path.read_text("utf-8"), package_of(path))


def package_of(path: Path) -> str:
    """Return the dotted folder of a module below the root."""
    return ".".join(path.parent.relative_to(ROOT).parts)


def module_of(path: Path) -> str:
    """Return the dotted name of a module below the root; of a package, that of its folder."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


@cache
def who_imports() -> "nx.DiGraph[str]":
    """Draw an edge from each module of the floors to each one that it imports, also for types."""
    known = {module_of(path) for path in MODULES}
    graph: nx.DiGraph[str] = nx.DiGraph()
    for path in MODULES:
        for _, name in imported(path):
            target = name.removeprefix(".")
            target = target if target in known else target.rpartition(".")[0]
            if name.startswith(".") and target in known:
                graph.add_edge(module_of(path), target)
    return graph


def crossings(source: str, package: str) -> list[Import]:
    """List the imports by which a module reaches up, or sideways."""
    allowed = FLOORS[package.partition(".")[0]]
    found: list[Import] = []
    for line, name in imports(source, package):
        if name == "ruleproof" or name.startswith("ruleproof."):
            found.append((line, f"{name} (inside the package, imports are relative)"))
        elif name.startswith("."):
            target = name[1:]
            inside = target.partition(".")[0] in FLOORS
            if inside and not any(
                target == floor or target.startswith(f"{floor}.") for floor in allowed
            ):
                found.append((line, target))
    return found


def words(text: str) -> str:
    """Bring a name to lower-case words between single spaces: `Penguin_Brawl!` is penguin brawl."""
    return " ".join(re.findall(r"[a-z0-9]+", text.lower().replace("'", "").replace("’", "")))


def bundled_games() -> set[str]:
    """Collect the names and titles of the bundled games, as words."""
    found: set[str] = set(GAME_NAMES)
    for file in (ROOT / "spec").rglob("game.yaml"):
        found.add(words(file.parent.name))
        title = re.search(r"^(?:title|name):(.*)$", file.read_text("utf-8"), re.MULTILINE)
        if title:
            found.add(words(str(yaml.safe_load(title[1]))))
    return {name for name in found if " " in name or name in GAME_NAMES}


def engine_files() -> list[Path]:
    """List the files of the engine: all of the floors above spec, apart from published reports."""
    return sorted(
        path
        for floor in FLOORS
        for path in (ROOT / floor).rglob("*")
        if path.is_file()
        and path.suffix not in BINARY
        and not ABOUT_GAMES & set(path.relative_to(ROOT).parts)
    )


def test_imports_run_down() -> None:
    """No module imports from a floor above its own, or from the one beside it."""
    found = {named(path): crossings(path.read_text("utf-8"), package_of(path)) for path in MODULES}

    assert {path: each for path, each in found.items() if each} == {}


def test_no_modules_import_each_other() -> None:
    """There is no circle of imports, but that of writers of what is made of each other."""
    circles = [sorted(group) for group in nx.strongly_connected_components(who_imports())
               if len(group) > 1]

    assert circles == [OF_EACH_OTHER]


def test_rooms_stand_on_those_below() -> None:
    """No folder imports from one that comes after it in the list of rooms, which has them all."""
    level = {room: number for number, rooms in enumerate(ROOMS) for room in rooms.split()}
    home = {module_of(path): package_of(path) for path in MODULES}
    wrong = [(one, other) for one, other in who_imports().edges
             if level[home[one]] < level[home[other]]]

    assert wrong == []


def test_checks_observe_and_the_judge_decides() -> None:
    """No check imports what words, ranks or groups findings, and only the judge makes one."""
    home = {module_of(path): package_of(path) for path in MODULES}
    wrong = [(one, other) for one, other in who_imports().edges
             if home[one] in OBSERVING and home[other] == "checker.findings"
             and other.rpartition(".")[2] not in OPEN_TO_CHECKS]
    makers = {named(path) for path in MODULES
              for node in ast.walk(ast.parse(path.read_text("utf-8")))
              if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Finding"}

    assert wrong == []
    assert makers == {"checker/judge/decide.py"}


def test_the_solver_has_one_door() -> None:
    """Only modules of `model` import z3."""
    doors = {named(path) for path in MODULES
             for _, name in imported(path)
             if name.partition(".")[0] == "z3"}

    assert {path for path in doors if not path.startswith("model/")} == set()


def test_no_engine_file_names_a_game() -> None:
    """A rule that holds for one game only belongs into that game's spec."""
    games = sorted(bundled_games())
    texts = {named(path): f" {words(path.read_text('utf-8'))} " for path in engine_files()}

    assert [(path, name) for path, text in texts.items() for name in games
            if f" {name} " in text] == []


@pytest.mark.parametrize(
    ("source", "package", "reached"),
    [
        ("from ..checker import explore", "model", "checker.explore"),
        ("from .. import checker", "model", "checker"),
        ("def f():\n    from ..cli.app import main", "reports", "cli.app.main"),
        ("from ..reports import text", "checker", "reports.text"),
        ("from ..checker.explore import Explorer", "reports", "checker.explore.Explorer"),
        ("from ...cli import app", "model.deep", "cli.app"),
        ("from ..model import errors", "spec", "model.errors"),
    ],
)
def test_a_crossing_is_seen(source: str, package: str, reached: str) -> None:
    """Imports that reach up or sideways are found, whichever way they are written."""
    assert [name for _, name in crossings(source, package)] == [reached]


@pytest.mark.parametrize(
    ("source", "package"),
    [
        ("from ..model.errors import Place", "checker"),
        ("from ..checker.findings.results import Finding", "reports"),
        ("from .. import __version__", "reports"),
        ("from .errors import Place", "model"),
        ("import json, z3", "model"),
    ],
)
def test_going_down_is_free(source: str, package: str) -> None:
    """Imports from one's own floor, from a floor below, and from elsewhere pass."""
    assert crossings(source, package) == []


def test_absolute_imports_are_seen() -> None:
    """Inside the package, the package is not called by its name."""
    assert len(crossings("import ruleproof.model\nfrom ruleproof import spec", "cli")) == 2


def test_running_the_tests_loads_this_checkout() -> None:
    """`ruleproof` is the repository that the tests lie in, not another installation."""
    assert Path(str(ruleproof.model.__file__)).resolve().parent == ROOT / "model"


@pytest.mark.parametrize(("command", "spared"), [
    ("graph", {"z3", "wasmtime", "jsonschema", "jinja2", "rich.console"}),
    ("lint", {"z3", "wasmtime", "jsonschema", "jinja2", "ruleproof.reports.blocks.finding"}),
    ("perft", {"z3", "wasmtime", "jsonschema", "jinja2", "ruleproof.reports.blocks.finding"})])
def test_a_command_loads_no_library_that_it_does_not_need(command: str, spared: set[str]) -> None:
    """What is slow to load is loaded where it is used first, or by other commands."""
    code = (f"import sys; from ruleproof.cli.app import build; build({command!r}); "
            "print(*sys.modules)")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603

    assert f"ruleproof.cli.commands.{command}" in done.stdout.split()
    assert not spared & {*done.stdout.split()}


def test_the_help_loads_nothing_that_checks() -> None:
    """What every command imports leaves the checker, Z3 and networkx alone: half a second."""
    code = ("import sys; from ruleproof.cli.app import build; build(); "
            "print(*sorted(sys.modules))")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)  # noqa: S603
    loaded = set(done.stdout.split())

    assert "ruleproof.cli.app" in loaded
    assert not loaded & {"ruleproof.model.machine", "networkx", "z3"}
    assert {each for each in loaded if each.startswith("ruleproof.checker.")} == {
        "ruleproof.checker.engine", "ruleproof.checker.engine.cache"}
