"""From small scopes to the printed size: whether something comes up there, and how often.

Random plays at the printed size show which findings can happen there and give each a frequency with
a confidence interval.  What no play shows may still be possible; then the finding says so.  For an
open point each reading is compared with the adopted one, in plays with the same random decisions
under both (`twins`).  What a search of the printed game shows (`lifting`) is shown there,
shortened, before the play of the scope; a loop is sought in plays of those who make its moves only.

What only a scope in another mode, or with another number of players, showed is sought in the
printed game of that mode, with so many; and what is rare, in all modes that scopes have.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from msgspec.structs import replace

from ...model.game.game import PRINTED, Game
from ...model.machine.state import Move
from ...model.rules.elaborate import condition
from ...model.rules.meanings import Failed
from ...model.run.interp import UNPLAYABLE
from ...model.source.errors import UsageError
from ..audit.audit import CLAIMED, Audit
from ..audit.parallel import answers, attempt
from ..bench.meaning import changes_of
from ..bench.modes import Setting
from ..bench.stuck import MOST_STUCK, why_stuck
from ..bench.workbench import Instance
from ..engine.program import Program
from ..findings.evidence import (
    counted,
    counted_in,
    holding,
    identities,
    identity_of,
    in_mode,
    limit_broken,
    often_of,
    play_of,
    position_of,
    state_after,
    stuck_at,
)
from ..findings.observations import Extent, Observation, Question
from ..findings.results import Evidence, Identity, Shown
from ..findings.shares import Frequency
from ..packed.flags import FILTERED
from ..search.lifting import Showings, showings, shown_along, way_to
from ..search.playouts import again, plays_for, sample
from ..search.rounds import round_in_play
from .extents import Printed, at_once, keep, rare

PLAYS = 10_000


def look(audit: Audit) -> None:
    """Play the printed game at random, and search it if it was not explored."""
    audit.say("playing at the printed size")
    program = audit.printed.program
    audit.plays = plays_for(program, seed=audit.seed)
    audit.drawn = sample(
        program, plays=audit.plays.so_many(PLAYS), seed=audit.seed,
        progress=lambda n: audit.listener.part(n / PLAYS))
    if audit.explored_printed is None:
        audit.at_size = showings(program, audit.drawn, plays=audit.plays, seed=audit.seed)


def run(audit: Audit) -> None:
    """Note what plays at the printed size show of what was observed."""
    if not audit.drawn.plays:
        return
    chosen = Printed(audit.printed, audit.plays, audit.drawn, audit.at_size)
    _note(audit, chosen, audit.asked())
    for setting, some in _played_otherwise(audit).items():
        mode = in_mode(audit.printed.game, *setting)
        attempt(audit, f"what only a scope {mode} shows, in the printed game played so",
                partial(_in_mode, audit, mode, setting, some))
    at_once(audit)


def _note(audit: Audit, printed: Printed, observed: Sequence[Observation]) -> None:
    """Note what the printed game in a mode shows of some observations."""
    for one in observed:
        extent = _extent(audit, printed, one)
        if extent is not None:
            keep(audit, one.identity, extent)
    attempt(audit, "how often a reading changes something",
            lambda: _compare(audit, printed, observed))
    if audit.explored_printed is None or not audit.explored_printed.whole:
        audit.unchecked(
            "the printed game beyond a sample" + (f" {printed.mode}" * bool(printed.mode)),
            f"{printed.plays.so_many(printed.drawn.plays)}, seed {audit.seed}; "
            f"{printed.drawn.finished:,} of them ended"
            + (f", and {printed.drawn.beyond:,} met a bound of the model, so that what follows "
               "there is not known") * bool(printed.drawn.beyond)
            + f", and {printed.drawn.stuck:,} where nobody could move" * bool(printed.drawn.stuck),
            "sample")


def _played_otherwise(audit: Audit) -> dict[Setting, list[Observation]]:
    """Sort what only scopes of other modes, or with other players, showed by how these are played.

    Of what the printed game shows as it is chosen nothing more is asked, unless it is rare there:
    it may be common in another mode, and is told of the one in which it is most common.  What it
    does not show, a question or what is counted on the way, is sought in all modes, also with as
    many players as the scope has.  Nothing is
    asked of an order of players, which pairs of games do not tell from who is dealt what.
    """
    if not audit.of_printed:
        return {}
    chosen = _setting(audit, audit.printed.game)
    settings = {scope.name: _setting(audit, scope.instance.game) for scope in audit.scopes}
    counted = {each for _, each in identities(audit.printed.compiled.machine)}
    found: dict[Setting, list[Observation]] = {}
    for one in audit.asked():
        known = audit.extents.get(one.identity)
        setting = settings.get(one.evidence.scope, chosen)
        if one.question is not None and one.question.kind in ("loop", "window"):
            continue
        unseen = one.evidence.method != "proof" and (known is None or not known.found)
        every = rare(known) or (unseen and (one.question is not None or one.identity in counted))
        for other in dict.fromkeys(settings.values()):
            if other != chosen and ((unseen and other == setting) or (
                    every and other[1] in (None, setting[1]))):
                found.setdefault(other, []).append(one)
    return found


def _setting(audit: Audit, game: Game) -> Setting:
    """Return in which modes a game is played, and by how many if by more than is chosen.

    What a scope with fewer shows needs no more players than are chosen.
    """
    more = audit.printed.game.players < game.players <= audit.printed.game.players_range[1]
    return game.settings.variants, game.players if more else None


def _in_mode(audit: Audit, mode: str, setting: Setting, observed: Sequence[Observation]) -> None:
    """Play the printed game in another mode or by others, for what a scope of that kind showed."""
    audit.say(f"playing at the printed size {mode}")
    variants, players = setting
    try:
        instance = audit.bench.instance(PRINTED, variants=variants, players=players)
    except UsageError:  # the printed game is none of those that are played so
        return
    program = instance.program
    plays = plays_for(program, seed=audit.seed)
    drawn = sample(program, plays=plays.so_many(PLAYS), seed=audit.seed)
    shown = shown_along(program, drawn, Showings(), plays=plays, seed=audit.seed)
    _note(audit, Printed(instance, plays, drawn, shown, mode, setting), observed)


def _extent(audit: Audit, printed: Printed, one: Observation) -> Extent | None:
    """Return what the printed game shows of an observation; None if that was not looked at."""
    if "printed" in one.said:  # an order of what luck is in: pairs of plays would not tell
        return Extent(found=one.said["printed"])
    if one.often is not None:
        return Extent(found=True, frequency=one.often, mode=one.evidence.mode)
    drawn = printed.drawn
    bits = [bit for bit, each in identities(printed.instance.compiled.machine)
            if each == one.identity]
    if one.identity.kind == "never":
        return _refuted(audit, printed, one)
    if one.identity.kind in ("free", "alone", "optional"):
        return _goes_round(audit, printed, one)
    play = _play(printed, one)
    if one.identity.kind == "no-move":
        return _no_move(audit, printed, one, play)
    if not bits and play is None:
        return None
    seen = max((drawn.flags.get(bit, 0) for bit in bits), default=0)
    cut = f" ({drawn.beyond} of them met a bound of the model)" * bool(drawn.beyond)
    told = (f"seen in {seen} of {drawn.plays} random plays at the printed size{cut}" if seen
            else f"not seen in {drawn.plays} random plays at the printed size{cut}"
            + ("" if play is None else ", but in a search"))
    return Extent(
        True if play is not None or seen else None, told if bits else "",
        counted_in(drawn, bits) if bits else None,
        None if play is None else _shown_there(audit, printed, one, play), printed.mode)


def _no_move(
    audit: Audit, printed: Printed, one: Observation, play: tuple[Move, ...] | None
) -> Extent | None:
    """Count random plays of the printed game that leave somebody without a move for one reason.

    Of a game that was explored whole all reasons are known: if it has but one, all that come to
    such a point do so for that. Else some plays are made again, to see why.
    """
    plays, seen = printed.drawn.plays, printed.drawn.stuck
    reasons = {each.identity for each in audit.observed if each.identity.kind == "no-move"}
    scope = None if printed.setting is not None else audit.explored_printed
    whole = scope is not None and scope.whole and (
        scope.exploration.result().stuck_states <= MOST_STUCK)
    if seen and not (whole and len(reasons) == 1):
        plays = min(plays, CLAIMED)
        seen = sum(_why_stuck(audit, printed, number) == one.identity for number in range(plays))
    if play is None and not seen:
        return None
    return Extent(
        found=True, frequency=counted(seen, plays, beyond=_beyond(
            audit, printed, printed.instance.program, plays)),
        evidence=None if play is None else _shown_there(audit, printed, one, play),
        mode=printed.mode)


def _beyond(audit: Audit, printed: Printed, program: Program, plays: int) -> int:
    """Return how many of the first random plays of a printed game met a bound of the model."""
    drawn = printed.drawn
    return drawn.beyond if not drawn.beyond or plays == drawn.plays else sample(
        program, plays=printed.plays.so_many(plays), seed=audit.seed).beyond


def _why_stuck(audit: Audit, printed: Printed, number: int) -> Identity | None:
    """Return why nobody can move where a random play ends; None if somebody can, or it is over."""
    instance = printed.instance
    program = instance.program
    state, _ = program.start()
    for move in again(program, plays=printed.plays, seed=audit.seed, number=number):
        row = program.taken(state, move)
        if row is None or row[2] is None:
            return None
        state = row[2]
    if program.kind(state) in ("final", "chance") or any(
            not row[3] & FILTERED for row in program.succ(state)):
        return None
    return stuck_at(why_stuck(instance.interpreter, program.unpack(state)))


def _shown_there(
    audit: Audit, printed: Printed, one: Observation, play: tuple[Move, ...]
) -> Evidence | None:
    """Return the evidence of a play of the printed game; None where that is the scope looked at."""
    if not audit.of_printed or one.evidence.scope == PRINTED:
        return None
    return _at_printed_size(printed.instance, one.evidence, play)


def _at_printed_size(
    printed: Instance, evidence: Evidence, play: tuple[Move, ...], loop_from: int | None = None
) -> Evidence:
    """Show the play of the printed game first, and then the one that was found in a scope."""
    state = state_after(printed, play)
    shown = Shown("", play_of(printed, play, loop_from=loop_from))
    smaller = tuple(replace(each, scope=evidence.scope) for each in evidence.plays)
    details = evidence.details if loop_from is None else {
        **evidence.details, "loop": len(play) - loop_from}
    return replace(
        evidence, scope=PRINTED, method="sampled", depth=len(play), replayed=True,
        plays=(shown, *smaller), position=position_of(printed, state), details=details)


def _play(printed: Printed, one: Observation) -> tuple[Move, ...] | None:
    """Find a play of the printed game that shows an observation."""
    instance, shown = printed.instance, printed.shown
    machine = instance.compiled.machine
    plays = [shown.notes[duty.id] for duty in machine.obligations
             if duty.id in shown.notes and identity_of(duty) == one.identity]
    plays += [play for number, play in shown.broken.items()
              if limit_broken(machine.limits[number].clause) == one.identity]
    if one.identity.kind == "no-move":
        plays += [play for play in shown.stuck.values() if one.identity == stuck_at(
            why_stuck(instance.interpreter, state_after(instance, play)))]
    return min(plays, key=len, default=None)


def _goes_round(audit: Audit, printed: Printed, one: Observation) -> Extent | None:
    """Seek a loop of a scope in the printed game, in plays of those who make its moves only."""
    if not audit.of_printed or one.evidence.scope == PRINTED:
        return None
    kept = frozenset((kind, name, tuple(many)) for kind, name, many in one.said["round"])
    found = round_in_play(printed.instance.program, kept, kind=one.identity.kind,
                          longest=printed.plays.longest, seed=audit.seed)
    return None if found is None else Extent(
        found=True, evidence=_at_printed_size(printed.instance, one.evidence, *found),
        mode=printed.mode)


def _refuted(audit: Audit, printed: Printed, one: Observation) -> Extent | None:
    """Count random plays of the printed game to what a clause says never to be; shorten one.

    None where nothing is claimed: without the clause in a mode, or with other players.
    """
    game = printed.instance.game
    program = printed.instance.program.whole
    clause = game.clause(one.identity.clause)
    claim = None if clause is None or not clause.in_force else clause.claim
    if claim is None or (claim.players and game.players not in claim.players):
        return None
    try:
        test = condition(game, claim.test)
    except Failed:
        return None
    plays = printed.plays.so_many(CLAIMED)
    numbers, often = holding(program, test, plays=plays, seed=audit.seed)
    if not numbers:
        return None
    short = way_to(program, test, plays=plays, seed=audit.seed, number=numbers[0])
    return Extent(found=True, frequency=often,
                  evidence=_shown_there(audit, printed, one, short), mode=printed.mode)


def _compare(audit: Audit, printed: Printed, observed: Sequence[Observation]) -> None:
    """Count, for open points that matter, how often each reading changes something, and for whom.

    The reading with the greatest effect counts, or else that which changes something most often
    (`at_once`); of mirror images none, as there the seats change places, and with them the names
    of winners.
    """
    questions = [(one, one.question.point, reading)
                 for one in observed if one.question is not None and one.often is None
                 and "printed" not in one.said
                 for reading in one.compared]
    if not questions:
        return

    def relate(left: Sequence[tuple[Observation, str, str]]) -> None:
        if printed.setting is None:
            audit.bench.relate([{point: reading} for _, point, reading in left])

    def about(each: tuple[Observation, str, str]) -> object:
        one, point, reading = each
        assert one.question is not None
        return printed.setting, one.question, reading, changes_of(
            audit.bench, point, (one.question.adopted, reading))

    def ask(audit: Audit, question: tuple[Observation, str, str]) -> Frequency | None:
        one, _, reading = question
        assert one.question is not None
        return _twins(audit, printed, one.question, reading)

    where = f" {printed.mode}" if printed.mode else ""
    found = answers(audit, ask, questions, lambda each: f"playing {each[1]} both ways{where}",
                    Frequency | None, about=about, prepare=relate)
    counted: dict[Identity, list[Frequency]] = {}
    for (one, point, reading), each in zip(questions, found, strict=True):
        if each.value is not None:
            counted.setdefault(one.identity, []).append(each.value)
        if each.why:
            audit.unchecked(f"how often {point} = {reading} changes something", each.why,
                            cause=each.cause)
    turned = {one.identity for one, _, _ in questions if one.said.get("mirrored")}
    shown = {one.identity for one, _, _ in questions
             if one.evidence.scope == PRINTED and one.evidence.mode == printed.mode}
    for identity, some in counted.items():
        differs = any(often.seen or often.set_up for often in some)
        told = () if identity in turned else tuple(some)
        keep(audit, identity, Extent(
            True if differs or identity in shown else None,
            frequency=told[0] if told else None, compared=told[1:], mode=printed.mode))


def _twins(audit: Audit, printed: Printed, point: Question, reading: str) -> Frequency | None:
    """Play under another reading; None if the printed game cannot be played under it."""
    try:
        variants, players = printed.setting or (None, None)
        other = audit.bench.instance(
            PRINTED, rulings={point.point: reading}, variants=variants, players=players)
        return often_of((printed.instance, other), (point.adopted, reading), printed.plays,
                        seed=audit.seed)
    except UNPLAYABLE:
        return None
