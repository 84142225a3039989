"""`ruleproof explore GAME`: how many states there are, and whether that is all of them."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Annotated, Any

from msgspec import to_builtins

from ...checker.audit.scoped import BOUND
from ...checker.bench.cluster import cluster_at
from ...checker.engine.runtime import SLOW, available
from ...checker.explore import MOST_COUNTED, Counting, ScopeCount
from ...checker.search.explore import Progress
from ...model.game.game import PRINTED, Game
from ...model.loading.load import load_game
from ...model.lowering.compile import compile_game
from ...model.plays.wording import many as number_of
from ...model.run.interp import Interpreter
from ...model.source.errors import UsageError
from ...model.stop import held
from ...model.views.efg import GameTree
from ...reports.blocks.paper import Paper
from .. import exit as status
from .. import options as opt
from ..groups import Chosen, Told, Work, grouped
from ..output import Tick, say, say_unanswered

ONE_ORDER = opt.option(
    "--one-order",
    help="Let the players of a window act in one order, where it is proved to stand for all.")
SCOPES = opt.option(
    "--scope", metavar="NAME",
    help="A small instance of the game, or `printed` (repeatable: each by itself).")


@grouped
def explore(
    *,
    game: opt.GameName,
    players: opt.Players = None,
    scope: Annotated[list[str] | None, SCOPES] = None,
    variant: opt.Variants = None,
    ruling: opt.Rulings = None,
    rulings: opt.RulingsFrom = None,
    cards: opt.CardData = None,
    max_states: opt.MaxStates = None,
    max_time: opt.MaxTime = None,
    work: Work,
    one_order: Annotated[bool, ONE_ORDER] = False,
    form: Annotated[str, opt.format_option("text", "json", "efg")] = "text",
    told: Told,
) -> int:
    """Explore all states, and count them; nothing is checked.

    It also tells in how many final states each player has won. Of several scopes each is explored
    by itself, with limits of its own: `--cluster` gives each to one worker, and is of use for
    several only; `--checkpoint` is for one scope, without `--cluster`. `--format efg` writes the
    tree of a tiny game for Gambit: `ruleproof explore my-game --scope tiny -f efg -o game.efg`
    """
    names = list(dict.fromkeys(scope or [PRINTED]))
    chosen = Chosen(players=players, scope=names[0], variant=variant, ruling=ruling,
                    rulings=rulings, cards=cards)
    settings = chosen.settings(game)
    games = [load_game(game, replace(settings, scope=name)) for name in names]
    _insist_on_one(games, form, work)
    if not available():
        told.say(SLOW)
    if form == "efg":
        machine = compile_game(games[0]).machine
        told.write(GameTree(Interpreter(machine), games[0].title).write())
        return status.OK
    began = time.monotonic()
    with cluster_at(work.cluster) as workers, told.progress(f"exploring {game}") as tick:
        counted = Counting(
            games, one_order, max_states, max_time, work.checkpoint, partial(_tick, tick),
            lambda: told.say(f"going on from {work.checkpoint}")).all(workers)
    say_unanswered(workers, quiet=told.quiet)
    with held():
        told.write(written(counted, told.paper, form, single=len(games) == 1))
    seconds = time.monotonic() - began
    states = sum(each.explored.states for each in counted)
    told.say(f"{seconds:.1f} seconds, {states / max(seconds, 0.001):,.0f} states a second")
    for each in counted:
        if each.unsaved:
            say(f"the checkpoint could not be written: {each.unsaved}")
    whole = all(each.explored.complete for each in counted)
    stopped = {each.explored.stopped_by for each in counted}
    if len(counted) < len(games) or "interrupted" in stopped:
        raise status.Interrupted(work.resume)
    if work.checkpoint is not None and stopped <= {"", BOUND}:
        work.checkpoint.unlink(missing_ok=True)
    return status.OK if whole else status.LIMIT


def _insist_on_one(games: Sequence[Game], form: str, work: Work) -> None:
    """Insist on one scope where it takes one, and on this machine where it takes this."""
    if len(games) > 1 and form == "efg":
        raise UsageError("a tree is of one scope: give one `--scope` with `--format efg`")
    if work.checkpoint is not None and (len(games) > 1 or work.cluster is not None):
        raise UsageError("a checkpoint keeps one exploration of this machine: `--checkpoint` goes "
                         "with one `--scope`, and without `--cluster`")


def written(counted: Sequence[ScopeCount], paper: Paper, form: str, *, single: bool) -> str:
    """Write what was counted: of a single scope its object or lines, else a list, or blocks."""
    if form == "json":
        found = [_object(each) for each in counted]
        return json.dumps(found[0] if single else found)
    return "\n\n".join("\n".join(_lines(each, paper)) for each in counted)


def _object(counted: ScopeCount) -> dict[str, Any]:
    told = {} if counted.outcomes is None else {"results": [
        {"winners": list(names), "final_states": many}
        for names, many in counted.outcomes.items()]}
    return {**to_builtins(counted.explored), **told}


def _tick(tick: Tick, at: Progress) -> None:
    words = f"{at.states:,} states, {at.frontier:,} ahead, depth {at.depth}, {at.rate:,.0f}/s"
    tick(at.states - at.frontier, at.states, words)


def _lines(counted: ScopeCount, paper: Paper) -> list[str]:
    found = counted.explored
    rows = [
        ("scope", found.scope),
        ("distinct states", f"{found.states:,}"),
        ("transitions", f"{found.transitions:,}"),
        ("depth", f"{found.depth:,}"),
        ("final states", f"{found.final:,}"),
        ("complete", "yes" if found.complete else f"no, stopped by {found.stop}"),
        *(("bounded by", bound) for bound in found.bounds),
    ]
    if counted.outcomes is None:
        rows.append(("results", f"not counted beyond {MOST_COUNTED:,} states"))
    else:
        for names, many in counted.outcomes.items():
            share = f"{number_of(many, 'final state')} ({many / found.final:.0%})"
            rows.append(("won by", f"{' and '.join(names) or 'nobody'}: {share}"))
    return [paper.clean(f"{name:<16} {value}") for name, value in rows]
