"""Readings of an open point, compared move by move: in the scopes, and at the printed size.

Every reading that is not adopted is compared with the adopted one, alone: first in the printed
game, by random plays and by proof (`printed`), so that what is shown is a play of the game that
people have; and if that shows nothing, in the scopes, exhaustively (`comparison/product`), and what
these show is sought near random plays of the printed game.  A proof says nothing of clauses that
are in force in a mode only, and nothing is said of a reading whose changes never ran.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from ...model.game.game import PRINTED
from ...model.run.interp import UNPLAYABLE
from ...model.silences import options
from ..audit.audit import Audit, Meeting
from ..audit.scoped import Scoped, method_of
from ..bench.workbench import Instance, side_by_side
from ..clauses.exercise import missing, nowhere, ran
from ..clauses.printed import at_printed_size, play_both
from ..comparison.equivalence import PAIRS, apart_in_play, apart_nearby
from ..comparison.product import Divergence, diverge, split_after
from ..engine.program import Program
from ..examples.refuted import refuting, told
from ..findings.evidence import often_of, play_of
from ..findings.observations import Observation, Question
from ..findings.results import LEVELS, Class, Evidence, Identity, Shown
from ..packed.flags import DUTIES, LEGAL, PUBLIC, WINNER
from ..search.labels import Label
from ..search.shorten import Follower
from .answers import (
    LONG,
    Contrast,
    answers,
    asked_at_once,
    best_of,
    could_differ,
    later,
    main_of,
    really,
    told_apart,
)
from .harmless import Looked, looked_at, told_harmless, untold
from .in_modes import FORCED, elsewhere, in_its_mode
from .left_open import left_open, unplayable
from .mirror import mirrored
from .pictured import pictured
from .points import Point, has_clauses
from .rules import meeting, often_failing, orders_of
from .silences import of_witness

PATIENCE = 15_000
"""Pairs looked at after the first split, in search of one that matters more."""
FEWEST = 4
"""Scopes in which a silence is compared that the printed game does not show to matter, and what is
decided, and in which a shorter play is sought than the one of the printed game."""


def compare_readings(audit: Audit, point: Point) -> None:
    """Report an open point whose readings differ, and say of the others how they were compared."""
    apart: list[Contrast] = []
    quiet: dict[Looked, list[str]] = {}
    whole = True
    met = meeting(audit, point) if point.kind == "rules" else None
    if met is not None and not met.seen:
        why = nowhere(audit, "no situation in which both conditions hold comes up",
                      audit.comparable())
        audit.not_checked.append(left_open(point, why))
        return
    for reading, _ in point.readings:
        if reading == point.adopted:
            continue
        shown, all_of_it = _compared(audit, point, reading, met)
        whole = whole and all_of_it
        if isinstance(shown, Contrast):
            apart.append(pictured(audit, point, shown))
        elif shown is not None and later(point, reading) not in audit.not_checked:
            if asked_at_once(audit, point, reading):
                audit.not_checked.append(later(point, reading))
            else:
                quiet.setdefault(shown, []).append(reading)
    struck = {each.reading: clause for each in apart
              if (clause := refuting(audit, point.id, each.reading)) is not None}
    audit.holds += [told(point.asks, dict(point.readings)[reading], clause)
                    for reading, clause in struck.items()]
    apart = told_apart(audit, point, [each for each in apart if each.reading not in struck])
    if apart:
        _report_readings(audit, replace(point, readings=tuple(
            each for each in point.readings if each[0] not in struck)), apart, quiet)
    differs = [later(point, reading) for each in apart for reading in (each.reading, *each.also)]
    audit.not_checked[:] = [note for note in audit.not_checked if note not in differs]
    if quiet:
        told_harmless(audit, point, quiet, whole=whole)


def _compared(
    audit: Audit, point: Point, reading: str, met: Meeting | None
) -> tuple[Contrast | Looked | None, bool]:
    """Compare a reading in the printed game, and in the scopes if that shows nothing.

    Of a silence only the scopes are asked in which its clauses run, and of one that words or
    another clause decide none; of two rules those in which they `met`.  None: nothing can be said,
    and it is listed as not checked.
    """
    scopes = audit.comparable() if met is None else [
        scope for scope in audit.comparable() if scope.name in met.scopes]
    if point.kind == "silence":
        # Where what it is about is never done, another answer may be what makes it possible.
        scopes = [scope for scope in scopes if any(ran(scope, name) for name in point.clauses)] or [
            scope for scope in scopes if could_differ(audit, scope, point, reading)]
    if not audit.of_printed:
        return _asked_alone(audit, point, reading, scopes)
    try:
        there, proved, forced = _in_print(audit, point, reading, met)
    except UNPLAYABLE as error:
        audit.not_checked.append(unplayable(
            point, error, reading, where="at the printed size", scope=PRINTED))
        return _in_scopes(audit, point, reading, scopes).apart, False
    mode, within = "", has_clauses(audit.printed.game, point)
    if there is not None:
        return _beside(audit, point, there, scopes), True
    if proved and within:
        return elsewhere(audit, point, reading) or Looked(proved=True), True
    if not within:
        there, mode = in_its_mode(audit, point, reading)
        if there is not None:
            return there, True
    few = _few(point, scopes)
    here, whole, compared = _in_scopes(audit, point, reading, few)
    if here is not None:
        there = _nearby(audit, point, reading) if (
            within and met is None and here.scope != PRINTED and not point.decided) else None
        return (here if there is None else _with(there, here)), whole
    there = elsewhere(audit, point, reading)
    if there is not None:
        return there, True
    lacking = "" if met is not None else missing(
        audit, partial(audit.bench.game, rulings={point.id: reading}))
    if not (lacking or within or mode):
        lacking = "the printed game was not played in a mode that has its clauses"
    if not lacking and point.aspect == options.HOW_OFTEN:
        # One reading bars the second time: where that is possible, other moves are legal.
        lacking = nowhere(audit, "it never could be done a second time", few)
    if forced and all(scope.name != PRINTED for scope in few):
        lacking = lacking or FORCED
    if lacking:
        audit.not_checked.append(left_open(point, lacking, reading))
        return None, False
    return (looked_at(audit, compared, mode, whole=whole),
            whole and bool(few) and few == scopes)


def _asked_alone(
    audit: Audit, point: Point, reading: str, scopes: Sequence[Scoped]
) -> tuple[Contrast | None, bool]:
    """Compare a reading in the scope that was asked for, and nowhere else.

    That it makes no difference there says little of the game, so that is no verdict.
    """
    here, whole, _ = _in_scopes(audit, point, reading, scopes)
    if here is None:
        audit.not_checked.append(left_open(point, "no situation of this scope shows it", reading))
    return here, whole


def _beside(audit: Audit, point: Point, there: Contrast, scopes: Sequence[Scoped]) -> Contrast:
    """Look in the scopes for what matters more than a play of the printed game, or is shorter."""
    if len(there.best.play) <= LONG and there.best.level <= LEGAL:
        return there
    some = [scope for scope in _few(point, scopes)
            if could_differ(audit, scope, point, there.reading)]
    here = _in_scopes(audit, point, there.reading, some[:FEWEST]).apart
    return there if here is None else _with(there, here)


def _with(there: Contrast, here: Contrast) -> Contrast:
    """Add what a scope shows to what a play of the printed game does, if that is better to see."""
    better = here.best.level < there.best.level or (
        here.best.level == there.best.level and 2 * len(here.best.play) < len(there.best.play))
    return replace(there, beside=here) if better else there


def _nearby(audit: Audit, point: Point, reading: str) -> Contrast | None:
    """Compare a reading that a scope tells apart near random plays of the printed game.

    None also where the printed game cannot be looked at so far: what the scope shows stands.
    """
    try:
        mine, other = two_of(audit, point, PRINTED, reading)
        one, two = side_by_side(mine, other)
        play = apart_nearby(one, two, seed=audit.seed, longest=audit.plays.longest)
        if play is None or not _known(one, two, play):
            return None
        found = split_after(one, two, play)
        if found.best is None:
            return None
    except (*UNPLAYABLE, MemoryError):
        return None
    return really(audit, point, Contrast(
        reading, mine, other, found, best_of(found), PRINTED, "sampled"))[0]


def _in_print(
    audit: Audit, point: Point, reading: str, met: Meeting | None
) -> tuple[Contrast | None, bool, bool]:
    """Compare a reading in the printed game, and say whether it is proved to be the same there.

    Also returned is whether other moves were met, and were all such that nobody picks.

    Raises:
        SpecErrors, UsageError: if the printed game cannot be played under it.
        EndlessRules: if it never comes to a rest.

    """
    mine, other = two_of(audit, point, PRINTED, reading)
    played = audit.played.get((point.id, reading)) or play_both(
        audit, other, mine, duties=met is not None)
    shown, forced = at_printed_size(audit, other, mine, played=played), False
    for play in (shown.play, None if met is None else met.play):
        one, two = side_by_side(mine, other)
        if play is None or not _known(one, two, play):
            continue
        found = split_after(one, two, play, duties=met is not None)
        if found.best is not None:
            found = _of_moves(audit, one, two, found)
            apart, _ = really(audit, point, Contrast(
                reading, mine, other, found, best_of(found), PRINTED, "sampled"))
            if apart is not None:
                return apart, False, False
            forced = True
    return None, shown.proved, forced


def _known(one: Program, two: Program, play: tuple[Label, ...]) -> bool:
    """Return whether two games have all moves of a play, also in the one order of their players."""
    return all(Follower(each.whole)(play) is not None for each in (one, two))


def _of_moves(audit: Audit, one: Program, two: Program, found: Divergence) -> Divergence:
    """Return what shows other legal moves, or another winner, if a play of the printed game does.

    What differs on the table soonest rarely tells what comes of it.
    """
    assert found.best is not None
    play = None if found.best.level <= LEGAL else apart_in_play(
        one, two, seed=audit.seed, plays=audit.plays, boards=False)
    if play is None or not _known(one, two, play):
        return found
    more = split_after(one, two, play)
    return more if more.best is not None and more.best.level < found.best.level else found


def two_of(audit: Audit, point: Point, scope: str, reading: str) -> tuple[Instance, Instance]:
    """Return a game as it is played and under a reading.

    Of two rules both are asked about with no other rule between them that would end the game.

    Raises:
        SpecErrors, UsageError: if it cannot be played under one of them.

    """
    if point.kind != "rules":
        return (audit.bench.instance(scope),
                audit.bench.instance(scope, rulings={point.id: reading}))
    base = audit.bench.game(scope)
    mine, other = (audit.bench.instance(scope, rulings=orders_of(base, point, each))
                   for each in (point.adopted, reading))
    return mine, other


def _few(point: Point, scopes: Sequence[Scoped]) -> Sequence[Scoped]:
    """Return the scopes in which a point is compared; the printed game, if it is one, always."""
    if point.kind != "silence" and not point.decided:
        return scopes
    most = FEWEST * (point.kind != "silence" or not point.decided)
    return [scope for number, scope in enumerate(scopes) if scope.name == PRINTED or number < most]


class ScopeComparison(NamedTuple):
    """The most important difference in some scopes, whether all was looked at, and where."""

    apart: Contrast | None
    whole: bool
    scopes: Sequence[Scoped]


def _in_scopes(
    audit: Audit, point: Point, reading: str, scopes: Sequence[Scoped]
) -> ScopeComparison:
    """Look for the most important difference in scopes; in one that cannot be played is none."""
    best: Contrast | None = None
    whole = True
    left_out: list[Scoped] = []
    for scope in scopes:
        if best is not None and best.best.level <= LEGAL:
            break
        if not could_differ(audit, scope, point, reading):
            continue
        try:
            mine, other = two_of(audit, point, scope.name, reading)
            found = diverge(*side_by_side(mine, other), limit=PAIRS, patience=PATIENCE,
                            duties=point.kind == "rules")
        except UNPLAYABLE as error:
            audit.not_checked.append(unplayable(point, error, reading, scope=scope.name))
            whole = False
            left_out.append(scope)
            continue
        if found.best is None:
            whole = whole and found.complete
            if found.bounds:
                audit.not_checked.append(left_open(
                    point, f"a bound of the model is met ({', '.join(found.bounds)})", reading,
                    scope=scope.name))
            continue
        apart, all_of_it = really(audit, point, Contrast(
            reading, mine, other, found, found.best, scope.name, method_of([scope])))
        if apart is None:
            whole = whole and all_of_it
            continue
        if best is None or apart.best.level < best.best.level:
            best = apart
    return ScopeComparison(best, whole, [scope for scope in scopes if scope not in left_out])


def _report_readings(
    audit: Audit, point: Point, apart: list[Contrast], quiet: Mapping[Looked, Sequence[str]]
) -> None:
    """Report a point whose readings differ, by the reading that does so most and soonest.

    What the printed game shows comes before what a scope shows.
    """
    known = [point.adopted, *(each for one in apart for each in (one.reading, *one.also))]
    rows = tuple(untold(audit, point, known, quiet))
    main = main_of(audit, point, apart)
    split, first = main.best, main.found.first
    assert first is not None
    mine, theirs = (main.moves(each, split.play) for each in (main.adopted, main.other))
    plays = play_of(main.adopted, mine), play_of(main.other, theirs)
    if not main.settled:
        point = of_witness(point, ((main.adopted, mine), (main.other, theirs)),
                           [[step["cites"] for step in play["steps"]] for play in plays])
    beside = main.beside
    inside = () if beside is None else tuple(
        Shown(reading, play_of(game, beside.moves(game, beside.best.play)), beside.scope)
        for reading, game in ((point.adopted, beside.adopted), (main.reading, beside.other)))
    told = answers(audit, point, main, [one for one in apart if one is not main])
    turned = all(mirrored(one.adopted.game, one.other.game) for one in apart)
    shown = split.play[:len(first.play)] == first.play  # else it is of another play
    deciding = split.level == WINNER and shown and len(split.play) != len(first.play)
    level = PUBLIC if split.level == DUTIES else split.level
    if beside is not None:
        level = min(level, beside.best.level)
    often = None if turned or not main.mode else often_of(
        (main.adopted, main.other), (point.adopted, main.reading), audit.plays, seed=audit.seed)
    if split.level == DUTIES and main.scope == PRINTED:
        often = often_failing(audit, (main.adopted, main.other), split.play)
    audit.observe(Observation(
        about(point), point.clauses,
        Evidence("split", main.method, main.scope,
                 plays=(Shown(point.adopted, plays[0]), Shown(main.reading, plays[1]), *told.plays,
                        *inside),
                 position=told.situation.position,
                 depth=len(mine), replayed=True, mode=main.mode,
                 details={"first_difference": {"depth": len(first.play), "level": first.level},
                          "compared": main.found.pairs,
                          **({"adds": told.adds} if told.adds else {})}),
        LEVELS[max(level, LEGAL) if turned else level], question=asked(point),
        readings=(*told.readings, *rows), said={
            "first": told.situation.after,
            "last": len(mine) if deciding and len(mine) > told.situation.after else None,
            "mirrored": turned, "decided": "" if point.apart else point.decided,
            **({} if point.kind == "rules" else {"scene": told.scene})}, often=often))


def about(point: Point, cls: Class | None = None) -> Identity:
    """Return what to call a point whose readings differ."""
    found: Class = "ambiguity" if point.kind == "firing" else point.defect
    return Identity(cls or found, kind=point.kind, place=point.id.removeprefix("order/"))


def asked(point: Point) -> Question:
    """Return what the judge needs of a point."""
    return Question(point.id, point.kind, point.asks, point.adopted, point.readings, point.aspect)
