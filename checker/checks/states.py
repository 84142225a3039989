"""Claims about states: what is said never to be, or to be possible.

A state is of a game for one number of players and in one mode, and the sentence speaks of all.  So
each claim that the scopes and the printed game as it is chosen do not settle is looked at with
every number of players and in every mode, too: in all situations, where these are few, else in
random plays.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial

from ...model.game import syntax as sx
from ...model.game.game import PRINTED, Clause, Game
from ...model.machine.core import Const, Expr
from ...model.machine.state import Move
from ...model.plays.wording import players_told
from ...model.rules.elaborate import condition
from ...model.rules.expected import describe
from ...model.rules.meanings import Failed
from ...model.run.interp import UNPLAYABLE
from ...model.source.errors import SpecErrors, UsageError
from ..audit.audit import CLAIMED, SMALL, Absence, Audit
from ..audit.parallel import ask_all
from ..audit.scoped import Scoped, explored, names_of
from ..bench.modes import Setting, played_as
from ..bench.workbench import Instance
from ..findings.evidence import Shows, holding, in_mode, witnessed
from ..findings.observations import Observation
from ..findings.results import PUBLIC, Evidence, Holds, Identity
from ..search.lifting import way_to
from ..search.playouts import Plays, met, plays_for
from .refutable import TRIED, never_asked

ELSEWHERE = "in random plays of these it was sought and not found, and more was not looked at"
"""Why nothing is said of a claim in modes and with numbers of players that were only played."""


@dataclass(frozen=True, slots=True)
class PlayedInstance:
    """The printed game in another mode or with another number of players.

    It is a `scope` if all its situations were explored.
    """

    instance: Instance
    plays: Plays
    scope: Scoped | None

    @property
    def whole(self) -> bool:
        """Whether all situations were explored."""
        return self.scope is not None


@dataclass(frozen=True, slots=True)
class OtherSettings:
    """What became of a claim in other modes and with other numbers of players.

    `shown` is a play to what it speaks of; it was looked for in all situations of `whole`, which
    are `scopes`, and not in all of `part`.
    """

    shown: Shows | None = None
    whole: tuple[Setting, ...] = ()
    part: tuple[Setting, ...] = ()
    scopes: tuple[Scoped, ...] = ()


def run(audit: Audit) -> None:
    """Decide what is claimed of states, in the modes that it belongs to."""
    claims = [clause for clause in audit.printed.game.clauses
              if clause.claim is not None and clause.claim.form in ("never", "reachable")]
    games = [scope.instance.game for scope in audit.scopes]
    games += _others(audit) if claims else ()
    asked = [clause for clause in claims if clause.in_force or any(
        _in_force(game, clause) for game in games)]
    idle_claims(audit, (clause for clause in claims if clause not in asked))
    played = cache(partial(_played, audit))
    ask_all(audit, partial(_state_claim, played=played), asked,
            lambda clause: f"the claim {clause.id}", fork=False, lost=of_claim)


def of_claim(clause: Clause, where: str = "") -> Absence:
    """Return the data of a claim that is not checked; in which mode or numbers, in words."""
    return {"left": "claim", "clauses": (clause.id,), "mode": where}


def idle_claims(audit: Audit, claims: Iterable[Clause]) -> None:
    """List claims that nothing is asked about, as no mode to which they belong is played."""
    idle = tuple(clause.id for clause in claims)
    if idle:
        audit.unchecked(f"what is claimed of other modes: {', '.join(idle)}",
                        "no mode is chosen to which this belongs", clauses=idle)


def _in_force(game: Game, clause: Clause) -> bool:
    mine = game.clause(clause.id)
    return mine is not None and mine.in_force


def _others(audit: Audit) -> Iterator[Game]:
    """Yield the printed game as it is played beside the chosen mode and number of players."""
    for modes, players in played_as(audit.bench, every=True) if audit.of_printed else ():
        with suppress(UsageError, SpecErrors):
            yield audit.bench.game(PRINTED, variants=modes, players=players)


def _state_claim(
    audit: Audit, clause: Clause, played: Callable[[Setting], PlayedInstance | None]
) -> None:
    """Decide a claim where it is chosen to be, and if that leaves it open, elsewhere."""
    assert clause.claim is not None
    never = clause.claim.form == "never"
    scopes = [scope for scope in audit.scopes if _in_force(scope.instance.game, clause)]
    hit, whole = _first_hit(scopes, clause.claim.test)
    whole = whole and not audit.left_out
    if hit is not None and never:
        scope, state = hit
        _refuted(audit, clause, scope.shows(scope.exploration.path(state)))
        return
    if hit is not None:
        audit.holds.append(Holds(clause.id, "claim", "exhaustive", hit[0].name, "claim"))
        return
    number = _met_in_print(audit, clause, CLAIMED if never else TRIED) if (
        audit.of_printed or not never) else None  # a scope that was asked for speaks for itself
    if never and number is not None:
        _refuted(audit, clause, audit.shows(way_to(
            audit.printed.program.whole, condition(audit.printed.game, clause.claim.test),
            plays=audit.plays, seed=audit.seed, number=number)))
    elif number is not None:
        audit.holds.append(Holds(clause.id, "claim", "sampled", PRINTED, "claim"))
    elif never:
        _never(audit, clause, scopes, _elsewhere(audit, clause, played), whole=whole)
    else:
        _possible(audit, clause, scopes, _elsewhere(audit, clause, played), whole=whole)


def _never(
    audit: Audit, clause: Clause, scopes: Sequence[Scoped], others: OtherSettings, *, whole: bool
) -> None:
    """Tell what became of what is said never to be, and as chosen was not seen."""
    assert clause.claim is not None
    if others.shown is not None:
        _refuted(audit, clause, others.shown)
        return
    if not scopes and not others.scopes:
        _unsettled(audit, clause, others)
        return
    untried = never_asked(audit, clause.claim.test, scopes or others.scopes)
    if untried:
        audit.unchecked(
            f"the claim {clause.id}", f"nothing looked at could refute it: never was {untried}",
            **of_claim(clause))
        return
    scope, mode = _scope(audit, names_of(scopes), others)
    audit.holds.append(Holds(
        clause.id, "claim", "exhaustive" if whole else "bounded", scope, "claim", mode=mode))
    if others.part:
        where = f" {_told(audit.printed.game, others.part)}"
        audit.unchecked(f"the claim {clause.id}{where}", ELSEWHERE, **of_claim(clause, where))


def _possible(
    audit: Audit, clause: Clause, scopes: Sequence[Scoped], others: OtherSettings, *, whole: bool
) -> None:
    """Tell what became of what is said to be possible, and as chosen was not seen."""
    assert clause.claim is not None
    if others.shown is not None:
        audit.holds.append(Holds(clause.id, "claim", others.shown.method,
                                 f"{PRINTED} {others.shown.mode}", "claim",
                                 mode=f" {others.shown.mode}"))
    elif not scopes and not others.scopes:
        _unsettled(audit, clause, others)
    elif whole and not others.part:
        audit.observe(Observation(
            Identity("false-claim", clause.id, "reachable"), (clause.id,),
            Evidence("coverage", "exhaustive", _scope(audit, names_of(scopes), others)[0],
                     replayed=False, details={"never_true": describe(clause.claim.test)}), PUBLIC))
    else:
        audit.unchecked(f"the claim {clause.id}", "not found, and not everything was explored",
                        **of_claim(clause))


def _unsettled(audit: Audit, clause: Clause, others: OtherSettings) -> None:
    """List a claim whose mode no scope plays, nor was explored in the printed game."""
    where = f" {_told(audit.printed.game, others.part)}" * bool(others.part)
    audit.unchecked(
        f"the claim {clause.id}{where}", ELSEWHERE if others.part else "no scope plays its mode",
        **of_claim(clause, where))


def _refuted(audit: Audit, clause: Clause, shows: Shows) -> None:
    """Observe a claim that a play refutes: its first situation."""
    audit.observe(Observation(
        Identity("false-claim", clause.id, "never"), (clause.id,), witnessed(shows), PUBLIC,
        often=shows.often))


def _met_in_print(audit: Audit, clause: Clause, plays: int) -> int | None:
    """Return the first random play of the printed game that comes to what no scope shows."""
    assert clause.claim is not None
    printed = audit.printed
    if not clause.in_force or audit.explored_printed is not None:
        return None
    try:
        test = condition(printed.game, clause.claim.test)
    except Failed:
        return None
    return met(printed.program.whole, test, plays=audit.plays.so_many(plays), seed=audit.seed)


def _first_hit(scopes: Iterable[Scoped], test: sx.Expr) -> tuple[tuple[Scoped, int] | None, bool]:
    """Return where a condition first holds: the scope, and the number of the state.

    And whether all scopes in which it makes sense were looked at in full till there.
    """
    whole = True
    for scope in scopes:
        try:
            made = condition(scope.instance.game, test)
        except Failed:
            continue
        whole = whole and scope.whole
        if isinstance(made, Const) and not made.value:
            continue
        holds = scope.instance.program.stated(made)
        for number, packed in enumerate(scope.exploration.order):
            if holds(packed):
                return (scope, number), whole
    return None, whole


# ---------------------------------------------------------------------- other modes and numbers


def _elsewhere(
    audit: Audit, clause: Clause, played: Callable[[Setting], PlayedInstance | None]
) -> OtherSettings:
    """Look for what a claim speaks of in each mode, and with each number of players."""
    whole: list[Setting] = []
    part: list[Setting] = []
    scopes: list[Scoped] = []
    for setting in played_as(audit.bench, every=True) if audit.of_printed else ():
        there = played(setting)
        if there is None:
            part.append(setting)
            continue
        test = _claimed(there.instance.game, clause)
        if test is None:
            continue
        moves = _way(audit, there, test, CLAIMED if _is_never(clause) else TRIED)
        if moves is not None:
            often = holding(
                there.instance.program.whole, test, plays=there.plays.so_many(CLAIMED),
                seed=audit.seed)[1] if _is_never(clause) else None
            return OtherSettings(Shows(
                there.instance, PRINTED, "exhaustive" if there.whole else "sampled", moves,
                in_mode(audit.printed.game, *setting), often))
        (whole if there.whole else part).append(setting)
        scopes += () if there.scope is None else (there.scope,)
    return OtherSettings(None, tuple(whole), tuple(part), tuple(scopes))


def _is_never(clause: Clause) -> bool:
    return clause.claim is not None and clause.claim.form == "never"


def _played(audit: Audit, setting: Setting) -> PlayedInstance | None:
    """Make the printed game in a mode or for some players; None if there is none that rests."""
    modes, players = setting
    try:
        instance = audit.bench.instance(PRINTED, variants=modes, players=players)
        instance.interpreter.start()
        most = min(audit.max_states, SMALL)
        found = instance.explored(most)
    except UNPLAYABLE:
        return None
    seen = explored(PRINTED, instance.compiled.machine, found.result())
    return PlayedInstance(instance, plays_for(instance.program, seed=audit.seed),
                  Scoped(PRINTED, instance, found, seen) if seen.complete else None)


def _claimed(game: Game, clause: Clause) -> Expr | None:
    """Return what a claim speaks of in a game; None if it does not speak of that game."""
    mine = game.clause(clause.id)
    if mine is None or not mine.in_force or mine.claim is None or (
            mine.claim.players and game.players not in mine.claim.players):
        return None
    try:
        return condition(game, mine.claim.test)
    except Failed:
        return None


def _way(audit: Audit, there: PlayedInstance, test: Expr, plays: int) -> tuple[Move, ...] | None:
    """Return moves to where a condition holds; None if none were found."""
    program = there.instance.program
    if there.whole:
        found = there.instance.explored(min(audit.max_states, SMALL))
        holds = program.stated(test)
        state = next((n for n, packed in enumerate(found.order) if holds(packed)), None)
        return None if state is None else found.path(state)
    number = met(program.whole, test, plays=there.plays.so_many(plays), seed=audit.seed)
    return None if number is None else way_to(
        program.whole, test, plays=there.plays, seed=audit.seed, number=number)


def _scope(audit: Audit, names: str, others: OtherSettings) -> tuple[str, str]:
    """Say where a claim was looked at in full: in which scopes, modes, and with how many players.

    Scopes say for how many players they are.  With it goes what of it is a mode, or a number.
    """
    game = audit.printed.game
    if not names:
        mode = f" {_told(game, others.whole)}"
        return PRINTED + mode, mode
    if names != PRINTED or not (others.whole or others.part):
        return names, ""
    if not others.whole:
        return audit.as_chosen, audit.as_chosen.removeprefix(PRINTED)
    counts = [game.players, *(players for _, players in others.whole if players is not None)]
    low, high = game.players_range
    modes = _modes(game, others.whole)
    mode = f", and {modes}" * bool(modes)
    return PRINTED + f", {players_told(counts)}" * (low < high) + mode, mode


def _told(game: Game, settings: Sequence[Setting]) -> str:
    """Say in which modes, and with how many players, a game is played."""
    counts = [players for _, players in settings if players is not None]
    modes = _modes(game, settings)
    return ", ".join([*[f"with {players_told(counts)}"] * bool(counts), *[modes] * bool(modes)])


def _modes(game: Game, settings: Iterable[Setting]) -> str:
    return ", ".join(in_mode(game, modes) for modes, players in settings if players is None)
