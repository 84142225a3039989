"""Whether a clause is missed that is taken out: in a scope, under other readings, in modes.

A limit is missed where a forced step breaks it, though nobody has another move without it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import product

from ...model.game.game import PRINTED, Clause
from ...model.run.interp import EndlessRules
from ...model.source.errors import SpecErrors, UsageError
from ..audit.audit import Audit
from ..audit.scoped import Scoped
from ..bench.workbench import Instance, side_by_side
from ..comparison.equivalence import runs_in_play, same_everywhere
from ..engine.program import Program
from ..findings.evidence import identities, limit_broken
from ..packed.flags import FILTERED, FLAGS
from ..search.playouts import sample
from .exercise import differ_elsewhere, does_something_elsewhere, may_differ
from .printed import play_both


def missed(audit: Audit, scope: Scoped, clause: Clause, *, gone: Sequence[str] = (),
           rulings: Mapping[str, str] | None = None) -> bool:
    """Return whether a scope without some clauses is another one if this clause is gone, too.

    It is missed where the rules go round for ever.
    """
    try:
        with_it, without_it = (
            audit.bench.instance(scope.name, rulings=rulings,
                                 changes=({"drop": [*names]},) if names else ())
            for names in (gone, (*gone, clause.id)))
        return same_everywhere(*side_by_side(with_it, without_it)) is False
    except EndlessRules:
        return True
    except (SpecErrors, UsageError):
        return False


def missed_otherwise(audit: Audit, clause: Clause) -> bool:
    """Return whether taking out a clause changes something under another reading of an open point.

    Looked at are the points about this clause that are findings, and orders of it and others: then
    not the clause is idle, but what the spec adopts makes it so, and the finding says that.
    """
    about = [one for one in (*audit.known, *audit.observed) if clause.id in one.clauses]
    if any(missed(audit, scope, clause, rulings=order) for one in about
           for order in one.said.get("orders", ()) for scope in audit.comparable()):
        return True
    points = {(one.question.point, reading) for one in about if one.question is not None
              for reading in one.compared}
    changes = {each: audit.bench.changes(*each) for each in points}
    acting = {each.id: each for each in audit.printed.game.clauses}
    return any(_missed_in_play(audit, clause, {point: reading})
               for point, reading in sorted(points)) or any(
        missed(audit, scope, clause, rulings={point: reading})
        for (point, reading), scope in product(sorted(points), audit.comparable())
        if not (change := changes[point, reading]) or may_differ(scope, change, acting))


def _missed_in_play(audit: Audit, clause: Clause, rulings: Mapping[str, str]) -> bool:
    """Return whether random plays of the printed game under some readings miss a clause."""
    try:
        with_it, without_it = (audit.bench.instance(PRINTED, rulings=rulings, changes=changes)
                               for changes in ((), ({"drop": [clause.id]},)))
        return audit.of_printed and play_both(audit, without_it, with_it).play is not None
    except EndlessRules:
        return True
    except (SpecErrors, UsageError):
        return False


def missed_at_all(audit: Audit, clause: Clause) -> bool:
    """Return whether a clause is missed in plays of the printed game, as it is or in some mode."""
    return _missed_in_play(audit, clause, {}) or does_something_elsewhere(
        audit, clause, partial(missed_in, audit, clause))


def missed_in(audit: Audit, clause: Clause, instance: Instance) -> bool:
    """Return whether a clause is missed in plays of the printed game in some mode."""
    game = instance.game
    other = audit.bench.instance(PRINTED, variants=game.settings.variants, players=game.players,
                                 changes=({"drop": [clause.id]},))
    one, two = side_by_side(instance, other)
    return differ_elsewhere(audit, one, two)


def runs_in(audit: Audit, clause: Clause, instance: Instance) -> bool:
    """Return whether a clause runs in plays of the printed game in some mode."""
    return clause.do is not None and runs_in_play(
        instance.program, clause.id, seed=audit.seed, plays=audit.plays)


def end_apart(audit: Audit, pair: Callable[[Scoped], tuple[Program, Program]]) -> bool:
    """Return whether in some scope games that are over differ in what decides nothing.

    `pair` gives what is the same but for that.
    """
    return any(same_everywhere(*pair(scope), ends=True) is False for scope in audit.comparable())


def breaks(audit: Audit, limit: Clause) -> bool:
    """Return whether a limit was ever found to be broken: in a scope, or in the printed game."""
    if any(scope.instance.compiled.machine.limits[number].clause == limit.id
           for scope in audit.scopes for number in scope.exploration.result().broken):
        return True
    limits = audit.printed.compiled.machine.limits
    return any(limits[number].clause == limit.id for number in audit.beside().broken)


def breaks_beside(audit: Audit, limit: Clause, others: Sequence[str]) -> bool:
    """Return whether a move in a scope breaks a limit and none of some others."""
    for scope in audit.comparable():
        program, result = scope.exploration.program, scope.exploration.result()
        mine, theirs = (sum(
            1 << FLAGS + number for number, each in enumerate(program.machine.limits)
            if each.clause in names) for names in ((limit.id,), others))
        if any(mine >> FLAGS + number & 1 for number in result.broken) and any(
                flags & mine and not flags & theirs
                for packed in scope.exploration.order if program.kind(packed) != "final"
                for _, _, _, flags in program.succ(packed) if not flags & FILTERED):
            return True
    return False


def breaks_in(audit: Audit, limit: Clause, instance: Instance) -> bool:
    """Return whether a limit breaks in random plays of the printed game in some mode."""
    program = instance.program.whole
    drawn = sample(program, plays=audit.plays, seed=audit.seed)
    return any(bit in drawn.first for bit, each in identities(program.machine)
               if each == limit_broken(limit.id))
