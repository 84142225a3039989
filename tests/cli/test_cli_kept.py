"""A command that was asked before, of the same files by the same program, tells the same again."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from ruleproof.__main__ import answer
from ruleproof.checker.engine import cache
from ruleproof.cli import answers, app
from ruleproof.cli.files.latest import latest
from ruleproof.model.loading.load import bundled, load_game
from ruleproof.model.lowering.compile import compile_game
from ruleproof.model.source import inputs
from ruleproof.tests.support.drawn import one_in
from ruleproof.tests.support.places import ROOT

COMMANDS = (
    "lint pairs", "lint .", "lint pairs --silent --rulebook pairs/rulebook.md",
    "lint pairs --words --rulebook pairs/rulebook.md", "graph pairs", "graph pairs --format json",
    "perft pairs --depth 2", "perft pairs --depth 1 --cards cards.yaml",
    "trace pairs --rulebook pairs/rulebook.md", "explain pairs turn", "outline pairs/rulebook.md",
    "games", "schema", "verify pairs --only deadlock --max-states 50")
"""A command line of each command that keeps its answer, and of each way to name a file to it."""

Ask = Callable[..., tuple[int, str, str]]


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make a folder to work in, with a game that extends another; keep answers beside it."""
    here = tmp_path / "here"
    shutil.copytree(ROOT / "spec" / "template", here / "base")
    (here / "pairs").mkdir()
    shutil.copy(here / "base" / "rulebook.md", here / "pairs")
    (here / "pairs" / "game.yaml").write_text("game: pairs\nextends: ../base\n", "utf-8")
    (here / "cards.yaml").write_text("cards: {}\n", "utf-8")
    monkeypatch.chdir(here)
    monkeypatch.setenv("RULEPROOF_CACHE", str(tmp_path / "kept"))
    return here


@pytest.fixture
def ask(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """Answer a command line as a process of its own would; with `anew=False` only from a file."""

    def call(line: str, *, anew: bool = True) -> tuple[int, str, str]:
        with monkeypatch.context() as patched:
            patched.setattr(answers, "_SAID", answers.Said())
            patched.setattr(inputs, "_NOTED", {})
            if not anew:
                patched.setattr(app, "run", lambda _: -1)
            code = answer(line.split())
        out, err = capsys.readouterr()
        return code, out, err

    return call


@pytest.mark.usefixtures("place")
@pytest.mark.parametrize("line", one_in(2, COMMANDS))
def test_the_same_is_told_again(ask: Ask, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Result and exit status are those of the first run, and of one that keeps nothing."""
    monkeypatch.setattr("ruleproof.cli.commands.games.bundled", lambda: bundled()[:1])
    first, again = ask(line), ask(line, anew=False)
    monkeypatch.setenv("RULEPROOF_CACHE", "off")

    assert first[0] in (0, 1, 3)
    assert again[:2] == first[:2] == ask(line)[:2]
    assert again[2].endswith(first[2])


@pytest.mark.campaign
@pytest.mark.usefixtures("place")
def test_all_that_is_read_is_noted() -> None:
    """Each file that a command opens and each folder that it lists is noted, or is the program.

    Each command runs in a process of its own, a fork of one that has imported the program.
    """
    code = f"""if True:
        import os, sys
        from ruleproof.cli.app import run
        from ruleproof.checker import verify
        from ruleproof.model.source.inputs import noted
        seen = set()
        def hook(event, args):
            path = args[0] if event in ("open", "os.listdir", "os.scandir") else None
            if isinstance(path, (str, bytes, os.PathLike)) and (
                    event != "open" or not (args[2] or 0) & (os.O_WRONLY | os.O_CREAT)):
                seen.add(os.path.abspath(os.fsdecode(path)))
        for line in {COMMANDS!r}:
            child = os.fork()
            if not child:
                sys.addaudithook(hook)
                run(line.split())
                known = {{path for path, _, _ in noted()}}
                print(*(f"{{line}}: {{path}}" for path in sorted(seen - known)), sep="\\n",
                      file=sys.stderr)
                print("ran:", line, file=sys.stderr, flush=True)
                sys.stdout.flush()
                os._exit(0)
            assert os.waitpid(child, 0)[1] == 0, line
    """
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True,  # noqa: S603
                          check=True)
    told = done.stderr.splitlines()

    assert [line for line in COMMANDS if f"ran: {line}" not in told] == []
    assert [line for line in told if f": {Path.cwd()}" in line and "ran: " not in line] == []


@pytest.mark.parametrize("what", [
    "changed", "added", "removed", "base", "book", "cards", "settings", "folder", "color",
    "program", "damaged", "stranger", "off"])
def test_what_is_asked_otherwise_is_answered_anew(
    ask: Ask, place: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """After any change of what the answer depends on, or of the file that holds it."""
    monkeypatch.setattr(cache, "program", cache.program.__wrapped__)
    lines = ["lint pairs --silent --rulebook pairs/rulebook.md",
             "perft pairs --depth 1 --cards cards.yaml"]
    for line in lines:
        ask(line)
    wanted = lines[what == "cards"]
    match what:
        case "changed":
            (place / "pairs" / "game.yaml").write_text("extends: ../base\ngame: pair\n", "utf-8")
        case "added":
            (place / "pairs" / "more.yaml").write_text("{}\n", "utf-8")
        case "removed":
            (place / "base" / "clauses.yaml").unlink()
        case "base":
            (place / "base" / "more.yaml").write_text("{}\n", "utf-8")
        case "book":
            (place / "pairs" / "rulebook.md").write_text("Nothing.\n", "utf-8")
        case "cards":
            (place / "cards.yaml").write_text("# none\ncards: {}\n", "utf-8")
        case "settings":
            wanted += " --format json"
        case "folder":
            monkeypatch.chdir(place / "base")
            wanted = wanted.replace("pairs", "../pairs")
        case "color":
            monkeypatch.setenv("NO_COLOR", "1")
        case "program":
            monkeypatch.setattr(answers, "program", lambda: "another")
        case "damaged":
            for file in (place.parent / "kept").iterdir():
                file.write_bytes(file.read_bytes()[:-1] + b"!")
        case "stranger":
            (place.parent / "kept").chmod(0o777)
        case _:
            monkeypatch.setenv("RULEPROOF_CACHE", "off")

    assert ask(wanted, anew=False)[0] == -1


@pytest.mark.parametrize("line", [
    "lint pairs", "graph pairs -o graph.mmd", "perft", "verify pairs --only deadlock --max-time 9"])
def test_what_may_be_otherwise_is_not_kept(ask: Ask, place: Path, line: str) -> None:
    """Errors, files that were written, wrong usage, and what depends on the time are not kept."""
    if line == "lint pairs":
        (place / "pairs" / "game.yaml").write_text("extends: ../base\nnonsense: 1\n", "utf-8")
    ask(line)

    assert ask(line, anew=False)[0] == -1


@pytest.mark.usefixtures("place")
def test_a_report_told_again_is_the_one_that_is_explained(ask: Ask) -> None:
    """When another was made in between, it is not told again but made the last one."""
    lines = [f"verify pairs --only {each} --max-states 50" for each in ("deadlock", "gap")]
    compiled = compile_game(load_game("pairs"))
    ask(lines[0])
    first = latest(compiled)
    ask(lines[1])
    other = latest(compiled)

    assert first != other
    assert ask(lines[0], anew=False)[0] == -1
    ask(lines[0])
    assert latest(compiled) == first


def test_our_files_and_packages_name_the_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of ours that is changed, added or removed is another program."""
    for name in cache.PARTS:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    monkeypatch.setattr(cache, "__file__", str(tmp_path / "checker" / "engine" / "cache.py"))
    names = [cache.program.__wrapped__()]
    file = tmp_path / "model" / "source" / "tree.py"
    for change in (lambda: file.write_text("another", "utf-8"), file.unlink,
                   (tmp_path / "model" / "another.py").touch):
        assert cache.program.__wrapped__() == names[-1]
        change()
        names.append(cache.program.__wrapped__())

    assert len({*names}) == len(names)


def test_a_kept_answer_loads_next_to_nothing(place: Path) -> None:
    """Neither the command line's library nor any that reads or checks a game: they take longer."""
    code = ("import sys; from ruleproof.__main__ import answer; answer(['graph', 'pairs']); "
            "print(*sorted(sys.modules), file=sys.stderr)")
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], cwd=place, capture_output=True,  # noqa: S603
                              text=True, check=True)
    loaded = set(done.stderr.split())

    assert "ruleproof.cli.answers" in loaded
    assert not loaded & {"typer", "yaml", "msgspec", "networkx", "importlib.metadata"}
    assert not any(each.startswith("ruleproof.model.") for each in loaded - {
        "ruleproof.model.source", "ruleproof.model.source.inputs"})
