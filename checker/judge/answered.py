"""Which answers to a question settle what else was found, and which leave it as it is.

What fails goes under a question about its sentence only if the question is what to do then.  That
is so if it fails where the readings part and some other answer mends it, or if none leaves it: else
the editor who answers the question has mended nothing.  How often something may be done goes under
a declared question, and a play without an end under any about its sentences, if an answer to that
settles it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from ...model.game.game import PRINTED, Game
from ...model.plays.documents import is_list, is_object
from ...model.run.interp import UNPLAYABLE
from ...model.silences.options import HOW_OFTEN
from ...model.silences.questions import questions_of
from ..audit.audit import Audit
from ..bench.workbench import side_by_side
from ..comparison.equivalence import same_everywhere, same_in_play
from ..findings.evidence import identities
from ..findings.observations import Observation, Question
from ..findings.results import Identity
from ..search.playouts import sample
from .roots import SETTLES, Resolution, same_situation
from .ways import effect


def answered(audit: Audit, observed: Sequence[Observation]) -> Resolution:
    """Try the answers to the questions that something else may go under."""
    questions = [(one, one.question) for one in observed if one.question is not None]
    left: set[tuple[Identity, Identity]] = set()
    settled: set[tuple[Identity, Identity]] = set()
    for root, question in questions:
        others = [reading for reading, _ in question.readings if reading != question.adopted]
        for one in observed:
            pair = one.identity, root.identity
            if one is root:
                continue
            if one.question is not None:
                how_often = one.question.aspect == HOW_OFTEN
                if question.kind == "declared" and how_often and any(
                        _nothing_left(audit, one, question, each) for each in others):
                    settled.add(pair)
            elif not ({*one.clauses} & {*root.clauses} or same_situation(one, root)):
                continue
            elif one.identity.cls == "endless-loop":
                if any(_ends(audit, one, question, each) for each in others):
                    settled.add(pair)
            elif _counts(audit, one, root):
                some = all if _fails_there(one, root) else any
                if some(_fails_still(audit, one, question, each) for each in others):
                    left.add(pair)
    return Resolution(frozenset(left), frozenset(settled))


# ---------------------------------------------------------------------- what fails


def _counts(audit: Audit, one: Observation, root: Observation) -> bool:
    """Return whether something fails in printed games, and a question does not ask what to do."""
    known = audit.extents.get(one.identity)
    aspect = "" if root.question is None else root.question.aspect
    return known is not None and not known.mode and known.frequency is not None and bool(
        known.frequency.seen) and one.identity.kind not in SETTLES.get(aspect, ())


def _fails_there(one: Observation, root: Observation) -> bool:
    """Return whether it fails where the readings of a question part."""
    plays = (play.play["steps"] for play in root.evidence.plays)
    last = (steps[-1] for steps in plays if is_list(steps) and steps)
    failed = (step["failed"] for step in last if is_object(step) and "failed" in step)
    return any((each["clause"], each["defect"]) == (one.identity.clause, one.identity.cls)
               for some in failed if is_list(some) for each in some if is_object(each))


def _fails_still(audit: Audit, one: Observation, question: Question, reading: str) -> bool:
    """Return whether the same fails in random plays of the printed game under another answer."""
    try:
        instance = audit.bench.instance(PRINTED, rulings={question.point: reading})
        program = (instance.member or instance.program).whole
        drawn = sample(program, plays=audit.plays, seed=audit.seed)
    except UNPLAYABLE:
        return False
    if one.identity.kind == "no-move":
        return bool(drawn.stuck)
    return any(drawn.flags.get(bit) for bit, each in identities(program.machine)
               if replace(each, place=one.identity.place) == one.identity)


# ---------------------------------------------------------------------- what an answer settles


def _nothing_left(audit: Audit, one: Observation, question: Question, reading: str) -> bool:
    """Return whether nothing is left to be asked of an option under an answer about its window."""
    assert one.question is not None
    game = audit.printed.game
    windows = {clause.on for clause in game.clauses if clause.id in one.clauses}
    if windows.isdisjoint(_windows(game, audit.bench.changes(question.point, reading))):
        return False
    answer = {question.point: reading}
    try:
        mine = audit.bench.instance(one.evidence.scope, rulings=answer)
        left = next((each for each in questions_of(mine.game)
                     if each.aspect.name == HOW_OFTEN and {*each.clauses} & {*one.clauses}), None)
        return left is None or all(
            _same(audit, one.evidence.scope, answer, {**answer, left.id: each})
            for each, _ in left.readings if each != left.adopted)
    except UNPLAYABLE:
        return False


def _same(audit: Audit, scope: str, one: Mapping[str, str], two: Mapping[str, str]) -> bool:
    """Return whether a scope is the same under two sets of rulings."""
    pair = side_by_side(*(audit.bench.instance(scope, rulings=each) for each in (one, two)))
    if scope == PRINTED:
        return same_in_play(*pair, seed=audit.seed, plays=audit.plays)
    return same_everywhere(*pair) is True


def _windows(game: Game, changes: Mapping[str, object]) -> Iterator[str]:
    """Yield the windows that a reading changes, or whose sentences it changes."""
    on = {clause.id: clause.on.partition(".")[0] for clause in game.clauses}
    changed = changes.get("changes")
    for name in (*(changed if is_object(changed) else ()), *_names(changes.get("drop"))):
        yield on.get(name, name.removeprefix("window:"))


def _names(some: object) -> Iterator[str]:
    yield from (str(name) for name in some) if isinstance(some, list | tuple) else ()


def _ends(audit: Audit, one: Observation, question: Question, reading: str) -> bool:
    """Return whether an answer takes away what has no end, and brings nothing else."""
    scope = next((each for each in audit.scopes if each.name == one.evidence.scope), None)
    if scope is None:
        return False
    try:
        other = audit.bench.instance(scope.name, rulings={question.point: reading})
        found = effect(audit, scope, other, flips=False)
    except UNPLAYABLE:
        return False
    return found is not None and one.identity in found.gone and not found.new
