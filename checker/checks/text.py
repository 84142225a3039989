"""What can be said of the text alone: its claims about numbers, and its words."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ...model.views.trace import trace
from ..judge.evidence import sources_of
from ..judge.results import Evidence, Finding, Holds, NotChecked
from .claims import check_claims, counts_players
from .vocabulary import check_terms

if TYPE_CHECKING:
    from ...model.game.game import Game
    from ..judge.audit import Audit
    from .claims import Answer
    from .vocabulary import TermFault

TEXT = 5


def run(audit: Audit) -> None:
    """Check claims for every number of players, and the vocabulary."""
    game = audit.printed.game
    for clause, found in _answers(audit).items():
        _claim(audit, clause, found)
    for fault in check_terms(game):
        _term(audit, fault)


def _answers(audit: Audit) -> dict[str, list[Answer]]:
    """Decide the claims for every number of players; once for all, where the number is not used."""
    game = audit.printed.game
    low, high = game.players_range
    claims = {c.id: c for c in game.clauses if c.in_force and c.claim is not None}
    same = {name for name, clause in claims.items() if not counts_players(game, clause)}
    found: dict[str, list[Answer]] = {name: [] for name in claims}
    for answer in check_claims(game, same):
        claim = claims[answer.clause].claim
        assert claim is not None
        for players in claim.players or range(low, high + 1):
            found[answer.clause].append(replace(answer, players=players))
    for players in range(low, high + 1) if claims.keys() - same else ():
        sized = audit.bench.game("printed", players=players)
        for answer in check_claims(sized, claims.keys() - same):
            found[answer.clause].append(answer)
    return {name: answers for name, answers in found.items() if answers}


def _claim(audit: Audit, clause: str, answers: list[Answer]) -> None:
    game = audit.printed.game
    said = next(c for c in game.clauses if c.id == clause)
    wrong = [a for a in answers if a.verdict == "refuted"]
    open_ = [a for a in answers if a.verdict == "unknown"]
    players = _counts([a.players for a in answers])
    if wrong:
        first = wrong[0]
        where = f"with {first.players} players: {first.detail}"
        audit.add(Finding(
            f"{game.id}/false-claim/{clause}", "false-claim", f"not so: {said.says}", (clause,),
            sources_of(game, (clause,)),
            Evidence("data", "proof", "printed", details={
                "players": [a.players for a in wrong], "counterexample": dict(first.solution),
                "why": first.detail}),
            TEXT,
            explanation=f"the claim fails for {_counts([a.players for a in wrong])}; {where}"))
    elif open_:
        audit.not_checked.append(NotChecked(f"the claim {clause}", open_[0].detail))
    else:
        audit.holds.append(Holds(clause, "claim", "proof", f"printed, {players}"))


def _counts(players: list[int]) -> str:
    if len(players) == 1:
        return f"{players[0]} player{'s' if players[0] != 1 else ''}"
    return f"{players[0]} to {players[-1]} players" if (
        players == list(range(players[0], players[-1] + 1))
    ) else " and ".join(map(str, players)) + " players"


def _term(audit: Audit, fault: TermFault) -> None:
    game = audit.printed.game
    titles = {
        "undefined": f"“{fault.term}” is used, and nothing says what it is",
        "unused": f"“{fault.term}” is introduced and never used again",
        "synonym": f"two names for one thing: “{fault.term}” and “{fault.other}”",
        "ambiguous": f"one name for two things: “{fault.term}” is {fault.other}",
    }
    slug = fault.term.replace(" ", "-")
    audit.add(Finding(
        f"{game.id}/undefined-term/{slug}", "undefined-term", titles[fault.kind], fault.clauses,
        sources_of(game, fault.clauses),
        Evidence("data", "exhaustive", "printed", details={"kind": fault.kind}), TEXT))


def traced(game: Game, audit: Audit) -> int:
    """Count the sentences of the rulebook that some clause covers."""
    del game
    return sum(1 for one in trace(audit.printed.compiled).sentences if one.clauses)
