"""`ruleproof new NAME`: a folder with a small whole game that lints, verifies and plays."""

from __future__ import annotations

import re
from importlib.resources import files
from pathlib import Path
from typing import Annotated

import typer

from ...model.source.errors import UsageError, quote
from .. import exit as status
from .. import options as opt
from ..output import say, write_file

NAME = typer.Argument(
    metavar="NAME",
    help="What the game is called: letters, digits and hyphens; the folder gets this name.",
    show_default=False)
INTO = opt.option("--into", metavar="DIR", help="The folder in which the new one is made.")
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
LONGEST = 60


def new(
    *,
    name: Annotated[str, NAME],
    into: Annotated[Path, INTO] = Path(),
    quiet: opt.Quiet = False,
) -> int:
    """Make a folder with a small whole game.

    It lints, verifies and plays; edit it into yours.
    """
    if not _NAME.fullmatch(name) or len(name) > LONGEST:
        raise UsageError(
            f"{quote(name)} cannot be the name of a game; "
            "small letters and digits, with hyphens between them"
        )
    folder = into / name
    if folder.exists() or folder.is_symlink():
        raise UsageError(f"{quote(str(folder))} exists already")
    folder.mkdir(parents=True)
    for file, text in sorted(template().items()):
        write_file(folder / file, renamed(text, name) if file == "game.yaml" else text)
    say(
        f"{folder} is made; try `ruleproof lint {folder}`, `ruleproof verify {folder}`, "
        f"`ruleproof play {folder}`",
        quiet=quiet,
    )
    return status.OK


def template() -> dict[str, str]:
    """Read the files of the game that new ones start from."""
    folder = files("ruleproof.spec").joinpath("template")
    return {each.name: each.read_text("utf-8") for each in folder.iterdir() if each.is_file()}


def renamed(text: str, name: str) -> str:
    """Set another id and title in the main file of a game."""
    title = name.replace("-", " ").title()
    # In quotes: a name such as `no` or `007` would be no text in YAML.
    text = re.sub(r"(?m)^game: .*$", f'game: "{name}"', text, count=1)
    return re.sub(r"(?m)^title: .*$", f'title: "{title}"', text, count=1)
