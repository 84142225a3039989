"""What holds: proved at the printed size if it can be, else seen to hold in the scopes explored.

What an obligation, a limit or a claim owes is either broken in some explored state, then it was
observed already; or it is put here to the prover (`model.proof.proofs`) for the printed game.  What
is proved there although it fails in a scaled scope is no defect of the book: the judge learns that
it is impossible, and it is told under what holds.  What is left held in all states of the scopes
that have it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from msgspec.structs import replace

from ...model.game.game import PRINTED, Clause
from ...model.machine.core import Expr
from ...model.machine.duties import Kind
from ...model.machine.machine import Obligation
from ...model.machine.simplify import negate
from ...model.proof.card_candidates import total_of
from ...model.proof.proofs import Proofs
from ...model.rules.elaborate import condition
from ...model.rules.meanings import Failed
from ...model.solver.solving import SolverLimit
from ..audit.audit import Audit
from ..audit.parallel import attempt
from ..audit.scoped import Scoped, method_of, names_of
from ..findings.evidence import identity_of, limit_broken
from ..findings.results import Class, Holds, HoldsKind, Identity, Method

OWED: tuple[Class, ...] = (
    "undefined-operation", "unresolved-tie", "undefined-term", "gap", "limit-broken")
"""The classes of what obligations owe."""

MEANS: dict[Kind, str] = {
    "no-value": "every value that is used is set",
    "nothing-to-draw": "there is always a card to draw",
    "no-option": "there is always something to choose from",
    "too-few": "there is always enough to choose from",
    "not-there": "every card that is moved is where it is taken from",
    "out-of-range": "every number stays in its range",
    "nothing-to-compare": "there is always something to compare",
    "division-by-zero": "nothing is divided by zero",
    "not-one": "it is always exactly one",
    "tie": "where it names the most or the fewest, that is one alone",
    "outside": "nothing outside the game is asked for",
    "no-case": "one of the cases always applies",
    "required-at-end": "what is required at the end of the step holds",
    "limit-at-end": "the limit holds at the end of the step",
    "conflict": "no two change the same thing at the same time",
}
"""What it means that an obligation never fails."""
ALIKE: dict[str, Kind] = {"tie-outside": "outside"}
"""Kinds of obligations of which, if none fails, the same is said as of another kind."""


@dataclass(frozen=True, slots=True)
class Duty:
    """Something that a clause owes: its obligations in the printed machine."""

    key: Identity
    obligations: tuple[Obligation, ...]


def run(audit: Audit) -> None:
    """Add to what holds, and say what cannot happen at the printed size though it was observed."""
    duties = tuple(_duties(audit))
    claims = {clause.id: test for clause in audit.printed.game.clauses
              if (test := _never(audit, clause)) is not None}
    limits: dict[str, list[Expr]] = defaultdict(list)
    for limit in audit.printed.compiled.machine.limits:
        limits[limit.clause].append(limit.test)
    if not duties:
        return
    audit.say("proving at the printed size")
    tests = [*claims.values(), *(test for several in limits.values() for test in several)]
    found = attempt(audit, "proofs at the printed size", partial(_prove, audit, duties, tests))
    proved = set() if found is None else found[1]
    _impossible(audit, proved)
    _told(audit, duties, proved)
    kept: frozenset[str] = frozenset()
    if found is not None:
        proofs = found[0]
        attempt(audit, "proofs of limits", partial(_stronger, audit, proofs, "limit", limits))
        attempt(audit, "proofs of claims", partial(
            _stronger, audit, proofs, "claim", {clause: [test] for clause, test in claims.items()}))
        kept = attempt(audit, "proofs that no card is lost",
                       lambda: frozenset(proofs.conserved())) or kept
    attempt(audit, "whether cards are lost", partial(_cards, audit, kept))
    _moves(audit)
    if found is not None:
        attempt(audit, "what proofs suppose", partial(_supposed, audit, proofs))
        attempt(audit, "the proofs as SMT-LIB text", partial(
            _certify, audit, proofs, [duty for duty in duties if duty.key in proved],
            [*limits.items(), *((clause, [test]) for clause, test in claims.items())]))


def _prove(
    audit: Audit, duties: Sequence[Duty], tests: Sequence[Expr]
) -> tuple[Proofs, set[Identity]]:
    """Prove what can be proved, and hold it against what was explored and played.

    What fails in another mode, or with other players, is not told to be proved.

    Raises:
        AssertionError: if a play refutes a proof; then none of them is believed.

    """
    proofs = Proofs(audit.printed.compiled.machine, tests)
    failing = _seen_to_fail(audit)
    proved = {duty.key for duty in duties if duty.key not in failing
              and all(proofs.never_fails(one.id) for one in duty.obligations)}
    _check(audit, proved)
    played = {one for one in proved & audit.extents.keys() if audit.extents[one].found}
    for one in played:
        if not audit.extents[one].mode:
            raise AssertionError(f"proved, though a play shows that it fails: {one}")
    return proofs, proved - played


def _supposed(audit: Audit, proofs: Proofs) -> None:
    """Name what proofs suppose, unless the printed game was explored to its end."""
    printed = audit.explored_printed
    if any(one.method == "proof" for one in audit.holds) and not (printed and printed.whole):
        _bounds(audit, proofs)
        _ranges(audit, proofs)


def _certify(
    audit: Audit, proofs: Proofs, duties: Iterable[Duty],
    named: Iterable[tuple[str, Sequence[Expr]]],
) -> None:
    """Write the proofs down, if that was asked for."""
    if audit.certify is not None:
        never = {one.id: f"{duty.key.clause}: never: {one.prompt}"
                 for duty in duties for one in duty.obligations}
        shown = [(f"{clause}: always", test) for clause, several in named for test in several
                 if proofs.always(test)]
        try:
            audit.certify(proofs.certificate(never, shown))
        except SolverLimit as limit:
            audit.unchecked("the proofs as SMT-LIB text", str(limit))


def _duties(audit: Audit) -> Iterator[Duty]:
    found: dict[Identity, list[Obligation]] = {}
    for duty in audit.printed.compiled.machine.obligations:
        if not duty.is_bound and audit.wanted(duty.defect):
            found.setdefault(identity_of(duty), []).append(duty)
    for key, several in found.items():
        yield Duty(key, tuple(several))


def _never(audit: Audit, clause: Clause) -> Expr | None:
    if clause.claim is None or clause.claim.form != "never" or not clause.in_force:
        return None
    try:
        return negate(condition(audit.printed.game, clause.claim.test))
    except Failed:
        return None


# ---------------------------------------------------------------------- obligations


def _failed(scope: Scoped) -> frozenset[Identity]:
    by_id = scope.instance.compiled.machine.duties
    notes = scope.exploration.result().notes
    return frozenset(identity_of(by_id[number]) for number in notes)


def _seen_to_fail(audit: Audit) -> frozenset[Identity]:
    """Name the obligations that a play of the printed game shows to fail."""
    duties = audit.printed.compiled.machine.obligations
    return frozenset(identity_of(duty) for duty in duties if duty.id in audit.at_size.notes)


def _check(audit: Audit, proved: set[Identity]) -> None:
    """Hold the proofs against what was explored: a proof that a play refutes is a mistake of ours.

    Raises:
        AssertionError: if there is one.

    """
    for scope in audit.scopes:
        wrong = _failed(scope) & proved if scope.name == "printed" else frozenset()
        if wrong:
            raise AssertionError(f"proved, though a play shows that it fails: {sorted(wrong)}")


def _bounds(audit: Audit, proofs: Proofs) -> None:
    """Name the bounds of the model that play may meet: what is proved is proved within them."""
    met: dict[str, list[str]] = {}
    for duty in audit.printed.compiled.machine.obligations:
        if duty.is_bound and not proofs.never_fails(duty.id):
            met.setdefault(duty.prompt, []).append(duty.clause)
    for prompt, clauses in met.items():
        names = ", ".join(dict.fromkeys(clauses))
        audit.unchecked(
            f"at the printed size, beyond this: {prompt} ({names})",
            "the model holds no more, and what is proved is proved within that", "bound")


def _ranges(audit: Audit, proofs: Proofs) -> None:
    """Name what all proofs suppose to stay in its range."""
    supposed = proofs.supposed()
    arrays = audit.printed.compiled.machine.arrays
    names = [one.name for one in arrays if one.name in supposed and one.declared]
    if supposed.difference(names):
        names.append("what the engine counts with")
    if names:
        audit.unchecked(
            f"that numbers stay in their ranges at the printed size: {', '.join(names)}",
            "no proof was found; the other proofs hold for play in which they do", "bound")


def _impossible(audit: Audit, proved: set[Identity]) -> None:
    """Note what is proved impossible, and tell what was observed of it in scaled scopes alone."""
    audit.impossible |= proved
    for one in audit.asked() if audit.of_printed else ():
        known = audit.extents.get(one.identity)
        in_mode = one.evidence.mode or (known is not None and known.found and known.mode)
        if one.identity in proved and not in_mode:
            said = one.evidence.details.get("failed", "")
            where = f"in scaled scopes only ({one.evidence.scope})"
            audit.holds.append(Holds("".join(one.clauses[:1]), f"{where}: {said}" if said else
                                     f"broken {where}", "proof", audit.as_chosen))


def _told(audit: Audit, duties: Iterable[Duty], proved: set[Identity]) -> None:
    """Say of each clause what it owes and always can do, one line for one kind of thing."""
    known: dict[tuple[Kind, Method, str], dict[str, None]] = {}
    failed = {key for scope in audit.scopes for key in _failed(scope)} | _seen_to_fail(audit)
    weak: dict[tuple[str, Kind], list[tuple[Method, str]]] = defaultdict(list)
    for duty in duties:
        kind = ALIKE.get(duty.obligations[0].kind, duty.obligations[0].kind)
        if duty.key in failed and duty.key not in proved:
            weak[duty.key.clause, kind].append(("not checked", ""))
        elif duty.key in proved:
            weak[duty.key.clause, kind].append(("proof", audit.as_chosen))
        else:
            weak[duty.key.clause, kind].append(_seen(audit, duty.key))
    for (clause, kind), verdicts in weak.items():
        method, scope = max(verdicts, key=lambda one: _ORDER[one[0]])
        if method != "not checked":
            known.setdefault((kind, method, scope), {})[clause] = None
    for (kind, method, scope), clauses in known.items():
        audit.holds += [Holds(clause, MEANS[kind], method, scope, kind) for clause in clauses]


_ORDER = {"proof": 0, "exhaustive": 1, "bounded": 2, "sampled": 3, "not checked": 4}


def _seen(audit: Audit, key: Identity) -> tuple[Method, str]:
    """Say how far an obligation was seen to hold, in the scopes in which its clause runs."""
    runs = any(each.id == key.clause and each.do is not None for each in audit.printed.game.clauses)
    having = [scope for scope in audit.scopes
              if (not runs or key.clause in scope.covered.clauses)
              and any(identity_of(o) == key
                      for o in scope.instance.compiled.machine.obligations)]
    whole = [scope for scope in having if scope.whole]
    if whole:
        return "exhaustive", audit.named(whole)
    return ("bounded", audit.named(having)) if having else ("not checked", "")


def _stronger(
    audit: Audit, proofs: Proofs, kind: HoldsKind, named: Mapping[str, Sequence[Expr]]
) -> None:
    """Say of limits and claims that they are proved, where they are.

    A claim that was looked at in full with other numbers of players and in other modes, too, is
    proved of one of these only, and stays what it is.
    """
    shown = {clause for clause, several in named.items() if all(map(proofs.always, several))}
    if kind == "limit":
        _impossible(audit, set(map(limit_broken, shown)))
    else:
        _impossible(audit, {Identity("false-claim", clause, "never") for clause in shown})
    audit.holds = [
        replace(one, method="proof", scope=audit.as_chosen,
                mode=audit.as_chosen.removeprefix(PRINTED))
        if one.kind == kind and one.clause in shown and not one.scope.startswith(f"{PRINTED},")
        else one
        for one in audit.holds]


# ---------------------------------------------------------------------- the whole game


def _cards(audit: Audit, proved: frozenset[str]) -> None:
    """Say of each family that no card of it is lost or gained."""
    for family in audit.printed.game.families:
        what = f"no card of the family `{family}` is lost or gained"
        if family in proved:
            audit.holds.append(Holds("", what, "proof", audit.as_chosen))
            continue
        whole: list[Scoped] = []
        for scope in audit.scopes:
            test = total_of(scope.instance.compiled.machine, family)
            if test is not None and scope.finished:
                holds = scope.instance.program.predicate(test)
                if not all(map(holds, scope.exploration.order)):
                    break
                whole.append(scope)
        else:
            if whole:
                audit.holds.append(Holds("", what, method_of(whole), names_of(whole)))


def _moves(audit: Audit) -> None:
    """Say where somebody can always move, and where every play ends, in one line for each."""
    ends = [one for one in audit.holds if one.kind == "ends"]
    audit.holds = [one for one in audit.holds if one not in ends]
    for kept in dict.fromkeys((one.what, one.method) for one in ends):
        alike = [one for one in ends if (one.what, one.method) == kept]
        audit.holds.append(replace(alike[0], scope=", ".join(one.scope for one in alike)))
    free = [scope for scope in audit.scopes
            if scope.finished and not scope.exploration.result().stuck_states]
    if free:
        audit.holds.append(Holds("", "somebody can always move until the game is over",
                                 method_of(free), names_of(free), "moves"))
