"""On which answers to other questions it rests what is shown of one (`points.resting`).

It is asked when all is observed, as it depends on the answers to all questions: when one of them is
changed, it is looked up again, and what was observed stands.
"""

from __future__ import annotations

from ...model.plays.documents import header
from ...model.plays.plays import replay
from ...model.run.interp import UNPLAYABLE
from ..audit.audit import Audit
from ..audit.parallel import answers
from ..bench.meaning import changes_of
from ..findings.observations import Observation
from ..findings.rows import Rest
from ..points.resting import resting


def run(audit: Audit) -> None:
    """Look up what is shown of each question."""
    some = [one for one in audit.asked() if len(one.said.get("scene", ())) > 1]
    depends = [changes_of(audit.bench, point.id, [each.id for each in point.readings])
               for point in audit.printed.game.open_points]
    found = answers(
        audit, _resting, some, lambda one: f"what {one.identity.place} rests on", tuple[Rest, ...],
        about=lambda one: (one.said["scene"], depends, [
            [shown.play["settings"], shown.play["steps"]] for shown in one.evidence.plays[:2]]))
    for one, each in zip(some, found, strict=True):
        if each.value is not None:
            audit.rests[one.identity] = each.value
        else:
            audit.unchecked(
                f"on which other answers it rests what is shown of {one.identity.place}", each.why,
                cause=each.cause)


def _resting(audit: Audit, one: Observation) -> tuple[Rest, ...]:
    """Make the two games of an observation again, and compare them under other answers."""
    assert one.question is not None
    ways, since = [], []
    for shown, (begun, end) in zip(one.evidence.plays[:2], one.said["scene"], strict=True):
        _, chosen = header(shown.play)
        try:
            game = audit.bench.instance(
                chosen.scope, rulings=dict(chosen.rulings), variants=chosen.variants,
                players=chosen.players, alone=True)
        except UNPLAYABLE:
            return ()
        moves = tuple(taken.move for taken in replay(shown.play, game.compiled).taken)
        ways.append((game, moves[:end]))
        since.append(begun)
    readings = [shown.reading for shown in one.evidence.plays[:2]]
    return resting(audit, one.question.point, readings, ways, since)
