"""`ruleproof explore GAME`: how many states there are, and whether that is all of them."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from ...checker.engine.program import Program
from ...checker.engine.runtime import SLOW, available
from ...checker.judge.audit import explored
from ...checker.judge.results import Explored, as_json
from ...checker.search.explore import Exploration, Progress, resume
from ...model.loading.load import load_game
from ...model.lowering.compile import compile_game
from ...model.orders.responders import indifferent
from ...reports.blocks.paper import Paper
from .. import exit as status
from .. import options as opt
from ..output import Tick, progress, say, write_result
from ..sheet import paper_for

ONE_ORDER = typer.Option(
    "--one-order",
    help="Let the players of a window act in one order, where it is proved to stand for all.",
    show_default=False,
)


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(explore)


def explore(
    *,
    game: opt.GameName,
    players: opt.Players = None,
    scope: opt.ScopeName = None,
    variant: opt.Variants = None,
    ruling: opt.Rulings = None,
    rulings: opt.RulingsFrom = None,
    cards: opt.CardData = None,
    max_states: opt.MaxStates = None,
    max_time: opt.MaxTime = None,
    checkpoint: opt.Checkpoint = None,
    one_order: Annotated[bool, ONE_ORDER] = False,
    form: Annotated[str, opt.format_option("text", "json")] = "text",
    output: opt.Output = None,
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Explore all states, and count them; nothing is checked."""
    settings = opt.settings_of(
        players=players, scope=scope, variants=variant, rulings=ruling,
        rulings_file=rulings, cards=cards,
    )
    compiled = compile_game(load_game(game, settings))
    if not available():
        say(SLOW, quiet=quiet)
    windows = indifferent(compiled) if one_order else frozenset[str]()
    program = Program(compiled.machine, one_order=windows)
    if checkpoint is not None and checkpoint.exists():
        run = resume(program, checkpoint)
        say(f"going on from {checkpoint}", quiet=quiet)
    else:
        run = Exploration(program)
    with progress(f"exploring {game}", quiet=quiet, no_color=no_color) as tick:
        result = run.run(
            max_states=max_states,
            max_time=max_time,
            checkpoint=checkpoint,
            save_every=60.0,
            progress=lambda at: _tick(tick, at),
        )
    found = explored(settings.scope, compiled.machine, result)
    if form == "json":
        write_result(json.dumps(as_json(found)), output)
    else:
        write_result("\n".join(_lines(found, paper_for(output, no_color=no_color))), output)
    if run.unsaved:
        say(f"the checkpoint could not be written: {run.unsaved}")
    if result.stopped == "interrupted":
        raise status.Interrupted(opt.how_to_go_on(checkpoint))
    if checkpoint is not None and result.complete:
        checkpoint.unlink(missing_ok=True)
    return status.OK if found.complete else status.LIMIT


def _tick(tick: Tick, at: Progress) -> None:
    words = f"{at.states:,} states, {at.frontier:,} ahead, depth {at.depth}, {at.rate:,.0f}/s"
    tick(at.states - at.frontier, at.states, words)


def _lines(found: Explored, paper: Paper) -> list[str]:
    rows = [
        ("scope", found.scope),
        ("distinct states", f"{found.states:,}"),
        ("transitions", f"{found.transitions:,}"),
        ("depth", f"{found.depth:,}"),
        ("final states", f"{found.final:,}"),
        ("complete", "yes" if found.complete else f"no, stopped by {found.stop}"),
        *(("bounded by", bound) for bound in found.bounds),
    ]
    return [paper.clean(f"{name:<16} {value}") for name, value in rows]
