"""`ruleproof explore GAME`: how many states there are, and whether that is all of them."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Annotated

from msgspec import to_builtins

from ...checker.engine.program import Program
from ...checker.engine.runtime import SLOW, available
from ...checker.findings.results import Explored
from ...checker.judge.audit import explored
from ...checker.search.explore import Exploration, Progress, resume
from ...model.loading.load import load_game
from ...model.lowering.compile import compile_game
from ...model.orders.responders import indifferent
from ...model.run.interp import Interpreter
from ...model.views.efg import GameTree
from ...reports.blocks.paper import Paper
from .. import exit as status
from .. import options as opt
from ..output import Tick, progress, say, write_result
from ..sheet import paper_for

ONE_ORDER = opt.option(
    "--one-order",
    help="Let the players of a window act in one order, where it is proved to stand for all.")


MOST_COUNTED = 2_000_000
"""Beyond so many states it is not counted who has won in how many."""


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
    form: Annotated[str, opt.format_option("text", "json", "efg")] = "text",
    output: opt.Output = None,
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Explore all states, and count them; nothing is checked.

    It also tells in how many final states each player has won. `--format efg` writes the tree of a
    tiny game for Gambit: `ruleproof explore my-game --scope tiny -f efg -o game.efg`
    """
    settings = opt.settings_of(players, scope, variant, ruling, rulings, cards=cards)
    compiled = compile_game(load_game(game, settings))
    if not available():
        say(SLOW, quiet=quiet)
    if form == "efg":
        write_result(GameTree(Interpreter(compiled.machine), compiled.game.title).write(), output)
        return status.OK
    windows = indifferent(compiled) if one_order else frozenset[str]()
    program = Program(compiled.machine, one_order=windows)
    if checkpoint is not None and checkpoint.exists():
        run = resume(program, checkpoint)
        say(f"going on from {checkpoint}", quiet=quiet)
    else:
        run = Exploration(program)
    began = time.monotonic()
    with progress(f"exploring {game}", quiet=quiet, no_color=no_color) as tick:
        result = run.run(
            max_states=max_states,
            max_time=max_time,
            checkpoint=checkpoint,
            save_every=60.0,
            progress=lambda at: _tick(tick, at),
        )
    found = explored(settings.scope, compiled.machine, result)
    results = outcomes(program, run.order) if result.states <= MOST_COUNTED else None
    if form == "json":
        told = {} if results is None else {"results": [
            {"winners": list(names), "final_states": many} for names, many in results.items()]}
        write_result(json.dumps({**to_builtins(found), **told}), output)
    else:
        paper = paper_for(output, no_color=no_color)
        lines = [*_lines(found, paper), *_results(results, found.final, paper)]
        write_result("\n".join(lines), output)
    seconds = time.monotonic() - began
    say(f"{seconds:.1f} seconds, {result.states / max(seconds, 0.001):,.0f} states a second",
        quiet=quiet)
    if run.unsaved:
        say(f"the checkpoint could not be written: {run.unsaved}")
    if result.stopped == "interrupted":
        raise status.Interrupted(opt.how_to_go_on(checkpoint))
    if checkpoint is not None and result.complete:
        checkpoint.unlink(missing_ok=True)
    return status.OK if found.complete else status.LIMIT


def outcomes(program: Program, states: Iterable[bytes]) -> dict[tuple[str, ...], int]:
    """Count the final states by who has won there, the most frequent first."""
    names, winners = program.machine.player_names, program.observer(["winners"])
    counts, first = Counter[bytes](), dict[bytes, bytes]()
    for each in states:
        if program.kind(each) == "final":
            seen = winners(each)
            counts[seen] += 1
            first.setdefault(seen, each)
    judge = Interpreter(program.machine)
    found = {tuple(names[seat] for seat in judge.winners(program.unpack(first[seen]))): many
             for seen, many in counts.items()}
    return dict(sorted(found.items(), key=lambda each: (-each[1], each[0])))


def _results(found: Mapping[tuple[str, ...], int] | None, final: int, paper: Paper) -> list[str]:
    if found is None:
        return [f"{'results':<16} not counted beyond {MOST_COUNTED:,} states"]
    return [paper.clean(f"{'won by':<16} {' and '.join(names) or 'nobody'}: {many:,} final states "
                        f"({many / final:.0%})") for names, many in found.items()]


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
