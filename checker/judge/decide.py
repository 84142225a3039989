"""From observations to findings, once: which stand, what they are called, how far they go.

This is the last stage.  What comes in: all that the checks observed, what is known of it at the
printed size (`sampling`), and what is proved impossible there.  What comes out are the findings of
the report, ranked, each with its ways out and what follows from it; none is changed afterwards.
"""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from ...model.game.game import PRINTED, Game
from ...model.machine.duties import DEFECTS
from ...model.machine.machine import Machine
from ...model.silences.questions import is_about, questions_of, why_marked
from ..audit.audit import Audit
from ..audit.parallel import attempt
from ..findings.evidence import identity_of, sources_of
from ..findings.faults import IDLE
from ..findings.observations import Extent, Observation
from ..findings.results import (
    COMPARED,
    LEGAL,
    WINNER,
    Finding,
    Identity,
    LeftTo,
    NotChecked,
    Observable,
    WayOut,
)
from ..findings.rows import Outcome
from ..findings.shares import Frequency
from ..findings.titles import paragraph, title
from ..findings.words import Words
from .answered import answered
from .gathered import gathered
from .roots import ORDERS, SETTLES, Resolution, of_reading, ranked
from .ways import Ways, ways_out

ENOUGH = 200
"""Plays below which a share is no evidence, and is not told."""

NAMED = frozenset({
    "no-value", "nothing-to-draw", "no-option", "too-few", "not-there", "out-of-range",
    "nothing-to-compare", "division-by-zero", "not-one", "limit-at-end", "phrase", "forced",
    "trapped", "free", "alone", "optional", "automatic", "conflict"})
"""Kinds that are told in an id; of the others there is one in a class."""


def findings(audit: Audit) -> tuple[Finding, ...]:
    """Judge what was observed."""
    words = audit.words
    kept = _as_adopted(_where_it_can_be(audit, one) for one in gathered(words, [
        one for one in standing(audit) if not (
            _lost_in_print(audit, words, one) or _marked(audit, words, one))]))
    ids = ids_of(audit, {one.identity: _called(audit, one) for one in kept})
    out = attempt(audit, "ways out", lambda: ways_out(audit, Ways(kept, ids, words))) or {}
    made = [_finding(audit, one, ids[one.identity], words, out.get(one.identity, ()))
            for one in kept]
    tried = attempt(audit, "what answers settle", lambda: answered(audit, kept))
    told = ranked(audit.printed.game, made, tried or Resolution(), _lost(audit))
    shown = {each.id for root in told for each in root.whole}
    audit.not_checked += [NotChecked(
        one.title, f"only an answer to {of[0]} has this sentence, which was not seen to matter")
        for one in made if one.id not in shown
        and (of := of_reading(audit.printed.game, one)) is not None]
    return told


def _as_adopted(observed: Iterable[Observation]) -> tuple[Observation, ...]:
    """Note of what does nothing how many questions about other sentences have other answers.

    With these it may do something: that was looked up for questions about itself alone.
    """
    some = tuple(observed)
    asked = dict[str, set[str]]()
    for one in some:
        if one.question is not None:
            asked.setdefault(one.question.point, set()).update(one.clauses)
    return tuple(
        replace(one, said={**one.said, "adopted": len([
            about for about in asked.values()
            if one.identity.kind != "clause" or one.identity.clause not in about])})
        if one.identity.kind in IDLE else one for one in some)


def _lost(audit: Audit) -> set[str]:
    """Name the open points whose answers were not compared: nobody asked, or it was cut short."""
    points = {point.id for point in audit.printed.game.open_points}
    if not any(map(audit.wanted, COMPARED)):
        return points
    left = [one for one in audit.not_checked if one.failed or one.cut_short]
    if any(one.check == "ambiguity" for one in left):
        return points
    return points & {one.point for one in left if one.left == "point"}


def standing(audit: Audit) -> tuple[Observation, ...]:
    """Return the observations that are findings.

    What is proved impossible in the printed game is none, unless a scope was asked for; nor is a
    clause that does nothing alone, if it is told of together with one that may stand in for it.
    """
    asked = audit.of_printed
    paired = {clause for one in audit.asked() if one.identity.kind == "pair"
              for clause in one.clauses}
    return tuple(
        one for one in audit.asked()
        if not (asked and _impossible(audit, one.identity))
        and not (one.identity.kind == "clause" and one.identity.clause in paired))


def _impossible(audit: Audit, one: Identity) -> bool:
    """Return whether it is proved impossible in the printed game, and no mode of that shows it."""
    known = audit.extents.get(one)
    return one in audit.impossible and not (known and known.mode and known.found)


def _where_it_can_be(audit: Audit, one: Observation) -> Observation:
    """Leave out sentences of a question about what cannot be done, if it always can be done there.

    That is proved in the printed game, or all situations were looked at.  The sentence that the
    witness is about stays.
    """
    aspect = _aspect(one)
    if aspect not in SETTLES or len(one.clauses) < 2:
        return one
    scopes = [scope for scope in audit.scopes if scope.name == audit.bench.settings.scope]
    whole = bool(scopes) and all(scope.whole for scope in scopes)
    failed = {identity_of(duty) for scope in scopes
              for duty in scope.instance.compiled.machine.obligations
              if duty.id in scope.exploration.result().notes}
    owed: dict[str, list[bool]] = defaultdict(list)
    for duty in audit.printed.compiled.machine.obligations:
        if duty.kind in SETTLES[aspect]:
            never = identity_of(duty) not in failed if whole else (
                _impossible(audit, identity_of(duty)))
            owed[duty.clause].append(never)
    first, *others = one.clauses
    return replace(one, clauses=(first, *(
        name for name in others if not (owed[name] and all(owed[name])))))


def _called(audit: Audit, one: Observation) -> Identity:
    """Return what an observation is named by: a question by a sentence that it is still about."""
    if not _aspect(one):
        return one.identity
    firsts = {each.id: each.clauses[0] for each in questions_of(audit.printed.game)}
    name = f"{_aspect(one)}/{one.clauses[0]}"
    if firsts.get(one.identity.place) in one.clauses or name in firsts:
        return one.identity
    return replace(one.identity, place=name)


def _aspect(one: Observation) -> str:
    """Return which kind of silence an observation asks about; "" if it does not."""
    asked = one.question
    return asked.aspect if asked is not None and asked.kind == "silence" else ""


def _lost_in_print(audit: Audit, words: Words, one: Observation) -> bool:
    """Return whether a clause lacks what the print has lost; then it is listed as not checked.

    Not of a word, nor of what an open point of the spec asks: these stand in the print, whatever
    else is lost of the sentence.
    """
    printed = one.identity.cls == "undefined-term" or (
        one.question is not None and one.question.kind == "declared")
    lost = "" if printed else next((clause.missing for clause in audit.printed.game.clauses
                                    if clause.missing and clause.id in one.clauses), "")
    if lost:
        audit.unchecked(title(words, one), f"the print has lost {lost}", cause="answered")
    return bool(lost)


def _marked(audit: Audit, words: Words, one: Observation) -> bool:
    """Return whether what is to be done where something fails is marked as known.

    What a card does where that cannot be done is said on the card, if the book prints none: such an
    assumption is listed as not checked.  So is that words or another clause decide it, which its
    author has marked, or that it is answered for this run: what else it could be is compared as a
    question, but that the answer covers each case is not.
    """
    aspects = {aspect for aspect, kinds in SETTLES.items() if one.identity.kind in kinds}
    clause = next((each for each in audit.printed.game.clauses
                   if aspects and each.id == one.identity.clause), None)
    if clause is None:
        return False
    if aspects & {*clause.assumed}:
        audit.unchecked(title(words, one), "what the cards say is assumed", cause="answered")
        return True
    by = next((name for aspect, name in clause.settled if aspect in aspects), None)
    why = _answered(audit.printed.game, one.identity, aspects) if by is None else (
        f"the spec says that “{words.says(by)}” tells what happens then")
    if why:
        audit.unchecked(title(words, one), f"this comes up, and {why}", cause="answered")
    return bool(why)


def _answered(game: Game, one: Identity, aspects: set[str]) -> str:
    """Say which words, or whose ruling, have something that cannot be done happen as it does.

    Under another answer than the one that is written it cannot fail, or that is no answer to it.
    """
    rulings, clause = dict(game.settings.rulings), (game.as_written or game).clause(one.clause)
    for question in questions_of(game):
        found = [] if clause is None or question.aspect.name not in aspects else [
            silence for silence in question.silences
            if silence.clause == clause.id and is_about(clause, silence, one.place)]
        if not found or clause is None:
            continue
        written, told = question.readings[0]
        if rulings.get(question.id) == written:
            return f"it is answered for this run: {told}"
        if question.status == "stated" and question.id not in rulings:
            why = why_marked(clause, question.aspect.name) or found[0].decided
            return f"the sentence tells what happens then, by {why}" if (
                question.adopted == written) else ""
    return ""


def _finding(
    audit: Audit, one: Observation, name: str, words: Words, ways: tuple[WayOut, ...]
) -> Finding:
    extent = extent_of(audit, one)
    # A play of the printed game is of its own mode, whichever it is most common in.
    shown = extent.evidence is None and one.evidence.scope == PRINTED
    evidence = replace(extent.evidence or one.evidence, at_printed_size=extent.found,
                       lifted=extent.told, mode=one.evidence.mode if shown else extent.mode)
    enough = [replace(often, mode=extent.mode) for often in (extent.frequency, *extent.compared)
              if often is not None and often.plays >= ENOUGH]
    first = extent.frequency is not None and extent.frequency.plays >= ENOUGH
    shared, compared = (enough[0], enough[1:]) if first else (None, enough)
    return Finding(
        name, one.identity.cls, title(words, one), one.clauses,
        sources_of(audit.printed.game, one.clauses), evidence, observable_of(one, shared),
        paragraph(words, replace(one, evidence=evidence)),
        "" if one.question is None else one.question.point,
        favoured(one.readings, *([] if shared is None else [shared]), *compared),
        shared, ways, one.identity, table=tuple(map(tuple, one.said.get("table", ()))),
        only_smaller=audit.of_printed and extent.found is not True,
        compared=(*compared, *extent.beside),
        rests=() if extent.evidence else audit.rests.get(one.identity, ()),
        left_to=left_to(audit.printed.game, one), answers=_answers(one), aspect=_aspect(one))


def _answers(one: Observation) -> Mapping[str, str]:
    """Return the readings of a question, and their titles, if the rows that are told are none."""
    readings = {} if one.question is None else dict(one.question.readings)
    rows = {each.id for each in one.readings}
    return readings if rows and rows.isdisjoint(readings) else {}


def left_to(game: Game, one: Observation) -> LeftTo:
    """Say who is likely to answer a question, or has, if not the author of the book alone.

    Of words, readers find out what each means, but for one that nothing explains.
    """
    if one.identity.cls == "undefined-term":
        return "" if "undefined" in one.said.get("kinds", (one.identity.kind,)) else "readers"
    if one.question is not None and one.question.point in dict(game.settings.rulings):
        return "ruled"
    point = None if one.question is None else next(
        (each for each in game.open_points if each.id == one.question.point), None)
    if point is None:
        return ""
    return "cards" if point.on_cards else "readers" if point.hinted else ""


def favoured(readings: tuple[Outcome, ...], *compared: Frequency) -> tuple[Outcome, ...]:
    """Say of each reading which seats win more often under it, as far as that was measured."""
    gains: dict[str, dict[str, None]] = defaultdict(dict)
    for often in compared if readings else ():
        seats = often.wins[:-2]
        for other in (False, True):
            told = [one.seat for one in seats if one.apart and (one.more[0] > 0) == other]
            gains[often.reading if other else often.adopted] |= dict.fromkeys(
                told if len(told) < len(seats) else ())
    return tuple(replace(each, favours=" and ".join(gains[each.id])) for each in readings)


def observable_of(one: Observation, often: Frequency | None) -> Observable:
    """Return what differs: what pairs of games show, if a scope showed less.

    That is the winner, or what is chosen, by which they part; but for an order, by which they part
    where only another player is asked first.
    """
    if often is None or often.decides is None:
        return one.observable
    order = one.question is not None and one.question.kind in ORDERS
    seen = WINNER if often.decides or often.effect else (
        LEGAL if often.seen and not order else one.observable)
    return min(one.observable, seen, key=lambda each: each.level)


def extent_of(audit: Audit, one: Observation) -> Extent:
    """Return what the printed game is known to show of an observation.

    That the book says something twice is a fact of its text; the printed game was played without.
    """
    if _impossible(audit, one.identity):
        return Extent(found=False, told="proved impossible at the printed size")
    known = audit.extents.get(one.identity, Extent(one.evidence.at_printed_size))
    seen = (one.evidence.method == "proof" or one.identity.cls == "redundant-clause"
            or PRINTED in one.evidence.scope.split(", "))
    return dataclasses.replace(known, found=True) if seen else known


# ---------------------------------------------------------------------- ids


def ids_of(audit: Audit, identities: Mapping[Identity, Identity]) -> dict[Identity, str]:
    """Return the ids of findings: the class, the clause; the kind and the place where they tell.

    Each identity stands with what the finding is named by, which is nearly always the same.

    An id depends on its identity and on the printed machine, not on what else was found: of several
    places of a clause where the same may fail, it has the number that it has in the spec.
    """
    places = _places(audit.printed.compiled.machine)
    return {one: f"{audit.printed.game.id}/{_name(name, places)}"
            for one, name in identities.items()}


def _places(machine: Machine) -> Mapping[Identity, list[Identity]]:
    """Sort the places of each kind of obligation of a clause as the spec has them."""
    found: dict[Identity, set[Identity]] = defaultdict(set)
    for duty in machine.obligations:
        one = identity_of(duty)
        found[replace(one, place="")].add(one)
    return {key: sorted(some, key=_position) for key, some in found.items()}


def _position(one: Identity) -> tuple[str, int, int]:
    file, line, column = one.place.rsplit(":", 2) if one.place.count(":") > 1 else (
        one.place, "0", "0")
    return file, int(line), int(column)


def _name(one: Identity, places: Mapping[Identity, list[Identity]]) -> str:
    kind = one.kind if one.kind in NAMED else ""
    place = "=".join(filter(None, (one.place, one.reading)))
    if one.kind in DEFECTS:
        known = places.get(replace(one, place=""), [one])
        place = "" if known == [one] else (
            str(known.index(one) + 1) if one in known else "at " + ":".join(
                map(str, _position(one)[1:])))
    parts = [part for part in (one.clause, kind, place) if part] or [one.kind]
    return "/".join((one.cls, *(part.replace("/", "-").replace(" ", "-") for part in parts)))


# ---------------------------------------------------------------------- the author's questions


def questionnaire(report: Iterable[Finding]) -> tuple[Any, ...]:
    """Return the questions whose answers settle the open points, the most important first."""
    made: dict[str, Any] = {}
    for finding in (each for root in report for each in root.whole):
        if finding.open_point and len(finding.readings) > 1:
            made.setdefault(finding.open_point, {
                "open_point": finding.open_point, "finding": finding.id, "asks": finding.title,
                "answers": [{"reading": name, "then": title}
                            for name, title in finding.answers.items()] or [
                    {"reading": r.id, "then": r.told} for r in finding.readings if r.apart]})
    return tuple(made.values())
