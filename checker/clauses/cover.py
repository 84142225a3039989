"""Which other clauses do what one does: they rule out the same, or see to what it requires."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from ...model.game import syntax as sx
from ...model.game.game import Clause
from ...model.game.unparse import unparse
from ...model.game.uses import changes, names_in, trees_of
from ...model.run.interp import UNPLAYABLE
from ..audit.audit import Audit
from ..search.explore import Exploration
from .exercise import ran as has_run

LARGEST = 4
"""Clauses in a set that covers another one, of which all sets are tried."""
BARS = 1_500
"""States of a scope in which it is looked up what a clause rules out."""


def is_allowed(audit: Audit, ban: Clause) -> bool:
    """Return whether something was done that a ban is about, where it does not hold."""
    window, _, option = ban.on.partition(".")
    return ban.kind == "forbid" and any(
        each.on == window and each.option and option in (each.option, "") and each.id in audit.ran()
        for each in audit.printed.game.clauses)


def denies(clause: Clause, other: Clause) -> bool:
    """Return whether the condition of one of two clauses is that the other's does not hold."""
    if clause.when is None or other.when is None:
        return False
    mine, theirs = clause.when, other.when
    return any(unparse(sx.Prefix("not", one, one.at)) == unparse(two)
               for one, two in ((mine, theirs), (theirs, mine)))


def makers(audit: Audit, clause: Clause) -> tuple[str, ...]:
    """Name the clauses of the step without which what must hold at its end would not hold.

    They change what it speaks of, and set nothing by which the encoding measures it: without that
    it would not hold either, and the sentence says nothing of it.
    """
    game = audit.printed.game
    told = set() if clause.ensure is None else names_in((clause.ensure,))
    own = {name for name in told if name in game.variables and game.variables[name].internal}
    step = [other for other in game.clauses
            if other.on == clause.on and other.do is not None and other.in_force
            and other.id != clause.id and (some := changes(game, trees_of(other)) & told)
            and not some & own]
    return tuple(other.id for other in step if makes(audit, other, clause))


def makes(audit: Audit, maker: Clause, clause: Clause) -> bool:
    """Return whether without one clause what another one requires is ever not so."""
    for scope in audit.comparable():
        if not has_run(scope, maker.id):
            continue
        try:
            changed = audit.bench.instance(scope.name, changes=({"drop": [maker.id]},))
            program = changed.member or changed.program
            result = Exploration(program).run(max_states=BARS)
        except UNPLAYABLE:
            continue
        if any(duty.clause == clause.id and duty.id in result.notes
               for duty in program.machine.obligations):
            return True
    return False


def ever_bars(audit: Audit, clause: Clause) -> bool:
    """Return whether the clause ever rules a move out, or judges a step."""
    if clause.ensure is not None:
        return clause.id in audit.ran()
    return any(True for _ in bars(audit, clause))


def bars_as_much(audit: Audit, name: str, clause: Clause) -> bool:
    """Return whether a clause is among what rules out each move that another one rules out.

    Of what rules out nothing that is so.
    """
    return all(name in names for names in bars(audit, clause))


def covers(audit: Audit, clause: Clause) -> tuple[str, ...]:
    """Name a smallest set of clauses that rule out whatever this one rules out; else none."""
    barred = {names - {clause.id, ""} for names in bars(audit, clause)}
    if frozenset() in barred:
        return ()
    known = sorted({name for names in barred for name in names})
    for size in range(1, min(len(known), LARGEST) + 1):
        for chosen in combinations(known, size):
            if all(names & set(chosen) for names in barred):
                return chosen
    return tuple(known)


def bars(audit: Audit, clause: Clause) -> Iterator[frozenset[str]]:
    """Give, for the moves that the clause rules out, the clauses that do.

    A limit that an offered move would break is one of them, though others rule the move out too.
    """
    for scope in audit.comparable():
        judge, program = scope.instance.interpreter, scope.instance.program
        nodes = {node.id for node in scope.instance.compiled.machine.nodes
                 if (clause.always is not None and node.kind == "decide")
                 or any(c.clause == clause.id for e in node.edges for c in e.conditions)}
        here = [p for p in scope.exploration.order
                if program.layout.rests[program.rank(p)] in nodes]
        for state in map(program.unpack, here[:BARS]):
            for verdict in judge.candidates(state):
                names = frozenset(c.clause for c in verdict.failing)
                if clause.always is None and clause.id not in names:
                    continue
                broken = {limit.clause for limit in verdict.broken}
                if names and all(c.role in ("forbid", "require") for c in verdict.failing):
                    broken = {judge.machine.limits[number].clause
                              for number in judge.breaks(state, verdict.move)}
                if clause.id in names | broken:
                    yield names | broken
