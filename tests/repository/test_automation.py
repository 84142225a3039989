"""What the README tells to put into other repositories works there, command by command."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from ruleproof.tests.support.formats import check_sarif
from ruleproof.tests.support.little import JUGS, write
from ruleproof.tests.support.places import ROOT

BLOCKS = [yaml.safe_load(block) for block in re.findall(
    r"```yml\n(.*?)```", (ROOT / "README.md").read_text("utf-8"), re.DOTALL)]
INSTALL = "pip install "


@pytest.fixture
def there(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """Make a repository with a game, and an environment that has `ruleproof`."""
    write(tmp_path / "game", JUGS)
    program = tmp_path / "bin" / "ruleproof"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m ruleproof "$@"\n')
    program.chmod(0o755)
    paths = os.pathsep.join([str(program.parent), os.environ.get("PATH", "")])
    return tmp_path, {**os.environ, "PATH": paths}


def block(key: str) -> Any:  # noqa: ANN401
    """Return the block that has a key."""
    (found,) = [each for each in BLOCKS if key in each]
    return found


@pytest.mark.campaign
def test_the_workflow_runs(there: tuple[Path, dict[str, str]]) -> None:
    """Each `run` succeeds in a repository with a sound game, and the upload finds its file."""
    folder, env = there
    steps = block("jobs")["jobs"]["rules"]["steps"]
    runs = [step["run"] for step in steps if "run" in step]
    for command in runs:
        if not command.startswith(INSTALL):
            done = subprocess.run(["sh", "-ec", command], cwd=folder, env=env,  # noqa: S603, S607
                                  capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
    (upload,) = [step["with"]["sarif_file"] for step in steps if "sarif" in step.get("uses", "")]

    assert [run for run in runs if run.startswith(INSTALL)] == ["pip install ruleproof"]
    assert check_sarif(json.loads((folder / upload).read_text("utf-8"))) is not None


@pytest.mark.parametrize(("text", "status"), [
    (JUGS, 0), (JUGS.replace("int 0..3", "int 0..x"), 2),
    (JUGS.replace("state:", "state:\n  idle: {type: int 0..1}"), 1),
])
def test_the_hook_stops_what_does_not_lint(
    there: tuple[Path, dict[str, str]], text: str, status: int
) -> None:
    """It is given the files that match, and fails for errors and for warnings."""
    folder, env = there
    write(folder / "game", text)
    (hook,) = block("repos")["repos"][0]["hooks"]
    staged = ["game/game.yaml", "notes.yaml", "game/rules.txt"]
    files = [name for name in staged if re.search(hook["files"], name)]
    done = subprocess.run([*shlex.split(hook["entry"]), *files], cwd=folder,  # noqa: S603
                          env=env, capture_output=True, check=False)

    assert files == ["game/game.yaml"]
    assert done.returncode == status
