"""`ruleproof positions GAME -o DIR`: edge-case test positions as files."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Annotated

from ...checker.bench.cluster import cluster_at
from ...checker.positions.positions import positions as choose
from ...checker.positions.search import Suite
from ...model.game.game import PRINTED
from ...model.loading.load import load_game
from ...model.stop import held
from ...reports.formats.document import load
from .. import exit as status
from .. import options as opt
from ..files.folders import insist_on, rewrite
from ..groups import Chosen, Work, grouped
from ..output import progress, say, say_unanswered, write_result

FOLDER = opt.option(
    "--output", "-o", metavar="DIR",
    help="The folder for the files; with `--format lines` a .txt file (`-`: standard output).")
MOST = opt.option(
    "--max", metavar="N", min=1, help="How many at most; those that show most come first.")
FINDINGS = opt.option(
    "--findings", metavar="FILE",
    help="A findings file of the game: its findings are to be shown too.")


@grouped
def positions(
    *,
    game: opt.GameName,
    output: Annotated[Path, FOLDER],
    most: Annotated[int | None, MOST] = None,
    findings: Annotated[Path | None, FINDINGS] = None,
    chosen: Chosen,
    max_states: opt.MaxStates = None,
    seed: opt.Seed = None,
    work: Work,
    form: Annotated[str, opt.format_option("json", "lines")] = "json",
    quiet: opt.Quiet = False,
    no_color: opt.NoColor = False,
) -> int:
    """Write edge-case positions as test files.

    Few states that show all that the rules do at their edges; `replay` runs them.  Of each scope
    20,000 states are looked at, or as many as `--max-states` says.
    """
    settings = replace(chosen, scope=None).settings(game)
    report = load(findings) if findings is not None else None
    if form == "json":
        insist_on(output, load_game(game, settings).id)
    with cluster_at(work.cluster) as workers, progress(
            f"positions of {game}", quiet=quiet, no_color=no_color) as tick:
        suite = choose(
            game,
            settings,
            scopes=(chosen.scope,) if chosen.scope else (),
            most=most,
            max_states=max_states,
            seed=seed or 0,
            report=report,
            checkpoint=work.checkpoint,
            cluster=workers,
            progress=lambda words: tick(0, None, words),
        )
    say_unanswered(workers, quiet=quiet)
    interrupted = any(each.cause == "interrupted" for each in suite.not_done)
    with held():
        if form == "lines":
            write_result("\n".join(lines(suite)), output)
        else:
            rewrite(output, suite, whole=not interrupted)
        _summary(suite, quiet=quiet)
    if interrupted:
        raise status.Interrupted(work.resume)
    if any(each.failed for each in suite.not_done):
        return status.LIMIT
    if work.checkpoint is not None:
        work.checkpoint.unlink(missing_ok=True)
    explored = [whole for name, states, whole in suite.searched if states and name != PRINTED]
    return status.OK if all(explored) else status.LIMIT


def lines(suite: Suite) -> list[str]:
    """Write each position as one line: its state, how many plays go on from it, what it is."""
    return [
        f"{doc['line']} ; perft {' '.join(map(str, doc['perft']))} ; {doc['title']} ; {doc['id']}"
        for doc in suite.documents
    ]


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
        say(f"  not done: {each.what}: {each.why}", quiet=quiet)
