"""The README says what is so: its outputs are real ones, its example runs, its lists are complete.

Outputs stand below a comment that names their command: the first finding of it, or all that it
writes (`recorded whole`). `RULEPROOF_RECORD=1` writes them anew.
"""

import io
import os
import re
import shlex
import tomllib
from pathlib import Path

import pytest

from ruleproof.checker import verify
from ruleproof.checker.findings.results import CLASSES
from ruleproof.cli.app import COMMANDS, run
from ruleproof.model.views.lint import lint
from ruleproof.tests.support.places import ROOT

README = ROOT / "README.md"
TEXT = README.read_text("utf-8")
RULE = "─" * 10


def compare(command: str, printed: str, kind: str = "recorded") -> None:
    """Compare what a command printed with what the README shows of it; or record it."""
    whole = README.read_text("utf-8")
    before = f"<!-- {kind}: {command} -->\n```text\n"
    start = whole.index(before) + len(before)
    end = whole.index("```", start)
    if os.environ.get("RULEPROOF_RECORD") == "1":
        README.write_text(whole[:start] + printed + whole[end:], "utf-8")
        return
    assert whole[start:end] == printed


def first_finding(printed: str) -> str:
    """Return the first finding of a report."""
    finding = next(part for part in printed.split(RULE) if part.lstrip("─\n").startswith("1. "))
    return finding.strip("─\n") + "\n"


WHOLE = re.findall(r"<!-- recorded whole: (.*?) -->", TEXT)


@pytest.mark.parametrize("command", WHOLE)
def test_what_a_command_writes_is_shown(
    command: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A command that is given in the root of the repository writes what stands below its name."""
    monkeypatch.chdir(ROOT)
    monkeypatch.setattr("sys.stdin", io.StringIO())
    run([*shlex.split(command), "--no-color"])
    out, err = capsys.readouterr()
    printed = err.lstrip("\n") + out

    compare(command, printed, "recorded whole")


@pytest.mark.slow
def test_the_finding_of_edition_wars_is_a_real_one(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is printed as it stands there, to the letter; checks of other things are left out."""
    for name in ("check_ambiguity", "check_deletion", "check_symmetry", "check_examples"):
        monkeypatch.setattr(getattr(verify, name), "run", lambda _: None)
    command = "verify edition-wars --scope tiny --only false-claim"

    assert run([*command.split(), "-q", "--no-color"]) == 1
    compare(command, first_finding(capsys.readouterr().out))


def test_the_example_runs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game of fifteen lines is free of errors, and has the screen and the finding shown."""
    blocks = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "high-card").mkdir()
    (tmp_path / "high-card" / "game.yaml").write_text(blocks[0], "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULEPROOF_CACHE", str(tmp_path))
    found = lint("high-card")

    assert len(blocks) == 1
    assert blocks[0].count("\n") <= 15
    assert found.errors + found.warnings == ()
    assert run(["verify", "high-card", "-q", "--no-color"]) == 1
    printed = capsys.readouterr().out
    assert "everybody gets a card: in which order are the players taken: " in " ".join(
        printed.split())
    compare("verify high-card", first_finding(printed))
    with monkeypatch.context() as at_a_terminal:
        at_a_terminal.setattr("ruleproof.cli.commands.verify.is_terminal", lambda _: True)
        run(["verify", "high-card", "-q", "--no-color"])
    compare("verify high-card", capsys.readouterr().out, "recorded screen")
    assert run(["explain", "high-card", "1", "--no-color"]) == 0
    assert first_finding(printed) in capsys.readouterr().out


def test_every_command_is_named() -> None:
    """Each command is in the README, and nothing that is no command."""
    named = set(re.findall(r"(?:`|\$ )ruleproof ([a-z]+)", TEXT))

    assert named == set(COMMANDS)


def test_every_class_is_named() -> None:
    """The table of classes holds each class of findings once."""
    table = TEXT[TEXT.index("| | classes of findings |") : TEXT.index("## How far")]

    assert sorted(re.findall(r"`([a-z-]+)`", table)) == sorted(CLASSES)


def test_every_dependency_has_a_reason() -> None:
    """What is installed is what the README lists, and the README is part of the package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    needed = [re.match(r"[\w-]+", each) for each in project["dependencies"]]
    table = TEXT[TEXT.index("| dependency | reason |") : TEXT.index("## Limits")]

    assert sorted(re.findall(r"^\| `([\w-]+)`", table, re.MULTILINE)) == sorted(
        found[0] for found in needed if found
    )
    assert project["readme"] == "README.md"


def test_links_and_folders_are_there() -> None:
    """Links lead to files, and the layout names the folders that there are."""
    for link in re.findall(r"\]\(([^)#:]+)\)", TEXT):
        assert (ROOT / link).exists(), link
    folders = re.findall(r"^(\w+)/ ", TEXT, re.MULTILINE)
    assert sorted(folders) == sorted(
        path.name for path in ROOT.iterdir()
        if path.is_dir() and path.name in {"tests", *_packages()}
    )  # fmt: skip


def _packages() -> list[str]:
    return [path.parent.name for path in ROOT.glob("[!.]*/__init__.py")]
