"""What can be said of the text alone: its claims about numbers, and its words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache, partial

import msgspec

from ...model.game.game import PRINTED, Clause, Game
from ...model.game.uses import card_values, trees_of
from ...model.plays.wording import many, players_told
from ...model.source.errors import SpecErrors, UsageError
from ...model.views.trace import trace
from ..audit.audit import Audit
from ..audit.parallel import ask_all, attempt
from ..bench.modes import played_as
from ..findings.evidence import in_mode
from ..findings.observations import Observation
from ..findings.results import CLAIMS, TEXT, Evidence, Holds, Identity
from .claims import STATIC, ClaimAnswer, check_claims, counts_players, read_by, with_other_cards
from .states import idle_claims, of_claim
from .vocabulary import TermFault, check_terms

ASSUMED = ("it holds of the values that are assumed for the cards, which the book does not "
           "print; with others it might not")
"""Why a claim is not checked that is true of what was assumed for it."""


def run(audit: Audit) -> None:
    """Check claims for every number of players, in the modes that they belong to, and words.

    That is the first mode in which each is in force, and each that changes what it reads.  With so
    many players that a mode binds, the game is that of the mode.
    """
    game = audit.printed.game
    known = {c.id for c in game.clauses if c.in_force and c.claim is not None}
    decided: dict[str, list[object]] = {}
    met: set[tuple[str, ...]] = set()
    for setting in ((None, None), *played_as(audit.bench)):
        with suppress(UsageError, SpecErrors):
            there = audit.bench.game(PRINTED, variants=setting[0], players=setting[1])
            modes = there.settings.variants
            if modes in met:
                continue
            met.add(modes)
            mine = [c for c in there.clauses if c.in_force and c.claim is not None]
            first = [c for c in mine if (modes == game.settings.variants if c.id in known
                                         else c.claim is not None and c.claim.form in STATIC)]
            again = [c for c in mine if c.id in decided and c not in first
                     and read_by(there, c) not in decided[c.id]]
            known.update(c.id for c in first)
            sized = cache(partial(_sized, audit, None if setting[0] is None else modes))
            ask_all(audit, partial(_decide, game=there, sized=sized, again=False), first,
                    lambda clause: f"the claim {clause.id}", fork=False, lost=of_claim)
            ask_all(audit, partial(_decide, game=there, sized=sized, again=True), again,
                    partial(_named, in_mode(game, modes)), fork=False,
                    lost=partial(of_claim, where=f" {in_mode(game, modes)}"))
            for c in (*first, *again):
                if c.claim is not None and c.claim.form in STATIC:
                    decided.setdefault(c.id, []).extend(
                        _read(each, c) for each in (there, *_bound(there, c, sized).values()))
    audit.holds = _of_modes(audit)
    idle_claims(audit, (c for c in game.clauses if c.claim is not None
                        and c.claim.form in STATIC and c.id not in known))
    assumed = [one for one in audit.not_checked if one.kind == "claims"]
    if assumed:
        names = tuple(dict.fromkeys(name for one in assumed for name in one.clauses))
        audit.not_checked = [one for one in audit.not_checked if one not in assumed]
        audit.unchecked(f"{CLAIMS}{', '.join(names)}", ASSUMED, "claims", clauses=names)
    attempt(audit, "words", partial(_terms, audit, game))
    attempt(audit, "the number of players", partial(_players, audit, game))


def _sized(audit: Audit, modes: tuple[str, ...] | None, players: int) -> Game | None:
    """Return the printed game of so many players; None if it is for others."""
    try:
        return audit.bench.game(PRINTED, players=players, variants=modes)
    except UsageError:
        return None


def _bound(
    game: Game, clause: Clause, sized: Callable[[int], Game | None]
) -> dict[int, Game]:
    """Return the games of each number of players in which a claim is in force.

    There are none if no mode binds a game: then all read the same.
    """
    low, high = game.players_range
    if not any(variant.binding for variant in game.variants.values()):
        return {}
    games = {players: sized(players) for players in range(low, high + 1)}
    return {players: each for players, each in games.items() if each is not None
            and (mine := each.clause(clause.id)) is not None and mine.in_force}


def _named(mode: str, clause: Clause) -> str:
    return f"the claim {clause.id} {mode}"


def _of_modes(audit: Audit) -> list[Holds]:
    """Return what holds, of each claim once, and none that a mode refutes."""
    wrong = {one.identity.clause for one in audit.observed
             if one.identity.kind in ("number", "relied-on")}
    told: dict[str, Holds] = {}
    for one in audit.holds:
        if one.kind == "claim" and one.clause not in wrong:
            first = told.setdefault(one.clause, one)
            if first is not one:
                told[one.clause] = msgspec.structs.replace(
                    first, scope=f"{first.scope}, and{one.mode}",
                    mode=f"{first.mode}, and{one.mode}")
    return [*(one for one in audit.holds if one.kind != "claim"), *told.values()]


def _read(game: Game, clause: Clause) -> object:
    """Return what a claim reads of a game, in which it may be another one."""
    return read_by(game, game.clause(clause.id) or clause)


def _answers(
    game: Game, clause: Clause, sized: Callable[[int], Game | None]
) -> Iterator[ClaimAnswer]:
    """Decide a claim for every number of players; once for all, where the number is not used.

    Where a mode binds games of some number, it is once for all that read the same.
    """
    low, high = game.players_range
    bound = _bound(game, clause, sized)
    assert clause.claim is not None
    if counts_players(game, clause):
        for players in bound or range(low, high + 1):
            there = sized(players)
            if there is not None:  # a mode may not be for so many
                yield from check_claims(there, {clause.id})
        return
    known: dict[object, tuple[ClaimAnswer, ...]] = {}
    for players in clause.claim.players or range(low, high + 1):
        there = bound.get(players) if bound else game
        if there is not None:
            read = _read(there, clause)
            if read not in known:
                known[read] = check_claims(there, {clause.id})
            yield from (replace(each, players=players) for each in known[read])


def _decide(audit: Audit, clause: Clause, game: Game, sized: Callable[[int], Game | None], *,
            again: bool) -> None:
    """Decide a claim for every number of players.

    `again`: it was decided already, in a mode in which it reads something else.
    """
    assert clause.claim is not None
    found = [*_answers(game, clause, sized)]
    if found or clause.claim.form in STATIC:
        mode = in_mode(audit.printed.game, game.settings.variants)
        read, assumed = card_values(game, trees_of(clause))
        assumed = bool(assumed) and (read == assumed or any(
            each.verdict == "refuted" for shift in (1, -1)
            for each in check_claims(with_other_cards(game, shift), {clause.id})))
        wrong = (Identity("false-claim", clause.id, "number") if clause.kind == "claim" else
                 Identity("gap", clause.id, "relied-on"))
        _claim(audit, wrong, found, f" {mode}" if mode else "", assumed=assumed, again=again)


def _claim(audit: Audit, untrue: Identity, answers: list[ClaimAnswer], mode: str, *,
           assumed: bool, again: bool) -> None:
    """Tell what became of a claim, and whether it is `assumed`; it is observed as `untrue`.

    Assumed means: it is true of assumed values of cards, and not of others; then whoever assumed
    them made it true.  Of what is decided `again` only what that adds is told.
    """
    clause = untrue.clause
    if not answers:
        audit.unchecked(
            f"the claim {clause}", "it is about a number of players that the game does not have",
            left="claim", clauses=(clause,))
        return
    by_verdict: dict[str, list[ClaimAnswer]] = {}
    for answer in answers:
        by_verdict.setdefault(answer.verdict, []).append(answer)
    wrong, empty = by_verdict.get("refuted", []), by_verdict.get("vacuous", [])
    if wrong:
        first = wrong[0]
        figures = first.figures if len({each.figures for each in wrong}) == 1 else None
        audit.observe(Observation(
            untrue, (clause,),
            Evidence("data", "proof", PRINTED, replayed=False, mode=mode.strip() * again, details={
                "players": [a.players for a in wrong], "counterexample": dict(first.solution),
                "why": f"with {many(first.players, 'player')}{mode}: {first.detail}"}),
            TEXT, said={"counts": _counts(wrong) + mode, "figures": figures,
                        "everywhere": wrong == answers, "mode": mode}))
    elif empty == answers and not again:
        audit.observe(Observation(
            Identity("dead-clause", clause, "nothing-claimed"), (clause,),
            Evidence("data", "proof", PRINTED, replayed=False, core=(clause,),
                     details={"why": empty[0].detail}),
            TEXT, said={"counts": _counts(empty) + mode}))
    elif "holds" in by_verdict and assumed:
        audit.unchecked(f"{CLAIMS}{clause}", ASSUMED, "claims", clauses=(clause,))
    elif "holds" in by_verdict:
        audit.holds.append(Holds(
            clause, "claim", "proof", f"printed, {_counts(by_verdict['holds'])}{mode}", "claim",
            mode=mode))
    left = [*by_verdict.get("unknown", ()), *(empty if again or empty != answers else ())]
    for why in dict.fromkeys(one.detail for one in left):
        some = [one for one in left if one.detail == why]
        where = f" with {_counts(some)}{mode}"
        late = any(one.late for one in some)
        audit.unchecked(f"the claim {clause}{where}", why, cause="late" if late else "",
                        left="claim", clauses=(clause,), mode=where)


def _counts(answers: list[ClaimAnswer]) -> str:
    """Say for how many players there are answers."""
    return players_told(one.players for one in answers)


def _terms(audit: Audit, game: Game) -> None:
    for fault in check_terms(game):
        _term(audit, fault)


def _term(audit: Audit, fault: TermFault) -> None:
    audit.observe(Observation(
        Identity("undefined-term", kind=fault.kind, place=fault.term), fault.clauses,
        Evidence("data", "exhaustive", PRINTED, replayed=False, details={"kind": fault.kind}),
        TEXT, said={"other": fault.other}))


def _players(audit: Audit, game: Game) -> None:
    """Ask for how many players a game is, if the spec has a range and no sentence for it."""
    low, high = game.players_range
    if game.rulebook is None or low == high or any(
            "players" in names for names in game.named_by.values()):
        return
    audit.observe(Observation(
        Identity("gap", kind="players"), tuple(variant.clause for variant in game.variants.values()
                                               if variant.players and variant.clause),
        Evidence("data", "exhaustive", PRINTED, replayed=False), TEXT,
        said={"low": low, "high": high}))


def traced(audit: Audit) -> int:
    """Count the sentences of the rulebook that some clause covers."""
    return sum(1 for one in trace(audit.printed.compiled).sentences if one.clauses)
