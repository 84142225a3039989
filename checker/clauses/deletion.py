"""Clauses that do nothing: never in force, without effect, or covered by others.

A clause is tested by taking it out: if the game without it cannot be told from the game with it, in
any reachable situation of any scope, it does nothing there.  A scope may lack what the clause is
about, so random plays at the printed size must not tell the two apart either, and the report says
so; where Z3 proves the two the same in every state, it says that.  Three cases: it was never in
force (`dead`), it was but changed nothing (`inert`), or it ruled something out that others rule out
too (`redundant`; then one of these suffices, and nothing says which to drop).
"""

from __future__ import annotations

from itertools import combinations, product
from typing import TYPE_CHECKING

from ...model.run.interp import EndlessRules
from ...model.source.errors import SpecErrors, UsageError
from ..judge.audit import names_of
from ..judge.evidence import sources_of
from ..judge.parallel import ask_all
from ..judge.results import TEXT, Evidence, Finding, NotChecked
from ..search.equivalence import runs_in_play, same_everywhere
from ..search.explore import Exploration
from ..search.labels import same_arrays
from .exercise import noticing
from .printed import at_printed_size

if TYPE_CHECKING:
    from collections.abc import Iterator

    from ...model.game.game import Clause
    from ..judge.audit import Audit
    from ..judge.results import Class, Method

LARGEST = 4
"""Clauses in a set that covers another one, of which all sets are tried."""
BARS = 1_500
"""States of a scope in which it is looked up what a clause rules out."""


def run(audit: Audit) -> None:
    """Take out every clause that acts, one at a time."""
    game = audit.printed.game
    audit.passed_over("clauses that do nothing")
    questions = [clause.id for clause in game.clauses if clause.in_force and acts(clause)]
    ask_all(audit, without, questions, lambda clause: f"without {clause}")
    idle = [c for c in game.clauses if any(f.clauses[:1] == (c.id,) and f.cls in IDLE
                                           for f in audit.findings)]
    pairs = [(a.id, b.id) for i, a in enumerate(idle) for b in idle[i + 1:] if alike(a, b)]
    ask_all(audit, without_both, pairs, lambda pair: f"without {pair[0]} and {pair[1]}")
    paired = {c for f in audit.findings for c in f.clauses if "+" in f.id}
    audit.findings = [f for f in audit.findings if not (
        f.cls in IDLE and "+" not in f.id and f.clauses and f.clauses[0] in paired)]


IDLE: tuple[Class, ...] = ("dead-clause", "inert-clause", "redundant-clause")


def alike(first: Clause, second: Clause) -> bool:
    """Return whether two clauses act at the same point, so that one may stand in for the other."""
    if first.whenever is not None or second.whenever is not None:
        return first.whenever is not None and second.whenever is not None
    return first.on.split(".")[0] == second.on.split(".")[0]


def without_both(audit: Audit, pair: tuple[str, str]) -> None:
    """Take out two clauses of which neither is missed alone."""
    for scope in audit.comparable():
        try:
            other = audit.bench.instance(scope.name, changes=({"drop": list(pair)},))
            same = same_everywhere(scope.instance.program, other.program)
        except (SpecErrors, UsageError, EndlessRules):
            return
        # Without a clause that names a card of which there is none, the card has no place.
        alike_in_shape = same_arrays(scope.instance.compiled.machine, other.compiled.machine)
        if same is not False or not alike_in_shape:
            continue
        game = audit.printed.game
        says = [next(c.says for c in game.clauses if c.id == name) for name in pair]
        scopes = audit.comparable()
        audit.add(Finding(
            f"{game.id}/redundant-clause/{pair[0]}+{pair[1]}", "redundant-clause",
            f"one of these suffices: {says[0]}; or: {says[1]}", pair,
            sources_of(game, pair),
            Evidence("coverage", audit.reach(), names_of(scopes), replayed=False, core=pair), TEXT,
            explanation="without either of them the game is the same, without both it is not"))
        return


def acts(clause: Clause) -> bool:
    """Return whether a clause has an effect of its own that could be missed."""
    if clause.define or clause.claim is not None or clause.example is not None:
        return False
    return (clause.do is not None or clause.always is not None or clause.ensure is not None
            or bool(clause.must) or (clause.kind == "forbid" and bool(clause.on)))


def _exercised(audit: Audit) -> set[str]:
    """Name the clauses whose bodies ran in some scope."""
    found: set[str] = set()
    for scope in audit.scopes:
        cover = scope.exploration.result().coverage
        if cover is not None:
            found |= cover.clauses
    return found


def without(audit: Audit, name: str) -> None:
    """Take out one clause."""
    clause = next(c for c in audit.printed.game.clauses if c.id == name)
    whole = True
    change = {"drop": [clause.id]}
    for scope in noticing(audit, clause):
        try:
            other = audit.bench.instance(scope.name, changes=(change,))
            same = same_everywhere(scope.instance.program, other.program)
        except (SpecErrors, UsageError):
            audit.not_checked.append(NotChecked(
                f"whether {clause.id} does anything", "other entries of the spec need it"))
            return
        except EndlessRules:
            return
        if same is False:
            return
        whole = whole and same is True
    if not whole:
        audit.not_checked.append(NotChecked(
            f"whether {clause.id} does anything", "not everything was explored"))
        return
    if clause.ensure is not None and _ever_fails(audit, clause):
        return
    if _missed_otherwise(audit, clause):
        return
    _at_printed_size(audit, clause)


def _missed_otherwise(audit: Audit, clause: Clause) -> bool:
    """Return whether taking out a clause changes something under another reading of an open point.

    Looked at are the points about this clause that are findings: then not the clause is idle, but
    what the spec adopts makes it so, and the finding says that.
    """
    points = {(finding.open_point, reading.id)
              for finding in (*audit.known, *audit.findings) if clause.id in finding.clauses
              for reading in finding.readings if finding.open_point}
    for (point, reading), scope in product(sorted(points), audit.comparable()):
        try:
            with_it, without_it = (
                audit.bench.instance(scope.name, rulings={point: reading}, changes=changes)
                for changes in ((), ({"drop": [clause.id]},)))
            if same_everywhere(with_it.program, without_it.program) is False:
                return True
        except (SpecErrors, UsageError, EndlessRules):
            continue
    return False


def _at_printed_size(audit: Audit, clause: Clause) -> None:
    """Look at the printed game, unless that is what was explored, and report."""
    ran = clause.id in _exercised(audit)
    shown = at_printed_size(audit, audit.bench.instance(
        "printed", changes=({"drop": [clause.id]},)))
    if shown.play is not None:
        audit.not_checked.append(NotChecked(
            f"whether {clause.id} does all it should", "it does nothing in the scopes "
            f"{names_of(audit.comparable())}, and something at the printed size"))
        return
    ran = ran or runs_in_play(audit.printed.program.whole, clause.id, seed=audit.seed)
    _report(audit, clause, shown.how, ran=ran, proved=shown.proved)


def _ever_fails(audit: Audit, clause: Clause) -> bool:
    """Return whether what the clause requires was ever found not to be so."""
    return any(
        duty.clause == clause.id and duty.id in scope.exploration.result().notes
        for scope in audit.scopes for duty in scope.instance.compiled.machine.obligations)


def _report(audit: Audit, clause: Clause, how: str, *, ran: bool, proved: bool) -> None:
    game = audit.printed.game
    cls: Class
    if clause.do is None or clause.ensure is not None or clause.always is not None:
        cls = "redundant-clause"
        title = f"other sentences rule out all that this one does: {clause.says}"
        if not _ever_bars(audit, clause):
            cls, title = "dead-clause", f"what it rules out never comes up: {clause.says}"
    elif ran:
        cls, title = "inert-clause", f"the game is the same without it: {clause.says}"
    else:
        cls, title = "dead-clause", f"it never applies: {clause.says}"
    proved = proved and cls != "dead-clause"  # that it never applies was seen, not proved
    names = "printed" if proved else names_of(audit.comparable())
    method: Method = "proof" if proved else audit.reach()
    others: tuple[str, ...] = ()
    explanation = f"taking the clause out changes nothing, {how}"
    if cls == "redundant-clause" and clause.ensure is not None:
        others = _makers(audit, clause)
        if others:
            explanation = (f"it is always true when it is checked, by {', '.join(others)}; "
                           f"taking the clause out changes nothing, {how}")
    elif cls == "redundant-clause":
        others = _covers(audit, clause)
        if others:
            explanation = (f"the fewest clauses that rule out the same are {', '.join(others)}; "
                           f"this one or these can go, not both ({how})")
    clauses = (clause.id, *others)
    audit.add(Finding(
        f"{game.id}/{cls}/{clause.id}", cls, title, clauses, sources_of(game, clauses),
        Evidence("coverage", method, names, replayed=False, core=clauses), TEXT,
        explanation=explanation))


def _makers(audit: Audit, clause: Clause) -> tuple[str, ...]:
    """Name the clauses of the step without which what must hold at its end would not hold."""
    scope = audit.comparable()[0]
    found: list[str] = []
    for other in scope.instance.game.clauses:
        if other.on != clause.on or other.do is None or other.id == clause.id:
            continue
        try:
            changed = audit.bench.instance(scope.name, changes=({"drop": [other.id]},))
            result = Exploration(changed.program).run(max_states=BARS)
        except (SpecErrors, UsageError, EndlessRules):
            continue
        if any(duty.clause == clause.id and duty.id in result.notes
               for duty in changed.compiled.machine.obligations):
            found.append(other.id)
    return tuple(found)


def _ever_bars(audit: Audit, clause: Clause) -> bool:
    """Return whether the clause ever rules a move out, or judges a step."""
    if clause.ensure is not None:
        return clause.id in _exercised(audit)
    return any(clause.id in names for names in _bars(audit, clause))


def _covers(audit: Audit, clause: Clause) -> tuple[str, ...]:
    """Name a smallest set of clauses that rule out whatever this one rules out."""
    barred = {frozenset(n for n in names if n and n != clause.id)
              for names in _bars(audit, clause) if clause.id in names} - {frozenset()}
    known = sorted({name for names in barred for name in names})
    for size in range(1, min(len(known), LARGEST) + 1):
        for chosen in combinations(known, size):
            if all(names & set(chosen) for names in barred):
                return chosen
    return tuple(known)


def _bars(audit: Audit, clause: Clause) -> Iterator[list[str]]:
    """Give, for the moves that the clause could rule out, the clauses that do."""
    for scope in audit.comparable():
        judge, program = scope.instance.interpreter, scope.instance.program
        nodes = {node.id for node in scope.instance.compiled.machine.nodes
                 if (clause.always is not None and node.kind == "decide")
                 or any(c.clause == clause.id for e in node.edges for c in e.conditions)}
        here = [p for p in scope.exploration.order
                if program.layout.rests[program.rank(p)] in nodes]
        for packed in here[:BARS]:
            for verdict in judge.candidates(program.unpack(packed)):
                yield [c.clause for c in verdict.failing] + [b.clause for b in verdict.broken]
