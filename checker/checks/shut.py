"""What one sentence allows and another one forbids in any case.

A ban that always holds is one whose condition is left out, or true as it is written, and that is in
force in each mode; or, of a game without other modes and numbers of players that was explored
whole, one without which the option would be there and with which it never is.  No player can then
do what the first sentence says that one may.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from ...model.game import syntax as sx
from ...model.game.game import PRINTED, Clause, Game
from ...model.machine.machine import Machine
from ...model.run.interp import UNPLAYABLE
from ...model.source.errors import SpecErrors, UsageError
from ..audit.audit import Audit
from ..audit.scoped import Scoped, names_of
from ..bench.modes import Setting, played_as
from ..findings.observations import Observation
from ..findings.results import LEGAL, Evidence, Identity
from ..search.explore import Exploration

MOST = 60_000
"""States of a scope in which it is looked whether an option is there without a ban."""


def observe_shut(audit: Audit) -> None:
    """Observe the options that are allowed and never there, for a ban alone."""
    game = audit.printed.game
    ways = played_as(audit.bench, every=True)
    printed = audit.explored_printed
    whole = not ways and printed is not None and printed.whole
    everywhere = set.intersection(*({clause.id for clause in each.clauses if clause.in_force}
                                    for each in (game, *_others(audit, ways))))
    for clause in game.clauses:
        if clause.kind != "permit" or not clause.in_force:
            continue
        bans = [ban for ban in game.clauses if ban.kind == "forbid" and ban.in_force
                and ban.on in (clause.on, f"{clause.on}.{clause.option}")
                and (whole or (ban.id in everywhere and (ban.when is None or (
                    isinstance(ban.when, sx.Truth) and ban.when.value))))]
        taken = any(_has_option(scope.instance.compiled.machine, scope.covered.edges, clause)
                    for scope in audit.scopes)
        shut = () if taken or not bans else _without(audit, clause, bans)
        if shut:
            audit.observe(Observation(
                Identity("contradiction", clause.id, "shut"), (clause.id, *shut),
                Evidence("coverage", audit.reach(), names_of(audit.scopes), replayed=False,
                         core=(clause.id, *shut)), LEGAL, said={"bans": list(shut)}))


def _others(audit: Audit, ways: Iterable[Setting]) -> Iterator[Game]:
    """Yield the printed game in each other mode, and with other numbers of players."""
    for modes, players in ways:
        with suppress(SpecErrors, UsageError):
            yield audit.bench.game(PRINTED, variants=modes, players=players)


def _without(audit: Audit, clause: Clause, bans: Sequence[Clause]) -> tuple[str, ...]:
    """Name the first bans without which an option is there: one, or else all; none if it is not."""
    for some in (*((ban.id,) for ban in bans), tuple(ban.id for ban in bans)):
        if any(_there(audit, scope, clause, some) for scope in audit.scopes):
            return some
    return ()


def _there(audit: Audit, scope: Scoped, clause: Clause, gone: Sequence[str]) -> bool:
    try:
        changed = audit.bench.instance(scope.name, changes=({"drop": list(gone)},))
        run = Exploration(changed.program, cover=True)
        found = run.run(max_states=MOST).coverage
    except UNPLAYABLE:
        return False
    return found is not None and _has_option(changed.compiled.machine, found.edges, clause)


def _has_option(machine: Machine, edges: frozenset[int], clause: Clause) -> bool:
    """Return whether an option was there by a clause, which opens a window it may be, too."""
    return any(edge.id in edges and edge.label == clause.option and clause.id in edge.clauses
               for node in machine.nodes for edge in node.edges)
