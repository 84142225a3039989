"""What the explored states show: obligations that fail, limits that break, players who are stuck.

Everything that an exploration meets for the first time it meets on a shortest play, so the play to
it is the witness.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ...model.game.game import PRINTED
from ...model.machine.machine import Obligation
from ...model.machine.state import Move
from ...model.run.interp import EndlessRules
from ...model.silences import too_few
from ...model.silences.questions import questions_of
from ..audit.audit import Audit
from ..audit.parallel import attempt
from ..audit.scoped import Scoped, method_of
from ..bench.stuck import MOST_STUCK, Reason, why_broken, why_stuck
from ..findings.evidence import (
    Shows,
    identity_of,
    limit_broken,
    state_after,
    stuck_at,
    witnessed,
)
from ..findings.observations import AS_POSSIBLE, OTHERWISE, Observation
from ..findings.results import (
    LEGAL,
    PUBLIC,
    TEXT,
    WINNER,
    Class,
    Holds,
    Identity,
)
from . import states
from .refutable import tried
from .shut import observe_shut

CLASSES: tuple[Class, ...] = (
    "undefined-operation", "unresolved-tie", "gap", "contradiction", "limit-broken", "deadlock")
"""What a state, or a move in it, shows by itself."""


def run(audit: Audit) -> None:
    """Report what the explorations met."""
    attempt(audit, "obligations that fail", partial(_obligations, audit))
    attempt(audit, "limits that break", partial(_limits, audit))
    attempt(audit, "situations without a move", partial(_stuck, audit))
    attempt(audit, "what is allowed and always forbidden", partial(observe_shut, audit))
    states.run(audit)


def preview(audit: Audit, scope: Scoped) -> None:
    """Tell an eager listener what one exploration shows; it is observed when all are made."""
    if audit.listener.eager:
        own = replace(audit, scopes=[scope], observed=[], harmless=[], holds=[], not_checked=[])
        for part in (_obligations, _limits, _stuck):
            attempt(own, "", partial(part, own))


# ---------------------------------------------------------------------- obligations


def _obligations(audit: Audit) -> None:
    seen: dict[Identity, tuple[Obligation, Shows]] = {}
    for scope in audit.scopes:
        machine = scope.instance.compiled.machine
        by_id = machine.duties
        for number, witness in scope.exploration.result().notes.items():
            duty = by_id[number]
            moves = scope.exploration.play(witness)
            key = identity_of(duty)
            if key not in seen or _plainer(moves, seen[key][1]):
                seen[key] = (duty, scope.shows(moves))
    duties = audit.printed.compiled.machine.duties
    for number, moves in audit.beside().notes.items():
        duty = duties[number]
        seen.setdefault(identity_of(duty), (duty, audit.shows(moves)))
    for duty, shows in sorted(seen.values(), key=lambda each: (each[0].clause, each[0].id)):
        clause = duty.clause
        if duty.is_bound:
            audit.unchecked(f"what happens beyond this in {clause}: {duty.prompt}",
                            f"the model holds no more (scope {shows.scope})")
            continue
        if duty.kind != "too-few" or not _as_many(audit, clause):
            attempt(audit, f"{clause}: {duty.prompt}", partial(failed, audit, duty, shows))


def _plainer(moves: Sequence[Move], known: Shows) -> bool:
    """Return whether a play of a scope is shown rather than a known one: it is shorter.

    One of the printed game stays.
    """
    return known.scope != PRINTED and len(moves) < len(known.moves)


def _as_many(audit: Audit, clause: str) -> bool:
    """Return whether a sentence asks for so many cards and is played with as many as there are.

    Then it fails where there are none, which are as many as there are: nothing is open in that.
    """
    ruled = {each.point: each.reading for each in audit.printed.game.rulings}
    return any(each.aspect.name == too_few.ASPECT and clause in each.clauses
               and ruled.get(each.id, each.adopted) == "as-many"
               for each in questions_of(audit.printed.game))


def failed(audit: Audit, duty: Obligation, shows: Shows) -> None:
    """Observe an obligation that fails."""
    then = _then(audit, duty)
    core: tuple[str, ...] = ()
    clauses = tuple(c for c in (duty.clause, *duty.others)
                    if not c.startswith(("card:", "window:")))
    if duty.defect == "contradiction" and duty.kind != "conflict":  # that is with itself
        checks = {each.id for each in audit.printed.game.clauses if each.ensure is not None}
        core = tuple(dict.fromkeys((
            *(c for c in _last_cites(shows) if c not in checks), duty.clause)))
        clauses = core
    audit.observe(Observation(
        identity_of(duty), clauses,
        witnessed(shows, core=core, details={"failed": duty.prompt, **(
            {"then": then} if then != AS_POSSIBLE else {})}),
        TEXT if duty.kind == "tie-outside" else
        WINNER if duty.defect == "unresolved-tie" else PUBLIC,
        said={"about": duty.about, "then": then} | (
            {"decided": _decided(shows)[0]} if duty.kind == "limit-at-end" else {}),
        often=shows.often))


def _decided(shows: Shows) -> tuple[bool, bool]:
    """Return whether somebody makes the last move of a play, and chooses it among several."""
    if not shows.moves:
        return False, False
    judge, before = shows.instance.interpreter, state_after(shows.instance, shows.moves[:-1])
    by = judge.by(before) is not None
    return by, by and len(judge.moves(before)) > 1


def _then(audit: Audit, duty: Obligation) -> str:
    """Return what is done when an obligation fails: as much as possible, what a ruling says."""
    if not duty.instead:
        return AS_POSSIBLE
    for ruling in audit.printed.game.rulings:
        changes = audit.bench.changes(ruling.point, ruling.reading).get("changes") or {}
        if "otherwise" in (changes.get(duty.clause) or {}):
            return f"{ruling.point}={ruling.reading}"
    return OTHERWISE


def _last_cites(shows: Shows) -> tuple[str, ...]:
    judge = shows.instance.interpreter
    step = judge.start()
    try:
        for move in shows.moves:
            step = judge.step(step.state, move)
    except EndlessRules as error:
        return error.cites
    return step.cites


# ---------------------------------------------------------------------- limits


def _kept(audit: Audit, name: str, scopes: list[Scoped]) -> None:
    """Note that a limit holds, as far as something could have broken it."""
    limit = next(each for each in audit.printed.game.clauses if each.id == name)
    some, in_print, never = tried(audit, limit, scopes)
    if some:
        printed = all(each.name == PRINTED for each in some)
        audit.holds.append(Holds(name, "limit", method_of(some), audit.named(some), "limit",
                                 mode=audit.as_chosen.removeprefix(PRINTED) * printed))
    elif in_print:
        audit.holds.append(Holds(name, "limit", "sampled", audit.as_chosen, "limit",
                                 mode=audit.as_chosen.removeprefix(PRINTED)))
    else:
        what = f"`{never}` never holds" if never else "it forbids no move"
        played = ", nor in random plays at the printed size" if limit.in_force else ""
        audit.unchecked(
            f"the limit {name}",
            f"nothing looked at could break it: {what} in {audit.within(scopes)}{played}",
            left="limit", clauses=(name,))


def _limits(audit: Audit) -> None:
    broken: dict[str, Shows] = {}
    checked: dict[str, list[Scoped]] = {}
    for scope in audit.scopes:
        result = scope.exploration.result()
        for number, limit in enumerate(scope.instance.compiled.machine.limits):
            checked.setdefault(limit.clause, []).append(scope)
            if number in result.broken and limit.clause not in broken:
                moves = scope.exploration.play(result.broken[number])
                broken[limit.clause] = scope.shows(moves)
    limits = audit.printed.compiled.machine.limits
    for number, moves in audit.beside().broken.items():
        broken.setdefault(limits[number].clause, audit.shows(moves))
    for clause, scopes in checked.items():
        if clause not in broken:
            _kept(audit, clause, scopes)
    for clause, shows in broken.items():
        attempt(audit, f"how the limit {clause} breaks", partial(breaks, audit, clause, shows))


def breaks(audit: Audit, clause: str, shows: Shows) -> None:
    """Observe a limit that breaks."""
    cites = _last_cites(shows)
    before = state_after(shows.instance, shows.moves[:-1]) if shows.moves else None
    reason = why_broken(shows.instance.interpreter, before, clause)
    clauses = tuple(dict.fromkeys((*reason.clauses, *(c for c in cites if ":" not in c))))
    audit.observe(Observation(
        limit_broken(clause), clauses,
        witnessed(shows, core=reason.clauses if reason.cores else clauses, details=_cores(reason)),
        PUBLIC, said={"barred": bool(reason.cores), "chosen": _decided(shows)[1]},
        often=shows.often))


# ---------------------------------------------------------------------- stuck


def _stuck(audit: Audit) -> None:
    found: dict[Identity, tuple[Shows, Reason]] = {}
    for scope in audit.scopes:
        program, order = scope.exploration.program, scope.exploration.order
        for number in stuck_states(scope):
            moves = scope.exploration.path(number)
            reason = why_stuck(scope.instance.interpreter, program.unpack(order[number]))
            key = stuck_at(reason)
            if key not in found or _plainer(moves, found[key][0]):
                found[key] = (scope.shows(moves), reason)
    for moves in audit.beside().stuck.values():
        reason = why_stuck(audit.printed.interpreter, state_after(audit.printed, moves))
        found.setdefault(stuck_at(reason), (audit.shows(moves), reason))
    for shows, reason in found.values():
        no_move(audit, shows, reason)


def no_move(audit: Audit, shows: Shows, reason: Reason) -> None:
    """Observe a situation in which nobody can move."""
    audit.observe(Observation(stuck_at(reason), reason.clauses, witnessed(
        shows, kind="core" if reason.cores else "witness",
        core=reason.cores[0] if reason.cores else (), details=_cores(reason)), LEGAL,
        said={"ask": reason.ask, "who": reason.who}, often=shows.often))


def _cores(reason: Reason) -> dict[str, Any]:
    """Return the minimal contradictions, what frees a move when dropped, and the moves."""
    if not reason.cores:
        return {}
    return {"cores": [list(core) for core in reason.cores],
            "drop_one": [list(each) for each in reason.corrections],
            "ruled_out": list(reason.against)}


def stuck_states(scope: Scoped) -> list[int]:
    """List states in which nobody can move, nearest first."""
    result, program = scope.exploration.result(), scope.instance.program
    first = sorted(witness.state for witness in result.stuck.values())
    if result.stuck_states <= len(first):
        return first
    nodes = set(result.stuck)
    rests = program.layout.rests
    found = [n for n, packed in enumerate(scope.exploration.order)
             if rests[program.rank(packed)] in nodes and not program.succ(packed)]
    return found[:MOST_STUCK]
