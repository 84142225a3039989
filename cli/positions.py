"""`ruleproof positions GAME -o DIR`: edge-case test positions as files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from ..checker.positions import Suite
from ..checker.positions import positions as choose
from ..model.board import from_values, values_by_name
from ..model.compile import Compiled, compile_game
from ..model.documents import header
from ..model.game import Settings
from ..model.interp import Interpreter
from ..model.line import line_of
from ..model.load import load_game
from ..model.machine import Machine
from ..reports.document import file_name, load, pretty
from . import exit as status
from . import options as opt
from .output import progress, say, write_file, write_result

FOLDER = typer.Option(
    "--output",
    "-o",
    metavar="DIR",
    help="The folder for the files; with `--format lines` a file (`-`: standard output).",
    show_default=False,
)
MOST = typer.Option(
    "--max", metavar="N", min=1, help="How many at most; those that show most come first.",
    show_default=False,
)  # fmt: skip
FINDINGS = typer.Option(
    "--findings",
    metavar="FILE",
    help="A findings file of the game: its findings are to be shown too.",
    show_default=False,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(positions)


def positions(
    *,
    game: opt.GameName,
    output: Annotated[Path, FOLDER],
    most: Annotated[int | None, MOST] = None,
    findings: Annotated[Path | None, FINDINGS] = None,
    players: opt.Players = None,
    scope: opt.ScopeName = None,
    variant: opt.Variants = None,
    ruling: opt.Rulings = None,
    cards: opt.CardData = None,
    max_states: opt.MaxStates = None,
    seed: opt.Seed = None,
    form: Annotated[str, opt.format_option("json", "lines")] = "json",
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Write edge-case positions as test files.

    Few states that show all that the rules do at their edges; `replay` runs them.
    """
    settings = opt.settings_of(players=players, variants=variant, rulings=ruling, cards=cards)
    report = load(findings) if findings is not None else None
    with progress(f"positions of {game}", quiet=quiet, no_color=no_color) as tick:
        suite = choose(
            game,
            settings,
            scopes=(scope,) if scope else (),
            most=most,
            max_states=max_states,
            seed=seed or 0,
            report=report,
            progress=lambda words: tick(0, None, words),
        )
    if form == "lines":
        write_result("\n".join(lines(game, suite)), output)
    else:
        output.mkdir(parents=True, exist_ok=True)
        for doc in suite.documents:
            write_file(output / file_name(doc), f"{pretty(doc)}\n")
    _summary(suite, quiet=quiet)
    return status.OK


def lines(game: str, suite: Suite) -> list[str]:
    """Write each position as one line: its state, and its id and title behind it."""
    known: dict[Settings, Compiled] = {}
    out: list[str] = []
    for doc in suite.documents:
        _, settings = header(doc, "the position")
        if settings not in known:
            known[settings] = compile_game(load_game(game, settings))
        machine = known[settings].machine
        state = from_values(machine, doc["node"], _whole(machine, doc["state"]))
        out.append(f"{line_of(machine, state, settings)} ; {doc['title']} ; {doc['id']}")
    return out


def _whole(machine: Machine, shown: Mapping[str, Any]) -> dict[str, Any]:
    """Add what the engine keeps for itself, and a position leaves out."""
    first = values_by_name(machine, Interpreter(machine).start().state)
    own = {array.name: first[array.name] for array in machine.arrays if not array.declared}
    return {**own, **shown}


def _summary(suite: Suite, *, quiet: bool) -> None:
    met, unmet = len(suite.met), len(suite.unmet)
    say(f"{len(suite.documents)} positions show {met} of {met + unmet} things", quiet=quiet)
    for name, states, whole in suite.searched:
        say(f"  scope {name}: {states:,} states, {'all' if whole else 'not all'}", quiet=quiet)
    for goal in suite.unmet[:10]:
        say(f"  not shown: {goal.text}", quiet=quiet)
    if unmet > 10:
        say(f"  and {unmet - 10} more are not shown", quiet=quiet)
    for each in suite.not_done:
        say(f"  not done: {each}", quiet=quiet)
