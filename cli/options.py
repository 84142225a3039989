"""The options that commands share: their types for typer, their validation, what they amount to.

A command writes `players: Players = None`; the aliases below carry name, metavar, help and checks.
What depends on the game (does this scope exist?) is checked when the game is loaded.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer

from ..checker.findings.results import CLASSES
from ..checker.questions.results import RulingsFile
from ..model.source import inputs
from ..model.source.errors import UsageError, did_you_mean, quote
from .output import try_file

Option = Any
"""What `typer.Option` returns; typer gives it no public type."""

LARGEST_SEED = 2**63 - 1


def ruling_pairs(values: list[str] | None) -> list[str]:
    """Insist on POINT=READING."""
    for value in values or []:
        point, equals, reading = value.partition("=")
        if not (point.strip() and equals and reading.strip()):
            raise typer.BadParameter(f"{quote(value)} is not of the form POINT=READING")
    return values or []


def one_of(name: str, known: Collection[str]) -> str:
    """Say what was meant by a name, or which ones there are."""
    return did_you_mean(name, known) or f"one of {', '.join(known)}"


def _class(values: list[str] | None) -> list[str]:
    """Insist on finding classes; several may be given at once, with commas."""
    found: list[str] = []
    for value in [part.strip() for each in values or [] for part in each.split(",")]:
        if value not in CLASSES:
            raise typer.BadParameter(
                f"{quote(value)} is no class of findings; {one_of(value, CLASSES)}")
        found.append(value)
    return found


def _positive(value: float | None) -> float | None:
    if value is not None and not 0 < value < float("inf"):
        raise typer.BadParameter(f"{value:g} is not a time in seconds above 0")
    return value


def option(*names: str, **rest: Any) -> Option:  # noqa: ANN401  (what typer takes)
    """Make an option of which the help does not tell the default."""
    return typer.Option(*names, show_default=False, **rest)


def format_option(*choices: str) -> Option:
    """Make `--format` for a command that knows these formats; use it inside `Annotated`."""

    def check(value: str) -> str:
        if value not in choices:
            raise typer.BadParameter(
                f"{quote(value)} is no format of this command; {one_of(value, choices)}")
        return value

    return typer.Option(
        "--format",
        "-f",
        metavar="|".join(choices),
        help="How the result is written.",
        callback=check,
    )


GameName = Annotated[str, typer.Argument(
    metavar="GAME", help="A bundled game, or the path of a folder that holds a game.yaml.",
    show_default=False)]
Players = Annotated[int | None, option(
    "--players", "-p", metavar="N", min=1, help="How many play.")]
ScopeName = Annotated[str | None, option(
    "--scope", metavar="NAME", help="A small instance of the game, or `printed`.")]
Variants = Annotated[list[str] | None, option(
    "--variant", metavar="NAME", help="A mode that the book offers (repeatable).")]
Rulings = Annotated[list[str] | None, option(
    "--ruling", metavar="POINT=READING", callback=ruling_pairs,
    help="Adopt this reading of an open point (repeatable).")]
CardData = Annotated[Path | None, option(
    "--cards", metavar="FILE",
    help="Real card data, laid over what the spec assumes: YAML, or CSV from a spreadsheet.")]
Seed = Annotated[int | None, option(
    "--seed", metavar="N", min=0, max=LARGEST_SEED, help="What chance starts from.")]
Only = Annotated[list[str] | None, option(
    "--only", metavar="CLASS", callback=_class,
    help="Look for findings of this class only (repeatable).")]
Skip = Annotated[list[str] | None, option(
    "--skip", metavar="CLASS", callback=_class,
    help="Do not look for findings of this class (repeatable).")]
MaxStates = Annotated[int | None, option(
    "--max-states", metavar="N", min=1, help="Stop an exploration after N states.")]
MaxTime = Annotated[float | None, option(
    "--max-time", metavar="SECONDS", callback=_positive, help="Stop after so many seconds.")]
RulingsFrom = Annotated[Path | None, option(
    "--rulings", metavar="FILE",
    help="Adopt the readings of a rulings file, as `ruleproof ask` writes it.")]


def writable(path: Path | None) -> Path | None:
    """Insist, before the work begins, that its result can be written."""
    if path is not None and str(path) != "-":
        try_file(path)
    return path


Output = Annotated[Path | None, option(
    "--output", "-o", metavar="FILE", callback=writable,
    help="Write the result there (`-`: standard output).")]
Rulebook = Annotated[Path | None, option(
    "--rulebook", metavar="FILE",
    help="The rulebook's text: its own words stand beside our paraphrases.")]
Checkpoint = Annotated[Path | None, option(
    "--checkpoint", metavar="FILE", callback=writable,
    help="Go on from there if it exists; what is found out is kept there until all is done.")]
ClusterAddress = Annotated[str | None, option(
    "--cluster", metavar="ADDRESS",
    help="Spread the work over the workers of this Dask scheduler (HOST:PORT), which is "
    "trusted; the result is the same. Needs `pip install 'ruleproof[cluster]'`.")]
Quiet = Annotated[bool, option("--quiet", "-q", help="No progress and no messages.")]
EveryOrder = Annotated[bool, option(
    "--every-order",
    help="Explore every order of the players in a window, also where one stands for all.")]
Proofs = Annotated[Path | None, option(
    "--proofs", metavar="FILE", callback=writable,
    help="Write what was proved as SMT-LIB text there: any solver must answer `unsat` to all.")]
NoColor = Annotated[bool, option("--no-color", help="No colour (as with NO_COLOR set).")]


def read_rulings(path: Path) -> RulingsFile:
    """Read a rulings file.

    Raises:
        UsageError: if it is none.

    """
    try:
        data = path.read_bytes()
        inputs.note_file(path, data)
        return msgspec.json.decode(data, type=RulingsFile)
    except OSError as error:
        reason = (error.strerror or "it cannot be read").lower()
        raise UsageError(f"the rulings {quote(str(path))}: {reason}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{quote(str(path))} is no rulings file: {error}; it looks like "
                         '{"format": "ruleproof/rulings-1", "game": "my-game", '
                         '"rulings": {"point": "reading"}}') from None


def how_to_go_on(checkpoint: Path | None) -> str:
    """Say how to go on after an interrupt."""
    if checkpoint is None:
        return "nothing was saved (`--checkpoint FILE` would)"
    return f"to go on, give the same command again (saved in {checkpoint})"


def ruled(values: list[str]) -> dict[str, str]:
    """Return the reading of each point that is ruled on the command line."""
    pairs: dict[str, str] = {}
    for value in values:
        point, _, reading = (part.strip() for part in value.partition("="))
        if pairs.setdefault(point, reading) != reading:
            raise typer.BadParameter(
                f"{quote(point)} is ruled twice: {quote(pairs[point])} and {quote(reading)}",
                param_hint="--ruling",
            )
    return pairs
