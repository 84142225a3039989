"""What the explored states show: obligations that fail, limits that break, players who are stuck.

Everything that an exploration meets for the first time it meets on a shortest play, so the play to
it is the witness.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from ...model.machine.core import Const
from ...model.plays.moves import node_of
from ...model.rules.elaborate import Elaborator
from ...model.rules.expected import describe
from ...model.rules.meanings import Failed, Names
from ...model.run.interp import EndlessRules
from ...model.source.errors import Reporter
from ..judge.audit import method_of, names_of
from ..judge.evidence import identity_of, play_of, position_of, sources_of, state_after
from ..judge.parallel import ask_all, attempt
from ..judge.results import LEGAL, PUBLIC, WINNER, Evidence, Finding, Holds, NotChecked, Shown
from ..search.stuck import Reason, why_broken, why_stuck

if TYPE_CHECKING:
    from ...model.game.game import Clause
    from ...model.machine.core import Expr
    from ...model.machine.machine import Obligation
    from ...model.machine.state import Move
    from ..judge.audit import Audit, Scoped
    from ..judge.results import Class, Identity
    from ..search.frontier import Witness

MOST_STUCK = 300
"""States without a move whose reasons are looked into."""

CLASSES: tuple[Class, ...] = (
    "undefined-operation", "unresolved-tie", "gap", "contradiction", "limit-broken", "deadlock")
"""What a state, or a move in it, shows by itself."""



def run(audit: Audit) -> None:
    """Report what the explorations met."""
    attempt(audit, "obligations that fail", partial(_obligations, audit))
    attempt(audit, "limits that break", partial(_limits, audit))
    attempt(audit, "situations without a move", partial(_stuck, audit))
    claims = [clause for clause in audit.printed.game.clauses if clause.in_force and (
        clause.claim is not None and clause.claim.form in ("never", "reachable"))]
    ask_all(audit, _state_claim, claims, lambda clause: f"the claim {clause.id}", fork=False)


# ---------------------------------------------------------------------- obligations


def _obligations(audit: Audit) -> None:
    seen: dict[Identity, tuple[Scoped, Obligation, tuple[Move, ...]]] = {}
    for scope in audit.scopes:
        machine = scope.instance.compiled.machine
        by_id = {o.id: o for o in machine.obligations}
        for number, witness in scope.exploration.result().notes.items():
            duty = by_id[number]
            moves = scope.exploration.play(witness)
            key = identity_of(duty)
            if key not in seen or len(moves) < len(seen[key][2]):
                seen[key] = (scope, duty, moves)
    counts: dict[tuple[str, str], int] = {}
    for scope, duty, moves in sorted(seen.values(), key=lambda each: (each[1].clause, each[1].id)):
        clause = duty.clause
        if duty.defect == "capacity":
            audit.not_checked.append(NotChecked(
                f"what happens beyond this in {clause}: {duty.prompt}",
                f"the model holds no more (scope {scope.name})"))
            continue
        number = counts[duty.defect, clause] = counts.get((duty.defect, clause), 0) + 1
        slug = clause if number == 1 else f"{clause}-{number}"
        attempt(audit, f"{clause}: {duty.prompt}",
                partial(_failed, audit, scope, duty, moves, slug))


def _failed(
    audit: Audit, scope: Scoped, duty: Obligation, moves: tuple[Move, ...], slug: str
) -> None:
    game = scope.instance.game
    said = says_of(audit, duty.clause)
    state = state_after(scope.instance, moves)
    point = next((p for p in game.open_points if duty.clause in p.clauses), None)
    cls: Class = duty.defect  # type: ignore[assignment]
    core: tuple[str, ...] = ()
    clauses = tuple(c for c in (duty.clause, *duty.others)
                    if not c.startswith(("card:", "window:")))
    if cls == "contradiction":
        step = _last_cites(scope, moves)
        core = tuple(dict.fromkeys((*step, duty.clause)))
        clauses = core
    audit.add(Finding(
        f"{game.id}/{cls}/{slug}", cls, f"{_TITLES.get(cls, 'this cannot be done')}: {said}",
        clauses, sources_of(game, clauses),
        Evidence("witness", method_of([scope]), scope.name,
                 plays=(Shown("", play_of(scope.instance, moves)),),
                 position=position_of(scope.instance, state), depth=len(moves), core=core,
                 replayed=True, details={"failed": duty.prompt, "kind": duty.kind}),
        WINNER if cls == "unresolved-tie" else PUBLIC,
        explanation=_continued(audit, duty), open_point=point.id if point is not None else "",
        identity=identity_of(duty)))


_TITLES = {
    "unresolved-tie": "no single player is determined",
    "undefined-term": "this rests on something outside the game",
    "gap": "no rule covers this case, though others like it are covered",
    "contradiction": "the clauses do not let this be true",
    "limit-broken": "a forced effect breaks the limit",
}


def _continued(audit: Audit, duty: Obligation) -> str:
    """Say what failed, who says what is done then, and what the model does."""
    if not duty.instead:
        return (f"{duty.prompt}; the book does not say what then; here as much as possible is "
                "done, and the game goes on")
    for ruling in audit.printed.game.rulings:
        changes = audit.bench.changes(ruling.point, ruling.reading).get("changes") or {}
        if "otherwise" in (changes.get(duty.clause) or {}):
            return (f"{duty.prompt}; the book does not say what then; here the game goes on as "
                    f"the adopted ruling says ({ruling.point}={ruling.reading})")
    return (f"{duty.prompt}; then the clause's `otherwise` is done (ours; what the book itself "
            "says is written with `if`)")


def _last_cites(scope: Scoped, moves: tuple[Move, ...]) -> tuple[str, ...]:
    judge = scope.instance.interpreter
    step = judge.start()
    try:
        for move in moves:
            step = judge.step(step.state, move)
    except EndlessRules as error:
        return error.cites
    return step.cites


def says_of(audit: Audit, clause: str) -> str:
    """Return our paraphrase of a clause, or say whose text a card's clause is."""
    game = audit.printed.game
    found = next((c.says for c in game.clauses if c.id == clause), "")
    if found:
        return found
    if clause.startswith("card:"):
        family, rest = clause.removeprefix("card:").split(".", 1)
        card = rest.split(".", 1)[0]
        for each in game.families[family].cards:
            if each.id == card:
                return f"the text of {each.name}"
    return clause


# ---------------------------------------------------------------------- limits


def _limits(audit: Audit) -> None:
    broken: dict[str, tuple[Scoped, Witness]] = {}
    checked: dict[str, list[Scoped]] = {}
    for scope in audit.scopes:
        result = scope.exploration.result()
        for number, limit in enumerate(scope.instance.compiled.machine.limits):
            checked.setdefault(limit.clause, []).append(scope)
            if number in result.broken and limit.clause not in broken:
                broken[limit.clause] = (scope, result.broken[number])
    for clause, scopes in checked.items():
        if clause not in broken:
            audit.holds.append(Holds(clause, "limit", method_of(scopes), names_of(scopes)))
            continue
        attempt(audit, f"how the limit {clause} breaks",
                partial(_breaks, audit, clause, *broken[clause]))


def _breaks(audit: Audit, clause: str, scope: Scoped, witness: Witness) -> None:
    game = scope.instance.game
    moves = scope.exploration.play(witness)
    cites = _last_cites(scope, moves)
    before = state_after(scope.instance, moves[:-1]) if moves else None
    reason = why_broken(scope.instance, before, clause)
    clauses = tuple(dict.fromkeys((*reason.clauses, *(c for c in cites if ":" not in c))))
    audit.add(Finding(
        f"{game.id}/limit-broken/{clause}", "limit-broken",
        f"{reason.title}: {says_of(audit, clause)}", clauses,
        sources_of(game, clauses),
        Evidence("witness", method_of([scope]), scope.name,
                 plays=(Shown("", play_of(scope.instance, moves)),),
                 position=position_of(scope.instance, state_after(scope.instance, moves)),
                 depth=len(moves), replayed=True,
                 core=reason.clauses if reason.cores else clauses,
                 details=_cores(reason)), PUBLIC,
        explanation=reason.explanation))


# ---------------------------------------------------------------------- stuck


def _stuck(audit: Audit) -> None:
    found: dict[tuple[str, tuple[str, ...]], tuple[Scoped, tuple[Move, ...], Reason]] = {}
    for scope in audit.scopes:
        for number in stuck_states(scope):
            moves = scope.exploration.path(number)
            state = state_after(scope.instance, moves)
            reason = why_stuck(scope.instance, state)
            name = node_of(scope.instance.compiled.machine, state).name
            key = (name, reason.cores[0] if reason.cores else ())
            if key not in found or len(moves) < len(found[key][1]):
                found[key] = (scope, moves, reason)
    for (name, _), (scope, moves, reason) in found.items():
        game = scope.instance.game
        cls: Class = "contradiction" if reason.cores else "deadlock"
        slug = name.replace("/", "-").replace(" ", "-")
        same = [k for k, (_, _, r) in found.items() if k[0] == name
                and bool(r.cores) == bool(reason.cores)]
        if len(same) > 1:
            slug += "-" + "-".join(reason.cores[0] if reason.cores else ())
        evidence = Evidence(
            "core" if reason.cores else "witness", method_of([scope]), scope.name,
            plays=(Shown("", play_of(scope.instance, moves)),),
            position=position_of(scope.instance, state_after(scope.instance, moves)),
            depth=len(moves), replayed=True, core=reason.cores[0] if reason.cores else (),
            details=_cores(reason))
        audit.add(Finding(f"{game.id}/{cls}/{slug}", cls, reason.title, reason.clauses,
                          sources_of(game, reason.clauses), evidence, LEGAL,
                          explanation=reason.explanation))


def _cores(reason: Reason) -> dict[str, list[list[str]]]:
    """Return the minimal contradictions, and the minimal sets that leave a move when dropped."""
    if not reason.cores:
        return {}
    return {"cores": [list(core) for core in reason.cores],
            "drop_one": [list(each) for each in reason.corrections]}


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


# ---------------------------------------------------------------------- claims about states


def _state_claim(audit: Audit, clause: Clause) -> None:
    assert clause.claim is not None
    never = clause.claim.form == "never"
    whole = not audit.left_out
    for scope in audit.scopes:
        instance = scope.instance
        try:
            test = Elaborator(instance.game, Reporter()).guard(clause.claim.test, Names({}))
        except Failed:
            continue
        whole = whole and scope.whole
        if isinstance(test, Const) and not test.value:
            continue
        hit = _first_state(scope, test)
        if hit is None:
            continue
        if not never:
            audit.holds.append(Holds(clause.id, "claim", "exhaustive", scope.name))
            return
        moves = scope.exploration.path(hit)
        audit.add(Finding(
            f"{instance.game.id}/false-claim/{clause.id}", "false-claim",
            f"this is not true: {clause.says}", (clause.id,),
            sources_of(instance.game, (clause.id,)),
            Evidence("witness", method_of([scope]), scope.name,
                     plays=(Shown("", play_of(instance, moves)),), depth=len(moves),
                     position=position_of(instance, state_after(instance, moves)), replayed=True),
            PUBLIC))
        return
    names = ", ".join(scope.name for scope in audit.scopes)
    if never:
        audit.holds.append(Holds(clause.id, "claim", "exhaustive" if whole else "bounded", names))
    elif whole:
        game = audit.printed.game
        audit.add(Finding(
            f"{game.id}/false-claim/{clause.id}", "false-claim",
            f"this never comes up: {clause.says}", (clause.id,), sources_of(game, (clause.id,)),
            Evidence("coverage", "exhaustive", names, replayed=False, details={
                "never_true": describe(clause.claim.test)}), PUBLIC,
            explanation="no reachable situation of the explored scopes shows it"))
    else:
        audit.not_checked.append(NotChecked(f"the claim {clause.id}",
                                            "not found, and not everything was explored"))


def _first_state(scope: Scoped, test: Expr) -> int | None:
    holds = scope.instance.program.predicate(test)
    return next((n for n, packed in enumerate(scope.exploration.order) if holds(packed)), None)
