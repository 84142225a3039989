"""Laws about single clauses: what is said of those that do nothing, and of those that do."""

from __future__ import annotations

import json
from itertools import product
from typing import TYPE_CHECKING

from ruleproof.checker.clauses.deletion import AGAIN
from ruleproof.checker.clauses.exercise import KEPT_OUT
from ruleproof.checker.comparison.equivalence import same_everywhere, same_in_play
from ruleproof.checker.engine.program import Program
from ruleproof.checker.search.playouts import Plays
from ruleproof.model.source.errors import SpecErrors, UsageError
from ruleproof.tests.campaign.brute import SHAPE, TooLarge, difference

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ruleproof.tests.campaign.trial import Trial

SURE = ("exhaustive", "proof")
FEW = 4


def idle(trial: Trial) -> Iterator[str]:
    """Clauses that are said to do nothing do nothing."""
    for finding in trial.report.everything:
        if finding.cls not in ("dead-clause", "inert-clause", "redundant-clause"):
            continue
        if finding.identity is None or finding.evidence.method not in SURE or (
                finding.identity.kind == "phrase"):
            continue
        name = finding.identity.clause
        for scope in finding.evidence.scope.split(", "):
            base = trial.brute(scope)
            for dropped in name.split("+"):
                other = trial.brute(scope, changes=({"drop": [dropped]},))
                if base is None or other is None:
                    continue
                if (apart := difference(base, other)) not in ("", SHAPE):
                    yield f"{finding.id} ({finding.evidence.method}), but for {dropped}: {apart}"
            if finding.cls == "dead-clause" and base is not None and _has_body(trial, name) and any(
                    name in step.cites for step in base.steps):
                yield f"{finding.id}, but it applies in {scope}"


def _has_body(trial: Trial, name: str) -> bool:
    clause = next(c for c in trial.game("printed").clauses if c.id == name)
    return clause.do is not None


def missed(trial: Trial) -> Iterator[str]:
    """Clauses that change no scope, nor the printed game, are found or not checked.

    Those that matter under another reading are told of with the question.
    """
    report = trial.report
    told = " ".join((*(f.id for f in report.everything), *(n.what for n in report.not_checked),
                     *(name for f in report.everything if f.open_point for name in f.clauses),
                     *(one.clause for one in report.holds if one.what in (*AGAIN, KEPT_OUT))))
    for clause in trial.game("printed").clauses:
        acts = clause.do is not None and not clause.whenever and not clause.overrides
        if not clause.in_force or not (acts or clause.kind == "forbid") or clause.id in told:
            continue
        if clause.ensure is not None or "*" in clause.internal or _shuffles(trial, clause.id):
            continue
        games: list[tuple[str, tuple[str, ...] | None]] = [
            *((scope, None) for scope in sorted({*trial.scopes, "printed"})),
            *(("printed", (mode,)) for mode in trial.game("printed").variants)]
        if all(_same_without(trial, clause.id, scope, modes) for scope, modes in games):
            yield f"without {clause.id} the game is the same, and nothing says so"


def _shuffles(trial: Trial, name: str) -> bool:
    """Return whether a sentence has cards shuffled that are so anyway, and does no more."""
    root = json.loads((trial.folder / "game.yaml").read_text("utf-8"))
    return any(clause["id"] == name and "option" not in clause and all(
        line.startswith("shuffle(") for line in clause.get("do", "").split("\n"))
        for clause in root["clauses"])


def _same_without(
    trial: Trial, name: str, scope: str, modes: tuple[str, ...] | None
) -> bool:
    """Return whether it is known that a game is the same without a clause."""
    try:
        one, two = (trial.brute(scope, changes=changes, variants=modes)
                    for changes in ((), ({"drop": [name]},)))
    except (SpecErrors, UsageError, TooLarge):
        return False
    return one is not None and two is not None and not difference(one, two, duties=True)


def compared(trial: Trial) -> Iterator[str]:
    """Compiled code tells a game from that without a clause if they differ, plays only if so."""
    clauses = [c.id for c in trial.game("printed").clauses if c.in_force and c.do is not None]
    for scope, clause in product(trial.scopes, clauses[:FEW]):
        change = {"drop": [clause]}
        one = trial.brute(scope)
        try:
            two = trial.brute(scope, changes=(change,))
        except (SpecErrors, UsageError):
            continue
        if one is None or two is None:
            continue
        apart = difference(one, two)
        first, second = Program(one.machine), Program(two.machine)
        told = same_everywhere(first, second, limit=1 << 20)
        if told != (not apart) and (told is not None or not (one.capped or two.capped)):
            yield f"{scope} without {clause}: compiled code does not say: {apart or 'the same'}"
        if not apart and not same_in_play(first, second, seed=1, plays=Plays(20)):
            yield f"{scope} without {clause}: the same, but not in a random play"
